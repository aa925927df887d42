"""Playing: the steps from a pending item to a finalized one (349-359), and choices on the way.

Owns choices, costs and legality of cards, activated and triggered abilities. A play that turns out
illegal is undone (358.4): `TakenBack` unwinds it to where it began.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from longfuse.abilities.ability import Ability, Choice, Cost, Modes, Program
from longfuse.abilities.evaluate import amount, matches, players, select
from longfuse.abilities.interpreter import run
from longfuse.abilities.nodes import Selector
from longfuse.abilities.scope import Scope
from longfuse.abilities.watching import digest
from longfuse.game.game import TakenBack
from longfuse.game.questions import Option, Question, Steps, default_some, shape_of_one
from longfuse.game.state import ChainItem
from longfuse.rulesets.riftbound import (
    asking,
    battlefields,
    chain,
    costs,
    entering,
    hidden,
    looking,
    riders,
)
from longfuse.rulesets.riftbound.definition import Definition
from longfuse.rulesets.riftbound.state import Permanent
from longfuse.timing.records import Source
from longfuse.timing.references import Ref, Seat

if TYPE_CHECKING:
    from longfuse.rulesets.riftbound.duel import Duel

HIDDEN_ZONES = ("hand", "deck", "top of deck", "facedown")

# ---------------------------------------------------------------- finalizing


def finalize(duel: Duel, item: ChainItem) -> Steps[None]:
    """Steps 2 to 6 for a pending item that an instruction or a condition put on the chain."""
    outer, duel.game.cause = duel.game.cause, item.cause
    if item.card is not None:
        yield from _finalize_instructed(duel, item)
    else:
        yield from _finalize_ability(duel, item)
    duel.game.cause = outer


def _finalize_ability(duel: Duel, item: ChainItem) -> Steps[None]:
    """383.3: a triggered ability: "you may" first, then choices and costs; else it is removed."""
    ability: Ability = item.ability
    scope = chain.scope_of(duel, item)
    agreed = yield from _agrees_to_trigger(duel, item, ability, scope)
    if agreed:
        agreed = yield from choose_all(duel, ability.program, scope)
    if agreed and ability.cost is not None:
        agreed = yield from pay_cost(duel, item.controller, ability.cost, scope, item.source.card)
    if not agreed:
        _decline(duel, item)
        chain.remove(duel, item)
        return
    yield from _finalized(duel, item, scope, "ability finalized")


def _agrees_to_trigger(duel: Duel, item: ChainItem, ability: Ability, scope: Scope) -> Steps[bool]:
    if not duel.is_optional(ability):
        return True
    if not choices_possible(duel, ability.program, scope):
        return False
    if ability.cost is not None and not cost_possible(duel, item.controller, ability.cost, scope):
        return False
    return (yield from ask_may(duel, item.controller, item.source.card, "383.3.a"))


def _decline(duel: Duel, item: ChainItem) -> None:
    """R4: a "next time" that was declined waits on, or is used up. "Once each turn" is not spent."""
    record = item.record
    if record is None or not duel.is_optional(item.ability):
        return
    if item.ability.once:
        duel.game.store.put(duel.game.usage_key(record), None)
    if duel.option("R4") == "stays":
        duel.game.installed.give_back(record)
    else:
        duel.game.installed.declined(record)


def _finalize_instructed(duel: Duel, item: ChainItem) -> Steps[None]:
    """A card that an effect plays: choices, what it still costs, then finalized or put back."""
    assert item.card is not None
    done = yield from _steps(duel, item)
    if not done:
        # It can't be played: the instruction is ignored and the card stays where it came from.
        yield from riders.leave_chain(duel, item, dict(item.facts).get("from", "hand"))


def begin_card(
    duel: Duel, seat: Seat, ref: Ref, *, cause: int, instructed: bool = False, **facts: Any
) -> ChainItem:
    """354: the card leaves its zone and becomes a pending item."""
    definition: Definition = duel.game.board.card(ref).definition
    zone = duel.game.zone_word(ref)
    card = duel.game.move_card(ref.card, "chain")
    source = _source(duel, card, definition, seat, zone)
    return chain.add(
        duel,
        ChainItem(
            id=0,
            kind=definition.type,
            controller=seat,
            card=card,
            ability=None,
            source=source,
            cause=cause,
            instructed=instructed,
            facts=tuple({"from": zone, "was": ref, **facts}.items()),
        ),
    )


def _source(duel: Duel, card: Ref, definition: Definition, seat: Seat, zone: str) -> Source:
    return Source(card, definition.name, seat, "chain", 0, zone)


def play_card(duel: Duel, seat: Seat, ref: Ref, **facts: Any) -> Steps[None]:
    """A player's own play: taken back, or undone where it can't be completed (358.4)."""
    free = asking.set_cost(duel, seat, ref)
    if free:
        facts.setdefault("free", free)
    item = begin_card(duel, seat, ref, cause=duel.game.cause, **facts)
    done = yield from _steps(duel, item)
    if not done:
        raise TakenBack


def activate(duel: Duel, seat: Seat, ref: Ref, ability: Ability) -> Steps[None]:
    """398: use an activated ability."""
    value = duel.game.store.values[ref]
    source = Source(ref, duel.card_name(ref), seat, value.zone, 0, value.place)
    item = chain.add(
        duel,
        ChainItem(id=0, kind="ability", controller=seat, card=None, ability=ability, source=source),
    )
    scope = chain.scope_of(duel, item)
    chosen = yield from choose_all(duel, ability.program, scope)
    if not chosen or not (yield from pay_cost(duel, seat, ability.cost, scope, source.card)):
        raise TakenBack
    if ability.once:
        duel.game.note_this_turn(use_key(ability, ref))
    yield from _finalized(duel, item, scope, "ability activated")


def use_key(ability: Ability, ref: Ref) -> tuple[Any, ...]:
    """Under which key it is noted that a once-each-turn activated ability was used."""
    return ("used", digest(ability), ref, 0)


def _steps(duel: Duel, item: ChainItem) -> Steps[bool]:
    """Steps 2 to 6 for a card; False if it turns out that it can't be played."""
    assert item.card is not None
    definition: Definition = duel.game.board.card(item.card).definition
    scope = chain.scope_of(duel, item)
    if definition.type in ("unit", "gear"):
        place = yield from entering.choose_place(duel, item, definition)
        if place is None:
            return False
        scope.names["place"] = place
    elif not (yield from choose_all(duel, definition.program, scope)):
        return False
    extras = yield from _extra_costs(duel, item, definition, scope)
    price = _total(duel, item, definition, extras)
    paid = yield from costs.ask_payment(duel, item.controller, price, definition.name)
    if not paid:
        return False
    scope.names["paid"] = tuple(label for label, _ in extras)
    facts = {**dict(item.facts), "energy": price.energy, "power": len(price.power)}
    item = chain.write(duel, item, facts=tuple(facts.items()))
    yield from _finalized(duel, item, scope, "card finalized")
    return True


