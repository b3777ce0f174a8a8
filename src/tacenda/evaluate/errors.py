"""A system's errors, one by one, for its developer (after TAB, Figure 4).

Four kinds of error:

    missed        nothing of the mention is masked, and nothing of its entity's other mentions
    inconsistent  nothing of the mention is masked, though another mention of its entity is
    partial       some of the mention is masked, but not all (apart from ignorable tokens)
    over-masked   the system masked words masked by no annotator

The findings contain text of the documents, so they are for the developer's screen, not for a log.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from enum import StrEnum
from typing import Any, Final

from ..document import Span
from ..text.information import WORD
from .gold import GoldEntity, GoldMention
from .matching import Coverage, PreparedDocument, union_spans
from .metrics import NO_TYPE

CONTEXT: Final = 40
"""Code points of context shown on each side."""

LONGEST_SHOWN: Final = 300
"""Code points of an error that are shown."""


class ErrorKind(StrEnum):
    """The four kinds of error, as in the module's docstring."""

    MISSED = "missed"
    INCONSISTENT = "inconsistent"
    PARTIAL = "partial"
    OVER_MASKED = "over-masked"


@dataclass(frozen=True, slots=True)
class MaskingError:
    """One error of a system.

    Attributes:
        document: id of the document.
        start: first code point of the missed mention or of the needlessly masked span.
        end: the code point after its last.
        kind: the kind of error.
        type: the annotators' semantic type; ``NONE`` if none of them marked it.
        identifier: DIRECT or QUASI for a leak; empty if over-masked.
        annotators: number of annotators who mask it; 0 if over-masked.
        text: the text there; if it is long, the start and an ellipsis.
        before: up to 40 code points to its left.
        after: up to 40 code points to its right.
    """

    document: str
    start: int
    end: int
    kind: ErrorKind
    type: str
    identifier: str
    annotators: int
    text: str = field(repr=False)
    before: str = field(repr=False)
    after: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class ErrorReport:
    """A system's errors.

    Attributes:
        errors: all errors, or as many of each kind as requested.
        counts: number of errors by (kind, type).
    """

    errors: tuple[MaskingError, ...]
    counts: Mapping[tuple[ErrorKind, str], int]

    def as_json(self) -> dict[str, Any]:
        """Return a JSON form: counts by kind and type, and the list of errors."""
        counts: dict[str, dict[str, int]] = {}
        for (kind, type_), n in self.counts.items():
            counts.setdefault(kind.value, {})[type_] = n
        return {"counts": counts, "list": [asdict(error) for error in self.errors]}

    def most_telling(self, n: int) -> ErrorReport:
        """Return the same counts with at most ``n`` errors of each kind.

        Direct identifiers come first. Then the types take turns, so that a frequent type doesn't
        hide the rest; within a type, errors are sorted by number of annotators.
        """
        selection: list[MaskingError] = []
        for kind in ErrorKind:
            ranked = sorted(
                (error for error in self.errors if error.kind is kind),
                key=lambda error: -error.annotators,
            )
            direct = [error for error in ranked if error.identifier == "DIRECT"]
            rest = [error for error in ranked if error.identifier != "DIRECT"]
            selection += [*_by_turns(direct), *_by_turns(rest)][:n]
        return replace(self, errors=tuple(selection))


def find_errors(
    cases: Iterable[tuple[PreparedDocument, Sequence[Span]]],
) -> ErrorReport:
    """Return all of a system's errors in all documents.

    Args:
        cases: the documents with the system's masks.

    Raises:
        InputError: if a span ends past its text.
    """
    errors: list[MaskingError] = []
    for prepared, spans in cases:
        coverage = Coverage(prepared, spans)
        errors += _uncovered(prepared, coverage)
        errors += _over_masked(prepared, spans)
    counts = Counter((error.kind, error.type) for error in errors)
    order = list(ErrorKind)
    ranked = sorted(counts.items(), key=lambda item: (order.index(item[0][0]), item[0][1]))
    return ErrorReport(tuple(errors), dict(ranked))


def _uncovered(prepared: PreparedDocument, coverage: Coverage) -> Iterator[MaskingError]:
    errors: dict[Span, MaskingError] = {}
    for entity in prepared.entities:
        touched = _touched(entity, coverage)
        for mention in entity.mentions:
            span = mention.span
            if not mention.needs_masking or coverage.masks(span.start, span.end):
                continue
            if span in errors:  # from another annotator, or the same span in two entities
                earlier = errors[span]
                errors[span] = replace(earlier, annotators=earlier.annotators + 1)
                continue
            if coverage.touches(span.start, span.end):
                kind = ErrorKind.PARTIAL
            else:
                kind = ErrorKind.INCONSISTENT if touched else ErrorKind.MISSED
            errors[span] = _error(
                prepared, span, kind, entity.type, mention.identifier.value, annotators=1
            )
    yield from errors.values()


def _touched(entity: GoldEntity, coverage: Coverage) -> bool:
    return any(coverage.touches(m.span.start, m.span.end) for m in entity.mentions)


def _over_masked(prepared: PreparedDocument, spans: Sequence[Span]) -> Iterator[MaskingError]:
    """Yield the runs of words that the system masked but no annotator did."""
    text = prepared.document.text
    for span in union_spans(spans):
        run: Span | None = None
        for match in WORD.finditer(text, span.start, span.end):
            if any(_is_masked(cover.find(*match.span())) for cover in prepared.annotators):
                if run:
                    yield _over_masking_error(prepared, run)
                run = None
            else:
                run = Span(run.start if run else match.start(), match.end())
        if run:
            yield _over_masking_error(prepared, run)


def _is_masked(mention: GoldMention | None) -> bool:
    return mention is not None and mention.needs_masking


def _over_masking_error(prepared: PreparedDocument, span: Span) -> MaskingError:
    first = WORD.search(prepared.document.text, span.start, span.end)
    word = Span(*first.span()) if first else span
    mentions = [cover.find(word.start, word.end) for cover in prepared.annotators]
    types = Counter(mention.type for mention in mentions if mention)
    type_ = types.most_common(1)[0][0] if types else NO_TYPE
    return _error(prepared, span, ErrorKind.OVER_MASKED, type_, "", annotators=0)


def _error(
    prepared: PreparedDocument,
    span: Span,
    kind: ErrorKind,
    type_: str,
    identifier: str,
    annotators: int,
) -> MaskingError:
    text = prepared.document.text
    return MaskingError(
        document=prepared.document.id,
        start=span.start,
        end=span.end,
        kind=kind,
        type=type_,
        identifier=identifier,
        annotators=annotators,
        text=_excerpt(span.of(text)),
        before=text[max(0, span.start - CONTEXT) : span.start],
        after=text[span.end : span.end + CONTEXT],
    )


def _excerpt(text: str) -> str:
    return text if len(text) <= LONGEST_SHOWN else f"{text[:LONGEST_SHOWN]}…"


def _by_turns(errors: Sequence[MaskingError]) -> Iterator[MaskingError]:
    queues: dict[str, list[MaskingError]] = {}
    for error in reversed(errors):
        queues.setdefault(error.type, []).append(error)
    while queues:
        for type_ in list(queues):
            yield queues[type_].pop()
            if not queues[type_]:
                del queues[type_]
