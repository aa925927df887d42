"""Passing in riftbound: which prompts are chances, and what interrupts them."""

from __future__ import annotations

import random

from longfuse.rulesets import passing_facts as facts
from longfuse.rulesets.catalogue import load_passing
from longfuse.rulesets.passing import Chance, Interruption, NoPassing
from longfuse.rulesets.riftbound.passing import PASSING
from longfuse_protocol.passing import SOURCE_MAX
from rulesets.riftbound.cards import spell, unit
from rulesets.riftbound.duels import Playing, a_duel
from rulesets.riftbound.properties.games import any_game, play, random_pick

SPARK = spell("Spark", "[Reaction]\nDeal 2 to a unit.")
LATE = spell("Late", "Choose an enemy unit. At the end of this turn, deal 6 to it.")
BRAVE = spell("Brave", "Give a unit +2 Might this turn.")
LASTING = spell("Lasting", "Give a unit +2 Might until the start of your next turn.")


def chance(duel: Playing) -> Chance | None:
    """What is known of passing the open prompt."""
    prompt = duel.game.open_prompt
    assert prompt is not None
    return PASSING.chance(prompt, duel.game.view(prompt.seat))


def found(duel: Playing, seat: int) -> list[Interruption]:
    """What might interrupt a seat now, with all that it has not been told yet."""
    events = duel.game.frames(seat).events
    return list(PASSING.interruptions(duel.game.view(seat), events, seat))


def texts(duel: Playing, seat: int, kind: str) -> list[str]:
    """The reasons of one kind."""
    return [one.text for one in found(duel, seat) if one.kind == kind]


# ---------------------------------------------------------------- chances


def test_ending_the_turn_is_the_seat_s_own() -> None:
    """316.2: it is the last item, and no response."""
    assert chance(a_duel(hand=[SPARK], board=[unit("Oak")])) == Chance(2, options=True, own=True)
    assert chance(a_duel()) == Chance(0, options=False, own=True)


def test_priority_and_focus_are_chances_to_respond() -> None:
    """338, 347: with something else to do, or without."""
    duel = a_duel(hand=[SPARK], theirs=[unit("Hand")], board=[unit("Oak"), unit("Foe", owner=1)])
    duel.play("Spark", choose=["Foe"])
    assert (duel.asked, chance(duel)) == ((0, "priority"), Chance(0, options=False))
    duel.pass_()
    assert (duel.asked, chance(duel)) == ((1, "priority"), Chance(1, options=False))
    duel.pass_()
    duel.move(["Oak"], "bf:1")
    assert (duel.asked, chance(duel)) == ((0, "focus"), Chance(0, options=False))


def test_a_legal_reaction_is_an_option() -> None:
    """Also one in hand, which nobody else knows of."""
    duel = a_duel(hand=[BRAVE], theirs=[SPARK], board=[unit("Oak")])
    duel.play("Brave", choose=["Oak"])
    duel.pass_()

    assert chance(duel) == Chance(1, options=True)


def test_what_must_be_chosen_is_no_chance() -> None:
    """Targets, yes or no, payments, orders, mulligans: in random games nothing of it is."""
    kinds = set()
    for seed in range(4):
        game = any_game(seed, views=True)
        for question in play(game, random_pick(random.Random(seed)), entries=300):
            prompt = game.open_prompt
            assert prompt is not None
            known = PASSING.chance(prompt, game.view(prompt.seat))
            ends = [item.label for item in question.items[-1:]]
            assert (known is not None) == (ends in (["Pass"], ["End the turn"]))
            kinds.add(question.kind)

    assert kinds >= {"mulligan", "target", "may", "priority", "focus"}


def test_the_prompt_names_the_newest_on_the_chain() -> None:
    """A card by its name, an ability with its words; in an open state nothing."""
    sting = unit("Wasp", 1, "When you play me, deal 1 to an enemy unit.")
    duel = a_duel(hand=[SPARK, sting], board=[unit("Foe", 9, owner=1)])
    assert duel.prompt.source == ""
    duel.play("Spark", choose=["Foe"])
    assert duel.prompt.source == "Spark"
    duel.pass_all()
    duel.play("Wasp", choose=["Foe"])

    assert duel.prompt.source == "Wasp: When you play me, deal 1 to an enemy unit."


