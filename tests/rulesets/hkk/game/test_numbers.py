"""Why a shown number is not the printed one: what its entity lists, to each viewer."""

from __future__ import annotations

from typing import Any

import pytest

from longfuse.abilities.ability import Ability, Change, Create, Duration
from longfuse.abilities.nodes import Selector
from longfuse.game.eyes import Viewer
from longfuse.rulesets.hkk.rendering import RENDERING
from rulesets.hkk.cards import T1, YOURS, card, creature, instant, one, strengthens, suppresses
from rulesets.hkk.duels import Playing, a_duel

THIS_TURN = Duration("this turn")
SWIFT = Ability(kind="keyword", keyword="Swift")


def seen(duel: Playing, name: str, viewer: Viewer = 1) -> dict[str, Any]:
    """A card's entity as a viewer sees it."""
    duel.game.frames(viewer)
    entities = duel.game.view(viewer).entities.values()
    return next(entity for entity in entities if entity.get("card") == name and "type" in entity)


def changing(name: str, *changes: Change) -> Any:
    """A free instant that changes a creature this turn."""
    makes = Create(Ability(kind="passive", changes=changes, window=THIS_TURN))
    return instant(name, makes, choices=(one("creature"),))


def played(*changes: Change, board: Any = ()) -> Playing:
    """A game in which each of these was played on Golem, a 2/2 creature."""
    names = ("One", "Two")[: len(changes)]
    hand = [changing(name, change) for name, change in zip(names, changes, strict=True)]
    duel = a_duel(hand=hand, board=[creature("Golem", 2, 2), *board])
    for name in names:
        duel.play(name, choose=["Golem"])
    return duel


def test_nothing_is_listed_where_nothing_changes() -> None:
    """An object that is as printed has none of the fields."""
    duel = a_duel(board=[creature("Golem", 2, 2)])

    assert not [key for key in seen(duel, "Golem") if key == "parts" or "printed" in key]


def test_what_waits_and_what_is_in_play_are_told_apart() -> None:
    """An instant's change ends with the turn, a building's with the building."""
    duel = played(
        Change("damage", of=T1, amount=2), board=[card("Kiln", "building", strengthens())]
    )
    golem = seen(duel, "Golem")
    kiln, spell = golem["parts"]
    entities = duel.game.view(1).entities

    assert (golem["printed_damage"], golem["damage"]) == (2, 6)
    assert (kiln["source"], entities[kiln["by"]]["card"]) == ("Kiln", "Kiln")
    assert kiln["until"] == f"while {kiln['by']} on the board"
    assert spell == {"of": "damage", "amount": 2, "source": "One", "until": "this turn", "by": "w1"}


def test_setting_says_what_it_becomes_and_the_difference() -> None:
    """Set to 1, and then increased."""
    duel = played(Change("life", of=T1, amount=3), Change("life", of=T1, amount=1, set=True))
    golem = seen(duel, "Golem")
    parts = [(part["source"], part["amount"], part.get("becomes")) for part in golem["parts"]]

    assert (golem["printed_life"], golem["life"]) == (2, 4)
    assert parts == [("Two", -1, 1), ("One", 3, None)]


def test_what_is_cut_off_at_zero_is_a_part_of_its_own() -> None:
    """2 - 5 is shown as 0."""
    golem = seen(played(Change("damage", of=T1, amount=-5)), "Golem")

    assert golem["damage"] == 0
    assert [part["amount"] for part in golem["parts"]] == [-5, 3]
    assert golem["parts"][1]["rule"] == "not below 0"


def test_lost_abilities_and_keywords_name_what_took_them() -> None:
    """The clause of the suppression is told."""
    gag = card("Gag", "building", suppresses(YOURS))
    duel = a_duel(board=[creature("Golem", 2, 2, SWIFT), gag])
    golem = seen(duel, "Golem")
    keyword, abilities = golem["parts"]

    assert (golem["printed_keywords"], golem["keywords"]) == (["Swift"], [])
    assert (keyword["word"], keyword["lost"], keyword["source"]) == ("Swift", True, "Gag")
    assert (abilities["of"], abilities["lost"], abilities["clause"]) == (
        "abilities",
        True,
        "127.0.2",
    )


def test_lines_show_what_is_printed_beside_it() -> None:
    """Both numbers, where one has changed; wounds are taken off the life that is shown."""
    golem = seen(played(Change("damage", of=T1, amount=2)), "Golem")
    (row,) = [row for row in RENDERING.card({**golem, "wounds": 1}).rows if row.label == "type"]

    assert row.text == "creature 4/1, printed 2/2"


@pytest.mark.parametrize("viewer", [0, 1, "spectator"])
def test_a_source_out_of_sight_is_not_named(viewer: Viewer) -> None:
    """A card in hand changes a creature in play: its player is told from what, nobody else."""
    mine = Selector(kinds=("creature",), control="friendly")
    lends = Ability(kind="passive", changes=(Change("damage", of=mine, amount=1),), zones=("hand",))
    duel = a_duel(hand=[card("Secret", "building", lends)], board=[creature("Golem", 2, 2)])
    (part,) = seen(duel, "Golem", viewer)["parts"]

    if viewer == 0:
        assert part["source"] == "Secret"
    else:
        assert part == {"of": "damage", "amount": 1}
