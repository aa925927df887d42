"""A small game for the host's tests: take one to three from a heap; whoever takes the last wins.

Each seat has a secret that nobody else sees. Prompts go round the five shapes. Options: with
`plays` a seat is asked whether it is sure, and may take back until then; with `goes_on` a game of
more than two goes on without who leaves it. Others break it on purpose: `fault_at` raises at that
entry, `unspellable_at` shows something that no codec can write; `ballast` makes each entry tell
that many bytes.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar

from longfuse.game.entries import Decision, Entry, Interruption, Refused, Result
from longfuse.game.entries import TakeBack as TakenBack
from longfuse.rulesets.passing import Chance, NoPassing, PassingRules, Where
from longfuse_protocol.messages import RulesetInfo
from longfuse_protocol.prompts import Answer, Item, Prompt
from longfuse_protocol.views import Entity, Frame, View

SHAPES = ("one", "number", "some", "order", "divide")


class Pawn(Item, frozen=True, kw_only=True):
    """An item with a meaning that must never leave the server."""

    meaning: str = ""


class Heap:
    """The game."""

    def __init__(self, seats: int, options: Mapping[str, object], key: bytes) -> None:
        self.seats = seats
        self.left = int(options.get("heap", 21))
        self.result: Result | None = None
        self._options = options
        self._turn = 0
        self._entries = 0
        self._taken = [0] * seats
        self._held: int | None = None
        """What the seat that is asked is about to take, if it is sure."""
        self._out: set[int] = set()
        self._is_broken = False
        self._secrets = [f"secret-{key.hex()[:8]}-{seat}" for seat in range(seats)]
        self._shown: dict[int | str, dict[str, Entity]] = {}
        self._told: dict[int | str, list[dict[str, object]]] = {
            viewer: [{"kind": "began"}] for viewer in (*range(seats), "spectator")
        }

    def introduce(self, _names: Sequence[str]) -> None:
        """The heap does not care who takes from it."""

    @property
    def has_open_play(self) -> bool:
        return self._held is not None

    @property
    def asked(self) -> int:
        return self._turn % self.seats

    @property
    def open_prompt(self) -> Prompt | None:
        assert not self._is_broken, "nothing is asked of a game that broke"
        if self.result is not None:
            return None
        shape = SHAPES[self._turn % len(SHAPES)]
        items = tuple(
            Pawn(
                label=f"take {n}",
                legal=n <= self.left,
                reason="" if n <= self.left else "not so many are left",
                meaning=self._secrets[self.asked],
            )
            for n in (1, 2, 3)
        )
        if self.has_open_play:
            return Prompt(
                id=2 * self._turn + 2,
                seat=self.asked,
                shape="number",
                kind="sure",
                text="Are you sure?",
                least=1,
                most=1,
                default=1,
            )
        common = {
            "id": 2 * self._turn + 1 if self._options.get("plays") else self._turn + 1,
            "seat": self.asked,
            "shape": shape,
            "kind": "take",
            "text": "How many do you take?",
        }
        most = min(3, self.left)
        match shape:
            case "one":
                return Prompt(**common, items=items, default=0)
            case "number":
                return Prompt(**common, least=1, most=most, default=1)
            case "some":
                return Prompt(**common, items=items, least=1, most=1, default=(0,))
            case "order":
                return Prompt(**common, items=items, default=(0, 1, 2))
            case _:
                return Prompt(
                    **common, items=items[:2], total=1, bounds=((0, 1), (0, 1)), default=(1, 0)
                )

    def advance(self, entry: Entry) -> None:
        if self.result is not None:
            raise Refused("over", "the game is over")
        if isinstance(entry, TakenBack):
            if not self.has_open_play or entry.seat != self.asked:
                raise Refused("no play", "no play is open")
            self._held = None
            self._told[entry.seat].append({"kind": "took back"})
            return
        if isinstance(entry, Decision) and entry.answer == (0, 2, 1):
            raise Refused("no play", "the toy takes no such order")
        self._entries += 1
        if self._entries == self._options.get("fault_at"):
            self._is_broken = True
            raise RuntimeError("the toy broke, and knows a secret: " + self._secrets[0])
        if isinstance(entry, Interruption):
            self._interrupt(entry)
            return
        if self._options.get("plays") and not self.has_open_play:
            self._held = self._amount(entry.answer)
            self._told[entry.seat].append({"kind": "is about to take", "amount": self._held})
            return
        amount = self._amount(entry.answer) if self._held is None else self._held
        self._held = None
        self.left -= amount
        self._taken[entry.seat] += amount
        self._turn += 1
        self._skip()
        self._tell({"kind": "took", "seat": entry.seat, "amount": amount})
        if ballast := self._options.get("ballast"):
            self._tell({"kind": "ballast", "text": "x" * int(ballast)})
        self._told[entry.seat].append({"kind": "whisper", "text": self._secrets[entry.seat]})
        if self._entries == self._options.get("unspellable_at"):
            self._tell({"kind": "took", "what": object()})
        if self.left == 0:
            self.result = Result(entry.seat, "took the last")

    def _interrupt(self, entry: Interruption) -> None:
        self._tell({"kind": entry.kind, "seat": entry.seat})
        self._out.add(entry.seat)
        left = [seat for seat in range(self.seats) if seat not in self._out]
        goes_on = self._options.get("goes_on") and entry.seat >= 0 and len(left) > 1
        if not goes_on or self.asked == entry.seat:
            self._held = None
        if goes_on:
            self._skip()
            return
        self.result = Result(left[0] if len(left) == 1 and entry.seat >= 0 else None, entry.kind)

    def _skip(self) -> None:
        while self.asked in self._out:
            self._turn += 1

    def view(self, viewer: int | str) -> View:
        assert not self._is_broken, "nothing is asked of a game that broke"
        entities: dict[str, Entity] = {
            "mark": {"turn": self._turn, "asked": None if self.result else self.asked},
            "heap": {"left": self.left},
        }
        for seat in range(self.seats):
            entities[f"seat:{seat}"] = {"taken": self._taken[seat]}
        if viewer != "spectator":
            entities["secret"] = {"text": self._secrets[int(viewer)]}
        if self.has_open_play and viewer == self.asked:
            entities["play"] = {"amount": self._held}
        return View(entities)

    def frames(self, viewer: int | str) -> Frame:
        now, before = self.view(viewer).entities, self._shown.get(viewer, {})
        changes: dict[str, Entity | None] = {
            key: entity for key, entity in now.items() if before.get(key) != entity
        }
        changes.update(dict.fromkeys(before.keys() - now.keys()))
        self._shown[viewer] = now
        events, self._told[viewer] = self._told[viewer], []
        return Frame(events, changes)

    def _amount(self, answer: Answer) -> int:
        if isinstance(answer, int):
            shape = SHAPES[self._turn % len(SHAPES)]
            return answer + 1 if shape == "one" else answer
        return answer[0] + 1 if len(answer) == 1 else 1

    def _tell(self, event: dict[str, object]) -> None:
        for told in self._told.values():
            told.append(event)


class ToyFactory:
    """Makes heaps, and keeps them for the tests to look at."""

    def __init__(self) -> None:
        self.games: list[Heap] = []

    def catalogue(self) -> Sequence[RulesetInfo]:
        phases = tuple(ToyPassing.phases)
        return (RulesetInfo(name="toy", title="A heap", seats_min=2, seats_max=4, phases=phases),)

    def cards(self, _ruleset: str) -> dict[str, object]:
        return {"ruleset": "toy", "sets": [], "decks": []}

    def passing(self, _ruleset: str) -> PassingRules:
        return ToyPassing()

    def check(self, _ruleset: str, seats: int, options: Mapping[str, object]) -> None:
        if not 2 <= seats <= 4:
            raise Refused("seats", "two to four play")
        if not isinstance(options.get("heap", 21), int):
            raise Refused("options", "heap is a number")

    def deck(self, _ruleset: str, _seat: int, deck: str) -> str:
        if deck.startswith("bad"):
            raise Refused("deck", "the toy takes no bad decks")
        return deck or "plain"

    def may_replace(self, _ruleset: str, deck: str, by: str) -> str:
        return "" if by.startswith(deck) else f"{by} is not made of {deck}"

    def next_options(
        self, _ruleset: str, options: Mapping[str, object], _last: object
    ) -> Mapping[str, object]:
        return options

    def rules_version(self, _ruleset: str) -> str:
        return "toy 1"

    def create(
        self,
        _ruleset: str,
        decks: Sequence[str],
        options: Mapping[str, object],
        key: bytes,
        _tasks: object = None,
    ) -> Heap:
        game = Heap(len(decks), options, key)
        self.games.append(game)
        return game


class ToyPassing(NoPassing):
    """Lets a seat pass what asks for one item, as taking one; on `order` there is nothing else."""

    phases: ClassVar[Mapping[str, str]] = {"even": "even turn", "odd": "odd turn"}

    def where(self, view: View) -> Where:
        turn = view.entities.get("mark", {}).get("turn", 0)
        return Where(
            turn + 1, view.entities.get("mark", {}).get("asked"), ("even", "odd")[turn % 2]
        )

    def chance(self, prompt: Prompt, _view: View) -> Chance | None:
        if prompt.shape == "order":
            return Chance(prompt.default, options=False)
        return Chance(prompt.default, options=True) if prompt.shape == "one" else None


def first_choice(prompt: Prompt) -> Answer:
    """Answer as little as fits."""
    return prompt.default


class ToyBot:
    """Plays the default; or something that does not fit; or breaks."""

    def __init__(self, manner: str = "default") -> None:
        self._manner = manner

    async def decide(self, prompt: Prompt, _game: object) -> Answer:
        if self._manner == "broken":
            raise RuntimeError("the bot broke")
        return (9, 9, 9, 9) if self._manner == "wrong" else prompt.default
