"""What more written English documents bring: a small network fitted to 300, to 1,000 and to all of them.

    python -m benchmarks learning_curve ENCODER --documents 300 1000

ENCODER is the folder that ``tacenda lab train encoder`` writes. Every second of its layers is fitted for four epochs
to documents drawn from the training part, those of one run within those of the next, and
measured on the development part, kinds of which the training part has none (``corpus.py`` beside it).
"""

from __future__ import annotations

import argparse
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

from benchmarks import corpus as measure
from tacenda.models.calibration import Calibration
from tacenda.models.encoding import TextEncoder
from tacenda.models.networks import RecognizerModel
from tacenda_lab import corpus
from tacenda_lab.train.multilingual import begin, read_corpus
from tacenda_lab.train.onnx import write_package
from tacenda_lab.train.recognizer_batches import Schedule, train

_EPOCHS = 4
_LAYERS = 6
_THRESHOLD = 0.5


def main(parser: argparse.ArgumentParser) -> None:
    """Print a table a number of documents, then one by kind for all of them."""
    parser.add_argument("encoder", type=Path)
    parser.add_argument("--documents", type=int, nargs="+", default=[300, 1000])
    arguments = parser.parse_args()
    tokenizer = arguments.encoder / "tokenizer.json"
    encoder = TextEncoder.from_file(tokenizer)
    written = [item for item in read_corpus(encoder, group="written") if item.corpus == "en"]
    Random(1).shuffle(written)
    development = list(corpus.load(split="dev", language="en", group="written"))
    sizes = {min(size, len(written)) for size in [*arguments.documents, len(written)]}
    for number in sorted(sizes):
        network = begin(arguments.encoder, _LAYERS)
        schedule = Schedule(
            epochs=_EPOCHS, batch_tokens=4096, encoder_rate=3e-4, warmup=0.05, case_noise=0.0
        )
        train(network, written[:number], encoder, schedule)
        with TemporaryDirectory() as folder:
            write_package(network, tokenizer, Calibration(), _THRESHOLD, Path(folder))
            found = measure.detect(RecognizerModel.load(folder), development)
        print(f"\n{number} documents")
        measure.table(development, found, _THRESHOLD, "language")
    measure.table(development, found, _THRESHOLD, "genre", intervals=False)
