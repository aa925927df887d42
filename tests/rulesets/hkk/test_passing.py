"""Passing in hkk: which prompts are chances, and what interrupts them."""

from __future__ import annotations

import random

from longfuse.abilities.ability import (
    Ability,
    Choice,
    Create,
    Do,
    Duration,
    Modes,
    Program,
)
from longfuse.abilities.nodes import At, Who
from longfuse.game.entries import Decision
from longfuse.rulesets.catalogue import load_passing
from longfuse.rulesets.hkk.passing import PASSING
from longfuse.rulesets.hkk.turn import NAMES
from longfuse.rulesets.passing import Chance, Interruption
from longfuse_protocol.views import View
from rulesets.hkk.cards import (
    ALL_CREATURES,
    T1,
    YOU,
    card,
    creature,
    delayed,
    instant,
    left,
    one,
    pings,
    strengthens,
    suppresses,
    temporary,
    to_t1,
)
from rulesets.hkk.duels import Playing, a_duel
from rulesets.hkk.properties.games import answer, make

BLOW = to_t1("Blow", "destroy")
ZAP = instant("Zap", Do("hurt", who=Who("opponent"), amount=1))


def chance(duel: Playing) -> Chance | None:
    """What is known of passing the open prompt."""
    seat = duel.prompt.seat
    prompt = duel.game.open_prompt
    assert prompt is not None
    return PASSING.chance(prompt, duel.game.view(seat))


def found(duel: Playing, seat: int) -> list[Interruption]:
    """What might interrupt a seat now, with all that it has not been told yet."""
    assert duel.prompt is not None
    events = duel.game.frames(seat).events
    return list(PASSING.interruptions(duel.game.view(seat), events, seat))


def texts(duel: Playing, seat: int, kind: str) -> list[str]:
    """The reasons of one kind."""
    return [one.text for one in found(duel, seat) if one.kind == kind]


# ---------------------------------------------------------------- chances


def test_the_active_player_s_main_phase_is_their_own() -> None:
    """What follows for the other is a chance to respond."""
    duel = a_duel(hand=[ZAP], theirs=[creature("Oak")])
    assert chance(duel) == Chance(1, options=True, own=True)
    duel.pass_()

    assert (duel.prompt.seat, chance(duel)) == (1, Chance(1, options=False))


def test_each_phase_has_its_chances() -> None:
    """Main phases, exchange and attack are one's own; after the exchange, and once it is declared
    who attacks, both only respond."""
    duel = a_duel(board=[creature("Oak"), creature("Foe", owner=1)])
    seen = []
    for _ in range(8):
        known = chance(duel)
        assert known is not None
        seen.append((duel.phase, duel.prompt.seat, known.own))
        if duel.phase == "combat" and known.own:
            duel.attack(("Oak", "P2"))
        else:
            duel.pass_()

    assert seen == [
        ("first main", 0, True),
        ("first main", 1, False),
        ("exchange", 0, True),
        ("after exchange", 0, False),
        ("after exchange", 1, False),
        ("combat", 0, True),
        ("combat", 0, False),
        ("combat", 1, False),
    ]


def test_abilities_before_the_next_effect_are_one_s_own() -> None:
    """In the preparation phase nobody else is asked for that."""
    bow = left(card("Bow", "building", pings(), strengthens(delayed(2))), delayed=2)
    duel = a_duel(board=[bow], start="preparation", magic=(5, 5))

    assert duel.phase == "preparation"
    assert chance(duel) == Chance(1, options=True, own=True)


def test_reacting_names_the_newest_in_the_queue() -> None:
    """A card by its name, an ability with its words; elsewhere nothing is named."""
    bow = card("Bow", "building", pings())
    duel = a_duel(hand=[ZAP], board=[bow.at("table")], theirs=[creature("Oak")])
    assert duel.prompt.source == ""
    duel.play("Zap", through=False)
    assert (duel.prompt.source, chance(duel)) == ("Zap", Chance(1, options=False))
    duel.pass_all()
    duel.use("Bow", through=False)

    assert duel.prompt.source.startswith("Bow: ")


def test_what_must_be_chosen_is_no_chance() -> None:
    """Targets, cards, yes or no: in random games nothing of it can be passed."""
    kinds = set()
    for seed in range(4):
        game = make(seed)
        pick = random.Random(seed)
        for _ in range(250):
            prompt = game.open_prompt
            if prompt is None:
                break
            assert game.prompt is not None
            known = PASSING.chance(prompt, game.view(prompt.seat))
            ends = [item.label for item in prompt.items[-1:]]
            assert (known is not None) == (ends == ["Pass"])
            kinds.add(prompt.kind)
            game.advance(Decision(prompt.seat, prompt.id, answer(pick, game.prompt)))

    assert kinds >= {"action", "priority", "target"}


def test_phases_are_those_of_the_turn() -> None:
    """In their order, each with its name in a sentence."""
    assert tuple(load_passing("hkk").phases) == tuple(NAMES)
    assert PASSING.phases["second main"] == "second main phase"
    assert PASSING.phases["end of turn"] == "end of turn"
    assert PASSING.where(a_duel().game.view(1)) == (3, 0, "first main")


# ---------------------------------------------------------------- interruptions


def test_who_is_attacked() -> None:
    """The other player, from the attack until the strikes; new as it is declared."""
    duel = a_duel(board=[creature("Oak")])
    duel.to("combat")
    found(duel, 1)
    duel.attack(("Oak", "P2"))
    attacks = [one for one in found(duel, 1) if one.kind == "attacked"]
    assert [(one.text, one.fresh) for one in attacks] == [("you are attacked", True)]
    assert texts(duel, 0, "attacked") == []
    duel.pass_()
    assert [one.fresh for one in found(duel, 1) if one.kind == "attacked"] == [False]
    duel.to("second main")

    assert texts(duel, 1, "attacked") == []


