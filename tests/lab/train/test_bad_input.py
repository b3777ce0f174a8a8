"""What no command of `tacenda lab train` can learn from is refused in one line, before anything is trained."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.frozen.shell import Run, tacenda

from . import tiny
from .building import checkpoint

pytest.importorskip("torch", reason="needs the extra 'train'")
pytest.importorskip("transformers", reason="needs the extra 'train'")


@dataclass(frozen=True, slots=True)
class Command:
    """A command and its options; BAD is the file at fault, DATA a folder with it."""

    line: str
    has_out: bool = True

    def arguments(self, names: dict[str, Path]) -> list[str]:
        """The words of the call."""
        words = f"lab train {self.line} {'--out OUT' if self.has_out else ''}".split()
        return [str(names.get(word, word)) for word in words]


COMMANDS = (
    Command("adapt BAD"),
    Command("attacker PAIRS --encoder BERT"),
    Command("attacker PAIRS --text ENCODER"),
    Command("attacker GOOD_PAIRS --text ENCODER --dev PAIRS"),
    Command("attacker --data DATA --encoder BERT"),
    Command("bound ENCODER --data DATA", has_out=False),
    Command("bound MODEL --data DATA", has_out=False),
    Command("emulation --data DATA"),
    Command("language-model --data DATA --encoder BERT"),
    Command("language-risk BAD"),
    Command("languages --data DATA"),
    Command("ranker BAD"),
    Command("recognizer BAD --encoder ENCODER"),
    Command("recognizer GOOD --encoder ENCODER --dev BAD"),
    Command("recognizer GOOD --encoder ENCODER --calibrate BAD"),
    Command("recognizer --data DATA --encoder BERT"),
    Command("risk --data DATA --folds DATA"),
    Command("span BAD --encoder ENCODER"),
    Command("span GOOD --encoder ENCODER --dev BAD"),
    Command("topics DATA"),
    Command("zero-shot --data DATA --encoder BERT"),
)
UNMARKED = [{"doc_id": "d", "text": "Ann sued.", "annotations": {"a": {"entity_mentions": []}}}]
CONTENTS = {
    "[]": [],
    "{}": {},
    "[1]": [1],
    '{"a": 1}': {"a": 1},
    "no mention": UNMARKED,
}
FAULTS = ("nothing there", "no folder to write", *CONTENTS)
CROWDED = ("recognizer GOOD --encoder ENCODER --seeds 2", "span GOOD --encoder ENCODER")
UNUSED = {
    "--seeds": "recognizer --data PLAIN --encoder BERT --seeds 3",
    "--mask-weight": "recognizer --data PLAIN --encoder BERT --mask-weight 1",
    "--epochs": "attacker GOOD_PAIRS --epochs 2",
    "--batch-size": "attacker --data PLAIN --batch-size 8",
}


@dataclass(frozen=True, slots=True)
class Calls:
    """What became of the calls, by line and fault, and the folder that has files of somebody."""

    runs: dict[tuple[str, str], Run]
    crowded: Path


@pytest.fixture(scope="module")
def calls(tmp_path_factory: pytest.TempPathFactory) -> Calls:
    """Each command with each fault, and each option out of place, in one process: it loads torch once."""
    from tacenda.models.store import find

    root = tmp_path_factory.mktemp("bad")
    good = tiny.documents(0, 4)
    for document in good:
        document["annotations"]["a0"]["entity_mentions"][1]["identifier_type"] = "NO_MASK"  # type: ignore[index]
    names = {
        "ENCODER": tiny.encoder(root / "bert"),
        "BERT": checkpoint(root / "checkpoint"),
        "MODEL": find().folder,
        "GOOD": root / "good.json",
        "GOOD_PAIRS": root / "good.jsonl",
        "OUT": root / "out",
        "PLAIN": root,
    }
    names["GOOD"].write_text(json.dumps(good), "utf-8")
    names["GOOD_PAIRS"].write_text(
        "".join(
            json.dumps(
                {"id": f"p{n}", "name": f"Ann {n}", "town": "Oslo", "text": f"Ann {n} sued."}
            )
            + "\n"
            for n in range(40)
        ),
        "utf-8",
    )
    calls = {}
    crowded = root / "crowded"
    (crowded / "seed-2").mkdir(parents=True)
    (crowded / "seed-2/README.md").write_text("mine")
    for line in CROWDED:
        calls[line, "crowded"] = Command(line).arguments(names | {"OUT": crowded})
    for option, line in UNUSED.items():
        calls[line, option] = Command(line).arguments(names)
    for number, fault in enumerate(FAULTS):
        folder = root / f"fault-{number}"
        given = names | {"BAD": folder / "b.json", "PAIRS": folder / "p.jsonl", "DATA": folder}
        if fault != "nothing there":
            (folder / "tab").mkdir(parents=True)
            content = json.dumps(CONTENTS.get(fault, []))
            for file in ("b.json", "p.jsonl", "tab/train.json", "tab/dev.json"):
                (folder / file).write_text(content, "utf-8")
        if fault == "no folder to write":
            given["OUT"] = folder / "b.json"
        for command in COMMANDS:
            calls[command.line, fault] = command.arguments(given)
    results = tacenda(root, *calls.values(), environment={"TACENDA_DEVICE": "cpu"})
    assert not [path for path in names["OUT"].rglob("*") if path.is_file()]
    return Calls(dict(zip(calls, results, strict=True)), crowded)


@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: command.line)
def test_it_is_refused_in_one_line(calls: Calls, command: Command) -> None:
    """The code says so, nothing is unforeseen, and there is no line of a training before it."""
    for fault in FAULTS:
        run = calls.runs[command.line, fault]
        assert run.code in (1, 2), (fault, run)
        assert "Traceback" not in run.err, fault
        assert "unforeseen" not in run.err, fault
        assert not run.out, fault
        if fault == "nothing there":  # the path is named, over several lines of a box
            assert "fault-0" in "".join(run.err.replace("│", "").split()), run.err
        if "╭─ Error" not in run.err:
            assert run.err.startswith("tacenda: "), fault
            assert len(run.err.splitlines()) == 1, (fault, run.err)
        if fault == "no folder to write" and command.has_out:
            assert "'--out'" in run.err


def test_a_folder_with_other_files_is_left_alone(calls: Calls) -> None:
    """Its files would be overwritten, and be part of what the digests say; a folder in it would end the run at its end."""
    for line in CROWDED:
        run = calls.runs[line, "crowded"]
        assert run.code == 1
        assert "contains other files; choose an empty or new folder" in run.err
        assert len(run.err.splitlines()) == 1, run.err
    files = [path.name for path in calls.crowded.rglob("*") if path.is_file()]
    assert files == ["README.md"]


@pytest.mark.parametrize("option", UNUSED)
def test_an_option_that_the_recipe_would_not_use_is_refused(calls: Calls, option: str) -> None:
    """A run of hours with other settings than those asked for is none that was asked for."""
    run = calls.runs[UNUSED[option], option]
    assert run.code == 2
    assert f"Invalid value for {option}" in run.err
