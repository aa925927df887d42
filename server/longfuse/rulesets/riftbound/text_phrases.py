"""From noun phrases to selectors: "another friendly unit at a battlefield with 3 Might or less".

Owns how a phrase is taken apart (`Phrase`) and what each word of it means for a selector.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import msgspec

from longfuse.abilities.nodes import (
    AllOf,
    Amount,
    AnyOf,
    Attached,
    Candidate,
    Compare,
    Condition,
    ControllerOf,
    Matches,
    Named,
    Not,
    Objects,
    Players,
    Selector,
    Stat,
    This,
    Who,
)
from longfuse.abilities.text.tree import Tree
from longfuse.rulesets.riftbound.text_scope import Words


class Phrases(Words):
    """The builders of this module."""

    def phrase(self, tree: Tree, event: bool = False, bare: bool = False) -> Phrase:
        """Read a noun phrase; `event`: it tells what something happens to; `bare`: no article."""
        out = Phrase(tree)
        heads = tree["heads"].all("head") + tree["heads"].all("also")
        kinds: list[str] = []
        for head in heads:
            self._head(head, out, kinds)
        out.kinds = tuple(kinds)
        if "det" in tree:
            self._quantity(tree["det"], out)
        else:
            out.quantity, out.plural = "each", True
            if "own" not in tree and not bare and not _is_bare_plural(tree["heads"]):
                raise self.unclear(tree, "a, all, or another word before it")
        if own := tree.get("own"):
            self._own(own, out)
            if "det" not in tree and not _is_bare_plural(tree["heads"]):
                out.quantity, out.plural = "one", False
        for adjective in tree.all("adj"):
            self._adjective(adjective, out)
        for post in tree.all("post"):
            getattr(self, "_post_" + post.tag.replace(" ", "_"))(post, out)
        if "zone" not in out.fields:
            self._usual_zone(out, event)
        if self.usual_owner is not None and not {"control", "controller"} & set(out.fields):
            if self.usual_owner == Who("you"):
                out.fields["control"] = "friendly"
            else:
                out.fields["controller"] = self.usual_owner
        return out

    usual_zone = ""
    usual_owner: Players | None = None
    """Whose things are meant where nothing is said ("sacrifice a unit")."""

    def _usual_zone(self, out: Phrase, event: bool) -> None:
        if self.usual_zone:
            out.fields["zone"] = self.usual_zone
            out.fields.setdefault("owner", "friendly")
            return
        if "facedown" in out.states:
            out.fields["zone"] = "facedown"
        elif event and set(out.kinds) & {"spell", "ability", "card"}:
            out.fields["zone"] = "any"
        elif set(out.kinds) <= {"spell", "ability"}:
            out.fields["zone"] = "chain"
        elif out.kinds == ("card",) and "token" not in out.states:
            out.fields["zone"] = "any"

    def _head(self, head: Tree, out: Phrase, kinds: list[str]) -> None:
        if head.tag == "noun":
            kind = head["noun"].tag
        elif head.tag == "kind":
            kind = head.args[0]
        else:
            kind = head.args[0]
            word = head["CAPITAL"].written
            singular = word.removesuffix("s") if is_plural(head) else word
            out.tags.append(singular)
        if "token" in head.args[1:] or head.words.split()[-1] in ("token", "tokens"):
            out.states.append("token")
        if kind not in kinds:
            kinds.append(kind)

    def _quantity(self, tree: Tree, out: Phrase) -> None:
        tag = tree.tag
        out.quantity = tag
        if tag in ("upto", "exactly", "least"):
            out.most = self.number(tree["number"])
            out.least = 0 if tag == "upto" else out.most
            out.plural = out.most > 1 or out.least == 0
        elif tag in ("any number", "some"):
            out.least = 1 if tag == "some" else 0
            out.plural = True
        elif tag == "another":
            out.another = True
        elif tag in ("each", "any"):
            out.plural = True

    def _own(self, own: Tree, out: Phrase) -> None:
        if own.tag in ("friendly", "enemy"):
            self._whose(out, own.tag)
        elif own.tag == "their":
            out.fields["controller"] = self.said_player(own)
        else:
            out.fields["controller"] = ControllerOf(self.it(own))

    def _whose(self, out: Phrase, side: str) -> None:
        if out.fields.get("control", side) != side:
            raise self.unclear(out.tree, "one side, friendly or enemy")
        out.fields["control"] = side
        if side == "enemy" and self.scope.player is None:
            self.scope.player = Who("opponent")

    def _adjective(self, tree: Tree, out: Phrase) -> None:
        tag = tree.tag
        if tag == "other" or tag == "different":
            out.another = True
        elif tag in ("friendly", "enemy"):
            self._whose(out, tag)
        elif tag == "state":
            out.states.append(tree.args[0])
        elif tag == "not":
            out.where.append(
                Not(Matches(Named("candidate"), Selector(kinds=(tree.args[0],), zone="any")))
            )
        elif tag == "nottag":
            tag_name = tree["NONTAG"].written[4:]
            out.where.append(
                Not(Matches(Named("candidate"), Selector(tags=(tag_name,), zone="any")))
            )

    def _post_control(self, tree: Tree, out: Phrase) -> None:
        if tree.args[0] == "their":
            out.fields["controller"] = self.said_player(tree)
        else:
            self._whose(out, tree.args[0])

    def _post_owner(self, tree: Tree, out: Phrase) -> None:
        out.fields["owner"] = tree.args[0]

    def _post_samecontroller(self, tree: Tree, out: Phrase) -> None:
        out.same_controller = True

    def _post_incombat(self, tree: Tree, out: Phrase) -> None:
        fighting = (Selector(states=("attacking",)), Selector(states=("defending",)))
        out.where.append(AnyOf(tuple(Matches(Named("candidate"), one) for one in fighting)))

    def _post_otherthan(self, tree: Tree, out: Phrase) -> None:
        for ref in self.refs(tree["ref"]):
            if isinstance(ref, This):
                out.fields["another"] = True
            else:
                out.not_in.append(ref)

    def _post_place(self, post: Tree, out: Phrase) -> None:
        post = post["place"]
        tag, args = post.tag, post
        if tag == "own base":
            out.fields["place"] = "base"
            self._whose(out, "friendly")
        elif tag == "enemy base":
            out.fields["place"] = "base"
            self._whose(out, "enemy")
        elif tag in ("board", "anywhere"):
            out.fields["zone"] = "board"
        elif tag in ("same", "same battlefield"):
            out.same_place = tag
            if tag == "same battlefield":
                out.fields["place"] = "battlefield"
            if ref := post.get("ref"):
                out.fields.update(place="same", place_of=self.refs(ref)[0])
                out.same_place = ""
        elif tag in ("with", "there"):
            out.fields.update(place="same", place_of=self._place_of(args))
        elif tag == "other":
            out.fields.update(place="other", place_of=self.it(post))
        else:
            out.fields["place"] = tag
            out.one_battlefield = tag == "battlefield" and post.words.endswith("a battlefield")

    def _place_of(self, tree: Tree) -> Objects:
        if its := tree.get("its"):
            return self.whose(its)
        for mention in reversed(self.scope.mentions):
            if not mention.many and set(mention.kinds) & {
                "unit",
                "gear",
                "battlefield",
                "permanent",
            }:
                return self.meant(mention)[0]
        if self.card_type == "battlefield" or self.scope.this_event:
            return This()
        raise self.unclear(tree, "a place named before")

    def _post_zone(self, post: Tree, out: Phrase) -> None:
        zone, owner = post["zone"].tag, post["zone"].args[0]
        out.fields["zone"] = zone
        if owner == "their" and self.said_player(post) == Who("opponent"):
            out.fields["owner"] = "enemy"
        elif owner == "their":
            out.fields["controller"] = self.said_player(post)
        elif owner != "any":
            out.fields["owner"] = owner
            if owner == "enemy" and self.scope.player is None:
                self.scope.player = Who("opponent")

    def _post_compare(self, tree: Tree, out: Phrase) -> None:
        out.where.append(self.comparison(tree["comparison"], Candidate()))

    def _post_costs(self, tree: Tree, out: Phrase) -> None:
        out.where.append(self.cost_bound(tree["costbound"], Candidate()))

    def _post_haskeyword(self, tree: Tree, out: Phrase) -> None:
        out.keywords.extend(_keyword(one) for one in tree.all("keyword_grant"))

    def _post_nokeyword(self, tree: Tree, out: Phrase) -> None:
        for one in tree.all("keyword_grant"):
            has = Selector(keywords=(_keyword(one),), zone="any")
            out.where.append(Not(Matches(Named("candidate"), has)))

    def _post_is(self, tree: Tree, out: Phrase) -> None:
        out.states.append(tree["stateword"].tag)

    def _post_isnot(self, tree: Tree, out: Phrase) -> None:
        word = tree["stateword"].tag
        out.states.append(word[4:] if word.startswith("not ") else "not " + word)

    def _post_is2(self, tree: Tree, out: Phrase) -> None:
        raise self.unclear(tree, "a state the rules know")

    def _post_state(self, tree: Tree, out: Phrase) -> None:
        out.states.append(tree.args[0])

    def _post_playedbyyou(self, tree: Tree, out: Phrase) -> None:
        out.states.append("played this turn")
        self._whose(out, "friendly")

    def _post_named(self, tree: Tree, out: Phrase) -> None:
        out.fields["name"] = tree["CAPITAL"].written

    def _post_whose(self, tree: Tree, out: Phrase) -> None:
        left = Stat(tree["string"].words[2:-2], Candidate())
        operator = tree["operator"].words.replace(" ", "")
        out.where.append(Compare(left, operator, self.value(tree["val"])))  # type: ignore[arg-type]

    def _post_whosemight(self, tree: Tree, out: Phrase) -> None:
        might = Stat("might", Candidate())
        out.where.append(Compare(might, tree.args[0], self.number(tree["amt"])))  # type: ignore[arg-type]

    def _post_such(self, tree: Tree, out: Phrase) -> None:
        out.where.append(self.condition(tree["condition"]))

    def _post_controlledby(self, tree: Tree, out: Phrase) -> None:
        out.fields["controller"] = self.player(tree["player"])

    def _post_sameplace(self, tree: Tree, out: Phrase) -> None:
        out.fields.update(place=tree.args[0], place_of=self.refs(tree["ref"])[0])

    def _post_inzone(self, tree: Tree, out: Phrase) -> None:
        out.fields["zone"] = tree["string"].words[2:-2]

    def _post_keptplace(self, tree: Tree, out: Phrase) -> None:
        out.fields["place"] = tree["string"].words[2:-2]

    def _post_kept(self, tree: Tree, out: Phrase) -> None:
        out.states.append(tree["string"].words[2:-2])

    def _post_plain(self, tree: Tree, out: Phrase) -> None:
        pass

    def _post_chooses(self, tree: Tree, out: Phrase) -> None:
        inner = self.selector(self.phrase(tree["np"]))
        out.where.append(Matches(Named("candidate.targets"), inner))

    def _post_among(self, tree: Tree, out: Phrase) -> None:
        if "ref" not in tree:
            found: tuple[Objects, ...] = (self._rest(tree),)
        elif "canonical_ref" in tree["ref"]:
            found = self.refs(tree["ref"])
        else:
            found = self.them(tree["ref"])
        out.fields.update(among=found[0], zone="any")

    def _post_fromit(self, tree: Tree, out: Phrase) -> None:
        if self.scope.hand_of is None:
            raise self.unclear(tree, "a hand looked at before")
        out.fields["zone"] = "hand"
        if self.scope.hand_of == Who("opponent"):
            out.fields["owner"] = "enemy"
        else:
            out.fields["controller"] = self.scope.hand_of

    def _post_banishedwith(self, tree: Tree, out: Phrase) -> None:
        out.fields.update(linked=True, zone="any")

    def _post_attachedto(self, tree: Tree, out: Phrase) -> None:
        out.where.append(Matches(Attached(Named("candidate"), to_it=False), Selector()))
        raise self.unclear(tree, "another description")

    def comparison(self, tree: Tree, of: Candidate | Objects) -> Condition:
        """ "3 Might or less", "Energy cost no more than 2" … about something."""
        if tree.tag in ("highest", "lowest"):
            raise self.unclear(tree, "a number")
        operator = tree.args[0]
        if tree.tag == "mightof":
            right: Amount = Stat("might", self.refs(tree["ref"])[0])
            return Compare(Stat("might", of), operator, right)  # type: ignore[arg-type]
        if tree.tag == "power" and "runes" in tree:
            right = len(tree["runes"].all("RUNE"))
        elif "amt" in tree:
            right = self.number(tree["amt"])
        else:
            right = self.value(tree["val"])
        first = Compare(Stat(tree.tag, of), operator, right)  # type: ignore[arg-type]
        return self._and_power(first, tree, of) if tree.tag == "energy" else first

    def cost_bound(self, tree: Tree, of: Candidate | Objects) -> Condition:
        """ "2 or less" behind "costs"."""
        amount = self.number(tree["amt"])
        first = Compare(Stat("energy", of), tree.tag, amount)  # type: ignore[arg-type]
        return self._and_power(first, tree, of)

    def _and_power(self, first: Condition, tree: Tree, of: Candidate | Objects) -> Condition:
        if runes := tree.get("runes"):
            most = len(runes.all("RUNE"))
            return AllOf((first, Compare(Stat("power", of), "<=", most)))
        return first

    def selector(self, phrase: Phrase) -> Selector:
        """The selector of a phrase, without its number."""
        where: Condition | None = None
        if phrase.where:
            where = phrase.where[0] if len(phrase.where) == 1 else AllOf(tuple(phrase.where))
        fields = {name: value for name, value in phrase.fields.items() if name != "linked"}
        if phrase.same_place and "place_of" not in fields:
            raise self.unclear(phrase.tree, "a place named before")
        return Selector(
            kinds=phrase.kinds, states=tuple(sorted(set(phrase.states))), tags=tuple(phrase.tags),
            keywords=tuple(phrase.keywords), where=where, not_in=tuple(phrase.not_in),
            **fields,  # type: ignore[arg-type]
        )  # fmt: skip

    def described(self, tree: Tree, event: bool = False, bare: bool = False) -> Selector:
        """A phrase that only describes ("when a friendly unit dies", "for each enemy unit")."""
        phrase = self.phrase(tree, event, bare)
        if phrase.quantity in ("exactly", "upto", "any number", "no"):
            raise self.unclear(tree, "a description without a number")
        if phrase.another:
            self._other_than(phrase, described=True)
        return self.selector(phrase)

    def _other_than(self, phrase: Phrase, described: bool = False) -> tuple[str, ...]:
        """What "another" is different from: earlier choices, the event's object, or the source."""
        names = tuple(
            choice.name
            for choice in self.scope.choices
            if choice.selector and overlap(choice.selector.kinds, phrase.kinds)
        )
        if names and not described:
            return names
        for mention in reversed(self.scope.mentions):
            if overlap(mention.kinds, phrase.kinds) and not isinstance(mention.refs[0], This):
                phrase.not_in.extend(self.meant(mention))
                return ()
        if self.card_type == "spell" and not {"spell", "card"} & set(phrase.kinds):
            raise self.unclear(phrase.tree, "something named before, other than which")
        phrase.fields["another"] = True
        return ()


