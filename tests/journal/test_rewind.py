"""Journals of games in which the seats went back by agreement."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import msgspec
import pytest

from journal import toy_rules
from journal.games import header, new_game, played, use_toy, write
from longfuse.bots.play import next_decision
from longfuse.bots.random import RandomBot
from longfuse.game.entries import Entry, Recorded, Rewind
from longfuse.game.game import Game
from longfuse.game.randomness import key_of_seed
from longfuse.journal.format import Chain, End, Entered, Line
from longfuse.journal.reader import read
from longfuse.journal.replay import Replayed, replay
from longfuse.journal.verify import Finding, Verdict, verify

ENTRIES, LAST = played()


@pytest.fixture(autouse=True)
def toy(monkeypatch: pytest.MonkeyPatch) -> None:
    """The toy is what is played here."""
    use_toy(monkeypatch)


def after(entries: Sequence[Entry]) -> Game:
    """The game after these entries."""
    game = new_game()
    for entry in entries:
        game.advance(entry)
    return game


def sealed(
    recorded: Sequence[Recorded], change: Callable[[Entered], Entered] = lambda line: line
) -> list[bytes]:
    """A journal of these entries, each with the state that came of it, and the end if it is one."""
    standing: list[tuple[int, Entry]] = []
    lines: list[Line] = [header()]
    game = new_game()
    for n, entry in enumerate(recorded, 1):
        if isinstance(entry, Rewind):
            standing = [one for one in standing if one[0] <= entry.to]
            game = after([one for _, one in standing])
        else:
            standing.append((n, entry))
            game.advance(entry)
        lines.append(change(Entered(n=n, entry=entry, state=game.state_hash())))
    if game.result is not None:
        lines.append(End(entries=len(recorded), result=game.result))
    chain = Chain()
    return [chain.seal(line) for line in lines]


def checked(
    tmp_path: Path, recorded: Sequence[Recorded], change: Callable[[Entered], Entered] | None = None
) -> Verdict:
    """What comes of verifying that journal."""
    lines = sealed(recorded) if change is None else sealed(recorded, change)
    return verify(write(tmp_path / "game.jsonl", lines), unfinished=True)


def finding(verdict: Verdict) -> Finding:
    """What is wrong with it."""
    assert verdict.finding is not None
    return verdict.finding


def test_a_game_that_went_back_comes_out_the_same(tmp_path: Path) -> None:
    """Once, to the start, and again over what was gone back over: the end is the same."""
    first = ENTRIES[:6]
    whole = [*first, Rewind(0, 4), *ENTRIES[4:6], Rewind(1, 0), *ENTRIES]
    verdict = checked(tmp_path, whole)

    assert verdict.is_same, verdict
    assert verdict.over
    assert verdict.state == LAST.state_hash()


def test_any_entry_can_be_looked_at(tmp_path: Path) -> None:
    """What stands at each is what was entered and not undone."""
    recorded = [*ENTRIES[:6], Rewind(0, 4), *ENTRIES[4:8]]
    journal = read(write(tmp_path / "game.jsonl", sealed(recorded)))
    states: list[str] = []

    def look(replayed: Replayed) -> None:
        states.append(replayed.game.state_hash())

    replay(journal, after=look)
    expected = [ENTRIES[:n] for n in (*range(7), 4, 5, 6, 7, 8)]
    assert states == [after(entries).state_hash() for entries in expected]
    assert [line.n for line in replay(journal).standing] == [1, 2, 3, 4, 8, 9, 10, 11]


def test_other_decisions_draw_as_they_would_have(tmp_path: Path) -> None:
    """After going back, the game goes another way, and verifies to its end."""
    bots = [RandomBot("another", seat) for seat in (0, 1)]
    recorded: list[Recorded] = [*ENTRIES[:8], Rewind(0, 2)]
    game = after(ENTRIES[:2])
    while game.result is None:
        entry = next_decision(game, bots)
        game.advance(entry)
        recorded.append(entry)
    verdict = checked(tmp_path, recorded)

    assert verdict.is_same, verdict
    assert verdict.state == game.state_hash()


@pytest.mark.parametrize("to", [5, 6, 7, 99])
def test_going_back_to_what_is_not_there(tmp_path: Path, to: int) -> None:
    """Neither to an entry that was undone, nor to a going back, nor to what is yet to come."""
    recorded = [*ENTRIES[:6], Rewind(0, 4)]
    lines = sealed([*recorded, Rewind(0, 4)], lambda line: _to(line, 8, to))
    verdict = verify(write(tmp_path / "game.jsonl", lines), unfinished=True)

    wrong = finding(verdict)
    assert (wrong.kind, wrong.entry) == ("game", 8)
    assert "undone" in wrong.reason


def _to(line: Entered, n: int, to: int) -> Entered:
    return msgspec.structs.replace(line, entry=Rewind(0, to)) if line.n == n else line


def test_a_state_that_differs_after_going_back(tmp_path: Path) -> None:
    """What is recorded with the going back is compared like any other state."""
    recorded = [*ENTRIES[:6], Rewind(0, 4)]
    other = after(ENTRIES[:3]).state_hash()

    def change(line: Entered) -> Entered:
        return msgspec.structs.replace(line, state=other) if line.n == 7 else line

    wrong = finding(checked(tmp_path, recorded, change))
    assert (wrong.entry, wrong.recorded) == (7, other)


def test_a_game_that_comes_out_otherwise_when_it_is_played_anew(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is found at the going back, though nothing is recorded with that."""
    recorded = [*ENTRIES[:6], Rewind(0, 1)]
    journal = write(tmp_path / "game.jsonl", sealed(recorded, lambda line: _bare(line, 7)))
    honest, keys = toy_rules.create, iter([key_of_seed("1"), key_of_seed("other")])

    def create(*arguments: Any, key: bytes, **told: Any) -> Game:
        return honest(*arguments, key=next(keys), **told)

    monkeypatch.setattr(toy_rules, "create", create)
    wrong = finding(verify(journal, unfinished=True))

    assert wrong.entry == 7
    assert "played anew, entry 1 comes to another state" in wrong.reason


def _bare(line: Entered, n: int) -> Entered:
    return msgspec.structs.replace(line, state="") if line.n == n else line
