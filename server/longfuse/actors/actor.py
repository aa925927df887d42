"""One actor: a task, a bounded inbox, and a behaviour whose state nobody else touches.

Whoever starts an actor owns it: the owner asks it, ends it with a reason, and is told of its
faults. The behaviour is synchronous and knows nothing of tasks, so it is tested without trio.

Invariants:
- One message is handled at a time, and what was told before is handled before what is asked.
- A message leaves the inbox only to be handled in the same step. An inbox that hands messages to
  a parked task first (trio's memory channel does) would let an ask overtake them.
- The task is the stay of its object: it lives from start to `end` and does nothing but wait for
  tells. It is parked on a bare wait, which costs a third of a channel or of a scope per object.

An actor never awaits while it handles, never sends to itself, and never ends by being cancelled
unless something has gone wrong.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum
from typing import Any, Generic, Protocol, TypeAlias, TypeVar

from trio.lowlevel import (
    Abort,
    RaiseCancelT,
    Task,
    current_task,
    reschedule,
    wait_task_rescheduled,
)

from longfuse.actors.faults import ActorBusy, ActorEnded, ActorFault, InboxFull

INBOX_LIMIT = 16

Message = TypeVar("Message")
Reply = TypeVar("Reply")
Message_contra = TypeVar("Message_contra", contravariant=True)
Reply_co = TypeVar("Reply_co", covariant=True)


class EndReason(Enum):
    """Why an actor ended. Each has words: an end without a reason cannot be said."""

    LEFT_ZONE = "left its zone"
    UNDONE = "what created it was taken back"
    CLOSED = "closed by its owner"
    GAME_OVER = "the game is over"
    GAME_FAILED = "the game was stopped by a fault"


class Behaviour(Protocol[Message_contra, Reply_co]):
    """What an actor does with a message. Its state belongs to it alone."""

    def receive(self, message: Message_contra, /) -> Reply_co:
        """Handle one message and return the reply; an exception is a fault of the behaviour."""


@dataclass(frozen=True, slots=True)
class ActorStatistics:
    """What an actor is doing right now, for operators and tests."""

    waiting: int
    inbox_limit: int
    is_parked: bool
    is_busy: bool


class Actor(Generic[Message, Reply]):
    """A behaviour with a name, an inbox and, in a running table, a task of its own."""

    __slots__ = (
        "_busy",
        "_inbox",
        "_parked",
        "behaviour",
        "inbox_limit",
        "name",
        "on_end",
        "reason",
    )

    def __init__(
        self,
        name: str,
        behaviour: Behaviour[Message, Reply],
        *,
        inbox_limit: int = INBOX_LIMIT,
    ) -> None:
        if inbox_limit < 1:
            raise ValueError(f"an inbox holds at least one message, not {inbox_limit}")
        self.name = name
        self.behaviour = behaviour
        self.inbox_limit = inbox_limit
        self.reason: EndReason | None = None
        self.on_end: Callable[[SomeActor], None] | None = None
        """Set by the host that starts the actor, called once when it ends."""
        self._inbox: deque[Message] | None = None
        """Made at the first tell: most actors are only ever asked, and a game has many."""
        self._busy = False
        self._parked: Task | None = None

    @property
    def is_ended(self) -> bool:
        """Has the owner ended it? The task may finish a moment later."""
        return self.reason is not None

    def ask(self, message: Message) -> Reply:
        """Handle what was told before, then this message, and return its reply.

        Raises:
            ActorFault: the behaviour raised, on this message or on one told before it.
        """
        if self._inbox:
            self._drain()
        return self._handle(message)

    def tell(self, message: Message) -> None:
        """Leave a message for the actor's task, or for the next ask, whichever comes first.

        Only for the game's edge: connection to seat, clock to game, game to feed.

        Raises:
            InboxFull: there is no room; nothing was added.
            ActorFault: the actor has ended, or its own behaviour is the sender.
        """
        if self._busy or self.reason is not None:
            raise self._refusal(message)
        if self._inbox is None:
            self._inbox = deque()
        if len(self._inbox) >= self.inbox_limit:
            raise InboxFull(self.name, self.inbox_limit)
        self._inbox.append(message)
        self._wake()

    def end(self, reason: EndReason) -> None:
        """End the actor now; its task finishes when it next runs. The first reason stays.

        Messages still waiting are dropped: they spoke to a stay that is over.
        """
        if self.reason is not None:
            return
        self.reason = reason
        self._inbox = None
        if self.on_end is not None:
            self.on_end(self)
        self._wake()

    async def run(self) -> None:
        """Handle what is told until the actor ends. One task runs this, once.

        A fault on a told message is raised here, for the owner of the task. Cancelling leaves
        the actor as it is, askable and not ended: ending it is the owner's word.
        """
        while self.reason is None:
            if self._inbox:
                self._drain()
            else:
                self._parked = current_task()
                await wait_task_rescheduled(self._unpark)

    def statistics(self) -> ActorStatistics:
        """Describe the actor as it is now."""
        return ActorStatistics(
            waiting=len(self._inbox or ()),
            inbox_limit=self.inbox_limit,
            is_parked=self._parked is not None,
            is_busy=self._busy,
        )

    def __repr__(self) -> str:
        state = "live" if self.reason is None else self.reason.value
        return f"<Actor {self.name}: {state}>"

    def _drain(self) -> None:
        # A loop of its own, not a call of ask: ask drains first, which would reverse the order.
        while self._inbox:
            self._handle(self._inbox.popleft())

    def _handle(self, message: Message) -> Reply:
        if self._busy or self.reason is not None:
            raise self._refusal(message)
        self._busy = True
        try:
            return self.behaviour.receive(message)
        except Exception as error:
            raise ActorFault(self.name, message) from error
        finally:
            self._busy = False

    def _refusal(self, message: Message) -> ActorFault:
        if self.reason is not None:
            return ActorEnded(self.name, message, self.reason.value)
        return ActorBusy(self.name, message)

    def _wake(self) -> None:
        if self._parked is not None:
            task, self._parked = self._parked, None
            reschedule(task)

    def _unpark(self, _raise_cancel: RaiseCancelT) -> Abort:
        # Cancelled while parked: forget the task, or a later wake would reschedule a dead one.
        self._parked = None
        return Abort.SUCCEEDED


# A host keeps actors of every kind, whose messages and replies it never looks at.
SomeActor: TypeAlias = Actor[Any, Any]
