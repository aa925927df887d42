"""Describing a replayed game, and explaining its events."""

from __future__ import annotations

from pathlib import Path

import pytest

from journal.games import journal_lines, use_toy, write
from longfuse.game.entries import Decision, Entry, Interruption, TakeBack
from longfuse.journal import describe, explain
from longfuse.journal.explain import Story
from longfuse.journal.format import JournalError
from longfuse.journal.reader import Journal, read
from longfuse.journal.replay import replay


@pytest.fixture(autouse=True)
def toy(monkeypatch: pytest.MonkeyPatch) -> None:
    """The toy is what is played here."""
    use_toy(monkeypatch)


FUSE_IS_LIT: list[Entry] = [Decision(0, 1, 1), Decision(0, 2, 0)]
"""A fuse is lit; the division comes next."""
FUSE_GOES_OFF: list[Entry] = [*FUSE_IS_LIT, Decision(0, 3, (2, 0))]


def journal(tmp_path: Path, entries: list[Entry]) -> Journal:
    return read(write(tmp_path / "a", journal_lines(entries=entries)))


def test_a_waiting_ability_is_described(tmp_path: Path) -> None:
    """Its words, window, remaining uses, source and controller are told in words."""
    told = describe.describe(replay(journal(tmp_path, FUSE_IS_LIT)))

    (waiting,) = told["waiting"]
    assert waiting["words"].startswith("The next time a player scores")
    assert waiting["kind"] == "trigger"
    assert waiting["window"] == "this turn"
    assert waiting["uses"] == 1
    assert waiting["source"] == "Fuse"
    assert waiting["controller"] == "P1"


def test_a_spent_ability_is_described_with_its_reason(tmp_path: Path) -> None:
    """It waits no more and has fired."""
    told = describe.describe(replay(journal(tmp_path, FUSE_GOES_OFF)))

    assert told["waiting"] == []
    assert [end["reason"] for end in told["ended"]] == ["fired"]


def test_zones_prompt_and_turn_are_described(tmp_path: Path) -> None:
    """The counts of all zones, whose turn it is, and what is asked with its items."""
    told = describe.describe(replay(journal(tmp_path, FUSE_IS_LIT)))

    assert told["zones"]["deck:0"] == 12
    assert told["zones"]["hand:1"] == 0
    assert (told["turn"], told["turn_player"], told["phase"]) == (1, "P1", "main")
    assert told["prompt"]["shape"] == "divide"
    assert [item["label"] for item in told["prompt"]["items"]] == ["0", "1"]
    assert told["result"] is None


def test_a_game_that_is_over_is_described(tmp_path: Path) -> None:
    """Nothing is asked, and the result names the winner."""
    told = describe.describe(replay(journal(tmp_path, [Interruption("concede", 1)])))

    assert told["prompt"] is None
    assert told["result"] == {"winner": "P1", "reason": "conceded", "clause": "2.2"}
    assert any("P1 wins" in line for line in describe.lines(told))


def test_the_lines_name_what_waits_and_what_is_asked(tmp_path: Path) -> None:
    """People get the same as programs."""
    lines = describe.lines(describe.describe(replay(journal(tmp_path, FUSE_IS_LIT))))

    assert any(line.startswith("waiting: Fuse of P1") for line in lines)
    assert any("Who gets points?" in line for line in lines)


def scored(story: Story) -> list[int]:
    return [n for n, message in story.events.items() if message.event == "scored"]


def test_an_event_is_explained_by_its_causes_and_clauses(tmp_path: Path) -> None:
    """The point of the fuse leads to the point that woke it, and that to the decision."""
    story = Story(journal(tmp_path, FUSE_GOES_OFF))
    first, second = scored(story)

    told = explain.explain(story, second)

    assert [step["event"] for step in told["steps"]] == [second, first]
    assert [step["clause"] for step in told["steps"]] == ["1.3", "1.1"]
    assert [step["told"] for step in told["steps"]] == ["Ada scores 1.", "Ada scores 2."]
    assert told["began_with"]["entry"] == 3
    assert "Who gets points? 0: 2, 1: 0" in told["began_with"]["told"]


def test_the_lines_of_an_explanation_lead_to_the_decision(tmp_path: Path) -> None:
    """One line a step, the last one the entry."""
    story = Story(journal(tmp_path, FUSE_GOES_OFF))

    lines = explain.lines(explain.explain(story, scored(story)[1]))

    assert "[1.3]" in lines[0]
    assert "because" in lines[1]
    assert "entry 3: P1 decides" in lines[2]


def test_a_fuse_is_explained_by_its_words_and_by_what_lit_it() -> None:
    """The delayed ability that acted stands under the step, with the event that made it."""
    told = {
        "steps": [
            {
                "event": 9,
                "told": "A fuse goes off: Fuse.",
                "clause": "1.3",
                "abilities": [{"id": 4, "words": "Fuse: Score 1.", "created_by_event": 5}],
            }
        ],
        "began_with": {"entry": 3, "told": "P1 decides"},
    }

    assert explain.lines(told)[:2] == [
        "9: A fuse goes off: Fuse. [1.3]",
        "  by Fuse: Score 1. (since event 5)",
    ]


def test_events_of_a_play_that_was_taken_back_are_gone(tmp_path: Path) -> None:
    """What came after belongs to the entry that it followed from."""
    entries: list[Entry] = [
        Decision(0, 1, 1),
        TakeBack(0),
        Decision(0, 3, 0),
        Decision(0, 4, (2, 0)),
    ]
    story = Story(journal(tmp_path, entries))

    assert story.entry(scored(story)[0]) == 4
    assert story.entry(min(story.events)) == 0


def test_an_event_that_is_none_is_refused(tmp_path: Path) -> None:
    """The error says how far events are numbered."""
    story = Story(journal(tmp_path, FUSE_GOES_OFF))

    with pytest.raises(JournalError, match="no event 9999"):
        explain.explain(story, 9_999)


@pytest.mark.parametrize(
    ("n", "told"),
    [
        (1, "P1 decides: Light a fuse? yes"),
        (2, "P1 takes the play back"),
        (3, "P1 decides: Light a fuse? no"),
        (4, "P1 decides: Who gets points? 0: 0, 1: 2"),
        (5, "P1 decides: Which? 2"),
        (6, "P1 decides: Discard? nothing"),
        (7, "P1 decides: Order? Card"),
        (8, "P2: concede"),
    ],
)
def test_entries_are_told_in_words(tmp_path: Path, n: int, told: str) -> None:
    """With what was asked and the labels of what was chosen."""
    entries: list[Entry] = [
        Decision(0, 1, 1),
        TakeBack(0),
        Decision(0, 3, 0),
        Decision(0, 4, (0, 2)),
        Decision(0, 5, 2),
        Decision(0, 6, ()),
        Decision(0, 7, (0, 1, 2)),
        Interruption("concede", 1),
    ]
    story = Story(journal(tmp_path, entries))

    assert story.decision(n).startswith(told)


def test_what_has_no_sentence_is_told_in_the_kernel_s_words(tmp_path: Path) -> None:
    """Marks of the calendar, for one."""
    story = Story(journal(tmp_path, FUSE_IS_LIT))

    assert "reached: main [P1]" in [story.told(number) for number in story.events]


def test_a_decision_before_the_first_is_the_set_up(tmp_path: Path) -> None:
    """Events that follow from no entry say so."""
    story = Story(journal(tmp_path, FUSE_IS_LIT))

    assert explain.explain(story, min(story.events))["began_with"] == {
        "entry": 0,
        "told": "the set-up of the game",
    }
