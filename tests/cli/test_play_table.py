"""`longfuse play` at a table of a server: what the seats agree on, matches, and chat."""

from __future__ import annotations

import re

import pytest
import trio
import trio.testing

from cli.playing import Player, open_games, two_players
from host.rig import URL, open_rig
from journal.games import use_toy
from longfuse_protocol.client import open_client


@pytest.fixture(autouse=True)
def toy(monkeypatch: pytest.MonkeyPatch) -> None:
    """The toy is what is played here."""
    use_toy(monkeypatch)


# ---------------------------------------------------------------- coming together


async def test_who_opens_a_table_is_told_how_a_friend_comes() -> None:
    """With the invitation where the table is not listed; the friend sits down with it alone."""
    async with open_games() as listener:
        stranger = None
        async with two_players(listener, unlisted=True, watch="invited") as (ada, bob):
            assert "Ada, Bob." in await bob.sees()
            assert "by invitation, watched by invitation" in bob.shown
            assert re.search(r"longfuse watch ws://memory/ws \w+ --invitation \S+", ada.shown)
            table = re.search(r"--table (\w+)", ada.shown)
            assert table is not None
            stranger = Player(listener, name="Eve", table=table[1])
            await stranger.play()
            assert "the server refuses" in await stranger.sees()


async def test_who_is_not_asked_first_is_told_who_is() -> None:
    """After a moment, and below the cursor."""
    async with open_games() as listener, two_players(listener) as (_, bob):
        await trio.sleep(3)

        assert "> Waiting for another player. >" in await bob.sees()


async def test_the_terms_are_told() -> None:
    """To whoever sits down."""
    terms = {"clock": "15+5", "best_of": 3, "take_back": "by agreement", "delay": 90}
    async with open_games() as listener, two_players(listener, **terms) as (_, bob):
        told = await bob.sees()

    assert "15:00 + 5 s a decision, running out loses, best of 3" in told
    assert "spectators 1:30 behind, taken back by agreement" in told


async def test_two_who_look_for_a_game_are_brought_together() -> None:
    """Each is asked whether they are ready; the game begins when both are."""
    async with open_games() as listener, trio.open_nursery() as nursery:
        ada, bob = Player(listener, pair=True), Player(listener, name="Bob", pair=True)
        nursery.start_soon(ada.play)
        assert "Waiting for somebody who wants to play toy, no clock." in await ada.sees()
        nursery.start_soon(bob.play)
        assert "Type `ready` within" in await bob.sees()
        told = await ada.types("ready")
        assert "You are ready." in told
        assert "Waiting for Bob to be ready" in told
        assert "Light a fuse?" not in await bob.types("ready")
        assert "Light a fuse?" in ada.shown
        ada.goes()
        bob.goes()


async def test_who_waits_for_another_can_say_so_and_go() -> None:
    """Words do what they say meanwhile; on the server, too, nobody waits any more."""
    async with open_games() as listener, trio.open_nursery() as nursery:
        ada = Player(listener, pair=True, clock="15+5")
        nursery.start_soon(ada.play)
        assert "play toy, 15:00 + 5 s a decision" in await ada.sees()
        assert "how long it has been" in await ada.types("help")
        assert "There is no game yet." in await ada.types("table")
        await trio.sleep(65)
        assert "Nobody has come yet, for 1:05." in await ada.types("")
        await ada.types("quit")
        assert ada.code == 0

        bob = Player(listener, name="Bob", pair=True, clock="15+5")
        nursery.start_soon(bob.play)
        await trio.sleep(1)
        assert "ready" not in await bob.sees()
        bob.goes()
        await trio.testing.wait_all_tasks_blocked()
        assert bob.code == 0


async def test_who_goes_as_somebody_comes_leaves_the_table() -> None:
    """The other is told at once, and does not wait for somebody who has gone."""
    async with open_games() as listener, trio.open_nursery() as nursery:
        ada, bob = Player(listener, pair=True), Player(listener, name="Bob", pair=True)
        nursery.start_soon(ada.play)
        await ada.sees()
        nursery.start_soon(bob.play)
        await ada.types("quit")
        bob.goes()

    assert (ada.code, bob.code) == (0, 0)


