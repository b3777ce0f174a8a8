"""The recipe of the attacker with two encoders; see ``reidentify/attackers/encoder.py``.

members ─ examples ─ masks ─ phases (of network) ─▶ export ─▶ the shipped folder
"""

from __future__ import annotations

import hashlib
import math
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

import numpy as np
import torch
from numpy.typing import NDArray
from safetensors.torch import load_file
from tokenizers import Tokenizer
from torch import Tensor
from torch.nn import functional
from torch.optim.lr_scheduler import LambdaLR

from tacenda.errors import InputError
from tacenda.reidentify.attackers.encoder import MASK

from .attacker_data import AttackerExamples, Member, TrainingText, examples_of, padded
from .attacker_network import BiEncoderNetwork, SideEncoder, Sizes, write_attacker
from .trainer import Trainer, cosine

# The distribution of masks in training, p(z | x): all sizes, biased toward revealing words.
#
# Morris et al. (2022), section 5, mask l words, l uniform in 0..N. A real document's mask differs:
# it covers words from the profile, or names and numbers.


Prior = Literal["mixed", "uniform", "none"]


@dataclass(frozen=True, slots=True)
class Shares:
    """The share of each kind of mask; the remaining masks hide distinct words wherever they occur."""

    uniform: float = 0.20
    nothing: float = 0.25
    shared: float = 0.35
    telling: float = 0.08


def masked_reading(
    text: TrainingText, prior: Prior, random: np.random.Generator, shares: Shares = Shares()
) -> NDArray[np.int64]:
    """Return a text's places with some words masked, [read]."""
    mask = _draw_mask(text, prior, random, shares)
    return text.places if mask is None else np.where(mask, MASK, text.places)


def _draw_mask(
    text: TrainingText, prior: Prior, random: np.random.Generator, shares: Shares
) -> NDArray[np.bool_] | None:
    if prior == "none":
        return None
    kind = random.random()
    if prior == "uniform" or (kind := kind - shares.uniform) < 0:
        return _uniform(text, random)
    if (kind := kind - shares.nothing) < 0:
        return None
    if (kind := kind - shares.shared) < 0:
        return _shared(text, random)
    if (kind := kind - shares.telling) < 0:
        share = 1.0 if random.random() < 0.5 else random.random()
        return np.asarray(text.telling & _random_subset(text, share, random))
    distinct = np.unique(text.places[text.words])
    sample = distinct[random.random(len(distinct)) < random.random()]
    return np.asarray(text.words & np.isin(text.places, sample))


def _uniform(text: TrainingText, random: np.random.Generator) -> NDArray[np.bool_]:
    """Return l words, where l is uniform in 0..N."""
    (words,) = np.nonzero(text.words)
    mask = np.zeros(len(text.places), dtype=bool)
    mask[random.choice(words, random.integers(len(words) + 1), replace=False)] = True
    return mask


def _shared(text: TrainingText, random: np.random.Generator) -> NDArray[np.bool_]:
    """Return all or some words of the profile, and now and then others."""
    mask: NDArray[np.bool_] = text.shared[random.integers(len(text.shared))]
    if random.random() < 0.5:
        mask = mask & _random_subset(text, random.random(), random)
    if random.random() < 0.4:
        mask = mask | (text.words & _random_subset(text, random.random() / 2, random))
    return mask


def _random_subset(
    text: TrainingText, share: float, random: np.random.Generator
) -> NDArray[np.bool_]:
    return random.random(len(text.places)) < share


# Training of the two sides in turn: coordinate ascent, after a start with both at once.
#
# Morris et al. (2022), section 5: while the document encoder learns, the matrix of all profiles is fixed, and
# the softmax is over all of them; then the profile encoder learns to tell all documents apart, and the
# matrix is computed again. Before that, both learn from pairs in small batches: from random vectors
# there would be nothing to climb.


_AT_ONCE = 256


