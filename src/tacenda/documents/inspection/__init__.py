"""The independent reader: searches all strings in an output's bytes for masked ones.

It shares no code with the readers and writers, and looks at every string in the file, not only at
what they consider text. One module per family of formats yields ``Passage`` objects, which are
searched here.

    strings   HTML and Markdown: text, names, attributes, scripts, styles, addresses, comments;
              JSON and CSV: keys, headers, cells
    docx      the parts of a .docx
    pdf       the objects of a PDF
    pictures  what a picture has beside its pixels
"""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Container, Iterable, Iterator
from itertools import accumulate
from pkgutil import resolve_name

from ...document import SemanticType
from ...errors import LeakError
from ...isolation.workers import isolated
from ...result import Result
from ...text.matching import Occurrence, Searcher
from ...text.normal_form import mention_key
from ...text.surface_forms import Form, LetterCase, leak_forms
from ...text.tokens import unify_gaps
from ...verify import MaskedForms
from ..formats import Kind, Passage
from ..names import NameScrubber, masked_strings, protected_strings
from ..registry import format_named

__all__ = ["Kind", "Passage"]


_BOUNDARY = "\n\n"
_JOINT = "-\n"
_NAMED_OTHERWISE = frozenset(
    (SemanticType.PERSON, SemanticType.CODE, SemanticType.DATETIME, SemanticType.QUANTITY)
)
OWN_PAGES = {"result": "strings:text_of_result", "report": "strings:text_of_report"}
"""Readers of our own pages about a document, in which only its text is searched."""


def passages(data: bytes, format: str, encoding: str = "utf-8") -> Iterator[Passage]:
    """Yield every string of a file, or of a document's part of it.

    Args:
        data: the bytes.
        format: one of ``FORMATS``; ``result`` or ``report`` for our own words about a document:
            only the text of these is yielded.
        encoding: encoding of files that aren't archives.

    Raises:
        InputError: if a container can't be read again, or not within the limits.
    """
    if format in OWN_PAGES:
        text = data.decode(encoding, "replace")
        strings: Iterator[Passage] = resolve_name(f"{__name__}.{OWN_PAGES[format]}")(text)
        return strings
    if format_named(format).isolated:
        # It is our own file, but made from the input: its parser is no safer than the reader's.
        subject = f"the sanitized .{format}"
        return iter(isolated(_within, (data, format, encoding), subject=subject, size=len(data)))
    return iter(format_named(format).strings(data, encoding))


def _within(data: bytes, format: str, encoding: str) -> list[Passage]:
    return list(format_named(format).strings(data, encoding))


def survivors(
    content: Iterator[Passage], sanitized: Result, forms: NameScrubber | None = None
) -> tuple[str, ...]:
    """Return the places of strings that are forbidden in every output of the document.

    Args:
        content: the output's strings.
        sanitized: the document with its masks and replacements.
        forms: its masked strings, if the caller has them.
    """
    forms = NameScrubber.of(sanitized) if forms is None else forms
    if not forms and next(_forms(sanitized), None) is None:
        return ()
    text: list[Passage] = []
    places: list[str] = []
    for passage in with_forms(content, forms, text):
        # A sentence that the sanitizer has read and verified is searched the way it searches.
        if _is_sentence(passage.text) and passage.text in sanitized.text:
            text.append(passage)
        else:
            places.append(passage.place)
    return (*_left_in_text(text, sanitized), *places)


def with_forms(
    content: Iterable[Passage], forms: NameScrubber, text: list[Passage] | None = None
) -> Iterator[Passage]:
    """Yield the strings of an output that contain a forbidden form.

    Args:
        content: the strings.
        forms: the forbidden strings.
        text: takes the strings of kind ``TEXT``, which are searched differently; None to search
            them the same way.
    """
    innocent: set[tuple[str, Kind]] = set()  # The same few values occur in thousands of attributes.
    for passage in content:
        if text is not None and passage.kind is Kind.TEXT:
            text.append(passage)
        elif (passage.text, passage.kind) not in innocent:
            if forms.occurs_in(passage.text, code=passage.kind is Kind.CODE):
                yield passage
            else:
                innocent.add((passage.text, passage.kind))


def refuse_survivors(
    content: Iterator[Passage], sanitized: Result, forms: NameScrubber | None = None
) -> None:
    """Raise LeakError for strings forbidden in every output of the document; see ``survivors``.

    Raises:
        LeakError: if there are any; names the document and the places.
    """
    if places := survivors(content, sanitized, forms):
        raise LeakError(places, sanitized.document.id)


