"""Matches of up to three games, of both rulesets: score, sideboards, leaving, and what is kept."""

from __future__ import annotations

import contextlib
import functools
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest
import trio
import trio.testing

from host.rig import MemoryJournal, Rig, refused
from longfuse.actors import InlineHost
from longfuse.bots.random import RandomBot
from longfuse.cli.hosting import BOTS, Games
from longfuse.cli.running import open_server
from longfuse.config import Config
from longfuse.game.entries import Decision
from longfuse.host.feeds import Feeds
from longfuse.host.server import serve
from longfuse.journal import reader
from longfuse.journal.verify import verify
from longfuse.rulesets import catalogue
from longfuse_protocol import messages as m
from longfuse_protocol.client import Client, open_client
from support.listening import MemoryListener, until

RULESETS = catalogue.names()
SWAPS = {
    "riftbound": ("Lamp Keepers", "Hush Before Dawn", "Quay Lookout"),
    "hkk": ("The Slow Kilns", "Crack the Glaze", "Brick Hauler"),
}
"""A deck that ships; what comes in from its sideboard, and for what."""
TERMS = m.Terms(best_of=3)
DECISIONS = 12


def swapped(ruleset: str, copies: int = 1) -> str:
    """The text of that deck with so many copies exchanged."""
    name, incoming, outgoing = SWAPS[ruleset]
    text = catalogue.load_decks(ruleset).deck_text(name)
    main, word, aside = text.partition("\nSideboard\n")
    aside, runes, rest = aside.partition("\nRunes\n")
    main, aside = _more(main, incoming, copies), _more(aside, incoming, -copies)
    main, aside = _more(main, outgoing, -copies), _more(aside, outgoing, copies)
    return f"{main}{word}{aside}{runes}{rest}".replace(f"Name: {name}", "Name: Another Name")


def _more(part: str, card: str, more: int) -> str:
    """A part of a deck's text with more copies of a card, or fewer."""
    counts = {line.partition(" ")[2]: line.partition(" ")[0] for line in part.splitlines()}
    before = int(counts.get(card, 0))
    kept = [line for line in part.splitlines() if line.partition(" ")[2] != card]
    return "\n".join([*kept, *([f"{before + more} {card}"] if before + more else [])]) + "\n"


class Kept(Games):
    """The games of a server, kept with what they were made of."""

    def __init__(self) -> None:
        super().__init__()
        self.made: list[tuple[Any, dict[str, Any]]] = []

    def create(self, ruleset, decks, options, key, tasks):
        game = super().create(ruleset, decks, options, key, tasks)
        self.made.append((tuple(decks), dict(options)))
        return game


@contextlib.asynccontextmanager
async def open_house(**settings: object) -> AsyncIterator[Rig]:
    """A server of what ships, on virtual time."""
    listener, games, journal = MemoryListener(), Kept(), MemoryJournal()
    config = Config(**settings)  # type: ignore[arg-type]
    async with trio.open_nursery() as nursery:
        start = functools.partial(serve, config, games, journal, bots=BOTS, listeners=[listener])
        running = await nursery.start(start)
        yield Rig(running, listener, games, journal)  # type: ignore[arg-type]
        nursery.cancel_scope.cancel()


@contextlib.asynccontextmanager
async def seated(rig: Rig, ruleset: str, **terms: Any) -> AsyncIterator[tuple[Client, Client]]:
    """Ada and Bob at a table for a match of three, in their first game."""
    async with rig.client("Ada") as ada, rig.client("Bob") as bob:
        deck = SWAPS[ruleset][0]
        wanted = m.Terms(**{"best_of": 3, **terms})
        place = await ada.create(ruleset, 2, deck=deck, terms=wanted)
        await bob.join(place.info.table)
        for client in (ada, bob):
            await status(client, "playing")
        yield ada, bob


async def status(client: Client, wanted: str) -> m.TableInfo:
    """Wait until the table's status is this one."""
    while client.table is None or client.table.status != wanted:
        await until(client, m.TableChanged)
    return client.table


async def lose(loser: Client, *others: Client) -> m.TableInfo:
    """Give a game up; return the table when all know of it."""
    await loser.concede()
    for client in (loser, *others):
        while client.table is None or client.table.status == "playing":
            await until(client, m.TableChanged)
    assert loser.table is not None
    return loser.table


async def go_on(*clients: Client) -> None:
    """Let all be ready for the next game, and wait for it."""
    for client in clients:
        await client.ready()
    for client in clients:
        await status(client, "playing")


