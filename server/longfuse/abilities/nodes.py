"""The words of the effect language: values, references, selectors, conditions.

Owns the shape of what a card sentence means, as frozen data that is hashed, stored, compared and
printed back as canonical words. No ruleset is named here: `kinds`, `stats`, `zones`, `events` and
`verbs` are strings that a ruleset declares in its vocabulary. Nodes never run by themselves; the
interpreter (`abilities/interpreter.py`) and the ruleset's verbs do that.
"""

from __future__ import annotations

from typing import Literal

import msgspec


class Node(msgspec.Struct, frozen=True, tag=True, repr_omit_defaults=True):
    """A piece of a sentence. Equal nodes mean the same, and are spelt alike: no field is left out,
    since msgspec finds defaults by identity, and a string that was put together is not its equal.
    """


# ---------------------------------------------------------------- players

Role = Literal["you", "opponent", "each player", "each opponent", "any player", "turn player"]


class Who(Node, frozen=True):
    """A player by its role, seen from the ability's controller."""

    role: Role = "you"


class ControllerOf(Node, frozen=True):
    """The controller of the first of some objects ("its controller")."""

    of: Objects


class OwnerOf(Node, frozen=True):
    """The owner of the first of some objects ("its owner")."""

    of: Objects


class NamedPlayer(Node, frozen=True):
    """A player remembered under a name: a chosen player, or `event.player` of a trigger's
    message.
    """

    name: str


Players = Who | ControllerOf | OwnerOf | NamedPlayer


# ---------------------------------------------------------------- objects


class This(Node, frozen=True):
    """The ability's source: "me", "this"."""


class Named(Node, frozen=True):
    """Objects remembered under a name.

    Names: `t1`, `t2` … for choices in the order asked; `event` for the subject of the message that
    woke a trigger or that a replacement rewrites; `event.source` for what caused it; `bound` for
    the object a passive was bound to; `each` inside `ForEach`; any name an effect gave its result.
    """

    name: str


class Each(Node, frozen=True):
    """All objects that match when this is read."""

    selector: Selector


class Attached(Node, frozen=True):
    """What is attached to some objects (`to_it`), or what they are attached to."""

    of: Objects
    to_it: bool = True


class Linked(Node, frozen=True):
    """The members of this source's link (390.5): "cards banished with this"."""

    name: str = "link"


Objects = This | Named | Each | Attached | Linked


class Selector(Node, frozen=True):
    """Which objects: every field that is set must hold.

    kinds: any of these types ("unit", "gear", "spell", "card", "permanent" …); control: whose, seen
    from the ability's controller; owner likewise; zone: a zone word ("board", "hand", "trash",
    "banishment", "deck", "chain" …); place: where on the board ("battlefield", "base", "here" =
    with the source, "elsewhere", or a Named location); another: not the source; not_in: not among
    these; states: words that must hold ("exhausted", "ready", "damaged", "stunned", "attacking",
    "token" …), with "not " before one that must not; among: only these ("one of them"); where:
    further comparisons about the candidate (`Stat(Candidate)`).
    """

    kinds: tuple[str, ...] = ("card",)
    control: Literal["any", "friendly", "enemy"] = "any"
    owner: Literal["any", "friendly", "enemy"] = "any"
    zone: str = "board"
    place: str = ""
    place_of: Objects | None = None
    another: bool = False
    not_in: tuple[Objects, ...] = ()
    states: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    keywords: tuple[str, ...] = ()
    name: str = ""
    where: Condition | None = None
    controller: Players | None = None
    among: Objects | None = None


class Candidate(Node, frozen=True):
    """The object being tested by the selector around it."""


# ---------------------------------------------------------------- amounts


class Count(Node, frozen=True):
    """How many objects match."""

    selector: Selector


class Stat(Node, frozen=True):
    """A number of an object ("its Might"): of the first of `of`, or of the candidate; or of a
    player.
    """

    stat: str
    of: Objects | Candidate | Players


class Arithmetic(Node, frozen=True):
    """`plus`, `minus`, `times`, `half up`, `half down` (right ignored), `most` (maximum),
    `least`.
    """

    operation: Literal["plus", "minus", "times", "half up", "half down", "most", "least"]
    left: Amount
    right: Amount = 0


class Tally(Node, frozen=True):
    """How often an event happened, read from the log ("for each card you've played this turn")."""

    when: When
    window: Literal["this turn", "this game"] = "this turn"


class NamedAmount(Node, frozen=True):
    """A number under a name: `event.amount`, `paid.energy`, a chosen number, a result ("that
    much").
    """

    name: str


Amount = int | Count | Stat | Arithmetic | Tally | NamedAmount


# ---------------------------------------------------------------- events and conditions


class When(Node, frozen=True):
    """What has to happen: an event with whom it is about.

    event: a name the ruleset declares: for triggers a Happened ("damage dealt", "unit died", "card
    played", "conquered" …); for replacements a Proposed ("damage", "death", "enter" …). subject:
    the object it must be about: references, or any that matches a selector (a snapshot of the
    object as it was, if it left). source: what did it. player: who did it or whom it happens to.
    nth: only the nth such event of this turn (0: every one). facts: further facts that must be
    equal.
    """

    event: str
    subject: Objects | Selector | None = None
    source: Objects | Selector | None = None
    player: Players | None = None
    nth: int = 0
    facts: tuple[tuple[str, int | str | bool], ...] = ()


class At(Node, frozen=True):
    """A moment of the calendar.

    mark: a name the ruleset declares ("beginning", "main", "ending" …). whose: whose turn.
    turn: "this" only this turn; "next" the next time that mark comes, not the present one;
    "each" every time (printed abilities).
    """

    mark: str
    whose: Players | None = None
    turn: Literal["this", "next", "each"] = "each"


class Exists(Node, frozen=True):
    """At least `least` (and at most `most`, if not -1) objects match."""

    selector: Selector
    least: Amount = 1
    most: int = -1


class Compare(Node, frozen=True):
    """A comparison of two numbers."""

    left: Amount
    operator: Literal["<", "<=", "==", "!=", ">=", ">"]
    right: Amount


class Matches(Node, frozen=True):
    """All of some objects match a selector ("if it's a unit"); false if there is none."""

    objects: Objects
    selector: Selector


class Did(Node, frozen=True):
    """The named earlier instruction happened as written: "if you do" (359.3.e.14)."""

    name: str


class Paid(Node, frozen=True):
    """The optional additional cost of that label was paid."""

    label: str


class TurnOf(Node, frozen=True):
    """It is that player's turn."""

    who: Players


class Same(Node, frozen=True):
    """Two player expressions name the same player."""

    left: Players
    right: Players


class Not(Node, frozen=True):
    """The condition does not hold."""

    condition: Condition


class AllOf(Node, frozen=True):
    """Every condition holds."""

    conditions: tuple[Condition, ...]


class AnyOf(Node, frozen=True):
    """At least one condition holds."""

    conditions: tuple[Condition, ...]


class State(Node, frozen=True):
    """A word the ruleset knows about the game ("legion", "showdown", "combat here" …) holds."""

    word: str
    amount: Amount = 0


Condition = Exists | Compare | Matches | Did | Paid | TurnOf | Same | Not | AllOf | AnyOf | State
