"""The messages as JSON Schema (2020-12), made from the records and what is written beside them.

For tools, and for people who write clients in other languages. The records in `messages` are the
truth: `msgspec` describes them, and here that is put into the words of the standard, with the
docstrings of records, fields and types as descriptions. Nothing on the wire uses this module.
"""

from __future__ import annotations

import ast
import inspect
import json
from collections.abc import Iterator, Mapping
from functools import cache
from types import ModuleType
from typing import Any, Final, Literal, NamedTuple

import msgspec

from longfuse_protocol import (
    fields,
    from_client,
    from_server,
    messages,
    passing,
    prompts,
    tables,
    views,
)
from longfuse_protocol.fields import INTEGER_MAX
from longfuse_protocol.schema_words import MEANINGS

Side = Literal["client", "server"]
"""Who sends the messages."""
Schema = dict[str, Any]

MESSAGES: Final[Mapping[Side, Any]] = {
    "client": messages.ClientMessage,
    "server": messages.ServerMessage,
}
TOP: Final[Mapping[Side, str]] = {"client": "ClientMessage", "server": "ServerMessage"}
"""Under which name the schema defines all messages of a side."""

_MODULES: Final = (fields, tables, passing, prompts, views, from_client, from_server)
_REF: Final = "#/$defs/"
_PLAIN: Final[Schema] = {
    "title": "Plain",
    "description": "A plain value: no fractions, and nothing but what is listed here.",
    "anyOf": [
        {"type": "null"},
        {"type": "boolean"},
        {"type": "integer", "minimum": -INTEGER_MAX, "maximum": INTEGER_MAX},
        {"type": "string"},
        {"type": "array", "items": {"$ref": f"{_REF}Plain"}},
        {"type": "object", "additionalProperties": {"$ref": f"{_REF}Plain"}},
    ],
}


def schema(side: Side | None = None) -> Schema:
    """Return the JSON Schema of all messages of a side, or of both.

    `$defs` holds the side's messages under the name in `TOP`, and each record under its own.
    """
    head = {"$schema": "https://json-schema.org/draft/2020-12/schema", "title": "longfuse.1"}
    if side is not None:
        return {**head, "$ref": f"{_REF}{TOP[side]}", "$defs": _definitions(side)}
    tops = [{"$ref": f"{_REF}{name}"} for name in TOP.values()]
    return {**head, "anyOf": tops, "$defs": {**_definitions("client"), **_definitions("server")}}


def without_descriptions(described: Schema) -> Schema:
    """Return a schema with only what a program checks."""
    return {
        key: without_descriptions(value) if isinstance(value, dict) else value
        for key, value in described.items()
        if key != "description" or not isinstance(value, str)
    }


def name_of(reference: Mapping[str, Any]) -> str:
    """Return the name of the definition that a `$ref` refers to."""
    return str(reference["$ref"]).removeprefix(_REF)


@cache
def records() -> Mapping[str, type[msgspec.Struct]]:
    """Every record that messages are made of, by its name."""
    return {
        name: value
        for module in _MODULES
        for name, value in vars(module).items()
        if isinstance(value, type) and issubclass(value, msgspec.Struct)
    }


# ---------------------------------------------------------------- from `msgspec` to the standard


def _definitions(side: Side) -> Schema:
    (top,), found = msgspec.json.schema_components(
        [MESSAGES[side]], ref_template=_REF + "{name}", schema_hook=lambda _: _to_plain()
    )
    described = {name: _definition(side, name, made) for name, made in found.items()}
    if side == "server":
        described["Plain"] = _PLAIN
    title = f"What a {side} may send; `type` says which it is."
    return {TOP[side]: {"title": TOP[side], "description": title, **top}, **described}


def _to_plain() -> Schema:
    return {"$ref": f"{_REF}Plain"}


def _definition(side: Side, name: str, made: Schema) -> Schema:
    record = records()[name]
    definition: Schema = {**made, "description": _joined(record.__doc__ or "")}
    properties = {
        field: {**_standard(node), **_described(record, field)}
        for field, node in made["properties"].items()
    }
    definition["properties"] = properties
    if side == "server":
        # It leaves out only what the record says.
        if not record.__struct_config__.omit_defaults:
            definition["required"] = list(properties)
    return definition


def _standard(node: Any) -> Any:
    """Put what is Python's own into the standard's words."""
    if isinstance(node, list):
        return [_standard(each) for each in node]
    if not isinstance(node, dict):
        return node
    node = {
        key: json.loads(json.dumps(value)) if key == "default" else _standard(value)
        for key, value in node.items()
    }
    if "pattern" in node:
        node["pattern"] = "^" + node["pattern"].removeprefix(r"\A").removesuffix(r"\Z") + "$"
    if "enum" in node and len(node["enum"]) == 1:
        node["const"] = node.pop("enum")[0]
    return node


def _described(record: type[msgspec.Struct], field: str) -> Schema:
    text = field_text(record, field)
    return {"description": text} if text else {}


# ---------------------------------------------------------------- what is written beside them


def field_text(record: type[msgspec.Struct], field: str) -> str:
    """Return what a field means: what is written below it and below the types it is made of."""
    if field == record.__struct_config__.tag_field:
        return ""
    written = _written()
    lines = {
        each.__name__: written[each.__name__][field]
        for each in record.__mro__
        if field in written.get(each.__name__, {})
    }
    texts = [line.text or MEANINGS.get(f"{name}.{field}", "") for name, line in lines.items()]
    text = next(filter(None, texts), MEANINGS.get(field, ""))
    names = next(iter(lines.values())).names
    of_types = [written[""][name].text for name in names if name in written[""]]
    return " ".join(filter(None, (text, *of_types)))


class _Line(NamedTuple):
    """A field or a type: the names in its annotation, and what is written below it."""

    names: list[str]
    text: str


@cache
def _written() -> Mapping[str, Mapping[str, _Line]]:
    """What is written in the sources, by record; under "", the types that have no record."""
    found: dict[str, dict[str, _Line]] = {"": {}}
    for module in _MODULES:
        tree = _tree_of(module)
        found[""].update(_lines(tree.body))
        for node in tree.body:
            if isinstance(node, ast.ClassDef):
                found[node.name] = dict(_lines(node.body))
    return found


def _tree_of(module: ModuleType) -> ast.Module:
    return ast.parse(inspect.getsource(module))


def _lines(body: list[ast.stmt]) -> Iterator[tuple[str, _Line]]:
    for node, below in zip(body, [*body[1:], ast.Pass()], strict=True):
        text = ""
        if isinstance(below, ast.Expr) and isinstance(below.value, ast.Constant):
            text = _joined(str(below.value.value))
        if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
            yield node.target.id, _Line(_names_in(node.annotation), text)
        elif isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
            yield node.targets[0].id, _Line([], text)


def _names_in(annotation: ast.expr) -> list[str]:
    names = (node.id for node in ast.walk(annotation) if isinstance(node, ast.Name))
    return list(dict.fromkeys(names))


def _joined(text: str) -> str:
    """Paragraphs as lines: how they were broken in the source means nothing."""
    paragraphs = inspect.cleandoc(text).split("\n\n")
    return "\n".join(" ".join(paragraph.split()) for paragraph in paragraphs)
