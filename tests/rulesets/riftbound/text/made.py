"""Abilities made at random, of all records that canonical words can say."""

from __future__ import annotations

from hypothesis import strategies as st

from longfuse.abilities.ability import (
    Ability,
    Change,
    Choice,
    Cost,
    Create,
    Do,
    Duration,
    Effect,
    ForEach,
    If,
    May,
    Program,
    Rewrite,
    Then,
)
from longfuse.abilities.nodes import (
    AllOf,
    Arithmetic,
    At,
    Candidate,
    Compare,
    Condition,
    ControllerOf,
    Count,
    Each,
    Exists,
    Matches,
    Named,
    Not,
    OwnerOf,
    Selector,
    Stat,
    State,
    Tally,
    This,
    TurnOf,
    When,
    Who,
)

amounts_small = st.integers(0, 9)
roles = st.sampled_from(["you", "opponent", "each player", "each opponent"])
named = st.sampled_from([This(), Named("t1"), Named("event")])
might_bound = st.builds(
    Compare, st.just(Stat("might", Candidate())), st.sampled_from(["<=", ">=", "=="]), amounts_small
)
selectors = st.builds(
    Selector,
    kinds=st.sampled_from([("unit",), ("gear",), ("unit", "gear"), ("spell",), ("card",)]),
    control=st.sampled_from(["any", "friendly", "enemy"]),
    zone=st.sampled_from(["board", "chain", "trash", "hand", "any"]),
    place=st.sampled_from(["", "battlefield", "base", "here", "open battlefield"]),
    states=st.sampled_from([(), ("damaged",), ("not stunned",), ("alone", "ready")]),
    another=st.booleans(),
    not_in=st.sampled_from([(), (Named("t1"),)]),
    tags=st.just(()),
    keywords=st.sampled_from([(), ("Tank",), ("Assault", "Shield")]),
    where=st.none() | might_bound,
)
objects = named | st.builds(Each, selectors)
players = st.builds(Who, roles) | st.builds(ControllerOf, named) | st.builds(OwnerOf, named)
others = st.builds(ControllerOf, named) | st.builds(Who, st.just("opponent"))
whens = st.builds(
    When,
    st.sampled_from(["damage dealt", "unit died", "card played", "conquered", "moved"]),
    subject=st.none() | named | selectors,
    source=st.none() | selectors,
    player=st.none() | players,
    nth=st.integers(0, 3),
    facts=st.sampled_from([(), (("combat", True),), (("to", "base"), ("amount", 2))]),
)
proposals = st.builds(
    When,
    st.sampled_from(["damage", "death", "enter", "leave board", "draw"]),
    subject=st.none() | named | selectors,
    player=st.none() | players,
)
amounts = st.one_of(
    amounts_small,
    st.builds(Count, selectors),
    st.builds(Stat, st.just("might"), named),
    st.builds(Stat, st.just("hand"), st.builds(Who, roles)),
    st.builds(Tally, whens),
    st.builds(Arithmetic, st.sampled_from(["plus", "times", "most"]), amounts_small, amounts_small),
    st.builds(Arithmetic, st.sampled_from(["half up", "half down"]), st.builds(Count, selectors)),
)
simple_conditions: st.SearchStrategy[Condition] = st.one_of(
    st.builds(Exists, selectors, amounts_small),
    st.builds(Compare, amounts, st.sampled_from(["<", "<=", "==", "!=", ">=", ">"]), amounts),
    st.builds(Matches, named, selectors),
    st.builds(TurnOf, st.builds(Who, roles)),
    st.builds(State, st.sampled_from(["legion", "attacking"])),
)
conditions = st.recursive(
    simple_conditions,
    lambda inner: st.builds(Not, inner) | st.builds(lambda a, b: AllOf((a, b)), inner, inner),
    max_leaves=3,
)
costs = st.builds(
    Cost,
    resources=st.sampled_from([(("energy", 2),), (("fury", 1), ("any", 1)), ()]),
    actions=st.sampled_from([(), (Do("exhaust", what=This()),), (Do("kill", what=This()),)]),
)
windows = st.one_of(
    st.sampled_from([Duration("this turn"), Duration("this combat"), Duration("game")]),
    st.builds(Duration, st.just("until start of turn"), who=st.builds(Who, roles)),
    st.builds(
        Duration, st.just("while in zone"), of=named, zone=st.sampled_from(["", "board", "trash"])
    ),
)
actions = st.builds(
    Do,
    st.sampled_from(["kill", "deal", "draw", "return", "move", "token", "recall"]),
    what=st.none() | objects,
    amount=st.none() | amounts,
    who=st.none() | players,
    to=st.sampled_from(["", "base", "here"]),
    word=st.sampled_from(["", "exhausted", "Wisp: might 2, ready"]),
)
changes = st.builds(
    Change,
    st.sampled_from(["might", "cost", "bonus damage", "no abilities"]),
    of=st.none() | objects | selectors,
    amount=st.none() | st.integers(-5, 5),
    set=st.booleans(),
    least=st.none() | st.just(1),
)


def _bodies(effects: st.SearchStrategy[Effect]) -> st.SearchStrategy[tuple[Effect, ...]]:
    return st.lists(effects, min_size=1, max_size=2).map(tuple)


def _programs(effects: st.SearchStrategy[Effect]) -> st.SearchStrategy[Program]:
    return st.builds(Program, body=_bodies(effects))


def _delayed(effects: st.SearchStrategy[Effect]) -> st.SearchStrategy[Ability]:
    return st.one_of(
        st.builds(
            Ability,
            st.just("triggered"),
            when=whens | st.builds(At, st.just("ending"), turn=st.just("this")),
            condition=st.none() | conditions,
            optional=st.booleans(),
            cost=st.none() | costs,
            uses=st.integers(0, 2),
            program=_programs(effects),
            window=windows,
        ),
        st.builds(
            Ability,
            st.just("replacement"),
            when=proposals,
            rewrite=st.builds(Rewrite, st.sampled_from(["instead", "also", "prevent"])),
            points=st.integers(0, 3),
            program=_programs(effects),
            window=windows,
        ),
        st.builds(
            Ability,
            st.just("passive"),
            changes=st.lists(changes, min_size=1, max_size=2).map(tuple),
            binds=st.none() | whens,
            uses=st.integers(0, 1),
            window=windows,
        ),
    )


def _deeper(effects: st.SearchStrategy[Effect]) -> st.SearchStrategy[Effect]:
    return st.one_of(
        st.builds(If, conditions, _bodies(effects), st.just(()) | _bodies(effects)),
        st.builds(May, _bodies(effects), cost=st.none() | costs, who=st.none() | others),
        st.builds(ForEach, _bodies(effects), objects=objects),
        st.builds(Then, _programs(effects)),
        st.builds(Create, _delayed(effects)),
    )


effects: st.SearchStrategy[Effect] = st.recursive(actions, _deeper, max_leaves=4)
any_ability = st.builds(
    lambda body: Ability(
        kind="spell",
        program=Program(choices=(Choice("t1", Selector(kinds=("unit",))),), body=body),
    ),
    _bodies(effects),
)
