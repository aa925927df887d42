"""Asking: values that passives may change, answered from the records in the layers of 468-475.

Owns Might, control, keywords, costs, Bonus Damage, what is forbidden and what is allowed. Answers
are cached under what they read; they never use anything up.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from longfuse.abilities.ability import Ability, Change
from longfuse.abilities.evaluate import amount, players
from longfuse.abilities.scope import Scope
from longfuse.game.parts import Part, summed
from longfuse.game.passives import answers as answers
from longfuse.rulesets.riftbound.state import Permanent
from longfuse.timing.messages import ask
from longfuse.timing.records import Record
from longfuse.timing.references import Ref, Seat

if TYPE_CHECKING:
    from longfuse.rulesets.riftbound.duel import Duel


class Cached(NamedTuple):
    """An answer with what it read: the object's value, the versions of passives and state."""

    value: Any
    passives: int
    state: int
    answer: Any


def _cached(duel: Duel, name: str, ref: Ref, words: tuple[str, ...]) -> Cached | None:
    cached = duel.values.get((name, ref))
    if cached is None:
        return None
    subscriptions = duel.game.subscriptions
    if cached.value is not duel.game.store.values.get(ref):
        return None
    if cached.passives != sum(subscriptions.version(word) for word in words):
        return None
    if cached.state not in (-1, duel.game.version):
        return None
    if duel.recheck_every:
        duel.reads += 1
        if duel.reads % duel.recheck_every == 0:
            duel.expected[(name, ref)] = cached.answer
            return None
    return cached


def _keep(
    duel: Duel, name: str, ref: Ref, words: tuple[str, ...], answer: Any, reads_state: bool
) -> Any:
    subscriptions = duel.game.subscriptions
    if duel.recheck_every:
        expected = duel.expected.pop((name, ref), answer)
        assert expected == answer, f"cached {name} of {ref} was {expected}, is {answer}"
    if len(duel.values) > 512:
        duel.values.clear()
    duel.values[(name, ref)] = Cached(
        duel.game.store.values.get(ref),
        sum(subscriptions.version(word) for word in words),
        duel.game.version if reads_state else -1,
        answer,
    )
    return answer


def _reads_state(duel: Duel, asks: str, ref: Ref) -> bool:
    word = ask(asks)
    if not duel.game.subscriptions.live.get(word):
        return False
    return any(record.reads_state for record in duel.game.subscriptions.matching(word, (ref,)))


# ---------------------------------------------------------------- layer 1: control


_CONTROLLER = ask("controller")


def controller(duel: Duel, ref: Ref) -> Seat:
    """Who controls an object: the base controller, and of the effects that change it the latest."""
    value = duel.game.store.values.get(ref)
    if value is None:
        return _controller_elsewhere(duel, ref)
    if not duel.game.subscriptions.live.get(_CONTROLLER):
        seat: Seat = value.controller
        return seat
    cached = _cached(duel, "controller", ref, (_CONTROLLER,))
    if cached is not None:
        return int(cached.answer)
    found = value.controller
    since = getattr(value, "control_stamp", 0)  # a battlefield's control has none
    for record in controlling(duel, ref, since):
        found = _control_to(duel, record)
    return int(_keep(duel, "controller", ref, (_CONTROLLER,), found, reads_state=False))


def controlling(duel: Duel, ref: Ref, since: int = 0) -> list[Record]:
    """The effects on who controls an object, the one that counts last.

    since: the stamp of its base control, to which older ones have lost.
    """
    # The question must not ask itself who controls what: only effects on this very object count.
    return [
        record
        for record in duel.game.subscriptions.about(ref)
        if record.kind == "passive" and record.stamp >= since
        if any(change.asks == "controller" for change in record.ability.changes)
    ]


def _control_to(duel: Duel, record: Record) -> Seat:
    found = [change.who for change in record.ability.changes if change.asks == "controller"]
    return players(found[-1], duel.scope_of(record))[0]


def gives_control(duel: Duel, ref: Ref, seat: Seat) -> list[Record]:
    """The effects that give control of an object to a seat."""
    return [record for record in controlling(duel, ref) if _control_to(duel, record) == seat]


def _controller_elsewhere(duel: Duel, ref: Ref) -> Seat:
    known = duel.game.last_known(ref, "controller")
    if known is not None and not duel.game.board.is_there(ref):
        return int(known)
    item = duel.game.store.get(("item of", ref))
    if item is not None:
        return int(duel.game.store.values[("item", item)].controller)
    return duel.game.board.card(ref).owner


def has_tag(duel: Duel, ref: Ref, tag: str) -> bool:
    """Whether an object has a tag, printed or given (472.1.c)."""
    wanted = tag.lower()
    if wanted in (known.lower() for known in duel.definition(ref).tags):
        return True
    return any(change.word.lower() == wanted for _, change, _ in answers(duel, "tags", ref))


# ---------------------------------------------------------------- layer 2: abilities

