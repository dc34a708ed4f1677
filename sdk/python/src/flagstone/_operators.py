"""The operators: how each reads its operand, and what it matches. docs/evaluation.md defines them."""

from __future__ import annotations

import operator
import re
import struct
from collections.abc import Callable
from hashlib import sha256
from typing import Any, TypeAlias, TypeVar, cast

from ._document import read_json
from ._expressions import Expressions, UnreadableError, utf8
from ._values import first_numbers, is_list, moment_of, number_of, range_of, text_of, version_of

T = TypeVar("T")
Test: TypeAlias = Callable[[object], bool]
"""Whether an attribute that is not missing matches."""
TextTest: TypeAlias = Callable[[str], bool]
Compare: TypeAlias = Callable[[Any, Any], bool]

EXPRESSIONS = ("matches", "notMatches")
SHARES = ("percentage", "share")


def compile_test(name: str, operand: str, flag_key: str, expressions: Expressions) -> Test | None:
    """An operator with its operand; None if it cannot be known. Raises UnreadableError."""
    if name in EXPRESSIONS:
        found = expressions.compile(operand)
        return found and (_any_text if name == "matches" else _no_text)(found)
    if name == "percentage":
        return _percentage(operand, flag_key)
    positive = _NEGATIONS.get(name.removesuffix("IgnoreCase"), name.removesuffix("IgnoreCase"))
    if positive in _ON_TEXTS:
        read = _ON_TEXTS[positive]
        test = _ignoring_case(read, operand) if name.endswith("IgnoreCase") else read(operand, str)
        return (_any_text if name.startswith(positive) else _no_text)(test)
    compile_operator = _OPERATORS.get(name)
    return compile_operator and compile_operator(operand)


def read_operand(operand: str) -> object:
    """An operand that is JSON. Raises UnreadableError."""
    try:
        return read_json(operand)
    except ValueError:
        raise UnreadableError from None


def _any(read: Callable[[object], T | None], test: Callable[[T], bool]) -> Test:
    """A positive operator: the attribute matches, or any element if it is a list."""

    def matches(value: object) -> bool:
        found = read(value)
        return found is not None and test(found)

    return lambda value: any(map(matches, value)) if is_list(value) else matches(value)


def _any_text(test: TextTest) -> Test:
    matches = _any(text_of, test)
    return lambda value: test(value) if type(value) is str else matches(value)


def _no_text(test: TextTest) -> Test:
    """A negation: what has no text matches neither operator, and a list if none of its elements does."""
    any_text = _any_text(test)
    return lambda value: (is_list(value) or text_of(value) is not None) and not any_text(value)


# Operators on texts read their operand with a function that folds each of its texts.


def _ignoring_case(read: Callable[[str, Callable[[str], str]], TextTest], operand: str) -> TextTest:
    test = read(operand, _fold_case)
    return lambda text: test(_fold_case(text))


def _fold_case(text: str) -> str:
    return text.translate(_LOWER)


_LOWER = {letter: letter + 32 for letter in range(ord("A"), ord("Z") + 1)}


def _equals(operand: str, fold: Callable[[str], str]) -> TextTest:
    return fold(operand).__eq__


def _in(operand: str, fold: Callable[[str], str]) -> TextTest:
    texts = read_operand(operand)
    if not isinstance(texts, list) or not all(isinstance(text, str) for text in cast("list[object]", texts)):
        raise UnreadableError
    return frozenset(map(fold, cast("list[str]", texts))).__contains__


def _on_part(compare: Callable[[str, str], bool]) -> Callable[[str, Callable[[str], str]], TextTest]:
    def read(operand: str, fold: Callable[[str], str]) -> TextTest:
        part = fold(operand)
        if re.search("[\ud800-\udfff]", part):  # half a pair of surrogates, which may be part of a pair
            return lambda text: compare(_halves(text), _halves(part))
        return lambda text: compare(text, part)

    return read


def _halves(text: str) -> str:
    units = struct.iter_unpack("<H", text.encode("utf-16-le", "surrogatepass"))
    return "".join(chr(unit) for (unit,) in units)


_ON_TEXTS = {
    "equals": _equals,
    "contains": _on_part(operator.contains),
    "startsWith": _on_part(str.startswith),
    "endsWith": _on_part(str.endswith),
    "in": _in,
}
_NEGATIONS = {"notEquals": "equals", "notContains": "contains", "notIn": "in"}


def _ordered(read: Callable[[object], float | None], compare: Compare) -> Callable[[str], Test]:
    def compile_operator(operand: str) -> Test:
        limit = read(operand)
        if limit is None:
            raise UnreadableError
        return _any(read, lambda value: compare(value, limit))

    return compile_operator


def _version(compare: Compare) -> Callable[[str], Test]:
    return lambda operand: _any(version_of, _version_test(operand, compare))


def _version_test(operand: str, compare: Compare) -> Callable[[Any], bool]:
    versions, version = range_of(operand), version_of(operand)
    if versions is not None:
        count, numbers = versions
        return lambda version: compare(first_numbers(version, count), numbers)
    if version is None:
        raise UnreadableError
    return lambda other: compare(other, version)


def _other_version(operand: str) -> Test:
    """Unlike other negations it needs a version: the attribute, or an element unless the list is empty."""
    equals = _any(version_of, _version_test(operand, operator.eq))
    is_version = _any(version_of, lambda _: True)
    return lambda value: (is_version(value) or (is_list(value) and not value)) and not equals(value)


def _percentage(operand: str, flag_key: str) -> Test:
    if not re.fullmatch(r"[0-9]+(?:\.[0-9]+)?", operand):
        raise UnreadableError
    return _in_share(flag_key, 0, float(operand))


def _share(operand: str) -> Test:
    members = read_operand(operand)
    if not isinstance(members, dict):
        raise UnreadableError
    seed, low, high = map(cast("dict[str, object]", members).get, ("seed", "from", "to"))
    if not isinstance(seed, str) or isinstance(low, str) or isinstance(high, str):
        raise UnreadableError
    return _in_share(seed, number_of(low), number_of(high))


def _in_share(seed: str, low: float | None, high: float | None) -> Test:
    if low is None or high is None or not 0 <= low <= high <= 100:
        raise UnreadableError
    start, end = low * 2.0**32, high * 2.0**32

    def test(value: object) -> bool:
        text = text_of(value)
        bucket = int.from_bytes(sha256(utf8(f"{seed}:{text}")).digest()[:4], "big")
        return bool(text) and start <= bucket * 100 < end

    return test


_OPERATORS: dict[str, Callable[[str], Test]] = {
    "greaterThan": _ordered(number_of, operator.gt),
    "greaterThanOrEquals": _ordered(number_of, operator.ge),
    "lessThan": _ordered(number_of, operator.lt),
    "lessThanOrEquals": _ordered(number_of, operator.le),
    "before": _ordered(moment_of, operator.lt),
    "beforeOrEquals": _ordered(moment_of, operator.le),
    "after": _ordered(moment_of, operator.gt),
    "afterOrEquals": _ordered(moment_of, operator.ge),
    "semverEquals": _version(operator.eq),
    "semverNotEquals": _other_version,
    "semverGreaterThan": _version(operator.gt),
    "semverGreaterThanOrEquals": _version(operator.ge),
    "semverLessThan": _version(operator.lt),
    "semverLessThanOrEquals": _version(operator.le),
    "share": _share,
}
