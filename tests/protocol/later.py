"""What a later server of the same version may say in place of what one of today does."""

from longfuse_protocol.schema import schema
from protocol.json_schema import problems, resolved

SAID = schema("server")
WORD, NUMBER = "of tomorrow", 97
"""No list of today has them."""
STRAY = [
    {"type": "weather"},
    {"type": "weather", "n": 7, "place": {"stream": "x", "info": None, "seat": "all"}},
    {"type": "weather", "command": "enter", "ok": False, "code": "refused", "prompt": {"id": 1}},
    {"type": "weather", "secret": "", "view": {}, "changes": None, "digest": 1.5, "winner": [0]},
]
"""Messages that no client knows, with fields that others have."""


def enriched(value, node=SAID, *, words=True, codes=True):
    """Return a message, or a part of one, with a field more in each of its records.

    words: and in each open list a word that is not known; codes: in those of error codes, too.
    """
    node = resolved(node, SAID)
    if "anyOf" in node:
        node = next(each for each in node["anyOf"] if not problems(value, each, SAID))
        return enriched(value, node, words=words, codes=codes)
    if isinstance(value, list):
        inner = node.get("items") or {}
        return [enriched(each, inner, words=words, codes=codes) for each in value]
    if isinstance(value, dict):
        fields, others = node.get("properties", {}), node.get("additionalProperties")
        told = {
            key: enriched(each, fields.get(key, others), words=words, codes=codes)
            for key, each in value.items()
        }
        return told | ({"later": {"than": [1, None]}} if fields else {})
    if words and "examples" in node and (codes or "busy" not in node["examples"]):
        return NUMBER if node["type"] == "integer" else WORD
    return value
