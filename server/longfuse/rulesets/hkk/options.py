"""The options of hkk: where rule 127 leaves two readings, both are there by name.

Owns the list. The first value of each is the default; what decides between them is told in the
README of this folder. D6, D16, D17 and D18 leave one reading only and are no options.
"""

from __future__ import annotations

OPTIONS: dict[str, tuple[str, ...]] = {
    "D1": ("counters", "bare"),
    "D2": ("bare", "counters"),
    "D3": ("text", "current"),
    "D4": ("bare", "counters"),
    "D5": ("each", "one"),
    "D7": ("choice", "ticks first"),
    "D8": ("tick", "start"),
    "D9": ("start", "any"),
    "D10": ("next", "same"),
    "D11": ("same", "next"),
    "D12": ("any", "phase"),
    "D13": ("happens", "stops"),
    "D14": ("ability", "any"),
    "D15": ("never", "allowed"),
    "D19": ("triggers", "both", "none"),
    "D20": ("happens", "stops"),
}
