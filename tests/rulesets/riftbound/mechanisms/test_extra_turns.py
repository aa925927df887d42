"""Additional turns (734-738), additional triggers, the points needed to win."""

from __future__ import annotations

import pytest

from longfuse.abilities.ability import Ability, Change, Do, Program
from longfuse.abilities.nodes import Each, Selector, This, When, Who
from rulesets.riftbound.cards import battlefield, kills, spell, unit
from rulesets.riftbound.duels import Playing, a_duel

WARP = "[Reaction] Take an extra turn after this one."


def next_turns(duel: Playing, number: int) -> list[int]:
    """Whose the next turns are."""
    found = []
    for _ in range(number):
        duel.end_turn()
        found.append(duel.game.now.owner)
    return found


@pytest.mark.rule("737")
def test_an_extra_turn_comes_next() -> None:
    """Seat 0 has another turn, then the order goes on as before."""
    duel = a_duel(hand=[spell("Warp", WARP)])
    duel.play("Warp")
    duel.pass_all()
    assert next_turns(duel, 4) == [0, 1, 0, 1]


@pytest.mark.rule("738")
def test_two_extra_turns_of_one_player() -> None:
    """Both come before the opponent's."""
    duel = a_duel(hand=[spell("Warp", WARP), spell("Twist", WARP)])
    for name in ("Warp", "Twist"):
        duel.play(name)
        duel.pass_all()
    assert next_turns(duel, 4) == [0, 0, 1, 0]


@pytest.mark.rule("738")
def test_an_extra_turn_in_the_opponent_s_turn() -> None:
    """Taken in the turn of seat 0, seat 1's extra turn comes first, and then its own next one."""
    duel = a_duel(theirs=[spell("Warp", WARP)], hand=[spell("Ping", "Draw 1.")])
    duel.play("Ping")
    duel.play("Warp", seat=1) if duel.prompt.seat == 1 else (duel.pass_(), duel.play("Warp"))
    duel.pass_all()
    assert next_turns(duel, 3) == [1, 1, 0]


MORE = Ability(
    kind="passive",
    changes=(Change("trigger count", of=Selector(kinds=("unit",), control="friendly"), amount=1),),
    text="friendly units' abilities trigger an additional time",
)


@pytest.mark.rule("383.3")
def test_an_ability_triggers_an_additional_time() -> None:
    """Two items go on the chain; an enemy unit's ability triggers once as always."""
    words = "[Deathknell] - Draw 1."
    duel = a_duel(
        hand=[kills("Blade"), kills("Knife")],
        board=[unit("Echo", 2, "", MORE), unit("Oak", 2, words), unit("Ash", 2, words, owner=1)],
    )
    duel.play("Blade", choose=["Oak"])
    duel.resolve()
    assert duel.chain == ["Oak", "Oak"]
    duel.pass_all()
    duel.play("Knife", choose=["Ash"])
    duel.resolve()
    assert duel.chain == ["Ash"]


@pytest.mark.rule("194", "323.1")
def test_the_points_needed_to_win_may_be_more() -> None:
    """With one point more needed, eight do not win, and nine do."""
    harder = Ability(kind="passive", changes=(Change("victory score", amount=1),))
    duel = a_duel(
        hand=[spell("Glory", "Score 1 point.")],
        battlefields=[battlefield("Climb", "", harder)],
        points=(8, 0),
    )
    assert duel.game.result is None
    duel.play("Glory")
    duel.pass_all()
    assert duel.game.result is not None
    assert duel.game.result.winner == 0


@pytest.mark.rule("383.4.c")
def test_conquer_effects_are_activated_by_a_hold() -> None:
    """ "When you hold here, activate the conquer effects of units here": the Wolf's, there."""
    again = Ability(
        kind="triggered",
        when=When("held", subject=This(), player=Who("you")),
        program=Program(
            body=(
                Do(
                    "trigger again",
                    what=Each(Selector(kinds=("unit",), place="here")),
                    word="conquered",
                ),
            )
        ),
    )
    duel = a_duel(
        battlefields=[battlefield("Arena", "", again)],
        board=[
            unit("Wolf", 3, "When I conquer, draw 1.", owner=1, place="bf:1"),
            unit("Dog", 3, "When I conquer, draw 1.", owner=1),
        ],
    )
    before = duel.hand(1)
    duel.end_turn()
    assert duel.hand(1) == before + 2, "the Wolf's card and the Draw Phase's"
