"""The provider, with OpenFeature's SDK."""

from __future__ import annotations

import asyncio
import dataclasses
import hashlib
import json
import math
import pickle
import queue
import subprocess
import sys
import threading
from http.server import BaseHTTPRequestHandler
from typing import Any

import pytest
from documents import document, flag, rule
from openfeature import api
from openfeature.client import OpenFeatureClient
from openfeature.evaluation_context import EvaluationContext
from openfeature.event import EventDetails, ProviderEvent
from openfeature.exception import ErrorCode, ProviderFatalError, ProviderNotReadyError
from openfeature.provider import ProviderStatus
from world import World, answer, followers, publish

from flagstone import __version__
from flagstone.openfeature import FlagstoneProvider

FLAGS = document(
    flag("boolean", True),
    flag("text", "blue", rule("equals", "pro", "gold", "plan")),
    flag("integer", 10),
    flag("whole", 1.0),
    flag("float", 1.5),
    flag("huge", 10**400),
    flag("object", {"columns": [3]}),
    flag("list", [1, 2]),
    flag("null", None),
    flag("nameless", False, rule("equals", "pro", True, "plan", id="")),
    flag("share", False, rule("percentage", "100", True, "targetingKey")),
    flag("always", False, rule("always", "", True)),
    flag("later", False, rule("exists", "", False, "y"), rule("always", "", True)),
    flag("disabled", False, enabled=False),
    flag("unconfigured", "blue", enabled=None),
    flag("own", False, rule("isNear", "", True)),
)


PRO = EvaluationContext("ann", {"plan": "pro"})


def client_of(provider: FlagstoneProvider) -> OpenFeatureClient:
    """A client of a provider that has been started."""
    api.set_provider_and_wait(provider)
    return api.get_client()


@pytest.mark.parametrize("is_async", [False, True], ids=["sync", "async"])
@pytest.mark.parametrize(
    ("accessor", "key", "default", "expected"),
    [
        ("boolean", "boolean", False, (True, "STATIC", "default", None)),
        ("boolean", "always", False, (True, "STATIC", "by-always", None)),
        ("boolean", "later", False, (True, "TARGETING_MATCH", "by-always", None)),
        ("boolean", "nameless", False, (True, "TARGETING_MATCH", "", None)),
        ("boolean", "share", False, (True, "SPLIT", "by-percentage", None)),
        ("boolean", "disabled", True, (False, "DEFAULT", "default", None)),
        ("boolean", "missing", True, (True, "ERROR", None, ErrorCode.FLAG_NOT_FOUND)),
        ("boolean", "own", True, (True, "ERROR", None, ErrorCode.GENERAL)),
        ("boolean", "integer", True, (True, "ERROR", None, ErrorCode.TYPE_MISMATCH)),
        ("string", "text", "", ("gold", "TARGETING_MATCH", "by-equals", None)),
        ("string", "unconfigured", "", ("blue", "DEFAULT", "default", None)),
        ("string", "boolean", "no", ("no", "ERROR", None, ErrorCode.TYPE_MISMATCH)),
        ("integer", "integer", 0, (10, "STATIC", "default", None)),
        ("integer", "whole", 0, (1, "STATIC", "default", None)),
        ("integer", "float", 0, (0, "ERROR", None, ErrorCode.TYPE_MISMATCH)),
        ("integer", "boolean", 0, (0, "ERROR", None, ErrorCode.TYPE_MISMATCH)),
        ("float", "float", 0.0, (1.5, "STATIC", "default", None)),
        ("float", "integer", 0.0, (10.0, "STATIC", "default", None)),
        ("float", "huge", 0.0, (math.inf, "STATIC", "default", None)),
        ("integer", "huge", 0, (0, "ERROR", None, ErrorCode.TYPE_MISMATCH)),
        ("float", "boolean", 0.0, (0.0, "ERROR", None, ErrorCode.TYPE_MISMATCH)),
        ("object", "object", {}, ({"columns": [3]}, "STATIC", "default", None)),
        ("object", "list", [], ([1, 2], "STATIC", "default", None)),
        ("object", "null", {"a": 1}, ({"a": 1}, "ERROR", None, ErrorCode.TYPE_MISMATCH)),
    ],
)
def test_resolves(
    accessor: str, key: str, default: Any, expected: tuple[object, ...], *, is_async: bool
) -> None:
    client = client_of(FlagstoneProvider(document=FLAGS))
    ask = getattr(client, f"get_{accessor}_details{'_async' if is_async else ''}")
    details = asyncio.run(ask(key, default, PRO)) if is_async else ask(key, default, PRO)
    assert (details.value, details.reason, details.variant, details.error_code) == expected
    assert type(details.value) is type(expected[0])
    has_value = details.error_code is None
    assert details.flag_metadata == ({"flagSetId": "shop/production"} if has_value else {})


