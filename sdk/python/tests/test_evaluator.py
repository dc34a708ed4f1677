"""What the vectors cannot show: Python's own values, and documents that are none."""

from __future__ import annotations

import enum
import json
import math
import random
import struct
from datetime import date, datetime, timedelta, timezone
from decimal import Decimal
from fractions import Fraction
from typing import Any
from uuid import UUID

import pytest
from documents import document, flag, rule

from flagstone import (
    Evaluation,
    Evaluator,
    UnknownFlagError,
    UnknownOperatorError,
    _expressions,
    document_of_values,
)
from flagstone._expressions import expression_size


def matches(operator: str, operand: str, value: object) -> bool:
    """Whether an attribute matches."""
    evaluator = Evaluator(document(flag("f", False, rule(operator, operand, True))))
    return evaluator.evaluate("f", {"x": value}).value is True


class Plan(str, enum.Enum):
    PRO = "pro"


class Level(enum.IntEnum):
    HIGH = 3


MOMENT = datetime(2026, 1, 31, 13, 0, 0, 999, tzinfo=timezone(timedelta(hours=1)))
"""12:00 in UTC, and 999 microseconds, which are cut off."""

EARLIEST = datetime.min.replace(tzinfo=timezone(timedelta(hours=1)))
LATEST = datetime.max.replace(tzinfo=timezone(timedelta(hours=-1)))
"""In UTC they are in the years 0 and 10000, which Python does not have."""


@pytest.mark.parametrize(
    ("operator", "operand", "value", "expected"),
    [
        ("equals", "2026-01-31T12:00:00.000Z", MOMENT, True),
        ("after", "2026-01-31T12:00:00Z", MOMENT, False),
        ("afterOrEquals", "2026-01-31T12:00:00Z", MOMENT, True),
        ("before", "2026-01-31T12:00:00.001Z", MOMENT, True),
        ("before", "1970-01-01", datetime(1969, 12, 31, 23, 59, 59, 999_999, tzinfo=timezone.utc), True),
        ("before", "9999-12-31", MOMENT.replace(tzinfo=None), False),
        ("exists", "", MOMENT.replace(tzinfo=None), True),
        ("notEquals", "a", MOMENT.replace(tzinfo=None), False),
        ("greaterThan", "0", MOMENT, False),
        ("after", "0001-01-01", EARLIEST, False),
        ("before", "0001-01-01", EARLIEST, True),
        ("after", "9999-12-31T23:59:59.999Z", LATEST, True),
        ("notEquals", "a", EARLIEST, False),
        ("notEquals", "a", LATEST, False),
        ("percentage", "100", LATEST, False),
        ("equals", "00000000-0000-0000-0000-000000000005", UUID(int=5), True),
        ("percentage", "100", UUID(int=5), True),
        ("greaterThan", "0", UUID(int=5), False),
        ("in", '["1.5"]', [Decimal("1.50")], True),
        ("greaterThan", "1", Decimal("1.50"), True),
        ("equals", "NaN", Decimal("nan"), True),
        ("equals", "NaN", Decimal("snan"), False),
        ("equals", "0.5", Fraction(1, 2), True),
        ("equals", "Infinity", Fraction(10**400), True),
        ("equals", "2026-01-31T00:00:00.000Z", date(2026, 1, 31), True),
        ("afterOrEquals", "2026-01-31", date(2026, 1, 31), True),
        ("after", "2026-01-31", date(2026, 1, 31), False),
        ("greaterThan", "0", date(2026, 1, 31), False),
        ("after", "2026-01-01", datetime(2026, 1, 31), False),
        ("equals", "pro", Plan.PRO, True),
        ("in", '["pro"]', Plan.PRO, True),
        ("inIgnoreCase", '["PRO"]', [Plan.PRO], True),
        ("equals", "3", Level.HIGH, True),
        ("greaterThan", "2", Level.HIGH, True),
        ("equals", "1", True, False),
        ("equals", "true", True, True),
        ("greaterThan", "0", True, False),
        ("after", "1969-01-01", True, False),
        ("contains", "a", ("b", "a"), True),
        ("in", '["a"]', {"a", "b"}, True),
        ("notIn", '["c"]', frozenset("ab"), True),
        ("equals", "a", b"a", False),
        ("exists", "", b"a", True),
        ("equals", "9007199254740992", 2**53 + 1, True),
        ("equals", "1e+21", 10**21, True),
        ("equals", "100000000000000000000", 10**20, True),
        ("equals", "Infinity", 10**400, True),
        ("greaterThan", "1e308", 10**400, True),
        ("lessThan", "0", -(10**400), True),
        ("equals", "NaN", math.nan, True),
        ("greaterThan", "0", math.nan, False),
        ("before", "2026-01-01", math.nan, False),
        ("after", "2026-01-01", math.inf, True),
        ("matches", "<a><a>", "<a><a>", True),
        ("semverGreaterThan", "1." + "9" * 5_000, "1.1" + "0" * 5_000, True),
        ("share", '{"seed":"s","from":0,"to":100,"note":' + "9" * 5_000 + "}", "a", True),
        ("equals", "x", "\ud83d", False),
        ("percentage", "100", "\ud83d", True),
    ],
)
def test_value(operator: str, operand: str, value: object, *, expected: bool) -> None:
    assert matches(operator, operand, value) is expected