def _total(
    duel: Duel, item: ChainItem, definition: Definition, extras: list[tuple[str, costs.Price]]
) -> costs.Price:
    assert item.card is not None
    facts = dict(item.facts)
    base = costs.base_price(definition, facts.get("free", ""), is_flow=bool(facts.get("flow")))
    price = costs.card_price(duel, item.controller, item.card, definition, base)
    for _, extra in extras:
        price = price.plus(extra)
    return price.plus(deflect(duel, item))


def deflect(duel: Duel, item: ChainItem) -> costs.Price:
    """809: choosing an opponent's unit with Deflect costs Power of any domain more."""
    names = dict(chain.items(duel)[-1].names) if chain.items(duel) else {}
    power: list[str] = []
    for name, value in names.items():
        if not name.startswith("t") or not isinstance(value, tuple):
            continue
        for ref in value:
            if isinstance(ref, Ref) and isinstance(duel.game.store.values.get(ref), Permanent):
                if asking.controller(duel, ref) != item.controller:
                    power += ["any"] * asking.keywords_of(duel, ref).get("Deflect", 0)
    return costs.Price(0, tuple(power))


def _extra_costs(
    duel: Duel, item: ChainItem, definition: Definition, scope: Scope
) -> Steps[list[tuple[str, costs.Price]]]:
    """356.2: the optional additional costs that are taken."""
    chain.write(duel, item, names=tuple(scope.names.items()))
    found: list[tuple[str, costs.Price]] = []
    accelerate = costs.keyword_cost(definition, "Accelerate")
    if accelerate is not None:
        base = _total(duel, item, definition, [])
        if costs.can_pay(duel, item.controller, base.plus(accelerate[1])):
            words = f"Accelerate: {costs.describe(accelerate[1])} more"
            taken = yield from ask_may(duel, item.controller, definition.name, "805", "pay", words)
            if taken:
                found.append(("Accelerate", accelerate[1]))
    return found


