"""How a duel is told: what comes onto the table is told as it comes."""

from __future__ import annotations

from rulesets.hkk.cards import creature, instant
from rulesets.hkk.duels import Playing, a_duel


def told(duel: Playing) -> list[str]:
    """All that viewers are told."""
    rules = duel.rules
    return [rules.sentence(e, None) for e in duel.game.log.events if rules.is_told(e)]


def test_a_card_from_the_hand_comes_into_play() -> None:
    """Playing it is told, and later, when nobody has reacted, that it is there."""
    duel = a_duel(hand=[creature("Oak")])
    duel.play("Oak", through=False)
    assert told(duel)[-1] == "P1 plays Oak."
    duel.pass_all()

    assert "Oak comes into play for P1." in told(duel)


def test_an_instant_does_not_come_into_play() -> None:
    """It is told as it is played, and by what it does."""
    duel = a_duel(hand=[instant("Spark")])
    duel.play("Spark")

    assert not any("into play" in sentence for sentence in told(duel))
