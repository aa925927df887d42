"""Verbs about cards and players: drawing, discarding, zones, runes, points, playing, countering."""

from __future__ import annotations

from typing import TYPE_CHECKING

from longfuse.abilities.ability import Do
from longfuse.abilities.evaluate import objects, players
from longfuse.abilities.scope import Scope
from longfuse.game.questions import Option, Question, Steps, default_some
from longfuse.game.state import ChainItem
from longfuse.rulesets.riftbound import (
    actions,
    chain,
    ending,
    looking,
    play,
    riders,
    standins,
)
from longfuse.rulesets.riftbound.delayed import current
from longfuse.rulesets.riftbound.verbs import looked_back, number, source_of, verb, what, who
from longfuse.timing.messages import Happened, Proposed
from longfuse.timing.references import Ref, Seat

if TYPE_CHECKING:
    from longfuse.rulesets.riftbound.duel import Duel

Done = Steps[list[Happened]]

# ---------------------------------------------------------------- zones


def _sends(name: str, event: str, clause: str) -> None:
    @verb(name)
    def carry_out(duel: Duel, node: Do, scope: Scope) -> Done:
        refs = tuple(looked_back(duel, ref, scope) for ref in what(node, scope))
        own = [ref for ref in refs if duel.game.zone_word(ref) == "chain" and duel.is_there(ref)]
        done: list[Happened] = []
        for ref in own:
            done += yield from _off_chain(duel, ref, event, scope)
        rest = [ref for ref in refs if ref not in own]
        done += yield from actions.send(
            duel,
            rest,
            event,
            player=scope.controller,
            source=source_of(node, scope),
            clause=clause,
        )
        return done


_sends("banish", "banish", "427")
_sends("return", "return", "428")
_sends("recycle", "recycle", "416")
_sends("trash", "trash", "")
_sends("put on top", "top", "")


def _off_chain(duel: Duel, ref: Ref, event: str, scope: Scope) -> Done:
    """A card on the chain that an instruction sends away; its own execution's word goes first."""
    item = item_of(duel, ref)
    if item is None:
        return []
    to = {"return": "hand"}.get(event, event)
    yield from riders.leave_chain(duel, item, to, own=item.id == scope.item)
    return []


def item_of(duel: Duel, ref: Ref) -> ChainItem | None:
    """The chain item of a card, wherever the reference was taken."""
    is_ability = duel.game.board.card(ref).definition is standins.ABILITY
    now = ref if is_ability else current(duel, ref)
    found = duel.game.store.get(("item of", now)) if now is not None else None
    return duel.game.store.get(("item", found)) if found is not None else None


# ---------------------------------------------------------------- drawing and discarding


@verb("draw")
def _draw(duel: Duel, node: Do, scope: Scope) -> Done:
    """Draw cards, or (with `what`) put those very cards into their owners' hands."""
    if node.what is not None:
        return (
            yield from actions.send(
                duel, what(node, scope), "return", player=scope.controller, clause="413"
            )
        )
    done: list[Happened] = []
    for seat in who(node, scope):
        done += yield from actions.draw(duel, seat, number(node, scope), source_of(node, scope))
    return done


@verb("discard")
def _discard(duel: Duel, node: Do, scope: Scope) -> Done:
    """Discard given cards, or as many of each player's choice as they can (359.3.e.11)."""
    if node.what is not None:
        return (
            yield from actions.send(
                duel, what(node, scope), "discard", player=scope.controller, clause="424"
            )
        )
    done: list[Happened] = []
    for seat in who(node, scope):
        refs = yield from pick(duel, seat, f"hand:{seat}", number(node, scope), scope, "discard")
        done += yield from actions.send(
            duel, refs, "discard", player=seat, source=source_of(node, scope), clause="424"
        )
    return done


@verb("recycle from trash")
def _recycle_trash(duel: Duel, node: Do, scope: Scope) -> Done:
    done: list[Happened] = []
    for seat in who(node, scope):
        refs = yield from pick(duel, seat, f"trash:{seat}", number(node, scope), scope, "recycle")
        done += yield from actions.send(duel, refs, "recycle", player=seat, clause="416")
    return done


