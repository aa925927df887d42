"""Equipment: Equip, attachment, inactive text, what a gear gives; Quick-Draw, Weaponmaster."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from longfuse.abilities.ability import Ability, Change, Choice, Create, Do, Duration, Program
from longfuse.abilities.nodes import Named, Selector, This, When
from longfuse.rulesets.riftbound import equipment
from rulesets.riftbound.cards import CHOSEN, Placed, does, gear, kills, spell, unit
from rulesets.riftbound.duels import Playing, a_duel

SWORD = "[Equip] :rb_energy_1:\n\n[Assault 2]"
A_GEAR = Choice("t1", Selector(kinds=("gear",)))


def equipped(sword: str = SWORD, board: Sequence[Placed] = (), **start: Any) -> Playing:
    """A duel in which Sword, with +2 Might, has been attached to Oak, whose Might is 3."""
    duel = a_duel(
        board=[unit("Oak", 3), gear("Sword", sword, might=2), *board], energy=(1, 0), **start
    )
    duel.use("Sword", choose=["Oak"])
    duel.pass_all()
    return duel


@pytest.mark.rule("818.1.c.2", "434.4", "137.3")
def test_equip_attaches_for_its_cost() -> None:
    """Equip is paid for, and the gear is with the unit, whose Might its bonus raises."""
    duel = equipped()

    assert duel["Sword"].attached_to == duel["Oak"].ref
    assert duel["Oak"].might == 5
    assert duel.rules.player(0).energy == 0
    assert duel.count("equipped", "Oak") == 1


@pytest.mark.rule("434.1.c", "807")
def test_effect_text_is_appended_to_the_unit() -> None:
    """The unit has the Assault of the gear attached to it, the gear has not."""
    duel = equipped(board=[unit("Elm", 9, owner=1, place="bf:1")])

    duel.move(["Oak"], to="bf:1")

    assert duel["Oak"].might == 7


@pytest.mark.rule("719.3.a")
def test_attached_gear_moves_with_its_unit() -> None:
    """What is attached is where its unit goes."""
    duel = equipped()

    duel.move(["Oak"], to="bf:1")

    assert duel["Sword"].place == "bf:1"


@pytest.mark.rule("452.1", "719.5", "435.4.b")
def test_gear_is_recalled_when_its_unit_leaves() -> None:
    """The unit dies at a battlefield: its gear is detached, and goes home in the next cleanup."""
    duel = equipped(hand=[kills("Axe")])
    duel.move(["Oak"], to="bf:1")
    duel.pass_showdown()

    duel.play("Axe", choose=["Oak"])
    duel.pass_all()

    assert duel["Oak"].place == "trash:0"
    assert (duel["Sword"].place, duel["Sword"].attached_to) == ("base:0", None)
    assert duel.count("detached", "Sword") == 1


@pytest.mark.rule("722", "722.1", "816")
def test_rules_text_is_inactive_while_attached() -> None:
    """Temporary would kill the gear at the start of its controller's turn, but it is attached."""
    duel = equipped("[Temporary]\n[Equip] :rb_energy_1:")
    assert duel["Sword"].has("Temporary")

    duel.end_turn()
    duel.end_turn()

    assert duel["Sword"].attached_to == duel["Oak"].ref


@pytest.mark.rule("435.1.c")
def test_rules_text_works_again_when_detached() -> None:
    """Once it is detached, Temporary kills the gear."""
    take_off = spell("Slip", "", does(Do("detach", what=CHOSEN), choices=[A_GEAR]))
    duel = equipped("[Temporary]\n[Equip] :rb_energy_1:", hand=[take_off])
    duel.play("Slip", choose=["Sword"])
    duel.pass_all()
    assert duel["Oak"].might == 3

    duel.end_turn()
    duel.end_turn()

    assert duel["Sword"].place == "trash:0"


@pytest.mark.rule("434.1.f", "434.1.g")
def test_attaching_to_another_unit_detaches_first() -> None:
    """The gear changes its unit; attached to the same one again, nothing happens."""
    duel = a_duel(
        board=[unit("Oak", 3), unit("Elm", 3), gear("Sword", SWORD, might=2)], energy=(3, 0)
    )
    duel.use("Sword", choose=["Oak"])
    duel.pass_all()
    for name in ("Elm", "Elm"):
        _attach(duel, name)

    assert (duel["Oak"].might, duel["Elm"].might) == (3, 5)
    assert duel.count("attached", "Sword") == 2


def _attach(duel: Playing, name: str) -> None:
    """Attach Sword by the game's own action, as an effect does."""
    steps = equipment.attach(duel.rules, duel["Sword"].ref, duel[name].ref, 0, None)
    assert list(steps) == []


@pytest.mark.rule("722", "818.5")
def test_attached_gear_is_not_used_again() -> None:
    """An attached gear's Equip is inactive text."""
    duel = equipped(runes=(["fury"], []))

    (use,) = [option for option in duel.prompt.items if option.label.startswith("Use Sword")]
    assert (use.legal, use.reason[-8:]) == (False, " (722.1)")


