"""124: when a card becomes another object."""

from __future__ import annotations

import pytest

from rulesets.riftbound.cards import kills, spell, unit
from rulesets.riftbound.duels import a_duel

BLINK = (
    "[Reaction] Banish a friendly unit; its owner then plays it where it was, ignoring its cost."
)


@pytest.mark.rule("124", "124.1")
def test_to_a_non_board_zone_and_back_it_is_new() -> None:
    """Damage, and what it was given, is gone; so is its residency."""
    duel = a_duel(
        hand=[
            spell("Rise", "Give a unit +3 Might this turn."),
            spell("Bounce", "Return a unit to its owner's hand."),
        ],
        board=[unit("Oak", 3, damage=2)],
    )
    before = duel["Oak"].ref
    for name in ("Rise", "Bounce"):
        duel.play(name, choose=["Oak"])
        duel.pass_all()
    duel.play("Oak")

    after = duel["Oak"]
    assert (after.damage, after.might) == (0, 3)
    assert after.ref.card == before.card
    assert after.ref.residency > before.residency


@pytest.mark.rule("124")
def test_between_board_zones_it_is_the_same() -> None:
    """A move keeps the object."""
    duel = a_duel(board=[unit("Oak", 3)])
    before = duel["Oak"].ref
    duel.move(["Oak"], "bf:1")
    duel.pass_showdown()

    assert duel["Oak"].ref == before


@pytest.mark.rule("359.3.e.4")
def test_a_target_that_left_and_came_back_is_no_target() -> None:
    """The replayed unit is another object; the spell does not kill it."""
    duel = a_duel(
        hand=[kills("Blade")],
        theirs=[spell("Blink", BLINK)],
        board=[unit("Foe", 3, owner=1)],
    )
    duel.play("Blade", choose=["Foe"])
    duel.play("Blink", choose=["Foe"])
    duel.pass_all()

    assert duel["Foe"].place == "base:1"


@pytest.mark.rule("359.3.e.3")
def test_a_target_that_matches_again_is_a_target() -> None:
    """Away from the battlefield and back before the spell resolves: it is legal."""
    duel = a_duel(
        hand=[spell("Strike", "Kill a unit at a battlefield.")],
        theirs=[
            spell("Home", "[Reaction] Move a friendly unit to its base."),
            spell("Back", "[Reaction] Move a friendly unit to a battlefield."),
        ],
        board=[unit("Foe", 3, owner=1, place="bf:1")],
    )
    duel.play("Strike", choose=["Foe"])
    duel.play("Home", choose=["Foe"])
    duel.resolve()
    duel.play("Back", choose=["Foe", "Field One"])
    duel.pass_all()

    assert duel["Foe"].place == "trash:1"


@pytest.mark.rule("186")
def test_a_token_ceases_to_exist_off_the_board() -> None:
    """Returned to a hand it is nowhere."""
    duel = a_duel(
        hand=[
            spell("Muster", "Play a 1 Might Recruit unit token."),
            spell("Bounce", "Return a unit to its owner's hand."),
        ],
    )
    duel.play("Muster")
    duel.pass_all()
    if duel.asked[1] == "target":
        duel.decide(0)
    (token,) = duel.find("Recruit")
    duel.play("Bounce", choose=["Recruit"])
    duel.pass_all()

    assert token.place == "base:0" or not duel.find("Recruit")
    assert duel.find("Recruit") == []
    assert duel.hand(0) == 0
