"""The record of decisions: what was decided about a document, by whom, when, on which evidence and under which policy.

    Result + assessments + acts of people ─ record ─▶ JSON of the schema ─ page ─▶ a page to print and sign

Masked strings are in neither: every sentence by a person is searched for them. Nor is a digest of
the original: it could confirm a guess of a masked string.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from .. import result
from .._version import __version__
from ..atomic import AtomicFile
from ..document import Assessment
from ..documents.names import NameScrubber
from ..documents.output import Numbering
from ..documents.record import SourceDocument
from ..models.store import DEFAULT, locate
from ..policy import Policy, Rule
from ..result import (
    SCHEMA_VERSION,
    Originals,
    Result,
    accepted_object,
    finding_object,
    replacement_objects,
)
from ..text.decoding import writable


@dataclass(frozen=True, slots=True)
class Act:
    """What a person did to a document.

    Attributes:
        person: the person's name.
        at: the time in ISO 8601, UTC.
        action: the kind of act, such as ``decide`` or ``add``.
        value: its result, such as ``keep``; masked strings are removed from it.
        entity_ids: the entities concerned; empty for acts about the whole document.
        decides: whether it is the person's decision about the entities.
    """

    person: str
    at: str
    action: str
    value: str = field(repr=False)
    entity_ids: tuple[str, ...] = ()
    decides: bool = False


def schema() -> dict[str, Any]:
    """Return the JSON Schema (draft 2020-12) of an audit record."""
    return result.schema("audit")


def as_object(
    sanitized: Result,
    assessments: Sequence[Assessment],
    acts: Sequence[Act] = (),
    *,
    name: str,
) -> dict[str, Any]:
    """Return the record of one document.

    Args:
        sanitized: the released document.
        assessments: one per decision, in the same order.
        acts: the acts of people that are in force, the earliest first.
        name: the document's title, since its id may reveal a person.

    Raises:
        ValueError: if assessments and decisions aren't about the same entities.
    """
    if [item.entity.id for item in assessments] != [item.entity.id for item in sanitized.decisions]:
        raise ValueError(
            f"{len(assessments)} assessments are not of the {len(sanitized.decisions)} entities "
            "decided on; assess the entities of the same result."
        )
    forms = NameScrubber.of(sanitized)
    by_entity = {id: act for act in acts if act.decides for id in act.entity_ids}
    # Positions in the original would reveal the length of what was masked.
    findings = finding_object(sanitized, Originals.NOTHING, assessments)
    for entity in findings["entities"]:
        entity["decided_by"] = _decider(by_entity.get(entity["id"]))
    return {
        "id": name,
        "sha256": hashlib.sha256(writable(sanitized.text).encode()).hexdigest(),
        "characters": len(sanitized.text),
        "replacements": replacement_objects(sanitized, Originals.NOTHING),
        **findings,
        **accepted_object(sanitized, forms.redact),
        "acts": [
            {
                "person": act.person,
                "at": act.at,
                "action": act.action,
                "value": forms.redact(act.value),
                "entities": list(act.entity_ids),
            }
            for act in acts
        ],
    }


def _decider(act: Act | None) -> dict[str, Any]:
    if act is None:
        return {"kind": "policy"}
    return {"kind": "person", "person": act.person, "at": act.at}


# The provenance of a run: version, policy and model, with digests.


_NAMES = ("target", "allow", "deny", "operators_for")
_RULES = ("allow", "deny", "operators_for")
_PLACES = ("key_env", "key_file")
_OPTIONAL = ("detectors", "checks", "domain", "ontology")
"""Settings in a record only where the policy has them."""


@dataclass(frozen=True, slots=True)
class Provenance:
    """The values that all documents of a run share.

    Attributes:
        created: the time in ISO 8601, UTC.
        policy: its settings, without people's names and the locations of keys, and a digest of
            them.
        model: name and SHA-256 of each file; None without a model.
        background: name and SHA-256 of the adversary's background knowledge, or the name of a web
            search engine; None if there is neither.
    """

    created: str
    policy: dict[str, Any]
    model: dict[str, Any] | None
    background: dict[str, Any] | None = None

    def as_object(self) -> dict[str, Any]:
        """Return the provenance as the header of a record."""
        return {
            "created": self.created,
            "tool": {"name": "tacenda", "version": __version__},
            "policy": self.policy,
            "model": self.model,
            "background": self.background,
        }


def provenance_of(
    policy: Policy,
    threshold: float,
    model: str | Path | None = None,
    *,
    name: str = "",
    created: datetime | None = None,
) -> Provenance:
    """Return the provenance of a run.

    Args:
        policy: the applied policy.
        threshold: the default for types that have none in the policy.
        model: name or folder of the recognizer; None for the policy's or the default one.
        name: the policy's name.
        created: the time; by default now.

    Raises:
        ModelError: if there is no such model.
    """
    recognizer = model_of(policy, model)
    return provenance_with(policy, threshold, recognizer, name=name, created=created)


def provenance_with(
    policy: Policy,
    threshold: float,
    model: dict[str, Any] | None,
    background: dict[str, Any] | None = None,
    *,
    name: str = "",
    created: datetime | None = None,
) -> Provenance:
    """Return the provenance of a run with a given model and background; see ``Provenance``."""
    gaps = {field for field in _OPTIONAL if not getattr(policy, field)}
    settings = policy.model_dump(mode="json", exclude={*_NAMES, *_PLACES, *gaps})
    settings["threshold"] = threshold
    # The names in a policy are those of the people it protects; their number is enough.
    counts = {field: len(getattr(policy, field)) for field in _NAMES}
    # Rules that name a form say what the policy does and contain no names.
    forms = {field: rules for field in _RULES if (rules := _forms(getattr(policy, field)))}
    provenance = {"settings": settings, "rules": counts} | ({"forms": forms} if forms else {})
    canonical = json.dumps(list(provenance.values()), sort_keys=True, separators=(",", ":"))
    moment = datetime.now(UTC) if created is None else created
    return Provenance(
        created=moment.isoformat(timespec="seconds"),
        policy={
            "name": name,
            "sha256": hashlib.sha256(canonical.encode()).hexdigest(),
            **provenance,
        },
        model=model,
        background=background,
    )


def _forms(rules: Sequence[Rule]) -> list[dict[str, Any]]:
    """Return the rules that name a form."""
    return [
        rule.model_dump(mode="json", include={"form", "type", "operator"}, exclude_none=True)
        for rule in rules
        if rule.form is not None
    ]


def model_of(policy: Policy, model: str | Path | None = None) -> dict[str, Any] | None:
    """Return the recognizer's name, digests and engine; None if the policy doesn't use one.

    Raises:
        ModelError: if there is no such model.
    """
    if not policy.recognizer:
        return None
    from ..models.session import engine_of

    shipped = locate(model or policy.model or DEFAULT)
    config = json.loads((shipped.folder / "config.json").read_text(encoding="utf-8"))
    files = dict(sorted(shipped.digests.items()))
    return {"name": shipped.name, "files": files, "engine": engine_of(config)}


# An audit record on disk, written document by document: as JSON, or as a page if the file is .html.


_PAGES = (".html", ".htm")


class AuditWriter:
    """Writes the record of a run to a file that appears only when complete.

    Args:
        path: path of the file; with ``.html`` it is a page, otherwise JSON.
        origin: the values that all documents share.

    Raises:
        OutputError: if nothing can be written there.
    """

    def __init__(self, path: Path, origin: Provenance) -> None:
        self._page = path.suffix.lower() in _PAGES
        self._numbering = Numbering()
        self._file = AtomicFile(path)
        if self._page:
            from ..pages.audit import ends

            start, self._end = ends(origin.as_object())
            self._emit(start)
        else:
            self._end = "\n]}\n"
            head = {"schema_version": SCHEMA_VERSION, **origin.as_object()}
            self._emit(_json(head)[:-1] + ', "documents": [')

    def add(
        self,
        record: SourceDocument,
        sanitized: Result,
        assessments: Sequence[Assessment],
        acts: Sequence[Act] = (),
    ) -> None:
        """Record one document."""
        name = self._numbering.public_id(record, sanitized)
        item = as_object(sanitized, assessments, acts, name=name)
        if self._page:
            from ..pages.audit import section

            self._emit(section(item))
        else:
            self._emit(("\n" if self._numbering.number == 1 else ",\n") + _json(item))

    def finish(self) -> None:
        """Complete the record and give the file its name."""
        self._emit(self._end)
        self._file.commit()

    def abort(self) -> None:
        """Discard the unfinished file."""
        self._file.abort()

    def _emit(self, text: str) -> None:
        self._file.stream.write(writable(text).encode())


def _json(item: dict[str, Any]) -> str:
    return json.dumps(item, ensure_ascii=False)
