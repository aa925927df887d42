"""Streams as a right server would send them, for tests to spoil."""

from __future__ import annotations

import msgspec

from longfuse.load.checks import ClientCheck, Violation
from longfuse_protocol import messages as m
from longfuse_protocol.prompts import Item, Prompt
from longfuse_protocol.views import RunningDigest, View


def shared_digest(step: int) -> str:
    """The digest of what all see after so many public changes."""
    return f"{step:032x}"


class Stream:
    """One viewer's stream: each frame counts a number in its view up."""

    def __init__(self) -> None:
        self.n = 0
        self._view = View()
        self._digest = RunningDigest()

    def frame(self, public: int) -> m.Events:
        """The next frame, after which all see what they see after so many public changes."""
        self.n += 1
        changes: dict[str, dict[str, object] | None] = {"mark": {"n": self.n}}
        self._view.entities["mark"] = {"n": self.n}
        self._digest.apply(changes)
        return m.Events(
            n=self.n,
            events=[],
            changes=changes,
            digest=self._digest.hex(),
            shared=shared_digest(public),
        )

    def snapshot(self) -> m.Snapshot:
        """The whole view."""
        return m.Snapshot(n=self.n, view=dict(self._view.entities), digest=self._digest.hex())

    def asked(self, prompt: int, seat: int = 0) -> m.Asked:
        """A question that belongs to the last frame."""
        return m.Asked(n=self.n, prompt=question(prompt, seat))


def question(number: int, seat: int = 0) -> Prompt:
    """A prompt."""
    return Prompt(
        id=number, seat=seat, shape="one", kind="toy", text="?", items=(Item("a"),), default=0
    )


def joined(seat: int | None = 0, table: str = "t") -> m.Joined:
    """A place at a table."""
    info = m.TableInfo(table=table, ruleset="toy", status="waiting", seats=())
    return m.Joined(place=m.Place(info=info, seat=seat, stream=f"{table}/{seat}"))


def seated(seat: int | None = 0) -> ClientCheck:
    """A client that has just come to a table."""
    check = ClientCheck(f"client {seat}", seat)
    assert heard(check, joined(seat)) == []
    return check


def heard(check: ClientCheck, *messages: m.ServerMessage) -> list[Violation]:
    """What is found wrong with these messages."""
    return [violation for message in messages for violation in check.hear(message)]


def kinds(violations: list[Violation]) -> list[str]:
    """Their kinds alone."""
    return [violation.kind for violation in violations]


def spoiled(frame: m.Events, **fields: object) -> m.Events:
    """A frame with something else in it."""
    return msgspec.structs.replace(frame, **fields)
