"""Texts annotated inline, as TAB's JSON: what `tacenda evaluate masks` measures against.

    python -m benchmarks inline_markup FOLDER OUT.json

Reads every .txt of the folder; `[[DIRECT PERSON me|Marta Kowalczyk]]` is a mention (identifier type,
semantic type, name of the entity if it has several texts, the text itself).
"""

from __future__ import annotations

import argparse
import json
import re
from pathlib import Path
from typing import Any

from tacenda.document import IdentifierType, SemanticType
from tacenda.errors import InputError

MENTION = re.compile(r"\[\[(\w+) (\w+)(?: (\w+))?\|([^\[\]]+)\]\]")


def parse(marked: str, name: str) -> dict[str, Any]:
    """Return one document in TAB's format, with one annotator.

    Raises:
        InputError: naming the line of a mention that can't be read.
    """
    text, position = "", 0
    mentions = []
    for match in MENTION.finditer(marked):
        identifier, type, entity, span = match.groups()
        text += marked[position : match.start()]
        position = match.end()
        if identifier not in set(IdentifierType) or type not in set(SemanticType):
            line = marked.count("\n", 0, match.start()) + 1
            raise InputError(
                f"line {line}: '{identifier} {type}' is no identifier type and semantic type.", name
            )
        mentions.append(
            {
                "entity_type": type,
                "entity_mention_id": f"{name}_{len(mentions)}",
                "start_offset": len(text),
                "end_offset": len(text) + len(span),
                "span_text": span,
                "edit_type": "insert",
                "identifier_type": identifier,
                "entity_id": f"{name}_{entity or span}",
                "confidential_status": "NOT_CONFIDENTIAL",
            }
        )
        text += span
    text += marked[position:]
    if "[[" in text or "]]" in text:
        line = marked.count("\n", 0, marked.find("[[")) + 1
        raise InputError(f"a '[[' or ']]' belongs to no mention, first mark in line {line}.", name)
    return {
        "doc_id": name,
        "text": text,
        "dataset_type": "offdomain",
        "annotations": {"author": {"entity_mentions": mentions}},
    }


def main(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("folder", type=Path)
    parser.add_argument("output", type=Path)
    arguments = parser.parse_args()
    documents = [
        parse(path.read_text(encoding="utf-8"), path.stem)
        for path in sorted(arguments.folder.glob("*.txt"))
    ]
    arguments.output.write_text(
        json.dumps(documents, ensure_ascii=False, indent=1) + "\n", encoding="utf-8"
    )
