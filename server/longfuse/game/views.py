"""Views: what each viewer may know of a game, default deny, field by field.

Owns the viewers' own ids, the views and the deltas made from them. There is one way from the state
to a viewer: `Views.view`, through what the ruleset says a viewer sees. During an open play the
others see the game as it was when the play began. Nothing in here is part of the state or its hash.

Ids are dense per viewer, and all spectators are one viewer. They are given when an object becomes
visible to that viewer, whether or not anyone watches; a card that goes where the viewer can't
follow it comes back under a new one.
"""

from __future__ import annotations

from bisect import bisect_right
from functools import lru_cache
from operator import attrgetter
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from longfuse.game.questions import rule_of
from longfuse.game.words import kind_words, uses_words, window_marks, window_words
from longfuse.timing.messages import Happened
from longfuse.timing.records import Record
from longfuse.timing.references import Ref
from longfuse_protocol.prompts import Item, Prompt
from longfuse_protocol.views import Delta, Entity, Frame, View

if TYPE_CHECKING:
    from longfuse.game.game import Game

Viewer = int | Literal["spectator"]

NUMBERS_KEPT = 1024
"""How many of the latest events a viewer's `cause` can point back to."""

CREATED = "ability created"
"""The event by which rulesets tell that an ability waits now; its fact "record" is that."""

WAITS_KEPT = 128
"""How many numbers of abilities that have ended are kept, in case a claim is given back."""


_ordinal = attrgetter("ordinal")


@lru_cache(maxsize=1024)
def _key(number: int) -> str:
    """The entity key of an object's number, the same string in every view."""
    return f"o{number}"


class Zone(NamedTuple):
    """A zone as a viewer sees it: what it has in it, its entity, and the objects seen there."""

    refs: tuple[Ref, ...]
    entity: Entity
    seen: tuple[tuple[Ref, str], ...]


class Eyes:
    """One viewer: the ids given so far, and what was shown last."""

    def __init__(self, viewer: Viewer) -> None:
        self.viewer = viewer
        self.ids: dict[Ref, int] = {}
        self.zones: dict[str, Zone] = {}
        """What was made of each zone, while the same objects are in it: they keep their ids."""
        self.last_id = 0
        self.shown: dict[str, Entity] = {}
        self.shown_at = -1
        self.before: dict[str, Entity] = {}
        self.taken = 0
        self.numbered = 0
        """Up to which event of the game's log this viewer's numbers are given."""
        self.numbers: dict[int, int] = {}
        """By ordinal, the latest events' numbers; below 1, what of one that is not told counts as
        its own: the number of what brought it about, negated."""
        self.made: dict[int, int] = {}
        """By record, the number of the event by which an ability that waits was made."""
        self.last_number = 0

    def key(self, ref: Ref) -> str | None:
        """The entity key of an object that this viewer sees; None if it does not."""
        number = self.ids.get(ref)
        return None if number is None else _key(number)

    def number_of(self, ordinal: int) -> int:
        """The number under which this viewer knows an event, or what brought it about; 0: none."""
        return abs(self.numbers.get(ordinal, 0))

    def save(self) -> tuple[Any, ...]:
        """What a taken-back play brings back."""
        return (dict(self.ids), self.last_id)

    def restore(self, saved: tuple[Any, ...]) -> None:
        """Bring it back."""
        self.ids, self.last_id = dict(saved[0]), saved[1]
        self.zones.clear()


