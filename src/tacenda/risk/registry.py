"""Further indicators by the name under which a policy's ``indicators:`` asks for them.

To add one: a function here that imports and makes it, and its line in ``REGISTRY``. The name is that
of its evidence, whose value is a calibrated probability that the entity must be masked, or, of
*search_emulated*, that a search for it leads to the person. One that is also a
``CombinationIndicator`` is asked for combinations too.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache

from ..document import Combination, Document, Entity
from ..errors import PolicyError
from .indicator import CombinationIndicator, Finding, Indicator


def _whole_match() -> Indicator:
    from .masking_head import MaskingHead

    return MaskingHead(whole=True)


def _span() -> Indicator:
    from .span import SpanClassifier

    return SpanClassifier.shipped()


def _language() -> Indicator:
    from .language.shipped import language

    return language()


def _language_threshold() -> Indicator:
    from .language.shipped import language_threshold

    return language_threshold()


def _language_together() -> Indicator:
    from .language.shipped import language_together

    return language_together()


def _perturbation() -> Indicator:
    from .language.shipped import perturbation

    return perturbation()


def _search_emulated() -> Indicator:
    from .search.emulated import EmulatedSearch

    return EmulatedSearch.shipped()


REGISTRY: dict[str, Callable[[], Indicator]] = {
    "language": _language,
    "language_threshold": _language_threshold,
    "language_together": _language_together,
    "perturbation": _perturbation,
    "search_emulated": _search_emulated,
    "span": _span,
    "masking_head_whole": _whole_match,
}


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
    return Remembering(REGISTRY[name]())


def named(names: Sequence[str]) -> tuple[Remembering, ...]:
    """Return the indicators with these names, each loaded once in a process.

    Raises:
        PolicyError: if there is none of a name; the message lists those there are.
    """
    for name in names:
        if name not in REGISTRY:
            raise PolicyError(
                f"no indicator is called {name!r}; there are: {', '.join(sorted(REGISTRY))}"
            )
    return tuple(map(_named, names))
