"""By what a run was decided: version, policy and model, with digests to compare them by."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from ..models.store import DEFAULT, find, read_model
from ..policy import Policy
from ..version import __version__

_NAMES = ("target", "allow", "deny", "operators_for")
_PLACES = ("key_env", "key_file")


@dataclass(frozen=True, slots=True)
class Origin:
    """What all documents of a run have in common.

    Attributes:
        created: when, ISO 8601 in UTC.
        policy: its settings without names of people and places of keys, and a digest of them.
        model: name and SHA-256 of each file; None where no model ran.
        background: name and SHA-256 of what an adversary was taken to know; None if nothing.
    """

    created: str
    policy: dict[str, Any]
    model: dict[str, Any] | None
    background: dict[str, Any] | None = None

    def as_object(self) -> dict[str, Any]:
        """Return it as the head of a record."""
        return {
            "created": self.created,
            "tool": {"name": "tacenda", "version": __version__},
            "policy": self.policy,
            "model": self.model,
            "background": self.background,
        }


def origin_of(
    policy: Policy,
    threshold: float,
    model: str | Path | None = None,
    *,
    name: str = "",
    created: datetime | None = None,
) -> Origin:
    """Return the origin of a run.

    Args:
        policy: as it was applied.
        threshold: that held where the policy sets none by type.
        model: name or folder of the recognizer; the policy's or the default one if None.
        name: of the policy.
        created: the time, now by default.

    Raises:
        ModelError: if there is no such model.
    """
    ran = model_of(policy, model)
    return origin_with(policy, threshold, ran, name=name, created=created)


def origin_with(
    policy: Policy,
    threshold: float,
    model: dict[str, Any] | None,
    background: dict[str, Any] | None = None,
    *,
    name: str = "",
    created: datetime | None = None,
) -> Origin:
    """Return the origin of a run whose model and background are known; see ``Origin``."""
    settings = policy.model_dump(mode="json", exclude={*_NAMES, *_PLACES})
    settings["threshold"] = threshold
    # Names in a policy are those of the people it protects; how many there are is enough.
    counts = {field: len(getattr(policy, field)) for field in _NAMES}
    canonical = json.dumps([settings, counts], sort_keys=True, separators=(",", ":"))
    moment = datetime.now(UTC) if created is None else created
    return Origin(
        created=moment.isoformat(timespec="seconds"),
        policy={
            "name": name,
            "sha256": hashlib.sha256(canonical.encode()).hexdigest(),
            "settings": settings,
            "rules": counts,
        },
        model=model,
        background=background,
    )


def model_of(policy: Policy, model: str | Path | None = None) -> dict[str, Any] | None:
    """Return name and digests of the recognizer; None where the policy does without one.

    Raises:
        ModelError: if there is no such model.
    """
    if not policy.recognizer:
        return None
    named = model or policy.model or DEFAULT
    shipped = read_model(Path(named)) if Path(named).is_dir() else find(str(named))
    return {"name": shipped.name, "files": dict(sorted(shipped.digests.items()))}
