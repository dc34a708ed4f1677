"""Requests to a proxy or a CDN, by `urllib` alone."""

from __future__ import annotations

import http.client
import io
import math
import os
import re
import socket
import time
import urllib.request
import zlib
from collections.abc import Callable, Generator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from email.utils import mktime_tz, parsedate_tz
from functools import partial
from typing import Any
from urllib.parse import urlsplit

TIMEOUT = 10.0
"""Seconds for a whole answer, and for each step until the request is sent."""
LIMIT = 64 * 1024 * 1024
"""Bytes of a document."""
LONGEST_SILENCE = 60.0
"""Seconds between two blocks of a stream; a comment comes every 20 s."""
LONGEST_LINE = 16 * 1024
"""Bytes of a stream."""


class FetchError(Exception):
    """There is no answer, or none that can be used. The message has no secret."""

    def __init__(self, message: str, *, refused: bool = False, retry_after: float | None = None) -> None:
        super().__init__(message)
        self.refused = refused
        """Whether it is useless to ask again soon."""
        self.retry_after = retry_after
        """Seconds that the server asks to wait."""


@dataclass(frozen=True, slots=True)
class Answer:
    """An answer to a request for the document."""

    text: str | None
    """The document; None if it still has the tag of the request."""
    etag: str | None
    from_proxy: bool
    """Whether a proxy answered rather than a CDN: proxies send how many requests are left."""


@dataclass(frozen=True, slots=True)
class Address:
    """Where a document is."""

    url: str
    shown: str
    """The address without its query, which may be a CDN's signature."""
    events: str | None
    """The address of the events; None if there are none, or nobody wants to listen."""
    headers: Mapping[str, str] = field(repr=False)
    """May hold the API key: not in representations, which crash reporters send."""


def read_address(text: str, headers: Mapping[str, str], *, listens: bool = True) -> Address:
    """A proxy's address, an environment's on a CDN, or that of a document if it ends in `.json`.

    Raises ValueError for an address or headers that cannot be used.
    """
    url = urlsplit(text)._replace(fragment="")
    if url.scheme not in ("http", "https") or not url.hostname or not re.fullmatch("[!-~]+", text):
        raise ValueError("url must begin with http: or https:, and be ASCII without spaces")
    if "@" in url.netloc:
        raise ValueError("url must not contain a user or password: use headers instead")
    if not all(re.fullmatch("[ -~\xa0-\xff]*", value) for value in headers.values()):
        raise ValueError("api_key and headers must be single lines of Latin characters")
    events = None
    if not url.path.endswith(".json"):
        base = url.path.rstrip("/").removesuffix("/v1/flags")
        url = url._replace(path=f"{base}/v1/flags")
        events = url._replace(path=f"{base}/v1/events").geturl() if listens else None
    return Address(url.geturl(), url._replace(query="").geturl(), events, headers)


class Connections:
    """Requests to one address, of which one is under way at a time. `close` ends it from another thread."""

    def __init__(self, address: Address, limit: int = LIMIT) -> None:
        self.address = address
        self._limit = limit
        self._sockets: list[socket.socket] = []  # a stream's, and that of a request meanwhile
        self._is_closed = False
        self._opener = urllib.request.build_opener(_Handler(self._keep), _AsTheyAre)

    def fetch(self, etag: str | None) -> Answer:
        """Requests the document, unless it still has this tag. Raises FetchError."""
        headers = {"Accept": "application/json", "Accept-Encoding": "gzip"}
        if etag is not None:
            headers["If-None-Match"] = etag
        with self._open(self.address.url, headers) as response:
            from_proxy = "X-RateLimit-Limit" in response.headers
            if response.status == 200:
                return Answer(self._read(response), response.headers["ETag"], from_proxy)
            if response.status == 304 and etag is not None:
                return Answer(None, etag, from_proxy)
            raise self._refusal(response)

    def listen(
        self, etag: str | None, meanwhile: Callable[[], float] = lambda: math.inf
    ) -> Generator[str | None]:
        """Yields the tag that each block of the stream names, or None, until the stream ends.

        Calls `meanwhile` before each wait for the stream, and again after as many seconds as it returns.
        Raises FetchError.
        """
        headers = {"Accept": "text/event-stream"}
        if etag is not None:
            headers["Last-Event-ID"] = etag
        with self._open(self.address.events or "", headers, meanwhile) as response:
            if response.status != 200 or response.headers.get_content_type() != "text/event-stream":
                refusal = self._refusal(response)
                refusal.refused = response.status < 500 and response.status != 429  # there are no events
                raise refusal
            tag = None
            while (line := response.readline(LONGEST_LINE)).endswith(b"\n"):
                if line.startswith(b"id:"):
                    tag = line.removeprefix(b"id:").strip().decode("latin-1")
                elif not line.strip():
                    yield tag
                    tag = None
                    response.go_on_for(LONGEST_SILENCE)

    def close(self) -> None:
        """Ends what is under way, and whatever begins later."""
        self._is_closed = True
        for connected in list(self._sockets):
            with suppress(OSError):
                socket.socket.shutdown(connected, socket.SHUT_RDWR)  # not TLS's, which would wait

    def abandon(self) -> None:
        """Closes the sockets that a fork has copied; their connections are the parent's."""
        while self._sockets:
            with suppress(OSError):
                os.close(self._sockets.pop().detach())

    def _keep(self, connected: socket.socket) -> None:
        self._sockets.append(connected)
        if self._is_closed:
            raise OSError("closed")

    @contextmanager
    def _open(
        self, url: str, headers: Mapping[str, str], meanwhile: Callable[[], float] = lambda: math.inf
    ) -> Generator[_Response]:
        request = _Request(url, headers={**headers, **self.address.headers})
        request.meanwhile = meanwhile
        others = len(self._sockets)
        try:
            with self._opener.open(request, timeout=TIMEOUT) as response:
                yield response
        except (OSError, ValueError, http.client.HTTPException, zlib.error) as error:
            reason = getattr(error, "reason", error)  # of URLError, whose text is no sentence
            raise FetchError(f"{self.address.shown} cannot be read: {reason}") from None
        finally:
            del self._sockets[others:]

    def _read(self, response: _Response) -> str:
        """The document. No more is read or decompressed than the limit: 3 MB of gzip may become 3 GB."""
        is_gzip = response.headers.get("Content-Encoding", "").lower() == "gzip"
        inflate = zlib.decompressobj(wbits=31)
        read = 0
        body = bytearray()
        while not inflate.eof and (chunk := response.read1(1 << 16)):
            read += len(chunk)
            body += inflate.decompress(chunk, self._limit + 1 - len(body)) if is_gzip else chunk
            if max(read, len(body)) > self._limit:
                raise ValueError(
                    f"it has more than {self._limit} bytes: if its document is that long, set document_limit"
                )
        if not inflate.eof if is_gzip else response.length:
            raise ValueError("it ends in the middle")
        return body.decode()

    def _refusal(self, response: _Response) -> FetchError:
        status = response.status
        asked = response.headers.get("Retry-After", "") if status in (429, 503) else ""
        fix = _FIXES.get(str(status), _FIXES.get(str(status)[0], ""))
        if status == 403 and response.headers.get_content_type() != "application/json":
            fix = ""  # a firewall's, which has a page
        message = f"{self.address.shown} returned {status}{fix}"
        return FetchError(message, refused=status in (401, 403), retry_after=_parse_retry_after(asked))


