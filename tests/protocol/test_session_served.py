"""The session's table is what a server goes by: each message of a client, in each state at rest."""

import msgspec
import pytest

from host.lines import Line
from host.rig import open_rig
from longfuse_protocol import messages as m
from longfuse_protocol.errors import Code
from longfuse_protocol.session import TRANSITIONS, State, event_of
from protocol.test_session import ONE_OF_EACH

FROM_CLIENTS = [each for each in ONE_OF_EACH.values() if isinstance(each, m.ClientMessage)]
ANSWERS = (m.Answered, m.Failed, m.Cards, m.Replayed)
OPEN = m.Create(command="open", ruleset="toy", seats=(m.SeatWish(),) * 2)


async def in_state(rig, state, table):
    """Return a connection whose session rests in a state."""
    line = Line(rig)
    if state is State.NEW:
        await line._raw.handshake()
        return line
    await line.open(m.Hello(name="Ada"))
    if state is State.PAIRING:
        await line.say(m.Pair(command="wait", ruleset="toy", deck="of its own"))
    elif state is State.SEATED:
        await line.say(OPEN)
    elif state is State.WATCHING:
        await line.say(m.Spectate(command="look", table=table))
    await line.rest()
    return line


async def open_table(rig):
    """Open a table to be watched, and return its id."""
    line = await in_state(rig, State.SEATED, "")
    return next(each for each in line.heard if isinstance(each, m.Joined)).place.info.table


@pytest.mark.parametrize(
    "state",
    [State.NEW, State.LOBBY, State.PAIRING, State.SEATED, State.WATCHING],
    ids=lambda state: state.value,
)
async def test_each_message(state):
    """What the table does not list is told with its id and changes nothing; what it lists is not.

    A command gets exactly one answer either way.
    """
    illegal = 0
    async with open_rig() as rig:
        table = await open_table(rig)
        for number, message in enumerate(FROM_CLIENTS):
            line = await in_state(rig, state, table)
            command = getattr(message, "command", "")
            if command:
                command = f"number {number}"
                message = msgspec.structs.replace(message, command=command)
            await line.say(message)
            heard = await line.rest()

            wrong = [each for each in heard if getattr(each, "code", "") == Code.OUT_OF_ORDER]
            if event_of(message) in TRANSITIONS[state]:
                assert wrong == [], message
            else:
                illegal += 1
                assert heard == wrong, message
                assert [each.command for each in wrong] == [command], message
            if command:
                answers = [each for each in heard if isinstance(each, ANSWERS)]
                assert [each.command for each in answers] == [command], message
            await line.say(m.Ping(nonce=number))
            assert isinstance((await line.rest())[-1], m.Pong), message
            await line.cut()

    assert illegal > 0
