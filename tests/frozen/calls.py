"""Calls of the command line on small files: options of every command, exit codes, figures."""

from __future__ import annotations

import json
import re
import shutil
import tarfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import typer

from tacenda.cli import app
from tests.frozen.digests import DOCUMENTS
from tests.frozen.shell import Run, tacenda

_HERE = Path(__file__).parent
_ROOT = _HERE.parents[1]
_ORACLE = _HERE.parent / "data" / "tab_oracle" / "tab_oracle.tar.xz"
SNAPSHOTS = _HERE / "snapshots"
OPTIONS, CODES, FIGURES = (
    SNAPSHOTS / name for name in ("options.txt", "exit_codes.txt", "figures.json")
)

CALLS = """
--version
unheard
--unheard
sanitize letter.txt --policy fast.yaml
sanitize letter.txt --policy fast.yaml --operator tag --to html -o out.html
sanitize letter.txt --policy fast.yaml -o clean/
sanitize clean/ --policy fast.yaml -o again/ --resume
sanitize letter.txt missing.txt --policy fast.yaml
sanitize broken.txt --policy fast.yaml
sanitize letter.txt --policy fast.yaml -o letter.txt
sanitize letter.txt --policy harsh
sanitize letter.txt --policy faulty.yaml
sanitize letter.txt --to docx
sanitize letter.txt --from wordstar
sanitize letter.txt --encoding klingon
sanitize letter.txt --threshold 2
sanitize letter.txt --threshold 0.2 --risk 0.1
sanitize letter.txt --operator shred
sanitize letter.txt --operator hash
sanitize letter.txt --operator hash --key-file weak
sanitize letter.txt --model unheard
sanitize letter.txt --target 42
sanitize letter.txt --background missing.db
sanitize letter.txt --policy fast.yaml --operator encrypt --key-file key -o sealed.txt
restore sealed.txt --key-file key
restore sealed.txt --key-file weak
restore letter.txt --key-file key
assess letter.txt --policy fast.yaml
assess letter.txt --json --html
assess letter.txt --web brave
evaluate masks gold.json masks.json
evaluate masks gold.json
evaluate masks gold.json missing.json
evaluate masks letter.txt masks.json
evaluate masks gold.json masks.json --weights unheard
evaluate stats gold.json
evaluate stats letter.txt
evaluate agreement gold.json
convert gold.json --to brat -o brat/
convert gold.json --to brat --annotator annotator2 --drop all,mention_properties -o brat/
convert gold.json --to unheard
lab baseline capitals gold.json -o capitals.json
evaluate masks gold.json masks.json capitals.json --bootstrap 10
lab baseline unheard gold.json
sanitize gold.json --policy fast.yaml --to json -o fast.jsonl
evaluate report gold.json fast.jsonl masks.json -o report.html
evaluate report gold.json masks.json masks.json
index people staff.csv -o people.db
index build letter.txt -o pages.db
index info pages.db
index info missing.db
index search pages.db Leeds
attack notes.jsonl --background people.db --attacker bm25
attack notes.jsonl --background people.db --attacker bm25 --max-rate 0.01
attack notes.jsonl --background missing.db
anonymize notes.jsonl --background people.db --attacker bm25 --k 2
sanitize notes.jsonl --policy fast.yaml --attack people.db --attacker bm25 --only-check
policies list
policies show court
policies show unheard
models list
models verify
models info unheard
models lookup Leeds
serve app --host 0.0.0.0
review missing.txt
""".strip().splitlines()
"""In order: some read what others wrote."""

SANITIZED_JSON = "sanitize gold.json --to json -o ours.jsonl --audit audit.json --summary run.json"
JSON_CALLS = {
    "result": "sanitize letter.txt --to json",
    "result revealed": "sanitize letter.txt --to json --reveal --operator generalize",
    "result attacked": "sanitize notes.jsonl --attack people.db --attacker bm25 --to json",
    "assess": "assess letter.txt --json",
    "assess revealed": "assess letter.txt --json --reveal",
    "evaluate": "evaluate masks gold.json masks.json --json",
    "stats": "evaluate stats gold.json --json",
    "agreement": "evaluate agreement gold.json --json",
    "attack": "attack notes.jsonl --background people.db --attacker bm25 --to json",
    "anonymize": "anonymize notes.jsonl --background people.db --attacker bm25 --k 2 --to json",
    "masks": "sanitize gold.json --policy fast.yaml --to masks",
}
"""Each prints JSON, or an object a line."""
MEASURES = ("evaluate", "stats", "agreement", "attack")
"""Those that print figures, which no recognizer has a part in; the others have a schema."""


