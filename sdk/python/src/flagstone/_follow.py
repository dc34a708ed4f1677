"""Follows a document: a thread asks for it, listens for changes, and says what happens."""

from __future__ import annotations

import codecs
import logging
import math
import os
import random
import sys
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from openfeature.event import ProviderEvent, ProviderEventDetails
from openfeature.exception import ErrorCode

from ._cache_file import write_cache
from ._changes import changed_flags
from ._document import read_json
from ._evaluator import Evaluator
from ._http import Answer, Connections, FetchError

_logger = logging.getLogger("flagstone")

# Seconds.
_PATIENCE = 2.0
"""With the first answer, if there are other flags."""
_SOON = 1.0
_SLOW = 300.0
_LONGEST_ASKED = 3600.0
_SHORT_LIFE = 30.0
"""Something cuts off a stream that ends sooner, after at most one comment."""
_SPREAD = 4.0
"""Of what happens to many at the same time: the end of their streams, or their start in forks."""
_SLOWEST_TRY = 60.0


def delay_of(
    poll_interval: float, failure: FetchError | None, failures: int, *, has_flags: bool, chance: float
) -> float:
    """Seconds until the next request, after `failures` in a row; `chance` is in [0, 1).

    Varies by a fifth, so that processes that were started or refused together do not ask together. Never less
    than the server asked for, up to an hour, and hardly more after a first failure.
    """
    spread = 0.8 + 0.4 * chance
    if failure is None:
        return poll_interval * spread
    first, slowest = poll_interval, max(poll_interval, _SLOW)
    if failure.refused:
        first = slowest
    elif not has_flags:  # every second counts
        first, slowest = min(poll_interval, _SOON), poll_interval
    if failure.retry_after is not None:
        first = max(failure.retry_after, _SOON)
    backoff = min(first * 2.0 ** min(failures - 1, 30), slowest)
    asked = min(failure.retry_after or 0, _LONGEST_ASKED) * (1 + 0.2 * chance)
    return max(backoff * spread, asked)


