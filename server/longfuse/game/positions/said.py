"""What one step still has to say: its `choose` entries, place, modes and additional costs.

Owns the order in which they are used up by the questions of a play, those that the game settled
itself included, and the complaint about what is left over.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from longfuse.game.positions.answers import (
    Given,
    agrees,
    answer_to,
    matching,
    offered,
    takes_several,
)
from longfuse.game.positions.outcome import Mismatch, Refusal

if TYPE_CHECKING:
    from longfuse.game.positions.rules import PositionTable
    from longfuse.game.positions.steps import Step
    from longfuse.game.questions import Question
    from longfuse_protocol.prompts import Answer


class Said:
    """The words of one step, used up question by question."""

    def __init__(self, table: PositionTable, step: Step) -> None:
        self._table = table
        self._choose: list[Any] = list(step.get("choose", []))
        self._to: str | None = step.get("to")
        self._modes: list[Any] = list(step.get("modes", []))
        self._pay: list[Any] = list(step.get("pay", []))
        self._moves = step.do == "move"
        if self._moves:
            # A move's destination comes after what moves.
            self._choose = [list(step.get("objects", [])), self._to]
            self._to = None
        if step.do == "attack":
            # Who attacks, then for each of them whom.
            said = step.get("pairs", [])
            pairs = list(said.items()) if isinstance(said, dict) else list(said)
            self._choose = [[one for one, _ in pairs], *(other for _, other in pairs)]

    def settle(self, question: Question, answer: Answer) -> bool:
        """The game settled a question itself: it counts, and what the step says to it must match.

        False if the step says nothing to it.
        """
        table = self._table
        if table.asks_where(question) and self._to is not None:
            if not agrees(table, question, answer, self._to):
                raise Refusal("location", f"it can only go to {offered(question)}")
            self._to = None
            return True
        if question.kind == "mode" and self._modes:
            self._modes = []
            return True
        if question.kind == "pay" or not self._choose or table.asks_where(question):
            return False
        said = self._take(question)
        if agrees(table, question, answer, said):
            return True
        if question.shape == "order":
            self._choose.insert(0, said)
            return False
        self._given(question, said)
        found = [question.items[i].label for i in _indices(answer)]
        raise Mismatch({"choose": said}, {"settled": found, "question": question.text})

    def answer(self, question: Question) -> Answer | None:
        """The answer to an open question; None if the step says nothing more.

        Raises:
            Refusal: what it says is not offered.
        """
        table = self._table
        if question.kind == "pay":
            return self._payment(question)
        if table.asks_where(question):
            return self._place(question)
        if question.kind == "mode" and self._modes:
            return self._mode(question)
        if not self._choose:
            return None
        given = self._given(question, self._take(question))
        if given.rest is not None:
            rest = given.rest if isinstance(given.rest, list) else [given.rest]
            self._choose = [*rest, *self._choose]
        return given.answer

    def _given(self, question: Question, said: Any) -> Given:
        try:
            return answer_to(self._table, question, said)
        except Refusal as refusal:
            if self._moves and isinstance(said, str):
                raise Refusal("location", refusal.reason, also=("target",)) from refusal
            raise

    def left(self) -> dict[str, Any]:
        """What has not been used: an error at the end of the play."""
        choose = [said for said in self._choose if said != [] and not isinstance(said, dict)]
        words = {"choose": choose, "to": self._to, "modes": self._modes, "pay": self._pay}
        return {key: value for key, value in words.items() if value}

    def _take(self, question: Question) -> Any:
        """The next entry; several single ones where the question takes several at once."""
        said = self._choose.pop(0)
        wanted = takes_several(question)
        if wanted < 2 or isinstance(said, list | dict):
            return said
        several = [said]
        while len(several) < wanted and self._choose and not isinstance(self._choose[0], list):
            several.append(self._choose.pop(0))
        return several

    def _place(self, question: Question) -> Answer | None:
        if self._to is None:
            if self._choose and matching(self._table, question, self._choose[0]):
                return answer_to(self._table, question, self._choose.pop(0)).answer
            return question.default
        to, self._to = self._to, None
        try:
            return answer_to(self._table, question, to).answer
        except Refusal as refusal:
            raise Refusal("location", refusal.reason) from refusal

    def _mode(self, question: Question) -> Answer:
        if question.shape == "one":
            return answer_to(self._table, question, self._modes.pop(0)).answer
        modes, self._modes = self._modes, []
        return answer_to(self._table, question, modes).answer

    def _payment(self, question: Question) -> Answer:
        """An optional additional cost is taken if `pay` names it; a payment is as proposed."""
        yes = next((i for i, item in enumerate(question.items) if item.value is True), None)
        if yes is None:
            return question.default
        named = next((one for one in self._pay if self._table.pays(str(one), question)), None)
        if named is not None:
            self._pay.remove(named)
            return yes
        return next(i for i, item in enumerate(question.items) if item.value is False)


def plain(words: object) -> str:
    """Words without case, brackets and marks, for comparing."""
    kept = "".join(one if one.isalnum() or one == "+" else " " for one in str(words).lower())
    return " ".join(kept.split())


def _indices(answer: Answer) -> tuple[int, ...]:
    return answer if isinstance(answer, tuple) else (answer,)
