"""The sets that ship: how many cards, what they show, and that all of it is played."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from longfuse.abilities.ability import Create, Do, Remember
from longfuse.abilities.nodes import Linked
from longfuse.abilities.text.check import walk
from longfuse.rulesets.riftbound import cards, listing, runnable
from longfuse.rulesets.riftbound.cards import CardDefinition, load_set, shipped
from longfuse.rulesets.riftbound.decks import shipped_decks

KEYWORDS = (
    "Accelerate", "Ambush", "Assault", "Deathknell", "Deflect", "Equip", "Flow", "Ganking",
    "Hidden", "Hunt", "Legion", "Quick-Draw", "Reaction", "Repeat", "Shield", "Tank", "Temporary",
    "Vision", "Weaponmaster",
)  # fmt: skip


def delayed() -> dict[str, list[str]]:
    """The cards that make delayed abilities, with their kinds."""
    found = {name: listing.delayed_kinds(card) for name, card in shipped().items()}
    return {name: kinds for name, kinds in found.items() if kinds}


def test_there_is_enough_to_play() -> None:
    """Eighty cards and more, thirty-five with delayed abilities, in four decks."""
    decked = {name for deck in shipped_decks().values() for name in deck.names()}
    assert len(shipped_decks()) == 4
    assert len(decked) >= 80
    assert len(set(delayed()) & decked) >= 35
    assert set(shipped()) == decked


@pytest.mark.rule("390.2", "390.3", "390.4")
def test_every_kind_of_delayed_ability_comes_several_times() -> None:
    """Triggers, replacements, passives; and windows that are not this turn's."""
    kinds = Counter(kind for found in delayed().values() for kind in found)
    assert min(kinds[kind] for kind in ("triggered", "replacement", "passive")) >= 10
    windows = Counter(
        node.ability.window.how
        for card in shipped().values()
        for node in walk(card.abilities)
        if isinstance(node, Create) and node.ability.window is not None
    )
    assert windows["until start of turn"] >= 4
    assert windows["while in zone"] >= 3


@pytest.mark.rule("390.3.a", "390.5.a", "390.5.b", "390.5.c")
def test_links_and_riders_come_several_times() -> None:
    """ "Then recycle it", "banished with this", "until I leave the board"."""

    def making(node: type, verbs: tuple[str, ...] = ()) -> list[CardDefinition]:
        return [
            card
            for card in shipped().values()
            if any(
                isinstance(one, node) and (not verbs or getattr(one, "verb", "") in verbs)
                for one in walk(card.abilities)
            )
        ]

    assert len(making(Do, ("then banish", "then recycle"))) >= 2
    assert len(making(Remember)) >= 3
    assert len(making(Linked)) >= 3


def test_the_keywords_are_shown() -> None:
    """Each on a card at least, as printed."""
    printed = {ability.keyword for card in shipped().values() for ability in card.abilities}
    assert not set(KEYWORDS) - printed - {"Legion", "Level"}
    texts = " ".join(card.text for card in shipped().values())
    assert all(f"[{keyword}" in texts for keyword in (*KEYWORDS, "Level", "Predict"))


def test_all_of_it_is_played() -> None:
    """No card of ours has a word that this version does not play."""
    assert {name: runnable.missing(card) for name, card in shipped().items()} == {
        name: [] for name in shipped()
    }


def test_a_kept_set_is_not_compiled_and_a_folder_that_cannot_be_written_does_no_harm(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is kept is the same; where nothing can be kept, it is compiled each time."""
    first = [load_set(path, tmp_path / "cache") for path in cards.set_files()]
    with monkeypatch.context() as patch:
        patch.delattr(cards, "_compile_set")
        assert [load_set(path, tmp_path / "cache") for path in cards.set_files()] == first
    (tmp_path / "file").write_text("no folder", "utf-8")
    path = cards.set_files()[0]
    assert load_set(path, tmp_path / "file") == load_set(path)


def test_the_catalogue_has_what_clients_need() -> None:
    """Sets, cards with the words that were understood, decks with their text."""
    listed = listing.catalogue()
    assert [one["name"] for one in listed["sets"]] == ["First Light", "Fog Bank", "Low Water"]
    found = {card["name"]: card for one in listed["sets"] for card in one["cards"]}
    assert set(found) == set(shipped())
    assert found["Slow Verdict"]["delayed"] == ["triggered"]
    assert all(card["words"] for card in found.values() if card["text"])
    assert all(deck["legal"] for deck in listed["decks"])
