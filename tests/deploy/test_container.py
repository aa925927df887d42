"""The container file, as far as it can be checked without building it."""

from __future__ import annotations

import functools
import os
import re
import shutil
import signal
import socket
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

import longfuse
import longfuse_protocol
from deploy.files import (
    DATA_AT,
    DEPLOY,
    ROOT,
    container_stages,
    copied_into_build,
    is_under,
    only,
    server_settings,
)
from e2e.test_sockets import open_server
from support.schedule import A_HANG_S

INSTALL = DEPLOY / "install.sh"
DEADLINE_S = 240
"""Real time that anything may take: one that hangs fails."""
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
        timeout=A_HANG_S,
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
        ["sh", INSTALL, tmp_path], capture_output=True, text=True, timeout=A_HANG_S, check=False
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


TREE = os.pathsep.join(
    str(Path(one.__path__[0]).resolve().parent) for one in (longfuse, longfuse_protocol)
)
"""Where the packages under test are, which need not be those that are installed."""

WATCHED = """
import os, sys
WRITES = os.O_WRONLY | os.O_RDWR | os.O_CREAT
def note(event, found):
    is_write = event in ("os.mkdir", "os.rename", "os.remove", "os.chmod", "os.truncate")
    if event == "open":
        is_write = found[2] & WRITES
    if is_write and not isinstance(found[0], int):  # what is open already has been told
        print("WRITES", os.path.abspath(os.fsdecode(found[0])), file=sys.stderr, flush=True)
sys.addaudithook(note)
from longfuse.cli import main
sys.exit(main(sys.argv[1:]))
"""
"""The command, telling of every path that it writes to."""


@pytest.mark.slow
def test_a_server_writes_nothing_but_games(tmp_path: Path) -> None:
    """So all else of its system may be read-only, and it needs no home: a game is played so."""
    data = tmp_path / "games"
    command = only(container_stages()[-1], "CMD").as_list()
    words = [str(data) if word == DATA_AT else word for word in command]
    words[words.index("--port") + 1] = "0"
    words[words.index("--host") + 1] = "127.0.0.1"
    bare = {
        "PATH": os.environ["PATH"],
        "HOME": "/nonexistent",
        "PYTHONDONTWRITEBYTECODE": "1",
        "PYTHONPATH": TREE,
    }
    process = subprocess.Popen(
        [sys.executable, "-c", WATCHED, *words],
        env=bare,
        cwd="/",
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        assert process.stderr is not None
        told: list[str] = []
        for line in process.stderr:
            told.append(line)
            if found := re.search(r"ws://[^\s\x1b\"]+", line):
                break
        play = ["play", "--plain", "--url", found.group(), "--bot", "random"]
        played = subprocess.run(
            [sys.executable, "-m", "longfuse", *play],
            env={**os.environ, "PYTHONPATH": TREE},
            input="concede\nconcede\n",
            text=True,
            capture_output=True,
            timeout=DEADLINE_S,
            check=False,
        )
        assert " wins: " in played.stdout, played.stderr
        process.send_signal(signal.SIGTERM)
        told += process.communicate(timeout=DEADLINE_S)[1].splitlines()
    finally:
        process.kill()
        process.communicate(timeout=DEADLINE_S)
    written = {line.split(maxsplit=1)[1].strip() for line in told if line.startswith("WRITES")}
    written.discard(os.devnull)

    assert process.returncode == 0
    assert any(path.endswith(".jsonl") for path in written)
    assert [path for path in written if not is_under(path, str(data))] == []


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

    with socket.socket() as nobody:
        nobody.bind(("127.0.0.1", 0))  # and does not listen: so nobody else does there
        assert await health_code(nobody.getsockname()[1]) == 1
