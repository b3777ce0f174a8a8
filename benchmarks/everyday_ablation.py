"""What each source brings to the expert of everyday text: trained anew without it, with intervals.

    python benchmarks/everyday_ablation.py DATA WORK            # a row is some minutes of two cores
    python benchmarks/everyday_ablation.py DATA WORK --share .25 --only innocent,descriptions

One epoch on a share of the documents, beginning with the shipped expert of formal prose; the same for every row,
so rows can be compared with one another, not with the shipped model. Each is calibrated on the same documents kept
back. Counted as by ``everyday.py``; differences to the first row are of the same documents, 95 % by bootstrap.
Judgments and biographies are read by the other expert and have no part in this. Rows that are done are not repeated.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import astuple, replace
from pathlib import Path
from typing import Any

import numpy as np
from everyday import count
from numpy.typing import NDArray
from sets import EVERYDAY, boxed, command_line

from tacenda import load
from tacenda.models.calibration import Calibration
from tacenda.models.networks import RecognizerModel
from tacenda.models.store import ShippedModel, find
from tacenda_lab.train.corpus import records
from tacenda_lab.train.everyday import SOURCES, Mixture, softened
from tacenda_lab.train.experts import share_embeddings
from tacenda_lab.train.onnx import dequantize, set_calibration, write_package
from tacenda_lab.train.recognizer import THRESHOLD, recalibrated
from tacenda_lab.train.recognizer_batches import Schedule, train

GROUPS: Mapping[str, tuple[str, ...]] = {
    "nothing": (),
    "innocent": ("innocent/",),
    "names": (
        "labelled/gum_",
        "labelled/web_email_",
        "labelled/finance_",
        "labelled/defence_",
        "labelled/bookings_",
    ),
    "complete": ("labelled/chat_", "labelled/synthetic_"),
    "descriptions": ("descriptions/",),
    "languages": ("labelled/es/", "labelled/de/", "labelled/pt/", "labelled/sv/"),
    "frames": (),
    "formal": (),
}
"""What is left out, by the paths of sources; frames, spliced texts and formal prose are none."""
SCHEDULE = Schedule(epochs=1, encoder_rate=1e-4, head_rate=2e-4, seed=9)
_DRAWS = 1000


def without(mixture: Mixture, group: str) -> Mixture:
    """Return what is left to train on."""
    prefixes = GROUPS[group]
    sources = tuple(
        () if prefixes and source.pattern.startswith(prefixes) else examples
        for source, examples in zip(SOURCES, mixture.text.sources, strict=True)
    )
    rest = replace(mixture, text=replace(mixture.text, sources=sources))
    if group == "frames":
        return replace(rest, generated=0, spliced=0)
    if group == "innocent":  # the texts into which frames are put are innocent ones
        return replace(rest, spliced=0)
    if group == "formal":
        return replace(rest, judgments=(), biographies=())
    return rest


def fitted(mixture: Mixture, source: ShippedModel, folder: Path) -> Path:
    """Train a row, unless it is there, and return its folder."""
    if not (folder / "digests.json").exists():
        network = dequantize(source.folder / "model.onnx")
        share_embeddings(network)
        train(network, mixture.epoch, mixture.encoder, SCHEDULE)
        write_package(network, source.path("tokenizer.json"), Calibration(), THRESHOLD, folder)
        curves = softened(recalibrated(RecognizerModel.load(folder), mixture.held_out))
        set_calibration(folder, curves)
    return folder


def counts(folder: Path, documents: list[dict[str, Any]]) -> NDArray[np.float64]:
    """Return hits and cases of each figure by document, [documents, 4, 2]."""
    sanitizer = load(boxed(), model=folder)
    results = sanitizer.pipe(document["text"] for document in documents)
    return np.array(
        [
            astuple(
                count(document, [(r.original.start, r.original.end) for r in item.replacements])
            )
            for document, item in zip(documents, results, strict=True)
        ],
        dtype=float,
    )


def share(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return hits by cases, [..., 4], of counts [..., documents, 4, 2]."""
    sums = values.sum(axis=-3)
    return sums[..., 0] / np.maximum(sums[..., 1], 1)


def main() -> None:
    parser = command_line(__doc__)
    parser.add_argument("work", type=Path)
    parser.add_argument("--share", type=float, default=0.25, help="of the documents of everything")
    parser.add_argument("--only", default=",".join(GROUPS), help="rows, the first one first")
    arguments = parser.parse_args()
    source = find("recognizer-en-small")
    encoder = RecognizerModel(source).encoder
    network = dequantize(source.folder / "model.onnx")
    mixture = Mixture.read(arguments.data, encoder, network, arguments.share)
    documents = list(records(arguments.data / EVERYDAY))
    draws = np.random.default_rng(1).integers(0, len(documents), (_DRAWS, len(documents)))
    print("| left out | direct | quasi | precision | innocent words masked |")
    print("|---|---|---|---|---|")
    first: NDArray[np.float64] | None = None
    for group in arguments.only.split(","):
        values = counts(fitted(without(mixture, group), source, arguments.work / group), documents)
        figures = share(values)
        if first is None:
            first = values
            cells = [f"{figure:.3f}" for figure in figures]
        else:
            changes = share(values[draws]) - share(first[draws])
            low, high = np.percentile(changes, (2.5, 97.5), axis=0)
            difference = figures - share(first)
            cells = [
                f"{figure:.3f}, {change:+.3f} ({a:+.3f} to {b:+.3f})"
                for figure, change, a, b in zip(figures, difference, low, high, strict=True)
            ]
        print(f"| {group} | " + " | ".join(cells) + " |", flush=True)


if __name__ == "__main__":
    main()
