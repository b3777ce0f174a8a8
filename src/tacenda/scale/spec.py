"""Specification sent to each worker, and the sanitizer that the worker builds from it."""

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
    """Policies of text and of fields: everything that decides the treatment of a row.

    It has no key. A policy names the environment variable or the file that holds it; each worker reads it there, and
    refuses another one than whoever made the spec had.

    Attributes:
        policy: as JSON. It may hold names of people, and so it isn't in the ``repr``.
        fields: the field policy, as JSON (``documents/fields.py``).
        details: further columns of a data frame, ``tacenda_risk`` and so on; see ``frames``.
        model: name of a shipped recognizer, or a folder that all workers have.
        engine: computes the recognizer, for all workers the same; empty without one.
        weights: digest of the recognizer's files.
        key_check: tells whether a worker has the key; tells nothing about it.
        longest_cell: characters of a cell at most.
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
        """Return the spec of a policy, and of the treatment of columns.

        Args:
            columns: those of text. A row is one document: who is in two of them is one person.
            policy: of the text.
            keep: columns that stay, except for who is masked in the row.
            drop: columns that are left out.
            pseudonym: columns whose values become ``[ID …]``, under the policy's key.
            fields: a field policy, or its file, instead of the names of columns.
            details: see the attributes.
            model: see the attributes.
            longest_cell: see the attributes.

        Raises:
            InputError: if a column has two treatments, or none is text.
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
        # Numbers and days that count from the begin of a run would be others on each worker.
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
        """SHA-256 of all that decides what is written; a guess of a name in the policy can be confirmed by it."""
        return hashlib.sha256(repr((__version__, astuple(self))).encode()).hexdigest()

    def treatments(self) -> FieldPolicy:
        """Return the field policy."""
        return FieldPolicy.model_validate_json(self.fields)


@dataclass(frozen=True, slots=True)
class RowSanitizer:
    """Sanitizer that a process builds from a spec.

    Attributes:
        spec: of the rows.
        sanitizer: of their text.
        fields: treatments, with the key where they need one.
    """

    spec: Spec
    sanitizer: Sanitizer
    fields: Fields


@lru_cache(maxsize=1)
def row_sanitizer(spec: Spec) -> RowSanitizer:
    """Return the sanitizer of this process, on one core.

    Raises:
        ModelError: if it would compute with other weights or another engine than its neighbours.
        PolicyError: if it has another key.
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
    """Return the fields of text that a policy names one by one: a table must have them."""
    rules = policy.fields.items()
    return [name for name, rule in rules if rule.treatment is Treatment.TEXT and "*" not in name]


def check_unique(names: Sequence[str], place: str) -> None:
    """Raise an ``InputError`` if two columns of a table have one name.

    Args:
        names: of the columns.
        place: name of the file.
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
    """Return a policy as JSON, from which it can be made again wherever a worker is."""
    if policy.key_file is not None:
        policy = policy.with_changes(key_file=policy.key_file.absolute())
    return policy.model_dump_json(exclude_defaults=True)


def _recognizer(policy: Policy, model: str | None) -> tuple[str, str]:
    """Return engine and digest of a recognizer."""
    shipped = locate(model or policy.model or DEFAULT)
    config = json.loads(shipped.path("config.json").read_text(encoding="utf-8"))
    listing = repr(sorted(shipped.digests.items())).encode()
    return engine_of(config), hashlib.sha256(listing).hexdigest()


def _key_check(policy: Policy, *, is_needed: bool) -> str:
    """Return a fingerprint that processes with the same key share; empty where no key is needed."""
    if not is_needed and not policy.operator_names & KEYED:
        return ""
    return hmac.digest(policy.key(), _CHECK, "sha256")[:8].hex()
