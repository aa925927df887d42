"""Settings, and what is said of wrong ones."""

import pytest

from longfuse.config import Config, ConfigError, load


def test_defaults():
    """Without file and flags, everything has its default."""
    assert load() == Config()


def test_file_and_flags(tmp_path):
    """Flags come over the file, and the file over the defaults; a flag not given counts not."""
    path = tmp_path / "longfuse.toml"
    path.write_text('port = 9000\nhost = "::1"\norigins = ["https://a.example"]\nhello_s = 3\n')

    config = load(path, {"port": 0, "host": None})

    assert (config.port, config.host, config.origins) == (0, "::1", ("https://a.example",))
    assert (config.hello_s, config.ping_s) == (3.0, 20)


@pytest.mark.parametrize(
    ("key", "value", "allowed"),
    [
        ("port", -1, "a whole number, at least 0 and at most 65,535"),
        ("port", "x", "a whole number"),
        ("port", True, "a whole number"),
        ("hello_s", 0, "a number, above 0"),
        ("tables_max", 10**9, "at most 1,000,000"),
        ("log_format", "xml", "one of console, json"),
        ("origins", ["a", 1], "expected `str`, got `int` - at `$[1]`"),
        ("host", "", "length >= 1"),
        ("prot", 1, "no such setting; did you mean port?"),
        ("zzz", 1, "the settings are host, port"),
        ("server", {"port": 1}, "no such setting"),
    ],
)
def test_wrong_settings(key, value, allowed):
    """A wrong setting is told with key, value and what is allowed."""
    with pytest.raises(ConfigError) as caught:
        load(flags={key: value})

    assert (caught.value.key, caught.value.value) == (key, value)
    assert allowed in caught.value.allowed
    assert key in str(caught.value)
    assert repr(value) in str(caught.value)


def test_half_of_tls():
    """A certificate without its key, or the other way round, is told."""
    with pytest.raises(ConfigError, match="tls_key"):
        load(flags={"tls_certificate": "a.pem"})
    with pytest.raises(ConfigError, match="tls_certificate"):
        load(flags={"tls_key": "a.pem"})


@pytest.mark.parametrize(
    "origin",
    ["*", "https://a.example", "http://127.0.0.1:8000", "http://[::1]:8000", "app://localhost"],
)
def test_origins_as_browsers_write_them(origin):
    """A page's address with scheme and host, and a port where it needs one."""
    assert load(flags={"origins": [origin]}).origins == (origin,)


@pytest.mark.parametrize(
    "origin",
    [
        "nope",
        "",
        "null",
        "a.example",
        "https://",
        "https://a.example/",
        "https://a.example:443",
        "http://a.example:80",
        "https://A.example",
        "https://*.example",
        "https://a.example:0",
        " https://a.example",
        "https://a.example\n",
    ],
)
def test_origins_that_no_browser_names(origin):
    """What could never match is told, with what would."""
    with pytest.raises(ConfigError, match='such as "https') as caught:
        load(flags={"origins": ["https://b.example", origin]})

    assert (caught.value.key, caught.value.value) == ("origins", origin)


@pytest.mark.parametrize(
    ("flags", "wrong"),
    [
        ({"token_keys": "keys.json"}, "token_audience"),
        ({"token_audience": "cards.example"}, "token_keys"),
        ({"token_issuer": "https://issuer.example"}, "token_issuer"),
        ({"guests": False}, "guests"),
    ],
)
def test_half_of_tokens(flags, wrong):
    """Settings for tokens that cannot work without each other are told."""
    with pytest.raises(ConfigError) as caught:
        load(flags=flags)

    assert caught.value.key == wrong


@pytest.mark.parametrize("proxy", ["proxy.example", "10.0.0.1/8", "10.0.0.0/33", ""])
def test_a_proxy_that_is_no_address(proxy):
    """A proxy that is trusted is named by its address, or by its network; else it is told."""
    with pytest.raises(
        ConfigError, match=r"addresses or networks, such as 10\.0\.0\.0/8"
    ) as caught:
        load(flags={"trusted_proxies": ["192.0.2.1", "2001:db8::/32", proxy]})

    assert (caught.value.key, caught.value.value) == ("trusted_proxies", proxy)


def test_all_of_tokens():
    """With keys and an audience, guests may be kept out; the file is not read here."""
    config = load(flags={"token_keys": "k.json", "token_audience": "a", "guests": False})

    assert (config.token_keys, config.token_audience, config.guests) == ("k.json", "a", False)


@pytest.mark.parametrize("content", [b"port = ", b"port: 1", b"\xff"])
def test_no_toml(tmp_path, content):
    """A file that is no TOML is told by its name."""
    path = tmp_path / "broken.toml"
    path.write_bytes(content)

    with pytest.raises(ConfigError, match=r"broken\.toml"):
        load(path)


def test_no_file(tmp_path):
    """A file that is not there is told by its name."""
    with pytest.raises(ConfigError, match=r"none\.toml"):
        load(tmp_path / "none.toml")
