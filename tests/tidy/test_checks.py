"""Each tidy check can fail: it is fed a source that breaks its rule, and one that just does not."""

from __future__ import annotations

from pathlib import PurePosixPath

import pytest

from tidy import imports, sizes, words
from tidy.clauses import DELAYED_ABILITIES, marked_clauses, missing_clauses
from tidy.sources import ROOT, Source, product_files, text_files


def source(path: str, text: str) -> Source:
    return Source(PurePosixPath(path), text)


SERVER = "server/longfuse"
PROTOCOL = "protocol/longfuse_protocol"


@pytest.mark.parametrize(
    ("path", "text"),
    [
        (f"{SERVER}/timing/a.py", "import longfuse.game.zones"),
        (f"{SERVER}/timing/a.py", "from longfuse.actors import Actor"),
        (f"{SERVER}/abilities/a.py", "from longfuse import game"),
        (f"{SERVER}/game/a.py", "def f():\n    from longfuse.rulesets.hearts import x"),
        (f"{SERVER}/game/a.py", "from . import zones"),
        (f"{SERVER}/rulesets/hearts/a.py", "from longfuse.host.lobby import Lobby"),
        (f"{SERVER}/journal/a.py", "from longfuse.bots import x"),
        (f"{SERVER}/host/a.py", "from longfuse.cli import main"),
        (f"{SERVER}/helpers/a.py", "import os"),
        (f"{SERVER}/__init__.py", "from longfuse.game import Game"),
        (f"{PROTOCOL}/a.py", "from longfuse.game import Game"),
    ],
)
def test_a_wrong_direction_is_seen(path: str, text: str) -> None:
    """Upwards, sideways, relative, nested in a function, or from a package without a place."""
    assert imports.wrong_directions(source(path, text))


@pytest.mark.parametrize(
    ("path", "text"),
    [
        (f"{SERVER}/game/a.py", "from longfuse_protocol import views\nimport longfuse.timing.a"),
        (f"{SERVER}/game/a.py", "from longfuse.game import zones"),
        (f"{SERVER}/cli.py", "from longfuse.load import x\nfrom longfuse.config import y"),
        (f"{PROTOCOL}/a.py", "import msgspec"),
        (f"{SERVER}/__init__.py", ""),
    ],
)
def test_a_right_direction_is_not_complained_of(path: str, text: str) -> None:
    """Downwards, within the package, and to others' packages."""
    assert imports.wrong_directions(source(path, text)) == []


def test_a_ruleset_that_imports_another_is_seen() -> None:
    """What is beside the rulesets' folders is common to them."""
    path = f"{SERVER}/rulesets/hkk/a.py"

    assert imports.rulesets_that_know_each_other(
        source(path, "from longfuse.rulesets.riftbound import x")
    )
    assert not imports.rulesets_that_know_each_other(
        source(path, "import longfuse.rulesets.hkk.b\nimport longfuse.rulesets.common")
    )
    assert not imports.rulesets_that_know_each_other(
        source(f"{SERVER}/rulesets/__init__.py", "import longfuse.rulesets.riftbound")
    )


@pytest.mark.parametrize(
    ("path", "text", "is_seen"),
    [
        (f"{SERVER}/game/a.py", "import trio", True),
        (f"{SERVER}/timing/a.py", "from trio.testing import MockClock", True),
        (f"{SERVER}/bots/random_bot.py", "import trio", True),
        (f"{SERVER}/config.py", "import trio", True),
        (f"{PROTOCOL}/session.py", "import trio", True),
        (f"{SERVER}/host/a.py", "from trio.lowlevel import wait_task_rescheduled", True),
        (f"{SERVER}/host/a.py", "import trio\ntrio.lowlevel.reschedule(x)", True),
        (f"{SERVER}/host/gateway.py", "from trio.lowlevel import wait_readable", False),
        (f"{SERVER}/actors/a.py", "from trio.lowlevel import reschedule", False),
        (f"{SERVER}/bots/wire_bot.py", "import trio", False),
        (f"{SERVER}/cli/serve.py", "import trio", False),
        (f"{SERVER}/cli.py", "import trio", False),
        (f"{PROTOCOL}/client.py", "import trio", False),
    ],
)
def test_trio_is_seen_where_it_may_not_be(path: str, text: str, is_seen: bool) -> None:
    """Only what has tasks of its own awaits, and only the actors park them."""
    assert bool(imports.misplaced_trio(source(path, text))) is is_seen


@pytest.mark.parametrize(
    ("path", "is_seen"),
    [
        (f"{SERVER}/host/tables.py", True),
        (f"{SERVER}/bots/wire.py", True),
        (f"{SERVER}/cli.py", True),
        (f"{PROTOCOL}/session.py", True),
        (f"{SERVER}/host/gateway.py", False),
        (f"{SERVER}/host/gateway_connection.py", False),
        (f"{PROTOCOL}/client.py", False),
    ],
)
def test_websockets_is_seen_where_it_may_not_be(path: str, is_seen: bool) -> None:
    """The library is met at one door on each side."""
    text = "from websockets.trio.server import serve"

    assert bool(imports.misplaced_websockets(source(path, text))) is is_seen


