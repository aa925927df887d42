"""A refusal says where, at which words, what was expected, and what would be understood."""

from __future__ import annotations

import pytest

from longfuse.abilities.text.errors import Failure, TextError
from longfuse.rulesets.hkk.text import compile_text


def refusal(text: str, kind: str = "building", name: str = "") -> Failure:
    """The one failure of a text."""
    with pytest.raises(TextError) as refused:
        compile_text(text, kind, name)
    (failure,) = refused.value.errors
    return failure


def test_it_points_at_the_words_it_stopped_at() -> None:
    """Card, line, column and the words themselves, in either language."""
    failure = refusal("Flying.\nWhen this dies, draw a florin.", "creature", "Odd Moth")
    assert (failure.card, failure.line, failure.column) == ("Odd Moth", 2, 24)
    assert failure.stopped_at.startswith("florin")
    failure = refusal("Repülés.\nAmikor ez a lény meghal, húzz egy garast.", "creature")
    assert (failure.line, failure.column) == (2, 35)
    assert failure.expected == ("lapot",)


def test_every_line_that_is_not_understood_is_told() -> None:
    """Not only the first."""
    with pytest.raises(TextError) as refused:
        compile_text("Quux.\nFlying.\nWhen quux, draw a card.", "creature")
    assert [one.line for one in refused.value.errors] == [1, 3]


def test_it_offers_the_nearest_wording_that_is_understood() -> None:
    """A slip of one word is put right, in its language."""
    assert refusal("Deal 2 damage ti a creature.", "spell").nearest == (
        "Deal 2 damage to a creature."
    )
    assert refusal("Okozz 2 sebzés egy lénynek.", "spell").nearest == "Okozz 2 sebzést egy lénynek."


@pytest.mark.parametrize(
    ("kind", "text", "expected"),
    [
        ("spell", "Destroy it.", "something that “it” can mean"),
        ("spell", "Pusztítsd el azt.", "something that “it” can mean"),
        ("building", "Draw a card.", "a trigger, a cost, a statement or “Delayed effect”"),
        ("building", "Temporary effect 2: Draw a card.",
         "a trigger, a cost or a statement behind “temporary effect”"),
        ("building", "A creature gets +1 damage.",
         "whom it is always true of: this card or all that match"),
        ("building", "The enchanted creature gets +1 damage.",
         "an enchantment to speak of what it is put on"),
        ("spell", "Destroy another creature.", "something before that it differs from"),
        ("spell", "Destroy a spell.", "a kind of permanent, for what is in play"),
        ("spell", "Return a creature to your hand.", "a card of yours, for your hand"),
        ("spell", "Destroy a friendly enemy creature.", "one word for whose it is"),
        ("spell", "Destroy a passive passive creature.", "each quality once"),
        ("spell", "Destroy up to 2 creatures. Turn it.", "“them” for several, “it” for one"),
        ("spell", "Choose a creature. Draw a card.", "an instruction about what is chosen"),
        ("spell", "You may choose a creature. Destroy it.",
         "a choice without “you may” and “if”"),
        ("building", "When each creature dies, draw a card.", "one card that it happens to"),
        ("creature", "Delayed effect 2: Flying.", "a statement, a trigger or a cost"),
        ("building", "When a creature dies, draw a card. You may use this at any time.",
         "no more words: an automatic ability acts by itself"),
        ("enchantment", "Enchant up to 2 creatures.", "one permanent that it is put on"),
    ],
)  # fmt: skip
def test_what_is_not_clear_is_asked_for(kind: str, text: str, expected: str) -> None:
    """The words parse, but what they mean is not certain or not allowed."""
    assert expected in refusal(text, kind).expected


def test_an_effect_has_at_least_one_counter() -> None:
    """X = 0 is refused where the card is defined (D18)."""
    assert refusal("Delayed effect 0: Draw a card.").expected == ("at least one counter",)


@pytest.mark.parametrize("other", ["Delayed effect 1: Draw a card.",
                                   "Késleltetett hatás: 1: Húzz egy lapot."])  # fmt: skip
def test_a_card_has_one_ability_for_each_kind_of_counter(other: str) -> None:
    """Two of one kind are refused where the card is defined (D6); one of each is fine."""
    language = "hu" if "K" in other else "en"
    with pytest.raises(TextError):
        compile_text(f"{other}\n{other}", "building", language=language)
    both = "Delayed effect 1: Draw a card.\nTemporary effect 1: Your creatures get +1 life."
    assert len(compile_text(both, "building").abilities) == 2


def test_an_enchantment_says_first_what_it_is_put_on() -> None:
    """Without it nobody could play it."""
    with pytest.raises(TextError):
        compile_text("The enchanted creature gets +1 damage.", "enchantment")


@pytest.mark.parametrize(
    "text",
    [
        "Delayed effect 2: Your creatures get +2 damage someday.",
        "Delayed effect 2 or 3: Your creatures get +2 damage.",
        "Delayed effects 2: Your creatures get +2 damage.",
        "Slowly delayed effect 2: Your creatures get +2 damage.",
        "Your brave creatures get +2 damage.",
        "When a creature nearly dies, draw a card.",
        "1 VP: Draw exactly a card.",
        "Késleltetett hatás: 2: Lényeid egyszer +2 sebzést kapnak.",
        "Késleltetett hatás: 2 vagy 3: Lényeid +2 sebzést kapnak.",
        "Bátor lényeid +2 sebzést kapnak.",
        "Amikor egy lény majdnem meghal, húzz egy lapot.",
        "1 VP: Húzz pontosan egy lapot.",
        "Lényeid get +2 damage.",
    ],
)
def test_a_word_that_is_not_understood_refuses_the_line(text: str) -> None:
    """Every word counts: nothing is skipped."""
    with pytest.raises(TextError):
        compile_text(text, "building")


@pytest.mark.parametrize(
    "text", ["Pusztítsd el egy lényt.", "Pusztíts el azt.", "Okozz 2 sebzést egy lényt."]
)
def test_hungarian_is_read_with_its_endings(text: str) -> None:
    """A verb that does not fit its object, or a wrong case, is not understood."""
    with pytest.raises(TextError):
        compile_text(text, "spell", language="hu")
