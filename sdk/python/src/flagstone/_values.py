"""What operators read attributes as: texts, numbers, moments and versions."""

from __future__ import annotations

import logging
import math
import re
from collections.abc import Collection, Mapping
from contextlib import suppress
from datetime import date, datetime, timedelta, timezone
from decimal import Decimal
from numbers import Real
from typing import TypeAlias, TypeGuard, cast
from uuid import UUID

LISTS = (list, tuple, set, frozenset)


def is_list(value: object) -> TypeGuard[Collection[object]]:
    """Whether a value is a list, of which operators compare each element."""
    return isinstance(value, LISTS)


def text_of(value: object) -> str | None:
    """The text of a string, a boolean, a number, a UUID, a date or a datetime with a time zone."""
    if isinstance(value, str):
        # An enumeration's members may be strings, with a format and an equality of their own.
        return str.__str__(value)
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (int, float)):
        return _number_text(double(value))
    if isinstance(value, datetime) and value.utcoffset() is not None:
        with suppress(OverflowError):  # In UTC it may be in the year 0 or 10000, which has no text.
            return value.astimezone(timezone.utc).isoformat(timespec="milliseconds")[:-6] + "Z"
        return None
    counted = _counted(value)
    return text_of(counted) if counted is not None else None


def _counted(value: object) -> str | float | datetime | None:
    """What a value of a type that JSON lacks counts as. A type that counts as nothing is logged once."""
    if value is None or isinstance(value, (bool, int, float, dict, *LISTS)):
        return None
    if isinstance(value, UUID):
        return str(value)
    if isinstance(value, datetime):
        if value.utcoffset() is not None:
            return None
    elif isinstance(value, date):
        return datetime(value.year, value.month, value.day, tzinfo=timezone.utc)
    elif isinstance(value, (Decimal, Real)):
        with suppress(ValueError):  # a signaling NaN
            return double(cast("float", value))
    if not isinstance(value, Mapping) and type(value) not in _logged:
        _logged.add(type(value))
        zone = " without a time zone" if isinstance(value, datetime) else ""
        kind = f"{type(value).__module__}.{type(value).__qualname__}"  # numpy has a bool, too
        _logger.warning("no comparison matches an attribute of the type %s%s", kind, zone)
    return None


_logger = logging.getLogger("flagstone")
_logged: set[type] = set()


def number_of(value: object) -> float | None:
    """The double of a number, or of a string that is a decimal number."""
    if isinstance(value, str):
        return float(value) if _DECIMAL.fullmatch(value) else None
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        return double(value)
    counted = _counted(value)
    return counted if isinstance(counted, float) else None


_DECIMAL = re.compile(r"-?[0-9]+(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?")


def double(number: float) -> float:
    """The double of a number, which may be an integer of any size."""
    try:
        return float(number)
    except OverflowError:  # Beyond the largest double there is infinity.
        return math.inf if number > 0 else -math.inf


def _number_text(number: float) -> str:
    """What ECMAScript's Number::toString writes; `repr` finds the same digits."""
    if not math.isfinite(number):
        return repr(number).replace("nan", "NaN").replace("inf", "Infinity")
    text = repr(number or 0.0).removesuffix(".0")  # minus zero is 0, too
    if 1e-6 <= abs(number) < 1e21:
        return f"{Decimal(text):f}"
    return re.sub(r"e([+-])0", r"e\1", text)


def moment_of(value: object) -> float | None:
    """Milliseconds since 1970, of a number of these, an RFC 3339 string or a datetime with a time zone."""
    if isinstance(value, str):
        return _parse_moment(value)
    moment = value if isinstance(value, datetime) else _counted(value)
    if isinstance(moment, datetime) and moment.utcoffset() is not None:
        return (moment - _EPOCH) // timedelta(milliseconds=1)
    number = number_of(value)
    return math.trunc(number) if number is not None and math.isfinite(number) else number


_EPOCH = datetime(1970, 1, 1, tzinfo=timezone.utc)
_MOMENT = re.compile(
    r"([0-9]{4})-([0-9]{2})-([0-9]{2})"
    r"(?:[Tt]([0-9]{2}):([0-9]{2}):([0-9]{2})(?:\.([0-9]+))?(?:[Zz]|([+-])([0-9]{2}):([0-9]{2})))?"
)


def _parse_moment(text: str) -> int | None:
    match = _MOMENT.fullmatch(text)
    if match is None:
        return None
    year, month, day, hour, minute, second = (int(field or 0) for field in match.group(1, 2, 3, 4, 5, 6))
    offset_hour, offset_minute = (int(field or 0) for field in match.group(9, 10))
    if hour > 23 or minute > 59 or second > 59 or offset_hour > 23 or offset_minute > 59:
        return None
    try:
        # The calendar repeats after 400 years, of 146,097 days; Python's has no year 0.
        days = date(year or 400, month, day).toordinal() - _EPOCH.toordinal() - (0 if year else 146_097)
    except ValueError:
        return None
    milliseconds = int((match.group(7) or "")[:3].ljust(3, "0"))
    offset = (offset_hour * 60 + offset_minute) * (-1 if match.group(8) == "-" else 1)
    return ((days * 24 + hour) * 60 + minute - offset) * 60_000 + second * 1_000 + milliseconds


Number: TypeAlias = "tuple[int, str]"
"""A whole number of any size, as the count of its digits and these: Python's own take quadratic time."""
Version: TypeAlias = "tuple[tuple[Number, ...], bool, tuple[tuple[bool, int, str], ...]]"
"""Compares as versions do: numbers, whether it is a release, identifiers of a pre-release."""

_IDENTIFIERS = r"[0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*"
_VERSION = re.compile(rf"v?([0-9]+(?:\.[0-9]+)*)(?:-({_IDENTIFIERS}))?(?:\+{_IDENTIFIERS})?")
_RANGE = re.compile(r"v?([0-9]+(?:\.[0-9]+)*)\.\*")


def version_of(value: object) -> Version | None:
    """The version that an attribute's text is."""
    text = text_of(value)
    match = _VERSION.fullmatch(text) if text is not None else None
    if match is None:
        return None
    numbers, identifiers = match.groups()
    parts = tuple(map(_identifier, identifiers.split("."))) if identifiers else ()
    return _numbers(numbers), not parts, parts


def range_of(text: str) -> tuple[int, tuple[Number, ...]] | None:
    """How many numbers a range such as `4.12.*` has, and these."""
    match = _RANGE.fullmatch(text)
    return match and (match.group(1).count(".") + 1, _numbers(match.group(1)))


def first_numbers(version: Version, count: int) -> tuple[Number, ...]:
    """The first numbers of a version, to compare with a range's."""
    return _without_zeros(version[0][:count])


def _numbers(text: str) -> tuple[Number, ...]:
    return _without_zeros(tuple(map(_number, text.split("."))))


def _number(digits: str) -> Number:
    digits = digits.lstrip("0")
    return len(digits), digits


def _without_zeros(numbers: tuple[Number, ...]) -> tuple[Number, ...]:
    """The numbers without zeros at the end, as which missing ones count."""
    end = len(numbers)
    while end > 0 and numbers[end - 1][0] == 0:
        end -= 1
    return numbers[:end]


def _identifier(text: str) -> tuple[bool, int, str]:
    """Numbers come before words."""
    return (False, *_number(text)) if text.isdecimal() else (True, 0, text)
