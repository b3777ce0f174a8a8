"""The classifiers of topics by which utility is measured, fitted to texts with known labels.

Two sets of labels: the kind of a text (biography, judgment, recipe, …), by its source; and the
occupation of a biography's person, by its DBpedia class. Beside each text stand two versions
without a random part of its words, so that a text with masks is not a stranger. A tenth of the texts
(``corpus.is_held_out``) is kept from fitting: for the figures of the card, and for the curve by which
the share of evidence left becomes a probability that the prediction stays.
"""

from __future__ import annotations

import gzip
import json
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array
from sklearn.isotonic import IsotonicRegression
from sklearn.linear_model import LogisticRegression

from tacenda.models.topics import DEFAULT_TOPICS, TOPICS_FILE, Classifier, load_classifiers
from tacenda.text.tokens import words as word_spans
from tacenda.text.word_lists import FUNCTION

from .corpus import document_ids, is_held_out, named_texts, records, texts_by_name
from .packages import Card, write_card, write_digests
from .tables import load_tables, read_card

_MOST = 300
"""Texts of one source, at most: sources differ in size."""
_LONGEST = 20_000
"""Characters of a text, at most."""
_WORDS: Final = {"kind": 5000, "occupation": 6000}
_FEWEST = 5
"""Texts that a word must be in."""
_PENALTY: Final = 30.0
_THINNED = 2
_KNOTS = 21
_SHARES = np.linspace(0, 0.95, 20)
BIOGRAPHY: Final = "biography"
_KINDS: Final[dict[str, str]] = load_tables("topics")


@dataclass(frozen=True, slots=True)
class LabelledText:
    """A text with its label, and its name, which decides whether it is kept back."""

    name: str
    words: frozenset[str]
    label: str


def read_kinds(data: Path) -> list[LabelledText]:
    """Return texts by kind.

    Args:
        data: with ``everyday/``, ``tab/train.json``, ``wiki/biographies_train.json`` and ``reid/``.
    """
    random = Random(5)
    sources: dict[str, list[tuple[str, str]]] = {}
    for path in sorted((data / "everyday").glob("*/*.jsonl.gz")):
        name = path.name.removesuffix(".jsonl.gz")
        if name in _KINDS:
            sources[name] = [(str(item["id"]), item["text"]) for item in records(path)]
    for source, file in (
        ("judgment", "tab/train.json"),
        (BIOGRAPHY, "wiki/biographies_train.json"),
    ):
        sources[source] = named_texts(data / file)
    judgments = texts_by_name(data / "background/echr_judgments.json.gz")
    development = document_ids(*data.glob("tab/dev*.json"))
    sources["judgment, full"] = [
        (name, text) for name, text in judgments.items() if name not in development
    ]
    sources["biography, DBpedia"] = [
        (item["id"], item["text"]) for item in records(data / "reid/db_bio.jsonl.gz")
    ]
    texts = []
    for source, items in sources.items():
        label = _KINDS.get(source, source.partition(",")[0])
        random.shuffle(items)
        texts += [LabelledText(name, words_of(text), label) for name, text in items[:_MOST]]
    return texts


def read_occupations(data: Path) -> list[LabelledText]:
    """Return biographies by DBpedia's class of their person."""
    return [
        LabelledText(item["id"], words_of(item["text"]), item["profile"]["dbpedia_l3"])
        for item in records(data / "reid/db_bio.jsonl.gz")
    ]


def words_of(text: str) -> frozenset[str]:
    """Return the content words of a text, lower-cased."""
    text = text[:_LONGEST]
    keys = {text[a:b].lower() for a, b in zip(*word_spans(text), strict=True)}
    return frozenset(keys - FUNCTION)


def fit(name: str, within: str, texts: Sequence[LabelledText]) -> dict[str, Any]:
    """Return a classifier as the model's file has it, with its curve."""
    random = Random(6)
    known = [text for text in texts if not is_held_out(text.name)]
    frequency = Counter(word for text in known for word in text.words)
    words = sorted(word for word, n in frequency.most_common(_WORDS[name]) if n >= _FEWEST)
    rows = {word: row for row, word in enumerate(words)}
    labels = sorted({text.label for text in known})
    versions = [
        (version, text.label)
        for text in known
        for version in (text.words, *(_thinned(text.words, random) for _ in range(_THINNED)))
    ]
    counts = Counter(text.label for text in known)
    model = LogisticRegression(C=1 / _PENALTY, max_iter=400).fit(
        _matrix([version for version, _ in versions], rows),
        [labels.index(label) for _, label in versions],
        [len(known) ** 0.5 * counts[label] ** -0.5 for _, label in versions],
    )
    weights = model.coef_.T - model.coef_.T.mean(axis=1, keepdims=True)
    scale = float(np.abs(weights).max() / 127)
    bytes_ = np.round(weights / scale).astype(int)
    return {
        "name": name,
        "labels": labels,
        "within": within,
        "scale": round(scale, 8),
        "biases": [round(float(bias), 4) for bias in model.intercept_],
        "curve": [0.0] + [1.0] * (_KNOTS - 1),
        "words": {word: row.tolist() for word, row in zip(words, bytes_, strict=True) if row.any()},
    }


