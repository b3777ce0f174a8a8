"""The sets that policies are measured on, with one reading, one count and one command line for all of them.

*Direct* and *quasi* are the shares of mentions of which every letter and digit is masked, *precision* is the
share of the masked letters and digits that are personal, *innocent* the share of the words of documents without
personal data of which anything is masked. Judgments are counted by the metrics of TAB instead: ER_di, ER_qi
and P over all annotators. ``dev_real`` and ``dev_everyday`` are the sets that nothing is trained on.
"""

from __future__ import annotations

import argparse
import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import astuple, dataclass
from pathlib import Path
from random import Random
from typing import Any

from tacenda.document import Span
from tacenda.evaluate.evaluation import evaluate
from tacenda.evaluate.gold import GoldDocument, load_gold
from tacenda.policy import Policy
from tacenda_lab.train.bound import gold_of
from tacenda_lab.train.corpus import records

JUDGMENTS = "dev_real"
EVERYDAY = "everyday/dev_everyday.jsonl.gz"
COMPLETE = ("synthetic_logs", "synthetic_forms", "synthetic_asr", "chat_irc_ubuntu")
"""Sources of ``everyday/labelled`` in which everything personal is marked."""
_WORD = re.compile(r"[^\W_]+")


@dataclass(frozen=True)
class Text:
    """A document of a set, with its personal spans: start, end, and whether each is direct."""

    set: str
    id: str
    text: str
    spans: tuple[tuple[int, int, bool], ...]
    complete: bool


def add_recognizer_arguments(parser: argparse.ArgumentParser, source: str = "data") -> None:
    """Add what to read, and which recognizer."""
    parser.add_argument(source, type=Path)
    parser.add_argument("--model", help="Name or folder of a recognizer; else the shipped one.")


def boxed(name: str = "default") -> Policy:
    """Return a shipped policy that writes black boxes: a tag may take an article into its span."""
    return Policy.load(name).with_changes(operator="suppress")


def complete(data: Path, *, innocent: bool) -> list[GoldDocument]:
    """Return the documents of ``dev_everyday`` in which everything personal is marked.

    Args:
        data: folder with everyday/.
        innocent: those without anything personal, or those with it.
    """
    return [
        gold_of(record["id"], record["text"], record["spans"])
        for record in records(data / EVERYDAY)
        if record["complete"] and bool(record["spans"]) != innocent
    ]


def texts(data: Path, sample: int) -> Iterator[Text]:
    """Yield the documents of all sets: the development sets whole, ``sample`` of each other source."""
    for item in json.loads((data / "tab/dev_real.json").read_text("utf-8")):
        yield Text(JUDGMENTS, item["doc_id"], item["text"], (), True)
    biographies = json.loads((data / "wiki/biographies_train.json").read_text("utf-8"))
    for number, item in enumerate(_sample(biographies, sample)):
        yield Text("biographies (train)", str(number), item["text"], _wiki_spans(item), True)
    yield from (text_of("dev_everyday", record) for record in records(data / EVERYDAY))
    for name in COMPLETE:
        path = data / f"everyday/labelled/{name}.jsonl.gz"
        yield from _complete_texts(f"labelled: {name}", path, sample)
    people = data / "everyday/descriptions/synthetic_people_described.jsonl.gz"
    yield from _complete_texts("descriptions: people", people, sample)
    for path in sorted((data / "everyday/innocent").glob("*.gz")):
        yield from _complete_texts(f"innocent: {path.name.partition('.')[0]}", path, sample)


def text_of(set: str, record: Mapping[str, Any]) -> Text:
    """Return a record as a document of a set."""
    # A source that decides nothing names what must be found all the same.
    spans = tuple(
        (start, end, mask == "DIRECT")
        for start, end, _, mask in record.get("spans", ())
        if mask != "NO_MASK"
    )
    return Text(set, record["id"], record["text"], spans, record["complete"])


def _complete_texts(set: str, path: Path, sample: int) -> Iterator[Text]:
    for record in _sample(list(records(path)), sample):
        yield text_of(set, record | {"complete": True})


def _wiki_spans(item: Mapping[str, Any]) -> tuple[tuple[int, int, bool], ...]:
    """Return the spans to mask; these biographies don't tell direct identifiers apart."""
    return tuple(
        (span["start"], span["end"], False) for span in item["spans"] if span["label"] == "MASK"
    )


def _sample(items: Sequence[Any], size: int) -> Sequence[Any]:
    return items if len(items) <= size else Random(1).sample(items, size)


@dataclass(frozen=True)
class Counts:
    """Hits and cases of each measure, of one document or of several."""

    direct: tuple[int, int] = (0, 0)
    quasi: tuple[int, int] = (0, 0)
    precision: tuple[int, int] = (0, 0)
    innocent: tuple[int, int] = (0, 0)

    def __add__(self, counts: Counts) -> Counts:
        pairs = zip(astuple(self), astuple(counts), strict=True)
        return Counts(*((a[0] + b[0], a[1] + b[1]) for a, b in pairs))


def count(text: Text, masks: Iterable[Span]) -> Counts:
    """Count one document."""
    string = text.text
    masked = bytearray(len(string))
    for span in masks:
        masked[span.start : span.end] = b"\1" * len(span)
    letters = [place for place, char in enumerate(string) if char.isalnum()]
    if text.complete and not text.spans:
        words = [any(masked[word.start() : word.end()]) for word in _WORD.finditer(string)]
        return Counts(innocent=(sum(words), len(words)))
    personal = bytearray(len(string))
    hits = {True: [0, 0], False: [0, 0]}
    for start, end, direct in text.spans:
        personal[start:end] = b"\1" * (end - start)
        hits[direct][0] += all(masked[i] for i in range(start, end) if string[i].isalnum())
        hits[direct][1] += 1
    edited = [place for place in letters if masked[place]] if text.complete else []
    right = sum(personal[place] for place in edited)
    return Counts(_pair(hits[True]), _pair(hits[False]), (right, len(edited)))


def _pair(values: Sequence[int]) -> tuple[int, int]:
    return values[0], values[1]


def cells(data: Path, documents: Sequence[Text], masks: Sequence[Sequence[Span]]) -> dict[str, str]:
    """Return the figures of each set: direct, quasi and precision, or the innocent words masked."""
    sums: dict[str, Counts] = {}
    judgments: dict[str, list[Span]] = {}
    for text, spans in zip(documents, masks, strict=True):
        if text.set == JUDGMENTS:
            judgments[text.id] = list(spans)
        else:
            sums[text.set] = sums.get(text.set, Counts()) + count(text, spans)
    figures = {name: _cell(counts) for name, counts in sums.items()}
    if judgments:
        scores = evaluate(load_gold(data / "tab/dev_real.json"), judgments).scores
        keys = ("entity_recall_direct", "entity_recall_quasi", "token_precision")
        figures = {JUDGMENTS: " / ".join(f"{scores[key]:.3f}" for key in keys)} | figures
    return figures


def _cell(counts: Counts) -> str:
    shares = [counts.direct, counts.quasi, counts.precision]
    parts = " / ".join(f"{hits / cases:.3f}" if cases else "–" for hits, cases in shares)
    hits, cases = counts.innocent
    innocent = f"{hits / cases:.3f} of words" if cases else ""
    return "; ".join(part for part in (parts if parts != "– / – / –" else "", innocent) if part)
