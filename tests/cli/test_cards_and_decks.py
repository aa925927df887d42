"""`cards new`, `cards import`, `cards play`, `catalogue`, `deck`, and `--cards`."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from longfuse.actors import InlineHost
from longfuse.cli import cards_trying, main
from longfuse.cli.hosting import Games
from longfuse.cli.output import CommandError
from longfuse.game.entries import GameFault, Refused
from longfuse.rulesets.catalogue import load_decks

ROPE = "Choose an enemy unit. The next time it takes damage this turn, stun it."


def new(path: Path, name: str = "Kindled Rope", text: str = ROPE, *more: str) -> int:
    """Run `cards new`."""
    options = ["--type", "spell", "--energy", "1", "--domains", "fury", "--text", text]
    return main(["cards", "new", name, *options, "--to", str(path), *more])


def result(capsys: pytest.CaptureFixture[str]) -> Any:
    """The JSON that was printed."""
    return json.loads(capsys.readouterr().out)


# ---------------------------------------------------------------- cards new


def test_a_card_is_written_understood_and_played(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """From a sentence to a game that is saved and comes out the same."""
    path = tmp_path / "mine.toml"
    assert new(path) == 0
    out = capsys.readouterr().out
    assert "it makes delayed abilities: triggered (390.2)" in out
    assert f"longfuse play --cards {path}" in out
    assert main(["cards", "check", str(path)]) == 0
    assert "Kindled Rope" in capsys.readouterr().out
    assert main(["demo", "--cards", str(path), "--seed", "1", "--save", str(tmp_path)]) == 0
    assert "Trial of mine" in capsys.readouterr().out
    (saved,) = tmp_path.glob("*.jsonl")
    path.unlink()
    assert main(["verify", str(saved)]) == 0


def test_what_is_not_understood_is_marked_and_not_written(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A mark under the word, and the nearest wording where there is one."""
    path = tmp_path / "mine.toml"
    text = "Choose an enemy unit. The next time it take damge this turn, stun it."
    assert new(path, text=text) == 1
    out = capsys.readouterr().out
    assert "not understood" in out
    assert "nothing was written" in out
    (mark,) = [line for line in out.splitlines() if line.strip() == "^"]
    (line,) = [line for line in out.splitlines() if "damge" in line]
    assert line[len(mark) - 1 :].startswith(("take", "damge"))
    assert not path.exists()


