"""How a match ends when a seat is gone between its games, or before the next has its first card."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest

from host.rig import Rig, open_rig
from host.test_shuffles_on_the_wire import Person, both_play
from longfuse_protocol import messages as m


async def until_status(person: Person, status: str) -> m.TableInfo:
    """Hear up to the table's being there."""
    while (changed := await person.until(m.TableChanged)).info.status != status:
        pass
    return changed.info


@asynccontextmanager
async def second_game(rig: Rig) -> AsyncIterator[tuple[Person, Person]]:
    """Ada and Bob before the shuffle of their second game; Ada has lost the first."""
    ada, bob = Person(rig, "Ada"), Person(rig, "Bob")
    for person in (ada, bob):
        await person.come()
    seats = (m.SeatWish(), m.SeatWish())
    terms = m.Terms(best_of=3)
    await ada.say(m.Create(command="c1", ruleset="toy", seats=seats, terms=terms))
    joined = await ada.until(m.Joined)
    await bob.say(m.Join(command="c1", table=joined.place.info.table))
    await both_play(ada, bob)
    await ada.say(m.Concede(command="c2"))
    for person in (ada, bob):
        await until_status(person, "between games")
        await person.say(m.Ready(command="c3"))
    yield ada, bob


@pytest.mark.parametrize("how", ["withholds", "leaves"])
async def test_who_is_gone_before_the_next_game_loses_the_match(how: str) -> None:
    """Nobody may take the seat; the secret of the game that was not played is told."""
    async with open_rig() as rig, second_game(rig) as (ada, bob):
        await ada.commit()
        await bob.until(m.Commitment)
        if how == "leaves":
            await bob.say(m.Leave(command="c4"))
        info = await until_status(ada, "over")
        await ada.until(m.Revealed)

        assert (info.score, info.winner) == ((0, 1), 0)
        assert ada.receipt is not None
        assert ada.receipt.check_end() == ()
        while info.seats[1].kind != "gone":
            info = (await ada.until(m.TableChanged)).info
        assert info.winner == 0


async def test_both_withhold_and_nobody_wins() -> None:
    """A match that both let go is drawn."""
    async with open_rig() as rig, second_game(rig) as (ada, bob):
        for person in (ada, bob):
            await person.until(m.Commitment)
        info = await until_status(bob, "over")

        assert (info.score, info.winner) == ((0, 1), None)


async def test_a_seat_left_before_any_game_is_open_again() -> None:
    """No match has begun: somebody else may sit down, and nobody has won."""
    async with open_rig() as rig:
        ada, bob = Person(rig, "Ada"), Person(rig, "Bob")
        for person in (ada, bob):
            await person.come()
        seats = (m.SeatWish(), m.SeatWish())
        terms = m.Terms(best_of=3)
        await ada.say(m.Create(command="c1", ruleset="toy", seats=seats, terms=terms))
        joined = await ada.until(m.Joined)
        await bob.say(m.Join(command="c1", table=joined.place.info.table))
        await bob.until(m.Commitment)
        await bob.say(m.Leave(command="c2"))
        info = await until_status(ada, "starting")
        while (info.status, info.seats[1].kind) != ("waiting", "open"):
            info = (await ada.until(m.TableChanged)).info

        assert info.winner is None
