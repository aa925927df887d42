"""Why not: what can't be moved or played, and what is paid for, as a prompt tells it."""

from __future__ import annotations

from longfuse.abilities.ability import Ability, Change
from longfuse.abilities.nodes import Who
from rulesets.riftbound.cards import draws, unit
from rulesets.riftbound.duels import Playing, a_duel


def _item(duel: Playing, label: str) -> tuple[bool, str, str]:
    """Whether an item is legal, why not, and by which clause, as its seat is sent it."""
    prompt = duel.game.open_prompt
    assert prompt is not None
    (item,) = [item for item in prompt.items if item.label == label]
    return (item.legal, item.reason, item.clause)


def test_units_that_cannot_move_are_listed_beside_those_that_can() -> None:
    """The exhausted one is among them, with its reason."""
    duel = a_duel(board=[unit("Oak"), unit("Ash"), unit("Elm", exhausted=True)])
    duel.decide(next(n for n, one in enumerate(duel.prompt.items) if one.label == "Move units"))
    prompt = duel.game.open_prompt
    assert prompt is not None

    assert [(item.legal, item.reason) for item in prompt.items] == [
        (True, ""),
        (True, ""),
        (False, "state: it is exhausted"),
    ]
    assert (prompt.least, prompt.most, prompt.default) == (1, 2, (0,))


def test_no_move_at_all_says_why() -> None:
    """All units are exhausted: the move is listed, and is not legal."""
    duel = a_duel(board=[unit("Oak", exhausted=True)])

    assert _item(duel, "Move units") == (False, "state: it is exhausted", "")


def test_the_clause_of_a_reason_comes_by_itself() -> None:
    """A card that is too dear."""
    duel = a_duel(hand=[draws("Book", energy=3)])

    assert _item(duel, "Play Book") == (False, "cost: it costs 3 Energy (357)", "357")


def test_what_forbids_out_of_sight_is_not_named() -> None:
    """A card in the opponent's hand has the words."""
    law = Ability(
        kind="passive",
        changes=(Change("must not", who=Who("opponent"), word="play cards"),),
        zones=("hand",),
    )
    duel = a_duel(hand=[draws("Book")], theirs=[unit("Secret", 1, "", law)])

    assert _item(duel, "Play Book") == (False, "forbidden: an effect says so", "")


def test_what_forbids_in_play_is_told_in_its_words() -> None:
    """With the name of the card."""
    law = Ability(
        kind="passive", changes=(Change("must not", who=Who("opponent"), word="play cards"),)
    )
    duel = a_duel(hand=[draws("Book")], board=[unit("Judge", 1, "", law, owner=1)])
    legal, reason, _ = _item(duel, "Play Book")

    assert not legal
    assert reason.startswith("forbidden: Judge: ")


def test_paying_names_what_it_is_for() -> None:
    """Where there is more than one way to pay."""
    duel = a_duel(hand=[draws("Book", energy=1)], runes=(["fury", "calm"], []))
    duel.decide(0)
    prompt = duel.game.open_prompt

    assert prompt is not None
    assert (prompt.kind, prompt.source, prompt.clause) == ("pay", "Book", "357")
