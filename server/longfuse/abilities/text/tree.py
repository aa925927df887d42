"""What the parser hands to the builders: a tree of the grammar's rules over a line of tokens.

Owns `Tree`: which rule matched, the tag of its alternative, from which token to which, and its
parts by label.
"""

from __future__ import annotations

from collections.abc import Sequence

from longfuse.abilities.text.tokens import Token


class Tree:
    """One match of a rule. Parts are found by their label (the rule's name unless given)."""

    __slots__ = ("args", "end", "parts", "rule", "start", "tag", "tokens")

    def __init__(
        self,
        rule: str,
        tokens: Sequence[Token],
        start: int,
        end: int,
        parts: Sequence[tuple[str, Tree]],
        tag: str = "",
        args: tuple[str, ...] = (),
    ) -> None:
        self.rule = rule
        self.tokens = tokens
        self.start = start
        self.end = end
        self.parts = parts
        self.tag = tag
        self.args = args

    def get(self, label: str) -> Tree | None:
        """The first part of that label, or None."""
        for name, part in self.parts:
            if name == label:
                return part
        return None

    def __getitem__(self, label: str) -> Tree:
        found = self.get(label)
        if found is None:
            raise KeyError(f"{self.rule} has no part {label}")
        return found

    def __contains__(self, label: str) -> bool:
        return self.get(label) is not None

    def all(self, label: str) -> list[Tree]:
        """All parts of that label, in order."""
        return [part for name, part in self.parts if name == label]

    def only(self) -> Tree:
        """The first part, whatever its label."""
        return self.parts[0][1]

    @property
    def words(self) -> str:
        """The matched words as the grammar compares them."""
        return " ".join(token.norm for token in self.tokens[self.start : self.end])

    @property
    def written(self) -> str:
        """The matched words as they were written."""
        return " ".join(token.text for token in self.tokens[self.start : self.end])

    def show(self, depth: int = 0) -> str:
        """The tree as indented lines, for designers who debug a grammar."""
        head = f"{'  ' * depth}{self.rule}{' {' + self.tag + '}' if self.tag else ''}: {self.words}"
        return "\n".join([head, *(part.show(depth + 1) for _, part in self.parts)])
