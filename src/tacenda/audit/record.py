"""The record of a release that a person signs: what was released, to whom, who attacked it, and how much may be left in it.

It contains counts, rates and digests, and what its author says about the recipient, but no text or
name of a document and no string that was masked or missed. Everything in it can be recomputed from
the files whose digests it contains.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final, Literal, Self

from pydantic import ConfigDict, Field

from .._version import __version__
from ..annotations.checked_json import read_json
from ..errors import InputError
from .attacks import AttackSummary, CriteriaSummary, read_attack
from .bound import CorpusBound, bound
from .hipaa import Annex, AnnexKind, annex_of
from .marks import read_marks
from .release import digest_of_release, file_digest, read_release
from .sample import FrozenModel, SampledRelease, read_model, read_sample
from .signing import is_signed, sign

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

VERSION: Final = "1.0"
_NO_DECISIONS: Final = "is not a record of `tacenda sanitize --audit FILE.json`"
LIMITS: Final = (
    "The bounds hold for this release as its digest says, if whoever read the sample saw what there was.",
    "The rates hold for these attackers and what they knew; others may find more.",
    "Whoever holds an original text can recognize its release.",
)


class DecisionSummary(FrozenModel):
    """A record from ``tacenda sanitize --audit``, without its documents.

    Attributes:
        sha256: of its file.
        documents, entities, masked: their numbers.
        by_people: number of entities that a person decided on.
        accepted_leaks: number of places that a person said aren't leaks.
    """

    sha256: str
    documents: int
    entities: int
    masked: int
    by_people: int
    accepted_leaks: int


class SampleSummary(FrozenModel):
    """Digests of the bound's inputs: the sample and its marks."""

    sha256: str
    marks: tuple[str, ...]


class Signature(FrozenModel):
    """A signature of everything else; keys and value are in base64."""

    algorithm: Literal["Ed25519"]
    public_key: str
    value: str


class SignedModel(FrozenModel):
    """Values that a person signs; the last field is the signature."""

    if TYPE_CHECKING:  # a field of this class would come before those of its subclasses
        signature: Signature | None

    def content(self) -> dict[str, Any]:
        """The signed content as JSON values: everything except the signature."""
        return self.model_dump(mode="json", exclude={"signature"})

    def signed(self, key: Ed25519PrivateKey) -> Self:
        """Return a signed copy."""
        signature = Signature.model_validate(sign(self.content(), key))
        return self.model_copy(update={"signature": signature})

    def verified_signature(self, name: str, public_key: str | None) -> tuple[VerifiedItem, ...]:
        """Verify the signature.

        Args:
            name: what to call the signed object in messages.
            public_key: the signer's, in base64, known from elsewhere.

        Raises:
            InputError: if the signature has no valid public key.
        """
        signature = self.signature
        is_valid = signature is not None and is_signed(
            self.content(), signature.model_dump(mode="json")
        )
        is_signers = signature is not None and signature.public_key == public_key
        return (
            VerifiedItem(f"the signature is of this {name}", is_valid),
            VerifiedItem("the key is the signer's", None if public_key is None else is_signers),
        )


class AuditRecord(SignedModel):
    """A record, as described by ``schemas/audit-record.schema.json``.

    Attributes:
        recipient: who receives the release.
        assumed: what the recipient is assumed to know, one sentence each.
        policy, model, background: of the sanitizing run, with digests; None where it left no record.
        decisions: the decisions of that run.
        attacks: what attackers found.
        tests: singling out, linkability and inference.
        annex: the table of HIPAA Safe Harbor, or of an Expert Determination; None for none.
        limits: what the record doesn't say.
        signer: who signs.
        signature: None before it is signed.
    """

    model_config = ConfigDict(title="Audit record of a release, by tacenda")

    schema_version: Literal["1.0"] = VERSION
    kind: Literal["audit record"] = "audit record"
    created: str
    tool: dict[str, str]
    release: SampledRelease
    recipient: Annotated[str, Field(min_length=1)]
    assumed: tuple[str, ...]
    policy: dict[str, Any] | None
    model: dict[str, Any] | None
    background: dict[str, Any] | None
    decisions: DecisionSummary | None
    attacks: tuple[AttackSummary, ...]
    tests: tuple[CriteriaSummary, ...] = ()
    sample: SampleSummary
    bound: CorpusBound
    annex: Annex | None
    limits: tuple[str, ...]
    signer: str
    signature: Signature | None = None


def schema() -> dict[str, Any]:
    """Return the JSON Schema (draft 2020-12) of a record."""
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        **AuditRecord.model_json_schema(mode="serialization"),
    }


@dataclass(frozen=True, slots=True)
class RecordSources:
    """The files that a record is made from and verified with.

    Attributes:
        sample: the output of ``tacenda audit sample``; None only if it isn't verified.
        marks: what was found in it.
        decisions: the record from ``tacenda sanitize --audit FILE.json``; None if there is none.
        attacks: results of ``tacenda attack --to json``, with or without ``--tests`` and ``--llm``.
    """

    sample: Path | None
    marks: tuple[str, ...] = ()
    decisions: str | None = None
    attacks: tuple[str, ...] = ()


