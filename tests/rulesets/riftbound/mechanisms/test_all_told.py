"""What comes to nothing, changes hands or is over is told: an event each, with its clause."""

from __future__ import annotations

import pytest

from rulesets.riftbound.cards import spell, unit
from rulesets.riftbound.duels import Playing, a_duel

SPARK = spell("Spark", "[Reaction]\nDeal 2 to a unit.")
BOLT = spell("Bolt", "Deal 3 to a unit.")


def told(duel: Playing) -> list[tuple[str, str]]:
    """What a spectator has been told since this was last asked, with clauses."""
    events = duel.game.frames("spectator").events
    return [(str(one["text"]), str(one["clause"])) for one in events]


def texts(duel: Playing) -> list[str]:
    """The same without clauses."""
    return [text for text, _ in told(duel)]


# ---------------------------------------------------------------- the chain


def test_what_has_lost_its_target() -> None:
    """359.3.e.10: it is over without an effect, and names itself."""
    duel = a_duel(hand=[BOLT], theirs=[SPARK], board=[unit("Foe", 2, owner=1)])
    duel.play("Bolt", choose=["Foe"])
    item = duel.game.view("spectator").entities["item:1"]
    duel.play("Spark", choose=["Foe"])
    duel.resolve()
    told(duel)
    duel.game.frames("spectator")
    duel.resolve()
    events = duel.game.frames("spectator").events
    idle = next(one for one in events if one["event"] == "came to nothing")

    assert idle["text"] == "Bolt comes to nothing: what it chose is gone."
    assert (idle["clause"], idle["objects"]) == ("359.3.e.10", [item["object"]])
    assert idle["player"] == 0


def test_what_has_nothing_to_do() -> None:
    """359.3.e.6: an instruction that can't be followed is ignored."""
    duel = a_duel(hand=[spell("Rally", "Ready all friendly units.")])
    duel.play("Rally")
    duel.resolve()

    assert ("Rally comes to nothing.", "359.3.e.6") in told(duel)


def test_what_is_countered() -> None:
    """By what; a card and an ability alike go by the card's name."""
    hush = spell("Hush", "[Reaction] Counter a spell or ability.")
    wasp = unit("Wasp", 1, "When you play me, deal 1 to an enemy unit.")
    duel = a_duel(hand=[wasp], theirs=[hush], board=[unit("Foe", 9, owner=1)])
    duel.play("Wasp", choose=["Foe"])
    duel.pass_()
    duel.play("Hush")
    duel.resolve()

    found = told(duel)
    assert ("Wasp is countered (by Hush).", "425") in found
    assert not any("comes to nothing" in text for text, _ in found)


@pytest.mark.parametrize("agrees", [True, False])
def test_what_is_declined(agrees: bool) -> None:
    """383.3.a: a "may" that is not taken."""
    wasp = unit("Wasp", 1, "When you play me, you may draw 1.")
    duel = a_duel(hand=[wasp])
    duel.play("Wasp")
    duel.answer(agrees)

    found = told(duel)
    assert ("Wasp triggers.", "383.3") in found
    assert (("P1 declines Wasp.", "383.3.a") in found) is not agrees


def test_what_a_trigger_has_chosen_is_told() -> None:
    """That it triggers, and what for."""
    wasp = unit("Wasp", 1, "When you play me, deal 1 to an enemy unit.")
    duel = a_duel(hand=[wasp], board=[unit("Foe", 9, owner=1), unit("Ewe", 9, owner=1)])
    duel.play("Wasp", choose=["Ewe"])

    assert texts(duel)[-2:] == ["Wasp triggers.", "Wasp is for Ewe."]


def test_a_trigger_with_nothing_to_choose() -> None:
    """383.3: it goes from the chain before anybody could answer it, and that is told."""
    duel = a_duel(hand=[unit("Wasp", 1, "When you play me, deal 1 to an enemy unit.")])
    duel.play("Wasp")

    why = "nothing can be chosen for it, or it can't be paid for"
    assert (f"Wasp comes to nothing: {why}.", "383.3") in told(duel)


