"""From words to amounts and costs: "its Might", "1 for each enemy unit", "pay 1 fury".

Owns the builders of values and costs.
"""

from __future__ import annotations

from longfuse.abilities.ability import Choice, Cost, Do, Effect
from longfuse.abilities.nodes import (
    Amount,
    Arithmetic,
    Count,
    Objects,
    Selector,
    Stat,
    Tally,
    This,
    When,
)
from longfuse.abilities.text.tree import Tree
from longfuse.rulesets.riftbound.text_nouns import Nouns
from longfuse.rulesets.riftbound.text_scope import YOU

RAINBOW = {"rainbow": "any"}


class Amounts(Nouns):
    """Builds amounts and costs."""

    # ------------------------------------------------------------ values

    def value(self, tree: Tree) -> Amount:
        """An amount in words."""
        if tree.rule == "number":
            return self.number(tree)
        tag = tree.tag
        if tag == "twice":
            return Arithmetic("times", self.value(tree["val"]), 2)
        if tag == "half":
            up = "rounding" in tree and tree["rounding"].tag == "up"
            return Arithmetic("half up" if up else "half down", self.value(tree["val"]))
        if tag in ("plus", "minus"):
            left, right = self.value(tree["val"]), self.value(tree["also"])
            return Arithmetic("plus" if tag == "plus" else "minus", left, right)
        if tree.rule == "value":
            return self.value(tree["value1"])
        return self._simple_value(tree)

    def _simple_value(self, tree: Tree) -> Amount:
        tag = tree.tag
        if inner := tree.get("canonical_value"):
            return self.canonical_value(inner)
        if tag == "number":
            return self.number(tree["number"])
        if tag == "count":
            return Count(self.described(tree["np"]))
        if tag == "much":
            return self.that_much(tree)
        if tag in ("points", "hand", "xp"):
            return Stat(tag, YOU)
        if tag in ("might", "base might", "energy", "power"):
            return Stat(tag, self.possessor(tree["poss"]))
        if tag == "mightof":
            if ref := tree.get("ref"):
                return Stat("might", self.refs(ref)[0])
            return Stat("might", self.objects(tree["np"])[0])
        raise self.unclear(tree, "an amount the rules know")

    def possessor(self, poss: Tree) -> Objects:
        """The object behind "its", "my", "another friendly unit's"."""
        if poss.tag == "this":
            return This()
        if poss.tag == "npo":
            return self._possessor_phrase(poss)
        if "owner_np" in poss:
            return self._possessor_phrase(poss["owner_np"])
        if poss.tag == "that":
            kind = poss["noun_s"].tag if "noun_s" in poss else "unit"
            return self.it(poss, kind)
        return self.it(poss)

    def _possessor_phrase(self, tree: Tree) -> Objects:
        phrase = self.bare_phrase(tree, tree["noun_s"].tag)
        return self._chosen(phrase)[0]

    def bare_phrase(self, tree: Tree, kind: str):  # type: ignore[no-untyped-def]
        """A phrase of adjectives and one kind ("a friendly unit's")."""
        from longfuse.rulesets.riftbound.text_phrases import Phrase

        phrase = Phrase(tree, quantity="one", kinds=(kind,))
        if tree.words.startswith("another"):
            phrase.another = True
        for adjective in tree.all("adjective"):
            self._adjective(adjective, phrase)
        return phrase

    def per(self, amount: Amount, tree: Tree) -> Amount:
        """N for each …"""
        if tree.tag == "each":
            return _times(amount, Count(self.described(tree["pernp"], bare=True)))
        if tree.tag == "died":
            fallen = self.described(tree["pernp"], event=True, bare=True)
            return _times(amount, Tally(When("unit died", subject=fallen)))
        if tree.tag == "them":
            return _times(amount, Count(Selector(zone="any", among=self.refs(tree["ref"])[0])))
        if tree.tag == "points":
            return _times(amount, Stat("points", YOU))
        if tree.tag == "played":
            played = When("card finalized", subject=Selector(zone="any"), player=YOU)
            return _times(amount, Tally(played))
        raise self.unclear(tree, "“for each” with a description")

    # ------------------------------------------------------------ costs

    def cost(self, tree: Tree) -> Cost:
        """A list of things to pay."""
        outer = self.scope
        self.scope = inner = outer.inner()
        inner.choices, inner.prefix = [], "c"
        resources: list[tuple[str, int]] = []
        for item in tree.all("cost_item"):
            self._cost_item(item, resources)
        self.scope = outer
        outer.mentions = inner.mentions
        choices: tuple[Choice, ...] = tuple(inner.choices)
        return Cost(resources=tuple(resources), choices=choices, actions=tuple(inner.body))

    def _cost_item(self, item: Tree, resources: list[tuple[str, int]]) -> None:
        tag = item.tag
        if tag in ("pay", "symbols", "energy", "domain", "pieces"):
            resources.extend(self.resources(item["pay_what"] if tag == "pay" else item))
            return
        actions: list[Effect] = []
        if tag == "exhaust this":
            actions.append(Do("exhaust", what=This()))
        elif tag == "do":
            actions.extend(Do(item.args[0], what=what) for what in self.objects(item["objs1"]))
        elif tag == "discard":
            amount = self.number(item["amt"]) if "amt" in item else 1
            actions.append(Do("discard", amount=amount, who=YOU))
        elif tag == "recycle trash":
            actions.append(Do("recycle from trash", amount=self.number(item["amt"]), who=YOU))
        elif tag == "spend its buff":
            actions.append(Do("spend buff", what=self.whose(item["its"])))
        elif tag == "spend buff":
            choice = Choice(
                self.name("c"), Selector(kinds=("unit",), control="friendly", states=("buffed",))
            )
            actions.append(Do("spend buff", what=self.choose(choice)))
        elif tag == "xp":
            actions.append(Do("spend xp", amount=self.number(item["amt"]), who=YOU))
        else:
            raise self.unclear(item, "a cost the rules know")
        self.scope.body.extend(actions)

    def resources(self, tree: Tree) -> list[tuple[str, int]]:
        """Energy and Power, from symbols or words."""
        if tree.tag == "pieces":
            return [self._piece(piece) for piece in tree.all("pay_piece")]
        if tree.tag in ("energy", "domain") and "amt" in tree:
            return [self._piece(tree)]
        found: list[tuple[str, int]] = []
        if energy := tree.get("ENERGY"):
            found.append(("energy", int(energy.words)))
        counts: dict[str, int] = {}
        for rune in tree.all("RUNE"):
            name = RAINBOW.get(rune.words, rune.words)
            counts[name] = counts.get(name, 0) + 1
        return found + list(counts.items())

    def _piece(self, tree: Tree) -> tuple[str, int]:
        if tree.tag == "any1":
            return ("any", 1)
        if tree.tag == "domain1":
            return (tree["domain"].words.strip("[] "), 1)
        amount = self.number(tree["amt"])
        if tree.tag == "domain":
            return (tree["domain"].words.strip("[] "), amount)
        return (tree.tag, amount)


def _times(amount: Amount, count: Amount) -> Amount:
    return count if amount == 1 else Arithmetic("times", count, amount)