@pytest.mark.parametrize(
    ("operator", "operand"),
    [
        ("in", "NaN"),
        ("in", '["a"'),
        ("in", "[" * 100_000),
        ("all", "[" * 100_000),
        ("share", '{"seed":"s","from":0,"to":1e2,}'),
        ("share", '{"seed":"s","from":0,"to":true}'),
        ("share", '{"seed":"s","from":0,"to":"100"}'),
        ("share", '{"seed":"s","from":0,"to":' + "9" * 5_000 + "}"),
        ("share", '{"seed":"s","from":NaN,"to":100}'),
        ("percentage", "\u0661"),
        ("greaterThan", "\u0660"),
        ("greaterThan", "0\n"),
        ("before", "2026-01-01\n"),
        ("semverEquals", "1.*\n"),
        ("matches", r"^\C"),
        ("matches", "("),
        ("notMatches", "(?P<n>a)(?<n>b)"),
        ("matches", "a{1001}"),
        ("matches", "(?:a{100}){11}"),
    ],
)
def test_operand_that_cannot_be_read(operator: str, operand: str) -> None:
    other = rule("always", "", "next")
    evaluator = Evaluator(document(flag("f", "default", rule(operator, operand, "wrong"), other)))
    assert evaluator.evaluate("f", {"x": "1"}).value == "next"


def test_logs_once_that_no_comparison_matches_a_type(caplog: pytest.LogCaptureFixture) -> None:
    class Basket:
        pass

    values: list[object] = [Basket(), [Basket()], {"a": 1}, None, True, datetime(2026, 1, 31), [{}], [[]]]
    for value in values * 2:
        for operator, operand in (
            ("equals", "a"),
            ("after", "2026-01-01"),
            ("lessThan", "1"),
            ("exists", ""),
        ):
            matches(operator, operand, value)
    ours = [message for message in caplog.messages if "Basket" in message or "datetime" in message]
    which = "no comparison matches an attribute of the type"
    where = f"{__name__}.{test_logs_once_that_no_comparison_matches_a_type.__name__}"
    assert caplog.messages == ours
    assert f"{which} {where}.<locals>.Basket" in ours
    assert len(ours) == len(set(ours))


def test_text_of_a_number_gives_the_number_back() -> None:
    generator = random.Random(1)
    for _ in range(2_000):
        (number,) = struct.unpack("<d", generator.randbytes(8))
        if math.isfinite(number):
            text = json.dumps([json.loads(repr(number))])[1:-1]
            assert matches("greaterThanOrEquals", text, number)
            assert matches("lessThanOrEquals", text, number)


