"""Replacements read as a strict editor reads them: a draw to judge by hand, and what was judged.

    python -m benchmarks strict_reading draw DATA draw.tsv --size 200
    python -m benchmarks strict_reading score benchmarks/strict_reading.tsv
    python -m benchmarks strict_reading figures DATA

The documents are held out from whoever writes rules: those of `wiki/biographies_train.json`, `tab/train.json` and
the labelled everyday texts written by people whose id has an odd first byte of its SHA-256 (`is_held_out`). They are
sanitized whole, with the recognizer's own masks under the default policy, by *generalize* and by *surrogate*. As many
pieces are drawn of each of the three sources, and of each type in proportion. What is no rewriting is left out: `***`,
and tags (those of people are what *generalize* writes); `figures` has their share.

A line has the place before and after, with the piece in « ». A reader fills in `verdict`: *yes* if an editor could let
it stand (true if generalised, plausible if made up, grammatical, nothing lost or said twice where it touches its
neighbours), else *no*, and the class of fault. `figures` needs no reader: the share of `***`, utility of
generalised texts, and the time after detection on held-out judgments put together to 1,600 words.
"""

from __future__ import annotations

import argparse
import csv
import hashlib
import json
import os
import random
import re
import statistics
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import astuple, dataclass, fields
from pathlib import Path

from benchmarks.tables import print_header
from tacenda import load
from tacenda.deciding import complete
from tacenda.document import Document, Replacement, Span
from tacenda.evaluate.releases import Release, Rewriting
from tacenda.evaluate.utility import measure_utility
from tacenda.policy import Policy
from tacenda.reidentify.rates import rate
from tacenda.result import Result
from tacenda.rewrite.edits import MASK
from tacenda_lab.evaluation.grammar import grammar_errors
from tacenda_lab.train.corpus import records

OPERATORS = ("generalize", "surrogate")
BIOGRAPHIES, JUDGMENTS, EVERYDAY = "biographies", "judgments", "everyday"
_WRITTEN_BY_PEOPLE = (
    "gum_bio gum_interview gum_news gum_speech gum_vlog gum_voyage web_email_ewt_uner "
    "defence_re3d_rest finance_sec_fin5"
).split()
_DOCUMENTS = {BIOGRAPHIES: 60, JUDGMENTS: 30, EVERYDAY: 8}
"""Of a source; of everyday texts, of each file."""
GRAMMATICAL = ("grammar", "range", "touching")
"""Classes of faults that can be seen without knowing what stood there."""
_CONTEXT = 90
_KEY = "TACENDA_BENCHMARK_KEY"
_WORDS = 1_600
_ROUNDS = 5
_BLANKS = re.compile(r"\s+")
_WRITTEN = re.compile(r"\*{3}|\[[^\]]*\]")
_TAG = re.compile(r"\[([A-Z]+) \d+\]")


@dataclass(frozen=True, slots=True)
class Piece:
    """A line of the list: something written, with its place before and after."""

    operator: str
    source: str
    type: str
    document: str
    before: str
    after: str
    verdict: str = ""
    fault: str = ""


def is_held_out(id: str) -> bool:
    """Tell by a document's id alone whether only reading and measuring may use it."""
    return hashlib.sha256(id.encode()).digest()[0] % 2 == 1


def held_out(data: Path, part: int = 1) -> Iterator[tuple[str, Document]]:
    """Yield documents with their source, the same each time; those of a later part are others."""
    for source, file in (
        (BIOGRAPHIES, "wiki/biographies_train.json"),
        (JUDGMENTS, "tab/train.json"),
    ):
        items = json.loads((data / file).read_text("utf-8"))
        documents = [Document(item["doc_id"], item["text"]) for item in items]
        yield from ((source, each) for each in _selection(documents, _DOCUMENTS[source], part))
    for name in _WRITTEN_BY_PEOPLE:
        items = records(data / f"everyday/labelled/{name}.jsonl.gz")
        documents = [Document(item["id"], item["text"]) for item in items]
        yield from ((EVERYDAY, each) for each in _selection(documents, _DOCUMENTS[EVERYDAY], part))


def _selection(documents: Iterable[Document], size: int, part: int) -> list[Document]:
    unread = {item.id: item for item in documents if is_held_out(item.id)}
    ordered = sorted(unread.values(), key=lambda item: hashlib.sha256(item.id.encode()).digest())
    return ordered[(part - 1) * size : part * size]


