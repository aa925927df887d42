"""Small questions about the shape of a sentence, asked by the builders.

Owns the helpers that look at trees ("is there an instead?", "does it begin with you may?") and join
conditions to abilities.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import msgspec

from longfuse.abilities.ability import Ability, Create, Do, Effect
from longfuse.abilities.nodes import (
    AllOf,
    Arithmetic,
    Condition,
    Named,
    NamedAmount,
    Objects,
)
from longfuse.abilities.text.tree import Tree

Body = Callable[[], None]


def half_of_it(up: bool) -> Arithmetic:
    """Half of the damage in question."""
    return Arithmetic("half up" if up else "half down", NamedAmount("event.amount"))


def acted_on(ability: Ability) -> Objects | None:
    """What the first instruction acts on, if it was named before the ability was made (390.5.a)."""
    first = ability.program.body[0] if ability.program.body else None
    what = first.what if isinstance(first, Do) else None
    return what if isinstance(what, Named) and what.name not in ("event", "each") else None


def speaks_of_it(verb: Tree) -> bool:
    things = verb["objs"].all("objs1")
    return len(things) == 1 and "ref" in things[0]


def tidy(words: str) -> str:
    """Words joined by blanks, written as people do."""
    for sign in (":", ",", ".", ";", "!", "?"):
        words = words.replace(f" {sign}", sign)
    return words


def asks_did(condition: Tree) -> bool:
    conds = condition.all("cond")
    return len(conds) == 1 and conds[0].tag == "did"


def has_rule(tree: Tree, rule: str) -> bool:
    """The rule occurs somewhere in the tree."""
    return tree.rule == rule or any(has_rule(part, rule) for _, part in tree.parts)


def has_word(tree: Tree, verb: str) -> bool:
    """The verb is among the words."""
    return bool({verb, f"{verb}s"} & set(tree.words.split()))


def has_instead(main: Tree | None, trailing: Sequence[Tree]) -> bool:
    if main is not None and has_rule(main, "instead_word"):
        return True
    return any(one.tag == "instead" for one in trailing)


def is_replacement(body: tuple[Effect, ...]) -> bool:
    return any(isinstance(one, Create) and one.ability.kind == "replacement" for one in body)


def leading_may(main: Tree | None) -> Tree | None:
    if main is None or "sequence" not in main:
        return None
    steps: list[Tree] = main["sequence"].all("step")
    core = steps[0]["core"]
    if len(steps) != 1 or core.tag not in ("may", "may cost") or "who" in core:
        return None
    inner = core["sequence"].all("step")
    windowed = inner[0].get("window") or steps[0].get("window")
    plays = inner[0]["core"].words.startswith("play")
    return None if core.tag == "may" and windowed and plays else steps[0]


def is_pay(step: Tree) -> bool:
    core = step["core"]
    return core.tag == "imperative" and core["imperative"].tag == "pay"


def split_at_then(main: Tree) -> tuple[list[Tree] | None, list[Tree] | None]:
    """The steps before the last "then", and those behind it, to which timing behind belongs."""
    if "sequence" not in main:
        return None, None
    sequence = main["sequence"]
    seps, steps = sequence.all("sep"), sequence.all("step")
    cut = max((place for place, sep in enumerate(seps) if sep.tag == "then"), default=-1)
    if cut < 0:
        return None, None
    return steps[: cut + 1], steps[cut + 1 :]


def with_condition(ability: Ability, condition: Condition) -> Ability:
    both = condition if ability.condition is None else AllOf((condition, ability.condition))
    return msgspec.structs.replace(ability, condition=both)
