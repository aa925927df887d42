"""What commands about one ruleset have in common: the option that names it.

Owns how `--ruleset` is declared. What an unknown name leads to is each command's.
"""

from __future__ import annotations

import argparse

from longfuse.rulesets.catalogue import names


def argument(
    parser: argparse.ArgumentParser, what: str, *, has_default: bool = False, more: str = ""
) -> None:
    """Declare it. what: that it names; more: to be told behind the rulesets that there are.

    has_default: the first ruleset is meant where none is named; else None is given.
    """
    listed = ", ".join(names())
    default = names()[0] if has_default else None
    parser.add_argument("--ruleset", metavar="R", default=default, help=f"{what}: {listed}{more}")
