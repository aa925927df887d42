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
from longfuse.rulesets.riftbound import seeing
from longfuse.rulesets.riftbound import text as card_text
from longfuse.rulesets.riftbound.state import base, kind_of_place
from longfuse.timing.messages import Happened
from longfuse.timing.records import Reason
from longfuse.timing.references import Ref

if TYPE_CHECKING:
    from longfuse.rulesets.riftbound.duel import Duel
    from longfuse.timing.records import Record

Sentence = Callable[["Teller"], str]
Names = tuple[tuple[str, str], ...]

UNTOLD = frozenset(
    {
        "left board",
        "entered",
        "killed",
        "chosen",
        "defended",
        "card played",
        "token granted",
        "equipped",
    }
)
"""Events that another one tells."""

UNTOLD_MARKS = frozenset({"mark:combat end"})
"""Marks that viewers see nothing of: the showdown ends a little later."""


class Teller(sentences.Teller["Duel"]):
    """One event, with its parts in words."""

    def is_public(self, ref: Ref) -> bool:
        """Whether all see the face of an object that is there."""
        return seeing.is_public(self.duel, ref)

    def place(self, fact: str) -> str:
        """A place among the facts."""
        name = str(self.message.fact(fact, ""))
        field = self.duel.battlefield(name)
        if field is not None:
            return self.duel.card_name(field.ref)
        for seat in self.duel.seats():
            if name == base(seat):
                return f"{self.duel.player(seat).name}'s base"
        return kind_of_place(name)


def is_told(duel: Duel, message: Happened) -> bool:
    """Whether viewers are told of an event. What paying and the Awaken Phase do to runes is seen,
    not told; what an effect does to them is told."""
    if message.event in UNTOLD or message.event in UNTOLD_MARKS:
        return False
    if message.event == "ability finalized":
        # That it triggered has been told.
        return bool(message.fact("chosen") or message.fact("late"))
    if message.event == "replaced":
        return _fuse(duel, message, "record") is not None
    if message.event == "attacked":
        return not duel.is_kind(message.subjects[0], "battlefield")
    if message.event in ("exhausted", "readied", "recycled"):
        cards = (duel.game.board.card(ref) for ref in message.subjects)
        are_runes = all(card.definition.type == "rune" for card in cards)
        return not are_runes or message.source is not None
    return True


def sentence(duel: Duel, message: Happened, is_shut_out: bool) -> str:
    """What happened; "" where the kernel's own words must do."""
    tell = SENTENCES.get(message.event)
    return "" if tell is None else tell(Teller(duel, message, is_shut_out))


def _points(tell: Teller) -> str:
    what = "point" if tell.amount == 1 else "points"
    scored = "holding" if tell.message.fact("hold") else "conquering"
    place = tell.place("place")
    why = f" for {scored} {place}" if place else ""
    return f"{tell.who} gains {tell.amount} {what}{why} ({tell.message.fact('total')} now)."


def _fuse(duel: Duel, message: Happened, fact: str) -> Record | None:
    """The delayed ability among an event's facts."""
    record = duel.game.installed.known(message.fact(fact, 0))
    return record if record is not None and record.delayed else None


_PUT = {"trash": "into the trash", "deck": "on top of the deck"}

_ENDS = {
    Reason.NOT_CREATED: "No fuse is lit, its time has passed",
    Reason.DECLINED: "A fuse is declined",
    Reason.ENDED: "A fuse is put out",
    Reason.FIRED: "A fuse has gone off",
}


def _ended(tell: Teller) -> str:
    said = _ENDS.get(Reason(tell.message.fact("reason")), "A fuse burns out")
    record = _fuse(tell.duel, tell.message, "record")
    words = "" if record is None else f": {words_of(tell.duel, record)}"
    return f"{said}: {tell.label}{words}"


def _showdown_ended(tell: Teller) -> str:
    what = "combat" if tell.message.fact("combat") else "showdown"
    return f"The {what} at {tell.it} is over." if tell.message.subjects else f"The {what} is over."


