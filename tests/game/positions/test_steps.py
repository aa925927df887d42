"""What steps do: each reading that the format fixes, and how a step that does not fit is told."""

from __future__ import annotations

from pathlib import Path

import pytest

from longfuse.game.positions import Outcome, run_file
from longfuse.rulesets.riftbound.position import POSITIONS

CARDS = """
id = "p"
ruleset = "riftbound"
card = [
    { name = "Pebble Toss", type = "spell", text = "[Reaction] Deal 1 to a unit." },
    { name = "Spray", type = "spell", text = "Deal 1 to each of up to two units." },
    { name = "Late Supper", type = "spell", text = "At the end of this turn, draw 1." },
    { name = "Late Bill", type = "spell", text = "At the end of this turn, deal 1 to a unit." },
    { name = "Bell", type = "spell", text = "Choose a unit. When it dies this turn, draw 1." },
    { name = "Axe", type = "spell", text = "Kill a unit." },
    { name = "Flood", type = "spell", text = "Kill all units." },
    { name="Herald", type="unit", might=1, text = "When you play me, deal 1 to an enemy unit." },
    { name = "Oak", type = "unit", might = 5, text = "" },
]
"""


def run(folder: Path, objects: str, steps: str, more: str = "") -> Outcome:
    """The outcome of a position. objects: `ref card zone owner` a line."""
    rows = [line.split() for line in objects.strip().splitlines()]
    placed = "\n".join(
        f'    {{ ref = "{ref}", card = "{card}", zone = "{zone}", owner = "{owner}" }},'
        for ref, card, zone, owner in ((r, c.replace("_", " "), z, o) for r, c, z, o in rows)
    )
    path = folder / "p.toml"
    text = f"{CARDS}object = [\n{placed}\n]\nstep = [\n{steps}\n]\n{more}"
    path.write_text(text, "utf-8")
    outcome = run_file(path, {"riftbound": POSITIONS})
    assert not outcome.errors, outcome.errors
    return outcome


ONE = """
A Pebble_Toss hand P1
X Oak base P2
"""
TWO = f"{ONE}Y Oak base P2\n"


def test_a_forced_choice_uses_up_its_entry(tmp_path: Path) -> None:
    """The game settles it, and the entry must match."""
    play = '{ do = "play", seat = "P1", object = "A", choose = ["%s"] },'

    assert run(tmp_path, ONE, play % "X").result == "holds"
    assert run(tmp_path, f"{ONE}Y Oak hand P2", play % "Y").result == "fails"


def test_entries_left_over_are_an_error(tmp_path: Path) -> None:
    """One entry per question, no more."""
    outcome = run(tmp_path, ONE, '{ do = "play", seat = "P1", object = "A", choose = ["X", "X"] },')

    assert outcome.result == "fails"
    assert outcome.expected == {"left over": {"choose": ["X"]}}


def test_several_answers_are_an_inner_list(tmp_path: Path) -> None:
    """Up to two units: one question, one entry."""
    steps = """
    { do = "play", seat = "P1", object = "S", choose = [["X", "Y"]] },
    { do = "pass until empty", expect = { X = { damage = 1 }, Y = { damage = 1 } } },
    """

    assert run(tmp_path, f"{TWO}S Spray hand P1", steps).result == "holds"


@pytest.mark.parametrize(
    ("step", "because"),
    [
        ('do = "play", seat = "P2", object = "B"', "priority"),
        ('do = "play", seat = "P1", object = "B"', "ownership"),
        ('do = "play", seat = "P1", object = "S", choose = [["A"]]', "target"),
        ('do = "move", seat = "P1", objects = ["X"], to = "BF1"', "ownership"),
        ('do = "pass", seat = "P1"', "timing"),
        ('do = "end turn", seat = "P2"', "priority"),
        ('do = "take back", seat = "P1"', "timing"),
    ],
)
def test_what_is_refused_says_why(tmp_path: Path, step: str, because: str) -> None:
    """An illegal step changes nothing, and its reason is one of the fixed words."""
    objects = f"{TWO}S Spray hand P1\nB Pebble_Toss hand P2"
    steps = f"""
    {{ {step}, illegal = true, because = "{because}" }},
    {{ {step}, illegal = true }},
    {{ expect = {{ A = {{ zone = "P1.hand" }}, prompt = {{ seat = "P1", kind = "priority" }} }} }},
    """
    assert run(tmp_path, objects, steps).result == "holds"

    allowed = run(tmp_path, objects, f"{{ {step} }},")
    assert allowed.result == "fails"

    wrong = "hidden" if because != "hidden" else "over"
    steps = f'{{ {step}, illegal = true, because = "{wrong}" }},'
    assert run(tmp_path, objects, steps).result == "fails"


