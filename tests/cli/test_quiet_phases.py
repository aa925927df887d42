"""Phases in which nothing happens: games are told without them, and nothing of them is lost."""

import pytest

from longfuse.cli.play_book import Book
from longfuse.cli.telling import Teller
from longfuse.rulesets.rendering import PlainRendering

TOLD = (
    ("mark:turn", "Turn 2: Bo."),
    ("mark:dawn", "Bo's dawn."),
    ("mark:noon", "Bo's noon."),
    ("drew", "Bo draws a card."),
    ("mark:dusk", "Bo's dusk."),
    ("mark:night", "Bo's night."),
)


def test_a_story_tells_a_phase_when_something_happens_in_it(
    capsys: pytest.CaptureFixture[str],
) -> None:
    """A turn is told at once, and the phase that a game ends in not at all."""
    teller = Teller()
    for name, text in TOLD:
        teller.event(name, text)
    teller.closing("Ada wins.")

    lines = [line.strip() for line in capsys.readouterr().out.splitlines() if line]
    assert lines == ["Turn 2: Bo.", "Bo's noon.", "Bo draws a card.", "Ada wins."]


def test_a_log_leaves_out_what_was_passed_through() -> None:
    """The phase that the game stands in is there; every number can still be asked about."""
    book = Book(PlainRendering(), 0)
    book.told(
        [{"event": name, "text": text, "n": n} for n, (name, text) in enumerate(TOLD, start=1)]
    )

    assert [entry.n for entry in book.log] == [1, 3, 4, 6]
    assert book.last_number() == 6
    found = book.entry(2)
    assert found is not None
    assert found.text == "Bo's dawn."
