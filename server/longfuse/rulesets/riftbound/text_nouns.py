"""From noun phrases and pronouns to selectors, choices and references.

Owns how "another friendly unit at a battlefield with 3 Might or less" becomes a selector, when a
phrase is a choice and when it means all that match, and what "it", "that unit" and "them" mean.
"""

from __future__ import annotations

from abc import abstractmethod

from longfuse.abilities.ability import Choice, Choose
from longfuse.abilities.nodes import (
    Amount,
    Attached,
    ControllerOf,
    Count,
    Each,
    Linked,
    Named,
    Objects,
    OwnerOf,
    Players,
    Selector,
    This,
    Who,
)
from longfuse.abilities.text.tree import Tree
from longfuse.rulesets.riftbound.text_phrases import Phrase, Phrases, is_plural
from longfuse.rulesets.riftbound.text_scope import YOU

ONE = {"one", "another", "any one", "the"}
MANY = {"each", "any"}
PRIVATE = {"hand", "deck", "top of deck"}


class Nouns(Phrases):
    """Builds selectors and references."""

    # ------------------------------------------------------------ taking a phrase apart

    # ------------------------------------------------------------ what stands behind the noun

    # ------------------------------------------------------------ comparisons

    # ------------------------------------------------------------ selectors, choices

    def objects(self, tree: Tree) -> tuple[Objects, ...]:
        """What an instruction acts on: a reference, all that match, or a new choice."""
        if tree.rule == "ref":
            return self.refs(tree)
        if tree.rule == "objs1":
            return self.objects(tree.only())
        if tree.tag in ("of", "oneof", "numof"):
            return self._part_of(tree)
        phrase = self.phrase(tree)
        if phrase.fields.get("linked"):
            self.linked = True
            if phrase.quantity not in MANY:
                phrase.fields["among"] = Linked()
                return self._chosen(phrase)
            found: Objects = Linked()
            self.mention(found, kinds=phrase.kinds, many=True)
            return (found,)
        if phrase.quantity == "any" and not is_plural(tree["heads"]):
            # "Deal 2 to any unit" lets one be chosen; "any unit" of an event is each of them.
            phrase.quantity, phrase.plural = "any one", False
        if phrase.quantity in MANY:
            return (self._all(phrase),)
        return self._chosen(phrase)

    def _part_of(self, tree: Tree) -> tuple[Objects, ...]:
        """ "One of them": a pick among things named before."""
        phrase = Phrase(tree, quantity="one", kinds=("card",))
        if tree.tag == "of":
            whole = self.refs(tree["whole"])[0]
            self._quantity(tree["det"], phrase)
            if phrase.quantity == "each":
                return (whole,)
        else:
            whole = self._rest(tree)
            if tree.tag == "numof":
                phrase.least = phrase.most = self.number(tree["NUMBER"])
                phrase.quantity, phrase.plural = "exactly", phrase.most > 1
        kinds = next((m.kinds for m in self.scope.mentions if whole in m.refs), ("card",))
        phrase.kinds = kinds
        phrase.fields.update(among=whole, zone="any")
        return self._chosen(phrase)

    def _all(self, phrase: Phrase) -> Objects:
        if phrase.another:
            self._other_than(phrase, described=True)
        if phrase.one_battlefield:
            place = Choice(self.name("t"), Selector(kinds=("battlefield",)))
            phrase.fields.update(place="same", place_of=self.choose(place))
        found = Each(self.selector(phrase))
        self.mention(found, kinds=phrase.kinds, many=True)
        return found

    def _chosen(self, phrase: Phrase) -> tuple[Objects, ...]:
        if phrase.quantity == "no" or phrase.quantity == "least":
            raise self.unclear(phrase.tree, "something to choose")
        different = self._other_than(phrase) if phrase.another else ()
        least, most = phrase.least, phrase.most
        together = phrase.plural and (phrase.same_place or phrase.one_battlefield)
        if phrase.same_place and phrase.plural:
            phrase.same_place = ""
        elif phrase.same_place:
            phrase.fields.update(place="same", place_of=self._place_of(phrase.tree))
            phrase.same_place = ""
        if together and (most > 1 or phrase.quantity == "any number"):
            phrase.states.append("together")
        if phrase.same_controller:
            phrase.fields["controller"] = ControllerOf(self.it(phrase.tree))
        selector = self.selector(phrase)
        upper: Amount = most
        if phrase.quantity in ("any number", "some"):
            upper = Count(selector)
        private = selector.zone in PRIVATE or self.scope.hidden_choices
        private = private or selector.among is not None
        prefix = "p" if private else self.scope.prefix
        who = self.scope.actor if private and self.scope.actor != YOU else None
        choice = Choice(
            self.name(prefix), selector, least=least, most=upper, different=different, who=who
        )
        if private:
            self.scope.body.append(Choose(choice))
            self.chosen.append((choice.name, choice))
            named = Named(choice.name)
        else:
            named = self.choose(choice)
        self.mention(named, kinds=phrase.kinds, many=phrase.plural and (most != 1 or upper != most))
        return (named,)

    # ------------------------------------------------------------ references

    def refs(self, tree: Tree) -> tuple[Objects, ...]:
        """What a pronoun or "that unit" means."""
        tag = tree.tag
        if tag == "this":
            if noun := tree.get("noun"):
                self._fits_this(noun)
            return (This(),)
        if "canonical_ref" in tree:
            return (self._canonical(tree["canonical_ref"]),)
        if tag in ("it", "self"):
            return (self.it(tree),)
        if tag == "that":
            return (self.it(tree, tree["noun"].tag),)
        if tag == "sided":
            return (self._of_side(tree),)
        if tag == "them":
            return self.them(tree)
        if tag == "we":
            return (This(), self.it(tree))
        if tag == "host":
            return (Attached(This(), to_it=False),)
        if tag in ("rest", "looked", "other"):
            return (self._rest(tree),)
        if tag == "linked":
            self._fits_link(tree)
            self.linked = True
            return (Linked(),)
        raise self.unclear(tree, "something named before")

    def _of_side(self, tree: Tree) -> Objects:
        """ "The enemy unit": the latest choice of that kind and side."""
        side, kind = tree["side_word"].tag, tree["noun"].tag
        for name, choice in reversed(self.chosen):
            selector = choice.selector
            if selector is not None and selector.control == side and kind in selector.kinds:
                return Named(name)
        raise self.unclear(tree, f"one {side} {kind} chosen before")

    def _fits_link(self, tree: Tree) -> None:
        """ "The unit banished with this": only if it is a unit that is banished."""
        noun = tree.get("noun")
        if noun is None or noun.tag == "card" or not self.link_kinds:
            return
        if self.link_kinds != {noun.tag}:
            raise self.unclear(tree, f"the {' or '.join(sorted(self.link_kinds))} banished with it")

    def _fits_this(self, noun: Tree) -> None:
        if noun.tag in ("card", "permanent", "ability") or self.card_type == noun.tag:
            return
        if noun.tag == "equipment" and self.card_type == "gear":
            return
        raise self.unclear(noun, f"this {self.card_type}")

    @abstractmethod
    def _canonical(self, tree: Tree) -> Objects:
        """Given by a builder further on."""

    def it(self, tree: Tree, kind: str = "") -> Objects:
        """The one thing that "it" or "that KIND" means."""
        for mention in reversed(self.scope.mentions):
            if mention.many or len(mention.refs) != 1:
                continue
            if not kind or _fits(kind, mention.kinds):
                return self.meant(mention)[0]
        if self.linkable and not self.scope.event:
            self.linked = True
            return Linked()
        word = f"a {kind}" if kind else "something"
        raise self.unclear(tree, f"{word} named before")

    def them(self, tree: Tree) -> tuple[Objects, ...]:
        """The several things that "them" or "those KINDs" means."""
        noun = tree.get("noun")
        for mention in reversed(self.scope.mentions):
            if noun and not _fits(noun.tag, mention.kinds):
                continue
            if mention.many or len(mention.refs) > 1:
                return self.meant(mention)
        singles = [one for one in self.scope.mentions if len(one.refs) == 1]
        if len(singles) >= 2 and all(isinstance(one.refs[0], Named) for one in singles[-2:]):
            return (singles[-2].refs[0], singles[-1].refs[0])
        if len(singles) == 1 and tree.words == "they":
            return singles[0].refs
        raise self.unclear(tree, "several things named before")

    def _rest(self, tree: Tree) -> Objects:
        for mention in reversed(self.scope.mentions):
            if mention.many and isinstance(mention.refs[0], Named):
                return self.meant(mention)[0]
        raise self.unclear(tree, "cards named before")

    # ------------------------------------------------------------ owners and players

    def whose(self, its: Tree) -> Objects:
        """The object behind "its", "my", "that unit's"."""
        if its.words == "my":
            return This()
        if noun := its.get("noun_s"):
            if its.words.startswith("this"):
                return This()
            return self.it(its, noun.tag)
        return self.it(its)

    def said_player(self, tree: Tree) -> Players:
        """ "That player": the one spoken of before."""
        if self.scope.player is not None:
            return self.scope.player
        latest = self.scope.mentions[-1] if self.scope.mentions else None
        if latest is not None and latest.kinds == ("spell",) and not latest.many:
            return ControllerOf(self.meant(latest)[0])
        raise self.unclear(tree, "a player named before")

    def player(self, tree: Tree) -> Players:
        """A player phrase."""
        tag = tree.tag
        if tag == "that player":
            return self.said_player(tree)
        if tag == "none":
            raise self.unclear(tree, "a player who does it")
        if tag in ("controller", "owner"):
            its = tree.get("its")
            what = self.whose(its) if its is not None else self.refs(tree["ref"])[0]
            found: Players = ControllerOf(what) if tag == "controller" else OwnerOf(what)
            self.scope.player = found
            return found
        return Who(tag)  # type: ignore[arg-type]


def _fits(kind: str, kinds: tuple[str, ...]) -> bool:
    if kind in ("card", "permanent") or "card" in kinds:
        return True
    if (kind == "gear" and "equipment" in kinds) or (kind == "equipment" and "gear" in kinds):
        return True
    return kind in kinds or "permanent" in kinds
