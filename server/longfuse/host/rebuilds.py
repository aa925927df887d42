"""A finished game shown again: its frames for one viewer, made anew from its entries.

The game is played by the same rules, goes through the same view function, and its frames are
numbered by the same feeds as when it was live: so they come out the same, byte for byte. Games that
are played anew keep nothing but the frames, spelt; the few that were asked for last stay here.
"""

from collections import OrderedDict
from collections.abc import Iterable, Sequence

import msgspec

from longfuse.actors import InlineHost
from longfuse.game.entries import Entry, Refused, Rewind
from longfuse.host.anew import breathe, play_anew, rewound
from longfuse.host.feeds import SPECTATOR, Feeds
from longfuse.host.ports import Game, GameFactory, Saved, Viewer
from longfuse_protocol.codec import CODECS, MSGPACK
from longfuse_protocol.errors import Code
from longfuse_protocol.messages import Events
from longfuse_protocol.shuffles import key_of, secret_of

ENTRIES_MAX = 50_000
"""Entries played for one rebuild, those that a going back plays once more included."""
BYTES_MAX = 32 * 1_024 * 1_024
"""Frames of one rebuild, spelt."""
KEPT_BYTES_MAX = 16 * 1_024 * 1_024
"""Frames of all rebuilds that are kept. The newest is kept whatever it takes."""

_spelling = CODECS[MSGPACK]


class Frames(msgspec.Struct, frozen=True):
    """A game's frames for one viewer."""

    first: int
    """The number of the first."""
    spelt: tuple[bytes, ...]

    @property
    def size(self) -> int:
        """How many bytes they take."""
        return sum(map(len, self.spelt))

    def after(self, n: int, frames_max: int, bytes_max: int) -> tuple[tuple[Events, ...], bool]:
        """Return the next frames after the one numbered n, one at least; and whether no more are.

        bytes_max: of them all; a frame that is larger by itself comes alone.
        """
        start = max(0, n + 1 - self.first)
        size, end = 0, start
        for data in self.spelt[start : start + frames_max]:
            size += len(data)
            if end > start and size > bytes_max:
                break
            end += 1
        return tuple(_read(data) for data in self.spelt[start:end]), end >= len(self.spelt)


class Kept:
    """The rebuilds that were asked for last."""

    def __init__(self) -> None:
        self._frames: OrderedDict[tuple[str, Viewer], Frames] = OrderedDict()
        self._size = 0

    def find(self, game: str, viewer: Viewer) -> Frames | None:
        """Return a viewer's frames of a game, if they are here."""
        frames = self._frames.get((game, viewer))
        if frames is not None:
            self._frames.move_to_end((game, viewer))
        return frames

    def keep(self, game: str, viewer: Viewer, frames: Frames) -> None:
        """Keep these frames, in place of those that were asked for longest ago."""
        before = self._frames.pop((game, viewer), None)
        self._size += frames.size - (before.size if before is not None else 0)
        self._frames[game, viewer] = frames
        while self._size > KEPT_BYTES_MAX and len(self._frames) > 1:
            self._size -= self._frames.popitem(last=False)[1].size


class _Frames:
    """Frames of one viewer as they are taken."""

    def __init__(self, feeds: Feeds) -> None:
        self.spelt: list[bytes] = []
        self.first = feeds.all[0].stream.n + 1
        self._size = 0

    def take(self, frames: Sequence[Events | None]) -> None:
        """Take what a step has given; the viewer's own comes first."""
        if frames[0] is not None:
            data = _spelling.encode(frames[0])
            self.spelt.append(data)
            self._size += len(data)
            if self._size > BYTES_MAX:
                raise Refused(Code.NOT_OPEN, "this game is too long to be shown again")


class _Anew:
    """One game while it is played anew."""

    def __init__(self, saved: Saved, viewer: Viewer, factory: GameFactory) -> None:
        self._saved = saved
        self._factory = factory
        table = saved.header.game.rpartition("-")[0]
        self._feeds = Feeds(table, len(saved.header.seats), saved.header.streams)
        self._feeds.leave_out_all_but(viewer)
        self._frames = _Frames(self._feeds)
        self._played = 0

    async def play(self) -> Frames:
        """Play all of it."""
        names = self._saved.header.seats
        game = self._make()
        game.introduce(names)
        self._frames.take(self._feeds.begin(game))
        standing: list[tuple[int, Entry]] = []
        for n, entry in enumerate(self._saved.entries, 1):
            if isinstance(entry, Rewind):
                standing = [one for one in standing if one[0] <= entry.to]
                game = self._make()
                await play_anew(game, names, self._counted(standing))
                self._frames.take(self._feeds.rewound(game, rewound(entry.seat, names)))
            else:
                standing.append((n, entry))
                [entry] = self._counted(standing[-1:])
                game.advance(entry)
                self._frames.take(self._feeds.take(game))
            await breathe(n)
        return Frames(self._frames.first, tuple(self._frames.spelt))

    def _make(self) -> Game:
        header = self._saved.header
        return self._factory.create(
            header.ruleset,
            header.decks,
            header.options,
            key_of(secret_of(self._saved.secret), header.transcript),
            InlineHost(),
        )

    def _counted(self, entries: Iterable[tuple[int, Entry]]) -> Iterable[Entry]:
        for _, entry in entries:
            self._played += 1
            if self._played > ENTRIES_MAX:
                raise Refused(Code.NOT_OPEN, "this game is too long to be shown again")
            yield entry


async def rebuild(saved: Saved, viewer: Viewer, factory: GameFactory) -> Frames:
    """Play a finished game anew, as one viewer sees it, while others have their turn.

    Raises `Refused` if it cannot be played here: other rules wrote it, or it is too long. Whatever
    else comes out is a fault of ours.
    """
    ruleset = saved.header.ruleset
    if ruleset not in {info.name for info in factory.catalogue()}:
        raise Refused(Code.NOT_OPEN, f"there is no ruleset {ruleset!r} here any more")
    if viewer != SPECTATOR and viewer not in range(len(saved.header.seats)):
        raise Refused(Code.NOT_OPEN, f"nobody sat at seat {viewer} of this game")
    if factory.rules_version(ruleset) != saved.header.transcript.rules_version:
        text = "it was played with other rules than this server has now"
        raise Refused(Code.NOT_OPEN, text)
    return await _Anew(saved, viewer, factory).play()


def _read(data: bytes) -> Events:
    message = _spelling.server_message(data, len(data))
    assert isinstance(message, Events)
    return message
