"""No qualifier is dropped: without it, or with another, a sentence means something else."""

from __future__ import annotations

import re

import pytest

from rulesets.hkk.text.corpus import SIDES, meaning, shipped_sides

ENGLISH = [
    ("friendly", ""), ("friendly", "enemy"), ("enemy", ""), ("enemy", "friendly"),
    ("your", "your opponent's"), ("your opponent", "you"), ("opponent", "controller"),
    ("another", "a"), ("other", ""), ("up to", ""), ("each", "a"), ("all", "a"), ("all", ""),
    ("until end of turn", ""), ("until end of turn", "until end of combat"),
    ("end of", "start of"), ("start of", "end of"), ("at the start of", "in"), ("next", ""),
    ("delayed", "temporary"), ("temporary", "delayed"), ("may", ""), ("you may", ""),
    ("passive", "active"), ("passive", ""), ("damaged", ""), ("attacking", ""), ("less", "more"),
    ("or less", ""), ("or more", "or less"), ("creature", "building"), ("creatures", "buildings"),
    ("damage", "life"), ("life", "damage"), ("draw", "discard"), ("gain", "lose"),
    ("activated", ""), ("dies", "leaves play"), ("once each turn", ""), ("if", "when"),
    ("this", "it"), ("two", "three"), ("without counters", ""), ("last", ""), ("turn this", ""),
    ("sacrifice this", ""), ("prevent", "destroy"), ("can't", "can"), ("do not", "do"),
    ("you may use this at any time", ""), ("from your discard", ""), ("its owner's", "your"),
]  # fmt: skip
HUNGARIAN = [
    ("saját", ""), ("saját", "ellenséges"), ("ellenséges", ""), ("ellenséges", "saját"),
    ("az ellenfeled", "minden játékos"), ("másik", ""), ("más", ""), ("többi", ""),
    ("legfeljebb", ""), ("legfeljebb", "legalább"), ("legalább", "legfeljebb"),
    ("minden", "egy"), ("egy", "minden"), ("egy", "két"), ("két", "három"), ("az összes", "egy"),
    ("a kör végéig", ""), ("a kör végéig", "a harc végéig"), ("végén", "kezdetén"),
    ("kezdetén", "végén"), ("következő", ""), ("késleltetett", "időleges"),
    ("időleges", "késleltetett"), ("ha akarod", ""), ("passzív", "aktív"), ("passzív", ""),
    ("sebzett", ""), ("támadó", ""), ("kevesebbe", "többe"), ("lény", "épület"),
    ("lényt", "épületet"), ("lényeid", "épületeid"), ("sebzést", "életet"), ("húzz", "dobj el"),
    ("nyerj", "veszíts"), ("aktiválást kívánó", ""), ("meghal", "elhagyja a játékot"),
    ("körönként egyszer", ""), ("ha", "amikor"), ("ez", "az"), ("azt", "ezt a lapot"),
    ("jelzők nélkül", ""), ("utolsó", ""), ("nem", ""), ("ezt bármikor használhatod", ""),
    ("a gyűjtődből", ""), ("a gyűjtődből", "a kezedből"), ("irányítását", ""),
    ("tartalékba", "őrposztra"), ("és", "vagy"), ("fordítsd el", "áldozd fel"),
]  # fmt: skip


def changes() -> list[tuple[str, str, str, str]]:
    """Every text with one qualifier left out or changed."""
    found: list[tuple[str, str, str, str]] = []
    for kind, text in dict.fromkeys([*SIDES, *shipped_sides()]):
        for word, other in [*ENGLISH, *HUNGARIAN]:
            for match in re.finditer(rf"(?<!\w){word}(?!\w)", text, re.IGNORECASE):
                changed = text[: match.start()] + other + text[match.end() :]
                found.append((kind, text, changed, f"{word} → {other or 'nothing'}"))
    return found


@pytest.mark.slow
def test_a_changed_qualifier_changes_the_meaning_or_is_refused() -> None:
    """Dropping or changing one qualifier in any sentence is never without effect."""
    made = changes()
    silent = [
        (what, text)
        for kind, text, changed, what in made
        if changed.lower() != text.lower() and meaning(kind, changed) == meaning(kind, text)
    ]
    assert len(made) > 500
    assert silent == []
