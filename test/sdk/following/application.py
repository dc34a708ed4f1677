"""An application that follows flags, as `application.ts` is one: prints events, and the flag `switch` for each line."""

import sys
import threading

from flagstone.openfeature import FlagstoneProvider
from openfeature import api
from openfeature.event import EventDetails, ProviderEvent

url, api_key, poll_interval, stale_after, cache_file = sys.argv[1:]
client = api.get_client()
names = {
    ProviderEvent.PROVIDER_READY: "READY",
    ProviderEvent.PROVIDER_ERROR: "ERROR",
    ProviderEvent.PROVIDER_STALE: "STALE",
    ProviderEvent.PROVIDER_CONFIGURATION_CHANGED: "CHANGED",
}

printing = threading.Lock()


def say(*words: object) -> None:
    with printing:  # handlers run on threads of their own, and print writes each word by itself
        print(*words, flush=True)


def listen(event: ProviderEvent) -> None:
    def tell(details: EventDetails) -> None:
        if details.provider_name == "Flagstone":  # not the SDK's own, which is ready from the start
            is_vague = event == ProviderEvent.PROVIDER_STALE and not str(details.message).startswith(url)
            vague = ["without the address:", details.message] if is_vague else []
            say(names[event], *vague, *(details.flags_changed or []))

    client.add_handler(event, tell)


for event in names:
    listen(event)
api.set_provider(
    FlagstoneProvider(
        url,
        api_key=api_key,
        poll_interval=int(poll_interval) / 1000,
        stale_after=int(stale_after) / 1000,
        cache_file=cache_file,
    )
)
for _ in sys.stdin:
    details = client.get_boolean_details("switch", False)
    say("VALUE", str(details.value).lower(), details.error_code or details.reason)
api.shutdown()
