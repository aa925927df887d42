"""Whole games against a server of later: what it says besides stops none of the clients.

Between each client and a real server stands a relay that puts a field more into every record, a
word of tomorrow into every open list, and messages of unknown types before what the server says.
Codes of refusals stay: by them a client knows what to do about them.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable

import pytest
import trio

from e2e.relaying import Plain, open_relay
from e2e.test_samples import PYTHON, Player, check, javascript, play_pair
from longfuse.rulesets import catalogue
from longfuse_protocol import messages as m
from longfuse_protocol.client import open_client
from longfuse_protocol.codec import CODECS
from protocol.later import STRAY, WORD, enriched
from protocol.player import Player as Program

pytestmark = [pytest.mark.realtime, pytest.mark.slow]
GAME_S = 120


class Later:
    """What a server of later says in place of one of today."""

    def __init__(self) -> None:
        self.changed = 0
        self._stray = itertools.cycle(STRAY)

    def tell(self, message: Plain) -> Iterable[Plain]:
        """Return a message that nobody knows, and what was said with what is new."""
        self.changed += 1
        return next(self._stray), enriched(message, codes=False)


def spread(*values: str) -> list[tuple[str, str]]:
    """Each ruleset with one of the values: what is new stands in the same messages in all."""
    return list(zip(catalogue.names(), itertools.cycle(values), strict=False))


@pytest.mark.parametrize(("ruleset", "language"), spread("python", "javascript"))
async def test_sample_clients(ruleset: str, language: str) -> None:
    """They play to the end and agree how it went."""
    words = PYTHON if language == "python" else javascript()
    later = Later()
    async with open_relay(later.tell) as port:
        ada, bob = Player(words, port), Player(words, port)
        await play_pair(ruleset, ada, bob)

    check(ada, bob)
    assert later.changed > 100


@pytest.mark.parametrize(("ruleset", "subprotocol"), spread(*CODECS))
async def test_the_reference_client(ruleset: str, subprotocol: str) -> None:
    """It plays to the end, and what it knows of the table has the words that it was told."""

    tables: list[m.TableInfo] = []
    is_open = trio.Event()

    async def create() -> None:
        tables.append((await ada.create(ruleset, 2)).info)
        is_open.set()

    async def join() -> None:
        await is_open.wait()
        await bob.join(tables[0].table)

    later = Later()
    async with open_relay(later.tell) as port:
        url = f"ws://127.0.0.1:{port}/ws"
        with trio.fail_after(GAME_S):
            async with (
                open_client(url, name="Ada", subprotocol=subprotocol) as ada,
                open_client(url, name="Bob", subprotocol=subprotocol) as bob,
                trio.open_nursery() as nursery,
            ):
                programs = [Program(ada, create), Program(bob, join)]
                for program in programs:
                    nursery.start_soon(program.play)

    assert all(program.is_over and program.decided for program in programs)
    assert tables[0].status == WORD
    assert {seat.kind for seat in tables[0].seats} == {WORD}
    assert later.changed > 100
