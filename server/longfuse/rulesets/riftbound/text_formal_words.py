"""Canonical words for references, descriptions, amounts, conditions and events.

Owns the phrases of `grammar/canonical.peg` in the direction from records to words. What a plain
English phrase says without doubt is said so; everything else has its word in quotation marks.
"""

from __future__ import annotations

from longfuse.abilities.ability import Duration
from longfuse.abilities.nodes import (
    AllOf,
    Amount,
    AnyOf,
    Arithmetic,
    At,
    Attached,
    Candidate,
    Compare,
    Condition,
    ControllerOf,
    Count,
    Did,
    Each,
    Exists,
    Linked,
    Matches,
    Named,
    NamedPlayer,
    Not,
    Objects,
    OwnerOf,
    Paid,
    Players,
    Same,
    Selector,
    Stat,
    State,
    Tally,
    This,
    TurnOf,
    When,
    Who,
)

ROLES = {"you": "you", "opponent": "an opponent", "each player": "each player",
         "each opponent": "each opponent", "any player": "any player",
         "turn player": "the turn player"}  # fmt: skip
NAMES = {"event": "the event's object", "event.source": "the event's source",
         "bound": "the bound object", "each": "each one", "candidate": "the candidate",
         "candidate.targets": "the candidate's targets"}  # fmt: skip
SERIES = {"t": "target", "c": "payment", "p": "pick", "d": "the result of step"}
ADJECTIVES = {"exhausted", "ready", "damaged", "stunned", "buffed", "attacking", "defending",
              "equipped", "mighty"}  # fmt: skip
PLACES = {"battlefield": "at battlefields", "base": "in a base", "here": "here",
          "elsewhere": "elsewhere", "controlled battlefield": "at a battlefield you control",
          "enemy battlefield": "at a battlefield an opponent controls",
          "open battlefield": "at open battlefields"}  # fmt: skip
ZONES = {("trash", "friendly"): "in your trash", ("trash", "any"): "in a trash",
         ("trash", "enemy"): "in an opponent's trash", ("hand", "friendly"): "in your hand",
         ("hand", "enemy"): "in an opponent's hand"}  # fmt: skip
PERMANENTS = {"unit", "gear", "permanent", "rune", "legend", "battlefield", "equipment"}


def quote(words: str) -> str:
    """Words in quotation marks."""
    return f"“{words}”"


# ---------------------------------------------------------------- players and objects


def player(who: Players) -> str:
    """A player."""
    if isinstance(who, Who):
        return ROLES[who.role]
    if isinstance(who, ControllerOf):
        return f"the controller of {objects(who.of)}"
    if isinstance(who, OwnerOf):
        return f"the owner of {objects(who.of)}"
    if who.name.startswith("t"):
        return f"the player {named(who.name)}"
    return {"event.player": "the event's player", "each": "the present player"}[who.name]


def objects(what: Objects) -> str:
    """A reference."""
    if isinstance(what, This):
        return "this"
    if isinstance(what, Named):
        return named(what.name)
    if isinstance(what, Each):
        return f"each present {described(what.selector)}"
    if isinstance(what, Attached):
        inner = objects(what.of)
        return f"what is attached to {inner}" if what.to_it else f"what {inner} is attached to"
    if isinstance(what, Linked):
        return "the linked cards" + ("" if what.name == "link" else f" called {quote(what.name)}")
    raise TypeError(what)


def named(name: str) -> str:
    """A remembered name in words: "target 1", "the result of step 2"."""
    if name in NAMES:
        return NAMES[name]
    return f"{SERIES[name[0]]} {name[1:]}"


def any_of(what: Objects | Selector) -> str:
    """A reference, or any that match."""
    return f"any {described(what)}" if isinstance(what, Selector) else objects(what)


# ---------------------------------------------------------------- descriptions


def described(selector: Selector) -> str:
    """A description without a number: "friendly damaged unit at battlefields"."""
    words: list[str] = []
    tails: list[str] = []
    for state in selector.states:
        if state in ADJECTIVES:
            words.append(state)
        else:
            tails.append(f"in state {quote(state)}")
    if selector.control != "any":
        words.append(selector.control)
    words.append(_kinds(selector))
    words += _where_it_is(selector)
    words += tails
    words += _further(selector)
    return " ".join(words)


def _kinds(selector: Selector) -> str:
    if not selector.tags:
        return " or ".join(selector.kinds)
    if len(selector.tags) == 1 and selector.kinds in (("unit",), ("gear",), ("card",)):
        return f"{selector.tags[0]} {selector.kinds[0]}"
    raise TypeError(selector)


def _where_it_is(selector: Selector) -> list[str]:
    words: list[str] = []
    owner = selector.owner
    if (selector.zone, owner) in ZONES and selector.zone in ("trash", "hand"):
        words.append(ZONES[selector.zone, owner])
        owner = "any"
    elif selector.zone != "board" or not set(selector.kinds) <= PERMANENTS:
        words.append(f"in zone {quote(selector.zone)}")
    elif "facedown" in selector.states:
        words.append(f"in zone {quote('board')}")
    if owner != "any":
        words.append("you own" if owner == "friendly" else "an opponent owns")
    if selector.place_of is not None:
        side = "at" if selector.place == "same" else "not at"
        words.append(f"{side} the location of {objects(selector.place_of)}")
    elif selector.place in PLACES:
        words.append(PLACES[selector.place])
    elif selector.place:
        words.append(f"in place {quote(selector.place)}")
    return words


