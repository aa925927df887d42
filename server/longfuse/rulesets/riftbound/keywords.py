"""Keywords: what each stands for where the rules do not read it directly.

Owns the triggered abilities that keywords are short for. The others are read where they matter:
Assault and Shield in `asking.might`, Action and Reaction in `offers`, Accelerate, Flow and Deflect
in `costs`, Ambush in `offers`, Ganking in `moving`, Tank and Backline in `combat`.
"""

from __future__ import annotations

from longfuse.abilities.ability import Ability, Do, Program
from longfuse.abilities.nodes import At, Stat, This, When, Who
from longfuse.rulesets.riftbound.equipping import QUICK_DRAW, WEAPONMASTER

IMPLEMENTED = frozenset(
    {
        "Action",
        "Reaction",
        "Accelerate",
        "Add",
        "Additional Cost",
        "Ambush",
        "Assault",
        "Backline",
        "Deathknell",
        "Deflect",
        "Equip",
        "Flow",
        "Ganking",
        "Hidden",
        "Hunt",
        "Legion",
        "Level",
        "Mighty",
        "Predict",
        "Quick-Draw",
        "Repeat",
        "Shield",
        "Stun",
        "Tank",
        "Temporary",
        "Unique",
        "Vision",
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

VISION = (
    Ability(
        kind="triggered",
        when=When("card played", subject=This(), player=Who("you")),
        program=Program(body=(Do("predict", amount=1, who=Who("you")),)),
        keyword="Vision",
        text="Vision: when you play me, look at the top card of your deck; you may recycle it.",
    ),
)
"""817.1.b: each instance triggers by itself (817.2)."""


def _hunt(event: str) -> Ability:
    return Ability(
        kind="triggered",
        when=When(event, subject=This()),
        program=Program(body=(Do("xp", amount=Stat("hunt", This()), who=Who("you")),)),
        keyword="Hunt",
        text="Hunt: when I conquer or hold, you gain that much XP.",
    )


HUNT = (_hunt("conquered"), _hunt("held"))
"""823.1.c: both a conquer and a hold effect; the values of several are added up (823.2)."""


TRIGGERED: dict[str, tuple[Ability, ...]] = {
    "Hunt": HUNT,
    "Quick-Draw": (QUICK_DRAW,),
    "Temporary": (TEMPORARY,),
    "Vision": VISION,
    "Weaponmaster": (WEAPONMASTER,),
}
"""The keywords that are short for a triggered ability, printed or given."""

ONCE = frozenset({"Hunt", "Quick-Draw", "Temporary"})
"""Those of them that act once, however many instances there are; the values of Hunt add up."""


def built_in(amounts: dict[str, int]) -> tuple[Ability, ...]:
    """The abilities that a card's keywords are short for."""
    return tuple(
        ability
        for keyword, abilities in TRIGGERED.items()
        if keyword in amounts
        for ability in abilities
    )
