"""318-324: cleanups, in their order."""

from __future__ import annotations

import pytest

from longfuse.abilities.ability import Ability, Change, Do
from longfuse.abilities.nodes import Selector, Who
from rulesets.riftbound.cards import deals, does, gear, kills, spell, unit
from rulesets.riftbound.duels import a_duel


@pytest.mark.rule("323.5")
@pytest.mark.parametrize(("damage", "place"), [(2, "base:0"), (3, "trash:0"), (4, "trash:0")])
def test_lethal_damage_kills_in_the_cleanup(damage: int, place: str) -> None:
    """Damage of at least its Might kills a unit, less does not."""
    duel = a_duel(hand=[deals("Bolt", damage)], board=[unit("Oak", 3)])
    duel.play("Bolt", choose=["Oak"])
    duel.pass_all()

    assert duel["Oak"].place == place


@pytest.mark.rule("323.5")
def test_without_damage_no_might_is_too_little() -> None:
    """A unit with 0 Might and no damage lives; with 1 damage it dies."""
    duel = a_duel(
        hand=[spell("Wither", "Give a unit -3 Might this turn."), deals("Spark", 1)],
        board=[unit("Oak", 3)],
    )
    duel.play("Wither", choose=["Oak"])
    duel.pass_all()
    assert (duel["Oak"].place, duel["Oak"].might) == ("base:0", 0)
    duel.play("Spark", choose=["Oak"])
    duel.pass_all()

    assert duel["Oak"].place == "trash:0"


@pytest.mark.rule("321")
def test_no_cleanup_while_something_resolves() -> None:
    """Both damages of one spell are marked before the unit is looked at."""
    duel = a_duel(
        hand=[spell("Volley", "Deal 3 to a unit. Deal 3 to it.")], board=[unit("Oak", 3, owner=1)]
    )
    duel.play("Volley", choose=["Oak"])
    duel.pass_all()

    assert duel.count("damage dealt", "Oak") == 2
    assert duel["Oak"].place == "trash:1"


@pytest.mark.rule("323.5")
def test_units_die_together() -> None:
    """Two lethally damaged units are killed in one batch, so neither sees the other die."""
    text = "When another friendly unit dies, draw 1."
    duel = a_duel(
        hand=[spell("Rain", "Deal 3 to each of up to two units.")],
        board=[unit("One", 3, text), unit("Two", 3, text)],
    )
    duel.play("Rain", choose=[["One", "Two"]])
    duel.pass_all()
    deaths = [m for m in duel.game.log.events if m.event == "unit died"]

    assert len({m.batch for m in deaths}) == 1
    assert duel.hand(0) == 0


@pytest.mark.rule("322")
def test_cleanups_repeat_until_nothing_changes() -> None:
    """A unit that lived by another's aura dies in the next cleanup, before anybody acts."""
    aura = Ability(
        kind="passive",
        changes=(
            Change(
                "might", of=Selector(kinds=("unit",), control="friendly", another=True), amount=2
            ),
        ),
    )
    duel = a_duel(
        hand=[kills("Blade")],
        board=[unit("Chief", 3, "", aura), unit("Oak", 3, damage=4)],
    )
    assert duel["Oak"].place == "base:0"
    duel.play("Blade", choose=["Chief"])
    duel.pass_all()

    assert duel["Oak"].place == "trash:0"


@pytest.mark.rule("323.6", "187.4.c")
def test_an_empty_battlefield_becomes_uncontrolled() -> None:
    """In an open state a battlefield without its controller's units has no controller."""
    duel = a_duel(hand=[kills("Blade")], board=[unit("Guard", owner=1, place="bf:1")])
    assert duel.controls("bf:1") == 1
    duel.play("Blade", choose=["Guard"])
    duel.resolve()

    assert duel.controls("bf:1") == -1


