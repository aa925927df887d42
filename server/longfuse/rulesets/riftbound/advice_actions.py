"""Advice: what playing a card, using an ability or choosing a target would gain.

Owns the comparison of a position with and without it. A gain counts everything: the board after the
rest of the turn, what was given besides, and whether the delayed abilities made would act.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from longfuse.abilities.ability import Ability, Choice, Cost, Program
from longfuse.abilities.nodes import Selector
from longfuse.rulesets.riftbound.advice_combat import CARD, NOTHING, Events, value
from longfuse.rulesets.riftbound.advice_delayed import Wait, create
from longfuse.rulesets.riftbound.advice_effects import Imagined, Names, settle
from longfuse.rulesets.riftbound.advice_plans import joined, outlook
from longfuse.rulesets.riftbound.advice_table import LOOKS_MAX, Held, Mark, Piece, Table
from longfuse.rulesets.riftbound.advice_waiting import bonus
from longfuse.rulesets.riftbound.state import base

WASTE = 1.6
"""What it costs beyond the card that a delayed ability would end without having acted."""
TARGETS_MAX = 5


class Gain(NamedTuple):
    """What something gains. waits: the delayed abilities that it would create, and what happens.
    uses: how many of the seat's waiting abilities it makes act.
    """

    value: float
    waits: Sequence[Wait] = ()
    events: Events = NOTHING
    uses: int = 0

    @property
    def likely(self) -> float:
        """How likely the least likely of them acts."""
        return min((wait.likely(self.events) for wait in self.waits), default=1.0)


def worth(self: Imagined) -> Gain:
    """What an imagined position comes to."""
    done = settle(self)
    events, total = outlook(self.table)
    events = joined(done, events)
    total += self.worth + bonus(events)
    for wait in self.waits:
        likely = wait.likely(events)
        total += likely * wait.worth - (1.0 - likely) * WASTE
    return Gain(total, tuple(self.waits), events)


def standing(table: Table) -> float:
    """What the position comes to if the seat does nothing but move."""
    events, total = outlook(table)
    return total + bonus(events)


# ---------------------------------------------------------------- programs and their choices


def imagine(
    table: Table, program: Program, source: str, names: Names, *, mine: bool, boost: int = 0
) -> Imagined:
    """The position after a program, its choices as given."""
    table.look()
    imagined = Imagined(table.copy(), mine, source, create)
    imagined.boost = boost
    imagined.run(program.body, names)
    return imagined


def best_choices(
    table: Table, program: Program, source: str, names: Names | None = None, boost: int = 0
) -> Names:
    """Choose for a program, one choice after the other, what gains most."""
    found: Names = dict(names or {})
    for choice in program.choices:
        if choice.name in found:
            continue
        keys = candidates(table, choice, source, found)
        if len(keys) > 1 and table.looks[0] > 0:
            gains = {}
            for key in keys:
                tried = {**found, choice.name: (key,)}
                imagined = imagine(table, program, source, tried, mine=True, boost=boost)
                gains[key] = worth(imagined).value
            keys = sorted(keys, key=lambda key: -gains[key])
        many = choice.most if isinstance(choice.most, int) else 1
        found[choice.name] = tuple(keys[: max(1, many)])
    return found


def candidates(table: Table, choice: Choice, source: str, names: Names) -> list[str]:
    """What a choice could be, the most promising first; a few of each side."""
    selector = choice.selector
    if selector is None:
        return []
    if selector.zone == "chain":
        return [link.key for link in table.chain if link.key is not None and not link.mine]
    taken = {key for name in choice.different for key in names.get(name, ())}
    imagined = Imagined(table, True, source)
    found = [
        piece
        for piece in table.pieces.values()
        if piece.key not in taken and imagined.fits(selector, piece)
    ]
    found.sort(key=lambda piece: -_promise(table, piece))
    friends = [piece.key for piece in found if piece.mine][:TARGETS_MAX]
    enemies = [piece.key for piece in found if not piece.mine][:TARGETS_MAX]
    return [*enemies, *friends]


def _promise(table: Table, piece: Piece) -> float:
    fights = bool(table.combat) and piece.place == table.combat
    return piece.worth + 10 * fights + (2 if not piece.exhausted else 0)


# ---------------------------------------------------------------- playing and using


def play_gain(table: Table, card: Held, before: float, *, free: bool) -> Gain:
    """What playing a card gains."""
    definition = card.known.definition
    after = table.copy()
    after.cards[0] -= 1
    after.hand = tuple(one for one in table.hand if one.key != card.key)
    if not free:
        after.energy -= card.energy
        for domain in card.power:
            after.power[domain] -= 1
    used = _used_by(after, definition.type)
    if definition.type == "unit" and not used and not card.known.on_play:
        # It enters exhausted and does nothing else this turn: there is nothing to look ahead at.
        without = value(after)
        _enter(after, card, ready=False)
        return Gain(value(after) - without - CARD)
    names: Names = {}
    if definition.type == "spell":
        boost = sum(int(mark.number) for mark in used if mark.kind == "boost")
        program = definition.program
        names = best_choices(after, program, card.key, boost=boost)
        imagined = imagine(after, program, card.key, names, mine=True, boost=boost)
    else:
        _enter(after, card, ready=any(mark.kind == "enter" for mark in used))
        imagined = Imagined(after, True, card.key, create)
        for ability in card.known.on_play:
            names = best_choices(after, ability.program, card.key)
            imagined.run(ability.program.body, names)
    imagined.worth += sum(
        mark.number + 0.6 for mark in used if mark.id < 0 and mark.kind != "boost"
    )
    found = worth(imagined)
    uses = len({mark.id for mark in used if mark.id < 0})
    return found._replace(value=found.value - before, uses=uses)


def _enter(table: Table, card: Held, *, ready: bool) -> None:
    piece = Piece(card.key, card.known, mine=True, place=base(table.seat))
    piece.exhausted = not ready and piece.kind == "unit"
    table.pieces[card.key] = piece


def _used_by(table: Table, kind: str) -> list[Mark]:
    """The marks that a card of that kind makes act; they are gone then."""
    used = [
        mark
        for mark in table.marks
        if mark.kind in ("play", "boost", "enter")
        and ({"card", kind} & set(mark.words) or ("permanent" in mark.words and kind != "spell"))
    ]
    table.marks = tuple(mark for mark in table.marks if mark not in used)
    return used


def use_gain(table: Table, piece: Piece, ability: Ability, before: float) -> Gain:
    """What using an activated ability gains."""
    after = table.copy()
    names: Names = {}
    imagined = Imagined(after, True, piece.key, create)
    if ability.cost is not None:
        names = _pay(imagined, ability.cost, piece)
    names = best_choices(after, ability.program, piece.key, names)
    imagined.run(ability.program.body, names)
    found = worth(imagined)
    return found._replace(value=found.value - before)


def _pay(imagined: Imagined, cost: Cost, piece: Piece) -> Names:
    energy = sum(many for word, many in cost.resources if word == "energy")
    imagined.table.energy -= energy
    names = best_choices(
        imagined.table, Program(choices=cost.choices, body=cost.actions), piece.key
    )
    imagined.run(cost.actions, names)
    imagined.worth -= 0.15 * energy
    return names


def is_setup(gain: Gain) -> bool:
    """Whether it should come before other things: it makes something that they would set off."""
    return bool(gain.waits) and gain.likely > 0.5


# ---------------------------------------------------------------- targets


def target_gains(
    table: Table, program: Program, choice: Choice, source: str, keys: Sequence[str]
) -> list[float]:
    """What each candidate of a choice gains, against choosing nothing."""
    boost = sum(int(mark.number) for mark in table.marks if mark.kind == "boost" and mark.id < 0)
    # What is aimed at is the whole decision here: every candidate is looked at.
    table.looks[0] = max(table.looks[0], LOOKS_MAX)
    found: dict[str, float] = {}
    for key in ("", *keys):
        if key not in found:
            names: Names = {choice.name: (key,) if key else ()}
            imagined = imagine(table, program, source, names, mine=True, boost=boost)
            found[key] = worth(imagined).value
    return [found[key] - found[""] for key in keys]


def matching_choice(programs: Sequence[Program], text: str) -> tuple[Program, Choice] | None:
    """Which choice of a card's programs a prompt asks, by its words."""
    fallback = None
    for program in programs:
        for choice in program.choices:
            if isinstance(choice.selector, Selector):
                side = {"any": "", "friendly": "friendly ", "enemy": "enemy "}
                words = side[choice.selector.control] + " or ".join(choice.selector.kinds)
                if text.endswith(f" {words}."):
                    return program, choice
                fallback = fallback or (program, choice)
    return fallback
