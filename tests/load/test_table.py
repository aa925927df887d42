"""A table under load against a server in memory; one that lies is seen."""

from __future__ import annotations

import math
from collections.abc import Callable
from types import SimpleNamespace

import msgspec
import pytest
import structlog.testing
import trio

from host.rig import URL, open_rig
from host.toy import Heap
from longfuse.host.audience import Audience
from longfuse.host.feeds import Feed
from longfuse.host.peers import Peer
from longfuse.load.clock import Clock
from longfuse.load.meter import Meter, Tally, combined
from longfuse.load.plan import TablePlan
from longfuse.load.table import Table
from longfuse_protocol import messages as m

# Without some thought, virtual time would stand still, and a run would not end.
PLAN = TablePlan(number=0, ruleset="toy", spectators=2, seed="s/0", think_s=0.01)
SECONDS = 0.5


def cuttable(stream: trio.StapledStream) -> trio.StapledStream:
    """Give a connection in memory what of a socket is needed to cut it."""

    def close() -> None:
        stream.send_stream.close()
        stream.receive_stream.close()

    stream.setsockopt = lambda *_: None
    stream.socket = SimpleNamespace(setsockopt=stream.setsockopt, close=close)
    return stream


async def play(
    plan: TablePlan = PLAN, seconds: float = SECONDS, *, gone_s: float = math.inf
) -> Tally:
    """Play a table for a while; return what was counted. gone_s: when nobody gets through more."""
    clock, meter = Clock(), Meter()
    meter.is_on = True
    async with open_rig(messages_per_s=100_000, messages_burst=100_000) as rig:

        async def dial(_host: str, _port: int) -> trio.StapledStream:
            await trio.lowlevel.checkpoint()
            if trio.current_time() >= clock.start + gone_s:
                raise OSError("no way through")
            return cuttable(rig.listener.dial())

        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(trio, "open_tcp_stream", dial)
            async with trio.open_nursery() as nursery:
                table = Table(plan, URL, clock, meter)
                nursery.start_soon(table.run, trio.CapacityLimiter(1))
                await table.opened.wait()
                clock.begin(trio.current_time(), seconds)
    return meter.tally(0.0)


def spoil(monkeypatch: pytest.MonkeyPatch, change: Callable[[m.Events], m.Events]) -> None:
    """Let the server send seat 1 something else in its third frame."""
    right = Feed.number

    def number(feed: Feed, *arguments: object) -> m.Events:
        events = right(feed, *arguments)
        return change(events) if feed.viewer == 1 and events.n == 3 else events

    monkeypatch.setattr(Feed, "number", number)


async def test_games_follow_each_other_and_are_right() -> None:
    """Games end and begin anew; every client of each saw the same, and every time was taken."""
    tally = await play(seconds=1.0)

    assert (tally.violations, tally.errors) == (0, {})
    assert tally.games_over > 1
    assert tally.games_compared == tally.games
    assert tally.decisions["toy"] == combined([tally.histograms["answer"]]).get_total_count() > 0
    assert combined([tally.histograms["other_seat"]]).get_total_count() > 0
    assert tally.bytes_received > tally.bytes_sent > 0


async def test_a_schedule_is_kept() -> None:
    """No more decisions are made than are due."""
    plan = msgspec.structs.replace(PLAN, every_s=0.1)
    tally = await play(plan)

    assert 0 < tally.decisions["toy"] <= 6
    assert tally.errors == {}


async def test_clients_are_cut_and_come_back() -> None:
    """In the middle of games; what they see goes on where it was."""
    drops = tuple((0.05 + 0.02 * number, 0.3 + 0.02 * number) for number in range(4))
    plan = msgspec.structs.replace(PLAN, think_s=0.01, drops=drops)
    tally = await play(plan, 2.0)

    assert (tally.violations, tally.errors) == (0, {})
    assert tally.drops > 1
    assert tally.resumed == tally.drops
    assert combined([tally.histograms["resume"]]).get_total_count() == tally.resumed


@pytest.mark.parametrize(
    ("kind", "field", "value"),
    [
        ("gap", "n", 4),
        ("repeat", "n", 2),
        ("digest", "digest", "f" * 32),
        ("shared", "shared", "f" * 32),
    ],
)
async def test_a_server_that_lies_is_seen(
    kind: str, field: str, value: object, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever the client makes of it: the violation is told with the seat's name and frame."""
    spoil(monkeypatch, lambda events: msgspec.structs.replace(events, **{field: value}))
    tally = await play()
    first = tally.told[0]

    assert (first.kind, first.client) == (kind, "seat 1")
    assert first.n in (2, 3)
    assert first.table


async def test_a_second_answer_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    """A server that answers a command twice may have done it twice."""
    right = Audience.send

    def send(audience: Audience, peer: Peer, message: m.ServerMessage) -> None:
        right(audience, peer, message)
        if isinstance(message, m.Answered):
            right(audience, peer, message)

    monkeypatch.setattr(Audience, "send", send)
    tally = await play()

    assert {violation.kind for violation in tally.told} == {"answered twice"}


async def test_a_server_that_is_gone_is_an_error_of_the_table() -> None:
    """Though it has played before: nobody came back, and not for want of trying."""
    plan = msgspec.structs.replace(PLAN, drops=((0.2,),) * 4)
    tally = await play(plan, gone_s=0.2)

    assert tally.decisions["toy"] > 0
    assert tally.errors["server gone"] == 1
    assert "no way through" in tally.reasons["server gone"]


async def test_who_is_away_as_the_run_ends_is_no_error() -> None:
    """The cut was the plan's, and nobody has tried in vain to come back."""
    plan = msgspec.structs.replace(PLAN, drops=((SECONDS - 0.001,),) * 4)
    tally = await play(plan)

    assert tally.drops == 4
    assert tally.errors == {}


async def test_a_table_that_fails_is_opened_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    """What went wrong is counted by its code."""
    monkeypatch.setattr("longfuse.load.table.AGAIN_S", 0.05)
    tally = await play(msgspec.structs.replace(PLAN, ruleset="unheard of"))

    assert tally.errors["unknown_ruleset"] > 1
    assert "unheard of" in tally.reasons["unknown_ruleset"]
    assert tally.decisions == {}


async def test_a_suspended_game_is_left(monkeypatch: pytest.MonkeyPatch) -> None:
    """A fault of the server is an error, and the table is opened anew."""

    def fail(_game: Heap, _entry: object) -> None:
        raise RuntimeError("broken on purpose")

    monkeypatch.setattr("longfuse.load.table.AGAIN_S", 0.05)
    monkeypatch.setattr(Heap, "advance", fail)
    with structlog.testing.capture_logs():  # tracebacks take longer to print than games to play
        tally = await play()

    assert tally.errors["suspended"] > 1
    assert tally.violations == 0


async def test_a_game_that_asks_nobody_is_left(monkeypatch: pytest.MonkeyPatch) -> None:
    """Waiting is bounded."""
    monkeypatch.setattr("longfuse.load.table.STUCK_S", 0.1)
    monkeypatch.setattr("longfuse.load.table.AGAIN_S", 0.05)
    monkeypatch.setattr(Heap, "open_prompt", None)
    tally = await play()

    assert tally.errors["nobody asked"] >= 1
    assert tally.decisions == {}
