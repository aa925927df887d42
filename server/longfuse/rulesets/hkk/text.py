"""The card-text compiler of this ruleset: texts in Hungarian and English to abilities, and back.

`compile_text` reads (`text_reading`), `say` tells (`text_say`). Both languages have one builder:
their grammars (`grammar/english.peg`, `grammar/hungarian.peg`) give the same rules and tags.
"""

from longfuse.abilities.text.errors import TextError
from longfuse.rulesets.hkk.text_reading import (
    COMPILER_VERSION,
    Compiled,
    compile_text,
    grammar,
    language_of,
)
from longfuse.rulesets.hkk.text_say import say

__all__ = [
    "COMPILER_VERSION",
    "Compiled",
    "TextError",
    "compile_text",
    "grammar",
    "language_of",
    "say",
]