def _thinned(words: frozenset[str], random: Random) -> frozenset[str]:
    share = random.uniform(0.1, 0.8)
    return frozenset(word for word in sorted(words) if random.random() > share)


def _matrix(texts: Sequence[frozenset[str]], rows: dict[str, int]) -> Any:
    cells = [(n, rows[word]) for n, words in enumerate(texts) for word in words if word in rows]
    places, columns = zip(*cells, strict=True)
    return csr_array((np.ones(len(cells)), (places, columns)), shape=(len(texts), len(rows)))


def curve(classifier: Classifier, texts: Sequence[LabelledText]) -> list[float]:
    """Return how often the prediction stays, by the share of the evidence left.

    Words of each text are masked at random, from none to nearly all; what is found is made to rise
    from 0 to 1 (isotonic regression).
    """
    random = Random(7)
    left, stays = [], []
    for text in texts:
        before = classifier.predict(text.words)
        if before is None:
            continue
        for share in _SHARES:
            kept = frozenset(word for word in sorted(text.words) if random.random() > share)
            evidence = classifier.evidence_left(before.label, text.words, kept)
            after = classifier.predict(kept)
            if evidence is not None:
                left.append(evidence)
                stays.append(after is not None and after.label == before.label)
    knots = np.linspace(0, 1, _KNOTS)
    smooth = IsotonicRegression(y_min=0, y_max=1, out_of_bounds="clip").fit(left, stays)
    values: NDArray[np.float64] = smooth.predict(knots)
    return [0.0, *(round(float(value), 3) for value in values[1:-1]), 1.0]


def accuracy(classifier: Classifier, texts: Sequence[LabelledText], share: float) -> float:
    """Return the share of texts whose label is predicted without a share of their words."""
    random = Random(8)
    hits = 0
    for text in texts:
        kept = frozenset(word for word in sorted(text.words) if random.random() >= share)
        prediction = classifier.predict(kept)
        hits += prediction is not None and prediction.label == text.label
    return hits / len(texts)


def train_topics(data: Path, folder: Path) -> str:
    """Fit the classifiers, write the folder to ship, and return the rows of its card."""
    sets = {"kind": ("", read_kinds(data)), "occupation": (BIOGRAPHY, read_occupations(data))}
    folder.mkdir(parents=True, exist_ok=True)
    raws = [fit(name, within, texts) for name, (within, texts) in sets.items()]
    rows = []
    for raw, classifier in zip(raws, _written(raws, folder), strict=True):
        texts = [text for text in sets[classifier.name][1] if is_held_out(text.name)]
        raw["curve"] = curve(classifier, texts)
        known = len(sets[classifier.name][1]) - len(texts)
        rows.append(_row(classifier, known, texts))
    for _ in _written(raws, folder):
        pass
    write_card(
        folder,
        Card(read_card("topics").format(rows="\n".join(rows)), _LICENCE, _REBUILD),
        [TOPICS_FILE],
    )
    return "\n".join(rows)


def _row(classifier: Classifier, known: int, texts: Sequence[LabelledText]) -> str:
    cells: Iterator[object] = iter(
        (
            f"`{classifier.name}`",
            len(classifier.labels),
            len(classifier.rows),
            known,
            len(texts),
            *(f"{accuracy(classifier, texts, share):.3f}" for share in (0.0, 0.3, 0.6, 0.9)),
        )
    )
    return f"| {' | '.join(map(str, cells))} |"


def _written(raws: Sequence[dict[str, Any]], folder: Path) -> tuple[Classifier, ...]:
    text = json.dumps({"classifiers": list(raws)}, ensure_ascii=False, separators=(",", ":"))
    (folder / TOPICS_FILE).write_bytes(gzip.compress(text.encode("utf-8"), mtime=0))
    write_digests(folder, [TOPICS_FILE])
    load_classifiers.cache_clear()
    return load_classifiers(folder)


_REBUILD = f"`tacenda lab train topics DATA --out {DEFAULT_TOPICS}`."
_LICENCE = (
    "Apache-2.0; weights of single words, no text of the documents, whose licences are CC BY-SA, CC BY, "
    "CC0, MIT and public domain."
)
