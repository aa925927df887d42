"""The command line: where the parts are put together. One module a command, `main` over them."""

from longfuse.cli.commands import main

__all__ = ["main"]
