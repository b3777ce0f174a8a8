"""The training loop of the masked language model, and its perplexity."""

from __future__ import annotations

import math
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from torch import Tensor
from torch.nn import functional

from ..models.encoding import Encoding, TextEncoder
from .checkpoint import Checkpoint
from .language_batch import Batch, hide, window
from .language_loss import sampled_cross_entropy
from .language_network import LanguageModel
from .language_optimizer import LanguageOptimizer
from .precision import device_at_hand, mixed_precision


@dataclass(frozen=True, slots=True)
class LanguageSchedule:
    """What a run needs to be repeated.

    Attributes:
        alone: of the steps, the first, in which only the neighbours are looked at.
        faster: what the learning rate is multiplied with after those.
        warmup: steps in which the rate rises; in the last ``cooldown`` steps it falls to 0.
        share: of the subwords that is hidden.
        sample: draws of words to compare with, for each batch.
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

    def factor(self, step: int) -> float:
        """Return what the learning rate is multiplied with."""
        factor = max(0.0, min((step + 1) / self.warmup, 1.0, (self.steps - step) / self.cooldown))
        return factor * (self.faster if step >= self.alone else 1.0)


def word_chances(encodings: Sequence[Encoding], vocabulary: int) -> Tensor:
    """Return how often each subword stands in the texts, float32 [vocabulary], sums to 1."""
    counts = np.bincount(np.concatenate([e.ids for e in encodings]), minlength=vocabulary) + 0.3
    return torch.from_numpy(counts / counts.sum()).float()


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
    words = model.words.weight
    others = [p for p in model.parameters() if p is not words]
    optimizer = LanguageOptimizer(words, others, schedule.rate, schedule.weight_decay)
    scheduler = torch.optim.lr_scheduler.LambdaLR(optimizer.dense, schedule.factor)
    signature = f"{schedule} {len(encodings)} {sum(map(len, encodings))}"
    checkpoint = Checkpoint(resume, signature) if resume else None
    done = checkpoint.restore(model, optimizer, scheduler) if checkpoint else 0
    lengths = np.array([len(encoding) for encoding in encodings], dtype=np.float64)
    # Less for the frequent words than they are, as is usual: rare ones need the contrast.
    chances = word_chances(encodings, model.bias.numel()) ** 0.75
    chances = (chances / chances.sum()).to(device)
    for block in range(done, -(-schedule.steps // schedule.block)):
        # A block draws by its own number, so that a run that goes on sees what it would have.
        random = np.random.default_rng([schedule.seed, block])
        torch.manual_seed(schedule.seed * 1_000_003 + block)
        began, total = time.perf_counter(), 0.0
        for step in range(block * schedule.block, (block + 1) * schedule.block):
            chosen = random.choice(
                len(encodings), schedule.batch_size, p=lengths / lengths.sum(), replace=True
            )
            parts = [window(encodings[i], schedule.window, random) for i in chosen]
            batch = hide(parts, encoder, schedule.share, random, device)
            drawn = torch.multinomial(chances, schedule.sample, replacement=True)
            # The words of this batch, the padding first, as a table of their own.
            used, places = torch.unique(
                torch.cat([batch.ids.flatten(), batch.targets, drawn, drawn.new_zeros(1)]),
                return_inverse=True,
            )
            table = words.detach()[used].requires_grad_()
            ids, targets, sample, _ = places.split(
                [batch.ids.numel(), len(batch.targets), len(drawn), 1]
            )
            with mixed_precision(device):
                states = model.states(
                    ids.view(batch.ids.shape),
                    batch.mask,
                    batch.wanted,
                    table,
                    step < schedule.alone,
                )
                loss = sampled_cross_entropy(
                    states, table, model.bias[used], targets, sample, chances[used]
                )
            loss.backward()
            optimizer.step(used, table)
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


def perplexity(model: LanguageModel, batches: Sequence[Batch]) -> float:
    """Return exp of the mean of −log p of what is masked in batches of unseen documents."""
    device = device_at_hand()
    model.to(device).eval()
    total, count = 0.0, 0
    with torch.inference_mode():
        for batch in batches:
            logits = model(*(part.to(device) for part in (batch.ids, batch.mask, batch.wanted)))
            targets = batch.targets.to(device)
            total += float(functional.cross_entropy(logits.float(), targets, reduction="sum"))
            count += len(targets)
    model.cpu()
    return math.exp(total / count)
