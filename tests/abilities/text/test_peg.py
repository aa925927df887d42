"""The parser runs grammars from text, and says how far it got."""

from __future__ import annotations

import pytest

from longfuse.abilities.text.peg import Grammar, GrammarError
from longfuse.abilities.text.tokens import cut

GREETING = """
# A grammar of greetings.
greeting <- "good" time:daytime name? "!"? {polite}
          / "hi|hello" name {short, plain}
daytime "a time of day" <- "morning" / "evening"
name "a name" <- CAPITAL
"""


def test_the_first_alternative_that_matches_is_taken() -> None:
    """Alternatives are ordered, parts are found by label, tags tell which it was."""
    tree, _ = Grammar(GREETING).parse("greeting", cut("Good morning Ada!")[0])
    assert tree is not None
    assert (tree.tag, tree["time"].words, tree["name"].words) == ("polite", "morning", "ada")


def test_a_tag_has_arguments() -> None:
    """What stands behind a tag's first comma is for its builder."""
    tree, _ = Grammar(GREETING).parse("greeting", cut("hello Ada")[0])
    assert tree is not None
    assert (tree.tag, tree.args) == ("short", ("plain",))


def test_a_refusal_tells_the_farthest_place_and_what_was_expected_there() -> None:
    """A rule with a name for people is expected by that name."""
    tree, run = Grammar(GREETING).parse("greeting", cut("good night")[0])
    assert tree is None
    assert (run.farthest, run.expected) == (1, {"a time of day"})


def test_what_is_left_over_is_refused() -> None:
    """A match must reach the end of the line."""
    tree, run = Grammar(GREETING).parse("greeting", cut("hi Ada again")[0])
    assert tree is None
    assert (run.farthest, run.expected) == (2, {"the end of the line"})


def test_forms_of_a_word_are_written_together() -> None:
    """`draw(s)` stands for both."""
    grammar = Grammar('drawing <- "draw(s)" NUMBER')
    assert all(grammar.parse("drawing", cut(text)[0])[0] for text in ("draw 1", "draws 1"))


def test_looking_ahead_takes_nothing() -> None:
    """`&` and `!` look at what follows and leave it there."""
    grammar = Grammar('start <- &"a" !("a" "b") "a" "c"')
    assert grammar.parse("start", cut("a c")[0])[0] is not None
    assert grammar.parse("start", cut("a b")[0])[0] is None


@pytest.mark.parametrize(
    ("source", "complaint"),
    [
        ('a <- "x" b', "not defined: b"),
        ('a <- "x"\na <- "y"', "defined twice"),
        ('a <- ("x"', "bracket"),
        ('a <- "x" ?? =', "not understood"),
    ],
)
def test_a_grammar_with_mistakes_is_refused(source: str, complaint: str) -> None:
    """A designer hears what is wrong with the grammar."""
    with pytest.raises(GrammarError, match=complaint):
        Grammar(source)


def test_a_card_speaks_of_itself_by_name() -> None:
    """CARD matches the card's own name as it is written."""
    grammar = Grammar('start <- "kill" CARD')
    names = (("Quay", "Lookout"),)
    assert grammar.parse("start", cut("Kill Quay Lookout")[0], names)[0] is not None
    assert grammar.parse("start", cut("Kill Quay Keeper")[0], names)[0] is None
