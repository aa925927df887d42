"""The keys of signed tokens: a file of them, and the one algorithm that each may be used with.

Owns the format of the file (a JSON Web Key Set), the algorithms that there are, and who may read a
file that holds secrets. It never reads a token, and never puts a key's secret into an error.

The algorithm is a property of the key, said in the file. What a token says of itself decides
nothing: it must agree. So `none` cannot be asked for, nor can a public key be used as a password.
"""

import os
import stat
import warnings
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Final, NamedTuple

import msgspec
from joserfc import jwk
from joserfc.errors import JoseError, SecurityWarning, UnsupportedAlgorithmError
from joserfc.jwa import JWSAlgModel
from joserfc.jwk import Key
from joserfc.jws import JWSRegistry
from msgspec import Meta

HMAC_BYTES_MIN: Final = 32
"""A shared secret shorter than its hash can be guessed from one token (RFC 7518, 3.2)."""


class Algorithm(NamedTuple):
    """What kind of key an algorithm takes: its type and its curve ("" if it has none)."""

    kty: str
    crv: str


ALGORITHMS: Final[Mapping[str, Algorithm]] = {
    "EdDSA": Algorithm("OKP", "Ed25519"),
    "Ed25519": Algorithm("OKP", "Ed25519"),  # what RFC 9864 calls the same
    "ES256": Algorithm("EC", "P-256"),
    "HS256": Algorithm("oct", ""),
}

KID_CHARS_MAX: Final = 64
KeyId = Annotated[str, Meta(min_length=1, max_length=KID_CHARS_MAX)]


class KeyFileError(Exception):
    """A key file cannot be used; the text says why and what to do, and quotes no secret.

    Whoever reads the file adds which one it is.
    """


class _KeyFile(msgspec.Struct):
    keys: list[dict[str, str | list[str]]]


class _Described(msgspec.Struct):
    kid: KeyId
    alg: str
    kty: str
    crv: str = ""


class OneAlgorithm(JWSRegistry):
    """What the library may verify or sign with: one algorithm, however a token names another.

    It also leaves out the library's remark that "EdDSA" has a newer name: most issuers write it.
    """

    def __init__(self, alg: str) -> None:
        super().__init__(strict_check_header=False)
        self._alg = alg

    def get_alg(self, name: str) -> JWSAlgModel:
        """Return the algorithm, if it is the one; UnsupportedAlgorithmError if not."""
        if name != self._alg:
            raise UnsupportedAlgorithmError("not the algorithm of the key")
        return self.algorithms[name]


def read_keys(path: Path) -> dict[str, Key]:
    """Read a key file: its keys by their ids. Raise KeyFileError, or OSError if it is unreadable.

    Whoever reads a secret key can make tokens, so a file that holds one is refused if everybody
    on this machine may read it.
    """
    with path.open("rb") as file:
        mode = os.fstat(file.fileno()).st_mode
        content = file.read()
    try:
        listed = msgspec.json.decode(content, type=_KeyFile).keys
    except (msgspec.DecodeError, RecursionError, UnicodeDecodeError):
        raise KeyFileError(
            'this is no key file: it must be an object {"keys": […]} of JSON Web Keys'
        ) from None
    keys: dict[str, Key] = {}
    for place, written in enumerate(listed):
        kid, key = _key(written, f"keys[{place}]")
        if kid in keys:
            raise KeyFileError(f"keys[{place}]: there are two keys {kid!r}")
        keys[kid] = key
    if any(key.is_private for key in keys.values()) and mode & stat.S_IROTH:
        raise KeyFileError(
            "it holds secret keys, and everybody on this machine may read it: "
            "`chmod 600` it, or keep only the public keys there (`longfuse token public`)"
        )
    return keys


def new_key(kid: str, alg: str) -> Key:
    """Make a secret key for one of the algorithms."""
    kind = ALGORITHMS[alg]
    parameters: jwk.KeyParameters = {"kid": kid, "alg": alg, "use": "sig"}
    if kind.kty == "oct":
        return jwk.OctKey.generate_key(8 * HMAC_BYTES_MIN, parameters)
    if kind.kty == "EC":
        return jwk.ECKey.generate_key("P-256", parameters)
    return jwk.OKPKey.generate_key("Ed25519", parameters)


def public_part(key: Key) -> dict[str, str | list[str]] | None:
    """Return what verifies and cannot sign, as a JSON Web Key; None for a shared secret."""
    if isinstance(key, jwk.OctKey):
        return None
    public = key.as_dict(private=False)
    public.pop("key_ops", None)  # it may say "sign", which a public key cannot
    return public


def algorithm_of(key: Key) -> str:
    """Return the algorithm of a key that `read_keys` or `new_key` made."""
    return str(key.alg)


def _key(written: dict[str, str | list[str]], place: str) -> tuple[str, Key]:
    """Make one key of a file; `place` says where it stands."""
    try:
        described = msgspec.convert(written, _Described)
    except msgspec.ValidationError as error:
        raise KeyFileError(f"{place}: {_lower(str(error))}") from None
    place = f"{place} ({described.kid!r})"
    wanted = ALGORITHMS.get(described.alg)
    if wanted is None:
        allowed = ", ".join(ALGORITHMS)
        raise KeyFileError(f"{place}: alg is {described.alg!r}; a key here is for one of {allowed}")
    if (described.kty, described.crv) != wanted:
        told = " ".join(f"{name} {value!r}" for name, value in wanted._asdict().items() if value)
        raise KeyFileError(f"{place}: {described.alg} takes a key with {told}")
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error", SecurityWarning)
            key = jwk.import_key(written)
        key.check_use("sig")
        key.check_key_op("verify")
    except (JoseError, SecurityWarning, ValueError, TypeError, KeyError):
        # The library's own words might quote what does not fit.
        raise KeyFileError(f"{place}: this is no {described.alg} key for signatures") from None
    if isinstance(key, jwk.OctKey) and len(key.raw_value) < HMAC_BYTES_MIN:
        raise KeyFileError(
            f"{place}: a secret of {len(key.raw_value)} bytes; HS256 takes {HMAC_BYTES_MIN} or more"
        )
    return described.kid, key


def _lower(text: str) -> str:
    return text[:1].lower() + text[1:]
