"""The promise about the identifiers left: its threshold, its words, its record, its limits."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path

import jsonschema
import pytest
from typer.testing import CliRunner

from tacenda.cli import app
from tacenda.errors import PolicyError
from tacenda.pipeline import Sanitizer
from tacenda.policy import Policy
from tacenda.result import schema
from tests.app.building import BOUNDS, KNOWN, sanitizer
from tests.detectors import KnownNames

TEXT = "Ada Byron met Ben Cole in Kentville on 12 March 1994."


def bounded(share: float | None, domain: str | None = None) -> Sanitizer:
    """Return a sanitizer with a bound on the identifiers left."""
    return sanitizer(Policy(residual_share=share, domain=domain))


def test_a_bound_sets_the_threshold_by_the_table_of_the_recognizer() -> None:
    """The worst domain counts, unless the policy names the one of its documents."""
    assert (bounded(0.1).threshold, bounded(0.1, "court").threshold) == (0.05, 0.5)
    assert bounded(0.1).with_policy(Policy()).promise is None


def test_a_result_says_what_is_promised_and_what_is_expected() -> None:
    """In words for the reader, in numbers in its JSON, which follows the schema."""
    result = bounded(0.1, "court").sanitize(TEXT)
    assert "at most 10 % are left on average (95 % confidence" in result.explain()
    item = json.loads(result.to_json())
    jsonschema.validate(item, schema("result"))
    assert item["risk"]["promise"] == asdict(BOUNDS.promise(0.1, "court"))
    assert result.warnings == ()
    assert "promise" not in json.loads(sanitizer().sanitize(TEXT).to_json())["risk"]


def test_a_share_that_cannot_be_promised_is_a_warning() -> None:
    """All is masked from the lowest threshold on, and the smallest share is named."""
    refused = bounded(0.01)
    assert refused.threshold == 0.05
    (warning,) = refused.sanitize(TEXT).warnings
    assert warning.startswith("at most 1 % of the identifiers left can't be promised: the smallest")
    assert "4 % (95 % confidence; chat)" in warning


def test_nothing_is_promised_that_was_not_measured() -> None:
    """The table is of the whole pipeline with the recognizer."""
    with pytest.raises(PolicyError, match="tacenda lab train bound"):
        Sanitizer(Policy(residual_share=0.1), KnownNames(*KNOWN), 0.5)
    for part in ({"patterns": False}, {"propagate": False}, {"combine": "all"}):
        with pytest.raises(PolicyError, match="was measured with patterns"):
            sanitizer(Policy(residual_share=0.1, **part))
    for share in (0.1, None):
        with pytest.raises(PolicyError, match="'tax'"):
            bounded(share, "tax")


def test_the_command_ends_with_1_where_the_share_cannot_be_promised(tmp_path: Path) -> None:
    """The document is written all the same, with everything masked that might be an identifier."""
    path = tmp_path / "letter.txt"
    path.write_text("Mr Galip Yalman lodged an application on 3 May 1994.", encoding="utf-8")
    result = CliRunner().invoke(app, ["sanitize", str(path), "--risk", "0"])
    assert result.exit_code == 1
    assert "Yalman" not in result.stdout
    assert result.stderr.count("can't be promised") == 1
    kept = CliRunner().invoke(app, ["sanitize", str(path), "--risk", "0.6", "--domain", "court"])
    assert (kept.exit_code, kept.stderr) == (0, "")


def test_an_innocent_document_is_left_as_it_is(tmp_path: Path) -> None:
    """However small the share."""
    path = tmp_path / "recipe.txt"
    text = "Stir the flour into the milk and let it rest."
    path.write_text(text, encoding="utf-8")
    result = CliRunner().invoke(app, ["sanitize", str(path), "--risk", "0"])
    assert text in result.stdout
