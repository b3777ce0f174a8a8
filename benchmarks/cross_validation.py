"""Masks of five-fold cross-validation: each judgment sanitized by the student that never saw it.

    python -m benchmarks cross_validation DATA WORK > masks.json
    tacenda evaluate masks DATA/tab/train.json masks.json

WORK is the working folder of `tacenda lab train recognizer`. Calibration and threshold are those of
the shipped model; the folds' students had no teacher, so that no label of an unseen document
reached them by any way.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from pathlib import Path

from benchmarks.sets import boxed
from tacenda.document import Document
from tacenda.models.store import digest, find
from tacenda.pipeline import load


def main(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("data", type=Path)
    parser.add_argument("work", type=Path)
    arguments = parser.parse_args()
    data, work = arguments.data, arguments.work
    documents = json.loads((data / "tab/train.json").read_text(encoding="utf-8"))
    texts = {document["doc_id"]: document["text"] for document in documents}
    masks: dict[str, list[tuple[int, int]]] = {}
    for fold in sorted(work.glob("fold-*")):
        unseen = json.loads((fold / "unseen.json").read_text(encoding="utf-8"))
        with tempfile.TemporaryDirectory() as folder:
            sanitizer = load(boxed(), model=_calibrated(fold, Path(folder)))
            results = sanitizer.pipe(Document(id, texts[id]) for id in unseen)
            for result in results:
                masks[result.document.id] = [
                    (item.original.start, item.original.end) for item in result.replacements
                ]
        print(f"{fold.name}: {len(unseen)} documents", file=sys.stderr)
    json.dump(masks, sys.stdout)


def _calibrated(fold: Path, folder: Path) -> Path:
    """Return the fold's model with the calibration and the threshold of the shipped one."""
    for name in ("model.onnx", "tokenizer.json"):
        (folder / name).symlink_to((fold / name).resolve())
    (folder / "config.json").write_bytes((find().folder / "config.json").read_bytes())
    digests = {
        name: digest(folder / name) for name in ("model.onnx", "tokenizer.json", "config.json")
    }
    (folder / "digests.json").write_text(json.dumps(digests), encoding="utf-8")
    return folder
