"""Official figures on the development documents, by the commands a user would type.

    python -m benchmarks quality DATA
    python -m benchmarks quality DATA --corpus tab/dev_real.json --threshold .1 .2 .3
    python -m benchmarks quality DATA --corpus tab/dev_real.json --case lower upper
    python -m benchmarks quality DATA --model FOLDER

Prints one row a corpus: what `tacenda sanitize --to masks` masks, scored by `tacenda evaluate masks`, with intervals of 95 %.
No document of these corpora was trained on, and one default threshold serves all. A corpus is a file of DATA, or any other;
in another case it is the same, code point by code point. Options that are not known here go to `sanitize`.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

from benchmarks.tables import print_header

CORPORA = ("tab/dev_real.json", "tab/dev.json", "wiki/wikireplace_dev.json")
KEYS = (
    "token_recall",
    "entity_recall_direct",
    "entity_recall_quasi",
    "token_precision",
    "token_f1",
)
CASES: dict[str, Callable[[str], str]] = {"as it is": str, "lower": str.lower, "upper": str.upper}


def tacenda(*arguments: str) -> str:
    command = [sys.executable, "-m", "tacenda", *arguments]
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout


def main(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("data", type=Path)
    parser.add_argument("--corpus", nargs="+", default=CORPORA)
    parser.add_argument("--threshold", nargs="+", default=[""])
    parser.add_argument("--case", nargs="+", choices=CASES, default=["as it is"])
    parser.add_argument("--model", help="name or folder of a recognizer; else the default")
    options, extra = parser.parse_known_args()
    extra += ["--model", options.model] if options.model else []
    print_header("| corpus | threshold | documents | R | ER_di | ER_qi | P | F1 |")
    for corpus in options.corpus:
        for case in options.case:
            for threshold in options.threshold:
                cut = ["--threshold", threshold] if threshold else []
                scores = figures(options.data / corpus, CASES[case], *cut, *extra)
                name = corpus if case == "as it is" else f"{corpus}, {case} case"
                print(f"| {name} | {threshold} | {' | '.join(scores)} |", flush=True)


def figures(path: Path, change: Callable[[str], str], *options: str) -> list[str]:
    """Return the number of documents, and each figure with its interval."""
    with tempfile.TemporaryDirectory() as folder:
        gold, masks = Path(folder) / "gold.json", Path(folder) / "masks.json"
        gold.write_text(json.dumps(changed(path, change)), encoding="utf-8")
        tacenda("sanitize", str(gold), "--to", "masks", "-o", str(masks), *options)
        scores = json.loads(
            tacenda("evaluate", "masks", str(gold), str(masks), "--bootstrap", "1000", "--json")
        )
    ends = scores["intervals"]
    cells = [f"{scores[key]:.3f} [{ends[key][0]:.3f}, {ends[key][1]:.3f}]" for key in KEYS]
    return [str(scores["documents"]), *cells]


def changed(path: Path, change: Callable[[str], str]) -> list[dict[str, Any]]:
    """Return the documents of a gold file with each code point changed that becomes one again."""
    documents: list[dict[str, Any]] = json.loads(path.read_text(encoding="utf-8"))
    for document in documents:
        document["text"] = "".join(
            new if len(new := change(point)) == 1 else point for point in document["text"]
        )
        for annotation in document["annotations"].values():
            for mention in annotation["entity_mentions"]:
                mention["span_text"] = document["text"][
                    mention["start_offset"] : mention["end_offset"]
                ]
    return documents
