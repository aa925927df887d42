"""Randomness: every random value is drawn from a keyed hash by (purpose, seat, counter).

Owns how a value is drawn, never when. There is no stream that one player's choices could shift for
the other, and no library generator. The key comes from outside: a shuffle protocol, or a seed in
tests, demonstrations and load runs.

The recipe, for whoever wants to check a game: block(i) = BLAKE2b-256(key; domain, purpose, label,
counter, i), each field with a length before it. A number below n is the first 64-bit word, read big
end first through the blocks, that is below the largest multiple of n, modulo n. A shuffle is
Fisher-Yates from the last place down, each swap with a number drawn under the next counter.
"""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import blake2b
from typing import TypeVar

T = TypeVar("T")

_DOMAIN = b"longfuse random 1"
_WORD = 1 << 64


def key_of_seed(seed: int | str) -> bytes:
    """A key for games that need no fairness: tests, demonstrations, load."""
    return blake2b(str(seed).encode(), digest_size=32, person=b"longfuse seed").digest()


def below(key: bytes, limit: int, purpose: str, label: str, counter: int) -> int:
    """A number from 0 to limit - 1, the same for the same arguments, uniform over keys."""
    if not 0 < limit <= _WORD:
        raise ValueError(f"limit must be from 1 to 2**64, not {limit}")
    ceiling = _WORD - _WORD % limit
    index = 0
    while True:
        block = _block(key, purpose, label, counter, index)
        for start in range(0, 32, 8):
            word = int.from_bytes(block[start : start + 8], "big")
            if word < ceiling:
                return word % limit
        index += 1


def shuffled(
    key: bytes, items: Sequence[T], purpose: str, label: str, counter: int
) -> tuple[tuple[T, ...], int]:
    """The items in a random order, and the next free counter."""
    order = list(items)
    for last in range(len(order) - 1, 0, -1):
        other = below(key, last + 1, purpose, label, counter)
        counter += 1
        order[last], order[other] = order[other], order[last]
    return tuple(order), counter


def _block(key: bytes, purpose: str, label: str, counter: int, index: int) -> bytes:
    digest = blake2b(key=key, digest_size=32)
    fields = (_DOMAIN, purpose.encode(), label.encode(), _number(counter), _number(index))
    for field in fields:
        digest.update(len(field).to_bytes(4, "big"))
        digest.update(field)
    return digest.digest()


def _number(value: int) -> bytes:
    return value.to_bytes(8, "big")
