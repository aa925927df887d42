"""Abilities in words, as a card designer would write them.

Owns `say` and `say_waiting`. `say` tries the plain ways (`text_say_abilities`) and keeps the first
that reads back as the same ability; what has none is told in the formal words (`text_formal`),
which always do. `manner` tells which it was.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import Literal

from longfuse.abilities.ability import Ability, Create, Program
from longfuse.abilities.text.errors import TextError
from longfuse.rulesets.riftbound import text_formal, text_formal_words
from longfuse.rulesets.riftbound.text_reading import compile_text
from longfuse.rulesets.riftbound.text_say_abilities import voices
from longfuse.rulesets.riftbound.text_say_nouns import Unsaid

Manner = Literal["plain", "mixed", "formal"]
TYPES = ("unit", "gear", "battlefield", "legend")


def say(ability: Ability, card_type: str = "") -> str:
    """The ability as a card says it; reading that again gives the same ability."""
    return _said(ability, card_type)[0]


def manner(ability: Ability, card_type: str = "") -> Manner:
    """Whether `say` finds plain English, needs a formal word in it, or is formal throughout."""
    return _said(ability, card_type)[1]


@lru_cache(maxsize=4096)
def _said(ability: Ability, card_type: str) -> tuple[str, Manner]:
    mixed = ""
    for type in _types(ability, card_type):
        for voice in voices(card_type, {}):
            try:
                said = voice.ability(ability)
            except Unsaid:
                continue
            if not reads_as(said, ability, type):
                continue
            if voice.is_plain:
                return said, "plain"
            mixed = mixed or said
    if mixed:
        return mixed, "mixed"
    return text_formal.say(ability), "formal"


def _types(ability: Ability, card_type: str) -> Iterable[str]:
    if card_type:
        return (card_type,)
    return ("spell",) if ability.kind == "spell" else TYPES


def reads_as(words: str, ability: Ability, card_type: str) -> bool:
    """Whether these words, on a card of that type, mean that ability and nothing else."""
    try:
        found = compile_text(words, card_type).abilities
    except TextError:
        return False
    return [one.meaning() for one in found] == [ability.meaning()]


def say_waiting(ability: Ability, names: Mapping[str, str]) -> str:
    """A delayed ability that waits, where some of its names are known cards or players."""
    return _waiting(ability, tuple(sorted(names.items())))


@lru_cache(maxsize=4096)
def _waiting(ability: Ability, names: tuple[tuple[str, str], ...]) -> str:
    known = dict(names)
    for voice in voices("", known):
        voice.waits = True
        try:
            return voice.waiting(ability)
        except Unsaid:
            continue
    made = text_formal.say(Ability(kind="spell", program=Program(body=(Create(ability),))))
    for name, said in known.items():
        if name != "this":
            made = made.replace(text_formal_words.named(name), said)
    return made
