"""Predict, Vision, and other ways to look at what is to come (436, 817)."""

from __future__ import annotations

from typing import Any

import pytest

from longfuse.abilities.ability import Ability, Change, Do
from longfuse.abilities.nodes import Each, Named, Selector, Who
from rulesets.riftbound.cards import does, kills, spell, unit
from rulesets.riftbound.duels import Playing, a_duel

TOP = [unit("First", 1), unit("Second", 1), unit("Third", 1)]


def top_of(duel: Playing, seat: int = 0) -> list[str]:
    """The three top cards of a deck, the topmost first."""
    zone = duel.game.board.zone(f"deck:{seat}")
    return [duel.game.board.card(ref).name for ref in reversed(zone[-3:])]


def bottom_of(duel: Playing) -> str:
    """The bottom card of seat 0's deck."""
    return duel.game.board.card(duel.game.board.zone("deck:0")[0]).name


def predicting(number: int, **start: Any) -> Playing:
    """A duel in which seat 0 has been asked which of the top cards to recycle."""
    duel = a_duel(hand=[spell("Omen", f"Predict {number}.")], deck=TOP, **start)
    duel.play("Omen")
    duel.pass_all()
    return duel


@pytest.mark.rule("436.1")
def test_predict_recycles_the_top_card() -> None:
    """It goes to the bottom of the deck."""
    duel = predicting(1)
    assert duel.asked == (0, "card")
    duel.answer("First")
    assert top_of(duel)[0] == "Second"
    assert bottom_of(duel) == "First"


@pytest.mark.rule("436.1")
def test_predict_may_leave_the_card() -> None:
    """Nothing has moved then."""
    duel = predicting(1)
    duel.answer([])
    assert top_of(duel) == ["First", "Second", "Third"]


@pytest.mark.rule("436.1.a", "436.1.b")
def test_predict_several() -> None:
    """One of three is recycled, the two others go back in another order."""
    duel = predicting(3)
    duel.answer(["Second"])
    assert duel.asked == (0, "order")
    duel.answer(["Third", "First"])
    assert top_of(duel)[:2] == ["Third", "First"]
    assert bottom_of(duel) == "Second"


@pytest.mark.rule("436.4", "436.4.a")
def test_predicting_more_than_there_is() -> None:
    """As many as there are are looked at; nobody burns out."""
    duel = a_duel(hand=[spell("Omen", "Predict 3.")], deck=TOP[:1], deck_size=0)
    duel.play("Omen")
    duel.pass_all()
    duel.answer([])
    assert duel.count("burned out") == 0
    assert duel.game.board.zone("deck:0")


@pytest.mark.rule("128.3", "436.1")
def test_what_is_predicted_is_seen_by_that_player_alone() -> None:
    """The event names no card to the other, and its prompt is not theirs."""
    duel = predicting(2)
    words = [
        str(event["text"])
        for viewer in (1, "spectator")
        for event in duel.game.frames(viewer).events
    ]
    assert not any("First" in text for text in words)


@pytest.mark.rule("416.5")
def test_several_recycled_cards_go_to_the_bottom_in_a_random_order() -> None:
    """Over some games both orders come up."""
    orders = set()
    for seed in range(8):
        duel = predicting(2, seed=seed)
        duel.answer(["First", "Second"])
        zone = duel.game.board.zone("deck:0")[:2]
        orders.add(tuple(duel.game.board.card(ref).name for ref in zone))
    assert orders == {("First", "Second"), ("Second", "First")}


@pytest.mark.rule("817.1.b", "817.1.c")
def test_vision() -> None:
    """When the unit is played, its player looks at their top card and may recycle it."""
    duel = a_duel(hand=[unit("Seer", 2, "[Vision]")], deck=TOP)
    duel.play("Seer")
    assert duel.chain == ["Seer"]
    duel.pass_all()
    duel.answer("First")
    assert bottom_of(duel) == "First"


