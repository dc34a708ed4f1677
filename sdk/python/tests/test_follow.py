"""How a document is followed: with a server on a real socket, in time that passes when a test says so."""

from __future__ import annotations

import gzip
import json
import stat
import threading
import time
import zlib
from datetime import datetime, timedelta, timezone
from email.utils import formatdate
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from queue import SimpleQueue

import pytest
from documents import document, flag, rule
from openfeature.event import ProviderEvent
from world import Respond, World, answer, hang_up, publish

from flagstone import Evaluator, _http
from flagstone._cache_file import write_cache
from flagstone._follow import Follower
from flagstone._http import Connections, FetchError, read_address

FLAGS = document(flag("count", 1), flag("theme", "blue", rule("equals", "pro", "gold", "plan")))


def value(follower: Follower, key: str, **context: object) -> object:
    """The value of a flag."""
    assert follower.flags is not None
    return follower.flags.evaluate(key, context).value


def truncated_gzip(request: BaseHTTPRequestHandler) -> None:
    answer(200, gzip.compress(json.dumps(FLAGS).encode())[:-20], Content_Encoding="gzip")(request)


def too_short(request: BaseHTTPRequestHandler) -> None:
    request.send_response(200)
    request.send_header("Content-Length", "1000")
    request.end_headers()
    request.wfile.write(json.dumps(FLAGS).encode()[:-5])


FAILURES = {
    "no answer": hang_up,
    "500": answer(500),
    "404": answer(404),
    "a page": answer(200, b"<html>"),
    "no flags": answer(200, b'{"flags":[{}]}'),
    "values": answer(200, b'{"flags":{"count":2}}'),
    "NaN": answer(200, json.dumps(document(flag("count", float("nan")))).encode()),
    "too many brackets": answer(200, b"[" * 100_000),
    "half of a gzip": truncated_gzip,
    "half of a document": too_short,
}
failures = pytest.mark.parametrize("respond", FAILURES.values(), ids=FAILURES)


class TestStarts:
    def test_with_flags(self, world: World) -> None:
        world.respond = publish(FLAGS)
        follower = world.follow()
        world.begin(follower)
        assert value(follower, "theme", plan="pro") == "gold"
        _, path, headers = world.sent[0]
        assert (path, headers["Authorization"]) == ("/v1/flags", "Bearer fsk_a")
        assert world.events == []

    @pytest.mark.parametrize("coding", ["gzip", "GZip"])
    def test_with_flags_in_gzip(self, world: World, coding: str) -> None:
        body = gzip.compress(json.dumps(FLAGS).encode())
        world.respond = answer(200, body, Content_Encoding=coding)
        follower = world.follow()
        world.begin(follower)
        assert value(follower, "count") == 1

    @failures
    def test_without_flags_and_is_ready_as_soon_as_there_are_some(
        self, world: World, respond: Respond
    ) -> None:
        world.respond = respond
        follower = world.follow()
        with pytest.raises(FetchError) as failure:
            world.begin(follower)
        assert not failure.value.refused
        assert world.url in str(failure.value)
        world.pass_time(follower, 0.5)
        assert len(world.sent) == 1
        world.respond = publish(FLAGS)
        world.pass_time(follower, 0.5)
        assert world.events == ["READY"]
        assert value(follower, "count") == 1

    def test_at_growing_intervals_up_to_the_usual_one(self, world: World) -> None:
        follower = world.follow()
        with pytest.raises(FetchError):
            world.begin(follower)
        world.pass_time(follower, 91)
        assert world.times() == [0, 1, 3, 7, 15, 31, 61, 91]

    @pytest.mark.parametrize("status", [401, 403])
    def test_refused_and_is_ready_when_the_key_is_valid_after_all(self, world: World, status: int) -> None:
        world.respond = answer(status, Content_Type="application/json")
        follower = world.follow()
        with pytest.raises(FetchError, match=f"returned {status}: use an api_key") as failure:
            world.begin(follower)
        assert failure.value.refused
        world.pass_time(follower, 299)
        assert len(world.sent) == 1
        world.respond = publish(FLAGS)
        world.pass_time(follower, 1)
        assert world.events == ["READY"]

    def test_refused_by_a_firewall_which_knows_no_key(self, world: World) -> None:
        world.respond = answer(403, b"<html>", Content_Type="text/html")
        with pytest.raises(FetchError, match=r"returned 403$"):
            world.begin(world.follow())

    def test_and_says_what_is_wrong_without_the_query_which_may_be_a_signature(self, world: World) -> None:
        follower = world.follow("/flags.json?sig=secret")
        with pytest.raises(FetchError) as failure:
            world.begin(follower)
        assert world.times("/flags.json?sig=secret") == [0]
        assert f"{world.url}/flags.json " in str(failure.value)
        assert "secret" not in str(failure.value)

    def test_and_follows_no_redirect_which_would_take_its_key_elsewhere(self, world: World) -> None:
        world.respond = answer(302, Location="/elsewhere")
        with pytest.raises(FetchError, match="redirects are not followed"):
            world.begin(world.follow())
        assert len(world.sent) == 1

    def test_without_a_complaint_if_it_is_shut_down_meanwhile(
        self, world: World, caplog: pytest.LogCaptureFixture
    ) -> None:
        follower = world.follow()
        world.respond = lambda _: follower.stop()
        with pytest.raises(FetchError, match="was shut down"):
            world.begin(follower)
        assert caplog.messages == []

    def test_and_says_that_half_of_a_document_came(self, world: World) -> None:
        world.respond = too_short
        with pytest.raises(FetchError, match="it ends in the middle"):
            world.begin(world.follow())


