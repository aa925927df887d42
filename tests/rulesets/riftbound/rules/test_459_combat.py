"""459-466: combat: its showdown, its damage, its resolution."""

from __future__ import annotations

import pytest

from longfuse.abilities.ability import Ability, Do, Program
from longfuse.abilities.nodes import This, When, Who
from rulesets.riftbound.cards import SHIELD, kills, spell, unit
from rulesets.riftbound.duels import a_duel


@pytest.mark.rule("459.2.b")
def test_the_contester_attacks() -> None:
    """Whose unit came is the attacker; units get their designations."""
    duel = a_duel(board=[unit("Scout"), unit("Foe", owner=1, place="bf:1")])
    duel.move(["Scout"], "bf:1")

    assert (duel["Scout"].designation, duel["Foe"].designation) == ("attacker", "defender")
    assert duel.asked == (0, "focus")


@pytest.mark.rule("459.2.d.1")
def test_the_attacker_s_triggers_go_on_first() -> None:
    """Attack triggers are older on the chain than defend triggers, which resolve first."""

    def when(event: str) -> Ability:
        return Ability(
            kind="triggered",
            when=When(event, subject=This()),
            program=Program(body=(Do("draw", amount=1, who=Who()),)),
        )

    duel = a_duel(
        board=[
            unit("Foe", 3, "", when("defended"), owner=1, place="bf:1"),
            unit("Scout", 3, "", when("attacked")),
        ]
    )
    duel.move(["Scout"], "bf:1")

    assert duel.chain == ["Scout", "Foe"]
    assert duel.asked == (1, "priority")


@pytest.mark.rule("460.2")
@pytest.mark.parametrize(
    ("attacker", "defender", "places"),
    [
        (4, 3, ("bf:1", "trash:1")),
        (3, 4, ("trash:0", "bf:1")),
        (3, 3, ("trash:0", "trash:1")),
    ],
)
def test_both_sides_deal_their_might_at_once(
    attacker: int, defender: int, places: tuple[str, str]
) -> None:
    """Who is dealt at least its Might dies; the survivor stays."""
    duel = a_duel(board=[unit("Scout", attacker), unit("Foe", defender, owner=1, place="bf:1")])
    duel.move(["Scout"], "bf:1")
    duel.pass_showdown()

    assert (duel["Scout"].place, duel["Foe"].place) == places


@pytest.mark.rule("461.1.a.1")
def test_all_units_everywhere_are_healed_after_combat() -> None:
    """Row 3c heals those who were not in it, too."""
    duel = a_duel(
        board=[
            unit("Scout", 5),
            unit("Foe", 3, owner=1, place="bf:1"),
            unit("Far", 5, damage=2),
        ]
    )
    duel.move(["Scout"], "bf:1")
    duel.pass_showdown()

    assert (duel["Scout"].damage, duel["Far"].damage) == (0, 0)


@pytest.mark.rule("461.1.a.2", "461.3.d")
def test_attackers_are_recalled_if_defenders_remain() -> None:
    """Both survive: the attacker goes home exhausted as it is, nobody has won."""
    duel = a_duel(
        board=[unit("Scout", 2), unit("Foe", 3, owner=1, place="bf:1")],
        hand=[spell("Shelter", SHIELD)],
    )
    duel.move(["Scout"], "bf:1")
    duel.play("Shelter", choose=["Scout"])
    duel.pass_all()
    duel.pass_showdown()

    assert (duel["Scout"].place, duel["Foe"].place) == ("base:0", "bf:1")
    assert duel.count("combat won") == 0
    assert duel.controls("bf:1") == 1


@pytest.mark.rule("461.5", "464.1")
def test_the_winner_conquers() -> None:
    """The attacker who alone remains takes control and scores."""
    duel = a_duel(board=[unit("Scout", 5), unit("Foe", 3, owner=1, place="bf:1")])
    duel.move(["Scout"], "bf:1")
    duel.pass_showdown()

    assert (duel.controls("bf:1"), duel.points(0)) == (0, 1)
    assert duel.count("combat won") == 1


@pytest.mark.rule("461.5.b")
def test_if_nobody_remains_it_is_uncontrolled() -> None:
    """Both died: the battlefield has no controller and nobody scores."""
    duel = a_duel(board=[unit("Scout", 3), unit("Foe", 3, owner=1, place="bf:1")])
    duel.move(["Scout"], "bf:1")
    duel.pass_showdown()

    assert (duel.controls("bf:1"), duel.points(0), duel.points(1)) == (-1, 0, 0)


