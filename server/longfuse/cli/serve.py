"""Run a server: tables that websocket clients open, join and watch.

Settings come from --config, a TOML file; what is given here goes before it. SIGTERM or Ctrl-C ends
it gracefully: nobody new is let in, everybody is told; a second one ends it at once.

With --data, every game is kept in that folder as one file, which `verify`, `replay` and `explain`
read; an entry is on the disk before anybody is told of it. The secrets of shuffles lie there too,
where `shuffles` counts them. A folder is one server's: a second one does not start on it.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import structlog

from longfuse import log
from longfuse.cli import own_cards, process, running
from longfuse.cli.output import CommandError
from longfuse.config import Config


def arguments(parser: argparse.ArgumentParser) -> None:
    """Declare what it takes."""
    parser.add_argument("--host", help="the address to listen at (127.0.0.1)")
    parser.add_argument("--port", type=int, help="the port (8787); 0 takes a free one")
    parser.add_argument(
        "--data",
        metavar="DIR",
        help="keep games in this folder; without it, the last ones are kept while it runs",
    )
    own_cards.arguments(parser)
    parser.add_argument("--config", type=Path, metavar="FILE", help="settings, in TOML")


def run(arguments: argparse.Namespace) -> int:
    """Serve until told to end."""
    config = running.settings(
        arguments.config,
        host=arguments.host,
        port=arguments.port,
        data=arguments.data,
        cards=[str(path) for path in arguments.cards] or None,
    )
    log.configure(config.log_format, config.log_level)
    try:
        running.run(_serve, config)
    except CommandError:
        raise
    except Exception:  # noqa: BLE001  logged: a traceback might wait for a reader for ever
        structlog.get_logger().exception("server_failed")
        return 1
    return 0


async def _serve(config: Config) -> None:
    async with running.open_server(config):
        process.set_up()  # all that stays is loaded; leaving waits for the end
