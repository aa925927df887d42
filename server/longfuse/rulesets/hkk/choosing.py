"""Choosing: the choices of programs, whether they could be made, and what of them still counts.

Owns which objects, players, numbers, words and modes may be chosen, and asking for them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from longfuse.abilities.ability import Choice, Modes, Program
from longfuse.abilities.evaluate import amount, matches, players, select
from longfuse.abilities.scope import Scope, Unresolved
from longfuse.game.choosing import (
    how_many,
    number_question,
    objects_question,
    player_question,
    word_question,
)
from longfuse.game.questions import Option, Question, Steps, default_some, shape_of_one
from longfuse.rulesets.hkk import asking
from longfuse.timing.references import NOBODY, Ref, Seat

if TYPE_CHECKING:
    from longfuse.rulesets.hkk.duel import Duel

HIDDEN_ZONES = ("hand", "deck", "top of deck", "any")


def choose_all(duel: Duel, program: Program, scope: Scope) -> Steps[bool]:
    """Ask every choice of a program in order; False if one that must be made can't be."""
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
    own = _own_item(duel, scope)
    return tuple(
        ref
        for ref in select(choice.selector, scope)
        if ref not in earlier and ref != own and not _is_out_of_reach(duel, ref, scope)
    )


def _own_item(duel: Duel, scope: Scope) -> Ref | None:
    item = duel.game.store.get(("item", scope.item))
    return item.object if item is not None else None


def _is_out_of_reach(duel: Duel, ref: Ref, scope: Scope) -> bool:
    if duel.controller_of(ref) == scope.controller:
        return False
    return asking.forbidden(duel, "be chosen", None, ref) is not None


def choose(duel: Duel, choice: Choice, scope: Scope) -> Steps[bool]:
    """Ask one choice and name the answer; False if there was nothing to choose."""
    seats = players(choice.who, scope)
    if not seats:
        return False
    seat = seats[0]
    match choice.of:
        case "object":
            return (yield from _choose_objects(duel, choice, scope, seat))
        case "player":
            names = [(one, duel.player(one).name) for one in duel.seats()]
            question = player_question(scope, seat, names)
        case "number":
            question = number_question(choice, scope, seat)
        case "word":
            question = word_question(choice, scope, seat)
        case _:
            raise Unresolved(f"nothing is chosen by {choice.of!r}")
    scope.names[choice.name] = yield from duel.game.ask(question)
    return True


def _choose_objects(duel: Duel, choice: Choice, scope: Scope, seat: Seat) -> Steps[bool]:
    refs = candidates(duel, choice, scope)
    most = min(amount(choice.most, scope), len(refs))
    scope.names[choice.name] = ()
    if most < 0 or len(refs) < choice.least:
        return False
    if not refs or not most:
        return True
    assert choice.selector is not None
    options = [Option(label=duel.card_name(ref), value=ref, refs=(ref,)) for ref in refs]
    is_public = choice.selector.zone not in HIDDEN_ZONES
    question = objects_question(choice, scope, seat, options, most, is_public)
    answer = yield from duel.game.ask(question)
    scope.names[choice.name] = (answer,) if question.shape == "one" else tuple(answer)
    return True


def _choose_modes(duel: Duel, node: Modes, scope: Scope) -> Steps[None]:
    """Modes are chosen with the other choices; a mode without anything to choose can't be."""
    options = tuple(
        Option(
            label=label,
            value=number,
            legal=possible(duel, program, scope),
            reason="target: there is nothing it could choose",
        )
        for number, (label, program) in enumerate(node.options)
    )
    scope.names["modes"] = ()
    if not any(option.legal for option in options):
        return
    single = shape_of_one(node.most, node.least)
    seat = scope.controller if scope.controller != NOBODY else duel.turn_player()
    question = Question(
        id=0,
        seat=seat,
        shape=single,
        kind="mode",
        text=f"{scope.source.card}: choose {how_many(node.least, node.most)}.",
        items=options,
        least=node.least,
        most=min(node.most, len(options)),
        source=scope.source.card,
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
    """The modes chosen before; asked now where there was no such moment."""
    if "modes" not in scope.names:
        yield from _choose_modes(duel, node, scope)
    return tuple(node.options[number][1] for number in scope.names["modes"])


def possible(duel: Duel, program: Program, scope: Scope) -> bool:
    """Whether each choice that must be made has enough to choose from, as far as is known before
    the choices that it depends on."""
    taken: dict[str, int] = {}
    for choice in program.choices:
        if choice.of != "object" or choice.least == 0:
            continue
        try:
            found = len(candidates(duel, choice, scope))
        except Unresolved:
            continue
        if found < choice.least + sum(taken.get(name, 0) for name in choice.different):
            return False
        taken[choice.name] = choice.least
    return True


def drop_illegal(duel: Duel, program: Program, scope: Scope) -> None:
    """What was chosen and is another object now, or no longer matches, is not affected."""
    programs = [program]
    for node in program.body:
        if isinstance(node, Modes):
            programs += [node.options[number][1] for number in scope.names.get("modes", ())]
    for choice in (choice for one in programs for choice in one.choices):
        value = scope.names.get(choice.name)
        if choice.of != "object" or not isinstance(value, tuple) or choice.selector is None:
            continue
        zone = {"top of deck": "deck"}.get(choice.selector.zone, choice.selector.zone)
        scope.names[choice.name] = tuple(
            ref
            for ref in value
            if duel.is_there(ref)
            and duel.game.zone_word(ref) == zone
            and matches(choice.selector, ref, scope)
        )
