"""The recognizer: one pass of a token classifier gives each word a type and a risk.

Semantic types as BIO over the 8 types of TAB, and the masking decision NO_MASK, QUASI or DIRECT
(TAB, section 6.2, fine-tuned sequence labelling). int8 ONNX on the CPU, no torch.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import nullcontext
from copy import copy
from dataclasses import dataclass, replace
from itertools import islice, pairwise
from statistics import fmean

import numpy as np
from numpy.typing import NDArray

from ..document import Document, Mention, MentionSource, SemanticType, Span
from ..models.calibration import BIO_LABELS, SEMANTIC_TYPES, Calibration
from ..models.encoding import Encoding, SpecialPieces
from ..models.networks import RecognizerModel
from ..models.token_classifier import TokenClassifier
from ..text.given_names import is_common_given_name
from ..text.passages import Passages
from ..text.word_lists import PARTICLES, ordered_words, word_list_of
from .merge import with_max_probabilities

# Overlapping windows over a long token sequence, and the merge of their labels.
#
# A token near the edge of a window has seen half of its context. Each token is therefore read
# from the window in which it lies farthest from an edge.


@dataclass(frozen=True, slots=True)
class Window:
    """Tokens ``[start, end)`` of a document; only ``[keep_start, keep_end)`` are read."""

    start: int
    end: int
    keep_start: int
    keep_end: int

    def __len__(self) -> int:
        return self.end - self.start


def windows(n: int, size: int, overlap: int) -> list[Window]:
    """Return windows of at most ``size`` over ``n`` tokens, with overlaps of at least ``overlap``.

    The kept parts partition ``[0, n)``: between two neighbours the border lies in the middle
    of their overlap, at equal distance from both edges.

    Raises:
        ValueError: if ``overlap`` is not in ``[0, size)``.
    """
    if not 0 <= overlap < size:
        raise ValueError(
            f"Overlap {overlap!r} must be at least 0 and below the window size {size!r}."
        )
    if n <= 0:
        return []
    count = 1 if n <= size else -(-(n - overlap) // (size - overlap))
    # Windows of equal length cost less than full ones and a rest, and give each the same context.
    length = -(-(n + (count - 1) * overlap) // count)
    starts = [min(i * (length - overlap), n - length) for i in range(count)]
    borders = [0]
    for first, second in pairwise(starts):
        borders.append((first + length + second) // 2)
    borders.append(n)
    return [
        Window(start, start + length, keep_start, keep_end)
        for start, keep_start, keep_end in zip(starts, borders[:-1], borders[1:], strict=True)
    ]


# Windows of many documents packed into batches of equal length.
#
# A window is padded to the next multiple of the model's step, or to the longest that it reads, whatever
# else is there, and shares a batch only with windows of the same padded length: the model
# computes the same for it alone and in company.


@dataclass(frozen=True, slots=True)
class Placed:
    """A window of the document with number ``document`` in the call."""

    document: int
    window: Window


@dataclass(frozen=True, slots=True, eq=False)
class Batch:
    """Inputs of one call of the model, [rows, length] each, and where each row belongs."""

    placed: tuple[Placed, ...]
    ids: NDArray[np.int64]
    shapes: NDArray[np.int64]
    mask: NDArray[np.int32]


def batches(
    windows: Sequence[Placed],
    encodings: Sequence[Encoding],
    encoder: SpecialPieces,
    tokens: int = RecognizerModel.batch_tokens,
    parts: int = 1,
    step: int = RecognizerModel.step,
    longest: int | None = None,
) -> Iterator[Batch]:
    """Yield batches from the longest windows to the shortest, filled lazily.

    Args:
        windows: in order of the documents.
        encodings: of the documents.
        encoder: of the model.
        tokens: of a batch at most, unless one window has more.
        parts: least number of batches of the windows of one length, so that each core has some.
        step: a window is padded to a multiple of so many subwords.
        longest: but to no more than so many, the special ones counted; None for no limit.
    """
    groups: dict[int, list[Placed]] = defaultdict(list)
    for item in windows:
        padded = -(-(len(item.window) + 2) // step) * step
        groups[min(padded, longest or padded)].append(item)
    for length in sorted(groups, reverse=True):
        items = groups[length]
        rows = max(1, min(tokens // length, -(-len(items) // parts)))
        for begin in range(0, len(items), rows):
            yield _fill(tuple(items[begin : begin + rows]), length, encodings, encoder)


def _fill(
    windows: tuple[Placed, ...], length: int, encodings: Sequence[Encoding], encoder: SpecialPieces
) -> Batch:
    ids = np.full((len(windows), length), encoder.pad_id, dtype=np.int64)
    shapes = np.zeros((len(windows), length), dtype=np.int64)
    mask = np.zeros((len(windows), length), dtype=np.int32)
    for row, item in enumerate(windows):
        n = len(item.window)
        part = slice(item.window.start, item.window.end)
        ids[row, 0] = encoder.cls_id
        ids[row, 1 : n + 1] = encodings[item.document].ids[part]
        ids[row, n + 1] = encoder.sep_id
        shapes[row, 1 : n + 1] = encodings[item.document].shapes[part]
        mask[row, : n + 2] = 1
    return Batch(windows, ids, shapes, mask)


# Mentions from the model's labels of subwords.
#
# A word is one: its subwords take the labels of the first and the highest masking probability of
# any (when unsure, mask); that of a mention is the mean of its words', calibrated,
# or that of its most certain direct identifier. Adjacent words
# share one type unless the most probable sequence of labels, in which an I follows only its own type,
# begins a mention between them (Viterbi). Words that the type head leaves out but the masking head would
# mask become mentions of their own. A mention ends with its passage; in a line that is only wrapped it
# may go on.


_TYPES = tuple(map(SemanticType, SEMANTIC_TYPES))
# Below this masking probability a word outside every typed mention is ordinary text.
_MASKED_ALONE = 0.05
# From this probability of being in no mention on, a word is in none.
_OUTSIDE = 0.5
# Up to this one, a word between two that are in mentions joins them, and a particle of a name always.
_BETWEEN_TYPED = 0.9
_JOINING = PARTICLES - {"of", "und", "y"}
_SECOND = 0.1
"""Probability of PERSON from which a mention of another type may be one."""
_LEAST = 0.01
"""Least probability of a label, so that a word of which the model is too sure doesn't outvote the others."""


