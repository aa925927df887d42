"""What an ability is: passive, replacement, activated, triggered; delayed is how one comes to be.

Owns the frozen records that the card-text compiler makes and the rules run. An `Ability` printed on
a card is never delayed; the same `Ability` inside a `Create` is (392): it has a window (390) and is
its base kind otherwise (390.1). Nothing here runs.
"""

from __future__ import annotations

import re
from typing import Any, Literal

import msgspec

from longfuse.abilities.nodes import Amount, At, Condition, Node, Objects, Players, Selector, When

# ---------------------------------------------------------------- costs, choices, programs


class Cost(Node, frozen=True):
    """What has to be paid: resources by name, and game actions ("exhaust this", "kill a friendly
    unit").

    resources: ordered pairs like ("energy", 2), ("fury", 1), ("any", 1). choices: what the actions
    speak of, chosen while paying, in order.
    """

    resources: tuple[tuple[str, int], ...] = ()
    choices: tuple[Choice, ...] = ()
    actions: tuple[Effect, ...] = ()


class Choice(Node, frozen=True):
    """A question a program asks; its answer is remembered under `name`.

    of: "object" (from `selector`), "player", "place" (a location), "number", "word" (from `words`).
    least/most: how many. who: who chooses. per_controller etc. are expressed by several choices.
    different: all names in it must be different objects from this one.
    """

    name: str
    selector: Selector | None = None
    of: Literal["object", "player", "place", "number", "word"] = "object"
    least: int = 1
    most: Amount = 1
    who: Players | None = None
    words: tuple[str, ...] = ()
    different: tuple[str, ...] = ()


class Program(Node, frozen=True):
    """Choices made when the item is finalized (targets), then effects in printed order."""

    choices: tuple[Choice, ...] = ()
    body: tuple[Effect, ...] = ()


# ---------------------------------------------------------------- effects


class Do(Node, frozen=True):
    """One game action of the ruleset.

    verb: declared by the ruleset. what: the objects. amount, who, to, by, ability, word: as the
    verb reads them. name: result is remembered under it (objects made or touched, and whether it
    happened). together: all objects in one batch (the default for one instruction).
    """

    verb: str
    what: Objects | None = None
    amount: Amount | None = None
    who: Players | None = None
    to: str = ""
    to_objects: Objects | None = None
    by: Objects | None = None
    word: str = ""
    cost: Cost | None = None
    name: str = ""


class If(Node, frozen=True):
    """Looked at when it is reached."""

    condition: Condition
    then: tuple[Effect, ...]
    otherwise: tuple[Effect, ...] = ()


class May(Node, frozen=True):
    """A player may do it, when it is reached; with a cost, pays it first. name: whether it was
    done.
    """

    body: tuple[Effect, ...]
    cost: Cost | None = None
    who: Players | None = None
    name: str = ""
    otherwise: tuple[Effect, ...] = ()


class Choose(Node, frozen=True):
    """A question asked when it is reached (hidden cards, opponents' choices)."""

    choice: Choice


class ForEach(Node, frozen=True):
    """The body once for each object, or `times` times; the present object is `Named("each")`."""

    body: tuple[Effect, ...]
    objects: Objects | None = None
    times: Amount | None = None
    players: Players | None = None


class Modes(Node, frozen=True):
    """ "Choose one —": programs with labels; chosen when the item is finalized."""

    options: tuple[tuple[str, Program], ...]
    least: int = 1
    most: int = 1


class Create(Node, frozen=True):
    """Make a delayed ability (392): what it speaks of is captured now."""

    ability: Ability


class Remember(Node, frozen=True):
    """Put objects into this source's link (390.5, 393-397)."""

    objects: Objects
    name: str = "link"


class Then(Node, frozen=True):
    """ "Do this:", a reflexive trigger: a new chain item made by this one (386-388)."""

    program: Program


Effect = Do | If | May | Choose | ForEach | Modes | Create | Remember | Then


# ---------------------------------------------------------------- what abilities change


