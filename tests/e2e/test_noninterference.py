"""Evenings that differ only in what a viewer may not know are the same to it, to the byte.

Over the whole server, on raw frames, numbered or not: with drops and resumes, resyncs, refused
commands, passing, clocks, offers, pauses, takings back and chat. The one exemption is the frame of
the commitment, and what follows from it: it binds the server to the decks and to a secret, so it
would differ with the decks. Here it can't: the decks on record are the same, secrets and ids are
drawn alike, and what is dealt is the test's (see `wiretap.Stacked`). So nothing needs to be left
out, and nothing is.

`NONINTERFERENCE_SEEDS=N` tries N evenings of each sort instead of one; `HYPOTHESIS_PROFILE=nightly`
tries 20.
"""

from __future__ import annotations

import functools
from collections.abc import Awaitable, Callable

import msgspec
import pytest
import trio

from e2e.evenings import ASK, SEEDS, TERMS, Evening
from e2e.hidden_cards import RULESETS, pair
from e2e.wiretap import Journal, Stacked, is_done, open_house, same_chance, settle
from longfuse_protocol import messages as m
from longfuse_protocol.passing import Passing
from longfuse_protocol.prompts import Answer

DECISIONS = 25

Course = Callable[[Evening, Stacked], Awaitable[None]]

pytestmark = pytest.mark.slow


async def evening(
    ruleset: str, seed: int, course: Course, *, which: int = 0, terms: m.Terms = TERMS
) -> tuple[Evening, Journal]:
    """Spend an evening; which: of the two games that differ in hidden cards."""
    cards = pair(ruleset, seed)
    games = Stacked(cards.makes[which])
    with same_chance(seed):
        async with open_house(games) as rig, trio.open_nursery() as nursery:
            spent = Evening(rig, nursery, ruleset, seed, terms=terms, hidden=cards.hidden)
            await spent.begin()
            await course(spent, games)
            await trio.sleep(60)
            nursery.cancel_scope.cancel()
    assert isinstance(rig.journal, Journal)
    return spent, rig.journal


def terms_of(**fields: object) -> m.Terms:
    """The terms, with these."""
    return msgspec.structs.replace(TERMS, **fields)


def assert_same(one: Evening, other: Evening) -> None:
    """Nobody but Bob can tell the two apart."""
    for here, there in zip(one.taps, other.taps, strict=True):
        if here is one.bob:
            continue
        for place, (mine, theirs) in enumerate(zip(here.heard, there.heard, strict=False)):
            if (mine.at, mine.data) != (theirs.at, theirs.data):
                told = f"{str(mine)[-900:]}\n{str(theirs)[-900:]}"
                pytest.fail(f"{here.name} can tell at message {place}:\n{told}", pytrace=False)
        assert len(here.heard) == len(there.heard), f"{here.name} can tell at the end"


# ---------------------------------------------------------------- hidden cards


@pytest.mark.complaint("ui U13", "ui U42")
@pytest.mark.parametrize("delay_s", [0, 7])
@pytest.mark.parametrize("bob", ["asked", "passing"])
@pytest.mark.parametrize("ruleset", RULESETS)
async def test_another_hand_and_another_deck(ruleset: str, bob: str, delay_s: int) -> None:
    """Bob holds other cards, which he never shows; he may be passed for as they make it."""

    async def course(spent: Evening, _games: Stacked) -> None:
        if bob == "asked":
            await spent.bob.command(m.Settings, passing=ASK)
            spent.acts.remove(spent.set_passing)
        await spent.play(DECISIONS, acts_at=("Ada", "Bob") if spent.bob_asks else ("Ada",))
        while spent.asked is spent.bob:  # who may be passed for in one of the two
            await spent.decide(spent.bob)

    terms = terms_of(delay_s=delay_s)
    for seed in SEEDS:
        one, _ = await evening(ruleset, seed, course, terms=terms)
        other, _ = await evening(ruleset, seed, course, which=1, terms=terms)
        assert_same(one, other)


async def test_the_check_can_fail() -> None:
    """Where Bob shows the cards in which the evenings differ, the others can tell."""

    async def course(spent: Evening, _games: Stacked) -> None:
        spent.show_all()
        await spent.play(DECISIONS)

    one, _ = await evening("riftbound", 3, course)
    other, _ = await evening("riftbound", 3, course, which=1)
    with pytest.raises(pytest.fail.Exception, match="can tell"):
        assert_same(one, other)


# ---------------------------------------------------------------- what a seat does for itself


async def fuss(spent: Evening) -> None:
    """Bob does all that concerns nobody else."""
    bob = spent.bob
    for number, answer in ((0, 0), (10**6, 1), (bob.prompt.id if bob.prompt else 1, -1)):
        assert not is_done(await bob.command(m.Decide, prompt=number, answer=answer))
    assert not is_done(await bob.command(m.TakeBack))
    assert not is_done(await bob.command(m.Respond, kind="pause", accept=True))
    await bob.command(m.Settings, passing=Passing(mode="ask", yields=("nothing",)))
    await bob.command(m.Mute, name="Eve")
    await bob.send(m.Resync())
    await bob.send(m.Browse())
    await bob.send(m.Ping())


