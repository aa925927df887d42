"""The card-text compiler of this ruleset: from printed texts to abilities, and back to words.

`compile_text` reads (`text_reading`), `say` and `say_waiting` tell (`text_say`).
"""

from longfuse.abilities.text.errors import TextError
from longfuse.rulesets.riftbound.text_reading import (
    COMPILER_VERSION,
    Compiled,
    compile_text,
    grammar,
)
from longfuse.rulesets.riftbound.text_say import manner, say, say_waiting

__all__ = [
    "COMPILER_VERSION",
    "Compiled",
    "TextError",
    "compile_text",
    "grammar",
    "manner",
    "say",
    "say_waiting",
]
