"""What an operator may set: one frozen record, from a TOML file and the command line over it.

Owns the names, bounds and defaults of all settings. Every error names the key, the value it has and
what is allowed; nothing is silently ignored or cut to fit. It reads files and never writes any.
"""

import re
import tomllib
from collections.abc import Mapping
from difflib import get_close_matches
from ipaddress import ip_network
from pathlib import Path
from typing import Annotated, Literal, get_args

import msgspec
from msgspec import Meta

Seconds = Annotated[float, Meta(gt=0, le=3_600)]
Count = Annotated[int, Meta(ge=1, le=1_000_000)]
Bytes = Annotated[int, Meta(ge=1_024, le=64 * 1_024 * 1_024)]

_ORIGIN = re.compile(
    r"(?=[!-@\[-~]+\Z)"  # as browsers write it: no capitals, no blanks, nothing beyond ASCII
    r"(?!https://.*:443\Z|http://.*:80\Z)"
    r"[a-z][a-z0-9+.-]*://([^\[\]/?#@:*]+|\[[0-9a-f:]+\])(:[1-9][0-9]{0,4})?"
)
"""An origin as the header `Origin` has it."""


class ConfigError(Exception):
    """A setting is wrong. `key` names it, `value` is what it has, `allowed` what it may be."""

    def __init__(self, key: str, value: object, allowed: str) -> None:
        super().__init__(f"{key} = {value!r}: {allowed}")
        self.key = key
        self.value = value
        self.allowed = allowed


class Config(msgspec.Struct, frozen=True, kw_only=True):
    """All settings of a server. Times end in _s, sizes in _bytes_max, counts in _max."""

    host: Annotated[str, Meta(min_length=1)] = "127.0.0.1"
    port: Annotated[int, Meta(ge=0, le=65_535)] = 8_787
    """0 lets the system choose."""
    data: str = ""
    """The folder of the journals; "" keeps nothing."""
    cards: tuple[str, ...] = ()
    """Card files, or folders of them, whose cards and decks can be played besides what ships."""
    tls_certificate: str = ""
    tls_key: str = ""
    origins: tuple[str, ...] = ()
    """Origins of web pages that may connect, besides the server's own; "*" is any."""

    guests: bool = True
    """Whether people may come without a token, under a name that they choose."""
    token_keys: str = ""
    """The file of the keys that signed tokens are verified with; "" takes no tokens."""
    token_audience: str = ""
    """What a token must have in its claim `aud`: this server's name at the issuer."""
    token_issuer: str = ""
    """What a token must have in its claim `iss`; "" does not ask."""
    token_grace_s: Annotated[float, Meta(ge=0, le=3_600)] = 60
    """How long a connection lives on after its token's end."""
    names_reserved: tuple[str, ...] = ()
    """Names that nobody may take, nor one that looks the same, besides those of the server."""

    trusted_proxies: tuple[str, ...] = ("127.0.0.0/8", "::1/128")
    """Addresses, or networks, of proxies whose `X-Forwarded-For` says who connects."""

    connections_max: Count = 2_000
    connections_per_address_max: Count = 100
    """Of one address; with IPv6, of one /64. None of its limits are for this machine's own."""
    connections_per_address_per_s: Count = 10
    connections_per_address_burst: Count = 100
    """New ones. Who comes back with a session has as much again."""
    games_per_address_per_s: Count = 2
    games_per_address_burst: Count = 100
    """What may begin a game, which leaves a file: `create`, `join`, `pair`, and each rematch."""
    people_max: Count = 10_000
    """Sessions that are known, connected or not; beyond, the longest absent are forgotten."""
    sessions_per_s: Count = 200
    sessions_burst: Count = 1_000
    """New ones, of all clients together. Who comes back with a session does not count."""
    sessions_per_user_max: Count = 8
    """Connections of one user; beyond, the oldest is closed."""
    tables_max: Count = 500
    tables_per_person_max: Count = 8
    """Opened by one person, and still there."""
    bot_tables_max: Count = 16
    """At which bots alone sit: they play as fast as the server can, whether or not watched."""
    spectators_max: Count = 1_000
    """Per table."""
    message_bytes_max: Bytes = 16_384
    """Of one message from a client."""
    outbox_bytes_max: Bytes = 262_144
    """What may wait for one client before it is cut off; one step alone may bring more."""
    messages_per_s: Count = 1_000
    messages_burst: Count = 2_000
    """Per connection."""
    commands_waiting_max: Count = 8
    """Per connection, at its table."""

    hello_s: Seconds = 10
    """Until a new connection says hello."""
    resume_s: Seconds = 60
    """How long a session, and its place at a table, outlives its connection."""
    nonce_s: Seconds = 20
    """Until a seat of a shuffle has sent the hash of its nonce; and again, the nonce."""
    pair_ready_s: Annotated[int, Meta(ge=0, le=600)] = 30
    """Until the two of a random pairing have said that they are ready; 0 does not ask."""
    between_s: Seconds = 120
    """Between the games of a match, at most."""
    pause_s: Seconds = 600
    """What a pause that the seats agreed on lasts, at most."""
    write_s: Seconds = 5
    """Until a client that takes nothing is cut off."""
    ping_s: Seconds = 20
    pong_s: Seconds = 20
    close_s: Seconds = 5
    grace_s: Seconds = 10
    """Between a drain and the end."""

    log_format: Literal["console", "json"] = "console"
    log_level: Literal["debug", "info", "warning", "error"] = "info"