def prepare(folder: Path) -> None:
    """Write the files that calls read."""
    lines = DOCUMENTS.read_text("utf-8").splitlines()
    texts = {item["id"]: item["text"] for item in map(json.loads, lines)}
    (folder / "letter.txt").write_text(texts["claim"], "utf-8")
    (folder / "broken.txt").write_bytes(b"Anna \xff\xfe Berg")
    (folder / "fast.yaml").write_text(
        "recognizer: false\nthreshold: 0.2\ndeny: [{exact: Leeds, type: LOC}]\n", "utf-8"
    )
    (folder / "faulty.yaml").write_text("threshold: 0.2\noperators: {PLACE: tag}\n", "utf-8")
    for name, key in (("key", "0f1c7d2be86a4953b7e05a9c43d18f62"), ("weak", "secret")):
        (folder / name).touch(mode=0o600)
        (folder / name).write_text(key, "utf-8")
    for name in ("staff.csv", "notes.jsonl"):
        shutil.copyfile(_ROOT / "examples" / name, folder / name)
    with tarfile.open(_ORACLE) as archive:
        gold, masks = (
            json.load(_member(archive, name)) for name in ("dev.json", "oracle/regex.json")
        )
    annotated = [document for document in gold if len(document["annotations"]) > 1]
    gold = sorted(annotated, key=lambda document: len(document["text"]))[:2]
    (folder / "gold.json").write_text(json.dumps(gold), "utf-8")
    ids = [document["doc_id"] for document in gold]
    (folder / "masks.json").write_text(json.dumps({id: masks[id] for id in ids}), "utf-8")


def _member(archive: tarfile.TarFile, name: str) -> Any:
    file = archive.extractfile(name)
    if file is None:
        raise FileNotFoundError(name)
    return file


def take_options() -> str:
    """Each command, and each of its options with its type and its default, a line each."""
    return "\n".join(_options(typer.main.get_command(app), "tacenda")) + "\n"


def _options(command: Any, title: str, parent: Any = None) -> Iterator[str]:
    name = title.rpartition(" ")[2]
    context = command.make_context(name, [], parent=parent, resilient_parsing=True)
    yield title
    for item in command.get_params(context):
        names = "/".join(sorted({*item.opts, *item.secondary_opts}))
        default = item.default if isinstance(item.default, bool | int | float | str) else None
        yield f"  {names} {_type(item)}{'' if default in (None, False) else f' = {default}'}"
    if hasattr(command, "list_commands"):
        for name in sorted(command.list_commands(context)):
            if not (child := command.get_command(context, name)).hidden:
                yield from _options(child, f"{title} {name}", context)


def _type(item: Any) -> str:
    if getattr(item, "is_flag", False):
        return "flag"
    annotation = item.type_descriptor.annotation
    name = annotation.__name__ if type(annotation) is type else str(annotation)
    return f"{name.replace('typing.', '')}{' required' if item.required else ''}"


def take_calls(folder: Path) -> tuple[str, dict[str, Any]]:
    """Exit codes of calls with the streams on which they wrote, and what some print as JSON, by name."""
    prepare(folder)
    arguments = [*CALLS, SANITIZED_JSON, *JSON_CALLS.values()]
    runs = tacenda(folder, *map(str.split, arguments))
    lines = []
    for call, run in zip(arguments, runs, strict=True):
        streams = " ".join(name for name, text in (("out", run.out), ("err", run.err)) if text)
        lines.append(f"{run.code} {streams:7} $ tacenda {call}")
    outputs = {
        name: parsed(run) for name, run in zip(JSON_CALLS, runs[-len(JSON_CALLS) :], strict=True)
    }
    for name in ("audit", "run"):
        outputs[name] = json.loads((folder / f"{name}.json").read_text("utf-8"))
    results = (folder / "ours.jsonl").read_text("utf-8").splitlines()
    outputs["results"] = [json.loads(line) for line in results]
    return "\n".join(lines) + "\n", outputs


def parsed(run: Run) -> Any:
    """What a call printed: JSON, or a list of what is on each line."""
    try:
        return json.loads(run.out)
    except json.JSONDecodeError:
        return [json.loads(line) for line in run.out.splitlines()]


def figures(outputs: dict[str, Any]) -> dict[str, Any]:
    """The measures among the outputs, without versions; fractions to three decimals."""
    return {name: _rounded(outputs[name]) for name in MEASURES}


def _rounded(value: Any) -> Any:
    match value:
        case dict():
            return {key: _rounded(item) for key, item in value.items() if key != "version"}
        case list():
            return [_rounded(item) for item in value]
        case float():
            return round(value, 3)
        case str():
            return re.sub(r"\|v:[^|]*", "", value)
        case _:
            return value
