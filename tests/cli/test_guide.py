"""“Write your own cards”: what the guide shows is what comes out."""

from __future__ import annotations

import shlex
from pathlib import Path

import pytest

from longfuse.cli import main
from longfuse.rulesets import riftbound

GUIDE = Path(riftbound.__file__).with_name("WRITING_CARDS.md").read_text("utf-8")


def blocks() -> list[str]:
    """The indented blocks of the guide, without their indent."""
    found: list[list[str]] = [[]]
    for line in GUIDE.splitlines():
        if line.startswith("    "):
            found[-1].append(line[4:])
        elif line or not found[-1]:
            found.append([])
        else:
            found[-1].append("")
    return ["\n".join(lines).strip("\n") for lines in found if any(lines)]


def said(text: str) -> str:
    """With blanks at the ends of lines, and blank lines at the end, left out."""
    return "\n".join(line.rstrip() for line in text.splitlines()).strip()


@pytest.mark.parametrize("name", ["Banked Ember", "Odd Ember"])
def test_the_commands_say_what_the_guide_shows(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A card that is understood, and one that is not."""
    monkeypatch.chdir(tmp_path)
    (command,) = [one for one in blocks() if one.startswith(f'longfuse cards new "{name}"')]
    (shown,) = [one for one in blocks() if one.startswith(f"{name}: unit")]
    main(shlex.split(command.replace("\\\n", ""))[1:])
    assert said(capsys.readouterr().out).startswith(said(shown))


def test_the_file_that_the_guide_shows_is_understood(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The card with every field, and the deck."""
    shown = [one for one in blocks() if one.startswith("[[")]
    path = tmp_path / "mine.toml"
    path.write_text("\n\n".join(shown), "utf-8")
    assert main(["cards", "check", str(path)]) == 0
    assert "1 of 1 cards compile" in capsys.readouterr().out
