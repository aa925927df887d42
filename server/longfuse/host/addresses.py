"""How much each address may have: connections, how fast they come, and games that it begins.

The server's gateway owns one. An address is a name here (`origins` says which); None has no limits.
Of each so much is known as its limits need, and of no more than so many addresses: beyond, the one
that has been quiet longest is forgotten. It refuses, and closes nothing.

- At the door, before a stream has cost any more: what comes `FAST` times as fast as it may, or
  when too many are open, is to be closed without a word.
- At the request: beyond its connections, or faster than they may come, an address is told so, and
  when to try again. Whoever comes back to a session counts against a rate of its own, so that a
  crowd that was cut off together finds its places again.
- Games that connections of one address begin: each leaves a file behind.
"""

import math
from collections import OrderedDict
from typing import Final, Protocol

import structlog

from longfuse.config import Config
from longfuse.host.rates import Rate

log = structlog.get_logger()

KEPT_MIN: Final = 4_096
"""Addresses that are remembered at least; twice as many as there may be connections, if more."""
REFUSED_MAX: Final = 8
"""Streams that an address may have besides its connections: to be told that there are too many."""
FAST: Final = 3
"""Streams may come so many times as fast as connections: those come, come back, or are refused."""
FULL_RETRY_S: Final = 10
"""When an address that has all its connections may look again whether one has ended."""


class Stream(Protocol):
    """A stream with a socket, of which only whether it is open counts."""

    @property
    def socket(self) -> "Socket":
        """What it runs over."""


class Socket(Protocol):
    """A socket."""

    def fileno(self) -> int:
        """Return its descriptor; -1 once it is closed."""


class TooManyConnections(Exception):
    """An address may not open a connection now. `retry_s` says when it may try again."""

    def __init__(self, reason: str, retry_s: int) -> None:
        super().__init__(reason)
        self.reason = reason
        self.retry_s = retry_s


class _Address:
    """What is known of one address."""

    __slots__ = ("came_back", "connections", "games", "is_told", "opened", "streamed", "streams")

    def __init__(self, config: Config) -> None:
        per_s, burst = config.connections_per_address_per_s, config.connections_per_address_burst
        self.connections = 0
        self.streams: list[Stream] = []
        self.streamed = Rate(FAST * per_s, FAST * burst)
        self.opened = Rate(per_s, burst)
        self.came_back = Rate(per_s, burst)
        self.games = Rate(config.games_per_address_per_s, config.games_per_address_burst)
        self.is_told = False
        """Whether the log tells that it is limited; once, until it is let in again."""

    def open_streams(self) -> int:
        """Return how many streams are open, and forget the others."""
        self.streams = [stream for stream in self.streams if stream.socket.fileno() >= 0]
        return len(self.streams)


class Visit:
    """One connection, as far as limits of addresses and of all together go. `leave` ends it."""

    def __init__(self, here: "set[Visit] | None" = None, address: _Address | None = None) -> None:
        """here: all that are not over. Without it, and without an address, it counts nowhere."""
        self._here: set[Visit] = set() if here is None else here
        self._here.add(self)
        self._address = address
        if address is not None:
            address.connections += 1

    def leave(self) -> None:
        """Hear that the connection is gone; again changes nothing."""
        if self in self._here:
            self._here.remove(self)
            if self._address is not None:
                self._address.connections -= 1

    def came_back(self) -> None:
        """Hear that it goes on with a session: it was no new one."""
        if self._address is not None and self._address.came_back.take():
            self._address.opened.give()

    def begin_game(self) -> int:
        """Count a game that may begin; return 0, or in how many seconds it may be tried again."""
        if self._address is None or self._address.games.take():
            return 0
        return _seconds(self._address.games)


class Addresses:
    """All addresses that are connected, or were not long ago."""

    def __init__(self, config: Config) -> None:
        self._config = config
        self._kept_max = max(KEPT_MIN, 2 * config.connections_max)
        self._known: OrderedDict[str, _Address] = OrderedDict()
        """Who came last stands last."""
        self.here: set[Visit] = set()
        """All connections from their request on, those of nobody's address among them."""

    def __len__(self) -> int:
        """Return how many are known."""
        return len(self._known)

    def knock(self, name: str | None, stream: Stream) -> bool:
        """Take a new stream of this address; return False if it is to be closed instead."""
        if name is None:
            return True
        address = self._find(name)
        most = self._config.connections_per_address_max + REFUSED_MAX
        if not address.streamed.take() or address.open_streams() >= most:
            self._refuse(name, address, "streams")
            return False
        address.streams.append(stream)
        return True

    def enter(self, name: str | None) -> Visit:
        """Take a connection of this address; raise TooManyConnections if it may have none now."""
        if name is None:
            return Visit(self.here)
        address, most = self._find(name), self._config.connections_per_address_max
        if address.connections >= most:
            self._refuse(name, address, "connections")
            told = f"your address has {most} connections, as many as it may: close one"
            raise TooManyConnections(told, FULL_RETRY_S)
        if not address.opened.take():
            self._refuse(name, address, "connections a second")
            told = "your address opens connections faster than it may"
            raise TooManyConnections(told, _seconds(address.opened))
        address.is_told = False
        return Visit(self.here, address)

    def _refuse(self, name: str, address: _Address, what: str) -> None:
        if not address.is_told:
            address.is_told = True
            log.warning("address_limited", address=name, too_many=what)

    def _find(self, name: str) -> _Address:
        address = self._known.get(name)
        if address is None:
            self._make_room()
            address = self._known[name] = _Address(self._config)
        self._known.move_to_end(name)
        return address

    def _make_room(self) -> None:
        """Forget who has been quiet longest. There are never so many with open streams."""
        while len(self._known) >= self._kept_max:
            name, address = self._known.popitem(last=False)
            if address.connections or address.open_streams():
                self._known[name] = address


def _seconds(rate: Rate) -> int:
    """Return when to try again, in whole seconds: time has gone on since it was too soon."""
    return max(1, math.ceil(rate.wait_s()))
