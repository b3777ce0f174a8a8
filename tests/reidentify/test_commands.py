"""`tacenda index people`, `attack` and `anonymize`: streams, exit codes, faults that name their place."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest

from tests.cli.test_sanitize import tacenda, write
from tests.reidentify.village import ABOUT_ANNA, VILLAGERS, store


def by_words(command: str, *arguments: str) -> subprocess.CompletedProcess[bytes]:
    """Run a command with an attacker whose results can be reckoned; the village has five people."""
    if command == "anonymize" and "--k" not in arguments:
        arguments = ("--k", "1", *arguments)
    return tacenda(command, "--attacker", "bm25", *arguments)


@pytest.fixture
def background(tmp_path: Path) -> str:
    """Return a store of the village."""
    store(tmp_path / "people.db").person(0)
    return str(tmp_path / "people.db")


def letters(path: Path, *items: tuple[str, str]) -> str:
    """Write texts and the people they are about as JSON Lines; return the path."""
    lines = (json.dumps({"text": text, "person": person}) for text, person in items)
    return write(path, "".join(line + "\n" for line in lines))


def test_people_are_stored_and_what_is_odd_is_said(tmp_path: Path) -> None:
    """A bad line is named and makes the exit code 1; the others are stored."""
    source = write(
        tmp_path / "a.jsonl",
        '{"id": 1, "name": "Anna"}\n{"id": 2, "name": "Anna", "job": "x"}\n[\n',
    )
    run = tacenda("index", "people", source, "-o", str(tmp_path / "p.db"))
    assert run.returncode == 1
    assert b"2 people" in run.stderr
    assert b"1 names are shared by several people" in run.stderr
    assert b"1 people have an empty profile ('1'" in run.stderr
    assert b"a.jsonl:3" in run.stderr
    assert (tmp_path / "p.db").exists()


def test_a_release_that_tells_fails_the_gate(tmp_path: Path, background: str) -> None:
    """Exit code 1 above --max-rate, 0 at or below it; results are on stdout."""
    release = letters(tmp_path / "a.jsonl", (ABOUT_ANNA, "anna"), ("Somebody bakes.", "Carl Lund"))
    arguments = ("attack", release, "--background", background, "--to", "json")
    run = by_words(*arguments, "--max-rate", "0.4")
    assert run.returncode == 1
    assert b"0.500 of the documents are re-identified" in run.stderr
    report = json.loads(run.stdout)
    assert report["rates"]["ensemble"]["rank_1"]["rate"] == 0.5
    assert [item["rank"] == 1 for item in report["results"]] == [True, False]
    assert by_words(*arguments, "--max-rate", "0.5").returncode == 0


def test_people_can_be_named_in_a_table(tmp_path: Path, background: str) -> None:
    """Text files have no fields: the table has their names."""
    text = write(tmp_path / "a.txt", ABOUT_ANNA)
    table = write(tmp_path / "who.csv", "document,person\na.txt,anna\n")
    run = by_words("attack", text, "--background", background, "--people", table)
    assert run.returncode == 0, run.stderr
    assert "(anna)" in run.stdout.decode()
    assert "March" in run.stdout.decode()


def test_originals_are_the_ceiling(tmp_path: Path, background: str) -> None:
    """They are paired in order; another number of them is an error."""
    release = letters(tmp_path / "a.jsonl", ("Somebody bakes.", "anna"))
    original = letters(tmp_path / "b.jsonl", (ABOUT_ANNA, "anna"))
    arguments = ("attack", release, "--background", background, "--to", "html", "--original")
    run = by_words(*arguments, original)
    assert run.returncode == 0
    assert b"in the originals by ensemble</td><td>1.000" in run.stdout
    two = letters(tmp_path / "c.jsonl", (ABOUT_ANNA, "anna"), (ABOUT_ANNA, "anna"))
    run = by_words(*arguments, two)
    assert run.returncode == 1
    assert b"--original has 2 documents, the release has 1" in run.stderr


def test_a_person_who_is_not_there_is_named_and_the_others_are_attacked(
    tmp_path: Path, background: str
) -> None:
    """A missing person, a missing field: the exit code is 1, the rest is measured."""
    release = letters(tmp_path / "a.jsonl", (ABOUT_ANNA, "zoe"), (ABOUT_ANNA, "anna"))
    with Path(release).open("a") as stream:
        stream.write('{"text": "nobody"}\n')
    run = by_words("attack", release, "--background", background, "--to", "json")
    assert run.returncode == 1
    assert b"no person has the id or name 'zoe'" in run.stderr
    assert b"a.jsonl:3: its person is unknown" in run.stderr
    assert b"Traceback" not in run.stderr
    assert json.loads(run.stdout)["documents"] == 1


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (("--background", "missing.db"), 1),
        (("--people", "missing.csv"), 1),
        (("--attacker", "x"), 2),
    ],
)
def test_what_is_not_there_is_an_error(
    tmp_path: Path, background: str, arguments: tuple[str, str], code: int
) -> None:
    """No traceback; the message names it, and a name that is none of the choices is one of usage."""
    release = letters(tmp_path / "a.jsonl", (ABOUT_ANNA, "anna"))
    for command in ("attack", "anonymize"):
        run = by_words(command, release, "--background", background, *arguments)
        assert run.returncode == code
        assert arguments[1].encode() in run.stderr
        assert b"Traceback" not in run.stderr


def test_a_folder_gets_a_file_for_each_input(tmp_path: Path, background: str) -> None:
    """By its name, unless that tells the person's; with what stdout has of it."""
    first = letters(tmp_path / "one.jsonl", ("Somebody bakes.", "anna"), ("He bakes.", "anna"))
    second = letters(tmp_path / "carl_lund.jsonl", ("Somebody bakes.", "Carl Lund"))
    arguments = ("anonymize", first, second, "--background", background)
    alone = by_words(*arguments)
    run = by_words(*arguments, "-o", f"{tmp_path / 'out'}/")
    assert (run.returncode, run.stdout) == (alone.returncode, b"")
    contents = {path.name: path.read_bytes() for path in (tmp_path / "out").iterdir()}
    assert contents.keys() == {"one.txt", "document-2.txt"}
    assert contents["one.txt"].count(b"\n") == 2
    assert contents["one.txt"] + contents["document-2.txt"] == alone.stdout


