"""How people speak of amounts and conditions: "that much", "if you control another unit".

Owns the plain English of numbers and of everything behind "if" and "while".
"""

from __future__ import annotations

import msgspec

from longfuse.abilities.nodes import (
    AllOf,
    Amount,
    AnyOf,
    Arithmetic,
    Compare,
    Condition,
    Count,
    Did,
    Exists,
    Matches,
    Named,
    NamedAmount,
    Not,
    Objects,
    Paid,
    Selector,
    Stat,
    State,
    Tally,
    This,
    TurnOf,
    When,
    Who,
)
from longfuse.rulesets.riftbound import text_formal_words as formal
from longfuse.rulesets.riftbound.text_say_nouns import SayNouns, Unsaid, count

YOU = Who("you")
PAST = {
    "discarded": "discarded", "conquered": "conquered", "held": "held", "drew": "drawn a card",
    "killed": "killed", "unit died": "killed", "stunned": "stunned", "buffed": "buffed",
    "combat won": "won a combat", "buff spent": "spent a buff", "hidden": "hidden a card",
    "chosen": "chosen", "moved": "moved", "xp gained": "gained XP", "recycled": "recycled",
    "card finalized": "played",
}  # fmt: skip
FIGHTING = ("attacking", "defending")


def inflected(verb: str, subject: str) -> str:
    """The verb for its subject: "is stunned", "am stunned", "takes damage"."""
    first, _, rest = verb.partition(" ")
    plural = subject in ("you", "they", "we", "opponents") or subject.endswith(" units")
    if first == "be":
        first = "am" if subject == "I" else "are" if plural else "is"
    elif subject != "I" and not plural:
        if first == "have":
            first = "has"
        elif first.endswith(("s", "sh", "ch")):
            first += "es"
        else:
            first = f"{first[:-1]}ies" if first == "ready" else f"{first}s"
    return f"{first} {rest}".strip()


