"""Every word of the vocabulary is one that the rules carry out."""

from __future__ import annotations

import pytest

from longfuse.abilities.nodes import Selector
from longfuse.abilities.scope import Scope
from longfuse.rulesets.hkk import verbs, vocabulary
from longfuse.rulesets.hkk.commits import COMMITS
from longfuse.timing.records import Source
from rulesets.hkk.cards import creature
from rulesets.hkk.duels import a_duel


def test_verbs() -> None:
    """Neither side knows one that the other does not."""
    assert set(verbs.VERBS) == set(vocabulary.VERBS)


def test_proposed_events_are_committed() -> None:
    """What a replacement may wait for is something that happens."""
    assert set(vocabulary.PROPOSED) <= set(COMMITS)


@pytest.mark.parametrize("word", vocabulary.STATES)
def test_states(word: str) -> None:
    """Each can be asked of a creature."""
    duel = a_duel(board=[creature("Wolf")])
    assert duel.rules.is_state(duel.ref("Wolf"), word) in (True, False)


@pytest.mark.parametrize("word", vocabulary.KINDS)
def test_kinds(word: str) -> None:
    """Each can be asked of a creature."""
    duel = a_duel(board=[creature("Wolf")])
    wanted = word in ("card", "permanent", "creature")
    assert duel.rules.is_kind(duel.ref("Wolf"), word) == wanted


@pytest.mark.parametrize("word", vocabulary.STATS)
def test_stats(word: str) -> None:
    """Each is a number of an object or of a player."""
    duel = a_duel(board=[creature("Wolf")])
    players = ("magic", "hand", "deck", "discard", "creatures")
    if word in players:
        assert duel.rules.seat_stat(0, word) >= 0
    else:
        assert duel.rules.stat_of(duel.ref("Wolf"), word) >= 0


@pytest.mark.parametrize("word", vocabulary.STATE_WORDS)
def test_state_words(word: str) -> None:
    """Each can be asked of a source."""
    duel = a_duel(board=[creature("Wolf")])
    scope = Scope(duel.rules, 0, Source(duel.ref("Wolf"), "Wolf", 0, "board"))
    assert duel.rules.holds(scope, word, 0) in (True, False)


@pytest.mark.parametrize("zone", vocabulary.ZONES)
def test_zones(zone: str) -> None:
    """Each can be looked through."""
    duel = a_duel(board=[creature("Wolf")])
    scope = Scope(duel.rules, 0, Source(duel.ref("Wolf"), "Wolf", 0, "board"))
    assert len(tuple(duel.rules.in_zone(Selector(zone=zone), scope))) >= 0


@pytest.mark.parametrize("place", [word for word in vocabulary.PLACES if word])
def test_places(place: str) -> None:
    """Each can be asked of a creature."""
    duel = a_duel(board=[creature("Wolf")])
    ref = duel.ref("Wolf")
    scope = Scope(duel.rules, 0, Source(ref, "Wolf", 0, "board"))
    assert duel.rules.is_at(ref, place, scope, None) == (place in ("reserve", "here"))
