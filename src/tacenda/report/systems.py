"""The systems of a report: what each masked, and what it would have masked otherwise."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

from ..errors import InputError
from ..evaluate.masks import Masks, parse_masks
from ..evaluate.reading import parse_json, read_text
from .results import is_result, parse_results, stated_threshold

THRESHOLDS: Final = (
    *(0.0, 0.01, 0.02, 0.03, 0.05, 0.07),
    *(step / 20 for step in range(2, 20)),
    *(0.97, 0.98, 0.99, 1.0),
)
"""Where the curve of results is measured; dense at both ends, where figures move fastest."""


class Source(NamedTuple):
    """A file that a user named: whose masks it has, and at which threshold if that was said."""

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
        name: as the page calls it.
        masks: what it masked: its operating point.
        threshold: of the operating point; None where it is unknown or differs by type.
        levels: what it masks at other thresholds, in their order; empty where unknown.
        follows: whether the levels follow from risks in results, rather than from runs.
    """

    name: str
    masks: Masks
    threshold: float | None = None
    levels: tuple[Level, ...] = ()
    follows: bool = False


def load_systems(sources: Sequence[Source]) -> tuple[System, ...]:
    """Read what each system masked.

    Args:
        sources: in order; those of the same name belong to one system, at several thresholds,
            of which the first is its operating point.

    Raises:
        InputError: a file can't be read, is neither masks nor results, or is results though a
            threshold was given for it; or a system has a threshold twice, or no threshold for
            one of several files.
    """
    by_name: dict[str, list[Source]] = {}
    for source in sources:
        by_name.setdefault(source.name, []).append(source)
    return tuple(_system(name, theirs) for name, theirs in by_name.items())


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


def _one(source: Source) -> System:
    found = _read(source.path)
    if not isinstance(found, list):
        return System(source.name, parse_masks(found, source.path), source.threshold)
    if source.threshold is not None:
        raise InputError(
            "holds results, from which masks at every threshold follow; name it without "
            f"@{source.threshold:g}",
            source.path,
        )
    results = parse_results(found, source.path)
    return System(
        name=source.name,
        masks={result.id: result.made() for result in results},
        threshold=stated_threshold(results),
        levels=tuple(
            Level(threshold, {result.id: result.masks(threshold) for result in results})
            for threshold in THRESHOLDS
        ),
        follows=True,
    )


def _read(path: str) -> Mapping[str, Any] | list[Any]:
    """Return the objects of a file of results; what else the file holds as it is.

    Results are a JSON object a line, so a file is read as lines if its first is one of them.
    """
    text = read_text(path)
    # Only a line feed ends a line of ours: strings may hold other separators of Unicode.
    lines = [line for line in text.split("\n") if line.strip()]
    if len(lines) > 1 and '"schema_version"' in lines[0]:
        return [parse_json(line, f"{path}:{number}") for number, line in enumerate(lines, 1)]
    found: Any = parse_json(text, path)
    if is_result(found):
        return [found]
    if isinstance(found, list) and found and all(map(is_result, found)):
        return found
    if not isinstance(found, dict):
        raise InputError(
            "must hold masks {doc_id: [[start, end], ...]} or results of `tacenda sanitize "
            "--to json`",
            path,
        )
    return found
