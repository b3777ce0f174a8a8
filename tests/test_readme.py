"""Every command and every Python example of the pages under docs/ runs, in its order; `tests/docs` runs the first hour."""

from __future__ import annotations

import json
import os
import re
import shutil
import sqlite3
import subprocess
from collections.abc import Iterator
from itertools import groupby
from pathlib import Path

import numpy as np
import openpyxl
import pyarrow.parquet
import pytest

from tacenda.documents import FieldPolicy
from tacenda.policy import Policy
from tests.docs.test_first_hour import PAGES as FIRST_HOUR
from tests.forks import programs
from tests.triples import wikidata_folder

ROOT = Path(__file__).parents[1]
README = ROOT / "README.md"
PAGES = [page for page in sorted((ROOT / "docs").rglob("*.md")) if page not in FIRST_HOUR]
# They set up, listen until they are stopped, train, reproduce (tests/lab does), or need what is not on every machine.
_ELSEWHERE = (
    "tacenda review ",
    "tacenda serve app ",
    "tacenda serve presidio ",
    "tacenda serve proxy ",
    "tacenda annotate ",
    "--dump ",
    "baseline ner",
    "baseline rules",
    "ner.json",
    "lausun",
    "train recognizer",
    "train attacker",
    "train encoder",
    "train language-risk",
    "train emulation --answers",
    "train zero-shot",
    "reproduce replacement --toy",
    "--data DATA",
    "--model mine",
    "--llm ",
    "--ask-wikidata",
    "--web ",
    "--device ",
    "others.jsonl",  # hundreds of people
    "more.jsonl",
)
_EXAMPLE = re.compile(
    r"^```python\n(?P<python>.*?)^```"
    r"|^    (?:\$ )?(?P<shell>(?:tacenda|cat|echo|\(umask) (?:[^\n]*\|\n)*[^\n]*)$",
    re.M | re.S,
)


def _examples(section: str) -> list[str]:
    """The command lines of a section; Python that follows Python is given to one interpreter."""
    examples = [
        (match["shell"] or "", match["python"] or "")
        for match in _EXAMPLE.finditer(section)
        if not any(word in (match["shell"] or "") for word in _ELSEWHERE)
    ]
    lines = []
    for is_python, group in groupby(examples, key=lambda example: not example[0]):
        if is_python:
            lines.append(f"python - <<'PYTHON'\n{''.join(code for _, code in group)}PYTHON\n")
        else:
            lines += [line for line, _ in group]
    return lines


def _sections() -> Iterator[object]:
    for page in PAGES:
        text = page.read_text("utf-8")
        for section in re.split(r"^(?=## )", text, flags=re.M):
            title = section.partition("\n")[0].lstrip("# ")
            if examples := _examples(section):
                yield pytest.param(page, examples, id=f"{page.name}: {title}")


@pytest.fixture
def desk(tmp_path: Path, prepared: Path) -> Path:
    """Return a folder with the files that the pages speak of."""
    return shutil.copytree(prepared, tmp_path, dirs_exist_ok=True)


