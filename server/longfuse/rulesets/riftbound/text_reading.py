"""Reading card texts: a printed text to abilities, or a refusal.

Owns `compile_text`: cuts the text, parses each line with the grammar (`grammar/*.peg` and the
shared `common.peg`), builds abilities, holds them to the vocabulary.
"""

from __future__ import annotations

import difflib
from functools import lru_cache
from importlib import resources

import msgspec

from longfuse.abilities.ability import Ability
from longfuse.abilities.text.check import Words, problems
from longfuse.abilities.text.errors import Failure, TextError, Unclear
from longfuse.abilities.text.peg import Grammar, Run
from longfuse.abilities.text.tokens import Token, cut
from longfuse.abilities.text.tree import Tree
from longfuse.rulesets.riftbound import vocabulary
from longfuse.rulesets.riftbound.text_abilities import Abilities, remembering
from longfuse.rulesets.riftbound.text_shapes import tidy

COMPILER_VERSION = "3"
GRAMMARS = ("nouns", "events", "amounts", "effects", "statements", "abilities", "canonical")


class Compiled(msgspec.Struct, frozen=True):
    """The abilities of one text, in printed order."""

    abilities: tuple[Ability, ...] = ()


WORDS = Words(
    kinds=vocabulary.KINDS,
    states=vocabulary.STATES,
    stats=vocabulary.STATS,
    zones=vocabulary.ZONES,
    places=vocabulary.PLACES,
    marks=vocabulary.MARKS,
    happened=vocabulary.HAPPENED,
    proposed=vocabulary.PROPOSED,
    asked=vocabulary.ASKED,
    prohibited=vocabulary.PROHIBITED,
    permitted=vocabulary.PERMITTED,
    verbs=vocabulary.VERBS,
    state_words=vocabulary.STATE_WORDS,
    durations=vocabulary.DURATIONS,
    keywords=vocabulary.KEYWORDS,
)


@lru_cache(maxsize=1)
def grammar() -> Grammar:
    """The grammar, read once."""
    shared = resources.files("longfuse.abilities.text").joinpath("common.peg")
    here = resources.files("longfuse.rulesets.riftbound").joinpath("grammar")
    sources = [shared.read_text("utf-8")]
    sources += [here.joinpath(f"{name}.peg").read_text("utf-8") for name in GRAMMARS]
    return Grammar(*sources)


def compile_text(text: str, type: str, name: str = "") -> Compiled:
    """The abilities of a card's text; raises `TextError` with every line that is not understood."""
    lines = _joined(_parted(cut(text)))
    names = _own_names(name)
    builder = Abilities(type)
    spell = type == "spell"
    found: list[Ability] = []
    failures: list[Failure] = []
    for tokens in lines:
        try:
            found.extend(_line(builder, tokens, names, spell))
        except _Refused as refused:
            failures.append(msgspec.structs.replace(refused.failure, card=name))
    if failures:
        raise TextError(failures)
    if spell:
        found.extend(builder.spell())
    if builder.linked:
        found = remembering(found)
    if wrong := problems(found, WORDS):
        at = lines[0][0]
        raise TextError([Failure(name, at.line, at.column, at.text, tuple(wrong))])
    return Compiled(tuple(found))


class _Refused(Exception):
    def __init__(self, failure: Failure) -> None:
        self.failure = failure


def _line(
    builder: Abilities, tokens: list[Token], names: tuple[tuple[str, ...], ...], spell: bool
) -> list[Ability]:
    tree, run = grammar().parse("spell_line" if spell else "permanent_line", tokens, names)
    if tree is None:
        raise _Refused(_failure(run, tokens, names, spell))
    return _build(builder, tree, tokens, spell)