def test_chosen_by_another() -> None:
    """What is the seat's; not what another chooses of its own."""
    board = [creature("Oak"), creature("Foe", owner=1)]
    duel = a_duel(hand=[BLOW], board=board)
    duel.play("Blow", choose=["Foe"], through=False)
    assert texts(duel, 1, "targeted") == ["your Foe is targeted by Blow"]
    assert texts(duel, 0, "targeted") == []

    own = a_duel(hand=[BLOW], board=board)
    own.play("Blow", choose=["Oak"], through=False)
    assert texts(own, 1, "targeted") == []


def test_a_card_of_the_seat_s_is_chosen_in_the_queue() -> None:
    """Whose it is there, its item says."""
    nay = instant("Nay", Do("prevent", what=T1), choices=(one("card", zone="chain"),))
    duel = a_duel(hand=[ZAP], theirs=[nay])
    duel.play("Zap", through=False)
    duel.play("Nay", choose=["Zap"], through=False)

    assert texts(duel, 0, "targeted") == ["your Zap is targeted by Nay"]
    assert texts(duel, 1, "targeted") == []


def test_the_player_is_chosen() -> None:
    """What has chosen the player targets them, also by one of its modes."""
    choices = (Choice("t1", of="player", who=YOU),)
    draws = Program(choices, (Do("draw", who=T1, amount=1),))
    modes = Modes(least=1, most=1, options=(("They draw", draws), ("Nothing", Program())))
    for gift in (
        instant("Gift", *draws.body, choices=choices),
        instant("Gift", modes),
    ):
        duel = a_duel(hand=[gift])
        duel.play("Gift", through=False)
        for _ in range(2):
            if not duel.may_pass():
                duel.answer("They draw" if duel.prompt.kind == "mode" else "P2")

        assert texts(duel, 1, "targeted") == ["you are targeted by Gift"]
        assert texts(duel, 0, "targeted") == []


def test_another_has_played_something() -> None:
    """While it waits, and as it has happened."""
    duel = a_duel(hand=[ZAP])
    found(duel, 1)
    duel.play("Zap", through=False)

    assert texts(duel, 1, "played") == ["Zap is played", "P1 plays Zap"]
    assert texts(duel, 1, "played") == ["Zap is played"]
    assert texts(duel, 0, "played") == []


def test_the_last_counter_is_about_to_fall() -> None:
    """127.0.1: from the last chance of both before its controller's next preparation phase."""
    theirs = left(card("Late", "building", strengthens(delayed(2)), owner=1), delayed=1)
    more = left(card("Later", "building", strengthens(delayed(2)), owner=1), delayed=2)
    mine = left(card("Brief", "building", strengthens(temporary(2))), temporary=1)
    duel = a_duel(board=[theirs, more, mine])
    due = "the last delayed counter is about to fall off Late"
    assert texts(duel, 0, "fuse") == texts(duel, 1, "fuse") == []
    duel.to("second main")

    assert texts(duel, 0, "fuse") == texts(duel, 1, "fuse") == [due]
    duel.to("second main", turn=1)
    assert duel.counters("Later") == {"delayed": 1}
    assert texts(duel, 0, "fuse") == ["the last temporary counter is about to fall off Brief"]


def test_a_frozen_counter_is_not_about_to_fall() -> None:
    """127.0.2: while its abilities do not function it stays."""
    late = left(creature("Late", 1, 1, strengthens(delayed(2)), owner=1), delayed=1)
    hush = card("Hush", "skill", suppresses(ALL_CREATURES))
    duel = a_duel(board=[late, hush.at("table")])
    duel.to("second main")

    assert texts(duel, 1, "fuse") == []


def test_in_the_preparation_phase_it_has_not_fallen_yet() -> None:
    """Who may use something before the next effect is told what comes."""
    bow = left(card("Bow", "building", pings(), strengthens(temporary(2))), temporary=1)
    duel = a_duel(board=[bow], start="preparation", magic=(5, 5))

    assert duel.phase == "preparation"
    assert texts(duel, 0, "fuse") == ["the last temporary counter is about to fall off Bow"]


def test_a_fuse_is_about_to_act() -> None:
    """In the second main phase, for the end of the turn; then, as it goes off, for both."""
    waits = Ability(
        kind="triggered",
        when=At("end of turn", turn="this"),
        program=ZAP.definition.program,
    )
    duel = a_duel(hand=[instant("Slow", Create(waits))])
    duel.play("Slow")
    assert texts(duel, 1, "fuse") == []
    duel.to("second main")
    assert texts(duel, 0, "fuse") == texts(duel, 1, "fuse")
    assert texts(duel, 1, "fuse") == ["Slow is about to act or to end"]
    duel.pass_()
    duel.pass_()

    assert (duel.prompt.kind, duel.queue) == ("priority", ["Slow"])
    assert texts(duel, 1, "fuse") == ["Slow goes off"]


def test_what_lasts_for_this_phase_is_always_about_to_end() -> None:
    """It is over as soon as both have passed."""
    boost = Ability(kind="passive", changes=strengthens().changes, window=Duration("this phase"))
    duel = a_duel(hand=[instant("Rush", Create(boost))], board=[creature("Oak")])
    duel.play("Rush")

    assert texts(duel, 1, "fuse") == ["Rush is about to act or to end"]


def test_before_the_game_there_is_nothing() -> None:
    """No turn, no phase, and nothing that interrupts."""
    assert PASSING.where(View()) == (0, None, "")
    assert list(PASSING.interruptions(View(), (), 0)) == []
