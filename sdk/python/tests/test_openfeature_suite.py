"""OpenFeature's own suite, unchanged. A step says where Flagstone differs, as the suite's README does."""

from __future__ import annotations

import asyncio
import copy
import json
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from typing import Any

import pytest
from documents import document, flag, rule
from openfeature import api
from openfeature.client import OpenFeatureClient
from openfeature.evaluation_context import EvaluationContext
from openfeature.event import ProviderEvent
from openfeature.exception import OpenFeatureError
from openfeature.flag_evaluation import FlagEvaluationDetails, FlagEvaluationOptions
from openfeature.hook import Hook, HookContext, HookHints
from pytest_bdd import given, parsers, scenarios, then, when
from world import Respond, World, answer, publish

from flagstone.openfeature import FlagstoneProvider

FOLDER = Path(__file__).parents[3] / "test" / "sdk" / "openfeature" / "gherkin"
scenarios(str(FOLDER / "evaluation_v2.feature"))

TEST_FLAGS: dict[str, Any] = json.loads((FOLDER / "test-flags.json").read_text("utf-8"))
EMAIL = {"attribute": "email", "operator": "equals", "value": "ballmer@macrosoft.com"}
GROWN = {"attribute": "age", "operator": "greaterThan", "value": "10"}
STRANGER = {"attribute": "customer", "operator": "notEquals", "value": "true"}


def entry(key: str, test_flag: dict[str, Any]) -> dict[str, Any]:
    """The entry of a flag of the suite."""
    variants, evaluator = test_flag["variants"], test_flag.get("contextEvaluator")
    rules: list[dict[str, Any]] = []
    if evaluator == "email == 'ballmer@macrosoft.com' ? 'zero' : ''":
        rules.append(rule("equals", EMAIL["value"], variants["zero"], "email"))
    elif evaluator is not None:
        rules.append(rule("all", json.dumps([EMAIL, GROWN, STRANGER]), variants["internal"], ""))
    enabled = not test_flag.get("disabled", False)
    return flag(key, variants[test_flag["defaultVariant"]], *rules, enabled=enabled)


FLAGS = document(*(entry(key, value) for key, value in TEST_FLAGS.items() if value.get("defaultVariant")))


@dataclass
class Application:
    """What a scenario asks, and what it got."""

    world: World
    providers: list[FlagstoneProvider] = field(default_factory=list[FlagstoneProvider])
    client: OpenFeatureClient = field(default_factory=api.get_client)
    type: str = ""
    key: str = ""
    default: Any = None
    attributes: dict[str, Any] = field(default_factory=dict[str, Any])
    before: dict[str, Any] = field(default_factory=dict[str, Any])
    happened: list[str] = field(default_factory=list[str])
    options: FlagEvaluationOptions = field(default_factory=FlagEvaluationOptions)
    details: FlagEvaluationDetails[Any] | None = None

    def ask(self, suffix: str = "") -> Any:
        """Asks for the flag by the method for its type."""
        ask = getattr(self.client, f"get_{self.type.lower()}_details{suffix}")
        return ask(self.key, self.default, EvaluationContext(attributes=self.attributes), self.options)

    @property
    def said(self) -> FlagEvaluationDetails[Any]:
        """The details."""
        assert self.details is not None
        return self.details


@pytest.fixture
def app(world: World) -> Iterator[Application]:
    """The application of a scenario."""
    created = Application(world)
    yield created
    for provider in created.providers:  # The SDK leaves a provider whose successor does not start.
        provider.shutdown()


def read(kind: str, text: str) -> Any:
    """A value as the suite writes it."""
    text = text.replace('\\"', '"')
    readers: dict[str, Callable[[str], Any]] = {
        "String": str,
        "Integer": int,
        "Float": float,
        "Boolean": json.loads,
        "Object": json.loads,
    }
    return readers[kind](text)


def never(_: BaseHTTPRequestHandler) -> None:
    threading.Event().wait(60)


@given(parsers.re("an? (?P<state>stable|not ready|error|fatal|stale) provider"))
def start(app: Application, state: str) -> None:
    answers: dict[str, Respond] = {"not ready": never, "error": answer(500), "fatal": answer(401)}
    app.world.respond = answers.get(state, publish(FLAGS))
    provider = FlagstoneProvider(app.world.url, poll_interval=0.1 if state == "stale" else 30)
    app.providers.append(provider)
    if state == "not ready":
        api.set_provider(provider)
        return
    try:
        api.set_provider_and_wait(provider)
    except OpenFeatureError:
        assert state in ("error", "fatal")
    if state == "stale":
        is_stale = threading.Event()
        app.client.add_handler(ProviderEvent.PROVIDER_STALE, lambda _: is_stale.set())
        app.world.respond = answer(401)
        assert is_stale.wait(10)


