"""The formulas of fair shuffles, and what a receipt finds wrong with a server."""

from __future__ import annotations

import json
import re
from hashlib import blake2b
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

import longfuse_protocol
from longfuse.game.randomness import below, shuffled
from longfuse_protocol import receipts, shuffles
from longfuse_protocol.client_shuffles import Shuffles
from longfuse_protocol.from_server import Commitment, Events, NonceHashes, Nonces, Over, Revealed
from longfuse_protocol.receipts import Receipt
from longfuse_protocol.shuffles import Transcript, commitment_of, deck_digest, key_of, nonce_hash

SECRET = bytes(range(32))
OTHER_SECRET = bytes(range(1, 33))
TABLE = {"counter": 7, "game": "t1-1", "ruleset": "toy", "rules_version": "toy 1"}
DECKS = ("small", ["a", "b"])
NONCES = ("11" * 32, "22" * 32)


def transcript(**changed: object) -> Transcript:
    """An honest transcript of two seats, with changes."""
    decks = tuple(deck_digest(SECRET, TABLE["game"], seat, d) for seat, d in enumerate(DECKS))
    commitment = commitment_of(SECRET, **TABLE, decks=decks)
    hashes = tuple(nonce_hash(TABLE["game"], s, commitment, n) for s, n in enumerate(NONCES))
    told = Transcript(**TABLE, decks=decks, commitment=commitment, hashes=hashes, nonces=NONCES)
    return msgspec.structs.replace(told, **changed)


HONEST = transcript()


# ---------------------------------------------------------------- the formulas


@pytest.mark.parametrize(
    "changed",
    [
        {"game": "t1-2"},
        {"counter": 8},
        {"ruleset": "top"},
        {"rules_version": "toy 2"},
        {"decks": HONEST.decks[::-1]},
        {"decks": HONEST.decks[:1]},
        {"commitment": "00" * 32},
        {"hashes": HONEST.hashes[::-1]},
        {"nonces": ("11" * 32, "23" * 32)},
        {"nonces": ("11" * 32, "")},
    ],
)
def test_the_key_depends_on_the_whole_transcript(changed: dict[str, object]) -> None:
    """Whatever anybody has seen changes it; so does the secret."""
    assert key_of(SECRET, transcript(**changed)) != key_of(SECRET, HONEST)
    assert key_of(OTHER_SECRET, HONEST) != key_of(SECRET, HONEST)


@pytest.mark.parametrize("field", ["counter", "game", "ruleset", "rules_version"])
def test_the_commitment_depends_on_the_table(field: str) -> None:
    """A commitment to one game is none to another."""
    value = 8 if field == "counter" else "other"

    changed = commitment_of(SECRET, **{**TABLE, field: value}, decks=HONEST.decks)

    assert changed != HONEST.commitment
    assert commitment_of(SECRET, **TABLE, decks=HONEST.decks) == HONEST.commitment
    assert commitment_of(SECRET, **TABLE, decks=HONEST.decks[:1]) != HONEST.commitment
    assert commitment_of(OTHER_SECRET, **TABLE, decks=HONEST.decks) != HONEST.commitment


def test_another_s_hash_is_of_no_use() -> None:
    """A seat that hands in the other's hash can't open it with the nonce that it hears."""
    copied = transcript(hashes=(HONEST.hashes[0],) * 2, nonces=(NONCES[0],) * 2)

    assert shuffles.opened_wrongly(HONEST) == ()
    assert shuffles.opened_wrongly(copied) == (1,)


def test_a_nonce_binds_to_the_commitment_that_was_seen() -> None:
    """Whoever saw another commitment cannot open the hash towards this one."""
    other = nonce_hash(TABLE["game"], 1, "ff" * 32, NONCES[1])

    assert shuffles.opened_wrongly(transcript(hashes=(HONEST.hashes[0], other))) == (1,)


