"""The record of a release: what it says, that it says no more, its signature and its verification."""

from __future__ import annotations

import json
import re
import stat
from dataclasses import replace
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from click.testing import Result
from typer.testing import CliRunner

from tacenda.audit.attacks import read_attack
from tacenda.audit.decisions import provenance_with
from tacenda.audit.hipaa import IDENTIFIERS, TO_CONFIRM, AnnexKind, table
from tacenda.audit.record import (
    AuditRecord,
    RecordSources,
    Signature,
    make_record,
    read_record,
    schema,
    verify,
)
from tacenda.audit.sample import SampleDesign, draw, write_sample
from tacenda.audit.signing import make_key, read_key, sign
from tacenda.cli import app
from tacenda.document import Document
from tacenda.errors import InputError, OutputError, PolicyError
from tacenda.pages.record import page
from tacenda.policy import Policy
from tacenda.reidentify.criteria import ReleaseCase, evaluate_release, read_values
from tacenda.reidentify.criteria.report import as_object
from tacenda.reidentify.judge import (
    AttributeGuess,
    Cost,
    Identity,
    Inference,
    JudgedCase,
    JudgeReport,
    Judgment,
    Silence,
    judge_object,
)
from tacenda.reidentify.report import AttackCase
from tacenda.reidentify.tokens import read_words
from tests.examples import for_each

from .test_sample import filled, release

pytest.importorskip("cryptography")
ROOT = Path(__file__).parents[2]
SECRET = "Anna Berg"
TEXTS = ("She sings, as she can.", "He runs, and he swims.")


def rates(value: float) -> dict[str, Any]:
    """Rates of an attacker, as an attack writes them."""
    one = {"rate": value, "low": value / 2, "high": min(1.0, value + 0.1)}
    return {"rank_1": one, "rank_k": one}


def files(folder: Path) -> RecordSources:
    """The files of a release of forty documents, one of 12 units read with something left."""
    drawn = draw(release(), SampleDesign(size=12))
    if not (folder / "sample.json").exists():
        write_sample(drawn, folder / "sample.json")
    marks = filled(folder / "marked.csv", drawn, {2: f"{SECRET}|1972"})
    attack = {"version": 1, "documents": 40, "people": 900, "k": 10}
    attack |= {name: {"bm25": rates(0.1), "ensemble": rates(0.2)} for name in ("rates", "control")}
    attack |= {"original": None, "chance": {}, "results": [{"id": SECRET, "person": SECRET}]}
    attack["llm"] = judge_object(judged(), reveal=True)
    (folder / "attack.json").write_text(json.dumps(attack), "utf-8")
    cases = [
        ReleaseCase(Document(f"{SECRET} {sex}", text), "", read_values([("sex", sex)]))
        for sex, text in zip("fm", TEXTS, strict=True)
    ]
    tests = as_object(evaluate_release(cases), reveal=True)
    (folder / "tests.json").write_text(json.dumps(tests), "utf-8")
    entity = {"decision": "mask", "decided_by": {"kind": "person", "person": SECRET}}
    kept = {"decision": "keep", "decided_by": {"kind": "policy"}}
    policy = Policy.load("clinical")
    said = provenance_with(policy, 0.2, None, name="clinical").policy
    head = {"policy": said, "model": {"name": "english", "files": {"a": "cd" * 32}}}
    decisions = {
        **head,
        "background": {"name": "searxng"},
        "documents": [{"entities": [entity, kept]}],
    }
    (folder / "decisions.json").write_text(json.dumps(decisions), "utf-8")
    return RecordSources(
        folder / "sample.json",
        (marks,),
        str(folder / "decisions.json"),
        (str(folder / "attack.json"), str(folder / "tests.json")),
    )


def judged() -> JudgeReport:
    """Two documents: one whose person a language model names, and one that it refuses."""
    name = Inference((AttributeGuess("place", SECRET, 0.9),), SECRET)
    judgments = Judgment(Identity((1, 2), (2,)), name), Judgment(*[Silence.REFUSED] * 2)
    documents = [read_words(Document(f"{SECRET} {n}", text)) for n, text in enumerate(TEXTS)]
    cases = tuple(
        JudgedCase(AttackCase(document, 2, None), judgment, named)
        for document, judgment, named in zip(documents, judgments, (True, None), strict=True)
    )
    return JudgeReport("llm", 10, cases, Cost(4, 90, 9, 1.5, 2, {Silence.REFUSED: 2}))


