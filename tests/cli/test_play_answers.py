"""What a player types, as an answer to each shape of prompt, and what is said where it is none."""

from __future__ import annotations

import pytest

from longfuse.cli import play_answers
from longfuse.cli.play_answers import NotAnAnswer
from longfuse_protocol.prompts import Item, Prompt

ITEMS = (
    Item(label="Play Ember"),
    Item(label="Play Ash", legal=False, reason="cost: it costs 3"),
    Item(label="Play Ember Guard"),
    Item(label="Pass"),
)


def prompt(shape: str, **fields: object) -> Prompt:
    """A prompt over the items, of which the second is not legal."""
    common = {"id": 1, "seat": 0, "kind": "k", "text": "What?", "items": ITEMS}
    return Prompt(**{**common, "shape": shape, **fields})


ONE = prompt("one", default=3)
SOME = prompt("some", least=0, most=2, default=())
TWO = prompt("some", least=2, most=2, default=(0, 2))
ORDER = prompt("order", items=ITEMS[:3], default=(0, 1, 2))
DIVIDE = prompt("divide", total=3, bounds=((0, 3), (0, 0), (0, 2), (0, 3)), default=(3, 0, 0, 0))
NUMBER = prompt("number", items=(), least=1, most=6, default=2)


@pytest.mark.parametrize(
    ("asked", "line", "answer"),
    [
        (ONE, "1", 0),
        (ONE, "2", 2),
        (ONE, "", 3),
        (ONE, "pass", 3),
        (ONE, "Ember Guard", 2),
        (ONE, "play ember", 0),
        (SOME, "1 3", (0, 3)),
        (SOME, "1,2", (0, 2)),
        (SOME, "2-3", (2, 3)),
        (SOME, "none", ()),
        (SOME, "0", ()),
        (SOME, "", ()),
        (TWO, "3 1", (3, 0)),
        (ORDER, "3 1 2", (2, 0, 1)),
        (ORDER, "2", (1, 0, 2)),
        (ORDER, "", (0, 1, 2)),
        (DIVIDE, "1 2 0", (1, 0, 2, 0)),
        (DIVIDE, "3=2 1=1", (1, 0, 0, 2)),
        (DIVIDE, "", (3, 0, 0, 0)),
        (NUMBER, "6", 6),
        (NUMBER, "", 2),
    ],
)
def test_lines_that_answer(asked: Prompt, line: str, answer: object) -> None:
    """Numbers count the legal items from 1; to order, every item."""
    assert play_answers.read(asked, line) == answer


@pytest.mark.parametrize(
    ("asked", "line", "said"),
    [
        (ONE, "4", "There is no 4; choose from 1 to 3, or `?`."),
        (ONE, "0", "There is no 0;"),
        (ONE, "9" * 5_000, "There is no 999999999;"),
        (ONE, "ash", "Play Ash is not possible now: cost: it costs 3"),
        (ONE, "ember", "Several items begin so;"),
        (ONE, "frobnicate", "'frobnicate' is no command and no item;"),
        (SOME, "1 2 3", "That is 3; up to 2 numbers, please."),
        (SOME, "1 1", "1 is named twice."),
        (SOME, "1 x", "'x' is no number;"),
        (SOME, "1-99999999999999999999", "There is no 999999999;"),
        (TWO, "1", "That is 1; 2 numbers, please."),
        (ORDER, "4", "There is no 4; choose from 1 to 3, or `?`."),
        (ORDER, "1 1", "1 is named twice."),
        (DIVIDE, "1 1 0", "That adds up to 2, and should to 3."),
        (DIVIDE, "0 3 0", "2 takes 0 to 2, not 3."),
        (DIVIDE, "1 2", "Divide 3: an amount for each in order"),
        (DIVIDE, "9=3", "There is no 9;"),
        (NUMBER, "7", "Type a number from 1 to 6."),
        (NUMBER, "one", "Type a number from 1 to 6."),
        (NUMBER, "--1", "Type a number from 1 to 6."),
    ],
)
def test_lines_that_do_not(asked: Prompt, line: str, said: str) -> None:
    """Each is told what would do."""
    with pytest.raises(NotAnAnswer) as caught:
        play_answers.read(asked, line)
    assert str(caught.value).startswith(said)


@pytest.mark.parametrize(
    ("asked", "how", "default"),
    [
        (ONE, "Type a number.", "Pass"),
        (
            SOME,
            "Type up to 2 numbers, such as `1 3` or `1-3`, `none` for none.",
            "none",
        ),
        (TWO, "Type 2 numbers, such as `1 3` or `1-3`.", "1 2"),
        (prompt("some", least=1, most=1, default=(2,)), "Type one number.", "2"),
        (
            ORDER,
            "Type the numbers in your order, such as `2 1`; those left out follow as listed.",
            "as listed",
        ),
        (
            DIVIDE,
            "Divide 3: an amount for each in order, such as `3 0 0`, or only some, such as `1=3`.",
            "1=3",
        ),
        (NUMBER, "Type a number from 1 to 6.", "2"),
    ],
)
def test_every_shape_is_explained(asked: Prompt, how: str, default: str) -> None:
    """What to type, and what Enter does, in the same numbers."""
    assert play_answers.how(asked) == how
    assert play_answers.default_words(asked, lambda item: item.label) == default


def test_what_cannot_be_chosen_has_no_number() -> None:
    """Except to order, where everything is chosen."""
    assert play_answers.numbered(ONE) == [0, 2, 3]
    assert play_answers.refused(ONE) == [1]
    assert play_answers.refused(ORDER) == []
