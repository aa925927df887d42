"""Extras: additional costs of a card, mandatory and optional (356.2), and Deflect (809).

Owns which additional costs there are, which are taken, what they come to, and carrying out those
that are more than resources. The total cost is in `costs.py`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from longfuse.abilities.ability import Ability, Choice, Cost, Program
from longfuse.abilities.interpreter import run
from longfuse.abilities.scope import Scope
from longfuse.game.questions import Steps
from longfuse.game.state import ChainItem
from longfuse.rulesets.riftbound import asking, choosing, costs, grants, play, possible, repeat
from longfuse.rulesets.riftbound.definition import Definition
from longfuse.rulesets.riftbound.state import Permanent
from longfuse.timing.references import Ref, Seat

if TYPE_CHECKING:
    from longfuse.rulesets.riftbound.duel import Duel


class Extra(NamedTuple):
    """An additional cost. label: how the card's words ask for it; cost: its actions, if any."""

    label: str
    price: costs.Price
    cost: Cost | None
    optional: bool
    clause: str


LABELS = {"Additional Cost": "additional cost"}
CLAUSES = {"Accelerate": "805", "Repeat": "820", "Additional Cost": "356.2"}

# ---------------------------------------------------------------- which there are


def of_card(duel: Duel, seat: Seat, ref: Ref, definition: Definition) -> list[Extra]:
    """The additional costs of a card: its own, and those of keywords that effects give it."""
    given = duel.game.subscriptions.live.get(grants.EXTRA_COSTS)
    if not definition.extra and not given:
        return []
    found = [_printed(ability, definition) for ability in definition.extra]
    for _, change, _ in asking.answers(duel, "keyword", ref, seat) if given else ():
        if change.word == "Accelerate" and definition.type == "unit":
            if all(one.label != "Accelerate" for one in found):
                found.append(_printed(_ACCELERATE, definition))
        elif change.word == "Repeat" and definition.type == "spell":
            price = costs.Price(definition.energy, definition.power)
            if dict(change.resources).get("own cost") is None:
                price = costs.price_of(Cost(resources=change.resources), definition.domains)
            found.append(Extra("Repeat", price, None, True, CLAUSES["Repeat"]))
    if not found:
        return found
    return [_discounted(duel, seat, ref, one) for one in found]


_ACCELERATE = Ability(kind="keyword", keyword="Accelerate")


def _printed(ability: Ability, definition: Definition) -> Extra:
    keyword = ability.keyword
    cost = ability.cost
    if keyword == "Accelerate" and cost is None:
        cost = Cost(resources=(("energy", 1), ("own", 1)))
    return Extra(
        LABELS.get(keyword, keyword),
        costs.price_of(cost, definition.domains),
        costs.payable(cost) if cost is not None else None,
        ability.optional or keyword in ("Accelerate", "Repeat"),
        CLAUSES[keyword],
    )


def _discounted(duel: Duel, seat: Seat, ref: Ref, extra: Extra) -> Extra:
    """356.4.c: discounts on additional costs apply to them alone."""
    price = costs.component(duel, seat, ref, extra.label, extra.price)
    if extra.optional:
        price = costs.component(duel, seat, ref, "optional additional cost", price)
    return extra._replace(price=price)


# ---------------------------------------------------------------- taking and paying them


def choose(
    duel: Duel, item: ChainItem, definition: Definition, scope: Scope
) -> Steps[list[Extra] | None]:
    """355, 356.2: the additional costs that are taken; None if a mandatory one can't be."""
    assert item.card is not None
    taken: list[Extra] = []
    for extra in of_card(duel, item.controller, item.card, definition):
        able = _possible(duel, item.controller, extra, scope)
        if extra.optional:
            scope.names["paid"] = labels([*taken, extra])
            price = play.total(duel, item, definition, [*taken, extra], scope)
            scope.names["paid"] = labels(taken)
            if not able or not costs.can_pay(duel, item.controller, price):
                continue
            if extra.label == "Repeat" and not possible.choices_possible(
                duel, definition.program, repeat.afresh(definition.program, scope)
            ):
                continue
            words = f"pay {_words(extra)} more{_reason(extra)}"
            if not (
                yield from play.ask_may(
                    duel, item.controller, definition.name, extra.clause, "pay", words
                )
            ):
                continue
        elif not able:
            return None
        taken.append(extra)
        scope.names["paid"] = labels(taken)
        yield from _choices(duel, extra, definition, scope, taken)
    return taken


def labels(taken: list[Extra]) -> tuple[str, ...]:
    """What has been paid, by the labels that words ask for."""
    return tuple(extra.label for extra in taken)


def _choices(
    duel: Duel, extra: Extra, definition: Definition, scope: Scope, taken: list[Extra]
) -> Steps[None]:
    if extra.label == "Repeat":
        number = sum(one.label == "Repeat" for one in taken)
        yield from repeat.choose(duel, definition.program, scope, number)
    elif extra.cost is not None:
        for choice in extra.cost.choices:
            yield from choosing.choose(duel, choice, scope)


def _words(extra: Extra) -> str:
    if extra.cost is not None and extra.cost.actions:
        return "the additional cost" if extra.price.free else costs.describe(extra.price)
    return costs.describe(extra.price)


def _reason(extra: Extra) -> str:
    return f" ({extra.label})" if extra.label in CLAUSES else ""


