"""Bytes to messages and back."""

import json
from typing import get_args

import msgpack
import pytest
from hypothesis import given
from hypothesis import strategies as st

from longfuse_protocol import messages as m
from longfuse_protocol.allowed import words
from longfuse_protocol.codec import CODECS, JSON, MSGPACK
from longfuse_protocol.errors import Malformed, TooLarge, WireError
from protocol.wire_values import FROM_CLIENT, FROM_SERVER

LIMIT = 100_000
CODEC = st.sampled_from(list(CODECS.values()))


@pytest.fixture(params=list(CODECS))
def codec(request):
    """Each of the codecs."""
    return CODECS[request.param]


def written(codec, plain):
    """Spell a plain value as the codec would."""
    return json.dumps(plain).encode() if codec.text else msgpack.packb(plain)


def outcome(read, data):
    """Return the message, or the typed error; anything else that is raised fails the test."""
    try:
        return read(data, LIMIT)
    except WireError as error:
        return error


def test_every_message_is_tried():
    """The strategies cover every message of both directions."""
    assert set(FROM_CLIENT) == set(m.ClientMessage.__args__)
    assert set(FROM_SERVER) == set(m.ServerMessage.__args__)


@pytest.mark.parametrize("kind", FROM_CLIENT, ids=lambda kind: kind.__name__)
@given(codec=CODEC, data=st.data())
def test_round_trip_from_client(kind, codec, data):
    """What a client writes, a server reads as the same message."""
    message = data.draw(FROM_CLIENT[kind])

    assert codec.client_message(codec.encode(message), LIMIT) == message


@pytest.mark.parametrize("kind", FROM_SERVER, ids=lambda kind: kind.__name__)
@given(codec=CODEC, data=st.data())
def test_round_trip_from_server(kind, codec, data):
    """What a server writes, a client reads as the same message."""
    message = data.draw(FROM_SERVER[kind])

    assert codec.server_message(codec.encode(message), LIMIT) == message


@given(codec=CODEC, data=st.binary(max_size=200))
def test_any_bytes(codec, data):
    """Any bytes give a message or a typed error, on both sides."""
    assert outcome(codec.client_message, data) is not None
    assert outcome(codec.server_message, data) is not None


@given(
    codec=CODEC,
    message=st.one_of(*FROM_CLIENT.values()),
    cuts=st.lists(st.tuples(st.integers(0, 300), st.integers(0, 255)), min_size=1, max_size=4),
)
def test_spoilt_bytes(codec, message, cuts):
    """A message with bytes changed, or cut short, gives a message or a typed error."""
    data = bytearray(codec.encode(message))
    for at, byte in cuts:
        data[at % len(data)] = byte
    for spoilt in (bytes(data), bytes(data[: cuts[0][0] % len(data)])):
        assert outcome(codec.client_message, spoilt) is not None


@pytest.mark.parametrize(
    ("plain", "field"),
    [
        ({"type": "hello"}, "$.name"),
        ({"type": "hello", "name": ""}, "$.name"),
        ({"type": "hello", "name": "x" * 41}, "$.name"),
        ({"type": "hello", "name": "x\x1b[2J"}, "$.name"),
        ({"type": "hello", "name": "x\n"}, "$.name"),
        ({"type": "hello", "name": "\u202ex"}, "$.name"),
        ({"type": "hello", "name": "x", "client": "\x9b2J"}, "$.client"),
        ({"type": "hello", "name": "x", "nmae": "y"}, "$.nmae"),
        ({"type": "shout"}, "$.type"),
        ({"type": 7}, "$.type"),
        ({}, "$.type"),
        ([], "$"),
        (7, "$"),
        ({"type": "decide", "command": "a", "prompt": 1, "answer": [0, "b"]}, "$.answer[1]"),
        ({"type": "decide", "command": "a", "prompt": 1, "answer": True}, "$.answer"),
        ({"type": "decide", "command": "a", "prompt": 1, "answer": 1.5}, "$.answer"),
        ({"type": "decide", "command": "a", "prompt": 1, "answer": 2**60}, "$.answer"),
        ({"type": "decide", "command": "a", "prompt": 1, "answer": [0] * 1_025}, "$.answer"),
        ({"type": "decide", "command": "a", "prompt": -1, "answer": 0}, "$.prompt"),
        ({"type": "decide", "command": "a" * 65, "prompt": 1, "answer": 0}, "$.command"),
        (
            {"type": "create", "command": "a", "ruleset": "r", "seats": [{"kind": "sofa"}]},
            "$.seats[0].kind",
        ),
        ({"type": "create", "command": "a", "ruleset": "r", "seats": []}, "$.seats"),
        (
            {
                "type": "create",
                "command": "a",
                "ruleset": "r",
                "seats": [{}],
                "options": {"x": {"y": 1}},
            },
            "$.options[...]",
        ),
    ],
)
def test_field_is_named(codec, plain, field):
    """A message that does not fit its schema is told which field it is."""
    with pytest.raises(Malformed) as caught:
        codec.client_message(written(codec, plain), LIMIT)

    assert caught.value.field == field


