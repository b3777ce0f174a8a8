"""Recognizers defined in a request: regular expressions and deny lists with scores, and context words.

They work like ``PatternRecognizer`` of presidio-analyzer 2.2 and its context enhancer: if the five
words before a match, or the request's context, contain a context word, its score rises by 0.35, and
to at least 0.4. Python's ``re`` matches the expressions within a time limit.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final

from ...document import Span
from ...errors import InputError
from ...isolation.limits import REGEX_SECONDS, limits
from ...isolation.workers import TimeLimitError, isolated
from ...policy.regex_cost import ways
from .schemas import RecognizerSchema

_WORDS_BEFORE = 5
_GAIN, _LEAST = 0.35, 0.4
_WORD = re.compile(r"\w+")
_FAR = 500  # Number of code points before a match that are searched for its five words.


@dataclass(frozen=True, slots=True)
class ScoredPattern:
    """A regular expression with the score of its matches.

    Attributes:
        name: its name in explanations.
        pattern: the compiled expression.
        score: the score of a match, in [0, 1].
        group: the group that is the entity; 0 for the whole match.
    """

    name: str
    pattern: re.Pattern[str]
    score: float
    group: int | str = 0


@dataclass(frozen=True, slots=True)
class Found:
    """A result of ``/analyze``, before conversion to JSON.

    Attributes:
        span: its position in the text.
        entity_type: the entity's name.
        score: in [0, 1].
        explanation: Presidio's analysis explanation.
    """

    span: Span
    entity_type: str
    score: float
    explanation: dict[str, Any] = field(repr=False)


_NO_EXPLANATION: Final = {
    "recognizer": "",
    "pattern_name": None,
    "pattern": None,
    "original_score": 0.0,
    "score": 0.0,
    "textual_explanation": None,
    "score_context_improvement": 0,
    "supportive_context_word": "",
    "validation_result": None,
    "regex_flags": None,
}


def explanation(**fields: Any) -> dict[str, Any]:
    """Return Presidio's explanation of a result, with Presidio's defaults for what isn't given."""
    return _NO_EXPLANATION | fields


@dataclass(frozen=True, slots=True)
class AdHocRecognizer:
    """A recognizer defined in one request.

    Attributes:
        name: its name in explanations.
        entity_type: the entity's name.
        language: ISO 639-1 code of the texts that it reads.
        patterns: at least one.
        context: words that raise the score.
    """

    name: str
    entity_type: str
    language: str
    patterns: tuple[ScoredPattern, ...]
    context: tuple[str, ...]

    @classmethod
    def of(cls, model: RecognizerSchema, place: str) -> AdHocRecognizer:
        """Return the recognizer that a request describes.

        Raises:
            InputError: if an expression is invalid or matches nothing, or a group doesn't exist.
        """
        flags = model.global_regex_flags
        patterns = [
            ScoredPattern(
                item.name,
                compiled(item.regex, flags, f"{place}.patterns[{index}].regex"),
                item.score,
                0 if item.capture_group is None else item.capture_group,
            )
            for index, item in enumerate(model.patterns or ())
        ]
        for index, item in enumerate(patterns):
            groups = {*range(item.pattern.groups + 1), *item.pattern.groupindex}
            if item.group not in groups:
                raise InputError(
                    f"{place}.patterns[{index}].capture_group: the expression has no such group"
                )
        if model.deny_list:
            terms = "|".join(map(re.escape, model.deny_list))
            expression = rf"(?:^|(?<=\W))({terms})(?:(?=\W)|$)"
            pattern = compiled(expression, flags, f"{place}.deny_list")
            patterns.append(ScoredPattern("deny_list", pattern, model.deny_list_score))
        return cls(
            model.name or "PatternRecognizer",
            model.entity,
            model.supported_language,
            tuple(patterns),
            tuple(word.casefold() for word in model.context or ()),
        )


