"""Signed tokens: who gets in, and every way of forging that should not."""

from __future__ import annotations

import base64
import contextlib
import hashlib
import hmac
import json
from pathlib import Path
from typing import Any

import hypothesis
import pytest
from hypothesis import strategies as st
from joserfc import jws, jwt
from joserfc.errors import UnsupportedAlgorithmError
from joserfc.jwk import Key

from longfuse.config import Config, ConfigError
from longfuse.game.entries import Refused
from longfuse.host.token_keys import (
    ALGORITHMS,
    KeyFileError,
    OneAlgorithm,
    new_key,
    public_part,
    read_keys,
)
from longfuse.host.tokens import LEEWAY_S, TOKEN_CHARS_MAX, Identity, Tokens
from longfuse_protocol.errors import Code

NOW_S = 1_800_000_000.5
AUDIENCE = "cards.example"
CLAIMS: dict[str, Any] = {"sub": "u42", "aud": AUDIENCE, "exp": 1_800_000_600}

KEYS = {alg: new_key(f"key for {alg}", alg) for alg in ALGORITHMS}


def as_written(key: Key) -> dict[str, Any]:
    """What a server is given of a key: the public part, or all of a shared secret."""
    return public_part(key) or key.as_dict(private=True)


def write(path: Path, *keys: dict[str, Any], mode: int = 0o600) -> str:
    """Write a key file."""
    path.write_text(json.dumps({"keys": keys}))
    path.chmod(mode)
    return str(path)


