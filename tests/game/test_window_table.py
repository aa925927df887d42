"""The window table: each row with what does not close it and what does, for each kind of record."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import pytest

from game.bare import a_game, a_thing, done, waits
from longfuse.game.game import Game
from longfuse.timing.references import Ref
from longfuse.timing.windows import (
    AtMark,
    AttachedTo,
    ControlledBy,
    Counters,
    During,
    EndedBy,
    FirstOf,
    Forever,
    InPlace,
    InZone,
    Key,
    OnChain,
    ThisTurn,
    UntilMark,
    Window,
)

Move = Callable[[Game, Ref, Ref], object]


class Row(NamedTuple):
    """A window, and moves of the game that leave it open or close it."""

    window: Callable[[Game, Ref, Ref], Window]
    open: tuple[Move, ...]
    closes: tuple[Move, ...]


def reach(name: str, *opens: str) -> Move:
    """That mark comes."""
    return lambda game, _oak, _elm: done(game.reach(name, opens=opens))


def turn_of(seat: int) -> Move:
    """A turn of that seat begins."""
    return lambda game, _oak, _elm: done(game.begin_turn(seat))


def over(name: str) -> Move:
    """An occurrence is over."""
    return lambda game, _oak, _elm: done(game.over(name))


def cut_short(name: str) -> Move:
    """An occurrence ends without being left in the ordinary way."""
    return lambda game, _oak, _elm: game.end_occurrence(name)


def closed(word: str, which: str = "oak", controller: int | None = None) -> Move:
    """What a ruleset reports of an object."""

    def move(game: Game, oak: Ref, elm: Ref) -> None:
        game.installed.close(Key(word, oak if which == "oak" else elm), controller)

    return move


def leaves(which: str = "oak") -> Move:
    """An object goes to a pile."""
    return lambda game, oak, elm: game.move_card((oak if which == "oak" else elm).card, "pile:0")


def moves(game: Game, oak: Ref, _elm: Ref) -> None:
    """An object changes its place on the board."""
    game.change(oak, place="there")
    game.installed.close(Key("moved", oak))


def this_phase(game: Game, _oak: Ref, _elm: Ref) -> Window:
    done(game.reach("main", opens=("phase",)))
    return During("phase", game.now.occurrence("phase"))


def another_record(game: Game, _oak: Ref, _elm: Ref) -> Window:
    return EndedBy(waits(game, ThisTurn(1), source="Other").record)


ROWS: dict[str, Row] = {
    "this phase": Row(
        this_phase,
        (reach("fight", "combat"), over("combat"), reach("end")),
        (over("phase"),),
    ),
    "this phase, cut short": Row(this_phase, (), (cut_short("phase"),)),
    "this turn": Row(lambda *_: ThisTurn(1), (reach("main"), moves, leaves()), (reach("end"),)),
    "this turn, by the next such mark": Row(
        lambda game, *_: (done(game.reach("end")), ThisTurn(1))[1],
        (reach("main"),),
        (reach("end"),),
    ),
    "until a mark of a player": Row(
        lambda *_: UntilMark("turn", 0, 2), (reach("main"), turn_of(1)), (turn_of(0),)
    ),
    "until the end of a player's turn": Row(
        lambda *_: UntilMark("end", 0, 2, end=True),
        (reach("end"), turn_of(1), reach("end"), turn_of(0)),
        (reach("end"),),
    ),
    "at a mark of a player": Row(
        lambda *_: AtMark("main", 0, 2),
        (reach("main"), turn_of(1), reach("main"), turn_of(0)),
        (reach("main"),),
    ),
    "at a mark that was skipped": Row(
        lambda *_: AtMark("main", 0, 1),
        (turn_of(1), turn_of(0), turn_of(1), turn_of(0)),
        (reach("main"),),
    ),
    "in a zone": Row(lambda _g, oak, _e: InZone(oak, "board"), (moves, leaves("elm")), (leaves(),)),
    "in a place": Row(lambda _g, oak, _e: InPlace(oak, "board", ""), (leaves("elm"),), (moves,)),
    "in a place, by leaving": Row(lambda _g, oak, _e: InPlace(oak, "board", ""), (), (leaves(),)),
    "on the chain": Row(lambda _g, oak, _e: OnChain(oak), (leaves("elm"),), (leaves(),)),
    "attached": Row(
        lambda _g, oak, elm: AttachedTo(oak, elm),
        (closed("detached", "elm"),),
        (closed("detached"),),
    ),
    "attached to what leaves": Row(
        lambda _g, oak, elm: AttachedTo(oak, elm), (moves,), (leaves("elm"),)
    ),
    "controlled": Row(
        lambda _g, oak, _e: ControlledBy(oak, 0),
        (closed("control", controller=0), closed("control", "elm", 1)),
        (closed("control", controller=1),),
    ),
    "controlled, by leaving": Row(lambda _g, oak, _e: ControlledBy(oak, 0), (moves,), (leaves(),)),
    "counters": Row(
        lambda _g, oak, _e: Counters(oak, "fuse"),
        (lambda game, oak, _e: game.installed.close(Key("counters", (oak, "other"))),),
        (lambda game, oak, _e: game.installed.close(Key("counters", (oak, "fuse"))),),
    ),
    "another record": Row(another_record, (reach("main"), leaves()), (reach("end"),)),
    "the first of several": Row(
        lambda _g, oak, _e: FirstOf((ThisTurn(1), InZone(oak, "board"))), (moves,), (leaves(),)
    ),
    "the first of several, the other one": Row(
        lambda _g, oak, _e: FirstOf((ThisTurn(1), InZone(oak, "board"))), (moves,), (reach("end"),)
    ),
}


@pytest.mark.parametrize("kind", ["triggered", "replacement", "passive"])
@pytest.mark.parametrize("name", ROWS)
def test_each_row_closes_on_its_condition_and_on_nothing_else(name: str, kind: str) -> None:
    """What leaves it open leaves the record live; what closes it ends the record as expired."""
    row = ROWS[name]
    game, _ = a_game()
    oak, elm = a_thing(game, "Oak"), a_thing(game, "Elm")
    handle = waits(game, row.window(game, oak, elm), kind)

    for move in row.open:
        move(game, oak, elm)
        assert handle.live, f"{name} was closed by what leaves it open"
    for move in row.closes:
        move(game, oak, elm)

    assert not handle.live
    assert handle.reason == "expired"


@pytest.mark.parametrize("kind", ["triggered", "replacement", "passive"])
def test_for_the_game_nothing_closes(kind: str) -> None:
    """Neither marks nor turns nor leaving."""
    game, _ = a_game()
    oak, elm = a_thing(game, "Oak"), a_thing(game, "Elm")
    handle = waits(game, Forever(), kind)
    for move in (reach("end"), turn_of(1), leaves(), leaves("elm"), reach("end")):
        move(game, oak, elm)

    assert handle.live


@pytest.mark.parametrize("name", ROWS)
def test_a_closed_window_does_not_open_again(name: str) -> None:
    """Whatever comes afterwards, the record has ended."""
    row = ROWS[name]
    game, _ = a_game()
    oak, elm = a_thing(game, "Oak"), a_thing(game, "Elm")
    handle = waits(game, row.window(game, oak, elm))
    for move in (*row.open, *row.closes):
        move(game, oak, elm)
    for move in (reach("main"), turn_of(0), turn_of(1), reach("end")):
        move(game, oak, elm)

    assert not handle.live


def test_until_closes_before_the_mark_s_message() -> None:
    """What ends at a mark does not see that mark."""
    game, rules = a_game()
    waits(game, UntilMark("main"), watch=("mark:main",))
    done(game.reach("main"))

    assert rules.triggered == []


def test_at_closes_after_the_mark_s_message_has_collected_it() -> None:
    """What waits for a mark is triggered by it, and then its window is closed."""
    game, rules = a_game()
    handle = waits(game, AtMark("main"), watch=("mark:main",))
    done(game.reach("main"))

    assert [trigger.record.id for trigger in rules.triggered] == [handle.record]
    assert not handle.live


def test_all_that_ends_at_one_mark_ends_together() -> None:
    """Every record of the turn has the same mark of its end."""
    game, _ = a_game()
    handles = [waits(game, ThisTurn(1), kind) for kind in ("triggered", "replacement", "passive")]
    done(game.reach("end"))

    assert len({handle.end.mark for handle in handles if handle.end is not None}) == 1
