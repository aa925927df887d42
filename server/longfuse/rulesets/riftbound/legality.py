"""Legality of decks: each reason why a deck may not be played, with its rule (103, 485, 825).

Owns what a deck must be, and what may take its place between the games of a match. It looks cards
up by name among those it is given, and says of a card that this version cannot play what it lacks.
The rule book knows no sideboards; the tournament rules do: their clauses are told with "TR".
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from difflib import get_close_matches

import msgspec

from longfuse.rulesets import sideboards
from longfuse.rulesets.riftbound import runnable
from longfuse.rulesets.riftbound.cards import CardDefinition
from longfuse.rulesets.riftbound.decks import Deck

MAIN_LEAST = 40
COPIES_MOST = 3
SIGNATURES_MOST = 3
RUNES = 12
FIELDS = 3
"""485.4.a: how many battlefields each player brings to a duel."""
SIDEBOARD = 8
"""TR 403.2: a sideboard has so many cards, where there is one."""
HOUSE_DOMAINS_MOST = 2
HINTS_MOST = 5
"""Unknown cards of one deck for which the nearest name is looked for: it takes a while."""
NAME_COMPARED = 80
"""Characters of such a name that are compared."""
PLAYED = ("unit", "gear", "spell")

Known = Mapping[str, CardDefinition]


class Reason(msgspec.Struct, frozen=True):
    """Why a deck is not legal. rule: its clause, with "TR" one of the tournament rules, "house" for
    the house format's own, or "" where it is no rule that stands in the way but a card that is not
    known or not played yet.
    """

    rule: str
    text: str

    def sentence(self) -> str:
        """For people."""
        return f"{self.text} ({self.rule})" if self.rule else self.text


class Checked(msgspec.Struct, frozen=True):
    """What is found of a deck. format: "duel", or "house" for one without legend and champion."""

    name: str
    format: str
    cards: int
    different: int
    runes: int
    reasons: tuple[Reason, ...] = ()
    sideboard: int = 0

    @property
    def is_legal(self) -> bool:
        """Whether nothing is wrong with it."""
        return not self.reasons


def check(deck: Deck, known: Known) -> Checked:
    """All that is wrong with a deck."""
    main = deck.main()
    found = [*_unknown(deck, known), *_sizes(deck), *_copies(deck, known), *_kinds(deck, known)]
    found += _house(deck, known) if deck.is_house else _duel(deck, known)
    return Checked(
        name=deck.name,
        format="house" if deck.is_house else "duel",
        cards=sum(main.values()),
        different=len(main),
        runes=sum(deck.runes.values()),
        reasons=tuple(dict.fromkeys(found)),
        sideboard=sum(deck.sideboard.values()),
    )


def _unknown(deck: Deck, known: Known) -> Iterator[Reason]:
    hints = 0
    for name in deck.names():
        card = known.get(name)
        if card is None:
            hints += 1
            near = (
                get_close_matches(name[:NAME_COMPARED], known, n=1) if hints <= HINTS_MOST else ()
            )
            hint = f"; did you mean {near[0]}?" if near else ""
            yield Reason("", f"no card is called {name}{hint}")
        elif lacking := runnable.missing(card):
            yield Reason("", f"{name} is not played by this version: {', '.join(lacking)}")


def _sizes(deck: Deck) -> Iterator[Reason]:
    size, runes = sum(deck.main().values()), sum(deck.runes.values())
    if size < MAIN_LEAST:
        counted = ", the champion included" if deck.champion else ""
        yield Reason(
            "103.2", f"the Main Deck has {size} cards{counted}; at least {MAIN_LEAST} are needed"
        )
    if runes != RUNES:
        yield Reason("103.3.a", f"the Rune Deck has {runes} runes; {RUNES} are needed")
    aside = sum(deck.sideboard.values())
    if aside not in (0, SIDEBOARD):
        yield Reason("TR 403.2", f"the sideboard has {aside} cards; it has {SIDEBOARD}, or none")


def _copies(deck: Deck, known: Known) -> Iterator[Reason]:
    main = deck.main()
    for name, total in deck.pool().items():
        count, card = main.get(name, 0), known.get(name)
        together = "in Main Deck and sideboard together"
        if count > COPIES_MOST:
            yield Reason("103.2.b", f"{count} copies of {name}; at most {COPIES_MOST}")
        elif total > COPIES_MOST:
            yield Reason("TR 403.3", f"{total} copies of {name} {together}; at most {COPIES_MOST}")
        if card is None or not _is_unique(card):
            continue
        if count > 1:
            yield Reason("825.2.a", f"{name} is Unique: a deck holds it once")
        elif total > 1:
            yield Reason("TR 403.3", f"{name} is Unique: it is there once {together}")


def _is_unique(card: CardDefinition) -> bool:
    return any(ability.keyword == "Unique" for ability in card.abilities)


def _kinds(deck: Deck, known: Known) -> Iterator[Reason]:
    for name in dict.fromkeys([*deck.cards, *deck.sideboard]):
        card = known.get(name)
        if card is None:
            continue
        if card.type not in PLAYED:
            yield Reason("103.2", f"{name} is a {card.type}, which no Main Deck holds")
        if "token" in card.supertypes:
            yield Reason("103.2", f"{name} is a token, which no Main Deck holds")


# ---------------------------------------------------------------- between the games of a match


def exchanged(deck: Deck, by: Deck) -> Iterator[Reason]:
    """Why a legal deck may not take the place of the one that was brought to the match (TR 403.4):
    cards are exchanged one for one, and the Chosen Champion may be any that the deck may have.
    """
    if deck.legend != by.legend:
        yield Reason("TR 403.4", f"the legend stays: {deck.legend or 'none'}")
    if sorted(deck.battlefields) != sorted(by.battlefields):
        stay = ", ".join(deck.battlefields) or "none"
        yield Reason("TR 403.4", f"the battlefields stay: {stay}")
    if deck.runes != by.runes:
        runes = ", ".join(f"{count} {domain}" for domain, count in deck.runes.items())
        yield Reason("TR 403.4", f"the runes stay: {runes}")
    resized = sideboards.size(deck.main(), by.main())
    for wrong in (*sideboards.differences(deck.pool(), by.pool()), *resized):
        yield Reason("TR 403.4", wrong)


# ---------------------------------------------------------------- the duel's format


def _duel(deck: Deck, known: Known) -> Iterator[Reason]:
    legend = known.get(deck.legend)
    if not deck.legend:
        yield Reason("103.1", "it has no Champion Legend")
    elif legend is not None and legend.type != "legend":
        yield Reason("103.1", f"{deck.legend} is a {legend.type}, not a legend")
        legend = None
    yield from _champion(deck, known, legend)
    yield from _fields(deck, known)
    if legend is not None:
        yield from _identity(deck, known, legend)
        yield from _signatures(deck, known, legend)


def _champion(deck: Deck, known: Known, legend: CardDefinition | None) -> Iterator[Reason]:
    if not deck.champion:
        yield Reason("103.2.a", "it has no Chosen Champion")
        return
    card = known.get(deck.champion)
    if card is None:
        return
    if card.type != "unit" or "champion" not in card.supertypes:
        yield Reason("103.2.a.2", f"{card.name} is not a champion unit")
    elif legend is not None and not set(card.tags) & set(legend.tags):
        yield Reason(
            "103.2.a.2",
            f"{card.name} has no tag of {legend.name} ({', '.join(legend.tags) or 'none'})",
        )


def _fields(deck: Deck, known: Known) -> Iterator[Reason]:
    if len(deck.battlefields) != FIELDS:
        count = len(deck.battlefields)
        yield Reason("485.4.a", f"it has {count} battlefields; {FIELDS} are needed")
    for name in dict.fromkeys(deck.battlefields):
        card = known.get(name)
        if deck.battlefields.count(name) > 1:
            yield Reason("103.4.c", f"{name} is there more than once")
        if card is not None and card.type != "battlefield":
            yield Reason("103.4", f"{name} is a {card.type}, not a battlefield")


def _identity(deck: Deck, known: Known, legend: CardDefinition) -> Iterator[Reason]:
    identity = set(legend.domains)
    for name in deck.names():
        card = known.get(name)
        outside = [one for one in card.domains if one not in identity] if card else []
        if card is not None and outside and card is not legend:
            rule = "103.4.b" if card.type == "battlefield" else "103.1.b"
            yield Reason(rule, f"{name} is of {_and(outside)}, which {legend.name} is not")
    for domain in deck.runes:
        if domain not in identity:
            yield Reason("103.3.a.1", f"{domain} runes, and {legend.name} is not of {domain}")


def _signatures(deck: Deck, known: Known, legend: CardDefinition) -> Iterator[Reason]:
    found = {
        name: count
        for name, count in deck.main().items()
        if name in known and "signature" in known[name].supertypes
    }
    if (total := sum(found.values())) > SIGNATURES_MOST:
        yield Reason("103.2.d.1", f"{total} signature cards; at most {SIGNATURES_MOST}")
    for name in deck.pool():
        if name not in known or "signature" not in known[name].supertypes:
            continue
        if not set(known[name].tags) & set(legend.tags):
            yield Reason("103.2.d.2", f"{name} is a signature card of another champion")


# ---------------------------------------------------------------- the house format


def _house(deck: Deck, known: Known) -> Iterator[Reason]:
    """Without a legend the runes say which domains a deck is of, two at most."""
    domains = set(deck.runes)
    if len(domains) > HOUSE_DOMAINS_MOST:
        yield Reason("house", f"runes of {len(domains)} domains; at most {HOUSE_DOMAINS_MOST}")
    for name in dict.fromkeys([*deck.cards, *deck.sideboard]):
        card = known.get(name)
        outside = [one for one in card.domains if one not in domains] if card else []
        if outside:
            yield Reason("house", f"{name} is of {_and(outside)}, of which there are no runes")
        if card is not None and "signature" in card.supertypes:
            yield Reason("house", f"{name} is a signature card, and there is no legend")


def _and(words: list[str]) -> str:
    return " and ".join(words)
