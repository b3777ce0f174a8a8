"""What the adversary whose search is emulated could know: public judgments, none of a development split."""

from __future__ import annotations

import gzip
import json
from collections.abc import Sequence
from enum import StrEnum
from pathlib import Path
from typing import Any

from ...background.documents import IndexBuilder

JUDGMENTS = "background/echr_judgments.json.gz"
OPENINGS = "reid/tab_public_background.json.gz"
TRAIN = "tab/train.json"


class Knows(StrEnum):
    """How much of the judgments about the people to protect is public."""

    WHOLE = "whole"
    OPENING = "opening"


def build_index(data: Path, path: Path, knows: Knows) -> None:
    """Write the index of an adversary.

    It holds the background judgments, the first tenths of the public versions of the training judgments
    and, unless the adversary knows no more, the training judgments whole.

    Args:
        data: the data folder.
        path: the file to write.
        knows: how much.

    Raises:
        InputError: if a document can't be read.
    """
    trained: Sequence[dict[str, Any]] = read(data / TRAIN)
    judgments, openings = read(data / JUDGMENTS), read(data / OPENINGS)
    own = {record["doc_id"] for record in trained}
    # Public versions are there of judgments to train on and of those to develop on.
    left_out = set(openings) - own
    sources = {JUDGMENTS: judgments, OPENINGS: openings}
    if knows is Knows.WHOLE:
        sources[TRAIN] = {record["doc_id"]: record["text"] for record in trained}
    with IndexBuilder(path) as builder:
        for source, texts in sources.items():
            builder.begin(source)
            for name, text in texts.items():
                if name not in left_out:
                    builder.add(f"{source}#{name}", text)
            builder.finish()


def read(path: Path) -> Any:
    """Return the content of a JSON file, compressed or not."""
    content = path.read_bytes()
    return json.loads(gzip.decompress(content) if path.suffix == ".gz" else content)
