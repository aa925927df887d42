"""From the wish to play to the first card: pairing, who is ready, nonces, decks."""

import pytest
import trio
import trio.testing

from host.lines import Somebody, answers, come, create, kinds, opened, seated, token, token_settings
from host.rig import open_rig
from longfuse.host.places import PAIRED
from longfuse_protocol import messages as m
from longfuse_protocol.receipts import Receipt

PAIR = m.Pair(command="pair", ruleset="toy")


# ---------------------------------------------------------------- pairing


async def test_two_of_the_same_wish():
    """Two who wish the same are brought to a table of their own, the first in the first seat."""
    async with open_rig(pair_ready_s=0) as rig:
        ada, bob, eve = await come(rig, "Ada", "Bob", "Eve")
        await ada.say(m.Pair(command="pair", ruleset="toy", deck="mine"))
        assert answers(await ada.rest())[0].ok
        await bob.say(PAIR)
        told = {one.name: await one.rest() for one in (ada, bob)}
        await eve.say(m.Browse())

        assert kinds(told["Bob"])[:2] == [m.Answered, m.Joined]
        assert len(answers(told["Bob"])) == 1
        assert answers(told["Ada"]) == []
        places = [
            next(o for o in heard if isinstance(o, m.Joined)).place for heard in told.values()
        ]
        assert [place.seat for place in places] == [0, 1]
        assert not places[0].info.terms.listed
        assert rig.journal.headers[0].seats == ("Ada", "Bob")
        assert rig.journal.headers[0].decks == ("mine", "plain")
        assert (await eve.until(m.Tables)).tables == ()


async def test_different_wishes():
    """Who wishes another clock waits for another; a third one finds who fits."""
    async with open_rig() as rig:
        ada, bob, cid = await come(rig, "Ada", "Bob", "Cid")
        await ada.say(PAIR)
        await bob.say(
            m.Pair(command="p", ruleset="toy", clock=m.ClockTerms(kind="bank", bank_s=60))
        )
        assert m.Joined not in kinds(await ada.rest()) + kinds(await bob.rest())
        await cid.say(PAIR)

        assert m.Joined in kinds(await ada.rest())
        assert m.Joined in kinds(await cid.rest())
        assert m.Joined not in kinds(await bob.rest())


async def test_a_user_is_not_paired_with_itself(tmp_path):
    """Two sessions of one user wait for somebody else."""
    async with open_rig(**token_settings(tmp_path)) as rig:
        first, second = [Somebody(rig, "Ada", token=token("u1")) for _ in range(2)]
        for somebody in (first, second):
            await somebody.come()
            await somebody.say(PAIR)

        assert m.Joined not in kinds(await first.rest()) + kinds(await second.rest())


async def test_the_paired_who_cannot_be_seated():
    """Who was paired, and then finds no seat, waits for nobody any more, and is told why."""
    async with open_rig() as rig:
        await seated(rig, "Ada", "Bob")
        [cid] = await come(rig, "Cid")
        await cid.say(PAIR)
        await cid.rest()
        person = next(c.person for c in rig.running._gateway.connections if c.person.name == "Cid")
        [table] = rig.running._lobby._tables.values()
        rig.running._lobby._go(person, table, m.Join(command=PAIRED, table=table.id))
        [told] = await cid.rest()
        await cid.say(create())

        assert isinstance(told, m.Unpaired)
        assert told.reason
        assert m.Joined in kinds(await cid.rest())


async def test_waiting_no_more():
    """Who waits no more is told so and paired with nobody; so is who has gone."""
    async with open_rig() as rig:
        ada, bob, cid = await come(rig, "Ada", "Bob", "Cid")
        await ada.say(PAIR, m.Unpair(command="u"))
        told = await ada.rest()
        await bob.say(PAIR)
        await bob.cut()
        await cid.say(PAIR)

        assert kinds(told) == [m.Answered, m.Answered, m.Unpaired]
        assert m.Joined not in kinds(await ada.rest()) + kinds(await cid.rest())
        await ada.say(m.Browse())
        assert isinstance((await ada.rest())[0], m.Tables)


