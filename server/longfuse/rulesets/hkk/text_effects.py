"""From trees to effects: what instructions do and what statements change.

Owns the builders of steps and statements, for both languages.
"""

from __future__ import annotations

from typing import Literal

from longfuse.abilities.ability import (
    Ability,
    Change,
    Choice,
    Create,
    Do,
    Duration,
    Effect,
    If,
    May,
    Modes,
    Program,
    Rewrite,
)
from longfuse.abilities.nodes import Named, NamedPlayer, Objects, Selector, When, Who
from longfuse.abilities.text.errors import Unclear
from longfuse.abilities.text.tree import Tree
from longfuse.rulesets.hkk.text_conditions import Conditions
from longfuse.rulesets.hkk.text_nouns import YOU

DONE_TO = {
    "destroy": "destroy", "throw": "throw", "return": "return", "heal": "heal", "ready": "ready",
    "turn": "turn",
}  # fmt: skip
WINDOWS = {"this turn": "this turn", "this combat": "this combat", "this phase": "this phase",
           "while on board": "while in zone",
           "until start": "until start of turn", "until end": "until end of turn"}  # fmt: skip


class Effects(Conditions):
    """Builds the instructions of one ability."""

    # ------------------------------------------------------------ sentences

    def sentences(self, tree: Tree, *, optional: bool) -> tuple[tuple[Effect, ...], bool]:
        """The effects of all sentences; and whether all of it is optional, if that may be."""
        found = tree.all("sentence")
        if optional and len(found) == 1 and "may" in found[0] and "cond" not in found[0]:
            return self._steps(found[0]), True
        effects: list[Effect] = []
        for sentence in found:
            effects.extend(self._sentence(sentence))
        return tuple(effects), False

    def _sentence(self, tree: Tree) -> tuple[Effect, ...]:
        condition = self.condition(tree["cond"]) if "cond" in tree else None
        body = self._steps(tree)
        if not body and ("may" in tree or condition is not None):
            raise Unclear(tree.start, "a choice without “you may” and “if”")
        if "may" in tree:
            body = (May(body),)
        return body if condition is None else (If(condition, body),)

    def _steps(self, tree: Tree) -> tuple[Effect, ...]:
        found: list[Effect] = []
        for step in tree.all("step"):
            if step.tag == "choose":
                self._chosen(step)
            else:
                found.append(self.step(step))
        return tuple(found)

    def _chosen(self, tree: Tree) -> None:
        """ "Choose a permanent.": what is said of it comes behind."""
        before = len(self.choices)
        self.objects(tree["what"])
        if len(self.choices) == before:
            raise Unclear(tree["what"].start, "something to choose")
        self.only_chosen.append((self.choices[-1].name, tree.start))

    # ------------------------------------------------------------ steps

    def step(self, tree: Tree) -> Effect:
        """One instruction."""
        tag = tree.tag
        if tag == "act":
            return self._act(tree)
        if tag in DONE_TO:
            return Do(DONE_TO[tag], what=self.objects(tree["what"]))
        if tag == "deal any":
            return self._deal_any(tree)
        if tag in ("deal", "hurt"):
            return self._damage(tree)
        if tag in ("remove", "remove all", "place", "double"):
            return self._counters(tree)
        if tag in ("give", "lasting", "shield", "control", "suppress"):
            return self._lasting(tree)
        return self._other(tree)

    def _act(self, tree: Tree) -> Do:
        who = self.player(tree["who"]) if "who" in tree else YOU
        act = tree["act"]
        match act.tag:
            case "draw":
                amount = self.amount(act, self.many(act["cards"]))
            case "discard":
                amount = self.many(act["cards"])
            case "skip preparation":
                return Do("skip preparation", who=who)
            case "mill":
                amount = self.number(act.get("many"))
            case _:
                amount = self.amount(act, self.number(act["amt"]))
        return Do(act.tag, amount=amount, who=who)

    def _damage(self, tree: Tree) -> Do:
        if tree.tag == "hurt":
            who = self.player(tree["who"])
            return Do("hurt", amount=self.amount(tree, self.number(tree["amt"])), who=who)
        what = self.objects(tree["what"])
        return Do("deal", what=what, amount=self.amount(tree, self.number(tree["amt"])))

    def _deal_any(self, tree: Tree) -> Modes:
        """Damage to a permanent or to a player: which of them is chosen first."""
        number = self.number(tree["amt"])
        some = Choice(self.next_name(), selector=self.noun(tree["noun"]))
        player = Choice(self.next_name(), of="player")
        deal = Do("deal", what=Named(some.name), amount=number)
        hurt = Do("hurt", amount=number, who=NamedPlayer(player.name))
        options = (("creature", Program((some,), (deal,))), ("player", Program((player,), (hurt,))))
        return Modes(options)

    def _counters(self, tree: Tree) -> Do:
        word = tree["counter"].tag
        what = self.objects(tree["what"])
        if tree.tag == "remove all":
            return Do("remove counters", what=what, word=word)
        if tree.tag == "double":
            return Do("double counters", what=what, word=word)
        verb = "place counters" if tree.tag == "place" else "remove counters"
        return Do(verb, what=what, amount=self.number(tree["many"]), word=word)

    def _other(self, tree: Tree) -> Effect:
        match tree.tag:
            case "move":
                return Do("move", what=self.objects(tree["what"]), to=tree.args[0])
            case "return yours":
                return self._to_hand(tree)
            case "copy":
                what = self.objects(tree["what"])
                return Do("copy", what=what, to_objects=self.objects(tree["of"]))
            case "token":
                name = self.card_name(tree["name"])
                return Do("token", amount=self.number(tree["many"]), who=YOU, word=name)
            case "play":
                word = "without counters" if "bare" in tree else ""
                return Do("play", what=self.objects(tree["what"]), who=YOU, word=word)
            case "prevent":
                return Do("prevent", what=self.objects(tree["what"], "chain"))
        raise Unclear(tree.start, "an instruction")

    def _to_hand(self, tree: Tree) -> Do:
        before = len(self.choices)
        what = self.objects(tree["what"])
        chosen = self.choices[before:]
        if not chosen or chosen[0].selector is None or chosen[0].selector.owner != "friendly":
            raise Unclear(tree["what"].start, "a card of yours, for your hand")
        return Do("return", what=what)

    def card_name(self, tree: Tree) -> str:
        """A card's name in quotation marks, as the set files have it."""
        words = " ".join(token.text for token in tree.tokens[tree["name"].start : tree["name"].end])
        return self.names.get(words, words)

    # ------------------------------------------------------------ what lasts

    def _lasting(self, tree: Tree) -> Effect:
        if tree.tag == "control":
            what = self.objects(tree["what"])
            if "window" not in tree:
                return Do("control", what=what, who=YOU)
            made: tuple[Change, ...] = (Change("controller", of=what, who=YOU),)
        elif tree.tag == "shield":
            return self._shield(tree)
        elif tree.tag == "suppress":
            made = (Change("no abilities", of=self.whom(tree["what"], lasting=True)),)
        elif tree.tag == "give":
            made = self._pump(tree["pump"], self.whom(tree["what"], lasting=True))
        else:
            made = self.changes(tree["statement"], lasting=True)
        return Create(Ability("passive", changes=made, window=self.window(tree["window"])))

    def _shield(self, tree: Tree) -> Create:
        subject = self.whom(tree["what"], lasting=True)
        return Create(
            Ability(
                "replacement",
                when=When("damage", subject=subject),
                points=self.number(tree["amt"]),
                rewrite=Rewrite("prevent"),
                window=Duration("this turn"),
            )
        )

    def window(self, tree: Tree) -> Duration:
        """How long."""
        if tree.tag not in WINDOWS:
            raise Unclear(tree.start, "until end of turn, or until your next turn")
        how = WINDOWS[tree.tag]
        if "ref" in tree:
            return self._while_here(how, tree["ref"])
        if "whose" not in tree:
            return Duration(how)
        whose = tree["whose"]
        if "next" not in whose.args:
            raise Unclear(whose.start, "which turn: “your next turn”")
        return Duration(how, who=Who(self.role(whose.tag, whose)))

    def _while_here(self, how: str, tree: Tree) -> Duration:
        tree = tree.only() if tree.rule == "ref" and not tree.tag else tree
        if tree.tag != "this":
            raise Unclear(tree.start, "for as long as this is in play")
        return Duration(how, of=self.this(tree), zone="board")

    # ------------------------------------------------------------ statements

    def changes(self, tree: Tree, *, lasting: bool = False) -> tuple[Change, ...]:
        """What a statement changes."""
        match tree.tag:
            case "no counters":
                of = self.whom(tree["what"], lasting=lasting)
                return (Change("must not", of=of, word="receive counters"),)
            case "no counters all":
                of = Selector(kinds=("permanent",))
                return (Change("must not", of=of, word="receive counters"),)
            case "suppressed":
                sort = tree["sort"].tag if "sort" in tree else ""
                of = self.whom(tree["what"], lasting=lasting)
                return (Change("no abilities", of=of, word=sort),)
            case "twice":
                of = self.whom(tree["what"], lasting=lasting)
                return (Change("on-play count", of=of, amount=1),)
            case "never":
                of = self.whom(tree["what"], lasting=lasting)
                return (Change("on-play count", of=of, amount=-1),)
            case "twice your" | "twice all" | "never all":
                whose: Literal["friendly", "any"] = "friendly" if "your" in tree.tag else "any"
                permanents = Selector(kinds=("permanent",), control=whose)
                amount = -1 if tree.tag.startswith("never") else 1
                return (Change("on-play count", of=permanents, amount=amount),)
            case "spell damage":
                return (Change("spell damage", amount=self.number(tree["amt"])),)
            case "player can't":
                return (self._player_cannot(tree),)
        return self._predicate(tree, lasting)

    def _player_cannot(self, tree: Tree) -> Change:
        who = self.player(tree["who"])
        if not isinstance(who, Who) or who.role == "you":
            raise Unclear(tree.start, "your opponent or each player")
        act = tree["player_act"]
        of = self.noun(act["noun"], "any") if "noun" in act else None
        return Change("must not", of=of, word=act.tag, who=who)

    def _predicate(self, tree: Tree, lasting: bool) -> tuple[Change, ...]:
        said = tree["predicate"]
        if said.tag in ("less", "more"):
            return (self._cost(tree, said),)
        of = self.whom(tree["what"], lasting=lasting)
        match said.tag:
            case "pump":
                return self._pump(said["pump"], of)
            case "keyword":
                return (Change("keyword", of=of, word=said["kw"].tag),)
            case "no abilities":
                return (Change("no abilities", of=of),)
            case "no counters":
                return (Change("must not", of=of, word="receive counters"),)
            case "can't":
                return (Change("must not", of=of, word=said.args[0]),)
        raise Unclear(said.start, "what is so")

    def _pump(self, tree: Tree, of: Objects | Selector) -> tuple[Change, ...]:
        if tree.tag == "both":
            damage, life = self.number(tree["damage"]), self.number(tree["life"])
            return (Change("damage", of=of, amount=damage), Change("life", of=of, amount=life))
        made = []
        for one in tree.all("one"):
            sign = -1 if one.args == ("-",) else 1
            made.append(Change(one.tag, of=of, amount=sign * self.number(one["amt"])))
        if len({one.asks for one in made}) != len(made):
            raise Unclear(tree.start, "damage once and life once")
        return tuple(made)

    def _cost(self, tree: Tree, said: Tree) -> Change:
        what = tree["what"]
        sign = -1 if said.tag == "less" else 1
        amount = sign * self.number(said["amt"])
        if what.tag == "ref" and what["ref"].tag == "this":
            return Change("cost", of=self.this(what["ref"]), amount=amount)
        if what.tag not in ("your", "theirs", "all"):
            raise Unclear(what.start, "cards that are played: “your creatures”, “enemy spells”")
        return Change("cost", of=self.group(what, "chain"), amount=amount)
