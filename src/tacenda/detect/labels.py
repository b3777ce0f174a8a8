"""Turn the model's subword labels into mentions.

A word is a unit: its subwords take the labels of the first one and the highest masking probability
of any (if in doubt, mask). A mention has the mean probability of its words, calibrated, or that of
its most certain direct identifier. Adjacent words share one type unless the most probable sequence
of labels (Viterbi), in which an I only follows its own type, starts a mention between them. Words
that the type head leaves out but the masking head would mask become separate mentions. A mention
ends with its passage, but may continue over a merely wrapped line.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from statistics import fmean

import numpy as np
from numpy.typing import NDArray

from ..document import Mention, MentionSource, SemanticType, Span
from ..models.calibration import BIO_LABELS, SEMANTIC_TYPES, Calibration
from ..models.encoding import Encoding
from ..text.passages import Passages
from ..text.word_lists import PARTICLES

_TYPES = tuple(map(SemanticType, SEMANTIC_TYPES))
# Below this masking probability, a word outside all typed mentions is ordinary text.
_MASKED_ALONE = 0.05
# From this probability of being outside mentions, a word isn't in one.
_OUTSIDE = 0.5
# Up to this probability, a word between two words in mentions joins them; a name particle always
# does.
_BETWEEN_TYPED = 0.9
_JOINING = PARTICLES - {"of", "und", "y"}
_SECOND = 0.1
"""Probability of PERSON from which a mention of another type may be one."""
_LEAST = 0.01
"""Least probability of a label, so that a word of which the model is too sure doesn't outvote the others."""


@dataclass(frozen=True, slots=True, eq=False)
class LabelScores:
    """The model's output for the n subwords of a document, or for [rows, length] of a batch.

    Attributes:
        labels: float16 [n, 17], probabilities of ``BIO_LABELS``.
        p_mask: float32 [n], probability of QUASI or DIRECT.
        p_direct: float32 [n], probability of DIRECT.
    """

    labels: NDArray[np.float16]
    p_mask: NDArray[np.float32]
    p_direct: NDArray[np.float32]

    @classmethod
    def empty(cls, n: int) -> LabelScores:
        """Return scores to be filled in window by window."""
        return cls(
            np.zeros((n, len(BIO_LABELS)), np.float16),
            np.zeros(n, np.float32),
            np.zeros(n, np.float32),
        )

    @classmethod
    def of(cls, types: NDArray[np.float32], masking: NDArray[np.float32]) -> LabelScores:
        """Return the scores from the model's outputs, [..., 17] and [..., 3]."""
        return cls(types.astype(np.float16), masking[..., 1] + masking[..., 2], masking[..., 2])

    def fill(self, part: slice, batch: LabelScores, row: int, inner: slice) -> None:
        """Store what ``inner`` of a batch's row gives for the subwords in ``part``."""
        self.labels[part] = batch.labels[row, inner]
        self.p_mask[part] = batch.p_mask[row, inner]
        self.p_direct[part] = batch.p_direct[row, inner]


def mentions_of(
    text: str, encoding: Encoding, reading: LabelScores, calibration: Calibration
) -> tuple[Mention, ...]:
    """Return the mentions in ``text``, in order, without overlaps."""
    if not len(encoding):
        return ()
    words = _MarkedWords.of(text, encoding, reading)
    mentions = []
    for part in words.runs(Passages.of(text)):
        labels = words.begins[part], words.insides[part], words.either[part.start]
        for span, type in _labelled(*labels):
            run = slice(part.start + span.start, part.start + span.stop)
            certainty = calibration.direct(max(words.direct[run]))
            mentions.append(
                Mention(
                    span=Span(words.starts[run.start], words.ends[run.stop - 1]),
                    type=type,
                    p_mask=max(calibration.masking_of(type, fmean(words.masking[run])), certainty),
                    p_direct=certainty,
                    source=MentionSource.NEURAL,
                    p_mask_min_word=calibration.masking_of(type, min(words.masking[run])),
                    may_be_person=type is not SemanticType.PERSON
                    and bool(words.persons[run].max() >= _SECOND),
                )
            )
    return tuple(mentions)


