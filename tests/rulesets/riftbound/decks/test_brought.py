"""Decks given whole: as a list, as text, with cards of their own; and their journals."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
import pytest

from longfuse.actors import InlineHost
from longfuse.cli.local import BotGame
from longfuse.game.entries import Refused
from longfuse.game.randomness import key_of_seed
from longfuse.journal import reader, replay
from longfuse.rulesets import catalogue
from longfuse.rulesets.catalogue import SeatSetup
from longfuse.rulesets.riftbound import entry, library
from longfuse.rulesets.riftbound.cards import SetError
from longfuse.rulesets.riftbound.decks import shipped_decks, to_text

OWN = """
set = "Mine"
[[card]]
name = "Kindled Rope"
type = "spell"
energy = 1
domains = ["fury"]
text = '''
[Action]
Choose an enemy unit. The next time it takes damage this turn, stun it.'''
"""
SEATS = 2


def started(*decks: Any) -> Any:
    """A game with those decks."""
    seats = tuple(SeatSetup(f"P{n}", deck) for n, deck in enumerate(decks, 1))
    game = entry.create(seats, host=InlineHost(), key=key_of_seed("d"), options={})
    game.start()
    return game


def mine(tmp_path: Path, text: str = OWN) -> Path:
    """A set file."""
    path = tmp_path / "mine.toml"
    path.write_text(text, "utf-8")
    return path


def test_a_deck_is_given_by_name_as_a_list_as_text_or_as_plain_data() -> None:
    """It is the same game."""
    deck = shipped_decks()["Fogbound"]
    plain = msgspec.json.decode(msgspec.json.encode(deck))
    hashes = {
        started(one, "Tidewrights").state_hash() for one in ("Fogbound", deck, to_text(deck), plain)
    }
    assert len(hashes) == 1


@pytest.mark.parametrize(
    "deck",
    ["Nobody's", "Main\nowl", {"name": 3}, 7, {"name": "A", "cards": {"Owl": 1}, "runes": {}}],
)
def test_what_is_no_deck_is_refused(deck: Any) -> None:
    """With the reason; nothing has begun."""
    with pytest.raises(Refused):
        started(deck, "Tidewrights")


def test_a_file_without_a_deck_makes_a_trial_deck_that_brings_its_cards(tmp_path: Path) -> None:
    """Many copies of the new card, in the deck that ships with its domains."""
    (deck, *others) = library.decks([mine(tmp_path)]).values()
    assert deck.name == "Trial of mine"
    assert deck.cards["Kindled Rope"] == 10
    assert "fury" in deck.runes
    assert [one["name"] for one in deck.own] == ["Kindled Rope"]
    assert len(others) == len(shipped_decks())


def test_a_journal_keeps_a_deck_whole_and_needs_no_file(tmp_path: Path) -> None:
    """The file is gone, and the game comes out the same."""
    path = mine(tmp_path)
    (deck, *_) = library.decks([path]).values()
    path.unlink()
    seats = (SeatSetup("Ada", deck), SeatSetup("Bo", "Fogbound"))
    game = BotGame(catalogue.load("riftbound"), "own", seats=seats)
    for _ in game.play():
        pass
    journal = reader.read(game.save(tmp_path))
    assert journal.header.seats[0].deck["own"][0]["name"] == "Kindled Rope"
    replayed = replay.replay(journal)
    assert replayed.game.state_hash() == game.game.state_hash()


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        (("Kindled Rope", "Slow Verdict"), "already a card"),
        (("stun it", "tickle it"), "stopped at"),
        (('"spell"', '"ghost"'), "no type"),
        (("[Action]", "[Empower]"), "not played yet"),
        (("[[card]]", "[[card"), "no file of cards"),
        (("[[card]]", "card = [1]\n[[other]]"), "no file of cards"),
    ],
)
def test_a_file_with_an_error_is_refused(
    change: tuple[str, str], complaint: str, tmp_path: Path
) -> None:
    """By the reader, and as a refusal by the entrance."""
    path = mine(tmp_path, OWN.replace(*change))
    with pytest.raises(SetError, match=complaint):
        library.read_files([path])
    with pytest.raises(Refused):
        entry.decks([path])


def test_a_file_may_bring_decks(tmp_path: Path) -> None:
    """A deck of the file has the file's cards with it; a folder is all of its files."""
    deck = '[[deck]]\nname = "Ropes"\ncards = { "Kindled Rope" = 3 }\nrunes = { fury = 12 }\n'
    mine(tmp_path, OWN + deck)
    assert [one["name"] for one in library.decks([tmp_path])["Ropes"].own] == ["Kindled Rope"]


def test_own_cards_are_held_to_what_ships() -> None:
    """A deck from elsewhere can't give a card that ships other words, or one that isn't played."""
    card = {"name": "Slow Verdict", "type": "spell", "text": "Draw 3."}
    deck = msgspec.structs.replace(shipped_decks()["Lamp Keepers"], own=(card,))
    with pytest.raises(Refused, match="already a card"):
        entry.build(deck)
    for text in ("[Empower]", "Bake a cake."):
        odd = {"name": "Odd", "type": "spell", "text": text}
        with pytest.raises(Refused):
            entry.build(msgspec.structs.replace(deck, own=(odd,)))