def test_a_name_is_taken_once(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """In a file, and by what ships; a second card is added behind the first."""
    path = tmp_path / "mine.toml"
    assert new(path) == 0
    assert new(path) == 1
    assert new(path, "Slow Verdict") == 1
    assert new(path, 'The "Odd" Rope', ROPE + " Draw 1.", "--json") == 0
    capsys.readouterr()
    assert main(["cards", "check", str(path), "--json"]) == 0
    assert result(capsys)["compiled"] == 2


def test_without_a_file_the_card_is_printed(capsys: pytest.CaptureFixture[str]) -> None:
    """As TOML, to be put somewhere; several lines of text stay several."""
    lines = ["--text", "[Reaction]", "--text", "Draw 1."]
    assert main(["cards", "new", "Glance", "--type", "spell", "--power", "mind", *lines]) == 0
    out = capsys.readouterr().out
    assert 'text = """\n[Reaction]\nDraw 1."""' in out
    assert 'domains = ["mind"]' in out


# ---------------------------------------------------------------- cards import


def test_a_list_becomes_set_files(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """What is understood and played; what is not is told with the reason."""
    entry = {"setId": "ABC", "domains": ["Fury"], "cardTypes": ["Spell"], "energy": "1"}
    texts = {"Good": "Deal 2 to a unit.", "Odd": "Bake a cake.", "Later": "[Empower]"}
    cards = [{**entry, "name": name, "abilityText": text} for name, text in texts.items()]
    listed = tmp_path / "list.json"
    listed.write_text(json.dumps({"cards": [*cards, cards[0]]}), "utf-8")
    command = ["cards", "import", str(listed), "--to", str(tmp_path / "sets"), "--all"]
    assert main(command) == 0
    out = capsys.readouterr().out
    assert "Odd: line 1: stopped at" in out
    assert "Later: not played yet" in out
    assert "1 cards, 2 left out" in out
    written = (tmp_path / "sets" / "abc.toml").read_text("utf-8")
    assert '# name = "Odd"' in written
    assert main(["cards", "check", str(tmp_path / "sets" / "abc.toml"), "--json"]) == 0
    assert result(capsys)["compiled"] == 1
    assert main([*command, "--json"]) == 0
    assert result(capsys)["files"][0]["cards"] == 1


@pytest.mark.parametrize("content", ["[", "{}", '[{"odd": 3}]', None])
def test_what_is_no_list_is_refused(content: str | None, tmp_path: Path) -> None:
    """Wrong files are told, not raised."""
    listed = tmp_path / "list.json"
    if content is not None:
        listed.write_text(content, "utf-8")
    assert main(["cards", "import", str(listed), "--to", str(tmp_path / "sets")]) == 2


# ---------------------------------------------------------------- cards play


@pytest.mark.slow
def test_all_cards_are_played_without_a_fault(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The short form of `make cards`: twenty games, then positions of what they did not use."""
    monkeypatch.delenv("LONGFUSE_CARD_LIST", raising=False)
    options = ["--games", "20", "--tries", "4", "--seed", "short", "--save", str(tmp_path)]
    assert main(["cards", "play", *options, "--json"]) == 0
    tried = result(capsys)
    assert (tried["games"], tried["faults"]) == (20, [])
    assert tried["cards"]["shipped"] >= 80
    assert len(tried["unused"]) <= 5
    assert not list(tmp_path.iterdir())


def test_positions_of_one_card(capsys: pytest.CaptureFixture[str]) -> None:
    """A card by its name, as after a fault."""
    command = ["cards", "play", "--card", "Slow Verdict", "--tries", "2", "--seed", "1"]
    assert main([*command, "--json"]) == 0
    assert result(capsys)["positions"] == 2
    assert main(["cards", "play", "--card", "Nobody"]) == 2


def test_a_fault_is_told_and_its_game_saved(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """With the entry at which it broke; the others are played all the same."""

    def broken(_game: object) -> Any:
        raise GameFault("a card", ValueError("odd"))
        yield

    monkeypatch.delenv("LONGFUSE_CARD_LIST", raising=False)
    monkeypatch.setattr(cards_trying.TriedGame, "play", broken)
    options = ["--games", "2", "--tries", "0", "--seed", "1", "--save", str(tmp_path)]
    assert main(["cards", "play", *options]) == 1
    assert "FAULT game 0 of seed 1, entry 0" in capsys.readouterr().err
    assert len(list(tmp_path.iterdir())) == 2


@pytest.mark.parametrize("extra", [["--list", "nowhere.json"], ["--ruleset", "whist"]])
def test_wrong_arguments_of_play(extra: list[str]) -> None:
    """They are told at once."""
    assert main(["cards", "play", "--games", "1", *extra]) == 2


# ---------------------------------------------------------------- deck, catalogue


def test_a_deck_that_is_shown_is_legal(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Export and import."""
    assert main(["deck", "show", "Fogbound"]) == 0
    path = tmp_path / "deck.txt"
    path.write_text(capsys.readouterr().out, "utf-8")
    assert main(["deck", "check", str(path)]) == 0
    assert "legal" in capsys.readouterr().out


def test_every_reason_against_a_deck_is_told(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """For people with the rule behind it; as JSON apart; lines that are none, too."""
    path = tmp_path / "deck.txt"
    path.write_text("Name: Thin\nMain\n4 Quick Fuse\nRunes\n12 fury\n", "utf-8")
    assert main(["deck", "check", str(path)]) == 1
    out = capsys.readouterr().out
    assert "a house deck, without legend" in out
    assert "at least 40 are needed (103.2)" in out
    assert main(["deck", "check", str(path), "--json"]) == 1
    (deck,) = result(capsys)["decks"]
    assert [reason["rule"] for reason in deck["reasons"]] == ["103.2", "103.2.b"]
    path.write_text("Main\nfuse\n", "utf-8")
    assert main(["deck", "check", str(path)]) == 1
    assert "line 2" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("ruleset", "name", "one_more"),
    [
        ("riftbound", "Lamp Keepers", "the sideboard has 9 cards; it has 8, or none (TR 403.2)"),
        ("hkk", "The Slow Kilns", "21 cards in the sideboard; 20 at most"),
    ],
)
def test_a_sideboard_is_shown_and_checked(
    ruleset: str, name: str, one_more: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """By `deck` and by `catalogue`; too large a one is told."""
    assert main(["deck", "list", "--ruleset", ruleset]) == 0
    assert "a sideboard of 8" in capsys.readouterr().out
    assert main(["catalogue", "--brief", "--ruleset", ruleset]) == 0
    assert "a sideboard of 8" in capsys.readouterr().out
    assert main(["catalogue", "--json", "--ruleset", ruleset]) == 0
    (listed,) = result(capsys)["rulesets"]
    (deck,) = [one for one in listed["decks"] if one["name"] == name]
    assert sum(deck["sideboard"].values()) == 8
    assert all("sideboard" in one for one in listed["decks"])

    assert main(["deck", "show", name, "--ruleset", ruleset]) == 0
    text = capsys.readouterr().out
    path = tmp_path / "deck.txt"
    path.write_text(text, "utf-8")
    assert main(["deck", "check", str(path), "--ruleset", ruleset]) == 0
    assert ", a sideboard of 8\n" in capsys.readouterr().out
    more = {"riftbound": 1, "hkk": 13}[ruleset]
    path.write_text(text.replace("\nSideboard\n", f"\nSideboard\n{more} Reef Giant\n"), "utf-8")
    assert main(["deck", "check", str(path), "--ruleset", ruleset]) == 1
    assert one_more in capsys.readouterr().out


def test_a_deck_may_have_cards_of_files(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """With --cards they are known."""
    cards, path = tmp_path / "mine.toml", tmp_path / "deck.txt"
    new(cards)
    path.write_text("Main\n3 Kindled Rope\nRunes\n12 fury\n", "utf-8")
    capsys.readouterr()
    main(["deck", "check", str(path), "--cards", str(cards)])
    assert "no card is called" not in capsys.readouterr().out
    main(["deck", "check", str(path)])
    assert "no card is called Kindled Rope" in capsys.readouterr().out


@pytest.mark.parametrize(
    "command",
    [
        ["deck", "check"],
        ["deck", "check", "nowhere.txt"],
        ["deck", "show", "Nobody"],
        ["deck", "list", "--ruleset", "whist"],
    ],
)
def test_wrong_arguments_of_deck(command: list[str]) -> None:
    """They are told at once."""
    assert main(command) == 2


def test_the_catalogue_lists_everything(capsys: pytest.CaptureFixture[str]) -> None:
    """Whole as JSON; for people whole, in brief, or one card."""
    assert main(["catalogue", "--json"]) == 0
    listed, other = result(capsys)["rulesets"]
    assert (listed["ruleset"], other["ruleset"]) == ("riftbound", "hkk")
    assert len(listed["decks"]) == 4
    assert main(["catalogue"]) == 0
    assert "deck Fogbound" in capsys.readouterr().out
    assert main(["catalogue", "slow verdict"]) == 0
    assert "When it next takes damage this turn, kill it." in capsys.readouterr().out
    assert main(["catalogue", "--brief", "Nobody"]) == 1
    assert main(["deck", "list"]) == 0
    assert main(["deck", "list", "--json"]) == 0


# ---------------------------------------------------------------- at a table


def test_a_table_takes_a_legal_deck_as_text_and_no_other() -> None:
    """What a client sends may be a deck of cards that the server has; others are refused."""
    games = Games()
    legal = load_decks("riftbound").deck_text("Fogbound")
    decks = [games.deck("riftbound", 0, legal), games.deck("riftbound", 1, "")]
    assert decks == [legal, "Cinder Crews"]
    game = games.create("riftbound", decks, {}, bytes(32), InlineHost())
    assert game.result is None
    for deck in ("Main\n1 Owl\n", "Nobody's", legal.replace("3 Pale", "4 Pale")):
        with pytest.raises(Refused):
            games.deck("riftbound", 1, deck)


def test_why_a_deck_is_refused_is_told_in_few_words() -> None:
    """A stranger writes the deck: what is wrong with a thousand long lines is not all sent back."""
    text = "\n".join(["1 " + "Owl " * 100, *(f"Owl {n}" for n in range(500))])
    for ruleset in ("riftbound", "hkk"):
        with pytest.raises(Refused, match="and 490 more") as caught:
            Games().deck(ruleset, 0, text)
        assert len(caught.value.reason) < 3_000


def test_a_server_has_the_decks_of_its_card_files(tmp_path: Path) -> None:
    """They are offered first, and go to the game whole, so that its journal has all of them."""
    new(tmp_path / "mine.toml")
    games = Games([tmp_path])
    (info,) = [one for one in games.catalogue() if one.name == "riftbound"]
    assert info.decks[0] == "Trial of mine"
    usual, named = games.deck("riftbound", 0, ""), games.deck("riftbound", 1, "Fogbound")
    assert (usual.own[0]["name"], named) == ("Kindled Rope", "Fogbound")
    (tmp_path / "odd.toml").write_text("[[card", "utf-8")
    with pytest.raises(CommandError):
        Games([tmp_path])


@pytest.mark.parametrize(
    ("ruleset", "card", "out"),
    [
        ("riftbound", "Kindled Rope", "Quick Fuse"),
        ("hkk", "Odd Kiln", "Great Kiln"),
    ],
)
def test_a_deck_with_cards_of_files_can_be_exchanged_too(
    ruleset: str, card: str, out: str, tmp_path: Path
) -> None:
    """By its name it compares with its text; either goes to the game whole, without the file."""
    name = {"riftbound": "Cinder Crews", "hkk": "The Slow Kilns"}[ruleset]
    path = tmp_path / "mine.toml"
    if ruleset == "riftbound":
        new(path)
    else:
        text = "Your creatures get +1 life."
        path.write_text(f'[[card]]\nname = "{card}"\ntype = "building"\ntext = "{text}"\n', "utf-8")
    text = load_decks(ruleset).deck_text(name).replace(f"2 {out}", f"1 {out}\n1 {card}")
    aside = text.replace(f"1 {card}", f"1 {out}").replace(f"1 {out}\n1 {out}", f"2 {out}")
    games = Games([path])
    path.unlink()

    brought, usual = games.deck(ruleset, 0, text), games.deck(ruleset, 1, name)
    assert [one["name"] for one in brought["own"]] == [card]
    assert (
        games.may_replace(ruleset, brought, games.deck(ruleset, 0, text + "\n# once more\n")) == ""
    )
    assert card in games.may_replace(ruleset, brought, games.deck(ruleset, 0, aside))
    assert games.create(ruleset, [brought, usual], {}, bytes(32), InlineHost()).result is None


def test_each_card_file_is_of_the_ruleset_that_reads_it(tmp_path: Path) -> None:
    """One folder may hold files of several; a file that none reads is refused."""
    new(tmp_path / "mine.toml")
    card = '[[card]]\nname = "Odd Kiln"\ntype = "building"\ntext = "Your creatures get +1 life."\n'
    (tmp_path / "kiln.toml").write_text(card, "utf-8")
    offered = {one.name: one.decks for one in Games([tmp_path]).catalogue()}
    assert "Trial of mine" in offered["riftbound"]
    assert "Trial of kiln" in offered["hkk"]
    (tmp_path / "kiln.toml").write_text(card.replace("life", "florins"), "utf-8")
    with pytest.raises(CommandError, match="florins"):
        Games([tmp_path])


def test_decks_of_another_ruleset(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """They are listed, shown and checked as well."""
    assert main(["deck", "list", "--ruleset", "hkk"]) == 0
    assert "The Slow Kilns: Lassú kemencék" in capsys.readouterr().out
    assert main(["deck", "show", "The Slow Kilns", "--ruleset", "hkk"]) == 0
    (tmp_path / "mine.txt").write_text(capsys.readouterr().out, "utf-8")
    assert main(["deck", "check", str(tmp_path / "mine.txt"), "--ruleset", "hkk"]) == 0
    assert "45 cards" in capsys.readouterr().out
