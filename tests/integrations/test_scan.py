"""Scans of files: where something is, and never what."""

from __future__ import annotations

import json
import re
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import jsonschema
import pytest
import yaml
from typer.testing import CliRunner

from tacenda.cli import app
from tacenda.errors import InputError, PolicyError
from tacenda.integrations.loading import LazySanitizer
from tacenda.integrations.scan.baseline import fingerprint, read_baseline, write_baseline
from tacenda.integrations.scan.files import Exclusion, ScannedFile, files_of
from tacenda.integrations.scan.findings import FailRule, FileReport, Scanner, failures
from tacenda.integrations.scan.sarif import sarif
from tacenda.pipeline import Sanitizer
from tests.examples import for_each

ROOT = Path(__file__).parents[2]
KEY = b"8c0d7a5b9e3f41262f8b1c6d0e9a7435"
RULES = "recognizer: false\nthreshold: 0.2\ndeny: [{exact: Qyzzyx, type: ORG}]\n"

# What GitHub and editors read of SARIF 2.1.0, with the types of its schema (sections 3.13 to 3.39).
_TEXT = {"type": "object", "required": ["text"], "properties": {"text": {"type": "string"}}}
_POSITIVE = {"type": "integer", "minimum": 1}
_LEVEL = {"enum": ["none", "note", "warning", "error"]}


def _closed(required: Sequence[str], **properties: Any) -> dict[str, Any]:
    return {
        "type": "object",
        "required": list(required),
        "properties": properties,
        "additionalProperties": False,
    }


def _list(items: Any) -> dict[str, Any]:
    return {"type": "array", "items": items}


_PHYSICAL = _closed(
    ["artifactLocation"],
    artifactLocation=_closed(["uri"], uri={"type": "string", "format": "uri-reference"}),
    region=_closed(
        ["startLine"],
        startLine=_POSITIVE,
        startColumn=_POSITIVE,
        endLine=_POSITIVE,
        endColumn=_POSITIVE,
    ),
)
_LOCATION = _closed(
    [],
    physicalLocation=_PHYSICAL,
    logicalLocations=_list(_closed([], fullyQualifiedName={"type": "string"})),
)
_RULE = _closed(
    ["id"],
    id={"type": "string"},
    name={"type": "string"},
    shortDescription=_TEXT,
    fullDescription=_TEXT,
    defaultConfiguration=_closed([], level=_LEVEL),
    properties={"type": "object"},
)
_RESULT = _closed(
    ["message"],
    ruleId={"type": "string"},
    ruleIndex={"type": "integer", "minimum": -1},
    level=_LEVEL,
    message=_TEXT,
    locations=_list(_LOCATION),
    partialFingerprints={"type": "object", "additionalProperties": {"type": "string"}},
    suppressions=_list(
        _closed(["kind"], kind={"enum": ["inSource", "external"]}, justification={"type": "string"})
    ),
    properties={"type": "object"},
)
_NOTIFICATION = _closed(["message"], level=_LEVEL, message=_TEXT, locations=_list(_LOCATION))
_RUN = _closed(
    ["tool"],
    tool=_closed(
        ["driver"],
        driver=_closed(
            ["name"],
            name={"type": "string"},
            version={"type": "string"},
            informationUri={"type": "string", "format": "uri"},
            rules=_list(_RULE),
        ),
    ),
    columnKind={"enum": ["utf16CodeUnits", "unicodeCodePoints"]},
    invocations=_list(
        _closed(
            ["executionSuccessful"],
            executionSuccessful={"type": "boolean"},
            toolExecutionNotifications=_list(_NOTIFICATION),
        )
    ),
    results=_list(_RESULT),
)
SARIF = _closed(
    ["version", "runs"],
    **{"$schema": {"type": "string"}},
    version={"const": "2.1.0"},
    runs=_list(_RUN),
)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a folder to be in, with a policy that needs no weights and a key."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "rules.yaml").write_text(RULES)
    (tmp_path / "secret").write_bytes(KEY)
    (tmp_path / "secret").chmod(0o600)
    return tmp_path


@pytest.fixture(scope="module")
def scanner(sanitizer: Sanitizer) -> Scanner:
    """Return a scanner under the default policy."""
    return Scanner(LazySanitizer(sanitizer))


def run(*arguments: str, code: int = 0) -> Any:
    """Return the outcome of a scan under the policy without weights."""
    outcome = CliRunner().invoke(app, ["scan", *arguments, "--policy", "rules.yaml"])
    assert outcome.exit_code == code, outcome.output
    return outcome


def scanned(scanner: Scanner, name: str, content: str | bytes) -> FileReport:
    """Return the report on a file."""
    return scanner.scan(
        ScannedFile(name, content.encode() if isinstance(content, str) else content)
    )


