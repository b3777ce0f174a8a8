"""Gold annotations of replacements (WikiReplace): each marked span's options, and the annotators' choices.

The format is TAB's standoff JSON, in which a mention may have

    "replacement": {"generalizations": {source: [option, …, "***"]},
                    "generalization_selection": {option: [annotator, …]}}

A source's value may also map properties to lists.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, combinations
from pathlib import Path
from typing import Any

from ..annotations.checked_json import read_json
from ..annotations.corpus import AnnotatedDocument, AnnotatedMention
from ..annotations.tab import parse_documents
from ..document import Document, Entity, Mention, MentionSource, SemanticType, Span
from ..errors import InputError
from .agreement import cohen_kappa


@dataclass(frozen=True, slots=True)
class ReplacedSpan:
    """A marked span with its options and the annotators' choices.

    Attributes:
        document: its document.
        entity: its entity, with all marked mentions of the span's type; numbered among the marked
            entities of that type.
        span: its position in the document.
        shown: the options shown, in file order, without duplicates.
        chosen: the annotators who chose each option.
    """

    document: Document
    entity: Entity
    span: Span
    shown: tuple[str, ...]
    chosen: Mapping[str, tuple[str, ...]]

    def votes(self) -> Counter[str]:
        """Return the number of annotators for each option, normalized for comparison."""
        votes: Counter[str] = Counter()
        for option, annotators in self.chosen.items():
            votes[normal(option)] += len(annotators)
        return votes

    def choices(self) -> dict[str, str]:
        """Return each annotator's option, normalized for comparison."""
        return {
            annotator: normal(option)
            for option, annotators in self.chosen.items()
            for annotator in annotators
        }


def normal(text: str) -> str:
    """Return an option normalized for comparison: without case, brackets and extra white space."""
    return " ".join(text.casefold().replace("[", " ").replace("]", " ").split())


def load_replacements(path: str | Path) -> tuple[ReplacedSpan, ...]:
    """Read a gold file; ``-`` is standard input.

    Raises:
        InputError: if the file can't be read, is malformed, or marks no span.
    """
    return parse_replacements(read_json(path), str(path))


def parse_replacements(records: Any, name: str = "gold") -> tuple[ReplacedSpan, ...]:
    """Turn parsed standoff JSON into marked spans, in file order.

    Raises:
        InputError: if the JSON is malformed (names the document, the place and the fault), or no
            span is marked.
    """
    spans = replaced_spans(parse_documents(records, name))
    if not spans:
        raise InputError("no mention has a `replacement`; the format is that of WikiReplace", name)
    return spans


def replaced_spans(documents: Iterable[AnnotatedDocument]) -> tuple[ReplacedSpan, ...]:
    """Return the documents' marked spans, in order.

    Raises:
        InputError: if a document is malformed; names the document, the place and what is wrong.
    """
    return tuple(
        span
        for document in documents
        for annotation in document.annotations
        for span in _spans(Document(document.id, document.text or ""), annotation.mentions)
    )


def options_by_source(mention: AnnotatedMention, document: str) -> dict[str, tuple[str, ...]]:
    """Return a marked mention's options by source, in file order.

    Raises:
        InputError: if they are malformed; the message names ``document``.
    """
    sources = _part(mention, "generalizations", document)
    return {source: tuple(_options(value)) for source, value in sources.items()}


def _spans(document: Document, mentions: Sequence[AnnotatedMention]) -> Iterator[ReplacedSpan]:
    marked = [mention for mention in mentions if mention.properties.get("replacement")]
    groups: dict[tuple[str, SemanticType], list[Mention]] = {}
    for mention in marked:
        key = _key(mention, document.id)
        groups.setdefault(key, []).append(
            Mention(mention.extent, key[1], 1.0, 0.0, MentionSource.GOLD)
        )
    entities: dict[tuple[str, SemanticType], Entity] = {}
    numbers: dict[SemanticType, int] = {}
    ordered = sorted(groups.items(), key=lambda group: min(item.span for item in group[1]))
    for (id, type), group in ordered:
        numbers[type] = numbers.get(type, 0) + 1
        first = sorted(group, key=lambda mention: mention.span)
        entities[id, type] = Entity(id, type, numbers[type], tuple(first))
    for mention in marked:
        options = chain.from_iterable(options_by_source(mention, document.id).values())
        selection = _part(mention, "generalization_selection", document.id)
        yield ReplacedSpan(
            document,
            entities[_key(mention, document.id)],
            mention.extent,
            tuple(dict.fromkeys(options)),
            {option: tuple(map(str, annotators)) for option, annotators in selection.items()},
        )


