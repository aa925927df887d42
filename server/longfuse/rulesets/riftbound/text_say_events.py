"""How people speak of events, moments and windows: "when you next conquer", "this turn".

Owns the plain English of everything that comes before the comma of a sentence.
"""

from __future__ import annotations

from longfuse.abilities.ability import Duration
from longfuse.abilities.nodes import (
    At,
    ControllerOf,
    Named,
    NamedPlayer,
    Objects,
    OwnerOf,
    Players,
    Selector,
    This,
    When,
    Who,
)
from longfuse.rulesets.riftbound.text_say_conditions import YOU, SayConditions, inflected
from longfuse.rulesets.riftbound.text_say_nouns import ORDINALS, Unsaid, count

BY_OBJECT = {
    "unit died": "die", "gear died": "die", "killed": "die", "death": "die",
    "damage dealt": "take damage", "damage": "take damage", "healed": "be healed",
    "moved": "move", "move": "move", "recalled": "be recalled", "recall": "be recalled",
    "readied": "be readied", "ready": "be readied", "exhausted": "be exhausted",
    "exhaust": "be exhausted", "stunned": "be stunned", "stun": "be stunned",
    "buffed": "be buffed", "buff": "be buffed", "chosen": "be chosen", "conquered": "conquer",
    "held": "hold", "attacked": "attack", "defended": "defend", "combat won": "win a combat",
    "discarded": "be discarded", "discard": "be discarded", "recycled": "be recycled",
    "recycle": "be recycled", "banished": "be banished", "returned": "be returned",
    "control changed": "change control", "control": "change control", "countered": "be countered",
    "counter": "be countered", "left board": "leave the board", "leave board": "leave the board",
    "leave chain": "leave the chain", "entered": "enter the board", "enter": "enter the board",
    "card played": "be played", "token made": "be created", "token": "be created",
    "revealed": "be revealed", "became mighty": "become [Mighty]",
    "trash": "be put into its owner's trash", "attached": "be attached",
}  # fmt: skip
BY_PLAYER = {
    "card played": "play", "unit died": "kill", "killed": "kill", "stunned": "stun",
    "buffed": "buff", "readied": "ready", "exhausted": "exhaust", "recycled": "recycle",
    "banished": "banish", "chosen": "choose", "moved": "move", "attached": "attach",
    "countered": "counter", "returned": "return", "recalled": "recall", "healed": "heal",
    "revealed": "reveal", "token made": "create", "damage dealt": "deal damage to",
    "equipped": "attach an Equipment to",
    "discarded": "discard", "discard": "discard", "control changed": "take control of",
}  # fmt: skip
BY_PLAYER_ALONE = {
    "drew": "draw a card", "draw": "draw a card", "points gained": "score", "points": "score",
    "xp gained": "gain XP", "combat won": "win a combat", "buff spent": "spend a buff",
    "hidden": "hide a card", "channeled": "channel a rune", "burned out": "burn out",
    "ability activated": "use an ability",
}  # fmt: skip
PHASES = frozenset({"awaken", "beginning", "scoring", "channel", "draw", "main", "ending",
                    "expiration"})  # fmt: skip


