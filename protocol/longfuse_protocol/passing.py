"""How a seat wants the server to pass for it: one record, kept by the server and given back whole.

The seat sends it with `settings`; the server holds it, shows it, and turns it into ordinary
decisions. It is the seat's own business: nobody else is told. Nothing here decides anything.
"""

from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from longfuse_protocol.fields import Word

Whose = Literal["own", "others", "any"]
"""Whose turn."""

Interrupt = Literal["attacked", "targeted", "played", "fuse", "anything"]
"""attacked: an attack concerns this seat. targeted: something waits on the chain that has chosen
this seat or what is its. played: another has played something. fuse: a delayed ability of anybody
is about to act or to end. anything: any of these, and whatever else is not a pass of another."""


class Stop(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Ask at this phase, whatever else is passed."""

    phase: Word
    whose: Whose = "any"


class Until(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Pass until this phase begins, the next time it does."""

    phase: Word
    whose: Whose = "any"


class Passing(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """All of a seat's settings. The default asks whenever there is something to answer."""

    mode: Literal["ask", "smart", "pass"] = "smart"
    """ask: always be asked. smart: pass where passing is all that can be done. pass: pass at every
    chance but at stops and interrupts."""
    stops: Annotated[tuple[Stop, ...], Meta(max_length=32)] = ()
    until: Until | None = None
    """Pass as in mode `pass` until then; it ends by itself, and with every interrupt."""
    interrupts: Annotated[tuple[Interrupt, ...], Meta(max_length=5)] = (
        "attacked",
        "targeted",
        "fuse",
    )
    """What is asked about in spite of `pass` and `until`. With none, nothing is: that is risky."""
    yields: Annotated[tuple[Word, ...], Meta(max_length=64)] = ()
    """Abilities to which this seat always passes, as the prompt's `source` names them."""
