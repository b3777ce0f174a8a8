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

from tacenda.audit.annex import SAFE_HARBOR, AnnexKind
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
from tacenda.errors import InputError, OutputError, PolicyError
from tacenda.pages.record import page

from .test_sample import filled, release

pytest.importorskip("cryptography")
ROOT = Path(__file__).parents[2]
SECRET = "Anna Berg"


def rates(value: float) -> dict[str, Any]:
    """Rates of an attacker, as an attack writes them."""
    one = {"rate": value, "low": value / 2, "high": min(1.0, value + 0.1)}
    return {"rank_1": one, "rank_k": one}


def files(folder: Path) -> RecordSources:
    """The files of a release of forty documents, one of 12 units read with something left."""
    drawn = draw(release(), SampleDesign(size=12))
    write_sample(drawn, folder / "sample.json")
    marks = filled(folder / "marked.csv", drawn, {2: f"{SECRET}|1972"})
    attack = {"version": 1, "documents": 40, "people": 900, "k": 10}
    attack |= {name: {"bm25": rates(0.1), "ensemble": rates(0.2)} for name in ("rates", "control")}
    attack |= {"original": None, "chance": {}, "results": [{"id": SECRET, "person": SECRET}]}
    (folder / "attack.json").write_text(json.dumps(attack), "utf-8")
    entity = {"decision": "mask", "decided_by": {"kind": "person", "person": SECRET}}
    kept = {"decision": "keep", "decided_by": {"kind": "policy"}}
    policy = {"name": "clinical", "sha256": "ab" * 32, "settings": {}, "rules": {}}
    head = {"policy": policy, "model": {"name": "english", "files": {"a": "cd" * 32}}}
    decisions = {**head, "background": None, "documents": [{"entities": [entity, kept]}]}
    (folder / "decisions.json").write_text(json.dumps(decisions), "utf-8")
    return RecordSources(
        folder / "sample.json",
        (marks,),
        str(folder / "decisions.json"),
        (str(folder / "attack.json"),),
    )


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
    text = record.model_dump_json()
    for secret in (SECRET, "Anna", "1972", "Text", '"d1"'):
        assert secret not in text
        assert secret not in page(record)
    assert record.decisions is not None
    assert (record.decisions.entities, record.decisions.masked, record.decisions.by_people) == (
        2,
        1,
        1,
    )
    assert record.attacks[0].rates["ensemble"].rank_1.rate == 0.2
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
    with pytest.raises(PolicyError, match="no private key") as caught:
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


def test_the_table_of_safe_harbor_is_that_of_its_page() -> None:
    """Eighteen kinds of identifiers, by their letters."""
    documentation = (ROOT / "docs" / "hipaa.md").read_text("utf-8")
    rows = re.findall(r"^\| ([A-R]) \| ([^|]+) \|", documentation, re.M)
    assert [(letter, name) for letter, name, *_ in SAFE_HARBOR] == rows


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
