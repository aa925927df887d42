"""`longfuse play`, driven by scripts: whole games, every word that can be typed, and the wire."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path

import pytest
import trio
import trio.testing

from cli.playing import Page, Script, given, play_script, wire_given
from host.rig import URL, open_rig
from journal.games import use_toy
from longfuse.cli import play
from longfuse.cli.output import CommandError
from longfuse.cli.play import Connection
from longfuse.cli.play_input import TypedLines
from longfuse.cli.play_screen import Screen
from longfuse.cli.play_serving import seeded_bots

MISTAKES = ("choose", "please", "Divide 2: an amount for each in order")


def first_items(page: Page) -> Iterator[str]:
    """Always the first item; Enter where one number is no answer."""
    for _ in range(5_000):
        before = len(page.getvalue())
        yield "1"
        said = page.getvalue()[before:].partition("\n")[2]
        if any(said.startswith(word) for word in MISTAKES):
            yield ""


# ---------------------------------------------------------------- whole games


@pytest.fixture
def toy(monkeypatch: pytest.MonkeyPatch) -> None:
    """The toy, which asks in every shape, is what is played."""
    use_toy(monkeypatch)


@pytest.mark.usefixtures("toy")
async def test_a_game_in_every_shape_is_played_to_its_end() -> None:
    """With the layout for rulesets that have none, and the same twice from one seed."""
    shown = await play_script(first_items, bots=seeded_bots("1"), bot="random")
    again = await play_script(first_items, bots=seeded_bots("1"), bot="random")

    assert re.search(r"\n(You win! Ada|random) wins: 12 points\.\n$", shown)
    assert _without_table(shown) == _without_table(again)
    for asked in ("Light a fuse?", "Who gets points?", "Which?", "Discard?", "Order?"):
        assert asked in shown


def _without_table(shown: str) -> str:
    return re.sub(r"Table \w{12},|Game \w{12}-", "", shown)


@pytest.mark.slow
async def test_a_whole_game_is_played_by_first_items() -> None:
    """In the first ruleset there is, against the random bot."""
    shown = await play_script(first_items, bots=seeded_bots("1"), bot="random")

    assert " wins: " in shown.splitlines()[-1]
    assert re.search(r"===== Turn \d+ \(you\), main phase =====", shown)
    assert not re.search(r"\bNone\b|\bo\d+\b|\bbf:\d|\[\]|\{\}", shown)


# ---------------------------------------------------------------- words


@pytest.mark.usefixtures("toy")
async def test_every_word_is_answered() -> None:
    """None of them decides anything, and the question stays open."""
    words = ["?", "help", "table", "hand", "chain", "fuses", "card", "card 1", "card nix"]
    words += ["log", "log 1", "log all", "log 0", "why", "why 1", "why 99", "why x", "why not"]
    shown = await play_script(["no", *words, "auto off", "auto on", "undo", "nonsense"])

    assert shown.count("Who gets points?") == 2  # asked, and repeated by `help`
    for said in (
        "Everything that is listed is possible.",
        "why line N of the log happened",
        "Your hand is empty.",
        "The chain is empty.",
        "No ability waits.",
        "Which card?",
        "No card 'nix'",
        "  1  Turn of Ada",
        "Nothing has happened.",
        "That was a player's decision, or the course of the game.",
        "`why` and the number of a line of the log",
        "`auto on` ends that.",
        "`auto off` ends that.",
        "Nothing is taken back: you have no play open.",
        "Divide 2: an amount for each in order",
    ):
        assert said in shown


@pytest.mark.usefixtures("toy")
async def test_a_play_is_taken_back() -> None:
    """`undo` brings the question before it; the fuse that was lit is out."""
    shown = await play_script(["yes", "fuses", "undo", "fuses"])

    assert "  Fuse  your trigger, this turn, 1 use left: The next time a player" in shown
    assert shown.count("Light a fuse?") == 2
    assert shown.rindex("No ability waits.") > shown.rindex("Light a fuse?")


@pytest.mark.usefixtures("toy")
async def test_why_follows_the_causes() -> None:
    """A point that a fuse gave is traced to the point that set it off."""
    shown = await play_script(["yes", "", "2 0", "log", "why 3", "why"])

    assert re.search(r"because 2 +Ada scores 2\. \(rule 1\.1\)", shown)


@pytest.mark.usefixtures("toy")
@pytest.mark.parametrize("word", ["concede", "quit"])
async def test_giving_up_is_asked_twice(word: str) -> None:
    """Only the same word again does it; anything else in between calls it off."""
    shown = await play_script([word, "table", word, "1", word, word, "never read"])

    assert shown.count(f"type `{word}` again") == 3
    assert "never read" not in shown
    assert "default wins: conceded." in shown


@pytest.mark.usefixtures("toy")
async def test_at_a_terminal_the_log_can_be_read_after_the_end() -> None:
    """What was typed too early is dropped before each question; Enter leaves in the end."""
    lines = ["concede", "concede", "log", "1", "undo", "concede", "why", ""]
    shown = await play_script(lines, is_live=True)

    end = shown.partition("default wins: conceded.")[2]
    assert "`log`, `why` and `table` still work; `offer rematch` offers another game" in end
    assert "  1  Turn of Ada" in end
    assert end.count("The game is over.") == 3


@pytest.mark.usefixtures("toy")
async def test_a_refusal_by_the_game_loses_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where client and server disagree about an answer, the question stays."""
    monkeypatch.setattr("longfuse.cli.play_session.read", lambda _prompt, line: int(line))
    shown = await play_script(["9", "0", "9"])

    assert "The game does not take that: There is no item 9; indices run from 0 to 1." in shown
    assert "Who gets points?" in shown


