"""Strategies for messages: values of every field of every message, within their limits.

They are read from the records themselves, so a new field or a tighter limit is tried at once.
"""

import functools

import msgspec
from hypothesis import strategies as st
from msgspec import inspect

from longfuse_protocol import fields
from longfuse_protocol import messages as m

PLAIN = st.recursive(
    st.none() | st.booleans() | st.integers(-m.INTEGER_MAX, m.INTEGER_MAX) | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=3),
    max_leaves=3,
)
MOST = 3
"""How long lists get here, where their limit allows more."""

HASH_PATTERN = r"\A[0-9a-f]*\Z"
ALPHABETS = {
    None: st.characters(exclude_categories=["Cs"]),
    fields.SHOWN: st.characters(exclude_categories=["Cc", "Cf", "Cs", "Zl", "Zp"]),
    HASH_PATTERN: st.sampled_from("0123456789abcdef"),
}


def values(type_):
    """Return a strategy for what fits an annotation, as the schema library reads it."""
    return BY_TYPE[type(type_)](type_)


def _integer(type_):
    least = -m.INTEGER_MAX if type_.ge is None else type_.ge
    return st.integers(least, m.INTEGER_MAX if type_.le is None else type_.le)


def _text(type_):
    least = type_.min_length or 0
    most = least + 20 if type_.max_length is None else min(type_.max_length, least + 20)
    return st.text(ALPHABETS[type_.pattern], min_size=least, max_size=most)


def _list(type_):
    least = type_.min_length or 0
    return st.lists(values(type_.item_type), min_size=least, max_size=least + MOST)


BY_TYPE = {
    inspect.Metadata: lambda type_: values(type_.type),
    inspect.CustomType: lambda type_: {object: PLAIN}[type_.cls],
    inspect.NoneType: lambda _type: st.none(),
    inspect.BoolType: lambda _type: st.booleans(),
    inspect.IntType: _integer,
    inspect.FloatType: lambda _type: st.floats(allow_nan=False, allow_infinity=False),
    inspect.StrType: _text,
    inspect.LiteralType: lambda type_: st.sampled_from(type_.values),
    inspect.UnionType: lambda type_: st.one_of([values(inner) for inner in type_.types]),
    inspect.DictType: lambda type_: st.dictionaries(
        values(type_.key_type), values(type_.value_type), max_size=MOST
    ),
    inspect.ListType: _list,
    inspect.VarTupleType: lambda type_: _list(type_).map(tuple),
    inspect.TupleType: lambda type_: st.tuples(*[values(inner) for inner in type_.item_types]),
    inspect.StructType: lambda type_: record(type_.cls),
}


@functools.cache
def record(kind):
    """Return a strategy for one kind of record."""
    described = inspect.type_info(kind)
    return st.builds(kind, **{field.name: values(field.type) for field in described.fields})


def _of(union: object) -> dict[type[msgspec.Struct], st.SearchStrategy]:
    return {kind: record(kind) for kind in union.__args__}


FROM_CLIENT = _of(m.ClientMessage)
FROM_SERVER = _of(m.ServerMessage)
