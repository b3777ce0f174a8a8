"""A token classifier of transformers as an ONNX graph, where the graph says what the network says."""

from __future__ import annotations

import warnings
from pathlib import Path
from typing import Any

import numpy as np
import torch

from tacenda.models.checkpoint import position_limit
from tacenda.models.session import open_session
from tacenda.models.token_classifier import classifier_inputs

_LENGTHS = (32, 16, 112, 480)
"""Lengths of the inputs on which graph and network are compared; the first one is traced."""
_TOLERANCE = 1e-3


def export_onnx(model: Any, path: Path) -> str:
    """Write the graph, and compare it with the network on inputs of several lengths.

    Args:
        model: of transformers, on the processor.
        path: of the file; there is none where the export fails.

    Returns:
        Why there is none; empty if there is.
    """
    names = ("input_ids", "attention_mask")
    limit = position_limit(model.config, max(_LENGTHS))
    inputs = [_inputs(model, min(length, limit)) for length in _LENGTHS]
    if any(set(item) != set(names) for item in inputs):
        return "attention that is local in places is traced for one length only"
    axes = {name: {0: "batch", 1: "length"} for name in (*names, "logits")}
    try:
        with warnings.catch_warnings(), torch.no_grad():
            warnings.simplefilter("ignore")
            torch.onnx.export(
                model.eval(),
                (),
                str(path),
                kwargs=inputs[0],
                input_names=list(names),
                output_names=["logits"],
                dynamic_axes=axes,
                dynamo=False,
            )
            session = open_session(path, single_thread=False)
            for item in inputs:
                expected = model(**item).logits.numpy()
                (logits,) = session.run(None, {name: item[name].numpy() for name in names})
                seen = item["attention_mask"].numpy() > 0
                if np.abs(expected - logits)[seen].max() > _TOLERANCE:
                    raise ValueError("the graph and the network give different results")
    except (
        Exception
    ) as error:  # Whatever an exporter fails with, the folder is whole without the graph.
        path.unlink(missing_ok=True)
        return f"{type(error).__name__}: {str(error).partition(chr(10))[0][:200]}"
    return ""


def _inputs(model: Any, length: int) -> dict[str, Any]:
    """Return two rows of drawn ids, the second one with padding."""
    random = torch.Generator().manual_seed(length)
    ids = torch.randint(0, model.config.vocab_size, (2, length), generator=random)
    mask = torch.ones_like(ids)
    mask[1, length // 2 :] = 0
    return dict(classifier_inputs(model, ids, mask))
