"""Additional costs: mandatory, optional, Accelerate; what they do to the total; Deflect."""

from __future__ import annotations

import pytest

from longfuse.abilities.ability import Ability, Change
from longfuse.abilities.nodes import Paid, Selector
from rulesets.riftbound.cards import deals, draws, gear, spell, unit
from rulesets.riftbound.duels import a_duel

KEEPER = (
    "You may pay :rb_energy_1: as an additional cost to play me.\n"
    "When you play me, if you paid the additional cost, draw 1."
)
PATRON = "As an additional cost to play me, kill a friendly unit."
OWN_UNITS = Selector(kinds=("unit",), control="friendly", zone="any")
OWN_SPELLS = Selector(kinds=("spell",), control="friendly", zone="any")


@pytest.mark.rule("356.2.b", "356.2.b.1")
@pytest.mark.parametrize("pay", [True, False])
def test_optional_additional_cost_is_paid_or_not(pay: bool) -> None:
    """Paid, it costs 1 more and "if you paid" holds; not paid, neither."""
    duel = a_duel(hand=[unit("Keeper", 2, KEEPER)], energy=(1, 0))

    duel.play("Keeper", pay=pay)
    duel.pass_all()

    assert duel.rules.player(0).energy == (0 if pay else 1)
    assert duel.hand(0) == (1 if pay else 0)


@pytest.mark.rule("356.2.b")
def test_optional_additional_cost_is_not_offered_to_who_cannot_pay() -> None:
    """Without the Energy nobody is asked."""
    duel = a_duel(hand=[unit("Keeper", 2, KEEPER)])

    duel.play("Keeper", pay=True)
    duel.pass_all()

    assert duel["Keeper"].place == "base:0"
    assert duel.hand(0) == 0


@pytest.mark.rule("356.2.a.1", "357.2")
def test_mandatory_additional_cost_is_carried_out() -> None:
    """Playing it kills the unit that its player picks, while it is being paid for."""
    duel = a_duel(hand=[unit("Patron", 6, PATRON)], board=[unit("Oak"), unit("Elm")])

    duel.play("Patron", choose=["Elm"])

    assert (duel["Patron"].place, duel["Elm"].place) == ("base:0", "trash:0")
    assert duel["Oak"].place == "base:0"


@pytest.mark.rule("356.2.a.1")
def test_mandatory_additional_cost_that_cannot_be_paid() -> None:
    """With nothing to kill the card can't be played, and the reason says so."""
    duel = a_duel(hand=[unit("Patron", 6, PATRON)], board=[unit("Oak", owner=1)])

    assert not duel.offers("Patron")
    assert "additional cost" in duel.reason("Patron")


@pytest.mark.rule("356.4.f", "356.4.f.1")
def test_discount_also_takes_off_an_additional_cost() -> None:
    """An additional cost that a discount brings to 0 was paid all the same."""
    less = Ability(
        kind="passive",
        changes=(Change("cost", of=OWN_UNITS, amount=-1),),
    )
    duel = a_duel(hand=[unit("Keeper", 2, KEEPER)], board=[unit("Aide", 1, "", less)])

    duel.play("Keeper", pay=True)
    duel.pass_all()

    assert duel.hand(0) == 1


@pytest.mark.rule("356.2.b.1", "356.4")
def test_reduction_for_an_additional_cost_that_was_paid() -> None:
    """ "If you do, this costs less": the card can be played by whoever could pay with it."""
    may = Ability(
        kind="keyword",
        keyword="Additional Cost",
        optional=True,
        cost=unit("x", 1, PATRON).definition.extra[0].cost,
    )
    less = Ability(
        kind="passive",
        zones=("hand", "chain"),
        condition=Paid("additional cost"),
        changes=(Change("cost", amount=-3),),
    )
    duel = a_duel(hand=[unit("Lord", 5, "", may, less, energy=3)], board=[unit("Oak")])
    assert duel.offers("Lord")

    duel.play("Lord", pay=True, choose=["Oak"])

    assert (duel["Lord"].place, duel["Oak"].place) == ("base:0", "trash:0")


