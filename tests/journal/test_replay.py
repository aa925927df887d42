"""Replaying a journal gives the same game, and says where it does not."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from journal import toy_rules
from journal.games import header, journal_lines, new_game, played, use_toy, write
from longfuse.game.entries import Decision, Entry, Interruption, Result, TakeBack
from longfuse.journal.format import Chain, End, Entered, JournalError, Line
from longfuse.journal.reader import read
from longfuse.journal.replay import Difference, replay
from longfuse.journal.verify import verify


@pytest.fixture(autouse=True)
def toy(monkeypatch: pytest.MonkeyPatch) -> None:
    """The toy is what is played here."""
    use_toy(monkeypatch)


@pytest.mark.parametrize("seed", ["1", "2", "3"])
def test_a_journal_gives_the_same_game(tmp_path: Path, seed: str) -> None:
    """The state hash and the result after the last entry are those of the game that was played."""
    _, game = played(seed)
    journal = read(write(tmp_path / "a", journal_lines(seed)))

    again = replay(journal).game

    assert again.state_hash() == game.state_hash()
    assert again.result == game.result


def test_a_journal_can_be_replayed_up_to_any_entry(tmp_path: Path) -> None:
    """At entry N the game is as it was when N was entered."""
    entries, _ = played()
    journal = read(write(tmp_path / "a", journal_lines()))
    game = new_game()

    for n, entry in enumerate(entries[:10]):
        assert replay(journal, to=n).game.state_hash() == game.state_hash()
        game.advance(entry)


def test_there_is_no_entry_after_the_last(tmp_path: Path) -> None:
    """Asking for one is an error that names the last."""
    journal = read(write(tmp_path / "a", journal_lines(limit=4)))

    with pytest.raises(JournalError, match="the last is 4"):
        replay(journal, to=5)


def take_back_game() -> list[Entry]:
    """A fuse that is lit, taken back, and lit again; then the seat concedes."""
    return [
        Decision(0, 1, 1),
        TakeBack(0),
        Decision(0, 3, 1),
        Decision(0, 4, 0),
        Interruption("concede", 0),
    ]


def test_take_backs_and_interruptions_are_replayed(tmp_path: Path) -> None:
    """They are entries like decisions, and the game ends as it did."""
    lines = journal_lines(entries=take_back_game())
    path = write(tmp_path / "a", lines)

    assert verify(path).finding is None
    assert replay(read(path)).game.result == Result(1, "conceded", "2.2")


def test_a_taken_back_play_leaves_no_trace(tmp_path: Path) -> None:
    """After it the state hash is the one from before the play."""
    journal = read(write(tmp_path / "a", journal_lines(entries=take_back_game())))

    assert replay(journal, to=2).game.state_hash() == replay(journal, to=0).game.state_hash()


def changed_at(n: int, **fields: object) -> object:
    """A change of one entry that keeps the chain sound."""

    def change(line: Line) -> Line:
        if isinstance(line, Entered) and line.n == n:
            return msgspec.structs.replace(line, **fields)
        return line

    return change


@pytest.mark.parametrize(
    ("n", "fields", "word"),
    [
        (3, {"state": "0" * 32}, "the state differs"),
        (4, {"entry": Decision(0, 99, 0)}, "refuses it"),
        (2, {"entry": TakeBack(1)}, "refuses it"),
        (1, {"entry": Interruption("agreed draw")}, "refuses it"),
        (2, {"entry": Interruption("concede", 0)}, "the state differs"),
    ],
)
def test_the_first_entry_that_differs_is_named(
    tmp_path: Path, n: int, fields: dict[str, object], word: str
) -> None:
    """A journal that was rewritten with a sound chain is still found out by playing it."""
    path = write(tmp_path / "a", journal_lines(change=changed_at(n, **fields)))

    finding = verify(path).finding

    assert finding is not None
    assert (finding.kind, finding.entry) == ("game", n)
    assert word in finding.reason


@pytest.mark.parametrize(
    "result", [Result(0, "Ada has 12 points", "2.1"), Result(1, "Bo cheated", "2.1")]
)
def test_another_result_is_a_difference(tmp_path: Path, result: Result) -> None:
    """The end says who won and why, and both are compared."""

    def change(line: Line) -> Line:
        return msgspec.structs.replace(line, result=result) if isinstance(line, End) else line

    finding = verify(write(tmp_path / "a", journal_lines(change=change))).finding

    assert finding is not None
    assert "ends otherwise" in finding.reason


def test_an_end_before_the_end_is_a_difference(tmp_path: Path) -> None:
    """A game that is not over cannot have a result."""
    chain = Chain()
    lines = [chain.seal(header()), chain.seal(End(entries=0, result=Result(0, "won")))]

    finding = verify(write(tmp_path / "a", lines)).finding

    assert finding is not None
    assert "not over" in finding.reason


def test_another_seed_is_a_difference(tmp_path: Path) -> None:
    """The header is part of the game: other cards come."""

    def change(line: Line) -> Line:
        return (
            msgspec.structs.replace(line, randomness=header("9").randomness)
            if _heads(line)
            else line
        )

    finding = verify(write(tmp_path / "a", journal_lines(change=change))).finding

    assert finding is not None
    assert (finding.kind, finding.entry) == ("game", 1)


def _heads(line: Line) -> bool:
    return not isinstance(line, Entered | End)


def test_other_rules_may_not_silently_go_on_with_a_game(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A journal of another rules version is refused unless that is asked for."""
    path = write(tmp_path / "a", journal_lines())
    monkeypatch.setattr(toy_rules, "rules_version", lambda: "toy 2")

    finding = verify(path).finding

    assert finding is not None
    assert "other rules" in finding.reason
    assert verify(path, any_version=True).finding is None


