"""Advice: how good each answer to a prompt looks, for a computer player.

Owns the ratings, from the prompt and the view of the seat that is asked, and from what every player
can know of the cards. It never looks at a game; it is no part of the rules.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from typing import Any

from longfuse.abilities.ability import Ability, Change, Choice, Create, Do
from longfuse.abilities.nodes import Named, Who
from longfuse.abilities.watching import walk
from longfuse.rulesets.hkk import entry
from longfuse.rulesets.hkk.definition import Definition
from longfuse_protocol.prompts import Item, Prompt
from longfuse_protocol.views import View

Entity = Mapping[str, Any]
Ratings = list[float]

NEVER = -99.0
HARMS = frozenset(
    {"deal", "destroy", "throw", "return", "discard", "turn", "control", "prevent", "to bottom"}
)
"""What a player does to what is the opponent's."""
COUNTERS = ("place counters", "remove counters", "double counters")


class Advice:
    """What a sensible player of this game would think of its prompts."""

    def __init__(self) -> None:
        entry.definitions()

    def value(self, view: View, seat: int) -> float:
        """What a position is worth to a seat: life, and what lies on each side."""
        total = 0.0
        for one in (0, 1):
            sign = 1.0 if one == seat else -1.0
            mine = [
                body_of(piece) for piece in _pieces(view).values() if piece["controller"] == one
            ]
            total += sign * (float(view.entities[f"seat:{one}"]["life"]) + sum(mine))  # type: ignore[arg-type]
        return total

    def rate(self, prompt: Prompt, view: View) -> Sequence[float]:
        """A rating per item, above 0 worth choosing; of a number, each from the least on.

        Empty where the prompt's default is as good as anything.
        """
        rater = _RATERS.get(prompt.kind)
        if rater is None or not prompt.items:
            return ()
        return [rater(prompt, view, item) if item.legal else NEVER for item in prompt.items]


def _pieces(view: View) -> dict[str, Entity]:
    """What is in play, by key."""
    return {
        key: one for key, one in view.entities.items() if "place" in one and "controller" in one
    }


def body_of(piece: Entity) -> float:
    """What a permanent is worth: a creature's damage and what is left of its life."""
    if piece["type"] != "creature":
        return 1.0 + int(piece["cost"]) / 2
    return int(piece["damage"]) + (int(piece["life"]) - int(piece["wounds"])) / 2


# ---------------------------------------------------------------- what cards do


@lru_cache(maxsize=1024)
def _harm(name: str) -> float:
    """How much a card's program harms what it chooses: above 0 it is for the opponent's, below 0
    for one's own, 0 for neither."""
    definition = entry.definitions().get(name)
    if definition is None:
        return 0.0
    return sum(_harm_of(node) for one in definition.abilities for node in walk(one))


def _harm_of(node: Any) -> float:
    if isinstance(node, Do) and isinstance(node.what, Named):
        if node.verb in COUNTERS:
            helps = (node.verb == "remove counters") == (node.word == "delayed")
            return -1.0 if helps else 1.0
        return 1.0 if node.verb in HARMS else -1.0
    if isinstance(node, Change) and isinstance(node.of, Named):
        number = node.amount if isinstance(node.amount, int) else 1
        if node.asks in ("no abilities", "must not", "controller") or number < 0:
            return 1.0
        return -1.0
    return 0.0


def _side(choice: Choice) -> str:
    return choice.selector.control if choice.selector is not None else "any"


def _is_choosy(definition: Definition) -> bool:
    return any(_side(choice) == "any" for choice in definition.program.choices)


def _hurts_me(ability: Ability) -> bool:
    """Whether all that it does is done to its own player."""
    done = [node for node in walk(ability.program) if isinstance(node, Do)]
    return bool(done) and all(
        node.verb in ("hurt", "discard", "mill", "lose") and node.who in (None, Who("you"))
        for node in done
    )


# ---------------------------------------------------------------- actions


def _action(prompt: Prompt, view: View, item: Item) -> float:
    if item.label == "Attack":
        return 5.0
    if item.label == "Move creatures":
        return 0.5 if _moves_help(prompt, view, item) else -1.0
    if not item.about or item.label == "Pass":
        return 0.0
    entity: Entity = view.entities[item.about[0]]
    if item.label.startswith("Play "):
        return _play(prompt, view, entity)
    return _use(prompt, view, entity)


def _moves_help(prompt: Prompt, view: View, item: Item) -> bool:
    """Creatures of the guard post come back to attack."""
    return any("guard" in str(view.entities[key].get("place", "")) for key in item.about)


def _play(prompt: Prompt, view: View, entity: Entity) -> float:
    name, cost = str(entity["card"]), int(entity["cost"])
    definition = entry.definitions().get(name)
    if definition is None or (definition.is_permanent and definition.type != "enchantment"):
        return 2.0 + cost + (2.0 if entity["type"] == "creature" else 0.0)
    harm = _harm(name)
    if definition.program.choices and _is_choosy(definition):
        mine, theirs = _sides(prompt, view)
        if harm > 0:
            return 1.0 + cost if theirs else -1.0
        if harm < 0:
            return 1.0 + cost if mine else -1.0
    if prompt.kind == "priority":
        return 1.0 + cost if _against(prompt, view, definition) else -1.0
    return 0.5 + cost


