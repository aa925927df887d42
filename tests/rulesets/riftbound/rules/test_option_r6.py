"""R6, chain items and the combat's result (466.2): the chain first, or the result first."""

from __future__ import annotations

import pytest

from longfuse.abilities.ability import Ability, Do, Program
from longfuse.abilities.nodes import When, Who
from rulesets.riftbound.cards import MARK, spell, unit
from rulesets.riftbound.duels import Playing, a_duel

WINS = Ability(
    kind="triggered",
    when=When("combat won", player=Who()),
    program=Program(body=(Do("draw", amount=1, who=Who()),)),
)


def fought(option: str) -> Playing:
    """A marked 6-Might guard survived 5 combat damage of a scout that died; the mark kills it.

    The guard's side has a unit that draws when its player wins a combat.
    """
    duel = a_duel(
        hand=[spell("Mark", MARK)],
        board=[
            unit("Scout", 5),
            unit("Guard", 6, owner=1, place="bf:1"),
            unit("Bard", 1, "", WINS, owner=1),
        ],
        options={"R6": option},
    )
    duel.play("Mark", choose=["Guard"])
    duel.pass_all()
    duel.move(["Scout"], "bf:1")
    duel.pass_showdown()
    return duel


@pytest.mark.rule("466.2", "390.2")
def test_chain_first_the_delayed_kill_comes_before_the_result() -> None:
    """By default the guard is dead when the result is determined: nobody has won."""
    duel = fought("chain first")

    assert (duel["Scout"].place, duel["Guard"].place) == ("trash:0", "trash:1")
    assert duel.count("combat won") == 0
    assert duel.hand(1) == 0


@pytest.mark.rule("466.2")
def test_result_first_the_guard_has_won_before_it_dies() -> None:
    """With "result first", the guard alone remains then: its side wins, and it dies later."""
    duel = fought("result first")

    assert (duel["Scout"].place, duel["Guard"].place) == ("trash:0", "trash:1")
    assert duel.count("combat won") == 1
    assert duel.hand(1) == 1


@pytest.mark.rule("466.1.a.2", "466.2", "466.5.b")
def test_a_stunned_guard_s_attacker_is_recalled_and_nobody_conquers() -> None:
    """Both survive the damage, so the attacker is recalled; then the mark kills: no result."""
    duel = a_duel(
        hand=[spell("Mark", MARK), spell("Daze", "Stun a unit.")],
        board=[unit("Scout", 5), unit("Guard", 6, owner=1, place="bf:1")],
    )
    duel.play("Mark", choose=["Guard"])
    duel.pass_all()
    duel.play("Daze", choose=["Guard"])
    duel.pass_all()
    duel.move(["Scout"], "bf:1")
    duel.pass_showdown()

    assert (duel["Scout"].place, duel["Guard"].place) == ("base:0", "trash:1")
    assert duel.count("combat won") == 0
    assert (duel.controls("bf:1"), duel.points(0)) == (-1, 0)
