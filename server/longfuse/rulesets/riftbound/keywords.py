"""Keywords: what each stands for where the rules do not read it directly.

Owns the triggered abilities that keywords are short for. The others are read where they matter:
Assault and Shield in `asking.might`, Action and Reaction in `offers`, Accelerate, Flow and Deflect
in `costs`, Ambush in `offers`, Ganking in `moving`, Tank and Backline in `combat`.
"""

from __future__ import annotations

from longfuse.abilities.ability import Ability, Do, Program
from longfuse.abilities.nodes import At, This, Who
from longfuse.rulesets.riftbound.equipping import QUICK_DRAW, WEAPONMASTER

IMPLEMENTED = frozenset(
    {
        "Action",
        "Reaction",
        "Accelerate",
        "Ambush",
        "Assault",
        "Backline",
        "Deathknell",
        "Deflect",
        "Equip",
        "Flow",
        "Ganking",
        "Hidden",
        "Legion",
        "Quick-Draw",
        "Shield",
        "Stun",
        "Tank",
        "Temporary",
        "Weaponmaster",
    }
)
"""The keywords that this version plays; a card with another is refused by name."""

TEMPORARY = Ability(
    kind="triggered",
    when=At("beginning", whose=Who("you")),
    program=Program(body=(Do("kill", what=This()),)),
    keyword="Temporary",
    text="Temporary: at the start of your Beginning Phase, kill this.",
)
"""816: one trigger however many instances, of the current controller."""


TRIGGERED: dict[str, Ability] = {
    "Quick-Draw": QUICK_DRAW,
    "Temporary": TEMPORARY,
    "Weaponmaster": WEAPONMASTER,
}
"""The keywords that are short for a triggered ability, printed or given."""

ONCE = frozenset({"Quick-Draw", "Temporary"})
"""Those of them whose instances beyond the first have no effect."""


def built_in(amounts: dict[str, int]) -> tuple[Ability, ...]:
    """The abilities that a card's keywords are short for."""
    return tuple(ability for keyword, ability in TRIGGERED.items() if keyword in amounts)
