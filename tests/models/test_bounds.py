"""The table of bounds of a recognizer, and what it promises."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path

import pytest

from tacenda.errors import ModelError, PolicyError
from tacenda.models.bounds import BOUNDS_FILE, BoundTable, DomainLoss, read_bounds
from tacenda.models.store import ShippedModel

COURT = DomainLoss(100, (0.0, 0.01, 0.05), (0.02, 0.04, 0.1), (0.05, 0.1, 0.2))
CHAT = DomainLoss(50, (0.02, 0.05, 0.09), (0.06, 0.08, 0.15), (0.5, 0.5, 1.0))
TABLE = BoundTable(0.95, (0.0, 0.1, 0.3), {"court": COURT, "chat": CHAT})


def test_the_largest_threshold_that_keeps_the_share_is_taken() -> None:
    """More would be masked below it, and above it the share isn't certain."""
    promise = TABLE.promise(0.05, "court")
    assert (promise.threshold, promise.bound, promise.expected) == (0.1, 0.04, 0.01)
    assert promise.is_met
    assert TABLE.promise(0.1, "court").threshold == 0.3


def test_without_a_domain_the_worst_one_counts() -> None:
    """A promise about any document must hold for each kind of them."""
    promise = TABLE.promise(0.1)
    assert (promise.threshold, promise.domain) == (0.1, "chat")


def test_a_share_that_cannot_be_promised_masks_from_the_lowest_threshold() -> None:
    """And the promise says the smallest share that can be."""
    promise = TABLE.promise(0.05)
    assert (promise.is_met, promise.threshold, promise.bound) == (False, 0.0, 0.06)


def test_a_threshold_above_one_that_fails_is_never_taken() -> None:
    """Its bound may be small by chance: only the whole range below is tested in sequence."""
    odd = DomainLoss(9, (0.0, 0.2, 0.0), (0.02, 0.3, 0.02), (0.0, 0.0, 0.0))
    assert BoundTable(0.95, (0.0, 0.1, 0.3), {"a": odd}).promise(0.05).threshold == 0.0


def test_an_unknown_domain_is_refused_with_the_known_ones() -> None:
    """A promise about documents that nobody measured is none."""
    with pytest.raises(PolicyError, match="'tax'; choose one of chat, court"):
        TABLE.promise(0.1, "tax")


def test_a_table_is_whole() -> None:
    """Thresholds rise, and each has its values."""
    with pytest.raises(ValueError, match="thresholds must rise"):
        BoundTable(0.95, (0.1, 0.0, 0.3), {"court": COURT})
    with pytest.raises(ValueError, match="2 thresholds"):
        BoundTable(0.95, (0.0, 0.1), {"court": COURT})


def test_a_file_is_read_as_it_was_written(tmp_path: Path) -> None:
    """A model without the file has no table; one with another file is damaged."""
    model = ShippedModel("m", tmp_path, {BOUNDS_FILE: ""})
    (tmp_path / BOUNDS_FILE).write_text(json.dumps(asdict(TABLE)), encoding="utf-8")
    assert read_bounds(model) == TABLE
    assert read_bounds(ShippedModel("m", tmp_path, {})) is None
    (tmp_path / BOUNDS_FILE).write_text("{}", encoding="utf-8")
    with pytest.raises(ModelError, match="no table of bounds"):
        read_bounds(model)
