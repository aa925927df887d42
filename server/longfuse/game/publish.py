"""Publishing: a batch of simultaneous messages, always in the same five steps.

Owns the order: propose and rewrite, collect what leaves with its object, commit together, happened,
triggers. It decides nothing that a rule book decides: who chooses, what a replacement does, what a
commit writes, where a trigger goes, are the ruleset's.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from longfuse.abilities.ability import Ability
from longfuse.abilities.evaluate import happens, holds, players
from longfuse.abilities.nodes import At, When
from longfuse.abilities.scope import Scope
from longfuse.abilities.watching import speaks_of_itself
from longfuse.game.questions import Option, Question, Steps
from longfuse.game.rules import Trigger
from longfuse.timing.messages import Happened, Message, Proposed, would
from longfuse.timing.records import Record
from longfuse.timing.windows import matches_mark

if TYPE_CHECKING:
    from longfuse.game.world import World


def publish(game: World, proposals: list[Proposed]) -> Steps[list[Happened]]:
    """Publish one batch; what happened in it is returned, without what replacements did instead."""
    game.batch += 1
    numbered = [game.number_proposal(proposal) for proposal in proposals]
    standing: list[Proposed] = []
    if len(numbered) > 1:
        numbered = yield from game.rules.arrange(game.rules.in_order(numbered))
    for proposal in numbered:
        settled = yield from propose(game, proposal)
        if settled is not None:
            standing.append(settled)
    if not standing:
        return []
    leaving = _leaving_listeners(game, standing)
    happened: list[Happened] = []
    for proposal in standing:
        game.committing = proposal
        happened.extend(game.rules.commit(proposal))
        game.committing = None
    yield from announce(game, happened, leaving)
    return happened


# ---------------------------------------------------------------- step 1: propose


def propose(game: World, proposal: Proposed) -> Steps[Proposed | None]:
    """Let replacements rewrite one proposal; None if something else was done instead."""
    if not game.subscriptions.live.get(would(proposal.event)):
        return proposal
    declined: set[int] = set()
    order: list[int] = []
    while True:
        candidates = _replacements(game, proposal, declined)
        if not candidates:
            return proposal
        record = candidates[0]
        if len(candidates) > 1:
            record, order = yield from _which_first(game, proposal, candidates, order)
        scope = game.rules.scope_of(record, proposal)
        if game.rules.is_optional(record.ability):
            agreed = yield from game.rules.agrees(record, proposal, scope)
            if not agreed:
                declined.add(record.id)
                continue
        marked = msgspec.structs.replace(proposal, applied=proposal.applied | {record.id})
        outer, game.lineage = game.lineage, marked
        rewritten = yield from game.rules.rewrite(record, marked, scope)
        game.lineage = outer
        if rewritten is marked:
            # It changed nothing: it is not used, but need not be looked at again.
            proposal = marked
            continue
        if record.ability.once or _is_ordinal(record.ability):
            game.mark_used(record)
        game.use(record.id)
        _note_applied(game, record)
        if rewritten is None:
            return None
        proposal = rewritten


def _note_applied(game: World, record: Record) -> None:
    """Note in the log that a replacement was applied; nothing waits for that."""
    source = record.source.object
    game.happened(
        "replaced",
        subjects=(source,) if source is not None else (),
        player=game.controller_of_record(record),
        facts={"record": record.id, "label": record.source.card},
    )


def _replacements(game: World, proposal: Proposed, declined: set[int]) -> list[Record]:
    return [
        record
        for record in game.subscriptions.matching(would(proposal.event), proposal.subjects)
        if record.kind == "replacement"
        and record.id not in proposal.applied
        and record.id not in declined
        and accepts(game, record, proposal)
    ]


def _which_first(
    game: World, proposal: Proposed, candidates: list[Record], order: list[int]
) -> Steps[tuple[Record, list[int]]]:
    by_id = {record.id: record for record in candidates}
    known = [number for number in order if number in by_id]
    if len(known) == len(by_id):
        return by_id[known[0]], known
    options = tuple(
        Option(
            label=game.describe_record(record),
            value=_Indistinct(record),
            refs=(record.source.object,) if record.source.object else (),
        )
        for record in candidates
    )
    chosen = yield from game.ask(
        Question(
            id=0,
            seat=game.rules.replacement_chooser(proposal),
            shape="order",
            kind="order",
            text=f"Which replacement applies first to: {game.describe_proposal(proposal)}?",
            items=options,
            clause=game.rules.replacement_clause,
            default=tuple(range(len(options))),
        )
    )
    numbers = [one.record.id for one in chosen]
    return by_id[numbers[0]], numbers


class _Indistinct:
    """A replacement in an order question: two with the same words and values are alike."""

    __slots__ = ("record",)

    def __init__(self, record: Record) -> None:
        self.record = record

    def indistinguishable(self, other: object) -> bool:
        return (
            isinstance(other, _Indistinct)
            and self.record.digest == other.record.digest
            and self.record.captured == other.record.captured
            and self.record.controller == other.record.controller
            and not self.record.ability.optional
            and not speaks_of_itself(self.record.ability)
        )


# ---------------------------------------------------------------- step 2: collect the leaving


def _leaving_listeners(game: World, standing: list[Proposed]) -> dict[int, Record]:
    """Triggers that wait for something about an object that is about to leave, as they are now."""
    found: dict[int, Record] = {}
    for proposal in standing:
        for ref in game.rules.leaving(proposal):
            for record in game.subscriptions.about(ref):
                if record.kind == "triggered":
                    found[record.id] = record
    return found


# ---------------------------------------------------------------- steps 4 and 5: happened


def announce(
    game: World, happened: list[Happened], leaving: dict[int, Record] | None = None
) -> Steps[None]:
    """Tell the listeners what happened; what is triggered becomes pending."""
    frozen = [(message, _listeners(game, message, leaving or {})) for message in happened]
    triggers: list[Trigger] = []
    matched: dict[int, list[tuple[Record, Happened]]] = {}
    for message, listeners in frozen:
        for record in listeners:
            still = game.subscriptions.records.get(record.id)
            if still is None and record.id not in (leaving or {}):
                continue
            if record.kind == "passive":
                _bind(game, still or record, message)
            elif record.kind == "triggered" and accepts(game, record, message):
                matched.setdefault(record.id, []).append((record, message))
    for record_id in sorted(matched):
        matched[record_id] = yield from _counted(game, matched[record_id])
    # Nobody is asked from here on: what has triggered is told together, with what is used up.
    for record_id in sorted(matched):
        triggers += _claim(game, matched[record_id])
    if triggers:
        yield from game.rules.triggers(triggers)


def _listeners(game: World, message: Happened, leaving: dict[int, Record]) -> list[Record]:
    live = game.subscriptions.matching(message.event, message.subjects)
    if not leaving:
        return live
    found = {record.id: record for record in live}
    for number, record in leaving.items():
        if message.event in record.watch and set(record.subjects) & set(message.subjects):
            found.setdefault(number, record)
    return [found[number] for number in sorted(found)]


def _bind(game: World, record: Record, message: Happened) -> None:
    """Tie a waiting passive to the object it was waiting for (390.4: the next spell)."""
    ability: Ability = record.ability
    if ability.binds is None or record.bound is not None or message.subject is None:
        return
    if not record.delayed:
        return
    scope = game.rules.scope_of(record, message)
    if _is_event(game, ability.binds, message, scope) and game.rules.functions(record):
        game.bind(record, message.subject)


def _counted(
    game: World, found: list[tuple[Record, Happened]]
) -> Steps[list[tuple[Record, Happened]]]:
    """Which of the simultaneous matches of one record count (383.1.b)."""
    record = found[0][0]
    limit = _limit(record)
    if limit is None or limit >= len(found):
        return found
    messages = yield from _pick(game, record, [message for _, message in found], limit)
    return [(record, message) for message in messages]


def _claim(game: World, counted: list[tuple[Record, Happened]]) -> list[Trigger]:
    """What triggers, and the uses that it takes."""
    triggers: list[Trigger] = []
    for record, message in counted:
        ability: Ability = record.ability
        controller = game.controller_of_record(record)
        triggers.append(Trigger(record, message, controller))
        if ability.once:
            game.mark_used(record)
        game.use(record.id)
    return triggers


def _limit(record: Record) -> int | None:
    ability: Ability = record.ability
    if ability.once or ability.per == "batch":
        return 1
    if isinstance(ability.when, When) and ability.when.nth:
        return 1
    return record.uses or None


def _pick(
    game: World, record: Record, messages: list[Happened], limit: int
) -> Steps[list[Happened]]:
    options = tuple(
        Option(label=game.describe_happened(message), value=message, refs=message.subjects[:1])
        for message in messages
    )
    chosen = yield from game.ask(
        Question(
            id=0,
            seat=game.controller_of_record(record),
            shape="some" if limit > 1 else "one",
            kind="first",
            text=f"Which one does {record.source.card} see?",
            items=options,
            least=limit,
            most=limit,
            source=record.source.card,
            default=0 if limit == 1 else tuple(range(limit)),
        )
    )
    return [chosen] if limit == 1 else list(chosen)


# ---------------------------------------------------------------- matching


def accepts(game: World, record: Record, message: Message) -> bool:
    """Whether an installed ability's condition is met by a message, now."""
    ability: Ability = record.ability
    if not game.rules.functions(record):
        return False
    when = ability.when
    scope = game.rules.scope_of(record, message)
    if isinstance(when, At):
        if not matches_mark(record.window, game.now):
            return False
        if when.whose is not None and not record.delayed:
            if game.now.owner not in players(when.whose, scope):
                return False
    elif when is not None and not _is_event(game, when, message, scope):
        return False
    is_single = ability.once or (isinstance(message, Proposed) and _is_ordinal(ability))
    if is_single and game.was_used(record):
        return False
    return ability.condition is None or holds(ability.condition, scope)


def _is_ordinal(ability: Ability) -> bool:
    """Whether it speaks of the Nth time in a turn: of several at once one is that."""
    return isinstance(ability.when, When) and ability.when.nth > 0


def _is_event(game: World, when: When, message: Message, scope: Scope) -> bool:
    if not happens(when, message, scope):
        return False
    if not when.nth:
        return True
    before = [
        earlier
        for earlier in game.log.this_turn(game.log_name(message))
        if earlier.batch != message.batch and happens(when, earlier, scope)
    ]
    if isinstance(message, Proposed):
        return len(before) == when.nth - 1
    together = [
        other
        for other in game.log.this_turn(message.event)
        if other.batch == message.batch and happens(when, other, scope)
    ]
    return len(before) < when.nth <= len(before) + max(1, len(together))
