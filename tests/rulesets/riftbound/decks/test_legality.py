"""Legality of decks: each reason, with its rule (103, 825)."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from longfuse.rulesets.riftbound.cards import CardDefinition, make_card, shipped
from longfuse.rulesets.riftbound.decks import Deck, shipped_decks
from longfuse.rulesets.riftbound.legality import HINTS_MOST, check, exchanged

KEEPERS = shipped_decks()["Lamp Keepers"]
MORE: list[dict[str, Any]] = [
    {"name": "Lone Bell", "type": "unit", "might": 1, "text": "[Unique]"},
    {"name": "Pawn", "type": "unit", "might": 1, "supertypes": ["token"]},
    {"name": "Throne", "type": "unit", "might": 1, "supertypes": ["champion"], "tags": ["King"]},
    {"name": "Odd", "type": "unit", "might": 1, "text": "Empower"},
    {"name": "Forge", "type": "battlefield", "domains": ["fury"]},
]
KNOWN: dict[str, CardDefinition] = {
    **shipped(),
    **{fields["name"]: make_card(fields) for fields in MORE},
}


def rules(deck: Deck) -> list[str]:
    """The rules that a deck breaks."""
    return [reason.rule for reason in check(deck, KNOWN).reasons]


def beside(*swaps: tuple[str, int], **fields: Any) -> Deck:
    """The Lamp Keepers with so many of some cards in the sideboard."""
    sideboard = {**KEEPERS.sideboard, **dict(swaps)}
    kept = {name: number for name, number in sideboard.items() if number}
    return msgspec.structs.replace(KEEPERS, sideboard=kept, **fields)


def changed(swap: str = "", count: int = 0, **fields: Any) -> Deck:
    """The Lamp Keepers with other fields, and with so many of a card for some Bellrope Squires."""
    cards = dict(KEEPERS.cards)
    if swap:
        cards[swap] = count
        for name in ("Bellrope Squire", "Tidewall Mason", "Wick Trimmer"):
            taken = min(cards[name], sum(cards.values()) - 39)
            cards[name] -= taken
    kept = {name: number for name, number in cards.items() if number}
    return msgspec.structs.replace(KEEPERS, **{"cards": kept, **fields})


@pytest.mark.rule("103.1", "103.2", "103.3", "103.4")
@pytest.mark.parametrize("name", list(shipped_decks()))
def test_the_decks_that_ship_are_legal(name: str) -> None:
    """Forty cards with the champion, twelve runes, three battlefields."""
    checked = check(shipped_decks()[name], shipped())
    assert checked.is_legal
    assert (checked.format, checked.cards, checked.runes) == ("duel", 40, 12)


@pytest.mark.rule("103.1", "103.2", "103.3", "103.4", "825.2.a")
@pytest.mark.parametrize(
    ("deck", "broken"),
    [
        (changed(legend=""), ["103.1"]),
        (changed(legend="Breakwater"), ["103.1"]),
        (changed(champion="", cards={**KEEPERS.cards, "Quay Lookout": 3}), ["103.2.a"]),
        (changed(champion="Quay Lookout"), ["103.2.a.2"]),
        (changed(champion="Throne"), ["103.2.a.2"]),
        (changed(cards={**KEEPERS.cards, "Quay Lookout": 1}), ["103.2"]),
        (changed("Quay Lookout", 4), ["103.2.b"]),
        (changed("Maren, First to Wake", 3), ["103.2.b"]),
        (changed("Breakwater", 1), ["103.2"]),
        (changed("Pawn", 1), ["103.2"]),
        (changed("Deck Brawler", 1), ["103.1.b"]),
        (changed("Maren's Last Oil", 4), ["103.2.b", "103.2.d.1"]),
        (changed("Silvo's Second Death", 1), ["103.1.b", "103.2.d.2"]),
        (changed("Lone Bell", 2), ["825.2.a"]),
        (changed(runes={"calm": 6, "order": 5}), ["103.3.a"]),
        (changed(runes={"calm": 6, "fury": 6}), ["103.3.a.1"]),
        (changed(battlefields=KEEPERS.battlefields[:2]), ["485.4.a"]),
        (changed(battlefields=("Breakwater", "Breakwater", "Lamp Stair")), ["103.4.c"]),
        (changed(battlefields=("Breakwater", "Lamp Stair", "Forge")), ["103.4.b"]),
        (changed(battlefields=("Breakwater", "Lamp Stair", "Reef Giant")), ["103.4"]),
        (changed("Owl", 1), [""]),
        (changed("Odd", 1), [""]),
    ],
)
def test_each_reason_has_its_rule(deck: Deck, broken: list[str]) -> None:
    """One thing wrong, and that is what is told."""
    assert rules(deck) == broken


@pytest.mark.parametrize(
    ("deck", "broken"),
    [
        (beside(("Reef Giant", 0)), ["TR 403.2"]),
        (beside(("Patient Angler", 1)), ["TR 403.2"]),
        (beside(("Reef Giant", 0), ("Quay Lookout", 2), ("Quiet Hours", 0)), ["TR 403.3"]),
        (beside(("Reef Giant", 0), ("Breakwater", 1)), ["103.2"]),
        (beside(("Reef Giant", 0), ("Pawn", 1)), ["103.2"]),
        (beside(("Reef Giant", 0), ("Quick Fuse", 1)), ["103.1.b"]),
        (beside(("Reef Giant", 0), ("Lone Bell", 1)), []),
        (beside(("Lullaby Warden", 0), ("Lone Bell", 2)), ["TR 403.3"]),
        (beside(("Reef Giant", 0), ("Maren's Last Oil", 1)), []),
        (beside(("Reef Giant", 0), ("Silvo's Second Death", 1)), ["103.1.b", "103.2.d.2"]),
        (beside(("Reef Giant", 0), ("Owl", 1)), [""]),
        (msgspec.structs.replace(KEEPERS, sideboard={}), []),
    ],
)
def test_a_sideboard_has_eight_cards_that_the_deck_might_have(
    deck: Deck, broken: list[str]
) -> None:
    """Or none; copies are counted over both."""
    assert rules(deck) == broken


def test_what_is_too_many_is_named() -> None:
    """With where it was counted."""
    deck = beside(("Reef Giant", 0), ("Quay Lookout", 2), ("Quiet Hours", 0))
    (reason,) = check(deck, KNOWN).reasons
    assert reason.sentence() == (
        "4 copies of Quay Lookout in Main Deck and sideboard together; at most 3 (TR 403.3)"
    )


SWAPPED = {"Hush Before Dawn": 3, "Quay Lookout": 1, "Bellrope Squire": 2}
ASIDE = {"Hush Before Dawn": 0, "Quay Lookout": 1, "Bellrope Squire": 1}
CHAMPION = "Maren, First to Wake"


def swapped(**fields: Any) -> Deck:
    """The Lamp Keepers with two cards exchanged for two of the sideboard."""
    cards = {**KEEPERS.cards, **SWAPPED}
    aside = {name: n for name, n in {**KEEPERS.sideboard, **ASIDE}.items() if n}
    return msgspec.structs.replace(KEEPERS, **{"cards": cards, "sideboard": aside, **fields})


def test_between_games_cards_are_exchanged_one_for_one() -> None:
    """Whatever the deck is called, and in whatever order it names its battlefields."""
    by = swapped(name="Mine", battlefields=KEEPERS.battlefields[::-1])
    assert check(by, KNOWN).is_legal
    assert list(exchanged(KEEPERS, by)) == []
    assert list(exchanged(by, KEEPERS)) == []


def test_the_champion_may_be_exchanged_too() -> None:
    """What counts is what champion, Main Deck and sideboard are together (TR 403.4.a)."""
    throne = msgspec.structs.replace(KEEPERS, sideboard={**KEEPERS.sideboard, "Throne": 1})
    by = swapped(champion="Throne")
    aside = {**by.sideboard, CHAMPION: 1}
    assert list(exchanged(throne, msgspec.structs.replace(by, sideboard=aside))) == []


@pytest.mark.parametrize(
    ("by", "told"),
    [
        (swapped(legend="Admiral of Ashes"), ["the legend stays: The Unsleeping Light"]),
        (
            swapped(battlefields=("Breakwater", "Lamp Stair", "Fog Gate")),
            ["the battlefields stay: Breakwater, Lamp Stair, Vigil Chapel"],
        ),
        (swapped(runes={"calm": 5, "order": 7}), ["the runes stay: 6 calm, 6 order"]),
        (
            swapped(cards={**KEEPERS.cards, **SWAPPED, "Owl": 1, "Quay Lookout": 0}),
            ["1 of Owl, and none in what was", "1 of Quay Lookout, and 2 in what was"],
        ),
        (
            msgspec.structs.replace(
                KEEPERS,
                cards={**KEEPERS.cards, "Hush Before Dawn": 2},
                sideboard={**KEEPERS.sideboard, "Hush Before Dawn": 1},
            ),
            ["the main deck has 41 cards; between games it keeps its 40"],
        ),
    ],
)
def test_what_may_not_be_exchanged_is_told(by: Deck, told: list[str]) -> None:
    """Which card is too many or missing; and what stays."""
    found = sorted(reason.text for reason in exchanged(KEEPERS, by))
    assert [text[: len(start)] for text, start in zip(found, told, strict=True)] == told


def test_a_card_that_is_not_known_or_not_played_is_named() -> None:
    """With the name that is near, or with what is missing."""
    told = [reason.text for reason in check(changed("Quay Lookup", 1), KNOWN).reasons]
    assert told == ["no card is called Quay Lookup; did you mean Quay Lookout?"]
    told = [reason.text for reason in check(changed("Odd", 1), KNOWN).reasons]
    assert told == ["Odd is not played by this version: Empower (rule 831)"]


def test_the_nearest_name_is_looked_for_a_few_times() -> None:
    """It takes a while, and a stranger may send a deck of many hundred unknown names."""
    strange = msgspec.structs.replace(KEEPERS, cards={f"Quay Lookup {n}": 1 for n in range(50)})
    told = [reason.text for reason in check(strange, KNOWN).reasons]
    assert sum("no card is called Quay Lookup" in text for text in told) == 50
    assert sum("did you mean" in text for text in told) == HINTS_MOST


def test_a_house_deck_has_no_legend_and_says_so() -> None:
    """Forty cards of the domains of its runes, two at most, and nothing of a legend's."""
    cards = {**KEEPERS.cards, "Quay Lookout": 3}
    del cards["Maren's Last Oil"]
    cards |= {"Bought Reprieve": 3}
    house = Deck("House", cards, KEEPERS.runes)
    checked = check(house, KNOWN)
    assert (checked.format, checked.reasons) == ("house", ())
    three = msgspec.structs.replace(house, runes={"calm": 4, "order": 4, "mind": 4})
    assert rules(three) == ["house"]
    assert rules(msgspec.structs.replace(house, runes={"calm": 12})).count("house") > 5
