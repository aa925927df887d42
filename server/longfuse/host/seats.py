"""The seats of one table: who sits where, with which deck.

The table owns them. A seat is open, held by a person or by a bot of the server, or gone for good:
its player has left a running game.
"""

import msgspec

from longfuse.host.bot_peers import BotPeer
from longfuse.host.people import Person
from longfuse.host.ports import Deck
from longfuse_protocol.errors import Code
from longfuse_protocol.messages import SeatInfo, SeatWish

Holder = Person | BotPeer


class Seat(msgspec.Struct):
    """One seat. gone: the name of who left it for good."""

    deck: Deck
    """What its holder plays in the next game."""
    registered: Deck
    """What its holder sat down with, for the whole match."""
    holder: Holder | None = None
    gone: str = ""


class Seats:
    """The seats in their order, which never changes."""

    def __init__(self, wishes: tuple[SeatWish, ...], decks: tuple[Deck, ...]) -> None:
        """decks: what each seat plays unless its holder brings another."""
        self.wishes = wishes
        self._usual = decks
        self.all = [Seat(deck=deck, registered=deck) for deck in decks]

    def __len__(self) -> int:
        """Return how many there are."""
        return len(self.all)

    @property
    def is_full(self) -> bool:
        """Say whether every seat is held."""
        return all(seat.holder is not None for seat in self.all)

    @property
    def names(self) -> tuple[str, ...]:
        """Return the names of those who sit, in the order of the seats."""
        return tuple(seat.holder.name if seat.holder is not None else "" for seat in self.all)

    @property
    def decks(self) -> tuple[Deck, ...]:
        """Return the decks of the next game."""
        return tuple(seat.deck for seat in self.all)

    @property
    def holders(self) -> list[Holder | None]:
        """Return who sits, in the order of the seats."""
        return [seat.holder for seat in self.all]

    @property
    def people(self) -> dict[int, Person]:
        """Return the people who sit, by seat."""
        return {n: one for n, one in enumerate(self.holders) if isinstance(one, Person)}

    @property
    def bots(self) -> dict[int, BotPeer]:
        """Return the bots, by seat."""
        return {n: one for n, one in enumerate(self.holders) if isinstance(one, BotPeer)}

    def of(self, holder: object) -> int | None:
        """Return the seat that somebody holds."""
        return next((n for n, held in enumerate(self.holders) if held is holder), None)

    def of_user(self, user: str) -> int | None:
        """Return the seat that a session of this user holds."""
        found = (n for n, person in self.people.items() if user and person.user == user)
        return next(found, None)

    def free(self, wanted: int | None) -> int | Code:
        """Return the wanted seat, or with None the first free one; a code where that cannot be."""
        holders = self.holders
        if wanted is None:
            return next((n for n, held in enumerate(holders) if held is None), Code.TABLE_FULL)
        if wanted >= len(holders):
            return Code.TABLE_FULL
        return wanted if holders[wanted] is None else Code.SEAT_TAKEN

    def sit(self, seat: int, holder: Holder, deck: Deck = None) -> None:
        """Give the seat to somebody, with a deck, or with None the seat's usual one."""
        place = self.all[seat]
        assert place.holder is None, seat
        place.holder = holder
        place.gone = ""
        place.deck = place.registered = self._usual[seat] if deck is None else deck

    def hand_over(self, seat: int, person: Person) -> None:
        """Give the seat to another session of the same user, deck and all."""
        self.all[seat].holder = person

    def stand(self, seat: int, *, for_good: bool) -> None:
        """Take the seat from whoever holds it; for good, once a game has begun."""
        place = self.all[seat]
        assert place.holder is not None, seat
        if for_good:
            place.gone = place.holder.name
        place.holder = None

    def info(self) -> tuple[SeatInfo, ...]:
        """Return the seats as everybody may know them."""
        return tuple(_info(seat) for seat in self.all)


def _info(seat: Seat) -> SeatInfo:
    holder = seat.holder
    if holder is None:
        return SeatInfo(kind="gone", name=seat.gone) if seat.gone else SeatInfo(kind="open")
    if isinstance(holder, BotPeer):
        return SeatInfo(kind="bot", name=holder.name, guest=False)
    return SeatInfo(
        kind="player", name=holder.name, guest=not holder.is_named, here=holder.line is not None
    )
