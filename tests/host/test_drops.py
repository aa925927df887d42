"""Drops at every step of a game: whatever frame is the last, all ends as it would have without.

The reference client plays, and its connection breaks before it hears its k-th frame, after it, or
before its k-th message leaves, for every k.
"""

from __future__ import annotations

import contextlib
from typing import NamedTuple

import pytest
import trio

from host.rig import open_rig
from longfuse_protocol import messages as m
from longfuse_protocol.client import (
    ClientClosed,
    Dropped,
    Ended,
    Refused,
    Resumed,
    Retry,
    open_client,
)
from longfuse_protocol.views import digest
from support.cutting import KINDS, Cut, Cutter, check_commands, check_frames
from support.listening import URL

PLAIN = m.Terms()
RICH = m.Terms(
    clock=m.ClockTerms(kind="bank", bank_s=60, increment_s=1), best_of=1, ready_s=30, bluff_ms=500
)


class Told(NamedTuple):
    """How a game ended, as far as a drop must not matter."""

    entries: list[object]
    shared: str
    results: list[object]


async def player(client, talks, events):
    """Play with the first that fits; talk, and pause once, if it is that sort of game."""
    async for event in client:
        events.append(event)
        assert not isinstance(event, Ended), event
        with contextlib.suppress(Refused, ClientClosed):
            await react(client, event, talks)
        if isinstance(event, m.Over):
            return


async def react(client, event, talks):
    """Do what a player does when it hears this."""
    match event:
        case m.ReadyCheck(ready=ready) if client.place and not ready[client.place.seat]:
            await client.command(m.Ready(command=client.new_id()))
        case m.Asked(prompt=prompt):
            if talks and prompt.id == 3:
                for talk in (client.say("a long game"), client.offer("pause")):
                    with contextlib.suppress(Refused, ClientClosed):
                        await talk
            await client.decide(prompt, prompt.default)
        case m.Offers(offers=offers):
            for offer in offers:
                if offer.by != client.place.seat:
                    await client.respond(offer.kind, accept=True)
        case m.TableChanged() | Resumed() if client.place and client.place.seat == 1:
            if client.table.status == "paused":
                await client.unpause()


async def play(rig, terms, *, watches=False):
    """Play a game from the hello to its end; return the events that each heard."""
    table = trio.Event()
    ids = []
    heard = {"Ada": [], "Bob": [], "Eve": []}

    async def dial():
        await trio.lowlevel.checkpoint()
        return rig.listener.dial()

    def client(name):
        retry = Retry(base_s=0.01, tries=5, first=True)
        return open_client(URL, name=name, dial=dial, retry=retry, chance=lambda: 0.5)

    async def enter(ada, how):
        while True:  # an answer that is lost leaves it open whether one has come in
            with contextlib.suppress(ClientClosed):
                return await how() if ada.place is None else ada.place
            await trio.sleep(0.1)

    async def sit_down(name):
        async with client(name) as someone:
            if name == "Ada":
                options = {"heap": 9}
                place = await enter(
                    someone, lambda: someone.create("toy", 2, options=options, terms=terms)
                )
                ids.append(place.info.table)
                table.set()
            else:
                await table.wait()
                await enter(someone, lambda: someone.join(ids[0]))
            await player(someone, terms is RICH, heard[name])
            ends[name] = (someone.mirror.digest, someone.mirror.is_lost)

    async def look_on():
        await table.wait()
        async with client("Eve") as eve:
            await enter(eve, lambda: eve.spectate(ids[0]))
            async for event in eve:
                heard["Eve"].append(event)
                if len(ends) == 2 and eve.mirror.n == rig_n():
                    break
            ends["Eve"] = (eve.mirror.digest, eve.mirror.is_lost)

    def rig_n():
        [known] = rig.running._lobby._tables.values()
        return known.places._feeds.public.n

    ends = {}
    with trio.fail_after(300):
        async with trio.open_nursery() as nursery:
            nursery.start_soon(sit_down, "Ada")
            nursery.start_soon(sit_down, "Bob")
            if watches:
                nursery.start_soon(look_on)
    return heard, ends


async def whole_game(cutter, terms, *cuts, watches=False):
    """Play a game with these cuts, check what holds in every game, and return how it ended."""
    cutter.begin(*cuts)
    async with open_rig(resume_s=30) as rig:
        heard, ends = await play(rig, terms, watches=watches)
        [game] = rig.factory.games
        viewers = {"Ada": 0, "Bob": 1, "Eve": "spectator"}
        assert ends == {name: (digest(game.view(viewers[name])), False) for name in ends}
        for name, events in heard.items():
            check_frames(name, events)
        check_commands(cutter)
        commands = [record.command for _, record in rig.journal.records if record.command]
        assert len(commands) == len(set(commands))
        assert set(commands) <= {command for _, command in cutter.answers}
        assert list(rig.journal.closed) == [rig.journal.headers[0].game]
        entries = [(record.entry, record.rule) for _, record in rig.journal.records]
        return Told(entries, digest(game.view("spectator")), [game.result])


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("name", ["Ada", "Bob"])
@pytest.mark.parametrize("terms", [PLAIN, RICH], ids=["plain", "rich"])
@pytest.mark.complaint(
    "servers 5", "servers 7", "servers 8", "servers 10", "servers 13", "servers 71"
)
async def test_a_drop_at_every_step(terms, name, kind, monkeypatch):
    """A seat that drops at any step plays the same game, with the same entries and views."""
    cutter = Cutter(monkeypatch)
    without = await whole_game(cutter, terms)
    steps = cutter.counts[name, kind]
    assert steps > 5
    for at in range(1, steps + 1):
        told = await whole_game(cutter, terms, Cut(name, kind, at))
        assert told == without, (name, kind, at)


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
async def test_both_drop_at_every_step(kind, monkeypatch):
    """Both seats at once drop at any step, and nothing is different."""
    cutter = Cutter(monkeypatch)
    without = await whole_game(cutter, PLAIN)
    steps = min(cutter.counts[name, kind] for name in ("Ada", "Bob"))
    for at in range(1, steps + 1):
        told = await whole_game(cutter, PLAIN, Cut("Ada", kind, at), Cut("Bob", kind, at))
        assert told == without, (kind, at)


@pytest.mark.slow
@pytest.mark.parametrize("delay_s", [0, 7])
@pytest.mark.parametrize("kind", ["before", "after"])
async def test_a_spectator_drops_at_every_step(kind, delay_s, monkeypatch):
    """A spectator that drops at any step ends with the view that all spectators have."""
    terms = m.Terms(delay_s=delay_s)
    cutter = Cutter(monkeypatch)
    without = await whole_game(cutter, terms, watches=True)
    steps = cutter.counts["Eve", kind]
    for at in range(1, steps + 1):
        told = await whole_game(cutter, terms, Cut("Eve", kind, at), watches=True)
        assert told == without, (kind, at)


async def test_the_cuts_are_real(monkeypatch):
    """The harness breaks what it says it breaks."""
    cutter = Cutter(monkeypatch)
    cutter.begin(Cut("Ada", "after", 12))
    async with open_rig(resume_s=30) as rig:
        heard, _ = await play(rig, PLAIN)

    assert sum(isinstance(event, Dropped) for event in heard["Ada"]) == 1
    assert not any(isinstance(event, Dropped) for event in heard["Bob"])
