"""From statements to passives and replacements: "it has +2 Might", "opponents can't play spells".

Owns the builders of what is so: who it is about, what is said of it, and what is given (Might,
keywords, abilities). Windows are put on by the sentence around.
"""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass

import msgspec

from longfuse.abilities.ability import Ability, Change, Rewrite
from longfuse.abilities.nodes import (
    Amount,
    Arithmetic,
    Objects,
    Players,
    Selector,
    Stat,
    This,
    When,
    Who,
)
from longfuse.abilities.text.tree import Tree
from longfuse.rulesets.riftbound.text_events import Events
from longfuse.rulesets.riftbound.text_phrases import keyword_name, with_fields
from longfuse.rulesets.riftbound.text_scope import YOU

READY = {"ready": False, "exhausted": True}


@dataclass
class Subject:
    """What a statement is about."""

    tree: Tree
    of: Objects | Selector | None = None
    binds: When | None = None
    uses: int = 0
    player: Players | None = None
    played: bool = False
    kinds: tuple[str, ...] = ("card",)


class Statements(Events):
    """Builds passives and the replacements that are worded as statements."""

    printed = False
    least: int | None = None
    per_tree: Tree | None = None

    # ------------------------------------------------------------ statements

    def statement(self, tree: Tree) -> list[Ability]:
        """The abilities that a statement says, without windows."""
        tag = tree.tag
        if tag in ("player cant", "no player"):
            return [self._prohibition(tree)]
        if tag == "of":
            subject = self.subject(tree["stmt"])
            found = self._predicate(tree["predicate"], subject)
            for also in tree.all("also"):
                found += self._predicate(also, self.subject(tree["stmt"]))
            return found
        if tag in ("increase", "reduce", "double", "set"):
            return [self._might_is(tree)]
        if tag == "unchosen":
            return [self._unchosen(tree)]
        if tag == "controls":
            who = self.player(tree["who"])
            return [_passive(Change("controller", of=self.refs(tree["what"])[0], who=who))]
        if tag in ("play to", "me played to"):
            if tag == "play to" and not isinstance(self.refs(tree["ref"])[0], This):
                raise self.unclear(tree, "me")
            place = Selector(kinds=("battlefield",), place=tree["place_np"].tag)
            return [_passive(Change("may", of=place, word="play this to"))]
        if tag == "cost of reduced":
            subject = self.subject(tree["stmt"])
            return self._cost_reduced(tree, subject)
        if tag == "cost ignored":
            return [_passive(Change("base cost", of=self.possessor(tree["poss"]), amount=0))]
        if tag in ("cost reduced", "cost increased"):
            amount = self.number(tree["energy"])
            sign = -1 if tag == "cost reduced" else 1
            of = self.possessor(tree["poss"])
            return [_passive(Change("cost", of=of, amount=sign * amount))]
        raise self.unclear(tree, "a statement the rules know")

    def _unchosen(self, tree: Tree) -> Ability:
        """ "Opponents can't choose it"."""
        if "who" in tree and self.player(tree["who"]) == YOU:
            raise self.unclear(tree, "opponents")
        return _passive(Change("must not", of=self.refs(tree["what"])[0], word="be chosen"))

    def _prohibition(self, tree: Tree) -> Ability:
        action = tree["pl_action"]
        if tree.tag == "player cant":
            who = self.player(tree["who"])
        else:
            who = Who("each player" if " player " in f" {tree.words} "[:14] else "each opponent")
        word, of = action.tag, None
        if word == "move ref":
            if who != Who("each player"):
                raise self.unclear(action, "what they can't move")
            return _passive(Change("must not", of=self.refs(action["ref"])[0], word="move"))
        if who == Who("opponent"):
            who = Who("each opponent")
        if word in ("play some", "move") and (np := (action.get("played_np") or action.get("np"))):
            of = self.described(np, event=word == "play some")
            if word == "play some":
                word, of = "play cards", with_fields(of, zone="any")
                if of == Selector(zone="any"):
                    of = None
                if place := action.get("place_np"):
                    raise self.unclear(place, "no place")
        if word == "attack all":
            word = "attack"
        if word == "unknown":
            raise self.unclear(action, "an action the rules know")
        return _passive(Change("must not", of=of, word=word, who=who))

    def _might_is(self, tree: Tree) -> Ability:
        of = self.possessor(tree["poss"])
        if tree.tag == "double":
            return _passive(Change("might", of=of, amount=Stat("might", of)))
        amount = self.value(tree["amt"])
        if tree.tag == "set":
            return _passive(Change("might", of=of, amount=amount, set=True))
        if tree.tag == "reduce":
            amount = Arithmetic("minus", 0, amount)
        return _passive(Change("might", of=of, amount=amount))

    # ------------------------------------------------------------ what it is about

    def subject(self, tree: Tree) -> Subject:
        """The subject of a statement."""
        tag = tree.tag
        if tag in ("next", "next opp", "first"):
            return self._next(tree)
        if tag in ("your spells", "enemy spells"):
            side = "friendly" if tag == "your spells" else "enemy"
            kinds = ("spell", "ability")
            return Subject(tree, Selector(kinds=kinds, control=side, zone="chain"), kinds=kinds)  # type: ignore[arg-type]
        if tag in ("played", "played opp"):
            selector = self.described(tree["np"], event=True)
            who = YOU if tag == "played" else Who("each opponent")
            return Subject(tree, selector, player=who, played=True, kinds=selector.kinds)
        if tag == "np":
            return self._about_phrase(tree)
        ref = This() if "contracted" in tree and tree["contracted"].tag == "this" else None
        if ref is None:
            ref_tree = tree.get("ref")
            refs = self.refs(ref_tree) if ref_tree else (self.it(tree),)
            if len(refs) != 1:
                raise self.unclear(tree, "one thing")
            return Subject(tree, refs[0], kinds=self._kinds_of(refs[0]))
        return Subject(tree, ref, kinds=self._kinds_of(ref))

    def _about_phrase(self, tree: Tree) -> Subject:
        phrase = self.phrase(tree["np"])
        if phrase.quantity in ("each", "any"):
            if phrase.another:
                self._other_than(phrase, described=True)
            selector = self.selector(phrase)
            return Subject(tree, selector, kinds=selector.kinds)
        if self.printed:
            raise self.unclear(tree, "all of them, or something named")
        found = self._chosen(phrase)
        return Subject(tree, found[0], kinds=phrase.kinds)

    def _next(self, tree: Tree) -> Subject:
        from longfuse.rulesets.riftbound.text_phrases import Phrase

        phrase = Phrase(tree, fields={"zone": "chain"})
        kinds: list[str] = []
        for head in tree["heads"].all("head") + tree["heads"].all("also"):
            self._head(head, phrase, kinds)
        phrase.kinds = tuple(kinds)
        for adjective in tree.all("adj"):
            self._adjective(adjective, phrase)
        for post in tree.all("post"):
            getattr(self, "_post_" + post.tag.replace(" ", "_"))(post, phrase)
        who = Who("each opponent") if tree.tag == "next opp" else YOU
        if phrase.kinds == ("ability",):
            raise self.unclear(tree, "a card")
        nth = self.ordinal(tree["ordinal"]) if tree.tag == "first" else 0
        if nth and ("each_turn" in tree) != self.printed:
            raise self.unclear(tree, "“each turn” on a card, “this turn” in an instruction")
        when = When("card finalized", subject=self.selector(phrase), player=who, nth=nth)
        return Subject(tree, binds=when, uses=0 if nth else 1, player=who, kinds=phrase.kinds)

    # ------------------------------------------------------------ what is said of it

    def _predicate(self, tree: Tree, subject: Subject) -> list[Ability]:
        tag = tree.tag.replace(" ", "_")
        method = getattr(self, "_is_" + tag, None)
        if method is None:
            raise self.unclear(tree, "a statement the rules know")
        found: list[Ability] = method(tree, subject)
        return found

    def _bound(self, subject: Subject, *changes: Change) -> list[Ability]:
        if subject.played and any(
            change.asks not in ("cost", "bonus damage") for change in changes
        ):
            raise self.unclear(subject.tree, "cards you play: what they cost, or how they enter")
        if subject.played and isinstance(subject.of, Selector):
            side = "friendly" if subject.player == YOU else "enemy"
            of = with_fields(subject.of, control=side, zone="any")
            changes = tuple(msgspec.structs.replace(one, of=of) for one in changes)
        return [Ability(kind="passive", changes=changes, binds=subject.binds, uses=subject.uses)]

    def _is_have(self, tree: Tree, subject: Subject) -> list[Ability]:
        if here := tree.get("here_word"):
            if not isinstance(subject.of, Selector) or subject.of.place:
                raise self.unclear(here, "units before “here”")
            subject.of = with_fields(subject.of, place="here")
        return self._bound(subject, *self.grants(tree["grants"], subject.of))

    def _is_cant(self, tree: Tree, subject: Subject) -> list[Ability]:
        action = tree["obj_action"]
        words: tuple[str, ...] = (action.tag,)
        if action.tag == "fight":
            words = ("attack", "defend")
        if action.tag == "unknown":
            raise self.unclear(action, "an action the rules know")
        if action.tag == "move to":
            if subject.of != Selector(kinds=("unit",)):
                raise self.unclear(action, "“units” before “can't move to”")
            return [_passive(Change("must not", of=Selector(place=action.args[0]), word="move to"))]
        if "from here" in action.words:
            raise self.unclear(action, "an action the rules know")
        return self._bound(subject, *(Change("must not", of=subject.of, word=one) for one in words))

    def _is_neither(self, tree: Tree, subject: Subject) -> list[Ability]:
        both = ("attack", "defend")
        return self._bound(subject, *(Change("must not", of=subject.of, word=one) for one in both))

    def _is_cost(self, tree: Tree, subject: Subject) -> list[Ability]:
        delta = tree["costdelta"]
        tag = delta.tag
        if tag == "free":
            return self._bound(subject, Change("base cost", of=subject.of, amount=0))
        if tag == "unknown":
            raise self.unclear(delta, "a cost change")
        sign = 1 if "more" in tag else -1
        if isinstance(subject.of, Selector) and subject.of.zone == "board":
            subject.of = with_fields(subject.of, zone="any")
        energy = delta.get("energy")
        amount: Amount | None = sign * self.number(energy) if energy else None
        counts: dict[str, int] = {}
        for rune in delta.all("RUNE"):
            name = {"rainbow": "any"}.get(rune.words, rune.words)
            counts[name] = counts.get(name, 0) + sign
        if tag == "domain less":
            amount, counts = None, {delta["domain"].words.strip("[] "): -self.number(delta["amt"])}
        if per := (delta.get("per") or self.per_tree):
            if amount is None or counts:
                raise self.unclear(per, "Energy for each")
            amount = self.per(amount, per)
        least = self.number(delta["cost_min"]["energy"]) if "cost_min" in delta else self.least
        return self._bound(
            subject,
            Change(
                "cost", of=subject.of, amount=amount, resources=tuple(counts.items()), least=least
            ),
        )

    def _cost_reduced(self, tree: Tree, subject: Subject) -> list[Ability]:
        """ "Its cost is reduced by 2", said of cards that will be played."""
        of = subject.of
        if isinstance(of, Selector) and of.zone == "board":
            of = with_fields(of, zone="any")
        return self._bound(subject, Change("cost", of=of, amount=-self.number(tree["energy"])))

    _is_cost_reduced = _cost_reduced

    def _is_enters(self, tree: Tree, subject: Subject) -> list[Ability]:
        return [self.entering(subject, tree["ready_word"].words)]

    def entering(self, subject: Subject, word: str) -> Ability:
        """ "X enters ready": a replacement of how it enters."""
        of = subject.of
        if subject.binds is not None and isinstance(subject.binds.subject, Selector):
            of = with_fields(subject.binds.subject, zone="board")
        nth = subject.binds.nth if subject.binds is not None else 0
        when = When("enter", subject=of, player=subject.player, nth=nth)
        change = Rewrite("change", facts=(("exhausted", READY[word]),))
        return Ability(kind="replacement", when=when, rewrite=change, uses=subject.uses)

    def _is_bonus(self, tree: Tree, subject: Subject) -> list[Ability]:
        if "np" in tree:
            raise self.unclear(tree["np"], "no more words")
        if set(subject.kinds) - {"spell", "ability", "card"}:
            raise self.unclear(tree, "a spell or ability that deals Bonus Damage")
        return self._bound(
            subject, Change("bonus damage", of=subject.of, amount=self.number(tree["amt"]))
        )

    def _is_takes(self, tree: Tree, subject: Subject) -> list[Ability]:
        if subject.binds or subject.played or "np" in tree:
            raise self.unclear(tree, "a unit that takes damage")
        rewrite = Rewrite("prevent") if tree.args[0] == "none" else Rewrite("times", 2)
        return [
            Ability(kind="replacement", when=When("damage", subject=subject.of), rewrite=rewrite)
        ]

    def _is_takes_less(self, tree: Tree, subject: Subject) -> list[Ability]:
        amount = self.number(tree["amt"])
        sign = -1 if tree.tag == "takes less" else 1
        rewrite = Rewrite("plus", sign * amount)
        return [
            Ability(kind="replacement", when=When("damage", subject=subject.of), rewrite=rewrite)
        ]

    _is_takes_more = _is_takes_less

    def _is_become(self, tree: Tree, subject: Subject) -> list[Ability]:
        changes = [self._keyword_change(one, subject.of) for one in tree.all("keyword_grant")]
        return self._bound(subject, *changes)

    def _is_no_abilities(self, tree: Tree, subject: Subject) -> list[Ability]:
        return self._bound(subject, Change("no abilities", of=subject.of))

    def _is_lose(self, tree: Tree, subject: Subject) -> list[Ability]:
        words = [keyword_name(one["kw"].words) for one in tree.all("keyword_grant")]
        return self._bound(
            subject, *(Change("no keyword", of=subject.of, word=one) for one in words)
        )

    def _is_backline(self, tree: Tree, subject: Subject) -> list[Ability]:
        if isinstance(subject.of, This):
            return [Ability(kind="keyword", keyword="Backline")]
        return self._bound(subject, Change("keyword", of=subject.of, word="Backline"))

    def _is_tank(self, tree: Tree, subject: Subject) -> list[Ability]:
        return self._bound(subject, Change("keyword", of=subject.of, word="Tank"))

    def _is_ganking(self, tree: Tree, subject: Subject) -> list[Ability]:
        return self._bound(subject, Change("keyword", of=subject.of, word="Ganking"))

    def _is_may_play_to(self, tree: Tree, subject: Subject) -> list[Ability]:
        place = Selector(kinds=("battlefield",), place=tree["place_np"].tag)
        if isinstance(subject.of, This):
            return [_passive(Change("may", of=place, word="play this to"))]
        if subject.of != Selector(kinds=("unit",), control="friendly"):
            raise self.unclear(tree, "friendly units")
        return [_passive(Change("may", of=place, word="play to", who=YOU))]

    def _is_type(self, tree: Tree, subject: Subject) -> list[Ability]:
        return self._bound(subject, Change("tags", of=subject.of, word=tree["CAPITAL"].written))

    # ------------------------------------------------------------ what is given

    def grants(self, tree: Tree, of: Objects | Selector | None) -> list[Change]:
        """ "+2 Might, [Assault 2] and [Ganking]" as changes of `of`."""
        return [change for one in tree.all("grant") for change in self._grant(one, of)]

    def _grant(self, tree: Tree, of: Objects | Selector | None) -> list[Change]:
        tag = tree.tag
        if tag == "might":
            return [self.might_change(tree["signed"], of)]
        if tag == "equal":
            return [Change("might", of=of, amount=self.value(tree["amt"]))]
        if tag == "ability":
            abilities = self.quoted(tree["quoted"])
            return [Change("ability", of=of, ability=ability) for ability in abilities]
        if tag == "keyword":
            return [self._keyword_change(tree["keyword_grant"], of)]
        if tag == "bonus":
            if isinstance(of, Selector) and set(of.kinds) - {"spell", "ability", "card"}:
                raise self.unclear(tree, "a spell or ability that deals Bonus Damage")
            return [Change("bonus damage", of=of, amount=self.number(tree["amt"]))]
        raise self.unclear(tree, "Might, a keyword or an ability")

    def might_change(self, signed: Tree, of: Objects | Selector | None) -> Change:
        """ "+2" or "-1" as a change of Might."""
        if signed.tag == "unknown":
            raise self.unclear(signed, "a number")
        amount: Amount = self.number(signed["number"])
        if signed.tag == "minus" and isinstance(amount, int):
            amount = -amount
        if self.per_tree is not None:
            amount = self.per(amount, self.per_tree)
        return Change("might", of=of, amount=amount, least=self.least)

    def _keyword_change(self, tree: Tree, of: Objects | Selector | None) -> Change:
        word = keyword_name(tree["kw"].words)
        if tree.tag == "repeat own":
            return Change("keyword", of=of, word=word, resources=(("own cost", 1),))
        amount: Amount | None = None
        if "amt" in tree:
            amount = self.value(tree["amt"])
        resources: tuple[tuple[str, int], ...] = ()
        if price := tree.get("kcost"):
            resources = tuple(self.resources(price))
        return Change("keyword", of=of, word=word, amount=amount, resources=resources)

    @abstractmethod
    def quoted(self, tree: Tree) -> list[Ability]:
        """An ability in quotation marks."""


def _passive(*changes: Change) -> Ability:
    return Ability(kind="passive", changes=changes)