async def test_cards_are_looked_up_by_name_and_number() -> None:
    """Cards that are seen, and cards of the sets that nobody has shown."""
    shown = await play_script(["", "card 1", "card quay l", "card nix"], deck="Lamp Keepers")

    assert "draw 1" in shown
    assert re.search(r"cost +1 Energy\n +type +unit\n +Might +1", shown)
    assert "No card 'nix' is to be seen" in shown


# ---------------------------------------------------------------- arguments and the wire


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"table": "x"}, "give its --url"),
        ({"url": "ws://x", "seed": "1"}, "--seed is for games here"),
        ({"url": "ws://x", "seed": None, "table": "x", "against": "d"}, "its opener's choice"),
        ({"url": "ws://x", "seed": None, "table": "x", "clock": "60"}, "--clock is a term"),
        ({"url": "ws://x", "seed": None, "pair": True, "best_of": 3}, "--best-of is a term"),
        ({"url": "ws://x", "seed": None, "invitation": "x"}, "give its --table"),
        ({"url": "ws://x", "seed": None, "serve": "x:1"}, "give no other"),
        ({"url": "ws://x", "seed": None, "clock": "soon"}, "--clock 'soon': one of"),
        ({"pair": True}, "--pair is for games on a server"),
        ({"url": "u", "pair": True, "table": "t"}, "give one of them"),
        ({"receipts": "x"}, "--receipts is for games on a server"),
    ],
)
def test_arguments_that_contradict_each_other(changed: dict[str, str], said: str) -> None:
    """Are told before anything starts."""
    with pytest.raises(CommandError, match=said):
        play.run(given(**{"bot": None, **changed}))


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"deck": "nix"}, "no deck 'nix'; there is 'small', 'large'"),
        ({"against": "l", "ruleset": "chess"}, "no ruleset 'chess'; there is 'toy'"),
        ({"bot": "nix"}, "there is no bot 'nix' here"),
    ],
)
@pytest.mark.usefixtures("toy")
async def test_what_the_server_does_not_have(changed: dict[str, str], said: str) -> None:
    """Is told with what it has."""
    told = pytest.RaisesExc(CommandError, match=re.escape(said))
    with pytest.RaisesGroup(told, flatten_subgroups=True):
        await play_script([], **changed)


async def test_two_people_play_over_the_wire() -> None:
    """One opens a table and is told how others join; the other joins and gives up."""
    opener, joiner = Page(), Page()
    async with open_rig() as rig, trio.open_nursery() as nursery:

        async def open_table() -> None:
            lines = Script(["1", "frobnicate"], is_live=True)
            here = Connection(URL, stream=rig.listener.dial(), shown=URL)
            await play.play_at(here, wire_given(), lines, Screen(opener, plain=True))

        nursery.start_soon(open_table)
        await trio.testing.wait_all_tasks_blocked()
        (table,) = re.findall(r"--table (\w+)", opener.getvalue())
        await play.play_at(
            Connection(URL, stream=rig.listener.dial()),
            wire_given(name="Bob", table=table),
            Script(["concede", "concede"]),
            Screen(joiner, plain=True),
        )

    assert f"longfuse play --url {URL} --table {table}" in opener.getvalue()
    assert "Table " + table in joiner.getvalue()
    assert ": Ada, Bob." in joiner.getvalue()
    assert "wins: " in joiner.getvalue()