def _created(tell: Teller) -> str:
    record = _fuse(tell.duel, tell.message, "record")
    if record is None:
        return "A fuse is lit."
    words = words_of(tell.duel, record, tell.message.fact("names"))
    return f"A fuse is lit: {record.source.card}: {words}"


def _aimed(tell: Teller) -> str:
    chosen = tell.chosen
    return f"{tell.label} is for {chosen}." if chosen else f"{tell.label} is finalized."


def _triggered(tell: Teller) -> str:
    is_fuse = _fuse(tell.duel, tell.message, "acts") is not None
    return f"A fuse goes off: {tell.label}." if is_fuse else f"{tell.label} triggers."


def _replaced(tell: Teller) -> str:
    is_fuse = _fuse(tell.duel, tell.message, "record") is not None
    label = tell.label
    return f"A fuse has gone off: {label}." if is_fuse else f"{label} has changed what happens."


@lru_cache(maxsize=2048)
def words(ability: Ability) -> str:
    """What an ability says: its printed words, or those that the compiler says back."""
    if ability.text:
        return ability.text
    return card_text.say(ability) if ability.window is None else card_text.say_waiting(ability, {})


def words_of(duel: Duel, record: Record, names: Names | None = None) -> str:
    """What an installed ability says; a delayed one names the cards that it knows, now or as
    `names` had them."""
    ability: Ability = record.ability
    if not record.delayed or ability.text:
        return words(ability)
    known = names_of(duel, record) if names is None else names
    return card_text.say_waiting(ability, dict(known))


def names_of(duel: Duel, record: Record) -> Names:
    """The cards that a delayed ability knows, each by its name; only those that all may see."""
    known = ((name, _known(duel, value)) for name, value in record.captured)
    return (("this", record.source.card), *(pair for pair in known if pair[1]))


def _known(duel: Duel, value: object) -> str:
    """What was captured, by name; empty: not everybody may know, or it is no card or player."""
    if isinstance(value, tuple) and value and all(isinstance(one, Ref) for one in value):
        board = duel.game.board
        shown = [one for one in value if board.is_there(one)]
        if len(shown) < len(value) or not all(seeing.is_public(duel, one) for one in shown):
            return ""
        return " and ".join(duel.card_name(one) for one in shown)
    return ""


def _combat(tell: Teller) -> str:
    kind = "combat damage" if tell.message.fact("combat") else "damage"
    return f"{tell.its_player} takes {tell.amount} {kind}{tell.by}."


