"""Documents: what `GET /v1/flags` answers and `flagstone build` writes."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, NoReturn, TypeAlias, TypeGuard, cast

Json: TypeAlias = "bool | int | float | str | list[Json] | dict[str, Json] | None"
Object: TypeAlias = "Mapping[str, Any]"

_FLAG_TEXTS = ("id", "projectId", "key", "name", "description", "type", "createdAt", "updatedAt")
_CONFIGURATION_TEXTS = ("id", "flagId", "environmentId", "updatedAt")
_RULE_TEXTS = ("id", "attribute", "operator", "value")


def entries_of(document: object) -> list[Object]:
    """The entries of a document. Raises ValueError if it is none.

    All SDKs are equally strict, so that they use the same documents.
    """
    if not _is_object(document) or len(document) != 1 or not isinstance(document.get("flags"), list):
        raise ValueError("it is not an object with a list `flags` as its only member")
    previous = None
    for index, entry in enumerate(document["flags"]):
        if not _is_entry(entry):
            raise ValueError(f"flags[{index}] is not a flag entry")
        order = _code_units(entry["flag"]["key"])
        if previous is not None and order <= previous:
            raise ValueError(f"flags[{index}] is out of order or has a duplicate key")
        previous = order
    return document["flags"]


def read_json(text: str) -> Any:
    """Reads JSON. Raises ValueError for anything else, and for more brackets than Python can nest."""
    try:
        return json.loads(text, parse_int=_read_integer, parse_constant=_refuse_constant)
    except RecursionError:
        raise ValueError("it is nested too deeply") from None


def _read_integer(digits: str) -> float:
    """A whole number. One beyond the largest double is infinity: Python refuses thousands of digits."""
    return int(digits) if len(digits) < 400 else float(digits)


def _refuse_constant(name: str) -> NoReturn:
    """NaN and Infinity are read by `json.loads`, but are not JSON."""
    raise ValueError(f"{name} is not JSON")


def _is_entry(value: object) -> bool:
    if not _is_object(value, has=("flag", "environment")) or len(value) != 2:
        return False
    if not _is_object(value["flag"], has=("defaultValue",), texts=_FLAG_TEXTS):
        return False
    configuration = value["environment"]
    return configuration is None or (
        _is_object(configuration, has=("enabled", "rules"), texts=_CONFIGURATION_TEXTS)
        and isinstance(configuration["enabled"], bool)
        and isinstance(configuration["rules"], list)
        and all(map(_is_rule, cast("list[object]", configuration["rules"])))
    )


def _is_rule(value: object) -> bool:
    return _is_object(value, has=("returnValue",), texts=_RULE_TEXTS)


def _is_object(value: object, has: tuple[str, ...] = (), texts: tuple[str, ...] = ()) -> TypeGuard[Object]:
    if not isinstance(value, (dict, Mapping)):  # the first is faster
        return False
    members = cast("Object", value)
    for name in has:
        if name not in members:
            return False
    for name in texts:  # noqa: SIM110, whose generator takes twice as long
        if not isinstance(members.get(name), str):
            return False
    return True


def _code_units(key: str) -> bytes:
    return key.encode("utf-16-be", "surrogatepass")


def document_of_values(values: Mapping[str, Json]) -> Object:
    """The document of flags with one value each, for everyone, by key: for tests.

    Raises ValueError for a key that is no string.
    """
    for key in cast("Mapping[object, Json]", values):
        if not isinstance(key, str):
            raise ValueError(f"the key {key!r} must be a string")
    return {"flags": [_entry_of(key, values[key]) for key in sorted(values, key=_code_units)]}


def _entry_of(key: str, value: Json) -> Object:
    return {
        "flag": {**dict.fromkeys(_FLAG_TEXTS, ""), "key": key, "defaultValue": value},
        "environment": None,
    }
