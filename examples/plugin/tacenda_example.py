"""A plug-in of tacenda: one part for each protocol, each as small as it can be.

``pip install examples/plugin`` makes the parts known by the names in ``pyproject.toml``; a policy,
an option or an argument uses them:

    # house.yaml                                  sanitizer = tacenda.load(
    detectors: [staff_numbers]                        detectors=[StaffNumbers()],
    indicators: [small_places, employment]            indicators=[SmallPlaces()],
    operators: {PERSON: initials}                     combination_indicators=[Employment()],
    checks: [readable]                                checks=[Readable()],
                                                  )
    tacenda sanitize report.memo --policy house.yaml -o clean.memo
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import BinaryIO

from tacenda import (
    Combination,
    Document,
    Entity,
    Evidence,
    Finding,
    IdentifierType,
    InputError,
    Mention,
    MentionSource,
    Policy,
    Result,
    SemanticType,
    Span,
)
from tacenda.annotations import (
    AnnotatedDocument,
    AnnotatedMention,
    Annotation,
    Feature,
    Files,
    Reading,
    Unit,
)
from tacenda.documents import Extraction, Origin, SourceDocument, edited_source

_STAFF_NUMBER = re.compile(r"\bST-\d{5}\b")


class StaffNumbers:
    """Detector of the staff numbers of a firm, ``ST-12345``."""

    def detect(self, documents: Sequence[Document]) -> list[tuple[Mention, ...]]:
        """Return the mentions of each document."""
        return [
            tuple(
                Mention(
                    Span(*match.span()),
                    SemanticType.CODE,
                    p_mask=0.99,
                    p_direct=0.9,
                    source=MentionSource.PLUGIN,
                    kind="staff number",
                )
                for match in _STAFF_NUMBER.finditer(document.text)
            )
            for document in documents
        ]


class SmallPlaces:
    """Risk indicator: a village says more than a city.

    Args:
        villages: their names.
    """

    def __init__(self, villages: Sequence[str] = ("Elmau", "Wamberg")) -> None:
        self._villages = frozenset(villages)

    def judge(self, document: Document, entities: Sequence[Entity]) -> list[Finding | None]:
        """Return a finding for each entity that is a village."""
        evidence = Evidence("small_places", 0.95, "Fewer than 100 people live there.")
        finding = Finding(evidence, IdentifierType.QUASI)
        return [
            finding if self._villages & strings_of(document, entity) else None
            for entity in entities
        ]


class Employment:
    """Combination indicator: an employer and a place of work that stand together point to somebody."""

    def combinations(self, document: Document, entities: Sequence[Entity]) -> list[Combination]:
        """Return the pairs of an organisation and a place."""
        employers = [entity for entity in entities if entity.type is SemanticType.ORG]
        places = [entity for entity in entities if entity.type is SemanticType.LOC]
        evidence = (Evidence("employment", 0.8, "Few people work for both."),)
        return [
            Combination(
                tuple(item.id for item in entities if item in (employer, place)), 0.8, evidence
            )
            for employer in employers
            for place in places
        ]


class Initials:
    """Operator: ``G. Y.`` for a name.

    Args:
        policy: the one that names it, with its key where it has one; not needed here.
    """

    joins = False
    by_string = False
    divides = False

    def __init__(self, policy: Policy) -> None:
        del policy

    def write(self, document: Document, entity: Entity, span: Span) -> str:
        """Return the first letters of the longest of its names."""
        name = max(strings_of(document, entity), key=len)
        return " ".join(f"{word[0]}." for word in name.split() if word[0].isupper()) or "***"


class Readable:
    """Check: warns where so much was masked that nobody can read the rest.

    Args:
        share: of the words that may be masked, in [0, 1].
    """

    def __init__(self, share: float = 0.5) -> None:
        self._share = share

    def __call__(self, result: Result) -> Result:
        """Return the result, with a warning where too much is masked."""
        masked = sum(len(edit.original) for edit in result.replacements)
        if masked <= self._share * len(result.document.text):
            return result
        return replace(result, warnings=(*result.warnings, "More than half of it is masked."))


class Memo:
    """Document format: lines ``name: value``, an empty line, and the text."""

    extensions = (".memo",)

    def read(self, stream: BinaryIO, origin: Origin) -> Iterator[SourceDocument]:
        """Yield the one document of a memo; its text is what follows the empty line."""
        source = stream.read().decode(origin.encoding)
        head, separator, _ = source.partition("\n\n")
        if not separator:
            raise InputError("is no memo: it has no empty line.", origin.name)
        extraction = Extraction(source)
        extraction.verbatim(len(head) + 2, len(source), str)
        document = Document(origin.name, extraction.text)
        yield SourceDocument(document, origin, source, tuple(extraction.slots))

    def write(self, source: SourceDocument, result: Result) -> bytes:
        """Return the memo with its text edited; the lines above stay."""
        return edited_source(source, result).encode(source.origin.encoding)

    def strings(self, data: bytes, encoding: str) -> list[str]:
        """Return its lines: those above the text could name somebody, too."""
        return data.decode(encoding).splitlines()


class Lines:
    """Annotation format: lines ``document TAB start TAB end TAB type``, without the text."""

    name = "lines"
    suffixes = (".lines",)
    holds = frozenset((Feature.TYPE, Feature.OVERLAPS))
    needs = frozenset((Feature.TYPE,))
    takes_text = True
    masks_only = False
    folder = False

    def read(self, files: Files, reading: Reading) -> Iterator[AnnotatedDocument]:
        """Yield the documents of a file, in order.

        Raises:
            InputError: at a line without four fields, or if offsets are no code points.
        """
        ((name, content),) = files.items()
        _refuse_other_units(reading.unit)
        mentions: dict[str, list[AnnotatedMention]] = {}
        for number, line in enumerate(content.decode().splitlines(), start=1):
            try:
                id, start, end, type = line.split("\t")
                span = Span(int(start), int(end))
            except ValueError:
                raise InputError(f"line {number} has no four fields.", name) from None
            mentions.setdefault(id, []).append(AnnotatedMention((span,), type))
        for id, items in mentions.items():
            yield AnnotatedDocument(id, reading.text_of(id), (Annotation("", tuple(items)),))

    def write(self, documents: Sequence[AnnotatedDocument], unit: Unit) -> Files:
        """Return the one file that holds the mentions of all documents."""
        _refuse_other_units(unit)
        lines = [
            f"{document.id}\t{mention.start}\t{mention.end}\t{mention.type}\n"
            for document in documents
            for annotation in document.annotations
            for mention in annotation.mentions
        ]
        return {"": "".join(lines).encode()}

    def tokens(self, text: str) -> None:
        """Return None: mentions may begin and end anywhere."""
        return


def _refuse_other_units(unit: Unit) -> None:
    if unit is not Unit.CODE_POINTS:
        raise InputError(f"lines counts code points, not {unit}; leave the unit out.")


def list_staff_numbers(path: Path) -> None:
    """Count the staff numbers of a text file."""
    (mentions,) = StaffNumbers().detect([Document(path.name, path.read_text(encoding="utf-8"))])
    print(len(mentions))


def strings_of(document: Document, entity: Entity) -> set[str]:
    """Strings by which a document names an entity."""
    return {mention.span.of(document.text) for mention in entity.mentions}
