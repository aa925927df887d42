"""Canonical words for abilities: what the compiler understood, said back.

Owns `say`. Reading its words again gives the same ability: a test holds that for every text.
"""

from __future__ import annotations

from longfuse.abilities.ability import (
    Ability,
    Change,
    Choice,
    Choose,
    Cost,
    Create,
    Do,
    Effect,
    ForEach,
    If,
    May,
    Modes,
    Program,
    Remember,
    Rewrite,
    Then,
)
from longfuse.abilities.nodes import At, Count, Named, This, When, Who
from longfuse.rulesets.riftbound import text_formal_words as words
from longfuse.rulesets.riftbound.text_formal_words import objects, player, quote

SIMPLE_VERBS = {"kill", "banish", "recycle", "ready", "exhaust", "stun", "heal", "buff", "counter",
                "reveal", "recall"}  # fmt: skip


def say(ability: Ability) -> str:
    """The ability in canonical words, on one line."""
    if ability.kind == "spell":
        return _program(ability.program)
    if ability.kind == "keyword":
        return _keyword(ability)
    head = _heads(ability)
    if ability.kind == "activated":
        assert ability.cost is not None
        return f"It costs {cost(ability.cost)}{head}: {_block(ability.program)}"
    if ability.kind == "passive":
        return f"It holds{head}: {'; '.join(change(one) for one in ability.changes)}."
    body = f" {_block(ability.program)}" if ability.program != Program() else ""
    if isinstance(ability.when, At):
        return f"At {words.moment(ability.when)}{head}:{body}"
    if ability.when is None:
        # 386: what an instruction makes at once waits for nothing.
        return f"Now{head}:{body}"
    assert isinstance(ability.when, When)
    happening = words.event(ability.when)
    if ability.kind == "triggered":
        return f"When {happening}{head}:{body}"
    assert ability.rewrite is not None
    return f"Whenever {happening} is about to happen{head}: {rewrite(ability.rewrite)}{body}"


def _keyword(ability: Ability) -> str:
    text = f"Keyword {quote(ability.keyword)}"
    if ability.amount is not None:
        text += f", amount {words.amount(ability.amount)}"
    if ability.cost is not None:
        text += f", cost {cost(ability.cost)}"
    return text + _heads(ability)


def _heads(ability: Ability) -> str:
    text = ""
    if ability.binds is not None and ability.window is None:
        text += f", bound when {words.event(ability.binds)}"
    if ability.condition is not None:
        text += f", if {words.condition(ability.condition)}"
    if ability.optional:
        text += ", you may"
    if ability.cost is not None and ability.kind not in ("activated", "keyword"):
        text += f", paying {cost(ability.cost)}"
    if ability.once:
        text += ", once each turn"
    if ability.keyword and ability.kind != "keyword":
        text += f", as {quote(ability.keyword)}"
    if ability.timing:
        text += f", as an {ability.timing}"
    if ability.zones != ("board",):
        text += "".join(f", from {quote(zone)}" for zone in ability.zones)
    return text


# ---------------------------------------------------------------- costs, rewrites, changes


def cost(what: Cost) -> str:
    """A cost in square brackets."""
    parts = [f"{words.amount(number)} {name}" for name, number in what.resources]
    parts += [f"choose {choice(one)}" for one in what.choices]
    for action in what.actions:
        assert isinstance(action, Do)
        text = do_natural(action)
        parts.append(text if text.startswith("do ") else f"do {text}")
    return f"[{', '.join(parts)}]"


def rewrite(what: Rewrite) -> str:
    """What a replacement does to its proposal."""
    text = f"rewrite {quote(what.how)}"
    if what.amount is not None:
        text += f" by {words.amount(what.amount)}"
    return " ".join([text, *words.facts(what.facts)])


def change(what: Change) -> str:
    """One change of a passive."""
    text = f"change {quote(what.asks)}"
    if what.of is not None:
        text += f" of {words.any_of(what.of)}"
    if what.amount is not None:
        text += f" by {words.amount(what.amount)}"
    if what.set:
        text += " set"
    if what.word:
        text += f" word {quote(what.word)}"
    if what.who is not None:
        text += f" who {player(what.who)}"
    if what.ability is not None:
        text += f" ability {quote(say(what.ability))}"
    if what.resources:
        text += f" resources {cost(Cost(resources=what.resources))}"
    if what.least is not None:
        text += f" least {words.amount(what.least)}"
    return text


# ---------------------------------------------------------------- programs


def _program(program: Program) -> str:
    parts = [f"Choose {choice(one)}." for one in program.choices]
    parts += [effect(one) for one in program.body]
    return " ".join(parts)


def _block(program: Program) -> str:
    return quote(_program(program))


def _body(effects: tuple[Effect, ...]) -> str:
    return quote(" ".join(effect(one) for one in effects))


