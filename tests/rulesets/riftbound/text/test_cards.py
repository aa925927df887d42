"""Card files: definitions, sets with all their errors, the public list's shape, the report."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

from longfuse.abilities.ability import Create
from longfuse.abilities.text.check import walk
from longfuse.abilities.text.errors import TextError
from longfuse.rulesets.riftbound.cards import (
    SetError,
    cards_report,
    from_public,
    load_set,
    make_card,
    read_entries,
    shipped,
)
from longfuse.rulesets.riftbound.set_cache import KEPT_MAX, folder

GOOD = """
[[card]]
name = "Small Fire"
type = "spell"
energy = 1
domains = ["fury"]
text = "Deal 1 to a unit."
[[card]]
name = "Oak Guard"
type = "unit"
might = 5
"""
PUBLIC: dict[str, Any] = {
    "name": "Odd Owl",
    "cardTypes": ["Unit"],
    "superTypes": ["Champion"],
    "domains": ["Mind"],
    "energy": "3",
    "power": "2",
    "might": "4",
    "tags": ["Bird"],
    "abilityText": "When I die, draw 1.",
}


def write(folder: Path, text: str) -> Path:
    """A set file with this text."""
    path = folder / "some.toml"
    path.write_text(text, "utf-8")
    return path


def test_a_card_is_compiled_with_its_name() -> None:
    """Its abilities speak of it."""
    card = make_card({"name": "Oak Guard", "type": "unit", "might": 5, "text": "[Tank]"})
    assert (card.might, card.abilities[0].keyword) == (5, "Tank")


def test_a_set_is_a_table_of_cards(tmp_path: Path) -> None:
    """Cards by name, in the order of the file."""
    assert list(load_set(write(tmp_path, GOOD))) == ["Small Fire", "Oak Guard"]


def test_all_errors_of_a_set_are_listed(tmp_path: Path) -> None:
    """Fields, values, texts and doubles, in one refusal."""
    bad = GOOD + GOOD.replace("Deal 1 to a unit.", "Bake a cake.").replace(
        'domains = ["fury"]', 'domains = ["salt"]'
    )
    bad += '[[card]]\nname = "Nobody"\ncolour = "red"\ntype = "ghost"\n'
    bad += '[[card]]\nname = "Baker"\ntype = "spell"\ntext = "Bake a cake."\n'
    with pytest.raises(SetError) as refused:
        load_set(write(tmp_path, bad))
    text = "\n".join(refused.value.errors)
    for complaint in ("salt", "twice", "colour", "Baker, line 1, column 1"):
        assert complaint in text
    assert [one.card for one in refused.value.failures] == ["Baker"]


@pytest.mark.parametrize(
    "text", ["[[card]", "", "x = 1", "card = 1", 'card = ["x", {}, [1]]', 'card = {name = "x"}']
)
def test_a_file_that_is_no_set_is_refused(text: str, tmp_path: Path) -> None:
    """Broken TOML, or none of it cards."""
    with pytest.raises(SetError):
        load_set(write(tmp_path, text))


def test_entries_that_are_no_cards_are_all_named(tmp_path: Path) -> None:
    """In a set file and in a public list alike, before any of them is looked into."""
    path = write(tmp_path, 'card = ["x", {}, [1]]')
    listed = tmp_path / "list.json"
    listed.write_text('["x", {}, [1]]')
    for file in (path, listed):
        with pytest.raises(ValueError, match="no tables of fields: 1, 3"):
            read_entries(file)


@pytest.mark.parametrize(
    "field",
    [{"energy": True}, {"tags": [1]}, {"abilities": [{"a": 1}]}, {"domains": [["fury"]]}],
    ids=str,
)
def test_a_field_of_another_kind_is_refused(field: dict[str, Any]) -> None:
    """Also deeper inside it."""
    with pytest.raises(SetError, match="right kind"):
        make_card({"name": "Shade", "type": "spell", **field})


def test_a_unit_needs_might() -> None:
    """And numbers are not below zero."""
    with pytest.raises(SetError, match="might"):
        make_card({"name": "Shade", "type": "unit"})
    with pytest.raises(SetError, match="below zero"):
        make_card({"name": "Shade", "type": "unit", "might": -1})


def test_the_cache_gives_the_same_cards_uncompiled(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By content and compiler: a changed file is compiled anew."""
    path, cache = write(tmp_path, GOOD), tmp_path / "cache"
    first = load_set(path, cache)
    with monkeypatch.context() as patch:
        patch.delattr("longfuse.rulesets.riftbound.cards._compile_set")
        assert load_set(path, cache) == first
    path.write_text(GOOD.replace("Deal 1", "Deal 2"), "utf-8")
    assert load_set(path, cache) != first


