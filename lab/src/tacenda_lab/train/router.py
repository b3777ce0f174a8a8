"""The weights of words by which a recognizer with two experts chooses one for a document.

Formal prose about people: judgments and biographies. Everyday: all sources of ``everyday/``, what
they annotate or not, and generated documents. Whole documents and single paragraphs of them, so
that a short text is judged as a long one is.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array
from sklearn.linear_model import LogisticRegression

from tacenda.models.networks import Router, word_shares

from .corpus import document_ids, records, texts_by_name
from .generated import generate

_PARAGRAPH = re.compile(r"\n\s*\n|\n")
_WORD = re.compile(r"[^\W\d_]+")
_DOCUMENTS = 250
"""The most of one source; the sources differ in size."""
_PARAGRAPHS = 2
_SHORTEST = 12
"""Fewest words of a paragraph."""
_VOCABULARY = 4000
_FEWEST = 15
_GENERATED = 1500
_RIDGE = 0.033
# Neither this nor that, or lists of phrases.
_LEFT_OUT = ("gum_court", "occupations", "conditions_doid", "phrase_lists")
_FORMAL = ("gum_bio",)


def fit_router(data: Path) -> Router:
    """Return the router of the documents of a data folder.

    Args:
        data: with ``tab/train.json``, ``wiki/biographies_train.json``, ``everyday/``, and if they
            are there, ``background/`` and ``reid/``.
    """
    random = Random(4)
    formal, everyday = _formal(data, random), _everyday(data, random)
    pieces = [list(_pieces(sources, random)) for sources in (formal, everyday)]
    frequency = Counter(
        word for part in pieces for _, text in part for word in _words(text) if len(word) < 20
    )
    words = [word for word, n in frequency.most_common(_VOCABULARY) if n >= _FEWEST]
    column = {word: index for index, word in enumerate(words)}
    rows = [word_shares(text, column) for part in pieces for _, text in part]
    cells = [(n, column[word], share) for n, row in enumerate(rows) for word, share in row.items()]
    places, columns, shares = zip(*cells, strict=True)
    matrix = csr_array((np.array(shares), (places, columns)), shape=(len(rows), len(words)))
    weights = np.concatenate([_weights(part) for part in pieces]) * len(pieces[0])
    labels = np.repeat([1, 0], [len(part) for part in pieces])
    model = LogisticRegression(C=1 / _RIDGE, max_iter=300).fit(matrix, labels, weights)
    values = [round(float(weight), 3) for weight in model.coef_[0]]
    return Router(
        {word: value for word, value in zip(words, values, strict=True) if value},
        round(float(model.intercept_[0]), 3),
    )


def _words(text: str) -> set[str]:
    return {word for word in _WORD.findall(text) if word[0].islower()}


def _weights(pieces: Sequence[tuple[str, str]]) -> NDArray[np.float64]:
    """Return weights with the sum 1; a source counts by the root of its size."""
    counts = Counter(source for source, _ in pieces)
    weights: NDArray[np.float64] = np.array([counts[source] ** -0.5 for source, _ in pieces])
    weights /= weights.sum()
    return weights


def _pieces(sources: dict[str, list[str]], random: Random) -> Iterator[tuple[str, str]]:
    for source, texts in sources.items():
        for text in texts:
            yield source, text
            paragraphs = [part for part in _PARAGRAPH.split(text) if len(part.split()) >= _SHORTEST]
            if len(paragraphs) > 1:
                for part in random.sample(paragraphs, _PARAGRAPHS):
                    yield source, part


def _formal(data: Path, random: Random) -> dict[str, list[str]]:
    """Return judgments and biographies by source; no judgment of a development split."""
    sources = {
        name: [item["text"] for item in json.loads((data / path).read_text(encoding="utf-8"))]
        for name, path in (
            ("judgments", "tab/train.json"),
            ("biographies", "wiki/biographies_train.json"),
        )
    }
    left_out = document_ids(*data.glob("tab/dev*.json"))
    full = data / "background/echr_judgments.json.gz"
    if full.exists():
        sources["full judgments"] = [
            text[1000:30_000] for name, text in texts_by_name(full).items() if name not in left_out
        ][: 2 * _DOCUMENTS]
    for path in sorted(data.glob("reid/*.jsonl.gz")):
        texts = [text for text in _texts(path) if text]
        random.shuffle(texts)
        sources[path.name] = texts[: 2 * _DOCUMENTS]
    for name in _FORMAL:
        for path in data.glob(f"everyday/labelled/{name}.jsonl.gz"):
            sources[name] = list(_texts(path))
    return sources


def _everyday(data: Path, random: Random) -> dict[str, list[str]]:
    """Return documents by source."""
    sources = {}
    for path in sorted((data / "everyday").glob("*/*.jsonl.gz")):
        name = path.name.removesuffix(".jsonl.gz")
        if name not in _LEFT_OUT + _FORMAL:
            texts = list(_texts(path))
            random.shuffle(texts)
            sources[name] = texts[:_DOCUMENTS]
    words = data if (data / "lists").is_dir() else None
    for sample in generate(3, _GENERATED, words):
        sources.setdefault(sample.kind, []).append(sample.text)
    return sources


def _texts(path: Path) -> Iterator[str]:
    for record in records(path):
        yield record.get("text", "")
