"""Watching a table of a running server, and listing its tables."""

from __future__ import annotations

import json
import re
from argparse import ArgumentParser, Namespace
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest
import trio
import trio.testing

from cli.playing import Dialer, open_games, two_players
from host.rig import URL, MemoryListener
from journal.games import use_toy
from longfuse.cli import main, running, tables, watch
from longfuse.cli.output import CommandError
from longfuse.config import Config
from longfuse_protocol import messages as m
from longfuse_protocol.client import Client, open_client
from longfuse_protocol.codec import JSON

LOGGED = re.compile(r"\d{4}-\d\d-\d\d ")
BOT = m.SeatWish(kind="bot", bot="default")


@pytest.fixture(autouse=True)
def toy(monkeypatch: pytest.MonkeyPatch) -> None:
    """The toy is what is played here."""
    use_toy(monkeypatch)


class Watching:
    """The command, watching a table on a server over in-memory streams."""

    is_live = True

    def __init__(self, listener: MemoryListener, table: str | None = None, **changed: object):
        parser = ArgumentParser()
        watch.arguments(parser)
        usual = {**vars(parser.parse_args([URL])), "table": table, "name": "Eve"}
        self.dialer = Dialer(listener)
        self.code: int | None = None
        self.error = ""
        self._given = Namespace(**{**usual, **changed})
        self._typed, self._lines = trio.open_memory_channel[str](10)

    async def next(self) -> str | None:
        return await self._lines.receive()

    async def has_more(self) -> bool:
        """Somebody is there until the test ends."""
        return True

    def forget(self) -> None:
        """Nothing is typed too early here."""

    def types(self, line: str) -> None:
        """Say something to the other spectators."""
        self._typed.send_nowait(line)

    async def run(self) -> None:
        """Watch to the end."""
        try:
            self.code = await watch._watch(self._given, self, self.dialer)
        except CommandError as error:
            self.code, self.error = error.code, str(error)


@asynccontextmanager
async def a_player(listener: MemoryListener, **terms: object) -> AsyncIterator[Client]:
    """Ada at a new table with a bot, after her first decision."""
    dial = Dialer(listener)
    async with open_client(URL, name="Ada", dial=dial) as client:
        await client.create("toy", (m.SeatWish(), BOT), terms=m.Terms(**terms))
        await trio.testing.wait_all_tasks_blocked()
        assert client.prompt is not None
        await client.decide(client.prompt, client.prompt.default)
        yield client


def told(capsys: pytest.CaptureFixture[str]) -> str:
    """What the command has printed since this was last asked, without the server's log."""
    lines = capsys.readouterr().out.splitlines()
    return " ".join(" ".join(line for line in lines if not LOGGED.match(line)).split())


# ---------------------------------------------------------------- watching


async def who_watches_to_the_end(**options: Any) -> Watching:
    """Return who has watched a short game against a bot, found without its id, to its end."""
    async with open_games() as listener, trio.open_nursery() as nursery:
        eve = Watching(listener, **options)
        async with a_player(listener) as ada:
            nursery.start_soon(eve.run)
            await trio.testing.wait_all_tasks_blocked()
            await ada.concede()
            await trio.testing.wait_all_tasks_blocked()
    return eve


async def test_the_newest_game_is_watched_to_its_end(capsys: pytest.CaptureFixture[str]) -> None:
    """Without a table's id; the narration ends with who won."""
    eve = await who_watches_to_the_end(subprotocol=JSON)

    out = told(capsys)
    assert "toy: Ada (P1) against default (P2)" in out
    assert "default wins: conceded." in out
    assert eve.code == 0


async def test_programs_get_an_object_a_line(capsys: pytest.CaptureFixture[str]) -> None:
    """With what it is and the words; the end is told apart."""
    await who_watches_to_the_end(json=True)

    lines = [line for line in capsys.readouterr().out.splitlines() if not LOGGED.match(line)]
    first, *_, last = [json.loads(line) for line in lines]
    assert first["event"] == "note"
    assert last == {"event": "closing", "text": "default wins: conceded."}


async def test_who_comes_late_hears_what_happened_last(capsys: pytest.CaptureFixture[str]) -> None:
    """Before what happens from then on; also where the game is over already."""
    async with open_games() as listener, a_player(listener) as ada:
        assert ada.table is not None
        early, late = (Watching(listener, ada.table.table) for _ in range(2))
        async with trio.open_nursery() as nursery:
            nursery.start_soon(early.run)
            await trio.testing.wait_all_tasks_blocked()
            assert "what happened last: Turn of Ada and now:" in told(capsys)
            await ada.concede()
        await late.run()

    out = told(capsys)
    assert "Turn of Ada" in out.partition("what happened last:")[2]
    assert "default wins: all is over here." in out
    assert late.code == 0


