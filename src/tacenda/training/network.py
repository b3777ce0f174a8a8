"""The recognizer as a torch module: the encoder and two heads."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path

import torch
from safetensors.torch import load_file, save_file
from torch import Tensor, nn

from ..models.calibration import BIO_LABELS
from .encoder import Architecture, Encoder


class Recognizer(nn.Module):
    """Subwords and shapes to BIO logits over the semantic types and masking logits."""

    def __init__(self, encoder: Encoder) -> None:
        super().__init__()
        self.encoder = encoder
        hidden = encoder.architecture.hidden_size
        self.type_head = nn.Linear(hidden, len(BIO_LABELS))
        self.mask_head = nn.Linear(hidden, 3)
        self.head_dropout = nn.Dropout(0.1)

    def forward(self, ids: Tensor, shapes: Tensor, mask: Tensor) -> tuple[Tensor, Tensor]:
        """Return logits [batch, length, 17] and [batch, length, 3]."""
        # Dropout inside the encoder would forgo the fused attention kernels on a CPU.
        x = self.head_dropout(self.encoder(ids, shapes, mask))
        return self.type_head(x), self.mask_head(x)

    @classmethod
    def begun(cls, encoder: Callable[[], Encoder], seed: int) -> Recognizer:
        """Return a network whose new weights are drawn from ``seed``, whatever ran before.

        Args:
            encoder: makes the encoder, of which a part may be drawn, too.
            seed: of torch's random numbers.
        """
        torch.manual_seed(seed)
        return cls(encoder())

    def save(self, directory: Path) -> None:
        """Write ``config.json`` and ``recognizer.safetensors``."""
        directory.mkdir(parents=True, exist_ok=True)
        config = json.dumps(asdict(self.encoder.architecture), indent=2)
        (directory / "config.json").write_text(config, encoding="utf-8")
        save_file(self.state_dict(), directory / "recognizer.safetensors")

    @classmethod
    def load(cls, directory: Path) -> Recognizer:
        """Read what ``save`` wrote."""
        model = cls(Encoder(Architecture.from_file(directory / "config.json")))
        model.load_state_dict(load_file(directory / "recognizer.safetensors"))
        return model
