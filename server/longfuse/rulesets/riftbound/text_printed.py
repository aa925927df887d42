"""From printed sentences to abilities: triggers, replacements, statements; never delayed.

Owns what a sentence of a permanent means when nothing has to make it first.
"""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from longfuse.abilities.ability import (
    Ability,
    Choice,
    Do,
    Duration,
)
from longfuse.abilities.nodes import (
    Condition,
    Matches,
    Named,
    Not,
    Selector,
    This,
    TurnOf,
    When,
    Who,
)
from longfuse.abilities.text.check import walk
from longfuse.abilities.text.tree import Tree
from longfuse.rulesets.riftbound.text_canonical import Canonical
from longfuse.rulesets.riftbound.text_scope import Scope
from longfuse.rulesets.riftbound.text_shapes import (
    with_condition,
)

BANISHING = {"banish", "banish top"}
ON_BOARD = Duration("while in zone", of=This(), zone="board")
HELD = Duration("while controlled", of=This(), who=Who("you"))


class Printed(Canonical):
    """The builders of this module."""

    def _printed(self, sentences: Sequence[Tree], condition: Condition | None, at: Tree) -> None:
        place = 0
        while place < len(sentences):
            self.scope = Scope()
            first = sentences[place]
            end = place + 1
            if begins_ability(first):
                while end < len(sentences) and not begins_ability(sentences[end]):
                    end += 1
                self._printed_trigger(first, sentences[place + 1 : end], condition)
            else:
                self._printed_statement(first, condition)
            place = end
            self._note_banishing()

    def _note_banishing(self) -> None:
        """Later abilities of this card may speak of what these banish."""
        for ability in self.out:
            chosen = {node.name: node for node in walk(ability) if isinstance(node, Choice)}
            for node in walk(ability):
                if isinstance(node, Do) and node.verb in BANISHING:
                    self.linkable = True
                    name = node.what.name if isinstance(node.what, Named) else ""
                    selector = chosen[name].selector if name in chosen else None
                    self.link_kinds.update(selector.kinds if selector else ("card",))

    def _printed_trigger(
        self, first: Tree, rest: Sequence[Tree], condition: Condition | None
    ) -> None:
        fronts = [one for one in first.all("fronts") if one.tag != "plain"]
        trailing = first.all("trailing")
        lead = fronts.pop(0) if fronts and fronts[0].tag in ("trigger", "moment") else None
        if lead is None:
            lead = next(one for one in trailing if one.tag in ("trigger", "moment"))
            trailing = [one for one in trailing if one is not lead]
        main = first.get("main")
        if "joint" in first:
            raise self.unclear(first, "a trigger")
        self.printed = False
        made, whens = self._printed_made(lead, fronts, first, main, trailing)
        if self._done is not None:
            if self.paid_front:
                self.paid_front = False
                self.main(self._done["main"])
                self._done = None
            else:
                self._if_done(self._done)
        self.run(rest)
        self.printed = True
        if made.kind == "triggered" or (made.rewrite and made.rewrite.how in ("instead", "also")):
            made = msgspec.structs.replace(made, program=self.scope.program())
        elif rest:
            raise self.unclear(rest[0], "the end of the line")
        if condition is not None:
            made = with_condition(made, condition)
        about = whens[0].subject if isinstance(whens[0], When) else None
        if about != This() and any(from_trash(one) for one in (first, *rest)):
            made = msgspec.structs.replace(made, zones=("trash",))
        for when in whens:
            self.out.append(msgspec.structs.replace(made, when=when))

    def _printed_made(
        self, lead: Tree, fronts: list[Tree], first: Tree, main: Tree | None, trailing: list[Tree]
    ) -> tuple[Ability, list[object]]:
        self.frame_window = None

        def build() -> None:
            if main is None:
                self._reflexive(first["inner"]["sentence"])
            else:
                self._trailed(main, trailing)
            if part := first.get("else_part"):
                self._else_part(part)

        self._done = first.get("did_part")
        self._present_trailing = [one for one in trailing if one.tag == "instead"]
        may_main = main if not [one for one in trailing if one.tag != "instead"] else None
        if lead.tag == "moment":
            at = self.moment(lead["moment"])
            if at.turn != "each":
                raise self.unclear(lead, "a moment that comes each turn")
            self.scope = self.scope.child()
            found, fronts = self._intervening(fronts)
            may_main = may_main if not fronts else None
            made = self.optional(
                may_main, lambda: self._front(fronts, build, main, ()), "triggered"
            )
            whens: list[object] = [at]
            extra = None
        else:
            trigger = self.trigger(lead["trigger"])
            self._check_printed(trigger, lead)
            self.enter(trigger)
            found, fronts = self._intervening(fronts)
            if trigger.would or trigger.entering:
                made = self._ability_of(trigger, fronts, build, main, lead["trigger"])
            else:
                made = self._ability_of(trigger, fronts, build, may_main, lead["trigger"])
            whens = list(trigger.whens)
            extra = trigger.condition
        for one in [*reversed(found), *([extra] if extra else [])]:
            made = with_condition(made, one)
        return made, whens

    def _check_printed(self, trigger: object, lead: Tree) -> None:
        window = getattr(trigger, "window", None)
        if window is not None:
            raise self.unclear(lead["trigger"], "an ability without “this turn”")
        if getattr(trigger, "uses", 0):
            raise self.unclear(lead["trigger"], "“when” or “if”, as nothing makes it wait")

    def _printed_statement(self, tree: Tree, outer: Condition | None) -> None:
        conditions = [] if outer is None else [outer]
        main = tree.get("main")
        if main is None or "joint" in tree or "else_part" in tree:
            raise self.unclear(tree, "a trigger, a cost or a statement")
        for front in [*tree.all("fronts"), *tree.all("trailing")]:
            if front.tag == "during":
                conditions.append(TurnOf(Who(front.args[0])))  # type: ignore[arg-type]
                continue
            if front.tag == "window" and self.window(front["window"]) == ON_BOARD:
                continue
            if front.tag == "window" and self.window(front["window"]) == HELD:
                mine = Selector(control="friendly", zone="any")
                if self.card_type == "battlefield":
                    mine = Selector(kinds=("battlefield",), control="friendly", zone="any")
                conditions.append(Matches(This(), mine))
                continue
            if front.tag not in ("if", "while", "unless"):
                raise self.unclear(front, "a condition, or no more words")
            condition = self.condition(front["condition"])
            conditions.append(Not(condition) if front.tag == "unless" else condition)
        if outcome := main.get("outcome"):
            found = [self._printed_outcome(outcome)]
        else:
            found = self._statements(main["sequence"].all("step"), tree)
        for made in found:
            for condition in reversed(conditions):
                made = with_condition(made, condition)
            self.out.append(made)

    def _printed_outcome(self, tree: Tree) -> Ability:
        spec = tree.get("prevented")
        if tree.tag == "prevent" and spec is not None and spec.tag == "any":
            return self.prevent_ability(spec)
        if tree.tag in ("dealt", "dealtless") and "window" not in tree:
            when = When("damage", subject=self._prevent_subject(tree["sub"]))
            return Ability(kind="replacement", when=when, rewrite=self._dealt(tree)[0])
        if "it_ref" in tree and tree.tag != "enters" and "instead_word" not in tree:
            subject = self.refs(tree["it_ref"]["ref"])[0]
            when = When("damage", subject=subject)
            return Ability(kind="replacement", when=when, rewrite=self.outcome_rewrite(tree))
        if tree.tag == "enters":
            from longfuse.rulesets.riftbound.text_statements import Subject

            refs = self.refs(tree["it_ref"]["ref"])
            return self.entering(Subject(tree, refs[0]), tree.args[0])
        raise self.unclear(tree, "a statement")

    def _statements(self, steps: Sequence[Tree], at: Tree) -> list[Ability]:
        found: list[Ability] = []
        for step in steps:
            core = step["core"]
            if step.get("window") or "instead_word" in step:
                raise self.unclear(step, "a statement without a time")
            self._riders(step)
            if core.tag == "may" and _plays_me(core):
                found.append(self._may_play_me(core))
            elif core.tag == "statement":
                self._allow_riders(core, step)
                found.extend(self.statement(core["statement"]))
            else:
                raise self.unclear(core, "a trigger, a cost or a statement")
            self._riders(at)
        return found

    def _may_play_me(self, core: Tree) -> Ability:
        raise self.unclear(core, "a place to play it")


