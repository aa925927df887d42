"""390.1: a delayed ability keeps every property of its base kind.

Kinds (trigger, replacement, passive) by property: optional, cost, once each turn, condition, layer,
source information.
"""

from __future__ import annotations

from typing import Any

import pytest

from longfuse.abilities.ability import Ability, Change, Cost, Do, Program, Rewrite
from longfuse.abilities.nodes import Compare, Each, Exists, Named, Selector, Stat, State, When, Who
from rulesets.riftbound.cards import (
    A_UNIT,
    CHOSEN,
    THIS_TURN,
    creates,
    deals,
    kills,
    spell,
    unit,
)
from rulesets.riftbound.duels import Playing, a_duel

DRAW = Program(body=(Do("draw", amount=1, who=Who()),))
SAVE_IT = Program(body=(Do("heal", what=CHOSEN), Do("recall", what=CHOSEN)))
FRIENDLY = Selector(kinds=("unit",), control="friendly")
ONE_ENERGY = Cost(resources=(("energy", 1),))


def trigger(**properties: Any) -> Ability:
    """When that unit takes damage this turn, draw 1."""
    return Ability(
        kind="triggered",
        when=When("damage dealt", subject=CHOSEN),
        program=DRAW,
        window=THIS_TURN,
        **properties,
    )


def replacement(**properties: Any) -> Ability:
    """If that unit would die this turn, heal and recall it instead."""
    return Ability(
        kind="replacement",
        when=When("death", subject=CHOSEN),
        program=SAVE_IT,
        rewrite=Rewrite("instead"),
        window=THIS_TURN,
        **properties,
    )


def lit(ability: Ability, **start: Any) -> Playing:
    """A duel in which the ability waits for Oak, and its maker holds two sparks and two blades."""
    duel = a_duel(
        hand=[
            spell("Fuse", "", creates(ability, choices=[A_UNIT])),
            deals("Spark", 1),
            deals("Ember", 1),
            kills("Blade"),
            kills("Knife"),
        ],
        board=[unit("Oak", 5)],
        **start,
    )
    duel.play("Fuse", choose=["Oak"])
    duel.pass_all()
    return duel


# ---------------------------------------------------------------- optional


@pytest.mark.rule("390.1")
@pytest.mark.parametrize(("agrees", "drawn"), [(True, 1), (False, 0)])
def test_an_optional_trigger_asks_its_controller(agrees: bool, drawn: int) -> None:
    """A delayed trigger that says "you may" is put on the chain only if its controller wants."""
    duel = lit(trigger(optional=True))
    before = duel.hand(0)

    duel.play("Spark", choose=["Oak"])
    duel.pass_all()
    assert duel.asked == (0, "may")
    duel.answer(agrees)
    duel.pass_all()

    assert duel.hand(0) - (before - 1) == drawn


@pytest.mark.rule("390.1", "371.2")
@pytest.mark.parametrize(("agrees", "place"), [(True, "base:0"), (False, "trash:0")])
def test_an_optional_replacement_asks_when_the_event_comes(agrees: bool, place: str) -> None:
    """A delayed replacement that says "you may" is applied only if its controller wants."""
    duel = lit(replacement(optional=True))

    duel.play("Blade", choose=["Oak"])
    duel.pass_all()
    assert duel.asked == (0, "may")
    duel.answer(agrees)

    assert duel["Oak"].place == place


# ---------------------------------------------------------------- cost


@pytest.mark.rule("390.1", "383.3.b")
def test_a_trigger_s_cost_is_paid_as_it_is_finalized() -> None:
    """Its cost is paid before anybody may react to it."""
    duel = lit(trigger(optional=True, cost=ONE_ENERGY), energy=(1, 0))

    duel.play("Spark", choose=["Oak"])
    duel.pass_all()
    duel.answer(True)

    assert duel.chain == ["Fuse"]
    assert duel.rules.player(0).energy == 0


@pytest.mark.rule("390.1", "383.3.b.1")
def test_a_trigger_that_can_t_be_paid_leaves_the_chain() -> None:
    """Nobody is asked, and nothing is drawn."""
    duel = lit(trigger(optional=True, cost=ONE_ENERGY))
    before = duel.hand(0)

    duel.play("Spark", choose=["Oak"])
    duel.pass_all()

    assert duel.asked == (0, "main")
    assert duel.hand(0) == before - 1


@pytest.mark.rule("390.1", "371")
def test_a_replacement_s_cost_is_paid_when_the_event_comes() -> None:
    """A paid death-saver takes its Energy at the death."""
    duel = lit(replacement(optional=True, cost=ONE_ENERGY), energy=(1, 0))

    duel.play("Blade", choose=["Oak"])
    duel.pass_all()
    duel.answer(True)

    assert duel["Oak"].place == "base:0"
    assert duel.rules.player(0).energy == 0


@pytest.mark.rule("390.1", "371")
def test_a_replacement_that_can_t_be_paid_is_not_offered() -> None:
    """Without the Energy the unit dies and nobody is asked."""
    duel = lit(replacement(optional=True, cost=ONE_ENERGY))

    duel.play("Blade", choose=["Oak"])
    duel.pass_all()

    assert duel["Oak"].place == "trash:0"


