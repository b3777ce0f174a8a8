"""The composition of the stages: text in, sanitized text with its record out."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from itertools import chain, islice, repeat
from pathlib import Path
from typing import TYPE_CHECKING, overload

from .checks import Check, check_result, load_checks
from .deciding import (
    NO_PARTS,
    AdditionalParts,
    Analysis,
    AssessedResult,
    OntologySource,
    complete,
    ontology_of,
)
from .detect.detector import (
    Detector,
    PluginDetector,
    detections,
    load_detectors,
    mentions_of_reading,
)
from .detect.languages import check_languages, drop_unreliable_in_foreign_parts
from .detect.logs import judge_log_fields
from .detect.merge import merge
from .detect.patterns.detector import PatternDetector, in_context
from .detect.technical import without_technical_names
from .detect.terms import policy_mentions
from .detect.values import without_values
from .document import Document, LanguagePart, LossBound, Mention
from .errors import InputError, PolicyError
from .link.linking import propagate
from .models.language_profiles import ENGLISH
from .models.text_language import foreign_parts
from .plugins import part_name
from .policy import Policy
from .result import Result
from .rewrite.generalize.kept import attributes_of
from .rewrite.polish import PolishCounts, SentenceEditor, polish
from .risk.indicators import CombinationIndicator, Indicator
from .risk.registry import load_indicators
from .text.readings import TextReading, plain_reading
from .text.target_names import check_target
from .verify import find_leaks
from .wording import missed_promise

if TYPE_CHECKING:
    from .detect.gazetteer import GazetteerDetector

Bounds = Callable[[float, str | None], LossBound]


class Sanitizer:
    """Sanitizes documents under one policy.

    Args:
        policy: the user's policy.
        recognizer: detects mentions and their risk; None if the policy doesn't use it.
        threshold: the recognizer's default masking threshold, used if the policy has none.
        parts: detectors, indicators, checks and other parts in addition to the policy's.
        bounds: returns the recognizer's promise for a share of identifiers left and a domain (None
            for the worst one); needed if the policy bounds that share.

    Attributes:
        promise: the promise about identifiers left; None if the policy has no ``residual_share``.
        languages: ISO 639-1 codes of the languages that the recognizer reads.
        polished: number of sentences by what the editor did with them.

    Raises:
        PolicyError: if the policy names a missing part, or bounds what can't be bounded; also if an
            editor is combined with *encrypt*, whose tokens are bound to the text before editing.
        PluginError: if a part that the policy names can't be loaded.
    """

    def __init__(
        self,
        policy: Policy,
        recognizer: Detector | None,
        threshold: float,
        parts: AdditionalParts = NO_PARTS,
        *,
        bounds: Bounds | None = None,
    ) -> None:
        # Unknown names are an error in the policy, not in a document.
        load_indicators(policy.indicators)
        load_checks(policy.checks)
        if policy.ontology or policy.keep:
            attributes_of(policy.keep, ontology_of(policy))
        if parts.editor is not None and "encrypt" in policy.operator_names:
            raise PolicyError(
                "an editor would break the tokens of encrypt; remove --polish or encrypt."
            )
        self.policy = policy
        self.parts = parts
        self._recognizer = recognizer
        self._threshold = threshold
        self._bounds = bounds
        self.polished = PolishCounts()
        self.promise = _promise(policy, bounds)
        self.languages: frozenset[str] = getattr(recognizer, "languages", frozenset({ENGLISH}))
        self._plugins = (
            *load_detectors(policy.detectors),
            *(PluginDetector(item, part_name("detector", item)) for item in parts.detectors),
        )
        self._patterns = PatternDetector(off=policy.patterns_off) if policy.patterns else None
        self._gazetteer = _gazetteer(policy)

    def __reduce__(self) -> tuple[object, ...]:
        """Pickle the arguments; weights are loaded again when it is unpickled."""
        arguments = self.policy, self._recognizer, self._threshold, self.parts
        return partial(Sanitizer, *arguments, bounds=self._bounds), ()

    @overload
    def sanitize(
        self, text: str, target: str | Sequence[str] = (), id: str = "text", subject: str = ""
    ) -> Result: ...

    @overload
    def sanitize(
        self, text: None, target: str | Sequence[str] = (), id: str = "text", subject: str = ""
    ) -> None: ...

    def sanitize(
        self,
        text: str | None,
        target: str | Sequence[str] = (),
        id: str = "text",
        subject: str = "",
    ) -> Result | None:
        """Return the sanitized text with the record of every edit, or None for None, which columns may contain.

        Args:
            text: the original.
            target: names of the person to protect; those names are direct identifiers.
            id: the document's id in the record.
            subject: the person it is about, for attacks; see ``Document``.

        Raises:
            InputError: if the text isn't a string, a name to protect has no letter, or a plug-in
                fails.
        """
        if text is None:
            return None
        names = (target,) if isinstance(target, str) else tuple(target)
        return self._all([Document(id, text, names, subject)])[0]

    @overload
    def pipe(self, texts: Iterable[str | Document], batch_size: int = 32) -> Iterator[Result]: ...

    @overload
    def pipe(
        self, texts: Iterable[str | Document | None], batch_size: int = 32
    ) -> Iterator[Result | None]: ...

    def pipe(
        self, texts: Iterable[str | Document | None], batch_size: int = 32
    ) -> Iterator[Result | None]:
        """Yield a result for each text, in order, reading ``batch_size`` of them at a time; None for None.

        Args:
            texts: strings, called ``text-1``, ``text-2``, … in the results, or documents.
            batch_size: larger values fill the recognizer's batches better; results never depend on
                it.

        Raises:
            ValueError: if ``batch_size`` is below 1.
            InputError: for the first document that can't be sanitized; nothing of its batch is
                yielded.
        """
        if batch_size < 1:
            raise ValueError(f"batch_size is {batch_size!r}; it must be at least 1.")
        documents = (
            text if text is None or isinstance(text, Document) else Document(f"text-{number}", text)
            for number, text in enumerate(texts, start=1)
        )
        while batch := list(islice(documents, batch_size)):
            results = iter(self._all([item for item in batch if item is not None]))
            yield from (None if item is None else next(results) for item in batch)

    def analyze(self, document: Document) -> Analysis:
        """Return the analysis of a document; see ``complete``."""
        return self.analyze_all([document])[0]

    def analyze_all(self, documents: Sequence[Document]) -> list[Analysis]:
        """Return the analysis of each document; the recognizer runs once for all of them.

        Raises:
            InputError: if a name to protect has no letter, a plug-in fails, or a document has text
                in a language that the policy refuses.
        """
        return list(self._analyses(documents))

    @property
    def threshold(self) -> float:
        """The masking threshold for types that have none in the policy."""
        if self.promise is not None:
            return self.promise.threshold
        return self._threshold if self.policy.threshold is None else self.policy.threshold

    def with_policy(self, policy: Policy) -> Sanitizer:
        """Return a sanitizer with the same recognizer and parts under another policy.

        Raises:
            PolicyError: if the policy needs a recognizer and this sanitizer has none.
        """
        recognizer = self._recognizer if policy.recognizer else None
        if policy.recognizer and recognizer is None:
            raise PolicyError(
                "the policy needs the recognizer, which was not loaded; load a sanitizer whose "
                "policy does not say `recognizer: false`."
            )
        return Sanitizer(policy, recognizer, self._threshold, self.parts, bounds=self._bounds)

    def complete(self, analysis: Analysis) -> AssessedResult:
        """Return the sanitized document for an analysis, before the editor and the checks; no model runs."""
        return complete(analysis, self.policy, self.threshold, parts=self.parts)

    def _all(self, documents: Sequence[Document]) -> list[Result]:
        analyses = self._analyses(documents)
        return [self._checked(self.complete(analysis).sanitized) for analysis in analyses]

    def _analyses(self, documents: Sequence[Document]) -> Iterator[Analysis]:
        """Yield the analysis of each document; all documents are checked before the first is yielded."""
        for document in documents:
            _check_text(document)
            check_target(document.target, document.id)
        foreign = [
            foreign_parts(document.text, self.languages, document.language)
            for document in documents
        ]
        if self.policy.languages == "refuse":
            for document, parts in zip(documents, foreign, strict=True):
                check_languages(document, parts)
        columns = [map(tuple, detector.detect(documents)) for detector in self._plugins]
        readings = [plain_reading(document.text) for document in documents]
        recognized = self._recognized(documents, readings)
        for document, parts, reading, *mentions in zip(
            documents, foreign, readings, *columns, strict=True
        ):
            candidates = [*chain(*mentions), *self._candidates(document.text, next(recognized))]
            if reading is not None:
                plain = self._candidates(reading.text, next(recognized))
                candidates += mentions_of_reading(document.text, reading, plain)
            yield self._analysis(document, candidates, parts)

    def _recognized(
        self, documents: Sequence[Document], readings: Sequence[TextReading | None]
    ) -> Iterator[Sequence[Mention]]:
        """Yield what the recognizer finds in each document, followed by what it finds in its plain reading, if any."""
        if self._recognizer is None:
            return repeat(())
        pairs = zip(documents, readings, strict=True)
        texts = [
            text
            for document, reading in pairs
            for text in (document, reading and replace(document, text=reading.text))
            if text
        ]
        return detections(self._recognizer, texts)

    def _candidates(self, text: str, recognized: Sequence[Mention]) -> Iterator[Mention]:
        """Yield the recognizer's mentions, and those of patterns and the gazetteer in the same text."""
        yield from recognized
        if self._patterns is not None:
            patterns = self._patterns.detect(text)
            yield from patterns if self._recognizer is None else in_context(patterns, recognized)
        if self._gazetteer is not None:
            yield from self._gazetteer.detect(text)

    def _analysis(
        self,
        document: Document,
        detected: Iterable[Mention],
        foreign: tuple[LanguagePart, ...],
    ) -> Analysis:
        candidates = [*detected, *policy_mentions(document, self.policy)]
        candidates = judge_log_fields(
            document.text, list(without_technical_names(document.text, candidates))
        )
        candidates = drop_unreliable_in_foreign_parts(
            without_values(document.text, candidates),
            foreign,
            patterns_only=self.policy.reads_patterns_only,
        )
        mentions = merge(document.text, candidates)
        if self.policy.propagate:
            elsewhere = without_technical_names(
                document.text, without_values(document.text, propagate(document, mentions))
            )
            mentions = merge(document.text, [*mentions, *elsewhere])
        return Analysis(document, mentions, foreign, self.languages)

    def _checked(self, result: Result) -> Result:
        """Return a result after the editor and all checks, with the policy's promise."""
        result = self._polished(result)
        if self.promise is not None:
            missed = () if self.promise.is_met else (missed_promise(self.promise),)
            risk = replace(result.risk, promise=self.promise)
            result = replace(result, risk=risk, warnings=(*result.warnings, *missed))
        return check_result(result, self.policy, self.parts.checks)

    def _polished(self, result: Result) -> Result:
        """Return a result after the editor; unchanged if masked strings could be seen."""
        editor = self.parts.editor
        if editor is None:
            return result
        counts = PolishCounts()
        text, replacements = polish(
            result.document, result.text, result.replacements, editor, counts
        )
        leaks = find_leaks(result.document, result.decisions, text, replacements)
        if len(leaks) > len(result.leaks):
            counts = replace(counts, smoothed=0, refused=counts.refused + counts.smoothed)
            text, replacements, leaks = result.text, result.replacements, result.leaks
        self.polished += counts
        return replace(result, text=text, replacements=replacements, leaks=leaks)