def test_evaluation_says_why() -> None:
    evaluator = Evaluator(document(flag("f", 1, rule("equals", "a", 2)), flag("g", 1, enabled=None)))
    assert evaluator.evaluate("f", {"x": "a"}) == Evaluation(2, "rule", "by-equals")
    assert evaluator.evaluate("f", {}) == Evaluation(1, "default", None)
    assert evaluator.evaluate("g", {}) == Evaluation(1, "unconfigured", None)
    with pytest.raises(UnknownFlagError, match="Flag not found"):
        evaluator.evaluate("h", {})


def test_operator_of_the_project() -> None:
    nested = json.dumps([{"attribute": "", "operator": "isNear", "value": ""}])
    evaluator = Evaluator(document(flag("f", 1, rule("any", nested, 2))))
    with pytest.raises(
        UnknownOperatorError, match="Rule by-any decides by the operator isNear, which only the"
    ):
        evaluator.evaluate("f", {})


def test_expressions_cannot_be_known_without_their_engine(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_expressions, "_re2", None)
    evaluator = Evaluator(document(flag("f", 1, rule("notMatches", "a", 2))))
    with pytest.raises(UnknownOperatorError, match=r"pip install 'flagstone\[re2\]'"):
        evaluator.evaluate("f", {})


def test_groups_with_expressions_cannot_be_known_without_their_engine(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(_expressions, "_re2", None)
    parts = [
        {"attribute": "x", "operator": operator, "value": "("} for operator in ("equals", "isNear", "matches")
    ]
    evaluator = Evaluator(document(flag("f", 1, rule("any", json.dumps(parts), 2))))
    with pytest.raises(UnknownOperatorError, match=r"operator matches, .* 'flagstone\[re2\]'"):
        evaluator.evaluate("f", {"x": "("})


def test_expressions_that_are_too_large_for_the_engine_cannot_be_known() -> None:
    evaluator = Evaluator(document(flag("f", 1, rule("matches", r"\pL{500}", 2))))
    with pytest.raises(UnknownOperatorError):
        evaluator.evaluate("f", {"x": "a"})


@pytest.mark.parametrize(
    ("source", "size"),
    [
        ("", 2),
        ("a", 3),
        (r"\p{L}", 3),
        ("[a-z]{1,250}", 501),
        ("(a|b)*", 8),
        (r"\Qa.b\E", 5),
        ("(?i)a", 3),
        ("(?:ab)+", 5),
        ("a{2,}", 5),
    ],
)
def test_expression_size(source: str, size: int) -> None:
    assert expression_size(source) == size


def test_expressions_of_a_flag_have_a_limit_together() -> None:
    rules = [rule("matches", f"{letter}|" + "x" * 990, letter) for letter in "abcdef"]
    evaluator = Evaluator(document(flag("f", "none", *rules)))
    assert [evaluator.evaluate("f", {"x": letter}).value for letter in "abcdef"] == [*"abcde", "none"]


@pytest.mark.parametrize("given", [None, [], "{}", {"flags": None}])
def test_document_that_is_none(given: Any) -> None:
    with pytest.raises(ValueError, match="flags"):
        Evaluator(given)


def test_document_of_values() -> None:
    evaluator = Evaluator(document_of_values({"b": True, "a": {"n": [1]}}))
    assert evaluator.evaluate("a", {}) == Evaluation({"n": [1]}, "unconfigured", None)
    assert evaluator.evaluate("b", {}).value is True


@pytest.mark.parametrize(
    ("operator", "operand", "value"),
    [
        ("semverEquals", "1", "1." * 500_000 + "!"),
        ("semverEquals", "1", "1-" + "a." * 500_000 + "!"),
        ("semverLessThan", "1", "9" * 1_000_000),
        ("greaterThan", "1", "9" * 1_000_000),
        ("before", "2026-01-01", "2026-01-01T00:00:00." + "9" * 1_000_000 + "!"),
        ("matches", "(a*)*b", "a" * 1_000_000),
        ("containsIgnoreCase", "b", "A" * 1_000_000),
    ],
)
def test_long_texts_are_read(operator: str, operand: str, value: str) -> None:
    assert matches(operator, operand, value) is (operator == "greaterThan")
