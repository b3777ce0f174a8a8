"""Calls of the command line on small files: the help of every command, exit codes, JSON, a page."""

from __future__ import annotations

import hashlib
import json
import re
import shutil
import tarfile
from collections.abc import Sequence
from importlib.metadata import version
from pathlib import Path
from typing import Any

from tests.frozen.digests import DOCUMENTS
from tests.frozen.shell import Run, tacenda

_HERE = Path(__file__).parent
_ROOT = _HERE.parents[1]
_ORACLE = _HERE.parent / "data" / "tab_oracle" / "tab_oracle.tar.xz"
SNAPSHOTS = _HERE / "snapshots"
HELP, CODES, OUTPUTS = (SNAPSHOTS / name for name in ("help.txt", "exit_codes.txt", "outputs.json"))

COMMANDS = """
.
sanitize
restore
review
serve
evaluate
evaluate-replacements
assess
attack
anonymize
report
annotate
agreement
stats
convert
baseline
index
index people
index build
index info
index search
policies
policies list
policies show
models
models list
models info
models verify
train
train adapt
train attacker
train distilled
train emulation
train language-model
train language-risk
train languages
train ranker
train recognizer
train risk
train zero-shot
ontology
ontology lookup
ontology build
ontology build gazetteer
ontology build generalisations
""".strip().splitlines()
"""Every command and group; ``.`` is ``tacenda`` itself."""

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
evaluate gold.json masks.json
evaluate gold.json
evaluate gold.json missing.json
evaluate letter.txt masks.json
evaluate gold.json masks.json --weights unheard
stats gold.json
stats letter.txt
agreement gold.json
convert gold.json --to brat -o brat/
convert gold.json --to brat --annotator annotator2 --drop all,mention_properties -o brat/
convert gold.json --to unheard
baseline capitals gold.json -o capitals.json
evaluate gold.json masks.json capitals.json --bootstrap 10
baseline unheard gold.json
report gold.json masks.json -o report.html
report gold.json masks.json masks.json
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
ontology lookup Leeds
serve --host 0.0.0.0
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
    "evaluate": "evaluate gold.json masks.json --json",
    "stats": "stats gold.json --json",
    "agreement": "agreement gold.json --json",
    "attack": "attack notes.jsonl --background people.db --attacker bm25 --to json",
    "anonymize": "anonymize notes.jsonl --background people.db --attacker bm25 --k 2 --to json",
    "masks": "sanitize gold.json --policy fast.yaml --to masks",
}
"""Each prints JSON, or an object a line."""


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


def take_help(folder: Path) -> str:
    """The help of every command, one after the other, and by which release of Typer."""
    runs = tacenda(folder, *([*command.strip(".").split(), "--help"] for command in COMMANDS))
    pages = [f"rendered by typer {version('typer')}, rich {version('rich')}\n"]
    for command, run in zip(COMMANDS, runs, strict=True):
        lines = "\n".join(line.rstrip() for line in run.out.strip("\n").splitlines())
        pages.append(f"$ tacenda {command} --help   # {run.code}\n{lines}\n".replace(" . ", " ", 1))
    return "\n".join(pages)


def take_codes(folder: Path) -> str:
    """Exit codes of calls, where they wrote, and the errors that are tacenda's own words."""
    prepare(folder)
    entries = []
    for call, run in zip(CALLS, tacenda(folder, *map(str.split, CALLS)), strict=True):
        streams = " ".join(name for name, text in (("out", run.out), ("err", run.err)) if text)
        said = [line for line in run.err.splitlines() if line.startswith("tacenda: ")]
        entries += [
            f"{run.code} {streams:7} $ tacenda {call}",
            *(f"          {line}" for line in said),
        ]
    return "\n".join(entries) + "\n"


def take_outputs(folder: Path) -> dict[str, Any]:
    """What calls print or write as JSON, by name."""
    prepare(folder)
    first = ["index people staff.csv -o people.db", SANITIZED_JSON]
    runs = tacenda(folder, *map(str.split, [*first, *JSON_CALLS.values()]))
    for run in runs:
        if run.code and "STILL FOUND" not in run.err:
            raise RuntimeError(f"exit code {run.code}: {run.err}")
    outputs = {name: parsed(run) for name, run in zip(JSON_CALLS, runs[len(first) :], strict=True)}
    for name in ("audit", "run"):
        outputs[name] = json.loads((folder / f"{name}.json").read_text("utf-8"))
    lines = (folder / "ours.jsonl").read_text("utf-8").splitlines()
    outputs["results"] = [json.loads(line) for line in lines]
    return outputs


def take_pages(folder: Path) -> dict[str, str]:
    """Digests of pages on results that came out of ``sanitize --to json``, but for the version.

    ``fast`` asks no recognizer and holds on any machine.
    """
    prepare(folder)
    digests = {}
    for name in ("fast.yaml", "default"):
        sanitizing = f"sanitize gold.json --policy {name} --to json -o ours.jsonl"
        reporting = "report gold.json ours.jsonl masks.json -o report.html"
        for run in tacenda(folder, sanitizing.split(), reporting.split()):
            if run.code:
                raise RuntimeError(f"exit code {run.code}: {run.err}")
        page = (folder / "report.html").read_text("utf-8")
        page = re.sub(rf"{re.escape(version('tacenda'))}|\d{{4}}-\d\d-\d\dT[\d:]+", "", page)
        digests[Path(name).stem] = hashlib.sha256(page.encode()).hexdigest()[:16]
    return digests


def parsed(run: Run) -> Any:
    """What a call printed: JSON, or a list of what is on each line."""
    try:
        return json.loads(run.out)
    except json.JSONDecodeError:
        return [json.loads(line) for line in run.out.splitlines()]


_PASSING = ("version", "created", "sha256", "started", "finished", "at")


def lasting(value: Any) -> Any:
    """JSON without dates, versions and digests of inputs; fractions to three decimals."""
    match value:
        case dict():
            return {key: lasting(item) for key, item in value.items() if key not in _PASSING}
        case list():
            return [lasting(item) for item in value]
        case float():
            return round(value, 3)
        case str():
            return re.sub(r"\|v:[^|]*", "", value)
        case _:
            return value


def words(page: str) -> Sequence[str]:
    """Words of rendered help, without boxes, line breaks and the names of values."""
    kept = re.sub(r"[╭╮╰╯│─]|<[^>]*>|\[[^\]]*\]|\brendered by.*", " ", page)
    return sorted(re.sub(r"\b[A-Z]{3,}\b", " ", kept).split())