def _check_text(document: Document) -> None:
    """Raise an ``InputError`` that names the type if the value isn't a string."""
    text: object = document.text
    if not isinstance(text, str):
        raise InputError(
            f"{type(text).__name__}, not text; give a string, bytes decoded first.", document.id
        )


def load(
    policy: Policy | str | Path = "default",
    *,
    model: str | Path | None = None,
    threads: int | None = None,
    detectors: Sequence[Detector] = (),
    indicators: Sequence[Indicator] = (),
    combination_indicators: Sequence[CombinationIndicator] = (),
    checks: Sequence[Check] = (),
    editor: SentenceEditor | None = None,
    ontology: OntologySource = ontology_of,
) -> Sanitizer:
    """Return a sanitizer with the embedded recognizer; no network, no torch.

    Args:
        policy: a ``Policy``, the name of a shipped one, or the path of a YAML file.
        model: name of a shipped recognizer, or a folder that contains one; None for the policy's.
        threads: number of cores; None for all cores of this process.
        detectors: detectors of mentions in addition to the recognizer and the patterns.
        indicators: indicators of the risk of entities, such as ``reidentify.AttackIndicator``.
        combination_indicators: indicators of entities that must not all be left, such as
            ``risk.search.SearchRisk``.
        checks: checks of each result, such as ``reidentify.ResidualAttack``.
        editor: polishes sanitized sentences, such as ``tacenda_lab.llm.open_editor``.
        ontology: returns the ontology for generalizations under a policy; by default the policy's
            own.

    A policy's ``detectors``, ``indicators``, operators and ``checks`` may come from a plug-in, a
    package with entry points (``tacenda.plugins``).

    Raises:
        PolicyError: if the policy can't be used.
        ModelError: if the weights are missing or damaged.
        PluginError: if a plug-in that the policy names can't be loaded.
    """
    parts = AdditionalParts(
        tuple(detectors),
        tuple(indicators),
        tuple(combination_indicators),
        tuple(checks),
        editor,
        ontology,
    )
    settings = policy if isinstance(policy, Policy) else Policy.load(policy)
    return open_sanitizer(settings, model, threads, parts)


