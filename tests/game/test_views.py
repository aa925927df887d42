"""Views: ids of the viewer's own, shut-out seats, default deny."""

from __future__ import annotations

from game.bare import Bare, Plain, a_game, a_thing, waits
from game.test_take_back import ask, decide, script
from longfuse.abilities.ability import Ability
from longfuse.game.entries import TakeBack
from longfuse.game.eyes import Viewer
from longfuse.game.game import Game
from longfuse.game.questions import Steps
from longfuse.timing.windows import ThisTurn


def keys(game: Game, viewer: Viewer) -> list[str]:
    """The objects that a viewer sees."""
    return sorted(key for key in game.view(viewer).entities if key.startswith("o"))


def in_hands(game: Game) -> None:
    """One card in each hand, one on the board, one in a pile."""
    for zone in ("hand:0", "hand:1", "board", "pile:0"):
        owner = int(zone[-1]) if zone[-1].isdigit() else 0
        game.move_card(game.board.new_card(Plain(zone), owner).id, zone)


def test_ids_are_dense_for_each_viewer() -> None:
    """Each counts what it sees, from 1, without gaps."""
    game, _ = a_game()
    in_hands(game)

    assert keys(game, 0) == ["o1", "o2"]
    assert keys(game, 1) == ["o1", "o2"]
    assert keys(game, "spectator") == ["o1"]


def test_what_may_not_be_seen_is_not_there() -> None:
    """A hand is a count to others, a pile to everybody."""
    game, _ = a_game()
    in_hands(game)
    entities = game.view(1).entities

    assert entities["zone:hand:0"] == {"count": 1, "objects": []}
    assert entities["zone:pile:0"] == {"count": 1, "objects": []}
    assert "hand:0" not in str(game.view("spectator").entities["zone:board"])
    seen = {entity.get("card") for key, entity in entities.items() if key.startswith("o")}
    assert seen == {"hand:1", "board"}


def test_a_card_seen_all_the_way_keeps_its_id() -> None:
    """From its owner's hand to the board it is the same to its owner, and new to the others."""
    game, _ = a_game()
    ref = game.move_card(game.board.new_card(Plain("Spell"), 0).id, "hand:0")
    a_thing(game, "Oak", 1)
    mine = {key: e.get("card") for key, e in game.view(0).entities.items()}
    (before,) = [key for key, name in mine.items() if name == "Spell"]
    game.move_card(ref.card, "board")

    assert game.view(0).entities[before]["card"] == "Spell"
    theirs = {key: e.get("card") for key, e in game.view(1).entities.items()}
    assert [key for key, name in theirs.items() if name == "Spell"] == ["o2"]


def test_a_card_that_was_out_of_sight_comes_back_under_a_new_id() -> None:
    """Nobody can say that it is the same."""
    game, _ = a_game()
    oak = a_thing(game)
    assert keys(game, 1) == ["o1"]
    game.move_card(oak.card, "pile:0")
    game.move_card(oak.card, "board")

    assert keys(game, 1) == ["o2"]


def test_others_see_the_game_as_it_was_while_a_play_is_open() -> None:
    """Only the acting seat sees what comes of it."""
    game, _ = a_game(script)
    before = game.view(1)
    decide(game)

    assert game.view(1).entities == before.entities
    assert game.view(0).entities != game.view(1).entities
    assert game.frames(1) == type(game.frames(1))()


def test_others_see_what_came_before_the_play_in_the_same_entry() -> None:
    """A play may open in the middle of an entry: from there on they are shut out."""

    def play(rules: Bare) -> Steps[bool]:
        a_thing(rules.game, "Elm")
        yield ask()
        return True

    def steps(rules: Bare) -> Steps[None]:
        yield from rules.game.begin_turn(0)
        yield ask()
        a_thing(rules.game, "Oak")
        yield from rules.game.open_play(0, play(rules))

    game, _ = a_game(steps)
    game.frames(1)
    decide(game)

    assert game.has_open_play
    assert keys(game, 1) == ["o1"]
    assert keys(game, 0) == ["o1", "o2"]


