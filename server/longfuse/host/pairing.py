"""Random pairing: who waits to play the same, and who is brought together.

The lobby owns one. Those who want the same ruleset and clock are paired in the order of their
coming; a user is never paired with itself. Bounded by the people who are connected: each waits at
most once. It opens no table.
"""

from collections import OrderedDict
from typing import NamedTuple

from longfuse.host.people import Person
from longfuse_protocol.messages import ClockTerms, Pair


class Wish(NamedTuple):
    """What must be the same."""

    ruleset: str
    clock: ClockTerms


class Pairing:
    """Those who wait."""

    def __init__(self) -> None:
        self._waiting: OrderedDict[Person, Pair] = OrderedDict()

    def find(self, person: Person, pair: Pair) -> tuple[Person, Pair] | None:
        """Return who has waited longest for the same, and take it out; else let this one wait."""
        wish = Wish(pair.ruleset, pair.clock)
        for other, theirs in self._waiting.items():
            is_other = other is not person and (not person.user or other.user != person.user)
            is_here = other.line is not None and not other.line.is_ended  # or is about to be lost
            if is_other and is_here and Wish(theirs.ruleset, theirs.clock) == wish:
                del self._waiting[other]
                return other, theirs
        self._waiting[person] = pair
        return None

    def forget(self, person: Person) -> bool:
        """Let this one wait no more; say whether it did."""
        return self._waiting.pop(person, None) is not None
