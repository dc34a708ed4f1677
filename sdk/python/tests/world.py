"""A server that does as it is told, and time that passes when a test says so."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from email.message import Message
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from openfeature.event import ProviderEvent, ProviderEventDetails

from flagstone._follow import Follower
from flagstone._http import Connections, read_address

Respond = Callable[[BaseHTTPRequestHandler], None]


def answer(status: int, body: bytes = b"", **headers: str) -> Respond:
    """Answers with this; `_` in the names of headers is `-`."""

    def respond(request: BaseHTTPRequestHandler) -> None:
        request.send_response(status)
        for name, value in headers.items():
            request.send_header(name.replace("_", "-"), value)
        request.send_header("Content-Length", str(len(body)))
        request.end_headers()
        request.wfile.write(body)

    return respond


def publish(published: Mapping[str, Any], etag: str = '"a"', **headers: str) -> Respond:
    """Answers as a CDN does, or as a proxy if the headers are a proxy's."""
    body = json.dumps(published).encode()

    def respond(request: BaseHTTPRequestHandler) -> None:
        is_known = request.headers["If-None-Match"] == etag
        answer(304 if is_known else 200, b"" if is_known else body, ETag=etag, **headers)(request)

    return respond


def hang_up(request: BaseHTTPRequestHandler) -> None:
    """Closes the connection."""
    request.close_connection = True


@dataclass
class World:
    """A server on a real socket, and time."""

    respond: Respond = hang_up
    now: float = 0.0
    limit: float = 0.0
    chance: float = 0.5
    """In the middle it spreads nothing."""
    sent: list[tuple[float, str, Message]] = field(default_factory=list[Any])
    """The requests: when, for what, with which headers."""
    events: list[str] = field(default_factory=list[str])
    following: list[Follower] = field(default_factory=list[Follower])

    def __post_init__(self) -> None:
        world = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                world.sent.append((world.now, self.path, self.headers))
                with suppress(ConnectionError):  # the client has read enough
                    world.respond(self)

            def log_message(self, format: str, *args: Any) -> None:  # noqa: A002
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True
        self.url = f"http://127.0.0.1:{self.server.server_port}"
        threading.Thread(target=self.server.serve_forever, args=(0.01,), daemon=True).start()

    def close(self) -> None:
        """Ends the server, and what follows it."""
        for follower in self.following:
            follower.stop()
        self.server.shutdown()
        self.server.server_close()

    def wait(self, seconds: float) -> bool:
        """Lets time pass up to the limit."""
        if self.now + seconds > self.limit:
            self.now = self.limit
            return True
        self.now += seconds
        return False

    def emit(self, event: ProviderEvent, details: ProviderEventDetails) -> None:
        """Notes an event."""
        name = event.value.removeprefix("PROVIDER_")
        self.events.append(f"{name} {','.join(details.flags_changed)}" if details.flags_changed else name)

    def follow(self, path: str = "", **options: Any) -> Follower:
        """A follower of this server in this time."""
        follower = Follower(
            Connections(read_address(self.url + path, {"Authorization": "Bearer fsk_a"})),
            self.emit,
            clock=lambda: self.now,
            chance=lambda: self.chance,
            wait=self.wait,
            **options,
        )
        self.following.append(follower)
        return follower

    def begin(self, follower: Follower) -> None:
        """Starts a follower, and lets its thread see that no time passes."""
        try:
            follower.start()
        finally:
            join_followers()

    def pass_time(self, follower: Follower, seconds: float) -> None:
        """Lets time pass for a follower."""
        self.limit += seconds
        follower.run()

    def times(self, path: str = "/v1/flags") -> list[float]:
        """When a path was requested."""
        return [at for at, asked, _ in self.sent if asked == path]


def followers() -> list[threading.Thread]:
    """The threads that follow documents."""
    return [thread for thread in threading.enumerate() if thread.name == "flagstone"]


def join_followers() -> None:
    """Waits until they have ended."""
    for thread in followers():
        thread.join(10)
