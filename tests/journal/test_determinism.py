"""Same decisions, same game: whatever the scheduler and the hash seed do."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from functools import partial
from pathlib import Path

import pytest
import trio

from journal.games import journal_lines, use_toy, write
from longfuse.actors import open_task_tree
from longfuse.cli.local import BotGame
from longfuse.journal.reader import Journal, read
from longfuse.journal.replay import begin, enter
from longfuse.rulesets import catalogue
from support.schedule import run

SCHEDULES = 100


async def replayed_in_tasks(journals: list[Journal]) -> None:
    """Replay some games at once, each with its whole task tree; every state hash is compared."""
    async with trio.open_nursery() as nursery:
        for journal in journals:
            nursery.start_soon(_replay_in_tasks, journal)


async def _replay_in_tasks(journal: Journal) -> None:
    async with open_task_tree() as host:
        replayed = begin(journal, host=host)
        for line in journal.entries:
            enter(replayed, line)
            await trio.lowlevel.checkpoint()
    assert journal.end is not None
    assert replayed.game.result == journal.end.result


def test_one_journal_is_one_game_under_every_schedule(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """100 orders of tasks, two games interleaved: the hashes of the journal each time."""
    use_toy(monkeypatch)
    journals = [read(write(tmp_path / seed, journal_lines(seed))) for seed in ("1", "2")]

    for seed in range(SCHEDULES):
        run(partial(replayed_in_tasks, journals), seed=seed)


@pytest.mark.slow
@pytest.mark.parametrize("name", catalogue.names())
def test_a_ruleset_s_game_is_one_game_under_every_schedule(tmp_path: Path, name: str) -> None:
    """The same for every ruleset that ships."""
    bots = BotGame(catalogue.load(name), "schedules")
    for _ in bots.play():
        pass
    journal = read(bots.save(tmp_path))

    for seed in range(SCHEDULES):
        run(partial(replayed_in_tasks, [journal]), seed=seed)


@pytest.mark.slow
@pytest.mark.parametrize("name", catalogue.names())
def test_hash_seeds_and_caches_change_nothing(name: str, tmp_path: Path) -> None:
    """Processes with hash seeds of their own, that compile the cards or find them compiled, play
    the same games."""
    command = [sys.executable, "-m", "longfuse", "demo", "--json", "--games", "2", "--seed", "1"]
    states = {
        json.loads(
            subprocess.run(
                [*command, "--ruleset", name],
                env={**os.environ, "PYTHONHASHSEED": seed, "XDG_CACHE_HOME": str(tmp_path / cache)},
                capture_output=True,
                check=True,
            ).stdout
        )["state_hash"]
        for seed, cache in (("0", "a"), ("1", "b"), ("2", "a"))
    }

    assert len(states) == 1
