"""Holds compiled abilities to a ruleset's vocabulary.

Owns the walk over all nodes of an ability: every word must be one that the ruleset declares, and
every name that is used must have been given. What fails is told as a list of sentences.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from typing import Any

import msgspec

from longfuse.abilities import ability as records
from longfuse.abilities import nodes

BUILT_IN = {"event", "event.source", "bound", "each", "candidate", "candidate.targets",
            "event.player", "event.amount"}  # fmt: skip


class Words(msgspec.Struct, frozen=True):
    """The words that a ruleset lets a program use."""

    kinds: Collection[str]
    states: Collection[str]
    stats: Collection[str]
    zones: Collection[str]
    places: Collection[str]
    marks: Collection[str]
    happened: Collection[str]
    proposed: Collection[str]
    asked: Collection[str]
    prohibited: Collection[str]
    permitted: Collection[str]
    verbs: Collection[str]
    state_words: Collection[str]
    durations: Collection[str]
    keywords: Mapping[str, str]


def walk(node: Any) -> Iterator[Any]:
    """All nodes below (and with) this one, in field order."""
    if isinstance(node, msgspec.Struct):
        yield node
        for name in node.__struct_fields__:
            yield from walk(getattr(node, name))
    elif isinstance(node, tuple):
        for one in node:
            yield from walk(one)


def problems(abilities: Collection[records.Ability], words: Words) -> list[str]:
    """Everything in these abilities that the ruleset does not know."""
    found: list[str] = []
    for ability in abilities:
        for node in walk(ability):
            found.extend(_check(node, words))
        found.extend(_dangling(ability))
        found.extend(_events(ability, words))
    return found


def _check(node: Any, words: Words) -> Iterator[str]:
    known: list[tuple[str, str, Collection[str]]] = []
    if isinstance(node, nodes.Selector):
        known += [("kind", kind, words.kinds) for kind in node.kinds]
        known += [("state", one.removeprefix("not "), words.states) for one in node.states]
        known += [("keyword", one, words.keywords) for one in node.keywords]
        known += [("zone", node.zone, words.zones), ("place", node.place, words.places)]
    elif isinstance(node, nodes.Stat | nodes.At | nodes.State | records.Do):
        known.append(_one_word(node, words))
    elif isinstance(node, records.Change):
        known += _changed(node, words)
    elif isinstance(node, records.Duration):
        known.append(("window", node.how, words.durations))
        if node.zone:
            known.append(("zone", node.zone, words.zones))
    elif isinstance(node, records.Ability):
        known += [("zone", zone, words.zones) for zone in node.zones]
        if node.keyword:
            known.append(("keyword", node.keyword, words.keywords))
    for what, word, allowed in known:
        if word not in allowed:
            yield f"the rules know no {what} “{word}”"


def _one_word(
    node: nodes.Stat | nodes.At | nodes.State | records.Do, words: Words
) -> tuple[str, str, Collection[str]]:
    if isinstance(node, nodes.Stat):
        return "stat", node.stat, words.stats
    if isinstance(node, nodes.At):
        return "mark", node.mark, words.marks
    if isinstance(node, nodes.State):
        return "state", node.word, words.state_words
    return "verb", node.verb, words.verbs


def _changed(change: records.Change, words: Words) -> list[tuple[str, str, Collection[str]]]:
    known: list[tuple[str, str, Collection[str]]] = [("change", change.asks, words.asked)]
    if change.asks == "must not":
        known.append(("prohibition", change.word, words.prohibited))
    elif change.asks == "may":
        known.append(("permission", change.word, words.permitted))
    elif change.asks in ("keyword", "no keyword"):
        known.append(("keyword", change.word, words.keywords))
    return known


def _events(ability: records.Ability, words: Words) -> Iterator[str]:
    for node in walk(ability):
        if not isinstance(node, records.Ability) or not isinstance(node.when, nodes.When):
            continue
        allowed = words.proposed if node.kind == "replacement" else words.happened
        if node.when.event not in allowed:
            yield f"the rules know no event “{node.when.event}” for a {node.kind} ability"


def _dangling(ability: records.Ability) -> Iterator[str]:
    given = set(BUILT_IN)
    for node in walk(ability):
        if isinstance(node, records.Choice | records.Do | records.May) and node.name:
            given.add(node.name)
    for node in walk(ability):
        name = getattr(node, "name", "")
        speaks = isinstance(node, nodes.Named | nodes.Did | nodes.NamedPlayer | nodes.NamedAmount)
        if speaks and name not in given:
            yield f"nothing is called “{name}”"
