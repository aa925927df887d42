"""All that travels in an evening of each ruleset, in both spellings, fits the JSON Schema.

The schema's own test tries values that nobody says; this one holds it to what is said. And a server
of today says none but the words that open lists name.
"""

from __future__ import annotations

from collections.abc import Awaitable, Iterable

import pytest
import trio

from e2e.relaying import Plain, open_relay
from longfuse.bots.random import RandomBot
from longfuse.rulesets import catalogue
from longfuse_protocol import messages as m
from longfuse_protocol.client import Client, Refused, open_client
from longfuse_protocol.codec import CODECS
from longfuse_protocol.passing import Stop, Until
from longfuse_protocol.schema import MESSAGES, Side, schema
from protocol.json_schema import problems

pytestmark = [pytest.mark.realtime, pytest.mark.slow]
EVENING_S = 120
DECISIONS_MAX = 40
"""After so many a seat gives up: what is said does not change any more."""
TERMS = m.Terms(
    clock=m.ClockTerms(kind="bank"), take_back="by agreement", ready_s=60, open_replay=False
)
UNSAID = {
    "client": {"concede", "pair", "unpair", "choose_deck", "mute", "report", "unpause"},
    "server": {"rejected", "notice", "unpaired", "presence"},
}
"""What need not be said in such an evening."""


class Ear:
    """Holds each message of one side to its schema."""

    def __init__(self, side: Side) -> None:
        self.side = side
        self.wrong: list[str] = []
        self.types: set[str] = set()
        self._top = schema(side)
        self._nodes = {
            str(kind.__struct_config__.tag): self._top["$defs"][kind.__name__]
            for kind in MESSAGES[side].__args__
        }

    def hear(self, message: Plain) -> Iterable[Plain]:
        """Note what does not fit, and let the message pass."""
        kind = message["type"]
        self.types.add(kind)
        if kind not in self._nodes:
            self.wrong.append(f"{kind}: no such message")
        elif len(self.wrong) < 10:
            self.wrong += problems(message, self._nodes[kind], self._top, kind, known=True)
        return (message,)

    def check(self) -> None:
        """All that a side may say was said, but for what is left out, and it fitted."""
        assert self.wrong == []
        assert self._nodes.keys() - self.types <= UNSAID[self.side]


async def play(client: Client, watching: bool = False) -> None:
    """Follow a game to its end, answer by chance; offer a pause at first, and give up late."""
    bot, asked = RandomBot("evening"), 0
    async for event in client:
        match event:
            case m.ReadyCheck(ready=ready) if not (watching or ready[client.place.seat]):
                await tried(client.ready())
            case m.Asked(prompt=prompt) if client.prompt == prompt:
                asked += 1
                if asked == 1 and client.place.seat == 0:  # two offers would agree on it
                    await tried(client.offer("pause"))
                    await tried(client.take_back())
                if asked == DECISIONS_MAX:
                    await tried(client.concede())
                if not await tried(client.decide(prompt, bot.choose(prompt))):
                    await tried(client.decide(prompt, prompt.default))
            case m.Offers(offers=(offer,)) if client.place.seat not in offer.accepted:
                await tried(client.respond(offer.kind, accept=False))
            case m.Over():
                return


async def tried(doing: Awaitable[object]) -> bool:
    """Do what may be refused; return whether it was done."""
    try:
        await doing
    except Refused:
        return False
    return True


async def evening(ruleset: str, ada: Client, bob: Client, eve: Client) -> None:
    """Two play and one watches, and they try most of what there is."""
    await ada.ping()
    found = await ada.browse()
    phases = next(one.phases for one in found.rulesets if one.name == ruleset)
    await ada.catalogue(ruleset)
    with pytest.raises(Refused):
        await ada.catalogue("none")
    place = await ada.create(ruleset, 2, terms=TERMS)
    await eve.spectate(place.info.table)
    await bob.join(place.info.table)
    await bob.say("Hello!")
    await eve.say("Good luck!")
    until = Until(phases[-1], "others")
    await ada.settings(m.Passing(stops=(Stop(phases[0]),), yields=("Ember",), until=until))
    async with trio.open_nursery() as nursery:
        for client in (ada, bob):
            nursery.start_soon(play, client)
        nursery.start_soon(play, eve, True)
    while not isinstance(await anext(ada), m.Revealed):
        pass
    await bob.offer("open replay")
    await ada.respond("open replay", accept=True)
    await eve.resync()
    async for _part in eve.replay(ada.table.game, 0):
        pass
    for client in (ada, bob, eve):
        await client.leave()


@pytest.mark.parametrize("subprotocol", CODECS)
@pytest.mark.parametrize("ruleset", catalogue.names())
async def test_an_evening(ruleset: str, subprotocol: str) -> None:
    """Both sides keep to the schema in all that they say."""
    said, asked = Ear("server"), Ear("client")
    async with open_relay(said.hear, asked.hear) as port:
        url = f"ws://127.0.0.1:{port}/ws"
        with trio.fail_after(EVENING_S):
            async with (
                open_client(url, name="Ada", subprotocol=subprotocol) as ada,
                open_client(url, name="Bob", subprotocol=subprotocol) as bob,
                open_client(url, name="Eve", subprotocol=subprotocol) as eve,
            ):
                await evening(ruleset, ada, bob, eve)

    said.check()
    asked.check()
