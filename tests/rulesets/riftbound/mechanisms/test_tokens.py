"""Tokens: by name and by description, where and how they enter, and where they end (177-184)."""

from __future__ import annotations

from typing import Any

import pytest

from longfuse.abilities.ability import Ability, Do, Program, Rewrite
from longfuse.abilities.nodes import When, Who
from rulesets.riftbound.cards import battlefield, draws, kills, spell, unit
from rulesets.riftbound.duels import Playing, Thing, a_duel


def making(words: str, **start: Any) -> Playing:
    """A duel in which seat 0 has cast a spell of those words."""
    duel = a_duel(hand=[spell("Call", words)], **start)
    duel.play("Call")
    duel.pass_all()
    return duel


def the(duel: Playing, name: str) -> Thing:
    """The one token of a name."""
    found = duel.find(name)
    assert len(found) == 1, f"{len(found)} {name}"
    return found[0]


@pytest.mark.rule("184.1", "184.3", "184.4")
@pytest.mark.parametrize(
    ("words", "name", "might", "tag"),
    [
        ("Play a 1 Might Recruit unit token.", "Recruit", 1, "Recruit"),
        ("Play a 2 Might Sand Soldier unit token.", "Sand Soldier", 2, "Shurima"),
        ("Play a 3 Might Mech unit token.", "Mech", 3, "Mech"),
    ],
)
def test_named_tokens(words: str, name: str, might: int, tag: str) -> None:
    """A token has the Might and the tag that the rules give its name; it enters exhausted."""
    duel = making(words)
    token = the(duel, name)
    assert (token.might, token.exhausted, token.place) == (might, True, "base:0")
    assert duel.rules.has_tag(token.ref, tag)


@pytest.mark.rule("184.2", "816")
def test_a_sprite_is_temporary() -> None:
    """It is killed at the start of its controller's next Beginning Phase, and ceases to exist."""
    duel = making("Play a ready 3 Might Sprite unit token with [Temporary].")
    assert (the(duel, "Sprite").might, the(duel, "Sprite").exhausted) == (3, False)
    duel.end_turn()
    assert duel.find("Sprite")
    duel.end_turn()
    assert not duel.find("Sprite")


@pytest.mark.rule("184.5", "429.2")
def test_gold_adds_power() -> None:
    """Killed for it, it adds 1 Power at once: nobody may react, and nothing is on the chain."""
    duel = making("Play a Gold gear token.")
    assert not the(duel, "Gold").exhausted
    duel.use("Gold")
    assert dict(duel.rules.player(0).power) == {"any": 1}
    assert (duel.chain, duel.asked) == ([], (0, "main"))
    assert not duel.find("Gold")


@pytest.mark.rule("184.5")
def test_gold_made_exhausted_is_of_no_use_yet() -> None:
    """It readies in the next Awaken Phase."""
    duel = making("Play a Gold gear token exhausted.")
    assert the(duel, "Gold").exhausted
    with pytest.raises(AssertionError, match="can't be paid"):
        duel.use("Gold")
    duel.end_turn()
    duel.end_turn()
    assert not the(duel, "Gold").exhausted


@pytest.mark.rule("182.1", "184")
def test_a_token_by_description() -> None:
    """What the rules do not name is what the words say: Might, keywords."""
    duel = making("Play a 4 Might Golem unit token with [Tank].")
    assert the(duel, "Golem").might == 4
    assert the(duel, "Golem").has("Tank")


@pytest.mark.rule("182.2.a", "182.2.b")
def test_a_token_has_no_cost_and_no_domain() -> None:
    """Whoever looks at its cost sees 0."""
    duel = making("Play a 3 Might Mech unit token.")
    assert duel.rules.stat_of(the(duel, "Mech").ref, "energy") == 0


@pytest.mark.rule("182.1.a", "355.2.a")
def test_a_unit_token_may_be_played_to_a_battlefield_that_one_controls() -> None:
    """Its player chooses among the base and the battlefields of theirs."""
    duel = making("Play a 1 Might Recruit unit token.", board=[unit("Oak", 3, place="bf:2")])
    assert [option.value for option in duel.prompt.items] == ["base:0", "bf:2"]
    duel.answer("bf:2")
    assert the(duel, "Recruit").place == "bf:2"


