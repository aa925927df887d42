"""Passing in hkk: which prompts are chances, what an attack is, and when a fuse is due.

Reacting to the queue, and acting at any time when it is one's right to, are chances to respond. The
active player's own main phases, exchange, attack and preparation are not: they are the seat's own,
passed for `until` alone. A fuse is also the last counter on a permanent (127), shortly before it
falls. Everything reads the seat's own prompt, view and events.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType

from longfuse.rulesets import passing_facts as facts
from longfuse.rulesets.hkk.offers import TEXTS
from longfuse.rulesets.hkk.passing_lethal import lethal
from longfuse.rulesets.hkk.turn import NAMES
from longfuse.rulesets.passing import Chance, Events, Interruption, Where
from longfuse_protocol.prompts import Prompt
from longfuse_protocol.views import View

KINDS = ("priority", "action")
"""Prompts whose last item is to pass."""
OWN = frozenset(TEXTS[kind] for kind in ("main", "preparation", "exchange", "combat"))
"""What the active player alone is asked."""
BOTH = ("first main", "after exchange", "second main")
"""The phases in which both get a chance, whatever happens in them."""
NEXT = ("turn", "preparation", "in preparation", "draw", "first main")
"""The marks that the next turn reaches before both have a chance in it."""
ATTACKED = "attacked"

_PHASES = tuple(NAMES)


class HkkPassing:
    """What is known of passing from a prompt, a view and events."""

    phases: Mapping[str, str] = MappingProxyType(
        {
            name: name if name in ("end of turn", "after exchange") else f"{name} phase"
            for name in NAMES
        }
        | {"after exchange": "phase after the exchange", "exchange": "exchange"}
    )

    def where(self, view: View) -> Where:
        """Turn, whose, and phase."""
        return facts.where(view)

    def chance(self, prompt: Prompt, view: View) -> Chance | None:
        """Passing, where one may act; nothing else can be passed."""
        if prompt.kind not in KINDS:
            return None
        last = len(prompt.items) - 1
        return Chance(last, facts.has_options(prompt, last), own=prompt.text in OWN)

    def interruptions(self, view: View, events: Events, seat: int) -> Sequence[Interruption]:
        """A lethal sum, attacks on the seat, what is in the queue, fuses, counters, events."""
        now, then = _before_the_next_chance(facts.where(view).phase)
        fuses = list(facts.of_the_fuses(view, now, then))
        return (
            *lethal(view, seat),
            *_attacks(view, events, seat),
            *facts.of_the_chain(view, seat),
            *fuses,
            *_counters(view, then, is_thawing=bool(fuses)),
            *facts.of_events(view, events, seat),
        )


PASSING = HkkPassing()


def _before_the_next_chance(phase: str) -> tuple[Sequence[str], Sequence[str]]:
    """The marks of this turn, and of the next, that come before both have a chance again."""
    if phase not in _PHASES:
        return (), ()
    found: list[str] = []
    for name in _PHASES[_PHASES.index(phase) + 1 :]:
        found.append(name)
        if name in BOTH:
            return found, ()
    return found, NEXT


def _attacks(view: View, events: Events, seat: int) -> Iterator[Interruption]:
    combat = facts.entity(view, "combat")
    if combat and combat["attacker"] != seat and combat["attacks"]:
        fresh = facts.has(events, ATTACKED)
        yield Interruption("attacked", "you are attacked", "attack", fresh=fresh)


def _counters(view: View, then: Sequence[str], *, is_thawing: bool) -> Iterator[Interruption]:
    """127.0.1: the last counter of a kind falls in its controller's next preparation phase, or in
    this one.

    is_thawing: whether something else ends before. With that, or with another counter that falls,
    what freezes a counter (127.0.2) may go.
    """
    at = facts.where(view)
    falls = at.seat if at.phase == "preparation" else None
    if "preparation" in then:
        falls = facts.next_seat(view)
    last = [
        (key, fields, kind, kind in fields.get("frozen", ()))
        for key, fields in facts.by_number(view, lambda _, fields: "counters" in fields)
        if fields["controller"] == falls
        for kind, number in sorted(fields["counters"].items())
        if number == 1
    ]
    is_thawing = is_thawing or not all(is_frozen for *_, is_frozen in last)
    for key, fields, kind, is_frozen in last:
        if is_thawing or not is_frozen:
            text = f"the last {kind} counter is about to fall off {fields['card']}"
            yield Interruption("fuse", text, f"fuse:{key}:{kind}")
