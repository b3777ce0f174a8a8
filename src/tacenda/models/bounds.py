"""Bounds on the share of identifiers left, by risk control on labelled documents.

For each threshold, the recognizer's folder has an upper confidence bound on the mean loss. The loss
of a document is the share of its DIRECT and QUASI entities that the whole pipeline doesn't mask
completely, including those it never detects (Bates et al., 2021, *Distribution-free,
risk-controlling prediction sets*; Angelopoulos et al., 2022, *Conformal risk control*). To keep a
given share, take the largest threshold such that its bound, and the bound of every smaller
threshold, stays within that share. The recipe is ``tacenda lab train bound``.
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
    """The loss on the labelled documents of a domain, with one value per threshold.

    Attributes:
        documents: number of documents.
        expected: the mean loss.
        bound: the upper confidence bound on the mean.
        tail: the conformal .9 quantile of the loss of a new document.
    """

    documents: int
    expected: tuple[float, ...]
    bound: tuple[float, ...]
    tail: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class BoundTable:
    """The losses of a recognizer as part of the pipeline.

    Attributes:
        confidence: the confidence level of all bounds.
        thresholds: in ascending order.
        domains: the losses by domain name.

    Raises:
        ValueError: unless the thresholds ascend and every domain has a value for each of them.
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
        """Return the bound at the largest threshold that keeps ``share``, or at the smallest threshold if none does.

        Args:
            share: maximum share of identifiers that may be left, in [0, 1].
            domain: the domain to keep it in; None for all domains.

        Raises:
            PolicyError: if there is no such domain; the message lists the known ones.
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
    """Return the bound table of a verified recognizer, if it has one.

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
