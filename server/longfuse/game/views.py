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
from operator import attrgetter
from typing import TYPE_CHECKING, Any

from longfuse.game.eyes import Eyes, Reading, Viewer, Zone
from longfuse.game.faces import Faces, read
from longfuse.game.questions import rule_of
from longfuse.game.words import kind_words, uses_words, window_marks, window_words
from longfuse.timing.messages import Happened
from longfuse.timing.records import Record
from longfuse.timing.references import Ref
from longfuse_protocol.prompts import Item, Prompt
from longfuse_protocol.views import Entity, Frame, View

if TYPE_CHECKING:
    from longfuse.game.game import Game

NUMBERS_KEPT = 1024
"""How many of the latest events a viewer's `cause` can point back to."""

CREATED = "ability created"
"""The event by which rulesets tell that an ability waits now; its fact "record" is that."""

WAITS_KEPT = 128
"""How many numbers of abilities that have ended are kept, in case a claim is given back."""

_ordinal = attrgetter("ordinal")


class Views:
    """All viewers of one game."""

    def __init__(self, game: Game) -> None:
        self.game = game
        viewers: list[Viewer] = [*range(game.seats), "spectator"]
        self.eyes: dict[Viewer, Eyes] = {viewer: Eyes(viewer) for viewer in viewers}
        self._saved: dict[Viewer, tuple[Any, ...]] = {}
        self._at = -1
        """As of when what is the same for all viewers was made."""
        self._renamed = 0
        """How often viewers' ids have been let go of: what is gone has no name from then on, though
        nothing in the game has changed."""
        self._names_at = -1
        """As of when objects name others as they do: it changes with records and with ids."""
        self._faces = Faces(game)
        self._shared: dict[str, Entity] = {}
        """What all see, each time the same: the mark, who is asked, the seats."""
        self._zones: list[tuple[str, tuple[Ref, ...]]] = []
        self._waiting_now: list[tuple[str, Record, Entity]] = []
        """The zones with what is in them, and what waits, by key, with what all are told of it."""
        self._gone: list[Ref] = []
        """The stays that have ended since ids were last let go of."""
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

    def left(self, ref: Ref) -> None:
        """A stay has ended."""
        self._gone.append(ref)

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
                self._look(eyes)

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
        self._faces.clear()

    def forget_gone(self) -> None:
        """Let go of what the last open play needed, and of ids of stays that are over and told."""
        self._saved = {}
        gone = [ref for ref in self._gone if not self.game.board.is_there(ref)]
        self._gone.clear()
        for ref in gone:
            self._faces.forget(ref)
            for eyes in self.eyes.values():
                eyes.forget(ref)
        self._renamed += bool(gone)
        records = self.game.subscriptions.records
        if len(self._waits) > 2 * self.game.subscriptions.delayed + WAITS_KEPT:
            self._waits = {id_: n for id_, n in self._waits.items() if id_ in records}
            for eyes in self.eyes.values():
                eyes.made = {id_: n for id_, n in eyes.made.items() if id_ in records}

    # ------------------------------------------------------------ views

    def view(self, viewer: Viewer) -> View:
        """All that a viewer may know now; in an order that tells nothing."""
        eyes = self.eyes[viewer]
        self._look(eyes)
        return View(dict(sorted(eyes.seen.items())))

    def frames(self, viewer: Viewer) -> Frame:
        """What is new for a viewer since it last took a frame."""
        if self._is_shut_out(viewer):
            return Frame()
        eyes = self.eyes[viewer]
        events = self._events(eyes)
        self._look(eyes)
        return Frame(events, eyes.take_news())

    def _is_shut_out(self, viewer: Viewer) -> bool:
        """While a play is open, only its own seat sees what comes of it."""
        save = self.game.store.savepoint
        return save is not None and save.seat != viewer

    def _bring_up_to_date(self) -> None:
        """Make what is the same for all viewers, if anything has changed."""
        game = self.game
        at = game.version + self._renamed
        if self._at == at:
            return
        self._at = at
        now = game.now
        self._shared["mark"] = {
            "turn": now.turn,
            "player": now.owner,
            "phase": now.phase,
            "step": now.step,
        }
        for seat in range(game.seats):
            self._shared[f"seat:{seat}"] = game.rules.seat_view(seat)
        self._zones = [(name, game.board.zone(name)) for name in game.rules.zone_names]
        self._waiting_now = [
            (f"w{self._waits[record.id]}", record, self._waiting(record))
            for record in game.subscriptions.waiting()
        ]
        changed = self._faces.bring_up_to_date()
        names_at = game.subscriptions.serial + self._renamed
        if self._names_at != names_at:
            self._names_at = names_at
            changed += self._faces.naming_others()
        for eyes in self.eyes.values():
            eyes.changed.update(changed)

    def _asked(self) -> int | None:
        game = self.game
        return game.acting if game.prompt is None else game.prompt.seat

    def _look(self, eyes: Eyes) -> None:
        """Bring what a viewer sees up to date; who is shut out goes on seeing what it saw."""
        if self._is_shut_out(eyes.viewer):
            return
        self._number(eyes)
        self._bring_up_to_date()
        eyes.see("asked", {"seat": self._asked()})
        if eyes.at == self._at:
            return
        eyes.at = self._at
        for key, entity in self._shared.items():
            eyes.see(key, entity)
        self._look_into_zones(eyes)
        self._look_at_others(eyes)

    def _look_into_zones(self, eyes: Eyes) -> None:
        """See the zones in which something came or went, and what came and what has changed."""
        lost: set[str] = set()
        found: set[str] = set()
        for name, refs in self._zones:
            zone = eyes.zones.get(name)
            if zone is None or zone.refs is not refs:
                seen = {ref: key for ref in refs if (key := eyes.key(ref)) is not None}
                before = zone.seen if zone is not None else {}
                stayed = before if zone is not None and zone.refs is not None else {}
                for ref, key in seen.items():
                    if stayed.get(ref) != key:
                        eyes.see(key, self._object(eyes, ref))
                lost.update(before.values())
                found.update(seen.values())
                eyes.zones[name] = Zone(refs, seen)
                eyes.see(f"zone:{name}", {"count": len(refs), "objects": list(seen.values())})
        for key in lost - found:
            eyes.lose(key)
        for ref in eyes.changed:
            key = eyes.key(ref)
            if key is not None and self.game.board.is_there(ref):
                eyes.see(key, self._object(eyes, ref))
        eyes.changed.clear()

    def _object(self, eyes: Eyes, ref: Ref) -> Entity:
        """An object as a viewer reads it."""
        face = self._faces.of(ref)
        if not face.names_others:
            return face.fields
        reading = eyes.readings.get(ref)
        if reading is None or reading.face is not face or reading.at != self._names_at:
            entity = read(self.game, face, eyes.key)
            reading = eyes.readings[ref] = Reading(face, self._names_at, entity)
        return reading.entity

    def _look_at_others(self, eyes: Eyes) -> None:
        """See what waits, and what the ruleset tells besides."""
        others = {
            key: self._waiting_for(eyes, record, told) for key, record, told in self._waiting_now
        }
        others.update(self.game.rules.more_views(eyes.key))
        for key, entity in others.items():
            eyes.see(key, entity)
        for key in eyes.others:
            if key not in others:
                eyes.lose(key)
        eyes.others = list(others)

    def _waiting(self, record: Record) -> Entity:
        """What all viewers are told of an ability that waits."""
        return {
            "kind": kind_words(record),
            "words": self.game.describe_record(record),
            "says": self.game.rules.words(record.ability),
            "marks": window_marks(record.window, self.game.rules.turn_end),
            "uses": uses_words(record),
            "source": record.source.card,
            "controller": record.controller,
        }

    def _waiting_for(self, eyes: Eyes, record: Record, told: Entity) -> Entity:
        """The same with what it names, as a viewer knows that."""
        about = record.bound or record.about
        made_by = record.source.object
        is_there = made_by is not None and self.game.board.is_there(made_by)
        return {
            **told,
            "window": window_words(
                record.window, lambda ref: eyes.key(ref) or "?", self.game.rules.turn_end
            ),
            "object": eyes.key(made_by) if made_by is not None and is_there else None,
            "created_by": eyes.made.get(record.id, 0),
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
            if self.game.rules.is_told(event):
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