class TestContinues:
    def test_asking_conditionally_and_silently(self, world: World) -> None:
        world.respond = publish(FLAGS)
        follower = world.follow()
        world.begin(follower)
        world.pass_time(follower, 60)
        assert world.times() == [0, 30, 60]
        assert "If-None-Match" not in world.sent[0][2]
        assert world.sent[1][2]["If-None-Match"] == '"a"'
        assert world.events == []

    def test_and_names_what_changes(self, world: World) -> None:
        world.respond = publish(FLAGS)
        follower = world.follow()
        world.begin(follower)
        renamed = flag("theme", "blue", rule("equals", "pro", "gold", "plan", id="renamed"))
        world.respond = publish(document(flag("count", True), renamed, flag("new", 1)), '"b"')
        world.pass_time(follower, 30)
        assert world.events == ["CONFIGURATION_CHANGED count,new"]
        assert value(follower, "count") is True

    def test_without_tags_and_silently(self, world: World) -> None:
        world.respond = answer(200, json.dumps(FLAGS).encode())
        follower = world.follow()
        world.begin(follower)
        flags = follower.flags
        world.pass_time(follower, 30)
        assert follower.flags is flags

    @failures
    def test_with_the_last_flags_which_are_stale_in_time(self, world: World, respond: Respond) -> None:
        world.respond = publish(FLAGS)
        follower = world.follow()
        world.begin(follower)
        world.respond = respond
        world.pass_time(follower, 89)
        assert world.events == []
        world.pass_time(follower, 1)
        assert world.events == ["STALE"]
        assert value(follower, "count") == 1
        world.pass_time(follower, 3_600)
        assert world.events == ["STALE"]
        world.respond = publish(FLAGS)
        world.pass_time(follower, 300)
        assert world.events == ["STALE", "READY"]

    def test_with_flags_that_are_stale_at_once_and_once_if_the_key_is_refused(self, world: World) -> None:
        world.respond = publish(FLAGS)
        follower = world.follow()
        world.begin(follower)
        world.respond = answer(403)
        world.pass_time(follower, 30 + 4 * 300)
        assert world.times() == [0, 30, 330, 630, 930, 1230]
        assert world.events == ["STALE"]

    def test_and_logs_once_what_becomes_of_the_flags(
        self, world: World, caplog: pytest.LogCaptureFixture
    ) -> None:
        caplog.set_level("INFO", "flagstone")
        world.respond = answer(500)
        follower = world.follow()
        with pytest.raises(FetchError):
            world.begin(follower)
        world.respond = answer(401)
        world.pass_time(follower, 1_000)
        assert world.events == ["ERROR"]
        world.respond = publish(FLAGS)
        world.pass_time(follower, 300)
        world.respond = answer(302)
        world.pass_time(follower, 1_000)
        assert world.events == ["ERROR", "READY", "STALE"]
        asked = f"{world.url}/v1/flags returned"
        assert caplog.messages == [
            f"there are no flags: {asked} 500",
            f"there are no flags: {asked} 401: use an api_key that is valid now",
            "the flags are current",
            f"the flags are stale: {asked} 302: redirects are not followed; set url to the final URL",
        ]

    @pytest.mark.parametrize(
        ("path", "event"),
        [
            ("/v1/flags", ProviderEvent.PROVIDER_STALE),
            ("/v1/events", ProviderEvent.PROVIDER_CONFIGURATION_CHANGED),  # it polls until the stream begins
        ],
    )
    def test_in_time_whatever_a_request_does(self, world: World, path: str, event: ProviderEvent) -> None:
        end = threading.Event()

        def respond(request: BaseHTTPRequestHandler) -> None:
            if request.path == path and len(world.sent) > 1:
                end.wait(60)
            changed = len(world.times()) > 2
            published = document(flag("count", 2)) if changed else FLAGS
            publish(published, f'"{changed}"', X_RateLimit_Limit="100")(request)

        world.respond = respond
        said: SimpleQueue[ProviderEvent] = SimpleQueue()
        connections = Connections(read_address(world.url, {}))
        follower = Follower(connections, lambda event, _: said.put(event), poll_interval=0.1, stale_after=0.3)
        world.following.append(follower)
        follower.start()
        assert said.get(timeout=5) == event  # a request may take 10 s
        end.set()

    def test_at_growing_intervals_up_to_five_minutes(self, world: World) -> None:
        world.respond = publish(FLAGS)
        follower = world.follow()
        world.begin(follower)
        world.respond = hang_up
        world.pass_time(follower, 1_080)
        assert world.times() == [0, 30, 60, 120, 240, 480, 780, 1080]

    @pytest.mark.parametrize("form", ["seconds", "date"])
    def test_no_sooner_than_a_server_asks_for(self, world: World, form: str) -> None:
        world.chance = 0
        retry_after = "120" if form == "seconds" else formatdate(time.time() + 121, usegmt=True)
        world.respond = answer(429, Retry_After=retry_after)
        follower = world.follow()
        with pytest.raises(FetchError):
            world.begin(follower)
        world.pass_time(follower, 119)
        assert len(world.sent) == 1
        world.pass_time(follower, 3)
        assert len(world.sent) == 2


