"""A client's part in fair shuffles: what it answers, what it finds wrong, what it keeps."""

import itertools
import stat

import pytest
import trio
import trio.testing

from longfuse_protocol import messages as m
from longfuse_protocol import receipts
from longfuse_protocol.client import ShuffleDoubted
from longfuse_protocol.client_shuffles import RECEIPTS_MAX, Shuffles
from longfuse_protocol.shuffles import commitment_of, nonce_hash
from protocol.scripted import PLACE, door, frame, snapshot
from support.listening import until

SECRET = bytes(range(32))
MINE, THEIRS = "11" * 32, "22" * 32
TABLE = {"counter": 7, "game": "t.1", "ruleset": "toy", "rules_version": "1", "decks": ("a", "b")}
COMMITTED = m.Commitment(commitment=commitment_of(SECRET, **TABLE), until_ms=0, **TABLE)
OTHER = m.Commitment(commitment=commitment_of(SECRET[::-1], **TABLE), until_ms=0, **TABLE)
HASH = nonce_hash("t.1", 0, COMMITTED.commitment, MINE)
HASHES = m.NonceHashes(
    game="t.1",
    hashes=(HASH, nonce_hash("t.1", 1, COMMITTED.commitment, THEIRS)),
    commitments=(COMMITTED.commitment,) * 2,
    until_ms=0,
)
NONCES = m.Nonces(game="t.1", nonces=(MINE, THEIRS))
REVEALED = m.Revealed(game="t.1", secret=SECRET.hex())
OVER = m.Over(n=1, winner=0, reason="x")


def entropy(count):
    """Give the bytes that the nonce here is made of."""
    return b"\x11" * count


def heard(*told, folder=None):
    """Return shuffles that have heard this at seat 0, with each answer and what was wrong."""
    shuffles = Shuffles(entropy, folder)
    return shuffles, [shuffles.hear(one, 0) for one in told]


def test_an_honest_shuffle():
    """The commitment is answered with the hash, the hashes with the nonce, and nothing is wrong."""
    shuffles, answers = heard(COMMITTED, HASHES, NONCES, REVEALED)

    assert answers == [
        (m.NonceHash(game="t.1", commitment=COMMITTED.commitment, hash=HASH), ()),
        (m.Nonce(game="t.1", nonce=MINE), ()),
        (None, ()),
        (None, ()),
    ]
    assert shuffles.receipts["t.1"].secret == SECRET.hex()


def test_the_same_again():
    """A step that is told again, after a resume, gets the same answer and no other nonce."""
    drawn = itertools.count(1)
    shuffles = Shuffles(lambda count: bytes([next(drawn)]) * count, None)
    first = shuffles.hear(COMMITTED, 0)

    assert shuffles.hear(COMMITTED, 0) == first
    assert next(drawn) == 2


def test_two_commitments():
    """A second, other commitment to one game gets no answer."""
    _, answers = heard(COMMITTED, OTHER)

    assert answers[1][0] is None
    assert "differently" in answers[1][1][0]


def test_the_nonce_stays_closed_where_something_is_wrong():
    """Where another seat saw another commitment, or the hash is not this client's, it is kept."""
    elsewhere = m.NonceHashes(
        game="t.1",
        hashes=HASHES.hashes,
        commitments=(COMMITTED.commitment, OTHER.commitment),
        until_ms=0,
    )
    foreign = m.NonceHashes(
        game="t.1", hashes=HASHES.hashes[::-1], commitments=HASHES.commitments, until_ms=0
    )
    for wrong in (elsewhere, foreign):
        _, answers = heard(COMMITTED, wrong)

        assert answers[1][0] is None
        assert len(answers[1][1]) == 1


def test_a_wrong_secret():
    """A secret that is not the one that was committed to is found."""
    _, answers = heard(COMMITTED, HASHES, NONCES, m.Revealed(game="t.1", secret="00" * 32))

    assert "not the one that the server committed to" in answers[-1][1][0]


