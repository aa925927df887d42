"""Replays beside any table: what is remembered and for how long, what they cost, how they fail."""

import contextlib
from types import SimpleNamespace

import msgspec
import pytest
import trio
import trio.testing
from msgspec.structs import replace

from host.toy import ToyFactory
from longfuse.config import Config
from longfuse.game.entries import Decision, Refused, Rewind
from longfuse.host import rebuilds, replays
from longfuse.host.anew import ENTRIES_AT_ONCE
from longfuse.host.people import Person
from longfuse.host.ports import Header, Mark, Saved
from longfuse.host.rebuilds import Frames, Kept, rebuild
from longfuse.host.replays import Replays
from longfuse.host.shuffling import Shuffling
from longfuse.host.wall import now_ms
from longfuse_protocol import messages as m
from longfuse_protocol.codec import CODECS, MSGPACK
from longfuse_protocol.errors import Code

GAME = "t-1"
SECRET = bytes(range(32))
TERMS = m.Terms()


def saved(*, game=GAME, terms=TERMS, entries=None, ago_s=0, streams=(), **options):
    """A toy game of two seats without nonces, with these entries, or with defaults to its end."""
    shuffling = Shuffling(
        game=game,
        counter=1,
        ruleset="toy",
        rules_version="toy 1",
        decks=("plain", "plain"),
        takes_part=[False, False],
        secret=SECRET,
    )
    header = Header(
        game=game,
        ruleset="toy",
        seats=("Ada", "Bob"),
        decks=("plain", "plain"),
        options={"heap": 9, **options},
        terms=terms,
        transcript=shuffling.transcript,
        opened_ms=0,
        streams=streams,
    )
    return Saved(
        header=header,
        entries=defaults(header) if entries is None else tuple(entries),
        secret=SECRET.hex(),
        over_ms=now_ms() - round(1_000 * ago_s),
    )


def defaults(header):
    game = ToyFactory().create("toy", header.decks, header.options, b"key")
    entries = []
    while game.open_prompt is not None:
        prompt = game.open_prompt
        entries.append(Decision(prompt.seat, prompt.id, prompt.default))
        game.advance(entries[-1])
    return tuple(entries)


class Shelf:
    """A journal that has games, counts who asks, and can be slow."""

    def __init__(self, *games, find_s=0.0):
        self.games = {one.header.game: one for one in games}
        self.asked = 0
        self.find_s = find_s

    async def opened(self, game):
        await trio.lowlevel.checkpoint()
        if game in self.games:
            self.games[game] = replace(self.games[game], is_open=True)

    async def find(self, game):
        self.asked += 1
        await trio.sleep(self.find_s)
        return self.games.get(game)


class Line:
    """A connection that keeps what it was told."""

    def __init__(self):
        self.told = []
        self.is_ended = False

    def send(self, outgoing):
        self.told.append(outgoing.message)

    def flush(self):
        """Hold nothing back."""


class Asking:
    """Replays of a shelf, and somebody who asks."""

    def __init__(self, shelf, factory, config):
        self.shelf = shelf
        self.factory = factory
        self.replays = Replays(config, factory, shelf)

    def ask(self, person, viewer="spectator", *, game=GAME, is_there=False):
        """Ask, and return the line on which the answer comes."""
        line = Line()
        question = m.Replay(command="r", game=game, viewer=viewer)
        self.replays.request(person, line, question, is_there=is_there)
        return line

    async def told(self, person, viewer="spectator", *, game=GAME, is_there=False):
        """Return the answer; a refusal as its code."""
        try:
            line = self.ask(person, viewer, game=game, is_there=is_there)
        except Refused as refused:
            return refused.code
        await _until(lambda: line.told)
        [answer] = line.told
        return answer.code if isinstance(answer, m.Failed) else answer


