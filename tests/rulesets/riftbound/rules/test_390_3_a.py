"""390.3.a: "then recycle it", "then banish it": a replacement of leaving the chain.

It applies to a finalized item, unless the item's own execution told it to leave.
"""

from __future__ import annotations

import pytest

from longfuse.abilities.ability import Do
from longfuse.abilities.nodes import This
from rulesets.riftbound.cards import Placed, deals, does, draws, spell, unit
from rulesets.riftbound.duels import Playing, a_duel

PIPER = (
    "When you play me, you may choose a spell in your trash. "
    "Play it, ignoring its cost, then {} it."
)
COUNTER = "[Reaction] Counter a spell."


def piping(word: str, played: Placed, *theirs: Placed) -> Playing:
    """A unit has come whose ability, now on the chain, plays a spell from the trash."""
    duel = a_duel(
        hand=[unit("Piper", 2, PIPER.format(word))],
        theirs=theirs,
        trash=[played],
        board=[unit("Oak", 5, owner=1)],
    )
    duel.play("Piper")
    if duel.asked[1] == "may":
        duel.answer(True)
    if duel.asked[1] == "card":
        duel.answer(played.definition.name)
    return duel


@pytest.mark.rule("390.3.a")
@pytest.mark.parametrize(("word", "zone"), [("recycle", "deck:0"), ("banish", "banishment:0")])
def test_it_goes_there_after_it_has_resolved(word: str, zone: str) -> None:
    """The spell resolves, and goes not to the trash but where the rider says."""
    duel = piping(word, draws("Song"))
    duel.resolve()
    assert duel.chain == ["Song"]
    assert duel.waiting == ["Piper"]
    duel.pass_all()

    assert duel.hand(0) == 1
    assert duel["Song"].place == zone
    assert duel.waiting == []


@pytest.mark.rule("390.3.a")
def test_a_recycled_one_lies_on_the_bottom() -> None:
    """Recycling puts it under the Main Deck."""
    duel = piping("recycle", draws("Song"))
    duel.pass_all()

    assert duel.game.board.zone("deck:0")[0] == duel["Song"].ref


@pytest.mark.rule("390.3.a", "425")
@pytest.mark.parametrize(("word", "zone"), [("recycle", "deck:0"), ("banish", "banishment:0")])
def test_a_countered_one_goes_there_too(word: str, zone: str) -> None:
    """Countered after it was finalized: it leaves the chain, but not by its own execution."""
    duel = piping(word, draws("Song"), spell("No", COUNTER))
    duel.resolve()
    duel.play("No", choose=["Song"])
    duel.pass_all()

    assert duel.hand(0) == 0
    assert duel["Song"].place == zone


@pytest.mark.rule("390.3.a")
@pytest.mark.parametrize("word", ["recycle", "banish"])
def test_its_own_words_go_first(word: str) -> None:
    """A spell that returns itself as it resolves is in its owner's hand."""
    boomerang = spell("Return", "Deal 1 to a unit. Return this to its owner's hand.")
    duel = piping(word, boomerang)
    duel.pass_all()
    if duel.asked[1] == "target":
        duel.answer("Oak")
        duel.pass_all()

    assert duel["Return"].place == "hand:0"
    assert duel.waiting == []


@pytest.mark.rule("390.3.a")
def test_a_pending_one_is_not_affected() -> None:
    """A spell that can't be finalized leaves the chain while pending: the rider does not apply."""
    duel = a_duel(
        hand=[unit("Piper", 2, PIPER.format("banish"))],
        trash=[spell("Song", "Deal 1 to an enemy unit.")],
    )
    duel.play("Piper")
    if duel.asked[1] == "may":
        duel.answer(True)
    duel.pass_all()

    assert duel["Song"].place == "trash:0"
    assert duel.waiting == []


@pytest.mark.rule("390.3.a")
def test_it_is_about_this_stay_on_the_chain_only() -> None:
    """Played from the hand again after it returned itself, it goes to the trash as always."""
    boomerang = spell("Return", "Deal 1 to a unit. Return this to its owner's hand.")
    duel = piping("banish", boomerang)
    duel.pass_all()
    if duel.asked[1] == "target":
        duel.answer("Oak")
        duel.pass_all()
    duel.play("Return", choose=["Oak"])
    duel.pass_all()

    assert duel["Return"].place == "hand:0"


@pytest.mark.rule("390.3.a", "829")
@pytest.mark.parametrize("countered", [False, True])
def test_flow_is_such_a_rider(countered: bool) -> None:
    """A spell played from the trash for its Flow cost is banished, countered or not."""
    duel = a_duel(
        trash=[spell("River", "Draw 1.\nFlow 1", energy=3)],
        theirs=[spell("No", COUNTER)],
        energy=(1, 0),
    )
    duel.play("River", how="flow")
    if countered:
        duel.play("No", choose=["River"])
    duel.pass_all()

    assert duel["River"].place == "banishment:0"
    assert duel.hand(0) == (0 if countered else 1)


@pytest.mark.rule("390.3.a", "372")
def test_two_riders_are_ordered_by_the_item_s_controller() -> None:
    """Recycle and banish on one item: whichever applies last says where it goes."""
    from longfuse.abilities.ability import Choice
    from longfuse.abilities.nodes import Named, Selector

    song = Choice("t1", Selector(kinds=("spell",), owner="friendly", zone="trash"))
    both = does(
        Do("play", what=Named("t1"), word="free"),
        Do("then recycle", what=Named("t1")),
        Do("then banish", what=Named("t1")),
        choices=[song],
    )
    duel = a_duel(hand=[spell("Tune", "", both)], trash=[draws("Song")])
    duel.play("Tune", choose=["Song"])
    duel.pass_all()
    assert duel.asked == (0, "order")
    duel.decide((0, 1))
    duel.pass_all()

    assert duel["Song"].place == "banishment:0"


@pytest.mark.rule("390.3.a")
def test_a_card_that_banishes_itself_is_instructed_by_its_own_execution() -> None:
    """ "Banish this" in the spell's own text is not changed into recycling."""
    duel = piping("recycle", spell("Pyre", "", does(Do("banish", what=This()))))
    duel.pass_all()

    assert duel["Pyre"].place == "banishment:0"


def test_without_a_rider_it_goes_to_the_trash() -> None:
    """The rule that the riders replace: a resolved spell is put into its owner's trash."""
    duel = a_duel(hand=[deals("Spark", 1)], board=[unit("Oak")])
    duel.play("Spark", choose=["Oak"])
    duel.pass_all()

    assert duel["Spark"].place == "trash:0"