def made(folder: Path, annex: AnnexKind | None = AnnexKind.SAFE_HARBOR) -> AuditRecord:
    """A record that is signed."""
    record = make_record(
        files(folder),
        recipient="University of Ulm",
        assumed=["The public register"],
        signer="Dr Feld",
        annex=annex,
    )
    if not (folder / "key.pem").exists():
        make_key(folder / "key.pem")
    signature = sign(record.content(), read_key(folder / "key.pem"))
    return record.model_copy(update={"signature": Signature.model_validate(signature)})


def saved(record: AuditRecord, path: Path) -> Path:
    """Write a record."""
    path.write_text(record.model_dump_json(indent=3), "utf-8")
    return path


def test_a_record_has_counts_and_rates_and_no_strings(tmp_path: Path) -> None:
    """Neither what was missed, nor people of the attack, nor who decided; nor does its page."""
    record = made(tmp_path)
    # Digests and keys have any digits.
    texts = [
        re.sub(r"[0-9a-f]{12,}", "", text)
        for text in (
            json.dumps(record.content()),
            page(record.model_copy(update={"signature": None})),
        )
    ]
    for secret in (SECRET, "Anna", "1972", "Text", '"d1"'):
        assert not any(secret in text for text in texts)
    assert record.decisions is not None
    assert (record.decisions.entities, record.decisions.masked, record.decisions.by_people) == (
        2,
        1,
        1,
    )
    assert record.attacks[0].rates["ensemble"].rank_1.rate == 0.2
    llm = record.attacks[0].llm
    assert llm is not None
    assert llm.rates.rank_1 is not None
    assert (llm.rates.rank_1.rate, llm.unanswered, llm.cost.silences) == (1.0, 1, {"refused": 2})
    (tests,) = record.tests
    assert tests.singling_out.attack.rate == 1.0
    assert tests.linkability is None
    assert set(tests.inference) == {"sex"}
    shown = " ".join(re.sub(r"<[^>]+>", " ", page(record)).split())
    assert "llm, where it answered 100.0%" in shown
    assert "2 refused" in shown
    assert "inference of sex 100.0%" in shown
    assert (record.bound.units.found, record.bound.identifiers.found) == (1, 2)


def test_a_record_follows_its_schema(tmp_path: Path) -> None:
    """The schema is that of the values, at the root and in the package."""
    for folder in (ROOT / "schemas", ROOT / "src" / "tacenda" / "schemas"):
        content = json.loads((folder / "audit-record.schema.json").read_text("utf-8"))
        assert content == json.loads(json.dumps(schema()))
    jsonschema.Draft202012Validator.check_schema(schema())
    for annex in (None, *AnnexKind):
        jsonschema.validate(json.loads(made(tmp_path, annex).model_dump_json()), schema())


def test_what_was_written_is_verified(tmp_path: Path) -> None:
    """However it is indented; all that files were given for holds."""
    record = made(tmp_path)
    again = read_record(saved(record, tmp_path / "record.json"))
    assert again == record
    assert record.signature is not None
    items = verify(again, files(tmp_path), public_key=record.signature.public_key)
    assert [item.holds for item in items] == [True, True, None, True, True, True, True]
    assert [item.holds for item in verify(again, RecordSources(None))] == [True, *[None] * 6]


@pytest.mark.parametrize(
    ("place", "value"),
    [
        (("recipient",), "Somebody else"),
        (("bound", "units", "bound"), 0),
        (("attacks", 0, "rates", "bm25", "rank_1", "rate"), 0.0),
        (("release", "sha256"), "00" * 32),
        (("signature", "public_key"), "A" * 43 + "="),
    ],
)
def test_a_changed_record_is_not_as_it_was_signed(
    tmp_path: Path, place: tuple[Any, ...], value: Any
) -> None:
    """Whatever was changed."""
    content = json.loads(made(tmp_path).model_dump_json())
    inner = content
    for key in place[:-1]:
        inner = inner[key]
    inner[place[-1]] = value
    (tmp_path / "changed.json").write_text(json.dumps(content), "utf-8")
    items = verify(read_record(tmp_path / "changed.json"), RecordSources(None))
    assert items[0].holds is False


