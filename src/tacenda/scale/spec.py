"""The specification sent to each worker, and the sanitizer that the worker builds from it."""

from __future__ import annotations

import hashlib
import hmac
import json
import os
from collections.abc import Iterable, Sequence
from dataclasses import astuple, dataclass, field, replace
from functools import lru_cache, partial
from pathlib import Path
from typing import Final

from .._version import __version__
from ..documents.fields import FieldPolicy, Fields, Treatment
from ..errors import InputError, ModelError, PolicyError
from ..frames import Detail, checked_details
from ..models.session import ENGINE_VARIABLE, engine_of, limit_cores
from ..models.store import DEFAULT, locate
from ..pipeline import Sanitizer, load
from ..policy import Policy
from ..policy.rules import KEYED
from ..rewrite.rewrite import keyed_identifier

LONGEST_CELL: Final = 1_000_000
"""Characters of a cell at most: with more, a worker's memory isn't bounded."""
_CHECK: Final = b"tacenda key check"


@dataclass(frozen=True, slots=True)
class Spec:
    """The text policy and the field policy: everything that determines how a row is treated.

    It contains no key. The policy names the environment variable or the file with the key; each
    worker reads it there, and refuses a key that differs from the one the spec was made with.

    Attributes:
        policy: the policy as JSON. It may contain people's names, so the ``repr`` leaves it out.
        fields: the field policy, as JSON (``documents/fields.py``).
        details: additional columns of a data frame, such as ``tacenda_risk``; see ``frames``.
        model: name of a shipped recognizer, or a folder that all workers can access.
        engine: the engine that computes the recognizer, the same for all workers; empty if there is
            no recognizer.
        weights: digest of the recognizer's files.
        key_check: shows whether a worker has the right key, without revealing it.
        longest_cell: maximum number of characters in a cell.
    """

    policy: str = field(repr=False)
    fields: str
    details: tuple[Detail, ...] = ()
    model: str | None = None
    engine: str = ""
    weights: str = ""
    key_check: str = field(default="", repr=False)
    longest_cell: int = LONGEST_CELL

    @classmethod
    def of(
        cls,
        columns: str | Sequence[str] = (),
        policy: Policy | str | Path = "default",
        *,
        keep: Iterable[str] = (),
        drop: Iterable[str] = (),
        pseudonym: Iterable[str] = (),
        fields: FieldPolicy | str | Path | None = None,
        details: Sequence[Detail] = (),
        model: str | None = None,
        longest_cell: int = LONGEST_CELL,
    ) -> Spec:
        """Return the spec for a policy and a treatment of columns.

        Args:
            columns: the text columns. A row is one document: people named in two columns are the
                same person.
            policy: the policy for text.
            keep: columns that stay, except for people who are masked in the row.
            drop: columns to leave out.
            pseudonym: columns whose values become ``[ID …]``, under the policy's key.
            fields: a field policy, or its file, instead of column names.
            details: see the attributes.
            model: see the attributes.
            longest_cell: see the attributes.

        Raises:
            InputError: if a column has two treatments, or no column is text.
            PolicyError: if a policy can't be used, or its key is missing.
            ModelError: if the recognizer can't be used here.
        """
        settings = policy if isinstance(policy, Policy) else Policy.load(policy)
        treatments = _fields(columns, keep, drop, pseudonym, fields)
        rules = treatments.fields.values()
        if (
            not any(rule.treatment is Treatment.TEXT for rule in rules)
            and treatments.unlisted == "refuse"
        ):
            raise InputError(
                "no text field is given; name one with --column NAME, or --field NAME."
            )
        # Numbers and days that count from the start of a run would differ between workers.
        is_keyed = any(
            rule.treatment is Treatment.IDENTIFIER or rule.to == "shift" for rule in rules
        )
        engine, weights = _recognizer(settings, model) if settings.recognizer else ("", "")
        return cls(
            policy=_text(settings),
            fields=treatments.model_dump_json(exclude_defaults=True),
            details=checked_details(details),
            model=model,
            engine=engine,
            weights=weights,
            key_check=_key_check(settings, is_needed=is_keyed),
            longest_cell=longest_cell,
        )

    @property
    def digest(self) -> str:
        """SHA-256 of everything that determines the output. It can confirm a guess of a name in the policy."""
        return hashlib.sha256(repr((__version__, astuple(self))).encode()).hexdigest()

    def treatments(self) -> FieldPolicy:
        """Return the field policy."""
        return FieldPolicy.model_validate_json(self.fields)


