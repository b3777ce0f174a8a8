"""The rules of the corpus and the faults they find; two of the rules compare documents.

| rule | fault |
|---|---|
| a mark is one thing in one line | a line end or a cell's border inside, white space or punctuation at an edge, a possessive, overlaps |
| a description is as short as it can be | written in English, it begins with an article, a preposition or *my* |
| a document says whether it has people | ``neg`` with a masked mark, ``pos`` without |
| a name is marked wherever it stands | another occurrence of a masked name or code that is not marked, nor a trap |
| one key, one thing | a key with two types; a name of two words or a code with two keys |
| ids are valid | an IBAN, a card or a national number after its label with a wrong check digit |
| no skeleton twice | two written documents that share more than a fifth of their runs of five words, names taken out |
| nothing is near held-out text | more than a quarter of its runs of twelve words are of documents that quality is judged on |
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from importlib import import_module
from itertools import pairwise

from tacenda.document import IdentifierType, SemanticType

from .documents import CorpusDocument, Mark
from .standoff import occurrences

_WORD = re.compile(r"\w+")
_EDGE = re.compile(r"\A[\s,;:!?]|[\s,;:!?]\Z|['’]s\Z")
_NAMES = (SemanticType.PERSON, SemanticType.CODE)
_SMALL = re.compile(
    r"(?:the|an?|my|his|her|their|our|your|its|in|on|at|of|by|from|to|for|with|as|since|until|"
    r"before|after|during|about|around|near|under|over|into|and|is|was|are|were)\s"
)
_SHORTEST = 3
_RUN, _HELD_OUT_RUN = 5, 12
_MOST_SHARED = 0.2
_MOST_HELD_OUT = 0.25
"""Share of runs: judgments have formulas in common."""
_LABELS: Mapping[str, str] = {
    r"IBAN": "iban",
    r"NHS (?:no|number|num)": "gb.nhs",
    r"PESEL": "pl.pesel",
    r"BSN": "nl.bsn",
    r"DNI": "es.dni",
    r"NIE": "es.nie",
    r"NIF": "pt.nif",
    r"codice fiscale": "it.codicefiscale",
    r"personnummer": "se.personnummer",
    r"fødselsnummer": "no.fodselsnummer",
    r"CPR": "dk.cpr",
    r"CPF": "br.cpf",
    r"Steuer-?ID|IdNr": "de.idnr",
    r"PAN": "in_.pan",
    r"Aadhaar": "in_.aadhaar",
    r"PPSN?": "ie.pps",
}
_LABELLED = re.compile(
    "|".join(rf"(?P<n{n}>\b(?:{label})\b)" for n, label in enumerate(_LABELS)) + r"",
    re.IGNORECASE,
)
_VALUE = re.compile(r"[\W_]{0,4}(?:(?:is|no|nr)\b)?[\W_]{0,3}")


def faults(document: CorpusDocument) -> Iterator[str]:
    """Yield the faults within a document, each with its line and no text except the mark."""
    for mark in document.marks:
        string = mark.span.of(document.text)
        if "\n" in string or "\t" in string or "|" in string:
            yield _fault(document, mark, "a line end or a cell's border inside")
        if _EDGE.search(string):
            yield _fault(document, mark, "white space, punctuation or a possessive at an edge")
        is_english = document.language == "en" and not document.source
        if is_english and mark.type and mark.type not in _NAMES and _SMALL.match(string):
            yield _fault(document, mark, "begins with a function word")
    for first, second in pairwise(document.marks):
        if second.span.start < first.span.end:
            yield _fault(document, second, "overlaps the mark before")
    has_masked = any(mark.is_masked for mark in document.marks)
    if has_masked != document.has_people:
        yield f"{document.id}: kind {'pos' if document.has_people else 'neg'} does not fit its marks"
    yield from _unmarked(document)
    yield from _inconsistent(document)
    yield from _invalid(document)


def _fault(document: CorpusDocument, mark: Mark, fault: str) -> str:
    line = document.text.count("\n", 0, mark.span.start) + 1
    return f"{document.id}, line {line}: {mark.span.of(document.text)!r}: {fault}"


def _unmarked(document: CorpusDocument) -> Iterator[str]:
    covered = bytearray(len(document.text))
    for mark in document.marks:
        covered[mark.span.start : mark.span.end] = b"\1" * len(mark.span)
    names = {
        mark.span.of(document.text)
        for mark in document.marks
        if mark.identifier is IdentifierType.DIRECT and mark.type in _NAMES
    }
    for name in sorted(names):
        if len(name) < _SHORTEST:
            continue
        for span in occurrences(document.text, name):
            if not all(covered[span.start : span.end]):
                yield _fault(document, Mark(span), "marked elsewhere, not here (= if it must stay)")


def _inconsistent(document: CorpusDocument) -> Iterator[str]:
    types: dict[str, set[SemanticType]] = defaultdict(set)
    keys: dict[str, set[str]] = defaultdict(set)
    for mark in document.marks:
        if mark.type is None:
            continue
        types[mark.entity].add(mark.type)
        string = mark.span.of(document.text)
        if mark.type is SemanticType.CODE or (mark.type is SemanticType.PERSON and " " in string):
            keys[string].add(mark.entity)
    for key, of_key in types.items():
        # A user name or mailbox may share its person's key.
        if len(of_key - {SemanticType.CODE}) > 1:
            yield f"{document.id}: key {key} has the types {', '.join(sorted(of_key))}"
    for string, of_string in keys.items():
        if len(of_string) > 1:
            yield f"{document.id}: {string!r} has the keys {', '.join(sorted(of_string))}"


def _invalid(document: CorpusDocument) -> Iterator[str]:
    codes = {mark.span.start: mark for mark in document.marks if mark.type is SemanticType.CODE}
    modules = list(_LABELS.values())
    for label in _LABELLED.finditer(document.text):
        value = _VALUE.match(document.text, label.end())
        mark = codes.get(value.end()) if value else None
        if mark is None or label.lastgroup is None:
            continue
        module = import_module(f"stdnum.{modules[int(label.lastgroup[1:])]}")
        if not module.is_valid(mark.span.of(document.text)):
            yield _fault(document, mark, f"not a valid {module.__name__.removeprefix('stdnum.')}")


def skeleton(document: CorpusDocument) -> frozenset[str]:
    """Return a document's runs of five words, without marked words."""
    parts, position = [], 0
    for mark in document.marks:
        parts.append(document.text[position : mark.span.start])
        position = mark.span.end
    parts.append(document.text[position:])
    words = _WORD.findall(" ".join(parts).lower())
    return frozenset(_runs(words, _RUN))


