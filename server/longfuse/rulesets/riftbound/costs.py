"""Costs: what playing or using something costs, and how it is paid from pool and runes (356-357).

Owns the total cost, whether a seat can pay it, the payment that the game proposes and its
alternatives. A basic rune gives 1 Energy for being exhausted and 1 Power of its domain for being
recycled; the same rune may do both.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

import msgspec

from longfuse.abilities.ability import Ability, Change, Cost, Do
from longfuse.abilities.evaluate import amount, holds, objects
from longfuse.abilities.nodes import Named
from longfuse.abilities.scope import Scope
from longfuse.game.questions import Option, Question, Steps
from longfuse.rulesets.riftbound import actions, asking, looking
from longfuse.rulesets.riftbound.definition import Definition
from longfuse.rulesets.riftbound.state import Permanent
from longfuse.rulesets.riftbound.vocabulary import DOMAINS
from longfuse.timing.records import Source
from longfuse.timing.references import Ref, Seat

if TYPE_CHECKING:
    from longfuse.rulesets.riftbound.duel import Duel

PAYMENTS_MAX = 8
"""How many different ways to pay are offered; the first is the game's proposal."""


class Price(NamedTuple):
    """A cost in resources: Energy, and one domain (or "any") per Power."""

    energy: int = 0
    power: tuple[str, ...] = ()

    def plus(self, other: Price) -> Price:
        """Both together."""
        return Price(self.energy + other.energy, tuple(sorted(self.power + other.power)))

    @property
    def free(self) -> bool:
        """Whether nothing is to be paid."""
        return self.energy <= 0 and not self.power


NOTHING = Price()


class Payment(NamedTuple):
    """One way to pay: what is taken from the pool, which runes are exhausted and recycled."""

    pool_energy: int
    pool_power: tuple[str, ...]
    exhaust: tuple[Ref, ...]
    recycle: tuple[Ref, ...]


def price_of(cost: Cost | None, domains: tuple[str, ...] = ()) -> Price:
    """A cost's resources as a price. "own" stands for the card's own domain (805.1.a)."""
    if cost is None:
        return Price()
    energy = 0
    power: list[str] = []
    for name, number in cost.resources:
        if name == "energy":
            energy += number
        elif name == "own":
            power += [domains[0] if len(domains) == 1 else "any"] * number
        else:
            power += [name] * number
    return Price(energy, tuple(sorted(power)))


def card_price(
    duel: Duel,
    seat: Seat,
    ref: Ref,
    definition: Definition,
    base: Price | None = None,
    more: Price | None = None,
    own: Scope | None = None,
) -> Price:
    """356: what playing a card costs: base, additional costs, increases, then discounts.

    more: the additional costs that are paid, Deflect's among them. own: what its own words refer
    to, where more is known of it than where it is.
    """
    price = base if base is not None else Price(definition.energy, definition.power)
    changes = [
        (change, amount(change.amount, scope))
        for _, change, scope in asking.answers(duel, "cost", ref, seat)
        if not change.word
    ]
    if definition.own_changes:
        scope = own or Scope(duel, seat, Source(ref, definition.name, seat))
        for change in _own_changes(definition, scope):
            if change.asks == "base cost":
                price = base_price(definition, asking.set_by(change, scope), is_flow=False)
            else:
                changes.append((change, amount(change.amount, scope)))
    if more is not None:
        price = price.plus(more)
    return changed(price, changes) if changes else price


def changed(price: Price, changes: list[tuple[Change, int]]) -> Price:
    """356.3-5: increases, then discounts, those with a minimum first; never below 0."""
    energy, power = price
    for change, number in changes:
        energy += max(0, number)
        for domain, many in change.resources:
            power += (domain,) * max(0, many)
    for change, number in sorted(changes, key=lambda one: one[0].least is None):
        if number < 0:
            energy = max(min(energy, change.least or 0), energy + number)
        for domain, many in change.resources:
            for _ in range(-many):
                power = _without(power, domain)
    return Price(max(0, energy), tuple(sorted(power)))


def _without(power: tuple[str, ...], domain: str) -> tuple[str, ...]:
    """One Power less: of that domain; "any" is the discount on Power of every domain."""
    at = next((n for n, word in enumerate(power) if domain in ("any", word)), None)
    return power if at is None else power[:at] + power[at + 1 :]


def component(duel: Duel, seat: Seat, ref: Ref | None, word: str, price: Price) -> Price:
    """356.4.c: a part of a cost after what changes only such parts: Repeat costs, Equip costs …"""
    changes = [
        (change, amount(change.amount, scope))
        for _, change, scope in asking.answers(duel, "cost", ref, seat)
        if change.word == word
    ]
    return changed(price, changes) if changes else price