async def in_a_drain(
    page: Page, comes: AbstractContextManager[object], bot: str | None = None
) -> None:
    """Play at a table at which nothing happens until its server is drained."""
    async with open_rig() as rig:

        async def drain() -> None:
            await trio.testing.wait_all_tasks_blocked()
            rig.running.drain()

        async with trio.open_nursery() as nursery:
            nursery.start_soon(drain)
            lines = Script(iter(lambda: "hand", ""), is_live=True)
            here = Connection(URL, stream=rig.listener.dial())
            with comes:
                await play.play_at(here, wire_given(bot=bot), lines, Screen(page, plain=True))


async def test_a_server_that_goes_away_is_told() -> None:
    """With the reason of its close."""
    ended = pytest.raises(CommandError, match=r"the connection ended .*\(1012")
    await in_a_drain(Page(), ended)


async def test_a_game_that_ends_with_the_server_is_over() -> None:
    """Its end is told, and why, and nobody has lost the connection before it."""
    page = Page()
    await in_a_drain(page, nullcontext(), bot="default")

    assert "ended by operator" in page.getvalue()
    assert "The server restarts." in page.getvalue()
    assert "You win!" not in page.getvalue()


async def test_nobody_there_is_told() -> None:
    """An address where no server listens."""
    with pytest.raises(CommandError, match="no connection"):
        await play.play_at(Connection("nonsense"), given(), Script([]), Screen(Page(), plain=True))


@pytest.mark.realtime
@pytest.mark.usefixtures("toy")
async def test_a_game_of_its_own_on_loopback() -> None:
    """The server of the command itself; leaving ends it."""
    page = Page()
    arguments = given(bot=None)
    assert await play._play(arguments, Script(["quit", "quit"]), Screen(page, plain=True)) == 0

    assert "A game against a bot, seed 1." in page.getvalue()


# ---------------------------------------------------------------- input


@pytest.mark.realtime
async def test_lines_of_a_pipe() -> None:
    """Whole lines as they come, also the last without its end, and then nothing."""
    read, write = os.pipe()
    lines = TypedLines(read)
    os.write(write, "one\r\ntw\u00f6\n\nlast".encode())
    os.close(write)

    assert not lines.is_live
    lines.forget()
    assert [await lines.next() for _ in range(5)] == ["one", "tw\u00f6", "", "last", None]
    os.close(read)


@pytest.mark.realtime
async def test_no_line_is_lost_to_a_wait_that_was_cancelled() -> None:
    """Who waited for it first got nothing; it is there for the next."""
    read, write = os.pipe()
    lines = TypedLines(read)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(lines.next)
        await trio.testing.wait_all_tasks_blocked()
        nursery.cancel_scope.cancel()
    os.write(write, b"later\n")

    assert await lines.next() == "later"
    os.close(read)
    os.close(write)


@pytest.mark.realtime
async def test_lines_of_a_file(tmp_path: Path) -> None:
    """A file is always ready to be read, and is read to its end."""
    path = tmp_path / "script"
    path.write_text("yes\nno\n")
    with path.open("rb") as file:
        lines = TypedLines(file.fileno())
        assert [await lines.next() for _ in range(3)] == ["yes", "no", None]


@pytest.mark.realtime
async def test_what_is_typed_too_early_at_a_terminal_is_dropped() -> None:
    """A terminal, of which the test holds the other end."""
    test, terminal = os.openpty()
    lines = TypedLines(terminal)
    os.write(test, b"early\n")

    assert lines.is_live
    lines.forget()
    os.write(test, b"in time\n")
    assert await lines.next() == "in time"
    os.close(test)
    os.close(terminal)


def test_nothing_is_wider_than_the_screen(monkeypatch: pytest.MonkeyPatch) -> None:
    """Long words of others included: a terminal would break them anywhere."""
    monkeypatch.setenv("COLUMNS", "80")
    page = Page()
    screen = Screen(page, plain=True)
    for tell in (screen.heading, screen.line, screen.aside, screen.closing):
        tell("You have priority: do you react? " * 5)
    screen.row("label", "a text " * 30, column=20)
    screen.numbered([("1", "an item " * 30)])

    assert max(map(len, page.getvalue().splitlines())) <= 80


def test_names_from_elsewhere_cannot_steer_the_terminal() -> None:
    """Control characters are not printed."""
    page = Page()
    Screen(page, plain=True).line("Eve\x1b[2J\x07\u202e sits down")

    assert page.getvalue() == "Eve [2J   sits down\n"
