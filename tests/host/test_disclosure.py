"""The secret of a shuffle after its game: who is told it, and who never is."""

from host.lines import come, create, decide, kinds, seated
from host.rig import open_rig
from longfuse_protocol import messages as m


def secrets_in(messages):
    return [message.secret for message in messages if isinstance(message, m.Revealed)]


async def test_who_was_away_at_the_end_is_told_on_coming_back():
    """The secret belongs to those who played, and whoever missed it gets the very same."""
    async with open_rig() as rig:
        ada, bob = await seated(rig, "Ada", "Bob")
        await bob.cut()
        await ada.say(m.Concede(command="concede"))
        (told,) = secrets_in(await ada.rest())
        await bob.come_back()

        assert secrets_in(await bob.rest()) == [told]


async def test_who_leaves_a_game_is_told_before_going():
    """To leave is to lose: the leaver hears how it ended, and can check that it was fair."""
    async with open_rig() as rig:
        ada, bob = await seated(rig, "Ada", "Bob")
        await bob.say(m.Leave(command="l"))
        gone, stays = await bob.rest(), await ada.rest()
        (told,) = secrets_in(gone)

        assert kinds(gone)[-2:] == [m.Answered, m.Left]
        assert [one.winner for one in gone if isinstance(one, m.Over)] == [0]
        assert secrets_in(stays) == [told]
        changed = [one.info for one in stays if isinstance(one, m.TableChanged)][-1]
        assert (changed.status, changed.winner, changed.seats[1].kind) == ("over", 0, "gone")


async def test_an_aborted_start_is_told_on_coming_back_too():
    """Who was away when another was late learns the secret of the game that never began."""
    async with open_rig(nonce_s=5, resume_s=60) as rig:
        (ada,) = await come(rig, "Ada")
        (bob,) = await come(rig, "Bob", shuffles=True)
        await ada.say(create())
        place = (await ada.until(m.Joined)).place
        await bob.say(m.Join(command="join", table=place.info.table))
        await ada.until(m.Commitment)
        await ada.cut()
        await bob.until(m.Left)
        await ada.come_back()

        assert len(secrets_in(await ada.rest())) == 1


async def test_who_sits_down_later_is_told_nothing():
    """After a start that came to nothing, the next to sit there learns no earlier secret."""
    async with open_rig(nonce_s=5) as rig:
        (ada,) = await come(rig, "Ada")
        (bob,) = await come(rig, "Bob", shuffles=True)
        (cid,) = await come(rig, "Cid")
        await ada.say(create())
        place = (await ada.until(m.Joined)).place
        await bob.say(m.Join(command="j", table=place.info.table))
        await bob.until(m.Left)
        (told,) = secrets_in(await ada.rest())
        await cid.say(m.Join(command="j", table=place.info.table))
        asked = await ada.until(m.Asked)
        await cid.cut()
        await ada.say(decide(asked.prompt, "d"))
        await cid.come_back()

        assert told
        assert secrets_in(cid.line.heard + await cid.rest()) == []