# ---------------------------------------------------------------- once each turn


@pytest.mark.rule("390.1", "383.3.f")
def test_a_once_each_turn_trigger_triggers_once() -> None:
    """The second damage of the turn finds it used."""
    duel = lit(trigger(once="turn"))
    before = duel.hand(0)

    duel.play("Spark", choose=["Oak"])
    duel.pass_all()
    duel.answer(True)
    duel.pass_all()
    duel.play("Ember", choose=["Oak"])
    duel.pass_all()

    assert duel.asked == (0, "main")
    assert duel.hand(0) == before - 2 + 1


@pytest.mark.rule("390.1", "383.3.f.2")
def test_declining_a_once_each_turn_trigger_does_not_spend_it() -> None:
    """Declined at the first damage, it is offered again at the second."""
    duel = lit(trigger(once="turn"))

    duel.play("Spark", choose=["Oak"])
    duel.pass_all()
    duel.answer(False)
    duel.play("Ember", choose=["Oak"])
    duel.pass_all()

    assert duel.asked == (0, "may")


@pytest.mark.rule("390.1", "371.1")
def test_a_once_each_turn_replacement_applies_once() -> None:
    """The second death of the turn is not replaced."""
    duel = lit(replacement(once="turn"))

    duel.play("Blade", choose=["Oak"])
    duel.pass_all()
    duel.answer(True)
    assert duel["Oak"].place == "base:0"
    duel.play("Knife", choose=["Oak"])
    duel.pass_all()

    assert duel["Oak"].place == "trash:0"


@pytest.mark.rule("390.1", "371.2")
def test_a_declined_once_each_turn_replacement_has_not_been_applied() -> None:
    """Declined for one friendly unit's death, it is offered for the next."""
    ability = Ability(
        kind="replacement",
        when=When("death", subject=Selector(kinds=("unit",), control="friendly")),
        once="turn",
        program=Program(body=(Do("heal", what=Named("event")),)),
        rewrite=Rewrite("instead"),
        window=THIS_TURN,
    )
    duel = a_duel(
        hand=[spell("Fuse", "", creates(ability)), kills("Blade"), kills("Knife")],
        board=[unit("Oak"), unit("Elm")],
    )
    duel.play("Fuse")
    duel.pass_all()

    duel.play("Blade", choose=["Oak"])
    duel.pass_all()
    duel.answer(False)
    duel.play("Knife", choose=["Elm"])
    duel.pass_all()
    duel.answer(True)

    assert (duel["Oak"].place, duel["Elm"].place) == ("trash:0", "base:0")


# ---------------------------------------------------------------- condition


FRIENDS = Exists(Selector(kinds=("unit",), control="friendly"), least=2)


@pytest.mark.rule("390.1", "383.3.e")
@pytest.mark.parametrize(("friends", "drawn"), [(0, 0), (1, 1)])
def test_an_intervening_if_must_hold_when_it_triggers(friends: int, drawn: int) -> None:
    """With the condition false nothing is put on the chain."""
    board = [unit("Oak", 5), *(unit(f"Friend {n}") for n in range(friends))]
    duel = a_duel(
        hand=[
            spell("Fuse", "", creates(trigger(condition=FRIENDS), choices=[A_UNIT])),
            deals("Spark", 1),
        ],
        board=board,
    )
    duel.play("Fuse", choose=["Oak"])
    duel.pass_all()

    duel.play("Spark", choose=["Oak"])
    duel.resolve()

    assert len(duel.chain) == drawn


@pytest.mark.rule("390.1", "383.3.e")
def test_an_intervening_if_is_not_looked_at_again() -> None:
    """The condition held when it triggered; that it fails on resolution changes nothing."""
    duel = a_duel(
        hand=[
            spell("Fuse", "", creates(trigger(condition=FRIENDS), choices=[A_UNIT])),
            deals("Spark", 1),
        ],
        theirs=[kills("Blade", fast=True)],
        board=[unit("Oak", 5), unit("Friend")],
    )
    duel.play("Fuse", choose=["Oak"])
    duel.pass_all()
    duel.play("Spark", choose=["Oak"])
    duel.resolve()

    duel.play("Blade", choose=["Friend"])
    duel.pass_all()

    assert duel["Friend"].place == "trash:0"
    assert duel.hand(0) == 1


@pytest.mark.rule("390.1")
@pytest.mark.parametrize(("friends", "place"), [(0, "trash:0"), (1, "base:0")])
def test_a_replacement_s_condition_is_looked_at_when_the_event_comes(
    friends: int, place: str
) -> None:
    """The saver works only while its condition holds."""
    duel = a_duel(
        hand=[
            spell("Fuse", "", creates(replacement(condition=FRIENDS), choices=[A_UNIT])),
            kills("Blade"),
        ],
        board=[unit("Oak", 5), *(unit(f"Friend {n}") for n in range(friends))],
    )
    duel.play("Fuse", choose=["Oak"])
    duel.pass_all()

    duel.play("Blade", choose=["Oak"])
    duel.pass_all()

    assert duel["Oak"].place == place


