"""What the emulation looks at: an entity as its phrases, which are what a search would be asked.

Facts are numbers by name; most tell how rare the words are. The vector is that of an encoder that
reads the fullest phrase; the names of the people to protect have one, too.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, Protocol

import numpy as np
from numpy.typing import NDArray

from ....background.queries import Part
from ....document import Document, Entity, SemanticType
from ....text.information import UnigramSurprisal
from ....text.tokens import word_list
from ..queries import people_of, phrases_of, phrases_of_names

FACTS: tuple[str, ...] = (
    *(f"type {type}" for type in SemanticType),
    "words",
    "log words",
    "characters",
    "phrases",
    "log mentions",
    "information",
    "largest information",
    "least information",
    "mean information",
    "unknown words",
    "place",
    "log entities of its type",
    "digits",
    "has digits",
    "is a number",
    "has a year",
    "begins with a capital",
    "capitals only",
    "share of capitalised words",
    "words shared with the names",
)
"""The facts of an entity, in order; information is by unigrams, in units of 10 nats."""
INFORMATION = FACTS.index("information")
TYPES = len(SemanticType)
"""The first facts are the types, one-hot."""

_NATS = 10.0
_YEAR = re.compile(r"\b(?:1[5-9]|20)\d\d\b")
# Words of a phrase that are read, and of all names.
_READ = 64
# Entities that are read in one call: padding is to the longest of them.
_BATCH = 64

Vectors = NDArray[np.float32]


class PhraseEncoder(Protocol):
    """Gives texts vectors; ``models.attacker.AttackerModel`` does.

    Attributes:
        name: of the encoder, up to its digests.
        width: numbers a vector.
    """

    name: str
    width: int

    def pieces(self, words: Sequence[str]) -> NDArray[np.int64]:
        """Return the word pieces of some words, [words, most pieces]."""
        ...

    def vectors(
        self, side: Literal["profile"], pieces: NDArray[np.int64], places: NDArray[np.int64]
    ) -> NDArray[np.float32]:
        """Return vectors of length 1, [texts, width], for [texts, longest] places of words."""
        ...


@dataclass(frozen=True, slots=True, eq=False)
class Asked:
    """The n entities of a document as the emulation sees them.

    Attributes:
        facts: float32 [n, facts].
        vectors: float32 [n, width], of the fullest phrases.
        person: float32 [width], of the names of the people to protect.
        worded: which entities have a word to ask for, bool [n].
    """

    facts: Vectors
    vectors: Vectors
    person: Vectors
    worded: NDArray[np.bool_]


def asked(
    document: Document, entities: Sequence[Entity], names: Sequence[str], encoder: PhraseEncoder
) -> Asked | None:
    """Return what the emulation looks at; None where there is nobody to protect.

    Args:
        document: with the target, if any.
        entities: of the document.
        names: further names to protect. Without any and without a target, everybody is protected.
        encoder: reads phrases.
    """
    people = phrases_of_names((*document.target, *names)) or people_of(document, entities)
    if not people:
        return None
    called = [word for part in people for string in part for word in word_list(string)]
    parts = [phrases_of(document, entity) for entity in entities]
    of_type = Counter(entity.type for entity in entities)
    rows = [
        _facts(document, entity, part, of_type[entity.type], frozenset(called))
        for entity, part in zip(entities, parts, strict=True)
    ]
    texts = [called, *(word_list(part[0]) if part else [] for part in parts)]
    vectors = read(texts, encoder)
    return Asked(
        np.array(rows, dtype=np.float32).reshape(len(rows), len(FACTS)),
        vectors[1:],
        vectors[0],
        np.array([bool(part) for part in parts], dtype=bool),
    )


def read(texts: Sequence[Sequence[str]], encoder: PhraseEncoder) -> Vectors:
    """Return the vectors of texts given as words, [texts, width]; their company changes nothing."""
    # Vectors must not depend on what else is read: texts of one length go together.
    by_length: dict[int, list[int]] = {}
    for index, text in enumerate(texts):
        by_length.setdefault(min(len(text), _READ), []).append(index)
    found = np.zeros((len(texts), encoder.width), dtype=np.float32)
    for length, indices in sorted(by_length.items()):
        if not length:
            continue
        for begin in range(0, len(indices), _BATCH):
            chosen = indices[begin : begin + _BATCH]
            # The first two words stand for padding and a mask.
            numbers: dict[str, int] = {"": 0, "***": 1}
            places = [
                [numbers.setdefault(word, len(numbers)) for word in texts[index][:length]]
                for index in chosen
            ]
            pieces = encoder.pieces(list(numbers))
            found[chosen] = encoder.vectors("profile", pieces, np.array(places, dtype=np.int64))
    return found


def _facts(
    document: Document, entity: Entity, part: Part, of_its_type: int, called: frozenset[str]
) -> list[float]:
    phrase = part[0] if part else ""
    words, unigram = word_list(phrase), UnigramSurprisal.shipped()
    told = [unigram.surprisal(word) / _NATS for word in words] or [0.0]
    digits = sum(character.isdigit() for character in phrase)
    capitalised = [word[:1].isupper() for word in phrase.split()] or [False]
    shared = called & {word for string in part for word in word_list(string)}
    return [
        *(float(entity.type is type) for type in SemanticType),
        float(len(words)),
        math.log(len(words) + 1),
        float(len(phrase)),
        float(len(part)),
        math.log(len(entity.mentions)),
        sum(told),
        max(told),
        min(told),
        sum(told) / len(told),
        float(sum(unigram.counts.get(word, 0) == 0 for word in words)),
        entity.mentions[0].span.start / len(document.text),
        math.log(of_its_type),
        float(digits),
        float(digits > 0),
        float(phrase.isdigit()),
        float(_YEAR.search(phrase) is not None),
        float(phrase[:1].isupper()),
        float(phrase.isupper()),
        sum(capitalised) / len(capitalised),
        float(len(shared)),
    ]
