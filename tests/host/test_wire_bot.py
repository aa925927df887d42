"""The bot that plays over the wire, against servers that follow a script."""

import pytest

from host.rig import URL
from longfuse.bots.wire import Opening, play_over_wire
from longfuse_protocol import messages as m
from longfuse_protocol.client import Ended, Refused
from protocol.scripted import PROMPT, server


def play(stream, **more):
    """Let a bot play over a stream."""
    more.setdefault("at", "t")
    return play_over_wire(URL, lambda prompt, _: prompt.default, name="Ada", stream=stream, **more)


@pytest.mark.parametrize("code", ["stale_prompt", "not_asked", "over"])
async def test_the_game_went_on(code):
    """A decision that came too late is nothing to worry about: the bot plays on."""

    async def script(self):
        await self.seat()
        await self.tell(m.Asked(n=0, prompt=PROMPT))
        decide = await self.hear()
        await self.tell(m.Answered(command=decide.command, ok=False, code=code))
        await self.tell(m.Over(n=0, winner=1, reason="concede"))
        await self.socket.wait_closed()

    async with server(script) as stream:
        played = await play(stream)

    assert (played.over.reason, played.decisions, played.seat) == ("concede", 0, 0)


async def test_any_other_refusal():
    """A refusal for any other reason is the bot's fault, and is raised."""

    async def script(self):
        await self.seat()
        await self.tell(m.Asked(n=0, prompt=PROMPT))
        decide = await self.hear()
        await self.tell(m.Answered(command=decide.command, ok=False, code="does_not_fit"))
        await self.socket.wait_closed()

    async with server(script) as stream:
        with pytest.raises(Refused):
            await play(stream)


async def test_the_connection_ends():
    """A bot whose connection ends tells how, and that there is no result."""

    async def script(self):
        await self.seat()
        await self.socket.aclose(1012, "restart")

    heard = []
    async with server(script) as stream:
        played = await play(stream, on_event=heard.append)

    assert played.over is None
    assert played.ended == heard[-1] == Ended(1012, "restart", retry=True)


async def test_its_own_table():
    """A bot that is to join none opens a table as it is told, in the seat that it is told."""
    wishes = []

    async def script(self):
        await self.welcome()
        wishes.append(await self.hear())
        await self.tell(m.Answered(command=wishes[0].command, ok=False, code="server_full"))
        await self.socket.wait_closed()

    opening = Opening(ruleset="toy", seats=(m.SeatWish(),) * 3, options={"heap": 5})
    async with server(script) as stream:
        with pytest.raises(Refused):
            await play(stream, at=opening, seat=2)

    assert (wishes[0].ruleset, len(wishes[0].seats), wishes[0].sit) == ("toy", 3, 2)
    assert wishes[0].options == {"heap": 5}
