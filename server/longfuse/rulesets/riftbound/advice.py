"""Advice: how good each answer to a prompt looks, for a computer player.

Owns the ratings, from the prompt and the view of the seat that is asked, and from what every player
can know of the cards. It never looks at a game; it is no part of the rules.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

from longfuse.abilities.ability import Do, Program
from longfuse.abilities.watching import walk
from longfuse.rulesets.riftbound import advice_actions as actions
from longfuse.rulesets.riftbound import advice_choices as choices
from longfuse.rulesets.riftbound import advice_combat as combat
from longfuse.rulesets.riftbound import entry
from longfuse.rulesets.riftbound.advice_cards import (
    Known,
    known,
    known_shipped,
    programs_with_choices,
)
from longfuse.rulesets.riftbound.advice_effects import Names, settle
from longfuse.rulesets.riftbound.advice_plans import best_move
from longfuse.rulesets.riftbound.advice_table import Held, Piece, Table, held, read
from longfuse.rulesets.riftbound.advice_waiting import put_waiting
from longfuse.rulesets.riftbound.state import base
from longfuse.rulesets.riftbound.telling import words
from longfuse_protocol.prompts import Prompt
from longfuse_protocol.views import View

Ratings = list[float]
MOVE = "Move units"
MOVE_FIRST = 1.0
AHEAD = 0.5
GOOD = frozenset({"ready", "return", "play", "put on top", "attach", "equip"})
"""What a player does to what is theirs."""
USES = 3.0
"""How much earlier a card is played that something waits for."""
LEAST_PLAY = 0.2
ALMOST = 0.6
"""A spell that lacks less than this is worth playing once something makes it better."""


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
    put_waiting(table, view.entities, partial(_find, view))
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
    # The move is what most depends on: it is worked out before looking ahead gets too much.
    move = best_move(table) if any(item.label == MOVE for item in prompt.items) else None
    now = _resolved(view, table)
    cards = Cards(now, table.phase == "main")
    cards.look_at_hand(prompt)
    ratings = []
    for item in prompt.items:
        if not item.legal:
            ratings.append(-99.0)
        elif item.label == MOVE:
            ratings.append(move.gain + MOVE_FIRST if move is not None else -1.0)
        elif item.label.startswith("Play ") and item.about:
            card = held(item.about[0], view.entities[item.about[0]])
            ratings.append(cards.play(card, free=item.label.endswith(")")))
        elif item.label.startswith("Use ") and item.about and item.about[0] in now.pieces:
            ratings.append(cards.use(now.pieces[item.about[0]], item.label))
        elif item.label.startswith("Hide "):
            ratings.append(0.1 if table.power and table.energy == 0 else -0.5)
        else:
            ratings.append(0.0)
    return ratings


class Cards:
    """What the cards that could be played would gain, each looked at once."""

    def __init__(self, table: Table, main: bool) -> None:
        self._table = table
        self._main = main
        self._looked = table.looks[0] > 0
        self._before = actions.standing(table)
        self._legal: set[str] = set()
        self._gains: dict[tuple[str, bool], actions.Gain] = {}

    def before(self) -> float:
        """What the position comes to without; the same way as long as it is looked ahead."""
        if self._looked and self._table.looks[0] <= 0:
            self._looked = False
            self._before = actions.standing(self._table)
        return self._before

    def look_at_hand(self, prompt: Prompt) -> None:
        """Find the cards in hand that are not worth playing now, whatever comes first."""
        self._legal = {item.about[0] for item in prompt.items if item.legal and item.about}
        barred = {
            item.about[0]
            for item in prompt.items
            if item.about and not item.legal and not item.reason.startswith("cost")
        }
        poor = {
            card.key
            for card in self._table.hand
            if card.key in self._legal and self._gain(card, free=False).value < -ALMOST
        }
        self._table.unwanted = frozenset(barred | poor)
        for card in self._table.hand if self._table.unwanted else ():
            if card.known.waits_for_cards:
                self._gains.pop((card.known.definition.name, False), None)

    def _gain(self, card: Held, *, free: bool) -> actions.Gain:
        key = (card.known.definition.name, free)
        if key not in self._gains:
            before = self.before()
            self._gains[key] = actions.play_gain(self._table, card, before, free=free)
        return self._gains[key]

    def play(self, card: Held, *, free: bool) -> float:
        """How good playing it now is."""
        gain = self._gain(card, free=free)
        if gain.value < LEAST_PLAY:
            return gain.value - LEAST_PLAY
        left = self._table.energy - (0 if free else card.energy)
        return gain.value + self._then(gain, left, card.key) + USES * gain.uses

    def use(self, piece: Piece, label: str) -> float:
        """How good using an ability now is."""
        said = label.partition(": ")[2]
        for ability in piece.known.definition.activated:
            if words(ability) == said:
                gain = actions.use_gain(self._table, piece, ability, self.before())
                if gain.value < LEAST_PLAY:
                    return gain.value - LEAST_PLAY
                return gain.value + self._then(gain, self._table.energy, "")
        return -0.5

    def _then(self, gain: actions.Gain, energy: int, key: str) -> float:
        """What could still be played after something that should come before other things."""
        if not self._main or not actions.is_setup(gain):
            return 0.0
        after = [
            self._gain(card, free=False).value
            for card in self._table.hand
            if card.key != key and card.energy <= energy and card.key in self._legal
        ]
        return max(0.0, *after, 0.0) + MOVE_FIRST + AHEAD


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
    if not any(key in table.pieces or _is_on_chain(table, key) for key in keys):
        return [_elsewhere(view, table, program, key) for key in keys]
    gains = actions.target_gains(_resolved(view, table), program, choice, own, keys)
    return [gain if prompt.items[n].legal else -99.0 for n, gain in enumerate(gains)]


def _is_on_chain(table: Table, key: str) -> bool:
    return any(link.key == key for link in table.chain)


def _elsewhere(view: View, table: Table, program: Program, key: str) -> float:
    """Runes, and cards in other zones: one's own for what is good, the other's for what is not."""
    entity = view.entities.get(key)
    if entity is None:
        return 0.0
    does = {node.verb for node in walk(program) if isinstance(node, Do)}
    own = entity.get("controller", entity["owner"]) == table.seat
    return (0.5 if own == bool(does & GOOD) else -0.5) + 0.01 * known(entity).worth


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


_RATERS: Mapping[str, Callable[[Prompt, View, Table], Any]] = {
    "priority": _actions,
    "focus": _actions,
    "target": _targets,
    "card": choices.cards,
    "mulligan": choices.mulligan,
    "mode": lambda prompt, view, table: choices.modes(prompt, partial(_find, view), table),
    "may": lambda prompt, view, table: choices.yes(prompt, partial(_find, view), table),
    "pay": lambda prompt, view, table: choices.yes(prompt, partial(_find, view), table),
    "assign": choices.assign,
    "first": choices.first,
}
