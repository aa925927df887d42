"""A table's inbox: what its people want from it, in order of arrival, and never too much of it.

One table owns it and takes from it; peers offer. Bounded by its senders: each may have so many
requests waiting, what is said about one comes no oftener than sessions may begin and go on, and the
number of peers is bounded by the table and the server. A quota per sender, rather than one bound
for all, means that nobody can crowd out the others. Each request is stamped with the time when it
came: that, and not when it is handled, is what clocks go by.
"""

from collections import Counter, deque

import trio

from longfuse.host.peers import Peer
from longfuse.host.people import Line
from longfuse_protocol.messages import Nonce, NonceHash, Resync, TableCommand, Unpair


class Away:
    """The person's connection has ended; it may come back."""


class Back:
    """The person is back with another connection, and knows its stream up to a number."""

    def __init__(self, line: Line, stream: str, n: int) -> None:
        self.line = line
        self.stream = stream
        self.n = n


class Renamed:
    """The person is called something else now."""


class Broken:
    """The peer is a bot, and broke."""

    def __init__(self, error: Exception) -> None:
        self.error = error


class Drained:
    """The server ends: all that was asked before has been taken."""


Word = Away | Back | Renamed | Broken | Drained
"""What the server's own side says, about a peer or of itself: no request, and no command."""

Request = TableCommand | Unpair | NonceHash | Nonce | Resync


class Arrived:
    """One request with its sender and its time."""

    __slots__ = ("at", "peer", "request")

    def __init__(self, at: float, peer: Peer, request: Request | Word) -> None:
        self.at = at
        self.peer = peer
        self.request = request


class Inbox:
    """Requests in order of arrival, with a bound per sender."""

    def __init__(self, waiting_max: int) -> None:
        self._waiting_max = waiting_max
        self._requests: deque[Arrived] = deque()
        self._waiting: Counter[Peer] = Counter()
        self._arrived = trio.Event()

    def offer(self, peer: Peer, request: Request) -> bool:
        """Add a request; return False, and do nothing, if too many of this peer's are waiting."""
        if self._waiting[peer] >= self._waiting_max:
            return False
        self._waiting[peer] += 1
        self._add(peer, request)
        return True

    def say(self, peer: Peer, word: Word) -> None:
        """Add a word about the peer. It counts against no quota, for the peer does not send it."""
        self._add(peer, word)

    async def take_before(self, deadline: float) -> Arrived | None:
        """Wait for the next request; None if none has come by then. Cancelling loses none.

        What is read in the very round of tasks in which the deadline is noticed came in time: while
        the whole server was held up it lay in its socket, and nobody knows for how long.
        """
        if not self._requests:
            was_there = trio.current_time() < deadline
            self._arrived = trio.Event()
            with trio.move_on_at(deadline) as waiting:
                await self._arrived.wait()
            if waiting.cancelled_caught and was_there:
                await trio.lowlevel.checkpoint()
                for arrived in self._requests:
                    arrived.at = min(arrived.at, deadline)
        else:
            await trio.lowlevel.checkpoint_if_cancelled()
        if not self._requests or self._requests[0].at > deadline:
            return None
        arrived = self._requests.popleft()
        if not isinstance(arrived.request, Word):
            self._waiting[arrived.peer] -= 1
            if not self._waiting[arrived.peer]:
                del self._waiting[arrived.peer]
        return arrived

    def waiting(self) -> list[Arrived]:
        """Return what waits, in order of arrival."""
        return list(self._requests)

    def __len__(self) -> int:
        """Return how many wait."""
        return len(self._requests)

    def _add(self, peer: Peer, request: Request | Word) -> None:
        self._requests.append(Arrived(trio.current_time(), peer, request))
        self._arrived.set()
