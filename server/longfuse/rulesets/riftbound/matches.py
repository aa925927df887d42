"""The games of a match: what each is played with, from how the one before has ended (486).

Owns the options "match" (whether the players choose their battlefields), "used" (the battlefields
of the match's earlier games, a list of names for each seat) and "chooser" (the seat that says who
goes first: the loser of the game before; the rule book leaves it to the players, and so do the
tournament rules).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from longfuse.game.entries import Refused
from longfuse.game.game import Game
from longfuse.rulesets.riftbound.duel import Duel

SEATS = 2


def next_options(options: Mapping[str, Any], last: Game | None) -> dict[str, Any]:
    """The options of a match's next game. options: the table's. last: the game before it."""
    found = {**options, "match": True}
    if last is None:
        return found
    duel = last.rules
    assert isinstance(duel, Duel)
    assert last.result is not None, "the game before is over"
    found.pop("first", None)
    # Empty where somebody has given up before the battlefields came into play.
    fields = duel.setup.fields or [""] * SEATS
    found["used"] = [
        [*used, field] if field else list(used)
        for used, field in zip(duel.setup.used, fields, strict=True)
    ]
    winner = last.result.winner
    if winner is not None:
        found["chooser"] = duel.opponent(winner)
    return found


def checked(options: Mapping[str, Any]) -> dict[str, Any]:
    """The other options; Refused if one of these has no value that it can have."""
    others = dict(options)
    is_match, used = others.pop("match", False), others.pop("used", [[]] * SEATS)
    chooser = others.pop("chooser", 0)
    if type(is_match) is not bool:
        raise Refused("option", f"match: true or false, not {is_match!r}")
    if type(chooser) is not int or chooser not in range(SEATS):
        raise Refused("option", f"chooser: a seat from 0 to {SEATS - 1}, not {chooser!r}")
    lists = [one for one in used if isinstance(one, list)] if isinstance(used, list) else []
    names = [name for one in lists for name in one]
    if len(lists) != SEATS or not all(isinstance(name, str) for name in names):
        raise Refused("option", f"used: a list of battlefields for each seat, not {used!r}")
    return others
