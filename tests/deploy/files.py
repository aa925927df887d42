"""Reads what deploy/ holds: each kind of file as data, and the commands in them as the server does.

Shared by the tests beside it. The readers know as much of each format as these files use.
"""

from __future__ import annotations

import json
import re
import shlex
import tomllib
from pathlib import Path, PurePosixPath
from typing import NamedTuple

import yaml

from longfuse import config as settings
from longfuse.cli import commands

ROOT = Path(__file__).parents[2]
DEPLOY = ROOT / "deploy"
EXAMPLE = DEPLOY / "longfuse.toml"
UNIT = DEPLOY / "longfuse.service"
DROP_INS = (DEPLOY / "longfuse-tls.conf", DEPLOY / "longfuse-tokens.conf")
COMPOSE = DEPLOY / "compose.yaml"
COMPOSE_TOKENS = DEPLOY / "compose.tokens.yaml"
NGINX = DEPLOY / "nginx.conf"

SETTINGS_AT = "/etc/longfuse/longfuse.toml"
"""Where unit and compose file put the example."""
DATA_AT = "/var/lib/longfuse"

_SECONDS = {"s": 1, "m": 60, "h": 3_600}
_BYTES = {"": 1, "k": 1 << 10, "m": 1 << 20, "g": 1 << 30}


def seconds(text: str) -> int:
    """A time as nginx, compose and systemd write it: 30, 30s, 2m."""
    number, unit = re.fullmatch(r"(\d+)([smh]?)", text).groups()
    return int(number) * _SECONDS[unit or "s"]


def size(text: str) -> int:
    """A number of bytes as nginx, compose and systemd write it: 512m, 2G."""
    number, unit = re.fullmatch(r"(\d+)([kmg]?)", text.lower()).groups()
    return int(number) * _BYTES[unit]


def server_settings(words: list[str]) -> settings.Config:
    """The settings that this command line gives the server; the words begin after `longfuse`.

    Fails where the command line would refuse them.
    """
    call = commands._parse(words)
    assert call.command.__name__ == "longfuse.cli.serve"
    given = call.arguments
    path = given.config
    if path is not None:
        assert str(path) == SETTINGS_AT
        path = EXAMPLE
    return settings.load(path, {"host": given.host, "port": given.port, "data": given.data})


def settings_in_comments(path: Path) -> dict[str, object]:
    """The settings that a file's comments say to set: lines of TOML, set in by five blanks."""
    found = re.findall(r"^# {5}(\w+ = .+)$", path.read_text(encoding="utf-8"), re.MULTILINE)
    return tomllib.loads("\n".join(found))


class Step(NamedTuple):
    """One instruction of a container file."""

    word: str
    rest: str

    def as_list(self) -> list[str]:
        """The exec form; fails for the shell form."""
        words = json.loads(self.rest)
        assert isinstance(words, list)
        return words


def container_stages() -> list[list[Step]]:
    """The instructions of the container file, by stage; what comes before the first is left out."""
    text = (DEPLOY / "Dockerfile").read_text(encoding="utf-8")
    text = re.sub(r"^#.*\n", "", text, flags=re.MULTILINE).replace("\\\n", " ")
    stages: list[list[Step]] = []
    for line in filter(None, text.splitlines()):
        word, rest = line.split(maxsplit=1)
        if word == "FROM":
            stages.append([])
        if stages:
            stages[-1].append(Step(word, rest.strip()))
    return stages


def only(steps: list[Step], word: str) -> Step:
    """The instruction that a stage has once."""
    (step,) = [step for step in steps if step.word == word]
    return step


def copied_into_build() -> list[str]:
    """The paths of the repository that the container's build copies."""
    sources: list[str] = []
    for step in container_stages()[0]:
        if step.word == "COPY":
            *copied, _ = step.rest.split()
            sources += copied
    return sources


def compose(*paths: Path) -> dict[str, dict]:
    """A compose file, with what the others add to it: lists of services grow, entries come in."""
    first, *others = [yaml.safe_load(path.read_text(encoding="utf-8")) for path in paths]
    for other in others:
        for name, service in other.pop("services").items():
            for key, added in service.items():
                before = first["services"][name].get(key, [])
                first["services"][name][key] = [*before, *added]
        for part, entries in other.items():
            first[part] = {**first[part], **entries}
    return first


class Directive(NamedTuple):
    """One directive of a unit file."""

    section: str
    key: str
    value: str


def unit_directives(path: Path) -> list[Directive]:
    """The directives of a unit file, in order: some may come several times."""
    found: list[Directive] = []
    section = ""
    for line in path.read_text(encoding="utf-8").splitlines():
        if line.startswith("["):
            section = line.strip("[]")
        elif line and not line.startswith("#"):
            key, value = line.split("=", maxsplit=1)
            found.append(Directive(section, key, value))
    return found


def unit_values(key: str, *paths: Path) -> list[str]:
    """The values that the unit, or these files, give a directive."""
    return [
        one.value for path in paths or (UNIT,) for one in unit_directives(path) if one.key == key
    ]


def unit_command() -> list[str]:
    """The words of ExecStart, with the folder that systemd gives."""
    (command,) = unit_values("ExecStart")
    return shlex.split(command.replace("${STATE_DIRECTORY}", DATA_AT))


class Block(NamedTuple):
    """A block of the proxy's configuration: its directives as words, and the blocks within."""

    name: str
    lines: list[list[str]]
    blocks: list[Block]

    def values(self, key: str) -> list[list[str]]:
        """What follows this directive, for each time that it stands here or further in."""
        here = [line[1:] for line in self.lines if line[0] == key]
        return here + [found for block in self.blocks for found in block.values(key)]

    def value(self, key: str) -> str:
        """The one word that follows a directive that stands here or further in once."""
        ((word,),) = self.values(key)
        return word

    def inner(self, name: str) -> Block:
        """The block of that name, here or further in."""
        (block,) = [block for block in self.all_blocks() if block.name == name]
        return block

    def all_blocks(self) -> list[Block]:
        """The blocks here and further in."""
        return [found for block in self.blocks for found in (block, *block.all_blocks())]


_TOKEN = re.compile(r"""#.*|'[^']*'|"[^"]*"|[{};]|[^\s{};'"]+""")


def proxy() -> Block:
    """The proxy's configuration."""
    top = Block("", [], [])
    open_blocks, words = [top], []
    for token in _TOKEN.findall(NGINX.read_text(encoding="utf-8")):
        match token:
            case ";":
                open_blocks[-1].lines.append(words)
                words = []
            case "{":
                block = Block(" ".join(words), [], [])
                open_blocks[-1].blocks.append(block)
                open_blocks.append(block)
                words = []
            case "}":
                open_blocks.pop()
            case _ if not token.startswith("#"):
                words.append(token.strip("'\""))
    assert open_blocks == [top]
    return top


def is_under(path: str, folder: str) -> bool:
    """Say whether a path is within a folder of the same system."""
    return PurePosixPath(path).is_relative_to(folder)