def test_names_the_document_for_telemetry(world: World) -> None:
    world.respond = publish(FLAGS)
    provider = FlagstoneProvider(world.url, events=False)
    client = client_of(provider)
    version = hashlib.sha256(json.dumps(FLAGS).encode()).hexdigest()[:32]
    metadata = client.get_boolean_details("boolean", False).flag_metadata
    assert metadata == {"flagSetId": "shop/production", "version": version}
    for copy in (json.loads(json.dumps(metadata)), pickle.loads(pickle.dumps(metadata))):
        assert copy == metadata
    assert dataclasses.asdict(client.get_boolean_details("boolean", False))["flag_metadata"] == metadata
    values = client_of(FlagstoneProvider(document={"flags": {"delivery-slots": True}}))
    assert values.get_boolean_details("delivery-slots", False).flag_metadata == {}


def test_takes_a_document_beside_the_address_of_a_server_that_has_none(world: World) -> None:
    world.respond = answer(401)
    client = client_of(FlagstoneProvider(world.url, document={"flags": {"delivery-slots": True}}))
    assert client.get_boolean_details("delivery-slots", False).value is True


def test_takes_flags_with_one_value_each() -> None:
    client = client_of(FlagstoneProvider(document={"flags": {"delivery-slots": True}}))
    assert client.get_boolean_details("delivery-slots", False).value is True


def test_gives_values_that_the_caller_may_change() -> None:
    client = client_of(FlagstoneProvider(document=FLAGS))
    value: Any = client.get_object_value("object", {})
    value["columns"].append(4)
    assert client.get_object_value("object", {}) == {"columns": [3]}


