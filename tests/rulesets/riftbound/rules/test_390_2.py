"""390.2: delayed triggers, at a time of the turn or on an event within a frame of time."""

from __future__ import annotations

import pytest

from longfuse.abilities.ability import Ability, Choice, Do, Duration, Program
from longfuse.abilities.nodes import At, Named, Selector, When, Who
from rulesets.riftbound.cards import (
    A_UNIT,
    CHOSEN,
    MARK,
    SHIELD,
    THIS_TURN,
    creates,
    deals,
    draws,
    kills,
    spell,
    unit,
)
from rulesets.riftbound.duels import a_duel

DRAW = Program(body=(Do("draw", amount=1, who=Who()),))

# ---------------------------------------------------------------- at a time


@pytest.mark.rule("390.2", "317.1")
def test_at_the_end_of_this_turn_comes_in_the_ending_step() -> None:
    """It goes on the chain in the Ending Step, before damage is healed."""
    duel = a_duel(
        hand=[
            spell("Fuse", "Choose a unit. At the end of this turn, deal 2 to it."),
            deals("Bolt", 3),
        ],
        board=[unit("Oak", 5, owner=1)],
    )
    duel.play("Fuse", choose=["Oak"])
    duel.pass_all()
    duel.play("Bolt", choose=["Oak"])
    duel.pass_all()

    duel.advance("ending")
    assert duel.chain == ["Fuse"]
    assert duel["Oak"].damage == 3
    duel.pass_all()

    assert duel["Oak"].place == "trash:1"


@pytest.mark.rule("390.2", "316")
def test_at_your_next_main_phase_waits_through_the_opponent_s() -> None:
    """It names a moment of its controller's turn; the opponent's Main Phase is not it."""
    ability = Ability(
        kind="triggered", when=At("main", whose=Who(), turn="next"), uses=1, program=DRAW
    )
    duel = a_duel(hand=[spell("Fuse", "", creates(ability))])
    duel.play("Fuse")
    duel.pass_all()

    duel.end_turn()
    assert duel.asked == (1, "main")
    assert duel.waiting == ["Fuse"]
    duel.advance("main")

    assert duel.game.now.owner == 0
    assert duel.chain == ["Fuse"]
    assert duel.waiting == []


@pytest.mark.rule("390.2")
@pytest.mark.parametrize(("mark", "phase"), [("beginning", "beginning"), ("draw", "draw")])
def test_at_a_phase_of_the_opponent(mark: str, phase: str) -> None:
    """ "At the opponent's next … " comes in that phase of theirs."""
    ability = Ability(
        kind="triggered",
        when=At(mark, whose=Who("opponent"), turn="next"),
        uses=1,
        program=DRAW,
    )
    duel = a_duel(hand=[spell("Fuse", "", creates(ability))])
    duel.play("Fuse")
    duel.pass_all()

    duel.advance(phase)

    assert (duel.game.now.owner, duel.chain) == (1, ["Fuse"])


@pytest.mark.rule("390.2", "355.5")
def test_its_choices_are_made_when_it_is_finalized() -> None:
    """What it deals damage to is chosen at the end of the turn, not when it was made."""
    ability = Ability(
        kind="triggered",
        when=At("ending", turn="this"),
        uses=1,
        program=Program(
            choices=(Choice("t1", Selector(kinds=("unit",), control="enemy")),),
            body=(Do("deal", what=CHOSEN, amount=9),),
        ),
        window=THIS_TURN,
    )
    duel = a_duel(
        hand=[spell("Fuse", "", creates(ability)), kills("Blade")],
        board=[unit("Ash", owner=1), unit("Elm", owner=1), unit("Oak", owner=1)],
    )
    duel.play("Fuse")
    duel.pass_all()
    duel.play("Blade", choose=["Ash"])
    duel.pass_all()

    duel.advance("ending")
    assert duel.asked == (0, "target")
    duel.answer("Oak")
    duel.pass_all()

    assert (duel["Elm"].place, duel["Oak"].place) == ("base:1", "trash:1")