async def test_a_delay_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    """And kept: the end comes so much later than for the seats."""
    async with open_games() as listener, a_player(listener, delay_s=90) as ada:
        assert ada.table is not None
        eve = Watching(listener, ada.table.table)
        async with trio.open_nursery() as nursery:
            nursery.start_soon(eve.run)
            await ada.concede()
            await trio.sleep(80)
            out = told(capsys)
            assert "you see everything 1:30 late" in out
            assert "wins" not in out
            await trio.sleep(20)

    assert "default wins: conceded." in told(capsys)
    assert eve.code == 0


async def test_spectators_talk_among_themselves(capsys: pytest.CaptureFixture[str]) -> None:
    """What is typed is said, and the seats hear nothing of it."""
    async with open_games() as listener, a_player(listener) as ada, trio.open_nursery() as nursery:
        eve, mia = Watching(listener), Watching(listener, name="Mia")
        nursery.start_soon(eve.run)
        nursery.start_soon(mia.run)
        await trio.testing.wait_all_tasks_blocked()
        eve.types("what a play")
        eve.types("x" * 600)
        await trio.testing.wait_all_tasks_blocked()
        assert not ada.chat
        await ada.say("watch this")
        await trio.testing.wait_all_tasks_blocked()
        await ada.concede()

    out = told(capsys)
    assert out.count("[spectators] Eve: what a play") == 2
    assert out.count("[seats] Ada: watch this") == 2
    assert out.count("that is not said: ") == 1


async def test_a_lost_connection_is_taken_up_again(capsys: pytest.CaptureFixture[str]) -> None:
    """Nothing is told twice, and nothing is missed."""
    async with open_games() as listener, a_player(listener) as ada, trio.open_nursery() as nursery:
        eve = Watching(listener)
        nursery.start_soon(eve.run)
        await trio.testing.wait_all_tasks_blocked()
        await eve.dialer.cut()
        await trio.sleep(1)
        await ada.concede()

    out = told(capsys)
    assert "the connection is lost (" in out
    assert "reconnecting\u2026 connected again" in out
    assert out.count("Turn of Ada") == 1
    assert "default wins: conceded." in out
    assert eve.code == 0


async def test_who_is_away_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    """By name."""
    async with open_games() as listener, two_players(listener) as (ada, bob):
        eve = Watching(listener)
        async with trio.open_nursery() as nursery:
            nursery.start_soon(eve.run)
            await trio.testing.wait_all_tasks_blocked()
            await ada.dialer.cut()
            await ada.reconnected()
            await bob.types("concede", "concede")

    out = told(capsys)
    assert "Ada has lost the connection" in out
    assert "Ada is back" in out


async def test_a_match_is_watched_to_its_end(capsys: pytest.CaptureFixture[str]) -> None:
    """With the score between its games."""
    async with open_games() as listener, two_players(listener, best_of=3) as (ada, bob):
        eve = Watching(listener)
        async with trio.open_nursery() as nursery:
            nursery.start_soon(eve.run)
            await trio.testing.wait_all_tasks_blocked()
            await ada.types("concede", "concede")
            await ada.types("ready")
            await bob.types("ready")
            await ada.types("concede", "concede")

    out = told(capsys)
    assert "no clock, best of 3, open to watch" in out
    assert "the match stands 0-1" in out
    assert out.count("Bob wins: conceded.") == 2
    assert out.count("the match is over, 0-2") == 1
    assert eve.code == 0


async def test_a_match_that_somebody_leaves_is_watched_to_its_end(
    capsys: pytest.CaptureFixture[str],
) -> None:
    """The score is told where the match ends between its games."""
    async with open_games() as listener, two_players(listener, best_of=3) as (ada, bob):
        eve = Watching(listener)
        async with trio.open_nursery() as nursery:
            nursery.start_soon(eve.run)
            await trio.testing.wait_all_tasks_blocked()
            await ada.types("concede", "concede")
            await bob.types("quit", "quit")

    assert told(capsys).count("the match is over, 0-1") == 1
    assert eve.code == 0


