"""Whether a plain value fits a part of our JSON Schema, as the `jsonschema` library has it."""

from collections.abc import Iterator

from jsonschema import Draft202012Validator
from jsonschema.exceptions import ValidationError, best_match
from jsonschema.validators import extend


def problems(value, node, top, at="$", *, known=False):
    """Say where a value does not fit a node of the schema `top`; nothing if it fits.

    known: whether the words of open lists (`examples`) must be among those that are listed.
    """
    kind = _WithKnownWords if known else Draft202012Validator
    checker = kind({**node, "$defs": top["$defs"]})
    return [f"{at}{_told(error)}" for error in checker.iter_errors(value)]


def resolved(node, top):
    """Follow a reference, if the node is one."""
    while "$ref" in node:
        node = top["$defs"][node["$ref"].removeprefix("#/$defs/")]
    return node


def _told(error):
    deepest = best_match([error])
    return f"{deepest.json_path.removeprefix('$')}: {deepest.message}"


def _is_known(_checker, words, value, _node) -> Iterator[ValidationError]:
    if value not in words:
        yield ValidationError(f"{value!r} is not yet one of {words}")


_WithKnownWords = extend(Draft202012Validator, {"examples": _is_known})
