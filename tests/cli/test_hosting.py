"""A server's games and journals: rulesets and files behind the ports of the host."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from msgspec.structs import replace

from journal import toy_rules
from journal.games import use_toy
from journal.shuffled import shuffle
from longfuse.actors import InlineHost
from longfuse.bots.play import next_decision
from longfuse.bots.random import RandomBot
from longfuse.cli import hosting
from longfuse.cli.hosting import BOTS, Games, Journals, MemoryJournals
from longfuse.cli.play_serving import SeededGames
from longfuse.game.entries import GameFault, Refused
from longfuse.game.game import Game
from longfuse.host import ports
from longfuse.journal.reader import read
from longfuse.journal.store import FileStore
from longfuse.journal.verify import verify
from longfuse.journal.writer import open_writer
from longfuse.rulesets import catalogue
from longfuse_protocol.messages import Terms

OPTIONS = {"mood": "calm"}
MACHINE, _ = shuffle()
KEY = MACHINE.key
HEADER = ports.Header(
    game=MACHINE.game,
    ruleset="toy",
    seats=("Ada", "Bo"),
    decks=("small", "large"),
    options=OPTIONS,
    terms=Terms(delay_s=5),
    transcript=MACHINE.transcript,
    opened_ms=7,
)


RULESETS = dict(catalogue.MODULES)


@pytest.fixture(autouse=True)
def toy(monkeypatch: pytest.MonkeyPatch) -> None:
    """The toy is what is played here."""
    use_toy(monkeypatch)


def test_once_a_server_runs_no_game_reads_cards(monkeypatch: pytest.MonkeyPatch) -> None:
    """All of it has been read before anybody comes, whose game would be held up."""
    monkeypatch.setattr(catalogue, "MODULES", RULESETS)
    games = Games()
    games.load()

    def refuse(path: Path, *_: object, **__: object) -> None:
        raise AssertionError(f"{path} is read now")

    for word in ("read_bytes", "read_text", "open"):
        monkeypatch.setattr(Path, word, refuse)
    for info in games.catalogue():
        decks = [games.deck(info.name, seat, "") for seat in (0, 1)]
        assert games.create(info.name, decks, {}, KEY, InlineHost())


def created(games: Games, key: bytes = KEY) -> Game:
    decks = [games.deck("toy", seat, "") for seat in (0, 1)]
    game = games.create("toy", decks, OPTIONS, key, InlineHost())
    assert isinstance(game, Game)
    return game


@asynccontextmanager
async def journals(folder: Path) -> AsyncIterator[Journals]:
    files = FileStore(folder)
    async with open_writer(files) as writer:
        yield Journals(writer, files)


async def play(game: Game, journal: ports.Journal, limit: int = 1_000) -> None:
    bots = [RandomBot(1, seat) for seat in (0, 1)]
    for number in range(limit):
        decision = next_decision(game, bots)
        if decision is None:
            return
        fault: GameFault | None = None
        try:
            game.advance(decision)
        except GameFault as raised:
            fault = raised
        record = ports.Record(entry=decision, command=f"c{number}", spent_ms=1, at_ms=2)
        await journal.append(HEADER.game, record, game)
        if fault is not None:
            raise fault


def test_the_catalogue_has_decks_and_phases() -> None:
    """A client learns what it may name when it opens a table or sets how to pass."""
    (info,) = Games().catalogue()

    assert (info.name, info.decks, info.phases) == ("toy", ("small", "large"), ())


def test_a_seat_without_a_deck_gets_its_usual_one() -> None:
    """The next that ships; options are the ruleset's."""
    games = Games()

    assert [games.deck("toy", seat, "") for seat in range(3)] == ["small", "large", "small"]
    assert created(games).options == OPTIONS


def test_an_unknown_deck_is_refused() -> None:
    """The refusal names the decks that there are."""
    with pytest.raises(Refused, match=r"'huge'.*'small', 'large'"):
        Games().deck("toy", 0, "huge")


def test_nobody_ties_shuffles_together() -> None:
    """An option for tests of symmetry: with it, one player's cards would tell the other's."""
    with pytest.raises(Refused):
        Games().check("toy", 2, {"random_labels": "aa"})


def test_games_of_a_seed() -> None:
    """The seed decides each by its number; one that is played anew is the same."""

    def dealt(seed: str, *keys: bytes) -> list[str]:
        games = SeededGames(seed)
        return [created(games, key).state_hash() for key in keys]

    one = dealt("s", b"a" * 32, b"b" * 32, b"a" * 32)

    assert one[0] == one[2] != one[1]
    assert dealt("s", b"x" * 32, b"y" * 32) == one[:2]
    assert dealt("t", b"a" * 32) != one[:1]


