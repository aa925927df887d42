"""Names: nobody looks like somebody else, and a user's name is the user's."""

from __future__ import annotations

from collections.abc import Hashable

import hypothesis
import pytest
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from longfuse.config import ConfigError
from longfuse.game.entries import Refused
from longfuse.host.names import FALLBACK, NUMBERS_TRIED, RESERVED, Names
from longfuse.host.skeletons import skeleton
from longfuse_protocol.errors import Code

NAME_CHARS_MAX = 40
"""Of a name on the wire."""


class Registry(Names):
    """A registry that notes whom it renames."""

    def __init__(self, away_max: int = 10, reserved: tuple[str, ...] = ("Gildenmeister",)) -> None:
        self.told: list[tuple[Hashable, str]] = []
        super().__init__(
            lambda owner, name: self.told.append((owner, name)),
            bots=("random", "sensible"),
            reserved=reserved,
            away_max=away_max,
        )

    def guest(self, name: str, owner: Hashable) -> str:
        """A guest comes."""
        return self.take(name, owner, is_user=False)

    def user(self, name: str, owner: Hashable) -> str:
        """A user comes."""
        return self.take(name, owner, is_user=True)


@pytest.fixture
def names() -> Registry:
    """A registry."""
    return Registry()


def refusal(names: Registry, wanted: str) -> str:
    """Why a guest is refused a name; whoever comes next by another finds nothing changed."""
    with pytest.raises(Refused) as caught:
        names.guest(wanted, "refused")
    assert caught.value.code == Code.NAME_TAKEN
    assert names.guest("Somebody", "refused") == "Somebody"
    names.release("refused")
    return caught.value.reason


def test_a_name_is_as_wanted(names):
    """In any script, with signs and accents; only blanks are put in order."""
    for place, wanted in enumerate(
        ("Ann", "Zoé ♥", "Łukasz", "Иван", "Ἑλένη", "山田ユキ", "김 Kim")
    ):
        assert names.guest(wanted, place) == wanted
    assert names.guest("  Bo \u00a0 the\tGreat ", "bo") == "Bo the Great"


@pytest.mark.parametrize(
    "alike",
    [
        "alice",
        " A l i c e ",
        "ALICE",
        "A.l-i_c'e",
        "Al\u200bice",
        "Al\u00adi\u034fce",
        "Al\u0345ice",
        "𝓐𝓵𝓲𝓬𝓮",
        "Ａｌｉｃｅ",
        "ⓐⓛⓘⓒⓔ",
        "A1ice",
        "AIice",
        "A|ice",
        "@lice",
        "Alıce",
        "ᴀʟɪᴄᴇ",
        "Ałicé",
        "A\u0335l\u0335ice",
        "Alice\u3164",
        "Aliceʻ",
    ],
)
def test_what_looks_like_a_name(names, alike):
    """It is refused to a guest if the name is a user's; if it is a guest's, it gets a number."""
    names.user("Alice", "user")
    assert "user" in refusal(names, alike)
    other = Registry()
    other.guest("Alice", "first")

    assert other.guest(alike, "second") == f"{' '.join(alike.split())} 2"


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Cope", "Соре"),
        ("NINA", "ΝΙΝΑ"),
        ("Mamrn", "Marnm"),
        ("Wvw", "vvvW"),
        ("Bob0 5", "Bobo S"),
        ("Straße", "STRASSE"),
        ("x٣", "X3"),
    ],
)
def test_names_that_look_alike(one, other):
    """Whole names of another script, letters that run together, digits."""
    assert skeleton(one) == skeleton(other) != ""


@pytest.mark.parametrize(("one", "other"), [("Ann", "Anna"), ("Ann", "Ann 2"), ("Иван", "Иванна")])
def test_names_that_differ(one, other):
    """Not everything is alike."""
    assert skeleton(one) != skeleton(other)


@pytest.mark.parametrize("mixed", ["аlice", "Alicе", "Αnna", "Ann山Я", "שAnn", "Иванα"])
def test_mixed_scripts(names, mixed):
    """Letters of several alphabets in one name are refused."""
    assert "mixes scripts" in refusal(names, mixed)


@pytest.mark.parametrize("strange", ["ꓮꓡꓲꓚꓰ", "ᎪᏞᏆᏟᎬ", "𐐈𐐢"])
def test_scripts_that_few_can_read(names, strange):
    """Their letters look like others', and hardly anybody would see it."""
    assert "few can tell apart" in refusal(names, strange)


@pytest.mark.parametrize(
    ("wrong", "why"),
    [
        ("🇦dmin", "half a flag"),
        ("Ann 🇭🇺🇭", "half a flag"),
        ("A" + "\u0323" * 6 + "nn", "more than 4 marks"),
        ("Ann\u20dd\u20dd\u0301\u0301\u0301", "more than 4 marks"),
    ],
)
def test_what_is_shown_otherwise_than_written(names, wrong, why):
    """Signs that stand for letters, and marks that cover what is beside them, are refused."""
    assert why in refusal(names, wrong)


