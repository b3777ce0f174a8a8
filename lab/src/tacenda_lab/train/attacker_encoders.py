"""The recipe of an attacker built from any two encoders of transformers (Morris et al. 2022, sections 5 and 6, appendix A).

    pairs ─ on disk ─ masks ─ turns: texts learn, profiles are fixed; profiles learn, texts are fixed ─▶ folder

In even epochs the text encoder learns to tell all profiles apart, under masks of any size; in the
first odd epochs the profile encoder learns to tell all unmasked texts apart. The fixed side is
encoded once, to a file. The softmax covers all of it (``sharded.py``) or, with hard negatives, the
nearest vectors to each text in a batch. Only one batch, one shard and the two encoders are in
memory.
"""

from __future__ import annotations

import json
import math
import shutil
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np
import torch
from numpy.typing import NDArray
from safetensors.torch import save_file
from torch import Tensor, nn
from torch.nn import functional
from torch.optim.lr_scheduler import LambdaLR

from tacenda.document import Document
from tacenda.errors import ModelError
from tacenda.models.checkpoint import torch_device
from tacenda.models.encoder_pair import (
    HEADS_FILE,
    KIND,
    SIDES,
    EncoderSide,
    PairSide,
    checkpoint_folder,
    open_side,
)
from tacenda.models.store import digest
from tacenda.reidentify.attackers.encoder import masked_text
from tacenda.reidentify.tokens import read_words

from .frequencies import Frequencies
from .packages import (
    CONFIG_FILE,
    TRAINING_FILE,
    finished_training,
    write_description,
    write_json,
)
from .pair_file import PairFile, StoredPair
from .recipes import AttackerRecipe, MaskPrior
from .sharded import VectorFile, nearest, ranks, softmax_loss
from .trainer import Progress, Trainer, mixed_precision

_CLIP: Final = 5.0
_LEAST_RATE: Final = 0.1
"""Final learning rate, as a share of the highest."""
_WINDOWS: Final = 4
"""Number of windows of a text to learn from, the first ones; an attack reads all."""
_AT_ONCE: Final = 128
_LEAST_IDF: Final = 1e-3
"""Minimum IDF of a word, in nats, where words are drawn by it."""


class PairNetwork(nn.Module):
    """Both encoders and their heads, as the trainer sees them."""

    def __init__(self, recipe: AttackerRecipe) -> None:
        super().__init__()
        torch.manual_seed(recipe.seed)
        self.sides: dict[PairSide, EncoderSide] = {
            "text": open_side(recipe.text, recipe.pooling, recipe.window, recipe.width),
            "profile": open_side(recipe.profile, recipe.pooling, recipe.window, recipe.width),
        }
        if self.sides["text"].reads_tables:
            raise ModelError(f"{recipe.text} reads tables; name an encoder of texts with --text")
        # If both encoders have states of one size, identical heads make the first scores
        # similarities.
        text, profile = (self.sides[name].head for name in SIDES)
        if text.weight.shape == profile.weight.shape:
            profile.load_state_dict(text.state_dict())
        self.models = nn.ModuleDict({name: self.sides[name].model for name in SIDES})
        self.heads = nn.ModuleDict({name: self.sides[name].head for name in SIDES})


@dataclass(frozen=True, slots=True, eq=False)
class PairBatch:
    """A batch of one turn.

    Attributes:
        side: the encoder that learns.
        pairs: the pairs in the batch.
        vectors: the vectors of the fixed side.
        right: the number of each pair's vector among them.
        candidates: the numbers of the vectors in the softmax, or None for all.
    """

    side: PairSide
    pairs: Sequence[StoredPair]
    vectors: VectorFile
    right: Tensor
    candidates: Tensor | None


