"""``--json``: every command has it, or a reason why not; one value on stdout, with stable keys."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from typer.testing import CliRunner

from tacenda.cli import app
from tests.cli.test_help import all_commands
from tests.examples import for_each
from tests.keys import write_key
from tests.reidentify.village import store

WITHOUT = {
    "sanitize": "--to json prints the results, --summary FILE writes the figures of the run",
    "anonymize": "--to json prints the results",
    "convert": "its output is annotations, JSON in most formats",
    "evaluate report": "its output is a page",
    "audit record": "its output is JSON",
    "audit certify": "its output is JSON",
    "audit open": "its output is JSON",
    "audit key": "prints a key and nothing else",
    "policies show": "prints YAML, which is to be edited",
    "models info": "prints the model's card",
    "serve shortcut": "prepares a desktop",
    "review": "runs until it is stopped",
    "annotate": "runs until it is stopped",
    "serve app": "runs until it is stopped",
    "serve presidio": "runs until it is stopped",
    "serve proxy": "runs until it is stopped",
    "serve mcp": "runs until it is stopped",
}
"""Commands that have none, and why."""


@for_each("name", [name for name, _, _ in all_commands()])
def test_every_command_prints_json_or_has_a_reason_not_to(name: str) -> None:
    """A command with the option isn't listed among those without."""
    (command,) = (command for one, command, _ in all_commands() if one == name)
    has = any("--json" in option.opts for option in command.params)
    assert has is not (name in WITHOUT)


def test_no_reason_is_left_over() -> None:
    """Whoever is listed is a command."""
    assert {name for name, _, _ in all_commands()} >= WITHOUT.keys()


def printed(*arguments: object, code: int = 0) -> Any:
    """Run a command with ``--json``; return the value on its stdout."""
    run = CliRunner().invoke(app, [*map(str, arguments), "--json"])
    assert run.exit_code == code, run.output
    return json.loads(run.stdout)


def test_an_index_says_what_it_wrote(tmp_path: Path) -> None:
    """Counts, those of faults too, and no text or name."""
    source = tmp_path / "a.jsonl"
    source.write_text('{"text": "Anna keeps bees"}\n{"text": \n', "utf-8")
    index = tmp_path / "k.db"
    assert printed("index", "build", source, "-o", index, code=1) == {
        "output": str(index), "written": 1, "unchanged": 0, "forgotten": 0, "faults": 1,
    }  # fmt: skip
    source.write_text('{"id": 1, "name": "Anna", "does": "bees"}\n{"id": 2, "name": "Bo"}\n')
    people = tmp_path / "p.db"
    assert printed("index", "people", source, "-o", people) == {
        "output": str(people), "people": 2, "shared_names": 0, "empty": 1, "faults": 0,
    }  # fmt: skip


def test_a_sample_says_what_to_read(tmp_path: Path) -> None:
    """What there is to read, by strata, and what it can promise."""
    release = tmp_path / "release"
    release.mkdir()
    for n in range(4):
        (release / f"{n}.txt").write_text(f"Letter {n} of ***.\n", "utf-8")
    sample = tmp_path / "sample.json"
    summary = printed("audit", "sample", release, "--size", 4, "-o", sample)
    assert summary["output"] == str(sample)
    assert Path(summary["table"]).is_file()
    assert Path(summary["standoff"]).is_file()
    assert (summary["read"], summary["units"], summary["documents"]) == (4, 4, 4)
    assert summary["words"] == 16
    assert [set(stratum) for stratum in summary["strata"]] == [{"read", "units", "risk"}]
    # All is read: nothing can be left.
    assert summary["if_none"] == {"bound": 0, "share": 0.0, "confidence": 0.95}


def test_a_record_that_does_not_hold_is_counted(tmp_path: Path) -> None:
    """The digest of another release fails, what isn't given is null; the exit code stays 1."""
    release, sample = tmp_path / "a.txt", tmp_path / "sample.json"
    release.write_text("Letter of ***.\n", "utf-8")
    printed("audit", "sample", release, "--size", 1, "-o", sample)
    marked = tmp_path / "marked.csv"
    rows = (tmp_path / "sample.read.csv").read_text("utf-8").splitlines()
    unit, digest = rows[1].split(",")[:2]
    marked.write_text(f"unit,sha256,missed\n{unit},{digest},0\n", "utf-8")
    record = tmp_path / "record.json"
    run = CliRunner().invoke(
        app,
        ["audit", "record", str(sample), str(marked), "--recipient", "Ulm", "--signer", "Feld",
         "-o", str(record)],
    )  # fmt: skip
    assert run.exit_code == 0, run.output
    release.write_text("Another letter.\n", "utf-8")
    summary = printed("audit", "verify", record, "--release", release, code=1)
    assert summary["failed"] == sum(item["holds"] is False for item in summary["items"]) > 0
    assert {item["holds"] for item in summary["items"]} >= {False, None}


def test_an_attack_prints_what_to_json_does(tmp_path: Path) -> None:
    """The report of ``--to json``; not beside a page."""
    release = tmp_path / "a.jsonl"
    release.write_text('{"text": "She lives in Bergen.", "person": "anna"}\n', "utf-8")
    store(tmp_path / "p.db").person(0)
    arguments = ["attack", release, "--background", tmp_path / "p.db"]
    run = CliRunner().invoke(app, [*map(str, arguments), "--to", "json"])
    assert printed(*arguments) == json.loads(run.stdout)
    run = CliRunner().invoke(app, [*map(str, arguments), "--to", "html", "--json"])
    assert run.exit_code == 2


def test_a_restored_file_is_counted(tmp_path: Path) -> None:
    """The text goes to its file, the summary to stdout; both can't go there."""
    policy, source = tmp_path / "p.yaml", tmp_path / "a.txt"
    write_key(tmp_path / "key")
    policy.write_text(
        "recognizer: false\nthreshold: 0.5\ndeny: [{exact: Anna Berg, type: PERSON}]\n",
        encoding="utf-8",
    )
    source.write_text("Anna Berg called.\n", encoding="utf-8")
    clean, back = tmp_path / "clean.txt", tmp_path / "back.txt"
    run = CliRunner().invoke(
        app,
        ["sanitize", str(source), "--policy", str(policy), "--operator", "encrypt", "--key-file",
         str(tmp_path / "key"), "-o", str(clean)],
    )  # fmt: skip
    assert run.exit_code == 0, run.output
    restore = ["restore", clean, "--key-file", tmp_path / "key"]
    summary = printed(*restore, "-o", back)
    assert summary == {"output": str(back), "restored": 1, "ambiguous": 0, "unknown": 0}
    assert back.read_text("utf-8") == source.read_text("utf-8")
    assert CliRunner().invoke(app, [*map(str, restore), "--json"]).exit_code == 2