def make_record(
    sources: RecordSources,
    *,
    recipient: str,
    assumed: Sequence[str] = (),
    signer: str,
    annex: AnnexKind | None = None,
    confidence: float = 0.95,
    looks: int = 1,
) -> AuditRecord:
    """Return an unsigned record.

    Args:
        sources: the files, with a sample that was read.
        recipient: who receives the release.
        assumed: what the recipient is assumed to know.
        signer: who signs.
        annex: the kind of table to include; None for none.
        confidence: of each bound.
        looks: number of bounds that share the error; see ``bound``.

    Raises:
        InputError: if a file can't be used.
    """
    if sources.sample is None:
        raise InputError("a record needs a sample.")
    sample = read_sample(sources.sample)
    bounds = bound(sample, read_marks(sample, sources.marks), confidence=confidence, looks=looks)
    evidence = read_evidence(sources.decisions, sources.attacks)
    try:
        made_annex = None if annex is None else annex_of(annex, evidence["policy"])
    except (TypeError, KeyError):
        raise InputError(_NO_DECISIONS, sources.decisions or "") from None
    return AuditRecord(
        **evidence,
        release=sample.release,
        recipient=recipient,
        assumed=tuple(assumed),
        sample=SampleSummary(
            sha256=file_digest(sources.sample), marks=tuple(map(file_digest, sources.marks))
        ),
        bound=bounds,
        annex=made_annex,
        limits=LIMITS,
        signer=signer,
    )


def read_record(path: str | Path) -> AuditRecord:
    """Read a record from its file.

    Raises:
        InputError: if it isn't a record.
    """
    return read_model(AuditRecord, path, "a record of `tacenda audit record`")


def read_evidence(decisions: str | None, attacks: Sequence[str]) -> dict[str, Any]:
    """Read the fields that a record and a certificate share: decisions, attacks, and the time.

    Args:
        decisions: the record from ``tacenda sanitize --audit FILE.json``; None if there is none.
        attacks: results of ``tacenda attack --to json``.

    Raises:
        InputError: if a file can't be used.
    """
    head: dict[str, Any] = dict.fromkeys(("policy", "model", "background", "decisions"))
    if decisions is not None:
        head = _read_decisions(decisions)
    reports = tuple(map(read_attack, attacks))
    return head | {
        "created": datetime.now(UTC).isoformat(timespec="seconds"),
        "tool": {"name": "tacenda", "version": __version__},
        "attacks": tuple(one for one in reports if isinstance(one, AttackSummary)),
        "tests": tuple(one for one in reports if isinstance(one, CriteriaSummary)),
    }


def _read_decisions(path: str) -> dict[str, Any]:
    raw = read_json(path, finite=True)
    try:
        entities = [entity for item in raw["documents"] for entity in item["entities"]]
        counts = DecisionSummary(
            sha256=file_digest(path),
            documents=len(raw["documents"]),
            entities=len(entities),
            masked=sum(entity["decision"] == "mask" for entity in entities),
            by_people=sum(entity["decided_by"]["kind"] == "person" for entity in entities),
            accepted_leaks=sum(len(item.get("accepted_leaks", ())) for item in raw["documents"]),
        )
        return {key: raw[key] for key in ("policy", "model", "background")} | {"decisions": counts}
    except (TypeError, KeyError):
        raise InputError(_NO_DECISIONS, path) from None


@dataclass(frozen=True, slots=True)
class VerifiedItem:
    """One verified item; ``holds`` is None if nothing was given to verify it with."""

    title: str
    holds: bool | None


def verify(
    record: AuditRecord,
    sources: RecordSources,
    *,
    release: Sequence[str] = (),
    public_key: str | None = None,
) -> tuple[VerifiedItem, ...]:
    """Verify a record with its signature and the files it was made from.

    Args:
        record: signed or not.
        sources: the available files.
        release: paths of the released documents.
        public_key: the signer's, in base64, known from elsewhere.

    Raises:
        InputError: if a file can't be read.
    """
    items = [
        *record.verified_signature("record", public_key),
        VerifiedItem(
            "the release is what was audited",
            digest_of_release(one.text for one in read_release(release)) == record.release.sha256
            if release
            else None,
        ),
        VerifiedItem(
            "the record of decisions is the one named",
            None
            if sources.decisions is None
            else record.decisions is not None
            and file_digest(sources.decisions) == record.decisions.sha256,
        ),
        VerifiedItem(
            "the attacks are those named",
            sorted(map(file_digest, sources.attacks))
            == sorted([one.sha256 for one in record.attacks] + [one.sha256 for one in record.tests])
            if sources.attacks
            else None,
        ),
    ]
    return (*items, *_verified_bound(record, sources))


def _verified_bound(record: AuditRecord, sources: RecordSources) -> tuple[VerifiedItem, ...]:
    titles = ("the sample and its marks are those named", "the bound follows from them")
    if sources.sample is None or not sources.marks:
        return tuple(VerifiedItem(title, None) for title in titles)
    digests = SampleSummary(
        sha256=file_digest(sources.sample), marks=tuple(map(file_digest, sources.marks))
    )
    is_same = digests.sha256 == record.sample.sha256 and sorted(digests.marks) == sorted(
        record.sample.marks
    )
    if not is_same:
        return VerifiedItem(titles[0], False), VerifiedItem(titles[1], None)
    sample = read_sample(sources.sample)
    again = bound(
        sample,
        read_marks(sample, sources.marks),
        confidence=record.bound.confidence,
        looks=record.bound.looks,
    )
    follows = again == record.bound and sample.release == record.release
    return VerifiedItem(titles[0], True), VerifiedItem(titles[1], follows)
