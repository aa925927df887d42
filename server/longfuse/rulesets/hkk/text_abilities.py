"""From lines to abilities: gates, keywords, costs with a colon, triggers, statements, spells.

Owns how each line of a card becomes `Ability` records, for both languages.
"""

from __future__ import annotations

from typing import Literal

import msgspec

from longfuse.abilities.ability import Ability, Choice, Cost, Do, Effect, Gate, Program, Rewrite
from longfuse.abilities.nodes import At, Named, When, Who
from longfuse.abilities.text.check import walk
from longfuse.abilities.text.errors import Unclear
from longfuse.abilities.text.tree import Tree
from longfuse.rulesets.hkk.text_effects import Effects
from longfuse.rulesets.hkk.text_nouns import YOU

SIDES: dict[str, Literal["open", "closed"]] = {"delayed": "closed", "temporary": "open"}
PLAYED_ANYWHERE = ("spell", "instant", "card")


class Abilities(Effects):
    """Builds the abilities of a card."""

    def line(self, tree: Tree) -> list[Ability]:
        """The abilities of a line."""
        self.begin()
        if tree.tag == "enchant":
            return [self._enchant(tree)]
        if tree.tag == "spell":
            body, _ = self.sentences(tree["sentences"], optional=False)
            return [Ability("spell", program=self._program(body))]
        made = self._body(tree["body"], tree["gate"].tag if "gate" in tree else "")
        if "gate" not in tree:
            return made
        gate = self._gate(tree["gate"])
        if made[0].gate is not None or made[0].kind in ("keyword", "replacement"):
            raise Unclear(tree["body"].start, "a statement, a trigger or a cost")
        return [msgspec.structs.replace(one, gate=gate) for one in made]

    def _gate(self, tree: Tree) -> Gate:
        count = int(tree["count"].words)
        if count < 1:
            raise Unclear(tree["count"].start, "at least one counter")
        return Gate(tree.tag, count, SIDES[tree.tag])

    def _enchant(self, tree: Tree) -> Ability:
        what = tree["what"]
        if what.tag != "one":
            raise Unclear(what.start, "one permanent that it is put on")
        self.objects(what)
        self.enchanted = self.it_kinds
        return Ability("spell", program=self._program(()))

    def _program(self, body: tuple[Effect, ...]) -> Program:
        used = {node.name for node in walk(body) if isinstance(node, Named)}
        for name, at in self.only_chosen:
            if name not in used:
                raise Unclear(at, "an instruction about what is chosen")
        return Program(choices=tuple(self.choices), body=body)

    def _body(self, tree: Tree, gate: str) -> list[Ability]:
        match tree.tag:
            case "keywords":
                return [Ability("keyword", keyword=one.tag) for one in tree.all("kw")]
            case "temporary cost":
                return [self._temporary_cost(tree)]
            case "activated":
                return [self._activated(tree)]
            case "triggered":
                return [self._triggered(tree)]
            case "prevented" | "instead" | "twice placed":
                return [self._replacement(tree)]
            case "statement":
                return [self._statement(tree)]
        if not gate:
            raise Unclear(tree.start, "a trigger, a cost, a statement or “Delayed effect”")
        return [self._once_ripe(tree, gate)]

    def _once_ripe(self, tree: Tree, gate: str) -> Ability:
        """Behind "delayed effect": it acts at the fall of the last counter (D12)."""
        if gate != "delayed":
            raise Unclear(tree.start, "a trigger, a cost or a statement behind “temporary effect”")
        body, optional = self.sentences(tree["sentences"], optional=True)
        return Ability("triggered", optional=optional, program=self._program(body))

    # ------------------------------------------------------------ costs

    def _temporary_cost(self, tree: Tree) -> Ability:
        count = int(tree["count"].words)
        if count < 1:
            raise Unclear(tree["count"].start, "at least one counter")
        cost = self._costs(tree["costs"])
        gate = Gate("cost", count, "open")
        return Ability("keyword", keyword="Temporary cost", cost=cost, gate=gate)

    def _activated(self, tree: Tree) -> Ability:
        cost = self._costs(tree["costs"])
        body, optional = self.sentences(tree["sentences"], optional=False)
        made = Ability("activated", cost=cost, optional=optional, program=self._program(body))
        return self._usages(made, tree)

    def _usages(self, made: Ability, tree: Tree) -> Ability:
        for usage in tree.all("usage"):
            if usage.tag == "once":
                made = msgspec.structs.replace(made, once="turn")
            elif made.kind == "activated":
                made = msgspec.structs.replace(made, timing="reaction")
            else:
                raise Unclear(usage.start, "no more words: an automatic ability acts by itself")
        return made

    def _costs(self, tree: Tree) -> Cost:
        magic = 0
        choices: list[Choice] = []
        actions: list[Effect] = []
        for cost in tree.all("cost"):
            match cost.tag:
                case "magic":
                    magic += self.number(cost["amt"])
                case "sacrifice":
                    choices.append(self._sacrificed(cost, len(choices) + 1))
                    actions.append(Do("destroy", what=Named(choices[-1].name)))
                case _:
                    actions.append(self._cost_action(cost))
        resources = (("magic", magic),) if magic else ()
        return Cost(resources=resources, choices=tuple(choices), actions=tuple(actions))

    def _sacrificed(self, tree: Tree, number: int) -> Choice:
        found = self.noun(tree["noun"])
        if found.control != "any" or found.zone != "board":
            raise Unclear(tree.start, "a kind of permanent: only one's own are sacrificed")
        return Choice(f"c{number}", selector=msgspec.structs.replace(found, control="friendly"))

    def _cost_action(self, tree: Tree) -> Do:
        match tree.tag:
            case "turn":
                return Do("turn", what=self.this(tree))
            case "sacrifice this":
                return Do("destroy", what=self.this(tree))
            case "discard":
                return Do("discard", amount=self.many(tree["cards"]), who=YOU)
            case "life":
                return Do("hurt", amount=self.number(tree["amt"]), who=YOU)
        number = self.number(tree["many"])
        return Do("remove counters", what=self.this(tree), amount=number, word=tree["counter"].tag)

    # ------------------------------------------------------------ triggers

    def _triggered(self, tree: Tree) -> Ability:
        trigger = tree["trigger"]
        when = self._moment(trigger["moment"]) if "moment" in trigger else self._event(trigger)
        condition = self.condition(tree["cond"]) if "cond" in tree else None
        body, optional = self.sentences(tree["sentences"], optional=True)
        made = Ability(
            "triggered",
            when=when,
            condition=condition,
            optional=optional,
            program=self._program(body),
        )
        return self._usages(made, tree)

    def _moment(self, tree: Tree) -> At:
        whose = tree.args[0]
        return At(tree.tag, whose=None if whose == "each" else Who(self.role(whose, tree)))

    def _event(self, trigger: Tree) -> When:
        tree = trigger["event"]
        if tree.tag == "played":
            return self._played(tree)
        if "what" not in tree:
            return When(tree.tag, player=Who(self.role(tree.args[0], tree)))
        facts = (("kind", tree["counter"].tag),) if "counter" in tree else ()
        return When(tree.tag, subject=self.subject(tree["what"]), facts=facts)

    def _played(self, tree: Tree) -> When:
        what = tree["what"]
        inner = what["ref"] if what.tag == "ref" else what
        who = self.role(tree.args[0], tree)
        if inner.tag == "this" and who == "you":
            return When("card played", subject=self.this(inner))
        if inner.tag not in ("one", "another"):
            raise Unclear(what.start, "a kind of card")
        kinds = [head.tag for head in inner["noun"].all("head")]
        zone = "any" if any(one in PLAYED_ANYWHERE for one in kinds) else "board"
        return When("card played", subject=self.subject(what, zone), player=Who(who))

    # ------------------------------------------------------------ replacements and statements

    def _replacement(self, tree: Tree) -> Ability:
        subject = self.subject(tree["what"])
        if tree.tag == "instead":
            body = (self.step(tree["step"]),)
            return Ability(
                "replacement",
                when=When("death", subject=subject),
                program=self._program(body),
                rewrite=Rewrite("instead"),
            )
        if tree.tag == "twice placed":
            facts = (("kind", tree["counter"].tag),) if "counter" in tree else ()
            when = When("place", subject=subject, facts=facts)
            return Ability("replacement", when=when, rewrite=Rewrite("times", amount=2))
        said = tree["prevented"]
        amount = self.number(said["amt"]) if said.tag == "some" else None
        rewrite = Rewrite("prevent", amount=amount)
        return Ability("replacement", when=When("damage", subject=subject), rewrite=rewrite)

    def _statement(self, tree: Tree) -> Ability:
        condition = self.condition(tree["cond"]) if "cond" in tree else None
        return Ability("passive", condition=condition, changes=self.changes(tree["statement"]))