def test_a_deck_can_t_be_guessed_from_its_digest() -> None:
    """The digest of a well-known deck is another in every game, seat and under every secret."""
    digests = {
        deck_digest(secret, game, seat, "small")
        for secret in (SECRET, OTHER_SECRET)
        for game in ("t1-1", "t1-2")
        for seat in (0, 1)
    }

    assert len(digests) == 8
    assert blake2b(b'"small"', digest_size=32).hexdigest() not in digests


def test_a_deck_s_digest_is_of_what_it_says() -> None:
    """Not of the order of keys, nor of how it is held in memory."""

    class Listed(msgspec.Struct):
        name: str
        cards: tuple[str, ...]

    held = Listed("Ö", ("a",))
    assert deck_digest(SECRET, "g", 0, held) == deck_digest(
        SECRET, "g", 0, {"cards": ["a"], "name": "Ö"}
    )
    assert deck_digest(SECRET, "g", 0, held) != deck_digest(
        SECRET, "g", 0, {"cards": ["b"], "name": "Ö"}
    )


@pytest.mark.parametrize("text", ["", "xyz", "00" * 31, "00" * 33, "5ec4e7" * 3])
def test_what_is_no_secret_is_told_without_naming_it(text: str) -> None:
    """Errors end in logs."""
    with pytest.raises(ValueError, match="secret") as caught:
        shuffles.secret_of(text)

    assert text == "" or text not in str(caught.value)
    assert caught.value.__cause__ is None


@given(st.lists(st.text(max_size=6), min_size=2, max_size=6), st.data())
def test_fields_can_t_run_into_each_other(fields: list[str], data: st.DataObject) -> None:
    """Two different lists of fields are never spelt alike."""
    others = data.draw(st.lists(st.text(max_size=6), max_size=6) | st.just(["".join(fields)]))

    spelt = shuffles._joined(*fields)

    assert (spelt == shuffles._joined(*others)) == (fields == others)


def test_a_seat_without_a_nonce_stands_as_none() -> None:
    """In the key's bytes, in place of its hash and of its nonce."""
    bot = transcript(hashes=(HONEST.hashes[0], ""), nonces=(NONCES[0], ""))

    assert shuffles.opened_wrongly(bot) == ()
    assert bot.encoded().count(b"\x00\x00\x00\x04none") == 2
    assert b"none" not in HONEST.encoded()


# ---------------------------------------------------------------- the page


PAGE = Path(longfuse_protocol.__file__).parents[1] / "SHUFFLES.md"


