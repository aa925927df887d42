"""Equipping: what Equip, Quick-Draw and Weaponmaster stand for (818, 819, 821).

Owns the abilities that these keywords are short for, and which part of a gear's text is its effect
text (136). It knows cards only, no game.
"""

from __future__ import annotations

import msgspec

from longfuse.abilities.ability import Ability, Choice, Do, Program
from longfuse.abilities.nodes import Named, Selector, This, When, Who
from longfuse.rulesets.riftbound.cards import CardDefinition, make_card

ATTACHED = "attached"
"""The zone word of an ability that works only from a gear that is attached (effect text)."""

_A_FRIENDLY_UNIT = Choice("t1", Selector(kinds=("unit",), control="friendly"))
_ATTACH = Program(
    choices=(_A_FRIENDLY_UNIT,),
    body=(Do("attach", what=This(), to_objects=Named("t1")),),
)

QUICK_DRAW = Ability(
    kind="triggered",
    when=When("card played", subject=This()),
    program=_ATTACH,
    keyword="Quick-Draw",
    text="Quick-Draw: when you play this, attach it to a unit you control.",
)

WEAPONMASTER = Ability(
    kind="triggered",
    when=When("card played", subject=This()),
    optional=True,
    program=Program(
        choices=(Choice("t1", Selector(kinds=("equipment",), control="friendly")),),
        body=(Do("equip", what=Named("t1"), to_objects=This(), who=Who(), word="any less"),),
    ),
    keyword="Weaponmaster",
    text="Weaponmaster: when you play me, you may equip one of your Equipment to me for 1 Power"
    " less.",
)


def parts(card: CardDefinition) -> tuple[tuple[Ability, ...], tuple[Ability, ...]]:
    """A card's rules text and its effect text. Of a gear with Equip, the text after the first empty
    line is effect text; an ability that works when `attached` is, wherever it stands."""
    own = tuple(ability for ability in card.abilities if ATTACHED not in ability.zones)
    effect = tuple(ability for ability in card.abilities if ATTACHED in ability.zones)
    if effect or not any(ability.keyword == "Equip" for ability in own):
        return own, effect
    head, empty_line, _ = card.text.partition("\n\n")
    if not empty_line:
        return own, effect
    before = len(make_card({"name": card.name, "type": card.type, "text": head}).abilities)
    return own[:before], own[before:]


def equips(abilities: tuple[Ability, ...]) -> tuple[Ability, ...]:
    """818.1.c.2: each Equip is an activated ability that attaches this to a unit of yours."""
    return tuple(
        msgspec.structs.replace(
            ability,
            kind="activated",
            program=_ATTACH,
            text=ability.text or "Equip: attach this to a unit you control.",
        )
        for ability in abilities
        if ability.keyword == "Equip"
    )