def choice(what: Choice) -> str:
    """A choice with its name: "up to 2 friendly unit as target 1"."""
    name = words.named(what.name)
    tail = ""
    if what.different:
        tail += " different from " + " and ".join(words.named(one) for one in what.different)
    if what.who is not None:
        tail += f" by {player(what.who)}"
    if what.selector is None:
        return f"{quote(what.of)} as {name}{tail}"
    if what.of == "place":
        inner = quote(f"any {words.described(what.selector)}")
        return f"a place like {inner} as {name}{tail}"
    number, extra = _number(what)
    return f"{number} {words.described(what.selector)} as {name}{tail}{extra}"


def _number(what: Choice) -> tuple[str, str]:
    least, most = what.least, what.most
    if (least, most) == (1, 1):
        return "a", ""
    if most == Count(what.selector):  # type: ignore[arg-type]
        return ("any number of" if least == 0 else "one or more"), ""
    if isinstance(most, int) and least in (0, most):
        return (f"up to {most}" if least == 0 else f"exactly {most}"), ""
    return ("up to 1" if least == 0 else f"exactly {least}"), f" at most {words.amount(most)}"


def effect(what: Effect) -> str:
    """One instruction as a sentence."""
    if isinstance(what, Do):
        return f"{_step(what.name)}{do_named(what) if what.name else _capital(do_natural(what))}."
    if isinstance(what, If):
        text = f"If {words.condition(what.condition)}: {_body(what.then)}"
        return text + (f" otherwise: {_body(what.otherwise)}" if what.otherwise else "") + "."
    if isinstance(what, May):
        return _may(what)
    if isinstance(what, Choose):
        return f"Pick {choice(what.choice)}."
    if isinstance(what, ForEach):
        return _for_each(what)
    if isinstance(what, Modes):
        modes = " ".join(f"mode {quote(label)} is {_block(one)}" for label, one in what.options)
        return f"Choose {what.least} to {what.most} modes: {modes}."
    if isinstance(what, Create):
        return _create(what.ability)
    if isinstance(what, Remember):
        name = "" if what.name == "link" else f" as {quote(what.name)}"
        return f"Remember {objects(what.objects)}{name}."
    assert isinstance(what, Then)
    return f"Then: {_block(what.program)}."


def _step(name: str) -> str:
    return f"Step {name[1:]}: " if name else ""


def _may(what: May) -> str:
    who = player(what.who) if what.who is not None else "you"
    paying = f", paying {cost(what.cost)}" if what.cost is not None else ""
    text = f"{_step(what.name)}Let {who} decide{paying}: {_body(what.body)}"
    return text + (f" otherwise: {_body(what.otherwise)}" if what.otherwise else "") + "."


def _for_each(what: ForEach) -> str:
    if what.objects is not None:
        return f"For each of {objects(what.objects)}: {_body(what.body)}."
    if what.players is not None:
        return f"For each player of {player(what.players)}: {_body(what.body)}."
    assert what.times is not None
    return f"Repeat {words.amount(what.times)} times: {_body(what.body)}."


def _create(ability: Ability) -> str:
    assert ability.window is not None
    text = f"Create {words.window(ability.window)}"
    if ability.uses:
        text += f", used {ability.uses} times"
    if ability.points:
        text += f", {ability.points} points"
    if ability.binds is not None:
        text += f", bound when {words.event(ability.binds)}"
    return f"{text}: {quote(say(ability))}."


# ---------------------------------------------------------------- game actions


def do_natural(what: Do) -> str:
    """A game action as people say it, or else by its name."""
    only_what = Do(what.verb, what=what.what)
    if what == only_what and what.verb in SIMPLE_VERBS and isinstance(what.what, Named | This):
        return f"{what.verb} {objects(what.what)}"
    if what == Do("return", what=what.what) and isinstance(what.what, Named | This):
        return f"return {objects(what.what)} to its owner's hand"
    if isinstance(what.amount, int) and what.amount >= 0:
        dealt = Do("deal", what=what.what, amount=what.amount)
        if what == dealt and isinstance(what.what, Named):
            return f"deal {what.amount} to {objects(what.what)}"
        for verb in ("draw", "discard"):
            if what == Do(verb, amount=what.amount, who=Who("you")):
                return f"{verb} {what.amount}"
    return do_named(what)


def do_named(what: Do) -> str:
    """A game action by its name, with all that it reads."""
    text = f"do {quote(what.verb)}"
    if what.what is not None:
        text += f" to {objects(what.what)}"
    if what.amount is not None:
        text += f" amount {words.amount(what.amount)}"
    if what.who is not None:
        text += f" who {player(what.who)}"
    if what.to:
        text += f" place {quote(what.to)}"
    if what.to_objects is not None:
        text += f" towards {objects(what.to_objects)}"
    if what.by is not None:
        text += f" by {objects(what.by)}"
    if what.word:
        text += f" word {quote(what.word)}"
    if what.cost is not None:
        text += f" cost {cost(what.cost)}"
    return text


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]
