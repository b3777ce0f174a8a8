"""Small gold corpora whose figures can be worked out by hand."""

from __future__ import annotations

from typing import Any

Mention = tuple[str, str, str, str]
"""String (its first occurrence), semantic type, identifier type, entity id."""


def standoff(
    text: str,
    annotators: dict[str, list[Mention]],
    doc_id: str = "d1",
    split: str = "dev",
) -> dict[str, Any]:
    """Return a document in TAB's standoff form."""
    return {
        "doc_id": doc_id,
        "text": text,
        "dataset_type": split,
        "annotations": {
            name: {"entity_mentions": [mention(text, *m) for m in mentions]}
            for name, mentions in annotators.items()
        },
    }


def mention(text: str, string: str, type_: str, identifier: str, entity: str) -> dict[str, Any]:
    """Return one annotated mention: the first occurrence of a string in the text."""
    start = text.index(string)
    return {
        "entity_type": type_,
        "start_offset": start,
        "end_offset": start + len(string),
        "span_text": string,
        "identifier_type": identifier,
        "entity_id": entity,
        "confidential_status": "NOT_CONFIDENTIAL",
    }


def spans(text: str, *strings: str) -> list[list[int]]:
    """Return the first occurrences of strings as a system's masks."""
    return [[text.index(string), text.index(string) + len(string)] for string in strings]


FIGURE_3_TEXT = (
    "The case originated in an application (no. 12345/67) by John Doe, a British national and "
    "researcher, against the Kingdom of Sweden on 1 October 2021. Mr Doe lives there."
)
"""In the manner of TAB's Figure 3: two annotators who choose different quasi-identifiers."""

FIGURE_3 = standoff(
    FIGURE_3_TEXT,
    {
        "first": [
            ("12345/67", "CODE", "DIRECT", "code"),
            ("John Doe", "PERSON", "DIRECT", "person"),
            ("Mr Doe", "PERSON", "DIRECT", "person"),
            ("British", "DEM", "QUASI", "nation"),
            ("1 October 2021", "DATETIME", "QUASI", "date"),
            ("Kingdom of Sweden", "LOC", "NO_MASK", "state"),
        ],
        "second": [
            ("12345/67", "CODE", "DIRECT", "code"),
            ("John Doe", "PERSON", "DIRECT", "person"),
            ("Mr Doe", "PERSON", "DIRECT", "person"),
            ("Kingdom of Sweden", "LOC", "QUASI", "state"),
            ("1 October 2021", "DATETIME", "QUASI", "date"),
            ("researcher", "DEM", "QUASI", "work"),
        ],
    },
)
