"""Another deck between the games of a match, at a terminal: in the rulesets with sideboards."""

from __future__ import annotations

import re

import pytest

from cli.playing import Player, open_games, two_players
from longfuse.rulesets.catalogue import load_decks


async def between_games(ada: Player, bob: Player) -> None:
    """Play up to the end of the first game."""
    await ada.types("concede", "concede")
    assert "The match stands" in await bob.sees()


@pytest.mark.parametrize("ruleset", ["riftbound", "hkk"])
async def test_another_deck_is_refused_in_a_few_lines(ruleset: str) -> None:
    """The first says what can be exchanged, and how; then come some reasons, and how many more."""
    first, other, *_ = (deck["name"] for deck in load_decks(ruleset).catalogue()["decks"])
    opens = {"ruleset": ruleset, "best_of": 3, "deck": first}
    async with open_games() as listener, two_players(listener, **opens) as (ada, bob):
        await between_games(ada, bob)
        told = await ada.types(f"deck {other}")

        assert told.startswith(
            "Your deck stays: between the games of a match, cards are only exchanged with your"
            f" sideboard: `longfuse deck show NAME --ruleset {ruleset} > FILE`, edit FILE"
        )
        assert re.search(r"- and \d+ more >$", told)
        assert told.count(" - ") == 4