@pytest.mark.rule("434.1.c", "383")
def test_trigger_given_by_a_gear_is_the_units() -> None:
    """ "When I attack" in the effect text speaks of the unit, "here" is where the unit is."""
    duel = equipped(
        "[Equip] :rb_energy_1:\n\nWhen I attack, deal 2 to an enemy unit here.",
        board=[unit("Elm", 9, owner=1, place="bf:1"), unit("Ash", 9, owner=1)],
    )

    duel.move(["Oak"], to="bf:1")
    duel.pass_showdown()

    assert duel.count("damage dealt", "Elm", combat=False) == 1
    assert duel.count("damage dealt", "Ash") == 0


@pytest.mark.rule("359.3.e.13")
def test_might_of_a_dead_unit_counts_its_gear() -> None:
    """What looks back at the unit that died sees the Might that it had with its gear."""
    duel = equipped(hand=[kills("Axe")])
    oak = duel["Oak"].ref

    duel.play("Axe", choose=["Oak"])
    duel.pass_all()

    assert duel.rules.stat_of(oak, "might") == 5
    assert duel.rules.is_state(oak, "equipped")


@pytest.mark.rule("390.5.a")
def test_while_attached_ends_with_the_link() -> None:
    """An effect that lasts while the gear is attached is over when it is detached."""
    bonus = Ability(
        kind="passive",
        changes=(Change("might", of=Named("t1"), amount=4),),
        window=Duration("while attached", of=Named("t2")),
    )
    duel = equipped(
        hand=[
            spell(
                "Oath",
                "",
                does(
                    Create(bonus),
                    choices=[
                        Choice("t1", Selector(kinds=("unit",))),
                        Choice("t2", Selector(kinds=("gear",))),
                    ],
                ),
            ),
            spell("Slip", "", does(Do("detach", what=CHOSEN), choices=[A_GEAR])),
        ]
    )
    duel.play("Oath", choose=["Oak", "Sword"])
    duel.pass_all()
    assert duel["Oak"].might == 9

    duel.play("Slip", choose=["Sword"])
    duel.pass_all()

    assert duel["Oak"].might == 3
    assert duel.ended == [("Oath", "expired")]


@pytest.mark.rule("819.1.d")
def test_quick_draw_reacts_and_attaches_itself() -> None:
    """A gear with Quick-Draw is played as a Reaction, and attaches itself when it is played."""
    duel = a_duel(
        hand=[gear("Bow", "[Quick-Draw]\n[Equip] :rb_energy_1:", might=2)],
        board=[unit("Oak", 3), unit("Elm", 4, owner=1, place="bf:1")],
    )
    duel.move(["Oak"], to="bf:1")

    duel.play("Bow")
    duel.pass_showdown()

    assert duel["Elm"].place == "trash:1"
    assert duel["Oak"].damage == 0


@pytest.mark.rule("821.1.c", "821.1.c.6")
def test_weaponmaster_equips_for_less() -> None:
    """The Equip cost has 1 Power less, and Equip itself is not activated."""
    duel = a_duel(
        hand=[unit("Ash", 2, "[Weaponmaster]")],
        board=[gear("Sword", "[Equip] :rb_energy_1::rb_rune_fury:", might=2)],
        energy=(1, 0),
    )

    duel.play("Ash")
    duel.answer(True)
    duel.pass_all()

    assert duel["Sword"].attached_to == duel["Ash"].ref
    assert duel.rules.player(0).energy == 0
    assert duel.count("ability activated") == 0


@pytest.mark.rule("821.1.c.5")
def test_weaponmaster_that_cannot_pay_leaves_the_gear() -> None:
    """What can't be paid for stays attached to what it was attached to."""
    duel = a_duel(
        hand=[unit("Ash", 2, "[Weaponmaster]")],
        board=[unit("Oak", 3), gear("Sword", SWORD, might=2)],
        energy=(1, 0),
    )
    duel.use("Sword", choose=["Oak"])
    duel.pass_all()

    duel.play("Ash")
    duel.answer(True)
    duel.pass_all()

    assert duel["Sword"].attached_to == duel["Oak"].ref


@pytest.mark.rule("725.1")
def test_trigger_off_attaching_is_seen_as_it_attaches() -> None:
    """Rules text about this very attaching still works as it becomes inactive."""
    draws = Ability(
        kind="triggered",
        when=When("attached", subject=This()),
        program=Program(body=(Do("draw", amount=1),)),
    )
    equip = Ability(kind="keyword", keyword="Equip")
    duel = a_duel(board=[unit("Oak", 3), gear("Sword", "", equip, draws)])
    before = duel.hand(0)

    duel.use("Sword", choose=["Oak"])
    duel.pass_all()

    assert duel.hand(0) == before + 1
