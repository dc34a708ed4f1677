"""Forks: a child has none of its parent's threads, so it must follow the document on its own."""

from __future__ import annotations

import http.client
import json
import os
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Generator
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler
from pathlib import Path

import pytest
from documents import document, flag
from world import Respond, World, answer, hang_up, join_followers, publish

from flagstone._follow import Follower
from flagstone._http import FetchError

BLUE, RED = (document(flag("theme", name)) for name in ("blue", "red"))

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="this system cannot fork")

PROGRAM = """
import os, random, sys
random.random = lambda: 0.0  # spreads nothing
from openfeature import api
from flagstone.openfeature import FlagstoneProvider
provider = FlagstoneProvider(sys.argv[1], poll_interval=0.1)
(api.set_provider_and_wait if sys.argv[2] == "wait" else api.set_provider)(provider)
sys.stdin.readline()
child = os.fork()
if child == 0:
    for line in sys.stdin:
        client = api.get_client()
        print(client.get_provider_status().value, client.get_string_value("theme", "none"), flush=True)
    provider.shutdown()
    os._exit(0)
provider.shutdown()
sys.exit(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
"""


@contextmanager
def running(program: str, *arguments: str) -> Generator[subprocess.Popen[str]]:
    """A Python program, which must end well when its input does."""
    command = [sys.executable, "-c", program, *arguments]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        yield process
        process.communicate(timeout=60)
        assert process.returncode == 0


def ask(process: subprocess.Popen[str]) -> str:
    """What a program says when it gets a line."""
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.write("\n")
    process.stdin.flush()
    return process.stdout.readline()


def test_child_follows_on_its_own(world: World) -> None:
    has_red = threading.Event()

    def respond(request: BaseHTTPRequestHandler) -> None:
        if request.headers["If-None-Match"] == '"red"':
            has_red.set()
        publish(RED, '"red"')(request) if is_forked.is_set() else publish(BLUE, '"blue"')(request)

    is_forked = threading.Event()
    world.respond = respond
    with running(PROGRAM, world.url, "wait") as process:
        assert process.stdin is not None
        process.stdin.write("fork\n")
        assert ask(process) == "READY blue\n"
        is_forked.set()
        assert has_red.wait(10)
        assert ask(process) == "READY red\n"


def test_child_of_a_parent_that_was_starting_is_ready(world: World) -> None:
    begun, has_blue, end = threading.Event(), threading.Event(), threading.Event()

    def respond(request: BaseHTTPRequestHandler) -> None:
        if len(world.sent) == 1:
            begun.set()
            end.wait(60)
            return
        if request.headers["If-None-Match"] == '"blue"':
            has_blue.set()
        publish(BLUE, '"blue"')(request)

    world.respond = respond
    with running(PROGRAM, world.url, "begin") as process:
        assert begun.wait(10)
        assert process.stdin is not None
        process.stdin.write("fork\n")
        process.stdin.flush()
        assert has_blue.wait(10)
        assert ask(process) == "READY blue\n"
        end.set()


@pytest.mark.parametrize(
    ("respond", "has_cache", "expected"),
    [(hang_up, True, "STALE blue"), (answer(401), False, "FATAL none"), (hang_up, False, "ERROR none")],
)
def test_child_of_a_parent_that_was_starting_starts_as_its_parent_would(
    world: World, tmp_path: Path, respond: Respond, has_cache: bool, expected: str
) -> None:
    file = tmp_path / "flags.json"
    if has_cache:
        file.write_text(json.dumps(BLUE))
    begun, end = threading.Event(), threading.Event()

    def stall_parent(request: BaseHTTPRequestHandler) -> None:
        if not begun.is_set():
            begun.set()
            end.wait(60)
        respond(request)

    world.respond = stall_parent
    program = PROGRAM.replace("poll_interval=0.1", "cache_file=sys.argv[3]")
    with running(program, world.url, "begin", str(file)) as process:
        assert begun.wait(10)
        assert process.stdin is not None
        process.stdin.write("fork\n")
        deadline = time.monotonic() + 10
        while (said := ask(process)) != f"{expected}\n":
            assert time.monotonic() < deadline, said
        end.set()


