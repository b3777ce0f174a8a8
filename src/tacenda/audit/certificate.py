"""A certificate for released files that anyone can check with only the certificate and a file.

    files + masked strings + decisions + attacks + bound ─ certify ─▶ certificate, signed │ openings, secret
    certificate + file (+ openings that its holder gives away) ─ verify ─▶ what holds

The commitment to a masked string is the SHA-256 of a random salt and the string. It reveals nothing
about the string, and can't be opened with a different string later. Somebody who asks about a
string is given its opening, which shows that it was masked and that it occurs nowhere in the file:
in no text, attribute, hidden part or property that an independent reader (``documents.inspection``)
finds. If the string also occurs in the file as another word (*May* the month), the commitment says
so.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Sequence
from pathlib import Path
from secrets import SystemRandom, token_hex
from typing import Annotated, Any, Final, Literal

from pydantic import Field

from ..annotations.checked_json import read_json, read_text
from ..annotations.result import result_lines
from ..atomic import atomic_file
from ..documents.inspection import passages
from ..documents.reading import format_of
from ..errors import InputError, OutputError
from ..text.matching import Searcher
from ..text.normal_form import mention_key
from ..text.surface_forms import Form, LetterCase
from ..text.tokens import unify_gaps
from .attacks import AttackSummary, CriteriaSummary
from .bound import CorpusBound
from .record import DecisionSummary, Signature, SignedModel, VerifiedItem, read_evidence
from .release import file_digest
from .sample import FrozenModel, parse, read_model

_PURPOSE: Final = b"tacenda commitment\n"
_SALT: Final = 16
LIMITS: Final = (
    "A commitment proves what was masked, not that nothing else should have been masked.",
    "The rates hold for these attackers and what they knew; others may find more.",
    "Sharing an opening reveals the string.",
    "The signature proves who signed and that nothing was changed since, not that what was signed is true.",
)


class CertifiedFile(FrozenModel):
    """A released file, identified by digest and size in bytes, since file names may identify people."""

    sha256: str
    size: int


class Commitment(FrozenModel):
    """The commitment to a masked string, and whether it occurs in a file as another word."""

    sha256: str
    stands: bool = False


class Opening(FrozenModel):
    """The opening of a commitment."""

    salt: Annotated[str, Field(pattern=r"^[0-9a-f]{32}$")]
    string: str

    @property
    def sha256(self) -> str:
        """Digest of the commitment that it opens."""
        data = _PURPOSE + bytes.fromhex(self.salt) + self.string.encode("utf-8", "surrogatepass")
        return hashlib.sha256(data).hexdigest()


class Openings(FrozenModel):
    """The openings of a certificate; as secret as the originals."""

    kind: Literal["certificate openings"] = "certificate openings"
    openings: tuple[Opening, ...]


class Certificate(SignedModel):
    """A certificate.

    Attributes:
        files: the released files.
        policy, model, background: those of the sanitizing run, with digests; None if it left no record.
        decisions: counts of that run's decisions, with its accepted leaks.
        attacks, tests: what attackers found.
        bound: the bound on what is left; None without a sample.
        commitments: one per masked string, in random order.
        limits: what it doesn't promise.
        signer: who signs.
        signature: None before it is signed.
    """

    schema_version: Literal["1.0"] = "1.0"
    kind: Literal["release certificate"] = "release certificate"
    created: str
    tool: dict[str, str]
    files: tuple[CertifiedFile, ...]
    policy: dict[str, Any] | None
    model: dict[str, Any] | None
    background: dict[str, Any] | None
    decisions: DecisionSummary | None
    attacks: tuple[AttackSummary, ...]
    tests: tuple[CriteriaSummary, ...]
    bound: CorpusBound | None
    commitments: tuple[Commitment, ...]
    limits: tuple[str, ...] = LIMITS
    signer: str
    signature: Signature | None = None


def certify(
    files: Sequence[str],
    masked: str,
    *,
    signer: str,
    decisions: str | None = None,
    attacks: Sequence[str] = (),
    bound: str | None = None,
) -> tuple[Certificate, Openings]:
    """Return the unsigned certificate for released files, and the openings of its commitments.

    Args:
        files: the released files, at least one.
        masked: results of ``tacenda sanitize --to json --reveal``, which contain the masked
            strings.
        signer: who signs.
        decisions: the record from ``tacenda sanitize --audit FILE.json``.
        attacks: results of ``tacenda attack --to json``.
        bound: the result of ``tacenda audit bound -o FILE``.

    Raises:
        InputError: if a file can't be read or is of the wrong kind.
    """
    strings = masked_strings(masked)
    standing = frozenset(string for file in files for string in found_in(file, strings))
    openings = [Opening(salt=token_hex(_SALT), string=string) for string in sorted(strings)]
    SystemRandom().shuffle(openings)
    certificate = Certificate(
        **read_evidence(decisions, attacks),
        files=tuple(map(_certified, files)),
        bound=None if bound is None else _read_bound(bound),
        commitments=tuple(
            Commitment(sha256=one.sha256, stands=one.string in standing) for one in openings
        ),
        signer=signer,
    )
    return certificate, Openings(openings=tuple(openings))


def masked_strings(path: str) -> frozenset[str]:
    """Return the strings that were masked according to results, as written in the original: edits, and names within them.

    Raises:
        InputError: if the file contains no results, or they were written without ``--reveal``.
    """
    results = result_lines(read_text(path), path)
    try:
        strings = {edit["original"] for result in results or () for edit in result["replacements"]}
        strings |= {
            mention["text"]
            for result in results or ()
            for entity in result["entities"]
            if entity["decision"] == "mask"
            for mention in entity["mentions"]
        }
    except (KeyError, TypeError):
        raise InputError("has no masked strings; sanitize with --to json --reveal", path) from None
    if results is None:
        raise InputError("must contain results of `tacenda sanitize --to json --reveal`", path)
    return frozenset(map(str, strings)) - {""}


def found_in(path: str, strings: Iterable[str]) -> frozenset[str]:
    """Return those strings that occur anywhere in a file, ignoring case.

    Raises:
        InputError: if it can't be read, or its format is unknown.
    """
    owners: dict[str, set[str]] = {}
    for string in strings:
        owners.setdefault(unify_gaps(mention_key(string)), set()).add(string)
    searcher = Searcher(Form(text, LetterCase.ANY) for text in owners)
    try:
        data = Path(path).read_bytes()
    except OSError as error:
        raise InputError(f"can't be read: {error.strerror or error}", path) from None
    hits = (hit for part in passages(data, format_of(path)) for hit in searcher.find(part.text))
    return frozenset(string for hit in hits for string in owners[hit.form])


def _certified(path: str) -> CertifiedFile:
    return CertifiedFile(sha256=file_digest(path), size=Path(path).stat().st_size)


def _read_bound(path: str) -> CorpusBound:
    class BoundFile(FrozenModel):
        schema_version: Literal["1.0"]
        kind: Literal["audit bound"]
        bound: CorpusBound

    raw = read_json(path, finite=True)
    if isinstance(raw, dict):
        head = {key: raw.pop(key, None) for key in ("schema_version", "kind")}
        raw = {**head, "bound": raw}
    return parse(BoundFile, raw, path, "a bound of `tacenda audit bound`").bound


def write_openings(openings: Openings, path: Path) -> None:
    """Write openings to a new file that only its owner can read.

    Raises:
        OutputError: if the file exists or can't be written.
    """
    try:
        with atomic_file(path, private=True, new=True) as file:
            file.stream.write((openings.model_dump_json(indent=1) + "\n").encode())
    except FileExistsError:
        raise OutputError("already exists; openings are never replaced.", str(path)) from None


def openings_of(path: str, strings: Sequence[str]) -> Openings:
    """Return the openings of only these strings, to give to somebody.

    Raises:
        InputError: if the file contains no openings, or a string wasn't masked; the message doesn't
            contain it.
    """
    openings = read_openings(path).openings
    selection = [one for one in openings if one.string in strings]
    if missing := len(set(strings) - {one.string for one in selection}):
        raise InputError(f"{missing} of the strings given was not masked in this form", path)
    return Openings(openings=tuple(selection))


def read_openings(path: str) -> Openings:
    """Read openings from their file.

    Raises:
        InputError: if it contains none.
    """
    return read_model(Openings, path, "a file of openings of `tacenda audit certify`")


def is_certificate(path: str | Path) -> bool:
    """Return whether a JSON file is a certificate, not another record."""
    try:
        raw = json.loads(read_text(path))
    except (ValueError, RecursionError):
        return False
    return isinstance(raw, dict) and raw.get("kind") == "release certificate"


def read_certificate(path: str | Path) -> Certificate:
    """Read a certificate from its file.

    Raises:
        InputError: if it isn't a certificate.
    """
    return read_model(Certificate, path, "a certificate of `tacenda audit certify`")


def verify_certificate(
    certificate: Certificate, file: str, openings: Openings | None, public_key: str | None
) -> tuple[VerifiedItem, ...]:
    """Verify a certificate, optionally with a file and openings; needs no original and no network.

    Args:
        certificate: signed or not.
        file: one of the released files.
        openings: openings of some strings; None for none.
        public_key: the signer's, in base64, known from elsewhere.

    Raises:
        InputError: if the file can't be read.
    """
    items = [
        *certificate.verified_signature("certificate", public_key),
        VerifiedItem("the file is one that was certified", _certified(file) in certificate.files),
    ]
    if openings is None:
        return (*items, VerifiedItem("each opened string was masked", None))
    commitments = {one.sha256: one for one in certificate.commitments}
    committed = all(one.sha256 in commitments for one in openings.openings)
    occurrences = found_in(file, (one.string for one in openings.openings))
    unsaid = [
        one
        for one in openings.openings
        if one.string in occurrences and not getattr(commitments.get(one.sha256), "stands", False)
    ]
    return (
        *items,
        VerifiedItem("each opened string was masked", committed),
        VerifiedItem("none of them appears in the file unless the certificate says so", not unsaid),
    )