# ---------------------------------------------------------------- on an event in a frame of time


@pytest.mark.rule("390.2", "391")
def test_the_next_time_it_takes_damage_kills_it() -> None:
    """The mark goes on the chain after the damage, and kills on resolution."""
    duel = a_duel(hand=[spell("Mark", MARK), deals("Spark", 1)], board=[unit("Oak", 5, owner=1)])
    duel.play("Mark", choose=["Oak"])
    duel.pass_all()

    duel.play("Spark", choose=["Oak"])
    duel.resolve()
    assert duel.chain == ["Mark"]
    assert duel["Oak"].damage == 1
    duel.pass_all()

    assert duel["Oak"].place == "trash:1"
    assert duel.ended == [("Mark", "fired")]


@pytest.mark.rule("390.2")
def test_next_acts_once_and_when_acts_every_time() -> None:
    """ "The next time" is used up by one event; "when … this turn" sees each of them."""
    once = Ability(
        kind="triggered",
        when=When("damage dealt", subject=CHOSEN),
        uses=1,
        program=DRAW,
        window=THIS_TURN,
    )
    always = Ability(
        kind="triggered",
        when=When("damage dealt", subject=CHOSEN),
        program=Program(body=(Do("channel", amount=1, who=Who()),)),
        window=THIS_TURN,
    )
    duel = a_duel(
        hand=[
            spell("Once", "", creates(once, choices=[A_UNIT])),
            spell("Always", "", creates(always, choices=[A_UNIT])),
            deals("Spark", 1),
            deals("Ember", 1),
        ],
        board=[unit("Oak", 9)],
    )
    for name in ("Once", "Always"):
        duel.play(name, choose=["Oak"])
        duel.pass_all()

    for name in ("Spark", "Ember"):
        duel.play(name, choose=["Oak"])
        duel.pass_all()
        if duel.asked == (0, "order"):
            duel.answer(["Once", "Always"])
            duel.pass_all()

    assert (duel.count("drew"), duel.count("channeled")) == (1, 2)
    assert duel.waiting == ["Always"]


@pytest.mark.rule("390.2", "317.2.c")
def test_its_frame_of_time_ends_with_the_turn() -> None:
    """After the Expiration Step the mark is gone, and damage only damages."""
    duel = a_duel(
        hand=[spell("Mark", MARK)], theirs=[deals("Spark", 1)], board=[unit("Oak", owner=1)]
    )
    duel.play("Mark", choose=["Oak"])
    duel.pass_all()

    duel.end_turn()
    assert duel.ended == [("Mark", "expired")]
    duel.play("Spark", choose=["Oak"])
    duel.pass_all()

    assert (duel["Oak"].place, duel["Oak"].damage) == ("base:1", 1)


@pytest.mark.rule("390.2", "437.4", "417.1.e")
def test_prevented_damage_is_no_damage() -> None:
    """Damage that was prevented in full neither trips nor uses up the mark."""
    duel = a_duel(
        hand=[spell("Mark", MARK), deals("Spark", 1), deals("Ember", 1)],
        theirs=[spell("Shield", SHIELD)],
        board=[unit("Oak", owner=1)],
    )
    duel.play("Mark", choose=["Oak"])
    duel.pass_all()
    duel.play("Spark", choose=["Oak"])
    duel.play("Shield", choose=["Oak"])
    duel.pass_all()
    assert duel["Oak"].damage == 0
    assert duel.waiting == ["Mark"]

    duel.play("Ember", choose=["Oak"])
    duel.resolve()

    assert duel.chain == ["Mark"]


@pytest.mark.rule("390.2", "437")
def test_damage_prevented_in_part_was_dealt() -> None:
    """What remains of a reduced damage trips the mark."""
    shield = (
        "[Reaction] Choose a unit. Prevent the next 2 damage that would be dealt to it this turn."
    )
    duel = a_duel(
        hand=[spell("Mark", MARK), deals("Bolt", 3)],
        theirs=[spell("Shield", shield)],
        board=[unit("Oak", 5, owner=1)],
    )
    duel.play("Mark", choose=["Oak"])
    duel.pass_all()
    duel.play("Bolt", choose=["Oak"])
    duel.play("Shield", choose=["Oak"])
    duel.resolve()
    duel.resolve()

    assert duel["Oak"].damage == 1
    assert duel.chain == ["Mark"]


