"""The sequences on the protocol's page are what happens: each is acted out against a server."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import NamedTuple

import pytest

import longfuse_protocol
from host.rig import hear as hear_raw
from host.rig import open_rig
from host.rig import say as say_raw
from longfuse_protocol import messages as m
from longfuse_protocol.codec import JSON
from longfuse_protocol.shuffles import nonce_hash

PAGE = (Path(longfuse_protocol.__file__).parents[1] / "README.md").read_text(encoding="utf-8")
LEFT_OUT = {"offers", "clock", "table", "settings_kept", "nonce_hashes", "nonces"}
"""What the page says may come between."""
FIELD = re.compile(r'(\w+): (true|false|null|\d+|"[^"]*")')
SAME = {"ok", "code", "asked", "here", "secret"}
"""Fields whose values in the diagrams are those of every run; ids and numbers are not."""
NONCES = ["0a" * 32, "0b" * 32]


class Told(NamedTuple):
    """One arrow of a diagram."""

    tag: str
    fields: dict[str, object]
    """What it says of fields that are the same in every run."""


def told_in(heading: str) -> dict[str, list[Told]]:
    """By participant, what the diagram below a heading lets it say and hear, in order."""
    block = PAGE.split(f"### {heading}\n")[1].split("```mermaid\n")[1].split("```")[0]
    found: dict[str, list[Told]] = {}
    for sender, receiver, tag, inside in re.findall(r"(\w)->>(\w): (\w+)(.*)", block):
        said = {key: json.loads(value) for key, value in FIELD.findall(inside)}
        told = Told(tag, {key: value for key, value in said.items() if key in SAME})
        found.setdefault(receiver if sender == "S" else sender, []).append(told)
    return found


class Voice:
    """One participant: what was said and heard, in order."""

    def __init__(self, rig, *, shuffles: bool = False) -> None:
        self.heard: list[m.Message] = []
        self._rig = rig
        self._raw = None
        self._shuffles = shuffles
        self._commands = 0

    async def connect(self, resume: m.Resume | None = None) -> m.Welcome:
        """Connect and say hello."""
        self._raw = self._rig.raw(JSON)
        assert await self._raw.handshake() == 101
        await self.say(m.Hello(name="Somebody", shuffles=self._shuffles, resume=resume))
        return await self.until(m.Welcome)

    async def drop(self) -> None:
        """Lose the connection."""
        await self._raw.stream.aclose()

    async def say(self, message: m.ClientMessage) -> None:
        """Send a message."""
        self.heard.append(message)
        await say_raw(self._raw, JSON, message)

    async def until(self, kind):
        """Hear on until a message of a kind, and return it."""
        while True:
            message = await hear_raw(self._raw, JSON)
            assert message is not None, f"no {kind.__name__} came"
            self.heard.append(message)
            if isinstance(message, kind):
                return message

    @property
    def tags(self) -> list[str]:
        """The types of what was said and heard."""
        return [tag_of(message) for message in self.heard]

    def forget(self) -> None:
        """Begin a new diagram."""
        self.heard.clear()


def check(told: list[Told], voice: Voice) -> None:
    """All that a diagram tells was said and heard in this order; else only what it leaves out."""
    left = iter(voice.heard)
    tags = [each.tag for each in told]
    for tag, fields in told:
        found = next((each for each in left if tag_of(each) == tag), None)
        assert found is not None, f"{tag} of {tags} did not come in its turn: {voice.tags}"
        assert fields == {key: getattr(found, key) for key in fields}, tag
    extra = [tag for tag in voice.tags if tag not in tags]
    assert set(extra) <= LEFT_OUT, extra
    for tag in set(tags) - {"table"}:
        assert tags.count(tag) == voice.tags.count(tag), tag


def tag_of(message: m.Message) -> str:
    """The type of a message."""
    return str(message.__struct_config__.tag)


async def seated(rig, *, shuffles: bool = False) -> tuple[Voice, Voice, str]:
    """Seat two at a table of the toy; the game has begun, unless it waits for their nonces."""
    ada, bob = Voice(rig, shuffles=shuffles), Voice(rig, shuffles=shuffles)
    await ada.connect()
    await ada.say(m.Browse())
    await ada.until(m.Tables)
    await ada.say(m.Create(command="a1", ruleset="toy", seats=(m.SeatWish(),) * 2))
    table = (await ada.until(m.Joined)).place.info.table
    await ada.until(m.Snapshot)
    await bob.connect()
    await bob.say(m.Join(command="b1", table=table))
    if not shuffles:
        await ada.until(m.Asked)
        await bob.until(m.Events)
    return ada, bob, table


async def test_join() -> None:
    """Two come to a table, and the game begins."""
    async with open_rig() as rig:
        ada, bob, _table = await seated(rig)

    told = told_in("Join and play")
    check(told["A"], ada)
    check(told["B"], bob)


async def test_answering() -> None:
    """A decision, and one that comes too late."""
    told = told_in("Answering a prompt")
    async with open_rig() as rig:
        ada, bob, _table = await seated(rig)
        asked = ada.heard[-1]
        ada.heard[:] = [asked]
        bob.forget()
        await ada.say(m.Decide(command="a9", prompt=asked.prompt.id, answer=2))
        await ada.until(m.Events)
        await bob.until(m.Asked)
        await ada.say(m.Decide(command="a10", prompt=asked.prompt.id, answer=0))
        await ada.until(m.Answered)

    check(told["A"], ada)
    check(told["B"], bob)


async def test_drop_and_resume() -> None:
    """What was missed comes, and then the prompt."""
    told = told_in("Drop and resume")
    async with open_rig() as rig:
        ada, bob, _table = await seated(rig)
        welcome = next(x for x in ada.heard if isinstance(x, m.Welcome))
        place = next(x for x in ada.heard if isinstance(x, m.Joined)).place
        await ada.say(m.Decide(command="a", prompt=ada.heard[-1].prompt.id, answer=0))
        ada.forget()
        await ada.until(m.Answered)
        last = await ada.until(m.Events)
        asked = await bob.until(m.Asked)
        ada.heard[:] = [last]
        bob.forget()
        await ada.drop()
        away = await bob.until(m.Presence)
        await bob.say(m.Decide(command="b3", prompt=asked.prompt.id, answer=1))
        await bob.until(m.Events)
        back = await ada.connect(m.Resume(secret=welcome.secret, stream=place.stream, n=last.n))
        prompt = await ada.until(m.Asked)
        here = await bob.until(m.Presence)

    check(told["A"], ada)
    check(told["B"], bob)
    assert (away.here, away.until_ms is None, here.here) == (False, False, True)
    assert (back.secret, back.place.stream) == ("", place.stream)
    assert prompt.n == last.n + 1


async def test_fair_shuffle() -> None:
    """Commitment, hashes, nonces, the game, and the secret."""
    told = told_in("Fair shuffle")
    async with open_rig() as rig:
        ada, bob, _table = await seated(rig, shuffles=True)
        voices = (ada, bob)
        for voice in voices:
            commitment = await voice.until(m.Commitment)
            voice.heard[:] = [commitment]
        game, bound = commitment.game, commitment.commitment
        for seat, voice in enumerate(voices):
            hashed = nonce_hash(game, seat, bound, NONCES[seat])
            await voice.say(m.NonceHash(game=game, commitment=bound, hash=hashed))
        for seat, voice in enumerate(voices):
            await voice.until(m.NonceHashes)
            await voice.say(m.Nonce(game=game, nonce=NONCES[seat]))
        for voice in voices:
            await voice.until(m.Nonces)
        await ada.until(m.Asked)
        await ada.say(m.Concede(command="c"))
        for voice in voices:
            await voice.until(m.Revealed)
            voice.heard[:] = [
                x
                for x in voice.heard
                if not isinstance(x, m.Events | m.Asked | m.Answered | m.Over | m.Concede)
            ]

    check(told["A"], ada)
    check(told["B"], bob)


async def test_auto_pass() -> None:
    """The server passes for a seat, and only that seat is told. (The toy lets the second pass.)"""
    told = told_in("Auto-pass")
    async with open_rig() as rig:
        other, passer, _table = await seated(rig)
        asked = other.heard[-1]
        for answer, here, there in ((0, other, passer), (1, passer, other)):
            await here.say(m.Decide(command=f"{answer}", prompt=asked.prompt.id, answer=answer))
            await here.until(m.Events)
            asked = await there.until(m.Asked)
        passer.forget()
        other.forget()
        await passer.say(m.Settings(command="a3", passing=m.Passing(mode="pass")))
        kept = await passer.until(m.PassingSet)
        await passer.until(m.Answered)
        await other.say(m.Decide(command="b4", prompt=asked.prompt.id, answer=(0,)))
        await passer.until(m.Passed)
        await passer.until(m.Events)
        await other.until(m.Asked)
        other.heard.pop()

    check(told["A"], passer)
    check(told["B"], other)
    assert kept.passing.mode == "pass"


async def test_audience() -> None:
    """Who comes late gets the whole view, and then what happens."""
    told = told_in("Audience")
    async with open_rig() as rig:
        ada, _bob, table = await seated(rig)
        eve = Voice(rig)
        await eve.connect()
        await eve.say(m.Spectate(command="e1", table=table))
        await eve.until(m.Snapshot)
        await ada.say(m.Decide(command="a", prompt=ada.heard[-1].prompt.id, answer=0))
        await eve.until(m.Events)

    check(told["E"], eve)


def test_a_diagram_that_is_not_so() -> None:
    """The check sees what comes too early, what does not come, what is otherwise than told, and
    what nobody has told of."""
    voice = Voice(None)
    voice.heard[:] = [m.Browse(), m.Answered(command="a", ok=True), m.Left(table="t")]
    browse, answer, left = Told("browse", {}), Told("answer", {"ok": True}), Told("left", {})

    check([browse, answer, left], voice)
    for wrong in (
        [browse, left, answer],
        [answer, browse, left],
        [browse, answer, left, left],
        [browse, answer],
        [answer, left],
        [browse, Told("answer", {"ok": False}), left],
    ):
        with pytest.raises(AssertionError):
            check(wrong, voice)
