"""Results of ``tacenda sanitize --to json``, and the masks that follow from them at a threshold.

A result names each entity that was found, masked or kept, with the highest threshold at which it is
masked; the others (direct identifiers, the target, allow and deny lists) have none, and are what they
are at every threshold.

Masks that follow in this way are the mentions as found. A run at that threshold also joins
neighbouring masks, and masks what its leak check finds, which can differ by a few characters.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from ..document import Span
from ..errors import InputError

_Probability = Annotated[float, Field(ge=0, le=1)]
_Offset = Annotated[int, Field(strict=True, ge=0)]


class _Stretch(BaseModel):
    """Code points of the original; a result has more keys, which are of no interest here."""

    model_config = ConfigDict(frozen=True, hide_input_in_errors=True)

    start: _Offset
    end: _Offset

    def span(self) -> Span:
        return Span(self.start, self.end)


class Entity(BaseModel):
    """What a result says of an entity that matters to thresholds."""

    model_config = ConfigDict(frozen=True, hide_input_in_errors=True)

    decision: Literal["mask", "keep"]
    threshold: _Probability | None
    masked_up_to: _Probability | None
    mentions: tuple[_Stretch, ...]

    def is_masked(self, threshold: float) -> bool:
        """Tell whether it would be masked with this threshold for all types."""
        if self.masked_up_to is None:
            return self.decision == "mask"
        return threshold <= self.masked_up_to


class ParsedResult(BaseModel):
    """One sanitized document, as in ``corpora/schemas/result.schema.json``."""

    model_config = ConfigDict(frozen=True, hide_input_in_errors=True)

    schema_version: Literal["1.1"]
    id: str
    entities: tuple[Entity, ...]
    replacements: tuple[_Stretch, ...]

    def made(self) -> tuple[Span, ...]:
        """Return what the run masked, in order of the text."""
        return tuple(sorted(stretch.span() for stretch in self.replacements))

    def masks(self, threshold: float) -> tuple[Span, ...]:
        """Return what it would have masked with this threshold, in order of the text."""
        spans = {
            mention.span()
            for entity in self.entities
            if entity.is_masked(threshold)
            for mention in entity.mentions
        }
        return tuple(sorted(spans))


def is_result(raw: Any) -> bool:
    """Tell whether parsed JSON is a result, rather than masks by document id."""
    return isinstance(raw, dict) and "schema_version" in raw


def parse_results(objects: Sequence[Any], name: str) -> tuple[ParsedResult, ...]:
    """Turn parsed JSON objects into results.

    Args:
        objects: one a document.
        name: of the file, for messages.

    Raises:
        InputError: names the object, the field and what is wrong there, never its text.
    """
    results: dict[str, ParsedResult] = {}
    for position, raw in enumerate(objects):
        try:
            result = ParsedResult.model_validate(raw)
            for stretch in (*result.replacements, *_mentions(result)):
                _check(stretch, result.id)
        except ValidationError as error:
            fault = error.errors(include_url=False, include_input=False, include_context=False)[0]
            field = ".".join(map(str, fault["loc"])) or "it"
            raise InputError(
                f"result {position}: {field}: {fault['msg']}; a line must be an object of "
                "`tacenda sanitize --to json`",
                name,
            ) from None
        if result.id in results:
            raise InputError(f"document {result.id!r} is there twice", name)
        results[result.id] = result
    return tuple(results.values())


def stated_threshold(results: Sequence[ParsedResult]) -> float | None:
    """Return the threshold of a run; None where it states none, or several (by type)."""
    stated = {
        entity.threshold
        for result in results
        for entity in result.entities
        if entity.threshold is not None
    }
    return stated.pop() if len(stated) == 1 else None


def _mentions(result: ParsedResult) -> list[_Stretch]:
    return [mention for entity in result.entities for mention in entity.mentions]


def _check(stretch: _Stretch, document: str) -> None:
    if stretch.start >= stretch.end:
        raise InputError(
            f"[{stretch.start}, {stretch.end}) is not a span; 0 <= start < end must hold", document
        )