@pytest.fixture(scope="module")
def prepared(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder of which each section has a copy."""
    tmp_path = tmp_path_factory.mktemp("prepared")
    letter = "Dear Ms Berg, Anna Berg was born in Drammen on 12 March 1984. Call 07700 900231.\n"
    for name in ("letter.txt", "note.txt"):
        (tmp_path / name).write_text(letter)
    shutil.copy(ROOT / "examples" / "judgment.txt", tmp_path)
    shutil.copytree(ROOT / "examples", tmp_path / "examples")
    for folder in ("letters", "judgments", "registers", "press"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "one.txt").write_text(letter)
    lines = [json.dumps({"prompt": letter}), json.dumps({"prompt": "Where is Ulm?"})]
    (tmp_path / "prompts.jsonl").write_text("\n".join(lines) + "\n")
    (tmp_path / "biographies.jsonl").write_text(json.dumps({"text": letter}) + "\n")
    (tmp_path / "patients.csv").write_text(f'id,name,ward,note\n1,Anna Berg,B,"{letter.strip()}"\n')
    _records(tmp_path, letter.strip())
    _tables(tmp_path, letter.strip())
    (tmp_path / "keyed.yaml").write_text("key_file: secret\nthreshold: 0.2\n")
    for name in ("secret", "private-key"):
        (tmp_path / name).write_text("8c0d7a5b9e3f41262f8b1c6d0e9a7435\n")
        (tmp_path / name).chmod(0o600)
    (tmp_path / "marked.csv").write_text("unit,missed\none.txt,0\n")
    _gold(tmp_path, letter)
    _files(tmp_path, letter)
    wikidata_folder(tmp_path / "wikidata")
    return tmp_path


def _gold(folder: Path, text: str) -> None:
    def mention(string: str, type: str, identifier: str, entity: str) -> dict[str, object]:
        start = text.index(string)
        return {
            "entity_type": type,
            "entity_mention_id": f"m{start}",
            "start_offset": start,
            "end_offset": start + len(string),
            "span_text": string,
            "identifier_type": identifier,
            "entity_id": entity,
            "confidential_status": "NOT_CONFIDENTIAL",
        }

    mentions = [
        mention("Anna Berg", "PERSON", "DIRECT", "e1"),
        mention("Drammen", "LOC", "QUASI", "e2"),
        mention("12 March 1984", "DATETIME", "QUASI", "e3"),
    ]
    gold = [
        {
            "doc_id": f"d{number}",
            "text": text,
            "dataset_type": "dev",
            "annotations": {
                who: {"entity_mentions": mentions[: 3 - number % 2]}
                for who in ("annotator1", "annotator2")
            },
        }
        for number in (1, 2)
    ]
    (folder / "gold.json").write_text(json.dumps(gold))
    masks = {"d1": [[14, 23]], "d2": [[14, 23], [40, 47]]}
    for name in ("masks", "ours", "theirs", "a", "b"):
        (folder / f"{name}.json").write_text(json.dumps(masks))
    results = {"d1": [{"entity_type": "PERSON", "start": 14, "end": 23, "score": 0.9}]}
    (folder / "results.json").write_text(json.dumps(results))


def _tables(folder: Path, text: str) -> None:
    pyarrow.parquet.write_table(
        pyarrow.table({"id": [7], "note": [text]}), folder / "visits.parquet"
    )
    connection = sqlite3.connect(folder / "visits.db")
    connection.execute("CREATE TABLE people (id INTEGER PRIMARY KEY, name TEXT)")
    connection.execute("CREATE TABLE visits (person INTEGER REFERENCES people(id), note TEXT)")
    connection.execute("INSERT INTO people VALUES (7, 'Anna Berg')")
    connection.execute("INSERT INTO visits VALUES (7, ?)", (text,))
    connection.commit()
    connection.close()
    book = openpyxl.Workbook()
    book.active.title = "Visits"
    book.active.append(["person", "note"])
    book.active.append([7, text])
    book.save(folder / "visits.xlsx")


def _records(folder: Path, text: str) -> None:
    row = f'7,Anna,Berg,1984-03-12,2023-02-01,38,B,"{text}"\n'
    (folder / "visits.csv").write_text(
        f"patient_id,first_name,last_name,born,visit,age,ward,note\n{row}"
    )
    chat = {"model": "m", "messages": [{"role": "user", "content": text}]}
    (folder / "chats.jsonl").write_text(json.dumps(chat) + "\n")
    patient = {
        "resourceType": "Patient",
        "id": "p1",
        "name": [{"family": "Berg", "given": ["Anna"]}],
    }
    bundle = {"resourceType": "Bundle", "type": "collection", "entry": [{"resource": patient}]}
    (folder / "bundle.json").write_text(json.dumps(bundle))
    (folder / "inbox.mbox").write_text(
        "From anna@example.org Mon Mar  4 09:00:00 2024\nFrom: Anna Berg <anna@example.org>\n"
        "To: ward@example.org\nSubject: visits\nMIME-Version: 1.0\n"
        "Content-Type: multipart/mixed; boundary=b\n\n--b\nContent-Type: text/plain\n\n"
        "Anna Berg came.\n--b\nContent-Type: text/csv\n"
        "Content-Disposition: attachment; filename=visits.csv\n\nperson,note\n17,Anna Berg slept.\n--b--\n\n"
    )
    (folder / "visits.xml").write_text(
        f"<visits><visit id='7'><note>{text}</note></visit></visits>"
    )
    (folder / "xml.yaml").write_text(
        "fields: {visits.visit.@id: identifier, visits.visit.note: text}\n"
    )


def _files(folder: Path, text: str) -> None:
    towns = "Ulm Bonn Kiel Trier Celle Emden Hamm Jena Gera Suhl Plau Rees".split()
    pairs = [
        {"id": town, "name": f"A. {town}er", "home": town, "text": f"A clerk left {town} for Rome."}
        for town in towns
    ]
    (folder / "pairs.jsonl").write_text("".join(json.dumps(pair) + "\n" for pair in pairs))
    docx = pytest.importorskip("docx", reason="needs python-docx to make a Word file")
    canvas = pytest.importorskip("reportlab.pdfgen.canvas", reason="needs reportlab")
    document = docx.Document()
    document.add_paragraph(text)
    document.save(folder / "letter.docx")
    page = canvas.Canvas(str(folder / "judgment.pdf"))
    page.drawString(40, 800, text.strip())
    page.save()
    pytest.importorskip("pydicom", reason="needs pydicom to make a medical image")
    from tests.documents.building_dicom import image, packed

    (folder / "study").mkdir()
    (folder / "study" / "one.dcm").write_bytes(packed(image(np.zeros((8, 8), np.uint8))))


def test_the_pages_have_examples() -> None:
    """The tests below are not of an empty list."""
    assert sum(len(_examples(page.read_text("utf-8"))) for page in PAGES) > 40


@pytest.mark.parametrize(("page", "examples"), list(_sections()))
def test_the_examples_of_a_section_run(page: Path, examples: list[str], desk: Path) -> None:
    """One after the other in one folder: none is at fault."""
    environment = os.environ | {"PATH": f"{programs()}{os.pathsep}{os.environ['PATH']}"}
    for example in examples:
        run = subprocess.run(
            example,
            shell=True,
            cwd=desk,
            env=environment,
            capture_output=True,
            text=True,
            timeout=300,
        )
        assert "Traceback" not in run.stderr, f"{example}\n{run.stderr[-600:]}"
        allowed = (0, 1) if "attack" in example else (0,)  # 1 says that somebody was found.
        assert run.returncode in allowed, f"{example}\n{run.stderr[-600:]}"


def test_the_field_policies_on_their_page_are_some(tmp_path: Path) -> None:
    """They are read without a fault."""
    page = (ROOT / "docs" / "records.md").read_text("utf-8")
    for block in re.findall(r"^```yaml\n(.*?)^```", page, re.M | re.S):
        (tmp_path / "fields.yaml").write_text(block, encoding="utf-8")
        assert FieldPolicy.load(tmp_path / "fields.yaml").fields


def test_the_policy_on_its_page_is_one(tmp_path: Path) -> None:
    """It is read without a fault, and says what its comments say."""
    page = (ROOT / "docs" / "policy.md").read_text("utf-8")
    (block,) = re.findall(r"^```yaml\n(.*?)^```", page, re.M | re.S)
    (tmp_path / "own.yaml").write_text(block, encoding="utf-8")
    policy = Policy.load(tmp_path / "own.yaml")
    assert (policy.threshold, policy.operator, policy.dates) == (0.18, "tag", "jitter")


def test_the_readme_is_short() -> None:
    """A visitor reads it in four minutes; the rest is on the pages."""
    assert len(README.read_text("utf-8").split()) <= 1_000


def test_two_commands_lead_to_a_result() -> None:
    """One installs, the other sanitizes."""
    section = README.read_text("utf-8").partition("## Install and try")[2].partition("\n## ")[0]
    commands = re.findall(r"^    (\S.*)$", section, re.M)
    assert [command.split()[0] for command in commands] == ["python3", "tacenda"]
    assert "pip install" in commands[0]
    assert commands[1].startswith("tacenda sanitize examples/")
