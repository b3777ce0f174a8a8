"""Every baseline and tacenda on the development documents, by our own figures, in one table.

    python -m benchmarks baselines DATA [--python PYTHON --model FOLDER]

DATA is the folder with ``tab/`` and ``wiki/``. PYTHON is an interpreter with tacenda and its
extras spacy and presidio; without it the baselines that need no package run alone. FOLDER is a
spaCy model (or its name). A system is a process of its own: it loads, warms up on two documents,
then masks the corpora one after the other; documents per second leave loading out.

Below the table: what an evaluation of the 127 judgments costs beside `ner` on the same ones.
"""

from __future__ import annotations

import argparse
import json
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from benchmarks.tables import print_header
from tacenda.document import Document, Span
from tacenda.evaluate.evaluation import EvaluationSettings, evaluate
from tacenda.evaluate.gold import load_gold
from tacenda.evaluate.systems import load_masks
from tacenda_lab.baselines import BASELINES, create

CORPORA = ("tab/dev_real.json", "tab/dev.json", "wiki/wikireplace_dev.json")
LARGEST = "tab/dev.json"
NEEDS_SPACY = tuple(name for name, recipe in BASELINES.items() if "model" in recipe.options)
KEYS = (
    "token_recall",
    "entity_recall_direct",
    "entity_recall_quasi",
    "token_precision",
    "token_f1",
)
RESAMPLES = 1000
ROUNDS = 5

Masking = Callable[[list[Document]], list[tuple[Span, ...]]]


def masking(system: str, model: str) -> Masking:
    """Return a function from documents to the spans that a system masks."""
    if system == "tacenda":
        import tacenda
        from benchmarks.sets import boxed

        sanitizer = tacenda.load(boxed())
        return lambda documents: [
            tuple(replacement.original for replacement in result.replacements)
            for result in sanitizer.pipe(documents)
        ]
    baseline = create(system, model=model) if system in NEEDS_SPACY else create(system)
    return lambda documents: [baseline.mask(document) for document in documents]


def mask(system: str, data: Path, model: str, out: Path) -> None:
    """Write the masks of one system and print its times as JSON; runs in the child process."""
    corpora = {
        corpus: [Document(item["doc_id"], item["text"]) for item in json.loads(content)]
        for corpus in CORPORA
        for content in [(data / corpus).read_text("utf-8")]
    }
    began = time.perf_counter()
    run = masking(system, model)
    times = {"load": time.perf_counter() - began}
    run(corpora[CORPORA[0]][:2])
    for idx, (corpus, documents) in enumerate(corpora.items()):
        began = time.perf_counter()
        found = run(documents)
        times[corpus] = time.perf_counter() - began
        masks = {
            document.id: [[span.start, span.end] for span in sorted(spans)]
            for document, spans in zip(documents, found, strict=True)
        }
        (out / f"{idx}.json").write_text(json.dumps(masks), "utf-8")
    print(json.dumps(times))


def seconds(run: Callable[[], object]) -> float:
    """Return the median time of a few runs."""
    times = []
    for _ in range(ROUNDS):
        began = time.perf_counter()
        run()
        times.append(time.perf_counter() - began)
    return statistics.median(times)


def cost_of_evaluation(gold: Path, masks: Path, ner: float | None) -> None:
    """Print what reading and evaluating costs, and its ratio to the seconds of `ner`."""

    def whole() -> None:
        evaluate(load_gold(gold), load_masks(masks))

    def process() -> None:
        command = [
            sys.executable,
            "-m",
            "tacenda",
            "evaluate",
            "masks",
            str(gold),
            str(masks),
            "--json",
        ]
        subprocess.run(command, check=True, capture_output=True)

    documents, spans = load_gold(gold), load_masks(masks)
    figures = {
        "reading and evaluating 127 documents": seconds(whole),
        "`tacenda evaluate masks`, the whole process": seconds(process),
        f"evaluating with {RESAMPLES:,} resamples": seconds(
            lambda: evaluate(documents, spans, EvaluationSettings(bootstrap=RESAMPLES))
        ),
    }
    print_header("\n| what | seconds | time of `ner` on the same documents |")
    for what, cost in figures.items():
        ratio = f"{ner:.1f} s, {ner / cost:.0f} times that" if ner else "–"
        print(f"| {what} | {cost:.2f} | {ratio} |")


def main(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("data", type=Path)
    parser.add_argument("--python", help="interpreter that has spaCy and presidio-analyzer")
    parser.add_argument("--model", default="en_core_web_md")
    parser.add_argument("--child", nargs=2, metavar=("SYSTEM", "OUT"), help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.child:
        mask(arguments.child[0], arguments.data, arguments.model, Path(arguments.child[1]))
        return
    rows: dict[str, list[str]] = {corpus: [] for corpus in CORPORA}
    ner = None
    with tempfile.TemporaryDirectory() as folder:
        for system in ("tacenda", *BASELINES):
            interpreter = arguments.python if system in NEEDS_SPACY else sys.executable
            if interpreter is None:
                print(f"no --python: {system} left out", file=sys.stderr)
                continue
            out = Path(folder) / system
            out.mkdir()
            command = [interpreter, "-m", "benchmarks", "baselines", str(arguments.data)]
            command += ["--model", arguments.model, "--child", system, str(out)]
            printed = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout
            times = json.loads(printed.splitlines()[-1])
            if system == "ner":
                ner = times["load"] + times[LARGEST]
            for idx, corpus in enumerate(CORPORA):
                masks = load_masks(out / f"{idx}.json")
                scores = evaluate(load_gold(arguments.data / corpus), masks).scores
                cells = " | ".join(f"{scores[key]:.3f}" for key in KEYS)
                speed = len(masks) / times[corpus]
                rows[corpus].append(f"| {corpus} | {system} | {cells} | {speed:,.3g} |")
        print_header("| corpus | system | R | ER_di | ER_qi | P | F1 | documents/s |")
        print("\n".join(row for corpus in CORPORA for row in rows[corpus]))
        masks = Path(folder) / "tacenda" / f"{CORPORA.index(LARGEST)}.json"
        cost_of_evaluation(arguments.data / LARGEST, masks, ner)
