"""``tacenda sanitize --risk``."""

from __future__ import annotations

from pathlib import Path

from typer.testing import CliRunner

from tacenda.cli import app

TEXT = "Mr Galip Yalman, a teacher, lodged an application on 3 May 1994 with the court of Ankara."


def sanitized(tmp_path: Path, *options: str, code: int = 0) -> str:
    """Return what is written for the text, where the command ends with ``code``."""
    (tmp_path / "a.txt").write_text(TEXT, encoding="utf-8")
    result = CliRunner().invoke(app, ["sanitize", str(tmp_path / "a.txt"), *options])
    assert result.exit_code == code, result.output
    return result.stdout


def test_a_smaller_bound_masks_more(tmp_path: Path) -> None:
    """With as little left as can be more is masked than with most of it."""
    strict = sanitized(tmp_path, "--risk", "0", code=1)
    lenient = sanitized(tmp_path, "--risk", "0.9")
    assert strict.count("[") > lenient.count("[")
    assert "Yalman" not in lenient


def test_the_bound_replaces_the_thresholds_of_the_policy(tmp_path: Path) -> None:
    """A policy with a threshold may be bounded by risk; both on the command line may not."""
    policy = tmp_path / "policy.yaml"
    policy.write_text("threshold: 0.9\n", encoding="utf-8")
    assert sanitized(tmp_path, "--policy", str(policy), "--risk", "0.9") == sanitized(
        tmp_path, "--risk", "0.9"
    )
    result = CliRunner().invoke(app, ["sanitize", "-", "--risk", "0.1", "--threshold", "0.2"])
    assert result.exit_code == 2
    assert "use one" in result.output
