"""Follows a proxy that would be polled once an hour, and prints what happens until the first change."""

import queue
import sys

from openfeature import api
from openfeature.evaluation_context import EvaluationContext
from openfeature.event import EventDetails, ProviderEvent

from flagstone.openfeature import FlagstoneProvider

changes: queue.Queue[EventDetails] = queue.Queue()
url, api_key = sys.argv[1:]
api.set_provider_and_wait(FlagstoneProvider(url, api_key=api_key, poll_interval=3600))
client = api.get_client()
client.add_handler(ProviderEvent.PROVIDER_CONFIGURATION_CHANGED, changes.put)
context = EvaluationContext(attributes={"email": "ann@example-0.com"})
details = client.get_boolean_details("dark.mode", False, context)
print(client.get_provider_status().value, details.value, details.variant, flush=True)
print("CHANGED", *(changes.get(timeout=30).flags_changed or []), flush=True)
api.shutdown()
