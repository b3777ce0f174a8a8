"""An attacker with two encoders, one for texts and one for profiles.

    p(person | text, mask) = softmax over people of sharpness · cos(f(text, mask), g(profile))

Morris et al. (2022), section 5. f and g are defined in ``tacenda_lab.train.attacker_network``, and
trained on people other than those attacked. Unlike additive attackers they read words in context,
and relate a candidate in 1972 to a departure in 1973.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, Protocol

import numpy as np
from numpy.typing import NDArray

from ...atomic import atomic_file
from ...background.people import People
from ...background.profiles import Person, linearize, table_of
from ...document import Document
from ...errors import InputError
from ...models.encoder_pair import EncoderPair
from ...models.networks import AttackerModel
from ..tokens import LABEL, STOP_WORDS, TokenizedDocument, adjoins, read_words
from .base import ScoringAttacker
from .lexical import Contributions, NaiveBayes, additive_scores

# A text's tokens for an encoder: its telling words, the punctuation between them, and masks.
#
# Like other attackers, it leaves out stop words and most punctuation. It keeps punctuation that
# ends a clause or joins a range of years, and *may*, which is usually the month where it matters. A
# masked word, ``***`` and a label such as ``[PERSON 1]`` are each read as one mask.


PADDING: Final = 0
MASK: Final = 1
"""Places of what is not a word, before the words of a ``Reading``."""
_UNREAD: Final = STOP_WORDS - {"may"}
_BETWEEN = re.compile(rf"(?P<mask>\*{{3}}|{LABEL.pattern})|[;:()–—-]")


@dataclass(frozen=True, slots=True)
class EncoderReading:
    """A text as word indexes.

    Attributes:
        words: the distinct words and punctuation; the first two stand for padding and for a mask.
        places: index into ``words`` of each token, in order, [read].
        number: index of the token's word in the document, -1 for punctuation and masks, [read].
        following: index of the first word at or after the token, [read].
        adjoins: whether each word and the previous one would form one mask, [words].
        n_words: number of words in the text; words beyond are only offered.
    """

    words: tuple[str, ...] = field(repr=False)
    places: NDArray[np.int64]
    number: NDArray[np.int64]
    following: NDArray[np.int64]
    adjoins: NDArray[np.bool_]
    n_words: int

    def masked(self, mask: NDArray[np.bool_]) -> NDArray[np.int64]:
        """Return the token indexes of the text with these words masked, [words].

        Adjacent masked words are one mask, as in a release, and words that are only offered leave
        nothing.
        """
        joined = mask & self.adjoins
        joined[1:] &= mask[:-1]
        flags = np.append(mask, False)[self.number]
        indices = np.flatnonzero(flags)
        masks = np.cumsum(~joined)[self.number[indices]]
        left = ~np.append(joined, False)[self.following] | (self.number >= 0)
        left[indices[1:][masks[1:] == masks[:-1]]] = False
        left[flags & (self.number >= self.n_words)] = False
        places: NDArray[np.int64] = np.where(flags, MASK, self.places)[left]
        return places


def read(document: TokenizedDocument) -> EncoderReading:
    """Return the tokens of a document for an encoder."""
    text = document.document.text
    words = {"": PADDING, "***": MASK}
    places, number, following = [], [], []

    def between(start: int, end: int) -> None:
        for match in _BETWEEN.finditer(text, start, end):
            mark = match.group()
            places.append(MASK if match["mask"] else words.setdefault(mark, len(words)))
            number.append(-1)
            following.append(following_word)

    last = following_word = 0
    own = len(document) - document.n_offered
    for index, (span, key) in enumerate(zip(document.spans, document.keys, strict=True)):
        following_word = index
        if index <= own:
            between(last, span.start)
        if key not in _UNREAD:
            places.append(words.setdefault(key, len(words)))
            number.append(index)
            following.append(index)
        last = span.end
    following_word = len(document)
    if not document.n_offered:
        between(last, len(text))
    return EncoderReading(
        tuple(words),
        np.array(places, dtype=np.int64),
        np.array(number, dtype=np.int64),
        np.array(following, dtype=np.int64),
        np.array([adjoins(document, n) for n in range(len(document))], dtype=bool),
        own,
    )


def read_text(text: str) -> EncoderReading:
    """Return the tokens of a plain text, such as a linearized profile."""
    return read(read_words(Document("", text)))


# The vectors of a store's profiles are computed once, stored next to the store, and memory-mapped.
#
# The file name includes the state of the store and the model, so outdated vectors are never read.


_PEOPLE_PER_BATCH: Final = 128
"""Profiles a call of the encoder."""


class Encoders(Protocol):
    """Two encoders of any kind.

    Attributes:
        name: the name, with the start of their digests.
        width: dimension of the vectors.
    """

    @property
    def name(self) -> str: ...  # noqa: D102 - said above

    @property
    def width(self) -> int: ...  # noqa: D102 - said above


EncodeProfiles = Callable[[Sequence[Person]], NDArray[np.float32]]
"""Profiles as texts would say them to vectors, [profiles, width]."""


def profile_vectors(people: People, model: Encoders, encode: EncodeProfiles) -> NDArray[np.float32]:
    """Return the profile vectors of all people in a store, [people, width], read-only.

    Raises:
        InputError: if they don't exist yet and can't be written next to the store.
    """
    path = _file(people.path, model)
    if not path.exists():
        _write(path, people, model.width, encode)
    vectors: NDArray[np.float32] = np.load(path, mmap_mode="r", allow_pickle=False)
    if vectors.shape != (len(people), model.width):
        raise InputError(
            f"has vectors of {vectors.shape[0]} people, the store has {len(people)}; delete it.",
            str(path),
        )
    return vectors


def encode_profiles(
    readings: Sequence[EncoderReading], model: AttackerModel
) -> NDArray[np.float32]:
    """Return the vectors of linearized profiles, [profiles, width]."""
    words = {"": PADDING, "***": 1}
    rows = []
    for reading in readings:
        numbers = np.array([words.setdefault(word, len(words)) for word in reading.words])
        rows.append(numbers[reading.places])
    places = _stack(rows)
    return model.vectors("profile", model.pieces(tuple(words)), places)


def _stack(rows: Sequence[NDArray[np.int64]]) -> NDArray[np.int64]:
    """Return rows of token indexes as a padded matrix."""
    places = np.full((len(rows), max(1, *map(len, rows))), PADDING, dtype=np.int64)
    for row, own in zip(places, rows, strict=True):
        row[: len(own)] = own
    return places


def _file(store: Path, model: Encoders) -> Path:
    state = store.stat()
    of_store = _digest(f"{state.st_size} {state.st_mtime_ns}")
    return store.with_name(f"{store.name}.vectors-{_digest(model.name)}-{of_store}.npy")


def _digest(key: str) -> str:
    return hashlib.sha256(key.encode()).hexdigest()[:8]


def _write(path: Path, people: People, width: int, encode: EncodeProfiles) -> None:
    try:
        with atomic_file(path) as file:
            vectors = np.lib.format.open_memmap(
                file.part, mode="w+", dtype=np.float32, shape=(len(people), width)
            )
            for first in range(0, len(people), _PEOPLE_PER_BATCH):
                numbers = range(first, min(first + _PEOPLE_PER_BATCH, len(people)))
                vectors[first : numbers.stop] = encode([people.reading(n) for n in numbers])
            vectors.flush()
            del vectors
        # Vectors for an earlier state of the store are outdated.
        for old in path.parent.glob(f"{path.name.rpartition('-')[0]}-*.npy"):
            if old != path:
                old.unlink()
    except OSError as error:
        raise InputError(
            f"the vectors of the people can't be written ({error.strerror}); copy the store to a "
            "folder that can be written to, or choose an attacker without an encoder (bm25, bayes).",
            str(path.parent),
        ) from None


_MASKS_PER_BATCH: Final = 64
"""Variants of a document a call of the encoder."""
EncodeVariants = Callable[[Sequence[NDArray[np.bool_]]], NDArray[np.float32]]
"""Masks of a document to vectors whose product with a profile's is its log-odds up to a constant, [masks, width]."""
OpenVariants = Callable[[TokenizedDocument], EncodeVariants]


