"""The review application under load: how long a page and a decision take.

    python -m benchmarks app [--reviewers 20] [--decisions 15] [--think 2.0]

Starts the application on loopback in a process of its own, with one document a reviewer (the
example judgment) and one of 10,000 words, and then as many reviewers at once as asked for. Each
decides on one entity after the other, with a pause of ``think`` seconds on average as people make.
Bounded: reviewers × decisions requests, and five minutes.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import random
import re
import statistics
import subprocess
import sys
import tempfile
import time
from html import unescape
from pathlib import Path
from threading import Thread

import httpx

EXAMPLE = Path(__file__).parents[1] / "examples" / "judgment.txt"
LONG = 10_000
LIMIT = 300.0


def main(parser: argparse.ArgumentParser) -> None:
    """Measure and print."""
    parser.add_argument("--reviewers", type=int, default=20)
    parser.add_argument("--decisions", type=int, default=15)
    parser.add_argument("--think", type=float, default=2.0)
    asked = parser.parse_args()
    judgment = EXAMPLE.read_text("utf-8")
    with tempfile.TemporaryDirectory() as folder:
        for number in range(asked.reviewers):
            (Path(folder) / f"d{number:03}.txt").write_text(f"{number}.\n{judgment}", "utf-8")
        copies = -(-LONG // len(judgment.split()))
        (Path(folder) / "long.txt").write_text("\n\n".join([judgment] * copies), "utf-8")
        process, url = started(folder)
        try:
            measure(url, asked, process.pid)
        finally:
            process.terminate()
            process.wait()


def started(folder: str) -> tuple[subprocess.Popen[str], str]:
    """Start ``tacenda review`` and return it with the address it prints."""
    command = [sys.executable, "-m", "tacenda", "review", folder, "--no-browser", "--threads", "2"]
    command += ["--store", str(Path(folder) / "store" / "projects.db")]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    found = re.search(r"http\S+", process.stdout.readline())
    if found is None:
        raise SystemExit("the application did not start")
    return process, found[0]


def measure(url: str, asked: argparse.Namespace, server: int) -> None:
    """Print how long things take; ``server`` is the number of its process."""
    root = url.split("/projects")[0]
    begin = time.perf_counter()
    with httpx.Client(base_url=root, timeout=60) as client:
        wait_for(client, url)
        project = re.findall(r"/projects/[0-9a-f]+", url)[0]
        first = min(timed(client, "GET", project)[0] for _ in range(3))
        documents = re.findall(r'/documents/([0-9a-f]+)">d', queue(client, url))
        long = re.findall(r'/documents/([0-9a-f]+)">long', queue(client, url))[0]
        opening, page = timed(client, "GET", f"/documents/{long}")
        print(f"machine: {platform.machine()}, python {platform.python_version()}")
        print(f"first page: {1000 * first:.0f} ms")
        print(
            f"document of {LONG} words or more, first opened: {1000 * opening:.0f} ms, {len(page.content)} bytes"
        )
        sliding = [
            timed(client, "GET", f"/documents/{documents[0]}/preview?position={place}")[0]
            for place in range(2, 24, 2)
        ]
        print(
            f"slider, judgment of {len(EXAMPLE.read_text('utf-8').split())} words, with its page: median {1000 * statistics.median(sliding):.0f} ms, worst {1000 * max(sliding):.0f} ms"
        )
    times: list[float] = []
    before = processor_time(server)
    threads = [Thread(target=review, args=(url, root, id, asked, times, begin)) for id in documents]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    times.sort()
    p95 = times[int(0.95 * (len(times) - 1))]
    print(
        f"{len(documents)} reviewers, {len(times)} decisions, pause {asked.think} s: median "
        f"{1000 * statistics.median(times):.0f} ms, p95 {1000 * p95:.0f} ms, worst "
        f"{1000 * times[-1]:.0f} ms"
    )
    if before is not None and (after := processor_time(server)) is not None:
        # What a busy machine does not change: how long it would take with a core to itself.
        print(
            f"processor time of the server: {1000 * (after - before) / len(times):.0f} ms a decision"
        )


def processor_time(process: int) -> float | None:
    """Return the seconds of processor time of a process; None where the system does not tell."""
    try:
        fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
    except (OSError, ValueError):
        return None


def timed(
    client: httpx.Client, method: str, path: str, **options: dict[str, str]
) -> tuple[float, httpx.Response]:
    """Return the seconds of a request and its answer, which must be good."""
    begin = time.perf_counter()
    answer = client.request(method, path, **options)
    took = time.perf_counter() - begin
    answer.raise_for_status()
    return took, answer


def queue(client: httpx.Client, url: str) -> str:
    """Return the page of the project that the address leads to."""
    return client.get(url.partition("?")[0]).text


def wait_for(client: httpx.Client, url: str) -> None:
    """Wait until the server answers and all documents are analysed."""
    while True:
        try:
            client.get(url)
            break
        except httpx.ConnectError:
            time.sleep(0.1)
    while "still to be analysed" in queue(client, url):
        time.sleep(0.2)


def review(
    url: str, root: str, id: str, asked: argparse.Namespace, times: list[float], begin: float
) -> None:
    """Decide on one entity after the other, as one person does."""
    chance = random.Random(id)
    with httpx.Client(base_url=root, timeout=60) as client:
        client.get(url)
        page = unescape(client.get(f"/documents/{id}").text)
        proof = re.findall(r'"X-Tacenda-Proof": "([^"]+)"', page)[0]
        entities = re.findall(r'data-e="(\S+)" data-spans="([^"]+)"', page)
        time.sleep(asked.think * chance.random())
        for revision in range(asked.decisions):
            anchor, spans = entities[revision % len(entities)]
            change = {
                "kind": "decide",
                "value": chance.choice(["mask", "keep"]),
                "spans": [[int(part) for part in span.split("-")] for span in spans.split()],
            }
            data = {"revision": str(revision), "change": json.dumps(change), "chosen": anchor}
            headers = {"X-Tacenda-Proof": proof}
            took, _ = timed(client, "POST", f"/documents/{id}/changes", data=data, headers=headers)
            times.append(took)
            if time.perf_counter() - begin > LIMIT:
                return
            time.sleep(asked.think * (0.5 + chance.random()))
