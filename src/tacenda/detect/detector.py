"""The protocol of detectors, reading ahead, and detectors from plug-ins."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import Protocol

from .. import plugins
from ..document import Document, Mention, MentionSource, SemanticType, Span
from ..errors import InputError
from ..plugins import plugin_failures, plugin_fault
from ..text.readings import TextReading


class Detector(Protocol):
    """Detects mentions, in many documents at once so that a model's batches are full."""

    def detect(self, documents: Sequence[Document]) -> Sequence[Iterable[Mention]]:
        """Return the mentions of each document, in the order of the documents.

        Mentions may overlap and be in any order. Their spans are code points of ``Document.text``,
        and their probabilities are calibrated: of mentions with .2, a fifth must be masked. Their
        ``kind`` goes into records, so it must not contain document text.
        """
        ...


# Each group fills a model's batches and leaves little work after the last one.
_GROUP_CHARACTERS = 8_000
# A group of this size or more is mostly one long document, which all cores read together.
_LONG_CHARACTERS = 100_000
_LIKELY = 0.5


def detections(detector: Detector, documents: Sequence[Document]) -> Iterator[tuple[Mention, ...]]:
    """Yield the mentions of each document, in the order of the documents.

    A detector with several ``threads`` reads ahead while the caller works on its mentions, since a
    network doesn't need the interpreter. Each core reads a group of documents from text to
    mentions, so that cores don't wait for each other between groups.
    """
    if not documents:
        return
    groups = list(_groups(documents))
    threads = getattr(detector, "threads", 1)
    if len(groups) == 1 or threads == 1:
        yield from map(tuple, detector.detect(documents))
        return
    readers = 1
    on_one_core = getattr(detector, "on_one_core", None)
    if on_one_core is not None and max(map(_characters, groups)) < _LONG_CHARACTERS:
        detector, readers = on_one_core(), threads
    with ThreadPoolExecutor(readers) as pool:
        answers = [pool.submit(detector.detect, group) for group in groups]
        try:
            for answer in answers:
                yield from map(tuple, answer.result())
        finally:
            pool.shutdown(cancel_futures=True)


def mentions_of_reading(
    text: str, reading: TextReading, mentions: Iterable[Mention]
) -> Iterator[Mention]:
    """Yield the mentions of a reading of ``text`` that differ from it in spelling, start or end.

    Later stages can't use what they know about names for differently written ones, so such a person
    counts as likely.
    """
    for mention in mentions:
        start, end = mention.span.start, mention.span.end
        around = Span(max(0, start - 1), min(len(reading.text), end + 1))
        if around.of(reading.text) == reading.original(around).of(text):
            continue
        span, p_mask = reading.original(mention.span), mention.p_mask
        # The key or label on the next line ("name: Anna Berg\nstatus:") doesn't continue anything.
        line = text.rfind("\n", span.start, span.end) if text.startswith(":", span.end) else -1
        span = Span(span.start, line) if line > span.start else span
        if mention.type is SemanticType.PERSON and span.of(text) != reading.text[start:end]:
            p_mask = max(p_mask, _LIKELY)
        yield replace(mention, span=span, p_mask=p_mask)


def _characters(documents: Sequence[Document]) -> int:
    return sum(len(document.text) for document in documents)


def _groups(documents: Sequence[Document]) -> Iterator[Sequence[Document]]:
    """Yield the documents in order, in groups that are read together."""
    begin = characters = 0
    for place, document in enumerate(documents):
        if characters >= _GROUP_CHARACTERS:
            yield documents[begin:place]
            begin, characters = place, 0
        characters += len(document.text)
    if begin < len(documents):
        yield documents[begin:]


class PluginDetector:
    """A plug-in's detector whose mentions are checked against the documents.

    Args:
        detector: the plug-in's detector.
        name: its label for messages.
    """

    def __init__(self, detector: Detector, name: str) -> None:
        self._detector = detector
        self._name = name

    def detect(self, documents: Sequence[Document]) -> list[tuple[Mention, ...]]:
        """Return the mentions of each document, with the source ``plugin``.

        Raises:
            InputError: if the detector fails, or returns something else; it names the document.
        """
        try:
            return self._detect(documents)
        except InputError:
            if len(documents) < 2:
                raise
        # One at a time, to name the document at fault.
        return [mentions for document in documents for mentions in self._detect([document])]

    def _detect(self, documents: Sequence[Document]) -> list[tuple[Mention, ...]]:
        name = documents[0].id if documents else ""
        with plugin_failures(self._name, name):
            columns = [tuple(mentions) for mentions in self._detector.detect(documents)]
        if len(columns) != len(documents):
            fault = f"returns {len(columns)} lists of mentions for {len(documents)} documents"
            raise plugin_fault(self._name, fault, name)
        return [
            tuple(self._checked(mention, document) for mention in mentions)
            for document, mentions in zip(documents, columns, strict=True)
        ]

    def _checked(self, mention: Mention, document: Document) -> Mention:
        if not isinstance(mention, Mention) or not isinstance(mention.type, SemanticType):
            raise plugin_fault(
                self._name,
                "returned something other than a Mention with a semantic type",
                document.id,
            )
        if mention.span.end > len(document.text):
            fault = f"returns a mention that ends at {mention.span.end}, after the text"
            raise plugin_fault(self._name, fault, document.id)
        if not 0.0 <= mention.p_direct <= mention.p_mask <= 1.0:
            fault = "returns a mention without 0 <= direct <= masking <= 1"
            raise plugin_fault(self._name, fault, document.id)
        return replace(mention, source=MentionSource.PLUGIN, deny=None)


def load_detectors(names: Sequence[str]) -> tuple[PluginDetector, ...]:
    """Return the detectors of plug-ins by their names.

    Raises:
        PolicyError: if no detector has a name; the message lists the names.
        PluginError: if one can't be loaded.
    """
    return tuple(
        PluginDetector(part, name)
        for name, part in plugins.named_parts(plugins.DETECTORS, "detector", names)
    )
