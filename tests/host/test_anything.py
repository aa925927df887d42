"""Many people who do anything at any time: nothing breaks, and every command is answered once.

Each follows the session's table on its side, and sends only what it allows there. So whatever the
server says must be legal on the client's side, too, however messages cross.
"""

from __future__ import annotations

import random
from collections import Counter

import pytest
import trio
from structlog.testing import capture_logs

from host.lines import Line, create, token, token_settings
from host.rig import gone, open_rig
from host.toy import ToyFactory
from longfuse.host.play import Play
from longfuse.host.playing import CLOCK
from longfuse.host.tables import Table
from longfuse_protocol import messages as m
from longfuse_protocol.errors import OutOfOrder
from longfuse_protocol.mirror import Mirror
from longfuse_protocol.receipts import Receipt
from longfuse_protocol.session import Session, State

STEPS = 150
BOT = m.SeatWish(kind="bot", bot="default")
COMMANDS = m.Command.__args__
HARMLESS = {"info", "debug"}
REPORTED = {"chat_reported", "interruption_refused"}


class FollowingLine(Line):
    """A connection whose messages, both ways, follow the session's table."""

    def __init__(self, rig):
        super().__init__(rig)
        self.session = Session()
        self.sent: Counter[str] = Counter()
        self.answered: Counter[str] = Counter()

    async def say(self, *messages):
        for message in messages:
            self.session.step(message)
            if isinstance(message, COMMANDS):
                self.sent[message.command] += 1
            await super().say(message)

    async def next(self):
        message = await super().next()
        if message is not None:
            self.session.step(message)
            if isinstance(message, m.Answered | m.Failed) and message.command:
                self.answered[message.command] += 1
        return message


