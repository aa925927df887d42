"""The door: how many streams the gateway has open at once, those still shaking hands among them.

Connections are counted once they are websockets; a stream that never becomes one costs a file all
the same, and with none left no journal could be written. So the door closes at once what comes
beyond its limit, and leaves some files of the process alone.
"""

import resource
from collections.abc import Callable

import structlog
import trio

from longfuse.config import Config

log = structlog.get_logger()

FILES_KEPT = 64
"""Files that streams leave to journals and to whatever else the process has open."""


class Door(trio.abc.Listener[trio.SocketStream]):
    """A listener that takes in no more streams than there may be."""

    def __init__(
        self,
        listener: trio.SocketListener,
        is_full: Callable[[], bool],
        may_enter: Callable[[trio.SocketStream], bool],
    ) -> None:
        """may_enter: whether there is room for this stream, when there is some; it is counted."""
        self.socket = listener.socket
        self._listener = listener
        self._is_full = is_full
        self._may_enter = may_enter

    async def accept(self) -> trio.SocketStream:
        """Return the next stream for which there is room; the others are closed."""
        while True:
            stream = await self._listener.accept()
            if not self._is_full() and self._may_enter(stream):
                return stream
            await trio.aclose_forcefully(stream)

    async def aclose(self) -> None:
        """Close the listener."""
        await self._listener.aclose()


def streams_max(config: Config) -> int:
    """Return how many streams may be open: connections, and a few that may become one."""
    wanted = config.connections_max + max(16, config.connections_max // 4)
    files = _files_max(wanted + FILES_KEPT)
    if files - FILES_KEPT >= config.connections_max:
        return min(wanted, files - FILES_KEPT)
    allowed = max(1, files - FILES_KEPT)
    log.warning("few_files", files=files, connections_max=config.connections_max, allowed=allowed)
    return allowed


def _files_max(wanted: int) -> int:
    """Return how many files the process may have open, after asking for that many."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft == resource.RLIM_INFINITY or soft >= wanted:
        return wanted
    raised = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
    try:
        resource.setrlimit(resource.RLIMIT_NOFILE, (raised, hard))
    except (OSError, ValueError):
        return soft
    return raised
