"""The tables of codes."""

import pytest

from longfuse_protocol.errors import (
    CLOSES,
    CODE_TEXTS,
    CloseCode,
    Code,
    Malformed,
    OutOfOrder,
    TooLarge,
)

NO, YES = False, True
RELEASED_CLOSES = {
    **{1000: NO, 1001: YES, 1002: NO, 1003: NO, 1005: YES, 1006: YES, 1007: NO, 1008: NO},
    **{1009: NO, 1011: YES, 1012: YES, 1013: YES, 1014: YES, 4001: NO, 4002: NO},
}


def test_every_code_is_explained():
    """Each error code and each close code has its sentence, and there are no others."""
    assert set(CODE_TEXTS) == set(Code)
    assert set(CLOSES) == set(CloseCode)
    assert all(text.endswith(".") for text in CODE_TEXTS.values())


@pytest.mark.parametrize(
    ("error", "code"),
    [(Malformed, "malformed"), (TooLarge, "too_large"), (OutOfOrder, "out_of_order")],
)
def test_errors_carry_their_code(error, code):
    """A wire error has code, field and text as attributes."""
    raised = error("what is wrong", field="$.x")

    assert (raised.code, raised.field, raised.text) == (code, "$.x", "what is wrong")


def test_who_may_try_again():
    """A client may come back after a restart, a fault or a break, not after breaking a rule.

    What is released stays as it is within the version: an old client goes by it.
    """
    assert {int(code): close.retry for code, close in CLOSES.items()} == RELEASED_CLOSES