class BiEncoder(ScoringAttacker):
    """Ranks people by how close their profile's vector is to the document's.

    Args:
        people: the background knowledge.
        model: the encoders; None for the shipped ones.

    Raises:
        InputError: if the people's vectors don't exist yet and can't be written next to the store.
    """

    name: str = "encoder"
    family = "encoder"

    def __init__(self, people: People, model: AttackerModel | None = None) -> None:
        words = AttackerModel.load() if model is None else model

        def encode(profiles: Sequence[Person]) -> NDArray[np.float32]:
            return encode_profiles([read_text(linearize(person)) for person in profiles], words)

        self._open(people, words, encode, lambda document: _variants_of(document, words))

    def _open(
        self, people: People, model: Encoders, encode: EncodeProfiles, variants: OpenVariants
    ) -> None:
        """Store the people's vectors and the way documents are encoded."""
        self._vectors = profile_vectors(people, model, encode)
        self.n_people = len(people)
        self._variants_of = variants
        self._opened: tuple[TokenizedDocument, EncodedDocument] | None = None

    def scores(
        self,
        document: TokenizedDocument,
        masks: NDArray[np.bool_],
        people: NDArray[np.intp] | None = None,
    ) -> NDArray[np.float64]:
        """Return log-odds up to a constant a variant, [variants, people].

        Args:
            document: the document of all variants.
            masks: whether each word is masked, [variants, words].
            people: indexes of people, in this order; None for everyone.
        """
        return self.opened(document).scores(masks, people)

    def opened(self, document: TokenizedDocument) -> EncodedDocument:
        """Return a document whose words are looked up once for any number of calls.

        The last document is cached, since an attacker built on this one reads the same documents.
        """
        if self._opened is None or self._opened[0] is not document:
            self._opened = document, EncodedDocument(self._vectors, self._variants_of(document))
        return self._opened[1]


