"""Taking back: everything is as it was before the play."""

from __future__ import annotations

from typing import Any

import pytest

from game.bare import Bare, Plain, a_game, a_thing, done, waits
from journal.games import new_game
from longfuse.game.entries import Decision, Interruption, Refused, TakeBack
from longfuse.game.game import Game
from longfuse.game.questions import Option, Question, Steps
from longfuse.timing.messages import Proposed
from longfuse.timing.windows import ThisTurn


def ask(seat: int = 0, text: str = "Go on?") -> Question:
    """A question with two answers."""
    items = (Option(label="yes", value=True), Option(label="no", value=False))
    return Question(id=0, seat=seat, shape="one", kind="may", text=text, items=items, default=0)


def everything(game: Game) -> dict[str, Any]:
    """All that a taken-back play must leave as it was."""
    return {
        "hash": game.state_hash(),
        "values": dict(game.store.values),
        "numbers": game._numbers(),
        "records": dict(game.subscriptions.records),
        "waiting": [record.id for record in game.subscriptions.matching("hit")],
        "zones": {name: game.board.zone(name) for name in game.rules.zone_names},
        "objects": {ref: actor.name for ref, actor in game.board.objects.items()},
        "tasks": game.board.host.tasks(),
        "cards": len(game.board.cards),
        "events": [event.id for event in game.log.events],
        "ids": {v: eyes.save() for v, eyes in game.views.eyes.items()} if game.views else {},
        "view": game.view("spectator"),
    }


def playing(rules: Bare) -> Steps[None]:
    """A play that changes all there is: cards, objects, records, seats, the log, new cards."""
    game = rules.game
    oak = game.board.zone("board")[0]
    game.change(oak, hits=5)
    game.change_seat(0, points=3)
    hand = game.board.zone("hand:0")[0]
    game.move_card(hand.card, "chain")
    game.move_card(game.board.zone("board")[1].card, "pile:0")
    a_thing(game, "New")
    waits(game, ThisTurn(1), source="New")
    first = min(game.subscriptions.records)
    game.installed.use(first)
    yield from game.publish(Proposed(event="hit", subjects=(oak,), amount=1))
    yield ask()


def script(rules: Bare) -> Steps[None]:
    """A turn in which seat 0 makes plays until one stands."""
    game = rules.game
    yield from game.begin_turn(0)
    a_thing(game, "Oak")
    a_thing(game, "Elm")
    game.move_card(game.board.new_card(Plain("Spell"), 0).id, "hand:0")
    waits(game, ThisTurn(1), uses=1)
    yield ask(text="Play?")
    while not (yield from game.open_play(0, playing(rules))):
        yield ask(text="Play again?")
    yield ask(1, "Your turn.")


def decide(game: Game, answer: int = 0) -> None:
    """Answer the open prompt."""
    assert game.prompt is not None
    game.advance(Decision(game.prompt.seat, game.prompt.id, answer))


def test_a_taken_back_play_restores_everything() -> None:
    """Values, ids, ordinals, counters, records, actors, the log, what viewers see."""
    game, _ = a_game(script)
    before = everything(game)
    decide(game)
    assert game.store.savepoint is not None
    assert game.state_hash() != before["hash"]
    game.advance(TakeBack(0))

    after = everything(game)
    assert {name for name in before if before[name] != after[name]} == set()


def test_played_again_it_gives_the_same_numbers() -> None:
    """Nothing of the first try is left: the second play's state is the same."""
    game, _ = a_game(script)
    decide(game)
    first = game.state_hash()
    game.advance(TakeBack(0))
    decide(game)

    assert game.state_hash() == first


def test_prompts_count_on() -> None:
    """A prompt's number is never used twice, so an answer to the old one is stale."""
    game, _ = a_game(script)
    decide(game)
    assert game.prompt is not None
    old = game.prompt.id
    game.advance(TakeBack(0))
    assert game.prompt.id > old

    with pytest.raises(Refused) as refused:
        game.advance(Decision(0, old, 0))
    assert refused.value.code == "stale"


def test_prompts_count_for_each_seat() -> None:
    """Nobody learns from a number how often another seat was asked, or took a play back."""
    straight, _ = a_game(script)
    decide(straight)
    decide(straight)
    detour, _ = a_game(script)
    for _again in range(3):
        decide(detour)
        detour.advance(TakeBack(0))
    decide(detour)
    decide(detour)

    for game in (straight, detour):
        assert game.prompt is not None
        assert (game.prompt.seat, game.prompt.id) == (1, 1)


@pytest.mark.parametrize("seat", [0, 1])
def test_an_open_play_ends_with_the_game(seat: int) -> None:
    """Whoever concedes meanwhile, the others never see what was in the making."""
    conceding = Interruption("concede", seat)
    quiet, _ = a_game(script)
    quiet.advance(conceding)
    game, _ = a_game(script)
    for viewer in (0, 1, "spectator"):
        game.frames(viewer)
    seen = game.view(1).entities
    decide(game)
    mine = game.view(0).entities
    assert mine != seen
    game.advance(conceding)

    assert game.result == quiet.result
    assert game.state_hash() == quiet.state_hash()
    assert game.frames(1).events == []
    assert game.view(1) == quiet.view(1)
    assert game.view("spectator") == quiet.view("spectator")
    assert game.board.host.tasks() == quiet.board.host.tasks()


def test_another_seat_may_not_take_it_back() -> None:
    """Nothing changes."""
    game, _ = a_game(script)
    decide(game)
    hash_ = game.state_hash()
    with pytest.raises(Refused) as refused:
        game.advance(TakeBack(1))

    assert refused.value.code == "no play"
    assert game.state_hash() == hash_


def test_a_play_that_stands_can_t_be_taken_back() -> None:
    """After its end, or once another seat was asked."""
    game, _ = a_game(script)
    decide(game)
    decide(game)
    assert game.prompt is not None
    assert game.prompt.seat == 1

    with pytest.raises(Refused):
        game.advance(TakeBack(0))


@pytest.mark.parametrize("how", ["chance", "shuffle", "other seat"])
def test_a_play_stands_from_chance_and_from_another_seat_s_question_on(how: str) -> None:
    """What was learned can't be unlearned."""

    def steps(rules: Bare) -> Steps[None]:
        game = rules.game
        yield from game.begin_turn(0)

        def play() -> Steps[None]:
            if how == "chance":
                game.random(6, "die")
            elif how == "shuffle":
                game.shuffle("pile:0", 0)
            else:
                yield ask(1)
            yield ask(0)

        yield from game.open_play(0, play())

    game, _ = a_game(steps)
    if how == "other seat":
        decide(game)

    with pytest.raises(Refused):
        game.advance(TakeBack(0))


def test_a_fresh_game_has_no_open_play() -> None:
    """The kernel's helper needs no question."""
    game, _ = a_game()
    done(game.reach("main"))

    with pytest.raises(Refused):
        game.advance(TakeBack(0))


def test_names_are_no_part_of_a_play() -> None:
    """Whoever is introduced while the first play is open keeps the name when it is taken back."""
    game = new_game()
    assert game.has_open_play
    game.introduce(("Cleo", "Dan"))
    game.advance(TakeBack(0))

    assert [game.seat_state(seat).name for seat in (0, 1)] == ["Cleo", "Dan"]
