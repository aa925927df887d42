"""Commits: what each proposal writes when nothing stops it, and what has then happened.

Owns the step from a `Proposed` to writes and `Happened` messages, one function per event. It asks
nobody and publishes nothing: replacements have been applied before, automatic abilities come after.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from longfuse.game.board import BOTTOM, TOP
from longfuse.rulesets.hkk import asking, counters, ending
from longfuse.rulesets.hkk.definition import Definition
from longfuse.rulesets.hkk.state import LIFE, MAGIC_MAX, Permanent, place, word_of
from longfuse.timing.messages import Happened, Proposed
from longfuse.timing.references import Ref
from longfuse.timing.windows import Key

if TYPE_CHECKING:
    from longfuse.rulesets.hkk.duel import Duel

Commit = Callable[["Duel", Proposed], list[Happened]]

HAPPENS_AS = {
    "damage": "damage dealt",
    "hurt": "player hurt",
    "death": "destroyed",
    "place": "counter placed",
    "remove": "counter removed",
    "draw": "drew",
    "gain life": "life gained",
    "heal": "healed",
    "turn": "turned",
    "ready": "readied",
    "return": "returned",
    "throw": "thrown",
    "control": "control changed",
    "enter": "entered",
    "move": "moved",
    "discard": "discarded",
    "magic": "magic gained",
}
"""Under which name a proposal is found in the log once it has happened."""

LEAVES = frozenset({"death", "return", "throw", "bottom", "discard"})


def leaving(proposal: Proposed) -> tuple[Ref, ...]:
    """The objects whose stay the proposal will end."""
    return proposal.subjects[:1] if proposal.event in LEAVES else ()


def told(duel: Duel, event: str, proposal: Proposed, **fields: Any) -> Happened:
    """What has happened, with what the proposal knew."""
    fields.setdefault("subjects", proposal.subjects)
    fields.setdefault("player", proposal.player)
    fields.setdefault("amount", proposal.amount)
    fields.setdefault("clause", proposal.clause)
    return duel.game.happened(event, source=proposal.source, **fields)


def _in_play(duel: Duel, proposal: Proposed) -> Permanent | None:
    value = duel.game.store.values.get(proposal.subjects[0])
    return value if isinstance(value, Permanent) and value.zone == "board" else None


# ---------------------------------------------------------------- damage, life


def _damage(duel: Duel, proposal: Proposed) -> list[Happened]:
    value = _in_play(duel, proposal)
    if value is None or proposal.amount <= 0:
        return []
    if asking.forbidden(duel, "be damaged", None, value.ref) is not None:
        return []
    duel.game.change(value.ref, wounds=value.wounds + proposal.amount)
    return [told(duel, "damage dealt", proposal, facts=dict(proposal.facts))]


def _heal(duel: Duel, proposal: Proposed) -> list[Happened]:
    value = _in_play(duel, proposal)
    if value is None or not value.wounds:
        return []
    healed = min(value.wounds, proposal.amount) if proposal.amount else value.wounds
    duel.game.change(value.ref, wounds=value.wounds - healed)
    return [told(duel, "healed", proposal, amount=healed)]


def _hurt(duel: Duel, proposal: Proposed) -> list[Happened]:
    if proposal.amount <= 0:
        return []
    life = duel.player(proposal.player).life - proposal.amount
    duel.game.change_seat(proposal.player, life=life)
    return [told(duel, "player hurt", proposal, facts=dict(proposal.facts))]


def _gain_life(duel: Duel, proposal: Proposed) -> list[Happened]:
    seat = proposal.player
    gained = min(proposal.amount, LIFE - duel.player(seat).life)
    if gained <= 0 or asking.forbidden(duel, "gain life", seat, None) is not None:
        return []
    duel.game.change_seat(seat, life=duel.player(seat).life + gained)
    return [told(duel, "life gained", proposal, amount=gained)]


def _magic(duel: Duel, proposal: Proposed) -> list[Happened]:
    seat = proposal.player
    gained = min(proposal.amount, MAGIC_MAX - duel.player(seat).magic)
    if gained <= 0:
        return []
    duel.game.change_seat(seat, magic=duel.player(seat).magic + gained)
    return [told(duel, "magic gained", proposal, amount=gained)]


# ---------------------------------------------------------------- turned, places, control


def _turn(duel: Duel, proposal: Proposed) -> list[Happened]:
    value = _in_play(duel, proposal)
    if value is None or value.passive:
        return []
    duel.game.change(value.ref, passive=True)
    happened = [told(duel, "turned", proposal)]
    if word_of(value.place) == "guard":
        # A passive creature cannot stand in the guard post.
        happened += _moved_to(duel, proposal, value, "reserve")
    return happened


def _ready(duel: Duel, proposal: Proposed) -> list[Happened]:
    value = _in_play(duel, proposal)
    if value is None or not value.passive:
        return []
    if asking.forbidden(duel, "ready", None, value.ref) is not None:
        return []
    duel.game.change(value.ref, passive=False)
    return [told(duel, "readied", proposal)]


def _move(duel: Duel, proposal: Proposed) -> list[Happened]:
    value = _in_play(duel, proposal)
    word = str(proposal.facts["to"])
    if value is None or value.type != "creature" or word_of(value.place) == word:
        return []
    if word == "guard" and value.passive:
        return []
    return _moved_to(duel, proposal, value, word)


def _moved_to(duel: Duel, proposal: Proposed, value: Permanent, word: str) -> list[Happened]:
    duel.game.change(value.ref, place=place(word, asking.controller(duel, value.ref)))
    duel.game.installed.close(Key("moved", value.ref))
    return [told(duel, "moved", proposal, subjects=(value.ref,), facts={"to": word})]


def _control(duel: Duel, proposal: Proposed) -> list[Happened]:
    value = _in_play(duel, proposal)
    if value is None or asking.controller(duel, value.ref) == proposal.player:
        return []
    seat = proposal.player
    duel.game.change(value.ref, controller=seat, control_stamp=duel.game.next_stamp())
    return after_control_change(duel, value.ref)


def after_control_change(duel: Duel, ref: Ref) -> list[Happened]:
    """D17: it lies on another side now, with its counters; the new controller's phases count."""
    seat = asking.controller(duel, ref)
    value: Permanent = duel.game.store.values[ref]
    word = word_of(value.place)
    duel.game.change(ref, place=place("reserve" if word == "guard" else word, seat))
    duel.game.installed.close(Key("control", ref), seat)
    return [duel.game.happened("control changed", subjects=(ref,), player=seat)]


