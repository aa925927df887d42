"""A match: its games and their score, what stands between them, and what a drain ends."""

import pytest
import trio

from host.agreeing import act, answer, concede, infos, offer, prompt_of, ready, respond
from host.lines import come, decide, kinds, seated
from host.rig import gone, open_rig
from longfuse_protocol import messages as m

THREE = m.Terms(best_of=3)


# ---------------------------------------------------------------- games of a match


async def test_a_match_of_three():
    """It is over as soon as a seat has won two; each game is a game of its own with a journal."""
    async with open_rig() as rig:
        ada, bob = await seated(rig, "Ada", "Bob", terms=THREE)
        statuses = []
        for number, loser in enumerate((bob, ada, bob)):
            other = ada if loser is bob else bob
            told, _ = await concede(loser, other, f"c{number}")
            statuses.append((infos(told)[-1].status, infos(told)[-1].score))
            if number < 2:
                await ready(ada, bob, f"r{number}")

        assert statuses == [("between games", (1, 0)), ("between games", (1, 1)), ("over", (2, 1))]
        table, games = ada.stream.split("/")[0], [header.game for header in rig.journal.headers]
        assert games == [f"{table}-{n}" for n in (1, 2, 3)] == list(rig.journal.closed)
        assert len(set(rig.journal.closed.values())) == 3


async def test_two_wins_end_a_match_of_three():
    """Where one seat wins the first two games, no third is played."""
    async with open_rig() as rig:
        ada, bob = await seated(rig, "Ada", "Bob", terms=THREE)
        await concede(bob, ada, "c1")
        await ready(ada, bob)
        told, _ = await concede(bob, ada, "c2")
        late = answer((await act(ada, [bob], m.Ready(command="late")))[0])
        await trio.sleep(30)

        assert (infos(told)[-1].status, infos(told)[-1].score) == ("over", (2, 0))
        assert late.code == "not_now"
        assert len(rig.factory.games) == 2


async def test_the_next_game_begins_when_all_are_ready():
    """Between games each is told who is ready; with the last one the next game begins."""
    async with open_rig() as rig:
        ada, bob = await seated(rig, "Ada", "Bob", terms=THREE)
        told, _ = await concede(bob, ada)
        [check] = [one for one in told if isinstance(one, m.ReadyCheck)]
        await trio.sleep(3)
        [half, _] = await act(ada, [bob], m.Ready(command="r"))
        assert len(rig.factory.games) == 1
        whole, _ = await act(bob, [ada], m.Ready(command="r"))

        assert check.ready == (False, False)
        [again] = [one for one in half if isinstance(one, m.ReadyCheck)]
        assert (again.ready, again.until_ms) == ((True, False), check.until_ms)
        assert m.Events in kinds(whole)
        assert len(rig.factory.games) == 2


async def test_the_next_game_begins_in_time():
    """Who is not ready does not hold up the match for longer than between_s."""
    async with open_rig(between_s=15, ping_s=3_000) as rig:
        ada, bob = await seated(rig, "Ada", "Bob", terms=THREE)
        await concede(bob, ada)
        await trio.sleep(14)
        assert len(rig.factory.games) == 1
        await trio.sleep(1.5)

        assert len(rig.factory.games) == 2
        assert infos(await ada.rest())[-1].status == "playing"
        await bob.rest()


async def test_another_deck_between_games():
    """Between games a deck may be exchanged for one made of the same cards, and for no other."""
    async with open_rig() as rig:
        ada, bob = await seated(rig, "Ada", "Bob", terms=THREE)
        await concede(bob, ada)
        fits, _ = await act(ada, [bob], m.ChooseDeck(command="d", deck="plain, and sideboard"))
        wrong, to_ada = await act(bob, [ada], m.ChooseDeck(command="d", deck="other"))
        await ready(ada, bob)

        assert answer(fits).ok
        assert answer(wrong).code == "bad_deck"
        assert to_ada == []
        assert rig.journal.headers[1].decks == ("plain, and sideboard", "plain")