def stream(*blocks: str) -> Respond:
    """Answers with events and ends; requests for the document get it from a proxy."""

    def respond(request: BaseHTTPRequestHandler) -> None:
        if request.path != "/v1/events":
            publish(FLAGS, X_RateLimit_Limit="100")(request)
            return
        request.send_response(200)
        request.send_header("Content-Type", "text/event-stream; charset=utf-8")
        request.end_headers()
        request.wfile.write("".join(f"{block}\n\n" for block in blocks).encode())

    return respond


class TestListens:
    def test_to_a_proxy_with_the_tag_that_it_has(self, world: World) -> None:
        world.respond = stream("retry: 1000\nid: a", "id: a\nevent: change\ndata: {}", ": nothing")
        follower = world.follow()
        world.begin(follower)
        world.pass_time(follower, 0)
        assert world.times("/v1/events") == [0]
        assert world.sent[1][2]["Last-Event-ID"] == '"a"'
        assert world.times() == [0]  # the announced document is here

    def test_and_asks_at_once_for_a_new_document(self, world: World) -> None:
        old = stream("id: b\nevent: change\ndata: {}")

        def respond(request: BaseHTTPRequestHandler) -> None:
            if len(world.times("/v1/events")) == 0 or request.path == "/v1/events":
                old(request)
            else:
                publish(document(flag("count", 2)), '"b-gzip"', X_RateLimit_Limit="100")(request)

        world.respond = respond
        follower = world.follow()
        world.begin(follower)
        world.pass_time(follower, 0)
        assert world.times() == [0, 0]
        assert world.events == ["CONFIGURATION_CHANGED count,theme"]
        assert value(follower, "count") == 2

    def test_not_to_a_cdn_nor_to_an_address_of_a_document(self, world: World) -> None:
        world.respond = publish(FLAGS)
        follower = world.follow()
        world.begin(follower)
        world.pass_time(follower, 300)
        assert world.times("/v1/events") == []
        world.respond = publish(FLAGS, X_RateLimit_Limit="100")
        follower = world.follow("/flags.json")
        world.begin(follower)
        world.pass_time(follower, 300)
        assert world.times("/v1/events") == []

    def test_again_after_a_stream_that_broke_and_polls_meanwhile(self, world: World) -> None:
        world.respond = stream("id: a")
        follower = world.follow()
        world.begin(follower)
        world.pass_time(follower, 15)
        assert world.times("/v1/events") == [0, 1, 3, 7, 15]
        world.pass_time(follower, 46)
        assert world.times() == [0, 61]  # each stream began and ended with what is new
        assert world.events == []

    def test_every_five_minutes_where_there_are_no_events(self, world: World) -> None:
        def respond(request: BaseHTTPRequestHandler) -> None:
            is_stream = request.path == "/v1/events"
            (answer(404) if is_stream else publish(FLAGS, X_RateLimit_Limit="100"))(request)

        world.respond = respond
        follower = world.follow()
        world.begin(follower)
        world.pass_time(follower, 600)
        assert world.times("/v1/events") == [0, 300, 600]
        assert len(world.times()) == 21

    def test_again_after_a_stream_that_nothing_can_read(self, world: World) -> None:
        def respond(request: BaseHTTPRequestHandler) -> None:
            if request.path != "/v1/events":
                publish(FLAGS, X_RateLimit_Limit="100")(request)
                return
            request.protocol_version = "HTTP/1.1"
            request.send_response(200)
            request.send_header("Content-Type", "text/event-stream")
            request.send_header("Transfer-Encoding", "chunked")
            request.end_headers()
            request.wfile.write(b"f" * 20 + b"\r\nid: a")

        world.respond = respond
        follower = world.follow()
        world.begin(follower)
        world.pass_time(follower, 3)
        assert world.times("/v1/events") == [0, 1, 3]

    def test_for_minutes_and_polls_rarely(self, world: World) -> None:
        def respond(request: BaseHTTPRequestHandler) -> None:
            if request.path != "/v1/events":
                publish(FLAGS, X_RateLimit_Limit="100")(request)
                return
            request.send_response(200)
            request.send_header("Content-Type", "text/event-stream")
            request.end_headers()
            for _ in range(40):
                request.wfile.write(b": nothing\n\n")
                time.sleep(0.01)

        def clock() -> float:
            world.now += 5  # whatever happens takes a while
            return world.now

        world.respond = publish(FLAGS, X_RateLimit_Limit="100")  # which is no stream
        follower = world.follow()
        world.begin(follower)
        world.respond = respond
        follower.clock = clock
        world.pass_time(follower, 300)
        *_, second, third = world.times()
        assert third - second > 300
        assert world.events == []


