"""What can go wrong at an actor's door, and what the reader of it should do.

    ActorFault     a behaviour raised: report it, suspend the game (the journal is kept)
    ├─ ActorEnded  asked or told after its end: the caller holds a reference to a finished stay
    └─ ActorBusy   asked or told by its own behaviour, directly or through others: a design error
    InboxFull      told more than it has room for: the sender's written policy decides

A fault carries facts, not a text to parse. Faults nest where a zone's behaviour asks an object:
`root` leads to what was really raised, `trail` names the actors that it passed through.
"""

from __future__ import annotations

from collections.abc import Iterator


class ActorFault(Exception):
    """An actor's behaviour raised while it handled a message."""

    def __init__(self, actor: str, message: object) -> None:
        super().__init__(actor, message)
        self.actor = actor
        self.message = message

    @property
    def cause(self) -> BaseException | None:
        """What the behaviour raised; none where the actor itself refused the message."""
        return self.__cause__

    @property
    def root(self) -> BaseException:
        """The innermost cause: the error of the one ability that is at fault."""
        return self._innermost().cause or self._innermost()

    @property
    def trail(self) -> tuple[str, ...]:
        """The actors that the fault passed through, the outermost first."""
        return tuple(fault.actor for fault in self._nested())

    def __str__(self) -> str:
        return f"{self.actor} failed on {self.message!r}: {self.cause!r}"

    def _innermost(self) -> ActorFault:
        *_, last = self._nested()
        return last

    def _nested(self) -> Iterator[ActorFault]:
        fault: BaseException | None = self
        while isinstance(fault, ActorFault):
            yield fault
            fault = fault.cause


class ActorEnded(ActorFault):
    """The actor has ended; `reason` says why, in the words of its owner."""

    def __init__(self, actor: str, message: object, reason: str) -> None:
        super().__init__(actor, message)
        self.reason = reason

    def __str__(self) -> str:
        return f"{self.actor} has ended ({self.reason}), so it cannot take {self.message!r}"


class ActorBusy(ActorFault):
    """The actor was reached again while it was handling a message."""

    def __str__(self) -> str:
        return f"{self.actor} is handling a message, so it cannot take {self.message!r}"


class InboxFull(Exception):
    """The actor's inbox holds as many messages as it may; nothing was added."""

    def __init__(self, actor: str, inbox_limit: int) -> None:
        super().__init__(actor, inbox_limit)
        self.actor = actor
        self.inbox_limit = inbox_limit

    def __str__(self) -> str:
        return f"{self.actor} already has {self.inbox_limit} messages waiting"
