"""Where a connection comes from: the address that its limits go by, behind proxies or not.

Pure functions over addresses and headers. What a header says is believed only of a proxy that the
operator trusts, and of what stands in it only what trusted proxies have written: it is read from
its end. Who connects from this machine itself, in nobody else's name, has no address here.
"""

from collections.abc import Sequence
from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network
from typing import Final

import trio

Address = IPv4Address | IPv6Address

UNREADABLE: Final = "unreadable"
"""Whose address a trusted proxy did not tell in a form that can be read; they count as one."""

HEADER: Final = "X-Forwarded-For"
_IPV6_ONE: Final = 64
"""How many bits of an address of version 6 are one customer's: all below are theirs to choose."""


class Origins:
    """Tells who is meant, where some peers are proxies."""

    def __init__(self, trusted: Sequence[str]) -> None:
        """trusted: addresses or networks of proxies, as the configuration has checked them."""
        self._trusted = [ip_network(one) for one in trusted]

    def at_door(self, stream: trio.abc.Stream) -> str | None:
        """Return whose stream this is, before it has said a word; None if no limit goes by that."""
        peer = peer_of(stream)
        return None if peer is None or self._is_trusted(peer) else _counted(peer)

    def of_request(self, stream: trio.abc.Stream, forwarded: Sequence[str]) -> str | None:
        """Return who sent a request; None if no limit goes by that.

        forwarded: the values of all headers `X-Forwarded-For` of the request, in their order.
        """
        peer = peer_of(stream)
        if peer is None or not self._is_trusted(peer):
            return None if peer is None else _counted(peer)
        if not forwarded:  # what a proxy asks for itself, or a program of this machine
            return None
        for named in reversed(",".join(forwarded).split(",")):
            address = _read(named)
            if address is None:
                return UNREADABLE
            peer = address
            if not self._is_trusted(peer):
                break
        return _counted(peer)

    def _is_trusted(self, address: Address) -> bool:
        return any(address in network for network in self._trusted)


def peer_of(stream: trio.abc.Stream) -> Address | None:
    """Return the other end of a stream; None if it is over, or no network is between."""
    inner = stream.transport_stream if isinstance(stream, trio.SSLStream) else stream
    socket = getattr(inner, "socket", None)
    if socket is None:
        return None
    try:
        name = socket.getpeername()
    except OSError:
        return None
    return _read(name[0]) if isinstance(name, tuple) else None


def _read(text: str) -> Address | None:
    """Return an address as proxies write it, with a port behind it or without."""
    text = text.strip()
    if text.startswith("["):
        text = text[1:].partition("]")[0]
    elif text.count(":") == 1:
        text = text.partition(":")[0]
    try:
        address = ip_address(text)
    except ValueError:
        return None
    mapped = address.ipv4_mapped if isinstance(address, IPv6Address) else None
    return address if mapped is None else mapped


def _counted(address: Address) -> str | None:
    """Return under which name an address is counted; None for this machine's own."""
    if address.is_loopback:
        return None
    if isinstance(address, IPv4Address):
        return str(address)
    return str(ip_network((address.packed, _IPV6_ONE), strict=False))
