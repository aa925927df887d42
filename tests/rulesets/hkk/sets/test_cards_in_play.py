"""Cards of the set as they are played: their texts do in a game what they say."""

from __future__ import annotations

from dataclasses import replace

from longfuse.rulesets.hkk.cards import shipped
from longfuse.rulesets.hkk.definition import blank, define
from rulesets.hkk.cards import Placed
from rulesets.hkk.duels import Playing, a_duel


def the(name: str, owner: int = 0) -> Placed:
    """A card of the set."""
    card = shipped()[name]
    made = define(
        card.name,
        card.type,
        cost=card.cost,
        damage=card.damage,
        life=card.life,
        text=card.text,
        abilities=card.abilities,
    )
    return Placed(made, owner)


def body(name: str, damage: int = 2, life: int = 2, owner: int = 0) -> Placed:
    """A creature without text."""
    return Placed(blank(name, damage=damage, life=life), owner)


def waiting(card: Placed, count: int, kind: str = "delayed") -> Placed:
    """The card in play with counters of a kind left."""
    return card.at("", counters=((kind, count),), entered_with=(kind,))


def plays(*cards: Placed, board: tuple[Placed, ...] = (), **others: object) -> Playing:
    """A game where seat 0 has these cards in hand."""
    return a_duel(hand=cards, board=board, **others)  # type: ignore[arg-type]


def played(duel: Playing, name: str, *wanted: object) -> None:
    """Play a card and let it come about; answer what is asked on the way."""
    left = list(wanted)
    duel.play(name, through=False)
    while duel.queue or not duel.may_pass():
        if duel.may_pass():
            duel.pass_()
        else:
            duel.answer(left.pop(0))
    assert left == []


def test_the_sentry_hardens_in_its_second_preparation_phase() -> None:
    """Delayed, continuous."""
    duel = plays(the("Raw Clay Sentry"))
    duel.play("Raw Clay Sentry")
    assert duel.counters("Raw Clay Sentry") == {"delayed": 2}
    duel.to("draw", turn=0)
    assert duel.damage("Raw Clay Sentry") == 1
    duel.to("draw", turn=0)
    assert duel.damage("Raw Clay Sentry") == 3


def test_the_apprentice_hurries_another() -> None:
    """An on-play ability that removes a counter."""
    duel = plays(the("Kiln Apprentice"), board=(waiting(the("Great Kiln"), 1), body("Wolf")))
    played(duel, "Kiln Apprentice", True, "Great Kiln")
    assert duel.damage("Wolf") == 3


def test_the_loft_gives_its_cards_when_it_is_dry() -> None:
    """Delayed, automatic, at the fall of the last counter."""
    duel = plays(the("Goatskin Bellows"), board=(waiting(the("Drying Loft"), 3),))
    duel.play("Goatskin Bellows")
    before = duel.hand(0)
    duel.use("Goatskin Bellows", choose=["Drying Loft"])
    duel.pass_all()
    assert duel.hand(0) == before + 3


def test_the_chimney_shoots_when_it_is_ready() -> None:
    """Delayed, activated."""
    board = (waiting(the("Watch Chimney"), 1), body("Deer", owner=1))
    duel = plays(board=board)
    assert duel.reason("Watch Chimney") != ""
    duel.to("first main", turn=0)
    duel.use("Watch Chimney", choose=["Deer"])
    assert duel.zone("Deer") == "discard:1"


def test_the_seal_silences_what_it_is_put_on() -> None:
    """An enchantment with a temporary effect freezes the counters of its victim."""
    board = (waiting(replace(the("Ballroom"), owner=1), 3, "temporary"), body("Elk", owner=1))
    duel = plays(the("Clay Seal"), board=board)
    assert duel.damage("Elk") == 3
    duel.play("Clay Seal", choose=["Ballroom"])
    assert duel.damage("Elk") == 2
    duel.to("draw", turn=1)
    assert duel.counters("Ballroom") == {"temporary": 3}


def test_out_of_the_shards_comes_with_fresh_counters() -> None:
    """What is brought back is played (D1)."""
    duel = plays(the("Out of the Shards"), discard=(the("Raw Clay Sentry"),))
    played(duel, "Out of the Shards")
    assert duel.counters("Raw Clay Sentry") == {"delayed": 2}


def test_the_doll_maker_makes_dolls_while_the_light_lasts() -> None:
    """Temporary, automatic, with tokens."""
    duel = plays(board=(waiting(the("Doll Maker"), 1, "temporary"),), tokens=(the("Wax Doll"),))
    duel.to("first main", turn=0)
    duel.answer(duel.prompt.items[1].label)
    duel.pass_all()
    assert duel.count("token made") == 1
    assert duel.counters("Doll Maker") == {"temporary": 0}


def test_the_fencer_is_quick_while_the_light_lasts() -> None:
    """Temporary, activated."""
    duel = plays(board=(waiting(the("Gilded Fencer"), 1, "temporary"),))
    duel.use("Gilded Fencer")
    assert duel.damage("Gilded Fencer") == 5
    duel.to("first main", turn=0)
    assert duel.damage("Gilded Fencer") == 3
    assert duel.reason("Gilded Fencer") != ""


