"""Boards of others: what strangers published to measure tools like this one, run as they published it, with their own baselines beside us.

    python -m benchmarks boards DATA                          # all boards
    python -m benchmarks boards DATA --only deidgate tab      # some

| board | what it measures | baselines |
|---|---|---|
| `deidgate` | identifiers of HIPAA's Safe Harbor left in 15 notes | the notes as they are |
| `pii-leak-v1`, `pii-leak-v2` | what `tacenda serve proxy` lets through to a model, and from its answer (v2: three seeds) | reference policies (first seed) |
| `pdfredeval` | values left in a PDF, in any layer, by its families `pii-detection` and `extraction-conditions` | the PDF as it is |
| `reid-score` | people whom its attacker (rules) finds in the transcripts of its RAT-Bench | its anonymizers |
| `presidio-api` | what Presidio's own tests of its REST interface ask of a server, in requests of our own (`presidio_api.py`) | Presidio passes its own |
| `tab` | masks of TAB's dev documents, where the program is right: the figures of other systems must come out as published | these systems |

Each board is the package of its authors, in an environment of its own under `--cache`, installed from the wheel whose digest is printed. A board that can't
be installed, or lacks its data, is skipped with a line that says why. Text goes to a board by a pipe: tacenda runs here, the board there. RAT-Bench
brings no population; its people are drawn from `DATA/population` (states by chance, birthdays from ages of 1994).
"""

from __future__ import annotations

import argparse
import csv
import datetime
import gzip
import hashlib
import json
import os
import random
import subprocess
import sys
import tempfile
import venv
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import tacenda
from benchmarks import presidio_api
from benchmarks.tables import print_header

CAPTURE_PORT = 8765
SEEDS = ("a1b2c3d4e5f60001", "a1b2c3d4e5f60002", "a1b2c3d4e5f60003")
REFERENCES = (
    "passthrough",
    "redact-all",
    "chunk-local",
    "bounded-retention",
    "retention-plus-decoding",
)
STATES = ("California", "Texas", "Ohio", "Oregon", "Maine")
DIALOGUE = """
import json, sys
def sanitize(text):
    print(json.dumps({"text": text}), flush=True)
    return json.loads(sys.stdin.readline())
def figures(system, **values):
    print(json.dumps({"system": system, "figures": values}), flush=True)
"""
DEIDGATE = """
from deidgate.corpus import load_corpus
from deidgate.report import run
samples = load_corpus()
for system, deid in (("the notes as they are", str), ("tacenda", sanitize)):
    result = run(deid, samples)
    figures(system, notes=result.n_samples, leaks=len(result.leaks), warnings=len(result.warnings))
"""
RAT_BENCH = """
from reid_score.rat_bench.anonymizers import CallableAnonymizer, anonymizers_from_names
from reid_score.rat_bench.pipeline import RATBenchPipeline
pipeline = RATBenchPipeline.from_provider("csv", "production", path=sys.argv[1])
ours = CallableAnonymizer("tacenda", sanitize)
known = anonymizers_from_names(["identity", "regex", "capitalised_redactor"])
for out in pipeline.run(anonymizers=[*known, ours]).evaluations:
    figures(out.anonymizer_name, r_succ=out.r_succ, mean_risk=out.mean_risk, bleu=out.avg_bleu)
"""


class Missing(Exception):
    """Why a board can't be run here."""


@dataclass(frozen=True)
class Row:
    """A system on a board."""

    system: str
    figures: dict[str, Any]


