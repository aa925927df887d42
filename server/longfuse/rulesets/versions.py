"""Rules versions: the digest of all that decides a game of a ruleset.

Owns which files count: the kernel's, and those of the ruleset's own folder but for what only
advises bots or draws a game. Another version may not continue a game.
"""

from __future__ import annotations

from functools import lru_cache
from hashlib import blake2b
from pathlib import Path

KERNEL = ("timing", "abilities", "game")
DECIDES_NOTHING = ("advice", "rendering")
"""How a bot is advised, and how a game is drawn."""


@lru_cache(maxsize=8)
def version_of(ruleset: str) -> str:
    """The digest of kernel, ruleset and card sets."""
    root = Path(__file__).parents[1]
    digest = blake2b(digest_size=16)
    for folder in (*KERNEL, f"rulesets/{ruleset}"):
        for path in sorted((root / folder).rglob("*")):
            if path.name.startswith(DECIDES_NOTHING) or path.suffix not in (".py", ".peg", ".toml"):
                continue
            digest.update(str(path.relative_to(root)).encode())
            digest.update(path.read_bytes())
    return digest.hexdigest()