@pytest.fixture(scope="module")
def keys(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A key file with a key for each algorithm."""
    return write(tmp_path_factory.mktemp("keys") / "keys.json", *map(as_written, KEYS.values()))


@pytest.fixture(scope="module")
def tokens(keys: str) -> Tokens:
    """A server's tokens."""
    return Tokens(Config(token_keys=keys, token_audience=AUDIENCE))


def signed(
    claims: dict[str, Any] | str = CLAIMS,
    alg: str = "EdDSA",
    *,
    key: Key | None = None,
    **header: Any,
) -> str:
    """A token, signed with the key of this server's for the algorithm, or with another."""
    content = claims if isinstance(claims, str) else json.dumps(claims)
    key = key or KEYS[alg]
    whole = {"alg": alg, "kid": f"key for {alg}", **header}
    return jws.serialize_compact(whole, content, key, registry=OneAlgorithm(alg))


def encoded(content: dict[str, Any] | str | bytes) -> str:
    """One part of a token."""
    if isinstance(content, dict):
        content = json.dumps(content)
    if isinstance(content, str):
        content = content.encode()
    return base64.urlsafe_b64encode(content).rstrip(b"=").decode()


def refusal(tokens: Tokens, token: str, now_s: float = NOW_S) -> str:
    """Why a token is refused; nothing of it may stand in the reason, nor hang on the error."""
    with pytest.raises(Refused) as caught:
        tokens.verify(token, now_s)
    assert caught.value.code == Code.BAD_TOKEN
    assert caught.value.__suppress_context__ or caught.value.__context__ is None
    for part in token.split("."):
        assert len(part) < 8 or part not in caught.value.reason
    return caught.value.reason


@pytest.mark.parametrize("alg", ALGORITHMS)
def test_a_token_tells_whose_it_is(tokens, alg):
    """With a key of each algorithm."""
    claims = {**CLAIMS, "name": "Ann", "nbf": 1_800_000_000, "role": "king"}

    assert tokens.verify(signed(claims, alg), NOW_S) == Identity("u42", "Ann", 1_800_000_600.0)


def test_what_may_be_left_out_or_written_otherwise(tokens):
    """A name need not be there, an audience may be one of several, headers may say more."""
    token = signed({**CLAIMS, "aud": ["other", AUDIENCE]}, typ="at+jwt", own="x")

    assert tokens.verify(token, NOW_S) == Identity("u42", "", 1_800_000_600.0)


@pytest.mark.parametrize("alg", ["none", "None", "NONE", "", "HS256", "ES256", "HS512", "RS256"])
@pytest.mark.parametrize("signature", ["", "AAAA"])
def test_the_algorithm_is_not_the_tokens_to_choose(tokens, alg, signature):
    """Neither no signature nor another algorithm is taken for a key of EdDSA."""
    header = {"alg": alg, "kid": "key for EdDSA"}

    told = refusal(tokens, f"{encoded(header)}.{encoded(CLAIMS)}.{signature}")

    assert "algorithm" in told


def test_two_algorithms_in_one_header(tokens):
    """Whichever of them is read: nothing but the key's own gets as far as the library's code."""
    header = '{"alg": "EdDSA", "kid": "key for EdDSA", "alg": "none"}'
    assert "algorithm" in refusal(tokens, f"{encoded(header)}.{encoded(CLAIMS)}.")

    for alg in ("none", "HS256", "ES256"):
        with pytest.raises(UnsupportedAlgorithmError):
            jws.serialize_compact({"alg": alg}, "", KEYS["EdDSA"], registry=OneAlgorithm("EdDSA"))


@pytest.mark.parametrize("alg", ["EdDSA", "ES256"])
def test_a_public_key_is_no_password(tokens, alg):
    """A token "signed" with HMAC over the public key, which everybody has, is refused."""
    public = as_written(KEYS[alg])
    secrets = [
        KEYS[alg].as_pem(private=False),
        json.dumps(public).encode(),
        base64.urlsafe_b64decode(public["x"] + "=="),
    ]
    for named in ("HS256", alg):
        for secret in secrets:
            what = f"{encoded({'alg': named, 'kid': f'key for {alg}'})}.{encoded(CLAIMS)}"
            mac = hmac.digest(secret, what.encode(), hashlib.sha256)

            refusal(tokens, f"{what}.{encoded(mac)}")


@pytest.mark.parametrize("alg", ALGORITHMS)
def test_another_key_of_the_same_name(tokens, alg):
    """What a stranger signs is refused, also if the token carries the stranger's key along."""
    stranger = new_key(f"key for {alg}", alg)

    assert "signature" in refusal(tokens, signed(alg=alg, key=stranger))
    assert "signature" in refusal(tokens, signed(alg=alg, key=stranger, jwk=as_written(stranger)))


@pytest.mark.parametrize("alg", ALGORITHMS)
def test_a_changed_token(tokens, alg):
    """Whoever changes claims, or cuts the signature off or short, is refused."""
    header, _, signature = signed(alg=alg).split(".")
    other = encoded({**CLAIMS, "sub": "admin"})

    assert "signature" in refusal(tokens, f"{header}.{other}.{signature}")
    assert "signature" in refusal(tokens, f"{header}.{encoded(CLAIMS)}.")
    assert "signature" in refusal(tokens, f"{header}.{encoded(CLAIMS)}.{signature[:-4]}")


@pytest.mark.parametrize("kid", ["other", "", "key for eddsa", "../../etc/passwd"])
def test_an_unknown_key(tokens, kid):
    """A key that is not configured is refused, though its token is well signed."""
    assert "kid" in refusal(tokens, signed(kid=kid))


def test_no_key_named(tokens):
    """A token must name its key, even where there is only one."""
    assert "kid" in refusal(tokens, f"{encoded({'alg': 'EdDSA'})}.{encoded(CLAIMS)}.AAAA")


@pytest.mark.parametrize("extension", [["b64"], ["exp"], []])
def test_extensions(tokens, extension):
    """A token whose header must be understood to its end is not half understood."""
    header = {"alg": "EdDSA", "kid": "key for EdDSA", "crit": extension, "b64": False}
    token = f"{encoded(header)}.{encoded(CLAIMS)}.AAAA"

    assert "crit" in refusal(tokens, token)


@pytest.mark.parametrize("claim", ["sub", "aud", "exp"])
def test_a_missing_claim(tokens, claim):
    """Each of these must be there, and not be null."""
    without = {name: value for name, value in CLAIMS.items() if name != claim}

    assert claim in refusal(tokens, signed(without))
    assert claim in refusal(tokens, signed({**CLAIMS, claim: None}))


@pytest.mark.parametrize(
    ("claim", "value"),
    [
        ("aud", "other.example"),
        ("aud", AUDIENCE.upper()),
        ("aud", ["other.example"]),
        ("aud", []),
        ("aud", 1),
        ("sub", ""),
        ("sub", 42),
        ("sub", "u\x1b[2J"),
        ("sub", "u" * 129),
        ("exp", "2100-01-01"),
        ("exp", True),
        ("exp", 10**13),
        ("exp", 10**400),
        ("nbf", 1_900_000_000),
        ("nbf", "soon"),
        ("iat", 1_900_000_000),
        ("name", ""),
        ("name", 7),
        ("name", "N" * 41),
        ("name", "An\u202en"),
        ("name", "Ann\ud800"),
        ("sub", "\udc00ann"),
    ],
)
def test_an_unfit_claim(tokens, claim, value):
    """A claim of another value or form is refused, and named."""
    assert f"'{claim}'" in refusal(tokens, signed({**CLAIMS, claim: value}))


@pytest.mark.parametrize("content", ["[]", '"x"', "1", "null", "", "{", "\\", "[" * 4_000])
def test_claims_that_are_none(tokens, content):
    """What is signed must be an object of claims."""
    refusal(tokens, signed(content))


@pytest.mark.parametrize("number", ["NaN", "Infinity", "-Infinity", "1e999"])
def test_an_end_that_is_no_number(tokens, number):
    """A token that would never end is refused."""
    refusal(tokens, signed(f'{{"sub": "u", "aud": "{AUDIENCE}", "exp": {number}}}'))


def test_when_a_token_ends_and_begins(tokens):
    """To the second, with a little leeway for the issuer's clock."""
    token = signed({**CLAIMS, "nbf": 1_800_000_100})

    assert "ended" in refusal(tokens, token, 1_800_000_600 + LEEWAY_S)
    assert tokens.verify(token, 1_800_000_600 + LEEWAY_S - 1).user == "u42"
    assert "'nbf'" in refusal(tokens, token, 1_800_000_100 - LEEWAY_S - 1)
    assert tokens.verify(token, 1_800_000_100 - LEEWAY_S).user == "u42"


def test_an_issuer(keys):
    """If one is configured, its name must be in the token."""
    issuer = "https://issuer.example"
    tokens = Tokens(Config(token_keys=keys, token_audience=AUDIENCE, token_issuer=issuer))

    assert tokens.verify(signed({**CLAIMS, "iss": issuer}), NOW_S).user == "u42"
    assert "'iss'" in refusal(tokens, signed({**CLAIMS, "iss": "https://other.example"}))
    assert "iss" in refusal(tokens, signed())


def test_a_token_too_long(tokens):
    """It is refused before anything of it is read."""
    assert "longer" in refusal(tokens, "A" * (TOKEN_CHARS_MAX + 1))
    longest = signed({**CLAIMS, "more": "x" * 5_700})
    assert len(longest) <= TOKEN_CHARS_MAX
    assert tokens.verify(longest, NOW_S).user == "u42"


def test_no_keys():
    """A server without keys refuses every token, and says what to do instead."""
    assert "guest" in refusal(Tokens(Config()), signed())


@hypothesis.given(st.one_of(st.text(), st.text("ey.AJW_-=", max_size=80)))
def test_any_text_is_refused(tokens, token):
    """Nothing else comes of it than a refusal."""
    refusal(tokens, token)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner),
    max_leaves=6,
)
HEADERS = st.dictionaries(
    st.sampled_from(["alg", "kid", "typ", "crit", "b64", "jwk", "x5c", "zip", "enc"]),
    st.sampled_from(["EdDSA", "ES256", "none", "key for EdDSA", "key for ES256"]) | JSON,
)