@contextlib.asynccontextmanager
async def asking(*games, find_s=0.0, factory=None, **settings):
    """Run replays of these games."""
    shelf = Shelf(*games, find_s=find_s)
    one = Asking(shelf, factory or ToyFactory(), Config(**settings))
    async with trio.open_nursery() as nursery:
        await nursery.start(one.replays.run)
        yield one
        nursery.cancel_scope.cancel()


def person(user="", name="Ada"):
    return Person(name, user, b"")


def opened():
    return SimpleNamespace(table="t", terms=TERMS, invitation="come")


# ---------------------------------------------------------------- what is remembered


async def test_another_session_of_the_same_user():
    """Who held the seat is a user, if a token said so; else a session. A guest's name is nobody."""
    ada, bob = person("ada"), person(name="Bob")
    async with asking(saved()) as one:
        one.replays.began(GAME, opened(), {0: ada, 1: bob})
        one.replays.over(GAME)

        assert (await one.told(person("ada"), 0)).viewer == 0
        assert (await one.told(ada, 0)).viewer == 0
        assert (await one.told(bob, 1)).viewer == 1
        for other in (person("bob"), person(), person(name="Bob")):
            assert await one.told(other, 0) == Code.NOT_OPEN
            assert await one.told(other, 1) == Code.NOT_OPEN


async def test_after_a_restart():
    """Public views of tables open to all are shown, and whole games where the table said so."""
    games = [
        saved(game="open-1"),
        saved(game="whole-1", terms=m.Terms(open_replay=True)),
        saved(game="invited-1", terms=m.Terms(watch="invited", open_replay=True)),
        saved(game="closed-1", terms=m.Terms(watch="closed", open_replay=True)),
    ]
    async with asking(*games) as one:
        ada = person("ada")
        assert (await one.told(ada, game="open-1")).last
        assert await one.told(ada, 0, game="open-1") == Code.NOT_OPEN
        assert (await one.told(ada, 1, game="whole-1")).viewer == 1
        for game in ("invited-1", "closed-1"):
            for viewer in ("spectator", 0):
                assert await one.told(ada, viewer, game=game, is_there=True) == Code.NOT_OPEN
        assert await one.told(ada, game="nothing-1") == Code.UNKNOWN_GAME


async def test_the_delay_after_a_restart():
    """It counts from the end that the journal knows."""
    terms = m.Terms(delay_s=100)
    async with asking(saved(terms=terms, ago_s=40), saved(game="old-1", ago_s=101)) as one:
        assert await one.told(person()) == Code.UNKNOWN_GAME
        assert (await one.told(person(), game="old-1")).last
        await trio.sleep(62)
        one.shelf.games[GAME] = replace(one.shelf.games[GAME], over_ms=now_ms() - 102_000)
        assert (await one.told(person())).last


async def test_nobody_s_place_is_known_for_ever(monkeypatch):
    """Of games that are long ago it is known what their journals say, and not who played."""
    monkeypatch.setattr(replays, "KNOWN_MAX", 1)
    ada = person()
    async with asking(saved()) as one:
        one.replays.began(GAME, opened(), {0: ada})
        one.replays.over(GAME)
        assert (await one.told(ada, 0)).viewer == 0
        one.replays.began("t-2", opened(), {0: ada})
        one.replays.over(GAME)

        assert await one.told(ada, 0) == Code.NOT_OPEN
        assert (await one.told(ada)).last


async def test_who_asks_for_old_games_makes_nobody_s_place_forgotten(monkeypatch):
    """What a journal says can be looked up again; who played is known only here."""
    monkeypatch.setattr(replays, "KNOWN_MAX", 2)
    ada, eve = person(), person()
    async with asking(saved(), *(saved(game=f"old-{n}") for n in range(3))) as one:
        one.replays.began(GAME, opened(), {0: ada})
        one.replays.over(GAME)
        for n in range(3):
            assert (await one.told(eve, game=f"old-{n}")).last

        assert (await one.told(ada, 0)).viewer == 0
        one.replays.began("t-2", opened(), {0: ada})
        assert (await one.told(ada, 0)).viewer == 0
        assert (await one.told(eve, game="old-0")).last


