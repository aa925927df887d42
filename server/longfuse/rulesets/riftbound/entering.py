"""Entering: where permanents may be played, and how they come onto the board.

Owns places as choices and the moment in which a unit or gear enters (359.2). Entering is a
proposal: "enters ready" and the like replace it (369.3).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from longfuse.abilities.ability import Choice
from longfuse.abilities.evaluate import holds, matches, objects
from longfuse.abilities.nodes import Objects, Selector, This, When
from longfuse.abilities.scope import Scope
from longfuse.game.questions import Option, Question, Steps
from longfuse.game.state import ChainItem
from longfuse.rulesets.riftbound import asking, chain, looking
from longfuse.rulesets.riftbound.definition import Definition
from longfuse.rulesets.riftbound.state import HIDDEN_AT, base, is_battlefield
from longfuse.timing.messages import Proposed
from longfuse.timing.records import Source
from longfuse.timing.references import Ref, Seat

if TYPE_CHECKING:
    from longfuse.rulesets.riftbound.duel import Duel


def place_name(duel: Duel, place: str) -> str:
    """A place in words."""
    field = duel.battlefield(place)
    if field is not None:
        return duel.card_name(field.ref)
    if place.startswith("base:"):
        return f"{duel.player(int(place[5:])).name}'s base"
    return place


def place_option(duel: Duel, place: str) -> Option:
    """A place as an item of a prompt."""
    field = duel.battlefield(place)
    refs = (field.ref,) if field is not None else ()
    return Option(label=place_name(duel, place), value=place, refs=refs)


# ---------------------------------------------------------------- where a permanent may be played


def places_to_play(duel: Duel, seat: Seat, ref: Ref, definition: Definition) -> list[str]:
    """355.2.a: a unit to the own base or a battlefield that its player controls; gear to the
    base."""
    if definition.type != "unit":
        return [base(seat)]
    fields = [field.place for field in duel.battlefields()]
    return [
        base(seat),
        *(place for place in fields if _may_play_to(duel, seat, ref, definition, place)),
    ]


def _may_play_to(duel: Duel, seat: Seat, ref: Ref, definition: Definition, place: str) -> bool:
    field = duel.battlefield(place)
    assert field is not None
    if field.controller == seat:
        return True
    if "Ambush" in definition.keyword_amounts and _has_units(duel, seat, place):
        return True
    if asking.permitted(duel, "play to", seat, field.ref):
        return True
    if _own_words_allow(duel, seat, ref, definition, field.ref):
        return True
    for _, change, scope in asking.answers(duel, "may", ref, seat):
        if change.word == "play here" and looking.source_place(duel, scope) == place:
            return True
    return False


def _own_words_allow(duel: Duel, seat: Seat, ref: Ref, definition: Definition, field: Ref) -> bool:
    """ "You may play me to an open battlefield" (355.2.b)."""
    scope = Scope(duel, seat, Source(ref, definition.name, seat, "chain"))
    for ability in definition.abilities:
        for change in ability.changes:
            if change.word == "play this to" and _is_among(change.of, field, scope):
                return ability.condition is None or holds(ability.condition, scope)
    return False


def _is_among(places: Objects | Selector | None, field: Ref, scope: Scope) -> bool:
    if isinstance(places, Selector):
        return matches(places, field, scope)
    return field in objects(places, scope)


def _has_units(duel: Duel, seat: Seat, place: str) -> bool:
    """822: Ambush: a battlefield where its player controls units."""
    return any(asking.controller(duel, unit) == seat for unit in looking.units_at(duel, place))


def ambush_places(duel: Duel, seat: Seat) -> list[str]:
    """The battlefields where Ambush may be played as a Reaction."""
    return [field.place for field in duel.battlefields() if _has_units(duel, seat, field.place)]


def choose_place(duel: Duel, item: ChainItem, definition: Definition) -> Steps[str | None]:
    """355.2: the place where a permanent will enter; None if there is none."""
    assert item.card is not None
    facts = dict(item.facts)
    if facts.get("place"):
        return str(facts["place"])
    places = places_to_play(duel, item.controller, item.card, definition)
    if facts.get("ambush"):
        places = ambush_places(duel, item.controller)
    if not places:
        return None
    question = Question(
        id=0,
        seat=item.controller,
        shape="one",
        kind="target",
        text=f"Where do you play {definition.name}?",
        items=tuple(place_option(duel, place) for place in places),
        source=definition.name,
        clause="355.2",
        default=0,
    )
    return str((yield from duel.game.ask(question)))


def places_for(duel: Duel, choice: Choice, scope: Scope) -> list[str]:
    """The destinations that a move may be given."""
    selector = choice.selector
    places = [field.place for field in duel.battlefields()]
    if selector is None:
        return [base(scope.controller), *places]
    may_be_base = "base" in selector.kinds or selector.kinds == ("card",)
    if may_be_base and selector.place not in ("battlefield", "open battlefield"):
        places = [base(scope.controller), *places]
    return [place for place in places if _place_fits(duel, place, choice, scope)]


def _place_fits(duel: Duel, place: str, choice: Choice, scope: Scope) -> bool:
    selector = choice.selector
    assert selector is not None
    if is_battlefield(place):
        field = duel.battlefield(place)
        assert field is not None
        if selector.control == "friendly" and field.controller != scope.controller:
            return False
        if selector.control == "enemy" and field.controller != duel.opponent(scope.controller):
            return False
    if selector.place and selector.place not in ("battlefield", "base"):
        field = duel.battlefield(place)
        if field is None or not looking.is_at(
            duel, field.ref, selector.place, scope, selector.place_of
        ):
            return False
    here = [scope.names.get(name) for name in choice.different]
    moved = [ref for value in here if isinstance(value, tuple) for ref in value]
    return all(looking.place_of_object(duel, ref) != place for ref in moved)


# ---------------------------------------------------------------- coming onto the board


def enter(duel: Duel, item: ChainItem) -> Steps[None]:
    """359.2: the permanent leaves the chain and enters the board; it has then been played."""
    assert item.card is not None
    names = dict(item.names)
    card = duel.game.board.card(item.card)
    place = names["place"]
    exhausted = card.definition.type == "unit" and not enters_ready(duel, item)
    chain.remove(duel, item)
    proposal = Proposed(
        event="enter",
        subjects=(item.card,),
        player=item.controller,
        facts={
            "card": card.id,
            "place": place,
            "exhausted": exhausted,
            "instructed": item.instructed,
        },
        clause="359.2",
    )
    happened = yield from duel.game.publish(proposal)
    entered = next((message for message in happened if message.event == "entered"), None)
    if entered is None:
        return
    ref = entered.subjects[0]
    facts = dict(item.facts)
    yield from duel.game.announce(
        duel.game.happened(
            "card played",
            subjects=(ref,),
            player=item.controller,
            facts={name: facts[name] for name in _TOLD if name in facts} | _paid(item),
            clause="419",
        )
    )


_TOLD = ("energy", "power", "from", HIDDEN_AT)
"""What is known of how a permanent was played by whatever waits for that."""


def _paid(item: ChainItem) -> dict[str, Any]:
    """Which additional costs were paid, and what they named, for "if you paid …"."""
    if not item.paid:
        return {}
    named = tuple((name, value) for name, value in item.names if name[:1] == "c")
    return {"paid": item.paid, "paid names": named}


def enters_ready(duel: Duel, item: ChainItem) -> bool:
    """805.6, 369.3: Accelerate was paid, or its own words or an effect say that it enters ready."""
    assert item.card is not None
    if "Accelerate" in item.paid:
        return True
    if any(True for _ in asking.answers(duel, "enters ready", item.card, item.controller)):
        return True
    scope = chain.scope_of(duel, item)
    for ability in duel.game.board.card(item.card).definition.abilities:
        if ability.kind != "replacement" or not isinstance(ability.when, When):
            continue
        if ability.when.event != "enter" or not isinstance(ability.when.subject, This):
            continue
        if ability.rewrite is None or ("exhausted", False) not in ability.rewrite.facts:
            continue
        if ability.condition is None or holds(ability.condition, scope):
            return True
    return False
