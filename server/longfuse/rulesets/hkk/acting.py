"""Acting: publishing what is done, and the state checks that come in the same instant.

Owns the ways in which rules and verbs of hkk change a game. What each change writes is in
`commits.py`. After every batch, before anything else is done, what can't stay goes: creatures
without life, enchantments on nothing.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from longfuse.game.questions import Steps
from longfuse.rulesets.hkk import asking, ending
from longfuse.timing.messages import Happened, Proposed
from longfuse.timing.references import NOBODY, Ref, Seat

if TYPE_CHECKING:
    from longfuse.rulesets.hkk.duel import Duel

CHECKS_MAX = 64


def publish(duel: Duel, proposals: Iterable[Proposed]) -> Steps[list[Happened]]:
    """Publish simultaneous proposals, then check the state."""
    batch = list(proposals)
    if not batch:
        return []
    done = yield from duel.game.publish(*batch)
    yield from check(duel)
    return done


def check(duel: Duel) -> Steps[None]:
    """127.2.1 and the like: what follows from the state follows at once, until nothing does."""
    if duel.checked_at == duel.game.version:
        return
    for _ in range(CHECKS_MAX):
        ending.check(duel)
        dying = _dying(duel)
        if not dying:
            duel.checked_at = duel.game.version
            return
        yield from duel.game.publish(*dying)
    raise RuntimeError(f"the state does not come to rest: {duel.game.now}")


def _dying(duel: Duel) -> list[Proposed]:
    values, board = duel.game.store.values, duel.game.board
    found = []
    for ref in board.zone("board"):
        value = values[ref]
        if value.type == "creature" and value.wounds >= asking.number(duel, ref, "life"):
            found.append(
                Proposed(
                    event="death",
                    subjects=(ref,),
                    player=value.controller,
                    cause=duel.game.log.latest("damage dealt", ref) if value.wounds else 0,
                    facts={"damage": value.wounds},
                )
            )
        elif value.type == "enchantment":
            on = value.attached_to
            if on is None or not board.is_there(on):
                found.append(Proposed(event="death", subjects=(ref,), player=value.controller))
    return found


def about(
    duel: Duel,
    event: str,
    refs: Iterable[Ref],
    *,
    player: Seat = NOBODY,
    source: Ref | None = None,
    amount: int = 0,
    facts: dict[str, Any] | None = None,
    clause: str = "",
) -> Steps[list[Happened]]:
    """The same event about several objects at once."""
    return (
        yield from publish(
            duel,
            [
                Proposed(
                    event=event,
                    subjects=(ref,),
                    player=player if player != NOBODY else duel.controller_of(ref),
                    source=source,
                    amount=amount,
                    facts=facts or {},
                    clause=clause,
                )
                for ref in refs
                if duel.is_there(ref)
            ],
        )
    )


def to_player(
    duel: Duel,
    event: str,
    seat: Seat,
    amount: int,
    *,
    source: Ref | None = None,
    facts: dict[str, Any] | None = None,
) -> Steps[list[Happened]]:
    """An event that happens to a player."""
    proposal = Proposed(event=event, player=seat, amount=amount, source=source, facts=facts or {})
    return (yield from publish(duel, [proposal]))


def draw(duel: Duel, seat: Seat, number: int, source: Ref | None = None) -> Steps[list[Happened]]:
    """Draw cards, one after the other."""
    done: list[Happened] = []
    for _ in range(number):
        done += yield from to_player(duel, "draw", seat, 1, source=source)
    return done
