"""Texts for ``tacenda attack --tests``: posts with the attributes of their authors, and biographies.

    python -m benchmarks attribute_data ../shared/data folder

writes ``posts.jsonl`` (held out: every second author by digest; rules were written on the others), the same
without attributes as ``unlabelled.jsonl``, and
``biographies.jsonl`` (WikiReplace, which no rule was written on).
"""

from __future__ import annotations

import argparse
import gzip
import hashlib
import json
from pathlib import Path
from typing import Any

_KEYS = ("sex", "age", "city_country", "occupation", "relationship_status")


def posts(data: Path) -> list[dict[str, Any]]:
    """Return the posts of held-out authors: synthetic answers in forums, labelled by their makers."""
    path = data / "everyday" / "descriptions" / "synthetic_reddit_attributes.jsonl.gz"
    rows = []
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        for record in map(json.loads, lines):
            author = json.dumps(record["attributes"], sort_keys=True).encode()
            digest = hashlib.sha256(author)
            if digest.digest()[0] % 2:
                labels = {key: record["attributes"][key] for key in _KEYS}
                row = {"id": record["id"], "person": digest.hexdigest()[:8], "attributes": labels}
                rows.append(row | {"text": record["text"]})
    return rows


def biographies(data: Path) -> list[dict[str, Any]]:
    """Return the biographies of WikiReplace."""
    documents = json.loads((data / "wiki" / "wikireplace_dev.json").read_text("utf-8"))
    if isinstance(documents, dict):
        documents = list(documents.values())
    return [{"id": f"b{n}", "text": item["text"]} for n, item in enumerate(documents)]


def main(parser: argparse.ArgumentParser) -> None:
    """Write the files."""
    parser.add_argument("data", type=Path)
    parser.add_argument("output", type=Path)
    arguments = parser.parse_args()
    arguments.output.mkdir(parents=True, exist_ok=True)
    labelled = posts(arguments.data)
    unlabelled = [{k: v for k, v in row.items() if k != "attributes"} for row in labelled]
    written = {
        "posts": labelled,
        "unlabelled": unlabelled,
        "biographies": biographies(arguments.data),
    }
    for name, rows in written.items():
        lines = (json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
        (arguments.output / f"{name}.jsonl").write_text("".join(lines), "utf-8")
