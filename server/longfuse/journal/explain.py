"""Explain: why an event happened, from it back to the decision that began it.

Owns the walk along causes. It plays the journal with its whole log kept, and shows everything: see
`words`. An event is known by its ordinal, the number under which the game's log has it.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from longfuse.game.game import Game
from longfuse.game.questions import Question
from longfuse.journal.format import JournalError
from longfuse.journal.reader import Journal
from longfuse.journal.replay import Replayed, replay
from longfuse.journal.words import entry_words, event_words
from longfuse.timing.messages import Happened


class _Told(NamedTuple):
    """An event, the entry that it followed from, its sentence, and the waiting abilities in it."""

    message: Happened
    entry: int
    text: str
    abilities: tuple[dict[str, Any], ...]


class Story:
    """A game with its whole log, and which entry each event followed from."""

    def __init__(self, journal: Journal, *, any_version: bool = False) -> None:
        self._told: list[_Told] = []
        self._asked: list[Question | None] = []
        self.replayed = replay(
            journal, keep_events=True, any_version=any_version, after=self._follow
        )
        self.events = {one.message.ordinal: one.message for one in self._told}
        self._by_ordinal = {one.message.ordinal: one for one in self._told}

    def _follow(self, replayed: Replayed) -> None:
        """Note which events are new, and tell them while what they speak of is still there.

        A play that was taken back took its events along.
        """
        game, known = replayed.game, self._told
        log = game.log.events
        while known and (len(known) > len(log) or known[-1].message != log[len(known) - 1]):
            known.pop()
        for message in log[len(known) :]:
            text = game.rules.sentence(message, None) or event_words(game, message)
            known.append(_Told(message, replayed.entry, text, _abilities(game, message)))
        self._asked.append(game.prompt)

    def entry(self, ordinal: int) -> int:
        """The entry that an event followed from; 0 for the set-up."""
        return self._by_ordinal[ordinal].entry

    def told(self, ordinal: int) -> str:
        """What happened, in the ruleset's sentence or else in the kernel's words."""
        return self._by_ordinal[ordinal].text

    def abilities(self, ordinal: int) -> tuple[dict[str, Any], ...]:
        """The abilities that had waited for this and took part in it, and what made each."""
        return self._by_ordinal[ordinal].abilities

    def decision(self, entry: int) -> str:
        """What entered the game there."""
        if entry == 0:
            return "the set-up of the game"
        line = self.replayed.journal.entries[entry - 1]
        return entry_words(line.entry, self._asked[entry - 1])

    def causes(self, ordinal: int) -> list[Happened]:
        """The event, what caused it, what caused that, …

        Raises:
            JournalError: there is no such event.
        """
        if ordinal not in self.events:
            last = max(self.events, default=0)
            count = len(self.replayed.journal.entries)
            reason = f"there is no event {ordinal}; they are numbered up to {last}, with gaps"
            raise JournalError(count + 1, count, reason)
        chain = [self.events[ordinal]]
        while (cause := self.events.get(chain[-1].cause)) is not None and cause not in chain:
            chain.append(cause)
        return chain


def _abilities(game: Game, message: Happened) -> tuple[dict[str, Any], ...]:
    """The replacements that changed what happened, and the delayed ability that acted in it."""
    acts = message.facts.get("acts")
    numbers = (*message.facts.get("replaced_by", ()), *(() if acts is None else (acts,)))
    return tuple(
        {
            "id": number,
            "words": "" if record is None else game.describe_record(record),
            "created_by_event": record.created_message if record and record.delayed else 0,
        }
        for number in numbers
        for record in (game.installed.known(number),)
    )


def explain(story: Story, ordinal: int) -> dict[str, Any]:
    """The chain of causes of an event, from it back to the entry that began it."""
    chain = story.causes(ordinal)
    first = story.entry(chain[-1].ordinal)
    return {
        "event": ordinal,
        "steps": [_step(story, message) for message in chain],
        "began_with": {"entry": first, "told": story.decision(first)},
    }


def _step(story: Story, message: Happened) -> dict[str, Any]:
    return {
        "event": message.ordinal,
        "name": message.event,
        "told": story.told(message.ordinal),
        "clause": message.clause,
        "cause": message.cause,
        "batch": message.batch,
        "entry": story.entry(message.ordinal),
        "abilities": list(story.abilities(message.ordinal)),
    }


def lines(told: dict[str, Any]) -> list[str]:
    """The same for people, a line each."""
    shown = []
    for depth, step in enumerate(told["steps"]):
        why = "" if depth == 0 else "because "
        clause = f" [{step['clause']}]" if step["clause"] else ""
        shown.append(f"{'  ' * depth}{why}{step['event']}: {step['told']}{clause}")
        shown += [f"{'  ' * depth}  by {_ability_line(one)}" for one in step["abilities"]]
    begun = told["began_with"]
    depth = len(told["steps"])
    shown.append(f"{'  ' * depth}which followed from entry {begun['entry']}: {begun['told']}")
    return shown


def _ability_line(one: dict[str, Any]) -> str:
    words = one["words"] or f"ability {one['id']}, which is gone"
    made = one["created_by_event"]
    return f"{words} (since event {made})" if made else words