def pick(
    duel: Duel, seat: Seat, zone: str, many: int, scope: Scope, words: str
) -> Steps[tuple[Ref, ...]]:
    """Let a player pick cards of one of their zones, as many as there are up to `many`."""
    refs = duel.game.board.zone(zone)
    many = min(many, len(refs))
    if many == 0:
        return ()
    options = tuple(Option(label=duel.card_name(ref), value=ref, refs=(ref,)) for ref in refs)
    question = Question(
        id=0,
        seat=seat,
        shape="some",
        kind="card",
        text=f"{scope.source.card}: which do you {words}?",
        items=options,
        least=many,
        most=many,
        source=scope.source.card,
        clause="355.17",
        default=default_some(options, many),
    )
    chosen: tuple[Ref, ...] = yield from duel.game.ask(question)
    return chosen


# ---------------------------------------------------------------- resources and points


@verb("channel")
def _channel(duel: Duel, node: Do, scope: Scope) -> Done:
    done: list[Happened] = []
    for seat in who(node, scope):
        done += yield from actions.channel(
            duel, seat, number(node, scope), exhausted=node.word == "exhausted"
        )
    return done


@verb("add")
def _add(duel: Duel, node: Do, scope: Scope) -> Done:
    """429: put Energy or Power into the rune pool."""
    for seat in who(node, scope):
        player, amount = duel.player(seat), number(node, scope)
        domain = node.word.lower()
        if domain in ("energy", ""):
            duel.game.change_seat(seat, energy=player.energy + amount)
        else:
            power = dict(player.power)
            power[domain] = power.get(domain, 0) + amount
            duel.game.change_seat(seat, power=tuple(power.items()))
        what_of = domain if domain not in ("energy", "") else "Energy"
        duel.game.happened(
            "added", player=seat, amount=amount, facts={"word": what_of}, clause="429"
        )
    yield from ()
    return []


@verb("pay")
def _pay(duel: Duel, node: Do, scope: Scope) -> Done:
    """A cost within instructions of a spell; whether it was paid is kept under its name."""
    for seat in who(node, scope):
        paid = False
        if node.cost is not None:
            paid = yield from play.pay_now(duel, seat, node.cost, scope)
        if node.name:
            scope.names["did " + node.name] = paid
            scope.names.setdefault(node.name, ())
    return []


@verb("points")
def _points(duel: Duel, node: Do, scope: Scope) -> Done:
    done: list[Happened] = []
    for seat in who(node, scope):
        done += yield from actions.points(duel, seat, number(node, scope), "467")
    return done


@verb("win")
def _win(duel: Duel, node: Do, scope: Scope) -> Done:
    for seat in who(node, scope):
        ending.win(duel, seat, f"{scope.source.card} says so", "467")
    yield from ()
    return []


@verb("lose")
def _lose(duel: Duel, node: Do, scope: Scope) -> Done:
    for seat in who(node, scope):
        ending.win(duel, duel.opponent(seat), f"{scope.source.card} says so", "467")
    yield from ()
    return []


@verb("extra turn")
def _extra_turn(duel: Duel, node: Do, scope: Scope) -> Done:
    """734: a turn queued after this one."""
    queued = duel.game.store.get(("turns queued",)) or ()
    seats = players(node.who, scope)
    duel.game.store.put(("turns queued",), (*seats, *queued))
    for seat in seats:
        duel.game.happened("turn queued", player=seat, clause="734")
    yield from ()
    return []


@verb("end turn")
def _end_turn(duel: Duel, node: Do, scope: Scope) -> Done:
    duel.game.store.put(("turn ends",), True)
    duel.game.happened("turn cut short", player=duel.turn_player())
    yield from ()
    return []


# ---------------------------------------------------------------- the chain


@verb("counter")
def _counter(duel: Duel, node: Do, scope: Scope) -> Done:
    """425: it does nothing; "when you play" does not see it (425.1.b)."""
    done: list[Happened] = []
    for ref in what(node, scope):
        item = item_of(duel, ref)
        if item is not None:
            done += yield from duel.game.publish(
                Proposed(
                    event="counter",
                    subjects=(ref,),
                    player=item.controller,
                    source=source_of(node, scope),
                    facts={"item": item.id},
                    clause="425",
                )
            )
            if done and chain.present(duel, item):
                yield from chain.counter(duel, item)
    return done


