"""Which words a field takes that takes only some, so that an error about another lists them.

Used by `codec` alone, once a message has failed. It reads the records; nothing is listed twice.
"""

import re
from collections.abc import Iterator

from msgspec import Struct, inspect

from longfuse_protocol.messages import ClientMessage, ServerMessage

_KINDS: dict[object, type[Struct]] = {
    kind.__struct_config__.tag: kind for kind in (*ClientMessage.__args__, *ServerMessage.__args__)
}
_STEP = re.compile(r"\.(?P<field>\w+)|\[")


def words(tag: object, path: str) -> tuple[str | int, ...]:
    """Return what the field at `path` takes in a message of type `tag`; () if that is no list.

    path: as the schema library writes it, `$.seats[0].kind`.
    """
    if not isinstance(tag, str) or tag not in _KINDS:
        return ()
    nodes: list[inspect.Type] = [inspect.type_info(_KINDS[tag])]
    for step in _STEP.finditer(path):
        nodes = [inner for node in nodes for inner in _inside(node, step["field"])]
    literals = [node for node in nodes if isinstance(node, inspect.LiteralType)]
    return tuple(one for node in literals for one in node.values if isinstance(one, str | int))


def _inside(node: inspect.Type, field: str | None) -> Iterator[inspect.Type]:
    """Yield the types of a field of a record, or with None those of the items of a list."""
    if isinstance(node, inspect.StructType):
        for each in node.fields:
            if each.encode_name == field:
                yield from _each(each.type)
    elif isinstance(node, inspect.ListType | inspect.VarTupleType) and field is None:
        yield from _each(node.item_type)


def _each(node: inspect.Type) -> Iterator[inspect.Type]:
    """Yield what a type may be, one by one."""
    if isinstance(node, inspect.Metadata):
        yield from _each(node.type)
    elif isinstance(node, inspect.UnionType):
        for one in node.types:
            yield from _each(one)
    else:
        yield node
