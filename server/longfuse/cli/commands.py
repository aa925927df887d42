"""The command `longfuse`: finds the command that is asked for, runs it, turns errors into codes.

Owns the list of commands and what their exit codes mean. Only the module of the command that runs
is imported, so that a small command starts quickly.
"""

from __future__ import annotations

import argparse
import importlib
import os
import sys
import textwrap
from collections.abc import Sequence
from importlib.metadata import version
from typing import NamedTuple, Protocol, cast

from longfuse.cli.output import CommandError, plain

COMMANDS = {
    "serve": "run a server",
    "play": "play at this terminal, against a bot or on a server",
    "tables": "list the tables of a server, and what can be played there",
    "watch": "watch a table of a server, told in sentences",
    "demo": "let bots play, told in sentences or counted",
    "replay": "describe a saved game at one of its entries",
    "verify": "check that a saved game is whole and comes out the same",
    "shuffles": "list a server's shuffles, with how each ended",
    "explain": "tell why something happened in a saved game",
    "cards": "write, check and import cards, and play them all",
    "catalogue": "list rulesets, sets, cards and decks",
    "deck": "check decks and show those that ship",
    "position": "run position files",
    "token": "make keys and signed tokens, to try them out",
    "rules": "list the clauses of a rule book with the tests that cover them",
    "protocol": "print the schema and the tables of the wire",
    "bench": "measure the kernel's speed and size",
    "load": "play on a server with many clients, check what they see, and measure it",
}
"""Each command, with what it does; its module in this package has the same name."""

CODES = """exit codes:
  0    done; all is well
  1    done, and something is not as it should be: a difference, a refusal, a failure
  2    not done: wrong arguments, a file that cannot be read, a server that is not there
  130  interrupted"""


class Command(Protocol):
    """What the module of a command offers; its docstring is its help."""

    __doc__: str

    def arguments(self, parser: argparse.ArgumentParser) -> None:
        """Declare what it takes."""

    def run(self, arguments: argparse.Namespace) -> int:
        """Do it, and return the exit code."""


class Help(argparse.RawDescriptionHelpFormatter):
    """Paragraphs as wide as the terminal; what is indented stays as it is."""

    def _fill_text(self, text: str, width: int, indent: str) -> str:
        paragraphs = text.strip().split("\n\n")
        return "\n\n".join(
            paragraph if "\n " in f"\n{paragraph}" else textwrap.fill(paragraph, width)
            for paragraph in paragraphs
        )


class Call(NamedTuple):
    """A command with what was given to it."""

    command: Command
    arguments: argparse.Namespace


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command; return its exit code."""
    _open_streams()
    call = _parse(list(sys.argv[1:] if argv is None else argv))
    try:
        code = call.command.run(call.arguments)
        sys.stdout.flush()
    except CommandError as error:
        print(plain(f"longfuse: {error}"), file=sys.stderr)
        return error.code
    except KeyboardInterrupt:
        return 130
    except BrokenPipeError:
        # Whoever read our output has gone (`| head`): nothing more to say, nor to flush.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except OSError as error:
        print(plain(f"longfuse: {error}"), file=sys.stderr)
        return 2
    except UnicodeEncodeError as error:
        print(f"longfuse: this is no text: {error.object!a}", file=sys.stderr)
        return 2
    return code


def _open_streams() -> None:
    """Open what whoever started this has closed, to nothing: else the first socket or file that is
    opened would be read as input, or written to as output."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, mode))  # noqa: SIM115  as long as the process


def _parse(argv: list[str]) -> Call:
    top = argparse.ArgumentParser(
        prog="longfuse",
        description="A card-game server whose heart is delayed abilities.",
        epilog="\n".join(
            (
                "commands:",
                *(f"  {name:<10}{told}" for name, told in COMMANDS.items()),
                "",
                "`longfuse COMMAND --help` tells what a command takes.",
                "",
                CODES,
            )
        ),
        formatter_class=Help,
    )
    top.add_argument("--version", action="version", version=f"longfuse {version('longfuse')}")
    top.add_argument("command", choices=COMMANDS, metavar="COMMAND", help="what to do")
    if not argv:
        top.print_help(sys.stderr)
        raise SystemExit(2)
    name: str = top.parse_args(argv[:1]).command
    command = cast("Command", importlib.import_module(f"longfuse.cli.{name}"))
    parser = argparse.ArgumentParser(
        prog=f"longfuse {name}",
        description=command.__doc__,
        epilog=CODES,
        formatter_class=Help,
    )
    command.arguments(parser)
    return Call(command, parser.parse_args(argv[1:]))