@pytest.mark.rule("323.6")
def test_in_a_closed_state_control_is_kept() -> None:
    """While anything is on the chain, the empty battlefield stays controlled."""
    duel = a_duel(
        hand=[kills("Blade")],
        board=[unit("Guard", 3, "Deathknell: Draw 1.", owner=1, place="bf:1")],
    )
    duel.play("Blade", choose=["Guard"])
    duel.resolve()
    assert duel.chain == ["Guard"]
    assert duel.controls("bf:1") == 1
    duel.pass_all()

    assert duel.controls("bf:1") == -1


@pytest.mark.rule("323.7", "452")
def test_gear_at_a_battlefield_is_recalled() -> None:
    """Gear that is not attached goes to its controller's base."""
    duel = a_duel(board=[gear("Lamp", place="bf:1"), unit("Guard", place="bf:1")])

    assert duel["Lamp"].place == "base:0"


@pytest.mark.rule("323.7")
def test_a_stolen_unit_in_the_wrong_base_is_recalled() -> None:
    """A unit in its former controller's base goes to the new controller's."""
    duel = a_duel(
        hand=[spell("Steal", "Take control of an enemy unit this turn.")],
        board=[unit("Foe", owner=1)],
    )
    duel.play("Steal", choose=["Foe"])
    duel.pass_all()

    assert duel["Foe"].place == "base:0"


@pytest.mark.rule("323.1", "472")
@pytest.mark.parametrize(("theirs", "wins"), [(7, True), (8, False)])
def test_points_win_in_a_cleanup(theirs: int, wins: bool) -> None:
    """With the Victory Score, and more than the opponent, a player wins at the next cleanup."""
    duel = a_duel(
        hand=[spell("Prize", "", does(Do("points", amount=1, who=Who())))], points=(7, theirs)
    )
    if duel.game.result is not None:
        assert not wins
        return
    duel.play("Prize")
    duel.pass_()
    duel.pass_()

    assert (duel.game.result is not None and duel.game.result.winner == 0) == wins


@pytest.mark.rule("323.8", "344")
def test_a_contested_battlefield_stages_a_showdown() -> None:
    """A unit that comes to a battlefield nobody controls leads to a showdown there."""
    duel = a_duel(board=[unit("Scout")])
    duel.move(["Scout"], "bf:1")

    assert duel.asked == (0, "focus")
    assert duel.rules.showdown is not None
    assert (duel.rules.showdown.place, duel.rules.showdown.combat) == ("bf:1", False)


@pytest.mark.rule("323.11", "456.1")
def test_the_turn_player_chooses_where_the_first_showdown_begins() -> None:
    """Two battlefields are contested at once: which showdown comes first is their choice."""
    duel = a_duel(
        board=[
            unit("Scout", place="bf:1"),
            unit("Foe", owner=1, place="bf:1"),
            unit("Raider", place="bf:2"),
            unit("Rival", owner=1, place="bf:2"),
        ],
        control={"bf:1": 1, "bf:2": 1},
    )

    assert duel.asked == (0, "first")
    duel.answer("Field Two")
    assert duel.rules.showdown is not None
    assert duel.rules.showdown.place == "bf:2"


@pytest.mark.rule("324.2")
def test_a_special_cleanup_is_not_repeated_as_such() -> None:
    """An aura's source dies in the combat cleanup; who lived by it is healed there and lives."""
    aura = Ability(
        kind="passive",
        changes=(
            Change(
                "might", of=Selector(kinds=("unit",), control="friendly", another=True), amount=3
            ),
        ),
    )
    duel = a_duel(
        board=[
            unit("Scout", 3, place="bf:1"),
            unit("Chief", 1, "", aura, place="bf:1"),
            unit("Foe", 5, owner=1, place="bf:1"),
        ],
        control={"bf:1": 1},
    )
    duel.pass_()
    duel.pass_()
    while duel.prompt.kind == "assign":
        duel.answer(["Chief", "Scout"])

    # 5 damage: 1 kills the chief, 4 are marked on the scout (3 + 3 Might): healed in row 3c.
    assert duel["Chief"].place == "trash:0"
    assert (duel["Scout"].damage, duel["Scout"].might) == (0, 3)