def test_results_in_the_input_folder_are_not_read_again(tmp_path: Path, background: str) -> None:
    """A second run reads the same documents as the first."""
    letters(tmp_path / "one.jsonl", ("Somebody bakes.", "anna"))
    command = ("anonymize", str(tmp_path), "--background", background, "--to", "json")
    runs = [by_words(*command, "-o", f"{tmp_path / 'out'}/") for _ in range(2)]
    assert runs[0].returncode == runs[1].returncode
    assert [path.name for path in (tmp_path / "out").iterdir()] == ["one.jsonl"]
    assert runs[0].stderr == runs[1].stderr


def test_what_was_anonymized_withstands_the_attack(tmp_path: Path, background: str) -> None:
    """The JSON of one command is the input of the other: before, all are found; after, nobody."""
    release = letters(
        tmp_path / "a.jsonl", (ABOUT_ANNA, "anna"), ("Dora, a nurse in Oslo.", "dora")
    )
    output = str(tmp_path / "out.jsonl")
    attack = ("--background", background, "--max-rate", "0")
    assert by_words("attack", release, *attack).returncode == 1
    run = by_words("anonymize", release, "--background", background, "-o", output)
    assert run.returncode == 0, run.stderr
    assert b"words masked" in run.stderr
    items = [json.loads(line) for line in Path(output).read_text().splitlines()]
    assert [item["person"] for item in items] == ["anna", "dora"]
    assert all(item["reached"] and "***" in item["text"] for item in items)
    assert all(belief["rank"] > 1 for item in items for belief in item["beliefs"])
    assert by_words("attack", output, *attack).returncode == 0


