"""How people say what is so: "it can't move this turn", "your next spell costs 2 less".

Owns the plain English of passives, printed or delayed, and of replacements worded as statements.
"""

from __future__ import annotations

import re
from abc import abstractmethod

import msgspec

from longfuse.abilities.ability import Ability, Change, Program, Rewrite
from longfuse.abilities.nodes import (
    Each,
    Named,
    Objects,
    Players,
    Selector,
    Stat,
    This,
    When,
    Who,
)
from longfuse.rulesets.riftbound.text_say_conditions import YOU, inflected
from longfuse.rulesets.riftbound.text_say_nouns import ORDINALS, Unsaid
from longfuse.rulesets.riftbound.text_say_verbs import DOMAINS, SayVerbs

CANT = {
    "move": "move", "ready": "be readied", "attack": "attack", "defend": "defend",
    "be chosen": "be chosen by enemy spells and abilities", "be damaged": "be dealt damage",
    "be killed": "be killed", "be recalled": "be recalled",
    "deal combat damage": "deal combat damage",
}  # fmt: skip
PLAYERS_CANT = {"play cards": "play cards", "gain points": "gain points", "move": "move units",
                "activate": "activate abilities", "draw": "draw cards", "score here": "score here",
                "attack": "attack"}  # fmt: skip
PLAY_TO = {"open battlefield": "an open battlefield", "battlefield": "a battlefield",
           "enemy battlefield": "an occupied enemy battlefield"}  # fmt: skip