async def test_who_is_told_goodbye_is_paired_with_nobody():
    """Whose connection the server ends is not there any more, though it takes its time to go."""
    async with open_rig(messages_per_s=1, messages_burst=50, close_s=60, ping_s=600) as rig:
        ada, bob, cid = await come(rig, "Ada", "Bob", "Cid")
        await ada.say(PAIR, *[m.Browse()] * 3)
        await trio.testing.wait_all_tasks_blocked()
        await bob.say(PAIR)
        alone = kinds(await bob.rest())
        await cid.say(PAIR)

        assert m.Joined not in alone
        assert m.Joined in kinds(await bob.rest())
        assert m.Joined in kinds(await cid.rest())
        assert await ada.line.close_code() == 1008


async def test_an_unpair_that_comes_too_late():
    """An unpair that crosses the pairing is refused after `joined`, and the seat is kept."""
    async with open_rig() as rig:
        ada, bob = await come(rig, "Ada", "Bob")
        await ada.say(PAIR)
        await ada.rest()
        connection = next(c for c in rig.running._gateway.connections if c.person.name == "Ada")
        other = next(c for c in rig.running._gateway.connections if c.person.name == "Bob")
        other._session.step(PAIR)
        rig.running._lobby.enter(other.person, PAIR)
        connection._session.step(m.Unpair(command="u"))
        rig.running._lobby.enter(connection.person, m.Unpair(command="u"))
        told = await ada.rest()
        joined = kinds(told).index(m.Joined)
        [answer] = answers(told)

        assert told.index(answer) > joined
        assert (answer.command, answer.code) == ("u", "not_now")
        await ada.say(m.Ready(command="r"))
        assert (await ada.until(m.Answered)).ok
        await bob.rest()


@pytest.mark.parametrize(
    ("wish", "code"),
    [
        ({"ruleset": "chess"}, "unknown_ruleset"),
        ({"ruleset": "toy", "deck": "bad"}, "bad_deck"),
    ],
)
async def test_pairs_that_cannot_be(wish, code):
    """Who wishes what is not played here is told at once, and may wish something else."""
    async with open_rig() as rig:
        [ada] = await come(rig, "Ada")
        await ada.say(m.Pair(command="p", **wish))
        assert answers(await ada.rest())[0].code == code
        await ada.say(PAIR)
        assert answers(await ada.rest())[0].ok


# ---------------------------------------------------------------- before the game


async def test_all_are_ready():
    """Where seats are asked, the game begins once all are ready; each sees who is."""
    async with open_rig() as rig:
        ada, bob = await seated(rig, "Ada", "Bob", terms=m.Terms(ready_s=30))
        told = await bob.rest()
        await trio.sleep(3)
        await bob.say(m.Ready(command="r"))
        checks = [one for one in await ada.rest() if isinstance(one, m.ReadyCheck)]
        told += await bob.rest()
        assert rig.factory.games == []
        await ada.say(m.Ready(command="r"))

        assert [one.ready for one in checks] == [(False, True)]
        untils = {one.until_ms for one in (*told, *checks) if isinstance(one, m.ReadyCheck)}
        assert len(untils) == 1
        assert m.Asked in kinds(await ada.rest())
        await bob.rest()


async def test_who_is_not_ready_in_time():
    """Who is late loses the seat and is told why; no game begins, and the seat is open again."""
    async with open_rig() as rig:
        ada, bob = await seated(rig, "Ada", "Bob", terms=m.Terms(ready_s=30))
        began_at = trio.current_time()
        await bob.say(m.Ready(command="r"))
        left = await ada.until(m.Left)
        changed = (await bob.rest())[-1]
        [cid] = await come(rig, "Cid")
        await cid.say(m.Join(command="j", table=bob.stream.split("/")[0]))

        assert 29 < trio.current_time() - began_at < 30.1
        assert left.reason == "you did not say in time that you are ready"
        assert [seat.kind for seat in changed.info.seats] == ["open", "player"]
        assert changed.info.status == "waiting"
        assert rig.journal.headers == []
        assert (await cid.until(m.Joined)).place.seat == 0
        assert m.ReadyCheck in kinds(await bob.rest())


