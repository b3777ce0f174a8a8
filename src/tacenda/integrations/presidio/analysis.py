"""Presidio's ``/analyze``, answered by tacenda: what the policy masks, with calibrated probabilities as scores."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from ...deciding import Analysis
from ...document import Document, MentionSource
from ...errors import InputError
from ...explain import sentences
from ...pipeline import Sanitizer
from .entities import NAMES, name_among, names_of
from .recognizers import AdHocRecognizer, Found, compiled, explanation, find, searches
from .schemas import AnalyzeRequest

NO_RECOGNIZER = "No matching recognizers were found to serve the request."
_SOURCES = {
    MentionSource.NEURAL: "TacendaRecognizer",
    MentionSource.PATTERN: "TacendaPatternRecognizer",
    MentionSource.GAZETTEER: "TacendaGazetteerRecognizer",
    MentionSource.PROPAGATION: "TacendaPropagationRecognizer",
    MentionSource.POLICY: "TacendaPolicyRecognizer",
    MentionSource.PLUGIN: "TacendaPluginRecognizer",
}
RECOGNIZERS = tuple(_SOURCES.values())
"""Names of the recognizers: the detectors of a sanitizer."""


class EngineError(InputError):
    """A request that Presidio's engine couldn't serve; its service answers with status 500."""


class Analyzer:
    """Analyzes requests under a sanitizer's policy.

    Args:
        sanitizer: the sanitizer; its operators aren't used.
    """

    def __init__(self, sanitizer: Sanitizer) -> None:
        # /anonymize writes the replacements; operators would only need time and a key here.
        plain = sanitizer.policy.with_changes(
            operator="tag", operators={}, operators_for=(), neutral=()
        )
        self.sanitizer = sanitizer.with_policy(plain)

    def check_language(self, language: str) -> None:
        """Check that a language is supported.

        Raises:
            EngineError: if it isn't.
        """
        if language not in self.sanitizer.languages:
            raise EngineError(NO_RECOGNIZER)

    def prepare(self, request: AnalyzeRequest) -> PreparedRequest:
        """Check a request as a whole, before any text is read.

        Raises:
            EngineError: if its language isn't supported.
            InputError: if it requests an unknown entity, or has an invalid regular expression.
        """
        recognizers = tuple(
            AdHocRecognizer.of(model, f"ad_hoc_recognizers[{index}]")
            for index, model in enumerate(request.ad_hoc_recognizers)
        )
        recognizers = tuple(item for item in recognizers if item.language == request.language)
        if not recognizers:
            self.check_language(request.language)
        entities = tuple(request.entities or ())
        own = {item.entity_type for item in recognizers}
        if unknown := [name for name in entities if name not in own and name not in NAMES]:
            raise InputError(
                f"entities: {', '.join(unknown)} can't be recognized, and would be left in the text; "
                "GET /supportedentities lists the names, or add a recognizer to ad_hoc_recognizers"
            )
        allowed = None
        if request.allow_list and request.allow_list_match == "regex":
            terms = "|".join(term for term in request.allow_list if term)
            allowed = compiled(terms, request.regex_flags, "allow_list") if terms else None
        sanitizer = self.sanitizer
        if request.score_threshold is not None:
            policy = sanitizer.policy.with_changes(threshold=request.score_threshold, thresholds={})
            sanitizer = sanitizer.with_policy(policy)
        return PreparedRequest(
            request,
            sanitizer,
            tuple(item for item in recognizers if not entities or item.entity_type in entities),
            entities,
            request.language in sanitizer.languages
            and (not entities or any(name in NAMES for name in entities)),
            allowed,
        )


@dataclass(frozen=True, slots=True)
class PreparedRequest:
    """A checked request to ``/analyze``.

    Attributes:
        request: the request as sent.
        sanitizer: the sanitizer with the request's threshold.
        recognizers: the request's recognizers that apply.
        entities: the requested entity names; all if empty.
        is_read: whether the sanitizer is used.
        allowed: regular expression for what isn't returned; None if there is none.
    """

    request: AnalyzeRequest
    sanitizer: Sanitizer
    recognizers: tuple[AdHocRecognizer, ...]
    entities: tuple[str, ...]
    is_read: bool
    allowed: Any

    @property
    def documents(self) -> list[Document]:
        """Return the texts for the sanitizer; empty if it isn't used."""
        if not self.is_read:
            return []
        return [
            Document(f"text-{number}", text) for number, text in enumerate(self.request.texts, 1)
        ]

    def answer(self, analyses: Sequence[Analysis]) -> Any:
        """Return Presidio's answer: a list of results, or a list of such lists if a list of texts was sent.

        Args:
            analyses: the analyses of ``documents``.

        Raises:
            InputError: if a regular expression takes too long.
        """
        texts = self.request.texts
        matches = find(self.recognizers, texts, self.request.context)
        minimum = self.request.score_threshold or 0.0
        own = map(self._masked, analyses) if analyses else ([] for _ in texts)
        answers = []
        for text, found, of_request in zip(texts, own, matches, strict=True):
            likely = (item for item in of_request if item.score >= minimum and item.score > 0)
            results = without_duplicates([*found, *likely])
            answers.append([self._as_json(item) for item in self._not_allowed(text, results)])
        return answers[0] if isinstance(self.request.text, str) else answers

    def _masked(self, analysis: Analysis) -> list[Found]:
        """Yield the masked mentions, each with the probability of its entity."""
        sanitizer, text = self.sanitizer, analysis.document.text
        result = sanitizer.complete(analysis).sanitized
        results = []
        for decision in result.decisions:
            if not decision.masked:
                continue
            # What a rule detects is masked at any threshold, so a client must not filter it by
            # score.
            score = max(decision.risk, self.request.score_threshold or 0.0)
            for mention in decision.entity.mentions:
                names = names_of(mention, text)
                name = name_among(names, self.entities) if self.entities else names[0]
                if name is not None:
                    reasons = explanation(
                        recognizer=_SOURCES.get(mention.source, RECOGNIZERS[0]),
                        pattern_name=mention.kind or None,
                        original_score=score,
                        score=score,
                        textual_explanation=" ".join(sentences(decision)),
                    )
                    results.append(Found(mention.span, name, score, reasons))
        return results

    def _not_allowed(self, text: str, results: Sequence[Found]) -> list[Found]:
        strings = [item.span.of(text) for item in results]
        if self.request.allow_list_match == "exact":
            allowed = frozenset(self.request.allow_list)
            is_allowed = [string in allowed for string in strings]
        else:
            is_allowed = searches(self.allowed, strings) if self.allowed else [False] * len(strings)
        return [item for item, skip in zip(results, is_allowed, strict=True) if not skip]

    def _as_json(self, item: Found) -> dict[str, Any]:
        return {
            "analysis_explanation": item.explanation
            if self.request.return_decision_process
            else None,
            "end": item.span.end,
            "entity_type": item.entity_type,
            "score": item.score,
            "start": item.span.start,
        }


def without_duplicates(results: Iterable[Found]) -> list[Found]:
    """Return the results in text order, without those inside a better result of the same type."""
    unique: list[Found] = []
    around: list[Found] = []
    for item in sorted(results, key=_by_type):
        around = [
            peer
            for peer in around
            if peer.entity_type == item.entity_type and peer.span.end > item.span.start
        ]
        if not any(peer.span.contains(item.span) and peer.score >= item.score for peer in around):
            around.append(item)
            unique.append(item)
    return sorted(unique, key=lambda item: (item.span, item.entity_type))


def _by_type(item: Found) -> tuple[str, int, int, float]:
    return item.entity_type, item.span.start, -item.span.end, -item.score
