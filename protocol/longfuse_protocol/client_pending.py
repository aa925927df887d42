"""What a client has asked for and not been told: what becomes of it when the connection is lost.

The client owns one `Pending`; it keeps each command with its bytes until its answer, bounded.

A lost connection leaves open whether a command was carried out. Three sorts of command:

- *known again*: the server knows a decision, a taking back and a conceding by its id, and others
  come to the same when they come twice. After the resume they are sent once more with the same id,
  and the answer says what became of them. That needs the same game, or for the others the same
  place; else they are refused here.
- *entering*: whether they have led to a place, the welcome says.
- *not twice*: what is said, offered or reported could come twice. They fail when the connection
  does.

What is asked for while there is no connection waits only if it is of the first sort. A decision
that was never sent is not sent at all if meanwhile something else is asked.
"""

import trio

from longfuse_protocol import messages as m
from longfuse_protocol.errors import Code
from longfuse_protocol.prompts import Prompt

PENDING_MAX = 64

Question = m.Command | m.Catalogue | m.Replay
Reply = m.Answered | m.Cards | m.Replayed
Where = tuple[str, str] | None
"""A place's stream, and the game played there."""

ENTERING = (m.Create, m.Join, m.Spectate, m.Pair)
IN_ONE_GAME = (m.Decide, m.TakeBack, m.Concede)
AT_ONE_PLACE = (m.Ready, m.ChooseDeck, m.Settings, m.Mute, m.Leave)
ANYWHERE = (m.Catalogue, m.Replay)
KNOWN_AGAIN = (*IN_ONE_GAME, *AT_ONE_PLACE, *ANYWHERE)

LOST = "the connection was lost before the answer came, and it may have been carried out"
NOT_ENTERED = "the connection was lost, and no place at a table came of it"
OVERTAKEN = "the connection was lost, and the game has gone on without it"


class Slot:
    """One question, and where its answer will be."""

    def __init__(self, question: Question, data: bytes, where: Where) -> None:
        self.question = question
        self.data = data
        self.where = where
        self.is_sent = False
        self.filled = trio.Event()
        self.reply: Reply | None = None
        self.is_local = False
        """The reply is the client's own."""
        self.failure = "the connection ended before the answer came"

    def takes(self, reply: Reply) -> bool:
        """Say whether this is a reply to such a question."""
        if isinstance(reply, m.Answered) and not reply.ok:
            return True
        if isinstance(self.question, m.Catalogue):
            return isinstance(reply, m.Cards)
        if isinstance(self.question, m.Replay):
            return isinstance(reply, m.Replayed)
        return isinstance(reply, m.Answered)

    def fill(self, reply: Reply, *, is_local: bool = False) -> None:
        """Take the reply; only the first counts."""
        if not self.filled.is_set():
            self.reply = reply
            self.is_local = is_local
            self.filled.set()

    def fail(self, why: str) -> None:
        """End the waiting without a reply."""
        if not self.filled.is_set():
            self.failure = why
            self.filled.set()


class Pending:
    """All that waits for an answer, in the order in which it was asked for."""

    def __init__(self) -> None:
        self._slots: dict[str, Slot] = {}

    def __bool__(self) -> bool:
        """Say whether anything waits."""
        return any(not slot.filled.is_set() for slot in self._slots.values())

    @property
    def is_full(self) -> bool:
        """Say whether no more may be asked for."""
        return len(self._slots) >= PENDING_MAX

    def add(self, slot: Slot) -> None:
        """Keep a question until it is taken out."""
        self._slots[slot.question.command] = slot

    def remove(self, slot: Slot) -> None:
        """Wait for its answer no more."""
        del self._slots[slot.question.command]

    def get(self, command: str) -> Slot | None:
        """Return what waits under this id."""
        return self._slots.get(command)

    def decides(self, prompt: Prompt) -> bool:
        """Say whether a decision of this prompt waits for its answer."""
        return any(
            isinstance(slot.question, m.Decide) and slot.question.prompt == prompt.id
            for slot in self._slots.values()
        )

    def end(self) -> None:
        """Hear that no answer will come any more."""
        for slot in self._slots.values():
            slot.fail(slot.failure)

    def drop(self) -> None:
        """Hear that the connection is lost: what may not be sent twice fails."""
        for slot in self._slots.values():
            if not isinstance(slot.question, (*ENTERING, *KNOWN_AGAIN)):
                slot.fail(LOST)

    def enter(self, place: m.Place | None) -> None:
        """Hear which place the session has after a resume: that settles what asked for one."""
        for slot in self._slots.values():
            entering = isinstance(slot.question, ENTERING)
            leaving = isinstance(slot.question, m.Leave)
            if (entering and place is not None) or (leaving and place is None):
                slot.fill(m.Answered(command=slot.question.command, ok=True), is_local=True)
            elif entering:
                slot.fail(NOT_ENTERED)

    def to_send(self, where: Where, prompt: Prompt | None) -> list[Slot]:
        """Return what is to be sent after a resume, and refuse here what has been overtaken."""
        again = []
        for slot in self._slots.values():
            if slot.filled.is_set() or not isinstance(slot.question, KNOWN_AGAIN):
                continue
            if _is_overtaken(slot, where, prompt):
                slot.fill(_stale(slot.question.command, prompt), is_local=True)
            else:
                again.append(slot)
        return again


def _is_overtaken(slot: Slot, where: Where, prompt: Prompt | None) -> bool:
    question = slot.question
    if isinstance(question, ANYWHERE):
        return False
    if where is None or slot.where is None or where[0] != slot.where[0]:
        return True
    if isinstance(question, IN_ONE_GAME) and where != slot.where:
        return True
    if slot.is_sent or not isinstance(question, m.Decide):
        return False
    return prompt is None or prompt.id != question.prompt


def _stale(command: str, prompt: Prompt | None) -> m.Answered:
    return m.Answered(
        command=command,
        ok=False,
        code=Code.STALE_PROMPT,
        reason=OVERTAKEN,
        prompt=prompt,
        asked=None if prompt is None else prompt.seat,
    )
