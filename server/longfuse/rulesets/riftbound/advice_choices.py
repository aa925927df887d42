"""Advice: the smaller questions: which card, which mode, yes or no, in which order.

Owns a rating for each of them, from the prompt and a `Table`. Actions and targets are in `advice`.
"""

from __future__ import annotations

from collections.abc import Callable

from longfuse.abilities.ability import Modes
from longfuse.abilities.watching import walk
from longfuse.rulesets.riftbound import advice_actions as actions
from longfuse.rulesets.riftbound import advice_combat as combat
from longfuse.rulesets.riftbound.advice_cards import Known, known
from longfuse.rulesets.riftbound.advice_effects import Imagined
from longfuse.rulesets.riftbound.advice_table import Piece, Table
from longfuse.rulesets.riftbound.state import base
from longfuse_protocol.prompts import Prompt
from longfuse_protocol.views import View

Ratings = list[float]
Find = Callable[[str], Known | None]
"""A card in sight by its name."""
AGREES = 0.3
"""How much a "you may" may seem to lose before it is declined."""
DEAR = 5
"""Cards that cost this much are traded for others before the game."""


def cards(prompt: Prompt, view: View, table: Table) -> Ratings:
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


def mulligan(prompt: Prompt, view: View, _table: Table) -> Ratings:
    """Trade what is dear."""
    costs = [view.entities[item.about[0]]["energy"] for item in prompt.items]
    return [float(str(cost)) - DEAR + 0.5 for cost in costs]


def modes(prompt: Prompt, find: Find, table: Table) -> Ratings:
    """What each mode gains."""
    source = find(prompt.source)
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


def yes(prompt: Prompt, find: Find, table: Table) -> Ratings:
    """Yes, but for a cost that buys nothing; of ways to pay the first."""
    if [item.label for item in prompt.items] != ["yes", "no"]:
        return [-float(index) for index in range(len(prompt.items))]
    wanted = 1.0
    source = find(prompt.source)
    if "Accelerate" in prompt.text:
        wanted = _hurry(table, source)
    elif prompt.kind == "may" and source is not None:
        wanted = _gains(table, source)
    return [wanted, 0.0]


def _gains(table: Table, card: Known) -> float:
    """What agreeing to a card's "you may" gains, where it says that once; else it is agreed to."""
    could = [one for one in card.abilities if one.optional and one.kind == "triggered"]
    if len(could) != 1:
        return 1.0
    program = could[0].program
    own = next((key for key, piece in table.pieces.items() if piece.known is card), "")
    names = actions.best_choices(table, program, own)
    imagined = actions.imagine(table, program, own, names, mine=True)
    return actions.worth(imagined).value - actions.standing(table) + AGREES


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


def assign(prompt: Prompt, _view: View, table: Table) -> Ratings:
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


def first(prompt: Prompt, _view: View, table: Table) -> Ratings:
    """What is worth most comes first."""
    pieces = [table.pieces.get(item.about[0]) if item.about else None for item in prompt.items]
    return [piece.worth if piece is not None else 0.0 for piece in pieces]
