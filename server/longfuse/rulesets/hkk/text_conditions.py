"""From trees to conditions: what has to be so for an ability, or for one of its instructions.

Owns their builder, for both languages.
"""

from __future__ import annotations

from typing import Literal

import msgspec

from longfuse.abilities.nodes import (
    Compare,
    Condition,
    Exists,
    Matches,
    Not,
    Selector,
    Stat,
    TurnOf,
    Who,
)
from longfuse.abilities.text.errors import Unclear
from longfuse.abilities.text.tree import Tree
from longfuse.rulesets.hkk.text_nouns import Nouns


class Conditions(Nouns):
    """Builds conditions."""

    def condition(self, tree: Tree) -> Condition:
        """What has to be so."""
        match tree.tag:
            case "none" | "one" | "other" | "least":
                return self._exists(tree)
            case "life" | "hand":
                who, operator = tree.args
                sign: Literal["<=", ">="] = "<=" if operator == "<=" else ">="
                stat = Stat(tree.tag, Who(self.role(who, tree)))
                return Compare(stat, sign, self.number(tree["amt"]))
            case "turn":
                return TurnOf(Who(self.role(tree.args[0], tree)))
            case "state":
                return Matches(self.this(tree), Selector(states=(tree.args[0],)))
        raise Unclear(tree.start, "a condition")

    def _exists(self, tree: Tree) -> Condition:
        found = self.noun(tree["noun"], another=tree.tag == "other")
        if found.control != "any" or found.zone != "board":
            raise Unclear(tree.start, "one word for whose they are, in play")
        side: Literal["enemy", "friendly"] = "enemy" if "enemy" in tree.args else "friendly"
        found = msgspec.structs.replace(found, control=side)
        if tree.tag == "none":
            return Not(Exists(found))
        return Exists(found, least=self.number(tree["least"])) if "least" in tree else Exists(found)
