"""Options, exit codes, figures and the outline of the API are what they were; JSON follows the schemas."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from tests.frozen import api, calls

_SCHEMAS = Path(__file__).parents[2] / "schemas"


@pytest.fixture(scope="module")
def taken(tmp_path_factory: pytest.TempPathFactory) -> tuple[str, dict[str, Any]]:
    """Return exit codes of calls, and what some print as JSON."""
    return calls.take_calls(tmp_path_factory.mktemp("calls"))


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> tuple[str, dict[str, Any]]:
    """Return the outline of the API and its answers."""
    return api.take(tmp_path_factory.mktemp("served"))


def validate(items: Any, name: str) -> None:
    """Check JSON, or each of a list, against a published schema."""
    schema = json.loads((_SCHEMAS / f"{name}.schema.json").read_text("utf-8"))
    for item in items if isinstance(items, list) else [items]:
        jsonschema.validate(item, schema)


def test_commands_have_their_options() -> None:
    """Names, types and defaults, whatever their help says."""
    assert calls.take_options().splitlines() == calls.OPTIONS.read_text("utf-8").splitlines()


def test_calls_end_with_their_codes(taken: tuple[str, dict[str, Any]]) -> None:
    """Each call ends with its code and writes on its streams, whatever it says."""
    assert taken[0].splitlines() == calls.CODES.read_text("utf-8").splitlines()


def test_figures_are_what_they_were(taken: tuple[str, dict[str, Any]]) -> None:
    """Of what is measured, all keys, and numbers to two decimals."""
    past = json.loads(calls.FIGURES.read_text("utf-8"))
    assert calls.figures(taken[1]) == near(past)


def near(value: Any) -> Any:
    """Return JSON that equals other JSON with nearly the same numbers."""
    match value:
        case dict():
            return {key: near(item) for key, item in value.items()}
        case list():
            return [near(item) for item in value]
        case float():
            return pytest.approx(value, abs=0.01)
        case _:
            return value


@pytest.mark.parametrize(
    ("schema", "names"),
    [
        ("result", ("result", "result revealed", "result attacked", "results")),
        ("assessment", ("assess", "assess revealed")),
        ("audit", ("audit",)),
        ("run", ("run",)),
    ],
)
def test_outputs_follow_their_schema(
    schema: str, names: tuple[str, ...], taken: tuple[str, dict[str, Any]]
) -> None:
    """Of the command line."""
    for name in names:
        validate(taken[1][name], schema)


def test_the_api_is_what_it_was(served: tuple[str, dict[str, Any]]) -> None:
    """It has its paths, parameters and fields, and its answers follow the schemas."""
    outline, answers = served
    assert outline.splitlines() == api.OUTLINE.read_text("utf-8").splitlines()
    validate(answers["result"], "result")
    validate(answers["assess"], "assessment")