@pytest.mark.rule("390.1", "364.3")
def test_a_passive_s_condition_is_looked_at_all_the_time() -> None:
    """ "This turn, it has +2 while damaged" comes and goes with the damage."""
    ability = Ability(
        kind="passive",
        condition=Compare(Stat("damage", CHOSEN), ">", 0),
        changes=(Change("might", of=CHOSEN, amount=2),),
        window=THIS_TURN,
    )
    duel = lit(ability)
    assert duel["Oak"].might == 5

    duel.play("Spark", choose=["Oak"])
    duel.pass_all()

    assert duel["Oak"].might == 7


# ---------------------------------------------------------------- layers


@pytest.mark.rule("390.1", "472")
@pytest.mark.parametrize("order", [("Rise", "Fix"), ("Fix", "Rise")])
def test_setting_comes_before_arithmetic_whenever_it_was_made(order: tuple[str, str]) -> None:
    """ "Its Might becomes 1" is layer 1, "+3" is layer 3: both orders give 4."""
    changes = {
        "Rise": Change("might", of=CHOSEN, amount=3),
        "Fix": Change("might", of=CHOSEN, amount=1, set=True),
    }
    duel = a_duel(
        hand=[
            spell(
                name,
                "",
                creates(
                    Ability(kind="passive", changes=(change,), window=THIS_TURN), choices=[A_UNIT]
                ),
            )
            for name, change in changes.items()
        ],
        board=[unit("Oak", 5)],
    )

    for name in order:
        duel.play(name, choose=["Oak"])
        duel.pass_all()

    assert duel["Oak"].might == 4


@pytest.mark.rule("390.1", "472.3.b")
@pytest.mark.parametrize(("later", "might"), [(0, 1), (3, 4)])
def test_a_limited_decrease_remembers_what_it_took(later: int, might: int) -> None:
    """ "-4 to a minimum of 1" took 1 from a 2-Might unit; a later +3 is not eaten by the rest."""
    weaken = Ability(
        kind="passive",
        changes=(Change("might", of=CHOSEN, amount=-4, least=1),),
        window=THIS_TURN,
    )
    grow = Ability(
        kind="passive", changes=(Change("might", of=CHOSEN, amount=later),), window=THIS_TURN
    )
    duel = a_duel(
        hand=[
            spell("Wither", "", creates(weaken, choices=[A_UNIT])),
            spell("Rise", "", creates(grow, choices=[A_UNIT])),
        ],
        board=[unit("Reed", 2)],
    )
    duel.play("Wither", choose=["Reed"])
    duel.pass_all()
    assert duel["Reed"].might == 1

    duel.play("Rise", choose=["Reed"])
    duel.pass_all()

    assert duel["Reed"].might == might


# ---------------------------------------------------------------- source information


@pytest.mark.rule("390.1", "417.6")
def test_the_source_of_what_a_delayed_trigger_does_is_its_maker() -> None:
    """Damage that a delayed trigger deals is dealt by the spell that made the ability."""
    ability = Ability(
        kind="triggered",
        when=When("damage dealt", subject=CHOSEN),
        uses=1,
        program=Program(body=(Do("deal", what=CHOSEN, amount=2),)),
        window=THIS_TURN,
    )
    duel = lit(ability)
    source = duel.record("Fuse").source

    duel.play("Spark", choose=["Oak"])
    duel.pass_all()

    assert source.card == "Fuse"
    second = [m for m in duel.game.log.events if m.event == "damage dealt"][-1]
    assert (second.source, second.player, second.amount) == (source.object, 0, 2)


@pytest.mark.rule("390.1", "812")
def test_a_word_about_the_controller_speaks_of_the_maker() -> None:
    """The condition "if you have played another card" asks about the ability's controller."""
    duel = a_duel(
        hand=[
            spell(
                "Fuse",
                "",
                creates(
                    trigger(condition=State("this turn played cards", amount=2)), choices=[A_UNIT]
                ),
            ),
        ],
        theirs=[deals("Spark", 1, fast=True)],
        board=[unit("Oak", 5)],
    )
    duel.play("Fuse", choose=["Oak"])
    duel.pass_all()
    duel.end_turn()

    assert duel.waiting == []


@pytest.mark.rule("390.1")
@pytest.mark.parametrize(("of", "late"), [(Each(FRIENDLY), 2), (FRIENDLY, 3)])
def test_a_passive_is_about_a_fixed_set_or_about_all_that_match(of: Any, late: int) -> None:
    """ "Each friendly unit" is fixed on creation; a statement about friendly units covers more."""
    ability = Ability(kind="passive", changes=(Change("might", of=of, amount=1),), window=THIS_TURN)
    duel = a_duel(
        hand=[spell("Banner", "", creates(ability)), unit("Late", 2)],
        board=[unit("Oak", 3), unit("Foe", 3, owner=1)],
    )
    duel.play("Banner")
    duel.pass_all()
    duel.play("Late")

    assert [duel[name].might for name in ("Oak", "Foe", "Late")] == [4, 3, late]
