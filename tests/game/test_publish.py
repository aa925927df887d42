"""Publishing: the five steps in their order, claims, and what is collected when."""

from __future__ import annotations

import contextlib

from game.bare import Plain, a_game, a_thing, done, waits
from longfuse.abilities.ability import Ability, Rewrite
from longfuse.abilities.nodes import Named, Selector, When
from longfuse.timing.messages import Proposed
from longfuse.timing.windows import ThisTurn

PLUS = Ability(kind="replacement", when=When("hit"), rewrite=Rewrite("plus"))
INSTEAD = Ability(kind="replacement", when=When("hit"), rewrite=Rewrite("instead"))


def test_the_five_steps_come_in_order() -> None:
    """Propose all, collect the leaving, commit all, happened, triggers."""
    game, rules = a_game()
    oak, elm = a_thing(game, "Oak"), a_thing(game, "Elm")
    waits(game, ThisTurn(1), "replacement", ability=PLUS, watch=("would:hit",))
    waits(game, ThisTurn(1))
    rules.course.clear()
    done(
        game.publish(
            Proposed(event="hit", subjects=(oak,), amount=1),
            Proposed(event="hit", subjects=(elm,), amount=1),
        )
    )

    assert rules.course == [
        "rewrite hit",
        "rewrite hit",
        "leaving hit",
        "leaving hit",
        "commit hit",
        "commit hit",
        "triggers 2",
    ]


def test_a_batch_has_one_number_and_messages_have_their_cause() -> None:
    """What is simultaneous shares its batch; each message knows why it came."""
    game, _ = a_game()
    oak, elm = a_thing(game, "Oak"), a_thing(game, "Elm")
    game.cause = 17
    happened = done(
        game.publish(Proposed(event="hit", subjects=(oak,)), Proposed(event="hit", subjects=(elm,)))
    )

    assert len({message.batch for message in happened}) == 1
    assert {message.cause for message in happened} == {17}


def test_what_was_replaced_did_not_happen() -> None:
    """Nothing is committed, nobody is told, and the replacement has been used."""
    game, rules = a_game()
    oak = a_thing(game)
    handle = waits(game, ThisTurn(1), "replacement", ability=INSTEAD, watch=("would:hit",), uses=1)
    waits(game, ThisTurn(1))
    happened = done(game.publish(Proposed(event="hit", subjects=(oak,))))

    assert (happened, rules.triggered) == ([], [])
    assert handle.reason == "fired"


def test_a_replacement_that_changed_nothing_is_not_used() -> None:
    """It is looked at once, and still waits."""
    game, rules = a_game()
    oak = a_thing(game)
    idle = Ability(kind="replacement", when=When("hit"), rewrite=Rewrite("change"))
    handle = waits(game, ThisTurn(1), "replacement", ability=idle, watch=("would:hit",), uses=1)
    done(game.publish(Proposed(event="hit", subjects=(oak,))))

    assert rules.course.count("rewrite hit") == 1
    assert handle.live


def test_a_declined_replacement_is_not_used() -> None:
    """Its controller said no."""
    game, rules = a_game()
    rules.agreeing = False
    oak = a_thing(game)
    may = Ability(kind="replacement", when=When("hit"), rewrite=Rewrite("instead"), optional=True)
    handle = waits(game, ThisTurn(1), "replacement", ability=may, watch=("would:hit",), uses=1)
    happened = done(game.publish(Proposed(event="hit", subjects=(oak,))))

    assert (len(happened), handle.live) == (1, True)


def test_each_replacement_applies_once_to_a_proposal() -> None:
    """Two that add 1 add 2."""
    game, _ = a_game()
    oak = a_thing(game)
    for _ in range(2):
        waits(game, ThisTurn(1), "replacement", ability=PLUS, watch=("would:hit",))
    done(game.publish(Proposed(event="hit", subjects=(oak,), amount=1)))

    assert game.store.values[oak].hits == 3


def test_a_trigger_about_an_object_sees_it_leave() -> None:
    """It is collected before the object has gone."""
    game, rules = a_game()
    oak = a_thing(game)
    dies = Ability(kind="triggered", when=When("left", subject=Named("t1")))
    waits(
        game,
        ThisTurn(1),
        ability=dies,
        watch=("left",),
        subjects=(oak,),
        about=oak,
        captured=(("t1", (oak,)),),
    )
    done(game.publish(Proposed(event="leave", subjects=(oak,))))

    assert len(rules.triggered) == 1
    assert game.subscriptions.waiting() == []


def test_who_comes_during_a_batch_waits_for_the_next() -> None:
    """A record that is made while a batch is carried out does not see that batch."""
    game, rules = a_game()
    oak = a_thing(game)
    commit = rules.commit

    def committing(proposal: Proposed) -> list[object]:
        found = commit(proposal)
        waits(game, ThisTurn(1), watch=("later",))
        return found  # type: ignore[return-value]

    rules.commit = committing  # type: ignore[method-assign, assignment]
    done(game.publish(Proposed(event="hit", subjects=(oak,))))

    assert rules.triggered == []


def test_a_one_shot_is_claimed_once_for_a_batch() -> None:
    """Two matches at once: its controller is asked which one it sees."""
    game, rules = a_game()
    oak, elm = a_thing(game, "Oak"), a_thing(game, "Elm")
    waits(game, ThisTurn(1), uses=1)
    steps = game.publish(
        Proposed(event="hit", subjects=(oak,)), Proposed(event="hit", subjects=(elm,))
    )
    question = next(steps)
    assert (question.seat, question.kind) == (0, "first")
    with contextlib.suppress(StopIteration):
        steps.send(question.items[1].value)

    assert [trigger.message.subject for trigger in rules.triggered] == [elm]


def test_a_record_for_the_whole_batch_acts_once_for_it() -> None:
    """ "Whenever one or more …": once, however many."""
    game, rules = a_game()
    oak, elm = a_thing(game, "Oak"), a_thing(game, "Elm")
    batch = Ability(kind="triggered", when=When("hit"), per="batch")
    waits(game, ThisTurn(1), ability=batch)
    steps = game.publish(
        Proposed(event="hit", subjects=(oak,)), Proposed(event="hit", subjects=(elm,))
    )
    with contextlib.suppress(StopIteration):
        question = next(steps)
        steps.send(question.items[0].value)

    assert len(rules.triggered) == 1


def test_the_nth_time_counts_from_the_log() -> None:
    """What happened before the record came counts."""
    game, rules = a_game()
    oak = a_thing(game)
    done(game.publish(Proposed(event="hit", subjects=(oak,))))
    second = Ability(kind="triggered", when=When("hit", nth=2))
    waits(game, ThisTurn(1), ability=second)
    for _ in range(2):
        done(game.publish(Proposed(event="hit", subjects=(oak,))))

    assert len(rules.triggered) == 1


def test_a_waiting_passive_is_bound_by_its_event() -> None:
    """It is then about that object and lasts while it is on the chain."""
    game, _ = a_game()
    made = game.board.new_card(Plain("Spell"), 0)
    spell = game.move_card(made.id, "chain")
    passive = Ability(kind="passive", binds=When("hit", subject=Selector()))
    handle = waits(game, ThisTurn(1), "passive", ability=passive)
    done(game.announce(game.happened("hit", subjects=(spell,))))

    record = game.subscriptions.records[handle.record]
    assert record.bound == spell
    game.move_card(spell.card, "pile:0")
    assert handle.reason == "fired"