class SayEvents(SayConditions):
    """Events and times in words."""

    # ------------------------------------------------------------ windows and moments

    def window(self, what: Duration) -> str:
        """A window: "this turn", "until the start of your next turn"."""
        how, of = what.how, what.of
        if how in ("this turn", "this combat", "this phase"):
            return how
        if how == "game":
            return "for the rest of this game"
        if how in ("until start of turn", "until end of turn"):
            return f"until the {how.split()[1]} of {self.whose_turn(what.who, next_one=True)} turn"
        if of is None:
            raise Unsaid(how)
        if how == "while in zone" and what.zone in ("board", "trash", "hand", "banishment"):
            if what.zone == "board" and isinstance(of, This):
                it = self.ref(of, subject=True)
                return f"until {it} {inflected('leave', it)} the board"
            where = {"board": "on the board", "trash": "in its owner's trash",
                     "hand": "in its owner's hand", "banishment": "banished"}  # fmt: skip
            return f"for as long as {self._is(of, where[what.zone])}"
        if how == "while on chain":
            return f"for as long as {self._is(of, 'on the chain')}"
        if how == "while controlled" and what.who == YOU:
            return f"for as long as you control {self.ref(of)}"
        raise Unsaid(how)

    def whose_turn(self, who: Players | None, *, next_one: bool) -> str:
        """ "Your next", "an opponent's", "each"."""
        ending = " next" if next_one else ""
        if who is None:
            return "the next" if next_one else "each"
        if isinstance(who, Who):
            words = {"you": "your", "opponent": "your opponent's", "each player": "each player's",
                     "each opponent": "each opponent's", "any player": "a player's"}  # fmt: skip
            if who.role not in words or (next_one and who.role in ("each player", "any player")):
                raise Unsaid(who.role)
            return words[who.role] + ending
        if isinstance(who, ControllerOf | OwnerOf) and self.ref(who.of) == "it":
            return ("its controller's" if isinstance(who, ControllerOf) else "its owner's") + ending
        if who == self.who:
            return f"that player's{ending}"
        raise Unsaid("whose turn")

    def moment(self, at: At) -> str:
        """A moment of the calendar."""
        if at.turn == "this":
            fixed = {"ending": "at the end of this turn", "combat end": "at the end of this combat"}
            if at.mark in fixed and at.whose is None:
                return fixed[at.mark]
            if at.whose is None and at.mark in PHASES:
                return f"at the start of this turn's {at.mark.capitalize()} Phase"
            raise Unsaid(at.mark)
        if at.mark == "combat" and at.whose is None:
            which = "the next" if at.turn == "next" else "each"
            return f"at the start of {which} combat"
        whose = self.whose_turn(at.whose, next_one=at.turn == "next")
        if at.mark == "ending":
            return f"at the end of {whose} turn"
        if at.mark == "turn":
            return f"at the start of {whose} turn"
        if at.mark not in PHASES:
            raise Unsaid(at.mark)
        return f"at the start of {whose} {at.mark.capitalize()} Phase"

    # ------------------------------------------------------------ events

    def happening(
        self, when: When, *, would: bool = False, adverb: str = "", plain: bool = False
    ) -> str:
        """ "It next takes damage", "you play your second card"; what it is about is named now."""
        if when.player is not None:
            who, verb = self._by_player(when)
        else:
            who, verb = self._by_object(when)
        if when.source is not None:
            verb += self._source(when)
        if when.player is not None and when.player != YOU:
            self.who = NamedPlayer("event.player")
        if would:
            return f"{who} would {adverb}{verb}"
        return f"{who} {adverb}{inflected(verb, who)}".replace("I am ", "I'm ")

    def _source(self, when: When) -> str:
        if when.source is None:
            raise Unsaid("unfit")
        by = self._any(when.source)
        if when.player is not None:
            return f" with {by}"
        return f" from {by}" if when.event.startswith("damage") else f" by {by}"

    def _any(self, what: Objects | Selector) -> str:
        if isinstance(what, Selector):
            return self.a(what, event=True)
        return self.ref(what)

    def _by_object(self, when: When) -> tuple[str, str]:
        verb = BY_OBJECT.get(when.event)
        if when.event in ("conquered", "held") and _is_battlefield(when.subject):
            raise Unsaid(when.event)
        if verb is None or when.subject is None:
            raise Unsaid(when.event)
        subject = when.subject
        if isinstance(subject, Selector):
            who = self.a(subject, event=True)
            self.mention(Named("event"), subject.kinds)
        else:
            kinds = self._kinds_said(subject) if isinstance(subject, Named) else ("card",)
            who = self.ref(subject, subject=True)
            if not isinstance(subject, This):
                self.mention(subject, kinds or ("card",))
        return who, self._with_facts(verb, when)

    def _with_facts(self, verb: str, when: When) -> str:
        facts = dict(when.facts)
        if "combat" in facts:
            combat = facts.pop("combat")
            if verb == "take damage":
                verb = "take combat damage" if combat else "take noncombat damage"
            elif verb == "die" and combat:
                verb = "die in combat"
            else:
                raise Unsaid("combat")
        if facts:
            places = {"battlefield": "a battlefield", "base": "its base", "here": "here"}
            if verb.split()[0] not in ("move", "be") or len(facts) != 1:
                raise Unsaid("facts")
            (side, place), *_ = facts.items()
            if place not in places or side not in ("from", "to"):
                raise Unsaid("facts")
            verb += f" {side} {places[str(place)]}"
        return verb

    def _by_player(self, when: When) -> tuple[str, str]:
        if when.player is None:
            raise Unsaid("unfit")
        who = self.player(when.player)
        subject = when.subject
        if when.event in ("conquered", "held", "attacked", "defended", "combat won"):
            return who, BY_OBJECT[when.event] + self._fought(subject)
        if when.event == "ability activated" and isinstance(subject, Selector) and not when.facts:
            said = self.a(subject, event=True)
            self.mention(Named("event"), subject.kinds)
            return who, f"use an ability of {said}"
        if when.event in BY_PLAYER_ALONE:
            if subject is not None or when.facts:
                raise Unsaid(when.event)
            return who, BY_PLAYER_ALONE[when.event]
        verb = BY_PLAYER.get(when.event)
        if verb is None or subject is None:
            raise Unsaid(when.event)
        if isinstance(subject, Selector) and when.nth and when.event == "card played":
            kinds = self.described(subject, event=True)
            self.mention(Named("event"), subject.kinds)
            whose = "your" if when.player == YOU else "their"
            return who, f"play {whose} {ORDINALS[when.nth]} {kinds}"
        said = self._any(subject)
        if isinstance(subject, Selector):
            self.mention(Named("event"), subject.kinds)
        return who, self._with_facts(f"{verb} {said}", when)

    def _fought(self, subject: Objects | Selector | None) -> str:
        if subject is None:
            return ""
        if isinstance(subject, This) and self.card_type in ("battlefield", ""):
            return " here"
        if subject == Selector(kinds=("battlefield",), place="here"):
            return " here"
        if subject == Selector(kinds=("battlefield",), control="friendly"):
            return " a battlefield you control"
        if isinstance(subject, Named):
            return " there"
        raise Unsaid("where")

    def how_often(self, when: When, uses: int, window: str, *, would: bool, each: str = "") -> str:
        """The whole front of a trigger or replacement: "the next time it would die this turn"."""
        tail = f" {window}" if window else ""
        if when.nth and not _says_nth(when):
            return (
                f"the {ORDINALS[when.nth]} time {self.happening(when, would=would)}{tail or each}"
            )
        if when.nth:
            tail = tail or each
        if uses > 1:
            return f"the next {count(uses)} times {self.happening(when, would=would)}{tail}"
        if uses == 1 and not would and isinstance(when.subject, Named | This) and not when.player:
            return f"when {self.happening(when, adverb='next ')}{tail}"
        if uses == 1:
            return f"the next time {self.happening(when, would=would)}{tail}"
        return f"{'if' if would else 'when'} {self.happening(when, would=would)}{tail}"


def _says_nth(when: When) -> bool:
    return (
        when.event == "card played"
        and when.player is not None
        and isinstance(when.subject, Selector)
    )


def _is_battlefield(what: Objects | Selector | None) -> bool:
    return isinstance(what, Selector) and what.kinds == ("battlefield",)