def test_whoever_signs_anew_has_another_key(tmp_path: Path) -> None:
    """And a bound that was made up doesn't follow from the sample."""
    record = made(tmp_path)
    assert record.signature is not None
    forged = record.model_copy(
        update={"bound": replace(record.bound, units=replace(record.bound.units, bound=0))}
    )
    make_key(tmp_path / "other.pem")
    signature = sign(forged.content(), read_key(tmp_path / "other.pem"))
    forged = forged.model_copy(update={"signature": Signature.model_validate(signature)})
    items = verify(forged, files(tmp_path), public_key=record.signature.public_key)
    assert [item.holds for item in items] == [True, False, None, True, True, True, False]


def test_other_files_than_those_named_are_noticed(tmp_path: Path) -> None:
    """Marks, decisions and attacks, by their digests; the release by its texts."""
    record = made(tmp_path)
    sources = files(tmp_path)
    for path in (*sources.marks, str(sources.decisions), *sources.attacks):
        with Path(path).open("a", encoding="utf-8") as stream:
            stream.write("\n")
    (tmp_path / "other.txt").write_text("Another text", "utf-8")
    items = verify(record, sources, release=[str(tmp_path / "other.txt")])
    assert [item.holds for item in items] == [True, None, False, False, False, False, None]


def test_a_record_without_a_key_is_not_signed(tmp_path: Path) -> None:
    """It is verified as not signed."""
    record = make_record(files(tmp_path), recipient="Ulm", signer="Dr Feld")
    assert verify(record, RecordSources(None))[0].holds is False
    assert "Not signed by a key" in page(record)


def test_a_key_is_for_its_owner_and_never_replaced(tmp_path: Path) -> None:
    """It is read again; another file is no key, and the message says nothing of it."""
    path = tmp_path / "key.pem"
    public = make_key(path)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert len(public) == 44
    with pytest.raises(OutputError, match="never replaced"):
        make_key(path)
    path.write_text(SECRET, "utf-8")
    with pytest.raises(PolicyError, match="not an Ed25519 private key") as caught:
        read_key(path)
    assert SECRET not in str(caught.value)


def test_files_of_another_kind_are_named(tmp_path: Path) -> None:
    """With the command that makes the right ones."""
    sources = files(tmp_path)
    (tmp_path / "x.json").write_text("{}", "utf-8")
    other = str(tmp_path / "x.json")
    for changes, command in (({"decisions": other}, "sanitize"), ({"attacks": (other,)}, "attack")):
        with pytest.raises(InputError, match=f"tacenda {command}"):
            make_record(replace(sources, **changes), recipient="Ulm", signer="Dr Feld")
    with pytest.raises(InputError, match="audit record"):
        read_record(tmp_path / "x.json")


def test_what_attackers_found_has_only_known_keys(tmp_path: Path) -> None:
    """Another one could hold anything."""
    sources = files(tmp_path)
    for path, place in zip(sources.attacks, ("llm", "inference"), strict=True):
        content = json.loads(Path(path).read_text("utf-8"))
        content[place]["note"] = SECRET
        Path(path).write_text(json.dumps(content), "utf-8")
        with pytest.raises(InputError, match="attack --to json") as caught:
            read_attack(path)
        assert SECRET not in str(caught.value)


# HIPAA Safe Harbor.


def test_the_table_of_safe_harbor_is_that_of_its_page() -> None:
    """Eighteen kinds of identifiers, by their letters."""
    documentation = (ROOT / "docs" / "hipaa.md").read_text("utf-8")
    rows = re.findall(r"^\| ([A-R]) \| ([^|]+) \|", documentation, re.M)
    assert [(one.letter, one.name) for one in IDENTIFIERS] == rows


