"""Telling: what happened, in a sentence.

Owns the words of every event. A viewer who may not know an event's objects is told without their
names; what is only bookkeeping is not told at all.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import TYPE_CHECKING

from longfuse.abilities.ability import Ability
from longfuse.rulesets.hkk import seeing
from longfuse.rulesets.hkk import text as card_text
from longfuse.rulesets.hkk.text_say_nouns import Unsaid
from longfuse.rulesets.hkk.turn import NAMES
from longfuse.timing.messages import Happened
from longfuse.timing.records import Reason
from longfuse.timing.references import NOBODY, Ref

if TYPE_CHECKING:
    from longfuse.rulesets.hkk.duel import Duel

Sentence = Callable[["Teller"], str]

UNTOLD = frozenset({"left play", "entered", "attached", "segment began", "replaced", "chosen"})
"""Events that another one tells, or that are only bookkeeping."""

TOLD_MARKS = frozenset({"mark:turn", *(f"mark:{name}" for name in NAMES)})
"""A turn begins, and each of its phases: what viewers see of where the game stands."""


class Teller:
    """One event, with its parts in words."""

    def __init__(self, duel: Duel, message: Happened, is_shut_out: bool) -> None:
        self.duel = duel
        self.message = message
        self.is_shut_out = is_shut_out

    @property
    def who(self) -> str:
        """The player's name."""
        seat = self.message.player
        return "Nobody" if seat == NOBODY else self.duel.player(seat).name

    @property
    def it(self) -> str:
        """The first subject."""
        return self._name(0)

    @property
    def other(self) -> str:
        """The second subject."""
        return self._name(1)

    def _name(self, index: int) -> str:
        if self.is_shut_out or len(self.message.subjects) <= index:
            return "a card"
        return self.duel.card_name(self.message.subjects[index])

    @property
    def whose(self) -> str:
        """The first subject with its owner."""
        if not self.message.subjects:
            return "a card"
        ref: Ref = self.message.subjects[0]
        return f"{self.duel.player(self.duel.owner_of(ref)).name}'s {self.it}"

    @property
    def by(self) -> str:
        """What did it, if that is known."""
        source = self.message.source
        return f" (by {self.duel.card_name(source)})" if source is not None else ""

    @property
    def by_another(self) -> str:
        """The same, where it is not the first subject itself."""
        return "" if self.message.source in self.message.subjects[:1] else self.by

    @property
    def amount(self) -> int:
        """The amount."""
        return self.message.amount

    @property
    def label(self) -> str:
        """What it is called after: the card of an item in the queue, or of what waits."""
        return str(self.message.fact("label", "a card"))

    @property
    def kind(self) -> str:
        """The kind of counters."""
        return str(self.message.fact("kind", ""))


def is_told(duel: Duel, message: Happened) -> bool:
    """Whether viewers are told of an event."""
    if message.event.startswith("mark:"):
        return message.event in TOLD_MARKS
    if message.event == "ability finalized":
        # That it acts has been told.
        return bool(message.fact("chosen") or message.fact("late"))
    if message.event == "destroyed":
        return bool(message.fact("type") != "creature")
    if message.event == "card played":
        # What is no permanent has been told as it was played, and is told by what it does.
        return duel.zone_of(message.subjects[0]) == "board"
    return message.event not in UNTOLD


def sentence(duel: Duel, message: Happened, is_shut_out: bool) -> str:
    """What happened."""
    tell = SENTENCES.get(message.event)
    return tell(Teller(duel, message, is_shut_out)) if tell is not None else f"{message.event}."


@lru_cache(maxsize=2048)
def words(ability: Ability) -> str:
    """What an ability says: its printed words, or those that the compiler says back."""
    if ability.text:
        return ability.text
    try:
        return card_text.say(ability)
    except Unsaid:
        # Nobody has printed it, so the grammar has no words for it.
        return f"{ability.kind} ability"


def _counted(number: int, noun: str) -> str:
    return f"{number} {noun}" + ("" if number == 1 else "s")


def _placed(tell: Teller) -> str:
    noun = "counter" if tell.amount == 1 else "counters"
    return f"{tell.amount} {tell.kind} {noun} on {tell.whose}{tell.by}."


def _removed(tell: Teller) -> str:
    if tell.message.fact("rule"):
        return f"A {tell.kind} counter falls off {tell.whose}."
    noun = "counter leaves" if tell.amount == 1 else "counters leave"
    return f"{tell.amount} {tell.kind} {noun} {tell.whose}{tell.by}."


_FELL = {
    "delayed": "The last delayed counter has left {}: what waited for that works now.",
    "temporary": "The last temporary counter has left {}: what depended on it is over.",
    "cost": "The last temporary-cost counter has left {}.",
}


def _attacked(tell: Teller) -> str:
    if len(tell.message.subjects) < 2:
        other = tell.duel.player(tell.duel.opponent(tell.message.player)).name
        return f"{tell.whose} attacks {other}."
    return f"{tell.whose} attacks {tell.other}."


