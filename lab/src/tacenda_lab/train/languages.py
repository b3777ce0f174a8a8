"""Frequencies of character n-grams by language, from which ``tacenda.models.text_language`` tells languages.

    tacenda lab train languages --data everyday --out languages

Reads ``innocent/*.jsonl.gz`` (English), ``innocent/LANGUAGE`` and ``labelled/LANGUAGE``, of each file
the documents with an even number; the others are for measuring (``benchmarks/languages.py``). Of
languages without texts, and for a part of the others, function words stand for texts. Cavnar and
Trenkle, "N-gram-based text categorization" (1994); here as the likelihoods of naive Bayes.
"""

from __future__ import annotations

import gzip
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

import numpy as np

from tacenda.errors import InputError
from tacenda.models.language_profiles import ENGLISH, LANGUAGES_FILE, character_ngrams
from tacenda.models.text_language import running_words

from .corpus import records
from .function_words import FUNCTION_WORDS
from .packages import write_digests

_GRAMS = 2000
"""The most frequent ones of each language."""
_SHARE = 0.2
"""Share of function words beside texts."""
_SMOOTHING = 1e-4
_DOCUMENTS = 40
"""The most of one file in English; the files differ in size."""
_WITHOUT_PROSE = ("code_python", "synthetic_logs_traces")


def words(paths: Iterable[Path], most: int | None = None) -> Iterator[str]:
    """Yield the running words of the documents with an even number."""
    for path in paths:
        texts = [record["text"] for record in records(path)][::2]
        for text in texts[:most]:
            yield from running_words(text)


def frequencies(folder: Path) -> dict[str, Counter[str]]:
    """The relative frequency of each n-gram by language, in Latin letters.

    Raises:
        InputError: there is no text of any language.
    """
    files = {language: _files(folder, language) for language in sorted(FUNCTION_WORDS)}
    if not any(files.values()):
        raise InputError("has no texts in innocent/ and labelled/", str(folder))
    return {
        language: _mixed(
            Counter(words(paths, _DOCUMENTS if language == ENGLISH else None)),
            FUNCTION_WORDS[language],
        )
        for language, paths in files.items()
    }


def _files(folder: Path, language: str) -> list[Path]:
    if language == ENGLISH:
        paths = sorted(folder.glob("innocent/*.gz"))
        return [path for path in paths if not path.name.startswith(_WITHOUT_PROSE)]
    return sorted([*folder.glob(f"innocent/{language}/*"), *folder.glob(f"labelled/{language}/*")])


def _mixed(texts: Counter[str], function_words: Iterable[str]) -> Counter[str]:
    share = _SHARE if texts else 1.0
    mixed: Counter[str] = Counter()
    parts: tuple[tuple[Mapping[str, int], float], ...] = (
        (texts, 1 - share),
        (dict.fromkeys(function_words, 1), share),
    )
    for counts, weight in parts:
        total = sum(counts.values()) or 1
        for word, count in counts.items():
            for gram in character_ngrams(word):
                mixed[gram] += weight * count / total  # type: ignore[assignment]
    return mixed


def build(folder: Path, out: Path) -> None:
    """Write the file of the model and its digests."""
    table = frequencies(folder)
    languages = sorted(table)
    grams = sorted({gram for counts in table.values() for gram, _ in counts.most_common(_GRAMS)})
    values = np.array([[table[code][gram] for gram in grams] for code in languages]).T + _SMOOTHING
    weights = np.log(values / values.sum(axis=0))
    # The difference to the likeliest language is what decides: a byte holds it to a twentieth.
    weights -= weights.max(axis=1, keepdims=True)
    lines = [" ".join(languages)]
    for gram, row in zip(grams, np.round(-20 * weights).clip(0, 255).astype(int), strict=True):
        lines.append(" ".join([gram, *map(str, row)]))
    out.mkdir(parents=True, exist_ok=True)
    data = gzip.compress("\n".join(lines).encode(), mtime=0)
    (out / LANGUAGES_FILE).write_bytes(data)
    write_digests(out, [LANGUAGES_FILE])
