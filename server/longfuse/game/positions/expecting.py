"""Expectations: whether what a file says must hold does hold.

Owns the comparing of expectation tables with a game. Tables compare only the keys that they name;
the first difference is reported. It changes nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from longfuse.game.positions import expecting_records
from longfuse.game.positions.answers import item_fits
from longfuse.game.positions.expecting_records import card_name, ref_name
from longfuse.game.positions.outcome import Mismatch
from longfuse.game.positions.said import plain
from longfuse.game.positions.steps import Step, read_steps
from longfuse.game.positions.words import SEATS
from longfuse.timing.references import Ref

if TYPE_CHECKING:
    from longfuse.game.positions.running import Runner


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
        return same_zone(str(wanted), str(found))
    if key == "keywords":
        have = {plain(word) for word in found}
        return all(plain(word) in have for word in wanted) and (bool(wanted) or not have)
    if key == "attached_to":
        return bool(wanted == ref_name(runner, found))
    if isinstance(wanted, dict):
        return all((found or {}).get(name, 0) == number for name, number in wanted.items())
    return bool(wanted == found)


def same_zone(wanted: str, found: str) -> bool:
    """A zone may be said with whose it is, or without."""
    return wanted == found or ("." not in wanted and wanted == found.partition(".")[2])


def _shown(found: Any, runner: Runner) -> Any:
    return ref_name(runner, found) if isinstance(found, Ref) else found


def _seat(runner: Runner, name: str, wanted: Mapping[str, Any]) -> None:
    found = dict(runner.table.seat_facts(SEATS.index(name)))
    different: dict[str, Any] = {}
    for key, value in wanted.items():
        if key == "hand_has":
            hand = [card_name(runner, card) for card in found["hand_cards"]]
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


# ---------------------------------------------------------------- the chain


def _chain(runner: Runner, wanted: list[Mapping[str, Any]]) -> None:
    found = [
        {
            **item,
            "source": card_name(runner, item["source"]) if item["source"] is not None else "none",
        }
        for item in runner.table.game_facts()["chain"]
    ]
    same = len(found) == len(wanted) and all(
        all(item.get(key) == value for key, value in one.items())
        for one, item in zip(wanted, found, strict=True)
    )
    if not same:
        raise Mismatch({"chain": wanted}, {"chain": found})


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
    "waiting": expecting_records.waiting,
    "waiting_count": expecting_records.waiting_count,
    "ended": expecting_records.ended,
    "prompt": _prompt,
    "legal": _legal,
    "illegal": _illegal,
    "happened": _happened,
    "showdown": _showdown,
    "control": _control,
    "either": _either,
}