def _key(mention: AnnotatedMention, document: str) -> tuple[str, SemanticType]:
    type = mention.type
    if type not in SemanticType.__members__:
        names = ", ".join(SemanticType)
        raise InputError(f"entity_type {type!r} must be one of {names}", document)
    return mention.entity, SemanticType(type)


def _part(mention: AnnotatedMention, key: str, document: str) -> dict[str, Any]:
    replacement = mention.properties["replacement"]
    value = replacement.get(key) if isinstance(replacement, dict) else None
    if not isinstance(value, dict):
        raise InputError(
            f"mention at {mention.start}: replacement.{key} must be an object", document
        )
    return value


def _options(value: Any) -> Iterator[str]:
    """Yield a source's options, however deeply they are nested."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict | list):
        for part in value.values() if isinstance(value, dict) else value:
            yield from _options(part)


# Agreement of annotators: Cohen's κ for each pair, and the mean of these, Light's κ (Figure 2). The
# labels are the options themselves, compared without case and brackets. Light, "Measures of
# Response Agreement for Qualitative Data" (1971); Conger, "Integration and Generalization of Kappas
# for Multiple Raters" (1980).


Pair = tuple[str, str]
"""Two annotators, in alphabetical order."""


@dataclass(frozen=True, slots=True)
class AnnotatorAgreement:
    """How far annotators agree on replacements.

    Attributes:
        annotators: the annotators who share a span with another one, in alphabetical order.
        spans: number of spans with choices by several annotators.
        shared: number of spans that each pair shares; pairs that share none are left out.
        kappa: Cohen's κ of each pair; None if undefined.
        light_kappa: the mean of the defined values; None if there are none.
    """

    annotators: tuple[str, ...]
    spans: int
    shared: Mapping[Pair, int]
    kappa: Mapping[Pair, float | None]
    light_kappa: float | None

    def as_json(self) -> dict[str, Any]:
        """Return the ``annotators`` part of ``tacenda evaluate replacements --json``."""
        return {
            "spans": self.spans,
            "light_kappa": self.light_kappa,
            "pairs": [
                {"annotators": list(pair), "spans": self.shared[pair], "cohen_kappa": kappa}
                for pair, kappa in self.kappa.items()
            ],
        }


def measure_annotators(spans: Sequence[ReplacedSpan]) -> AnnotatorAgreement:
    """Compute the agreement of each pair of annotators over the spans they share."""
    pairs: dict[Pair, Counter[tuple[str, str]]] = {}
    several = 0
    for span in spans:
        choices = sorted(span.choices().items())
        several += len(choices) > 1
        for (annotator, first), (partner, second) in combinations(choices, 2):
            pairs.setdefault((annotator, partner), Counter())[first, second] += 1
    kappa = {pair: cohen_kappa(counts) for pair, counts in sorted(pairs.items())}
    return AnnotatorAgreement(
        annotators=tuple(sorted({name for pair in pairs for name in pair})),
        spans=several,
        shared={pair: counts.total() for pair, counts in sorted(pairs.items())},
        kappa=kappa,
        light_kappa=light_kappa(kappa.values()),
    )


def kappa_with_annotators(spans: Sequence[ReplacedSpan], texts: Sequence[str]) -> float | None:
    """Return the mean of Cohen's κ between automatic choices and each annotator.

    Args:
        spans: the gold annotations.
        texts: the option chosen for each span.
    """
    counts: dict[str, Counter[tuple[str, str]]] = {}
    for span, text in zip(spans, texts, strict=True):
        for annotator, choice in span.choices().items():
            counts.setdefault(annotator, Counter())[choice, normal(text)] += 1
    return light_kappa(map(cohen_kappa, counts.values()))


def light_kappa(kappas: Iterable[float | None]) -> float | None:
    """Return Light's κ, the mean of the defined κ of all pairs, or None if there are none."""
    defined = [kappa for kappa in kappas if kappa is not None]
    return sum(defined) / len(defined) if defined else None
