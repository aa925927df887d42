"""What the seats agree on: draws, pauses, rematches and taking back; and what needs nobody."""

import pytest
import trio

from host.agreeing import act, answer, concede, infos, offer, prompt_of, ready, respond
from host.lines import come, create, decide, kinds, seated
from host.rig import open_rig
from host.toy import ToyBot
from longfuse.host.wall import now_ms
from longfuse_protocol import messages as m
from longfuse_protocol.receipts import Receipt

BOT = m.SeatWish(kind="bot", bot="default")


# ---------------------------------------------------------------- offers


async def test_a_draw_by_agreement():
    """A draw that all seats agree on ends the game at once, and is in the journal."""
    async with open_rig() as rig:
        ada, bob = await seated(rig, "Ada", "Bob")
        _, told = await offer(ada, bob, "draw")
        [open_] = next(one for one in told if isinstance(one, m.Offers)).offers
        ended, _ = await respond(bob, ada, "draw")
        over = next(one for one in ended if isinstance(one, m.Over))

        assert (open_.kind, open_.by, open_.accepted) == ("draw", 0, (0,))
        assert (over.winner, over.reason) == (None, "agreed draw")
        assert rig.journal.records[-1][1].entry.kind == "agreed draw"
        assert [one for one in ended if isinstance(one, m.Offers)][-1].offers == ()


async def test_a_draw_that_is_declined():
    """An offer that is declined changes nothing, and cannot be made again at once."""
    async with open_rig(ping_s=3_000) as rig:
        ada, bob = await seated(rig, "Ada", "Bob")
        await offer(ada, bob, "draw")
        _, told = await respond(bob, ada, "draw", accept=False)
        again, _ = await offer(ada, bob, "draw", "again")
        await trio.sleep(61)
        later, _ = await offer(ada, bob, "draw", "later")

        assert told[-1].offers == ()
        assert answer(again).code == "not_now"
        assert answer(later).ok
        assert rig.factory.games[0].result is None


async def test_an_offer_expires():
    """An offer that nobody answers ends in time, and all are told."""
    async with open_rig(ping_s=3_000) as rig:
        ada, bob = await seated(rig, "Ada", "Bob")
        await offer(ada, bob, "draw")
        await trio.sleep(59)
        assert await bob.rest() == []
        await trio.sleep(1.5)
        [told] = await bob.rest()
        late, _ = await respond(bob, ada, "draw")

        assert told.offers == ()
        assert answer(late).code == "no_offer"


@pytest.mark.parametrize("next_is", ["the match's next game", "a rematch"])
async def test_an_offer_ends_where_another_game_begins(next_is):
    """What was offered of the last game is told to have ended, and can't be accepted any more."""
    best_of = 3 if next_is == "the match's next game" else 1
    async with open_rig() as rig:
        ada, bob = await seated(rig, "Ada", "Bob", terms=m.Terms(best_of=best_of))
        await concede(bob, ada)
        await offer(ada, bob, "open replay")
        if best_of == 3:
            _, told = await ready(ada, bob)
        else:
            await offer(ada, bob, "rematch", "again")
            _, told = await respond(bob, ada, "rematch")
        offers = [one for one in told if isinstance(one, m.Offers)]
        late, _ = await respond(bob, ada, "open replay", command="late")

        assert offers[-1].offers == ()
        assert ("open replay", "overtaken") in [
            (end.kind, end.how) for one in offers for end in one.ended
        ]
        assert answer(late).code == "no_offer"
        assert rig.journal.opened_games == []


@pytest.mark.parametrize("best_of", [1, 3])
async def test_no_offer_outlives_its_game(best_of):
    """Nobody can accept a draw of a game that is over, and nobody is shown one."""
    async with open_rig() as rig:
        ada, bob = await seated(rig, "Ada", "Bob", terms=m.Terms(best_of=best_of))
        await offer(ada, bob, "draw")
        await concede(bob, ada)
        late, _ = await respond(bob, ada, "draw")
        shown = [one for one in bob.line.heard if isinstance(one, m.Offers)]

        assert shown[-1].offers == ()
        assert answer(late).code == "no_offer"


async def test_a_pause():
    """While the game is paused nothing is decided; any seat ends it, and who is asked is told."""
    async with open_rig() as rig:
        ada, bob = await seated(rig, "Ada", "Bob")
        await offer(bob, ada, "pause")
        told, _ = await respond(ada, bob, "pause")
        refused, _ = await act(ada, [bob], decide(prompt_of(rig), "d1"))
        _, resumed = await act(bob, [ada], m.Unpause(command="u"))
        twice, _ = await act(bob, [ada], m.Unpause(command="u2"))

        assert infos(told)[-1].status == "paused"
        assert answer(refused).code == "not_now"
        assert infos(resumed)[-1].status == "playing"
        assert m.Asked in kinds(resumed)
        assert answer(twice).code == "not_now"
        assert answer((await act(ada, [bob], decide(prompt_of(rig), "d2")))[0]).ok