async def pry(spent: Evening) -> None:
    """The others try to learn what Bob is doing."""
    for tap in (spent.ada, spent.eve, spent.mia):
        await tap.send(m.Resync())
        for kind in (m.TakeBack, m.Unpause):
            assert not is_done(await tap.command(kind))
        assert not is_done(await tap.command(m.Decide, prompt=1, answer=0))
        await tap.send(m.Browse())
    await spent.eve.drop()
    await spent.eve.come_back()
    await spent.ada.drop()
    await trio.sleep(1)
    await spent.ada.come_back()
    await settle()
    assert is_done(await spent.ada.command(m.MakeOffer, kind="pause"))
    assert is_done(await spent.bob.command(m.Respond, kind="pause", accept=True))
    await trio.sleep(3)
    assert is_done(await spent.ada.command(m.Unpause))


async def fumble(spent: Evening, games: Stacked, steps: int) -> bool:
    """Bob begins a play, goes on with it so far, and takes it back if he can; say whether."""
    for _ in range(steps):
        await spent.decide(spent.bob)
        if spent.bob.prompt is None or not games.games[-1].has_open_play:
            return False
    await pry(spent)
    assert is_done(await spent.bob.take_back())
    return True


@pytest.mark.complaint("ui U12")
@pytest.mark.parametrize("delay_s", [0, 7])
@pytest.mark.parametrize("ruleset", RULESETS)
async def test_picking_and_cancelling(ruleset: str, delay_s: int) -> None:
    """Bob tries what he may not, picks cards and cancels: others get what a quiet Bob gives."""
    cancelled: list[bool] = []
    answers: list[Answer] = []

    def is_at_rest(spent: Evening, games: Stacked) -> bool:
        """Whether Bob begins something; then Ada offers him what his next decision ends."""
        return spent.asked is spent.bob and not games.games[-1].has_open_play

    async def clumsy(spent: Evening, games: Stacked) -> None:
        spent.show_all()
        await spent.bob.command(m.Settings, passing=ASK)
        while spent.asked is not None and spent.decided < DECISIONS:
            if is_at_rest(spent, games):
                await spent.ada.command(m.MakeOffer, kind="take back")
                await fuss(spent)
                cancelled.append(await fumble(spent, games, 1 + sum(cancelled) % 2))
                if not cancelled[-1]:
                    continue
            await spent.decide(spent.asked)

    async def quiet(spent: Evening, games: Stacked) -> None:
        spent.show_all()
        await spent.bob.command(m.Settings, passing=ASK)
        while (tap := spent.asked) is not None and spent.decided < DECISIONS:
            if is_at_rest(spent, games):
                await spent.ada.command(m.MakeOffer, kind="take back")
                if cancelled.pop(0):
                    await pry(spent)
            if tap is spent.bob and answers:
                await tap.decide(answers.pop(0))
            else:
                await spent.decide(tap)

    times = 0
    for seed in SEEDS:
        one, journal = await evening(ruleset, seed, clumsy, terms=terms_of(delay_s=delay_s))
        answers[:] = [answer for answer, _ in journal.effective[1]]
        times += sum(cancelled)
        other, _ = await evening(ruleset, seed, quiet, terms=terms_of(delay_s=delay_s))
        assert_same(one, other)
    assert times


async def until_passed(spent: Evening) -> None:
    """Let the pass come that is due; meanwhile Ada offers what a decision ends."""
    assert spent.terms.bluff_ms, "without a bluff, somebody is asked at once"
    await spent.ada.command(m.MakeOffer, kind="take back")
    await trio.sleep(spent.terms.bluff_ms / 1_000)
    await settle()


async def by_settings(spent: Evening, _games: Stacked) -> None:
    """Bob lets the server pass for him as his settings say, which he changes."""
    spent.show_all()
    while spent.decided < 2 * DECISIONS and spent.ada.over is None:
        if spent.asked is None:
            await until_passed(spent)
        elif spent.asked is spent.ada and spent.chance.random() < 0.5:
            await spent.act()
        else:
            await spent.decide(spent.asked)


async def by_hand(effective: list[tuple[Answer, str]], spent: Evening, _games: Stacked) -> None:
    """Bob decides the same, all of it himself."""
    spent.show_all()
    spent.bob_asks = True
    await spent.bob.command(m.Settings, passing=ASK)
    while spent.decided < 2 * DECISIONS and spent.ada.over is None:
        if spent.asked is spent.bob and effective:
            answer, rule = effective.pop(0)
            if rule and spent.terms.bluff_ms:
                await until_passed(spent)
            await spent.bob.decide(answer)
        elif spent.asked is not spent.ada:
            await until_passed(spent)
        elif spent.chance.random() < 0.5:
            await spent.act()
        else:
            await spent.decide(spent.ada)
    while effective and spent.asked is not spent.ada and spent.ada.over is None:
        is_bob = spent.asked is spent.bob  # else Ada is passed for, and then he may be asked
        await trio.sleep(spent.terms.bluff_ms / 1_000)
        await settle()
        if is_bob:
            await spent.bob.decide(effective.pop(0)[0])


@pytest.mark.complaint("ui U13")
@pytest.mark.parametrize("bluff_ms", [0, 2_000])
@pytest.mark.parametrize("ruleset", RULESETS)
async def test_passing_by_settings_or_by_hand(ruleset: str, bluff_ms: int) -> None:
    """What Bob's settings pass, he could have passed himself, as fast: others can't tell."""
    passed, terms = 0, terms_of(bluff_ms=bluff_ms)
    for seed in SEEDS:
        one, journal = await evening(ruleset, seed, by_settings, terms=terms)
        effective = journal.effective[1]
        passed += sum(bool(rule) for _, rule in effective)
        course = functools.partial(by_hand, effective)
        other, _ = await evening(ruleset, seed, course, terms=terms)
        assert_same(one, other)
    assert passed