def load(path: Path | None = None, flags: Mapping[str, object] | None = None) -> Config:
    """Read the file, if there is one, lay the flags that are not None over it, and check all."""
    settings = _read(path) if path is not None else {}
    settings.update({key: value for key, value in (flags or {}).items() if value is not None})
    checked = {key: _checked(key, value) for key, value in settings.items()}
    config = msgspec.convert(checked, Config)
    _check_together(config)
    return config


def _check_together(config: Config) -> None:
    """Raise ConfigError if a setting needs another one, or is no address."""
    if bool(config.tls_certificate) is not bool(config.tls_key):
        missing = "tls_key" if config.tls_certificate else "tls_certificate"
        raise ConfigError(missing, "", "TLS needs a certificate and a key, or neither")
    if bool(config.token_keys) is not bool(config.token_audience):
        missing = "token_audience" if config.token_keys else "token_keys"
        raise ConfigError(missing, "", "tokens need keys and an audience, or neither")
    if config.token_issuer and not config.token_keys:
        raise ConfigError("token_issuer", config.token_issuer, "only with token_keys")
    if not config.guests and not config.token_keys:
        raise ConfigError("guests", config.guests, "without token_keys, nobody could come in")
    for origin in config.origins:
        if origin != "*" and not _ORIGIN.fullmatch(origin):
            allowed = (
                'how web pages are named by their browser, such as "https://play.example.com" or '
                '"http://127.0.0.1:8000": in lower case, with no path, and with no port that the '
                'scheme has anyway; or "*" for any'
            )
            raise ConfigError("origins", origin, allowed)
    for proxy in config.trusted_proxies:
        try:
            ip_network(proxy)
        except ValueError as error:
            allowed = f"addresses or networks, such as 10.0.0.0/8 ({error})"
            raise ConfigError("trusted_proxies", proxy, allowed) from None


def _read(path: Path) -> dict[str, object]:
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigError("config", str(path), f"a readable TOML file ({error})") from error
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise ConfigError("config", str(path), f"a TOML file ({error})") from error


def _checked(key: str, value: object) -> object:
    """Return the value as its setting has it, or tell what the setting takes."""
    kind = Config.__annotations__.get(key)
    if kind is None:
        near = get_close_matches(key, Config.__struct_fields__, n=1)
        hint = (
            f"did you mean {near[0]}?"
            if near
            else f"the settings are {', '.join(Config.__struct_fields__)}"
        )
        raise ConfigError(key, value, f"there is no such setting; {hint}")
    try:
        return msgspec.convert(value, kind)
    except msgspec.ValidationError as error:
        raise ConfigError(key, value, _allowed(kind, str(error))) from error


def _allowed(kind: object, told: str) -> str:
    """Say what a setting of this kind may be: its choices, its bounds, or the checker's words."""
    parts = get_args(kind)
    if parts and all(isinstance(part, str) for part in parts):
        return f"one of {', '.join(parts)}"
    limits = " and ".join(
        f"{word} {bound:,}"
        for meta in parts
        if isinstance(meta, Meta)
        for word, bound in (("above", meta.gt), ("at least", meta.ge), ("at most", meta.le))
        if bound is not None
    )
    if not limits:
        return told[:1].lower() + told[1:]
    return f"{'a whole number' if parts[0] is int else 'a number'}, {limits}"
