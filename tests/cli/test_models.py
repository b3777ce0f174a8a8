"""The command `tacenda models`, and the frame around all commands."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

from tacenda.installation import install_command
from tacenda.models.store import DEFAULT
from tests import forks


def tacenda(*arguments: str) -> subprocess.CompletedProcess[str]:
    """Run the command line."""
    return forks.tacenda(*arguments, text=True)


def test_list_names_the_default_with_its_size() -> None:
    """Every shipped model is a line, or an object with `--json`."""
    assert f"{DEFAULT}  " in tacenda("models", "list").stdout
    rows = json.loads(tacenda("models", "list", "--json").stdout)
    assert [row["name"] for row in rows if row["default"]] == [DEFAULT]
    assert all(row["bytes"] > 0 for row in rows)
    assert max(row["bytes"] for row in rows) > 10_000_000


def test_info_prints_the_card() -> None:
    """The card is there for whoever asks."""
    assert "Licence" in tacenda("models", "info", DEFAULT).stdout


def test_info_of_an_unknown_model_lists_the_known() -> None:
    """A wrong name is answered by the right ones, not by a traceback."""
    run = tacenda("models", "info", "klingon")
    assert run.returncode == 2
    assert DEFAULT in run.stderr
    assert "Traceback" not in run.stderr


def test_an_unknown_model_is_a_fault_of_usage() -> None:
    """As an unknown policy is."""
    run = tacenda("sanitize", "--model", "klingon")
    assert run.returncode == 2
    assert DEFAULT in run.stderr


def test_verify_says_intact() -> None:
    """What was installed is what was shipped."""
    run = tacenda("models", "verify")
    assert run.returncode == 0
    assert f"{DEFAULT}: intact" in run.stdout


def test_version() -> None:
    """`--version` prints name and version."""
    assert tacenda("--version").stdout.startswith("tacenda 0.")


@pytest.mark.parametrize(
    "command", [[], ["sanitize"], ["evaluate"], ["models"], ["lab", "train", "recognizer"]]
)
def test_every_command_has_help(command: list[str]) -> None:
    """`--help` works everywhere and never needs an extra."""
    run = tacenda(*command, "--help")
    assert run.returncode == 0
    assert "Usage" in run.stdout


def test_training_without_the_extra_names_it() -> None:
    """Where torch is missing, the error says which extra to install."""
    code = (
        "import sys; sys.modules['torch'] = None\n"
        "from tacenda.cli import main\n"
        "sys.argv = ['tacenda', 'train', 'recognizer', '--data', '.', '--encoder', '.', '--out', 'nowhere']; main()"
    )
    command = [sys.executable, "-c", code]
    run = subprocess.run(command, capture_output=True, text=True, check=False)
    assert run.returncode == 2
    assert install_command("train", "tacenda-lab") in run.stderr