def price(taken: list[Extra]) -> costs.Price:
    """What additional costs come to in resources."""
    total = costs.Price()
    for extra in taken:
        total = total.plus(extra.price)
    return total


def carry_out(duel: Duel, taken: list[Extra], scope: Scope) -> Steps[None]:
    """357.2: pay what is more than resources; what is replaced counts as paid (357.2.a)."""
    for extra in taken:
        if extra.cost is not None and extra.cost.actions:
            yield from run(extra.cost.actions, scope, duel)


# ---------------------------------------------------------------- legality


def _possible(duel: Duel, seat: Seat, extra: Extra, scope: Scope) -> bool:
    """Whether its actions could be carried out; its resources are looked at with the total."""
    if extra.cost is None:
        return True
    program = Program(choices=extra.cost.choices, body=extra.cost.actions)
    return (
        costs.actions_possible(duel, seat, extra.cost, scope)
        and possible.choices_possible(duel, program, scope)
        and play.discards_possible(duel, seat, extra.cost)
    )


def why_not(
    duel: Duel, seat: Seat, ref: Ref, definition: Definition, base: costs.Price, scope: Scope
) -> str:
    """Why a card's costs can't be met, mandatory additional costs and Deflect included."""
    found = of_card(duel, seat, ref, definition)
    if not found:
        more = least_deflect(duel, definition.program, scope)
        least = costs.card_price(duel, seat, ref, definition, base, more)
        return "" if costs.can_pay(duel, seat, least) else _too_dear(least)
    mandatory = [extra for extra in found if not extra.optional]
    if not all(_possible(duel, seat, extra, scope) for extra in mandatory):
        return "cost: its additional cost can't be paid (356.2.a)"
    more = price(mandatory).plus(least_deflect(duel, definition.program, scope))
    least = _price(duel, ref, definition, base, more, scope, labels(mandatory))
    if costs.can_pay(duel, seat, least):
        return ""
    for extra in found:
        # An optional additional cost may be what makes the rest cheap enough.
        if extra.optional and definition.own_changes and _possible(duel, seat, extra, scope):
            paid = labels([*mandatory, extra])
            with_it = more.plus(extra.price)
            reduced = _price(duel, ref, definition, base, with_it, scope, paid)
            if costs.can_pay(duel, seat, reduced):
                return ""
    return _too_dear(least)


def _too_dear(least: costs.Price) -> str:
    return f"cost: it costs {costs.describe(least)} (357)"


def _price(
    duel: Duel,
    ref: Ref,
    definition: Definition,
    base: costs.Price,
    more: costs.Price,
    scope: Scope,
    paid: tuple[str, ...],
) -> costs.Price:
    own = scope.with_name("paid", paid)
    return costs.card_price(duel, scope.controller, ref, definition, base, more, own)


# ---------------------------------------------------------------- Deflect


def deflect(duel: Duel, seat: Seat, names: dict[str, Any]) -> costs.Price:
    """809: each time an opponent's permanent with Deflect is chosen, Power of any domain more."""
    many = 0
    for name, value in names.items():
        if name.startswith("t") and isinstance(value, tuple):
            many += sum(deflects(duel, seat, ref) for ref in value if isinstance(ref, Ref))
    return costs.Price(0, ("any",) * many) if many else costs.Price()


def deflects(duel: Duel, seat: Seat, ref: Ref) -> int:
    """How much Power it costs that player to choose it."""
    if not isinstance(duel.game.store.values.get(ref), Permanent):
        return 0
    amount = asking.keywords_of(duel, ref).get("Deflect", 0)
    return amount if amount and asking.controller(duel, ref) != seat else 0


def too_dear(duel: Duel, ref: Ref, scope: Scope) -> str:
    """355.16: why an object can't be chosen: Deflect would cost more than can be paid."""
    many = deflects(duel, scope.controller, ref)
    item: ChainItem | None = duel.game.store.get(("item", scope.item)) if many else None
    if item is None or item.state != "pending":
        return ""
    if item.card is not None:
        due = play.total(duel, item, duel.definition(item.card), [], scope)
    else:
        due = costs.price_of(item.ability.cost)
        due = due.plus(deflect(duel, item.controller, scope.names))
    if costs.can_pay(duel, item.controller, due.plus(costs.Price(0, ("any",) * many))):
        return ""
    return f"cost: Deflect {many} can't be paid (809)"


def _may_be_enemy(choice: Choice) -> bool:
    return choice.selector is not None and choice.selector.control != "friendly"


def least_deflect(duel: Duel, program: Program, scope: Scope) -> costs.Price:
    """The least that Deflect makes a program cost, for choices that must be made."""
    seat = scope.controller
    if not any(_may_be_enemy(choice) for choice in program.choices):
        return costs.NOTHING
    if not duel.at_present(("deflecting", seat), lambda: _anything_deflects(duel, seat)):
        return costs.NOTHING
    many = 0
    for choice in program.choices:
        if choice.of != "object" or choice.least == 0:
            continue
        each = sorted(deflects(duel, seat, ref) for ref in possible.foreseen(duel, choice, scope))
        many += sum(each[: choice.least])
    return costs.Price(0, ("any",) * many)


def _anything_deflects(duel: Duel, seat: Seat) -> bool:
    return any(deflects(duel, seat, ref) for ref in duel.split.of("unit"))