class Anybody:
    """Somebody who does anything that the session allows."""

    def __init__(self, rig, name, chance, token):
        self.name = name
        self.lines = []
        self.secret = ""
        self.stream, self.n, self.seat = "", 0, None
        self.prompt = None
        self.receipt = None
        self.decisions = set()
        self.names = set()
        self.mirror = None
        self.token = token
        self._rig = rig
        self._chance = chance
        self._ids = 0

    @property
    def line(self):
        return self.lines[-1]

    async def connect(self):
        """Come, or come back, with something like what is known."""
        line = FollowingLine(self._rig)
        self.lines.append(line)
        resume = None
        if self.secret:
            n = max(0, self.n + self._chance.choice((0, 0, 0, -1, -200, 7)))
            if n != self.n:
                self.mirror = None
            resume = m.Resume(secret=self.secret, stream=self.stream, n=n)
        told = await line.open(self.hello(resume))
        if isinstance(told, m.Rejected):
            assert told.code == "unknown_session"
            self.secret = ""
            told = await line.hello(self.hello())
        assert isinstance(told, m.Welcome), told
        self.secret = told.secret or self.secret
        self.names.add(told.name)

    def hello(self, resume=None):
        shuffles = bool(self.token)
        return m.Hello(name=self.name, token=self.token, resume=resume, shuffles=shuffles)

    async def hear(self):
        """Hear all that has come."""
        for message in await self.line.rest():
            match message:
                case m.Joined(place=place):
                    self.stream, self.n, self.prompt = place.stream, 0, None
                    self.mirror = Mirror()
                    self.seat = place.seat
                case m.Commitment() if self.seat is not None:
                    self.receipt = Receipt.begin(self.seat, message, "5" * 64)
                case m.NonceHashes() if self.receipt is not None:
                    self.receipt.take(message)
                case m.Events(n=n) | m.Snapshot(n=n):
                    self.n, self.prompt = n, None
                    self.follow(message)
                case m.Asked(prompt=prompt):
                    self.prompt = prompt

    def follow(self, frame):
        """Keep a copy of the view, and find it right; one that was claimed wrongly is unknown."""
        if isinstance(frame, m.Snapshot):
            self.mirror = Mirror()
            self.mirror.take_whole(frame)
        elif self.mirror is not None:
            self.mirror.follow(frame)
        assert self.mirror is None or not self.mirror.is_lost, (self.name, frame)

    async def live(self, tables):
        """Do so many things."""
        await self.connect()
        for _ in range(STEPS):
            await trio.sleep(self._chance.choice((0, 0, 0, 0.001, 0.5, 3)))
            if self._chance.random() < 0.6:
                await self.hear()
            if self.line.is_over or self._chance.random() < 0.06:
                if self._chance.random() < 0.7:
                    await self.line.cut()
                await trio.sleep(self._chance.choice((0, 0, 0, 1, 9)))
                await self.connect()
                continue
            for wish in self._chance.choices(self.wishes(tables), k=self._chance.choice((1, 1, 3))):
                try:
                    await self.line.say(wish())
                except OutOfOrder:
                    continue
                except trio.BrokenResourceError:
                    break
        await self.hear()

    def wishes(self, tables):
        """Return what may be wished now; each makes its message."""
        chance, new = self._chance, self._new
        if self.line.session.state is State.LOBBY:
            known = [table.id for table in tables.values()] or ["nowhere"]
            return [
                lambda: create(seats=2, command=new(), terms=self._terms()),
                lambda: create(seats=(m.SeatWish(), BOT), command=new(), terms=self._terms()),
                *[lambda: m.Join(command=new(), table=chance.choice(known))] * 4,
                lambda: m.Spectate(command=new(), table=chance.choice(known)),
                *[lambda: m.Pair(command=new(), ruleset="toy")] * 2,
                m.Browse,
            ]
        kinds = ("draw", "pause", "take back", "rematch", "open replay")
        return [
            *[self._decision] * 25,
            *[self._step] * 40,
            lambda: m.Leave(command=new()),
            lambda: m.Concede(command=new()),
            *[lambda: m.Ready(command=new())] * 3,
            lambda: m.MakeOffer(command=new(), kind=chance.choice(kinds)),
            *[
                lambda: m.Respond(
                    command=new(), kind=chance.choice(kinds), accept=chance.random() < 0.8
                )
            ]
            * 3,
            lambda: m.Unpause(command=new()),
            lambda: m.TakeBack(command=new()),
            lambda: m.Settings(
                command=new(), passing=m.Passing(mode=chance.choice(("ask", "pass")))
            ),
            lambda: m.Say(command=new(), text="hello"),
            lambda: m.Mute(command=new(), muted=chance.random() < 0.5),
            lambda: m.Report(command=new(), line=1),
            lambda: m.ChooseDeck(command=new(), deck=chance.choice(("plain 2", "bad"))),
            lambda: m.Unpair(command=new()),
            m.Resync,
            m.Browse,
        ]

    def _new(self):
        self._ids += 1
        return f"{self.name}-{self._ids}"

    def _decision(self):
        if self.prompt is None:
            return m.Decide(command=self._new(), prompt=self._ids, answer=0)
        command = self._new()
        self.decisions.add(command)
        return m.Decide(command=command, prompt=self.prompt.id, answer=self.prompt.default)

    def _step(self):
        """Return what the shuffle wants next; a decision, or a wrong step, where it wants none."""
        if self.receipt is None or self.prompt is not None:
            return self._decision()
        if self.receipt.hashes:
            return self.receipt.nonce_message()
        return self.receipt.hash_message()

    def _terms(self):
        return m.Terms(
            best_of=self._chance.choice((1, 3)),
            ready_s=self._chance.choice((0, 0, 5)),
            delay_s=self._chance.choice((0, 2)),
            bluff_ms=self._chance.choice((0, 700)),
            take_back=self._chance.choice(("no", "open play", "by agreement")),
            clock=self._chance.choice(
                (
                    m.ClockTerms(),
                    m.ClockTerms(kind="bank", bank_s=20, increment_s=1),
                    m.ClockTerms(kind="decision", decision_s=5, out="default"),
                )
            ),
        )


async def meet(rig, seed, users, *, lasts_s=None):
    """Let people do anything, to the end or for so long; then hear all, and return them."""
    chance = random.Random(seed)
    rig.journal.append_s = chance.choice((0, 0.002))
    people = [
        Anybody(rig, f"P{n}", random.Random(chance.random()), token(user) if user else "")
        for n, user in enumerate(users)
    ]
    with trio.move_on_after(lasts_s or 10_000):
        async with trio.open_nursery() as nursery:
            for somebody in people:
                nursery.start_soon(somebody.live, rig.running._lobby._tables)
    return people


def answered_once(people):
    """Check that no command was answered twice, and all on connections that stand were."""
    for somebody in people:
        for line in somebody.lines[:-1]:
            assert max(line.answered.values(), default=0) <= 1
        assert somebody.line.answered == somebody.line.sent


def nobody_saw_too_much(people, games):
    """Check that a seat's secret was sent to nobody but who sat there, in any of its sessions."""
    seen_at_all = False
    frames = {one: b"".join(frame for line in one.lines for frame in line.frames) for one in people}
    for seats, secrets in games:
        for name, secret in zip(seats, secrets, strict=True):
            saw = {one for one, seen in frames.items() if secret.encode() in seen}
            assert all(name in one.names for one in saw), (name, [one.names for one in saw])
            seen_at_all |= bool(saw)
    assert seen_at_all


