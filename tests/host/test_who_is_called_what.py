"""Names on the wire: who is refused one, and what becomes of a guest who has a user's."""

import pytest

from host.lines import Line, Somebody, create, seated, token, token_settings
from host.rig import open_rig
from longfuse_protocol import messages as m


async def test_a_name_that_cannot_be_had():
    """A hello under a reserved name is refused and leaves nothing; another may be said."""
    async with open_rig() as rig:
        line = Line(rig)
        told = await line.open(m.Hello(name="Operator"))
        sessions = rig.running.statistics()["sessions"]

        assert (told.code, told.retry_s) == ("name_taken", None)
        assert sessions == 0
        assert (await line.hello(m.Hello(name="Ann"))).name == "Ann"


async def test_a_guest_under_a_users_name(tmp_path):
    """A guest whose name turns out to be a user's is told its new one, and is called so."""
    async with open_rig(**token_settings(tmp_path)) as rig:
        ann, bob = await seated(rig, "Ann", "Bob")
        user = Somebody(rig, "whatever", token=token("u1", name="Ann"))
        welcome = await user.come()
        notice, own = await ann.rest()
        [table] = await bob.rest()
        await ann.cut()
        [presence] = await bob.rest()

        assert welcome.name == "Ann"
        assert (notice.kind, presence.name) == ("renamed", "Ann 2")
        assert "Ann 2" in notice.text
        assert own == table
        assert [seat.name for seat in table.info.seats] == ["Ann 2", "Bob"]


async def test_a_user_without_a_name_under_a_users_name(tmp_path):
    """Whose token says no name has a name like a guest's, in all its sessions."""
    async with open_rig(**token_settings(tmp_path)) as rig:
        nameless = [Somebody(rig, "Ann", token=token("u1")) for _ in range(2)]
        names = [(await one.come()).name for one in nameless]
        user = Somebody(rig, "whatever", token=token("u2", name="Ann"))
        welcome = await user.come()
        told = [await one.rest() for one in nameless]
        await nameless[0].cut()
        again = await nameless[0].come_back()

        assert (names, welcome.name) == (["Ann", "Ann"], "Ann")
        assert [[notice.kind for notice in one] for one in told] == [["renamed"], ["renamed"]]
        assert again.name == "Ann 2"


@pytest.mark.parametrize("is_first", [True, False])
async def test_a_name_is_no_tokens_because_another_session_has_one(tmp_path, is_first):
    """Sessions of one user have one name, and all of them show whose word it is."""
    async with open_rig(**token_settings(tmp_path)) as rig:
        said, own = token("u1", name="Ann"), token("u1")
        first, second = [
            Somebody(rig, "Famous", token=one) for one in ((said, own) if is_first else (own, said))
        ]
        await first.come()
        await second.come()
        shown = []
        for somebody in (first, second):
            await somebody.say(create())
            [seat, _] = (await somebody.until(m.Joined)).place.info.seats
            shown.append((seat.name, seat.guest))

        assert shown == [("Ann", False) if is_first else ("Famous", True)] * 2


async def test_what_a_guest_said_is_not_the_users(tmp_path):
    """What was said and muted under a name that a user has now goes along with the guest."""
    async with open_rig(**token_settings(tmp_path)) as rig:
        ann, bob = await seated(rig, "Ann", "Bob")
        await bob.say(m.Mute(command="m1", name="Ann"))
        await ann.say(m.Say(command="s1", text="hello"), m.Mute(command="m2", name="Bob"))
        await ann.rest()
        user = Somebody(rig, "whatever", token=token("u1", name="Ann"))
        await user.come()
        await ann.say(m.Say(command="s2", text="again"))
        await bob.say(m.Say(command="s3", text="you?"))
        heard = [await somebody.rest() for somebody in (ann, bob)]
        [table] = rig.running._lobby._tables
        await user.say(m.Spectate(command="w", table=table))
        heard.append(await user.rest())
        anns, bobs, users = ([one for one in told if type(one) is m.Said] for told in heard)

        assert [line.text for line in anns] == ["again"]
        assert [line.text for line in bobs] == ["you?"]
        assert [(line.name, line.text) for line in users] == [
            ("Ann 2", "hello"),
            ("Ann 2", "again"),
            ("Bob", "you?"),
        ]


async def test_a_user_who_leaves_in_one_session_still_hears_nobody_it_muted_in_another(tmp_path):
    """Sessions of one user at a table mute together, until the last of them has gone."""
    async with open_rig(**token_settings(tmp_path)) as rig:
        _, bob = await seated(rig, "Ada", "Bob")
        [table] = rig.running._lobby._tables
        watchers = [Somebody(rig, "Ann", token=token("u1", name="Ann")) for _ in range(2)]
        for somebody in watchers:
            await somebody.come()
            await somebody.say(m.Spectate(command="w", table=table))
        await watchers[0].say(m.Mute(command="m", name="Bob"), m.Leave(command="l"))
        await watchers[0].until(m.Left)
        await watchers[1].rest()
        await bob.say(m.Say(command="s1", text="hello"))
        muted = await watchers[1].rest()
        await watchers[1].say(m.Leave(command="l"))
        await watchers[1].until(m.Left)
        await watchers[1].say(m.Spectate(command="w2", table=table))

        assert muted == []
        assert [line.text for line in await watchers[1].rest() if type(line) is m.Said] == ["hello"]
