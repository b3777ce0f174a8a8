"""`tacenda models lookup`: what would be written instead, and nothing sent unless asked for."""

from __future__ import annotations

import json

from typer.testing import CliRunner

from tacenda.cli import app


def test_a_place_has_its_options() -> None:
    """The most specific first, one JSON object a type."""
    result = CliRunner().invoke(app, ["models", "lookup", "Drammen", "--type", "loc", "--json"])
    assert result.exit_code == 0, result.output
    found = json.loads(result.stdout)
    assert (found["type"], found["step"]) == ("LOC", "exact")
    assert found["options"][0]["text"] == "city in Norway"


def test_a_type_without_an_ontology_is_refused() -> None:
    """The message names the types that have one."""
    result = CliRunner().invoke(app, ["models", "lookup", "Drammen", "--type", "PERSON"])
    assert result.exit_code != 0
    assert "LOC, ORG, DEM, MISC" in str(result.exception) + result.output
