"""Whose address a connection counts for: with proxies and without, and whatever a header says."""

from types import SimpleNamespace

import pytest
import trio
from trio.testing import open_stream_to_socket_listener

from longfuse.host.origins import UNREADABLE, Origins, peer_of

PROXY = "10.0.0.2"
ADDRESS = "203.0.113.7"


class From(SimpleNamespace):
    """A stream from an address."""

    def __init__(self, address):
        super().__init__(socket=SimpleNamespace(getpeername=lambda: (address, 40_000)))


@pytest.mark.parametrize(
    ("address", "name"),
    [
        ("203.0.113.7", "203.0.113.7"),
        ("::ffff:203.0.113.7", "203.0.113.7"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ("fe80::1%eth0", "fe80::/64"),
        ("127.0.0.1", None),
        ("127.8.8.8", None),
        ("::1", None),
        ("::ffff:127.0.0.1", None),
    ],
)
def test_without_a_proxy(address, name):
    """An address counts as it is, with IPv6 as its /64; this machine's own does not count."""
    origins = Origins([PROXY])

    assert origins.at_door(From(address)) == name
    assert origins.of_request(From(address), []) == name


@pytest.mark.parametrize(
    ("forwarded", "name"),
    [
        ([ADDRESS], ADDRESS),
        (["2001:db8::7"], "2001:db8::/64"),
        (["[2001:db8::7]:4711"], "2001:db8::/64"),
        ([f"{ADDRESS}:4711"], ADDRESS),
        ([f"198.51.100.1, {ADDRESS}"], ADDRESS),
        (["198.51.100.1", ADDRESS], ADDRESS),
        ([f"198.51.100.1, {ADDRESS} , 10.0.0.3"], ADDRESS),
        (["10.0.0.9, 10.0.0.3"], "10.0.0.9"),
        (["127.0.0.1"], None),
        (["nonsense"], UNREADABLE),
        ([""], UNREADABLE),
        ([f"{ADDRESS}, unknown"], UNREADABLE),
        (["x" * 8_000], UNREADABLE),
    ],
)
def test_behind_a_proxy(forwarded, name):
    """The last address that is no trusted proxy's counts: what stands before it, anybody wrote."""
    origins = Origins(["10.0.0.0/8"])

    assert origins.of_request(From(PROXY), forwarded) == name


def test_who_is_no_proxy_is_not_believed():
    """What a header says counts nothing where it comes from somebody else."""
    origins = Origins([PROXY])

    assert origins.of_request(From("198.51.100.1"), [ADDRESS]) == "198.51.100.1"
    assert Origins([]).of_request(From("127.0.0.1"), [ADDRESS]) is None


def test_a_proxy_itself_is_not_limited_at_the_door():
    """All of its clients come from its address, and are told apart at their requests."""
    assert Origins([PROXY]).at_door(From(PROXY)) is None


@pytest.mark.realtime
async def test_the_other_end_of_a_real_socket():
    """It is the peer's; a stream that is over, or that has no network under it, has none."""
    pair = trio.socket.socketpair()
    with pair[0], pair[1]:
        assert peer_of(trio.SocketStream(pair[0])) is None
    listener, *_ = await trio.open_tcp_listeners(0, host="127.0.0.1")
    async with listener:
        client = await open_stream_to_socket_listener(listener)
        server = await listener.accept()

        assert str(peer_of(server)) == "127.0.0.1"
        await client.aclose()
        await server.aclose()
        assert peer_of(server) is None
