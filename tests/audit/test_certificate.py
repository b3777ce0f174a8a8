"""A certificate: what it says and tells, what opens it, and that a stranger verifies it with a file alone."""

from __future__ import annotations

import json
import stat
from pathlib import Path
from typing import Any

import pytest
from click.testing import Result
from typer.testing import CliRunner

from tacenda.audit.certificate import Opening, Openings, masked_strings, read_certificate
from tacenda.cli import app
from tacenda.errors import InputError
from tacenda.pipeline import load
from tacenda.policy import Policy

from .test_record import files as record_files

pytest.importorskip("cryptography")
TEXT = "Anna Berg wrote to Tom Feld. Each field is green."
NAMES = ("Anna Berg", "Tom Feld")
POLICY = Policy.build(
    recognizer=False,
    threshold=0.5,
    deny=[{"exact": name, "type": "PERSON"} for name in NAMES],
    propagate=False,
)


def run(*arguments: str | Path) -> Result:
    """Run ``tacenda audit``."""
    return CliRunner().invoke(app, ["audit", *map(str, arguments)])


def verified(*arguments: str | Path) -> tuple[int, list[bool | None]]:
    """Return the exit code of ``audit verify``, and what holds."""
    result = run("verify", *arguments, "--json")
    return result.exit_code, [item["holds"] for item in json.loads(result.stdout)["items"]]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A release with its certificate, openings and public key."""
    folder = tmp_path_factory.mktemp("certificate")
    result = load(POLICY).sanitize(TEXT)
    (folder / "masked.jsonl").write_text(result.to_json(reveal=True) + "\n", "utf-8")
    (folder / "letter.html").write_text(f"<p>{result.text}</p>", "utf-8")
    (folder / "key").write_text(run("key", folder / "key.pem").stdout.strip(), "utf-8")
    sources = record_files(folder)
    made = run(
        *("certify", folder / "letter.html", "--masked", folder / "masked.jsonl", "--signer", "me"),
        *("--key", folder / "key.pem", "--openings", folder / "openings.json"),
        *("--decisions", sources.decisions or "", "--attack", sources.attacks[0]),
        *("-o", folder / "certificate.json"),
    )
    assert made.exit_code == 0, made.output
    return folder


def opening(folder: Path, *strings: str) -> Path:
    """Return a file with the openings of some strings."""
    path = folder / "opening.json"
    path.write_text(run("open", folder / "openings.json", *strings).stdout, "utf-8")
    return path


def test_it_holds_figures_and_no_masked_string(folder: Path) -> None:
    """Policy, attackers and counts are in it; strings, and names of files and people, are not."""
    content = (folder / "certificate.json").read_text("utf-8")
    made = read_certificate(folder / "certificate.json")
    assert made.policy
    assert made.policy["name"] == "clinical"
    assert made.attacks[0].rates["bm25"].rank_1.rate == 0.1
    assert made.decisions
    assert made.decisions.masked == 1
    assert len(made.commitments) == 2
    assert not any(word in content for word in ("Anna", "Berg", "Feld", "letter"))


def test_openings_are_for_their_owner_alone(folder: Path) -> None:
    """The file of all openings is as secret as a key, and is never replaced."""
    path = folder / "openings.json"
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    again = run(
        *("certify", folder / "letter.html", "--masked", folder / "masked.jsonl", "--signer", "me"),
        *("--key", folder / "key.pem", "--openings", path, "-o", folder / "second.json"),
    )
    assert again.exit_code == 1
    assert not (folder / "second.json").exists()


def test_a_stranger_verifies_it_with_the_file_alone(folder: Path) -> None:
    """Signature, key and digest hold; what nothing was given for is not verified."""
    certificate, file = folder / "certificate.json", folder / "letter.html"
    key = (folder / "key").read_text("utf-8")
    assert verified(certificate, file, "--public-key", key) == (0, [True, True, True, None])
    assert verified(certificate, file) == (0, [True, None, True, None])
    assert verified(certificate, file, "--public-key", "x") == (1, [True, False, True, None])


def test_a_change_of_anything_is_seen(folder: Path, tmp_path: Path) -> None:
    """One byte more in the file, or another figure in the certificate, doesn't hold."""
    changed = tmp_path / "letter.html"
    changed.write_bytes((folder / "letter.html").read_bytes() + b"\n")
    assert verified(folder / "certificate.json", changed)[1] == [True, None, False, None]
    raw = json.loads((folder / "certificate.json").read_text("utf-8"))
    raw["signer"] = "somebody else"
    forged = tmp_path / "forged.json"
    forged.write_text(json.dumps(raw), "utf-8")
    assert verified(forged, folder / "letter.html") == (1, [False, None, True, None])


