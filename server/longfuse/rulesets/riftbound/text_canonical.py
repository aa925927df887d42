"""From the compiler's own words back to abilities (`grammar/canonical.peg`).

Owns the builders of what `say` prints: everything by name, nothing by pronoun.
"""

from __future__ import annotations

from typing import Any

import msgspec

from longfuse.abilities.ability import (
    Ability,
    Change,
    Choice,
    Choose,
    Cost,
    Create,
    Do,
    Duration,
    Effect,
    ForEach,
    If,
    May,
    Modes,
    Program,
    Remember,
    Rewrite,
    Then,
)
from longfuse.abilities.nodes import (
    AllOf,
    Amount,
    AnyOf,
    Arithmetic,
    At,
    Attached,
    Candidate,
    Compare,
    Condition,
    ControllerOf,
    Count,
    Did,
    Each,
    Exists,
    Linked,
    Matches,
    Named,
    NamedAmount,
    NamedPlayer,
    Not,
    Objects,
    OwnerOf,
    Paid,
    Players,
    Same,
    Selector,
    Stat,
    State,
    Tally,
    TurnOf,
    When,
)
from longfuse.abilities.text.tree import Tree
from longfuse.rulesets.riftbound.text_effects import Effects
from longfuse.rulesets.riftbound.text_events import Trigger
from longfuse.rulesets.riftbound.text_scope import Scope
from longfuse.rulesets.riftbound.text_shapes import tidy

Fact = tuple[str, int | str | bool]


