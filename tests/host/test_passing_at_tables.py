"""Passing at a table: ordinary decisions, which nobody else can tell from those of a player."""

import msgspec
import pytest
import trio

from host.lines import come, create, decide, kinds, seated
from host.rig import open_rig
from longfuse_protocol import messages as m
from longfuse_protocol.passing import Stop, Until

ASK = m.Passing(mode="ask")
PASS = m.Passing(mode="pass", interrupts=())


def prompt_of(rig):
    return rig.factory.games[-1].open_prompt


def asked(messages):
    return [message.prompt.id for message in messages if isinstance(message, m.Asked)]


def passed(messages):
    return [(one.prompt, one.rule) for one in messages if isinstance(one, m.Passed)]


def kept(messages):
    """Return the settings that were told, as a client would set them."""
    return [
        msgspec.convert(msgspec.to_builtins(one.passing), m.Passing)
        for one in messages
        if isinstance(one, m.PassingSet)
    ]


async def act(somebody, others, *messages):
    """Let somebody say something at once, and return what each hears of it."""
    await somebody.say(*messages)
    return [await one.rest() for one in (somebody, *others)]


async def settle(somebody, passing, command="settings"):
    await somebody.say(m.Settings(command=command, passing=passing))
    return await somebody.rest()


async def play_to(rig, ada, bob, prompt, prefix=""):
    """Play on until the prompt with this number is next."""
    while (open_ := prompt_of(rig)).id < prompt:
        who, other = (ada, bob) if open_.seat == 0 else (bob, ada)
        await act(who, [other], decide(open_, f"{prefix}d{open_.id}"))


def known_key(rig):
    """Let every game be drawn from the same key, so that two can be compared byte by byte."""
    create_, key = rig.factory.create, bytes(32)
    rig.factory.create = lambda ruleset, decks, options, _key, tasks=None: create_(
        ruleset, decks, options, key, tasks
    )


async def game_seen(mode, *, watches_delay_s=0):
    """Play four entries, the last of which Bob passes by himself or not; return what others saw."""
    async with open_rig() as rig:
        known_key(rig)
        ada, bob, eve = await come(rig, "Ada", "Bob", "Eve")
        clock = m.ClockTerms(kind="bank", bank_s=100, increment_s=2)
        await ada.say(create(terms=m.Terms(clock=clock, delay_s=watches_delay_s)))
        table = (await ada.until(m.Joined)).place.info.table
        await eve.say(m.Spectate(command="w", table=table))
        await bob.say(m.Join(command="j", table=table))
        await bob.rest()
        await settle(bob, m.Passing(mode=mode))
        await play_to(rig, ada, bob, 4)
        if mode == "ask":
            await act(bob, [ada], decide(prompt_of(rig), "mine"))
        await trio.sleep(watches_delay_s + 1)
        for one in (ada, bob, eve):
            await one.rest()
        others = [
            [
                frame if isinstance(message, m.Events | m.Asked) else type(message)
                for message, frame in zip(one.line.heard, one.line.frames, strict=True)
            ]
            for one in (ada, eve)
        ]
        return others, [record for _, record in rig.journal.records], bob.line.heard


@pytest.mark.complaint("ui U13")
@pytest.mark.parametrize("delay_s", [0, 10])
async def test_others_cannot_tell(delay_s):
    """All frames to others are byte for byte the same, whether the player answered or the server.

    Only the journal, with the rule, and the seat itself know.
    """
    by_hand, by_hand_kept, _ = await game_seen("ask", watches_delay_s=delay_s)
    by_rule, by_rule_kept, heard = await game_seen("smart", watches_delay_s=delay_s)

    assert by_hand == by_rule
    assert [record.entry for record in by_hand_kept] == [record.entry for record in by_rule_kept]
    assert [record.rule for record in by_hand_kept] == ["", "", "", ""]
    [*others, last] = [(record.rule, record.command) for record in by_rule_kept]
    assert {rule for rule, _ in others} == {""}
    assert last == ("smart: nothing but passing", "")
    assert passed(heard) == [(4, "smart: nothing but passing")]
    assert asked(heard) == [2]


async def test_a_bluff_takes_always_so_long():
    """A pass takes bluff_ms, whatever its cause; until then nobody is told of it."""
    async with open_rig() as rig:
        terms = m.Terms(bluff_ms=800)
        ada, bob = await seated(rig, "Ada", "Bob", terms=terms)
        await play_to(rig, ada, bob, 4)
        began_at = trio.current_time()
        await trio.sleep(0.5)
        assert await ada.rest() == await bob.rest() == []
        await ada.until(m.Events)
        took_s = trio.current_time() - began_at

        assert took_s == pytest.approx(0.8, abs=0.05)
        assert len(rig.journal.records) == 4


async def test_a_pass_that_waits_survives_a_drop():
    """Who comes back while a pass waits is not asked, and the pass is made once."""
    async with open_rig() as rig:
        ada, bob = await seated(rig, "Ada", "Bob", terms=m.Terms(bluff_ms=2_000))
        await play_to(rig, ada, bob, 4)
        await bob.cut()
        await bob.come_back()
        told = await bob.rest()
        await trio.sleep(3)
        later = await bob.rest()
        await ada.rest()

        assert asked(told) == []
        assert passed(later) == [(4, "smart: nothing but passing")]
        assert len(rig.journal.records) == 4


