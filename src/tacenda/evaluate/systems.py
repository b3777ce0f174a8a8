"""Outputs of systems: masks of each, as made and at other thresholds.

For all comparisons of systems with gold, a file of masks or of results of ``tacenda sanitize --to
json`` is read here; its content decides between the two.

A result names each detected entity, masked or kept, with the highest threshold for masking it.
Entities decided otherwise (direct identifiers, the target, allow and deny lists) have none, and the
same decision at every threshold. Masks derived in this way are the detected mentions. An actual run
at a threshold also joins neighbouring masks and masks its leaks, so it can differ by a few
characters.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Final, Literal, NamedTuple

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from ..annotations.checked_json import parse_json, read_text
from ..annotations.result import is_result, result_lines
from ..annotations.tab import parse_masks
from ..document import Span
from ..errors import InputError
from .matching import Masks

_Probability = Annotated[float, Field(ge=0, le=1)]
_Offset = Annotated[int, Field(strict=True, ge=0)]


class _Stretch(BaseModel):
    """Code points of the original; further keys of a result are ignored."""

    model_config = ConfigDict(frozen=True, hide_input_in_errors=True)

    start: _Offset
    end: _Offset

    def span(self) -> Span:
        return Span(self.start, self.end)


class Entity(BaseModel):
    """The threshold and decision of an entity in a result."""

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
    """One sanitized document, as in ``schemas/result.schema.json``."""

    model_config = ConfigDict(frozen=True, hide_input_in_errors=True)

    schema_version: Literal["1.1"]
    id: str
    entities: tuple[Entity, ...]
    replacements: tuple[_Stretch, ...]

    def made(self) -> tuple[Span, ...]:
        """Return the masks of the run, in order of the text."""
        return tuple(sorted(stretch.span() for stretch in self.replacements))

    def masks(self, threshold: float) -> tuple[Span, ...]:
        """Return the masks at this threshold, in order of the text."""
        spans = {
            mention.span()
            for entity in self.entities
            if entity.is_masked(threshold)
            for mention in entity.mentions
        }
        return tuple(sorted(spans))


def parse_results(objects: Sequence[Any], name: str) -> tuple[ParsedResult, ...]:
    """Turn parsed JSON objects into results.

    Args:
        objects: one a document.
        name: of the file, for messages.

    Raises:
        InputError: names the object, the field and the fault, never its text.
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
    """Return the threshold of a run; None without one, or with several (by type)."""
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


THRESHOLDS: Final = (
    *(0.0, 0.01, 0.02, 0.03, 0.05, 0.07),
    *(step / 20 for step in range(2, 20)),
    *(0.97, 0.98, 0.99, 1.0),
)
"""Where the curve of results is measured; dense at both ends, where figures move fastest."""


class Source(NamedTuple):
    """A file named by a user: its system, and its threshold if one was given."""

    name: str
    threshold: float | None
    path: str


class Level(NamedTuple):
    """What a system masks at a threshold."""

    threshold: float
    masks: Masks


@dataclass(frozen=True, slots=True)
class System:
    """A system to report on.

    Attributes:
        name: its name on the page.
        masks: its masks at the operating point.
        threshold: of the operating point; None if unknown or different by type.
        levels: its masks at several thresholds, in their order; empty if unknown.
        follows: whether the levels follow from risks in results, rather than from runs.
    """

    name: str
    masks: Masks
    threshold: float | None = None
    levels: tuple[Level, ...] = ()
    follows: bool = False


def load_systems(sources: Sequence[Source]) -> tuple[System, ...]:
    """Read the masks of each system.

    Args:
        sources: in order; those of the same name belong to one system, at several thresholds; the
            first is its operating point.

    Raises:
        InputError: a file can't be read, is neither masks nor results, or is results though a
            threshold was given for it; or a system has a threshold twice, or no threshold for
            one of several files.
    """
    by_name: dict[str, list[Source]] = {}
    for source in sources:
        by_name.setdefault(source.name, []).append(source)
    return tuple(_system(name, group) for name, group in by_name.items())


def _system(name: str, sources: Sequence[Source]) -> System:
    if len(sources) == 1:
        return _one(sources[0])
    levels: dict[float, Masks] = {}
    for source in sources:
        if source.threshold is None:
            raise InputError(
                f"system {name!r} has several files; say the threshold of each as "
                f"{name}@THRESHOLD=FILE, or give them different names",
                source.path,
            )
        if source.threshold in levels:
            raise InputError(
                f"system {name!r} has threshold {source.threshold:g} already", source.path
            )
        levels[source.threshold] = _one(source).masks
    first = sources[0].threshold
    ordered = tuple(Level(*level) for level in sorted(levels.items()))
    return System(name, next(iter(levels.values())), first, ordered)


def load_masks(path: str | Path) -> dict[str, tuple[Span, ...]]:
    """What a system masked, by document; ``-`` is standard input.

    Args:
        path: a file of masks, or of results of ``tacenda sanitize --to json``.

    Raises:
        InputError: the file can't be read or is neither.
    """
    output = _read(str(path))
    return _made(output) if isinstance(output, tuple) else output


def _one(source: Source) -> System:
    output = _read(source.path)
    if not isinstance(output, tuple):
        return System(source.name, output, source.threshold)
    if source.threshold is not None:
        raise InputError(
            "holds results, from which masks at every threshold follow; name it without "
            f"@{source.threshold:g}",
            source.path,
        )
    return System(
        name=source.name,
        masks=_made(output),
        threshold=stated_threshold(output),
        levels=tuple(
            Level(threshold, {result.id: result.masks(threshold) for result in output})
            for threshold in THRESHOLDS
        ),
        follows=True,
    )


def _made(results: Sequence[ParsedResult]) -> dict[str, tuple[Span, ...]]:
    return {result.id: result.made() for result in results}


def _read(path: str) -> dict[str, tuple[Span, ...]] | tuple[ParsedResult, ...]:
    """The masks or the results of a file; results are a line each or one list."""
    text = read_text(path)
    lines = result_lines(text, path)
    if lines is not None:
        return parse_results([raw for _, raw in lines], path)
    raw = parse_json(text, path, finite=False)
    if isinstance(raw, list) and raw and all(map(is_result, raw)):
        return parse_results(raw, path)
    if not isinstance(raw, dict):
        raise InputError(
            "must hold a JSON object {doc_id: [[start, end], ...]} or results of `tacenda sanitize "
            "--to json`",
            path,
        )
    return parse_masks(raw, path)
