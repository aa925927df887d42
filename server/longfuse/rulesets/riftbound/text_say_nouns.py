"""How people speak of things: descriptions, choices, pronouns, players.

Owns the direction from records to plain English for whatever a sentence is about, and the memory of
what was said (`Voice.said`), so that "it" is only said where it will be understood. What has no
plain way raises `Unsaid`, or is put in the formal words of `text_formal_words` (`is_plain` tells).
"""

from __future__ import annotations

from abc import ABC
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass

import msgspec

from longfuse.abilities.ability import Choice
from longfuse.abilities.nodes import (
    AllOf,
    AnyOf,
    Attached,
    Candidate,
    Compare,
    Condition,
    ControllerOf,
    Count,
    Each,
    Linked,
    Matches,
    Named,
    Not,
    Objects,
    OwnerOf,
    Players,
    Selector,
    Stat,
    This,
    Who,
)
from longfuse.rulesets.riftbound import text_formal_words as formal

NUMBERS = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
ORDINALS = ("", "first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth")
SPEAKING = frozenset({"unit", "legend", "battlefield"})
BEFORE = {
    "not damaged": "undamaged", "not stunned": "unstunned", "not buffed": "unbuffed",
    "not equipped": "unequipped", "not attached": "unattached", "not token": "non-token",
}  # fmt: skip
PLAIN_STATES = frozenset(
    {"exhausted", "ready", "damaged", "stunned", "buffed", "attacking", "defending", "equipped",
     "mighty", "facedown", "attached", "signature", "champion"}
)  # fmt: skip
BEHIND = {"played this turn": "played this turn", "moved this turn": "that moved this turn"}
PLACES = {
    "battlefield": ("at a battlefield", "at battlefields"),
    "base": ("in a base", "in bases"),
    "here": ("here", "here"),
    "elsewhere": ("elsewhere", "elsewhere"),
    "controlled battlefield": ("at a battlefield you control", "at battlefields you control"),
    "enemy battlefield": ("at a battlefield an opponent controls",) * 2,
    "open battlefield": ("at an open battlefield", "at open battlefields"),
}
ZONES = {
    ("trash", "friendly"): "your trash", ("trash", "any"): "a trash",
    ("trash", "enemy"): "an opponent's trash", ("hand", "friendly"): "your hand",
    ("hand", "enemy"): "an opponent's hand", ("banishment", "friendly"): "your banishment",
    ("banishment", "any"): "banishment", ("deck", "friendly"): "your Main Deck",
    ("champion", "friendly"): "your Champion Zone", ("any", "any"): "any zone",
    ("top of deck", "friendly"): "the top of your Main Deck",
}  # fmt: skip
ROLES = {
    "you": "you", "opponent": "an opponent", "each player": "each player",
    "each opponent": "each opponent", "any player": "a player", "turn player": "the turn player",
}  # fmt: skip


class Unsaid(Exception):
    """There is no plain way to say this."""


@dataclass(frozen=True)
class Mention:
    """Something that was named."""

    ref: Objects
    kinds: tuple[str, ...] = ("card",)
    many: bool = False


def count(number: int) -> str:
    """A number as people write it in a sentence."""
    return NUMBERS[number] if 0 <= number < len(NUMBERS) else str(number)


def article(words: str) -> str:
    """A or an."""
    first = words.lower()
    is_an = first[:1] in tuple("aeiou") and not first.startswith(("uni", "use"))
    return "an" if is_an else "a"


def capital(text: str) -> str:
    """The sentence with a capital."""
    return text[:1].upper() + text[1:]


