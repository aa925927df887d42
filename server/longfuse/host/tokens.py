"""Signed tokens: who somebody is, as said by an issuer whose keys the operator has configured.

`Tokens` owns the keys and what a token must claim here. The server owns one. It keeps no token and
never puts one, or a part of one, into an error: those are logged. Keys are read once, at the start;
to change them, restart the server (it drains first).

A token must name its key (`kid`), and claim `exp`, `aud` and `sub`; `iss` too if an issuer is
configured. `nbf`, `iat` and `name` are heeded if they are there. Other claims are not read.
"""

import base64
import binascii
from pathlib import Path
from typing import Annotated, Final, NamedTuple

import msgspec
from joserfc import jwt
from joserfc.errors import (
    BadSignatureError,
    ClaimError,
    ExpiredTokenError,
    JoseError,
    MissingClaimError,
)
from joserfc.jwk import Key
from msgspec import Meta

from longfuse.config import Config, ConfigError
from longfuse.game.entries import Refused
from longfuse.host.token_keys import KeyFileError, OneAlgorithm, algorithm_of, read_keys
from longfuse_protocol.errors import Code
from longfuse_protocol.fields import SHOWN, Name

TOKEN_CHARS_MAX: Final = 8_000
LEEWAY_S: Final = 10
"""How far the issuer's clock may be from ours."""
EXPIRES_S_MAX: Final = 253_402_300_800
"""The year 10000: later ends do not fit what clients' clocks can tell."""


class Identity(NamedTuple):
    """Who a token says that somebody is.

    user: the issuer's id, the same at every visit. name: what they are called; "" if the token does
    not say. expires_s: when the token ends, in seconds since 1970; it may be a little past already.
    """

    user: str
    name: str
    expires_s: float


class _Header(msgspec.Struct):
    alg: str
    kid: str
    crit: list[str] | None = None


class Claims(msgspec.Struct):
    """The claims that are kept of a token, in shapes that others can be shown."""

    sub: Annotated[str, Meta(min_length=1, max_length=128, pattern=SHOWN)]
    exp: Annotated[float, Meta(le=EXPIRES_S_MAX)]
    name: Name | None = None


class Tokens:
    """Verifies tokens against the configured keys, audience and issuer."""

    def __init__(self, config: Config) -> None:
        """Read the keys; raise ConfigError if they cannot be used."""
        self._keys = _configured_keys(config.token_keys)
        self._audience = config.token_audience
        self._issuer = config.token_issuer

    def verify(self, token: str, now_s: float) -> Identity:
        """Tell whose token this is, at a time in seconds since 1970; raise Refused if nobody's."""
        if not self._keys:
            raise _refused("this server takes no tokens: come as a guest, without one")
        if len(token) > TOKEN_CHARS_MAX:
            raise _refused(f"the token is longer than {TOKEN_CHARS_MAX:,} characters")
        key = self._key_of(_header(token))
        try:
            claims = jwt.decode(token, key, registry=OneAlgorithm(algorithm_of(key))).claims
            self._registry(now_s).validate(claims)
            kept = msgspec.convert(claims, Claims)
            _ = f"{kept.sub}{kept.name}".encode()
        except ExpiredTokenError:
            raise _refused("the token has ended: get a new one") from None
        except MissingClaimError:
            raise _refused(f"the token lacks a claim; it must have {self._needed()}") from None
        except ClaimError as error:
            raise _refused(self._unfit(error.claim)) from None
        except BadSignatureError:
            raise _refused("the token's signature is not that of the key it names") from None
        except msgspec.ValidationError as error:
            place = str(error).rpartition("`$.")[2].rstrip("`")
            raise _refused(f"the token's claim {place!r} is not of a form taken here") from None
        except UnicodeEncodeError:  # half a surrogate pair could be sent to nobody
            raise _refused("the token's claims 'sub' and 'name' must be text") from None
        except (JoseError, ValueError, TypeError, RecursionError):
            raise _refused("this is no signed token") from None
        return Identity(kept.sub, kept.name or "", kept.exp)

    def _key_of(self, header: _Header) -> Key:
        key = self._keys.get(header.kid)
        if key is None:
            raise _refused("the token names a key (kid) that this server does not have")
        if header.alg != algorithm_of(key):
            raise _refused("the token's algorithm (alg) is not that of the key it names")
        if header.crit is not None:
            raise _refused("the token asks for extensions (crit); none are taken here")
        return key

    def _registry(self, now_s: float) -> jwt.JWTClaimsRegistry:
        wanted: dict[str, jwt.ClaimsOption] = {
            "exp": {"essential": True},
            "sub": {"essential": True},
            "aud": {"essential": True, "value": self._audience},
        }
        if self._issuer:
            wanted["iss"] = {"essential": True, "value": self._issuer}
        return jwt.JWTClaimsRegistry(now=int(now_s), leeway=LEEWAY_S, **wanted)

    def _needed(self) -> str:
        return "exp, sub, aud and iss" if self._issuer else "exp, sub and aud"

    def _unfit(self, claim: str) -> str:
        if claim == "aud":
            return f"the token is for others: its claim 'aud' must be {self._audience!r}"
        if claim == "iss" and self._issuer:
            return f"the token is from others: its claim 'iss' must be {self._issuer!r}"
        if claim in {"nbf", "iat"}:
            return f"the token is not valid yet (claim {claim!r}), or the server's clock is wrong"
        return f"the token's claim {claim!r} is not of a form taken here"


def _configured_keys(path: str) -> dict[str, Key]:
    if not path:
        return {}
    try:
        keys = read_keys(Path(path))
    except KeyFileError as error:
        raise ConfigError("token_keys", path, str(error)) from None
    except OSError as error:
        raise ConfigError("token_keys", path, f"a readable key file ({error})") from error
    if not keys:
        raise ConfigError("token_keys", path, "a key file with a key in it (`longfuse token key`)")
    return keys


def _header(token: str) -> _Header:
    """Read what a token says of its key; nothing of it is believed yet."""
    first, _, _ = token.partition(".")
    try:
        written = base64.b64decode(first + "=" * (-len(first) % 4), b"-_", validate=True)
        return msgspec.json.decode(written, type=_Header)
    except msgspec.ValidationError:
        raise _refused("the token must name its key (kid) and its algorithm (alg)") from None
    except (binascii.Error, ValueError, RecursionError):
        raise _refused("this is no signed token") from None


def _refused(reason: str) -> Refused:
    return Refused(Code.BAD_TOKEN, reason)
