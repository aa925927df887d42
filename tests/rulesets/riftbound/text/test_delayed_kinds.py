"""What an instruction makes: triggers, replacements, passives, links, with their windows."""

from __future__ import annotations

import pytest

from longfuse.abilities.ability import (
    Ability,
    Change,
    Choice,
    Cost,
    Create,
    Do,
    Duration,
    If,
    Program,
    Remember,
    Rewrite,
)
from longfuse.abilities.nodes import (
    At,
    Did,
    Linked,
    Named,
    Not,
    OwnerOf,
    Selector,
    State,
    This,
    TurnOf,
    When,
    Who,
)
from rulesets.riftbound.text.corpus import meaning, means

YOU = Who("you")
T1 = Named("t1")
UNIT = Choice("t1", Selector(kinds=("unit",)))
FRIENDLY = Choice("t1", Selector(kinds=("unit",), control="friendly"))
TURN = Duration("this turn")
DRAW = Do("draw", amount=1, who=YOU)


def made(text: str, kind: str = "spell") -> Ability:
    """The one delayed ability that a text makes."""
    (ability,) = (one for one in means(text, kind) if one.kind != "keyword")
    found = [one.ability for one in ability.program.body if isinstance(one, Create)]
    assert len(found) == 1
    return found[0]


@pytest.mark.rule("390.2", "391")
def test_next_time_with_a_plain_event_is_a_trigger() -> None:
    """The rule book's own kind: marked, and killed by the next damage."""
    assert made("Choose a unit. When it next takes damage this turn, kill it.") == Ability(
        kind="triggered",
        when=When("damage dealt", subject=T1),
        uses=1,
        program=Program(body=(Do("kill", what=T1),)),
        window=TURN,
    )


@pytest.mark.rule("390.2")
def test_when_with_a_window_is_a_trigger_of_every_time() -> None:
    """Without "next" it acts as often as the event happens."""
    assert made("When a friendly unit dies this turn, draw 1.") == Ability(
        kind="triggered",
        when=When("unit died", subject=Selector(kinds=("unit",), control="friendly")),
        program=Program(body=(DRAW,)),
        window=TURN,
    )


@pytest.mark.rule("390.2")
def test_a_moment_is_a_trigger() -> None:
    """At the end of this turn; at the start of a later one."""
    later = made("At the start of your next Main Phase, draw 1.")
    assert (later.when, later.uses, later.window) == (
        At("main", whose=YOU, turn="next"),
        1,
        Duration("game"),
    )
    now = made("Draw 1 at the end of this turn.")
    assert (now.when, now.uses, now.window) == (At("ending", turn="this"), 1, TURN)


@pytest.mark.rule("390.3")
def test_would_and_instead_make_a_replacement_even_with_next() -> None:
    """What would happen, happens otherwise."""
    text = "Choose a friendly unit. The next time it would die this turn, recall it instead."
    assert made(text) == Ability(
        kind="replacement",
        when=When("death", subject=T1),
        uses=1,
        rewrite=Rewrite("instead"),
        program=Program(body=(Do("recall", what=T1),)),
        window=TURN,
    )


@pytest.mark.rule("390.3", "437.7")
def test_prevention_is_a_replacement_of_damage() -> None:
    """All of it, the next points of it, half of it."""
    whole = made("Prevent all damage that would be dealt to friendly units this turn.")
    assert (whole.kind, whole.rewrite, whole.uses) == ("replacement", Rewrite("prevent"), 0)
    three = made("Choose a unit. Prevent the next 3 damage that would be dealt to it this turn.")
    assert (three.points, three.uses, three.when) == (3, 0, When("damage", subject=T1))


@pytest.mark.rule("390.3")
def test_the_nth_time_is_counted_from_the_turns_beginning() -> None:
    """The second time, whatever was before the ability."""
    ability = made("The second time a friendly unit dies this turn, draw 1.")
    assert isinstance(ability.when, When)
    assert (ability.when.nth, ability.uses) == (2, 0)


@pytest.mark.rule("371.2")
def test_a_replacement_may_have_a_price() -> None:
    """Its controller decides, and pays, when it would act."""
    ability = made(
        "Choose a friendly unit. The next time it would die this turn, you may pay 1 to recall it"
        " instead."
    )
    assert (ability.optional, ability.cost) == (True, Cost(resources=(("energy", 1),)))


@pytest.mark.rule("390.3.a")
def test_then_recycle_it_is_a_rider_of_the_play() -> None:
    """It stays with the chain item, not with this ability."""
    (ability,) = means("Play a spell from your trash, ignoring its cost, then recycle it.")
    assert ability.program.body == (
        Do("play", what=T1, word="free"),
        Do("then recycle", what=T1),
    )


@pytest.mark.rule("390.4")
def test_a_statement_with_a_window_is_a_passive() -> None:
    """Permissions and restrictions are passives, too."""
    assert made("Opponents can't play cards this turn.") == Ability(
        kind="passive",
        changes=(Change("must not", word="play cards", who=Who("each opponent")),),
        window=TURN,
    )
    until = made("Until the start of your next turn, enemy units can't attack.")
    assert until.window == Duration("until start of turn", who=YOU)


@pytest.mark.rule("390.4", "391")
def test_the_next_spell_is_bound_when_it_is_finalized() -> None:
    """A passive for one card alone."""
    assert made("[Exhaust]: Your next spell this turn deals 1 Bonus Damage.", "gear") == Ability(
        kind="passive",
        uses=1,
        changes=(Change("bonus damage", amount=1),),
        binds=When("card finalized", Selector(kinds=("spell",), zone="chain"), player=YOU),
        window=TURN,
    )


