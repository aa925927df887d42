"""Advice: how good each answer to a prompt looks, for a computer player.

Owns the ratings, from the prompt and the view of the seat that is asked, and from what every player
can know of the cards. It never looks at a game; it is no part of the rules.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from longfuse.abilities.ability import Modes
from longfuse.abilities.watching import walk
from longfuse.rulesets.riftbound import advice_actions as actions
from longfuse.rulesets.riftbound import advice_combat as combat
from longfuse.rulesets.riftbound import entry
from longfuse.rulesets.riftbound.advice_cards import (
    Known,
    known,
    known_shipped,
    programs_with_choices,
)
from longfuse.rulesets.riftbound.advice_effects import Imagined, Names, settle
from longfuse.rulesets.riftbound.advice_plans import best_move
from longfuse.rulesets.riftbound.advice_table import Held, Piece, Table, held, read
from longfuse.rulesets.riftbound.advice_waiting import put_waiting
from longfuse.rulesets.riftbound.state import base
from longfuse.rulesets.riftbound.text import say
from longfuse_protocol.prompts import Prompt
from longfuse_protocol.views import View

Ratings = list[float]
MOVE_FIRST = 1.0
DEAR = 5
"""Cards that cost this much are traded for others before the game."""
LEAST_PLAY = 0.2


class Advice:
    """What a sensible player of this game would think of its prompts."""

    def __init__(self) -> None:
        entry.definitions()

    def value(self, view: View, seat: int) -> float:
        """What a position is worth to a seat, in units of Might."""
        return combat.value(_table(view, seat))

    def rate(self, prompt: Prompt, view: View) -> Sequence[float]:
        """A rating per item, above 0 worth choosing; of a number, each from the least on.

        Empty where the prompt's default is as good as anything.
        """
        asked = _RATERS.get(prompt.kind)
        if asked is None or not prompt.items:
            return ()
        ratings: Ratings = asked(prompt, view, _table(view, prompt.seat))
        return ratings


def _table(view: View, seat: int) -> Table:
    table = read(view, seat)
    put_waiting(table, view.entities, lambda name: _find(view, name))
    return table


def _find(view: View, name: str) -> Known | None:
    """A card by its name: one that ships, or one in sight."""
    found = known_shipped(name)
    if found is not None:
        return found
    for entity in view.entities.values():
        if entity.get("card") == name and "type" in entity:
            return known(entity)
    return None


def _resolved(view: View, table: Table) -> Table:
    """The table after what is finalized on the chain has resolved, top first."""
    now = table
    for link in reversed(table.chain):
        if not link.finalized:
            continue
        source = link.known or _find(view, link.source)
        if source is None:
            continue
        program = source.definition.program
        if link.kind == "ability":
            could = [one.program for one in source.abilities if len(one.program.body) > 0]
            if len(could) != 1:
                continue
            program = could[0]
        names: Names = {
            choice.name: (key,) for choice, key in zip(program.choices, link.targets, strict=False)
        }
        imagined = actions.imagine(now, program, link.key or "", names, mine=link.mine)
        settle(imagined)
        now = imagined.table
        now.energy = table.energy
    return now


# ---------------------------------------------------------------- actions


def _actions(prompt: Prompt, view: View, table: Table) -> Ratings:
    now = _resolved(view, table)
    before = actions.standing(now)
    ratings = []
    for item in prompt.items:
        if not item.legal:
            ratings.append(-99.0)
        elif item.label == "Move units":
            move = best_move(table)
            ratings.append(move.gain + MOVE_FIRST if move is not None else -1.0)
        elif item.label.startswith("Play ") and item.about:
            key = item.about[0]
            card = held(key, view.entities[key])
            free = item.label.endswith(")")
            ratings.append(_play(now, card, before, main=table.phase == "main", free=free))
        elif item.label.startswith("Use ") and item.about and item.about[0] in now.pieces:
            ratings.append(_use(now, now.pieces[item.about[0]], item.label, before))
        elif item.label.startswith("Hide "):
            ratings.append(0.1 if len(table.power) and table.energy == 0 else -0.5)
        else:
            ratings.append(0.0)
    return ratings


def _play(table: Table, card: Held, before: float, *, main: bool, free: bool) -> float:
    gain = actions.play_gain(table, card, before, free=free)
    if gain.value < LEAST_PLAY:
        return gain.value - LEAST_PLAY
    setup = main and actions.is_setup(gain)
    return gain.value + (actions.SETUP if setup else 0.0)


def _use(table: Table, piece: Piece, label: str, before: float) -> float:
    words = label.partition(": ")[2]
    for ability in piece.known.definition.activated:
        if (ability.text or say(ability)) == words:
            gain = actions.use_gain(table, piece, ability, before)
            return gain.value - LEAST_PLAY + (actions.SETUP if gain.value > LEAST_PLAY else 0.0)
    return -0.5


# ---------------------------------------------------------------- targets and places


def _targets(prompt: Prompt, view: View, table: Table) -> Ratings:
    if prompt.text == "Which units move?":
        move = best_move(table)
        units = move.units if move is not None else ()
        return [1.0 if set(item.about) & set(units) else -1.0 for item in prompt.items]
    if prompt.text == "Where do they move?":
        move = best_move(table)
        return [_same_place(table, item.about, move.place if move else "") for item in prompt.items]
    if prompt.text.startswith(("Where do you play ", "Where do you hide ")):
        return [_place_to_play(table, item.about) for item in prompt.items]
    source = _find(view, prompt.source)
    asked = (
        actions.matching_choice(list(programs_with_choices(source)), prompt.text)
        if source is not None
        else None
    )
    keys = [item.about[0] if item.about else "" for item in prompt.items]
    if asked is None:
        return [0.0] * len(keys)
    program, choice = asked
    own = next((key for key, piece in table.pieces.items() if piece.name == prompt.source), "")
    gains = actions.target_gains(_resolved(view, table), program, choice, own, keys)
    return [gain if prompt.items[n].legal else -99.0 for n, gain in enumerate(gains)]


def _same_place(table: Table, about: tuple[str, ...], place: str) -> float:
    there = table.field_keys.get(about[0], "") if about else base(table.seat)
    return 1.0 if there == place else 0.0


def _place_to_play(table: Table, about: tuple[str, ...]) -> float:
    """A battlefield that is held gets stronger; a base keeps every way open."""
    if not about:
        return 0.5
    place = table.field_keys.get(about[0], "")
    mine = sum(piece.might for piece in table.units_at(place, mine=True))
    theirs = sum(
        piece.might for piece in table.pieces.values() if not piece.mine and piece.kind == "unit"
    )
    return 1.0 if place == table.combat or mine < theirs else 0.2


# ---------------------------------------------------------------- cards, modes, yes and no


def _cards(prompt: Prompt, view: View, table: Table) -> Ratings:
    """Give away what is worth least, take what is worth most."""
    gives = any(word in prompt.text for word in ("discard", "recycle", "banish"))
    ratings = []
    for item in prompt.items:
        entity = view.entities.get(item.about[0]) if item.about else None
        worth = known(entity).worth if entity is not None else 1.0
        if gives and entity is not None and int(str(entity["energy"])) > table.energy + 2:
            worth -= 2.0
        ratings.append(-worth if gives else worth)
    return ratings


def _mulligan(prompt: Prompt, view: View, _table: Table) -> Ratings:
    costs = [view.entities[item.about[0]]["energy"] for item in prompt.items]
    return [float(str(cost)) - DEAR + 0.5 for cost in costs]


def _modes(prompt: Prompt, view: View, table: Table) -> Ratings:
    source = _find(view, prompt.source)
    if source is None:
        return []
    programs = {
        label: program
        for ability in source.definition.abilities
        for node in walk(ability)
        if isinstance(node, Modes)
        for label, program in node.options
    }
    before = actions.standing(table)
    ratings = []
    for item in prompt.items:
        program = programs.get(item.label)
        if program is None:
            ratings.append(0.0)
            continue
        names = actions.best_choices(table, program, "")
        imagined = actions.imagine(table, program, "", names, mine=True)
        ratings.append(actions.worth(imagined).value - before)
    return ratings


def _yes(prompt: Prompt, view: View, table: Table) -> Ratings:
    if [item.label for item in prompt.items] != ["yes", "no"]:
        return [-float(index) for index in range(len(prompt.items))]
    wanted = 1.0
    if "Accelerate" in prompt.text:
        wanted = _hurry(table, _find(view, prompt.source))
    return [wanted, 0.0]


def _hurry(table: Table, card: Known | None) -> float:
    """Whether a unit that entered ready could do something with it."""
    if card is None or not table.my_turn:
        return -1.0
    before = actions.standing(table)
    after = Imagined(table.copy(), True)
    unit = Piece("?", card, mine=True, place=base(table.seat))
    unit.exhausted = False
    after.table.pieces["?"] = unit
    return actions.worth(after).value - before - unit.worth - 0.8


def _assign(prompt: Prompt, _view: View, table: Table) -> Ratings:
    """The order that kills most."""
    here = [table.pieces[item.about[0]] for item in prompt.items]
    total = sum(
        piece.might + (piece.assault if table.attacking else piece.shield)
        for piece in table.units_at(table.combat, mine=True)
        if not piece.stunned
    )
    for piece in here:
        piece.might += piece.shield if table.attacking else piece.assault
    best = max(
        combat.orders(here), key=lambda order: _harm(combat.strike(table, total, here, order))
    )
    return [-float(best.index(piece)) for piece in here]


def _harm(side: combat.Side) -> float:
    return side.worth + side.bonus


def _first(prompt: Prompt, _view: View, table: Table) -> Ratings:
    pieces = [table.pieces.get(item.about[0]) if item.about else None for item in prompt.items]
    return [piece.worth if piece is not None else 0.0 for piece in pieces]


_RATERS: Mapping[str, Callable[[Prompt, View, Table], Any]] = {
    "priority": _actions,
    "focus": _actions,
    "target": _targets,
    "card": _cards,
    "mulligan": _mulligan,
    "mode": _modes,
    "may": _yes,
    "pay": _yes,
    "assign": _assign,
    "first": _first,
}