def strings(content: str, report: FileReport) -> set[str]:
    """Return what stands at the findings."""
    lines = content.split("\n")
    return {lines[item.line - 1][item.column - 1 : item.end_column - 1] for item in report.findings}


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("a.txt", "Dear all,\nplease call Anna Berg (anna.berg@posteo.de).\n"),
        ("a.csv", "id,who,note\n1,Anna Berg,anna.berg@posteo.de\n"),
        ("a.jsonl", '{"n": 1}\n{"who": "Anna Berg", "mail": "anna.berg@posteo.de"}\n'),
        ("a.json", '{\n "who": "Anna Berg",\n "mail": "anna.berg@posteo.de"\n}\n'),
        ("a.html", "<p>\nCall <b>Anna Berg</b>, <i>anna.berg@posteo.de</i></p>"),
        ("a.xml", '<note>\n<who mail="anna.berg@posteo.de">Anna Berg</who></note>'),
    ],
)
def test_a_finding_has_its_line_and_column(scanner: Scanner, name: str, content: str) -> None:
    """In each format with lines they are those of the file."""
    report = scanned(scanner, name, content)
    assert not report.faults
    assert {"Anna Berg", "anna.berg@posteo.de"} <= strings(content, report)


def test_source_code_is_searched_for_what_has_a_form(scanner: Scanner) -> None:
    """Names of programs are nobody's; an address, a number and a secret count."""
    code = (
        "# Written by Anna Berg in Oslo\nMAIL = 'anna.berg@posteo.de'\nTEST = 'a@example.org'\n"
        "class HenryFord: ...\n@grouped\nSHAPE = '999-99-9999'\nIBAN = 'DE89370400440532013000'\npassword = 'xK9vQ2mTz7pL'\n"
        "open('https://acme.io/f?ssn=219-09-9999')\nopen('https://acme.io/f?api_key=9f8e7d6c5b4a3f2e')\n"
    )
    report = scanned(scanner, "a.py", code)
    assert [(item.kind, item.line) for item in report.findings] == [
        ("email", 2),
        ("iban", 7),
        ("secret", 8),
        ("identity_number", 9),
        ("secret", 10),
    ]
    names = Scanner(scanner._sanitizer, names_in_code=True)
    assert "Anna Berg" in strings(code, scanned(names, "a.py", code))


def test_our_own_code_has_few_findings(scanner: Scanner) -> None:
    """In 30 modules of this package there are hardly any; the patterns have what they find as examples."""
    modules = sorted((ROOT / "src" / "tacenda").rglob("*.py"))
    paths = [path for path in modules if path.parent.name != "patterns"][::9][:30]
    reports = [scanned(scanner, path.name, path.read_bytes()) for path in paths]
    assert len(reports) == 30
    assert sum(len(report.findings) for report in reports) <= 3


@pytest.mark.parametrize("content", [b"\x00\x01PNG", b"\xff\xfe\xfa\xfb"])
def test_what_is_no_text_is_skipped(scanner: Scanner, content: bytes) -> None:
    """Of an unknown extension, it is neither read nor a fault."""
    report = scanned(scanner, "a.bin", content)
    assert report.skipped
    assert not report.faults


def test_a_damaged_file_is_a_fault(folder: Path) -> None:
    """It ends the scan with 1, and the others are read."""
    (folder / "a.pdf").write_bytes(b"%PDF-1.4 damaged")
    (folder / "b.txt").write_text("Nothing.\n")
    outcome = run("a.pdf", "b.txt", "--fail-on", "never", code=1)
    assert "a.pdf" in outcome.stderr
    assert "2 files read" in outcome.stdout


def test_a_report_never_has_text(folder: Path) -> None:
    """Neither on the terminal, nor as JSON, SARIF or in a baseline."""
    (folder / "a.txt").write_text("Qyzzyx wrote to anna.berg@posteo.de.\n")
    key = ("--key-file", "secret")
    outputs = [
        run("a.txt", code=1).output,
        run("a.txt", "--json", *key, code=1).output,
        run("a.txt", *key, "--sarif", "s.sarif", "--write-baseline", "b.json", code=1).output,
        (folder / "s.sarif").read_text(),
        (folder / "b.json").read_text(),
    ]
    for output in outputs:
        assert not re.search(r"(?i)qyzzyx|anna|berg|posteo", output)
    rows = json.loads(outputs[1])["files"]
    assert [row["counts"] for row in rows] == [{"CODE": 1, "ORG": 1}]


