"""Facts that rulesets find alike in a seat's view and events, for passing.

Owns what the chain, what waits, and the events say to a seat. What an attack is, and which phases
give a chance, is a ruleset's. Everything here reads plain data that the seat's client has too.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from longfuse.rulesets.passing import Events, Interruption, Where
from longfuse.timing.references import NOBODY
from longfuse_protocol.passing import SOURCE_MAX
from longfuse_protocol.prompts import Prompt
from longfuse_protocol.views import View

Entity = Mapping[str, Any]


def source_name(card: str, words: str = "") -> str:
    """What waits on the chain, as prompts and yields name it: a card, or one ability of a card."""
    name = f"{card}: {words}" if words else card
    return name if len(name) <= SOURCE_MAX else f"{name[: SOURCE_MAX - 1]}…"


def entity(view: View, key: str) -> Entity:
    """An entity's fields; none where there is no such entity."""
    return view.entities.get(key, {})


def where(view: View) -> Where:
    """Where the game stands; turn 0 where it has not begun."""
    mark = entity(view, "mark")
    seat = mark.get("player")
    whose = None if seat is None or seat == NOBODY else int(seat)
    return Where(int(mark.get("turn", 0)), whose, str(mark.get("phase", "")))


def has_options(prompt: Prompt, passing: int) -> bool:
    """Whether anything but the item that passes is legal."""
    return any(item.legal for index, item in enumerate(prompt.items) if index != passing)


# ---------------------------------------------------------------- the chain


def on_chain(view: View) -> Iterator[tuple[str, Entity]]:
    """What waits on the chain, oldest first, each with its key."""
    for key in entity(view, "chain").get("items", ()):
        yield key, entity(view, key)


def of_others(view: View, seat: int) -> Iterator[tuple[str, Entity]]:
    """What others have on the chain, oldest first, each with its key."""
    return ((key, item) for key, item in on_chain(view) if item["controller"] != seat)


def name_of(item: Entity) -> str:
    """An item as prompts and yields name it."""
    return source_name(item["source"], item["words"] if item["kind"] == "ability" else "")


def text_of(view: View, item: Entity) -> str:
    """What an item says: an ability's words, or the text of the card."""
    words = item.get("words")
    return str(entity(view, item["object"]).get("text", "") if words is None else words)


def whose(view: View, key: str) -> int | None:
    """Whose an object is: who controls it, else who owns it. On the chain it has no other sign of
    that than its item."""
    for _, item in on_chain(view):
        if item["object"] == key:
            return int(item["controller"])
    fields = entity(view, key)
    found = fields.get("controller", fields.get("owner"))
    return None if found is None else int(found)


def of_the_chain(view: View, seat: int) -> Iterator[Interruption]:
    """What others have put on the chain: what of it has chosen the seat or what is its, what was
    played; and delayed abilities, whoever's, that are about to act."""
    for key, item in on_chain(view):
        name = name_of(item)
        if item.get("delayed"):
            yield Interruption("fuse", f"{item['source']} goes off", f"fuse:{key}", source=name)
        if item["controller"] == seat:
            continue
        if chosen := _chosen(view, item, seat):
            text = f"{chosen} targeted by {item['source']}"
            yield Interruption("targeted", text, f"targeted:{key}", source=name)
        if item["kind"] != "ability":
            text = f"{item['source']} is played"
            yield Interruption("played", text, f"played:{key}", source=name)
        yield Interruption("anything", f"{item['source']} waits", f"waits:{key}", source=name)


def _chosen(view: View, item: Entity, seat: int) -> str:
    """What an item has chosen of the seat's, with its verb: "you are" or "NAME is"; "" if none."""
    if seat in item.get("players", ()):
        return "you are"
    for key in item["targets"]:
        if whose(view, key) == seat:
            return f"your {entity(view, key).get('card', 'card')} is"
    return ""


# ---------------------------------------------------------------- events

MARK = "mark:"
TURN = f"{MARK}turn"
PLAYED = "card finalized"


def turns_begun(events: Events) -> list[int]:
    """Whose turns have begun, in order."""
    return [int(event["player"]) for event in events if event.get("event") == TURN]


def of_events(view: View, events: Events, seat: int) -> Iterator[Interruption]:
    """What has happened since the seat was last asked; a phase that begins is nothing by itself."""
    for event in events:
        if event["event"].startswith(MARK):
            continue
        text, key, name = str(event["text"]).removesuffix("."), f"event:{event['n']}", ""
        if event["event"] == PLAYED:
            name = "".join(entity(view, one).get("card", "") for one in event["objects"][:1])
            if event["player"] != seat:
                yield Interruption("played", text, key, fresh=True, source=name)
        yield Interruption("anything", text, key, fresh=True, source=name)


def has(events: Events, name: str) -> bool:
    """Whether something of that name has happened."""
    return any(event["event"] == name for event in events)


# ---------------------------------------------------------------- what waits


def waiting(view: View) -> list[tuple[str, Entity]]:
    """The delayed abilities that wait, oldest first, each with its key."""
    return by_number(view, lambda key, _: key[0] == "w" and key[1:].isdigit())


def by_number(view: View, wanted: Callable[[str, Entity], bool]) -> list[tuple[str, Entity]]:
    """Some entities in the order of the numbers in their keys: a view itself has no order."""
    found = [(key, fields) for key, fields in view.entities.items() if wanted(key, fields)]
    return sorted(found, key=lambda one: (len(one[0]), one[0]))


def of_the_fuses(view: View, now: Sequence[str], then: Sequence[str]) -> Iterator[Interruption]:
    """Delayed abilities that are about to act or to end.

    now: the marks of this turn that come before anybody has another chance. then: those of the
    next turn, which is the other player's.
    """
    at = where(view)
    for key, fields in waiting(view):
        if any(_is_due(view, mark, at, now, then) for mark in fields["marks"]):
            text = f"{fields['source']} is about to act or to end"
            yield Interruption("fuse", text, f"fuse:{key}")


def _is_due(view: View, mark: Entity, at: Where, now: Sequence[str], then: Sequence[str]) -> bool:
    if "over" in mark:
        # It ends with what goes on now, as soon as everybody has passed.
        return True
    earliest = int(mark["turn"])
    if mark["mark"] in now:
        return earliest <= at.turn and mark["player"] in (None, at.seat)
    if mark["mark"] in then:
        return earliest <= at.turn + 1 and mark["player"] in (None, next_seat(view))
    return False


def next_seat(view: View) -> int:
    """Whose turn comes after this one, unless something gives an additional one."""
    return ((where(view).seat or 0) + 1) % max(_seats(view), 1)


def others(view: View, seat: int) -> list[int]:
    """The other seats."""
    return [one for one in range(_seats(view)) if one != seat]


def _seats(view: View) -> int:
    return sum(key.startswith("seat:") for key in view.entities)
