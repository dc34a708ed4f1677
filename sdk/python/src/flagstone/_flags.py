"""The flags of one document, as the provider has them."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from types import MappingProxyType

from ._document import Object
from ._evaluator import Evaluator


class Flags:
    """Flags that can be evaluated and compared."""

    def __init__(self, document: Object, text: str | None = None) -> None:
        """`text` is what the document was read from, if anything. Raises ValueError if it is no document."""
        self.evaluator = Evaluator(document)
        self.metadata = _metadata(document, text)
        self._entries: dict[str, Object] = {entry["flag"]["key"]: entry for entry in document["flags"]}

    def is_static(self, key: str) -> bool:
        """Whether an enabled flag has the same value for everyone: it has no rules, or `always` first."""
        configuration = self._entries[key]["environment"]
        if configuration is None or not configuration["enabled"]:
            return False
        return not configuration["rules"] or configuration["rules"][0]["operator"] == "always"

    def changed_since(self, before: Flags) -> list[str]:
        """The sorted keys of flags that were added, removed or may give a user a different value."""
        old, new = (
            {key: _meaning(entry) for key, entry in flags._entries.items()} for flags in (before, self)
        )
        return sorted(key for key in old.keys() | new.keys() if old.get(key) != new.get(key))


def _metadata(document: Object, text: str | None) -> Mapping[str, str]:
    """What telemetry records of the document, by OpenFeature's names."""
    configured = next((entry for entry in document["flags"] if entry["environment"] is not None), None)
    metadata: dict[str, str] = {}
    if configured is not None:
        ids = configured["flag"]["projectId"], configured["environment"]["environmentId"]
        metadata["flagSetId"] = "/".join(ids)
    if text is not None:
        metadata["version"] = hashlib.sha256(text.encode()).hexdigest()[:32]
    return MappingProxyType(metadata)


def _meaning(entry: Object) -> str:
    """A text that is equal for flags that give everyone the same values. As JSON, 1 is not True."""
    flag, configuration = entry["flag"], entry["environment"]
    rules: list[Object] = (
        configuration["rules"] if configuration is not None and configuration["enabled"] else []
    )
    conditions = [
        [rule[name] for name in ("attribute", "operator", "value", "returnValue")] for rule in rules
    ]
    return json.dumps([flag["type"], flag["defaultValue"], conditions])
