"""An evening at one table: two who play, those who watch, and much that goes wrong on the way.

Everything follows from a seed and from what all may know, so two evenings that differ in something
hidden take the same course.
"""

from __future__ import annotations

import os
import random
from collections.abc import Awaitable, Callable, Sequence

import trio

from e2e.hidden_cards import Policy
from e2e.wiretap import Tap, is_done, settle
from host.rig import Rig
from longfuse_protocol import messages as m
from longfuse_protocol.codec import JSON, MSGPACK
from longfuse_protocol.passing import Passing, Stop, Until
from longfuse_protocol.prompts import Answer

TERMS = m.Terms(
    clock=m.ClockTerms(kind="bank", bank_s=3_000, increment_s=2), take_back="by agreement"
)
SEATS = (m.SeatWish(), m.SeatWish())
ASK = Passing(mode="ask")
ACTS_SHARE = 0.7
MISFITS = (-1, 999, (-1,), (99,))
SEEDS = range(
    int(
        os.environ.get("NONINTERFERENCE_SEEDS", "")
        or {"nightly": 20}.get(os.environ.get("HYPOTHESIS_PROFILE", ""), 1)
    )
)
"""One evening of each sort is spent for each."""
Act = Callable[[], Awaitable[None]]


def passings(ruleset: str) -> Sequence[Passing]:
    """Settings of every sort."""
    phase = {"riftbound": "main", "hkk": "second main"}[ruleset]
    return (
        Passing(),
        ASK,
        Passing(mode="pass"),
        Passing(mode="pass", interrupts=("anything",)),
        Passing(stops=(Stop(phase, "others"), Stop(phase))),
        Passing(until=Until(phase, "own")),
        Passing(mode="ask", until=Until(phase, "any"), interrupts=()),
        Passing(yields=("Wasp", "Late 1")),
    )