@pytest.mark.rule("817.2")
def test_each_instance_of_vision_triggers() -> None:
    """Printed and given Vision are two triggers."""
    leader = unit("Oracle", 2, "Other friendly units have [Vision].")
    duel = a_duel(hand=[unit("Seer", 2, "[Vision]"), unit("Plain", 2)], board=[leader], deck=TOP)
    duel.play("Seer")
    assert duel.chain == ["Seer", "Seer"]
    duel.pass_all()
    duel.answer("First")
    duel.pass_all()
    duel.answer([])
    duel.play("Plain")
    assert duel.chain == ["Plain"]


@pytest.mark.rule("128.4")
def test_revealing_a_hand() -> None:
    """Each card of that hand is revealed to everybody; none moves."""
    duel = a_duel(
        hand=[spell("Spyglass", "Look at an opponent's hand.")],
        theirs=[kills("Blade"), unit("Oak")],
    )
    duel.play("Spyglass")
    duel.pass_all()
    assert (duel.count("revealed", "Blade"), duel.count("revealed", "Oak")) == (1, 1)
    assert duel.hand(1) == 2


UNITS = Each(Selector(kinds=("unit",), zone="any"))
SEARCH = does(
    Do("reveal until", what=UNITS, who=Who(), name="d1"),
    Do("return", what=Named("d1")),
    Do("rest to bottom", what=Named("d1 revealed")),
)


@pytest.mark.rule("431.1.c")
def test_revealing_until_something_comes() -> None:
    """The first unit from the top is found; what was revealed above it is recycled."""
    duel = a_duel(
        hand=[spell("Search", "", SEARCH)],
        deck=[spell("One", "Draw 1."), spell("Two", "Draw 1."), unit("Found", 2), unit("Below", 2)],
    )
    duel.play("Search")
    duel.pass_all()
    assert duel["Found"].place == "hand:0"
    assert top_of(duel)[0] == "Below"
    assert {duel["One"].place, duel["Two"].place} == {"deck:0"}
    assert bottom_of(duel) in ("One", "Two")


@pytest.mark.rule("431.1.c", "431.1.c.1")
def test_revealing_until_what_never_comes() -> None:
    """The whole deck is revealed, nothing is found, nobody burns out."""
    duel = a_duel(hand=[spell("Search", "", SEARCH)], deck=[spell("One", "Draw 1.")], deck_size=0)
    duel.play("Search")
    duel.pass_all()
    assert duel.count("revealed") == 1
    assert duel.count("burned out") == 0
    assert duel["One"].place == "deck:0"


@pytest.mark.rule("128.4")
def test_a_hand_that_is_revealed_for_a_time() -> None:
    """While the passive applies everybody sees that hand's cards, and no longer."""
    shown = Ability(
        kind="passive", changes=(Change("hand size shown", who=Who("opponent")),), text="shown"
    )
    duel = a_duel(
        hand=[kills("Blade")], board=[unit("Spy", 2, "", shown)], theirs=[unit("Secret", 1)]
    )
    assert duel.game.view("spectator").entities["shown:hand:1"] == {"cards": ["Secret"]}
    assert "shown:hand:0" not in duel.game.view(1).entities
    duel.play("Blade", choose=["Spy"])
    duel.pass_all()
    assert "shown:hand:1" not in duel.game.view(0).entities


@pytest.mark.rule("128.4", "424")
def test_choosing_a_card_from_a_revealed_hand() -> None:
    """ "Choose a card from it, and they discard that card": the caster chooses."""
    words = (
        "Choose an opponent. They reveal their hand. Choose a card from it, and they discard that "
        "card."
    )
    duel = a_duel(hand=[spell("Probe", words)], theirs=[unit("Secret", 1), unit("Plain", 1)])
    duel.play("Probe")
    duel.pass_all()
    assert duel.asked == (0, "card")
    duel.answer("Secret")
    assert (duel["Secret"].place, duel["Plain"].place) == ("trash:1", "hand:1")
