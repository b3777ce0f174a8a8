"""A small BERT encoder with features of case, as a torch module.

Written out rather than taken from a model library: the exporter (``onnx.py``) writes the same
equations as an ONNX graph, and the two must be read side by side.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from pathlib import Path

import torch
from safetensors.torch import load_file, save_file
from torch import Tensor, nn
from torch.nn import functional

from tacenda.models.calibration import BIO_LABELS
from tacenda.models.encoding import WordShape

_WEIGHTS = "recognizer.safetensors"


@dataclass(frozen=True, slots=True)
class Architecture:
    """Sizes of a BERT encoder, named as in its ``config.json``."""

    vocab_size: int
    hidden_size: int
    num_hidden_layers: int
    num_attention_heads: int
    intermediate_size: int
    max_position_embeddings: int
    layer_norm_eps: float
    shapes: int = len(WordShape)

    @classmethod
    def from_file(cls, path: Path) -> Architecture:
        """Read the fields from a ``config.json``; others are ignored."""
        config = json.loads(path.read_text(encoding="utf-8"))
        return cls(**{name: config[name] for name in cls.__dataclass_fields__ if name in config})


class FeatureDropout(nn.Module):
    """Dropout of whole features: in training, one draw for each text instead of one for each subword.

    It keeps a network from learning its texts by heart as dropout does, and on a processor costs next to nothing.
    """

    def __init__(self) -> None:
        super().__init__()
        self.share = 0.0

    def forward(self, x: Tensor) -> Tensor:
        """Map hidden states [batch, length, hidden]."""
        if not (self.training and self.share):
            return x
        kept = torch.empty(len(x), 1, x.shape[-1], dtype=x.dtype, device=x.device)
        return x * kept.bernoulli_(1 - self.share).div_(1 - self.share)


class Layer(nn.Module):
    """One post-norm transformer layer."""

    def __init__(self, architecture: Architecture) -> None:
        super().__init__()
        hidden_size = architecture.hidden_size
        self.heads = architecture.num_attention_heads
        self.query_key_value = nn.Linear(hidden_size, 3 * hidden_size)
        self.attention_output = nn.Linear(hidden_size, hidden_size)
        self.attention_norm = nn.LayerNorm(hidden_size, architecture.layer_norm_eps)
        self.intermediate = nn.Linear(hidden_size, architecture.intermediate_size)
        self.output = nn.Linear(architecture.intermediate_size, hidden_size)
        self.output_norm = nn.LayerNorm(hidden_size, architecture.layer_norm_eps)
        self.dropout = FeatureDropout()

    def forward(self, x: Tensor, mask: Tensor) -> Tensor:
        """Map hidden states [batch, length, hidden]; ``mask`` is True where a token may be seen."""
        batch, length, hidden_size = x.shape
        query, key, value = (
            part.view(batch, length, self.heads, -1).transpose(1, 2)
            for part in self.query_key_value(x).chunk(3, dim=-1)
        )
        context = functional.scaled_dot_product_attention(query, key, value, attn_mask=mask)
        context = context.transpose(1, 2).reshape(batch, length, hidden_size)
        x = self.attention_norm(x + self.dropout(self.attention_output(context)))
        change = self.output(functional.gelu(self.intermediate(x)))
        return self.output_norm(x + self.dropout(change))


class Encoder(nn.Module):
    """Subwords and shapes to hidden states."""

    def __init__(self, architecture: Architecture) -> None:
        super().__init__()
        self.architecture = architecture
        hidden_size = architecture.hidden_size
        self.word_embedding = nn.Embedding(architecture.vocab_size, hidden_size)
        self.position_embedding = nn.Embedding(architecture.max_position_embeddings, hidden_size)
        self.shape_embedding = nn.Embedding(architecture.shapes, hidden_size)
        nn.init.normal_(self.shape_embedding.weight, std=0.02)
        self.embedding_norm = nn.LayerNorm(hidden_size, architecture.layer_norm_eps)
        self.layers = nn.ModuleList(
            Layer(architecture) for _ in range(architecture.num_hidden_layers)
        )

    def forward(self, ids: Tensor, shapes: Tensor, mask: Tensor) -> Tensor:
        """Return the last hidden states [batch, length, hidden] of int64 ids [batch, length]."""
        positions = torch.arange(ids.shape[1], device=ids.device)
        x = self.word_embedding(ids) + self.position_embedding(positions)
        x = self.embedding_norm(x + self.shape_embedding(shapes))
        attention = mask[:, None, None, :]
        for layer in self.layers:
            x = layer(x, attention)
        return x

    @classmethod
    def from_bert(cls, directory: Path) -> Encoder:
        """Start from the encoder of a BERT checkpoint (``config.json``, ``model.safetensors``)."""
        model = cls(Architecture.from_file(directory / "config.json"))
        source = load_file(directory / "model.safetensors")
        source = {name.removeprefix("bert."): value for name, value in source.items()}
        with torch.no_grad():
            # The segment embedding of a single text is a constant: fold it into the positions.
            segment = source["embeddings.token_type_embeddings.weight"][0]
            model.word_embedding.weight.copy_(source["embeddings.word_embeddings.weight"])
            model.position_embedding.weight.copy_(
                source["embeddings.position_embeddings.weight"] + segment
            )
            _copy(model.embedding_norm, source, "embeddings.LayerNorm")
            for index, layer in enumerate(model.layers):
                prefix = f"encoder.layer.{index}."
                for part in ("weight", "bias"):
                    names = (
                        f"{prefix}attention.self.{x}.{part}" for x in ("query", "key", "value")
                    )
                    tensor = torch.cat([source[name] for name in names])
                    getattr(layer.query_key_value, part).copy_(tensor)
                for module, name in (
                    (layer.attention_output, "attention.output.dense"),
                    (layer.attention_norm, "attention.output.LayerNorm"),
                    (layer.intermediate, "intermediate.dense"),
                    (layer.output, "output.dense"),
                    (layer.output_norm, "output.LayerNorm"),
                ):
                    _copy(module, source, f"{prefix}{name}")
        return model


def _copy(module: nn.Linear | nn.LayerNorm, source: dict[str, Tensor], prefix: str) -> None:
    module.weight.copy_(source[f"{prefix}.weight"])
    module.bias.copy_(source[f"{prefix}.bias"])


# The recognizer as a torch module: the encoder and two heads.


class Recognizer(nn.Module):
    """Subwords and shapes to BIO logits over the semantic types and masking logits."""

    def __init__(self, encoder: Encoder) -> None:
        super().__init__()
        self.encoder = encoder
        hidden_size = encoder.architecture.hidden_size
        self.type_head = nn.Linear(hidden_size, len(BIO_LABELS))
        self.mask_head = nn.Linear(hidden_size, 3)
        self.head_dropout = nn.Dropout(0.1)

    def forward(self, ids: Tensor, shapes: Tensor, mask: Tensor) -> tuple[Tensor, Tensor]:
        """Return logits [batch, length, 17] and [batch, length, 3]."""
        # Dropout inside the encoder would forgo the fused attention kernels on a CPU.
        x = self.head_dropout(self.encoder(ids, shapes, mask))
        return self.type_head(x), self.mask_head(x)

    def head_parameters(self) -> Iterator[nn.Parameter]:
        """Yield the weights that no checkpoint has: of both heads, and of the shapes."""
        yield from self.type_head.parameters()
        yield from self.mask_head.parameters()
        yield self.encoder.shape_embedding.weight

    @classmethod
    def begun(cls, encoder: Callable[[], Encoder], seed: int) -> Recognizer:
        """Return a network with new weights drawn from ``seed``, independently of earlier draws.

        Args:
            encoder: makes the encoder, possibly with drawn weights, too.
            seed: of torch's random numbers.
        """
        torch.manual_seed(seed)
        return cls(encoder())

    def save(self, directory: Path) -> None:
        """Write ``config.json`` and ``recognizer.safetensors``."""
        directory.mkdir(parents=True, exist_ok=True)
        config = json.dumps(asdict(self.encoder.architecture), indent=2)
        (directory / "config.json").write_text(config, encoding="utf-8")
        save_file(self.state_dict(), directory / _WEIGHTS)

    @staticmethod
    def is_saved(directory: Path) -> bool:
        """Tell whether a folder has a network of ``save``."""
        return (directory / _WEIGHTS).exists()

    @classmethod
    def load(cls, directory: Path) -> Recognizer:
        """Read a network from a folder of ``save``."""
        model = cls(Encoder(Architecture.from_file(directory / "config.json")))
        model.load_state_dict(load_file(directory / _WEIGHTS))
        return model
