"""How people tell what to do: "deal 2 to an enemy unit", "recall it exhausted".

Owns the plain English of game actions and costs.
"""

from __future__ import annotations

from longfuse.abilities.ability import Choice, Cost, Do
from longfuse.abilities.nodes import (
    Attached,
    Each,
    Linked,
    Named,
    NamedPlayer,
    Objects,
    OwnerOf,
    Players,
    Selector,
    Stat,
    This,
    Who,
)
from longfuse.rulesets.riftbound.text_say_conditions import YOU, inflected
from longfuse.rulesets.riftbound.text_say_events import SayEvents
from longfuse.rulesets.riftbound.text_say_nouns import Unsaid, count

PLAIN = frozenset({"kill", "banish", "recycle", "ready", "exhaust", "stun", "heal", "buff",
                   "counter", "reveal", "discard"})  # fmt: skip
FOR_PLAYERS = {
    "draw": "draw", "discard": "discard", "xp": "gain", "spend xp": "spend", "points": "score",
    "predict": "predict", "channel": "channel", "mill": "put", "win": "win the game",
    "lose": "lose the game", "shuffle": "shuffle your deck", "end turn": "end the turn",
    "extra turn": "take an extra turn after this one", "look hand": "reveal",
}  # fmt: skip
DESTINATIONS = {"base": "its base", "your base": "your base", "owner's base": "its owner's base",
                "here": "here", "where it was": "where it was"}  # fmt: skip
CHOSEN_PLACES = {
    "": "a battlefield", "battlefield": "a battlefield", "other": "another battlefield",
    "controlled battlefield": "a battlefield you control",
    "open battlefield": "an open battlefield",
    "enemy battlefield": "a battlefield an opponent controls",
}  # fmt: skip
DOMAINS = ("fury", "calm", "mind", "body", "chaos", "order")


