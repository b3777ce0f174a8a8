"""The package of ``examples/plugin``: a part of another package for each protocol, in use."""

from __future__ import annotations

import json
import sys
import tomllib
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

import tacenda
from tacenda import plugins
from tacenda.annotations import format_named
from tacenda.cli import app
from tacenda.errors import InputError, PluginError, PolicyError
from tests.detectors import KnownNames

EXAMPLE = Path(__file__).parents[1] / "examples" / "plugin"
TEXT = "Galip Yalman (ST-12345) of Berg Ltd came from Elmau to Ankara. Mr Yalman agreed."
PLAIN = {"recognizer": False, "threshold": 0.5}
_PLACES = KnownNames(
    *(("Elmau", "LOC", 0.1), ("Ankara", "LOC", 0.1), ("Berg Ltd", "ORG", 0.1)),
    source=tacenda.MentionSource.PLUGIN,
)
"""A detector that gives places and employers little risk."""


@pytest.fixture
def example(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """Install the package beside the tests, as ``pip install examples/plugin`` would."""
    project = tomllib.loads((EXAMPLE / "pyproject.toml").read_text("utf-8"))["project"]
    folder = tmp_path / "site"
    info = folder / "tacenda_example-1.0.dist-info"
    info.mkdir(parents=True)
    (folder / "tacenda_example.py").write_bytes((EXAMPLE / "tacenda_example.py").read_bytes())
    head = f"Metadata-Version: 2.1\nName: {project['name']}\nVersion: {project['version']}\n"
    (info / "METADATA").write_text(head)
    groups = project["entry-points"].items()
    lines = (
        f"[{group}]\n" + "".join(f"{name} = {place}\n" for name, place in points.items())
        for group, points in groups
    )
    (info / "entry_points.txt").write_text("".join(lines))
    monkeypatch.syspath_prepend(str(folder))
    monkeypatch.chdir(tmp_path)
    _forget()
    yield import_module("tacenda_example")
    sys.modules.pop("tacenda_example")
    _forget()


def _forget() -> None:
    plugins._declared.cache_clear()
    plugins.shared.cache_clear()
    import_module("tacenda.risk.registry")._load_indicator.cache_clear()


def _policy(**fields: Any) -> tacenda.Policy:
    return tacenda.Policy(**{**PLAIN, **fields})


def _sanitize(*arguments: str) -> Any:
    return CliRunner().invoke(app, ["sanitize", *arguments])


def test_the_example_needs_nothing_but_what_is_public() -> None:
    """It imports names of the public modules, as any other package should."""
    lines = (EXAMPLE / "tacenda_example.py").read_text("utf-8").splitlines()
    modules = [line.split()[1] for line in lines if line.startswith("from tacenda")]
    assert modules == ["tacenda", "tacenda.annotations", "tacenda.documents"]


def test_what_is_installed_and_not_named_changes_nothing(example: Any) -> None:
    """A policy that names none of its parts gives what it gives without the package."""
    del example
    assert tacenda.load(_policy()).sanitize(TEXT).text == TEXT


def test_a_detector_is_named_by_a_policy_or_given_as_an_argument(example: Any) -> None:
    """Its mentions are decided on like all others, with the source ``plugin``."""
    named = tacenda.load(_policy(detectors=["staff_numbers"])).sanitize(TEXT)
    given = tacenda.load(_policy(), detectors=[example.StaffNumbers()]).sanitize(TEXT)
    assert named.text == given.text == TEXT.replace("ST-12345", "[CODE 1]")
    (entity,) = named.entities
    assert [mention.source for mention in entity.mentions] == ["plugin"]
    assert "A plug-in (staff number) gives 0.99" in named.explain()


def test_an_indicator_raises_the_risk_of_what_it_knows(example: Any) -> None:
    """A village is masked, a city is not."""
    weak = [_PLACES]
    assert "Elmau" in tacenda.load(_policy(), detectors=weak).sanitize(TEXT).text
    policy = _policy(indicators=["small_places"])
    named = tacenda.load(policy, detectors=weak).sanitize(TEXT).text
    given = tacenda.load(_policy(), detectors=weak, indicators=[example.SmallPlaces()])
    assert named == given.sanitize(TEXT).text
    assert "Elmau" not in named
    assert "Ankara" in named


def test_a_combination_indicator_breaks_what_must_not_stand_together(example: Any) -> None:
    """Of employer and place one is changed, although each is harmless alone."""
    weak = [_PLACES]
    named = tacenda.load(_policy(indicators=["employment"]), detectors=weak).sanitize(TEXT)
    given = tacenda.load(
        _policy(), detectors=weak, combination_indicators=[example.Employment()]
    ).sanitize(TEXT)
    assert named.text == given.text
    masked = {item.entity.id for item in named.decisions if item.masked}
    assert named.combinations
    assert all(masked.intersection(item.entity_ids) for item in named.combinations)


def test_an_operator_is_named_by_a_policy(example: Any) -> None:
    """For all types, or for one."""
    del example
    policy = _policy(operators={"PERSON": "initials"}, detectors=["staff_numbers"])
    result = tacenda.load(policy).sanitize(TEXT, target="Galip Yalman")
    assert result.text.startswith("G. Y. ([CODE 1]) of Berg Ltd")
    assert result.leaks == ()


def test_an_operator_that_nobody_has_is_refused_with_those_there_are(example: Any) -> None:
    """The message lists those of plug-ins after the built-in ones."""
    del example
    with pytest.raises(PolicyError, match=r"'hash', 'encrypt' or 'initials' .*'initial'"):
        tacenda.Policy(operator="initial")


@pytest.mark.parametrize(
    ("field", "message"),
    [
        ("detectors", "unknown detector 'magic'; choose one of staff_numbers"),
        ("checks", "unknown check 'magic'; choose one of readable"),
        ("indicators", "unknown indicator 'magic'; choose one of .*small_places"),
    ],
)
def test_a_part_that_nobody_has_is_refused_with_those_there_are(
    example: Any, field: str, message: str
) -> None:
    """Before any document is read."""
    del example
    with pytest.raises(PolicyError, match=message):
        tacenda.load(_policy(**{field: ["magic"]}))


def test_a_check_looks_at_each_result(example: Any) -> None:
    """It may warn; the text stays."""
    policy = _policy(deny=[{"exact": TEXT.partition(".")[0]}])
    warning = "More than half of it is masked."
    named = tacenda.load(policy.with_changes(checks=["readable"])).sanitize(TEXT)
    given = tacenda.load(policy, checks=[example.Readable()]).sanitize(TEXT)
    assert named.warnings == given.warnings == (warning,)
    assert tacenda.load(policy).sanitize(TEXT).warnings == ()


def test_a_document_format_is_found_by_its_extension(example: Any) -> None:
    """The text is edited in its place; what stands above it stays."""
    del example
    Path("report.memo").write_text(f"Subject: a visit\n\n{TEXT}")
    Path("house.yaml").write_text(
        "recognizer: false\nthreshold: 0.5\ndetectors: [staff_numbers]\n"
        "operators: {PERSON: initials}\nchecks: [readable]\n"
    )
    options = ["--policy", "house.yaml", "--target", "Galip Yalman"]
    run = _sanitize("report.memo", *options, "-o", "clean.memo")
    assert run.exit_code == 0, run.output
    clean = Path("clean.memo").read_text()
    assert clean.startswith("Subject: a visit\n\nG. Y. ([CODE 1]) of Berg Ltd")
    result = json.loads(_sanitize("report.memo", *options, "--to", "json").stdout)
    assert result["text"] == clean.partition("\n\n")[2]


def test_a_document_format_is_named_by_an_option(example: Any) -> None:
    """For stdin, and for files of another extension."""
    del example
    Path("report.txt").write_text(f"Subject: a visit\n\n{TEXT}")
    Path("fast.yaml").write_text("recognizer: false\nthreshold: 0.5\n")
    run = _sanitize("report.txt", "--from", "memo", "--policy", "fast.yaml", "--to", "json")
    assert json.loads(run.stdout)["text"] == TEXT


def test_a_folder_has_no_files_of_a_format_that_is_only_installed(example: Any) -> None:
    """They are skipped, as they were before the package was there."""
    del example
    Path("in").mkdir()
    Path("in/report.memo").write_text(f"\n\n{TEXT}")
    Path("in/letter.txt").write_text(TEXT)
    Path("fast.yaml").write_text("recognizer: false\nthreshold: 0.5\n")
    run = _sanitize("in", "--policy", "fast.yaml", "-o", "out/")
    assert "report.memo: skipped" in run.stderr
    assert [path.name for path in Path("out").iterdir() if path.suffix] == ["letter.txt"]


def test_what_is_masked_may_not_stand_elsewhere_in_a_format_of_a_plugin(example: Any) -> None:
    """Its strings are searched like those of every other format, and nothing is written."""
    del example
    Path("report.memo").write_text(f"Subject: Galip Yalman\n\n{TEXT}")
    Path("fast.yaml").write_text("recognizer: false\nthreshold: 0.5\n")
    options = ["--policy", "fast.yaml", "--target", "Galip Yalman", "-o", "clean.memo"]
    run = _sanitize("report.memo", *options)
    assert run.exit_code == 1
    assert "masked strings would still be in the output" in run.output
    assert not Path("clean.memo").exists()


def test_an_annotation_format_is_read_and_written(example: Any) -> None:
    """By the name of its entry point, in Python and on the command line."""
    assert isinstance(format_named("lines"), example.Lines)
    Path("texts").mkdir()
    Path("texts/d1.txt").write_text("Anna Berg spoke.")
    Path("gold.lines").write_text("d1\t0\t9\tPERSON\n")
    options = ["--from", "lines", "--text", "texts", "--to", "jsonl"]
    run = CliRunner().invoke(app, ["convert", "gold.lines", *options, "-o", "gold.jsonl"])
    assert run.exit_code == 0, run.output
    (span,) = json.loads(Path("gold.jsonl").read_text())["spans"]
    assert (span["start"], span["end"], span["label"]) == (0, 9, "PERSON")
    options = ["--to", "lines", "--drop", "all", "-o", "again.lines"]
    run = CliRunner().invoke(app, ["convert", "gold.jsonl", *options])
    assert Path("again.lines").read_text() == Path("gold.lines").read_text(), run.output


def test_a_command_is_called(example: Any) -> None:
    """It stands beside the built-in ones."""
    del example
    Path("letter.txt").write_text(TEXT)
    assert CliRunner().invoke(app, ["staff-numbers", "letter.txt"]).output == "1\n"


class _Failing:
    """Any part: it raises an error whose message quotes the document."""

    joins = by_string = divides = False

    def detect(self, documents: Any) -> Any:
        raise KeyError(documents[0].text)

    def judge(self, document: Any, entities: Any) -> Any:
        raise KeyError(document.text)

    def combinations(self, document: Any, entities: Any) -> Any:
        raise KeyError(document.text)

    def write(self, document: Any, entity: Any, span: Any) -> Any:
        raise KeyError(document.text)

    def __call__(self, result: Any) -> Any:
        raise KeyError(result.document.text)


@pytest.mark.parametrize(
    ("argument", "part"),
    [
        ("detectors", "detector _Failing"),
        ("indicators", "indicator _Failing"),
        ("combination_indicators", "indicator _Failing"),
        ("checks", "check _Failing"),
    ],
)
def test_a_part_that_fails_fails_its_document(argument: str, part: str) -> None:
    """The error names part and document, and quotes nothing."""
    sanitizer = tacenda.load(_policy(), **{argument: [_Failing()]})
    with pytest.raises(InputError, match=f"^d7: {part} fails with KeyError at tests") as caught:
        sanitizer.sanitize(TEXT, target="Galip Yalman", id="d7")
    assert "Galip" not in str(caught.value)
    assert caught.value.__cause__ is None
    assert caught.value.__suppress_context__


def test_the_document_at_fault_is_named_although_many_are_asked_together() -> None:
    """A detector is asked for a batch, and again for each of its documents where it fails."""

    class PickyDetector:
        def detect(self, documents: Any) -> Any:
            if any("Yalman" in document.text for document in documents):
                raise ValueError
            return [() for _ in documents]

    sanitizer = tacenda.load(_policy(), detectors=[PickyDetector()])
    with pytest.raises(InputError, match=r"^text-2: detector PickyDetector fails"):
        list(sanitizer.pipe(["Nobody came.", TEXT]))


def test_the_other_documents_of_a_run_go_on(example: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """One fails, and is not written; one is done."""

    def detect(self: Any, documents: Any) -> Any:
        if any("Yalman" in document.text for document in documents):
            raise ValueError("Yalman")
        return [() for _ in documents]

    monkeypatch.setattr(example.StaffNumbers, "detect", detect)
    Path("in").mkdir()
    Path("in/a.txt").write_text(TEXT)
    Path("in/b.txt").write_text("Nobody came.")
    Path("fast.yaml").write_text("recognizer: false\nthreshold: 0.5\ndetectors: [staff_numbers]\n")
    run = _sanitize("in", "--policy", "fast.yaml", "-o", "out/")
    assert run.exit_code == 1
    assert "a.txt: detector 'staff_numbers' fails with ValueError" in run.stderr
    assert "Yalman" not in run.stderr
    assert [path.name for path in Path("out").iterdir() if path.suffix] == ["b.txt"]


@pytest.mark.parametrize(
    ("output", "fault"),
    [
        (lambda *_: None, "writes NoneType, no text"),
        (lambda *_: "Mr Yalman", "writes a name of e1"),
    ],
)
def test_an_operator_may_not_write_what_it_replaces(
    example: Any, monkeypatch: pytest.MonkeyPatch, output: Any, fault: str
) -> None:
    """Nor anything but text: verification passes over what operators write."""
    monkeypatch.setattr(example.Initials, "write", output)
    sanitizer = tacenda.load(_policy(operator="initials"))
    with pytest.raises(InputError, match=f"operator 'initials' {fault}"):
        sanitizer.sanitize(TEXT, target="Galip Yalman")


def test_a_detector_may_not_point_outside_of_the_text(example: Any) -> None:
    """Spans and probabilities are checked before anything is made of them."""
    del example
    (places,) = _PLACES.detect([tacenda.Document("d", TEXT)])

    class Wrong:
        def detect(self, documents: Any) -> Any:
            return [places for _ in documents]

    with pytest.raises(InputError, match="detector Wrong returns a mention that ends at"):
        tacenda.load(_policy(), detectors=[Wrong()]).sanitize("Short.")


def test_a_check_may_not_change_the_text(example: Any) -> None:
    """It looks at a result; what is written was verified before."""
    del example

    def check(result: Any) -> Any:
        return tacenda.load(_policy()).sanitize("Mr Yalman")

    with pytest.raises(InputError, match="check function changes what was verified"):
        tacenda.load(_policy(), checks=[check]).sanitize(TEXT)


def test_a_plugin_that_can_not_be_made_is_named(
    example: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With its group and package."""
    monkeypatch.setattr(example.StaffNumbers, "__init__", lambda *_: 1 / 0)
    with pytest.raises(PluginError, match="'staff_numbers' of tacenda-example can't be made"):
        tacenda.load(_policy(detectors=["staff_numbers"]))
