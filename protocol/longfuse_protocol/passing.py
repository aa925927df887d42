"""How a seat wants the server to pass for it: one record, kept by the server and given back whole.

The seat sends it with `settings`; the server holds it, shows it, and turns it into ordinary
decisions. It is the seat's own business: nobody else is told. Nothing here decides anything.

Only a chance to act is ever passed. Choices, targets, payments and orders are always asked, and so
is what the seat begins by itself (its own main phase): that is passed for `until` alone. What comes
first: `yields`, then `stops`, then `until`, then `mode`.

What the seat sends takes no field and no word that it does not know, so that a misspelt one is
told. What the server says (`Shown…`) may have more, from a later server.
"""

from collections.abc import Mapping
from typing import Annotated, Final, Literal, get_args

import msgspec
from msgspec import Meta

from longfuse_protocol.fields import Word, known

Mode = Literal["ask", "smart", "pass"]

Whose = Literal["own", "others", "any"]
"""Whose turn."""

Interrupt = Literal["attacked", "targeted", "lethal", "played", "fuse", "anything"]
"""attacked: an attack concerns this seat. targeted: something waits on the chain that has chosen
this seat or what is its. lethal: what others have begun would, as it stands, make this seat lose
the game, or all its units at a place. played: another has played something. fuse: a delayed ability
of anybody is about to act or to end. anything: any of these, and whatever else is not a pass of
another."""

_USUAL: Final[tuple[Interrupt, ...]] = ("attacked", "targeted", "lethal", "fuse")

SOURCE_MAX = 200
"""Most characters of a prompt's `source` that names what waits on the chain."""

Yield = Annotated[str, Meta(min_length=1, max_length=SOURCE_MAX)]


class ShownStop(msgspec.Struct, frozen=True):
    """Ask at every chance in this phase, also where passing is all that can be done."""

    phase: str
    whose: Annotated[str, known(*get_args(Whose))] = "any"


class Stop(ShownStop, frozen=True, forbid_unknown_fields=True):
    """Ask at every chance in this phase, also where passing is all that can be done."""

    phase: Word
    whose: Whose = "any"


class ShownUntil(msgspec.Struct, frozen=True):
    """Pass until this phase begins, the next time it does, or would if it were not skipped."""

    phase: str
    whose: Annotated[str, known(*get_args(Whose))] = "any"


class Until(ShownUntil, frozen=True, forbid_unknown_fields=True):
    """Pass until this phase begins, the next time it does, or would if it were not skipped."""

    phase: Word
    whose: Whose = "any"


class ShownPassing(msgspec.Struct, frozen=True, kw_only=True):
    """All of a seat's settings. The default asks whenever there is something to answer."""

    mode: Annotated[str, known(*get_args(Mode))] = "smart"
    """ask: always be asked. smart: pass where passing is all that can be done. pass: pass at every
    chance but at stops, and at interrupts where anything else can be done."""
    stops: tuple[ShownStop, ...] = ()
    until: ShownUntil | None = None
    """Pass as in mode `pass` until then, one's own turn too. It ends by itself, and with every
    interrupt but by what was there already when this seat was last asked."""
    interrupts: tuple[Annotated[str, known(*get_args(Interrupt))], ...] = _USUAL
    """What is asked about in spite of `pass` and `until`. With none, nothing is: that is risky."""
    yields: tuple[str, ...] = ()
    """What this seat always passes to while it is the newest on the chain, in every mode, as the
    prompt's `source` names it: a card, or one ability of a card."""


class Passing(ShownPassing, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """All of a seat's settings. The default asks whenever there is something to answer."""

    mode: Mode = "smart"
    stops: Annotated[tuple[Stop, ...], Meta(max_length=32)] = ()
    until: Until | None = None
    interrupts: Annotated[tuple[Interrupt, ...], Meta(max_length=len(get_args(Interrupt)))] = _USUAL
    yields: Annotated[tuple[Yield, ...], Meta(max_length=32)] = ()


_MODES: Final[Mapping[str, Mode]] = {word: word for word in get_args(Mode)}
_WHOSE: Final[Mapping[str, Whose]] = {word: word for word in get_args(Whose)}
_INTERRUPTS: Final[Mapping[str, Interrupt]] = {word: word for word in get_args(Interrupt)}


def as_sent(shown: ShownPassing) -> Passing:
    """Return settings that the server has told as they can be sent, to change some of them.

    A word of a later server can't be sent. In its place comes what asks more: the mode `ask`, a
    stop in anybody's turn, no `until`, the interrupt `anything`.
    """
    until, whose = shown.until, None if shown.until is None else _WHOSE.get(shown.until.whose)
    return Passing(
        mode=_MODES.get(shown.mode, "ask"),
        stops=tuple(Stop(stop.phase, _WHOSE.get(stop.whose, "any")) for stop in shown.stops),
        until=None if until is None or whose is None else Until(until.phase, whose),
        interrupts=tuple(
            dict.fromkeys(_INTERRUPTS.get(word, "anything") for word in shown.interrupts)
        ),
        yields=shown.yields,
    )
