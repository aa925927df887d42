"""Choices of programs as questions, where every ruleset asks them alike.

Owns the wording and shape of the questions for objects, players, numbers, words and yes or no.
Which objects may be chosen, and what choosing them costs, are a ruleset's.
"""

from __future__ import annotations

from collections.abc import Sequence

from longfuse.abilities.ability import Choice
from longfuse.abilities.evaluate import amount
from longfuse.abilities.nodes import Selector
from longfuse.abilities.scope import Scope
from longfuse.game.questions import Option, Question, default_some, shape_of_one
from longfuse.timing.references import Seat


def objects_question(
    choice: Choice, scope: Scope, seat: Seat, options: Sequence[Option], most: int, public: bool
) -> Question:
    """Which objects. most: how many can be, which may be fewer than the choice says."""
    selector = choice.selector
    assert selector is not None
    single = shape_of_one(most if choice.least else amount(choice.most, scope), choice.least)
    return Question(
        id=0,
        seat=seat,
        shape=single,
        kind="card" if selector.zone not in ("board", "chain") else "target",
        text=f"{scope.source.card}: choose {how_many(choice.least, most)} {what(selector)}.",
        items=tuple(options),
        least=choice.least,
        most=most,
        source=scope.source.card,
        public=public,
        default=next(n for n, option in enumerate(options) if option.legal)
        if single == "one"
        else default_some(options, choice.least),
    )


def how_many(least: int, most: int) -> str:
    """A number or a range in words."""
    if least == most:
        return str(least)
    return f"up to {most}" if least == 0 else f"{least} to {most}"


def what(selector: Selector) -> str:
    """What a selector looks for, in short."""
    side = {"any": "", "friendly": "friendly ", "enemy": "enemy "}[selector.control]
    return side + " or ".join(selector.kinds)


def player_question(scope: Scope, seat: Seat, names: Sequence[tuple[Seat, str]]) -> Question:
    """Which player. names: the players in turn order."""
    return Question(
        id=0,
        seat=seat,
        shape="one",
        kind="target",
        text=f"{scope.source.card}: choose a player.",
        items=tuple(Option(label=name, value=one) for one, name in names),
        source=scope.source.card,
        default=0,
    )


def number_question(choice: Choice, scope: Scope, seat: Seat) -> Question:
    """Which number."""
    return Question(
        id=0,
        seat=seat,
        shape="number",
        kind="number",
        text=f"{scope.source.card}: choose a number.",
        least=choice.least,
        most=max(choice.least, amount(choice.most, scope)),
        source=scope.source.card,
        default=choice.least,
    )


def word_question(choice: Choice, scope: Scope, seat: Seat) -> Question:
    """Which word."""
    return Question(
        id=0,
        seat=seat,
        shape="one",
        kind="mode",
        text=f"{scope.source.card}: choose one.",
        items=tuple(Option(label=word, value=word) for word in choice.words),
        source=scope.source.card,
        default=0,
    )


def may_question(seat: Seat, source: str, words: str = "", clause: str = "") -> Question:
    """Yes or no."""
    return Question(
        id=0,
        seat=seat,
        shape="one",
        kind="may",
        text=f"{source}: {words or 'do it'}?",
        items=(Option(label="yes", value=True), Option(label="no", value=False)),
        source=source,
        clause=clause,
        default=1,
    )