SENTENCES: dict[str, Sentence] = {
    **sentences.OF_ITEMS,
    "mark:turn": lambda t: f"Turn {t.duel.game.now.turn}: {t.who}.",
    "mark:awaken": lambda t: f"{t.whose} Awaken Phase.",
    "mark:beginning": lambda t: f"{t.whose} Beginning Step.",
    "mark:scoring": lambda t: f"{t.whose} Scoring Step.",
    "mark:channel": lambda t: f"{t.whose} Channel Phase.",
    "mark:draw": lambda t: f"{t.whose} Draw Phase.",
    "mark:main": lambda t: f"{t.whose} Main Phase.",
    "mark:ending": lambda t: f"{t.who} ends the turn.",
    "mark:expiration": lambda t: f"{t.whose} Expiration Step.",
    "mark:showdown": lambda t: "A showdown begins.",
    "mark:combat": lambda t: "A combat begins.",
    "mark:combat end": lambda t: "The combat ends.",
    "showdown ended": _showdown_ended,
    "contested": lambda t: f"{t.who} contests {t.it}.",
    "contest ended": lambda t: f"{t.it} is contested no more.",
    "battlefield taken": lambda t: f"{t.who} controls {t.it} now.",
    "battlefield lost": lambda t: f"Nobody controls {t.it} now.",
    "play begun": lambda t: f"{t.who} is to play {t.it}.",
    "card finalized": lambda t: f"{t.who} plays {t.it}{t.on_chosen}.",
    "card played": lambda t: f"{t.who} has played {t.it}.",
    "entered": lambda t: f"{t.its_player} enters the board.",
    "left board": lambda t: f"{t.its_player} leaves the board.",
    "put": lambda t: f"{t.its_player} is put {_PUT[t.message.fact('to')]}.",
    "killed": lambda t: f"{t.its_player} is killed.",
    "chosen": lambda t: f"{t.who} chooses {t.it}.",
    "ability triggered": _triggered,
    "ability finalized": _aimed,
    "replaced": _replaced,
    "ability activated": lambda t: f"{t.who} uses {t.label}.",
    "ability created": _created,
    "ability added": lambda t: f"{t.label} goes on the chain.",
    "ability ended": _ended,
    "added": lambda t: f"{t.who} adds {t.amount} {t.message.fact('word')}.",
    "turn queued": lambda t: f"{t.who} has another turn after this one.",
    "turn cut short": lambda t: f"{t.whose} turn is to end now.",
    "left combat": lambda t: f"{t.its_player} is in the combat no more.",
    "item copied": lambda t: f"{t.who} copies {t.label}.",
    "item taken": lambda t: f"{t.who} takes control of {t.label}.",
    "chosen anew": lambda t: f"{t.who} chooses anew for {t.label}{t.on_chosen}.",
    "copied": lambda t: f"{t.it} becomes a copy of {t.other}.",
    "damage set": lambda t: f"{t.its_player} has {t.amount} damage now.",
    "shuffled": lambda t: f"{t.whose} deck is shuffled.",
    "unit died": sentences.died,
    "gear died": lambda t: f"{t.its_player} is destroyed{t.by_another}.",
    "damage dealt": _combat,
    "attached": lambda t: f"{t.it} is attached to {t.other}.",
    "equipped": lambda t: f"{t.it} is equipped with {t.other}.",
    "detached": lambda t: f"{t.it} is detached from {t.other}.",
    "healed": lambda t: f"{t.its_player} is healed of {t.amount}.",
    "moved": lambda t: f"{t.its_player} moves to {t.place('to_place')}.",
    "recalled": lambda t: f"{t.its_player} is recalled to {t.place('to_place')}.",
    "readied": lambda t: f"{t.its_player} is readied.",
    "exhausted": lambda t: f"{t.its_player} is exhausted.",
    "stun ended": lambda t: f"{t.its_player} is stunned no more.",
    "stunned": lambda t: f"{t.its_player} is stunned.",
    "buffed": lambda t: f"{t.its_player} gets a buff.",
    "buff spent": lambda t: f"{t.its_player} spends its buff.",
    "attacked": lambda t: f"{t.its_player} attacks.",
    "defended": lambda t: f"{t.its_player} defends.",
    "conquered": lambda t: f"{t.who} conquers {t.it}.",
    "held": lambda t: f"{t.who} holds {t.it}.",
    "combat won": lambda t: f"{t.who} wins the combat.",
    "mulligan": lambda t: f"{t.who} trades {t.amount} {'card' if t.amount == 1 else 'cards'}.",
    "xp gained": lambda t: f"{t.who} gains {t.amount} XP.",
    "xp spent": lambda t: f"{t.who} spends {t.amount} XP.",
    "became mighty": lambda t: f"{t.its_player} becomes Mighty.",
    "hidden": lambda t: f"{t.who} hides {t.it} at {t.place('place')}.",
    "drew": lambda t: f"{t.who} draws {t.it}.",
    "discarded": lambda t: f"{t.who} discards {t.it}.",
    "recycled": lambda t: f"{t.its_player} is recycled.",
    "banished": lambda t: f"{t.its_player} is banished.",
    "returned": lambda t: f"{t.its_player} returns to hand.",
    "channeled": lambda t: f"{t.who} channels {t.it}.",
    "token granted": lambda t: f"{t.who} is given a token.",
    "token made": lambda t: f"{t.who} makes a {t.it} token.",
    "control changed": lambda t: f"{t.who} takes control of {t.it}.",
    "countered": lambda t: f"{t.label} is countered{t.by}.",
    "points gained": _points,
    "burned out": lambda t: f"{t.who} burns out.",
    "revealed": lambda t: f"{t.who} reveals {t.it}.",
    "looked": lambda t: f"{t.who} looks at the top of the deck.",
}
