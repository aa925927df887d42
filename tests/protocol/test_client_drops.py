"""A game whose connection is cut at every frame of it, before and after: nothing shows."""

import itertools

import trio
from hypothesis import given
from hypothesis import strategies as st

from longfuse_protocol import messages as m
from longfuse_protocol.client import Retry
from protocol.honest import KINDS, PROMPTS, open_honest
from protocol.player import Player

PATIENT = Retry(first=True, tries=100, within_s=1_000)


async def play(cuts):
    """Play the game over connections that are cut, and check all that can be seen of it."""
    async with open_honest(cuts) as (honest, here):
        async with here.client(retry=PATIENT) as ada:
            player = Player(ada, lambda: ada.join("t"))
            with trio.fail_after(600):
                await player.play()
            digest, n = ada.mirror.digest, ada.mirror.n

        assert honest.effects == list(range(1, PROMPTS + 1))
        assert player.decided == honest.effects
        views = [event for event in player.told if isinstance(event, m.Snapshot | m.Events)]
        # Who never heard that it has a place can't name its stream: that begins with a whole view.
        start = views.pop(0).n if isinstance(views[0], m.Snapshot) else 0
        assert views == honest.frames[start:]
        assert (n, digest) == (len(honest.frames), honest.running.hex())
        commands = [one for one in honest.heard if isinstance(one, m.Decide)]
        assert {one.prompt for one in commands} == set(honest.effects)
        return honest, here


async def test_cut_at_every_frame():
    """Wherever one frame is cut, each decision has one effect, and each frame is told once."""
    cut = dict.fromkeys(KINDS, 0)
    for kind in KINDS:
        for number in itertools.count(1):
            honest, here = await play({number: kind})
            assert len(here.dialled_at) <= 2
            cut[kind] += not honest.cuts
            if number > honest.passed:
                break

    from_client, from_server = cut["lost"], cut["said"]
    assert cut == dict(zip(KINDS, (from_client,) * 2 + (from_server,) * 2, strict=True))
    assert (from_client, from_server) >= (PROMPTS + 3, 2 * PROMPTS + 5)


@given(
    cuts=st.dictionaries(st.integers(1, 60), st.sampled_from(KINDS), max_size=12),
)
async def test_cut_again_and_again(cuts):
    """However often it is cut, also while it comes back, the game is played as without."""
    await play(cuts)
