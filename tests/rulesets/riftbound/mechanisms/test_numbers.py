"""Why a shown number is not the printed one: what its entity lists, to each viewer."""

from __future__ import annotations

from typing import Any

import pytest

from longfuse.abilities.ability import Ability, Change, Duration
from longfuse.abilities.nodes import Named, Selector
from longfuse.game.eyes import Viewer
from rulesets.riftbound.cards import (
    A_UNIT,
    CHOSEN,
    THIS_TURN,
    battlefield,
    creates,
    spell,
    unit,
)
from rulesets.riftbound.duels import Playing, a_duel

OTHERS = Selector(kinds=("unit",), control="friendly", another=True)


def seen(duel: Playing, name: str, viewer: Viewer = 1) -> dict[str, Any]:
    """A card's entity as a viewer sees it."""
    duel.game.frames(viewer)
    entities = duel.game.view(viewer).entities.values()
    return next(entity for entity in entities if entity.get("card") == name and "type" in entity)


def played(*texts: str) -> Playing:
    """A duel in which spells named One, Two … of these texts were played on Oak."""
    names = ("One", "Two", "Three")[: len(texts)]
    spells = [spell(name, text) for name, text in zip(names, texts, strict=True)]
    duel = a_duel(hand=spells, board=[unit("Oak", 3)])
    for name in names:
        duel.play(name, choose=["Oak"])
        duel.pass_all()
    return duel


def test_nothing_is_listed_where_nothing_changes() -> None:
    """An object that is as printed has none of the fields."""
    duel = a_duel(board=[unit("Oak", 3)])

    assert seen(duel, "Oak").keys().isdisjoint({"parts", "printed_might", "printed_keywords"})


def test_what_waits_and_ends_is_named_with_its_end() -> None:
    """A spell's +2 this turn: its card, the entity of what waits, and the words of its end."""
    duel = played("Give a unit +2 Might this turn.")
    oak = seen(duel, "Oak")

    assert (oak["printed_might"], oak["might"]) == (3, 5)
    assert oak["parts"] == [
        {"of": "might", "amount": 2, "source": "One", "until": "this turn", "by": "w1"}
    ]


def test_it_is_over_when_what_changed_it_is() -> None:
    """After the turn nothing is listed any more."""
    duel = played("Give a unit +2 Might this turn.")
    duel.end_turn()

    assert "parts" not in seen(duel, "Oak")


def test_a_card_in_play_is_named_by_its_entity() -> None:
    """A passive lasts while its card is on the board."""
    captain = unit("Captain", 2, "Your other units have +1 Might.")
    duel = a_duel(board=[unit("Oak", 3), captain])
    (part,) = seen(duel, "Oak")["parts"]
    entities = duel.game.view(1).entities

    assert (part["amount"], part["source"]) == (1, "Captain")
    assert entities[part["by"]]["card"] == "Captain"
    assert part["until"] == f"while {part['by']} on the board"


def test_what_holds_under_a_condition_says_so() -> None:
    """It ends with the damage, or with the unit itself."""
    duel = a_duel(board=[unit("Oak", 3, "While I'm damaged, I have +2 Might.", damage=1)])
    (part,) = seen(duel, "Oak")["parts"]

    assert (part["amount"], part["source"]) == (2, "Oak")
    assert part["says"] == "While this is damaged, this has +2 Might."


def test_setting_says_what_it_becomes_and_the_difference() -> None:
    """Set to 1, and then increased: each is a part of its own."""
    fixes = Ability(
        kind="passive",
        changes=(Change("might", of=CHOSEN, amount=1, set=True),),
        window=THIS_TURN,
    )
    rises = spell("Rise", "Give a unit +2 Might this turn.")
    duel = a_duel(
        hand=[spell("Fix", "", creates(fixes, choices=[A_UNIT])), rises], board=[unit("Oak", 5)]
    )
    for name in ("Rise", "Fix"):
        duel.play(name, choose=["Oak"])
        duel.pass_all()
    oak = seen(duel, "Oak")
    parts = [(part["source"], part["amount"], part.get("becomes")) for part in oak["parts"]]

    assert (oak["printed_might"], oak["might"]) == (5, 3)
    assert parts == [("Fix", -4, 1), ("Rise", 2, None)]


def test_doubling_is_what_it_added() -> None:
    """5 doubled is 5 more, from then on (432.1.a)."""
    duel = played("Give a unit +2 Might this turn.", "Double a friendly unit's Might this turn.")
    oak = seen(duel, "Oak")

    assert oak["might"] == 10
    assert [(part["source"], part["amount"]) for part in oak["parts"]] == [("One", 2), ("Two", 5)]


