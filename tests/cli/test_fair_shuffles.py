"""What players and operators can check of shuffles: `verify --receipt`, and `shuffles`."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest

from journal.games import journal_lines, use_toy, write
from journal.shuffled import SECRET, Dealt, dealt
from longfuse.cli import main
from longfuse.host.secret_ledger import open_ledger
from longfuse_protocol import receipts

Runs = Callable[..., tuple[int, str, str]]


@pytest.fixture(autouse=True)
def toy(monkeypatch: pytest.MonkeyPatch) -> None:
    """The toy is what is played here."""
    use_toy(monkeypatch)


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Runs:
    """Run a command: its code, and what it printed on both streams."""

    def call(*argv: object) -> tuple[int, str, str]:
        code = main([str(word) for word in argv])
        out, err = capsys.readouterr()
        return code, out, err

    return call


def files(folder: Path, played: Dealt, seat: int = 0, **changed: object) -> tuple[Path, Path]:
    """A saved game, and a player's receipt with changes."""
    receipt = folder / "receipt.json"
    receipt.write_bytes(receipts.written(msgspec.structs.replace(played.receipts[seat], **changed)))
    return write(folder / "game.jsonl", played.sealed()), receipt


# ---------------------------------------------------------------- verify


def test_a_game_is_verified_against_a_receipt(tmp_path: Path, run: Runs) -> None:
    """Code 0, in words and as an object."""
    game, receipt = files(tmp_path, dealt())

    code, out, _ = run("verify", game, "--receipt", receipt)
    told = json.loads(run("verify", game, "--receipt", receipt, "--json")[1])

    assert code == 0
    assert "it is the game of seat 0 (P1)'s receipt" in out
    assert "itself" not in out
    assert (told["same"], told["against"], told["differences"]) == (True, str(receipt), [])


def test_seats_without_a_nonce_are_named(tmp_path: Path, run: Runs) -> None:
    """Their luck was the server's alone."""
    game, receipt = files(tmp_path, dealt(takes_part=(True, False)))

    code, out, _ = run("verify", game, "--receipt", receipt)

    assert code == 0
    assert "without a nonce of their own: seat 1 (P2)" in out


def test_another_game_than_the_receipt_s_is_told(tmp_path: Path, run: Runs) -> None:
    """Code 1, with each difference, though the file is sound."""
    game, receipt = files(tmp_path, dealt(), commitment="ab" * 32)

    code, out, _ = run("verify", game, "--receipt", receipt)
    ran = run("verify", game, "--receipt", receipt, "--json")

    assert code == ran[0] == 1
    assert f"Commitment: the receipt has {'ab' * 32}, the saved game " in out
    told = json.loads(ran[1])
    assert (told["same"], told["finding"]) == (False, None)
    assert told["differences"]


def test_without_a_receipt_a_game_agrees_with_itself_only(tmp_path: Path, run: Runs) -> None:
    """And that is what is said."""
    game, _ = files(tmp_path, dealt())

    code, out, _ = run("verify", game)

    assert code == 0
    assert "consistent with itself only" in out
    assert json.loads(run("verify", game, "--json")[1])["against"] == "itself"


def test_a_sound_game_from_a_seed_is_no_player_s(tmp_path: Path, run: Runs) -> None:
    """A demonstration can't pass for a game between people."""
    _, receipt = files(tmp_path, dealt())
    seeded = write(tmp_path / "seeded.jsonl", journal_lines())

    code, out, _ = run("verify", seeded, "--receipt", receipt)

    assert code == 1
    assert "drawn from a seed" in out


def test_an_aborted_game_is_verified_with_a_secret_told_elsewhere(
    tmp_path: Path, run: Runs
) -> None:
    """By the operator: neither the file nor the receipt has it."""
    game, receipt = files(tmp_path, dealt(), secret="", over=None)
    game.write_bytes(b"".join(game.read_bytes().splitlines(keepends=True)[:-1]))
    told = ("--secret", SECRET.hex())

    assert run("verify", game, "--unfinished")[0] == 1
    assert run("verify", game, "--unfinished", *told)[0] == 0
    assert run("verify", game, "--unfinished", *told, "--receipt", receipt)[0] == 0
    wrong = ("--secret", "00" * 32)
    code, out, _ = run("verify", game, "--unfinished", *wrong, "--receipt", receipt)
    assert code == 1
    assert "the secret does not open the commitment" in out


