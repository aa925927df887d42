"""The messages as JSON Schema: it says what the records say, and it changes only as it may."""

import copy
import json
from pathlib import Path

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from longfuse_protocol import messages as m
from longfuse_protocol.codec import CODECS, JSON
from longfuse_protocol.errors import Malformed
from longfuse_protocol.schema import MESSAGES, TOP, field_text, records, schema
from protocol.json_schema import problems
from protocol.versions import breaks
from protocol.wire_values import FROM_CLIENT, FROM_SERVER

RELEASED = Path(__file__).with_name("longfuse.1.json")
CODEC = CODECS[JSON]
BOTH = schema()
SIDES = {side: schema(side) for side in MESSAGES}


def plain(message):
    """Return a message as any JSON library reads it."""
    return json.loads(CODEC.encode(message))


@given(message=st.one_of(*FROM_CLIENT.values()))
def test_what_a_client_may_send_fits(message):
    """Whatever fits the records of clients fits their schema, and the one of both sides."""
    assert problems(plain(message), SIDES["client"], SIDES["client"]) == []
    assert problems(plain(message), BOTH, BOTH) == []


@given(message=st.one_of(*FROM_SERVER.values()))
def test_what_a_server_may_send_fits(message):
    """Whatever fits the records of servers fits their schema, and the one of both sides."""
    assert problems(plain(message), SIDES["server"], SIDES["server"]) == []
    assert problems(plain(message), BOTH, BOTH) == []


@given(
    message=st.one_of(*FROM_CLIENT.values()),
    data=st.data(),
    value=st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
)
def test_what_fits_the_schema_is_taken(message, data, value):
    """With any field set to anything, or left out, schema and server agree on a message."""
    changed = plain(message)
    field = data.draw(st.sampled_from([*changed, "other"]))
    changed[field] = value
    if data.draw(st.booleans()):
        del changed[field]
    try:
        CODEC.client_message(json.dumps(changed).encode(), 10**6)
        taken = True
    except Malformed:
        taken = False

    assert taken is not bool(problems(changed, SIDES["client"], SIDES["client"]))


def test_what_a_later_server_says_fits():
    """Every record of servers may have more fields than the schema knows; no record of clients."""
    for side, whole in SIDES.items():
        for name in records().keys() & whole["$defs"].keys():
            is_open = whole["$defs"][name].get("additionalProperties", True)
            assert is_open is (side == "server"), name


def test_no_record_is_of_both_sides():
    """A server is stricter in what it takes than a client may be, so each has its own records."""
    client, server = (set(whole["$defs"]) for whole in SIDES.values())

    assert client.isdisjoint(server)


@pytest.mark.parametrize("side", SIDES)
def test_every_message_is_named(side):
    """The schema has each message once, under its type, and has nothing else at its top."""
    top = SIDES[side]["$defs"][TOP[side]]
    tags = [kind.__struct_config__.tag for kind in MESSAGES[side].__args__]

    assert list(top["discriminator"]["mapping"]) == tags
    assert [each["$ref"] for each in top["anyOf"]] == list(top["discriminator"]["mapping"].values())
    assert SIDES[side]["$ref"] == f"#/$defs/{TOP[side]}"
    assert [each["$ref"] for each in BOTH["anyOf"]] == [f"#/$defs/{name}" for name in TOP.values()]


@pytest.mark.parametrize("side", SIDES)
def test_every_field_and_limit_is_named(side):
    """Each record has exactly its fields, each with a meaning, and each limit of each field."""
    limits = {"ge": "minimum", "le": "maximum", "min_length": "min", "max_length": "max"}
    for name, definition in SIDES[side]["$defs"].items():
        if name not in records():
            continue
        record = records()[name]
        described = msgspec.inspect.type_info(record)
        fields = {field.encode_name: field for field in described.fields}
        properties = {key for key in definition["properties"] if key != described.tag_field}
        assert properties == set(fields)
        for key, field in fields.items():
            node = definition["properties"][key]
            assert node["description"] == field_text(record, key) != ""
            for ours, theirs in limits.items():
                value = getattr(field.type, ours, None)
                found = [node[word] for word in node if word.startswith(theirs)]
                assert value is None or found == [value], f"{name}.{key}"