class SayVerbs(SayEvents):
    """Game actions and costs in words."""

    from_trash = False
    looked: frozenset[str] = frozenset()

    def do(self, what: Do) -> str:
        """A game action, as somebody is told to do it."""
        method = getattr(self, "_do_" + what.verb.replace(" ", "_"), None)
        if method is not None:
            return str(method(what))
        if what.verb in PLAIN and what.what is not None:
            self._only(what, "what", "who")
            if what.who is not None and what.who != YOU and self._chosen_by(what.who):
                actor = self.player(what.who, subject=True)
                self.who = what.who
                return f"{actor} {inflected(what.verb, actor)} {self.target(what.what)}"
            if what.verb == "ready" and (runes := self._own_runes(what.what)):
                return runes
            return self._acted(what.who, f"{what.verb} {self.target(what.what)}")
        raise Unsaid(what.verb)

    def _only(self, what: Do, *fields: str) -> None:
        kept = {name: getattr(what, name) for name in (*fields, "name")}
        if what != Do(what.verb, **kept):
            raise Unsaid(what.verb)

    def _acted(self, who: Players | None, words: str) -> str:
        if who is None or who in (YOU, NamedPlayer("each")):
            return words
        actor = self.player(who, subject=True)
        self.who = who
        verb, _, rest = words.partition(" ")
        return f"{actor} {inflected(verb, actor)} {rest}".strip()

    # ------------------------------------------------------------ to objects

    def _do_deal(self, what: Do) -> str:
        self._only(what, "what", "amount", "by")
        if what.what is None or what.amount is None:
            raise Unsaid("unfit")
        if what.by is not None:
            by = self.target(what.by)
            if what.amount == Stat("might", what.by):
                verb = inflected("deal", by)
                return f"{by} {verb} damage equal to its Might to {self.target(what.what)}"
            return f"{by} {inflected('deal', by)} {what.amount} to {self.target(what.what)}"
        number, each = self.counted(what.amount)
        if number is not None:
            return f"deal {number} to {self.target(what.what)}{each}"
        amount = self.amount(what.amount)
        if amount == "that much":
            return f"deal that much to {self.target(what.what)}"
        return f"deal damage equal to {amount} to {self.target(what.what)}"

    def _do_heal(self, what: Do) -> str:
        self._only(what, "what", "amount")
        if what.what is None:
            raise Unsaid("unfit")
        if what.amount is None:
            return f"heal {self.target(what.what)}"
        return f"heal {self.amount(what.amount)} from {self.target(what.what)}"

    def _chosen_by(self, who: Players) -> bool:
        return bool(self.pending) and self.pending[0].who == who

    def _own_runes(self, what: Objects) -> str:
        """ "Ready up to two of your runes"."""
        own = Selector(kinds=("rune",), control="friendly")
        if what == Each(own):
            return "ready your runes"
        choice = self.pending[0] if self.pending else None
        if choice is None or what != Named(choice.name) or choice.selector != own:
            return ""
        self.pending.pop(0)
        if not isinstance(choice.most, int) or choice.least not in (0, choice.most):
            raise Unsaid("runes")
        return f"ready {'' if choice.least else 'up to '}{count(choice.most)} of your runes"

    def _hand(self, what: Objects) -> str:
        if isinstance(what, This) and "this" not in self.names:
            return "my owner's hand" if self.speaks else "its owner's hand"
        return "their owners' hands" if isinstance(what, Each | Linked) else "its owner's hand"

    def _do_return(self, what: Do) -> str:
        self._only(what, "what", "who")
        if what.what is None:
            raise Unsaid("unfit")
        choice = next((one for one in self.pending[:1] if Named(one.name) == what.what), None)
        selector = choice.selector if choice is not None else None
        target = self.target(what.what)
        if self.from_trash and isinstance(what.what, This):
            target, hand = f"{target} from your trash", "your hand"
        elif selector is not None and selector.zone == "trash" and selector.owner == "friendly":
            hand = "your hand"
        elif self._looked_at(what.what, selector):
            return self._acted(what.who, f"put {target} into your hand")
        else:
            hand = self._hand(what.what)
        return self._acted(what.who, f"return {target} to {hand}")

    def _looked_at(self, what: Objects, selector: Selector | None) -> bool:
        """Whether it is a card looked at or revealed from a deck."""
        named = what
        if selector is not None and selector.among is not None:
            named = selector.among
        return isinstance(named, Named) and named.name in self.looked

    def _do_trash(self, what: Do) -> str:
        self._only(what, "what")
        if what.what is None:
            raise Unsaid("unfit")
        return f"put {self.target(what.what)} into its owner's trash"

    def _do_put_on_top(self, what: Do) -> str:
        self._only(what, "what")
        if what.what is None:
            raise Unsaid("unfit")
        return f"put {self.target(what.what)} on top of its owner's Main Deck"

    def _do_recall(self, what: Do) -> str:
        self._only(what, "what", "word", "who")
        if what.what is None:
            raise Unsaid("unfit")
        exhausted = " exhausted" if what.word == "exhausted" else ""
        return self._acted(what.who, f"recall {self.target(what.what)}{exhausted}")

    def _do_control(self, what: Do) -> str:
        self._only(what, "what", "who")
        if what.what is None or what.who is None:
            raise Unsaid("unfit")
        if what.who == OwnerOf(what.what):
            return f"return control of {self.target(what.what)} to its owner"
        return self._acted(what.who, f"take control of {self.target(what.what)}")

    def _do_lose_control(self, what: Do) -> str:
        self._only(what, "what", "who")
        if what.what is None:
            raise Unsaid("unfit")
        return self._acted(what.who, f"lose control of {self.target(what.what)}")

    def _do_spend_buff(self, what: Do) -> str:
        self._only(what, "what")
        if what.what is None:
            raise Unsaid("unfit")
        buffed = Selector(kinds=("unit",), control="friendly", states=("buffed",))
        named = what.what.name if isinstance(what.what, Named) else ""
        if self.pending and self.pending[0] == Choice(named, buffed):
            self.pending.pop(0)
            return "spend a buff"
        return f"spend {self.whose(what.what)} buff"

    def _do_move(self, what: Do) -> str:
        self._only(what, "what", "to", "to_objects")
        if what.what is None:
            raise Unsaid("unfit")
        said = f"move {self.target(what.what)}"
        if what.to in DESTINATIONS and what.to_objects is None:
            where = DESTINATIONS[what.to]
            if isinstance(what.what, Each) and what.to == "base":
                where = "their bases"
            return f"{said} {'' if what.to == 'here' else 'to '}{where}"
        if what.to == "same" and what.to_objects is not None:
            return f"{said} to {self.whose(what.to_objects)} location"
        return said + self._chosen_place(what)

    def _chosen_place(self, what: Do) -> str:
        place = self.pending[0] if self.pending else None
        if place is None or what.to_objects != Named(place.name) or place.selector is None:
            raise Unsaid("where to")
        self.pending.pop(0)
        anywhere = place.of == "place" and what.to == "" and what.what is not None
        if anywhere and place.selector == Selector(place="other", place_of=what.what):
            return ""
        kind = place.selector.place
        beside = what.what if kind == "other" else None
        wanted = Selector(kinds=("battlefield",), place=kind, place_of=beside)
        if place.selector != wanted or kind not in CHOSEN_PLACES or what.to != "battlefield":
            raise Unsaid("where to")
        return f" to {CHOSEN_PLACES[kind]}"

    def _do_swap(self, what: Do) -> str:
        self._only(what, "what", "to_objects")
        if what.what is None or what.to_objects is None:
            raise Unsaid("unfit")
        return f"swap {self.target(what.what)} with {self.target(what.to_objects)}"

    def _do_attach(self, what: Do) -> str:
        self._only(what, "what", "to_objects")
        if what.what is None or what.to_objects is None:
            raise Unsaid("unfit")
        return f"attach {self.target(what.what)} to {self.target(what.to_objects)}"

    def _do_detach(self, what: Do) -> str:
        self._only(what, "what")
        choice = self.pending[0] if self.pending else None
        if choice is not None and what.what == Named(choice.name) and choice.selector is not None:
            selector = choice.selector
            if isinstance(selector.among, Attached):
                import msgspec

                plain = msgspec.structs.replace(selector, among=None)
                self.pending.pop(0)
                return f"detach {self.a(plain)} from {self.ref(selector.among.of)}"
        if what.what is None:
            raise Unsaid("unfit")
        return f"detach {self.target(what.what)}"

    def _do_fight(self, what: Do) -> str:
        self._only(what, "what", "to_objects")
        if what.what is None or what.to_objects is None:
            raise Unsaid("unfit")
        pair = tuple(one.ref for one in self.said if not one.many)[-2:]
        if what.what == This() and self._is_latest(what.to_objects):
            return "we deal damage equal to our Mights to each other"
        if pair != (what.what, what.to_objects):
            raise Unsaid("they")
        return "they deal damage equal to their Mights to each other"

    # ------------------------------------------------------------ cards

    def _do_play(self, what: Do) -> str:
        self._only(what, "what", "who", "to", "word", "amount")
        if what.what is None:
            raise Unsaid("unfit")
        said = f"play {self.target(what.what)}"
        if self.from_trash and isinstance(what.what, This):
            said += " from your trash"
        if what.to:
            if what.to not in DESTINATIONS:
                raise Unsaid(what.to)
            said += f" {'' if what.to == 'here' else 'to '}{DESTINATIONS[what.to]}"
        freely = self.freely(what.word, what.amount if isinstance(what.amount, int) else None)
        if isinstance(what.what, Linked | Each):
            freely = freely.replace("its cost", "their costs")
        said += freely
        return self._acted(what.who, said)

    @staticmethod
    def freely(word: str, amount: int | None = None) -> str:
        """ "Ignoring its cost" and its kin, with the comma before."""
        if word == "reduced" and amount is not None:
            return f", reducing its cost by {amount}"
        words = {"": "", "free": ", ignoring its cost", "free energy": ", ignoring its Energy cost"}
        if word not in words:
            raise Unsaid(word)
        return words[word]

    def _do_then_recycle(self, what: Do) -> str:
        self._only(what, "what")
        return "then recycle it"

    def _do_then_banish(self, what: Do) -> str:
        self._only(what, "what")
        return "then banish it"

    def _do_rest_to_bottom(self, what: Do) -> str:
        self._only(what, "what")
        return "recycle the rest"

    def _do_copy_item(self, what: Do) -> str:
        raise Unsaid(what.verb)

    def _do_choose_new_targets(self, what: Do) -> str:
        self._only(what, "what", "who")
        if what.who not in (None, YOU) or what.what is None:
            raise Unsaid(what.verb)
        return f"choose new targets for {self.target(what.what)}"

    def _do_token(self, what: Do) -> str:
        self._only(what, "amount", "who", "to", "word")
        name, _, rest = what.word.partition(": ")
        words = rest.split(", ") if rest else []
        gear = "gear" in words
        might = next((one.split()[1] for one in words if one.startswith("might ")), "")
        ready = next((one for one in words if one in ("ready", "exhausted")), "")
        keys = [one for one in words if one not in ("gear", ready) and not one.startswith("might")]
        many = what.amount != 1
        if not isinstance(what.amount, int):
            raise Unsaid("how many tokens")
        head = [count(what.amount) if many else "an" if ready == "exhausted" else "a", ready]
        head += [f"{might} Might" if might else "", name, "gear" if gear else "unit"]
        if not gear and not might:
            head.pop()
        said = " ".join(word for word in head if word) + (" tokens" if many else " token")
        if keys:
            said += " with " + " and ".join(f"[{one}]" for one in keys)
        where = {"": "", "here": " here", "base": " to your base"}.get(what.to)
        if where is None:
            raise Unsaid(what.to)
        return self._acted(what.who, f"play {said}{where}")

    # ------------------------------------------------------------ by players

    def _player_does(self, what: Do, words: str) -> str:
        return self._acted(what.who, words)

    def _do_draw(self, what: Do) -> str:
        self._only(what, "amount", "who")
        return self._player_does(what, self._number_of("draw", what))

    def _number_of(self, verb: str, what: Do, unit: str = "") -> str:
        if what.amount is None:
            raise Unsaid("unfit")
        number, each = self.counted(what.amount)
        if number is not None:
            return f"{verb} {number}{unit}{each}"
        amount = self.amount(what.amount)
        if verb == "draw":
            return f"draw cards equal to {amount}" if amount != "that much" else "draw that many"
        raise Unsaid("how many")

    def _do_discard(self, what: Do) -> str:
        if what.what is not None:
            self._only(what, "what", "who")
            return self._acted(what.who, f"discard {self._from_hand(what.what)}")
        self._only(what, "amount", "who")
        if what.amount == Stat("hand", what.who or YOU):
            whose = "your" if what.who in (None, YOU) else "their"
            return self._player_does(what, f"discard {whose} hand")
        return self._player_does(what, self._number_of("discard", what))

    def _from_hand(self, what: Objects) -> str:
        return self.target(what)

    def _do_channel(self, what: Do) -> str:
        self._only(what, "amount", "who", "word")
        exhausted = " exhausted" if what.word == "exhausted" else ""
        runes = " rune" if what.amount == 1 else " runes"
        return self._player_does(what, self._number_of("channel", what, runes) + exhausted)

    def _do_points(self, what: Do) -> str:
        self._only(what, "amount", "who")
        unit = " point" if what.amount == 1 else " points"
        return self._player_does(what, self._number_of("score", what, unit))

    def _do_xp(self, what: Do) -> str:
        self._only(what, "amount", "who")
        return self._player_does(what, self._number_of("gain", what, " XP"))

    def _do_spend_xp(self, what: Do) -> str:
        self._only(what, "amount", "who")
        return self._player_does(what, self._number_of("spend", what, " XP"))

    def _do_predict(self, what: Do) -> str:
        self._only(what, "amount", "who")
        number = "" if what.amount == 1 else f" {self.amount(what.amount or 0)}"
        return self._player_does(what, f"predict{number}")

    def _do_add(self, what: Do) -> str:
        self._only(what, "amount", "who", "word")
        return self._player_does(what, f"add {self.resource(what.word, what.amount)}")

    @staticmethod
    def resource(word: str, amount: object) -> str:
        """Energy or Power."""
        if word == "energy":
            return f"{amount} Energy"
        if word in DOMAINS:
            return f"{amount} {word}"
        return f"{amount} Power of any type" if word == "any" else f"{amount} {word}"

    def _do_win(self, what: Do) -> str:
        self._only(what, "who")
        return self._player_does(what, FOR_PLAYERS[what.verb])

    _do_lose = _do_shuffle = _do_end_turn = _do_extra_turn = _do_win

    def _do_look_hand(self, what: Do) -> str:
        self._only(what, "who")
        if what.who == Who("opponent"):
            self.who = what.who
            return "look at an opponent's hand"
        return self._player_does(what, f"reveal {'your' if what.who == YOU else 'their'} hand")

    def _top_cards(self, verb: str, what: Do) -> str:
        self._only(what, "amount", "who")
        your = "your" if what.who in (None, YOU) else "their"
        number = "card" if what.amount == 1 else f"{count(int(str(what.amount)))} cards"
        return self._player_does(what, f"{verb} the top {number} of {your} Main Deck")

    def _do_look_top(self, what: Do) -> str:
        return self._top_cards("look at", what)

    def _do_reveal_top(self, what: Do) -> str:
        return self._top_cards("reveal", what)

    def _do_banish_top(self, what: Do) -> str:
        if what.who == Who("opponent"):
            self._only(what, "amount", "who")
            if what.amount != 1:
                raise Unsaid("more than one")
            self.who = what.who
            return "banish the top card of an opponent's Main Deck"
        return self._top_cards("banish", what)

    def _do_mill(self, what: Do) -> str:
        self._only(what, "amount", "who")
        your = "your" if what.who in (None, YOU) else "their"
        words = f"put the top {count(int(str(what.amount)))} cards of {your} Main Deck into {your}"
        return self._player_does(what, f"{words} trash")

    def _do_recycle_from_trash(self, what: Do) -> str:
        self._only(what, "amount", "who")
        your = "your" if what.who in (None, YOU) else "their"
        return self._player_does(what, f"recycle {self.amount(what.amount or 0)} from {your} trash")

    def _do_pay(self, what: Do) -> str:
        self._only(what, "cost", "who")
        if what.cost is None:
            raise Unsaid("unfit")
        return self._player_does(what, self.cost(what.cost))

    # ------------------------------------------------------------ costs

    def cost(self, what: Cost, short: bool = False) -> str:
        """A cost: "pay 1 Energy and 1 fury", "kill a friendly unit"."""
        parts: list[str] = []
        paid = [self.resource(word, amount) for word, amount in what.resources]
        if paid:
            any_type = short and len(paid) == 1 and what.resources[0][0] == "any"
            parts.append(", ".join(paid) if short and not any_type else f"pay {' and '.join(paid)}")
        before = self.pending
        self.pending = list(what.choices)
        for action in what.actions:
            if not isinstance(action, Do):
                raise Unsaid("a cost")
            if short and action == Do("exhaust", what=This()):
                parts.append("[Exhaust]")
            else:
                parts.append(self.do(action))
        if self.pending:
            raise Unsaid("a choice of a cost")
        self.pending = before
        if not parts:
            raise Unsaid("no cost")
        return ", ".join(parts) if short else " and ".join(parts)