class SayGifts(SayVerbs):
    """Statements in words."""

    # ------------------------------------------------------------ delayed ones

    def gift(self, ability: Ability) -> str:
        """A delayed passive as a sentence."""
        window = "" if ability.window is None else self._window_of(ability)
        front, tail = "", f" {window}" if window else ""
        if ability.condition is not None:
            front = f"as long as {self.condition(ability.condition)}, "
        given = None if front else self._given(ability, tail)
        if given is not None:
            return given
        if len(window.split()) > 2 and not isinstance(_about(ability), Named):
            return f"{window}, {self.statement(ability, '')}"
        return front + self.statement(ability, tail)

    def _window_of(self, ability: Ability) -> str:
        window = ability.window
        if window is None:
            raise Unsaid("unfit")
        about = ability.changes[0].of if ability.changes else None
        if window.how == "while in zone" and not window.zone:
            if window.of != about:
                raise Unsaid("where it is")
            return ""
        if (
            window.of is not None
            and window.of == about
            and (self.waits or (self.pending and window.of == Named(self.pending[0].name)))
        ):
            # "Give a unit +2 Might for as long as it is on the board."
            return f"for as long as it is {_ON.get(window.zone, window.zone)}"
        return self.window(window)

    @staticmethod
    def is_given(ability: Ability) -> bool:
        """Whether it is said as something that is given, taken or doubled, not as a statement."""
        only = ability.changes[0]
        taken = only == Change("controller", of=only.of, who=YOU) or _is_double(only)
        return _are_gifts(ability.changes) or (len(ability.changes) == 1 and taken)

    def _given(self, ability: Ability, tail: str) -> str | None:
        """ "Give a unit +2 Might this turn", where something is given to known objects."""
        changes = ability.changes
        of = _about(ability)
        if self.waits or ability.binds is not None or not isinstance(of, This | Named | Each):
            return None
        only = changes[0]
        if len(changes) == 1 and only == Change("controller", of=of, who=YOU) and tail:
            return f"take control of {self.target(of)}{tail}"
        if len(changes) == 1 and only == Change("might", of=of, amount=Stat("might", of)):
            if self.pending and of == Named(self.pending[0].name):
                selector = self.pending[0].selector
                if selector is None:
                    raise Unsaid("unfit")
                self.target(of)
                return f"double the Might of {self.a(selector)}{tail}"
            return f"double {self.whose(of)} Might{tail}"
        if not _are_gifts(changes):
            return None
        whom = self.target(of)
        return f"give {whom} {self._gifts(changes, tail)}"

    def _gifts(self, changes: tuple[Change, ...], tail: str) -> str:
        """ "+2 Might and [Tank] this turn", with riders behind."""
        said: list[str] = []
        rider = ""
        for one in changes:
            words, behind = self._one_gift(one)
            said.append(words)
            rider = rider or behind
        text = said[0] if len(said) == 1 else f"{', '.join(said[:-1])} and {said[-1]}"
        if rider.startswith(","):
            return f"{text}{tail}{rider}"
        return f"{text}{rider}{tail}"

    def _one_gift(self, one: Change) -> tuple[str, str]:
        if one.asks == "might":
            return self._might(one)
        if one.asks == "keyword":
            return self._keyword(one), ""
        if one.asks == "ability" and one.ability is not None:
            return f"“{self.quoted(one.ability)}”", ""
        if one.asks == "bonus damage" and isinstance(one.amount, int):
            return f"{one.amount} Bonus Damage", ""
        raise Unsaid(one.asks)

    @abstractmethod
    def quoted(self, ability: Ability) -> str:
        """An ability in quotation marks."""

    def _might(self, one: Change) -> tuple[str, str]:
        if one.set:
            raise Unsaid("set")
        least = f", to a minimum of {one.least} Might" if one.least is not None else ""
        number, each = self.counted(one.amount)
        if number is not None:
            if number < 0 and each:
                return f"-{-number} Might", each + least
            return f"{'+' if number >= 0 else '-'}{abs(number)} Might", each + least
        if one.amount is None:
            raise Unsaid("unfit")
        return f"+ Might equal to {self.amount(one.amount)}", least

    def _keyword(self, one: Change) -> str:
        if one.resources == (("own cost", 1),):
            return f"[{one.word}] equal to its cost"
        if one.resources:
            raise Unsaid("a keyword's cost")
        if one.amount is None:
            return f"[{one.word}]"
        if isinstance(one.amount, int):
            return f"[{one.word} {one.amount}]"
        return f"[{one.word}] equal to {self.amount(one.amount)}"

    # ------------------------------------------------------------ statements

    def statement(self, ability: Ability, tail: str) -> str:
        """What is so: "opponents can't play spells this turn"."""
        first = ability.changes[0]
        if len(ability.changes) <= 2 and first.asks == "may":
            return self._permission(ability, tail)
        if first.asks == "must not" and first.who is not None:
            if len(ability.changes) > 1:
                raise Unsaid("several")
            return self._forbidden(first, first.who, tail)
        for place, where in (("battlefield", "battlefields"), ("base", "base")):
            if first == Change("must not", of=Selector(place=place), word="move to"):
                return f"units can't move to {where}{tail}"
        if first.asks == "might" and (first.set or _is_double(first)):
            return self._might_is(first, tail)
        if first.asks == "controller" and first.who is not None and isinstance(first.of, Named):
            who = self.player(first.who, subject=True)
            return f"{who} {inflected('control', who)} {self.ref(first.of)}{tail}"
        if any(one.of != first.of for one in ability.changes):
            raise Unsaid("several subjects")
        if ability.binds is not None:
            who, tail = self._next(ability.binds, ability.uses, tail)
        else:
            who = self._subject(first)
        return f"{who} {self._predicate(ability.changes, who, tail)}"

    def _subject(self, change: Change) -> str:
        of = change.of
        if isinstance(of, Selector):
            costs = change.asks in ("cost", "bonus damage", "base cost") and "spell" not in of.kinds
            if costs and of.zone == "any" and of.control != "any":
                plain = msgspec.structs.replace(of, control="any", zone="board")
                return f"{self.all_of(plain)} {_plays(of.control)}"
            if change.asks == "cost" and of.zone == "any" and of.control != "any":
                plain = msgspec.structs.replace(of, control="any")
                return f"{self.all_of(plain, event=True)} {_plays(of.control)}"
            yours = Selector(kinds=("spell", "ability"), control="friendly", zone="chain")
            if change.asks == "bonus damage" and of == yours:
                return "your spells and abilities"
            return self.all_of(of)
        if self.waits and isinstance(of, Each):
            return self.all_of(of.selector)
        if isinstance(of, Each) or of is None:
            raise Unsaid("each")
        if self.pending and isinstance(of, Named) and of.name == self.pending[0].name:
            return self.target(of)
        return self.ref(of, subject=True)

    def _next(self, binds: When, uses: int, tail: str) -> tuple[str, str]:
        """ "Your next spell this turn"."""
        selector = binds.subject
        if not isinstance(selector, Selector) or binds.event != "card finalized":
            raise Unsaid("bound")
        usual = msgspec.structs.replace(selector, zone="board")
        kinds = self.described(usual)
        if selector.zone != "chain" or binds.facts or binds.source is not None:
            raise Unsaid("bound")
        kinds = kinds.replace(" on the board", "")
        if binds.nth:
            if binds.player != YOU or uses:
                raise Unsaid("nth")
            if self.printed:
                return f"your {ORDINALS[binds.nth]} {kinds} each turn", tail
            return f"the {ORDINALS[binds.nth]} {kinds} you play{tail}", ""
        if uses != 1:
            raise Unsaid("uses")
        if binds.player == YOU:
            return f"your next {kinds}{tail}", ""
        if binds.player == Who("each opponent"):
            return f"the next {kinds} an opponent plays{tail}", ""
        raise Unsaid("who")

    def _predicate(self, changes: tuple[Change, ...], who: str, tail: str) -> str:
        plural = "they" if self._are_many(who) else who
        first = changes[0]
        if all(one.asks in ("might", "keyword", "ability") for one in changes):
            return f"{inflected('have', plural)} {self._gifts(changes, tail)}"
        if all(one.asks == "must not" for one in changes):
            return f"{self._cannot(changes, plural)}{tail}"
        if len(changes) > 1:
            raise Unsaid("several changes")
        if first.asks == "bonus damage" and isinstance(first.amount, int):
            return f"{inflected('deal', plural)} {first.amount} Bonus Damage{tail}"
        if first.asks == "cost":
            return f"{inflected('cost', plural)} {self._costs(first, tail)}"
        if first == Change("base cost", of=first.of, amount=0):
            return f"{inflected('cost', plural)} nothing{tail}"
        if first == Change("no abilities", of=first.of):
            return f"{inflected('lose', plural)} all abilities{tail}"
        if first == Change("no keyword", of=first.of, word=first.word):
            return f"{inflected('lose', plural)} [{first.word}]{tail}"
        if first == Change("tags", of=first.of, word=first.word):
            return f"{inflected('be', plural)} a {first.word}{tail}"
        raise Unsaid(first.asks)

    def _are_many(self, who: str) -> bool:
        if who in self.names.values():
            return " and " in who
        return who not in ("I", "it", "you") and _is_many(who)

    @staticmethod
    def _cannot(changes: tuple[Change, ...], who: str) -> str:
        words = [one.word for one in changes]
        if words == ["attack", "defend"]:
            return "can't attack or defend"
        if len(words) != 1 or words[0] not in CANT:
            raise Unsaid("several bans")
        if words[0] == "deal combat damage":
            return f"{'does' if inflected('have', who) == 'has' else 'do'}n't deal combat damage"
        return f"can't {CANT[words[0]]}"

    def _costs(self, one: Change, tail: str) -> str:
        least = f", to a minimum of {one.least}" if one.least is not None else ""
        if one.resources:
            (word, number), *more = one.resources
            if one.amount is not None or more or number > 0 or word not in DOMAINS or one.set:
                raise Unsaid("Power")
            return f"{-number} {word} less{tail}{least}"
        energy, each = self.counted(one.amount)
        if energy is None:
            raise Unsaid("a cost")
        return f"{abs(energy)} {'more' if energy > 0 else 'less'}{each}{tail}{least}"

    def _might_is(self, one: Change, tail: str) -> str:
        if one.of is None or one.amount is None:
            raise Unsaid("unfit")
        if isinstance(one.of, Selector | Each):
            raise Unsaid("their Might")
        whose = self.whose(one.of)
        if not one.set:
            return f"{whose} Might is doubled{tail}"
        verb = "becomes" if isinstance(one.amount, int) else "is equal to"
        return f"{whose} Might {verb} {self.amount(one.amount)}{tail}"

    def _forbidden(self, one: Change, who: Players, tail: str) -> str:
        """ "Opponents can't play spells"."""
        names = {"each opponent": "opponents", "each player": "players", "opponent": "an opponent",
                 "you": "you"}  # fmt: skip
        name = names.get(who.role) if isinstance(who, Who) else self.player(who, subject=True)
        if name is None or one.word not in PLAYERS_CANT:
            raise Unsaid(one.word)
        said = PLAYERS_CANT[one.word]
        if isinstance(one.of, Selector):
            words = {"play cards": "play", "move": "move"}.get(one.word)
            if words is None:
                raise Unsaid(one.word)
            usual = msgspec.structs.replace(one.of, zone="board") if (
                words == "play" and one.of.zone == "any" and not {"spell", "card", "ability"}
                & set(one.of.kinds)) else one.of  # fmt: skip
            said = f"{words} {self.all_of(usual, event=words == 'play')}"
        elif one.of is not None:
            raise Unsaid("what")
        return f"{name} can't {said}{tail}"

    def _permission(self, ability: Ability, tail: str) -> str:
        """ "You may play it this turn, ignoring its cost"."""
        first, *more = ability.changes
        if first == Change("may", word="hide ignoring costs", who=YOU) and not more:
            return f"{tail.strip()}, you can hide cards ignoring costs"
        if first.word in ("play this to", "play to") and isinstance(first.of, Selector):
            return self._play_to(first, tail)
        if first.word != "play" or first.who is None or first.of is None:
            raise Unsaid(first.word)
        who = self.player(first.who, subject=True)
        free = ""
        if more:
            word = more[0].word
            if more[0] != Change("base cost", of=first.of, amount=0, word=word):
                raise Unsaid("a cost")
            free = self.freely(word)
        if not isinstance(first.of, Selector):
            return f"{who} may play {self.ref(first.of)}{tail}{free}"
        if ability.uses == 1:
            return f"{who} may play {self.a(first.of)}{tail}{free}"
        return f"{who} may play {self.all_of(first.of)}{tail}{free}"

    def _play_to(self, one: Change, tail: str) -> str:
        place = one.of.place if isinstance(one.of, Selector) else ""
        if one.of != Selector(kinds=("battlefield",), place=place) or place not in PLAY_TO or tail:
            raise Unsaid("where to")
        if one.word == "play this to":
            return f"{self.ref(This(), subject=True)} may be played to {PLAY_TO[place]}"
        return f"friendly units may be played to {PLAY_TO[place]}"

    # ------------------------------------------------------------ replacements as statements

    def statement_of(self, ability: Ability) -> str:
        """A replacement that people word as a statement; empty: it is not one."""
        when, rewrite = ability.when, ability.rewrite
        if not isinstance(when, When) or rewrite is None or ability.program != Program():
            return ""
        if ability.optional or ability.cost is not None or ability.condition is not None:
            return ""
        if when.event == "enter" and rewrite.how == "change":
            return self._enters(ability, when, rewrite)
        if when.event == "damage" and rewrite == Rewrite("prevent"):
            return self._prevented(ability, when)
        if when == When("damage", subject=when.subject) and not ability.uses and not ability.points:
            return self._takes(ability, when, rewrite)
        return ""

    def _tail(self, ability: Ability) -> str:
        return f" {self.window(ability.window)}" if ability.window is not None else ""

    def _enters(self, ability: Ability, when: When, rewrite: Rewrite) -> str:
        facts = dict(rewrite.facts)
        if set(facts) != {"exhausted"} or when.source is not None:
            return ""
        word, tail = "exhausted" if facts["exhausted"] else "ready", self._tail(ability)
        if when.player is None:
            if when.nth or ability.uses or not isinstance(when.subject, Selector | This):
                return ""
            if isinstance(when.subject, This):
                who = self.ref(when.subject, subject=True)
                return f"{who} {inflected('enter', who)} {word}{tail}"
            return f"{self.all_of(when.subject)} enter {word}{tail}"
        if not isinstance(when.subject, Selector):
            return ""
        plays = "you play" if when.player == YOU else "your opponents play"
        if when.player not in (YOU, Who("each opponent")):
            return ""
        if when.nth:
            said = self.described(when.subject)
            tail = " each turn" if self.printed else tail
            return f"the {ORDINALS[when.nth]} {said} {plays}{tail} enters {word}"
        if ability.uses == 1:
            one = "you play" if when.player == YOU else "an opponent plays"
            return f"the next {self.described(when.subject)} {one}{tail} enters {word}"
        return f"{self.all_of(when.subject)} {plays}{tail} enter {word}"

    def _prevented(self, ability: Ability, when: When) -> str:
        facts = dict(when.facts)
        if when.player is not None or when.nth or ability.uses or set(facts) - {"combat"}:
            return ""
        kind = {True: "combat ", False: "noncombat "}.get(bool(facts["combat"])) if facts else ""
        to = ""
        if isinstance(when.subject, Selector):
            to = f" that would be dealt to {self.all_of(when.subject, event=True)}"
        elif when.subject is not None:
            to = f" that would be dealt to {self._object_of(when.subject)}"
        elif when.source is not None:
            to = " that would be dealt"
        tail = self._tail(ability)
        if ability.points:
            return f"prevent the next {ability.points} {kind}damage{to}{tail}" if to else ""
        by = ""
        if when.source is not None:
            if to != " that would be dealt":
                return ""
            by = f" by {self._any(when.source)}"
        return f"prevent all {kind}damage{to}{by}{tail}"

    def _object_of(self, what: Objects) -> str:
        return self.target(what)

    def _takes(self, ability: Ability, when: When, rewrite: Rewrite) -> str:
        tail = self._tail(ability)
        if isinstance(when.subject, Selector):
            who, verb = self.all_of(when.subject), "take"
        elif isinstance(when.subject, This | Named):
            who = self.ref(when.subject, subject=True)
            verb = inflected("take", who)
        else:
            return ""
        if rewrite == Rewrite("times", 2):
            return f"{who} {verb} double damage{tail}"
        if rewrite.how == "plus" and isinstance(rewrite.amount, int) and not rewrite.facts:
            more = "more" if rewrite.amount > 0 else "less"
            return f"{who} {verb} {abs(rewrite.amount)} {more} damage{tail}"
        return ""


_ON = {"board": "on the board", "trash": "in its owner's trash", "banishment": "banished"}


def _about(ability: Ability) -> Objects | Selector | None:
    of = ability.changes[0].of if ability.changes else None
    return of if all(one.of == of for one in ability.changes) else None


def _are_gifts(changes: tuple[Change, ...]) -> bool:
    return all(one.asks in ("might", "keyword", "ability") and not one.set for one in changes)


def _is_double(one: Change) -> bool:
    return isinstance(one.amount, Stat) and one.amount == Stat("might", one.amount.of) and (
        one.amount.of == one.of)  # fmt: skip


def _is_many(who: str) -> bool:
    """A bare plural: it has no article."""
    return not re.match(
        r"(the|a|an|another|your (next|first|second|third)|this|that|my) ", f"{who} "
    )


def _plays(control: str) -> str:
    return "you play" if control == "friendly" else "your opponents play"
