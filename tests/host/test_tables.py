"""Tables: what is refused, what a fault does, who sees what, who comes and goes."""

import contextlib

import pytest
import trio

from host.rig import gone, open_rig, playing, refused, until
from longfuse.host.gateway_socket import GameSocket
from longfuse_protocol import messages as m
from longfuse_protocol.client import Ended, Refused
from longfuse_protocol.codec import JSON, MSGPACK
from longfuse_protocol.views import digest

BOT = m.SeatWish(kind="bot", bot="default")
OPEN = m.SeatWish()


class Somebody:
    """A peer without a connection, that notes the kinds of message it gets."""

    codec = None

    def __init__(self, name):
        self.name = name
        self.heard = []

    def send(self, outgoing):
        self.heard.append(type(outgoing.message))

    def flush(self):
        """Hold nothing back."""


async def play_out(ada, bob):
    """Play to the end with whatever is asked first; return how it ended for both."""
    asked = {0: ada, 1: bob}
    while ada.prompt or bob.prompt:
        seat = 0 if ada.prompt else 1
        await asked[seat].decide(asked[seat].prompt, asked[seat].prompt.default)
        await trio.testing.wait_all_tasks_blocked()
    return await until(ada, m.Over), await until(bob, m.Over)


# What is refused


async def test_a_stale_decision():
    """A decision of a prompt that is closed is refused with the open prompt; nothing changes."""
    async with open_rig() as rig, playing(rig) as (ada, bob):
        first = ada.prompt
        await ada.decide(first, 0)
        await bob.decide((await until(bob, m.Asked)).prompt, 1)
        second = (await until(ada, m.Asked)).prompt
        answer = await refused(ada.decide(first, 0))

        assert (answer.code, answer.asked, answer.prompt) == ("stale_prompt", 0, second)
        assert "prompt 1 is not open; prompt 3 is" in answer.reason
        assert len(rig.journal.records) == 2
        assert rig.factory.games[0].left == 19


async def test_a_decision_out_of_turn():
    """A decision by a seat that is not asked says who is, and does not show the prompt."""
    async with open_rig() as rig, playing(rig) as (ada, bob):
        answer = await refused(bob.decide(ada.prompt, 0))

        assert (answer.code, answer.asked, answer.prompt) == ("not_asked", 0, None)
        assert rig.journal.records == []


async def test_a_decision_that_does_not_fit():
    """A decision that does not fit its prompt says why, and the prompt is still open."""
    async with open_rig() as rig, playing(rig, heap=2) as (ada, _bob):
        answer = await refused(ada.decide(ada.prompt, 2))

        assert (answer.code, answer.prompt) == ("does_not_fit", ada.prompt)
        assert "not so many are left" in answer.reason
        assert rig.journal.records == []
        await ada.decide(ada.prompt, 1)
        assert (await until(ada, m.Over)).winner == 0


async def test_commands_of_a_spectator():
    """A spectator's commands are refused, and show it nobody's prompt."""
    async with open_rig() as rig, playing(rig) as (ada, _bob), rig.client("Eve") as eve:
        await eve.spectate(ada.place.info.table)
        answers = [
            await refused(eve.decide(ada.prompt, 0)),
            await refused(eve.take_back()),
            await refused(eve.concede()),
        ]

        assert {(a.code, a.asked, a.prompt) for a in answers} == {("not_seated", 0, None)}
        assert rig.journal.records == []


async def test_what_the_game_refuses():
    """What only the game can refuse is answered in its words, and leaves no trace."""
    async with open_rig() as rig, playing(rig) as (ada, _bob):
        answer = await refused(ada.take_back())

        assert (answer.code, answer.reason) == ("refused", "no play is open")
        assert answer.prompt == ada.prompt
        assert rig.journal.records == []


async def test_before_and_after_the_game():
    """Commands before the game has begun, and after it is over, are refused as such."""
    async with open_rig() as rig, rig.client("Ada") as ada, rig.client("Bob") as bob:
        place = await ada.create("toy", 2)
        early = await refused(ada.concede())
        await bob.join(place.info.table)
        await bob.concede()
        over = await until(ada, m.Over)
        late = await refused(bob.concede())

        assert (early.code, late.code) == ("not_started", "over")
        assert (over.winner, over.reason) == (0, "concede")


async def test_a_command_id_twice():
    """The same command again gets its first answer and is done once; another one is an error."""
    async with open_rig() as rig, playing(rig) as (ada, _bob):
        command = m.Decide(command="once", prompt=ada.prompt.id, answer=0)
        first = await ada.command(command)
        again = await ada.command(command)
        other = await refused(ada.command(m.Decide(command="once", prompt=1, answer=1)))
        kind = await refused(ada.command(m.Concede(command="once")))

        assert first == again
        assert (other.code, kind.code) == ("command_reused", "command_reused")
        assert [record.command for _, record in rig.journal.records] == ["once"]


