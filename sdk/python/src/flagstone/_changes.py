"""What changes from one document to the next."""

from __future__ import annotations

import json

from ._document import Object
from ._evaluator import Evaluator


def changed_flags(before: Evaluator, after: Evaluator) -> list[str]:
    """The sorted keys of flags that were added, removed or may give a user a different value."""
    old, new = (
        {key: _meaning(entry) for key, entry in evaluator.entries.items()} for evaluator in (before, after)
    )
    return sorted(key for key in old.keys() | new.keys() if old.get(key) != new.get(key))


def _meaning(entry: Object) -> str:
    """A text that is equal for flags that give everyone the same values. As JSON, 1 is not True."""
    flag, configuration = entry["flag"], entry["environment"]
    rules: list[Object] = configuration["rules"] if configuration and configuration["enabled"] else []
    conditions = [
        [rule[name] for name in ("attribute", "operator", "value", "returnValue")] for rule in rules
    ]
    return json.dumps([flag["type"], flag["defaultValue"], conditions])