def open_sanitizer(
    policy: Policy, model: str | Path | None, threads: int | None, parts: AdditionalParts
) -> Sanitizer:
    """Return a sanitizer, given its parts as one value; see ``load``."""
    recognizer, threshold, bounds = _recognizer(policy, model, threads)
    return Sanitizer(policy, recognizer, threshold, parts, bounds=bounds)


def _recognizer(
    policy: Policy, model: str | Path | None, threads: int | None
) -> tuple[Detector | None, float, Bounds | None]:
    """Return the policy's recognizer, its default threshold and its bounds."""
    if not policy.recognizer:
        if policy.threshold is None:
            raise PolicyError("recognizer: false leaves no default threshold; set `threshold:`.")
        return None, policy.threshold, None
    from .detect.neural import NeuralDetector
    from .models.session import cores
    from .models.store import DEFAULT, locate
    from .models.token_classifier import TokenClassifier, open_recognizer

    weights = open_recognizer(locate(policy.model or DEFAULT if model is None else model))
    # A tensor library uses all cores for one batch.
    is_joint = isinstance(weights, TokenClassifier)
    count = 1 if is_joint else cores() if threads is None else threads
    detector = NeuralDetector(weights, count)
    return detector, weights.threshold, None if weights.bounds is None else weights.bounds.promise


def _promise(policy: Policy, bounds: Bounds | None) -> LossBound | None:
    """Return a policy's promise about the identifiers left.

    Raises:
        PolicyError: if the policy bounds their share, but no bound was measured for its parts.
    """
    if policy.residual_share is None:
        if policy.domain is not None and bounds is not None:
            bounds(1.0, policy.domain)  # An unknown domain is an error in the policy.
        return None
    if bounds is None:
        raise PolicyError(
            "residual_share needs a recognizer with bounds, which `tacenda lab train bound` measures; "
            "set a threshold instead."
        )
    if not (policy.patterns is True and policy.propagate and policy.combine == "any"):
        raise PolicyError(
            "residual_share was measured with patterns, propagation and `combine: any`; leave them "
            "on, or set a threshold instead."
        )
    return bounds(policy.residual_share, policy.domain)


def _gazetteer(policy: Policy) -> GazetteerDetector | None:
    """Return the detector of terms about people, if the policy enables it."""
    if policy.gazetteer is None:
        return None
    from .detect.gazetteer import GazetteerDetector

    return GazetteerDetector(minimum=policy.gazetteer)