def test_a_play_that_was_taken_back_was_never_shown() -> None:
    """The others' next frame has nothing of it."""
    game, _ = a_game(script)
    game.frames(1)
    decide(game)
    game.advance(TakeBack(0))
    frame = game.frames(1)

    assert [event for event in frame.events if event["event"] == "hit"] == []
    assert [key for key in frame.changes if key.startswith("o")] == []


def test_when_it_stands_they_are_told_all_of_it() -> None:
    """In the order in which it happened."""
    game, _ = a_game(script)
    game.frames(1)
    decide(game)
    decide(game)
    frame = game.frames(1)

    assert [event["event"] for event in frame.events] == ["hit"]
    assert any(key.startswith("o") for key in frame.changes)


def test_nothing_is_kept_of_a_stay_that_was_taken_back() -> None:
    """It may come about again elsewhere, as something else, and must be shown as it is there."""

    def play(rules: Bare) -> Steps[bool]:
        game = rules.game
        game.move_card(game.board.new_card(Plain("Oak"), 0).id, "hand:0")
        yield ask()
        return True

    def plays(rules: Bare) -> Steps[None]:
        yield from rules.game.open_play(0, play(rules))
        rules.game.move_card(rules.game.board.new_card(Plain("Elm"), 0).id, "hand:0")
        yield ask()

    game, _ = a_game(plays)
    assert game.view(0).entities["o1"]["card"] == "Oak"
    game.advance(TakeBack(0))

    assert game.view(0).entities["o1"]["card"] == "Elm"
    assert keys(game, 0) == ["o1"]


def test_a_prompt_names_objects_by_its_seat_s_ids() -> None:
    """Never by the game's own numbers."""

    def steps(rules: Bare) -> Steps[None]:
        from longfuse.game.questions import Option

        game = rules.game
        yield from game.begin_turn(0)
        a_thing(game, "Oak")
        ref = game.move_card(game.board.new_card(Plain("Spell"), 0).id, "hand:0")
        question = ask()
        option = Option(label="Spell", value=ref, refs=(ref,))
        import msgspec

        yield msgspec.structs.replace(question, items=(option, *question.items))

    game, _ = a_game(steps)
    prompt = game.open_prompt

    assert prompt is not None
    assert prompt.items[0].about == ("o2",)


def test_ids_are_outside_the_state_hash() -> None:
    """Whoever watches, the state is the same."""
    game, _ = a_game()
    in_hands(game)
    before = game.state_hash()
    for viewer in (0, 1, "spectator"):
        game.view(viewer)
        game.frames(viewer)

    assert game.state_hash() == before


def test_what_waits_is_numbered_apart_from_what_is_printed() -> None:
    """Abilities of hidden cards leave no gap in the numbers of those that all see."""
    game, _ = a_game()
    card = game.board.new_card(Plain("Secret"), 0)
    ref = game.move_card(card.id, "hand:0")
    for expected in (["w1"], ["w1", "w2"]):
        game.installed.printed(ref, Ability(kind="triggered"), 0, "hand:0")
        waits(game, ThisTurn(1))
        seen = [key for key in game.view(1).entities if key.startswith("w")]
        assert seen == expected


def test_numbers_of_what_waits_are_taken_back_too() -> None:
    """After a taken-back play, the next ability has the number that it would have had."""
    game, _ = a_game(script)
    decide(game)
    assert "w2" in game.view(0).entities
    game.advance(TakeBack(0))
    assert "w2" not in game.view(0).entities
    waits(game, ThisTurn(1))

    assert [key for key in game.view(1).entities if key.startswith("w")] == ["w1", "w2"]


def test_numbers_of_what_has_ended_are_forgotten() -> None:
    """Not one by one, but before they are many; they are not used again."""
    game, _ = a_game(script)
    for _ in range(1_000):
        waits(game, ThisTurn(1)).cancel()
        assert game.views is not None
        game.views.forget_gone()
    waits(game, ThisTurn(1))

    assert "w1002" in game.view(1).entities
    assert len(game.views._waits) < 200
