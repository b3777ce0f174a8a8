"""Information content of masked tokens: the weights of weighted precision (TAB, section 6.3).

The information content of a token is −log p(token), so masking a predictable token costs little. A
weighting gives each masked token of a document one weight.
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


# Information content from a masked language model (TAB, section 6.3): −log p(token) while all
# tokens that the system masked are hidden, so that none helps to predict another. A token of
# several pieces has the weight of its least likely piece. Texts of any length are read in
# overlapping windows; a piece counts in the window where it is furthest from an edge.


_ROUNDING: Final = 1e-3
"""Rounding of log-probabilities, in nats."""


class MaskedLanguageModel(Protocol):
    """Protocol for a masked language model that provides weights."""

    @property
    def name(self) -> str:
        """For the signature."""
        ...

    @property
    def window(self) -> int:
        """Number of pieces in a window, not counting special tokens."""
        ...

    @property
    def mask_id(self) -> int:
        """Id of the mask token."""
        ...

    def pieces(self, text: str) -> Sequence[Subword]:
        """Split a text of any length into pieces; offsets are code points."""
        ...

    def log_probabilities(
        self, ids: Sequence[int], places: Sequence[int], targets: Sequence[int]
    ) -> NDArray[np.floating]:
        """Return log p of ``targets`` at ``places`` in one window, in nats."""
        ...


@dataclass(frozen=True, slots=True)
class ModelSurprisal:
    """−log p of each masked token according to a masked language model.

    Attributes:
        model: the language model.
        overlap: the share of a window that the next one repeats, in [0, 1).
    """

    model: MaskedLanguageModel
    overlap: float = 0.25

    @property
    def name(self) -> str:
        """For the signature."""
        return self.model.name

    def weights(self, text: str, tokens: Sequence[Span]) -> Sequence[float]:
        """Return the surprisal of each token, in nats.

        A token for which the model has no subword (such as a lone control character) has weight 0.
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
                # A probability that exceeds 1 by a rounding error must not give a negative weight.
                nats = -float(log_probability)
                surprisal[idx] = 0.0 if -_ROUNDING < nats < 0 else nats
        return surprisal


def windows(n: int, size: int, overlap: float) -> Iterator[tuple[int, int, int, int]]:
    """Yield (start, end, first, last): windows over ``n`` pieces, and the range that counts in each.

    The ranges ``[first, last)`` are consecutive without gaps and meet in the middle of the windows'
    overlap.
    """
    step = max(1, size - int(size * overlap))
    start = first = 0
    while first < n:
        end = min(start + size, n)
        last = n if end == n else (end + start + step) // 2
        yield start, end, first, last
        start, first = start + step, last


def _overlapping(pieces: Sequence[Subword], token: Span) -> range:
    """Return the indices of the pieces that overlap a token."""
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
    """A sequence for a model, the rows of its output that are needed, and the pieces to look up in them."""

    ids: list[int]
    rows: list[int]
    targets: tuple[int, ...]


class HuggingFaceModel:
    """A masked or causal language model from a folder or the local cache; nothing is downloaded.

    A causal model has no mask. Hidden pieces are left out of its input, and a run of them is
    predicted piece by piece, given the visible text before it and the pieces of the run so far; the
    sum is the log probability of the run.

    Args:
        name: a folder, or the name of a model in the local cache.

    Raises:
        MissingExtraError: if transformers or torch isn't installed.
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
        """Where it is, with the start of the digest of its files."""
        return f"{PREFIX}{self._source}@{identity(self._source)[:8]}"

    def pieces(self, text: str) -> list[Subword]:
        """Tokenize a whole text, regardless of the model's limit."""
        return self._checkpoint.pieces(text)

    def log_probabilities(
        self, ids: Sequence[int], places: Sequence[int], targets: Sequence[int]
    ) -> NDArray[np.floating]:
        """Return log p of ``targets`` at ``places`` of a window, in nats."""
        from ..models.networks import Question

        (answer,) = self.answer([Question(tuple(ids), tuple(places), tuple(targets))])
        return answer

    def answer(self, questions: Sequence[Question]) -> list[NDArray[np.floating]]:
        """Return log p of each question's targets, in nats, computed in batches of equal length."""
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
        """Return one input for each run of adjacent places, in order."""
        runs: list[_ModelInput] = []
        last = None
        for place, target in zip(question.places, question.targets, strict=True):
            if last is None or place != last + 1:
                visible = [id for id in question.ids[:place] if id != self.mask_id]
                runs.append(_ModelInput([*self._before, *visible], [], ()))
            reading = runs[-1]
            # The row of a piece predicts the next one.
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