@pytest.mark.rule("390.3")
def test_entering_ready_is_a_replacement() -> None:
    """ "Enters" replaces how it enters."""
    ability = made("The next unit you play this turn enters ready.")
    assert (ability.kind, ability.uses, ability.rewrite) == (
        "replacement",
        1,
        Rewrite("change", facts=(("exhausted", False),)),
    )


@pytest.mark.rule("390.5.a", "390.5.b")
def test_a_link_lasts_as_long_as_an_object_stays() -> None:
    """The thing affected, or the source, by the words."""
    given = made("Give a unit [Temporary].")
    assert given.window == Duration("while in zone", of=T1)
    taken = made("When you play me, take control of an enemy gear until I leave the board.", "unit")
    assert taken.window == Duration("while in zone", of=This(), zone="board")
    watched = made("Choose a friendly unit. When it leaves the board, draw 1.")
    assert watched.window == Duration("while in zone", of=T1)


@pytest.mark.rule("427.3.a", "397")
def test_banished_with_this_is_remembered() -> None:
    """One ability remembers, the other speaks of what was remembered."""
    first, second = means(
        "When you play me, banish a card from an opponent's trash.\n"
        "When I leave the board, return the card banished with this to its owner's hand.",
        "unit",
    )
    assert first.program.body[-1] == Remember(T1)
    assert second.program.body == (Do("return", what=Linked()),)


@pytest.mark.rule("389")
def test_printed_abilities_are_never_delayed() -> None:
    """A trigger of an object in play has no window."""
    (ability,) = means("When a friendly unit dies, draw 1.", "unit")
    assert ability.window is None
    assert meaning("unit", "When a friendly unit dies this turn, draw 1.") is None


@pytest.mark.rule("359.3.e.14")
def test_if_you_do_asks_about_the_instruction_before() -> None:
    """It has a name, and the condition speaks of it."""
    (ability,) = means("Kill a friendly unit. If you do, draw 1.")
    assert ability.program.body == (Do("kill", what=T1, name="d1"), If(Did("d1"), (DRAW,)))


@pytest.mark.rule("383.3.a")
def test_a_leading_may_belongs_to_the_trigger_a_later_one_to_its_effect() -> None:
    """The first is decided when it is finalized, the other when it is reached."""
    (leading,) = means("When I conquer, you may draw 1.", "unit")
    assert leading.optional
    (later,) = means("When I conquer, discard 1. You may draw 1.", "unit")
    assert not later.optional


@pytest.mark.rule("812.1.c")
def test_legion_is_a_condition_of_what_stands_behind_it() -> None:
    """Of a statement, a trigger, or an entering."""
    (ability,) = means("Legion: I enter ready.", "unit")
    assert ability.condition == State("legion")


@pytest.mark.rule("191.4")
def test_its_owner_is_read_when_it_acts() -> None:
    """A delayed give-back speaks of the unit's owner."""
    ability = made(
        "Take control of an enemy unit. At the end of this turn, its owner takes control of it."
    )
    assert ability.program.body == (Do("control", what=T1, who=OwnerOf(T1)),)


def test_choices_are_numbered_in_the_order_of_the_text() -> None:
    """A delayed ability's own choices come after those it was made with."""
    (ability,) = means(
        "Choose a friendly unit. The next time it would die this turn, kill an enemy unit instead."
    )
    assert ability.program.choices == (FRIENDLY,)
    (create,) = ability.program.body
    assert isinstance(create, Create)
    assert [one.name for one in create.ability.program.choices] == ["t2"]


def test_another_is_another_than_the_choice_before() -> None:
    """And on a permanent without one, another than the source."""
    (spell,) = means("Deal 1 to a unit. Ready another unit.")
    assert spell.program.choices[1].different == ("t1",)
    (printed,) = means("When another unit dies, draw 1.", "unit")
    assert isinstance(printed.when, When)
    assert printed.when.subject == Selector(kinds=("unit",), another=True)


def test_each_and_all_choose_nothing() -> None:
    """But "all units at a battlefield" chooses the battlefield."""
    (everywhere,) = means("Deal 1 to each enemy unit.")
    assert everywhere.program.choices == ()
    (somewhere,) = means("Deal 1 to each enemy unit at a battlefield.")
    assert somewhere.program.choices == (Choice("t1", Selector(kinds=("battlefield",))),)


def test_hidden_cards_are_chosen_when_it_is_reached() -> None:
    """A hand is nobody's business before."""
    (ability,) = means("Put a card from your hand on the bottom of your deck.")
    assert ability.program.choices == ()


def test_a_window_that_nothing_can_take_is_refused() -> None:
    """It would be dropped otherwise."""
    assert meaning("spell", "This turn, draw 1.") is None
    assert meaning("spell", "Until the start of your next turn, kill a unit.") is None


def test_unless_and_your_turn_are_conditions() -> None:
    """What holds them back is said by the condition."""
    (ability,) = means("I have +1 Might unless it's your turn.", "unit")
    assert ability.condition == Not(TurnOf(YOU))


def test_a_choice_of_one_unit_is_a_target() -> None:
    """Chosen when the spell is finalized."""
    (ability,) = means("Deal 3 to a unit.")
    assert ability.program.choices == (UNIT,)
