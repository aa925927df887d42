"""The actor host: actors, their inboxes and faults, and the task tree that they run in.

The only trio code inside a game. It knows nothing of cards or rules and imports nothing of ours.
"""

from longfuse.actors.actor import (
    INBOX_LIMIT,
    Actor,
    ActorStatistics,
    Behaviour,
    EndReason,
    SomeActor,
)
from longfuse.actors.faults import ActorBusy, ActorEnded, ActorFault, InboxFull
from longfuse.actors.host import ActorHost, InlineHost
from longfuse.actors.trio_host import TrioHost, UnfinishedTasksError, open_task_tree

__all__ = [
    "INBOX_LIMIT",
    "Actor",
    "ActorBusy",
    "ActorEnded",
    "ActorFault",
    "ActorHost",
    "ActorStatistics",
    "Behaviour",
    "EndReason",
    "InboxFull",
    "InlineHost",
    "SomeActor",
    "TrioHost",
    "UnfinishedTasksError",
    "open_task_tree",
]
