"""What a name looks like: its skeleton, and whether its letters belong together.

Pure functions over text. Names with equal skeletons are hard to tell apart on a screen. The idea is
that of Unicode's UTS #39; its table of look-alikes is far longer. Here a name may not mix scripts,
nor use a script that few can read, so the common look-alikes are enough.
"""

import re
import unicodedata
from typing import Final

_PAIRS: Final = (
    # digits and signs
    *("0o", "1l", "il", "|l", "!l", "5s", "$s", "@a"),
    # Latin letters whose Unicode names do not say what they look like
    *("ɑa", "ɩl", "ǀl"),
    # Cyrillic: small letters, or their capitals, that look like Latin ones
    *("аa", "вb", "еe", "ѕs", "іl", "јj", "кk", "мm", "нh", "оo", "рp", "сc", "тt", "уy", "хx"),
    *("ԁd", "һh", "ԛq", "ԝw", "ӏl", "ьb", "єe"),
    # Greek: the capitals look most alike
    *("αa", "βb", "εe", "ζz", "ηh", "ιl", "κk", "μm", "νn", "οo", "ρp", "τt", "υy", "χx"),
)
_LOOK_ALIKES: Final = str.maketrans({pair[0]: pair[1] for pair in _PAIRS})
_TOGETHER: Final = (("rn", "m"), ("vv", "w"))
_BLANK_LETTERS: Final = frozenset("\u115f\u1160")
"""Letters of Hangul that show nothing; other blank ones are no letters, or become these."""
_IOTA_BELOW: Final = "\u0345"
"""The one mark of which folding makes a letter."""
_LATIN: Final = re.compile(
    r"(?:(?:CROSSED )?NEGATIVE (?:CIRCLED|SQUARED) |SQUARED )?"
    r"LATIN (?:SMALL |CAPITAL )?LETTER (?:DOTLESS |SCRIPT |SMALL CAPITAL )?([A-Z])(?: WITH .+)?"
)
_HALF_FLAG: Final = re.compile(
    r"(?<![\U0001f1e6-\U0001f1ff])[\U0001f1e6-\U0001f1ff]"
    r"(?:[\U0001f1e6-\U0001f1ff]{2})*(?![\U0001f1e6-\U0001f1ff])"
)
"""Two of these make a flag; one alone is shown as a letter."""
MARKS_MAX: Final = 4
"""Marks on one letter. Scripts need fewer; more of them cover the lines above and below."""
_EDGES: Final = re.compile(r"\A[\W\d_]+|[\W\d_]+\Z")

_EASTERN: Final = frozenset(
    ("CJK", "HIRAGANA", "KATAKANA", "KATAKANA-HIRAGANA", "IDEOGRAPHIC", "BOPOMOFO", "HANGUL")
)
"""Scripts that are written with each other, and with Latin, every day."""
_SCRIPTS: Final = _EASTERN | frozenset(
    (
        *("ARABIC", "ARMENIAN", "BENGALI", "CYRILLIC", "DEVANAGARI", "ETHIOPIC", "GEORGIAN"),
        *("GREEK", "GUJARATI", "GURMUKHI", "HEBREW", "KANNADA", "KHMER", "LAO", "LATIN"),
        *("MALAYALAM", "MYANMAR", "ORIYA", "SINHALA", "TAMIL", "TELUGU", "THAANA", "THAI"),
        "TIBETAN",
    )
)
"""The scripts that Unicode (UAX #31) recommends for identifiers, as its names of letters begin."""


def skeleton(name: str) -> str:
    """Return what is compared of a name: lower letters and digits, look-alikes made equal.

    "" if there is nothing in it that one could call somebody by.
    """
    folded = unicodedata.normalize("NFKC", name.replace(_IOTA_BELOW, "")).casefold()
    plain = unicodedata.normalize("NFKD", folded).translate(_LOOK_ALIKES)
    bare = "".join(map(_bare, plain)).translate(_LOOK_ALIKES)
    for seen, meant in _TOGETHER:
        bare = bare.replace(seen, meant)
    return bare


def core(name: str) -> str:
    """Return a name without the digits and signs around it: of "Admin 2", "Admin"."""
    return _EDGES.sub("", unicodedata.normalize("NFKC", name))


def strange_letters(name: str) -> str:
    """Say what is wrong with how the letters of a name go together; "" if nothing is."""
    if _HALF_FLAG.search(name):
        return "half a flag is a letter that is not what it looks like"
    if _marks(name) > MARKS_MAX:
        return f"it has more than {MARKS_MAX} marks on one letter"
    scripts = {
        (unicodedata.name(letter, "") or "unknown").split()[0]
        for letter in unicodedata.normalize("NFKC", name)
        if unicodedata.category(letter)[0] == "L"
    }
    scripts.discard("MODIFIER")  # signs that count as letters, in any script
    unusual = scripts - _SCRIPTS
    if unusual:
        return f"it has letters that few can tell apart ({min(unusual).lower()})"
    alone = scripts - _EASTERN
    if len(alone) > 1 or (alone - {"LATIN"} and scripts & _EASTERN):
        return f"it mixes scripts ({' and '.join(sorted(map(str.lower, scripts)))})"
    return ""


def _marks(name: str) -> int:
    """Return how many marks there are on the letter that has most."""
    most = run = 0
    for character in unicodedata.normalize("NFC", name):
        run = run + 1 if unicodedata.category(character) in ("Mn", "Me") else 0
        most = max(most, run)
    return most


def _bare(character: str) -> str:
    """Return a letter without its ornaments, or a digit; "" for anything else."""
    if character.isascii():
        return character if character.isalnum() else ""
    category = unicodedata.category(character)
    if category == "Nd":
        return str(unicodedata.digit(character))
    name = unicodedata.name(character, "")
    if latin := _LATIN.fullmatch(name):  # signs that show a letter among them
        return latin[1].lower()
    is_letter = category[0] == "L" and not name.startswith("MODIFIER ")
    return character if is_letter and character not in _BLANK_LETTERS else ""
