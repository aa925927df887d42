"""Experience: gaining and spending XP, Level and Hunt (728-733, 823, 824)."""

from __future__ import annotations

from typing import Any

import pytest

from rulesets.riftbound.cards import gear, spell, unit
from rulesets.riftbound.duels import Playing, a_duel


def xp(duel: Playing, seat: int = 0) -> int:
    """A seat's experience."""
    return duel.rules.player(seat).xp


def with_xp(amount: int, **start: Any) -> Playing:
    """A duel in which seat 0 has that much experience."""
    return a_duel(xp=(amount, 0), **start)


@pytest.mark.rule("730.1")
def test_xp_is_gained() -> None:
    """It is added to the player's number, which is public."""
    duel = a_duel(hand=[spell("Lesson", "Gain 2 XP.")])
    duel.play("Lesson")
    duel.pass_all()
    assert (xp(duel, 0), xp(duel, 1)) == (2, 0)
    assert duel.game.view(1).entities["seat:0"]["xp"] == 2


@pytest.mark.rule("730.1")
def test_gaining_xp_is_seen() -> None:
    """ "When you gain XP" triggers, for its own controller's XP only."""
    watcher = unit("Scribe", 2, "When you gain XP, draw 1.")
    duel = a_duel(hand=[spell("Lesson", "Gain 2 XP.")], board=[watcher])
    duel.play("Lesson")
    duel.pass_all()
    assert duel.hand(0) == 1


@pytest.mark.rule("730.2")
@pytest.mark.parametrize(("have", "drawn", "left"), [(3, 1, 1), (1, 0, 1)])
def test_xp_is_spent_if_there_is_enough(have: int, drawn: int, left: int) -> None:
    """ "If you do" asks whether it was spent; who has too little spends none."""
    duel = with_xp(have, hand=[spell("Trade", "You may spend 2 XP. If you do, draw 1.")])
    duel.play("Trade")
    duel.pass_all()
    if duel.asked[1] == "may":
        duel.answer(True)
        duel.pass_all()
    assert xp(duel) == left
    assert duel.hand(0) == drawn or have == 1


@pytest.mark.rule("730.2", "357")
def test_xp_as_a_cost() -> None:
    """An ability that costs XP can't be used without it."""
    book = gear("Book", "Spend 2 XP: Draw 1.")
    duel = with_xp(2, board=[book])
    duel.use("Book")
    duel.pass_all()
    assert (xp(duel), duel.hand(0)) == (0, 1)
    with pytest.raises(AssertionError, match="can't be paid"):
        duel.use("Book")


@pytest.mark.rule("823.1.c.1")
def test_hunt_gains_xp_on_conquering_and_on_holding() -> None:
    """[Hunt 2]: two XP for a conquest, two more for holding in the next own turn."""
    duel = a_duel(board=[unit("Wolf", 3, "[Hunt 2]")])
    duel.move(["Wolf"], to="bf:1")
    duel.pass_showdown()
    assert xp(duel) == 2
    duel.end_turn()
    duel.end_turn()
    assert xp(duel) == 4


@pytest.mark.rule("823.1.c.2")
def test_hunt_without_a_number_is_hunt_one() -> None:
    """[Hunt] gives 1."""
    duel = a_duel(board=[unit("Wolf", 3, "[Hunt]")])
    duel.move(["Wolf"], to="bf:1")
    duel.pass_showdown()
    assert xp(duel) == 1


@pytest.mark.rule("823.2")
def test_hunt_values_add_up() -> None:
    """Printed Hunt 1 and given Hunt 2 are one trigger for 3; a unit without it gets the 2."""
    leader = unit("Alpha", 2, "Other friendly units have [Hunt 2].")
    duel = a_duel(board=[unit("Wolf", 3, "[Hunt]"), unit("Dog", 3), leader])
    duel.move(["Wolf"], to="bf:1")
    duel.pass_showdown()
    assert xp(duel) == 3
    assert duel.count("xp gained") == 1
    duel.move(["Dog"], to="bf:2")
    duel.pass_showdown()
    assert xp(duel) == 5


@pytest.mark.rule("824.1.c", "824.1.d")
def test_level_is_active_while_there_is_enough_xp() -> None:
    """[Level 3] gives Might and a keyword with 3 XP, and takes them away with the third."""
    duel = with_xp(
        2,
        hand=[spell("Lesson", "Gain 1 XP.")],
        board=[
            unit("Pupil", 3, "[Level 3] I have +1 Might and Ganking."),
            gear("Book", "Spend 1 XP: Draw 1."),
        ],
    )
    assert (duel["Pupil"].might, duel["Pupil"].has("Ganking")) == (3, False)
    duel.play("Lesson")
    duel.pass_all()
    assert (duel["Pupil"].might, duel["Pupil"].has("Ganking")) == (4, True)
    duel.use("Book")
    duel.pass_all()
    assert (duel["Pupil"].might, duel["Pupil"].has("Ganking")) == (3, False)


@pytest.mark.rule("824.1.b.1")
@pytest.mark.parametrize(("have", "legal"), [(2, False), (3, True)])
def test_level_of_an_activated_ability(have: int, legal: bool) -> None:
    """Without the XP it can't be used."""
    duel = with_xp(have, board=[gear("Orb", "[Level 3] [Exhaust]: Draw 1.")])
    found = [one.legal for one in duel.prompt.items if one.label.startswith("Use Orb")]
    assert found == [legal]


@pytest.mark.rule("824.1.b.1")
@pytest.mark.parametrize(("have", "drawn"), [(1, 0), (2, 1)])
def test_level_of_a_triggered_ability(have: int, drawn: int) -> None:
    """It triggers only with the XP."""
    duel = with_xp(have, board=[unit("Pupil", 3, "[Level 2] When I move, draw 1.")])
    duel.move(["Pupil"], to="bf:1")
    duel.pass_all()
    assert duel.hand(0) == drawn


@pytest.mark.rule("824.1.b.1")
@pytest.mark.parametrize(("have", "exhausted"), [(2, True), (3, False)])
def test_level_of_entering_ready(have: int, exhausted: bool) -> None:
    """ "[Level 3] I enter ready." """
    duel = with_xp(have, hand=[unit("Pupil", 3, "[Level 3] I enter ready.")])
    duel.play("Pupil")
    assert duel["Pupil"].exhausted is exhausted


@pytest.mark.rule("824.1.c.1")
def test_level_follows_the_controller() -> None:
    """What counts is the XP of whoever controls the unit."""
    duel = with_xp(3, board=[unit("Pupil", 3, "[Level 3] I have +2 Might.", owner=1)])
    assert duel["Pupil"].might == 3
    duel.game.change(duel["Pupil"].ref, controller=0)
    assert duel["Pupil"].might == 5
