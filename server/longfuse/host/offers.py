"""What seats must agree on: a draw, a pause, taking back, a rematch, an open replay.

`Agreements` owns one while its people stay together. It says whether something is agreed; what then
happens, and whether an offer makes sense now, is for others to know. It reads no clock.

Every seat must accept. Whoever offers has; a bot of the server accepts at once what costs nobody
the game, and takes part in no draw and no taking back, so that these can't be offered beside one.
One offer of a kind is open at a time. It ends when somebody declines, when whoever made it
withdraws it, when its time is over, or when the table clears it. After it has ended without being
agreed, the same seat must wait before it makes another of its kind: nobody is pestered.
"""

import math
from collections.abc import Callable, Collection, Mapping

from msgspec.structs import replace

from longfuse.game.entries import Refused
from longfuse_protocol import messages
from longfuse_protocol.errors import Code
from longfuse_protocol.messages import Offer, OfferEnded, OfferKind

OPEN_S: Mapping[OfferKind, float] = {
    "draw": 60,
    "pause": 60,
    "take back": 30,
    "rematch": 120,
    "open replay": 120,
}
"""How long an offer stays open."""

WHEN: Mapping[OfferKind, str] = {
    "draw": "while a game is played",
    "pause": "while a game is played",
    "take back": "while a game is played",
    "rematch": "once the match is over, while all its players are there",
    "open replay": "once a game is over, while all its players are there",
}
"""When an offer makes sense, as whoever makes it at another time is told."""

AGAIN_S = 60
"""How long a seat must wait to make an offer of a kind again, after one that came to nothing."""

_BOTS_ACCEPT: frozenset[OfferKind] = frozenset({"pause", "rematch", "open replay"})


class _Open:
    """An offer while it is open."""

    def __init__(self, by: int, accepted: set[int], until: float, until_ms: int) -> None:
        self.by = by
        self.accepted = accepted
        self.until = until
        self.until_ms = until_ms
        """The same, in wall time."""


