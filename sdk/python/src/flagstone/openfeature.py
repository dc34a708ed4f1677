"""An OpenFeature provider that evaluates the flags of one environment in process."""

from __future__ import annotations

import copy
import math
import os
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime, timezone
from pathlib import Path
from typing import Any, TypeVar, cast

from openfeature.evaluation_context import EvaluationContext
from openfeature.event import ProviderEvent, ProviderEventDetails
from openfeature.exception import (
    FlagNotFoundError,
    GeneralError,
    ProviderFatalError,
    ProviderNotReadyError,
    TypeMismatchError,
)
from openfeature.flag_evaluation import FlagResolutionDetails, FlagValueType, Reason
from openfeature.provider import AbstractProvider, FeatureProvider, Metadata

from . import __version__
from ._document import Json, Object, document_of_values
from ._evaluator import Cause, Evaluator, UnknownFlagError, UnknownOperatorError
from ._follow import Follower
from ._http import LIMIT, Connections, FetchError, read_address
from ._values import double

__all__ = ["FlagstoneProvider"]

T = TypeVar("T")

_REASONS: dict[Cause, Reason] = {
    "rule": Reason.TARGETING_MATCH,
    "always": Reason.TARGETING_MATCH,
    "share": Reason.SPLIT,
    "default": Reason.DEFAULT,
    "disabled": Reason.DEFAULT,  # with DISABLED, some clients would give the caller's default
    "unconfigured": Reason.DEFAULT,
}


