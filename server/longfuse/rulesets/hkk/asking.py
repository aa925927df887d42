"""Asking: what abilities make of an object's control, numbers and keywords, and what they forbid.

Owns the answers to the vocabulary's ASKED, and when an ability functions: its gate (127.1, 127.2)
is on the right side, and nothing suppresses it (127.0.2). It reads and changes nothing.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from longfuse.abilities.ability import Ability, Gate
from longfuse.abilities.evaluate import amount, players
from longfuse.game.parts import Part, summed
from longfuse.game.passives import answers, changes_of
from longfuse.rulesets.hkk.state import Permanent
from longfuse.timing.messages import ask
from longfuse.timing.records import Record
from longfuse.timing.references import Ref, Seat

if TYPE_CHECKING:
    from longfuse.rulesets.hkk.duel import Duel

# ---------------------------------------------------------------- which abilities function


def functions(duel: Duel, record: Record, before: int | None = None) -> bool:
    """Whether an installed ability works now.

    before: only what was there earlier than this stamp may suppress it. Of two that suppress each
    other the older one stands.
    """
    if record.delayed:
        return True
    ref = record.source.object
    if ref is None:
        return True
    return usable(duel, ref, record.ability, before)


def usable(duel: Duel, ref: Ref, ability: Ability, before: int | None = None) -> bool:
    """127.1, 127.2, 127.0.2: its gate is on the right side, and it is not suppressed."""
    gate = ability.gate
    if gate is not None and not gate_holds(duel.game.look(ref), gate):
        return False
    return not suppressed(duel, ref, ability, before)


def gate_holds(value: Permanent | None, gate: Gate) -> bool:
    """127.1, 127.2: no more delayed-effect counters, or still temporary-effect counters; neither
    ever for what entered without them (127.0.4)."""
    if not isinstance(value, Permanent) or gate.counter not in value.entered_with:
        return False
    left = value.count(gate.counter)
    return left > 0 if gate.works == "open" else left == 0


def suppressed(duel: Duel, ref: Ref, ability: Ability | None, before: int | None = None) -> bool:
    """Whether an outside state keeps an ability (None: any of the object's) from functioning.

    A delayed ability that waits is not suppressed (127.0.1), nor is a passive permanent's.
    """
    if not duel.game.subscriptions.live.get(_NO_ABILITIES):
        return False
    known = duel.game.last_known(ref, "lost")
    words = known if known is not None else tuple(lost(duel, ref, before))
    if ability is None:
        return bool(words)
    return any(is_of_sort(ability, word) for word in words)


_NO_ABILITIES = ask("no abilities")


def lost(duel: Duel, ref: Ref, before: int | None = None) -> Iterator[str]:
    """Which sorts of abilities an object has lost; "" for all."""
    return (word for _, word in losses(duel, ref, before))


def losses(duel: Duel, ref: Ref, before: int | None = None) -> Iterator[tuple[Record, str]]:
    """The same with what takes each."""
    subscriptions = duel.game.subscriptions
    for record in subscriptions.matching(_NO_ABILITIES, (ref,)):
        if before is not None and record.stamp >= before:
            continue
        if functions(duel, record, record.stamp):
            for _, change, _ in changes_of(duel, record, "no abilities", ref):
                yield record, change.word


def is_of_sort(ability: Ability, word: str) -> bool:
    """Whether an ability is of one of the vocabulary's SORTS."""
    match word:
        case "":
            return True
        case "delayed" | "temporary":
            return ability.gate is not None and ability.gate.counter == word
        case "other":
            return ability.gate is None
        case "automatic":
            return ability.kind in ("triggered", "replacement")
        case "activated":
            return ability.kind == "activated"
        case _:
            return ability.kind == "passive"


# ---------------------------------------------------------------- control


_CONTROLLER = ask("controller")
_KEYWORD = ask("keyword")
_NO_KEYWORD = ask("no keyword")


def controller(duel: Duel, ref: Ref) -> Seat:
    """On whose side an object lies. Of effects that change it the latest counts."""
    value = duel.game.store.values.get(ref)
    if value is None:
        return _controller_elsewhere(duel, ref)
    found: Seat = value.controller
    if not duel.game.subscriptions.live.get(_CONTROLLER):
        return found
    for record in controlling(duel, ref):
        for change in record.ability.changes:
            if change.asks == "controller":
                found = players(change.who, duel.scope_of(record))[0]
    return found


def controlling(duel: Duel, ref: Ref) -> list[Record]:
    """The effects on whose side an object lies, the one that counts last."""
    since = getattr(duel.game.store.values.get(ref), "control_stamp", 0)
    # The question must not ask itself who controls what: only effects on this very object count.
    return [
        record
        for record in duel.game.subscriptions.about(ref)
        if record.kind == "passive" and record.stamp >= since
        if any(change.asks == "controller" for change in record.ability.changes)
    ]


def _controller_elsewhere(duel: Duel, ref: Ref) -> Seat:
    known = duel.game.last_known(ref, "controller")
    if known is not None and not duel.game.board.is_there(ref):
        return int(known)
    item = duel.game.store.get(("item of", ref))
    if item is not None:
        return int(duel.game.store.values[("item", item)].controller)
    return duel.game.board.card(ref).owner


# ---------------------------------------------------------------- numbers and keywords


def number(duel: Duel, ref: Ref, asks: str) -> int:
    """A creature's "damage" or "life" after all changes: set, then added up; never below 0."""
    return max(0, int(getattr(duel.definition(ref), asks)) + summed(number_parts(duel, ref, asks)))


def number_parts(duel: Duel, ref: Ref, asks: str) -> list[Part]:
    """What makes that number of the printed one, in order, before it is cut off at 0."""
    if not duel.game.subscriptions.live.get(ask(asks)):
        return []
    if duel.evaluating:
        # In the middle of a number not all can be known, and what is worked out is not kept.
        return _number_parts(duel, ref, asks)
    # Conditions may count what has happened this turn, which the log knows, not the state.
    known = (asks, ref, duel.game.last_ordinal)
    return duel.at_present(known, lambda: _number_parts(duel, ref, asks))


def _number_parts(duel: Duel, ref: Ref, asks: str) -> list[Part]:
    if (asks, ref) in duel.evaluating:
        # What it depends on asks for it again: it is as printed then.
        return []
    duel.evaluating.add((asks, ref))
    try:
        found = [
            (record, change.set, amount(change.amount, scope))
            for record, change, scope in answers(duel, asks, ref)
        ]
    finally:
        duel.evaluating.discard((asks, ref))
    if not found:
        return []
    total, parts = int(getattr(duel.definition(ref), asks)), []
    for record, is_set, value in found:
        if is_set:
            parts.append(Part(asks, value - total, record, becomes=value))
            total = value
    parts += [Part(asks, value, record) for record, is_set, value in found if not is_set]
    return parts


def keywords_of(duel: Duel, ref: Ref) -> tuple[str, ...]:
    """The keywords that an object has."""
    have = dict.fromkeys(duel.definition(ref).keywords)
    for part in keyword_parts(duel, ref):
        if part.lost:
            have.pop(part.word, None)
        else:
            have[part.word] = None
    return tuple(have)


def keyword_parts(duel: Duel, ref: Ref) -> list[Part]:
    """What makes an object's keywords of the printed ones, in order."""
    live = duel.game.subscriptions.live
    if not (live.get(_NO_ABILITIES) or live.get(_KEYWORD) or live.get(_NO_KEYWORD)):
        return []
    if duel.evaluating:
        return _keyword_parts(duel, ref)
    known = ("keywords", ref, duel.game.last_ordinal)
    return duel.at_present(known, lambda: _keyword_parts(duel, ref))


def _keyword_parts(duel: Duel, ref: Ref) -> list[Part]:
    parts: list[Part] = []
    live = duel.game.subscriptions.live
    if live.get(_NO_ABILITIES):
        taking = next((record for record, word in losses(duel, ref) if not word), None)
        if taking is not None:
            printed = duel.definition(ref).keywords
            parts += [Part("keyword", record=taking, word=word, lost=True) for word in printed]
    if live.get(_KEYWORD):
        given = answers(duel, "keyword", ref)
        parts += [Part("keyword", record=one, word=change.word) for one, change, _ in given]
    if live.get(_NO_KEYWORD):
        parts += [
            Part("keyword", record=record, word=change.word, lost=True)
            for record, change, _ in answers(duel, "no keyword", ref)
        ]
    return parts


def has_keyword(duel: Duel, ref: Ref, keyword: str) -> bool:
    """Whether an object has a keyword (one that left: whether it had it)."""
    known = duel.game.last_known(ref, "keywords")
    return keyword in (known if known is not None else keywords_of(duel, ref))


# ---------------------------------------------------------------- costs, prohibitions, counts


def price(duel: Duel, seat: Seat, ref: Ref) -> int:
    """What playing a card costs now."""
    return max(0, int(duel.definition(ref).cost) + summed(price_parts(duel, seat, ref)))


def price_parts(duel: Duel, seat: Seat, ref: Ref) -> list[Part]:
    """What makes that of the printed cost, before it is cut off at 0."""
    return [
        Part("cost", amount(change.amount, scope), record)
        for record, change, scope in answers(duel, "cost", ref, seat)
    ]


def forbidden(duel: Duel, what: str, seat: Seat | None, ref: Ref | None) -> Record | None:
    """What forbids an action to a player or about an object; None if nothing does."""
    for record, change, _ in answers(duel, "must not", ref, seat):
        if change.word == what:
            return record
    return None


def times_on_play(duel: Duel, record: Record) -> int:
    """How often an on-play ability comes about; what cancels it leaves nothing to multiply."""
    more = [
        amount(change.amount, scope)
        for _, change, scope in answers(duel, "on-play count", record.source.object)
    ]
    return 0 if any(one < 0 for one in more) else 1 + sum(more)


def spell_damage(duel: Duel, seat: Seat) -> int:
    """How much more damage a player's spells deal."""
    return sum(
        amount(change.amount, scope)
        for record, change, scope in answers(duel, "spell damage", None)
        if duel.game.controller_of_record(record) == seat
    )
