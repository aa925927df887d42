"""Those who watch: what they may see, what they may do, and whom that touches."""

import pytest

from complaints.scene import hear_out, settle, take
from host.lines import come, create, decide, seated
from host.rig import open_rig, play_out, playing, refused
from longfuse_protocol import messages as m
from longfuse_protocol.passing import Passing
from support.listening import until

FOR_SEATS = (
    m.Decide(command="c1", prompt=1, answer=0),
    m.TakeBack(command="c2"),
    m.Concede(command="c3"),
    m.MakeOffer(command="c4", kind="draw"),
    m.Respond(command="c5", kind="draw", accept=True),
    m.Unpause(command="c6"),
    m.Ready(command="c7"),
    m.ChooseDeck(command="c8", deck=""),
    m.Settings(command="c9", passing=Passing()),
)


async def with_a_spectator(rig, **how):
    """Seat Ada and Bob, and let Eve watch."""
    ada, bob = await seated(rig, "Ada", "Bob", **how)
    [eve] = await come(rig, "Eve")
    await eve.say(m.Spectate(command="s", table=ada.stream.split("/")[0]))
    await eve.rest()
    return ada, bob, eve


@pytest.mark.complaint("servers 29")
async def test_what_one_says_to_be_is_not_believed():
    """A spectator comes back with a seat's stream, and a seat with the spectators': each is what
    the server knows it as."""
    async with open_rig() as rig:
        ada, bob, eve = await with_a_spectator(rig)
        game = rig.factory.games[0]
        streams = [one.stream for one in (ada, bob, eve)]
        for stream in streams:
            for somebody, seat in ((eve, None), (bob, 1)):
                await somebody.cut()
                welcome = await somebody.come_back(stream=stream, n=0)
                assert welcome.place.seat == seat
                await somebody.say(m.Resync())
                views = [one for one in await somebody.rest() if isinstance(one, m.Snapshot)]
                viewer = "spectator" if seat is None else seat
                assert {str(one.view) for one in views} == {str(game.view(viewer).entities)}
                told = b"".join(somebody.line.frames)
                assert game._secrets[0].encode() not in told
                assert (game._secrets[1].encode() in told) is (seat == 1)


@pytest.mark.complaint("servers 31", "servers 34", "ui U42")
async def test_no_byte_tells_a_secret():
    """Seats and spectators, late ones and those who come back, in two games of a match and after a
    rematch: no frame has another seat's secret."""
    async with open_rig() as rig:
        people = await with_a_spectator(rig, terms=m.Terms(best_of=3), options={"heap": 7})
        frames = {one.name: [] for one in people}
        for number in range(30):
            game = rig.factory.games[-1]
            if game.result is None:
                asked = people[game.asked]
                [*_, prompt] = [one.prompt for one in asked.line.heard if isinstance(one, m.Asked)]
                await asked.say(decide(prompt, f"d{number}"))
            else:
                await _play_again(*people[:2], number)
            await settle()
            for one in people:
                await one.rest()
                frames[one.name] += one.line.frames
                if number % 4 == 3:
                    await one.cut()
                    await one.come_back(n=one.n if number % 8 == 3 else 0)
                    await one.rest()

        assert len(rig.factory.games) >= 4
        for seat, name in enumerate(("Ada", "Bob", "Eve")):
            told = b"".join(frames[name])
            for game in rig.factory.games:
                for owner, secret in enumerate(game._secrets):
                    assert (secret.encode() in told) is (owner == seat)


async def _play_again(ada, bob, number):
    """Have another game of the match; or, where it is decided, a rematch."""
    for one in (ada, bob):
        await one.say(m.Ready(command=f"ready{number}"))
    await ada.say(m.MakeOffer(command=f"o{number}", kind="rematch"))
    await bob.say(m.Respond(command=f"r{number}", kind="rematch", accept=True))


@pytest.mark.complaint("servers 32", "ui U43")
async def test_spectators_cannot_act():
    """All that seats may do is refused to a spectator, in as many words, and nothing has moved."""
    async with open_rig() as rig:
        ada, bob, eve = await with_a_spectator(rig)
        game = rig.factory.games[0]
        before = str(game.view(0).entities)
        await eve.say(*FOR_SEATS)
        told = [one for one in await eve.rest() if isinstance(one, m.Answered)]

        assert [(one.command, one.code) for one in told] == [
            (one.command, "not_seated") for one in FOR_SEATS
        ]
        assert not any(one.prompt for one in told)
        assert (str(game.view(0).entities), rig.journal.records) == (before, [])
        assert [await one.rest() for one in (ada, bob)] == [[], []]