class FlagstoneProvider(AbstractProvider):
    """Evaluates flags in process; contexts never leave the application.

    After the first good document there are always flags: later failures make them stale, but they stay. The
    children of a fork follow the document on their own. Values belong to the caller, who may change them.
    """

    def __init__(
        self,
        url: str | None = None,
        *,
        api_key: str | None = None,
        headers: Mapping[str, str] | None = None,
        events: bool = True,
        poll_interval: float = 30.0,
        stale_after: float | None = None,
        clock_attribute: str | None = None,
        cache_file: str | os.PathLike[str] | None = None,
        document_limit: int = LIMIT,
        document: Mapping[str, Any] | None = None,
    ) -> None:
        """Raises ValueError for a bad option.

        `url`: the proxy's, or an environment's on a CDN; if it ends in `.json`, the document's own.
        `api_key`: one that may read, sent as `Authorization: Bearer`. A CDN may need none.
        `headers`: sent with every request.
        `events`: whether to listen for changes if the server is a proxy.
        `poll_interval`: seconds between two requests while it does not listen, a fifth more or less.
        At least 0.1.
        `stale_after`: seconds without a good answer after which the flags are stale; three poll intervals.
        At least 0.1.
        `clock_attribute`: the attribute that gets the current time if a context lacks it, for schedules.
        `cache_file`: keeps the last document for a start without network. Use one per environment.
        `document_limit`: bytes of a document, compressed or not; a longer one is refused. 64 MiB by default.
        `document`: instead of a url: a document, or `{"flags": {"delivery-slots": True}}`, for tests.
        It must not change any more.
        Beside a url, it has the flags, which are then stale, until the server or the cache gives some.
        """
        super().__init__()
        self._clock_attribute = clock_attribute
        self._follower: Follower | None = None
        self._flags: Evaluator | None = None
        self._create_follower: Callable[[], Follower] | None = None
        if url is None and document is None:
            raise ValueError("give url or document")
        if document is not None:
            self._flags = _read_document(document)
        if url is None:
            return
        given = poll_interval if stale_after is None else stale_after
        for name, seconds in (("poll_interval", poll_interval), ("stale_after", given)):
            if not _is_number(seconds, _A_DAY) or seconds < _SHORTEST:
                raise ValueError(f"{name} must be seconds, from {_SHORTEST} to 86400, such as 30: {seconds}")
        if not _is_number(document_limit, math.inf):
            raise ValueError("document_limit must be bytes, more than 0")
        if api_key == "":
            raise ValueError("api_key must not be empty: leave it out if there is none")
        authorization = {"Authorization": f"Bearer {api_key}"} if api_key is not None else {}
        ours = {"User-Agent": f"flagstone-python/{__version__}", **authorization}
        where = read_address(url, {**ours, **(headers or {})}, listens=events)
        self._create_follower = lambda: Follower(
            Connections(where, document_limit),
            self.emit,
            poll_interval=poll_interval,
            stale_after=3 * poll_interval if stale_after is None else stale_after,
            cache_file=Path(cache_file) if cache_file is not None else None,
            fallback=self._flags,
        )

    def get_metadata(self) -> Metadata:
        """Its name."""
        return Metadata("Flagstone")

    def initialize(self, evaluation_context: EvaluationContext) -> None:
        """Returns when there are flags.

        If the answer takes more than 2 s, those of the cache file or the document count until it comes.
        Raises ProviderFatalError if the key is refused, and ProviderNotReadyError if there are none yet; the
        server is asked again in both cases.
        """
        if self._follower is None:
            self._prepare()
        try:
            if self._follower is not None:
                self._follower.start()
        except FetchError as error:
            raise (ProviderFatalError if error.refused else ProviderNotReadyError)(str(error)) from None

    def attach(self, on_emit: Callable[[FeatureProvider, ProviderEvent, ProviderEventDetails], None]) -> None:
        """Prepares for a fork before the SDK's thread initializes, which the child would not have."""
        super().attach(on_emit)
        self._prepare()

    def _prepare(self) -> None:
        self.shutdown()
        if self._create_follower is not None:
            self._follower = self._create_follower()

    def shutdown(self) -> None:
        """Ends the thread that follows the document."""
        if self._follower is not None:
            self._follower.stop()

    def resolve_boolean_details(
        self, flag_key: str, default_value: bool, evaluation_context: EvaluationContext | None = None
    ) -> FlagResolutionDetails[bool]:
        return self._resolve(flag_key, evaluation_context, _boolean)

    def resolve_string_details(
        self, flag_key: str, default_value: str, evaluation_context: EvaluationContext | None = None
    ) -> FlagResolutionDetails[str]:
        return self._resolve(flag_key, evaluation_context, _string)

    def resolve_integer_details(
        self, flag_key: str, default_value: int, evaluation_context: EvaluationContext | None = None
    ) -> FlagResolutionDetails[int]:
        """Resolves a whole number, also if it is written with a point."""
        return self._resolve(flag_key, evaluation_context, _integer)

    def resolve_float_details(
        self, flag_key: str, default_value: float, evaluation_context: EvaluationContext | None = None
    ) -> FlagResolutionDetails[float]:
        """Resolves a number, also if it is written without a point."""
        return self._resolve(flag_key, evaluation_context, _float)

    def resolve_object_details(
        self,
        flag_key: str,
        default_value: Sequence[FlagValueType] | Mapping[str, FlagValueType],
        evaluation_context: EvaluationContext | None = None,
    ) -> FlagResolutionDetails[Sequence[FlagValueType] | Mapping[str, FlagValueType]]:
        """Resolves an object or a list."""
        return self._resolve(flag_key, evaluation_context, _object)

    def _resolve(
        self, key: str, context: EvaluationContext | None, read: Callable[[Json], T | None]
    ) -> FlagResolutionDetails[T]:
        flags = self._follower.flags if self._follower is not None else self._flags
        if flags is None:
            failure = self._follower.failure if self._follower is not None else None
            raise ProviderNotReadyError(f"there are no flags yet: {failure or 'no response so far'}")
        try:
            evaluation = flags.evaluate(key, self._attributes(context))
        except UnknownFlagError as error:
            raise FlagNotFoundError(str(error)) from None
        except UnknownOperatorError as error:
            raise GeneralError(str(error)) from None
        value = read(evaluation.value)
        if value is None:
            raise TypeMismatchError(f"The value of {key} is not of type {read.__name__.removeprefix('_')}")
        reason = Reason.STATIC if flags.is_static(key) else _REASONS[evaluation.cause]
        variant = "default" if evaluation.rule is None else evaluation.rule
        return FlagResolutionDetails(value, reason=reason, variant=variant, flag_metadata=flags.metadata)

    def _attributes(self, context: EvaluationContext | None) -> Mapping[str, object]:
        attributes: dict[str, object] = {}
        if context is not None:
            attributes.update(context.attributes)
            if context.targeting_key is not None:
                attributes["targetingKey"] = context.targeting_key
        if self._clock_attribute is not None and attributes.get(self._clock_attribute) is None:
            attributes[self._clock_attribute] = datetime.now(timezone.utc)
        return attributes


_A_DAY = 86_400.0
_SHORTEST = 0.1
"""Seconds. Whoever asks for less has mistaken the unit, and would flood the server."""


def _is_number(value: object, most: float) -> bool:
    return isinstance(value, (int, float)) and 0 < value <= most


def _read_document(document: Mapping[str, Any]) -> Evaluator:
    values = document.get("flags") if isinstance(document, Mapping) else None  # pyright: ignore[reportUnnecessaryIsInstance]
    try:
        if isinstance(values, Mapping):
            return Evaluator(document_of_values(cast("Object", values)))
        return Evaluator(document)
    except ValueError as error:
        raise ValueError(f"document is not a document of flags, nor of values: {error}") from None


# What a value is read as; None if it is of another type. Null is no object: it has no members.


def _boolean(value: Json) -> bool | None:
    return value if isinstance(value, bool) else None


def _string(value: Json) -> str | None:
    return value if isinstance(value, str) else None


def _integer(value: Json) -> int | None:
    number = _float(value)
    return int(number) if number is not None and number.is_integer() else None


def _float(value: Json) -> float | None:
    return double(value) if isinstance(value, (int, float)) and not isinstance(value, bool) else None


def _object(value: Json) -> Any:
    return copy.deepcopy(value) if isinstance(value, (dict, list)) else None
