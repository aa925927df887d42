"""From words to events, moments, windows and conditions.

Owns the builders of "when …", "the next time … would …", "at the end of this turn", "until your
next turn", "if you control …", and the table from what happens to what is about to happen.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import msgspec

from longfuse.abilities.ability import Duration
from longfuse.abilities.nodes import (
    AllOf,
    At,
    Condition,
    Each,
    Matches,
    Named,
    NamedPlayer,
    Objects,
    Players,
    Selector,
    This,
    TurnOf,
    When,
    Who,
)
from longfuse.abilities.text.tree import Tree
from longfuse.rulesets.riftbound.text_conditions import Conditions
from longfuse.rulesets.riftbound.text_scope import YOU, Mention

ABOUT_TO = {
    "unit died": "death", "gear died": "death", "killed": "death", "damage dealt": "damage",
    "entered": "enter", "left board": "leave board", "left chain": "leave chain",
    "discarded": "discard", "drew": "draw", "moved": "move", "recalled": "recall",
    "readied": "ready", "exhausted": "exhaust", "stunned": "stun", "buffed": "buff",
    "points gained": "points", "countered": "counter", "recycled": "recycle", "trash": "trash",
    "token made": "token", "control changed": "control",
    "banished": "banish", "returned": "return",
}  # fmt: skip
ONLY_PROPOSED = {"left chain", "trash"}
AMOUNT_EVENTS = {"damage dealt", "points gained", "healed", "xp gained"}


@dataclass
class Trigger:
    """What a "when" or "next time" says."""

    whens: list[When] = field(default_factory=list)
    would: bool = False
    entering: bool = False
    uses: int = 0
    once: bool = False
    window: Duration | None = None
    mention: Mention | None = None
    player: Players | None = None
    amount: bool = False
    captured: Objects | None = None
    about_this: bool = False
    condition: Condition | None = None


class Events(Conditions):
    """Builds triggers, moments, windows and conditions."""

    # ------------------------------------------------------------ triggers

    def trigger(self, tree: Tree) -> Trigger:
        """One "when …" with all its events."""
        out = Trigger()
        conn = tree["conn"]
        nth = self._how_often(conn, out)
        for window in tree.all("window"):
            self._one_window(out, window)
        if behind := tree.all("nth_behind"):
            if nth or len(behind) > 1 or out.uses:
                raise self.unclear(behind[0], "one number")
            nth = self.ordinal(behind[0]["ordinal"])
        each_turn = "each_turn" in tree
        if each_turn and not nth:
            raise self.unclear(tree["each_turn"], "“this turn”, or “the first time” before")
        first = tree["event"]["subject_event"]
        self._event(first, out, nth, None)
        for also in tree.all("also"):
            inner = also.get("subject_event") or also["bare_verb"]
            self._event(inner, out, nth, first)
        if conn.tag == "if" and not out.would:
            raise self.unclear(conn, "would")
        if conn.tag == "as" and not out.would:
            out.whens = [self._as_enters(one, tree) for one in out.whens]
            out.entering = True
        if nth and not each_turn and out.window is None and conn.tag == "nth":
            raise self.unclear(conn, "“each turn” or “this turn”")
        if out.uses and len(out.whens) > 1:
            raise self.unclear(tree, "one event for “the next time”")
        return out

    def _how_often(self, conn: Tree, out: Trigger) -> int:
        """ "The next two times", "the first time", "once each turn": uses, and which one."""
        out.once = conn.tag == "once"
        if conn.tag == "next":
            out.uses = 1
        elif conn.tag == "times":
            out.uses = self.number(conn["number"])
        elif conn.tag == "nth":
            return self.ordinal(conn["ordinal"])
        return 1 if conn.tag == "first" else 0

    def _as_enters(self, when: When, tree: Tree) -> When:
        if when.event not in ("entered", "card played"):
            raise self.unclear(tree, "enters")
        return When("enter", subject=when.subject, player=when.player)

    def _one_window(self, out: Trigger, tree: Tree) -> None:
        if out.window is not None:
            raise self.unclear(tree, "one window")
        out.window = self.window(tree)

    def _event(self, tree: Tree, out: Trigger, nth: int, first: Tree | None) -> None:
        if "next_word" in tree or "next_word" in (tree.get("overb") or tree):
            out.uses = 1
        nth = 1 if "first_word" in tree else nth
        if which := tree.get("which"):
            nth = self.ordinal(which)
        out.would = out.would or "would" in tree or bool(first and "would" in first)
        subject: Objects | Selector | None = None
        who: Players | None = None
        if tree.tag == "chooses":
            by = self.described(tree["by"]["np"], event=True)
            chosen = self._subject(tree, out)
            out.whens.append(When("chosen", subject=chosen, source=by, nth=nth))
            return
        if "pverb" in tree and first is not None and "player" not in first:
            subject = self._subject(first, out)
            verb = tree["pverb"]
            names: tuple[str, ...] = (verb.tag,)
            if verb.tag not in ("conquered", "held", "attacked", "defended", "combat won"):
                raise self.unclear(tree, "something that it does")
        elif tree.tag == "object" or "overb" in tree:
            at = tree if tree.rule != "bare_verb" or first is None else first
            subject = self._subject(at, out)
            names = self._object_event(tree["overb"], subject)
            verb = tree["overb"]
        else:
            at = tree if "player" in tree or first is None else first
            who = self.player(at["player"])
            if who == Who("each opponent"):
                who = Who("opponent")
            verb = tree["pverb"]
            subject = self._player_object(verb, out)
            names = self._player_events(verb, subject)
            nth = self._counted_play(verb, out, nth)
        for happened in names:
            out.whens.append(self._when(happened, verb, out, subject, who, nth))
        if who is not None and who != YOU:
            out.player = NamedPlayer("event.player")
        if any(name in AMOUNT_EVENTS for name in names):
            out.amount = True

    def _player_events(self, verb: Tree, subject: Objects | Selector | None) -> tuple[str, ...]:
        if verb.tag == "pair":
            return tuple(one.tag for one in verb.all("tverb"))
        return (self._player_event(verb, subject),)

    def _counted_play(self, verb: Tree, out: Trigger, nth: int) -> int:
        """ "Your next spell", "your second card"."""
        if verb.tag == "next card played":
            out.uses = 1
        elif verb.tag.startswith(("nth", "first")):
            return self.ordinal(verb["ordinal"]) if "ordinal" in verb else 1
        return nth

    def _subject(self, tree: Tree, out: Trigger) -> Objects | Selector:
        if np := tree.get("sub"):
            if np.rule == "np":
                selector = self.described(np, event=True, bare="which" in tree)
                out.mention = Mention((Named("event"),), selector.kinds)
                return selector
            refs = self.refs(np)
            if len(refs) != 1:
                raise self.unclear(np, "one thing")
            return self._about(refs[0], out)
        contracted = tree["contracted"]
        ref = This() if contracted.tag == "this" else self.it(contracted)
        return self._about(ref, out)

    def _about(self, ref: Objects, out: Trigger) -> Objects:
        if isinstance(ref, This):
            out.about_this = True
        else:
            out.captured = ref
            kinds = next(
                (one.kinds for one in reversed(self.scope.mentions) if ref in one.refs), ("card",)
            )
            many = isinstance(ref, Each)
            out.mention = Mention((Named("event") if many else ref,), kinds)
        return ref

    def _player_object(self, verb: Tree, out: Trigger) -> Objects | Selector | None:
        np = verb.get("sub")
        if np is None and "discarded" in verb:
            np = verb["discarded"].get("sub")
        if verb.tag == "drew" or np is None:
            return self._place_subject(verb, out)
        if np.rule == "heads":
            seen = self._kind_selector(np)
            zone = "any" if set(seen.kinds) & {"card", "spell", "ability"} else "board"
            return self._seen(msgspec.structs.replace(seen, zone=zone), out)
        if np.rule == "np":
            return self._seen(self.described(np, event=True), out)
        return self._about(self.refs(np)[0], out)

    def _seen(self, selector: Selector, out: Trigger) -> Selector:
        out.mention = Mention((Named("event"),), selector.kinds)
        return selector

    def _place_subject(self, verb: Tree, out: Trigger) -> Objects | Selector | None:
        place = verb.get("conquered")
        if verb.tag == "discarded":
            return self._seen(Selector(zone="any"), out)
        if place is None or place.tag == "any":
            return None
        if place.tag == "here":
            if self.card_type == "battlefield":
                return This()
            return Selector(kinds=("battlefield",), place="here")
        if place.tag == "yours":
            return Selector(kinds=("battlefield",), control="friendly")
        if place.tag == "there":
            return self.it(place, "battlefield")
        if place.tag == "with":
            np = place["sub"]
            if np.rule == "np":
                return self._seen(self.described(np, event=True), out)
            return self._about(self.refs(np)[0], out)
        raise self.unclear(place, "a place")

    def _object_event(self, verb: Tree, subject: Objects | Selector) -> tuple[str, ...]:
        if verb.tag == "died":
            kinds = self._kinds_of(subject)
            if kinds == ("gear",) or kinds == ("equipment",):
                return ("gear died",)
            return ("unit died",) if kinds == ("unit",) else ("killed",)
        if verb.tag == "attacked" and verb.args:
            return ("attacked", "defended")
        if verb.tag == "unknown":
            raise self.unclear(verb, "an event the rules know")
        return (verb.tag,)

    def _kinds_of(self, subject: Objects | Selector) -> tuple[str, ...]:
        if isinstance(subject, Selector):
            return subject.kinds
        if isinstance(subject, This):
            return (self.card_type or "unit",) if self.card_type != "equipment" else ("gear",)
        if isinstance(subject, Each):
            return subject.selector.kinds
        for mention in reversed(self.scope.mentions):
            if subject in mention.refs:
                return mention.kinds
        return ("card",)

    def _player_event(self, verb: Tree, subject: Objects | Selector | None) -> str:
        if verb.tag in ("nth card played", "first card played", "next card played"):
            return "card played"
        if verb.tag == "killed" and subject is not None and self._kinds_of(subject) == ("unit",):
            return "unit died"
        return verb.tag

    def _when(
        self, happened: str, verb: Tree, out: Trigger, subject: Objects | Selector | None,
        who: Players | None, nth: int,
    ) -> When:  # fmt: skip
        event = self._event_name(happened, verb, out)
        facts: list[tuple[str, int | str | bool]] = []
        if kind := verb.get("damage_kind"):
            facts.append(("combat", kind.tag == "combat"))
        source: Objects | Selector | None = None
        holder = verb.get("with_source") or verb
        if by := holder.get("source"):
            source = self.described(by, event=True) if by.rule == "np" else self.refs(by)[0]
        if "in_combat" in verb:
            facts.append(("combat", True))
        subject = self._moved(verb, facts, subject)
        self._played(verb, out)
        if word := (verb.get("here_word") or verb.get("alone_word")):
            if not isinstance(subject, Selector):
                raise self.unclear(word, "a description before it")
            if word.rule == "here_word":
                subject = msgspec.structs.replace(subject, place="here")
            else:
                subject = _with_state(subject, "alone")
        if (place := verb.get("conquered")) and who is None:
            subject = self._fought_at(place, verb, out, subject)
        if "host" in verb:
            raise self.unclear(verb["host"], "no host here")
        return When(event, subject=subject, source=source, player=who, nth=nth, facts=tuple(facts))

    def _event_name(self, happened: str, verb: Tree, out: Trigger) -> str:
        if out.would:
            if happened not in ABOUT_TO:
                raise self.unclear(verb, "something that can be replaced")
            return ABOUT_TO[happened]
        if happened in ONLY_PROPOSED:
            raise self.unclear(verb, "would")
        return happened

    def _fought_at(
        self, place: Tree, verb: Tree, out: Trigger, subject: Objects | Selector | None
    ) -> Objects | Selector | None:
        if place.tag == "any":
            return subject
        words = {"yours": "controlled battlefield", "here": "here"}
        if place.tag not in words or verb.tag not in ("attacked", "defended"):
            raise self.unclear(place, "no place here")
        condition = Matches(Named("event"), Selector(place=words[place.tag]))
        out.condition = condition if out.condition is None else AllOf((out.condition, condition))
        return subject

    def _moved(
        self,
        verb: Tree,
        facts: list[tuple[str, int | str | bool]],
        subject: Objects | Selector | None,
    ) -> Objects | Selector | None:
        place = verb.get("moved_to")
        if place is None:
            return subject
        if place.tag in ("to", "from"):
            facts.append((place.tag, place.args[0]))
        elif place.tag in ("fromhere", "tohere"):
            facts.append(("from" if place.tag == "fromhere" else "to", "here"))
        return subject

    def _played(self, verb: Tree, out: Trigger) -> None:
        place = verb.get("played_to")
        if place is None:
            return
        condition: Condition
        if place.tag == "battlefield":
            condition = Matches(Named("event"), Selector(place="battlefield"))
        elif place.tag == "base":
            condition = Matches(Named("event"), Selector(place="base"))
        elif place.tag == "here":
            condition = Matches(Named("event"), Selector(place="here"))
        elif place.tag == "opponents turn":
            condition = TurnOf(Who("opponent"))
        elif place.tag == "your turn":
            condition = TurnOf(YOU)
        else:
            raise self.unclear(place, "a place on the board")
        out.condition = condition if out.condition is None else AllOf((out.condition, condition))

    # ------------------------------------------------------------ moments and windows

    def whose_turn(self, tree: Tree) -> tuple[Players | None, bool]:
        """Whose turn, and whether the next one is meant."""
        later = "next" in tree.args
        if tree.tag == "any":
            return None, later
        if tree.tag == "that player":
            return self.said_player(tree), later
        if tree.tag in ("controller", "owner"):
            from longfuse.abilities.nodes import ControllerOf, OwnerOf

            ref = self.it(tree)
            return (ControllerOf(ref) if tree.tag == "controller" else OwnerOf(ref)), later
        return Who(tree.tag), later  # type: ignore[arg-type]

    def moment(self, tree: Tree) -> At:
        """ "At the end of this turn" and its kin."""
        mark = tree.tag
        if mark == "phase":
            phase = tree["phase"]
            mark = phase.tag or phase.words
        how = tree.args[0]
        if how in ("this", "next", "each"):
            return At(mark, turn=how)  # type: ignore[arg-type]
        whose = tree["whose"]
        who, later = self.whose_turn(whose)
        if later:
            return At(mark, whose=who, turn="next")
        return At(mark, whose=who, turn="each")

    def window(self, tree: Tree) -> Duration:
        """ "This turn", "until your next turn", "for as long as it's on the board" …"""
        tag = tree.tag
        if tag in ("this turn", "this combat", "this phase", "game"):
            return Duration(tag)
        if tag in ("until start", "until end"):
            who, later = self.whose_turn(tree["whose"])
            if not later:
                raise self.unclear(tree["whose"], "“next” before “turn”")
            edge = "until start of turn" if tag == "until start" else "until end of turn"
            return Duration(edge, who=who)
        if "ref" in tree:
            of = self.refs(tree["ref"])[0]
        else:
            contracted = tree["ref_is"]
            of = This() if contracted.tag == "this" else self.it(contracted)
        if tag == "while controlled":
            return Duration("while controlled", of=of, who=YOU)
        if tag == "while attached":
            return Duration("while attached", of=of)
        if tag == "while chain":
            return Duration("while on chain", of=of)
        zone = {"while on board": "board", "while trash": "trash", "while hand": "hand",
                "while banished": "banishment"}.get(tag)  # fmt: skip
        if zone is None:
            raise self.unclear(tree, "a window the rules know")
        return Duration("while in zone", of=of, zone=zone)

    # ------------------------------------------------------------ conditions


def _with_state(selector: Selector, state: str) -> Selector:
    return msgspec.structs.replace(selector, states=tuple(sorted({*selector.states, state})))