def _variants_of(document: TokenizedDocument, model: AttackerModel) -> EncodeVariants:
    """Return a document's encoder, which looks up its words once."""
    reading = read(document)
    pieces = model.pieces(reading.words)

    def encode(masks: Sequence[NDArray[np.bool_]]) -> NDArray[np.float32]:
        places = _stack([reading.masked(mask) for mask in masks])
        return model.vectors("document", pieces, places) * model.sharpness

    return encode


@dataclass(frozen=True, slots=True, eq=False)
class EncodedDocument:
    """A document prepared for an encoder.

    Attributes:
        vectors: the people's vectors, [people, width].
        encode: encodes variants of the document.
    """

    vectors: NDArray[np.float32]
    encode: EncodeVariants
    _variants: dict[bytes, NDArray[np.float32]] = field(default_factory=dict, repr=False)
    _scores: dict[bytes, NDArray[np.float64]] = field(default_factory=dict, repr=False)

    def scores(
        self, masks: NDArray[np.bool_], people: NDArray[np.intp] | None = None
    ) -> NDArray[np.float64]:
        """Return log odds up to a constant per variant; see ``BiEncoder.scores``."""
        if (
            people is None
            and len(masks) == 1
            and (known := self._scores.get(masks.tobytes())) is not None
        ):
            return known.copy()
        encodings = self._encodings(masks)
        vectors = self.vectors if people is None else self.vectors[people]
        scores = (encodings @ vectors.T).astype(np.float64)
        if people is None and len(masks) == 1:
            self._scores.clear()
            self._scores[masks.tobytes()] = scores.copy()
        return scores

    def _encodings(self, masks: NDArray[np.bool_]) -> NDArray[np.float32]:
        """Return the vectors of variants, [variants, width]; each is computed only once."""
        keys = [mask.tobytes() for mask in masks]
        new = [n for n, key in enumerate(keys) if key not in self._variants]
        for first in range(0, len(new), _MASKS_PER_BATCH):
            some = new[first : first + _MASKS_PER_BATCH]
            encodings = self.encode([masks[n] for n in some])
            self._variants.update(zip((keys[n] for n in some), encodings, strict=True))
        return np.array([self._variants[key] for key in keys])


# A joint attacker: the bi-encoder's probabilities times a classifier's.
#
#     log p(person | text) = encoder + 0.1 · bayes, up to a constant
#
# A vector of a few hundred numbers represents a date only roughly. An encoder almost always has the
# right person among its first ten, and exact words decide between those. The weight is small
# because naive Bayes assumes independent words and is overconfident (a product of experts: Hinton,
# 2002).


WORDS: Final = 0.1
"""The value among 0.1, 0.2, 0.4, 0.7 and 1 that finds most of 200 members of Congress who are in no figure: from the
whole text 0.2 finds as many, where words of the profile are masked it finds fewer."""


class JointAttacker(ScoringAttacker):
    """Ranks people by the joint score of an encoder and a classifier.

    Args:
        people: the background knowledge.
        encoder: an encoder for the same people.
    """

    name = "joint"
    family = "encoder"

    def __init__(self, people: People, encoder: BiEncoder) -> None:
        self._encoder = encoder
        self._bayes = NaiveBayes(people)
        self.n_people = len(people)

    def scores(
        self,
        document: TokenizedDocument,
        masks: NDArray[np.bool_],
        people: NDArray[np.intp] | None = None,
    ) -> NDArray[np.float64]:
        """Return log odds up to a constant per variant; see ``BiEncoder.scores``."""
        return self.opened(document).scores(masks, people)

    def opened(self, document: TokenizedDocument) -> JointDocument:
        """Return a document whose words are looked up once for any number of calls."""
        return JointDocument(
            self._encoder.opened(document),
            self._bayes.contributions(document),
            self.n_people,
        )


