"""Hidden: hiding, facedown zones, playing from there, and what that restricts (107.3, 421, 811)."""

from __future__ import annotations

from typing import Any

import pytest

from longfuse.abilities.ability import Ability, Change
from longfuse.abilities.nodes import Who
from rulesets.riftbound.cards import battlefield, draws, gear, kills, spell, unit
from rulesets.riftbound.duels import Playing, a_duel

BLOCK = spell("Block", "[Hidden]\n[Action]\nGive a unit [Tank] this turn.", energy=2)
CUB = unit("Cub", 3, "[Hidden]", energy=2)
FAE = unit("Fae", 2, "[Hidden]\nWhen you play me, deal 1 to a unit.", energy=4)
TRAP = gear("Trap", "[Hidden]\nIf a friendly unit would die, kill this instead.", energy=3)

MINE = [unit("Oak", 3, place="bf:1"), unit("Elm", 3)]


def holding(*hand: Any, **start: Any) -> Playing:
    """A duel in which seat 0 controls bf:1 and can pay 1 Power."""
    start = {"board": MINE, "power": ({"fury": 1}, {}), **start}
    return a_duel(hand=list(hand), **start)


def hidden_since_last_turn(*hand: Any, **start: Any) -> Playing:
    """The same a turn later: seat 0's cards are hidden, it is seat 1's turn."""
    duel = holding(*hand, **{"power": ({"fury": len(hand)}, {}), **start})
    for one in hand:
        if "Hidden" in one.definition.keyword_amounts:
            duel.hide(one.definition.name)
    duel.end_turn()
    return duel


def hide_reason(duel: Playing, name: str) -> str:
    """Why a card can't be hidden; fails if that is not offered at all."""
    return next(one.reason for one in duel.prompt.items if one.label == f"Hide {name}")


@pytest.mark.rule("811.1.b", "421.1")
def test_hiding_costs_one_power_of_any_domain() -> None:
    """The card goes facedown to the battlefield; the Power is paid; nothing is on the chain."""
    duel = holding(BLOCK)

    duel.hide("Block")

    assert duel["Block"].place == "facedown"
    assert duel["Block"].facedown
    assert duel.game.place_of(duel["Block"].ref) == "bf:1"
    assert duel.rules.player(0).power == ()
    assert (duel.chain, duel.asked) == ([], (0, "main"))


@pytest.mark.rule("811.1.c.1")
def test_hiding_is_no_play() -> None:
    """It counts for no card finalized, and nothing sees a card played."""
    duel = holding(BLOCK)
    duel.hide("Block")
    assert duel.rules.player(0).finalized == 0
    assert duel.count("card played") == 0
    assert duel.count("hidden") == 1


@pytest.mark.rule("811.1.b")
@pytest.mark.parametrize(
    ("start", "word"),
    [
        ({"power": ({}, {})}, "cost"),
        ({"board": [unit("Oak", 3)]}, "location"),
        ({"control": {"bf:1": 1}}, "location"),
    ],
)
def test_hiding_needs_power_and_a_battlefield_of_one_s_own(
    start: dict[str, Any], word: str
) -> None:
    """Without either it is not legal, and the prompt says which."""
    assert hide_reason(holding(BLOCK, **start), "Block").startswith(word)


@pytest.mark.rule("107.3.b")
def test_a_facedown_zone_holds_one_card() -> None:
    """A second card can't be hidden at the same battlefield."""
    duel = holding(BLOCK, CUB, power=({"fury": 2}, {}))
    duel.hide("Block")
    assert hide_reason(duel, "Cub").startswith("location")


@pytest.mark.rule("107.3.b.1")
def test_more_room_by_a_battlefield_s_words() -> None:
    """ "You may hide an additional card here": two cards, and no third."""
    ability = Ability(
        kind="passive", changes=(Change("may", word="hide here", who=Who()),), text="more room"
    )
    duel = holding(
        BLOCK, CUB, FAE, power=({"fury": 3}, {}), battlefields=[battlefield("Tree", "", ability)]
    )
    duel.hide("Block")
    duel.hide("Cub")
    assert hide_reason(duel, "Fae").startswith("location")


@pytest.mark.rule("811.1.b")
def test_hiding_is_not_offered_in_reaction_or_in_another_s_turn() -> None:
    """On one's own turn in an open state, and at no other time."""
    duel = holding(BLOCK, spell("Ping", "Draw 1."), theirs=[BLOCK.__class__(CUB.definition)])
    duel.play("Ping")
    assert not any(one.label == "Hide Block" for one in duel.prompt.items)


