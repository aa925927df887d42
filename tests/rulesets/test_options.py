"""The options that are told to clients are those that a game takes."""

from __future__ import annotations

import pytest

from longfuse.actors import InlineHost
from longfuse.cli.hosting import Games
from longfuse.game.entries import Refused
from longfuse.rulesets import catalogue
from longfuse.rulesets.catalogue import SeatSetup

TOLD = {info.name: info.options for info in Games().catalogue()}


def create(ruleset: str, options: dict[str, object]) -> None:
    """Make a game with these options."""
    deck = next(iter(catalogue.load(ruleset).decks()))
    seats = (SeatSetup("Ada", deck), SeatSetup("Bob", deck))
    catalogue.load(ruleset).create(seats, host=InlineHost(), key=b"k" * 32, options=options)


@pytest.mark.parametrize("ruleset", catalogue.names())
def test_each_value_is_taken(ruleset: str) -> None:
    """Every option has at least two values, and each makes a game; so does every seat as first."""
    assert TOLD[ruleset]
    for name, values in TOLD[ruleset].items():
        assert len(set(values)) >= 2, name
        for value in values:
            create(ruleset, {name: value})
    for seat in (0, 1):
        create(ruleset, {"first": seat})


@pytest.mark.parametrize("ruleset", catalogue.names())
def test_nothing_else_is_taken(ruleset: str) -> None:
    """A refusal names what there is."""
    name, values = next(iter(TOLD[ruleset].items()))
    with pytest.raises(Refused, match=f"{name}: there is no 'x'; there is '{values[0]}'"):
        create(ruleset, {name: "x"})
    with pytest.raises(Refused, match=f"there is no option 'x'; there is {name}"):
        create(ruleset, {"x": values[0]})
