"""What a player's client remembers of a game: names, and the log with its causes.

Owns the numbers that tell objects of one name apart, the players' names in sentences, and the log
of everything that was told. It reads what the wire brings and prints nothing.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import msgspec

from longfuse.cli.telling import MARK, TURN
from longfuse.rulesets.rendering import Rendering, Scene
from longfuse_protocol.prompts import Item

SEAT_WORD = re.compile(r"\bP([1-9])\b")
KEY = re.compile(r"\bo\d+\b")
REPEATED = re.compile(r"([A-Z][\w' ]*)(?:, \1)+(?=,|$)")
"""A name that is listed several times in a row."""
MIDDLE_MAX = 6
"""Sentences that differ in more words than this are told one by one."""

Entities = Mapping[str, Mapping[str, Any]]


class Entry(msgspec.Struct, frozen=True):
    """One line of the log. n: its number, 0 for a remark of the client's own. cause: a number."""

    text: str
    n: int = 0
    event: str = ""
    clause: str = ""
    cause: int = 0
    player: int = -1

    def is_like(self, other: Entry) -> bool:
        """Whether it is the same that happened to something else, for the same reason."""
        return bool(self.n) and self._kind() == other._kind()

    def _kind(self) -> tuple[object, ...]:
        return (self.event, self.cause, self.clause, self.player)


class Book:
    """The memory of one game, for one player."""

    def __init__(self, rendering: Rendering, seat: int) -> None:
        self.rendering = rendering
        self.seat = seat
        self.players: tuple[str, ...] = ()
        self.log: list[Entry] = []
        self._by_number: dict[int, Entry] = {}
        self._cards: dict[str, str] = {}
        self._order: dict[str, list[str]] = {}
        self._numbered: dict[str, list[str]] = {}

    # ------------------------------------------------------------ names

    def seat_players(self, names: tuple[str, ...]) -> None:
        """Who sits where; players of one name are told apart by their seats."""
        self.players = tuple(
            name if names.count(name) == 1 else f"{name} (P{seat})"
            for seat, name in enumerate(names, 1)
        )

    def player(self, seat: int) -> str:
        """Who sits in a seat."""
        return self.players[seat] if seat < len(self.players) else f"P{seat + 1}"

    def look(self, entities: Entities) -> None:
        """Learn the names of a view's objects, and which of them share one."""
        self._numbered = {}
        for key, fields in entities.items():
            card = fields.get("card", fields.get("name"))
            if not KEY.fullmatch(key) or not isinstance(card, str):
                continue
            self._cards[key] = card
            if self.rendering.is_numbered(fields):
                order = self._order.setdefault(card, [])
                if key not in order:
                    order.append(key)
                self._numbered.setdefault(card, []).append(key)

    def name(self, key: str) -> str:
        """An object, with a number where several of its name lie open."""
        card = self._cards.get(key, "something")
        sharing = self._numbered.get(card, ())
        if len(sharing) > 1 and key in sharing:
            return f"{card} #{self._order[card].index(key) + 1}"
        return card

    def words(self, text: str) -> str:
        """A text with names for seats and for keys of objects."""

        def seat(match: re.Match[str]) -> str:
            at = int(match[1]) - 1
            return self.players[at] if at < len(self.players) else match[0]

        return KEY.sub(lambda match: self.name(match[0]), SEAT_WORD.sub(seat, text))

    def label(self, item: Item) -> str:
        """An item's words; the one object that it is about under its own name."""
        label = REPEATED.sub(_counted, self.words(item.label))
        return self._own_name(label, item.about) if len(item.about) == 1 else label

    def _own_name(self, text: str, keys: tuple[str, ...] | list[str]) -> str:
        for key in keys[:1]:
            card = self._cards.get(key, "")
            if card and card in text:
                return text.replace(card, self.name(key), 1)
        return text

    def scene(self, entities: Entities) -> Scene:
        """A view with these names."""
        fused = (fields.get("about") for key, fields in entities.items() if is_waiting(key, fields))
        return Scene(
            entities,
            self.seat,
            self.players,
            self.name,
            frozenset(str(key) for key in fused if key is not None),
        )

    # ------------------------------------------------------------ the log

    def told(self, events: list[dict[str, Any]]) -> None:
        """Note what the server told. Phases that were passed through are kept, but not listed."""
        following = (str(event.get("event", "")) for event in (*events[1:], {}))
        for event, then in zip(events, following, strict=False):
            text = str(event.get("text", ""))
            if not text:
                continue
            entry = Entry(
                self._own_name(self.words(text), event.get("objects", ())),
                int(event.get("n", 0)),
                str(event.get("event", "")),
                str(event.get("clause", "")),
                int(event.get("cause", 0)),
                int(event.get("player", -1)),
            )
            if not _is_passed_through(entry.event, then):
                self.log.append(entry)
            if entry.n:
                self._by_number[entry.n] = entry

    def recalled(self, events: Sequence[dict[str, Any]]) -> None:
        """Note what the server tells again, as far as it is of this game and new."""
        ours: list[dict[str, Any]] = []
        for event in reversed(events):
            if ours and int(event.get("n", 0)) >= int(ours[0].get("n", 0)):
                break  # numbers begin anew with each game: what is before is of another
            ours.insert(0, event)
        self.told([event for event in ours if int(event.get("n", 0)) > self.last_number()])

    def remark(self, text: str) -> None:
        """Note something of the client's own."""
        self.log.append(Entry(text))

    def entry(self, number: int) -> Entry | None:
        """The entry of that number."""
        return self._by_number.get(number)

    def last_number(self) -> int:
        """The latest number; 0 if nothing has been told."""
        return next((entry.n for entry in reversed(self.log) if entry.n), 0)

    def causes(self, number: int) -> Iterator[Entry]:
        """The entry of that number, what caused it, what caused that, as far as it was told."""
        seen: set[int] = set()
        while number and number not in seen:
            seen.add(number)
            entry = self._by_number.get(number)
            if entry is None:
                return
            yield entry
            number = entry.cause


