"""A client of today and a server of later, within one version: what is not known is skipped."""

import json

import msgpack
import pytest
import trio
from hypothesis import given
from hypothesis import strategies as st

from longfuse_protocol import messages as m
from longfuse_protocol.client import open_client
from longfuse_protocol.codec import CODECS, JSON, MSGPACK
from longfuse_protocol.errors import Malformed, UnknownType
from longfuse_protocol.passing import Stop, as_sent
from longfuse_protocol.schema import schema
from protocol.json_schema import problems, resolved
from protocol.scripted import server
from protocol.wire_values import FROM_SERVER
from support.listening import URL, until

SAID = schema("server")
LATER = {"type": "weather", "n": 1, "command": "a", "place": {"stream": "x"}}
WRITERS = {JSON: lambda plain: json.dumps(plain).encode(), MSGPACK: msgpack.packb}


def richer(value, node):
    """Return a value with a field more in each of its records."""
    node = resolved(node, SAID)
    if "anyOf" in node:
        node = next(each for each in node["anyOf"] if not problems(value, each, SAID))
        return richer(value, node)
    if isinstance(value, list):
        return [richer(each, node["items"]) if node["items"] else each for each in value]
    if not isinstance(value, dict):
        return value
    fields, others = node.get("properties", {}), node.get("additionalProperties")
    inner = {key: richer(each, fields.get(key, others)) for key, each in value.items()}
    return inner | ({"later": {"than": [1, None]}} if fields else {})


@given(message=st.one_of(*FROM_SERVER.values()), name=st.sampled_from(list(CODECS)))
def test_fields_that_are_not_known_are_skipped(message, name):
    """With a field more in every record, each message of a server is read as it was."""
    plain = json.loads(CODECS[JSON].encode(message))
    more = richer(plain, SAID)

    assert more != plain
    assert CODECS[name].server_message(WRITERS[name](more), 10**6) == message


@pytest.mark.parametrize("name", CODECS)
def test_a_type_that_is_not_known_is_told_apart(name):
    """It is malformed, of a kind of its own; what has no type at all is not."""
    codec, write = CODECS[name], WRITERS[name]
    with pytest.raises(UnknownType):
        codec.server_message(write(LATER), 1_000)
    for plain in ({}, {"type": 7}, {"type": "pong", "nonce": "weather"}):
        with pytest.raises(Malformed) as caught:
            codec.server_message(write(plain), 1_000)
        assert caught.type is Malformed


def test_settings_that_were_told_can_be_sent():
    """Whoever changes one setting sends the others back as they were, without what is not known."""
    plain = {
        "mode": "ask",
        "stops": [{"phase": "p", "whose": "own", "x": 1}],
        "until": None,
        "y": 2,
    }
    told = {"type": "settings_kept", "passing": plain, "until": "", "stopped": ""}
    shown = CODECS[JSON].server_message(json.dumps(told).encode(), 1_000).passing

    assert as_sent(shown) == m.Passing(mode="ask", stops=(Stop("p", "own"),))


async def test_the_reference_client_skips_messages_that_it_does_not_know():
    """It goes on as if nothing had come."""

    async def script(self):
        await self.welcome()
        await self.socket.send(WRITERS[MSGPACK](LATER))
        await self.tell(m.Notice(kind="drain", text="soon"))
        await trio.sleep_forever()

    async with server(script) as stream, open_client(URL, name="Ada", stream=stream) as ada:
        notice = await until(ada, m.Notice)

    assert notice.text == "soon"
