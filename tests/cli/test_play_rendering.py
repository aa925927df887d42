"""How views are laid out: names that are told apart, the log in few lines, a table by places."""

from __future__ import annotations

from longfuse.cli.play_book import Book, Entry, folded
from longfuse.rulesets.catalogue import load_rendering
from longfuse.rulesets.rendering import Block, PlainRendering, Scene
from longfuse_protocol.prompts import Item

RULESET = "riftbound"
RENDERING = load_rendering(RULESET)


def thing(card: str, place: str, **fields: object) -> dict[str, object]:
    """An object on the board as a view has it."""
    common = {"card": card, "type": "unit", "zone": "board", "place": place, "controller": 0}
    return {**common, "exhausted": False, "keywords": [], **fields}


VIEW: dict[str, dict[str, object]] = {
    "mark": {"turn": 3, "player": 0, "phase": "main", "step": ""},
    "goal": {"points": 8},
    "seat:0": {"points": 2, "energy": 1, "power": {"calm": 2}, "xp": 3},
    "seat:1": {"points": 0, "energy": 0, "power": {}, "xp": 0},
    "zone:board": {"count": 8, "objects": [f"o{number}" for number in range(1, 10)]},
    "o1": thing("Field", "bf:1", type="battlefield", contested_by=1, facedown=[1], text="Loud."),
    "o2": thing("Field", "bf:2", type="battlefield", controller=None, contested_by=None),
    "o3": thing("Scout", "bf:1", might=3, printed_might=2, damage=1, designation="attacker"),
    "o4": thing("Scout", "bf:1", might=2, controller=1, stunned=True),
    "o5": thing(
        "Guard", "base:0", might=4, keywords=["Shield"], keyword_amounts={"Shield": 2}, buffs=1
    ),
    "o6": thing("Sword", "base:0", type="gear", attached_to="o5"),
    "o7": thing("Calm Rune", "base:0", type="rune"),
    "o8": thing("Calm Rune", "base:0", type="rune", exhausted=True),
    "o9": thing("Captain", "legend:0", type="legend"),
    "zone:hand:0": {"count": 1, "objects": ["o10"]},
    "o10": {
        "card": "Spark",
        "type": "spell",
        "zone": "hand:0",
        "energy": 2,
        "power": ["fury", "fury"],
        "text": "[Action]\nPay :rb_energy_1::rb_rune_fury:.",
    },
    "zone:champion:0": {"count": 1, "objects": ["o11"]},
    "o11": {"card": "Hero", "type": "unit", "energy": 5, "power": [], "might": 5},
    "zone:hand:1": {"count": 4, "objects": []},
    "chain": {"items": ["item:1", "item:2"]},
    "item:1": {
        "source": "Spark",
        "controller": 0,
        "kind": "spell",
        "state": "finalized",
        "targets": ["o4"],
    },
    "item:2": {
        "source": "Guard",
        "controller": 1,
        "kind": "ability",
        "state": "pending",
        "targets": [],
        "words": "Draw 1.",
    },
    "w7": {"window": "while o4 on the board", "about": "o4", "source": "Spark"},
}


def a_book() -> Book:
    """A book that has seen the view."""
    book = Book(RENDERING, 0)
    book.seat_players(("Ada", "Bo"))
    book.look(VIEW)
    return book


def scene() -> Scene:
    """The view as Ada's client has it."""
    return a_book().scene(VIEW)


def lines(block: Block) -> list[str]:
    """A block's rows."""
    return [f"{row.label}: {'. '.join(filter(None, (row.text, row.detail)))}" for row in block.rows]


def test_the_table_lies_by_places() -> None:
    """The opponent's side, the battlefields with who holds them, and one's own side."""
    assert lines(RENDERING.table(scene())) == [
        "Bo: 0 of 8 points, hand 4, deck 0, runes 0 ready of 0",
        "Bo's base: empty",
        "Field #1: held by you; contested by Bo; a hidden card of Bo. Loud.",
        "  Bo: Scout #2 (Might 2, stunned, fuse)",
        "  you: Scout #1 (Might 3, printed 2, 1 damage, attacker)",
        "Field #2: nobody's",
        "your base: Guard (Might 4, Shield 2, buffed, with Sword)",
        "you: 2 of 8 points, hand 1, deck 0, 3 experience, runes 1 ready of 2 (1 Calm), "
        "pool 1 Energy + 2 calm Power",
        "  legend: Captain",
    ]


def test_the_hand_says_what_cards_cost() -> None:
    """With the chosen champion, and symbols in words."""
    assert lines(RENDERING.hand(scene())) == [
        "Spark: 2 Energy + 2 fury Power, spell. [Action] / Pay {1}{fury}.",
        "Hero (champion): 5 Energy, unit, Might 5",
    ]


def test_the_chain_says_whose_and_on_what() -> None:
    """From the bottom to the top, abilities with their words."""
    assert lines(RENDERING.chain(scene())) == [
        "Spark: your spell, finalized, on Scout #2",
        "Guard: Bo's ability, pending: Draw 1.",
    ]


