"""What may change within one version of the protocol, as a comparison of two schemas.

The rule is in the protocol's page. A client of yesterday sends what it knew, and a server of today
must take it. A server of today says what it knows, and a client of yesterday must understand it,
but for fields and messages that it does not know, which it skips, and for words of the open lists
(`examples` in the schema), with any of which it goes on. What a list has named is not taken away:
a client of today may meet a server of yesterday.
"""

from protocol.json_schema import problems, resolved

LOOSER_IF_LESS = ("minLength", "minimum", "minItems")
LOOSER_IF_MORE = ("maxLength", "maximum", "maxItems", "maxProperties")


def breaks(before, after):
    """Say what has changed from one pair of schemas to another that may not have.

    Both are by side. Nothing is said if the second may come after the first in one version.
    """
    return [*_taken(before["client"], after["client"]), *_said(before["server"], after["server"])]


def _taken(before, after):
    """Whatever a client might have sent is still taken."""
    yesterday, today = _messages(before), _messages(after)
    for tag, node in yesterday.items():
        if tag not in today:
            yield f"{tag}: is not taken any more"
        else:
            yield from Within(before, after, keeps_fields=False).told(node, today[tag], tag)


def _said(before, after):
    """Whatever the server says in a message that was known, it might have said."""
    yesterday, today = _messages(before), _messages(after)
    for tag, node in yesterday.items():
        if tag not in today:
            yield f"{tag}: is not said any more"
        else:
            yield from Within(after, before, keeps_fields=True).told(today[tag], node, tag)


def _messages(schema):
    nodes = [resolved(each, schema) for each in resolved(schema, schema)["anyOf"]]
    return {node["properties"]["type"]["const"]: node for node in nodes}


class Within:
    """Compares nodes of two schemas: does every value that fits the one fit the other?"""

    def __init__(self, small, large, *, keeps_fields):
        self.small, self.large = small, large
        self.keeps_fields = keeps_fields
        """Whether the small one must have every field that the large one has."""

    def told(self, small, large, at, seen=frozenset()):
        """Say why not, with where it is; nothing if every value does."""
        pair = (str(small), str(large))
        if pair in seen:
            return []
        seen = seen | {pair}
        small, large = resolved(small, self.small), resolved(large, self.large)
        if self.keeps_fields and (gone := _words(large) - _words(small)):
            return [f"{at}: {sorted(map(str, gone))} is said no more"]
        if "anyOf" in small:
            tries = [self.told(each, large, at, seen) for each in small["anyOf"]]
            return [told for each in tries for told in each]
        if "anyOf" in large:
            tries = [self.told(small, each, at, seen) for each in large["anyOf"]]
            return min(tries, key=len)
        if values := _values(small):
            return [told for value in values for told in problems(value, large, self.large, at)]
        if _values(large):
            return [f"{at}: any {small['type']}, and not only {_values(large)}"]
        if small["type"] != large["type"]:
            return [f"{at}: {small['type']}, and not {large['type']}"]
        limits = [f"{at}: {told}" for told in _limits(small, large)]
        return limits + self._inside(small, large, at, seen)

    def _inside(self, small, large, at, seen):
        if small["type"] == "object":
            return self._fields(small, large, at, seen) + self._entries(small, large, at, seen)
        if small["type"] != "array":
            return []
        ones, others = small.get("prefixItems", []), large.get("prefixItems", [])
        if len(ones) != len(others):
            return [f"{at}: {len(ones)} parts, and not {len(others)}"]
        if not ones:
            return self.told(small["items"], large["items"], f"{at}[]", seen)
        tries = [self.told(*pair, f"{at}[]", seen) for pair in zip(ones, others, strict=True)]
        return [told for each in tries for told in each]

    def _fields(self, small, large, at, seen):
        ours, theirs = small.get("properties", {}), large.get("properties", {})
        always = small.get("required", [])
        found = [
            f"{at}.{key}: may be left out"
            for key in large.get("required", [])
            if key in ours and key not in always
        ]
        found += [
            f"{at}.{key}: must be there" for key in large.get("required", []) if key not in ours
        ]
        if large.get("additionalProperties") is False:
            found += [f"{at}.{key}: is not known" for key in ours if key not in theirs]
        if self.keeps_fields:
            found += [f"{at}.{key}: is gone" for key in theirs if key not in ours]
        for key in ours.keys() & theirs.keys():
            found += self.told(ours[key], theirs[key], f"{at}.{key}", seen)
            if key not in always and ours[key].get("default") != theirs[key].get("default"):
                found.append(f"{at}.{key}: means something else where it is left out")
        return found

    def _entries(self, small, large, at, seen):
        maps = [node.get("additionalProperties") for node in (small, large)]
        if not all(isinstance(each, dict) for each in maps):
            return []
        names = [{"type": "string", **node.get("propertyNames", {})} for node in (small, large)]
        return self.told(*maps, f"{at}{{}}", seen) + self.told(*names, f"{at}, key", seen)


def _values(node):
    return [node["const"]] if "const" in node else node.get("enum", [])


def _words(node):
    """The words that a node names, whether or not there may be others."""
    return {*_values(node), *node.get("examples", [])}


def _limits(small, large):
    for key in (*LOOSER_IF_LESS, *LOOSER_IF_MORE, "pattern"):
        if key not in large or small.get(key) == large[key]:
            continue
        tighter = key in small and (
            (key in LOOSER_IF_LESS and small[key] > large[key])
            or (key in LOOSER_IF_MORE and small[key] < large[key])
        )
        if not tighter:
            yield f"{key} is {small.get(key)}, and not {large[key]}"
