"""The sentences that the compiler is held to: understood, refused, and the shipped cards."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

from longfuse.abilities.ability import Ability
from longfuse.abilities.text.errors import TextError
from longfuse.rulesets.riftbound.cards import shipped
from longfuse.rulesets.riftbound.text import compile_text

HERE = Path(__file__).parent
Sentence = tuple[str, str]


def _read(name: str) -> list[Sentence]:
    found: list[Sentence] = []
    for line in (HERE / name).read_text("utf-8").splitlines():
        if line and not line.startswith("#"):
            kind, _, text = line.partition(" | ")
            found.append((kind, text.replace("\\n", "\n")))
    return found


UNDERSTOOD = _read("understood.txt")
REFUSED = _read("refused.txt")
SHIPPED = [(card.type, card.text) for card in shipped().values()]


@lru_cache(maxsize=20_000)
def meaning(kind: str, text: str) -> tuple[Ability, ...] | None:
    """What a text means; None if it is refused."""
    try:
        return tuple(one.meaning() for one in compile_text(text, kind).abilities)
    except TextError:
        return None


def means(text: str, kind: str = "spell") -> tuple[Ability, ...]:
    """What a text means; a refusal fails the test."""
    return tuple(one.meaning() for one in compile_text(text, kind).abilities)