# ---------------------------------------------------------------- from start to end


@pytest.mark.realtime
@pytest.mark.slow
@pytest.mark.parametrize("ruleset", RULESETS)
async def test_a_match_is_played_and_saved_with_the_decks_that_were_played(
    ruleset: str, tmp_path: Path
) -> None:
    """Two bots play until one has won twice; one exchanges cards after the first game.

    The journals hold the deck as it was in each game, and come out the same without any file.
    """
    config = Config(port=0, data=str(tmp_path), messages_per_s=100_000, messages_burst=100_000)
    other = swapped(ruleset)
    async with open_server(config) as running:
        url = f"ws://127.0.0.1:{running.port}/ws"
        async with open_client(url, name="Ada") as ada, open_client(url, name="Bob") as bob:
            place = await ada.create(ruleset, 2, deck=SWAPS[ruleset][0], terms=TERMS)
            await bob.join(place.info.table)

            async def exchange() -> None:
                await ada.choose_deck(other)

            async def nothing() -> None:
                await trio.lowlevel.checkpoint()

            async with trio.open_nursery() as nursery:
                nursery.start_soon(play_out, ada, 0, exchange)
                nursery.start_soon(play_out, bob, 1, nothing)
            info = ada.table
        running.drain()

    assert info is not None
    assert info.winner is not None
    assert info.score[info.winner] == max(info.score)
    check_saved(ruleset, tmp_path)


def check_saved(ruleset: str, folder: Path) -> None:
    """The games of a match, each with the deck that seat 0 has played in it, come out the same."""
    saved, other = sorted(folder.glob("*.jsonl")), swapped(ruleset)
    assert len(saved) in (2, 3)
    headers = [reader.read(path).header for path in saved]
    assert [one.seats[0].deck for one in headers] == [SWAPS[ruleset][0], *[other] * len(saved[1:])]
    assert len({one.seats[1].deck for one in headers}) == 1
    for path in saved:
        assert verify(path).is_same


async def play_out(client: Client, seat: int, between: Callable[[], Awaitable[None]]) -> None:
    """Play a match by chance; do something after its first game."""
    bot, is_first = RandomBot("match", seat), True
    async for event in client:
        match event:
            case m.Asked(prompt=prompt):
                await client.decide(prompt, bot.choose(prompt))
            case m.TableChanged(info=info) if info.status == "between games":
                if is_first:
                    await between()
                is_first = False
                await client.ready()
            case m.TableChanged(info=info) if info.status == "over":
                return
            case _:
                pass


# ---------------------------------------------------------------- sideboards


@pytest.mark.parametrize("ruleset", RULESETS)
async def test_cards_are_exchanged_between_games_only(ruleset: str) -> None:
    """A deck is named or written; what is refused is told by card, and changes nothing."""
    name, incoming, outgoing = SWAPS[ruleset]
    async with open_house() as rig, seated(rig, ruleset) as (ada, bob):
        answer = await refused(ada.choose_deck(swapped(ruleset)))
        assert answer.code == "not_now"
        await lose(bob, ada)

        foreign = swapped(ruleset).replace(f"{outgoing}\n", f"{incoming}\n", 1)
        for deck, told in (
            (foreign, incoming),
            (catalogue.load_decks(ruleset).catalogue()["decks"][1]["name"], "brought"),
            ("Nobody's", "there is no deck"),
            (swapped(ruleset).replace(f"{outgoing}\n", "Owl\n"), "Owl"),
        ):
            answer = await refused(ada.choose_deck(deck))
            assert answer.code == "bad_deck"
            assert told in answer.reason
        await ada.choose_deck(swapped(ruleset))
        await go_on(ada, bob)
        assert rig.factory.made[1][0][0] == swapped(ruleset)

        await lose(ada, bob)
        await ada.choose_deck(name)
        await go_on(ada, bob)
    assert [decks[0] for decks, _ in rig.factory.made] == [name, swapped(ruleset), name]


