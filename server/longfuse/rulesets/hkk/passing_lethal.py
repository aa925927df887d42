"""The lethal sum in hkk: attacks and what is in the queue, against the life that a seat has.

Owns what a seat is warned of before it passes, read from its own view. It is a warning, not a
forecast: strikes of creatures that attack the player count with the damage that they have, items in
the queue with the numbers of their words, in either language; what prevents any of it is not read,
and an amount that has no number counts as enough. So it rather warns once too often.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from longfuse.rulesets import passing_facts as facts
from longfuse.rulesets.passing import Interruption
from longfuse_protocol.views import View

LIFE = re.compile(r"\b(?:loses?|veszít\w*) (?:(\d+) )?(?:life|élet)", re.IGNORECASE)
DAMAGE = re.compile(r"\b(?:deals?|okoz\w*) (?:(\d+) )?(?:more )?(?:damage|sebzés)", re.IGNORECASE)
AT_PLAYERS = re.compile(r"\b(?:players?|opponents?|játékos|ellenf)", re.IGNORECASE)


def lethal(view: View, seat: int) -> Iterator[Interruption]:
    """Whether all that is announced would take the life that the seat has left."""
    life = facts.entity(view, f"seat:{seat}").get("life")
    if life is None:
        return
    found = _attacks(view, seat)
    for key, item in facts.of_others(view, seat):
        lost = _lost(view, item, life, is_chosen=seat in item.get("players", ()))
        if lost:
            found[key] = lost
    total = sum(found.values())
    if found and total >= life:
        text = f"you would lose {total} life and have {life}"
        yield Interruption("lethal", text, f"lethal:{','.join(found)}")


def _attacks(view: View, seat: int) -> dict[str, int]:
    """The damage of each creature that attacks the seat itself."""
    combat = facts.entity(view, "combat")
    if not combat or combat["attacker"] == seat:
        return {}
    return {
        attacker: facts.entity(view, attacker).get("damage", 0)
        for attacker, target in combat["attacks"]
        if target is None
    }


def _lost(view: View, item: facts.Entity, life: int, *, is_chosen: bool) -> int:
    """What an item would take, by its words; all there is where they have no number."""
    text = facts.text_of(view, item)
    found = list(LIFE.finditer(text))
    if is_chosen or AT_PLAYERS.search(text):
        found += DAMAGE.finditer(text)
    return sum(life if one[1] is None else int(one[1]) for one in found)
