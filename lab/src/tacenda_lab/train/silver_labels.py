"""Silver labels: patterns, a generic recognizer and the gazetteer, merged.

| they overlap | stays |
|---|---|
| a pattern (date, number, code …) and anything else | the pattern: its form leaves no doubt |
| a name and a term | the longer one ("Parkinson's disease", "Turkish Football Federation"); if they are of one length, the term: "Turkish" is not a place |
| a quantity and anything of the above | the other: money and durations are patterns, "Two Oaks" is a name |

A span overlapping a kept one is left out as a whole; so is one without letter or digit. Parts of
a name side by side ("Kingdom of", "Belgium"), which recognizers leave, become one. A name takes
its title along ("Mr Smith"), as the benchmark's examples of PERSON do (TAB, section 4.1), and a
nationality what it is said of: "British" alone is an error of the paper's recognizer
(``explicit_risk_measures``, section 4.1).
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import Protocol

from tacenda.detect.gazetteer import Gazetteer
from tacenda.detect.patterns.amounts import NUMBER_WORDS, SCALES
from tacenda.detect.patterns.detector import PatternDetector
from tacenda.document import Document, Mention, SemanticType, Span

from .examples import MarkedSpan

# Shares, measures and counts in a text: what generic recognizers call a quantity, without learning.
#
# The patterns of the product find money alone, since little else of the kind is ever masked; the
# silver corpus is about types (``explicit_risk_measures``, Table 1: money values, percentages,
# "two").


_NUMBER = (
    rf"(?:[0-9]{{1,3}}(?:[,\u00a0 ][0-9]{{3}})+|[0-9]+(?:[.,][0-9]+)?"
    rf"|(?:{NUMBER_WORDS})(?:-(?:{NUMBER_WORDS}))?)(?:\s(?:{SCALES}))?"
)
_UNIT = (
    r"(?:square\s|cubic\s)?(?:per\scent|percent|%|kilomet(?:re|er)s?|met(?:re|er)s?|centimet(?:re|er)s?"
    r"|km|cm|mm|m²|sq\.?\sm|hectares?|acres?|miles?|feet|kilogram(?:me)?s?|grams?|kg|mg|tonnes?|tons?|lit(?:re|er)s?)"
)
_MEASURE = re.compile(rf"(?<![\w.,/§-]){_NUMBER}[\s-]?{_UNIT}(?!\w)")
# A count says of how many: a word in small letters follows, and is none that goes on otherwise.
_GOES_ON = "|".join(
    "of or and to in on at by for from with below above the this that these his her its their "
    "could was were had has notice who which when where until after before during under between".split()
)
_COUNT = re.compile(rf"(?<![\w.,/§-]){_NUMBER}(?=\s(?!(?:{_GOES_ON})\b)[a-z]{{3}})")
_REFERENCE = re.compile(
    r"(?:Articles?|Rules?|[Ss]ections?|[Pp]aragraphs?|[Cc]hapters?|[Pp]arts?|[Pp]oints?|[Ll]aw|[Aa]ct|Protocol|[Nn]os?\.?"
    r"|[Nn]umber|§§?|[Pp]ages?|[Aa]nnex|[Ll]ine|[Bb]lock|[Uu]nit|[Cc]ell|and|or|to|–|-|,)\s*\Z"
)


def find_quantities(text: str) -> Iterator[Span]:
    """Yield numbers with their unit, and numbers of things; spans do not overlap.

    The number of a provision (``Article 6``) or of a list of numbers is not a count.
    """
    end = 0
    matches = [*_MEASURE.finditer(text), *_COUNT.finditer(text)]
    for match in sorted(matches, key=lambda match: (match.start(), -match.end())):
        if match.start() < end:
            continue
        if match.re is _COUNT and _REFERENCE.search(
            text[max(0, match.start() - 16) : match.start()]
        ):
            continue
        yield Span(match.start(), match.end())
        end = match.end()


NAMES = frozenset({SemanticType.PERSON, SemanticType.ORG, SemanticType.LOC})
TERMS = frozenset({SemanticType.DEM, SemanticType.MISC})

_TITLE = re.compile(r"(?:Mr|Mrs|Ms|Miss|Dr|Prof|Sir|Lady|Lord)\.?\s\Z")
_NATIONS = frozenset({"nationality", "ethnic_group"})
_HOLDER = re.compile(r"\s(?:nationals?|citizens?)\b")

TypedSpan = tuple[Span, SemanticType]


class NameDetector(Protocol):
    """Detector of named entities."""

    def detect(self, documents: Sequence[Document]) -> Sequence[Sequence[Mention]]:
        """Return the mentions of each document, in order of its text."""
        ...


class Labeller:
    """Labeller of unannotated texts.

    Args:
        generic: a detector of names; its other types are ignored.
        gazetteer: the terms; the shipped ones if None. Its probabilities of masking are not used,
            for they come from annotations.
    """

    def __init__(self, generic: NameDetector, gazetteer: Gazetteer | None = None) -> None:
        self._generic = generic
        self._patterns = PatternDetector()
        self._gazetteer = Gazetteer.load() if gazetteer is None else gazetteer

    def label(self, texts: Sequence[str]) -> list[list[TypedSpan]]:
        """Return the mentions of each text, in order, none overlapping another."""
        names = self._generic.detect([Document("silver", text) for text in texts])
        return [
            merge_names(
                text,
                resolve_overlaps(
                    _typed_spans(self._patterns.detect(text)),
                    [
                        with_title(text, *mention)
                        for mention in _typed_spans(mentions)
                        if mention[1] in NAMES
                    ],
                    [
                        (
                            with_holder(text, tag.span) if tag.group in _NATIONS else tag.span,
                            tag.type,
                        )
                        for tag in self._gazetteer.tag(text)
                    ],
                    [(span, SemanticType.QUANTITY) for span in find_quantities(text)],
                ),
            )
            for text, mentions in zip(texts, names, strict=True)
        ]


def resolve_overlaps(
    patterns: Iterable[TypedSpan],
    names: Iterable[TypedSpan],
    terms: Iterable[TypedSpan],
    quantities: Iterable[TypedSpan],
) -> list[TypedSpan]:
    """Return mentions without overlaps, by the table's precedence, in order of the text."""
    ranked = [
        *((0, 0, 0, mention) for mention in patterns),
        *((1, -len(mention[0]), 1, mention) for mention in names),
        *((1, -len(mention[0]), 0, mention) for mention in terms),
        *((2, 0, 0, mention) for mention in quantities),
    ]
    cover: set[int] = set()
    staying = []
    for *_, mention in sorted(ranked):
        places = range(mention[0].start, mention[0].end)
        if cover.isdisjoint(places):
            cover.update(places)
            staying.append(mention)
    return sorted(staying)


