"""A server's games and journals: rulesets and files behind the ports of the host."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from journal import toy_rules
from journal.games import use_toy
from longfuse.actors import InlineHost
from longfuse.bots.play import next_decision
from longfuse.bots.random import RandomBot
from longfuse.cli.hosting import BOTS, Games, Journals, NoJournals
from longfuse.game.entries import GameFault, Refused
from longfuse.game.game import Game
from longfuse.host import ports
from longfuse.journal.reader import read
from longfuse.journal.store import FileStore
from longfuse.journal.verify import verify
from longfuse.journal.writer import open_writer

SEED = 2**127 + 5
HEADER = ports.Header(
    table="t1",
    ruleset="toy",
    seats=("Ada", "Bo"),
    options={"deck 2": "small", "mood": "calm"},
    seed=SEED,
    opened_ms=7,
)


@pytest.fixture(autouse=True)
def toy(monkeypatch: pytest.MonkeyPatch) -> None:
    """The toy is what is played here."""
    use_toy(monkeypatch)


def created(games: Games) -> Game:
    game = games.create("toy", 2, HEADER.options, SEED, InlineHost())
    assert isinstance(game, Game)
    return game


@asynccontextmanager
async def journals(folder: Path, games: Games) -> AsyncIterator[Journals]:
    async with open_writer(FileStore(folder)) as writer:
        yield Journals(games, writer)


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
        await journal.append("t1", record)
        if fault is not None:
            raise fault


def test_the_catalogue_has_the_decks_of_each_seat() -> None:
    """A client learns what it may name when it opens a table."""
    (info,) = Games().catalogue()

    assert info.name == "toy"
    assert info.options == {"deck 1": ["small", "large"], "deck 2": ["small", "large"]}


def test_options_choose_decks_and_the_rest_is_the_ruleset_s() -> None:
    """A seat without one gets the next deck that ships."""
    game = created(Games())

    assert len(game.board.zone("deck:0")) == 12
    assert len(game.board.zone("deck:1")) == 12
    assert game.options == {"mood": "calm"}


def test_an_unknown_deck_is_refused() -> None:
    """The refusal names the decks that there are."""
    with pytest.raises(Refused, match=r"'huge'.*'small', 'large'"):
        Games().create("toy", 2, {"deck 1": "huge"}, SEED, InlineHost())


def test_nobody_ties_shuffles_together() -> None:
    """An option for tests of symmetry: with it, one player's cards would tell the other's."""
    with pytest.raises(Refused):
        Games().create("toy", 2, {"random_labels": "aa"}, SEED, InlineHost())


@pytest.mark.realtime
async def test_a_game_is_kept_from_its_beginning_to_its_end(tmp_path: Path) -> None:
    """With the state after each entry, who played, and the end: it verifies."""
    games = Games()
    game = created(games)
    async with journals(tmp_path, games) as journal:
        await journal.open(HEADER)
        await play(game, journal)

    path = tmp_path / "t1.jsonl"
    kept = read(path)
    assert kept.header.table_options == {"players": ["Ada", "Bo"]}
    assert kept.header.options == {"mood": "calm"}
    assert kept.entries[-1].state == game.state_hash()
    assert (kept.entries[3].command, kept.entries[3].spent_ms) == ("c3", 1)
    assert verify(path).finding is None


@pytest.mark.realtime
async def test_an_entry_at_which_the_game_broke_is_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without a state, and nothing follows it: replaying breaks at the same entry."""
    games = Games()
    game = created(games)

    def breaks(*_: object) -> None:
        raise ZeroDivisionError("a card")

    async with journals(tmp_path, games) as journal:
        await journal.open(HEADER)
        await play(game, journal, limit=5)
        with monkeypatch.context() as patch:
            patch.setattr(toy_rules.Toy, "share", breaks)
            with pytest.raises(GameFault):
                await play(game, journal)

    kept = read(tmp_path / "t1.jsonl")
    assert kept.end is None
    assert kept.entries[-1].state == ""
    assert all(line.state for line in kept.entries[:-1])


async def test_a_server_without_a_folder_keeps_nothing() -> None:
    """Both calls are answered all the same."""
    games = Games()
    game = created(games)
    journal = NoJournals()

    await journal.open(HEADER)
    await play(game, journal, limit=3)

    assert game.entries == 3


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
