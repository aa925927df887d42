"""Cards: write, check, import and try them.

    longfuse cards new "Late Sting" --type spell --text "Deal 2 to a unit." --to mine.toml
    longfuse cards check mine.toml
    longfuse cards import list.json --to folder
    longfuse cards play --games 1000

`longfuse cards ACTION --help` tells what each takes. A file of cards is played with
`longfuse play --cards FILE`, and so it is by `demo` and `serve`.
"""

from __future__ import annotations

import argparse

from longfuse.cli import cards_check, cards_import, cards_new, cards_play

ACTIONS = {
    "check": cards_check,
    "new": cards_new,
    "import": cards_import,
    "play": cards_play,
}


def arguments(parser: argparse.ArgumentParser) -> None:
    """Declare what each action takes."""
    actions = parser.add_subparsers(dest="action", required=True, metavar="ACTION")
    for name, module in ACTIONS.items():
        summary = (module.__doc__ or "").partition("\n")[0]
        action = actions.add_parser(
            name,
            help=summary,
            description=module.__doc__,
            formatter_class=parser.formatter_class,
        )
        module.arguments(action)


def run(arguments: argparse.Namespace) -> int:
    """Do what is asked."""
    code: int = ACTIONS[arguments.action].run(arguments)
    return code