def test_a_name_is_cut_where_it_is_too_long_for_a_setting() -> None:
    """It is cut alike each time, so it can still be yielded to."""
    long = facts.source_name("Oak", "x" * 300)

    assert (len(long), long[-1]) == (SOURCE_MAX, "…")
    assert facts.source_name("Oak", "y" * (SOURCE_MAX - 5)) == "Oak: " + "y" * (SOURCE_MAX - 5)


def test_phases_are_those_that_views_name() -> None:
    """Every phase in which anybody is asked is one that passing may stop at."""
    seen = set()
    for seed in range(3):
        game = any_game(seed, views=True)
        for _ in play(game, random_pick(random.Random(seed)), entries=200):
            at = PASSING.where(game.view(0))
            if at.turn:
                seen.add(at.phase)
                assert at.seat in (0, 1)
            else:
                assert at == (0, None, "")

    assert "main" in seen
    assert seen <= set(PASSING.phases)
    assert load_passing("riftbound").phases == PASSING.phases


def test_a_ruleset_that_says_nothing_is_never_passed_for() -> None:
    """There are no phases, no chances and no interrupts."""
    duel = a_duel()
    prompt = duel.game.open_prompt
    view = duel.game.view(0)
    rules = load_passing("checkers")
    assert isinstance(rules, NoPassing)
    assert prompt is not None

    assert (rules.chance(prompt, view), rules.interruptions(view, (), 0)) == (None, ())
    assert (dict(rules.phases), rules.where(view)) == ({}, (0, None, ""))


# ---------------------------------------------------------------- interruptions


def test_a_battlefield_of_the_seat_s_is_attacked() -> None:
    """A combat concerns who did not begin it, and is new as it begins."""
    duel = a_duel(board=[unit("Oak"), unit("Foe", owner=1, place="bf:2")])
    found(duel, 1)
    duel.move(["Oak"], "bf:2")
    attacks = [one for one in found(duel, 1) if one.kind == "attacked"]

    assert [(one.text, one.fresh) for one in attacks] == [("you are attacked at Field Two", True)]
    assert texts(duel, 0, "attacked") == []
    duel.pass_()
    assert [one.fresh for one in found(duel, 1) if one.kind == "attacked"] == [False]
    duel.pass_showdown()
    assert texts(duel, 1, "attacked") == []


def test_a_battlefield_that_is_nobody_s_is_not_attacked() -> None:
    """There is a showdown, and it concerns nobody but who begins it."""
    duel = a_duel(board=[unit("Oak"), unit("Foe", owner=1)])
    duel.move(["Oak"], "bf:1")

    assert duel.asked == (0, "focus")
    assert texts(duel, 1, "attacked") == []


def test_a_combat_in_another_s_turn_concerns_whoever_was_sent_into_it() -> None:
    """A seat whose unit was moved by the opponent attacks without wanting to."""
    lure = spell("Lure", "Move an enemy unit to a battlefield.")
    duel = a_duel(hand=[lure], board=[unit("Oak", place="bf:1"), unit("Foe", owner=1)])
    duel.play("Lure", choose=["Foe", "Field One"])
    duel.pass_all()

    assert texts(duel, 1, "attacked") == ["you are attacked at Field One"]


def test_chosen_by_another() -> None:
    """What is the seat's, in play; not what another chooses of its own."""
    board = [unit("Oak"), unit("Foe", owner=1)]
    duel = a_duel(hand=[SPARK], board=board)
    duel.play("Spark", choose=["Foe"])
    assert texts(duel, 1, "targeted") == ["your Foe is targeted by Spark"]
    assert texts(duel, 0, "targeted") == []

    own = a_duel(hand=[SPARK], board=board)
    own.play("Spark", choose=["Oak"])
    assert texts(own, 1, "targeted") == []


def test_a_spell_of_the_seat_s_is_chosen_on_the_chain() -> None:
    """Whose it is there, its item says."""
    duel = a_duel(
        hand=[BRAVE], theirs=[spell("Hush", "[Reaction] Counter a spell.")], board=[unit("Oak")]
    )
    duel.play("Brave", choose=["Oak"])
    duel.play("Hush", choose=["Brave"])

    assert texts(duel, 0, "targeted") == ["your Brave is targeted by Hush"]
    assert texts(duel, 1, "targeted") == []


