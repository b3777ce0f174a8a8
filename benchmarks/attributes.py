"""Which attributes of whom can still be inferred, and what is left to read, on texts of our own.

    python -m benchmarks attributes                       # the held-out half
    python -m benchmarks attributes --tune                # the half that rules were written on
    python -m benchmarks attributes --attributes "occupation, health, age" --policy lenient

``tests/data/attributes/people.jsonl`` has posts in the first person and documents with several people, with what is true
of each of them and the words that tell it. *attackers*: share of what the rules infer of the originals for certain that
neither they nor a classifier fitted to the other releases infer from the release (``measure_protection``). *annotated*: share of
all true attributes that are told of which no telling phrase is left; a phrase is left while its rarest word is. Both of the subject of a text
and of everybody else, for the attributes to hide. Utility: ``tacenda evaluate masks --utility``.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np

import tacenda
from benchmarks.tables import print_header
from tacenda.document import Document, Span
from tacenda.evaluate.releases import Release, Rewriting
from tacenda.evaluate.utility import measure_utility
from tacenda.reidentify.attributes import (
    AttributeGuard,
    ProtectionReport,
    ReleasePair,
    measure_protection,
    names_of,
    parse_attributes,
)
from tacenda.result import Result
from tacenda.text.information import WORD, UnigramSurprisal

_DATA = Path(__file__).parents[1] / "tests" / "data" / "attributes" / "people.jsonl"
_ATTRIBUTES = "occupation, health, age, birth, education"
_DRAWS = 2000


def read(part: str) -> list[dict[str, Any]]:
    """Return the texts of a part."""
    rows = map(json.loads, _DATA.read_text("utf-8").splitlines())
    return [row for row in rows if row["part"] == part]


def annotated(
    row: Mapping[str, Any], result: Result, attributes: frozenset[str]
) -> Iterator[tuple[bool, str, bool]]:
    """Yield for each true attribute whether it is of the subject, its name, and whether no telling phrase is left."""
    edited = [each.original for each in result.replacements]
    for person in row["people"]:
        for name, item in person["attributes"].items():
            if name in attributes and item["words"]:
                phrases = [Span(*span) for span in item["words"]]
                hidden = all(_is_gone(row["text"], phrase, edited) for phrase in phrases)
                yield person["id"] == row["subject"], name, hidden


def _is_gone(text: str, phrase: Span, edited: list[Span]) -> bool:
    """Return whether the rarest word of a phrase was edited."""
    surprisal = UnigramSurprisal.shipped().surprisal
    words = [
        Span(phrase.start + match.start(), phrase.start + match.end())
        for match in WORD.finditer(phrase.of(text))
    ]
    rarest = max(words, key=lambda word: surprisal(word.of(text).lower()))
    return any(span.overlaps(rarest) for span in edited)


def interval(documents: list[list[bool]]) -> str:
    """Return the share that holds, with its 95 % interval by bootstrap over documents."""
    counts = np.array([(sum(items), len(items)) for items in documents if items])
    if not len(counts):
        return "–"
    random = np.random.default_rng(1)
    draws = counts[random.integers(0, len(counts), (_DRAWS, len(counts)))].sum(axis=1)
    low, high = np.quantile(draws[:, 0] / draws[:, 1], [0.025, 0.975])
    hits, n = counts.sum(axis=0)
    return f"{hits / n:.3f} [{low:.3f}, {high:.3f}] of {n}"


def by_document(
    report: ProtectionReport, is_subject: bool, keep: Callable[[str], bool]
) -> list[list[bool]]:
    """Return of each document which known attributes of its subject, or of others, are protected."""
    documents: dict[str, list[bool]] = {}
    for person in report.people:
        if person.is_subject is is_subject:
            documents.setdefault(person.document, []).extend(
                item.left is None for item in person.known if keep(item.attribute)
            )
    return list(documents.values())


def _pair(result: tacenda.Result) -> ReleasePair:
    document = result.document
    return ReleasePair(document.id, document.text, result.text, names_of(result.entities))


def release_of(result: tacenda.Result) -> Release:
    """The edits of a result, to measure."""
    edits = [Rewriting(e.original.start, e.original.end, e.text) for e in result.replacements]
    return Release(result.document.id, result.document.text, tuple(edits))


def main(parser: argparse.ArgumentParser) -> None:
    """Print the tables."""
    parser.add_argument("--tune", action="store_true")
    parser.add_argument("--attributes", default=_ATTRIBUTES)
    parser.add_argument("--policy", default="default")
    parser.add_argument("--operator", default=None)
    parser.add_argument("--left", action="store_true", help="print what is left (with --tune)")
    arguments = parser.parse_args()
    rows = read("tune" if arguments.tune else "held out")
    attributes = parse_attributes(arguments.attributes)
    guard = AttributeGuard(attributes)
    policy = tacenda.Policy.load(arguments.policy)
    if arguments.operator:
        policy = policy.with_changes(operator=arguments.operator)
    plain = tacenda.load(policy)
    hiding = tacenda.load(
        guard.policy(policy), detectors=(guard,), indicators=(guard,), checks=(guard,)
    )
    documents = [Document(row["id"], row["text"]) for row in rows]
    summary = []
    for name, sanitizer in ((Path(arguments.policy).stem, plain), ("with --attributes", hiding)):
        results = list(sanitizer.pipe(documents))
        report = measure_protection([_pair(result) for result in results], attributes)
        utility = measure_utility([release_of(result) for result in results]).figures["utility"]
        low, high = utility.interval
        kept = f"{utility.value:.3f} [{low:.3f}, {high:.3f}]"
        print(f"\n{name}\n")
        print_header("| | attackers: subject | others | annotated: subject | others |")
        judged = [
            list(annotated(row, result, attributes))
            for row, result in zip(rows, results, strict=True)
        ]
        for label in ("all", *sorted(attributes)):

            def keep(value: str, label: str = label) -> bool:
                return label in ("all", value)

            cells = [
                interval(by_document(report, is_subject, keep)) for is_subject in (True, False)
            ]
            cells += [
                interval(
                    [
                        [hit for who, kind, hit in items if who is is_subject and keep(kind)]
                        for items in judged
                    ]
                )
                for is_subject in (True, False)
            ]
            print(f"| {label} | {' | '.join(cells)} |")
            if label == "all":
                summary.append(f"| {name} | {kept} | {' | '.join(cells)} |")
        if arguments.left and arguments.tune:
            for row, result, items in zip(rows, results, judged, strict=True):
                print(row["id"], [kind for _, kind, hit in items if not hit], result.text)
    print()
    print_header("| | utility | attackers: subject | others | annotated: subject | others |")
    print(*summary, sep="\n")
