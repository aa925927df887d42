"""The systemd unit: its command, its limits, and what it keeps from the server."""

from __future__ import annotations

import resource
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from deploy.files import (
    DATA_AT,
    DROP_INS,
    UNIT,
    seconds,
    server_settings,
    size,
    unit_command,
    unit_directives,
    unit_values,
)
from longfuse.config import Config
from longfuse.host.door import streams_max
from support.schedule import A_HANG_S

CONFINED = {
    "DynamicUser": "yes",
    "NoNewPrivileges": "yes",
    "CapabilityBoundingSet": "",
    "AmbientCapabilities": "",
    "ProtectSystem": "strict",
    "ProtectHome": "yes",
    "ProtectProc": "invisible",
    "ProcSubset": "pid",
    "ProtectClock": "yes",
    "ProtectHostname": "yes",
    "ProtectKernelLogs": "yes",
    "ProtectKernelModules": "yes",
    "ProtectKernelTunables": "yes",
    "ProtectControlGroups": "yes",
    "PrivateTmp": "yes",
    "PrivateDevices": "yes",
    "PrivateUsers": "yes",
    "PrivateIPC": "yes",
    "RestrictNamespaces": "yes",
    "RestrictRealtime": "yes",
    "RestrictSUIDSGID": "yes",
    "RestrictAddressFamilies": "AF_INET AF_INET6 AF_UNIX",
    "LockPersonality": "yes",
    "MemoryDenyWriteExecute": "yes",
    "RemoveIPC": "yes",
    "SystemCallArchitectures": "native",
    "SystemCallErrorNumber": "EPERM",
    "IPAddressDeny": "any",
    "IPAddressAllow": "localhost",
    "UMask": "0077",
}
"""What each of these must be, and must not be said twice to be something else."""
EXPOSURE_MAX = 15
"""In tenths, as systemd-analyze counts: 0 is no exposure, 100 is all."""


def config() -> Config:
    """The settings that the unit gives the server."""
    return server_settings(unit_command()[1:])


def test_the_command_is_the_server_s() -> None:
    """Command line and settings are taken, and the games go where the unit lets them be written."""
    (folder,) = unit_values("StateDirectory")

    assert unit_command()[0] == "/opt/longfuse/bin/longfuse"
    assert config().data == DATA_AT == f"/var/lib/{folder}"
    assert config().host == "127.0.0.1"


@pytest.mark.parametrize("key", CONFINED)
def test_the_server_is_confined(key: str) -> None:
    """Each of what keeps it confined is there, once."""
    assert unit_values(key) == [CONFINED[key]]


def test_system_calls_are_those_of_a_service() -> None:
    """What services need, less what only root needs and what takes from others."""
    assert unit_values("SystemCallFilter") == ["@system-service", "~@privileged @resources"]


def test_additions_loosen_only_the_network() -> None:
    """The unit's additions load secrets; the one for TLS lets the world in; nothing else."""
    tls, tokens = (unit_directives(path) for path in DROP_INS)

    assert {one.section for one in tls + tokens} == {"Service"}
    assert {one.key for one in tokens} == {"LoadCredential"}
    assert {one.key for one in tls} == {"LoadCredential", "IPAddressDeny", "IPAddressAllow"}


def test_the_port_is_the_one_that_it_may_take() -> None:
    """No other can be taken, over either version of the internet's protocol."""
    port = config().port

    assert unit_values("SocketBindDeny") == ["any"]
    assert unit_values("SocketBindAllow") == [f"ipv4:tcp:{port}", f"ipv6:tcp:{port}"]


def test_secrets_are_no_variables() -> None:
    """Variables of a process can be read by others of its user, and are handed down."""
    assert unit_values("EnvironmentFile") == []
    assert unit_values("Environment") == ["PYTHONDONTWRITEBYTECODE=1"]
    assert unit_values("LoadCredential", *DROP_INS)


def test_the_server_has_time_to_end() -> None:
    """It is killed only after it would have ended by itself."""
    (patience,) = unit_values("TimeoutStopSec")

    assert unit_values("KillSignal") == ["SIGTERM"]
    assert seconds(patience) > config().grace_s + config().close_s


def test_it_comes_back() -> None:
    """A server that ended is started again, and one that cannot start is left alone in the end."""
    (every,) = unit_values("RestartSec")
    (tries,) = unit_values("StartLimitBurst")
    (within,) = unit_values("StartLimitIntervalSec")

    assert unit_values("Restart") == ["always"]
    assert seconds(every) * int(tries) < seconds(within)


def test_files_are_enough_for_all_connections(monkeypatch: pytest.MonkeyPatch) -> None:
    """The server is given as many files as it asks for, and needs to ask nobody."""
    (files,) = map(int, unit_values("LimitNOFILE"))
    streams = []
    for limit in (resource.RLIM_INFINITY, files):
        monkeypatch.setattr(resource, "getrlimit", lambda _which, limit=limit: (limit, limit))
        monkeypatch.delattr(resource, "setrlimit", raising=False)
        streams.append(streams_max(config()))

    assert streams[0] == streams[1] > config().connections_max


def test_memory_is_enough_for_slow_clients() -> None:
    """What may wait for all clients takes half of it at most."""
    (memory,) = unit_values("MemoryMax")

    assert size(memory) >= 2 * config().connections_max * config().outbox_bytes_max


def verified(folder: Path, text: str) -> subprocess.CompletedProcess[str]:
    """What systemd says of this unit with its additions; the program is one that is here."""
    program = shutil.which("systemd-analyze")
    if program is None:
        pytest.skip("systemd is not installed")
    unit = folder / UNIT.name
    unit.write_text(text.replace(unit_command()[0], sys.executable), encoding="utf-8")
    additions = folder / f"{UNIT.name}.d"
    additions.mkdir(exist_ok=True)
    for path in DROP_INS:
        shutil.copy(path, additions)
    return subprocess.run(
        [program, "verify", "--man=no", unit],
        capture_output=True,
        text=True,
        timeout=A_HANG_S,
        check=False,
    )


@pytest.mark.slow
def test_systemd_itself_reads_the_unit(tmp_path: Path) -> None:
    """Its own checker finds nothing wrong, where it is installed; it does find a wrong word."""
    text = UNIT.read_text(encoding="utf-8")

    right = verified(tmp_path, text)
    wrong = verified(tmp_path, text.replace("ProtectClock=", "ProtectClocks="))

    assert (right.returncode, right.stderr) == (0, "")
    assert "ProtectClocks" in wrong.stderr


@pytest.mark.slow
def test_systemd_itself_finds_it_confined(tmp_path: Path) -> None:
    """The exposure that systemd counts stays low, where it is installed and new enough."""
    program = shutil.which("systemd-analyze")
    if program is None:
        pytest.skip("systemd is not installed")
    known = subprocess.run(
        [program, "--help"], capture_output=True, text=True, timeout=A_HANG_S, check=True
    )
    if "--offline" not in known.stdout:
        pytest.skip("this systemd looks at running units only")
    command = [program, "security", "--offline=true", f"--threshold={EXPOSURE_MAX}"]
    codes = []
    text = UNIT.read_text(encoding="utf-8").replace(unit_command()[0], sys.executable)
    for name, unit_text in (
        ("confined", text),
        ("loose", text.replace("DynamicUser=yes", "").replace("ProtectSystem=strict", "")),
    ):
        unit = tmp_path / f"{name}.service"
        unit.write_text(unit_text, encoding="utf-8")
        done = subprocess.run([*command, unit], capture_output=True, timeout=A_HANG_S, check=False)
        codes.append(done.returncode)

    assert codes == [0, 1]