class SayConditions(SayNouns):
    """Amounts and conditions in words."""

    # ------------------------------------------------------------ amounts

    def amount(self, value: Amount) -> str:
        """An amount."""
        if isinstance(value, int):
            return str(value) if value >= 0 else self.formally(formal.amount(value))
        if value == NamedAmount("event.amount"):
            return "that much"
        if isinstance(value, Stat):
            if value == Stat("points", YOU):
                return "your points"
            if value == Stat("hand", YOU):
                return "the number of cards in your hand"
            if value.stat in ("might", "energy") and isinstance(value.of, This | Named):
                word = "Might" if value.stat == "might" else "Energy cost"
                return f"{self.whose(value.of)} {word}"
        if isinstance(value, Count):
            return f"the number of {self.all_of(value.selector)}"
        if isinstance(value, Arithmetic):
            left = value.left
            if value.operation == "times" and value.right == 2:
                return f"twice {self.amount(left)}"
            if value.operation in ("half up", "half down"):
                ending = ", rounded up" if value.operation == "half up" else ""
                return f"half of {self.amount(left)}{ending}"
            if value.operation in ("plus", "minus") and isinstance(value.right, int):
                return f"{self.amount(left)} {value.operation} {value.right}"
        return self.formally(formal.amount(value))

    def counted(self, value: Amount | None) -> tuple[int | None, str]:
        """N "for each …"; None: it is no such amount."""
        if isinstance(value, int):
            return value, ""
        number = 1
        of: Amount | None = value
        if isinstance(value, Arithmetic) and value.operation == "times":
            if not isinstance(value.right, int):
                return None, ""
            number, of = value.right, value.left
        if isinstance(of, Count):
            if of.selector == Selector(zone="any", among=of.selector.among) and of.selector.among:
                return number, f" for each of {self.ref(of.selector.among)}"
            selector, other = self._other(of.selector)
            return number, f" for each {'other ' if other else ''}{self.described(selector)}"
        if of == Stat("points", YOU):
            return number, " for each point you have"
        if isinstance(of, Tally) and of.window == "this turn":
            return number, self._tallied(of)
        return None, ""

    def _tallied(self, of: Tally) -> str:
        played = When("card finalized", subject=Selector(zone="any"), player=YOU)
        if of.when == played:
            return " for each card you've played this turn"
        subject = of.when.subject
        if of.when == When("unit died", subject=subject) and isinstance(subject, Selector):
            return f" for each {self.described(subject, event=True)} that died this turn"
        raise Unsaid("a tally")

    # ------------------------------------------------------------ conditions

    def condition(self, what: Condition) -> str:
        """A condition, behind "if"."""
        said = self._condition(what)
        return said if said else self.formally(formal.condition(what))

    def _condition(self, what: Condition) -> str:
        if isinstance(what, Exists):
            return self._exists(what)
        if isinstance(what, Not):
            return self._not(what.condition)
        if isinstance(what, Compare):
            return self._compare(what)
        if isinstance(what, Matches):
            return self._matches(what, "")
        if isinstance(what, AllOf):
            return " and ".join(self.condition(one) for one in what.conditions)
        if isinstance(what, AnyOf):
            return self._any_of(what)
        if isinstance(what, TurnOf) and what.who in (YOU, Who("opponent")):
            return "it's your turn" if what.who == YOU else "it's an opponent's turn"
        if isinstance(what, Did):
            return "you do"
        if what == Paid("additional cost"):
            return "you paid the additional cost"
        return self._state_of_game(what) if isinstance(what, State) else ""

    def _state_of_game(self, what: State) -> str:
        fixed = {
            State("legion"): "you've played another card this turn",
            State("conquered this turn"): "you've conquered this turn",
            State("scored this turn"): "you've scored this turn",
        }
        if what in fixed:
            return fixed[what]
        if what.word in FIGHTING and not what.amount:
            return self._is(This(), what.word)
        near = {"opponent near victory": "an opponent's", "you near victory": "your"}
        if what.word in near and isinstance(what.amount, int):
            points = f"{count(what.amount)} points"
            return f"{near[what.word]} score is within {points} of the Victory Score"
        return ""

    def _exists(self, what: Exists, no: bool = False) -> str:
        selector, who = what.selector, "there"
        if selector.control != "any" and selector.zone == "board" and selector.place != "base":
            who = "you" if selector.control == "friendly" else "an opponent"
        plain = _without_control(selector) if who != "there" else selector
        many = what.least != 1 or what.most != -1
        if not isinstance(what.least, int) or (what.most not in (-1, what.least)):
            return ""
        if no:
            if many:
                return ""
            said = f"no {self.all_of(plain)}"
        elif many:
            said = self.all_of(plain)
            number = count(what.least)
            said = f"{number} or more {said}" if what.most == -1 else f"exactly {number} {said}"
        else:
            said = self.a(plain)
        verb = {"you": "control", "an opponent": "controls"}.get(who)
        if verb is None:
            verb = "are" if many or no else "is"
        return f"{who} {verb} {said}"

    def _not(self, what: Condition) -> str:
        if isinstance(what, Exists):
            return self._exists(what, no=True)
        if isinstance(what, Did):
            return "you can't"
        if isinstance(what, Matches):
            return self._matches(what, "not ")
        return ""

    def _compare(self, what: Compare) -> str:
        left, right = what.left, what.right
        if isinstance(left, Tally):
            return self._tally(left, what)
        if not isinstance(left, Stat) or not isinstance(right, int):
            return ""
        if left.of == YOU:
            return self._of_you(left.stat, what.operator, right)
        if isinstance(left.of, This | Named):
            if left.stat == "energy" and what.operator in ("<=", ">=", "=="):
                more = {"<=": " or less", ">=": " or more", "==": ""}[what.operator]
                it = self.ref(left.of, subject=True)
                return f"{it} {inflected('cost', it)} {right}{more}"
            if said := self.compared(what, left.of):
                it = self.ref(left.of, subject=True)
                return f"{it} {inflected('have', it)} {said}"
        return ""

    @staticmethod
    def _of_you(stat: str, operator: str, right: int) -> str:
        if stat == "hand":
            if (operator, right) == ("<=", 0):
                return "your hand is empty"
            words = {">=": f"{count(right)} or more", "<=": f"{count(right)} or fewer",
                     "<": f"fewer than {count(right)}"}.get(operator)  # fmt: skip
            return f"you have {words} cards in your hand" if words else ""
        if operator == ">=" and stat in ("points", "xp"):
            return f"you have {right} or more {'points' if stat == 'points' else 'XP'}"
        return ""

    def _tally(self, tally: Tally, what: Compare) -> str:
        when, right = tally.when, what.right
        if what.operator != ">=" or not isinstance(right, int) or tally.window != "this turn":
            return ""
        subject = when.subject
        if when == When("moved", subject=subject) and right == 2 and isinstance(subject, This):
            it = self.ref(subject, subject=True)
            return f"{it} {inflected('have', it)} moved twice this turn"
        died = when == When("unit died", subject=subject) and right == 1
        if died and isinstance(subject, Selector):
            return f"{self.a(subject, event=True)} died this turn"
        past = PAST.get(when.event)
        if past is None or when.player not in (YOU, Who("opponent")):
            return ""
        if when != When(when.event, subject=subject, player=when.player):
            return ""
        have = "you've" if when.player == YOU else "an opponent has"
        if right > 1:
            if when.event != "card finalized" or subject is None:
                return ""
            if not isinstance(subject, Selector) or subject.states or subject.zone != "any":
                return ""
            kinds = " or ".join(f"{kind}s" for kind in subject.kinds)
            return f"{have} played {count(right)} or more {kinds} this turn"
        if isinstance(subject, Selector):
            past = f"{past} {self.a(subject, event=True)}"
        elif subject is not None or when.event in ("killed", "stunned", "chosen", "moved"):
            return ""
        elif when.event == "discarded":
            past = "discarded a card"
        return f"{have} {past} this turn"

    def _is(self, what: Objects, word: str) -> str:
        it = self.ref(what, subject=True)
        if it in ("I", "it", "they"):
            return {"I": "I'm", "it": "it's", "they": "they're"}[it] + f" {word}"
        return f"{it} is {word}"

    def _matches(self, what: Matches, no: str) -> str:
        selector, of = what.selector, what.objects
        mine = Selector(kinds=("battlefield",), control="friendly", zone="any")
        if what == Matches(This(), mine) and not no:
            return "you control this battlefield"
        if not isinstance(of, This | Named):
            return ""
        if selector == Selector(keywords=selector.keywords, zone="any") and not no:
            it = self.ref(of, subject=True)
            keys = " and ".join(f"[{one}]" for one in selector.keywords)
            return f"{it} {inflected('have', it)} {keys}"
        word = self._word_for(selector)
        return self._is(of, f"{no}{word}") if word else ""

    def _word_for(self, selector: Selector) -> str:
        if selector == Selector():
            return "on the board"
        if selector == Selector(zone="trash"):
            return "in its owner's trash"
        if selector == Selector(states=selector.states):
            if len(selector.states) == 1 and selector.states[0] not in ("token",):
                return selector.states[0] if not selector.states[0].startswith("not ") else ""
            if selector.states in (("alone", "attacking"), ("alone", "defending")):
                return f"{selector.states[1]} alone"
        if selector == Selector(place=selector.place):
            return {"battlefield": "at a battlefield", "base": "in a base",
                    "here": "here"}.get(selector.place, "")  # fmt: skip
        if selector == Selector(control=selector.control, zone="any"):
            return {"friendly": "friendly", "enemy": "an enemy"}.get(selector.control, "")
        if selector == Selector(kinds=selector.kinds, control=selector.control, zone="any"):
            return self.a(Selector(kinds=selector.kinds, control=selector.control), event=True)
        if selector.zone == "any" and set(selector.kinds) <= {"unit", "gear", "spell", "card"}:
            return self.a(selector, event=True) if selector.tags or selector.states else ""
        return self.a(selector) if selector.zone == "board" else ""

    def _any_of(self, what: AnyOf) -> str:
        both = [_fights(one) for one in what.conditions]
        if [word for word, _, _ in both] == list(FIGHTING) and len({of for _, of, _ in both}) == 1:
            alone = " alone" if both[0][2] else ""
            of = both[0][1]
            if of is None:
                raise Unsaid("unfit")
            return self._is(of, f"attacking or defending{alone}")
        return " or ".join(self.condition(one) for one in what.conditions)


def _without_control(selector: Selector) -> Selector:
    return msgspec.structs.replace(selector, control="any")


def _fights(what: Condition) -> tuple[str, Objects | None, bool]:
    """Attacking or defending: which, who, alone?"""
    if isinstance(what, State) and not what.amount:
        return what.word, This(), False
    if isinstance(what, Matches):
        states = what.selector.states
        if what.selector == Selector(states=states) and states:
            return states[-1], what.objects, len(states) == 2 and states[0] == "alone"
    return "", None, False
