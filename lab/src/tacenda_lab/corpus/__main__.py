"""``python -m tacenda_lab.corpus``: check the corpus, turn lists of strings into marks, and count.

python -m tacenda_lab.corpus check [FILE ...] [--shared DATA]
python -m tacenda_lab.corpus place LISTS TEXTS.jsonl -o OUT.jsonl
python -m tacenda_lab.corpus count
"""

from __future__ import annotations

import argparse
import gzip
import json
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from tacenda.document import IdentifierType, SemanticType
from tacenda.errors import InputError

from . import FOLDER, check, load, read, standoff
from .documents import CorpusDocument

_WIKIREPLACE, _EVERYDAY, _TAB = (
    "wiki/wikireplace_dev.json",
    "everyday/dev_everyday.jsonl.gz",
    "tab/dev.json",
)


def _read(paths: list[Path]) -> list[CorpusDocument]:
    if not paths:
        return list(load())
    return [document for path in paths for document in read(path.read_text("utf-8"), str(path))]


def _held_out(data: Path) -> Iterator[str]:
    """Return the texts that quality is judged on."""
    for name in (_TAB, _WIKIREPLACE):
        for record in json.loads((data / name).read_text("utf-8")):
            yield record["text"]
    with gzip.open(data / _EVERYDAY, "rt", encoding="utf-8") as lines:
        for line in lines:
            yield json.loads(line)["text"]


def _check(arguments: argparse.Namespace) -> int:
    documents = _read(arguments.files)
    written = [document for document in documents if not document.source]
    faults = [fault for document in documents for fault in check.faults(document)]
    faults += check.look_alikes(written)
    names = Counter(document.id for document in documents)
    faults += (f"{name} occurs {count} times" for name, count in names.items() if count > 1)
    if arguments.shared.is_dir():
        faults += check.near(documents, _held_out(arguments.shared))
    else:
        print(f"{arguments.shared} is missing; held-out texts were not compared", file=sys.stderr)
    print(*faults, f"{len(documents)} documents, {len(faults)} faults", sep="\n")
    return int(bool(faults))


def _place(arguments: argparse.Namespace) -> int:
    documents = {document.id: document for document in _read([arguments.texts])}
    placed, faults = [], []
    for id, lines in standoff.read_lists(arguments.lists).items():
        if id not in documents:
            faults.append(f"{id}: not in {arguments.texts}")
            continue
        try:
            marks = standoff.place(documents[id].text, lines, id)
        except InputError as error:
            faults.append(str(error))
            continue
        has_people = any(mark.is_masked for mark in marks)
        placed.append(replace(documents[id], marks=marks, has_people=has_people))
    faults += (fault for document in placed for fault in check.faults(document))
    arguments.output.write_text(standoff.write(placed), "utf-8")
    print(*faults, f"{len(placed)} documents placed, {len(faults)} faults", sep="\n")
    return int(bool(faults))


def _count(_: argparse.Namespace) -> int:
    """Print a Markdown table of what the corpus contains."""
    rows: dict[tuple[str, ...], Counter[str]] = defaultdict(Counter)
    kinds: dict[tuple[str, ...], set[str]] = defaultdict(set)
    for document in load():
        existing = "judgments" if document.genre == "judgment" else "real"
        key = existing if document.source else "written", document.language, document.split
        marks = document.marks
        kinds[key].add(document.genre)
        rows[key].update("traps" if mark.type is None else mark.type.value for mark in marks)
        rows[key].update(
            {
                "documents": 1,
                "with people": document.has_people,
                "words": len(document.text.split()),
                "direct": sum(mark.identifier is IdentifierType.DIRECT for mark in marks),
                "named": sum(bool(mark.type) and not mark.is_masked for mark in marks),
            }
        )
    total = "all", "", ""
    kinds[total] = set().union(*kinds.values())
    rows[total] = sum(list(rows.values()), Counter())
    sizes = "documents", "with people", "words", "kinds"
    columns = *sizes, *SemanticType, "traps", "direct", "named"
    print("| group | language | part |", " | ".join(columns), "|")
    print("|---" * (3 + len(columns)) + "|")
    for cells, row in sorted(rows.items(), key=lambda item: (item[0] == total, item[0])):
        row["kinds"] = len(kinds[cells])
        print("|", " | ".join((*cells, *(f"{row[column]:,}" for column in columns))), "|")
    return 0


def main() -> int:
    """Run a command on the corpus; return 1 if something is wrong."""
    parser = argparse.ArgumentParser(prog="python -m tacenda_lab.corpus", description=__doc__)
    commands = parser.add_subparsers(required=True)
    of_check = commands.add_parser("check", help="check the corpus, or some files of it")
    of_check.add_argument("files", nargs="*", type=Path)
    of_check.add_argument("--shared", type=Path, default=FOLDER.parents[2] / "shared" / "data")
    of_check.set_defaults(run=_check)
    of_place = commands.add_parser("place", help="make marks of lists of strings")
    of_place.add_argument("lists", type=Path)
    of_place.add_argument("texts", type=Path)
    of_place.add_argument("-o", "--output", type=Path, required=True)
    of_place.set_defaults(run=_place)
    commands.add_parser("count", help="count documents, words, marks").set_defaults(run=_count)
    arguments = parser.parse_args()
    return int(arguments.run(arguments))


if __name__ == "__main__":
    sys.exit(main())
