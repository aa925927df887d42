"""Real games in which the seats go back again and again: saved, checked, and shown again."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path

import pytest
import trio
from msgspec.structs import replace

from longfuse.bots.random import RandomBot
from longfuse.cli.running import open_server
from longfuse.config import Config
from longfuse.game.entries import Rewind
from longfuse.journal.reader import read
from longfuse.journal.verify import verify
from longfuse.rulesets import catalogue
from longfuse_protocol import messages as m
from longfuse_protocol import receipts
from longfuse_protocol.client import Client, Refused, open_client
from longfuse_protocol.errors import Code
from longfuse_protocol.passing import Passing

pytestmark = [pytest.mark.realtime, pytest.mark.slow]

TERMS = m.Terms(best_of=3, take_back="by agreement")
DECISIONS = 120
GO_BACK_SHARE = 0.2


class Table:
    """Two who play by chance, and one who watches; and what each was shown."""

    def __init__(self, seats: list[Client], watcher: Client, seed: int) -> None:
        self.seats = seats
        self.frames: dict[Client, list[m.Events]] = {one: [] for one in (*seats, watcher)}
        self.rewound = 0
        self.redone = 0
        self._chance = random.Random(seed)
        self._bots = [RandomBot(seed, seat) for seat in (0, 1)]

    async def listen(self, client: Client) -> None:
        """Keep what a client is shown."""
        async for event in client:
            if isinstance(event, m.Events):
                self.frames[client].append(event)

    async def play(self) -> None:
        """Play one game: so many decisions, and then to concede."""
        for _ in range(DECISIONS):
            seat = await self._asked()
            if seat is None:
                return
            prompt = self.seats[seat].prompt
            assert prompt is not None
            answer = self._bots[seat].choose(prompt)
            await self.seats[seat].decide(prompt, answer)
            after = await self._state()
            if after is not None and self._chance.random() < GO_BACK_SHARE:
                await self._go_back(seat, prompt, answer, after)
        if await self._asked() is not None:
            await self.seats[0].concede()

    async def _go_back(
        self, seat: int, prompt: m.Prompt, answer: m.Answer, after: tuple[object, ...]
    ) -> None:
        """Take a decision back; where it was a whole one, make it again: all comes the same."""
        maker, other = self.seats[seat], self.seats[1 - seat]
        old = [one.prompt for one in self.seats]
        try:
            await maker.offer("take back")
        except Refused:
            return
        await other.respond("take back", accept=True)
        self.rewound += 1
        await _until(lambda: [one.prompt for one in self.seats] != old and self._is_asked())
        again = maker.prompt
        if again is not None and replace(again, id=prompt.id) == prompt:
            await maker.decide(again, answer)
            assert await self._state() == after
            self.redone += 1

    def _is_asked(self) -> bool:
        return any(one.prompt is not None for one in self.seats)

    async def _asked(self) -> int | None:
        """Return the seat that is asked, or None at the end of a game."""
        await _until(lambda: self._is_asked() or self._status() != "playing")
        return next((n for n, one in enumerate(self.seats) if one.prompt is not None), None)

    def _status(self) -> str:
        return "" if self.seats[0].table is None else self.seats[0].table.status

    async def _state(self) -> tuple[object, ...] | None:
        """Return who is asked what now, and what that seat knows."""
        seat = await self._asked()
        if seat is None:
            return None
        client = self.seats[seat]
        assert client.prompt is not None
        return (seat, replace(client.prompt, id=0), dict(client.view.entities))


async def _until(is_so: Callable[[], bool]) -> None:
    while not is_so():  # noqa: ASYNC110  it is heard by several tasks
        await trio.sleep(0.0005)


async def shown_again(client: Client, games: list[str], viewer: object) -> list[m.Events]:
    """All frames of these games, from their replays."""
    return [
        frame
        for game in games
        async for part in client.replay(game, viewer)
        for frame in part.frames
    ]


@pytest.mark.parametrize("ruleset", catalogue.names())
async def test_games_with_much_taken_back(tmp_path: Path, ruleset: str) -> None:
    """Nothing is drawn anew, receipts of both seats fit what is saved, and replays show what was
    shown: to all at once, and to who comes after a restart.
    """
    data, kept = tmp_path / "data", tmp_path / "receipts"
    config = Config(port=0, data=str(data), messages_per_s=100_000, messages_burst=100_000)
    async with open_server(config) as running:
        url = f"ws://127.0.0.1:{running.port}/ws"
        async with (
            open_client(url, name="Ada", receipts=kept) as ada,
            open_client(url, name="Bob", receipts=kept) as bob,
            open_client(url, name="Eve") as eve,
            trio.open_nursery() as nursery,
        ):
            table = Table([ada, bob], eve, seed=7)
            for client in table.frames:
                nursery.start_soon(table.listen, client)
            place = await ada.create(ruleset, 2, terms=TERMS)
            await eve.spectate(place.info.table)
            await bob.join(place.info.table)
            for client in (ada, bob):
                await client.settings(Passing(mode="ask"))
            await _until(lambda: ada.table.status == "playing")
            await table.play()
            await _until(lambda: ada.table.status == bob.table.status == "between games")
            await ada.ready()
            await bob.ready()
            await _until(lambda: ada.table.status == "playing")
            await table.play()
            await _until(lambda: ada.table.status != "playing")

            games = [f"{place.info.table}-{n}" for n in (1, 2)]
            for client, viewer in ((ada, 0), (bob, 1), (eve, "spectator")):
                again, shown = await shown_again(client, games, viewer), table.frames[client]
                await _until(lambda again=again, shown=shown: len(shown) >= len(again))
                assert again == shown
            watched = table.frames[eve]
            nursery.cancel_scope.cancel()
        running.drain()
    assert table.rewound > 20
    assert table.redone > 10

    for game in games:
        entries = [line.entry for line in read(data / f"{game}.jsonl").entries]
        assert any(isinstance(entry, Rewind) for entry in entries)
        for seat in (0, 1):
            told = receipts.read((kept / f"{game}.seat{seat}.receipt.json").read_bytes())
            verdict = verify(data / f"{game}.jsonl", receipt=told)
            assert verdict.is_same, verdict

    async with open_server(config) as running:
        url = f"ws://127.0.0.1:{running.port}/ws"
        async with open_client(url, name="Zoe") as zoe:
            assert await shown_again(zoe, games, "spectator") == watched
            with pytest.raises(Refused) as caught:
                await shown_again(zoe, games, 0)
            assert caught.value.answer.code == Code.NOT_OPEN
        running.drain()
