"""Whether a plain value fits a JSON Schema: as much of the standard as our schema uses.

A keyword that is not known here is an error, so that none is passed over in silence.
"""

import re

TYPES = {
    "string": lambda value: isinstance(value, str),
    "boolean": lambda value: isinstance(value, bool),
    "integer": lambda value: isinstance(value, int) and not isinstance(value, bool),
    "number": lambda value: isinstance(value, int | float) and not isinstance(value, bool),
    "null": lambda value: value is None,
    "array": lambda value: isinstance(value, list),
    "object": lambda value: isinstance(value, dict),
}
NOTES = {"$schema", "$defs", "title", "description", "default", "discriminator", "examples"}
OF_OBJECTS = {"properties", "required", "additionalProperties"}
HANDLED = {"$ref", "anyOf", "const", "enum", "type", "prefixItems", "items", *OF_OBJECTS}
LIMITS = {
    "minLength": lambda value, limit: len(value) >= limit,
    "maxLength": lambda value, limit: len(value) <= limit,
    "minimum": lambda value, limit: value >= limit,
    "maximum": lambda value, limit: value <= limit,
    "minItems": lambda value, limit: len(value) >= limit,
    "maxItems": lambda value, limit: len(value) <= limit,
    "maxProperties": lambda value, limit: len(value) <= limit,
    "pattern": lambda value, limit: re.fullmatch(limit.strip("^$"), value) is not None,
}


def problems(value, node, top, at="$", *, known=False):
    """Say where a value does not fit a node of the schema `top`; nothing if it fits.

    known: whether the words of open lists (`examples`) must be among those that are listed.
    """
    if node is True or node is False:
        return [] if node else [f"{at}: nothing may be here"]
    unknown = node.keys() - NOTES - LIMITS.keys() - HANDLED - {"propertyNames"}
    assert not unknown, f"keywords that are not known here: {unknown}"
    found = []
    if "$ref" in node:
        found += problems(value, resolved(node, top), top, at, known=known)
    if "anyOf" in node:
        tries = [problems(value, each, top, at, known=known) for each in node["anyOf"]]
        if all(tries):
            found.append(f"{at}: fits none of {len(tries)}: {min(tries, key=len)}")
    if "const" in node and value != node["const"]:
        found.append(f"{at}: {value!r} is not {node['const']!r}")
    if "enum" in node and value not in node["enum"]:
        found.append(f"{at}: {value!r} is none of {node['enum']}")
    if known and "examples" in node and value not in node["examples"]:
        found.append(f"{at}: {value!r} is not yet one of {node['examples']}")
    if "type" in node:
        if not TYPES[node["type"]](value):
            return [*found, f"{at}: {value!r} is no {node['type']}"]
        found += [
            f"{at}: {key} {limit}, not {value!r}"
            for key, limit in node.items()
            if key in LIMITS and not LIMITS[key](value, limit)
        ]
        found += _inside(value, node, top, at, known)
    return found


def resolved(node, top):
    """Follow a reference, if the node is one."""
    while "$ref" in node:
        node = top["$defs"][node["$ref"].removeprefix("#/$defs/")]
    return node


def _inside(value, node, top, at, known):
    found = []
    if node["type"] == "array":
        first = node.get("prefixItems", [])
        rest = node.get("items", True)
        for index, item in enumerate(value):
            inner = first[index] if index < len(first) else rest
            found += problems(item, inner, top, f"{at}[{index}]", known=known)
    if node["type"] == "object":
        found += [f"{at}.{key}: missing" for key in node.get("required", []) if key not in value]
        fields, other = node.get("properties", {}), node.get("additionalProperties", True)
        for key, item in value.items():
            found += problems(item, fields.get(key, other), top, f"{at}.{key}", known=known)
            if "propertyNames" in node:
                names = {"type": "string", **node["propertyNames"]}
                found += problems(key, names, top, f"{at}, key")
    return found
