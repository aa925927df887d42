"""What a viewer may know of a game: a flat map of entities, the changes to it, and its digest.

The game makes views and changes, one viewer at a time; the host sends them; a client applies them.
The digest is a sum over entities, so that keeping it up to date costs what changed and not what
there is. It finds a client that has drifted; it is no proof against a forger. Nothing here filters:
whatever reaches this module may be shown to its viewer.
"""

import hashlib
from collections.abc import Mapping

import msgspec

Entity = dict[str, object]
"""Fields of one entity. Values are plain: null, true and false, whole numbers, text, and lists and
maps of them; no fractions, since two languages need not write them alike."""

Delta = dict[str, Entity | None]
"""By key, an entity as it now is, or null where it is gone."""

_MODULUS = 1 << 128
_encoder = msgspec.json.Encoder(order="deterministic")


class View(msgspec.Struct):
    """Everything one viewer may know, by entity key ("mark", "seat:0", "o17", ...)."""

    entities: dict[str, Entity] = msgspec.field(default_factory=dict)


class Frame(msgspec.Struct, frozen=True):
    """What is new for one viewer: what happened, told in order, and what it changed."""

    events: list[dict[str, object]] = msgspec.field(default_factory=list)
    changes: Delta = msgspec.field(default_factory=dict)

    def __bool__(self) -> bool:
        """Say whether there is anything in it."""
        return bool(self.events or self.changes)


def apply(view: View, delta: Mapping[str, Entity | None]) -> None:
    """Bring `view` up to date in place. Taking away what is not there changes nothing."""
    for key, entity in delta.items():
        if entity is None:
            view.entities.pop(key, None)
        else:
            view.entities[key] = entity


def digest(view: View) -> str:
    """Return the digest of a whole view: 32 hexadecimal digits."""
    running = RunningDigest()
    running.apply(view.entities)
    return running.hex()


class RunningDigest:
    """The digest of one viewer's view, kept up to date by the changes alone.

    Each entity counts as the first 128 bits of the SHA-256 of `[key, entity]` written as JSON with
    sorted keys and no spaces; the view's digest is their sum modulo 2**128, most significant first.
    """

    def __init__(self) -> None:
        self._parts: dict[str, int] = {}
        self._sum = 0

    def apply(self, delta: Mapping[str, Entity | None]) -> None:
        """Take in the same changes as the view."""
        for key, entity in delta.items():
            self._sum -= self._parts.pop(key, 0)
            if entity is not None:
                part = _entity_digest(key, entity)
                self._parts[key] = part
                self._sum += part
        self._sum %= _MODULUS

    def hex(self) -> str:
        """Return the digest of the view as it now is."""
        return f"{self._sum:032x}"


def _entity_digest(key: str, entity: Entity) -> int:
    written = _encoder.encode([key, entity])
    return int.from_bytes(hashlib.sha256(written).digest()[:16], "big")
