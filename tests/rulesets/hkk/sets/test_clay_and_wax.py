"""The set that ships: every card in two languages, two decks, all of rule 127 on cards."""

from __future__ import annotations

import tomllib

import pytest

from longfuse.abilities.ability import Ability, Do
from longfuse.abilities.text.check import walk
from longfuse.rulesets.hkk.cards import SETS, CardDefinition, cards_report, set_files, shipped

CARDS = [card for card in shipped().values() if not card.token]


def gated(card: CardDefinition) -> list[Ability]:
    """The abilities of a card that counters begin or end."""
    return [one for one in card.abilities if one.gate is not None]


def decks() -> list[dict[str, object]]:
    """The decks of the file."""
    return list(tomllib.loads((SETS / "decks.toml").read_text("utf-8"))["deck"])


def test_it_has_enough_cards() -> None:
    """Forty-five at least, twenty of them with counters."""
    assert len(CARDS) >= 45
    assert sum(bool(gated(card)) for card in CARDS) >= 20


def test_every_card_has_both_wordings_and_names() -> None:
    """A card with a text has it twice, and no two cards share a name in either language."""
    halves = [card.name for card in CARDS if bool(card.text.strip()) != bool(card.text_hu.strip())]
    assert halves == []
    assert all(card.name_hu for card in shipped().values())
    assert len({card.name_hu for card in shipped().values()}) == len(shipped())


@pytest.mark.rule("127.0.3")
def test_all_six_combinations_are_there() -> None:
    """Delayed and temporary effects that are continuous, automatic and activated."""
    found = {(one.gate.counter, one.kind) for card in CARDS for one in gated(card) if one.gate}
    wanted = {(kind, what) for kind in ("delayed", "temporary")
              for what in ("passive", "triggered", "activated")}  # fmt: skip
    assert wanted <= found
    assert ("cost", "keyword") in found


@pytest.mark.parametrize(
    "verb",
    ["remove counters", "place counters", "double counters", "control", "copy", "play", "prevent",
     "token", "return", "destroy", "deal", "hurt", "draw"],
)  # fmt: skip
def test_some_card_does_it(verb: str) -> None:
    """Counters are removed and multiplied; cards are stolen, copied and brought back."""
    used = {node.verb for card in CARDS for node in walk(card.abilities) if isinstance(node, Do)}
    assert verb in used


def test_some_cards_suppress_abilities_and_forbid_counters() -> None:
    """What 127.0.2 and 127.0.7 speak of."""
    said = {
        (change.asks, change.word)
        for card in CARDS
        for ability in walk(card.abilities)
        if isinstance(ability, Ability)
        for change in ability.changes
    }
    assert ("no abilities", "") in said
    assert ("must not", "receive counters") in said


def test_the_report_counts_them() -> None:
    """What `cards check` prints."""
    report = cards_report(set_files())
    assert report["failures"] == []
    assert report["cards"] == report["compiled"] == len(shipped())
    assert report["delayed"] == report["delayed_compiled"] == sum(bool(gated(one)) for one in CARDS)


def test_there_are_two_decks() -> None:
    """Forty-five cards each, at most three of a name, and every card of the set in one of them."""
    used: set[str] = set()
    for deck in decks():
        counts = deck["cards"]
        assert isinstance(counts, dict)
        assert sum(counts.values()) == 45
        assert max(counts.values()) <= 3
        used |= counts.keys()
    assert len(decks()) == 2
    assert used == {card.name for card in CARDS}
