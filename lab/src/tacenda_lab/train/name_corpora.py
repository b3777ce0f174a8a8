"""Corpora of named entities, brought to PERSON, ORG, LOC and, for all other names, MISC.

None of them is the benchmark's, and none has a masking decision.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

import numpy as np

from tacenda.errors import InputError
from tacenda.models.encoding import TextEncoder

from .examples import Example, MarkedSpan, example
from .tables import load_tables

# Sentences of a column file as texts: a word and its label a line, an empty line after a sentence.
#
# Labels are ``O``, ``B-type`` and ``I-type``; ``I`` also begins a mention (IO and IOB1), where it
# follows no word of its type.


Sentence = Sequence[tuple[str, str]]
"""Words, each with its label."""

# Many corpora give sentences in no order: a text of some, as long as a window or so.
_CHARACTERS = 800


def read_sentences(path: Path) -> Iterator[list[tuple[str, str]]]:
    """Yield the sentences of a file.

    Raises:
        InputError: at a line without a label.
    """
    sentence: list[tuple[str, str]] = []
    # Not splitlines: tweets have words that it takes for the end of a line.
    for number, line in enumerate(path.read_text(encoding="utf-8").split("\n"), start=1):
        if not line.strip() or line.startswith("-DOCSTART-"):
            if sentence:
                yield sentence
            sentence = []
            continue
        separator = "\t" if "\t" in line else " "
        word, middle, label = line.strip("\r ").rpartition(separator)
        if not middle:
            raise InputError(f"line {number} has no label beside its word", str(path))
        # A word of invisible characters only is none.
        if word.strip():
            sentence.append((word.split()[0], label))
    if sentence:
        yield sentence


def texts_of(
    sentences: Iterable[Sentence], types: Mapping[str, str]
) -> Iterator[tuple[str, list[MarkedSpan]]]:
    """Yield texts of some sentences each, with their mentions.

    Args:
        sentences: in order.
        types: from the corpus's labels, without prefix, to semantic types; labels not in it become
            no mention.
    """
    text, marked = "", list[MarkedSpan]()
    for sentence in sentences:
        if len(text) > _CHARACTERS:
            yield text, marked
            text, marked = "", []
        previous = "O"
        for word, label in sentence:
            text += " " if text else ""
            start, end = len(text), len(text) + len(word)
            text += word
            prefix, _, name = label.partition("-")
            type = types.get(name)
            if type is not None:
                if prefix == "I" and name == previous:
                    marked[-1] = MarkedSpan(marked[-1].start, end, type, None)
                else:
                    marked.append(MarkedSpan(start, end, type, None))
            previous = name if prefix != "O" else "O"
    if text:
        yield text, marked


@cache
def label_types(corpus: str) -> dict[str, str]:
    """Return the semantic type of each label of a corpus."""
    table: dict[str, list[str]] = load_tables("name_corpora")[corpus]
    return {label: type for type, labels in table.items() for label in labels}


@dataclass(frozen=True, slots=True)
class NameCorpora:
    """Corpora of the generic recognizer.

    Attributes:
        edited: encyclopaedia and synthetic sentences.
        tweets: in parts, for a few of them an epoch: they are many, and far from judgments.
    """

    edited: list[Example]
    tweets: tuple[list[Example], list[Example]]

    @classmethod
    def read(cls, data: Path, encoder: TextEncoder) -> NameCorpora:
        """Read the corpora under ``data/ner`` and ``data/pii``."""
        ner = data / "ner"
        edited = [
            *_columns(
                sorted((ner / "crossner/ner_data").glob("*/*.txt")),
                label_types("crossner"),
                encoder,
            ),
            *_columns(
                sorted((ner / "wikigold").glob("*.conll.txt")), label_types("wikigold"), encoder
            ),
            *_personal_data(sorted((data / "pii").glob("presidio_*.json")), encoder),
        ]
        tweets = [
            *_columns(sorted((ner / "BTC").glob("*.conll")), label_types("tweets"), encoder),
            *_columns(sorted((ner / "WNUT17").glob("*.conll")), label_types("wnut"), encoder),
            *_columns(sorted((ner / "WNUT17").glob("*.annotated")), label_types("wnut"), encoder),
        ]
        return cls(edited, (tweets[::2], tweets[1::2]))

    def of_epoch(self, epoch: int) -> list[Example]:
        """Return the examples of an epoch: everything edited and every second text of tweets."""
        return [*self.edited, *self.tweets[epoch % 2]]


def _columns(paths: list[Path], types: dict[str, str], encoder: TextEncoder) -> Iterator[Example]:
    for path in paths:
        name = f"{path.parent.name}/{path.name}"
        for number, (text, marked) in enumerate(texts_of(read_sentences(path), types)):
            yield types_only_example(f"{name}-{number}", text, marked, encoder, "names")


def _personal_data(paths: list[Path], encoder: TextEncoder) -> Iterator[Example]:
    for path in paths:
        for number, document in enumerate(json.loads(path.read_text(encoding="utf-8"))):
            marked = [
                MarkedSpan(span["start_position"], span["end_position"], type, None)
                for span in document["spans"]
                if (type := label_types("personal_data").get(span["entity_type"])) is not None
            ]
            yield types_only_example(
                f"{path.stem}-{number}", document["full_text"], marked, encoder, "personal"
            )


def types_only_example(
    doc_id: str, text: str, marked: list[MarkedSpan], encoder: TextEncoder, corpus: str
) -> Example:
    """Return an example of types alone, without masking decisions."""
    result = example(doc_id, text, [marked], encoder, corpus)
    return replace(result, mask_known=np.zeros_like(result.mask_known))
