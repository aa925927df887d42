"""Choosing: the choices of programs, and what of them is still legal later (355, 359.3.e).

Owns which objects, players, places, numbers, words and modes may be chosen, asking for them, and
dropping targets that are no longer legal. What a choice costs (Deflect) is in `extras.py`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from longfuse.abilities.ability import Choice, Modes, Program
from longfuse.abilities.evaluate import amount, matches, players, select
from longfuse.abilities.nodes import Selector
from longfuse.abilities.scope import Scope
from longfuse.game.choosing import (
    how_many,
    number_question,
    objects_question,
    player_question,
    word_question,
)
from longfuse.game.questions import Option, Question, Steps, default_some, shape_of_one
from longfuse.game.state import ChainItem
from longfuse.rulesets.riftbound import asking, battlefields, entering, extras, hidden, possible
from longfuse.timing.references import Ref, Seat

if TYPE_CHECKING:
    from longfuse.rulesets.riftbound.duel import Duel

HIDDEN_ZONES = ("hand", "deck", "top of deck", "facedown", "any")


def asked(question: Question, clause: str) -> Question:
    """The question under the clause that has it asked."""
    return msgspec.structs.replace(question, clause=clause)


def choose_all(duel: Duel, program: Program, scope: Scope) -> Steps[bool]:
    """355: ask every choice of a program in order; False if one that must be made can't be."""
    for choice in program.choices:
        if not (yield from choose(duel, choice, scope)):
            return False
    for node in program.body:
        if isinstance(node, Modes):
            yield from _choose_modes(duel, node, scope)
    return True


def candidates(duel: Duel, choice: Choice, scope: Scope) -> tuple[Ref, ...]:
    """What may be chosen: what matches, is not named before where it must differ, and may be."""
    assert choice.selector is not None
    earlier = [ref for name in choice.different for ref in scope.names.get(name, ())]
    found = []
    own = chain_card(duel, scope)
    for ref in select(choice.selector, scope):
        if ref in earlier or (ref == own and choice.selector.zone == "chain"):
            continue
        record = asking.forbidden(duel, "be chosen", scope.controller, ref)
        if record is None:
            found.append(ref)
    return hidden.narrowed(duel, choice, scope, tuple(found))


def chain_card(duel: Duel, scope: Scope) -> Ref | None:
    """The card on the chain that is choosing: it can't choose itself (355.9.c)."""
    item: ChainItem | None = duel.game.store.get(("item", scope.item))
    return item.object if item is not None else None


def choose(duel: Duel, choice: Choice, scope: Scope) -> Steps[bool]:
    """Ask one choice and name the answer."""
    seats = players(choice.who, scope)
    if not seats and choice.who is None:
        seats = (duel.turn_player(),)
    if not seats:
        return False
    seat = seats[0]
    match choice.of:
        case "object":
            return (yield from _choose_objects(duel, choice, scope, seat))
        case "player":
            return (yield from _choose_player(duel, choice, scope, seat))
        case "place":
            return (yield from _choose_place(duel, choice, scope, seat))
        case "number":
            return (yield from _choose_number(duel, choice, scope, seat))
    return (yield from _choose_word(duel, choice, scope, seat))


def _at_one_place(
    duel: Duel, refs: tuple[Ref, ...], scope: Scope, seat: Seat
) -> Steps[tuple[Ref, ...]]:
    """ "Any number of units at a battlefield": they are all at one place, which is asked first."""
    places = tuple(dict.fromkeys(duel.game.place_of(ref) for ref in refs))
    if len(places) < 2:
        return refs
    question = Question(
        id=0,
        seat=seat,
        shape="one",
        kind="target",
        text=f"{scope.source.card}: at which place?",
        items=tuple(entering.place_option(duel, place) for place in places),
        source=scope.source.card,
        clause="355.5",
        default=0,
    )
    place = yield from duel.game.ask(question)
    return tuple(ref for ref in refs if duel.game.place_of(ref) == place)


def _choose_objects(duel: Duel, choice: Choice, scope: Scope, seat: Seat) -> Steps[bool]:
    refs = candidates(duel, choice, scope)
    if choice.selector is not None and "together" in choice.selector.states:
        refs = yield from _at_one_place(duel, refs, scope, seat)
    options = tuple(_option(duel, ref, scope) for ref in refs)
    able = sum(option.legal for option in options)
    most = min(amount(choice.most, scope), able)
    if most < 0 or able < choice.least:
        # What must be chosen must exist; on resolution as much as can be is (359.3.e.11).
        scope.names[choice.name] = ()
        return False
    selector = choice.selector
    assert selector is not None
    if not able:
        scope.names[choice.name] = ()
        return True
    public = selector.zone not in HIDDEN_ZONES
    question = asked(objects_question(choice, scope, seat, options, most, public), "355.5")
    answer = yield from duel.game.ask(question)
    scope.names[choice.name] = (answer,) if question.shape == "one" else tuple(answer)
    return True