def _plays_me(core: Tree) -> bool:
    return core.words.startswith("you may play me")


def begins_ability(sentence: Tree) -> bool:
    fronts = [one for one in sentence.all("fronts") if one.tag != "plain"]
    if fronts:
        if fronts[0].tag == "trigger":
            trigger = fronts[0]["trigger"]
            if _speaks_of_before(trigger):
                return False
            return "window" not in trigger and trigger["conn"].tag not in ("next", "times")
        return fronts[0].tag == "moment" and "whose" in fronts[0]["moment"] and _each(fronts[0])
    behind = [one for one in sentence.all("trailing") if one.tag in ("trigger", "moment")]
    if not behind:
        return False
    if behind[0].tag == "trigger":
        return "window" not in behind[0]["trigger"] and behind[0]["trigger"]["conn"].tag == "every"
    return "whose" in behind[0]["moment"] and _each(behind[0])


def from_trash(sentence: Tree) -> bool:
    """The sentence moves the card itself from its owner's trash."""
    words = f" {sentence.words} "
    return any(f" {one} from your trash " in words for one in ("me", "this", "itself"))


def _speaks_of_before(trigger: Tree) -> bool:
    """ "When it dies", "when that player holds": about something the sentence before named."""
    event = trigger["event"]["subject_event"]
    if "contracted" in event and event["contracted"].tag == "it":
        return True
    if "player" in event:
        return event["player"].tag in ("that player", "controller", "owner")
    sub = event.get("sub")
    return sub is not None and sub.rule == "ref" and sub.tag in ("it", "that", "them")


def _each(front: Tree) -> bool:
    return "next" not in front["moment"]["whose"].args
