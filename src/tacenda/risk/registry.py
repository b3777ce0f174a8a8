"""Further indicators by the name under which a policy's ``indicators:`` asks for them.

Built in are those of ``REGISTRY``; any package adds one by an entry point of ``tacenda.indicators``,
called without arguments. The name is that of its evidence, whose value is a calibrated probability that the entity must be masked, or, of
*search_emulated*, that a search for it leads to the person. One that is also a
``CombinationIndicator`` is asked for combinations too.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache

from .. import plugins
from ..document import Combination, Document, Entity
from ..errors import PolicyError
from .indicator import CombinationIndicator, Finding, Indicator


def _whole_match() -> Indicator:
    from .masking_head import MaskingHead

    return MaskingHead(whole=True)


REGISTRY: dict[str, Callable[[], Indicator]] = {"masking_head_whole": _whole_match}
"""The built-in ones."""


def indicator_names() -> tuple[str, ...]:
    """Return the names of all indicators, built in or from other packages, sorted.

    Raises:
        PluginError: if two of them have one name.
    """
    return tuple(sorted((*REGISTRY, *plugins.names(plugins.INDICATORS, REGISTRY))))


@dataclass(frozen=True, slots=True)
class _Answer:
    about: tuple[Document, tuple[Entity, ...]]
    findings: tuple[Finding | None, ...]
    combinations: tuple[Combination, ...]


class Remembering:
    """An indicator that is asked once about the same entities: a document is decided in rounds.

    Args:
        indicator: what is asked.
    """

    def __init__(self, indicator: Indicator) -> None:
        self._indicator = indicator
        # One value, so that threads that share it never see half of an answer.
        self._last: _Answer | None = None

    def judge(self, document: Document, entities: Sequence[Entity]) -> list[Finding | None]:
        """Return one finding an entity, in order."""
        return list(self._asked(document, entities).findings)

    def combinations(
        self, document: Document, entities: Sequence[Entity]
    ) -> tuple[Combination, ...]:
        """Return the risky combinations; none where the indicator knows of none."""
        return self._asked(document, entities).combinations

    def _asked(self, document: Document, entities: Sequence[Entity]) -> _Answer:
        last, about = self._last, (document, tuple(entities))
        if last is None or last.about != about:
            together: Sequence[Combination] = ()
            findings = self._indicator.judge(document, entities)
            if isinstance(self._indicator, CombinationIndicator):
                together = self._indicator.combinations(document, entities)
            last = _Answer(about, tuple(findings), tuple(together))
            self._last = last
        return last


@cache
def _named(name: str) -> Remembering:
    make = REGISTRY.get(name) or plugins.load(plugins.INDICATORS, name, f"indicator {name!r}")
    return Remembering(make())


def named(names: Sequence[str]) -> tuple[Remembering, ...]:
    """Return the indicators with these names, each loaded once in a process.

    Raises:
        PolicyError: if there is none of a name; the message lists those there are.
        MissingLabError: if only ``tacenda-lab`` has it, and is not installed.
        PluginError: if it can't be loaded.
    """
    for name in names:
        if name not in REGISTRY and name not in (
            *indicator_names(),
            *plugins.LAB[plugins.INDICATORS],
        ):
            raise PolicyError(
                f"no indicator is called {name!r}; there are: {', '.join(indicator_names())}"
            )
    return tuple(map(_named, names))
