"""A small packrat parser: grammars from `.peg` text, run over tokens.

Owns the grammar notation and its running. The notation, one rule after the other:

    name <- first alternative {tag argument}
          / "words to match" part other:part        # label:part
    name "what people would call it" <- …          # used in refusals

Within an alternative: `"words"` (compared in small letters; `draw(s)` stands for draw or draws,
`a|an` for either), names of rules, CAPITALS for kinds of tokens, `( )`, `?`, `*`, `+`, `&` (must
follow), `!` (must not follow). Rules whose name begins with `_` hand their parts to the rule around
them. The first alternative that matches is taken; a rule is tried at most once at each token.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from longfuse.abilities.text.tokens import Token
from longfuse.abilities.text.tree import Tree

Parts = tuple[tuple[str, Tree], ...]
Result = tuple[int, Parts]
Match = Callable[["Run", int], Result | None]

_NONE: Parts = ()
_LEXER = re.compile(
    r"""\s*(?:(?P<skip>\#[^\n]*)|(?P<string>"[^"]*")|(?P<tag>\{[^}]*\})|(?P<arrow><-)"""
    r"""|(?P<label>[a-z_]\w*(?=:[A-Za-z_(]))|(?P<name>[A-Za-z_]\w*)|(?P<op>[:/()?*+&!]))"""
)


class GrammarError(Exception):
    """A `.peg` text that is not a grammar."""


class Run:
    """One parse of one line: tokens, memory, and how far reading got."""

    __slots__ = ("expected", "farthest", "memory", "names", "starts", "tokens")

    def __init__(self, tokens: Sequence[Token], names: Sequence[tuple[str, ...]] = ()) -> None:
        self.tokens = tokens
        self.names = names
        self.memory: dict[tuple[int, int], tuple[int, Tree | None, Parts] | None] = {}
        self.farthest = 0
        self.expected: set[str] = set()
        self.starts: list[int] = []

    def fail(self, at: int, wanted: str) -> None:
        """Note that `wanted` would have helped at this token."""
        if at < self.farthest or at in self.starts:
            return
        if at > self.farthest:
            self.farthest = at
            self.expected.clear()
        self.expected.add(wanted)


def _forms(word: str) -> tuple[str, ...]:
    forms: list[str] = []
    for one in word.split("|"):
        base, bracket, rest = one.partition("(")
        forms.append(base)
        if bracket:
            forms.append(base + rest.rstrip(")"))
    return tuple(forms)


_LITERAL = re.compile(r"[^\W\d_][^\W\d_]*(?:['-][^\W\d_]+)*'?(?:\([a-z]+\))?|\d+|[^\s\w]")


def _literal(text: str) -> Match:
    pieces: list[str] = []
    for chunk in text.lower().split():
        if "|" in chunk and len(chunk) > 1:
            pieces.append(chunk)
        else:
            pieces.extend(_LITERAL.findall(chunk))
    words = [_forms(piece) if len(piece) > 1 else (piece,) for piece in pieces]
    shown = " ".join(forms[0] for forms in words)
    size = len(words)

    if size == 1:
        only = frozenset(words[0])

        def one(run: Run, at: int) -> Result | None:
            if at < len(run.tokens) and run.tokens[at].norm in only:
                return at + 1, _NONE
            run.fail(at, shown)
            return None

        return one

    def many(run: Run, at: int) -> Result | None:
        tokens = run.tokens
        for offset, forms in enumerate(words):
            place = at + offset
            if place >= len(tokens) or tokens[place].norm not in forms:
                rest = " ".join(one[0] for one in words[offset:])
                run.fail(place, shown if offset == 0 else rest)
                return None
        return at + size, _NONE

    return many


def _mid_capital(run: Run, at: int) -> Result | None:
    """A word with a capital that does not begin a sentence: a name."""
    tokens = run.tokens
    begins = at == 0 or (at <= len(tokens) and tokens[at - 1].norm in _BEGINNINGS)
    if at < len(tokens) and not begins and _KINDS["CAPITAL"][1](tokens[at]):
        return at + 1, (("CAPITAL", Tree("CAPITAL", tokens, at, at + 1, ())),)
    run.fail(at, "a name")
    return None


_BEGINNINGS = {".", ":", "“", "-", "!", ";", "*", "•"}
_KINDS: dict[str, tuple[str, Callable[[Token], bool]]] = {
    "NUMBER": ("a number", lambda token: token.kind == "number"),
    "WORD": ("a word", lambda token: token.kind == "word"),
    "CAPITAL": (
        "a name",
        lambda token: token.kind == "word" and token.capital and "'" not in token.text,
    ),
    "NONTAG": ("non-", lambda token: token.norm.startswith("non-")),
    "ENERGY": ("Energy", lambda token: token.kind == "energy" and token.norm.isdigit()),
    "RUNE": ("Power", lambda token: token.kind == "rune"),
    "EXHAUST": ("an exhaust symbol", lambda token: token.kind == "exhaust"),
    "MIGHT": ("Might", lambda token: token.kind == "might"),
}


def _kind(name: str) -> Match:
    if name in _SPECIAL:
        return _SPECIAL[name]
    shown, holds = _KINDS[name]

    def match(run: Run, at: int) -> Result | None:
        if at < len(run.tokens) and holds(run.tokens[at]):
            leaf = Tree(name, run.tokens, at, at + 1, ())
            return at + 1, ((name, leaf),)
        run.fail(at, shown)
        return None

    return match


def _own_name(run: Run, at: int) -> Result | None:
    """The card's own name, as written."""
    for name in run.names:
        end = at + len(name)
        if tuple(token.text for token in run.tokens[at:end]) == name:
            return end, _NONE
    return None


_SPECIAL: dict[str, Match] = {"CARD": _own_name, "TAG": _mid_capital}


class Grammar:
    """Rules read from `.peg` texts; `parse` runs one of them over the tokens of a line."""

    def __init__(self, *sources: str) -> None:
        self._rules: dict[str, Match] = {}
        self._shown: dict[str, str] = {}
        self._numbers: dict[str, int] = {}
        wanted: set[str] = set()
        for source in sources:
            _Reader(source, self, wanted).read()
        missing = sorted(wanted - self._rules.keys())
        if missing:
            raise GrammarError(f"rules that are used and not defined: {', '.join(missing)}")

    @property
    def rules(self) -> tuple[str, ...]:
        """The names of all rules."""
        return tuple(self._rules)

    def parse(
        self, rule: str, tokens: Sequence[Token], names: Sequence[tuple[str, ...]] = ()
    ) -> tuple[Tree | None, Run]:
        """The tree of `rule` over all tokens, or None; the run tells how far reading got."""
        run = Run(tokens, names)
        result = self.call(rule)(run, 0)
        if result is not None and result[0] == len(tokens):
            return result[1][0][1], run
        if result is not None:
            run.fail(result[0], "the end of the line")
        return None, run

    def define(self, name: str, shown: str, match: Match) -> None:
        """Add a rule; a second one of that name is an error."""
        if name in self._rules:
            raise GrammarError(f"rule {name} is defined twice")
        self._rules[name] = match
        self._shown[name] = shown
        self._numbers[name] = len(self._numbers)

    def call(self, name: str) -> Match:
        """A match that runs the rule of that name, with memory."""

        def match(run: Run, at: int) -> Result | None:
            key = (self._numbers[name], at)
            if key in run.memory:
                kept = run.memory[key]
            else:
                kept = run.memory[key] = self._run(name, run, at)
            if kept is None:
                return None
            end, tree, parts = kept
            return (end, parts) if tree is None else (end, ((name, tree),))

        return match

    def _run(self, name: str, run: Run, at: int) -> tuple[int, Tree | None, Parts] | None:
        shown = self._shown[name]
        if shown:
            run.starts.append(at)
        result = self._rules[name](run, at)
        if shown:
            run.starts.pop()
        if result is None:
            if shown:
                run.fail(at, shown)
            return None
        end, parts = result
        if name.startswith("_"):
            return end, None, parts
        tag: str = ""
        args: tuple[str, ...] = ()
        for label, part in parts:
            if label == "{}":
                tag, args = part.tag, part.args
        if tag:
            parts = tuple(part for part in parts if part[0] != "{}")
        return end, Tree(name, run.tokens, at, end, parts, tag, args), _NONE


class _Reader:
    """Reads the notation of one source."""

    def __init__(self, source: str, grammar: Grammar, wanted: set[str]) -> None:
        self.grammar = grammar
        self.wanted = wanted
        self.items: list[tuple[str, str]] = []
        at = 0
        source = source.rstrip()
        while at < len(source):
            match = _LEXER.match(source, at)
            if match is None:
                line = source.count("\n", 0, at) + 1
                raise GrammarError(f"line {line}: not understood: {source[at : at + 30]!r}")
            kind = match.lastgroup or ""
            if kind != "skip":
                self.items.append((kind, match.group(kind)))
            at = match.end()
        self.at = 0

    def peek(self, ahead: int = 0) -> tuple[str, str]:
        place = self.at + ahead
        return self.items[place] if place < len(self.items) else ("", "")

    def take(self) -> tuple[str, str]:
        found = self.peek()
        self.at += 1
        return found

    def _at_rule(self) -> bool:
        ahead = 2 if self.peek(1)[0] == "string" else 1
        return self.peek()[0] == "name" and self.peek(ahead)[0] == "arrow"

    def read(self) -> None:
        while self.at < len(self.items):
            if not self._at_rule():
                raise GrammarError(f"a rule should begin at {self.peek()[1]!r}")
            name = self.take()[1]
            shown = self.take()[1].strip('"') if self.peek()[0] == "string" else ""
            self.take()
            self.grammar.define(name, shown, self.choice())

    def choice(self) -> Match:
        options = [self.sequence()]
        while self.peek() == ("op", "/"):
            self.take()
            options.append(self.sequence())
        return options[0] if len(options) == 1 else _choice(tuple(options))

    def sequence(self) -> Match:
        items: list[Match] = []
        while True:
            kind, text = self.peek()
            if kind == "" or self._at_rule() or (kind == "op" and text in "/)"):
                break
            if kind == "tag":
                self.take()
                items.append(_tag(text))
                continue
            items.append(self.item())
        return items[0] if len(items) == 1 else _sequence(tuple(items))

    def item(self) -> Match:
        kind, text = self.peek()
        if kind == "op" and text in "&!":
            self.take()
            return _look(self.item(), text == "&")
        if kind == "label":
            self.take()
            self.take()
            return _labelled(text, self.suffixed())
        return self.suffixed()

    def suffixed(self) -> Match:
        match = self.atom()
        while self.peek()[0] == "op" and self.peek()[1] in "?*+":
            sign = self.take()[1]
            match = _repeat(match, sign)
        return match

    def atom(self) -> Match:
        kind, text = self.take()
        if kind == "string":
            return _literal(text.strip('"'))
        if kind == "op" and text == "(":
            inner = self.choice()
            if self.take() != ("op", ")"):
                raise GrammarError("a bracket is not closed")
            return inner
        if kind == "name":
            if text in _KINDS or text in _SPECIAL:
                return _kind(text)
            self.wanted.add(text)
            return self.grammar.call(text)
        near = " ".join(piece for _, piece in self.items[max(0, self.at - 8) : self.at])
        raise GrammarError(f"not expected in an alternative: {text!r} after {near}")


def _tag(text: str) -> Match:
    head, *args = text.strip("{}").split(",")
    mark = Tree("{}", (), 0, 0, (), head.strip(), tuple(arg.strip() for arg in args))
    parts: Parts = (("{}", mark),)
    return lambda run, at: (at, parts)


def _choice(options: tuple[Match, ...]) -> Match:
    def match(run: Run, at: int) -> Result | None:
        for option in options:
            result = option(run, at)
            if result is not None:
                return result
        return None

    return match


def _sequence(items: tuple[Match, ...]) -> Match:
    def match(run: Run, at: int) -> Result | None:
        parts: list[tuple[str, Tree]] = []
        for item in items:
            result = item(run, at)
            if result is None:
                return None
            at = result[0]
            parts.extend(result[1])
        return at, tuple(parts)

    return match


def _repeat(item: Match, sign: str) -> Match:
    def match(run: Run, at: int) -> Result | None:
        parts: list[tuple[str, Tree]] = []
        count = 0
        while True:
            result = item(run, at)
            if result is None or (result[0] == at and count):
                break
            at = result[0]
            parts.extend(result[1])
            count += 1
            if sign == "?":
                break
        return None if sign == "+" and not count else (at, tuple(parts))

    return match


def _look(item: Match, wanted: bool) -> Match:
    def match(run: Run, at: int) -> Result | None:
        farthest, expected = run.farthest, set(run.expected)
        found = item(run, at) is not None
        run.farthest, run.expected = farthest, expected
        return (at, _NONE) if found == wanted else None

    return match


def _labelled(label: str, item: Match) -> Match:
    def match(run: Run, at: int) -> Result | None:
        result = item(run, at)
        if result is None:
            return None
        return result[0], tuple((name if name == "{}" else label, part) for name, part in result[1])

    return match
