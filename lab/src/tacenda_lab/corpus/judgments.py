"""Judgments of the European Court of Human Rights, cut as the Text Anonymization Benchmark cuts them.

Procedure and circumstances of the case (TAB, section 3.1), a paragraph a line with an empty one between,
without the paragraphs' numbers. Texts: trusthlt/mining-legal-arguments, Apache-2.0.
"""

from __future__ import annotations

import gzip
import json
import re
from collections.abc import Iterable, Iterator
from pathlib import Path

from .documents import CorpusDocument

SOURCE = "trusthlt/mining-legal-arguments"
LICENCE = "Apache-2.0"
_BEGIN = re.compile(r"^(?:THE )?PROCEDURE$", re.MULTILINE)
_END = re.compile(
    r"^(?:(?:[IVX]+|[A-H])\.?\s+)?(?:THE )?(?:RELEVANT\b.*|LAW|AS TO THE LAW|COMPLAINTS?|PROCEEDINGS BEFORE THE (?:COURT|COMMISSION))$",
    re.MULTILINE | re.IGNORECASE,
)
_NUMBER = re.compile(r"^\d{1,3}\.\s+", re.MULTILINE)
_APPLICATION = re.compile(r"\b\d{1,5}/\d{2}\b")
_LEAST_WORDS, _MOST_WORDS = 350, 1700


def cut(judgment: str) -> str:
    """Procedure and facts of a judgment, whole paragraphs of at most 1,700 words; empty without them."""
    begin = _BEGIN.search(judgment)
    if begin is None:
        return ""
    body = judgment[begin.start() :]
    end = _END.search(body)
    if end is None:
        return ""
    paragraphs, words = [], 0
    for line in _NUMBER.sub("", body[: end.start()]).splitlines():
        words += len(line.split())
        if words > _MOST_WORDS:
            break
        if line.strip():
            paragraphs.append(line.strip())
    return "\n\n".join(paragraphs) + "\n"


def texts(judgments: Path, excluded: Iterable[Path]) -> Iterator[CorpusDocument]:
    """Yield unmarked judgments that have none of the excluded files' application numbers.

    Args:
        judgments: gzipped JSON, text by name.
        excluded: TAB's files.
    """
    numbers = {
        number
        for path in excluded
        for record in json.loads(path.read_text("utf-8"))
        for number in _APPLICATION.findall(record["text"][:600])
    }
    with gzip.open(judgments, "rt", encoding="utf-8") as file:
        by_name: dict[str, str] = json.load(file)
    for name, judgment in sorted(by_name.items()):
        if not numbers.isdisjoint(_APPLICATION.findall(judgment[:3000])):
            continue
        text = cut(judgment)
        if len(text.split()) >= _LEAST_WORDS:
            yield CorpusDocument(
                name,
                text,
                (),
                "train",
                "en",
                "judgment",
                has_people=True,
                source=SOURCE,
                licence=LICENCE,
            )