def _finalized(duel: Duel, item: ChainItem, scope: Scope, event: str) -> Steps[None]:
    """359: the item is finalized; permanents enter at once. The play stands from here on."""
    game = duel.game
    names = tuple((name, value) for name, value in scope.names.items() if name != "paid")
    paid = scope.names.get("paid", ())
    item = chain.write(duel, item, state="finalized", names=names, paid=paid)
    game.batch += 1
    subjects = (item.card,) if item.card is not None else _source_ref(item)
    card = item.card.card if item.card is not None else -1
    if item.card is not None:
        player = duel.player(item.controller)
        game.change_seat(item.controller, finalized=player.finalized + 1)
    message = game.happened(
        event,
        subjects=subjects,
        player=item.controller,
        facts={**_plain(dict(item.facts)), "card": card, "label": item.source.card},
        clause="359" if item.card is not None else "383.3",
    )
    item = chain.write(duel, item, cause=message.id)
    chosen = _chosen_messages(duel, item)
    game.play_stands()
    if dict(item.facts).get("flow") and item.card is not None:
        # 829: a card played by Flow is banished when it leaves the chain.
        yield from duel.create(riders.rider("banish"), scope.with_name("rider", (item.card,)))
    yield from game.announce(message, *chosen)
    if item.kind in ("unit", "gear"):
        yield from entering.enter(duel, item)


def _source_ref(item: ChainItem) -> tuple[Ref, ...]:
    return (item.source.object,) if item.source.object is not None else ()


def _plain(facts: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in facts.items() if name in ("energy", "power", "from")}


def _chosen_messages(duel: Duel, item: ChainItem) -> list[Any]:
    """383.4.b: what was chosen, for abilities that see it."""
    if not duel.game.subscriptions.versions.get("chosen"):
        return []
    found = []
    for name, value in item.names:
        if not name.startswith("t") or not isinstance(value, tuple):
            continue
        for ref in value:
            if isinstance(ref, Ref):
                found.append(
                    duel.game.happened(
                        "chosen",
                        subjects=(ref,),
                        player=item.controller,
                        source=item.card or item.source.object,
                        clause="383.4.b",
                    )
                )
    return found


# ---------------------------------------------------------------- choices


def choose_all(duel: Duel, program: Program, scope: Scope) -> Steps[bool]:
    """355: ask every choice of a program in order; False if one that must be made can't be."""
    for choice in program.choices:
        if not (yield from choose(duel, choice, scope)):
            return False
    for node in program.body:
        if isinstance(node, Modes):
            yield from _choose_modes(duel, node, scope)
    return True


def choices_possible(duel: Duel, program: Program, scope: Scope) -> bool:
    """Whether each choice that must be made has enough to choose from (355.8)."""
    taken: dict[str, int] = {}
    for choice in program.choices:
        if choice.of != "object" or choice.least == 0:
            continue
        assert choice.selector is not None
        found = len(candidates(duel, choice, scope))
        if found < choice.least + sum(taken.get(name, 0) for name in choice.different):
            return False
        taken[choice.name] = choice.least
    return True


def candidates(duel: Duel, choice: Choice, scope: Scope) -> tuple[Ref, ...]:
    """What may be chosen: what matches, is not named before where it must differ, and may be."""
    assert choice.selector is not None
    earlier = [ref for name in choice.different for ref in scope.names.get(name, ())]
    found = []
    own = chain_card(duel, scope)
    for ref in select(choice.selector, scope):
        if ref in earlier or (ref == own and choice.selector.zone == "chain"):
            continue
        record = asking.forbidden(duel, "be chosen", scope.controller, ref)
        if record is None:
            found.append(ref)
    return hidden.narrowed(duel, choice, scope, tuple(found))


def chain_card(duel: Duel, scope: Scope) -> Ref | None:
    """The card on the chain that is choosing: it can't choose itself (355.9.c)."""
    item: ChainItem | None = duel.game.store.get(("item", scope.item))
    return item.card if item is not None else None


def choose(duel: Duel, choice: Choice, scope: Scope) -> Steps[bool]:
    """Ask one choice and name the answer."""
    seats = players(choice.who, scope)
    if not seats and choice.who is None:
        seats = (duel.turn_player(),)
    if not seats:
        return False
    seat = seats[0]
    match choice.of:
        case "object":
            return (yield from _choose_objects(duel, choice, scope, seat))
        case "player":
            return (yield from _choose_player(duel, choice, scope, seat))
        case "place":
            return (yield from _choose_place(duel, choice, scope, seat))
        case "number":
            return (yield from _choose_number(duel, choice, scope, seat))
    return (yield from _choose_word(duel, choice, scope, seat))


