"""What a game asks of a seat: a prompt of one of five shapes, and the answers each shape takes.

Plain frozen records, made by the game and read by every client. Whether an answer fits a prompt is
decided in `answers`, by the same function on both sides. Nothing here knows a ruleset.
"""

from typing import Literal

import msgspec

Shape = Literal["one", "some", "order", "divide", "number"]

Answer = int | tuple[int, ...]
"""one: the index of a legal item. some: distinct indices of legal items. order: every index once.
divide: an amount per item. number: the number itself."""


class Item(msgspec.Struct, frozen=True, omit_defaults=True):
    """One thing a prompt lists; an item that is not legal says why."""

    label: str
    legal: bool = True
    reason: str = ""
    about: tuple[str, ...] = ()
    """Keys of the entities it speaks of, as the prompted seat's own view names them."""
    clause: str = ""
    """Of an item that is not legal: the rule by which it is not, where one says so."""


class Prompt(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One question to one seat, open until an answer that fits is entered or the game moves on."""

    id: int
    seat: int
    shape: Shape
    kind: str
    """A word for programs: which question of the ruleset this is."""
    text: str
    """A sentence for people: what is asked."""
    items: tuple[Item, ...] = ()
    least: int = 0
    """some: fewest indices. number: lowest number."""
    most: int = 0
    """some: most indices. number: highest number."""
    total: int = 0
    """divide: what the amounts add up to."""
    bounds: tuple[tuple[int, int], ...] = ()
    """divide: lowest and highest amount per item; where none is given, 0 to `total`."""
    source: str = ""
    clause: str = ""
    default: Answer
    """The answer that is given for a seat that gives none in time; it fits."""
