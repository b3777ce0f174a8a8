"""How well parts in other languages are told from English, on documents that no profile was made of.

    python -m benchmarks languages DATA       # everyday/ and tab/ in DATA

By language and number of running words: the share of windows of so many words whose language is right, and the
share that is at least not English. Then false alarms on English: documents with a part in another language.
"""

from __future__ import annotations

import argparse
import json
import random
import time
from collections.abc import Iterable, Iterator
from pathlib import Path

from benchmarks.tables import print_header
from tacenda.models.text_language import foreign_parts, running_words
from tacenda_lab.train.corpus import records

_LENGTHS = (10, 20, 50)
_MOST = 300


def texts(paths: Iterable[Path]) -> Iterator[str]:
    """Yield the documents with an odd number, as no profile has them."""
    for path in paths:
        yield from [record["text"] for record in records(path)][1::2]


def language(text: str) -> str:
    """The language of most of a text."""
    lengths: dict[str, int] = {}
    for part in foreign_parts(text):
        lengths[part.language] = lengths.get(part.language, 0) + len(part.span)
    return max(lengths, key=lambda code: lengths[code]) if lengths else "en"


def window(text: str, words: int, draw: random.Random) -> str | None:
    """A window of so many running words at a random place, or None of a shorter text."""
    tokens = text.split()
    counts = [
        sum(word.islower() or not word.isascii() for word in running_words(token))
        for token in tokens
    ]
    if sum(counts) < words:
        return None
    start = draw.randrange(len(tokens))
    while sum(counts[start:]) < words:
        start -= 1
    end, total = start, 0
    while total < words:
        total += counts[end]
        end += 1
    return " ".join(tokens[start:end])


def main(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("data", type=Path)
    folder = parser.parse_args().data
    draw = random.Random(1)
    print_header("| language | " + " | ".join(f"{n} words" for n in _LENGTHS) + " | documents |")
    for place in sorted(path for path in (folder / "everyday/innocent").iterdir() if path.is_dir()):
        code = place.name
        paths = [*place.glob("*.gz"), *(folder / "everyday/labelled" / code).glob("*.gz")]
        documents = list(texts(sorted(paths)))
        draw.shuffle(documents)
        cells = []
        for n in (*_LENGTHS, None):
            samples = [text if n is None else window(text, n, draw) for text in documents[:_MOST]]
            found = [language(sample) for sample in samples if sample]
            right = sum(item == code for item in found)
            foreign = sum(item != "en" for item in found)
            total = max(1, len(found))
            cells.append(f"{right / total:.3f} ({foreign / total:.3f}) of {len(found)}")
        print(f"| {code} | " + " | ".join(cells) + " |", flush=True)
    print_header("\n| English | documents | false alarms |")
    paths = sorted((folder / "everyday/innocent").glob("*.gz"))
    judgments = json.loads((folder / "tab/train.json").read_text(encoding="utf-8"))
    for name, documents in (
        *((path.name.split(".")[0], list(texts([path]))) for path in paths),
        ("judgments", [item["text"] for item in judgments]),
    ):
        begin = time.perf_counter()
        alarms = sum(bool(foreign_parts(text)) for text in documents)
        micros = (time.perf_counter() - begin) / max(1, sum(map(len, documents))) * 1e6
        print(f"| {name} | {len(documents)} | {alarms} | {micros:.2f} µs a character", flush=True)