def compiled(expression: str, flags: int, place: str) -> re.Pattern[str]:
    """Return a compiled expression.

    Raises:
        InputError: if it is invalid.
    """
    try:
        return re.compile(expression, flags)
    except (re.error, ValueError, OverflowError, RecursionError) as error:
        raise InputError(
            f"{place}: is not a regular expression of Python's re ({type(error).__name__})"
        ) from None


def find(
    recognizers: Sequence[AdHocRecognizer], texts: Sequence[str], context: Sequence[str] = ()
) -> list[list[Found]]:
    """Return the matches of all recognizers in each text.

    Args:
        recognizers: the request's recognizers.
        texts: the request's texts.
        context: words that count as context.

    Raises:
        InputError: if together they take too long.
    """
    owners = [(owner, source) for owner in recognizers for source in owner.patterns]
    spans = _timed(_find, [source for _, source in owners], texts)
    return [
        [
            _found(owner, source, Span(*span), text, context)
            for (owner, source), of_text in zip(owners, spans, strict=True)
            for span in of_text[index]
        ]
        for index, text in enumerate(texts)
    ]


def searches(pattern: re.Pattern[str], strings: Sequence[str]) -> list[bool]:
    """Return for each string whether the expression matches anywhere in it.

    Raises:
        InputError: if it takes too long.
    """
    (spans,) = _timed(_search, [ScoredPattern("allow_list", pattern, 0.0)], strings)
    return [bool(of_text) for of_text in spans]


def _found(
    owner: AdHocRecognizer, source: ScoredPattern, span: Span, text: str, context: Sequence[str]
) -> Found:
    """Return a match, with its score raised by the first context word near it."""
    before = _WORD.findall(text[max(0, span.start - _FAR) : span.start].casefold())
    around = [*before[-_WORDS_BEFORE:], *(word.casefold() for word in context)]
    word = next((word for word in owner.context if any(word in near for near in around)), "")
    score = min(1.0, max(source.score + _GAIN, _LEAST)) if word else source.score
    reasons = explanation(
        recognizer=owner.name,
        pattern_name=source.name,
        pattern=source.pattern.pattern,
        original_score=source.score,
        score=score,
        textual_explanation=f"Detected by `{owner.name}` using pattern `{source.name}`",
        score_context_improvement=score - source.score,
        supportive_context_word=word,
        regex_flags=source.pattern.flags & ~re.UNICODE,
    )
    return Found(span, owner.entity_type, score, reasons)


_Spans = list[tuple[int, int]]
_FEW_STEPS = 2_000_000


def _timed(
    function: Callable[[Sequence[ScoredPattern], Sequence[str]], list[list[_Spans]]],
    sources: Sequence[ScoredPattern],
    texts: Sequence[str],
) -> list[list[_Spans]]:
    """Return the spans of each pattern in each text; in a worker if patterns may be slow."""
    if not sources or not texts:
        return [[[] for _ in texts] for _ in sources]
    longest, size = max(map(len, texts)), sum(map(len, texts))
    steps = sum(
        _FEW_STEPS
        if source.pattern.flags & re.VERBOSE
        else size * ways(source.pattern.pattern, longest)
        for source in sources
    )
    if steps < _FEW_STEPS:
        return function(sources, texts)
    bounds = limits()
    bounds = replace(bounds, seconds=bounds.regex_seconds)
    try:
        return isolated(function, (sources, texts), subject="", size=size, granted=bounds)
    except TimeLimitError:
        raise InputError(
            "the regular expressions of the request took too long on its text and were stopped; "
            f"bound their repetitions, or raise {REGEX_SECONDS} from {bounds.regex_seconds:g}."
        ) from None


def _find(sources: Sequence[ScoredPattern], texts: Sequence[str]) -> list[list[_Spans]]:
    return [
        [
            [
                span
                for match in source.pattern.finditer(text)
                if (span := match.span(source.group))[0] < span[1]
            ]
            for text in texts
        ]
        for source in sources
    ]


def _search(sources: Sequence[ScoredPattern], texts: Sequence[str]) -> list[list[_Spans]]:
    return [
        [[match.span()] if (match := source.pattern.search(text)) else [] for text in texts]
        for source in sources
    ]
