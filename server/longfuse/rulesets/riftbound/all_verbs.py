"""All verbs: what an instruction of a card may tell a player to do, whichever module does it.

Owns the list of the modules that define verbs. Each registers its own as it is imported, so whoever
looks a verb up takes the table from here.
"""

from __future__ import annotations

from longfuse.rulesets.riftbound import (
    copying,
    dividing,
    equipment,
    experience,
    predicting,
    triggering,
    verbs_board,
    verbs_cards,
)
from longfuse.rulesets.riftbound.verbs import VERBS, do

MODULES = (
    verbs_board,
    verbs_cards,
    copying,
    dividing,
    equipment,
    experience,
    predicting,
    triggering,
)

__all__ = ["MODULES", "VERBS", "do"]
