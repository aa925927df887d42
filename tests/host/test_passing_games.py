"""Passing for a seat in real games: what it passes, what stops it, and what it may not know."""

from __future__ import annotations

import msgspec
import pytest

from host.passed_games import RULESETS, Table, make, tables, verdicts_beside_secrets
from longfuse.host.passing import Ask, Pass, Passer
from longfuse.rulesets.catalogue import load_passing
from longfuse_protocol.passing import Passing, Until
from longfuse_protocol.prompts import Prompt
from longfuse_protocol.views import View
from rulesets.hkk.cards import creature
from rulesets.hkk.duels import a_duel as a_game_of_hkk
from rulesets.riftbound.cards import spell, unit
from rulesets.riftbound.duels import a_duel

encode = msgspec.json.Encoder(order="deterministic").encode

# ---------------------------------------------------------------- real games


@pytest.mark.complaint("ui U01")
@pytest.mark.parametrize("ruleset", RULESETS)
def test_smart_never_passes_where_anything_else_is_legal(ruleset: str) -> None:
    """Whole random games: each prompt with a legal answer that is no pass is asked; all that is
    passed could only be passed."""
    rules = load_passing(ruleset)
    asked = passed = 0
    for prompt, view, _, verdict in tables(ruleset, range(6)):
        if isinstance(verdict, Ask):
            asked += sum(item.legal for item in prompt.items) > 1
            continue
        passed += 1
        assert prompt.items[verdict.answer].label == "Pass"  # type: ignore[index]
        assert [item.legal for item in prompt.items].count(True) == 1
        chance = rules.chance(prompt, view)
        assert chance is not None
        assert not chance.own
        assert verdict.prompt == prompt.id

    assert min(asked, passed) > 200


@pytest.mark.parametrize("ruleset", RULESETS)
@pytest.mark.parametrize("mode", ["smart", "pass"])
def test_a_verdict_follows_from_what_the_seat_s_client_was_sent(ruleset: str, mode: str) -> None:
    """Whoever holds the settings, and copies of its prompts, views and events as they come over the
    wire, comes to the same verdicts."""
    passing = Passing(
        mode=mode,  # type: ignore[arg-type]
        until=Until(list(load_passing(ruleset).phases)[-1], "own"),
        interrupts=("targeted", "fuse", "played"),
    )
    table = Table(ruleset, make(ruleset, 5), passing)
    table.passers[1].set(Passing(), table.game.view(1))
    client = Passer(load_passing(ruleset), 0)
    client.set(passing, table.game.view(0))
    stopped = 0
    for prompt, view, events, verdict in table.play(5):
        if prompt.seat == 1:
            continue
        sent = _over_the_wire(prompt, view, events)
        assert client.consider(*sent) == verdict
        if verdict.changed:
            stopped += isinstance(verdict, Ask) and bool(verdict.stopped)
            assert client.set(passing, sent[1]) == table.passers[0].set(passing, view)

    assert stopped > 2


def _over_the_wire(
    prompt: Prompt, view: View, events: list[dict[str, object]]
) -> tuple[Prompt, View, list[dict[str, object]]]:
    return (
        msgspec.json.decode(encode(prompt), type=Prompt),
        msgspec.json.decode(encode(view), type=View),
        msgspec.json.decode(encode(events)),
    )


@pytest.mark.parametrize("ruleset", RULESETS)
def test_whoever_else_looks_on_sees_the_same_either_way(ruleset: str) -> None:
    """A player who answers as the passer does gives everybody the same frames, byte for byte."""
    table = Table(ruleset, make(ruleset, 9))
    plain = make(ruleset, 9)
    passed = 0
    for looked in table.play(9, 200):
        if table.answered is not None:
            plain.advance(table.answered)
        passed += isinstance(looked.verdict, Pass)
        assert encode(table.game.frames("spectator")) == encode(plain.frames("spectator"))
        assert encode(table.game.view(0)) == encode(plain.view(0))

    assert passed > 20


@pytest.mark.parametrize("ruleset", RULESETS)
@pytest.mark.parametrize("passing", [Passing(), Passing(mode="pass", interrupts=("anything",))])
def test_another_s_hand_decides_nothing(ruleset: str, passing: Passing) -> None:
    """Of two games that differ only in what a seat may not know, it is asked the same in both."""
    for seed in range(4):
        one, other = (
            list(verdicts_beside_secrets(ruleset, seed, passing, which)) for which in (0, 1)
        )
        assert one == other
        assert any(isinstance(verdict, Pass) for verdict in one)