@given(parsers.re('an? (?P<kind>.*)-flag with key "(?P<key>.*)" and a fallback value "(?P<default>.*)"'))
def ask_for(app: Application, kind: str, key: str, default: str) -> None:
    app.type, app.key, app.default = kind, key, read(kind, default)


@given(
    parsers.re(
        'a context containing a key "(?P<key>.*)", with type "(?P<kind>.*)" and with value "(?P<value>.*)"'
    )
)
def context(app: Application, key: str, kind: str, value: str) -> None:
    app.attributes[key] = read(kind, value)


@given(parsers.re('a context containing a key "(?P<key>.*)" with null value'))
def null_context(app: Application, key: str) -> None:
    app.attributes[key] = None


@given("an evaluation context with modifiable data")
def modifiable_context(app: Application) -> None:
    app.attributes = {"roles": ["admin"], "shop": {"country": "DE"}}
    app.before = copy.deepcopy(app.attributes)


@given("evaluation options containing specific hooks")
def hooks(app: Application) -> None:
    class Named(Hook):
        def __init__(self, name: str) -> None:
            self.name = name

        def before(self, hook_context: HookContext, hints: HookHints) -> None:
            app.happened.append(f"before {self.name}")

        def after(self, hook_context: HookContext, details: Any, hints: HookHints) -> None:
            app.happened.append(f"after {self.name}")

        def finally_after(self, hook_context: HookContext, details: Any, hints: HookHints) -> None:
            app.happened.append(f"finally {self.name}")

    app.options = FlagEvaluationOptions(hooks=[Named("one"), Named("two")])


@when("the flag was evaluated with details")
@when("the flag was evaluated with details using the evaluation options")
def evaluate(app: Application) -> None:
    app.details = app.ask()


@when("the flag was evaluated with details asynchronously")
def evaluate_async(app: Application) -> None:
    app.details = asyncio.run(app.ask("_async"))


@then("the evaluation should complete without blocking")
def completed(app: Application) -> None:
    assert app.details is not None


@then(parsers.re('the resolved details value should be "(?P<value>.*)"'))
def has_value(app: Application, value: str) -> None:
    expected = read(app.type, value)
    if app.key.endswith("-disabled-flag"):  # A disabled flag has its own default.
        expected = TEST_FLAGS[app.key]["variants"][TEST_FLAGS[app.key]["defaultVariant"]]
    assert app.said.value == expected
    assert type(app.said.value) is type(expected)


@then(parsers.re('the reason should be "(?P<reason>.*)"'))
def has_reason(app: Application, reason: str) -> None:
    assert app.said.reason == {"DISABLED": "DEFAULT", "CACHED": "STATIC"}.get(reason, reason)


@then(parsers.re('the error-code should be "(?P<code>.*)"'))
def has_error(app: Application, code: str) -> None:
    assert app.said.error_code == code


@then(parsers.re('the flag key should be "(?P<key>.*)"'))
def has_key(app: Application, key: str) -> None:
    assert app.said.flag_key == key


@then(parsers.re('the variant should be ".*"'))
def has_variant(app: Application) -> None:
    assert app.said.variant == "default"  # Values have no names.


@then("the resolved metadata should contain")
def has_metadata(app: Application) -> None:
    assert app.said.flag_metadata.keys() <= {"flagSetId", "version"}  # The document's: flags have none.


@then(parsers.re('the provider status should be "(?P<status>.*)"'))
def has_status(app: Application, status: str) -> None:
    assert app.client.get_provider_status().value == status


@then("the specified hooks should execute during evaluation")
def hooks_happened(app: Application) -> None:
    assert {"before one", "before two"} <= set(app.happened)


@then("the hook order should be maintained")
def hooks_happened_in_order(app: Application) -> None:
    assert app.happened == [
        *("before one", "before two"),
        *("after two", "after one"),
        *("finally two", "finally one"),
    ]


@then("the original evaluation context should remain unmodified")
def context_is_unmodified(app: Application) -> None:
    assert app.attributes == app.before


@then("the evaluation details should be immutable")
def metadata_is_immutable(app: Application) -> None:
    metadata: Any = app.said.flag_metadata  # The rest is the SDK's, which lets its details be changed.
    with pytest.raises(TypeError):
        metadata["a"] = 1
