"""Card text is cut into tokens that know where they stand."""

from __future__ import annotations

from longfuse.abilities.text.tokens import cut


def test_words_numbers_signs_and_symbols_are_told_apart() -> None:
    """Each token has a kind, and the form that the grammar compares."""
    (line,) = cut("Pay :rb_energy_2:, Deal 3!")
    assert [(token.kind, token.norm) for token in line] == [
        ("word", "pay"),
        ("energy", "2"),
        ("sign", ","),
        ("word", "deal"),
        ("number", "3"),
        ("sign", "!"),
    ]


def test_reminder_text_does_not_count_and_moves_no_column() -> None:
    """What stands in parentheses is as if it were not there."""
    (line,) = cut("Draw (a card (or two)) now")
    assert [(token.text, token.column) for token in line] == [("Draw", 1), ("now", 24)]


def test_a_bracket_that_is_never_closed_hides_nothing() -> None:
    """Half a reminder must not swallow the rest of a card."""
    (line,) = cut("Draw 1 (and discard 1")
    assert [token.norm for token in line][-2:] == ["discard", "1"]


def test_each_line_knows_its_number() -> None:
    """Blank lines are no abilities, but they count."""
    lines = cut("First.\n\nSecond.")
    assert [line[0].line for line in lines] == [1, 3]


def test_apostrophes_and_dashes_of_any_make_are_the_same() -> None:
    """A typographic sign reads like the plain one."""
    left = cut("owner\N{RIGHT SINGLE QUOTATION MARK}s hand \N{EM DASH} draw")[0]
    right = cut("owner's hand - draw")[0]
    assert [token.norm for token in left] == [token.norm for token in right]
