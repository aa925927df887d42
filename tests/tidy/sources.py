"""Finds and parses what the tidy checks look at: this repository's files, as text and trees."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path, PurePosixPath

ROOT = Path(__file__).parents[2]
CODE_FOLDERS = ("protocol", "server", "tests")
SOURCE_ROOTS = ("protocol", "server")
GENERATED = {"__pycache__", "build", "dist", "htmlcov", "data", "node_modules"}


@dataclass(frozen=True)
class Source:
    """One file: where it lies, from the top of the repository, and what it says."""

    path: PurePosixPath
    text: str

    @cached_property
    def tree(self) -> ast.Module:
        """The parsed source."""
        return ast.parse(self.text, str(self.path))

    @property
    def layer(self) -> str:
        """The package that the import rules speak of: `game`, `cli`, …, or `protocol`."""
        parts = self.path.parts
        return "protocol" if parts[0] == "protocol" else PurePosixPath(parts[2]).stem

    @property
    def name_in_layer(self) -> str:
        """The path below the layer's folder, empty for a layer that is one module."""
        return "/".join(self.path.parts[3 if self.path.parts[0] == "server" else 2 :])


def python_files(*folders: str) -> list[Source]:
    """Read every Python file below these top-level folders."""
    return [source for source in text_files(*folders) if source.path.suffix == ".py"]


def product_files() -> list[Source]:
    """Read every Python file of the product itself, packages' own `__init__` files included."""
    return [source for source in python_files(*SOURCE_ROOTS) if len(source.path.parts) > 2]


@cache
def text_files(*folders: str) -> tuple[Source, ...]:
    """Read once every text file below these top-level folders, or of the whole repository."""
    tops = [ROOT / folder for folder in folders] or [ROOT]
    return tuple(
        Source(PurePosixPath(path.relative_to(ROOT).as_posix()), text)
        for top in tops
        for path in sorted(_files_below(top))
        if (text := _text_of(path)) is not None
    )


def _files_below(folder: Path) -> Iterator[Path]:
    # Not a question to git: a release archive has none, and a new file counts before it is added.
    for path in folder.iterdir():
        if path.is_dir():
            if not _is_generated(path):
                yield from _files_below(path)
        elif not path.name.startswith(".coverage"):
            yield path


def _is_generated(folder: Path) -> bool:
    name = folder.name
    hidden = name.startswith(".") and name not in {".ci", ".github"}
    is_environment = (folder / "pyvenv.cfg").is_file()
    return hidden or is_environment or name in GENERATED or name.endswith(".egg-info")


def _text_of(path: Path) -> str | None:
    try:
        return path.read_text(encoding="utf-8")
    except (UnicodeDecodeError, FileNotFoundError):  # an editor's file may be gone by now
        return None
