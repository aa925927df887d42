"""What has entered a game, and where a seat's last decision began."""

import pytest

from longfuse.game.entries import Decision, Interruption, Refused, TakeBack
from longfuse.host.history import History, Kept


def history(*told):
    """Entries from words: `0` a seat's decision, `0+` within its play, `0-` its taking back, `!` an
    interruption.
    """
    made = History()
    for n, word in enumerate(told, 1):
        seat = int(word[0]) if word[0] != "!" else -1
        match word[1:]:
            case "-":
                entry = TakeBack(seat)
            case _ if seat < 0:
                entry = Interruption("removed", 2)
            case _:
                entry = Decision(seat, n, 0)
        made.add(Kept(n, entry, word[1:] == "", None, (f"after {n}",)))
    return made


@pytest.mark.parametrize(
    ("told", "seat", "place"),
    [
        (["0"], 0, 0),
        (["0", "1"], 0, 0),
        (["0", "1"], 1, 1),
        (["0", "1", "0"], 0, 2),
        (["0", "1", "0", "0+", "0+"], 0, 2),
        (["0", "1", "0", "0+", "1"], 0, 2),
        (["0", "1", "0", "0+", "0-"], 0, 0),
        (["0", "1", "0", "0-", "0", "0-"], 0, 0),
        (["0", "1", "0", "0-", "0"], 0, 4),
        (["0", "1", "0-", "1"], 1, 3),
        (["0", "!", "0", "1"], 0, 2),
    ],
)
def test_where_the_last_decision_began(told, seat, place):
    """The seat's last: not in the middle of a play, nor one that it took back itself."""
    assert history(*told).before_last_of(seat) == place


@pytest.mark.parametrize("told", [[], ["1"], ["1", "0+"], ["0", "0-"], ["!"], ["0", "!", "1"]])
def test_nothing_to_take_back(told):
    """Without a decision that stands, and since which nobody has left, a seat is refused."""
    with pytest.raises(Refused):
        history(*told).before_last_of(0)


def test_what_is_cut_is_undone():
    """The others stand, with their numbers and with what was shown after them."""
    made = history("0", "1", "0", "1")
    made.first_digests = ("at first",)

    assert [kept.n for kept in made.cut(2)] == [3, 4]
    assert [kept.n for kept in made.standing] == [1, 2]
    assert [made.digests(n) for n in (0, 1, 2)] == [("at first",), ("after 1",), ("after 2",)]
    assert made.before_last_of(1) == 1
    assert [kept.n for kept in made.cut(0)] == [1, 2]