async def test_command_ids_are_each_seats_own():
    """Two seats may use the same command id."""
    async with open_rig() as rig, playing(rig) as (ada, bob):
        await ada.command(m.Decide(command="x", prompt=1, answer=0))
        await bob.command(m.Decide(command="x", prompt=2, answer=1))

        assert len(rig.journal.records) == 2


async def test_a_refusal_is_not_remembered():
    """A command id that was refused may be used again for something that fits."""
    async with open_rig() as rig, playing(rig) as (ada, _bob):
        assert (await refused(ada.command(m.Decide(command="x", prompt=1, answer=9)))).code
        assert (await ada.command(m.Decide(command="x", prompt=1, answer=0))).ok


async def test_command_ids_are_forgotten_in_time(monkeypatch):
    """Only so many command ids are remembered; an older command names a prompt that is closed."""
    monkeypatch.setattr("longfuse.host.play.COMMANDS_KEPT_MAX", 2)
    async with open_rig() as rig, playing(rig) as (ada, bob):
        first = m.Decide(command="first", prompt=1, answer=0)
        await ada.command(first)
        for _ in range(2):
            await bob.decide((await until(bob, m.Asked)).prompt, bob.prompt.default)
            await ada.decide((await until(ada, m.Asked)).prompt, ada.prompt.default)
        answer = await refused(ada.command(first))

        assert answer.code in ("stale_prompt", "not_asked")
        assert len(rig.journal.records) == 5


async def test_too_many_commands_waiting():
    """A seat whose commands pile up is told that it is too much; the other seat is served."""
    async with open_rig(commands_waiting_max=4) as rig, playing(rig) as (ada, bob):
        rig.journal.append_s = 5
        ada.send(m.Decide(command="slow", prompt=1, answer=0))
        await trio.testing.wait_all_tasks_blocked()
        for number in range(9):
            ada.send(m.Decide(command=f"more-{number}", prompt=1, answer=0))
        bob.send(m.Decide(command="bob", prompt=2, answer=1))
        codes = {}
        while len(codes) < 10:
            answer = await until(ada, m.Answered)
            codes[answer.command] = answer.code

        assert codes.pop("slow") == ""
        assert [code for code in codes.values() if code == "busy"] == ["busy"] * 5
        assert set(codes.values()) <= {"busy", "not_asked", "stale_prompt"}
        assert (await until(bob, m.Answered)).ok


# Durable before shown


async def test_durable_before_shown():
    """Nobody hears of an entry, and nobody's snapshot holds it, before the journal has it."""
    async with open_rig() as rig, playing(rig) as (ada, bob), rig.client("Eve") as eve:
        rig.journal.append_s = 10
        began_at = trio.current_time()
        ada.send(m.Decide(command="x", prompt=1, answer=0))
        await trio.sleep(1)
        eve.send(m.Spectate(command="y", table=ada.place.info.table))
        for client, kind in ((ada, m.Answered), (bob, m.Events), (eve, m.Joined)):
            await until(client, kind)
            assert trio.current_time() - began_at == 10
            assert len(rig.journal.records) == 1


async def test_a_journal_that_fails():
    """If the journal fails, the entry is not shown and the table is suspended."""
    async with open_rig() as rig, playing(rig) as (ada, bob):
        rig.journal.fails = True
        answer = await refused(ada.decide(ada.prompt, 0))
        await until(bob, m.Notice)

        assert answer.code == "suspended"
        assert bob.mirror.n == 1


# Faults


async def test_a_fault_in_a_game():
    """A game that breaks is suspended and everybody at it told, without what went wrong."""
    async with open_rig() as rig, playing(rig, fault_at=2) as (ada, bob), rig.client() as eve:
        await eve.spectate(ada.place.info.table)
        await ada.decide(ada.prompt, 0)
        answer = await refused(bob.decide((await until(bob, m.Asked)).prompt, 1))
        notices = [await until(client, m.Notice) for client in (ada, bob, eve)]

        assert answer.code == "suspended"
        assert {notice.kind for notice in notices} == {"suspended"}
        assert "secret" not in answer.reason + notices[0].text
        assert (await refused(ada.concede())).code == "suspended"
        # The entry that broke it is kept, so that the fault can be played again.
        assert len(rig.journal.records) == 2


async def test_other_tables_do_not_notice():
    """While one game breaks, another is played to its end."""
    async with open_rig() as rig, playing(rig, fault_at=1) as (ada, _), playing(rig) as others:
        assert (await refused(ada.decide(ada.prompt, 0))).code == "suspended"
        first, second = await play_out(*others)

        assert first == second
        assert first.reason == "took the last"