@pytest.mark.parametrize("ruleset", RULESETS)
async def test_an_exchanged_deck_stays_until_it_is_exchanged_and_goes_with_the_match(
    ruleset: str,
) -> None:
    """The third game is played with the second's deck; a rematch with what was brought."""
    name = SWAPS[ruleset][0]
    async with open_house() as rig, seated(rig, ruleset) as (ada, bob):
        await lose(ada, bob)
        await ada.choose_deck(swapped(ruleset))
        await go_on(ada, bob)
        await lose(bob, ada)
        await go_on(ada, bob)
        info = await lose(bob, ada)
        assert (info.status, info.score, info.winner) == ("over", (2, 1), 0)

        await ada.offer("rematch")
        await bob.respond("rematch", accept=True)
        for client in (ada, bob):
            info = await status(client, "playing")
        assert (info.score, info.winner) == ((0, 0), None)
    played = [decks[0] for decks, _ in rig.factory.made]
    assert played == [name, swapped(ruleset), swapped(ruleset), name]
    options = [options for _, options in rig.factory.made]
    assert options[3] == options[0]


# ---------------------------------------------------------------- the course of a match


@pytest.mark.parametrize("ruleset", RULESETS)
async def test_the_next_game_begins_without_whoever_is_not_ready(ruleset: str) -> None:
    """All are told who is ready and until when; who comes back in between is told it, too."""
    async with open_house(between_s=30) as rig, seated(rig, ruleset) as (ada, bob):
        await lose(bob, ada)
        began = trio.current_time()
        await ada.ready()
        await trio.testing.wait_all_tasks_blocked()
        while bob.ready_check is None or not bob.ready_check.ready[0]:
            await until(bob, m.ReadyCheck)
        assert bob.ready_check.ready == (True, False)
        await status(bob, "playing")
        assert trio.current_time() - began == pytest.approx(30)
        assert bob.ready_check is None


@pytest.mark.parametrize("ruleset", RULESETS)
async def test_draws_count_as_games_and_for_nobody(ruleset: str) -> None:
    """After three games the match is over, and who has won more of them has won it."""
    async with open_house() as rig, seated(rig, ruleset) as (ada, bob):
        for game in range(3):
            if game == 1:
                info = await lose(ada, bob)
            else:
                await ada.offer("draw")
                await bob.respond("draw", accept=True)
                for client in (ada, bob):
                    info = await status(client, "between games" if game < 2 else "over")
            if game < 2:
                assert info.winner is None
                await go_on(ada, bob)
        assert (info.status, info.score, info.winner) == ("over", (0, 1), 1)
    assert len(rig.factory.made) == 3


@pytest.mark.parametrize("ruleset", RULESETS)
@pytest.mark.parametrize("when", ["first game", "between games", "second game"])
async def test_who_leaves_a_match_loses_it(ruleset: str, when: str) -> None:
    """Whatever the score; the seat is gone for good, and nobody sits down in it."""
    async with open_house() as rig, seated(rig, ruleset) as (ada, bob):
        if when != "first game":
            await lose(bob, ada)
        if when == "second game":
            await go_on(ada, bob)
        await ada.leave()
        info = await status(bob, "over")
        assert info.winner == 1
        assert (
            info.score
            == {"first game": (0, 1), "between games": (1, 0), "second game": (1, 1)}[when]
        )
        assert info.seats[0].kind == "gone"
        async with rig.client("Eve") as eve:
            answer = await refused(eve.join(info.table))
            assert answer.code == "table_full"


@pytest.mark.parametrize("ruleset", RULESETS)
async def test_who_is_away_for_too_long_between_games_loses_the_match(ruleset: str) -> None:
    """As at any other time; before that the place is kept."""
    async with open_house(resume_s=5) as rig, rig.client("Ada") as ada:
        place = await ada.create(ruleset, 2, terms=TERMS)
        async with rig.client("Bob") as bob:
            await bob.join(place.info.table)
            for client in (ada, bob):
                await status(client, "playing")
            await lose(ada, bob)
        info = await status(ada, "over")
        assert (info.score, info.winner) == ((0, 1), 0)


@pytest.mark.parametrize("ruleset", RULESETS)
async def test_a_decided_match_is_won_whoever_leaves(ruleset: str) -> None:
    """The winner may go."""
    async with open_house() as rig, seated(rig, ruleset) as (ada, bob):
        await lose(bob, ada)
        await go_on(ada, bob)
        info = await lose(bob, ada)
        assert (info.status, info.score, info.winner) == ("over", (2, 0), 0)
        await ada.leave()
        while bob.table is None or bob.table.seats[0].kind != "gone":
            await until(bob, m.TableChanged)
        assert bob.table.winner == 0


