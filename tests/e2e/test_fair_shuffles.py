"""Fair shuffles whole: two clients play on a server, keep receipts, and check what it has saved."""

from __future__ import annotations

from pathlib import Path

import pytest
import trio

from longfuse.bots.random import RandomBot
from longfuse.cli import main
from longfuse.cli.running import open_server
from longfuse.config import Config
from longfuse.host.secret_ledger import account
from longfuse.journal.verify import verify
from longfuse.rulesets import catalogue
from longfuse_protocol import messages as m
from longfuse_protocol import receipts
from longfuse_protocol.client import Client, ShuffleDoubted, open_client

pytestmark = [pytest.mark.realtime, pytest.mark.slow]


async def play(client: Client, seat: int) -> list[object]:
    """Play a match to its end by chance; return what made the client doubt."""
    bot = RandomBot("fair", seat)
    doubts: list[object] = []
    async for event in client:
        match event:
            case ShuffleDoubted():
                doubts.append(event)
            case m.Asked(prompt=prompt):
                await client.decide(prompt, bot.choose(prompt))
            case m.TableChanged(info=info) if info.status == "between games":
                await client.ready()
            case m.TableChanged(info=info) if info.status == "over":
                break
            case _:
                pass
    return doubts


async def match(data: Path, kept: Path, ruleset: str) -> list[object]:
    """Play a match of up to three on a server that keeps its games in a folder."""
    doubts: list[object] = []
    config = Config(port=0, data=str(data), messages_per_s=100_000, messages_burst=100_000)
    async with open_server(config) as running:
        url = f"ws://127.0.0.1:{running.port}/ws"
        async with (
            open_client(url, name="Ada", receipts=kept) as ada,
            open_client(url, name="Bob", receipts=kept) as bob,
            trio.open_nursery() as nursery,
        ):

            async def sit(client: Client, seat: int) -> None:
                doubts.extend(await play(client, seat))

            place = await ada.create(ruleset, 2, terms=m.Terms(best_of=3))
            await bob.join(place.info.table)
            nursery.start_soon(sit, ada, 0)
            nursery.start_soon(sit, bob, 1)
        running.drain()
    return doubts


@pytest.mark.parametrize("ruleset", catalogue.names())
async def test_players_can_check_a_match(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], ruleset: str
) -> None:
    """Each saved game is that of both receipts, and the server's count has no hole."""
    data, kept = tmp_path / "data", tmp_path / "receipts"

    doubts = await match(data, kept, ruleset)

    games = sorted(data.glob("*.jsonl"))
    assert doubts == []
    assert len(games) >= 2
    for number, game in enumerate(games, 1):
        for seat in (0, 1):
            path = kept / f"{game.stem}.seat{seat}.receipt.json"
            receipt = receipts.read(path.read_bytes())
            verdict = verify(game, receipt=receipt)
            assert verdict.is_same, verdict
            assert (receipt.counter, bool(receipt.nonce)) == (number, True)
            assert len(receipt.frames) > 10
    told = account(data)
    assert told.wrong == ()
    assert [(one.game, one.why) for one in told.shuffles] == [(one.stem, "over") for one in games]

    first, other = games[:2]
    path = kept / f"{other.stem}.seat0.receipt.json"
    assert main(["verify", str(first), "--receipt", str(path)]) == 1
    assert "Game: the receipt has" in capsys.readouterr().out
