"""Sessions: their secrets, how long they last, whose they are, and how many there may be."""

import pytest
import trio
import trio.testing
from structlog.testing import capture_logs

from host.lines import Line, Somebody, come, create, decide, seated, token, token_settings
from host.rig import URL, gone, open_rig
from longfuse.host.people import People
from longfuse.host.wall import now_ms
from longfuse_protocol import messages as m
from longfuse_protocol.client import open_client


class Wire:
    """A person's connection, of which only its being there counts."""

    codec = None
    is_ended = False


def people(*, resume_s=60.0, people_max=100):
    """Return nobody yet, and who was forgotten."""
    forgotten = []
    return People(resume_s, people_max, forgotten.append), forgotten


# ---------------------------------------------------------------- secrets


async def test_a_secret_is_told_once():
    """The first welcome tells the secret; no other message does, not even that of a resume."""
    async with open_rig() as rig:
        ada, _ = await seated(rig, "Ada", "Bob")
        await ada.cut()
        first = ada.line.frames
        welcome = await ada.come_back()
        await ada.rest()

        assert len(ada.secret) >= 24
        assert sum(ada.secret.encode() in frame for frame in first) == 1
        assert welcome.secret == ""
        assert not any(ada.secret.encode() in frame for frame in ada.line.frames)


async def test_a_secret_is_kept_as_its_hash():
    """Once it is told, the server has nothing from which the secret could be read."""
    async with open_rig() as rig:
        [ada] = await come(rig, "Ada")
        [person] = rig.running._keeper.people._by_hash.values()

        assert person.secret == ""
        assert ada.secret not in repr(vars(person))
        assert ada.secret.encode() not in person.secret_hash
        assert rig.running._keeper.people.find(ada.secret) is person


async def test_secrets_are_not_logged(tmp_path):
    """Neither secrets nor tokens nor invitations stand in what the operator is told."""
    signed = token("u1", name="Ada")
    with capture_logs() as lines:
        async with open_rig(**token_settings(tmp_path)) as rig:
            ada = Somebody(rig, "Ada", token=signed)
            await ada.come()
            await ada.say(create(terms=m.Terms(listed=False)))
            invitation = (await ada.until(m.Joined)).place.invitation
            await ada.cut()
            await ada.come_back()
            await Line(rig).open(m.Hello(name="Eve", token=signed + "x"))
            await Line(rig).open(m.Hello(name="Eve", resume=m.Resume(secret="a wrong secret")))
    told = str(lines)

    assert "session_opened" in told
    for secret in (ada.secret, invitation, signed, signed.split(".")[2], "a wrong secret"):
        assert secret not in told


async def test_secrets_differ():  # noqa: ASYNC124  trio's clock is read
    """No two sessions have the same secret, nor the same name in the log."""
    known, _ = people()
    begun = [known.begin("Ada") for _ in range(50)]

    assert len({person.secret for person in begun}) == 50
    assert len({person.id for person in begun}) == 50


# ---------------------------------------------------------------- being forgotten


@pytest.mark.slow
@pytest.mark.complaint("servers 62")
async def test_many_come_and_go():  # noqa: ASYNC124  trio's clock is read
    """A hundred thousand sessions that come and go leave no more than may be absent."""
    known, forgotten = people(people_max=100)
    for _ in range(100_000):
        person, line = known.begin("Ada"), Wire()
        person.line = line
        known.lost(person, line)

    assert len(known) == 100
    assert len(known._absent) == 100
    assert len(forgotten) == 99_900
    assert known._by_user == {}


async def test_the_longest_absent_goes_first():
    """Where there are too many, who is absent longest is forgotten; who is here never is."""
    known, forgotten = people(people_max=3)
    here = known.begin("Here")
    here.line = Wire()
    absent = [known.begin(name) for name in ("A", "B", "C")]
    for person in absent:
        known.absent(person)
        await trio.sleep(1)

    assert forgotten == [absent[0]]
    known.begin("New")
    assert forgotten == absent[:2]
    assert known.find(here.secret) is here


async def test_who_was_here_meanwhile_is_not_the_longest_absent():
    """Whom its table brought back after it had lost its place is absent from its next loss on."""
    known, forgotten = people(people_max=3)
    first, ann, bob = (known.begin(name) for name in ("First", "Ann", "Bob"))
    known.absent(first)
    known.absent(ann)
    ann.line = line = Wire()
    await trio.sleep(1)
    known.absent(bob)
    await trio.sleep(1)
    known.lost(ann, line)
    for _ in range(2):
        known.begin("New")

    assert forgotten == [first, bob]


