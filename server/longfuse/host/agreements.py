"""What the seats of a match agree on: when an offer makes sense, and what all are told of it.

A match owns one, for all its games, and says where it stands; `Offers` knows who has accepted what.
What then happens is the match's to do. Offers are told to seats alone, and never to spectators.
"""

from collections.abc import Callable
from typing import NamedTuple

from longfuse.game.entries import Refused
from longfuse.host import offers
from longfuse.host.alarms import Alarms
from longfuse.host.audience import Audience
from longfuse.host.playing import AlarmKey
from longfuse.host.wall import wall_ms
from longfuse_protocol.errors import Code
from longfuse_protocol.messages import MakeOffer, OfferKind, Offers, Respond, Status, Terms

OFFERS: AlarmKey = ("offers", None)


class Agreed(NamedTuple):
    """What all seats have agreed on. maker: the seat that offered it."""

    kind: OfferKind
    maker: int


class Agreements:
    """The offers of one table."""

    def __init__(
        self,
        audience: Audience,
        alarms: Alarms[AlarmKey],
        terms: Terms,
        check_rewind: Callable[[int], None],
    ) -> None:
        """check_rewind: raises `Refused` if the seat has nothing to take back in the game."""
        self._audience = audience
        self._seats = audience.seats
        self._alarms = alarms
        self._terms = terms
        self._check_rewind = check_rewind
        self._offers = offers.Offers(range(len(self._seats)), wall_ms)

    def begin(self) -> None:
        """Hear that another game is about to begin: nothing is on offer, and all have a say."""
        self.clear()
        self._offers = offers.Offers(range(len(self._seats)), wall_ms, bots=self._seats.bots)

    def take(
        self, seat: int, command: MakeOffer | Respond, status: Status, now: float
    ) -> Agreed | None:
        """Take an offer or an answer to one; return what is agreed now; or raise `Refused`.

        Nothing is agreed that makes no sense now. What has changed is told by `tell`.
        """
        kind, maker = command.kind, self._offers.maker(command.kind)
        if isinstance(command, MakeOffer):
            self._check(kind, seat, status)
            is_agreed = self._offers.make(kind, seat, now)
        else:
            if command.accept and maker is not None:
                self._check(kind, seat, status)
            is_agreed = self._offers.respond(kind, seat, command.accept, now)
        return Agreed(kind, seat if maker is None else maker) if is_agreed else None

    def left(self, seat: int) -> None:
        """Hear that a seat's holder has left: nobody is asked for its say any more."""
        self._offers.leave(seat)
        self.tell()

    def clear(self, kind: OfferKind | None = None) -> None:
        """End an offer, or with None all, because it makes no sense now."""
        self._offers.clear(kind)
        self.tell()

    def expire(self, now: float) -> None:
        """Hear that an offer may have been open long enough."""
        self._offers.expire(now)
        self.tell()

    def tell(self) -> None:
        """Tell the seats what is on offer, and what has ended, if anything has changed."""
        if not self._offers.has_news:  # who accepts again and again keeps nobody busy
            return
        self._audience.tell_seats(self._offers.news())
        self._alarms.set(OFFERS, self._offers.next_at())

    def message(self) -> Offers:
        """Return what a seat that comes back is told."""
        return self._offers.message()

    def _check(self, kind: OfferKind, seat: int, status: Status) -> None:
        """Raise `Refused` where it makes no sense now."""
        fits = {
            "draw": status in ("playing", "paused"),
            "pause": status == "playing",
            "take back": status == "playing",
            "rematch": status == "over" and self._seats.is_full,
            "open replay": status in ("over", "between games") and self._seats.is_full,
        }[kind]
        if not fits:
            raise Refused(Code.NOT_NOW, f"{kind}: only {offers.WHEN[kind]}")
        if kind == "take back" and self._terms.take_back != "by agreement":
            raise Refused(Code.NOT_NOW, "at this table nothing is taken back by agreement")
        if kind == "take back" and self._offers.maker(kind) is None:
            self._check_rewind(seat)