def _against(prompt: Prompt, view: View, definition: Definition) -> bool:
    """Whether the newest item in the queue is the opponent's; of what prevents it alone asks."""
    items: Any = view.entities.get("chain", {}).get("items", [])
    top: Entity = view.entities.get(items[-1], {}) if items else {}
    return top.get("controller") != prompt.seat


def _sides(prompt: Prompt, view: View) -> tuple[list[Entity], list[Entity]]:
    """What is in play on one's own side, and on the other."""
    pieces = list(_pieces(view).values())
    mine = [one for one in pieces if one["controller"] == prompt.seat]
    return mine, [one for one in pieces if one["controller"] != prompt.seat]


def _use(prompt: Prompt, view: View, entity: Entity) -> float:
    definition = entry.definitions().get(str(entity["card"]))
    if definition is None:
        return 0.3
    abilities = definition.activated
    if any(_hurts_me(one) for one in abilities):
        return -1.0
    sacrifices = any(
        isinstance(node, Do) and node.verb in ("destroy", "throw")
        for one in abilities
        if one.cost is not None
        for node in one.cost.actions
    )
    if sacrifices or (_harm(str(entity["card"])) < 0 and prompt.kind == "priority"):
        return -0.5
    if any(isinstance(node, Create) for one in abilities for node in walk(one.program)):
        # What lasts a while is used when it counts: in a fight.
        phase = str(view.entities["mark"]["phase"])
        return 0.5 if phase == "combat" and prompt.kind == "action" else -0.5
    return 0.4


# ---------------------------------------------------------------- choices


def _target(prompt: Prompt, view: View, item: Item) -> float:
    if prompt.text == "Which creatures attack?":
        return _attacks(prompt, view, item)
    if prompt.text.startswith("Whom does "):
        return _victim(prompt, view, item)
    if prompt.text == "Which creatures move?":
        return 1.0 if "guard" in str(view.entities[item.about[0]].get("place", "")) else -1.0
    if prompt.text == "Where do they go?":
        return 1.0 if item.label == "reserve" else 0.0
    if not item.about:
        # A player: the opponent, for what is paid for is mostly aimed at them.
        return 0.0
    entity: Entity = view.entities.get(item.about[0], {})
    whose = entity.get("controller", entity.get("owner"))
    worth = 1.0 + body_of(entity) if "place" in entity else 1.0 + int(entity.get("cost", 0))
    harm = _harm(prompt.source.removesuffix("'s ability"))
    good = (whose != prompt.seat) == (harm > 0)
    return worth if good else -worth


def _guards(prompt: Prompt, view: View) -> list[Entity]:
    """The creatures of the opponent's guard post."""
    _, theirs = _sides(prompt, view)
    return [one for one in theirs if str(one["place"]).startswith("guard")]


def _attacks(prompt: Prompt, view: View, item: Item) -> float:
    """Attack with whatever does damage, but not into what kills it for nothing."""
    me: Entity = view.entities[item.about[0]]
    guards = _guards(prompt, view)
    if not int(me["damage"]):
        return -1.0
    if len(prompt.items) > len(guards):
        return 1.0
    return max(_exchange(me, guard) for guard in guards)


def _exchange(me: Entity, other: Entity) -> float:
    """What one creature's attack on another is worth."""
    kills = int(me["damage"]) >= int(other["life"]) - int(other["wounds"])
    dies = int(other["damage"]) >= int(me["life"]) - int(me["wounds"])
    return (body_of(other) if kills else 0.1) - (body_of(me) if dies else 0.0)


def _victim(prompt: Prompt, view: View, item: Item) -> float:
    if not item.about:
        return 50.0
    name = prompt.source
    mine = [one for one in _sides(prompt, view)[0] if one["card"] == name]
    other: Entity = view.entities[item.about[0]]
    return 20.0 + (_exchange(mine[0], other) if mine else 0.0)


def _card(prompt: Prompt, view: View, item: Item) -> float:
    """From a hidden or public pile: what is cheap is discarded, what is dear is fetched."""
    entity: Entity = view.entities.get(item.about[0], {}) if item.about else {}
    cost = float(entity.get("cost", 0))
    return -cost if "discard" in prompt.text else 1.0 + cost


def _first(prompt: Prompt, view: View, item: Item) -> float:
    """What ripens comes first, what is about to be over last."""
    if item.label.startswith("a delayed"):
        return 3.0
    return 1.0 if item.label.startswith("a temporary") else 2.0


def _may(prompt: Prompt, view: View, item: Item) -> float:
    return 1.0 if item.label == "yes" else 0.0


_RATERS: Mapping[str, Callable[[Prompt, View, Item], float]] = {
    "action": _action,
    "priority": _action,
    "target": _target,
    "card": _card,
    "first": _first,
    "may": _may,
}
