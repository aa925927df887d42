"""Advice: what a sensible player does in small positions, delayed abilities above all."""

from __future__ import annotations

from typing import Any

import pytest

from longfuse.bots.sensible import SensibleBot
from longfuse.game.entries import Decision
from longfuse.rulesets.riftbound.advice import Advice
from rulesets.riftbound.cards import gear, spell, unit
from rulesets.riftbound.duels import Playing, a_duel

VERDICT = spell("Verdict", "[Action]\nChoose a unit. When it next takes damage this turn, kill it.")
WARD = spell(
    "Ward",
    "[Reaction]\nChoose a friendly unit. The next time it would die this turn, instead heal and"
    " exhaust it, then recall it.",
)
LATE = spell("Late", "Choose an enemy unit. At the end of this turn, deal 6 to it.")
TOME = gear("Tome", "[Exhaust]: Your next spell this turn costs 1 less.")
SPARK = spell("Spark", "[Reaction]\nDeal 2 to a unit.")
FUSE = unit("Fuse", 2, "When you play me, your next spell this turn deals 1 Bonus Damage.")


def wish(duel: Playing) -> Any:
    """What the bot answers to the open prompt: the labels of what it chooses."""
    prompt = duel.game.open_prompt
    assert prompt is not None
    answer = SensibleBot(Advice(), 1).answer(prompt, duel.game.view(prompt.seat))
    if isinstance(answer, int):
        return prompt.items[answer].label
    return [prompt.items[index].label for index in answer]


def go_on(duel: Playing, seat: int, limit: int = 40) -> list[Any]:
    """Let the bot play that seat and the other pass, until the turn ends; what it chose."""
    chosen = []
    for _ in range(limit):
        prompt = duel.game.open_prompt
        assert prompt is not None
        if prompt.seat == seat:
            chosen.append(wish(duel))
            if chosen[-1] == "End the turn":
                return chosen
            answer = SensibleBot(Advice(), 1).answer(prompt, duel.game.view(seat))
        else:
            answer = prompt.default
        duel.game.advance(Decision(prompt.seat, prompt.id, answer))
    raise AssertionError(f"the turn does not end: {chosen}")


# ---------------------------------------------------------------- moving


def test_an_empty_battlefield_is_taken() -> None:
    """It is worth a point now and another next turn."""
    duel = a_duel(board=[unit("Oak", 3)])

    assert go_on(duel, 0)[0] == "Move units"
    assert duel.points(0) == 1


def test_what_an_attack_gives_is_gone_after_it() -> None:
    """A position's worth does not change by a move that is no attack, but for what it takes."""
    words = "Choose a friendly unit. When it attacks this turn, it gets +9 Might this combat."
    flag = gear("Flag", f"[Exhaust]: {words}")
    duel = a_duel(board=[flag, unit("Oak", 3), unit("Rock", 20, owner=1, place="bf:1")])
    duel.use("Flag", choose=["Oak"])
    duel.pass_all()
    go_on(duel, 0)

    assert duel["Oak"].place == "bf:2"


def test_a_unit_does_not_run_into_a_stronger_one() -> None:
    """It goes where nobody is."""
    duel = a_duel(board=[unit("Oak", 3), unit("Rock", 6, owner=1, place="bf:1")])
    go_on(duel, 0)

    assert duel["Oak"].place == "bf:2"


def test_units_attack_together_where_that_wins() -> None:
    """Neither alone would."""
    duel = a_duel(
        board=[
            unit("Oak", 3),
            unit("Elm", 3),
            unit("Rock", 5, owner=1, place="bf:1"),
            unit("Wall", 9, owner=1, place="bf:2"),
        ],
        control={"bf:1": 1, "bf:2": 1},
    )
    go_on(duel, 0)

    assert duel["Rock"].place == "trash:1"


# ---------------------------------------------------------------- delayed abilities


def test_a_mark_for_the_next_damage_is_not_wasted() -> None:
    """Nothing will deal damage this turn: the spell stays in hand."""
    duel = a_duel(hand=[VERDICT], board=[unit("Rock", 6, owner=1)])

    assert wish(duel) == "End the turn"


