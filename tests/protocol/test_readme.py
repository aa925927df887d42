"""The protocol's page says what is so: its tables, its examples, its numbers, its values."""

import hashlib
import json
import re
import runpy
import shutil
import subprocess
from itertools import islice
from pathlib import Path

import msgpack
import msgspec
import pytest

import longfuse_protocol
from longfuse.cli.local import BotGame
from longfuse.config import Config
from longfuse.host import connections
from longfuse.host.gateway import PATH
from longfuse.rulesets import catalogue
from longfuse_protocol import messages as m
from longfuse_protocol.answers import fits
from longfuse_protocol.codec import CODECS, JSON, MSGPACK
from longfuse_protocol.errors import Malformed
from longfuse_protocol.fields import SHOWN
from longfuse_protocol.prompts import Answer, Prompt, Shape
from longfuse_protocol.schema import records, schema
from longfuse_protocol.schema_page import PART, PARTS, filled
from longfuse_protocol.session import EVENTS
from longfuse_protocol.views import View, digest
from support.schedule import A_HANG_S

README = Path(longfuse_protocol.__file__).parents[1] / "README.md"
SAMPLES = README.with_name("samples")
PAGE = README.read_text(encoding="utf-8")
WRITTEN = PART.sub("", PAGE)
"""The page without what is made."""
VECTORS = json.loads(re.search(r"```json digests\n(.*?)```", PAGE, re.DOTALL)[1])


def blocks(kind):
    """Return all blocks of code of one kind."""
    return re.findall(rf"^```{kind}\n(.*?)^```$", PAGE, re.DOTALL | re.MULTILINE)


def test_the_tables_are_as_they_are_made():
    """If this fails, `longfuse protocol tables --write` writes them anew."""
    assert filled(PAGE) == PAGE


def test_every_part_is_on_the_page():
    """Each part that can be made is there, once."""
    assert sorted(found["name"] for found in PART.finditer(PAGE)) == sorted(PARTS)


def test_links_lead_somewhere():
    """Each link on the page leads to a heading of the page, or to a file beside it."""
    headings = re.findall(r"^#+ (.*)$", PAGE, re.MULTILINE)
    anchors = [re.sub(r"[^\w\- ]", "", each.lower()).replace(" ", "-") for each in headings]
    links = re.findall(r"\]\(([^)]+)\)", PAGE)

    assert links
    assert len(set(anchors)) == len(anchors)
    for link in links:
        if link.startswith("#"):
            assert link[1:] in anchors, link
        else:
            assert (README.parent / link).is_file(), link


def test_diagrams_speak_of_messages():
    """Each arrow of a sequence is a message that goes that way."""
    tags = {
        "S": {str(kind.__struct_config__.tag) for kind in m.ServerMessage.__args__},
        "C": {str(kind.__struct_config__.tag) for kind in m.ClientMessage.__args__},
    }
    arrows = re.findall(r"^ +(\w)->>(\w): (\w+)", WRITTEN, re.MULTILINE)

    assert len(blocks("mermaid")) == 7
    assert len(arrows) > 50
    for sender, receiver, tag in arrows:
        assert (sender == "S") is not (receiver == "S")
        assert tag in tags["S" if sender == "S" else "C"], tag


def test_diagrams_name_fields():
    """What an arrow says in brackets are fields of that message, at its top."""
    fields = {
        str(kind.__struct_config__.tag): set(kind.__struct_fields__)
        for kind in (*m.ServerMessage.__args__, *m.ClientMessage.__args__)
    }
    for tag, inside in re.findall(r"->>\w: (\w+)\((.*)\)$", WRITTEN, re.MULTILINE):
        flat = re.sub(r"\{[^{}]*\}|\[[^\[\]]*\]|\"[^\"]*\"", "", inside)
        flat = re.sub(r"\{[^{}]*\}|\[[^\[\]]*\]", "", flat)
        named = {part.split(":")[0].strip() for part in flat.split(",")}
        assert named <= fields[tag], (tag, named - fields[tag])


