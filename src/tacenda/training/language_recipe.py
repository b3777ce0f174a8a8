"""How the shipped masked language model is made: BERT's task on unlabelled texts of the domain.

Documents of development splits are left out, and one in fifty of the others is held out for the
perplexity in the card.
"""

from __future__ import annotations

import gzip
import json
import math
import sys
import time
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from torch.nn import functional

from ..detect.encoding import Encoding, TextEncoder
from .checkpoint import Checkpoint
from .encoder import Encoder
from .language_network import LanguageModel
from .masking import masked_places
from .precision import device_at_hand, mixed_precision

_HELD_OUT = 50


@dataclass(frozen=True, slots=True)
class LanguageSchedule:
    """What a run needs to be repeated; ``block`` steps lie between two checkpoints."""

    steps: int = 12_000
    batch_size: int = 16
    window: int = 254
    rate: float = 4e-4
    weight_decay: float = 0.01
    warmup: float = 0.06
    share: float = 0.2
    block: int = 200
    seed: int = 1


def read_texts(data: Path) -> dict[str, str]:
    """Return judgments and articles by name, without those of development splits."""
    left_out = {item["doc_id"] for item in _json(data / "tab/dev.json")}
    left_out |= {item["doc_id"] for item in _json(data / "wiki/wikireplace_dev.json")}
    texts: dict[str, str] = {}
    for name in ("echr_judgments.json.gz", "wiki553_article_bodies.json.gz"):
        with gzip.open(data / "background" / name, "rt", encoding="utf-8") as file:
            texts |= json.load(file)
    return {name: text for name, text in texts.items() if name not in left_out}


def split(names: Collection[str]) -> tuple[list[str], list[str]]:
    """Return (seen, held out) names; every fiftieth in order of the alphabet is held out."""
    order = sorted(names)
    return [name for i, name in enumerate(order) if i % _HELD_OUT], order[::_HELD_OUT]


