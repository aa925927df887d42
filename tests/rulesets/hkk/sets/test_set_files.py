"""Set files are refused with everything that is wrong in them, not the first thing only."""

from __future__ import annotations

from pathlib import Path

import pytest

from longfuse.abilities.text.errors import TextError
from longfuse.rulesets.hkk.cards import CardDefinition, SetError, cards_report, load_set, make_card


def card(**fields: object) -> CardDefinition:
    """A building with some fields."""
    return make_card({"name": "Odd Kiln", "type": "building", **fields})


def errors_of(**fields: object) -> list[str]:
    """Why such a card is refused."""
    with pytest.raises(SetError) as refused:
        card(**fields)
    return refused.value.errors


def test_one_wording_is_enough() -> None:
    """A card may have its text in either language."""
    one = card(text="Your creatures get +1 damage.")
    other = card(text_hu="Lényeid +1 sebzést kapnak.")
    third = card(text="Lényeid +1 sebzést kapnak.")
    assert one.abilities == other.abilities == third.abilities != ()


def test_wordings_that_differ_are_refused_with_the_difference() -> None:
    """The error shows both meanings."""
    (error,) = errors_of(
        text="Delayed effect 2: Your creatures get +2 damage.",
        text_hu="Késleltetett hatás: 3: Lényeid +2 sebzést kapnak.",
    )
    assert error == (
        "Odd Kiln: the wordings differ in ability 1: English “Delayed effect 2: Your creatures get"
        " +2 damage.”, Hungarian “Delayed effect 3: Your creatures get +2 damage.”"
    )


def test_a_wording_that_says_less_is_refused() -> None:
    """An ability that one language leaves out is a difference, too."""
    (error,) = errors_of(
        text="Your creatures get +2 damage.\nWhen a creature dies, draw a card.",
        text_hu="Lényeid +2 sebzést kapnak.",
    )
    assert error.endswith("English “When a creature dies, draw a card.”, Hungarian nothing")


def test_both_wordings_are_read_even_if_one_is_refused() -> None:
    """All errors of a card at once."""
    with pytest.raises(TextError) as refused:
        card(text="Quux.", text_hu="Ez micsoda.")
    assert [one.stopped_at for one in refused.value.errors] == ["Quux .", "micsoda ."]


@pytest.mark.parametrize(
    ("fields", "error"),
    [
        ({"might": 3}, "no field is called “might”"),
        ({"type": "unit"}, "no type is called “unit”"),
        ({"cost": -1}, "a number is below zero"),
        ({"type": "creature"}, "a creature needs “life”"),
        ({"life": 3}, "only a creature has “damage” and “life”"),
        ({"cost": "2"}, "“cost” is not of the right kind"),
        ({"cost": True}, "“cost” is not of the right kind"),
    ],
)
def test_fields_are_checked(fields: dict[str, object], error: str) -> None:
    """Each with the card's name."""
    assert errors_of(**fields) == [f"Odd Kiln: {error}"]


def test_a_file_is_refused_with_all_its_errors(tmp_path: Path) -> None:
    """Fields, texts, names and tokens of all cards; the report counts what compiles."""
    path = tmp_path / "odd.toml"
    path.write_text(
        """
[[card]]
name = "Good Kiln"
type = "building"
text = "Your creatures get +1 damage."
[[card]]
name = "Good Kiln"
type = "building"
[[card]]
name = "Quux"
type = "building"
text = "Quux."
[[card]]
name = "Maker"
type = "building"
text_hu = "Az előkészítő fázisodban hozz létre egy „Senki” jelzőt."
[[card]]
name = "Blank"
type = "unit"
""",
        "utf-8",
    )
    with pytest.raises(SetError) as refused:
        load_set(path)
    text = "\n".join(refused.value.errors)
    for part in ("Good Kiln: twice", "stopped at “Quux", "no token is called “Senki”", "“unit”"):
        assert part in text
    report = cards_report([path])
    assert (report["cards"], report["compiled"]) == (4, 2)
    assert [one["card"] for one in report["failures"]] == ["Quux", "Blank"]


def test_tokens_are_named_in_the_language_of_the_text(tmp_path: Path) -> None:
    """A file's own tokens are known by their Hungarian names."""
    path = tmp_path / "odd.toml"
    path.write_text(
        """
[[card]]
name = "Maker"
type = "building"
text = "In your preparation phase, create an “Odd Pot” token."
text_hu = "Az előkészítő fázisodban hozz létre egy „Fura bögre” jelzőt."
[[card]]
name = "Odd Pot"
name_hu = "Fura bögre"
type = "creature"
life = 1
token = true
""",
        "utf-8",
    )
    assert load_set(path)["Maker"].abilities
