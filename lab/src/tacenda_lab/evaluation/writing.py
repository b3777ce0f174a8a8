"""Measures of what *generalize* writes into gold documents: what it keeps, whether it is true, and whether it reads well.

    suppressed      share of the spans that become ``***``
    kept            mean share of its information that a span keeps by the count of things that fit (``Option.kept``)
    kept_nats       the same, each span weighed by its information under a language model: −log p of the string
                    where it stands, all other mentions of the thing hidden
    told_nats       share of this information that what is written gives away again under the same model: how much
                    likelier the string is right after it, log p(string | context, option) − log p(string | context),
                    at least 0 (pointwise mutual information)
    true_class      of the classes of linked things, those above the thing in the ontology
    true_range      of the dates and amounts with digits, those within the range that is written
    faultless       share of the pieces without a grammar error (``grammar``)
    chosen_by_any, chosen_by_most   see ``replacements``

Each is a ratio of sums over documents, with a 95 % interval by bootstrap over documents. The spans are those of the
gold; its mentions are masked, regardless of a recognizer.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from tacenda.deciding import Analysis, complete
from tacenda.detect.merge import merge
from tacenda.document import Document, Entity, Mention, SemanticType, Span
from tacenda.evaluate.metrics import DocumentStatistics, Share, Tally, intervals, total
from tacenda.evaluate.replacement_gold import ReplacedSpan
from tacenda.evaluate.utility import Estimate
from tacenda.policy import Policy
from tacenda.result import Result

from .grammar import GrammarError, grammar_errors
from .replacements import Above, Choose, Offer, measure_choices

Surprisal = Callable[[Document, Entity, str], float | None]
"""Returns −log p of the first mention of an entity with a text put right before it, in nats; None if it can't say."""

RESAMPLES: Final = 1000
FIGURES: Final = (
    "suppressed",
    "kept",
    "kept_nats",
    "told_nats",
    "true_class",
    "true_range",
    "faultless",
    "chosen_by_any",
    "chosen_by_most",
)
_SUPPRESS: Final = "suppress"


@dataclass(frozen=True, slots=True)
class WrittenPiece:
    """A replacement, for people to read.

    Attributes:
        type: semantic type.
        span: its place in the original.
        output: its place in the sanitized text.
        chosen: what people chose there, most frequent first.
        kept: share of the information kept, or None where nothing was generalised.
        errors: the kinds of its grammar errors.
    """

    type: SemanticType
    span: Span
    output: Span
    chosen: tuple[str, ...]
    kept: float | None
    errors: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class WrittenDocument:
    """A gold document as it would be released, with its pieces in order."""

    document: Document
    text: str = field(repr=False)
    pieces: tuple[WrittenPiece, ...]


@dataclass(frozen=True, slots=True)
class Writing:
    """Figures for what is written.

    Attributes:
        figures: overall figures, by name.
        by_type: the same for each semantic type.
        errors: the number of grammar errors by kind.
        documents: the documents as they would be released.
    """

    figures: dict[str, Estimate]
    by_type: dict[str, dict[str, Estimate]]
    errors: Counter[str]
    documents: tuple[WrittenDocument, ...]

    def as_json(self) -> dict[str, Any]:
        """Return the part ``writing`` of ``tacenda evaluate replacements --json``."""
        return {
            "figures": {name: _as_json(each) for name, each in self.figures.items()},
            "by_type": {
                type: {name: _as_json(each) for name, each in figures.items()}
                for type, figures in self.by_type.items()
            },
            "grammar_errors": dict(self.errors.most_common()),
            "resamples": RESAMPLES,
        }


def _as_json(estimate: Estimate) -> dict[str, Any]:
    interval = estimate.interval and list(estimate.interval)
    return {"value": estimate.value, "interval": interval, "of": estimate.documents}


def measure_writing(
    spans: Sequence[ReplacedSpan],
    offer: Offer,
    choose: Choose,
    above: Above,
    surprisal: Surprisal,
    residual_risk: float,
) -> Writing:
    """Sanitize gold documents with *generalize*, and measure what is written.

    Args:
        spans: the gold.
        offer: returns an entity's options, to compare with people's choices.
        choose: returns one of them.
        above: returns an entity's classes in the ontology.
        surprisal: surprisal under a language model.
        residual_risk: the highest residual risk an option may have.
    """
    policy = Policy(
        operator="generalize", residual_risk=residual_risk, threshold=0.5, recognizer=False
    )
    groups: dict[Document, list[ReplacedSpan]] = defaultdict(list)
    for span in spans:
        groups[span.document].append(span)
    statistics, documents = [], []
    errors: Counter[str] = Counter()
    for document, members in groups.items():
        mentions = {mention for span in members for mention in span.entity.mentions}
        analysis = Analysis(document, merge(document.text, sorted(mentions, key=_place)))
        result = complete(analysis, policy, 0.5).sanitized
        tallies = _WritingTallies()
        _count_people(members, offer, choose, tallies)
        _count_decisions(result, above, surprisal, tallies)
        faults = grammar_errors(result.text, _written(result))
        errors.update(fault.kind for fault in faults)
        pieces = tuple(_pieces(result, faults, members))
        for piece in pieces:
            tallies.add("faultless", piece.type, not piece.errors)
        statistics.append(DocumentStatistics(document.id, tallies.sums))
        documents.append(WrittenDocument(document, result.text, pieces))
    types = sorted({str(span.entity.type) for span in spans})
    return Writing(
        _estimates(statistics, ""),
        {type: _estimates(statistics, type) for type in types},
        errors,
        tuple(documents),
    )


