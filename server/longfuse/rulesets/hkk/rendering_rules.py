"""The rules in short, as players see them: what is played, and what is a house rule of ours.

Owns those lines. What could not be found in a rule book is marked as a house rule, and never told
as the publisher's.
"""

from __future__ import annotations

from longfuse.rulesets.hkk.turn import NAMES

HOUSE = "house rule"
"""The mark of what is ours."""

RULES: tuple[tuple[str, str], ...] = (
    (
        "goal",
        "Bring the opponent's 20 life to 0 or below. You begin with 5 cards and no magic.",
    ),
    ("turn", ", ".join(f"{name} ({hungarian})" for name, hungarian in NAMES.items()) + "."),
    (
        "magic",
        "In your preparation phase you gain 1, 2, 3, 4, then always 5 magic points, and 1 more "
        "for every second creature in your reserve. They stay until they are spent. Cards call "
        "them VP, which is short for their Hungarian name; nobody scores victory points here.",
    ),
    (
        "delayed",
        "“Delayed effect X: …”: X counters come with the card when it is played; one falls in "
        "each of your preparation phases. The effect works once none is left (127.1).",
    ),
    (
        "temporary",
        "“Temporary effect X: …”: the same, but the effect works only while one is left (127.2).",
    ),
    (
        "zero",
        "Cards can take counters off or add more; once the last has gone, none can be added "
        "(127.0.6). While abilities do not function, no counter falls (127.0.2).",
    ),
    (
        "order",
        "In your preparation phase you order what happens: counters that fall, and effects of "
        "that phase.",
    ),
    (
        "queue",
        "What is played or used goes into the reaction queue (reakciósor). The players react "
        "in turn, the opponent first; the newest comes about first.",
    ),
    (
        "arriving",
        "Creatures and buildings arrive passive (turned), those that fly active. What is "
        "passive has its abilities all the same.",
    ),
    ("hand", "There is no limit to a hand."),
)

HOUSE_RULES: tuple[tuple[str, str], ...] = (
    (
        "combat",
        "Active creatures of your reserve attack, each a creature of the other guard post "
        "(őrposzt), or the player once each of those is attacked. Attacking turns a creature. "
        "All strike at once; a creature of the guard post strikes back at the first that "
        "attacked it.",
    ),
    ("swift", "A swift creature strikes before the others; a steadfast one is not turned."),
    (
        "exchange",
        "In the exchange each of your creatures may change once between reserve and guard "
        "post; a passive one cannot stand there.",
    ),
    (
        "acting",
        "Cards are played, and abilities used, in your main phases; instants, and abilities "
        "that say so, at any time somebody may act. Abilities may also be used before an "
        "effect of your own preparation phase.",
    ),
    ("readying", "What is passive becomes active at the end of your preparation phase."),
    ("healing", "In the healing phase all creatures' wounds heal, both players'."),
    ("most", "Nobody has more than 20 life or 20 magic points."),
    ("decking", "Who has to draw from an empty deck loses."),
    (
        "draw",
        "If both have no life left at the same moment, the game is drawn; so it is after 400 "
        "turns.",
    ),
    (
        "temporary cost",
        "“Temporary cost X: …”: X counters; while one is left you pay in each of your "
        "preparation phases, and one falls; if you don't, the card is discarded.",
    ),
    ("deck", "45 cards at least, at most 3 of a name, those in the sideboard counted too."),
    ("sideboard", "At most 20 cards. Between games of a match, cards go in and out one for one."),
)


def lines() -> tuple[tuple[str, str], ...]:
    """All of it, each with a heading; house rules say so."""
    return (*RULES, *((f"{head} ({HOUSE})", text) for head, text in HOUSE_RULES))
