"""The lobby: the tables of this server, by id, and the nursery in which they run.

The server opens one and owns it. It makes tables, brings people to them and to each other, and
forgets tables when they end; it knows nothing of what happens at them. A table that fails is logged
and gone; the lobby and the others go on.
"""

import secrets
from collections import Counter
from collections.abc import AsyncIterator, Iterable, Mapping
from contextlib import asynccontextmanager

import structlog
import trio

from longfuse.game.entries import Refused
from longfuse.host.bot_peers import BotPeer
from longfuse.host.opening import Opening, Outside
from longfuse.host.pairing import Pairing
from longfuse.host.people import Line, Person
from longfuse.host.places import PAIRED, refusal
from longfuse.host.ports import BotFactory
from longfuse.host.seats import Seats
from longfuse.host.tables import Table
from longfuse_protocol.errors import Code
from longfuse_protocol.messages import (
    Answered,
    Cards,
    Catalogue,
    Create,
    Join,
    Left,
    Pair,
    Replay,
    SeatWish,
    Spectate,
    Tables,
    Terms,
    Unpair,
    Unpaired,
)

log = structlog.get_logger()

LISTED_MAX = 100
"""Tables in one answer to `browse`; the newest come first."""

Wish = Create | Join | Spectate | Pair | Unpair