@dataclass
class Phrase:
    """A noun phrase taken apart."""

    tree: Tree
    quantity: str = ""
    least: int = 1
    most: int = 1
    plural: bool = False
    another: bool = False
    same_place: str = ""
    one_battlefield: bool = False
    same_controller: bool = False
    fields: dict[str, object] = field(default_factory=dict)
    states: list[str] = field(default_factory=list)
    tags: list[str] = field(default_factory=list)
    keywords: list[str] = field(default_factory=list)
    where: list[Condition] = field(default_factory=list)
    not_in: list[Objects] = field(default_factory=list)
    kinds: tuple[str, ...] = ("card",)


def _keyword(tree: Tree) -> str:
    return keyword_name(tree["kw"].words)


def keyword_name(words: str) -> str:
    """The keyword as the vocabulary spells it."""
    return "-".join(part.capitalize() for part in words.split("-"))


def _is_bare_plural(heads: Tree) -> bool:
    """Words that can stand without an article: plurals, and gear, equipment."""
    last = [part.words.split()[-1] for _, part in heads.parts if part.words]
    return any(word.endswith("s") or word in ("gear", "equipment") for word in last)


def is_plural(tree: Tree) -> bool:
    last = tree.words.split()[-1] if tree.words else ""
    return last.endswith("s")


def overlap(left: tuple[str, ...], right: tuple[str, ...]) -> bool:
    permanent = {"unit", "gear", "permanent", "equipment"}
    return bool(set(left) & set(right)) or (
        ("permanent" in left or "permanent" in right) and bool(permanent & set(left) & permanent)
    )


def with_fields(selector: Selector, **fields: object) -> Selector:
    """The selector with some fields changed."""
    return msgspec.structs.replace(selector, **fields)
