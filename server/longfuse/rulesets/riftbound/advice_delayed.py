"""Advice: delayed abilities that an instruction would create.

Owns what a waiting ability means to a player: the marks that it puts on a `Table`, what it is
worth, and how likely it acts before it ends. That is read from what its words compile to.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

from longfuse.abilities.ability import Ability, Change, Create, Do
from longfuse.abilities.nodes import At, Named, Selector, When
from longfuse.abilities.watching import walk
from longfuse.rulesets.riftbound.advice_cards import PLAYED
from longfuse.rulesets.riftbound.advice_combat import Events, value
from longfuse.rulesets.riftbound.advice_effects import Imagined, Names, settle
from longfuse.rulesets.riftbound.advice_table import Mark, Piece, Table

Likely = Callable[[Events], float]
SAVES = frozenset({"recall", "return", "heal", "move"})
MAY_HELP = 0.45
CONQUERED = frozenset({"conquered", "combat won", "points gained", "scored"})
DIED = frozenset({"unit died", "killed", "left board", "death", "leave board"})


class Wait(NamedTuple):
    """An ability that would be created. likely: how likely it acts, given what happens."""

    id: int
    worth: float
    likely: Likely


def create(self: Imagined, node: Create, names: Names) -> None:
    """An instruction creates an ability (392): put its marks, and remember it."""
    number = len(self.waits) + 1
    worth, likely = install(self, node.ability, names, number)
    self.waits.append(Wait(number, worth, likely))


def install(self: Imagined, ability: Ability, names: Names, number: int) -> tuple[float, Likely]:
    """Put an ability's marks on the table; what else it is worth if it acts, and how likely."""
    when = ability.when
    if ability.kind == "passive":
        return _passive(self, ability, names, number)
    if isinstance(when, At):
        return _at(self, ability, names)
    if isinstance(when, When):
        if ability.kind == "replacement":
            return _replacement(self, ability, when, names, number)
        return _trigger(self, ability, when, names, number)
    return 0.3, _always(0.5)


def _always(likely: float) -> Likely:
    return lambda _: likely


def _acts(number: int) -> Likely:
    return lambda events: 0.95 if number in events.acted else 0.05


# ---------------------------------------------------------------- at a moment


def _at(self: Imagined, ability: Ability, names: Names) -> tuple[float, Likely]:
    """What comes by itself, unless what it is about is gone by then."""
    worth = 0.85 * program_worth(self, ability, names)
    about = {key for node in walk(ability.program) for key in _keys(node, names)}
    return worth, lambda events: 0.3 if about & events.died else 1.0


def _keys(node: Any, names: Names) -> tuple[str, ...]:
    return names.get(node.name, ()) if isinstance(node, Named) else ()


def program_worth(self: Imagined, ability: Ability, names: Names) -> float:
    """What an ability's program would be worth now, to the seat."""
    then = Imagined(self.table.copy(), self.mine, self.source)
    before = value(then.table)
    then.run(ability.program.body, names)
    settle(then)
    return value(then.table) - before + then.worth


# ---------------------------------------------------------------- triggers


def _trigger(
    self: Imagined, ability: Ability, when: When, names: Names, number: int
) -> tuple[float, Likely]:
    about = about_pieces(self, when.subject, names)
    if when.event in PLAYED:
        return _when_played(self, ability, when, names, number)
    if when.event in CONQUERED or when.event == "held":
        worth = program_worth(self, ability, names)
        if when.event != "held":
            self.table.marks += (Mark("conquer", number, worth + 0.3),)
        return 0.0, _acts(number)
    if not about:
        return 0.5 * program_worth(self, ability, names), _always(0.4)
    match when.event:
        case "damage dealt":
            if _does(ability, {"kill", "banish"}):
                return _mark(about, Mark("doom", number)), _acts(number)
            worth = program_worth(self, ability, _with_event(names, about))
            return _mark(about, Mark("hurt", number, worth)), _acts(number)
        case "attacked" | "moved":
            if when.event == "attacked":
                _mark(about, Mark("attack", number, _might_of(self, ability, names)))
                return 0.2, _acts(number)
            keys = {piece.key for piece in about}
            return 0.5, lambda events: 0.9 if keys & events.moved else 0.1
    if when.event in DIED:
        worth = program_worth(self, ability, _with_event(names, about))
        return _mark(about, Mark("bounty", number, worth)), _acts(number)
    return 0.5 * program_worth(self, ability, names), _always(0.4)


def _with_event(names: Names, about: list[Piece]) -> Names:
    return {**names, "event": (about[0].key,)}


def about_pieces(self: Imagined, subject: Any, names: Names) -> list[Piece]:
    """The pieces that an ability listens to; those that match now stand for all."""
    if isinstance(subject, Selector):
        return [piece for piece in self.table.pieces.values() if self.fits(subject, piece)]
    return self.pieces(subject, names)


def _mark(about: Iterable[Piece], mark: Mark) -> float:
    for piece in about:
        piece.mark(mark)
    return 0.0


def _does(ability: Ability, verbs: Iterable[str]) -> bool:
    wanted = set(verbs)
    return any(isinstance(node, Do) and node.verb in wanted for node in walk(ability.program))


def _might_of(self: Imagined, ability: Ability, names: Names) -> float:
    """The Might that a program gives."""
    changes = [node for node in walk(ability.program) if isinstance(node, Change)]
    return sum(self.number(one.amount, names) for one in changes if one.asks == "might")


