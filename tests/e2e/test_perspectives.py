"""What one sees is its own: asking for it sends nobody else anything, and gives nobody more."""

from __future__ import annotations

import contextlib
from collections.abc import AsyncIterator, Sequence

import msgspec
import pytest
import trio

from e2e.evenings import FOR_SEATS, TERMS, Evening
from e2e.hidden_cards import RULESETS, marked
from e2e.wiretap import Heard, Stacked, Tap, open_house, same_chance, settle
from longfuse_protocol import messages as m
from longfuse_protocol.codec import JSON
from longfuse_protocol.views import digest

DELAY_S = 7
HELD_BACK = (
    *(m.Events, m.Clock, m.Presence, m.Said, m.Over, m.TableChanged),
    *(m.Commitment, m.NonceHashes, m.Nonces),
)
"""All that spectators are told of a table."""

pytestmark = pytest.mark.slow


@contextlib.asynccontextmanager
async def an_evening(ruleset: str, **terms: object) -> AsyncIterator[tuple[Evening, Stacked]]:
    """Begin an evening of marked cards."""
    games = Stacked(marked(ruleset, 1))
    with same_chance(1):
        async with open_house(games) as rig, trio.open_nursery() as nursery:
            spent = Evening(rig, nursery, ruleset, 1, terms=msgspec.structs.replace(TERMS, **terms))
            await spent.begin()
            yield spent, games
            nursery.cancel_scope.cancel()


def counts(spent: Evening, but: Tap) -> dict[str, int]:
    """How much everybody else has heard."""
    return {tap.name: len(tap.heard) for tap in spent.taps if tap is not but}


def since(tap: Tap, before: int, kinds: type | tuple[type, ...]) -> list[m.ServerMessage]:
    """What a client has heard since, of some kinds."""
    return [one.message for one in tap.heard[before:] if isinstance(one.message, kinds)]


@pytest.mark.parametrize("ruleset", RULESETS)
async def test_what_one_asks_for_is_sent_to_nobody_else(ruleset: str) -> None:
    """One watcher resyncs, looks around, drops, comes back, replays, mutes: others hear nothing."""
    async with an_evening(ruleset) as (spent, _):
        await spent.play(4, acts_at=())
        before = counts(spent, spent.eve)
        await spent.eve.send(m.Resync())
        await spent.eve.send(m.Browse())
        await spent.eve.command(m.Mute, name="Mia")
        await spent.eve.replay(f"{spent.table}-1", "spectator")
        await spent.eve.drop()
        await spent.eve.come_back(n=0)
        await spent.eve.drop()
        await trio.sleep(30)
        await spent.eve.come_back(stream=f"{spent.table}/0")
        await settle()
        await spent.eve.command(m.Leave)
        await spent.watch(spent.eve)

        assert counts(spent, spent.eve) == before


@pytest.mark.parametrize("ruleset", RULESETS)
async def test_a_spectator_s_commands_do_nothing(ruleset: str) -> None:
    """Each gets one typed error; the game's state is the same, and nobody else hears of it."""
    async with an_evening(ruleset) as (spent, games):
        await spent.play(4, acts_at=())
        (game,) = games.games
        before, state = counts(spent, spent.eve), game.state_hash()
        for kind, fields in FOR_SEATS:
            answered = await spent.eve.command(kind, **fields)
            assert isinstance(answered, m.Answered)
            assert (answered.ok, answered.code) == (False, "not_seated")
            assert (answered.asked, answered.prompt) == (None, None)
        heard = len(spent.eve.heard)
        await spent.eve.send(m.Nonce(game=f"{spent.table}-1", nonce="0" * 64))
        assert [one.code for one in since(spent.eve, heard, m.Failed)] == ["not_seated"]

        assert counts(spent, spent.eve) == before
        assert (game.state_hash(), len(spent.rig.journal.records)) == (state, game.entries)


@pytest.mark.parametrize("ruleset", RULESETS)
async def test_a_view_follows_from_the_place_alone(ruleset: str) -> None:
    """Who claims a seat's stream, or is a player's second session, sees what spectators see."""
    async with an_evening(ruleset) as (spent, games):
        bob_again, number = spent.lou, 2
        bob_again.name = "Bob"
        await bob_again.drop()
        await bob_again.come()
        await settle()
        await spent.watch(bob_again)
        await spent.play(4, acts_at=())
        shared = digest(games.games[-1].view("spectator"))
        for tap in (spent.eve, bob_again):
            for seat in (0, 1):
                before = len(tap.heard)
                await tap.drop()
                await tap.come_back(stream=f"{spent.table}/{seat}", n=number)
                await settle()
                (welcome,) = since(tap, before, m.Welcome)
                (view,) = since(tap, before, m.Snapshot)
                assert (welcome.place.seat, view.digest) == (None, shared)
                assert since(tap, before, (m.Asked, m.PassingSet, m.Offers)) == []
        answered = await bob_again.command(m.Join, table=spent.table, seat=1)
        assert answered.code == "out_of_order"


