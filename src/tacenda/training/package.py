"""A trained recognizer written as the folder that ``models/recognizer.py`` reads."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path

from tokenizers import Tokenizer

from ..detect.calibration import Calibration
from ..detect.labels import BIO_LABELS
from ..models.store import digest
from .export import export
from .network import Recognizer

WINDOW = 254
# A fifth less work than with 48, and no worse.
OVERLAP = 32


def write_package(
    model: Recognizer, tokenizer: Path, calibration: Calibration, threshold: float, folder: Path
) -> None:
    """Write ``model.onnx``, ``tokenizer.json``, ``config.json`` and ``digests.json``."""
    folder.mkdir(parents=True, exist_ok=True)
    model.eval()
    export(model, folder / "model.onnx")
    pieces = Tokenizer.from_file(str(tokenizer))
    pieces.no_truncation()
    pieces.no_padding()
    pieces.save(str(folder / "tokenizer.json"), pretty=False)
    config = {
        "labels": BIO_LABELS,
        "window": WINDOW,
        "overlap": OVERLAP,
        "threshold": threshold,
        "calibration": asdict(calibration),
    }
    (folder / "config.json").write_text(json.dumps(config, indent=1) + "\n", encoding="utf-8")
    names = ("model.onnx", "tokenizer.json", "config.json")
    digests = {name: digest(folder / name) for name in names}
    (folder / "digests.json").write_text(json.dumps(digests, indent=1) + "\n", encoding="utf-8")
