"""Fairly shuffled games as they are saved, alone and against the receipts of those who played."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest

from journal.games import header, journal_lines, use_toy, write
from journal.shuffled import SECRET, dealt, shuffle
from longfuse.game.randomness import below, shuffled
from longfuse.journal.format import (
    BadLine,
    Chain,
    End,
    Entered,
    Header,
    Line,
    SeatLine,
    Transcript,
    key_of,
    transcript_of,
)
from longfuse.journal.verify import Verdict, verify
from longfuse_protocol.receipts import Receipt

OTHER_SECRET = bytes(range(32))


@pytest.fixture(autouse=True)
def toy(monkeypatch: pytest.MonkeyPatch) -> None:
    """The toy is what is played here."""
    use_toy(monkeypatch)


def in_header(**fields: object) -> Callable[[Line], Line]:
    """Change fields of the transcript, or of the header itself, and leave all other lines."""

    def change(line: Line) -> Line:
        if not isinstance(line, Header):
            return line
        own = {name: value for name, value in fields.items() if hasattr(line, name)}
        told = {name: value for name, value in fields.items() if name not in own}
        drawn = msgspec.structs.replace(line.randomness, **told)
        return msgspec.structs.replace(line, randomness=drawn, **own)

    return change


def in_end(**fields: object) -> Callable[[Line], Line]:
    """Change fields of the end."""
    return lambda line: msgspec.structs.replace(line, **fields) if isinstance(line, End) else line


HONEST = dealt()
DRAWN = HONEST.lines[0].randomness
assert isinstance(DRAWN, Transcript)


# ---------------------------------------------------------------- a saved game alone


def test_a_fairly_shuffled_game_comes_out_the_same(tmp_path: Path) -> None:
    """The secret in its end is all that was missing."""
    verdict = verify(write(tmp_path / "a", HONEST.sealed()))

    assert verdict.finding is None
    assert verdict.is_same
    assert verdict.entries == len(HONEST.lines) - 2


def test_a_running_game_s_file_does_not_tell_what_comes(tmp_path: Path) -> None:
    """Nothing in a backup of it is the secret, and nobody can play it on without."""
    lines = HONEST.sealed()[:-1]
    content = b"".join(lines)

    finding = verify(write(tmp_path / "a", lines), unfinished=True).finding

    assert finding is not None
    assert "has not been revealed" in finding.reason
    assert SECRET.hex().encode() not in content
    key = key_of(*ends(HONEST.lines))
    assert key.hex().encode() not in content


def ends(lines: list[Line]) -> tuple[Header, End]:
    first, last = lines[0], lines[-1]
    assert isinstance(first, Header)
    assert isinstance(last, End)
    return first, last


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (in_end(secret="xyz"), "not written in hexadecimal"),
        (in_end(secret="00" * 31), "a secret has 32 bytes, not 31"),
        (in_end(secret=OTHER_SECRET.hex()), "the secret does not open the commitment"),
        (in_end(secret=""), "has not been revealed"),
        (in_header(counter=8), "the secret does not open the commitment"),
        (in_header(game="t1-2"), "the secret does not open the commitment"),
        (in_header(decks=DRAWN.decks[::-1]), "the secret does not open the commitment"),
        (in_header(nonces=("11" * 32, "23" * 32)), "the nonce of seat 1 does not open its hash"),
        (in_header(nonces=("11" * 32, "")), "the nonce of seat 1 does not open its hash"),
        (in_header(hashes=("", DRAWN.hashes[1])), "the nonce of seat 0 does not open its hash"),
        (in_header(hashes=DRAWN.hashes[:1]), "its shuffle has 1 hashes for 2 seats"),
        (in_header(domain="mine"), "it was shuffled by 'mine'"),
        (
            in_header(seats=(SeatLine("Ada", "large"), SeatLine("Bo", "large"))),
            "the deck of seat 0 is not the one that was shuffled",
        ),
    ],
)
def test_parts_that_do_not_belong_together_are_found(
    tmp_path: Path, change: Callable[[Line], Line], reason: str
) -> None:
    """Secret, commitment, hashes, nonces and decks hold each other fast."""
    finding = verify(write(tmp_path / "a", HONEST.sealed(change))).finding

    assert finding is not None
    assert reason in finding.reason
    assert SECRET.hex() not in finding.reason


def test_a_key_comes_from_a_secret_told_elsewhere() -> None:
    """Of an aborted game its players have it, and the file has no end."""
    first, end = ends(HONEST.lines)

    assert key_of(first, None, SECRET.hex()) == key_of(first, end)
    with pytest.raises(BadLine, match="does not open the commitment"):
        key_of(first, None, OTHER_SECRET.hex())
    with pytest.raises(BadLine, match="not been revealed"):
        key_of(first, None)


# ---------------------------------------------------------------- against receipts


def against(
    path: Path, lines: list[bytes], receipt: Receipt, *, unfinished: bool = False
) -> Verdict:
    """Verify a saved game with a receipt."""
    return verify(write(path / "a", lines), receipt=receipt, unfinished=unfinished)


@pytest.mark.parametrize("seat", [0, 1])
def test_an_honest_game_is_the_receipt_s(tmp_path: Path, seat: int) -> None:
    """For both players, with every frame that they have seen."""
    receipt = HONEST.receipts[seat]

    verdict = against(tmp_path, HONEST.sealed(), receipt)

    assert verdict.is_same
    assert len(receipt.frames) > 10


@pytest.mark.parametrize("takes_part", [(True, False), (False, True), (False, False)])
def test_a_game_with_seats_that_take_no_part(tmp_path: Path, takes_part: tuple[bool, bool]) -> None:
    """Their receipts hold as well."""
    played = dealt(takes_part=takes_part)

    for receipt in played.receipts:
        assert against(tmp_path, played.sealed(), receipt).differences == ()


def test_the_second_game_of_a_match_is_the_receipt_s(tmp_path: Path) -> None:
    """Its frames go on counting where the first game's ended."""
    played = dealt(frames_before=40)

    assert min(played.receipts[0].frames) == 41
    assert against(tmp_path, played.sealed(), played.receipts[0]).is_same


