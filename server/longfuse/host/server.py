"""The server put together: lobby, gateway, and how it ends.

The command that runs a server calls `serve` and owns its cancel scope. A drain is the graceful end:
nobody is let in, what was asked is done, games that are still played end without a winner and with
their secrets told, everybody is told and closed with 1012, and after the grace time what is left is
cut off. Where the disk takes longer than that, people still have the time of a close to be told.
Cancelling is the same without the courtesy: games stay as they are, without an end.
"""

import errno
from collections.abc import Mapping, Sequence

import structlog
import trio

from longfuse.config import Config
from longfuse.host.door_keeper import DoorKeeper
from longfuse.host.gateway import PATH, Gateway
from longfuse.host.kept_secrets import MemorySecrets, Secrets
from longfuse.host.lobby import Lobby, open_lobby
from longfuse.host.opening import Outside
from longfuse.host.ports import BotFactory, GameFactory, Journal

log = structlog.get_logger()

REMEDIES = {
    errno.EADDRINUSE: "; another program listens there: take another port, or 0 for a free one",
    errno.EADDRNOTAVAIL: "; take an address of this machine, 0.0.0.0 or :: for all of them",
    errno.EACCES: "; this user may not: take a port from 1024 on",
}
"""What to do where listening is refused."""


class Running:
    """A server that takes connections: where it is, and the handle to end it."""

    def __init__(
        self, url: str, port: int, gateway: Gateway, lobby: Lobby, keeper: DoorKeeper
    ) -> None:
        self.url = url
        """Where websocket clients connect."""
        self.port = port
        self.draining = trio.Event()
        self._gateway = gateway
        self._lobby = lobby
        self._keeper = keeper

    def drain(self) -> None:
        """Begin the graceful end; `serve` returns when it is done."""
        self.draining.set()

    def statistics(self) -> dict[str, int]:
        """Return how many connections, sessions and tables there are."""
        return {
            "connections": len(self._gateway.connections),
            "sessions": len(self._keeper.people),
            "tables": len(self._lobby),
        }


async def serve(
    config: Config,
    factory: GameFactory,
    journal: Journal,
    *,
    bots: Mapping[str, BotFactory] | None = None,
    secrets: Secrets | None = None,
    listeners: Sequence[trio.SocketListener] | None = None,
    task_status: trio.TaskStatus[Running] = trio.TASK_STATUS_IGNORED,
) -> None:
    """Serve until drained or cancelled. Started with `nursery.start`, it returns a `Running`.

    secrets: where those of shuffles are kept; without, they go with the process.
    """
    bots = bots or {}
    # A setting may be wrong: all that reads some comes before anybody can connect.
    keeper = DoorKeeper(config, bots)
    outside = Outside(config, factory, journal, secrets or MemorySecrets(), keeper.people.absent)
    async with open_lobby(outside, bots) as lobby:
        gateway = Gateway(config, lobby, keeper)
        if listeners is None:
            listeners = await _listen(config)
        async with trio.open_nursery() as nursery:
            nursery.start_soon(keeper.run)
            await nursery.start(outside.replays.run)
            await nursery.start(gateway.serve, listeners)
            running = _running(config, listeners, gateway, lobby, keeper)
            log.info("server_started", url=running.url)
            task_status.started(running)
            await running.draining.wait()
            log.info("server_draining", **running.statistics())
            lobby.drain()
            end_by = trio.current_time() + config.grace_s
            with trio.move_on_at(end_by) as settling:
                await lobby.settled()
            if (
                settling.cancelled_caught
            ):  # the disk holds ends up: people hear of this one at least
                end_by += config.close_s
            with trio.move_on_at(end_by) as closing:
                await gateway.drain()
            late = settling.cancelled_caught or closing.cancelled_caught
            log.info("server_stopped", cut_off=len(gateway.connections), late=late)
            nursery.cancel_scope.cancel()


async def _listen(config: Config) -> list[trio.SocketListener]:
    """Listen where the settings say; raise OSError with the address, as the system does not."""
    try:
        return await trio.open_tcp_listeners(config.port, host=config.host)
    except OSError as error:
        told = error.strerror or str(error)
        remedy = REMEDIES.get(error.errno or 0, "")
        raise OSError(f"cannot listen at {config.host}:{config.port}: {told}{remedy}") from error


def _running(
    config: Config,
    listeners: Sequence[trio.SocketListener],
    gateway: Gateway,
    lobby: Lobby,
    keeper: DoorKeeper,
) -> Running:
    """Return the handle, with the port that the system chose if it was left to it."""
    port = config.port or int(listeners[0].socket.getsockname()[1])
    host = f"[{config.host}]" if ":" in config.host else config.host
    scheme = "wss" if config.tls_certificate else "ws"
    return Running(f"{scheme}://{host}:{port}{PATH}", port, gateway, lobby, keeper)