@pytest.mark.complaint("servers 37")
async def test_prompts_and_commands_go_on_counting():
    """A number or an id of the game before means nothing new in the next; seats are the same."""
    async with open_rig() as rig:
        ada, bob = await seated(rig, "Ada", "Bob", terms=THREE)
        first = prompt_of(rig)
        await act(ada, [bob], decide(first, "d1"))
        await concede(bob, ada)
        _, told = await ready(ada, bob)
        prompt = next(one.prompt for one in told if isinstance(one, m.Asked))
        stale, _ = await act(ada, [bob], decide(first, "d2"))
        again, _ = await act(ada, [bob], decide(first, "d1"))
        new, _ = await act(ada, [bob], decide(prompt, "d3"))

        assert prompt.id > first.id
        assert answer(stale).code == "stale_prompt"
        assert answer(again).ok
        assert answer(new).ok
        assert [record.command for game, record in rig.journal.records if game.endswith("-2")] == [
            "d3"
        ]
        assert prompt.seat == 0


async def test_who_leaves_between_games():
    """Who leaves between games ends the match: the seat stays empty, and nothing more begins."""
    async with open_rig(between_s=5) as rig:
        ada, bob = await seated(rig, "Ada", "Bob", terms=THREE)
        await concede(bob, ada)
        _, told = await act(bob, [ada], m.Leave(command="l"))
        [cid] = await come(rig, "Cid")
        await cid.say(m.Join(command="j", table=ada.stream.split("/")[0]))
        refused = (await cid.until(m.Answered)).code
        await trio.sleep(10)

        assert infos(told)[-1].status == "over"
        assert infos(told)[-1].seats[1].kind == "gone"
        assert refused == "table_full"
        assert len(rig.factory.games) == 1


async def test_who_is_away_too_long_between_games():
    """A seat that is lost between games ends the match, as leaving would."""
    async with open_rig(between_s=60, resume_s=5) as rig:
        ada, bob = await seated(rig, "Ada", "Bob", terms=THREE)
        await concede(bob, ada)
        await bob.cut()
        await trio.sleep(6)
        told = await ada.rest()

        assert infos(told)[-1].status == "over"


async def test_a_draw_counts_for_nobody():
    """A drawn game is played, and gives no seat a win."""
    async with open_rig() as rig:
        ada, bob = await seated(rig, "Ada", "Bob", terms=THREE)
        await offer(ada, bob, "draw")
        told, _ = await respond(bob, ada, "draw")

        assert infos(told)[-1].score == (0, 0)
        assert infos(told)[-1].status == "between games"
        assert next(one for one in told if isinstance(one, m.Over)).winner is None


# ---------------------------------------------------------------- the end of the server


@pytest.mark.parametrize("stage", ["ready check", "playing", "paused", "between games"])
async def test_a_drain_ends_a_match_for_nobody(stage):
    """Whatever was under way ends with the drain: no seat is late or lost, and no game begins.

    Everything that was under way has less time left than the grace.
    """
    settings = {"pause_s": 5, "between_s": 5, "resume_s": 5, "nonce_s": 5}
    async with open_rig(grace_s=60, close_s=50, **settings) as rig:
        terms = m.Terms(best_of=3, ready_s=5 if stage == "ready check" else 0)
        ada, bob = await seated(rig, "Ada", "Bob", terms=terms)
        if stage == "paused":
            await offer(bob, ada, "pause")
            await respond(ada, bob, "pause")
        elif stage == "between games":
            await concede(bob, ada)
        [table] = rig.running._lobby._tables.values()
        lingering = rig.raw()
        await lingering.handshake()
        await bob.cut()
        games = len(rig.factory.games)
        rig.running.drain()
        await trio.sleep(30)

        assert table._match.status == ("waiting" if stage == "ready check" else "over")
        assert table._match.score.winner is None
        assert len(rig.factory.games) == games == len(rig.journal.closed)
        assert [seat.kind for seat in table._seats.info()] == ["player", "player"]
        assert [one.code for one in await ada.rest() if isinstance(one, m.Left)] == []


async def test_a_table_ends_with_its_people():
    """Once all have left, the table is gone, at whatever stage its match was."""
    async with open_rig() as rig:
        ada, bob = await seated(rig, "Ada", "Bob", terms=THREE)
        await concede(bob, ada)
        for somebody in (ada, bob):
            await somebody.say(m.Leave(command="l"))
            await somebody.until(m.Left)
        await gone(rig, connections=2, tables=0)

        assert len(rig.journal.closed) == 1