def _further(selector: Selector) -> list[str]:
    words: list[str] = []
    if selector.another:
        words.append("other than this")
    words += [f"other than {objects(one)}" for one in selector.not_in]
    if selector.controller is not None:
        words.append(f"under the control of {player(selector.controller)}")
    if selector.among is not None:
        words.append(f"among {objects(selector.among)}")
    if selector.name:
        words.append(f"named {selector.name}")
    if selector.where is not None:
        words.append(f"such that [{condition(selector.where)}]")
    if selector.keywords:
        words.append("with " + " and ".join(f"[{one}]" for one in selector.keywords))
    return words


# ---------------------------------------------------------------- amounts


def amount(value: Amount) -> str:
    """An amount."""
    if isinstance(value, int):
        return str(value) if value >= 0 else f"minus {-value}"
    if isinstance(value, Count):
        return f"the count of any {described(value.selector)}"
    if isinstance(value, Stat):
        return f"the number {quote(value.stat)} of {_stat_of(value)}"
    if isinstance(value, Arithmetic):
        return _arithmetic(value)
    if isinstance(value, Tally):
        return f"how often {event(value.when)} {value.window}"
    if value.name == "event.amount":
        return "the event's amount"
    return f"the amount {quote(value.name)}"


def _stat_of(value: Stat) -> str:
    if isinstance(value.of, Candidate):
        return "the candidate"
    if isinstance(value.of, Who | ControllerOf | OwnerOf | NamedPlayer):
        return f"the player {player(value.of)}"
    return objects(value.of)


def _arithmetic(value: Arithmetic) -> str:
    left = amount(value.left)
    if value.operation in ("half up", "half down"):
        return f"{value.operation} of {left}"
    name = {"plus": "the sum of", "minus": "the difference of", "times": "the product of",
            "most": "the greater of", "least": "the lesser of"}[value.operation]  # fmt: skip
    return f"{name} {left} and {amount(value.right)}"


# ---------------------------------------------------------------- conditions


def condition(what: Condition) -> str:
    """A condition."""
    if isinstance(what, Exists):
        most = "" if what.most == -1 else f" but not above {what.most}"
        return f"at least {amount(what.least)} of any {described(what.selector)} exist{most}"
    if isinstance(what, Compare):
        return f"compare {amount(what.left)} {what.operator} {amount(what.right)}"
    if isinstance(what, Matches):
        return f"any of {objects(what.objects)} match {quote('any ' + described(what.selector))}"
    if isinstance(what, Did):
        return f"step {what.name[1:]} happened"
    if isinstance(what, Paid):
        return f"the cost {quote(what.label)} is paid"
    if isinstance(what, TurnOf):
        return f"it is the turn of {player(what.who)}"
    if isinstance(what, Same):
        return f"the player {player(what.left)} is the player {player(what.right)}"
    if isinstance(what, Not):
        return f"not [{condition(what.condition)}]"
    if isinstance(what, State):
        return f"{quote(what.word)} holds" + (f" at {amount(what.amount)}" if what.amount else "")
    head = "all of" if isinstance(what, AllOf) else "one of"
    assert isinstance(what, AllOf | AnyOf)
    return f"{head} [{'; '.join(condition(one) for one in what.conditions)}]"


# ---------------------------------------------------------------- events, moments, windows


def event(when: When) -> str:
    """An event, its name in quotation marks."""
    words = [f"{quote(when.event)} happens"]
    if when.subject is not None:
        words.append(f"to {any_of(when.subject)}")
    if when.source is not None:
        words.append(f"because of {any_of(when.source)}")
    if when.player is not None:
        words.append(f"for {player(when.player)}")
    if when.nth:
        words.append(f"as number {when.nth}")
    words += facts(when.facts)
    return " ".join(words)


def facts(pairs: tuple[tuple[str, int | str | bool], ...]) -> list[str]:
    """Facts of an event or rewrite."""
    words: list[str] = []
    for name, value in pairs:
        shown = str(value).lower() if isinstance(value, bool) else str(value)
        words.append(f"with {quote(name)} being {quote(shown)}")
    return words


def moment(at: At) -> str:
    """A moment of the calendar."""
    whose = f" of {player(at.whose)}" if at.whose is not None else ""
    turn = {"this": "this turn", "next": "next time", "each": "each time"}[at.turn]
    return f"the mark {quote(at.mark)}{whose} {turn}"


def window(duration: Duration) -> str:
    """A window."""
    how, of = duration.how, duration.of
    if how in ("this turn", "this combat", "this phase"):
        return f"for {how}"
    if how == "game":
        return "for this game"
    if how in ("until start of turn", "until end of turn") and duration.who is not None:
        edge = "start" if "start" in how else "end"
        return f"until the {edge} of the turn of {player(duration.who)}"
    if how == "while in zone" and of is not None:
        there = f"in {quote(duration.zone)}" if duration.zone else "where it is"
        return f"while {objects(of)} is {there}"
    if how == "while controlled" and of is not None and duration.who is not None:
        return f"while {player(duration.who)} controls {objects(of)}"
    return quote(how) + (f" of {objects(of)}" if of is not None else "")