@pytest.mark.rule("811.1.b")
def test_a_hidden_card_is_not_played_in_the_turn_it_was_hidden() -> None:
    """It waits for the next turn."""
    duel = holding(BLOCK)
    duel.hide("Block")
    assert duel.reason("Block").startswith("timing")


@pytest.mark.rule("811.1.b", "811.6")
def test_a_hidden_card_reacts_for_nothing_from_the_next_turn() -> None:
    """In the opponent's turn, on a chain, it is played as a Reaction and its cost is ignored."""
    duel = hidden_since_last_turn(BLOCK, theirs=[draws("Spark")])
    duel.play("Spark", seat=1)
    duel.pass_(1)

    duel.play("Block", seat=0, how="hidden")
    duel.pass_all()

    assert duel["Oak"].has("Tank")
    assert duel["Block"].place == "trash:0"


@pytest.mark.rule("811.1.c.3")
def test_playing_from_facedown_opens_a_chain() -> None:
    """It can be answered like any other play."""
    duel = hidden_since_last_turn(BLOCK, theirs=[draws("Spark"), draws("Ember", fast=True)])
    duel.play("Spark", seat=1)
    duel.pass_(1)
    duel.play("Block", seat=0, how="hidden")
    assert duel.chain == ["Spark", "Block"]
    duel.pass_(0)
    assert duel.offers("Ember")


@pytest.mark.rule("811.1.d.1")
def test_a_hidden_unit_enters_where_it_was_hidden() -> None:
    """Nobody is asked where."""
    duel = hidden_since_last_turn(CUB, theirs=[draws("Spark")])
    duel.play("Spark", seat=1)
    duel.pass_(1)
    duel.play("Cub", seat=0, how="hidden")
    assert duel["Cub"].place == "bf:1"
    assert duel["Cub"].exhausted


@pytest.mark.rule("811.1.d.1.a", "323.7")
def test_a_hidden_gear_enters_there_and_is_recalled() -> None:
    """It is played to the battlefield; a gear alone there goes home in the next cleanup."""
    duel = hidden_since_last_turn(TRAP, theirs=[draws("Spark")])
    duel.play("Spark", seat=1)
    duel.pass_(1)
    duel.play("Trap", seat=0, how="hidden")

    assert duel.count("entered", "Trap") == 1
    assert duel.count("recalled", "Trap", from_place="bf:1") == 1
    assert duel["Trap"].place == "base:0"


@pytest.mark.rule("811.1.d.2")
def test_a_hidden_spell_chooses_among_what_is_there() -> None:
    """Elm in the base can't be chosen; Oak at the battlefield is the only one that can."""
    duel = hidden_since_last_turn(BLOCK, theirs=[draws("Spark")])
    duel.play("Spark", seat=1)
    duel.pass_(1)
    duel.play("Block", seat=0, how="hidden")
    assert [question.kind for question, _ in duel.game.settled] == ["target"]
    duel.pass_all()
    assert (duel["Oak"].has("Tank"), duel["Elm"].has("Tank")) == (True, False)


@pytest.mark.rule("811.1.d.2")
def test_a_hidden_unit_s_play_effect_chooses_there_too() -> None:
    """The play effect of a unit played from facedown is bound to its battlefield."""
    duel = hidden_since_last_turn(FAE, theirs=[draws("Spark")])
    duel.play("Spark", seat=1)
    duel.pass_(1)
    duel.play("Fae", seat=0, how="hidden")
    assert [one.label for one in duel.prompt.items] == ["Oak", "Fae"]


@pytest.mark.rule("811.1.d.2")
def test_words_that_speak_of_elsewhere_choose_freely() -> None:
    """What could never be at that battlefield may be chosen where it is."""
    call = spell("Call", "[Hidden]\nReturn a unit from your trash to your hand.", energy=2)
    duel = hidden_since_last_turn(call, theirs=[draws("Spark")], trash=[unit("Ash", 1)])
    duel.play("Spark", seat=1)
    duel.pass_(1)
    duel.play("Call", seat=0, how="hidden", choose=["Ash"])
    duel.pass_all()
    assert duel["Ash"].place == "hand:0"


@pytest.mark.rule("811.1.d")
def test_a_hidden_spell_without_a_target_there_can_t_be_played() -> None:
    """There is an enemy unit in its base, but none at the battlefield."""
    curse = spell("Curse", "[Hidden]\nDeal 3 to an enemy unit.", energy=2)
    duel = hidden_since_last_turn(
        curse, theirs=[draws("Spark")], board=[*MINE, unit("Ash", 3, owner=1)]
    )
    duel.play("Spark", seat=1)
    duel.pass_(1)
    assert duel.reason("Curse").startswith("target")


