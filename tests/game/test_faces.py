"""Faces: what an object shows is made anew when it may have changed, and only then."""

from __future__ import annotations

from collections import Counter

from msgspec.structs import replace

from game.bare import Bare, Plain, a_game, a_thing, done, waits
from longfuse.game.faces import Face
from longfuse.game.game import Game
from longfuse.game.parts import Part
from longfuse.timing.references import Ref
from longfuse.timing.windows import EndedBy, FirstOf, InZone, ThisTurn

ASKED = "ask:hits"


class Counting(Bare):
    """A thing shows its hits and one more for each passive that says so; a battlement shows all."""

    def __init__(self) -> None:
        super().__init__()
        self.made: Counter[str] = Counter()

    def object_view(self, ref: Ref) -> Face:
        """Hits; counted."""
        name = self.game.board.card(ref).name
        self.made[name] += 1
        if name == "Battlement":
            return Face({"hits": sum(self.hits(one) for one in self.game.board.zone("board"))})
        return Face({"hits": self.hits(ref)})

    def hits(self, ref: Ref) -> int:
        """Its own, and what passives add."""
        value = self.game.store.values.get(ref)
        return (value.hits if value else 0) + self.game.subscriptions.live.get(ASKED, 0)

    def view_asks(self, ref: Ref) -> tuple[str, ...] | None:
        """A battlement hangs on everything, all else on one question."""
        return None if self.game.board.card(ref).name == "Battlement" else (ASKED,)


def counting() -> tuple[Game, Counting]:
    """A game in which it is counted what is made, with nothing on the board."""
    game, _ = a_game()
    rules = Counting()
    rules.game, game.rules = game, rules
    return game, rules


def shown(game: Game) -> dict[object, list[object]]:
    """The hits that each viewer is shown, in their order on the board."""
    found: dict[object, list[object]] = {}
    for viewer in (0, 1, "spectator"):
        game.frames(viewer)
        entities = game.view(viewer).entities
        keys = entities["zone:board"]["objects"]
        found[viewer] = [entities[key]["hits"] for key in keys]
    return found


def all_see(*hits: int) -> dict[object, list[object]]:
    """What is shown where everybody sees the same."""
    return {viewer: list(hits) for viewer in (0, 1, "spectator")}


def test_what_has_not_changed_is_not_made_again() -> None:
    """Of three things one is hit: that one is made anew, once for all viewers."""
    game, rules = counting()
    oak, _, _ = (a_thing(game, name) for name in ("Oak", "Elm", "Ash"))
    shown(game)
    rules.made.clear()
    game.change(oak, hits=2)

    assert shown(game) == all_see(2, 0, 0)
    assert rules.made == {"Oak": 1}
    a_thing(game, "Fir")
    assert shown(game) == all_see(2, 0, 0, 0)
    assert rules.made == {"Oak": 1, "Fir": 1}
    game.note_this_turn(("noted",))
    assert shown(game) == all_see(2, 0, 0, 0)
    assert rules.made == {"Oak": 1, "Fir": 1}


def test_while_a_passive_may_answer_anything_may_have_changed() -> None:
    """Whatever happens then, all are made anew; and once more when it has ended."""
    game, rules = counting()
    a_thing(game, "Oak")
    shown(game)
    passive = waits(game, ThisTurn(1), kind="passive", watch=(ASKED,))
    assert shown(game) == all_see(1)
    rules.made.clear()
    game.note_this_turn(("noted",))
    shown(game)
    assert rules.made == {"Oak": 1}

    passive.cancel()
    assert shown(game) == all_see(0)
    rules.made.clear()
    game.note_this_turn(("noted again",))
    shown(game)
    assert not rules.made


def test_what_hangs_on_everything_is_made_anew_whatever_changes() -> None:
    """Also when the change is another's."""
    game, _ = counting()
    a_thing(game, "Battlement")
    oak = a_thing(game, "Oak")
    shown(game)
    game.change(oak, hits=3)

    assert shown(game) == all_see(3, 3)


