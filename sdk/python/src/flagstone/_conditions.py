"""Conditions: what a rule asks of a context, alone or in groups."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TypeAlias, cast

from ._expressions import Expressions, UnreadableError
from ._operators import compile_test, read_operand

Context: TypeAlias = "Mapping[str, object]"
Matches: TypeAlias = "Callable[[Context], bool | None]"
"""None if it cannot be known: Kleene's third value."""

GROUPS = ("all", "any", "none")
DEEPEST_GROUP = 8
MOST_CONDITIONS = 1_000


@dataclass(frozen=True, slots=True)
class Condition:
    """A comparison, or a group of conditions: its `parts`."""

    attribute: str
    operator: str
    value: str
    parts: list[Condition]


def read_condition(members: object, within: list[Condition], depth: int = 1) -> Condition:
    """Reads a rule's condition, and the parts of its groups, but not the operands of other operators.

    All that are read are added to those `within` the rule. Raises UnreadableError.
    """
    match members:
        case {"attribute": str(attribute), "operator": str(operator), "value": str(value)}:
            condition = Condition(attribute, operator, value, [])
        case _:
            raise UnreadableError
    within.append(condition)
    if len(within) > 1 + MOST_CONDITIONS:  # the rule's own does not count
        raise UnreadableError
    if operator in GROUPS:
        parts = read_operand(value) if depth <= DEEPEST_GROUP else None
        if not isinstance(parts, list) or not parts:
            raise UnreadableError
        for part in cast("list[object]", parts):
            condition.parts.append(read_condition(part, within, depth + 1))
    return condition


def compile_condition(
    condition: Condition, flag_key: str, expressions: Expressions, unknown: list[str]
) -> Matches:
    """Reads the operands. Raises UnreadableError. Operators that cannot be known are added to `unknown`."""
    attribute, operator = condition.attribute, condition.operator
    if condition.parts:
        parts = [compile_condition(part, flag_key, expressions, unknown) for part in condition.parts]
        return _compile_group(operator, parts)
    if operator == "always":
        return lambda context: True
    if operator == "exists":
        return lambda context: context.get(attribute) is not None
    if operator == "notExists":
        return lambda context: context.get(attribute) is None
    test = compile_test(operator, condition.value, flag_key, expressions)
    if test is None:
        unknown.append(operator)
        return lambda context: None

    def matches(context: Context) -> bool:
        value = context.get(attribute)
        return value is not None and test(value)

    return matches


def _compile_group(operator: str, parts: list[Matches]) -> Matches:
    """The first part that decides does; else the group is unknown if a part is."""
    deciding = operator != "all"
    decided = operator == "any"

    def matches(context: Context) -> bool | None:
        is_known = True
        for part in parts:
            truth = part(context)
            if truth is deciding:
                return decided
            is_known = is_known and truth is not None
        return not decided if is_known else None

    return matches
