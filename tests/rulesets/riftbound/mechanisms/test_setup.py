"""Setting up: legend, chosen champion, battlefields, opening hands, the mulligan (112-119, 480)."""

from __future__ import annotations

import pytest

from longfuse.actors import InlineHost
from longfuse.game.entries import Decision, Refused
from longfuse.game.game import Game
from longfuse.game.randomness import key_of_seed
from longfuse.rulesets.riftbound import decks, entry
from longfuse.rulesets.riftbound.definition import blank
from longfuse.rulesets.riftbound.duel import Duel
from longfuse.rulesets.riftbound.entry import rune
from longfuse.rulesets.riftbound.setup import Deck, Setup
from rulesets.riftbound.cards import card

FIELDS = tuple(blank(f"Field {n}", "battlefield", 0) for n in range(3))


def a_deck(seat: int, **extra: object) -> Deck:
    """Twenty blank units with names of their own, twelve runes."""
    main = tuple(blank(f"Unit {seat}.{number}") for number in range(20))
    runes = tuple(rune("fury") for _ in range(12))
    return Deck(f"deck {seat}", main, runes, FIELDS[0], **extra)  # type: ignore[arg-type]


def begun(seed: int = 1, **extra: object) -> Game:
    """A game at its first prompt; seat 0 goes first."""
    decks = (a_deck(0, **extra), a_deck(1, **extra))
    duel = Duel(Setup(("P1", "P2"), decks, first=0))
    game = Game(duel, InlineHost(), seats=2, key=key_of_seed(seed), keep_events=True)
    game.start()
    return game


def decide(game: Game, answer: object) -> None:
    """Answer the open prompt."""
    assert game.prompt is not None
    game.advance(Decision(game.prompt.seat, game.prompt.id, answer))  # type: ignore[arg-type]


def names(game: Game, zone: str) -> list[str]:
    """The cards in a zone."""
    return [game.board.card(ref).name for ref in game.board.zone(zone)]


@pytest.mark.rule("112", "113")
def test_legend_and_chosen_champion_begin_in_their_zones() -> None:
    """The legend is on the board, in no location; the champion waits in the Champion Zone."""
    game = begun(legend=card("Old Queen", "legend"), champion=blank("Young Queen"))

    places = {game.board.card(r).name: game.place_of(r) for r in game.board.zone("board")}
    assert places["Old Queen"] in ("legend:0", "legend:1")
    assert names(game, "champion:0") == names(game, "champion:1") == ["Young Queen"]
    assert "Young Queen" not in names(game, "deck:0") + names(game, "hand:0")


@pytest.mark.rule("480.5", "480.4.a")
def test_one_of_three_battlefields_is_chosen_at_random() -> None:
    """Each player's is one of the three that they brought; which one depends on the game's key."""
    seen = set()
    for seed in range(12):
        game = begun(seed, battlefields=FIELDS)
        fields = [game.board.card(r).name for r in game.board.zone("board")]
        assert len(fields) == 2
        seen.update(fields)
    assert seen == {"Field 0", "Field 1", "Field 2"}


@pytest.mark.rule("117", "118")
def test_players_mulligan_in_turn_order_after_drawing_four() -> None:
    """The first player is asked first, then the other; then the first turn begins."""
    game = begun()
    assert game.prompt is not None
    assert (game.prompt.kind, game.prompt.seat, game.prompt.most) == ("mulligan", 0, 2)
    assert len(names(game, "hand:0")) == len(names(game, "hand:1")) == 4

    decide(game, ())
    assert (game.prompt.kind, game.prompt.seat) == ("mulligan", 1)
    decide(game, ())
    assert (game.now.turn, game.prompt.kind) == (1, "priority")


@pytest.mark.rule("118.1", "118.2", "118.3")
def test_a_mulligan_draws_before_it_recycles() -> None:
    """Two cards are set aside, two are drawn, and those set aside are at the bottom of the deck."""
    game = begun()
    hand, deck = names(game, "hand:0"), names(game, "deck:0")

    decide(game, (1, 3))

    assert names(game, "hand:0") == [hand[0], hand[2], deck[-1], deck[-2]]
    assert set(names(game, "deck:0")[:2]) == {hand[1], hand[3]}
    assert len(names(game, "deck:0")) == len(deck)


@pytest.mark.rule("118.1")
def test_a_mulligan_is_of_two_cards_at_most() -> None:
    """Three are refused, and nothing has changed."""
    game = begun()
    hand = names(game, "hand:0")
    with pytest.raises(Refused):
        decide(game, (0, 1, 2))
    assert names(game, "hand:0") == hand


@pytest.mark.rule("480.7")
def test_the_second_player_channels_one_rune_more_in_their_first_turn() -> None:
    """Two runes for the first player, three for the second, two again afterwards."""
    game = begun()
    decide(game, ())
    decide(game, ())
    counts = []
    for _ in range(4):
        assert game.prompt is not None
        seat = game.prompt.seat
        board = game.board.zone("board")
        counts.append(
            sum(
                game.board.card(r).definition.type == "rune" and r_owner(game, r) == seat
                for r in board
            )
        )
        decide(game, len(game.prompt.items) - 1)
    assert counts == [2, 3, 4, 5]


def r_owner(game: Game, ref: object) -> int:
    """Whose card it is."""
    return game.board.card(ref).owner  # type: ignore[arg-type]


@pytest.mark.rule("825.2.a")
@pytest.mark.parametrize(("count", "champion", "refused"), [(1, "", 0), (2, "", 1), (1, "Cape", 1)])
def test_a_deck_holds_a_unique_card_once(count: int, champion: str, refused: int) -> None:
    """The chosen champion counts, too."""
    known = {"Cape": card("Cape", "unit", "[Unique]", might=1)}
    deck = decks.Deck("one", {"Cape": count}, {"calm": 12}, champion=champion)
    assert len(entry.misplaced(deck, known)) == refused


@pytest.mark.rule("103.1", "103.2")
def test_a_deck_with_something_in_the_wrong_place_is_refused() -> None:
    """A legend that is a unit is named with its reason."""
    known = entry.definitions()
    unit = next(name for name, one in known.items() if one.type == "unit")
    with pytest.raises(Refused, match="not a legend"):
        entry.build(decks.Deck("wrong", {unit: 3}, {"calm": 12}, legend=unit))


@pytest.mark.rule("103")
def test_a_house_deck_needs_no_legend() -> None:
    """A deck of cards and runes alone is played: no legend, no champion, a quiet battlefield."""
    game = begun()
    assert [game.board.card(r).name for r in game.board.zone("board")] == ["Field 0", "Field 0"]
    assert names(game, "champion:0") == []