async def test_only_who_is_invited_watches(capsys: pytest.CaptureFixture[str]) -> None:
    """Where the terms say so; such a table is not chosen by itself either."""
    async with open_games() as listener, a_player(listener, watch="invited") as ada:
        place = ada.place
        assert place is not None
        unasked, stranger = Watching(listener), Watching(listener, place.info.table)
        await unasked.run()
        await stranger.run()
        invited = Watching(listener, place.info.table, invitation=place.invitation)
        async with trio.open_nursery() as nursery:
            nursery.start_soon(invited.run)
            await trio.testing.wait_all_tasks_blocked()
            await ada.concede()

    assert "no game is being played there now" in unasked.error
    assert "the server refuses" in stranger.error
    assert invited.code == 0
    assert "default wins: conceded." in told(capsys)


async def test_a_server_that_goes_away_for_good_is_told() -> None:
    """The connection's end is no end of a game."""
    async with open_games() as listener, a_player(listener), trio.open_nursery() as nursery:
        eve = Watching(listener)
        nursery.start_soon(eve.run)
        await trio.testing.wait_all_tasks_blocked()
        eve.dialer.is_barred = True
        await eve.dialer.cut()

    assert eve.error.startswith("the connection ended before the game did (")
    assert eve.code == 1


# ---------------------------------------------------------------- once more


async def test_a_game_that_is_over_is_told_once_more(capsys: pytest.CaptureFixture[str]) -> None:
    """As spectators saw it; as a player did only where the server may show that."""
    async with open_games() as listener:
        async with a_player(listener, open_replay=True) as ada:
            assert ada.table is not None
            game = ada.table.game
            await ada.concede()
        shown, seen = Watching(listener, replay=game), Watching(listener, replay=game, seat=1)
        none = Watching(listener, replay="nowhere-1")
        for one in (shown, none, seen):
            await one.run()

    out = told(capsys)
    assert f"game {game}, as spectators saw it Turn of Ada" in out
    assert f"game {game}, as P1 saw it Turn of Ada" in out
    assert (shown.code, seen.code, none.code) == (0, 0, 1)
    assert "the server shows no such game" in none.error


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"seat": 1}, "--seat is for --replay"),
        ({"replay": "t-1", "table": "t"}, "give no table"),
        ({"replay": "t-1", "seat": 0}, "from 1 to 16, as in P1; what receipts call seat 0 is P1"),
    ],
)
async def test_replays_that_cannot_be(changed: dict[str, object], said: str) -> None:
    """Are told before anything is asked for."""
    async with open_games() as listener:
        eve = Watching(listener, **changed)
        await eve.run()

    assert said in eve.error


# ---------------------------------------------------------------- listing tables


@pytest.mark.realtime
async def test_tables_are_listed(capsys: pytest.CaptureFixture[str]) -> None:
    """With their terms, who sits there, and what can be played; as lines and as an object."""
    async with running.open_server(Config(port=0)) as server:
        async with open_client(server.url, name="Ada") as ada:
            await trio.to_thread.run_sync(main, ["tables", server.url])
            assert "no tables" in told(capsys)
            clock = m.ClockTerms(kind="decision", decision_s=60)
            place = await ada.create("toy", 2, terms=m.Terms(clock=clock, best_of=3))
            assert await trio.to_thread.run_sync(main, ["tables", server.url]) == 0
            out = told(capsys)
            await trio.to_thread.run_sync(main, ["tables", server.url, "--json"])
            listed = json.loads(told(capsys))
        server.drain()

    assert "toy: 2 seats; decks: small, large" in out
    assert "bots: random, sensible" in out
    table = place.info.table
    assert f"{table} toy, waiting, 0-0: Ada (guest) against an open seat" in out
    assert "1:00 a decision, running out loses, best of 3, open to watch" in out
    assert [one["table"] for one in listed["tables"]] == [table]


def test_where_no_server_is(capsys: pytest.CaptureFixture[str]) -> None:
    """Code 2, and the reason."""
    assert main(["tables", "ws://127.0.0.1:1/ws"]) == 2
    assert "no connection: " in capsys.readouterr().err


def test_what_is_told_of_tables() -> None:
    """Bots, who is away, who is gone, options, and how many watch."""
    seats = (
        m.SeatInfo(kind="player", name="Ada", guest=False, here=False),
        m.SeatInfo(kind="gone", name="Bo"),
        m.SeatInfo(kind="bot", name="sensible"),
    )
    info = m.TableInfo(
        table="t", ruleset="r", status="playing", seats=seats, options={"heap": 3}, spectators=2
    )
    known = m.RulesetInfo(name="r", title="A game", seats_max=4)

    assert list(tables.lines_of(m.Tables(tables=(info,), rulesets=(known,)))) == [
        "r (A game): 2 to 4 seats",
        "t  r, playing: Ada (away) against Bo (gone) against sensible (bot)",
        "    no clock, open to watch; 2 watch",
        "    heap: 3",
    ]
