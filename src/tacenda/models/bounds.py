"""Bounds on the share of identifiers left, by risk control on labelled documents.

For each threshold the recognizer's package has an upper confidence bound of the mean loss: the share of the
DIRECT and QUASI entities of a document that the whole pipeline does not mask wholly, those never detected
included (Bates et al., 2021, *Distribution-free, risk-controlling prediction sets*; Angelopoulos et al., 2022,
*Conformal risk control*). The threshold of a wanted share is the largest one whose bound, and that of every
smaller one, does not exceed it. The recipe is ``tacenda lab train bound``.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ..document import LossBound
from ..errors import ModelError, PolicyError
from .store import ShippedModel

BOUNDS_FILE = "bounds.json"


@dataclass(frozen=True, slots=True)
class DomainLoss:
    """Loss on the labelled documents of a domain, a value a threshold.

    Attributes:
        documents: their number.
        expected: the mean loss.
        bound: upper confidence bound of the mean.
        tail: conformal quantile of the loss of a further document, at .9.
    """

    documents: int
    expected: tuple[float, ...]
    bound: tuple[float, ...]
    tail: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class BoundTable:
    """Losses of a recognizer within the pipeline.

    Attributes:
        confidence: of all bounds.
        thresholds: rising.
        domains: by name.

    Raises:
        ValueError: unless thresholds rise and each has its values in every domain.
    """

    confidence: float
    thresholds: tuple[float, ...]
    domains: Mapping[str, DomainLoss]

    def __post_init__(self) -> None:
        rises = all(a < b for a, b in zip(self.thresholds, self.thresholds[1:], strict=False))
        rows = [
            row for loss in self.domains.values() for row in (loss.expected, loss.bound, loss.tail)
        ]
        is_complete = all(len(row) == len(self.thresholds) for row in rows)
        is_share = all(0.0 <= value <= 1.0 for row in rows for value in row)
        if not (self.thresholds and self.domains and rises and is_complete and is_share):
            raise ValueError(
                f"Not a table of bounds: {len(self.thresholds)} thresholds, {len(self.domains)} "
                "domains; thresholds must rise, and each must have its shares in every domain."
            )

    def promise(self, share: float, domain: str | None = None) -> LossBound:
        """Return the bound at the largest threshold that keeps ``share``, at the smallest otherwise.

        Args:
            share: wanted share of identifiers left at most, in [0, 1].
            domain: the one to keep it in; all if None.

        Raises:
            PolicyError: if there is no such domain; the message lists them.
        """
        if domain is not None and domain not in self.domains:
            raise PolicyError(
                f"unknown domain {domain!r}; choose one of {', '.join(sorted(self.domains))}."
            )
        names = sorted(self.domains) if domain is None else [domain]
        worst = [
            max(names, key=lambda name: self.domains[name].bound[place])
            for place in range(len(self.thresholds))
        ]
        place = 0
        for number, name in enumerate(worst):
            if self.domains[name].bound[number] > share:
                break
            place = number
        loss = self.domains[worst[place]]
        return LossBound(
            share,
            self.thresholds[place],
            max(self.domains[name].expected[place] for name in names),
            loss.bound[place],
            max(self.domains[name].tail[place] for name in names),
            self.confidence,
            worst[place],
        )


def read_bounds(model: ShippedModel) -> BoundTable | None:
    """Return the table of a verified recognizer, if it has one.

    Raises:
        ModelError: if the file holds something else.
    """
    if BOUNDS_FILE not in model.digests:
        return None
    try:
        data = json.loads((model.folder / BOUNDS_FILE).read_text(encoding="utf-8"))
        return BoundTable(
            float(data["confidence"]),
            _numbers(data["thresholds"]),
            {
                str(name): DomainLoss(
                    int(loss["documents"]),
                    _numbers(loss["expected"]),
                    _numbers(loss["bound"]),
                    _numbers(loss["tail"]),
                )
                for name, loss in data["domains"].items()
            },
        )
    except (ValueError, TypeError, KeyError, AttributeError) as error:
        raise ModelError(
            f"{model.name}: {BOUNDS_FILE} has no table of bounds; rebuild it with "
            "`tacenda lab train bound`."
        ) from error


def _numbers(values: Sequence[float]) -> tuple[float, ...]:
    return tuple(map(float, values))