async def test_a_game_that_was_opened_stays_open():
    """What all seats agreed on is known when nothing else is: after a restart."""
    async with asking(saved(game="other-1"), saved()) as one:
        await one.replays.open(GAME)
        assert (await one.told(person(), 1)).viewer == 1
        assert await one.told(person(), 1, game="other-1") == Code.NOT_OPEN


async def test_a_game_that_is_not_kept_any_more():
    """Who played it is told so."""
    ada = person()
    async with asking() as one:
        one.replays.began(GAME, opened(), {0: ada})
        one.replays.over(GAME)
        assert await one.told(ada, 0) == Code.UNKNOWN_GAME


# ---------------------------------------------------------------- what it costs


async def test_a_running_game_costs_no_look_at_the_disk():
    """Whoever asks for it is refused at once."""
    async with asking(saved()) as one:
        one.replays.began(GAME, opened(), {0: person()})
        assert await one.told(person()) == Code.UNKNOWN_GAME
        assert one.shelf.asked == 0


async def test_others_have_their_turn():
    """While a long game is played anew, other tasks go on, every few entries."""
    async with asking(saved(heap=600)) as one:
        line = one.ask(person())
        turns = 0
        while not line.told:
            turns += 1
            await trio.lowlevel.checkpoint()

        entries = len(one.shelf.games[GAME].entries)
        assert entries > 100
        assert turns > entries / ENTRIES_AT_ONCE


async def test_one_at_a_time_for_each_and_so_many_for_all(monkeypatch):
    """Who has a replay under way, or comes while too many wait, is told to wait."""
    monkeypatch.setattr(replays, "ASKING_MAX", 2)
    ada, bob, eve = person(), person(), person()
    async with asking(saved(), find_s=1) as one:
        first, second = one.ask(ada), one.ask(bob)
        assert await one.told(ada) == Code.BUSY
        assert await one.told(eve) == Code.BUSY
        await _until(lambda: first.told and second.told)
        assert (await one.told(eve)).last
        assert (await one.told(ada)).last


async def test_few_are_played_anew_at_once():
    """The others wait their turn, and then find what was made meanwhile."""
    async with asking(saved(), find_s=1) as one:
        lines = [one.ask(person()) for _ in range(10)]
        await trio.sleep(0.5)
        assert one.shelf.asked == replays.REBUILDS_MAX
        await _until(lambda: all(line.told for line in lines))
        assert len(one.factory.games) <= replays.REBUILDS_MAX


async def test_nothing_is_played_anew_for_who_has_gone():
    """Whose connection has ended while others had their turn gets no turn, and may ask again."""
    ada = person()
    async with asking(saved(), saved(game="t-2"), find_s=1) as one:
        lines = [one.ask(person()) for _ in range(replays.REBUILDS_MAX)]
        gone = one.ask(ada, game="t-2")
        gone.is_ended = True
        await _until(lambda: all(line.told for line in lines))
        await trio.testing.wait_all_tasks_blocked()

        assert one.shelf.asked == replays.REBUILDS_MAX
        assert gone.told == []
        assert (await one.told(ada, game="t-2")).last


async def test_nobody_waits_for_ever():
    """Where it takes too long, one is told, and others come to their turn."""
    async with asking(saved(), find_s=1_000) as one:
        began = trio.current_time()
        assert await one.told(person()) == Code.BUSY
        assert trio.current_time() - began == pytest.approx(replays.ANSWER_S, abs=0.1)
        one.shelf.find_s = 0
        assert (await one.told(person())).last


@pytest.mark.parametrize("limit", ["BYTES_MAX", "ENTRIES_MAX"])
async def test_a_game_that_is_too_long(monkeypatch, limit):
    """It is refused, and nothing of it is kept."""
    monkeypatch.setattr(rebuilds, limit, 3)
    async with asking(saved()) as one:
        assert await one.told(person()) == Code.NOT_OPEN