@pytest.mark.parametrize(
    ("plain", "command"),
    [
        ({"type": "decide", "command": "a7", "prompt": 1, "answer": "x"}, "a7"),
        ({"answer": "x", "type": "decide", "prompt": 1, "command": "a7"}, "a7"),
        ({"type": "say", "command": "a7", "text": "a\tb"}, "a7"),
        ({"type": "say", "command": "a" * 65, "text": "b"}, ""),
        ({"type": "say", "command": 7, "text": "b"}, ""),
        ({"type": "hello"}, ""),
        (["command"], ""),
    ],
)
def test_a_command_that_does_not_fit_is_named(codec, plain, command):
    """Who waits for a command's answer hears that it was malformed, wherever its id stands."""
    with pytest.raises(Malformed) as caught:
        codec.client_message(written(codec, plain), LIMIT)

    assert caught.value.command == command


ANYTHING = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**63), 2**64 - 1)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(max_size=5)
    | st.sampled_from([0, 1, 1.0, -1, 2**53, 2**53 - 1, "", "a", [], {}]),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3)
    ),
    max_leaves=4,
)


def spoil(node, data):
    """Put anything in place of some part of a plain value."""
    while node:
        keys = sorted(node) if isinstance(node, dict) else range(len(node))
        key = data.draw(st.sampled_from(keys))
        if not (isinstance(node[key], dict | list) and node[key] and data.draw(st.booleans())):
            node[key] = data.draw(ANYTHING)
            return
        node = node[key]


@pytest.mark.parametrize(
    ("messages", "method"), [(FROM_CLIENT, "client_message"), (FROM_SERVER, "server_message")]
)
@given(data=st.data())
def test_both_spellings_take_the_same(messages, method, data):
    """Whatever stands in a message, both read it alike or name the same field and command."""
    plain = json.loads(CODECS[JSON].encode(data.draw(st.one_of(*messages.values()))))
    spoil(plain, data)
    one, other = (
        outcome(getattr(codec, method), written(codec, plain)) for codec in CODECS.values()
    )

    if isinstance(one, WireError):
        assert (type(one), one.field, one.command) == (type(other), other.field, other.command)
    else:
        assert one == other


STOP = "$.passing.stops[0].whose"
WORDS = [
    ("create", {"ruleset": "r", "seats": [{}, {"kind": "sofa"}]}, "$.seats[1].kind", "sofa"),
    ("create", {"ruleset": "r", "seats": [{}], "terms": {"best_of": 5}}, "$.terms.best_of", 5),
    ("pair", {"ruleset": "r", "clock": {"out": "x"}}, "$.clock.out", "x"),
    ("replay", {"game": "g", "viewer": "all"}, "$.viewer", "all"),
    ("offer", {"kind": "tea"}, "$.kind", "tea"),
    ("report", {"line": 1, "room": "attic"}, "$.room", "attic"),
    ("settings", {"passing": {"interrupts": ["fuse", "x"]}}, "$.passing.interrupts[1]", "x"),
    ("settings", {"passing": {"stops": [{"phase": "p", "whose": "x"}]}}, STOP, "x"),
]


@pytest.mark.parametrize(("tag", "fields", "path", "word"), WORDS, ids=[row[0] for row in WORDS])
def test_a_word_that_is_not_taken_is_told_with_those_that_are(codec, tag, fields, path, word):
    """The error names the field, the word and every word that would do."""
    plain = {"type": tag, "command": "a", **fields}
    with pytest.raises(Malformed) as caught:
        codec.client_message(written(codec, plain), LIMIT)

    assert caught.value.field == path
    told, _, at = caught.value.text.partition(" is not one of ")
    listed, _, place = at.partition(" - at ")
    assert (told, place) == (repr(word), f"`{path}`")
    assert len(listed.split(", ")) == len(words(tag, path)) > 0
    for one in words(tag, path):
        assert repr(one) in listed


