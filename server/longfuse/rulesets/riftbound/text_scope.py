"""What a sentence has spoken of so far: choices, mentions, results; and the base of all builders.

Owns `Scope` (one program being built), `Mention` (something "it" may mean), and `Words`, the base
class that the builders of nouns, amounts, events, effects and statements extend.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

import msgspec

from longfuse.abilities.ability import (
    Ability,
    Choice,
    Cost,
    Do,
    Duration,
    Effect,
    May,
    Program,
    Rewrite,
)
from longfuse.abilities.nodes import Amount, Condition, Named, Objects, Players, Who
from longfuse.abilities.text.errors import Unclear
from longfuse.abilities.text.tree import Tree

YOU = Who("you")

NUMBERS = {
    word: number
    for number, word in enumerate(
        [
            "zero",
            "one",
            "two",
            "three",
            "four",
            "five",
            "six",
            "seven",
            "eight",
            "nine",
            "ten",
            "eleven",
            "twelve",
        ]
    )
}
ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth")


@dataclass(frozen=True)
class Mention:
    """Something that was named: what later "it", "that unit", "them" may mean."""

    refs: tuple[Objects, ...]
    kinds: tuple[str, ...] = ("card",)
    many: bool = False
    lazy: tuple[list[Effect], int] | None = None


@dataclass
class Scope:
    """One program being built. `choices` may be shared with the program around it."""

    choices: list[Choice] = field(default_factory=list)
    body: list[Effect] = field(default_factory=list)
    mentions: list[Mention] = field(default_factory=list)
    actor: Players = YOU
    player: Players | None = None
    amount: Amount | None = None
    event: bool = False
    this_event: bool = False
    hidden_choices: bool = False
    hand_of: Players | None = None
    prefix: str = "t"

    def inner(self) -> Scope:
        """A body within the same program: same choices, own effects."""
        return replace(self, body=[], mentions=list(self.mentions))

    def child(self) -> Scope:
        """A program of its own (an ability made by this one) that may speak of what was said."""
        return replace(
            self, choices=[], body=[], mentions=list(self.mentions), actor=YOU,
            hidden_choices=False, prefix="t",
        )  # fmt: skip

    def program(self) -> Program:
        """What was built."""
        return Program(choices=tuple(self.choices), body=tuple(self.body))


class Words(ABC):
    """Base of the builders: the scope, counters for names, helpers for numbers and refusals."""

    frame_window: Duration | None = None
    paid_front = False
    _done: Tree | None = None
    _present_trailing: Sequence[Tree] = ()

    def __init__(self, card_type: str) -> None:
        self.card_type = card_type
        self.scope = Scope()
        self.counts: dict[str, int] = {}
        self.chosen: list[tuple[str, Choice]] = []
        self.out: list[Ability] = []
        self.linkable = False
        self.linked = False
        self.link_kinds: set[str] = set()
        self.extra_paid = False

    # ------------------------------------------------------------ helpers

    def unclear(self, tree: Tree, expected: str) -> Unclear:
        """A refusal at the beginning of `tree`."""
        return Unclear(tree.start, expected)

    def name(self, prefix: str) -> str:
        """The next free name: t1, t2 … for choices, d1 … for instructions, p1 … for picks."""
        self.counts[prefix] = self.counts.get(prefix, 0) + 1
        return f"{prefix}{self.counts[prefix]}"

    def number(self, tree: Tree) -> int:
        """The value of a number in digits or words (also inside an energy symbol)."""
        word = tree.words.split()[0]
        if word.isdigit():
            return int(word)
        if word in NUMBERS:
            return NUMBERS[word]
        raise self.unclear(tree, "a number")

    def ordinal(self, tree: Tree) -> int:
        """1 for first, 2 for second …"""
        return ORDINALS.index(tree.words) + 1

    def mention(
        self, *refs: Objects, kinds: tuple[str, ...] = ("card",), many: bool = False
    ) -> None:
        """Remember what was just named."""
        self.scope.mentions.append(Mention(refs, kinds, many))

    def result(self, *, kinds: tuple[str, ...] = ("card",), many: bool = False) -> None:
        """Let the last instruction's result be what "it" may mean; it is named if it is used."""
        place = (self.scope.body, len(self.scope.body) - 1)
        self.scope.mentions.append(Mention((Named("?"),), kinds, many, place))

    def meant(self, mention: Mention) -> tuple[Objects, ...]:
        """The references of a mention; a result gets its name now."""
        if mention.lazy is None:
            return mention.refs
        body, place = mention.lazy
        effect = body[place]
        assert isinstance(effect, Do)
        if not effect.name:
            effect = msgspec.structs.replace(effect, name=self.name("d"))
            body[place] = effect
        return (Named(effect.name),)

    def choose(self, choice: Choice) -> Named:
        """Ask a question: when the item is finalized, or when it is reached if it is hidden."""
        self.scope.choices.append(choice)
        self.chosen.append((choice.name, choice))
        return Named(choice.name)

    def name_last(self, tree: Tree) -> str:
        """Give the last instruction a name, so that "if you do" can ask about it."""
        body = self.scope.body
        for place in range(len(body) - 1, -1, -1):
            effect = body[place]
            if isinstance(effect, Do | May):
                if not effect.name:
                    effect = msgspec.structs.replace(effect, name=self.name("d"))
                    body[place] = effect
                return effect.name
        raise self.unclear(tree, "an instruction before “if you do”")

    def that_much(self, tree: Tree) -> Amount:
        """The amount that "that much" means."""
        if self.scope.amount is not None:
            return self.scope.amount
        raise self.unclear(tree, "an amount named before")

    # ------------------------------------------------------------ given by the builders

    @abstractmethod
    def value(self, tree: Tree) -> Amount:
        """An amount."""

    @abstractmethod
    def cost(self, tree: Tree) -> Cost:
        """A cost."""

    @abstractmethod
    def condition(self, tree: Tree) -> Condition:
        """A condition."""

    @abstractmethod
    def canonical_value(self, tree: Tree) -> Amount:
        """An amount in canonical words."""

    @abstractmethod
    def canonical_cond(self, tree: Tree) -> Condition:
        """A condition in canonical words."""

    @abstractmethod
    def canonical_sentence(self, tree: Tree) -> None:
        """A sentence in canonical words."""

    @abstractmethod
    def block(self, tree: Tree) -> None:
        """Sentences in quotation marks."""

    @abstractmethod
    def objects(self, tree: Tree) -> tuple[Objects, ...]:
        """What an instruction acts on."""

    @abstractmethod
    def player(self, tree: Tree) -> Players:
        """A player."""

    @abstractmethod
    def refs(self, tree: Tree) -> tuple[Objects, ...]:
        """What a pronoun means."""

    @abstractmethod
    def it(self, tree: Tree, kind: str = "") -> Objects:
        """The one thing that "it" means."""

    @abstractmethod
    def them(self, tree: Tree) -> tuple[Objects, ...]:
        """The several things that "them" means."""

    @abstractmethod
    def _rest(self, tree: Tree) -> Objects:
        """Given by a builder further on."""

    @abstractmethod
    def whose(self, its: Tree) -> Objects:
        """The object behind "its"."""

    @abstractmethod
    def said_player(self, tree: Tree) -> Players:
        """The player spoken of before."""

    @abstractmethod
    def create(self, ability: Ability, window: Duration) -> None:
        """Make a delayed ability."""

    @abstractmethod
    def pick(self, choice: Choice) -> Named:
        """A question asked when it is reached."""

    @abstractmethod
    def outcome_rewrite(self, tree: Tree) -> Rewrite:
        """How an outcome changes the proposal."""

    @abstractmethod
    def sentence(self, tree: Tree) -> None:
        """One sentence."""

    @abstractmethod
    def _split_pair(self, tree: Tree, pair: Objects) -> list[Objects]:
        """Given by a builder further on."""

    @abstractmethod
    def _reflexive(self, sentence: Tree) -> None:
        """Given by a builder further on."""

    @abstractmethod
    def _inner(self, build: Callable[[], None]) -> tuple[Effect, ...]:
        """Given by a builder further on."""

    @abstractmethod
    def _front(
        self,
        fronts: list[Tree],
        build: Callable[[], None],
        main: Tree | None,
        trailing: Sequence[Tree],
    ) -> None:
        """Given by a builder further on."""