def test_a_game_that_was_shuffled_anew_is_not_the_receipt_s(tmp_path: Path) -> None:
    """Another secret, all of one piece: only what a player has kept tells it from the first."""
    rewritten = dealt(secret=OTHER_SECRET).sealed()
    assert verify(write(tmp_path / "b", rewritten)).is_same

    found = against(tmp_path, rewritten, HONEST.receipts[0]).differences

    assert any(one.startswith("Commitment: the receipt has") for one in found)
    assert "The secret of the saved game does not open the commitment of the receipt." in found
    assert found[-1].startswith("Game frame ")


@pytest.mark.parametrize("secret", ["xyz", OTHER_SECRET.hex()])
def test_a_secret_that_opens_nothing_is_told(tmp_path: Path, secret: str) -> None:
    """Whatever the file has in its place."""
    verdict = against(tmp_path, HONEST.sealed(in_end(secret=secret)), HONEST.receipts[0])

    assert verdict.finding is not None
    assert verdict.differences == (
        "The secret of the saved game is not the one that was revealed to this seat.",
        "The secret of the saved game does not open the commitment of the receipt.",
    )


def test_moves_that_were_written_anew_are_found(tmp_path: Path) -> None:
    """Shuffle and secret are right, the other's moves are not: the first frame that differs."""
    rewritten = dealt("2").sealed()
    assert verify(write(tmp_path / "b", rewritten)).is_same

    found = against(tmp_path, rewritten, HONEST.receipts[1]).differences

    assert found[-1].startswith("Game frame ")
    assert "the saved game gives" in found[-1]


def test_a_game_that_was_cut_short_is_found(tmp_path: Path) -> None:
    """And given another end."""
    rewritten = dealt(entries=5).sealed()
    assert verify(write(tmp_path / "b", rewritten)).is_same

    found = against(tmp_path, rewritten, HONEST.receipts[1]).differences

    assert any("'conceded'" in one for one in found)
    assert any("the saved game stops at frame" in one for one in found)


def test_a_game_from_a_seed_is_not_the_receipt_s(tmp_path: Path) -> None:
    """Nobody was bound to anything."""
    found = against(tmp_path, journal_lines(), HONEST.receipts[0]).differences

    assert found[0] == "The saved game is drawn from a seed: it is not the game of this receipt."


