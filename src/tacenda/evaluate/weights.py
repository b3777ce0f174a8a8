"""Information content of masked tokens: weights of weighted precision (TAB, section 6.3).

The information content of a token is −log p(token); masking a predictable token costs little. A
weighting gives one weight to each masked token of a document.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Final, Literal, NamedTuple, Protocol

from ..document import Span
from ..errors import MissingExtraError, ModelError, UnknownNameError
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
"""Of the log of a probability, in nats."""


class Subword(NamedTuple):
    """A subword of a language model's tokenizer: ``[start, end)`` in the text, and its id."""

    id: int
    start: int
    end: int


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


# A pretrained model of the user's, by transformers (extra ``[hf]``), is read in windows. Whatever
# the model's limit is, nothing is truncated: the text is cut into pieces as a whole, and the caller
# gives one window of pieces after the other, which gets its special pieces here.


_UNLIMITED: Final = 100_000
"""Tokenizers without a limit say so by a number far above this."""

_DEFAULT_LIMIT: Final = 512

_PADDING_FIRST: Final = frozenset({"roberta", "xlm-roberta", "camembert", "longformer", "mpnet"})
"""Families whose first position comes after that of padding, so that fewer are left."""

_KINDS: Final = {
    "AutoModelForMaskedLM": "masked language model",
    "AutoModel": "text encoder",
}


class Checkpoint:
    """A tokenizer and a model from a folder, or from the local cache; nothing is downloaded.

    Args:
        name: folder, or name of a model in the local cache.
        loader: class of transformers for loading the model.
        option: the user's option for it, for messages.

    Raises:
        MissingExtraError: transformers or torch is not installed.
        ModelError: there is no such model here, or its tokenizer has no offsets.
    """

    def __init__(
        self, name: str, loader: Literal["AutoModelForMaskedLM", "AutoModel"], option: str
    ) -> None:
        try:
            import torch
            import transformers
        except ImportError as error:
            raise MissingExtraError(f"{option} hf:{name}", "hf") from error
        try:
            tokenizer: Any = transformers.AutoTokenizer.from_pretrained(name, local_files_only=True)
            model: Any = getattr(transformers, loader).from_pretrained(name, local_files_only=True)
        except (OSError, ValueError) as error:
            raise ModelError(
                f"{name!r} is no {_KINDS[loader]} on this machine; download it first "
                "(nothing is downloaded during an evaluation) or give its folder"
            ) from error
        if not tokenizer.is_fast:
            raise ModelError(f"the tokenizer of {name!r} has no offsets")
        self.tokenizer, self.torch = tokenizer, torch
        self._model = model.eval()
        # Special pieces around each window, as the tokenizer puts them.
        inner = tokenizer("a", add_special_tokens=False)["input_ids"]
        around = tokenizer("a")["input_ids"]
        places = range(len(around) - len(inner) + 1)
        at = next((i for i in places if around[i : i + len(inner)] == inner), None)
        if at is None:
            raise ModelError(f"the tokenizer of {name!r} changes a text that it puts marks around")
        self.before: list[int] = around[:at]
        self.after: list[int] = around[at + len(inner) :]
        self.window = self._limit() - len(self.before) - len(self.after)

    @property
    def dimensions(self) -> int:
        """Length of a hidden state."""
        return int(self._model.config.hidden_size)

    def pieces(self, text: str) -> list[Subword]:
        """Tokenize a whole text, independently of the model's limit."""
        encoded = self.tokenizer(
            # What UTF-8 can't write, tokenizers can't read; one code point stays one.
            text.encode("utf-8", "replace").decode("utf-8"),
            add_special_tokens=False,
            return_offsets_mapping=True,
            truncation=False,
            verbose=False,
        )
        return [
            Subword(id, start, end)
            for id, (start, end) in zip(
                encoded["input_ids"], encoded["offset_mapping"], strict=True
            )
        ]

    def run(self, ids: Sequence[int]) -> Any:
        """Return the model's output for one window, with special pieces around it."""
        return self.run_batch(self.torch.tensor([[*self.before, *ids, *self.after]]))

    def run_batch(self, ids: Any, attention: Any = None) -> Any:
        """Return the model's output for a batch.

        Args:
            ids: int64 [windows, pieces], special pieces among them.
            attention: int64 like ``ids``, 0 where a piece is not to be looked at; None: at all.
        """
        with self.torch.inference_mode():
            return self._model(input_ids=ids, attention_mask=attention)

    def _limit(self) -> int:
        limits = [self.tokenizer.model_max_length]
        config = self._model.config
        positions = getattr(config, "max_position_embeddings", None)
        if positions:
            offset = config.pad_token_id + 1 if config.model_type in _PADDING_FIRST else 0
            limits.append(positions - offset)
        limit = int(min(limits))
        return _DEFAULT_LIMIT if limit > _UNLIMITED else limit


