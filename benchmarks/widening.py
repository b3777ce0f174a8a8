"""Fit the shipped recognizer further to generated posts and letters, and average the weights.

    python benchmarks/widening.py DATA WORK        # writes WORK/widened and WORK/averaged

Half of each target on judgments and biographies is the recognizer's own answer; the generated
documents are believed. Evaluate with `tacenda sanitize GOLD --model WORK/widened --to masks`.
Needs the extra `train`.
"""

from __future__ import annotations

import sys
from pathlib import Path

from tacenda.models.networks import RecognizerModel
from tacenda.models.store import find
from tacenda_lab.train.augmentation import labelled_examples
from tacenda_lab.train.generated import generate
from tacenda_lab.train.onnx import dequantize, write_package
from tacenda_lab.train.recognizer import Corpora
from tacenda_lab.train.recognizer_batches import Schedule, train
from tacenda_lab.train.silver import distill


def main() -> None:
    data, work = Path(sys.argv[1]), Path(sys.argv[2])
    source = find("recognizer-en-small")
    model = RecognizerModel(source)
    network = dequantize(source.folder / "model.onnx")
    generated = labelled_examples(generate(11, 4800, data), model.encoder, "generated")
    known = distill(network, Corpora.read(data, model.encoder).labelled, model.encoder, share=0.5)
    schedule = Schedule(epochs=2, encoder_rate=1e-4, head_rate=2e-4)
    train(network, [*known, *generated], model.encoder, schedule, work / "widened.state")
    tokenizer = source.folder / "tokenizer.json"
    write_package(network, tokenizer, model.calibration, model.threshold, work / "widened")
    before, after = dequantize(source.folder / "model.onnx").state_dict(), network.state_dict()
    network.load_state_dict({name: (before[name] + after[name]) / 2 for name in after})
    write_package(network, tokenizer, model.calibration, model.threshold, work / "averaged")


if __name__ == "__main__":
    main()