@pytest.mark.rule("809.1.c", "356.2.a.2")
def test_deflect_is_paid_for_choosing() -> None:
    """Choosing an opponent's unit with Deflect costs 1 Power of any domain more."""
    duel = a_duel(
        hand=[deals("Spark", 1)],
        board=[unit("Elm", 3, "[Deflect]", owner=1)],
        power=({"mind": 1}, {}),
    )

    duel.play("Spark", choose=["Elm"])
    duel.pass_all()

    assert duel["Elm"].damage == 1
    assert duel.rules.player(0).power == ()


@pytest.mark.rule("355.16", "809.1.c")
def test_deflect_that_cannot_be_paid() -> None:
    """Who can't pay can't choose it, nor play what has nothing else to choose."""
    duel = a_duel(hand=[deals("Spark", 1)], board=[unit("Elm", 3, "[Deflect]", owner=1)])
    assert not duel.offers("Spark")
    assert "1 any Power" in duel.reason("Spark")

    other = a_duel(
        hand=[deals("Spark", 1)], board=[unit("Elm", 3, "[Deflect]", owner=1), unit("Oak", 3)]
    )
    other.play("Spark", choose=["Oak"])
    other.pass_all()

    assert (other["Oak"].damage, other["Elm"].damage) == (1, 0)


@pytest.mark.rule("809.1.c")
def test_deflect_against_a_triggered_ability() -> None:
    """A triggered ability that chooses it costs as much; unpaid, it never gets on the chain."""
    text = "When you play me, deal 2 to an enemy unit."
    duel = a_duel(hand=[unit("Ash", 2, text)], board=[unit("Elm", 3, "[Deflect]", owner=1)])

    duel.play("Ash")

    assert duel.chain == []
    assert duel["Elm"].damage == 0


@pytest.mark.rule("809.1.c")
def test_deflect_does_not_count_for_its_own_player() -> None:
    """One's own unit is chosen for nothing."""
    duel = a_duel(hand=[deals("Spark", 1)], board=[unit("Oak", 3, "[Deflect]")])

    duel.play("Spark", choose=["Oak"])
    duel.pass_all()

    assert duel["Oak"].damage == 1


@pytest.mark.rule("805.1.a", "356.1.b.3")
def test_accelerate_is_paid_where_the_base_cost_is_ignored() -> None:
    """A unit whose cost is ignored still may be accelerated for its own price."""
    free = Ability(
        kind="passive",
        changes=(Change("base cost", of=OWN_UNITS, amount=0),),
    )
    duel = a_duel(
        hand=[unit("Ash", 2, "[Accelerate]", energy=4, domains=["fury"])],
        board=[gear("Gate", "", free)],
        energy=(1, 0),
        power=({"fury": 1}, {}),
    )

    duel.play("Ash", pay=True)

    assert not duel["Ash"].exhausted
    assert duel.rules.player(0).energy == 0


@pytest.mark.rule("472.3", "356.4.e")
def test_discounts_with_a_minimum_come_first() -> None:
    """A discount "to a minimum of 1" limits itself only, not another one."""
    floor = Ability(
        kind="passive",
        changes=(
            Change(
                "cost",
                of=OWN_SPELLS,
                amount=-1,
                least=1,
            ),
        ),
    )
    lots = Ability(kind="passive", zones=("hand", "chain"), changes=(Change("cost", amount=-7),))
    effect = draws("x").definition.abilities[0]
    duel = a_duel(
        hand=[spell("Rift", "", effect, lots, energy=8)], board=[unit("Aide", 1, "", floor)]
    )

    assert duel.offers("Rift")


@pytest.mark.rule("356.3", "356.5")
def test_power_costs_rise_and_fall() -> None:
    """A change of a Power cost counts like one of an Energy cost; neither falls below 0."""

    def passive(number: int) -> Ability:
        spells = OWN_SPELLS
        change = Change("cost", of=spells, amount=0, resources=(("any", number),))
        return Ability(kind="passive", changes=(change,))

    less = a_duel(hand=[draws("Rift", power=["mind"])], board=[unit("Aide", 1, "", passive(-2))])
    more = a_duel(hand=[draws("Rift")], board=[unit("Foe", 1, "", passive(1))])

    assert less.offers("Rift")
    assert "1 any Power" in more.reason("Rift")
