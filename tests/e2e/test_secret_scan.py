"""No byte that anybody is sent holds what it may not know at that moment.

Matches of marked cards over the whole server: each card has a name that nothing else has. What a
viewer may know is read off the game's zones after every entry, with nothing of the views' code; all
bytes that it is sent are searched. So are secrets of sessions and shuffles, nonces, invitations,
and what is one seat's own: prompts, settings, offers. The log is searched, too.

`NONINTERFERENCE_SEEDS=N` tries N evenings of each sort instead of one; `HYPOTHESIS_PROFILE=nightly`
tries 20.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

import msgspec
import pytest
import structlog
import trio

from e2e.evenings import SEEDS, TERMS, Evening
from e2e.hidden_cards import RULESETS, marked
from e2e.wiretap import Drawn, Heard, Stacked, Tap, is_done, nonce_of, open_house, same_chance
from longfuse.game.game import Game
from longfuse.host.ports import Viewer
from longfuse_protocol import messages as m
from longfuse_protocol.codec import CODECS, JSON

DECISIONS = 14

PUBLIC = ("board", "chain", "trash", "banishment", "champion", "discard", "nothing")
NAME = re.compile(rb"Canary\d+x\dx\d\dz")
SESSION_SECRET = re.compile(rb"u[0-9a-f]{48}")
FOR_SEATS = (m.Asked, m.Passed, m.PassingSet, m.Offers, m.ReadyCheck, m.Revealed)
OF_SEATS = frozenset({"legal", "default", "items", "least", "passing", "yields", "stops", "secret"})
"""Fields of prompts, of settings and of shuffles, which are in no game frame."""
NOT_HEARD = {m.Pong, m.Cards, m.Unpaired, m.Notice}
"""What nobody asked for, or no server sent, in these evenings."""

pytestmark = pytest.mark.slow


class Known:
    """Since when each viewer may know each card, by the game's zones alone."""

    def __init__(self) -> None:
        self.since: dict[tuple[Viewer, bytes], float] = {}
        self.all_since: dict[bytes, float] = {}
        """By game, since when all agree to show it whole."""

    def follow(self, game: Game) -> None:
        """Note what can be seen of a game, now and after every entry."""
        advance = game.advance

        def noting(entry: object) -> None:
            advance(entry)  # type: ignore[arg-type]
            self._note(game)

        game.advance = noting  # type: ignore[method-assign,assignment]
        self._note(game)

    def may_know(self, viewer: Viewer, name: bytes, at: float) -> bool:
        """Whether a viewer may know a card's name at that time."""
        times = (self.since.get((viewer, name)), self.all_since.get(name.split(b"x")[0]))
        return any(time is not None and time <= at for time in times)

    def _note(self, game: Game) -> None:
        save = game.store.savepoint
        for viewer in (0, 1, "spectator"):
            if save is not None and save.seat != viewer:
                continue  # what another has begun may yet be taken back
            for name in _seen(game, viewer):
                self.since.setdefault((viewer, name), trio.current_time())


def _seen(game: Game, viewer: Viewer) -> Iterator[bytes]:
    for zone in game.rules.zone_names:
        word, _, seat = zone.partition(":")
        for ref in game.board.zone(zone):
            card = game.board.card(ref)
            is_own = word == "facedown" and card.owner == viewer
            if word in PUBLIC or is_own or (word == "hand" and seat == str(viewer)):
                yield card.name.encode()