def test_a_damaged_cache_is_made_anew(tmp_path: Path) -> None:
    """It is a cache, not the truth."""
    path, cache = write(tmp_path, GOOD), tmp_path / "cache"
    first = load_set(path, cache)
    for file in cache.iterdir():
        file.write_text("[{", "utf-8")
    assert load_set(path, cache) == first


def test_the_cache_does_not_grow_without_end(tmp_path: Path) -> None:
    """What is kept too long goes, the newest stays."""
    path, cache = write(tmp_path, GOOD), tmp_path / "cache"
    cache.mkdir()
    for number in range(KEPT_MAX + 5):
        old = cache / f"{number}.json"
        old.write_text("[]", "utf-8")
        os.utime(old, (number, number))
    first = load_set(path, cache)
    kept = list(cache.iterdir())
    assert len(kept) == KEPT_MAX
    assert not (cache / "0.json").exists()
    assert load_set(path, cache) == first


def test_a_home_that_cannot_be_looked_into_has_no_cache(monkeypatch: pytest.MonkeyPatch) -> None:
    """A confined server's home may be closed to it: it compiles, and does not fail."""
    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
    monkeypatch.setenv("HOME", "/" + "x" * 300)
    with pytest.raises(OSError, match="too long"):
        Path.home().is_dir()

    assert folder() is None


def test_the_public_shape_is_read() -> None:
    """Names of types, numbers as text, symbols of Power by count."""
    card = make_card(from_public(PUBLIC))
    assert (card.type, card.energy, card.power, card.might) == ("unit", 3, ("mind", "mind"), 4)
    assert (card.supertypes, card.tags) == (("champion",), ("Bird",))


def test_the_report_counts_different_names_once(tmp_path: Path) -> None:
    """Cards of set files and of the public list together."""
    listed = tmp_path / "list.json"
    worse = {**PUBLIC, "name": "Odder Owl", "abilityText": "When I die, sing."}
    listed.write_text(json.dumps({"count": 3, "cards": [PUBLIC, PUBLIC, worse]}), "utf-8")
    report = cards_report([write(tmp_path, GOOD), listed], ["# names", "Odd Owl", "Odder Owl"])
    failures = report.pop("failures")
    assert report == {
        "cards": 4, "compiled": 3, "playable": 3, "delayed": 2, "delayed_compiled": 1
    }  # fmt: skip
    assert [(one["card"], one["line"]) for one in failures] == [("Odder Owl", 1)]
    assert {"column", "stopped_at", "expected"} <= failures[0].keys()


def test_the_first_set_shows_delayed_abilities_of_all_kinds() -> None:
    """At least 36 cards, 24 of them with delayed abilities."""
    cards = shipped()
    made = [
        (card.name, node.ability.kind)
        for card in cards.values()
        for node in walk(card.abilities)
        if isinstance(node, Create)
    ]
    assert len(cards) >= 36
    assert len({name for name, _ in made}) >= 24
    assert {kind for _, kind in made} == {"triggered", "replacement", "passive"}


def test_canonical_words_may_stand_for_a_text() -> None:
    """A position file may give abilities instead of sentences."""
    card = make_card(
        {
            "name": "Mark",
            "type": "spell",
            "abilities": ["Choose a unit as target 1. Kill target 1."],
        }
    )
    plain = make_card({"name": "Mark", "type": "spell", "text": "Kill a unit."})
    assert card.abilities == plain.abilities


def test_a_text_that_is_refused_is_no_card() -> None:
    """Nothing half-understood reaches a game."""
    with pytest.raises(TextError):
        make_card({"name": "Baker", "type": "spell", "text": "Bake a cake."})