def _choose_objects(duel: Duel, choice: Choice, scope: Scope, seat: Seat) -> Steps[bool]:
    found = candidates(duel, choice, scope)
    most = min(amount(choice.most, scope), len(found))
    if most < 0 or len(found) < choice.least:
        # At finalization what must be chosen must exist; on resolution as much as can be is (359.3.e.11).
        scope.names[choice.name] = ()
        return False
    selector = choice.selector
    assert selector is not None
    hidden = selector.zone in HIDDEN_ZONES
    options = tuple(Option(label=duel.card_name(ref), value=ref, refs=(ref,)) for ref in found)
    if not options:
        scope.names[choice.name] = ()
        return True
    single = shape_of_one(most if choice.least else amount(choice.most, scope), choice.least)
    question = Question(
        id=0,
        seat=seat,
        shape=single,
        kind="card" if selector.zone not in ("board", "chain") else "target",
        text=f"{scope.source.card}: choose {_how_many(choice.least, most)} {_what(selector)}.",
        items=options,
        least=choice.least,
        most=most,
        source=scope.source.card,
        clause="355.5",
        public=not hidden,
        default=0 if single == "one" else default_some(options, choice.least),
    )
    answer = yield from duel.game.ask(question)
    scope.names[choice.name] = (answer,) if single == "one" else tuple(answer)
    return True


def _how_many(least: int, most: int) -> str:
    if least == most:
        return str(least)
    return f"up to {most}" if least == 0 else f"{least} to {most}"


def _what(selector: Selector) -> str:
    side = {"any": "", "friendly": "friendly ", "enemy": "enemy "}[selector.control]
    return side + " or ".join(selector.kinds)


def _choose_player(duel: Duel, choice: Choice, scope: Scope, seat: Seat) -> Steps[bool]:
    seats = duel.seats()
    question = Question(
        id=0,
        seat=seat,
        shape="one",
        kind="target",
        text=f"{scope.source.card}: choose a player.",
        items=tuple(Option(label=duel.player(one).name, value=one) for one in seats),
        source=scope.source.card,
        clause="355.5",
        default=0,
    )
    scope.names[choice.name] = yield from duel.game.ask(question)
    return True


def _choose_place(duel: Duel, choice: Choice, scope: Scope, seat: Seat) -> Steps[bool]:
    """355.4: the destination of a move, one other than where the unit is."""
    places = entering.places_for(duel, choice, scope)
    if not places:
        scope.names[choice.name] = ()
        return choice.least == 0
    question = Question(
        id=0,
        seat=seat,
        shape="one",
        kind="target",
        text=f"{scope.source.card}: choose where to.",
        items=tuple(entering.place_option(duel, place) for place in places),
        source=scope.source.card,
        clause="355.4",
        default=0,
    )
    scope.names[choice.name] = yield from duel.game.ask(question)
    return True


def _choose_number(duel: Duel, choice: Choice, scope: Scope, seat: Seat) -> Steps[bool]:
    most = amount(choice.most, scope)
    question = Question(
        id=0,
        seat=seat,
        shape="number",
        kind="number",
        text=f"{scope.source.card}: choose a number.",
        least=choice.least,
        most=max(choice.least, most),
        source=scope.source.card,
        default=choice.least,
    )
    scope.names[choice.name] = yield from duel.game.ask(question)
    return True


def _choose_word(duel: Duel, choice: Choice, scope: Scope, seat: Seat) -> Steps[bool]:
    question = Question(
        id=0,
        seat=seat,
        shape="one",
        kind="mode",
        text=f"{scope.source.card}: choose one.",
        items=tuple(Option(label=word, value=word) for word in choice.words),
        source=scope.source.card,
        default=0,
    )
    scope.names[choice.name] = yield from duel.game.ask(question)
    return True


def _choose_modes(duel: Duel, node: Modes, scope: Scope) -> Steps[None]:
    """355.3: modes are chosen with the other choices; a mode without targets can't be chosen."""
    options = tuple(
        Option(
            label=label,
            value=number,
            legal=choices_possible(duel, program, scope),
            reason="there is nothing it could choose (355.8)",
        )
        for number, (label, program) in enumerate(node.options)
    )
    if not any(option.legal for option in options):
        scope.names["modes"] = ()
        return
    single = shape_of_one(node.most, node.least)
    question = Question(
        id=0,
        seat=battlefields.responsible(duel, scope.controller),
        shape=single,
        kind="mode",
        text=f"{scope.source.card}: choose {_how_many(node.least, node.most)}.",
        items=options,
        least=node.least,
        most=min(node.most, len(options)),
        source=scope.source.card,
        clause="355.3",
        default=next(n for n, o in enumerate(options) if o.legal)
        if single == "one"
        else default_some(options, node.least),
    )
    answer = yield from duel.game.ask(question)
    scope.names["modes"] = (answer,) if single == "one" else tuple(sorted(answer))
    for number in scope.names["modes"]:
        for choice in node.options[number][1].choices:
            yield from choose(duel, choice, scope)