@pytest.mark.parametrize("layer", sorted(imports.PURE))
@pytest.mark.parametrize("module", sorted(imports.IMPURE_MODULES))
def test_clocks_randomness_and_logging_are_seen(layer: str, module: str) -> None:
    """What decides a game depends on nothing but its entries."""
    text = f"from {module} import x"

    assert imports.impurities(source(f"{SERVER}/{layer}/a.py", text))
    assert not imports.impurities(source(f"{SERVER}/host/a.py", text))


def test_a_second_wall_clock_is_seen() -> None:
    """The host has one, which tests make virtual."""
    for text in ("import time", "from time import time_ns", "from datetime import datetime"):
        assert imports.second_wall_clocks(source(f"{SERVER}/host/a.py", text))
        assert not imports.second_wall_clocks(source(f"{SERVER}/host/wall.py", text))
        assert not imports.second_wall_clocks(source(f"{SERVER}/cli/a.py", text))


@pytest.mark.parametrize("name", ["RiftBound", "hkk_rules"])
def test_a_ruleset_s_name_is_seen_below_the_rulesets(name: str) -> None:
    """In code, comments, grammars and file names alike, whatever the case."""
    grammar = f"{SERVER}/abilities/text/a.peg"
    for path in (f"{SERVER}/game/a.py", f"{SERVER}/bots/a.toml", "protocol/README.md", grammar):
        assert words.named_rulesets(source(path, f"x = 1  # as in {name}"))
    assert words.named_rulesets(source(f"{SERVER}/game/{name}.py", ""))
    assert not words.named_rulesets(source(f"{SERVER}/rulesets/a.py", name))


def test_grammars_are_among_what_is_searched_for_names() -> None:
    """The shared grammars of card texts lie below the rulesets, too."""
    paths = {str(one.path) for one in text_files("protocol", "server")}

    assert f"{SERVER}/abilities/text/common.peg" in paths
    assert f"{SERVER}/abilities/text/common_hu.peg" in paths


@pytest.mark.parametrize("host", words.REGISTRY_HOSTS)
def test_a_registry_s_host_is_seen(host: str) -> None:
    """In any file at all."""
    assert words.registry_hosts(source("deploy/README.md", f"from https://a.{host}/simple"))


@pytest.mark.parametrize(
    "line",
    [
        "--index-url https://example.test/simple",
        "trio>=0.35 \\",
        "trio @ https://example.test/trio.whl \\",
        "# a comment",
        "    --hash=md5:0123",
    ],
)
def test_a_loose_line_of_the_lock_is_seen(line: str) -> None:
    """Anything but an exact version and its hashes."""
    good = "trio==0.35.0 ; python_version < '4' \\\n    --hash=sha256:" + "0" * 64

    assert words.loose_locks(source("requirements.lock", good)) == []
    assert len(words.loose_locks(source("requirements.lock", f"{good}\n{line}"))) == 1


def test_a_long_module_is_seen() -> None:
    """One line too many is one too many."""
    line = "x = 1\n"

    assert not sizes.long_modules(source("a.py", line * sizes.MODULE_LINES_MAX))
    assert sizes.long_modules(source("a.py", line * (sizes.MODULE_LINES_MAX + 1)))


@pytest.mark.parametrize("keyword", ["def", "async def"])
def test_a_long_function_is_seen(keyword: str) -> None:
    """The line with its name counts."""
    just_fits = f"{keyword} f():\n" + "    x = 1\n" * (sizes.FUNCTION_LINES_MAX - 1)

    assert not sizes.long_functions(source("a.py", just_fits))
    assert sizes.long_functions(source("a.py", just_fits + "    x = 1\n"))


def test_a_clause_without_a_test_is_seen() -> None:
    """Marks on functions, on classes and on whole modules count; other calls do not."""
    marked = source(
        "tests/rulesets/hearts/rules/test_a.py",
        'pytestmark = pytest.mark.rule("390")\n'
        '@pytest.mark.rule("390.1", "391")\ndef test_a(): rule("392")\n',
    )

    missing = missing_clauses([marked])

    assert marked_clauses(marked) == {"390", "390.1", "391"}
    assert missing == [c for c in DELAYED_ABILITIES if c not in {"390", "390.1", "391"}]
    assert "392" in missing
    assert missing_clauses([]) == list(DELAYED_ABILITIES)


def test_the_checks_look_at_the_real_files() -> None:
    """The walk finds sources and folders that begin with a dot, but nothing that is generated."""
    product = {str(source.path) for source in product_files()}
    everything = {str(source.path) for source in text_files()}

    assert f"{SERVER}/actors/actor.py" in product
    assert f"{PROTOCOL}/__init__.py" in product
    assert {".ci/run", "Makefile", "requirements.lock"} <= everything
    assert not any(path.startswith((".venv", ".git/")) for path in everything)
    assert not any("__pycache__" in path for path in everything)
    assert (ROOT / "pyproject.toml").is_file()