async def test_other_settings_while_a_pass_waits():
    """Who wants to be asked, before a pass is made, is asked; nothing is passed then."""
    async with open_rig() as rig:
        ada, bob = await seated(rig, "Ada", "Bob", terms=m.Terms(bluff_ms=2_000))
        await play_to(rig, ada, bob, 4)
        told = await settle(bob, ASK)
        await trio.sleep(5)

        assert kinds(told) == [m.PassingSet, m.Answered, m.Asked]
        assert passed(await bob.rest()) == []
        assert len(rig.journal.records) == 3
        await ada.rest()


async def test_settings_answer_what_is_asked():
    """Who lets be passed what is open already is passed for at once."""
    async with open_rig() as rig:
        ada, bob = await seated(rig, "Ada", "Bob")
        await settle(bob, ASK)
        await play_to(rig, ada, bob, 4)
        told = await settle(bob, m.Passing(mode="smart"), "again")

        assert passed(told) == [(4, "smart: nothing but passing")]
        assert len(rig.journal.records) == 4
        await ada.rest()


async def test_a_pass_answers_one_prompt():
    """A pass answers the prompt that it was meant for and no other, whatever comes between."""
    async with open_rig() as rig:
        ada, bob = await seated(rig, "Ada", "Bob", terms=m.Terms(bluff_ms=2_000))
        await play_to(rig, ada, bob, 4)
        await act(bob, [ada], decide(prompt_of(rig), "guessed"))
        assert prompt_of(rig).id == 5
        await trio.sleep(5)
        told = await ada.rest()

        assert prompt_of(rig).id == 5
        assert [record.rule for _, record in rig.journal.records] == [""] * 4
        assert passed(await bob.rest()) == []
        assert m.Events not in kinds(told)
        await ada.cut()
        await ada.come_back()
        assert asked(await ada.rest()) == [5]


async def test_settings_outlive_the_connection():
    """Who comes back has the settings that it left, and is told of them."""
    wanted = m.Passing(mode="pass", stops=(Stop(phase="odd"),), yields=("a card",))
    async with open_rig() as rig:
        _, bob = await seated(rig, "Ada", "Bob")
        told = await settle(bob, wanted)
        await bob.cut()
        await bob.come_back()
        again = await bob.rest()

        assert kept(told) == kept(again) == [wanted]


async def test_until_a_phase():
    """`until` passes one's own turns too, is told in words, and ends by itself."""
    async with open_rig() as rig:
        ada, bob = await seated(rig, "Ada", "Bob")
        until = m.Passing(until=Until(phase="even"), interrupts=())
        told = await settle(bob, until)
        [shown] = [one for one in told if isinstance(one, m.PassingSet)]

        assert shown.until == "Pass until the next even turn"
        await play_to(rig, ada, bob, 6)
        assert [one for one in bob.line.heard if isinstance(one, m.PassingSet)][-1].until == ""


async def test_settings_that_cannot_be():
    """A phase that the ruleset does not have is refused, and what was set stays."""
    async with open_rig() as rig:
        _, bob = await seated(rig, "Ada", "Bob")
        await settle(bob, ASK)
        told = await settle(bob, m.Passing(stops=(Stop(phase="noon"),)), "wrong")
        await bob.say(m.Resync())
        shown = kept(await bob.rest())

        assert (told[-1].code, told[-1].ok) == ("refused", False)
        assert "'noon'" in told[-1].reason
        assert shown == [ASK]


async def test_nobody_else_is_told_of_settings():
    """Settings, and that they pass, are the seat's own business."""
    async with open_rig() as rig:
        ada, bob = await seated(rig, "Ada", "Bob")
        [eve] = await come(rig, "Eve")
        await eve.say(m.Spectate(command="w", table=ada.stream.split("/")[0]))
        await eve.rest()
        await settle(bob, PASS)

        assert await ada.rest() == await eve.rest() == []
        await play_to(rig, ada, bob, 5)
        heard = [*ada.line.heard, *await eve.rest()]
        assert not any(one.passing.mode == "pass" for one in heard if isinstance(one, m.PassingSet))
        assert not any(isinstance(one, m.Passed) for one in await eve.rest())
        assert passed(ada.line.heard) == []


async def test_settings_that_speak_of_one_game_end_with_it():
    """In the next game of a match `until` and yields are gone; mode and stops stay."""
    wanted = m.Passing(mode="pass", stops=(Stop(phase="odd"),), yields=("a card",))
    async with open_rig() as rig:
        ada, bob = await seated(rig, "Ada", "Bob", terms=m.Terms(best_of=3))
        await settle(bob, wanted)
        await act(ada, [bob], m.Concede(command="c"))
        for somebody in (ada, bob):
            await somebody.say(m.Ready(command="r"))
        await bob.say(m.Resync())
        shown = kept(await bob.rest())
        await ada.rest()

        assert len(rig.factory.games) == 2
        assert shown[-1] == m.Passing(mode="pass", stops=(Stop(phase="odd"),))


async def test_who_sits_down_is_told_the_settings_it_begins_with():
    """A page need not know the defaults: they are said with the seat, and to no spectator."""
    async with open_rig() as rig, rig.client("Ada") as ada, rig.client("Eve") as eve:
        place = await ada.create("toy", 2)
        await eve.spectate(place.info.table)

        assert ada.passing is not None
        assert eve.passing is None
