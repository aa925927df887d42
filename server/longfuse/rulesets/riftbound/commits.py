"""Commits: what each proposal writes when nothing stops it, and what has then happened.

Owns the step from a `Proposed` to writes and `Happened` messages, one function per event. It asks
nobody and publishes nothing: replacements have been applied before, triggers come after.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import msgspec

from longfuse.game.board import BOTTOM, TOP
from longfuse.game.state import ChainItem
from longfuse.rulesets.riftbound import asking, attaching, battlefields, ending, looking
from longfuse.rulesets.riftbound.state import Permanent, base, is_battlefield
from longfuse.timing.messages import Happened, Proposed
from longfuse.timing.references import NOBODY, Ref, Seat
from longfuse.timing.windows import Key

if TYPE_CHECKING:
    from longfuse.rulesets.riftbound.duel import Duel

Commit = Callable[["Duel", Proposed], list[Happened]]
COMMITS: dict[str, Commit] = {}

HAPPENS_AS = {
    "damage": "damage dealt",
    "death": "killed",
    "enter": "entered",
    "draw": "drew",
    "discard": "discarded",
    "move": "moved",
    "recall": "recalled",
    "ready": "readied",
    "exhaust": "exhausted",
    "stun": "stunned",
    "buff": "buffed",
    "points": "points gained",
    "counter": "countered",
    "recycle": "recycled",
    "banish": "banished",
    "return": "returned",
    "token": "token made",
    "heal": "healed",
    "channel": "channeled",
    "attach": "attached",
    "detach": "detached",
}
"""Under which name a proposal is found in the log once it has happened."""

ENDS_TEXT = frozenset({"attach", "detach"})
"""Events that make the text of their first subject inactive, or a unit lose what was given to it:
that text still sees them (725.1-2)."""

HIDDEN = ("hand", "deck", "facedown")
"""Zones of which not all see the faces."""

LEAVES = frozenset({"death", "banish", "return", "recycle", "trash", "top", "discard"})


def commit(duel: Duel, proposal: Proposed) -> list[Happened]:
    """Carry out a proposal."""
    return COMMITS[proposal.event](duel, proposal)


def leaving(duel: Duel, proposal: Proposed) -> tuple[Ref, ...]:
    """The objects whose stay on the board, or whose text, the proposal will end."""
    if proposal.event in ENDS_TEXT:
        return proposal.subjects
    return proposal.subjects[:1] if proposal.event in LEAVES else ()


def writes(event: str) -> Callable[[Commit], Commit]:
    """Register the commit of an event."""

    def register(function: Commit) -> Commit:
        COMMITS[event] = function
        return function

    return register


def told(duel: Duel, event: str, proposal: Proposed, **fields: Any) -> Happened:
    """What has happened, with what the proposal knew."""
    fields.setdefault("subjects", proposal.subjects)
    fields.setdefault("player", proposal.player)
    fields.setdefault("amount", proposal.amount)
    return duel.game.happened(event, source=proposal.source, clause=proposal.clause, **fields)


# ---------------------------------------------------------------- damage and status


@writes("damage")
def _damage(duel: Duel, proposal: Proposed) -> list[Happened]:
    ref = proposal.subjects[0]
    duel.game.change(ref, damage=duel.permanent(ref).damage + proposal.amount)
    return [told(duel, "damage dealt", proposal, facts=dict(proposal.facts))]


@writes("heal")
def _heal(duel: Duel, proposal: Proposed) -> list[Happened]:
    ref = proposal.subjects[0]
    damage = duel.permanent(ref).damage
    healed = min(damage, proposal.amount) if proposal.amount else damage
    if not healed:
        return []
    duel.game.change(ref, damage=damage - healed)
    return [told(duel, "healed", proposal, amount=healed)]


@writes("ready")
def _ready(duel: Duel, proposal: Proposed) -> list[Happened]:
    ref = proposal.subjects[0]
    if not duel.permanent(ref).exhausted or asking.forbidden(duel, "ready", None, ref):
        return []
    duel.game.change(ref, exhausted=False)
    return [told(duel, "readied", proposal)]


@writes("exhaust")
def _exhaust(duel: Duel, proposal: Proposed) -> list[Happened]:
    ref = proposal.subjects[0]
    if duel.permanent(ref).exhausted:
        return []
    duel.game.change(ref, exhausted=True)
    return [told(duel, "exhausted", proposal)]


@writes("stun")
def _stun(duel: Duel, proposal: Proposed) -> list[Happened]:
    ref = proposal.subjects[0]
    if duel.permanent(ref).stunned:
        return []
    duel.game.change(ref, stunned=True)
    return [told(duel, "stunned", proposal)]


@writes("buff")
def _buff(duel: Duel, proposal: Proposed) -> list[Happened]:
    ref = proposal.subjects[0]
    if duel.permanent(ref).buffs:
        # 432: a unit has at most one buff; another has no effect.
        return []
    duel.game.change(ref, buffs=1)
    return [told(duel, "buffed", proposal)]


@writes("spend buff")
def _spend_buff(duel: Duel, proposal: Proposed) -> list[Happened]:
    ref = proposal.subjects[0]
    if not duel.permanent(ref).buffs:
        return []
    duel.game.change(ref, buffs=0)
    return [told(duel, "buff spent", proposal)]


# ---------------------------------------------------------------- places


@writes("move")
def _move(duel: Duel, proposal: Proposed) -> list[Happened]:
    ref = proposal.subjects[0]
    place = proposal.facts["place"]
    old = duel.permanent(ref).place
    relocate(duel, ref, place, moved=duel.game.now.turn)
    moved = told(duel, "moved", proposal, facts=looking.place_facts(old, place))
    return [moved, *contest(duel, ref, place)]


@writes("recall")
def _recall(duel: Duel, proposal: Proposed) -> list[Happened]:
    ref = proposal.subjects[0]
    old = duel.permanent(ref).place
    place = looking.home(duel, ref)
    if old != place:
        relocate(duel, ref, place)
    return [told(duel, "recalled", proposal, facts=looking.place_facts(old, place))]


def relocate(duel: Duel, ref: Ref, place: str, **fields: Any) -> None:
    """Change an object's place: what is attached to it comes along."""
    duel.game.change(ref, place=place, **fields)
    for gear in looking.attached(duel, ref, to_it=True):
        duel.game.change(gear, place=place)
    duel.game.installed.close(Key("moved", ref))