async def test_a_pause_ends_in_time():
    """A pause lasts pause_s at most."""
    async with open_rig(pause_s=20, ping_s=3_000) as rig:
        ada, bob = await seated(rig, "Ada", "Bob")
        await offer(bob, ada, "pause")
        await respond(ada, bob, "pause")
        await trio.sleep(19)
        assert await ada.rest() == []
        await trio.sleep(1.5)

        assert infos(await ada.rest())[-1].status == "playing"


@pytest.mark.parametrize("goes", ["before the pause", "in the pause"])
async def test_nobody_loses_the_place_in_a_pause(goes):
    """Who is away meanwhile has as long to come back as ever, once the game goes on."""
    async with open_rig(pause_s=100, resume_s=10, ping_s=3_000) as rig:
        ada, bob = await seated(rig, "Ada", "Bob")
        await offer(bob, ada, "pause")
        if goes == "before the pause":
            await bob.cut()
            await trio.sleep(9)
        await ada.say(m.Respond(command="r", kind="pause", accept=True))
        await ada.rest()
        if goes == "in the pause":
            await bob.cut()
        await ada.rest()
        paused_s = kept_s(ada)
        await trio.sleep(50)
        await ada.say(m.Unpause(command="u"))
        await ada.rest()
        played_s = kept_s(ada)
        await trio.sleep(9)
        assert rig.factory.games[0].result is None
        over = await ada.until(m.Over)

        assert (paused_s, played_s) == (pytest.approx(110, abs=0.1), pytest.approx(10, abs=0.1))
        assert (over.winner, over.reason) == (0, "removed")


def kept_s(somebody):
    """For how long the place of who is away is still kept, as somebody was told last."""
    [*_, last] = [one for one in somebody.line.heard if isinstance(one, m.Presence)]
    return (last.until_ms - now_ms()) / 1_000


@pytest.mark.parametrize("how", ["concede", "leave", "draw"])
async def test_a_paused_game_may_end(how):
    """In a pause one may leave, and agree on a draw; conceding waits for the game to go on."""
    async with open_rig() as rig:
        ada, bob = await seated(rig, "Ada", "Bob")
        await offer(bob, ada, "pause")
        await respond(ada, bob, "pause")
        if how == "concede":
            told, to_bob = await concede(ada, bob)
            assert answer(told).code == "not_now"
        elif how == "leave":
            _, to_bob = await act(ada, [bob], m.Leave(command="l"))
        else:
            await offer(ada, bob, "draw", "o2")
            to_bob, _ = await respond(bob, ada, "draw", command="r2")

        assert (m.Over in kinds(to_bob)) is (how != "concede")
        assert m.Notice not in kinds(to_bob)


async def test_a_rematch():
    """After the end all may agree to play again, with the decks that they came with."""
    async with open_rig() as rig:
        ada, bob = await seated(rig, "Ada", "Bob")
        early = answer((await offer(ada, bob, "rematch", "early"))[0])
        await concede(bob, ada)
        await offer(ada, bob, "rematch")
        told, _ = await respond(bob, ada, "rematch")
        frames = [one.n for one in bob.line.heard if isinstance(one, m.Events)]

        assert early.code == "not_now"
        assert [info.status for info in infos(told)] == ["starting", "playing"]
        assert infos(told)[-1].score == (0, 0)
        assert len(rig.factory.games) == 2
        assert frames == list(range(1, len(frames) + 1))
        assert answer((await act(ada, [bob], m.Concede(command="c2")))[0]).ok


async def test_no_rematch_with_who_has_gone():
    """Where a seat has been left, there is nobody to play again."""
    async with open_rig() as rig:
        ada, bob = await seated(rig, "Ada", "Bob")
        await act(bob, [ada], m.Leave(command="l"))
        told, _ = await offer(ada, bob, "rematch")

        assert answer(told).code == "not_now"


@pytest.mark.parametrize(
    ("kind", "code"), [("draw", "not_now"), ("take back", "not_now"), ("pause", "")]
)
async def test_offers_beside_a_bot(kind, code):
    """A bot of the server agrees to what costs nobody the game, and to nothing else."""
    async with open_rig() as rig:
        [ada] = await come(rig, "Ada")
        terms = m.Terms(take_back="by agreement")
        await ada.say(create(seats=(m.SeatWish(), BOT), terms=terms))
        await ada.until(m.Asked)
        await ada.say(decide(prompt_of(rig), "d1"))
        await ada.rest()
        await ada.say(m.MakeOffer(command="o", kind=kind))
        told = await ada.rest()

        assert answer(told).code == code
        if not code:
            assert infos(told)[-1].status == "paused"


async def test_a_rematch_with_a_bot():
    """A bot plays again whenever it is asked."""
    async with open_rig() as rig:
        [ada] = await come(rig, "Ada")
        await ada.say(create(seats=(m.SeatWish(), BOT)))
        await ada.until(m.Asked)
        await ada.say(m.Concede(command="c"), m.MakeOffer(command="o", kind="rematch"))
        await ada.until(m.Asked)

        assert len(rig.factory.games) == 2