def test_the_session_s_diagram_has_every_event_that_changes_it():
    """What moves a session is an event of its table."""
    (diagram,) = [block for block in blocks("mermaid") if block.startswith("stateDiagram")]
    named = {
        event
        for line in diagram.splitlines()
        for event in line.partition(": ")[2].split(", ")
        if event
    }

    assert named
    assert named <= EVENTS


def test_prompts():
    """The examples are one prompt of each shape, with an answer that fits."""
    prompts = [msgspec.json.decode(block, type=Prompt) for block in blocks("json prompt")]
    answers = [msgspec.json.decode(block, type=Answer) for block in blocks("json answer")]

    assert {prompt.shape for prompt in prompts} == set(Shape.__args__)
    assert len(prompts) == len(answers) == len(Shape.__args__)
    for prompt, answer in zip(prompts, answers, strict=True):
        assert fits(prompt, answer) == ""
        assert fits(prompt, prompt.default) == ""
        assert answer != prompt.default


@pytest.mark.parametrize("vector", VECTORS, ids=range(len(VECTORS)))
def test_digests(vector):
    """The values to test against are the program's, and what the page's words come to."""
    total = 0
    for key, entity in vector["view"].items():
        written = json.dumps([key, entity], ensure_ascii=False, sort_keys=True, separators=",:")
        total += int.from_bytes(hashlib.sha256(written.encode()).digest()[:16], "big")

    assert digest(View(vector["view"])) == vector["digest"]
    assert f"{total % 2**128:032x}" == vector["digest"]


@pytest.mark.parametrize("vector", VECTORS, ids=range(len(VECTORS)))
def test_digests_in_python(vector):
    """The sample in Python comes to the same digests."""
    sample = runpy.run_path(str(SAMPLES / "view.py"))

    assert sample["digest"](vector["view"]) == vector["digest"]


@pytest.mark.skipif(shutil.which("node") is None, reason="there is no node here")
@pytest.mark.slow
def test_digests_in_javascript(tmp_path):
    """The sample in JavaScript comes to the same digests."""
    script = tmp_path / "digest.mjs"
    views = json.dumps([vector["view"] for vector in VECTORS])
    told = f"console.log(JSON.stringify(await Promise.all({views}.map(digest))));"
    script.write_text(
        f"import {{ digest }} from {json.dumps(str(SAMPLES / 'view.mjs'))};\n{told}\n"
    )
    done = subprocess.run(
        ["node", script], capture_output=True, text=True, timeout=A_HANG_S, check=True
    )

    assert json.loads(done.stdout) == [vector["digest"] for vector in VECTORS]


def test_limits():
    """The limits that the page names are the server's own."""
    section = WRITTEN.split("\n## Limits\n")[1].split("\n## ")[0]
    rows = re.findall(r"^\| (`\w+`(?:, `\w+`)*) \| ([^|]+) \|", section, re.MULTILINE)
    told = {}
    for names, text in rows:
        numbers = [int(number.replace(",", "")) for number in re.findall(r"[\d,]*\d", text)]
        told.update(zip(re.findall(r"`(\w+)`", names), numbers, strict=True))

    assert len(rows) == section.count("\n| `")
    assert told == {field: getattr(Config(), field) for field in told}
    assert f"ws://HOST:PORT{PATH}`" in PAGE
    assert "Three\nmalformed messages close" in PAGE
    assert "Three rejected hellos" in PAGE.replace("\n", " ")
    assert (connections.MALFORMED_MAX, connections.REJECTED_MAX) == (3, 3)


def test_costs():
    """What counts as several messages, and as how many, is what the server counts."""
    (sentence,) = re.findall(r"Some messages count as several: ([^;]*);", PAGE)
    told = {tag: int(count) for tag, count in re.findall(r"`(\w+)` (\d+)", sentence)}

    assert told == {kind.__struct_config__.tag: count for kind, count in connections.COSTS.items()}


