"""Whoever logs never waits for a reader: real pipes that are read late, badly, or not at all."""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator

import pytest

from longfuse.log.outlet import Outlet

pytestmark = pytest.mark.realtime

DEADLINE_S = 240.0
"""Real time that anything may take: one that hangs fails."""
LINE = "x" * 99


class Pipe:
    """A pipe of the system, and what it takes to fill it."""

    def __init__(self) -> None:
        self.read_end, self.write_end = os.pipe()
        self.filling = 0

    def fill(self) -> None:
        """Write until nothing more goes in: whoever writes then waits."""
        os.set_blocking(self.write_end, False)
        try:
            while True:
                self.filling += os.write(self.write_end, b"." * 100)
        except BlockingIOError:
            os.set_blocking(self.write_end, True)

    def lines(self, count: int) -> list[str]:
        """The next lines behind the filling."""
        read = b""
        while read.count(b"\n") < count:
            read += os.read(self.read_end, 65_536)
        return read[self.filling :].decode().splitlines()


@pytest.fixture
def pipe() -> Iterator[Pipe]:
    """A pipe that is gone afterwards: a thread that still writes to it ends, too."""
    one = Pipe()
    yield one
    os.close(one.read_end)
    os.close(one.write_end)


def outlet_to(pipe: Pipe, waiting_bytes_max: int = 1_000) -> Outlet:
    """An outlet that has room for ten lines and tells of those it left out in one of its own."""
    outlet = Outlet(
        pipe.write_end,
        lambda lines: say(outlet, f"{lines} left out"),
        waiting_bytes_max=waiting_bytes_max,
    )
    return outlet


def say(outlet: Outlet, text: str) -> None:
    outlet.write(f"{text}\n")
    outlet.flush()


def within_deadline(*steps: object) -> None:
    """Do it in a thread, and fail where it does not come back."""
    thread = threading.Thread(target=lambda: [step() for step in steps], daemon=True)
    thread.start()
    thread.join(DEADLINE_S)
    assert not thread.is_alive(), "it waits for the reader"


def test_lines_come_in_their_order(pipe: Pipe) -> None:
    """Closing waits until all of them are out."""
    outlet = outlet_to(pipe)
    for number in range(5):
        say(outlet, f"line {number}")
    outlet.close(DEADLINE_S)

    assert pipe.lines(5) == [f"line {number}" for number in range(5)]


def test_a_pipe_that_nobody_reads_holds_nobody_up(pipe: Pipe) -> None:
    """What finds no room is left out, and is told of once the reader is back."""
    pipe.fill()
    outlet = outlet_to(pipe)
    within_deadline(*([lambda: say(outlet, LINE)] * 500))

    assert pipe.lines(11) == [LINE] * 10 + ["490 left out"]
    say(outlet, "as usual")
    assert os.read(pipe.read_end, 100) == b"as usual\n"


def test_closing_does_not_wait_for_ever(pipe: Pipe) -> None:
    """What nobody has read by then stays unwritten."""
    pipe.fill()
    outlet = outlet_to(pipe)
    say(outlet, LINE)

    within_deadline(lambda: outlet.close(0.01))


def test_a_line_larger_than_the_room_for_all_is_written(pipe: Pipe) -> None:
    """A traceback is not lost for its length alone."""
    outlet = outlet_to(pipe, waiting_bytes_max=10)
    say(outlet, LINE)
    outlet.close(DEADLINE_S)

    assert pipe.lines(1) == [LINE]


def test_a_reader_that_has_gone_is_not_waited_for() -> None:
    """Logging goes on, into nothing."""
    read_end, write_end = os.pipe()
    os.close(read_end)
    outlet = Outlet(write_end, lambda _lines: None)
    try:
        for _ in range(100):
            say(outlet, LINE)
        within_deadline(outlet.close)
        assert outlet.write("more") == 4
    finally:
        os.close(write_end)


def test_a_descriptor_that_does_not_wait_loses_nothing(pipe: Pipe) -> None:
    """Another process may have set it so: the thread waits instead."""
    pipe.fill()
    os.set_blocking(pipe.write_end, False)
    outlet = outlet_to(pipe)
    say(outlet, LINE)

    assert pipe.lines(1) == [LINE]
