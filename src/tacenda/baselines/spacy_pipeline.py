"""A spaCy pipeline that is installed or lies in a folder (extra ``[spacy]``).

The pipeline runs whole, as its makers ship it: which of its parts the entity recognizer needs
differs from model to model.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, NamedTuple

from ..document import Document, Span
from ..errors import InputError, MissingExtraError, ModelError

DEFAULT_MODEL = "en_core_web_md"


class NamedEntity(NamedTuple):
    """A span with the model's own label, such as GPE."""

    span: Span
    label: str


class SpacyPipeline:
    """Named entities by spaCy; nothing is downloaded.

    Args:
        model: name of an installed model, or the path of a folder that holds one.

    Attributes:
        nlp: spaCy's own object.

    Raises:
        MissingExtraError: spaCy is not installed.
        ModelError: there is no such model, this spaCy can't load it, or it finds no entities.
    """

    def __init__(self, model: str = DEFAULT_MODEL) -> None:
        try:
            import spacy
        except ImportError as error:
            raise MissingExtraError("A baseline by spaCy", "spacy") from error
        if not (spacy.util.is_package(model) or Path(model).is_dir()):
            raise ModelError(
                f"spaCy model {model!r} is neither installed nor a folder; install it with "
                f"`python -m spacy download {model}` or name a folder with --model "
                "(nothing is downloaded here)"
            )
        try:
            self.nlp: Any = spacy.load(model)
        except (OSError, ValueError) as error:
            raise ModelError(
                f"spaCy {spacy.__version__} can't load {model!r}: it is no model, or one for another "
                "spaCy (its meta.json names which)"
            ) from error
        if not any("doc.ents" in self.nlp.get_pipe_meta(n).assigns for n in self.nlp.pipe_names):
            raise ModelError(
                f"spaCy model {model!r} finds no named entities (its parts: "
                f"{', '.join(self.nlp.pipe_names) or 'none'}); choose one with the part 'ner'"
            )

    def check(self, document: Document) -> None:
        """Refuse what spaCy would refuse in words that hold no remedy.

        Raises:
            InputError: the text is longer than the pipeline's limit.
        """
        if len(document.text) > self.nlp.max_length:
            raise InputError(
                f"{len(document.text)} code points are more than the {self.nlp.max_length} that "
                "spaCy takes at once; split the document",
                document.id,
            )

    def entities(self, document: Document) -> tuple[NamedEntity, ...]:
        """Return the named entities in order; none overlaps another.

        Raises:
            InputError: the text is longer than the pipeline's limit.
        """
        self.check(document)
        return tuple(
            NamedEntity(Span(entity.start_char, entity.end_char), entity.label_)
            for entity in self.nlp(document.text).ents
        )
