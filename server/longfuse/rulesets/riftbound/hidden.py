"""Hidden cards and facedown zones: hiding, playing from there, losing them (107.3, 421, 811).

Owns when and where a card may be hidden, what it costs, what a card played from facedown may
choose, and what becomes of it when control of its battlefield is lost.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from longfuse.abilities.ability import Choice
from longfuse.abilities.nodes import Selector, This
from longfuse.abilities.scope import Scope
from longfuse.game.game import TakenBack
from longfuse.game.questions import Option, Question, Steps
from longfuse.game.state import ChainItem
from longfuse.rulesets.riftbound import actions, asking, costs, entering, looking, offers, play
from longfuse.rulesets.riftbound.state import HIDDEN_AT, Permanent
from longfuse.timing.references import NOBODY, Ref, Seat

if TYPE_CHECKING:
    from longfuse.rulesets.riftbound.duel import Duel

ROOM = 1
"""107.3.b: how many cards a facedown zone holds, unless something says more."""

# ---------------------------------------------------------------- what is offered


def options(duel: Duel, seat: Seat, kind: str) -> Iterator[Option]:
    """The cards that could be hidden, and those that are, to be played."""
    board = duel.game.board
    if kind != "priority" and seat == duel.turn_player():
        for ref in (*board.zone(f"hand:{seat}"), *board.zone(f"champion:{seat}")):
            if "Hidden" in board.cards[ref.card].definition.keyword_amounts:
                yield _hide_option(duel, seat, ref)
    for ref in board.zone("facedown"):
        if asking.controller(duel, ref) == seat:
            yield _play_option(duel, seat, ref, kind)


def _hide_option(duel: Duel, seat: Seat, ref: Ref) -> Option:
    reason = ""
    if not room(duel, seat):
        reason = "location: you control no battlefield with room for a facedown card (811.1.b)"
    elif not costs.can_pay(duel, seat, price(duel, seat, ref)):
        reason = "cost: hiding it costs 1 Power of any domain (811.1.b)"
    name = duel.card_name(ref)
    return Option(
        label=f"Hide {name}", value=offers.Hide(ref), legal=not reason, reason=reason, refs=(ref,)
    )


def _play_option(duel: Duel, seat: Seat, ref: Ref, kind: str) -> Option:
    definition = duel.game.board.card(ref).definition
    if duel.permanent(ref).entered >= duel.game.now.turn:
        reason = "timing: it was hidden this turn (811.1.b)"
    else:
        reason = offers.why_not(duel, seat, ref, definition, kind, "hidden")
    return Option(
        label=f"Play {definition.name} (hidden)",
        value=offers.Play(ref, "hidden"),
        legal=not reason,
        reason=reason,
        refs=(ref,),
    )


def room(duel: Duel, seat: Seat) -> list[str]:
    """The battlefields that a player controls and that have room for another facedown card."""
    zone = duel.game.board.zone("facedown")
    found = []
    for field in duel.battlefields():
        if field.controller == seat:
            taken = sum(duel.permanent(ref).place == field.place for ref in zone)
            if taken < ROOM or taken < ROOM + _more_room(duel, seat, field.ref, field.place):
                found.append(field.place)
    return found


def _more_room(duel: Duel, seat: Seat, field: Ref, place: str) -> int:
    return sum(
        change.word == "hide here" and looking.source_place(duel, scope) == place
        for _, change, scope in asking.answers(duel, "may", field, seat)
    )


def price(duel: Duel, seat: Seat, ref: Ref) -> costs.Price:
    """811.1.b: 1 Power of any domain, unless an effect says that hiding costs nothing."""
    if asking.permitted(duel, "hide ignoring costs", seat, ref):
        return costs.Price()
    return costs.Price(0, ("any",))


# ---------------------------------------------------------------- hiding


def hide(duel: Duel, seat: Seat, ref: Ref) -> Steps[None]:
    """421: put a card facedown at a battlefield; it is no play and opens no chain (811.1.c)."""
    places = room(duel, seat)
    if not places:
        raise TakenBack
    name = duel.card_name(ref)
    question = Question(
        id=0,
        seat=seat,
        shape="one",
        kind="target",
        text=f"Where do you hide {name}?",
        items=tuple(entering.place_option(duel, place) for place in places),
        source=name,
        clause="811.1.b",
        default=0,
    )
    place = str((yield from duel.game.ask(question)))
    due = price(duel, seat, ref)
    if not (yield from costs.ask_payment(duel, seat, due, f"hiding {name}", name)):
        raise TakenBack
    now = duel.game.move_card(ref.card, "facedown", place=place, controller=seat, facedown=True)
    duel.game.play_stands()
    yield from duel.game.announce(
        duel.game.happened(
            "hidden",
            subjects=(now,),
            player=seat,
            facts={"place": place},
            secret=(seat,),
            clause="421",
        )
    )


def play_hidden(duel: Duel, seat: Seat, ref: Ref) -> Steps[None]:
    """811.1.b, 811.1.d: its base cost is ignored; a permanent enters where it was hidden."""
    place = duel.permanent(ref).place
    facts = {"free": "all", HIDDEN_AT: place}
    if duel.game.board.card(ref).definition.type != "spell":
        facts["place"] = place
    yield from play.play_card(duel, seat, ref, **facts)


def remove_lost(duel: Duel) -> Steps[None]:
    """323.7: hidden cards at battlefields that their controllers do not control go to the trash."""
    zone = duel.game.board.zone("facedown")
    if not zone:
        return
    lost = [ref for ref in zone if not _is_held(duel, duel.permanent(ref))]
    if not lost:
        return
    yield from actions.send(duel, lost, "trash", player=NOBODY, clause="323.7")
    shown = [
        duel.game.happened(
            "revealed",
            subjects=(Ref(ref.card, duel.game.board.place(ref.card).residency),),
            player=duel.owner_of(ref),
            clause="421.4",
        )
        for ref in lost
    ]
    yield from duel.game.announce(*shown)


def _is_held(duel: Duel, value: Permanent) -> bool:
    field = duel.battlefield(value.place)
    return field is not None and field.controller == asking.controller(duel, value.ref)


# ---------------------------------------------------------------- what it may choose


def place_of(duel: Duel, scope: Scope) -> str:
    """The battlefield to which the choices of an ability are bound, because it is of a card that is
    played from facedown, or the play effect of one; "" if they are free."""
    if scope.item:
        item: ChainItem | None = duel.game.store.get(("item", scope.item))
        if item is not None and item.card is not None:
            return str(dict(item.facts).get(HIDDEN_AT, ""))
    message = scope.message
    if message is not None and message.event == "card played":
        if message.subjects[:1] == (scope.source.object,):
            return str(message.fact(HIDDEN_AT, ""))
        return ""
    return str(scope.names.get(HIDDEN_AT, ""))


def narrowed(duel: Duel, choice: Choice, scope: Scope, found: tuple[Ref, ...]) -> tuple[Ref, ...]:
    """811.1.d.2: only what is at that battlefield, unless the words make that impossible."""
    at = place_of(duel, scope)
    if not at or choice.selector is None or _is_elsewhere(choice.selector):
        return found
    return tuple(ref for ref in found if looking.place_of_object(duel, ref) == at)


def _is_elsewhere(selector: Selector) -> bool:
    """Whether nothing at the source's own battlefield could ever match."""
    if selector.zone != "board" or selector.place in ("base", "elsewhere"):
        return True
    if selector.place == "other" and isinstance(selector.place_of, This):
        return True
    return all(kind in ("rune", "legend") for kind in selector.kinds)


def unit_place(duel: Duel, scope: Scope, kind: str) -> str:
    """811.1.d.3: where a unit must be played that a card played from facedown brings along."""
    return place_of(duel, scope) if kind == "unit" else ""


def shown(duel: Duel, place: str) -> list[Seat]:
    """What everybody sees of a battlefield's facedown zone: whose cards are there."""
    zone = duel.game.board.zone("facedown")
    here = [ref for ref in zone if duel.permanent(ref).place == place]
    return [asking.controller(duel, ref) for ref in here]
