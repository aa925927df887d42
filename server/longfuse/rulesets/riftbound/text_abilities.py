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
    Create,
    Do,
    Effect,
    If,
    Modes,
    Program,
    Remember,
)
from longfuse.abilities.nodes import AllOf, Condition, Each, Named, Not, State, This, TurnOf, When
from longfuse.abilities.text.check import walk
from longfuse.abilities.text.errors import Unclear
from longfuse.abilities.text.tree import Tree
from longfuse.rulesets.riftbound.text_canonical import Canonical, tidy
from longfuse.rulesets.riftbound.text_effects import (
    has_instead,
    leading_may,
    with_condition,
)
from longfuse.rulesets.riftbound.text_nouns import keyword_name
from longfuse.rulesets.riftbound.text_scope import YOU, Scope


BANISHING = {"banish", "banish top"}


class Abilities(Canonical):
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
            kind="activated", cost=cost, program=program, condition=condition, timing=timing
        )  # type: ignore[arg-type]
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

    def _printed(self, sentences: Sequence[Tree], condition: Condition | None, at: Tree) -> None:
        place = 0
        while place < len(sentences):
            self.scope = Scope()
            first = sentences[place]
            end = place + 1
            if _begins_ability(first):
                while end < len(sentences) and not _begins_ability(sentences[end]):
                    end += 1
                self._printed_trigger(first, sentences[place + 1 : end], condition)
            else:
                self._printed_statement(first, condition)
            place = end
            self._note_banishing()

    def _note_banishing(self) -> None:
        """Later abilities of this card may speak of what these banish."""
        if any(isinstance(node, Do) and node.verb in BANISHING for node in walk(tuple(self.out))):
            self.linkable = True

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
        if made.kind == "triggered" or made.rewrite and made.rewrite.how in ("instead", "also"):
            made = msgspec.structs.replace(made, program=self.scope.program())
        elif rest:
            raise self.unclear(rest[0], "the end of the line")
        if condition is not None:
            made = with_condition(made, condition)
        if any(_from_trash(one) for one in (first, *rest)):
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
            if _begins_ability(sentences[0]) and any(_from_trash(one) for one in sentences):
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
        body = self._inner(lambda: self.run(sentences))
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
    body: list[Effect] = []
    for effect in ability.program.body:
        if isinstance(effect, Do) and effect.verb == "banish top":
            effect = msgspec.structs.replace(effect, name=effect.name or "d1")
            body += [effect, Remember(Named(effect.name))]
            continue
        body.append(effect)
        if isinstance(effect, Do) and effect.verb == "banish" and effect.what is not None:
            body.append(Remember(effect.what))
    program = msgspec.structs.replace(ability.program, body=tuple(body))
    return msgspec.structs.replace(ability, program=program)


def _about_itself(tree: Tree) -> bool:
    """A statement's subject, or owner, is the card itself."""
    if tree.rule == "poss":
        return tree.tag == "this"
    return "ref" in tree and tree["ref"].tag == "this"


def _plays_me(core: Tree) -> bool:
    return core.words.startswith("you may play me")


def _timing_of(leads: list[Tree], ability: Tree) -> tuple[list[Tree], str]:
    """ "[Reaction]" right before a cost is the ability's timing, not the card's."""
    if ability.tag == "activated" and leads and leads[-1]["kwa"].words in ("action", "reaction"):
        return leads[:-1], leads[-1]["kwa"].words
    return leads, ""


def _begins_ability(sentence: Tree) -> bool:
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


def _from_trash(sentence: Tree) -> bool:
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


__all__ = ["Abilities", "Cost", "Create", "Each"]