def contest(duel: Duel, ref: Ref, place: str) -> list[Happened]:
    """187.3.a.1: a unit that comes to a battlefield that its controller does not control."""
    if not is_battlefield(place) or duel.permanent(ref).type != "unit":
        return []
    field = duel.battlefield(place)
    seat = asking.controller(duel, ref)
    if field is None or field.contested_by != NOBODY or field.controller == seat:
        return []
    duel.game.change(field.ref, contested_by=seat)
    return [battlefields.contested(duel, field, seat)]


# ---------------------------------------------------------------- leaving the board


def off_board(duel: Duel, proposal: Proposed, zone: str, position: int = TOP) -> list[Happened]:
    """Send an object to its owner's zone (056); tokens cease to exist (183.1)."""
    ref = proposal.subjects[0]
    card = duel.game.board.card(ref)
    was_on_board = duel.game.zone_word(ref) in looking.BOARD_ZONES
    gears = looking.attached(duel, ref, to_it=True)
    if card.token:
        duel.game.remove_card(ref)
    else:
        duel.game.move_card(card.id, f"{zone}:{card.owner}", position)
    if not was_on_board:
        return []
    left = told(duel, "left board", proposal, facts={"to": zone})
    return [left, *_detached(duel, ref, gears, proposal)]


def _detached(duel: Duel, ref: Ref, gears: tuple[Ref, ...], proposal: Proposed) -> list[Happened]:
    """719.5: what was attached to an object that has left is attached no more."""
    for gear in gears:
        attaching.unlink(duel, gear)
    return [told(duel, "detached", proposal, subjects=(gear, ref)) for gear in gears]


@writes("death")
def _death(duel: Duel, proposal: Proposed) -> list[Happened]:
    kind = duel.permanent(proposal.subjects[0]).type
    happened = off_board(duel, proposal, "trash")
    died = "unit died" if kind == "unit" else "gear died"
    because = told(duel, died, proposal, facts=dict(proposal.facts))
    return [because, told(duel, "killed", proposal), *happened]


@writes("banish")
def _banish(duel: Duel, proposal: Proposed) -> list[Happened]:
    happened = off_board(duel, proposal, "banishment")
    return [told(duel, "banished", proposal), *happened]


@writes("return")
def _return(duel: Duel, proposal: Proposed) -> list[Happened]:
    happened = off_board(duel, proposal, "hand")
    return [told(duel, "returned", proposal), *happened]


@writes("recycle")
def _recycle(duel: Duel, proposal: Proposed) -> list[Happened]:
    rune = duel.game.board.card(proposal.subjects[0]).definition.type == "rune"
    happened = off_board(duel, proposal, "runes" if rune else "deck", BOTTOM)
    return [told(duel, "recycled", proposal), *happened]


@writes("trash")
def _trash(duel: Duel, proposal: Proposed) -> list[Happened]:
    return _put(duel, proposal, "trash")


@writes("top")
def _top(duel: Duel, proposal: Proposed) -> list[Happened]:
    return _put(duel, proposal, "deck")


def _put(duel: Duel, proposal: Proposed, zone: str) -> list[Happened]:
    """Without another word for it: who did not see the card and does not see it there, is told no
    name."""
    ref = proposal.subjects[0]
    owner = duel.owner_of(ref)
    is_seen = zone == "trash" or duel.game.zone_word(ref) not in HIDDEN
    secret = None if is_seen else (owner,)
    happened = off_board(duel, proposal, zone)
    now = Ref(ref.card, duel.game.board.place(ref.card).residency)
    return [
        told(duel, "put", proposal, subjects=(ref, now), facts={"to": zone}, secret=secret),
        *happened,
    ]


@writes("discard")
def _discard(duel: Duel, proposal: Proposed) -> list[Happened]:
    off_board(duel, proposal, "trash")
    return [told(duel, "discarded", proposal)]


