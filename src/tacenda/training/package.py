"""A trained recognizer written as the folder that ``models/recognizer.py`` reads."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path
from typing import Any

from tokenizers import Tokenizer

from ..models.calibration import BIO_LABELS, Calibration
from ..models.store import digest
from .export import export
from .network import Recognizer
from .quantization import Products

WINDOW = 254
# A fifth less work than with 48, and no worse.
OVERLAP = 32


def write_package(
    model: Recognizer,
    tokenizer: Path,
    calibration: Calibration,
    threshold: float,
    folder: Path,
    window: int = WINDOW,
    below: Products | None = None,
) -> None:
    """Write ``model.onnx``, ``tokenizer.json``, ``config.json`` and ``digests.json``.

    Args:
        model: the network.
        tokenizer: of its encoder.
        calibration: from its confidence to probabilities.
        threshold: the default masking threshold.
        folder: where to.
        window: how many subwords it reads at a time.
        below: how the matrices below the shapes are stored; see ``export``.
    """
    folder.mkdir(parents=True, exist_ok=True)
    model.eval()
    export(model, folder / "model.onnx", below=below)
    pieces = Tokenizer.from_file(str(tokenizer))
    pieces.no_truncation()
    pieces.no_padding()
    pieces.save(str(folder / "tokenizer.json"), pretty=False)
    config = {
        "labels": BIO_LABELS,
        "window": window,
        "overlap": OVERLAP,
        "threshold": threshold,
        "calibration": asdict(calibration),
    }
    _write_config(folder, config)


def set_calibration(folder: Path, calibration: Calibration) -> None:
    """Give a written package other curves; the graph stays."""
    config = json.loads((folder / "config.json").read_text(encoding="utf-8"))
    _write_config(folder, config | {"calibration": asdict(calibration)})


def _write_config(folder: Path, config: dict[str, Any]) -> None:
    (folder / "config.json").write_text(json.dumps(config, indent=1) + "\n", encoding="utf-8")
    names = ("model.onnx", "tokenizer.json", "config.json")
    digests = {name: digest(folder / name) for name in names}
    (folder / "digests.json").write_text(json.dumps(digests, indent=1) + "\n", encoding="utf-8")
