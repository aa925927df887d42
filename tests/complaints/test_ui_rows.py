"""What the server does so that pages can be right: passing, prompts, the log, perspectives."""

import re

import pytest
import trio

from complaints.explained import Reader
from complaints.real_games import RULESETS, games_of
from complaints.scene import Network, agree, hear_out, settle, take
from host.lines import Line, come, create, decide, seated
from host.rig import open_rig, playing, refused, until
from longfuse_protocol import messages as m
from longfuse_protocol.passing import Passing, ShownPassing, Stop, Until
from support.adding_up import assert_adds_up

ASK = Passing(mode="ask")
NOUN = re.compile(r": choose \d+ (friendly |enemy )?([a-z, ]+)\.")
TYPES = {"unit", "creature", "building", "battlefield", "spell", "item", "location"}


@pytest.mark.complaint("ui U06")
async def test_a_window_stays_open():
    """Who plays on fast cannot get past the other's window: it is there until it is answered."""
    async with open_rig() as rig, playing(rig) as (ada, bob):
        await bob.settings(ASK)
        await take(ada)
        prompt = (await until(bob, m.Asked)).prompt
        for _ in range(20):
            answer = await refused(ada.decide(prompt, 1))
            assert (answer.code, answer.asked) == ("not_asked", 1)
        await trio.sleep(3_600)
        assert bob.prompt == prompt
        assert (await take(bob)).ok


@pytest.mark.complaint("ui U07")
async def test_what_interrupts_is_a_setting():
    """By default attacks, targets, lethal sums and fuses do; each can be set, and none at all. All
    is told."""
    async with open_rig() as rig, playing(rig) as (ada, _bob):
        await ada.resync()
        await hear_out(ada)
        default, told = ada.passing.passing, []
        for interrupts in ((), ("anything",), ("attacked", "played")):
            await ada.settings(Passing(mode="pass", interrupts=interrupts))
            await settle()
            told.append(ada.passing.passing.interrupts)

        assert (default.mode, set(default.interrupts)) == (
            "smart",
            {"attacked", "targeted", "lethal", "fuse"},
        )
        assert told == [(), ("anything",), ("attacked", "played")]


@pytest.mark.complaint("ui U12")
@pytest.mark.parametrize("plays", [False, True])
async def test_picking_and_cancelling_shows_nothing(plays):
    """Ada picks something and cancels, three times, or does not: Bob is sent the same. Of a play
    that stands he hears when it stands."""
    told = {}
    for picked in (0, 3):
        async with open_rig() as rig:
            ada, bob = await seated(rig, "Ada", "Bob", options={"plays": True})
            game = rig.factory.games[0]
            for number in range(picked):
                await ada.say(decide(game.open_prompt, f"d{number}", number))
                await ada.rest()
                await ada.say(m.TakeBack(command=f"t{number}"))
                await ada.rest()
            assert await bob.rest() == []
            if plays:
                await ada.say(decide(game.open_prompt, "d", 0))
                assert await bob.rest() == []
                await ada.rest()
                await ada.say(decide(game.open_prompt, "sure"))
            told[picked] = await bob.rest()

    assert [_seen(one) for one in told[0]] == [_seen(one) for one in told[3]]
    assert bool(told[0]) is plays


def _seen(message):
    """What a message says but for the secret of its own seat, which differs from game to game."""
    if isinstance(message, m.Events):
        events = [event for event in message.events if event["kind"] != "whisper"]
        return message.n, events, message.changes
    return type(message), getattr(getattr(message, "prompt", None), "text", "")


@pytest.mark.complaint("ui U13")
async def test_a_pass_looks_the_same_whoever_makes_it():
    """With a bluff delay, a pass of the server takes as long at each cause, and names nobody."""
    async with open_rig() as rig:
        terms, options = m.Terms(bluff_ms=1_500), {"heap": 60}
        ada, bob = await seated(rig, "Ada", "Bob", terms=terms, options=options)
        await bob.say(m.Settings(command="s", passing=Passing(mode="pass")))
        game, took, times = rig.factory.games[0], [], []
        while len(times) < 6:
            if game.asked == 0:
                asked_at = trio.current_time()
                await ada.say(decide(game.open_prompt, f"a{game._turn}"))
                await ada.rest()
                if game.asked == 1 and game.open_prompt.shape in ("one", "order"):
                    while game.asked == 1:  # noqa: ASYNC110  seen by looking, as an opponent would
                        await trio.sleep(0.05)
                    times.append(round(trio.current_time() - asked_at, 1))
            else:
                await bob.say(decide(game.open_prompt, f"b{game._turn}"))
                await bob.rest()
            took += await ada.rest()

        assert max(times) - min(times) <= 0.15
        assert min(times) >= 1.5
        assert not any(isinstance(one, m.Passed | m.PassingSet) for one in took)