def _counted(match: re.Match[str]) -> str:
    return f"{match[0].count(match[1])}x {match[1]}"


def is_waiting(key: str, fields: Mapping[str, Any]) -> bool:
    """Whether an entity is a waiting ability."""
    return key[:1] == "w" and key[1:].isdecimal() and "window" in fields


def folded(entries: list[Entry]) -> list[tuple[str, str]]:
    """Lines with their numbers; what differs in one part only is one line."""
    lines: list[tuple[str, str]] = []
    at = 0
    while at < len(entries):
        first = entries[at]
        end = at + 1
        while end < len(entries) and first.is_like(entries[end]):
            end += 1
        texts = [entry.text for entry in entries[at:end]]
        together = _together(texts) if len(texts) > 1 else ""
        if together:
            lines.append((f"{first.n}-{entries[end - 1].n}", together))
        else:
            lines += [(str(one.n or ""), one.text) for one in entries[at:end]]
        at = end
    return lines


def _together(texts: list[str]) -> str:
    """One sentence of several that begin and end alike; "" where they don't."""
    words = [text.split() for text in texts]
    begin = end = 0
    shortest = min(len(one) for one in words)
    while begin < shortest and len({one[begin] for one in words}) == 1:
        begin += 1
    if begin == shortest:
        return f"{texts[0]} ({len(texts)} times)" if len(set(texts)) == 1 else ""
    while end < shortest - begin - 1 and len({one[-1 - end] for one in words}) == 1:
        end += 1
    middles = [" ".join(one[begin : len(one) - end]) for one in words]
    if not begin or any(len(middle.split()) > MIDDLE_MAX for middle in middles):
        return ""
    last = "" if end else "."
    middles = [middle.removesuffix(last) for middle in middles] if last else middles
    counts = Counter(middles)
    listed = [f"{count}x {one}" if count > 1 else one for one, count in counts.items()]
    tail = f" {' '.join(words[0][len(words[0]) - end :])}" if end else last
    return f"{' '.join(words[0][:begin])} {', '.join(listed)}{tail}"


def _is_passed_through(name: str, then: str) -> bool:
    """Whether an event begins a phase in which nothing happened: the next one follows at once."""
    return name.startswith(MARK) and name != TURN and then.startswith(MARK)
