"""The proxy's configuration: what it lets through, how long it waits, and what it keeps back."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from deploy.files import COMPOSE, NGINX, ROOT, compose, is_under, proxy, seconds, size
from deploy.files import server_settings as parsed
from longfuse.config import Config
from longfuse.host.gateway import PATH

PEM = ROOT / "tests" / "host" / "localhost.pem"


def services() -> dict[str, dict]:
    """The services of the compose file."""
    return compose(COMPOSE)["services"]


def server_settings() -> Config:
    """The settings of the server behind it."""
    return parsed(services()["server"]["command"])


def test_websockets_reach_the_server() -> None:
    """The path of the server's websockets is passed on, with what an upgrade needs."""
    location = proxy().inner(f"location = {PATH}")
    headers = dict(location.values("proxy_set_header"))
    variable, address = location.values("set")[0]

    assert location.value("proxy_pass") == f"http://{variable}"
    assert address == f"server:{server_settings().port}"
    assert location.value("proxy_http_version") == "1.1"
    assert headers == {"Upgrade": "$http_upgrade", "Connection": "upgrade", "Host": "$http_host"}


def test_nothing_else_does() -> None:
    """Every other path is answered by the proxy; the health check is not for the world."""
    top = proxy()
    locations = [block for block in top.all_blocks() if block.name.startswith("location ")]

    assert {block.name for block in locations} == {f"location = {PATH}", "location /"}
    assert top.inner("location /").lines == [["return", "404"]]
    assert len(top.values("proxy_pass")) == 1


def test_it_waits_longer_than_the_server_is_silent() -> None:
    """A ping comes in time, and so does the server's own judgement of a client."""
    location = proxy().inner(f"location = {PATH}")
    config = server_settings()

    assert seconds(location.value("proxy_read_timeout")) > config.ping_s + config.pong_s
    assert seconds(location.value("proxy_send_timeout")) > config.write_s
    assert seconds(location.value("send_timeout")) > config.write_s


def test_requests_are_bounded() -> None:
    """In size and in time, before the server hears of them."""
    http = proxy().inner("http")
    _, header_bytes = http.values("large_client_header_buffers")[0]

    assert size(http.value("client_max_body_size")) <= server_settings().message_bytes_max
    assert size(header_bytes) <= 8_192
    assert seconds(http.value("client_header_timeout")) <= server_settings().hello_s
    assert seconds(http.value("client_body_timeout")) <= server_settings().hello_s


def test_addresses_are_limited() -> None:
    """Connections and attempts are counted for each address, at the one way in."""
    http = proxy().inner("http")
    location = proxy().inner(f"location = {PATH}")

    for what, used in (
        ("limit_conn", location.values("limit_conn")[0][0]),
        ("limit_req", location.values("limit_req")[0][0].removeprefix("zone=")),
    ):
        (zone,) = http.values(f"{what}_zone")
        assert zone[0] == "$binary_remote_addr"
        assert zone[1].startswith(f"zone={used}:")


def test_it_ends_tls() -> None:
    """With today's versions, at the port that is published, with files that are secret."""
    server = proxy().inner("server")
    (listens,) = server.values("listen")
    published = [port.split(":")[1] for port in services()["proxy"]["ports"]]

    assert listens == [*published, "ssl", "default_server"]
    assert proxy().values("ssl_protocols") == [["TLSv1.2", "TLSv1.3"]]
    for key in ("ssl_certificate", "ssl_certificate_key"):
        assert is_under(proxy().value(key), "/run/secrets")


def test_it_has_room_for_all_connections() -> None:
    """One worker could hold them all, outside and inside, and has the files for it."""
    top = proxy()
    connections = int(top.value("worker_connections"))
    files = int(top.value("worker_rlimit_nofile"))

    assert connections > 2 * server_settings().connections_max
    assert files > connections
    assert services()["proxy"]["ulimits"]["nofile"] >= files


def test_it_writes_only_where_it_may() -> None:
    """All that nginx writes goes to the folder in memory, or to the log of the container."""
    folders = [one.split(":")[0] for one in services()["proxy"]["tmpfs"]]
    top = proxy()
    written = [top.value("pid")] + [
        top.value(f"{what}_temp_path")
        for what in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    ]

    assert all(any(is_under(path, folder) for folder in folders) for path in written)
    assert top.values("error_log")[0][0] == "/dev/stderr"
    assert top.values("access_log")[0][0] == "/dev/stdout"


def test_the_log_leaves_out_what_follows_a_question_mark() -> None:
    """Whoever puts a token into an address all the same does not find it in a log."""
    ((_, *words),) = proxy().values("log_format")
    variables = set(re.findall(r"\$\w+", " ".join(words)))

    assert "$uri" in variables
    assert not variables & {"$request", "$request_uri", "$args", "$query_string", "$http_referer"}


@pytest.mark.slow
def test_nginx_itself_reads_the_file(tmp_path: Path) -> None:
    """Its own checker finds nothing wrong, where it is installed."""
    nginx = shutil.which("nginx")
    if nginx is None:
        pytest.skip("nginx is not installed")
    text = NGINX.read_text(encoding="utf-8")
    text = re.sub(r"/run/secrets/\w+", str(PEM), text).replace(" /tmp/", f" {tmp_path}/")
    here = tmp_path / "nginx.conf"
    here.write_text(text, encoding="utf-8")

    done = subprocess.run(
        [nginx, "-t", "-q", "-c", here], capture_output=True, text=True, timeout=30, check=False
    )

    assert (done.returncode, done.stderr) == (0, "")