class Views:
    """All viewers of one game."""

    def __init__(self, game: Game) -> None:
        self.game = game
        viewers: list[Viewer] = [*range(game.seats), "spectator"]
        self.eyes: dict[Viewer, Eyes] = {viewer: Eyes(viewer) for viewer in viewers}
        self._saved: dict[Viewer, tuple[Any, ...]] = {}
        self._same: dict[Ref, Entity] = {}
        self._same_at = -1
        self._still: dict[Ref, Entity] = {}
        """Objects of which the game keeps no state of their own: as they are, so they stay."""
        self._waits: dict[int, int] = {}
        self._waits_last = 0
        self._waits_saved = 0

    # ------------------------------------------------------------ ids

    def arrived(self, old: Ref | None, ref: Ref, zone: str) -> None:
        """A card has a new stay: who sees it there knows it, by its old id if they saw it leave."""
        for eyes in self.eyes.values():
            if not self.game.rules.sees(eyes.viewer, ref, zone):
                continue
            number = eyes.ids.get(old) if old is not None else None
            if number is None:
                eyes.last_id += 1
                number = eyes.last_id
            eyes.ids[ref] = number

    def waits(self, record: Record) -> None:
        """A delayed ability waits, for all to see, under a number of the viewers' own: those of
        records count printed abilities too, and some of these wait in hands.
        """
        if record.delayed and record.id not in self._waits:
            self._waits_last += 1
            self._waits[record.id] = self._waits_last

    def waiting_key(self, record: Record) -> str | None:
        """The entity key of an ability that waits; None if it does not."""
        number = self._waits.get(record.id)
        return None if number is None else f"w{number}"

    def play_begins(self, seat: int) -> None:
        """A play of `seat` opens: remember every viewer's ids, and what the others see until
        then.
        """
        self._saved = {viewer: eyes.save() for viewer, eyes in self.eyes.items()}
        self._waits_saved = self._waits_last
        for eyes in self.eyes.values():
            if eyes.viewer != seat:
                is_fresh = eyes.shown_at == self.game.store.version
                eyes.before = eyes.shown if is_fresh else self._entities(eyes)

    def play_undone(self) -> None:
        """The play was taken back, and with it the ids that it gave."""
        for viewer, eyes in self.eyes.items():
            eyes.restore(self._saved[viewer])
            eyes.taken = min(eyes.taken, self.game.last_ordinal)
            eyes.numbered = min(eyes.numbered, self.game.last_ordinal)
            last = self.game.installed.last_id
            eyes.made = {id_: n for id_, n in eyes.made.items() if id_ <= last}
        while self._waits and next(reversed(self._waits.values())) > self._waits_saved:
            self._waits.popitem()
        self._waits_last = self._waits_saved
        self._still.clear()  # the same stay may come about again, elsewhere

    def forget_gone(self) -> None:
        """Let go of what the last open play needed, and of ids of stays that are over and told."""
        there = self.game.board.is_there
        self._saved = {}
        self._still = {ref: entity for ref, entity in self._still.items() if there(ref)}
        for eyes in self.eyes.values():
            eyes.before = {}
            for ref in [ref for ref in eyes.ids if not there(ref)]:
                del eyes.ids[ref]
        records = self.game.subscriptions.records
        if len(self._waits) > 2 * self.game.subscriptions.delayed + WAITS_KEPT:
            self._waits = {id_: n for id_, n in self._waits.items() if id_ in records}
            for eyes in self.eyes.values():
                eyes.made = {id_: n for id_, n in eyes.made.items() if id_ in records}

    # ------------------------------------------------------------ views

    def view(self, viewer: Viewer) -> View:
        """All that a viewer may know now."""
        return View(self._entities(self.eyes[viewer]))

    def frames(self, viewer: Viewer) -> Frame:
        """What is new for a viewer since it last took a frame."""
        eyes = self.eyes[viewer]
        if self._is_shut_out(viewer):
            return Frame()
        events = self._events(eyes)
        now = self._entities(eyes)
        changes: Delta = {}
        for key, value in now.items():
            before = eyes.shown.get(key)
            if before is value:
                continue
            if before == value:
                # The old one is kept: it is the same object for every viewer who has seen it.
                now[key] = before
            else:
                changes[key] = value
        changes.update((key, None) for key in eyes.shown if key not in now)
        eyes.shown = now
        eyes.shown_at = self.game.store.version
        return Frame(events, changes)

    def _is_shut_out(self, viewer: Viewer) -> bool:
        """While a play is open, only its own seat sees what comes of it."""
        save = self.game.store.savepoint
        return save is not None and save.seat != viewer

    def _entities(self, eyes: Eyes) -> dict[str, Entity]:
        if self._is_shut_out(eyes.viewer):
            return eyes.before
        self._number(eyes)
        game = self.game
        now = game.now
        found: dict[str, Entity] = {
            "mark": {
                "turn": now.turn,
                "player": now.owner,
                "phase": now.phase,
                "step": now.step,
            },
            "asked": {"seat": self._asked()},
        }
        for seat in range(game.seats):
            found[f"seat:{seat}"] = game.rules.seat_view(seat)
        for name in game.rules.zone_names:
            self._zone(eyes, name, found)
        for record in game.subscriptions.waiting():
            found[f"w{self._waits[record.id]}"] = self._waiting(eyes, record)
        found.update(game.rules.more_views(eyes.key))
        return found

    def _asked(self) -> int | None:
        game = self.game
        return game.acting if game.prompt is None else game.prompt.seat

    def _zone(self, eyes: Eyes, name: str, found: dict[str, Entity]) -> None:
        refs = self.game.board.zone(name)
        zone = eyes.zones.get(name)
        if zone is None or zone.refs is not refs:
            seen = tuple((ref, key) for ref in refs if (key := eyes.key(ref)) is not None)
            entity: Entity = {"count": len(refs), "objects": [key for _, key in seen]}
            zone = eyes.zones[name] = Zone(refs, entity, seen)
        found[f"zone:{name}"] = zone.entity
        for ref, key in zone.seen:
            found[key] = self._object(eyes, ref)

    def _object(self, eyes: Eyes, ref: Ref) -> Entity:
        """An object's fields. Those that name no other object are the same for all who see it, and
        are made once for all of them."""
        if self._same_at != self.game.store.version:
            self._same_at = self.game.store.version
            self._same = {}
        same = self._same.get(ref) or self._still.get(ref)
        if same is not None:
            return same
        names_others = False

        def key(other: Ref) -> str | None:
            nonlocal names_others
            names_others = True
            return eyes.key(other)

        fields = self.game.rules.object_view(ref, key)
        if not names_others:
            is_still = self.game.store.values.get(ref) is None
            (self._still if is_still else self._same)[ref] = fields
        return fields

    def _waiting(self, eyes: Eyes, record: Record) -> Entity:
        about = record.bound or record.about
        made_by = record.source.object
        is_there = made_by is not None and self.game.board.is_there(made_by)
        return {
            "kind": kind_words(record),
            "words": self.game.describe_record(record),
            "says": self.game.rules.words(record.ability),
            "window": window_words(
                record.window, lambda ref: eyes.key(ref) or "?", self.game.rules.turn_end
            ),
            "marks": window_marks(record.window, self.game.rules.turn_end),
            "uses": uses_words(record),
            "source": record.source.card,
            "object": eyes.key(made_by) if made_by is not None and is_there else None,
            "created_by": eyes.made.get(record.id, 0),
            "controller": record.controller,
            "about": eyes.key(about) if about is not None else None,
        }

    # ------------------------------------------------------------ events and prompts

    def number_events(self) -> None:
        """Give what has happened its numbers for every viewer, before the game's log forgets it:
        they are the same whether or not anyone watches.
        """
        for eyes in self.eyes.values():
            self._number(eyes)

    def _number(self, eyes: Eyes) -> None:
        events = self.game.log.events
        for event in events[self._first_after(eyes.numbered) :]:
            if self._is_told(event):
                eyes.last_number += 1
                number = eyes.last_number
                if event.event == CREATED:
                    eyes.made[event.fact("record")] = number
            else:
                # What it brings about was brought about, for this viewer, by what did it.
                number = -eyes.number_of(event.cause)
            eyes.numbers.pop(event.ordinal, None)
            eyes.numbers[event.ordinal] = number
            eyes.numbered = event.ordinal
        self._forget_numbers(eyes)

    def _first_after(self, ordinal: int) -> int:
        """Where in the game's log the first event after an ordinal is."""
        return bisect_right(self.game.log.events, ordinal, key=_ordinal)

    def _forget_numbers(self, eyes: Eyes) -> None:
        """Keep the latest, and all that may still be told."""
        events = self.game.log.events
        told = events[0].ordinal - 1 if events else eyes.numbered
        told = max(told, eyes.taken)
        while len(eyes.numbers) > NUMBERS_KEPT and (first := next(iter(eyes.numbers))) <= told:
            del eyes.numbers[first]

    def _events(self, eyes: Eyes) -> list[dict[str, object]]:
        self._number(eyes)
        fresh = self.game.log.events[self._first_after(eyes.taken) :]
        if fresh:
            eyes.taken = fresh[-1].ordinal
        return [self._event(eyes, event) for event in fresh if eyes.numbers[event.ordinal] > 0]

    def _is_told(self, event: Happened) -> bool:
        return self.game.rules.is_told(event)

    def _event(self, eyes: Eyes, event: Happened) -> dict[str, object]:
        knows = event.secret is None or eyes.viewer in event.secret
        subjects = [eyes.key(ref) for ref in event.subjects] if knows else []
        return {
            "n": eyes.numbers[event.ordinal],
            "event": event.event,
            "text": self.game.rules.sentence(event, None if knows else eyes.viewer),
            "objects": [key for key in subjects if key is not None],
            "player": event.player,
            "amount": event.amount,
            "clause": event.clause,
            "cause": eyes.number_of(event.cause),
        }

    def prompt(self) -> Prompt | None:
        """The open question as its own seat may see it."""
        question = self.game.prompt
        if question is None:
            return None
        eyes = self.eyes[question.seat]
        return Prompt(
            id=question.id,
            seat=question.seat,
            shape=question.shape,
            kind=question.kind,
            text=question.text,
            items=tuple(
                Item(
                    label=item.label,
                    legal=item.legal,
                    reason="" if item.legal else item.reason,
                    about=tuple(key for ref in item.refs for key in (eyes.key(ref),) if key),
                    clause=rule_of(item),
                )
                for item in question.items
            ),
            least=question.least,
            most=question.most,
            total=question.total,
            bounds=question.bounds,
            source=question.source,
            clause=question.clause,
            default=question.default,
        )
