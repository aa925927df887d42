"""How people word whole abilities: keywords, costs with a colon, printed triggers and statements.

Owns the plain English of everything that stands on a line of its own.
"""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from longfuse.abilities.ability import Ability, Cost, If, Rewrite
from longfuse.abilities.nodes import (
    AllOf,
    At,
    Condition,
    Matches,
    Named,
    Not,
    Selector,
    State,
    This,
    TurnOf,
    When,
    Who,
)
from longfuse.rulesets.riftbound.text_say_conditions import YOU
from longfuse.rulesets.riftbound.text_say_effects import SayEffects
from longfuse.rulesets.riftbound.text_say_nouns import Unsaid, capital

VALUED = frozenset({"Assault", "Shield", "Deflect", "Hunt"})


class Voice(SayEffects):
    """Says abilities as designers write them."""

    def ability(self, what: Ability) -> str:
        """A printed ability on one line."""
        if what.kind == "spell":
            return self.program(what.program)
        if what.kind == "keyword":
            return self._keyword_line(what)
        if what.gate is not None or (what.binds is not None and what.kind != "passive"):
            raise Unsaid("a gate")
        wrap, what = self._wrap(what)
        return wrap + capital(self._line(what))

    def _line(self, what: Ability) -> str:
        if what.kind == "activated":
            return self._activated(what)
        if what.kind == "passive":
            return self._passive(what)
        if what.kind == "replacement" and what.zones == ("board",) and not what.once:
            self.printed = True
            plain = msgspec.structs.replace(what, condition=None)
            if said := self.statement_of(plain):
                front = "" if what.condition is None else f"if {self.condition(what.condition)}, "
                return f"{front}{said}."
            self.printed = False
        return self._triggered(what)

    def _wrap(self, what: Ability) -> tuple[str, Ability]:
        """[Legion] — and [Level 3] — stand in front."""
        condition = what.condition
        first, rest = condition, None
        if isinstance(condition, AllOf) and isinstance(condition.conditions[0], State):
            first = condition.conditions[0]
            others = condition.conditions[1:]
            rest = others[0] if len(others) == 1 else AllOf(others)
        if not isinstance(first, State) or first.word not in ("legion", "level"):
            return "", what
        number = f" {first.amount}" if first.amount else ""
        plain = msgspec.structs.replace(what, condition=rest)
        return f"[{first.word.capitalize()}{number}] — ", plain

    def _keyword_line(self, what: Ability) -> str:
        name = what.keyword
        plain = Ability(kind="keyword", keyword=name, amount=what.amount, cost=what.cost,
                        optional=what.optional)  # fmt: skip
        if what.meaning() != plain.meaning():
            raise Unsaid(name)
        if name == "Additional Cost" and what.cost is not None:
            may = "you may " if what.optional else ""
            this = "me" if self.speaks else "this"
            return f"As an additional cost to play {this}, {may}{self.cost(what.cost)}."
        if what.optional:
            raise Unsaid(name)
        number = "" if what.amount is None else f" {self.amount(what.amount)}"
        if what.amount == 1 and name in VALUED:
            number = ""
        price = "" if what.cost is None else f" {self._price(what.cost)}"
        return f"[{name}{number}]{price}"

    def _price(self, cost: Cost) -> str:
        if cost.actions or cost.choices:
            return capital(self.cost(cost))
        words = [self.resource(word, number) for word, number in cost.resources]
        if any(word == "any" for word, _ in cost.resources):
            return f"Pay {' and '.join(words)}"
        return " and ".join(words)

    def _activated(self, what: Ability) -> str:
        if what.cost is None:
            raise Unsaid("unfit")
        if what.optional or what.when is not None or what.keyword or what.zones != ("board",):
            raise Unsaid("activated")
        timing = f"[{what.timing.capitalize()}] — " if what.timing else ""
        text = f"{capital(self.cost(what.cost, short=True))}: {timing}{self.program(what.program)}"
        if what.condition is not None:
            text += f" {self._only_if(what.condition)}"
        return text + (" Use only once each turn." if what.once else "")

    def _only_if(self, what: Condition) -> str:
        if what == TurnOf(YOU):
            return "Use only on your turn."
        return f"Use only if {self.condition(what)}."

    def _passive(self, what: Ability) -> str:
        self.printed = True
        if what.optional or what.once or what.keyword or what.zones != ("board",):
            raise Unsaid("passive")
        front = "" if what.condition is None else f"{self._while(what.condition)}, "
        return capital(f"{front}{self.statement(what, '')}.")

    def _while(self, what: Condition) -> str:
        if isinstance(what, Not):
            return f"if {self.condition(what)}"
        if isinstance(what, TurnOf) and what.who in (YOU, Who("opponent")):
            return f"while {self.condition(what)}"
        return f"while {self.condition(what)}"

    def _triggered(self, what: Ability) -> str:
        """ "When I die, draw 1. Discard 1."."""
        if what.uses or what.points or what.timing or what.when is None:
            raise Unsaid("uses")
        if what.zones not in (("board",), ("trash",)):
            raise Unsaid("zones")
        self.from_trash = what.zones == ("trash",)
        if what.keyword == "Deathknell" and what.when == When("unit died", subject=This()):
            return f"[Deathknell] — {capital(self._rest(what))}"
        if what.keyword:
            raise Unsaid(what.keyword)
        if isinstance(what.when, At):
            head = self.moment(what.when)
            self.who = what.when.whose or Who("turn player")
            if what.when.whose in (Who("each player"), Who("any player")):
                self.who = Who("turn player")
        else:
            self.printed = True
            head = self._printed_head(what, what.when)
            self.printed = False
            where, what = self._placed(what, what.when)
            head += where
        if what.once:
            head = f"once each turn, {head}"
        return capital(f"{head}, {self._rest(what)}")

    def _printed_head(self, what: Ability, when: When) -> str:
        if what.kind == "replacement" and what.rewrite == Rewrite("also"):
            if when.event != "enter":
                raise Unsaid("also")
            return f"as {self.happening(when).replace(' the board', '')}"
        would = what.kind == "replacement"
        if when == When("card played", subject=This(), player=YOU) or (
            when == When("card played", subject=This(), player=when.player)
        ):
            return f"when you play {self.ref(This())}" if when.player == YOU else "when " + (
                self.happening(when))  # fmt: skip
        return self.how_often(when, 0, "", would=would, each=" each turn")

    @staticmethod
    def _placed(what: Ability, when: When) -> tuple[str, Ability]:
        """ "… to a battlefield", "… a battlefield you control": a condition worded as a place."""
        condition = what.condition
        first = condition.conditions[0] if isinstance(condition, AllOf) else condition
        if not isinstance(first, Matches) or first.objects != Named("event"):
            return "", what
        place = first.selector.place
        words = {
            ("card played", "battlefield"): " to a battlefield",
            ("card played", "base"): " to your base",
            ("card played", "here"): " here",
            ("attacked", "controlled battlefield"): " a battlefield you control",
            ("defended", "controlled battlefield"): " a battlefield you control",
        }.get((when.event, place))
        if words is None or first.selector != Selector(place=place):
            return "", what
        others = condition.conditions[1:] if isinstance(condition, AllOf) else ()
        rest = None if not others else others[0] if len(others) == 1 else AllOf(others)
        return words, msgspec.structs.replace(what, condition=rest)

    def _rest(self, what: Ability) -> str:
        """What it does: conditions, options, the first sentence, and those behind it."""
        condition = what.condition
        front = f"if {self.condition(condition)}, " if condition is not None else ""
        if what.kind == "replacement":
            return self._replaces(what, front)
        self.pending += list(what.program.choices)
        body = what.program.body
        if not what.optional:
            if what.cost is not None:
                raise Unsaid("a cost")
            only = body[0] if len(body) == 1 else None
            if isinstance(only, If) and not front and not only.otherwise and not self.pending:
                said = self.steps(only.then)
                return f"{said} if {self.condition(only.condition)}."
            said = self.sentences(body)
            return front + _lower(said)
        paid = f"{self.cost(what.cost)} to " if what.cost is not None else ""
        said = self.sentences(body)
        return f"{front}you may {paid}{_lower(said)}"

    def _replaces(self, what: Ability, front: str) -> str:
        return f"{self.does(what)}."

    def quoted(self, ability: Ability) -> str:
        """An ability in quotation marks: the card that has it says "I"."""
        voice = type(self)("unit", {}, inline=True, explicit=False)
        said = voice.ability(ability)
        if not voice.is_plain:
            self.is_plain = False
        return said

    def waiting(self, ability: Ability) -> str:
        """A delayed ability that waits, said on its own."""
        return capital(self.created(ability)) + "."


def _lower(text: str) -> str:
    """The sentence goes on: no capital, unless the word always has one."""
    if text[:2] in ("I ", "I'") or text[:1] in "[+“":
        return text
    return text[:1].lower() + text[1:]


def voices(card_type: str, names: Mapping[str, str]) -> tuple[Voice, ...]:
    """The ways of saying, the nicest first."""
    ways = ((True, False), (False, False), (False, True))
    return tuple(
        Voice(card_type, names, inline=inline, explicit=explicit) for inline, explicit in ways
    )