def dealt(monkeypatch):
    """Note who sits at each game, and the secrets of the seats."""
    games = []
    begin = Play.begin

    async def beginning(self, header):
        games.append((header.seats, self.game._secrets))
        return await begin(self, header)

    monkeypatch.setattr(Play, "begin", beginning)
    return games


def watch_clocks(monkeypatch):
    """Let a table fail that has no alarm where a seat's time runs out, or one where none does."""
    handled = Table._set_watch

    def checking(table):
        handled(table)
        playing, at = table._match.playing, table._alarms.at(CLOCK)
        runs = playing is not None and table._match.status == "playing" and not table._is_draining
        assert at == (playing._clocks.running_out() if runs else None), table._match.status

    monkeypatch.setattr(Table, "_set_watch", checking)


def complaints(lines):
    """Return what the operator was told that should not have been."""
    return [
        line
        for line in lines
        if line["log_level"] not in HARMLESS and line["event"] not in REPORTED
    ]


def commands(rig):
    """Return the game, the seat and the id of each command that is kept."""
    return [
        (game, record.entry.seat, record.command)
        for game, record in rig.journal.records
        if record.command
    ]


SETTINGS = {
    "resume_s": 5,
    "between_s": 8,
    "pause_s": 8,
    "pair_ready_s": 4,
    "nonce_s": 6,
    "messages_burst": 100_000,
}
USERS = ("u0", "u0", "u1", "u2", "", "")
"""Two are sessions of one user, two are other users, and the rest are guests."""


@pytest.mark.slow
@pytest.mark.complaint("servers 11", "servers 28", "servers 58")
@pytest.mark.parametrize("seed", range(8))
async def test_anything(seed, tmp_path, monkeypatch):
    """Nothing is illegal for anybody, no table breaks, and each command is answered once.

    However seats change hands, nobody sees what only another seat may see.
    """
    games = dealt(monkeypatch)
    watch_clocks(monkeypatch)
    with capture_logs() as lines:
        async with open_rig(**SETTINGS, **token_settings(tmp_path)) as rig:
            people = await meet(rig, seed, USERS)
            await trio.sleep(1)
            for somebody in people:
                await somebody.hear()
                await somebody.line.cut()
            await gone(rig, tables=0)

    assert complaints(lines) == []
    answered_once(people)
    nobody_saw_too_much(people, games)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(4))
async def test_anything_where_games_break(seed, tmp_path, monkeypatch):
    """Tables whose games break are suspended; still nothing is illegal, and all is answered."""
    chance = random.Random(-seed)
    make = ToyFactory.create

    def breaking(self, ruleset, decks, options, key, tasks=None):
        at = {"fault_at": chance.randint(1, 6), "unspellable_at": chance.randint(1, 6)}
        return make(self, ruleset, decks, {**options, **at}, key, tasks)

    monkeypatch.setattr(ToyFactory, "create", breaking)
    with capture_logs() as lines:
        async with open_rig(**SETTINGS, **token_settings(tmp_path)) as rig:
            people = await meet(rig, seed, USERS)
            await trio.sleep(1)
            for somebody in people:
                await somebody.hear()
                await somebody.line.cut()
            await gone(rig, tables=0)

    assert {line["event"] for line in complaints(lines)} == {"table_suspended"}
    answered_once(people)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(6))
async def test_anything_until_a_drain(seed, tmp_path):
    """A drain in the middle of it all closes everybody, and keeps every answer that it gave.

    A decision that was answered is in the journal, once; nothing enters a game afterwards.
    """
    with capture_logs() as lines:
        async with open_rig(**SETTINGS, **token_settings(tmp_path), grace_s=30) as rig:
            people = await meet(rig, seed, USERS, lasts_s=5 + 7 * seed)
            tables = list(rig.running._lobby._tables.values())
            rig.running.drain()
            for table in tables:
                await table.settled.wait()
            kept = commands(rig)
            codes = [await somebody.line.close_code() for somebody in people]
            await trio.sleep(20)
            later = commands(rig)

    assert complaints(lines) == []
    assert set(codes) <= {1012, None}
    assert later == kept
    assert len(kept) == len(set(kept))
    assert all(table.settled.is_set() for table in tables)
    done = {
        message.command
        for somebody in people
        for line in somebody.lines
        for message in line.heard
        if isinstance(message, m.Answered) and message.ok and message.command in somebody.decisions
    }
    assert done <= {command for _, _, command in kept}