async def test_waiting_for_another_has_an_end() -> None:
    """The command says that nobody came, with code 1."""
    async with open_games() as listener:
        ada = Player(listener, pair=True)
        await ada.play()

        assert "nobody was found: no other player came within 10 minutes" in await ada.sees()
        assert ada.code == 1


async def test_who_loses_the_connection_while_waiting_waits_on() -> None:
    """Pairing is asked for again by itself, once the server is reached again."""
    async with open_games() as listener, trio.open_nursery() as nursery:
        ada, bob = Player(listener, pair=True), Player(listener, name="Bob", pair=True)
        nursery.start_soon(ada.play)
        await ada.sees()
        await ada.dialer.cut()
        await trio.sleep(30)
        told = await ada.sees()
        assert "The connection is lost" in told
        assert "Connected again." in told
        nursery.start_soon(bob.play)
        assert "Ada, Bob." in await bob.sees()
        told = await ada.sees()
        assert "Ada, Bob." in told
        assert "onnect" not in told
        assert "Are you ready?" in told
        await ada.types("quit", "quit")
        bob.goes()

    assert (ada.code, bob.code) == (0, 0)


async def test_a_script_keeps_its_lines_for_the_game() -> None:
    """None of them is read while it waits to be paired."""
    async with open_games(pair_ready_s=0) as listener, trio.open_nursery() as nursery:
        ada = Player(listener, pair=True)
        ada.is_live = False
        nursery.start_soon(ada.play)
        told = await ada.types("concede", "concede")
        assert "concede" not in told
        bob = Player(listener, name="Bob", pair=True)
        nursery.start_soon(bob.play)
        told = await bob.sees()
        assert "You win! Bob wins: conceded." in told
        assert "lost the connection" not in told
        bob.goes()


