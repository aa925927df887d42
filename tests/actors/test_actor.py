"""One actor: order of what it is told and asked, bounds, faults, ends. Most of it without trio."""

from __future__ import annotations

import pytest
import trio
from trio.testing import wait_all_tasks_blocked

from longfuse.actors import (
    Actor,
    ActorBusy,
    ActorEnded,
    ActorFault,
    EndReason,
    InboxFull,
)


class Notebook:
    """A behaviour that writes down what it receives and counts it; it chokes on `boom`."""

    def __init__(self) -> None:
        self.seen: list[str] = []

    def receive(self, message: str) -> int:
        if message == "boom":
            raise ValueError(message)
        self.seen.append(message)
        return len(self.seen)


class Relay:
    """A behaviour that does to another actor what it is told to do."""

    def __init__(self) -> None:
        self.steps = {}

    def receive(self, message: str) -> object:
        return self.steps[message]()


def notebook(**options) -> Actor[str, int]:
    return Actor("notebook", Notebook(), **options)


def test_ask_returns_the_reply_at_once() -> None:
    """An ask is a plain call, with no task anywhere."""
    assert notebook().ask("a") == 1


def test_what_was_told_is_handled_before_what_is_asked() -> None:
    """An ask overtakes nothing."""
    actor = notebook()
    actor.tell("a")
    actor.tell("b")

    reply = actor.ask("c")

    assert reply == 3
    assert actor.behaviour.seen == ["a", "b", "c"]


async def test_an_ask_overtakes_nothing_that_woke_the_task() -> None:
    """A parked task that has been woken, but has not run, has not taken the message away."""
    async with trio.open_nursery() as nursery:
        actor = notebook()
        nursery.start_soon(actor.run)
        await wait_all_tasks_blocked()
        actor.tell("a")
        actor.tell("b")

        assert actor.ask("c") == 3
        assert actor.behaviour.seen == ["a", "b", "c"]
        actor.end(EndReason.CLOSED)


async def test_the_task_handles_what_is_told_in_order() -> None:
    """Tells need no ask to be handled."""
    async with trio.open_nursery() as nursery:
        actor = notebook()
        nursery.start_soon(actor.run)
        for message in "abc":
            actor.tell(message)
        await wait_all_tasks_blocked()
        actor.tell("d")
        await wait_all_tasks_blocked()

        assert actor.behaviour.seen == ["a", "b", "c", "d"]
        actor.end(EndReason.CLOSED)


def test_the_inbox_is_bounded() -> None:
    """A full inbox refuses, and keeps what it has."""
    actor = notebook(inbox_limit=2)
    actor.tell("a")
    actor.tell("b")

    with pytest.raises(InboxFull) as refusal:
        actor.tell("c")

    assert refusal.value.actor == "notebook"
    assert refusal.value.inbox_limit == 2
    assert "2 messages" in str(refusal.value)
    assert actor.ask("d") == 3


def test_an_inbox_without_room_is_refused() -> None:
    """A bound of nothing would be an actor that cannot be told anything."""
    with pytest.raises(ValueError, match="at least one"):
        notebook(inbox_limit=0)


def test_a_fault_names_actor_message_and_cause() -> None:
    """What a behaviour raises comes out with its context, and the actor goes on."""
    actor = notebook()

    with pytest.raises(ActorFault) as raised:
        actor.ask("boom")

    assert raised.value.actor == "notebook"
    assert raised.value.message == "boom"
    assert isinstance(raised.value.cause, ValueError)
    assert str(raised.value) == "notebook failed on 'boom': ValueError('boom')"
    assert actor.ask("after") == 1


def test_a_fault_on_a_told_message_meets_the_next_ask() -> None:
    """The asker learns which message was at fault, and its own was not handled."""
    actor = notebook()
    actor.tell("boom")

    with pytest.raises(ActorFault) as raised:
        actor.ask("a")

    assert raised.value.message == "boom"
    assert actor.behaviour.seen == []


def test_nested_faults_lead_to_their_root() -> None:
    """A zone that asks an object adds its name and hides nothing."""
    inner = notebook()
    relay = Relay()
    relay.steps["go"] = lambda: inner.ask("boom")
    outer = Actor("relay", relay)

    with pytest.raises(ActorFault) as raised:
        outer.ask("go")

    assert raised.value.trail == ("relay", "notebook")
    assert isinstance(raised.value.root, ValueError)


@pytest.mark.parametrize("act", ["ask", "tell"])
def test_an_actor_does_not_reach_itself(act: str) -> None:
    """Re-entering a behaviour would break one message at a time; telling itself may never end."""
    relay = Relay()
    actor = Actor("relay", relay)
    relay.steps["go"] = lambda: getattr(actor, act)("again")

    with pytest.raises(ActorFault) as raised:
        actor.ask("go")

    assert isinstance(raised.value.root, ActorBusy)
    assert raised.value.root.message == "again"
    assert "is handling" in str(raised.value.root)
    assert not actor.statistics().is_busy


@pytest.mark.parametrize("act", ["ask", "tell"])
def test_an_ended_actor_takes_nothing(act: str) -> None:
    """Whoever still holds a finished stay is told why it is over."""
    actor = notebook()
    actor.end(EndReason.LEFT_ZONE)

    with pytest.raises(ActorEnded) as raised:
        getattr(actor, act)("late")

    assert raised.value.reason == "left its zone"
    assert raised.value.cause is None
    assert "left its zone" in str(raised.value)


def test_the_first_reason_stays() -> None:
    """Closing everything at the end does not rewrite history."""
    actor = notebook()
    actor.end(EndReason.UNDONE)
    actor.end(EndReason.GAME_OVER)

    assert actor.reason is EndReason.UNDONE
    assert repr(actor) == "<Actor notebook: what created it was taken back>"


def test_every_reason_has_words() -> None:
    """An end without a reason cannot be said, so no end can be mistaken for none."""
    assert all(reason.value.strip() for reason in EndReason)


def test_messages_to_a_stay_that_is_over_are_dropped() -> None:
    """What was told and not yet handled ends with the actor."""
    actor = notebook()
    actor.tell("a")
    actor.end(EndReason.LEFT_ZONE)

    assert actor.statistics().waiting == 0
    assert actor.behaviour.seen == []


def test_a_message_that_ends_the_actor_is_its_last() -> None:
    """A told message may be the reason for the end; what waits behind it is dropped."""
    relay = Relay()
    actor = Actor("relay", relay)
    relay.steps["finish"] = lambda: actor.end(EndReason.LEFT_ZONE)
    actor.tell("finish")
    actor.tell("finish")

    with pytest.raises(ActorEnded):
        actor.ask("finish")


async def test_an_actor_that_ended_before_its_task_ran_has_none() -> None:
    """Start and end within one step of the driver leaves nothing behind."""
    actor = notebook()
    actor.end(EndReason.UNDONE)

    await actor.run()


async def test_cancelling_a_task_leaves_the_actor_askable() -> None:
    """A cancelled task is forgotten, so that a later wake does not reschedule it."""
    actor = notebook()
    async with trio.open_nursery() as nursery:
        nursery.start_soon(actor.run)
        await wait_all_tasks_blocked()
        parked = actor.statistics().is_parked
        nursery.cancel_scope.cancel()

    actor.tell("a")

    assert parked
    assert not actor.statistics().is_parked
    assert actor.ask("b") == 2
    assert repr(actor) == "<Actor notebook: live>"
