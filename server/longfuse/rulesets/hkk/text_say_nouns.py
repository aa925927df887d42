"""Saying what sentences speak of: nouns in their cases, references, amounts, conditions.

Owns the noun phrases of both languages. An English noun has no case; a Hungarian one has, and is
definite or not.
"""

from __future__ import annotations

import re
from typing import Any

from longfuse.abilities.ability import Choice
from longfuse.abilities.nodes import (
    AllOf,
    Arithmetic,
    Attached,
    Compare,
    Condition,
    ControllerOf,
    Count,
    Each,
    Exists,
    Matches,
    Named,
    NamedPlayer,
    Not,
    OwnerOf,
    Players,
    Selector,
    Stat,
    This,
    TurnOf,
    Who,
)
from longfuse.rulesets.hkk.text_say_phrases import CONDITIONS
from longfuse.rulesets.hkk.text_say_words import (
    COUNTERS,
    FORMS,
    IT,
    PLAYERS,
    STATES,
    STATS_HU,
    THEM,
    THIS,
)

_SLOT = re.compile(r"\{(\w+):(\w+)\}")
_VOWELS = "aáeéiíoóöőuúüű"
_POSTS_HU = {
    ("discard", "friendly"): "a gyűjtődből",
    ("discard", "enemy"): "az ellenfeled gyűjtőjéből",
    ("discard", "any"): "bármelyik gyűjtőből",
    ("hand", "friendly"): "a kezedből",
}
_POSTS_EN = {
    ("discard", "friendly"): "from your discard",
    ("discard", "enemy"): "from your opponent's discard",
    ("discard", "any"): "from any discard",
    ("hand", "friendly"): "from your hand",
}


class Unsaid(Exception):
    """There are no words for this."""