class _Request(urllib.request.Request):
    """A request, and what is called while its answer does not come."""

    meanwhile: Callable[[], float]


class _Response(http.client.HTTPResponse):
    """An answer with a deadline, which neither single bytes nor `100 Continue` again and again can move."""

    def __init__(
        self, sock: socket.socket, *arguments: Any, meanwhile: Callable[[], float], **more: Any
    ) -> None:
        super().__init__(sock, *arguments, **more)
        self._timed = _Timed(self.fp.detach(), sock, meanwhile)
        self.fp = io.BufferedReader(self._timed)

    def go_on_for(self, seconds: float) -> None:
        """Moves the deadline to so many seconds from now."""
        self._timed.deadline = time.monotonic() + seconds


class _Timed(io.RawIOBase):
    """Reads from a socket until a deadline. `meanwhile` returns the seconds until it must be called again."""

    def __init__(self, raw: io.RawIOBase, sock: socket.socket, meanwhile: Callable[[], float]) -> None:
        self.deadline = time.monotonic() + TIMEOUT
        self._meanwhile = meanwhile
        self._raw = raw
        self._socket = sock

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int | None:
        while (left := self.deadline - time.monotonic()) > 0:
            self._socket.settimeout(min(left, max(0.001, self._meanwhile())))  # 0 would not wait at all
            with suppress(TimeoutError):
                return self._socket.recv_into(buffer)
        raise TimeoutError("timed out")

    def close(self) -> None:
        self._raw.close()
        super().close()


class _AsTheyAre(urllib.request.HTTPErrorProcessor):
    """Returns every answer. Redirects are not followed: they would send the key to another server."""

    def http_response(self, request: urllib.request.Request, response: Any) -> Any:
        return response

    https_response = http_response


class _Handler(urllib.request.HTTPSHandler, urllib.request.HTTPHandler):
    """Passes on each socket when it is connected."""

    def __init__(self, keep: Callable[[socket.socket], None]) -> None:
        super().__init__()
        self._keep = keep

    def do_open(self, http_class: Any, req: Any, **options: Any) -> Any:
        def create(*arguments: Any, **more: Any) -> http.client.HTTPConnection:
            connection = http_class(*arguments, **more)
            connection.response_class = partial(_Response, meanwhile=req.meanwhile)
            connect = connection.connect

            def connect_and_keep() -> None:
                connect()
                self._keep(connection.sock)

            connection.connect = connect_and_keep
            return connection

        return super().do_open(create, req, **options)


_FIXES = {
    "401": ": use an api_key that is valid now",
    "403": ": use an api_key that may read; this one may only evaluate",
    "404": ": check the url, and that something was published there",
    "3": ": redirects are not followed; set url to the final URL",
}


def _parse_retry_after(text: str) -> float | None:
    """Seconds of RFC 9110, 10.2.3: a number of these, or a date. None for anything else, and for no time."""
    if re.fullmatch("[0-9]+", text):
        return float(text) or None
    date = parsedate_tz(text)
    with suppress(ValueError, OverflowError):  # a year beyond those of the system
        wait = mktime_tz(date) - time.time() if date is not None else 0
        return wait if wait > 0 else None
    return None