class PairTraining:
    """A training run of one recipe on pairs.

    Args:
        recipe: the settings.
        pairs: the pairs, on disk.
        folder: the folder for both sides' vectors.
        frequencies: word frequencies, for masks that prefer rare words.
    """

    def __init__(
        self,
        recipe: AttackerRecipe,
        pairs: PairFile,
        folder: Path,
        frequencies: Frequencies | None = None,
    ) -> None:
        self.recipe, self.pairs, self._frequencies = recipe, pairs, frequencies
        self.network = PairNetwork(recipe)
        self.device = torch_device(recipe.device)
        self.profiles = VectorFile(folder / "profiles.f16", len(pairs), recipe.width, self.device)
        self.texts = VectorFile(folder / "texts.f16", len(pairs.learned), recipe.width, self.device)
        self._stale = True
        self._random = np.random.default_rng(recipe.seed)

    def fit(self, resume: Path, data: str) -> Progress:
        """Run the epochs; an interrupted run continues after its last finished one.

        Args:
            resume: the file with the run's state.
            data: a text that identifies the pairs and the encoders.
        """
        recipe = self.recipe
        self.network.to(self.device)
        optimizer = torch.optim.Adam(self.network.parameters(), lr=recipe.rate)
        trainer = Trainer(
            self.network,
            self.batches,
            self.loss,
            recipe,
            optimizer,
            LambdaLR(optimizer, self._rate),
            clips=((self.network, _CLIP),),
            device=self.device,
            describe=_line,
            judge=self.judge,
            patience=recipe.patience,
        )
        return trainer.fit(resume, data)

    def batches(self, epoch: int) -> Iterator[PairBatch]:
        """Yield the batches of an epoch, each with its own random numbers, so that repeating it gives the same batches."""
        recipe, learned = self.recipe, self.pairs.learned
        self._random = np.random.default_rng((recipe.seed, epoch))
        side = recipe.side(epoch)
        if side == "text":
            self._encode_profiles()
            fixed, right = self.profiles, learned
        else:
            self._encode_texts()
            fixed, right = self.texts, np.arange(len(learned))
            self._stale = True
        negatives = self._negatives(side) if recipe.hard_negatives else None
        self.network.train()
        order = self._random.permutation(len(learned))
        for first in range(0, len(order), recipe.batch_size):
            places = order[first : first + recipe.batch_size]
            numbers = torch.from_numpy(right[places])
            candidates = None
            if negatives is not None:
                near = torch.from_numpy(negatives[places]).long().flatten()
                candidates = torch.unique(torch.cat([numbers, near]))
            yield PairBatch(side, self.pairs.read(learned[places]), fixed, numbers, candidates)

    def loss(self, batch: PairBatch) -> Tensor:
        """Return the cross entropy of the right vectors on the fixed side."""
        if batch.side == "text":
            x = self._text_vectors(batch.pairs, self.recipe.prior, self._random)
        else:
            x = self._profile_vectors(batch.pairs)
        if batch.candidates is None:
            return softmax_loss(x, batch.vectors, batch.right, self.recipe.smoothing)
        logits = x.float() @ batch.vectors.rows(batch.candidates).T
        right = torch.searchsorted(batch.candidates, batch.right).to(logits.device)
        return functional.cross_entropy(logits, right, label_smoothing=self.recipe.smoothing)

    def judge(self) -> float:
        """Return the mean reciprocal rank of the right people for the judged texts, with the same masks each time."""
        self._encode_profiles()
        random = np.random.default_rng(self.recipe.seed)
        total = 0.0
        for numbers in _parts(self.pairs.judged):
            with torch.no_grad(), mixed_precision(self.device):
                x = self._text_vectors(self.pairs.read(numbers), self.recipe.prior, random)
            total += float((1 / ranks(x.float(), self.profiles, torch.from_numpy(numbers))).sum())
        return total / len(self.pairs.judged)

    def _rate(self, step: int) -> float:
        """Return the share of the peak learning rate: each encoder warms up in its first epoch, then the rate falls."""
        steps = math.ceil(len(self.pairs.learned) / self.recipe.batch_size)
        warm = steps * (2 if self.recipe.profile_epochs else 1)
        if step < warm:
            return (step % steps + 1) / steps
        rest = max(1, self.recipe.epochs * steps - warm)
        return 1 - (1 - _LEAST_RATE) * min(1.0, (step - warm) / rest)

    def _negatives(self, side: PairSide) -> NDArray[np.int32]:
        """Return the nearest vectors on the fixed side for everyone in training, [learned, negatives]."""
        fixed = self.profiles if side == "text" else self.texts
        count = min(self.recipe.hard_negatives, fixed.count)
        near = np.zeros((len(self.pairs.learned), count), dtype=np.int32)
        first = 0
        for numbers in _parts(self.pairs.learned):
            with torch.no_grad(), mixed_precision(self.device):
                pairs = self.pairs.read(numbers)
                x = (
                    self._text_vectors(pairs, "none", self._random)
                    if side == "text"
                    else self._profile_vectors(pairs)
                )
            near[first : first + len(numbers)] = nearest(x.float(), fixed, count).cpu().numpy()
            first += len(numbers)
        return near

    def _encode_profiles(self) -> None:
        """Write everyone's vectors, unless those on disk came from the encoder as it is now."""
        if not self._stale:
            return
        self.network.eval()
        for numbers in _parts(np.arange(len(self.pairs))):
            with torch.no_grad(), mixed_precision(self.device):
                vectors = self._profile_vectors(self.pairs.read(numbers))
            _store(self.profiles, int(numbers[0]), vectors)
        self._stale = False

    def _encode_texts(self) -> None:
        self.network.eval()
        first = 0
        for numbers in _parts(self.pairs.learned):
            with torch.no_grad(), mixed_precision(self.device):
                vectors = self._text_vectors(self.pairs.read(numbers), "none", self._random)
            _store(self.texts, first, vectors)
            first += len(numbers)

    def _text_vectors(
        self, pairs: Sequence[StoredPair], prior: MaskPrior, random: np.random.Generator
    ) -> Tensor:
        side = self.network.sides["text"]
        texts = [pair.text for pair in pairs]
        if prior != "none":
            rarity = self._frequencies if prior == "idf" else None
            texts = [drawn_text(text, side.tokenizer.mask_token, random, rarity) for text in texts]
        return side.vectors(side.text_inputs(texts, _WINDOWS))

    def _profile_vectors(self, pairs: Sequence[StoredPair]) -> Tensor:
        side = self.network.sides["profile"]
        return side.vectors(side.profile_inputs([pair.profile for pair in pairs]))


