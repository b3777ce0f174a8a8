"""Recognize records for which a field policy ships, by the paths of their fields."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from math import inf
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
"""Paths that identify a shipped policy, one from each group; more specific policies come last."""
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
    policy = shipped_for({".".join(path) for path in paths_in(value, _DEPTH)})
    if policy is not None:
        return f"--fields {policy}, which ships for such files"
    return "--fields POLICY, which tacenda fields FILE -o POLICY proposes"


def paths_in(
    value: Any, depth: float = inf, path: tuple[str, ...] = ()
) -> Iterator[tuple[str, ...]]:
    """Yield the path of each object member in a value, in order, up to a depth; lists add nothing to paths."""
    if isinstance(value, list):
        for item in value:
            yield from paths_in(item, depth, path)
    elif isinstance(value, dict) and len(path) < depth:
        for key, item in value.items():
            yield (*path, key)
            yield from paths_in(item, depth, (*path, key))
