"""Words that only a later server knows: `longfuse play` and `tables` show them as they are."""

from __future__ import annotations

from types import SimpleNamespace

from longfuse.cli.play_agreeing import Agreeing
from longfuse.cli.terms import told_clock, told_terms
from longfuse_protocol.messages import Offer, OfferEnded, Offers, ShownClockTerms, ShownTerms


def test_terms() -> None:
    """Each is told with the server's own word."""
    assert told_clock(ShownClockTerms(kind="hourglass", out="draws")) == (
        "clock hourglass, running out draws"
    )
    told = told_terms(ShownTerms(watch="friends", take_back="twice", best_of=5))
    assert "best of 5" in told
    assert "watched: friends" in told
    assert "taken back: twice" in told


async def test_an_offer() -> None:
    """It is told, with how it ends; it is not among what can be accepted."""
    said: list[str] = []
    screen = SimpleNamespace(aside=lambda text, _: said.append(text), line=said.append)
    book = SimpleNamespace(seat=0, player=lambda seat: f"Player {seat}")
    desk = SimpleNamespace(screen=screen, book=book, prompt=None)
    client = SimpleNamespace(local_time=lambda at_ms: at_ms / 1_000)
    agreeing = Agreeing(client, desk, ())
    offer = Offer(kind="tea", by=1, accepted=(1,), until_ms=10_000)

    agreeing.hear(Offers(offers=(offer,)))
    await agreeing.words["accept"]("")
    agreeing.hear(Offers(offers=(), ended=(OfferEnded(kind="tea", how="drunk"),)))

    assert "Player 1 offers tea" in said[0]
    assert "cannot answer" in said[0]
    assert said[1:] == ["Nothing is on offer.", "No longer on offer: tea."]
