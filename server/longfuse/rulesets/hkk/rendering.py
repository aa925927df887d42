"""Rendering: a view of hkk in lines, for clients without a page.

Owns the layout: reserve, guard post and table of each player, with counters; hand, queue, cards.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Any

from longfuse.rulesets.hkk import cards
from longfuse.rulesets.hkk.rendering_rules import lines
from longfuse.rulesets.hkk.turn import NAMES
from longfuse.rulesets.rendering import Block, Row, Scene, Tone

Fields = Mapping[str, Any]

PLACES = (("guard", "guard post"), ("reserve", "reserve"), ("table", "table"))
PILES = ("deck", "discard", "nothing")


class HkkRendering:
    """How hkk is shown in lines."""

    def status(self, scene: Scene) -> str:
        """Whose turn it is, the phase in both languages, and both players' numbers."""
        mark = scene.get("mark")
        phase = str(mark.get("phase", ""))
        named = f"{phase} ({NAMES[phase]})" if phase in NAMES else phase
        seats = "; ".join(
            f"{scene.player(seat)} {scene.get(f'seat:{seat}').get('life', 0)} life, "
            f"{scene.get(f'seat:{seat}').get('magic', 0)} VP"
            for seat in (scene.seat, 1 - scene.seat)
        )
        whose = scene.whose(int(mark.get("player", scene.seat)))
        return f"Turn {mark.get('turn', 0)}, {whose} {named}. {seats}."

    def table(self, scene: Scene) -> Block:
        """The opponent's side, then one's own."""
        rows: list[Row] = []
        for seat in (1 - scene.seat, scene.seat):
            tone: Tone = "mine" if seat == scene.seat else "theirs"
            for word, said in PLACES:
                there = self._at(scene, f"{word}:{seat}")
                label = f"{scene.whose(seat)} {said}"
                rows += [Row(label, _piece(scene, key), tone) for key in there]
            piles = ", ".join(f"{pile} {scene.count(f'{pile}:{seat}')}" for pile in PILES)
            held = f"hand {scene.count(f'hand:{seat}')}, {piles}"
            rows.append(Row(f"{scene.whose(seat)} cards", held, tone))
        return Block("Table", tuple(rows))

    def _at(self, scene: Scene, place: str) -> Iterator[str]:
        return (key for key in scene.zone("board") if scene.get(key).get("place") == place)

    def hand(self, scene: Scene) -> Block:
        """What the viewer holds, with costs and texts."""
        rows = []
        for key in scene.zone(f"hand:{scene.seat}"):
            fields = scene.get(key)
            said = f"{fields.get('cost', 0)} VP, {_kind(fields)}"
            rows.append(Row(scene.name(key), said, detail=str(fields.get("text", ""))))
        return Block("Your hand", tuple(rows))

    def chain(self, scene: Scene) -> Block:
        """The reaction queue from the bottom to the top."""
        rows = []
        for key in scene.get("chain").get("items", ()):
            item = scene.get(key)
            whose = int(item.get("controller", -1))
            about = [scene.name(target) for target in item.get("targets", ())]
            said = f"{scene.whose(whose)} {item.get('kind')}"
            said += f" on {', '.join(about)}" if about else ""
            said += f": {item['words']}" if item.get("words") else ""
            tone: Tone = "mine" if whose == scene.seat else "theirs"
            rows.append(Row(str(item.get("source")), said, tone))
        return Block("Reaction queue, bottom first; the last one comes about first", tuple(rows))

    def card(self, fields: Fields) -> Block:
        """What is printed on it, and its counters."""
        rows = [Row("cost", f"{fields.get('cost', 0)} VP"), Row("type", _kind(fields))]
        if fields.get("counters"):
            rows.append(Row("counters", _counters(fields)))
        rows.append(Row("text", str(fields.get("text", "")).strip() or "no text"))
        return Block(str(fields.get("card", "")), tuple(rows))

    def printed(self, name: str) -> Fields | None:
        """The card of that name, or the only one whose name begins so, among those that ship."""
        known = _printed()
        word = name.casefold()
        found = [one for one in known if one.casefold() == word]
        found = found or [one for one in known if one.casefold().startswith(word)]
        return known[found[0]] if len(found) == 1 else None

    def is_numbered(self, fields: Fields) -> bool:
        """In play objects of one name differ."""
        return fields.get("zone") == "board"

    def summary(self) -> Block:
        """The rules in short, house rules marked."""
        return Block("The rules in short", tuple(Row(head, text) for head, text in lines()))


RENDERING = HkkRendering()


def _kind(fields: Fields) -> str:
    kind = str(fields.get("type", "card"))
    if kind != "creature":
        return kind
    left = int(fields.get("life", 0)) - int(fields.get("wounds", 0))
    words = "".join(f", {word}" for word in fields.get("keywords", ()))
    return f"creature {fields.get('damage', 0)}/{left}{_printed_numbers(fields)}{words}"


def _printed_numbers(fields: Fields) -> str:
    """Both numbers as printed, where one of them is not."""
    if "printed_damage" not in fields and "printed_life" not in fields:
        return ""
    damage = fields.get("printed_damage", fields["damage"])
    return f", printed {damage}/{fields.get('printed_life', fields['life'])}"


def _counters(fields: Fields) -> str:
    return ", ".join(f"{number} {kind}" for kind, number in fields["counters"].items())


def _piece(scene: Scene, key: str) -> str:
    fields = scene.get(key)
    said = [_kind(fields)]
    if fields.get("passive"):
        said.append("passive")
    if fields.get("counters"):
        said.append(f"counters: {_counters(fields)}")
    if fields.get("suppressed"):
        said.append("its abilities do not function")
    if fields.get("attached_to"):
        said.append(f"on {scene.name(str(fields['attached_to']))}")
    return f"{scene.name(key)} ({', '.join(said)})"


@lru_cache(maxsize=1)
def _printed() -> dict[str, dict[str, Any]]:
    return {
        name: {
            "card": name,
            "type": card.type,
            "cost": card.cost,
            "damage": card.damage,
            "life": card.life,
            "text": "\n".join(one for one in (card.text, card.text_hu) if one),
        }
        for name, card in cards.shipped().items()
    }