def test_a_game_that_broke_is_reported_where_it_breaks(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The entry at which a rule raises is in the journal, and raises again."""
    path = write(tmp_path / "a", journal_lines(limit=6))

    def breaks(*_: object) -> None:
        raise ZeroDivisionError("a card")

    monkeypatch.setattr(toy_rules.Toy, "share", breaks)
    with pytest.raises(Difference) as caught:
        replay(read(path))

    assert caught.value.entry >= 1
    assert "ZeroDivisionError" in str(caught.value)


def test_a_file_cut_between_lines_is_cut_off_unless_the_game_still_runs(tmp_path: Path) -> None:
    """Verifying names the last entry that is there; a running game is verified on request."""
    path = write(tmp_path / "a", journal_lines(limit=7))

    finding = verify(path).finding

    assert finding is not None
    assert (finding.kind, finding.entry) == ("journal", 7)
    assert verify(path, unfinished=True).finding is None


def test_a_game_that_stopped_in_a_line_is_verified_up_to_there(tmp_path: Path) -> None:
    """A server that was killed as it wrote has promised that line to nobody."""
    lines = journal_lines(limit=7)
    path = write(tmp_path / "a", [*lines[:-1], lines[-1][:20]])

    finding, verdict = verify(path).finding, verify(path, unfinished=True)

    assert finding is not None
    assert (finding.kind, finding.entry) == ("journal", 7)
    assert "cut off" in finding.reason
    assert (verdict.finding, verdict.entries) == (None, 6)


def test_an_unknown_ruleset_is_reported(tmp_path: Path) -> None:
    """The message names those that are known."""
    lines = [Chain().seal(header(ruleset="whist"))]

    finding = verify(write(tmp_path / "a", lines), unfinished=True).finding

    assert finding is not None
    assert "'whist'" in finding.reason
    assert "toy" in finding.reason


@pytest.mark.parametrize("seats", [header().seats[:1], header().seats[:1] * 3])
def test_a_game_that_cannot_be_set_up_is_reported(tmp_path: Path, seats: object) -> None:
    """The ruleset's refusal becomes the journal's error."""
    lines = [Chain().seal(header(seats=seats))]

    finding = verify(write(tmp_path / "a", lines), unfinished=True).finding

    assert finding is not None
    assert "cannot be set up" in finding.reason
