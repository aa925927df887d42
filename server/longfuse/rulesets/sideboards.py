"""What rulesets say alike of sideboards: the cards that a deck brings to a match, counted.

Owns the sentences. Who may exchange what, and how many, is each ruleset's to say.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping


def differences(brought: Mapping[str, int], now: Mapping[str, int]) -> Iterator[str]:
    """Say of each card whose count is another than in what was brought to the match."""
    for name in dict.fromkeys([*now, *brought]):
        had, has = brought.get(name, 0), now.get(name, 0)
        if has != had:
            yield (
                f"{has or 'none'} of {name}, and {had or 'none'} in what was brought to the match"
                " (main deck and sideboard together)"
            )


def size(brought: Mapping[str, int], now: Mapping[str, int]) -> Iterator[str]:
    """Say it if a main deck has another size than the one that was brought."""
    had, has = sum(brought.values()), sum(now.values())
    if has != had:
        yield f"the main deck has {has} cards; between games it keeps its {had}"


def sized(cards: int) -> str:
    """A sideboard by its size, for people."""
    return f"a sideboard of {cards}"
