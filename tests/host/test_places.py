"""Who comes to a table and goes, and which tables there can be."""

import contextlib

import pytest
import trio
from msgspec.structs import replace

from host.rig import gone, open_rig, play_out, playing, refused, until
from longfuse.host.people import Person
from longfuse_protocol import messages as m
from longfuse_protocol.client import Ended, Refused

BOT = m.SeatWish(kind="bot", bot="default")
OPEN = m.SeatWish()


class Somebody(Person):
    """A person without a connection, that notes the kinds of message it gets."""

    def __init__(self, name):
        super().__init__(name, "", b"")
        self.heard = []

    def send(self, outgoing):
        self.heard.append(type(outgoing.message))

    def flush(self):
        """Hold nothing back."""


async def test_leaving_a_running_game():
    """A seat that leaves is removed from the game; the other wins, and the table ends in time."""
    async with open_rig() as rig, playing(rig) as (ada, bob):
        await ada.leave()
        over = await until(bob, m.Over)
        await trio.testing.wait_all_tasks_blocked()

        assert (over.winner, over.reason) == (1, "removed")
        assert bob.table.seats[0].kind == "gone"
        await bob.leave()
        await gone(rig, connections=2, tables=0)


async def test_losing_the_connection():
    """A seat whose connection breaks is kept for a while; then it is removed from the game."""
    async with open_rig(resume_s=5) as rig, rig.client("Bob") as bob:
        async with rig.client("Ada") as ada:
            place = await ada.create("toy", 2)
            await bob.join(place.info.table)
            await until(ada, m.Asked)
        presence = await until(bob, m.Presence)
        lost_at = trio.current_time()
        over = await until(bob, m.Over)
        await trio.testing.wait_all_tasks_blocked()

        assert (presence.seat, presence.name, presence.here) == (0, "Ada", False)
        assert trio.current_time() == lost_at + 5
        assert (over.winner, over.reason) == (1, "removed")
        assert bob.table.seats[0].kind == "gone"


async def test_leaving_before_the_game():
    """A seat that leaves before the game has begun is free again."""
    async with open_rig() as rig, rig.client("Ada") as ada, rig.client("Bob") as bob:
        place = await ada.create("toy", 3)
        await bob.join(place.info.table, 2)
        await bob.leave()
        changed = None
        while changed is None or changed.info.seats[2].kind != "open":
            changed = await until(ada, m.TableChanged)
        await bob.join(place.info.table, 2)

        assert bob.place.seat == 2


async def test_nothing_is_kept_of_a_table_that_was_left():
    """A person that left a table, or was refused one, holds on to nothing of it."""
    async with open_rig() as rig, rig.client("Ada") as ada, rig.client("Bob") as bob:
        place = await ada.create("toy", 2)
        await refused(bob.join(place.info.table, 0))
        await ada.leave()

        people = [connection.person for connection in rig.running._gateway.connections]
        assert [person.table for person in people] == [None] * 2


async def test_a_spectator_who_goes():
    """A spectator who goes costs the game nothing."""
    async with open_rig() as rig, playing(rig) as (ada, bob):
        async with rig.client("Eve") as eve:
            await eve.spectate(ada.place.info.table)
            await eve.leave()
            await eve.spectate(ada.place.info.table)
        first, _ = await play_out(ada, bob)

        assert first.reason == "took the last"


async def test_one_comes_as_the_last_one_goes():
    """Who asks to join before the last one has gone finds the table open; after that, gone."""
    async with open_rig() as rig, rig.client("Ada") as ada:
        table_id = (await ada.create("toy", 2)).info.table
        table = rig.running._lobby._tables[table_id]
        [connection] = rig.running._gateway.connections
        late = Somebody("Late")
        table.request(connection.person, m.Leave(command="x"))
        table.request(late, m.Join(command="y", table=table_id))
        await trio.testing.wait_all_tasks_blocked()
        assert late.heard[:2] == [m.Joined, m.Answered]

        table.request(late, m.Leave(command="z"))
        await gone(rig, connections=1, tables=0)
        assert table.is_closed


async def test_a_table_that_is_closing_is_not_found():
    """A table that takes nobody in any more is not found, though its task has not ended."""
    async with open_rig() as rig, rig.client("Ada") as ada:
        place = await ada.create("toy", 2)
        rig.running._lobby._tables[place.info.table].is_closed = True
        async with rig.client("Bob") as bob:
            assert (await refused(bob.join(place.info.table))).code == "unknown_table"
            assert (await bob.browse()).tables == ()


async def test_more_than_there_are_seats():
    """Of many who join at once, exactly as many sit as there are seats."""
    async with open_rig() as rig, rig.client("Ada") as ada, contextlib.AsyncExitStack() as stack:
        place = await ada.create("toy", 4)
        crowd = [await stack.enter_async_context(rig.client(f"P{n}")) for n in range(12)]
        seats, codes = [], []

        async def join(client):
            try:
                seats.append((await client.join(place.info.table)).seat)
            except Refused as refusal:
                codes.append(refusal.answer.code)

        async with trio.open_nursery() as nursery:
            for client in crowd:
                nursery.start_soon(join, client)

        assert sorted(seats) == [1, 2, 3]
        assert codes == ["table_full"] * 9


