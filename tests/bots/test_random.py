"""The random bot: its answers fit, are uniform, and follow from its seed."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from journal.games import new_game, played
from longfuse.bots.random import RandomBot
from longfuse_protocol.answers import fits
from longfuse_protocol.prompts import Answer, Item, Prompt, Shape
from support.playing import play_game


def prompt(shape: Shape, items: str = "", **fields: object) -> Prompt:
    """A prompt with an item per letter; a dot is an illegal one."""
    listed = tuple(Item(label=letter, legal=letter != ".") for letter in items)
    given = {"id": 1, "seat": 0, "kind": "k", "text": "?", "default": 0, **fields}
    return Prompt(shape=shape, items=listed, **given)


EXAMPLES: list[tuple[Prompt, set[Answer]]] = [
    (prompt("one", "a.bc"), {0, 2, 3}),
    (
        prompt("some", "ab.", least=0, most=3),
        {(), (0,), (1,), (0, 1)},
    ),
    (prompt("order", "ab."), {(0, 1, 2), (0, 2, 1), (1, 0, 2), (1, 2, 0), (2, 0, 1), (2, 1, 0)}),
    (prompt("number", least=-1, most=2), {-1, 0, 1, 2}),
    (
        prompt("divide", "a.b", total=3, bounds=((1, 3), (0, 3), (0, 2))),
        {(1, 0, 2), (2, 0, 1), (3, 0, 0)},
    ),
    (prompt("divide", "abc", total=1), {(1, 0, 0), (0, 1, 0), (0, 0, 1)}),
]


@pytest.mark.parametrize(("asked", "possible"), EXAMPLES)
def test_every_answer_that_fits_comes_equally_often(asked: Prompt, possible: set[Answer]) -> None:
    """Of 600 draws each answer gets its share, give or take what chance would."""
    bot = RandomBot(5)
    draws = Counter(bot.choose(asked) for _ in range(600))

    assert set(draws) == possible
    share = 600 / len(possible)
    assert all(0.6 * share < count < 1.5 * share for count in draws.values())


@st.composite
def prompts(draw: st.DrawFn) -> Prompt:
    """A prompt of any shape that has an answer."""
    shape: Shape = draw(st.sampled_from(("one", "some", "order", "divide", "number")))
    legal = draw(st.lists(st.booleans(), min_size=1, max_size=7))
    items = "".join("a" if one else "." for one in legal)
    if shape == "one":
        return prompt(shape, items + "a")
    if shape == "some":
        least = draw(st.integers(0, sum(legal)))
        return prompt(shape, items, least=least, most=draw(st.integers(least, least + 3)))
    if shape == "number":
        least = draw(st.integers(-5, 5))
        return prompt(shape, least=least, most=least + draw(st.integers(0, 5)))
    if shape == "divide":
        amounts = [draw(st.integers(0, 4)) if one else 0 for one in legal]
        bounds = tuple((draw(st.integers(0, n)), n + draw(st.integers(0, 3))) for n in amounts)
        bounds = tuple(b if one else (0, 4) for b, one in zip(bounds, legal, strict=True))
        return prompt(shape, items, total=sum(amounts), bounds=bounds)
    return prompt(shape, items)


@given(prompts(), st.integers())
def test_an_answer_always_fits(asked: Prompt, seed: int) -> None:
    """Whatever is asked, the server takes the answer."""
    assert fits(asked, RandomBot(seed).choose(asked)) == ""


def test_a_bot_s_choices_follow_from_its_seed_and_seat() -> None:
    """The same seed plays the same game; another seed or seat another."""
    asked = prompt("number", least=0, most=10**9)

    assert RandomBot(1, 0).choose(asked) == RandomBot(1, 0).choose(asked)
    assert RandomBot(1, 0).choose(asked) != RandomBot(1, 1).choose(asked)
    assert RandomBot(1, 0).choose(asked) != RandomBot(2, 0).choose(asked)


async def test_a_table_can_wait_for_a_bot() -> None:
    """It decides as it chooses."""
    asked = prompt("number", least=0, most=10**9)

    assert await RandomBot(1).decide(asked, None) == RandomBot(1).choose(asked)


def test_a_game_is_played_to_its_end() -> None:
    """The decisions that were entered are given back."""
    entries, game = played("4")

    assert game.result is not None
    assert game.entries == len(entries)


def test_a_game_is_played_for_so_many_decisions() -> None:
    """At the limit it waits for the next one."""
    game = new_game("4")

    made = play_game(game, [RandomBot(1), RandomBot(2)], 5)

    assert len(made) == game.entries == 5
    assert game.result is None
    assert game.prompt is not None