def test_a_face_that_comes_out_the_same_is_no_news() -> None:
    """It is the very same entity for all who see it, and nobody is sent it again."""
    game, _ = counting()
    oak = a_thing(game, "Oak")
    waits(game, ThisTurn(1), kind="passive", watch=(ASKED,))
    shown(game)
    before = {viewer: game.view(viewer).entities["o1"] for viewer in (0, 1, "spectator")}
    game.change(oak, hits=0)

    for viewer, entity in before.items():
        assert "o1" not in game.frames(viewer).changes
        assert game.view(viewer).entities["o1"] is entity is before[0]


def test_what_changes_back_before_anybody_looks_is_no_news() -> None:
    """A viewer who looked in between is told nothing either."""
    game, _ = counting()
    oak = a_thing(game, "Oak")
    shown(game)
    game.change(oak, hits=1)
    game.view(0)
    game.change(oak, hits=0)

    assert not game.frames(0).changes
    assert not game.frames(1).changes


def test_what_is_logged_is_a_change() -> None:
    """Answers may hang on what has happened this turn, though nothing of it is stored."""
    game, _ = counting()
    version, stored = game.version, game.store.version
    game.happened("hit")
    assert game.version > version
    assert game.store.version == stored
    version = game.version
    done(game.begin_turn(1))
    assert game.version > version


# ---------------------------------------------------------------- what names others


class Naming(Counting):
    """A thing is attached to what it is told to be, and says what makes it so."""

    def __init__(self) -> None:
        super().__init__()
        self.to: dict[Ref, Ref] = {}
        self.parts: tuple[Part, ...] = ()

    def object_view(self, ref: Ref) -> Face:
        """What it is attached to; all say the same of themselves."""
        return Face({"hits": self.hits(ref)}, self.to.get(ref), self.parts)


def naming() -> tuple[Game, Naming]:
    """A game of such things."""
    game, _ = a_game()
    rules = Naming()
    rules.game, game.rules = game, rules
    return game, rules


def test_each_viewer_reads_a_face_by_ids_of_its_own() -> None:
    """A card in a hand shifts the ids of who sees it."""
    game, rules = naming()
    game.move_card(game.board.new_card(Plain("Spell"), 0).id, "hand:0")
    oak, gift = a_thing(game, "Oak"), a_thing(game, "Gift")
    rules.to[gift] = oak

    assert game.view(0).entities["o3"]["attached_to"] == "o2"
    assert game.view(1).entities["o2"]["attached_to"] == "o1"


def test_what_is_gone_and_forgotten_is_named_no_more() -> None:
    """Though nothing else has changed when its id is let go of."""
    game, rules = naming()
    oak, gift = a_thing(game, "Oak"), a_thing(game, "Gift")
    rules.to[gift] = oak
    game.move_card(oak.card, "pile:0")
    assert game.view(1).entities["o2"]["attached_to"] == "o1"
    assert game.views is not None
    game.views.forget_gone()

    assert game.frames(1).changes["o2"]["attached_to"] is None
    for eyes in game.views.eyes.values():
        assert oak not in eyes.ids
        assert oak not in eyes.readings


def test_nothing_is_kept_of_how_a_taken_back_play_was_read() -> None:
    """Its stays are over without having left."""
    game, rules = naming()
    oak = a_thing(game, "Oak")
    assert game.views is not None
    game.views.play_begins(0)
    rules.to[a_thing(game, "Gift")] = oak
    game.view(0)
    assert game.views.eyes[0].readings
    game.views.play_undone()

    assert not game.views.eyes[0].readings


def test_what_an_ability_lasts_by_is_read_anew_as_records_change() -> None:
    """A given ability lasts as long as what gives it, and the giver's window may change."""
    game, rules = naming()
    oak = a_thing(game, "Oak")
    giver = waits(game, ThisTurn(1))
    window = FirstOf((EndedBy(giver.record), InZone(oak, "board")))
    given = waits(game, window, kind="passive", watch=())
    records = game.subscriptions.records
    game.installed.put(replace(records[given.record], delayed=False))
    rules.parts = (Part("ability", record=records[given.record]),)
    assert game.view(1).entities["o1"]["parts"][0]["until"] == "this turn"

    game.installed.put(replace(records[giver.record], window=InZone(oak, "board")))
    assert game.view(1).entities["o1"]["parts"][0]["until"] == "while o1 on the board"
