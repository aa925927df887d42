"""Everybody at one table, and what each of them is sent.

The table owns one. It knows who gets which part of a step, spells what many get only once, and
remembers who was sent something in this step, so that each is written to once. It decides nothing.
"""

from collections.abc import Sequence

from longfuse.host.peers import Outgoing, Peer
from longfuse.host.play import Step
from longfuse.host.seats import Seats
from longfuse_protocol.messages import Answered, ServerMessage


class Audience:
    """The seats and the spectators of a table."""

    def __init__(self, seats: Seats) -> None:
        self.seats = seats
        self.spectators: dict[Peer, None] = {}
        self.is_answered = False
        """Whether an answer has gone out since this was last made false."""
        self._touched: dict[Peer, None] = {}

    def is_deserted(self) -> bool:
        """Say whether nobody is here but bots."""
        seated = sum(peer is not None for peer in self.seats.peers)
        return not self.spectators and seated == len(self.seats.bots)

    def send(self, peer: Peer, message: ServerMessage) -> None:
        """Send one peer a message."""
        self._deliver(peer, Outgoing(message))

    def tell(self, message: ServerMessage, but: Peer | None = None) -> None:
        """Send everybody a message, but for one."""
        outgoing = Outgoing(message)
        for peer in (*self.seats.peers, *self.spectators):
            if peer is not None and peer is not but:
                self._deliver(peer, outgoing)

    def show(self, step: Step, answered: tuple[Peer, Answered] | None = None) -> None:
        """Send the answer to whoever commanded, then the frames, then the prompt or the end.

        Everything is spelt before anything is sent: what cannot be spelt is a fault of the game,
        and then nobody has seen half of a step.
        """
        sending = [(answered[0], Outgoing(answered[1]))] if answered is not None else []
        self._by_stream(step.frames, sending)
        if step.overs is not None:
            self._by_stream(step.overs, sending)
        if step.asked is not None:
            asked = self.seats.peers[step.asked.prompt.seat]
            if asked is not None:
                sending.append((asked, Outgoing(step.asked)))
        for peer, outgoing in sending:
            if peer.codec is not None:
                outgoing.spelt(peer.codec)
        for peer, outgoing in sending:
            self._deliver(peer, outgoing)

    def flush(self) -> None:
        """Let go what was sent since this was last called."""
        for peer in self._touched:
            peer.flush()
        self._touched.clear()

    def _by_stream(
        self, messages: Sequence[ServerMessage | None], sending: list[tuple[Peer, Outgoing]]
    ) -> None:
        """Add to each seat's peer its own message, and to the spectators the last, which is one."""
        for peer, message in zip(self.seats.peers, messages, strict=False):
            if peer is not None and message is not None:
                sending.append((peer, Outgoing(message)))
        if messages[-1] is not None:
            shared = Outgoing(messages[-1])
            sending.extend((peer, shared) for peer in self.spectators)

    def _deliver(self, peer: Peer, outgoing: Outgoing) -> None:
        self.is_answered |= type(outgoing.message) is Answered
        self._touched[peer] = None
        peer.send(outgoing)