def test_an_allowed_step_that_should_be_refused_fails(tmp_path: Path) -> None:
    """illegal = true asks for a refusal."""
    steps = '{ do = "play", seat = "P1", object = "A", choose = ["X"], illegal = true },'

    assert run(tmp_path, ONE, steps).result == "fails"


def test_legal_and_illegal_are_without_effect(tmp_path: Path) -> None:
    """They are tried in a game of their own."""
    steps = """
    { expect = { legal = [{ do = "play", seat = "P1", object = "A", choose = ["X"] }] } },
    { expect = { illegal = [{ do = "play", seat = "P1", object = "X", because = "ownership" }] } },
    { expect = { A = { zone = "P1.hand", same_object = true }, X = { damage = 0 } } },
    """

    assert run(tmp_path, ONE, steps).result == "holds"


def test_an_open_question_must_be_answered(tmp_path: Path) -> None:
    """A prompt that nobody foresaw fails the position, at its end as in its middle."""
    play = '{ do = "play", seat = "P1", object = "A" },'

    assert run(tmp_path, TWO, play).result == "fails"
    assert run(tmp_path, TWO, f'{play} {{ do = "pass until empty" }},').result == "fails"
    answered = f'{play} {{ do = "choose", seat = "P1", answer = "Y" }},'
    assert run(tmp_path, TWO, answered).result == "holds"
    foreseen = (
        '{ do = "play", seat = "P1", object = "A", expect = { prompt = { offers = ["X"] } } },'
    )
    assert run(tmp_path, TWO, foreseen).result == "holds"


def test_if_asked_skips_only_the_action(tmp_path: Path) -> None:
    """Its expectations hold all the same; a priority prompt is never answered by it."""
    steps = """
    { do = "choose", seat = "P1", answer = "X", if_asked = true, expect = { X = { damage = %d } } },
    """

    assert run(tmp_path, ONE, steps % 0).result == "holds"
    assert run(tmp_path, ONE, steps % 1).result == "fails"


def test_a_settled_trigger_may_be_chosen_for(tmp_path: Path) -> None:
    """Whether the game asks or settles it, the step that names the answer fits."""
    steps = """
    { do = "play", seat = "P1", object = "H", to = "base" },
    { do = "choose", seat = "P1", answer = "X" },
    { do = "pass until empty", expect = { X = { damage = 1 } } },
    """

    assert run(tmp_path, "H Herald hand P1\nX Oak base P2", steps).result == "holds"
    assert run(tmp_path, "H Herald hand P1\nX Oak base P2\nY Oak base P2", steps).result == "holds"
    assert run(tmp_path, "H Herald hand P1\nX Oak hand P2\nY Oak base P2", steps).result == "fails"


def test_an_order_is_answered_by_sources_or_by_what_it_is_about(tmp_path: Path) -> None:
    """Two bells of different cards by their cards; one bell each for two units by the units."""
    objects = "A Bell hand P1\nB Bell hand P1\nF Flood hand P1\nX Oak base P1\nY Oak base P1"
    steps = """
    { do = "play", seat = "P1", object = "A", choose = ["X"] }, { do = "pass until empty" },
    { do = "play", seat = "P1", object = "B", choose = ["Y"] }, { do = "pass until empty" },
    { do = "play", seat = "P1", object = "F" },
    { do = "pass", seat = "P1" }, { do = "pass", seat = "P2" },
    { do = "choose", seat = "P1", answer = %s, if_asked = true },
    { expect = { chain = [{ source = "B" }, { source = "A" }] } },
    """

    assert run(tmp_path, objects, steps % '["B", "A"]').result == "holds"
    assert run(tmp_path, objects, steps % '["Y", "X"]').result == "holds"
    assert run(tmp_path, objects, steps % '["A", "B"]').result == "fails"


END = """
{ do = "play", seat = "P1", object = "L" }, { do = "pass until empty" },
"""


