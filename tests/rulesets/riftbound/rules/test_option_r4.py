"""R4, a declined "next time": it stays, or it is used up."""

from __future__ import annotations

import pytest

from longfuse.abilities.ability import Ability, Do, Program
from longfuse.abilities.nodes import When, Who
from rulesets.riftbound.cards import A_UNIT, CHOSEN, THIS_TURN, creates, deals, kills, spell, unit
from rulesets.riftbound.duels import Playing, a_duel

NEXT = Ability(
    kind="triggered",
    when=When("damage dealt", subject=CHOSEN),
    uses=1,
    optional=True,
    program=Program(body=(Do("draw", amount=1, who=Who()),)),
    window=THIS_TURN,
)
PAID = (
    "[Reaction] Choose a friendly unit. The next time that unit would die this turn, "
    "you may pay 1 to instead heal, exhaust and recall it."
)


def declined(option: str) -> Playing:
    """The next damage has come, and the offer was declined."""
    duel = a_duel(
        hand=[
            spell("Fuse", "", creates(NEXT, choices=[A_UNIT])),
            deals("Spark", 1),
            deals("Ember", 1),
        ],
        board=[unit("Oak", 9)],
        options={"R4": option},
    )
    for name in ("Fuse", "Spark"):
        duel.play(name, choose=["Oak"])
        duel.pass_all()
    duel.answer(False)
    return duel


@pytest.mark.rule("390.2", "383.3.a")
def test_stays_a_declined_trigger_is_offered_again() -> None:
    """By default the next damage offers it once more."""
    duel = declined("stays")
    assert duel.waiting == ["Fuse"]
    duel.play("Ember", choose=["Oak"])
    duel.pass_all()

    assert duel.asked == (0, "may")


@pytest.mark.rule("390.2", "383.3.a")
def test_used_a_declined_trigger_is_gone() -> None:
    """With "used", declining was its one use."""
    duel = declined("used")
    assert duel.ended == [("Fuse", "declined")]
    duel.play("Ember", choose=["Oak"])
    duel.pass_all()

    assert duel.asked == (0, "main")


@pytest.mark.rule("390.3", "371.2")
@pytest.mark.parametrize(("option", "waiting"), [("stays", True), ("used", False)])
def test_a_declined_replacement(option: str, waiting: bool) -> None:
    """The same for a saver that was declined while another one saved the unit."""
    save = (
        "[Reaction] Choose a friendly unit. The next time that unit would die this turn, "
        "instead heal and exhaust it, then recall it."
    )
    duel = a_duel(
        hand=[spell("Paid", PAID), spell("Free", save), kills("Blade")],
        board=[unit("Oak", 3)],
        energy=(1, 0),
        options={"R4": option},
    )
    for name in ("Paid", "Free", "Blade"):
        duel.play(name, choose=["Oak"])
        duel.pass_all()
    duel.answer(["Paid", "Free"])
    duel.answer(False)

    assert duel["Oak"].place == "base:0"
    assert (duel.waiting == ["Paid"]) == waiting
    assert (("Paid", "declined") in duel.ended) != waiting
