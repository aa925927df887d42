"""`why` in `longfuse play`: a card's numbers and what waits, in words."""

from __future__ import annotations

import re

import pytest

from cli.playing import play_script
from journal.games import use_toy
from longfuse.cli.play_why import changes

OAK = {
    "card": "Oak",
    "might": 3,
    "printed_might": 5,
    "keywords": ["Assault"],
    "printed_keywords": {"Tank": 0},
    "parts": [
        {"of": "might", "amount": -4, "becomes": 1, "source": "Fix", "until": "this turn"},
        {"of": "might", "amount": 2, "source": "Captain", "until": "while o7 on the board"},
        {"of": "might", "amount": 1},
        {"of": "might", "amount": -1, "rule": "buffs", "clause": "432"},
        {"of": "keyword", "word": "Tank", "amount": 0, "lost": True, "source": "Strip"},
        {"of": "keyword", "word": "Assault", "amount": 2, "source": "Arm"},
        {"of": "controller", "source": "Lure", "until": "this turn"},
    ],
}


def test_the_changes_of_an_object_are_told_number_by_number() -> None:
    """What is set, added, given, lost and hidden; keys of objects under their names."""
    rows = list(changes(OAK, lambda text: re.sub(r"\bo7\b", "Captain", text)))

    assert [(row.label, row.text) for row in rows] == [
        ("might", "3, printed 5"),
        ("  set to 1 (-4)", "Fix, this turn"),
        ("  +2", "Captain, while Captain on the board"),
        ("  +1", "something that you can't see"),
        ("  -1", "buffs, rule 432"),
        ("  no Tank", "Strip"),
        ("  Assault +2", "Arm"),
        ("  controller", "Lure, this turn"),
    ]


async def test_why_takes_a_fuse_by_its_name(monkeypatch: pytest.MonkeyPatch) -> None:
    """It says until when; a name that is none is told how `why` is used."""
    use_toy(monkeypatch)
    shown = await play_script(["yes", "why fuse", "why nothing"])

    assert re.search(r"Fuse \(a fuse\)\n +until +this turn", shown)
    assert "`why` and the number of a line of the log" in shown


@pytest.mark.slow
async def test_why_takes_a_card_of_a_real_game() -> None:
    """One that is as printed is said to be so."""
    shown = await play_script(["", "why Order Rune", "why o1"], ruleset="riftbound", seed="7")

    assert "Nothing changes it: it is as printed." in shown