# ---------------------------------------------------------------- small positions


def test_until_the_opponent_s_second_main_phase() -> None:
    """The label names whose and which, and that is where it ends: in hkk there are two."""
    duel = a_game_of_hkk(hand=[creature("Oak")])
    table = Table("hkk", duel.game)
    label = table.passers[0].set(
        Passing(mode="ask", until=Until("second main", "others")), duel.game.view(0)
    )
    assert label == "Pass until the opponent's second main phase"
    while True:
        prompt = duel.prompt
        looked = table.look()
        assert looked is not None
        if prompt.seat == 0 and isinstance(looked.verdict, Ask):
            break
        table.answer(looked.prompt, looked.prompt.default)

    assert (duel.phase, duel.game.now.owner, looked.verdict) == (
        "second main",
        1,
        Ask(changed=True),
    )


@pytest.mark.complaint("ui U04")
def test_an_attack_stops_it() -> None:
    """The opponent moves onto a battlefield that is held: it says so, and asks."""
    duel = a_duel(board=[unit("Oak"), unit("Foe", 9, owner=1, place="bf:1")])
    table = Table("riftbound", duel.game)
    passer = table.passers[1]
    passer.set(Passing(until=Until("main", "own")), duel.game.view(1))
    duel.move(["Oak"], "bf:1")
    duel.pass_()
    looked = table.look()

    assert looked is not None
    assert looked.prompt.seat == 1
    assert looked.verdict == Ask(stopped="Stopped: you are attacked at Field One", changed=True)


@pytest.mark.complaint("ui U04")
@pytest.mark.parametrize("ruleset", RULESETS)
def test_a_lethal_sum_stops_it(ruleset: str) -> None:
    """What would lose the game says so, by default; and is passed over where that is set."""
    if ruleset == "riftbound":
        duel = a_duel(board=[unit("Oak")], points=(7, 0))
        why = "Stopped: P1 would have 8 of 8 points"
        other = ("attacked", "targeted", "fuse")
    else:
        duel = a_game_of_hkk(board=[creature("Oak", 5)], life=(20, 5))
        why = "Stopped: you would lose 5 life and have 5"
        other = ("targeted", "fuse")
    table = Table(ruleset, duel.game)
    passer = table.passers[1]
    at = until_the_own_turn(ruleset)
    passer.set(Passing(until=at), duel.game.view(1))
    if ruleset == "riftbound":
        duel.move(["Oak"], "bf:1")
    else:
        duel.to("combat")
        duel.attack(("Oak", "P2"))
    duel.pass_()
    looked = table.look()
    assert looked is not None
    assert looked.prompt.seat == 1
    assert looked.verdict == Ask(stopped=why, changed=True)

    passer.set(Passing(until=at, interrupts=other), looked.view)  # type: ignore[arg-type]
    verdict = passer.consider(looked.prompt, looked.view, looked.events)
    assert isinstance(verdict, Pass)


def until_the_own_turn(ruleset: str) -> Until:
    """The first phase of one's own in which one begins something."""
    return Until("main" if ruleset == "riftbound" else "first main", "own")


@pytest.mark.complaint("ui U15")
def test_an_ability_is_yielded_to_as_its_prompt_names_it() -> None:
    """With an answer in hand, the seat passes to that ability, and is asked about others."""
    wasp = unit("Wasp", 1, "When you play me, deal 1 to an enemy unit.")
    spark = spell("Spark", "[Reaction]\nDeal 2 to a unit.")
    duel = a_duel(hand=[wasp, unit("Elm")], theirs=[spark], board=[unit("Foe", 9, owner=1)])
    table = Table("riftbound", duel.game)
    duel.play("Wasp", choose=["Foe"])
    duel.pass_()
    looked = table.look()
    assert looked is not None
    assert isinstance(looked.verdict, Ask)
    passer = table.passers[1]
    passer.set(Passing(yields=(looked.prompt.source,)), looked.view)
    verdict = passer.consider(looked.prompt, looked.view, ())

    assert verdict == Pass(prompt=looked.prompt.id, answer=1, rule=f"yield: {looked.prompt.source}")