@pytest.mark.rule("460.2.c.3")
def test_lethal_damage_is_assigned_in_full_before_the_next() -> None:
    """5 damage among two 3-Might defenders kills one and marks 2 on the other."""
    duel = a_duel(
        board=[
            unit("Scout", 5),
            unit("One", 3, owner=1, place="bf:1"),
            unit("Two", 3, owner=1, place="bf:1"),
        ]
    )
    duel.move(["Scout"], "bf:1")
    duel.pass_()
    duel.pass_()
    assert duel.asked == (0, "assign")
    duel.answer(["Two", "One"])
    dealt = {
        duel.game.board.card(m.subjects[0]).name: m.amount
        for m in duel.game.log.events
        if m.event == "damage dealt"
    }

    assert (dealt["Two"], dealt["One"]) == (3, 2)
    assert duel["Two"].place == "trash:1"


@pytest.mark.rule("460.3")
def test_the_chain_is_not_processed_between_damage_and_cleanup() -> None:
    """What the damage triggered resolves after healing and recall (466.2 in the newer book)."""
    hurt = Ability(
        kind="triggered",
        when=When("damage dealt", subject=This()),
        program=Program(body=(Do("draw", amount=1, who=Who()),)),
    )
    duel = a_duel(board=[unit("Scout", 2), unit("Foe", 5, "", hurt, owner=1, place="bf:1")])
    duel.move(["Scout"], "bf:1")
    duel.pass_()
    duel.pass_()

    assert duel.chain == ["Foe"]
    assert (duel["Foe"].damage, duel["Scout"].place) == (0, "trash:0")


@pytest.mark.rule("460.1")
def test_without_both_sides_no_damage_is_dealt() -> None:
    """The defender was killed in the showdown: the attacker takes nothing."""
    duel = a_duel(
        hand=[kills("Blade", fast=True)],
        board=[unit("Scout", 2), unit("Foe", 5, owner=1, place="bf:1")],
    )
    duel.move(["Scout"], "bf:1")
    duel.play("Blade", choose=["Foe"])
    duel.pass_all()
    duel.pass_showdown()

    assert duel.count("damage dealt") == 0
    assert duel.controls("bf:1") == 0


@pytest.mark.rule("461.7")
def test_designations_end_with_the_combat() -> None:
    """Afterwards nobody is attacker or defender."""
    duel = a_duel(board=[unit("Scout", 5), unit("Foe", 3, owner=1, place="bf:1")])
    duel.move(["Scout"], "bf:1")
    duel.pass_showdown()

    assert duel["Scout"].designation == ""
    assert duel.rules.showdown is None


@pytest.mark.rule("437.5.a")
def test_prevented_damage_counts_for_what_is_lethal() -> None:
    """Against a unit with "prevent the next 3" lethal damage is its Might and 3 more."""
    ward = "Choose a unit. Prevent the next 3 damage that would be dealt to it this turn."
    duel = a_duel(
        hand=[spell("Ward", ward)],
        board=[
            unit("Scout", 5),
            unit("One", 2, owner=1, place="bf:1"),
            unit("Two", 3, owner=1, place="bf:1"),
        ],
    )
    duel.play("Ward", choose=["One"])
    duel.pass_all()
    duel.move(["Scout"], "bf:1")
    duel.pass_()
    duel.pass_()
    duel.answer(["One", "Two"])

    assert (duel["One"].place, duel["Two"].damage) == ("trash:1", 0)


@pytest.mark.rule("423.1.b")
def test_a_stunned_unit_deals_no_combat_damage() -> None:
    """It adds nothing to its side, and must still be dealt its full Might."""
    duel = a_duel(
        hand=[spell("Daze", "Stun a unit.")],
        board=[unit("Scout", 3), unit("Foe", 3, owner=1, place="bf:1")],
    )
    duel.play("Daze", choose=["Foe"])
    duel.pass_all()
    duel.move(["Scout"], "bf:1")
    duel.pass_showdown()

    assert (duel["Scout"].place, duel["Foe"].place) == ("bf:1", "trash:1")