class SayNouns(ABC):  # noqa: B024 - what later speakers give is abstract there
    """Things and players in words."""

    def __init__(
        self, card_type: str, names: Mapping[str, str], *, inline: bool, explicit: bool
    ) -> None:
        self.card_type = card_type
        self.names = names
        self.inline = inline
        self.explicit = explicit
        self.is_plain = True
        self.said: list[Mention] = []
        self.pending: list[Choice] = []
        self.who: Players | None = None
        self.printed = False
        self.out_of = "in"
        self.waits = False

    @contextmanager
    def child(self) -> Iterator[None]:
        """What is said inside is forgotten afterwards."""
        said, who, pending = list(self.said), self.who, self.pending
        self.pending = []
        yield
        if self.pending:
            raise Unsaid("a choice that nothing speaks of")
        self.said, self.who, self.pending = said, who, pending

    def formally(self, words: str) -> str:
        """Formal words, which are no plain English."""
        self.is_plain = False
        return words

    def mention(self, ref: Objects, kinds: tuple[str, ...] = ("card",), many: bool = False) -> None:
        """Remember what was named."""
        self.said.append(Mention(ref, kinds, many))

    # ------------------------------------------------------------ pronouns

    @property
    def speaks(self) -> bool:
        """Whether the card says "I"."""
        return self.card_type in SPEAKING

    def ref(self, what: Objects, subject: bool = False) -> str:
        """A reference: "it", "me", "that unit", a name."""
        if isinstance(what, This) and "this" in self.names:
            return self.names["this"]
        if isinstance(what, This):
            return ("I" if subject else "me") if self.speaks else "this"
        if isinstance(what, Named):
            return self._named(what, subject)
        if isinstance(what, Linked) and what.name == "link":
            return f"the cards banished with {self.ref(This())}"
        if isinstance(what, Attached) and what == Attached(This(), to_it=False):
            return "the equipped unit"
        if isinstance(what, Each):
            many = next((one for one in reversed(self.said) if one.many), None)
            if many is not None and many.ref == what:
                return "they" if subject else "them"
            return self.each(what.selector)
        return self.formally(formal.objects(what))

    def _named(self, what: Named, subject: bool) -> str:
        latest = next((one for one in reversed(self.said) if not one.many), None)
        if latest is not None and latest.ref == what:
            return "it"
        if what.name in self.names:
            self.mention(what)
            return self.names[what.name]
        many = next((one for one in reversed(self.said) if one.many), None)
        if many is not None and many.ref == what:
            return "they" if subject else "them"
        for kind in self._kinds_said(what):
            fitting = (one for one in reversed(self.said) if not one.many and kind in one.kinds)
            found = next(fitting, None)
            if found is not None and found.ref == what:
                return f"that {kind}"
        if self.waits:
            self.mention(what)
            return "that card"
        if self.explicit:
            return self.formally(formal.objects(what))
        raise Unsaid(what.name)

    def _is_latest(self, what: Objects) -> bool:
        """Whether "it" would be that."""
        latest = next((one for one in reversed(self.said) if not one.many), None)
        return latest is not None and latest.ref == what

    def _kinds_said(self, what: Named) -> tuple[str, ...]:
        return next((one.kinds for one in reversed(self.said) if one.ref == what), ())

    def whose(self, what: Objects) -> str:
        """The possessive: "its", "my", "that unit's"."""
        word = self.ref(what)
        if isinstance(what, This) and "this" in self.names:
            return f"{word}'s"
        if isinstance(what, This):
            return "my" if self.speaks else f"this {self.card_type or 'card'}'s"
        if word in ("it", "they", "them"):
            return "its" if word == "it" else "their"
        if word.startswith("that ") or (isinstance(what, Named) and what.name in self.names):
            return f"{word}'s"
        raise Unsaid(word)

    def player(self, who: Players, subject: bool = False) -> str:
        """A player."""
        if isinstance(who, Who):
            return ROLES[who.role]
        if who == self.who:
            return "that player"
        if isinstance(who, ControllerOf | OwnerOf):
            self.who = who
            role = "controller" if isinstance(who, ControllerOf) else "owner"
            if isinstance(who.of, Linked):
                return f"the {role} of {self.ref(who.of)}"
            return f"{self.whose(who.of)} {role}"
        if who.name in self.names:
            return self.names[who.name]
        if self.waits:
            return "that player"
        return self.formally(formal.player(who))

    # ------------------------------------------------------------ descriptions

    def a(self, selector: Selector, event: bool = False) -> str:
        """One that matches: "a friendly unit"."""
        words, other = self._other(selector)
        said = self.described(words, event=event)
        if other:
            return f"another {said}"
        return f"{article(said)} {said}"

    def all_of(self, selector: Selector, event: bool = False) -> str:
        """All that match: "friendly units"."""
        words, other = self._other(selector)
        return ("other " if other else "") + self.described(words, plural=True, event=event)

    def each(self, selector: Selector) -> str:
        """All that match now: "all enemy units"."""
        said = f"all {self.all_of(selector)}"
        self.mention(Each(selector), selector.kinds, many=True)
        return said

    def _other(self, selector: Selector) -> tuple[Selector, bool]:
        """Take "another" out of a description."""
        if self.explicit:
            return selector, False
        if selector.another and not selector.not_in:
            return msgspec.structs.replace(selector, another=False), True
        if len(selector.not_in) == 1 and not selector.another:
            return msgspec.structs.replace(selector, not_in=()), True
        return selector, False

    def described(self, selector: Selector, *, plural: bool = False, event: bool = False) -> str:
        """A description without article: "damaged enemy unit at a battlefield"."""
        before: list[str] = []
        behind: list[str] = []
        kinds = self._kinds(selector, plural)
        for state in selector.states:
            self._state(state, before, behind, selector)
        for one in self._conditions(selector.where):
            self._where(one, before, behind)
        if "token" in selector.states:
            kinds += " tokens" if plural else " token"
        side = [selector.control] if selector.control != "any" else []
        words = [*before, *side, kinds, *self._where_it_is(selector, plural, event), *behind]
        words += self._further(selector)
        return " ".join(words)

    def _kinds(self, selector: Selector, plural: bool) -> str:
        if selector.tags:
            if len(selector.tags) != 1 or len(selector.kinds) != 1:
                raise Unsaid("several tags")
            kind = selector.kinds[0]
            if kind not in ("unit", "gear", "card"):
                raise Unsaid(kind)
            head = "unit" if kind == "unit" else kind
            return f"{selector.tags[0]} {self._plural(head) if plural else head}"
        both = [self._plural(one) if plural else one for one in selector.kinds]
        if "token" in selector.states and (plural or len(both) != 1):
            both = [*both[:-1], selector.kinds[-1]]
        return " or ".join(both)

    @staticmethod
    def _plural(kind: str) -> str:
        if kind in ("gear", "equipment"):
            return kind
        return "abilities" if kind == "ability" else f"{kind}s"

    def _state(self, state: str, before: list[str], behind: list[str], selector: Selector) -> None:
        if state == "token":
            return
        if state in PLAIN_STATES:
            before.append(state)
        elif state in BEFORE:
            before.append(BEFORE[state])
        elif state in BEHIND:
            behind.append(BEHIND[state])
        elif state == "alone":
            behind.append("that is alone")
        else:
            behind.append(self.formally(f"in state {formal.quote(state)}"))

    @staticmethod
    def _conditions(where: Condition | None) -> tuple[Condition, ...]:
        if where is None:
            return ()
        return where.conditions if isinstance(where, AllOf) else (where,)

    def _where(self, one: Condition, before: list[str], behind: list[str]) -> None:
        if isinstance(one, Compare) and (said := self.compared(one, Candidate())):
            behind.append(f"with {said}")
        elif isinstance(one, Not) and isinstance(one.condition, Matches):
            selector = one.condition.selector
            if selector.keywords:
                behind.append(f"without {' or '.join(f'[{key}]' for key in selector.keywords)}")
            else:
                before.append(f"non-{(selector.tags or selector.kinds)[0]}")
        elif isinstance(one, Matches) and one.objects == Named("candidate.targets"):
            behind.append(f"that chooses {self.a(one.selector)}")
        elif isinstance(one, AnyOf) and "attacking" in str(one) and "defending" in str(one):
            behind.append("in combat")
        else:
            behind.append(self.formally(f"such that [{formal.condition(one)}]"))

    def compared(self, what: Compare, of: Objects | Candidate) -> str:
        """ "3 Might or less", if it is a comparison of that one."""
        left, right = what.left, what.right
        if not isinstance(left, Stat) or left.of != of:
            return ""
        more = {"<=": " or less", ">=": " or more", "==": ""}.get(what.operator)
        if left.stat == "might":
            if isinstance(right, int) and more is not None:
                return f"{right} Might{more}" if more else f"exactly {right} Might"
            if isinstance(right, Stat) and right.stat == "might" and what.operator in "<>":
                than = "less" if what.operator == "<" else "more"
                if isinstance(right.of, This | Named):
                    return f"{than} Might than {self.ref(right.of)}"
        if isinstance(right, int) and left.stat == "energy" and what.operator != "!=":
            if more is None:
                return f"Energy cost less than {right}" if what.operator == "<" else ""
            return f"Energy cost {right}{more}"
        if left.stat == "energy" and right == Stat("points", Who("you")) and what.operator == "<":
            return "Energy cost less than your points"
        if isinstance(right, int) and left.stat == "power" and what.operator == ">=":
            return f"a Power cost of {right} or more"
        return ""

    def _where_it_is(self, selector: Selector, plural: bool, event: bool) -> list[str]:
        words: list[str] = []
        owner = selector.owner
        if selector.zone != self._usual_zone(selector, event) and selector.among is None:
            zone = ZONES.get((selector.zone, owner))
            theirs = selector.controller is not None and selector.controller == self.who
            if theirs and selector.zone in ("hand", "trash"):
                words.append(f"{self.out_of} their {selector.zone}")
            elif zone is not None:
                words.append(f"{self.out_of} {zone}")
                owner = "any"
            elif selector.zone in ("board", "chain"):
                words.append(f"on the {selector.zone}")
            else:
                words.append(self.formally(f"in zone {formal.quote(selector.zone)}"))
        if owner != "any":
            words.append("you own" if owner == "friendly" else "an opponent owns")
        if selector.place_of is not None:
            words.append(self._beside(selector))
        elif selector.place in PLACES:
            words.append(PLACES[selector.place][plural])
        elif selector.place:
            words.append(self.formally(f"in place {formal.quote(selector.place)}"))
        return words

    def _beside(self, selector: Selector) -> str:
        if selector.place_of is None:
            raise Unsaid("unfit")
        of = selector.place_of
        if isinstance(of, Named) and selector.place == "same":
            latest = next((one for one in reversed(self.said) if not one.many), None)
            if latest is not None and latest.ref == of:
                return "there"
        side = "at" if selector.place == "same" else "not at"
        return f"{side} the location of {self.ref(of)}"

    @staticmethod
    def _usual_zone(selector: Selector, event: bool) -> str:
        kinds = set(selector.kinds)
        if "facedown" in selector.states:
            return "facedown"
        if event and kinds & {"spell", "ability", "card"}:
            return "any"
        if kinds <= {"spell", "ability"}:
            return "chain"
        return "any" if selector.kinds == ("card",) else "board"

    def _further(self, selector: Selector) -> list[str]:
        words: list[str] = []
        if selector.another:
            words.append(f"other than {self.ref(This())}")
        words += [f"other than {self.ref(one)}" for one in selector.not_in]
        if selector.controller is not None:
            if isinstance(selector.controller, ControllerOf) and (
                self._is_latest(selector.controller.of)
            ):
                words.append("with the same controller")
            elif selector.controller == self.who and selector.zone in ("hand", "trash"):
                pass
            elif selector.controller == self.who:
                words.append("they control" if selector.zone == "board" else "that player controls")
            else:
                words.append(self.formally(
                    f"under the control of {formal.player(selector.controller)}"))  # fmt: skip
        if selector.among is not None:
            words.append(f"from among {self.ref(selector.among)}")
        if selector.name:
            words.append(f"named {selector.name}")
        if selector.keywords:
            words.append("with " + " and ".join(f"[{one}]" for one in selector.keywords))
        return words

    # ------------------------------------------------------------ choices

    def choice(self, what: Choice) -> str:
        """What is to be chosen: "up to two enemy units"; from now on it may be called "it"."""
        selector, named = what.selector, Named(what.name)
        if selector is None or what.of not in ("object", "place"):
            raise Unsaid(what.of)
        many = (what.least, what.most) != (1, 1)
        said = self._chosen(what, selector, many)
        self.mention(named, selector.kinds, many=many and what.most != 1)
        return said

    def _chosen(self, what: Choice, selector: Selector, many: bool) -> str:
        if what.who is not None and what.who != self.who:
            raise Unsaid("another player chooses")
        if "together" in selector.states:
            states = tuple(one for one in selector.states if one != "together")
            selector = msgspec.structs.replace(selector, states=states)
            if selector.place != "battlefield":
                return f"{self._number(what)} {self.all_of(selector)} at the same location"
            alone = msgspec.structs.replace(selector, place="")
            return f"{self._number(what)} {self.all_of(alone)} at a battlefield"
        if selector.among is not None and selector == Selector(
            kinds=selector.kinds, zone="any", among=selector.among
        ):
            return f"{self._of_them(what)} of {self.ref(selector.among)}"
        if not many:
            if what.different:
                return f"another {self.described(selector)}"
            return self.a(selector)
        other = "other " if what.different else ""
        said = self.described(selector, plural=what.most != 1)
        return f"{self._number(what)} {other}{said}"

    def _of_them(self, what: Choice) -> str:
        if (what.least, what.most) == (1, 1):
            return "one"
        return self._number(what).removesuffix(" of")

    def _number(self, what: Choice) -> str:
        least, most = what.least, what.most
        if what.selector is not None and most == Count(what.selector):
            return "any number of" if least == 0 else "one or more of"
        if not isinstance(most, int) or least not in (0, most):
            raise Unsaid("a number")
        return f"up to {count(most)}" if least == 0 else count(most)

    def target(self, what: Objects) -> str:
        """What an instruction acts on: a choice made right here, or a reference."""
        if self.pending and isinstance(what, Named) and self.pending[0].name == what.name:
            self.out_of = "from"
            said = self.choice(self.pending.pop(0))
            self.out_of = "in"
            return said
        return self.ref(what)
