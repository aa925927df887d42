"""Write a card into a set file and say what was understood of it.

The text is in English, as cards are written; --text may be given several times, once for each line.
Which types and numbers a card has depends on the ruleset: what it does not know is refused.
It is compiled at once: what was understood is printed in canonical words. If it is not understood,
a mark stands under the word where the compiler stopped, with the nearest wording that would be, and
nothing is written.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from longfuse.cli import ruleset_option
from longfuse.cli.cards_showing import report
from longfuse.cli.files import unreadable
from longfuse.cli.output import CommandError, print_json, print_line
from longfuse.rulesets.catalogue import UnknownRuleset, load_writing, names


def arguments(parser: argparse.ArgumentParser) -> None:
    """Declare what it takes."""
    parser.add_argument("name", help="of the card")
    parser.add_argument("--type", required=True, metavar="T", help="what it is")
    parser.add_argument("--energy", type=int, default=0, metavar="N", help="its Energy cost (0)")
    parser.add_argument(
        "--power", nargs="+", default=[], metavar="DOMAIN", help="a domain for each Power symbol"
    )
    parser.add_argument("--domains", nargs="+", default=[], metavar="DOMAIN", help="its domains")
    parser.add_argument("--might", type=int, metavar="N", help="of a unit, or what a gear gives")
    parser.add_argument("--tags", nargs="+", default=[], metavar="TAG", help="its tags")
    parser.add_argument(
        "--supertypes", nargs="+", default=[], metavar="WORD", help="champion, signature"
    )
    for number in ("cost", "damage", "life"):
        parser.add_argument(f"--{number}", type=int, metavar="N", help=f"its {number} (hkk)")
    parser.add_argument("--text", action="append", default=[], metavar="T", help="a line of text")
    parser.add_argument(
        "--text-hu", action="append", default=[], metavar="T", help="a line in Hungarian (hkk)"
    )
    parser.add_argument("--name-hu", default="", metavar="NAME", help="in Hungarian (hkk)")
    parser.add_argument("--to", type=Path, metavar="FILE", help="the set file; without it, printed")
    ruleset_option.argument(parser, "whose card it is", has_default=True)
    parser.add_argument("--json", action="store_true", help="print one JSON object")


def run(arguments: argparse.Namespace) -> int:
    """Compile it; write it if it is understood."""
    try:
        writing = load_writing(arguments.ruleset)
    except UnknownRuleset as error:
        raise CommandError(str(error)) from error
    fields = _fields(arguments)
    said = writing.said(fields)
    if said.is_understood and arguments.to is not None:
        try:
            writing.add(fields, arguments.to)
        except writing.SetError as error:
            raise CommandError(str(error), 1) from error
        except OSError as error:
            raise unreadable(arguments.to, error) from error
    if arguments.json:
        print_json({"written": said.is_understood and arguments.to is not None, "card": said})
    else:
        _print(arguments, said, writing.as_toml(fields))
    return 0 if said.is_played else 1


def _fields(given: argparse.Namespace) -> dict[str, Any]:
    """What was given; what was not is left to the ruleset."""
    domains = given.domains or list(dict.fromkeys(given.power))
    fields: dict[str, Any] = {"name": given.name, "type": given.type, "domains": domains}
    lines = {"text": given.text, "text_hu": given.text_hu}
    fields |= {key: "\n".join(text).replace("\\n", "\n") for key, text in lines.items()}
    for key in ("name_hu", "energy", "power", "tags", "supertypes", "cost", "damage", "life"):
        fields[key] = getattr(given, key)
    found = {key: value for key, value in fields.items() if value}
    return found if given.might is None else {**found, "might": given.might}


def _print(given: argparse.Namespace, said: Any, toml: str) -> None:
    for line in report(said):
        print_line(line)
    if not said.is_understood:
        print_line("nothing was written")
    elif given.to is None:
        print_line(f"\n{toml}".removesuffix("\n"))
    else:
        print_line(f"written to {given.to}")
        if said.is_played:
            ruleset = "" if given.ruleset == names()[0] else f" --ruleset {given.ruleset}"
            print_line(f"play it: longfuse play{ruleset} --cards {given.to}")
