"""Every command of the README runs, in the order in which it stands there."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text("utf-8")
# They set up, listen until they are stopped, or need what is not on every machine.
_ELSEWHERE = (
    "make ",
    "pip ",
    "review ",
    "serve ",
    "annotate ",
    "--dump ",
    "baseline ner",
    "ner.json",
)
_COMMAND = re.compile(r"^    (?:\$ )?((?:tacenda|cat|echo|\(umask) .*)$")


def _blocks() -> list[list[str]]:
    """Return the commands of each section; a line that ends in a pipe goes on."""
    blocks: list[list[str]] = [[]]
    for line in README.splitlines():
        if line.startswith("## "):
            blocks.append([])
        elif blocks[-1] and blocks[-1][-1].endswith("|") and line.startswith("    "):
            blocks[-1][-1] += line
        elif (match := _COMMAND.match(line)) and not any(word in line for word in _ELSEWHERE):
            blocks[-1].append(match[1])
    return [block for block in blocks if block]


@pytest.fixture
def desk(tmp_path: Path) -> Path:
    """Return a folder with the files that the README speaks of."""
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
    (tmp_path / "keyed.yaml").write_text("key_file: secret\nthreshold: 0.2\n")
    for name in ("secret", "private-key"):
        (tmp_path / name).write_text("8c0d7a5b9e3f41262f8b1c6d0e9a7435\n")
        (tmp_path / name).chmod(0o600)
    _gold(tmp_path, letter)
    _files(tmp_path, letter)
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


def _files(folder: Path, text: str) -> None:
    docx = pytest.importorskip("docx", reason="needs python-docx to make a Word file")
    canvas = pytest.importorskip("reportlab.pdfgen.canvas", reason="needs reportlab")
    document = docx.Document()
    document.add_paragraph(text)
    document.save(folder / "letter.docx")
    page = canvas.Canvas(str(folder / "judgment.pdf"))
    page.drawString(40, 800, text.strip())
    page.save()


def test_the_readme_has_commands() -> None:
    """The tests below are not of an empty list."""
    assert sum(map(len, _blocks())) > 30


@pytest.mark.parametrize("block", _blocks(), ids=lambda block: block[0][:40])
def test_the_commands_of_a_section_run(block: list[str], desk: Path) -> None:
    """One after the other in one folder: none is misused, none ends in a traceback."""
    binaries = str(Path(sys.executable).parent)
    environment = os.environ | {"PATH": f"{binaries}{os.pathsep}{os.environ['PATH']}"}
    for command in block:
        run = subprocess.run(
            command,
            shell=True,
            cwd=desk,
            env=environment,
            capture_output=True,
            text=True,
            timeout=120,
        )
        assert "Traceback" not in run.stderr, command
        allowed = (0, 1) if "attack" in command else (0,)  # 1 says that somebody was found.
        assert run.returncode in allowed, f"{command}\n{run.stderr[-600:]}"