@dataclass(frozen=True)
class Environment:
    """The package of a board, in an environment of its own."""

    bin: Path
    digest: str

    @classmethod
    def made(cls, package: str, version: str, extra: str, cache: Path) -> Environment:
        """Install a package, unless it is there.

        Raises:
            Missing: if the registry doesn't have it, or it can't be installed.
        """
        folder = cache / f"{package}-{version}"
        python = folder / "bin" / "python"
        if not python.exists():
            venv.create(folder)
        wheels = list(folder.glob("*.whl"))
        if not wheels:
            _pip(python, "download", "--no-deps", "--dest", str(folder), f"{package}=={version}")
            wheels = list(folder.glob("*.whl"))
        (wheel,) = wheels
        if not (done := folder / "installed").exists():
            _pip(python, "install", f"{wheel}[{extra}]" if extra else str(wheel))
            done.touch()
        return cls(folder / "bin", hashlib.sha256(wheel.read_bytes()).hexdigest())

    def run(self, *command: str, check: bool = True, **variables: str) -> str:
        """Run a command of the package; return what it prints."""
        result = subprocess.run(
            [str(self.bin / command[0]), *command[1:]],
            check=False,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            env=os.environ | variables | {"PYTHONPATH": ""},
        )
        if check and result.returncode:
            raise Missing(
                f"{command[0]} ended with {result.returncode}: {_last_line(result.stdout)}"
            )
        return result.stdout

    def dialogue(self, program: str, sanitize: Callable[[str], str], *arguments: str) -> list[Row]:
        """Run a program that asks for texts to be sanitized, and tells figures."""
        rows: list[Row] = []
        with subprocess.Popen(
            [str(self.bin / "python"), "-c", DIALOGUE + program, *arguments],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env=os.environ | {"PYTHONPATH": ""},
        ) as process:
            assert process.stdin is not None
            assert process.stdout is not None
            for line in process.stdout:
                message = json.loads(line)
                if "text" in message:
                    process.stdin.write(json.dumps(sanitize(message["text"])) + "\n")
                    process.stdin.flush()
                else:
                    rows.append(Row(message["system"], message["figures"]))
        if process.returncode:
            raise Missing(f"its program ended with {process.returncode}")
        return rows


@dataclass(frozen=True)
class BoardRun:
    """A board at work: its environment, data of ours, and a folder for what it writes."""

    board: Environment
    data: Path
    work: Path


@dataclass(frozen=True)
class Board:
    """What strangers published, and how it is run."""

    rows: Callable[[BoardRun], list[Row]]
    package: str = ""
    version: str = ""
    extra: str = ""


def deidgate(run: BoardRun) -> list[Row]:
    rows = run.board.dialogue(DEIDGATE, _sanitize("default"))
    clinical = run.board.dialogue(DEIDGATE, _sanitize("clinical"))
    return [*rows, Row("tacenda, clinical", clinical[-1].figures)]


def reid_score(run: BoardRun) -> list[Row]:
    source = run.data / "population" / "adult_1994.csv.gz"
    if not source.exists():
        raise Missing(f"{source} is not there")
    population = run.work / "population.csv"
    _write_population(source, population)
    rows = run.board.dialogue(RAT_BENCH, _sanitize("default"), str(population))
    anonymizing = run.board.dialogue(RAT_BENCH, _sanitize("strict"), str(population))
    return [*rows, Row("tacenda, strict", anonymizing[-1].figures)]


def pii_leak_v1(run: BoardRun) -> list[Row]:
    def row(system: str, target: str) -> Row:
        report = run.work / "v1.json"
        run.board.run(
            *("pii-leak-benchmark", "--target-base-url", target, "--timeout-seconds", "120"),
            *("--target-name", system, "--target-version", tacenda.__version__),
            *("--redaction-claimed", "claimed", "--redaction-enabled"),
            *("--redaction-claim-citation", "https://pypi.org/project/tacenda/"),
            *("--redaction-config-reference", "tacenda serve proxy --answers mask"),
            *("--json-out", str(report)),
            check=False,
        )
        checks = json.loads(report.read_text())["checks"]
        outcome = json.loads(report.read_text())["outcome"]
        boundary = checks["configured_upstream_boundary"]
        return Row(
            system,
            {
                "leaked": ", ".join(boundary["leaked_entity_types"]) or "nothing",
                "marker words": boundary["marker_words_observed_max"],
                "restored": checks["fragmentation_safety"]["response_reconstructed"],
                "outcome": outcome,
            },
        )

    with _proxy() as address:
        return [row("no gateway", "capture://self"), row("tacenda serve proxy", address)]


