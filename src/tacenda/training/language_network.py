"""The masked language model as a torch module: the encoder, and a head tied to its words."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path

import torch
from safetensors.torch import load_file, save_file
from torch import Tensor, nn
from torch.nn import functional

from .encoder import Architecture, Encoder


class LanguageModel(nn.Module):
    """Subwords, some of them masked, to what could stand there (BERT's head, tied embeddings)."""

    def __init__(self, encoder: Encoder) -> None:
        super().__init__()
        self.encoder = encoder
        # What is masked must not show its shape, and what is not has it in its letters.
        nn.init.zeros_(encoder.shape_embedding.weight)
        encoder.shape_embedding.requires_grad_(False)
        hidden = encoder.architecture.hidden_size
        self.transform = nn.Linear(hidden, hidden)
        self.norm = nn.LayerNorm(hidden, encoder.architecture.layer_norm_eps)
        self.bias = nn.Parameter(torch.zeros(encoder.architecture.vocab_size))

    def forward(self, ids: Tensor, mask: Tensor, wanted: Tensor) -> Tensor:
        """Return logits [n, vocabulary] at ``wanted``, n indices into [batch * length]."""
        hidden = self.encoder(ids, torch.zeros_like(ids), mask)
        x = hidden.reshape(-1, hidden.shape[-1])[wanted]
        x = self.norm(functional.gelu(self.transform(x)))
        return functional.linear(x, self.encoder.word_embedding.weight, self.bias)

    def save(self, directory: Path) -> None:
        """Write ``config.json`` and ``language.safetensors``."""
        directory.mkdir(parents=True, exist_ok=True)
        config = json.dumps(asdict(self.encoder.architecture), indent=2)
        (directory / "config.json").write_text(config, encoding="utf-8")
        save_file(self.state_dict(), directory / "language.safetensors")

    @classmethod
    def load(cls, directory: Path) -> LanguageModel:
        """Read what ``save`` wrote."""
        model = cls(Encoder(Architecture.from_file(directory / "config.json")))
        model.load_state_dict(load_file(directory / "language.safetensors"))
        return model