def test_adds_the_moment_to_a_context_without_one_if_told_to() -> None:
    flags = document(flag("banner", False, rule("after", "2026-01-01", True, "now")))
    client = client_of(FlagstoneProvider(document=flags, clock_attribute="now"))
    assert client.get_boolean_value("banner", False) is True
    past = EvaluationContext(attributes={"now": "2025-12-31"})
    assert client.get_boolean_value("banner", True, past) is False
    assert client_of(FlagstoneProvider(document=flags)).get_boolean_value("banner", True) is False


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"url": None}, "give url or document"),
        ({"url": "http://flags.example", "stale_after": "3"}, "stale_after must be seconds"),
        ({"url": "http://flags.example", "api_key": ""}, "api_key must not be empty"),
        ({"document": {"flags": 3}}, "document is not .*: it is not an object with a list `flags`"),
        ({"document": '{"flags":[]}'}, "document is not"),
        ({"url": "flags.example"}, "url must"),
        ({"url": "http://flags.example", "poll_interval": 0}, "seconds"),
        (
            {"url": "http://flags.example", "poll_interval": 0.03},
            "seconds, from 0.1 to 86400, such as 30: 0.03",
        ),
        ({"url": "http://flags.example", "stale_after": 1e9}, "seconds"),
        (
            {"url": "http://flags.example", "stale_after": 0.09},
            "stale_after must be seconds, from 0.1 to 86400",
        ),
        ({"url": "http://flags.example", "api_key": "a\nb"}, "api_key"),
        ({"document": {"flags": [None]}}, "flag entry"),
        ({"document": {"flags": {1: True}}}, "the key 1 must be a string"),
    ],
)
def test_refuses_options(options: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        FlagstoneProvider(**options)


def test_takes_a_poll_interval_of_a_day_alone() -> None:
    FlagstoneProvider("http://flags.example", poll_interval=86_400)


def collect(client: OpenFeatureClient) -> queue.Queue[tuple[ProviderEvent, EventDetails]]:
    """The events of a client from now on."""
    events: queue.Queue[tuple[ProviderEvent, EventDetails]] = queue.Queue()

    def add(event: ProviderEvent) -> None:
        client.add_handler(event, lambda details: events.put((event, details)))

    for event in ProviderEvent:
        add(event)
    return events


def test_follows_a_server_and_says_what_happens(world: World) -> None:
    world.respond = publish(FLAGS)
    provider = FlagstoneProvider(world.url, api_key="fsk_a", poll_interval=0.1, stale_after=60)
    client = client_of(provider)
    assert world.sent[0][2]["Authorization"] == "Bearer fsk_a"
    assert world.sent[0][2]["User-Agent"] == f"flagstone-python/{__version__}"
    events = collect(client)
    assert events.get(timeout=10)[0] is ProviderEvent.PROVIDER_READY
    assert client.get_string_value("text", "", PRO) == "gold"
    world.respond = publish(document(flag("text", "red")), '"b"')
    event, details = events.get(timeout=10)
    assert event is ProviderEvent.PROVIDER_CONFIGURATION_CHANGED
    assert "text" in (details.flags_changed or [])
    assert client.get_string_value("text", "", PRO) == "red"
    world.respond = answer(401)
    assert events.get(timeout=10)[0] is ProviderEvent.PROVIDER_STALE
    assert client.get_provider_status() is ProviderStatus.STALE
    assert client.get_string_value("text", "", PRO) == "red"


@pytest.mark.parametrize(
    ("status", "error", "code", "after"),
    [
        (500, ProviderNotReadyError, ErrorCode.PROVIDER_NOT_READY, ProviderStatus.ERROR),
        (401, ProviderFatalError, ErrorCode.PROVIDER_FATAL, ProviderStatus.FATAL),
    ],
)
def test_starts_without_flags(
    world: World, status: int, error: type[Exception], code: ErrorCode, after: ProviderStatus
) -> None:
    world.respond = answer(status)
    client = api.get_client()
    events = collect(client)
    with pytest.raises(error, match=f"returned {status}"):
        api.set_provider_and_wait(FlagstoneProvider(world.url))
    assert client.get_provider_status() is after
    while events.get(timeout=10)[0] is not ProviderEvent.PROVIDER_ERROR:
        pass
    details = client.get_boolean_details("boolean", False)
    assert (details.value, details.error_code) == (False, code)


def test_is_ready_without_anyone_waiting(world: World) -> None:
    world.respond = publish(FLAGS)
    client = api.get_client("later")
    events = collect(client)
    api.set_provider(FlagstoneProvider(world.url), "later")
    while events.get(timeout=10)[1].provider_name != "Flagstone":
        pass
    assert client.get_boolean_value("boolean", False) is True


class TestShutdown:
    """ends the thread at once,"""

    def test_between_two_requests(self, world: World) -> None:
        world.respond = publish(FLAGS)
        provider = FlagstoneProvider(world.url)
        client_of(provider)
        provider.initialize(EvaluationContext())
        assert len(followers()) == 1
        provider.shutdown()
        provider.shutdown()
        assert followers() == []
        assert client_of(provider).get_boolean_value("boolean", False) is True

    def test_while_it_listens(self, world: World) -> None:
        listening, end = threading.Event(), threading.Event()

        def respond(request: BaseHTTPRequestHandler) -> None:
            if request.path != "/v1/events":
                publish(FLAGS, X_RateLimit_Limit="100")(request)
                return
            request.send_response(200)
            request.send_header("Content-Type", "text/event-stream")
            request.end_headers()
            request.wfile.write(b"id: a\n\n")
            listening.set()
            end.wait(60)

        world.respond = respond
        provider = FlagstoneProvider(world.url)
        client_of(provider)
        assert listening.wait(10)
        provider.shutdown()
        assert followers() == []
        end.set()

    def test_during_a_request_that_nobody_answers(self, world: World) -> None:
        asked, end = threading.Event(), threading.Event()

        def respond(request: BaseHTTPRequestHandler) -> None:
            if len(world.sent) == 1:
                publish(FLAGS)(request)
                return
            asked.set()
            end.wait(60)

        world.respond = respond
        provider = FlagstoneProvider(world.url, poll_interval=0.1)
        client_of(provider)
        assert asked.wait(10)
        provider.shutdown()
        assert followers() == []
        end.set()

    def test_during_a_start(self, world: World) -> None:
        asked, end = threading.Event(), threading.Event()

        def respond(_: BaseHTTPRequestHandler) -> None:
            asked.set()
            end.wait(60)

        world.respond = respond
        provider = FlagstoneProvider(world.url)
        failures: list[Exception] = []

        def start() -> None:
            try:
                provider.initialize(EvaluationContext())
            except ProviderNotReadyError as error:
                failures.append(error)

        starting = threading.Thread(target=start)
        starting.start()
        assert asked.wait(10)
        provider.shutdown()
        starting.join(10)
        assert len(failures) == 1
        assert followers() == []
        end.set()


def run(program: str, *arguments: str) -> str:
    """What a Python program prints. It fails if the program does, or takes longer than a minute."""
    command = [sys.executable, "-W", "error", "-c", program, *arguments]
    return subprocess.run(command, check=True, capture_output=True, text=True, timeout=60).stdout


def test_holds_no_interpreter_that_exits(world: World) -> None:
    world.respond = publish(FLAGS)
    program = """
import sys
from openfeature import api
from flagstone.openfeature import FlagstoneProvider
api.set_provider_and_wait(FlagstoneProvider(sys.argv[1], poll_interval=0.1))
print(api.get_client().get_boolean_value("boolean", False))
"""
    assert run(program, world.url) == "True\n"
