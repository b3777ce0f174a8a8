"""Findings of a scan: type, risk and position of what a policy would mask, never its characters.

| file | read with |
|---|---|
| a document, mail, table or record format | the whole policy; every column and field is text |
| other text: source code, settings | patterns that need only a form (``KINDS``), and the policy's deny list |
| anything else | nothing; it counts as skipped |

In source code, most capitalized words are identifiers. Mail addresses in domains that RFC 2606
reserves for examples belong to nobody, and a number that repeats one digit (``999-99-9999``) is a
template.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, field
from itertools import islice
from typing import Any, Final

from ...detect.patterns.detector import PatternDetector
from ...detect.terms import policy_mentions
from ...document import Decision, Document, Mention, MentionSource, Span
from ...documents.containers import is_isolated
from ...documents.fields import FieldPolicy, Fields
from ...documents.reading import format_of, read_bytes
from ...documents.record import Failure, Origin, SourceDocument
from ...errors import InputError, MissingExtraError
from ...pipeline import Sanitizer
from ...policy import Policy
from ...result import Result
from ..loading import LazySanitizer
from .baseline import fingerprint
from .files import ScannedFile

KINDS: Final = frozenset({"email", "phone", "iban", "card", "national_id", "secret"})
"""Kinds of patterns that count in source code."""
_IN_QUERIES: Final = frozenset({"identity_number", "ip"})
_QUERY_KEY = re.compile(r"[?&;#][\w.-]{1,40}(?:=|%3[dD])\Z")
"""Before a value of an address, where these kinds count, too."""
_RESERVED = re.compile(r"(?i).*[@.](?:example(?:\.(?:com|net|org))?|test|invalid|localhost)")
_BATCH: Final = 32
_HEAD: Final = 8_192
_LINE_END = re.compile(r"\r\n?|\n")
_NUMBERED = re.compile(r":(\d+)")


@dataclass(frozen=True, slots=True)
class ScanFinding:
    """A mention that the policy masks.

    Attributes:
        type: its entity's semantic type.
        kind: the detector's own name for it; may be empty.
        identifier: DIRECT or QUASI.
        risk: probability in [0, 1] that it must be masked.
        line, column: where it starts, from 1; columns count code points.
        end_line, end_column: where it ends (exclusive).
        place: its part of a file that has no lines, such as a page or a row; lines then refer to
            the part's text.
        fingerprint: the keyed fingerprint; empty without a key.
        accepted: whether it is in the baseline.
    """

    type: str
    kind: str
    identifier: str
    risk: float
    line: int
    column: int
    end_line: int
    end_column: int
    place: str = ""
    fingerprint: str = ""
    accepted: bool = False


@dataclass(frozen=True, slots=True)
class FileReport:
    """The findings in a file.

    Attributes:
        path: the path as given, with slashes.
        findings: the findings, in file order.
        faults: why the file, or parts of it, couldn't be read.
        skipped: whether it isn't a known kind of text.
    """

    path: str
    findings: tuple[ScanFinding, ...] = ()
    faults: tuple[str, ...] = ()
    skipped: bool = False

    def to_dict(self) -> dict[str, Any]:
        """Return the report as a JSON object, without text."""
        return {
            "path": self.path,
            "counts": dict(sorted(Counter(item.type for item in self.findings).items())),
            "highest_risk": max((item.risk for item in self.findings), default=0.0),
            "findings": [asdict(finding) for finding in self.findings],
            "faults": list(self.faults),
            "skipped": self.skipped,
        }


@dataclass(frozen=True, slots=True)
class FailRule:
    """Which findings make a scan fail.

    Attributes:
        risk: minimum risk; None for any.
        types: only these semantic types; empty for all.
    """

    risk: float | None = None
    types: frozenset[str] = field(default_factory=frozenset)

    def applies(self, finding: ScanFinding) -> bool:
        """Return whether a finding makes the scan fail; one in the baseline never does."""
        if finding.accepted or (self.types and finding.type not in self.types):
            return False
        return self.risk is None or finding.risk >= self.risk


class Scanner:
    """Scans files under one policy.

    Args:
        sanitizer: the policy's sanitizer, whose weights are loaded at the first document.
        key: the key for fingerprints; None for no fingerprints.
        accepted: the fingerprints in the baseline.
        names_in_code: whether to read source code with the whole policy too.
    """

    def __init__(
        self,
        sanitizer: LazySanitizer,
        key: bytes | None = None,
        accepted: frozenset[str] = frozenset(),
        *,
        names_in_code: bool = False,
    ) -> None:
        self._sanitizer = sanitizer
        self._key = key
        self._accepted = accepted
        self._names_in_code = names_in_code
        self._patterns = PatternDetector()
        policy = sanitizer.policy
        threshold = policy.threshold if policy.threshold is not None else 0.5
        self._code = Sanitizer(_of_code(policy, threshold), None, threshold)

    def scan(self, file: ScannedFile) -> FileReport:
        """Return the findings in a file; never raises because of its content."""
        if file.content is None:
            return FileReport(file.path, faults=(file.fault,))
        try:
            format = format_of(file.path)
        except InputError:
            return self._text(file, file.content)
        findings: list[ScanFinding] = []
        faults: list[str] = []
        origin = Origin(file.path, file.path, format, "utf-8")
        try:
            items = read_bytes(file.content, origin, _EVERYTHING)
            while batch := list(islice(items, _BATCH)):
                faults += [str(item.error) for item in batch if isinstance(item, Failure)]
                records = [item for item in batch if isinstance(item, SourceDocument)]
                results = self._sanitizer.results([record.document for record in records])
                for record, result in zip(records, results, strict=True):
                    if isinstance(result, InputError):
                        faults.append(str(result))
                    else:
                        findings += self._findings(file.path, record, result)
        except MissingExtraError as error:
            faults.append(str(error))
        return FileReport(file.path, tuple(sorted(findings, key=_order)), tuple(faults))

    def _text(self, file: ScannedFile, content: bytes) -> FileReport:
        """Scan source code, or other text."""
        if b"\0" in content[:_HEAD]:
            return FileReport(file.path, skipped=True)
        try:
            text = content.decode("utf-8-sig")
        except UnicodeDecodeError:
            return FileReport(file.path, skipped=True)
        document = Document(file.path, text)
        if self._names_in_code:
            result = self._sanitizer.results([document])[0]
        elif not self._may_have(document):
            return FileReport(file.path)
        else:
            result = next(self._code.pipe([document]))
        if isinstance(result, InputError):
            return FileReport(file.path, faults=(str(result),))
        lines = _Lines(text, 1)
        findings = [
            self._finding(file.path, decision, mention, text, lines.of(mention.span), "")
            for decision, mention in _masked(result)
            if self._names_in_code or _counts_in_code(mention, text)
        ]
        return FileReport(file.path, tuple(sorted(findings, key=_order)))

    def _may_have(self, document: Document) -> bool:
        """Return whether source code has anything that would count, since later stages cost more."""
        mentions = (
            *self._patterns.detect(document.text),
            *policy_mentions(document, self._code.policy),
        )
        return any(_counts_in_code(mention, document.text) for mention in mentions)

    def _findings(self, path: str, record: SourceDocument, result: Result) -> Iterator[ScanFinding]:
        first = _NUMBERED.fullmatch(record.place)
        has_lines = not is_isolated(record.origin.format) and (first or not record.place)
        place = "" if has_lines else record.place
        places = _Lines(record.source, int(first[1]) if first else 1)
        texts = _Lines(record.document.text, 1)
        source = _SourceOf(record)
        for decision, mention in _masked(result):
            lines = places.of(source.span(mention.span)) if has_lines else texts.of(mention.span)
            yield self._finding(path, decision, mention, record.document.text, lines, place)

    def _finding(
        self,
        path: str,
        decision: Decision,
        mention: Mention,
        text: str,
        lines: tuple[int, int, int, int],
        place: str,
    ) -> ScanFinding:
        type = str(decision.entity.type)
        digest = (
            "" if self._key is None else fingerprint(self._key, path, type, mention.span.of(text))
        )
        return ScanFinding(
            type,
            mention.kind,
            str(decision.identifier),
            round(float(decision.risk), 4),
            *lines,
            place,
            digest,
            digest in self._accepted,
        )


_EVERYTHING: Final = Fields(FieldPolicy(unlisted="text"), "the scan")


def _of_code(policy: Policy, threshold: float) -> Policy:
    return policy.with_changes(
        recognizer=False,
        threshold=threshold,
        thresholds={},
        residual_share=None,
        gazetteer=None,
        propagate=False,
        languages="warn",
        operator="tag",
        operators={},
        operators_for=(),
    )


def _masked(result: Result) -> Iterator[tuple[Decision, Mention]]:
    for decision in result.decisions:
        if decision.masked:
            for mention in decision.entity.mentions:
                yield decision, mention


def _counts_in_code(mention: Mention, text: str) -> bool:
    if mention.source is MentionSource.POLICY:
        return True
    value = mention.span.of(text)
    if mention.kind == "email" and _RESERVED.fullmatch(value):
        return False
    if mention.kind not in {"email", "secret"} and len(set(filter(str.isdigit, value))) == 1:
        return False
    start = mention.span.start
    is_value = _QUERY_KEY.search(text, max(0, start - 48), start) is not None
    return mention.kind in KINDS or (mention.kind in _IN_QUERIES and is_value)


def _order(finding: ScanFinding) -> tuple[str, int, int]:
    return finding.place, finding.line, finding.column


class _Lines:
    """The lines and columns of a text, whose first line has the number ``first``."""

    def __init__(self, text: str, first: int) -> None:
        self._first = first
        self._starts = [0, *(end.end() for end in _LINE_END.finditer(text))]

    def of(self, span: Span) -> tuple[int, int, int, int]:
        """Return line and column of a span's start and end."""
        return *self._place(span.start), *self._place(span.end)

    def _place(self, offset: int) -> tuple[int, int]:
        row = bisect_right(self._starts, offset) - 1
        return self._first + row, offset - self._starts[row] + 1


