"""Installed abilities: how records come to be, act, and end.

Owns every record of one game from creation to its end, and the expiry handle that watches one. The
expiry is the game's, never the source's: a record is ended by its window's key, whoever is left on
the board. It publishes nothing and asks nobody.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from longfuse.abilities.ability import Ability
from longfuse.abilities.evaluate import named
from longfuse.abilities.nodes import When
from longfuse.abilities.scope import Scope
from longfuse.abilities.watching import (
    digest,
    fixed_sets,
    names_used,
    reads_state,
    watched_subjects,
)
from longfuse.game.durations import TooLate, resolve
from longfuse.timing.records import Ended, Reason, Record, Source
from longfuse.timing.references import Ref, Seat
from longfuse.timing.windows import (
    AtMark,
    FirstOf,
    InZone,
    Key,
    OnChain,
    ThisTurn,
    UntilMark,
    Window,
)

if TYPE_CHECKING:
    from longfuse.game.world import World

ENDED_KEPT = 128
"""How many ended delayed records a game remembers for its players."""
RECORDS_MAX = 50_000
"""A game with more waiting abilities than this is faulty, not rich."""


class ExpiryHandle:
    """What creating an ability gives back: is it live, when and why did it end; and cancel it."""

    __slots__ = ("_installed", "record")

    def __init__(self, installed: Installed, record: int) -> None:
        self._installed = installed
        self.record = record

    @property
    def live(self) -> bool:
        """Whether the record is installed."""
        return self.record in self._installed.game.subscriptions.records

    @property
    def end(self) -> Ended | None:
        """When and why it ended; None while it is live, and for what ended long ago."""
        return next((e for e in self._installed.ended() if e.record.id == self.record), None)

    @property
    def reason(self) -> Reason | None:
        """Why it ended; None while it is live."""
        return None if self.live or self.end is None else self.end.reason

    def cancel(self) -> None:
        """End the record because another ability says so; nothing if it has ended."""
        if self.live:
            self._installed.end(self.record, Reason.ENDED)


class Installed:
    """The records of one game."""

    def __init__(self, game: World) -> None:
        self.game = game
        self.last_id = 0
        self.ended_count = 0

    # ------------------------------------------------------------ coming to be

    def printed(self, ref: Ref, ability: Ability, controller: Seat, zone: str) -> None:
        """Install a printed ability of an object for as long as it stays where it is."""
        game = self.game
        card = game.board.card(ref)
        source = Source(ref, card.name, controller, zone, 0, game.place_of(ref))
        scope = Scope(game.rules_table, controller, source)
        self._install(
            ability,
            source,
            window=InZone(ref, zone),
            subjects=watched_subjects(ability, scope, delayed=False),
            delayed=False,
        )

    def give(
        self,
        ability: Ability,
        source: Source,
        window: Window,
        captured: tuple[tuple[str, Any], ...] = (),
    ) -> int:
        """Install an ability that something gives an object, as if it were printed on that."""
        scope = Scope(self.game.rules_table, source.controller, source, names=dict(captured))
        subjects = watched_subjects(ability, scope, delayed=False)
        if ability.kind == "activated" and source.object is not None:
            subjects = (source.object,)
        handle = self._install(
            ability, source, window=window, subjects=subjects, delayed=False, captured=captured
        )
        return handle.record

    def create(self, ability: Ability, scope: Scope) -> ExpiryHandle:
        """Make a delayed ability (392), or note that it came too late (359.3.e.16).

        Raises Unresolved if its words name something that is not known now: such an ability would
        never act, and nobody would know why.
        """
        captured = tuple(
            (name, value) for name in names_used(ability) for value in (_captured(name, scope),)
        )
        captured += fixed_sets(ability, scope)
        subjects = watched_subjects(ability, scope, delayed=True)
        source = msgspec.structs.replace(scope.source, controller=scope.controller, item=scope.item)
        try:
            window = resolve(ability, scope, self.game)
        except TooLate:
            return self._not_created(ability, source, captured, subjects)
        if subjects and not any(self.game.board.is_there(ref) for ref in subjects):
            return self._not_created(ability, source, captured, subjects)
        return self._install(
            ability, source, window=window, subjects=subjects, delayed=True, captured=captured
        )

    def _install(
        self,
        ability: Ability,
        source: Source,
        *,
        window: Window,
        subjects: tuple[Ref, ...],
        delayed: bool,
        captured: tuple[tuple[str, Any], ...] = (),
    ) -> ExpiryHandle:
        game = self.game
        if len(game.subscriptions.records) >= RECORDS_MAX:
            raise RuntimeError(f"more than {RECORDS_MAX} abilities wait: {ability.text!r}")
        record = self._record(ability, source, window, subjects, delayed, captured)
        self.put(record)
        return ExpiryHandle(self, record.id)

    def _record(
        self,
        ability: Ability,
        source: Source,
        window: Window,
        subjects: tuple[Ref, ...],
        delayed: bool,
        captured: tuple[tuple[str, Any], ...],
    ) -> Record:
        self.last_id += 1
        return Record(
            id=self.last_id,
            kind=ability.kind,
            delayed=delayed,
            controller=source.controller,
            source=source,
            ability=ability,
            digest=digest(ability),
            window=window,
            watch=self.game.rules.watch_words(ability),
            subjects=subjects,
            about=subjects[0] if delayed and len(subjects) == 1 else None,
            captured=captured,
            uses=_uses(ability, window) if delayed else ability.uses,
            points=ability.points,
            created_mark=self.game.now.mark.id,
            created_message=self.game.cause,
            stamp=self.game.next_stamp(),
            reads_state=reads_state(ability, delayed),
        )

    def _not_created(
        self,
        ability: Ability,
        source: Source,
        captured: tuple[tuple[str, Any], ...],
        subjects: tuple[Ref, ...],
    ) -> ExpiryHandle:
        record = self._record(ability, source, InZone(Ref(-1, 0), ""), subjects, True, captured)
        self._note_end(record, Reason.NOT_CREATED)
        return ExpiryHandle(self, record.id)

    # ------------------------------------------------------------ acting

    def put(self, record: Record) -> None:
        """Write a record's new value to the store and the index."""
        self.game.store.put(("record", record.id), record)
        self.game.subscriptions.install(record)
        if self.game.views is not None:
            self.game.views.waits(record)

    def use(self, record_id: int) -> None:
        """Take one use of a record; at the last it has fired. A claim, before the effect runs."""
        record = self.game.subscriptions.records.get(record_id)
        if record is None or record.uses == 0:
            return
        if record.uses == 1:
            self.end(record_id, Reason.FIRED)
        else:
            self.put(msgspec.structs.replace(record, uses=record.uses - 1))

    def spend(self, record_id: int) -> None:
        """End a record that has nothing left to give."""
        self.end(record_id, Reason.FIRED)

    def give_back(self, record: Record) -> None:
        """Undo a claim that was declined: the record waits again, if its window is still open.

        record: the value that it had before the claim.
        """
        if record.uses == 0:
            return
        live = self.game.subscriptions.records.get(record.id)
        if live is not None:
            self.put(msgspec.structs.replace(live, uses=live.uses + 1))
        elif self.window_open(record):
            self._forget_end(record.id)
            self.put(msgspec.structs.replace(record, uses=1))

    def declined(self, record: Record) -> None:
        """A claim was declined where that uses it up: the reason of its end says so."""
        if self._forget_end(record.id):
            self._note_end(record, Reason.DECLINED)

    def window_open(self, record: Record) -> bool:
        """Whether the window of a record that has ended would still be open now."""
        return _still_open(record.window, self.game, record)

    def bind(self, record: Record, ref: Ref) -> None:
        """Tie a waiting passive to an object: its one use is taken, it lasts while that is
        there.
        """
        window = OnChain(ref)
        self.put(msgspec.structs.replace(record, bound=ref, window=window))

    def follow(self, old: Ref, new: Ref, zone: str) -> None:
        """Let what waits about an object speak of the one that it is about to become in `zone`."""
        for record in self.game.subscriptions.waiting():
            captured = tuple((name, _followed(value, old, new)) for name, value in record.captured)
            subjects = _followed(record.subjects, old, new)
            window = InZone(new, zone) if _is_stay_of(record.window, old) else record.window
            if (captured, subjects, window) != (record.captured, record.subjects, record.window):
                self.put(
                    msgspec.structs.replace(
                        record,
                        captured=captured,
                        subjects=subjects,
                        window=window,
                        about=new if record.about == old else record.about,
                    )
                )

    # ------------------------------------------------------------ ending

    def end(self, record_id: int, reason: Reason) -> None:
        """End a record."""
        record = self.game.subscriptions.remove(record_id)
        if record is None:
            return
        self.game.store.put(("record", record_id), None)
        if record.delayed:
            self._note_end(record, reason)
        self.close(Key("ended", record_id))

    def close(self, key: Key, controller: Seat | None = None) -> None:
        """End together all records whose window this closes; a bound passive has been used."""
        for record in self.game.subscriptions.closing(key, self.game.now, controller):
            self.end(record.id, Reason.FIRED if record.bound is not None else Reason.EXPIRED)

    def player_left(self, seat: Seat) -> None:
        """End what a player who left controls."""
        for record in list(self.game.subscriptions.records.values()):
            if record.controller == seat and record.delayed:
                self.end(record.id, Reason.PLAYER_LEFT)

    def ended(self) -> list[Ended]:
        """The delayed records that have ended, latest first (the last ENDED_KEPT of them)."""
        found = [
            self.game.store.get(("ended", number % ENDED_KEPT))
            for number in range(self.ended_count, max(0, self.ended_count - ENDED_KEPT), -1)
        ]
        return [end for end in found if end is not None]

    def known(self, record_id: int) -> Record | None:
        """An ability that is installed, or a delayed one that has ended not long ago."""
        live = self.game.subscriptions.records.get(record_id)
        if live is not None:
            return live
        return next((end.record for end in self.ended() if end.record.id == record_id), None)

    def _note_end(self, record: Record, reason: Reason) -> None:
        self.ended_count += 1
        end = Ended(record, reason, self.game.now.mark.id)
        self.game.store.put(("ended", self.ended_count % ENDED_KEPT), end)
        is_told = reason is Reason.FIRED and record.kind != "passive"
        if not is_told and reason is not Reason.PLAYER_LEFT:
            # What acts is told as it does, but a passive is only looked up; and that a player has
            # left says it of all that was theirs.
            self._log_end(record, reason)

    def _log_end(self, record: Record, reason: Reason) -> None:
        """Note in the log that an ability waits no more; nothing waits for that."""
        source = record.source.object
        self.game.happened(
            "ability ended",
            subjects=(source,) if source is not None else (),
            player=record.controller,
            facts={"record": record.id, "reason": reason.value, "label": record.source.card},
            clause=self.game.rules.end_clauses.get(reason, ""),
        )

    def _forget_end(self, record_id: int) -> bool:
        for number in range(self.ended_count, max(0, self.ended_count - ENDED_KEPT), -1):
            end: Ended | None = self.game.store.get(("ended", number % ENDED_KEPT))
            if end is not None and end.record.id == record_id:
                self.game.store.put(("ended", number % ENDED_KEPT), None)
                return True
        return False


def _uses(ability: Ability, window: Window) -> int:
    """How often it may act: the Nth event of one turn comes but once."""
    nth = isinstance(ability.when, When) and ability.when.nth
    return 1 if nth and isinstance(window, ThisTurn) else ability.uses


def _followed(value: Any, old: Ref, new: Ref) -> Any:
    if isinstance(value, Ref):
        return new if value == old else value
    if isinstance(value, tuple):
        return tuple(_followed(one, old, new) for one in value)
    return value


def _is_stay_of(window: Window, ref: Ref) -> bool:
    return isinstance(window, InZone) and window.object == ref


def _captured(name: str, scope: Scope) -> Any:
    """What a name means now; an error if it means nothing (never an ability that never fires)."""
    return named(name, scope)


def _still_open(window: Window, game: World, record: Record) -> bool:
    if record.about is not None and not game.board.is_there(record.about):
        return False
    match window:
        case ThisTurn(turn=turn):
            return turn == game.now.turn
        case InZone(object=ref) | OnChain(item=ref):
            return game.board.is_there(ref)
        case FirstOf(parts=parts):
            return all(_still_open(part, game, record) for part in parts)
        case AtMark() | UntilMark():
            return False
        case _:
            return True
