"""What is found of personal data in another language by the shipped model, by patterns, and by a model of that language.

    for F in DATA/everyday/labelled/es/*.gz; do zcat $F | awk 'NR % 2'; done |
      tacenda convert - --from jsonl --to tab --fill entity=string --fill identifier_type=DIRECT --annotator gold -o es.json
    tacenda lab train adapt es.json --lang es -o my-es
    python -m benchmarks second_languages DATA es --model my-es

The documents with an even number are trained on, those with an odd one are measured here. *Explicit* is the share of
direct identifiers, or of the names of people in a source that decides nothing, of which every letter and digit is
masked; *others* the same of all other identifiers. *Precision* is the share of the masked letters and digits that are
personal, in documents with identifiers; in a source of names alone, of those masked as a name, and of all those masked.
*Innocent* is the share of words of which anything is masked, in documents without identifiers, among them guides and
statutes. Intervals: 95 %, bootstrap over documents.
"""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence
from dataclasses import astuple
from typing import Any

import numpy as np

from benchmarks.everyday import cell
from benchmarks.sets import Text, add_recognizer_arguments, boxed, count
from benchmarks.tables import print_header
from tacenda import load
from tacenda.document import Span
from tacenda.pipeline import Sanitizer
from tacenda.result import Result
from tacenda_lab.train.corpus import records

_NAMES = frozenset({"PERSON", "LOC", "ORG", "MISC"})


def text_of(record: Mapping[str, Any]) -> Text:
    """Return a record with its identifiers; names of people are direct where the source decides nothing."""
    spans = tuple(
        (start, end, mask == "DIRECT" or (mask is None and type == "PERSON"))
        for start, end, type, mask in record.get("spans", ())
        if mask != "NO_MASK"
    )
    return Text("", record["id"], record["text"], spans, complete=True)


def masked_names(result: Result) -> list[Span]:
    """Return the mentions that are masked as a name."""
    return [
        mention.span
        for decision in result.decisions
        if decision.masked and decision.entity.type in _NAMES
        for mention in decision.entity.mentions
    ]


def cells(texts: Sequence[Text], sanitizer: Sanitizer, *, names: bool) -> list[str]:
    """Return explicit, others, precision and innocent; precision is twofold for ``names`` alone."""
    results = list(sanitizer.pipe(text.text for text in texts))
    all_masks = [[item.original for item in result.replacements] for result in results]
    random = np.random.default_rng(1)
    columns = []
    for masks in (list(map(masked_names, results)), all_masks) if names else (all_masks,):
        counts = np.array([astuple(count(*pair)) for pair in zip(texts, masks, strict=True)])
        columns.append([cell(counts[:, place].astype(float), random, True) for place in range(4)])
    explicit, others, precision, _ = columns[0]
    if names and precision:
        precision += f", all {columns[1][2]}"
    return [explicit, others, precision, columns[-1][3]]


def main(parser: argparse.ArgumentParser) -> None:
    add_recognizer_arguments(parser)
    parser.add_argument("language", help="ISO 639-1 code, a folder of everyday/labelled.")
    arguments = parser.parse_args()
    shipped = load(boxed(), threads=1)
    patterns = shipped.policy.model_copy(update={"languages": "patterns"})
    systems = {"shipped": shipped, "patterns alone": shipped.with_policy(patterns)}
    if arguments.model:
        systems[arguments.model] = load(boxed(), model=arguments.model, threads=1)
    print_header("| source | system | documents | explicit | others | precision | innocent |")
    everyday = arguments.data / "everyday"
    for path in sorted(everyday.glob(f"*/{arguments.language}/*.gz"), reverse=True):
        documents = list(records(path))[1::2]
        texts = [text_of(record) for record in documents]
        labels = {mask for record in documents for *_, mask in record.get("spans", ())}
        for name, sanitizer in systems.items():
            figures = cells(texts, sanitizer, names="DIRECT" not in labels)
            row = [path.name.partition(".")[0], name, str(len(texts)), *figures]
            print("| " + " | ".join(row) + " |", flush=True)
