"""From sentences to effects: timing in front and behind, "you may", "instead", "if you do", windows.

Owns how a sentence becomes instructions or a delayed ability (392): *would, instead, prevent,
enters* make a replacement, *when, at, the next time* a trigger, a statement with a window a passive.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import msgspec

from longfuse.abilities.ability import (
    Ability,
    Change,
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
    Rewrite,
    Then,
)
from longfuse.abilities.nodes import (
    AllOf,
    Condition,
    Did,
    Each,
    Named,
    NamedAmount,
    Not,
    Objects,
    Players,
    Selector,
    This,
    When,
    Who,
)
from longfuse.abilities.text.errors import Unclear
from longfuse.abilities.text.tree import Tree
from longfuse.rulesets.riftbound.text_events import Trigger
from longfuse.rulesets.riftbound.text_scope import YOU, Scope
from longfuse.rulesets.riftbound.text_verbs import Verbs

Body = Callable[[], None]


class Effects(Verbs):
    """Builds sentences."""

    frame_window: Duration | None = None
    sentence_start = 0
    paid_front = False
    making: Ability | None = None

    # ------------------------------------------------------------ sentences

    def run(self, sentences: Sequence[Tree]) -> None:
        """Sentence after sentence into the present scope."""
        for tree in sentences:
            self.sentence(tree)

    def sentence(self, tree: Tree) -> None:
        """One sentence."""
        start = len(self.scope.body)
        if tree.tag == "block":
            self.block(tree["block"])
        elif tree.tag == "canonical":
            self.canonical_sentence(tree["canonical_sentence"])
        elif tree.tag == "reflexive":
            self._reflexive(tree["sentence"])
        elif tree.tag == "for each":
            self._for_each(tree)
        elif "joint" in tree and tree["joint"].tag == "otherwise":
            self._otherwise(tree)
        else:
            self._framed(tree)
        self.sentence_start = start

    def _reflexive(self, sentence: Tree) -> None:
        outer = self.scope
        self.scope = outer.child()
        self.sentence(sentence)
        program = self.scope.program()
        self.scope = outer
        self.scope.body.append(Then(program))

    def _for_each(self, tree: Tree) -> None:
        """ "For each friendly unit, …": one after the other."""
        each = Each(self.described(tree["each_np"], bare=True))

        def build() -> None:
            self.mention(Named("each"), kinds=each.selector.kinds)
            self.main(tree["main"])

        body = self._inner(build)
        self.scope.body.append(ForEach(body, objects=each))

    def _otherwise(self, tree: Tree) -> None:
        last = self.scope.body[-1] if self.scope.body else None
        if not isinstance(last, If | May) or last.otherwise:
            raise self.unclear(tree, "an “if” before “otherwise”")
        body = self._inner(lambda: self._framed(tree))
        self.scope.body[-1] = msgspec.structs.replace(last, otherwise=body)

    def _inner(self, build: Body) -> tuple[Effect, ...]:
        """Effects of a body within this program."""
        outer = self.scope
        self.scope = inner = outer.inner()
        try:
            build()
        finally:
            self.scope = outer
        outer.mentions = [
            one for one in inner.mentions if one.lazy is None or one.lazy[0] is not inner.body
        ]
        outer.player = inner.player
        return tuple(inner.body)

    def _framed(self, tree: Tree) -> None:
        main = tree.get("main")
        inner = tree.get("inner")
        fronts = [one for one in tree.all("fronts") if one.tag != "plain"]
        trailing = tree.all("trailing")
        self.frame_window = None
        self._require_windows(tree)

        def build() -> None:
            if main is None:
                assert inner is not None
                self._reflexive(inner["sentence"])
            else:
                self._trailed(main, trailing)
            if part := tree.get("else_part"):
                self._else_part(part)

        self._done = tree.get("did_part")
        self.taken = []
        self._front(fronts, build, main, trailing)
        self._windows_used(fronts, trailing)
        if self._done is not None:
            self._if_done(self._done)

    _done: Tree | None = None

    def _if_done(self, part: Tree) -> None:
        """ "If you do, …" behind the sentence."""
        self._done = None
        name = self.name_last(part)
        body = self._inner(lambda: self.main(part["main"]))
        self.scope.body.append(If(Did(name), body))

    def _require_windows(self, tree: Tree) -> None:
        """Two windows at the edges of one sentence are not understood."""
        edges = [one for one in tree.all("fronts") + tree.all("trailing") if one.tag == "window"]
        if len(edges) > 1:
            raise self.unclear(edges[1], "one window")

    def _windows_used(self, fronts: list[Tree], trailing: Sequence[Tree]) -> None:
        """A window that nothing took would be dropped: refuse."""
        for edge in [*fronts, *trailing]:
            if edge.tag == "window" and not self.taken:
                raise self.unclear(edge, "something that can last, with this window")

    def _else_part(self, part: Tree) -> None:
        last = self.scope.body[-1] if self.scope.body else None
        if not isinstance(last, If | May):
            raise self.unclear(part, "an “if” before “otherwise”")
        body = self._inner(lambda: self.main(part["main"]))
        self.scope.body[-1] = msgspec.structs.replace(last, otherwise=body)

    # ------------------------------------------------------------ timing in front

    def _front(
        self, fronts: list[Tree], build: Body, main: Tree | None, trailing: Sequence[Tree]
    ) -> None:
        if not fronts:
            build()
            return
        first, rest = fronts[0], fronts[1:]
        if first.tag == "window":
            self.frame_window = self.window(first["window"])
            self._front(rest, build, main, trailing)
        elif first.tag == "trigger":
            self._triggered(first["trigger"], rest, build, main)
        elif first.tag == "moment":
            self._at(first, rest, build, main)
        else:
            self._conditional(first, rest, build, main, trailing)

    def _conditional(
        self,
        front: Tree,
        rest: list[Tree],
        build: Body,
        main: Tree | None,
        trailing: Sequence[Tree],
    ) -> None:
        if front.tag == "if" and self.paid_front and _asks_did(front["condition"]):
            self.paid_front = False
            self._front(rest, build, main, trailing)
            return
        condition = self.condition(front["condition"])
        if front.tag == "unless":
            condition = Not(condition)
        if front.tag == "while":
            self._while(condition, rest, build, main, trailing)
            return
        before = len(self.scope.body)
        body = self._inner(lambda: self._front(rest, build, main, trailing))
        otherwise: tuple[Effect, ...] = ()
        if _has_instead(main, trailing) and not _is_replacement(body):
            otherwise = tuple(self.scope.body[self.sentence_start : before])
            if not otherwise:
                raise self.unclear(front, "an instruction before it, to be replaced by “instead”")
            del self.scope.body[self.sentence_start :]
        self.scope.body.append(If(condition, body, otherwise))

    def _while(
        self, condition: Condition, rest: list[Tree], build: Body, main: Tree | None,
        trailing: Sequence[Tree],
    ) -> None:  # fmt: skip
        body = self._inner(lambda: self._front(rest, build, main, trailing))
        for effect in body:
            if not isinstance(effect, Create):
                raise Unclear(main.start if main else 0, "a statement behind “while”")
            held = _with_condition(effect.ability, condition)
            self.scope.body.append(Create(held))

    # ------------------------------------------------------------ triggers and replacements

    def _triggered(self, tree: Tree, rest: list[Tree], build: Body, main: Tree | None) -> None:
        trigger = self.trigger(tree)
        window = trigger.window or self.frame_window
        self.frame_window = None
        outer = self.scope
        self.enter(trigger)
        conditions, rest = self._intervening(rest)
        made = self._ability_of(trigger, rest, build, main, tree)
        self.scope = outer
        for condition in conditions:
            made = _with_condition(made, condition)
        if trigger.condition:
            made = _with_condition(made, trigger.condition)
        if window is None:
            window = self._open_window(trigger, made, tree)
        for when in trigger.whens:
            self.create(msgspec.structs.replace(made, when=when), window)

    def _open_window(self, trigger: Trigger, made: Ability, tree: Tree) -> Duration:
        """The window of a sentence that names none."""
        if trigger.captured is not None and not isinstance(trigger.captured, Each):
            return Duration("while in zone", of=trigger.captured)
        if trigger.uses:
            return Duration("game")
        if (about := _acted_on(made)) is not None:
            return Duration("while in zone", of=about)
        raise self.unclear(tree, "“this turn” or another window")

    def _intervening(self, rest: list[Tree]) -> tuple[list[Condition], list[Tree]]:
        """An "if" right behind the event is looked at when it happens."""
        found: list[Condition] = []
        while rest and rest[0].tag in ("if", "unless"):
            condition = self.condition(rest[0]["condition"])
            found.append(Not(condition) if rest[0].tag == "unless" else condition)
            rest = rest[1:]
        return found, rest

    def enter(self, trigger: Trigger) -> Scope:
        """A new scope for what a trigger or replacement does."""
        self.scope = child = self.scope.child()
        if trigger.mention:
            child.mentions.append(trigger.mention)
        if trigger.player is not None:
            child.player = trigger.player
        if trigger.amount:
            child.amount = NamedAmount("event.amount")
        if trigger.about_this:
            child.this_event = True
        return child

    def _ability_of(
        self, trigger: Trigger, rest: list[Tree], build: Body, main: Tree | None, tree: Tree
    ) -> Ability:
        """The triggered or replacement ability; the scope is already its own."""
        once = "turn" if trigger.once else ""
        if trigger.would or trigger.entering:
            if main is None:
                raise self.unclear(tree, "what happens instead")
            ability = self._replacement(trigger, rest, build, main)
        else:
            ability = self.optional(main, lambda: self._front(rest, build, main, ()), "triggered")
            if not rest and _has_instead(main, ()):
                raise self.unclear(tree, "would, before “instead”")
            ability = msgspec.structs.replace(ability, program=self.scope.program())
        return msgspec.structs.replace(ability, uses=trigger.uses, once=once)

    def optional(self, main: Tree | None, build: Body, kind: str) -> Ability:
        """A leading "you may" belongs to the ability, later ones to the program."""
        step = _leading_may(main)
        if step is None:
            build()
            return Ability(kind=kind)  # type: ignore[arg-type]
        core = step["core"]
        cost = self.cost(core["cost"]) if core.tag == "may cost" else None
        inner = core["sequence"]
        steps = inner.all("step")
        if cost is None and len(steps) == 1 and _is_pay(steps[0]):
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
        also = trigger.entering and not _has_instead(main, ())
        done, self._done = self._done, None
        if done is not None and not _has_instead(done["main"], ()):
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
        ability = self.optional(main, build, "replacement")
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
        return _has_instead(main, self._present_trailing)

    _present_trailing: Sequence[Tree] = ()

    def _outcome(self, tree: Tree, also: Tree | None) -> Ability:
        """ "Prevent that damage", "it takes double that damage instead" …"""
        optional = "may_word" in tree or "cost" in tree
        cost = self.cost(tree["cost"]) if "cost" in tree else None
        rewrite = self.outcome_rewrite(tree)
        if also is not None:
            if rewrite != Rewrite("prevent"):
                raise self.unclear(also, "the end of the sentence")
            self.sequence(also["sequence"])
            rewrite = Rewrite("instead")
            return Ability(
                kind="replacement", optional=optional, rewrite=rewrite, program=self.scope.program()
            )
        return Ability(kind="replacement", optional=optional, cost=cost, rewrite=rewrite)

    def outcome_rewrite(self, tree: Tree) -> Rewrite:
        """How an outcome changes the proposal."""
        tag = tree.tag
        if tag == "prevent":
            return self._prevented(tree)
        if tag == "times":
            return Rewrite("times", 2)
        if tag == "half":
            return Rewrite("prevent", _half_of_it(up=False))
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
            return Rewrite("prevent", _half_of_it(up))
        if spec.tag == "some":
            return Rewrite("prevent", self.number(spec["number"]))
        raise self.unclear(spec, "that damage")

    # ------------------------------------------------------------ moments

    def _at(self, front: Tree, rest: list[Tree], build: Body, main: Tree | None) -> None:
        at = self.moment(front["moment"])
        if at.turn == "each":
            if self.frame_window is None:
                raise self.unclear(front, "this turn, or your next turn")
            window = self.frame_window
            uses = 0
        else:
            window, uses = Duration("this turn" if at.turn == "this" else "game"), 1
        self.frame_window = None
        outer = self.scope
        self.scope = outer.child()
        conditions, rest = self._intervening(rest)
        leading = main if not rest else None
        self.scope.player = at.whose
        if at.whose in (None, Who("each player"), Who("any player")):
            self.scope.player = Who("turn player")
        ability = self.optional(
            leading, lambda: self._front(rest, build, main, ()), "triggered"
        )
        ability = msgspec.structs.replace(ability, when=at, uses=uses, program=self.scope.program())
        self.scope = outer
        for condition in conditions:
            ability = _with_condition(ability, condition)
        self.create(ability, window)

    # ------------------------------------------------------------ main part, timing behind

    def _trailed(self, main: Tree, trailing: Sequence[Tree]) -> None:
        timed = [one for one in trailing if one.tag not in ("instead", "rider")]
        riders = [one for one in trailing if one.tag == "rider"]
        self.frame_free = riders[0]["free_rider"].tag if riders else ""
        if riders and (self.frame_free == "reduced" or not has_word(main, "play")):
            raise self.unclear(riders[0], "“play” before it")
        self._present_trailing = [one for one in trailing if one.tag == "instead"]
        if not timed:
            self.main(main)
            return
        if len(timed) > 1 and timed[-1].tag == "window":
            self.frame_window = self.window(timed[-1]["window"])
            timed = timed[:-1]
        if len(timed) > 1:
            raise self.unclear(timed[1], "the end of the sentence")
        last = timed[0]
        head, tail = _split(main) if last.tag in ("trigger", "moment") else (None, None)
        if head is not None:
            self.steps(head, main)
        build: Body = (lambda: self.steps(tail, main)) if tail else (lambda: self.main(main))
        whole = None if tail else main
        self._behind(last, build, whole)

    def _behind(self, last: Tree, build: Body, main: Tree | None) -> None:
        if last.tag == "window":
            self.frame_window = self.window(last["window"])
            build()
        elif last.tag == "trigger":
            self._trigger_behind(last["trigger"], build, main)
        elif last.tag == "moment":
            self._at(last, [], build, main)
        elif last.tag == "unlesspay":
            self._unless_paid(last["unless_payment"], build)
        elif last.tag == "while":
            condition = self.condition(last["condition"])
            self._while(condition, [], build, main, ())
        else:
            body = self._inner(build)
            condition = self.condition(last["condition"])
            if last.tag == "unless":
                condition = Not(condition)
            self.scope.body.append(If(condition, body))

    def _trigger_behind(self, tree: Tree, build: Body, main: Tree | None) -> None:
        try:
            self._triggered(tree, [], build, main)
        except Unclear:
            if self.scope.mentions or main is None:
                raise
            found = self._choices_first(main)
            if not found:
                raise
            self._triggered(tree, [], build, main)

    def _choices_first(self, main: Tree) -> bool:
        """ "Kill a unit the next time it dies …": too unclear; choose it first."""
        raise self.unclear(main, "“Choose a unit.” before it")

    def _unless_paid(self, tree: Tree, build: Body) -> None:
        body = self._inner(build)
        who = self.player(tree["player"])
        name = self.name("d")
        if tree.tag == "discards":
            amount = self.number(tree["number"]) if "number" in tree else 1
            discard = Do("discard", amount=amount, who=who)
            may = May((discard,), who=who, name=name)
        elif tree.tag == "draws":
            draw = Do("draw", amount=self.number(tree["number"]), who=YOU)
            may = May((draw,), who=who, name=name)
        else:
            cost = Cost(resources=tuple(self.resources(tree["pay_what"])))
            may = May((), cost=cost, who=who, name=name)
        self.scope.body.append(may)
        self.scope.body.append(If(Not(Did(name)), body))

    # ------------------------------------------------------------ steps

    def main(self, tree: Tree) -> None:
        """What a sentence tells to do, its timing apart."""
        if outcome := tree.get("outcome"):
            if also := tree.get("then_also"):
                raise self.unclear(also, "the end of the sentence")
            self.prevention(outcome)
            return
        self.sequence(tree["sequence"])

    def sequence(self, tree: Tree) -> None:
        """Steps in order."""
        self.steps(tree.all("step"), tree)

    def steps(self, steps: Sequence[Tree], tree: Tree) -> None:
        """Steps in order; a window said with a later step counts for the earlier ones, too."""
        outer_window = self.frame_window
        self._actor_before = None
        windows = [self._step_window(step) for step in steps]
        for place, step in enumerate(steps):
            later = next((one for one in windows[place:] if one), None)
            self.frame_window = later or outer_window
            self.step(step, windows[place])
        self.frame_window = outer_window

    def _step_window(self, step: Tree) -> Duration | None:
        found = step.all("window")
        if len(found) > 1:
            raise self.unclear(found[1], "one window")
        if not found or "ref" in found[0] or "ref_is" in found[0]:
            return None
        return self.window(found[0])

    def step(self, tree: Tree, own: Duration | None) -> None:
        """One step."""
        core = tree["core"]
        before = (self.step_window, self.per_tree, self.least, self.free, self.free_amount)
        self.step_window = own or self.frame_window
        self._riders(tree)
        late = [one for one in tree.all("window") if "ref" in one or "ref_is" in one]
        if other := tree.get("or_core"):
            self._either(core, other, tree)
        elif late and own is None:
            self._late_window(core, late[0])
        else:
            self._core(core, tree, own)
        self.step_window, self.per_tree, self.least, self.free, self.free_amount = before

    def _either(self, left: Tree, right: Tree, step: Tree) -> None:
        """ "Draw 1 or buff me": a choice of one."""
        if left.tag not in ("imperative", "may") or right.tag != "imperative":
            raise self.unclear(right, "an instruction")
        if left.tag == "may":
            raise self.unclear(right, "one instruction behind “you may”")
        options: list[tuple[str, Program]] = []
        outer = self.scope
        for one in (left, right):
            self.scope = outer.child()
            self._core(one, step, None)
            options.append((_tidy(one.written), self.scope.program()))
        self.scope = outer
        self.scope.body.append(Modes(tuple(options)))

    def _late_window(self, core: Tree, window: Tree) -> None:
        """ "… until it leaves the board": "it" may be what the step itself chooses."""
        place = len(self.scope.body)
        self.step_window = Duration("?")
        self._core(core, core, self.step_window)
        real = self.window(window)
        for at in range(place, len(self.scope.body)):
            effect = self.scope.body[at]
            if not isinstance(effect, Create) or effect.ability.window != Duration("?"):
                raise self.unclear(window, "a statement with this window")
            ability = msgspec.structs.replace(effect.ability, window=real)
            self.scope.body[at] = Create(ability)

    frame_free = ""

    def _riders(self, tree: Tree) -> None:
        self.per_tree, self.least, self.free, self.free_amount = None, None, self.frame_free, None
        for rider in tree.all("rider"):
            if "per" in rider:
                self.per_tree = rider["per"]
            elif "min_rider" in rider:
                self.least = self.number(rider["min_rider"]["number"])
            else:
                free = rider["free_rider"]
                self.free = free.tag
                if free.tag == "reduced":
                    self.free_amount = self.number(free["energy"])

    def _core(self, core: Tree, step: Tree, own: Duration | None) -> None:
        tag = core.tag
        self._allow_riders(core, step)
        if tag == "imperative" or tag == "acts":
            self._needs_no_window(core["imperative"], own)
            who = self._who_acts(core)
            if not self._rider_of_play(core["imperative"], who):
                self.imperative(core["imperative"], who)
        elif tag == "statement":
            self._stated(core["statement"], step)
        elif tag in ("may", "may cost"):
            self._may(core, step, own)
        elif tag == "permission":
            self._permission(core["permission"], step)
        elif tag == "by":
            self.by(core)
        elif tag == "passive":
            self.passive_voice(core)
        elif tag == "do this":
            self._reflexive(core["sentence"])
        elif tag == "times":
            body = self._inner(lambda: self.sentence(core["sentence"]))
            self.scope.body.append(ForEach(body, times=self.number(core["number"])))
        else:
            raise self.unclear(core, "an instruction")

    _actor_before: tuple[Players, bool] | None = None

    def _who_acts(self, core: Tree) -> Players | None:
        """Who does it; "its owner takes control of it and recalls it": the same player goes on."""
        third = core["imperative"].words.split()[0].endswith("s")
        if "who" in core:
            who = self.player(core["who"])
            self._actor_before = (who, third)
            return who
        before = self._actor_before
        return before[0] if before is not None and before[1] == third else None

    def _allow_riders(self, core: Tree, step: Tree) -> None:
        if self.free and not self.frame_free and not has_word(core, "play"):
            raise self.unclear(step, "“play” before “ignoring its cost”")
        if self.least is not None and "might" not in core.words and "cost" not in core.words:
            raise self.unclear(step, "Might before “to a minimum of”")

    def _needs_no_window(self, verb: Tree, own: Duration | None) -> None:
        lasting = ("give", "control", "double might", "increase to", "increase by", "set might",
                   "swap might")  # fmt: skip
        if own is not None and verb.tag not in lasting:
            raise self.unclear(verb, "an instruction that can last")

    def _rider_of_play(self, verb: Tree, who: object) -> bool:
        """ "Then recycle it" behind "play it" is 390.3.a."""
        if verb.tag != "do" or verb.args[0] not in ("recycle", "banish") or not self.scope.body:
            return False
        last = self.scope.body[-1]
        inner = last.body[-1] if isinstance(last, May) and last.body else last
        if not isinstance(inner, Do) or inner.verb != "play":
            return False
        if not _speaks_of_it(verb):
            return False
        if self.listed(verb["objs"]) != [inner.what]:
            return False
        rider = Do(f"then {verb.args[0]}", what=inner.what)
        if isinstance(last, May):
            self.scope.body[-1] = msgspec.structs.replace(last, body=(*last.body, rider))
        else:
            self.scope.body.append(rider)
        return True

    def _stated(self, tree: Tree, step: Tree) -> None:
        window = self.step_window
        extra = tree.all("window")
        if extra or (tree.get("stmt") and "window" in tree["stmt"]):
            window = self.window(extra[0] if extra else tree["stmt"]["window"])
        for ability in self.statement(tree):
            self.create(ability, window or self._natural_window(ability, tree))

    def _natural_window(self, ability: Ability, tree: Tree) -> Duration:
        of = ability.changes[0].of if ability.changes else None
        if ability.when and isinstance(ability.when, When):
            of = ability.when.subject
        if of is None or isinstance(of, Selector):
            raise self.unclear(tree, "“this turn” or another window")
        return Duration("while in zone", of=of)

    def _may(self, core: Tree, step: Tree, own: Duration | None) -> None:
        who = self.player(core["who"]) if "who" in core else None
        if own is not None or self._plays_within(core) or self._plays_in_frame(core):
            self._permission_may(core, step)
            return
        cost = self.cost(core["cost"]) if "cost" in core else None
        outer, free = self.scope.actor, (self.free, self.free_amount)
        body = self._inner(lambda: self._may_body(core["sequence"], who, free))
        self.scope.actor = outer
        steps = core["sequence"].all("step")
        if cost is None and len(body) == 1 and len(steps) == 1:
            only = body[0]
            if isinstance(only, Do) and only.verb == "pay" and only.cost:
                body, cost = (), only.cost
        self.scope.body.append(May(body, cost=cost, who=who))
        if body and isinstance(body[-1], Do) and body[-1].verb in ("token", "discard"):
            pass

    def _may_body(self, tree: Tree, who: object, free: tuple[str, int | None]) -> None:
        if who is not None:
            self.scope.actor = who  # type: ignore[assignment]
        self.sequence(tree)

    def _plays_in_frame(self, core: Tree) -> bool:
        steps = core["sequence"].all("step")
        alone = core.tag == "may" and len(steps) == 1 and self.frame_window is not None
        return alone and steps[0]["core"].words.startswith("play ")

    def _plays_within(self, core: Tree) -> bool:
        steps = core["sequence"].all("step")
        window = steps[0].get("window") if steps else None
        return (
            core.tag == "may" and window is not None and steps[0]["core"].words.startswith("play")
        )

    def _permission_may(self, core: Tree, step: Tree) -> None:
        """ "You may play a gear from hand this turn, ignoring its cost": a passive."""
        steps = core["sequence"].all("step")
        inner = steps[0]
        verb = inner["core"].get("imperative")
        if len(steps) != 1 or verb is None or verb.tag != "play" or core.tag != "may":
            raise self.unclear(step, "“play” for a permission")
        window = self._step_window(inner) or self._step_window(step) or self.frame_window
        self._riders(inner)
        things = verb["objs"].all("objs1")
        if len(things) != 1 or window is None or self.free == "reduced":
            raise self.unclear(verb, "one thing to play, and a window")
        of: Objects | Selector
        uses, binds = 0, None
        if "np" in things[0]:
            phrase = self.phrase(things[0]["np"])
            of = self.selector(phrase)
            if phrase.quantity in ("one", "any one"):
                uses, binds = 1, When("card finalized", subject=of, player=YOU)
        else:
            of = self.refs(things[0]["ref"])[0]
        who = self.player(core["who"]) if "who" in core else YOU
        if binds is not None:
            binds = When("card finalized", subject=of, player=who)
        changes = [Change("may", of=of, word="play", who=who)]
        if self.free:
            changes.append(Change("base cost", of=of, amount=0, word=self.free))
        self.create(Ability(kind="passive", changes=tuple(changes), uses=uses, binds=binds), window)

    def _permission(self, tree: Tree, step: Tree) -> None:
        if tree.tag != "hide" or self.step_window is None:
            raise self.unclear(tree, "a permission the rules know, and a window")
        change = Change("may", word="hide ignoring costs", who=YOU)
        self.create(Ability(kind="passive", changes=(change,)), self.step_window)

    # ------------------------------------------------------------ prevention as an instruction

    def prevention(self, tree: Tree) -> None:
        """ "Prevent the next 3 damage that would be dealt to it this turn"."""
        if tree.tag in ("dealt", "dealtnext") or "it_ref" in tree:
            self._damage_statement(tree)
            return
        spec = tree.get("prevented")
        if tree.tag != "prevent" or spec is None or spec.tag not in ("points", "next", "any"):
            raise self.unclear(tree, "would, before it")
        if self.frame_window is None:
            raise self.unclear(tree, "this turn")
        window = self.frame_window
        self.frame_window = None
        self.create(self.prevent_ability(spec), window)

    def _damage_statement(self, tree: Tree) -> None:
        """ "It takes double damage this turn", "damage dealt to it this turn is prevented"."""
        window = self.window(tree["window"]) if "window" in tree else self.frame_window
        if window is None or tree.tag == "enters" or "instead_word" in tree:
            raise self.unclear(tree, "would, before it; or a window")
        points = 0
        if "it_ref" in tree:
            subject: Objects | Selector = self.refs(tree["it_ref"]["ref"])[0]
            rewrite = self.outcome_rewrite(tree)
        else:
            subject = self._prevent_subject(tree["sub"])
            double = tree.tag == "dealt" and tree.args[0] == "2"
            rewrite = Rewrite("times", 2) if double else Rewrite("prevent")
            points = self.number(tree["number"]) if "number" in tree else 0
        uses = 1 if tree.tag == "dealtnext" and not points else 0
        when = When("damage", subject=subject)
        made = Ability(kind="replacement", when=when, rewrite=rewrite, uses=uses, points=points)
        self.create(made, window)

    def prevent_ability(self, spec: Tree) -> Ability:
        """The replacement of a "prevent …" sentence."""
        subject: Objects | Selector | None = None
        if sub := spec.get("sub"):
            subject = self._prevent_subject(sub)
        facts: list[tuple[str, int | str | bool]] = []
        if kind := (spec.get("damage_kind") or spec.get("prevent_source")):
            kind = kind.get("damage_kind") or kind
            facts.append(("combat", kind.tag == "combat"))
        source: Objects | Selector | None = None
        if by := spec.get("bysource"):
            source = self.described(by, event=True) if by.rule == "np" else self.refs(by)[0]
        when = When("damage", subject=subject, source=source, facts=tuple(facts))
        points = self.number(spec["number"]) if spec.tag == "points" else 0
        uses = 1 if spec.tag == "next" else 0
        return Ability(
            kind="replacement", when=when, rewrite=Rewrite("prevent"), points=points, uses=uses
        )

    def _prevent_subject(self, sub: Tree) -> Objects | Selector:
        if sub.rule == "ref":
            refs = self.refs(sub)
            if len(refs) != 1:
                raise self.unclear(sub, "one thing")
            return refs[0]
        phrase = self.phrase(sub)
        if phrase.quantity in ("each", "any") or self.printed:
            return self.described(sub, event=True)
        return self._chosen(phrase)[0]


def _half_of_it(up: bool):  # type: ignore[no-untyped-def]
    from longfuse.abilities.nodes import Arithmetic

    return Arithmetic("half up" if up else "half down", NamedAmount("event.amount"))


def _acted_on(ability: Ability) -> Objects | None:
    """What the first instruction acts on, if it was named before the ability was made (390.5.a)."""
    first = ability.program.body[0] if ability.program.body else None
    what = first.what if isinstance(first, Do) else None
    return what if isinstance(what, Named) and what.name not in ("event", "each") else None


def _speaks_of_it(verb: Tree) -> bool:
    things = verb["objs"].all("objs1")
    return len(things) == 1 and "ref" in things[0]


def _tidy(words: str) -> str:
    from longfuse.rulesets.riftbound.text_canonical import tidy

    return tidy(words)


def _asks_did(condition: Tree) -> bool:
    conds = condition.all("cond")
    return len(conds) == 1 and conds[0].tag == "did"


def has_rule(tree: Tree, rule: str) -> bool:
    """The rule occurs somewhere in the tree."""
    return tree.rule == rule or any(has_rule(part, rule) for _, part in tree.parts)


def has_word(tree: Tree, verb: str) -> bool:
    """The verb is among the words."""
    return bool({verb, f"{verb}s"} & set(tree.words.split()))


def _has_instead(main: Tree | None, trailing: Sequence[Tree]) -> bool:
    if main is not None and has_rule(main, "instead_word"):
        return True
    return any(one.tag == "instead" for one in trailing)


def _is_replacement(body: tuple[Effect, ...]) -> bool:
    return any(isinstance(one, Create) and one.ability.kind == "replacement" for one in body)


def _leading_may(main: Tree | None) -> Tree | None:
    if main is None or "sequence" not in main:
        return None
    steps: list[Tree] = main["sequence"].all("step")
    core = steps[0]["core"]
    if len(steps) != 1 or core.tag not in ("may", "may cost") or "who" in core:
        return None
    inner = core["sequence"].all("step")
    if core.tag == "may" and (inner[0].get("window") or steps[0].get("window")):
        if inner[0]["core"].words.startswith("play"):
            return None
    return steps[0]


def _is_pay(step: Tree) -> bool:
    core = step["core"]
    return core.tag == "imperative" and core["imperative"].tag == "pay"


def _split(main: Tree) -> tuple[list[Tree] | None, list[Tree] | None]:
    """The steps before the last "then", and those behind it, to which timing behind belongs."""
    if "sequence" not in main:
        return None, None
    sequence = main["sequence"]
    seps, steps = sequence.all("sep"), sequence.all("step")
    cut = max((place for place, sep in enumerate(seps) if sep.tag == "then"), default=-1)
    if cut < 0:
        return None, None
    return steps[: cut + 1], steps[cut + 1 :]


def _with_condition(ability: Ability, condition: Condition) -> Ability:
    both = condition if ability.condition is None else AllOf((condition, ability.condition))
    return msgspec.structs.replace(ability, condition=both)


with_condition = _with_condition
has_instead = _has_instead
leading_may = _leading_may
__all__ = ["Effects", "This", "Named", "with_condition"]
