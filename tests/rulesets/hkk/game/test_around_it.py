"""The game around rule 127: setting up, magic points, exchange, combat, ends, options."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from longfuse.abilities.ability import Ability, Gate
from longfuse.actors import InlineHost
from longfuse.game.entries import Refused
from longfuse.game.randomness import key_of_seed
from longfuse.rulesets.catalogue import SeatSetup, load, load_rendering
from longfuse.rulesets.hkk import entry
from longfuse.rulesets.hkk.definition import DefinitionError, define
from longfuse.rulesets.hkk.options import OPTIONS
from longfuse.rulesets.hkk.rendering_rules import HOUSE, HOUSE_RULES
from rulesets.hkk.cards import card, creature, delayed, draws, strengthens, temporary
from rulesets.hkk.duels import Playing, a_duel


def test_the_start() -> None:
    """20 life, no magic but the first turn's, five cards and the first draw."""
    decks = list(entry.decks())
    seats = (SeatSetup("A", decks[0]), SeatSetup("B", decks[1]))
    game = load("hkk").create(seats, host=InlineHost(), key=key_of_seed(1), options={"first": 1})
    game.start()

    starter = game.view(1).entities
    assert [starter[f"seat:{seat}"]["life"] for seat in (0, 1)] == [20, 20]
    assert [starter[f"seat:{seat}"]["magic"] for seat in (0, 1)] == [0, 1]
    assert [starter[f"zone:hand:{seat}"]["count"] for seat in (0, 1)] == [5, 6]


def test_magic_points_and_their_bonus() -> None:
    """In the third turn three, and one for every second creature of the reserve, passive or not."""
    board = [
        creature("A"),
        creature("B").at("reserve", passive=True),
        creature("C").at("guard"),
        creature("D"),
    ]
    duel = a_duel(board=board, magic=(0, 0))

    duel.to("draw", turn=0)

    assert duel.magic(0) == 3 + 1


def test_creatures_arrive_passive_and_are_readied() -> None:
    """House rule: at the end of the next preparation phase of their controller."""
    duel = a_duel(hand=[creature("Wolf")])

    duel.play("Wolf")
    assert duel.value("Wolf").passive
    duel.to("draw", turn=0)
    assert not duel.value("Wolf").passive


def test_the_guard_post_is_attacked_first() -> None:
    """House rule: the player only when each creature there is attacked; it strikes back once."""
    board = [
        creature("Wolf", 3, 3),
        creature("Bear", 2, 4),
        creature("Wall", 1, 3, owner=1).at("guard"),
    ]
    duel = a_duel(board=board)

    duel.to("combat", turn=0)
    duel.attack(("Wolf", "Wall"), ("Bear", "P2"))
    duel.to("second main", turn=0)

    assert duel.zone("Wall") == "discard:1"
    assert duel.life(1) == 18
    assert (duel.value("Wolf").wounds, duel.value("Bear").wounds) == (1, 0)
    assert duel.value("Wolf").passive
    duel.to("end of turn", turn=0)
    assert duel.value("Wolf").wounds == 0


def test_the_player_is_out_of_reach_behind_a_guard() -> None:
    """House rule: a single attacker must take the guard."""
    board = [creature("Wolf", 3, 3), creature("Wall", 1, 3, owner=1).at("guard")]
    duel = a_duel(board=board)

    duel.to("combat", turn=0)
    with pytest.raises(AssertionError):
        duel.attack(("Wolf", "P2"))


def test_the_exchange() -> None:
    """House rule: each creature once; a passive one stays in the reserve."""
    duel = a_duel(board=[creature("Wolf"), creature("Hare").at("reserve", passive=True)])

    duel.to("exchange", turn=0)
    duel.move(["Wolf"], "guard")

    assert duel.zone("Wolf") == "guard:0"
    assert duel.zone("Hare") == "reserve:0"
    assert duel.game.held is not None, "nobody is asked again: there is nothing left to move"