def test_text_goes_to_stdout_and_what_can_not_be_hidden_is_said(
    tmp_path: Path, background: str
) -> None:
    """By words it is hidden; a verb is no entity, so that by entities it is not."""
    release = letters(tmp_path / "a.jsonl", ("She will nurse this plant.", "dora"))
    run = by_words("anonymize", release, "--background", background)
    assert run.returncode == 0
    assert run.stdout.decode() == "She will *** this plant.\n"
    run = by_words("anonymize", release, "--background", background, "--by", "entities")
    assert run.stdout.decode() == "She will nurse this plant.\n"
    assert run.returncode == 1
    assert b"STILL FOUND" in run.stderr


def test_the_papers_algorithm_masks_word_by_word(tmp_path: Path, background: str) -> None:
    """Each word that tells, and at least one where none does; nothing is masked for the name's sake alone."""
    release = letters(
        tmp_path / "a.jsonl", ("A nurse met a nurse.", "dora"), ("Trees grow.", "dora")
    )
    run = by_words("anonymize", release, "--background", background, "--method", "paper")
    assert run.stdout.decode() == "A *** met a ***.\n*** grow.\n"
    assert run.returncode == 0, run.stderr
    both = ("anonymize", release, "--background", background, "--method", "paper", "--beam", "4")
    assert by_words(*both).stdout.decode() == "A *** met a ***.\n*** grow.\n"


BORN = "A man who came to us was born on 4 March 1966 in Paris."


def test_entities_are_generalised_before_they_are_masked(tmp_path: Path, background: str) -> None:
    """Less than the day hides her; what is released is what the attack reads again."""
    release = letters(tmp_path / "a.jsonl", (BORN, "anna"))
    output = str(tmp_path / "out.jsonl")
    arguments = ("anonymize", release, "--background", background, "--by", "entities")
    run = by_words(*arguments, "--to", "json", "-o", output)
    assert run.returncode == 0, run.stderr
    assert b"of the information kept" in run.stderr
    (item,) = map(json.loads, Path(output).read_text().splitlines())
    (written,) = item["written"]
    assert written in item["text"]
    assert "***" not in item["text"]
    assert "Paris" in item["text"]
    ((start, end),) = item["masks"]
    assert BORN[start:end] == "4 March 1966"
    assert item["words_masked"] == 3
    assert 0 < item["information_kept"] < 1
    run = by_words("attack", output, "--background", background, "--to", "json")
    (attacked,) = json.loads(run.stdout)["results"]
    assert attacked["ranks"] == {b["attacker"]: b["rank"] for b in item["beliefs"]}
    run = by_words(*arguments, "--operator", "suppress")
    assert run.returncode == 0
    assert b"born on *** in Paris" in run.stdout
    run = by_words(*arguments[:-2], "--operator", "generalize")
    assert run.returncode == 0
    assert written.encode() in run.stdout


def test_faults_of_usage_have_exit_code_two(tmp_path: Path, background: str) -> None:
    """Formats and units that there are not."""
    release = letters(tmp_path / "a.jsonl", (ABOUT_ANNA, "anna"))
    for command in (
        ("attack", "--to", "pdf"),
        ("anonymize", "--by", "letters"),
        ("anonymize", "--method", "magic"),
        ("anonymize", "--method", "paper", "--by", "entities"),
        ("anonymize", "--method", "paper", "--operator", "generalize"),
        ("anonymize", "--method", "paper", "--llm", "http://localhost:1"),
        ("anonymize", "--by", "entities", "--operator", "hash"),
        ("anonymize", "-o", str(tmp_path / "out.docx")),
        ("anonymize", "-o", release),
    ):
        run = by_words(command[0], release, "--background", background, *command[1:])
        assert run.returncode == 2
    k = str(len(VILLAGERS))
    run = by_words("anonymize", release, "--background", background, "--k", k)
    assert run.returncode == 1
    assert b"below the 5 people of the store" in run.stderr


def test_a_release_of_nothing_leaves_the_earlier_one(tmp_path: Path, background: str) -> None:
    """If every document has a fault, nothing is written."""
    release = letters(tmp_path / "a.jsonl", (ABOUT_ANNA, "nobody"))
    output = write(tmp_path / "out.txt", "earlier")
    run = by_words("anonymize", release, "--background", background, "-o", output)
    assert run.returncode == 1
    assert Path(output).read_text() == "earlier"
