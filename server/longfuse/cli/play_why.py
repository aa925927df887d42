"""What `why` tells a player: of what happened, of a card's numbers, and of a fuse.

Owns the words for causes and for what changes an object. All of it is in what the client has
already: the log, and the view. It asks the server nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from longfuse.cli.play_book import is_waiting
from longfuse.cli.play_desk import Desk
from longfuse.cli.play_words import HelpRow
from longfuse.rulesets.rendering import Row

HELP = HelpRow(
    "why [N]", "why line N of the log happened (the last without N); also `why CARD`, `why not`"
)

NO_LINE = "`why` and the number of a line of the log: `log` shows them."

Fields = Mapping[str, Any]


def why(desk: Desk, asked: str, find: Callable[[str], Sequence[str]]) -> None:
    """Tell it. asked: a line's number, "not", a card or fuse. find: the objects that words mean."""
    word = asked.lstrip("#")
    if asked.casefold() in ("not", "not?"):
        desk.show_refused()
    elif not asked or word.isdecimal():
        _event(desk, int(word[:9]) if word else desk.book.last_number())
    elif not _named(desk, asked, find):
        desk.screen.line(NO_LINE)


def _event(desk: Desk, number: int) -> None:
    chain = list(desk.book.causes(number))
    if not chain:
        desk.screen.line(NO_LINE)
        return
    for at, entry in enumerate(chain):
        by = f" (rule {entry.clause})" if entry.clause else ""
        label = str(entry.n) if not at else f"because {entry.n}"
        desk.screen.row(label, entry.text + by, column=14)
    if chain[-1].cause:
        desk.screen.line("What caused that was told before you were here.", "dim")
    else:
        desk.screen.line("That was a player's decision, or the course of the game.", "dim")


def _named(desk: Desk, name: str, find: Callable[[str], Sequence[str]]) -> bool:
    """Whether something that is seen has that name or key, and was told of."""
    scene = desk.scene()
    fuses = [
        key
        for key, fields in scene.entities.items()
        if is_waiting(key, fields) and name.casefold() in (key, str(fields["source"]).casefold())
    ]
    for key in fuses:
        fields = scene.get(key)
        desk.screen.heading(f"{fields['source']} (a fuse)")
        desk.screen.row("until", desk.book.words(str(fields["window"])))
        if made_by := fields.get("created_by"):
            _event(desk, int(made_by))
    keys = [name] if scene.get(name).get("card") else find(name)
    for key in keys[:1]:
        rows = list(changes(scene.get(key), desk.book.words))
        desk.screen.heading(desk.book.name(key))
        for row in rows:
            desk.screen.row(row.label, row.text)
        if not rows:
            desk.screen.line("Nothing changes it: it is as printed.")
    return bool(fuses or keys)


def changes(fields: Fields, words: Callable[[str], str]) -> Iterator[Row]:
    """What makes an object other than it is printed, number by number. words: names for keys."""
    parts: Sequence[Fields] = fields.get("parts", ())
    for number in dict.fromkeys(str(part["of"]) for part in parts):
        printed = fields.get(f"printed_{number}")
        if printed is not None:
            yield Row(number, f"{fields[number]}, printed {printed}")
        for part in parts:
            if part["of"] == number:
                yield Row(_what(part, is_number=printed is not None), words(_from(part)))


def _what(part: Fields, *, is_number: bool) -> str:
    amount = int(part.get("amount", 0))
    if part.get("becomes") is not None:
        return f"  set to {part['becomes']} ({amount:+})"
    if is_number:
        return f"  {amount:+}"
    word = part.get("word") or part["of"]
    return f"  no {word}" if part.get("lost") else f"  {word}{f' {amount:+}' if amount else ''}"


def _from(part: Fields) -> str:
    said = [str(part[field]) for field in ("source", "rule", "says", "until") if part.get(field)]
    if part.get("clause"):
        said.append(f"rule {part['clause']}")
    return ", ".join(said) or "something that you can't see"
