"""`longfuse play` over a connection that can be lost: coming back, clocks, tokens and receipts."""

from __future__ import annotations

import json
import stat
from pathlib import Path

import pytest
import trio

from cli.playing import Player, open_games, two_players
from host.rig import open_rig
from journal.games import use_toy
from longfuse.cli import kept_session, main, wire_options
from longfuse.cli.output import CommandError
from longfuse_protocol import receipts


@pytest.fixture(autouse=True)
def toy(monkeypatch: pytest.MonkeyPatch) -> None:
    """The toy is what is played here."""
    use_toy(monkeypatch)


# ---------------------------------------------------------------- the connection is lost


async def test_a_lost_connection_is_taken_up_again() -> None:
    """Both are told; what is asked is asked again, and answered once."""
    async with open_games() as listener, two_players(listener) as (ada, bob):
        await bob.sees()
        await ada.dialer.cut()
        assert "The connection is lost" in await ada.sees()
        assert "is being taken up again" in await ada.types("yes")
        assert (
            "Ada has lost the connection, and loses the seat without coming back within"
            in await bob.sees()
        )

        told = await ada.reconnected()
        assert "Connected again." in told
        assert "Light a fuse?" in told
        assert "Ada is back." in await bob.sees()
        assert "Sure?" in await ada.types("yes")
        assert ada.shown.count("Turn of Ada") == 1


async def test_each_try_is_told_until_the_last() -> None:
    """Where there is no way back the command ends with the reason and code 1."""
    async with open_games() as listener, two_players(listener) as (ada, bob):
        ada.dialer.is_barred = True
        await ada.dialer.cut()
        await trio.sleep(150)

        told = await ada.sees()
        assert "Reconnecting\u2026 (try 2)" in told
        assert "error: the connection ended before the game did" in told
        assert "more tries" in told
        assert ada.code == 1
        assert "You win! Bob wins: " in await bob.sees()


async def test_chat_is_not_told_again_to_who_comes_back() -> None:
    """What was said meanwhile is."""
    async with open_games() as listener, two_players(listener) as (ada, bob):
        await bob.types("say one")
        await ada.dialer.cut()
        await bob.types("say two")
        await ada.reconnected()

        assert ada.shown.count("Bob: one") == 1
        assert ada.shown.count("Bob: two") == 1


def says_that_it_is_over(file: Path) -> bool:
    """Whether there is nothing in the file to go on with, and no secret."""
    with pytest.raises(CommandError, match="the seat at ws://memory/ws is over: remove the file"):
        kept_session.load(file)
    return json.loads(file.read_bytes())["session"] is None


async def test_a_seat_that_is_lost_meanwhile_is_told(tmp_path: Path) -> None:
    """Whoever comes back too late has no place any more, and the file says so."""
    file = tmp_path / "seat"
    async with open_games(resume_s=5) as listener, two_players(listener, resume=file) as (ada, _):
        ada.dialer.is_barred = True
        await ada.dialer.cut()
        await trio.sleep(6)
        ada.dialer.is_barred = False
        await trio.sleep(60)

        assert "is gone" in await ada.sees()
        assert ada.code == 1
        assert says_that_it_is_over(file)


# ---------------------------------------------------------------- going on in another process


async def test_another_process_goes_on_with_the_seat(tmp_path: Path) -> None:
    """From a file that only its owner reads, and that says it when the seat is left."""
    file = tmp_path / "seat"
    async with open_games() as listener, two_players(listener, resume=file) as (ada, bob):
        assert stat.S_IMODE(file.stat().st_mode) == 0o600
        assert json.loads(file.read_bytes())["url"] == "ws://memory/ws"
        await ada.types("yes")

        later = Player(listener, name=None, url=None, resume=file)
        async with trio.open_nursery() as nursery:
            nursery.start_soon(later.play)
            told = await later.sees()
            assert "Ada, Bob." in told
            assert "Sure?" in told
            assert "Another connection" in await ada.sees() or ada.code == 1
            assert "Turn of Ada" in await later.types("log all")
            await later.types("quit", "quit")

        assert later.code == 0
        assert says_that_it_is_over(file)
        assert "You win! Bob wins: " in await bob.sees()


async def test_who_is_not_asked_sees_the_table_on_coming_back(tmp_path: Path) -> None:
    """What lies there is shown at once, and not only with the next question."""
    file = tmp_path / "seat"
    joins = {"resume": file}
    async with open_games() as listener, two_players(listener, joins=joins) as (_, bob):
        await bob.sees()
        later = Player(listener, name=None, url=None, resume=file)
        async with trio.open_nursery() as nursery:
            nursery.start_soon(later.play)
            told = await later.sees()
            await later.types("quit", "quit")

        assert "===== " in told
        assert "Sure?" not in told


async def test_a_match_that_is_over_is_not_begun_anew(tmp_path: Path) -> None:
    """With the file of its seat no other table is opened, also where an address is given."""
    file = tmp_path / "seat"
    async with open_games() as listener:
        async with two_players(listener, resume=file) as (ada, _):
            await ada.types("concede", "concede")
            ada.goes("")
            await ada.sees()
            assert ada.code == 0
        later = Player(listener, resume=file)
        await later.play()

        assert "is over: remove the file to begin anew" in await later.sees()
        assert later.code == 1
        assert says_that_it_is_over(file)
        file.unlink()
        async with two_players(listener, resume=file):
            assert file.exists()