@hypothesis.given(HEADERS | JSON, JSON, st.binary(max_size=70))
def test_any_parts_are_refused(tokens, header, claims, signature):
    """Whatever the parts of a token say: without a signature, they say nothing."""
    parts = (json.dumps(header), json.dumps(claims), signature)

    refusal(tokens, ".".join(encoded(part) for part in parts))


@hypothesis.given(
    st.fixed_dictionaries(
        {},
        optional={
            claim: st.sampled_from(["u42", AUDIENCE, 1_800_000_600]) | JSON
            for claim in ("sub", "aud", "exp", "nbf", "iat", "name", "jti", "iss")
        },
    )
)
def test_any_signed_claims(tokens, claims):
    """The issuer too can only say who somebody is, or be refused."""
    claims = {**CLAIMS, **claims}

    with contextlib.suppress(Refused):
        identity = tokens.verify(signed(claims), NOW_S)
        assert identity == (claims["sub"], claims.get("name") or "", claims["exp"])


# ---------------------------------------------------------------- key files


def told_of(path: str) -> str:
    """What the operator is told of a key file that cannot be used."""
    with pytest.raises(ConfigError) as caught:
        Tokens(Config(token_keys=path, token_audience=AUDIENCE))
    assert caught.value.key == "token_keys"
    assert path in str(caught.value)
    return str(caught.value)


