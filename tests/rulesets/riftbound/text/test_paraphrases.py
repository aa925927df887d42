"""Judges and designers put one thing in many ways; all of them are read as the same ability."""

from __future__ import annotations

import pytest

from rulesets.riftbound.text.corpus import HERE, meaning


def _groups() -> list[tuple[str, str, list[str]]]:
    text = (HERE / "paraphrases.txt").read_text("utf-8")
    found: list[tuple[str, str, list[str]]] = []
    for block in text.split("\n\n"):
        lines = [line for line in block.splitlines() if line and not line.startswith("#")]
        if lines:
            kind, _, plain = lines[0].partition(" | ")
            found.append((kind, plain, lines[1:]))
    return found


@pytest.mark.parametrize(("kind", "plain", "others"), _groups())
def test_paraphrases_mean_the_same(kind: str, plain: str, others: list[str]) -> None:
    """However it is put, it is the ability of the plain sentence."""
    wanted = meaning(kind, plain)
    assert wanted
    assert [one for one in others if meaning(kind, one) != wanted] == []


DIFFERENT = [
    ("The next time a unit dies this turn, draw 1.", "When a unit dies this turn, draw 1."),
    (
        "The first time a unit dies this turn, draw 1.",
        "The next time a unit dies this turn, draw 1.",
    ),
    (
        "Choose a unit. If it would be put into a trash this turn, banish it instead.",
        "Choose a unit. If it would die this turn, banish it instead.",
    ),
    (
        "Choose a unit. It can't move this turn.",
        "Choose a unit. It can't move until the start of your next turn.",
    ),
    ("Sacrifice a unit.", "Kill a unit."),
]


@pytest.mark.parametrize(("left", "right"), DIFFERENT)
def test_what_sounds_alike_may_differ(left: str, right: str) -> None:
    """Both are read, and not as the same."""
    assert meaning("spell", left)
    assert meaning("spell", right)
    assert meaning("spell", left) != meaning("spell", right)


@pytest.mark.rule("390.4")
def test_a_cost_is_bound_and_not_changed_too_late() -> None:
    """What a spell costs is no answer to its having been played."""
    late = "The next time you play a spell this turn, it costs 2 less."
    assert meaning("spell", late) == meaning("spell", "Your next spell this turn costs 2 less.")
    assert meaning("spell", "When you play a spell this turn, it costs 2 less.") is None


def test_it_is_what_would_die_and_not_what_was_paid_for_it() -> None:
    """ "It" behind "if you do" is not the card that was discarded."""
    asked = "The next time a friendly unit would die this turn, you may discard a card. If you do,"
    found = meaning("spell", f"{asked} recall it instead.")
    assert found is not None
    (made,) = found[0].program.body
    assert "Named(name='event')" in repr(made)
    assert "recall" in repr(made)
