"""Measure the gazetteer against annotated texts: what it finds, and whether that must be masked.

    python -m benchmarks gazetteer DATA [--masks MASKS]     # DATA holds tab/train.json, wiki/biographies_train.json

*Kinds*: hits of each kind, the share of their tokens that annotators masked, and the share of DEM
or MISC among them, whoever masked it. *Alone*: of the masked DEM and MISC tokens, how many the
kinds from a probability on cover, and at what precision; every document's probabilities are of
four fifths of the documents that it is not among. *Beside the recognizer*, with MASKS: system
output on the judgments, such as that of `benchmarks/cross_validation.py`; what the gazetteer adds.
Last, the speed, beside that of the recognizer on the first judgments.
"""

from __future__ import annotations

import argparse
import json
import re
import time
from collections import Counter, defaultdict
from dataclasses import dataclass
from pathlib import Path

from benchmarks.tables import print_header
from tacenda.detect.gazetteer import Gazetteer, GazetteerTag
from tacenda.detect.neural import NeuralDetector
from tacenda.document import Document
from tacenda.models.networks import RecognizerModel
from tacenda.models.store import DEFAULT

_TOKEN = re.compile(r"\w+")
_FOLDS = 5
_TIMED = 40


@dataclass(frozen=True, slots=True)
class WeightedText:
    """A text, the share of annotators that mask each code point, and the types they give."""

    id: str
    text: str
    masked: list[float]
    types: list[str]


def read_judgments(path: Path) -> list[WeightedText]:
    texts = []
    for document in json.loads(path.read_text("utf-8")):
        text, annotators = document["text"], document["annotations"].values()
        counts, types = [0] * len(text), [""] * len(text)
        for annotator in annotators:
            positions = set()
            for mention in annotator["entity_mentions"]:
                span = range(mention["start_offset"], mention["end_offset"])
                types[span.start : span.stop] = [mention["entity_type"]] * len(span)
                if mention["identifier_type"] != "NO_MASK":
                    positions.update(span)
            for position in positions:
                counts[position] += 1
        shares = [count / len(annotators) for count in counts]
        texts.append(WeightedText(document["doc_id"], text, shares, types))
    return texts


def read_biographies(path: Path) -> list[WeightedText]:
    texts = []
    for document in json.loads(path.read_text("utf-8")):
        text = document["text"]
        masked, types = [0.0] * len(text), [""] * len(text)
        for span in document["spans"]:
            start, end = span["start"], span["end"]
            types[start:end] = [span["type"]] * (end - start)
            if span["label"] == "MASK":
                masked[start:end] = [1.0] * (end - start)
        texts.append(WeightedText(document["doc_id"], text, masked, types))
    return texts


@dataclass(slots=True)
class Sum:
    """Hits of a kind, and the masked and the DEM or MISC share of their tokens, summed."""

    hits: int = 0
    masked: float = 0.0
    own: float = 0.0

    def row(self) -> str:
        if not self.hits:
            return f"{'':>8}{'':>9}{'':>9}"
        return f"{self.hits:8}{self.masked / self.hits:9.3f}{self.own / self.hits:9.3f}"


def sums(texts: list[WeightedText], found: dict[str, list[GazetteerTag]]) -> dict[str, Sum]:
    kinds: dict[str, Sum] = defaultdict(Sum)
    for item in texts:
        for tag in found[item.id]:
            tokens = [t.start() for t in _TOKEN.finditer(item.text, tag.span.start, tag.span.end)]
            total = kinds[tag.kind]
            total.hits += 1
            total.masked += sum(item.masked[t] for t in tokens) / len(tokens)
            total.own += sum(item.types[t] in ("DEM", "MISC") for t in tokens) / len(tokens)
    return kinds


def probability(parts: list[dict[str, Sum]], kind: str) -> float:
    """Return the mean of the corpora that have 20 hits or more; of all hits where one has fewer."""
    each = [part[kind] for part in parts if kind in part]
    if len(each) == len(parts) and all(total.hits >= 20 for total in each):
        return sum(total.masked / total.hits for total in each) / len(each)
    return (sum(total.masked for total in each) + 1) / (sum(total.hits for total in each) + 2)


