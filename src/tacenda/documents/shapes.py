"""Recognize records that a shipped field policy is for, by the paths of their fields."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

_SIGNS = {
    "openai-chat": (("messages.role",), ("messages.content", "messages.content.type")),
    "anthropic-chat": (
        ("messages.role",),
        ("messages.content.tool_use_id", "messages.content.input", "messages.content.source"),
    ),
    "sharegpt": (("conversations.from",), ("conversations.value",)),
    "fhir": (("resourceType",),),
}
"""Paths by which a shipped policy is known, one of each group, the most special at last."""
_DEPTH = 3


def shipped_for(names: Collection[str]) -> str | None:
    """Return the name of the shipped policy for records with these paths, or None."""
    fitting = [
        name
        for name, signs in _SIGNS.items()
        if all(any(path in names for path in group) for group in signs)
    ]
    return fitting[-1] if fitting else None


def ways(value: Any) -> str:
    """Return the end of a message: the options to use for a JSON object with fields."""
    policy = shipped_for(set(_paths(value, "", _DEPTH)))
    if policy is not None:
        return f"--fields {policy}, which ships for such files"
    return "--fields POLICY, which tacenda fields FILE -o POLICY proposes"


def _paths(value: Any, prefix: str, depth: int) -> list[str]:
    """Return the paths inside a value, up to a depth; lists add nothing to them."""
    if isinstance(value, list):
        return [path for item in value for path in _paths(item, prefix, depth)]
    if not isinstance(value, dict) or not depth:
        return []
    paths: list[str] = []
    for name, item in value.items():
        paths += [prefix + name, *_paths(item, f"{prefix}{name}.", depth - 1)]
    return paths
