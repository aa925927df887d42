"""The container file, as far as it can be checked without building it."""

from __future__ import annotations

import functools
import re
import shutil
import subprocess
import sys
import tomllib
import zipfile
from importlib import metadata
from pathlib import Path

import pytest
import trio
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from deploy.files import (
    DATA_AT,
    DEPLOY,
    ROOT,
    container_stages,
    copied_into_build,
    only,
    server_settings,
)
from e2e.test_sockets import open_server

INSTALL = DEPLOY / "install.sh"
TOOLS = {"coverage", "hypothesis", "mypy", "pytest", "ruff"}


def allowed_in_build() -> list[str]:
    """The paths that the ignore file lets through; everything else is left out."""
    first, *rest = [
        line
        for line in (DEPLOY / "Dockerfile.dockerignore").read_text(encoding="utf-8").splitlines()
        if line and not line.startswith("#")
    ]
    assert first == "*"
    return [line.removeprefix("!") for line in rest if line.startswith("!")]


def test_what_is_copied_is_there() -> None:
    """Every path that the build copies is in the repository, and the build may read it."""
    copied = copied_into_build()

    assert copied
    assert all((ROOT / path).exists() for path in copied)
    assert sorted(copied) == sorted(allowed_in_build())


@pytest.mark.slow
def test_what_is_copied_is_enough(tmp_path: Path) -> None:
    """From these paths and no others, a wheel is built that has every file of the packages."""
    source = tmp_path / "source"
    left_out = shutil.ignore_patterns("__pycache__", "*.egg-info")
    for name in copied_into_build():
        (source / name).parent.mkdir(parents=True, exist_ok=True)
        if (ROOT / name).is_dir():
            shutil.copytree(ROOT / name, source / name, ignore=left_out)
        else:
            shutil.copy(ROOT / name, source / name)
    pip = [sys.executable, "-m", "pip", "wheel", "--quiet", "--disable-pip-version-check"]

    subprocess.run(
        [*pip, "--no-index", "--no-build-isolation", "--no-deps", "-w", tmp_path, source],
        check=True,
        timeout=120,
    )

    (wheel,) = tmp_path.glob("longfuse-*.whl")
    built = {name for name in zipfile.ZipFile(wheel).namelist() if ".dist-info/" not in name}
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    there = {
        path.relative_to((source / package).parent).as_posix()
        for package in project["tool"]["setuptools"]["package-dir"].values()
        for path in (source / package).rglob("*")
        if path.is_file() and path.suffix != ".md"
    }
    assert built >= there
    assert any(name.endswith(".peg") for name in there)


def test_the_installer_takes_what_the_build_copies() -> None:
    """Whatever install.sh reads of the repository has been copied for it."""
    read = re.findall(r'"\$source/([\w./]+)"', INSTALL.read_text(encoding="utf-8"))

    assert {"requirements.lock", "server"} <= set(read)
    assert set(read) | {"deploy/install.sh"} == set(copied_into_build())


def test_the_lock_is_enough_to_run_the_server() -> None:
    """Every package that the server needs is locked; the developers' tools are not among them."""
    lock = (ROOT / "requirements.lock").read_text(encoding="utf-8")
    locked = set(re.findall(r"^([\w.-]+)==", lock, re.MULTILINE))
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    needed: set[str] = set()
    waiting = [Requirement(line) for line in project["dependencies"]]
    while waiting:
        one = waiting.pop()
        name = canonicalize_name(one.name)
        if name in needed or (one.marker and not one.marker.evaluate({"extra": ""})):
            continue
        needed.add(name)
        waiting += [Requirement(line) for line in metadata.requires(name) or []]

    assert {"trio", "websockets", "sniffio"} <= needed
    assert needed <= locked
    assert not needed & TOOLS
    assert locked >= TOOLS


def test_the_installer_checks_hashes_and_asks_nobody_else() -> None:
    """The lock is fetched by hash; every later step of pip takes files from that folder only."""
    text = INSTALL.read_text(encoding="utf-8").replace("\\\n", " ")
    download, *later = re.findall(r"^(?:local_)?pip (?!\().*$", text, re.MULTILINE)

    assert download.startswith("pip download ")
    assert "--require-hashes" in download
    assert len(later) == 3
    assert all(line.startswith("local_pip ") and " --no-index " in line for line in later)