@pytest.mark.parametrize(
    ("fields", "sentence"),
    [
        ({"game": "t2-1"}, "Game: the receipt has t2-1, the saved game t1-1."),
        ({"counter": 6}, "Counter: the receipt has 6, the saved game 7."),
        ({"ruleset": "top"}, "Ruleset: the receipt has top, the saved game toy."),
        ({"rules_version": "0"}, "Rules version: the receipt has 0, the saved game toy 1."),
        (
            {"decks": (DRAWN.decks[0], "ab")},
            f"Digest of the deck of seat 1: the receipt has ab, the saved game {DRAWN.decks[1]}.",
        ),
        (
            {"hashes": (DRAWN.hashes[0], "ab")},
            f"Hash of seat 1: the receipt has ab, the saved game {DRAWN.hashes[1]}.",
        ),
        (
            {"nonces": (DRAWN.nonces[0], "")},
            f"Nonce of seat 1: the receipt has none, the saved game {DRAWN.nonces[1]}.",
        ),
        ({"nonce": "ab"}, f"Own nonce: the receipt has ab, the saved game {DRAWN.nonces[0]}."),
        ({"seat": 5}, "The commitment is about 2 decks; this is seat 5."),
        (
            {"secret": OTHER_SECRET.hex()},
            "The secret of the saved game is not the one that was revealed to this seat.",
        ),
    ],
)
def test_each_difference_is_named(tmp_path: Path, fields: dict[str, object], sentence: str) -> None:
    """With both values."""
    receipt = msgspec.structs.replace(HONEST.receipts[0], **fields)

    assert sentence in against(tmp_path, HONEST.sealed(), receipt).differences


def test_a_player_who_was_cut_off_can_check_all_the_same(tmp_path: Path) -> None:
    """What never came is not a difference: own nonce and commitment decide."""
    _, (receipt, _) = shuffle()
    early = msgspec.structs.replace(receipt, hashes=(), commitments=(), nonces=())

    assert against(tmp_path, HONEST.sealed(), early).is_same
    forged = msgspec.structs.replace(early, nonce="ab" * 32)
    assert not against(tmp_path, HONEST.sealed(), forged).is_same


def test_an_aborted_game_is_played_with_the_secret_of_the_receipt(tmp_path: Path) -> None:
    """Its file has no end; the reveal has reached the player."""
    receipt = msgspec.structs.replace(HONEST.receipts[0], over=None)
    lines = HONEST.sealed()[:-1]

    assert against(tmp_path, lines, receipt, unfinished=True).is_same
    silent = msgspec.structs.replace(receipt, secret="")
    found = against(tmp_path, lines, silent, unfinished=True)
    assert "The secret of game 7 of the server has not been revealed." in found.differences
    assert found.finding is not None


def test_a_server_that_stopped_before_it_wrote_the_end_has_kept_the_game(tmp_path: Path) -> None:
    """The last entry is what ends a game, and players were told; without it, it is not theirs."""
    lines = HONEST.sealed()[:-1]

    assert against(tmp_path, lines, HONEST.receipts[0], unfinished=True).is_same
    short = against(tmp_path, lines[:-1], HONEST.receipts[0], unfinished=True)
    assert "The game of the receipt is over; the saved game is not." in short.differences


def test_what_is_wrong_with_the_file_is_told_beside_the_receipt(tmp_path: Path) -> None:
    """Altered states and cut files are findings still, and no reason to compare nothing."""

    def change(line: Line) -> Line:
        if isinstance(line, Entered) and line.n == 2:
            return msgspec.structs.replace(line, state="0" * 32)
        return line

    receipt = msgspec.structs.replace(HONEST.receipts[0], counter=6)
    altered = against(tmp_path, HONEST.sealed(change), receipt)
    cut = against(tmp_path, HONEST.sealed()[:-1], receipt)
    torn = against(tmp_path, [HONEST.sealed()[0][:-5]], receipt)

    assert altered.finding is not None
    assert cut.finding is not None
    assert (altered.finding.kind, altered.finding.entry) == ("game", 2)
    assert cut.finding.kind == "journal"
    assert "Counter: the receipt has 6, the saved game 7." in altered.differences
    assert cut.differences
    assert torn.finding is not None
    assert not torn.is_same


def test_a_seed_has_no_transcript() -> None:
    """Tests, demonstrations and load need no fairness."""
    assert transcript_of(header()) is None
    assert key_of(header(), None) == key_of(header(), None, SECRET.hex())


def test_a_player_can_draw_what_the_game_has_drawn() -> None:
    """With the recipe alone: the receipt's key gives the order of the own deck."""
    receipt = HONEST.receipts[0]
    first, end = ends(HONEST.lines)

    assert receipt.key() == key_of(first, end)
    order, counter = shuffled(receipt.key(), range(12), "shuffle", "0", 0)
    again = list(range(12))
    for number, last in enumerate(range(11, 0, -1)):
        other = below(receipt.key(), last + 1, "shuffle", "0", number)
        again[last], again[other] = again[other], again[last]
    assert list(order) == again
    assert counter == 11


def test_a_saved_transcript_reads_back() -> None:
    """With ruleset and rules version from the header beside it."""
    machine, _ = shuffle()
    first, _ = ends(HONEST.lines)

    assert transcript_of(first) == machine.transcript
    assert Chain().seal(first).count(machine.transcript.commitment.encode()) == 1