def sanitized(
    data: Path, operators: Sequence[str], part: int = 1
) -> Iterator[tuple[str, str, Result]]:
    """Yield the source, the operator and the result of each held-out document."""
    os.environ[_KEY] = hashlib.sha256(b"strict reading").hexdigest()
    sanitizer = load(threads=1)
    threshold = sanitizer.threshold
    policies = {name: Policy(operator=name, key_env=_KEY) for name in operators}
    for source, document in held_out(data, part):
        analysis = sanitizer.analyze(document)
        for name, policy in policies.items():
            yield source, name, complete(analysis, policy, threshold).sanitized


def pieces(source: str, operator: str, result: Result) -> Iterator[Piece]:
    """Yield what was written other than ``***`` and tags."""
    types = {item.entity.id: str(item.entity.type) for item in result.decisions}
    for edit in _written(result):
        if _kind(edit.text, operator):
            continue
        yield Piece(
            operator,
            source,
            types[edit.entity_ids[0]],
            result.document.id,
            _marked(result.document.text, edit.original.start, edit.original.end),
            _marked(result.text, edit.output_start, edit.output_end),
        )


def _written(result: Result) -> Iterator[Replacement]:
    return (edit for edit in result.replacements if edit.entity_ids and edit.text)


def _kind(text: str, operator: str) -> str:
    """Return ``***`` or ``tag`` for what is no rewriting; else nothing."""
    if not text.replace(MASK, "").strip(" ,"):
        return MASK
    tag = _TAG.fullmatch(text.rstrip(",;:"))
    return "tag" if tag and (tag[1], operator) != ("PERSON", "generalize") else ""


def _marked(text: str, start: int, end: int) -> str:
    first, last = max(0, start - _CONTEXT), end + _CONTEXT
    parts = [text[first:start], text[start:end], text[end:last]]
    before, string, after = (re.sub("[«»]", '"', part) for part in parts)
    return _BLANKS.sub(" ", f"{before}«{string}»{after}")


def sample(items: Sequence[Piece], size: int, seed: int) -> list[Piece]:
    """Return as many of each source, and of each type in proportion to what the source has of it."""
    chance = random.Random(seed)
    strata: dict[str, dict[str, list[Piece]]] = defaultdict(lambda: defaultdict(list))
    for item in items:
        strata[item.source][item.type].append(item)
    chosen: list[Piece] = []
    for number, (_, by_type) in enumerate(sorted(strata.items())):
        share = size * (number + 1) // len(strata) - size * number // len(strata)
        total, passed, taken = sum(map(len, by_type.values())), 0, 0
        for _, members in sorted(by_type.items()):
            passed += len(members)
            goal = round(share * passed / total)
            chosen += chance.sample(members, min(goal - taken, len(members)))
            taken = goal
    return chosen


def draw(data: Path, path: Path, size: int, seed: int, part: int, operators: Sequence[str]) -> None:
    """Write a list to be judged."""
    written: dict[str, list[Piece]] = {name: [] for name in operators}
    for source, operator, result in sanitized(data, operators, part):
        written[operator] += pieces(source, operator, result)
    with path.open("w", encoding="utf-8", newline="") as file:
        lines = csv.writer(file, delimiter="\t", lineterminator="\n")
        lines.writerow(field.name for field in fields(Piece))
        for items in written.values():
            lines.writerows(astuple(item) for item in sample(items, size, seed))


def score(path: Path) -> None:
    """Print the share that could stay, by operator, source and type, and the classes of faults."""
    with path.open(encoding="utf-8", newline="") as file:
        rows = [Piece(**row) for row in csv.DictReader(file, delimiter="\t")]
    if unread := sum(row.verdict not in ("yes", "no") for row in rows):
        sys.exit(f"{path}: {unread} of {len(rows)} lines have no verdict of yes or no.")
    print_header("| pieces | read | could stay |")
    for operator in dict.fromkeys(row.operator for row in rows):
        ours = [row for row in rows if row.operator == operator]
        groups = {"all": ours}
        for row in ours:
            groups.setdefault(row.source, []).append(row)
        for row in sorted(ours, key=lambda row: row.type):
            groups.setdefault(row.type, []).append(row)
        for name, group in groups.items():
            hits = sum(row.verdict == "yes" for row in group)
            print(f"| {operator}, {name} | {len(group)} | {rate(hits, len(group))} |")
    _print_checks([row for row in rows if row.operator == "generalize"])
    for operator in dict.fromkeys(row.operator for row in rows):
        faults = Counter(
            row.fault for row in rows if row.operator == operator and row.verdict == "no"
        )
        print(f"\n{operator}: " + ", ".join(f"{name} {n}" for name, n in faults.most_common()))


