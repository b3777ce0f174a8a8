"""A BERT small enough to be trained in a test."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

from tacenda.models.store import find


class Stopped(Exception):
    """The machine went down."""


SIZES = {
    "vocab_size": 30522,
    "hidden_size": 16,
    "num_hidden_layers": 1,
    "num_attention_heads": 2,
    "intermediate_size": 32,
    "max_position_embeddings": 320,
    "layer_norm_eps": 1e-12,
}


def checkpoint(folder: Path) -> Path:
    """Write a BERT of one thin layer with the shipped tokenizer."""
    import torch
    from safetensors.torch import save_file

    folder.mkdir()
    torch.manual_seed(1)
    hidden, wide = SIZES["hidden_size"], SIZES["intermediate_size"]
    layer = "encoder.layer.0."
    shapes = {
        "embeddings.word_embeddings.weight": (SIZES["vocab_size"], hidden),
        "embeddings.position_embeddings.weight": (SIZES["max_position_embeddings"], hidden),
        "embeddings.token_type_embeddings.weight": (2, hidden),
    }
    linear = {f"attention.self.{x}": (hidden, hidden) for x in ("query", "key", "value")}
    linear |= {"attention.output.dense": (hidden, hidden), "intermediate.dense": (wide, hidden)}
    for name, size in (linear | {"output.dense": (hidden, wide)}).items():
        shapes |= {f"{layer}{name}.weight": size, f"{layer}{name}.bias": (size[0],)}
    weights = {name: 0.02 * torch.randn(size) for name, size in shapes.items()}
    for norm in ("embeddings", f"{layer}attention.output", f"{layer}output"):
        weights[f"{norm}.LayerNorm.weight"] = torch.ones(hidden)
        weights[f"{norm}.LayerNorm.bias"] = torch.zeros(hidden)
    save_file(weights, folder / "model.safetensors")
    (folder / "config.json").write_text(json.dumps(SIZES), encoding="utf-8")
    shutil.copy(find("attacker-en").folder / "tokenizer.json", folder)
    return folder
