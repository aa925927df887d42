"""What a decision costs: games between bots, recorded once and then entered again and timed.

Owns which games those are, and the abilities that wait in them. Thinking is not in the figures: a
decision is entered, the next prompt lists what is legal, the state is hashed; views are off.
"""

from __future__ import annotations

import time

from longfuse.abilities.ability import Ability
from longfuse.actors import ActorHost, InlineHost
from longfuse.cli.local import BotGame
from longfuse.cli.output import CommandError
from longfuse.game.entries import Decision, Refused
from longfuse.game.game import Game
from longfuse.game.randomness import key_of_seed
from longfuse.rulesets.catalogue import Ruleset
from longfuse.timing.messages import ask, would
from longfuse.timing.records import Record, Source
from longfuse.timing.references import Ref
from longfuse.timing.windows import Forever

SEED = "bench"
_TRIGGER = Ability(kind="triggered", text="Waits for an event.")
_KINDS = {
    ask(""): Ability(kind="passive", text="Waits to answer."),
    would(""): Ability(kind="replacement", text="Waits to replace."),
}


class Recorded:
    """One game, with all that was decided in it."""

    def __init__(self, ruleset: Ruleset, number: int) -> None:
        bots = BotGame(ruleset, SEED, number, keep_events=True)
        for _ in bots.play():
            pass
        self.ruleset = ruleset
        self.seats = bots.seats
        self.seed = bots.seed
        self.decisions: list[Decision] = bots.made
        self.words = _words(bots.game)

    def begin(self, host: ActorHost, *, views: bool = False) -> Game:
        """The same game again, before its first decision."""
        game = self.ruleset.create(
            self.seats, host=host, key=key_of_seed(self.seed), options={}, views=views
        )
        game.start()
        return game

    def seconds(self, waiting: int) -> float:
        """CPU seconds of the whole game with so many further abilities waiting."""
        game = self.begin(InlineHost())
        fill(game, waiting, self.words)
        game.state_hash()
        clock = time.process_time
        began = clock()
        try:
            for decision in self.decisions:
                game.advance(decision)
                game.state_hash()
        except Refused as refused:
            raise CommandError(f"a game does not repeat itself: {refused}", 1) from refused
        return clock() - began


def _words(game: Game) -> list[str]:
    """Everything that a game publishes or asks, as abilities wait for it."""
    return sorted({message.event for message in game.log.events} | set(game.subscriptions.versions))


def fill(game: Game, count: int, words: list[str]) -> None:
    """Let so many abilities wait, for everything that the game publishes or asks, about a card
    that is in no zone: none of them ever acts, and none of them ever ends."""
    card = game.board.new_card(game.board.cards[0].definition, 0)
    parked = Ref(card.id, 1)
    for number in range(count):
        word = words[number % len(words)]
        ability = _filler(word)
        game.installed.last_id += 1
        game.installed.put(
            Record(
                id=game.installed.last_id,
                kind=ability.kind,
                delayed=True,
                controller=number % game.seats,
                source=Source(None, "bench", number % game.seats),
                ability=ability,
                digest=ability.text,
                window=Forever(),
                watch=(word,),
                subjects=(parked,),
                uses=1,
                reads_state=False,
            )
        )


def _filler(word: str) -> Ability:
    """The ability of the kind that waits for such a word."""
    return next((one for beginning, one in _KINDS.items() if word.startswith(beginning)), _TRIGGER)
