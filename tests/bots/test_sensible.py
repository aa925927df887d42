"""The sensible bot: its answers fit, follow the ratings, and need nothing but prompt and view."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from longfuse.bots.sensible import SeatedBot, SensibleBot
from longfuse_protocol.answers import fits
from longfuse_protocol.prompts import Answer, Item, Prompt, Shape
from longfuse_protocol.views import View


def prompt(shape: Shape, items: str = "", **fields: object) -> Prompt:
    """A prompt with an item per letter; a dot is an illegal one."""
    listed = tuple(Item(label=letter, legal=letter != ".") for letter in items)
    given = {"id": 1, "seat": 0, "kind": "k", "text": "?", "default": 0, **fields}
    return Prompt(shape=shape, items=listed, **given)


class Fixed:
    """Advice that is known beforehand."""

    def __init__(self, *ratings: float) -> None:
        self.ratings = ratings

    def value(self, _view: View, _seat: int) -> float:
        return 0.0

    def rate(self, _prompt: Prompt, _view: View) -> Sequence[float]:
        return self.ratings


def answer(asked: Prompt, *ratings: float, seed: int = 1) -> Answer:
    return SensibleBot(Fixed(*ratings), seed).answer(asked, View())


@pytest.mark.parametrize(
    ("asked", "ratings", "wanted"),
    [
        (prompt("one", "abc"), (0, 2, 1), 1),
        (prompt("one", "a.c"), (0, 9, 1), 2),
        (prompt("some", "abcd", least=0, most=4), (1, -1, 2, 0), (0, 2)),
        (prompt("some", "abcd", least=0, most=1), (1, -1, 2, 0), (2,)),
        (prompt("some", "abcd", least=3, most=4), (1, -1, 2, 0), (0, 2, 3)),
        (prompt("order", "abc"), (1, 3, 1), (1, 0, 2)),
        (prompt("number", least=2, most=4), (1, 5, 2), 3),
        (prompt("divide", "abc", total=5, bounds=((1, 5), (0, 3), (0, 5))), (1, 3, 2), (1, 3, 1)),
        (prompt("divide", "ab", total=2), (1, 3), (0, 2)),
    ],
)
def test_what_is_rated_highest_is_answered(
    asked: Prompt, ratings: tuple[float, ...], wanted: Answer
) -> None:
    """Of several, what is rated above 0, as far as that many may or must be."""
    assert answer(asked, *ratings) == wanted
    assert fits(asked, wanted) == ""


def test_without_advice_the_default_is_answered() -> None:
    """Whatever it is."""
    assert answer(prompt("some", "ab", least=1, most=2, default=(1,))) == (1,)


def test_ties_are_broken_by_its_own_seed() -> None:
    """The same seed breaks them alike; over seeds each of the best comes, and no other."""
    asked = prompt("one", "abc")
    found = {answer(asked, 1, 0, 1, seed=seed) for seed in range(20)}

    assert found == {0, 2}
    assert len({answer(asked, 1, 0, 1, seed=7) for _ in range(5)}) == 1


@given(
    legal=st.lists(st.booleans(), min_size=1, max_size=6),
    ratings=st.lists(st.floats(-9, 9), min_size=7, max_size=7),
    shape=st.sampled_from(("one", "some", "order")),
    data=st.data(),
)
def test_an_answer_always_fits(
    legal: list[bool], ratings: list[float], shape: Shape, data: st.DataObject
) -> None:
    """Whatever the ratings are."""
    items = "".join("a" if one else "." for one in legal) + "a"
    least = data.draw(st.integers(0, sum(legal) + 1))
    asked = prompt(shape, items, least=least, most=data.draw(st.integers(least, least + 2)))

    assert fits(asked, answer(asked, *ratings[: len(items)])) == ""


class Game:
    """A game that shows a prompt and a view, and what was looked at."""

    def __init__(self) -> None:
        self.open_prompt = prompt("one", "ab", seat=1)
        self.looked: list[int] = []

    def view(self, viewer: int) -> View:
        self.looked.append(viewer)
        return View()


async def test_it_looks_at_its_own_seat_s_view_alone() -> None:
    """In this process as at a table."""
    game = Game()
    bot = SensibleBot(Fixed(0, 1), 1, 1)

    assert SeatedBot(bot, game).choose(prompt("one", "ab", seat=1)) == 1
    assert await bot.decide(game.open_prompt, game) == 1
    assert game.looked == [1, 1]
