"""Watching: words an ability waits under, objects it is about, names it must be given."""

from __future__ import annotations

from longfuse.abilities.ability import Ability, Change, Choice, Do, Program
from longfuse.abilities.nodes import At, Attached, Each, Named, Selector, This, When
from longfuse.abilities.scope import Scope
from longfuse.abilities.watching import (
    digest,
    names_used,
    reads_state,
    watch_words,
    watched_subjects,
)
from longfuse.timing.records import Source
from longfuse.timing.references import Ref

OAK = Ref(1, 1)


def scope(**names: object) -> Scope:
    """A scope without a table."""
    return Scope(None, 0, Source(OAK, "Oak", 0), names=dict(names))  # type: ignore[arg-type]


def test_each_kind_waits_under_its_own_words() -> None:
    """Events, proposals, marks, questions."""
    assert watch_words(Ability(kind="triggered", when=When("hit"))) == ("hit",)
    assert watch_words(Ability(kind="replacement", when=When("hit"))) == ("would:hit",)
    assert watch_words(Ability(kind="triggered", when=At("main"))) == ("mark:main",)
    passive = Ability(kind="passive", changes=(Change("might"),), binds=When("played"))
    assert watch_words(passive) == ("ask:might", "played")


def test_it_is_about_what_its_words_name() -> None:
    """A selector names nothing in particular."""
    about = Ability(kind="triggered", when=When("hit", subject=Named("t1")))
    assert watched_subjects(about, scope(t1=(OAK,)), delayed=True) == (OAK,)

    itself = Ability(kind="triggered", when=When("hit", subject=This()))
    assert watched_subjects(itself, scope(), delayed=False) == (OAK,)

    anything = Ability(kind="triggered", when=When("hit", subject=Selector()))
    assert watched_subjects(anything, scope(), delayed=True) == ()


def test_a_printed_each_is_about_all_that_will_be() -> None:
    """Only a delayed passive fixes its set."""
    passive = Ability(kind="passive", changes=(Change("might", of=Each(Selector())),))

    assert watched_subjects(passive, scope(), delayed=False) == ()


def test_names_that_must_be_given() -> None:
    """Not those that its own program gives, nor the event's own."""
    ability = Ability(
        kind="triggered",
        when=When("hit", subject=Named("t1")),
        program=Program(
            choices=(Choice("t2"),),
            body=(Do("kill", what=Named("t2")), Do("heal", what=Named("event"))),
        ),
    )

    assert names_used(ability) == ("t1",)


def test_the_event_of_who_waits_for_a_moment_is_its_maker_s() -> None:
    """It has none of its own, so it must be captured."""
    ability = Ability(
        kind="triggered", when=At("end"), program=Program(body=(Do("kill", what=Named("event")),))
    )

    assert names_used(ability) == ("event",)


def test_equal_abilities_have_equal_digests() -> None:
    """Another amount is another ability."""
    one = Ability(kind="passive", changes=(Change("might", amount=1),))

    assert digest(one) == digest(Ability(kind="passive", changes=(Change("might", amount=1),)))
    assert digest(one) != digest(Ability(kind="passive", changes=(Change("might", amount=2),)))


def test_constants_about_named_objects_read_nothing() -> None:
    """Their answers may be kept."""
    fixed = Ability(kind="passive", changes=(Change("might", of=Named("t1"), amount=1),))
    aura = Ability(kind="passive", changes=(Change("might", of=Selector(), amount=1),))
    all_of = Ability(kind="passive", changes=(Change("might", of=Each(Selector()), amount=1),))
    bearer = Ability(kind="passive", changes=(Change("might", of=Attached(This()), amount=1),))

    assert not reads_state(fixed, delayed=False)
    assert reads_state(aura, delayed=False)
    assert reads_state(bearer, delayed=True)
    assert reads_state(all_of, delayed=False)
    assert not reads_state(all_of, delayed=True)  # those that there were then
