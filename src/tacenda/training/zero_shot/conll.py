"""Sentences of a column file as texts: a word and its label a line, an empty line after a sentence.

Labels are ``O``, ``B-type`` and ``I-type``; ``I`` also begins a mention (IO and IOB1), where it
follows no word of its type.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from ...errors import InputError
from ..examples import Marked

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
        word, found, label = line.strip("\r ").rpartition(separator)
        if not found:
            raise InputError(f"line {number} has no label beside its word", str(path))
        # A word of invisible characters only is none.
        if word.strip():
            sentence.append((word.split()[0], label))
    if sentence:
        yield sentence


def texts_of(
    sentences: Iterable[Sentence], types: Mapping[str, str]
) -> Iterator[tuple[str, list[Marked]]]:
    """Yield texts of some sentences each, with their mentions.

    Args:
        sentences: in order.
        types: from the corpus's labels, without prefix, to semantic types; what is not in it
            becomes no mention.
    """
    text, marked = "", list[Marked]()
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
                    marked[-1] = Marked(marked[-1].start, end, type, None)
                else:
                    marked.append(Marked(start, end, type, None))
            previous = name if prefix != "O" else "O"
    if text:
        yield text, marked
