"""The example settings are those of the server: each is there, and each has its default."""

from __future__ import annotations

import re

import msgspec
import pytest

from deploy.files import (
    COMPOSE,
    COMPOSE_TOKENS,
    DEPLOY,
    DROP_INS,
    EXAMPLE,
    NGINX,
    UNIT,
    compose,
    settings_in_comments,
    unit_values,
)
from longfuse import config as settings
from longfuse.config import Config

SHOWN = re.compile(r"^#?(\w+) = ", re.MULTILINE)
CHANGED = {
    "log_format": "json",
    "trusted_proxies": ("127.0.0.0/8", "::1/128", "172.16.0.0/12", "192.168.0.0/16"),
}
"""What the example sets otherwise than the server by itself."""
SECRETS = {
    "longfuse-tls.conf": {"tls_certificate", "tls_key"},
    "longfuse-tokens.conf": {"token_keys"},
    "compose.tokens.yaml": {"token_keys"},
}
"""Which settings each addition gives a file of secrets."""


def test_the_example_loads() -> None:
    """The server takes the example as it is, and it changes what we say that it changes."""
    assert settings.load(EXAMPLE) == msgspec.structs.replace(Config(), **CHANGED)


def test_every_setting_is_shown_with_its_default(tmp_path) -> None:
    """Nothing an operator may set is left out, and what is commented out is what holds without."""
    text = EXAMPLE.read_text(encoding="utf-8")
    uncommented = tmp_path / "all.toml"
    uncommented.write_text(re.sub(r"^#(?=\w+ = )", "", text, flags=re.MULTILINE), "utf-8")

    assert sorted(SHOWN.findall(text)) == sorted(Config.__struct_fields__)
    assert settings.load(uncommented) == msgspec.structs.replace(Config(), **CHANGED)


@pytest.mark.parametrize("name", SECRETS)
def test_the_settings_of_an_addition_belong_together(name: str) -> None:
    """What the comments of an addition say to set is taken, together with the example."""
    given = settings_in_comments(DEPLOY / name)

    config = settings.load(EXAMPLE, given)

    assert SECRETS[name] <= given.keys()
    assert all(getattr(config, key) == value for key, value in given.items() if key != "origins")


def test_secrets_lie_where_systemd_puts_them() -> None:
    """Each path of a secret under systemd has a credential that is loaded, and the other way."""
    loaded = [one.split(":")[0] for one in unit_values("LoadCredential", UNIT, *DROP_INS)]
    folder = "/run/credentials/longfuse.service/"
    named = [
        value.removeprefix(folder)
        for path in DROP_INS
        for value in settings_in_comments(path).values()
        if str(value).startswith("/")
    ]

    assert loaded
    assert sorted(named) == sorted(loaded)


def test_secrets_lie_where_compose_puts_them() -> None:
    """Each service has the secrets that its configuration names, and no other."""
    services = compose(COMPOSE, COMPOSE_TOKENS)["services"]
    asked = settings_in_comments(COMPOSE_TOKENS)["token_keys"]
    proxied = re.findall(r"/run/secrets/(\w+)", NGINX.read_text(encoding="utf-8"))

    assert [f"/run/secrets/{name}" for name in services["server"]["secrets"]] == [asked]
    assert sorted(proxied) == sorted(services["proxy"]["secrets"])
