"""Card text cut into tokens: words, numbers, signs and symbols, each with its line and column.

Owns what counts as a word, and that reminder text in parentheses does not count. A text is cut into
lines (abilities); `cut` returns the tokens of each line that has any.
"""

from __future__ import annotations

import re

import msgspec


class Token(msgspec.Struct, frozen=True):
    """One word, number, sign or symbol. `norm` is what the grammar compares."""

    text: str
    norm: str
    kind: str
    line: int
    column: int

    @property
    def capital(self) -> bool:
        """The word was written with a capital."""
        return self.text[:1].isupper()


_PIECES = re.compile(
    r"""
      (?P<symbol>:rb_[a-z]+(?:_[a-z0-9]+)?:)
    | (?P<number>\d+)
    | (?P<word>[^\W\d_][^\W\d_]*(?:['-][^\W\d_]+)*'?)
    | (?P<sign>[^\s\w])
    """,
    re.VERBOSE,
)
_SAME = {
    "\N{RIGHT SINGLE QUOTATION MARK}": "'",
    "\N{LEFT SINGLE QUOTATION MARK}": "'",
    "\N{MINUS SIGN}": "-",
    "\N{EN DASH}": "-",
    "\N{EM DASH}": "-",
}
_SYMBOLS = {"energy": "energy", "rune": "rune", "exhaust": "exhaust", "might": "might"}


def _plain(text: str) -> str:
    for old, new in _SAME.items():
        text = text.replace(old, new)
    return text


def _hide_reminders(text: str) -> str:
    """Replace text in parentheses by blanks, so that columns stay right."""
    depth = 0
    out: list[str] = []
    for letter in text:
        if letter == "(":
            depth += 1
        out.append(" " if depth and letter != "\n" else letter)
        if letter == ")" and depth:
            depth -= 1
    return text if depth else "".join(out)


def _token(match: re.Match[str], line: int) -> Token:
    kind = match.lastgroup or "sign"
    text = match.group()
    norm = text.lower()
    if kind == "symbol":
        head, _, tail = text.strip(":").removeprefix("rb_").partition("_")
        kind = _SYMBOLS.get(head, "sign")
        norm = tail if kind in ("energy", "rune") else f":{kind}:"
    return Token(text=text, norm=norm, kind=kind, line=line, column=match.start() + 1)


def cut(text: str) -> list[list[Token]]:
    """The tokens of every line that has some, reminder text left out."""
    lines: list[list[Token]] = []
    for number, line in enumerate(_hide_reminders(_plain(text)).split("\n"), start=1):
        found = [_token(match, number) for match in _PIECES.finditer(_straight_quotes(line))]
        if found:
            lines.append(found)
    return lines


def _straight_quotes(line: str) -> str:
    """Turn straight quotes into opening and closing ones by turns."""
    out: list[str] = []
    opened = False
    for letter in line:
        if letter == '"':
            letter = "”" if opened else "“"
            opened = not opened
        out.append(letter)
    return "".join(out)