def merge_names(text: str, mentions: Iterable[TypedSpan]) -> list[TypedSpan]:
    """Return mentions with a letter or digit; adjacent names of one type are joined."""
    result: list[TypedSpan] = []
    for span, type in mentions:
        if not any(map(str.isalnum, span.of(text))):
            continue
        if result and type in NAMES and result[-1][1] is type:
            before = result[-1][0]
            if text[before.end : span.start] in ("", " "):
                result[-1] = (Span(before.start, span.end), type)
                continue
        result.append((span, type))
    return result


def without_boilerplate(
    texts: Sequence[str], labels: Sequence[Sequence[TypedSpan]], share: float = 0.2
) -> list[list[TypedSpan]]:
    """Return the labels without terms of more than ``share`` of the texts.

    A term of every text ("Human Rights" in judgments) identifies no one.
    """
    terms = [
        {span.of(text).casefold() for span, type in mentions if type in TERMS}
        for text, mentions in zip(texts, labels, strict=True)
    ]
    counts = Counter(term for of_text in terms for term in of_text)
    frequent = {term for term, n in counts.items() if n > max(1.0, share * len(texts))}
    return [
        [
            (span, type)
            for span, type in mentions
            if type not in TERMS or span.of(text).casefold() not in frequent
        ]
        for text, mentions in zip(texts, labels, strict=True)
    ]


def with_title(text: str, span: Span, type: SemanticType) -> TypedSpan:
    """Return a mention, and the title before it if it is a PERSON."""
    title = _TITLE.search(text, max(0, span.start - 8), span.start)
    if type is not SemanticType.PERSON or title is None:
        return span, type
    return Span(title.start(), span.end), type


def with_holder(text: str, span: Span) -> Span:
    """Return the span of a nationality, extended by a following "national" or "citizen"."""
    holder = _HOLDER.match(text, span.end)
    return span if holder is None else Span(span.start, holder.end())


def silver_annotation(mentions: Iterable[TypedSpan]) -> list[MarkedSpan]:
    """Return silver labels as the annotation of an example, without masking decisions."""
    return [MarkedSpan(span.start, span.end, type.value, None) for span, type in mentions]


def _typed_spans(mentions: Iterable[Mention]) -> list[TypedSpan]:
    return [(mention.span, mention.type) for mention in mentions]