@dataclass(frozen=True, slots=True, eq=False)
class JointDocument:
    """A document prepared for both attackers.

    Attributes:
        encoder: the document prepared for the encoder.
        words: its words' contributions to the classifier.
        n_people: number of people.
    """

    encoder: EncodedDocument
    words: Contributions
    n_people: int

    def scores(
        self, masks: NDArray[np.bool_], people: NDArray[np.intp] | None = None
    ) -> NDArray[np.float64]:
        """Return log odds up to a constant per variant; see ``BiEncoder.scores``."""
        of_words = additive_scores(self.words, masks, self.n_people)
        if people is not None:
            of_words = of_words[:, people]
        return self.encoder.scores(masks, people) + WORDS * of_words


# An attacker with the user's own sentence encoder: one encoder for texts and profiles.
#
#     p(person | text, mask) = softmax over people of sharpness · cos(f(text without the mask), f(profile))
#
# Nothing is trained: it measures the success of an adversary with an off-the-shelf model.


Encode = Callable[[Sequence[str]], NDArray[np.floating]]
"""Texts to vectors of length 1, [texts, width]."""
_SHARPNESS: Final = 20.0
"""Reimers and Gurevych's scale of cosines, with which such encoders are usually trained."""


class SentenceAttacker(ScoringAttacker):
    """Ranks people by the similarity between profile and document vectors.

    Args:
        people: the background knowledge; every profile is encoded immediately.
        name: the name shown to users.
        encode: the encoder.
    """

    family = "encoder"

    def __init__(self, people: People, name: str, encode: Encode) -> None:
        self.name = name
        self.n_people = len(people)
        self._encode = encode
        self._vectors = encode([linearize(people.reading(n)) for n in range(len(people))])

    def scores(self, document: TokenizedDocument, masks: NDArray[np.bool_]) -> NDArray[np.float64]:
        """Return log-odds up to a constant a variant, [variants, people]; see ``Attacker``."""
        vectors = self._encode([_unmasked_text(document, mask) for mask in masks])
        scores: NDArray[np.float64] = _SHARPNESS * (vectors @ self._vectors.T).astype(np.float64)
        return scores


def _unmasked_text(document: TokenizedDocument, mask: NDArray[np.bool_]) -> str:
    """Return the text without its masked words."""
    text, place, pieces = document.document.text, 0, []
    for span, flag in zip(document.spans, mask, strict=True):
        if flag:
            pieces.append(text[place : span.start])
            place = max(place, span.end)
    return "".join([*pieces, text[place:]])


# An attacker with two transformers encoders (Morris et al. 2022, sections 5 and 6) from
# ``models/encoder_pair.py``.
#
# A masked word becomes the mask token of the text encoder, as in training. Adjacent masks are one,
# as in a release; so are ``***`` and labels such as ``[PERSON 1]``.


_MASKS: Final = re.compile(rf"\*{{3}}|{LABEL.pattern}")


def masked_text(document: TokenizedDocument, mask: NDArray[np.bool_], token: str) -> str:
    """Return a text with one token per run of masked words; words that are only offered are included unless masked.

    Args:
        document: the text and its words.
        mask: whether each word is masked, [words].
        token: the encoder's mask token.
    """
    text = document.document.text
    own = len(document) - document.n_offered
    end = document.spans[own].start if document.n_offered else len(text)
    parts: list[str] = []
    last = 0
    for place in range(own):
        if not mask[place]:
            continue
        span = document.spans[place]
        if not (place and mask[place - 1] and adjoins(document, place)):
            parts += [_marked(text[last : span.start], token), token]
        last = span.end
    parts.append(_marked(text[last:end], token))
    offered = range(own, len(document))
    parts += [f" {document.spans[place].of(text)}" for place in offered if not mask[place]]
    return "".join(parts)


def _marked(text: str, token: str) -> str:
    return _MASKS.sub(lambda _: token, text)


class TransformerAttacker(BiEncoder):
    """Ranks people by the dot product of their profile's vector and the document's.

    Args:
        people: the background knowledge.
        model: the encoders.
        name: the name shown to users.

    Raises:
        InputError: if the people's vectors don't exist yet and can't be written next to the store.
    """

    def __init__(self, people: People, model: EncoderPair, name: str) -> None:
        self.name = name

        def encode(profiles: Sequence[Person]) -> NDArray[np.float32]:
            return model.profile_vectors([table_of(person) for person in profiles])

        def variants(document: TokenizedDocument) -> EncodeVariants:
            return lambda masks: model.text_vectors(
                [masked_text(document, mask, model.mask) for mask in masks]
            )

        self._open(people, model, encode, variants)