def unseen_priors(
    corpora: dict[str, list[WeightedText]], found: dict[str, list[GazetteerTag]]
) -> list[dict[str, float]]:
    """Return, for each fold, the probabilities on the documents outside it."""
    priors = []
    for fold in range(_FOLDS):
        rest = [
            sums([item for place, item in enumerate(texts) if place % _FOLDS != fold], found)
            for texts in corpora.values()
        ]
        kinds = {kind for part in rest for kind in part}
        priors.append({kind: probability(rest, kind) for kind in kinds})
    return priors


def trade_off(
    texts: list[WeightedText],
    found: dict[str, list[GazetteerTag]],
    priors: list[dict[str, float]],
    least: float,
    masks: dict[str, list[list[int]]],
) -> str:
    covered: Counter[str] = Counter()
    wanted: Counter[str] = Counter()
    tokens, right = 0, 0.0
    for place, item in enumerate(texts):
        prior = priors[place % _FOLDS]
        masked = bytearray(len(item.text))
        spans = [(start, end) for start, end in masks.get(item.id, ())]
        spans += [
            (tag.span.start, tag.span.end)
            for tag in found[item.id]
            if prior.get(tag.kind, 0.0) >= least
        ]
        for start, end in spans:
            masked[start:end] = b"\1" * (end - start)
        for token in _TOKEN.finditer(item.text):
            share, type = item.masked[token.start()], item.types[token.start()]
            is_masked = masked[token.start()]
            tokens += is_masked
            right += share * is_masked
            for key in (type, "all"):
                wanted[key] += share
                covered[key] += share * is_masked
    recalls = "".join(f" {covered[key] / wanted[key]:.3f} |" for key in ("all", "DEM", "MISC"))
    return f"{right / max(tokens, 1):.3f} |{recalls} {tokens} |"


def share_of_recognizer(texts: list[str], gazetteer: Gazetteer) -> float:
    """Return the gazetteer's processor time as a share of the recognizer's on one core."""
    recognizer = NeuralDetector(RecognizerModel.load(DEFAULT), 1)
    begun = time.process_time()
    recognizer.detect([Document(str(place), text) for place, text in enumerate(texts)])
    middle = time.process_time()
    for text in texts:
        gazetteer.tag(text)
    return (time.process_time() - middle) / (middle - begun)


def main(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("data", type=Path, help="folder of tab/ and wiki/")
    parser.add_argument("--masks", type=Path, help="system output on tab/train.json")
    arguments = parser.parse_args()
    data: Path = arguments.data
    corpora = {
        "judgments": read_judgments(data / "tab/train.json"),
        "biographies": read_biographies(data / "wiki/biographies_train.json"),
    }
    begun = time.process_time()
    gazetteer = Gazetteer.load()
    loading = time.process_time() - begun
    begun = time.process_time()
    found = {item.id: gazetteer.tag(item.text) for texts in corpora.values() for item in texts}
    seconds = time.process_time() - begun
    size = sum(len(item.text) for texts in corpora.values() for item in texts)
    parts = {name: sums(texts, found) for name, texts in corpora.items()}
    print(f"{'':24}" + "".join(f"{name:^26}" for name in parts))
    print(f"{'kind':24}" + f"{'hits':>8}{'masked':>9}{'own':>9}" * 2 + f"{'prior':>8}")
    for kind in sorted({kind for part in parts.values() for kind in part}):
        rows = "".join(part.get(kind, Sum()).row() for part in parts.values())
        print(f"{kind:24}{rows}{probability(list(parts.values()), kind):8.2f}")
    priors = unseen_priors(corpora, found)
    columns = "P | R | R of DEM | R of MISC | tokens masked |"
    print()
    print_header(f"| corpus | threshold | {columns}")
    for name, texts in corpora.items():
        for least in (0.1, 0.2, 0.3, 0.5):
            print(f"| {name} | {least} | {trade_off(texts, found, priors, least, {})}")
    if arguments.masks:
        masks = json.loads(arguments.masks.read_text("utf-8"))
        print()
        print_header(f"| the gazetteer's kinds from | {columns}")
        for least in (2.0, 0.5, 0.3, 0.2):
            label = "none" if least > 1 else least
            print(f"| {label} | {trade_off(corpora['judgments'], found, priors, least, masks)}")
    print(f"\nloaded in {loading:.2f} s; {size / seconds / 1e6:.1f} million characters a second")
    share = share_of_recognizer([item.text for item in corpora["judgments"][:_TIMED]], gazetteer)
    print(f"{share:.2%} of the recognizer's processor time on {_TIMED} judgments")
