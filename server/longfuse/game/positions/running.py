"""Running a position: its steps, one after the other, in a game that stands at its start.

Owns what each action of a step does to the game, where the game is held, and the trying of actions
without effect (in a game of its own that has come the same way). What must hold is checked in
`expecting`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from longfuse.game.entries import Decision, Entry, GameFault, Interruption, Refused, TakeBack
from longfuse.game.positions import expecting
from longfuse.game.positions.answers import agrees, answer_to
from longfuse.game.positions.outcome import Mismatch, Refusal
from longfuse.game.positions.said import Said
from longfuse.game.positions.steps import Names
from longfuse.game.positions.words import SEATS
from longfuse.timing.references import Ref

if TYPE_CHECKING:
    from longfuse.game.positions.file import Position
    from longfuse.game.positions.rules import PositionRules
    from longfuse.game.positions.steps import Step
    from longfuse.game.questions import Question
    from longfuse_protocol.prompts import Answer

PASSES_MAX = 2_000
"""More passes than this in one step are a game that does not come to where the step wants it."""


class Failed(Exception):
    """A step that did not hold: which, and what was expected and found there."""

    def __init__(self, step: str, expected: Any, found: Any) -> None:
        super().__init__(f"step {step}: expected {expected!r}, found {found!r}")
        self.step = step
        self.expected = expected
        self.found = found


class Runner:
    """One playing of a position."""

    def __init__(self, rules: PositionRules, position: Position) -> None:
        """Failed, at the step "start", if the game can't even stand there."""
        self._rules = rules
        self._position = position
        try:
            self.table = rules.table(position)
        except GameFault as fault:
            raise Failed("start", "a game that stands there", str(fault)) from fault
        self.game = self.table.game
        self.names = Names(frozenset(self.table.cards), rules.vocabulary)
        self._inputs: list[Entry | None] = []
        """What has entered the game; None where a held mark was left."""
        self._settled: list[tuple[Question, Answer]] = list(self.game.settled)
        """Questions that the game settled, not yet used up by a `choose`."""
        self._unused: list[tuple[Question, Answer]] = []
        """Those of them that the play they came in did not speak of."""

    def run(self) -> None:
        """Play all steps.

        Raises:
            Failed: one did not hold.
        """
        last: Step | None = None
        for step in self._position.steps:
            self._run(step)
            last = step
        prompt = self.game.prompt
        expected = last.expect or {} if last is not None else {}
        if prompt is not None and not self.table.is_action(prompt) and "prompt" not in expected:
            label = last.label if last is not None else "0"
            raise Failed(label, "no open question", self.described(prompt))

    def _run(self, step: Step) -> None:
        try:
            if step.do == "repeat":
                for _ in range(int(step.get("times"))):
                    for inner in step.steps:
                        self._run(inner)
            elif step.get("illegal"):
                self._must_be_refused(step)
            elif step.do:
                self._do(step)
            expecting.check(self, step.expect or {})
        except Mismatch as wrong:
            raise Failed(step.label, wrong.expected, wrong.found) from wrong

    def _do(self, step: Step) -> None:
        try:
            self.act(step)
        except Refusal as refusal:
            raise Mismatch(_told(step), {"refused": refusal.word, "reason": refusal.reason}) from (
                refusal
            )

    # ------------------------------------------------------------ without effect

    def refusal(self, step: Step) -> Refusal | None:
        """Why an action would be refused now; None if it would not. Nothing changes."""
        fork = Runner(self._rules, self._position)
        for entry in self._inputs:
            fork._enter(entry)
        try:
            fork.act(step)
        except Refusal as refusal:
            return refusal
        return None

    def _must_be_refused(self, step: Step) -> None:
        wanted = step.get("because")
        expected = {**_told(step), "refused": wanted or True}
        refusal = self.refusal(step)
        if refusal is None:
            raise Mismatch(expected, "it is allowed")
        if wanted is not None and wanted not in refusal.words:
            raise Mismatch(expected, {"refused": refusal.word, "reason": refusal.reason})

    # ------------------------------------------------------------ actions

    def act(self, step: Step) -> None:
        """Carry out a step's action.

        Raises:
            Refusal: the game does not offer it.
            Mismatch: what the step says does not fit the questions that come.
        """
        if step.do != "choose":
            self._settled.clear()
            self._unused.clear()
        match step.do:
            case "choose":
                self._choose(step)
            case "pass":
                self._pass(step)
            case "pass until empty":
                self._pass_until_empty()
            case "end turn":
                self._end_turn(step)
            case "advance":
                self._advance(step)
            case "take back":
                self._enter(TakeBack(_seat(step)))
            case "concede":
                self._enter(Interruption("concede", _seat(step)))
            case _:
                self._play(step)

    def _asked(self, seat: int) -> Question:
        """The prompt for a free action of a seat."""
        prompt = self.game.prompt
        if self.game.result is not None:
            raise Refusal("over", f"the game is over: {self.game.result.reason}")
        if prompt is None:
            raise Refusal("timing", f"nobody may act: the game stands in {self.game.now.place}")
        if not self.table.is_action(prompt):
            raise Refusal("timing", f"another question is open: {self.described(prompt)}")
        if prompt.seat != seat:
            who = SEATS[prompt.seat]
            raise Refusal("priority", f"it is {who} who may act now", also=("timing",))
        return prompt

    def _play(self, step: Step) -> None:
        """An action with the questions that it brings, as far as the step answers them."""
        seat = _seat(step)
        prompt = self._asked(seat)
        said = Said(self.table, step)
        self._decide(prompt, self.table.option(step, prompt))
        while True:
            self._use_up(said)
            following = self.game.prompt
            if following is None or following.seat != seat or self.table.is_action(following):
                break
            given = said.answer(following)
            if given is None:
                break
            self._decide(following, given)
        left = said.left()
        if "to" in left and self._went_to(step):
            # Where it went was never a question.
            del left["to"]
        if left:
            found = self.described(following) if following is not None else "no question"
            raise Mismatch({"left over": left}, found)

    def _went_to(self, step: Step) -> bool:
        """Whether what a step played is where the step says."""
        card = self.table.cards[step.get("object")]
        ref = Ref(card, self.game.board.place(card).residency)
        return expecting.same_zone(step.get("to"), self.table.object_facts(ref)["zone"])

    def _use_up(self, said: Said) -> None:
        """What the game settled uses up the step's words; the others a later `choose` may name."""
        new, self._settled = self._settled, []
        left = [(question, answer) for question, answer in new if not said.settle(question, answer)]
        self._unused += left

    def _choose(self, step: Step) -> None:
        prompt = self.game.prompt
        seat = _seat(step)
        answer = step.get("answer")
        if prompt is None or self.table.is_action(prompt) or prompt.seat != seat:
            if step.get("if_asked") or self._was_settled(seat, answer):
                return
            found = self.described(prompt) if prompt is not None else "no question"
            raise Mismatch({"a question for": SEATS[seat], "answer": answer}, found)
        try:
            given = answer_to(self.table, prompt, answer)
        except Refusal:
            if step.get("if_asked") or self._was_settled(seat, answer):
                return
            raise
        self._settled.clear()
        self._unused.clear()
        self._decide(prompt, given.answer)
        self._follow_up(seat, given.rest)

    def _follow_up(self, seat: int, rest: Any) -> None:
        """An order in several questions: what is left of the list answers those that follow."""
        while rest:
            prompt = self.game.prompt
            if prompt is None or prompt.seat != seat or self.table.is_action(prompt):
                return
            if prompt.kind not in ("first", "order", "assign", "replacement"):
                return
            try:
                given = answer_to(self.table, prompt, rest)
            except Refusal:
                return
            self._decide(prompt, given.answer)
            rest = given.rest

    def _was_settled(self, seat: int, answer: Any) -> bool:
        """Whether the game has settled a question of that seat with this answer."""
        self._unused += self._settled
        self._settled = []
        for number, (question, settled) in enumerate(self._unused):
            if question.seat == seat and agrees(self.table, question, settled, answer):
                del self._unused[: number + 1]
                return True
        return False

    def _pass(self, step: Step) -> None:
        prompt = self._asked(_seat(step))
        passing = self.table.passing(prompt)
        if passing is None:
            raise Refusal("timing", "there is nothing to pass: no chain and no showdown")
        self._decide(prompt, passing)

    # ------------------------------------------------------------ going on

    def _pass_until_empty(self) -> None:
        self._no_open_choice()
        for _ in range(PASSES_MAX):
            prompt = self.game.prompt
            if prompt is None or not self.table.game_facts()["chain"]:
                return
            passing = self.table.passing(prompt)
            if passing is None:
                return
            self._decide(prompt, passing)
        raise Mismatch("an empty chain", f"still not empty after {PASSES_MAX} passes")

    def _end_turn(self, step: Step) -> None:
        """Go on to the next turn's main phase, or to the phase that the step names."""
        game, seat = self.game, _seat(step)
        if game.held is None:
            prompt = self._asked(seat) if step.get("illegal") else game.prompt
            if prompt is None or (step.get("illegal") and self.table.ending(prompt) is None):
                raise Refusal("timing", "the turn can't be ended now")
        if game.now.owner != seat:
            raise Refusal(
                "priority", f"it is the turn of {SEATS[game.now.owner]}", also=("timing",)
            )
        until = step.get("until")
        turn = game.now.turn
        if until is None:
            main = self._rules.vocabulary.main_phase
            self._go_on(lambda: game.now.place == main and game.now.turn > turn)
        else:
            self._go_to(until, step.get("turn"))

    def _advance(self, step: Step) -> None:
        self._go_to(step.get("until"), step.get("turn") or SEATS[self.game.now.owner])

    def _go_to(self, place: str, owner: str | None) -> None:
        """The next time that the game is in that phase or step, of that seat's turn if named."""
        game = self.game
        seat = SEATS.index(owner) if owner is not None else None
        began = (game.now.turn, game.now.place)
        self._go_on(
            lambda: (
                game.now.place == place
                and seat in (None, game.now.owner)
                and (game.now.turn, game.now.place) != began
            )
        )

    def _go_on(self, reached: Callable[[], bool]) -> None:
        """Pass everything until a place is reached; another question stops it."""
        self._no_open_choice()
        game = self.game
        for _ in range(PASSES_MAX):
            prompt = game.prompt
            if game.result is not None or (prompt is None and game.held is None):
                return
            if game.held is not None:
                if reached():
                    return
                self._enter(None)
                continue
            assert prompt is not None
            if not self.table.is_action(prompt) or reached():
                return
            answer = self.table.passing(prompt)
            if answer is None:
                answer = self.table.ending(prompt)
            assert answer is not None, "a free action can always be passed"
            self._decide(prompt, answer)
        raise Mismatch("the place named", f"not reached after {PASSES_MAX} passes")

    def _no_open_choice(self) -> None:
        prompt = self.game.prompt
        if prompt is not None and not self.table.is_action(prompt):
            raise Mismatch("no open question", self.described(prompt))

    # ------------------------------------------------------------ entering

    def _decide(self, prompt: Question, answer: Answer) -> None:
        self._enter(Decision(prompt.seat, prompt.id, answer))

    def _enter(self, entry: Entry | None) -> None:
        self._inputs.append(entry)
        if entry is None:
            self.game.settled.clear()
            self.game.go_on()
        else:
            try:
                self.game.advance(entry)
            except Refused as refused:
                self._inputs.pop()
                word = "over" if refused.code == "over" else "timing"
                raise Refusal(word, refused.reason) from refused
            except GameFault as fault:
                raise Mismatch("a game without a fault", str(fault)) from fault
        self._settled.extend(self.game.settled)

    def described(self, prompt: Question) -> dict[str, Any]:
        """A prompt, for a report."""
        return {
            "seat": SEATS[prompt.seat],
            "kind": prompt.kind,
            "text": prompt.text,
            "items": [item.label for item in prompt.items if item.legal],
        }


def _seat(step: Step) -> int:
    seat = step.seat
    assert seat is not None, "checked when the file was read"
    return seat


def _told(step: Step) -> dict[str, Any]:
    """A step's action, for a report."""
    hidden = ("expect", "illegal", "because")
    return {key: value for key, value in step.fields.items() if key not in hidden}
