"""Rendering: how a view of some ruleset is laid out in lines, for clients without a page.

Owns the port that a ruleset offers for it, the little that passes through it, and a layout for a
ruleset that offers none. A rendering reads a view as its client has it, and nothing else: what a
viewer may not know cannot come out of here.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Literal, NamedTuple, Protocol

Tone = Literal["", "mine", "theirs", "strong", "dim"]
"""What a row is about; words say the same, since not everybody sees colours."""


class Row(NamedTuple):
    """A label, and what is there. detail: more, for who does not know it yet."""

    label: str
    text: str = ""
    tone: Tone = ""
    detail: str = ""


class Block(NamedTuple):
    """Rows under a heading."""

    title: str
    rows: tuple[Row, ...] = ()


class Scene(NamedTuple):
    """A view as its viewer's client has it.

    seat: the viewer's own. players: who sits where. name: an object by its key, told apart from
    others of its name. fused: the keys of objects that a waiting ability is about.
    """

    entities: Mapping[str, Mapping[str, Any]]
    seat: int
    players: tuple[str, ...]
    name: Callable[[str], str]
    fused: frozenset[str] = frozenset()

    def get(self, key: str) -> Mapping[str, Any]:
        """An entity's fields; none where there is no such entity."""
        return self.entities.get(key, {})

    def zone(self, zone: str) -> Sequence[str]:
        """The keys of the objects that are seen in a zone, in its order."""
        objects: Sequence[str] = self.get(f"zone:{zone}").get("objects", ())
        return objects

    def count(self, zone: str) -> int:
        """How many cards are in a zone, seen or not."""
        return int(self.get(f"zone:{zone}").get("count", 0))

    def player(self, seat: int) -> str:
        """A player: the viewer is "you"."""
        return "you" if seat == self.seat else self.players[seat]

    def whose(self, seat: int) -> str:
        """The same in the genitive."""
        return "your" if seat == self.seat else f"{self.players[seat]}'s"


class Rendering(Protocol):
    """What a ruleset says about showing its games in lines."""

    def status(self, scene: Scene) -> str:
        """Whose turn it is, and what goes on, on one line."""

    def table(self, scene: Scene) -> Block:
        """What lies open, by places."""

    def hand(self, scene: Scene) -> Block:
        """What the viewer holds, with what it costs."""

    def chain(self, scene: Scene) -> Block:
        """What waits to be carried out, the bottom first; no rows where there is nothing."""

    def card(self, fields: Mapping[str, Any]) -> Block:
        """All that is printed on a card, and its state."""

    def printed(self, name: str) -> Mapping[str, Any] | None:
        """The printed fields of a card of the sets that ship; None if there is none."""

    def is_numbered(self, fields: Mapping[str, Any]) -> bool:
        """Whether objects of one name are numbered where such an object lies."""

    def summary(self) -> Block:
        """The rules in short; no rows where nothing is told of them."""


class PlainRendering:
    """The layout for a ruleset that has none of its own: zones with their cards, and numbers."""

    def status(self, scene: Scene) -> str:
        """The turn and what is going on in it."""
        mark = scene.get("mark")
        where = ", ".join(str(mark[key]) for key in ("phase", "step") if mark.get(key))
        return f"Turn {mark.get('turn', 0)}" + (f": {where}" if where else "")

    def table(self, scene: Scene) -> Block:
        """Every zone but the viewer's hand, and every player's numbers."""
        rows = []
        for key, fields in scene.entities.items():
            kind, _, name = key.partition(":")
            if kind == "seat":
                seat = int(name)
                numbers = (f"{word} {value}" for word, value in fields.items() if _is_plain(value))
                tone: Tone = "mine" if seat == scene.seat else "theirs"
                rows.append(Row(scene.player(seat), ", ".join(numbers), tone))
            elif kind == "zone" and name != f"hand:{scene.seat}" and fields.get("count"):
                seen = [scene.name(one) for one in scene.zone(name)]
                rows.append(Row(name, ", ".join(seen) or f"{fields['count']} cards"))
        return Block("Table", tuple(rows))

    def hand(self, scene: Scene) -> Block:
        """The cards in it."""
        keys = scene.zone(f"hand:{scene.seat}")
        return Block("Your hand", tuple(Row(scene.name(key)) for key in keys))

    def chain(self, scene: Scene) -> Block:
        """What the zone of that name holds."""
        return Block("Chain", tuple(Row(scene.name(key)) for key in scene.zone("chain")))

    def card(self, fields: Mapping[str, Any]) -> Block:
        """Its fields."""
        rows = (Row(word, str(value)) for word, value in fields.items() if _is_plain(value))
        return Block(str(fields.get("card", fields.get("name", "Card"))), tuple(rows))

    def printed(self, name: str) -> Mapping[str, Any] | None:
        """Nothing is known of cards that are not seen."""
        return None

    def is_numbered(self, fields: Mapping[str, Any]) -> bool:
        """Cards of one name are not told apart."""
        return False

    def summary(self) -> Block:
        """Nothing is known of the rules."""
        return Block("The rules in short")


def _is_plain(value: object) -> bool:
    return isinstance(value, bool | int | str) and value != ""