@dataclass(frozen=True, slots=True, eq=False)
class _MarkedWords:
    """The words that are in a mention or likely masked; each attribute has one value per word.

    Attributes:
        text: the document's text.
        words: index among all words.
        typed: whether it is in a mention.
        joining: indexes of all words that join the words on either side.
        begins: [n, 8], log probabilities of B.
        insides: [n, 8], log probabilities of I.
        either: [n, 8], log probabilities of B or I.
        persons: probability of a person.
        masking: probability of being masked.
        direct: probability of a direct identifier.
        starts: first code point.
        ends: one past the last code point.
    """

    text: str
    words: list[int]
    typed: list[bool]
    joining: set[int]
    begins: NDArray[np.float32]
    insides: NDArray[np.float32]
    either: NDArray[np.float32]
    persons: NDArray[np.float32]
    masking: list[float]
    direct: list[float]
    starts: list[int]
    ends: list[int]

    @classmethod
    def of(cls, text: str, encoding: Encoding, reading: LabelScores) -> _MarkedWords:
        """Return the marked words of a text from its subword scores, at least one."""
        begins_word = np.ones(len(encoding), dtype=np.bool_)
        np.not_equal(encoding.words[1:], encoding.words[:-1], out=begins_word[1:])
        firsts = np.flatnonzero(begins_word)
        outside = reading.labels[firsts, 0]
        p_mask = np.maximum.reduceat(reading.p_mask, firsts)
        # A word is in a mention if that is more likely than not, however the probability is split
        # among labels.
        inside = outside < _OUTSIDE
        starts = encoding.starts[firsts]
        ends = encoding.ends[np.append(firsts[1:], len(encoding)) - 1]
        joining = {
            index
            for index in (np.flatnonzero(inside[:-2] & inside[2:]) + 1).tolist()
            if text[starts[index] : ends[index]].lower() in _JOINING
        }
        inside[1:-1] |= inside[:-2] & inside[2:] & (outside[1:-1] < _BETWEEN_TYPED)
        inside[list(joining)] = True
        marked = np.flatnonzero(inside | (p_mask >= _MASKED_ALONE))
        labels = reading.labels[firsts[marked]].astype(np.float32) + _LEAST
        either = np.log(labels[:, 1::2] + labels[:, 2::2])
        # Single values are read much faster from lists.
        return cls(
            text,
            marked.tolist(),
            inside[marked].tolist(),
            joining,
            np.log(labels[:, 1::2]),
            np.log(labels[:, 2::2]),
            either,
            np.exp(either[:, _TYPES.index(SemanticType.PERSON)]),
            p_mask[marked].tolist(),
            np.maximum.reduceat(reading.p_direct, firsts)[marked].tolist(),
            starts[marked].tolist(),
            ends[marked].tolist(),
        )

    def runs(self, passages: Passages) -> Iterator[slice]:
        """Yield the runs of words that may form one mention; a name isn't split."""
        first = 0
        for index in range(1, len(self.words) + 1):
            if index < len(self.words) and self._goes_on(index, passages):
                continue
            yield slice(first, index)
            first = index

    def _goes_on(self, index: int, passages: Passages) -> bool:
        before = index - 1
        is_one = _hyphenated(
            self.text, self.ends[before], self.starts[index]
        ) or not self.joining.isdisjoint(self.words[before : index + 1])
        if is_one or not (self.typed[index] and self.typed[before]):
            self.begins[index], self.insides[index] = -np.inf, self.either[index]
        return (
            self.words[index] == self.words[before] + 1
            and (is_one or self.typed[index] == self.typed[before])
            and not passages.parted(self.starts[before], self.ends[index])
        )


def _labelled(
    begins: NDArray[np.float32], insides: NDArray[np.float32], initial: NDArray[np.float32]
) -> list[tuple[range, SemanticType]]:
    """Return the mentions in adjacent words and their types, from the most probable sequence of labels.

    Args:
        begins: [n, 8], log probabilities of B.
        insides: [n, 8], log probabilities of I.
        initial: [8], log probabilities of the first word's types.
    """
    scores = initial
    likeliest = [int(scores.argmax())]
    goes_on = [scores > np.inf]
    for begin, inside in zip(begins[1:], insides[1:], strict=True):
        onward, restart = scores + inside, scores[likeliest[-1]] + begin
        goes_on.append(onward >= restart)
        scores = np.maximum(onward, restart)
        likeliest.append(int(scores.argmax()))
    mentions = []
    end, type = len(begins), likeliest[-1]
    for index in range(end - 1, -1, -1):
        if not goes_on[index][type]:
            mentions.append((range(index, end), _TYPES[type]))
            end, type = index, likeliest[index - 1]
    return mentions[::-1]


def _hyphenated(text: str, end: int, start: int) -> bool:
    """Return whether one of two adjacent words is a hyphen, so that they are one name."""
    return end == start and "-" in (text[end - 1], text[start])