@dataclass(eq=False, slots=True)
class Follower:
    """The flags of a document that is followed: once there are some, there always are.

    From its creation until it is stopped, children of a fork follow the document, too.
    """

    connections: Connections
    emit: Callable[[ProviderEvent, ProviderEventDetails], None]
    poll_interval: float = 30.0
    stale_after: float = 90.0
    cache_file: Path | None = None
    fallback: Evaluator | None = None
    """Has the flags until the server or the cache file gives some."""
    clock: Callable[[], float] = time.monotonic
    chance: Callable[[], float] = random.random
    wait: Callable[[float], bool] | None = None
    """Waits for so many seconds, and returns whether to stop."""
    flags: Evaluator | None = field(default=None, init=False)
    _text: str | None = field(default=None, init=False)
    """The document: not every server has tags."""
    _is_saved: bool = field(default=False, init=False)
    _has_warned: bool = field(default=False, init=False)
    """Whether the log says that the document cannot be saved: it would again at every poll."""
    _etag: str | None = field(default=None, init=False)
    _wanted: str | None = field(default=None, init=False)
    """The tag of the last event."""
    failure: FetchError | None = field(default=None, init=False)
    """Of the last request; None if its answer was good."""
    _failures: int = field(default=0, init=False)
    _stream_failures: int = field(default=0, init=False)
    _is_listening: bool = field(default=False, init=False)
    _is_trusted: bool = field(default=True, init=False)
    """Whether the application believes that the flags are current."""
    _ask_at: float = field(default=math.inf, init=False)
    _listen_at: float = field(default=math.inf, init=False)
    _stale_at: float = field(default=math.inf, init=False)
    _saved: tuple[Evaluator | None] | None = field(default=None, init=False)
    """The flags of the cache or those given, as soon as they were looked for."""
    _begun: threading.Event = field(default_factory=threading.Event, init=False)
    _stopping: threading.Event = field(default_factory=threading.Event, init=False)
    _thread: threading.Thread | None = field(default=None, init=False)

    def __post_init__(self) -> None:
        _followers.add(self)

    def start(self) -> None:
        """Asks for the flags, and starts to follow them. Raises FetchError if there are none yet."""
        with _changing:
            if self._stopping.is_set():
                self._begun.set()
            elif self._thread is None:
                self._start_thread(self._run_from_start)
        if not self._begun.wait(_PATIENCE):
            self._begin_late()
        if self.flags is None:
            self._begun.wait()
        if self._stopping.is_set():
            raise FetchError("the provider was shut down")
        failure = self.failure
        if failure is not None and self.flags is None:
            raise failure

    def stop(self) -> None:
        """Ends the thread. There are no events afterwards."""
        _followers.discard(self)
        with _changing:  # A thread that is about to be started could not be joined.
            self._stopping.set()
        self.connections.close()
        if self._thread is not None:
            self._thread.join(_SOON)  # Only a connection that is not made yet could take longer.

    def run(self) -> None:
        """Follows the document until it is stopped."""
        wait = self.wait or self._stopping.wait
        while not wait(max(0.0, min(self._ask_at, self._listen_at, self._stale_at) - self.clock())):
            self._do_what_is_due()
            if self.clock() >= self._listen_at:
                self._listen()

    def _begin(self) -> None:
        """Asks, unless an answer has come already, and takes the cached flags if it was none."""
        if self.failure is None:
            self._ask()
        if self.failure is not None:
            self._take_saved()
        if self.flags is None:
            self._is_trusted = False
            self._log_no_flags()

    def _begin_late(self) -> None:
        """Takes the saved flags until the first answer comes."""
        self._take_saved()
        if not self._is_waiting():
            return
        timer = threading.Timer(_SOON, self._distrust_old)
        timer.daemon = True
        timer.start()

    def _is_waiting(self) -> bool:
        """Whether the saved flags count because the first answer has not come."""
        return self.flags is not None and self._text is None and self.failure is None

    def _distrust_old(self) -> None:
        with _changing:
            if self.clock() >= self._stale_at and not self._stopping.is_set():
                self._distrust()

    def _run_from_start(self) -> None:
        try:
            self._begin()
        finally:
            self._begun.set()
        self.run()

    def _run_in_child(self) -> None:
        """Begins with what the SDK's thread may have been about to say, which is gone in a child."""
        if self.flags is None:
            self._begin()
        if self.flags is not None and self._is_trusted:
            self._say(ProviderEvent.PROVIDER_READY, ProviderEventDetails())
        elif self.flags is None and self.failure is not None:
            code = ErrorCode.PROVIDER_FATAL if self.failure.refused else ErrorCode.PROVIDER_NOT_READY
            details = ProviderEventDetails(message=str(self.failure), error_code=code)
            self._say(ProviderEvent.PROVIDER_ERROR, details)
        self.run()

    def _start_thread(self, target: Callable[[], None]) -> None:
        self._thread = threading.Thread(target=target, name="flagstone", daemon=True)
        self._thread.start()

    def _do_what_is_due(self) -> float:
        """Returns the seconds until something is due again."""
        if self.clock() >= self._stale_at:
            self._distrust()
        if self.clock() >= self._ask_at:
            self._ask_again()
        return min(self._ask_at, self._stale_at) - self.clock()

    def _ask(self) -> None:
        failure = None
        try:
            answer = self._fetch()
            if answer.text is not None:
                self._take(answer.text)
            self._save()
            self._etag = answer.etag
            if answer.from_proxy and self.connections.address.events and self._listen_at == math.inf:
                self._listen_at = self.clock()
        except FetchError as error:
            failure = error
        except Exception as error:  # Whatever a document does, the flags are followed.
            failure = FetchError(f"{self.connections.address.shown} is not a document of flags: {error}")
        with _changing:
            self.failure = failure
            self._failures = 0 if failure is None else self._failures + 1
            self._plan()
            if failure is None:
                self._confirm()
                self._trust()
        if failure is not None and self._is_listening and self._failures == 1:
            self._stale_at = self.clock() + self.stale_after

    def _ask_again(self) -> None:
        was_refused = self.failure is not None and self.failure.refused
        self._ask()
        if self.failure is not None and self.failure.refused:
            self._distrust()
            if self.flags is None and not was_refused:
                self._log_no_flags()
                details = ProviderEventDetails(message=str(self.failure))
                self._say(ProviderEvent.PROVIDER_ERROR, details)

    def _plan(self) -> None:
        is_calm = self._is_listening and self.failure is None and self._has_wanted()
        interval = max(self.poll_interval, _SLOW) if is_calm else self.poll_interval
        has_flags = self.flags is not None
        delay = delay_of(interval, self.failure, self._failures, has_flags=has_flags, chance=self.chance())
        self._ask_at = self.clock() + delay

    def _has_wanted(self) -> bool:
        """Whether the announced document is here: the proxy that answers may not have it yet."""
        return self._wanted is None or (self._etag is not None and self._wanted in self._etag)

    def _confirm(self) -> None:
        """The flags are current until the stream or a request says otherwise."""
        self._stale_at = math.inf if self._is_listening else self.clock() + self.stale_after

    def _trust(self) -> None:
        if not self._is_trusted:
            self._is_trusted = True
            _logger.info("the flags are current")
            self._say(ProviderEvent.PROVIDER_READY, ProviderEventDetails())

    def _distrust(self) -> None:
        self._stale_at = math.inf
        with _changing:
            if self._is_trusted and self.flags is not None:
                self._is_trusted = False
                silence = f"{self.connections.address.shown} gave no valid response for too long"
                reason = str(self.failure or silence)
                _logger.warning("the flags are stale: %s", reason)
                self._say(ProviderEvent.PROVIDER_STALE, ProviderEventDetails(message=reason))

    def _listen(self) -> None:
        began = self.clock()
        failure = FetchError("the stream broke")
        try:
            with closing(self.connections.listen(self._etag, self._do_what_is_due)) as tags:
                for tag in tags:
                    if not self._is_listening:
                        self._set_listening(True)
                    if tag is not None:
                        self._on_event(tag)
        except FetchError as error:
            failure = error
        except Exception as error:  # Whatever a server sends, the flags are followed.
            _logger.warning("changes cannot be listened for: %r", error)
        has_lasted = self._is_listening and self.clock() - began >= _SHORT_LIFE
        if self._is_listening:
            self._set_listening(False)
        if has_lasted:
            self._stream_failures = 0
            delay = _SPREAD * self.chance()
        else:
            self._stream_failures += 1
            delay = delay_of(
                _SLOWEST_TRY, failure, self._stream_failures, has_flags=False, chance=self.chance()
            )
        self._listen_at = self.clock() + delay

    def _fetch(self) -> Answer:
        """Waits for the document; meanwhile the flags may become stale."""
        if self._stale_at == math.inf:
            return self.connections.fetch(self._etag)
        timer = threading.Timer(self._stale_at - self.clock(), self._distrust)
        timer.daemon = True
        timer.start()
        try:
            return self.connections.fetch(self._etag)
        finally:
            timer.cancel()
            timer.join()

    def _set_listening(self, is_listening: bool) -> None:
        self._is_listening = is_listening
        self._wanted = None  # A stream begins with what is new.
        if self.failure is None:
            self._confirm()
            self._plan()

    def _on_event(self, tag: str) -> None:
        self._wanted = tag
        is_turned_away = self.failure is not None and (
            self.failure.refused or self.failure.retry_after is not None
        )
        if not self._has_wanted() and not is_turned_away:
            self._ask_again()

    def _take(self, text: str) -> None:
        """Raises ValueError if it is no document."""
        if text == self._text:
            return
        flags = Evaluator(read_json(text), text)
        with _changing:
            changed = changed_flags(self.flags, flags) if self.flags is not None else []
            self.flags, self._text = flags, text
            if changed:
                details = ProviderEventDetails(flags_changed=changed)
                self._say(ProviderEvent.PROVIDER_CONFIGURATION_CHANGED, details)
        self._is_saved = False

    def _save(self) -> None:
        """Writes the cache file: again after each good answer until it succeeds."""
        if self.cache_file is None or self._text is None or self._is_saved:
            return
        try:
            write_cache(self.cache_file, self._text)
            self._is_saved, self._has_warned = True, False
        except OSError as error:
            if not self._has_warned:
                _logger.warning("the flags cannot be saved for the next start: %s", error)
            self._has_warned = True

    def _take_saved(self) -> None:
        """Takes the flags of the cache or those given, unless an answer has come."""
        saved = self._saved or (self._read_saved(),)
        self._saved = saved
        with _changing:
            if self.flags is not None:
                return
            (self.flags,) = saved
            # When the start is over, the SDK says that the flags are ready; that they are stale comes after.
            self._stale_at = self.clock() + _SOON if self.flags is not None else math.inf

    def _read_saved(self) -> Evaluator | None:
        try:
            if self.cache_file is not None:
                cached = self.cache_file.read_bytes().decode()
                return Evaluator(read_json(cached), cached)
        except FileNotFoundError:
            pass
        except (OSError, ValueError) as error:
            _logger.warning("the cache file %s cannot be used: %s", self.cache_file, error)
        return self.fallback

    def _log_no_flags(self) -> None:
        if not self._stopping.is_set():
            _logger.warning("there are no flags: %s", self.failure)

    def _say(self, event: ProviderEvent, details: ProviderEventDetails) -> None:
        with _changing, suppress(RuntimeError):  # At the end of the process nobody listens any more.
            if not self._stopping.is_set():
                self.emit(event, details)

    def continue_in_child(self) -> None:
        """Follows the document in the child of a fork, where only the thread that forked lives on."""
        self._stopping = threading.Event()
        self.connections.abandon()
        is_waiting = self._is_waiting()
        self._set_listening(False)
        if is_waiting:  # the request under way is not in the child
            self._ask_at = self._soonest(self.clock())
            self._stale_at = self.clock() + _SOON if self._is_trusted else math.inf
        if self.failure is not None:  # No child asks sooner than its parent would, nor with the others.
            self._ask_at = self._soonest(self._ask_at)
        self._listen_at = self._soonest(self._listen_at)
        self._start_thread(self._run_in_child)

    def _soonest(self, planned: float) -> float:
        return max(planned, self.clock()) + _SPREAD * self.chance()


_followers: set[Follower] = set()
_changing = threading.RLock()
"""A fork waits for it, so that no child begins in the middle of a change."""


def _continue_in_child() -> None:
    _changing.release()
    # OpenFeature's SDK runs handlers on threads that it believes to be there in the child, too.
    events: Any = sys.modules.get("openfeature._event_support")
    if isinstance(getattr(events, "_event_executor", None), ThreadPoolExecutor):
        events._event_executor = ThreadPoolExecutor(thread_name_prefix="openfeature-event-handler")
    for follower in list(_followers):
        follower.continue_in_child()


# The first request would load these; the child of whoever forks at that moment could not.
for _codec in ("idna", "latin-1", "utf-8-sig", "utf-16", "utf-16-be", "utf-16-le"):
    codecs.lookup(_codec)

if hasattr(os, "register_at_fork"):  # not on Windows
    os.register_at_fork(
        before=_changing.acquire, after_in_parent=_changing.release, after_in_child=_continue_in_child
    )
