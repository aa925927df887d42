"""How a duel is told: fuses that are lit and go off, and that every event has its sentence."""

from __future__ import annotations

from longfuse.rulesets.riftbound.telling import SENTENCES, UNTOLD, UNTOLD_MARKS, is_told
from longfuse.rulesets.riftbound.vocabulary import HAPPENED, MARKS
from rulesets.riftbound.cards import spell, unit
from rulesets.riftbound.duels import Playing, a_duel


def told(duel: Playing) -> list[str]:
    """All that viewers are told."""
    rules = duel.rules
    return [rules.sentence(e, None) for e in duel.game.log.events if is_told(rules, e)]


def test_every_event_and_mark_has_a_sentence() -> None:
    """A name of the code's own never stands in a told game."""
    not_reached = {"mark:expiration"}
    names = {*HAPPENED, *(f"mark:{mark}" for mark in MARKS), *UNTOLD, *UNTOLD_MARKS}
    assert names - not_reached - set(SENTENCES) == set()


def test_a_trigger_that_waited_goes_off() -> None:
    """What is lit is told with the cards that it knows; then that it goes off."""
    sting = spell("Sting", "Choose a unit. The next time it takes damage this turn, kill it.")
    duel = a_duel(hand=[sting, spell("Spark", "Deal 1 to a unit.")], board=[unit("Oak", 5)])
    duel.play("Sting", choose=["Oak"])
    duel.pass_all()
    assert told(duel)[-1] == (
        "A fuse is lit: Sting: When Oak next takes damage this turn, kill it."
    )
    duel.play("Spark", choose=["Oak"])
    duel.pass_all()
    assert "A fuse goes off: Sting." in told(duel)


def test_a_replacement_that_waited_has_gone_off() -> None:
    """It leaves no damage to be told of, so its use is told."""
    calm = spell("Calm", "Choose a unit. The next time it would take damage this turn, prevent it.")
    duel = a_duel(hand=[calm, spell("Spark", "Deal 1 to a unit.")], board=[unit("Oak", 5)])
    duel.play("Calm", choose=["Oak"])
    duel.pass_all()
    duel.play("Spark", choose=["Oak"])
    duel.pass_all()
    assert "A fuse has gone off: Calm." in told(duel)


def test_a_fuse_that_is_out_already_is_told_in_full() -> None:
    """It was lit and went off in one breath: its words are those that it had."""
    text = "Choose a unit. If it would die this turn, banish it instead. Deal 3 to it."
    duel = a_duel(hand=[spell("Brand", text)], board=[unit("Oak", 2)])
    duel.play("Brand", choose=["Oak"])
    duel.pass_all()
    (lit,) = (one for one in told(duel) if one.startswith("A fuse is lit"))
    assert lit.startswith("A fuse is lit: Brand: ")
