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
    """A client may come back after a restart, a fault or a break, not after breaking a rule."""
    assert {code for code, close in CLOSES.items() if close.retry} == {1001, 1006, 1011, 1012}
