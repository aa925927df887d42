"""What a player is told beside the game, event by event."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from cli.playing import Page
from longfuse.cli.play_book import Book
from longfuse.cli.play_chat import Chat
from longfuse.cli.play_news import News
from longfuse.cli.play_screen import Screen
from longfuse.rulesets.rendering import PlainRendering
from longfuse_protocol import messages as m
from longfuse_protocol.client import Dropped, Event, Resumed, ShuffleDoubted

SEATS = (m.SeatInfo(kind="player", name="Ada"), m.SeatInfo(kind="player", name="Bo"))


def info(**changed: Any) -> m.TableInfo:
    """A table in the middle of a game."""
    usual = {"table": "t", "ruleset": "r", "status": "playing", "seats": SEATS, "game": "t-1"}
    return m.TableInfo(**{**usual, **changed})


@pytest.fixture
def page() -> Page:
    """What is shown."""
    return Page()


@pytest.fixture
def news(page: Page) -> News:
    """The news of Ada's seat."""
    client: Any = SimpleNamespace(local_time=lambda at_ms: at_ms / 1_000)
    desk: Any = SimpleNamespace(
        book=Book(PlainRendering(), 0), screen=Screen(page, plain=True), prompt=None
    )
    return News(client, desk, "ws://x")


@pytest.mark.parametrize(
    ("events", "said"),
    [
        (
            [ShuffleDoubted("t-1", ("The commitment differs.",))],
            "the server may have stacked the decks. The commitment differs.",
        ),
        ([m.Notice(kind="drain", text="The server restarts.")], "The server restarts."),
        ([m.Left(table="t", reason="you were late")], "is gone: you were late."),
        ([m.Presence(seat=1, name="Bo", here=False)], "Bo has lost the connection."),
        ([m.Presence(seat=1, name="Bo", here=True)], "Bo is back."),
        (
            [Dropped(1006, "broken", 0, 0.1), Dropped(1006, "broken", 1, 0.2)],
            "lost (broken). Reconnecting\u2026 Reconnecting\u2026 (try 1)",
        ),
        ([Resumed(1, None)], "Connected again. Your place at the table is gone."),
        ([m.TableChanged(info=info(status="suspended"))], "Table t, r: Ada, Bo."),
    ],
)
def test_what_is_told(news: News, page: Page, events: list[Event], said: str) -> None:
    """Each in a sentence."""
    for event in events:
        news.hear(event)

    assert said in " ".join(page.getvalue().split())


@pytest.mark.parametrize(
    "event",
    [
        m.Presence(seat=0, name="Ada", here=True),
        m.Left(table="t"),
        m.Pong(nonce=1, at_ms=0),
    ],
)
def test_what_is_not_worth_a_word(news: News, page: Page, event: Event) -> None:
    """One's own presence, and what one has asked for."""
    news.hear(event)

    assert page.getvalue() == ""


def test_nothing_is_told_twice(news: News, page: Page) -> None:
    """Who sits there, which game it is, and how the table stands: when they change."""
    for status in ("playing", "playing", "paused", "paused", "playing"):
        news.hear(m.TableChanged(info=info(status=status)))
    news.hear(m.TableChanged(info=info(game="t-2", status="starting")))
    news.hear(m.TableChanged(info=info(game="t-2")))

    assert " ".join(page.getvalue().split()) == (
        "Table t, r: Ada, Bo. Game t-1. The game is paused. `unpause` goes on with it. "
        "The game goes on. Game t-2."
    )


def test_a_line_of_chat_is_shown_once(page: Page) -> None:
    """Also where the server tells it again; the rooms count apart."""
    client: Any = SimpleNamespace()
    chat = Chat(client, Screen(page, plain=True))
    one = m.Said(room="seats", line=0, seat=0, name="Ada", text="hi\x1b", at_ms=0)
    other = m.Said(room="spectators", line=0, seat=None, name="Eve", text="ho", at_ms=0)
    for said in (one, other, one):
        chat.hear(said)

    assert page.getvalue() == "[0] Ada: hi\n[0] Eve: ho\n"
