"""Text that others are shown: it controls no terminal, and turns no direction of writing."""

import re
import unicodedata

import pytest

from longfuse_protocol.fields import SHOWN

TURNS = [
    *(chr(code) for code in (0x061C, 0x200E, 0x200F)),
    *map(chr, range(0x202A, 0x202F)),
    *map(chr, range(0x2066, 0x2070)),
]
"""What Unicode calls control of direction, and the old signs beside it."""


@pytest.mark.parametrize("sign", TURNS, ids=lambda sign: f"{ord(sign):04x}")
def test_no_turning(sign):
    """What turns the direction of writing is not taken, wherever it stands."""
    assert not any(
        re.fullmatch(SHOWN, text) for text in (sign, f"{sign}a", f"a{sign}", f"a{sign}b")
    )


def test_no_control():
    """No control character is taken, nor what begins a new line."""
    wrong = [
        chr(code)
        for code in range(0x11_0000)
        if unicodedata.category(chr(code)) in ("Cc", "Zl", "Zp")
    ]

    assert len(wrong) == 67
    assert not any(re.fullmatch(SHOWN, f"a{sign}b") for sign in wrong)


@pytest.mark.parametrize("text", ["", "Zoé ♥", "שָׁלוֹם", "مرحبا", "नमस्\u200dते", "👩\u200d🚀", "ไทย"])
def test_any_script(text):
    """What people write is taken, joiners of letters and of signs among it."""
    assert re.fullmatch(SHOWN, text)