@dataclass(frozen=True, slots=True, eq=False)
class Reading:
    """The model's answer for the n subwords of a document, or for [rows, length] of a batch.

    Attributes:
        labels: float16 [n, 17], probabilities of ``BIO_LABELS``.
        p_mask: float32 [n], probability of QUASI or DIRECT.
        p_direct: float32 [n], probability of DIRECT.
    """

    labels: NDArray[np.float16]
    p_mask: NDArray[np.float32]
    p_direct: NDArray[np.float32]

    @classmethod
    def empty(cls, n: int) -> Reading:
        """Return a reading to be filled window by window."""
        return cls(
            np.zeros((n, len(BIO_LABELS)), np.float16),
            np.zeros(n, np.float32),
            np.zeros(n, np.float32),
        )

    @classmethod
    def of(cls, types: NDArray[np.float32], masking: NDArray[np.float32]) -> Reading:
        """Return the reading of the model's outputs, [..., 17] and [..., 3]."""
        return cls(types.astype(np.float16), masking[..., 1] + masking[..., 2], masking[..., 2])

    def fill(self, part: slice, batch: Reading, row: int, inner: slice) -> None:
        """Store what was read in ``inner`` of a row of a batch, for the subwords of ``part``."""
        self.labels[part] = batch.labels[row, inner]
        self.p_mask[part] = batch.p_mask[row, inner]
        self.p_direct[part] = batch.p_direct[row, inner]


