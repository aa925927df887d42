"""Runnable: which words this version of the rules can play.

Owns the check that a compiled card is also playable. A card with something that is not played yet
is refused by name where it is loaded, with the rule; it never reaches a game.
"""

from __future__ import annotations

from collections.abc import Iterator

from longfuse.abilities.ability import Ability, Change, Choice, Do, Duration, Rewrite
from longfuse.abilities.nodes import Selector, Tally, When
from longfuse.abilities.watching import walk
from longfuse.rulesets.riftbound import vocabulary
from longfuse.rulesets.riftbound.all_verbs import VERBS
from longfuse.rulesets.riftbound.cards import CardDefinition
from longfuse.rulesets.riftbound.commits import COMMITS
from longfuse.rulesets.riftbound.keywords import IMPLEMENTED

NOT_PLAYED_KEYWORDS = {
    "Empower": "831",
}
"""Keywords that the compiler reads and this version does not play, with their rules."""

NOT_PLAYED_TYPES: dict[str, str] = {}

NOT_ASKED = frozenset({"type"})
NOT_FORBIDDEN = frozenset({"defend"})
NOT_PERMITTED = frozenset({"look"})
NOT_HAPPENING = frozenset({"exhausted by cost"})
NOT_KINDS: frozenset[str] = frozenset()


def missing(card: CardDefinition) -> list[str]:
    """What of a card is not played yet; empty if all of it is."""
    found: dict[str, None] = {}
    if card.type in NOT_PLAYED_TYPES:
        found[f"{card.type}s (rule {NOT_PLAYED_TYPES[card.type]})"] = None
    for ability in card.abilities:
        found.update(dict.fromkeys(missing_of(ability)))
    return list(found)


def missing_of(ability: Ability) -> Iterator[str]:
    """What of one ability is not played yet."""
    for node in walk(ability):
        match node:
            case Ability(keyword=keyword) if keyword and keyword not in IMPLEMENTED:
                yield f"{keyword} (rule {NOT_PLAYED_KEYWORDS.get(keyword, '801')})"
            case Do(verb=verb) if verb not in VERBS:
                yield f"the action “{verb}”: {vocabulary.VERBS.get(verb, 'unknown')}"
            case Change():
                yield from _change(node)
            case When(event=event):
                yield from _event(ability, node, event)
            case Selector(kinds=kinds):
                yield from (f"choosing an {kind}" for kind in kinds if kind in NOT_KINDS)
            case Tally(window="this game"):
                yield "counting over the whole game"
            case Duration(how=how) if how not in vocabulary.DURATIONS:
                yield f"the window “{how}”"
            case Choice() | Rewrite():
                pass


def _change(change: Change) -> Iterator[str]:
    if change.asks in NOT_ASKED:
        yield f"changing “{change.asks}”: {vocabulary.ASKED[change.asks]}"
    if change.asks == "must not" and change.word in NOT_FORBIDDEN:
        yield f"forbidding to “{change.word}”"
    if change.asks == "may" and change.word in NOT_PERMITTED:
        yield f"allowing to “{change.word}”"


def _event(ability: Ability, when: When, event: str) -> Iterator[str]:
    is_proposal = any(
        node.when is when
        for node in walk(ability)
        if isinstance(node, Ability) and node.kind == "replacement"
    )
    if is_proposal:
        if event not in COMMITS:
            yield f"replacing “{event}”: {vocabulary.PROPOSED.get(event, 'unknown')}"
    elif event in NOT_HAPPENING:
        yield f"the event “{event}”"