@pytest.mark.complaint("ui U15")
async def test_settings_live_on_the_server():
    """Modes, stops and yields come back as they were set, after a drop, and are revoked by it."""
    wished = Passing(
        mode="pass",
        stops=(Stop("odd", "own"),),
        until=Until("even", "others"),
        yields=("An old card", "Another"),
    )
    async with open_rig(resume_s=60) as rig:
        network = Network(rig)
        async with network.client("Ada") as ada, rig.client("Bob") as bob:
            await bob.join((await ada.create("toy", 2)).info.table)
            await hear_out(ada)
            await ada.settings(wished)
            await settle()
            before = ada.passing
            await network.cut()
            await until(ada, m.PassingSet)
            after = ada.passing
            await ada.settings(ASK)
            await settle()

            assert before == after
            assert (after.passing.mode, after.passing.yields) == ("pass", wished.yields)
            assert [(one.phase, one.whose) for one in after.passing.stops] == [("odd", "own")]
            assert isinstance(ada.passing.passing, ShownPassing)
            assert (ada.passing.passing.mode, ada.passing.passing.yields) == ("ask", ())


@pytest.mark.slow
@pytest.mark.complaint("ui U16")
@pytest.mark.parametrize("ruleset", RULESETS)
async def test_a_prompt_says_what_it_takes(ruleset):
    """Every target that is offered is of the kind, and on the side, that the prompt's text says."""
    looked_at = 0
    games = await games_of(ruleset)
    for prompt, view in (asked for game in games for asked in game.prompts()):
        found = NOUN.search(prompt.text)
        if prompt.kind != "target" or found is None:
            continue
        side, nouns = found.group(1), set(re.findall(r"[a-z]+", found.group(2))) & TYPES
        for item in prompt.items:
            for key in item.about if item.legal else ():
                looked_at += 1
                assert not nouns or view[key]["type"] in nouns, (prompt.text, view[key])
                if side:
                    own = view[key]["controller"] == prompt.seat
                    assert own is (side == "friendly "), (prompt.text, view[key])

    assert looked_at > 10


@pytest.mark.slow
@pytest.mark.complaint("ui U22")
@pytest.mark.parametrize("ruleset", RULESETS)
async def test_an_order_is_asked_where_it_can_be_told_apart(ruleset):
    """What is put to a player to order differs: in its words, or in what it is about."""
    orders = [
        prompt
        for game in await games_of(ruleset)
        for prompt, _view in game.prompts()
        if prompt.shape == "order"
    ]
    for prompt in orders:
        assert len({(item.label, item.about) for item in prompt.items}) > 1

    assert orders


@pytest.mark.complaint("ui U25")
async def test_there_is_a_prompt_where_the_state_has_one():
    """Asked for all anew at any time, the prompt comes if this seat is asked, and never else."""
    async with open_rig() as rig, playing(rig, heap=8) as (ada, bob):
        for _ in range(10):
            for client in (ada, bob):
                await client.resync()
            await settle()
            agree(ada, bob)
            for client in (ada, bob):
                await hear_out(client)
            if rig.factory.games[0].result is not None:
                break
            await take(ada if ada.prompt else bob)
            await settle()
        assert (ada.prompt, bob.prompt) == (None, None)


@pytest.mark.slow
@pytest.mark.complaint("ui U27")
@pytest.mark.parametrize("ruleset", RULESETS)
async def test_effects_in_force_are_listed(ruleset):
    """What waits or lasts is in everybody's view: from what, what it says, and when it ends."""
    waiting = [
        entity
        for game in await games_of(ruleset)
        for frame in game.frames("Eve")
        for key, entity in frame.changes.items()
        if re.fullmatch(r"w\d+", key) and entity is not None
    ]
    for entity in waiting:
        assert all(entity[field] for field in ("kind", "source", "says", "window", "uses"))
        assert {"controller", "about", "marks"} <= entity.keys()

    assert waiting


