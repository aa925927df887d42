"""The world: the state of one game, and every way in which rules may change it.

Owns the store, the board, the records, the log and the calendar, and publishes what happens. It is
what a ruleset calls. What enters a game and what is shown of it is `game.py`'s; nothing here waits
for anybody: a question is yielded.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import msgspec

from longfuse.actors import Actor, ActorHost
from longfuse.game.board import TOP, Board, Change, Holder
from longfuse.game.installed import Installed
from longfuse.game.log import EventLog
from longfuse.game.publish import announce, publish
from longfuse.game.questions import Question, Steps, only_answer
from longfuse.game.randomness import below, shuffled
from longfuse.game.rules import Rules
from longfuse.game.state import SeatState, Snapshot
from longfuse.game.store import Store
from longfuse.timing.calendar import Now, next_turn, over, reach
from longfuse.timing.messages import Happened, Message, Proposed, reached
from longfuse.timing.records import Record
from longfuse.timing.references import NOBODY, Ref, Seat
from longfuse.timing.subscriptions import Subscriptions
from longfuse.timing.windows import Key
from longfuse_protocol.prompts import Answer

if TYPE_CHECKING:
    from longfuse.game.views import Views


class World:
    """The state of one game, as its rules see and change it."""

    views: Views | None = None
    """Who gives viewers their ids; none where nobody will ever look."""

    def __init__(
        self,
        rules: Rules,
        host: ActorHost,
        *,
        seats: int,
        key: bytes,
        options: dict[str, Any] | None,
        keep_events: bool,
    ) -> None:
        self.seats = seats
        self.options = options or {}
        self.store = Store()
        self.subscriptions = Subscriptions(rules.turn_end)
        self.installed = Installed(self)
        self.log = EventLog(keep_events)
        self.rules = rules
        self.board = Board(self.store, host, rules.zone_names)
        self.settled: list[tuple[Question, Answer]] = []
        """Questions that had one answer, since the last entry."""
        self.cause = 0
        self.batch = 0
        self.committing: Proposed | None = None
        self.lineage: Proposed | None = None
        self.by_own_execution = False
        self.entered_at = 0
        """The number of the latest message when the last entry came: viewers know it all."""
        self._key = key
        self._seat_actors: dict[Seat, Actor[Any, Any]] = {}
        self._messages = 0
        self._stamps = 0
        self._of_this_turn: list[tuple[Any, ...]] = []
        """Keys of the store that are forgotten when the next turn begins."""
        self.store.put(("now",), Now())

    @property
    def version(self) -> int:
        """A number that changes with everything that answers, views and offers may depend on."""
        return self.store.version + self.log.version

    @property
    def rules_table(self) -> Any:
        """The rules as words look them up (`abilities.scope.Table`)."""
        return self.rules

    # ================================================================ asking

    def ask(self, question: Question) -> Steps[Any]:
        """Ask a seat, unless there is one answer on facts that everybody knows."""
        answer = only_answer(question)
        if answer is None:
            chosen = yield question
            return chosen
        self.settled.append((question, answer))
        return question.chosen(answer)

    def play_stands(self) -> None:
        """The open play can no longer be taken back: finalized, another seat asked, chance, a
        look.
        """
        self.store.savepoint = None

    # ================================================================ publishing

    def publish(self, *proposals: Proposed) -> Steps[list[Happened]]:
        """Publish a batch of simultaneous proposals."""
        return publish(self, list(proposals))

    def announce(self, *happened: Happened) -> Steps[None]:
        """Tell the listeners what has happened without having been proposed (marks,
        bookkeeping).
        """
        return announce(self, list(happened))

    def number_proposal(self, proposal: Proposed) -> Proposed:
        """The proposal with its number, batch, mark, cause and lineage."""
        self._messages += 1
        lineage = self.lineage
        return msgspec.structs.replace(
            proposal,
            id=self._messages,
            batch=self.batch,
            mark=self.now.mark.id,
            cause=proposal.cause or self.cause,
            replaces=lineage.id if lineage else 0,
            applied=lineage.applied if lineage else proposal.applied,
            by_own_execution=self.by_own_execution,
        )

    def happened(self, event: str, *, cause: int | None = None, **fields: Any) -> Happened:
        """A Happened message, numbered and noted in the log. fields: as in `Message`.

        cause: where that is neither the proposal that is committed nor what goes on now.
        """
        self._messages += 1
        proposal = self.committing
        if cause is None:
            cause = proposal.cause if proposal is not None else self.cause
        facts = fields.pop("facts", None) or {}
        if proposal is not None and proposal.applied:
            facts = {**facts, "replaced_by": tuple(sorted(proposal.applied))}
        message = Happened(
            event=event,
            id=self._messages,
            ordinal=self._messages,
            batch=self.batch,
            mark=self.now.mark.id,
            cause=cause,
            facts=facts,
            **fields,
        )
        self.log.add(message)
        return message

    def log_name(self, message: Message) -> str:
        """The name under which events like this message are found in the log."""
        if isinstance(message, Proposed):
            return self.rules.happened_name(message.event)
        return message.event

    # ================================================================ the calendar

    @property
    def now(self) -> Now:
        """Where the game stands."""
        value: Now = self.store.values[("now",)]
        return value

    def begin_turn(self, owner: Seat) -> Steps[None]:
        """A new turn begins."""
        self.store.put(("now",), next_turn(self.now, owner))
        self.log.new_turn()
        for key in self._of_this_turn:
            self.store.put(key, None)
        self._of_this_turn.clear()
        yield from self._pass_mark("turn")

    def reach(
        self,
        name: str,
        *,
        phase: str | None = None,
        step: str | None = None,
        opens: tuple[str, ...] = (),
        cause: int = 0,
    ) -> Steps[int]:
        """Reach a mark: what lasts until it ends, then what waits for it is collected.

        The number of its message is returned, as the cause of what the rules do because of it.
        cause: what has brought it about, where that is not the course of the turn.
        """
        self.store.put(("now",), reach(self.now, name, phase=phase, step=step, opens=opens))
        return (yield from self._pass_mark(name, cause))

    def over(self, name: str) -> Steps[None]:
        """A phase or step is over. A mark is yielded before it is left: a test may hold there."""
        yield self.now.mark
        self.end_occurrence(name)

    def end_occurrence(self, name: str) -> None:
        """The same without stopping at the mark, for what is cut short."""
        self.store.put(("now",), over(self.now, name))
        self.installed.close(Key("over", name))

    def _pass_mark(self, name: str, cause: int = 0) -> Steps[int]:
        self.cause = 0
        self.installed.close(Key("until", name))
        self.batch += 1
        clause = self.rules.mark_clauses.get(name, "")
        happened = self.happened(reached(name), cause=cause, player=self.now.owner, clause=clause)
        yield from self.announce(happened)
        self.installed.close(Key("at", name))
        return happened.id

    # ================================================================ objects

    def look(self, ref: Ref) -> Any:
        """An object's value: as it is, or as it was when it left this turn; None if unknown."""
        value = self.store.values.get(ref)
        if value is not None:
            return value
        last: Snapshot | None = self.store.values.get(("last", ref))
        return last.state if last is not None else None

    def last_known(self, ref: Ref, name: str) -> Any:
        """A remembered number of an object that has left this turn; None if there is none."""
        last: Snapshot | None = self.store.values.get(("last", ref))
        return last.value(name) if last is not None else None

    def zone_word(self, ref: Ref) -> str:
        """The zone an object is in, without whose it is."""
        return self.board.place(ref.card).zone.partition(":")[0]

    def place_of(self, ref: Ref) -> str:
        """Where in its zone it is."""
        value = self.look(ref)
        return value.place if value is not None else ""

    def move_card(self, card: int, zone: str, position: int = TOP, **fields: Any) -> Ref:
        """Take a card to a zone as a new object. fields: of its new value, if it has behaviour
        there.

        Ends its old stay (remembering it), closes what was tied to that, starts the new one with
        its printed abilities.
        """
        place = self.board.place(card)
        old = Ref(card, place.residency) if place.zone else None
        if old is not None:
            self._leave(old)
        ref = self.arrive(card, zone, position, old)
        info = self.board.cards[card]
        if self.rules.behaves(info, zone):
            state = self.rules.new_object(ref, info, zone, stamp=self.next_stamp(), **fields)
            self.board.start_object(state)
            for ability in self.rules.printed(state, info):
                self.installed.printed(ref, ability, state.controller, zone)
        return ref

    def arrive(self, card: int, zone: str, position: int = TOP, old: Ref | None = None) -> Ref:
        """Give a card a new stay in a zone, without an actor; whoever sees it there knows it."""
        ref = self.board.arrive(card, zone, position)
        if self.views is not None:
            self.views.arrived(old, ref, zone)
        return ref

    def remove_card(self, ref: Ref) -> None:
        """Take an object out of the game's zones (a token that ceases to exist)."""
        self._leave(ref)

    def _leave(self, ref: Ref) -> None:
        value = self.store.values.get(ref)
        if value is not None:
            snapshot = Snapshot(value, self.rules.remembered_of(ref))
            self.board.depart(ref)
            self._put_for_this_turn(("last", ref), snapshot)
        else:
            self.board.depart(ref)
        if self.views is not None:
            self.views.left(ref)
        self.installed.close(Key("left", ref))

    def change(self, ref: Ref, **fields: Any) -> Any:
        """Change an object's fields by a message to its actor."""
        return self.board.change(ref, **fields)

    # ================================================================ seats

    def seat_state(self, seat: Seat) -> Any:
        """What the ruleset keeps for a player."""
        return self.store.values[("seat", seat)]

    def start_seat(self, state: SeatState) -> None:
        """Begin to keep a player's numbers."""
        key = ("seat", state.seat)
        self._seat_actors[state.seat] = Actor(f"seat {state.seat}", Holder(self.store, key, state))

    def introduce(self, names: Sequence[str]) -> None:
        """Say who sits where, for a game that was made before they came."""
        save = self.store.savepoint
        for seat, name in enumerate(names):
            self.change_seat(seat, name=name)
            before = None if save is None else save.before.get(("seat", seat))
            if save is not None and before is not None:
                # A name is no part of the play that is open: to take that back leaves it.
                save.before["seat", seat] = msgspec.structs.replace(before, name=name)

    def change_seat(self, seat: Seat, **fields: Any) -> Any:
        """Change a player's numbers by a message to the seat."""
        return self._seat_actors[seat].ask(Change(fields))

    # ================================================================ records

    def use(self, record_id: int) -> None:
        """Take one use of a record."""
        self.installed.use(record_id)

    def bind(self, record: Record, ref: Ref) -> None:
        """Tie a waiting passive to an object."""
        self.installed.bind(record, ref)

    def controller_of_record(self, record: Record) -> Seat:
        """Whose ability it is: its maker's, or for a printed one its object's controller."""
        if record.delayed or record.source.object is None:
            return record.controller
        controller: Seat = self.rules_table.controller_of(record.source.object)
        return controller if controller != NOBODY else record.controller

    def was_used(self, record: Record) -> bool:
        """Whether a once-each-turn ability was used this turn."""
        return self.store.get(self.usage_key(record)) is not None

    def mark_used(self, record: Record) -> None:
        """Note that a once-each-turn ability was used."""
        self._put_for_this_turn(self.usage_key(record), True)

    def note_this_turn(self, key: tuple[Any, ...]) -> None:
        """Note something until the next turn begins."""
        self._put_for_this_turn(key, True)

    def _put_for_this_turn(self, key: tuple[Any, ...], value: Any) -> None:
        self.store.put(key, value)
        self._of_this_turn.append(key)

    def usage_key(self, record: Record) -> tuple[Any, ...]:
        """Under which key the store notes that a once-each-turn ability was used."""
        return ("used", record.digest, record.source.object, record.id if record.delayed else 0)

    def next_stamp(self) -> int:
        """The next number in the order of things coming into being."""
        self._stamps += 1
        return self._stamps

    # ================================================================ chance

    def random(self, limit: int, purpose: str, seat: Seat = NOBODY) -> int:
        """A random number below `limit`; an open play stands from here on."""
        self.play_stands()
        counter = self.store.get(("random", purpose, seat)) or 0
        self.store.put(("random", purpose, seat), counter + 1)
        return below(self._key, limit, purpose, self._label(seat), counter)

    def shuffle(self, zone: str, seat: Seat = NOBODY) -> None:
        """Put a zone into a random order; an open play stands from here on."""
        self.play_stands()
        counter = self.store.get(("random", "shuffle", seat)) or 0
        refs = self.board.zone(zone)
        order, after = shuffled(self._key, refs, "shuffle", self._label(seat), counter)
        self.store.put(("random", "shuffle", seat), after)
        self.board.arrange(zone, order)

    def _label(self, seat: Seat) -> str:
        labels = self.options.get("random_labels")
        return str(labels[seat] if labels and seat != NOBODY else seat)

    # ================================================================ describing

    @property
    def last_ordinal(self) -> int:
        """The number of the latest message."""
        return self._messages

    def state_hash(self) -> str:
        """The hash of the whole state: for journal and operator only."""
        return self.store.digest()

    def describe_record(self, record: Record) -> str:
        """An ability's words, with where it comes from."""
        return f"{record.source.card}: {self.rules.words_of(record)}"

    def describe_proposal(self, proposal: Proposed) -> str:
        """What is about to happen, for people."""
        return self._describe(proposal)

    def describe_happened(self, message: Happened) -> str:
        """What has happened, for people."""
        return self._describe(message)

    def _describe(self, message: Message) -> str:
        names = ", ".join(self.board.card(ref).name for ref in message.subjects[:1])
        return f"{names} ({message.event})" if names else message.event