def mentions_of(
    text: str, encoding: Encoding, reading: Reading, calibration: Calibration
) -> tuple[Mention, ...]:
    """Return the mentions of ``text`` in order; they do not overlap."""
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
    """The words that are in a mention or likely masked; each attribute has one value a word.

    Attributes:
        text: of the document.
        words: index among all words.
        typed: whether it is in a mention.
        joining: indices of all words that join those on either side.
        begins: [n, 8], logarithms of the probabilities of B.
        insides: those of I.
        either: those of B or I.
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
    def of(cls, text: str, encoding: Encoding, reading: Reading) -> _MarkedWords:
        """Return the marked words of a text by what was read of its subwords, at least one."""
        begins_word = np.ones(len(encoding), dtype=np.bool_)
        np.not_equal(encoding.words[1:], encoding.words[:-1], out=begins_word[1:])
        firsts = np.flatnonzero(begins_word)
        outside = reading.labels[firsts, 0]
        p_mask = np.maximum.reduceat(reading.p_mask, firsts)
        # A word is in a mention if that is more likely than not, however the labels of a mention share it.
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
        """Yield the words that may be of one mention; what is one name no longer begins another."""
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
    """Return the mentions of adjacent words and their types, by the most probable sequence of labels.

    Args:
        begins: [n, 8], logarithms of the probabilities of B.
        insides: those of I.
        initial: [8], those of the first word's types.
    """
    scores = initial
    likeliest = [int(scores.argmax())]
    goes_on = [scores > np.inf]
    for begin, inside in zip(begins[1:], insides[1:], strict=True):
        onward, anew = scores + inside, scores[likeliest[-1]] + begin
        goes_on.append(onward >= anew)
        scores = np.maximum(onward, anew)
        likeliest.append(int(scores.argmax()))
    mentions = []
    end, type = len(begins), likeliest[-1]
    for index in range(end - 1, -1, -1):
        if not goes_on[index][type]:
            mentions.append((range(index, end), _TYPES[type]))
            end, type = index, likeliest[index - 1]
    return mentions[::-1]


def _hyphenated(text: str, end: int, start: int) -> bool:
    """Return whether one of two touching words is a hyphen: then they are one name."""
    return end == start and "-" in (text[end - 1], text[start])


# Mentions that end within a word or a name, since the network reads subwords and leaks half of "93-year-old"; and those of
# function words, shorthand ("AOB", "ta x") or a surname before what is called after it ("Bayes' theorem"), which name nobody.


_FUNCTION_WORDS = word_list_of("neural_function_words")
_WORD = re.compile(r"[^\W_]+")
_SHORTHAND = word_list_of("neural_shorthand")
# No words that go with a person as well: Smith's test, law, case.
_CALLED_AFTER = ordered_words("neural_called_after")
_EPONYM = re.compile(
    r"(?P<name>[^\W\d_a-z][^\W\d_]{2,30}(?:[-–][^\W\d_a-z][^\W\d_]{1,30}){0,3})(?:['’]s?)?\s(?:[a-z]{2,20}\s)?"
    rf"(?:{'|'.join(_CALLED_AFTER)}|[a-z]{{2,20}}(?:itis|osis|pathy|oma|emia))(?!\w)"
)
_UNFINISHED = re.compile(
    r"(?:^|[\s.])(?:Mr|Mrs|Ms|Miss|Dr|Prof|Judge|Sir|Lady|Lord|[^\W\d_a-z])\.?$"
)
_PERCENT = re.compile(r"\sper\s?cent\b")
_REST = re.compile(r"[^\W_]{1,40}")
_NEXT_NAME = re.compile(r"[ \u00a0]{1,2}(?=[^\W\d_a-z])[^\W\d_]+(?:[-’'][^\W\d_]+)*")


def finished(text: str, mentions: Iterable[Mention]) -> tuple[Mention, ...]:
    """Return the mentions that may name something, longer by the rest of a word, of a share or of a name; they don't overlap."""
    result: list[Mention] = []
    for mention in mentions:
        if result and mention.span.start < result[-1].span.end:
            # The mention before has grown into this one.
            if mention.span.end <= result[-1].span.end:
                result[-1] = with_max_probabilities(result[-1], mention)
                continue
            mention = replace(mention, span=Span(result[-1].span.end, mention.span.end))
        if not (_is_function_words(mention.span.of(text)) or _is_eponym(text, mention.span)):
            result.append(_longer(text, mention))
    return tuple(result)


