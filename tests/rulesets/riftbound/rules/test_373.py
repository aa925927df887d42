"""373: several events at once, each with its replacements."""

from __future__ import annotations

import pytest

from longfuse.abilities.ability import Ability, Do, Program, Rewrite
from longfuse.abilities.nodes import Named, Selector, This, When
from rulesets.riftbound.cards import (
    A_UNIT,
    CHOSEN,
    THIS_TURN,
    creates,
    gear,
    spell,
    unit,
)
from rulesets.riftbound.duels import a_duel

SAVER = (
    "If a unit you control would die, instead kill this, then heal, exhaust and recall that unit."
)
RAIN = "Deal 3 to each of up to two units."
FRIENDLY = Selector(kinds=("unit",), control="friendly")

NEXT_DEATH = Ability(
    kind="replacement",
    when=When("death", subject=FRIENDLY),
    uses=1,
    program=Program(body=(Do("heal", what=Named("event")),)),
    rewrite=Rewrite("instead"),
    window=THIS_TURN,
)


@pytest.mark.rule("373")
@pytest.mark.parametrize(("saved", "lost"), [("Oak", "Elm"), ("Elm", "Oak")])
def test_one_saver_and_two_deaths(saved: str, lost: str) -> None:
    """The saver's controller says which of two simultaneous deaths it applies to."""
    duel = a_duel(
        hand=[spell("Rain", RAIN)],
        board=[gear("Hourglass", SAVER), unit("Oak", 3), unit("Elm", 3)],
    )
    duel.play("Rain", choose=[["Oak", "Elm"]])
    duel.pass_all()
    assert duel.asked == (0, "first")
    duel.answer(saved)

    assert (duel[saved].place, duel[lost].place) == ("base:0", "trash:0")
    assert duel["Hourglass"].place == "trash:0"


@pytest.mark.rule("373", "390.3")
def test_a_delayed_saver_is_used_by_the_death_that_was_chosen() -> None:
    """ "The next time" of several at once is one of them."""
    duel = a_duel(
        hand=[spell("Keep", "", creates(NEXT_DEATH)), spell("Rain", RAIN)],
        board=[unit("Oak", 3), unit("Elm", 3)],
    )
    duel.play("Keep")
    duel.pass_all()
    duel.play("Rain", choose=[["Oak", "Elm"]])
    duel.pass_all()
    duel.answer("Elm")

    assert (duel["Oak"].place, duel["Elm"].place) == ("trash:0", "base:0")
    assert duel.ended == [("Keep", "fired")]


@pytest.mark.rule("373.1")
def test_different_controllers_go_in_turn_order() -> None:
    """Both sides have a saver and two units about to die: the turn player is asked first."""
    duel = a_duel(
        hand=[spell("Flood", "Deal 3 to each unit.")],
        board=[
            gear("Mine", SAVER),
            gear("Theirs", SAVER, owner=1),
            unit("Oak", 3),
            unit("Elm", 3),
            unit("Foe", 3, owner=1),
            unit("Rival", 3, owner=1),
        ],
    )
    duel.play("Flood")
    duel.pass_all()
    assert duel.asked == (0, "first")
    duel.answer("Elm")
    assert duel.asked == (1, "first")
    duel.answer("Rival")

    assert [duel[name].place for name in ("Oak", "Elm", "Foe", "Rival")] == [
        "trash:0",
        "base:0",
        "trash:1",
        "base:1",
    ]


@pytest.mark.rule("373.1")
def test_what_replaces_comes_before_what_was_not_replaced() -> None:
    """The recall of the saved unit happens before the other unit dies."""
    duel = a_duel(
        hand=[spell("Rain", RAIN)],
        board=[gear("Hourglass", SAVER), unit("Oak", 3), unit("Elm", 3)],
    )
    duel.play("Rain", choose=[["Oak", "Elm"]])
    duel.pass_all()
    duel.answer("Elm")
    told = [
        (message.event, duel.game.board.card(message.subjects[0]).name)
        for message in duel.game.log.events
        if message.event in ("recalled", "unit died")
    ]

    assert told == [("recalled", "Elm"), ("unit died", "Oak")]


@pytest.mark.rule("373.2")
def test_each_effect_applies_in_one_unbroken_sequence() -> None:
    """A guardian that saves others here, and is saved itself: the order of the two is its player's.

    Guardian first, everybody there is saved; saved (and moved away) first, it can't save them.
    """
    guards = Ability(
        kind="replacement",
        when=When(
            "death",
            subject=Selector(kinds=("unit",), control="friendly", another=True, place="here"),
        ),
        program=Program(body=(Do("heal", what=Named("event")),)),
        rewrite=Rewrite("instead"),
    )
    saved = Ability(
        kind="replacement",
        when=When("death", subject=CHOSEN),
        uses=1,
        program=Program(body=(Do("heal", what=CHOSEN), Do("recall", what=CHOSEN))),
        rewrite=Rewrite("instead"),
        window=THIS_TURN,
    )
    places = {}
    for order in (["Guardian", "Keep"], ["Keep", "Guardian"]):
        duel = a_duel(
            hand=[
                spell("Keep", "", creates(saved, choices=[A_UNIT])),
                spell("Flood", "Deal 3 to each unit."),
            ],
            board=[
                unit("Guardian", 3, "", guards, place="bf:1"),
                unit("One", 1, place="bf:1"),
                unit("Two", 1, place="bf:1"),
            ],
        )
        duel.play("Keep", choose=["Guardian"])
        duel.pass_all()
        duel.play("Flood")
        duel.pass_all()
        assert duel.asked == (0, "order")
        duel.answer(order)
        places[order[0]] = [duel[name].place for name in ("Guardian", "One", "Two")]

    assert places == {
        "Guardian": ["base:0", "bf:1", "bf:1"],
        "Keep": ["base:0", "trash:0", "trash:0"],
    }


@pytest.mark.rule("373", "370.3")
def test_nobody_is_asked_where_each_event_has_its_own() -> None:
    """Two units with a saver each: there is nothing to decide."""
    own = Ability(
        kind="replacement",
        when=When("death", subject=This()),
        program=Program(body=(Do("heal", what=This()),)),
        rewrite=Rewrite("instead"),
    )
    duel = a_duel(
        hand=[spell("Rain", RAIN)], board=[unit("Oak", 3, "", own), unit("Elm", 3, "", own)]
    )
    duel.play("Rain", choose=[["Oak", "Elm"]])
    duel.pass_all()

    assert duel.asked == (0, "main")
    assert (duel["Oak"].place, duel["Elm"].place) == ("base:0", "base:0")


@pytest.mark.rule("373", "383.1.b")
def test_the_first_time_each_turn_is_one_of_several_at_once() -> None:
    """A printed saver for the first death each turn saves one of two, and no later one."""
    first = Ability(
        kind="replacement",
        when=When("death", subject=FRIENDLY, nth=1),
        program=Program(body=(Do("heal", what=Named("event")),)),
        rewrite=Rewrite("instead"),
    )
    duel = a_duel(
        hand=[spell("Rain", RAIN), spell("Axe", "Kill a unit.")],
        board=[gear("Charm", "", first), unit("Oak", 3), unit("Elm", 3)],
    )
    duel.play("Rain", choose=[["Oak", "Elm"]])
    duel.pass_all()
    duel.answer("Oak")
    assert (duel["Oak"].place, duel["Elm"].place) == ("base:0", "trash:0")
    duel.play("Axe", choose=["Oak"])
    duel.pass_all()

    assert duel["Oak"].place == "trash:0"