async def test_who_leaves_a_suspended_table():
    """Everybody can leave a suspended table, nobody new comes in, and then it is gone."""
    async with open_rig() as rig, playing(rig, fault_at=1) as (ada, bob):
        table = ada.place.info.table
        await refused(ada.decide(ada.prompt, 0))
        ada.send(m.Resync())
        failed = await until(ada, m.Failed)
        await ada.leave()
        again = await refused(ada.join(table))
        watching = await refused(ada.spectate(table))
        await bob.leave()
        await gone(rig, connections=2, tables=0)

        assert (failed.code, again.code, watching.code) == ("suspended",) * 3
        assert (await refused(ada.spectate(table))).code == "unknown_table"


async def test_something_that_cannot_be_spelt():
    """If one viewer's frame cannot be spelt, nobody sees half of the step."""
    async with open_rig() as rig, playing(rig, unspellable_at=1) as (ada, bob):
        await refused(ada.decide(ada.prompt, 0))
        await until(ada, m.Notice)
        await until(bob, m.Notice)

        assert (ada.mirror.n, bob.mirror.n) == (1, 1)


@pytest.mark.parametrize("manner", ["wrong", "broken"])
async def test_a_bot_that_fails(manner):
    """A bot whose answer does not fit, or that breaks, suspends its table and no other."""
    async with open_rig() as rig, playing(rig) as others, rig.client("Eve") as eve:
        await eve.create("toy", (OPEN, m.SeatWish(kind="bot", bot=manner)))
        await eve.decide((await until(eve, m.Asked)).prompt, 0)

        assert (await until(eve, m.Notice)).kind == "suspended"
        assert (await refused(eve.concede())).code == "suspended"
        await play_out(*others)
        await eve.leave()
        await gone(rig, connections=3, tables=1)


# Who sees what


@pytest.mark.parametrize("subprotocol", [MSGPACK, JSON])
async def test_secrets_stay_secret(subprotocol, monkeypatch):
    """No byte that a client gets holds another seat's secret or an item's hidden meaning."""
    sent: dict[object, bytes] = {}
    put = GameSocket.put

    def spy(self, data):
        sent[self] = sent.get(self, b"") + data
        put(self, data)

    monkeypatch.setattr(GameSocket, "put", spy)
    async with open_rig() as rig, playing(rig, subprotocol=subprotocol) as (ada, bob):
        async with rig.client("Eve", subprotocol) as eve:
            await eve.spectate(ada.place.info.table)
            await refused(eve.concede())
            await refused(bob.decide(ada.prompt, 0))
            bob.send(m.Resync())
            await play_out(ada, bob)
        secrets = [secret.encode() for secret in rig.factory.games[0]._secrets]
        seen = sorted([secret in data for secret in secrets] for data in sent.values())

        assert seen == [[False, False], [False, True], [True, False]]
        assert not any(b"meaning" in data for data in sent.values())


async def test_every_viewer_follows():
    """Two seats and two spectators, one of them late, end with the views that the game has."""
    async with open_rig() as rig, playing(rig) as (ada, bob):
        table = ada.place.info.table
        async with rig.client("Eve") as eve, rig.client("Late", JSON) as late:
            await eve.spectate(table)
            for _ in range(3):
                asked = ada if ada.prompt else bob
                await asked.decide(asked.prompt, asked.prompt.default)
                await trio.testing.wait_all_tasks_blocked()
            await late.spectate(table)
            await play_out(ada, bob)
            await until(eve, m.Over)
            await until(late, m.Over)
            game = rig.factory.games[0]

            assert [client.mirror.digest for client in (ada, bob, eve, late)] == [
                digest(game.view(viewer)) for viewer in (0, 1, "spectator", "spectator")
            ]
            assert not any(client.mirror.is_lost for client in (ada, bob, eve, late))


async def test_the_shared_digest():
    """Each frame carries the digest of the spectators' view, the same to everybody."""
    async with open_rig() as rig, playing(rig) as (ada, bob), rig.client("Eve") as eve:
        await eve.spectate(ada.place.info.table)
        await ada.decide(ada.prompt, 0)
        frames = [await until(client, m.Events) for client in (ada, bob, eve)]

        assert len({frame.shared for frame in frames}) == 1
        assert (
            frames[2].shared == frames[2].digest == digest(rig.factory.games[0].view("spectator"))
        )
        assert frames[0].digest != frames[1].digest


async def test_the_order_of_messages():
    """The sender hears the answer, then the frame; the seat asked hears the frame, then that."""
    async with open_rig() as rig, playing(rig) as (ada, bob):
        await ada.decide(ada.prompt, 0)
        to_ada = [type(await anext(ada)) for _ in range(2)]
        to_bob = [type(await anext(bob)) for _ in range(2)]

        assert to_ada == [m.Answered, m.Events]
        assert to_bob == [m.Events, m.Asked]


