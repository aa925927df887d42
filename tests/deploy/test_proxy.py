"""The proxy's configuration: what it lets through, how long it waits, and what it keeps back."""

from __future__ import annotations

import contextlib
import functools
import os
import re
import shutil
import signal
import socket
import ssl
import subprocess
from collections.abc import AsyncGenerator
from pathlib import Path

import pytest
import trio
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.trio.client import connect

from deploy.files import COMPOSE, NGINX, ROOT, compose, is_under, proxy, seconds, size
from deploy.files import server_settings as parsed
from e2e.test_sockets import open_server
from longfuse.config import Config
from longfuse.host.gateway import PATH
from longfuse_protocol.errors import CloseCode
from support.schedule import A_HANG_S

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
    assert headers == {
        "Upgrade": "$http_upgrade",
        "Connection": "upgrade",
        "Host": "$http_host",
        "X-Forwarded-For": "$remote_addr",
    }


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


@pytest.fixture
def nginx() -> str:
    """The program, where it is installed; without it, a test is left out."""
    program = shutil.which("nginx")
    if program is None:
        pytest.skip("nginx is not installed")
    return program


def command_of(nginx: str, folder: Path, *, port: str, upstream: str) -> list[str]:
    """The command that runs this configuration in that folder, with other addresses."""
    text = NGINX.read_text(encoding="utf-8").replace(" /tmp/", f" {folder}/")
    text = re.sub(r"/run/secrets/\w+", str(PEM), text)
    text = text.replace("listen 8443 ", f"listen {port} ").replace(" server:8787;", f" {upstream};")
    here = folder / "nginx.conf"
    here.write_text(text, encoding="utf-8")
    return [nginx, "-e", "stderr", "-c", str(here)]


@pytest.mark.slow
def test_nginx_itself_reads_the_file(nginx: str, tmp_path: Path) -> None:
    """Its own checker finds nothing wrong."""
    command = command_of(nginx, tmp_path, port="8443", upstream="server:8787")

    done = subprocess.run(
        [*command, "-t", "-q"], capture_output=True, text=True, timeout=A_HANG_S, check=False
    )

    assert (done.returncode, done.stderr) == (0, "")


@contextlib.asynccontextmanager
async def open_proxy(
    nginx: str, folder: Path, upstream: str
) -> AsyncGenerator[tuple[int, trio.Process], None]:
    """Run the proxy; it takes over a socket that listens already. Leaving waits for its end."""
    with socket.create_server(("127.0.0.1", 0)) as listening:
        port = listening.getsockname()[1]
        run = functools.partial(
            trio.run_process,
            command_of(nginx, folder, port=f"127.0.0.1:{port}", upstream=upstream),
            env={**os.environ, "NGINX": f"{listening.fileno()};"},
            pass_fds=[listening.fileno()],
            capture_stdout=True,
            capture_stderr=True,
        )
        async with trio.open_nursery() as nursery:
            process: trio.Process = await nursery.start(run)
            yield port, process


def dial(port: int, path: str = PATH, origin: str | None = None) -> connect:
    """Connect through the proxy, as a page of its own host if no other is named."""
    at = f"localhost:{port}"
    trust = ssl.create_default_context(cafile=PEM)
    return connect(f"wss://{at}{path}", ssl=trust, origin=origin or f"https://{at}", proxy=None)


@pytest.mark.realtime
@pytest.mark.slow
async def test_clients_hear_through_it_that_the_server_ends(nginx: str, tmp_path: Path) -> None:
    """Both are told to end at once; the client is closed by the server, and then the proxy ends."""
    async with (
        open_server() as rig,
        open_proxy(nginx, tmp_path, f"127.0.0.1:{rig.running.port}") as (port, process),
        dial(port) as client,
    ):
        process.send_signal(signal.SIGQUIT)
        rig.running.drain()
        with pytest.raises(ConnectionClosed) as closed:
            while True:
                await client.recv()

    assert closed.value.rcvd.code == CloseCode.RESTART
    assert process.returncode == 0


@pytest.mark.realtime
@pytest.mark.slow
async def test_it_keeps_back_what_is_not_for_the_world(nginx: str, tmp_path: Path) -> None:
    """The health check stays inside; a page of another host is turned away by the server."""
    async with (
        open_server() as rig,
        open_proxy(nginx, tmp_path, f"127.0.0.1:{rig.running.port}") as (port, process),
    ):
        codes = []
        for settings in ({"path": "/healthz"}, {"origin": "https://a.example"}):
            with pytest.raises(InvalidStatus) as refused:
                async with dial(port, **settings):
                    pass
            codes.append(refused.value.response.status_code)
        process.send_signal(signal.SIGQUIT)

    assert codes == [404, 403]


def test_the_one_for_a_host_says_the_same() -> None:
    """What the page shows for an nginx on the host is this file's, but for where it stands."""
    page = (NGINX.parent / "README.md").read_text(encoding="utf-8")
    (shown,) = re.findall(r"^```nginx\n(.*?)^```$", page, re.DOTALL | re.MULTILINE)
    here = {line.strip() for line in NGINX.read_text(encoding="utf-8").splitlines()}
    own = [line.strip() for line in shown.splitlines() if line.strip() not in here]

    assert [line.split()[0] for line in own] == [
        *("listen", "server_name", "ssl_certificate", "ssl_certificate_key", "proxy_pass"),
    ]
    assert f"proxy_pass http://127.0.0.1:{Config().port};" in own
    for line in proxy().inner(f"location = {PATH}").lines:
        assert line[0] in shown or line[0] in ("resolver", "set"), line