def test_every_reference_leads_somewhere():
    """Nothing refers to what is not defined, and nothing is defined that nobody refers to."""
    for whole in (BOTH, *SIDES.values()):
        text = json.dumps(whole)
        used = {part.split('"')[0] for part in text.split('"#/$defs/')[1:]}

        assert used == set(whole["$defs"])


# ---------------------------------------------------------------- what may change


def test_the_version_is_kept():
    """What has changed since the protocol was released is what may change within its version.

    What must change otherwise is another version. When this one is released, what it then is goes
    on record: `longfuse protocol schema --brief > tests/protocol/longfuse.1.json`.
    """
    released = json.loads(RELEASED.read_text())
    before = {
        side: {"$ref": f"#/$defs/{name}", "$defs": released["$defs"]} for side, name in TOP.items()
    }

    assert breaks(before, SIDES) == []


def changed(change):
    """Return the schemas of both sides with a change made to their definitions."""
    after = copy.deepcopy(SIDES)
    change(after["client"]["$defs"], after["server"]["$defs"])
    return after


def properties(definitions, name):
    """Return the fields of a definition."""
    return definitions[name]["properties"]


def drop(definitions, top, name):
    """Take a message out of a schema."""
    top = definitions[top]
    top["anyOf"] = [each for each in top["anyOf"] if each["$ref"] != f"#/$defs/{name}"]


def add(definitions, top, name, tag):
    """Put a message into a schema."""
    definitions[top]["anyOf"].append({"$ref": f"#/$defs/{name}"})
    kind = {"type": {"const": tag}}
    definitions[name] = {"type": "object", "properties": kind, "required": ["type"]}