async def test_a_bot_that_thinks_beyond_the_end(monkeypatch):
    """What a bot decides when its game is over, and the next about to begin, harms nothing."""
    at_once = ToyBot.decide

    async def slowly(self, prompt, game):
        await trio.sleep(1)
        return await at_once(self, prompt, game)

    monkeypatch.setattr(ToyBot, "decide", slowly)
    async with open_rig() as rig:
        [ada] = await come(rig, "Ada", shuffles=True)
        await ada.say(create(seats=(BOT, m.SeatWish()), sit=1))
        commitment = await ada.until(m.Commitment)
        receipt = Receipt.begin(1, commitment, "1" * 64)
        await ada.say(receipt.hash_message())
        receipt.take(await ada.until(m.NonceHashes))
        await ada.say(receipt.nonce_message())
        await ada.until(m.Events)
        await ada.say(m.Concede(command="c"), m.MakeOffer(command="o", kind="rematch"))
        await ada.until(m.Commitment)
        await trio.sleep(2)
        told = await ada.rest()

        assert m.Notice not in kinds(told)
        [table] = rig.running._lobby._tables.values()
        assert table._match.status == "starting"


@pytest.mark.parametrize("kind", ["pause", "take back", "rematch", "draw", "open replay"])
async def test_offers_while_nobody_plays(kind):
    """Before the first game nothing can be offered."""
    async with open_rig() as rig:
        [ada] = await come(rig, "Ada")
        await ada.say(create())
        await ada.rest()
        await ada.say(m.MakeOffer(command="o", kind=kind))

        assert answer(await ada.rest()).code == "not_now"


# ---------------------------------------------------------------- taking back


@pytest.mark.complaint("servers 73")
async def test_a_play_is_taken_back_by_its_seat_alone():
    """Only the seat whose play is open takes it back; others have not seen it."""
    async with open_rig() as rig:
        ada, bob = await seated(rig, "Ada", "Bob", options={"plays": True})
        _, seen = await act(ada, [bob], decide(prompt_of(rig), "d1"))
        theirs, _ = await act(bob, [ada], m.TakeBack(command="t"))
        mine, to_bob = await act(ada, [bob], m.TakeBack(command="t"))
        twice, _ = await act(ada, [bob], m.TakeBack(command="t2"))

        assert m.Events not in kinds(seen) + kinds(to_bob)
        assert answer(theirs).code == "refused"
        assert answer(mine).ok
        assert answer(twice).code == "refused"
        assert rig.factory.games[0].left == 21


async def test_taking_back_by_agreement():
    """With the other's consent the last decision is undone: for all, and in the journal."""
    async with open_rig() as rig:
        terms = m.Terms(take_back="by agreement")
        ada, bob = await seated(rig, "Ada", "Bob", terms=terms)
        before = prompt_of(rig)
        await act(ada, [bob], decide(before, "d1", 2))
        assert rig.factory.games[-1].left == 18
        await offer(ada, bob, "take back")
        to_bob, to_ada = await respond(bob, ada, "take back")
        asked = [one.prompt for one in to_ada if isinstance(one, m.Asked)]

        assert rig.factory.games[-1].left == 21
        assert [one.seat for one in asked] == [0]
        assert m.Asked not in kinds(to_bob)
        assert m.Notice not in kinds(to_bob)
        assert type(rig.journal.records[-1][1].entry).__name__ == "Rewind"
        frames = [one for one in to_bob if isinstance(one, m.Events)]
        assert frames[-1].changes["heap"] == {"left": 21}
        again, _ = await act(ada, [bob], decide(asked[0], "d2", 0))
        assert answer(again).ok
        assert rig.factory.games[-1].left == 20


async def test_an_offer_to_take_back_ends_with_the_next_decision():
    """What is offered is about the last decision, and is gone with the next."""
    async with open_rig() as rig:
        terms = m.Terms(take_back="by agreement")
        ada, bob = await seated(rig, "Ada", "Bob", terms=terms)
        await act(ada, [bob], decide(prompt_of(rig), "d1"))
        await offer(ada, bob, "take back")
        told, _ = await act(bob, [ada], decide(prompt_of(rig), "d1"))
        late, _ = await respond(bob, ada, "take back")

        assert [one.offers for one in told if isinstance(one, m.Offers)] == [()]
        assert answer(late).code == "no_offer"


async def test_no_taking_back_by_agreement_where_the_terms_do_not_say_so():
    """At any other table a decision stands."""
    async with open_rig() as rig:
        ada, bob = await seated(rig, "Ada", "Bob")
        await act(ada, [bob], decide(prompt_of(rig), "d1"))

        assert answer((await offer(ada, bob, "take back"))[0]).code == "not_now"