class Offers:
    """The offers of one table: at most one of each kind.

    Times are in seconds; `wall_ms` turns one into wall time, in milliseconds of the epoch.
    """

    def __init__(
        self,
        seats: Collection[int],
        wall_ms: Callable[[float], int],
        *,
        bots: Collection[int] = (),
    ) -> None:
        assert set(bots) <= set(seats), bots
        self._seats = set(seats)
        self._bots = set(bots)
        self._wall_ms = wall_ms
        self._open: dict[OfferKind, _Open] = {}
        self.has_news = False
        """Whether anything has changed since `news` was last taken."""
        self._ended: list[OfferEnded] = []
        """What has ended since `news` was last taken."""
        self._again_at: dict[tuple[OfferKind, int], float] = {}

    def make(self, kind: OfferKind, seat: int, now: float) -> bool:
        """Offer it, or accept it if it is on offer; return whether all have agreed, which ends it.

        Raise `Refused` and change nothing, if this seat has no say, must wait, or sits with a bot
        that never agrees to this.
        """
        self._check_say(seat)
        offer = self._find(kind, now)
        if offer is not None:
            return self._accept(kind, offer, seat)
        if self._bots and kind not in _BOTS_ACCEPT:
            raise Refused(
                Code.NOT_NOW, f"{kind}: seat {min(self._bots)} is a bot, and agrees to none"
            )
        again_at = self._may_again_at(kind, seat)
        if now < again_at:
            raise Refused(
                Code.NOT_NOW,
                f"{kind}: your last offer came to nothing; "
                f"you can make another in {math.ceil(again_at - now)} s",
            )
        self._lapse(kind, now)
        until = now + OPEN_S[kind]
        offer = self._open[kind] = _Open(seat, set(self._bots), until, self._wall_ms(until))
        return self._accept(kind, offer, seat)

    def respond(self, kind: OfferKind, seat: int, accept: bool, now: float) -> bool:
        """Accept, decline or withdraw what is on offer; return whether all have agreed.

        Who has accepted may still decline; accepting twice is accepting once. Raise `Refused` and
        change nothing, if this seat has no say or nothing of the kind is on offer any more.
        """
        self._check_say(seat)
        offer = self._find(kind, now)
        if offer is None:
            raise Refused(Code.NO_OFFER, f"{kind}: nobody offers this now")
        if accept:
            return self._accept(kind, offer, seat)
        self._fail(kind, now, "withdrawn" if offer.by == seat else "declined")
        return False

    def maker(self, kind: OfferKind) -> int | None:
        """Return the seat that has made the offer of this kind."""
        offer = self._open.get(kind)
        return None if offer is None else offer.by

    def clear(self, kind: OfferKind | None = None) -> None:
        """End an offer, or with None all, because it makes no sense now.

        Nobody is to blame for it, so nobody has to wait. A taking back is cleared at every
        decision, for it is about the last one; a draw and a pause at the end of the game.
        """
        cleared = [each for each in self._open if kind in (None, each)]
        for each in cleared:
            self._end(each, "overtaken")

    def leave(self, seat: int) -> None:
        """Ask this seat no more.

        All offers end: what was offered was offered to others than are here now.
        """
        self._seats.discard(seat)
        self._bots.discard(seat)
        self.clear()

    def next_at(self) -> float:
        """Return when the next offer is to expire; infinity if none is open."""
        return min((offer.until for offer in self._open.values()), default=math.inf)

    def expire(self, now: float) -> None:
        """End what has been open for too long."""
        late = [kind for kind, offer in self._open.items() if now >= offer.until]
        for kind in late:
            self._lapse(kind, now)

    def news(self) -> messages.Offers:
        """Return what is on offer, and what has ended since this was last called, to tell all."""
        ended, self._ended = tuple(self._ended), []
        self.has_news = False
        return replace(self.message(), ended=ended)

    def message(self) -> messages.Offers:
        """Return what is on offer, in the order of its making."""
        return messages.Offers(
            offers=tuple(
                Offer(
                    kind=kind,
                    by=offer.by,
                    accepted=tuple(sorted(offer.accepted)),
                    until_ms=offer.until_ms,
                )
                for kind, offer in self._open.items()
            )
        )

    def _check_say(self, seat: int) -> None:
        if seat not in self._seats:
            raise Refused(Code.NOT_SEATED, f"seat {seat} has no say at this table")

    def _find(self, kind: OfferKind, now: float) -> _Open | None:
        """Return the offer if it is open still; who is late leaves it for `expire` to tell all."""
        offer = self._open.get(kind)
        return offer if offer is not None and now < offer.until else None

    def _may_again_at(self, kind: OfferKind, seat: int) -> float:
        """Return when the seat may make an offer of this kind, now that none is open in time."""
        late = self._open.get(kind)
        if late is not None and late.by == seat:
            return late.until + AGAIN_S
        return self._again_at.get((kind, seat), -math.inf)

    def _accept(self, kind: OfferKind, offer: _Open, seat: int) -> bool:
        if seat not in offer.accepted:
            offer.accepted.add(seat)
            self.has_news = True
        is_agreed = offer.accepted >= self._seats
        if is_agreed:
            self._end(kind, "agreed")
        return is_agreed

    def _lapse(self, kind: OfferKind, now: float) -> None:
        """End an offer whose time is over, as of when it was."""
        offer = self._open.get(kind)
        if offer is not None and now >= offer.until:
            self._fail(kind, offer.until, "expired")

    def _fail(self, kind: OfferKind, at: float, how: str) -> None:
        offer = self._end(kind, how)
        self._again_at[kind, offer.by] = at + AGAIN_S

    def _end(self, kind: OfferKind, how: str) -> _Open:
        self.has_news = True
        self._ended.append(OfferEnded(kind=kind, how=how))
        return self._open.pop(kind)
