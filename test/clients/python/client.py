"""Asks for flags through OpenFeature: argv has the proxy's address and the API key, each line of stdin a question."""

import json
import sys

from openfeature import api
from openfeature.contrib.provider.ofrep import OFREPProvider
from openfeature.evaluation_context import EvaluationContext

url, key = sys.argv[1:3]
headers = {"Authorization": f"Bearer {key}"} if key else {}
api.set_provider(OFREPProvider(url, headers_factory=lambda: headers))
client = api.get_client()
ask = {
    "boolean": (client.get_boolean_details, False),
    "text": (client.get_string_details, "fallback"),
    "integer": (client.get_integer_details, -1),
    "float": (client.get_float_details, -1.5),
    "object": (client.get_object_details, {"fallback": True}),
}
for line in sys.stdin.read().splitlines():
    accessor, flag, plan = line.split("\t")
    get, fallback = ask[accessor]
    details = get(flag, fallback, EvaluationContext("ann", {"plan": plan}))
    print(line, json.dumps(details.value), details.error_code.value if details.error_code else "", sep="\t")
