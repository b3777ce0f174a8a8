"""Silver labels: what patterns, a generic recognizer and the gazetteer say of a text, as one.

| they overlap | stays |
|---|---|
| a pattern (date, number, code …) and anything else | the pattern: its form leaves no doubt |
| a name and a term | the longer one ("Parkinson's disease", "Turkish Football Federation"); if they are of one length, the term: "Turkish" is no place |
| a quantity and anything of the above | the other: money and durations are patterns, "Two Oaks" is a name |

What overlaps something that stays is left out as a whole; so is what has no letter or digit. Parts of
a name side by side ("Kingdom of", "Belgium"), which recognizers leave, become one. A name takes its title along ("Mr Smith"),
as the benchmark's examples of PERSON do (TAB, section 4.1), and a nationality what it is said of: "British"
alone is an error of the paper's recognizer (``explicit_risk_measures``, section 4.1).
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence

from ...detect.gazetteer import Gazetteer
from ...detect.neural import NeuralDetector
from ...detect.patterns.detector import PatternDetector
from ...document import Document, Mention, SemanticType, Span
from ...models.recognizer import RecognizerModel
from ..examples import Marked
from .quantities import find_quantities

NAMES = frozenset({SemanticType.PERSON, SemanticType.ORG, SemanticType.LOC})
TERMS = frozenset({SemanticType.DEM, SemanticType.MISC})

_TITLE = re.compile(r"(?:Mr|Mrs|Ms|Miss|Dr|Prof|Sir|Lady|Lord)\.?\s\Z")
_NATIONS = frozenset({"nationality", "ethnic_group"})
_HOLDER = re.compile(r"\s(?:nationals?|citizens?)\b")

Typed = tuple[Span, SemanticType]


class Labeller:
    """Labels texts that nobody annotated.

    Args:
        generic: a recognizer of names; of its other types nothing is used.
        gazetteer: the terms; the shipped ones if None. Its probabilities of masking, which come
            from annotations, are not asked for.
    """

    def __init__(self, generic: RecognizerModel, gazetteer: Gazetteer | None = None) -> None:
        self._generic = NeuralDetector(generic, threads=1)
        self._patterns = PatternDetector()
        self._gazetteer = Gazetteer.load() if gazetteer is None else gazetteer

    def label(self, texts: Sequence[str]) -> list[list[Typed]]:
        """Return the mentions of each text, in order, none overlapping another."""
        names = self._generic.detect([Document("silver", text) for text in texts])
        return [
            tidied(
                text,
                settled(
                    _typed(self._patterns.detect(text)),
                    [with_title(text, *each) for each in _typed(found) if each[1] in NAMES],
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
            for text, found in zip(texts, names, strict=True)
        ]


def settled(
    patterns: Iterable[Typed],
    names: Iterable[Typed],
    terms: Iterable[Typed],
    quantities: Iterable[Typed],
) -> list[Typed]:
    """Return what stays of mentions that may overlap, in order of the text; see the table above."""
    ranked = [
        *((0, 0, 0, each) for each in patterns),
        *((1, -len(each[0]), 1, each) for each in names),
        *((1, -len(each[0]), 0, each) for each in terms),
        *((2, 0, 0, each) for each in quantities),
    ]
    taken: set[int] = set()
    staying = []
    for *_, each in sorted(ranked):
        places = range(each[0].start, each[0].end)
        if taken.isdisjoint(places):
            taken.update(places)
            staying.append(each)
    return sorted(staying)


def tidied(text: str, found: Iterable[Typed]) -> list[Typed]:
    """Return mentions that have a letter or digit, names of one type side by side as one."""
    result: list[Typed] = []
    for span, type in found:
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
    texts: Sequence[str], labels: Sequence[Sequence[Typed]], share: float = 0.2
) -> list[list[Typed]]:
    """Return the labels without terms that stand in more than ``share`` of the texts.

    What every text says of whomever it is about ("Human Rights" in judgments) says nothing of
    anybody.
    """
    terms = [
        {span.of(text).casefold() for span, type in found if type in TERMS}
        for text, found in zip(texts, labels, strict=True)
    ]
    counts = Counter(term for of_text in terms for term in of_text)
    frequent = {term for term, n in counts.items() if n > max(1.0, share * len(texts))}
    return [
        [
            (span, type)
            for span, type in found
            if type not in TERMS or span.of(text).casefold() not in frequent
        ]
        for text, found in zip(texts, labels, strict=True)
    ]


def with_title(text: str, span: Span, type: SemanticType) -> Typed:
    """Return a mention, and the title before it if it is a PERSON."""
    title = _TITLE.search(text, max(0, span.start - 8), span.start)
    if type is not SemanticType.PERSON or title is None:
        return span, type
    return Span(title.start(), span.end), type


def with_holder(text: str, span: Span) -> Span:
    """Return the span of a nationality with "national" or "citizen" after it, if that follows."""
    holder = _HOLDER.match(text, span.end)
    return span if holder is None else Span(span.start, holder.end())


def marked(found: Iterable[Typed]) -> list[Marked]:
    """Return silver labels as the annotation of an example, without masking decisions."""
    return [Marked(span.start, span.end, type.value, None) for span, type in found]


def _typed(mentions: Iterable[Mention]) -> list[Typed]:
    return [(mention.span, mention.type) for mention in mentions]
