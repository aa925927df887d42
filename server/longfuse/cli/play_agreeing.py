"""What the seats of a table agree on: offers, who is ready, decks between games.

Owns the words for it, and that each offer is told once when it comes and once when it goes.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import get_args

import trio

from longfuse.cli.output import CommandError
from longfuse.cli.play_desk import Desk
from longfuse.cli.play_seating import named_deck
from longfuse.cli.play_words import HelpRow, Word, is_done, reason
from longfuse.cli.terms import span
from longfuse_protocol.client import Client, Event, Refused
from longfuse_protocol.messages import Offer, OfferKind, Offers, ReadyCheck

NOTHING = "Nothing is on offer."
KINDS: Sequence[OfferKind] = get_args(OfferKind)
WORDS: Mapping[str, str] = {
    "draw": "a draw",
    "pause": "a pause",
    "take back": "to take the last decision back",
    "rematch": "a rematch",
    "open replay": "to show the whole game, hands included",
}

EXCHANGE = (
    "between the games of a match, cards are only exchanged with your sideboard: "
    "`longfuse deck show NAME --ruleset {ruleset} > FILE`, edit FILE, then `deck FILE`."
)
REASONS_TOLD = 3
MORE = re.compile(r"and (\d+) more")

ENDED: Mapping[str, str] = {
    "agreed": "Agreed",
    "declined": "Declined",
    "withdrawn": "Withdrawn",
    "expired": "Nobody answered",
}
"""How an offer has ended, in words."""


class Agreeing:
    """One player's part in what is agreed on."""

    title = "Agreeing"
    help = (
        HelpRow("offer …", f"offer one of: {', '.join(KINDS)}"),
        HelpRow("offers", "what is on offer, and for how long"),
        HelpRow("accept [KIND]", "accept what another player offers"),
        HelpRow("decline [KIND]", "decline it, or withdraw your own offer"),
        HelpRow("unpause", "end the pause"),
        HelpRow("ready", "say that you are ready for the game, or for the next of the match"),
        HelpRow("deck D", "play another deck in the next game: its name, or a file"),
    )

    def __init__(self, client: Client, desk: Desk, decks: Sequence[str]) -> None:
        """decks: those that can be played here by their names."""
        self._client = client
        self._desk = desk
        self._screen = desk.screen
        self._decks = decks
        self._open: dict[str, Offer] = {}
        self._asked_until = 0

    @property
    def words(self) -> Mapping[str, Word]:
        """What can be typed."""
        return {
            "offer": self._offer,
            "offers": self._offers,
            "accept": self._accept,
            "decline": self._decline,
            "unpause": self._unpause,
            "ready": self._ready,
            "deck": self._deck,
        }

    def hear(self, event: Event) -> None:
        """Tell of offers that came or went, and of who is asked to be ready."""
        if isinstance(event, Offers):
            how = {ended.kind: ended.how for ended in event.ended}
            self._hear_offers({offer.kind: offer for offer in event.offers}, how)
        elif isinstance(event, ReadyCheck):
            self._hear_ready(event)

    def _hear_offers(self, now: dict[str, Offer], how: Mapping[str, str]) -> None:
        before, self._open = self._open, now
        for kind, offer in before.items():
            if kind not in now or now[kind].by != offer.by:
                ended = ENDED.get(how.get(kind, ""), "No longer on offer")
                self._screen.aside(f"{ended}: {_in_words(kind)}.", "dim")
        for kind, offer in now.items():
            if kind not in before or before[kind].by != offer.by:
                self._screen.aside(self._told(offer), "strong")

    def _told(self, offer: Offer) -> str:
        left = span(self._left_s(offer.until_ms))
        if offer.by == self._desk.book.seat:
            return f"You offer {_in_words(offer.kind)}, open for {left}."
        who = self._desk.book.player(offer.by)
        what = _in_words(offer.kind)
        if offer.kind not in WORDS:
            return f"{who} offers {what}, open for {left}: this program cannot answer that."
        return f"{who} offers {what}: `accept` or `decline` within {left}."

    def _hear_ready(self, check: ReadyCheck) -> None:
        left = span(self._left_s(check.until_ms))
        if check.ready[self._desk.book.seat]:
            waits = [
                self._desk.book.player(seat) for seat, ready in enumerate(check.ready) if not ready
            ]
            if waits:
                self._screen.aside(f"Waiting for {', '.join(waits)} to be ready, {left}.", "dim")
        elif self._asked_until != check.until_ms:
            self._asked_until = check.until_ms
            table = self._client.table
            is_between = table is not None and table.status == "between games"
            late = "the next game begins all the same" if is_between else "you lose your seat"
            self._screen.aside(f"Are you ready? Type `ready` within {left}, or {late}.", "strong")

    def _left_s(self, until_ms: int) -> float:
        return self._client.local_time(until_ms) - trio.current_time()

    # ------------------------------------------------------------ the words

    async def _offer(self, rest: str) -> bool:
        kind = next((kind for kind in KINDS if kind == rest.casefold()), None)
        if kind is None:
            self._screen.line(f"Offer what? `offer` and one of {', '.join(KINDS)}.")
        else:
            await is_done(self._screen, self._client.offer(kind), "Nothing is offered")
        return True

    async def _offers(self, _: str) -> bool:
        for offer in self._open.values():
            self._screen.line(self._told(offer))
        if not self._open:
            self._screen.line(NOTHING)
        return True

    async def _accept(self, rest: str) -> bool:
        return await self._respond(rest, accept=True)

    async def _decline(self, rest: str) -> bool:
        return await self._respond(rest, accept=False)

    async def _respond(self, rest: str, *, accept: bool) -> bool:
        me = self._desk.book.seat
        fitting = [
            kind
            for kind in KINDS
            if kind in self._open and (not accept or me not in self._open[kind].accepted)
        ]
        kinds = [kind for kind in fitting if not rest or kind == rest.casefold()]
        if not fitting and self._desk.prompt is not None:
            return False
        if len(kinds) != 1:
            listed = ", ".join(fitting)
            self._screen.line(f"On offer is {listed}: name one." if fitting else NOTHING)
            return True
        wish = self._client.respond(kinds[0], accept=accept)
        if await is_done(self._screen, wish, "That is not possible") and accept:
            self._screen.line(f"You accept: {WORDS[kinds[0]]}.")
        return True

    async def _unpause(self, _: str) -> bool:
        await is_done(self._screen, self._client.unpause(), "The pause goes on")
        return True

    async def _ready(self, rest: str) -> bool:
        if rest:
            return False
        if await is_done(self._screen, self._client.ready(), "That is not possible"):
            self._screen.line("You are ready.", "dim")
        return True

    async def _deck(self, rest: str) -> bool:
        if not rest:
            self._screen.line(f"Which deck? `deck` and one of {', '.join(self._decks)}, or a file.")
            return True
        try:
            deck = named_deck(rest, self._decks)
        except CommandError as error:
            self._screen.line(f"{error}.")
            return True
        wish = self._client.choose_deck(deck)
        if await is_done(self._screen, wish, "Your deck stays", why=self._why_deck_stays):
            self._screen.line("You play that deck in the next game.")
        return True

    def _why_deck_stays(self, refused: Refused) -> str:
        """Why, in a few lines; between games with what can be done, where that is not plain."""
        table = self._client.table
        reasons = refused.answer.reason.rstrip(".").split("; ")
        if table is None or table.status != "between games" or len(reasons) == 1:
            return reason(refused)
        told = [EXCHANGE.format(ruleset=table.ruleset), *reasons[:REASONS_TOLD]]
        left_off = MORE.fullmatch(reasons[-1])  # the server may have shortened the list, too
        more = len(reasons) - REASONS_TOLD + (int(left_off[1]) - 1 if left_off else 0)
        return "\n- ".join([*told, f"and {more} more"] if more > 0 else told)


def _in_words(kind: str) -> str:
    """What is offered; what only a later server knows is called as it calls it."""
    return WORDS.get(kind, kind)
