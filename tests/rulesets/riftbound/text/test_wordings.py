"""Many wordings are read; those that say the same mean the same; the rest is refused."""

from __future__ import annotations

import pytest

from longfuse.abilities.text.errors import TextError
from longfuse.rulesets.riftbound.text import compile_text
from rulesets.riftbound.text.corpus import REFUSED, SHIPPED, UNDERSTOOD, meaning, means


@pytest.mark.slow
def test_wordings_are_understood() -> None:
    """Every word of each is accounted for, and every node is in the vocabulary."""
    assert [text for kind, text in UNDERSTOOD if not meaning(kind, text)] == []


def test_wordings_are_refused_rather_than_guessed() -> None:
    """What the compiler is not sure of it does not read."""
    assert [text for kind, text in REFUSED if meaning(kind, text) is not None] == []


SAME_SPELLS = [
    (
        "Choose a unit. When it next takes damage this turn, kill it.",
        "Choose a unit. The next time it takes damage this turn, kill it.",
        "Choose a unit. The next time it's dealt damage this turn, kill it.",
        "Choose a unit. This turn, the next time that unit takes damage, kill it.",
        "Choose a unit. Kill it the next time it is dealt damage this turn.",
    ),
    (
        "Choose a friendly unit. The next time it would die this turn, recall it instead.",
        "Choose a friendly unit. The next time that unit would die this turn, instead recall it.",
        "Choose a friendly unit. This turn, the next time it would be killed, recall it instead.",
        "Choose a friendly unit. The next time it would die this turn, it is recalled instead.",
    ),
    (
        "Opponents can't play cards this turn.",
        "Your opponents may not play cards this turn.",
        "Each opponent cannot play cards for the rest of this turn.",
        "No opponent may play cards for the rest of the turn.",
        "Until the end of this turn, opponents can't play cards.",
    ),
    (
        "Your next spell this turn costs 2 less.",
        "The next spell you play this turn costs 2 less.",
        "This turn, your next spell costs 2 less.",
        "Your next spell costs 2 Energy less this turn.",
    ),
    (
        "Choose a unit. At the end of this turn, deal 2 to it.",
        "Choose a unit. Deal 2 to it at end of turn.",
        "Choose a unit. When this turn ends, deal 2 damage to that unit.",
    ),
    (
        "Choose a unit. The next time it would take damage this turn, prevent that damage.",
        "Choose a unit. The next time it would be dealt damage this turn, prevent it.",
        "Choose a unit. The next time that unit would take damage this turn, that damage is"
        " prevented.",
        "Choose a unit. Prevent the next damage that would be dealt to it this turn.",
    ),
    (
        "When one of your units dies this turn, draw 1.",
        "Whenever a unit you control dies this turn, draw a card.",
        "This turn, when a friendly unit dies, you draw 1.",
    ),
    (
        "At the start of your next Main Phase, draw 1.",
        "At the beginning of your next Main Phase, draw 1.",
        "Draw 1 at the start of your next Main Phase.",
    ),
    (
        "Choose a spell in your trash. Play it, ignoring its cost, then recycle it.",
        "Play a spell from your trash, ignoring its cost. Then recycle it.",
        "Choose a spell in your trash. Play it without paying its cost, then recycle it.",
    ),
    (
        "Deal 2 to an enemy unit.",
        "Deal 2 damage to a unit an opponent controls.",
        "Choose an enemy unit. Deal 2 to it.",
    ),
]


@pytest.mark.parametrize("wordings", SAME_SPELLS)
def test_wordings_of_one_effect_mean_the_same(wordings: tuple[str, ...]) -> None:
    """However it is put, the abilities are equal."""
    assert len({means(text) for text in wordings}) == 1


@pytest.mark.rule("808.1")
def test_a_keyword_reads_with_and_without_brackets() -> None:
    """Deathknell and the like may stand bare, with a dash or a colon."""
    wordings = ("Deathknell: Draw 1.", "[Deathknell] — Draw 1.", "[Deathknell] - Draw 1.")
    assert len({means(text, "unit") for text in wordings}) == 1


def test_reminder_text_says_nothing() -> None:
    """Parentheses may say what they like."""
    assert means("[Tank] (I stand in front.)", "unit") == means("[Tank]", "unit")


def test_a_card_speaks_of_itself_in_many_words() -> None:
    """ "Me", "this", "this unit" and the card's name are one."""
    texts = ("When I die, draw 1.", "When this dies, draw 1.", "When Quay Owl dies, draw 1.")
    found = {compile_text(text, "unit", "Quay Owl").abilities for text in texts}
    assert len(found) == 1


def test_the_shipped_cards_are_understood() -> None:
    """A card that ships compiles, or the set would not load."""
    assert all(meaning(kind, text) is not None for kind, text in SHIPPED)


@pytest.mark.parametrize("text", ["", " \n ", "(only a reminder)"])
def test_a_blank_text_has_no_abilities(text: str) -> None:
    """Nothing said is nothing meant."""
    assert compile_text(text, "unit").abilities == ()


def test_all_lines_that_fail_are_told() -> None:
    """One refusal for each line, with its number."""
    with pytest.raises(TextError) as refused:
        compile_text("Draw florins.\nDraw 1.\nGrumble.", "spell")
    assert [one.line for one in refused.value.errors] == [1, 3]
