"""From lines to abilities: keywords, costs with a colon, printed triggers and statements, spells.

Owns how each line of a card becomes `Ability` records: what is printed (never delayed), what wraps
it (Deathknell, Legion, Level), and a spell's one program over all its lines.
"""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from longfuse.abilities.ability import (
    Ability,
    Cost,
    Do,
    Effect,
    ForEach,
    If,
    May,
    Modes,
    Program,
    Remember,
)
from longfuse.abilities.nodes import AllOf, Condition, Each, Named, State, This, TurnOf, When
from longfuse.abilities.text.check import walk
from longfuse.abilities.text.errors import Unclear
from longfuse.abilities.text.tree import Tree
from longfuse.rulesets.riftbound.text_phrases import keyword_name
from longfuse.rulesets.riftbound.text_printed import Printed, begins_ability, from_trash
from longfuse.rulesets.riftbound.text_scope import YOU, Scope
from longfuse.rulesets.riftbound.text_shapes import (
    has_instead,
    leading_may,
    tidy,
    with_condition,
)


class Abilities(Printed):
    """Builds the abilities of a card."""

    # ------------------------------------------------------------ lines

    def permanent_line(self, tree: Tree) -> list[Ability]:
        """A line of a unit, gear, legend or battlefield."""
        line = tree["abilities_line"] if tree.rule == "permanent_line" else tree
        self.out = []
        self.printed = True
        timing = ""
        leads = line.all("lead")
        if "ability1" in line:
            leads, timing = _timing_of(leads, line["ability1"])
        for lead in leads:
            self.out.append(self._keyword(lead))
        if inner := line.get("ability1"):
            self._ability(inner, None, "", timing)
        return self.out

    def _keyword(self, lead: Tree) -> Ability:
        name = keyword_name(lead["kwa"].words)
        amount = self.number(lead["amt"]) if "amt" in lead else None
        if amount is None and name in ("Assault", "Shield", "Deflect", "Hunt"):
            amount = 1
        cost = self._price(lead["kw_price"]) if "kw_price" in lead else None
        return Ability(kind="keyword", keyword=name, amount=amount, cost=cost)

    def _price(self, tree: Tree) -> Cost:
        if "kcost" in tree:
            return self.cost(tree["kcost"])
        return Cost(resources=(("energy", self.number(tree["bare"])),))

    def quoted(self, tree: Tree) -> list[Ability]:
        """The abilities in quotation marks, built as printed ones."""
        saved = (self.out, self.printed, self.scope, self.frame_window, self.step_window)
        riders = (self.per_tree, self.least, self.free)
        self.per_tree, self.least, self.free = None, None, ""
        self.frame_window, self.step_window = None, None
        self.scope = Scope()
        kind, self.card_type = self.card_type, "unit"
        found = self.permanent_line(tree["abilities_line"])
        self.card_type = kind
        self.out, self.printed, self.scope, self.frame_window, self.step_window = saved
        self.per_tree, self.least, self.free = riders
        return found

    def _ability(
        self, tree: Tree, condition: Condition | None, keyword: str, timing: str = ""
    ) -> None:
        self._build_ability(tree, condition, timing)
        self._note_banishing()

    def _build_ability(self, tree: Tree, condition: Condition | None, timing: str) -> None:
        tag = tree.tag
        if tag == "canonical":
            self.out.append(self.canonical_ability(tree["canonical_ability"]))
        elif tag in ("wrap", "timed wrap"):
            self._wrapped(tree, condition)
        elif tag == "activated":
            self._activated(tree, condition, timing)
        elif tag == "additional":
            self._additional(tree["addcost"], condition)
        elif tag == "modal":
            raise self.unclear(tree, "a cost or trigger before “choose one”")
        else:
            self._printed(tree["sentences"].all("sentence"), condition, tree)
        _usages(self, tree)

    def _wrapped(self, tree: Tree, condition: Condition | None) -> None:
        word = tree["wrap"].words
        inner = tree["inner"]
        if word == "deathknell":
            if inner.tag != "sentences" or condition is not None:
                raise self.unclear(inner, "an effect behind Deathknell")
            self._deathknell(inner["sentences"].all("sentence"))
            return
        amount = self.number(tree["amt"]) if "amt" in tree else 0
        gate = State(word, amount)
        self._build_ability(inner, gate if condition is None else AllOf((condition, gate)), "")

    def _deathknell(self, sentences: Sequence[Tree]) -> None:
        self.scope = Scope()
        self.scope.this_event = True
        made = self._program_of(sentences)
        when = When("unit died", subject=This())
        self.out.append(msgspec.structs.replace(made, keyword="Deathknell", when=when))

    def _program_of(self, sentences: Sequence[Tree]) -> Ability:
        """A triggered ability whose words are these sentences."""
        first = sentences[0]
        fronts = [one for one in first.all("fronts") if one.tag != "plain"]
        condition: Condition | None = None
        self.printed = False
        if fronts and fronts[0].tag in ("if", "unless") and not has_instead(first.get("main"), ()):
            found, fronts = self._intervening(fronts)
            condition = found[0] if len(found) == 1 else AllOf(tuple(found))
        main = first.get("main")
        may = (
            leading_may(main)
            if not fronts and not first.all("trailing") and "joint" not in first
            else None
        )
        if may is not None and main is not None:
            made = self.optional(main, lambda: None, "triggered")
            if part := first.get("else_part"):
                raise self.unclear(part, "the end of the sentence")
        elif condition is not None:
            made = Ability(kind="triggered")
            self._rest_of_framed(first, fronts)
        else:
            made = Ability(kind="triggered")
            self.sentence(first)
        self.run(sentences[1:])
        self.printed = True
        made = msgspec.structs.replace(made, program=self.scope.program())
        return made if condition is None else with_condition(made, condition)

    def _rest_of_framed(self, tree: Tree, fronts: list[Tree]) -> None:
        main = tree.get("main")

        def build() -> None:
            if main is None:
                self._reflexive(tree["inner"]["sentence"])
            else:
                self._trailed(main, tree.all("trailing"))

        self.frame_window = None
        self._front(fronts, build, main, tree.all("trailing"))

    # ------------------------------------------------------------ activated abilities

    def _activated(self, tree: Tree, condition: Condition | None, timing: str) -> None:
        self.scope = Scope()
        self.printed = False
        cost = self.cost(tree["cost"])
        if inner := tree.get("timing"):
            timing = inner.tag
        if wrap := tree.get("wrapped"):
            gate = State(wrap.words)
            condition = gate if condition is None else AllOf((condition, gate))
        if "modal_effect" in tree:
            body: tuple[Effect, ...] = (self.modes(tree["modal_effect"]["modal"]),)
            program = Program(choices=(), body=body)
        else:
            self.run(tree["sentences"].all("sentence"))
            program = self.scope.program()
        self.printed = True
        made = Ability(
            kind="activated",
            cost=cost,
            program=program,
            condition=condition,
            timing=timing,  # type: ignore[arg-type]
        )
        self.out.append(made)

    def modes(self, tree: Tree) -> Modes:
        """ "Choose one —" and its options."""
        options: list[tuple[str, Program]] = []
        outer = self.scope
        for option in tree.all("option"):
            self.scope = outer.child()
            self.sentence(option["sentence"])
            options.append((tidy(option["sentence"].written), self.scope.program()))
        self.scope = outer
        count = self.number(tree["number"]) if "number" in tree else 1
        return Modes(tuple(options), least=count, most=count)

    def _additional(self, tree: Tree, condition: Condition | None) -> None:
        outer = self.scope
        self.scope = Scope()
        cost = self.cost(tree["cost"])
        self.scope = outer
        optional = tree.tag == "may"
        self.out.append(
            Ability(kind="keyword", keyword="Additional Cost", cost=cost, optional=optional,
                    condition=condition)
        )  # fmt: skip
        if rest := tree.get("sentences"):
            self._if_paid(rest.all("sentence"))

    def _if_paid(self, sentences: Sequence[Tree]) -> None:
        """ "If you do, …" behind an additional cost."""
        self.extra_paid = True
        for sentence in sentences:
            if self.card_type != "spell":
                self.printed = True
                self._printed_statement(sentence, None)
            elif not self._spell_statement(sentence):
                self.sentence(sentence)
        self.extra_paid = False

    # ------------------------------------------------------------ printed triggers and statements

    # ------------------------------------------------------------ spells

    def spell_line(self, tree: Tree) -> list[Ability]:
        """A line of a spell: keywords and separate abilities; instructions go into the scope."""
        self.out = []
        self.printed = False
        for lead in tree.all("lead"):
            self.out.append(self._keyword(lead))
        if tree.tag == "canonical":
            self.out.append(self.canonical_ability(tree["canonical_ability"]))
        elif tree.tag == "additional":
            self._additional(tree["addcost"], None)
        elif tree.tag == "modal":
            self.scope.body.append(self.modes(tree["modal"]))
        elif tree.tag == "wrap":
            self._spell_wrap(tree)
        elif tree.tag == "line":
            sentences = tree["sentences"].all("sentence")
            if begins_ability(sentences[0]) and any(from_trash(one) for one in sentences):
                saved = self.scope
                self._printed(sentences, None, tree)
                self.scope, self.printed = saved, False
                return self.out
            for sentence in sentences:
                if not self._spell_statement(sentence):
                    self.sentence(sentence)
        return self.out

    def _spell_wrap(self, tree: Tree) -> None:
        word = tree["wrap"].words
        if word == "deathknell":
            raise self.unclear(tree, "Legion or Level")
        gate = State(word, self.number(tree["amt"]) if "amt" in tree else 0)
        sentences = tree["sentences"].all("sentence")
        if len(sentences) == 1 and self._spell_statement(sentences[0], gate):
            return
        self.instead_said = True
        body = self._inner(lambda: self.run(sentences))
        self.instead_said = False
        otherwise: tuple[Effect, ...] = ()
        if any(has_instead(one.get("main"), one.all("trailing")) for one in sentences):
            otherwise = tuple(self.scope.body[self.last_start :])
            if not otherwise:
                raise self.unclear(tree, "an instruction before it, to be replaced by “instead”")
            del self.scope.body[self.last_start :]
        self.scope.body.append(If(gate, body, otherwise))

    last_start = 0

    def _spell_statement(self, sentence: Tree, gate: Condition | None = None) -> bool:
        """A statement about the spell itself ("this costs 2 less") is an ability of its own."""
        self.last_start = len(self.scope.body) if gate is None else self.last_start
        main = sentence.get("main")
        steps = main["sequence"].all("step") if main is not None and "sequence" in main else []
        if len(steps) != 1 or steps[0]["core"].tag != "statement" or steps[0].get("window"):
            return False
        stated = steps[0]["core"]["statement"]
        about = stated.get("stmt") or stated.get("poss")
        if about is None or not _about_itself(about):
            return False
        before = self.scope
        self._printed_statement(sentence, gate)
        self.scope = before
        return True

    def spell(self) -> list[Ability]:
        """The one instruction ability of a spell, if it has instructions."""
        program = self.scope.program()
        if not program.body and not program.choices:
            return []
        return [Ability(kind="spell", program=program)]