@pytest.mark.rule("811.1.d.3")
def test_a_unit_that_a_hidden_spell_brings_is_played_there() -> None:
    """A token that could be played to any own place comes to that battlefield."""
    call = spell("Sprites", "[Hidden]\nPlay a 1 Might Recruit unit token.", energy=2)
    duel = hidden_since_last_turn(call, theirs=[draws("Spark")])
    duel.play("Spark", seat=1)
    duel.pass_(1)
    duel.play("Sprites", seat=0, how="hidden")
    duel.pass_all()
    assert [token.place for token in duel.find("Recruit")] == ["bf:1"]


@pytest.mark.rule("811.3")
def test_a_card_with_hidden_is_played_from_hand_as_always() -> None:
    """For its cost, with no restriction on targets."""
    duel = holding(BLOCK, energy=(2, 0))
    duel.play("Block", choose=["Elm"])
    duel.pass_all()
    assert duel["Elm"].has("Tank")


@pytest.mark.rule("107.3.d", "323.7", "421.4")
def test_a_hidden_card_is_lost_with_control_of_its_battlefield() -> None:
    """The last unit there dies, control is lost: the card goes to its owner's trash, revealed."""
    duel = holding(CUB, kills("Blade"))
    duel.hide("Cub")
    duel.play("Blade", choose=["Oak"])
    duel.pass_all()

    assert duel.controls("bf:1") == -1
    assert duel["Cub"].place == "trash:0"
    assert duel.count("revealed", "Cub") == 1


@pytest.mark.rule("811.1.b", "103.2.a")
def test_the_chosen_champion_may_be_hidden() -> None:
    """From the Champion Zone as from the hand."""
    duel = holding(CUB, runes=(["fury"], []))
    duel.game.move_card(duel["Cub"].ref.card, "champion:0")
    duel.end_turn()
    duel.end_turn()
    duel.hide("Cub")
    assert duel["Cub"].place == "facedown"


@pytest.mark.rule("811.1.b")
def test_hiding_may_cost_nothing() -> None:
    """ "You can hide cards ignoring costs this turn." """
    duel = holding(
        BLOCK,
        spell("Guile", "You can hide cards ignoring costs this turn."),
        power=({}, {}),
    )
    assert hide_reason(duel, "Block").startswith("cost")
    duel.play("Guile")
    duel.pass_all()
    duel.hide("Block")
    assert duel["Block"].place == "facedown"


@pytest.mark.rule("128.4", "107.3")
def test_only_its_controller_sees_a_facedown_card() -> None:
    """The others see that there is one at that battlefield, and whose it is."""
    duel = holding(BLOCK)
    duel.hide("Block")

    seen = [
        {e.get("card") for e in duel.game.view(v).entities.values()} for v in (0, 1, "spectator")
    ]
    assert ["Block" in cards for cards in seen] == [True, False, False]
    fields = [
        e
        for e in duel.game.view(1).entities.values()
        if e.get("place") == "bf:1" and "facedown" in e
    ]
    assert [field["facedown"] for field in fields] == [[0]]


@pytest.mark.rule("811.1.b", "313")
def test_hiding_in_a_showdown_keeps_focus() -> None:
    """On one's own turn, in an open state of a showdown; no chain opens, so focus stays."""
    duel = holding(BLOCK)
    duel.move(["Elm"], to="bf:2")
    assert duel.asked == (0, "focus")
    duel.hide("Block", at="Field One")
    assert duel.asked == (0, "focus")


@pytest.mark.rule("128.4", "811.6.a")
def test_nobody_else_can_tell_what_was_hidden() -> None:
    """Two games that differ in the hidden card only look the same to the others."""
    seen = []
    for card in (BLOCK, CUB):
        duel = holding(card, theirs=[draws("Spark")])
        frames = [duel.game.frames(viewer) for viewer in (1, "spectator")]
        duel.hide(card.definition.name)
        frames += [duel.game.frames(viewer) for viewer in (1, "spectator")]
        duel.end_turn()
        duel.play("Spark", seat=1)
        frames += [duel.game.frames(viewer) for viewer in (1, "spectator")]
        seen.append(frames)
    assert seen[0] == seen[1]
    assert any("hides a card" in str(event["text"]) for frame in seen[0] for event in frame.events)