def _print_checks(rows: Sequence[Piece]) -> None:
    """Print how far the automatic checks of grammar agree with the reader."""
    alarms = [bool(_errors(row)) for row in rows]
    faults = [row.fault in GRAMMATICAL for row in rows]
    hits = sum(alarm and fault for alarm, fault in zip(alarms, faults, strict=True))
    print(f"\nChecks of grammar: {sum(alarms)} alarms, {sum(faults)} faults read, {hits} of both")
    if any(alarms) and any(faults):
        print(f"precision {rate(hits, sum(alarms))}, recall {rate(hits, sum(faults))}")


def _errors(row: Piece) -> list[str]:
    """Return the kinds of errors at the piece of a line; what else stands in brackets was written, too."""
    before, string, after = re.split("[«»]", row.after)
    original = re.split("[«»]", row.before)[1]
    text = before + string + after
    place = Span(len(before), len(before) + len(string))
    others = [Span(*match.span()) for match in _WRITTEN.finditer(text)]
    spans = sorted([place, *(span for span in others if not span.overlaps(place))])
    written = [(span, original if span == place else span.of(text)) for span in spans]
    return [error.kind for error in grammar_errors(text, written) if error.span.overlaps(place)]


def figures(data: Path) -> None:
    """Print the share of ``***``, utility, and the time after detection."""
    kinds: dict[tuple[str, str], Counter[str]] = defaultdict(Counter)
    releases: dict[str, list[Release]] = defaultdict(list)
    for source, operator, result in sanitized(data, OPERATORS):
        kinds[source, operator].update(_kind(edit.text, operator) for edit in _written(result))
        if operator == "generalize":
            edits = [
                Rewriting(edit.original.start, edit.original.end, edit.text)
                for edit in result.replacements
            ]
            releases[source].append(Release(result.document.id, result.document.text, tuple(edits)))
    print_header("| source | pieces | `***` | tags |")
    for (source, operator), counts in sorted(kinds.items()):
        shares = [rate(counts[kind], counts.total()) for kind in (MASK, "tag")]
        print(f"| {source}, {operator} | {counts.total()} | {shares[0]} | {shares[1]} |")
    print_header("\n| source | utility of generalised text | facts | topics | classification |")
    for source, items in releases.items():
        parts = measure_utility(items).figures
        low, high = parts["utility"].interval or (0.0, 0.0)
        shares = " | ".join(
            f"{parts[name].value or 0:.3f}" for name in ("facts", "topics", "classification")
        )
        print(f"| {source} | {parts['utility'].value:.3f} [{low:.3f}, {high:.3f}] | {shares} |")
    seconds = list(_times(data))
    print(
        f"\nAfter detection of {_WORDS:,} words, processor time of {len(seconds)} runs: median "
        f"{1_000 * statistics.median(seconds):.0f} ms, slowest {1_000 * max(seconds):.0f} ms"
    )


def _times(data: Path) -> Iterator[float]:
    sanitizer, policy = load(threads=1), Policy(operator="generalize")
    texts = "\n".join(item.text for source, item in held_out(data) if source == JUDGMENTS)
    lines: list[str] = []
    for line in texts.split("\n"):
        lines.append(line)
        if sum(len(each.split()) for each in lines) >= _WORDS:
            analysis = sanitizer.analyze(Document("judgments", "\n".join(lines)))
            lines = []
            for _ in range(_ROUNDS):
                start = time.process_time()
                complete(analysis, policy, sanitizer.threshold)
                yield time.process_time() - start


def main(parser: argparse.ArgumentParser) -> None:
    """Read the command line."""
    commands = parser.add_subparsers(required=True)
    drawing = commands.add_parser("draw")
    drawing.add_argument("data", type=Path)
    drawing.add_argument("path", type=Path)
    drawing.add_argument("--size", type=int, default=200)
    drawing.add_argument("--seed", type=int, default=1)
    drawing.add_argument("--part", type=int, default=1)
    drawing.add_argument("--operators", nargs="+", choices=OPERATORS, default=OPERATORS)
    drawing.set_defaults(run=lambda a: draw(a.data, a.path, a.size, a.seed, a.part, a.operators))
    scoring = commands.add_parser("score")
    scoring.add_argument("path", type=Path)
    scoring.set_defaults(run=lambda a: score(a.path))
    counting = commands.add_parser("figures")
    counting.add_argument("data", type=Path)
    counting.set_defaults(run=lambda a: figures(a.data))
    arguments = parser.parse_args()
    arguments.run(arguments)
