"""Commands whose input or output is closed, or whose reader goes."""

from __future__ import annotations

import subprocess
import sys

import pytest


@pytest.mark.slow
@pytest.mark.parametrize(
    "command", ["demo --seed 1", "demo --serve", "catalogue", "play --seed 1 </dev/null"]
)
def test_a_reader_that_goes_is_no_failure(command: str) -> None:
    """As `| head` does: nothing more to say, and code 0."""
    piped = f"({sys.executable} -m longfuse {command}; echo code $? >&2) | head -n 1"
    ran = subprocess.run(["sh", "-c", piped], capture_output=True, text=True, check=True)

    assert ran.stderr.splitlines()[-1] == "code 0"
    assert "Traceback" not in ran.stderr


@pytest.mark.slow
@pytest.mark.parametrize(
    "command", ["play --seed 1 <&-", "catalogue --brief >&-", "rules --help 2>&-"]
)
def test_a_stream_that_is_closed_is_nothing(command: str) -> None:
    """As daemons are started: no input, or an output that nobody gets."""
    ran = subprocess.run(["sh", "-c", f"{sys.executable} -m longfuse {command}"], check=False)

    assert ran.returncode == 0
