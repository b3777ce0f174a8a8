"""Named entities and handwritten rules: the idea of TAB's pre-annotation (section 4.2, step 1).

Entities of a spaCy model that can be personal information, cleaned of what plainly is not, and
the patterns of `heuristics`. The annotators of the benchmark began with such a proposal; it
marks by type what might identify, before anybody decides what must go.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from ..document import Document, Span
from .baseline import union
from .heuristics import MONTHS, find
from .ner import worth_masking
from .spacy_pipeline import DEFAULT_MODEL, NamedEntity, SpacyPipeline

_IMPERSONAL: Final = frozenset({"LAW", "ORDINAL"})
"""Statutes and ranks, which tell nothing of a person (section 7.1)."""

_DATED: Final = re.compile(
    rf"\d|\b(?:{MONTHS}|(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day|"
    r"one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|\w+teen|"
    r"(?:twen|thir|for|fif|six|seven|eigh|nine)ty)\b",
    re.IGNORECASE,
)
"""What a DATE or TIME must have to say when or how long: "the same day" has nothing of it."""

_GENERIC: Final = frozenset(
    "article board chamber commission committee convention council court department directorate "
    "government grand inspectorate judge ministry office parliament prosecution prosecutor "
    "registry section senate state tribunal".split()
)
"""Words that make no name of an organisation by themselves: "the Court", "Grand Chamber"."""

_AROUND: Final = re.compile(
    r"\s*(?:(?:the|a|an)\s+)?(.*?)(?:['’]s?)?\s*", re.IGNORECASE | re.DOTALL
)


class Rules:
    """Masks named entities of personal kinds and what the patterns find.

    Args:
        model: name of an installed spaCy model, or the path of a folder that holds one.
    """

    def __init__(self, model: str = DEFAULT_MODEL) -> None:
        self._pipeline = SpacyPipeline(model)

    def mask(self, document: Document) -> tuple[Span, ...]:
        """Return what both find, overlapping spans as one."""
        entities = self._pipeline.entities(document)
        return union([*_personal(entities, document.text), *find(document.text)])


def _personal(entities: tuple[NamedEntity, ...], text: str) -> Iterator[Span]:
    for span, label in entities:
        match = _AROUND.fullmatch(text, span.start, span.end)
        if match is None or not match[1]:
            continue
        if _is_personal(label, match[1]):
            yield Span(*match.span(1))


def _is_personal(label: str, string: str) -> bool:
    if label in ("DATE", "TIME"):
        return bool(_DATED.search(string))
    if label == "ORG":
        return not _GENERIC.issuperset(string.lower().split())
    return label not in _IMPERSONAL and worth_masking(label, string)
