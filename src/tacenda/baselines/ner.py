"""Mask all named entities: the neural NER baseline of TAB, section 7.1.

All 18 types of OntoNotes v5, but of CARDINAL only numbers from four digits on, "to avoid too
many false positives". The paper's model is a RoBERTa; any spaCy model can be given here.
"""

from __future__ import annotations

from ..document import Document, Span
from .spacy_pipeline import DEFAULT_MODEL, SpacyPipeline

_FEWEST_DIGITS = 4


def worth_masking(label: str, string: str) -> bool:
    """Tell whether an entity is masked: all are, but numbers of less than four digits."""
    return label != "CARDINAL" or sum(map(str.isdecimal, string)) >= _FEWEST_DIGITS


class NamedEntities:
    """Masks whatever a spaCy model takes for an entity.

    Args:
        model: name of an installed spaCy model, or the path of a folder that holds one.
    """

    def __init__(self, model: str = DEFAULT_MODEL) -> None:
        self._pipeline = SpacyPipeline(model)

    def mask(self, document: Document) -> tuple[Span, ...]:
        """Return the entities to mask, in order."""
        return tuple(
            span
            for span, label in self._pipeline.entities(document)
            if worth_masking(label, span.of(document.text))
        )