def test_an_ability_of_the_seat_s_is_chosen_on_the_chain() -> None:
    """What stands for it there has no owner of its own: its item says whose it is."""
    wasp = unit("Wasp", 1, "When you play me, deal 1 to an enemy unit.")
    hush = spell("Hush", "[Reaction] Counter a spell or ability.")
    duel = a_duel(hand=[hush], theirs=[wasp], board=[unit("Oak", 9)])
    duel.end_turn()
    duel.play("Wasp", choose=["Oak"])
    duel.pass_()
    duel.play("Hush")

    assert len(texts(duel, 1, "targeted")) == 1
    assert texts(duel, 0, "targeted") == ["your Oak is targeted by Wasp"]


def test_the_player_is_chosen() -> None:
    """A spell that has chosen the player targets them."""
    gift = spell("Gift", "Choose a player. That player draws 1.")
    duel = a_duel(hand=[gift])
    duel.play("Gift", choose=["P2"])

    assert texts(duel, 1, "targeted") == ["you are targeted by Gift"]
    assert texts(duel, 0, "targeted") == []


def test_another_has_played_something() -> None:
    """A spell while it waits, and a unit that is there at once."""
    duel = a_duel(hand=[SPARK, unit("Elm")], board=[unit("Foe", 9, owner=1)])
    found(duel, 1)
    duel.play("Spark", choose=["Foe"])
    assert texts(duel, 1, "played") == ["Spark is played", "P1 plays Spark on Foe"]
    duel.pass_all()
    assert texts(duel, 1, "played") == []
    duel.play("Elm")
    assert texts(duel, 1, "played") == ["P1 plays Elm"]
    assert texts(duel, 1, "played") == []
    assert texts(duel, 0, "played") == []


def test_a_fuse_is_about_to_act() -> None:
    """Before its player ends the turn; then, as it goes off, for both."""
    duel = a_duel(hand=[LATE], theirs=[SPARK], board=[unit("Foe", 9, owner=1)])
    duel.play("Late", choose=["Foe"])
    assert texts(duel, 0, "fuse") == []
    duel.pass_all()
    assert texts(duel, 0, "fuse") == ["Late is about to act or to end"]
    duel.decide(len(duel.prompt.items) - 1)

    assert duel.chain == ["Late"]
    for seat in (0, 1):
        assert texts(duel, seat, "fuse") == ["Late goes off"]


def test_a_fuse_is_about_to_end() -> None:
    """ "This turn" ends with this turn, "until your next turn" with the other's; no chance of
    anybody lies between."""
    duel = a_duel(hand=[BRAVE, LASTING, SPARK], board=[unit("Oak", 9)])
    duel.play("Brave", choose=["Oak"])
    duel.pass_all()
    duel.play("Lasting", choose=["Oak"])
    duel.pass_all()
    assert texts(duel, 0, "fuse") == ["Brave is about to act or to end"]
    duel.play("Spark", choose=["Oak"])
    assert texts(duel, 0, "fuse") == []
    duel.pass_all()
    duel.end_turn()

    assert duel.asked == (1, "main")
    assert texts(duel, 1, "fuse") == ["Lasting is about to act or to end"]


def test_anything() -> None:
    """What waits, and all that has happened; a phase that begins is nothing."""
    duel = a_duel(hand=[SPARK], board=[unit("Foe", 9, owner=1)])
    found(duel, 1)
    duel.play("Spark", choose=["Foe"])
    assert texts(duel, 1, "anything") == ["Spark waits", "P1 plays Spark on Foe"]
    duel.pass_all()
    assert texts(duel, 1, "anything") == ["P2's Foe takes 2 damage (by Spark)"]
    duel.decide(len(duel.prompt.items) - 1)

    told = duel.game.frames(1).events
    assert facts.turns_begun(told) == [1]
    about = [one.text for one in facts.of_events(duel.game.view(1), told, 1)]
    assert len(about) == sum(not str(event["event"]).startswith("mark:") for event in told)


def test_what_an_instruction_makes_at_once_can_be_seen() -> None:
    """A reflexive trigger of a spell has no event of its own, and has words all the same."""
    duel = a_duel(hand=[spell("Twice", "Draw 1. Then do this: Draw 1.")])
    duel.play("Twice")
    duel.resolve()

    assert duel.chain == ["Twice"]
    assert duel.prompt.source.startswith("Twice: ")
    waits = next(one for one in found(duel, 1) if one.kind == "anything")
    assert waits.source == duel.prompt.source