def _is_function_words(string: str) -> bool:
    # Long strings are no function words, and need not be taken apart to see it.
    if len(string) > 40 or not (string.islower() or string.isupper()):
        return False
    words = _WORD.findall(string)
    if string.isupper():  # two capitals may be initials
        return all(len(word) > 2 and word.lower() in _SHORTHAND for word in words)
    return bool(words) and all(word in _FUNCTION_WORDS | _SHORTHAND for word in words)


def _is_eponym(text: str, span: Span) -> bool:
    match = _EPONYM.match(text, span.start)
    return (
        match is not None
        and match.end("name") <= span.end <= match.end()
        and not is_common_given_name(match["name"].lower())
    )


def _longer(text: str, mention: Mention) -> Mention:
    end = mention.span.end
    pattern = _REST if text[end - 1] == "-" else _PERCENT if text[end - 1].isdigit() else None
    if pattern is not None and (rest := pattern.match(text, end)) is not None:
        return replace(mention, span=Span(mention.span.start, rest.end()))
    if mention.type is not SemanticType.PERSON:
        return mention
    tail = text[max(mention.span.start, end - 12) : end]
    if _UNFINISHED.search(tail) is None:
        return mention
    # The tokenizer parts "I" from its full stop; the stop may lie outside the mention.
    stop = end + 1 if text[end : end + 1] == "." else end
    following = _NEXT_NAME.match(text, stop, stop + 60)
    if following is None:
        return mention
    return replace(mention, span=Span(mention.span.start, following.end()))


_Answer = tuple[Batch, Reading]


class NeuralDetector:
    """Detector of mentions by a ``RecognizerModel``, or by a token classifier of transformers.

    Args:
        model: the loaded weights.
        threads: number of batches computed at a time; at least 1.

    Raises:
        ValueError: if ``threads`` is below 1.
    """

    def __init__(self, model: RecognizerModel | TokenClassifier, threads: int) -> None:
        if threads < 1:
            raise ValueError(f"threads is {threads!r}; at least 1 is needed.")
        self._model = model
        self.languages = model.languages
        self.threads = threads

    def on_one_core(self) -> NeuralDetector:
        """Return the detector for one of several callers at a time, each of which takes one core."""
        detector = copy(self)
        detector.threads = 1
        return detector

    def detect(self, documents: Sequence[Document]) -> list[tuple[Mention, ...]]:
        """Return the mentions of each document, in order of its text."""
        encoder = self._model.encoder
        encodings = [encoder.encode(document.text) for document in documents]
        readings = [Reading.empty(len(encoding)) for encoding in encodings]
        placed_windows = [
            Placed(index, window)
            for index, encoding in enumerate(encodings)
            for window in windows(len(encoding), self._model.window, self._model.overlap)
        ]
        model = self._model
        work = batches(
            placed_windows,
            encodings,
            encoder,
            model.batch_tokens,
            self.threads,
            model.step,
            model.window + 2,
        )
        is_serial = self.threads == 1 or len(placed_windows) < 2
        with nullcontext() if is_serial else ThreadPoolExecutor(self.threads) as pool:
            # A bounded number of batches is in flight, so that memory does not grow with the text.
            while chunk := list(islice(work, 64 * self.threads)):
                answers = pool.map(self._run, chunk) if pool else map(self._run, chunk)
                for batch, answer in answers:
                    for row, item in enumerate(batch.placed):
                        _keep(readings[item.document], item, answer, row)
        return [
            finished(
                document.text,
                mentions_of(document.text, encoding, reading, self._model.calibration),
            )
            for document, encoding, reading in zip(documents, encodings, readings, strict=True)
        ]

    def _run(self, batch: Batch) -> _Answer:
        types, masking = self._model.run(batch.ids, batch.shapes, batch.mask)
        return batch, Reading.of(types, masking)


def _keep(reading: Reading, item: Placed, answer: Reading, row: int) -> None:
    window = item.window
    # Subword 0 is [CLS].
    inner = slice(1 + window.keep_start - window.start, 1 + window.keep_end - window.start)
    reading.fill(slice(window.keep_start, window.keep_end), answer, row, inner)
