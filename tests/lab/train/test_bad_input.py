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


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> dict[tuple[str, str], Run]:
    """Each command with each fault, in one process."""
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
    return dict(zip(calls, results, strict=True))


@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: command.line)
def test_it_is_refused_in_one_line(runs: dict[tuple[str, str], Run], command: Command) -> None:
    """The code says so, nothing is unforeseen, and there is no line of a training before it."""
    for fault in FAULTS:
        run = runs[command.line, fault]
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


def test_a_folder_with_other_files_is_left_alone(tmp_path: Path) -> None:
    """Its files would be overwritten, and be part of what the digests say; a folder in it would end the run at its end."""
    names = {"GOLD": tmp_path / "g.json", "ENCODER": tiny.encoder(tmp_path / "bert")}
    names["GOLD"].write_text(json.dumps(tiny.documents(0, 3, 2)), "utf-8")
    out = tmp_path / "out"
    (out / "seed-2").mkdir(parents=True)
    (out / "seed-2/README.md").write_text("mine")
    commands = ("recognizer GOLD --encoder ENCODER --seeds 2", "span GOLD --encoder ENCODER")
    lines = [Command(command).arguments(names | {"OUT": out}) for command in commands]
    for run in tacenda(tmp_path, *lines, environment={"TACENDA_DEVICE": "cpu"}):
        assert run.code == 1
        assert "contains other files; choose an empty or new folder" in run.err
        assert len(run.err.splitlines()) == 1, run.err
    assert [path.name for path in out.rglob("*") if path.is_file()] == ["README.md"]


def test_an_option_that_the_recipe_would_not_use_is_refused(tmp_path: Path) -> None:
    """A run of hours with other settings than those asked for is none that was asked for."""
    names = {"DATA": tmp_path, "BERT": tmp_path, "PAIRS": tmp_path / "p.jsonl"}
    names["PAIRS"].write_text('{"id": "a", "name": "Ann", "text": "Ann sued."}\n', "utf-8")
    commands = {
        "--seeds": "recognizer --data DATA --encoder BERT --seeds 3",
        "--mask-weight": "recognizer --data DATA --encoder BERT --mask-weight 1",
        "--epochs": "attacker PAIRS --epochs 2",
        "--batch-size": "attacker --data DATA --batch-size 8",
    }
    names["OUT"] = tmp_path / "out"
    lines = [Command(command).arguments(names) for command in commands.values()]
    for option, run in zip(commands, tacenda(tmp_path, *lines), strict=True):
        assert run.code == 2
        assert f"Invalid value for {option}" in run.err
    assert not (tmp_path / "out").exists()
