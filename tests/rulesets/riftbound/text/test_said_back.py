"""The compiler says back what it understood, as a designer would write it; reading that again gives
the same abilities.
"""

from __future__ import annotations

import pytest
from hypothesis import given

from longfuse.abilities.ability import Ability, Create
from longfuse.abilities.watching import walk
from longfuse.rulesets.riftbound.text import compile_text, manner, say, say_waiting
from rulesets.riftbound.text.corpus import SHIPPED, UNDERSTOOD, means
from rulesets.riftbound.text.made import any_ability

SENTENCES = [*UNDERSTOOD, *SHIPPED]


def read_again(ability: Ability, kind: str) -> tuple[Ability, ...]:
    """What the words of an ability mean."""
    return tuple(one.meaning() for one in compile_text(say(ability, kind), kind).abilities)


@pytest.mark.slow
def test_what_is_said_back_means_the_same() -> None:
    """Every ability of every sentence survives being said and read."""
    lost = [
        say(ability, kind)
        for kind, text in SENTENCES
        for ability in means(text, kind)
        if read_again(ability, kind) != (ability,)
    ]
    assert lost == []


@pytest.mark.slow
def test_nearly_everything_is_said_in_plain_english() -> None:
    """The formal words are for what has no plain ones."""
    said = [manner(one, kind) for kind, text in SENTENCES for one in means(text, kind)]
    assert said.count("plain") / len(said) > 0.98


@given(any_ability)
def test_any_ability_survives_being_said_and_read(ability: Ability) -> None:
    """Not only what sentences make: whatever the records can hold."""
    kind = "spell" if ability.kind == "spell" else "unit"
    assert read_again(ability, kind) == (ability.meaning(),)


PLAIN = [
    ("spell", "Choose a unit. When it next takes damage this turn, kill it."),
    ("spell", "Choose a unit. It can't move this turn."),
    ("spell", "Deal 3 to an enemy unit. When it dies this turn, draw 1."),
    (
        "spell",
        "Choose a friendly unit. The next time it would die this turn, you may pay 1 fury to"
        " heal it, exhaust it and recall it instead.",
    ),
    ("spell", "When you play your second card this turn, draw 1."),
    ("spell", "Opponents can't play spells this turn."),
    ("spell", "Your next spell this turn costs 5 less, to a minimum of 1."),
    ("spell", "The next unit you play this turn enters ready."),
    ("spell", "Until the start of your next turn, when an enemy unit attacks, deal 1 to it."),
    ("spell", "Choose a unit. Prevent the next 3 damage that would be dealt to it this turn."),
    ("spell", "Counter a spell unless its controller pays 2 Energy."),
    ("spell", "Play a spell from your trash, ignoring its cost, then banish it."),
    ("spell", "Take control of an enemy unit this turn. Ready it."),
    ("spell", "At the end of this turn, ready up to two of your runes."),
    (
        "spell",
        "Look at the top three cards of your Main Deck. Put one of them into your hand. Recycle"
        " the rest.",
    ),
    (
        "unit",
        "When you play me, choose an enemy unit. It can't move until I leave the board.",
    ),
    ("unit", "[Deathknell] — The next time you conquer this turn, draw 2."),
    ("unit", "If another friendly unit would die, you may kill me instead."),
    ("unit", "[Legion] — When you play me, ready me."),
    ("unit", "While I'm at a battlefield, friendly units have +1 Might."),
    ("unit", "1 Energy, [Exhaust]: Draw 1."),
    ("gear", "If a friendly unit would die, you may kill this. If you do, recall it instead."),
]


@pytest.mark.parametrize(("kind", "text"), PLAIN)
def test_words_are_those_of_cards(kind: str, text: str) -> None:
    """What is written plainly is said back as it was written."""
    (ability,) = means(text, kind)
    assert say(ability, kind) == text


@pytest.mark.parametrize(
    ("text", "names", "told"),
    [
        (
            "Choose a unit. When it next takes damage this turn, kill it.",
            {"t1": "Oak Guard"},
            "When Oak Guard next takes damage this turn, kill it.",
        ),
        (
            "Choose a unit. When it next takes damage this turn, kill it.",
            {},
            "When that card next takes damage this turn, kill it.",
        ),
        (
            "Give a unit +2 Might for as long as it is on the board.",
            {"t1": "Oak Guard"},
            "Oak Guard has +2 Might for as long as it is on the board.",
        ),
        (
            "Choose an enemy unit. It can't be readied until this leaves the board.",
            {"t1": "Oak Guard", "this": "Salt Tower"},
            "Oak Guard can't be readied until Salt Tower leaves the board.",
        ),
        (
            "Banish a unit. At the end of this turn, return it to its owner's hand.",
            {"t1": "Oak Guard"},
            "At the end of this turn, return Oak Guard to its owner's hand.",
        ),
    ],
)
def test_what_waits_names_what_it_knows(text: str, names: dict[str, str], told: str) -> None:
    """A delayed ability is told on its own with the cards that it was made about."""
    (spell,) = means(text)
    (made,) = (node for node in walk(spell) if isinstance(node, Create))
    assert say_waiting(made.ability, names) == told


@pytest.mark.slow
def test_everything_that_waits_can_be_told() -> None:
    """No delayed ability of any sentence needs the formal words."""
    made = [
        node.ability
        for kind, text in SENTENCES
        for ability in means(text, kind)
        for node in walk(ability)
        if isinstance(node, Create)
    ]
    assert [one for one in made if say_waiting(one, {}).startswith("Create")] == []


def test_meaning_forgets_words_and_names() -> None:
    """The abilities inside count by what they mean, too."""
    (left,) = means("Choose a unit. It has “When I die, draw 1.” this turn.")
    (right,) = means("Choose a unit. It gains “When this dies, draw a card.” this turn.")
    assert left == right


def test_saying_is_stable() -> None:
    """The words of what those words mean are those words."""
    (ability,) = means("Deal 2 to each of up to two units.")
    (again,) = read_again(ability, "spell")
    assert say(again) == say(ability)
