"""The shuffle of one game step by step, and what is tried against it."""

from __future__ import annotations

import itertools
import traceback
from collections.abc import Callable

import msgspec
import pytest
import structlog

from longfuse.game.entries import Refused
from longfuse.host.kept_secrets import (
    Kept,
)
from longfuse.host.shuffling import Shuffling, Step
from longfuse_protocol.errors import Code
from longfuse_protocol.from_client import Nonce, NonceHash
from longfuse_protocol.receipts import Receipt
from longfuse_protocol.shuffles import deck_digest

SECRET = bytes(range(100, 132))
NONCES = ("11" * 32, "22" * 32)


def shuffling(
    *,
    takes_part: tuple[bool, ...] = (True, True),
    decks: tuple[object, ...] = ("small", "large"),
    secret: bytes = SECRET,
) -> Shuffling:
    """The shuffle of a game of two."""
    return Shuffling(
        game="t1-1",
        counter=7,
        ruleset="toy",
        rules_version="toy 1",
        decks=decks,
        takes_part=takes_part,
        secret=secret,
    )


def receipts(machine: Shuffling) -> list[Receipt]:
    """What honest clients begin with."""
    told = machine.commitment(1)
    return [Receipt.begin(seat, told, nonce) for seat, nonce in enumerate(NONCES)]


def committed(machine: Shuffling) -> list[Receipt]:
    """A machine to which both seats have committed."""
    clients = receipts(machine)
    for client in clients:
        machine.hash(client.seat, client.hash_message())
    return clients


def refusal(call: Callable[..., object], *arguments: object) -> tuple[str, str]:
    """How a call is refused."""
    with pytest.raises(Refused) as caught:
        call(*arguments)
    return caught.value.code, caught.value.reason


# ---------------------------------------------------------------- step by step


def test_two_seats_and_the_server_come_to_one_key() -> None:
    """Each message is due when the last of the step before has come, and not earlier."""
    machine = shuffling()
    first, second = clients = receipts(machine)
    assert machine.missing() == (0, 1)
    assert not machine.hash(0, first.hash_message())
    assert (machine.step, machine.missing()) == (Step.HASHES, (1,))
    assert machine.hash(1, second.hash_message())
    for client in clients:
        client.take(machine.hashes(2))
        assert client.check_start() == ()
    assert not machine.nonce(1, second.nonce_message())
    assert (machine.step, machine.missing()) == (Step.NONCES, (0,))
    assert machine.nonce(0, first.nonce_message())
    assert machine.is_done
    assert machine.missing() == ()
    for client in clients:
        client.take(machine.nonces())
        client.take(machine.revealed())

        assert client.check_end() == ()
        assert client.key() == machine.key
        assert client.transcript() == machine.transcript


@pytest.mark.parametrize("takes_part", [(True, False), (False, True), (False, False)])
def test_a_seat_without_the_step_stands_as_none(takes_part: tuple[bool, bool]) -> None:
    """A bot of the server brings no nonce, and nobody waits for it; clients can say so."""
    machine = shuffling(takes_part=takes_part)
    for seat in machine.missing():
        client = Receipt.begin(seat, machine.commitment(1), NONCES[seat])
        machine.hash(seat, client.hash_message())
        machine.nonce(seat, client.nonce_message())

    onlooker = Receipt.begin(0, machine.commitment(1), NONCES[0] if takes_part[0] else "")
    for told in machine.messages(1):
        onlooker.take(told)
    onlooker.take(machine.revealed())

    assert machine.is_done
    assert onlooker.check_end() == ()
    assert onlooker.seats_without_nonce() == tuple(s for s in (0, 1) if not takes_part[s])
    assert refusal(machine.hash, takes_part.index(False), receipts(machine)[0].hash_message()) == (
        Code.REFUSED,
        f"seat {takes_part.index(False)} takes no part in this shuffle",
    )


def test_who_comes_back_is_told_all_so_far() -> None:
    """In the order in which it was told first, with the deadline of what is asked now."""
    machine = shuffling()
    told = [[type(one).__name__ for one in machine.messages(1)]]
    clients = committed(machine)
    told.append([type(one).__name__ for one in machine.messages(2)])
    for client in clients:
        machine.nonce(client.seat, client.nonce_message())
    told.append([type(one).__name__ for one in machine.messages(3)])

    assert told == [
        ["Commitment"],
        ["Commitment", "NonceHashes"],
        ["Commitment", "NonceHashes", "Nonces"],
    ]


def test_the_same_again_changes_nothing() -> None:
    """After a lost connection a client can't know what has arrived."""
    machine = shuffling()
    first, second = committed(machine)
    assert not machine.hash(0, first.hash_message())
    machine.nonce(0, first.nonce_message())
    assert not machine.nonce(0, first.nonce_message())
    machine.nonce(1, second.nonce_message())
    key = machine.key

    assert not machine.hash(1, second.hash_message())
    assert not machine.nonce(1, second.nonce_message())
    assert machine.key == key


@pytest.mark.parametrize("calls", list(itertools.permutations(("hash 0", "hash 1", "nonce 0"))))
def test_no_nonce_is_taken_before_all_hashes(calls: tuple[str, ...]) -> None:
    """In whatever order messages come, a nonce goes out only when nobody can choose any more."""
    machine = shuffling()
    clients = receipts(machine)
    hashed = 0
    for call in calls:
        step, seat = call.split()
        if step == "hash":
            machine.hash(int(seat), clients[int(seat)].hash_message())
            hashed += 1
        elif hashed < 2:
            message = clients[0].nonce_message()
            assert refusal(machine.nonce, 0, message)[0] == Code.NOT_NOW
            assert machine.missing()
        else:
            machine.nonce(0, clients[0].nonce_message())
            assert machine.missing() == (1,)


