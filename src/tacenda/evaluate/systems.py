"""Outputs of systems: their masks as made, and at other thresholds.

All comparisons of systems with gold annotations read their files here: either masks, or results of
``tacenda sanitize --to json``, which the content shows.

A result lists each detected entity, masked or kept, with the highest threshold at which it is
masked. Entities decided in other ways (direct identifiers, the target, allow and deny lists) have
no threshold, and the same decision at every threshold. Masks derived from thresholds are the
detected mentions. An actual run at a threshold also joins adjacent masks and masks its leaks, so it
can differ by a few characters.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final, NamedTuple

from ..annotations.checked_json import parse_json, read_text
from ..annotations.result import result_lines
from ..annotations.tab import parse_masks
from ..document import Span
from ..errors import InputError
from ..result import ParsedResult, is_result, parse_results
from .matching import Masks


def stated_threshold(results: Sequence[ParsedResult]) -> float | None:
    """Return a run's threshold, or None if it has none or several (by type)."""
    stated = {
        entity.threshold
        for result in results
        for entity in result.entities
        if entity.threshold is not None
    }
    return stated.pop() if len(stated) == 1 else None


THRESHOLDS: Final = (
    *(0.0, 0.01, 0.02, 0.03, 0.05, 0.07),
    *(step / 20 for step in range(2, 20)),
    *(0.97, 0.98, 0.99, 1.0),
)
"""Where the curve of results is measured; dense at both ends, where figures move fastest."""


class SystemFile(NamedTuple):
    """A file that a user named, with its system, and its threshold if given."""

    name: str
    threshold: float | None
    path: str


class Level(NamedTuple):
    """A system's masks at a threshold."""

    threshold: float
    masks: Masks


@dataclass(frozen=True, slots=True)
class System:
    """A system to report on.

    Attributes:
        name: its name on the page.
        masks: its masks at the operating point.
        threshold: the threshold at the operating point; None if unknown or different by type.
        levels: its masks at several thresholds, in order; empty if unknown.
        follows: whether the levels were derived from risks in results rather than from runs.
    """

    name: str
    masks: Masks
    threshold: float | None = None
    levels: tuple[Level, ...] = ()
    follows: bool = False


def load_systems(sources: Sequence[SystemFile]) -> tuple[System, ...]:
    """Read each system's masks.

    Args:
        sources: in order; sources with the same name belong to one system at several thresholds,
            the first of which is its operating point.

    Raises:
        InputError: if a file can't be read, is neither masks nor results, or is results although a
            threshold was given for it; or if a system has the same threshold twice, or lacks a
            threshold for one of several files.
    """
    by_name: dict[str, list[SystemFile]] = {}
    for source in sources:
        by_name.setdefault(source.name, []).append(source)
    return tuple(_system(name, group) for name, group in by_name.items())


def _system(name: str, sources: Sequence[SystemFile]) -> System:
    if len(sources) == 1:
        return _one(sources[0])
    levels: dict[float, Masks] = {}
    for source in sources:
        if source.threshold is None:
            raise InputError(
                f"system {name!r} has several files; give the threshold of each as "
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
    """Return a system's masks by document; ``-`` is standard input.

    Args:
        path: a file of masks, or of results of ``tacenda sanitize --to json``.

    Raises:
        InputError: if the file can't be read or is neither.
    """
    output = _read(str(path))
    return _made(output) if isinstance(output, tuple) else output


def _one(source: SystemFile) -> System:
    output = _read(source.path)
    if not isinstance(output, tuple):
        return System(source.name, output, source.threshold)
    if source.threshold is not None:
        raise InputError(
            "contains results, which give masks at every threshold; name it without "
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
    """Return the masks or the results in a file; results are one per line or one list."""
    text = read_text(path)
    lines = result_lines(text, path)
    if lines is not None:
        return parse_results(lines, path)
    raw = parse_json(text, path, finite=False)
    if isinstance(raw, list) and raw and all(map(is_result, raw)):
        return parse_results(raw, path)
    if not isinstance(raw, dict):
        raise InputError(
            "must contain a JSON object {doc_id: [[start, end], ...]} or results of `tacenda sanitize "
            "--to json`",
            path,
        )
    return parse_masks(raw, path)
