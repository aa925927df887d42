"""The lobby: the tables of this server, by id, and the nursery in which they run.

The server opens one and owns it. It makes tables and forgets them when they end; it knows nothing
of what happens at them. A table that fails is logged and gone; the lobby and the others go on.
"""

import secrets
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager

import structlog
import trio

from longfuse.actors import TrioHost
from longfuse.config import Config
from longfuse.game.entries import Refused
from longfuse.host.peers import Peer
from longfuse.host.play import Play
from longfuse.host.ports import BotFactory, GameFactory, Journal
from longfuse.host.seats import BotPeer, Seats
from longfuse.host.tables import Opening, Table
from longfuse_protocol.errors import Code
from longfuse_protocol.messages import Create, Join, SeatWish, Spectate, Tables

log = structlog.get_logger()

LISTED_MAX = 200
"""Tables in one answer to `browse`; the newest come first."""


class Lobby:
    """All tables of one server."""

    def __init__(
        self,
        config: Config,
        factory: GameFactory,
        journal: Journal,
        bots: Mapping[str, BotFactory],
        *,
        tables: trio.Nursery,
    ) -> None:
        self.is_draining = False
        self._config = config
        self._factory = factory
        self._journal = journal
        self._bots = bots
        self._tables: dict[str, Table] = {}
        self._nursery = tables

    def __len__(self) -> int:
        """Return how many tables there are."""
        return len(self._tables)

    def find(self, table_id: str) -> Table | None:
        """Return the table of this id, if it is still there."""
        table = self._tables.get(table_id)
        return None if table is None or table.is_closed else table

    def tables(self) -> Tables:
        """Return what can be played here and what is being played."""
        newest = list(reversed(self._tables.values()))[:LISTED_MAX]
        return Tables(
            tables=tuple(table.info() for table in newest if not table.is_closed),
            rulesets=tuple(self._factory.catalogue()),
            bots=tuple(self._bots),
        )

    def create(self, peer: Peer, wish: Create) -> Table:
        """Open a table and bring the peer to it; raise `Refused` if it cannot be."""
        if self.is_draining:
            raise Refused(Code.DRAINING, "the server is about to restart")
        if len(self._tables) >= self._config.tables_max:
            raise Refused(Code.SERVER_FULL, "the server runs as many tables as it may")
        if wish.sit is not None and not _is_open(wish.seats, wish.sit):
            raise Refused(Code.SEAT_TAKEN, f"seat {wish.sit} of the new table is not open")
        table = self._open(wish)
        if wish.sit is None:
            table.request(peer, Spectate(command=wish.command, table=table.id))
        else:
            table.request(peer, Join(command=wish.command, table=table.id, seat=wish.sit))
        return table

    def drain(self) -> None:
        """Open no more tables, and let none take more entries than it was asked for."""
        self.is_draining = True
        for table in self._tables.values():
            table.drain()

    async def settled(self) -> None:
        """Wait until every table has done what it was asked before the drain."""
        for table in list(self._tables.values()):
            await table.settled.wait()

    def _open(self, wish: Create) -> Table:
        if wish.ruleset not in {info.name for info in self._factory.catalogue()}:
            raise Refused(Code.UNKNOWN_RULESET, f"there is no ruleset {wish.ruleset!r} here")
        seats = Seats(wish.seats)
        seed = secrets.randbits(128)
        for seat, seat_wish in enumerate(wish.seats):
            if seat_wish.kind == "bot":
                seats.sit(seat, self._bot(seat_wish.bot, seat))
        tasks = TrioHost()
        try:
            game = self._factory.create(wish.ruleset, len(wish.seats), wish.options, seed, tasks)
        except Refused as refused:
            raise Refused(Code.BAD_OPTIONS, refused.reason) from refused
        table_id = self._new_id()
        opening = Opening(wish.ruleset, dict(wish.options), seed)
        play = Play(table_id, game, self._journal)
        table = Table(opening, seats, play, tasks, self._config)
        self._tables[table_id] = table
        self._nursery.start_soon(self._run, table)
        log.info("table_opened", table=table_id, ruleset=wish.ruleset, seats=len(wish.seats))
        return table

    def _bot(self, name: str, seat: int) -> BotPeer:
        """Make a bot, with a seed of its own: nobody at a table may know the game's."""
        factory = self._bots.get(name)
        if factory is None:
            raise Refused(Code.UNKNOWN_BOT, f"there is no bot {name!r} here")
        return BotPeer(name, factory(seat, secrets.randbits(128)))

    def _new_id(self) -> str:
        while (table_id := secrets.token_hex(6)) in self._tables:
            pass
        return table_id

    async def _run(self, table: Table) -> None:
        try:
            await table.run()
        except Exception:  # the supervisor of all tables: one that fails is gone, and no more
            log.exception("table_failed", table=table.id)
        finally:
            del self._tables[table.id]
        log.info("table_closed", table=table.id, status=table.status)


@asynccontextmanager
async def open_lobby(
    config: Config, factory: GameFactory, journal: Journal, bots: Mapping[str, BotFactory]
) -> AsyncIterator[Lobby]:
    """Open a lobby whose tables run until they end, or until the block does."""
    async with trio.open_nursery() as tables:
        yield Lobby(config, factory, journal, bots, tables=tables)
        tables.cancel_scope.cancel()


def _is_open(seats: tuple[SeatWish, ...], seat: int) -> bool:
    return seat < len(seats) and seats[seat].kind == "open"
