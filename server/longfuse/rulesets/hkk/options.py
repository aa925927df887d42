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

MEANING: dict[str, str] = {
    "D1": "a card that an effect brings into play gets its counters, or comes bare",
    "D2": "a token with such a text comes bare, or with its counters",
    "D3": "a copy gets the number in the text, or the number on what it copies",
    "D4": "an ability gained later brings no counters, or brings them",
    "D5": "one counter of each kind falls, or one in all",
    "D7": "the active player orders counters among the phase's effects, or counters fall first",
    "D8": "whether abilities function is asked as each counter falls, or as the segment starts",
    "D9": "what arrives during the phase loses no counter in it, or does",
    "D10": "'at the start of your preparation phase' waits for the next one, or comes in this one",
    "D11": "'in your preparation phase' comes in the phase in which the last counter falls, or not",
    "D12": "a bare instruction acts however the last counter fell, or only if it fell in the phase",
    "D13": "an ability that was paid for happens when its last temporary counter goes, or not",
    "D14": "a partial suppression freezes only its own abilities' counters, or any",
    "D15": "nothing can be added to what entered with none, or it can, in vain",
    "D19": "triggers see the counters that come on playing; replacements do, too; neither does",
    "D20": "an automatic ability in the queue happens when its last counter goes, or not",
}
