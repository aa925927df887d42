"""The command `longfuse`, ended with whoever started it: when its standard input ends.

Started as `python -m longfuse.load.tethered COMMAND …` by `processes`, for a server that must not
outlive its run, even where the run is killed. It is the command's own process, so that what the
system counts for it is the command's.
"""

from __future__ import annotations

import os
import runpy
import signal
import sys
import threading
import time

GRACE_S = 5.0
"""Between asking the process to end and killing it."""


def main() -> None:
    """Run the command, and watch the standard input beside it."""
    threading.Thread(target=_watch, name="tether", daemon=True).start()
    sys.argv[0] = "longfuse"
    runpy.run_module("longfuse", run_name="__main__")


def _watch() -> None:
    while os.read(0, 4_096):
        pass
    os.kill(os.getpid(), signal.SIGTERM)
    time.sleep(GRACE_S)
    os.kill(os.getpid(), signal.SIGKILL)


if __name__ == "__main__":
    main()