def pii_leak_v2(run: BoardRun) -> list[Row]:
    def rows(seed: str, *options: str) -> list[Row]:
        summary, out = run.work / "v2.json", run.work / "v2"
        run.board.run(
            *("pii-leak-benchmark-v2", "--out", str(out), "--json-out", str(summary)),
            *("--validate", "--partial-emission", "--seed", seed, *options),
            V2_CLIENT_READ_TIMEOUT="120",
        )
        return [_v2_row(item, out) for item in json.loads(summary.read_text())["rows"]]

    with _proxy() as address:
        url = f"{address}/chat/completions"
        gateway = ("--gateway-url", url, "--upstream-port", str(CAPTURE_PORT))
        ours = [row for seed in SEEDS for row in rows(seed, "--only", "tacenda", *gateway)]
    # The references take minutes a seed, so one has to do for them.
    return [*rows(SEEDS[0], "--only", ",".join(REFERENCES)), *ours]


def _v2_row(summary: dict[str, Any], out: Path) -> Row:
    partial = json.loads((out / f"{summary['policy']}.partial-emission.json").read_text())
    names = ("fidelity_rate", "leak_single_chunk", "leak_adversarial", "inconclusive", "outcome")
    return Row(
        f"{summary['policy']}, seed {summary['seed']}",
        {
            "cases": summary["cases_attempted"],
            **{name: summary[name] for name in names},
            "cut": partial["metrics"]["cases_partial_emission"],
        },
    )


def pdfredeval(run: BoardRun) -> list[Row]:
    rows = []
    for family in ("pii-detection", "extraction-conditions"):
        run.board.run("pdfredeval", "generate", family, "--seed", "1", "--out", str(run.work))
        (case,) = run.work.glob(f"**/{family}-1/{family}-1.pdf")
        output = run.work / f"{family}-out.pdf"
        _tacenda("sanitize", str(case), "-o", str(output))
        for system, file in (("the PDF as it is", case), ("tacenda", output)):
            out = run.work / f"{family}-{system[:7]}"
            run.board.run(
                *("pdfredeval", "score", str(file), "--case-dir", str(case.parent)),
                *("--out", str(out), "--no-report", "--no-overlay"),
            )
            (report,) = out.glob("**/report.json")
            summary = json.loads(report.read_text())["summary"]
            rows.append(Row(f"{system}, {family}", _pdf_figures(summary)))
    return rows


def _pdf_figures(summary: dict[str, Any]) -> dict[str, Any]:
    return {
        "probes": summary["probes"],
        "leak rate": summary["leak_rate"]["value"],
        "over-redaction": summary["over_redaction_rate"]["value"],
        "text retained": summary["text_retention"],
    }


def tab(run: BoardRun) -> list[Row]:
    gold, oracle = run.data / "tab" / "dev.json", run.data / "tab" / "oracle"
    if not gold.exists() or not oracle.exists():
        raise Missing(f"{gold} or its oracle is not there")
    expected = json.loads((oracle / "expected.json").read_text())
    keys = {
        "token_recall": "token_recall",
        "entity_recall_direct": "recall_direct_entities",
        "entity_recall_quasi": "recall_quasi_entities",
        "token_precision": "token_precision",
    }
    ours = run.work / "masks.json"
    ours.write_text(_tacenda("sanitize", str(gold), "--to", "masks"))
    rows = []
    systems = ("ontonotes_md", "presidio_md", "presidio_org_md", "tab_annotate_md")
    for system, masks in (
        *((name, oracle / f"{name}.json") for name in systems),
        ("tacenda", ours),
    ):
        ignored = ("--ignored-tokens", str(oracle / "ignored_tokens.json"))
        scores = json.loads(
            _tacenda("evaluate", "masks", str(gold), str(masks), "--json", *ignored)
        )
        published = expected.get(system, {})
        for key, name in keys.items():
            if name in published and abs(published[name] - scores[key]) > 5e-7:
                raise Missing(f"{system}: {key} is {scores[key]}, published {published[name]}")
        rows.append(Row(system, {key: scores[key] for key in keys}))
    return rows


def presidio(_: BoardRun) -> list[Row]:
    with presidio_api.ours() as address:
        failed = presidio_api.failures(address)
    checks = len(presidio_api.checks())
    return [Row("tacenda serve presidio", {"checks": checks, "passed": checks - len(failed)})]