class NounVoice:
    """Says nouns in one language; remembers which choices of the ability have been said."""

    def __init__(self, language: str) -> None:
        self.language = language
        self.english = language == "en"
        self.choices: dict[str, Choice] = {}
        self.said: set[str] = set()

    # ------------------------------------------------------------ templates

    def fill(self, template: str, values: dict[str, Any]) -> str:
        """A template with its objects in their cases, and its words."""
        text = _SLOT.sub(lambda at: self.thing(values[at[1]], at[2]), template)
        return re.sub(r"\{([\w ]+)\}", lambda at: str(values[at[1]]), text)

    def article(self, word: str) -> str:
        """The Hungarian definite article with the word behind it."""
        return ("az " if word[:1].lower() in _VOWELS else "a ") + word

    # ------------------------------------------------------------ objects

    def definite(self, node: Any) -> bool:
        """Whether it is a definite object."""
        if isinstance(node, Named):
            return node.name not in self.choices or node.name in self.said
        return isinstance(node, This | Attached)

    def plural(self, node: Any) -> bool:
        """Whether it takes a verb in the plural, in English and behind a plural noun."""
        if isinstance(node, Selector):
            return self.english or not (node.another and node.control != "enemy")
        if isinstance(node, Named) and node.name in self.choices:
            return self.choices[node.name].most != 1 and (self.english or node.name in self.said)
        return False

    def thing(self, node: Any, case: str) -> str:
        """An object, a choice, all of a kind, or whom a statement is about."""
        match node:
            case This():
                return "this" if self.english else THIS[case]
            case Attached():
                if self.english:
                    return "the enchanted permanent"
                return f"a megbűvölt {FORMS[case]['permanent']}"
            case Named(name=name) if name in self.choices and name not in self.said:
                self.said.add(name)
                return self._target(self.choices[name], case)
            case Named(name=name):
                return self._pronoun(name, case)
            case Each(selector=selector):
                return self._every(selector, case)
            case Selector():
                return self._group(node) if case == "nom" else self._every(node, case)
        raise Unsaid(repr(node))

    def happens_to(self, node: Any, case: str) -> str:
        """Whom an event is about."""
        if not isinstance(node, Selector):
            return self.thing(node, case)
        return self._one(node, case)

    def _one(self, selector: Selector, case: str) -> str:
        if self.english:
            noun = self.noun(selector, "one")
            return f"another {noun}" if selector.another else self.a(noun)
        return ("egy másik " if selector.another else "egy ") + self.noun(selector, case)

    def _target(self, choice: Choice, case: str) -> str:
        selector = choice.selector
        if selector is None or not isinstance(choice.most, int):
            raise Unsaid(repr(choice))
        if choice.least == 0 or choice.most > 1:
            lead = f"{choice.most} " if choice.least else f"up to {choice.most} "
            if self.english:
                return lead + self.noun(selector, "pl")
            return lead.replace("up to", "legfeljebb") + self.noun(selector, case)
        another = selector.another or bool(choice.different)
        noun = self.noun(selector, "one" if self.english else case)
        if another:
            return f"another {noun}" if self.english else f"egy másik {noun}"
        return self.a(noun) if self.english else f"egy {noun}"

    def _pronoun(self, name: str, case: str) -> str:
        several = name in self.choices and self.choices[name].most != 1
        if self.english:
            return "them" if several else "it"
        return THEM[case] if several else IT[case]

    def _every(self, selector: Selector, case: str) -> str:
        if self.english:
            return ("each other " if selector.another else "each ") + self.noun(selector, "one")
        return ("minden más " if selector.another else "minden ") + self.noun(selector, case)

    def _group(self, selector: Selector) -> str:
        mine = selector.control == "friendly"
        if self.english:
            lead = "your " if mine else ""
            lead += "other " if selector.another else ""
            return lead + self.noun(selector, "pl", whose=not mine)
        if mine and selector.another:
            return "a többi " + self.noun(selector, "your", whose=False)
        if mine:
            return self.noun(selector, "yours", whose=False)
        if selector.another:
            return "minden más " + self.noun(selector, "nom")
        return self.article(self.noun(selector, "pl"))

    def a(self, noun: str) -> str:
        """An English noun with its article."""
        return ("an " if noun[0] in "aeio" else "a ") + noun

    def noun(self, selector: Selector, case: str, *, whose: bool = True) -> str:
        """A noun with its adjectives; case "one" or "pl" in English."""
        plain = [one for one in selector.states if not one.startswith("has ")]
        has = [one.removeprefix("has ") for one in selector.states if one.startswith("has ")]
        words = [STATES[self.language][one] for one in plain]
        if whose and selector.control != "any":
            names = ("friendly", "enemy") if self.english else ("saját", "ellenséges")
            words.insert(0, names[selector.control == "enemy"])
        if self.english:
            kinds = [kind + ("s" if case == "pl" else "") for kind in selector.kinds]
            return " ".join([*words, " or ".join(kinds), *self._posts(selector, has, case)])
        words += [f"{COUNTERS['hu'][one]} jelzős" for one in has]
        words += [self._limit(one) for one in _limits(selector)]
        kinds = [FORMS[case][kind] for kind in selector.kinds]
        post = _POSTS_HU.get((selector.zone, selector.owner))
        return " ".join([*words, " vagy ".join(kinds), *([post] if post else [])])

    def _posts(self, selector: Selector, has: list[str], case: str) -> list[str]:
        them = "them" if case == "pl" else "it"
        found = [f"with {COUNTERS['en'][one]} counters on {them}" for one in has]
        found += [self._limit(one) for one in _limits(selector)]
        post = _POSTS_EN.get((selector.zone, selector.owner))
        return [*found, post] if post else found

    def _limit(self, compare: Compare) -> str:
        if not isinstance(compare.left, Stat) or not isinstance(compare.right, int):
            raise Unsaid(repr(compare))
        stat = compare.left.stat
        most = compare.operator == "<="
        if not self.english:
            return f"{'legfeljebb' if most else 'legalább'} {compare.right} {STATS_HU[stat]}"
        number, side = compare.right, "less" if most else "more"
        return (
            f"with cost {number} or {side}" if stat == "cost" else f"with {stat} {number} or {side}"
        )

    # ------------------------------------------------------------ players and amounts

    def player(self, node: Players) -> str:
        """A player as the subject of an instruction."""
        match node:
            case Who(role=role) if role in PLAYERS["en"]:
                return PLAYERS[self.language][role]
            case ControllerOf():
                return "its controller" if self.english else "a gazdája"
            case OwnerOf():
                return "its owner" if self.english else "a tulajdonosa"
            case NamedPlayer():
                return "a player" if self.english else "egy játékos"
        raise Unsaid(repr(node))

    def amount(self, node: Any) -> tuple[int, str]:
        """A number, and for each of what it is given."""
        match node:
            case int():
                return node, ""
            case Count(selector=selector):
                return 1, self._per(selector)
            case Arithmetic(operation="times", left=int(number), right=Count(selector=selector)):
                return number, self._per(selector)
        raise Unsaid(repr(node))

    def _per(self, selector: Selector) -> str:
        if self.english:
            return f" for each {self.noun(selector, 'one')}"
        return f" minden {self.noun(selector, 'nom')} után"

    # ------------------------------------------------------------ conditions

    def condition(self, node: Condition) -> str:
        """What has to be so."""
        phrases = CONDITIONS[self.language]
        match node:
            case Not(condition=Exists(selector=selector)):
                return self._exists("none", selector, 0)
            case Exists(selector=selector, least=int(least)):
                kind = "other" if selector.another else "one" if least == 1 else "least"
                return self._exists(kind, selector, least)
            case Compare(left=Stat(stat=stat, of=Who(role=role)), operator=sign, right=number):
                return phrases[f"{stat} {role} {sign}"].replace("{n}", str(number))
            case TurnOf(who=Who(role=role)):
                return phrases[f"turn {role}"]
            case Matches(selector=Selector(states=(state,))):
                return phrases[f"state {state}"]
        raise Unsaid(repr(node))

    def _exists(self, kind: str, selector: Selector, least: int) -> str:
        enemy = selector.control == "enemy"
        values: dict[str, Any] = {"n": least}
        if self.english:
            noun = self.noun(selector, "one", whose=False)
            values.update(noun=noun, nouns=self.noun(selector, "pl", whose=False))
            values["a noun"] = self.a(noun)
        else:
            values["your"] = self.noun(selector, "your", whose=False)
            values["his"] = self.noun(selector, "his", whose=False)
        return self.fill(CONDITIONS[self.language][kind + (" enemy" if enemy else "")], values)


def _limits(selector: Selector) -> list[Compare]:
    where = selector.where
    found = where.conditions if isinstance(where, AllOf) else () if where is None else (where,)
    return [one for one in found if isinstance(one, Compare)]