def drawn_text(
    text: str, token: str, random: np.random.Generator, frequencies: Frequencies | None = None
) -> str:
    """Return a text with l of its N words masked, where l is uniform in 0..N.

    Args:
        text: any.
        token: replaces each masked word.
        random: the source of random numbers.
        frequencies: draw words one after another in proportion to their IDF in these; if None, draw
            all words alike.
    """
    document = read_words(Document("", text))
    mask = document.unmasked()
    shares = None
    if frequencies is not None and len(mask):
        # A word of every text stays possible: l may be N.
        rarity = np.maximum(frequencies.idf(document), _LEAST_IDF)
        shares = rarity / rarity.sum()
    count = random.integers(len(mask) + 1)
    mask[random.choice(len(mask), count, replace=False, p=shares)] = True
    return masked_text(document, mask, token)


def _store(file: VectorFile, first: int, vectors: Tensor) -> None:
    try:
        file.write(first, vectors)
    except OverflowError as error:
        raise ModelError(f"{error}; a lower --rate may help, or its weights are damaged") from error


def _parts(numbers: NDArray[np.int64]) -> Iterator[NDArray[np.int64]]:
    return (numbers[first : first + _AT_ONCE] for first in range(0, len(numbers), _AT_ONCE))


def _line(recipe: AttackerRecipe, epoch: int, loss: float) -> str:
    return f"epoch {epoch + 1}/{recipe.epochs} {recipe.side(epoch)} loss {loss:.4f}"


