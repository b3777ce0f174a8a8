"""What the span classifier looks at: an entity as named numbers.

| features | of |
|---|---|
| type, how many mentions, how many words | the entity |
| where the first mention stands, how many entities there are of its type | the document |
| unigram information: mean and largest of a word, sum | the longest string |
| shapes of words, the form of a date, the words themselves | the longest string |
| up to four words before and after, the two nearest by their place | the first six mentions |

Words of names of persons are left out: a classifier of risk must not know anybody by name. Digits
are ``9``.
"""

from __future__ import annotations

import math
import re
from bisect import bisect_right
from collections.abc import Iterator

from ...document import Document, Entity, SemanticType
from ...text.information import UnigramSurprisal

_WORD = re.compile(r"\w+(?:['’]\w+)?")
_LETTERS = re.compile(r"[^\W\d_]+")
_DIGIT = re.compile(r"\d")
_PLACES = (0.02, 0.05, 0.1, 0.2, 0.4, 0.6, 0.8)
_COARSE_PLACES = (0.05, 0.15, 0.5)
_NEAR = 60  # Code points around a mention.
_WORDS_AROUND = 4
_NEAREST = 2
_MENTIONS = 6
_NATS = 10.0  # A rare word tells about as much: the unit of the features of information.


def features(document: Document, entity: Entity, of_its_type: int) -> dict[str, float]:
    """Return the features of an entity, by name.

    Args:
        document: where it is.
        entity: what is judged.
        of_its_type: how many entities of its type the document has, itself included.
    """
    text, type = document.text, entity.type
    longest = max((mention.span.of(text) for mention in entity.mentions), key=len)
    words = _WORD.findall(longest)
    told = [UnigramSurprisal.shipped().surprisal(word) / _NATS for word in words] or [0.0]
    mentions, length = math.log(len(entity.mentions)), math.log(len(words) + 1)
    place = entity.mentions[0].span.start / len(text)
    found = {
        "constant": 1.0,
        f"{type}": 1.0,
        "mentions": mentions,
        f"{type} mentions": mentions,
        "words": length,
        f"{type} words": length,
        "information": sum(told),
        "mean information": sum(told) / len(told),
        "largest information": max(told),
        f"{type} mean information": sum(told) / len(told),
        f"{type} largest information": max(told),
        "entities of its type": math.log(of_its_type),
        f"place {bisect_right(_PLACES, place)}": 1.0,
        f"{type} place {bisect_right(_COARSE_PLACES, place)}": 1.0,
    }
    found |= dict.fromkeys(_of_string(type, longest, words), 1.0)
    for mention in entity.mentions[:_MENTIONS]:
        start, end = mention.span.start, mention.span.end
        before = _WORD.findall(text[max(0, start - _NEAR) : start])[::-1]
        after = _WORD.findall(text[end : end + _NEAR])
        found |= dict.fromkeys(_around("before", type, before), 1.0)
        found |= dict.fromkeys(_around("after", type, after), 1.0)
    return found


def _of_string(type: SemanticType, longest: str, words: list[str]) -> Iterator[str]:
    yield from (f"{type} shape {_shape(word)}" for word in words)
    if type is SemanticType.PERSON:
        return
    if type is SemanticType.DATETIME:
        yield f"date {_DIGIT.sub('9', _LETTERS.sub('a', longest))[:24]}"
    folded = [_DIGIT.sub("9", word.lower()) for word in words]
    yield from (f"word {word}" for word in folded)
    yield f"all {' '.join(folded)[:40]}"


def _around(side: str, type: SemanticType, words: list[str]) -> Iterator[str]:
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