def test_unknown_words():
    """The page says of each open list, and of no other, what to do with a word that is not known.

    What a message has is written with its type, what a record has with its name.
    """
    found = set()
    for name, definition in schema("server")["$defs"].items():
        for field, node in definition.get("properties", {}).items():
            if '"examples"' in json.dumps(node):
                tag = records()[name].__struct_config__.tag
                found.add(f"{name if tag is None else tag}.{field}")
    section = WRITTEN.split("\n### Unknown words\n")[1].split("\n## ")[0]
    firsts = re.findall(r"^\| (`[^|]+) \|", section, re.MULTILINE)
    told = [name for first in firsts for name in re.findall(r"`([\w.]+)`", first)]

    assert len(told) == len(set(told))
    assert set(told) == found


def test_words_that_must_be_understood():
    """No list of what a server says is closed but the one that the page names."""
    closed = [
        f"{name}.{field}"
        for name, definition in schema("server")["$defs"].items()
        for field, node in definition.get("properties", {}).items()
        if '"enum"' in json.dumps(node)
    ]

    assert closed == ["Prompt.shape"]
    assert "A `shape` says how to answer" in WRITTEN


def test_characters_that_are_not_shown():
    """The page lists the characters that names and chat may not have."""
    (told,) = re.findall(r"since others see what you send:\n(.*?)\. The", WRITTEN, re.DOTALL)
    ranges = re.findall(r"U\+(\w{4})(?: to U\+(\w{4}))?", told)
    listed = {
        number
        for first, last in ranges
        for number in range(int(first, 16), int(last or first, 16) + 1)
    }

    hidden = {number for number in range(0x10000) if not re.match(SHOWN, chr(number))}
    assert listed == hidden


def test_subprotocols():
    """The page names the subprotocols that there are."""
    named = set(re.findall(r"^\| `(longfuse\.1\.\w+)`", PAGE, re.MULTILINE))

    assert named == set(CODECS)


def told_in(heading):
    """By the first column of a table, the words of the program in its last; and whether it ends."""
    table = WRITTEN.split(heading)[1].split("\n\n")[0]
    rows = [line.split("|")[1:-1] for line in table.splitlines()[2:]]
    return {
        row[0].strip().strip("`"): (set(re.findall(r"`(\w+)`", row[-1])), ", and" not in row[-1])
        for row in rows
    }


def kind_of(key):
    """Return how the page writes the key of an entity."""
    return re.sub(r"^zone:.*", "zone:NAME", re.sub(r"\d+$", "N", key))


@pytest.fixture(params=catalogue.names())
def played(request):
    """Each frame of a seat and its view after it, of a game of each ruleset."""
    game = BotGame(catalogue.load(request.param), "page", views=True)
    frames = [(game.game.frames(0), game.game.view(0))]
    frames += [(game.game.frames(0), game.game.view(0)) for _ in islice(game.play(), 300)]
    return frames


def test_entities(played):
    """A game's view has the entities that the page names, with these fields."""
    told = told_in("| key | what it is | fields in every ruleset |")
    seen = {}
    for _frame, view in played:
        for key, entity in view.entities.items():
            seen.setdefault(kind_of(key), set()).add(frozenset(entity))

    assert set(told) <= set(seen)
    for kind, (fields, ends) in told.items():
        for entity in seen[kind]:
            assert fields <= entity, kind
            assert not ends or fields == entity, kind


def test_events(played):
    """What happens is told with the fields that the page names."""
    rows = WRITTEN.split("thing that\nhappened:\n\n")[1].split("\n\n")[0].splitlines()[2:]
    told = set(re.findall(r"`(\w+)`", " ".join(row.split("|")[1] for row in rows)))
    seen = {frozenset(event) for frame, _view in played for event in frame.events}

    assert seen == {frozenset(told)}


