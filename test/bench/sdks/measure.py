"""One SDK for Python: how fast it starts and evaluates. As measure.ts and measure.go."""

import gc
import http.client
import json
import logging
import os
import sys
import time
from pathlib import Path
from urllib.parse import urlsplit

engine, folder, size, seconds, address, key = (sys.argv + [""] * 6)[1:7]
contexts = json.loads((Path(folder) / "contexts.json").read_text())
count = int(size)


def flagstone():
    from flagstone import Evaluator

    def start(text):
        evaluate = Evaluator(json.loads(text)).evaluate
        return lambda key, context: evaluate(key, contexts[context]).value is True

    return start


def ofrep():
    bodies = [json.dumps({"context": context}) for context in contexts]
    headers = {"Authorization": f"Bearer {key}", "Content-Type": "application/json"}
    connection = http.client.HTTPConnection(urlsplit(address).netloc)

    def is_on(key, context):
        connection.request("POST", f"/ofrep/v1/evaluate/flags/{key}", bodies[context], headers)
        return json.load(connection.getresponse())["value"] is True

    return lambda text: is_on


def unleash():
    from UnleashClient import UnleashClient
    from UnleashClient.cache import FileCache

    users = [{"properties": context} for context in contexts]

    def start(text):
        cache = FileCache("bench", directory=folder)
        cache.bootstrap_from_dict(json.loads(text))
        client = UnleashClient(
            "http://127.0.0.1:9/",
            "bench",
            cache=cache,
            disable_metrics=True,
            disable_registration=True,
            verbose_log_level=logging.CRITICAL,
        )
        client.initialize_client(fetch_toggles=False)
        return lambda key, context: client.is_enabled(key, users[context])

    return start


def growthbook():
    from growthbook import GrowthBook

    def start(text):
        client = GrowthBook(features=json.loads(text)["features"])

        def is_on(key, context):
            if client.get_attributes() is not contexts[context]:
                client.set_attributes(contexts[context])
            return client.is_on(key)

        return is_on

    return start


def flagd():
    from openfeature.contrib.tools.flagd.core.flagd_core import FlagdCore
    from openfeature.evaluation_context import EvaluationContext

    users = [EvaluationContext(context["targetingKey"], context) for context in contexts]

    def start(text):
        core = FlagdCore()
        core.set_flags(text)
        return lambda key, context: core.resolve_boolean_value(key, False, users[context]).value

    return start


def megabytes():
    gc.collect()
    return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 1e6


# CPU time; with OFREP, a server works, too.
now = time.perf_counter if engine == "ofrep" else time.process_time
start = globals()[engine]()
file = "flagstone" if engine == "ofrep" else engine
text = (Path(folder) / f"{file}-{size}.json").read_text()
before, began = megabytes(), now()
is_on = start(text)
milliseconds = (now() - began) * 1000
memory = megabytes() - before

keys = [f"flag-{at:05}" for at in range(count)]
at = 0


def evaluate(times):
    global at
    first, at = at, at + times
    return sum(is_on(keys[i * 7919 % count], i // count % len(contexts)) for i in range(first, at))


on = evaluate(5 * count)
per_second = 0.0
for _ in range(3 if float(seconds) > 0 else 0):
    since = now()
    evaluations = 0
    while now() - since < float(seconds):
        evaluate(500)
        evaluations += 500
    per_second = max(per_second, evaluations / (now() - since))
print(
    json.dumps({"milliseconds": milliseconds, "memory": memory, "on": on, "perSecond": per_second}),
    flush=True,
)
os._exit(0)
