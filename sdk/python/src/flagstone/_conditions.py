"""Conditions: what a rule asks of a context, alone or in groups."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import TypeAlias, cast

from ._expressions import UnreadableError
from ._operators import Scope, compile_test, read_operand

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
    parts: tuple[Condition, ...] = ()

    def comparisons(self) -> Iterator[Condition]:
        """The comparisons in it, at any depth."""
        if not self.parts:
            yield self
        for part in self.parts:
            yield from part.comparisons()

    def count(self) -> int:
        """How many conditions are in it, including groups."""
        return sum(1 + part.count() for part in self.parts)


def read_condition(attribute: str, operator: str, value: str, depth: int = 1) -> Condition:
    """Reads a rule's groups, but not the operands of its other operators. Raises UnreadableError."""
    if operator not in GROUPS:
        return Condition(attribute, operator, value)
    parts = read_operand(value) if depth <= DEEPEST_GROUP else None
    if not isinstance(parts, list) or not parts:
        raise UnreadableError
    read = tuple(_read_part(part, depth + 1) for part in cast("list[object]", parts))
    condition = Condition(attribute, operator, value, read)
    if condition.count() > MOST_CONDITIONS:
        raise UnreadableError
    return condition


def _read_part(part: object, depth: int) -> Condition:
    match part:
        case {"attribute": str(attribute), "operator": str(operator), "value": str(value)}:
            return read_condition(attribute, operator, value, depth)
        case _:
            raise UnreadableError


def compile_condition(condition: Condition, scope: Scope, unknown: list[str]) -> Matches:
    """Reads the operands. Raises UnreadableError. Operators that cannot be known are added to `unknown`."""
    attribute, operator = condition.attribute, condition.operator
    if condition.parts:
        parts = [compile_condition(part, scope, unknown) for part in condition.parts]
        return _compile_group(operator, parts)
    if operator == "always":
        return lambda context: True
    if operator == "exists":
        return lambda context: context.get(attribute) is not None
    if operator == "notExists":
        return lambda context: context.get(attribute) is None
    test = compile_test(operator, condition.value, scope)
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
