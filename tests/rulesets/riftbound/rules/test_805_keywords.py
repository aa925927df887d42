"""Keywords: Accelerate, Assault, Deathknell, Deflect, Ganking, Legion, Shield, Tank, Temporary,
Ambush, Backline, Flow, Stun, Bonus Damage, buffs."""

from __future__ import annotations

import pytest

from longfuse.abilities.ability import Choice, Do
from longfuse.abilities.nodes import Named, Selector
from rulesets.riftbound.cards import deals, does, draws, gear, kills, spell, unit
from rulesets.riftbound.duels import a_duel


@pytest.mark.rule("805.1.a", "805.6")
@pytest.mark.parametrize(("pay", "ready"), [(True, True), (False, False)])
def test_accelerate_enters_ready_if_paid(pay: bool, ready: bool) -> None:
    """1 Energy and 1 Power of its domain more: it enters ready, which is no readying."""
    duel = a_duel(
        hand=[unit("Racer", 2, "Accelerate", domains=["fury"])],
        energy=(1, 0),
        power=({"fury": 1}, {}),
    )
    duel.play("Racer", pay=pay)

    assert duel["Racer"].exhausted != ready
    assert duel.count("readied") == 0
    assert duel.rules.player(0).energy == (0 if pay else 1)


@pytest.mark.rule("805.1.a.1")
def test_accelerate_needs_the_unit_s_own_domain() -> None:
    """Power of another domain does not pay for it, so it is not offered."""
    duel = a_duel(
        hand=[unit("Racer", 2, "Accelerate", domains=["fury"])],
        energy=(1, 0),
        power=({"calm": 1}, {}),
    )
    duel.play("Racer", pay=True)

    assert duel["Racer"].exhausted


@pytest.mark.rule("807", "814")
@pytest.mark.parametrize(("text", "side"), [("Assault 2", "attacks"), ("Shield 2", "defends")])
def test_assault_and_shield(text: str, side: str) -> None:
    """Assault helps an attacker, Shield a defender, and only then."""
    attacks = side == "attacks"
    duel = a_duel(
        board=[
            unit("Scout", 3, text if attacks else ""),
            unit("Foe", 3, "" if attacks else text, owner=1, place="bf:1"),
        ]
    )
    mine = "Scout" if attacks else "Foe"
    assert duel[mine].might == 3
    duel.move(["Scout"], "bf:1")

    assert duel[mine].might == 5


@pytest.mark.rule("807.2")
def test_assault_values_are_summed() -> None:
    """A granted Assault 3 and a printed Assault make 4."""
    duel = a_duel(
        hand=[spell("Cleave", "Give a unit [Assault 3] this turn.")],
        board=[unit("Scout", 3, "Assault"), unit("Foe", 9, owner=1, place="bf:1")],
    )
    duel.play("Cleave", choose=["Scout"])
    duel.pass_all()
    duel.move(["Scout"], "bf:1")

    assert duel["Scout"].might == 7


@pytest.mark.rule("808")
def test_deathknell_triggers_on_its_own_death() -> None:
    """The effect goes on the chain as the unit dies."""
    duel = a_duel(hand=[kills("Blade")], board=[unit("Martyr", 2, "Deathknell: Draw 1.")])
    duel.play("Blade", choose=["Martyr"])
    duel.resolve()

    assert duel.chain == ["Martyr"]


@pytest.mark.rule("808.1.d.1")
def test_a_replaced_death_has_no_deathknell() -> None:
    """Saved, it was not sent to the trash."""
    duel = a_duel(
        hand=[kills("Blade")],
        board=[
            unit("Martyr", 2, "Deathknell: Draw 1."),
            gear(
                "Hourglass",
                "If a unit you control would die, instead kill this, then heal, exhaust and recall "
                "that unit.",
            ),
        ],
    )
    duel.play("Blade", choose=["Martyr"])
    duel.resolve()

    assert duel.chain == []


@pytest.mark.rule("809")
def test_deflect_costs_its_chooser_power() -> None:
    """An opponent's spell that chooses it costs Power of any domain more; without, it can't."""
    start = {
        "hand": [deals("Bolt", 3)],
        "board": [unit("Slick", 3, "Deflect", owner=1), unit("Plain", 3, owner=1)],
    }
    paid = a_duel(**start, power=({"calm": 1}, {}))
    paid.play("Bolt", choose=["Slick"])
    assert paid.rules.player(0).power == ()

    poor = a_duel(**start)
    poor.play("Bolt")
    poor.pass_all()
    assert (poor["Slick"].damage, poor["Plain"].place) == (0, "trash:1")


