"""Whatever is put together from parts means the same in both languages and is said back."""

from __future__ import annotations

from hypothesis import given

from longfuse.rulesets.hkk.text import compile_text, say
from rulesets.hkk.text.corpus import Meaning
from rulesets.hkk.text.made import Pair, lines, sentences


def read(text: str, kind: str, language: str) -> Meaning:
    """What a text means in a language."""
    return tuple(one.meaning() for one in compile_text(text, kind, language=language).abilities)


def holds(kind: str, pair: Pair) -> None:
    """Both mean the same, and so does what is said of it in either language."""
    english, hungarian = pair
    meant = read(english, kind, "en")
    assert read(hungarian, kind, "hu") == meant
    for language in ("en", "hu"):
        said = "\n".join(say(one, language) for one in compile_text(english, kind).abilities)
        assert read(said, kind, language) == meant, said


@given(lines())
def test_lines_of_permanents(pair: Pair) -> None:
    """Gates, triggers, costs, conditions and statements in any combination."""
    holds("building", pair)


@given(sentences())
def test_spells(pair: Pair) -> None:
    """Instructions with any object."""
    holds("spell", pair)