def test_until_waits_in_the_phase_also_when_the_chain_is_empty(tmp_path: Path) -> None:
    """Only `end turn` and `advance` go on."""
    steps = f"""{END}
    {{ do = "end turn", seat = "P1", until = "ending" }},
    {{ expect = {{ phase = "ending", turn = "P1", chain = [{{ source = "L" }}] }} }},
    {{ do = "pass until empty", expect = {{ phase = "ending", prompt = "none" }} }},
    {{ expect = {{ P1 = {{ hand = 1 }} }} }},
    {{ do = "end turn", seat = "P1", expect = {{ phase = "main", turn = "P2" }} }},
    """

    assert run(tmp_path, "L Late_Supper hand P1", steps).result == "holds"


def test_a_question_stops_the_end_of_the_turn(tmp_path: Path) -> None:
    """The next step answers it, or the position fails."""
    objects = "L Late_Bill hand P1\nX Oak base P2\nY Oak base P2"
    stopped = f'{END} {{ do = "end turn", seat = "P1" }},'
    answered = f"""{stopped}
    {{ do = "choose", seat = "P1", answer = "Y", expect = {{ chain = [{{ source = "L" }}] }} }},
    {{ do = "pass until empty", expect = {{ Y = {{ damage = 1 }}, turn = "P1" }} }},
    """

    assert run(tmp_path, objects, answered).result == "holds"
    assert run(tmp_path, objects, f'{stopped} {{ do = "pass until empty" }},').result == "fails"
    assert run(tmp_path, objects, stopped).result == "fails"


def test_advance_goes_to_the_next_occurrence(tmp_path: Path) -> None:
    """Never to the present one; without a seat it is the present turn's player."""
    steps = """
    { do = "advance", until = "main", expect = { turn = "P1", phase = "main", P1 = { hand = 2 } } },
    { do = "advance", until = "draw", turn = "P2" },
    { expect = { turn = "P2", phase = "draw", P2 = { hand = 2 } } },
    { do = "advance", until = "beginning", expect = { turn = "P2", phase = "beginning" } },
    """

    assert run(tmp_path, ONE, steps).result == "holds"


def test_repeat_names_the_inner_step_that_fails(tmp_path: Path) -> None:
    """Its label is that of the repeat and its own."""
    steps = """
    { do = "repeat", times = 2, steps = [
        { do = "pass until empty" },
        { do = "play", seat = "P1", object = "A", choose = ["X"] },
        { do = "pass until empty" },
    ] },
    """
    outcome = run(tmp_path, ONE, steps)

    assert (outcome.result, outcome.step) == ("fails", "1.2")


def test_either_needs_one(tmp_path: Path) -> None:
    """Of several tables one must hold whole."""
    steps = '{ expect = { either = [{ turn = "P2" }, { turn = "P1", X = { damage = %d } }] } },'

    assert run(tmp_path, ONE, steps % 0).result == "holds"
    assert run(tmp_path, ONE, steps % 2).result == "fails"


def test_waiting_is_the_whole_list_in_any_order(tmp_path: Path) -> None:
    """Each waiting ability once; keys that are not named are not compared."""
    objects = "L Late_Supper hand P1\nM Late_Supper hand P1"
    steps = """
    { do = "play", seat = "P1", object = "L" }, { do = "pass until empty" },
    { do = "play", seat = "P1", object = "M" }, { do = "pass until empty" },
    { expect = { waiting = %s } },
    """

    assert run(tmp_path, objects, steps % '[{ source = "M" }, { source = "L" }]').result == "holds"
    assert run(tmp_path, objects, steps % '[{ source = "M" }]').result == "fails"
    assert run(tmp_path, objects, steps % '[{ source = "M" }, { source = "M" }]').result == "fails"


def test_conceding_ends_it(tmp_path: Path) -> None:
    """After that nothing is offered; what lies on the board can still be looked at."""
    steps = """
    { do = "concede", seat = "P1", expect = { winner = "P2", prompt = "none" } },
    { expect = { X = { zone = "P2.base" }, control = { BF1 = "none" } } },
    { do = "play", seat = "P1", object = "A", choose = ["X"], illegal = true, because = "over" },
    """

    assert run(tmp_path, ONE, steps).result == "holds"