async def test_what_a_newcomer_hears():
    """Who comes in hears of the place, the answer, then all that can be seen; and nothing twice."""
    async with open_rig() as rig, playing(rig) as (ada, bob), rig.client("Eve") as eve:
        await eve.spectate(ada.place.info.table)
        await ada.decide(ada.prompt, 0)
        heard = [type(await anext(eve)) for _ in range(5)]

        assert heard == [m.Welcome, m.Joined, m.Answered, m.Snapshot, m.Events]
        assert (await until(bob, m.TableChanged)).info.spectators == 1


async def test_one_game_after_another():
    """At a new table a client's view begins anew."""
    async with open_rig() as rig, playing(rig) as (ada, bob):
        await bob.concede()
        await until(ada, m.Over)
        await ada.leave()
        await ada.create("toy", 2)

        assert (ada.mirror.n, ada.mirror.view.entities, ada.prompt) == (0, {}, None)
        await bob.leave()
        await bob.join(ada.place.info.table)
        await until(ada, m.Asked)
        assert ada.mirror.n == 1


async def test_resync():
    """A seat that asks gets its view, and its prompt if it is asked."""
    async with open_rig() as rig, playing(rig) as (ada, bob):
        ada.send(m.Resync())
        bob.send(m.Resync())
        whole = await until(ada, m.Snapshot)
        asked = await until(ada, m.Asked)
        others = await until(bob, m.Snapshot)

        assert whole.view == rig.factory.games[0].view(0).entities
        assert (whole.n, asked.n, others.n) == (1, 1, 1)
        assert bob.prompt is None


async def test_resync_before_the_game():
    """Before the game has begun there is nothing to see, whatever is dealt already."""
    async with open_rig() as rig, rig.client("Ada") as ada:
        await ada.create("toy", 2)
        ada.send(m.Resync())

        assert (await until(ada, m.Snapshot)).view == {}
        assert ada.prompt is None


# Who comes and goes


async def test_leaving_a_running_game():
    """A seat that leaves is removed from the game; the other wins, and the table ends in time."""
    async with open_rig() as rig, playing(rig) as (ada, bob):
        await ada.leave()
        over = await until(bob, m.Over)

        assert (over.winner, over.reason) == (1, "removed")
        assert (await until(bob, m.TableChanged)).info.seats[0].kind == "gone"
        await bob.leave()
        await gone(rig, connections=2, tables=0)


async def test_losing_the_connection():
    """A seat whose connection breaks is removed from the game."""
    async with open_rig() as rig, rig.client("Bob") as bob:
        async with rig.client("Ada") as ada:
            place = await ada.create("toy", 2)
            await bob.join(place.info.table)

        assert (await until(bob, m.Over)).winner == 1


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
    """A connection that left a table, or was refused one, holds on to nothing of it."""
    async with open_rig() as rig, rig.client("Ada") as ada, rig.client("Bob") as bob:
        place = await ada.create("toy", 2)
        await refused(bob.join(place.info.table, 0))
        await ada.leave()

        assert [connection._table for connection in rig.running._gateway.connections] == [None] * 2


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
        table = rig.running._lobby.find(table_id)
        [peer] = rig.running._gateway.connections
        late = Somebody("Late")
        table.request(peer, m.Leave(command="x"))
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
        rig.running._lobby.find(place.info.table).is_closed = True

        assert rig.running._lobby.find(place.info.table) is None
        assert rig.running._lobby.tables().tables == ()


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
        eve.send(m.Browse())
        ada.send(m.Browse())
        told = await until(eve, m.Tables)

        assert [info.table for info in told.tables] == [ada.place.info.table]
        assert [seat.name for seat in told.tables[0].seats] == ["Ada", "Bob"]
        assert told.tables[0].status == "playing"
        assert [ruleset.name for ruleset in told.rulesets] == ["toy"]
        assert told.bots == ("default", "wrong", "broken")
        assert (await until(ada, m.Tables)).tables == told.tables


async def test_the_header():
    """The journal begins with who plays what."""
    async with open_rig() as rig, playing(rig, heap=9) as (ada, _bob):
        header = rig.journal.headers[0]

        assert (header.table, header.ruleset) == (ada.place.info.table, "toy")
        assert (header.seats, header.options) == (("Ada", "Bob"), {"heap": 9})


async def test_time_spent():
    """Each entry is kept with the time that the game waited for it."""
    async with open_rig() as rig, playing(rig) as (ada, _bob):
        await trio.sleep(2.5)
        await ada.decide(ada.prompt, 0)

        assert rig.journal.records[0][1].spent_ms == 2_500
