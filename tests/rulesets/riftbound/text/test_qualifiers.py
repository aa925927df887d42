"""No qualifier is dropped: without it, or with another, a sentence means something else."""

from __future__ import annotations

import re

import pytest

from rulesets.riftbound.text.corpus import SHIPPED, UNDERSTOOD, meaning

CHANGED = [
    ("next", ""),
    ("your", "an opponent's"),
    ("friendly", "enemy"),
    ("friendly", ""),
    ("enemy", "friendly"),
    ("enemy", ""),
    ("this turn", ""),
    ("this turn", "this combat"),
    ("another", "a"),
    ("other", ""),
    ("instead", ""),
    ("up to", ""),
    ("each", "a"),
    ("all", "a"),
    ("end of", "start of"),
    ("start of", "end of"),
    ("until", ""),
    ("opponent", "player"),
    ("opponents", "players"),
    ("first", "second"),
    ("second", "third"),
    ("may", "must"),
    ("ready", "exhausted"),
    ("combat", ""),
    ("here", ""),
    ("at a battlefield", ""),
    ("damaged", ""),
    ("less", "more"),
    ("or less", "or more"),
    ("would die", "would leave the board"),
    ("draw", "discard"),
    ("unit", "gear"),
]
SAYS_NOTHING = (
    # The word is there for the ear only: without it the sentence still says the same.
    ("friendly", "", "runes"),  # one readies one's own
    ("friendly", "", "unit in your base"),  # who else's would be there
    ("instead", "", "double that damage"),  # doubling says it by itself
    ("another", "a", "another location"),  # a move is to another place
)


def _changes() -> list[tuple[str, str, str, str]]:
    found: list[tuple[str, str, str, str]] = []
    for kind, text in [*UNDERSTOOD, *SHIPPED]:
        for word, other in CHANGED:
            for match in re.finditer(rf"\b{word}\b", _without_reminders(text)):
                changed = text[: match.start()] + other + text[match.end() :]
                found.append((kind, text, changed, f"{word} → {other or 'nothing'}"))
    return found


def _without_reminders(text: str) -> str:
    return re.sub(r"\([^()]*\)", lambda match: "#" * len(match.group()), text)


def _says_nothing(text: str, what: str) -> bool:
    return any(
        what == f"{word} → {other or 'nothing'}" and near in text
        for word, other, near in SAYS_NOTHING
    )


@pytest.mark.slow
def test_a_changed_qualifier_changes_the_meaning_or_is_refused() -> None:
    """Dropping or changing one qualifier in any sentence is never without effect."""
    silent = [
        (what, text)
        for kind, text, changed, what in _changes()
        if meaning(kind, changed) == meaning(kind, text) and not _says_nothing(text, what)
    ]
    assert silent == []


PAIRS = [
    ("Draw 1. Discard 1.", "Discard 1. Draw 1."),
    (
        "Choose a unit. When it next takes damage this turn, kill it.",
        "Choose a unit. When it takes damage this turn, kill it.",
    ),
    (
        "The next time a unit would die this turn, banish it instead.",
        "If a unit would die this turn, banish it instead.",
    ),
    ("Your next spell this turn costs 2 less.", "Your spells cost 2 less this turn."),
    ("Give friendly units +1 Might this turn.", "Friendly units have +1 Might this turn."),
    ("Deal 2 to up to two units.", "Deal 2 to two units."),
    (
        "Deal 1 to a unit. Deal 1 to another unit.",
        "Deal 1 to a unit. Deal 1 to a unit.",
    ),
    (
        "At the start of your next turn, draw 1.",
        "At the start of your opponent's next turn, draw 1.",
    ),
    ("Take control of an enemy unit.", "Take control of an enemy unit this turn."),
    ("Counter a spell.", "Counter an enemy spell."),
]


@pytest.mark.parametrize("pair", PAIRS)
def test_sentences_that_differ_a_little_mean_different_things(pair: tuple[str, str]) -> None:
    """Close wordings are told apart."""
    left, right = (meaning("spell", text) for text in pair)
    assert left is not None
    assert right is not None
    assert left != right