async def test_a_session_lasts_so_long():
    """Who is absent is known until resume_s is over, and its time begins anew at each absence."""
    known, forgotten = people(resume_s=10)
    person = known.begin("Ada")
    secret = person.secret
    known.absent(person)
    await trio.sleep(9.9)
    assert known.find(secret) is person
    known.present(person)
    await trio.sleep(100)
    assert known.find(secret) is person
    known.absent(person)
    await trio.sleep(10)

    assert known.find(secret) is None
    assert forgotten == [person]


async def test_the_end_of_another_connection():  # noqa: ASYNC124  trio's clock is read
    """The end of a connection that is not the person's any more changes nothing."""
    known, _ = people()
    person, old, new = known.begin("Ada"), Wire(), Wire()
    person.line = new
    known.lost(person, old)

    assert person.line is new
    assert not known._absent


async def test_who_has_a_place_is_not_forgotten():
    """A session with a place at a table outlives any number of others."""
    async with open_rig(people_max=3, resume_s=30) as rig:
        ada, _ = await seated(rig, "Ada", "Bob")
        await ada.cut()
        for number in range(10):
            [passing] = await come(rig, f"P{number}")
            await passing.cut()

        assert rig.running.statistics()["sessions"] == 3
        assert (await ada.come_back()).place.seat == 0


async def test_who_comes_back_as_the_place_is_lost_is_not_forgotten():
    """Whoever is brought back to the lobby by the table that has just given up is here again."""
    async with open_rig(resume_s=5) as rig:
        ada, bob = await seated(rig, "Ada", "Bob")
        game = rig.factory.games[0]
        one, other = (ada, bob) if game.asked == 1 else (bob, ada)
        rig.journal.append_s = 4
        await one.cut()
        await trio.sleep(3)
        await other.say(decide(game.open_prompt, "d"))
        await trio.sleep(3)
        assert (await one.come_back()).place is None
        await trio.sleep(20)

        assert (await Somebody(rig, one.name).come()).name == f"{one.name} 2"
        await one.cut()
        assert (await one.come_back()).name == one.name


async def test_who_says_goodbye_without_a_place_is_forgotten_at_once():
    """Closing with 1000 in the lobby ends the session and frees its name; a drop does neither."""
    async with open_rig() as rig:
        names = []
        for _ in range(3):
            async with rig.client("Bo") as client:
                names.append(client.welcome.name)
            await gone(rig)
        (dropped,) = await come(rig, "Bo")
        await dropped.cut()
        async with rig.client("Bo") as client:
            names.append(client.welcome.name)

        assert names == ["Bo", "Bo", "Bo", "Bo 2"]


async def test_who_says_goodbye_at_a_table_may_come_back():
    """A place is kept for who closes with 1000 as it is for who drops: a page that is reloaded."""
    async with open_rig() as rig:
        async with rig.client("Ada") as ada:
            await ada.create("toy", 2)
            saved = ada.session_saved()
        stream = rig.listener.dial()
        async with open_client(URL, name="Ada", stream=stream, resume=saved) as again:
            assert again.place.seat == 0


async def test_a_name_is_free_again():
    """The name of a guest's session that is forgotten is free."""
    async with open_rig(resume_s=5) as rig:
        [ada] = await come(rig, "Ada")
        await ada.cut()
        assert (await Somebody(rig, "Ada").come()).name == "Ada 2"
        await trio.sleep(6)

        assert (await Somebody(rig, "Ada").come()).name == "Ada"


# ---------------------------------------------------------------- tokens


async def test_the_end_of_a_token(tmp_path):
    """The connection ends with 4002 at the token's end and grace; the session needs a new token."""
    async with open_rig(**token_settings(tmp_path), token_grace_s=5, resume_s=60) as rig:
        ada = Somebody(rig, "Ada", token=token("u1", name="Ada", lasts_s=30))
        welcome = await ada.come()
        began_ms, began_at = now_ms(), trio.current_time()
        assert await ada.line.close_code() == 4002
        lasted_s = trio.current_time() - began_at

        assert 33 < lasted_s <= 35.5
        assert 28_000 < welcome.expires_ms - began_ms <= 30_000
        assert welcome.user == "u1"


async def test_another_token_goes_on(tmp_path):
    """A session that is resumed with a later token lasts until that one ends."""
    async with open_rig(**token_settings(tmp_path), token_grace_s=0, ping_s=300) as rig:
        ada = Somebody(rig, "Ada", token=token("u1", lasts_s=30))
        await ada.come()
        ada._token = token("u1", lasts_s=90)
        await ada.come_back()
        began_at = trio.current_time()

        assert await ada.line.close_code() == 4002
        assert 88 < trio.current_time() - began_at <= 90


