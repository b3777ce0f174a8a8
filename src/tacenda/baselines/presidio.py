"""Presidio, the package itself, as its default configuration has it (extra ``[presidio]``).

English, the recognizers that it loads by default, all types that they find, the second system
of TAB, section 7.1. Organisations, which that configuration leaves out, are the paper's second
setting. Two things differ from ``AnalyzerEngine()``: the spaCy model is the user's, and nothing
is downloaded.
"""

from __future__ import annotations

from typing import Any

from ..document import Document, Span
from ..errors import MissingExtraError
from .baseline import union
from .spacy_pipeline import DEFAULT_MODEL, SpacyPipeline


class Presidio:
    """Masks every finding of Presidio's analyzer.

    Args:
        model: name of an installed spaCy model, or the path of a folder that holds one.
        organisations: also mask the organisations that the spaCy model finds.

    Raises:
        MissingExtraError: presidio-analyzer is not installed.
        ModelError: there is no such spaCy model.
    """

    def __init__(self, model: str = DEFAULT_MODEL, *, organisations: bool = False) -> None:
        try:
            from presidio_analyzer import AnalyzerEngine
        except ImportError as error:
            raise MissingExtraError("The baseline presidio", "presidio") from error
        self._pipeline = SpacyPipeline(model)
        _keep_offline()
        self._analyzer: Any = AnalyzerEngine(nlp_engine=_engine(self._pipeline, organisations))

    def mask(self, document: Document) -> tuple[Span, ...]:
        """Return the findings, those that overlap as one.

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
    # Loaded already: Presidio's own way would download a model that is missing.
    engine.nlp = {"en": pipeline.nlp}
    return engine


def _keep_offline() -> None:
    """Have e-mail addresses checked by the list of domains that tldextract ships.

    It would otherwise fetch the newest list when the first address is met.
    """
    from tldextract import tldextract

    tldextract.TLD_EXTRACTOR.suffix_list_urls = ()
