"""Reading card texts in Hungarian or English: a printed text to abilities, or a refusal.

Owns `compile_text`: finds the language, parses each line with its grammar, builds abilities, holds
them to the vocabulary and to what one card may have (D6).
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from importlib import resources
from typing import Literal

import msgspec

from longfuse.abilities.ability import Ability
from longfuse.abilities.text.check import Words, problems
from longfuse.abilities.text.errors import Failure, TextError
from longfuse.abilities.text.peg import Grammar
from longfuse.abilities.text.reader import Refused, read_line, words_of
from longfuse.abilities.text.tokens import Token, cut
from longfuse.rulesets.hkk import vocabulary
from longfuse.rulesets.hkk.text_abilities import Abilities
from longfuse.rulesets.hkk.text_names import english

COMPILER_VERSION = "1"
Language = Literal["en", "hu"]
LANGUAGES: tuple[Language, ...] = ("en", "hu")
SOURCES = {"en": ("common", "english"), "hu": ("common_hu", "hungarian")}
RULES = {"spell": "spell_line", "instant": "spell_line", "enchantment": "enchantment_line"}

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
    permitted=(),
    verbs=vocabulary.VERBS,
    state_words=vocabulary.STATE_WORDS,
    durations=vocabulary.DURATIONS,
    keywords=vocabulary.KEYWORDS,
)


class Compiled(msgspec.Struct, frozen=True):
    """The abilities of one text, in printed order, and the language it is written in."""

    abilities: tuple[Ability, ...] = ()
    language: str = "en"


def _sources(language: str) -> tuple[str, str]:
    shared, own = SOURCES[language]
    common = resources.files("longfuse.abilities.text").joinpath(f"{shared}.peg")
    here = resources.files("longfuse.rulesets.hkk").joinpath("grammar", f"{own}.peg")
    return common.read_text("utf-8"), here.read_text("utf-8")


@lru_cache(maxsize=2)
def grammar(language: str) -> Grammar:
    """The grammar of a language, read once."""
    return Grammar(*_sources(language))


@lru_cache(maxsize=2)
def _vocabulary(language: str) -> frozenset[str]:
    return words_of(_sources(language)[1])


def language_of(text: str) -> Language:
    """The language of a text, by its words; a text that does not tell is English."""
    words = [token.norm for line in cut(text) for token in line if token.kind == "word"]
    known = {one: sum(word in _vocabulary(one) for word in words) for one in LANGUAGES}
    return "hu" if known["hu"] > known["en"] else "en"


def compile_text(
    text: str,
    type: str,
    name: str = "",
    language: str | None = None,
    names: Mapping[str, str] | None = None,
) -> Compiled:
    """The abilities of a card's text; raises `TextError` with every line that is not understood.

    language: "en" or "hu"; without it the words tell. names: of the cards that a text may speak of,
    by their Hungarian names; without it those of the shipped cards.
    """
    spoken = language or language_of(text)
    if spoken not in LANGUAGES:
        raise TextError([Failure(name, 1, 1, spoken, ("a text in English or in Hungarian",))])
    rule = RULES.get(type, "permanent_line")
    builder = Abilities(type, english() if names is None else names)
    found: list[Ability] = []
    failures: list[Failure] = []
    for tokens in cut(text):
        try:
            made = read_line(grammar(spoken), rule, tokens, builder.line)
            _fits(found, made, tokens, rule)
        except Refused as refused:
            failures.append(msgspec.structs.replace(refused.failure, card=name))
        else:
            found.extend(made)
    if failures:
        raise TextError(failures)
    if rule == "spell_line":
        found = _one_spell(found)
    if wrong := problems(found, WORDS):
        raise TextError([Failure(name, 1, 1, " ".join(text.split()[:4]), tuple(wrong))])
    return Compiled(tuple(found), spoken)


def _fits(before: list[Ability], made: list[Ability], tokens: list[Token], rule: str) -> None:
    """What one card may have: each kind of counter for one ability only (D6); an enchantment says
    first what it is put on.
    """
    kinds = {one.gate.counter for one in before if one.gate is not None}
    wanted = ""
    if any(one.gate is not None and one.gate.counter in kinds for one in made):
        wanted = "no second ability with counters of that kind on one card"
    if rule == "enchantment_line" and (made[0].kind == "spell") == bool(before):
        wanted = "what it is put on, first and once"
    if wanted:
        words = " ".join(token.text for token in tokens[:4])
        raise Refused(Failure("", tokens[0].line, tokens[0].column, words, (wanted,)))


def _one_spell(found: list[Ability]) -> list[Ability]:
    """A spell's lines are one program; with more than one line its names must not meet."""
    if len(found) <= 1:
        return found
    programs = [one.program for one in found]
    if sum(bool(one.choices) for one in programs) > 1:
        raise TextError([Failure("", 2, 1, "the second line", ("all choices in one line",))])
    choices = tuple(choice for one in programs for choice in one.choices)
    body = tuple(effect for one in programs for effect in one.body)
    program = msgspec.structs.replace(programs[0], choices=choices, body=body)
    return [msgspec.structs.replace(found[0], program=program)]
