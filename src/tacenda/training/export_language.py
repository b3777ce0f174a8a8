"""The trained language model as an ONNX graph with int8 weights.

The words are stored once: the head multiplies with the table that the words are looked up in.
"""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
from tokenizers import Tokenizer

from ..models.store import digest
from .export import hidden_states, layer_norm
from .graph import FUSED, Graph
from .language_network import LanguageModel
from .quantization import Int8


def export_language_model(model: LanguageModel, path: Path) -> None:
    """Write ``model`` to ``path``.

    Inputs: ``ids`` int64 and ``mask`` int32 [batch, length]; ``wanted`` int64 [n], indices into
    [batch * length]. Output: ``logits`` float32 [n, vocabulary].
    """
    graph = Graph()
    products = Int8()
    x = hidden_states(graph, model.encoder, products)
    x = graph.add("Gather", [x, "wanted"])
    x = graph.add(
        "Gemm",
        [
            x,
            graph.floats("transform.weight", model.transform.weight),
            graph.floats("transform.bias", model.transform.bias),
        ],
        transB=1,
    )
    x = layer_norm(graph, "head.norm", graph.add("Gelu", [x]), model.norm)
    rows, scale = products.prepare(graph, x)
    # The table of words, int8 [vocabulary, hidden], turned when the graph is loaded.
    table = graph.add("Transpose", [graph.named("words")], perm=[1, 0])
    word_scale = graph.add(
        "Reshape", [graph.named("words.scale"), graph.constant("flat", np.array([-1]))]
    )
    inputs = [
        rows,
        table,
        graph.constant("one", np.float32(1.0)),
        word_scale,
        graph.constant("middle_scalar", np.uint8(128)),
    ]
    product = graph.add("Mul", [graph.add("MatMulIntegerToFloat", inputs, FUSED), scale])
    graph.output(graph.add("Add", [product, graph.floats("head.bias", model.bias)]), "logits")
    graph.write(
        path,
        "language",
        {"ids": ("batch", "length"), "mask": ("batch", "length"), "wanted": ("n",)},
        {"logits": ("n", model.encoder.architecture.vocab_size)},
    )


def write_language_package(
    model: LanguageModel, tokenizer: Path, window: int, folder: Path
) -> None:
    """Write ``model.onnx``, ``tokenizer.json``, ``config.json`` and ``digests.json``."""
    folder.mkdir(parents=True, exist_ok=True)
    model.eval()
    export_language_model(model, folder / "model.onnx")
    pieces = Tokenizer.from_file(str(tokenizer))
    pieces.no_truncation()
    pieces.no_padding()
    pieces.save(str(folder / "tokenizer.json"), pretty=False)
    config = json.dumps({"kind": "language", "window": window}, indent=1) + "\n"
    (folder / "config.json").write_text(config, encoding="utf-8")
    names = ("model.onnx", "tokenizer.json", "config.json")
    digests = {name: digest(folder / name) for name in names}
    (folder / "digests.json").write_text(json.dumps(digests, indent=1) + "\n", encoding="utf-8")
