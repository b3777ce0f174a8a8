"""How many decisions the queue of a review asks for, and what is left after it.

    python -m benchmarks decisions [FILE] [--documents 10] [--words 5000] [--each]

FILE has documents in the JSON of the Text Anonymization Benchmark, whose annotators say what a reviewer masks, or
texts by their ids (``{id: text}``, also gzipped). The latter have no annotations: there a reviewer masks an entity
with the probability that the program gives it, drawn once for each name. Without FILE, the documents are the English
ones of the corpus that are kept for development, judgments left out: letters, notes, chats, logs, recipes and others.

The documents with the length nearest to ``--words`` are analysed by the shipped recognizer; with ``--words 0``, documents
drawn with a fixed seed. The reviewer answers every
question of a document as the page asks it, the weightiest first: one decision for a question, and one for each entity of
its list that is decided otherwise. With ``--each``, every doubtful entity is a question by itself, as before there were
lists, and uncertain masks are asked about, too.
"""

from __future__ import annotations

import argparse
import gzip
import json
import tempfile
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import tacenda
from tacenda.app.events import Event, EventKind
from tacenda.app.review import doubts as weighing
from tacenda.app.review.doubts import MOST_TOGETHER, doubts_of, questions_of
from tacenda.app.review.redecide import Reviewed
from tacenda.app.service import Service
from tacenda.app.store import Store
from tacenda.app.store.documents import NewDocument
from tacenda.app.store.doubts import Doubt
from tacenda.document import Document, Span
from tacenda_lab.corpus import load

Question = list[Doubt]
Truth = Callable[[Doubt], bool]


def main(parser: argparse.ArgumentParser) -> None:
    """Review and print."""
    parser.add_argument("file", type=Path, nargs="?")
    parser.add_argument("--documents", type=int, default=10)
    parser.add_argument("--words", type=int, default=5000)
    parser.add_argument("--each", action="store_true", help="ask about each entity by itself")
    arguments = parser.parse_args()
    if arguments.each:
        weighing.MISSED_BY_READERS = 0.0
    texts, gold = everyday() if arguments.file is None else read(arguments.file)
    ids = sorted(texts, key=lambda id: (abs(len(texts[id].split()) - arguments.words), id))
    if not arguments.words:
        Random("decisions").shuffle(ids)
    ids = ids[: arguments.documents]
    with tempfile.TemporaryDirectory() as folder:
        service = Service(Store(Path(folder) / "decisions.db"), tacenda.load())
        service.add_project("judgments", [NewDocument(Document(id, texts[id])) for id in ids])
        rows = service.store.documents.of(1)
        for row in rows:
            analysis = service.sanitizer.analyze(service.store.documents.text(row.id))
            service.analysed(row.id, analysis)
        asked = decisions = left = total = words = 0
        for row in rows:
            truth = annotated(gold[row.name]) if row.name in gold else drawn
            counts = review(service, row.id, truth, arguments.each)
            asked, decisions = asked + counts[0], decisions + counts[1]
            reviewed = service.open(row.id).reviewed
            masked = [edit.original for edit in reviewed.sanitized.replacements]
            words += sum(len(span.of(texts[row.name]).split()) for span in masked)
            spans = gold.get(row.name, [])
            total += len(spans)
            left += sum(not any(span.overlaps(place) for place in masked) for span in spans)
            print(f"{row.name}: {counts[0]} questions, {counts[1]} decisions", flush=True)
        service.store.close()
    print(f"{len(ids)} documents, {sum(len(texts[id].split()) for id in ids):,} words")
    print(f"{asked} questions, {decisions} decisions, {words:,} words masked")
    if total:
        print(f"{left} of {total} annotated mentions to mask are left")


def everyday() -> tuple[dict[str, str], dict[str, list[Span]]]:
    """The texts of the corpus that are no judgments, and the spans to mask in each."""
    documents = [item for item in load(split="dev", language="en") if item.genre != "judgment"]
    spans = {item.id: [mark.span for mark in item.marks if mark.is_masked] for item in documents}
    return {item.id: item.text for item in documents}, spans


def read(path: Path) -> tuple[dict[str, str], dict[str, list[Span]]]:
    """The texts of a file, and the spans that an annotator of each masks."""
    opener = gzip.open if path.suffix == ".gz" else open
    with opener(path, "rt", encoding="utf-8") as file:
        items: Any = json.load(file)
    if isinstance(items, dict):
        return items, {}
    spans = {
        item["doc_id"]: sorted(
            {
                Span(mention["start_offset"], mention["end_offset"])
                for annotation in item["annotations"].values()
                for mention in annotation["entity_mentions"]
                if mention["identifier_type"] != "NO_MASK"
            }
        )
        for item in items
    }
    return {item["doc_id"]: item["text"] for item in items}, spans


def annotated(spans: list[Span]) -> Truth:
    """A reviewer who masks what an annotator masks somewhere."""
    return lambda doubt: any(span.overlaps(mention) for span in spans for mention in doubt.mentions)


def drawn(doubt: Doubt) -> bool:
    """Whether a name has to be masked, drawn with the probability that the program gives it."""
    return Random(doubt.label).random() < doubt.risk


def review(service: Service, document: int, truth: Truth, each: bool) -> tuple[int, int]:
    """Answer all questions of a document; return their number, and that of the decisions."""
    asked = decisions = 0
    while questions := questions_in(service.open(document).reviewed, each):
        question = max(questions, key=lambda one: sum(doubt.weight for doubt in one))
        masked = [doubt for doubt in question if truth(doubt)]
        kept = [doubt for doubt in question if doubt not in masked]
        is_kept = question[0].verdict == "kept"
        exceptions = masked if is_kept else kept
        asked += 1
        decisions += 1 + (len(exceptions) if len(exceptions) < len(question) else 0)
        for action, part in (("mask", masked), ("keep", kept)):
            if spans := tuple(mention for doubt in part for mention in doubt.mentions):
                revision = service.store.documents.get(document).revision
                event = Event(EventKind.DECIDE, tuple(sorted(spans)), action)
                service.change(document, "reviewer", revision, event)
    return asked, decisions


def questions_in(reviewed: Reviewed, each: bool) -> list[Question]:
    """The questions of a document as its page asks them."""
    doubts = sorted(doubts_of(reviewed), key=lambda doubt: doubt.span)
    if each:
        return [[doubt] for doubt in doubts]
    names = questions_of(reviewed.sanitized.document.text, doubts)
    groups: dict[str, Question] = {}
    for doubt in doubts:
        groups.setdefault(names[doubt.span], []).append(doubt)
    return [
        group[first : first + MOST_TOGETHER]
        for group in groups.values()
        for first in range(0, len(group), MOST_TOGETHER)
    ]
