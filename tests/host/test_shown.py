"""What is shown at a table: to whom, in which order, and what to nobody."""

import pytest
import trio

from host.rig import open_rig, play_out, playing, refused, until
from longfuse.host.gateway_socket import GameSocket
from longfuse_protocol import messages as m
from longfuse_protocol.codec import JSON, MSGPACK
from longfuse_protocol.views import digest

BOT = m.SeatWish(kind="bot", bot="default")
OPEN = m.SeatWish()


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
        assert [info.spectators for info in (await eve.browse()).tables] == [1]
        assert bob.table.spectators is None


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