class TestKeeps:
    def test_the_document_for_a_start_without_network(self, world: World, tmp_path: Path) -> None:
        file = tmp_path / "flags.json"
        world.respond = answer(200, json.dumps(FLAGS, indent=1).replace("\n", "\r\n").encode())
        before = world.follow(cache_file=file)
        world.begin(before)
        assert stat.S_IMODE(file.stat().st_mode) == 0o600
        assert [path.name for path in tmp_path.iterdir()] == ["flags.json"]
        world.respond = answer(401)
        follower = world.follow(cache_file=file)
        world.begin(follower)
        assert value(follower, "theme", plan="pro") == "gold"
        assert before.flags is not None
        assert follower.flags is not None
        assert follower.flags.metadata == before.flags.metadata
        assert world.events == []
        world.pass_time(follower, 1)
        assert world.events == ["STALE"]

    @pytest.mark.parametrize("has_cache", [False, True])
    def test_a_given_document_for_a_start_without_either(
        self, world: World, tmp_path: Path, *, has_cache: bool
    ) -> None:
        file = tmp_path / "flags.json"
        if has_cache:
            file.write_text(json.dumps(FLAGS))
        follower = world.follow(cache_file=file, fallback=Evaluator(document(flag("count", 7))))
        world.begin(follower)
        assert value(follower, "count") == (1 if has_cache else 7)
        world.pass_time(follower, 1)
        world.respond = publish(FLAGS)
        world.pass_time(follower, 60)
        assert value(follower, "count") == 1
        assert world.events == [
            "STALE",
            *([] if has_cache else ["CONFIGURATION_CHANGED count,theme"]),
            "READY",
        ]

    def test_nothing_that_is_no_document_and_says_so(
        self, world: World, tmp_path: Path, caplog: pytest.LogCaptureFixture
    ) -> None:
        file = tmp_path / "flags.json"
        with pytest.raises(FetchError):
            world.begin(world.follow(cache_file=file))
        assert len(caplog.messages) == 1  # a first start has no file
        file.write_text("<html>")
        with pytest.raises(FetchError):
            world.begin(world.follow(cache_file=file))
        assert caplog.messages[1].startswith(f"the cache file {file} cannot be used: Expecting value")
        world.respond = answer(200, b"<html>")
        with pytest.raises(FetchError):
            world.begin(world.follow(cache_file=file))
        assert file.read_text() == "<html>"

    def test_flags_although_the_file_cannot_be_written_and_writes_it_when_it_can(
        self, world: World, tmp_path: Path, caplog: pytest.LogCaptureFixture
    ) -> None:
        file = tmp_path / "missing" / "flags.json"
        world.respond = publish(FLAGS)
        follower = world.follow(cache_file=file)
        world.begin(follower)
        assert value(follower, "count") == 1
        world.pass_time(follower, 60)
        assert len(world.sent) == 3
        assert [record.message.partition(":")[0] for record in caplog.records] == [
            "the flags cannot be saved for the next start"
        ]
        file.parent.mkdir()
        world.pass_time(follower, 30)
        assert json.loads(file.read_text()) == FLAGS

    def test_no_files_of_killed_processes(self, tmp_path: Path) -> None:
        import os

        old, young = tmp_path / "f.json.a.partial", tmp_path / "f.json.b.partial"
        for path in (old, young):
            path.touch()
        os.utime(old, (0, 0))
        write_cache(tmp_path / "f.json", "{}")
        assert {path.name for path in tmp_path.iterdir()} == {"f.json", "f.json.b.partial"}


