"""CoNLL columns with BIO tags (Ramshaw & Marcus 1995, as IOB2): one token and its tag per line.

    -DOCSTART- (d1)	O
    Anna	B-PERSON
    Berg	I-PERSON
    spoke	O

A document starts with ``-DOCSTART-`` and its id in parentheses, as in AIDA CoNLL-YAGO (Hoffart et
al. 2011); documents without an id are numbered. An empty line ends a line of the text, but never
inside a mention. When reading, the first column is the token and the last one the tag. The format
doesn't store white space: without ``--text``, tokens are joined with spaces and sentences with line
breaks; with it, tokens are located in the original.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from ..document import Span
from ..errors import InputError
from .checked_json import bytes_of, text_of
from .corpus import (
    AnnotatedDocument,
    AnnotatedMention,
    AnnotationFormat,
    Feature,
    Files,
    Reading,
    Unit,
    only_file,
    unnamed,
)

# In BIO tags (IOB2), B starts a mention, I continues it, and O is outside.


_TAG = re.compile(r"(?P<prefix>[BI])(?:-(?P<type>\S+))?")


@dataclass(frozen=True, slots=True)
class TaggedToken:
    """A token, its tag, and its line in the file."""

    number: int
    token: str
    tag: str


def mentions_of(
    lines: Iterable[TaggedToken | None], places: Sequence[Span], id: str
) -> tuple[AnnotatedMention, ...]:
    """Return the mentions of a document.

    Args:
        lines: the document's tokens; None for the end of a sentence.
        places: each token's position in the text.
        id: the document's id, for messages.

    Raises:
        InputError: if a tag isn't BIO; names the line.
    """
    mentions: list[AnnotatedMention] = []
    open_type: str | None = None
    for line, place in zip((line for line in lines if line), places, strict=True):
        if line.tag == "O":
            open_type = None
            continue
        tag = _TAG.fullmatch(line.tag)
        if tag is None:
            raise InputError(
                f"line {line.number}: {line.tag!r} is not a BIO tag (B-TYPE, I-TYPE or O); convert "
                "other schemes to BIO first.",
                id,
            )
        type_ = tag["type"] or ""
        if tag["prefix"] == "B":
            mentions.append(AnnotatedMention((place,), type_))
        elif type_ != open_type:
            raise InputError(
                f"line {line.number}: {line.tag!r} continues a mention that no B- tag opened; in "
                "BIO (IOB2) every mention begins with B-.",
                id,
            )
        else:
            mentions[-1] = AnnotatedMention((Span(mentions[-1].start, place.end),), type_)
        open_type = type_
    return tuple(mentions)


def tags_of(document: AnnotatedDocument, tokens: Sequence[Span]) -> list[str]:
    """Return each token's tag; mentions are aligned with tokens and don't overlap.

    Raises:
        InputError: if a type contains white space.
    """
    tags = ["O"] * len(tokens)
    index_of = {token.start: index for index, token in enumerate(tokens)}
    for mention in document.mentions:
        if re.search(r"\s", mention.type):
            raise InputError(
                f"conll can't write the type {mention.type!r}, which has white space in it; "
                "use --rename OLD=NEW.",
                document.id,
            )
        type_ = f"-{mention.type}" if mention.type else ""
        index = index_of[mention.start]
        tags[index] = f"B{type_}"
        while tokens[index].end < mention.end:
            index += 1
            tags[index] = f"I{type_}"
    return tags


_START = "-DOCSTART-"
_NAMED = re.compile(rf"{_START} \((.*)\)(\tO)?")


class Conll(AnnotationFormat):
    """Stores types of spans that don't overlap, and the text except its white space."""

    name = "conll"
    holds = frozenset({Feature.TYPE})
    needs = frozenset({Feature.TEXT})
    takes_text = True

    def read(self, files: Files, reading: Reading) -> Iterator[AnnotatedDocument]:
        """Yield the documents in the file."""
        name, content = only_file(files)
        for id, lines in _documents(text_of(content, name), name):
            original = reading.text_of(id)
            text = _joined(lines) if original is None else original
            mentions = mentions_of(lines, _places(lines, text, id), id)
            yield AnnotatedDocument(id, text, unnamed(mentions))

    def write(self, documents: Sequence[AnnotatedDocument], unit: Unit) -> Files:
        """Return lines of token, tab, tag; ``unit`` is ignored, since there are no offsets."""
        parts: list[str] = []
        for document in documents:
            if re.search(r"[\n\r\t]", document.id):
                raise InputError(
                    "conll can't write an id with a tab or a line break in it; rename the document.",
                    document.id,
                )
            parts.append(f"{_START} ({document.id})\tO\n\n")
            text = document.text or ""
            tokens = self.tokens(text)
            end = tokens[0].start if tokens else 0
            for token, tag in zip(tokens, tags_of(document, tokens), strict=True):
                if "\n" in text[end : token.start] and not tag.startswith("I"):
                    parts.append("\n")
                parts.append(f"{token.of(text)}\t{tag}\n")
                end = token.end
            parts.append("\n" if tokens else "")
        return {"": bytes_of("".join(parts), self.name)}

    def tokens(self, text: str) -> Sequence[Span]:
        """Return the words and the other characters."""
        return tokens_of(text)


def _documents(content: str, name: str) -> Iterator[tuple[str, list[TaggedToken | None]]]:
    """Yield id and lines of each document; None is an empty line."""
    id: str | None = None
    lines: list[TaggedToken | None] = []
    count = 0
    for number, raw in enumerate(content.split("\n"), 1):
        line = raw.removesuffix("\r")
        if line.startswith(_START):
            if id is not None:
                yield id, lines
            match = _NAMED.fullmatch(line)
            count += 1
            id, lines = (match[1] if match else str(count)), []
        elif not line.strip():
            lines.append(None)
        else:
            columns = line.split("\t") if "\t" in line else line.split()
            if len(columns) < 2 or not columns[0]:
                raise InputError(f"line {number}: needs a token and a tag in columns.", name)
            if id is None:
                id, count = "1", 1
            lines.append(TaggedToken(number, columns[0], columns[-1]))
    if id is not None:
        yield id, lines


def _joined(lines: Sequence[TaggedToken | None]) -> str:
    text, between = "", ""
    for line in lines:
        if line is None:
            between = "\n" if text else ""
        else:
            text += between + line.token
            between = " "
    return text


def _places(lines: Sequence[TaggedToken | None], text: str, id: str) -> list[Span]:
    places: list[Span] = []
    end = 0
    for line in lines:
        if line is not None:
            start = text.find(line.token, end)
            if start < 0 or text[end:start].strip():
                raise InputError(
                    f"line {line.number}: the token doesn't match the text at code point {end}; "
                    "--text must be the text from which the tokens were made.",
                    id,
                )
            end = start + len(line.token)
            places.append(Span(start, end))
    return places


# Tokens, for formats that annotate tokens instead of characters. A word is a run of letters,
# digits, underscores and combining marks; every other character except white space is a separate
# token. White space belongs to no token.


_TOKEN = re.compile(r"\w+|[^\w\s]")


def tokens_of(text: str) -> tuple[Span, ...]:
    """Return the tokens of a text, in order and without overlaps."""
    if not text.isascii():
        # The pattern doesn't consider marks letters, so each is replaced with a letter, which keeps
        # offsets.
        marks = {ord(c): "x" for c in set(text) if unicodedata.category(c)[0] == "M"}
        text = text.translate(marks)
    return tuple(Span(*match.span()) for match in _TOKEN.finditer(text))