class Scanner:
    """Reads all that everybody hears, as it comes."""

    def __init__(self, spent: Evening, known: Known, drawn: dict[str, Drawn]) -> None:
        self.seats = {spent.ada: 0, spent.bob: 1}
        self.names = 0
        """Names of marked cards that were found where they may be."""
        self.complaints: list[str] = []
        self._known = known
        self._drawn = drawn
        self._delay_s = spent.terms.delay_s
        self._nonces = {tap: nonce_of(tap.name).encode() for tap in self.seats}
        self._is_over = False
        for tap in spent.taps:
            tap.listen = self.scan

    def scan(self, tap: Tap, heard: Heard) -> None:
        """Read one message."""
        for fault in (*self._cards(tap, heard), *self._secrets(tap, heard), *self._own(tap, heard)):
            self.complaints.append(f"{tap.name} at {heard.at}: {fault} in {str(heard)[:600]}")

    def _cards(self, tap: Tap, heard: Heard) -> Iterator[str]:
        seat = self.seats.get(tap)
        at = trio.current_time() - (0 if seat is not None else self._delay_s)
        viewer: Viewer = "spectator" if seat is None else seat
        for name in NAME.findall(heard.data):
            if self._known.may_know(viewer, name, at):
                self.names += 1
            else:
                yield f"{name.decode()} is hidden from it"

    def _secrets(self, tap: Tap, heard: Heard) -> Iterator[str]:
        data, message = heard.data, heard.message
        if SESSION_SECRET.search(data) and not (
            isinstance(message, m.Welcome) and message.secret == self._newest_secret()
        ):
            yield "a session's secret"
        if any(given.encode() in data for given in self._of("opening")) and not (
            tap in self.seats and isinstance(message, m.Joined | m.Welcome)
        ):
            yield "an invitation"
        for given in self._of("kept_secrets"):
            if given.encode() in data and not (
                isinstance(message, m.Revealed) and tap in self.seats
            ):
                yield "a shuffle's secret"
        if not isinstance(message, m.Nonces):
            for nonce in self._nonces.values():
                if nonce in data:
                    yield "a nonce"

    def _of(self, module: str) -> list[str]:
        return [
            given
            for name, drawn in self._drawn.items()
            if name.endswith(f".{module}")
            for given in drawn.given
        ]

    def _newest_secret(self) -> str:
        return [given for given in self._of("people") if given.startswith("u")][-1]

    def _own(self, tap: Tap, heard: Heard) -> Iterator[str]:
        seat, message = self.seats.get(tap), heard.message
        if seat is None and isinstance(message, FOR_SEATS):
            yield "what only seats get"
        prompt = getattr(message, "prompt", None)
        if isinstance(message, m.Asked | m.Answered) and prompt and prompt.seat != seat:
            yield "another's prompt"
        if isinstance(message, m.Answered) and not message.command.startswith(tap.name):
            yield "another's answer"
        if seat is None and isinstance(message, m.Answered) and message.asked is not None:
            yield "who is asked now"
        if isinstance(message, m.TableChanged) and message.info.spectators is not None:
            if seat is not None:
                yield "how many watch"
        if isinstance(message, m.Events | m.Snapshot | m.Replayed):
            for field in OF_SEATS & set(_fields(msgspec.to_builtins(message))):
                yield f"the field {field!r}"


def _fields(value: object) -> Iterator[str]:
    if isinstance(value, dict):
        for key, inner in value.items():
            yield key
            yield from () if key == "chain" else _fields(inner)
    elif isinstance(value, list | tuple):
        for inner in value:
            yield from _fields(inner)


# ---------------------------------------------------------------- the course of an evening


async def match(spent: Evening, known: Known) -> None:
    """Three games with all that happens beside, replays, a rematch, and an open replay."""
    for loser in (spent.ada, spent.bob, spent.ada):
        await get_ready(spent)
        await spent.play(DECISIONS)
        if spent.ada.over is None:
            await loser.command(m.Concede)
        await look_back(spent)
    await agree(spent, "rematch")
    await get_ready(spent)
    await spent.play(DECISIONS)
    await trio.sleep(61)  # until who was declined may offer again
    await agree(spent, "draw")
    assert spent.ada.over is not None
    await look_back(spent)
    await agree(spent, "open replay")
    known.all_since[b"Canary3"] = trio.current_time()
    await look_back(spent)
    await trio.sleep(spent.terms.delay_s)
    await look_back(spent)
    await spent.bob.command(m.Leave)
    await spent.ada.command(m.Leave)
    await look_back(spent)