@pytest.mark.rule("439.2")
def test_a_token_made_here() -> None:
    """ "Here" is where the source is."""
    duel = a_duel(
        board=[
            unit(
                "Bugler", 3, "When I move to a battlefield, play a 1 Might Recruit unit token here."
            )
        ]
    )
    duel.move(["Bugler"], to="bf:1")
    duel.pass_all()
    assert the(duel, "Recruit").place == "bf:1"


@pytest.mark.rule("182.1.a", "383.4.a")
def test_a_token_is_played() -> None:
    """ "When you play a unit" sees a unit token."""
    duel = making(
        "Play a 1 Might Recruit unit token.",
        board=[unit("Host", 2, "When you play a unit, draw 1.")],
    )
    assert duel.hand(0) == 1


@pytest.mark.rule("369.3", "182.1.d")
def test_tokens_enter_ready_by_a_replacement() -> None:
    """ "Your tokens enter ready", though the words that make them say nothing of it."""
    duel = making(
        "Play a 1 Might Recruit unit token.",
        board=[unit("Herald", 2, "Your tokens enter ready."), unit("Oak", 2)],
    )
    assert not the(duel, "Recruit").exhausted


@pytest.mark.rule("183.1")
@pytest.mark.parametrize(
    "words", ["Kill a unit.", "Return a unit to its owner's hand.", "Banish a unit."]
)
def test_a_token_that_leaves_the_board_ceases_to_exist(words: str) -> None:
    """It is in no zone afterwards."""
    duel = a_duel(hand=[spell("Call", "Play a 1 Might Recruit unit token."), spell("End", words)])
    duel.play("Call")
    duel.pass_all()
    ref = the(duel, "Recruit").ref
    duel.play("End")
    duel.pass_all()
    assert duel.game.board.place(ref.card).zone == ""
    assert not duel.find("Recruit")


@pytest.mark.rule("808", "183.1")
def test_a_token_s_death_is_a_death() -> None:
    """What waits for a unit's death sees a token's."""
    duel = a_duel(
        hand=[spell("Call", "Play a 1 Might Recruit unit token."), kills("Blade")],
        board=[unit("Mourner", 2, "When another friendly unit dies, draw 1.")],
    )
    duel.play("Call")
    duel.pass_all()
    duel.play("Blade", choose=["Recruit"])
    duel.pass_all()
    assert duel.hand(0) == 1


@pytest.mark.rule("367", "439")
def test_making_a_token_may_be_replaced() -> None:
    """Something else is done instead, and there is no token."""
    instead = Ability(
        kind="replacement",
        when=When("token", player=Who("you")),
        rewrite=Rewrite("instead"),
        program=Program(body=(Do("draw", amount=1, who=Who("you")),)),
    )
    duel = making("Play a 1 Might Recruit unit token.", board=[unit("Miser", 2, "", instead)])
    assert not duel.find("Recruit")
    assert duel.hand(0) == 1


@pytest.mark.rule("429.2.a")
def test_adding_does_not_pass_focus() -> None:
    """In a showdown its user still has focus after using Gold."""
    duel = making("Play a Gold gear token.", board=[unit("Oak", 3)])
    duel.move(["Oak"], to="bf:1")
    assert duel.asked == (0, "focus")
    duel.use("Gold")
    assert duel.asked == (0, "focus")
    assert dict(duel.rules.player(0).power) == {"any": 1}


@pytest.mark.rule("429.2.a")
def test_adding_does_not_pass_priority() -> None:
    """On a chain its user still has priority after using Gold."""
    duel = a_duel(
        hand=[spell("Call", "Play a Gold gear token."), draws("Spark")],
        battlefields=[battlefield("F")],
    )
    duel.play("Call")
    duel.pass_all()
    duel.play("Spark")
    assert duel.asked == (0, "priority")
    duel.use("Gold")
    assert (duel.asked, duel.chain) == ((0, "priority"), ["Spark"])


@pytest.mark.rule("182", "182.1.a")
def test_a_token_is_played_and_is_no_card() -> None:
    """“When you play a unit” is about a token; “when you play a card” is not, so none loops."""
    counts = {}
    for words in ("a card", "a unit"):
        eager = unit("Eager", 3, f"When you play {words}, draw 1.")
        duel = making("Play a 1 Might Recruit unit token.", board=[eager])
        counts[words] = duel.count("drew")
    assert counts == {"a card": 1, "a unit": 1}