def confirmed(policy: Policy, default: float = 0.2) -> str:
    """Letters of the identifiers that a policy takes out, whatever its name."""
    threshold = default if policy.threshold is None else policy.threshold
    said = provenance_with(policy, threshold, None, name="ours").policy
    return "".join(letter for letter, _, done in table(said) if TO_CONFIRM not in done)


ALL = "ABCDEFGHIJKLMNOPQR"


@for_each(
    ("changes", "letters"),
    [
        ({}, ALL),
        ({"threshold": 0.1}, ALL),
        ({"operator": "suppress"}, ALL),
        ({"operators": {}}, ALL),
        ({"threshold": 0.5}, "C"),
        ({"thresholds": {"LOC": 0.3}}, ALL.replace("B", "")),
        ({"operators": {"DATETIME": "generalize"}, "operators_for": ()}, ALL.replace("C", "")),
        ({"residual_risk": 0.0001}, ALL),
        ({"prefer": "people"}, ALL.replace("C", "")),
        ({"deny": ()}, "ABDEFGHIJKLMOPR"),
        ({"deny": ({"form": "date"}, {"form": "url"})}, ALL.replace("C", "").replace("Q", "")),
        ({"patterns": False}, ""),
        ({"recognizer": False}, ""),
        ({"length_penalty": 0.2}, ""),
    ],
)
def test_a_policy_is_recognised_by_what_it_does(changes: dict[str, Any], letters: str) -> None:
    """One that is as strict as *clinical*, row by row; the rest is for the signer to confirm."""
    assert confirmed(Policy.load("clinical").with_changes(**changes)) == letters


def test_a_threshold_of_the_run_counts() -> None:
    """It stands in the settings of its record, whatever the policy's file says."""
    relaxed = Policy.load("clinical").with_changes(threshold=None)
    assert confirmed(relaxed, 0.2) == ALL
    assert confirmed(relaxed, 0.4) == "C"
    assert confirmed(Policy.load("default")) == ""


@for_each(
    ("field", "rule", "n"),
    [
        ("allow", {"exact": SECRET}, 1),
        ("allow", {"form": "date"}, 1),
        ("operators_for", {"exact": SECRET, "operator": "generalize"}, 1),
        ("operators_for", {"form": "date", "operator": "generalize"}, 1),
        ("operators_for", {"form": "date", "operator": "tag"}, 0),
        ("allow", {"form": "time"}, 0),
    ],
)
def test_rules_of_its_own_are_named_but_not_what_they_keep(
    field: str, rule: dict[str, str], n: int
) -> None:
    """In a row below the table, for the signer to confirm."""
    clinical = Policy.load("clinical")
    policy = clinical.with_changes(**{field: (*getattr(clinical, field), rule)})
    rows = list(table(provenance_with(policy, 0.2, None).policy))[len(ALL) :]
    assert [done for _, _, done in rows] == [f"1 rule; {TO_CONFIRM}"] * n
    assert SECRET not in str(rows)


def run(*arguments: object) -> Result:
    """Run a command of the group."""
    return CliRunner().invoke(app, ["audit", *map(str, arguments)])


def test_the_commands_make_and_verify_a_record(tmp_path: Path) -> None:
    """The exit code tells whether it holds."""
    sources = files(tmp_path)
    public = run("key", tmp_path / "key.pem").stdout.strip()
    output = tmp_path / "record.json"
    options = ["--recipient", "Ulm", "--signer", "Dr Feld", "--annex", "expert"]
    places = ["--key", tmp_path / "key.pem", "-o", output, "--html", tmp_path / "record.html"]
    result = run("record", sources.sample, *sources.marks, *options, *places)
    assert result.exit_code == 0
    assert "--attack" in result.stderr
    assert "Expert Determination" in (tmp_path / "record.html").read_text("utf-8")
    given = ["--sample", sources.sample, "--marked", *sources.marks, "--public-key", public]
    result = run("verify", output, *given)
    assert (result.exit_code, result.stdout.count("yes")) == (0, 4)
    output.write_text(output.read_text("utf-8").replace('"Ulm"', '"Bonn"'), "utf-8")
    result = run("verify", output, *given)
    assert (result.exit_code, result.stdout.count("NO")) == (1, 1)
    assert run("verify", output, "--sample", sources.sample).exit_code == 2