def test_parts(played):
    """What explains a number has no field that the page does not name; its example adds up."""
    table = WRITTEN.split("| field of a part | meaning |")[1].split("\n\n")[0]
    told = set(
        re.findall(r"`(\w+)`", " ".join(row.split("|")[1] for row in table.splitlines()[2:]))
    )
    seen = set()
    for _frame, view in played:
        for entity in view.entities.values():
            seen.update(*entity.get("parts", ()))
    (example,) = re.findall(r"```json entity\n(.*?)```", WRITTEN, re.DOTALL)
    oak = json.loads(example)

    assert {"of", "amount", "source", "by", "until"} <= seen <= told
    assert oak["printed_might"] + sum(one["amount"] for one in oak["parts"]) == oak["might"]


@pytest.mark.parametrize(
    ("value", "should_fit"),
    [
        (0, True),
        (m.INTEGER_MAX, True),
        (m.INTEGER_MAX + 1, False),
        (1.0, False),
        (1.5, False),
        ("1", False),
        (None, False),
        (True, False),
    ],
)
def test_whole_numbers(value, should_fit):
    """Whole numbers are written as such, in both spellings, up to what a browser holds exactly."""
    message = {"type": "ping", "nonce": value}
    for name, data in (
        (JSON, json.dumps(message).encode()),
        (MSGPACK, msgpack.packb(message)),
    ):
        if should_fit:
            assert CODECS[name].client_message(data, 1_000) == m.Ping(nonce=value)
        else:
            with pytest.raises(Malformed) as caught:
                CODECS[name].client_message(data, 1_000)
            assert caught.value.field == "$.nonce"


@pytest.mark.parametrize(
    "data",
    [
        msgpack.packb({"type": "ping", "nonce": 5}).replace(b"\x05", number)
        for number in (
            b"\xcc\x05",
            b"\xcd\x00\x05",
            b"\xce\x00\x00\x00\x05",
            b"\xcf" + bytes(7) + b"\x05",
            b"\xd0\x05",
            b"\xd1\x00\x05",
            b"\xd2\x00\x00\x00\x05",
            b"\xd3" + bytes(7) + b"\x05",
        )
    ],
)
def test_any_format_of_whole_numbers(data):
    """MessagePack libraries differ in which format they write a number in: each is taken."""
    assert CODECS[MSGPACK].client_message(data, 1_000) == m.Ping(nonce=5)


@pytest.mark.parametrize(
    ("name", "data"),
    [
        (JSON, rb'{"type":"mute","command":"a","name":"\ud800"}'),
        (JSON, b'{"type":"mute","command":"a","name":"\xed\xa0\x80"}'),
        (MSGPACK, b"\x83\xa4type\xa4mute\xa7command\xa1a\xa4name\xa3\xed\xa0\x80"),
        (MSGPACK, msgpack.packb({"type": "mute", "command": "a", "name": b"x"})),
        (MSGPACK, msgpack.packb({"type": "mute", "command": "a", "name": msgpack.Timestamp(1)})),
        (MSGPACK, msgpack.packb({b"type": "mute", "command": "a"})),
    ],
)
def test_what_is_no_text(name, data):
    """Half of a surrogate pair, bytes, and timestamps are refused."""
    with pytest.raises(Malformed):
        CODECS[name].client_message(data, 1_000)


@pytest.mark.parametrize("retry_s", [5, 5.0, 0.25])
def test_the_one_number_that_may_be_a_fraction(retry_s):
    """It may come as a whole number, too."""
    rejected = m.Rejected(code="too_fast", text="x", retry_s=retry_s)
    for codec in CODECS.values():
        assert codec.server_message(codec.encode(rejected), 1_000).retry_s == retry_s


def test_the_last_of_two_equal_keys_counts():
    """Both spellings agree on it."""
    twice = b'{"type":"ping","nonce":1,"nonce":2}'
    packed = b"\x83\xa4type\xa4ping\xa5nonce\x01\xa5nonce\x02"

    assert CODECS[JSON].client_message(twice, 1_000) == m.Ping(nonce=2)
    assert CODECS[MSGPACK].client_message(packed, 1_000) == m.Ping(nonce=2)