# Bit for bit the benchmark's own program, so that results are comparable with published ones. It
# reads the text as one sequence with a special token at each end, cut into segments that don't
# overlap, the last of which may be shorter; a masked piece is replaced and not attended to.
#
# Until 15 June 2022 the program cut segments of roughly equal length instead, padded the shorter
# ones at the end, and counted the rows of all segments as if there were no padding: after the first
# shorter segment, a piece gets the probability of an earlier one. WP values published before that
# date were computed this way.


_SEGMENT: Final = 100
"""Pieces of a segment, at most."""
CORRECTION: Final = "2022-06"
"""Month in which the benchmark's program was corrected."""


class BenchmarkSurprisal:
    """−log p of each masked token as ``evaluation.py`` of the Text Anonymization Benchmark computes it.

    The whole text is one batch, so memory use is a multiple of (pieces in the text) × (vocabulary
    size) floats.

    Args:
        name: the folder of a masked language model, or its name in the local cache; the benchmark
            uses ``bert-base-uncased``.
        is_corrected: whether to follow the program as of ``CORRECTION``.

    Raises:
        MissingExtraError: if transformers or torch isn't installed.
        ModelError: if the model isn't installed, its tokenizer has no offsets, or it can't fill
            in masks.
    """

    def __init__(self, name: str, *, is_corrected: bool = True) -> None:
        self._checkpoint, self._mask_id = _masked_checkpoint(name)
        self._is_corrected = is_corrected
        self.name = f"{BENCHMARK}:{name}" + ("" if is_corrected else f" before {CORRECTION}")

    def weights(self, text: str, tokens: Sequence[Span]) -> Sequence[float]:
        """Return the surprisal of each token's least likely piece, in nats; 0 if it has no piece."""
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
        # No softmax, and numpy's logarithm: anything else differs in the last bit.
        odds = torch.exp(scores)
        shares = odds / torch.sum(odds, dim=1)[:, None]
        surprisal = -np.log(shares[torch.arange(len(targets)), targets].cpu().numpy())
        return [float(surprisal[rows].max()) if rows else 0.0 for rows in rows_of]

    def _scores(self, ids: Any, attention: Any) -> Any:
        """Return one row of scores per piece, float32 [pieces, vocabulary]."""
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
# uniform        every token has weight 1 unigram        the word's surprisal in the shipped table
# unigram:FILE   the same, from the words of a text file lm             surprisal according to the
# embedded masked language model lm:FOLDER      the same, according to one made by `tacenda lab
# train language-model` hf:NAME        surprisal according to the user's own masked or causal
# language model, a folder or a cached name bert:NAME      the same, as the benchmark computes it;
# only this gives WP

BENCHMARK: Final = "bert"
"""Kind of the weighting that makes weighted precision the benchmark's WP."""


def weighting(name: str, before: str | None = None) -> InformationContent:
    """Return the weighting with this name, as in the table above.

    Args:
        name: the name of the weighting.
        before: ``CORRECTION`` to follow the benchmark's program before it was corrected; only for
            ``bert:NAME``.

    Raises:
        UnknownNameError: if there is no such weighting, or no such earlier program.
        InputError: if its file can't be read.
        ModelError: if the model isn't on this machine.
        MissingExtraError: if its extra isn't installed.
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
    """The shipped language model, or one from a folder.

    Args:
        folder: the folder of another model; empty for the shipped one.

    Raises:
        ModelError: if it is missing, damaged, or not a language model.
        MissingLabError: if ``tacenda-lab``, which has the model, isn't installed.
    """

    def __init__(self, folder: str = "") -> None:
        # Imported here, since evaluation otherwise needs no neural network.
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