async def test_a_token_that_has_ended(tmp_path):
    """Neither a secret alone nor an old token goes on with a session after its token's end."""
    async with open_rig(**token_settings(tmp_path), token_grace_s=5, resume_s=600) as rig:
        ada = Somebody(rig, "Ada", token=token("u1", lasts_s=30))
        await ada.come()
        await ada.cut()
        await trio.sleep(60)
        resume = m.Resume(secret=ada.secret)
        bare = await Line(rig).open(m.Hello(name="Ada", resume=resume))
        old = await Line(rig).open(ada.hello(resume))
        ada._token = token("u1", lasts_s=600)
        new = await Line(rig).open(ada.hello(resume))

        assert (bare.code, old.code) == ("bad_token", "bad_token")
        assert isinstance(new, m.Welcome)


@pytest.mark.parametrize("whose", ["another user's", "forged", "a guest's session"])
@pytest.mark.complaint("servers 1")
async def test_a_wrong_token(whose, tmp_path):
    """A token that is not the session's owner's is refused, and the owner notices nothing."""
    async with open_rig(**token_settings(tmp_path)) as rig:
        mine = "" if whose == "a guest's session" else token("u1")
        ada, bob = [Somebody(rig, "Ada", token=mine), Somebody(rig, "Bob")]
        for somebody in (ada, bob):
            await somebody.come()
        await ada.say(create())
        await bob.say(m.Join(command="j", table=(await ada.until(m.Joined)).place.info.table))
        await ada.rest()
        await bob.rest()
        wrong = token("u1") + "x" if whose == "forged" else token("u2")
        thief = Line(rig)
        told = await thief.open(
            m.Hello(name="Ada", token=wrong, resume=m.Resume(secret=ada.secret))
        )

        assert told.code == "bad_token"
        assert await bob.rest() == []
        await ada.say(decide(rig.factory.games[0].open_prompt, "d"))
        assert (await ada.until(m.Answered)).ok
        await ada.cut()
        assert (await ada.come_back()).place.seat == 0


@pytest.mark.complaint("servers 1")
async def test_a_wrong_token_keeps_no_session(tmp_path):
    """Who is refused does not lengthen the time that an absent session has left."""
    async with open_rig(**token_settings(tmp_path), resume_s=5) as rig:
        ada = Somebody(rig, "Ada", token=token("u1"))
        await ada.come()
        await ada.cut()
        await trio.sleep(3)
        resume = m.Resume(secret=ada.secret)
        told = await Line(rig).open(m.Hello(name="Ada", token=token("u2"), resume=resume))
        await trio.sleep(3)
        later = await Line(rig).open(ada.hello(resume))

        assert (told.code, later.code) == ("bad_token", "unknown_session")


@pytest.mark.complaint("servers 17")
async def test_a_token_that_outlives_its_session(tmp_path):
    """Where a session is gone, the same token begins another one under the same name."""
    async with open_rig(**token_settings(tmp_path), resume_s=5) as rig:
        ada = Somebody(rig, "Ada", token=token("u1", name="Ada"))
        await ada.come()
        await ada.cut()
        await trio.sleep(6)
        line = Line(rig)
        told = await line.open(ada.hello(m.Resume(secret=ada.secret)))
        welcome = await line.hello(ada.hello())

        assert told.code == "unknown_session"
        assert (welcome.name, welcome.user) == ("Ada", "u1")
        assert welcome.secret not in ("", ada.secret)


async def test_no_guests(tmp_path):
    """Where no guests are taken, a hello without a token is refused; one with a token is not."""
    async with open_rig(**token_settings(tmp_path), guests=False) as rig:
        line = Line(rig)

        assert (await line.open(m.Hello(name="Eve"))).code == "bad_token"
        assert isinstance(await line.hello(m.Hello(name="Eve", token=token("u1"))), m.Welcome)


# ---------------------------------------------------------------- one user, several sessions


async def with_two_sessions(rig):
    """Seat Ada and Bob, and let Ada come a second time; return all three."""
    signed = token("u1", name="Ada")
    ada, again = Somebody(rig, "Ada", token=signed), Somebody(rig, "Ada", token=signed)
    bob = Somebody(rig, "Bob", token=token("u2", name="Bob"))
    for somebody in (ada, bob, again):
        await somebody.come()
    await ada.say(create(seats=2))
    table = (await ada.until(m.Joined)).place.info.table
    await bob.say(m.Join(command="join", table=table))
    await ada.rest()
    await bob.rest()
    return ada, bob, again, table


async def test_who_was_away_from_a_seat_that_was_taken_over_loses_no_other_place(tmp_path):
    """The time to come back was that seat's: it is over with it, and ends nothing elsewhere."""
    async with open_rig(**token_settings(tmp_path), resume_s=5) as rig:
        ada, _, again, table = await with_two_sessions(rig)
        await ada.cut()
        await again.say(m.Join(command="join", table=table))
        await again.rest()
        await ada.come_back()
        await ada.say(create(seats=2))
        elsewhere = (await ada.until(m.Joined)).place.info.table
        await trio.sleep(10)

        assert elsewhere != table
        assert m.Left not in map(type, await ada.rest())


