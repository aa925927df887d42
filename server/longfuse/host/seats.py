"""The seats of one table: who sits where, and the bots that play in the server's own process.

The table owns them. A bot is a peer like a connection: it is told its prompts and sends its
decisions through the same inbox, so it can do nothing that a client could not.
"""

from collections.abc import Callable

import trio

from longfuse.host.peers import Outgoing, Peer
from longfuse.host.ports import Bot, Game
from longfuse_protocol.codec import Codec
from longfuse_protocol.errors import Code
from longfuse_protocol.messages import Answered, Asked, Decide, SeatInfo, SeatWish
from longfuse_protocol.prompts import Prompt


class BotFault(Exception):
    """A bot gave an answer that the game does not take: a defect of ours."""


class BotPeer:
    """A bot in a seat. One task runs it while the table lives."""

    codec: Codec | None = None
    _HARMLESS = frozenset(
        {Code.STALE_PROMPT, Code.NOT_ASKED, Code.OVER, Code.SUSPENDED, Code.DRAINING}
    )
    """The game moved on, or stopped, while the bot was thinking."""

    def __init__(self, name: str, bot: Bot) -> None:
        self.name = name
        self._bot = bot
        self._prompt: Prompt | None = None
        self._told = trio.Event()
        self._decisions = 0

    def send(self, outgoing: Outgoing) -> None:
        """Hear of a prompt; anything else it can see in the game."""
        message = outgoing.message
        if type(message) is Asked:
            self._prompt = message.prompt
            self._told.set()
        elif type(message) is Answered and not message.ok and message.code not in self._HARMLESS:
            raise BotFault(f"bot {self.name}: {message.code}: {message.reason}")

    def flush(self) -> None:
        """Nothing is held back."""

    async def play(self, game: Game, decide: Callable[["BotPeer", Decide], None]) -> None:
        """Decide for as long as the table lives. A prompt that was replaced is not answered."""
        while True:
            await self._told.wait()
            self._told = trio.Event()
            prompt = self._prompt
            assert prompt is not None
            answer = await self._bot.decide(prompt, game)
            self._decisions += 1
            command = f"{self.name}-{self._decisions}"
            decide(self, Decide(command=command, prompt=prompt.id, answer=answer))


class Seats:
    """Who sits where. A seat is open, held by a peer, or gone for good."""

    def __init__(self, wishes: tuple[SeatWish, ...]) -> None:
        self.peers: list[Peer | None] = [None] * len(wishes)
        self._gone: dict[int, str] = {}

    @property
    def is_full(self) -> bool:
        """Say whether every seat is held."""
        return all(peer is not None for peer in self.peers)

    @property
    def names(self) -> tuple[str, ...]:
        """Return the names of those who sit, in the order of the seats."""
        return tuple(peer.name if peer is not None else "" for peer in self.peers)

    @property
    def bots(self) -> list[BotPeer]:
        """Return the bots, in the order of the seats."""
        return [peer for peer in self.peers if isinstance(peer, BotPeer)]

    def of(self, peer: Peer) -> int | None:
        """Return the seat that the peer holds."""
        return next((seat for seat, held in enumerate(self.peers) if held is peer), None)

    def free(self, wanted: int | None) -> int | Code:
        """Return the wanted seat, or with None the first free one; a code where that cannot be."""
        if wanted is None:
            return next((s for s, peer in enumerate(self.peers) if peer is None), Code.TABLE_FULL)
        if wanted >= len(self.peers):
            return Code.TABLE_FULL
        return wanted if self.peers[wanted] is None else Code.SEAT_TAKEN

    def sit(self, seat: int, peer: Peer) -> None:
        """Give the seat to the peer."""
        assert self.peers[seat] is None, seat
        self.peers[seat] = peer

    def stand(self, seat: int, *, for_good: bool) -> None:
        """Take the seat from whoever holds it; for good, once a game has begun."""
        peer = self.peers[seat]
        assert peer is not None, seat
        self.peers[seat] = None
        if for_good:
            self._gone[seat] = peer.name

    def info(self) -> tuple[SeatInfo, ...]:
        """Return the seats as everybody may know them."""
        return tuple(self._info(seat, peer) for seat, peer in enumerate(self.peers))

    def _info(self, seat: int, peer: Peer | None) -> SeatInfo:
        if peer is None:
            gone = self._gone.get(seat)
            return SeatInfo(kind="open") if gone is None else SeatInfo(kind="gone", name=gone)
        return SeatInfo(kind="bot" if isinstance(peer, BotPeer) else "player", name=peer.name)