def _option(duel: Duel, ref: Ref, scope: Scope) -> Option:
    reason = extras.too_dear(duel, ref, scope)
    return Option(
        label=duel.card_name(ref), value=ref, refs=(ref,), legal=not reason, reason=reason
    )


def _choose_player(duel: Duel, choice: Choice, scope: Scope, seat: Seat) -> Steps[bool]:
    names = [(one, duel.player(one).name) for one in duel.seats()]
    question = asked(player_question(scope, seat, names), "355.5")
    scope.names[choice.name] = yield from duel.game.ask(question)
    return True


def _choose_place(duel: Duel, choice: Choice, scope: Scope, seat: Seat) -> Steps[bool]:
    """355.4: the destination of a move, one other than where the unit is."""
    places = entering.places_for(duel, choice, scope)
    if not places:
        scope.names[choice.name] = ()
        return choice.least == 0
    question = Question(
        id=0,
        seat=seat,
        shape="one",
        kind="target",
        text=f"{scope.source.card}: choose where to.",
        items=tuple(entering.place_option(duel, place) for place in places),
        source=scope.source.card,
        clause="355.4",
        default=0,
    )
    scope.names[choice.name] = yield from duel.game.ask(question)
    return True


def _choose_number(duel: Duel, choice: Choice, scope: Scope, seat: Seat) -> Steps[bool]:
    scope.names[choice.name] = yield from duel.game.ask(number_question(choice, scope, seat))
    return True


def _choose_word(duel: Duel, choice: Choice, scope: Scope, seat: Seat) -> Steps[bool]:
    scope.names[choice.name] = yield from duel.game.ask(word_question(choice, scope, seat))
    return True


def _choose_modes(duel: Duel, node: Modes, scope: Scope) -> Steps[None]:
    """355.3: modes are chosen with the other choices; a mode without targets can't be chosen."""
    options = tuple(
        Option(
            label=label,
            value=number,
            legal=possible.choices_possible(duel, program, scope),
            reason="there is nothing it could choose (355.8)",
        )
        for number, (label, program) in enumerate(node.options)
    )
    if not any(option.legal for option in options):
        scope.names["modes"] = ()
        return
    single = shape_of_one(node.most, node.least)
    question = Question(
        id=0,
        seat=battlefields.responsible(duel, scope.controller),
        shape=single,
        kind="mode",
        text=f"{scope.source.card}: choose {how_many(node.least, node.most)}.",
        items=options,
        least=node.least,
        most=min(node.most, len(options)),
        source=scope.source.card,
        clause="355.3",
        default=next(n for n, o in enumerate(options) if o.legal)
        if single == "one"
        else default_some(options, node.least),
    )
    answer = yield from duel.game.ask(question)
    scope.names["modes"] = (answer,) if single == "one" else tuple(sorted(answer))
    for number in scope.names["modes"]:
        for choice in node.options[number][1].choices:
            yield from choose(duel, choice, scope)


def pick_modes(duel: Duel, node: Modes, scope: Scope) -> Steps[tuple[Program, ...]]:
    """The modes chosen when the item was finalized; asked now where there was no such moment."""
    if "modes" not in scope.names:
        yield from _choose_modes(duel, node, scope)
    return tuple(node.options[number][1] for number in scope.names["modes"])


def drop_illegal_targets(duel: Duel, program: Program, scope: Scope) -> None:
    """359.3.e.2: targets that are other objects now, or no longer match, are not affected."""
    programs = [program]
    for node in program.body:
        if isinstance(node, Modes):
            programs += [node.options[number][1] for number in scope.names.get("modes", ())]
    for choice in (choice for one in programs for choice in one.choices):
        value = scope.names.get(choice.name)
        if choice.of != "object" or not isinstance(value, tuple) or choice.selector is None:
            continue
        scope.names[choice.name] = tuple(
            ref
            for ref in value
            if duel.is_there(ref)
            and _in_zone(duel, choice.selector, ref)
            and matches(choice.selector, ref, scope)
        )


def _in_zone(duel: Duel, selector: Selector, ref: Ref) -> bool:
    zone = duel.game.zone_word(ref)
    wanted = {"top of deck": "deck", "rune deck": "runes"}.get(selector.zone, selector.zone)
    return zone == wanted
