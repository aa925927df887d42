"""Taking back a play: of any card, at any of its questions, everything is as before (358.4)."""

from __future__ import annotations

from typing import Any

import pytest

from rulesets.riftbound.cards import MARK, Placed, deals, gear, spell, unit
from rulesets.riftbound.duels import Playing, a_duel

TWO = [unit("Oak", 3, owner=1), unit("Elm", 3, owner=1)]
RUNES = (["fury", "calm", "fury", "calm"], [])

PLAYS: dict[str, Placed] = {
    "a spell that asks for its target": deals("Card", 3),
    "a spell with costs": deals("Card", 3, energy=1, power=["any"]),
    "a spell that makes a delayed ability": spell("Card", MARK),
    "two targets": spell("Card", "Deal 1 to each of up to two units."),
    "a unit that asks where to": unit("Card", 2, energy=1),
    "a unit with Accelerate": unit("Card", 2, "Accelerate", domains=["fury"]),
}


def everything(duel: Playing) -> dict[str, Any]:
    """All that must be as it was."""
    game = duel.game
    return {
        "hash": game.state_hash(),
        "values": dict(game.store.values),
        "numbers": game._numbers(),
        "records": dict(game.subscriptions.records),
        "tasks": game.board.host.tasks(),
        "events": [event.id for event in game.log.events],
        "ids": {viewer: eyes.save() for viewer, eyes in game.views.eyes.items()}
        if game.views is not None
        else {},
        "offers": [(option.label, option.legal) for option in duel.prompt.items],
    }


def a_play(card: Placed) -> Playing:
    """Seat 0 may play that card."""
    return a_duel(
        hand=[card],
        board=[*TWO, unit("Guard", place="bf:1")],
        runes=RUNES,
        energy=(1, 0),
        power=({"fury": 1}, {}),
    )


@pytest.mark.rule("358.4")
@pytest.mark.parametrize("name", PLAYS)
def test_a_play_taken_back_at_each_of_its_questions(name: str) -> None:
    """However far it has got, nothing of it is left; and then it can be played."""
    asked = 0
    while True:
        duel = a_play(PLAYS[name])
        before = everything(duel)
        duel.decide(next(i for i, o in enumerate(duel.prompt.items) if "Card" in o.label))
        for _ in range(asked):
            if duel.game.store.savepoint is not None and duel.prompt.kind != "priority":
                duel.decide(duel.prompt.default)
        if duel.game.store.savepoint is None:
            break
        duel.take_back(0)
        after = everything(duel)
        assert {key for key in before if before[key] != after[key]} == set()
        asked += 1

    assert asked > 0
    assert duel["Card"].place != "hand:0"


@pytest.mark.rule("358.4")
def test_others_see_nothing_of_it() -> None:
    """Until it stands, the opponent's view is as it was."""
    duel = a_play(PLAYS["a spell that asks for its target"])
    before = duel.game.view(1)
    duel.decide(next(i for i, o in enumerate(duel.prompt.items) if "Card" in o.label))
    assert duel.game.view(1) == before
    duel.answer("Oak")

    assert duel.game.view(1) != before


@pytest.mark.rule("358.4")
def test_an_activated_ability_too() -> None:
    """Its exhausted source is ready again, as if it had not been used."""
    wand = "[Exhaust]: Deal 1 to a unit."
    duel = a_duel(board=[gear("Wand", wand), *TWO])
    before = everything(duel)
    duel.use("Wand")
    assert duel.asked == (0, "target")
    duel.take_back(0)

    after = everything(duel)
    assert {key for key in before if before[key] != after[key]} == set()
    assert not duel["Wand"].exhausted
