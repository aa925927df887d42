"""Expectations: whether what a file says must hold does hold.

Owns the comparing of expectation tables with a game. Tables compare only the keys that they name;
the first difference is reported. It changes nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from longfuse.game.positions import windows
from longfuse.game.positions.answers import item_fits
from longfuse.game.positions.outcome import Mismatch
from longfuse.game.positions.said import plain
from longfuse.game.positions.steps import Step, read_steps
from longfuse.game.positions.words import SEATS
from longfuse.timing.references import Ref

if TYPE_CHECKING:
    from longfuse.game.positions.running import Runner
    from longfuse.timing.records import Record


def check(runner: Runner, expect: Mapping[str, Any]) -> None:
    """Hold the game to an expectation table.

    Raises:
        Mismatch: something is different.
    """
    for key, wanted in expect.items():
        special = _SPECIAL.get(key)
        if special is not None:
            special(runner, wanted)
        elif key in SEATS:
            _seat(runner, key, wanted)
        elif key in runner.table.cards and isinstance(wanted, dict):
            _object(runner, key, wanted)
        else:
            found = runner.table.game_facts().get(key)
            if found != wanted:
                raise Mismatch({key: wanted}, {key: found})


# ---------------------------------------------------------------- names


def _name(runner: Runner, card: int) -> str:
    """What the file calls a card; its printed name if it has no ref."""
    for ref, number in runner.table.cards.items():
        if number == card:
            return ref
    return runner.game.board.cards[card].name


def _ref_name(runner: Runner, ref: Ref | None) -> str:
    return _name(runner, ref.card) if ref is not None else "none"


# ---------------------------------------------------------------- objects and players


def _object(runner: Runner, name: str, wanted: Mapping[str, Any]) -> None:
    board = runner.game.board
    card = runner.table.cards[name]
    place = board.place(card)
    ref = Ref(card, place.residency)
    found: dict[str, Any] = {"exists": place.zone != ""}
    if found["exists"]:
        found.update(runner.table.object_facts(ref))
        found["same_object"] = ref == runner.table.began.get(name)
    different = {}
    for key, value in wanted.items():
        if key not in found and not found["exists"]:
            different[key] = "it does not exist"
        elif not _same_fact(key, value, found.get(key), runner):
            different[key] = _shown(found.get(key), runner)
    if different:
        raise Mismatch({name: {key: wanted[key] for key in different}}, {name: different})


def _same_fact(key: str, wanted: Any, found: Any, runner: Runner) -> bool:
    if key == "zone":
        return _same_zone(str(wanted), str(found))
    if key == "keywords":
        have = {plain(word) for word in found}
        return all(plain(word) in have for word in wanted) and (bool(wanted) or not have)
    if key == "attached_to":
        return bool(wanted == _ref_name(runner, found))
    if isinstance(wanted, dict):
        return all((found or {}).get(name, 0) == number for name, number in wanted.items())
    return bool(wanted == found)


def _same_zone(wanted: str, found: str) -> bool:
    """A zone may be said with whose it is, or without."""
    return wanted == found or ("." not in wanted and wanted == found.partition(".")[2])


def _shown(found: Any, runner: Runner) -> Any:
    return _ref_name(runner, found) if isinstance(found, Ref) else found


def _seat(runner: Runner, name: str, wanted: Mapping[str, Any]) -> None:
    found = dict(runner.table.seat_facts(SEATS.index(name)))
    different: dict[str, Any] = {}
    for key, value in wanted.items():
        if key == "hand_has":
            hand = [_name(runner, card) for card in found["hand_cards"]]
            if not all(one in hand for one in value):
                different[key] = hand
        elif isinstance(value, dict):
            have = found.get(key) or {}
            if any(have.get(one, 0) != number for one, number in value.items()):
                different[key] = have
        elif found.get(key) != value:
            different[key] = found.get(key)
    if different:
        raise Mismatch({name: {key: wanted[key] for key in different}}, {name: different})


# ---------------------------------------------------------------- chain, waiting, ended


def _chain(runner: Runner, wanted: list[Mapping[str, Any]]) -> None:
    found = [
        {**item, "source": _name(runner, item["source"]) if item["source"] is not None else "none"}
        for item in runner.table.game_facts()["chain"]
    ]
    same = len(found) == len(wanted) and all(
        all(item.get(key) == value for key, value in one.items())
        for one, item in zip(wanted, found, strict=True)
    )
    if not same:
        raise Mismatch({"chain": wanted}, {"chain": found})


def _records(runner: Runner) -> list[Record]:
    """The delayed abilities that wait; one that is bound to its object has been used up."""
    waiting = runner.game.subscriptions.waiting()
    return [record for record in waiting if record.bound is None]


def _waiting(runner: Runner, wanted: list[Mapping[str, Any]]) -> None:
    records = _records(runner)
    fits = _matched(wanted, records, lambda one, record: _is_record(runner, one, record))
    if not fits or len(records) != len(wanted):
        found = [_told(runner, record) for record in records]
        raise Mismatch({"waiting": wanted}, {"waiting": found})


def _waiting_count(runner: Runner, wanted: int) -> None:
    records = _records(runner)
    if len(records) != wanted:
        found = [_told(runner, record) for record in records]
        raise Mismatch({"waiting_count": wanted}, {"waiting": found})


def _ended(runner: Runner, wanted: list[Mapping[str, Any]]) -> None:
    """Each must have ended so; others may have ended besides, but an empty list means none."""
    ended = [(end.record, str(end.reason)) for end in runner.game.installed.ended()]
    bound = [record for record in runner.game.subscriptions.waiting() if record.bound is not None]
    ended += [(record, "fired") for record in bound]

    def is_end(one: Mapping[str, Any], end: tuple[Record, str]) -> bool:
        return one.get("reason", end[1]) == end[1] and _is_record(runner, one, end[0])

    if not _matched(wanted, ended, is_end) or (not wanted and ended):
        found = [{**_told(runner, record), "reason": reason} for record, reason in ended]
        raise Mismatch({"ended": wanted}, {"ended": found})


def _matched(
    wanted: list[Mapping[str, Any]],
    found: list[Any],
    fits: Callable[[Mapping[str, Any], Any], bool],
) -> bool:
    """Whether each wanted table fits one of the found, each one another."""
    if not wanted:
        return True
    for number, one in enumerate(found):
        rest = found[:number] + found[number + 1 :]
        if fits(wanted[0], one) and _matched(wanted[1:], rest, fits):
            return True
    return False


def _is_record(runner: Runner, wanted: Mapping[str, Any], record: Record) -> bool:
    source = record.source.object
    facts = {
        "source": _ref_name(runner, source) if source is not None else record.source.card,
        "controller": SEATS[record.controller],
        "kind": windows.kind_of(record),
        "uses": windows.uses_of(record),
    }
    for key, value in wanted.items():
        if key == "about":
            if value not in [_ref_name(runner, ref) for ref in windows.about_of(record)]:
                return False
        elif key == "window":
            if not windows.says(str(value), record.window, _namer(runner)):
                return False
        elif key in facts and facts[key] != value:
            return False
    return True


def _told(runner: Runner, record: Record) -> dict[str, Any]:
    source = record.source.object
    return {
        "source": _ref_name(runner, source) if source is not None else record.source.card,
        "controller": SEATS[record.controller],
        "kind": windows.kind_of(record),
        "about": [_ref_name(runner, ref) for ref in windows.about_of(record)],
        "window": windows.phrases(record.window, _namer(runner))[0],
        "uses": windows.uses_of(record),
    }


def _namer(runner: Runner) -> windows.Namer:
    def source(number: int) -> str:
        record = runner.game.subscriptions.records.get(number)
        return _ref_name(runner, record.source.object) if record is not None else "none"

    return windows.Namer(lambda ref: _ref_name(runner, ref), runner.table.mark_words, source)


# ---------------------------------------------------------------- prompts and actions


def _prompt(runner: Runner, wanted: Mapping[str, Any] | str) -> None:
    prompt = runner.game.prompt
    if prompt is None or not isinstance(wanted, dict):
        if (prompt is None) != (wanted == "none"):
            found = runner.described(prompt) if prompt is not None else "none"
            raise Mismatch({"prompt": wanted}, {"prompt": found})
        return
    legal = [item for item in prompt.items if item.legal]

    def offers(name: Any) -> bool:
        return any(item_fits(runner.table, item, name) for item in legal)

    holds = (
        wanted.get("seat", SEATS[prompt.seat]) == SEATS[prompt.seat]
        and _same_kind(wanted.get("kind", prompt.kind), prompt.kind)
        and all(offers(name) for name in wanted.get("offers", ()))
        and not any(offers(name) for name in wanted.get("not_offers", ()))
    )
    if not holds:
        raise Mismatch({"prompt": wanted}, {"prompt": runner.described(prompt)})


def _same_kind(wanted: str, found: str) -> bool:
    """In a showdown whoever has focus has priority too."""
    return wanted == found or (wanted == "priority" and found == "focus")


def _legal(runner: Runner, wanted: list[Any]) -> None:
    for step in _steps(runner, wanted):
        refusal = runner.refusal(step)
        if refusal is not None:
            raise Mismatch({"legal": step.fields}, {"refused": str(refusal)})


def _illegal(runner: Runner, wanted: list[Any]) -> None:
    for step in _steps(runner, wanted):
        refusal = runner.refusal(step)
        because = step.get("because")
        if refusal is None:
            raise Mismatch({"illegal": step.fields}, "it is allowed")
        if because is not None and because not in refusal.words:
            raise Mismatch({"illegal": step.fields}, {"refused": str(refusal)})


def _steps(runner: Runner, tables: list[Any]) -> list[Step]:
    # Their errors were listed when the file was read.
    return read_steps(tables, runner.names, [])


# ---------------------------------------------------------------- what happened, where


def _happened(runner: Runner, wanted: Mapping[str, Mapping[str, int]]) -> None:
    for event, counts in wanted.items():
        found = runner.table.happened(event)
        for name, count in counts.items():
            key: str | int = name if name in SEATS else runner.table.cards[name]
            if found.get(key, 0) != count:
                told = {name: found.get(key, 0)}
                raise Mismatch({"happened": {event: {name: count}}}, {"happened": {event: told}})


def _showdown(runner: Runner, wanted: Mapping[str, Any] | str) -> None:
    found = runner.table.game_facts()["showdown"]
    if isinstance(wanted, dict) and isinstance(found, dict):
        same = all(found.get(key) == value for key, value in wanted.items())
    else:
        same = wanted == found
    if not same:
        raise Mismatch({"showdown": wanted}, {"showdown": found})


def _control(runner: Runner, wanted: Mapping[str, str]) -> None:
    found = runner.table.game_facts()["control"]
    if any(found.get(place) != seat for place, seat in wanted.items()):
        raise Mismatch({"control": wanted}, {"control": found})


def _either(runner: Runner, wanted: list[Mapping[str, Any]]) -> None:
    differences = []
    for expect in wanted:
        try:
            check(runner, expect)
        except Mismatch as wrong:
            differences.append(wrong.found)
        else:
            return
    raise Mismatch({"either": wanted}, differences)


_SPECIAL: dict[str, Callable[[Runner, Any], None]] = {
    "chain": _chain,
    "waiting": _waiting,
    "waiting_count": _waiting_count,
    "ended": _ended,
    "prompt": _prompt,
    "legal": _legal,
    "illegal": _illegal,
    "happened": _happened,
    "showdown": _showdown,
    "control": _control,
    "either": _either,
}