def test_a_shuffle_that_began_without_this_client():
    """Of a game whose commitment was not heard nothing is answered and nothing kept."""
    shuffles, answers = heard(HASHES, NONCES, REVEALED)

    assert answers == [(None, ())] * 3
    assert shuffles.receipts == {}


def test_receipts_are_bounded():
    """The oldest receipts go first."""
    shuffles = Shuffles(entropy, None)
    for number in range(RECEIPTS_MAX + 3):
        table = TABLE | {"game": f"t.{number}"}
        told = m.Commitment(commitment=commitment_of(SECRET, **table), until_ms=0, **table)
        shuffles.hear(told, 0)

    assert list(shuffles.receipts) == [f"t.{number}" for number in range(3, RECEIPTS_MAX + 3)]


def test_frames_belong_to_the_game_that_is_played():
    """Digests are noted from the nonces to the game's end, and no longer."""
    shuffles, _ = heard(COMMITTED, HASHES)
    frames = [frame(n, {"a": {"n": n}}, {"a": {"n": n}}) for n in range(1, 5)]
    shuffles.follow(frames[0])
    shuffles.hear(NONCES, 0)
    shuffles.follow(frames[1])
    shuffles.resume("t.1")
    shuffles.follow(frames[2])
    shuffles.follow(OVER)
    shuffles.follow(frames[3])
    receipt = shuffles.receipts["t.1"]

    assert receipt.frames == {frames[1].n: frames[1].digest, frames[2].n: frames[2].digest}
    assert receipt.over == OVER


def test_another_game_after_a_resume():
    """Where another game is played after a resume, the receipt before is done with."""
    shuffles, _ = heard(COMMITTED, HASHES, NONCES)
    shuffles.resume("t.2")
    shuffles.follow(OVER)

    assert shuffles.receipts["t.1"].over is None


def test_kept_in_a_folder(tmp_path):
    """The receipt is written when the game begins and when it ends, for its owner's eyes only."""
    shuffles, _ = heard(COMMITTED, HASHES, NONCES, folder=tmp_path / "mine")
    (path,) = (tmp_path / "mine").iterdir()
    begun = receipts.read(path.read_bytes())
    shuffles.follow(OVER)
    over = receipts.read(path.read_bytes())
    shuffles.hear(REVEALED, 0)
    revealed = receipts.read(path.read_bytes())

    assert path.name == "t.1.seat0.receipt.json"
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert (begun.nonces, begun.over, over.over) == (NONCES.nonces, None, OVER)
    assert revealed == shuffles.receipts["t.1"]
    assert revealed.check_end() == ()


@pytest.mark.parametrize(
    "game", ["../../up", "/etc/passwd", ".hidden", "a\x00b", "x" * 500, "龍" * 90]
)
def test_a_game_s_name_leads_nowhere_else(tmp_path, game):
    """However a server calls a game, its receipt stays in the folder."""
    shuffles = Shuffles(entropy, tmp_path)
    table = TABLE | {"game": game}
    told = m.Commitment(commitment=commitment_of(SECRET, **table), until_ms=0, **table)
    shuffles.hear(told, 0)
    _, wrong = shuffles.hear(m.Revealed(game=game, secret=SECRET.hex()), 0)

    assert wrong == ()
    assert len(list(tmp_path.iterdir())) == 1


def test_what_was_kept_is_written_over_by_nobody(tmp_path):
    """A server that names an old game again, to another client program, spoils no evidence."""
    heard(COMMITTED, HASHES, NONCES, folder=tmp_path)
    [kept] = tmp_path.iterdir()
    content = kept.read_bytes()
    heard(OTHER, HASHES, REVEALED, folder=tmp_path)

    assert kept.read_bytes() == content
    assert len(list(tmp_path.iterdir())) == 2