class Lobby:
    """All tables of one server."""

    def __init__(
        self,
        outside: Outside,
        bots: Mapping[str, BotFactory],
        *,
        tables: trio.Nursery,
    ) -> None:
        self.is_draining = False
        self._config = outside.config
        self._factory = outside.factory
        self._outside = outside
        self._bots = bots
        self._tables: dict[str, Table] = {}
        self._makers: Counter[str] = Counter()
        """How many tables there are by who opened them."""
        self._maker_of: dict[str, str] = {}
        """Who opened each, in the order of their opening."""
        self._of_bots: dict[str, None] = {}
        """Those at which bots alone sit, in the order of their opening."""
        self._pairing = Pairing()
        self._nursery = tables

    def __len__(self) -> int:
        """Return how many tables there are."""
        return len(self._tables)

    # What people ask

    def tables(self, person: Person) -> Tables:
        """Return what can be played here and what is being played, as this person may know it."""
        newest = list(reversed(self._tables.values()))
        shown = [table for table in newest if table.is_listed or table.places.has(person)]
        if len(shown) > LISTED_MAX:  # those that wait for their delay push out no other
            shown.sort(key=lambda table: table.is_left)
        return Tables(
            tables=tuple(table.places.info_for(person) for table in shown[:LISTED_MAX]),
            rulesets=tuple(self._factory.catalogue()),
            bots=tuple(self._bots),
        )

    def cards(self, question: Catalogue) -> Cards:
        """Return a ruleset's cards; raise `Refused` if there is none of that name."""
        self._check_ruleset(question.ruleset)
        catalogue = self._factory.cards(question.ruleset)
        return Cards(command=question.command, ruleset=question.ruleset, catalogue=catalogue)

    def replay(self, person: Person, line: Line, question: Replay) -> None:
        """Answer a question for a finished game on this line, now or later; or raise `Refused`."""
        replays = self._outside.replays
        table = self._tables.get(replays.table_of(question.game))
        is_there = table is not None and person in table.places.people()
        replays.request(person, line, question, is_there=is_there)

    # Coming to a table

    def enter(self, person: Person, wish: Wish) -> None:
        """Bring a person to a table, or to another; raise `Refused` if it cannot be."""
        match wish:
            case Create():
                self._create(person, wish)
            case Join() | Spectate():
                self._check_drain()
                self._go(person, self._find(wish.table), wish)
            case Pair():
                self._pair(person, wish)
            case Unpair():
                self._unpair(person, wish)

    def lost(self, person: Person) -> None:
        """Hear that a connection of this person is gone: without one, it is paired with nobody."""
        if person.line is None:
            self._pairing.forget(person)

    def resumed(self, person: Person) -> None:
        """Hear that a person goes on in the lobby: it has yet to ask to be paired."""
        self._pairing.forget(person)

    def _find(self, table_id: str) -> Table:
        table = self._tables.get(table_id)
        if table is None or table.is_closed:
            raise Refused(Code.UNKNOWN_TABLE, f"there is no table {table_id!r}")
        return table

    def _go(self, person: Person, table: Table, wish: Join | Spectate) -> None:
        if table.request(person, wish):
            person.table = table

    def _create(self, person: Person, wish: Create) -> None:
        self._check_room()
        if _is_for_bots(wish.seats):
            self._check_bots()
        maker = person.user or person.id
        own = (table for table, one in self._maker_of.items() if one == maker)
        if self._makers[maker] >= self._config.tables_per_person_max and not self._has_closed(own):
            most = self._config.tables_per_person_max
            told = (
                "a table that you opened is" if most == 1 else f"{most} tables that you opened are"
            )
            raise Refused(Code.TOO_MANY, f"{told} still there: nobody may open more")
        if wish.sit is not None and not _is_open(wish.seats, wish.sit):
            raise Refused(Code.SEAT_TAKEN, f"seat {wish.sit} of the new table is not open")
        table = self._open(wish.ruleset, wish.seats, dict(wish.options), wish.terms, maker)
        code = table.places.invitation
        if wish.sit is None:
            watch = Spectate(command=wish.command, table=table.id, invitation=code)
            self._go(person, table, watch)
        else:
            join = Join(
                command=wish.command,
                table=table.id,
                seat=wish.sit,
                deck=wish.deck,
                invitation=code,
            )
            self._go(person, table, join)

    def _pair(self, person: Person, wish: Pair) -> None:
        self._check_room()
        self._check_ruleset(wish.ruleset)
        self._check_options(wish.ruleset, 2, {})
        if wish.deck:
            self._check_deck(wish.ruleset, 0, wish.deck)
        person.tell(Answered(command=wish.command, ok=True))
        found = self._pairing.find(person, wish)
        if found is None:
            return
        other, theirs = found
        terms = Terms(listed=False, clock=wish.clock, ready_s=self._config.pair_ready_s)
        table = self._open(wish.ruleset, (SeatWish(), SeatWish()), {}, terms, "pairing")
        code = table.places.invitation
        for seat, (one, its) in enumerate(((other, theirs), (person, wish))):
            join = Join(command=PAIRED, table=table.id, seat=seat, deck=its.deck, invitation=code)
            self._go(one, table, join)

    def _unpair(self, person: Person, wish: Unpair) -> None:
        if person.table is not None:  # too late; the table says so, once the person has come to it
            person.table.request(person, wish)
            return
        if not self._pairing.forget(person):
            raise Refused(Code.NOT_NOW, "you have been paired already")
        person.tell(Answered(command=wish.command, ok=True))
        person.tell(Unpaired())

    def _check_drain(self) -> None:
        if self.is_draining:
            raise Refused(Code.DRAINING, "the server is about to restart")

    def _check_room(self) -> None:
        self._check_drain()
        if len(self._tables) >= self._config.tables_max and not self._has_closed(self._tables):
            raise Refused(Code.SERVER_FULL, "the server runs as many tables as it may")

    def _check_bots(self) -> None:
        """Raise `Refused` where bots alone have as many tables as they may: they play on and on."""
        most = self._config.bot_tables_max
        if len(self._of_bots) >= most and not self._has_closed(self._of_bots):
            told = f"bots alone sit at {most} tables, as many as they may; take a seat, or wait"
            raise Refused(Code.SERVER_FULL, told)

    def _has_closed(self, tables: Iterable[str]) -> bool:
        """Close the oldest of these tables that everybody has left; say whether there was one.

        With a delay they stay until spectators may know of their end. That must not keep others
        from playing: anybody could open and leave as many as there may be.
        """
        left = next((one for table in tables if (one := self._tables[table]).is_left), None)
        if left is not None:
            left.close()
        return left is not None

    def _check_ruleset(self, ruleset: str) -> None:
        known = [info.name for info in self._factory.catalogue()]
        if ruleset not in known:
            told = f"there is no ruleset {ruleset!r} here; there is {', '.join(known)}"
            raise Refused(Code.UNKNOWN_RULESET, told)

    def _check_options(
        self, ruleset: str, seats: int, options: dict[str, bool | int | str]
    ) -> None:
        try:
            self._factory.check(ruleset, seats, options)
        except Refused as refused:
            raise Refused(Code.BAD_OPTIONS, refused.reason) from refused

    def _check_deck(self, ruleset: str, seat: int, deck: str) -> object:
        try:
            return self._factory.deck(ruleset, seat, deck)
        except Refused as refused:
            raise Refused(Code.BAD_DECK, refused.reason) from refused

    # Opening

    def _open(
        self,
        ruleset: str,
        wishes: tuple[SeatWish, ...],
        options: dict[str, bool | int | str],
        terms: Terms,
        maker: str,
    ) -> Table:
        self._check_ruleset(ruleset)
        self._check_options(ruleset, len(wishes), options)
        decks = tuple(
            self._check_deck(ruleset, seat, wish.deck) for seat, wish in enumerate(wishes)
        )
        seats = Seats(wishes, decks)
        for seat, wish in enumerate(wishes):
            if wish.kind == "bot":
                seats.sit(seat, self._bot(wish.bot, seat))
        table = Table(Opening(self._new_id(), ruleset, options, terms), seats, self._outside)
        self._tables[table.id] = table
        self._makers[maker] += 1
        self._maker_of[table.id] = maker
        if _is_for_bots(wishes):
            self._of_bots[table.id] = None
        self._nursery.start_soon(self._run, table, maker)
        log.info("table_opened", table=table.id, ruleset=ruleset, seats=len(wishes))
        return table

    def _bot(self, name: str, seat: int) -> BotPeer:
        """Make a bot, with a seed of its own: nobody at a table may know the game's."""
        factory = self._bots.get(name)
        if factory is None:
            told = f"there is no bot {name!r} here; there is {', '.join(self._bots) or 'none'}"
            raise Refused(Code.UNKNOWN_BOT, told)
        return BotPeer(name, lambda: factory(seat, secrets.randbits(128)))

    def _new_id(self) -> str:
        while (table_id := secrets.token_hex(6)) in self._tables:
            pass
        return table_id

    async def _run(self, table: Table, maker: str) -> None:
        try:
            await table.run()
        except Exception:  # the supervisor of all tables: one that fails is gone, and no more
            log.exception("table_failed", table=table.id)
            self._tell_failed(table)
        finally:
            del self._tables[table.id], self._maker_of[table.id]
            self._of_bots.pop(table.id, None)
            self._makers[maker] -= 1
            if not self._makers[maker]:
                del self._makers[maker]
        log.info("table_closed", table=table.id)

    def _tell_failed(self, table: Table) -> None:
        """Tell everybody at the table, and who was about to come to it."""
        text = "the table has failed"
        returned = set()
        for person, back in table.returning():
            if not back.line.is_ended:
                person.attach(back.line)
                person.tell(back.line.welcome(person))
                returned.add(person)
        arriving = table.arriving()
        for person in table.places.people():
            if person not in returned:
                person.tell(Left(table=table.id, reason=text))
        for person, request in arriving:
            if person in returned:
                continue
            if request.command == PAIRED:
                person.tell(Unpaired(reason=text))
            else:
                person.tell(refusal(request.command, Code.UNKNOWN_TABLE, text))
        for person in {*table.places.people(), *(person for person, _ in arriving), *returned}:
            person.table = None
            person.flush()
            self._outside.absent(person)

    # The end

    def drain(self) -> None:
        """Open no more tables, and let each do what it was asked, and end what is played there."""
        self.is_draining = True
        for table in self._tables.values():
            table.drain()

    async def settled(self) -> None:
        """Wait until every table has done what it was asked before, and has ended its game."""
        for table in list(self._tables.values()):
            await table.settled.wait()


@asynccontextmanager
async def open_lobby(outside: Outside, bots: Mapping[str, BotFactory]) -> AsyncIterator[Lobby]:
    """Open a lobby whose tables run until they end, or until the block does."""
    async with trio.open_nursery() as tables:
        yield Lobby(outside, bots, tables=tables)
        tables.cancel_scope.cancel()


def _is_open(seats: tuple[SeatWish, ...], seat: int) -> bool:
    return seat < len(seats) and seats[seat].kind == "open"


def _is_for_bots(seats: tuple[SeatWish, ...]) -> bool:
    return all(seat.kind == "bot" for seat in seats)