GIVES_TIMING = "gives timing"
"""The index word of passives that give keywords which say when a card may be played."""
TIMINGS = ("Action", "Reaction", "Quick-Draw")
AT_LEAST_ONE = ("Assault", "Shield", "Deflect")
""" "If X is omitted, it is presumed to be 1" (807.1.b.3, 814.1.b.3, 809.1.b.3)."""
_KEYWORD_WORDS = tuple(ask(word) for word in ("keyword", "no keyword", "no abilities"))


def lost_abilities(duel: Duel, ref: Ref) -> bool:
    """Whether something takes all its abilities away."""
    return any(True for _ in answers(duel, "no abilities", ref))


def keywords_of(duel: Duel, ref: Ref) -> dict[str, int]:
    """The keywords that an object has, each with its amount (summed; 0 for those without)."""
    cached = _cached(duel, "keywords", ref, _KEYWORD_WORDS)
    if cached is not None:
        found: dict[str, int] = cached.answer
        return found
    before = duel.guessed
    have = dict(duel.definition(ref).keyword_amounts)
    for part in keyword_parts(duel, ref):
        if part.lost:
            del have[part.word]
        else:
            have[part.word] = have.get(part.word, 0) + part.amount
    if duel.guessed == before:
        reads = any(_reads_state(duel, word[4:], ref) for word in _KEYWORD_WORDS)
        _keep(duel, "keywords", ref, _KEYWORD_WORDS, have, reads)
    return have


def keyword_parts(duel: Duel, ref: Ref) -> list[Part]:
    """What makes an object's keywords of the printed ones, in order; only what takes effect."""
    have = dict(duel.definition(ref).keyword_amounts)
    parts: list[Part] = []
    live = duel.game.subscriptions.live
    taking = live.get(ask("no abilities")) and next(answers(duel, "no abilities", ref), None)
    if taking:
        parts += [Part("keyword", -have[word], taking[0], word=word, lost=True) for word in have]
        have.clear()
    if getattr(duel.game.store.values.get(ref), "attached_to", None) is not None:
        # 722.1: an attached gear still has its keywords, but they do nothing.
        parts += [
            Part("keyword", -number, rule="attached", word=word, clause="722.1")
            for word, number in have.items()
            if number
        ]
        have = dict.fromkeys(have, 0)
    for record, change, scope in answers(duel, "keyword", ref):
        number = amount(change.amount, scope)
        if change.amount is None and change.word in AT_LEAST_ONE:
            number = 1
        parts.append(Part("keyword", number, record, word=change.word))
        have[change.word] = have.get(change.word, 0) + number
    for record, change, _ in answers(duel, "no keyword", ref):
        if change.word in have:
            number = -have.pop(change.word)
            parts.append(Part("keyword", number, record, word=change.word, lost=True))
    return parts


def has_keyword(duel: Duel, ref: Ref, keyword: str) -> bool:
    """Whether an object has a keyword (one that left: whether it had it)."""
    known = duel.game.last_known(ref, "keywords")
    if known is not None:
        return keyword in known
    return keyword in keywords_of(duel, ref)


# ---------------------------------------------------------------- layer 3: Might

_MIGHT_WORDS = (ask("might"), *_KEYWORD_WORDS)
ROUNDS_MAX = 8
"""How often the layers are gone through for one answer, at most."""


def might(duel: Duel, ref: Ref) -> int:
    """A unit's Might: set, then increases, then decreases; never below 0 for what counts it."""
    return stable_might(duel, ref)[0]


def stable_might(duel: Duel, ref: Ref) -> tuple[int, list[Part]]:
    """The same with what makes it of the printed Might, before it is cut off at 0; in the middle of
    working it out, what it looks like so far."""
    cached = _cached(duel, "might", ref, _MIGHT_WORDS)
    if cached is not None:
        known: tuple[int, list[Part]] = cached.answer
        return known
    if ref in duel.guesses:
        duel.guessed += 1
        return duel.guesses[ref], []
    first = duel.guessed
    found = _stable_might(duel, ref)
    if duel.guessed != first and duel.guesses:
        return found
    reads = _reads_state(duel, "might", ref) or any(
        _reads_state(duel, word[4:], ref) for word in _KEYWORD_WORDS
    )
    _keep(duel, "might", ref, _MIGHT_WORDS, found, reads)
    return found


def _stable_might(duel: Duel, ref: Ref) -> tuple[int, list[Part]]:
    """471: the layers are applied again until nothing changes: what gives a unit Shield while it is
    Mighty asks for the Might that Shield is part of. It starts from the unit without any of it."""
    value: Permanent = duel.game.store.values[ref]
    printed = int(duel.definition(ref).might)
    total, parts = printed + value.buffs, []
    for _ in range(ROUNDS_MAX):
        before, guess = duel.guessed, total
        duel.guesses[ref] = guess
        try:
            parts = might_parts(duel, ref)
        finally:
            del duel.guesses[ref]
        total = max(0, printed + summed(parts))
        if duel.guessed == before or total == guess:
            break
    return total, parts


def total_might(duel: Duel, ref: Ref) -> int:
    """A unit's Might before it is cut off at 0; a limited decrease takes what it took at first."""
    return int(duel.definition(ref).might) + summed(might_parts(duel, ref))