@pytest.mark.rule("390.2", "383.1.b")
def test_of_simultaneous_events_one_is_the_next() -> None:
    """Two units take damage at once: the controller says which one it sees, and it acts once."""
    ability = Ability(
        kind="triggered",
        when=When("damage dealt", subject=Selector(kinds=("unit",), control="enemy")),
        uses=1,
        program=Program(body=(Do("kill", what=Named("event")),)),
        window=THIS_TURN,
    )
    duel = a_duel(
        hand=[
            spell("Fuse", "", creates(ability)),
            spell("Rain", "Deal 1 to each of up to two units."),
        ],
        board=[unit("Oak", owner=1), unit("Elm", owner=1)],
    )
    duel.play("Fuse")
    duel.pass_all()

    duel.play("Rain", choose=[["Oak", "Elm"]])
    duel.pass_all()
    assert duel.asked == (0, "first")
    duel.answer("Elm")
    duel.pass_all()

    assert (duel["Oak"].place, duel["Elm"].place) == ("base:1", "trash:1")
    assert duel.waiting == []


@pytest.mark.rule("390.2", "383.1.b")
def test_the_second_time_counts_what_happened_before_it_was_made() -> None:
    """ "The second time a unit takes damage this turn" reads the turn's log."""
    ability = Ability(
        kind="triggered",
        when=When("damage dealt", subject=Selector(kinds=("unit",)), nth=2),
        uses=1,
        program=DRAW,
        window=THIS_TURN,
    )
    duel = a_duel(
        hand=[
            deals("Spark", 1),
            spell("Fuse", "", creates(ability)),
            deals("Ember", 1),
            deals("Flame", 1),
        ],
        board=[unit("Oak", 9, owner=1)],
    )
    for name in ("Spark", "Fuse", "Ember", "Flame"):
        if name != "Fuse":
            duel.play(name, choose=["Oak"])
        else:
            duel.play(name)
        duel.pass_all()
        expected = 1 if name in ("Ember", "Flame") else 0
        assert duel.count("drew") == expected, name


@pytest.mark.rule("390.2", "427.3.a")
def test_a_card_from_nowhere_else_is_drawn() -> None:
    """ "Banish the top card; when you conquer this turn, draw that card": both parts know it."""
    text = "Banish your Main Deck's top card. When you conquer this turn, draw that card."
    duel = a_duel(
        hand=[spell("Decree", text)],
        board=[unit("Scout")],
        deck=[draws("Treasure")],
    )
    duel.play("Decree")
    duel.pass_all()
    assert duel["Treasure"].place == "banishment:0"

    duel.move(["Scout"], "bf:1")
    duel.pass_showdown()

    assert duel.points(0) == 1
    assert duel["Treasure"].place == "hand:0"


@pytest.mark.rule("390.2", "461.7")
def test_this_combat_ends_with_the_combat() -> None:
    """A trigger for this combat is gone when the combat is over."""
    ability = Ability(
        kind="triggered",
        when=When("damage dealt", subject=CHOSEN),
        program=DRAW,
        window=Duration("this combat"),
    )
    duel = a_duel(
        hand=[spell("Fuse", "", creates(ability, choices=[A_UNIT]), ACTION)],
        board=[unit("Scout", 4), unit("Guard", 6, owner=1, place="bf:1")],
    )
    duel.move(["Scout"], "bf:1")
    duel.play("Fuse", choose=["Guard"])
    duel.pass_all()
    assert duel.waiting == ["Fuse"]
    duel.pass_showdown()

    assert duel.count("drew") == 1
    assert duel.ended == [("Fuse", "expired")]


ACTION = Ability(kind="keyword", keyword="Action")
