"""The program on the protocol's page plays a whole game, as it stands there."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
import trio

import longfuse_protocol
from longfuse.cli.running import open_server
from longfuse.config import Config
from longfuse.rulesets import catalogue
from longfuse_protocol import client as reference
from longfuse_protocol import messages as m

PAGE = (Path(longfuse_protocol.__file__).parents[1] / "README.md").read_text(encoding="utf-8")
GAME_S = 120


@pytest.mark.realtime
@pytest.mark.slow
@pytest.mark.parametrize("ruleset", catalogue.names())
async def test_the_reference_client_s_example(ruleset: str, monkeypatch) -> None:
    """With a ruleset named and the server's address put in, it ends with the game."""
    (code,) = re.findall(r"^```python client\n(.*?)^```$", PAGE, re.DOTALL | re.MULTILINE)
    seen: list[m.ServerMessage] = []
    open_client = reference.open_client
    monkeypatch.setattr(
        reference, "open_client", lambda url, **given: open_client(url, tap=seen.append, **given)
    )
    async with open_server(Config(port=0)) as running:
        code = code.replace("RULESET", ruleset).replace(":8787/", f":{running.port}/")
        names: dict[str, object] = {"__name__": "page"}
        exec(compile(code, "README.md", "exec"), names)
        with trio.fail_after(GAME_S):
            await names["main"]()
        running.drain()

    assert [type(message) for message in seen[-2:]] == [m.Answered, m.Left]
    assert sum(isinstance(message, m.Over) for message in seen) == 1
