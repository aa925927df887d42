"""Passing in riftbound: which prompts are chances, what an attack is, and when a fuse is due.

Priority on a chain (338) and focus in a showdown (347) are chances to respond. Ending the turn
(316.2) is no answer to anybody: it counts as the seat's own, passed for `until` alone. Everything
reads the seat's own prompt, view and events.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType

from longfuse.rulesets import passing_facts as facts
from longfuse.rulesets.passing import Chance, Events, Interruption, Where
from longfuse.rulesets.riftbound.offers import END_TURN
from longfuse.rulesets.riftbound.passing_lethal import lethal
from longfuse_protocol.prompts import Prompt
from longfuse_protocol.views import View

KINDS = ("priority", "focus")
"""Prompts whose last item is to pass, or to end the turn."""
SHOWDOWN = "mark:showdown"

LATER = ("turn", "awaken", "beginning", "scoring", "channel", "draw", "main")
"""The marks that the next turn reaches before its player has the first decision of their own."""


class RiftboundPassing:
    """What is known of passing from a prompt, a view and events."""

    phases: Mapping[str, str] = MappingProxyType(
        {
            "awaken": "Awaken Phase",
            "beginning": "Beginning Phase",
            "channel": "Channel Phase",
            "draw": "Draw Phase",
            "main": "Main Phase",
            "ending": "Ending Phase",
        }
    )

    def where(self, view: View) -> Where:
        """Turn, whose, and phase; showdowns and combats lie in the Main Phase."""
        return facts.where(view)

    def chance(self, prompt: Prompt, view: View) -> Chance | None:
        """Passing priority or focus, or ending the turn; nothing else can be passed."""
        if prompt.kind not in KINDS:
            return None
        last = len(prompt.items) - 1
        ends_the_turn = prompt.items[last].label == END_TURN.label
        return Chance(last, facts.has_options(prompt, last), own=ends_the_turn)

    def interruptions(self, view: View, events: Events, seat: int) -> Sequence[Interruption]:
        """A lethal sum, attacks on the seat, what is on the chain, fuses, and what happened."""
        now, then = _before_the_next_chance(view)
        return (
            *lethal(view, seat, then),
            *_attacks(view, events, seat),
            *facts.of_the_chain(view, seat),
            *facts.of_the_fuses(view, now, then),
            *facts.of_events(view, events, seat),
        )


PASSING = RiftboundPassing()


def _before_the_next_chance(view: View) -> tuple[Sequence[str], Sequence[str]]:
    """The marks of this turn, and of the next, that come if nobody does anything now.

    On a chain or in a showdown of the Main Phase somebody has a chance after it; in the other
    phases perhaps nobody has.
    """
    mark = facts.entity(view, "mark")
    phase = facts.where(view).phase
    if phase == "ending":
        return ("expiration",), LATER
    if phase in LATER and phase != "main":
        return LATER[LATER.index(mark["step"] or phase) + 1 :], ()
    is_open = not any(True for _ in facts.on_chain(view)) and "showdown" not in view.entities
    return (("ending", "expiration"), LATER) if phase == "main" and is_open else ((), ())


def _attacks(view: View, events: Events, seat: int) -> Iterator[Interruption]:
    """Battlefields with units of the seat's that another contests, and its combats in another's
    turn: it may have been sent into them."""
    showdown = facts.entity(view, "showdown")
    in_own_turn = facts.where(view).seat == seat
    fresh = facts.has(events, SHOWDOWN)
    contested = facts.by_number(view, lambda _, one: one.get("contested_by") is not None)
    for _, fields in contested:
        contester = fields["contested_by"]
        place = str(fields["place"])
        is_combat = bool(showdown) and showdown["combat"] and showdown["place"] == place
        if contester == seat:
            concerns = is_combat and not in_own_turn
        else:
            concerns = is_combat or _has_units(view, place, seat)
        if concerns:
            text = f"you are attacked at {fields['card']}"
            is_new = fresh and bool(showdown) and showdown["place"] == place
            yield Interruption("attacked", text, f"attack:{place}", fresh=is_new)


def _has_units(view: View, place: str, seat: int) -> bool:
    return any(
        fields.get("place") == place
        and fields.get("type") == "unit"
        and fields.get("controller") == seat
        for fields in view.entities.values()
    )
