"""Game actions: what instructions, costs and rules do, as batches of proposals.

Owns how each action becomes proposals. What a proposal writes is in `commits.py`; whether it is
replaced is the kernel's step one. Each returns what happened, so that "if you do" can be answered.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from longfuse.game.questions import Steps
from longfuse.rulesets.riftbound import asking
from longfuse.rulesets.riftbound.state import Permanent
from longfuse.timing.messages import Happened, Proposed
from longfuse.timing.references import NOBODY, Ref, Seat

if TYPE_CHECKING:
    from longfuse.rulesets.riftbound.duel import Duel

Done = Steps[list[Happened]]


def act(
    duel: Duel,
    event: str,
    refs: Iterable[Ref],
    *,
    player: Seat | None = None,
    source: Ref | None = None,
    amount: int = 0,
    clause: str = "",
    **facts: Any,
) -> Done:
    """One simultaneous action on some objects; those that are gone are left out (359.3.e.6)."""
    proposals = [
        Proposed(
            event=event,
            subjects=(ref,),
            player=duel.controller_of(ref) if player is None else player,
            source=source,
            amount=amount,
            facts=facts,
            clause=clause,
        )
        for ref in refs
        if duel.is_there(ref)
    ]
    if not proposals:
        return []
    return (yield from duel.game.publish(*proposals))


def deal(
    duel: Duel,
    amounts: Iterable[tuple[Ref, int]],
    *,
    source: Ref | None,
    player: Seat,
    combat: bool = False,
) -> Done:
    """417: deal damage, to all at once; nothing is dealt where the amount is not positive."""
    proposals = [
        Proposed(
            event="damage",
            subjects=(ref,),
            player=player,
            source=source,
            amount=number,
            facts={"combat": combat},
            clause="417",
        )
        for ref, number in amounts
        if number > 0
        and _on_board(duel, ref, "unit")
        and not asking.forbidden(duel, "be damaged", None, ref)
    ]
    if not proposals:
        return []
    return (yield from duel.game.publish(*proposals))


def kill(
    duel: Duel,
    refs: Iterable[Ref],
    *,
    source: Ref | None = None,
    player: Seat = NOBODY,
    clause: str = "426",
) -> Done:
    """Kill permanents: they go to their owners' trash, unless that is replaced. A legend is none
    (173.3, 174)."""
    there = [ref for ref in refs if _on_board(duel, ref) and not duel.is_kind(ref, "legend")]
    return (yield from act(duel, "death", there, player=player, source=source, clause=clause))


def draw(duel: Duel, seat: Seat, number: int, source: Ref | None = None) -> Done:
    """Draw cards one after the other; from an empty deck the player burns out first (431)."""
    done: list[Happened] = []
    for _ in range(number):
        if asking.forbidden(duel, "draw", seat, None):
            return done
        done += yield from duel.game.publish(
            Proposed(event="draw", player=seat, source=source, clause="413")
        )
    return done


def channel(duel: Duel, seat: Seat, number: int, exhausted: bool = False) -> Done:
    """430: put the top runes of the Rune Deck onto the board, as many as there are."""
    done: list[Happened] = []
    for _ in range(number):
        top = duel.game.board.zone(f"runes:{seat}")[-1:]
        done += yield from act(duel, "channel", top, player=seat, clause="430", exhausted=exhausted)
    return done


def points(duel: Duel, seat: Seat, number: int, clause: str, **facts: Any) -> Done:
    """Gain points."""
    if number <= 0 or asking.forbidden(duel, "gain points", seat, None):
        return []
    return (
        yield from duel.game.publish(
            Proposed(event="points", player=seat, amount=number, facts=facts, clause=clause)
        )
    )


def move(
    duel: Duel,
    refs: Iterable[Ref],
    place: str,
    *,
    player: Seat,
    source: Ref | None = None,
    clause: str = "446",
) -> Done:
    """Move units to a place, at once; one that is there already does not move."""
    movers = [
        ref
        for ref in refs
        if _on_board(duel, ref)
        and duel.permanent(ref).place != place
        and not asking.forbidden(duel, "move", player, ref)
    ]
    return (
        yield from act(
            duel, "move", movers, player=player, source=source, clause=clause, place=place
        )
    )


def recall(duel: Duel, refs: Iterable[Ref], source: Ref | None = None) -> Done:
    """455: put permanents into their controllers' bases; not a move, and no status changes."""
    there = [
        ref
        for ref in refs
        if _on_board(duel, ref) and asking.forbidden(duel, "be recalled", None, ref) is None
    ]
    return (yield from act(duel, "recall", there, source=source, clause="455"))


def send(
    duel: Duel,
    refs: Iterable[Ref],
    event: str,
    *,
    player: Seat,
    source: Ref | None = None,
    clause: str = "",
) -> Done:
    """Put objects elsewhere: event is "banish", "return", "recycle", "discard", "trash", "top".

    Of several that are recycled to a Main Deck at once the order is random (416.5).
    """
    if event == "recycle":
        refs = tuple(refs)
        if len(refs) > 1 and not all(duel.is_kind(ref, "rune") for ref in refs):
            refs = random_order(duel, refs, player)
    return (yield from act(duel, event, refs, player=player, source=source, clause=clause))


def random_order(duel: Duel, refs: Iterable[Ref], seat: Seat) -> tuple[Ref, ...]:
    """The same objects in an order that nobody knows before."""
    left = list(refs)
    found = []
    while left:
        found.append(left.pop(duel.game.random(len(left), "recycle", seat)))
    return tuple(found)


def status(
    duel: Duel,
    event: str,
    refs: Iterable[Ref],
    player: Seat,
    source: Ref | None = None,
    **facts: Any,
) -> Done:
    """Change a status of permanents: "ready", "exhaust", "stun", "buff", "heal" …"""
    there = [ref for ref in refs if _on_board(duel, ref)]
    clause = CLAUSES.get(event, "")
    return (
        yield from act(duel, event, there, player=player, source=source, clause=clause, **facts)
    )


CLAUSES = {
    "ready": "415",
    "exhaust": "414",
    "stun": "423",
    "buff": "432",
    "heal": "418",
}


def _on_board(duel: Duel, ref: Ref, kind: str = "") -> bool:
    value = duel.game.store.values.get(ref)
    if not isinstance(value, Permanent) or not duel.is_there(ref):
        return False
    return not kind or value.type == kind
