"""From trees to what sentences speak of: numbers, players, objects.

Owns the builders of noun phrases, which read both languages: the grammars give the same tags. Keeps
what one ability has named so far: its choices and what "it" means.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal

import msgspec

from longfuse.abilities.ability import Choice
from longfuse.abilities.nodes import (
    AllOf,
    Amount,
    Arithmetic,
    Attached,
    Candidate,
    Compare,
    Condition,
    ControllerOf,
    Count,
    Each,
    Named,
    NamedPlayer,
    Objects,
    OwnerOf,
    Players,
    Role,
    Selector,
    Stat,
    This,
    Who,
)
from longfuse.abilities.text.errors import Unclear
from longfuse.abilities.text.tree import Tree

NUMBERS = {
    "a": 1, "an": 1, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7,
    "eight": 8, "nine": 9, "ten": 10, "twelve": 12, "zero": 0,
    "egy": 1, "két": 2, "kettő": 2, "három": 3, "négy": 4, "öt": 5, "hat": 6, "hét": 7, "nyolc": 8,
    "kilenc": 9, "tíz": 10,
}  # fmt: skip
YOU = Who("you")
ENCHANTED = Attached(This(), to_it=False)
REFERENCES = ("this", "it", "them", "enchanted")
GROUPS = ("all", "all other", "your", "your other", "theirs")
TARGETS = ("one", "another", "up to", "count")
UNSEEN_IN_PLAY = ("spell", "instant", "card")


class Nouns:
    """Builds noun phrases of one ability."""

    def __init__(self, type: str, names: Mapping[str, str]) -> None:
        self.type = type
        self.names = names
        self.enchanted: tuple[str, ...] = ()
        self.begin()

    def begin(self) -> None:
        """A new ability: nothing has been named."""
        self.choices: list[Choice] = []
        self.named = 0
        self.only_chosen: list[tuple[str, int]] = []
        self.it: Objects | None = None
        self.it_kinds: tuple[str, ...] = ()

    # ------------------------------------------------------------ numbers and players

    def number(self, tree: Tree | None) -> int:
        """A number in digits or words; none means one."""
        if tree is None:
            return 1
        return NUMBERS[tree.words] if tree.words in NUMBERS else int(tree.words)

    def many(self, tree: Tree) -> int:
        """How many cards, counters or tokens."""
        return 1 if tree.tag == "one" else self.number(tree.get("many"))

    def amount(self, tree: Tree, number: int) -> Amount:
        """A number, or that number for each of something."""
        if "per" not in tree:
            return number
        count = Count(self.noun(tree["per"]["noun"]))
        return count if number == 1 else Arithmetic("times", number, count)

    def player(self, tree: Tree) -> Players:
        """A player."""
        role = tree.tag
        if role == "controller":
            return ControllerOf(self.last(tree))
        if role == "owner":
            return OwnerOf(self.last(tree))
        if role == "any player":
            return self.chosen_player()
        return Who(self.role(role, tree))

    def next_name(self) -> str:
        """A name for a choice that no other has."""
        self.named += 1
        return f"t{self.named}"

    def chosen_player(self) -> NamedPlayer:
        """A player of one's choice."""
        name = self.next_name()
        self.choices.append(Choice(name, of="player"))
        return NamedPlayer(name)

    def role(self, word: str, tree: Tree) -> Role:
        """One of the roles that a card may speak of."""
        roles: dict[str, Role] = {
            "you": "you", "opponent": "opponent", "each player": "each player",
            "each opponent": "opponent",
        }  # fmt: skip
        if word not in roles:
            raise Unclear(tree.start, "you, your opponent or each player")
        return roles[word]

    def last(self, tree: Tree) -> Objects:
        """What "it" means here."""
        if self.it is None and self.enchanted:
            self.it_kinds = self.enchanted
            return ENCHANTED
        if self.it is None:
            raise Unclear(tree.start, "something that “it” can mean")
        return self.it

    # ------------------------------------------------------------ objects

    def objects(self, tree: Tree, zone: str = "board") -> Objects:
        """What an instruction is done to; a new choice where the words leave one."""
        tree = tree["ref"] if tree.tag == "ref" else tree
        if tree.tag in REFERENCES:
            return self._reference(tree)
        if tree.tag in GROUPS:
            return Each(self.group(tree, zone))
        return self._target(tree, zone)

    def subject(self, tree: Tree, zone: str = "board") -> Objects | Selector:
        """Whom an event is about."""
        tree = tree["ref"] if tree.tag == "ref" else tree
        if tree.tag in ("this", "enchanted"):
            return self._reference(tree)
        if tree.tag not in ("one", "another"):
            raise Unclear(tree.start, "one card that it happens to")
        found = self.noun(tree["noun"], zone, another=tree.tag == "another")
        self.it, self.it_kinds = Named("event"), found.kinds
        return found

    def whom(self, tree: Tree, *, lasting: bool) -> Objects | Selector:
        """Whom a statement is about; a choice only where it is an instruction."""
        tree = tree["ref"] if tree.tag == "ref" else tree
        if tree.tag in GROUPS:
            return self.group(tree)
        is_enchanted = tree.tag == "it" and self.it is None and bool(self.enchanted)
        if tree.tag in ("this", "enchanted") or lasting or is_enchanted:
            return self.objects(tree)
        raise Unclear(tree.start, "whom it is always true of: this card or all that match")

    def group(self, tree: Tree, zone: str = "board") -> Selector:
        """All that match."""
        found = self.noun(tree["noun"], zone, another=tree.tag.endswith("other"))
        if tree.tag in ("all", "all other"):
            return found
        if found.control != "any" or found.zone in ("discard", "hand"):
            raise Unclear(tree.start, "one word for whose they are")
        side: Literal["enemy", "friendly"] = "enemy" if tree.tag == "theirs" else "friendly"
        return msgspec.structs.replace(found, control=side)

    def _reference(self, tree: Tree) -> Objects:
        match tree.tag:
            case "this":
                return self.this(tree)
            case "enchanted":
                if self.type != "enchantment":
                    raise Unclear(tree.start, "an enchantment to speak of what it is put on")
                self.called(tree, self.enchanted)
                return ENCHANTED
        found = self.last(tree)
        self.called(tree, self.it_kinds)
        several = isinstance(found, Named) and self._most(found.name) != 1
        if several != (tree.tag == "them"):
            raise Unclear(tree.start, "“them” for several, “it” for one")
        return found

    def this(self, tree: Tree) -> This:
        """The card itself, called by its own type or just a card."""
        self.called(tree, (self.type,))
        return This()

    def called(self, tree: Tree, kinds: Sequence[str]) -> None:
        """Refuse "this building" on a creature, "that item" of a spell."""
        head = tree.get("head")
        if head is not None and head.tag not in (*kinds, "card", "permanent"):
            raise Unclear(head.start, f"{' or '.join(kinds)}, which it is")

    def _most(self, name: str) -> Amount:
        return next((one.most for one in self.choices if one.name == name), 1)

    def _target(self, tree: Tree, zone: str) -> Named:
        another = tree.tag == "another"
        earlier = tuple(one.name for one in self.choices)
        if another and not earlier and self.type in ("spell", "instant"):
            raise Unclear(tree.start, "something before that it differs from")
        found = self.noun(tree["noun"], zone, another=another and not earlier)
        number = self.number(tree.get("count"))
        if number < 1 or (tree.tag in ("count", "up to") and number == 1 and tree.tag == "count"):
            raise Unclear(tree.start, "at least two, or “a”")
        name = self.next_name()
        least = 0 if tree.tag == "up to" else number
        different = earlier if another else ()
        self.choices.append(
            Choice(name, selector=found, least=least, most=number, different=different)
        )
        self.it, self.it_kinds = Named(name), found.kinds
        return Named(name)

    # ------------------------------------------------------------ nouns

    def noun(self, tree: Tree, zone: str = "board", *, another: bool = False) -> Selector:
        """Which objects a noun with its adjectives means."""
        found = Selector(kinds=tuple(head.tag for head in tree.all("head")), zone=zone)
        found = msgspec.structs.replace(found, another=another)
        if len(set(found.kinds)) != len(found.kinds):
            raise Unclear(tree.start, "each kind once")
        where: list[Condition] = []
        for word in [*tree.all("adj"), *tree.all("post")]:
            found = self._qualified(found, word, where)
        if found.zone == "board" and any(one in UNSEEN_IN_PLAY for one in found.kinds):
            raise Unclear(tree.start, "a kind of permanent, for what is in play")
        if len(set(found.states)) != len(found.states):
            raise Unclear(tree.start, "each quality once")
        found = msgspec.structs.replace(found, states=tuple(sorted(found.states)))
        if not where:
            return found
        where.sort(key=repr)
        condition = where[0] if len(where) == 1 else AllOf(tuple(where))
        return msgspec.structs.replace(found, where=condition)

    def _qualified(self, found: Selector, word: Tree, where: list[Condition]) -> Selector:
        change = msgspec.structs.replace
        match word.tag:
            case "friendly" | "enemy":
                return self._whose(found, word, word.tag)
            case "state":
                return change(found, states=(*found.states, word.args[0]))
            case "has":
                return change(found, states=(*found.states, f"has {word['counter'].tag}"))
            case "zone":
                if found.control != "any" or found.zone != "board":
                    raise Unclear(word.start, "one place, and no side of the table")
                return change(found, zone=word.args[0], owner=word.args[1])
            case "limit":
                where.append(self._limit(word))
                return found
        raise Unclear(word.start, "a quality")

    def _whose(self, found: Selector, word: Tree, side: Literal["friendly", "enemy"]) -> Selector:
        if found.control != "any" or found.zone in ("discard", "hand"):
            raise Unclear(word.start, "one word for whose it is")
        return msgspec.structs.replace(found, control=side)

    def _limit(self, word: Tree) -> Compare:
        stat = word["stat"].tag
        if "limit" in word:
            operator, number = word["limit"].tag, word["limit"]["number"]
        else:
            operator, number = word.args[0], word["amt"]
        assert operator in ("<=", ">=")
        sign: Literal["<=", ">="] = "<=" if operator == "<=" else ">="
        return Compare(Stat(stat, Candidate()), sign, self.number(number))