def might_parts(duel: Duel, ref: Ref) -> list[Part]:
    """What makes that total of the printed Might, in the order of the layer."""
    value: Permanent = duel.game.store.values[ref]
    total = int(duel.definition(ref).might)
    parts: list[Part] = []
    found = [
        (record, change, amount(change.amount, scope))
        for record, change, scope in answers(duel, "might", ref)
    ]
    for record, change, number in found:
        if change.set:
            parts.append(Part("might", number - total, record, becomes=number))
            total = number
    if value.buffs:
        parts.append(Part("might", value.buffs, rule="buffs", clause="432"))
    parts += _combat_keywords(duel, ref, value)
    parts += [
        Part("might", number, record)
        for record, change, number in found
        if not change.set and number > 0
    ]
    total = int(duel.definition(ref).might) + summed(parts)
    for record, change, number in found:
        if not change.set and number < 0:
            taken = _taken(record, change, ref, number, total)
            limit = f"not below {change.least or 0}" if taken < -number else ""
            parts.append(Part("might", -taken, record, limit))
            total -= taken
    return parts


def _taken(record: Record, change: Change, ref: Ref, number: int, total: int) -> int:
    """What a decrease takes: with a limit what it took when it first applied (472.3.b)."""
    known = dict(record.taken).get(taken_key(record.ability, change, ref))
    if known is not None:
        return known
    floor = change.least if change.least is not None else min(total, 0)
    return total - max(min(total, floor), total + number)


def taken_key(ability: Ability, change: Change, ref: Ref) -> str:
    """Under which word a record keeps what a limited change took from an object."""
    return f"{ability.changes.index(change)}:{ref.card}.{ref.residency}"


_IN_COMBAT = {"attacker": ("Assault", "807"), "defender": ("Shield", "814")}


def _combat_keywords(duel: Duel, ref: Ref, value: Permanent) -> list[Part]:
    if not value.designation:
        return []
    keyword, clause = _IN_COMBAT[value.designation]
    number = keywords_of(duel, ref).get(keyword, 0)
    return [Part("might", number, rule=keyword, clause=clause)] if number else []


# ---------------------------------------------------------------- Bonus Damage, permissions


def bonus_damage(duel: Duel, card: Ref | None) -> int:
    """712-715: the Bonus Damage of a spell on the chain, several sources added up."""
    if card is None:
        return 0
    return sum(
        amount(change.amount, scope) for _, change, scope in answers(duel, "bonus damage", card)
    )


def forbidden(duel: Duel, what: str, seat: Seat | None, ref: Ref | None) -> Record | None:
    """The passive that forbids an action to a player or about an object; None if none does."""
    for record, change, _ in answers(duel, "must not", ref, seat):
        if change.word == what:
            return record
    return None


def permitted(duel: Duel, what: str, seat: Seat | None, ref: Ref | None) -> bool:
    """Whether a passive allows an action that the rules do not."""
    return any(change.word == what for _, change, _ in answers(duel, "may", ref, seat))


def given_timing(duel: Duel, seat: Seat, ref: Ref) -> str:
    """Whether effects let a card be played as a Reaction or an Action ("" for neither)."""
    words = {change.word for _, change, _ in answers(duel, "may", ref, seat)}
    if duel.game.subscriptions.live.get(GIVES_TIMING):
        words |= {change.word for _, change, _ in answers(duel, "keyword", ref, seat)}
    if words & {"play as reaction", "Reaction", "Quick-Draw"}:
        return "reaction"
    return "action" if words & {"play as action", "Action"} else ""


def playable(duel: Duel, seat: Seat) -> list[Ref]:
    """The cards outside the hand that passives let a player play from where they are (419)."""
    if not duel.game.subscriptions.live.get(ask("may")):
        return []
    board = duel.game.board
    found = []
    for owner in duel.seats():
        open_zones = (board.zone(f"{zone}:{owner}") for zone in ("trash", "banishment"))
        cards = [ref for refs in open_zones for ref in refs]
        cards += board.zone(f"deck:{owner}")[-1:]
        found += [ref for ref in cards if permitted(duel, "play", seat, ref)]
    return found


def set_by(change: Change, scope: Scope) -> str:
    """What a change of the base cost makes of it, as `base_price` reads it."""
    match change.word:
        case "free energy":
            return "energy"
        case "free power":
            return "power"
    number = amount(change.amount, scope)
    return f"={number}" if number else "all"


def set_cost(duel: Duel, seat: Seat, ref: Ref) -> str:
    """What effects make of a card's base cost, as `costs.base_price` reads it; "" for nothing."""
    found = ""
    for _, change, scope in answers(duel, "base cost", ref, seat):
        found = set_by(change, scope)
    return found


def times_triggered(duel: Duel, record: Record) -> int:
    """How often a triggered ability triggers."""
    more = 0
    for _, change, scope in answers(duel, "trigger count", record.source.object, record.controller):
        more += amount(change.amount, scope)
    return 1 + more