async def test_going_back_costs_as_many_entries_as_it_plays(monkeypatch):
    """A short game in which the seats went back again and again is a long one."""
    first, second, *_ = defaults(saved().header)
    back_and_again = [entry for n in range(10) for entry in (Rewind(1, 1), second)]
    game = saved(entries=[first, second, *back_and_again])
    monkeypatch.setattr(rebuilds, "ENTRIES_MAX", 22)
    assert (await rebuild(game, "spectator", ToyFactory())).spelt
    monkeypatch.setattr(rebuilds, "ENTRIES_MAX", 21)
    with pytest.raises(Refused, match="too long"):
        await rebuild(game, "spectator", ToyFactory())


def test_what_was_asked_for_last_is_kept(monkeypatch):
    """The oldest goes when there is too much; the newest stays, however much it is."""
    monkeypatch.setattr(rebuilds, "KEPT_BYTES_MAX", 10)
    kept = Kept()
    small = Frames(1, (b"12", b"34"))
    kept.keep("a", 0, small)
    kept.keep("b", 0, small)
    assert kept.find("a", 0) is small
    kept.keep("c", 0, small)
    assert [kept.find(name, 0) for name in "abc"] == [small, None, small]
    kept.keep("c", 0, small)
    assert kept.find("a", 0) is small
    large = Frames(1, (b"x" * 100,))
    kept.keep("d", 0, large)
    assert [kept.find(name, 0) for name in "acd"] == [None, None, large]


# ---------------------------------------------------------------- how it fails


async def test_other_rules_than_those_of_the_game():
    """A game of other rules, or of a ruleset that is gone, is not played by these."""
    game = saved()
    with pytest.raises(Refused, match="other rules"):
        transcript = msgspec.structs.replace(game.header.transcript, rules_version="toy 2")
        header = replace(game.header, transcript=transcript)
        await rebuild(replace(game, header=header), 0, ToyFactory())
    with pytest.raises(Refused, match="no ruleset"):
        header = replace(game.header, ruleset="gone")
        await rebuild(replace(game, header=header), 0, ToyFactory())


@pytest.mark.parametrize("entry", [Decision(1, 1, 0), Decision(0, 1, 0)])
async def test_a_game_that_comes_out_otherwise(entry):
    """A fault in one replay is logged and told in a sentence; the next goes on."""
    broken = saved(game="broken-1", entries=[entry], fault_at=1)
    async with asking(saved(), broken) as one:
        assert await one.told(person(), game="broken-1") == Code.NOT_OPEN
        assert (await one.told(person())).last


async def test_frames_go_on_from_the_game_before():
    """A later game is shown as it was: with its numbers, and with what went away."""
    marks = (Mark(20, ("mark", "gone", "heap")), Mark(20, ()), Mark(10, ("gone",)))
    frames = await rebuild(saved(streams=marks), 0, ToyFactory())

    events, _ = frames.after(0, 1, 10**6)
    assert (frames.first, events[0].n) == (21, 21)
    assert events[0].changes["gone"] is None
    assert list(events[0].changes)[:3] == ["mark", "gone", "heap"]
    plain, _ = (await rebuild(saved(), 0, ToyFactory())).after(0, 1, 10**6)
    assert (plain[0].digest, plain[0].shared) == (events[0].digest, events[0].shared)


async def test_a_frame_larger_than_a_part_comes_alone():
    """A part is never empty before the end."""
    frames = await rebuild(saved(ballast=1_000), "spectator", ToyFactory())
    part, is_last = frames.after(0, 64, 10)
    assert (len(part), is_last) == (1, False)
    assert len(CODECS[MSGPACK].encode(frames.after(1, 64, 10)[0][0])) > 1_000


async def _until(is_so):
    for _ in range(20_000):
        if is_so():
            return
        await trio.sleep(0.01)
    raise AssertionError("it did not come about")
