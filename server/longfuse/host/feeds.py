"""A table's game frames: one numbered stream per seat, and one that all spectators share.

The table owns them. They are taken from the game after every entry, whether or not anybody watches,
so that numbers and ids follow from the entries alone. A stream goes on from game to game of one
table: the next game's first frame takes away all that was in view, and brings what is. Streams
carry game frames and nothing else. The last frames are kept, for those who come back.
"""

from collections import deque
from collections.abc import Sequence

from longfuse.host.ports import Game, Mark, Viewer
from longfuse_protocol.messages import Events, Snapshot
from longfuse_protocol.prompts import Item, Prompt
from longfuse_protocol.views import Delta, Frame, RunningDigest, View, apply

SPECTATOR: Viewer = "spectator"
FRAMES_KEPT_MAX = 32
"""Per stream, for who comes back. A gap beyond it costs a snapshot; a frame costs about 2 KB."""
RECAP_MAX = 20
"""Events told to who comes late."""


class Stream:
    """What one viewer has been shown: the view after the frame numbered `n`, and the last ones."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.n = 0
        self.view = View()
        self.digest = RunningDigest().hex()
        self._last: deque[Events] = deque(maxlen=FRAMES_KEPT_MAX)

    def show(self, frame: Events) -> None:
        """Follow the next frame."""
        apply(self.view, frame.changes)
        self.digest = frame.digest
        self.n = frame.n
        self._last.append(frame)

    def forget(self) -> None:
        """Keep no frame: whoever lacks one needs a snapshot."""
        self._last.clear()

    def after(self, stream: str, n: int) -> list[Events] | None:
        """Return the frames after the numbered one; None if only a snapshot helps."""
        missing = self.n - n
        if stream != self.name or missing < 0 or missing > len(self._last):
            return None
        return list(self._last)[len(self._last) - missing :]

    def snapshot(self) -> Snapshot:
        """Return the whole view as it is after the last frame, and what happened last."""
        recap: list[dict[str, object]] = []
        for frame in reversed(self._last):
            recap[:0] = frame.events
            if len(recap) >= RECAP_MAX:
                break
        return Snapshot(
            n=self.n,
            view=dict(self.view.entities),
            digest=self.digest,
            recap=tuple(recap[-RECAP_MAX:]),
        )


class Feed:
    """One viewer's frames, numbered as they are taken from game after game.

    A seat is shown them at once, so this is its stream. Spectators may be shown them later.
    """

    def __init__(self, name: str, viewer: Viewer) -> None:
        """name: of its stream."""
        self.viewer = viewer
        self.stream = Stream(name)
        self._digest = RunningDigest()

    def begin(self, game: Game) -> Frame:
        """Take a game's first frame, which brings the whole view in place of the one before."""
        frame = game.frames(self.viewer)
        changes: Delta = dict.fromkeys(self.stream.view.entities)
        changes.update(game.view(self.viewer).entities)
        return Frame(events=frame.events, changes=changes)

    def digest_after(self, frame: Frame) -> str:
        """Return the digest of the view with this frame, the next."""
        self._digest.apply(frame.changes)
        return self._digest.hex()

    def number(self, frame: Frame, digest: str, shared: str) -> Events:
        """Return the frame as it is shown, and show it."""
        events = Events(
            n=self.stream.n + 1,
            events=frame.events,
            changes=frame.changes,
            digest=digest,
            shared=shared,
        )
        self.stream.show(events)
        return events


class Feeds:
    """All streams of one table. Seats come first in `all`, in order, and spectators last."""

    def __init__(self, table: str, seats: int, marks: Sequence[Mark] = ()) -> None:
        """marks: where the streams stood before the game that is taken first."""
        viewers: list[Viewer] = [*range(seats), SPECTATOR]
        self._table = table
        self._renewals = 0
        self.all = [Feed(f"{table}/{viewer}", viewer) for viewer in viewers]
        for feed, mark in zip(self.all, marks, strict=False):
            feed.stream.n = mark.n
            feed.stream.view = View({key: {} for key in mark.keys})

    def leave_out_all_but(self, viewer: Viewer) -> None:
        """Take no frames but for this viewer, and for spectators, whose digest all are told."""
        self.all = [feed for feed in self.all if feed.viewer in (viewer, SPECTATOR)]

    def marks(self) -> tuple[Mark, ...]:
        """Return where the streams stand; () if nothing was shown yet."""
        if not self.public.n:
            return ()
        return tuple(Mark(feed.stream.n, tuple(feed.stream.view.entities)) for feed in self.all)

    def digests(self) -> tuple[str, ...]:
        """Return the digests of what the streams show."""
        return tuple(feed.stream.digest for feed in self.all)

    def of(self, seat: int) -> Stream:
        """Return the stream of a seat."""
        return self.all[seat].stream

    def renew(self, seat: int) -> None:
        """Begin a seat's stream anew, if anything was shown on it: somebody else sits there now."""
        if self.of(seat).n:
            self._renewals += 1
            self.all[seat] = Feed(f"{self._table}/{seat}/{self._renewals}", seat)

    @property
    def public(self) -> Stream:
        """Return the stream that spectators will be shown."""
        return self.all[-1].stream

    def begin(self, game: Game) -> list[Events | None]:
        """Return each stream's first frame of a game."""
        return self._numbered([feed.begin(game) for feed in self.all])

    def take(self, game: Game) -> list[Events | None]:
        """Return each stream's next frame, None where there is nothing new for the viewer."""
        return self._numbered([game.frames(feed.viewer) for feed in self.all])

    def rewound(self, game: Game, event: dict[str, object]) -> list[Events | None]:
        """Return each stream's next frame where the game has gone back: what the view lacks.

        game: played anew, with its frames not taken yet. They are, and shown to nobody.
        """
        for feed in self.all:
            game.frames(feed.viewer)
        frames = [
            Frame([event], _difference(feed.stream.view, game.view(feed.viewer)))
            for feed in self.all
        ]
        return self._numbered(frames)

    def _numbered(self, frames: list[Frame]) -> list[Events | None]:
        digests = [
            feed.digest_after(frame) if frame else feed.stream.digest
            for feed, frame in zip(self.all, frames, strict=True)
        ]
        return [
            feed.number(frame, digest, digests[-1]) if frame else None
            for feed, frame, digest in zip(self.all, frames, digests, strict=True)
        ]


def _difference(before: View, after: View) -> Delta:
    """Return the changes that make one view of the other."""
    changes: Delta = {key: None for key in before.entities if key not in after.entities}
    for key, entity in after.entities.items():
        if before.entities.get(key) != entity:
            changes[key] = entity
    return changes


def as_shown(prompt: Prompt) -> Prompt:
    """Return the prompt with what the wire knows of it and no more.

    A game may keep its own meaning in records derived from these; encoding those would send it.
    """
    fields = {name: getattr(prompt, name) for name in Prompt.__struct_fields__}
    fields["items"] = tuple(
        item
        if type(item) is Item
        else Item(
            label=item.label,
            legal=item.legal,
            reason=item.reason,
            about=item.about,
            clause=item.clause,
        )
        for item in prompt.items
    )
    return Prompt(**fields)
