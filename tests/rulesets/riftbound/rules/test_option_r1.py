"""R1, 390.5.c.2 on the board: all board zones count as one, or each is its own."""

from __future__ import annotations

import pytest

from rulesets.riftbound.cards import A_UNIT, creates, spell, unit
from rulesets.riftbound.duels import Playing, a_duel
from rulesets.riftbound.rules.linking import stronger


def moved(option: str) -> Playing:
    """Oak was given +2 Might for its stay while in the base, and has moved to a battlefield."""
    duel = a_duel(
        hand=[spell("Fuse", "", creates(stronger(), choices=[A_UNIT]))],
        board=[unit("Oak", 3)],
        options={"R1": option},
    )
    duel.play("Fuse", choose=["Oak"])
    duel.pass_all()
    assert duel["Oak"].might == 5
    duel.move(["Oak"], "bf:1")
    duel.pass_showdown()
    return duel


@pytest.mark.rule("390.5.c.2")
def test_board_all_board_zones_are_one() -> None:
    """By default a move within the board keeps the window open."""
    duel = moved("board")

    assert (duel["Oak"].might, duel.waiting) == (5, ["Fuse"])


@pytest.mark.rule("390.5.c.2")
def test_zone_each_board_zone_is_its_own() -> None:
    """With "zone", leaving the base closes it."""
    duel = moved("zone")

    assert (duel["Oak"].might, duel.ended) == (3, [("Fuse", "expired")])


@pytest.mark.rule("390.5.c.2", "390.5.a")
@pytest.mark.parametrize("option", ["board", "zone"])
def test_either_way_leaving_the_board_closes_it(option: str) -> None:
    """A stay on the board is over in both readings."""
    duel = a_duel(
        hand=[
            spell("Fuse", "", creates(stronger(), choices=[A_UNIT])),
            spell("Away", "Return a unit to its owner's hand."),
        ],
        board=[unit("Oak", 3)],
        options={"R1": option},
    )
    for name in ("Fuse", "Away"):
        duel.play(name, choose=["Oak"])
        duel.pass_all()

    assert duel.ended == [("Fuse", "expired")]