@pytest.mark.parametrize(
    ("rule", "code"),
    [
        ("any", 1),
        ("never", 0),
        ("risk=0.5", 1),
        ("type=PERSON", 0),
        ("type=PERSON+ORG", 1),
        ("risk=1,type=LOC", 0),
        ("risk=2", 2),
        ("type=NAME", 2),
        ("soon", 2),
    ],
)
def test_the_exit_code_is_as_asked(folder: Path, rule: str, code: int) -> None:
    """0 without a finding that fails, 1 with one, 2 for a rule that is none."""
    (folder / "a.txt").write_text("Qyzzyx is here.\n")
    run("a.txt", "--fail-on", rule, code=code)


def test_accepted_findings_do_not_fail(folder: Path) -> None:
    """Only in their file, of their type, and wherever they move in it."""
    (folder / "a.txt").write_text("Qyzzyx is here.\n")
    run("a.txt", "--key-file", "secret", "--write-baseline", "base.json", "--fail-on", "never")
    accepted = ("--key-file", "secret", "--baseline", "base.json")
    (folder / "a.txt").write_text("Then\nthere was Qyzzyx.\n")
    assert "1 of them accepted" in run("a.txt", *accepted).stdout
    (folder / "b.txt").write_text("Qyzzyx is here.\n")
    run("a.txt", "b.txt", *accepted, code=1)
    (folder / "a.txt").write_text("Qyzzyx, mail ola@posteo.de.\n")
    run("a.txt", *accepted, code=1)


def test_a_baseline_needs_its_key(tmp_path: Path) -> None:
    """With another one nothing would be accepted, so it is an error."""
    write_baseline(tmp_path / "b.json", KEY, [("a", "ORG", fingerprint(KEY, "a", "ORG", "x"))])
    assert read_baseline(tmp_path / "b.json", KEY) == {fingerprint(KEY, "a", "ORG", "x")}
    with pytest.raises(InputError, match="different key"):
        read_baseline(tmp_path / "b.json", KEY[::-1])
    (tmp_path / "c.json").write_text("[]")
    with pytest.raises(InputError, match="not a baseline"):
        read_baseline(tmp_path / "c.json", KEY)


def test_a_baseline_without_a_key_is_a_fault_of_usage(folder: Path) -> None:
    """It would not be known what is accepted."""
    assert isinstance(run("--write-baseline", "base.json", code=1).exception, PolicyError)


def test_sarif_has_what_its_readers_need(folder: Path, scanner: Scanner) -> None:
    """It is valid by the schema, with a rule a type, regions, levels and suppressions."""
    text = "Ask Anna Berg.\nOr call 07700 900231.\n"
    keyed = Scanner(scanner._sanitizer, KEY)
    first = scanned(keyed, "a b.txt", text)
    known = frozenset({first.findings[0].fingerprint})
    reports = [
        scanned(Scanner(scanner._sanitizer, KEY, known), "a b.txt", text),
        FileReport("c.pdf", faults=("can't be read",)),
    ]
    log = sarif(reports, FailRule(0.99))
    jsonschema.Draft202012Validator(SARIF).validate(log)
    (run_,) = log["runs"]
    assert len(run_["tool"]["driver"]["rules"]) == 8
    for item in run_["results"]:
        assert run_["tool"]["driver"]["rules"][item["ruleIndex"]]["id"] == item["ruleId"]
    person, number = run_["results"]
    place = person["locations"][0]["physicalLocation"]
    assert place["artifactLocation"]["uri"] == "a%20b.txt"
    assert place["region"] == {"startLine": 1, "startColumn": 5, "endLine": 1, "endColumn": 14}
    assert person["suppressions"][0]["kind"] == "external"
    assert (person["level"], number["level"]) == ("warning", "error")
    assert not run_["invocations"][0]["executionSuccessful"]


@for_each(
    ("patterns", "out", "stays"),
    [
        (["*.log"], ["a.log", "b/c.log"], ["a.txt", "b/log"]),
        (["/a.log"], ["a.log"], ["b/a.log"]),
        (["build/"], ["build/x", "b/build/x/y"], ["build"]),
        (["docs/*.md"], ["docs/a.md"], ["docs/b/a.md", "x/docs/a.md"]),
        (["a/**/z"], ["a/z", "a/b/c/z"], ["b/a/z"]),
        (["a/**"], ["a/b", "a/b/c"], ["a", "b/a/c"]),
        (["*.txt", "!keep.txt"], ["a.txt"], ["keep.txt", "b/keep.txt"]),
        (["out/", "!out/keep.txt"], ["out/keep.txt"], []),
        (["# no", "", "v[0-9].txt", "w[!0-9].txt"], ["v1.txt", "wa.txt"], ["va.txt", "w1.txt"]),
        (["file.(x)+"], ["file.(x)+"], ["filexx"]),
    ],
)
def test_patterns_are_those_of_gitignore(
    patterns: list[str], out: list[str], stays: list[str]
) -> None:
    """By the documentation of gitignore, each of its sentences once."""
    exclusion = Exclusion(patterns)
    assert [path for path in out if not exclusion.holds(path)] == []
    assert [path for path in stays if exclusion.holds(path)] == []


