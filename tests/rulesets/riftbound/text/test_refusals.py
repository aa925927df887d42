"""A refusal says where, at which words, what was expected, and what would be understood."""

from __future__ import annotations

import pytest

from longfuse.abilities.text.errors import Failure, TextError
from longfuse.rulesets.riftbound.text import compile_text


def refusal(text: str, kind: str = "spell", name: str = "") -> Failure:
    """The one failure of a text."""
    with pytest.raises(TextError) as refused:
        compile_text(text, kind, name)
    (failure,) = refused.value.errors
    return failure


def test_it_points_at_the_words_it_stopped_at() -> None:
    """Card, line, column and the words themselves."""
    failure = refusal("Draw 1.\nDeal 2 to a goblin.", name="Slow Fuse")
    assert (failure.card, failure.line, failure.column) == ("Slow Fuse", 2, 13)
    assert failure.stopped_at.startswith("goblin")


def test_it_says_what_it_expected_in_words() -> None:
    """Human words, not rule names."""
    assert refusal("Draw 1. Kill it.").expected == ("something named before",)
    assert "to" in refusal("Deal 2 at a unit.").expected


def test_it_offers_the_nearest_wording_that_is_understood() -> None:
    """A slip of one word is put right."""
    assert refusal("Deal 2 ti a unit.").nearest == "Deal 2 to a unit."


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Kill it.", "something named before"),
        ("This turn, draw 1.", "something that can last, with this window"),
        ("The next time you conquer this turn, draw 1 instead.", "would, before “instead”"),
        ("Deal 1 to unit.", "a, all, or another word before it"),
        ("Until the start of your turn, units can't move.", "“next” before “turn”"),
    ],
)
def test_what_is_not_clear_is_asked_for(text: str, expected: str) -> None:
    """The words parse, but what they mean is not certain."""
    failure = refusal(text)
    assert expected in failure.expected


def test_a_failure_is_a_sentence_for_people() -> None:
    """One line, with everything in it."""
    words = refusal("Draw a florin.", name="Odd Coin").sentence()
    assert words.startswith("Odd Coin, line 1, column 8: stopped at “florin .”; expected ")


@pytest.mark.parametrize(
    "text",
    ["“", "”", "((((", "::::", "\x00", "🜁 1", "[", "1" * 400, "Draw " * 300, "“" * 50],
)
def test_no_text_breaks_the_compiler(text: str) -> None:
    """Whatever is written, it is refused with a reason."""
    with pytest.raises(TextError) as refused:
        compile_text(text, "spell")
    assert refused.value.errors
