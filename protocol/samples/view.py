"""A client's copy of its view: it follows the frames, and sees by the digest if it has drifted."""

import hashlib
import json


class View:
    """Everything that one viewer may know, by key; empty before the first frame."""

    def __init__(self):
        self.entities = {}

    def take(self, got):
        """Follow a `view` or `events`; return whether this view is now as the server has it."""
        if got["type"] == "view":
            self.entities.clear()
        self.entities.update(got["view"] if got["type"] == "view" else got["changes"])
        for key in [key for key, entity in self.entities.items() if entity is None]:
            del self.entities[key]
        return digest(self.entities) == got["digest"]


def digest(entities):
    """Return the digest of a view: what the page says under *The digest*."""
    total = 0
    for pair in entities.items():
        text = json.dumps(pair, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
        total += int(hashlib.sha256(text.encode()).hexdigest()[:32], 16)
    return f"{total % 2**128:032x}"