def test_a_folder_that_takes_nothing(tmp_path):
    """A receipt that cannot be written is told, and the game goes on."""
    shuffles, _ = heard(COMMITTED, HASHES, folder=tmp_path / "mine")
    (tmp_path / "mine").rmdir()
    answer, wrong = shuffles.hear(NONCES, 0)

    assert answer is None
    assert "could not be kept" in wrong[0]


# ---------------------------------------------------------------- in a client


async def test_the_client_does_it_by_itself(tmp_path):
    """A client answers the steps, across a drop, and keeps the receipt with what it has seen."""
    steps = []

    async def before(self):
        await self.seat()
        await self.tell(COMMITTED)
        steps.append(await self.hear())
        await self.break_off()

    async def after(self):
        await self.resume()
        await self.tell(COMMITTED)
        steps.append(await self.hear())
        await self.tell(HASHES)
        steps.append(await self.hear())
        await self.tell(NONCES, frame(1, {"a": {}}, {"a": {}}), OVER, REVEALED)
        await trio.sleep_forever()

    async with (
        door(before, after) as here,
        here.client(entropy=entropy, receipts=tmp_path) as ada,
    ):
        await ada.join("t")
        await until(ada, m.Revealed)
        receipt = ada.receipts["t.1"]

    assert [type(step) for step in steps] == [m.NonceHash, m.NonceHash, m.Nonce]
    assert steps[0] == steps[1]
    assert receipt.check_end() == ()
    assert (list(receipt.frames), receipt.over) == ([1], OVER)
    assert len(list(tmp_path.iterdir())) == 1


async def test_what_came_whole_is_in_the_receipt_too():
    """After a gap that is too old, the view's digest is noted as that of its last frame."""
    whole = snapshot(5, {"a": {}, "b": {}})

    async def before(self):
        await self.seat()
        await self.tell(COMMITTED)
        await self.hear()
        await self.tell(HASHES)
        await self.hear()
        await self.tell(NONCES, frame(1, {"a": {}}, {"a": {}}))
        await self.break_off()

    async def after(self):
        await self.resume()
        await self.tell(whole, frame(6, {"b": None}, {"a": {}}), OVER)
        await trio.sleep_forever()

    async with door(before, after) as here, here.client(entropy=entropy) as ada:
        await ada.join("t")
        await until(ada, m.Over)
        receipt = ada.receipts["t.1"]

    assert list(receipt.frames) == [1, 5, 6]
    assert receipt.frames[5] == whole.digest


async def test_the_client_tells_what_is_wrong():
    """A doubt is told as an event, and the nonce is not opened."""
    steps = []

    async def script(self):
        await self.seat()
        await self.tell(COMMITTED)
        steps.append(await self.hear())
        await self.tell(OTHER, HASHES)
        with trio.move_on_after(100):
            steps.append(await self.hear())
        await trio.sleep_forever()

    async with door(script) as here, here.client(entropy=entropy) as ada:
        await ada.join("t")
        doubt = await until(ada, ShuffleDoubted)
        await trio.sleep(200)

    assert doubt.game == "t.1"
    assert [type(step) for step in steps] == [m.NonceHash]


@pytest.mark.parametrize("who", ["spectator", "shuffles off"])
async def test_who_takes_no_part(who):
    """A spectator, and a client that was told so, answers nothing and keeps nothing."""
    steps = []
    place = m.Place(info=PLACE.info, seat=None if who == "spectator" else 0, stream="t/x")

    async def script(self):
        await self.welcome()
        command = await self.hear()
        await self.tell(m.Joined(place=place), m.Answered(command=command.command, ok=True))
        await self.tell(COMMITTED)
        with trio.move_on_after(100):
            steps.append(await self.hear())
        await trio.sleep_forever()

    async with door(script) as here, here.client(shuffles=who == "spectator") as ada:
        await ada.spectate("t")
        await until(ada, m.Commitment)
        await trio.sleep(200)

        assert (steps, dict(ada.receipts)) == ([], {})