@pytest.mark.parametrize(
    ("how", "said"),
    [
        ({"pair": True}, "error: nobody was found: the input ended before anybody came"),
        ({}, "error: the input ended before anybody sat down: the table is left"),
    ],
)
async def test_a_script_without_lines_waits_for_nobody(
    how: dict[str, bool], said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The command says so with code 1, and on the server nothing waits any more."""
    monkeypatch.setattr(Player, "is_live", False)
    async with open_games() as listener:
        ada = Player(listener, **how)
        async with trio.open_nursery() as nursery:
            nursery.start_soon(ada.play)
            assert said not in await ada.sees()
            ada.goes()

        assert said in await ada.sees()
        assert ada.code == 1
        async with open_client(URL, name="Eve", dial=ada.dialer) as eve:
            assert not (await eve.browse()).tables


async def test_a_script_with_lines_keeps_its_table_until_somebody_sits_down() -> None:
    """What ends behind its lines is no reason to leave before them."""
    async with open_games() as listener, trio.open_nursery() as nursery:
        ada = Player(listener)
        ada.is_live = False
        ada.goes("concede", "concede")
        nursery.start_soon(ada.play)
        (table,) = re.findall(r"--table (\w+)", await ada.sees())
        await trio.sleep(60)
        assert "concede" not in await ada.sees()
        bob = Player(listener, name="Bob", table=table)
        nursery.start_soon(bob.play)
        assert "You win! Bob wins: conceded." in await bob.sees()
        bob.goes()

    assert (ada.code, bob.code) == (0, 0)


@pytest.mark.parametrize("best_of", [1, 3])
async def test_who_quits_hears_the_result_and_is_gone(best_of: int) -> None:
    """The second `quit` leaves; nothing is offered to do at a table that is left."""
    async with open_games() as listener, two_players(listener, best_of=best_of) as (ada, bob):
        assert "type `quit` again" in await ada.types("quit")
        told = await ada.types("quit")
        assert told.endswith("Bob wins: conceded.")
        assert ada.code == 0
        assert "You win! Bob wins: conceded." in await bob.sees()


async def test_who_is_not_ready_in_time_loses_the_seat() -> None:
    """The command says so, and ends with code 1."""
    async with open_games() as listener, two_players(listener, ready=20) as (ada, bob):
        await ada.types("ready")
        await trio.sleep(25)

        gone = "Your place at the table is gone: you did not say in time that you are ready."
        assert gone in await bob.sees()
        assert bob.code == 1
        assert "Bob" not in (await ada.types("table")).rpartition("Table")[2]


# ---------------------------------------------------------------- offers


async def test_a_draw_is_offered_and_accepted() -> None:
    """Both are told what is on offer, and how it ended."""
    async with open_rig() as rig, two_players(rig.listener) as (ada, bob):
        assert "You offer a draw, open for 60 s." in _near(await ada.types("offer draw"))
        assert "Ada offers a draw: `accept` or `decline` within" in await bob.sees()
        assert "Ada offers a draw" in await bob.types("offers")

        assert "Nobody wins: agreed draw." in await bob.types("accept")
        assert "Nobody wins: agreed draw." in await ada.sees()


def _near(told: str) -> str:
    return told.replace("59 s", "60 s").replace("1:00", "60 s")


async def test_an_offer_is_declined_or_withdrawn() -> None:
    """All are told that it is gone; whoever made it must wait before the next."""
    async with open_games() as listener, two_players(listener) as (ada, bob):
        await ada.types("offer draw", "offer pause")
        assert "On offer is draw, pause: name one." in await bob.types("decline")
        assert "Declined: a draw." in await bob.types("decline draw")
        assert "Declined: a draw." in await ada.sees()
        assert "Withdrawn: a pause." in await ada.types("decline pause")
        assert "your last offer came to nothing" in await ada.types("offer draw")
        assert "Nothing is on offer." in await ada.types("offers")
        assert "Offer what?" in await ada.types("offer tea")


async def test_without_an_offer_a_word_may_be_an_answer() -> None:
    """Whoever is asked and types `accept` where nothing is on offer answers the question."""
    async with open_games() as listener, two_players(listener) as (ada, bob):
        assert "'accept' is no command and no item" in await ada.types("accept")
        assert "Nothing is on offer." in await bob.types("accept")


async def test_a_pause_is_agreed_on_and_ended() -> None:
    """Meanwhile nothing is decided."""
    async with open_games() as listener, two_players(listener) as (ada, bob):
        assert "the game is not paused" in await bob.types("unpause")
        await ada.types("offer pause")
        assert "The game is paused." in await bob.types("accept")
        assert "the game is paused" in await ada.types("yes")
        assert "The game goes on." in await bob.types("unpause")
        assert "Light a fuse?" not in await ada.types("yes")


async def test_taking_back_by_agreement_is_pointed_out() -> None:
    """Where the table allows it, and no play is open."""
    terms = {"take_back": "by agreement"}
    async with open_games() as listener, two_players(listener, **terms) as (ada, _):
        await ada.types("no")
        assert "`offer take back` asks the others" in await ada.types("undo")


async def test_a_decision_is_taken_back_by_agreement() -> None:
    """Both are told, and whoever decided is asked again."""
    terms = {"take_back": "by agreement"}
    async with open_rig() as rig, two_players(rig.listener, **terms) as (ada, bob):
        await ada.types("2")
        await ada.types("offer take back")
        assert "Ada offers to take the last decision back" in await bob.sees()
        await bob.types("accept")

        assert "takes the last decision back, by agreement." in await bob.types("log")
        assert ada.shown.count("Enter: take 1.") == 2
        assert "Ada taken 0" in await bob.types("table")


async def test_a_rematch_and_an_open_replay() -> None:
    """After a game; the next begins with a log of its own."""
    async with open_games() as listener, two_players(listener) as (ada, bob):
        assert "rematch: only once the match is over" in await ada.types("offer rematch")
        await ada.types("no")
        await bob.types("concede", "concede")
        assert "`offer rematch` offers another game" in await ada.sees()
        await ada.types("offer open replay")
        told = await bob.types("accept open replay")
        assert "You accept: to show the whole game, hands included." in told

        await ada.types("offer rematch")
        assert "Light a fuse?" in await bob.types("accept", "table") + await ada.sees()
        assert "1 Turn of" in await ada.types("log all")
        assert "conceded" not in await ada.types("log all")
        assert "The game is over" not in await bob.types("nonsense")


# ---------------------------------------------------------------- a match


async def test_a_match_of_three() -> None:
    """Between its games the score stands, decks are chosen, and both say that they are ready."""
    async with open_rig() as rig, two_players(rig.listener, best_of=3, deck="fire") as (ada, bob):
        await ada.types("concede", "concede")
        told = await bob.sees()
        assert "You win! Bob wins: concede." in told
        assert "The match stands 0-1. `deck D` changes your deck" in told
        assert "You play that deck in the next game." in await ada.types("deck fire and water")
        assert "Your deck stays: earth is not made of fire." in await ada.types("deck earth")
        assert "Which deck?" in await ada.types("deck")
        assert "leaving gives it up" in await ada.types("quit")

        await ada.types("ready")
        await bob.types("ready")
        assert "How many do you take?" in ada.shown.rpartition("You are ready.")[2]
        assert [header.decks[0] for header in rig.journal.headers] == ["fire", "fire and water"]
        await ada.types("concede", "concede")
        assert "The match is over, 0-2." in await bob.sees()
        assert "Enter leaves" in bob.shown


async def test_a_bot_accepts_a_rematch_and_is_always_ready() -> None:
    """So a player alone can go on."""
    async with open_games() as listener, trio.open_nursery() as nursery:
        for terms in ({}, {"best_of": 3}):
            ada = Player(listener, bot="default", **terms)
            nursery.start_soon(ada.play)
            assert "Light a fuse?" in await ada.sees()
            await ada.types("concede", "concede")
            told = await ada.types("ready" if terms else "offer rematch")
            assert "Light a fuse?" in told
            ada.goes()


# ---------------------------------------------------------------- chat


async def test_players_talk() -> None:
    """Each line is shown once, with its number and who said it."""
    async with open_games() as listener, two_players(listener) as (ada, bob):
        assert "] Ada: good luck" in await ada.types("say good luck")
        assert "] Ada: good luck" in await bob.sees()
        assert "Say what?" in await bob.types("say")
        assert "the server would not take it" in await bob.types("say " + "x" * 600)

        assert "You hear nothing more of Ada." in await bob.types("mute Ada")
        await ada.types("say are you there?")
        assert "are you there?" not in await bob.sees()
        assert "You hear Ada again." in await bob.types("unmute Ada")
        await ada.types("say hello")
        assert "hello" in await bob.sees()


async def test_a_line_is_reported() -> None:
    """By its number, with the reason; what is no line is refused."""
    async with open_games() as listener, two_players(listener) as (ada, bob):
        number = re.search(r"\[(\d+)\] Ada", await ada.types("say you fool"))
        assert number is not None
        assert "Report what?" in await bob.types("report that")
        assert "is brought before" in await bob.types(f"report {number[1]} rude")
        assert "Nothing is reported" in await bob.types("report 99 rude")


async def test_a_table_without_chat() -> None:
    """The refusal says that its terms say so."""
    async with open_games() as listener, two_players(listener, no_chat=True) as (ada, _):
        assert "Nothing is said: nobody talks at this table" in await ada.types("say hello")


async def test_a_script_that_ends_with_the_game(monkeypatch: pytest.MonkeyPatch) -> None:
    """The player leaves once, whether the end of the lines or of the game is seen first."""
    monkeypatch.setattr(Player, "is_live", False)
    async with open_games() as listener, two_players(listener) as (ada, bob):
        for player in (ada, bob):
            player.goes("concede", "concede")

    assert (ada.code, bob.code) == (0, 0)