@dataclass(frozen=True, slots=True)
class AttackerSchedule:
    """The settings of a training run.

    Attributes:
        turns: the side trained in each epoch: B for both, D for documents, P for profiles.
        prior: the distribution of masks.
        profile_dropout: the mean share of a profile's words that are hidden.
    """

    turns: str = "BBBB" + 8 * "PDDD"
    pairs: int = 64
    batch: int = 48
    rate: float = 2e-3
    table_rate: float = 1e-3
    weight_decay: float = 0.01
    smoothing: float = 0.1
    prior: Prior = "mixed"
    profile_dropout: float = 0.2
    warmup: int = 40
    seed: int = 1

    @property
    def epochs(self) -> int:
        """The number of turns."""
        return len(self.turns)


@dataclass(frozen=True, slots=True, eq=False)
class Turn:
    """A batch of one turn.

    Attributes:
        side: the side trained, as in `AttackerSchedule.turns`.
        texts: the batch's texts.
        candidates: the fixed side's vectors to choose from; none for B.
        targets: the right rows of the candidates, or of the batch itself.
    """

    side: str
    texts: Sequence[TrainingText]
    candidates: Tensor
    targets: Tensor


class Training:
    """A training run of the encoders of texts and profiles.

    Args:
        model: the network, fitted in place.
        examples: training data.
        pieces: the word pieces of the examples' words, as the network numbers them, [words, most
            pieces].
        schedule: the settings of the run.
    """

    def __init__(
        self,
        model: BiEncoderNetwork,
        examples: AttackerExamples,
        pieces: Tensor,
        schedule: AttackerSchedule,
    ) -> None:
        self._model = model
        self._examples = examples
        self._pieces = pieces
        self._schedule = schedule
        self._random = np.random.default_rng(schedule.seed)
        self._marks = np.array([examples.words.index(mark) for mark in ":;"])

    def fit(self, resume: Path | None = None) -> None:
        """Run the schedule.

        Args:
            resume: the file with the state of an unfinished run (`Trainer.fit`).
        """
        schedule, model = self._schedule, self._model
        optimizer = torch.optim.AdamW(
            _groups(model, schedule), weight_decay=schedule.weight_decay, fused=True
        )
        trainer = Trainer(
            model,
            self.batches,
            self.loss,
            schedule,
            optimizer,
            LambdaLR(optimizer, self._rate),
            clips=((model.document, 5.0), (model.profile, 5.0)),
            device=torch.device("cpu"),
            mixed=False,
            describe=_turn_line,
        )
        # A run on another file of pairs can't be resumed here, even if it has as many words.
        words = "\n".join(self._examples.words).encode()
        trainer.fit(resume, hashlib.sha256(words).hexdigest())

    def profile_matrix(self) -> Tensor:
        """Return the profile vectors of all people, [people, output]."""
        rows = self._examples.profiles
        return self._encoded(self._model.profile, rows)

    def document_matrix(self, texts: Sequence[TrainingText], prior: Prior) -> Tensor:
        """Return the vectors of texts under masks of a prior, [texts, output]."""
        rows = [masked_reading(text, prior, self._random) for text in texts]
        return self._encoded(self._model.document, rows)

    def batches(self, epoch: int) -> Iterator[Turn]:
        """Yield the batches of an epoch; every other turn of profiles learns to tell masked texts apart.

        Raises:
            ValueError: if the schedule has another turn than B, D and P.
        """
        # Each epoch has its own random numbers, so that repeating it gives the same batches.
        self._random = np.random.default_rng((self._schedule.seed, epoch))
        turns, learned = self._schedule.turns, self._examples.learned
        side, size = turns[epoch], self._schedule.batch
        candidates = torch.empty(0)
        rows = {text.person: text.person for text in learned}
        match side:
            case "B":
                size = self._schedule.pairs
            case "D":
                candidates = self.profile_matrix()
            case "P":
                odd = turns[:epoch].count("P") % 2
                candidates = self.document_matrix(learned, self._schedule.prior if odd else "none")
                rows = {text.person: row for row, text in enumerate(learned)}
            case _:
                raise ValueError(f"unknown turn {side!r} in {turns!r}; use B, D or P.")
        self._model.train()
        for texts in self._batches(learned, size):
            numbers = range(len(texts)) if side == "B" else [rows[text.person] for text in texts]
            yield Turn(side, texts, candidates, torch.tensor(numbers))

    def loss(self, turn: Turn) -> Tensor:
        """Return the cross entropy of the right candidates, or of both directions of pairs."""
        match turn.side:
            case "D":
                logits = self._model.logits(self._documents_of(turn.texts), turn.candidates)
            case "P":
                logits = self._model.logits(self._profiles_of(turn.texts), turn.candidates)
            case _:
                documents, profiles = self._documents_of(turn.texts), self._profiles_of(turn.texts)
                logits = self._model.logits(documents, profiles)
                backward = self._entropy(logits.T, turn.targets)
                return (self._entropy(logits, turn.targets) + backward) / 2
        return self._entropy(logits, turn.targets)

    def _documents_of(self, texts: Sequence[TrainingText]) -> Tensor:
        rows = [masked_reading(text, self._schedule.prior, self._random) for text in texts]
        return self._apply(self._model.document, rows)

    def _profiles_of(self, texts: Sequence[TrainingText]) -> Tensor:
        rows = [self._thinned(self._examples.profiles[text.person]) for text in texts]
        return self._apply(self._model.profile, rows)

    def _thinned(self, places: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return a profile with some words hidden, and in half of all cases the name too.

        No other profile has the name, so an encoder could memorize people by it.
        """
        share = 2 * self._schedule.profile_dropout * self._random.random()
        if not share:
            return places
        mask = (self._random.random(len(places)) < share) & ~np.isin(places, self._marks)
        if self._random.random() < 0.5:
            mask[2 : int(np.argmax(places == self._marks[1]))] = True
        return np.where(mask, MASK, places)

    def _apply(self, side: SideEncoder, rows: Sequence[NDArray[np.int64]]) -> Tensor:
        places = padded(rows)
        words, places = torch.unique(places, return_inverse=True)
        if words[0]:
            # Place 0 keeps standing for nothing.
            words, places = torch.cat([words.new_zeros(1), words]), places + 1
        vectors: Tensor = side(self._pieces[words], places)
        return vectors

    def _encoded(self, side: SideEncoder, rows: Sequence[NDArray[np.int64]]) -> Tensor:
        side.eval()
        order = np.argsort([len(row) for row in rows], kind="stable")
        vectors = torch.zeros(len(rows), side.sizes.output)
        with torch.no_grad():
            for first in range(0, len(rows), _AT_ONCE):
                some = order[first : first + _AT_ONCE]
                vectors[some] = self._apply(side, [rows[n] for n in some])
        return vectors

    def _batches(self, texts: Sequence[TrainingText], size: int) -> Iterator[list[TrainingText]]:
        """Yield batches of texts of similar length, in random order."""
        lengths = np.array([len(text.places) for text in texts])
        order = np.argsort(lengths + self._random.uniform(0, 30, len(texts)))
        # A batch has at least two texts, since one text has no variance for whitening.
        starts = np.minimum(np.arange(0, len(texts), size), len(texts) - 2)
        self._random.shuffle(starts)
        for start in starts:
            yield [texts[n] for n in order[start : start + size]]

    def _entropy(self, logits: Tensor, targets: Tensor) -> Tensor:
        return functional.cross_entropy(logits, targets, label_smoothing=self._schedule.smoothing)

    def _rate(self, step: int) -> float:
        schedule = self._schedule
        n = len(self._examples.learned)
        pairs = schedule.turns.count("B")
        steps = pairs * math.ceil(n / schedule.pairs)
        steps += (len(schedule.turns) - pairs) * math.ceil(n / schedule.batch)
        return cosine(step, schedule.warmup, math.pi * min(1.0, step / steps))


def _turn_line(schedule: AttackerSchedule, epoch: int, loss: float) -> str:
    return f"epoch {epoch + 1} {schedule.turns[epoch]} loss {loss:.3f}"


def _groups(model: BiEncoderNetwork, schedule: AttackerSchedule) -> list[dict[str, object]]:
    tables = [model.document.table.weight, model.profile.table.weight]
    rest = [p for p in model.parameters() if all(p is not table for table in tables)]
    return [
        {"params": rest, "lr": schedule.rate},
        {"params": tables, "lr": schedule.table_rate, "weight_decay": 0.0},
    ]


# Initial embeddings: long for rare pieces, short for common ones, all distinct.
#
# Half of an embedding is the meaning of a piece (all-MiniLM-L6-v2, its first principal components),
# half is random, for its identity: *1908* and *1909* mean nearly the same and must be told apart.
# With lengths by inverse document frequency an untrained encoder is a rough search engine.


_MEANING = 0.5
"""Length of the half that means something, of the other half's."""
_SHORTEST, _LONGEST = 0.03, 0.8


def start_table(
    checkpoint: Path, examples: AttackerExamples, pieces: NDArray[np.int64], width: int
) -> Tensor:
    """Return embeddings of all word pieces of a BERT checkpoint, [pieces, width].

    Args:
        checkpoint: the folder with ``model.safetensors``.
        examples: the texts and profiles to count pieces in.
        pieces: the word pieces of the examples' words, [words, most pieces].
        width: the embeddings' width, an even number.
    """
    source = {
        k.removeprefix("bert."): v for k, v in load_file(checkpoint / "model.safetensors").items()
    }
    words = source["embeddings.word_embeddings.weight"].float()
    words = words - words.mean(0)
    torch.manual_seed(1)
    _, _, axes = torch.pca_lowrank(words, q=width // 2, niter=4)
    meaning = words @ axes
    identity = torch.randn(len(words), width // 2, generator=torch.Generator().manual_seed(9))
    halves = (meaning / _lengths(meaning) * _MEANING, identity / _lengths(identity))
    lengths = _inverse_frequency(examples, pieces, len(words))[:, None] * math.sqrt(width)
    table = torch.cat(halves, dim=1) * lengths
    # Padding and masks carry no information before training.
    table[[0, int(pieces[1, 0])]] = 0
    return table


def _lengths(x: Tensor) -> Tensor:
    return x.norm(dim=1, keepdim=True).clamp(min=1e-6)


def _inverse_frequency(
    examples: AttackerExamples, pieces: NDArray[np.int64], n_pieces: int
) -> Tensor:
    """Return log(n / texts with the piece) as a share of log n, [pieces]."""
    counts = np.zeros(len(pieces))
    texts = [text.places for text in (*examples.learned, *examples.chosen_on)]
    for places in (*texts, *examples.profiles):
        counts[np.unique(places)] += 1
    of_pieces = np.zeros(n_pieces)
    np.add.at(of_pieces, pieces, np.repeat(counts[:, None], pieces.shape[1], axis=1))
    n = len(texts) + len(examples.profiles)
    share = np.log(n / np.maximum(of_pieces, 1)) / math.log(n)
    return torch.from_numpy(np.clip(share, _SHORTEST, _LONGEST)).float()


# The recipe of the shipped attacker, from profiles and texts about members of Congress, or anyone
# else.


@dataclass(frozen=True, slots=True)
class PieceList:
    """The part of a vocabulary that occurs; only this part is trained.

    Attributes:
        used: the vocabulary ids that occur, in order, 0 first.
        of_words: pieces of words as places in ``used``, [words, most pieces].
    """

    used: NDArray[np.int64]
    of_words: NDArray[np.int64]

    @classmethod
    def of(cls, pieces: NDArray[np.int64]) -> PieceList:
        """Renumber the pieces that occur."""
        used, places = np.unique(pieces, return_inverse=True)
        return cls(used, places.reshape(pieces.shape))


@dataclass(frozen=True, slots=True)
class RetrievalRates:
    """Retrieval rates on the texts for choosing settings.

    Attributes:
        shares: by kind of mask: (at rank 1, among the first 10).
    """

    shares: Mapping[str, tuple[float, float]] = field(default_factory=dict)

    def __str__(self) -> str:
        return "; ".join(f"{name} {a:.3f}, {b:.3f}" for name, (a, b) in self.shares.items())


def train_attacker(
    members: Iterable[Member], work: Path, encoder_folder: Path, schedule: AttackerSchedule
) -> Path:
    """Run the recipe and return the folder with the finished model.

    Args:
        members: people with a profile and, for some of them, a text.
        work: the folder for the state of an unfinished run and for the result.
        encoder_folder: the folder of all-MiniLM-L6-v2, where the initial word embeddings come from.
        schedule: the run's settings.

    Raises:
        InputError: there are too few texts to learn from, or none to choose settings on.
    """
    examples = examples_of(members)
    learned, chosen_on = len(examples.learned), len(examples.chosen_on)
    if learned < 2 or not chosen_on:
        raise InputError(
            f"{learned} texts to learn from and {chosen_on} to choose on are too few; give some "
            "hundreds of pairs (a tenth is held out, of the rest one in eighteen is chosen on)"
        )
    tokenizer = Tokenizer.from_file(str(encoder_folder / "tokenizer.json"))
    tokenizer.no_truncation()
    tokenizer.no_padding()
    all_pieces = examples.pieces(tokenizer)
    table = start_table(encoder_folder, examples, all_pieces, Sizes(0).embedding)
    pieces = PieceList.of(all_pieces)
    model = BiEncoderNetwork(Sizes(len(pieces.used)), table[pieces.used])
    training = Training(model, examples, torch.from_numpy(pieces.of_words), schedule)
    training.fit(work / "attacker.state")
    print(f"rank 1, first 10: {retrieval_rates(training, examples)}", file=sys.stderr)
    folder = work / "attacker-en"
    write_attacker(
        with_full_vocabulary(model, table, pieces), encoder_folder / "tokenizer.json", folder
    )
    return folder


def retrieval_rates(training: Training, examples: AttackerExamples) -> RetrievalRates:
    """Return the retrieval rates on the texts for choosing settings."""
    matrix = training.profile_matrix()
    texts = examples.chosen_on
    kinds = {
        "unmasked": texts,
        "without words of the profile": [_without(text, text.shared[0]) for text in texts],
        "of the profile as written": [_without(text, text.shared[1]) for text in texts],
    }
    return RetrievalRates(
        {
            name: _shares(training.document_matrix(rows, "none") @ matrix.T, texts)
            for name, rows in kinds.items()
        }
    )


def _without(text: TrainingText, mask: NDArray[np.bool_]) -> TrainingText:
    places = np.where(mask, MASK, text.places)
    return TrainingText(text.person, places, text.words, text.shared, text.telling)


def _shares(scores: Tensor, texts: tuple[TrainingText, ...]) -> tuple[float, float]:
    truth = scores[torch.arange(len(texts)), torch.tensor([text.person for text in texts])]
    better = (scores > truth[:, None]).sum(1)
    return float((better < 1).float().mean()), float((better < 10).float().mean())


def with_full_vocabulary(
    model: BiEncoderNetwork, table: Tensor, pieces: PieceList
) -> BiEncoderNetwork:
    """Return the model with the whole vocabulary; untrained pieces keep their initial vectors."""
    sizes = model.document.sizes
    result = BiEncoderNetwork(Sizes(len(table), *_widths(sizes)), table)
    for name, side in (("document", result.document), ("profile", result.profile)):
        trained: SideEncoder = getattr(model, name)
        full = table.clone()
        full[pieces.used] = trained.table.weight.detach()
        side.load_state_dict({**trained.state_dict(), "table.weight": full})
    result.log_sharpness.data = model.log_sharpness.data.clone()
    result.eval()
    return result


def _widths(sizes: Sizes) -> tuple[int, ...]:
    return (
        sizes.embedding,
        sizes.context,
        sizes.roles,
        sizes.contents,
        sizes.hidden,
        sizes.output,
    )