def test_what_a_decrease_could_not_take_is_not_counted() -> None:
    """Of -5 a unit with 3 loses 3, and that is said; a second decrease takes nothing."""
    duel = played("Give a unit -5 Might this turn.", "Give a unit -1 Might this turn.")
    oak = seen(duel, "Oak")

    assert oak["might"] == 0
    assert [(part["source"], part["amount"]) for part in oak["parts"]] == [
        ("One", -3),
        ("Two", 0),
    ]
    assert {part["rule"] for part in oak["parts"]} == {"not below 0"}


def test_a_buff_is_a_rule_s_part() -> None:
    """It has no card, but a clause."""
    oak = unit("Oak", 3)
    duel = a_duel(hand=[spell("Cheer", "Buff a friendly unit.")], board=[oak])
    duel.play("Cheer", choose=["Oak"])
    duel.pass_all()

    assert seen(duel, "Oak")["parts"] == [
        {"of": "might", "amount": 1, "rule": "buffs", "clause": "432"}
    ]


def test_keywords_are_listed_as_given_and_lost() -> None:
    """Given ones say from what and until when; a printed one that is lost says what took it."""
    takes = Ability(
        kind="passive",
        changes=(Change("no keyword", of=CHOSEN, word="Tank"),),
        window=Duration("this turn"),
    )
    duel = a_duel(
        hand=[
            spell("Arm", "Give a unit [Assault 2] this turn."),
            spell("Strip", "", creates(takes, choices=[A_UNIT])),
        ],
        board=[unit("Oak", 3, "[Tank]")],
    )
    for name in ("Arm", "Strip"):
        duel.play(name, choose=["Oak"])
        duel.pass_all()
    oak = seen(duel, "Oak")
    given, lost = oak["parts"]

    assert (oak["printed_keywords"], oak["keywords"]) == ({"Tank": 0}, ["Assault"])
    assert (given["of"], given["word"], given["amount"]) == ("keyword", "Assault", 2)
    assert (given["source"], given["until"], given["by"]) == ("Arm", "this turn", "w1")
    assert (lost["word"], lost["lost"], lost["source"]) == ("Tank", True, "Strip")


def test_control_for_a_while_says_from_what() -> None:
    """Whoever wonders why it is theirs finds what gave it to them."""
    duel = a_duel(
        hand=[spell("Lure", "Take control of an enemy unit this turn.")],
        board=[unit("Foe", 3, owner=1)],
    )
    duel.play("Lure", choose=["Foe"])
    duel.pass_all()
    (part,) = seen(duel, "Foe")["parts"]

    assert (part["of"], part["source"], part["until"]) == ("controller", "Lure", "this turn")


@pytest.mark.parametrize("viewer", [0, 1, "spectator"])
def test_a_source_out_of_sight_is_not_named(viewer: Viewer) -> None:
    """A card in hand changes a unit in play: its player is told from what, nobody else."""
    lends = Ability(
        kind="passive", changes=(Change("might", of=OTHERS, amount=1),), zones=("hand",)
    )
    duel = a_duel(hand=[unit("Secret", 2, "", lends)], board=[unit("Oak", 3)])
    (part,) = seen(duel, "Oak", viewer)["parts"]

    if viewer == 0:
        assert part["source"] == "Secret"
        assert duel.game.view(0).entities[part["by"]]["card"] == "Secret"
    else:
        assert part == {"of": "might", "amount": 1}


def test_what_was_given_lasts_as_long_as_what_gives_it() -> None:
    """A unit that was given an ability this turn changes others for no longer."""
    lifts = Ability(kind="passive", changes=(Change("might", of=OTHERS, amount=1),))
    gives = Ability(
        kind="passive",
        changes=(Change("ability", of=Named("t1"), ability=lifts),),
        window=THIS_TURN,
    )
    duel = a_duel(
        hand=[spell("Crown", "", creates(gives, choices=[A_UNIT]))],
        board=[unit("Oak", 3), unit("Elm", 3)],
    )
    duel.play("Crown", choose=["Oak"])
    duel.pass_all()
    (lifted,) = seen(duel, "Elm")["parts"]
    (given,) = seen(duel, "Oak")["parts"]

    assert (lifted["source"], lifted["until"]) == ("Oak", "this turn")
    assert (given["of"], given["source"], given["until"]) == ("ability", "Crown", "this turn")
    assert given["says"]


def test_the_points_that_win_are_explained_too() -> None:
    """A battlefield that raises them is named."""
    raises = Ability(kind="passive", changes=(Change("victory score", amount=1),))
    duel = a_duel(battlefields=[battlefield("Long Road", "", raises), battlefield("Plain")])
    goal = duel.game.view(1).entities["goal"]
    (part,) = goal["parts"]  # type: ignore[misc]

    assert (goal["printed_points"], goal["points"]) == (8, 9)
    assert (part["of"], part["amount"], part["source"]) == ("points", 1, "Long Road")