# ---------------------------------------------------------------- leaving


def off_board(duel: Duel, proposal: Proposed, zone: str, position: int = TOP) -> list[Happened]:
    """Send an object to its owner's zone; a token just leaves play."""
    ref = proposal.subjects[0]
    if not duel.game.board.is_there(ref):
        return []
    card = duel.game.board.card(ref)
    was_in_play = duel.game.zone_word(ref) == "board"
    if card.token:
        duel.game.remove_card(ref)
    else:
        duel.game.move_card(card.id, f"{zone}:{card.owner}", position)
    return [told(duel, "left play", proposal, facts={"to": zone})] if was_in_play else []


def _death(duel: Duel, proposal: Proposed) -> list[Happened]:
    value = _in_play(duel, proposal)
    if value is None:
        return []
    left = off_board(duel, proposal, "discard")
    died = []
    if value.type == "creature":
        died = [told(duel, "creature died", proposal, facts=dict(proposal.facts))]
    return [*died, told(duel, "destroyed", proposal, facts={"type": value.type}), *left]


def _throw(duel: Duel, proposal: Proposed) -> list[Happened]:
    left = off_board(duel, proposal, "nothing")
    return [told(duel, "thrown", proposal), *left]


def _return(duel: Duel, proposal: Proposed) -> list[Happened]:
    left = off_board(duel, proposal, "hand")
    return [told(duel, "returned", proposal), *left]


def _bottom(duel: Duel, proposal: Proposed) -> list[Happened]:
    left = off_board(duel, proposal, "deck", BOTTOM)
    return [told(duel, "put under the deck", proposal), *left]


def _discard(duel: Duel, proposal: Proposed) -> list[Happened]:
    off_board(duel, proposal, "discard")
    return [told(duel, "discarded", proposal)]


# ---------------------------------------------------------------- cards


def _draw(duel: Duel, proposal: Proposed) -> list[Happened]:
    seat = proposal.player
    if asking.forbidden(duel, "draw", seat, None) is not None:
        return []
    deck = duel.game.board.zone(f"deck:{seat}")
    if not deck:
        ending.decked(duel, seat)
    duel.game.play_stands()
    ref = duel.game.move_card(deck[-1].card, f"hand:{seat}")
    return [told(duel, "drew", proposal, subjects=(ref,), amount=1, secret=(seat,))]


def _enter(duel: Duel, proposal: Proposed) -> list[Happened]:
    facts = proposal.facts
    card, seat = duel.game.board.cards[facts["card"]], proposal.player
    definition: Definition = card.definition
    is_token = bool(facts.get("token"))
    bare = bool(facts.get("bare")) or (is_token and duel.option("D2") == "bare")
    ref = duel.game.move_card(
        card.id,
        "board",
        place=place("reserve" if definition.type == "creature" else "table", seat),
        controller=seat,
        passive=bool(facts["passive"]),
        played=duel.game.now.turn,
        attached_to=facts.get("attached_to"),
        **counters.on_arrival(definition, bare=bare),
    )
    happened = [told(duel, "entered", proposal, subjects=(ref,))]
    if is_token:
        happened.insert(0, told(duel, "token made", proposal, subjects=(ref,)))
    else:
        by = {"by": facts.get("by", "hand")}
        played = told(duel, "card played", proposal, subjects=(ref,), facts=by, clause="127.0.0")
        happened.append(played)
    on = facts.get("attached_to")
    if on is not None:
        happened.append(told(duel, "attached", proposal, subjects=(ref, on)))
    return [*happened, *counters.told_on_arrival(duel, ref, seat)]


COMMITS: dict[str, Commit] = {
    "damage": _damage,
    "heal": _heal,
    "hurt": _hurt,
    "gain life": _gain_life,
    "magic": _magic,
    "turn": _turn,
    "ready": _ready,
    "move": _move,
    "control": _control,
    "death": _death,
    "throw": _throw,
    "return": _return,
    "bottom": _bottom,
    "discard": _discard,
    "draw": _draw,
    "enter": _enter,
    "place": counters.commit_place,
    "remove": counters.commit_remove,
}


def commit(duel: Duel, proposal: Proposed) -> list[Happened]:
    """Carry out a proposal."""
    return COMMITS[proposal.event](duel, proposal)


def enters_passive(definition: Definition) -> bool:
    """Creatures and buildings arrive passive, unless they fly."""
    return definition.type in ("creature", "building") and "Flying" not in definition.keywords