def test_one_more_dance_doubles_the_counters() -> None:
    """Counters are multiplied."""
    duel = plays(the("One More Dance"), board=(waiting(the("Ballroom"), 3, "temporary"),))
    duel.play("One More Dance", choose=["Ballroom"])
    assert duel.counters("Ballroom") == {"temporary": 6}


def test_softening_cannot_reach_what_is_ripe() -> None:
    """No counter goes where the number has fallen to zero (127.0.6)."""
    ripe = the("Great Kiln", 1).at("", counters=(("delayed", 0),), entered_with=("delayed",))
    duel = plays(the("Softening"), board=(ripe, body("Elk", owner=1)))
    duel.play("Softening", choose=["Great Kiln"])
    assert duel.damage("Elk") == 3


def test_the_page_becomes_another_creature_with_its_counters() -> None:
    """A copy brings the counters of its abilities (D3)."""
    duel = plays(the("Mirror Page"), board=(waiting(the("Sleeping Colossus", 1), 1),))
    played(duel, "Mirror Page")
    assert duel.counters("Mirror Page") == {"delayed": 3}


def test_the_thief_steals_and_the_counters_come_along() -> None:
    """The new controller's preparation phases count (D17)."""
    board = (waiting(the("Drying Loft", 1), 2),)
    duel = plays(the("Mask Thief"), board=board)
    played(duel, "Mask Thief")
    duel.to("draw", turn=1)
    assert duel.counters("Drying Loft") == {"delayed": 2}
    duel.to("draw", turn=0)
    assert duel.counters("Drying Loft") == {"delayed": 1}


def test_the_seneschal_takes_the_dead_of_the_enemy() -> None:
    """What died comes into play on the other side."""
    board = (waiting(the("Seneschal of Shadows"), 2, "temporary"), body("Elk", owner=1))
    duel = plays(the("Cold Water"), board=board)
    duel.play("Cold Water", choose=["Elk"])
    duel.pass_all()
    assert duel.value("Elk").controller == 0


def test_the_guest_list_makes_creatures_cheaper() -> None:
    """A creature of four costs three."""
    duel = plays(
        the("Mask Thief"), board=(waiting(the("Guest List"), 2, "temporary"),), magic=(3, 0)
    )
    assert duel.reason("Mask Thief") == ""


def test_the_master_of_ceremonies_doubles_on_play_abilities() -> None:
    """Twice, and the placement of counters is not one of them (127.0.0)."""
    board = (waiting(the("Master of Ceremonies"), 2, "temporary"), body("A", owner=1),
             body("B", owner=1), body("C", owner=1))  # fmt: skip
    duel = plays(the("Guest of the Last Hour"), board=board)
    before = duel.hand(0)
    duel.play("Guest of the Last Hour")
    duel.pass_all()
    assert duel.hand(0) == before - 1 + 4


def test_sealing_wax_does_not_stop_counters_that_come_on_playing() -> None:
    """127.0.7."""
    board = (
        waiting(the("Sealing Wax", 1), 2, "temporary"),
        waiting(the("Ballroom"), 3, "temporary"),
    )
    duel = plays(the("Raw Clay Sentry"), the("One More Dance"), board=board)
    duel.play("Raw Clay Sentry")
    assert duel.counters("Raw Clay Sentry") == {"delayed": 2}
    duel.play("One More Dance", choose=["Ballroom"])
    assert duel.counters("Ballroom") == {"temporary": 3}


def test_fireworks_hit_a_creature_or_a_player() -> None:
    """Which of them is chosen with the card."""
    duel = plays(the("Fireworks"), board=(body("Elk", owner=1), body("Deer", owner=1)))
    duel.play("Fireworks", choose=["player", "P2"])
    assert (duel.life(1), duel.zone("Elk")) == (17, "reserve:1")


def test_the_last_word_prevents_a_spell() -> None:
    """It goes to the discard without having been done."""
    duel = plays(the("Flood the Ovens"), theirs=(the("The Last Word"),), board=(body("Elk"),))
    duel.play("Flood the Ovens", through=False)
    duel.play("The Last Word", choose=["Flood the Ovens"])
    duel.pass_all()
    assert duel.zone("Elk") == "reserve:0"


def test_hot_wax_hurts_whoever_controls_its_victim() -> None:
    """Two instructions of one spell."""
    duel = plays(the("Hot Wax"), board=(body("Elk", owner=1),))
    duel.play("Hot Wax", choose=["Elk"])
    assert (duel.zone("Elk"), duel.life(1)) == ("discard:1", 19)


def test_the_calendar_sees_a_counter_fall() -> None:
    """A trigger on the last counter."""
    board = (the("Firing Calendar"), waiting(the("Great Kiln"), 1))
    duel = plays(the("Hasty Firing"), board=board)
    before = duel.hand(0)
    duel.play("Hasty Firing", choose=["Great Kiln"])
    duel.pass_all()
    assert duel.hand(0) == before - 1 + 2