def _ended(tell: Teller) -> str:
    """What waited by an instruction, and does so no more."""
    words = {
        Reason.NOT_CREATED: "{} makes nothing wait: the time for it has passed.",
        Reason.DECLINED: "What {} made wait has been declined.",
        Reason.ENDED: "What {} made wait is called off.",
    }
    said = words.get(Reason(tell.message.fact("reason")), "What {} made wait is over.")
    return said.format(tell.label)


def _came_to_nothing(tell: Teller) -> str:
    why = tell.message.fact("why")
    return f"{tell.label} comes to nothing" + (f": {why}." if why else ".")


def _chosen(tell: Teller) -> str:
    """What an item has chosen: what all may see by name, where it still is."""
    duel = tell.duel
    names = [
        duel.card_name(ref)
        if duel.is_there(ref) and duel.game.zone_word(ref) in seeing.PUBLIC
        else "what is gone"
        for ref in tell.message.fact("chosen", ())
    ]
    return f" on {', '.join(names)}" if names else ""


def _aimed(tell: Teller) -> str:
    chosen = _chosen(tell).removeprefix(" on")
    return f"{tell.label} is for{chosen}." if chosen else f"{tell.label} is on its way."


def _phase(tell: Teller) -> str:
    name = tell.message.event.removeprefix("mark:")
    said = {"exchange": "exchange", "after exchange": "phase after the exchange"}
    return f"{tell.who}'s {said.get(name, f'{name} phase')}."


def _died(tell: Teller) -> str:
    damage = tell.message.fact("damage")
    return f"{tell.whose} dies{f' of {damage} damage' if damage else tell.by_another}."


SENTENCES: dict[str, Sentence] = {
    **{f"mark:{name}": _phase for name in NAMES},
    "mark:turn": lambda t: f"Turn {t.duel.game.now.turn}: {t.who}.",
    "mark:end of turn": lambda t: f"{t.who}'s turn ends.",
    "card finalized": lambda t: f"{t.who} plays {t.it}{_chosen(t)}.",
    "card played": lambda t: f"{t.it} comes into play for {t.who}{t.by}.",
    "ability triggered": lambda t: f"{t.label} acts.",
    "ability finalized": _aimed,
    "ability used": lambda t: f"{t.who} uses {t.label}{_chosen(t)}.",
    "ability created": lambda t: f"{t.it if t.message.subjects else t.who}: something waits{t.by}.",
    "ability added": lambda t: f"{t.label} goes into the queue.",
    "ability ended": _ended,
    "came to nothing": _came_to_nothing,
    "done": lambda t: f"{t.label} is done.",
    "declined": lambda t: f"{t.who} declines {t.label}.",
    "paid": lambda t: f"{t.who} pays for {t.label}.",
    "combat ended": lambda t: "The combat is over.",
    "destroyed": lambda t: f"{t.whose} is destroyed.",
    "put under the deck": lambda t: f"{t.whose} goes to the bottom of the deck.",
    "creature died": _died,
    "damage dealt": lambda t: f"{t.whose} takes {t.amount} damage{t.by}.",
    "player hurt": lambda t: f"{t.who} loses {t.amount} life{t.by}.",
    "life gained": lambda t: f"{t.who} gains {t.amount} life.",
    "magic gained": lambda t: f"{t.who} gains {_counted(t.amount, 'magic point')}.",
    "healed": lambda t: f"{t.whose} is healed of {t.amount}.",
    "moved": lambda t: f"{t.whose} goes to the {_place(t)}.",
    "turned": lambda t: f"{t.whose} becomes passive.",
    "readied": lambda t: f"{t.whose} becomes active.",
    "attacked": _attacked,
    "counter placed": _placed,
    "counter removed": _removed,
    "counter stayed": lambda t: f"No {t.kind} counter falls off {t.whose}: it does not function.",
    "counter refused": lambda t: (
        f"No {t.kind} counter goes on {t.whose}{t.by}: {t.message.fact('why')}."
    ),
    "last counter fell": lambda t: _FELL[t.kind].format(t.whose),
    "drew": lambda t: f"{t.who} draws {t.it}.",
    "discarded": lambda t: f"{t.who} discards {t.it}.",
    "thrown": lambda t: f"{t.whose} goes to the Nothing.",
    "returned": lambda t: f"{t.whose} returns to hand.",
    "control changed": lambda t: f"{t.who} takes control of {t.it}.",
    "prevented": lambda t: f"{t.label} is prevented{t.by}.",
    "token made": lambda t: f"{t.who} makes {t.it}.",
    "copied": lambda t: f"{t.it} becomes a copy of {t.other}.",
    "looked": lambda t: f"{t.who} looks at the top of the deck.",
    "skip announced": lambda t: f"{t.who} is to skip a preparation phase.",
    "preparation skipped": lambda t: f"{t.who} skips the preparation phase.",
}


def _place(tell: Teller) -> str:
    return "guard post" if tell.message.fact("to") == "guard" else "reserve"