@pytest.mark.parametrize("wanted", ["Ann 🇭🇺", "🇭🇺🇸🇪 Ann", "A\u0323\u0302\u0301nn", "שָׁלוֹם"])
def test_flags_and_marks_of_a_script(names, wanted):
    """Whole flags, and letters with the marks that belong to them, are names like others."""
    assert names.guest(wanted, "owner") == wanted


@pytest.mark.parametrize("empty", ["", " ", "♥♥", "---", "\u200b", "\u3164", "\u0301", "🔥"])
def test_a_name_without_letters(names, empty):
    """There must be something to call somebody by."""
    assert "no letter or digit" in refusal(names, empty)


@pytest.mark.parametrize(
    "reserved",
    [
        *RESERVED,
        *(
            "random",
            "Sensible",
            "gildenmeister",
            "ADMIN",
            "Adm1n",
            "Server 2",
            "admin99",
            "«Admin»",
        ),
        *("M o d e r a t o r", "0perator", "1 Operator 1", "ᴀᴅᴍɪɴ", "ﾠAdmin", "adm|n"),
        *("🅰dmin", "🅢🅔🅡🅥🅔🅡", "o🆊erator"),
    ],
)
def test_reserved_names(names, reserved):
    """Nobody is called like the server, its bots, or what the operator has reserved."""
    assert "reserved" in refusal(names, reserved)


def test_a_number_beyond_the_reserved(names):
    """A name that only holds a reserved word is free."""
    assert names.guest("Administrata", 1) == "Administrata"


@pytest.mark.parametrize("wrong", ["♥", "", FALLBACK, "PLAYER"])
def test_what_cannot_be_reserved(wrong):
    """A setting that would reserve nothing, or the server's own last resort, is told."""
    with pytest.raises(ConfigError, match="names_reserved"):
        Registry(reserved=("Ann", wrong))


def test_guests_of_one_name(names):
    """Later ones get numbers, the lowest that is free; who goes makes room."""
    assert [names.guest("Ann", owner) for owner in range(3)] == ["Ann", "Ann 2", "Ann 3"]
    names.release(1)
    assert names.guest("ann", "next") == "ann 2"
    names.release(0)
    assert names.guest("Ann", "then") == "Ann"


def test_a_number_that_would_look_like_somebody(names):
    """It is passed over."""
    names.guest("Ann", "first")
    names.guest("Ann Z", "other")
    names.user("ann-3", "user")

    assert names.guest("Ann", "second") == "Ann 2"
    assert names.guest("Ann", "third") == "Ann 4"
    names.guest("Anns", "s")
    assert names.guest("Ann", "fourth") == "Ann 6"


def test_long_names(names):
    """They keep their length limit when they get a number."""
    wanted = "A" * NAME_CHARS_MAX
    taken = [names.guest(wanted, owner) for owner in range(NUMBERS_TRIED + 20)]

    assert taken[0] == wanted
    assert len(set(taken)) == len(taken)
    assert max(map(len, taken)) <= NAME_CHARS_MAX


def test_a_long_name_that_is_cut_to_a_reserved_one(names):
    """The number does not stand behind what may not be had."""
    wanted = f"Admin{'-' * 30}xyz"
    assert names.guest(wanted, 1) == wanted

    assert names.guest(wanted, 2) == "Player 2"


def test_many_guests_of_one_name(names):
    """However many, each gets a name of their own."""
    taken = [names.guest("Ann", owner) for owner in range(3 * NUMBERS_TRIED)]

    assert len({skeleton(name) for name in taken}) == len(taken)


def test_a_user_finds_a_guest_under_the_name(names):
    """The user gets it; the guest is renamed at once, and told."""
    names.guest("ann", "guest")
    names.guest("Ann", "other")

    assert names.user("Ann", "user") == "Ann"

    assert names.told == [("guest", "ann 3")]
    names.release("guest")
    assert names.guest("Ann 3", "third") == "Ann 3"
    assert "user" in refusal(names, "Ann")


def test_a_guest_with_a_number_is_renamed_too(names):
    """What a guest has, not what it asked for, is what a user takes."""
    names.guest("Ann", "first")
    names.guest("Ann", "second")

    assert names.user("Ann 2", "user") == "Ann 2"

    assert names.told == [("second", "Ann 2 2")]


def test_users_of_one_name(names):
    """Nobody is renamed; each finds the same name at the next visit."""
    assert names.user("Ann", "first") == "Ann"
    assert names.user("Ann", "second") == "Ann 2"
    names.release("first")
    names.release("second")

    assert names.user("Ann", "third") == "Ann 3"
    assert names.user("Ann", "second") == "Ann 2"
    assert names.user("Ann", "first") == "Ann"
    assert names.told == []


def test_a_user_who_is_away(names):
    """The name is kept from guests."""
    names.user("Ann", "user")
    names.release("user")

    assert "user" in refusal(names, "ANN")


