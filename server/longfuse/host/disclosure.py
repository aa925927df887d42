"""Telling the secret of a shuffle, once its game has ended, to the seats that it belongs to.

A match owns one. A secret opens both hands, so it goes to those who sat at the game and to nobody
else: not to spectators, and not to who sits down later. Whoever was away is told on coming back.
With the telling, the end is noted where secrets are kept and counted.
"""

import structlog

from longfuse.host.audience import Audience
from longfuse.host.kept_secrets import Secrets
from longfuse.host.people import Person
from longfuse.host.seats import Holder
from longfuse_protocol.messages import Revealed

log = structlog.get_logger()


class Disclosure:
    """The secret that was told last."""

    def __init__(self, audience: Audience, secrets: Secrets) -> None:
        self._audience = audience
        self._secrets = secrets
        self._revealed: Revealed | None = None
        self._seated: list[Holder | None] = []

    async def end(self, revealed: Revealed, why: str) -> None:
        """Tell a secret to all who sit, and note why its game has ended, as `Secrets.reveal` does.

        A full disk keeps it from nobody. What can't be noted, the next server notes as it begins.
        """
        self._revealed = revealed
        self._seated = self._audience.seats.holders
        self._audience.tell_seats(revealed)
        try:
            await self._secrets.reveal(revealed.game, why)
        except OSError as error:
            log.warning("end_not_noted", game=revealed.game, reason=str(error))

    def told(self, seat: int) -> list[Revealed]:
        """Return what a seat that comes back must be told again."""
        if self._revealed is None or not _is_same(self._seated[seat], self._audience, seat):
            return []
        return [self._revealed]


def _is_same(before: Holder | None, audience: Audience, seat: int) -> bool:
    """Say whether the seat is still held by who held it, or by another session of that user."""
    now = audience.seats.holders[seat]
    if now is before:
        return now is not None
    if not isinstance(now, Person) or not isinstance(before, Person):
        return False
    return now.user != "" and now.user == before.user
