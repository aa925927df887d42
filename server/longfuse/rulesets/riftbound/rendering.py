"""Rendering: a duel's view in lines, by places: yours, the battlefields, your opponent's.

Owns the words for units, runes and the chain on a terminal. It reads views and printed cards only.
"""

from __future__ import annotations

import re
import tomllib
from collections import Counter
from collections.abc import Iterable, Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any

from longfuse.rulesets.rendering import Block, Row, Scene, Tone

Fields = Mapping[str, Any]

SETS = Path(__file__).parent / "sets"
SYMBOL = re.compile(r":rb_(?:energy_|rune_)?(\w+?):")
"""A symbol in a card's text, as public card lists write it."""


class RiftboundRendering:
    """How a duel is shown in lines."""

    def status(self, scene: Scene) -> str:
        """Whose turn it is, the phase, and a showdown that goes on."""
        mark = scene.get("mark")
        turn, owner = mark.get("turn", 0), mark.get("player", -1)
        if not turn or owner not in range(len(scene.players)):
            return "Setting up"
        phase = f"{mark.get('phase') or 'beginning'} phase"
        showdown = scene.get("showdown")
        if showdown:
            kind = "combat" if showdown.get("combat") else "showdown"
            phase = f"{kind} at {_place(scene, str(showdown.get('place')))}"
        return f"Turn {turn} ({scene.player(owner)}), {phase}"

    def table(self, scene: Scene) -> Block:
        """The opponent, their base, the battlefields, your base, and you."""
        here = _by_place(scene)
        mine, theirs = scene.seat, 1 - scene.seat
        rows = [*_player(scene, theirs, here), *_base(scene, theirs, here)]
        for key in scene.zone("board"):
            fields = scene.get(key)
            if fields.get("type") == "battlefield":
                rows += _battlefield(scene, key, fields, here)
        rows += [*_base(scene, mine, here), *_player(scene, mine, here)]
        return Block("Table", tuple(rows))

    def hand(self, scene: Scene) -> Block:
        """Every card with cost and text; the chosen champion is played like one."""
        rows = [_in_hand(scene.get(key)) for key in scene.zone(f"hand:{scene.seat}")]
        champions = scene.zone(f"champion:{scene.seat}")
        rows += [_in_hand(scene.get(key), " (champion)") for key in champions]
        for key in scene.zone("facedown"):
            where = _place(scene, str(scene.get(key).get("place")))
            rows.append(_in_hand(scene.get(key), f" (hidden at {where})"))
        return Block("Your hand", tuple(rows))

    def chain(self, scene: Scene) -> Block:
        """The items from the bottom to the top."""
        rows = []
        for key in scene.get("chain").get("items", ()):
            item = scene.get(key)
            whose = int(item.get("controller", -1))
            about = [scene.name(target) for target in item.get("targets", ())]
            said = [f"{scene.whose(whose)} {item.get('kind')}", str(item.get("state"))]
            said += [f"on {', '.join(about)}"] if about else []
            words = f": {symbols(str(item['words']))}" if item.get("words") else ""
            rows.append(Row(str(item.get("source")), ", ".join(said) + words, _tone(scene, whose)))
        return Block("Chain, bottom first; the last one resolves first", tuple(rows))

    def card(self, fields: Fields) -> Block:
        """What is printed on it."""
        rows = [Row("cost", cost(fields))] if fields.get("type") in _PLAYED else []
        kind = str(fields.get("type", "card"))
        rows.append(Row("type", f"{'token ' if fields.get('token') else ''}{kind}"))
        if fields.get("might") is not None:
            printed = fields.get("printed_might")
            rows.append(Row("Might", _changed(int(fields["might"]), printed)))
        if fields.get("domains"):
            rows.append(Row("domains", ", ".join(fields["domains"])))
        rows.append(Row("text", symbols(str(fields.get("text", ""))) or "no text"))
        return Block(str(fields.get("card", "")), tuple(rows))

    def printed(self, name: str) -> Fields | None:
        """The card of that name, or the only one whose name begins so, among those that ship."""
        known = _printed()
        word = name.casefold()
        found = [one for one in known if one.casefold() == word]
        found = found or [one for one in known if one.casefold().startswith(word)]
        return known[found[0]] if len(found) == 1 else None

    def is_numbered(self, fields: Fields) -> bool:
        """On the board objects differ; runes don't."""
        return fields.get("zone") == "board" and fields.get("type") != "rune"

    def summary(self) -> Block:
        """The core rules are the publisher's to tell."""
        return Block("The rules in short")


RENDERING = RiftboundRendering()

_PLAYED = ("unit", "spell", "gear")


def symbols(text: str) -> str:
    """A card's text with its symbols in braces."""
    return SYMBOL.sub(r"{\1}", text).strip()


def cost(fields: Fields) -> str:
    """What a card costs: its Energy, and a domain for each Power."""
    power: Counter[str] = Counter(fields.get("power", ()))
    said = [f"{fields.get('energy', 0)} Energy"]
    said += [f"{count} {domain} Power" for domain, count in power.items()]
    return " + ".join(said)


@lru_cache(maxsize=1)
def _printed() -> dict[str, dict[str, Any]]:
    found: dict[str, dict[str, Any]] = {}
    for path in sorted(SETS.glob("*.toml")):
        for fields in tomllib.loads(path.read_text(encoding="utf-8")).get("card", ()):
            found[fields["name"]] = {"card": fields["name"], **fields}
    return found