class _SourceOf:
    """Maps code points of a record's text to its source."""

    def __init__(self, record: SourceDocument) -> None:
        self._record = record
        self._slots = [slot for slot in record.slots if slot.start < slot.end]
        self._starts = [slot.start for slot in self._slots]

    def span(self, span: Span) -> Span:
        """Return where a span of the text is in the source; the whole slot if it is spelled differently there."""
        if not self._slots:
            return span
        first = self._slots[max(0, bisect_right(self._starts, span.start) - 1)]
        last = self._slots[max(0, bisect_right(self._starts, span.end - 1) - 1)]
        begin = self._offsets(first, span)[0]
        return Span(begin, max(begin + 1, self._offsets(last, span)[1]))

    def _offsets(self, slot: Any, span: Span) -> tuple[int, int]:
        begin, end = max(span.start, slot.start), min(span.end, slot.end)
        if slot.verbatim:
            return slot.source_start + begin - slot.start, slot.source_start + end - slot.start
        string = self._record.document.text[begin:end]
        place = self._record.source.find(string, slot.source_start, slot.source_end)
        if place < 0 or not string:
            return slot.source_start, slot.source_end
        return place, place + len(string)


def failures(reports: Sequence[FileReport], rule: FailRule | None) -> int:
    """Return the number of findings that make a scan fail; without a rule, none do."""
    if rule is None:
        return 0
    return sum(rule.applies(finding) for report in reports for finding in report.findings)
