"""Running a grammar over the lines of a card, and saying where and why a line is refused.

Owns what any ruleset's reading shares: a line's tokens to a tree to whatever the builder makes of
it, the refusal with its place and the nearest wording that would do, a grammar's own words (to tell
in which language a text is), and tokens joined to a sentence again.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Callable, Sequence
from typing import TypeVar

from longfuse.abilities.text.errors import Failure, Unclear
from longfuse.abilities.text.peg import Grammar, Run
from longfuse.abilities.text.tokens import Token, cut
from longfuse.abilities.text.tree import Tree

T = TypeVar("T")

_QUOTED = re.compile(r'"([^"]*)"')
_COMMENT = re.compile(r"^\s*#.*$", re.MULTILINE)
_WORD = re.compile(r"[^\W\d_]+(?:-[^\W\d_]+)*")


class Refused(Exception):
    """A line that could not be read in full."""

    def __init__(self, failure: Failure) -> None:
        self.failure = failure
        super().__init__(failure.sentence())


def read_line(
    grammar: Grammar, rule: str, tokens: Sequence[Token], build: Callable[[Tree], T]
) -> T:
    """What the builder makes of one line; raises `Refused`."""
    tree, run = grammar.parse(rule, tokens)
    if tree is None:
        raise Refused(_failure(grammar, rule, run, tokens))
    try:
        return build(tree)
    except Unclear as unclear:
        raise Refused(_at(tokens, unclear.at, unclear.expected)) from unclear
    except (LookupError, ValueError) as unforeseen:
        wanted = "a wording that the builders foresee"
        raise Refused(_at(tokens, 0, wanted)) from unforeseen


def _at(tokens: Sequence[Token], place: int, expected: str) -> Failure:
    at = tokens[min(place, len(tokens) - 1)]
    words = " ".join(token.text for token in tokens[place : place + 4]) or "the end"
    return Failure("", at.line, at.column, words, (expected,))


def _failure(grammar: Grammar, rule: str, run: Run, tokens: Sequence[Token]) -> Failure:
    at = tokens[min(run.farthest, len(tokens) - 1)]
    words = " ".join(token.text for token in tokens[run.farthest : run.farthest + 4])
    column = at.column if run.farthest < len(tokens) else at.column + len(at.text)
    expected = tuple(sorted(run.expected))[:12]
    nearest = _nearest(grammar, rule, run, tokens)
    return Failure("", at.line, column, words or "the end of the line", expected, nearest)


def _nearest(grammar: Grammar, rule: str, run: Run, tokens: Sequence[Token]) -> str:
    """The line with the word it stopped at replaced by, or following, one that was expected."""
    place = run.farthest
    stopped = tokens[place].norm if place < len(tokens) else ""
    likely = difflib.get_close_matches(stopped, sorted(run.expected), n=2, cutoff=0.5)
    for word, drop in [*((one, 1) for one in likely), (".", 0)]:
        piece = cut(word)[0] if cut(word) else []
        changed = [*tokens[:place], *piece, *tokens[place + drop :]]
        if grammar.parse(rule, changed)[0] is not None:
            return joined(changed)
    return ""


def joined(tokens: Sequence[Token]) -> str:
    """Tokens as a sentence."""
    text = " ".join(token.text for token in tokens)
    text = re.sub(r" ([.,:;!”])", r"\1", text)
    return re.sub(r"([“„+]) ", r"\1", text)


def words_of(*sources: str) -> frozenset[str]:
    """The words that a grammar's sources have in quotation marks."""
    text = "\n".join(_COMMENT.sub("", source) for source in sources)
    found = (word for quoted in _QUOTED.findall(text) for word in _WORD.findall(quoted.lower()))
    return frozenset(found)
