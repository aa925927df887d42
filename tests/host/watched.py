"""Tables that are watched, for tests of spectators."""

from host.lines import come, create, decide
from longfuse_protocol import messages as m


async def watched(rig, *names, options=None, **terms):
    """Return two who play, and people who have watched the table since before the game."""
    ada, bob, *others = await come(rig, "Ada", "Bob", *names)
    await ada.say(create(terms=m.Terms(**terms), options=options))
    table = (await ada.until(m.Joined)).place.info.table
    for one in others:
        await one.say(m.Spectate(command="w", table=table))
        await one.rest()
    await bob.say(m.Join(command="j", table=table))
    await bob.rest()
    await ada.rest()
    return ada, bob, *others


async def everything(rig, ada, bob):
    """Let everything happen at a table that others may hear of."""
    await bob.say(m.Say(command="s", text="good luck"))
    await ada.say(decide(rig.factory.games[0].open_prompt, "d1"))
    await bob.rest()
    await ada.rest()
    await bob.cut()
    await bob.come_back()
    await bob.rest()
    await ada.rest()
    await bob.say(m.MakeOffer(command="o", kind="pause"))
    await bob.rest()
    await ada.say(m.Respond(command="r", kind="pause", accept=True))
    await ada.rest()
    await bob.say(m.Unpause(command="u"))
    await bob.rest()
    await bob.say(m.Concede(command="c"))
    await bob.rest()
    await ada.rest()
