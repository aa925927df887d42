"""Tell why something happened in a saved game: the chain of causes, from the event back to the
decision that it began with, each step with the clause that decided it.

Events are numbered as the game's log has them; without --event all of them are listed.
"""

from __future__ import annotations

import argparse

from longfuse.cli import files
from longfuse.cli.output import CommandError, print_json, print_lines
from longfuse.journal.explain import Story, explain, lines
from longfuse.journal.format import JournalError
from longfuse.journal.replay import Difference


def arguments(parser: argparse.ArgumentParser) -> None:
    """Declare what it takes."""
    files.arguments(parser)
    parser.add_argument("--event", type=int, metavar="N", help="the number of the event")


def run(arguments: argparse.Namespace) -> int:
    """Replay with the whole log, and explain one event or list all."""
    journal = files.read_journal(arguments.file)
    try:
        story = Story(journal, any_version=arguments.any_version)
        if arguments.event is None:
            return _list(story, as_json=arguments.json)
        told = explain(story, arguments.event)
    except (Difference, JournalError) as error:
        raise CommandError(f"{arguments.file}: {error}", 1) from error
    if arguments.json:
        print_json(told)
    else:
        print_lines(lines(told))
    return 0


def _list(story: Story, *, as_json: bool) -> int:
    events = [
        {"event": number, "entry": story.entry(number), "told": story.told(number)}
        for number in sorted(story.events)
    ]
    if as_json:
        print_json({"events": events})
    else:
        print_lines(f"{one['event']:>6}  entry {one['entry']:>4}  {one['told']}" for one in events)
    return 0