def test_users_who_are_away_are_forgotten_in_their_order():
    """As many as there may be are remembered: who left last, last."""
    names = Registry(away_max=2)
    for user in ("Ann", "Bo", "Cy"):
        names.user(user, user)
    names.release("Bo")
    names.release("Ann")
    names.release("Cy")

    assert names.guest("Bo", 1) == "Bo"
    assert "user" in refusal(names, "Ann")
    assert "user" in refusal(names, "Cy")
    assert names.user("Bo", "Bo") == "Bo"
    assert names.told == [(1, "Bo 2")]


def test_a_user_with_several_sessions(names):
    """They have one name, till the last of them ends; a guest can't be them in between."""
    assert names.user("Ann", "user") == "Ann"
    assert names.user("Anna", "user") == "Ann"
    names.release("user")
    assert "user" in refusal(names, "Ann")
    assert names.user("Ann", "other") == "Ann 2"
    names.release("user")

    assert names.user("Anna", "user") == "Anna"
    assert names.guest("Ann", "guest") == "Ann"


@pytest.mark.parametrize("unfit", ["Admin", "♥", "Alicе", "ꓮꓡ", "random"])
def test_a_users_name_that_cannot_be_had(names, unfit):
    """A user did not choose it and is let in, under a name that claims nothing."""
    assert names.user(unfit, "first") == "Player"
    assert names.user(unfit, "second") == "Player 2"
    names.release("second")

    assert names.user(unfit, "second") == "Player 2"


def test_releasing_what_nobody_holds(names):
    """It is nothing: a session that was refused a name may end like any other."""
    names.guest("Ann", 1)
    names.release(2)
    names.release(1)
    names.release(1)

    assert names.guest("Ann", 2) == "Ann"


@hypothesis.given(st.text(max_size=NAME_CHARS_MAX))
def test_any_text(text):
    """It is taken as it is but for blanks, or refused; a user always has some name."""
    names = Registry()
    assert skeleton(names.user(text, "user"))
    other = Registry()
    try:
        taken = other.guest(text, "guest")
    except Refused:
        return

    assert taken == " ".join(text.split())
    assert other.user(text, "user") == taken
    ((owner, name),) = other.told
    assert owner == "guest"
    assert len(name) <= NAME_CHARS_MAX
    assert skeleton(name) not in ("", skeleton(taken))


class Coming(RuleBasedStateMachine):
    """People come and go, with names that are easily confused."""

    wanted = st.sampled_from(
        (
            "Ann",
            "ann",
            "ANN",
            "Ann 2",
            "Ann 3",
            "Ann 2 2",
            "Annz",
            "Anns",
            "Ann 5",
            "Admin",
            "Player",
        )
    ) | st.text("AaNn 25", min_size=1, max_size=NAME_CHARS_MAX)
    owners = st.integers(0, 7)

    def __init__(self) -> None:
        super().__init__()
        self.names = Registry(away_max=2)
        self.called: dict[Hashable, str] = {}
        self.held: list[Hashable] = []

    @rule(wanted=wanted, guest=owners)
    def a_guest_comes(self, wanted: str, guest: int) -> None:
        """Gets what was wanted, a number behind it, or a refusal that changes nothing."""
        owner = ("guest", guest)
        if owner in self.called:
            return
        try:
            self.called[owner] = self.names.guest(wanted, owner)
        except Refused:
            return
        self.held.append(owner)

    @rule(wanted=wanted, user=owners)
    def a_user_comes(self, wanted: str, user: int) -> None:
        """Is never refused, and keeps the name that another session of theirs has."""
        owner = ("user", user)
        name = self.names.user(wanted, owner)
        assert self.called.get(owner, name) == name
        self.called[owner] = name
        self.held.append(owner)

    @precondition(lambda self: self.held)
    @rule(data=st.data())
    def somebody_goes(self, data: st.DataObject) -> None:
        """One session ends."""
        owner = data.draw(st.sampled_from(self.held))
        self.held.remove(owner)
        self.names.release(owner)
        if owner not in self.held:
            del self.called[owner]

    @invariant()
    def nobody_looks_like_somebody_else(self) -> None:
        """Only guests were renamed; and of all who are here, no two look the same."""
        for owner, name in self.names.told:
            assert isinstance(owner, tuple)
            assert owner[0] == "guest"
            self.called[owner] = name
        self.names.told.clear()
        seen = [skeleton(name) for name in self.called.values()]
        assert len(set(seen)) == len(seen)
        assert "" not in seen
        assert all(len(name) <= NAME_CHARS_MAX for name in self.called.values())

    @invariant()
    def what_is_kept_is_bounded(self) -> None:
        """Nothing stays of a guest who went, and of users only so much."""
        assert len(self.names._away) <= 2
        assert len(self.names._by_skeleton) == len(self.called) + len(self.names._away)


TestComing = Coming.TestCase
