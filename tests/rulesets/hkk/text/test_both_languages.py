"""Both wordings of a rule are one ability, and each is said back in either language."""

from __future__ import annotations

import pytest

from longfuse.abilities.ability import Gate
from longfuse.abilities.nodes import At, Who
from longfuse.rulesets.hkk.text import compile_text, language_of, say
from rulesets.hkk.text.corpus import PAIRS, SAME, SIDES, Meaning, means, shipped_sides


@pytest.mark.parametrize(("kind", "english", "hungarian"), PAIRS)
def test_the_two_wordings_mean_the_same(kind: str, english: str, hungarian: str) -> None:
    """An English text and its Hungarian one give equal abilities."""
    assert means(english, kind) == means(hungarian, kind)


@pytest.mark.parametrize(("kind", "one", "other"), SAME)
def test_other_words_for_the_same_mean_the_same(kind: str, one: str, other: str) -> None:
    """People say it in more than one way."""
    assert means(one, kind) == means(other, kind)


def test_the_words_tell_the_language() -> None:
    """Nobody has to say in which language a card is written."""
    assert {language_of(english) for _, english, _ in PAIRS} == {"en"}
    assert {language_of(hungarian) for _, _, hungarian in PAIRS} == {"hu"}


def said_again(text: str, kind: str, language: str) -> Meaning:
    """What a text means after it has been said in a language and read."""
    said = "\n".join(say(one, language) for one in compile_text(text, kind).abilities)
    return tuple(one.meaning() for one in compile_text(said, kind, language=language).abilities)


@pytest.mark.slow
@pytest.mark.parametrize("language", ["en", "hu"])
def test_what_is_said_back_means_the_same(language: str) -> None:
    """Whatever is understood can be said in both languages without loss."""
    lost = [
        text
        for kind, text in [*SIDES, *shipped_sides()]
        if said_again(text, kind, language) != means(text, kind)
    ]
    assert lost == []


def test_it_is_said_as_a_card_would_print_it() -> None:
    """The canonical words are good English and good Hungarian."""
    (ability,) = compile_text(
        "delayed effect: 2: your creatures get +2 damage", "building"
    ).abilities
    assert say(ability) == "Delayed effect 2: Your creatures get +2 damage."
    assert say(ability, "hu") == "Késleltetett hatás: 2: Lényeid +2 sebzést kapnak."


@pytest.mark.rule("127.0.3")
@pytest.mark.parametrize("gate", [Gate("delayed", 2, "closed"), Gate("temporary", 2, "open")])
@pytest.mark.parametrize(
    ("kind", "english", "hungarian"),
    [
        ("passive", "This gets +1 damage.", "Ez a lény +1 sebzést kap."),
        ("triggered", "When this dies, draw a card.", "Amikor ez a lény meghal, húzz egy lapot."),
        ("activated", "1 VP: Draw a card.", "1 VP: Húzz egy lapot."),
    ],
)
def test_each_kind_of_counter_stands_before_each_kind_of_ability(
    gate: Gate, kind: str, english: str, hungarian: str
) -> None:
    """Six combinations, in both languages."""
    words = {"delayed": ("Delayed effect", "Késleltetett hatás:")}
    first, second = words.get(gate.counter, ("Temporary effect", "Időleges hatás:"))
    for text in (f"{first} 2: {english}", f"{second} 2: {hungarian}"):
        (ability,) = compile_text(text, "creature").abilities
        assert (ability.kind, ability.gate) == (kind, gate)


def test_the_start_of_the_phase_is_not_the_phase() -> None:
    """Two moments, told apart in both languages."""
    starts = means("At the start of your preparation phase, draw a card.", "building")
    within = means("In your preparation phase, draw a card.", "building")
    assert starts[0].when == At("preparation", Who("you"))
    assert within[0].when == At("in preparation", Who("you"))
    assert means("Az előkészítő fázisod kezdetén húzz egy lapot.", "building") == starts
    assert means("Az előkészítő fázisodban húzz egy lapot.", "building") == within


def test_a_delayed_effect_that_only_instructs_has_no_condition() -> None:
    """It acts at the fall of the last counter: the rules add when."""
    (ability,) = means("Késleltetett hatás: 3: Húzz két lapot.", "skill")
    assert (ability.kind, ability.when) == ("triggered", None)


def test_a_temporary_cost_is_a_keyword_with_a_cost() -> None:
    """The third counter has no effect behind it but something to pay."""
    (ability,) = means("Időleges költség: 2: 1 VP.", "creature")
    assert ability.keyword == "Temporary cost"
    assert ability.gate == Gate("cost", 2, "open")
    assert ability.cost is not None
    assert ability.cost.resources == (("magic", 1),)


def test_a_token_has_one_name_in_programs() -> None:
    """Cards name it in their own language."""
    assert means("Create a “Mudling” token.", "spell") == means(
        "Hozz létre egy „Sárfi” jelzőt.", "spell"
    )
    (made,) = compile_text("Create a “Mudling” token.", "spell").abilities
    assert say(made, "hu") == "Hozz létre egy „Sárfi” jelzőt."
