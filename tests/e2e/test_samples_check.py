"""The sample clients see by the digest that a frame is missing, and ask for the whole view."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

import pytest

from e2e.relaying import Plain, open_relay
from e2e.test_samples import PYTHON, Player, check, javascript, play_pair
from longfuse.rulesets import catalogue

pytestmark = [pytest.mark.realtime, pytest.mark.slow]


class Losing:
    """Loses some frames on their way to a client, which the websocket itself never does."""

    def __init__(self) -> None:
        self.frames = 0
        self.said: Counter[str] = Counter()

    def tell(self, message: Plain) -> Iterable[Plain]:
        """Pass on what the server says, but for one frame in twenty."""
        self.frames += message["type"] == "events"
        return () if message["type"] == "events" and self.frames % 20 == 0 else (message,)

    def hear(self, message: Plain) -> Iterable[Plain]:
        """Note what the client says, and pass it on."""
        self.said[message["type"]] += 1
        return (message,)


@pytest.mark.parametrize("language", ["python", "javascript"])
async def test_a_frame_that_is_lost(language: str) -> None:
    """They ask for the whole view, and play to the end."""
    words = PYTHON if language == "python" else javascript()
    losing = Losing()
    async with open_relay(losing.tell, losing.hear) as port:
        ada, bob = Player(words, port), Player(words, port)
        await play_pair(catalogue.names()[0], ada, bob)

    check(ada, bob)
    assert losing.said["resync"] > 0
    assert losing.said["decide"] > 0
