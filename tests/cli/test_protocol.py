"""The command that shows the wire to those who write clients."""

import json

import pytest

from longfuse.cli import main
from longfuse.cli.protocol import PAGE
from longfuse_protocol.schema import schema
from longfuse_protocol.schema_page import PARTS, part


@pytest.fixture
def run(capsys):
    """Run the command: its code, and what it printed on both streams."""

    def call(*argv):
        code = main(["protocol", *map(str, argv)])
        return code, *capsys.readouterr()

    return call


@pytest.mark.parametrize("side", [None, "client", "server"])
def test_schema(run, side):
    """It prints the schema of both sides, or of one."""
    code, out, _err = run("schema", *(["--side", side] if side else []))

    assert code == 0
    assert json.loads(out) == schema(side)


def test_schema_without_descriptions(run):
    """In brief, it prints only what programs check."""
    whole, brief = json.loads(run("schema")[1]), json.loads(run("schema", "--brief")[1])

    def texts(node):
        """Every description in a schema."""
        if isinstance(node, list):
            return [text for each in node for text in texts(each)]
        if not isinstance(node, dict):
            return []
        here = [node["description"]] if isinstance(node.get("description"), str) else []
        return here + [text for each in node.values() for text in texts(each)]

    assert texts(whole)
    assert texts(brief) == []
    assert set(brief["$defs"]) == set(whole["$defs"])
    assert brief["$defs"]["Say"]["properties"]["text"]["maxLength"] == 500


def test_tables(run):
    """It prints every part of the page."""
    code, out, _err = run("tables")

    assert code == 0
    assert all(part(name) in out for name in PARTS)


def test_tables_are_written(run, tmp_path):
    """It puts the parts that a page asks for between its markers, and leaves the rest alone."""
    page = tmp_path / "page.md"
    page.write_text("before\n<!-- made: close codes -->\nold\n<!-- end -->\nafter\n")

    first, second = run("tables", "--write", page), run("tables", "--write", page)

    made = f"before\n<!-- made: close codes -->\n{part('close codes')}<!-- end -->\nafter\n"
    assert page.read_text() == made
    assert (first[0], second[0]) == (0, 0)
    assert "written anew" in first[1]
    assert "as it is made" in second[1]


def test_a_page_that_asks_for_what_nobody_makes(run, tmp_path):
    """An unknown part is told, with those there are, and nothing is written."""
    page = tmp_path / "page.md"
    page.write_text("<!-- made: poems -->\n<!-- end -->\n")

    code, _out, err = run("tables", "--write", page)

    assert code == 2
    assert "poems" in err
    assert "close codes" in err
    assert page.read_text() == "<!-- made: poems -->\n<!-- end -->\n"


@pytest.mark.parametrize(
    "argv",
    [("schema", "--write", "x"), ("tables", "--side", "client"), ("tables", "--brief")],
)
def test_what_does_not_go_together(run, argv, tmp_path, monkeypatch):
    """An option of the other word is refused, and not passed over."""
    monkeypatch.chdir(tmp_path)
    code, out, err = run(*argv)

    assert (code, out) == (2, "")
    assert "--" in err
    assert list(tmp_path.iterdir()) == []


def test_the_page_beside_the_source():
    """Without a name, the page is the protocol's own."""
    assert PAGE.name == "README.md"
    assert PAGE.parent.name == "protocol"
    assert PAGE.is_file()
