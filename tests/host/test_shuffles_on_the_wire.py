"""What is tried against fair shuffles at a table, over the wire."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import msgspec
import pytest
import trio

from host.rig import Rig, open_rig, say
from longfuse.host.wall import now_ms
from longfuse_protocol import messages as m
from longfuse_protocol.codec import CODECS, JSON
from longfuse_protocol.errors import Code
from longfuse_protocol.receipts import Receipt
from longfuse_protocol.shuffles import secret_of

NONCES = {"Ada": "11" * 32, "Bob": "22" * 32, "Cid": "33" * 32}


class Person:
    """Somebody at a table who does no step unasked, and remembers every byte."""

    def __init__(self, rig: Rig, name: str) -> None:
        self.name = name
        self.heard: list[m.ServerMessage] = []
        self.frames: list[bytes] = []
        self.seat: int | None = None
        self.receipt: Receipt | None = None
        self._raw = rig.raw(JSON)

    async def come(self, *, shuffles: bool = True) -> None:
        """Connect and say hello."""
        await self._raw.handshake()
        await self.say(m.Hello(name=self.name, shuffles=shuffles))
        await self.until(m.Welcome)

    async def say(self, message: m.ClientMessage) -> None:
        await say(self._raw, JSON, message)

    async def next(self) -> m.ServerMessage:
        """Hear the next message."""
        with trio.fail_after(600):
            frame = await self._raw.receive()
        assert frame is not None
        message = CODECS[JSON].server_message(bytes(frame.data), 10**6)
        self.heard.append(message)
        self.frames.append(bytes(frame.data))
        if isinstance(message, m.Joined):
            self.seat = message.place.seat
        if isinstance(message, m.Commitment) and self.seat is not None:
            self.receipt = Receipt.begin(self.seat, message, NONCES[self.name])
        elif isinstance(message, m.NonceHashes | m.Nonces | m.Revealed) and self.receipt:
            self.receipt.take(message)
        return message

    async def until(self, kind: type) -> m.ServerMessage:
        """Hear up to the next message of a kind."""
        while not isinstance(message := await self.next(), kind):
            pass
        return message

    async def commit(self) -> None:
        """Wait for the commitment, and answer it."""
        await self.until(m.Commitment)
        await self.say(self.receipt.hash_message())

    async def open(self) -> None:
        """Wait for all hashes, and open the nonce."""
        await self.until(m.NonceHashes)
        await self.say(self.receipt.nonce_message())

    def bytes_before(self, kind: type) -> bytes:
        """All that came before the first message of a kind."""
        kinds = [isinstance(message, kind) for message in self.heard]
        return b"\n".join(self.frames[: [*kinds, True].index(True)])

    def has_heard(self, *kinds: type) -> bool:
        return any(isinstance(message, kinds) for message in self.heard)


@asynccontextmanager
async def seated(
    rig: Rig, *, bob_shuffles: bool = True, **options: int
) -> AsyncIterator[tuple[Person, Person]]:
    """Ada and Bob, seated at a new table; nobody has answered anything yet."""
    ada, bob = Person(rig, "Ada"), Person(rig, "Bob")
    await ada.come()
    await bob.come(shuffles=bob_shuffles)
    seats = (m.SeatWish(), m.SeatWish())
    await ada.say(m.Create(command="c1", ruleset="toy", seats=seats, options=options))
    joined = await ada.until(m.Joined)
    await bob.say(m.Join(command="c1", table=joined.place.info.table))
    yield ada, bob


async def both_play(ada: Person, bob: Person) -> None:
    """Finish the shuffle, up to the first frame."""
    for step in (Person.commit, Person.open):
        for person in (ada, bob):
            await step(person)
    for person in (ada, bob):
        await person.until(m.Events)


CARDS = (m.Events, m.Asked, m.Nonces)


@pytest.mark.parametrize("late_at", ["hash", "nonce"])
async def test_who_withholds_a_step_loses_the_seat_and_sees_no_card(late_at: str) -> None:
    """No game begins; the secret is told, and the next game has the next number and another id."""
    async with open_rig() as rig, seated(rig) as (ada, bob):
        await ada.commit()
        if late_at == "nonce":
            await bob.commit()
            await ada.open()
        await bob.until(m.Left)
        await ada.until(m.Revealed)
        assert not any(person.has_heard(*CARDS) for person in (ada, bob))
        assert ada.receipt.check_end() == ()
        aborted = ada.receipt

        cid = Person(rig, "Cid")
        await cid.come()
        await cid.say(m.Join(command="c1", table=aborted.game.rsplit("-", 1)[0]))
        await both_play(ada, cid)

        assert ada.receipt.game != aborted.game
        assert ada.receipt.counter == aborted.counter + 1
        assert ada.receipt.commitment != aborted.commitment


async def test_a_hash_at_the_last_moment_makes_nobody_else_late() -> None:
    """Each step has its own time: who comes late with a hash leaves the others theirs to open."""
    async with open_rig(nonce_s=20) as rig, seated(rig) as (ada, bob):
        await ada.commit()
        await trio.sleep(19)
        await bob.commit()
        await bob.open()
        hashes = await ada.until(m.NonceHashes)
        assert hashes.until_ms - now_ms() == pytest.approx(20_000, abs=100)
        await trio.sleep(19)
        await ada.say(ada.receipt.nonce_message())

        for person in (ada, bob):
            await person.until(m.Events)
            assert not person.has_heard(m.Left)


async def test_a_hash_before_its_time_and_another_nonce_are_refused() -> None:
    """The last to open can't choose: any nonce but the one that the hash is of is an error."""
    async with open_rig() as rig, seated(rig) as (ada, bob):
        await bob.until(m.Commitment)
        await bob.say(bob.receipt.nonce_message())
        early = await bob.until(m.Failed)
        await bob.say(bob.receipt.hash_message())
        await ada.commit()
        await ada.open()
        await bob.until(m.NonceHashes)
        await bob.say(m.Nonce(game=bob.receipt.game, nonce="44" * 32))
        ground = await bob.until(m.Failed)
        other = msgspec.structs.replace(bob.receipt.hash_message(), hash="44" * 32)
        await bob.say(other)
        changed = await bob.until(m.Failed)
        assert not ada.has_heard(*CARDS)
        await bob.say(bob.receipt.nonce_message())
        await bob.until(m.Events)

        assert (early.code, ground.code, changed.code) == (
            Code.NOT_NOW,
            Code.REFUSED,
            Code.REFUSED,
        )