def test_a_long_word_leaves_room_for_those_that_are_taken(codec):
    """However much was sent, the words that would do are told whole."""
    plain = {"type": "offer", "command": "a", "kind": "x` - at `$.z" * 300}
    with pytest.raises(Malformed) as caught:
        codec.client_message(written(codec, plain), LIMIT)

    assert caught.value.field == "$.kind"
    assert all(repr(kind) in caught.value.text for kind in get_args(m.OfferKind))


def test_what_cannot_be_read_to_its_end_names_no_command():
    """A field that does not fit in a message that is broken after it is told without the id."""
    with pytest.raises(Malformed) as caught:
        CODECS[JSON].client_message(b'{"type":"decide","command":"a","answer":"x",', LIMIT)

    assert caught.value.command == ""


@pytest.mark.parametrize(("data", "told"), [(b"\xc1", "FormatError"), (b"\xc0\xc0", "extra")])
def test_unreadable_bytes_are_told_with_a_reason(data, told):
    """Also where the parser gives none but the name of its error."""
    with pytest.raises(Malformed) as caught:
        CODECS[MSGPACK].client_message(data, LIMIT)

    assert told in caught.value.text


def test_characters_that_are_not_shown_are_told_in_words(codec):
    """Nobody is told a pattern."""
    with pytest.raises(Malformed) as caught:
        codec.client_message(written(codec, {"type": "hello", "name": "x\n"}), LIMIT)

    assert "shown characters only" in caught.value.text
    assert "regex" not in caught.value.text


def test_a_client_message_is_not_a_server_message(codec):
    """Each side takes only what the other side may send."""
    with pytest.raises(Malformed):
        codec.server_message(codec.encode(m.Ping(nonce=1)), LIMIT)
    with pytest.raises(Malformed):
        codec.client_message(codec.encode(m.Pong(nonce=1, at_ms=0)), LIMIT)


def test_a_client_skips_what_it_does_not_know(codec):
    """A field that a later server adds does no harm to a client of today."""
    data = written(codec, {"type": "pong", "nonce": 3, "at_ms": 5, "mood": "good"})

    assert codec.server_message(data, LIMIT) == m.Pong(nonce=3, at_ms=5)


def test_too_large(codec):
    """More bytes than allowed are not read, whatever they are."""
    data = codec.encode(m.Ping())

    assert codec.client_message(data, len(data)) == m.Ping()
    with pytest.raises(TooLarge):
        codec.client_message(data, len(data) - 1)


@pytest.mark.parametrize(
    ("name", "data"),
    [
        (JSON, b"[" * 90_000),
        (JSON, b'{"type":"ping","nonce":' + b"[" * 90_000),
        (JSON, b'{"x":' + b"[" * 40_000 + b"]" * 40_000 + b',"type":"ping"}'),
        (JSON, b'{"type":"ping","nonce":' + b"9" * 90_000 + b"}"),
        (JSON, b'{"type":"hello","name":"\xff"}'),
        (JSON, b'{"type":"ping"} {"type":"ping"}'),
        (MSGPACK, b"\x91" * 90_000),
        (MSGPACK, b"\x81\xa1x" + b"\x91" * 90_000),
        (MSGPACK, b"\xdd\xff\xff\xff\xff"),
        (MSGPACK, b"\xdb\xff\xff\xff\xff"),
        (MSGPACK, b"\x81\xc0\x01"),
        (MSGPACK, b"\x81\x90\x01"),
        (MSGPACK, b"\xc7\x08\x05" + b"x" * 8),
        (MSGPACK, msgpack.packb({"type": "hello", "name": msgpack.Timestamp(1)})),
        (MSGPACK, msgpack.packb({"type": "hello", "name": b"bytes"})),
        (MSGPACK, b"\x81\xa4type\xa5hell\xff"),
        (MSGPACK, b"\xc0\xc0"),
    ],
)
def test_hostile_bytes(name, data):
    """Deep, endless, lying and foreign bytes are malformed, and told so in few words."""
    with pytest.raises(Malformed) as caught:
        CODECS[name].client_message(data, LIMIT)

    assert len(caught.value.text) < 300
