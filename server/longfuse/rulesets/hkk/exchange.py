"""The exchange: creatures change between reserve and guard post (a house rule as to how).

Owns who may move and the two questions of a move. Each creature moves once in an exchange; a
passive one cannot stand in the guard post.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from longfuse.game.parts import forbidden_by
from longfuse.game.questions import Option, Question, Steps, default_some, refusable
from longfuse.rulesets.hkk import acting, asking, looking
from longfuse.rulesets.hkk.state import word_of
from longfuse.timing.references import Ref, Seat

if TYPE_CHECKING:
    from longfuse.rulesets.hkk.duel import Duel


def movers(duel: Duel, seat: Seat) -> tuple[Ref, ...]:
    """The creatures that may still change places."""
    creatures = looking.creatures_of(duel, seat)
    return tuple(ref for ref in creatures if not _why_not(duel, seat, ref))


def _why_not(duel: Duel, seat: Seat, ref: Ref) -> str:
    """Why a creature can't change places now; "" if it can."""
    if duel.game.store.get(("exchanged", ref)):
        return "state: it has changed places this turn"
    value = duel.game.store.values[ref]
    if word_of(value.place) == "guard":
        return ""
    if value.passive:
        return "state: it is passive"
    record = asking.forbidden(duel, "guard", None, ref)
    return forbidden_by(duel.game, record, seat) if record is not None else ""


def move(duel: Duel, seat: Seat, refs: tuple[Ref, ...]) -> Steps[None]:
    """Which creatures move, and where to."""
    items = tuple(
        refusable(duel.card_name(ref), ref, _why_not(duel, seat, ref))
        for ref in looking.creatures_of(duel, seat)
    )
    question = Question(
        id=0,
        seat=seat,
        shape="some",
        kind="target",
        text="Which creatures move?",
        items=items,
        least=1,
        most=len(refs),
        default=default_some(items, 1),
    )
    chosen = yield from duel.game.ask(question)
    word = yield from _where(duel, seat, chosen)
    moving = [ref for ref in chosen if word_of(duel.game.place_of(ref)) != word]
    for ref in moving:
        duel.game.note_this_turn(("exchanged", ref))
    yield from acting.about(duel, "move", moving, facts={"to": word})


def _where(duel: Duel, seat: Seat, chosen: tuple[Ref, ...]) -> Steps[str]:
    places = {word_of(duel.game.place_of(ref)) for ref in chosen}
    question = Question(
        id=0,
        seat=seat,
        shape="one",
        kind="target",
        text="Where do they go?",
        items=tuple(
            Option(
                label=label,
                value=word,
                legal=places != {word},
                reason="location: they are there already",
            )
            for word, label in (("guard", "guard post"), ("reserve", "reserve"))
        ),
        default=0 if places != {"guard"} else 1,
    )
    word: str = yield from duel.game.ask(question)
    return word
