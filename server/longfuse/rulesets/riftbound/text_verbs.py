"""From verbs to game actions: "deal 2 to", "return it to its owner's hand", "play a token".

Owns one builder per verb phrase of `effects.peg`; most verbs need none: `{do,kill}` in the grammar
is enough.
"""

from __future__ import annotations

from longfuse.abilities.ability import (
    Ability,
    Change,
    Choice,
    Do,
    Duration,
    ForEach,
)
from longfuse.abilities.nodes import (
    Amount,
    Attached,
    Each,
    NamedPlayer,
    Objects,
    OwnerOf,
    Players,
    Selector,
    Stat,
    Who,
)
from longfuse.abilities.text.tree import Tree
from longfuse.rulesets.riftbound.text_scope import YOU
from longfuse.rulesets.riftbound.text_statements import Statements

PLAYER_VERBS = {
    "draw", "draw1", "discard", "discard1", "channel", "channel1", "points", "xp",
    "recycle trash", "predict", "mill", "win", "lose", "look hand", "reveal top", "look top",
    "spend xp", "extra turn", "add", "shuffle", "banish top",
}  # fmt: skip


class Verbs(Statements):
    """Builds the game's verbs."""

    step_window: Duration | None = None
    free = ""
    free_amount: int | None = None
    dealt_to: Objects | None = None

    def __init__(self, card_type: str) -> None:
        super().__init__(card_type)
        self.taken: list[Duration] = []

    # ------------------------------------------------------------ helpers

    def do(self, verb: str, **fields: object) -> Do:
        """Append one instruction."""
        effect = Do(verb, **fields)  # type: ignore[arg-type]
        self.scope.body.append(effect)
        return effect

    def amount(self, tree: Tree | None, otherwise: int = 1) -> Amount:
        """A number or value, times "for each …"."""
        amount: Amount = otherwise if tree is None else self.value(tree)
        if self.per_tree is not None:
            amount = self.per(amount, self.per_tree)
        return amount

    def listed(self, tree: Tree) -> list[Objects]:
        """Everything that a list of phrases names."""
        found: list[Objects] = []
        for one in tree.all("objs1") or tree.all("np") + tree.all("ref"):
            found.extend(self.objects(one))
        return found

    def targets(self, tree: Tree) -> list[Objects]:
        """What stands behind "to"."""
        if "objs" in tree:
            return self.listed(tree["objs"])
        return self.listed(tree["targets_and"])

    def imperative(self, tree: Tree, who: Players | None = None) -> None:
        """One verb phrase, done by `who` (you, if nobody is named)."""
        several = isinstance(who, Who) and who.role in ("each player", "each opponent")
        if tree.tag not in PLAYER_VERBS and several and who is not None:
            self._each_player(tree, who)
            return
        outer = self.scope.actor
        self.scope.actor = who or YOU
        method = getattr(self, "verb_" + tree.tag.replace(" ", "_"), None)
        if method is None:
            raise self.unclear(tree, "an instruction the rules know")
        method(tree, who or YOU)
        self.scope.actor = outer

    def _each_player(self, tree: Tree, who: Players) -> None:
        outer = self.scope
        self.scope = inner = outer.inner()
        inner.hidden_choices = True
        inner.player = NamedPlayer("each")
        self.imperative(tree, NamedPlayer("each"))
        self.scope = outer
        self.scope.body.append(ForEach(tuple(inner.body), players=who))

    # ------------------------------------------------------------ plain verbs

    def verb_do(self, tree: Tree, who: Players) -> None:
        """`{do,VERB}`: the verb with its objects."""
        verb = tree.args[0]
        actor = None if who == YOU else who
        if actor is not None and actor != NamedPlayer("each"):
            self.scope.hidden_choices, before = True, self.scope.hidden_choices
        else:
            before = self.scope.hidden_choices
        if verb == "recycle" and _is_rest(tree["objs"]):
            verb = "rest to bottom"
        self.usual_zone = "hand" if verb == "discard" and actor is None else ""
        self.usual_owner = who if tree.words.startswith("sacrifice") else None
        whats = self.listed(tree["objs"])
        self.usual_zone, self.usual_owner = "", None
        for what in whats:
            self.do(verb, what=what, who=actor)
        self.scope.hidden_choices = before

    def verb_many(self, tree: Tree, who: Players) -> None:
        """ "Heal, exhaust and recall it": several verbs about one thing."""
        whats = self.listed(tree["objs"])
        for one in tree.all("simple"):
            word = "exhausted" if one.tag == "recall" and "exh" in tree else ""
            for what in whats:
                actor = who if one.tag == "control" else None
                self.do(one.tag, what=what, who=actor, word=word)

    def verb_deal(self, tree: Tree, who: Players) -> None:
        """Deal N to …"""
        first = tree["amt"].start < tree["objs"].start and self.per_tree is None
        said = self.value(tree["amt"]) if first else 0
        for what in self.listed(tree["objs"]):
            self.do("deal", what=what, amount=said if first else self.amount(tree["amt"]))
            self.dealt_to = what

    def verb_split(self, tree: Tree, who: Players) -> None:
        """Deal N split among …: divided as it is dealt (355.14)."""
        amount = self.value(tree["amt"])
        whats = self.listed(tree["objs"])
        if len(whats) != 1:
            raise self.unclear(tree, "one description of what is dealt damage")
        self.do("split", what=whats[0], amount=amount)

    def verb_deal2(self, tree: Tree, who: Players) -> None:
        """Deal N to … and M to …"""
        amounts = [tree["amt"], *tree.all("amt2")]
        places = [tree["objs"], *tree.all("objs2")]
        for amount, place in zip(amounts, places, strict=True):
            for what in self.listed(place):
                self.do("deal", what=what, amount=self.amount(amount))

    def verb_deal_same(self, tree: Tree, who: Players) -> None:
        """ "Deal 4 instead": to what the replaced instruction deals to."""
        if self.dealt_to is None:
            raise self.unclear(tree, "what it is dealt to")
        self.do("deal", what=self.dealt_to, amount=self.amount(tree["amt"]))

    def verb_draw1(self, tree: Tree, who: Players) -> None:
        """Draw a card."""
        self.do("draw", amount=self.amount(None), who=who)

    def verb_draw(self, tree: Tree, who: Players) -> None:
        """Draw N."""
        if tree.words.startswith("draw up to"):
            raise self.unclear(tree, "a number of cards")
        if tree["amt"].words == "one" and self._looked_at():
            self._draw_one_of_them(tree)
            return
        self.do("draw", amount=self.amount(tree["amt"]), who=who)

    def _looked_at(self) -> bool:
        """Cards were looked at or revealed just before."""
        last = self.scope.mentions[-1] if self.scope.mentions else None
        if last is None or last.lazy is None or not last.many:
            return False
        made = last.lazy[0][last.lazy[1]]
        return isinstance(made, Do) and made.verb in ("look top", "reveal top")

    def _draw_one_of_them(self, tree: Tree) -> None:
        """ "Draw one" of the cards looked at."""
        whole = self.meant(self.scope.mentions[-1])[0]
        selector = Selector(zone="any", among=whole)
        self.do("return", what=self.pick(Choice(self.name("p"), selector)))

    def verb_discard1(self, tree: Tree, who: Players) -> None:
        """Discard a card."""
        self.do("discard", amount=self.amount(None), who=who)
        self.result()

    def verb_discard(self, tree: Tree, who: Players) -> None:
        """Discard N."""
        self.do("discard", amount=self.amount(tree["amt"]), who=who)
        self.result(many=tree["amt"].words not in ("1", "one"))

    def verb_discard_hand(self, tree: Tree, who: Players) -> None:
        """Discard your hand."""
        self.do("discard", amount=Stat("hand", who), who=who)
        self.result(many=True)

    def verb_channel1(self, tree: Tree, who: Players) -> None:
        """Channel a rune."""
        word = "exhausted" if "exh" in tree else ""
        self.do("channel", amount=self.amount(tree.get("amt")), who=who, word=word)

    verb_channel = verb_channel1

    def verb_points(self, tree: Tree, who: Players) -> None:
        """Score N points."""
        self.do("points", amount=self.amount(tree.get("amt")), who=who)

    def verb_xp(self, tree: Tree, who: Players) -> None:
        """Gain N XP."""
        self.do("xp", amount=self.amount(tree["amt"]), who=who)

    def verb_spend_xp(self, tree: Tree, who: Players) -> None:
        """Spend N XP."""
        self.do("spend xp", amount=self.amount(tree["amt"]), who=who)

    def verb_recycle_trash(self, tree: Tree, who: Players) -> None:
        """Recycle N from your trash."""
        if "up to" in tree.words:
            raise self.unclear(tree, "a number of cards")
        self.do("recycle from trash", amount=self.number(tree["amt"]), who=who)

    def verb_predict(self, tree: Tree, who: Players) -> None:
        """Predict N."""
        self.do("predict", amount=self.amount(tree.get("amt")), who=who)

    def verb_win(self, tree: Tree, who: Players) -> None:
        """Win, lose, take an extra turn, end the turn, shuffle: just the verb."""
        self.do(tree.tag, who=who)

    verb_lose = verb_extra_turn = verb_end_turn = verb_shuffle = verb_win

    def verb_mill(self, tree: Tree, who: Players) -> None:
        """Put the top N cards of a deck into the trash."""
        self.do("mill", amount=self.number(tree["number"]), who=who)
        self.result(many=True)

    def verb_banish_top(self, tree: Tree, who: Players) -> None:
        """Banish the top card of your Main Deck."""
        amount = self.number(tree["number"]) if "number" in tree else 1
        if "opponent" in tree.args:
            who = self.scope.player = Who("opponent")
        self.do("banish top", amount=amount, who=who)
        self.result(many=amount > 1)

    def verb_reveal_top(self, tree: Tree, who: Players) -> None:
        """Reveal the top N cards."""
        amount = self.number(tree["amt"]) if "amt" in tree else 1
        self.do(tree.tag, amount=amount, who=who)
        if not isinstance(who, Who) or who.role in ("you", "opponent"):
            self.result(many=amount > 1)

    verb_look_top = verb_reveal_top

    def verb_look_hand(self, tree: Tree, who: Players) -> None:
        """Reveal a hand."""
        self.do("look hand", who=who)
        self.scope.hand_of = who

    def verb_look_hand_of(self, tree: Tree, who: Players) -> None:
        """Look at an opponent's hand."""
        whose: Players = Who("opponent")
        if "that player" in tree.words:
            whose = self.said_player(tree)
        self.do("look hand", who=whose)
        self.scope.hand_of = self.scope.player = whose

    def verb_heal(self, tree: Tree, who: Players) -> None:
        """Heal N from …"""
        for what in self.listed(tree["objs"]):
            self.do("heal", what=what, amount=self.number(tree["amt"]))

    def verb_spend_buff(self, tree: Tree, who: Players) -> None:
        """Spend its buff."""
        self.do("spend buff", what=self.whose(tree["its"]))

    def verb_spend_a_buff(self, tree: Tree, who: Players) -> None:
        """Spend a buff: of a friendly unit that has one."""
        selector = Selector(kinds=("unit",), control="friendly", states=("buffed",))
        self.do("spend buff", what=self.choose(Choice(self.name("t"), selector)))

    def verb_pay(self, tree: Tree, who: Players) -> None:
        """Pay a cost."""
        from longfuse.abilities.ability import Cost

        resources = tuple(self.resources(tree["pay_what"]))
        self.do("pay", who=who, cost=Cost(resources=resources))

    # ------------------------------------------------------------ places and control

    def verb_move(self, tree: Tree, who: Players) -> None:
        """Move …: anywhere it may go, or here, if that stands behind what moves."""
        things = tree["objs"].all("objs1")
        if here := place_behind(things[-1]):
            for what in self._without_place(tree["objs"]):
                to, to_objects = self.place(here, what)
                self.do("move", what=what, to=to, to_objects=to_objects)
            return
        for what in self.listed(tree["objs"]):
            place = Choice(
                self.name("t"), of="place", selector=Selector(place="other", place_of=what)
            )
            self.do("move", what=what, to_objects=self.choose(place))

    def _without_place(self, objs: Tree) -> list[Objects]:
        found: list[Objects] = []
        for one in objs.all("objs1"):
            np = one.get("np")
            if np is not None and place_behind(one):
                parts = [part for part in np.parts if part[1] is not np.all("post")[-1]]
                np = Tree(np.rule, np.tokens, np.start, np.end, parts, np.tag, np.args)
            found.extend(self.objects(np if np is not None else one))
        return found

    def verb_move_to(self, tree: Tree, who: Players) -> None:
        """Move … to a place."""
        dest = tree["to"]
        if "dest" in tree:
            raise self.unclear(tree["dest"], "no place it comes from")
        for what in self.listed(tree["objs"]):
            to, to_objects = self.place(dest, what)
            self.do("move", what=what, to=to, to_objects=to_objects)

    def place(self, dest: Tree, what: Objects) -> tuple[str, Objects | None]:
        """Where a destination is: a word, or a place to choose, or where something is."""
        tag = dest.tag
        if tag in ("base", "own base", "owner base", "here", "where it was"):
            word = {"own base": "your base", "owner base": "owner's base"}.get(tag, tag)
            if tag == "own base" and self.card_type != "":
                word = "your base"
            return word, None
        if tag == "bf":
            kind = dest.args[0]
            selector = Selector(kinds=("battlefield",), place=kind)
            if kind == "battlefield":
                selector = Selector(kinds=("battlefield",))
            if kind == "other":
                selector = Selector(kinds=("battlefield",), place="other", place_of=what)
            return "battlefield", self.choose(Choice(self.name("t"), selector))
        if tag == "anyplace":
            other = Selector(place="other", place_of=what)
            return "", self.choose(Choice(self.name("t"), other, of="place"))
        if tag == "with":
            return "same", self.whose(dest["its"])
        return "same", self._place_of(dest)

    def verb_recall(self, tree: Tree, who: Players) -> None:
        """Recall …"""
        word = tree["exh"].words if "exh" in tree else ""
        if word == "ready":
            raise self.unclear(tree["exh"], "exhausted")
        actor = None if who == YOU else who
        for what in self.listed(tree["objs"]):
            self.do("recall", what=what, who=actor, word=word)

    def verb_control(self, tree: Tree, who: Players) -> None:
        """Take control of …"""
        for what in self.listed(tree["objs"]):
            window = self.step_window
            if window is None:
                self.do("control", what=what, who=who)
            else:
                change = Change("controller", of=what, who=who)
                self.create(Ability(kind="passive", changes=(change,)), window)

    def verb_control_to(self, tree: Tree, who: Players) -> None:
        """Give control of … to a player."""
        for what in self.listed(tree["objs"]):
            self.do("control", what=what, who=self.player(tree["to_who"]))

    def verb_give_back(self, tree: Tree, who: Players) -> None:
        """Give … back to its owner."""
        for what in self.listed(tree["objs"]):
            self.do("control", what=what, who=OwnerOf(what))

    def verb_lose_control(self, tree: Tree, who: Players) -> None:
        """Lose control of …"""
        for what in self.listed(tree["objs"]):
            self.do("lose control", what=what, who=who)

    def verb_swap(self, tree: Tree, who: Players) -> None:
        """Swap the places of two objects."""
        found = self.listed(tree["objs"])
        if "objs2" in tree:
            found += self.listed(tree["objs2"])
        if len(found) == 1:
            found = self._split_pair(tree, found[0])
        left, right = self._two(tree, found)
        self.do("swap", what=left, to_objects=right)

    def verb_swap_them(self, tree: Tree, who: Players) -> None:
        """Swap their places: those of two things just named."""
        found = list(self.them(tree))
        if len(found) == 1:
            found = self._split_pair(tree, found[0])
        left, right = self._two(tree, found)
        self.do("swap", what=left, to_objects=right)

    def _two(self, tree: Tree, found: list[Objects]) -> tuple[Objects, Objects]:
        if len(found) == 2:
            return found[0], found[1]
        raise self.unclear(tree, "two things")

    def verb_attach(self, tree: Tree, who: Players) -> None:
        """Attach … to …"""
        what = self.listed(tree["objs"])[0]
        self.do("attach", what=what, to_objects=self.listed(tree["objs2"])[0])

    def verb_detach(self, tree: Tree, who: Players) -> None:
        """Detach an Equipment from it."""
        holder = self.refs(tree["off"])[0]
        phrase = self.phrase(tree["objs"].all("objs1")[0]["np"])
        phrase.fields.update(among=Attached(holder), zone="board")
        for what in self._chosen(phrase):
            self.do("detach", what=what)

    def verb_ready_runes(self, tree: Tree, who: Players) -> None:
        """Ready your runes, or some of them."""
        runes = Selector(kinds=("rune",), control="friendly")
        spec = tree["your_runes"]
        if spec.tag == "all":
            self.do("ready", what=Each(runes))
            return
        most = self.number(spec["amt"])
        least = 0 if "up to" in tree.words else most
        named = self.choose(Choice(self.name("t"), runes, least=least, most=most))
        self.do("ready", what=named)

    # ------------------------------------------------------------ cards and tokens

    # ------------------------------------------------------------ Might and gifts

    # ------------------------------------------------------------ "it deals …", "is banished"


def _is_rest(objs: Tree) -> bool:
    things = objs.all("objs1")
    return len(things) == 1 and "ref" in things[0] and things[0]["ref"].tag in ("rest", "other")


def place_behind(thing: Tree) -> Tree | None:
    """ "Here" or "there" at the end of what is moved: where it is moved to."""
    np = thing.get("np")
    posts = np.all("post") if np is not None else []
    if not posts or posts[-1].tag != "place":
        return None
    place = posts[-1]["place"]
    return place if place.tag in ("here", "there") else None