def test_the_status_names_what_goes_on() -> None:
    """A phase of somebody's turn, a combat, or nothing yet."""
    combat = {**VIEW, "showdown": {"place": "bf:1", "combat": True}}

    assert RENDERING.status(scene()) == "Turn 3 (you), main phase"
    assert RENDERING.status(a_book().scene(combat)) == "Turn 3 (you), combat at Field #1"
    assert RENDERING.status(a_book().scene({})) == "Setting up"


def test_a_hidden_card_of_ones_own_is_at_hand() -> None:
    """With the battlefield where it lies."""
    hidden = {**VIEW["o10"], "place": "bf:2"}
    view = {**VIEW, "zone:facedown": {"count": 1, "objects": ["o12"]}, "o12": hidden}

    assert RENDERING.hand(a_book().scene(view)).rows[-1].label == "Spark (hidden at Field #2)"


def test_a_card_is_shown_with_what_changed() -> None:
    """Printed fields, and the Might that it has now."""
    assert lines(RENDERING.card(VIEW["o3"])) == [
        "cost: 0 Energy",
        "type: unit",
        "Might: 3, printed 2",
        "text: no text",
    ]


def test_cards_of_the_sets_are_known_by_the_beginning_of_their_names() -> None:
    """As long as only one begins so."""
    known = RENDERING.printed("quay look")

    assert known is not None
    assert known["card"] == "Quay Lookout"
    assert RENDERING.printed("") is None


# ---------------------------------------------------------------- the book


def test_labels_and_texts_get_names() -> None:
    """The number of the object meant, the players' names, repeated names counted."""
    book = a_book()

    assert book.label(Item(label="Scout (P2's base)", about=("o4",))) == "Scout #2 (Bo's base)"
    assert book.label(Item(label="exhaust Calm Rune, Calm Rune", about=("o7", "o8"))) == (
        "exhaust 2x Calm Rune"
    )
    assert book.words("while o4 on the board, until end of P1's turn, P9") == (
        "while Scout #2 on the board, until end of Ada's turn, P9"
    )
    assert book.name("o99") == "something"


def test_players_of_one_name_are_told_apart() -> None:
    """By their seats."""
    book = a_book()
    book.seat_players(("Ada", "Ada"))

    assert book.players == ("Ada (P1)", "Ada (P2)")


def entries(*texts: str, event: str = "e") -> list[Entry]:
    """Entries of one kind."""
    return [Entry(text, number, event) for number, text in enumerate(texts, 1)]


def test_what_differs_in_one_part_is_one_line() -> None:
    """Other sentences are told one by one, and so are remarks."""
    assert folded(entries("Ada draws A.", "Ada draws B.", "Ada draws A.")) == [
        ("1-3", "Ada draws 2x A, B.")
    ]
    assert folded(entries("Bo's A dies.", "Bo's B dies.")) == [("1-2", "Bo's A, B dies.")]
    assert folded(entries("Bo draws.", "Bo draws.")) == [("1-2", "Bo draws. (2 times)")]
    assert folded(entries("A dies.", "B comes.")) == [("1", "A dies."), ("2", "B comes.")]
    assert folded([Entry("(pass)"), Entry("(pass)")]) == [("", "(pass)"), ("", "(pass)")]


def test_causes_end_where_the_telling_began() -> None:
    """A cause that was told before is named by its number, and no line is told twice."""
    book = a_book()
    book.told(
        [
            {"n": 5, "text": "Bo's Scout dies.", "objects": ["o4"], "cause": 4},
            {"n": 6, "text": "", "cause": 5},
            {"n": 7, "text": "Bo draws.", "cause": 5},
        ]
    )

    assert [entry.text for entry in book.causes(7)] == ["Bo draws.", "Bo's Scout #2 dies."]
    assert book.entry(6) is None
    assert list(book.causes(4)) == []


def test_a_ruleset_without_a_layout_gets_one() -> None:
    """Zones and numbers."""
    rendering = load_rendering("unheard of")
    view: dict[str, dict[str, object]] = {
        "mark": {"turn": 2, "phase": "main", "step": "one"},
        "seat:0": {"points": 1, "list": [1]},
        "zone:row": {"count": 2, "objects": ["o1"]},
        "zone:deck": {"count": 9, "objects": []},
        "zone:hand:0": {"count": 1, "objects": ["o2"]},
        "zone:chain": {"count": 1, "objects": ["o1"]},
        "o1": {"name": "Pawn"},
        "o2": {"card": "Rook", "cost": 3},
    }
    book = Book(rendering, 0)
    book.seat_players(("Ada", "Bo"))
    book.look(view)
    seen = book.scene(view)

    assert isinstance(rendering, PlainRendering)
    assert rendering.status(seen) == "Turn 2: main, one"
    assert lines(rendering.table(seen)) == [
        "you: points 1",
        "row: Pawn",
        "deck: 9 cards",
        "chain: Pawn",
    ]
    assert lines(rendering.hand(seen)) == ["Rook: "]
    assert lines(rendering.chain(seen)) == ["Pawn: "]
    assert lines(rendering.card(view["o2"])) == ["card: Rook", "cost: 3"]