def test_a_mark_for_the_next_damage_goes_to_whom_will_be_damaged() -> None:
    """The attack that would fail wins with it; the one who waits in the base is not marked."""
    duel = a_duel(
        hand=[VERDICT],
        board=[
            unit("Oak", 4),
            unit("Rock", 6, owner=1, place="bf:1"),
            unit("Log", 9, owner=1),
            unit("Wall", 9, owner=1, place="bf:2", text="[Tank]"),
        ],
        control={"bf:1": 1, "bf:2": 1},
    )
    chosen = go_on(duel, 0)

    assert "Play Verdict" in chosen
    assert duel["Rock"].place == "trash:1" or duel["Wall"].place == "trash:1"
    assert duel["Log"].place == "base:1"
    assert [end for end in duel.ended if end[0] == "Verdict"] == [("Verdict", "fired")]


def test_a_ward_is_played_when_its_unit_is_about_to_die() -> None:
    """The other's attack would kill it; the prompt is a reaction in their turn."""
    duel = a_duel(
        theirs=[WARD],
        board=[unit("Oak", 6), unit("Elm", 3, owner=1, place="bf:1")],
        control={"bf:1": 1},
    )
    assert duel.asked == (0, "main")
    duel.move(["Oak"], "bf:1")
    while duel.prompt.seat == 0:
        duel.pass_()

    assert wish(duel) == "Play Ward"


def test_a_ward_waits_for_danger() -> None:
    """In its own turn, with nobody to fight, it stays in hand."""
    duel = a_duel(hand=[WARD], board=[unit("Oak", 3, exhausted=True)])

    assert wish(duel) == "End the turn"


def test_what_comes_at_the_end_of_the_turn_is_played_freely() -> None:
    """It acts by itself; it goes where it kills."""
    duel = a_duel(
        hand=[LATE],
        board=[unit("Rock", 9, owner=1), unit("Elm", 5, owner=1), unit("Ash", 1, owner=1)],
    )

    assert wish(duel) == "Play Late"
    duel.decide(0)
    assert wish(duel) == "Elm"


@pytest.mark.parametrize(("hand", "wanted"), [([SPARK], True), ([], False)])
def test_what_waits_for_a_spell_is_used_before_one(hand: list[Any], wanted: bool) -> None:
    """Only with a spell in hand that is worth playing."""
    duel = a_duel(hand=hand, board=[TOME, unit("Elm", 2, owner=1)])

    assert wish(duel).startswith("Use Tome") == wanted


def test_what_makes_the_next_spell_better_comes_first() -> None:
    """With the unit's bonus the spark kills what it would not kill by itself."""
    duel = a_duel(hand=[SPARK, FUSE], board=[unit("Elm", 3, owner=1)])

    assert wish(duel) == "Play Fuse"


# ---------------------------------------------------------------- other questions


def test_damage_is_assigned_where_it_kills_most() -> None:
    """4 damage kill the two small ones, not the big one."""
    duel = a_duel(
        board=[
            unit("Oak", 4),
            unit("Big", 4, owner=1, place="bf:1"),
            unit("One", 2, owner=1, place="bf:1"),
            unit("Two", 2, owner=1, place="bf:1"),
        ],
        control={"bf:1": 1},
    )
    duel.move(["Oak"], "bf:1")
    duel.pass_showdown()

    assert duel.prompt.kind == "assign"
    assert wish(duel)[-1].startswith("Big") or wish(duel)[0].startswith("Big")


def test_a_spell_that_harms_is_aimed_at_an_enemy() -> None:
    """And at one that it kills."""
    duel = a_duel(
        hand=[SPARK], board=[unit("Oak", 2), unit("Elm", 2, owner=1), unit("Ash", 5, owner=1)]
    )
    assert wish(duel) in ("Play Spark", "Move units")
    duel.decide(0)

    assert wish(duel) == "Elm"


def test_nothing_hidden_is_needed() -> None:
    """The same answer from the frames that a client gets as from the view."""
    from longfuse_protocol.views import View, apply

    duel = a_duel(hand=[SPARK, FUSE], board=[unit("Oak", 3), unit("Elm", 2, owner=1, place="bf:1")])
    client = View()
    for _ in range(12):
        prompt = duel.game.open_prompt
        if prompt is None:
            break
        bot = SensibleBot(Advice(), 3, prompt.seat)
        apply(client, duel.game.frames(0).changes)
        if prompt.seat == 0:
            twin = SensibleBot(Advice(), 3, prompt.seat)
            answer = bot.answer(prompt, duel.game.view(0))
            assert twin.answer(prompt, client) == answer
        else:
            answer = prompt.default
        duel.game.advance(Decision(prompt.seat, prompt.id, answer))