def _runs(words: Sequence[str], length: int) -> Iterator[str]:
    for start in range(len(words) - length + 1):
        yield " ".join(words[start : start + length])


def look_alikes(documents: Iterable[CorpusDocument]) -> Iterator[str]:
    """Yield the pairs of documents that share more than a fifth of the shorter one's skeleton."""
    skeletons: dict[str, frozenset[str]] = {}
    holders: dict[str, list[str]] = defaultdict(list)
    for document in documents:
        runs = skeletons[document.id] = skeleton(document)
        shared = Counter(id for run in runs for id in holders[run])
        for id, count in shared.items():
            share = count / max(1, min(len(runs), len(skeletons[id])))
            if share > _MOST_SHARED:
                yield f"{document.id} and {id} share {share:.0%} of their wording"
        for run in runs:
            holders[run].append(document.id)


def near(documents: Iterable[CorpusDocument], held_out: Iterable[str]) -> Iterator[str]:
    """Yield the documents that share more than a quarter of their wording with held-out texts."""
    runs = {run for text in held_out for run in _runs(_WORD.findall(text.lower()), _HELD_OUT_RUN)}
    for document in documents:
        of_document = list(_runs(_WORD.findall(document.text.lower()), _HELD_OUT_RUN))
        share = sum(run in runs for run in of_document) / max(1, len(of_document))
        if share > _MOST_HELD_OUT:
            yield f"{document.id}: {share:.0%} of its wording is of held-out documents"
