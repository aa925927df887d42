"""A duel: the riftbound rule book at work in one game of two players.

Owns nothing but the joining of its parts: the port that the kernel calls (`game.rules.Rules`), the
port that words are looked up through (`abilities.scope.Table`), and the interpreter's port
(`Engine`). Each answer is given by the module that owns its rule.
"""

from __future__ import annotations

from collections.abc import Iterable
from types import MappingProxyType
from typing import Any

from longfuse.abilities.ability import Ability, Choice, Cost, Do, Modes, Program
from longfuse.abilities.nodes import Objects, Selector, Tally
from longfuse.abilities.scope import Scope
from longfuse.game.entries import Interruption, Result
from longfuse.game.eyes import Viewer
from longfuse.game.faces import Face
from longfuse.game.present import AtPresent
from longfuse.game.questions import Steps
from longfuse.game.rules import Rules, Trigger
from longfuse.game.state import Card, ObjectState
from longfuse.rulesets.riftbound import (
    all_verbs,
    asking,
    chain,
    choosing,
    commits,
    delayed,
    ending,
    grants,
    looking,
    ordering,
    play,
    replacing,
    seeing,
    telling,
    turn,
)
from longfuse.rulesets.riftbound.definition import Definition
from longfuse.rulesets.riftbound.state import (
    Battlefield,
    Permanent,
    Player,
    Showdown,
    Split,
    split_by_type,
)
from longfuse.timing.messages import Happened, Message, Proposed
from longfuse.timing.records import Reason, Record
from longfuse.timing.references import Ref, Seat
from longfuse.timing.windows import Window

OPTIONS: dict[str, tuple[str, ...]] = {
    "R1": ("board", "zone"),
    "R2": ("chain", "origin"),
    "R3": ("ending step", "3d"),
    "R4": ("stays", "used"),
    "R5": ("creator", "controller"),
    "R6": ("chain first", "result first"),
}
"""Where the rule book leaves two readings: the values of each option, the default first."""


