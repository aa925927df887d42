"""The demonstration over the wire: a server, two bots that play on it, and a spectator that tells.

Owns one game after another; everything goes through sockets, as it does for anybody who connects.
The server shuffles as it does for anybody, so no seed decides these games.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from secrets import token_hex

import trio

from longfuse import log
from longfuse.bots.wire import Opening, play_over_wire
from longfuse.cli import running
from longfuse.cli.local import seats_of
from longfuse.cli.output import CommandError
from longfuse.cli.own_cards import deck_name, with_cards
from longfuse.cli.players import answering
from longfuse.cli.telling import Teller
from longfuse.cli.wire_telling import Spectator
from longfuse.config import Config
from longfuse.rulesets.catalogue import Ruleset
from longfuse_protocol.client import Event, NotConnected, open_client
from longfuse_protocol.messages import Joined

PACE_S = 0.2
"""Between two sentences, where somebody watches."""
BETWEEN_GAMES_S = 5.0


def serve_demo(
    ruleset: Ruleset,
    bots: tuple[str, str],
    *,
    port: int,
    save: Path | None,
    cards: Sequence[Path] = (),
) -> int:
    """Serve, and play: one game, or on a terminal one after another until Ctrl-C."""
    log.configure(level="warning")
    data = "" if save is None else str(save)
    config = running.settings(port=port, data=data, cards=[*map(str, cards)])
    ruleset = with_cards(ruleset, cards)
    return running.run(_serve_demo, ruleset, bots, config)


async def _serve_demo(ruleset: Ruleset, bots: tuple[str, str], config: Config) -> int:
    teller = Teller()
    async with running.open_server(config, drains=False) as server:
        url = server.url
        teller.note(f"a server runs at {url}; to watch from elsewhere: longfuse watch {url}")
        number = 0
        await _play(ruleset, number, url, teller, bots)
        while teller.is_terminal:
            teller.note(f"the next game begins in {BETWEEN_GAMES_S:.0f} s; Ctrl-C ends this")
            await trio.sleep(BETWEEN_GAMES_S)
            number += 1
            await _play(ruleset, number, url, teller, bots)
        server.drain()
    return 0


async def _play(
    ruleset: Ruleset, number: int, url: str, teller: Teller, bots: tuple[str, str]
) -> None:
    """One game: the first bot opens the table, the second joins once somebody tells it."""
    seats = seats_of(ruleset, number)
    table: list[str] = []
    opened = trio.Event()

    def note_table(event: Event) -> None:
        if isinstance(event, Joined):
            table.append(event.place.info.table)
            opened.set()

    async def play(seat: int, at: str | Opening) -> None:
        answer = answering(bots[seat], ruleset, token_hex(8), seat)
        await play_over_wire(
            url,
            answer,
            name=seats[seat].name,
            at=at,
            seat=seat,
            deck=deck_name(seats[seat].deck),
            on_event=note_table,
        )

    pace_s = PACE_S if teller.is_terminal else 0.0
    try:
        async with trio.open_nursery() as nursery:
            nursery.start_soon(play, 0, Opening(ruleset=ruleset.NAME))
            await opened.wait()
            async with open_client(url, name="narrator") as client:
                await client.spectate(table[0])
                nursery.start_soon(play, 1, table[0])
                spectator = Spectator(client, teller, pace_s=pace_s)
                await spectator.tell()
    except* NotConnected as group:
        raise CommandError(f"the bots cannot connect: {group.exceptions[0]}", 1) from group
    if not spectator.is_over:
        raise CommandError("the connection ended before the game did", 1)
