"""From "would … instead" to replacements, and from a leading "you may" to optional abilities.

Owns what a triggered or replacement ability does: its options, costs and rewriting.
"""

from __future__ import annotations

from typing import Literal

import msgspec

from longfuse.abilities.ability import (
    Ability,
    Cost,
    If,
    Rewrite,
)
from longfuse.abilities.nodes import (
    Did,
)
from longfuse.abilities.text.tree import Tree
from longfuse.rulesets.riftbound.text_events import Trigger
from longfuse.rulesets.riftbound.text_shapes import (
    Body,
    half_of_it,
    has_instead,
    is_pay,
    leading_may,
)
from longfuse.rulesets.riftbound.text_steps import Steps


class Replacing(Steps):
    """The builders of this module."""

    def _ability_of(
        self, trigger: Trigger, rest: list[Tree], build: Body, main: Tree | None, tree: Tree
    ) -> Ability:
        """The triggered or replacement ability; the scope is already its own."""
        once: Literal["", "turn"] = "turn" if trigger.once else ""
        outcome = main.get("outcome") if main is not None else None
        if outcome is not None and outcome.tag == "enters" and not trigger.would and not rest:
            trigger.whens = [self._as_enters(one, tree) for one in trigger.whens]
            rewrite = self.outcome_rewrite(outcome)
            return Ability(kind="replacement", rewrite=rewrite, uses=trigger.uses, once=once)
        if trigger.would or trigger.entering:
            if main is None:
                raise self.unclear(tree, "what happens instead")
            ability = self._replacement(trigger, rest, build, main)
        else:
            leading = main if not rest else None
            ability = self.optional(
                leading, lambda: self._front(rest, build, main, ()), "triggered"
            )
            if not rest and has_instead(main, ()):
                raise self.unclear(tree, "would, before “instead”")
            ability = msgspec.structs.replace(ability, program=self.scope.program())
        return msgspec.structs.replace(ability, uses=trigger.uses, once=once)

    def optional(self, main: Tree | None, build: Body, kind: str) -> Ability:
        """A leading "you may" belongs to the ability, later ones to the program."""
        step = leading_may(main)
        if step is None:
            build()
            return Ability(kind=kind)  # type: ignore[arg-type]
        core = step["core"]
        cost = self.cost(core["cost"]) if core.tag == "may cost" else None
        inner = core["sequence"]
        steps = inner.all("step")
        if (
            cost is None
            and len(steps) > 1
            and is_pay(steps[0])
            and inner.all("sep")[0].tag == "and"
        ):
            # "You may pay 1 and recall it": who does not pay does not recall it either.
            cost = Cost(resources=tuple(self.resources(steps[0]["core"]["imperative"]["pay_what"])))
            self.steps(steps[1:], inner)
        elif cost is None and len(steps) == 1 and is_pay(steps[0]):
            cost = Cost(resources=tuple(self.resources(steps[0]["core"]["imperative"]["pay_what"])))
            self.paid_front = True
        else:
            if kind == "triggered" and cost is not None:
                self.paid_front = False
            self.sequence(inner)
        return Ability(kind=kind, optional=True, cost=cost)  # type: ignore[arg-type]

    def _replacement(self, trigger: Trigger, rest: list[Tree], build: Body, main: Tree) -> Ability:
        if outcome := main.get("outcome"):
            return self._outcome(outcome, main.get("then_also"))
        if rest:
            raise self.unclear(rest[0], "what happens instead")
        also = trigger.entering and not has_instead(main, ())
        done, self._done = self._done, None
        if done is not None and not has_instead(done["main"], ()):
            self._done, done = done, None
        if done is not None:
            return self._replacement_if_done(main, done, build)
        if not also and not self._instead_said(main):
            raise self.unclear(main, "instead")
        ability = self.optional(main, build, "replacement")
        how = Rewrite("also" if also else "instead")
        return msgspec.structs.replace(ability, rewrite=how, program=self.scope.program())

    def _replacement_if_done(self, main: Tree, done: Tree, build: Body) -> Ability:
        """ "You may discard a card. If you do, recall it instead."."""
        mentions = list(self.scope.mentions)
        ability = self.optional(main, build, "replacement")
        # "Recall it instead" is about what would die, not about what was discarded for it.
        self.scope.mentions = mentions
        if self.paid_front:
            self.paid_front = False
            self.main(done["main"])
        else:
            name = self.name_last(done)
            body = self._inner(lambda: self.main(done["main"]))
            self.scope.body.append(If(Did(name), body))
        program = self.scope.program()
        return msgspec.structs.replace(ability, rewrite=Rewrite("instead"), program=program)

    def _instead_said(self, main: Tree) -> bool:
        return has_instead(main, self._present_trailing)

    def _outcome(self, tree: Tree, also: Tree | None) -> Ability:
        """ "Prevent that damage", "it takes double that damage instead" …"""
        optional = "may_word" in tree or "cost" in tree
        cost = self.cost(tree["cost"]) if "cost" in tree else None
        rewrite = self.outcome_rewrite(tree)
        self._needs_instead(tree)
        if also is not None:
            if rewrite != Rewrite("prevent"):
                raise self.unclear(also, "the end of the sentence")
            self.sequence(also["sequence"])
            rewrite = Rewrite("instead")
            return Ability(
                kind="replacement", optional=optional, rewrite=rewrite, program=self.scope.program()
            )
        return Ability(kind="replacement", optional=optional, cost=cost, rewrite=rewrite)

    def _needs_instead(self, tree: Tree) -> None:
        """ "It takes 1 less" wants "instead"; "that damage is doubled" says it by itself."""
        if tree.tag == "prevent" or "instead_word" in tree:
            return
        words = tree.words.split()
        if "is" not in words and words[0] not in ("reduce", "increase"):
            raise self.unclear(tree, "instead")

    def outcome_rewrite(self, tree: Tree) -> Rewrite:
        """How an outcome changes the proposal."""
        tag = tree.tag
        if tag == "prevent":
            return self._prevented(tree)
        if tag == "times":
            return Rewrite("times", 2)
        if tag == "half":
            return Rewrite("prevent", half_of_it(up=False))
        if tag == "plus":
            return Rewrite("plus", self.number(tree["number"]))
        if tag == "less":
            return Rewrite("prevent", self.number(tree["number"]))
        if tag == "enters":
            return Rewrite("change", facts=(("exhausted", tree.args[0] == "exhausted"),))
        raise self.unclear(tree, "an outcome the rules know")

    def _prevented(self, tree: Tree) -> Rewrite:
        spec = tree.get("prevented") or tree.get("prevented_passive")
        assert spec is not None
        if spec.tag == "all":
            return Rewrite("prevent")
        if spec.tag == "half":
            up = "rounding" in spec and spec["rounding"].tag == "up"
            return Rewrite("prevent", half_of_it(up))
        if spec.tag == "some":
            return Rewrite("prevent", self.number(spec["number"]))
        raise self.unclear(spec, "that damage")
