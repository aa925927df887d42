"""Cards are listed, checked and written in both languages."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from longfuse.rulesets.hkk import cards, listing, writing


def test_the_catalogue_has_every_card_in_both_languages() -> None:
    """Names, texts and what was understood."""
    (listed,) = listing.catalogue()["sets"]
    assert [one["name"] for one in listed["cards"]] == list(cards.shipped())
    kiln = next(one for one in listed["cards"] if one["name"] == "Great Kiln")
    assert kiln["name_hu"] == "Nagykemence"
    assert kiln["words"] == ["Delayed effect 2: Your creatures get +1 damage."]
    assert kiln["words_hu"] == ["Késleltetett hatás: 2: Lényeid +1 sebzést kapnak."]
    assert (kiln["counters"], kiln["facts"]) == ({"delayed": 2}, ["building", "costs 3 VP"])


def test_the_decks_that_ship_are_legal() -> None:
    """Also after they have been text."""
    decks = listing.catalogue()["decks"]
    assert [deck["legal"] for deck in decks] == [True, True]
    assert all(listing.check_deck(deck["text"])["legal"] for deck in decks)


def test_a_deck_is_refused_with_its_reasons() -> None:
    """Too few cards, too many of a name, a name that is none."""
    found = listing.check_deck("4 Great Kiln\n1 Nobody\n1 Mudling")
    assert not found["legal"]
    assert len(found["reasons"]) == 4


def test_a_failure_comes_with_its_text() -> None:
    """So that the place can be marked in the right wording."""
    said = writing.said({"name": "Odd", "type": "building", "text": "Flying.", "text_hu": "Quux."})
    (failure,) = said.failures
    assert (failure["text"], failure["column"]) == ("Quux.", 1)


@pytest.mark.parametrize("name", list(cards.shipped()))
def test_a_card_survives_being_written(name: str) -> None:
    """As TOML and back."""
    (path,) = cards.set_files()
    fields = next(one for one in cards.read_entries(path) if one["name"] == name)
    assert tomllib.loads(writing.as_toml(fields))["card"] == [fields]


def test_a_card_is_added_to_a_file_once(tmp_path: Path) -> None:
    """A name that is taken is refused."""
    path = tmp_path / "mine.toml"
    fields = {"name": "Odd Kiln", "type": "building", "text": "Your creatures get +1 life."}
    writing.add(fields, path)
    assert list(cards.load_set(path)) == ["Odd Kiln"]
    with pytest.raises(writing.SetError):
        writing.add(fields, path)
    assert [one.is_played for one in writing.read(path)] == [True]
