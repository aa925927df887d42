"""What seats must agree on."""

import math
from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from longfuse.game.entries import Refused
from longfuse.host.offers import AGAIN_S, OPEN_S, Offers
from longfuse_protocol import messages as m
from longfuse_protocol.errors import Code

KINDS = get_args(m.OfferKind)


def wall_ms(at):
    """Tell the wall time: the epoch began 1,000 seconds before."""
    return round((at + 1_000) * 1_000)


def offers(seats=2, bots=()):
    """Return the offers of a table where nothing is on offer."""
    return Offers(range(seats), wall_ms, bots=bots)


def refusal(call, *args):
    """Return the code of the refusal that the call meets."""
    with pytest.raises(Refused) as refused:
        call(*args)
    return refused.value.code


def open_at(it, now):
    """Return the kinds that are on offer."""
    return {offer.kind for offer in it.message().offers if wall_ms(now) < offer.until_ms}


def is_told(it, call, *args) -> bool:
    """Say whether a call changes anything of which all are to be told."""
    it.news()
    call(*args)
    return it.has_news


@pytest.mark.parametrize("kind", KINDS)
def test_two_agree(kind):
    """What one offers and the other accepts is agreed, and no longer on offer."""
    it = offers()
    assert not it.make(kind, 0, 5)
    assert it.message().offers == (
        m.Offer(kind=kind, by=0, accepted=(0,), until_ms=wall_ms(5 + OPEN_S[kind])),
    )
    assert open_at(it, 6) == {kind}
    assert it.respond(kind, 1, True, 6)

    assert (it.message().offers, it.next_at()) == ((), math.inf)
    assert not open_at(it, 6)


def test_offering_what_is_offered():
    """Who offers what another has offered accepts it."""
    it = offers()
    it.make("draw", 0, 0)

    assert it.make("draw", 1, 1)


def test_accepting_twice():
    """Offering or accepting again is no second voice."""
    it = offers(3)
    assert not any((it.make("pause", 0, 0), it.make("pause", 0, 1)))
    assert not any((it.respond("pause", 0, True, 2), it.respond("pause", 1, True, 2)))
    assert not it.respond("pause", 1, True, 3)
    assert it.message().offers[0].accepted == (0, 1)

    assert it.respond("pause", 2, True, 4)


def test_nothing_on_offer():
    """Who accepts or declines what is not on offer is told so."""
    it = offers()
    it.make("draw", 0, 0)

    assert refusal(it.respond, "pause", 1, True, 0) == Code.NO_OFFER
    assert refusal(it.respond, "pause", 1, False, 0) == Code.NO_OFFER
    assert len(it.message().offers) == 1


@pytest.mark.parametrize("seat", [0, 1, 2])
def test_anybody_ends_it(seat):
    """One that declines, or withdraws, ends it for all, even after having accepted."""
    it = offers(3)
    it.make("draw", 0, 0)
    it.respond("draw", 1, True, 1)

    assert not it.respond("draw", seat, False, 2)
    assert refusal(it.respond, "draw", 2, True, 3) == Code.NO_OFFER


@pytest.mark.parametrize("seat", [0, 1])
def test_nobody_is_pestered(seat):
    """After one that came to nothing a seat waits; others need not, nor it with another kind."""
    it = offers()
    it.make("draw", 0, 0)
    it.respond("draw", seat, False, 10)

    assert refusal(it.make, "draw", 0, 10) == Code.NOT_NOW
    assert refusal(it.make, "draw", 0, 9.9 + AGAIN_S) == Code.NOT_NOW
    assert it.message().offers == ()
    assert not it.make("pause", 0, 11)
    assert not it.make("draw", 1, 11)
    assert it.make("draw", 0, 12)
    assert not it.make("draw", 0, 10 + AGAIN_S)


def test_how_long_to_wait():
    """The refusal says in how many seconds it may be offered again."""
    it = offers()
    it.make("draw", 0, 0)
    it.respond("draw", 1, False, 0)

    with pytest.raises(Refused, match=f"in {AGAIN_S - 20} s"):
        it.make("draw", 0, 20.5)


def test_an_offer_expires():
    """Its time over, nobody can accept it, all are told once, and its maker waits from then."""
    it = offers()
    it.make("draw", 0, 0)
    until = it.next_at()
    assert until == OPEN_S["draw"]
    assert not is_told(it, it.expire, until - 0.1)
    assert refusal(it.respond, "draw", 1, True, until) == Code.NO_OFFER
    assert not open_at(it, until)
    assert is_told(it, it.expire, until + 5)
    assert not is_told(it, it.expire, until + 5)

    assert it.message().offers == ()
    assert refusal(it.make, "draw", 0, until + AGAIN_S - 1) == Code.NOT_NOW
    assert not it.make("draw", 0, until + AGAIN_S)


def test_an_offer_in_place_of_one_that_is_late():
    """One that is late is not accepted by who offers the same: that is an offer of its own."""
    it = offers()
    it.make("draw", 0, 0)
    assert not it.make("draw", 1, OPEN_S["draw"])

    assert it.message().offers[0].by == 1
    assert not is_told(it, it.expire, OPEN_S["draw"])
    it.clear()
    assert refusal(it.make, "draw", 0, OPEN_S["draw"] + AGAIN_S - 1) == Code.NOT_NOW