@pytest.mark.realtime
async def test_a_game_is_kept_from_its_beginning_to_its_end(tmp_path: Path) -> None:
    """With the state after each entry, who played under which terms, and the end: it verifies."""
    game = created(Games())
    async with journals(tmp_path) as journal:
        await journal.open(HEADER)
        await play(game, journal)
        await journal.close(HEADER.game, MACHINE.revealed().secret, game)

    path = tmp_path / "t1-1.jsonl"
    kept = read(path)
    assert [seat.name for seat in kept.header.seats] == ["Ada", "Bo"]
    assert kept.header.table_options["delay_s"] == 5
    assert kept.header.options == OPTIONS
    assert kept.entries[-1].state == game.state_hash()
    assert (kept.entries[3].command, kept.entries[3].spent_ms) == ("c3", 1)
    assert verify(path).finding is None


@pytest.mark.realtime
async def test_an_entry_at_which_the_game_broke_is_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without a state, and nothing follows it: replaying breaks at the same entry."""
    game = created(Games())

    def breaks(*_: object) -> None:
        raise ZeroDivisionError("a card")

    async with journals(tmp_path) as journal:
        await journal.open(HEADER)
        await play(game, journal, limit=5)
        with monkeypatch.context() as patch:
            patch.setattr(toy_rules.Toy, "share", breaks)
            with pytest.raises(GameFault):
                await play(game, journal)
        journal.abandon(HEADER.game)

    kept = read(tmp_path / "t1-1.jsonl")
    assert kept.end is None
    assert kept.entries[-1].state == ""
    assert all(line.state for line in kept.entries[:-1])


async def test_a_server_without_a_folder_keeps_the_last_games(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A game that is over is found as it was played, until enough others have ended."""
    monkeypatch.setattr(hosting, "GAMES_MAX", 1)
    game = created(Games())
    journal = MemoryJournals()
    secret = MACHINE.revealed().secret

    await journal.open(HEADER)
    await play(game, journal)
    assert await journal.find(HEADER.game) is None
    await journal.close(HEADER.game, secret, game)
    found = await journal.find(HEADER.game)
    assert found is not None
    assert (found.header, found.secret, len(found.entries)) == (HEADER, secret, game.entries)
    await journal.opened(HEADER.game)
    assert await journal.find(HEADER.game) == replace(found, is_open=True)

    other = replace(HEADER, game="t2-1")
    await journal.open(other)
    await journal.close(other.game, secret, game)
    assert await journal.find(HEADER.game) is None
    assert await journal.find(other.game) is not None


async def test_what_is_not_kept_in_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither a game that was left without an end, nor one of too many entries."""
    monkeypatch.setattr(hosting, "ENTRIES_OF_A_GAME_MAX", 2)
    game = created(Games())
    journal = MemoryJournals()

    await journal.open(HEADER)
    await play(game, journal, limit=3)
    await journal.close(HEADER.game, MACHINE.revealed().secret, game)
    assert await journal.find(HEADER.game) is None

    await journal.open(HEADER)
    journal.abandon(HEADER.game)
    await journal.close(HEADER.game, MACHINE.revealed().secret, game)
    assert await journal.find(HEADER.game) is None


@pytest.mark.realtime
async def test_a_game_that_is_over_is_found_in_its_file(tmp_path: Path) -> None:
    """With all that was known of it at its table; a running one, or an unreadable file, is not."""
    game = created(Games())
    streams = (ports.Mark(7, ("mark", "o1")), ports.Mark(6, ("mark",)), ports.Mark(5, ()))
    header = replace(HEADER, streams=streams)
    secret = MACHINE.revealed().secret
    async with journals(tmp_path) as journal:
        await journal.open(header)
        await play(game, journal)
        assert await journal.find(header.game) is None
        await journal.close(header.game, secret, game)

        found = await journal.find(header.game)
        assert found is not None
        assert (found.header, found.secret, len(found.entries)) == (header, secret, game.entries)
        await journal.opened(header.game)
        assert await journal.find(header.game) == replace(found, is_open=True)
        await journal.opened("t9-1")
        (tmp_path / "t1-1.jsonl").write_text("{}\n", encoding="utf-8")
        assert await journal.find(header.game) is None
        assert await journal.find("t9-1") is None
        assert await journal.find("../t1-1") is None


async def test_the_bots_of_a_server_answer_prompts() -> None:
    """Each seat has its own chance."""
    game = created(Games())
    prompt = game.open_prompt
    assert prompt is not None

    answers = {
        seat: [await BOTS["random"](seat, seed).decide(prompt, game) for seed in range(20)]
        for seat in (0, 1)
    }

    assert answers[0] != answers[1]
