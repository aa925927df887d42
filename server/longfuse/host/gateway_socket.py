"""One websocket, with synchronous ends: the gateway's subclass of the library's connection.

The gateway makes one per client. A message in is one synchronous call, and a step's messages out
are one write. A peer that reads slowly, or not at all, waits in its own outbox and is cut off when
that is full or nothing leaves it in time; nobody waits for it.

It leans on undocumented parts of the library: `send_lock`, `protocol.writes`, and the methods that
it overrides. The gateway's tests hold them, and the version is pinned for the same reason.
"""

import contextlib
import os
from collections.abc import Callable
from typing import Any, Protocol

import trio
from websockets.frames import DATA_OPCODES, Frame, Opcode
from websockets.protocol import Event, State
from websockets.trio.server import ServerConnection

from longfuse.config import Config
from longfuse.host.addresses import Visit
from longfuse.host.rates import Rate
from longfuse_protocol.errors import CloseCode

EARLY_FRAMES_MAX = 64
LATE_FRAMES_MAX = 10_000
"""Frames that a peer may still have had under way when it was told goodbye."""
FRAGMENTS_MAX = 256


class Receiver(Protocol):
    """Whatever a websocket's messages go to."""

    def received(self, data: bytes) -> None:
        """Take one whole message."""


class GameSocket(ServerConnection):
    """A websocket with synchronous ends: `put`, `flush` and `close` out, a receiver in.

    The handler runs it, and it ends with the peer, with `close`, or when it is cut. The library's
    `recv` and `send` are not used with it: messages never reach the library's queue.
    """

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        self.visit = Visit()
        self._receiver: Receiver | None = None
        self._text = False
        self._write_s = 5.0
        self._outbox_bytes_max = 65_536
        self._outbox_bytes = 0
        self._is_behind = False
        """Whether something waits that was put in an earlier step."""
        self._early: list[Frame] = []
        self._fragments: list[bytes] = []
        self._late = 0
        self._controls: Rate | None = None
        self._reader: trio.lowlevel.Task | None = None
        self._is_read = False
        """Whether nothing more can come."""
        self._wake = trio.Event()
        self._goodbye: tuple[int, str] | None = None
        self._cut = trio.CancelScope()
        super().__init__(*args, **kwargs)  # starts the reader, so it comes last

    # In

    def attach(self, receiver: Receiver, *, text: bool, config: Config) -> None:
        """Send messages to the receiver from now on, those first that came before it."""
        self._receiver = receiver
        self._text = text
        self._write_s = config.write_s
        self._outbox_bytes_max = config.outbox_bytes_max
        self._controls = Rate(config.messages_per_s, config.messages_burst)
        early, self._early = self._early, []
        for frame in early:
            self._take(frame)

    def belongs_to(self, visit: Visit) -> None:
        """Hold the place of an address until the stream ends, which it may have already."""
        self.visit = visit
        if self._is_read:
            visit.leave()

    async def recv_events(self) -> None:
        """Read until the stream ends; remember who reads, since the reader must never wait."""
        self._reader = trio.lowlevel.current_task()
        try:
            await super().recv_events()
        finally:
            self._is_read = True
            self.visit.leave()

    def process_event(self, event: Event) -> None:
        """Take data frames; leave the handshake and control frames to the library.

        A ping is answered before it comes here, so who sends too many is told goodbye.
        """
        if type(event) is not Frame:
            super().process_event(event)
        elif event.opcode not in DATA_OPCODES:
            if self._controls is None or self._controls.take():
                super().process_event(event)
            else:
                self.close(CloseCode.POLICY, "too many control frames")
                self._came_late()
        elif self._receiver is not None:
            self._take(event)
        elif len(self._early) < EARLY_FRAMES_MAX:
            self._early.append(event)
        else:
            self._cut.cancel()

    def _take(self, frame: Frame) -> None:
        """Put fragments together and hand whole messages over.

        The library has checked their order and that together they are not too large.
        """
        if self._goodbye is not None:
            self._came_late()
            return
        if frame.opcode is not Opcode.CONT and (frame.opcode is Opcode.TEXT) is not self._text:
            self.close(CloseCode.WRONG_FRAME, f"{'text' if self._text else 'binary'} frames only")
            return
        data = bytes(frame.data)
        if not frame.fin or self._fragments:
            self._fragments.append(data)
            if len(self._fragments) > FRAGMENTS_MAX:
                self.close(CloseCode.TOO_LARGE, "too many fragments")
                return
            if not frame.fin:
                return
            data, self._fragments = b"".join(self._fragments), []
        if self._text and not _is_utf8(data):
            self.close(CloseCode.NOT_TEXT, "not UTF-8")
            return
        assert self._receiver is not None
        self._receiver.received(data)

    def _came_late(self) -> None:
        self._late += 1
        if self._late > LATE_FRAMES_MAX:
            self._cut.cancel()

    @property
    def has_said_goodbye(self) -> bool:
        """Say whether the peer has closed as one who is done."""
        closed = self.protocol.close_rcvd
        return closed is not None and closed.code == CloseCode.NORMAL and self._goodbye is None

    # Out

    def put(self, data: bytes) -> None:
        """Take a message to be sent with the next flush; cut a peer that lets too much pile up.

        What one step brings is no pile, however much: who comes back may be owed a whole view.
        """
        if self.protocol.state is not State.OPEN or self._goodbye is not None:
            return
        self._outbox_bytes += len(data)
        if self._outbox_bytes > self._outbox_bytes_max and self._is_behind:
            self._cut.cancel()
        elif self._text:
            self.protocol.send_text(data)
        else:
            self.protocol.send_binary(data)

    def flush(self) -> None:
        """Write at once what the socket takes, and leave the rest to the writer task."""
        if not self.protocol.writes:
            return
        is_ours = self.protocol.state is State.OPEN and not self.send_lock.locked()
        if not is_ours or not isinstance(self.stream, trio.SocketStream):
            self._is_behind = True
            self._wake.set()
            return
        data = b"".join(self.protocol.data_to_send())
        try:
            # A closed socket has no descriptor: -1, and never one that is somebody else's by now.
            sent = os.write(self.stream.socket.fileno(), data)
        except BlockingIOError:
            sent = 0
        except OSError:
            self._cut.cancel()
            return
        self._outbox_bytes = len(data) - sent
        self._is_behind = self._outbox_bytes > 0
        if self._is_behind:
            # Back to the front of the library's queue: whoever writes next goes on with it.
            self.protocol.writes.insert(0, data[sent:])
            self._wake.set()

    def close(self, code: int, reason: str) -> None:
        """End the connection with this code, after what was put."""
        if self._goodbye is None:
            self._goodbye = (int(code), reason)
            self._wake.set()

    async def send_data(self) -> None:
        """Send what waits, in time or not at all; the library calls it. The reader never waits."""
        if trio.lowlevel.current_task() is self._reader and self.protocol.state is State.OPEN:
            self.flush()
            return
        if self.protocol.state is not State.OPEN:
            self._wake.set()  # so that `run` sees to it that closing does not take for ever
        if not self.protocol.writes:
            return
        is_reader = trio.lowlevel.current_task() is self._reader
        is_done = False
        try:
            with trio.move_on_after(self._write_s):
                await super().send_data()
                is_done = True
        except (trio.BrokenResourceError, trio.ClosedResourceError):
            if not is_reader:
                raise
        finally:
            if not is_done:  # late, failed or cancelled: half a frame may be out
                self._cut.cancel()
        # The reader finds the end by itself; what it meets on the way, the library logs as a bug.
        if not is_done and not is_reader:
            raise trio.BrokenResourceError("the peer did not read")

    async def run(self, is_welcome: Callable[[], bool], hello_s: float) -> None:
        """Run until the peer is gone, told goodbye, or cut: send what `flush` could not.

        A peer that is not welcome within hello_s is told goodbye.
        """
        hello_by = trio.current_time() + hello_s
        with self._cut, contextlib.suppress(trio.BrokenResourceError, trio.ClosedResourceError):
            while not self.stream_closed.is_set():
                with trio.CancelScope() as waiting:
                    if not is_welcome():
                        waiting.deadline = hello_by
                    await self._wake.wait()
                self._wake = trio.Event()
                if trio.current_time() >= hello_by and not is_welcome():
                    self.close(CloseCode.POLICY, "no hello in time")
                if self._goodbye is not None or self.protocol.state is not State.OPEN:
                    await self.aclose(*(self._goodbye or ()))
                    break
                while self.protocol.writes:
                    await self.send_data()
                    self._outbox_bytes = sum(map(len, self.protocol.writes))
                    self._is_behind = self._outbox_bytes > 0
        if self._cut.cancel_called:
            await trio.aclose_forcefully(self.stream)


def _is_utf8(data: bytes) -> bool:
    try:
        data.decode()
    except UnicodeDecodeError:
        return False
    return True