def _tone(scene: Scene, seat: int) -> Tone:
    return "mine" if seat == scene.seat else "theirs"


def _by_place(scene: Scene) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for key in scene.zone("board"):
        fields = scene.get(key)
        if fields.get("type") != "battlefield" and not fields.get("attached_to"):
            found.setdefault(str(fields.get("place")), []).append(key)
    return found


def _place(scene: Scene, place: str) -> str:
    kind, _, seat = place.partition(":")
    if kind == "base":
        return f"{scene.whose(int(seat))} base"
    for key in scene.zone("board"):
        fields = scene.get(key)
        if fields.get("type") == "battlefield" and fields.get("place") == place:
            return scene.name(key)
    return kind


# ---------------------------------------------------------------- the table's rows


def _player(scene: Scene, seat: int, here: Mapping[str, list[str]]) -> list[Row]:
    fields = scene.get(f"seat:{seat}")
    goal = scene.get("goal").get("points")
    points = f"{fields.get('points', 0)} of {goal} points" if goal else f"{fields.get('points')}"
    said = [points, f"hand {scene.count(f'hand:{seat}')}", f"deck {scene.count(f'deck:{seat}')}"]
    if trash := scene.count(f"trash:{seat}"):
        said.append(f"trash {trash}")
    if fields.get("xp"):
        said.append(f"{fields['xp']} experience")
    said.append(_runes(scene, here.get(f"base:{seat}", ())))
    if pool := _pool(fields):
        said.append(f"pool {pool}")
    rows = [Row(scene.player(seat), ", ".join(said), _tone(scene, seat))]
    for key in here.get(f"legend:{seat}", ()):
        rows += [Row("  legend", _permanent(scene, key), detail=_text(scene.get(key)))]
    return rows


def _runes(scene: Scene, keys: Iterable[str]) -> str:
    runes = [scene.get(key) for key in keys if scene.get(key).get("type") == "rune"]
    ready = Counter(str(rune["card"]) for rune in runes if not rune.get("exhausted"))
    words = ", ".join(f"{count} {name.removesuffix(' Rune')}" for name, count in ready.items())
    return f"runes {ready.total()} ready of {len(runes)}" + (f" ({words})" if words else "")


def _pool(fields: Fields) -> str:
    said = [f"{fields['energy']} Energy"] if fields.get("energy") else []
    said += [
        f"{count} {domain} Power" for domain, count in fields.get("power", {}).items() if count
    ]
    return " + ".join(said)


def _base(scene: Scene, seat: int, here: Mapping[str, list[str]]) -> list[Row]:
    keys = [key for key in here.get(f"base:{seat}", ()) if scene.get(key).get("type") != "rune"]
    words = "; ".join(_permanent(scene, key) for key in keys)
    return [Row(f"{scene.whose(seat)} base", words or "empty", _tone(scene, seat))]


def _battlefield(
    scene: Scene, key: str, fields: Fields, here: Mapping[str, list[str]]
) -> list[Row]:
    holder, by = fields.get("controller"), fields.get("contested_by")
    said = ["nobody's" if holder is None else f"held by {scene.player(holder)}"]
    if by is not None:
        said.append(f"contested by {scene.player(by)}")
    said += [f"a hidden card of {scene.player(seat)}" for seat in fields.get("facedown", ())]
    rows = [Row(scene.name(key), "; ".join(said), "strong", _text(fields))]
    place = str(fields.get("place"))
    for seat in (1 - scene.seat, scene.seat):
        keys = [one for one in here.get(place, ()) if scene.get(one).get("controller") == seat]
        if keys:
            words = "; ".join(_permanent(scene, one) for one in keys)
            rows.append(Row(f"  {scene.player(seat)}", words, _tone(scene, seat)))
    return rows


def _permanent(scene: Scene, key: str) -> str:
    fields = scene.get(key)
    said = []
    if fields.get("might") is not None:
        said.append(f"Might {_changed(int(fields['might']), fields.get('printed_might'))}")
    if fields.get("damage"):
        said.append(f"{fields['damage']} damage")
    amounts = fields.get("keyword_amounts", {})
    said += [f"{word} {amounts[word]}" if word in amounts else word for word in _keywords(fields)]
    said += [word for word in ("exhausted", "stunned", "token") if fields.get(word)]
    if fields.get("buffs"):
        said.append("buffed")
    if fields.get("designation"):
        said.append(str(fields["designation"]))
    said += [f"with {scene.name(one)}" for one in _attached(scene, key)]
    if key in scene.fused:
        said.append("fuse")
    return scene.name(key) + (f" ({', '.join(said)})" if said else "")


def _keywords(fields: Fields) -> Iterable[str]:
    keywords: Iterable[str] = fields.get("keywords", ())
    return keywords


def _attached(scene: Scene, key: str) -> list[str]:
    return [one for one in scene.zone("board") if scene.get(one).get("attached_to") == key]


def _changed(now: int, printed: int | None) -> str:
    return f"{now}" if printed is None else f"{now}, printed {printed}"


def _in_hand(fields: Fields, where: str = "") -> Row:
    might = f", Might {fields['might']}" if fields.get("might") is not None else ""
    said = f"{cost(fields)}, {fields.get('type')}{might}"
    return Row(f"{fields.get('card')}{where}", said, detail=_text(fields))


def _text(fields: Fields) -> str:
    return symbols(str(fields.get("text", ""))).replace("\n", " / ")
