"""From verbs to cards played, tokens, choices, and what is given: "give a unit +2 Might".

Owns the builders of playing, choosing, giving, and of what objects do ("it deals …").
"""

from __future__ import annotations

from typing import cast

import msgspec

from longfuse.abilities.ability import (
    Ability,
    Change,
    Choice,
    Choose,
    Create,
    Do,
    Duration,
    Program,
)
from longfuse.abilities.nodes import (
    Amount,
    Arithmetic,
    Named,
    NamedPlayer,
    Objects,
    Players,
    Selector,
    Stat,
    This,
    Who,
)
from longfuse.abilities.text.tree import Tree
from longfuse.rulesets.riftbound.text_events import Trigger
from longfuse.rulesets.riftbound.text_phrases import Phrase, keyword_name
from longfuse.rulesets.riftbound.text_scope import YOU
from longfuse.rulesets.riftbound.text_verbs import Verbs


class Gifts(Verbs):
    """The builders of this module."""

    def verb_play(self, tree: Tree, who: Players) -> None:
        """Play a card."""
        to, to_objects = "", None
        actor = None if who == YOU else who
        for what in self.listed(tree["objs"]):
            if place := tree.get("play_to"):
                to, to_objects = self._play_place(place, what)
            self.do(
                "play", what=what, who=actor, to=to, to_objects=to_objects, word=self.free,
                amount=self.free_amount,
            )  # fmt: skip

    def _play_place(self, place: Tree, what: Objects) -> tuple[str, Objects | None]:
        if "to" in place:
            return self.place(place["to"], what)
        word = place.tag or place.words
        if word == "there":
            return "same", self._place_of(place)
        if word == "unknown":
            raise self.unclear(place, "a place")
        return word, None

    def verb_token(self, tree: Tree, who: Players) -> None:
        """Play N tokens."""
        spec = tree["token_spec"]
        phrase = Phrase(spec)
        if quantity := spec.get("quantity"):
            self._quantity(quantity, phrase)
        if phrase.quantity not in ("one", "exactly", "any one"):
            raise self.unclear(spec, "a number of tokens")
        words: list[str] = []
        if spec.tag == "gear":
            words.append("gear")
        if "amt" in spec:
            words.append(f"might {self.number(spec['amt'])}")
        if ready := spec.get("ready_word"):
            words.append(ready.words)
        to = ""
        for tail in spec.all("token_tail"):
            if tail.tag == "keywords":
                words += [keyword_name(one["kw"].words) for one in tail.all("keyword_grant")]
            elif tail.tag in ("exhausted", "ready"):
                words.append(tail.tag)
            elif tail.tag in ("here", "base"):
                to = tail.tag
            else:
                raise self.unclear(tail, "here, or to your base")
        name = spec["named"].written
        word = f"{name}: {', '.join(words)}" if words else name
        amount = self.amount(None, phrase.most)
        self.do("token", amount=amount, word=word, to=to, who=None if who == YOU else who)
        self.result(kinds=("gear",) if spec.tag == "gear" else ("unit",), many=phrase.most > 1)

    def verb_add(self, tree: Tree, who: Players) -> None:
        """[Add] resources."""
        spec = cast(Tree, tree.get("add_what") or tree.get("add_what2"))
        if spec.tag in ("runes", "energy"):
            resources = self.resources(spec)
        elif spec.tag == "words":
            resources = [("energy", self.number(spec["amt"]))]
        elif spec.tag in ("domain", "any"):
            resources = [self._piece(spec)]
        else:
            raise self.unclear(spec, "Energy or Power")
        for word, amount in resources:
            self.do("add", who=who, word=word, amount=self.amount(None, amount))

    def verb_banish_until(self, tree: Tree, who: Players) -> None:
        """ "Banish a card from an opponent's hand until they hold": it goes back there (390.5)."""
        whats = self.listed(tree["objs"])
        what = whats[0]
        zone = getattr(self._selector_of(what), "zone", "")
        if len(whats) != 1 or zone != "hand":
            raise self.unclear(tree, "one card of a hand; or when it comes back, and where to")
        self.do("banish", what=what)
        out = Trigger()
        self._event(tree["until"], out, 0, None)
        program = Program(body=(Do("return", what=what),))
        made = Ability(kind="triggered", when=out.whens[0], uses=1, program=program)
        self.create(made, Duration("while in zone", of=what))

    def _selector_of(self, what: Objects) -> Selector | None:
        """What an object was chosen by."""
        name = getattr(what, "name", "")
        choices = [choice for _, choice in self.chosen if choice.name == name]
        return choices[0].selector if choices else None

    def verb_choose(self, tree: Tree, who: Players) -> None:
        """Choose …: a question and nothing else."""
        before = self.scope.hidden_choices
        self.scope.hidden_choices = before or who != YOU
        self.listed(tree["objs"])
        self.scope.hidden_choices = before

    def verb_choose_player(self, tree: Tree, who: Players) -> None:
        """Choose a player."""
        named = self.choose(Choice(self.name("t"), of="player"))
        self.scope.player = NamedPlayer(named.name)

    def verb_choose_opponent(self, tree: Tree, who: Players) -> None:
        """Choose an opponent: there is one."""
        self.scope.player = Who("opponent")

    def verb_choose_battlefield(self, tree: Tree, who: Players) -> None:
        """Choose a battlefield."""
        named = self.choose(Choice(self.name("t"), Selector(kinds=("battlefield",))))
        self.mention(named, kinds=("battlefield",))

    def verb_new_targets(self, tree: Tree, who: Players) -> None:
        """Choose new targets for a spell."""
        what = self.listed(tree["objs"])[0] if "objs" in tree else self.it(tree)
        self.do("choose new targets", what=what, who=who)

    def create(self, ability: Ability, window: Duration) -> None:
        """Make a delayed ability."""
        self.taken.append(window)
        self.scope.body.append(Create(msgspec.structs.replace(ability, window=window)))

    def lasting(self, of: Objects | Selector | None) -> Duration:
        """The window of something said without one: as long as what it is about is there."""
        if of is None or isinstance(of, Selector):
            raise LookupError
        return Duration("while in zone", of=of)

    def give(self, tree: Tree, changes: list[Change], of: Objects, window: Duration | None) -> None:
        """A passive about `of`."""
        self.create(Ability(kind="passive", changes=tuple(changes)), window or self.lasting(of))

    def verb_give(self, tree: Tree, who: Players) -> None:
        """Give … +2 Might."""
        gifts = tree.all("given")
        windows = [self._early_window(one) for one in gifts]
        for place, gift in enumerate(gifts):
            window = next((one for one in windows[place:] if one), self.step_window)
            if gift.tag == "next":
                self._give_next(gift, window)
                continue
            amount = self.value(gift["amt"]) if gift.tag == "equal" and _before(gift) else None
            for of in self.listed(gift["objs"]):
                if gift.tag == "grants":
                    changes = self.grants(gift["grants"], of)
                elif gift.tag == "signed":
                    changes = [self.might_change(gift["signed"], of)]
                else:
                    value = amount if amount is not None else self.value(gift["amt"])
                    changes = [Change("might", of=of, amount=value)]
                if "window" in gift and _late(gift["window"]):
                    window = self.window(gift["window"])
                self.give(gift, changes, of, window)

    def _early_window(self, gift: Tree) -> Duration | None:
        """The window of a gift, unless it speaks of what is given to."""
        if "window" not in gift or _late(gift["window"]):
            return None
        return self.window(gift["window"])

    def _give_next(self, gift: Tree, window: Duration | None) -> None:
        if inner := gift["stmt"].get("window"):
            window = self.window(inner)
        if window is None:
            raise self.unclear(gift, "this turn")
        subject = self.subject(gift["stmt"])
        if subject.binds is None:
            raise self.unclear(gift, "something that may be given to")
        for ability in self._bound(subject, *self.grants(gift["grants"], subject.of)):
            self.create(ability, window)

    def verb_double_might(self, tree: Tree, who: Players) -> None:
        """Double its Might."""
        if poss := (tree.get("poss") or tree.get("owner_np2")):
            of = self.possessor(poss)
        else:
            of = self.objects(tree["np"] if "np" in tree else tree["ref"])[0]
        self.give(tree, [Change("might", of=of, amount=Stat("might", of))], of, self.step_window)

    def verb_increase_to(self, tree: Tree, who: Players) -> None:
        """Increase its Might to …"""
        of = self.possessor(tree["poss"])
        missing = Arithmetic("minus", self.value(tree["amt"]), Stat("might", of))
        amount = Arithmetic("most", missing, 0)
        self.give(tree, [Change("might", of=of, amount=amount)], of, self.step_window)

    def verb_increase_by(self, tree: Tree, who: Players) -> None:
        """Increase its Might by …"""
        of = self.possessor(tree["poss"])
        self.give(
            tree, [Change("might", of=of, amount=self.amount(tree["amt"]))], of, self.step_window
        )

    def verb_set_might(self, tree: Tree, who: Players) -> None:
        """Set its Might to …"""
        of = self.possessor(tree["poss"])
        change = Change("might", of=of, amount=self.value(tree["amt"]), set=True)
        self.give(tree, [change], of, self.step_window)

    def verb_swap_might(self, tree: Tree, who: Players) -> None:
        """Swap the Might of two units."""
        if self.step_window is None:
            raise self.unclear(tree, "this turn")
        found = self.listed(tree["objs"])
        if len(found) == 1:
            found = self._split_pair(tree, found[0])
        left, right = self._two(tree, found)
        changes = (
            Change("might", of=left, amount=Stat("might", right), set=True),
            Change("might", of=right, amount=Stat("might", left), set=True),
        )
        self.create(Ability(kind="passive", changes=changes), self.step_window)

    def _split_pair(self, tree: Tree, pair: Objects) -> list[Objects]:
        """Two objects of one choice as two choices, so that each can be spoken of."""
        choice = self.scope.choices[-1] if self.scope.choices else None
        if choice is None or pair != Named(choice.name) or (choice.least, choice.most) != (2, 2):
            raise self.unclear(tree, "two things")
        selector = choice.selector or Selector()
        together = "together" in selector.states
        states = tuple(one for one in selector.states if one != "together")
        alone = msgspec.structs.replace(selector, states=states)
        self.scope.choices[-1] = Choice(choice.name, alone)
        if together:
            alone = msgspec.structs.replace(alone, place="same", place_of=Named(choice.name))
        second = Choice(self.name("t"), alone, different=(choice.name,))
        return [pair, self.choose(second)]

    def by(self, tree: Tree) -> None:
        """What an object does: "it deals damage equal to its Might to …"."""
        verb = tree["imp_by"]
        actors = self._actors(tree["sub"])
        if verb.tag == "fight":
            if "targets_and" in verb:
                actors += tuple(self.targets(verb))
            left, right = self._two(tree, list(actors))
            self.do("fight", what=left, to_objects=right)
            return
        if len(actors) != 1:
            raise self.unclear(tree, "one thing that deals damage")
        by = actors[0]
        if verb.tag == "gain":
            self.give(verb, self.grants(verb["grants"], by), by, self.step_window)
            return
        amount: Amount = Stat("might", by) if verb.tag == "deal might" else self.number(verb["amt"])
        for what in self.targets(verb):
            self.do("deal", what=what, amount=amount, by=by)

    def _actors(self, tree: Tree) -> tuple[Objects, ...]:
        if tree.rule == "ref" and tree.words == "we":
            return (This(), self.it(tree))
        if tree.rule == "ref" and tree.words in ("they", "both", "them"):
            return self.them(tree)
        return self.objects(tree)

    def passive_voice(self, tree: Tree) -> None:
        """ "It is banished", "that unit is returned to its owner's hand"."""
        if contracted := tree.get("contracted"):
            refs: tuple[Objects, ...] = (
                (This(),) if contracted.tag == "this" else (self.it(contracted),)
            )
        else:
            refs = self.objects(tree["sub"])
        for what in refs:
            for verb in tree.all("participle"):
                self._participle(verb, what)

    def takes_damage(self, tree: Tree) -> None:
        """ "Up to two units take 2 damage"."""
        for what in self.objects(tree["sub"]):
            self.do("deal", what=what, amount=self.number(tree["amt"]))

    def _participle(self, verb: Tree, what: Objects) -> None:
        if verb.tag == "move":
            to, to_objects = self.place(verb["dest"], what)
            self.do("move", what=what, to=to, to_objects=to_objects)
        else:
            self.do(verb.tag, what=what, word="exhausted" if "exh" in verb else "")

    def pick(self, choice: Choice) -> Named:
        """A question asked when it is reached."""
        self.scope.body.append(Choose(choice))
        return Named(choice.name)


def _late(window: Tree) -> bool:
    """The window speaks of an object, which may be named just before it."""
    return "ref" in window or "ref_is" in window


def _before(gift: Tree) -> bool:
    """The amount stands before the objects in the text."""
    return gift["amt"].start < gift["objs"].start
