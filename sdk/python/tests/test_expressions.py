from __future__ import annotations

import math
import time

import pytest

from flagstone._expressions import _is_known_elsewhere, expression_size  # pyright: ignore[reportPrivateUsage]

LINEAR = 8
"""The most that `growth` may be of what is linear: halfway, in powers, from 4 to 16."""


def growth(beginning: str, length: int) -> float:
    """How many times as long it takes to read an expression of four times the length.

    That is about 4 if it is linear, 16 if it is quadratic. Others on the machine only add time, so each
    side is the least of many short rounds, and of more while it does not look linear. What is linear has
    rounds of the same length on both sides, so that they are as likely to be interrupted.
    """
    short, long = ((beginning * many)[:many] for many in (length, 4 * length))
    least_short = least_long = math.inf
    for done in range(40):
        if done >= 7 and 4 * least_long <= LINEAR * least_short:
            break
        least_short = min(least_short, timed(short, 4))
        least_long = min(least_long, timed(long, 1))
    return 4 * least_long / least_short


def timed(source: str, calls: int) -> float:
    start = time.perf_counter()
    for _ in range(calls):
        expression_size(source)
        _is_known_elsewhere(source)
    return time.perf_counter() - start


@pytest.mark.parametrize(
    "beginning",
    [
        *(
            "[[:a",
            "[:",
            "[[:x:",
            "[[:alpha:]",
            "[",
            "[]",
            "[^]",
            "[\\",
            "\\",
            r"\p{",
            r"[\p{",
            r"\pC",
            r"[\P{C}",
            r"\x{",
            r"\Q",
        ),
        *("(", "(?", "(?i", "(?<", "(?P<a", "(?<a>", "{1", "{1,", "a{1,", "*", "😀"),
    ],
)
def test_reading_an_expression_is_linear(beginning: str) -> None:
    assert growth(beginning, 1_000) <= LINEAR