class Duel(AtPresent, Rules):
    """The rules of one two-player game."""

    name = "riftbound"
    turn_end = "expiration"
    mark_clauses = turn.CLAUSES
    replacement_clause = "372"
    end_clauses = MappingProxyType({Reason.NOT_CREATED: "359.3.e.16"})
    turn_marks = frozenset({"turn", "ending"})
    closing_marks = MappingProxyType({"combat end": "combat"})
    zone_names = (
        "board",
        "chain",
        "facedown",
        *(
            f"{zone}:{seat}"
            for seat in (0, 1)
            for zone in ("hand", "deck", "runes", "trash", "banishment", "champion")
        ),
    )

    def __init__(self, setup: turn.Setup) -> None:
        super().__init__()
        self.setup = setup
        self.cleaned_at = -1
        self.granted_at = -1
        self.guesses: dict[Ref, int] = {}
        """Mights that are being worked out, as they look so far."""
        self.guessed = 0
        self.recheck_every = 0
        """In development: every so many cached answers are computed again and compared."""
        self.reads = 0
        self.expected: dict[tuple[str, Ref], Any] = {}
        self._split = Split((), {})
        self._split_at = -1
        self.values: dict[tuple[str, Ref], asking.Cached] = {}

    # -------------------------------------------------------------- short ways to state

    def option(self, name: str) -> str:
        """The reading in force of one of OPTIONS."""
        return str(self.game.options.get(name, OPTIONS[name][0]))

    def player(self, seat: Seat) -> Player:
        """A player's numbers."""
        found: Player = self.game.seat_state(seat)
        return found

    def permanent(self, ref: Ref) -> Permanent:
        """An object on the board; KeyError if it is not there."""
        found: Permanent = self.game.store.values[ref]
        return found

    @property
    def split(self) -> Split:
        """The objects on the board by type; worked out anew only when something came, went or
        became something else."""
        store = self.game.store
        if self._split_at != store.version:
            self._split_at = store.version
            refs = self.game.board.zone("board")
            types = store.values.get(looking.COPIES, 0)
            if self._split.refs is not refs or self._split.types != types:
                users = tuple(ref for ref in refs if self.definition(ref).activated)
                self._split = split_by_type(refs, store.values, types, users)
        return self._split

    def definition(self, ref: Ref) -> Definition:
        """What is printed on an object, or on what it is a copy of."""
        return looking.definition(self, ref)

    def battlefields(self) -> list[Battlefield]:
        """The battlefields in order; not to be changed."""
        values = self.game.store.values
        return self.at_present(
            ("battlefields",), lambda: [values[ref] for ref in self.split.of("battlefield")]
        )

    def battlefield(self, place: str) -> Battlefield | None:
        """The battlefield at a place."""
        return next((one for one in self.battlefields() if one.place == place), None)

    @property
    def showdown(self) -> Showdown | None:
        """The showdown going on, if any."""
        found: Showdown | None = self.game.store.get(("showdown",))
        return found

    def opponent(self, seat: Seat) -> Seat:
        """The other player."""
        return 1 - seat

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
        return commits.leaving(self, proposal)

    def replacement_chooser(self, proposal: Proposed) -> Seat:
        """372: the affected object's controller; the affected player; else the turn player."""
        return replacing.chooser(self, proposal)

    def in_order(self, proposals: list[Proposed]) -> list[Proposed]:
        """373.1: in turn order of who is affected."""
        return replacing.in_order(self, proposals)

    def arrange(self, proposals: list[Proposed]) -> Steps[list[Proposed]]:
        """373: whose replacement comes first, and what one that may run out applies to."""
        return ordering.arrange(self, proposals)

    def rewrite(self, record: Record, proposal: Proposed, scope: Scope) -> Steps[Proposed | None]:
        """Apply a replacement."""
        return replacing.rewrite(self, record, proposal, scope)

    def agrees(self, record: Record, message: Message, scope: Scope) -> Steps[bool]:
        """371: whether an optional replacement is applied."""
        return replacing.agrees(self, record, scope)

    def is_optional(self, ability: Ability) -> bool:
        """371.1, 383.3.f.1: "once each turn" may be declined, too."""
        return ability.optional or bool(ability.once)

    def happened_name(self, proposed: str) -> str:
        """The event that a proposal becomes."""
        return commits.HAPPENS_AS.get(proposed, proposed)

    def triggers(self, triggers: list[Trigger]) -> Steps[None]:
        """383.3.d: order simultaneous triggers and make them pending."""
        return chain.add_triggers(self, triggers)

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
        return looking.printed(state, definition)

    def watch_words(self, ability: Ability) -> tuple[str, ...]:
        """The index words under which an installed ability waits."""
        return grants.watch_words(ability)

    def functions(self, record: Record) -> bool:
        """Whether an installed ability works now."""
        return looking.functions(self, record)

    def scope_of(self, record: Record, message: Message | None = None) -> Scope:
        """What an installed ability's words refer to."""
        names = record.names()
        if message is not None and "paid" in message.facts:
            names |= {"paid": message.facts["paid"], **dict(message.facts["paid names"])}
        return Scope(
            self,
            self.game.controller_of_record(record),
            record.source,
            names=names,
            message=message,
            record=record,
        )

    def residency(self, ref: Ref) -> Window:
        """390.5.c.2, by option R1."""
        return delayed.residency(self, ref)

    def remembered_of(self, ref: Ref) -> tuple[tuple[str, Any], ...]:
        """What is kept of an object that leaves."""
        return looking.remembered_of(self, ref)

    def words(self, ability: Ability) -> str:
        """What an ability says."""
        return telling.words(ability)

    def words_of(self, record: Record) -> str:
        """What an installed ability says, what it has captured by name."""
        return telling.words_of(self, record)

    # -------------------------------------------------------------- Rules: what viewers see

    def sees(self, viewer: Viewer, ref: Ref, zone: str) -> bool:
        """Whether a viewer sees an object's face there."""
        return seeing.sees(self, viewer, ref, zone)

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
        """The chain and the showdown."""
        return seeing.more_views(self, key)

    def is_told(self, message: Happened) -> bool:
        """Whether viewers are told of an event."""
        return telling.is_told(self, message)

    def sentence(self, message: Happened, viewer: Viewer | None) -> str:
        """What happened, in a sentence."""
        return telling.sentence(self, message, viewer is not None)

    # -------------------------------------------------------------- Table: looking

    def seats(self) -> tuple[Seat, ...]:
        """Seats from the turn player on."""
        first = self.turn_player()
        return (first, 1 - first)

    def turn_player(self) -> Seat:
        """Whose turn it is; before the first turn, the first player."""
        return max(0, self.game.now.owner)

    def is_there(self, ref: Ref) -> bool:
        """Whether the stay has not ended."""
        return self.game.board.is_there(ref)

    def controller_of(self, ref: Ref) -> Seat:
        """Layer 1: who controls it."""
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
        return asking.has_tag(self, ref, tag)

    def targets_of(self, ref: Ref) -> tuple[Ref, ...]:
        """What an item on the chain has chosen."""
        return looking.targets_of(self, ref)

    def has_keyword(self, ref: Ref, keyword: str) -> bool:
        """Whether it has the keyword."""
        return asking.has_keyword(self, ref, keyword)

    def is_at(self, ref: Ref, place: str, scope: Scope, place_of: Objects | None) -> bool:
        """Whether a place word holds for it."""
        return looking.is_at(self, ref, place, scope, place_of)

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
        return looking.holds(self, scope, word, amount)

    def in_zone(self, selector: Selector, scope: Scope) -> Iterable[Ref]:
        """The objects in a selector's zone."""
        return looking.in_zone(self, selector, scope)

    def attached(self, ref: Ref, to_it: bool) -> tuple[Ref, ...]:
        """Attachments."""
        return looking.attached(self, ref, to_it)

    def linked(self, scope: Scope, name: str) -> tuple[Ref, ...]:
        """390.5, 427.3.a: what this source remembers, while it is where it was put."""
        return delayed.linked(self, scope, name)

    def tally(self, scope: Scope, tally: Tally) -> int:
        """How often an event happened."""
        return looking.tally(self, scope, tally)

    # -------------------------------------------------------------- Engine: acting

    def has_stopped(self, scope: Scope) -> bool:
        """359.3.e.15: a spell that has left the chain while it resolved."""
        return chain.has_left(self, scope)

    def do(self, node: Do, scope: Scope) -> Steps[None]:
        """Carry out a game action."""
        return all_verbs.do(self, node, scope)

    def choose(self, choice: Choice, scope: Scope) -> Steps[bool]:
        """Ask a choice."""
        return choosing.choose(self, choice, scope)

    def may(self, seat: Seat, text: str, scope: Scope, cost: Cost | None) -> Steps[bool]:
        """Ask whether to do it."""
        return play.may(self, seat, text, scope, cost)

    def create(self, ability: Ability, scope: Scope) -> Steps[None]:
        """Install a delayed ability (389-392)."""
        return delayed.create(self, ability, scope)

    def remember(self, name: str, refs: tuple[Any, ...], scope: Scope) -> None:
        """Put objects into the source's link."""
        delayed.remember(self, name, refs, scope)

    def then(self, program: Program, scope: Scope) -> Steps[None]:
        """386-388: a reflexive trigger."""
        return chain.reflexive(self, program, scope)

    def pick_modes(self, node: Modes, scope: Scope) -> Steps[tuple[Program, ...]]:
        """Which modes were chosen."""
        return choosing.pick_modes(self, node, scope)
