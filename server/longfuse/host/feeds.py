"""A table's game frames: one numbered stream per seat, and one that all spectators share.

The table owns them and takes from the game after every entry, whether or not anybody watches, so
that numbers and ids follow from the entries alone. Streams carry game frames and nothing else.
"""

from longfuse.host.ports import Game, Viewer
from longfuse_protocol.messages import Events, Snapshot
from longfuse_protocol.prompts import Item, Prompt
from longfuse_protocol.views import Frame, RunningDigest, digest

SPECTATOR: Viewer = "spectator"


class Feed:
    """One viewer's stream: its name, the number of its last frame, the digest of its view."""

    def __init__(self, table: str, viewer: Viewer) -> None:
        self.viewer = viewer
        self.stream = f"{table}/{viewer}"
        self.n = 0
        self.digest = RunningDigest()

    def take(self, game: Game) -> Frame:
        """Take what is new, and follow it."""
        frame = game.frames(self.viewer)
        self.digest.apply(frame.changes)
        return frame

    def begin(self, game: Game) -> Frame:
        """Take the first frame, which brings the whole view."""
        frame = game.frames(self.viewer)
        entities = game.view(self.viewer).entities
        self.digest.apply(entities)
        return Frame(events=frame.events, changes=dict(entities))

    def snapshot(self, game: Game) -> Snapshot:
        """Return the whole view as it is after the last frame."""
        view = game.view(self.viewer)
        return Snapshot(n=self.n, view=view.entities, digest=digest(view))


class Feeds:
    """All streams of one game. Seats come first in `all`, in order, and spectators last."""

    def __init__(self, table: str, seats: int) -> None:
        viewers: list[Viewer] = [*range(seats), SPECTATOR]
        self.all = [Feed(table, viewer) for viewer in viewers]

    def of(self, seat: int | None) -> Feed:
        """Return the stream of a seat, or with None that of the spectators."""
        return self.all[-1 if seat is None else seat]

    def begin(self, game: Game) -> list[Events | None]:
        """Return each stream's first frame."""
        return self._numbered([feed.begin(game) for feed in self.all])

    def take(self, game: Game) -> list[Events | None]:
        """Return each stream's next frame, None where there is nothing new for the viewer."""
        return self._numbered([feed.take(game) for feed in self.all])

    def _numbered(self, frames: list[Frame]) -> list[Events | None]:
        shared = self.all[-1].digest.hex()
        numbered: list[Events | None] = []
        for feed, frame in zip(self.all, frames, strict=True):
            if not frame:
                numbered.append(None)
                continue
            feed.n += 1
            numbered.append(
                Events(
                    n=feed.n,
                    events=frame.events,
                    changes=frame.changes,
                    digest=feed.digest.hex(),
                    shared=shared,
                )
            )
        return numbered


def as_shown(prompt: Prompt) -> Prompt:
    """Return the prompt with what the wire knows of it and no more.

    A game may keep its own meaning in records derived from these; encoding those would send it.
    """
    fields = {name: getattr(prompt, name) for name in Prompt.__struct_fields__}
    fields["items"] = tuple(
        item
        if type(item) is Item
        else Item(label=item.label, legal=item.legal, reason=item.reason, about=item.about)
        for item in prompt.items
    )
    return Prompt(**fields)