@pytest.mark.parametrize(
    ("ruleset", "key", "value"), [("riftbound", "chooser", 1), ("hkk", "first", None)]
)
async def test_who_begins_the_next_game_follows_from_the_last(
    ruleset: str, key: str, value: int | None
) -> None:
    """Riftbound asks the loser; in hkk the players begin in turn. The journal's header has it."""
    async with open_house() as rig, seated(rig, ruleset) as (ada, bob):
        assert key not in rig.factory.made[0][1]
        await lose(bob, ada)
        await go_on(ada, bob)
        options = rig.factory.made[1][1]
        assert options[key] in (0, 1) if value is None else options[key] == value
        assert rig.journal.headers[1].options == options
        await lose(ada, bob)
        await go_on(ada, bob)
        third = rig.factory.made[2][1]
        assert third[key] != options[key]


@pytest.mark.parametrize("ruleset", RULESETS)
@pytest.mark.parametrize("bot", list(BOTS))
async def test_a_bot_of_the_server_plays_a_match(ruleset: str, bot: str) -> None:
    """It is always ready for the next game, and plays it."""
    seats = (m.SeatWish(), m.SeatWish(kind="bot", bot=bot))
    async with open_house() as rig, rig.client("Ada") as ada:
        await ada.create(ruleset, seats=seats, terms=TERMS)
        info = await status(ada, "playing")
        for _ in range(2):
            for _ in range(4):
                while (prompt := ada.prompt) is None:
                    await until(ada, m.Asked)
                await ada.decide(prompt, prompt.default)
            info = await lose(ada)
            if info.status == "between games":
                await go_on(ada)
        assert (info.status, info.score, info.winner) == ("over", (0, 2), 1)


# ---------------------------------------------------------------- streams


@pytest.mark.complaint("servers 37")
@pytest.mark.parametrize("ruleset", RULESETS)
async def test_streams_and_seats_go_on_through_the_match(ruleset: str) -> None:
    """Numbers go on, spectators stay, seats keep their order."""
    async with open_house() as rig, seated(rig, ruleset) as (ada, bob), rig.client("Eve") as eve:
        assert ada.place is not None
        streams = [(await eve.spectate(ada.place.info.table)).stream, ada.place.stream]
        numbers = []
        for loser, other in ((bob, ada), (ada, bob)):
            await trio.testing.wait_all_tasks_blocked()
            numbers.append((eve.mirror.n, ada.mirror.n))
            info = await lose(loser, other, eve)
            assert [seat.name for seat in info.seats] == ["Ada", "Bob"]
            await go_on(ada, bob)
            await status(eve, "playing")
        await trio.testing.wait_all_tasks_blocked()
        assert eve.place is not None
        assert streams == [eve.place.stream, ada.place.stream]
        numbers.append((eve.mirror.n, ada.mirror.n))
        assert numbers == sorted(set(numbers))
        assert eve.table is not None
        assert eve.table.score == (1, 1)


@pytest.mark.complaint("ui U42")
@pytest.mark.parametrize("ruleset", RULESETS)
def test_nothing_in_the_second_game_tells_of_hidden_cards_of_the_first(ruleset: str) -> None:
    """Whatever was hidden in one deck, the frames of the next game are the same."""
    name = SWAPS[ruleset][0]
    one, other = (two_games(ruleset, deck) for deck in (name, swapped(ruleset)))
    assert one[0] != other[0]  # who plays the deck sees another hand in the first game
    assert one[1:] == other[1:]


def two_games(ruleset: str, deck: str) -> list[list[bytes]]:
    """What seat 0, seat 1 and spectators are shown when seat 0 has this deck in the first game, and
    what seat 0 is shown of the second.

    Both games have the same shuffles. Seat 0 shows none of its cards: everybody does what is the
    prompt's default.
    """
    games, feeds = Games(), Feeds("table", 2)
    usual = catalogue.load_decks(ruleset).catalogue()["decks"]
    shown: list[list[bytes]] = [[], [], [], []]
    for number, first in enumerate((deck, usual[0]["name"])):
        decks = [first, usual[1]["name"]]
        key = bytes([number]) * 32
        game = games.create(ruleset, decks, {"first": 0}, key, InlineHost())
        game.introduce(("Ada", "Bob"))
        frames = feeds.begin(game)
        for _ in range(DECISIONS):
            own = 3 if number else 0
            for place, frame in zip((own, 1, 2), frames, strict=True):
                shown[place].append(msgspec.msgpack.encode(frame))
            prompt = game.open_prompt
            assert prompt is not None
            game.advance(Decision(prompt.seat, prompt.id, prompt.default))
            frames = feeds.take(game)
    return shown