async def shown_to_each(ruleset):
    """Return the frames of games of a ruleset, those of each viewer by themselves."""
    games = await games_of(ruleset)
    return [game.frames(name) for game in games for name in ("Ada", "Bob", "Eve")]


@pytest.mark.slow
@pytest.mark.complaint("ui U27")
@pytest.mark.parametrize("ruleset", RULESETS)
async def test_a_shown_number_is_the_sum_of_what_changes_it(ruleset):
    """In every entity that anybody is sent: printed, and each change with its source and end."""
    explained = 0
    for frames in await shown_to_each(ruleset):
        for frame in frames:
            for entity in frame.changes.values():
                explained += len(assert_adds_up(entity)) if entity is not None else 0

    assert explained > 10


@pytest.mark.slow
@pytest.mark.complaint("ui U27")
@pytest.mark.parametrize("ruleset", RULESETS)
async def test_what_lit_a_fuse_is_told(ruleset):
    """Each names the event that made it, as its viewer counts events."""
    lit = 0
    for frames in await shown_to_each(ruleset):
        told = {}
        for frame in frames:
            told |= {event["n"]: event["event"] for event in frame.events}
            for key, entity in frame.changes.items():
                if re.fullmatch(r"w\d+", key) and entity is not None:
                    lit += 1
                    assert told[entity["created_by"]] == "ability created"

    assert lit


@pytest.mark.slow
@pytest.mark.complaint("ui U30")
@pytest.mark.parametrize("ruleset", RULESETS)
async def test_whatever_changes_on_the_table_is_told(ruleset):
    """No frame to a spectator brings, changes or takes away anything without an event of it that
    says so, field by field: cards in play, players, the chain, battlefields, fuses, phases."""
    silent, changed = [], 0
    for game in await games_of(ruleset):
        first, *frames = game.frames("Eve")
        reader = Reader(first.changes)
        for frame in frames:
            silent += reader.unexplained(frame.events, frame.changes)
        changed += reader.read

    assert changed > 1_000
    assert silent == []


@pytest.mark.complaint("ui U40")
async def test_a_perspective_is_a_connection_s_own():
    """Of three who watch, one goes to sit down at another table: the others get no frame of it."""
    async with open_rig() as rig:
        ada, bob = await seated(rig, "Ada", "Bob")
        people = await come(rig, "Eve", "Mia", "Lou")
        for one in people:
            await one.say(m.Spectate(command="s", table=ada.stream.split("/")[0]))
        for one in (ada, bob, *people):
            await one.rest()
        eve, *others = people
        await eve.say(m.Resync())
        await eve.cut()
        await eve.come_back(stream=ada.stream)
        await eve.say(m.Leave(command="l"))
        await eve.until(m.Left)
        await eve.say(create())
        place = (await eve.until(m.Joined)).place

        assert place.seat == 0
        assert [await one.rest() for one in (ada, bob, *others)] == [[]] * 4


@pytest.mark.complaint("ui U45")
async def test_a_replay_can_be_entered_anywhere():
    """From each frame on, the rest of a finished game is had with one question; to anybody who
    could watch it, and in either direction."""
    async with open_rig() as rig:
        ada, bob = await seated(rig, "Ada", "Bob", options={"heap": 8})
        game = rig.factory.games[0]
        while game.result is None:
            await (ada, bob)[game.asked].say(decide(game.open_prompt, f"d{game._turn}"))
            await settle()
        name = f"{ada.stream.split('/')[0]}-1"
        line, parts = Line(rig), []
        await line.open(m.Hello(name="Eve"))
        for after in (0, 5, 2, 7):
            await line.say(m.Replay(command=f"p{after}", game=name, after=after))
            parts.append(await line.until(m.Replayed))
        whole = parts[0].frames

        assert [frame.n for frame in whole] == list(range(1, len(whole) + 1))
        assert len(whole) > 7
        for after, part in zip((0, 5, 2, 7), parts, strict=True):
            assert part.frames == whole[after:]