def blanks(request: BaseHTTPRequestHandler) -> None:
    """Answers with blanks without end."""
    request.send_response(200)
    request.end_headers()
    while True:
        request.wfile.write(b" " * 65536)


def compressed_blanks(request: BaseHTTPRequestHandler) -> None:
    """The same, a thousand times smaller."""
    request.send_response(200)
    request.send_header("Content-Encoding", "gzip")
    request.end_headers()
    compress = zlib.compressobj(wbits=31)
    while True:
        request.wfile.write(compress.compress(b" " * 65536))


@pytest.mark.parametrize("respond", [blanks, compressed_blanks])
def test_no_more_is_read_than_the_limit(world: World, respond: Respond) -> None:
    world.respond = respond
    reason = "cannot be read: it has more than 100000 bytes: if its document is that long, set document_limit"
    with pytest.raises(FetchError, match=reason):
        Connections(read_address(world.url, {}), 100_000).fetch(None)


@pytest.mark.parametrize("encoding", ["identity", "gzip"])
def test_a_document_may_be_as_long_as_the_limit(world: World, encoding: str) -> None:
    text = json.dumps(document(flag("long", "ab" * 1000)))
    body = gzip.compress(text.encode()) if encoding == "gzip" else text.encode()
    world.respond = answer(200, body, Content_Encoding=encoding)
    assert Connections(read_address(world.url, {}), len(text)).fetch(None).text == text
    with pytest.raises(FetchError, match="more than"):
        Connections(read_address(world.url, {}), len(text) - 1).fetch(None)


