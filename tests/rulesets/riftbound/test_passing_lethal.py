"""The lethal sum in riftbound: what a seat is warned of before it passes."""

from __future__ import annotations

import pytest

from rulesets.riftbound.cards import spell, unit
from rulesets.riftbound.duels import Playing, a_duel
from rulesets.riftbound.test_passing import texts

KILLED = "the combat at Field Two would kill all your units there"


def lethal(duel: Playing, seat: int) -> list[str]:
    """What of that kind a seat is warned of now."""
    return texts(duel, seat, "lethal")


# ---------------------------------------------------------------- combat


@pytest.mark.parametrize(
    ("might", "damage", "stunned", "warns"),
    [(5, 0, False, True), (4, 0, False, False), (4, 1, False, True), (5, 0, True, False)],
)
def test_a_combat_that_kills_all_there(might: int, damage: int, stunned: bool, warns: bool) -> None:
    """460: the attackers' Might together, but for who is stunned, against what the others can
    take; both sides are warned of their own units."""
    board = [
        unit("Oak", might, stunned=stunned),
        unit("Foe", 2, owner=1, place="bf:2"),
        unit("Ewe", 3, owner=1, place="bf:2", damage=damage),
    ]
    duel = a_duel(board=board)
    assert lethal(duel, 1) == []
    duel.move(["Oak"], "bf:2")

    assert lethal(duel, 1) == ([KILLED] if warns else [])
    assert lethal(duel, 0) == [KILLED]


# ---------------------------------------------------------------- the chain


def test_what_kills_the_last_unit_at_a_place() -> None:
    """Damage to what was chosen, where no other unit of the seat's is; whoever chose it."""
    spark = spell("Spark", "Deal 3 to a unit.")
    for others, warned in (([], True), ([unit("Ewe", owner=1)], False)):
        duel = a_duel(hand=[spark], board=[unit("Foe", 3, owner=1), *others])
        duel.play("Spark", choose=["Foe"])
        found = ["Spark would kill all your units at your base"] if warned else []
        assert lethal(duel, 1) == found
        assert lethal(duel, 0) == []


def test_what_hits_all_units() -> None:
    """Place by place: only where it is enough for each of them."""
    storm = spell("Storm", "Deal 2 to all units.")
    board = [
        unit("Oak", 1),
        unit("Foe", 2, owner=1),
        unit("Ewe", 1, owner=1, place="bf:1"),
        unit("Elm", 3, owner=1, place="bf:1"),
    ]
    duel = a_duel(hand=[storm], board=board)
    duel.play("Storm")

    assert lethal(duel, 1) == ["Storm would kill all your units at your base"]


def test_what_kills_needs_no_number() -> None:
    """A killed unit is dead, whatever its Might."""
    axe = spell("Axe", "Kill a unit.")
    duel = a_duel(hand=[axe], board=[unit("Foe", 9, owner=1, place="bf:1")])
    duel.play("Axe", choose=["Foe"])

    assert lethal(duel, 1) == ["Axe would kill all your units at Field One"]


# ---------------------------------------------------------------- points


@pytest.mark.parametrize(("points", "warns"), [(7, True), (6, False)])
def test_a_battlefield_that_is_about_to_be_conquered(points: int, warns: bool) -> None:
    """In a showdown with nobody else there the seat can only respond now."""
    duel = a_duel(board=[unit("Oak")], points=(points, 0))
    duel.move(["Oak"], "bf:1")

    assert lethal(duel, 1) == (["P1 would have 8 of 8 points"] if warns else [])
    assert lethal(duel, 0) == []


def test_a_battlefield_that_was_scored_is_not_scored_again() -> None:
    """Once in a turn (469)."""
    duel = a_duel(board=[unit("Oak")], points=(7, 0), scored=(("bf:1",), ()))
    duel.move(["Oak"], "bf:1")

    assert lethal(duel, 1) == []


def test_defenders_who_hold_out_keep_the_point() -> None:
    """Who would be killed there does not."""
    for might, warns in ((9, False), (3, True)):
        board = [unit("Oak", 4), unit("Foe", might, owner=1, place="bf:2")]
        duel = a_duel(board=board, points=(7, 0))
        duel.move(["Oak"], "bf:2")
        assert ("P1 would have 8 of 8 points" in lethal(duel, 1)) is warns


def test_what_is_held_next_turn() -> None:
    """315.2.b: whoever is about to end the turn, and for each battlefield of the next player's."""
    board = [unit("Foe", owner=1, place="bf:1"), unit("Ewe", owner=1, place="bf:2")]
    assert lethal(a_duel(board=board, points=(0, 6)), 0) == ["P2 would have 8 of 8 points"]
    assert lethal(a_duel(board=board, points=(0, 5)), 0) == []
    assert lethal(a_duel(board=board, points=(0, 6)), 1) == []


def test_points_that_are_given_on_the_chain() -> None:
    """A number, or one."""
    for words, points in (("You score 2 points.", 6), ("You score 1 point.", 7)):
        duel = a_duel(hand=[spell("Crown", words)], points=(points, 0))
        duel.play("Crown")
        assert lethal(duel, 1) == ["P1 would have 8 of 8 points"]
        assert lethal(duel, 0) == []
