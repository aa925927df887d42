"""Everybody at one table, and what each of them is sent.

The table owns one. It knows who gets which part of a step, spells what many get only once, and
keeps it all until the step is done: so each is written to once, and nobody is told of what a step
has yet to make durable. What is for spectators goes through `spectators`, which holds it back as
long as it must. It decides nothing.
"""

from collections import deque
from collections.abc import Mapping, Sequence

from longfuse.host.chat import Chat
from longfuse.host.peers import Outgoing, Peer
from longfuse.host.seats import Seats
from longfuse.host.spectators import Spectators
from longfuse_protocol.messages import Answered, Events, Over, Said, ServerMessage

Shown = Events | Over


class Audience:
    """The seats and the spectators of a table."""

    def __init__(self, seats: Seats, spectators: Spectators, chat: Chat) -> None:
        self.seats = seats
        self.spectators = spectators
        self._chat = chat
        self.is_answered = False
        """Whether somebody was answered since this was last made false."""
        self._sending: deque[tuple[Peer, Outgoing]] = deque()
        """What this step has told so far."""

    def send(self, peer: Peer, message: ServerMessage) -> None:
        """Send one peer a message."""
        self._deliver(peer, Outgoing(message))

    def send_all(self, peer: Peer, messages: Sequence[ServerMessage]) -> None:
        """Send one peer messages in their order."""
        for message in messages:
            self.send(peer, message)

    def tell_seats(self, message: ServerMessage, but: Peer | None = None) -> None:
        """Send all who sit a message, but for one."""
        self._to_all(self.seats.holders, Outgoing(message), but)

    def tell_spectators(self, message: ServerMessage, but: Peer | None = None) -> None:
        """Send all spectators a message, in their time."""
        for outgoing in self.spectators.tell(message):
            self._to_spectators(outgoing, but)

    def tell(self, message: ServerMessage, but: Peer | None = None) -> None:
        """Send everybody a message, spectators in their time, but for one seat's holder."""
        self.tell_seats(message, but)
        self.tell_spectators(message)

    def spread(self, said: Said) -> None:
        """Send a line of chat to all who are to hear it."""
        outgoing = Outgoing(said)
        if said.room == "seats":
            self._to_hearers(list(self.seats.people.values()), outgoing, said, seated=True)
            self.tell_spectators(said)
        else:
            self._to_hearers(list(self.spectators.people), outgoing, said, seated=False)

    def show(
        self,
        steps: Sequence[Sequence[Shown | None]],
        for_one: Mapping[int, Sequence[ServerMessage]],
        answered: tuple[Peer, Answered] | None = None,
    ) -> None:
        """Send the answer to whoever commanded, then what each stream shows, then what is for one.

        steps: each with a message, or None, by stream: the seats in order, then the spectators.
        for_one: by seat. Everything is spelt before anything is sent: what cannot be spelt is a
        fault of the game, and then nobody has seen half of a step.
        """
        sending: list[tuple[Peer, Outgoing]] = []
        if answered is not None:
            sending.append((answered[0], Outgoing(answered[1])))
        holders = self.seats.holders
        for messages in steps:
            for holder, message in zip(holders, messages, strict=False):
                if holder is not None and message is not None:
                    sending.append((holder, Outgoing(message)))
        for seat, alone in for_one.items():
            holder = holders[seat]
            if holder is not None:
                sending.extend((holder, Outgoing(message)) for message in alone)
        _spell(sending)  # before spectators are told: what they are told now may be shown later
        watching: list[tuple[Peer, Outgoing]] = []
        for messages in steps:
            public = messages[-1]
            if public is not None:
                for outgoing in self.spectators.tell(public):
                    watching.extend((peer, outgoing) for peer in self.spectators.people)
        _spell(watching)
        for peer, outgoing in (*sending, *watching):
            self._deliver(peer, outgoing)

    def release(self, now: float) -> None:
        """Send spectators what has waited long enough."""
        for outgoing in self.spectators.due(now):
            self._to_spectators(outgoing)

    def flush(self) -> None:
        """Let go what was sent since this was last called. What a fault leaves waits on."""
        touched: dict[Peer, None] = {}
        try:
            while self._sending:
                peer, outgoing = self._sending.popleft()
                touched[peer] = None
                peer.send(outgoing)
        finally:
            for peer in touched:
                peer.flush()

    def let_go(self, peer: Peer) -> None:
        """Let go what one peer was sent, which has no place here any more and may go elsewhere."""
        others = deque((one, outgoing) for one, outgoing in self._sending if one is not peer)
        for one, outgoing in self._sending:
            if one is peer:
                peer.send(outgoing)
        self._sending = others
        peer.flush()

    def _to_spectators(self, outgoing: Outgoing, but: Peer | None = None) -> None:
        if isinstance(outgoing.message, Said):
            self._to_hearers(list(self.spectators.people), outgoing, outgoing.message, seated=False)
        else:
            self._to_all(list(self.spectators.people), outgoing, but)

    def _to_hearers(
        self, peers: Sequence[Peer], outgoing: Outgoing, said: Said, *, seated: bool
    ) -> None:
        self._to_all(self._chat.hearers(said, peers, seated=seated), outgoing)

    def _to_all(
        self, peers: Sequence[Peer | None], outgoing: Outgoing, but: Peer | None = None
    ) -> None:
        for peer in peers:
            if peer is not None and peer is not but:
                self._deliver(peer, outgoing)

    def _deliver(self, peer: Peer, outgoing: Outgoing) -> None:
        _spell([(peer, outgoing)])  # what cannot be spelt is a fault of this step
        self.is_answered |= type(outgoing.message) is Answered
        self._sending.append((peer, outgoing))


def _spell(sending: Sequence[tuple[Peer, Outgoing]]) -> None:
    for peer, outgoing in sending:
        if peer.codec is not None:
            outgoing.spelt(peer.codec)
