"""Span classification: a linear classifier of entities (``privacy_risk_indicators``, section 5.2).

    features     strings of the entity, words around its mentions, their places and information
    classifier   ``SpanClassifier``: the indicator

The paper fine-tunes an encoder (``encoded_span.py``). This classifier needs neither an encoder nor
the output of the recognizer at run time, so it makes other errors and can be fitted to the
recognizer's training documents.
"""

from __future__ import annotations

import json
import math
import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path

from tacenda.document import Document, Entity, Evidence, IdentifierType, SemanticType
from tacenda.errors import ModelError
from tacenda.models.calibration import DEFAULT_RISK, OTHERWISE
from tacenda.models.checkpoint import is_checkpoint
from tacenda.models.store import read_text
from tacenda.risk.combined_risk import probability
from tacenda.risk.indicators import Finding, Indicator
from tacenda.text.information import UnigramSurprisal

# Features of the span classifier: named numbers for an entity.
#
# | features | of |
# |---|---|
# | type, how many mentions, how many words | the entity |
# | where the first mention stands, how many entities there are of its type | the document |
# | unigram information: mean and largest of a word, sum | the longest string |
# | shapes of words, the form of a date, the words themselves | the longest string |
# | up to four words before and after, the two nearest by their place | the first six mentions |
#
# Words of people's names are left out, since a classifier of risk must not know anyone by name.
# Digits become ``9``.


_WORD = re.compile(r"\w+(?:['’]\w+)?")
_LETTERS = re.compile(r"[^\W\d_]+")
_DIGIT = re.compile(r"\d")
_PLACES = (0.02, 0.05, 0.1, 0.2, 0.4, 0.6, 0.8)
_COARSE_PLACES = (0.05, 0.15, 0.5)
_NEAR = 60  # Code points around a mention.
_WORDS_AROUND = 4
_NEAREST = 2
_MENTIONS = 6
_NATS = 10.0  # About the information of a rare word, used as the unit of the information features.


def span_features(document: Document, entity: Entity, of_its_type: int) -> dict[str, float]:
    """Return the features of an entity, by name.

    Args:
        document: its document.
        entity: the entity.
        of_its_type: number of entities of its type in the document, including itself.
    """
    text, type = document.text, entity.type
    longest = max((mention.span.of(text) for mention in entity.mentions), key=len)
    words = _WORD.findall(longest)
    information = [UnigramSurprisal.shipped().surprisal(word) / _NATS for word in words] or [0.0]
    mentions, length = math.log(len(entity.mentions)), math.log(len(words) + 1)
    place = entity.mentions[0].span.start / len(text)
    values = {
        "constant": 1.0,
        f"{type}": 1.0,
        "mentions": mentions,
        f"{type} mentions": mentions,
        "words": length,
        f"{type} words": length,
        "information": sum(information),
        "mean information": sum(information) / len(information),
        "largest information": max(information),
        f"{type} mean information": sum(information) / len(information),
        f"{type} largest information": max(information),
        "entities of its type": math.log(of_its_type),
        f"place {bisect_right(_PLACES, place)}": 1.0,
        f"{type} place {bisect_right(_COARSE_PLACES, place)}": 1.0,
    }
    values |= dict.fromkeys(_string_features(type, longest, words), 1.0)
    for mention in entity.mentions[:_MENTIONS]:
        start, end = mention.span.start, mention.span.end
        before = _WORD.findall(text[max(0, start - _NEAR) : start])[::-1]
        after = _WORD.findall(text[end : end + _NEAR])
        values |= dict.fromkeys(_context_features("before", type, before), 1.0)
        values |= dict.fromkeys(_context_features("after", type, after), 1.0)
    return values


def _string_features(type: SemanticType, longest: str, words: list[str]) -> Iterator[str]:
    yield from (f"{type} shape {_shape(word)}" for word in words)
    if type is SemanticType.PERSON:
        return
    if type is SemanticType.DATETIME:
        yield f"date {_DIGIT.sub('9', _LETTERS.sub('a', longest))[:24]}"
    folded = [_DIGIT.sub("9", word.lower()) for word in words]
    yield from (f"word {word}" for word in folded)
    yield f"all {' '.join(folded)[:40]}"


def _context_features(side: str, type: SemanticType, words: list[str]) -> Iterator[str]:
    for place, word in enumerate(words[:_WORDS_AROUND]):
        folded = "9" if word.isdigit() else word.lower()
        yield f"{side} {folded}"
        if place < _NEAREST:
            yield f"{side} {place + 1} {folded}"
        if place == 0:
            yield f"{type} {side} {folded}"


def _shape(word: str) -> str:
    if word.isdigit():
        return "number"
    if _DIGIT.search(word):
        return "mixed"
    if word.isupper():
        return "capitals" if len(word) > 1 else "initial"
    return "name" if word[0].isupper() else "small"


# Loading the weights of the span classifier, after checking their digest.


SPAN_FILE = "span.json"


@cache
def load_span_weights(source: str | Path = DEFAULT_RISK) -> Mapping[str, float]:
    """Return the weights of the span classifier by feature, read once in a process.

    Args:
        source: name of a shipped model, or a folder with one.

    Raises:
        ModelError: if it is missing, damaged or holds something else.
    """
    name, text = read_text(source, SPAN_FILE, OTHERWISE)
    try:
        return {str(feature): float(weight) for feature, weight in json.loads(text).items()}
    except (ValueError, TypeError, AttributeError) as error:
        raise ModelError(f"{name}: {SPAN_FILE} has no weights; rebuild it.") from error


# The span classifier as an indicator: a logistic regression over named features.


SPAN = "span"


class SpanClassifier:
    """Indicator of entities by their strings and the words around them.

    Args:
        weights: by the name of the feature; features without a weight are ignored.
    """

    def __init__(self, weights: Mapping[str, float]) -> None:
        self._weights = weights

    @classmethod
    def shipped(cls, folder: str = "") -> Indicator:
        """Return the shipped indicator, or the one in a folder of `tacenda lab train risk` or `tacenda lab train span`.

        Raises:
            ModelError: if its weights are missing or damaged.
        """
        if folder and is_checkpoint(Path(folder)):
            from .encoded_span import EncodedSpanClassifier

            return EncodedSpanClassifier(Path(folder))
        return cls(load_span_weights(Path(folder) if folder else DEFAULT_RISK))

    def judge(self, document: Document, entities: Sequence[Entity]) -> list[Finding | None]:
        """Return a finding for each entity."""
        count = Counter(entity.type for entity in entities)
        return [self._finding(document, entity, count[entity.type]) for entity in entities]

    def _finding(self, document: Document, entity: Entity, of_its_type: int) -> Finding:
        described = span_features(document, entity, of_its_type)
        odds = sum(self._weights.get(name, 0.0) * value for name, value in described.items())
        value = probability(odds)
        statement = (
            f"Its words and those around it give {value:.2f} that this must be masked (span "
            "classifier)."
        )
        identifier = IdentifierType.QUASI if value >= 0.5 else IdentifierType.NO_MASK
        return Finding(Evidence(SPAN, value, statement), identifier)