class Evening:
    """The people of one table."""

    def __init__(
        self,
        rig: Rig,
        nursery: trio.Nursery,
        ruleset: str,
        seed: int,
        *,
        terms: m.Terms = TERMS,
        hidden: frozenset[str] = frozenset(),
        shuffles: bool = False,
    ) -> None:
        self.rig = rig
        self.ruleset = ruleset
        self.terms = terms
        self.ada = Tap(rig, nursery, "Ada", MSGPACK, shuffles=shuffles)
        self.bob = Tap(rig, nursery, "Bob", JSON, shuffles=shuffles)
        self.eve = Tap(rig, nursery, "Eve", JSON)
        self.mia = Tap(rig, nursery, "Mia", MSGPACK)
        self.lou = Tap(rig, nursery, "Lou", JSON)
        """Comes late."""
        self.out = Tap(rig, nursery, "Out", MSGPACK)
        """Never comes to the table, but looks at the list."""
        self.taps = (self.ada, self.bob, self.eve, self.mia, self.lou, self.out)
        self.policies = (Policy(f"{seed} Ada"), Policy(f"{seed} Bob", hidden))
        self.chance = random.Random(f"{seed} acts")
        self.acts: list[Act] = [
            self.time_passes,
            self.misfit,
            self.misfit,
            self.resync,
            self.drop,
            self.drop,
            self.lose_track,
            self.talk,
            self.offer,
            self.pause,
            self.go_back,
            self.set_passing,
            self.meddle,
            self.look_around,
            self.ask_for_too_much,
            self.come_late,
        ]
        self.bob_asks = False
        """Whether nothing is ever passed for Bob."""
        self.table = ""
        self.decided = 0
        """Decisions of Ada's."""

    async def begin(self, *, watch: bool = True) -> None:
        """Let all come, and the game begin."""
        for tap in self.taps:
            await tap.come()
            await settle()
        await self.ada.command(m.Create, ruleset=self.ruleset, seats=SEATS, terms=self.terms)
        assert self.ada.place is not None
        self.table = self.ada.place.info.table
        if watch:
            await self.watch(self.mia)
        await self.bob.command(m.Join, table=self.table, invitation=self.ada.place.invitation)
        if watch:
            await self.watch(self.eve)
        await settle()

    async def watch(self, tap: Tap) -> None:
        """Come to watch."""
        assert self.ada.place is not None
        invitation = "" if self.terms.watch == "open" else self.ada.place.invitation
        await tap.command(m.Spectate, table=self.table, invitation=invitation)

    @property
    def asked(self) -> Tap | None:
        """Who is asked now."""
        return next((tap for tap in (self.ada, self.bob) if tap.prompt is not None), None)

    async def play(self, decisions: int, *, acts_at: Sequence[str] = ("Ada", "Bob")) -> None:
        """Play on for so many decisions of Ada's, with acts between them when these are asked."""
        until = self.decided + decisions
        while self.decided < until and (tap := self.asked) is not None:
            if tap.name in acts_at and self.chance.random() < ACTS_SHARE:
                await self.act()
            else:
                await self.decide(tap)

    def show_all(self) -> None:
        """Let Bob play what he has, hidden or not."""
        self.policies = (self.policies[0], Policy("shown"))

    def answer_of(self, tap: Tap) -> Answer | None:
        """What the policy says; None if it has no answer."""
        assert tap.prompt is not None
        return self.policies[tap is self.bob].answer(tap.prompt, self.ada.n)

    async def decide(self, tap: Tap) -> None:
        """Answer as the policy says; a player who has no answer gives up."""
        self.decided += tap is self.ada
        answer = self.answer_of(tap)
        if answer is None or not is_done(await tap.decide(answer)):
            await tap.command(m.Concede)

    # ------------------------------------------------------------ what happens besides

    async def act(self) -> None:
        """Do something by chance."""
        await self.chance.choice(self.acts)()

    def _anybody(self) -> Tap:
        return self.chance.choice((self.ada, self.bob, self.eve, self.mia))

    def _player(self) -> Tap:
        return self.chance.choice((self.ada, self.bob))

    async def time_passes(self) -> None:
        await trio.sleep(self.chance.choice((0.25, 1, 4)))
        await settle()

    async def misfit(self) -> None:
        """A player sends what is refused: old prompts, another's prompts, what does not fit."""
        tap, answer = self._player(), self.chance.choice(MISFITS)
        number = self.chance.choice((0, 1, 2, 10**6))
        if tap.prompt is not None:
            number = self.chance.choice((number, tap.prompt.id))
        await refused(tap.command(m.Decide, prompt=number, answer=answer))
        await refused(tap.command(m.Respond, kind="draw", accept=True))
        await refused(tap.command(m.Ready))
        await refused(tap.command(m.ChooseDeck, deck="none such"))
        await refused(tap.command(m.Report, line=10**6))
        await tap.send(m.NonceHash(game="x", commitment="0" * 64, hash="1" * 64))

    async def resync(self) -> None:
        await self._anybody().send(m.Resync())

    async def drop(self) -> None:
        """Somebody loses the connection and comes back."""
        tap = self._anybody()
        await tap.drop()
        await trio.sleep(self.chance.choice((0, 1)))
        await tap.come_back()
        await settle()

    async def lose_track(self) -> None:
        """Somebody comes back with a number or a stream that is not its own."""
        tap = self._anybody()
        n = self.chance.choice((0, max(0, tap.n - 3), 10**6))
        stream = self.chance.choice((None, "", f"{self.table}/0", f"{self.table}/1"))
        await tap.drop()
        await tap.come_back(n=n, stream=stream)
        await settle()

    async def talk(self) -> None:
        tap = self._anybody()
        await tap.command(m.Say, text=f"line {self.chance.randrange(1_000)}")
        await tap.command(m.Mute, name="Mia", muted=self.chance.random() < 0.5)

    async def offer(self) -> None:
        """A player offers a draw, and the other declines."""
        maker = self._player()
        other = self.bob if maker is self.ada else self.ada
        if is_done(await maker.command(m.MakeOffer, kind="draw")):
            await other.command(m.Respond, kind="draw", accept=False)

    async def pause(self) -> None:
        maker = self._player()
        other = self.bob if maker is self.ada else self.ada
        await maker.command(m.MakeOffer, kind="pause")
        await other.command(m.Respond, kind="pause", accept=True)
        await trio.sleep(5)
        await maker.command(m.Unpause)

    async def go_back(self) -> None:
        """A player takes its last decision back, and the other agrees."""
        maker = self._player()
        other = self.bob if maker is self.ada else self.ada
        if is_done(await maker.command(m.MakeOffer, kind="take back")):
            await other.command(m.Respond, kind="take back", accept=True)

    async def set_passing(self) -> None:
        tap, passing = self._player(), self.chance.choice(passings(self.ruleset))
        if tap is self.bob and self.bob_asks:
            passing = ASK
        await tap.command(m.Settings, passing=passing)

    async def meddle(self) -> None:
        """A spectator tries all that is for seats."""
        tap = self.chance.choice((self.eve, self.mia))
        for kind, fields in FOR_SEATS:
            await refused(tap.command(kind, **fields))
        await tap.command(m.Report, line=self.chance.randrange(9), room="seats")
        await tap.send(m.Nonce(game=self.table, nonce="0" * 64))

    async def look_around(self) -> None:
        """Those who may look at the list."""
        for tap in (self.out, self.eve, self.ada):
            await tap.send(m.Browse())

    async def ask_for_too_much(self) -> None:
        """Somebody from outside wants in, or another's session."""
        await self.out.command(m.Join, table=self.table, seat=self.chance.choice((None, 0, 1)))
        for viewer in ("spectator", 0, 1):
            await self.out.replay(f"{self.table}-1", viewer)
        await self.eve.replay(f"{self.table}-1", "spectator")
        await self.out.drop()
        await self.out.come(m.Resume(secret="wrong", stream=f"{self.table}/0", n=3))
        await self.out.send(m.Hello(name="Out"))

    async def come_late(self) -> None:
        if self.lou.place is None:
            await self.watch(self.lou)
        else:
            await self.lou.command(m.Leave)
            self.lou.place = None


FOR_SEATS: Sequence[tuple[type, dict[str, object]]] = (
    (m.Decide, {"prompt": 1, "answer": 0}),
    (m.TakeBack, {}),
    (m.Concede, {}),
    (m.MakeOffer, {"kind": "draw"}),
    (m.MakeOffer, {"kind": "open replay"}),
    (m.Respond, {"kind": "draw", "accept": True}),
    (m.Unpause, {}),
    (m.Ready, {}),
    (m.ChooseDeck, {"deck": ""}),
    (m.Settings, {"passing": Passing()}),
)
"""Commands that only a seat may give."""


async def refused(command: Awaitable[m.Answered | m.Failed]) -> None:
    """Give a command that is refused."""
    answered = await command
    assert not is_done(answered), answered