async def get_ready(spent: Evening) -> None:
    for tap in (spent.ada, spent.bob):
        assert is_done(await tap.command(m.Ready))


async def agree(spent: Evening, kind: m.OfferKind) -> None:
    await spent.ada.command(m.MakeOffer, kind=kind)
    await spent.bob.command(m.Respond, kind=kind, accept=True)


async def look_back(spent: Evening) -> None:
    """Everybody asks to see every game again, as everybody saw it."""
    for tap in (spent.ada, spent.bob, spent.eve, spent.out):
        for number in range(1, 6):
            for viewer in (0, 1, "spectator"):
                await tap.replay(f"{spent.table}-{number}", viewer)


@pytest.mark.parametrize("delay_s", [0, 7])
@pytest.mark.parametrize("ruleset", RULESETS)
async def test_nobody_is_sent_what_it_may_not_know(ruleset: str, delay_s: int) -> None:
    """Players, those who watch, those who come late and those outside, through whole matches."""
    terms = msgspec.structs.replace(TERMS, delay_s=delay_s, best_of=3, ready_s=60, watch="invited")
    for seed in SEEDS:
        known, games = Known(), Stacked(marked(ruleset, seed))
        games.on_game = known.follow
        with same_chance(seed) as drawn, structlog.testing.capture_logs() as logs:
            async with open_house(games) as rig, trio.open_nursery() as nursery:
                spent = Evening(rig, nursery, ruleset, seed, terms=terms, shuffles=True)
                scanner = Scanner(spent, known, drawn)
                await spent.begin()
                await match(spent, known)
                await trio.sleep(60)
                nursery.cancel_scope.cancel()
        assert scanner.complaints == []
        assert found_in_logs(logs, drawn) == []
        assert scanner.names > 1_000
        heard = {type(one.message) for tap in spent.taps for one in tap.heard}
        assert set(m.ServerMessage.__args__) - heard == NOT_HEARD


@pytest.mark.parametrize("ruleset", RULESETS)
async def test_the_scan_can_fail(ruleset: str) -> None:
    """Of a game that was not followed, every name is a secret; forged messages are told apart."""
    games = Stacked(marked(ruleset, 0))
    with same_chance(0) as drawn:
        async with open_house(games) as rig, trio.open_nursery() as nursery:
            spent = Evening(rig, nursery, ruleset, 0)
            scanner = Scanner(spent, Known(), drawn)
            await spent.begin()
            await spent.play(5, acts_at=())
            nursery.cancel_scope.cancel()
    assert len(scanner.complaints) > 10
    assert all("is hidden from it" in one for one in scanner.complaints)
    asked = next(one.message for one in spent.ada.heard if isinstance(one.message, m.Asked))
    for tap, message in (
        (spent.bob, asked),
        (spent.eve, m.Offers(offers=())),
        (spent.eve, m.Answered(command="Eve-1", ok=False, asked=0)),
        (spent.eve, m.Answered(command="Ada-1", ok=True)),
        (spent.eve, m.Joined(place=spent.ada.place)),
        (spent.bob, m.Notice(kind="drain", text=spent.ada.secret)),
        (spent.eve, m.Revealed(game="", secret="")),
        (spent.bob, m.Notice(kind="drain", text=nonce_of("Ada"))),
        (spent.bob, m.Snapshot(n=1, view={"x": {"legal": 3}}, digest="")),
    ):
        scanner.complaints.clear()
        scanner.scan(tap, Heard(0, CODECS[JSON].encode(message), message))
        assert scanner.complaints, message


def found_in_logs(logs: list[dict[str, object]], drawn: dict[str, Drawn]) -> list[str]:
    """Return what a log holds that it must not."""
    text = repr(logs)
    assert "game_over" in text
    secret = [
        given
        for module, one in drawn.items()
        for given in one.given
        if given.startswith("u") or module.endswith((".kept_secrets", ".opening"))
    ]
    secret += [nonce_of("Ada"), nonce_of("Bob")]
    return [one for one in secret if one in text] + re.findall(r"Canary\w+", text)