def _build(builder: Abilities, tree: Tree, tokens: list[Token], spell: bool) -> list[Ability]:
    try:
        return builder.spell_line(tree) if spell else builder.permanent_line(tree)
    except Unclear as unclear:
        at = tokens[min(unclear.at, len(tokens) - 1)]
        words = " ".join(token.text for token in tokens[unclear.at : unclear.at + 4]) or "the end"
        raise _Refused(Failure("", at.line, at.column, words, (unclear.expected,))) from unclear
    except (LookupError, ValueError, AssertionError) as unforeseen:
        at = tokens[0]
        words = " ".join(token.text for token in tokens[:4])
        failure = Failure("", at.line, at.column, words, ("a wording that the builders foresee",))
        raise _Refused(failure) from unforeseen


def _failure(
    run: Run, tokens: list[Token], names: tuple[tuple[str, ...], ...], spell: bool
) -> Failure:
    place = min(run.farthest, len(tokens) - 1)
    at = tokens[place]
    words = " ".join(token.text for token in tokens[run.farthest : run.farthest + 4])
    column = at.column if run.farthest < len(tokens) else at.column + len(at.text)
    expected = tuple(sorted(run.expected))[:12]
    nearest = _nearest(run, tokens, names, spell)
    return Failure("", at.line, column, words or "the end of the line", expected, nearest)


def _nearest(run: Run, tokens: list[Token], names: tuple[tuple[str, ...], ...], spell: bool) -> str:
    """The line with the word it stopped at replaced by, or following, one that was expected."""
    place = run.farthest
    stopped = tokens[place].norm if place < len(tokens) else ""
    likely = difflib.get_close_matches(stopped, sorted(run.expected), n=2, cutoff=0.5)
    tries = [(likely_word, 1) for likely_word in likely] + [(".", 0)]
    rule = "spell_line" if spell else "permanent_line"
    for word, drop in tries:
        piece = cut(word)[0] if cut(word) else []
        changed = [*tokens[:place], *piece, *tokens[place + drop :]]
        if grammar().parse(rule, changed, names)[0] is not None:
            return tidy(" ".join(token.text for token in changed))
    return ""


def _parted(lines: list[list[Token]]) -> list[list[Token]]:
    """Lines, each "Legion —" or "Deathknell:" behind a full stop in a line of its own."""
    found: list[list[Token]] = []
    for tokens in lines:
        start = 0
        for place in range(1, len(tokens)):
            if tokens[place - 1].norm == "." and _begins_wrapped(tokens[place : place + 3]):
                found.append(tokens[start:place])
                start = place
        found.append(tokens[start:])
    return found


def _begins_wrapped(tokens: list[Token]) -> bool:
    words = [token.norm for token in tokens]
    if words[:1] == ["["]:
        return words[1:] in (["legion", "]"], ["deathknell", "]"])
    return words[:1] in (["legion"], ["deathknell"]) and words[1:2] in ([":"], ["-"])


def _joined(lines: list[list[Token]]) -> list[list[Token]]:
    """Lines, the options of a "choose one —" joined to it, "it'd" in two words."""
    found: list[list[Token]] = []
    for line in lines:
        tokens = [word for token in line for word in _written_out(token)]
        if found and _asks_mode(found[-1]):
            found[-1] = found[-1] + tokens
        else:
            found.append(tokens)
    return found


def _written_out(token: Token) -> tuple[Token, ...]:
    """ "It'd" is "it would"."""
    if not token.norm.endswith("'d"):
        return (token,)
    short = msgspec.structs.replace(token, text=token.text[:-2], norm=token.norm[:-2])
    would = msgspec.structs.replace(token, text="would", norm="would")
    return (short, would)


def _asks_mode(tokens: list[Token]) -> bool:
    words = [token.norm for token in tokens]
    for at, word in enumerate(words):
        counted = word == "choose" and words[at + 1 : at + 2] in (["one"], ["two"])
        if counted and words[at + 2 : at + 3] in (["-"], [":"]):
            return True
    return False


def _own_names(name: str) -> tuple[tuple[str, ...], ...]:
    """The card's name as tokens, and its short form before a comma."""
    if not name:
        return ()
    found: list[tuple[str, ...]] = []
    for one in (name, name.split(",")[0]):
        tokens = cut(one)
        if tokens:
            words = tuple(token.text for token in tokens[0])
            if words not in found:
                found.append(words)
    return tuple(found)