# ---------------------------------------------------------------- cards and runes


@writes("draw")
def _draw(duel: Duel, proposal: Proposed) -> list[Happened]:
    seat = proposal.player
    burned: list[Happened] = []
    while not (deck := duel.game.board.zone(f"deck:{seat}")):
        if burned:
            # 431.3.b: the points of a repeated Burn Out win at once.
            ending.check_win(duel)
        burned += burn_out(duel, seat)
    duel.game.play_stands()
    ref = duel.game.move_card(deck[-1].card, f"hand:{seat}")
    drew = told(duel, "drew", proposal, subjects=(ref,), amount=1, secret=(seat,))
    return [*burned, drew]


def burn_out(duel: Duel, seat: Seat) -> list[Happened]:
    """431: recycle the trash into the deck at random, and the opponent gains 1 point."""
    trash = duel.game.board.zone(f"trash:{seat}")
    for ref in trash:
        duel.game.move_card(ref.card, f"deck:{seat}")
    duel.game.shuffle(f"deck:{seat}", seat)
    other = duel.opponent(seat)
    points = duel.player(other).points + 1
    duel.game.change_seat(other, points=points)
    return [
        duel.game.happened("burned out", player=seat, clause="431"),
        duel.game.happened(
            "points gained", player=other, amount=1, facts={"total": points}, clause="431.2"
        ),
    ]


@writes("channel")
def _channel(duel: Duel, proposal: Proposed) -> list[Happened]:
    seat = proposal.player
    card = proposal.subjects[0].card
    ref = duel.game.move_card(
        card,
        "board",
        place=base(seat),
        controller=seat,
        exhausted=bool(proposal.facts.get("exhausted")),
    )
    return [told(duel, "channeled", proposal, subjects=(ref,))]


@writes("points")
def _points(duel: Duel, proposal: Proposed) -> list[Happened]:
    seat = proposal.player
    points = duel.player(seat).points + proposal.amount
    duel.game.change_seat(seat, points=points)
    return [told(duel, "points gained", proposal, facts={**proposal.facts, "total": points})]


@writes("token")
def _token(duel: Duel, proposal: Proposed) -> list[Happened]:
    """A token is made: what has happened is told when it has entered the board."""
    return [told(duel, "token granted", proposal)]


@writes("enter")
def _enter(duel: Duel, proposal: Proposed) -> list[Happened]:
    card = proposal.facts["card"]
    kind = duel.game.board.cards[card].definition.type
    if proposal.facts.get("instructed"):
        # "Play it; at the end of this turn, banish it": it is the permanent that it becomes.
        on_chain = proposal.subjects[0]
        duel.game.installed.follow(on_chain, duel.game.board.next_stay(card), "board")
    ref = _onto_board(duel, card, proposal.player, proposal.facts, kind)
    happened = [told(duel, "entered", proposal, subjects=(ref,))]
    if proposal.facts.get("token"):
        made = told(duel, "token made", proposal, subjects=(ref,))
        played = told(duel, "card played", proposal, subjects=(ref,), facts=_TOKEN)
        happened = [made, *happened, played]
    return [*happened, *contest(duel, ref, proposal.facts["place"])]


_TOKEN = {"token": True}


def _onto_board(duel: Duel, card: int, seat: Seat, facts: dict[str, Any], kind: str) -> Ref:
    return duel.game.move_card(
        card,
        "board",
        place=facts["place"],
        controller=seat,
        exhausted=bool(facts.get("exhausted", kind == "unit")),
        played=duel.game.now.turn,
    )


@writes("control")
def _control(duel: Duel, proposal: Proposed) -> list[Happened]:
    ref = proposal.subjects[0]
    value = duel.permanent(ref)
    stamp = duel.game.next_stamp()
    duel.game.change(ref, controller=proposal.player, control_stamp=stamp)
    return after_control_change(duel, ref, value)


def after_control_change(duel: Duel, ref: Ref, before: Permanent) -> list[Happened]:
    """What follows when an object's controller is another one: windows, contesting, the message."""
    seat = asking.controller(duel, ref)
    duel.game.installed.close(Key("control", ref), seat)
    if duel.option("R5") == "controller":
        _follow(duel, ref, seat)
    changed = duel.game.happened(
        "control changed",
        subjects=(ref,),
        player=seat,
        clause="477.1.a",
        facts={"from": before.controller},
    )
    return [changed, *contest(duel, ref, before.place)]


def _follow(duel: Duel, ref: Ref, seat: Seat) -> None:
    """R5: the delayed triggers of who has lost an object go to its new controller with it."""
    for record in duel.game.subscriptions.about(ref):
        if record.delayed and record.kind == "triggered" and record.controller != seat:
            duel.game.installed.put(msgspec.structs.replace(record, controller=seat))


@writes("counter")
def _counter(duel: Duel, proposal: Proposed) -> list[Happened]:
    item: ChainItem = duel.game.store.values[("item", proposal.facts["item"])]
    return [told(duel, "countered", proposal, facts={"label": item.source.card})]
