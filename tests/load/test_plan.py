"""The plan of a run follows from what is asked for and the seed alone."""

from __future__ import annotations

import msgspec
import pytest

from longfuse.load.plan import SEATS, Run, divide

RUN = Run(tables=7, spectators=2, seconds=20.0, rulesets=("one", "other"), processes=3, seed="s")


def tables_of(run: Run) -> list[object]:
    """All tables of a run, in order."""
    tables = [table for share in divide(run, "ws://here/ws") for table in share.tables]
    return sorted(tables, key=lambda table: table.number)


def test_the_same_run_is_planned_the_same() -> None:
    """And another seed drops others at other moments."""
    run = msgspec.structs.replace(RUN, drop_percent=30.0)
    other = msgspec.structs.replace(run, seed="t")

    assert divide(run, "u") == divide(run, "u")
    assert [t.drops for t in tables_of(run)] != [t.drops for t in tables_of(other)]


def test_every_table_is_some_process_s() -> None:
    """Once, and the rulesets take turns in every process."""
    shares = divide(RUN, "ws://here/ws")

    assert [table.number for table in tables_of(RUN)] == list(range(7))
    assert {share.url for share in shares} == {"ws://here/ws"}
    assert [[table.ruleset for table in share.tables] for share in shares] == [
        ["one", "other", "one"],
        ["one", "other"],
        ["one", "other"],
    ]


def test_there_are_no_processes_without_tables() -> None:
    """One table is one process's, however many are allowed."""
    assert len(divide(msgspec.structs.replace(RUN, tables=1), "u")) == 1


def test_a_rate_is_spread_over_the_tables() -> None:
    """Ten decisions a second at seven tables: one each 0.7 s, a tenth of a second apart."""
    tables = tables_of(msgspec.structs.replace(RUN, rate=10.0))

    assert [table.every_s for table in tables] == [pytest.approx(0.7)] * 7
    assert [table.first_s for table in tables] == pytest.approx([n / 10 for n in range(7)])


@pytest.mark.parametrize(
    ("percent", "dropping"), [(0, 0), (0.1, 1), (25, 7), (50, 14), (100, 7 * (SEATS + 2))]
)
def test_so_many_percent_of_the_clients_drop(percent: float, dropping: int) -> None:
    """At least one if any is to; each within the run, more than once in a long one."""
    tables = tables_of(msgspec.structs.replace(RUN, drop_percent=percent))
    moments = [drops for table in tables for drops in table.drops if drops]

    assert len(moments) == dropping
    assert all(0 <= moment < RUN.seconds for drops in moments for moment in drops)
    assert all(list(drops) == sorted(drops) for drops in moments)