def entities_in(texts: Iterable[str], sanitized: Result) -> tuple[str, ...]:
    """Return the masked entities with a form in one of these texts, by id and first place, for messages.

    Args:
        texts: the texts in which masked strings were found.
        sanitized: the document with its masks.
    """
    every = NameScrubber.of(sanitized)
    # Long texts are searched once, not once per entity.
    strings = {string for text in texts for string in every.occurrences(text)}
    content = sanitized.document.text
    rows: list[str] = []
    for entity in (each.entity for each in sanitized.decisions if each.masked):
        forms = NameScrubber(
            (mention.span.of(content), mention.type) for mention in entity.mentions
        )
        if any(map(forms.occurs_in, strings)):
            span = entity.mentions[0].span
            rows.append(f"{entity.id}, code points {span.start}:{span.end}")
    return tuple(rows)


def occurrences(text: str, sanitized: Result) -> Iterator[tuple[int, int]]:
    """Yield ``[start, end)`` of each masked string in a text.

    Args:
        text: the text read from an output.
        sanitized: the document with its masks.
    """
    for hit in _hits(text, sanitized):
        yield hit.core.start, hit.core.end


def meant_occurrences(text: str, sanitized: Result) -> Iterator[Occurrence]:
    """Yield each masked string in an output's text that doesn't mean something else there."""
    strict = [form for item in protected_strings(sanitized.protected) for form in _denied(*item)]
    masked = MaskedForms(sanitized.document, sanitized.decisions, strict)
    for hit in _hits(text, sanitized):
        if masked.is_meant(text, hit):
            yield hit


def _is_sentence(text: str) -> bool:
    return any(map(str.isspace, text.strip()))


def _left_in_text(text: list[Passage], sanitized: Result) -> Iterator[str]:
    """Yield the places where a form occurs in text more often than edits wrote it."""
    if not text:
        return
    content = _BOUNDARY.join(passage.text for passage in text)
    ends = [*accumulate(len(passage.text) + len(_BOUNDARY) for passage in text)]
    hits: dict[str, list[int]] = {}
    for hit in meant_occurrences(content, sanitized):
        hits.setdefault(hit.form, []).append(hit.core.start)
    if not hits:
        return
    output = _BOUNDARY.join(edit.text for edit in sanitized.replacements)
    budget = Counter(hit.form for hit in _hits(output, sanitized))
    accepted = dict(sanitized.accepted)
    matches = _hits(sanitized.text, sanitized)
    budget += Counter(hit.form for hit in matches if f"{hit.span.start}:{hit.span.end}" in accepted)
    # A case-sensitive rule leaves a generic word written in another case.
    budget |= Counter(hit.form for hit in matches if not leak_forms(hit.form, SemanticType.MISC))
    starts = (
        start for form, places in hits.items() if len(places) > budget[form] for start in places
    )
    for number in sorted({bisect_right(ends, start) for start in starts}):
        yield text[number].place


def _hits(text: str, sanitized: Result) -> list[Occurrence]:
    """Return the masked strings in a text, including denied ones next to a hyphen at a line end."""
    hits = Searcher(_forms(sanitized)).find(text)
    if _JOINT in text:
        places = {hit.core for hit in hits}
        denied = set(sanitized.protected.terms)
        # No line end, and no other place for any letter.
        apart = Searcher(_forms(sanitized, denied)).find(text.replace(_JOINT, "- "))
        hits += (hit for hit in apart if hit.core not in places)
    return hits


def _forms(
    sanitized: Result, among: Container[tuple[str, SemanticType]] | None = None
) -> Iterator[Form]:
    """Yield the forms forbidden in text, for some strings or all; see ``verify``.

    For the target and the deny list, only whole strings: detection decides about their parts.
    """
    protected = {*sanitized.protected.names, *(term for term, _ in sanitized.protected.terms)}
    for string, type in masked_strings(sanitized):
        if among is not None and (string, type) not in among:
            continue
        for form in _denied(string, type) if string in protected else leak_forms(string, type):
            if string not in protected or form.text == unify_gaps(mention_key(string)):
                yield form


def _denied(string: str, type: SemanticType) -> tuple[Form, ...]:
    """Return the forms of a string in the policy, including generic words (``school``) but not names or codes."""
    forms = leak_forms(string, type)
    if forms or type in _NAMED_OTHERWISE or not string.isalpha():
        return forms
    return (Form(unify_gaps(mention_key(string)), LetterCase.ANY),)