def vectors() -> dict[str, Any]:
    """The values that the page gives to test against."""
    (block,) = re.findall(r"```json\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
    loaded = json.loads(block)
    assert isinstance(loaded, dict)
    return loaded


def test_the_page_s_values_are_the_code_s() -> None:
    """Whoever writes a client in another language tests it against the page."""
    given = vectors()
    secret = bytes.fromhex(given["secret"])
    decks = tuple(
        deck_digest(secret, given["game"], seat, deck) for seat, deck in enumerate(given["decks"])
    )
    spelt = [msgspec.json.encode(deck, order="sorted").decode() for deck in given["decks"]]
    table = {name: given[name] for name in TABLE}
    commitment = commitment_of(secret, **table, decks=decks)
    hashes = tuple(
        nonce_hash(given["game"], seat, commitment, nonce) if nonce else ""
        for seat, nonce in enumerate(given["nonces"])
    )
    told = Transcript(
        **table, decks=decks, commitment=commitment, hashes=hashes, nonces=tuple(given["nonces"])
    )

    assert spelt == given["decks as hashed"]
    assert list(decks) == given["deck digests"]
    assert commitment == given["commitment"]
    assert list(hashes) == given["nonce hashes"]
    assert told.encoded().hex() == given["transcript"]
    assert key_of(secret, told).hex() == given["key"]


def program() -> dict[str, Any]:
    """The program on the page, which knows nothing of ours."""
    (block,) = re.findall(r"```python\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
    names: dict[str, Any] = {}
    exec(block, names)
    return names


def test_the_page_s_program_gives_its_values() -> None:
    """It is enough to check a game with."""
    given, page = vectors(), program()
    secret = bytes.fromhex(given["secret"])
    table = (given["counter"], given["game"], given["ruleset"], given["rules_version"])
    decks = [
        page["deck_digest"](secret, given["game"], seat, deck)
        for seat, deck in enumerate(given["decks as hashed"])
    ]
    commitment = page["commitment"](secret, *table, decks)
    hashes = [
        page["nonce_hash"](given["game"], seat, commitment, nonce) if nonce else ""
        for seat, nonce in enumerate(given["nonces"])
    ]
    transcript = page["transcript"](*table, decks, commitment, hashes, given["nonces"])

    assert (decks, commitment) == (given["deck digests"], given["commitment"])
    assert hashes == given["nonce hashes"]
    assert page["fields"](*transcript).hex() == given["transcript"]
    assert page["game_key"](secret, transcript).hex() == given["key"]


def test_the_page_s_draws_are_the_game_s() -> None:
    """Its program draws what the game draws; the values come from both."""
    given, page = vectors(), program()
    key = bytes.fromhex(given["key"])

    for drawn in given["draws"]:
        told = (key, drawn["purpose"], drawn["label"], drawn["counter"])
        limit, value = int(drawn["below"]), int(drawn["value"])
        assert below(told[0], limit, *told[1:]) == page["below"](limit, *told) == value
    for dealt in given["shuffles"]:
        cards, label = range(dealt["cards"]), dealt["label"]
        order, counter = page["shuffled"](cards, key, label, 0)
        assert (order, counter) == (dealt["order"], dealt["next counter"])
        assert shuffled(key, cards, "shuffle", label, 0) == (tuple(order), counter)


# ---------------------------------------------------------------- receipts


COMMITTED = Commitment(**TABLE, decks=HONEST.decks, commitment=HONEST.commitment, until_ms=1)
HASHED = NonceHashes(
    game="t1-1", hashes=HONEST.hashes, commitments=(HONEST.commitment,) * 2, until_ms=2
)
OPENED = Nonces(game="t1-1", nonces=NONCES)
FRAME = Events(n=1, events=[], changes={}, digest="aa", shared="bb")
REVEALED = Revealed(game="t1-1", secret=SECRET.hex())


def receipt(*told: receipts.Told, seat: int = 0) -> Receipt:
    """The receipt of a seat that was told this."""
    begun = Receipt.begin(seat, COMMITTED, NONCES[seat])
    for one in told:
        begun.take(one)
    return begun


@pytest.mark.parametrize("seat", [0, 1])
def test_an_honest_game_has_nothing_wrong(seat: int) -> None:
    """At no step, and everybody comes to the same key."""
    kept = receipt(seat=seat)
    assert kept.hash_message().hash == HONEST.hashes[seat]
    assert kept.hash_message().commitment == HONEST.commitment
    for told in (HASHED, OPENED, REVEALED):
        assert kept.check_start() == ()
        kept.take(told)

    assert kept.nonce_message().nonce == NONCES[seat]
    assert kept.check_end() == ()
    assert kept.key() == key_of(SECRET, HONEST)


def changed(message: msgspec.Struct, **fields: object) -> msgspec.Struct:
    return msgspec.structs.replace(message, **fields)


FORGED = nonce_hash("t1-1", 1, HONEST.commitment, "33" * 32)


@pytest.mark.parametrize(
    ("told", "sentence"),
    [
        (
            [changed(HASHED, commitments=(HONEST.commitment, "ff" * 32))],
            "Seat 1 saw another commitment: " + "ff" * 32,
        ),
        (
            [changed(HASHED, commitments=(HONEST.commitment, ""))],
            "Seat 1 saw another commitment: none",
        ),
        (
            [changed(HASHED, hashes=HONEST.hashes[::-1])],
            "The hash of this client's nonce is not that of seat 0",
        ),
        (
            [changed(HASHED, hashes=("", HONEST.hashes[1]))],
            "The hash of this client's nonce is not that of seat 0",
        ),
        ([changed(HASHED, hashes=HONEST.hashes[:1])], "There are 1 hashes for 2 seats"),
        ([changed(HASHED, commitments=())], "There are 0 commitments for 2 seats"),
        ([HASHED, changed(OPENED, nonces=())], None),
        ([HASHED, changed(OPENED, nonces=NONCES[:1])], "There are 1 nonces for 2 seats"),
        (
            [HASHED, changed(OPENED, nonces=("33" * 32, NONCES[1]))],
            "The nonce of seat 0 is not the one of this client",
        ),
        (
            [HASHED, changed(OPENED, nonces=(NONCES[0], "33" * 32))],
            "The nonce of seat 1 does not open its hash",
        ),
        (
            [HASHED, changed(OPENED, nonces=(NONCES[0], ""))],
            "The nonce of seat 1 does not open its hash",
        ),
        ([OPENED, HASHED], "sent the nonces before the hashes"),
        ([changed(COMMITTED, commitment="ff" * 32)], "differently the second time: commitment"),
        ([changed(COMMITTED, game="t1-2")], "the game t1-2 in place of t1-1"),
        (
            [HASHED, changed(HASHED, hashes=(HONEST.hashes[0], FORGED))],
            "differently the second time: hashes",
        ),
        (
            [HASHED, OPENED, changed(OPENED, nonces=(NONCES[0], "33" * 32))],
            "differently the second time: nonces",
        ),
    ],
)
def test_a_receipt_finds_what_is_wrong_at_the_start(
    told: list[receipts.Told], sentence: str | None
) -> None:
    """Different commitments, exchanged hashes, nonces that open nothing, second thoughts."""
    wrong = receipt(*told).check_start()

    if sentence is None:
        assert wrong == ()
    else:
        assert any(sentence in one for one in wrong)


@pytest.mark.parametrize(
    ("told", "sentence"),
    [
        ([HASHED, OPENED], "The secret of game 7 of the server has not been revealed"),
        (
            [HASHED, OPENED, changed(REVEALED, secret=OTHER_SECRET.hex())],
            "not the one that the server committed to",
        ),
        ([HASHED, OPENED, changed(REVEALED, secret="zz")], "no secret"),
        ([HASHED, FRAME, REVEALED], "The nonces of the seats were never told"),
        (
            [HASHED, OPENED, REVEALED, changed(REVEALED, secret=OTHER_SECRET.hex())],
            "differently the second time: secret",
        ),
    ],
)
def test_a_receipt_finds_what_is_wrong_at_the_end(told: list[receipts.Told], sentence: str) -> None:
    """A refused reveal, and a secret that was chosen after the nonces."""
    assert any(sentence in one for one in receipt(*told).check_end())


def test_a_shuffle_that_somebody_was_late_to_is_not_wrong() -> None:
    """No game began; what counts is that the secret is told."""
    assert receipt(HASHED, REVEALED).check_end() == ()
    assert receipt(REVEALED).check_end() == ()
    assert receipt(HASHED).check_end() != ()


def test_a_client_s_receipt_begins_behind_the_frames_of_earlier_games() -> None:
    """Frames count on through a match; those of the game itself are noted."""
    client = Shuffles(lambda count: bytes([0x11]) * count, None)

    answer, wrong = client.hear(COMMITTED, 0, 40)
    client.hear(HASHED, 0, 40)
    client.hear(OPENED, 0, 40)
    for n in (40, 41):
        client.follow(changed(FRAME, n=n))

    assert wrong == ()
    assert answer.hash == HONEST.hashes[0]
    assert client.receipts["t1-1"].frames_before == 40
    assert list(client.receipts["t1-1"].frames) == [41]


@pytest.mark.parametrize(
    ("lie", "sentence"),
    [
        (changed(HASHED, commitments=(HONEST.commitment, "ff" * 32)), "Seat 1 saw another"),
        (changed(HASHED, hashes=HONEST.hashes[::-1]), "is not that of seat 0"),
        (changed(COMMITTED, commitment="ff" * 32), "differently the second time: commitment"),
    ],
)
def test_a_client_that_is_lied_to_opens_no_nonce(lie: receipts.Told, sentence: str) -> None:
    """It says what is wrong, and whatever comes after that does not make it go on."""
    client = Shuffles(lambda count: bytes([0x11]) * count, None)
    client.hear(COMMITTED, 0)

    answers = [client.hear(told, 0) for told in (lie, HASHED)]

    assert [answer for answer, _ in answers] == [None, None]
    assert all(any(sentence in one for one in wrong) for _, wrong in answers)


def test_a_seat_beside_the_table_is_told() -> None:
    """The commitment must be about this client's seat."""
    kept = Receipt.begin(2, COMMITTED, "44" * 32)

    assert kept.check_start() == ("The commitment is about 2 decks; this is seat 2.",)


def test_a_client_without_a_nonce_sees_its_own_none() -> None:
    """It checks the rest all the same, and can say who brought no luck of their own."""
    kept = Receipt.begin(1, COMMITTED, "")
    kept.take(changed(HASHED, hashes=(HONEST.hashes[0], ""), commitments=(HONEST.commitment, "")))
    kept.take(changed(OPENED, nonces=(NONCES[0], "")))
    kept.take(REVEALED)

    assert kept.check_end() == ()
    assert kept.seats_without_nonce() == (1,)


def test_a_receipt_notes_the_game_s_frames() -> None:
    """Each once; a frame that comes again otherwise is noticed."""
    frame = Events(n=1, events=[], changes={}, digest="aa", shared="bb")
    kept = receipt(HASHED, OPENED, frame, frame, Over(n=1, winner=0, reason="won"))
    assert kept.check_start() == ()
    assert kept.frames == {1: "aa"}

    kept.take(changed(frame, digest="ab"))

    assert kept.check_start() == ("The server said differently the second time: game frame 1.",)


def test_a_receipt_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither frames nor contradictions without end are kept."""
    monkeypatch.setattr(receipts, "FRAMES_MAX", 2)
    kept = receipt()
    for n in range(4):
        kept.take(Events(n=n, events=[], changes={}, digest="aa", shared="bb"))
    for _ in range(receipts.NOTICED_MAX + 1):
        kept.take(changed(OPENED, game="t9-1"))

    assert list(kept.frames) == [1, 2]
    assert len(kept.noticed) == receipts.NOTICED_MAX


def test_a_receipt_survives_its_file() -> None:
    """All of it."""
    kept = receipt(HASHED, OPENED, REVEALED, Over(n=1, winner=None, reason="draw"))
    kept.take(Events(n=1, events=[], changes={}, digest="aa", shared="bb"))

    assert receipts.read(receipts.written(kept)) == kept


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (b"\xff", "no receipt"),
        (b"{}", "no receipt"),
        (b"[" * 5_000, "no receipt"),
        (receipts.written(receipt()).replace(b"longfuse receipt", b"bill"), "this is a 'bill'"),
        (receipts.written(receipt()).replace(b'"version": 1', b'"version": 2'), "of version 2"),
    ],
)
def test_what_is_no_receipt_is_told(content: bytes, sentence: str) -> None:
    """In a sentence."""
    with pytest.raises(ValueError, match=sentence):
        receipts.read(content)


TEXT = st.text(max_size=8) | st.sampled_from(["11" * 32, SECRET.hex(), HONEST.commitment])


@given(
    st.lists(
        st.builds(NonceHashes, game=st.just("t1-1"), hashes=st.lists(TEXT).map(tuple))
        | st.builds(Nonces, game=st.just("t1-1"), nonces=st.lists(TEXT).map(tuple))
        | st.builds(Revealed, game=st.just("t1-1") | TEXT, secret=TEXT),
        max_size=4,
    )
)
def test_whatever_a_server_says_can_be_checked(told: list[receipts.Told]) -> None:
    """A receipt answers in sentences, never with an exception."""
    kept = receipt(*told)

    assert all(sentence.endswith(".") for sentence in kept.check_end())
