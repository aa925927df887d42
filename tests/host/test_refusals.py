"""Commands at a table: what is refused, and how often one is carried out."""

import trio

from host.rig import open_rig, playing, refused, until
from longfuse_protocol import messages as m

BOT = m.SeatWish(kind="bot", bot="default")
OPEN = m.SeatWish()


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
    """A spectator's commands are refused, and tell neither who is asked nor what."""
    async with open_rig() as rig, playing(rig) as (ada, _bob), rig.client("Eve") as eve:
        await eve.spectate(ada.place.info.table)
        answers = [
            await refused(eve.decide(ada.prompt, 0)),
            await refused(eve.take_back()),
            await refused(eve.concede()),
        ]

        assert {(a.code, a.asked, a.prompt) for a in answers} == {("not_seated", None, None)}
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
        too_early = await refused(bob.concede())
        await until(ada, m.Asked)
        await bob.concede()
        over = await until(ada, m.Over)
        late = await refused(bob.concede())

        assert (early.code, too_early.code, late.code) == ("not_started", "not_started", "over")
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
        await bob.decide((await until(bob, m.Asked)).prompt, bob.prompt.default)
        for _ in range(2):  # between them, a prompt of Bob's is passed for him
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


async def test_too_much_waiting_that_is_no_command():
    """What has no id is refused by an error, and the table goes on."""
    async with open_rig(commands_waiting_max=1) as rig, playing(rig) as (ada, _bob):
        rig.journal.append_s = 5
        ada.send(m.Decide(command="slow", prompt=1, answer=0))
        await trio.testing.wait_all_tasks_blocked()
        for _ in range(3):
            ada.send(m.Resync())
        failed = [await until(ada, m.Failed) for _ in range(2)]

        assert [one.code for one in failed] == ["busy", "busy"]
        assert (await until(ada, m.Snapshot)).n == 2