@verb("play")
def _play(duel: Duel, node: Do, scope: Scope) -> Done:
    """419: an effect has a card played: it becomes pending and is finalized in its turn."""
    seats = who(node, scope)
    if not seats:
        return []
    free = {"free": "all", "free energy": "energy", "free power": "power"}.get(node.word, "")
    facts: dict[str, object] = {"free": free} if free else {}
    if node.word == "reduced":
        facts["less"] = number(node, scope)
    for ref in what(node, scope):
        now = looked_back(duel, ref, scope)
        if not duel.is_there(now) or duel.game.board.card(now).definition.type == "rune":
            continue
        place = _where_it_was(duel, node, scope, ref)
        to = {"place": place} if place else {}
        if duel.game.zone_word(now) == "chain":
            # It is being played already: "you may play it here" says where.
            _send_pending(duel, now, to)
            continue
        cause = duel.game.cause
        play.begin_card(duel, seats[0], now, cause=cause, instructed=True, **facts, **to)
    yield from ()
    return []


def _send_pending(duel: Duel, ref: Ref, to: dict[str, str]) -> None:
    item = item_of(duel, ref)
    if item is not None and item.state == "pending" and to:
        facts = tuple({**dict(item.facts), **to}.items())
        chain.write(duel, item, facts=facts)


def _where_it_was(duel: Duel, node: Do, scope: Scope, ref: Ref) -> str:
    match node.to:
        case "here":
            return looking.source_place(duel, scope)
        case "base":
            return f"base:{who(node, scope)[0]}"
        case "battlefield":
            chosen = objects(node.to_objects, scope)
            return looking.place_of_object(duel, chosen[0]) if chosen else ""
        case "where it was":
            names = [value for value in scope.names.values() if isinstance(value, tuple)]
            stays = [r for value in names for r in value if isinstance(r, Ref)]
            same = [r for r in stays if r.card == ref.card and looking.place_of_object(duel, r)]
            return looking.place_of_object(duel, same[0]) if same else ""
    return ""


def _rider(name: str, to: str) -> None:
    @verb(name)
    def carry_out(duel: Duel, node: Do, scope: Scope) -> Done:
        """390.3.a: a delayed replacement of leaving the chain, for as long as it is there."""
        for ref in what(node, scope):
            item = item_of(duel, ref)
            if item is None or item.card is None:
                continue
            yield from duel.create(riders.rider(to), scope.with_name("rider", (item.card,)))
        return []


_rider("then recycle", "recycle")
_rider("then banish", "banish")


# ---------------------------------------------------------------- looking and revealing


@verb("reveal top")
@verb("look top")
def _look_top(duel: Duel, node: Do, scope: Scope) -> Done:
    """The top cards of a deck, remembered under the name; an open play stands from here on."""
    duel.game.play_stands()
    found: list[Ref] = []
    done = []
    for seat in who(node, scope):
        top = duel.game.board.zone(f"deck:{seat}")[-max(0, number(node, scope)) :]
        found += reversed(top)
        event = "revealed" if node.verb.startswith("reveal") else "looked"
        secret = None if event == "revealed" else (scope.controller,)
        done.append(
            duel.game.happened(event, subjects=tuple(reversed(top)), player=seat, secret=secret)
        )
    yield from duel.game.announce(*done)
    if node.name:
        scope.names[node.name] = tuple(found)
    return []


@verb("reveal")
def _reveal(duel: Duel, node: Do, scope: Scope) -> Done:
    duel.game.play_stands()
    done = [
        duel.game.happened("revealed", subjects=(ref,), player=duel.owner_of(ref))
        for ref in what(node, scope)
        if duel.is_there(ref)
    ]
    yield from duel.game.announce(*done)
    return done


@verb("banish top")
def _banish_top(duel: Duel, node: Do, scope: Scope) -> Done:
    """427: banish the top cards of a deck; "that card" is the card where it is then."""
    done: list[Happened] = []
    for seat in who(node, scope):
        top = duel.game.board.zone(f"deck:{seat}")[-max(0, number(node, scope)) :]
        if top:
            duel.game.play_stands()
            done += yield from actions.send(
                duel,
                tuple(reversed(top)),
                "banish",
                player=seat,
                source=source_of(node, scope),
                clause="427",
            )
    return done


@verb("shuffle")
def _shuffle(duel: Duel, node: Do, scope: Scope) -> Done:
    for seat in who(node, scope):
        duel.game.shuffle(f"deck:{seat}", seat)
        duel.game.happened("shuffled", player=seat)
    yield from ()
    return []


@verb("rest to bottom")
def _rest(duel: Duel, node: Do, scope: Scope) -> Done:
    """Recycle the looked-at cards that are still on top of the deck."""
    there = [ref for ref in what(node, scope) if duel.game.zone_word(ref) == "deck"]
    left = [ref for ref in there if duel.is_there(ref)]
    return (yield from actions.send(duel, left, "recycle", player=scope.controller, clause="416"))