@pytest.mark.rule("809")
def test_deflect_is_not_for_its_own_controller() -> None:
    """Who controls it chooses it freely."""
    duel = a_duel(hand=[deals("Bolt", 1)], board=[unit("Slick", 3, "Deflect 2")])
    duel.play("Bolt", choose=["Slick"])
    duel.pass_all()

    assert duel["Slick"].damage == 1


@pytest.mark.rule("809.1.c")
def test_deflect_is_paid_for_abilities_too() -> None:
    """An activated ability that chooses it costs the Power more."""
    wand = "[Exhaust]: Deal 1 to a unit."
    duel = a_duel(
        board=[gear("Wand", wand), unit("Slick", 3, "Deflect", owner=1), unit("Oak")],
        power=({"calm": 1}, {}),
    )
    duel.use("Wand", choose=["Slick"])

    assert duel.rules.player(0).power == ()


@pytest.mark.rule("810", "144.4")
@pytest.mark.parametrize(("text", "may"), [("Ganking", True), ("", False)])
def test_ganking_moves_between_battlefields(text: str, may: bool) -> None:
    """Without it a unit at a battlefield moves only to its base."""
    duel = a_duel(board=[unit("Rogue", 3, text, place="bf:1")])
    duel.decide(next(i for i, o in enumerate(duel.prompt.items) if o.label == "Move units"))
    if duel.prompt.text == "Which units move?":
        duel.answer(["Rogue"])
    places = [option.value for option in duel.prompt.items]

    assert ("bf:2" in places) == may


@pytest.mark.rule("812")
@pytest.mark.parametrize(("first", "ready"), [(True, True), (False, False)])
def test_legion_asks_for_another_card(first: bool, ready: bool) -> None:
    """The card itself does not count."""
    duel = a_duel(hand=[draws("Book"), unit("Hopeful", 2, "Legion: I enter ready.")])
    if first:
        duel.play("Book")
        duel.pass_all()
    duel.play("Hopeful")

    assert duel["Hopeful"].exhausted != ready


@pytest.mark.rule("815", "826")
def test_tank_first_and_backline_last() -> None:
    """Combat damage goes to the Tank first, and to the Backline last, without asking."""
    duel = a_duel(
        board=[
            unit("Scout", 5),
            unit("Last", 2, "Backline", owner=1, place="bf:1"),
            unit("Plain", 2, owner=1, place="bf:1"),
            unit("First", 2, "Tank", owner=1, place="bf:1"),
        ]
    )
    duel.move(["Scout"], "bf:1")
    duel.pass_()
    duel.pass_()
    dealt = {
        duel.game.board.card(m.subjects[0]).name: m.amount
        for m in duel.game.log.events
        if m.event == "damage dealt"
    }

    assert {name: dealt.get(name) for name in ("First", "Plain", "Last")} == {
        "First": 2,
        "Plain": 2,
        "Last": 1,
    }


@pytest.mark.rule("816")
def test_temporary_dies_at_the_start_of_its_controller_s_beginning_phase() -> None:
    """Before scoring, so its battlefield is not held by it."""
    duel = a_duel(board=[unit("Spark", 2, "Temporary", owner=1, place="bf:1")])
    duel.advance("beginning")
    assert duel.chain == ["Spark"]
    duel.pass_all()

    assert duel["Spark"].place == "trash:1"
    assert duel.points(1) == 0


@pytest.mark.rule("816.1.c")
def test_temporary_speaks_of_its_present_controller() -> None:
    """Stolen for good, it dies in the new controller's Beginning Phase, not in its owner's."""
    duel = a_duel(
        hand=[spell("Steal", "Take control of an enemy unit and recall it.")],
        board=[unit("Spark", 2, "Temporary", owner=1)],
    )
    duel.play("Steal", choose=["Spark"])
    duel.pass_all()
    duel.end_turn()
    assert duel["Spark"].place == "base:0"
    duel.end_turn()

    assert duel["Spark"].place == "trash:1"


@pytest.mark.rule("816.2")
def test_temporary_twice_triggers_once() -> None:
    """A granted Temporary adds nothing to a printed one."""
    duel = a_duel(
        hand=[spell("Fade", "Give a unit [Temporary] this turn.")],
        board=[unit("Spark", 2, "Temporary", owner=1)],
    )
    duel.play("Fade", choose=["Spark"])
    duel.pass_all()
    duel.advance("beginning")

    assert duel.chain == ["Spark"]