# ---------------------------------------------------------------- attacks


def test_the_server_is_bound_before_any_hash() -> None:
    """Another secret needs another commitment, which no seat has echoed."""
    honest, other = shuffling(), shuffling(secret=bytes(32))
    clients = committed(honest)
    clients[0].take(honest.hashes(1))
    for client in clients:
        honest.nonce(client.seat, client.nonce_message())
    clients[0].take(honest.nonces())
    clients[0].take(other.revealed())

    assert "not the one that the server committed to" in clients[0].check_end()[-1]
    assert other.commitment(1).commitment != honest.commitment(1).commitment


def test_a_client_that_saw_another_commitment_is_refused() -> None:
    """A server that is honest finds out, and a client that is told so leaves."""
    machine, other = shuffling(), shuffling(secret=bytes(32))
    message = Receipt.begin(0, other.commitment(1), NONCES[0]).hash_message()

    code, reason = refusal(machine.hash, 0, message)

    assert code == Code.REFUSED
    assert message.commitment in reason
    assert machine.missing() == (0, 1)


def test_the_last_nonce_can_t_be_ground() -> None:
    """A seat that has heard the others' nonces can open its own hash and no other."""
    machine = shuffling()
    clients = committed(machine)
    machine.nonce(0, clients[0].nonce_message())

    for tried in range(20):
        message = Nonce(game="t1-1", nonce=f"{tried:064x}")
        assert refusal(machine.nonce, 1, message) == (
            Code.REFUSED,
            "this nonce does not open the hash of seat 1",
        )
    assert machine.missing() == (1,)
    assert machine.nonce(1, clients[1].nonce_message())


def test_a_hash_can_t_be_changed() -> None:
    """A seat is bound by the first."""
    machine = shuffling()
    committed(machine)
    again = Receipt.begin(1, machine.commitment(1), "33" * 32).hash_message()

    assert refusal(machine.hash, 1, again)[0] == Code.REFUSED


def test_a_copied_hash_opens_nothing() -> None:
    """A seat that hands in the other's hash, and then the other's nonce, is late."""
    machine = shuffling()
    first, _ = receipts(machine)
    machine.hash(0, first.hash_message())
    machine.hash(1, first.hash_message())
    machine.nonce(0, first.nonce_message())

    assert refusal(machine.nonce, 1, first.nonce_message())[0] == Code.REFUSED
    assert machine.missing() == (1,)


def test_what_a_seat_withholds_deals_nothing() -> None:
    """Without the last nonce there is no key and no transcript, so nobody sees a card."""
    machine = shuffling()
    clients = committed(machine)
    machine.nonce(0, clients[0].nonce_message())

    for what in ("key", "transcript"):
        with pytest.raises(ValueError, match="still waits for \\(1,\\)"):
            getattr(machine, what)
    with pytest.raises(ValueError, match="still waits"):
        machine.nonces()


def test_messages_of_another_game_are_refused() -> None:
    """Of the game before, at the same table."""
    machine = shuffling()
    (first, _) = receipts(machine)
    late = msgspec.structs.replace(first.hash_message(), game="t1-0")

    assert refusal(machine.hash, 0, late) == (
        Code.REFUSED,
        "game t1-1 is shuffled here, not t1-0",
    )
    assert refusal(machine.nonce, 0, Nonce(game="t1-0", nonce=NONCES[0]))[0] == Code.REFUSED


def test_decks_of_others_can_t_be_learnt_from_the_wire() -> None:
    """Whoever knows all decks there are finds none of them in what is sent before the end."""
    known = ["small", "large", "huge"]
    machine = shuffling(decks=("small", "large"))
    clients = committed(machine)
    for client in clients:
        machine.nonce(client.seat, client.nonce_message())
    sent = msgspec.json.encode(machine.messages(1)).decode()
    public = [
        bytes.fromhex(text) for text in (*NONCES, machine.commitment(1).commitment, "00" * 32)
    ]

    guesses = {
        deck_digest(secret, "t1-1", seat, deck)
        for secret in public
        for seat in (0, 1)
        for deck in known
    }
    assert not any(guess in sent for guess in guesses)
    same = shuffling(decks=("large", "large")).commitment(1).decks
    assert len(set(same)) == 2
    assert deck_digest(SECRET, "t1-1", 0, "small") in sent


def test_the_secret_is_in_nothing_before_the_end() -> None:
    """Not in messages, representations, refusals, tracebacks or a log with all their values."""
    machine = shuffling()
    clients = committed(machine)
    said: list[str] = [repr(machine), str(vars(Shuffling)), repr(Kept(7, SECRET))]
    for call in (
        lambda: machine.nonce(0, Nonce(game="t1-1", nonce="44" * 32)),
        lambda: machine.hash(0, NonceHash(game="t1-1", commitment="44" * 32, hash="44" * 32)),
        lambda: machine.key,
    ):
        try:
            call()
        except (Refused, ValueError) as error:
            told = traceback.TracebackException.from_exception(error, capture_locals=True)
            said.append("".join(told.format()))
    for client in clients:
        machine.nonce(client.seat, client.nonce_message())
    said.append(msgspec.json.encode(machine.messages(1)).decode())
    said.append(msgspec.json.encode(machine.transcript).decode())
    with structlog.testing.capture_logs() as logged:
        structlog.get_logger().info("shuffled", shuffle=machine, game=machine.game)
    said.append(str(logged))

    told = "\n".join(said)
    assert len(said) == 9
    for hidden in (SECRET, machine.key):
        assert hidden.hex() not in told
        assert repr(hidden) not in told


def test_decks_and_seats_must_fit() -> None:
    """A table's mistake is not shuffled over."""
    with pytest.raises(ValueError, match="2 decks for 1 seats"):
        shuffling(takes_part=(True,))