# The finished folder: both encoders in transformers' format, their heads, and a record of the run.


def train_pair(recipe: AttackerRecipe, train: Path, dev: Path | None, out: Path) -> Path:
    """Train on files of pairs, and return the folder to use with ``--attacker encoder:FOLDER``.

    An interrupted run continues after its last epoch; a finished run isn't repeated. Intermediate
    files about pairs are deleted at the end.

    Args:
        recipe: the settings.
        train: the pairs to learn from; their profiles are the candidates.
        dev: the pairs to judge epochs on, also candidates; if None, use some pairs of the first
            file.
        out: the folder for the result and for the state of an unfinished run.

    Raises:
        InputError: the pairs can't be used, or the folder has the result of other settings.
        ModelError: an encoder can't be used.
        MissingExtraError: transformers is not installed.
    """
    signature = _signature(recipe, [train, *([dev] if dev else [])])
    folder = out / "attacker"
    if finished_training(folder, signature):
        return folder
    scratch = out / "scratch"
    scratch.mkdir(parents=True, exist_ok=True)
    try:
        pairs = PairFile.write(scratch / "pairs", train, dev)
        rarity = None
        if recipe.prior == "idf":
            rarity = Frequencies.of_pairs(*(file for file in (train, dev) if file))
        training = PairTraining(recipe, pairs, scratch, rarity)
        progress = training.fit(out / "attacker.state", json.dumps(signature, sort_keys=True))
        _write(training, progress, signature, folder)
    finally:
        shutil.rmtree(scratch, ignore_errors=True)
    return folder


def _signature(recipe: AttackerRecipe, files: Sequence[Path]) -> dict[str, Any]:
    """Return what identifies a run: its settings, its pairs and the encoders' files."""
    encoders = {
        side: {
            path.name: digest(path)
            for path in sorted(checkpoint_folder(source).iterdir())
            if path.is_file()
        }
        for side, source in (("text", recipe.text), ("profile", recipe.profile))
    }
    pairs = {str(number): [path.name, digest(path)] for number, path in enumerate(files)}
    return {"recipe": _settings(recipe), "encoders": encoders, "pairs": pairs}


def _settings(recipe: AttackerRecipe) -> dict[str, Any]:
    """Return the settings without the device, since a run may continue on another one."""
    settings = asdict(recipe)
    del settings["device"]
    return settings


def _write(
    training: PairTraining, progress: Progress, signature: dict[str, Any], folder: Path
) -> None:
    """Write the folder, ``digests.json`` last, so that an interrupted write isn't taken for a complete one."""
    recipe, pairs, network = training.recipe, training.pairs, training.network
    folder.mkdir(parents=True, exist_ok=True)
    for name, side in network.sides.items():
        side.model.save_pretrained(folder / name)
        side.tokenizer.save_pretrained(folder / name)
    save_file(
        {name: value.contiguous() for name, value in network.heads.state_dict().items()},
        folder / HEADS_FILE,
    )
    config = {
        "kind": KIND,
        "width": recipe.width,
        "pooling": recipe.pooling,
        "windows": {name: side.window for name, side in network.sides.items()},
    }
    write_json(folder / CONFIG_FILE, config)
    record = {
        "signature": signature,
        "losses": progress.losses,
        "scores": progress.scores,
        "best_epoch": progress.best_epoch,
    }
    write_json(folder / TRAINING_FILE, record)
    settings = "\n".join(f"- {key}: {value}" for key, value in _settings(recipe).items())
    card = (
        f"Two encoders that re-identify people, made by `tacenda lab train attacker` from {len(pairs.learned)} texts and "
        f"{len(pairs)} profiles:\n\n{settings}\n\nOn {len(pairs.judged)} texts that nothing was learned from, under masks "
        f"by the prior, the mean reciprocal rank of their people is {progress.scores[progress.best_epoch]:.3f}.\n\n"
        "Weights of encoders may memorize their training data: share them only with people who may have the pairs."
    )
    write_description(folder, card)