def base_price(definition: Definition, free: str, is_flow: bool) -> Price:
    """356.1: the base cost: printed, the Flow cost, set by an effect, or (parts of it) ignored.

    free: "all", "energy", "power": ignored; "=3": 3 Energy instead.
    """
    if free.startswith("="):
        return Price(int(free[1:]))
    if free == "all":
        return Price()
    price = Price(definition.energy, definition.power)
    if is_flow:
        flow = keyword_cost(definition, "Flow")
        assert flow is not None, f"{definition.name} has no Flow"
        price = flow[1]
    match free:
        case "energy":
            return Price(0, price.power)
        case "power":
            return Price(price.energy)
    return price


def _own_changes(definition: Definition, scope: Scope) -> list[Change]:
    return [
        change
        for ability in definition.own_changes
        if ability.condition is None or holds(ability.condition, scope)
        for change in ability.changes
        if change.asks in ("cost", "base cost")
    ]


# ---------------------------------------------------------------- paying


def ready_runes(duel: Duel, seat: Seat) -> list[Ref]:
    """The runes that a player could exhaust; not to be changed."""
    runes = looking.permanents_of(duel, seat, "rune")
    return duel.at_present(
        ("ready runes", seat),
        lambda: [ref for ref in runes if not duel.permanent(ref).exhausted],
    )


def can_pay(duel: Duel, seat: Seat, price: Price) -> bool:
    """Whether pool and runes suffice."""
    if price.free:
        return True
    player = duel.player(seat)
    if player.energy + len(ready_runes(duel, seat)) < price.energy:
        return False
    runes = looking.permanents_of(duel, seat, "rune")
    return not price.power or _power_from(duel, seat, price, runes) is not None


def _power_from(
    duel: Duel, seat: Seat, price: Price, runes: list[Ref]
) -> tuple[tuple[str, ...], tuple[Ref, ...]] | None:
    """The Power taken from the pool and the runes recycled, cheapest first; None if it can't be."""
    pool = dict(duel.player(seat).power)
    left = sorted(runes, key=lambda ref: not duel.permanent(ref).exhausted)
    taken: list[str] = []
    recycled: list[Ref] = []
    for domain in sorted(price.power, key=lambda word: word == "any"):
        choices = [domain, "any"] if domain != "any" else [*DOMAINS, "any"]
        found = next((word for word in choices if pool.get(word, 0) > 0), None)
        if found is not None:
            pool[found] -= 1
            taken.append(found)
            continue
        rune = next((ref for ref in left if domain in ("any", _domain(duel, ref))), None)
        if rune is None:
            return None
        left.remove(rune)
        recycled.append(rune)
    return tuple(taken), tuple(recycled)


def _domain(duel: Duel, ref: Ref) -> str:
    domains = duel.game.board.card(ref).definition.domains
    return str(domains[0]) if domains else "any"


def payments(duel: Duel, seat: Seat, price: Price) -> list[Payment]:
    """The different ways to pay, the game's proposal first; empty if it can't be paid."""
    if not can_pay(duel, seat, price):
        return []
    runes = looking.permanents_of(duel, seat, "rune")
    power = _power_from(duel, seat, price, runes)
    assert power is not None, "it was payable"
    taken, recycled = power
    from_pool = min(duel.player(seat).energy, price.energy)
    needed = price.energy - from_pool
    ready = ready_runes(duel, seat)
    ways = _exhausts(duel, ready, recycled, needed)[:PAYMENTS_MAX]
    return [Payment(from_pool, taken, exhausted, recycled) for exhausted in ways]


def _exhausts(
    duel: Duel, ready: list[Ref], recycled: tuple[Ref, ...], needed: int
) -> list[tuple[Ref, ...]]:
    """Which runes to exhaust: those that are recycled anyway, then of the commonest domain."""
    if needed <= 0:
        return [()]
    first = [ref for ref in ready if ref in recycled][:needed]
    rest = [ref for ref in ready if ref not in first]
    by_domain: dict[str, list[Ref]] = {}
    for ref in rest:
        by_domain.setdefault(_domain(duel, ref), []).append(ref)
    domains = sorted(by_domain, key=lambda domain: (-len(by_domain[domain]), domain))
    found: list[tuple[Ref, ...]] = []
    for counts in _splits(needed - len(first), [len(by_domain[domain]) for domain in domains]):
        picked = [
            ref for domain, n in zip(domains, counts, strict=True) for ref in by_domain[domain][:n]
        ]
        found.append((*first, *picked))
        if len(found) == PAYMENTS_MAX:
            break
    return found