async def test_a_match_between_its_games_is_gone_on_with(tmp_path: Path) -> None:
    """Where the connection ended with a game, but not with the match."""
    file = tmp_path / "seat"
    async with open_games() as listener, two_players(listener, resume=file, best_of=3) as (ada, _):
        await ada.types("concede", "concede")
        later = Player(listener, name=None, url=None, resume=file)
        async with trio.open_nursery() as nursery:
            nursery.start_soon(later.play)
            assert "Ada, Bob." in await later.sees()
            await ada.sees()
            assert kept_session.load(file) is not None
            later.goes("quit", "quit")

        assert says_that_it_is_over(file)


async def test_a_session_that_is_over_is_told(tmp_path: Path) -> None:
    """With what to do about it."""
    file = tmp_path / "seat"
    file.write_text('{"url":"ws://memory/ws","name":"Ada","session":{"secret":"nobody\'s"}}')
    async with open_games() as listener:
        ada = Player(listener, resume=file)
        await ada.play()

    assert "remove the file to begin anew" in await ada.sees()


async def test_what_is_no_session_is_told(tmp_path: Path) -> None:
    """A file of something else, and a folder."""
    file = tmp_path / "seat"
    file.write_text("{}")
    async with open_games() as listener:
        for path, said in ((file, "holds no session"), (tmp_path, "Is a directory")):
            ada = Player(listener, resume=path)
            await ada.play()
            assert said in await ada.sees()


# ---------------------------------------------------------------- clocks


async def test_time_is_shown_as_what_is_left() -> None:
    """With each question, and for all at any time; the player is warned before it runs out."""
    async with open_rig() as rig, two_players(rig.listener, clock="2+0") as (ada, bob):
        assert "Your time: 2:00. Enter:" in _near(await ada.sees())
        await trio.sleep(70)
        assert "60 s left." in _near(await ada.sees())
        assert "Ada 50 s left, and it runs Bob 2:00 left" in await bob.types("clock")
        await trio.sleep(45)
        assert "30 s left." in await ada.sees()
        await trio.sleep(10)

        assert "You win! Bob wins: clock out." in await bob.sees()
        assert "10 s left." in ada.shown


def _near(told: str) -> str:
    return told.replace("1:59", "2:00").replace("1:00 left", "60 s left")


async def test_what_the_clock_decided_is_asked_no_more() -> None:
    """Where running out takes the question's default."""
    async with open_rig() as rig, two_players(rig.listener, clock="20,default") as (ada, bob):
        await trio.sleep(25)
        assert "Waiting for another player." in await ada.types("2")
        assert "you taken 1" in await ada.types("table")
        assert "How many do you take?" in await bob.sees()


async def test_a_table_without_a_clock() -> None:
    """Nobody's time is counted."""
    async with open_games() as listener, two_players(listener) as (ada, _):
        assert "Nobody's time is counted" in await ada.types("clock")


# ---------------------------------------------------------------- who one is, and what one keeps


def test_a_token_comes_from_a_file_or_the_environment(tmp_path: Path) -> None:
    """And from nowhere else; a file that holds none is told."""
    file = tmp_path / "token"
    file.write_text("a.b.c\n")

    assert wire_options.read_token(file, {"LONGFUSE_TOKEN": "x.y.z"}) == "a.b.c"
    assert wire_options.read_token(None, {"LONGFUSE_TOKEN": "x.y.z"}) == "x.y.z"
    assert wire_options.read_token(None, {}) == ""
    for wrong in ("", "two tokens", "t\u00f6ken"):
        file.write_text(wrong)
        with pytest.raises(CommandError, match="--token: "):
            wire_options.read_token(file, {})
    with pytest.raises(CommandError, match="No such file"):
        wire_options.read_token(tmp_path / "none", {})


async def test_a_token_that_the_server_does_not_take(tmp_path: Path) -> None:
    """The command ends with the server's reason."""
    file = tmp_path / "token"
    file.write_text("a.b.c")
    async with open_games() as listener:
        ada = Player(listener, token=file)
        await ada.play()

    assert ada.code == 2
    assert "no connection: the server refuses" in await ada.sees()


def only_file(folder: Path) -> bytes:
    (path,) = folder.iterdir()
    return path.read_bytes()


async def test_a_player_with_a_token(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Has the name that it gives, and is no guest; the environment does as well as a file."""
    secret, public, token = (tmp_path / name for name in ("secret", "public", "token"))
    main(["token", "key", "--kid", "k", "--file", str(secret)])
    capsys.readouterr()
    main(["token", "public", "--file", str(secret)])
    public.write_text(capsys.readouterr().out)
    signed = ["--kid", "k", "--sub", "42", "--name", "Ann", "--audience", "cards.example"]
    main(["token", "sign", "--file", str(secret), *signed])
    token.write_text(capsys.readouterr().out)
    settings = {"token_keys": str(public), "token_audience": "cards.example"}
    async with open_games(**settings) as listener, two_players(listener, token=token) as (ann, bob):
        assert "You are Ann there." in ann.shown
        assert "Ann, Bob." in await bob.sees()
        monkeypatch.setenv("LONGFUSE_TOKEN", token.read_text())
        again = Player(listener, table="none")
        await again.play()
        assert "You are Ann there." in again.shown


async def test_receipts_are_kept(tmp_path: Path) -> None:
    """One for each game, complete with the server's secret."""
    async with open_rig() as rig, two_players(rig.listener, receipts=tmp_path) as (ada, bob):
        await bob.types("concede", "concede")
        await ada.sees()

    kept = receipts.read(only_file(tmp_path))
    assert kept.check_end() == ()
    assert kept.nonce
    assert kept.over is not None
