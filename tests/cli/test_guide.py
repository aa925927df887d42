"""What the guide “Write your own cards” and the first page show is what comes out."""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from longfuse.cli import main
from longfuse.rulesets import riftbound
from support.schedule import A_HANG_S

ROOT = Path(__file__).parents[2]
FIRST_PAGE = (ROOT / "README.md").read_text("utf-8")
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


@pytest.mark.slow
def test_the_game_that_the_guide_shows(tmp_path: Path) -> None:
    """The lines come with these numbers, and the fuse that goes off is explained."""
    path = tmp_path / "mine.toml"
    (command,) = [one for one in blocks() if one.startswith('longfuse cards new "Banked Ember"')]
    assert main([*shlex.split(command.replace("\\\n", ""))[1:-1], str(path)]) == 0
    (shown,) = [one for one in blocks() if "Banked Ember triggers." in one]
    (asked,) = re.findall(r"`(why \d+)`", GUIDE)
    typed = ["none", "1", "1", asked, "quit", "quit"]

    played = subprocess.run(
        [sys.executable, "-m", "longfuse", "play", "--cards", path, "--seed", "1", "--plain"],
        input="\n".join(typed),
        capture_output=True,
        text=True,
        timeout=A_HANG_S,
        check=False,
    )

    told = " ".join(played.stdout.split())
    for line in re.split(r"\n(?=\d)", shown):
        assert " ".join(line.split()) in told, played.stdout + played.stderr
    assert "A fuse goes off: Banked Ember. (rule " in told


def test_the_game_that_the_first_page_shows(capsys: pytest.CaptureFixture[str]) -> None:
    """It is shortened, and nothing of it is made up."""
    found = re.search(
        r"`longfuse (demo --seed \d+)`\), shortened:\n\n```\n(.*?)```", FIRST_PAGE, re.S
    )
    assert found is not None
    assert main(found[1].split()) == 0
    told = iter(capsys.readouterr().out.splitlines())

    assert [line for line in found[2].splitlines() if line not in told] == []


def test_the_position_file_that_is_shown_holds(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The ruling that the page on position files begins with."""
    page = (ROOT / "tests" / "positions" / "README.md").read_text("utf-8")
    (shown,) = re.findall(r"^```toml\n(.*?)^```$", page, re.DOTALL | re.MULTILINE)
    path = tmp_path / "my_position.toml"
    path.write_text(shown, "utf-8")
    assert main(["position", "run", str(path)]) == 0
    assert "1 holds" in capsys.readouterr().out
