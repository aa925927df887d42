"""What a client shows of what it knows: typed, and only to be read.

`Reading` is the base of the client. It changes nothing and waits for nothing.
"""

from collections.abc import Mapping, Sequence

from longfuse_protocol import messages as m
from longfuse_protocol.client_known import Known
from longfuse_protocol.client_shuffles import Shuffles
from longfuse_protocol.mirror import Mirror
from longfuse_protocol.prompts import Prompt
from longfuse_protocol.receipts import Receipt
from longfuse_protocol.views import View


class Reading:
    """What the server has told and still holds. Only `Client` is made of it."""

    _known: Known
    _shuffles: Shuffles

    @property
    def welcome(self) -> m.Welcome | None:
        """The last welcome."""
        return self._known.welcome

    @property
    def place(self) -> m.Place | None:
        """The place at a table that this session has. It is kept while the connection is lost."""
        return self._known.place

    @property
    def table(self) -> m.TableInfo | None:
        """The table of that place, as it was told last."""
        return None if self._known.place is None else self._known.place.info

    @property
    def mirror(self) -> Mirror:
        """The view from that place, or from the last one, with its number and digest."""
        return self._known.mirror

    @property
    def view(self) -> View:
        """The view itself; only to be read."""
        return self._known.mirror.view

    @property
    def prompt(self) -> Prompt | None:
        """What this seat is asked; None once it was answered, or the connection is lost."""
        return self._known.prompt

    @property
    def clock(self) -> m.Clock | None:
        """The seats' time, as it was told last."""
        return self._known.clock

    @property
    def offers(self) -> tuple[m.Offer, ...]:
        """What is on offer."""
        return self._known.offers

    @property
    def passing(self) -> m.PassingSet | None:
        """How the server passes for this seat; None until it has said so."""
        return self._known.passing

    @property
    def ready_check(self) -> m.ReadyCheck | None:
        """Who is ready, while that is asked."""
        return self._known.ready

    @property
    def absent(self) -> Mapping[int, m.Presence]:
        """The seats whose players have lost their connections."""
        return self._known.absent

    @property
    def chat(self) -> Sequence[m.Said]:
        """The last lines of chat, bounded."""
        return self._known.chat

    @property
    def receipts(self) -> Mapping[str, Receipt]:
        """What was seen of the shuffle of each game, by the game's id."""
        return self._shuffles.receipts

    def local_time(self, at_ms: int) -> float:
        """Return when the server's clock says so, in seconds of trio's clock."""
        return self._known.time.local(at_ms)

    def deadline(self, seat: int) -> float | None:
        """Return when this seat's time is over, in seconds of trio's clock; None if it stands."""
        clock = self._known.clock
        if clock is None or seat >= len(clock.seats):
            return None
        deadline_ms = clock.seats[seat].deadline_ms
        return None if deadline_ms is None else self.local_time(deadline_ms)