def _splits(total: int, sizes: list[int]) -> list[tuple[int, ...]]:
    """The ways to take `total` from groups of those sizes, as much as possible from the first."""
    if not sizes:
        return [()] if total == 0 else []
    found: list[tuple[int, ...]] = []
    for number in range(min(total, sizes[0]), -1, -1):
        if total - number > sum(sizes[1:]):
            break
        found += [(number, *rest) for rest in _splits(total - number, sizes[1:])]
    return found


def ask_payment(duel: Duel, seat: Seat, price: Price, what: str, source: str = "") -> Steps[bool]:
    """Let the seat pay: the game's proposal, or another way where that makes a difference.

    what: that it is for, in words. source: the card for which, or for whose ability.
    """
    ways = payments(duel, seat, price)
    if not ways:
        return False
    way = ways[0]
    if len(ways) > 1:
        question = Question(
            id=0,
            seat=seat,
            shape="one",
            kind="pay",
            text=f"How do you pay {describe(price)} for {what}?",
            items=tuple(
                Option(label=_label(duel, way), value=way, refs=way.exhaust) for way in ways
            ),
            source=source,
            clause="357",
            default=0,
        )
        way = yield from duel.game.ask(question)
    yield from carry_out(duel, seat, way)
    return True


def carry_out(duel: Duel, seat: Seat, way: Payment) -> Steps[None]:
    """Exhaust, recycle and take from the pool."""
    player = duel.player(seat)
    power = dict(player.power)
    for domain in way.pool_power:
        power[domain] -= 1
    if way.pool_energy or way.pool_power:
        kept = tuple((domain, number) for domain, number in power.items() if number)
        duel.game.change_seat(seat, energy=player.energy - way.pool_energy, power=kept)
    if way.exhaust:
        yield from actions.status(duel, "exhaust", way.exhaust, seat)
    if way.recycle:
        yield from actions.send(duel, way.recycle, "recycle", player=seat, clause="357.1.a")


def describe(price: Price) -> str:
    """A price in words."""
    parts = [f"{price.energy} Energy"] if price.energy else []
    parts += [f"1 {domain} Power" for domain in price.power]
    return " and ".join(parts) or "nothing"


def _label(duel: Duel, way: Payment) -> str:
    parts = []
    if way.pool_energy or way.pool_power:
        parts.append("the pool")
    if way.exhaust:
        parts.append("exhaust " + ", ".join(duel.card_name(ref) for ref in way.exhaust))
    if way.recycle:
        parts.append("recycle " + ", ".join(duel.card_name(ref) for ref in way.recycle))
    return "; ".join(parts)


# ---------------------------------------------------------------- other costs


def actions_possible(duel: Duel, seat: Seat, cost: Cost | None, scope: Scope) -> bool:
    """Whether the game actions of a cost can be carried out: each needs something to act on."""
    if cost is None:
        return True
    for action in cost.actions:
        if getattr(action, "verb", "") == "exhaust" and not _can_exhaust(duel, action, scope):
            return False
    return True


@lru_cache(maxsize=1024)
def payable(cost: Cost) -> Cost:
    """The cost, with choices of only what it can be paid with: what is exhausted must be ready."""
    needs = {
        action.what.name: state
        for action in cost.actions
        for verb, state in (("exhaust", "ready"), ("spend buff", "buffed"))
        if isinstance(action, Do) and action.verb == verb and isinstance(action.what, Named)
    }
    if not needs:
        return cost
    choices = tuple(
        msgspec.structs.replace(
            choice,
            selector=msgspec.structs.replace(
                choice.selector, states=(*choice.selector.states, needs[choice.name])
            ),
        )
        if choice.name in needs and choice.selector is not None
        else choice
        for choice in cost.choices
    )
    return msgspec.structs.replace(cost, choices=choices)


def _can_exhaust(duel: Duel, action: object, scope: Scope) -> bool:
    what = getattr(action, "what", None)
    if isinstance(what, Named) and what.name not in scope.names:
        # It is chosen while paying; what may be chosen is ready (`payable`).
        return True
    refs = objects(what, scope)
    values = [duel.game.store.values.get(ref) for ref in refs]
    return bool(values) and all(
        isinstance(value, Permanent) and not value.exhausted for value in values
    )


def keyword_cost(definition: Definition, keyword: str) -> tuple[Ability, Price] | None:
    """A keyword's cost as a price; Accelerate without one is 1 Energy and 1 own Power (805.1.a)."""
    ability = definition.keyword_costs.get(keyword)
    if ability is None:
        return None
    cost = ability.cost
    if cost is None and keyword == "Accelerate":
        cost = Cost(resources=(("energy", 1), ("own", 1)))
    return ability, price_of(cost, definition.domains)
