"""Words that have no place in some files, and names that no file may carry."""

from __future__ import annotations

import re

from tidy.imports import RULESETS
from tidy.sources import Source

# What is built below the rulesets serves any of them.
BELOW_RULESETS = (
    "protocol",
    *(
        f"server/longfuse/{layer}"
        for layer in ("actors", "timing", "abilities", "game", "journal", "host", "bots", "load")
    ),
)
NAMES_OF_RULESETS = re.compile("|".join(sorted(RULESETS)), re.IGNORECASE)

# Written in two halves, so that this file may be looked at too.
REGISTRY_HOSTS = tuple(
    f"{name}.{end}"
    for name, end in (
        ("pypi", "org"),
        ("pythonhosted", "org"),
        ("npmjs", "org"),
        ("npmjs", "com"),
        ("yarnpkg", "com"),
        ("debian", "org"),
        ("ubuntu", "com"),
        ("crates", "io"),
        ("rubygems", "org"),
        ("golang", "org"),
        ("docker", "io"),
        ("docker", "com"),
        ("ghcr", "io"),
        ("quay", "io"),
        ("anaconda", "org"),
    )
)
HOSTS = re.compile("|".join(re.escape(host) for host in REGISTRY_HOSTS), re.IGNORECASE)

LOCKED = re.compile(r"[a-z0-9-]+==[^\s/:]+( ; [^/:]+)? \\")
HASH = re.compile(r"    --hash=sha256:[0-9a-f]{64}( \\)?")


def named_rulesets(source: Source) -> list[str]:
    """Complain of a game's name in what must know no game."""
    if not any(source.path.is_relative_to(folder) for folder in BELOW_RULESETS):
        return []
    found = _lines_with(NAMES_OF_RULESETS, source, "names a ruleset")
    if NAMES_OF_RULESETS.search(str(source.path)):
        found.append(f"{source.path}: is named after a ruleset")
    return found


def registry_hosts(source: Source) -> list[str]:
    """Complain of the host name of a package registry: where packages come from is local."""
    return _lines_with(HOSTS, source, "names a registry's host")


def loose_locks(source: Source) -> list[str]:
    """Complain of a line of the lock that is neither an exact version nor a hash."""
    return [
        f"{source.path}:{number}: not a version or a hash: {line}"
        for number, line in enumerate(source.text.splitlines(), 1)
        if not (LOCKED.fullmatch(line) or HASH.fullmatch(line))
    ]


def _lines_with(pattern: re.Pattern[str], source: Source, complaint: str) -> list[str]:
    return [
        f"{source.path}:{number}: {complaint}: {line.strip()}"
        for number, line in enumerate(source.text.splitlines(), 1)
        if pattern.search(line)
    ]