BOARDS = {
    "deidgate": Board(deidgate, "deidgate", "0.1.0"),
    "pii-leak-v1": Board(pii_leak_v1, "pii-leak-benchmark", "0.6.0", "validate"),
    "pii-leak-v2": Board(pii_leak_v2, "pii-leak-benchmark", "0.6.0", "validate"),
    "pdfredeval": Board(pdfredeval, "pdfredeval", "0.1.1", "score,generate"),
    "reid-score": Board(reid_score, "reid-score", "0.3.0"),
    "presidio-api": Board(presidio),
    "tab": Board(tab),
}


def _sanitize(policy: str) -> Callable[[str], str]:
    sanitizer = tacenda.load(policy)
    return lambda text: sanitizer.sanitize(text).text


def _tacenda(*arguments: str) -> str:
    command = [sys.executable, "-m", "tacenda", *arguments]
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout


@contextmanager
def _proxy() -> Iterator[str]:
    """The address of a guarding proxy before the board's capture."""
    command = [sys.executable, "-m", "tacenda", "serve", "proxy", "--port", "0"]
    options = ["--upstream", f"http://127.0.0.1:{CAPTURE_PORT}/v1", "--answers", "mask"]
    with subprocess.Popen(
        [*command, *options, "--unknown-fields", "hide"], stdout=subprocess.PIPE, text=True
    ) as process:
        try:
            assert process.stdout is not None
            yield process.stdout.readline().split()[-1]
        finally:
            process.terminate()


def _write_population(source: Path, target: Path) -> None:
    """Write people as RAT-Bench wants them: 20,000 of a joint table of US adults, with states and birthdays by chance."""
    draw = random.Random(0)
    header = (
        "state_of_residence gender date_of_birth race marital_status education_level "
        "employment_status occupation citizenship_status"
    ).split()
    with gzip.open(source, "rt", encoding="utf-8") as lines, target.open("w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(header)
        people = [
            row
            for row in csv.reader(lines, skipinitialspace=True)
            if len(row) > 13 and "?" not in row
        ]
        for row in people[:20_000]:
            born = datetime.date(1994 - int(row[0]), 1, 1) + datetime.timedelta(draw.randrange(365))
            citizenship = "US citizen" if row[13] == "United-States" else "not a US citizen"
            state = draw.choice(STATES)
            writer.writerow(
                [
                    state,
                    row[9],
                    born.isoformat(),
                    row[8],
                    row[5],
                    row[3],
                    row[1],
                    row[6],
                    citizenship,
                ]
            )


def _pip(python: Path, *arguments: str) -> None:
    """Run pip of this interpreter for another one, which needs none then."""
    pip = [sys.executable, "-m", "pip", "--python", str(python)]
    command = [*pip, "--quiet", "--disable-pip-version-check", *arguments]
    result = subprocess.run(command, check=False, capture_output=True, text=True)
    if result.returncode:
        raise Missing(f"pip can't have it: {_last_line(result.stderr)}")


def _last_line(text: str) -> str:
    return (text.strip().splitlines() or ["no output"])[-1]


def _shown(value: Any) -> str:
    return (
        f"{value:.3f}".replace("0.", ".", 1)
        if isinstance(value, float) and value < 1
        else str(value)
    )


def main(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("data", type=Path)
    parser.add_argument("--only", nargs="+", choices=BOARDS, default=list(BOARDS))
    parser.add_argument("--cache", type=Path, default=Path.home() / ".cache" / "tacenda" / "boards")
    options = parser.parse_args()
    print(f"tacenda {tacenda.__version__}, {datetime.datetime.now(datetime.UTC):%Y-%m-%d}\n")
    print_header("| board | package | wheel, SHA-256 | system | figures |")
    for name in options.only:
        board = BOARDS[name]
        title = f"{board.package or name} {board.version}".strip()
        try:
            environment = Environment(Path(), "")
            if board.package:
                environment = Environment.made(
                    board.package, board.version, board.extra, options.cache
                )
            with tempfile.TemporaryDirectory() as work:
                rows = board.rows(BoardRun(environment, options.data, Path(work)))
        except Missing as reason:
            print(f"| {name} | {title} | | skipped | {reason} |", flush=True)
            continue
        digest = f"`{environment.digest[:12]}`" if board.package else ""
        for row in rows:
            figures = ", ".join(f"{key} {_shown(value)}" for key, value in row.figures.items())
            print(f"| {name} | {title} | {digest} | {row.system} | {figures} |", flush=True)
