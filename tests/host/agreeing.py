"""Two who play, and what one of them says to the other by the server: for tests of matches."""

from longfuse_protocol import messages as m


def prompt_of(rig):
    return rig.factory.games[-1].open_prompt


def infos(messages):
    return [message.info for message in messages if isinstance(message, m.TableChanged)]


def answer(messages):
    [answered] = [message for message in messages if isinstance(message, m.Answered)]
    return answered


async def act(somebody, others, *messages):
    """Let somebody say something at once, and return what each hears of it."""
    await somebody.say(*messages)
    return [await one.rest() for one in (somebody, *others)]


async def offer(somebody, other, kind, command="offer"):
    return await act(somebody, [other], m.MakeOffer(command=command, kind=kind))


async def respond(somebody, other, kind, *, accept=True, command="respond"):
    return await act(somebody, [other], m.Respond(command=command, kind=kind, accept=accept))


async def concede(somebody, other, command="concede"):
    return await act(somebody, [other], m.Concede(command=command))


async def ready(ada, bob, command="ready"):
    for somebody, other in ((ada, bob), (bob, ada)):
        heard = await act(somebody, [other], m.Ready(command=command))
    return heard