def remembering(abilities: list[Ability]) -> list[Ability]:
    """What an ability banishes is remembered, if another one speaks of "banished with this"."""
    if any(isinstance(node, Remember) for node in walk(tuple(abilities))):
        return abilities
    return [_remembering(one) for one in abilities]


def _remembering(ability: Ability) -> Ability:
    program = msgspec.structs.replace(ability.program, body=_remembered(ability.program.body))
    return msgspec.structs.replace(ability, program=program)


def _remembered(effects: tuple[Effect, ...]) -> tuple[Effect, ...]:
    """Effects, with what each banishes remembered behind it."""
    body: list[Effect] = []
    for effect in effects:
        match effect:
            case Do(verb="banish top") | Do(verb="banish", what=Each()):
                # What it was about can't be found again afterwards: its result is remembered.
                named = msgspec.structs.replace(effect, name=effect.name or "d1")
                body += [named, Remember(Named(named.name))]
            case Do(verb="banish", what=what) if what is not None:
                body += [effect, Remember(what)]
            case If(then=then, otherwise=otherwise):
                inner = {"then": _remembered(then), "otherwise": _remembered(otherwise)}
                body.append(msgspec.structs.replace(effect, **inner))
            case May(body=steps) | ForEach(body=steps):
                body.append(msgspec.structs.replace(effect, body=_remembered(steps)))
            case _:
                body.append(effect)
    return tuple(body)


def _about_itself(tree: Tree) -> bool:
    """A statement's subject, or owner, is the card itself."""
    if tree.rule == "poss":
        return tree.tag == "this"
    return "ref" in tree and tree["ref"].tag == "this"


def _timing_of(leads: list[Tree], ability: Tree) -> tuple[list[Tree], str]:
    """ "[Reaction]" right before a cost is the ability's timing, not the card's."""
    if ability.tag == "activated" and leads and leads[-1]["kwa"].words in ("action", "reaction"):
        return leads[:-1], leads[-1]["kwa"].words
    return leads, ""


def _usages(builder: Abilities, tree: Tree) -> None:
    for usage in tree.all("usage"):
        if not builder.out:
            raise Unclear(usage.start, "an ability")
        last = builder.out[-1]
        if usage.tag == "once":
            last = msgspec.structs.replace(last, once="turn")
        elif usage.tag == "your turn":
            last = with_condition(last, TurnOf(YOU))
        else:
            last = with_condition(last, builder.condition(usage["condition"]))
        builder.out[-1] = last