@pytest.mark.parametrize("step", ["hash", "nonce"])
async def test_who_is_late_with_a_nonce(step):
    """Who is late in the shuffle loses the seat; the secret is told, and no game begins."""
    async with open_rig(nonce_s=20) as rig:
        ada, bob = await come(rig, "Ada", "Bob", shuffles=True)
        await ada.say(create())
        table = (await ada.until(m.Joined)).place.info.table
        await bob.say(m.Join(command="j", table=table))
        receipts = {}
        for seat, somebody in ((0, ada), (1, bob)):
            commitment = await somebody.until(m.Commitment)
            receipts[seat] = Receipt.begin(seat, commitment, f"{seat + 1}" * 64)
        await bob.say(receipts[1].hash_message())
        if step == "nonce":
            await ada.say(receipts[0].hash_message())
            receipts[1].take(await bob.until(m.NonceHashes))
            await bob.say(receipts[1].nonce_message())
        assert "the shuffle" in (await ada.until(m.Left)).reason
        told = await bob.rest()

        assert rig.factory.games == []
        assert rig.journal.headers == []
        assert [one.game for one in told if isinstance(one, m.Revealed)] == [f"{table}-1"]
        changed = [one for one in told if isinstance(one, m.TableChanged)][-1]
        assert changed.info.status == "waiting"


async def test_who_leaves_before_the_game():
    """A seat that leaves while the others get ready is open again, and nothing has begun."""
    async with open_rig() as rig:
        ada, bob = await seated(rig, "Ada", "Bob", terms=m.Terms(ready_s=30))
        await ada.say(m.Ready(command="r"), m.Leave(command="l"))
        assert kinds(await ada.rest())[-2:] == [m.Answered, m.Left]
        changed = [one for one in await bob.rest() if isinstance(one, m.TableChanged)]
        await trio.sleep(40)

        assert changed[-1].info.status == "waiting"
        assert rig.factory.games == []
        assert m.Left not in kinds(await bob.rest())


@pytest.mark.parametrize("when", ["waiting", "asked whether ready", "playing"])
async def test_another_deck_before_the_game(when):
    """A seat may choose another deck until the server is bound to the decks."""
    ready_s = 30 if when == "asked whether ready" else 0
    async with open_rig() as rig:
        ada, place = await opened(rig, terms=m.Terms(ready_s=ready_s))
        [bob] = await come(rig, "Bob")
        join = m.Join(command="j", table=place.info.table)
        if when != "waiting":
            await bob.say(join)
            await bob.rest()
            await ada.rest()
        await ada.say(
            m.ChooseDeck(command="d", deck="other"), m.ChooseDeck(command="e", deck="bad")
        )
        codes = [one.code for one in answers(await ada.rest())]
        if when == "waiting":
            await bob.say(join)
        for somebody in (ada, bob):
            await somebody.say(m.Ready(command="r"))
            await somebody.rest()

        assert codes == (["not_now"] * 2 if when == "playing" else ["", "bad_deck"])
        assert rig.journal.headers[0].decks[0] == ("plain" if when == "playing" else "other")


async def test_a_nonce_that_nobody_asked_for():
    """A nonce is refused where no game is about to begin, and harms no game that is played."""
    async with open_rig() as rig:
        ada, bob = await seated(rig, "Ada", "Bob")
        await ada.say(m.Nonce(game="any", nonce="1" * 64))

        assert [one.code for one in await ada.rest()] == ["not_now"]
        assert await bob.rest() == []


async def test_the_cards_of_a_ruleset():
    """Anybody may ask for what a ruleset is played with; of an unknown one there is nothing."""
    async with open_rig() as rig:
        [ada] = await come(rig, "Ada")
        await ada.say(
            m.Catalogue(command="c1", ruleset="toy"), m.Catalogue(command="c2", ruleset="chess")
        )
        cards, failed = await ada.rest()

        assert (cards.command, cards.catalogue["ruleset"]) == ("c1", "toy")
        assert (failed.command, failed.code) == ("c2", "unknown_ruleset")


async def test_a_decision_before_the_game():
    """Nothing can be decided before the game has begun, whatever number it names."""
    async with open_rig() as rig:
        ada, bob = await seated(rig, "Ada", "Bob", terms=m.Terms(ready_s=30))
        await ada.say(m.Decide(command="d", prompt=1, answer=0))

        assert answers(await ada.rest())[0].code == "not_started"
        await bob.rest()