@pytest.mark.complaint("servers 26")
async def test_the_newest_session_takes_the_seat(tmp_path):
    """A user's second session that joins gets the user's seat and view; the first is told.

    It never gets a second seat, nor another seat's view.
    """
    async with open_rig(**token_settings(tmp_path), resume_s=5) as rig:
        ada, bob, again, table = await with_two_sessions(rig)
        await again.say(m.Join(command="join", table=table, seat=1))
        told = await again.rest()
        before = await ada.rest()
        game = rig.factory.games[0]

        assert told[0].place.seat == 0
        assert (
            next(one for one in told if isinstance(one, m.Snapshot)).view == game.view(0).entities
        )
        assert m.Asked in map(type, told)
        assert [type(one) for one in before] == [m.Left]
        assert game._secrets[1].encode() not in b"".join(again.line.frames)
        await ada.say(decide(game.open_prompt, "old"))
        assert (await ada.rest())[0].code == "out_of_order"
        await again.say(decide(game.open_prompt, "new"))
        assert (await again.until(m.Answered)).ok
        assert m.Over not in map(type, await bob.rest())
        await ada.cut()
        await trio.sleep(10)
        assert m.Over not in map(type, await bob.rest())


async def test_a_seat_whose_player_is_away_is_taken_up(tmp_path):
    """A user without its old session takes up the seat by joining, and the others are told."""
    async with open_rig(**token_settings(tmp_path), resume_s=5) as rig:
        ada, bob, again, table = await with_two_sessions(rig)
        await ada.cut()
        await bob.rest()
        await again.say(m.Join(command="join", table=table))
        assert (await again.until(m.Joined)).place.seat == 0
        told = await bob.rest()
        await trio.sleep(10)

        assert m.Presence(seat=0, name="Ada", here=True) in told
        assert m.Over not in map(type, await bob.rest())


async def test_what_was_under_way_when_the_seat_was_taken_up(tmp_path):
    """A command that waited while its session lost the seat is answered by an error, and undone."""
    async with open_rig(**token_settings(tmp_path)) as rig:
        ada, bob, again, table = await with_two_sessions(rig)
        rig.journal.append_s = 5
        prompt = rig.factory.games[0].open_prompt
        await ada.say(decide(prompt, "first"))
        await trio.testing.wait_all_tasks_blocked()
        await again.say(m.Join(command="join", table=table))
        await trio.testing.wait_all_tasks_blocked()
        await ada.say(m.Concede(command="late"), m.Resync(), m.Leave(command="leave"))
        await trio.sleep(6)
        told = await ada.rest()
        place = told.index(next(one for one in told if isinstance(one, m.Left)))

        assert [type(one) for one in told[place:]] == [m.Left, *[m.Failed] * 3]
        assert [one.command for one in told[place + 1 :]] == ["late", "", "leave"]
        assert len(rig.journal.records) == 1
        await ada.say(m.Ping(nonce=5))
        assert (await ada.until(m.Pong)).nonce == 5
        await bob.rest()


@pytest.mark.complaint("servers 29")
async def test_a_second_session_that_watches(tmp_path):
    """A player's other session that watches sees what spectators see, and may do no more."""
    async with open_rig(**token_settings(tmp_path)) as rig:
        ada, _, again, table = await with_two_sessions(rig)
        await again.say(m.Spectate(command="watch", table=table))
        told = await again.rest()
        await again.say(decide(rig.factory.games[0].open_prompt, "d"))
        answer = await again.until(m.Answered)

        assert told[0].place.seat is None
        assert told[2].view == rig.factory.games[0].view("spectator").entities
        assert (answer.code, answer.prompt) == ("not_seated", None)
        for secret in rig.factory.games[0]._secrets:
            assert secret.encode() not in b"".join(again.line.frames)
        await ada.rest()


@pytest.mark.complaint("servers 55")
async def test_connections_of_one_user(tmp_path):
    """Beyond sessions_per_user_max the user's oldest connection is closed; others' are not."""
    async with open_rig(**token_settings(tmp_path), sessions_per_user_max=2) as rig:
        signed = token("u1", name="Ada")
        other = Somebody(rig, "Bob", token=token("u2"))
        await other.come()
        sessions = [Somebody(rig, "Ada", token=signed) for _ in range(4)]
        names = [(await somebody.come()).name for somebody in sessions]

        assert names == ["Ada"] * 4
        assert [await somebody.line.close_code() for somebody in sessions[:2]] == [4001, 4001]
        assert [await somebody.rest() for somebody in (*sessions[2:], other)] == [[]] * 3
        await gone(rig, connections=3)
        await sessions[0].come_back()
        assert await sessions[2].line.close_code() == 4001