class Change(Node, frozen=True):
    """One answer that a passive gives to an Asked message.

    asks: what it changes, declared by the ruleset ("might", "keyword", "cost", "bonus damage",
    "controller", "may", "must not", "enters ready" …). of: whom (None: the bound object or the
    player). amount/word/who/ability: what it says. set: replaces the value instead of adding.
    """

    asks: str
    of: Objects | Selector | None = None
    amount: Amount | None = None
    word: str = ""
    who: Players | None = None
    ability: Ability | None = None
    resources: tuple[tuple[str, int], ...] = ()
    set: bool = False
    least: int | None = None


class Rewrite(Node, frozen=True):
    """What a replacement does to a proposal.

    how: "instead" (run the ability's program), "prevent" (amount None: all of it), "times", "plus",
    "also" (the event and then the program), "change" (facts replaced: entering ready, other zone).
    """

    how: Literal["instead", "prevent", "times", "plus", "also", "change"] = "instead"
    amount: Amount | None = None
    facts: tuple[tuple[str, int | str | bool], ...] = ()


class Duration(Node, frozen=True):
    """A window as a sentence says it; resolved to a `timing.windows.Window` at creation.

    how: "this turn", "this combat", "this phase", "until start of turn" (who), "until end of turn"
    (who), "while in zone" (of, zone; zone "" = the appropriate zone of 390.5.c), "while on chain"
    (of), "while attached" (of), "while controlled" (of, who), "first of" (parts). next_turn: not
    before the next such turn.
    """

    how: str
    of: Objects | None = None
    who: Players | None = None
    zone: str = ""
    parts: tuple[Duration, ...] = ()


class Gate(Node, frozen=True):
    """A window and the side of it on which the ability works (127): while "open" or once
    "closed".
    """

    counter: str
    count: int
    works: Literal["open", "closed"]


Kind = Literal["spell", "passive", "replacement", "activated", "triggered", "keyword"]


class Ability(Node, frozen=True):
    """One ability, printed or to be created.

    kind: "spell" is what a spell does on resolving; "keyword" is one the ruleset builds in. when:
    the condition of a triggered or replacement ability. condition: the intervening if, or the
    "while" of a passive. uses: 0 every time, else how often. points: "prevent the next 3". binds:
    the event that ties a waiting passive to one object ("your next spell"). once: "turn" for once
    each turn. per: a trigger acts for each event, or once for all that are simultaneous ("one or
    more"). zones: where it functions. delayed: made by a Create. source_information is always kept.
    """

    kind: Kind
    when: When | At | None = None
    condition: Condition | None = None
    optional: bool = False
    cost: Cost | None = None
    once: Literal["", "turn"] = ""
    per: Literal["event", "batch"] = "event"
    uses: int = 0
    points: int = 0
    program: Program = Program()
    changes: tuple[Change, ...] = ()
    rewrite: Rewrite | None = None
    window: Duration | None = None
    binds: When | None = None
    timing: Literal["", "action", "reaction"] = ""
    zones: tuple[str, ...] = ("board",)
    gate: Gate | None = None
    keyword: str = ""
    amount: Amount | None = None
    text: str = msgspec.field(default="")

    def meaning(self) -> Ability:
        """This ability without its words, its names numbered in order, and the same for the
        abilities in it: two wordings of one ability are equal by it.
        """
        plain = _plain(self, {})
        assert isinstance(plain, Ability)
        return plain


EMPTY = Program()
_NUMBERED = re.compile(r"[tcpd]\d+")


def _plain(node: Any, names: dict[str, str]) -> Any:
    """A piece of an ability without words, its choices, picks and results renumbered."""
    if isinstance(node, tuple):
        return tuple(_plain(part, names) for part in node)
    if not isinstance(node, msgspec.Struct):
        return node
    changed: dict[str, Any] = {}
    for field in node.__struct_fields__:
        value = getattr(node, field)
        if field == "text":
            changed[field] = ""
        elif field == "name" and isinstance(value, str):
            changed[field] = _renamed(value, names)
        elif field == "different":
            changed[field] = tuple(_renamed(one, names) for one in value)
        elif value is not None and not isinstance(value, str | int | bool):
            changed[field] = _plain(value, names)
    return msgspec.structs.replace(node, **changed) if changed else node


def _renamed(name: str, names: dict[str, str]) -> str:
    if not _NUMBERED.fullmatch(name):
        return name
    if name not in names:
        order = sum(one[0] == name[0] for one in names) + 1
        names[name] = f"{name[0]}{order}"
    return names[name]
