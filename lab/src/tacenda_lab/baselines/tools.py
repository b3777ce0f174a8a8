"""Presidio, the package itself, in its default configuration (extra ``[presidio]``).

English, with its default recognizers and all their types: the second system in TAB, section 7.1.
Organisations, which it ignores by default, are the paper's second setting. Two things differ from
``AnalyzerEngine()``: the spaCy model is the user's, and nothing is downloaded.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, NamedTuple

from tacenda.document import Document, Span
from tacenda.errors import InputError, MissingExtraError, ModelError

from .base import union

# A spaCy pipeline that is installed or lies in a folder (extra ``[spacy]``).
#
# The pipeline runs whole, as its makers ship it: which parts the entity recognizer needs differs
# between models.


DEFAULT_MODEL = "en_core_web_md"


class NamedEntity(NamedTuple):
    """A span with the model's own label, like GPE."""

    span: Span
    label: str


class SpacyPipeline:
    """spaCy's named entities; nothing is downloaded.

    Args:
        model: name of an installed model, or the path of its folder.

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
            raise MissingExtraError("A baseline by spaCy", "spacy", "tacenda-lab") from error
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
                f"spaCy {spacy.__version__} can't load {model!r}: it is not a model, or one for "
                "another version of spaCy (see its meta.json)"
            ) from error
        if not any("doc.ents" in self.nlp.get_pipe_meta(n).assigns for n in self.nlp.pipe_names):
            raise ModelError(
                f"spaCy model {model!r} finds no named entities (its parts: "
                f"{', '.join(self.nlp.pipe_names) or 'none'}); choose one with the part 'ner'"
            )

    def check(self, document: Document) -> None:
        """Refuse texts that are too long for spaCy, with the advice that spaCy's own message lacks.

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
        """Return the named entities in order, without overlaps.

        Raises:
            InputError: the text is longer than the pipeline's limit.
        """
        self.check(document)
        return tuple(
            NamedEntity(Span(entity.start_char, entity.end_char), entity.label_)
            for entity in self.nlp(document.text).ents
        )


class PresidioBaseline:
    """Masks everything that Presidio's analyzer finds.

    Args:
        model: name of an installed spaCy model, or the path of its folder.
        organisations: also mask the organisations of the spaCy model.

    Raises:
        MissingExtraError: presidio-analyzer is not installed.
        ModelError: there is no such spaCy model.
    """

    def __init__(self, model: str = DEFAULT_MODEL, *, organisations: bool = False) -> None:
        try:
            from presidio_analyzer import AnalyzerEngine
        except ImportError as error:
            raise MissingExtraError("The baseline presidio", "presidio", "tacenda-lab") from error
        self._pipeline = SpacyPipeline(model)
        _keep_offline()
        self._analyzer: Any = AnalyzerEngine(nlp_engine=_engine(self._pipeline, organisations))

    def mask(self, document: Document) -> tuple[Span, ...]:
        """Return the findings, merging those that overlap.

        Raises:
            InputError: the text is longer than the spaCy pipeline's limit.
        """
        self._pipeline.check(document)
        findings = self._analyzer.analyze(document.text, language="en")
        return union(Span(finding.start, finding.end) for finding in findings)


def _engine(pipeline: SpacyPipeline, organisations: bool) -> Any:
    from presidio_analyzer.nlp_engine import (
        NerModelConfiguration,
        NlpEngineProvider,
        SpacyNlpEngine,
    )

    settings = dict(NlpEngineProvider().nlp_configuration["ner_model_configuration"])
    if organisations:
        settings["labels_to_ignore"] = [
            label for label in settings["labels_to_ignore"] if label != "ORGANIZATION"
        ]
    engine = SpacyNlpEngine(
        ner_model_configuration=NerModelConfiguration.from_dict(settings),
    )
    # Already loaded, since Presidio itself would download a missing model.
    engine.nlp = {"en": pipeline.nlp}
    return engine


def _keep_offline() -> None:
    """Restrict the check of e-mail addresses to tldextract's shipped list of domains.

    Otherwise it would download the newest list at the first address.
    """
    from tldextract import tldextract

    tldextract.TLD_EXTRACTOR.suffix_list_urls = ()


# Mask all named entities: the neural NER baseline of TAB, section 7.1.
#
# All 18 types of OntoNotes v5, but only CARDINAL numbers of at least four digits, "to avoid too
# many false positives". The paper's model is a RoBERTa; any spaCy model can be given here.


_FEWEST_DIGITS = 4


def worth_masking(label: str, string: str) -> bool:
    """Tell whether to mask an entity: all but numbers with fewer than four digits."""
    return label != "CARDINAL" or sum(map(str.isdecimal, string)) >= _FEWEST_DIGITS


class NamedEntities:
    """Masks all entities of a spaCy model.

    Args:
        model: name of an installed spaCy model, or the path of its folder.
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
