"""Documents for tests."""

from __future__ import annotations

from typing import Any


def rule(
    operator: str, value: str, return_value: object, attribute: str = "x", **more: str
) -> dict[str, Any]:
    """A rule."""
    members = {"id": f"by-{operator}", "attribute": attribute, "operator": operator, "value": value}
    return {**members, "returnValue": return_value, **more}


def flag(key: str, default: object, *rules: dict[str, Any], enabled: bool | None = True) -> dict[str, Any]:
    """The entry of a flag; `enabled` is None if it is not configured."""
    texts = dict.fromkeys(["id", "projectId", "name", "description", "type", "createdAt", "updatedAt"], "")
    ids = dict.fromkeys(["id", "flagId", "environmentId", "updatedAt"], "")
    texts["projectId"], ids["environmentId"] = "shop", "production"
    configuration = None if enabled is None else {**ids, "enabled": enabled, "rules": list(rules)}
    return {"flag": {**texts, "key": key, "defaultValue": default}, "environment": configuration}


def document(*flags: dict[str, Any]) -> dict[str, Any]:
    """A document."""
    return {"flags": sorted(flags, key=lambda entry: entry["flag"]["key"])}