def test_a_folder_is_read_without_links_and_what_is_excluded(folder: Path) -> None:
    """Hidden files are read: secrets stand in them."""
    (folder / "in" / "deep").mkdir(parents=True)
    (folder / "in" / ".env").write_text("x")
    (folder / "in" / "deep" / "a.py").write_text("x")
    (folder / "in" / "deep" / "b.log").write_text("x")
    (folder / "in" / "link").symlink_to(folder / "rules.yaml")
    files = list(files_of(["in", "in/deep/a.py", "gone.txt"], Exclusion(["*.log"])))
    assert [file.path for file in files] == ["in/.env", "in/deep/a.py", "gone.txt"]
    assert "can't be opened" in files[-1].fault


def test_staged_files_are_read_as_they_will_be_committed(folder: Path) -> None:
    """Not as they lie in the folder; deleted ones and those left alone are not read."""
    repository = folder / "repository"
    (repository / "sub").mkdir(parents=True)

    def git(*arguments: str) -> None:
        subprocess.run(
            ["git", "-c", "user.name=T", "-c", "user.email=t@example.org", *arguments],
            cwd=repository,
            check=True,
            capture_output=True,
        )

    git("init", "-q")
    for name in ("old.txt", "gone.txt"):
        (repository / name).write_text("Qyzzyx was here.\n")
    git("add", ".")
    git("commit", "-qm", "first")
    (repository / "sub" / "new é.txt").write_text("Qyzzyx is here.\n")
    (repository / "gone.txt").unlink()
    git("add", "-A")
    (repository / "sub" / "new é.txt").write_text("Nobody.\n")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(repository)
        policy = ("--policy", "../rules.yaml", "--json")
        outcome = CliRunner().invoke(app, ["scan", "--staged", *policy])
        other = CliRunner().invoke(app, ["scan", "--staged", "old.txt", *policy])
        patch.setenv("GIT_CEILING_DIRECTORIES", str(folder.parent))
        patch.chdir(folder)
        nowhere = CliRunner().invoke(app, ["scan", "--staged", "--policy", "rules.yaml"])
    assert outcome.exit_code == 1
    assert [row["path"] for row in json.loads(outcome.stdout)["files"]] == ["sub/new é.txt"]
    assert json.loads(outcome.stdout)["findings"] == 1
    assert json.loads(other.stdout)["files"] == []
    assert isinstance(nowhere.exception, InputError)


def test_a_rule_counts_what_fails() -> None:
    """No rule fails nothing."""
    assert failures([], None) == failures([], FailRule()) == 0


def test_the_hook_and_the_action_call_the_command() -> None:
    """Their options are those of the command, and no input stands in a script."""
    hook = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text())[0]
    assert hook["entry"].split()[:2] == ["tacenda", "scan"]
    action = yaml.safe_load((ROOT / "action.yml").read_text())
    script = action["runs"]["steps"][1]["run"]
    assert "${{" not in script
    options = set(re.findall(r"(?<![\w-])--[a-z-]+", script + hook["entry"]))
    text = CliRunner().invoke(app, ["scan", "--help"], env={"COLUMNS": "200"}).output
    assert options
    assert {option for option in options if option not in text} == set()
    inputs = {f"inputs.{name}" for name in action["inputs"]}
    assert {name for name in inputs if name not in json.dumps(action["runs"])} == set()


def test_the_script_of_the_action_runs(folder: Path) -> None:
    """With its inputs in the environment, it scans and writes SARIF."""
    action = yaml.safe_load((ROOT / "action.yml").read_text())
    (folder / "a b").mkdir()
    (folder / "a b" / "a.txt").write_text("Qyzzyx is here.\n")
    (folder / "bin").mkdir()
    tool = folder / "bin" / "tacenda"
    tool.write_text('#!/bin/sh\nprintf "%s\\n" "$@"\n')
    tool.chmod(0o755)
    names = ("SCAN_PATHS", "FAIL_ON", "EXCLUDE", "POLICY", "BASELINE", "KEY", "SARIF")
    values = (". docs", "any", "*.log\nbuild/", "strict", "", "", "s.sarif")
    outcome = subprocess.run(
        ["bash", "-e", "-c", action["runs"]["steps"][1]["run"]],
        env={"PATH": f"{folder / 'bin'}:/usr/bin:/bin", **dict(zip(names, values, strict=True))},
        capture_output=True,
        text=True,
        check=True,
    )
    assert outcome.stdout.split("\n")[:-1] == (
        "scan --fail-on any --policy strict --sarif s.sarif --exclude s.sarif --exclude *.log "
        "--exclude build/ -- . docs"
    ).split(" ")
