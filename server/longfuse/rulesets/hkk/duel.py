"""A game of hkk: the rule book at work in one game of two players.

Owns nothing but the joining of its parts: the port that the kernel calls (`game.rules.Rules`), the
port that words are looked up through (`abilities.scope.Table`), and the interpreter's port
(`Engine`). Each answer is given by the module that owns its rule.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import Any

import msgspec

from longfuse.abilities.ability import Ability, Choice, Cost, Do, Modes, Program
from longfuse.abilities.nodes import Objects, Selector, Tally
from longfuse.abilities.scope import Scope
from longfuse.game import chain, replacing
from longfuse.game.entries import Interruption, Result
from longfuse.game.eyes import Viewer
from longfuse.game.faces import Face
from longfuse.game.present import AtPresent
from longfuse.game.questions import Steps
from longfuse.game.rules import Rules, Trigger
from longfuse.game.state import Card, ObjectState
from longfuse.rulesets.hkk import (
    asking,
    choosing,
    combat,
    commits,
    delayed,
    ending,
    grants,
    looking,
    play,
    reactions,
    seeing,
    telling,
    turn,
    verbs,
    verbs_cards,
    verbs_players,
    worklist,
)
from longfuse.rulesets.hkk.definition import FALL, Definition
from longfuse.rulesets.hkk.options import OPTIONS
from longfuse.rulesets.hkk.setup import Setup
from longfuse.rulesets.hkk.state import Combat, Player
from longfuse.timing.messages import Happened, Message, Proposed
from longfuse.timing.records import Record
from longfuse.timing.references import NOBODY, Ref, Seat

VERB_MODULES = (verbs, verbs_cards, verbs_players)
"""Importing them registers their verbs."""


class Duel(AtPresent, Rules):
    """The rules of one two-player game."""

    name = "hkk"
    turn_end = "end of turn"
    turn_marks = frozenset({"turn", "end of turn"})
    mark_clauses: Mapping[str, str] = MappingProxyType({"in preparation": "127.0.1"})
    zone_names = (
        "board",
        "chain",
        *(f"{zone}:{seat}" for seat in (0, 1) for zone in ("hand", "deck", "discard", "nothing")),
    )

    def __init__(self, setup: Setup) -> None:
        super().__init__()
        self.setup = setup
        self.checked_at = -1
        self.granted_at = -1
        self.evaluating: set[tuple[str, Ref]] = set()
        """Numbers that are being worked out."""

    # -------------------------------------------------------------- short ways to state

    def option(self, name: str) -> str:
        """The reading in force of one of OPTIONS."""
        return str(self.game.options.get(name, OPTIONS[name][0]))

    def player(self, seat: Seat) -> Player:
        """A player's numbers."""
        found: Player = self.game.seat_state(seat)
        return found

    def definition(self, ref: Ref) -> Definition:
        """What is printed on an object, or on what it is a copy of."""
        return looking.definition(self, ref)

    def opponent(self, seat: Seat) -> Seat:
        """The other player."""
        return 1 - seat

    @property
    def combat(self) -> Combat | None:
        """The combat going on, if any."""
        found: Combat | None = self.game.store.get(combat.COMBAT)
        return found

    # -------------------------------------------------------------- Rules: the course

    def play(self) -> Steps[Result]:
        """The whole game."""
        return turn.play(self)

    def interrupt(self, entry: Interruption) -> Result | None:
        """Conceding and the like."""
        return ending.interrupt(self, entry)

    # -------------------------------------------------------------- Rules: publishing

    def commit(self, proposal: Proposed) -> list[Happened]:
        """Carry out a proposal."""
        happened = commits.commit(self, proposal)
        grants.settle(self)
        return happened

    def leaving(self, proposal: Proposed) -> tuple[Ref, ...]:
        """What leaves by it."""
        return commits.leaving(proposal)

    def replacement_chooser(self, proposal: Proposed) -> Seat:
        """The affected object's controller, or the affected player."""
        seat = proposal.player
        if proposal.subjects and self.is_there(proposal.subjects[0]):
            seat = self.controller_of(proposal.subjects[0])
        return seat if seat != NOBODY else self.turn_player()

    def in_order(self, proposals: list[Proposed]) -> list[Proposed]:
        """Those that affect the active player first."""
        rank = {seat: number for number, seat in enumerate(self.seats())}
        return sorted(proposals, key=lambda proposal: rank[self.replacement_chooser(proposal)])

    def rewrite(self, record: Record, proposal: Proposed, scope: Scope) -> Steps[Proposed | None]:
        """Apply a replacement."""
        return replacing.rewrite(self.game, self, record, proposal, scope)

    def agrees(self, record: Record, message: Message, scope: Scope) -> Steps[bool]:
        """Whether an optional replacement is applied."""
        seat = self.game.controller_of_record(record)
        seat = seat if seat != NOBODY else self.turn_player()
        return play.may(self, seat, self.words_of(record), scope, record.ability.cost)

    def happened_name(self, proposed: str) -> str:
        """The event that a proposal becomes."""
        return commits.HAPPENS_AS.get(proposed, proposed)

    def triggers(self, triggers: list[Trigger]) -> Steps[None]:
        """Automatic abilities go into the queue; those of the preparation phase on its list."""
        left = worklist.catch(self, reactions.note(self, triggers))
        if left:
            yield from reactions.add_triggers(self, left)

    # -------------------------------------------------------------- Rules: objects and abilities

    def new_object(self, ref: Ref, card: Card, zone: str, **fields: Any) -> ObjectState:
        """The value of a new stay."""
        return looking.new_object(self, ref, card, zone, **fields)

    def behaves(self, card: Card, zone: str) -> bool:
        """Whether such an object gets an actor there."""
        return looking.behaves(card, zone)

    def printed(self, state: ObjectState, card: Card) -> tuple[Ability, ...]:
        """Which printed abilities listen from there."""
        copied = getattr(state, "copy_of", None)
        definition = card.definition if copied is None else self.game.board.cards[copied].definition
        found = looking.printed(state, definition)
        return tuple(self._by_option(one) for one in found)

    def _by_option(self, ability: Ability) -> Ability:
        """D12: whether it acts however the last counter fell, or only in the phase."""
        when = ability.when
        if getattr(when, "event", "") != FALL or self.option("D12") == "any":
            return ability
        facts = (*when.facts, ("rule", True))  # type: ignore[union-attr]
        when = msgspec.structs.replace(when, facts=facts)  # type: ignore[type-var]
        return msgspec.structs.replace(ability, when=when)

    def watch_words(self, ability: Ability) -> tuple[str, ...]:
        """The index words under which an installed ability waits."""
        return grants.watch_words(ability)

    def functions(self, record: Record) -> bool:
        """Whether an installed ability works now."""
        return asking.functions(self, record)

    def scope_of(self, record: Record, message: Message | None = None) -> Scope:
        """What an installed ability's words refer to."""
        return Scope(
            self,
            self.game.controller_of_record(record),
            record.source,
            names=record.names(),
            message=message,
            record=record,
        )

    def remembered_of(self, ref: Ref) -> tuple[tuple[str, Any], ...]:
        """What is kept of an object that leaves."""
        return looking.remembered_of(self, ref)

    def words(self, ability: Ability) -> str:
        """What an ability says."""
        return telling.words(ability)

    # -------------------------------------------------------------- Rules: what viewers see

    def sees(self, viewer: Viewer, ref: Ref, zone: str) -> bool:
        """Whether a viewer sees an object's face there."""
        return seeing.sees(viewer, zone)

    def object_view(self, ref: Ref) -> Face:
        """What whoever sees an object knows of it."""
        return seeing.object_view(self, ref)

    def view_asks(self, ref: Ref) -> tuple[str, ...] | None:
        """What passives are asked for that."""
        return seeing.view_asks(self, ref)

    def seat_view(self, seat: Seat) -> dict[str, Any]:
        """A player's public numbers."""
        return seeing.seat_view(self, seat)

    def more_views(self, key: seeing.Keys) -> dict[str, dict[str, Any]]:
        """The queue and the combat."""
        return seeing.more_views(self, key)

    def is_told(self, message: Happened) -> bool:
        """Whether viewers are told of an event."""
        return telling.is_told(self, message)

    def sentence(self, message: Happened, viewer: Viewer | None) -> str:
        """What happened, in a sentence."""
        return telling.sentence(self, message, viewer is not None)

    # -------------------------------------------------------------- Table: looking

    def seats(self) -> tuple[Seat, ...]:
        """Seats from the active player on."""
        first = self.turn_player()
        return (first, 1 - first)

    def turn_player(self) -> Seat:
        """The active player; before the first turn, the first."""
        return max(0, self.game.now.owner)

    def is_there(self, ref: Ref) -> bool:
        """Whether the stay has not ended."""
        return self.game.board.is_there(ref)

    def controller_of(self, ref: Ref) -> Seat:
        """On whose side it lies."""
        return asking.controller(self, ref)

    def owner_of(self, ref: Ref) -> Seat:
        """Whose card it is."""
        return self.game.board.card(ref).owner

    def card_name(self, ref: Ref) -> str:
        """Its name."""
        return looking.card_name(self, ref)

    def zone_of(self, ref: Ref) -> str:
        """The zone word of where it is, or was."""
        return looking.zone_of(self, ref)

    def is_kind(self, ref: Ref, word: str) -> bool:
        """Whether it is of that kind."""
        return looking.is_kind(self, ref, word)

    def is_state(self, ref: Ref, word: str) -> bool:
        """Whether a state word holds for it."""
        return looking.is_state(self, ref, word)

    def has_tag(self, ref: Ref, tag: str) -> bool:
        """Whether it has the tag."""
        return looking.has_tag(self, ref, tag)

    def has_keyword(self, ref: Ref, keyword: str) -> bool:
        """Whether it has the keyword."""
        return asking.has_keyword(self, ref, keyword)

    def targets_of(self, ref: Ref) -> tuple[Ref, ...]:
        """What an item in the queue has chosen."""
        return chain.targets_of(self.game, ref)

    def is_at(self, ref: Ref, place: str, scope: Scope, place_of: Objects | None) -> bool:
        """Whether a place word holds for it."""
        return looking.is_at(self, ref, place, scope)

    def source_place(self, scope: Scope) -> str:
        """ "Here"."""
        return looking.source_place(self, scope)

    def stat_of(self, ref: Ref, stat: str) -> int:
        """A number of an object."""
        return looking.stat_of(self, ref, stat)

    def seat_stat(self, seat: Seat, stat: str) -> int:
        """A number of a player."""
        return looking.seat_stat(self, seat, stat)

    def holds(self, scope: Scope, word: str, amount: int) -> bool:
        """Whether a state word of the game holds."""
        return looking.holds(self, scope, word)

    def in_zone(self, selector: Selector, scope: Scope) -> Iterable[Ref]:
        """The objects in a selector's zone."""
        return looking.in_zone(self, selector, scope)

    def attached(self, ref: Ref, to_it: bool) -> tuple[Ref, ...]:
        """Enchantments."""
        return looking.attached(self, ref, to_it)

    def linked(self, scope: Scope, name: str) -> tuple[Ref, ...]:
        """What this source remembers, while it is where it was put."""
        return delayed.linked(self, scope, name)

    def tally(self, scope: Scope, tally: Tally) -> int:
        """How often an event happened."""
        return looking.tally(self, scope, tally)

    # -------------------------------------------------------------- Engine: acting

    def has_stopped(self, scope: Scope) -> bool:
        """Nothing stops in the middle."""
        return False

    def do(self, node: Do, scope: Scope) -> Steps[None]:
        """Carry out a game action."""
        return verbs.do(self, node, scope)

    def choose(self, choice: Choice, scope: Scope) -> Steps[bool]:
        """Ask a choice."""
        return choosing.choose(self, choice, scope)

    def may(self, seat: Seat, text: str, scope: Scope, cost: Cost | None) -> Steps[bool]:
        """Ask whether to do it."""
        return play.may(self, seat, text, scope, cost)

    def create(self, ability: Ability, scope: Scope) -> Steps[None]:
        """Make a delayed ability."""
        return delayed.create(self, ability, scope)

    def remember(self, name: str, refs: tuple[Any, ...], scope: Scope) -> None:
        """Put objects into the source's link."""
        delayed.remember(self, name, refs, scope)

    def then(self, program: Program, scope: Scope) -> Steps[None]:
        """ "Do this:"."""
        reactions.reflexive(self, program, scope)
        yield from ()

    def pick_modes(self, node: Modes, scope: Scope) -> Steps[tuple[Program, ...]]:
        """Which modes are taken."""
        return choosing.pick_modes(self, node, scope)
