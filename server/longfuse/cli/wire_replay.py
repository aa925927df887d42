"""Telling a finished game of a server once more: part after part, as one of its viewers saw it.

Owns how a viewer is named on the command line. Who may see what is the server's to say.
"""

from __future__ import annotations

from typing import Literal

from longfuse.cli.output import CommandError
from longfuse.cli.telling import Teller
from longfuse_protocol.client import Client, Refused

SEATS_MAX = 16


def viewer_of(seat: int | None) -> int | Literal["spectator"]:
    """The viewer whose view is asked for; None is what spectators saw. Raises CommandError."""
    if seat is None:
        return "spectator"
    if not 1 <= seat <= SEATS_MAX:
        raise CommandError(
            f"--seat {seat}: from 1 to {SEATS_MAX}, as in P1; what receipts call seat 0 is P1"
        )
    return seat - 1


async def tell_replay(
    client: Client, game: str, seat: int | None, invitation: str, teller: Teller
) -> None:
    """Tell it from its first frame to its last. Raises CommandError with the server's reason."""
    viewer = viewer_of(seat)
    who = "spectators" if seat is None else f"P{seat}"
    teller.note(f"game {game}, as {who} saw it")
    try:
        async for part in client.replay(game, viewer, invitation=invitation):
            for frame in part.frames:
                for event in frame.events:
                    teller.event(str(event.get("event")), str(event.get("text", "")))
    except Refused as refused:
        raise CommandError(
            f"the server shows no such game: {refused.answer.reason}", 1
        ) from refused
    teller.closing("That is the end of it.")