@pytest.mark.rule("822")
def test_ambush_comes_as_a_reaction_where_you_have_units() -> None:
    """In a showdown it may be played to a battlefield with its player's units."""
    duel = a_duel(
        hand=[unit("Lurker", 4, "Ambush")],
        board=[unit("Scout", 2), unit("Foe", 5, owner=1, place="bf:1")],
    )
    duel.move(["Scout"], "bf:1")
    duel.play("Lurker", to="bf:1")

    assert (duel["Lurker"].place, duel["Lurker"].designation) == ("bf:1", "attacker")


@pytest.mark.rule("822.1.b")
def test_ambush_without_units_there_is_no_reaction() -> None:
    """With no battlefield where its player has units it is not legal."""
    duel = a_duel(hand=[draws("Book"), unit("Lurker", 4, "Ambush")])
    duel.play("Book")

    assert "822.1.b" in duel.reason("Lurker")


@pytest.mark.rule("829")
def test_flow_plays_from_the_trash_for_its_cost() -> None:
    """It costs the Flow cost instead of its own, and is gone for good afterwards."""
    duel = a_duel(trash=[spell("River", "Draw 1.\nFlow 1", energy=5)], energy=(1, 0))
    duel.play("River", how="flow")
    duel.pass_all()

    assert (duel.hand(0), duel["River"].place) == (1, "banishment:0")


@pytest.mark.rule("423.1.a")
def test_stun_is_binary_and_ends_with_the_turn() -> None:
    """A stunned unit is not stunned again, and no longer stunned next turn."""
    duel = a_duel(
        hand=[spell("Daze", "Stun a unit."), spell("Numb", "Stun a unit.")],
        board=[unit("Foe", owner=1)],
    )
    for name in ("Daze", "Numb"):
        duel.play(name, choose=["Foe"])
        duel.pass_all()
    assert (duel["Foe"].stunned, duel.count("stunned")) == (True, 1)
    duel.end_turn()

    assert not duel["Foe"].stunned


@pytest.mark.rule("714", "715.2")
def test_bonus_damage_is_summed_and_given_to_each_target() -> None:
    """Two sources add up, and every target takes the sum more."""
    aura = "Your spells deal 1 Bonus Damage."
    duel = a_duel(
        hand=[spell("Rain", "Deal 2 to each of up to two units.")],
        board=[
            unit("Imp", 1, aura),
            unit("Fiend", 1, aura),
            unit("Foe", 9, owner=1),
            unit("Rival", 9, owner=1),
        ],
    )
    duel.play("Rain", choose=[["Foe", "Rival"]])
    duel.pass_all()

    assert (duel["Foe"].damage, duel["Rival"].damage) == (4, 4)


@pytest.mark.rule("712", "417.1.a")
def test_bonus_damage_is_not_for_combat() -> None:
    """Combat damage is assigned, not a Deal action."""
    duel = a_duel(
        board=[
            unit("Imp", 1, "Your spells deal 1 Bonus Damage."),
            unit("Scout", 3),
            unit("Foe", 9, owner=1, place="bf:1"),
        ]
    )
    duel.move(["Scout"], "bf:1")
    duel.pass_showdown()

    assert duel.count("damage dealt", "Foe", amount=3) == 1


@pytest.mark.rule("715.4", "437.4")
def test_bonus_damage_does_not_come_without_damage() -> None:
    """A spell that deals none is not made to."""
    duel = a_duel(
        hand=[draws("Book")],
        board=[unit("Imp", 1, "Your spells deal 1 Bonus Damage."), unit("Foe", owner=1)],
    )
    duel.play("Book")
    duel.pass_all()

    assert duel.count("damage dealt") == 0


@pytest.mark.rule("426", "702.3")
def test_a_unit_has_one_buff_at_most() -> None:
    """The second buff is not placed, and "if it was buffed" sees that."""
    buff = does(Do("buff", what=Named("t1")), choices=[Choice("t1", Selector(kinds=("unit",)))])
    duel = a_duel(hand=[spell("Cheer", "", buff), spell("Roar", "", buff)], board=[unit("Oak", 3)])
    for name in ("Cheer", "Roar"):
        duel.play(name, choose=["Oak"])
        duel.pass_all()

    assert (duel["Oak"].might, duel["Oak"].buffs, duel.count("buffed")) == (4, 1, 1)


@pytest.mark.rule("432.1.a")
def test_doubling_adds_what_the_might_is_then() -> None:
    """5 Might is doubled to 10; what it had by then may end, the added 5 stay."""
    duel = a_duel(
        hand=[
            spell("Rise", "Give a unit +2 Might this turn."),
            spell("Stand", "Double a friendly unit's Might this turn."),
        ],
        board=[unit("Oak", 3)],
    )
    for name in ("Rise", "Stand"):
        duel.play(name, choose=["Oak"])
        duel.pass_all()

    assert duel["Oak"].might == 10