def test_flags_stay_when_a_document_is_too_long(world: World) -> None:
    world.respond = publish(FLAGS)
    follower = world.follow(poll_interval=10, stale_after=30)
    follower.connections = Connections(follower.connections.address, 100_000)
    world.begin(follower)
    world.respond = compressed_blanks
    world.pass_time(follower, 60)
    assert value(follower, "count") == 1
    assert world.events == ["STALE"]


@pytest.mark.parametrize(
    ("begin", "part"),
    [
        (b"", b"HTTP/1.1 100 Continue\r\n\r\n"),
        (b"", b"a"),
        (b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n", b"a"),
    ],
)
def test_an_answer_that_never_begins_is_given_up(
    world: World, begin: bytes, part: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    def respond(request: BaseHTTPRequestHandler) -> None:
        request.wfile.write(begin)
        while True:
            request.wfile.write(part)
            time.sleep(0.001)

    monkeypatch.setattr(_http, "TIMEOUT", 0.3)
    world.respond = respond
    connections = Connections(read_address(world.url, {}))
    with pytest.raises(FetchError, match="timed out"):
        connections.fetch(None)
    with pytest.raises(FetchError, match="timed out"):
        next(connections.listen(None))


def test_connections_that_are_closed_send_nothing(world: World) -> None:
    connections = Connections(read_address(world.url, {}))
    connections.close()
    with pytest.raises(FetchError):
        connections.fetch(None)
    assert world.sent == []


@pytest.mark.parametrize(
    "odd", ["Sun, 06 Nov 99999 08:49:37 GMT", "Sun, 06 Nov 1994 08:49:37 GMT", "soon", "-1", "1.5", "0", ""]
)
def test_an_odd_retry_after_is_none(world: World, odd: str) -> None:
    world.respond = answer(503, Retry_After=odd)
    with pytest.raises(FetchError, match="returned 503") as failure:
        Connections(read_address(world.url, {})).fetch(None)
    assert failure.value.retry_after is None


@pytest.mark.parametrize("zone", ["Europe/Berlin", "America/New_York"])
@pytest.mark.skipif(not hasattr(time, "tzset"), reason="this system cannot change its time zone")
def test_retry_after_of_an_old_form_is_in_utc(
    world: World, zone: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    try:
        monkeypatch.setenv("TZ", zone)
        time.tzset()
        asked = datetime.now(timezone.utc) + timedelta(seconds=100)
        world.respond = answer(503, Retry_After=asked.strftime("%a %b %d %H:%M:%S %Y"))
        with pytest.raises(FetchError) as failure:
            Connections(read_address(world.url, {})).fetch(None)
        assert failure.value.retry_after == pytest.approx(100, abs=50)
    finally:
        monkeypatch.undo()
        time.tzset()


@pytest.mark.parametrize(
    ("given", "url", "events"),
    [
        ("http://a.example", "http://a.example/v1/flags", "http://a.example/v1/events"),
        ("http://a.example/", "http://a.example/v1/flags", "http://a.example/v1/events"),
        ("https://a.example/v1/flags", "https://a.example/v1/flags", "https://a.example/v1/events"),
        (
            "https://a.example/p/?s=1#x",
            "https://a.example/p/v1/flags?s=1",
            "https://a.example/p/v1/events?s=1",
        ),
        ("https://a.example/f.json?s=1", "https://a.example/f.json?s=1", None),
    ],
)
def test_address(given: str, url: str, events: str | None) -> None:
    address = read_address(given, {})
    assert (address.url, address.events) == (url, events)


@pytest.mark.parametrize(
    ("given", "headers"),
    [
        ("flags.example", {}),
        ("ftp://a.example", {}),
        ("http://", {}),
        ("http://a b.example", {}),
        ("http://ann:secret@a.example", {}),
        ("http://a.example", {"Authorization": "Bearer secret\n"}),
        ("http://a.example", {"Authorization": "Bearer s\u20acret"}),
    ],
)
def test_address_refuses(given: str, headers: dict[str, str]) -> None:
    with pytest.raises(ValueError, match=r"^(url|api_key)") as error:
        read_address(given, headers)
    assert "secret" not in str(error.value)