# ---------------------------------------------------------------- about cards that are played


def _when_played(
    self: Imagined, ability: Ability, when: When, names: Names, number: int
) -> tuple[float, Likely]:
    kinds = when.subject.kinds if isinstance(when.subject, Selector) else ("card",)
    if not self.mine:
        return -0.3, _always(0.4)
    is_ready = ability.rewrite is not None and ("exhausted", False) in ability.rewrite.facts
    worth = 1.0 if is_ready or ability.rewrite else max(0.5, program_worth(self, ability, names))
    kind = "enter" if is_ready else "play"
    self.table.marks += (Mark(kind, number, worth, words=kinds),)
    likely = likely_played(self.table, kinds, 0)
    if when.nth > 1 and self.table.spent:
        # Cards were played already, and how many a view does not say.
        likely *= 0.4
    return worth, _always(likely)


def likely_played(table: Table, kinds: Iterable[str], discount: int) -> float:
    """How likely the seat plays a card of some kinds this turn."""
    wanted = set(kinds)
    if not table.my_turn:
        return 0.1
    for one in table.hand:
        definition = one.known.definition
        if one.key in table.unwanted:
            continue
        fits = bool({"card", definition.type} & wanted)
        fits = fits or ("permanent" in wanted and definition.type != "spell")
        if fits and table.affords(max(0, one.energy - discount), one.power):
            return 0.9
    return 0.05


# ---------------------------------------------------------------- replacements


def _replacement(
    self: Imagined, ability: Ability, when: When, names: Names, number: int
) -> tuple[float, Likely]:
    about = about_pieces(self, when.subject, names)
    if when.event in PLAYED:
        return _when_played(self, ability, when, names, number)
    if when.event in DIED:
        if not _does(ability, SAVES):
            return _mark(about, Mark("bounty", number, 0.2 * self.sign)), _acts(number)
        if isinstance(when.subject, Selector):
            self.table.marks += (Mark("save", number, self.sign),)
            return 0.0, _acts(number)
        return _mark(about, Mark("save", number)), _acts(number)
    if when.event == "damage" and ability.rewrite is not None:
        return _mark(about, _damage_mark(self, ability, names, number)), _acts(number)
    return 0.3, _always(0.4)


def _damage_mark(self: Imagined, ability: Ability, names: Names, number: int) -> Mark:
    rewrite = ability.rewrite
    assert rewrite is not None
    many = self.number(rewrite.amount, names) if rewrite.amount is not None else 0
    match rewrite.how:
        case "times" | "plus":
            return Mark(rewrite.how, number, many)
        case "prevent" if ability.points or many:
            return Mark("prevent", number, ability.points or many)
    return Mark("shield", number)


# ---------------------------------------------------------------- passives


def _passive(self: Imagined, ability: Ability, names: Names, number: int) -> tuple[float, Likely]:
    if ability.binds is not None:
        return _bound(self, ability, ability.binds, number)
    worth = 0.0
    likely = 0.0
    for change in ability.changes:
        about = about_pieces(self, change.of, names)
        if about:
            likely = 1.0
            for piece in about:
                worth += change_piece(self, change, piece, names)
        elif change.asks in ("may", "base cost"):
            worth, likely = worth + 0.6, 0.75
        elif change.asks == "must not" and change.word == "play cards":
            worth, likely = worth + 0.6, 0.7
        elif change.asks == "cost":
            likely = likely_played(self.table, ("card",), 1)
            worth += 0.5
    return worth, _always(likely)


def _bound(self: Imagined, ability: Ability, binds: When, number: int) -> tuple[float, Likely]:
    """ "Your next spell": worth what it gives to the card that is played."""
    kinds = binds.subject.kinds if isinstance(binds.subject, Selector) else ("card",)
    if not self.mine:
        return -0.3, _always(0.4)
    discount, worth, boost = 0, 0.4, 0
    for change in ability.changes:
        many = self.number(change.amount, {})
        if change.asks == "cost":
            discount -= min(0, many)
        elif change.asks == "bonus damage":
            boost += many
        worth += 0.4 * abs(many)
    self.table.marks += (Mark("play", number, worth, words=kinds),)
    if boost:
        self.table.marks += (Mark("boost", number, boost, words=kinds),)
    likely = likely_played(self.table, kinds, discount)
    if boost and likely < MAY_HELP and self.table.unwanted:
        # What gains nothing now may be worth playing with the bonus.
        likely = MAY_HELP
    return worth, _always(likely)


def change_piece(self: Imagined, change: Change, piece: Piece, names: Names) -> float:
    """What a passive makes of a piece; what it is worth besides."""
    many = self.number(change.amount, names)
    mine = 1.0 if piece.mine else -1.0
    match change.asks:
        case "might":
            piece.might = max(0, many if change.set else piece.might + many)
            # It passes: what it does in a fight counts, not the Might itself.
            return -mine * many * 0.9
        case "keyword":
            piece.keywords |= {change.word}
            if change.word == "Assault":
                piece.assault += many
            elif change.word == "Shield":
                piece.shield += many
            return mine * 0.2
        case "controller":
            piece.mine = self.side(change.who) > 0
            return 0.0
        case "must not":
            piece.fixed |= {change.word}
            if change.word == "deal combat damage":
                piece.stunned = True
            elif change.word == "be damaged":
                piece.mark(Mark("shield"))
            return -mine * (0.5 if piece.mine != self.mine else 0.8)
    return self.sign * 0.2
