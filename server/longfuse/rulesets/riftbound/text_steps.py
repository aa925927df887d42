"""From steps to instructions: "you may", "then recycle it", permissions, preventions.

Owns one step of a sentence, with its riders ("ignoring its cost") and its window.
"""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from longfuse.abilities.ability import (
    Ability,
    Change,
    Create,
    Do,
    Duration,
    ForEach,
    May,
    Modes,
    Program,
    Rewrite,
)
from longfuse.abilities.nodes import (
    Named,
    NamedPlayer,
    Objects,
    Players,
    Selector,
    When,
    Who,
)
from longfuse.abilities.text.tree import Tree
from longfuse.rulesets.riftbound.text_gifts import Gifts
from longfuse.rulesets.riftbound.text_scope import YOU
from longfuse.rulesets.riftbound.text_shapes import (
    has_word,
    speaks_of_it,
    tidy,
)


class Steps(Gifts):
    """The builders of this module."""

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
            options.append((tidy(one.written), self.scope.program()))
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
        elif tag == "takes damage":
            self.takes_damage(core)
        elif tag in ("done when played", "do when played"):
            self._done_when_played(core)
        elif tag == "do this":
            self._reflexive(core["sentence"])
        elif tag == "times":
            body = self._inner(lambda: self.sentence(core["sentence"]))
            self.scope.body.append(ForEach(body, times=self.number(core["number"])))
        else:
            raise self.unclear(core, "an instruction")

    def _done_when_played(self, core: Tree) -> None:
        """ "The next unit you play this turn is buffed": a trigger of its being played."""
        subject = self.subject(core["stmt"])
        of = subject.binds.subject if subject.binds is not None else subject.of
        said = core.all("window")
        window = self.window(said[0]) if said else self.step_window
        if window is None or not isinstance(of, Selector):
            raise self.unclear(core, "“this turn” or another window")
        selector = msgspec.structs.replace(of, zone="any" if "spell" in of.kinds else "board")
        verbs = core.all("participle") + core.all("simple")
        outer, self.scope = self.scope, self.scope.child()
        for verb in verbs:
            if verb.tag in ("move", "return", "trash") or verb.args:
                raise self.unclear(verb, "what is done to it")
            self.do(verb.tag, what=Named("event"), word="exhausted" if "exh" in verb else "")
        program, self.scope = self.scope.program(), outer
        player = Who("opponent") if subject.player == Who("each opponent") else subject.player
        when = When("card played", subject=selector, player=player)
        made = Ability(kind="triggered", when=when, uses=subject.uses, program=program)
        self.create(made, window)

    may_actor: Players | None = None
    _actor_before: tuple[Players, bool] | None = None

    def _who_acts(self, core: Tree) -> Players | None:
        """Who does it; "its owner takes control of it and recalls it": the same player goes on."""
        third = core["imperative"].words.split()[0].endswith("s")
        if "who" in core:
            who = self.player(core["who"])
            if isinstance(who, Who) and who.role in ("opponent", "turn player"):
                self.scope.player = who
            self._actor_before = (who, third)
            return who
        before = self._actor_before
        return before[0] if before is not None and before[1] == third else self.may_actor

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
        if isinstance(last, Create) and _permits(last.ability) and speaks_of_it(verb):
            raise self.unclear(verb, "“play it … then” in one sentence")
        inner = last.body[-1] if isinstance(last, May) and last.body else last
        if not isinstance(inner, Do) or inner.verb != "play":
            return False
        if not speaks_of_it(verb):
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
        each = isinstance(who, Who) and who.role in ("each player", "each opponent")
        players, who = (who, NamedPlayer("each")) if each else (None, who)
        before, self.may_actor = self.may_actor, who or self.may_actor
        body = self._inner(lambda: self._may_body(core["sequence"], who, free))
        self.scope.actor, self.may_actor = outer, before
        steps = core["sequence"].all("step")
        if cost is None and len(body) == 1 and len(steps) == 1:
            only = body[0]
            if isinstance(only, Do) and only.verb == "pay" and only.cost:
                body, cost = (), only.cost
        if len(body) == 1 and getattr(body[0], "verb", "") == "choose new targets":
            # The action itself asks whether.
            self.scope.body.append(body[0])
            return
        made = May(body, cost=cost, who=who)
        if players is not None:
            self.scope.body.append(ForEach((made,), players=players))
        else:
            self.scope.body.append(made)

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
            if phrase.another or (of.zone in ("board", "chain") and of.among is None):
                raise self.unclear(things[0], "cards somewhere, like “from your trash”")
            exactly_one = phrase.quantity == "exactly" and phrase.most == 1
            if phrase.quantity in ("one", "any one") or exactly_one:
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

    def prevention(self, tree: Tree) -> None:
        """ "Prevent the next 3 damage that would be dealt to it this turn"."""
        if tree.tag in ("dealt", "dealtnext", "dealtless") or "it_ref" in tree:
            self._damage_statement(tree)
            return
        spec = tree.get("prevented")
        if tree.tag != "prevent" or spec is None or spec.tag not in ("points", "next", "any"):
            raise self.unclear(tree, "would, before it")
        window = self.window(spec["window"]) if "window" in spec else self.frame_window
        if window is None:
            raise self.unclear(tree, "this turn")
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
            rewrite, points = self._dealt(tree)
        uses = 1 if tree.tag == "dealtnext" and not points else 0
        when = When("damage", subject=subject)
        made = Ability(kind="replacement", when=when, rewrite=rewrite, uses=uses, points=points)
        self.create(made, window)

    def _dealt(self, tree: Tree) -> tuple[Rewrite, int]:
        """What is said of damage dealt, and how many points of it."""
        if tree.tag == "dealtless":
            return Rewrite("prevent", self.number(tree["number"])), 0
        if tree.tag == "dealt" and tree.args[0] == "2":
            return Rewrite("times", 2), 0
        return Rewrite("prevent"), self.number(tree["number"]) if "number" in tree else 0

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


def _permits(ability: Ability) -> bool:
    return any(change.asks == "may" and change.word == "play" for change in ability.changes)