# ---------------------------------------------------------------- battlefields


def test_a_battlefield_is_contested_taken_and_lost() -> None:
    """Who scores nothing by it takes it all the same; the last unit that leaves loses it."""
    duel = a_duel(
        hand=[spell("Home", "Recall a unit.")], board=[unit("Oak")], scored=(("bf:1",), ())
    )
    told(duel)
    duel.move(["Oak"], "bf:1")
    assert ("P1 contests Field One.", "187.3.a.1") in told(duel)
    duel.pass_showdown()
    assert [one for one in told(duel) if "Field One" in one[0]] == [
        ("P1 controls Field One now.", "348.2.a"),
        ("The showdown at Field One is over.", "348"),
    ]
    duel.play("Home", choose=["Oak"])
    duel.resolve()

    assert ("Nobody controls Field One now.", "323.6") in told(duel)


def test_a_combat_that_nobody_survives() -> None:
    """466.5.b: the battlefield is nobody's, and the combat is over."""
    board = [unit("Oak", 3), unit("Foe", 3, owner=1, place="bf:2")]
    duel = a_duel(board=board)
    duel.move(["Oak"], "bf:2")
    duel.pass_showdown()

    found = told(duel)
    assert ("Nobody controls Field Two now.", "466.5.b") in found
    assert ("The combat at Field Two is over.", "348") in found


def test_a_contest_that_comes_to_nothing() -> None:
    """323.8.a: who contested it has left before there was a showdown."""
    home = spell("Home", "[Reaction] Recall a unit.")
    lure = spell("Lure", "Move a friendly unit to a battlefield. Then do this: Draw 1.")
    duel = a_duel(hand=[lure, home], board=[unit("Oak")])
    duel.play("Lure", choose=["Oak", "Field One"])
    duel.resolve()
    assert "P1 contests Field One." in texts(duel)
    duel.play("Home", choose=["Oak"])
    duel.resolve()

    assert ("Field One is contested no more.", "323.8.a") in told(duel)


# ---------------------------------------------------------------- what waits, and the rest


def test_a_fuse_that_was_not_used_burns_out() -> None:
    """At the end of the turn, with its words; a stun ends then, too."""
    brave = spell("Brave", "Give a unit +2 Might this turn.")
    duel = a_duel(hand=[brave], board=[unit("Oak", stunned=True)])
    duel.play("Brave", choose=["Oak"])
    duel.pass_all()
    told(duel)
    duel.end_turn()

    found = texts(duel)
    assert "A fuse burns out: Brave: Oak has +2 Might this turn." in found
    assert "P1's Oak is stunned no more." in found
    assert "P1's Expiration Step." in found


def test_burning_out_tells_the_points() -> None:
    """431.2: the opponent's points, as they are now."""
    duel = a_duel(hand=[spell("Study", "Draw 1.")], deck_size=0, points=(0, 2))
    duel.play("Study")
    duel.resolve()

    assert "P2 gains 1 point (3 now)." in texts(duel)


def test_a_card_that_goes_under_no_other_word() -> None:
    """From the deck into the trash, for all to see."""
    duel = a_duel(hand=[spell("Landslip", "Put the top 2 cards of your deck into your trash.")])
    duel.play("Landslip")
    duel.resolve()

    assert sum("is put into the trash." in one for one in texts(duel)) == 2


def test_a_rune_that_is_readied_by_an_effect() -> None:
    """What paying does to runes is seen with what is paid for; this has nothing else to tell it."""
    duel = a_duel(
        hand=[spell("Dawn", "Ready a rune.", energy=1)],
        runes=(("fury",), ()),
    )
    duel.play("Dawn", pay=True)
    duel.resolve()

    assert "P1's Fury Rune is readied." in texts(duel)
