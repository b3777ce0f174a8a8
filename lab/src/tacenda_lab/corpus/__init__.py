"""The corpus that recognizers are trained and measured on: real and purpose-written texts, marked by one guide.

    lab/corpus/written/SPLIT/LANGUAGE-GROUP.txt    texts written for it, in markup (``markup``)
    lab/corpus/existing/SPLIT/LANGUAGE-GROUP.jsonl  texts of other sources, marked standoff (``standoff``)
    lab/corpus/doubles/LANGUAGE-GROUP.jsonl         second, blind marks of some of these documents

``load`` reads all of them; ``check`` has their rules; the command is ``python -m
tacenda_lab.corpus``.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path, PurePath

from . import markup, standoff
from .documents import CorpusDocument

__all__ = ["CorpusDocument"]

FOLDER = Path(__file__).resolve().parents[3] / "corpus"
SPLITS = ("train", "dev", "test")


def load(
    folder: Path = FOLDER,
    split: str | None = None,
    language: str | None = None,
    group: str = "*",
) -> Iterator[CorpusDocument]:
    """Yield the documents of the corpus, file by file in name order.

    Args:
        folder: folder of the corpus.
        split: only documents in this split.
        language: only documents in this language, an ISO 639-1 code.
        group: ``written`` or ``existing``; all by default.

    Raises:
        InputError: a file can't be read, or a document is malformed.
    """
    for part in SPLITS if split is None else (split,):
        for path in sorted(folder.glob(f"{group}/{part}/{language or '*'}-*.*")):
            yield from read(path.read_text("utf-8"), str(path))


def read(content: str, name: str) -> Iterator[CorpusDocument]:
    """Yield the documents in a file; its folder's name is their split.

    Raises:
        InputError: the file can't be read, or a document is malformed.
    """
    path = PurePath(name)
    reader = markup if path.suffix == ".txt" else standoff
    yield from reader.read(content, name, path.parent.name)
