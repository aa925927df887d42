"""Cuts a reference client's connection at a chosen step, and says what must hold all the same."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

import pytest

from longfuse_protocol import messages as m
from longfuse_protocol.client import Client
from longfuse_protocol.client_line import Parting

LOST = Parting(1006, "cut by the test", retry=True)
KINDS = ("before", "after", "send")
"""Before the client hears its k-th message, after it has, or before its k-th own one leaves."""


class Cut(NamedTuple):
    """Whose connection breaks, and when. at: counts what that client hears, or sends."""

    name: str
    kind: str
    at: int


class Cutter:
    """Breaks connections of clients, and notes what each of them has heard and sent."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.cuts: set[Cut] = set()
        self.counts: Counter[tuple[str, str]] = Counter()
        self.answers: Counter[tuple[str, str]] = Counter()
        self.commands: Counter[tuple[str, str]] = Counter()
        hear, transmit = Client._hear, Client._transmit

        def hearing(client: Client, message: m.ServerMessage, size: int) -> None:
            if self._breaks(client, "before"):
                return
            if isinstance(message, m.Answered):
                self.answers[client._hello.name, message.command] += 1
            hear(client, message, size)
            self._breaks(client, "after")

        def sending(client: Client, message: m.ClientMessage, data: bytes) -> None:
            transmit(client, message, data)
            if not self._breaks(client, "send") and hasattr(message, "command"):
                self.commands[client._hello.name, message.command] += 1

        monkeypatch.setattr(Client, "_hear", hearing)
        monkeypatch.setattr(Client, "_transmit", sending)

    def begin(self, *cuts: Cut) -> None:
        """Begin another game, in which these connections break."""
        self.cuts = set(cuts)
        for counts in (self.counts, self.answers, self.commands):
            counts.clear()

    def _breaks(self, client: Client, kind: str) -> bool:
        name = client._hello.name
        self.counts[name, kind] += 1
        if Cut(name, kind, self.counts[name, kind]) not in self.cuts:
            return False
        client._line.cut(LOST)
        return True


def check_frames(name: str, events: Sequence[object]) -> None:
    """No frame comes twice or is missed; a whole view stands for all up to its number."""
    n: int | None = None
    for event in events:
        if isinstance(event, m.Snapshot):
            n = event.n
        elif isinstance(event, m.Events):
            assert n is None or event.n == n + 1, (name, n, event.n)
            n = event.n


def check_commands(cutter: Cutter) -> None:
    """Each command that the server can have got is answered; none is sent more than twice."""
    for key, times in cutter.commands.items():
        assert times <= 2, (key, times)
        assert cutter.answers[key] <= times, (key, times)
