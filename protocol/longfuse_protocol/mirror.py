"""A client's copy of its view, kept up to date by game frames and checked against their digests.

The client owns one per place at a table. It notices a missing frame and a view that has drifted,
and then takes nothing more until the whole view comes. It sends nothing itself.
"""

from longfuse_protocol.messages import Events, Snapshot
from longfuse_protocol.views import RunningDigest, View, apply

ENTITIES_MAX = 10_000
"""More than any game shows: a server that tells more would fill the memory."""


class Mirror:
    """The view as it is after game frame `n`.

    A new one is what a place has before its first frame. So it takes frame 1, or a whole view, and
    nothing else.
    """

    def __init__(self) -> None:
        self.view = View()
        self.n = 0
        self.is_lost = False
        """A frame was missed, the digest differs, or there is too much: only a snapshot helps."""
        self._digest = RunningDigest()

    @property
    def digest(self) -> str:
        """Return the digest of the view as it is here."""
        return self._digest.hex()

    def take_whole(self, snapshot: Snapshot) -> None:
        """Take the whole view in place of what was here."""
        self.view = View(dict(snapshot.view))
        self.n = snapshot.n
        self._digest = RunningDigest()
        self._digest.apply(self.view.entities)
        self.is_lost = not self._is_as_told(snapshot.digest)

    def follow(self, frame: Events) -> bool:
        """Apply a frame; return False if that made it clear that the copy is not right."""
        if self.is_lost:
            return True
        if frame.n == self.n + 1:
            apply(self.view, frame.changes)
            self._digest.apply(frame.changes)
            self.n = frame.n
            self.is_lost = not self._is_as_told(frame.digest)
        else:
            self.is_lost = True
        return not self.is_lost

    def expect(self, n: int) -> None:
        """Hear that the server has told game frame `n`: if it has not come, it was missed."""
        if n > self.n:
            self.is_lost = True

    def _is_as_told(self, digest: str) -> bool:
        return digest == self.digest and len(self.view.entities) <= ENTITIES_MAX