def pick_modes(duel: Duel, node: Modes, scope: Scope) -> Steps[tuple[Program, ...]]:
    """The modes chosen when the item was finalized; asked now where there was no such moment."""
    if "modes" not in scope.names:
        yield from _choose_modes(duel, node, scope)
    return tuple(node.options[number][1] for number in scope.names["modes"])


def drop_illegal_targets(duel: Duel, program: Program, scope: Scope) -> None:
    """359.3.e.2: targets that are other objects now, or no longer match, are not affected."""
    programs = [program]
    for node in program.body:
        if isinstance(node, Modes):
            programs += [node.options[number][1] for number in scope.names.get("modes", ())]
    for choice in (choice for one in programs for choice in one.choices):
        value = scope.names.get(choice.name)
        if choice.of != "object" or not isinstance(value, tuple) or choice.selector is None:
            continue
        scope.names[choice.name] = tuple(
            ref
            for ref in value
            if duel.is_there(ref)
            and _in_zone(duel, choice.selector, ref)
            and matches(choice.selector, ref, scope)
        )


def _in_zone(duel: Duel, selector: Selector, ref: Ref) -> bool:
    zone = duel.game.zone_word(ref)
    wanted = {"top of deck": "deck", "rune deck": "runes"}.get(selector.zone, selector.zone)
    return zone == wanted


# ---------------------------------------------------------------- may, and costs of abilities


def ask_may(
    duel: Duel, seat: Seat, source: str, clause: str, kind: str = "may", words: str = ""
) -> Steps[bool]:
    """Ask yes or no."""
    question = Question(
        id=0,
        seat=seat,
        shape="one",
        kind=kind,
        text=f"{source}: {words or 'do it'}?",
        items=(Option(label="yes", value=True), Option(label="no", value=False)),
        source=source,
        clause=clause,
        default=1,
    )
    return bool((yield from duel.game.ask(question)))


def may(duel: Duel, seat: Seat, text: str, scope: Scope, cost: Cost | None) -> Steps[bool]:
    """A later "you may": asked only of a seat that could pay; then it pays."""
    if cost is not None and not cost_possible(duel, seat, cost, scope):
        return False
    if not (yield from ask_may(duel, seat, scope.source.card, "383.3.a", words=text)):
        return False
    return (yield from pay_cost(duel, seat, cost, scope, scope.source.card))


def cost_possible(duel: Duel, seat: Seat, cost: Cost, scope: Scope) -> bool:
    """Whether a seat could pay a cost now."""
    if not costs.can_pay(duel, seat, costs.price_of(cost)):
        return False
    if not costs.actions_possible(duel, seat, cost, scope):
        return False
    program = Program(choices=cost.choices, body=cost.actions)
    return choices_possible(duel, program, scope) and _discards_possible(duel, seat, cost)


def _discards_possible(duel: Duel, seat: Seat, cost: Cost) -> bool:
    for action in cost.actions:
        verb = getattr(action, "verb", "")
        number = getattr(action, "amount", None)
        needed = number if isinstance(number, int) else 1
        if verb == "discard" and getattr(action, "what", None) is None:
            if len(duel.game.board.zone(f"hand:{seat}")) < needed:
                return False
        if verb == "recycle from trash" and looking.seat_stat(duel, seat, "trash") < needed:
            return False
        if verb == "spend xp" and duel.player(seat).xp < needed:
            return False
    return True


def pay_cost(duel: Duel, seat: Seat, cost: Cost | None, scope: Scope, what: str) -> Steps[bool]:
    """Pay resources and carry out the actions of a cost (357.2.a: replaced ones count as paid)."""
    if cost is None:
        return True
    if not cost_possible(duel, seat, cost, scope):
        return False
    for choice in cost.choices:
        if not (yield from choose(duel, choice, scope)):
            return False
    if not (yield from costs.ask_payment(duel, seat, costs.price_of(cost), what)):
        return False
    yield from run(cost.actions, scope, duel)
    return True
