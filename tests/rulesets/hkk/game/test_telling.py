"""How a duel is told: what comes onto the table, what has no effect, and what is over."""

from __future__ import annotations

from longfuse.abilities.ability import Ability, Create, Do, Duration
from rulesets.hkk.cards import T1, card, creature, instant, one, strengthens, to_t1
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


# ---------------------------------------------------------------- what has no effect, and is over


def test_what_has_lost_its_target_comes_to_nothing() -> None:
    """It was gone before this came about; what had an effect says so itself."""
    duel = a_duel(
        hand=[to_t1("Blow", "destroy"), to_t1("Gust", "destroy")],
        board=[creature("Foe", owner=1), card("Hut", "building", owner=1).at("table")],
    )
    duel.play("Blow", choose=["Foe"], through=False)
    duel.pass_()
    duel.play("Gust", choose=["Foe"], through=False)
    duel.pass_all()

    found = told(duel)
    assert "Blow comes to nothing: what it chose is gone." in found
    assert not any(one.startswith("Gust comes") for one in found)


def test_a_building_that_is_destroyed_is_told() -> None:
    """A creature dies; for all else there is this."""
    duel = a_duel(
        hand=[to_t1("Blow", "destroy")],
        board=[creature("Foe", owner=1), card("Hut", "building", owner=1).at("table")],
    )
    duel.play("Blow", choose=["Hut"])

    assert "P2's Hut is destroyed." in told(duel)


def test_what_is_prevented_goes_by_its_name() -> None:
    """It is gone by then; it does not come to nothing as well."""
    nay = instant("Nay", Do("prevent", what=T1), choices=(one("card", zone="chain"),))
    duel = a_duel(hand=[instant("Spark")], theirs=[nay])
    duel.play("Spark", through=False)
    duel.play("Nay", choose=["Spark"])

    found = told(duel)
    assert "Spark is prevented (by Nay)." in found
    assert not any("comes to nothing" in one for one in found)


def test_phases_and_the_end_of_a_combat_are_told() -> None:
    """Each phase as it begins; that the combat is over, whether or not anybody was hurt."""
    duel = a_duel(board=[creature("Oak")])
    duel.to("combat")
    duel.attack(("Oak", "P2"))
    duel.to("second main")

    found = told(duel)
    assert "P1's exchange." in found
    assert "P1's phase after the exchange." in found
    assert found.index("The combat is over.") < found.index("P1's second main phase.")


def test_what_an_instruction_made_wait_is_over() -> None:
    """With the turn, since it lasted for that."""
    boost = Ability(kind="passive", changes=strengthens().changes, window=Duration("this turn"))
    duel = a_duel(hand=[instant("Rush", Create(boost))], board=[creature("Oak")])
    duel.play("Rush")
    assert "What Rush made wait is over." not in told(duel)
    duel.to("first main", turn=1)

    assert "What Rush made wait is over." in told(duel)
