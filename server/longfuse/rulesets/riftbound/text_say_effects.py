"""How people tell what becomes of it: sentences, steps, delayed abilities, gifts.

Owns the plain English of programs, and of the abilities that they make (392).
"""

from __future__ import annotations

import msgspec

from longfuse.abilities.ability import (
    Ability,
    Choice,
    Choose,
    Create,
    Do,
    Effect,
    ForEach,
    If,
    May,
    Modes,
    Program,
    Remember,
    Rewrite,
    Then,
)
from longfuse.abilities.nodes import (
    Arithmetic,
    At,
    Did,
    Each,
    Named,
    NamedAmount,
    NamedPlayer,
    Not,
    Objects,
    When,
    Who,
)
from longfuse.abilities.watching import walk
from longfuse.rulesets.riftbound import text_formal as formal
from longfuse.rulesets.riftbound.text_say_conditions import YOU, inflected
from longfuse.rulesets.riftbound.text_say_gifts import SayGifts
from longfuse.rulesets.riftbound.text_say_nouns import Unsaid, capital

RESULTS = {"banish top": "card", "reveal top": "card", "look top": "card", "token": "unit",
           "discard": "card", "mill": "card"}  # fmt: skip


class SayEffects(SayGifts):
    """Programs and delayed abilities in words."""

    # ------------------------------------------------------------ sentences

    def program(self, what: Program) -> str:
        """A program as sentences."""
        if modes := self._only_modes(what):
            return self.modes(modes)
        self.pending += list(what.choices)
        return self.sentences(what.body)

    def sentences(self, body: tuple[Effect, ...]) -> str:
        """One sentence after another; a choice that is spoken of later comes first."""
        found: list[str] = []
        rest = list(body)
        while rest:
            one = rest.pop(0)
            if isinstance(one, Choose):
                self.pending.append(one.choice)
                continue
            unless = self._unless(one, rest)
            if unless is None:
                found += self._asked_before(one)
                found.append(self._sentence(one))
                self._said_result(one)
            else:
                found += self._asked_before(unless[1])
                found.append(unless[0]())
                rest.pop(0)
            while rest and isinstance(then := rest[0], Do) and then.verb.startswith("then "):
                rest.pop(0)
                found[-1] = f"{found[-1][:-1]}, {self.do(then)}."
        found += self._ask_all()
        return " ".join(found)

    def _sentence(self, one: Effect) -> str:
        said, pending = list(self.said), list(self.pending)
        try:
            return capital(self.effect(one)) + "."
        except Unsaid:
            if self.names:
                raise
            self.said, self.pending = said, pending
            asked = self._ask_all()
            return " ".join([*asked, self.formally(formal.effect(one))])

    def _asked_before(self, one: Effect) -> list[str]:
        """The choices that this instruction speaks of, unless it can make them itself."""
        if not self.pending:
            return []
        names = self._names_in(one)
        needed = [at for at, choice in enumerate(self.pending) if choice.name in names]
        if not needed:
            return []
        asked: list[str] = []
        makes = self._makes(one) if self.inline else ()
        while self.pending and any(choice.name in names for choice in self.pending):
            first = self.pending[0]
            if Named(first.name) in makes:
                break
            asked.append(self._ask(self.pending.pop(0)))
        return asked

    def _makes(self, one: Effect) -> tuple[Objects, ...]:
        """What an instruction can choose while it is told."""
        if isinstance(one, Do):
            said = (one.by, one.what, one.to_objects)
            return tuple(first for first in said if isinstance(first, Named))
        if isinstance(one, Create) and one.ability.kind == "passive" and one.ability.changes:
            of = one.ability.changes[0].of
            return (of,) if isinstance(of, Named) and self.is_given(one.ability) else ()
        if isinstance(one, If | May):
            inner = one.then if isinstance(one, If) else one.body
            return self._makes(inner[0]) if inner and not self._speaks_in_front(one) else ()
        return ()

    def _speaks_in_front(self, one: If | May) -> bool:
        if isinstance(one, If):
            names = self._names_in(one.condition)
            return any(choice.name in names for choice in self.pending)
        return False

    @staticmethod
    def _names_in(what: object) -> set[str]:
        found = set()
        for node in walk(what):
            if isinstance(node, Named | NamedPlayer | NamedAmount):
                found.add(node.name)
        return found

    def _ask(self, choice: Choice) -> str:
        if (
            choice.of == "player"
            and choice.selector is None
            and choice == Choice(choice.name, of="player")
        ):
            self.who = NamedPlayer(choice.name)
            return "Choose a player."
        if self.explicit:
            self.mention(
                Named(choice.name), choice.selector.kinds if choice.selector else ("card",)
            )
            return self.formally(f"Choose {formal.choice(choice)}.")
        return f"Choose {self.choice(choice)}."

    def _ask_all(self) -> list[str]:
        asked = [self._ask(one) for one in self.pending]
        self.pending = []
        return asked

    def _said_result(self, one: Effect) -> None:
        """What an instruction made may be called "it" afterwards."""
        if isinstance(one, Do) and one.name and one.verb in ("look top", "reveal top"):
            self.looked |= {one.name}
        if isinstance(one, Do) and one.name and one.verb in RESULTS:
            many = isinstance(one.amount, int) and one.amount > 1
            self.mention(Named(one.name), (RESULTS[one.verb],), many=many)
        elif isinstance(one, May) and one.body:
            self._said_result(one.body[-1])

    # ------------------------------------------------------------ one instruction

    def effect(self, one: Effect) -> str:
        """One instruction without its full stop."""
        if isinstance(one, Do):
            return self.do(one)
        if isinstance(one, Create):
            return self.created(one.ability)
        if isinstance(one, Remember) and one.name == "link":
            return f"remember {self.ref(one.objects)}"
        if isinstance(one, If):
            return self._if(one)
        if isinstance(one, May):
            return self._may(one)
        if isinstance(one, ForEach):
            return self._for_each(one)
        if isinstance(one, Then):
            with self.child():
                return f"do this: {self._one_sentence(one.program)}"
        if isinstance(one, Modes):
            return self._either(one)
        raise Unsaid(type(one).__name__)

    def _one_sentence(self, program: Program) -> str:
        self.pending += list(program.choices)
        return self.steps(program.body)

    def steps(self, body: tuple[Effect, ...]) -> str:
        """Several instructions in one sentence: "heal it, exhaust it and recall it"."""
        said: list[str] = []
        for one in body:
            if isinstance(one, Choose):
                self.pending.append(one.choice)
                continue
            alone = not isinstance(one, Do) and not self._is_gift(one)
            if len(body) > 1 and alone and (one is not body[-1] or not isinstance(one, May)):
                raise Unsaid("in one sentence")
            if isinstance(one, Do) and one.verb.startswith("then ") and said:
                said[-1] += f", {self.do(one)}"
                continue
            if self.pending and not self._ready_to_say(one):
                raise Unsaid("a choice before")
            said.append(self.effect(one))
            self._said_result(one)
        if not said:
            raise Unsaid("nothing to do")
        if len(said) == 1:
            return said[0]
        return f"{', '.join(said[:-1])} and {said[-1]}"

    def _ready_to_say(self, one: Effect) -> bool:
        names = self._names_in(one)
        if not any(choice.name in names for choice in self.pending):
            return True
        makes = self._makes(one)
        return Named(self.pending[0].name) in makes

    @staticmethod
    def _is_gift(one: Effect) -> bool:
        return isinstance(one, Create) and one.ability.kind == "passive"

    def _if(self, one: If) -> str:
        """If …, …. Otherwise, …."""
        text = f"if {self.condition(one.condition)}, {self.steps(one.then)}"
        if one.otherwise:
            text += f". Otherwise, {self.steps(one.otherwise)}"
        return text

    def _may(self, one: May) -> str:
        who = "you" if one.who is None else self.player(one.who, subject=True)
        if one.who is not None:
            self.who = one.who
        if one.cost is not None and not one.body:
            text = f"{who} may {self.cost(one.cost)}"
        elif one.cost is not None:
            text = f"{who} may {self.cost(one.cost)} to {self._as_imperative(one)}"
        else:
            text = f"{who} may {self._as_imperative(one)}"
        if one.otherwise:
            text += f". Otherwise, {self.steps(one.otherwise)}"
        return text

    def _as_imperative(self, one: May) -> str:
        """What a player may do, told to that player."""
        if one.who is None:
            return self.steps(one.body)
        body = tuple(
            msgspec.structs.replace(step, who=YOU)
            if isinstance(step, Do) and step.who == one.who
            else step
            for step in one.body
        )
        return self.steps(body)

    def _unless(self, one: Effect, rest: list[Effect]):  # type: ignore[no-untyped-def]
        """ "… unless its controller pays 2": the payment and what it avoids, told together."""
        if not isinstance(one, May) or one.who is None or not rest:
            return None
        after = rest[0]
        if not isinstance(after, If) or after.condition != Not(Did(one.name)) or after.otherwise:
            return None
        who, avoided = one.who, self._avoided(one)
        if not avoided:
            return None

        def told() -> str:
            said = self.steps(after.then)
            return f"{capital(said)} unless {self.player(who)} {avoided}."

        inner = after.then[0] if len(after.then) == 1 else after
        return told, inner

    def _avoided(self, one: May) -> str:
        """What a player may do so that something does not happen."""
        if one.cost is not None:
            if one.body or one.cost.actions or one.cost.choices:
                return ""
            paid = [self.resource(word, number) for word, number in one.cost.resources]
            return f"pays {' and '.join(paid)}"
        only = one.body[0] if len(one.body) == 1 else None
        if not isinstance(only, Do) or not isinstance(only.amount, int):
            return ""
        if only == Do("discard", amount=only.amount, who=one.who):
            return f"discards {only.amount}"
        return (
            f"has you draw {only.amount}" if only == Do("draw", amount=only.amount, who=YOU) else ""
        )

    def _for_each(self, one: ForEach) -> str:
        if one.players is not None and isinstance(one.players, Who):
            return self._each_player(one, one.players)
        if isinstance(one.objects, Each):
            each = self.described(one.objects.selector)
            with self.child():
                self.mention(Named("each"), one.objects.selector.kinds)
                return f"for each {each}, {self.steps(one.body)}"
        raise Unsaid("for each")

    def _each_player(self, one: ForEach, players: Who) -> str:
        who = self.player(players)
        with self.child():
            self.who = NamedPlayer("each")
            body = one.body
            if len(body) == 1 and isinstance(body[0], May) and body[0].who == NamedPlayer("each"):
                inner = msgspec.structs.replace(body[0], who=None)
                return f"{who} may {self._as_imperative(inner)}"
            said = self.steps(one.body)
            verb, _, tail = said.partition(" ")
            return f"{who} {inflected(verb, who)} {tail}".strip()

    # ------------------------------------------------------------ modes

    @staticmethod
    def _only_modes(what: Program) -> Modes | None:
        only = what.body[0] if len(what.body) == 1 and not what.choices else None
        return only if isinstance(only, Modes) and only.options[0][0][:1].isupper() else None

    def modes(self, what: Modes) -> str:
        """ "Choose one — • Draw 1. • Kill a unit."."""
        if (what.least, what.most) not in ((1, 1), (2, 2)):
            raise Unsaid("modes")
        number = "one" if what.most == 1 else "two"
        return f"Choose {number} — " + " ".join(f"• {label}" for label, _ in what.options)

    def _either(self, one: Modes) -> str:
        if (one.least, one.most) != (1, 1) or len(one.options) != 2:
            raise Unsaid("modes")
        return " or ".join(label for label, _ in one.options)

    # ------------------------------------------------------------ delayed abilities

    def created(self, ability: Ability) -> str:
        """A delayed ability as a sentence."""
        if ability.kind == "passive":
            return self.gift(ability)
        if ability.kind not in ("triggered", "replacement"):
            raise Unsaid(ability.kind)
        if ability.kind == "replacement" and (said := self.statement_of(ability)):
            return said
        with self.child():
            front, window = self._window_in_front(ability)
            if isinstance(ability.when, At):
                head = self.moment(ability.when)
                self.who = ability.when.whose or Who("turn player")
            else:
                if not isinstance(ability.when, When):
                    raise Unsaid("unfit")
                would = ability.kind == "replacement"
                if ability.points:
                    raise Unsaid("points")
                head = self.how_often(ability.when, ability.uses, window, would=would)
            return f"{front}{head}, {self.does(ability)}"

    def _window_in_front(self, ability: Ability) -> tuple[str, str]:
        """The window: before the event, behind it, or nowhere, where it goes without saying."""
        window = ability.window
        if window is None or isinstance(ability.when, At):
            if isinstance(ability.when, At) and ability.when.turn == "each" and window is not None:
                return f"{self.window(window)}, ", ""
            return "", ""
        if window.how == "while in zone" and not window.zone:
            return "", ""
        if window.how == "game" and ability.uses:
            return "", ""
        if window.how in ("this turn", "this combat"):
            return "", self.window(window)
        return f"{self.window(window)}, ", ""

    def does(self, ability: Ability) -> str:
        """What a triggered or replacement ability does, with its conditions and options."""
        text = ""
        if ability.condition is not None:
            text = f"if {self.condition(ability.condition)}, "
        if ability.kind == "triggered":
            return text + self._optional(ability, self.steps)
        if ability.rewrite is None:
            raise Unsaid("unfit")
        if ability.rewrite == Rewrite("instead"):
            if (done := self._if_done(ability)) is not None:
                return text + done
            return text + self._optional(ability, self.steps) + " instead"
        if ability.rewrite == Rewrite("also"):
            return text + self._optional(ability, self.steps)
        if ability.program != Program() or text:
            raise Unsaid("a program")
        said = self.outcome(ability.rewrite)
        if ability.optional:
            paid = f"{self.cost(ability.cost)} to " if ability.cost is not None else ""
            return f"you may {paid}{said}"
        return said

    def _if_done(self, ability: Ability) -> str | None:
        """ "You may discard a card. If you do, recall it instead"."""
        body = ability.program.body
        if not ability.optional or len(body) != 2 or ability.cost is not None:
            return None
        first, then = body
        if not isinstance(first, Do) or then != If(Did(first.name), getattr(then, "then", ())):
            return None
        self.pending += list(ability.program.choices)
        return f"you may {self.do(first)}. If you do, {self.steps(then.then)} instead"

    def _optional(self, ability: Ability, say) -> str:  # type: ignore[no-untyped-def]
        self.pending += list(ability.program.choices)
        if not ability.optional:
            if ability.cost is not None:
                raise Unsaid("a cost")
            return str(say(ability.program.body))
        paid = f"{self.cost(ability.cost)} to " if ability.cost is not None else ""
        return f"you may {paid}{say(ability.program.body)}"

    @staticmethod
    def outcome(what: Rewrite) -> str:
        """How damage, or entering, is changed."""
        amount = what.amount
        much = NamedAmount("event.amount")
        if what.facts and what.how == "change" and amount is None and len(what.facts) == 1:
            return f"it enters {'exhausted' if what.facts[0][1] else 'ready'} instead"
        if what.facts:
            raise Unsaid("facts")
        if what.how == "prevent":
            if amount is None:
                return "prevent that damage"
            if isinstance(amount, int):
                return f"prevent {amount} of that damage"
            if amount == Arithmetic("half up", much):
                return "prevent half of that damage, rounded up"
            if amount == Arithmetic("half down", much):
                return "prevent half of that damage"
        if what == Rewrite("times", 2):
            return "double that damage instead"
        if what.how == "plus" and isinstance(amount, int) and amount > 0:
            return f"increase that damage by {amount}"
        raise Unsaid(what.how)
