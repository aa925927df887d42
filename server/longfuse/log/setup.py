"""How the server tells its operator what happens: one line per lifecycle change, facts as keys.

Owns the set-up of structlog and of the standard library's logging, which the websocket library
uses. Called once, by the command that runs a server. Nothing here is imported by the rules.
"""

import atexit
import logging
import sys
from typing import Literal, TextIO, cast

import structlog

from longfuse.log.outlet import Outlet


class _KeepaliveQuiet(logging.Filter):
    """Drops the library's traceback about a peer that stopped answering: that is everyday life."""

    def filter(self, record: logging.LogRecord) -> bool:
        return "keepalive ping failed" not in record.getMessage()


_TRACEBACK = structlog.tracebacks.ExceptionDictTransformer(show_locals=False)
"""No values of variables: they hold what only some players may know, and the seeds of games."""


def websocket_logger() -> logging.Logger:
    """Return the logger for the websocket library: warnings and worse, keepalive left out."""
    logger = logging.getLogger("longfuse.websockets")
    logger.setLevel(logging.WARNING)
    if not any(isinstance(known, _KeepaliveQuiet) for known in logger.filters):
        logger.addFilter(_KeepaliveQuiet())
    return logger


def configure(form: Literal["console", "json"] = "console", level: str = "info") -> None:
    """Send our log, and the libraries', to standard error in one form.

    Nobody who logs waits for whoever reads it. At the end of the program what waits still is
    written, if it can be in `CLOSE_S` of `outlet`.
    """
    file = _open_file()
    chain: list[structlog.typing.Processor] = [
        structlog.contextvars.merge_contextvars,
        structlog.stdlib.add_log_level,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
    ]
    number = logging.getLevelNamesMapping()[level.upper()]
    last: list[structlog.typing.Processor] = (
        [structlog.processors.ExceptionRenderer(_TRACEBACK), structlog.processors.JSONRenderer()]
        if form == "json"
        else [
            structlog.dev.ConsoleRenderer(
                colors=sys.stderr.isatty(), exception_formatter=structlog.dev.plain_traceback
            )
        ]
    )
    structlog.configure(
        processors=[*chain, *last],
        wrapper_class=structlog.make_filtering_bound_logger(number),
        logger_factory=structlog.WriteLoggerFactory(file),
        cache_logger_on_first_use=False,
    )
    handler = logging.StreamHandler(file)
    handler.setFormatter(
        structlog.stdlib.ProcessorFormatter(
            foreign_pre_chain=chain,
            processors=[structlog.stdlib.ProcessorFormatter.remove_processors_meta, *last],
        )
    )
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(logging.WARNING)


def _open_file() -> TextIO:
    """Where lines go: an outlet to standard error, or what stands for it and has no descriptor."""
    try:
        descriptor = sys.stderr.fileno()
    except OSError:
        return sys.stderr
    outlet = Outlet(descriptor, _tell_dropped)
    atexit.register(outlet.close)
    return cast("TextIO", outlet)


def _tell_dropped(lines: int) -> None:
    structlog.get_logger().error("log_lines_dropped", lines=lines)
