"""Telling: what happened, in a sentence.

Owns the words of every event. A viewer who may not know an event's objects is told without their
names; what is only bookkeeping is not told at all.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import TYPE_CHECKING

from longfuse.abilities.ability import Ability
from longfuse.game import sentences
from longfuse.rulesets.hkk import seeing
from longfuse.rulesets.hkk import text as card_text
from longfuse.rulesets.hkk.text_say_nouns import Unsaid
from longfuse.rulesets.hkk.turn import NAMES
from longfuse.timing.messages import Happened
from longfuse.timing.records import Reason
from longfuse.timing.references import Ref

if TYPE_CHECKING:
    from longfuse.rulesets.hkk.duel import Duel

Sentence = Callable[["Teller"], str]

UNTOLD = frozenset({"left play", "entered", "attached", "segment began", "replaced", "chosen"})
"""Events that another one tells, or that are only bookkeeping."""

TOLD_MARKS = frozenset({"mark:turn", *(f"mark:{name}" for name in NAMES)})
"""A turn begins, and each of its phases: what viewers see of where the game stands."""


class Teller(sentences.Teller["Duel"]):
    """One event, with its parts in words."""

    def is_public(self, ref: Ref) -> bool:
        """Whether all see the face of an object that is there."""
        return self.duel.game.zone_word(ref) in seeing.PUBLIC

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
    return f"{tell.amount} {tell.kind} {noun} on {tell.its_player}{tell.by}."


def _removed(tell: Teller) -> str:
    if tell.message.fact("rule"):
        return f"A {tell.kind} counter falls off {tell.its_player}."
    noun = "counter leaves" if tell.amount == 1 else "counters leave"
    return f"{tell.amount} {tell.kind} {noun} {tell.its_player}{tell.by}."


_FELL = {
    "delayed": "The last delayed counter has left {}: what waited for that works now.",
    "temporary": "The last temporary counter has left {}: what depended on it is over.",
    "cost": "The last temporary-cost counter has left {}.",
}


def _attacked(tell: Teller) -> str:
    if len(tell.message.subjects) < 2:
        other = tell.duel.player(tell.duel.opponent(tell.message.player)).name
        return f"{tell.its_player} attacks {other}."
    return f"{tell.its_player} attacks {tell.other}."


def _ended(tell: Teller) -> str:
    """What waited by an instruction, and does so no more."""
    words = {
        Reason.NOT_CREATED: "{} makes nothing wait: the time for it has passed.",
        Reason.DECLINED: "What {} made wait has been declined.",
        Reason.ENDED: "What {} made wait is called off.",
    }
    said = words.get(Reason(tell.message.fact("reason")), "What {} made wait is over.")
    return said.format(tell.label)


def _aimed(tell: Teller) -> str:
    chosen = tell.chosen
    return f"{tell.label} is for {chosen}." if chosen else f"{tell.label} is on its way."


def _phase(tell: Teller) -> str:
    name = tell.message.event.removeprefix("mark:")
    said = {"exchange": "exchange", "after exchange": "phase after the exchange"}
    return f"{tell.whose} {said.get(name, f'{name} phase')}."


SENTENCES: dict[str, Sentence] = {
    **sentences.OF_ITEMS,
    **{f"mark:{name}": _phase for name in NAMES},
    "mark:turn": lambda t: f"Turn {t.duel.game.now.turn}: {t.who}.",
    "mark:end of turn": lambda t: f"{t.whose} turn ends.",
    "card finalized": lambda t: f"{t.who} plays {t.it}{t.on_chosen}.",
    "card played": lambda t: f"{t.it} comes into play for {t.who}{t.by}.",
    "ability triggered": lambda t: f"{t.label} acts.",
    "ability finalized": _aimed,
    "ability used": lambda t: f"{t.who} uses {t.label}{t.on_chosen}.",
    "ability created": lambda t: f"{t.it if t.message.subjects else t.who}: something waits{t.by}.",
    "ability added": lambda t: f"{t.label} goes into the queue.",
    "ability ended": _ended,
    "combat ended": lambda t: "The combat is over.",
    "destroyed": lambda t: f"{t.its_player} is destroyed.",
    "put under the deck": lambda t: f"{t.its_player} goes to the bottom of the deck.",
    "creature died": sentences.died,
    "damage dealt": lambda t: f"{t.its_player} takes {t.amount} damage{t.by}.",
    "player hurt": lambda t: f"{t.who} loses {t.amount} life{t.by}.",
    "life gained": lambda t: f"{t.who} gains {t.amount} life.",
    "magic gained": lambda t: f"{t.who} gains {_counted(t.amount, 'magic point')}.",
    "healed": lambda t: f"{t.its_player} is healed of {t.amount}.",
    "moved": lambda t: f"{t.its_player} goes to the {_place(t)}.",
    "turned": lambda t: f"{t.its_player} becomes passive.",
    "readied": lambda t: f"{t.its_player} becomes active.",
    "attacked": _attacked,
    "counter placed": _placed,
    "counter removed": _removed,
    "counter stayed": lambda t: (
        f"No {t.kind} counter falls off {t.its_player}: it does not function."
    ),
    "counter refused": lambda t: (
        f"No {t.kind} counter goes on {t.its_player}{t.by}: {t.message.fact('why')}."
    ),
    "last counter fell": lambda t: _FELL[t.kind].format(t.its_player),
    "drew": lambda t: f"{t.who} draws {t.it}.",
    "discarded": lambda t: f"{t.who} discards {t.it}.",
    "thrown": lambda t: f"{t.its_player} goes to the Nothing.",
    "returned": lambda t: f"{t.its_player} returns to hand.",
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
