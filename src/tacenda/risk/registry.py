"""Indicators by name: the built-in ones and those from other packages.

An entry point of ``tacenda.indicators`` is called without arguments, or with the folder that
follows its name and a colon. Its name is also the name of its evidence, whose value is a calibrated
probability.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from threading import Lock

from .. import plugins
from ..document import Combination, Document, Entity
from ..errors import PolicyError
from ..memory import LruCache
from .indicators import CombinationIndicator, Finding, Indicator, PluginIndicator
from .recognizer_risk import RecognizerIndicator

REGISTRY: dict[str, Callable[[], Indicator]] = {
    "masking_head_whole": lambda: RecognizerIndicator(min_word=True)
}
"""The built-in ones."""


def indicator_names() -> tuple[str, ...]:
    """Return the sorted names of all indicators, built in or from other packages.

    Raises:
        PluginError: if two of them have the same name.
    """
    return tuple(sorted((*REGISTRY, *plugins.names(plugins.INDICATORS, REGISTRY))))


class CachedIndicator:
    """An indicator that only one thread calls at a time, and only once about the same entities.

    Args:
        indicator: an indicator of entities, combinations or both.
        name: its label for messages; that of its class if empty.
        size: number of documents whose answers are cached; one is enough for the rounds in which
            one document is decided.
    """

    def __init__(
        self, indicator: Indicator | CombinationIndicator, name: str = "", size: int = 1
    ) -> None:
        self._indicator = PluginIndicator(indicator, name)
        self._lock = Lock()
        self._findings: LruCache[_Subject, tuple[Finding | None, ...]] = LruCache(size)
        self._combinations: LruCache[_Subject, tuple[Combination, ...]] = LruCache(size)

    def judge(self, document: Document, entities: Sequence[Entity]) -> list[Finding | None]:
        """Return one finding per entity, in order; all None if the indicator doesn't judge entities."""

        def judge() -> tuple[Finding | None, ...]:
            with self._lock:
                return tuple(self._indicator.judge(document, entities))

        return list(self._findings.get_or_compute((document, tuple(entities)), judge))

    def combinations(
        self, document: Document, entities: Sequence[Entity]
    ) -> tuple[Combination, ...]:
        """Return the risky combinations, if any."""

        def find() -> tuple[Combination, ...]:
            with self._lock:
                return self._indicator.combinations(document, entities)

        return self._combinations.get_or_compute((document, tuple(entities)), find)


_Subject = tuple[Document, tuple[Entity, ...]]


def kind_of(indicator: str) -> str:
    """Return the kind of an indicator, the part before the colon: ``language`` in ``language:FOLDER``."""
    return indicator.partition(":")[0]


@cache
def _load_indicator(name: str) -> CachedIndicator:
    kind, _, folder = name.partition(":")
    factory = REGISTRY.get(kind)
    part = f"indicator {kind!r}"
    if factory is not None:
        if folder:
            raise PolicyError(f"{part} is built in, and has no folder; remove {folder!r}")
        return CachedIndicator(factory())
    arguments = (folder,) if folder else ()
    return CachedIndicator(plugins.create(plugins.INDICATORS, kind, part, *arguments), part)


def load_indicators(names: Sequence[str]) -> tuple[CachedIndicator, ...]:
    """Return the indicators with these names; each is loaded only once per process.

    Args:
        names: either a kind, or a kind, a colon and the folder of a trained indicator.

    Raises:
        PolicyError: if a name is unknown (the message lists the known names), or two names have the
            same kind.
        MissingLabError: if it needs ``tacenda-lab``, which isn't installed.
        PluginError: if it can't be loaded.
    """
    kinds = [kind_of(name) for name in names]
    for kind in kinds:
        if kind not in REGISTRY and kind not in (
            *indicator_names(),
            *plugins.LAB[plugins.INDICATORS],
        ):
            raise PolicyError(
                f"unknown indicator {kind!r}; choose one of {', '.join(indicator_names())}"
            )
        if kinds.count(kind) > 1 and len(set(names)) == len(names):
            raise PolicyError(f"indicators: {kind} occurs with two folders; remove one")
    return tuple(map(_load_indicator, names))
