"""314-316: the start of the turn, and the Main Phase."""

from __future__ import annotations

import pytest

from rulesets.riftbound.cards import draws, gear, spell, unit
from rulesets.riftbound.duels import Playing, a_duel


def phases(duel: Playing, turn: int) -> list[str]:
    """The marks of phases and steps reached in a turn, in order."""
    names = ("awaken", "beginning", "scoring", "channel", "draw", "main", "ending")
    return [
        message.event.removeprefix("mark:")
        for message in duel.game.log.events
        if message.event.removeprefix("mark:") in names and duel.game.now.turn == turn
    ]


@pytest.mark.rule("314")
def test_the_phases_come_in_order() -> None:
    """Awaken, Beginning with its Scoring Step, Channel, Draw, Main."""
    duel = a_duel()
    duel.end_turn()
    turn = [
        message.event.removeprefix("mark:")
        for message in duel.game.log.events
        if message.event.startswith("mark:")
    ]

    assert turn[turn.index("turn") :] == [
        "turn",
        "awaken",
        "beginning",
        "scoring",
        "channel",
        "draw",
        "main",
    ]


@pytest.mark.rule("315.1")
def test_awaken_readies_the_turn_player_s_permanents() -> None:
    """Theirs are readied, the opponent's are not."""
    duel = a_duel(
        board=[
            unit("Oak", exhausted=True),
            unit("Foe", owner=1, exhausted=True),
        ]
    )
    duel.end_turn()

    assert (duel["Oak"].exhausted, duel["Foe"].exhausted) == (True, False)


@pytest.mark.rule("315.2.b")
def test_the_turn_player_holds_their_battlefields_only() -> None:
    """Each battlefield under the turn player's control gives a point."""
    duel = a_duel(
        board=[unit("Guard", owner=1, place="bf:1"), unit("Watch", place="bf:2")],
    )
    duel.end_turn()

    assert (duel.points(0), duel.points(1)) == (0, 1)


@pytest.mark.rule("315.3")
def test_two_runes_are_channeled() -> None:
    """In the Channel Phase the turn player's top two runes come into their base, ready."""
    duel = a_duel()
    duel.end_turn()
    runes = duel.find("Fury Rune")

    assert [(one.place, one.exhausted) for one in runes] == [("base:1", False)] * 2


@pytest.mark.rule("315.4")
def test_one_card_is_drawn() -> None:
    """In the Draw Phase the turn player draws 1."""
    duel = a_duel()
    duel.end_turn()

    assert (duel.hand(0), duel.hand(1)) == (0, 1)


@pytest.mark.rule("316.3", "167")
def test_pools_empty_as_the_main_phase_starts() -> None:
    """Energy that was added before is lost when the Main Phase begins."""
    duel = a_duel(start="draw", energy=(2, 3))

    assert duel.asked == (0, "main")
    assert (duel.rules.player(0).energy, duel.rules.player(1).energy) == (0, 0)


@pytest.mark.rule("317.2.d")
def test_pools_empty_at_the_end_of_the_turn() -> None:
    """What was not spent in the Main Phase is gone."""
    duel = a_duel(energy=(2, 0))
    assert duel.rules.player(0).energy == 2
    duel.end_turn()

    assert duel.rules.player(0).energy == 0


@pytest.mark.rule("316.2.b")
def test_only_the_turn_player_acts_in_a_neutral_open_state() -> None:
    """The opponent is not asked until a chain or showdown gives them the chance."""
    duel = a_duel(hand=[draws("Book")], theirs=[draws("Quick", fast=True)])
    assert duel.asked == (0, "main")
    duel.play("Book")
    assert duel.asked == (0, "priority")
    duel.pass_()

    assert duel.asked == (1, "priority")
    assert duel.offers("Quick")


@pytest.mark.rule("316.6")
def test_the_turn_player_ends_the_turn() -> None:
    """Ending the turn leads through the Ending Phase to the opponent's turn."""
    duel = a_duel()
    duel.end_turn()

    assert duel.asked == (1, "main")
    assert duel.game.now.turn == 4


@pytest.mark.rule("315.2.a")
def test_at_the_start_of_the_beginning_phase_comes_before_scoring() -> None:
    """A trigger there is on the chain before the turn player holds."""
    duel = a_duel(
        board=[
            unit("Bell", 2, "At the start of your Beginning Phase, draw 1.", owner=1, place="bf:1")
        ]
    )
    duel.advance("beginning")

    assert duel.chain == ["Bell"]
    assert duel.points(1) == 0


@pytest.mark.rule("734")
def test_an_extra_turn_comes_after_this_one() -> None:
    """ "Take a turn after this one" queues it for its player; then the order goes on."""
    duel = a_duel(hand=[spell("Again", "Take a turn after this one.")])
    duel.play("Again")
    duel.pass_all()
    owners = []
    for _ in range(3):
        duel.end_turn()
        owners.append(duel.game.now.owner)

    assert owners == [0, 1, 0]


@pytest.mark.rule("359.2.c", "359.2.d")
def test_units_enter_exhausted_and_gear_ready() -> None:
    """A unit can't move in the turn in which it came; a gear can be used."""
    duel = a_duel(hand=[unit("Late"), gear("Lamp", "[Exhaust]: Draw 1.")])
    duel.play("Late")
    duel.play("Lamp")

    assert duel["Late"].exhausted
    assert not duel["Lamp"].exhausted
