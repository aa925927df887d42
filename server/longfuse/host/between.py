"""Between two games of a match: who is ready for the next, and what it is played with.

The match makes a `Between` when a game is over and another follows. The next begins when all are
ready, or when the time for it has come: the match sees to both.
"""

from collections.abc import Mapping

import trio

from longfuse.game.entries import Refused
from longfuse.host.audience import Audience
from longfuse.host.opening import Opening
from longfuse.host.ports import Game, GameFactory
from longfuse.host.seats import Seats
from longfuse.host.wall import wall_ms
from longfuse_protocol.errors import Code
from longfuse_protocol.messages import ReadyCheck

Options = Mapping[str, object]
"""Of a game: the ruleset's."""


class Between:
    """The time between two games."""

    def __init__(self, audience: Audience, within_s: float) -> None:
        self.until = trio.current_time() + within_s
        """When the next game begins without those who are not ready."""
        self._until_ms = wall_ms(self.until)
        self._audience = audience
        self._ready = [seat in audience.seats.bots for seat in range(len(audience.seats))]

    def ready(self, seat: int) -> bool:
        """Hear that a seat is ready; return whether all are."""
        if not self._ready[seat]:
            self._ready[seat] = True
            self._audience.tell_seats(self.check())
        return all(self._ready)

    def check(self) -> ReadyCheck:
        """Return who is ready, and until when the others may take."""
        return ReadyCheck(ready=tuple(self._ready), until_ms=self._until_ms)


def options_after(last: Game | None, opening: Opening, factory: GameFactory) -> Options:
    """Return the options of a table's next game. last: the match's game before it, if any."""
    if opening.terms.best_of == 1:
        return opening.options
    return factory.next_options(opening.ruleset, opening.options, last)


def choose_deck(
    seats: Seats, seat: int, deck: str, factory: GameFactory, ruleset: str, *, in_match: bool
) -> None:
    """Give a seat another deck for the next game; or raise `Refused`.

    in_match: it must be made of the cards of the deck that was brought to the match.
    """
    place = seats.all[seat]
    try:
        chosen = factory.deck(ruleset, seat, deck)
    except Refused as refused:
        raise Refused(Code.BAD_DECK, refused.reason) from refused
    if not in_match:
        place.registered = chosen
    elif wrong := factory.may_replace(ruleset, place.registered, chosen):
        raise Refused(Code.BAD_DECK, wrong)
    place.deck = chosen