@pytest.mark.parametrize("alg", ALGORITHMS)
def test_secrets_that_everybody_may_read(tmp_path, alg):
    """A secret key is refused if others may read it; a public one is not."""
    path = tmp_path / "keys.json"
    secret = KEYS[alg].as_dict(private=True)

    assert "chmod 600" in told_of(write(path, secret, mode=0o604))
    assert list(read_keys(Path(write(path, secret, mode=0o640)))) == [f"key for {alg}"]
    if (public := public_part(KEYS[alg])) is not None:
        assert list(read_keys(Path(write(path, public, mode=0o644)))) == [f"key for {alg}"]


def test_a_secret_key_verifies_too(tmp_path):
    """A server that is given the whole key, though it needs half of it, works."""
    path = write(tmp_path / "keys.json", KEYS["ES256"].as_dict(private=True))
    tokens = Tokens(Config(token_keys=path, token_audience=AUDIENCE))

    assert tokens.verify(signed(alg="ES256"), NOW_S).user == "u42"


OCT = KEYS["HS256"].as_dict(private=True)
OKP = public_part(KEYS["EdDSA"]) or {}


@pytest.mark.parametrize(
    ("key", "told"),
    [
        ({**OCT, "alg": "HS512"}, "one of EdDSA, Ed25519, ES256, HS256"),
        ({**OCT, "alg": "none"}, "one of EdDSA"),
        ({"kty": "oct", "k": "AAAA"}, "missing required field `alg`"),
        ({**OCT, "kid": ["a"]}, "expected `str`, got `array` - at `$.kid`"),
        ({**OCT, "kid": ""}, "length >= 1"),
        ({**OCT, "k": "AAAA"}, "no HS256 key"),
        ({**OCT, "k": encoded(b"x" * 31)}, "a secret of 31 bytes; HS256 takes 32 or more"),
        ({**OCT, "k": encoded(KEYS["ES256"].as_pem(private=False))}, "no HS256 key"),
        ({**OCT, "k": "%"}, "no HS256 key"),
        ({**OCT, "alg": "EdDSA"}, "EdDSA takes a key with kty 'OKP' crv 'Ed25519'"),
        ({**OKP, "alg": "HS256"}, "HS256 takes a key with kty 'oct'"),
        ({**OKP, "crv": "Ed448"}, "EdDSA takes a key with"),
        ({**OKP, "x": "AAAA"}, "no EdDSA key"),
        ({**OKP, "use": "enc"}, "no EdDSA key for signatures"),
        ({**OKP, "key_ops": ["sign"]}, "no EdDSA key for signatures"),
    ],
)
def test_an_unfit_key(tmp_path, key, told):
    """A key that no token can be verified with is told at the start, without its secret."""
    path = write(tmp_path / "keys.json", OKP, {"kid": "other", **key})

    found = told_of(path)

    assert told in found
    assert "keys[1]" in found
    assert all(str(key[secret]) not in found for secret in ("k", "x") if key.get(secret))


@pytest.mark.parametrize("content", ["", "[]", "{}", '{"keys": 1}', "-----BEGIN", "\udcff"])
def test_no_key_file(tmp_path, content):
    """A file of another kind is told by its name."""
    path = tmp_path / "keys.json"
    path.write_bytes(content.encode(errors="surrogateescape"))

    assert "no key file" in told_of(str(path))


def test_no_file_no_key_and_two_of_one_name(tmp_path):
    """A file that is not there, is empty, or names two keys alike is told."""
    assert "No such file" in told_of(str(tmp_path / "none.json"))
    assert "with a key in it" in told_of(write(tmp_path / "empty.json"))
    with pytest.raises(KeyFileError, match="two keys 'key for EdDSA'"):
        read_keys(Path(write(tmp_path / "two.json", OKP, OKP)))


def test_keys_by_another_writer(tokens):
    """A token as the library itself writes it is taken: it is not ours alone that we read."""
    header = {"alg": "ES256", "kid": "key for ES256"}

    assert tokens.verify(jwt.encode(header, CLAIMS, KEYS["ES256"]), NOW_S).user == "u42"
