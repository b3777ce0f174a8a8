"""Information content of masked tokens: weights of weighted precision (TAB, section 6.3).

The information content of a token is −log p(token); masking a predictable token costs little. A
weighting gives one weight to each masked token of a document.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Final, NamedTuple, Protocol

from ..document import Span
from ..errors import ModelError, UnknownNameError
from ..models.checkpoint import PREFIX, Checkpoint, Subword, is_causal
from ..models.store import identity
from ..text.information import UnigramSurprisal

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from ..models.networks import Question


class InformationContent(Protocol):
    """A weight for each masked token."""

    @property
    def name(self) -> str:
        """Its name in the signature of a score."""
        ...

    def weights(self, text: str, tokens: Sequence[Span]) -> Sequence[float]:
        r"""Return the information content of each token, in nats, at least 0.

        Args:
            text: the original document.
            tokens: the distinct ``\w+`` tokens masked by the system, in any order; the masked part
                of a word is a token too.
        """
        ...


@dataclass(frozen=True, slots=True)
class UniformWeights:
    """Every token weighs 1: weighted precision is precision."""

    name: ClassVar[str] = "uniform"

    def weights(self, text: str, tokens: Sequence[Span]) -> Sequence[float]:
        """Return as many ones as there are tokens."""
        del text
        return [1.0] * len(tokens)


# Information content by a masked language model (TAB, section 6.3): −log p(token) where all tokens
# that the system masked are masked, so that none helps to predict another. A token of several
# pieces weighs as much as its least likely piece. Texts of any length are read in windows that
# overlap; a piece counts in the window in which it is furthest from an edge.


_ROUNDING: Final = 1e-3
"""Rounding of log-probabilities, in nats."""


class MaskedLanguageModel(Protocol):
    """Protocol of a masked language model for weights."""

    @property
    def name(self) -> str:
        """For the signature."""
        ...

    @property
    def window(self) -> int:
        """Number of pieces in a window, special ones not counted."""
        ...

    @property
    def mask_id(self) -> int:
        """Id of the mask token."""
        ...

    def pieces(self, text: str) -> Sequence[Subword]:
        """Cut a text of any length; offsets are code points."""
        ...

    def log_probabilities(
        self, ids: Sequence[int], places: Sequence[int], targets: Sequence[int]
    ) -> NDArray[np.floating]:
        """Return log p of ``targets`` at ``places`` of one window, in nats."""
        ...


@dataclass(frozen=True, slots=True)
class ModelSurprisal:
    """−log p of each masked token by a masked language model.

    Attributes:
        model: the language model.
        overlap: share of a window in common with the next, in [0, 1).
    """

    model: MaskedLanguageModel
    overlap: float = 0.25

    @property
    def name(self) -> str:
        """For the signature."""
        return self.model.name

    def weights(self, text: str, tokens: Sequence[Span]) -> Sequence[float]:
        """Return the surprisal of each token, in nats.

        A token without any subword of the model (a lone control character, say) weighs 0.
        """
        pieces = self.model.pieces(text)
        pieces_of = [_overlapping(pieces, token) for token in tokens]
        indices = {idx for group in pieces_of for idx in group}
        surprisal = self._surprisals(pieces, indices)
        return [max((surprisal[idx] for idx in group), default=0.0) for group in pieces_of]

    def _surprisals(self, pieces: Sequence[Subword], indices: set[int]) -> dict[int, float]:
        ids = [
            self.model.mask_id if idx in indices else piece.id for idx, piece in enumerate(pieces)
        ]
        surprisal: dict[int, float] = {}
        for start, end, first, last in windows(len(pieces), self.model.window, self.overlap):
            targets = [idx for idx in range(first, last) if idx in indices]
            if not targets:
                continue
            log_probabilities = self.model.log_probabilities(
                ids[start:end],
                [idx - start for idx in targets],
                [pieces[idx].id for idx in targets],
            )
            for idx, log_probability in zip(targets, log_probabilities, strict=True):
                # A probability a rounding error above 1 must not weigh less than nothing.
                nats = -float(log_probability)
                surprisal[idx] = 0.0 if -_ROUNDING < nats < 0 else nats
        return surprisal


def windows(n: int, size: int, overlap: float) -> Iterator[tuple[int, int, int, int]]:
    """Yield (start, end, first, last): windows over ``n`` pieces, and the range to count in each.

    The ranges ``[first, last)`` follow one another without gap; windows meet in the middle of
    their overlap.
    """
    step = max(1, size - int(size * overlap))
    start = first = 0
    while first < n:
        end = min(start + size, n)
        last = n if end == n else (end + start + step) // 2
        yield start, end, first, last
        start, first = start + step, last


def _overlapping(pieces: Sequence[Subword], token: Span) -> range:
    """Return the indices of the pieces overlapping a token."""
    low = bisect_left(pieces, token.start + 1, key=lambda piece: piece.end)
    high = bisect_left(pieces, token.end, key=lambda piece: piece.start)
    return range(low, max(low, high))


def _masked_checkpoint(name: str) -> tuple[Checkpoint, int]:
    """Return a masked language model and the id of its mask token."""
    checkpoint = Checkpoint(name, "AutoModelForMaskedLM", "--weights")
    mask_id: int | None = checkpoint.tokenizer.mask_token_id
    if mask_id is None:
        raise ModelError(f"the tokenizer of {name!r} has no mask token")
    return checkpoint, mask_id


class _ModelInput(NamedTuple):
    """A sequence for a model, the rows of its answer that are wanted, and the pieces to look for in them."""

    ids: list[int]
    rows: list[int]
    targets: tuple[int, ...]


class HuggingFaceModel:
    """A masked or causal language model from a folder, or from the local cache; nothing is downloaded.

    A causal one has no mask: hidden pieces are left out of what it reads, and a run of them is asked about piece by
    piece, after what is visible before it and the pieces of the run so far; the sum is the probability of the run.

    Args:
        name: folder, or name of a model in the local cache.

    Raises:
        MissingExtraError: transformers or torch is not installed.
        ModelError: if the model isn't installed, its tokenizer has no offsets, or it can't fill
            in masks.
    """

    def __init__(self, name: str) -> None:
        self._is_causal = is_causal(name)
        if self._is_causal:
            self._checkpoint, self.mask_id = Checkpoint(name, "AutoModelForCausalLM", "--lm"), -1
            tokenizer = self._checkpoint.tokenizer
            opening = tokenizer.bos_token_id
            if opening is None:
                opening = tokenizer.eos_token_id
            if not self._checkpoint.before and opening is None:
                raise ModelError(f"the tokenizer of {name!r} has no start token")
            self._before = self._checkpoint.before or [opening]
            self.window = self._checkpoint.window - 1
        else:
            self._checkpoint, self.mask_id = _masked_checkpoint(name)
            self._before = self._checkpoint.before
            self.window = self._checkpoint.window
        self._source = name

    @cached_property
    def name(self) -> str:
        """Where it is, with the beginning of the digest of its files."""
        return f"{PREFIX}{self._source}@{identity(self._source)[:8]}"

    def pieces(self, text: str) -> list[Subword]:
        """Tokenize a whole text, independently of the model's limit."""
        return self._checkpoint.pieces(text)

    def log_probabilities(
        self, ids: Sequence[int], places: Sequence[int], targets: Sequence[int]
    ) -> NDArray[np.floating]:
        """Return log p of ``targets`` at ``places`` of a window, in nats."""
        from ..models.networks import Question

        (answer,) = self.answer([Question(tuple(ids), tuple(places), tuple(targets))])
        return answer

    def answer(self, questions: Sequence[Question]) -> list[NDArray[np.floating]]:
        """Return log p of the targets of each question, in nats, computed in batches of equal length."""
        import numpy as np

        readings: list[_ModelInput] = []
        counts: list[int] = []
        for question in questions:
            runs = self._runs(question) if self._is_causal else [self._whole(question)]
            readings += runs
            counts.append(len(runs))
        answers = iter(self._answers(readings))
        return [np.concatenate([next(answers) for _ in range(count)]) for count in counts]

    def _whole(self, question: Question) -> _ModelInput:
        ids = [*self._before, *question.ids, *self._checkpoint.after]
        return _ModelInput(
            ids, [len(self._before) + place for place in question.places], question.targets
        )

    def _runs(self, question: Question) -> list[_ModelInput]:
        """Return a reading for each run of neighbouring places, in their order."""
        runs: list[_ModelInput] = []
        last = None
        for place, target in zip(question.places, question.targets, strict=True):
            if last is None or place != last + 1:
                visible = [id for id in question.ids[:place] if id != self.mask_id]
                runs.append(_ModelInput([*self._before, *visible], [], ()))
            reading = runs[-1]
            # The row of a piece tells of the next one.
            rows = [*reading.rows, len(reading.ids) - 1]
            runs[-1] = _ModelInput([*reading.ids, target], rows, (*reading.targets, target))
            last = place
        return runs

    def _answers(self, readings: Sequence[_ModelInput]) -> list[NDArray[np.floating]]:
        torch = self._checkpoint.torch
        by_length: dict[int, list[int]] = {}
        for index, reading in enumerate(readings):
            by_length.setdefault(len(reading.ids), []).append(index)
        answers: dict[int, NDArray[np.floating]] = {}
        for length, indices in by_length.items():
            size = max(1, _BATCH_PIECES[self._checkpoint.device.type == "cpu"] // length)
            for begin in range(0, len(indices), size):
                batch = indices[begin : begin + size]
                ids = torch.tensor([readings[index].ids for index in batch])
                logits = self._checkpoint.run_batch(ids).logits
                for row, index in enumerate(batch):
                    shares = torch.log_softmax(logits[row, readings[index].rows].float(), dim=-1)
                    targets = list(readings[index].targets)
                    answers[index] = shares[range(len(targets)), targets].cpu().numpy()
        return [answers[index] for index in range(len(readings))]


_BATCH_PIECES: Final = {True: 2_048, False: 32_768}
"""Pieces of a batch, by whether the processor computes it: the answer has a row of the vocabulary for each."""


# Bit for bit the benchmark's own program, so that figures can be set beside published
# ones. Its text is read as one sequence with a special piece at each end, cut into segments that do not
# overlap, the last of which may be shorter; a masked piece is replaced and not looked at.
#
# Until 15 June 2022 the program cut segments of about equal length instead, filled the shorter ones up at
# their end, and counted the rows of all segments as if it had not: behind the first shorter segment, a piece
# has the probability of one before it. A WP published before was computed so.


_SEGMENT: Final = 100
"""Pieces of a segment, at most."""
CORRECTION: Final = "2022-06"
"""Month in which the benchmark's program was corrected."""


class BenchmarkSurprisal:
    """−log p of each masked token as ``evaluation.py`` of the Text Anonymization Benchmark computes it.

    The whole text is one batch: memory is (pieces of the text) × (vocabulary) floats, several times.

    Args:
        name: folder of a masked language model, or its name in the local cache; the benchmark has
            ``bert-base-uncased``.
        is_corrected: whether it is the program since ``CORRECTION``.

    Raises:
        MissingExtraError: transformers or torch is not installed.
        ModelError: if the model isn't installed, its tokenizer has no offsets, or it can't fill
            in masks.
    """

    def __init__(self, name: str, *, is_corrected: bool = True) -> None:
        self._checkpoint, self._mask_id = _masked_checkpoint(name)
        self._is_corrected = is_corrected
        self.name = f"{BENCHMARK}:{name}" + ("" if is_corrected else f" before {CORRECTION}")

    def weights(self, text: str, tokens: Sequence[Span]) -> Sequence[float]:
        """Return the surprisal of each token's least likely piece, in nats; 0 without a piece."""
        import numpy as np

        torch, before = self._checkpoint.torch, len(self._checkpoint.before)
        pieces = self._checkpoint.pieces(text)
        rows_of = [[before + place for place in _overlapping(pieces, token)] for token in tokens]
        targets = torch.tensor(
            [
                *self._checkpoint.before,
                *(piece.id for piece in pieces),
                *self._checkpoint.after,
            ]
        )
        ids, attention = targets.clone(), torch.ones_like(targets)
        hidden = [row for rows in rows_of for row in rows]
        if not hidden:
            return [0.0] * len(tokens)
        ids[hidden], attention[hidden] = self._mask_id, 0
        scores = self._scores(ids, attention)
        # No softmax, and the logarithm of numpy: others differ in the last bit.
        odds = torch.exp(scores)
        shares = odds / torch.sum(odds, dim=1)[:, None]
        surprisal = -np.log(shares[torch.arange(len(targets)), targets].cpu().numpy())
        return [float(surprisal[rows].max()) if rows else 0.0 for rows in rows_of]

    def _scores(self, ids: Any, attention: Any) -> Any:
        """Return a row of scores for each piece, float32 [pieces, vocabulary]."""
        torch = self._checkpoint.torch
        places = range(_SEGMENT, len(ids), _SEGMENT)
        cuts = list(places) if self._is_corrected else len(places) + 1
        batches = [
            torch.nn.utils.rnn.pad_sequence(torch.tensor_split(values, cuts), batch_first=True)
            for values in (ids, attention)
        ]
        logits = self._checkpoint.run_batch(*batches).logits
        return logits.flatten(0, 1)[: len(ids)]


# The weightings by name.
#
# uniform        every token weighs 1
# unigram        surprisal of the word in the shipped table
# unigram:FILE   the same, of the words of a text file
# lm             surprisal by the embedded masked language model
# lm:FOLDER      the same, by one that `tacenda lab train language-model` made
# hf:NAME        surprisal by a masked or causal language model of the user's, a folder or a cached name
# bert:NAME      the same as the benchmark computes it: only this makes WP

BENCHMARK: Final = "bert"
"""Kind of the weighting that makes weighted precision the benchmark's WP."""


def weighting(name: str, before: str | None = None) -> InformationContent:
    """Return the information content of this name, as in the table above.

    Args:
        name: of the weighting.
        before: ``CORRECTION`` for the benchmark's program as it was before it; for ``bert:NAME`` alone.

    Raises:
        UnknownNameError: there is none of this name, or no such program before.
        InputError: its file can't be read.
        ModelError: the model is not on this machine.
        MissingExtraError: its extra is not installed.
    """
    kind, _, argument = name.partition(":")
    if before is not None and (before != CORRECTION or kind != BENCHMARK):
        raise UnknownNameError(
            f"unknown weights {name!r} before {before!r}; choose --weights {BENCHMARK}:NAME "
            f"and --weights-before {CORRECTION}"
        )
    if name == "uniform":
        return UniformWeights()
    if name == "unigram":
        return UnigramSurprisal.shipped()
    if kind == "unigram" and argument:
        return UnigramSurprisal.from_file(argument)
    if kind == "lm":
        return ModelSurprisal(EmbeddedModel(argument))
    if kind == "hf" and argument:
        return ModelSurprisal(HuggingFaceModel(argument))
    if kind == BENCHMARK and argument:
        return BenchmarkSurprisal(argument, is_corrected=before is None)
    raise UnknownNameError(
        f"unknown weights {name!r}; choose uniform, unigram, unigram:FILE, lm, hf:NAME or bert:NAME"
    )


class EmbeddedModel:
    """The shipped language model, or one in a folder.

    Args:
        folder: of another model than the shipped one; empty for the shipped one.

    Raises:
        ModelError: it is missing, damaged, or no language model.
        MissingLabError: ``tacenda-lab``, the source of the model, is not installed.
    """

    def __init__(self, folder: str = "") -> None:
        # Only here: the figures of an evaluation need no network otherwise.
        from ..models.networks import DEFAULT_LANGUAGE_MODEL, LanguageModel

        self._model = LanguageModel.load(Path(folder) if folder else DEFAULT_LANGUAGE_MODEL)
        self.name = f"lm:{self._model.name}"
        self.window = self._model.window
        self.mask_id = self._model.mask_id

    def pieces(self, text: str) -> list[Subword]:
        """Tokenize a whole text."""
        return [Subword(*piece) for piece in self._model.pieces(text)]

    def log_probabilities(
        self, ids: Sequence[int], places: Sequence[int], targets: Sequence[int]
    ) -> NDArray[np.floating]:
        """Return log p of ``targets`` at ``places`` of a window, in nats."""
        from ..models.networks import Question

        (answer,) = self._model.answer([Question(tuple(ids), tuple(places), tuple(targets))])
        return answer