def test_what_is_no_receipt_is_told(tmp_path: Path, run: Runs) -> None:
    """With code 2: nothing was verified."""
    game, receipt = files(tmp_path, dealt())
    assert run("verify", game, "--receipt", tmp_path / "none")[0] == 2
    receipt.write_text("{}")

    code, out, err = run("verify", game, "--receipt", receipt)

    assert (code, out) == (2, "")
    assert "receipt.json: this is no receipt" in err


# ---------------------------------------------------------------- shuffles


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """A data folder: one game over, one aborted, one open."""
    with open_ledger(tmp_path) as ledger:
        for game in ("a-1", "b-1", "c-1"):
            ledger.open(game)
        ledger.end("a-1", "over")
        ledger.end("b-1", "aborted: seat 1 was late")
    return tmp_path


def ledger_lines(data: Path) -> list[str]:
    return (data / "secrets" / "ledger.jsonl").read_text().splitlines(keepends=True)


def test_shuffles_are_listed_with_their_ends(data: Path, run: Runs) -> None:
    """Aborted games too, and no secret of any."""
    code, out, _ = run("shuffles", data)
    ran = run("shuffles", data, "--json")

    assert code == ran[0] == 0
    lines = out.splitlines()
    assert "a-1  over (" in lines[0]
    assert "b-1  aborted: seat 1 was late (" in lines[1]
    assert lines[2].endswith("c-1  open")
    assert lines[3] == "3 shuffles, 2 ended"
    told = json.loads(ran[1])
    assert [(one["counter"], one["why"]) for one in told["shuffles"]] == [
        (1, "over"),
        (2, "aborted: seat 1 was late"),
        (3, ""),
    ]
    secrets = [json.loads(line).get("secret") for line in ledger_lines(data)]
    assert len([secret for secret in secrets if secret]) == 3
    assert not any(secret in out + ran[1] for secret in secrets if secret)


def test_times_that_were_altered_are_told_as_they_are(data: Path, run: Runs) -> None:
    """A time that no calendar has ends no listing; nor does a game's name write on the terminal."""
    first, *others = ledger_lines(data)
    strange = json.loads(first) | {"at_ms": 2**62, "game": "a\x1b[2J"}
    told = [json.dumps(strange) + "\n", *others]
    (data / "secrets" / "ledger.jsonl").write_text("".join(told))

    code, out, _ = run("shuffles", data)

    assert code == 0
    assert f"{2**62} ms  a [2J  over" in out


def test_a_hole_in_the_count_is_told(data: Path, run: Runs) -> None:
    """With code 1."""
    lines = [line for line in ledger_lines(data) if '"counter":2' not in line]
    (data / "secrets" / "ledger.jsonl").write_text("".join(lines))

    code, out, _ = run("shuffles", data)

    assert code == 1
    assert "There is no 2: that is a hole in the count." in out
    assert json.loads(run("shuffles", data, "--json")[1])["wrong"]


def test_the_secret_of_a_game_that_has_ended_is_told(data: Path, run: Runs) -> None:
    """For its players, if the reveal has not reached them; that of an open game is not."""
    secrets = {
        line["game"]: line["secret"]
        for line in map(json.loads, ledger_lines(data))
        if "game" in line
    }

    assert run("shuffles", data, "--secret", "b-1")[:2] == (0, secrets["b-1"] + "\n")
    told = json.loads(run("shuffles", data, "--secret", "b-1", "--json")[1])
    assert told == {"game": "b-1", "secret": secrets["b-1"]}
    for game in ("c-1", "d-1"):
        code, out, err = run("shuffles", data, "--secret", game)
        assert (code, out) == (1, "")
        assert "no secret is told" in err
        assert secrets["c-1"] not in err


def test_a_folder_without_shuffles_is_told(tmp_path: Path, run: Runs) -> None:
    """With code 2."""
    code, _, err = run("shuffles", tmp_path)

    assert code == 2
    assert f"{tmp_path}: this is no data folder of a server" in err
