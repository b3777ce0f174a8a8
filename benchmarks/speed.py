"""Documents per second and peak memory of tacenda and Presidio, in turns, in one run.

    python -m benchmarks speed DATA [--presidio PYTHON --spacy-model FOLDER] [--rounds 3] [--documents 127] [--model NAME …]

DATA is the folder with ``tab/dev.json``. Each measurement is a process of its own: it loads,
warms up on two documents, then times all 127 judgments, or the first so many. PYTHON is an interpreter
that has presidio-analyzer; FOLDER a spaCy model of the md size. Time of the processor says what a document
costs where the machine does other work, too: tacenda takes as many cores as there are, Presidio one. With several
recognizers each has its turns.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

from benchmarks.tables import print_header

Run = Callable[[list[str]], None]
_PRESIDIO = "presidio"


def tacenda_run(model: str) -> Run:
    import tacenda

    sanitizer = tacenda.load(model=model, threads=len(os.sched_getaffinity(0)))

    def run(texts: list[str]) -> None:
        for _ in sanitizer.pipe(texts):
            pass

    return run


def presidio_run(model: str) -> Run:
    import spacy
    from presidio_analyzer import AnalyzerEngine, RecognizerRegistry
    from presidio_analyzer.nlp_engine import NerModelConfiguration, SpacyNlpEngine

    class Loaded(SpacyNlpEngine):
        def __init__(self) -> None:
            super().__init__(ner_model_configuration=NerModelConfiguration())
            self.nlp = {"en": spacy.load(model)}

    registry = RecognizerRegistry(supported_languages=["en"])
    registry.load_predefined_recognizers(languages=["en"])
    engine = AnalyzerEngine(nlp_engine=Loaded(), registry=registry, supported_languages=["en"])

    def run(texts: list[str]) -> None:
        for text in texts:
            engine.analyze(text, language="en")

    return run


def measure(system: str, data: Path, model: str, number: int) -> None:
    """Print one measurement as JSON; runs in the child process."""
    documents = json.loads((data / "tab/dev.json").read_text(encoding="utf-8"))
    texts = [document["text"] for document in documents[:number]]
    del documents
    began = time.perf_counter()
    run = presidio_run(model) if system == _PRESIDIO else tacenda_run(system)
    run(texts[:2])
    loaded, computed = time.perf_counter(), time.process_time()
    run(texts)
    seconds, cpu_seconds = time.perf_counter() - loaded, time.process_time() - computed
    print(
        json.dumps(
            {
                "documents_per_second": len(texts) / seconds,
                "cpu_seconds_per_document": cpu_seconds / len(texts),
                "load_seconds": loaded - began,
                "peak_mb": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024,
            }
        )
    )


def main(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("data", type=Path)
    parser.add_argument("--presidio", help="interpreter that has presidio-analyzer")
    parser.add_argument("--spacy-model", default="en_core_web_md")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--documents", type=int, default=127)
    parser.add_argument(
        "--model", nargs="+", default=["recognizer-small"], help="recognizers of tacenda"
    )
    parser.add_argument("--child", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.child:
        measure(arguments.child, arguments.data, arguments.spacy_model, arguments.documents)
        return
    interpreters = dict.fromkeys(arguments.model, sys.executable)
    if arguments.presidio:
        interpreters[_PRESIDIO] = arguments.presidio
    else:
        print("no --presidio: tacenda alone, no ratio", file=sys.stderr)
    results: dict[str, list[dict[str, float]]] = {name: [] for name in interpreters}
    for _ in range(arguments.rounds):
        for name, interpreter in interpreters.items():
            command = [interpreter, "-m", "benchmarks", "speed", str(arguments.data)]
            command += ["--child", name, "--spacy-model", arguments.spacy_model]
            command += ["--documents", str(arguments.documents)]
            out = subprocess.run(command, check=True, capture_output=True, text=True).stdout
            results[name].append(json.loads(out.splitlines()[-1]))
    medians = {
        name: {key: statistics.median(row[key] for row in rows) for key in rows[0]}
        for name, rows in results.items()
    }
    print_header("| system | documents/s | CPU ms a document | load s | peak MB |")
    for name, row in medians.items():
        print(
            f"| {name} | {row['documents_per_second']:.1f} | {1000 * row['cpu_seconds_per_document']:.0f} | "
            f"{row['load_seconds']:.2f} | {row['peak_mb']:.0f} |"
        )
    for name in arguments.model if arguments.presidio else ():
        rates = (medians[each]["documents_per_second"] for each in (name, _PRESIDIO))
        ratio = next(rates) / next(rates)
        print(f"\n{name} / presidio: {ratio:.2f} (median of {arguments.rounds} rounds each)")
