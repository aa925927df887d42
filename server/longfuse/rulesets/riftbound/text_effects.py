"""From sentences to effects: timing in front and behind, "instead", "if you do", windows.

Owns how a sentence becomes instructions or a delayed ability (392): *would, instead, prevent*
make a replacement, *when, at, the next time* a trigger, a statement with a window a passive.
"""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from longfuse.abilities.ability import (
    Ability,
    Cost,
    Create,
    Do,
    Duration,
    Effect,
    ForEach,
    If,
    May,
    Then,
)
from longfuse.abilities.nodes import (
    Condition,
    Did,
    Each,
    Named,
    NamedAmount,
    Not,
    Selector,
    When,
    Who,
)
from longfuse.abilities.text.errors import Unclear
from longfuse.abilities.text.tree import Tree
from longfuse.rulesets.riftbound.text_events import Trigger
from longfuse.rulesets.riftbound.text_replacing import Replacing
from longfuse.rulesets.riftbound.text_scope import YOU, Scope
from longfuse.rulesets.riftbound.text_shapes import (
    Body,
    acted_on,
    asks_did,
    has_instead,
    has_word,
    is_replacement,
    split_at_then,
    with_condition,
)


class Effects(Replacing):
    """Builds sentences."""

    sentence_start = 0
    instead_said = False

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

        said = any(one.tag in ("trigger", "if", "unless") for one in [*fronts, *trailing])
        if has_instead(main, trailing) and not said and not self.instead_said:
            raise self.unclear(tree, "“if” or “would” before “instead”")
        self._done = tree.get("did_part")
        self.taken = []
        self._front(fronts, build, main, trailing)
        self._windows_used(fronts, trailing)
        if self._done is not None:
            self._if_done(self._done)

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
        if front.tag == "if" and self.paid_front and asks_did(front["condition"]):
            self.paid_front = False
            self._front(rest, build, main, trailing)
            return
        if front.tag == "if" and rest and rest[0].tag == "moment" and front.end == rest[0].start:
            # "If it's there at the end of this turn, …": looked at then.
            self._at(rest[0], [front, *rest[1:]], build, main)
            return
        condition = self.condition(front["condition"])
        if front.tag == "unless":
            condition = Not(condition)
        if front.tag == "while":
            self._while(condition, rest, build, main, trailing)
            return
        body = self._inner(lambda: self._front(rest, build, main, trailing))
        otherwise: tuple[Effect, ...] = ()
        if has_instead(main, trailing) and not is_replacement(body):
            otherwise = self._replaced(front)
        self.scope.body.append(If(condition, body, otherwise))

    def _replaced(self, at: Tree) -> tuple[Effect, ...]:
        """What "instead" replaces: the instructions of the sentence before, taken out."""
        otherwise = tuple(self.scope.body[self.sentence_start :])
        if not otherwise:
            raise self.unclear(at, "an instruction before it, to be replaced by “instead”")
        del self.scope.body[self.sentence_start :]
        return otherwise

    def _while(
        self, condition: Condition, rest: list[Tree], build: Body, main: Tree | None,
        trailing: Sequence[Tree],
    ) -> None:  # fmt: skip
        body = self._inner(lambda: self._front(rest, build, main, trailing))
        for effect in body:
            if not isinstance(effect, Create):
                raise Unclear(main.start if main else 0, "a statement behind “while”")
            held = with_condition(effect.ability, condition)
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
        made = self._of_what_is_played(trigger, made, tree)
        for condition in conditions:
            made = with_condition(made, condition)
        if trigger.condition:
            made = with_condition(made, trigger.condition)
        if window is None:
            window = self._open_window(trigger, made, tree)
        if made.kind == "passive":
            self.create(made, window)
            return
        for when in trigger.whens:
            self.create(msgspec.structs.replace(made, when=when), window)

    def _of_what_is_played(self, trigger: Trigger, made: Ability, tree: Tree) -> Ability:
        """ "The next time you play a spell, it costs 2 less": too late, unless it is bound."""
        costs = [
            effect.ability
            for effect in made.program.body
            if isinstance(effect, Create)
            and any(change.asks in ("cost", "base cost") for change in effect.ability.changes)
        ]
        if not costs or trigger.whens[0].event != "card played":
            return made
        subject = trigger.whens[0].subject
        alone = len(made.program.body) == 1 and not made.optional and made.cost is None
        if not alone or trigger.uses != 1 or not isinstance(subject, Selector):
            raise self.unclear(tree, "“your next …” before what it costs")
        selector = msgspec.structs.replace(subject, zone="chain")
        binds = When("card finalized", subject=selector, player=trigger.whens[0].player)
        changes = tuple(msgspec.structs.replace(one, of=None) for one in costs[0].changes)
        trigger.whens = trigger.whens[:1]
        return Ability(kind="passive", changes=changes, binds=binds, uses=1)

    def _open_window(self, trigger: Trigger, made: Ability, tree: Tree) -> Duration:
        """The window of a sentence that names none."""
        if trigger.captured is not None and not isinstance(trigger.captured, Each):
            return Duration("while in zone", of=trigger.captured)
        if (about := acted_on(made)) is not None:
            return Duration("while in zone", of=about)
        if trigger.uses:
            return Duration("game")
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
        ability = self.optional(leading, lambda: self._front(rest, build, main, ()), "triggered")
        ability = msgspec.structs.replace(ability, when=at, uses=uses, program=self.scope.program())
        self.scope = outer
        for condition in conditions:
            ability = with_condition(ability, condition)
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
        head, tail = split_at_then(main) if last.tag in ("trigger", "moment") else (None, None)
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
            self._triggered(last["trigger"], [], build, main)
        elif last.tag == "moment":
            self._at(last, [], build, main)
        elif last.tag == "during":
            raise self.unclear(last, "an ability of a card before “during your turn”")
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
            otherwise: tuple[Effect, ...] = ()
            if has_instead(main, self._present_trailing):
                otherwise = self._replaced(last)
            self.scope.body.append(If(condition, body, otherwise))

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

    # ------------------------------------------------------------ prevention as an instruction