async def test_a_seat_of_ones_choice():
    """One may choose a seat that is free, and is told if it is not, or is none."""
    async with open_rig() as rig, rig.client("Ada") as ada, rig.client("Bob") as bob:
        place = await ada.create("toy", 3, sit=1)
        table = place.info.table

        assert place.seat == 1
        assert (await refused(bob.join(table, 1))).code == "seat_taken"
        assert (await refused(bob.join(table, 3))).code == "table_full"
        assert (await bob.join(table, 2)).seat == 2


@pytest.mark.parametrize(
    ("wish", "code"),
    [
        ({"ruleset": "chess", "seats": 2}, "unknown_ruleset"),
        ({"ruleset": "toy", "seats": 5}, "bad_options"),
        ({"ruleset": "toy", "seats": 2, "options": {"heap": "big"}}, "bad_options"),
        ({"ruleset": "toy", "seats": (OPEN, m.SeatWish(kind="bot", bot="deep"))}, "unknown_bot"),
        ({"ruleset": "toy", "seats": (BOT, OPEN), "sit": 0}, "seat_taken"),
        ({"ruleset": "toy", "seats": 2, "sit": 2}, "seat_taken"),
    ],
)
async def test_tables_that_cannot_be(wish, code):
    """A table that cannot be opened is refused with its reason, and nothing of it is left."""
    async with open_rig() as rig, rig.client("Ada") as ada:
        answer = await refused(ada.create(**wish))

        assert answer.code == code
        assert answer.reason
        assert rig.running.statistics()["tables"] == 0
        assert (await ada.create("toy", 2)).seat == 0


async def test_as_many_tables_as_may_be():
    """Beyond tables_max a table is refused, until one ends."""
    async with open_rig(tables_max=1) as rig, rig.client("Ada") as ada, rig.client("Bob") as bob:
        await ada.create("toy", 2)
        assert (await refused(bob.create("toy", 2))).code == "server_full"
        await ada.leave()
        await gone(rig, connections=2, tables=0)

        assert (await bob.create("toy", 2)).seat == 0


async def test_as_many_spectators_as_may_be():
    """Beyond spectators_max one may not watch."""
    async with (
        open_rig(spectators_max=1) as rig,
        playing(rig) as (ada, _bob),
        rig.client("Eve") as eve,
        rig.client("Mia") as mia,
    ):
        await eve.spectate(ada.place.info.table)

        assert (await refused(mia.spectate(ada.place.info.table))).code == "table_full"


async def test_a_game_of_bots():
    """Who opens a table for bots alone watches them; the game goes on without, and then is gone."""
    async with open_rig() as rig, rig.client("Ada") as ada:
        place = await ada.create("toy", (BOT, BOT), sit=None)
        over = await until(ada, m.Over)
        await ada.leave()
        await ada.create("toy", (BOT, BOT), sit=None)
        await ada.leave()
        await gone(rig, connections=1, tables=0)

        assert place.seat is None
        assert over.reason == "took the last"
        assert [game.result.reason for game in rig.factory.games] == ["took the last"] * 2
        assert {header.seats for header in rig.journal.headers} == {("default", "default")}


async def test_playing_against_a_bot():
    """A bot in a seat answers its prompts; the player notices no difference."""
    async with open_rig() as rig, rig.client("Ada") as ada:
        await ada.create("toy", (OPEN, BOT))
        over = None
        async for event in ada:
            if isinstance(event, m.Asked):
                await ada.decide(event.prompt, event.prompt.default)
            elif isinstance(event, m.Over | Ended):
                over = event
                break

        assert over.reason == "took the last"
        assert {record.entry.seat for _, record in rig.journal.records} == {0, 1}


async def test_the_list():
    """Browsing tells what can be played and which tables there are, from wherever one is."""
    async with open_rig() as rig, playing(rig) as (ada, _bob), rig.client("Eve") as eve:
        told = await eve.browse()

        assert [info.table for info in told.tables] == [ada.place.info.table]
        assert [seat.name for seat in told.tables[0].seats] == ["Ada", "Bob"]
        assert told.tables[0].status == "playing"
        assert [ruleset.name for ruleset in told.rulesets] == ["toy"]
        assert told.bots == ("default", "wrong", "broken")
        assert told.tables[0].spectators == 0
        assert (await ada.browse()).tables == (replace(told.tables[0], spectators=None),)


async def test_the_header():
    """The journal begins with who plays what."""
    async with open_rig() as rig, playing(rig, heap=9) as (ada, _bob):
        header = rig.journal.headers[0]

        assert (header.game, header.ruleset) == (f"{ada.place.info.table}-1", "toy")
        assert (header.terms, header.decks) == (m.Terms(), ("plain", "plain"))
        assert header.transcript == ada.receipts[header.game].transcript()
        assert (header.seats, header.options) == (("Ada", "Bob"), {"heap": 9})


async def test_time_spent():
    """Each entry is kept with the time that the game waited for it."""
    async with open_rig() as rig, playing(rig) as (ada, _bob):
        await trio.sleep(2.5)
        await ada.decide(ada.prompt, 0)

        assert rig.journal.records[0][1].spent_ms == 2_500