@dataclass(frozen=True, slots=True)
class RowSanitizer:
    """The sanitizer that a process builds from a spec.

    Attributes:
        spec: how rows are treated.
        sanitizer: sanitizes their text.
        fields: the treatments, with the key if they need one.
    """

    spec: Spec
    sanitizer: Sanitizer
    fields: Fields


@lru_cache(maxsize=1)
def row_sanitizer(spec: Spec) -> RowSanitizer:
    """Return this process's sanitizer, which uses one core.

    Raises:
        ModelError: if it would compute with other weights or another engine than the other workers.
        PolicyError: if it has a different key.
    """
    policy = Policy(**json.loads(spec.policy))
    if spec.key_check and _key_check(policy, is_needed=True) != spec.key_check:
        raise PolicyError(
            "this worker has a different key; give all workers the same one, in the environment or a file."
        )
    limit_cores(1)
    if spec.engine:
        os.environ[ENGINE_VARIABLE] = spec.engine
        if _recognizer(policy, spec.model)[1] != spec.weights:
            raise ModelError("this worker has a different recognizer; install the same version.")
    sanitizer = load(policy, model=spec.model, threads=1)
    fields = Fields(spec.treatments(), hides_year=policy.hides_year)
    if spec.key_check:
        key = policy.key()
        fields = replace(fields, name=partial(keyed_identifier, key), key=key)
    return RowSanitizer(spec, sanitizer, fields)


def texts_of(policy: FieldPolicy) -> list[str]:
    """Return the text fields that a policy names individually, which a table must therefore have."""
    rules = policy.fields.items()
    return [name for name, rule in rules if rule.treatment is Treatment.TEXT and "*" not in name]


def check_unique(names: Sequence[str], place: str) -> None:
    """Raise an ``InputError`` if two columns of a table have the same name.

    Args:
        names: the column names.
        place: the file name.
    """
    for number, name in enumerate(names, 1):
        first = names.index(name) + 1
        if first < number:
            raise InputError(f"columns {first} and {number} have the same name; rename one.", place)


def _fields(
    columns: str | Sequence[str],
    keep: Iterable[str],
    drop: Iterable[str],
    pseudonym: Iterable[str],
    fields: FieldPolicy | str | Path | None,
) -> FieldPolicy:
    names = (columns,) if isinstance(columns, str) else tuple(columns)
    others = Fields.of_options(keep, drop, pseudonym)
    if fields is None:
        if twice := [name for name in names if name in others.policy.fields]:
            raise InputError(f"field {twice[0]!r} is text, and has another treatment; remove one.")
        return others.with_texts(names).policy
    if names or others.policy.fields:
        raise InputError("a field policy covers every field; move the columns there.")
    return fields if isinstance(fields, FieldPolicy) else FieldPolicy.load(fields)


def _text(policy: Policy) -> str:
    """Return a policy as JSON, from which any worker can rebuild it."""
    if policy.key_file is not None:
        policy = policy.with_changes(key_file=policy.key_file.absolute())
    return policy.model_dump_json(exclude_defaults=True)


def _recognizer(policy: Policy, model: str | None) -> tuple[str, str]:
    """Return the engine and the digest of a recognizer."""
    shipped = locate(model or policy.model or DEFAULT)
    config = json.loads(shipped.path("config.json").read_text(encoding="utf-8"))
    listing = repr(sorted(shipped.digests.items())).encode()
    return engine_of(config), hashlib.sha256(listing).hexdigest()


def _key_check(policy: Policy, *, is_needed: bool) -> str:
    """Return a fingerprint that is equal for processes with the same key; empty if no key is needed."""
    if not is_needed and not policy.operator_names & KEYED:
        return ""
    return hmac.digest(policy.key(), _CHECK, "sha256")[:8].hex()