async def test_a_client_that_saw_another_commitment_is_refused() -> None:
    """Both would come to know; the game does not begin."""
    async with open_rig() as rig, seated(rig) as (_ada, bob):
        await bob.until(m.Commitment)
        seen = msgspec.structs.replace(bob.receipt, commitment="44" * 32)
        await bob.say(seen.hash_message())

        failed = await bob.until(m.Failed)

        assert failed.code == Code.REFUSED
        assert not bob.has_heard(*CARDS)


async def test_nobody_can_know_the_secret_before_the_end() -> None:
    """Neither it nor what it would prove is in any byte before; then the seats have it alone."""
    async with open_rig() as rig, seated(rig) as (ada, bob):
        eve = Person(rig, "Eve")
        await eve.come()
        await ada.until(m.Commitment)
        await eve.say(m.Spectate(command="c1", table=ada.receipt.game.rsplit("-", 1)[0]))
        await eve.until(m.Joined)
        await ada.say(ada.receipt.hash_message())
        await bob.commit()
        await ada.open()
        await bob.open()
        await bob.until(m.Events)
        await bob.say(m.Concede(command="c2"))
        for person in (ada, bob):
            await person.until(m.Revealed)
        await eve.until(m.Over)
        await eve.say(m.Ping(nonce=9))
        await eve.until(m.Pong)

        secret = ada.receipt.secret
        assert secret_of(secret)
        assert secret == bob.receipt.secret
        assert not eve.has_heard(m.Revealed)
        for person in (ada, bob, eve):
            told = person.bytes_before(m.Revealed)
            assert secret.encode() not in told
            assert ada.receipt.key().hex().encode() not in told
            assert person is eve or person.receipt.check_end() == ()


@pytest.mark.parametrize("how", ["leave", "concede"])
async def test_leaving_after_the_first_cards_is_conceding(how: str) -> None:
    """Whoever doesn't like the opening hand loses that game: its secret is told as well."""
    async with open_rig() as rig, seated(rig) as (ada, bob):
        await both_play(ada, bob)
        await bob.say(m.Leave(command="c2") if how == "leave" else m.Concede(command="c2"))
        over = await ada.until(m.Over)
        await ada.until(m.Revealed)

        assert over.winner == ada.seat
        assert ada.receipt.check_end() == ()


async def test_a_seat_without_the_step_stands_as_none() -> None:
    """The other's client can say so; nobody waits for it."""
    async with open_rig() as rig, seated(rig, bob_shuffles=False) as (ada, bob):
        await ada.commit()
        await ada.open()
        await ada.until(m.Events)
        await bob.until(m.Events)

        assert ada.receipt.check_start() == ()
        assert ada.receipt.seats_without_nonce() == (bob.seat,)


async def test_a_game_that_breaks_keeps_its_secret_for_the_operator() -> None:
    """A card that raises suspends the game; whoever was about to lose gains no new deal by it."""
    async with open_rig() as rig, seated(rig, fault_at=1) as (ada, bob):
        await both_play(ada, bob)
        asked = await ada.until(m.Asked)
        prompt = asked.prompt
        await ada.say(m.Decide(command="c3", prompt=prompt.id, answer=prompt.default))
        await bob.until(m.Notice)
        await bob.say(m.Leave(command="c3"))
        await bob.until(m.Left)

        assert not bob.has_heard(m.Revealed)
        assert not bob.has_heard(m.Over)
