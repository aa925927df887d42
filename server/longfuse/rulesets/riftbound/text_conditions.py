"""From words to conditions: "if you control another unit", "while I'm at a battlefield".

Owns the builders of everything behind "if", "while" and "unless".
"""

from __future__ import annotations

from longfuse.abilities.nodes import (
    AllOf,
    AnyOf,
    Compare,
    Condition,
    Did,
    Exists,
    Matches,
    Not,
    Objects,
    Paid,
    Players,
    Selector,
    Stat,
    State,
    Tally,
    This,
    TurnOf,
    When,
    Who,
)
from longfuse.abilities.text.tree import Tree
from longfuse.rulesets.riftbound.text_amounts import Amounts
from longfuse.rulesets.riftbound.text_phrases import keyword_name
from longfuse.rulesets.riftbound.text_scope import YOU


class Conditions(Amounts):
    """The builders of this module."""

    def condition(self, tree: Tree) -> Condition:
        """One condition, or several joined by and/or."""
        parts = tuple(self._cond(one) for one in tree.all("cond"))
        if len(parts) == 1:
            return parts[0]
        return AllOf(parts) if tree.tag == "all" else AnyOf(parts)

    def _cond(self, tree: Tree) -> Condition:
        if inner := tree.get("canonical_cond"):
            return self.canonical_cond(inner)
        tag = tree.tag
        if tag in ("did", "didnt") and self.extra_paid:
            return Paid("additional cost") if tag == "did" else Not(Paid("additional cost"))
        if tag in ("did", "didnt"):
            name = self.name_last(tree)
            return Did(name) if tag == "did" else Not(Did(name))
        simple: dict[str, Condition] = {
            "legion": State("legion"),
            "your turn": TurnOf(YOU), "their turn": TurnOf(Who("opponent")),
            "conquered this turn": State("conquered this turn"), "paid": Paid("additional cost"),
            "scored this turn": State("scored this turn"),
            "your battlefield": Matches(
                This(), Selector(kinds=("battlefield",), control="friendly", zone="any")
            ),
            "died alone": Matches(This(), Selector(states=("alone",))),
            "empty hand": Compare(Stat("hand", YOU), "<=", 0),
        }  # fmt: skip
        if tag in simple:
            return simple[tag]
        method = getattr(self, "_cond_" + tag.replace(" ", "_"), None)
        if method is None:
            raise self.unclear(tree, "a condition the rules know")
        found: Condition = method(tree)
        return found

    def _cond_moved_twice(self, tree: Tree) -> Condition:
        moved = When("moved", subject=self.refs(tree["who"])[0])
        return Compare(Tally(moved), ">=", 2)

    def _cond_near(self, tree: Tree) -> Condition:
        return State("opponent near victory", self.number(tree["number"]))

    def _cond_i_near(self, tree: Tree) -> Condition:
        return State("you near victory", self.number(tree["number"]))

    def _counted(self, tree: Tree, control: str = "") -> Exists:
        phrase = self.phrase(tree)
        if control:
            self._whose(phrase, control)
        if phrase.another:
            phrase.fields["another"] = True
        least, most = 1, -1
        if phrase.quantity in ("exactly", "least"):
            least = phrase.most
        elif phrase.quantity in ("upto", "any number", "no"):
            raise self.unclear(tree, "a number")
        if phrase.quantity == "exactly" and tree.words.startswith("exactly"):
            most = phrase.most
        return Exists(self.selector(phrase), least, most)

    def _cond_exists(self, tree: Tree) -> Condition:
        return self._counted(tree["np"])

    def _cond_not_exists(self, tree: Tree) -> Condition:
        return Not(self._counted(tree["np"]))

    def _cond_you(self, tree: Tree) -> Condition:
        if " only " in f" {tree.words} ":
            raise self.unclear(tree, "a number")
        return self._counted(tree["np"], "friendly")

    def _cond_you_no(self, tree: Tree) -> Condition:
        return Not(self._counted(tree["np"], "friendly"))

    def _cond_opp(self, tree: Tree) -> Condition:
        return self._counted(tree["np"], "enemy")

    def _cond_opp_no(self, tree: Tree) -> Condition:
        return Not(self._counted(tree["np"], "enemy"))

    def _cond_hand(self, tree: Tree) -> Condition:
        return Compare(Stat("hand", YOU), tree.args[0], self.number(tree["number"]))  # type: ignore[arg-type]

    def _cond_points(self, tree: Tree) -> Condition:
        return Compare(Stat("points", YOU), ">=", self.number(tree["number"]))

    def _cond_plus(self, tree: Tree) -> Condition:
        number = self.number(tree["number"])
        if "noun" not in tree:
            here = Selector(kinds=("unit",), control="friendly", place="here")
            return Exists(here, number)
        return Exists(Selector(kinds=(tree["noun"].tag,), control="friendly"), number)

    def _cond_xp(self, tree: Tree) -> Condition:
        return Compare(Stat("xp", YOU), ">=", self.number(tree["number"]))

    def _cond_tally(self, tree: Tree, who: Players = YOU) -> Condition:
        verb = tree["pastverb"]
        window = tree.get("window")
        if window is not None and window.tag != "this turn":
            raise self.unclear(window, "this turn")
        if window is None and "this turn" not in tree.words:
            raise self.unclear(tree, "this turn")
        least = 1
        event, subject = verb.tag, None
        if verb.tag == "playedmany":
            event, least = "card finalized", self.number(verb["number"])
            kinds = tuple(head["noun"].tag for head in verb["sub"].all("head"))
            subject = Selector(kinds=kinds, zone="any")
        elif np := (verb.get("sub") or verb.get("np")):
            subject = self.described(np, event=True)
            event = "card finalized" if event == "card played" else event
            if event == "killed" and subject.kinds == ("unit",):
                event = "unit died"
        return Compare(Tally(When(event, subject=subject, player=who)), ">=", least)

    def _cond_tally_opp(self, tree: Tree) -> Condition:
        return self._cond_tally(tree, Who("opponent"))

    def _cond_tally_died(self, tree: Tree) -> Condition:
        subject = self.described(tree["sub"], event=True)
        return Compare(Tally(When("unit died", subject=subject)), ">=", 1)

    def _cond_has(self, tree: Tree) -> Condition:
        return self.comparison(tree["comparison"], self.refs(tree["who"])[0])

    def _cond_haskw(self, tree: Tree) -> Condition:
        words = tuple(keyword_name(one["kw"].words) for one in tree.all("keyword_grant"))
        return Matches(self.refs(tree["who"])[0], Selector(keywords=words, zone="any"))

    def _cond_costs(self, tree: Tree) -> Condition:
        who = self.refs(tree["who"])[0] if "who" in tree else self.it(tree)
        return self.cost_bound(tree["costbound"], who)

    def _cond_might(self, tree: Tree) -> Condition:
        who = This() if tree["its"].words == "my" else self.whose(tree["its"])
        return Compare(Stat("might", who), tree.args[0], self.number(tree["amt"]))  # type: ignore[arg-type]

    def _cond_is(self, tree: Tree) -> Condition:
        found = self._is(tree)
        return Not(found) if "not_word" in tree else found

    def _cond_isnt(self, tree: Tree) -> Condition:
        return Not(self._is(tree))

    def _is(self, tree: Tree) -> Condition:
        word = tree["isword"]
        if who := tree.get("who"):
            ref = self.refs(who)[0]
        else:
            contracted = tree["contracted2"]
            ref = This() if contracted.tag == "this" else self.it(contracted)
        tag = word.tag
        if tag == "fight" or tag == "fight alone":
            both = [
                self._state(ref, one, tag == "fight alone") for one in ("attacking", "defending")
            ]
            return AnyOf(tuple(both))
        if tag == "state2":
            return self._state(ref, word.args[0], True)
        if tag == "state":
            return self._state(ref, word.args[0], False)
        if tag == "word":
            return self._state(ref, word["stateword"].tag, False)
        if tag == "combat":
            both = [self._state(ref, one, False) for one in ("attacking", "defending")]
            return AnyOf(tuple(both))
        return Matches(ref, self._is_selector(word))

    def _is_selector(self, word: Tree) -> Selector:
        tag = word.tag
        if tag == "place":
            return Selector(place=word.args[0])
        if tag == "board":
            return Selector()
        if tag == "trash":
            return Selector(zone="trash")
        if tag in ("enemy", "friendly"):
            return Selector(kinds=(word["noun"].tag,), control=tag, zone="any")  # type: ignore[arg-type]
        if tag in ("enemy2", "friendly2"):
            return Selector(control=tag[:-1], zone="any")  # type: ignore[arg-type]
        if tag == "alone":
            return Selector(states=("alone",))
        if tag == "kind":
            return self._kind_selector(word["np2"])
        return self.described(word["np3"])

    def _kind_selector(self, heads: Tree) -> Selector:
        from longfuse.rulesets.riftbound.text_phrases import Phrase

        kinds: list[str] = []
        phrase = Phrase(heads)
        for head in heads.all("head") + heads.all("also"):
            self._head(head, phrase, kinds)
        return Selector(
            kinds=tuple(kinds),
            states=tuple(sorted(phrase.states)),
            tags=tuple(phrase.tags),
            zone="any",
        )

    def _state(self, ref: Objects, word: str, alone: bool) -> Condition:
        if isinstance(ref, This) and word in ("attacking", "defending") and not alone:
            return State(word)
        states = tuple(sorted((word, "alone"))) if alone else (word,)
        return Matches(ref, Selector(states=states))