def _place(mention: Mention) -> Span:
    return mention.span


class _WritingTallies:
    """Sums for one document, by figure and type."""

    def __init__(self) -> None:
        self.sums: dict[str, Tally] = {}

    def add(self, figure: str, type: str, hits: float, size: float = 1) -> None:
        name = f"{figure}.{type}"
        before = self.sums.get(name, Tally(0, 0))
        self.sums[name] = Tally(before.hits + hits, before.total + size)


def _estimates(statistics: Sequence[DocumentStatistics], type: str) -> dict[str, Estimate]:
    """Return the figures of a type, or of all types if it is empty."""
    metrics = [Share(name, (f"{name}.{type}",)) for name in FIGURES]
    sums, bounds = total(statistics), intervals(statistics, metrics, RESAMPLES)
    return {
        metric.name: Estimate(
            metric.score(sums), bounds.get(metric.name), round(metric.total(sums))
        )
        for metric in metrics
    }


def _count_people(
    spans: Iterable[ReplacedSpan], offer: Offer, choose: Choose, tallies: _WritingTallies
) -> None:
    for span in spans:
        counts = measure_choices([span], offer, choose).total
        tallies.add("chosen_by_any", span.entity.type, counts.any)
        tallies.add("chosen_by_most", span.entity.type, counts.most)


def _count_decisions(
    result: Result, above: Above, surprisal: Surprisal, tallies: _WritingTallies
) -> None:
    """Count what each thing keeps, once per mention, and whether it is true."""
    document = result.document
    for decision in result.decisions:
        if not decision.masked:
            continue
        entity = decision.entity
        type, n = entity.type, len(entity.mentions)
        option = None if decision.operator == _SUPPRESS else decision.choice
        kept = 0.0 if option is None else option.kept
        tallies.add("suppressed", type, n * (option is None), n)
        tallies.add("kept", type, n * kept, n)
        nats = surprisal(document, entity, "")
        after = nats if option is None else surprisal(document, entity, f"{option.text}, ")
        if nats is not None and after is not None:
            tallies.add("kept_nats", type, n * kept * nats, n * nats)
            tallies.add("told_nats", type, n * max(nats - after, 0.0), n * nats)
        if option is None:
            continue
        is_within = within_range(option.text, entity.mentions[0].span.of(document.text))
        if is_within is not None:
            tallies.add("true_range", type, is_within)
        # A head noun that is not a class has nothing above it.
        elif not option.source.startswith("rule:") and option.source != "ontology:head":
            classes = above(document, entity)
            if classes is not None:
                tallies.add("true_class", type, option.source in classes)


# Ranges: does what is written hold what it replaces? Read here by the digits alone, not by the rules that wrote it.

_YEAR = re.compile(r"(?<!\d)(1\d{3}|20\d\d)(?!\d)")
_DECADE = re.compile(r"(?<!\d)(1\d{3}|20\d\d)s\b")
_CENTURY = re.compile(r"\b(\d{1,2})(?:st|nd|rd|th) century")
_BOUNDS = re.compile(r"between (\d[\d,.]*) and (\d[\d,.]*)")
_NUMBER = re.compile(r"\d[\d,]*(?:\.\d+)?")


def within_range(option: str, original: str) -> bool | None:
    """Return whether an option's years or amounts contain those of the original, or None if it has none.

    Args:
        option: such as ``date in the 1990s`` or ``between 10 and 50 €``.
        original: the replaced string.
    """
    if bounds := _BOUNDS.search(option):
        low, high = (float(each.replace(",", "").rstrip(".")) for each in bounds.groups())
        numbers = [float(each.replace(",", "")) for each in _NUMBER.findall(original)]
        return all(low <= number <= high for number in numbers) if numbers else None
    years = [int(year) for year in _YEAR.findall(original)]
    stretches = [(int(decade), int(decade) + 9) for decade in _DECADE.findall(option)]
    stretches += [(int(n) * 100 - 100, int(n) * 100) for n in _CENTURY.findall(option)]
    if not stretches:
        stretches = [(int(year), int(year)) for year in _YEAR.findall(option)]
    if not years or not stretches:
        return None
    first, last = min(low for low, _ in stretches), max(high for _, high in stretches)
    return all(first <= year <= last for year in years)


# Pieces for people to read.


def _written(result: Result) -> list[tuple[Span, str]]:
    text = result.document.text
    return [
        (Span(edit.output_start, edit.output_end), edit.original.of(text))
        for edit in result.replacements
        if edit.entity_ids and edit.text
    ]


def _pieces(
    result: Result, errors: Sequence[GrammarError], spans: Sequence[ReplacedSpan]
) -> Iterator[WrittenPiece]:
    decisions = {item.entity.id: item for item in result.decisions}
    votes = {span.span: span.votes() for span in spans}
    for edit in result.replacements:
        if not edit.entity_ids or not edit.text:
            continue
        decision = decisions[edit.entity_ids[0]]
        output = Span(edit.output_start, edit.output_end)
        chosen: Counter[str] = Counter()
        for span, counts in votes.items():
            if span.overlaps(edit.original):
                chosen += counts
        is_generalised = decision.operator != _SUPPRESS and decision.choice is not None
        yield WrittenPiece(
            decision.entity.type,
            edit.original,
            output,
            tuple(text for text, _ in chosen.most_common()),
            decision.choice.kept if is_generalised and decision.choice else None,
            tuple(sorted({error.kind for error in errors if error.span.overlaps(output)})),
        )