@pytest.mark.complaint("servers 35", "ui U40")
async def test_what_one_looks_at_is_shown_to_nobody_else():
    """A spectator has all shown anew, browses, and opens an old game: only it is sent anything."""
    async with open_rig() as rig:
        ada, bob, eve = await with_a_spectator(rig)
        old = rig.factory.games[0]
        await bob.say(m.Concede(command="c"))
        await ada.say(m.MakeOffer(command="o", kind="rematch"))
        await bob.say(m.Respond(command="r", kind="rematch", accept=True))
        [mia] = await come(rig, "Mia")
        await mia.say(m.Spectate(command="s", table=ada.stream.split("/")[0]))
        for one in (ada, bob, eve, mia):
            await one.rest()
        game = f"{ada.stream.split('/')[0]}-1"
        await eve.say(
            m.Resync(),
            m.Browse(),
            m.Replay(command="p", game=game),
            m.Catalogue(command="k", ruleset="toy"),
        )
        told = await eve.rest()

        assert old.result is not None
        assert {m.Snapshot, m.Tables, m.Cards} <= set(map(type, told))
        assert [await one.rest() for one in (ada, bob, mia)] == [[], [], []]


@pytest.mark.complaint("servers 37")
async def test_who_watches_a_match_sees_all_of_it():
    """Between games nobody is sent away, seats stay in their order, and no frame is missing."""
    async with open_rig(between_s=5) as rig:
        ada, bob, eve = await with_a_spectator(rig, terms=m.Terms(best_of=3))
        await bob.say(m.Concede(command="c"))
        told = await eve.rest()
        for one in (ada, bob):
            await one.say(m.Ready(command="r"))
        told += await eve.rest()
        await ada.say(m.Concede(command="c"))
        told += await eve.rest()
        infos = [one.info for one in told if isinstance(one, m.TableChanged)]
        numbers = [one.n for one in told if isinstance(one, m.Events)]

        assert not any(isinstance(one, m.Left | m.Joined) for one in told)
        assert {tuple(seat.name for seat in info.seats) for info in infos} == {("Ada", "Bob")}
        assert {info.game.rpartition("-")[2] for info in infos} == {"1", "2"}
        assert infos[-1].score == (1, 1)
        assert numbers == list(range(numbers[0], numbers[0] + len(numbers)))
        assert [one.winner for one in told if isinstance(one, m.Over)] == [0, 1]


@pytest.mark.complaint("servers 38")
@pytest.mark.parametrize("watch", ["open", "invited", "closed"])
async def test_who_may_watch(watch):
    """Anybody, who is invited, or nobody: as the table says. To know its id is no invitation."""
    async with open_rig() as rig:
        [ada, eve, mia] = await come(rig, "Ada", "Eve", "Mia")
        await ada.say(create(terms=m.Terms(watch=watch)))
        place = (await ada.until(m.Joined)).place
        await eve.say(m.Spectate(command="s", table=place.info.table))
        await mia.say(m.Spectate(command="s", table=place.info.table, invitation=place.invitation))
        answers = [(await one.until(m.Answered)) for one in (eve, mia)]

        assert [one.ok for one in answers] == [watch == "open", watch != "closed"]
        assert {one.code for one in answers if not one.ok} <= {"not_invited"}
        assert not any(isinstance(one, m.Snapshot) for one in eve.line.heard) or watch == "open"


@pytest.mark.complaint("ui U43")
async def test_who_watches_sees_what_is_public():
    """The spectators' view has every public thing that the seats' have, and it is the same."""
    async with open_rig() as rig, playing(rig) as (ada, bob), rig.client("Eve") as eve:
        await eve.spectate(ada.place.info.table)
        await take(ada)
        await hear_out(eve)
        for key, entity in eve.view.entities.items():
            assert ada.view.entities[key] == bob.view.entities[key] == entity
        assert set(ada.view.entities) - set(eve.view.entities) == {"secret"}
        await refused(eve.concede())
        await play_out(ada, bob)
        assert (await until(eve, m.Over)).reason == "took the last"