def test_one_string_is_opened_and_the_others_stay_secret(folder: Path) -> None:
    """Who asks about a string sees that it was masked and stands nowhere; nothing else is told."""
    path = opening(folder, "Anna Berg")
    assert "Feld" not in path.read_text("utf-8")
    answer = verified(folder / "certificate.json", folder / "letter.html", "--openings", path)
    assert answer == (0, [True, None, True, True, True])


@pytest.mark.parametrize(
    "fake",
    [
        {"salt": "0" * 32, "string": "Anna Berg"},
        {"salt": "0" * 32, "string": "Carl Dahl"},
    ],
)
def test_nothing_else_opens_a_commitment(folder: Path, tmp_path: Path, fake: Any) -> None:
    """Neither another salt nor another string."""
    path = tmp_path / "fake.json"
    path.write_text(Openings(openings=(Opening(**fake),)).model_dump_json(), "utf-8")
    answer = verified(folder / "certificate.json", folder / "letter.html", "--openings", path)
    assert answer[0] == 1
    assert answer[1][3] is False


@pytest.mark.parametrize(
    "content", ["<p>Anna Berg</p>", '<p title="anna  BERG">x</p>', "<!-- Anna&#32;Berg -->"]
)
def test_a_string_in_any_layer_of_a_file_is_found(
    folder: Path, tmp_path: Path, content: str
) -> None:
    """In text, attributes and comments, however it is written."""
    leaky = tmp_path / "leaky.html"
    leaky.write_text(content, "utf-8")
    path = opening(folder, "Anna Berg")
    assert verified(folder / "certificate.json", leaky, "--openings", path)[1][4] is False


def test_a_string_that_stands_as_another_word_is_said_to(tmp_path: Path) -> None:
    """The certificate says so itself, and verifies."""
    (tmp_path / "release.txt").write_text("[PERSON 1] came in May.", "utf-8")
    policy = Policy.build(recognizer=False, threshold=0.5, deny=[{"exact": "May"}], propagate=False)
    result = load(policy).sanitize("May came.")
    (tmp_path / "masked.jsonl").write_text(result.to_json(reveal=True), "utf-8")
    run("key", tmp_path / "key.pem")
    made = run(
        *("certify", tmp_path / "release.txt", "--masked", tmp_path / "masked.jsonl"),
        *(
            "--signer",
            "me",
            "--key",
            tmp_path / "key.pem",
            "--openings",
            tmp_path / "openings.json",
        ),
        *("-o", tmp_path / "certificate.json"),
    )
    assert "1 of 1 masked strings also appear" in made.output
    path = opening(tmp_path, "May")
    answer = verified(tmp_path / "certificate.json", tmp_path / "release.txt", "--openings", path)
    assert answer == (0, [True, None, True, True, True])


def test_faults_are_told_without_a_string(folder: Path, tmp_path: Path) -> None:
    """Results without strings, strings that weren't masked, and files of another kind are errors."""
    plain = tmp_path / "plain.jsonl"
    plain.write_text(load(POLICY).sanitize(TEXT).to_json(), "utf-8")
    with pytest.raises(InputError, match="--reveal"):
        masked_strings(str(plain))
    with pytest.raises(InputError, match="must hold results"):
        masked_strings(str(folder / "key"))
    result = run("open", folder / "openings.json", "Carl Dahl")
    assert result.exit_code == 1
    assert "Carl" not in result.output
    assert run("verify", folder / "certificate.json").exit_code == 2
    assert run("verify", folder / "decisions.json", folder / "letter.html").exit_code == 2