HANDLERS = """
import os, sys, threading
from openfeature import api
from openfeature.event import ProviderEvent
from flagstone.openfeature import FlagstoneProvider
handled = threading.Event()
provider = FlagstoneProvider(sys.argv[1], poll_interval=0.1)
api.set_provider_and_wait(provider)
api.add_handler(ProviderEvent.PROVIDER_READY, lambda details: handled.set())
handled.wait()
handled.clear()
sys.stdin.readline()
child = os.fork()
if child == 0:
    def say(details):
        print("changed", *details.flags_changed, flush=True)
        handled.set()
    api.add_handler(ProviderEvent.PROVIDER_CONFIGURATION_CHANGED, say)
    print("ready", handled.wait(10), flush=True)
    handled.clear()
    handled.wait(10)
    provider.shutdown()
    os._exit(0)
provider.shutdown()
sys.exit(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
"""


def test_child_runs_the_handlers_of_events(world: World) -> None:
    world.respond = publish(BLUE, '"blue"')
    with running(HANDLERS, world.url) as process:
        assert ask(process) == "ready True\n"
        world.respond = publish(RED, '"red"')
        assert process.stdout is not None
        assert process.stdout.readline() == "changed theme\n"


def test_child_of_a_parent_that_had_yet_to_start_is_ready(world: World) -> None:
    has_blue = threading.Event()

    def respond(request: BaseHTTPRequestHandler) -> None:
        if request.headers["If-None-Match"] == '"blue"':
            has_blue.set()
        publish(BLUE, '"blue"')(request)

    world.respond = respond
    never = "import threading; threading.Thread.start, begin = lambda thread: None, threading.Thread.start\n"
    again = "os.register_at_fork(after_in_child=lambda: setattr(threading.Thread, 'start', begin))\n"
    program = PROGRAM.replace("from flagstone", f"{never}{again}from flagstone", 1)
    with running(program, world.url, "begin") as process:
        assert process.stdin is not None
        process.stdin.write("fork\n")
        process.stdin.flush()
        assert has_blue.wait(10)
        assert ask(process) == "READY blue\n"


@pytest.mark.parametrize(
    ("begins_with", "then", "expected"),
    [
        (answer(401), answer(401), [100, 103]),
        (answer(429, Retry_After="120"), answer(429, Retry_After="120"), [64, 67]),
        (publish(BLUE), answer(403), [130, 133]),
        (publish(BLUE), answer(503, Retry_After="400"), [270, 273]),
    ],
)
@pytest.mark.filterwarnings("ignore:This process:DeprecationWarning")
def test_children_of_a_parent_that_was_turned_away_wait_as_long_and_not_all_the_same(
    world: World, begins_with: Respond, then: Respond, expected: list[float]
) -> None:
    world.respond = begins_with
    follower = world.follow(stale_after=80_000)
    with suppress(FetchError):
        world.begin(follower)
    world.respond = then
    world.pass_time(follower, 200)
    assert [first_wait_in_child(world, follower, chance) for chance in (0, 0.75)] == pytest.approx(expected)


@pytest.mark.filterwarnings("ignore:This process:DeprecationWarning")
def test_children_of_a_parent_without_events_do_not_ask_for_them_sooner(world: World) -> None:
    def respond(request: BaseHTTPRequestHandler) -> None:
        is_stream = request.path == "/v1/events"
        (answer(404) if is_stream else publish(BLUE, X_RateLimit_Limit="100"))(request)

    world.respond = respond
    follower = world.follow(poll_interval=80_000, stale_after=80_000)
    world.begin(follower)
    world.pass_time(follower, 100)
    assert [first_wait_in_child(world, follower, chance) for chance in (0, 0.75)] == pytest.approx([200, 203])


