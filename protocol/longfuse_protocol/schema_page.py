"""The tables of the protocol's page, in Markdown: every message, every code, every state.

Made from the schema, the tables of codes and the session's table, so that the page cannot say
something else than the program. The page holds each part between two comments; what is around
them is written by hand. Nothing on the wire uses this module.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final

from longfuse_protocol.errors import CLOSES, CODE_TEXTS, Code
from longfuse_protocol.fields import INTEGER_MAX, SHOWN
from longfuse_protocol.schema import MESSAGES, TOP, Schema, Side, name_of, records, schema
from longfuse_protocol.session import TRANSITIONS, State

PART: Final = re.compile(
    r"(?P<head><!-- made: (?P<name>[a-z ]+) -->\n).*?(?P<foot><!-- end -->)", re.DOTALL
)
_PATTERNS: Final = {
    "^" + SHOWN.removeprefix(r"\A").removesuffix(r"\Z") + "$": "shown characters only",
    "^[0-9a-f]*$": "0-9 and a-f only",
}


class NoSuchPart(Exception):
    """The page asks for a part that nobody makes."""


def filled(page: str) -> str:
    """Return a page with all its parts made anew; raise `NoSuchPart` for one that is not known."""
    return PART.sub(lambda found: f"{found['head']}{part(found['name'])}{found['foot']}", page)


def part(name: str) -> str:
    """Make one part, by its name in `PARTS`."""
    if name not in PARTS:
        raise NoSuchPart(f"`{name}` is no part of the page; there are: {', '.join(PARTS)}")
    return "\n".join(PARTS[name]()) + "\n"


# ---------------------------------------------------------------- messages and records


def _messages(side: Side) -> Iterator[str]:
    for kind in MESSAGES[side].__args__:
        definition = schema(side)["$defs"][kind.__name__]
        tag = definition["properties"].pop("type")["const"]
        yield from (f"#### `{tag}`", "", *_told(definition))
        yield f"Belongs in a session that is {_listed(_states(tag))}."
        yield ""
        yield from _fields(side, definition)


def _records() -> Iterator[str]:
    """Each record once; what a client sends is told with its limits."""
    sides: dict[str, Side] = {}
    for side in MESSAGES:
        tags = {kind.__name__ for kind in MESSAGES[side].__args__}
        for name in schema(side)["$defs"]:
            if name in records() and name not in tags:
                sides.setdefault(name, side)
    for name in sorted(sides):
        definition = schema(sides[name])["$defs"][name]
        yield from (f"#### Record `{name}`", "", *_told(definition))
        yield from _fields(sides[name], definition)


def _told(definition: Schema) -> Iterator[str]:
    for paragraph in definition["description"].split("\n"):
        yield from (paragraph, "")


def _states(tag: str) -> list[str]:
    """Where a message belongs; what it means there may depend on what it says."""
    events = (tag, f"{tag} as spectator", f"{tag} back", f"{tag} refused")
    return [state.value for state, row in TRANSITIONS.items() if any(e in row for e in events)]


def _fields(side: Side, definition: Schema) -> Iterator[str]:
    if not definition["properties"]:
        yield from ("No fields.", "")
        return
    left_out = "left out" if side == "client" else "may be left out"
    yield f"| field | type | {left_out} | meaning |"
    yield "|---|---|---|---|"
    for field, node in definition["properties"].items():
        text = node.get("description", "").replace("\n", " ")
        cells = (f"`{field}`", _type(node), _left_out(field, definition), text)
        yield f"| {' | '.join(cell.replace('|', '/') for cell in cells)} |"
    yield ""


def _left_out(field: str, definition: Schema) -> str:
    node = definition["properties"][field]
    if field in definition["required"]:
        return "never"
    if "$ref" in node:
        return "means the defaults of all its fields"
    return f"means `{json.dumps(node.get('default', {}), ensure_ascii=False)}`"


# ---------------------------------------------------------------- types in words


def _type(node: Mapping[str, Any]) -> str:
    if "anyOf" in node:
        return ", or ".join(_type(each) for each in node["anyOf"])
    if "$ref" in node:
        name = name_of(node)
        return "any plain value" if name == "Plain" else f"[{name}](#{_anchor(name)})"
    if "const" in node:
        return f"`{json.dumps(node['const'])}`"
    if "enum" in node:
        return _listed([json.dumps(value) for value in node["enum"]], "or")
    if "examples" in node:
        return f"{_known(node['examples'])}, or [another](#unknown-words)"
    return _TYPES[node["type"]](node)


def _known(words: list[Any]) -> str:
    if words == list(Code):
        return "an [error code](#error-codes)"
    return ", ".join(f"`{json.dumps(word)}`" for word in words)


def _anchor(name: str) -> str:
    tag = records()[name].__struct_config__.tag
    return f"record-{name.lower()}" if tag is None else str(tag)


def _text(node: Mapping[str, Any]) -> str:
    size = _span(node.get("minLength"), node.get("maxLength"))
    parts = [f"{size} characters" if size else "", _PATTERNS.get(node.get("pattern", ""), "")]
    return ", ".join(["text", *filter(None, parts)])


def _integer(node: Mapping[str, Any]) -> str:
    low, high = node.get("minimum", -INTEGER_MAX), node.get("maximum", INTEGER_MAX)
    if high == INTEGER_MAX:
        return "whole number" if low == -INTEGER_MAX else f"whole number, at least {low}"
    return f"whole number {_span(low, high)}"


def _array(node: Mapping[str, Any]) -> str:
    if "prefixItems" in node:
        inner = ", ".join(_type(each) for each in node["prefixItems"])
        return f"list of exactly: {inner}"
    size = _span(node.get("minItems"), node.get("maxItems"))
    return f"list{f' ({size})' if size else ''} of {_type(node['items'])}"


def _object(node: Mapping[str, Any]) -> str:
    size = _span(None, node.get("maxProperties"))
    keys = _span(*(node.get("propertyNames", {}).get(key) for key in ("minLength", "maxLength")))
    told = f"map{f' ({size})' if size else ''} from text{f' ({keys} characters)' if keys else ''}"
    return f"{told} to {_type(node['additionalProperties'])}"


def _span(low: int | None, high: int | None) -> str:
    if high is None:
        return ""
    if low == high:
        return f"exactly {high:,}"
    return f"{low:,} to {high:,}" if low is not None else f"at most {high:,}"


_TYPES: Final[Mapping[str, Callable[[Mapping[str, Any]], str]]] = {
    "string": _text,
    "integer": _integer,
    "number": lambda _: "number",
    "boolean": lambda _: "true or false",
    "null": lambda _: "null",
    "array": _array,
    "object": _object,
}


def _listed(words: list[str], last: str = "or") -> str:
    spelt = [f"`{word}`" for word in words]
    return f" {last} ".join(filter(None, (", ".join(spelt[:-1]), spelt[-1])))


# ---------------------------------------------------------------- codes and states


def _codes() -> Iterator[str]:
    yield from ("| code | meaning |", "|---|---|")
    yield from (f"| `{code}` | {text} |" for code, text in CODE_TEXTS.items())


def _closes() -> Iterator[str]:
    yield from ("| code | meaning | connect again? |", "|---|---|---|")
    for code, close in CLOSES.items():
        yield f"| {int(code)} | {close.text} | {'yes' if close.retry else 'no'} |"


def _changes(row: Mapping[str, State], state: State) -> dict[State, list[str]]:
    found: dict[State, list[str]] = {}
    for event, following in row.items():
        if following is not state:
            found.setdefault(following, []).append(event)
    return found


def _diagram() -> Iterator[str]:
    yield from ("```mermaid", "stateDiagram-v2", "    [*] --> new")
    for state, row in TRANSITIONS.items():
        for following, events in _changes(row, state).items():
            yield f"    {state.value} --> {following.value}: {', '.join(events)}"
    yield "```"


def _session() -> Iterator[str]:
    yield from ("| state | message | then |", "|---|---|---|")
    for state, row in TRANSITIONS.items():
        for following, events in _changes(row, state).items():
            yield f"| {state.value} | {_listed(events)} | {following.value} |"
        stays = [event for event, following in row.items() if following is state]
        yield f"| {state.value} | {_listed(stays)} | {state.value} |"


def _index() -> Iterator[str]:
    yield from ("| from | messages |", "|---|---|")
    for side in TOP:
        tags = [str(kind.__struct_config__.tag) for kind in MESSAGES[side].__args__]
        yield f"| {side} | {', '.join(f'[`{tag}`](#{tag})' for tag in tags)} |"


PARTS: Final[Mapping[str, Callable[[], Iterator[str]]]] = {
    "index": _index,
    "client messages": lambda: _messages("client"),
    "server messages": lambda: _messages("server"),
    "records": _records,
    "error codes": _codes,
    "close codes": _closes,
    "session diagram": _diagram,
    "session table": _session,
}
"""What each part of the page is made by."""