def test_an_offer_after_one_that_nobody_answered():
    """Its maker waits too, however soon it is repeated; and all are still told that it is over."""
    it = offers()
    it.make("draw", 0, 0)

    assert refusal(it.make, "draw", 0, OPEN_S["draw"]) == Code.NOT_NOW
    assert is_told(it, it.expire, OPEN_S["draw"])


def test_what_the_table_clears():
    """What makes no sense any more ends, and may be offered again at once."""
    it = offers()
    for kind in KINDS:
        it.make(kind, 0, 0)
    assert is_told(it, it.clear, "take back")
    assert not is_told(it, it.clear, "take back")
    assert len(it.message().offers) == len(KINDS) - 1
    assert is_told(it, it.clear)
    assert not is_told(it, it.clear)

    assert it.message().offers == ()
    assert not it.make("take back", 0, 1)


def test_who_leaves_has_no_say():
    """A seat that is left ends what is open; after that, those who remain agree without it."""
    it = offers(3)
    it.make("draw", 0, 0)
    it.respond("draw", 1, True, 0)
    assert is_told(it, it.leave, 2)
    assert it.message().offers == ()
    assert refusal(it.make, "draw", 2, 1) == Code.NOT_SEATED
    assert refusal(it.respond, "draw", 2, True, 1) == Code.NOT_SEATED
    it.make("draw", 0, 1)

    assert it.make("draw", 1, 1)


@pytest.mark.parametrize("kind", ["pause", "rematch", "open replay"])
def test_what_bots_accept(kind):
    """A bot accepts at once what costs nobody the game; the people must all the same."""
    assert offers(2, bots={1}).make(kind, 0, 0)
    it = offers(3, bots={1})
    assert not it.make(kind, 0, 0)
    assert it.message().offers[0].accepted == (0, 1)

    assert it.respond(kind, 2, True, 1)


@pytest.mark.parametrize("kind", ["draw", "take back"])
def test_what_bots_do_not_accept(kind):
    """Beside a bot no draw and no taking back can be offered; asking costs nothing."""
    it = offers(3, bots={1})

    assert refusal(it.make, kind, 0, 0) == Code.NOT_NOW
    assert it.message().offers == ()
    it.leave(1)
    assert not it.make(kind, 0, 1)


def test_all_kinds_expire():
    """Each kind of offer has a time to live."""
    assert set(OPEN_S) == set(KINDS)


SEATS = 3
STEPS = st.lists(
    st.tuples(
        st.sampled_from(["make", "accept", "decline", "expire", "clear"]),
        st.sampled_from(KINDS[:2]),
        st.integers(0, SEATS - 1),
        st.sampled_from([0, 1, 29, 61]),
    ),
    max_size=50,
)


@given(STEPS)
def test_agreed_is_accepted_by_all(steps):
    """Nothing is agreed but what every seat has accepted while it was open, without a no."""
    it, now, voices, until = offers(SEATS), 0, {}, {}
    for what, kind, seat, wait in steps:
        now += wait
        if now >= until.get(kind, math.inf):
            voices.pop(kind, None)
        agreed = False
        try:
            if what == "make":
                agreed = it.make(kind, seat, now)
                if kind not in voices:
                    voices[kind], until[kind] = set(), now + OPEN_S[kind]
                voices[kind].add(seat)
            elif what == "accept":
                agreed = it.respond(kind, seat, True, now)
                voices[kind].add(seat)
            elif what == "decline":
                it.respond(kind, seat, False, now)
                voices.pop(kind)
        except Refused:
            assert what == "make" or kind not in voices
        if what == "expire":
            it.expire(now)
        elif what == "clear":
            it.clear(kind)
            voices.pop(kind, None)
        assert agreed == (len(voices.get(kind, ())) == SEATS)
        if agreed:
            voices.pop(kind)
        assert open_at(it, now) == {other for other in voices if now < until[other]}


def test_one_deadline_has_one_wall_time() -> None:
    """However often an offer is told, and whatever becomes of the wall's clock meanwhile."""
    clock = iter((1_000, 2_001))
    offers = Offers((0, 1, 2), lambda _at: next(clock))
    offers.make("pause", 0, 0.0)
    [first] = offers.news().offers
    offers.respond("pause", 1, True, 0.0)
    [second] = offers.news().offers

    assert (first.until_ms, second.until_ms) == (1_000, 1_000)


def test_everybody_is_told_once_how_an_offer_has_ended() -> None:
    """Agreed, declined, withdrawn, expired and overtaken are told apart, and not told again."""
    offers = Offers((0, 1), wall_ms)
    told = []
    for how in ("agreed", "declined", "withdrawn", "expired", "overtaken"):
        now = 1_000.0 * len(told)
        offers.make("pause", 0, now)
        match how:
            case "agreed":
                assert offers.respond("pause", 1, True, now)
            case "declined":
                offers.respond("pause", 1, False, now)
            case "withdrawn":
                offers.respond("pause", 0, False, now)
            case "expired":
                offers.expire(now + OPEN_S["pause"])
            case _:
                offers.clear("pause")
        told.append([(ended.kind, ended.how) for ended in offers.news().ended])

        assert offers.news().ended == ()
    assert told == [
        [("pause", how)] for how in ("agreed", "declined", "withdrawn", "expired", "overtaken")
    ]
