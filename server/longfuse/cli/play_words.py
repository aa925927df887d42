"""What the groups of words that a player can type have in common.

Owns their form, and what is said where the server refuses one. Which words there are is each
group's; who reads them is the session's.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import NamedTuple, Protocol

import trio

from longfuse.cli.play_screen import Screen
from longfuse_protocol.client import ClientClosed, Event, Refused
from longfuse_protocol.errors import WireError

Word = Callable[[str], Awaitable[bool]]
"""Does what a word says, with the rest of its line; False if the line is no such command, since an
answer may begin with the same word.
"""


class HelpRow(NamedTuple):
    """A word, and what it does."""

    word: str
    told: str


class Words(Protocol):
    """One group of words, with the part of what is heard that belongs to it."""

    @property
    def title(self) -> str:
        """What they are about."""

    @property
    def help(self) -> Sequence[HelpRow]:
        """What each does."""

    @property
    def words(self) -> Mapping[str, Word]:
        """What can be typed."""

    def hear(self, event: Event) -> None:
        """Take in what the server tells."""


def reason(refused: Refused) -> str:
    """Why the server refuses, for people."""
    return f"{refused.answer.reason.rstrip('.')}."


async def is_done(
    screen: Screen,
    command: Awaitable[object],
    failed: str,
    *,
    why: Callable[[Refused], str] = reason,
) -> bool:
    """Do it; where that fails, say so with the reason. failed: a clause, like "nothing is said".
    why: the lines that tell why the server refuses.
    """
    try:
        await command
    except Refused as refused:
        for line in f"{failed}: {why(refused)}".splitlines():
            screen.line(line)
    except ClientClosed as closed:
        screen.line(f"{failed}: {closed}.")
    except trio.TooSlowError:
        screen.line(f"{failed}: the server does not answer.")
    except WireError as wrong:
        screen.line(f"{failed}: the server would not take it ({wrong.text}).")
    else:
        return True
    return False