def test_who_has_no_life_left_has_lost() -> None:
    """Bring the opponent to 0 or below."""
    duel = a_duel(board=[creature("Wolf", 5, 5)], life=(20, 4))

    duel.to("combat", turn=0)
    duel.attack(("Wolf", "P2"))
    duel.to("second main", turn=0)

    assert duel.game.result is not None
    assert duel.game.result.winner == 0


@pytest.mark.parametrize(
    "abilities",
    [
        (strengthens(delayed(2)), draws(None, delayed(1))),
        (strengthens(delayed(0)),),
        (strengthens(Gate("sleepy", 1, "open")),),
        (draws(None, temporary(1)),),
    ],
)
def test_cards_that_cannot_be(abilities: tuple[Ability, ...]) -> None:
    """D6, D18: two of one kind, none at all, an unknown kind, a temporary effect without a time."""
    with pytest.raises(DefinitionError):
        define("Wrong", "building", abilities=abilities)


def test_options() -> None:
    """Each is told of in the README, with all its values; an unknown one or value is refused."""
    page = Path(entry.__file__).with_name("README.md").read_text("utf-8")
    rows = dict(re.findall(r"^\| (D\d+) \| [^|]* \| (.*) \|$", page, re.MULTILINE))
    told = {name: tuple(re.findall(r"`([a-z ]+)`", row)) for name, row in rows.items()}
    assert told == OPTIONS
    decks = list(entry.decks())
    seats = (SeatSetup("A", decks[0]), SeatSetup("B", decks[1]))
    for wrong in ({"D1": "maybe"}, {"D99": "x"}, {"first": 5}):
        with pytest.raises(Refused):
            entry.create(seats, host=InlineHost(), key=b"k", options=wrong)


def test_players_are_told_what_is_a_house_rule() -> None:
    """Combat above all."""
    rows = load_rendering("hkk").summary().rows
    marked = [row.label for row in rows if HOUSE in row.label]

    assert len(marked) == len(HOUSE_RULES)
    assert f"combat ({HOUSE})" in marked


def test_it_is_shown_in_lines() -> None:
    """Counters are shown on what has them."""
    fuse = card("Fuse", "building", strengthens(delayed(2)))
    duel = a_duel(hand=[fuse])
    duel.play("Fuse")

    key = next(k for k, e in duel.game.view(0).entities.items() if e.get("card") == "Fuse")
    fields = duel.game.view(0).entities[key]

    assert fields["counters"] == {"delayed": 2}
    assert ("counters", "2 delayed") in [
        (row.label, row.text) for row in load_rendering("hkk").card(fields).rows
    ]


def _reasons(duel: Playing) -> dict[str, str]:
    """What the open prompt lists, each with why it can't be chosen."""
    return {item.label: item.reason for item in duel.prompt.items}


def test_who_cannot_attack_is_listed_with_the_reason() -> None:
    """The passive ones, and those of the guard post; one's hand is told of, too."""
    tired, guard = creature("Tired"), creature("Guard")
    duel = a_duel(
        hand=[card("Kiln")],
        board=[
            creature("Fresh"),
            creature("Eager"),
            tired.at("reserve", passive=True),
            guard.at("guard"),
        ],
        start="combat",
    )
    assert _reasons(duel)["Play Kiln"].startswith("timing: nothing is played")
    duel.decide(0)

    assert _reasons(duel) == {
        "Fresh": "",
        "Eager": "",
        "Tired": "state: it is passive",
        "Guard": "location: only those in the reserve attack",
    }


def test_who_cannot_change_places_is_listed_with_the_reason() -> None:
    """A passive creature stays in the reserve."""
    tired = creature("Tired").at("reserve", passive=True)
    duel = a_duel(board=[creature("Fresh"), creature("Eager"), tired], start="exchange")
    duel.decide(0)

    assert _reasons(duel) == {"Fresh": "", "Eager": "", "Tired": "state: it is passive"}
