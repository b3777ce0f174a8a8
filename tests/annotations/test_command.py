"""The command `tacenda convert`: streams, exit codes, and what it says about losses."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest

from tests.forks import tacenda

TEXT = "😀 Anna Berg spoke."
TAB = [
    {
        "doc_id": "d1",
        "text": TEXT,
        "annotations": {
            "ann1": {
                "entity_mentions": [
                    {
                        "entity_type": "PERSON",
                        "start_offset": 2,
                        "end_offset": 11,
                        "span_text": "Anna Berg",
                        "identifier_type": "DIRECT",
                        "entity_id": "e1",
                    }
                ]
            }
        },
    }
]


def convert(*arguments: str, input: bytes = b"") -> subprocess.CompletedProcess[bytes]:
    """Run the command."""
    return tacenda("convert", *arguments, input=input)


@pytest.fixture
def gold(tmp_path: Path) -> str:
    """Return the path of a gold file."""
    path = tmp_path / "gold.json"
    path.write_text(json.dumps(TAB), "utf-8")
    return str(path)


def test_stdin_to_stdout_losses_on_stderr() -> None:
    """The result is all that stdout holds; what was left out is said on stderr."""
    run = convert(
        *("-", "--to", "masks", "--drop", "all", "--annotator", "ann1"),
        *("--to-offsets", "utf-16"),
        input=json.dumps(TAB).encode(),
    )
    assert (run.returncode, json.loads(run.stdout)) == (0, {"d1": [[3, 12]]})
    assert b"note: dropped, where known: entity, identifier_type, type" in run.stderr


def test_masks_become_tab_with_text_and_fillings(gold: str, tmp_path: Path) -> None:
    """What masks lack is given by options; the way back is then free of loss."""
    masks = tmp_path / "masks.json"
    masks.write_text('{"d1": [[2, 11]]}')
    out = tmp_path / "new" / "out.json"
    fill = ("--fill", "type=PERSON", "--fill", "identifier_type=DIRECT", "--fill", "entity=mention")
    run = convert(
        *(str(masks), "--text", gold, *fill, "--annotator", "ann1"),
        *("--to", "tab", "-o", str(out)),
    )
    assert run.returncode == 0, run.stderr
    assert json.loads(out.read_text("utf-8")) == TAB
    assert [path.name for path in out.parent.iterdir()] == ["out.json"]


def test_a_brat_folder_is_written_and_read(gold: str, tmp_path: Path) -> None:
    """A folder of pairs; ``--text`` also takes such a folder."""
    folder = str(tmp_path / "brat")
    assert convert(gold, "--to", "brat", "--drop", "all", "-o", folder).returncode == 0
    assert (tmp_path / "brat" / "d1.txt").read_text("utf-8") == TEXT
    back = convert(folder, "--to", "tab", "--annotator", "ann1")
    assert json.loads(back.stdout) == TAB
    masks = b'{"d1": [[3, 12]]}'
    from_utf_16 = ("--from-offsets", "utf-16", "--text", folder)
    run = convert("-", "--to", "jsonl", *from_utf_16, input=masks)
    assert json.loads(run.stdout)["spans"] == [{"start": 2, "end": 11}]


def test_a_loss_ends_with_code_1_and_writes_nothing(gold: str, tmp_path: Path) -> None:
    """The message names the document and the options; no half of a file is left."""
    out = tmp_path / "out.conll"
    run = convert(gold, "-o", str(out))
    assert run.returncode == 1
    assert (
        b"tacenda: d1: annotator 'ann1': conll can't hold annotator, identifier_type, entity; "
        in (run.stderr)
    )
    assert b"--drop annotator,identifier_type,entity (or --drop all)" in run.stderr
    assert not out.exists()


def test_fields_of_options_reach_their_policy(gold: str, tmp_path: Path) -> None:
    """--rename, --only, --snap, --overlaps, --fragments and --each-annotator in one run."""
    run = convert(
        *(gold, "--to", "conll", "--drop", "all", "--each-annotator", "--only", "DIRECT"),
        *("--rename", "PERSON=PER", "--snap", "expand", "--overlaps", "merge"),
        *("--fragments", "cover"),
    )
    assert run.returncode == 0, run.stderr
    assert run.stdout.decode().splitlines()[:5] == [
        "-DOCSTART- (d1@ann1)\tO",
        "",
        "😀\tO",
        "Anna\tB-PER",
        "Berg\tI-PER",
    ]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--to", "xml"], "format 'xml' is not one of"),
        (["--to", "jsonl", "--drop", "colour"], "--drop 'colour' is not one of"),
        (["--to", "jsonl", "--drop", "overlaps"], "--drop overlaps is not possible"),
        (["--to", "jsonl", "--fill", "type"], "must be KEY=VALUE"),
        (["--to", "jsonl", "--fill", "entity=x"], "--fill entity=x is not possible"),
        (["--to", "jsonl", "--overlaps", "ignore"], "--overlaps 'ignore' is not one of"),
        (["--to", "jsonl", "--snap", "expand"], "--snap is for formats that annotate tokens"),
        (["--to", "conll", "--snap", "shrink"], "must be expand"),
        (["--to", "brat"], "brat is written to a folder; name one with -o"),
        (["--to", "jsonl", "--annotator", "a", "--each-annotator"], "can't be used together"),
        (["--to", "jsonl", "--text", "GOLD"], "tab contains the text already; omit --text"),
        (["--to", "jsonl", "--to-offsets", "words"], "--to-offsets 'words' is not one of"),
    ],
)
def test_misuse_ends_with_code_2(gold: str, arguments: list[str], message: str) -> None:
    """What can't be meant is said, without a traceback."""
    run = convert(gold, *(gold if argument == "GOLD" else argument for argument in arguments))
    assert run.returncode == 2
    unboxed = " ".join(run.stderr.decode().replace("│", " ").split())
    assert message in unboxed
    assert "Traceback" not in unboxed


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["none.json", "--to", "jsonl"], b"none.json: can't be read"),
        (["-", "--to", "jsonl"], b"-: can't tell its format"),
        (
            ["-", "--from", "tab", "--to", "jsonl"],
            b"stdin: is not JSON: Expecting value at line 1, column 1",
        ),
        (["GOLD", "-o", "out.json"], b"out.json: can't tell the output format"),
        (["FOLDER", "--to", "jsonl"], b"the folder has no .txt file"),
    ],
)
def test_bad_input_ends_with_code_1(
    gold: str, tmp_path: Path, arguments: list[str], message: bytes
) -> None:
    """The file is named, without a traceback."""
    (tmp_path / "empty").mkdir()
    places = {"GOLD": gold, "FOLDER": str(tmp_path / "empty")}
    run = convert(*(places.get(argument, argument) for argument in arguments), input=b"?")
    assert run.returncode == 1
    assert message in run.stderr
    assert b"Traceback" not in run.stderr
