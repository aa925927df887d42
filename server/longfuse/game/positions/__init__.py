"""Position files: cards in a place, decisions, and what must hold then; for every ruleset.

Owns the format. A ruleset takes part through `rules.PositionRules`; this package names none.
"""

from longfuse.game.positions.files import run_file, run_files
from longfuse.game.positions.outcome import CardErrors, CardUnreadable, Outcome, Refusal
from longfuse.game.positions.rules import PositionRules, PositionTable, Vocabulary

__all__ = [
    "CardErrors",
    "CardUnreadable",
    "Outcome",
    "PositionRules",
    "PositionTable",
    "Refusal",
    "Vocabulary",
    "run_file",
    "run_files",
]
