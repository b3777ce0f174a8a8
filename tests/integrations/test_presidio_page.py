"""The commands and the configuration of docs/integrations/presidio.md, with two processes."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest
import yaml
from typer.testing import CliRunner

from tacenda.cli import app
from tests.waiting import until

PAGE = (Path(__file__).parents[2] / "docs/integrations/presidio.md").read_text("utf-8")
_PORT = "http://127.0.0.1:5002"


@pytest.fixture(scope="module")
def place() -> Iterator[str]:
    """Return the address of a service of two processes, started as the page says."""
    command = f"{sys.executable} -m tacenda serve presidio --port 0 --workers 2 --threads 1".split()
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, text=True, env={**os.environ, "PYTHONUNBUFFERED": "1"}
    ) as process:
        assert process.stdout is not None
        yield process.stdout.readline().split()[-1].rstrip("/")
        process.send_signal(signal.SIGINT)
        process.wait(90)
    assert process.returncode in (0, -signal.SIGINT, 130)


def _analyzed(figures: str) -> int:
    """Requests that were answered, of the figures of a service."""
    counts = re.findall(r'total\{path="/analyze",status="200"\} (\d+)', figures)
    return int(counts[0]) if counts else 0


def _figures(place: str) -> str:
    with urllib.request.urlopen(f"{place}/metrics") as answer:
        return str(answer.read().decode())


def test_the_commands_of_the_page_answer(place: str) -> None:
    """Each is run by a shell; the answers are what the page promises."""
    commands = re.findall(r"^curl .*$", PAGE, re.M)
    earlier = _analyzed(_figures(place))
    answers = [
        subprocess.run(
            command.replace(_PORT, place), shell=True, capture_output=True, text=True, check=True
        ).stdout
        for command in commands
    ]
    health, found, written, names, figures = answers
    assert "is up" in health
    assert [item["entity_type"] for item in json.loads(found)] == ["PERSON", "US_SSN"]
    assert json.loads(written)["text"] == "<PERSON> called."
    assert {"PERSON", "US_SSN"} <= set(json.loads(names))
    assert _analyzed(figures) == earlier + 1


def test_processes_count_together(place: str) -> None:
    """Whichever process is asked for the figures, it has those of all."""
    body = json.dumps({"text": "Anna Berg", "language": "en"}).encode()
    earlier = _analyzed(_figures(place))
    for _ in range(6):
        request = urllib.request.Request(
            f"{place}/analyze", body, {"Content-Type": "application/json"}
        )
        with urllib.request.urlopen(request) as answer:
            assert len(json.load(answer)) == 1
    # A request is counted when its answer has been sent.
    until(lambda: _analyzed(_figures(place)) == earlier + 6)
    assert {_analyzed(_figures(place)) for _ in range(4)} == {earlier + 6}


def test_the_configuration_is_litellms() -> None:
    """LiteLLM reads it, and each field is one of its own."""
    os.environ["LITELLM_LOCAL_MODEL_COST_MAP"] = "True"
    from litellm.types.guardrails import LitellmParams

    (block,) = re.findall(r"^```yaml\n(.*?)^```", PAGE, re.M | re.S)
    (guardrail,) = yaml.safe_load(block)["guardrails"]
    fields = guardrail["litellm_params"]
    assert set(fields) <= set(LitellmParams.model_fields)
    assert LitellmParams(**fields).output_parse_pii is True


@pytest.mark.parametrize("option", ["--api-key-file", "--store", "--background"])
def test_options_of_the_review_are_refused(option: str, tmp_path: Path) -> None:
    """Presidio's interface keeps nothing, and asks for no key."""
    file = tmp_path / "x"
    file.write_text("x")
    result = CliRunner().invoke(app, ["serve", "presidio", option, str(file)])
    assert result.exit_code == 2
