"""A table's inbox: what its people want from it, in order of arrival, and never too much of it.

One table owns it and takes from it; peers offer. Bounded by its senders: each may have so many
requests waiting and one goodbye, and the number of peers is bounded by the table and the server.
A quota per sender, rather than one bound for all, means that nobody can crowd out the others.
"""

from collections import Counter, deque

import trio

from longfuse.host.peers import Peer
from longfuse_protocol.messages import (
    Concede,
    Decide,
    Join,
    Leave,
    Resync,
    Spectate,
    TakeBack,
)


class Gone:
    """The peer's connection has ended: it will hear nothing more."""


class Broken:
    """The peer is a bot, and broke."""

    def __init__(self, error: Exception) -> None:
        self.error = error


Ending = Gone | Broken
Request = Join | Spectate | Leave | Decide | TakeBack | Concede | Resync


class Inbox:
    """Requests in order of arrival, with a bound per sender."""

    def __init__(self, waiting_max: int) -> None:
        self._waiting_max = waiting_max
        self._requests: deque[tuple[Peer, Request | Ending]] = deque()
        self._waiting: Counter[Peer] = Counter()
        self._arrived = trio.Event()

    def offer(self, peer: Peer, request: Request) -> bool:
        """Add a request; return False, and do nothing, if too many of this peer's are waiting."""
        if self._waiting[peer] >= self._waiting_max:
            return False
        self._waiting[peer] += 1
        self._add(peer, request)
        return True

    def end(self, peer: Peer, ending: Ending) -> None:
        """Add the peer's last word. It counts against no quota, and must not come twice."""
        self._add(peer, ending)

    async def take(self) -> tuple[Peer, Request | Ending]:
        """Wait for the next request. Cancelling loses none."""
        while not self._requests:
            self._arrived = trio.Event()
            await self._arrived.wait()
        await trio.lowlevel.checkpoint_if_cancelled()
        peer, request = self._requests.popleft()
        if isinstance(request, Ending):
            self._waiting.pop(peer, None)
        elif self._waiting[peer] > 1:
            self._waiting[peer] -= 1
        else:
            del self._waiting[peer]
        return peer, request

    def __len__(self) -> int:
        """Return how many wait."""
        return len(self._requests)

    def _add(self, peer: Peer, request: Request | Ending) -> None:
        self._requests.append((peer, request))
        self._arrived.set()
