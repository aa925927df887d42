"""Equipment: attaching and detaching as game actions, and paying to equip (434, 435, 818, 821).

Owns the proposals and verbs of attachment. What the link does is in `attaching.py`; what the
keywords stand for is in `equipping.py`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from longfuse.abilities.ability import Cost, Do
from longfuse.abilities.evaluate import objects
from longfuse.abilities.scope import Scope
from longfuse.game.questions import Option, Question, Steps
from longfuse.rulesets.riftbound import attaching, costs, looking, play
from longfuse.rulesets.riftbound.commits import told, writes
from longfuse.rulesets.riftbound.state import Permanent
from longfuse.rulesets.riftbound.verbs import verb, what, who
from longfuse.timing.messages import Happened, Proposed
from longfuse.timing.records import Source
from longfuse.timing.references import Ref, Seat

if TYPE_CHECKING:
    from longfuse.rulesets.riftbound.duel import Duel

Done = Steps[list[Happened]]


# ---------------------------------------------------------------- the actions


def attach(duel: Duel, gear: Ref, unit: Ref, player: Seat, source: Ref | None) -> Done:
    """434: attach a gear to a unit; to the one that it is attached to, nothing happens."""
    if not _can_attach(duel, gear, unit):
        return []
    proposal = Proposed(
        event="attach",
        subjects=(gear, unit),
        player=player,
        source=source,
        facts={"to": unit},
        clause="434",
    )
    return (yield from duel.game.publish(proposal))


def _can_attach(duel: Duel, gear: Ref, unit: Ref) -> bool:
    value, other = (duel.game.store.values.get(ref) for ref in (gear, unit))
    if not isinstance(value, Permanent) or not isinstance(other, Permanent):
        return False
    return other.type == "unit" and other.attached_to is None and value.attached_to != unit


def detach(duel: Duel, gears: tuple[Ref, ...], player: Seat, source: Ref | None) -> Done:
    """435: detach what is attached; the rest is left alone (435.1.a.1)."""
    proposals = [
        Proposed(
            event="detach",
            subjects=(gear, *looking.attached(duel, gear, to_it=False)),
            player=player,
            source=source,
            clause="435",
        )
        for gear in gears
        if looking.attached(duel, gear, to_it=False)
    ]
    return (yield from duel.game.publish(*proposals)) if proposals else []


@writes("attach")
def _attach(duel: Duel, proposal: Proposed) -> list[Happened]:
    gear, unit = proposal.subjects[0], proposal.facts["to"]
    if not _can_attach(duel, gear, unit):
        return []
    # 434.1.f: to a new unit it is attached after it is detached from the present one.
    before = looking.attached(duel, gear, to_it=False)
    if before:
        attaching.unlink(duel, gear)
    attaching.link(duel, gear, unit)
    found = [told(duel, "detached", proposal, subjects=(gear, *before))] if before else []
    found.append(told(duel, "attached", proposal, subjects=(gear, unit)))
    if looking.is_kind(duel, gear, "equipment"):
        found.append(told(duel, "equipped", proposal, subjects=(unit, gear)))
    return found


@writes("detach")
def _detach(duel: Duel, proposal: Proposed) -> list[Happened]:
    gear = proposal.subjects[0]
    before = looking.attached(duel, gear, to_it=False)
    if not before:
        return []
    attaching.unlink(duel, gear)
    return [told(duel, "detached", proposal, subjects=(gear, *before))]


# ---------------------------------------------------------------- the verbs


@verb("attach")
def _attach_verb(duel: Duel, node: Do, scope: Scope) -> Done:
    done: list[Happened] = []
    for unit in objects(node.to_objects, scope)[:1]:
        for gear in what(node, scope):
            done += yield from attach(duel, gear, unit, scope.controller, scope.source.object)
    return done


@verb("detach")
def _detach_verb(duel: Duel, node: Do, scope: Scope) -> Done:
    return (yield from detach(duel, what(node, scope), scope.controller, scope.source.object))


@verb("equip")
def _equip(duel: Duel, node: Do, scope: Scope) -> Done:
    """821.1.c: pay an Equipment's Equip cost, not using the ability, to attach it. What has none,
    can't be paid for or can't be attached stays as it is (821.1.c.4-5)."""
    gears, units = what(node, scope)[:1], objects(node.to_objects, scope)[:1]
    seats = who(node, scope)
    if not gears or not units or not seats or not _can_attach(duel, gears[0], units[0]):
        return []
    gear, seat = gears[0], seats[0]
    own = Scope(duel, seat, Source(gear, duel.card_name(gear), seat, "board"), item=scope.item)
    less = 1 if node.word == "any less" else 0
    cost = yield from _which_cost(duel, seat, gear, less, own)
    if cost is None or not (yield from play.pay_now(duel, seat, cost, own)):
        return []
    return (yield from attach(duel, gear, units[0], seat, scope.source.object))


def _which_cost(duel: Duel, seat: Seat, gear: Ref, less: int, own: Scope) -> Steps[Cost | None]:
    found = [reduced(ability.cost, less) for ability in duel.definition(gear).equips]
    payable = [cost for cost in found if play.cost_possible(duel, seat, cost, own)]
    if not payable:
        return None
    question = Question(
        id=0,
        seat=seat,
        shape="one",
        kind="pay",
        text=f"{own.source.card}: which Equip cost do you pay?",
        items=tuple(Option(label=_words(cost), value=cost) for cost in payable),
        source=own.source.card,
        clause="821.1.c",
        default=0,
    )
    cost: Cost = yield from duel.game.ask(question)
    return cost


def reduced(cost: Cost | None, less: int) -> Cost:
    """An Equip cost with so much Power of any domain less; one without such Power stays the same
    (821.1.c.3)."""
    if cost is None:
        return Cost()
    resources: list[tuple[str, int]] = []
    for name, number in cost.resources:
        taken = min(less, number) if name != "energy" else 0
        less -= taken
        if number > taken:
            resources.append((name, number - taken))
    return msgspec.structs.replace(cost, resources=tuple(resources))


def _words(cost: Cost) -> str:
    return costs.describe(costs.price_of(cost))