class Canonical(Effects):
    """Builds from canonical words."""

    # ------------------------------------------------------------ references, players, amounts

    def _canonical(self, tree: Tree) -> Objects:
        tag = tree.tag
        if tag in ("t", "c", "p", "d"):
            number = int(tree["NUMBER"].words)
            self.counts[tag] = max(self.counts.get(tag, 0), number)
            return Named(f"{tag}{number}")
        if tag in ("attached", "attached to"):
            return Attached(self.refs(tree["ref"])[0], to_it=tag == "attached")
        if tag == "linked":
            return Linked(string(tree["string"])) if "string" in tree else Linked()
        return Named(tag)

    def player(self, tree: Tree) -> Players:
        """A player, also in canonical words."""
        inner = tree.get("canonical_player")
        if inner is None:
            return super().player(tree)
        if inner.tag == "target":
            return NamedPlayer(f"t{inner['NUMBER'].words}")
        if inner.tag == "controller":
            return ControllerOf(self.obj_c(inner["obj_c"]))
        if inner.tag == "owner":
            return OwnerOf(self.obj_c(inner["obj_c"]))
        return NamedPlayer(inner.tag)

    def obj_c(self, tree: Tree) -> Objects:
        """An object, or all present ones."""
        if tree.tag == "each":
            return Each(self.selector(self.phrase(tree["np"], bare=True)))
        return self.refs(tree["ref"])[0]

    def any_c(self, tree: Tree) -> Objects | Selector:
        """Any that match, or an object."""
        if tree.tag == "any":
            return self.selector(self.phrase(tree["np"]))
        return self.obj_c(tree["obj_c"])

    def canonical_value(self, tree: Tree) -> Amount:
        """An amount in canonical words."""
        tag = tree.tag
        if tag == "event.amount":
            return NamedAmount("event.amount")
        if tag == "amount":
            return NamedAmount(string(tree["string"]))
        if tag == "negative":
            return -int(tree["NUMBER"].words)
        if tag == "count":
            return Count(self.selector(self.phrase(tree["np"])))
        if tag == "stat":
            return Stat(string(tree["string"]), self._stat_of(tree["stat_of"]))
        if tag in ("tally turn", "tally game"):
            when = self.event_c(tree["event_c"])
            return Tally(when, "this turn" if tag == "tally turn" else "this game")
        right = self.value(tree["right"]) if "right" in tree else 0
        return Arithmetic(tag, self.value(tree["left"]), right)  # type: ignore[arg-type]

    def _stat_of(self, tree: Tree) -> Objects | Candidate | Players:
        if tree.tag == "candidate":
            return Candidate()
        return self.player(tree["player"]) if tree.tag == "player" else self.obj_c(tree["obj_c"])

    # ------------------------------------------------------------ conditions

    def canonical_cond(self, tree: Tree) -> Condition:
        """A condition in canonical words."""
        tag = tree.tag
        if tag == "did":
            return Did(f"d{tree['NUMBER'].words}")
        if tag == "paid":
            return Paid(string(tree["string"]))
        if tag == "turn":
            return TurnOf(self.player(tree["player"]))
        if tag == "exists":
            most = int(tree["most"].words) if "most" in tree else -1
            selector = self.selector(self.phrase(tree["np"]))
            return Exists(selector, self.value(tree["least"]), most)
        if tag == "matches":
            return Matches(self.obj_c(tree["obj_c"]), self.selector(self.phrase(tree["np"])))
        if tag == "compare":
            operator = tree["operator"].words.replace(" ", "")
            return Compare(self.value(tree["left"]), operator, self.value(tree["right"]))  # type: ignore[arg-type]
        if tag == "state":
            amount = int(tree["NUMBER"].words) if "NUMBER" in tree else 0
            return State(string(tree["string"]), amount)
        if tag == "same":
            return Same(self.player(tree["left"]), self.player(tree["right"]))
        parts = tuple(self.condition(one) for one in tree.all("condition"))
        if tag == "not":
            return Not(parts[0])
        return AllOf(parts) if tag == "all" else AnyOf(parts)

    # ------------------------------------------------------------ events and costs

    def event_c(self, tree: Tree) -> When:
        """One event."""
        if tree.tag == "natural":
            trigger = Trigger()
            self._event(tree["subject_event"], trigger, 0, None)
            return trigger.whens[0]
        fields: dict[str, Any] = {}
        facts: list[Fact] = []
        for part in tree.all("happens_c"):
            if part.tag in ("subject", "source"):
                fields[part.tag] = self.any_c(part["any_c"])
            elif part.tag == "player":
                fields["player"] = self.player(part["player"])
            elif part.tag == "nth":
                fields["nth"] = int(part["NUMBER"].words)
            else:
                facts.append(_fact(part))
        return When(string(tree["string"]), facts=tuple(facts), **fields)

    def cost_c(self, tree: Tree) -> Cost:
        """A cost in square brackets."""
        resources: list[tuple[str, int]] = []
        choices: list[Choice] = []
        outer = self.scope
        self.scope = inner = Scope()
        for part in tree.all("cost_part"):
            if part.tag == "resource":
                amount = self.number(part["amt"]) * (-1 if "negative" in part else 1)
                resources.append((part["resource"].words, amount))
            elif part.tag == "choice":
                choices.append(self.choice_c(part["choice_c"]))
            elif "canonical_do" in part:
                self.say_do(part["canonical_do"])
            else:
                self._core(part["core_c"], part, None)
        self.scope = outer
        return Cost(tuple(resources), tuple(choices), tuple(inner.body))

    def rewrite_c(self, tree: Tree) -> Rewrite:
        """What a replacement does to its proposal."""
        texts = tree.all("string")
        facts = tuple(_pair(texts[at], texts[at + 1]) for at in range(1, len(texts) - 1, 2))
        amount = self.value(tree["value"]) if "value" in tree else None
        return Rewrite(string(texts[0]), amount, facts)  # type: ignore[arg-type]

    def changes_c(self, tree: Tree) -> list[Change]:
        """One change, or those of a statement."""
        if tree.tag == "natural":
            return [change for made in self.statement(tree["statement"]) for change in made.changes]
        fields: dict[str, Any] = {}
        for part in tree.all("change_part"):
            tag = part.tag
            if tag == "of":
                fields["of"] = self.any_c(part["any_c"])
            elif tag == "amount":
                fields["amount"] = self.value(part["value"])
            elif tag == "least":
                fields["least"] = self.value(part["value"])
            elif tag == "set":
                fields["set"] = True
            elif tag == "word":
                fields["word"] = string(part["string"])
            elif tag == "who":
                fields["who"] = self.player(part["player"])
            elif tag == "ability":
                fields["ability"] = self.quoted(part["quoted"])[0]
            else:
                fields["resources"] = self.cost_c(part["cost_c"]).resources
        return [Change(string(tree["string"]), **fields)]

    # ------------------------------------------------------------ abilities

    def canonical_ability(self, tree: Tree) -> Ability:
        """A whole ability in canonical words."""
        outer, printed = self.scope, self.printed
        self.scope, self.printed = Scope(), True
        fields = self._heads(tree)
        self.printed = False
        kind = tree.tag
        if kind == "triggered":
            fields["when"] = (
                self.event_c(tree["event_c"])
                if "event_c" in tree
                else self._moment_c(tree["moment_c"])
            )
        elif kind == "replacement":
            fields["when"] = self._about_to(tree["event_c"])
            fields["rewrite"] = self.rewrite_c(tree["rewrite_c"])
        elif kind == "passive":
            self.printed = True
            changes = [one for part in tree.all("change_c") for one in self.changes_c(part)]
            fields["changes"] = tuple(changes)
        elif kind == "activated":
            fields["cost"] = self.cost_c(tree["cost_c"])
        else:
            fields["keyword"] = string(tree["string"])
            if "value" in tree:
                fields["amount"] = self.value(tree["value"])
            if "cost_c" in tree:
                fields["cost"] = self.cost_c(tree["cost_c"])
        if block := tree.get("block"):
            self.block(block)
        fields["program"] = self.scope.program()
        self.scope, self.printed = outer, printed
        return Ability(kind=kind, **fields)  # type: ignore[arg-type]

    def _about_to(self, tree: Tree) -> When:
        if tree.tag == "natural":
            raise self.unclear(tree, "an event in quotation marks")
        return self.event_c(tree)

    def _moment_c(self, tree: Tree) -> At:
        whose = self.player(tree["player"]) if "player" in tree else None
        return At(string(tree["string"]), whose=whose, turn=tree["turn_c"].tag)  # type: ignore[arg-type]

    def _heads(self, tree: Tree) -> dict[str, Any]:
        fields: dict[str, Any] = {}
        for head in tree.all("head_c"):
            tag = head.tag
            if tag == "condition":
                fields["condition"] = self.condition(head["condition"])
            elif tag == "binds":
                fields["binds"] = self.event_c(head["event_c"])
            elif tag == "optional":
                fields["optional"] = True
            elif tag == "cost":
                fields["cost"] = self.cost_c(head["cost_c"])
            elif tag == "once":
                fields["once"] = "turn"
            elif tag == "keyword":
                fields["keyword"] = string(head["string"])
            elif tag == "zone":
                fields["zones"] = (*fields.get("zones", ()), string(head["string"]))
            else:
                fields["timing"] = head["timing_kw"].tag
        return fields

    # ------------------------------------------------------------ sentences

    def block(self, tree: Tree) -> None:
        """Sentences in quotation marks."""
        if "sentences" in tree:
            self.run(tree["sentences"].all("sentence"))

    def _body(self, tree: Tree | None) -> tuple[Effect, ...]:
        if tree is None:
            return ()
        return self._inner(lambda: self.block(tree))

    def canonical_sentence(self, tree: Tree) -> None:
        """One sentence in canonical words."""
        method = getattr(self, "say_" + tree.tag.replace(" ", "_"))
        method(tree)

    def say_choose(self, tree: Tree) -> None:
        """A choice made when the item is finalized."""
        self.choose(self.choice_c(tree["choice_c"]))

    def say_pick(self, tree: Tree) -> None:
        """A choice made when it is reached."""
        self.scope.body.append(Choose(self.choice_c(tree["choice_c"])))

    def say_if(self, tree: Tree) -> None:
        """If …: “…” otherwise: “…”"""
        condition = self.condition(tree["condition"])
        self.scope.body.append(
            If(condition, self._body(tree["then"]), self._body(tree.get("else")))
        )

    def say_may(self, tree: Tree) -> None:
        """Let … decide: “…”"""
        who: Players | None = self.player(tree["player"])
        if tree["player"].words == "you":
            who = None
        cost = self.cost_c(tree["cost_c"]) if "cost_c" in tree else None
        name = f"d{tree['NUMBER'].words}" if "NUMBER" in tree else ""
        body, otherwise = self._body(tree["then"]), self._body(tree.get("else"))
        self.scope.body.append(May(body, cost=cost, who=who, name=name, otherwise=otherwise))

    def say_for_each(self, tree: Tree) -> None:
        """For each of …: “…”"""
        objects = self.obj_c(tree["obj_c"])
        self.scope.body.append(ForEach(self._body(tree["then"]), objects=objects))

    def say_for_players(self, tree: Tree) -> None:
        """For each player of …: “…”"""
        players = self.player(tree["player"])
        self.scope.body.append(ForEach(self._body(tree["then"]), players=players))

    def say_repeat(self, tree: Tree) -> None:
        """Repeat N times: “…”"""
        times = self.value(tree["value"])
        self.scope.body.append(ForEach(self._body(tree["then"]), times=times))

    def say_modes(self, tree: Tree) -> None:
        """Choose N to M modes: …"""
        outer = self.scope
        options: list[tuple[str, Program]] = []
        for mode in tree.all("mode_c"):
            self.scope = Scope()
            self.block(mode["block"])
            options.append((string(mode["string"]), self.scope.program()))
        self.scope = outer
        least, most = int(tree["least"].words), int(tree["most"].words)
        self.scope.body.append(Modes(tuple(options), least=least, most=most))

    def say_create(self, tree: Tree) -> None:
        """Create a delayed ability."""
        window = self.window_c(tree["window_c"])
        fields: dict[str, Any] = {"window": window}
        for part in tree.all("create_c"):
            if part.tag == "binds":
                fields["binds"] = self.event_c(part["event_c"])
            else:
                fields[part.tag] = int(part["NUMBER"].words)
        made = self.quoted(tree["quoted"])
        if len(made) != 1:
            raise self.unclear(tree["quoted"], "one ability")
        self.taken.append(window)
        self.scope.body.append(Create(msgspec.structs.replace(made[0], **fields)))

    def say_remember(self, tree: Tree) -> None:
        """Remember objects in this source's link."""
        name = string(tree["string"]) if "string" in tree else "link"
        self.scope.body.append(Remember(self.obj_c(tree["obj_c"]), name))

    def say_then(self, tree: Tree) -> None:
        """A reflexive trigger."""
        outer = self.scope
        self.scope = Scope()
        self.block(tree["then"])
        program = self.scope.program()
        self.scope = outer
        self.scope.body.append(Then(program))

    def say_do(self, tree: Tree) -> None:
        """One game action, by its name."""
        fields: dict[str, Any] = {}
        for part in tree.all("do_c"):
            tag = part.tag
            if tag in ("what", "by"):
                fields[tag] = self.obj_c(part["obj_c"])
            elif tag == "towards":
                fields["to_objects"] = self.obj_c(part["obj_c"])
            elif tag == "amount":
                fields["amount"] = self.value(part["value"])
            elif tag == "who":
                fields["who"] = self.player(part["player"])
            elif tag == "place":
                fields["to"] = string(part["string"])
            elif tag == "word":
                fields["word"] = string(part["string"])
            else:
                fields["cost"] = self.cost_c(part["cost_c"])
        name = f"d{tree['NUMBER'].words}" if "NUMBER" in tree else ""
        self.scope.body.append(Do(string(tree["string"]), name=name, **fields))

    def choice_c(self, tree: Tree) -> Choice:
        """A choice with its name."""
        refs = tree.all("canonical_ref")
        named = self._canonical(refs[0])
        assert isinstance(named, Named)
        fields: dict[str, Any] = {"name": named.name}
        if tree.tag == "other":
            fields["of"] = string(tree["string"])
        else:
            phrase = self.phrase(tree["np"])
            fields["selector"] = selector = self.selector(phrase)
            fields["least"], fields["most"] = phrase.least, phrase.most
            if phrase.quantity in ("any number", "some"):
                fields["most"] = Count(selector)
            if tree.tag == "place":
                fields["of"] = "place"
        for tail in tree.all("choice_tail"):
            if tail.tag == "different":
                names = [self._canonical(one) for one in tail.all("canonical_ref")]
                fields["different"] = tuple(one.name for one in names if isinstance(one, Named))
            elif tail.tag == "by":
                fields["who"] = self.player(tail["player"])
            else:
                fields["most"] = self.value(tail["value"])
        return Choice(**fields)

    def window_c(self, tree: Tree) -> Duration:
        """A window."""
        tag = tree.tag
        if tag == "plain":
            return self.window(tree["window"])
        if tag == "zone":
            return Duration(
                "while in zone", of=self.obj_c(tree["obj_c"]), zone=string(tree["string"])
            )
        if tag == "here":
            return Duration("while in zone", of=self.obj_c(tree["obj_c"]))
        if tag == "controlled":
            who = self.player(tree["player"])
            return Duration("while controlled", of=self.obj_c(tree["obj_c"]), who=who)
        if tag in ("start", "end"):
            return Duration(f"until {tag} of turn", who=self.player(tree["player"]))
        of = self.obj_c(tree["obj_c"]) if "obj_c" in tree else None
        return Duration(string(tree["string"]), of=of)


def string(tree: Tree) -> str:
    """The words in quotation marks, as they are kept in records."""
    words = " ".join(token.text for token in tree.tokens[tree.start + 1 : tree.end - 1])
    return tidy(words)


def _pair(name: Tree, value: Tree) -> Fact:
    words = string(value)
    if words in ("true", "false"):
        return (string(name), words == "true")
    return (string(name), int(words) if words.isdigit() else words)


def _fact(part: Tree) -> Fact:
    texts = part.all("string")
    return _pair(texts[0], texts[1])
