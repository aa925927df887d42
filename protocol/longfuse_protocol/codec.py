"""Bytes to messages and back, in two spellings: MessagePack, and the same as JSON text.

The only module that knows either. Decoding is total: any bytes give a message or a `WireError`
that names the field, never another exception. Sizes are checked before anything is read; depth is
bounded by the schemas and, below them, by the parsers.
"""

import re
from collections.abc import Callable, Mapping
from typing import Protocol, TypeVar, cast

import msgpack
import msgspec

from longfuse_protocol.allowed import words
from longfuse_protocol.errors import Malformed, TooLarge, UnknownType
from longfuse_protocol.fields import SHOWN
from longfuse_protocol.messages import ClientMessage, Message, ServerMessage

MSGPACK = "longfuse.1.msgpack"
JSON = "longfuse.1.json"

_MessageT = TypeVar("_MessageT")

_AT = re.compile(r" - at (`key` in )?`(?P<path>[^`]*)`$")
_NAMED = re.compile(r"(?:required|unknown) field `(?P<name>[^`]*)`")
_WORD = re.compile(r"^Invalid enum value (?P<word>.*) - at `", re.DOTALL)
_NOT_SHOWN = f"matching regex {SHOWN!r}"
_COMMAND_MAX = 64
_TEXT_MAX = 200
"""An error quotes what it was sent; this bounds how much."""
_WORD_MAX = 40

_BROKEN = (
    ValueError,  # msgspec's and msgpack's own, bad UTF-8 among them
    RecursionError,  # deeper than the parser goes
    msgpack.exceptions.UnpackException,
)


class Codec(Protocol):
    """One spelling of the messages."""

    subprotocol: str
    text: bool
    """Whether it travels in text frames; otherwise in binary ones."""

    def encode(self, message: Message) -> bytes:
        """Write a message of our own."""

    def client_message(self, data: bytes, bytes_max: int) -> ClientMessage:
        """Read what a client sent, or raise `WireError`."""

    def server_message(self, data: bytes, bytes_max: int) -> ServerMessage:
        """Read what a server sent, or raise `WireError`."""


class MsgpackCodec:
    """MessagePack in binary frames."""

    subprotocol = MSGPACK
    text = False

    def encode(self, message: Message) -> bytes:
        """Write a message of our own."""
        return cast(bytes, msgpack.packb(msgspec.to_builtins(message)))

    def client_message(self, data: bytes, bytes_max: int) -> ClientMessage:
        """Read what a client sent, or raise `WireError`."""
        return _read(self._from_client, data, bytes_max, _unpack)

    def server_message(self, data: bytes, bytes_max: int) -> ServerMessage:
        """Read what a server sent, or raise `WireError`."""
        return _read(self._from_server, data, bytes_max, _unpack)

    def _from_client(self, data: bytes) -> ClientMessage:
        return cast(ClientMessage, msgspec.convert(_unpack(data), ClientMessage))

    def _from_server(self, data: bytes) -> ServerMessage:
        return cast(ServerMessage, msgspec.convert(_unpack(data), ServerMessage))


class JsonCodec:
    """JSON in text frames."""

    subprotocol = JSON
    text = True

    def __init__(self) -> None:
        self._client: msgspec.json.Decoder[ClientMessage] = msgspec.json.Decoder(ClientMessage)
        self._server: msgspec.json.Decoder[ServerMessage] = msgspec.json.Decoder(ServerMessage)

    def encode(self, message: Message) -> bytes:
        """Write a message of our own."""
        return msgspec.json.encode(message)

    def client_message(self, data: bytes, bytes_max: int) -> ClientMessage:
        """Read what a client sent, or raise `WireError`."""
        return _read(self._client.decode, data, bytes_max, msgspec.json.decode)

    def server_message(self, data: bytes, bytes_max: int) -> ServerMessage:
        """Read what a server sent, or raise `WireError`."""
        return _read(self._server.decode, data, bytes_max, msgspec.json.decode)


CODECS: Mapping[str, Codec] = {MSGPACK: MsgpackCodec(), JSON: JsonCodec()}


def _read(
    reader: Callable[[bytes], _MessageT],
    data: bytes,
    bytes_max: int,
    plain: Callable[[bytes], object],
) -> _MessageT:
    """plain: reads values without a schema, to find what a message was about that failed."""
    if len(data) > bytes_max:
        raise TooLarge(f"{len(data)} bytes are more than the {bytes_max} that a message may have")
    try:
        return reader(data)
    except msgspec.ValidationError as error:
        raise _does_not_fit(str(error), _fields(plain, data)) from error
    except _BROKEN as error:
        told = str(error) or type(error).__name__
        raise Malformed(_cut(f"not readable: {told}")) from error


def _fields(plain: Callable[[bytes], object], data: bytes) -> Mapping[object, object]:
    """Return the fields of a message that does not fit; none if they cannot be read."""
    try:
        value = plain(data)
    except _BROKEN:
        return {}
    return value if isinstance(value, dict) else {}


def _command(fields: Mapping[object, object]) -> str:
    """Return the id of the command, so that who waits for its answer hears what is wrong."""
    command = fields.get("command")
    return command if isinstance(command, str) and len(command) <= _COMMAND_MAX else ""


def _unpack(data: bytes) -> object:
    return msgpack.unpackb(data, raw=False, strict_map_key=True, ext_hook=_no_extension)


def _no_extension(code: int, data: bytes) -> object:
    raise ValueError(f"extension type {code} has no meaning here")


def _does_not_fit(told: str, fields: Mapping[object, object]) -> Malformed:
    """Turn the schema library's sentence into a path and a text that says what would fit."""
    told = told.replace(_NOT_SHOWN, "of shown characters only, none that controls a terminal")
    at = _AT.search(told)
    path = at["path"] if at else "$"
    named = _NAMED.search(told)
    if named:
        path = f"{path}.{named['name']}"
    kind = UnknownType if told.startswith("Invalid value") and path == "$.type" else Malformed
    if word := _WORD.search(told):
        one_of = ", ".join(map(repr, words(fields.get("type"), path)))
        told = f"{_cut(word['word'], _WORD_MAX)} is not one of {one_of} - at `{path}`"
    return kind(_cut(told), field=_cut(path), command=_command(fields))


def _cut(text: str, most: int = _TEXT_MAX) -> str:
    return text if len(text) <= most else text[: most - 1] + "…"
