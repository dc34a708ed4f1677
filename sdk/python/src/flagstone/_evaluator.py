"""The evaluator: the flags of one document, compiled once."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, Literal, NoReturn, TypeAlias

from ._conditions import Condition, Context, Matches, compile_condition, read_condition
from ._document import Json, Object, entries_of
from ._expressions import Expressions, UnreadableError
from ._operators import EXPRESSIONS, SHARES

Cause: TypeAlias = Literal["rule", "share", "always", "default", "disabled", "unconfigured"]


@dataclass(frozen=True, slots=True)
class Evaluation:
    """What a flag evaluates to. Evaluations and their values are shared: do not change them."""

    value: Json
    cause: Cause
    """A rule (`share` if it picks a share of users, `always` if it matches everyone), or no rule."""
    rule: str | None
    """The id of the rule that gave the value; None if none did."""


class EvaluationError(Exception):
    """There is no value: the caller's own default applies."""


class UnknownFlagError(EvaluationError):
    """The document has no flag with this key."""


class UnknownOperatorError(EvaluationError):
    """The rule that decides has an operator that cannot be known here: one of the project's own.

    So are `matches` and `notMatches` without google-re2.
    """


@dataclass(frozen=True, slots=True)
class _Rule:
    matches: Matches
    evaluation: Evaluation
    unknown: str | None
    """The first operator that cannot be known."""


class Evaluator:
    """Evaluates the flags of one document, without clock, randomness or I/O. Threads may share it."""

    def __init__(self, document: Mapping[str, Any], text: str | None = None) -> None:
        """Takes a document, which must not change any more and may have been read from `text`.

        Raises ValueError if it is none. A flag is compiled when it is first asked: all at once take a second.
        """
        self.entries: dict[str, Object] = {entry["flag"]["key"]: entry for entry in entries_of(document)}
        self._flags: dict[str, tuple[list[_Rule], Evaluation]] = {}
        self.metadata = _metadata(self.entries, text)

    def evaluate(self, key: str, context: Context) -> Evaluation:
        """The value of a flag for a context: attributes by name.

        They are what JSON has, tuples, sets, UUIDs, Decimals and other numbers, dates, and datetimes with a
        time zone. No comparison matches anything else, which is logged once for each type. Raises
        UnknownFlagError or UnknownOperatorError if there is no value.
        """
        flag = self._flags.get(key)
        if flag is None:
            entry = self.entries.get(key)
            if entry is None:
                raise UnknownFlagError("Flag not found")
            flag = self._flags[key] = _compile(entry)
        rules, otherwise = flag
        for rule in rules:
            truth = rule.matches(context)
            if truth:
                return rule.evaluation
            if truth is None:
                raise UnknownOperatorError(_reason(rule))
        return otherwise

    def is_static(self, key: str) -> bool:
        """Whether an enabled flag has the same value for everyone: it has no rules, or `always` first."""
        configuration = self.entries[key]["environment"]
        if configuration is None or not configuration["enabled"]:
            return False
        return not configuration["rules"] or configuration["rules"][0]["operator"] == "always"


class Metadata(dict[str, str]):
    """Cannot be changed, as OpenFeature asks, but copied and written as JSON, unlike a MappingProxyType."""

    def _refuse(self, *_: object, **__: object) -> NoReturn:
        raise TypeError("metadata cannot be changed")

    __setitem__ = __delitem__ = __ior__ = clear = pop = popitem = setdefault = update = _refuse  # pyright: ignore

    def __reduce__(self) -> tuple[Any, ...]:
        return dict, (dict(self),)


def _metadata(entries: Mapping[str, Object], text: str | None) -> Mapping[str, str]:
    """What telemetry records of the document, by OpenFeature's names."""
    metadata: dict[str, str] = {}
    configured = next((entry for entry in entries.values() if entry["environment"] is not None), None)
    if configured is not None:
        ids = configured["flag"]["projectId"], configured["environment"]["environmentId"]
        metadata["flagSetId"] = "/".join(ids)
    if text is not None:
        metadata["version"] = hashlib.sha256(text.encode()).hexdigest()[:32]
    return Metadata(metadata)


def _compile(entry: Object) -> tuple[list[_Rule], Evaluation]:
    """The rules that can be read, and what the flag evaluates to if none matches."""
    key, default, configuration = entry["flag"]["key"], entry["flag"]["defaultValue"], entry["environment"]
    if configuration is None:
        return [], Evaluation(default, "unconfigured", None)
    if not configuration["enabled"]:
        return [], Evaluation(default, "disabled", None)
    conditions: list[tuple[Object, Condition]] = []
    sources: list[str] = []
    for rule in configuration["rules"]:
        with suppress(UnreadableError):
            within: list[Condition] = []
            conditions.append((rule, read_condition(rule, within)))
            sources += [part.value for part in within if part.operator in EXPRESSIONS]
    expressions = Expressions(sources)
    rules: list[_Rule] = []
    for rule, condition in conditions:
        unknown: list[str] = []
        with suppress(UnreadableError):
            matches = compile_condition(condition, key, expressions, unknown)
            without_engine = [operator for operator in unknown if operator in EXPRESSIONS]
            if without_engine:  # nor is it known whether they can be read, and with them the whole rule
                matches = _cannot_be_known
            evaluation = Evaluation(rule["returnValue"], _cause(rule["operator"]), rule["id"])
            rules.append(_Rule(matches, evaluation, next(iter(without_engine + unknown), None)))
    return rules, Evaluation(default, "default", None)


def _cannot_be_known(_: Context) -> None:
    return None


def _cause(operator: str) -> Cause:
    if operator in SHARES:
        return "share"
    return "always" if operator == "always" else "rule"


def _reason(rule: _Rule) -> str:
    which = f"Rule {rule.evaluation.rule} decides by the operator {rule.unknown}"
    if rule.unknown in EXPRESSIONS:
        return f"{which}, which google-re2 cannot read here: pip install 'flagstone[re2]'"
    return f"{which}, which only the project's own code knows"
