"""Latency of the Presidio-compatible service and of Presidio's own engine behind its addresses, in one run.

    python -m benchmarks presidio_service --spacy-model FOLDER [--seconds 12] [--workers 1]

FOLDER has a spaCy model. Each server is a process of its own, and they take turns: ours by ``tacenda serve
presidio``, Presidio's as its ``app.py`` does, one ``AnalyzerEngine`` under Flask, with threads. Requests are
``/analyze`` of texts of 100, 1,000 and 5,000 words one after the other, then of 100 words by 50 clients at
once, each with a new text as soon as it has its answer. Texts are runs of words of ``examples/``, from
another word each time. Times are the client's, of answers with the status 200.
"""

from __future__ import annotations

import argparse
import http.client
import itertools
import json
import logging
import statistics
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urlsplit

from benchmarks.tables import print_header

EXAMPLES = Path(__file__).parents[1] / "examples"
LENGTHS = (100, 1_000, 5_000)
CLIENTS = 50
WARM_UP = 3


def texts(length: int) -> Iterator[str]:
    """Yield texts of so many words, each from another word on."""
    words = " ".join(
        (EXAMPLES / f"{name}.txt").read_text("utf-8")
        for name in ("judgment", "letter", "biography")
    ).split(" ")
    cycle = words * (length // len(words) + 2)
    for start in itertools.cycle(range(0, len(words), 37)):
        yield " ".join(cycle[start : start + length])


@contextmanager
def started(command: list[str]) -> Iterator[str]:
    """Start a server that prints its address; yield host and port."""
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        try:
            line = process.stdout.readline()
            yield urlsplit(line.split()[-1]).netloc
        finally:
            process.terminate()


class Client:
    def __init__(self, place: str) -> None:
        self._connection = http.client.HTTPConnection(place, timeout=120)

    def seconds(self, text: str) -> float:
        """Seconds until the answer to a text."""
        body = json.dumps({"text": text, "language": "en"})
        begin = time.perf_counter()
        self._connection.request("POST", "/analyze", body, {"Content-Type": "application/json"})
        answer = self._connection.getresponse()
        content = answer.read()
        seconds = time.perf_counter() - begin
        if answer.status != 200:
            raise RuntimeError(f"status {answer.status}: {content[:200]!r}")
        return seconds


def alone(place: str, length: int, seconds: float) -> list[float]:
    """Times of requests one after the other."""
    client, source = Client(place), texts(length)
    for _ in range(WARM_UP):
        client.seconds(next(source))
    end = time.perf_counter() + seconds
    times = []
    while time.perf_counter() < end or len(times) < 5:
        times.append(client.seconds(next(source)))
    return times


def together(place: str, length: int, seconds: float) -> tuple[list[float], float]:
    """Times of requests of many clients at once, and answers per second."""
    times: list[float] = []
    begin = time.perf_counter()

    def work(number: int) -> None:
        client = Client(place)
        source = itertools.islice(texts(length), number, None)
        while time.perf_counter() < begin + seconds:
            times.append(client.seconds(next(source)))

    threads = [threading.Thread(target=work, args=(number,)) for number in range(CLIENTS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return times, len(times) / (time.perf_counter() - begin)


def row(name: str, load: str, times: list[float], rate: float) -> str:
    """A line of the table."""
    cuts = statistics.quantiles(times, n=20, method="inclusive")
    return f"| {name} | {load} | {len(times)} | {cuts[9] * 1000:,.0f} | {cuts[18] * 1000:,.0f} | {rate:.1f} |"


def serve_engine(folder: str) -> None:
    """Presidio's analyzer under Flask, as its own server has it."""
    import spacy
    from flask import Flask, Response, request
    from presidio_analyzer import AnalyzerEngine, BatchAnalyzerEngine
    from presidio_analyzer.nlp_engine import NerModelConfiguration, SpacyNlpEngine
    from werkzeug.serving import make_server

    engine = SpacyNlpEngine(
        models=[{"lang_code": "en", "model_name": folder}],
        ner_model_configuration=NerModelConfiguration(),
    )
    engine.nlp = {"en": spacy.load(folder)}
    batch = BatchAnalyzerEngine(AnalyzerEngine(nlp_engine=engine, supported_languages=["en"]))
    app = Flask(__name__)

    @app.post("/analyze")
    def analyze() -> Response:
        body = request.get_json()
        (results,) = batch.analyze_iterator([body["text"]], language=body["language"])
        fields = ("entity_type", "start", "end", "score")
        answer = [{field: getattr(result, field) for field in fields} for result in results]
        return Response(json.dumps(answer), content_type="application/json")

    logging.getLogger("werkzeug").setLevel(logging.ERROR)
    server = make_server("127.0.0.1", 0, app, threaded=True)
    print(f"Serving at http://127.0.0.1:{server.server_port}/", flush=True)
    server.serve_forever()


def main(parser: argparse.ArgumentParser) -> None:
    """Measure both, and print a table."""
    parser.add_argument("--spacy-model", required=True)
    parser.add_argument("--seconds", type=float, default=12.0, help="of each measurement")
    parser.add_argument("--workers", type=int, default=1, help="of tacenda")
    parser.add_argument("--engine", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.engine:
        serve_engine(options.spacy_model)
        return
    ours = f"-u -m tacenda serve presidio --port 0 --workers {options.workers}".split()
    theirs = "-u -m benchmarks presidio_service --engine".split()
    theirs += ["--spacy-model", options.spacy_model]
    print_header("| server | load | answers | p50, ms | p95, ms | answers/s |")
    for name, command in (("tacenda", ours), ("Presidio", theirs)):
        with started([sys.executable, *command]) as place:
            for length in LENGTHS:
                times = alone(place, length, options.seconds)
                load = f"{length:,} words, one client"
                print(row(name, load, times, len(times) / sum(times)), flush=True)
            times, rate = together(place, LENGTHS[0], options.seconds)
            print(row(name, f"{LENGTHS[0]} words, {CLIENTS} clients", times, rate), flush=True)