def train_language_model(
    model: LanguageModel,
    encodings: Sequence[Encoding],
    encoder: TextEncoder,
    schedule: LanguageSchedule,
    resume: Path | None = None,
) -> None:
    """Fit ``model`` in place to predict masked spans; prints one line a block of steps."""
    device = device_at_hand()
    model.to(device).train()
    torch.manual_seed(schedule.seed)
    parameters = [p for p in model.parameters() if p.requires_grad]
    optimizer = torch.optim.AdamW(
        parameters, lr=schedule.rate, weight_decay=schedule.weight_decay, fused=True
    )
    warmup = max(1, round(schedule.steps * schedule.warmup))
    scheduler = torch.optim.lr_scheduler.LambdaLR(
        optimizer,
        lambda step: min((step + 1) / warmup, max(0.0, (schedule.steps - step) / schedule.steps)),
    )
    signature = f"{schedule} {len(encodings)} {sum(map(len, encodings))}"
    checkpoint = Checkpoint(resume, signature) if resume else None
    done = checkpoint.restore(model, optimizer, scheduler) if checkpoint else 0
    lengths = np.array([len(encoding) for encoding in encodings], dtype=np.float64)
    for block in range(done, -(-schedule.steps // schedule.block)):
        # A block draws by its own number, so that a run that goes on sees what it would have.
        random = np.random.default_rng([schedule.seed, block])
        began, total = time.perf_counter(), 0.0
        for _ in range(schedule.block):
            chosen = random.choice(
                len(encodings), schedule.batch_size, p=lengths / lengths.sum(), replace=True
            )
            parts = [_window(encodings[i], schedule.window, random) for i in chosen]
            with mixed_precision(device):
                loss = batch_loss(model, parts, encoder, schedule.share, random, device)
            optimizer.zero_grad(set_to_none=True)
            loss.backward()
            torch.nn.utils.clip_grad_norm_(parameters, 1.0)
            optimizer.step()
            scheduler.step()
            total += float(loss.detach())
        mean = total / schedule.block
        print(
            f"step {(block + 1) * schedule.block}/{schedule.steps} loss {mean:.3f} "
            f"perplexity {math.exp(mean):.1f} {time.perf_counter() - began:.0f}s",
            file=sys.stderr,
            flush=True,
        )
        if checkpoint:
            checkpoint.save(model, optimizer, scheduler, block + 1)
    if checkpoint:
        checkpoint.discard()
    model.cpu().eval()


def perplexity(
    model: LanguageModel, encodings: Sequence[Encoding], encoder: TextEncoder, windows: int = 200
) -> float:
    """Return exp of the mean of −log p of masked subwords, over windows of unseen documents."""
    random = np.random.default_rng(7)
    device = device_at_hand()
    model.to(device).eval()
    losses = []
    with torch.inference_mode():
        for number in range(windows):
            part = _window(encodings[number % len(encodings)], 254, random)
            losses.append(float(batch_loss(model, [part], encoder, 0.15, random, device)))
    model.cpu()
    return math.exp(sum(losses) / len(losses))


# The ids of a window and the words that they belong to.
_Part = tuple[np.ndarray, np.ndarray]


def _window(encoding: Encoding, size: int, random: np.random.Generator) -> _Part:
    start = int(random.integers(0, max(1, len(encoding) - size + 1)))
    return encoding.ids[start : start + size], encoding.words[start : start + size]


def batch_loss(
    model: LanguageModel,
    parts: Sequence[_Part],
    encoder: TextEncoder,
    share: float,
    random: np.random.Generator,
    device: torch.device,
) -> torch.Tensor:
    """Return the mean cross entropy of the subwords that were masked."""
    length = 2 + max(len(ids) for ids, _ in parts)
    ids = np.full((len(parts), length), encoder.pad_id, dtype=np.int64)
    mask = np.zeros((len(parts), length), dtype=bool)
    hidden = np.zeros((len(parts), length), dtype=bool)
    for row, (pieces, words) in enumerate(parts):
        n = len(pieces)
        ids[row, 0], ids[row, n + 1] = encoder.cls_id, encoder.sep_id
        ids[row, 1 : n + 1] = pieces
        mask[row, : n + 2] = True
        hidden[row, 1 : n + 1] = masked_places(words, share, random)
    targets = torch.from_numpy(ids[hidden]).to(device)
    ids[hidden] = encoder.mask_id
    (wanted,) = np.nonzero(hidden.reshape(-1))
    inputs = (torch.from_numpy(part).to(device) for part in (ids, mask, wanted))
    return functional.cross_entropy(model(*inputs).float(), targets)


def _json(path: Path) -> list[dict[str, str]]:
    loaded: list[dict[str, str]] = json.loads(path.read_text(encoding="utf-8"))
    return loaded


def train_shipped_model(data: Path, work: Path, encoder_folder: Path) -> Path:
    """Run the recipe and return the folder with the finished model and its card.

    Args:
        data: the data folder.
        work: where the state of an unfinished run lies, and the result.
        encoder_folder: BERT checkpoint to start from.
    """
    from .export_language import write_language_package

    encoder = TextEncoder.from_file(encoder_folder / "tokenizer.json")
    texts = read_texts(data)
    seen, held_out = split(texts)
    model = LanguageModel(Encoder.from_bert(encoder_folder))
    schedule = LanguageSchedule()
    encodings = [encoder.encode(texts[name]) for name in seen]
    train_language_model(model, encodings, encoder, schedule, work / "language.state")
    folder = work / "language-en"
    write_language_package(model, encoder_folder / "tokenizer.json", schedule.window, folder)
    unseen = perplexity(model, [encoder.encode(texts[name]) for name in held_out], encoder)
    (folder / "CARD.md").write_text(
        f"# {folder.name}\n\nMasked language model, int8. {schedule.steps} steps on {len(seen)} "
        f"judgments and articles; perplexity {unseen:.1f} on {len(held_out)} held-out ones, 15 % of "
        "the subwords hidden in runs of whole words. Made by `tacenda train language-model`.\n",
        encoding="utf-8",
    )
    return folder