def first_wait_in_child(world: World, follower: Follower, chance: float) -> float:
    """How long the child of a fork waits before it does anything."""
    reader, writer = os.pipe()
    world.chance = chance

    def wait(seconds: float) -> bool:
        os.write(writer, str(seconds).encode())
        return True

    follower.wait = wait
    child = os.fork()
    if child == 0:
        join_followers()
        os._exit(0)
    os.waitpid(child, 0)
    os.close(writer)
    with open(reader) as waits:
        return float(waits.read())


def test_child_leaves_the_stream_of_its_parent(world: World) -> None:
    """A third stream would be the parent's second one."""
    first, second, announced, end = (threading.Event() for _ in range(4))
    asked: list[object] = []
    both_asked = threading.Event()

    def respond(request: BaseHTTPRequestHandler) -> None:
        if request.path != "/v1/events":
            if announced.is_set():
                asked.append(request)
            if len(asked) == 2:
                both_asked.set()
            publish(BLUE, '"blue"', X_RateLimit_Limit="100")(request)
            return
        request.send_response(200)
        request.send_header("Content-Type", "text/event-stream")
        request.end_headers()
        request.wfile.write(b"id: blue\n\n")
        (second if first.is_set() else first).set()
        announced.wait(60)
        request.wfile.write(b"id: red\nevent: change\ndata: {}\n\n")
        end.wait(60)

    world.respond = respond
    program = PROGRAM.replace("poll_interval=0.1", "").replace("provider.shutdown()\nsys", "sys")
    with running(program, world.url, "wait") as process:
        assert first.wait(10)
        assert process.stdin is not None
        process.stdin.write("fork\n")
        process.stdin.flush()
        assert second.wait(10)
        announced.set()
        assert both_asked.wait(10)
        assert len(world.times("/v1/events")) == 2
        end.set()


def test_nothing_is_loaded_that_a_fork_could_interrupt(world: World) -> None:
    world.respond = publish(document(flag("größe", "\U0001f600")), '"a"', X_RateLimit_Limit="100")
    program = """
import sys
from openfeature import api
from flagstone.openfeature import FlagstoneProvider
before = set(sys.modules)
api.set_provider_and_wait(FlagstoneProvider(sys.argv[1].replace("127.0.0.1", "localhost")))
print(set(sys.modules) - before)
"""
    with running(program, world.url) as process:
        assert ask(process) == "set()\n"


APPLICATION = """
import os
from openfeature import api
from flagstone.openfeature import FlagstoneProvider

api.set_provider(FlagstoneProvider(os.environ["URL"], poll_interval=0.1))

def application(environ, start_response):
    start_response("200 OK", [])
    theme = api.get_client().get_string_value("theme", "none")
    return [f"{os.getpid()} {theme}".encode()]
"""


def test_workers_of_gunicorn_follow_what_was_loaded_before_they_were_forked(
    world: World, tmp_path: Path
) -> None:
    (tmp_path / "application.py").write_text(APPLICATION)
    world.respond = publish(BLUE, '"blue"')
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port: int = listener.getsockname()[1]
        command = [sys.executable, "-m", "gunicorn", "--preload", "--workers", "2", "--log-level", "error"]
        process = subprocess.Popen(
            [*command, "--bind", f"fd://{listener.fileno()}", "application:application"],
            cwd=tmp_path,
            env={**os.environ, "URL": world.url},
            pass_fds=[listener.fileno()],
        )
        try:
            assert len(workers_with("blue", port)) == 2
            world.respond = publish(RED, '"red"')
            assert len(workers_with("red", port)) == 2
        finally:
            process.send_signal(signal.SIGTERM)
            process.wait(30)


def workers_with(theme: str, port: int) -> set[str]:
    """The workers that give this value, once there are two; within half a minute."""
    workers: set[str] = set()
    deadline = time.monotonic() + 30
    while len(workers) < 2 and time.monotonic() < deadline:
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
        connection.request("GET", "/")
        worker, given = connection.getresponse().read().decode().split(" ")
        connection.close()
        if given == theme:
            workers.add(worker)
    return workers
