"""Help, exit codes, JSON and pages are what they were; JSON follows the schemas."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from tests.frozen import api, calls, digests

_SCHEMAS = Path(__file__).parents[2] / "schemas"


@pytest.fixture(scope="module")
def outputs(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """Return what calls print as JSON, by name."""
    return calls.take_outputs(tmp_path_factory.mktemp("outputs"))


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return the description of the API and its answers."""
    return api.take(tmp_path_factory.mktemp("served"))


def snapshot(part: str) -> Any:
    """Return a part of the snapshot of outputs."""
    return json.loads(calls.OUTPUTS.read_text("utf-8"))[part]


def schema(name: str) -> Any:
    """Return a published schema."""
    return json.loads((_SCHEMAS / f"{name}.schema.json").read_text("utf-8"))


def test_help_is_what_it_was(tmp_path: Path) -> None:
    """To the byte with the snapshot's release of Typer, word by word with another."""
    now, past = calls.take_help(tmp_path), calls.HELP.read_text("utf-8")
    if now.splitlines()[0] == past.splitlines()[0]:
        assert now == past
    else:
        assert calls.words(now) == calls.words(past)


def test_exit_codes_and_messages_are_what_they_were(tmp_path: Path) -> None:
    """Each call ends with its code, writes where it did, and says the same of an error."""
    assert calls.take_codes(tmp_path).splitlines() == calls.CODES.read_text("utf-8").splitlines()


@pytest.mark.parametrize("name", [*calls.JSON_CALLS, "audit", "run", "results"])
def test_json_is_what_it_was(name: str, outputs: dict[str, Any]) -> None:
    """All keys and values, numbers to two decimals; other processors have other last bits."""
    assert calls.lasting(outputs[name]) == near(snapshot("calls")[name])


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


def test_results_follow_their_schema(outputs: dict[str, Any], served: Any) -> None:
    """From the command line and from the API."""
    attacked, results = outputs["result attacked"], outputs["results"]
    for result in (*_each(outputs["result"]), *_each(attacked), *results, served[1]["result"]):
        jsonschema.validate(result, schema("result"))
    for result in _each(outputs["result revealed"]):
        jsonschema.validate(result, schema("result"))


def _each(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [value]


def test_assessments_follow_their_schema(outputs: dict[str, Any], served: Any) -> None:
    """From the command line and from the API."""
    for item in (*outputs["assess"], *outputs["assess revealed"], served[1]["assess"]):
        jsonschema.validate(item, schema("assessment"))


@pytest.mark.parametrize("name", ["audit", "run"])
def test_records_of_a_run_follow_their_schemas(name: str, outputs: dict[str, Any]) -> None:
    """Who decided what, and what became of each file."""
    jsonschema.validate(outputs[name], schema(name))


def test_the_api_answers_what_it_answered(served: Any) -> None:
    """A text sanitized, and one assessed."""
    assert calls.lasting(served[1]) == near(snapshot("api"))


def test_the_api_is_described_as_it_was(served: Any) -> None:
    """Whole with the snapshot's release of FastAPI, in outline with another."""
    now, past = served[0], json.loads(api.OPENAPI.read_text("utf-8"))
    if now["described by"] == past["described by"]:
        assert now == past
    else:
        assert api.outline(now["openapi"]) == api.outline(past["openapi"])


def test_results_become_a_page(tmp_path: Path) -> None:
    """What ``sanitize --to json`` writes, ``report`` reads; the page is the same to the byte."""
    now, past = calls.take_pages(tmp_path), snapshot("pages")
    assert now["fast"] == past["fast"]
    if digests.read()[0] == digests.Machine.here():
        assert now == past