@pytest.mark.parametrize("ruleset", RULESETS)
async def test_all_spectators_are_sent_the_same(ruleset: str) -> None:
    """Game frames are the same bytes for all of one subprotocol, and mean the same in the other."""
    async with an_evening(ruleset) as (spent, _):
        await spent.watch(spent.lou)
        await spent.play(10, acts_at=())
        eve, mia, lou = (
            [one for one in tap.heard if isinstance(one.message, m.Events | m.Clock)][-20:]
            for tap in (spent.eve, spent.mia, spent.lou)
        )

        assert [one.data for one in eve] == [one.data for one in lou]
        assert [one.message for one in eve] == [one.message for one in mia]
        assert spent.eve.subprotocol == spent.lou.subprotocol == JSON != spent.mia.subprotocol


# ---------------------------------------------------------------- delay


async def watched(ruleset: str, delay_s: int) -> tuple[list[Heard], list[Heard]]:
    """Spend an evening with all that spectators hear of; return what one of them has heard, and
    what somebody has who looks at the list of tables and asks for a replay, twice a second.
    """
    async with an_evening(ruleset, delay_s=delay_s) as (spent, _):
        ada, bob = spent.ada, spent.bob

        async def look(times: int) -> None:
            for _ in range(times):
                await trio.sleep(0.25)
                await settle()
                await spent.out.send(m.Browse())
                await spent.out.replay(f"{spent.table}-1", "spectator")
                await trio.sleep(0.25)

        await spent.play(3, acts_at=())
        await look(4)
        await ada.command(m.Say, text="well")
        await spent.play(3, acts_at=())
        await bob.drop()
        await look(4)
        await bob.come_back()
        await settle()
        await spent.pause()
        await spent.go_back()
        await spent.play(1, acts_at=())
        await spent.ada.command(m.Concede)
        await look(4)
        await ada.command(m.Leave)
        await bob.command(m.Leave)
        await look(4 * DELAY_S)
        assert (spent.ada.over, spent.bob.over) != (None, None)
        return spent.mia.heard, spent.out.heard


def told(heard: Sequence[Heard], later_s: float) -> list[tuple[float, bytes]]:
    """What was told of the game, as if so much later; what comes before any game is left out."""
    return [
        (one.at + later_s, one.data.replace(b"delay_s\x07", b"delay_s\x00"))
        for one in heard
        if isinstance(one.message, HELD_BACK)
        and not (
            isinstance(one.message, m.TableChanged)
            and one.message.info.status in ("waiting", "starting")
        )
    ]


def listed(heard: Sequence[Heard], later_s: float) -> dict[tuple[float, type], tuple[object, ...]]:
    """What the list told, and whether there was a replay, by the time of asking."""
    found: dict[tuple[float, type], tuple[object, ...]] = {}
    for one in heard:
        if isinstance(one.message, m.Tables):
            (info,) = one.message.tables
            found[one.at + later_s, m.Tables] = (info.status, info.score, info.seats, info.game)
        elif isinstance(one.message, m.Replayed):
            found[one.at + later_s, m.Replay] = (one.message.last,)
        elif isinstance(one.message, m.Failed):
            found[one.at + later_s, m.Replay] = (one.message.code, one.message.text)
    return found


@pytest.mark.parametrize("ruleset", RULESETS)
async def test_with_a_delay_all_is_as_without_but_later(ruleset: str) -> None:
    """Every message of every type to a spectator, the list of tables, and replays."""
    prompt, prompt_out = await watched(ruleset, 0)
    late, late_out = await watched(ruleset, DELAY_S)

    assert {type(one.message) for one in prompt} >= set(HELD_BACK)
    assert told(late, 0) == told(prompt, DELAY_S)
    soon, later = listed(prompt_out, DELAY_S), listed(late_out, 0)
    both = soon.keys() & later.keys()
    assert len(both) > 40
    assert {key: later[key] for key in both} == {key: soon[key] for key in both}
    assert {later[key][0] for key in both if key[1] is m.Tables} == {"playing", "over"}


@pytest.mark.parametrize("ruleset", RULESETS)
async def test_who_comes_late_to_a_delayed_table_sees_what_the_others_see(ruleset: str) -> None:
    """Not what the seats see by then: in the view, its number, its digest, its recap, the clock."""
    async with an_evening(ruleset, delay_s=DELAY_S) as (spent, games):
        for _ in range(4):
            await spent.play(2, acts_at=())
            await trio.sleep(2)
            await settle()
        await spent.play(2, acts_at=())
        shown = [one.message for one in spent.mia.heard if isinstance(one.message, m.Events)][-1]
        before = len(spent.lou.heard)
        await spent.watch(spent.lou)
        (view,) = since(spent.lou, before, m.Snapshot)

        assert (view.n, view.digest) == (shown.n, shown.digest)
        assert view.digest != digest(games.games[-1].view("spectator"))
        assert view.recap[-1] in [event for one in spent.mia.heard for event in events_of(one)]
        clocks = [one.message for one in spent.mia.heard if isinstance(one.message, m.Clock)]
        assert since(spent.lou, before, HELD_BACK) == clocks[-1:]


def events_of(heard: Heard) -> list[dict[str, object]]:
    """The events of a game frame; none of anything else."""
    return heard.message.events if isinstance(heard.message, m.Events) else []