def _masked_checkpoint(name: str) -> tuple[Checkpoint, int]:
    """Return a masked language model and the id of its mask token."""
    checkpoint = Checkpoint(name, "AutoModelForMaskedLM", "--weights")
    mask_id: int | None = checkpoint.tokenizer.mask_token_id
    if mask_id is None:
        raise ModelError(f"the tokenizer of {name!r} has no mask token")
    return checkpoint, mask_id


class HuggingFaceModel:
    """A masked language model from a folder, or from the local cache; nothing is downloaded.

    Args:
        name: folder, or name of a model in the local cache.

    Raises:
        MissingExtraError: transformers or torch is not installed.
        ModelError: there is no such model here, its tokenizer has no offsets, or it can't fill
            in masks.
    """

    def __init__(self, name: str) -> None:
        self._checkpoint, self.mask_id = _masked_checkpoint(name)
        self.name = f"hf:{name}"
        self.window = self._checkpoint.window

    def pieces(self, text: str) -> list[Subword]:
        """Tokenize a whole text, independently of the model's limit."""
        return self._checkpoint.pieces(text)

    def log_probabilities(
        self, ids: Sequence[int], places: Sequence[int], targets: Sequence[int]
    ) -> NDArray[np.floating]:
        """Return log p of ``targets`` at ``places`` of a window, in nats."""
        logits = self._checkpoint.run(ids).logits[0]
        first = len(self._checkpoint.before)
        rows = logits[[first + place for place in places]]
        probabilities = self._checkpoint.torch.log_softmax(rows, dim=-1)
        result: NDArray[np.floating] = (
            probabilities[range(len(targets)), list(targets)].cpu().numpy()
        )
        return result

    def answer(self, questions: Sequence[Question]) -> list[NDArray[np.floating]]:
        """Answer questions as the embedded model does, for use by risk indicators."""
        return [
            self.log_probabilities(question.ids, question.places, question.targets)
            for question in questions
        ]


# What the benchmark's own program computes, to the bit, so that figures can be set beside published
# ones. Its text is read as one sequence with a special piece at each end, cut into segments of about
# equal length; a masked piece is replaced and not looked at; nothing overlaps. Shorter segments are
# filled up at their end, and the rows of all segments are then counted through as if they were not:
# behind the first shorter segment, each piece is given the row of one before it or further. That is a
# mistake of the reference, and a part of every WP that was published.


_SEGMENT: Final = 100
"""Pieces of a segment, at most."""


class BenchmarkSurprisal:
    """−log p of each masked token as ``evaluation.py`` of the Text Anonymization Benchmark computes it.

    The whole text is one batch: memory is (pieces of the text) × (vocabulary) floats, several times.

    Args:
        name: folder of a masked language model, or its name in the local cache; the benchmark has
            ``bert-base-uncased``.

    Raises:
        MissingExtraError: transformers or torch is not installed.
        ModelError: there is no such model here, its tokenizer has no offsets, or it can't fill
            in masks.
    """

    def __init__(self, name: str) -> None:
        self._checkpoint, self._mask_id = _masked_checkpoint(name)
        self.name = f"{BENCHMARK}:{name}"

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
        parts = -(-len(ids) // _SEGMENT)
        batches = [
            torch.nn.utils.rnn.pad_sequence(torch.tensor_split(values, parts), batch_first=True)
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
# lm:FOLDER      the same, by one that `tacenda train language-model` made
# hf:NAME        surprisal by a masked language model of the user's, a folder or a cached name
# bert:NAME      the same as the benchmark computes it: only this makes WP

BENCHMARK: Final = "bert"
"""Kind of the weighting that makes weighted precision the benchmark's WP."""


def weighting(name: str) -> InformationContent:
    """Return the information content of this name, as in the module's docstring.

    Raises:
        UnknownNameError: there is none of this name.
        InputError: its file can't be read.
        ModelError: the model is not on this machine.
        MissingExtraError: its extra is not installed.
    """
    kind, _, argument = name.partition(":")
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
        return BenchmarkSurprisal(argument)
    raise UnknownNameError(
        f"weights {name!r} are not known; choose uniform, unigram, unigram:FILE, lm, hf:NAME or "
        "bert:NAME"
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
