"""A client of today and a server of later, within one version: what is not known is skipped."""

import json

import msgpack
import msgspec
import pytest
import trio
from hypothesis import given
from hypothesis import strategies as st

from longfuse_protocol import messages as m
from longfuse_protocol.client import NotConnected, Refused, open_client
from longfuse_protocol.codec import CODECS, JSON, MSGPACK
from longfuse_protocol.errors import Malformed, UnknownType
from longfuse_protocol.passing import ShownStop, ShownUntil, Stop, Until, as_sent
from protocol.json_schema import problems
from protocol.later import SAID, WORD, enriched
from protocol.scripted import INFO, server
from protocol.wire_values import FROM_SERVER
from support.listening import URL, until

LATER = {"type": "weather", "n": 1, "command": "a", "place": {"stream": "x"}}
WRITERS = {JSON: lambda plain: json.dumps(plain).encode(), MSGPACK: msgpack.packb}


@given(message=st.one_of(*FROM_SERVER.values()), name=st.sampled_from(list(CODECS)))
def test_fields_that_are_not_known_are_skipped(message, name):
    """With a field more in every record, each message of a server is read as it was."""
    plain = json.loads(CODECS[JSON].encode(message))
    more = enriched(plain, words=False)

    assert more != plain
    assert CODECS[name].server_message(WRITERS[name](more), 10**6) == message


@given(message=st.one_of(*FROM_SERVER.values()), name=st.sampled_from(list(CODECS)))
def test_words_that_are_not_known_are_read(message, name):
    """With a word of tomorrow in every open list, each message of a server is read, and fits."""
    more = enriched(json.loads(CODECS[JSON].encode(message)))
    read = CODECS[name].server_message(WRITERS[name](more), 10**6)

    assert type(read) is type(message)
    assert problems(more, SAID, SAID) == []
    assert enriched(json.loads(CODECS[JSON].encode(read))) == more


@pytest.mark.parametrize("name", CODECS)
def test_a_word_that_must_be_understood(name):
    """A prompt of a shape that nobody can answer is malformed, and says which there are."""
    prompt = {"id": 1, "seat": 0, "shape": "draw", "kind": "k", "text": "?", "default": 0}
    with pytest.raises(Malformed, match="'draw' is not one of 'divide', 'number', 'one'") as caught:
        CODECS[name].server_message(
            WRITERS[name]({"type": "prompt", "n": 1, "prompt": prompt}), 999
        )

    assert caught.value.field == "$.prompt.shape"


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


def test_settings_of_a_later_server_become_what_asks_more():
    """What can't be sent is not left out, where that would pass more than was set."""
    shown = m.ShownPassing(
        mode=WORD,
        stops=(ShownStop("p", WORD),),
        until=ShownUntil("p", WORD),
        interrupts=("fuse", WORD, "anything", "and another"),
        yields=("Ember",),
    )

    assert as_sent(shown) == m.Passing(
        mode="ask",
        stops=(Stop("p", "any"),),
        until=None,
        interrupts=("fuse", "anything"),
        yields=("Ember",),
    )
    kept = m.ShownPassing(mode="pass", until=ShownUntil("p", "own"), interrupts=())
    assert as_sent(kept) == m.Passing(mode="pass", until=Until("p", "own"), interrupts=())


async def test_the_reference_client_shows_words_that_it_does_not_know():
    """They are told, kept and refused as any others; the client goes on."""
    info = msgspec.structs.replace(INFO, status=WORD, seats=(m.SeatInfo(kind=WORD),))
    offer = m.Offer(kind=WORD, by=1, accepted=(1,), until_ms=0)
    said = m.Said(room=WORD, line=1, seat=None, name="Bo", text="hm", at_ms=0)
    ended = m.OfferEnded(kind=WORD, how=WORD)

    async def script(self):
        await self.seat()
        await self.tell(
            m.TableChanged(info=info),
            m.Offers(offers=(offer,), ended=(ended,)),
            m.PassingSet(passing=m.ShownPassing(mode=WORD)),
            said,
            m.Notice(kind=WORD, text="soon"),
        )
        command = await self.hear()
        await self.tell(m.Answered(command=command.command, ok=False, code=WORD, reason="so"))
        await trio.sleep_forever()

    async with server(script) as stream, open_client(URL, name="Ada", stream=stream) as ada:
        await ada.join("t")
        await until(ada, m.Notice)
        with pytest.raises(Refused, match=f"{WORD}: so") as caught:
            await ada.concede()

        assert (ada.table, ada.offers, list(ada.chat)) == (info, (offer,), [said])
        assert ada.passing.passing.mode == WORD
        assert caught.value.answer.code == WORD


async def test_a_hello_that_is_refused_with_a_code_that_is_not_known():
    """Whether to try again is told beside it."""

    async def script(self):
        await self.hear()
        await self.tell(m.Rejected(code=WORD, text="not today", retry_s=None))
        await trio.sleep_forever()

    async with server(script) as stream:
        with pytest.raises(NotConnected, match="not today") as caught:
            async with open_client(URL, name="Ada", stream=stream):
                pass

    assert (caught.value.ended.rejected, caught.value.ended.retry) == (WORD, False)


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