ADDED = {"type": "string", "default": ""}
MAY = {
    "an optional field of a client": lambda c, _: properties(c, "Join").update(added=ADDED),
    "an optional field of a record": lambda c, _: properties(c, "Terms").update(added=ADDED),
    "a field of a server": lambda _, s: properties(s, "Place").update(added={"type": "string"}),
    "a message of a client": lambda c, _: add(c, "ClientMessage", "Wave", "wave"),
    "a message of a server": lambda _, s: add(s, "ServerMessage", "Waved", "waved"),
    "a wider limit for a client": lambda c, _: properties(c, "Say")["text"].update(maxLength=999),
    "no limit for a client": lambda c, _: properties(c, "Say")["text"].pop("pattern"),
    "a value more for a client": lambda c, _: properties(c, "ClockTerms")["kind"]["enum"].append(
        "hourglass"
    ),
    "a word more in an open list": lambda _, s: properties(s, "TableInfo")["status"][
        "examples"
    ].append("frozen"),
    "an error code more": lambda _, s: properties(s, "Answered")["code"]["examples"].append("late"),
    "a field that need not be sent": lambda c, _: c["Respond"]["required"].remove("accept"),
    "a field that is always said": lambda _, s: s["Prompt"]["required"].append("source"),
    "another description": lambda c, _: c["Say"].update(description="Speak."),
}
MAY_NOT = {
    "a client's message is gone": lambda c, _: drop(c, "ClientMessage", "Say"),
    "a server's message is gone": lambda _, s: drop(s, "ServerMessage", "Said"),
    "a client's field is gone": lambda c, _: properties(c, "Join").pop("seat"),
    "a field of a client's record is gone": lambda c, _: properties(c, "Terms").pop("chat"),
    "a server's field is gone": lambda _, s: properties(s, "Over").pop("reason"),
    "a server's field that was not always there is gone": lambda _, s: properties(s, "Prompt").pop(
        "clause"
    ),
    "a new field that must be sent": lambda c, _: (
        properties(c, "Join").update(added=ADDED),
        c["Join"]["required"].append("added"),
    ),
    "a field that must now be sent": lambda c, _: c["Join"]["required"].append("seat"),
    "a field that is not always said": lambda _, s: s["Over"]["required"].remove("reason"),
    "a tighter limit": lambda c, _: properties(c, "Say")["text"].update(maxLength=100),
    "a new limit": lambda c, _: properties(c, "Hello")["token"].update(minLength=1),
    "a looser limit of a server": lambda _, s: properties(s, "Prompt")["bounds"]["items"].pop(
        "maxItems"
    ),
    "a shorter list": lambda c, _: properties(c, "Create")["seats"].update(maxItems=2),
    "a shorter key": lambda c, _: properties(c, "Create")["options"]["propertyNames"].update(
        maxLength=3
    ),
    "another pattern": lambda c, _: properties(c, "Nonce")["nonce"].update(pattern="^[0-9]*$"),
    "another type": lambda c, _: properties(c, "Decide").update(prompt={"type": "string"}),
    "fewer types": lambda c, _: properties(c, "Decide").update(answer={"type": "integer"}),
    "another type within a list": lambda _, s: properties(s, "TableInfo")["score"].update(
        items={"type": "string"}
    ),
    "another type within a map": lambda _, s: properties(s, "Snapshot")["view"].update(
        additionalProperties={"type": "string"}
    ),
    "longer pairs": lambda _, s: properties(s, "Prompt")["bounds"]["items"].update(
        prefixItems=[{"type": "integer"}] * 3
    ),
    "null where there was none": lambda _, s: properties(s, "Over").update(
        reason={"anyOf": [{"type": "string"}, {"type": "null"}]}
    ),
    "a value less for a client": lambda c, _: properties(c, "ClockTerms")["kind"]["enum"].pop(),
    "a word less in an open list": lambda _, s: properties(s, "TableInfo")["status"][
        "examples"
    ].pop(),
    "an error code less": lambda _, s: properties(s, "Rejected")["code"]["examples"].pop(),
    "an open list that names nothing": lambda _, s: properties(s, "Notice")["kind"].pop("examples"),
    "a word that must be understood": lambda _, s: properties(s, "Prompt")["shape"]["enum"].append(
        "draw"
    ),
    "a word less that must be understood": lambda _, s: properties(s, "Prompt")["shape"][
        "enum"
    ].pop(),
    "any word where it must be understood": lambda _, s: properties(s, "Prompt").update(
        shape={"type": "string", "examples": properties(s, "Prompt")["shape"]["enum"]}
    ),
    "another tag": lambda _, s: properties(s, "Over").update(type={"const": "ended"}),
    "another meaning of nothing": lambda c, _: properties(c, "Terms")["chat"].update(default=False),
}


@pytest.mark.parametrize("change", MAY.values(), ids=MAY)
def test_what_may_change(change):
    """A client of yesterday does not notice it."""
    assert changed(change) != SIDES
    assert breaks(SIDES, changed(change)) == []


@pytest.mark.parametrize("change", MAY_NOT.values(), ids=MAY_NOT)
def test_what_may_not_change(change):
    """A client of yesterday would be refused, or would not understand."""
    assert breaks(SIDES, changed(change)) != []


@pytest.mark.parametrize("top", [*SIDES.values(), BOTH])
def test_the_schema_is_one(top):
    """It keeps to the standard that it names, and so do all who check by it."""
    assert top["$schema"] == Draft202012Validator.META_SCHEMA["$id"]
    Draft202012Validator.check_schema(top)


def test_the_check_of_words():
    """Another word of an open list fits; where only known words may come, it is found."""
    server = SIDES["server"]
    message = plain(m.Offers(offers=(m.Offer(kind="tea", by=0, accepted=(), until_ms=1),)))

    assert problems(message, server["$defs"]["Offers"], server) == []
    (told,) = problems(message, server["$defs"]["Offers"], server, known=True)
    assert told.startswith("$.offers[0].kind: 'tea' is not yet one of ['draw'")
