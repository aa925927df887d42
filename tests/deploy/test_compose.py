"""The compose file: one server and its proxy, confined, and stopped in the right order."""

from __future__ import annotations

import resource
import shutil
import subprocess

import pytest

from deploy.files import (
    COMPOSE,
    COMPOSE_TOKENS,
    DATA_AT,
    DEPLOY,
    ROOT,
    SETTINGS_AT,
    compose,
    container_stages,
    only,
    seconds,
    server_settings,
    size,
)
from longfuse.host.door import streams_max
from support.schedule import A_HANG_S

FILES = {"alone": (COMPOSE,), "with tokens": (COMPOSE, COMPOSE_TOKENS)}


def server() -> dict:
    """The service that is the server."""
    return compose(COMPOSE)["services"]["server"]


def test_the_command_is_the_server_s() -> None:
    """Command line and settings are taken, and agree with the rest of the file."""
    service = server()
    config = server_settings(service["command"])

    assert service["expose"] == [str(config.port)]
    assert service["volumes"] == [f"games:{config.data}"]
    assert config.data == DATA_AT
    assert config.host == "0.0.0.0"
    assert config.log_format == "json"
    assert service["configs"] == [{"source": "settings", "target": SETTINGS_AT}]


@pytest.mark.parametrize("name", ["server", "proxy"])
def test_services_are_confined(name: str) -> None:
    """Nothing to write to but what is given, no privileges, no end of nothing."""
    service = compose(COMPOSE)["services"][name]
    user = service.get("user") or only(container_stages()[-1], "USER").rest

    assert service["read_only"] is True
    assert service["cap_drop"] == ["ALL"]
    assert service["security_opt"] == ["no-new-privileges:true"]
    assert not {"privileged", "cap_add", "pid", "ipc", "network_mode"} & service.keys()
    assert int(user.split(":")[0]) > 0
    assert {"mem_limit", "cpus", "pids_limit", "ulimits"} <= service.keys()
    assert {"max-size", "max-file"} <= service["logging"]["options"].keys()
    assert "env_file" not in service
    assert "environment" not in service


def test_only_the_proxy_is_reached_from_outside() -> None:
    """The server has no port on the host, and is in a network without a way out."""
    whole = compose(COMPOSE)
    proxy = whole["services"]["proxy"]

    assert "ports" not in server()
    assert all(whole["networks"][name]["internal"] for name in server()["networks"])
    assert set(server()["networks"]) < set(proxy["networks"])
    assert [port.split(":")[0] for port in proxy["ports"]] == ["443"]


def test_the_server_has_time_to_end() -> None:
    """It is killed only after it would have ended by itself, and the proxy after that."""
    config = server_settings(server()["command"])
    proxy = compose(COMPOSE)["services"]["proxy"]
    patience = seconds(server()["stop_grace_period"])

    assert patience > config.grace_s + config.close_s
    assert seconds(proxy["stop_grace_period"]) > patience


def test_the_proxy_outlives_the_server() -> None:
    """It is not stopped first, and takes leave of its websockets only when they have ended."""
    proxy = compose(COMPOSE)["services"]["proxy"]

    assert "depends_on" not in proxy
    assert proxy["stop_signal"] == "SIGQUIT"


def test_files_are_enough_for_all_connections(monkeypatch: pytest.MonkeyPatch) -> None:
    """The server is given as many files as it asks for."""
    config = server_settings(server()["command"])
    limits = [resource.RLIM_INFINITY, server()["ulimits"]["nofile"]]
    streams = []
    for files in limits:
        monkeypatch.setattr(resource, "getrlimit", lambda _which, files=files: (files, files))
        streams.append(streams_max(config))

    assert streams[0] == streams[1] > config.connections_max


def test_memory_is_enough_for_slow_clients() -> None:
    """What may wait for all clients takes half of it at most."""
    config = server_settings(server()["command"])

    assert size(server()["mem_limit"]) >= 2 * config.connections_max * config.outbox_bytes_max


@pytest.mark.parametrize("paths", FILES.values(), ids=FILES)
def test_what_is_named_is_there(paths) -> None:
    """Files, networks, volumes, configurations and secrets that services name."""
    whole = compose(*paths)
    build = whole["services"]["server"]["build"]
    files = [entry["file"] for entry in whole["configs"].values()]

    assert (DEPLOY / build["context"]).resolve() == ROOT
    assert (ROOT / build["dockerfile"]).is_file()
    assert files
    assert all((DEPLOY / name).is_file() for name in files)
    for service in whole["services"].values():
        assert {one["source"] for one in service["configs"]} <= whole["configs"].keys()
        assert set(service.get("secrets", [])) <= whole["secrets"].keys()
        assert {one.split(":")[0] for one in service.get("volumes", [])} <= whole["volumes"].keys()
        assert set(service["networks"]) <= whole["networks"].keys()


def test_secrets_are_files_that_are_not_kept_here() -> None:
    """All in one folder, and that folder is not for the repository."""
    secrets = compose(COMPOSE, COMPOSE_TOKENS)["secrets"].values()

    assert len(secrets) == 3
    assert all(list(one) == ["file"] and one["file"].startswith("secrets/") for one in secrets)
    assert "/secrets/" in (DEPLOY / ".gitignore").read_text(encoding="utf-8").splitlines()


def compose_command() -> list[str] | None:
    """How compose is called here, if it is."""
    docker = shutil.which("docker")
    if docker is None:
        return None
    command = [docker, "compose"]
    known = subprocess.run(
        [*command, "version"], capture_output=True, timeout=A_HANG_S, check=False
    )
    return command if known.returncode == 0 else None


@pytest.mark.slow
@pytest.mark.parametrize("paths", FILES.values(), ids=FILES)
def test_compose_itself_reads_the_file(paths) -> None:
    """Its own checker finds nothing wrong, where it is installed."""
    command = compose_command()
    if command is None:
        pytest.skip("docker compose is not installed")
    files = [word for path in paths for word in ("--file", str(path))]

    done = subprocess.run(
        [*command, *files, "config", "--quiet"],
        capture_output=True,
        text=True,
        timeout=A_HANG_S,
        check=False,
    )

    assert (done.returncode, done.stderr) == (0, "")