def test_the_installer_leaves_a_folder_alone_that_is_there(tmp_path: Path) -> None:
    """A folder that exists is refused, and nothing is put into it."""
    done = subprocess.run(
        ["sh", INSTALL, tmp_path], capture_output=True, text=True, timeout=30, check=False
    )

    assert done.returncode == 2
    assert "does not exist yet" in done.stderr
    assert list(tmp_path.iterdir()) == []


def test_the_image_holds_the_installation_only() -> None:
    """The last stage takes what the first has installed, and nothing of the repository."""
    build, image = container_stages()

    assert only(image, "COPY").rest == "--from=build /opt/longfuse /opt/longfuse"
    assert "install.sh /opt/longfuse" in only(build, "RUN").rest


def test_images_are_named_plainly() -> None:
    """A name and a tag, from wherever the machine gets its images."""
    text = (DEPLOY / "Dockerfile").read_text(encoding="utf-8")
    (name,) = re.findall(r"^ARG PYTHON_IMAGE=(.*)$", text, re.MULTILINE)
    froms = [stage[0].rest.split()[0] for stage in container_stages()]

    assert re.fullmatch(r"python:3\.11[\w.-]*", name)
    assert set(froms) == {"${PYTHON_IMAGE}"}


def test_the_server_runs_confined() -> None:
    """No root, a signal that drains, and a volume for all that it writes."""
    image = container_stages()[-1]
    user = only(image, "USER").rest

    assert re.fullmatch(r"[1-9]\d{3,}:[1-9]\d{3,}", user)
    assert f"install -d -o {user.split(':')[0]}" in only(image, "RUN").rest
    assert only(image, "STOPSIGNAL").rest == "SIGTERM"
    assert only(image, "VOLUME").as_list() == [DATA_AT]


def test_the_command_is_the_server_s() -> None:
    """In the exec form, so that the signal reaches it; with settings that a container needs."""
    image = container_stages()[-1]
    config = server_settings(only(image, "CMD").as_list())

    assert only(image, "ENTRYPOINT").as_list() == ["/opt/longfuse/bin/longfuse"]
    assert config.host == "0.0.0.0"
    assert str(config.port) == only(image, "EXPOSE").rest
    assert config.data == DATA_AT


def health_command(port: int) -> list[str]:
    """The container's health check, asking at another port."""
    image = container_stages()[-1]
    step = only(image, "HEALTHCHECK").rest
    path, *rest = only(image, "HEALTHCHECK")._replace(rest=step[step.index("[") :]).as_list()
    assert path == "/opt/longfuse/bin/python"
    asked = only(image, "EXPOSE").rest
    assert sum(word.count(asked) for word in rest) == 1
    return [sys.executable, *(word.replace(asked, str(port)) for word in rest)]


async def health_code(port: int) -> int:
    """What the health check says of whoever listens at that port."""
    with trio.fail_after(30):
        done = await trio.run_process(health_command(port), check=False, capture_stderr=True)
    return done.returncode


@pytest.mark.realtime
async def test_the_health_check_finds_a_server_healthy() -> None:
    """It asks the real server, and is content."""
    async with open_server() as rig:
        assert await health_code(rig.running.port) == 0


async def _drains(stream: trio.SocketStream) -> None:
    await stream.receive_some()
    await stream.send_all(b"HTTP/1.1 503 Service Unavailable\r\nContent-Length: 0\r\n\r\n")


@pytest.mark.realtime
async def test_the_health_check_finds_others_unhealthy() -> None:
    """A server that drains is not healthy, nor one that is not there."""
    async with trio.open_nursery() as nursery:
        start = functools.partial(trio.serve_tcp, _drains, 0, host="127.0.0.1")
        (listener,) = await nursery.start(start)
        port = listener.socket.getsockname()[1]
        assert await health_code(port) == 1
        nursery.cancel_scope.cancel()

    assert await health_code(port) == 1
