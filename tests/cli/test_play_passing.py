"""`longfuse play`: what the server passes for the player, set, listed and revoked in words."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from cli.playing import Player, two_players
from host.rig import open_rig


@asynccontextmanager
async def heap() -> AsyncIterator[tuple[Player, Player]]:
    """Two players at a heap, whose turns are even and odd, and whose fourth question is passed."""
    async with open_rig() as rig, two_players(rig.listener) as players:
        yield players


async def test_what_is_passed_is_told_with_the_reason() -> None:
    """Where only one thing can be done; `auto off` asks all the same."""
    async with heap() as (ada, bob):
        await ada.types("1")
        await bob.types("1")
        await ada.types("1")  # what comes now is Bob's, and passed; then Ada is asked again
        assert "Passed for you. Smart: nothing but passing." in await bob.types("log")

        assert "You are asked even where you can only pass." in await bob.types("auto off")
        assert "You are asked even" in await bob.types("auto")
        assert "it is done for you" in await bob.types("auto on")


async def test_passing_until_a_phase() -> None:
    """One's own chances too; the end is told, and it can be revoked."""
    async with heap() as (ada, bob):
        assert "Which phase? One of even, odd." in await ada.types("pass until noon")
        told = await ada.types("pass until my od")
        assert "Pass until your odd turn. `revoke until` ends that." in told
        assert "Passed for you. Until: your odd turn." in await ada.types("log")
        assert "Pass until your odd turn: `revoke until`" in await ada.types("passing")
        assert "You are asked again." in await ada.types("revoke until")
        assert "Pass until" not in await ada.types("passing")
        assert "How many do you take?" in bob.shown


async def test_the_end_of_passing_is_told() -> None:
    """When the phase has come."""
    async with heap() as (ada, bob):
        await ada.types("pass until odd")
        assert "How many do you take?" in await bob.types("1")

        assert "Over: Pass until the next odd turn." in await ada.types("passing") + ada.shown


async def test_a_question_that_was_passed_is_open_no_more() -> None:
    """What is typed then answers nothing."""
    async with heap() as (ada, _):
        await ada.types("pass until my odd")
        assert "Waiting for another player." in await ada.types("1")


async def test_pass_alone_is_an_answer() -> None:
    """An item may be called so."""
    async with heap() as (ada, _):
        assert "'pass' is no command and no item" in await ada.types("pass")


async def test_stops_and_yields_are_listed_and_revoked() -> None:
    """By the numbers under which they are listed."""
    async with heap() as (ada, _):
        assert "You are always asked in your even." in await ada.types("stop my even")
        assert "You are always asked in any odd." in await ada.types("stop odd")
        assert "That is set already" in await ada.types("stop odd")
        assert "You always pass to Sky Spear." in await ada.types("yield Sky Spear")
        assert "That is set already" in await ada.types("yield Sky Spear")
        assert "Yield to what?" in await ada.types("yield")
        told = await ada.types("passing")
        assert "1 stop in your even 2 stop in any odd 3 yield to Sky Spear" in told
        assert "You are asked about that again." in await ada.types("revoke 3")
        assert "That stop is gone." in await ada.types("revoke 1")
        told = await ada.types("passing")
        assert "1 stop in any odd You are asked" in told
        assert "`revoke` and a number" in await ada.types("revoke 2")
        assert "All is as it was at first." in await ada.types("revoke all")


async def test_interrupts_are_set() -> None:
    """None is told to be risky; what is no interrupt is not taken."""
    async with heap() as (ada, _):
        assert "attacked, targeted, lethal, fuse." in await ada.types("passing")
        assert "You are asked about: targeted, fuse." in await ada.types("interrupts fuse targeted")
        assert "that is risky" in await ada.types("interrupts none")
        assert "`interrupts` and any of attacked" in await ada.types("interrupts tea")
        assert "You are asked all the same about: nothing" in await ada.types("passing")


async def test_settings_survive_a_lost_connection() -> None:
    """They are the server's."""
    async with heap() as (ada, _):
        await ada.types("stop my even")
        await ada.dialer.cut()
        await ada.reconnected()

        assert "1 stop in your even" in await ada.types("passing")
