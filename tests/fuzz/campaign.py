"""Documents sanitized by the command line, and what survived counted.

A *batch* is one run over a folder of documents about one person. Where the run wrote a file, it
said success, so that no secret may be in that file; where it did not, it must have said why.
"""

from __future__ import annotations

import io
import json
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from queue import SimpleQueue
from random import Random
from threading import Thread

from typer.testing import CliRunner

from .documents import Planted, planted
from .further import POLICIES
from .hostile import mutated
from .people import Person, person
from .reading import survives

BATCH = 50
_KEY = "8c0d7a5b9e3f41262f8b1c6d0e9a7435"
_OPERATORS = ("suppress", "tag", "generalize", "pseudonym", "hash", "surrogate", "encrypt")
_WITH_RECOGNIZER = 0.03
_DAMAGED = 0.1
_FAMILIES = {"columns": 12, "records": 6, "resources": 1}
"""Weights of what a batch is made of."""
_FORMAT_WORDS = """
    Main Body Schemas Document Style Font Name Table Theme Type Drawing Math Microsoft Header Footer Paragraph Page
    Section Title Word Office Heading Normal Relationship Content Override Target Core Properties Color Default Settings
    Catalog Contents Resources Length Filter Root Kids Div Span Class Href Script Html Head Meta Section Link Value
    """.split()
"""What formats call their parts: to mask somebody of that name must take nothing else along."""


@dataclass(slots=True)
class Outcome:
    """What became of the documents of a batch.

    Attributes:
        tried, written, refused: documents.
        survivors: a line each: seed, document, kind of secret, places planted.
        faults: tracebacks, lost, swapped and half files, a line each.
        formats: tried, by format; kinds: planted, by place and spelling.
        seconds, megabytes: of the slowest batch, and of the process at its largest.
    """

    tried: int = 0
    written: int = 0
    refused: int = 0
    survivors: list[str] = field(default_factory=list)
    faults: list[str] = field(default_factory=list)
    formats: Counter[str] = field(default_factory=Counter)
    kinds: Counter[str] = field(default_factory=Counter)
    seconds: float = 0.0
    megabytes: float = 0.0

    def add(self, other: Outcome) -> None:
        """Take in what became of another batch."""
        self.tried += other.tried
        self.written += other.written
        self.refused += other.refused
        self.survivors += other.survivors
        self.faults += other.faults
        self.formats.update(other.formats)
        self.kinds.update(other.kinds)
        self.seconds = max(self.seconds, other.seconds)
        self.megabytes = max(self.megabytes, other.megabytes)


def run_batch(seed: int, size: int = BATCH) -> Outcome:
    """Make the documents of a seed, sanitize them in one run, and look at what was written."""
    from tacenda.cli import app

    random = Random(seed)
    subject = person(random)
    recognizer = random.random() < _WITH_RECOGNIZER
    family = Random(f"family {seed}").choices(list(_FAMILIES), list(_FAMILIES.values()))[0]
    documents = [_drawn(subject, seed * size + index, random, family) for index in range(size)]
    if recognizer:
        # It may take the words by which a document is known, too.
        documents = [replace(document, marker="", kept=()) for document in documents]
    folder = Path(tempfile.mkdtemp(prefix="tacenda-fuzz-"))
    try:
        given, made = folder / "in", folder / "out"
        given.mkdir()
        for document in documents:
            (given / document.name).write_bytes(document.content)
        arguments = [
            "sanitize",
            str(given),
            "-o",
            str(made),
            *_options(subject, recognizer, random, folder, family),
        ]
        began = time.perf_counter()
        result = CliRunner().invoke(app, arguments)
        outcome = _judged(seed, subject, documents, made, result.exit_code, result.output)
        outcome.seconds = time.perf_counter() - began
        if result.exception is not None and not isinstance(result.exception, SystemExit):
            outcome.faults.append(f"seed {seed}: {type(result.exception).__name__}")
    finally:
        shutil.rmtree(folder)
    outcome.megabytes = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    return outcome


def _drawn(subject: Person, number: int, random: Random, family: str) -> Planted:
    """Draw a document; one in ten was damaged on its way."""
    document = planted(subject, number, random, family)
    if random.random() >= _DAMAGED:
        return document
    return replace(
        document,
        content=mutated(document.content, random),
        marker="",
        places=(*document.places, "damaged"),
        kept=(),
    )


def _options(
    subject: Person, recognizer: bool, random: Random, folder: Path, family: str
) -> list[str]:
    policy = {
        "recognizer": recognizer,
        "threshold": random.choice((0.05, 0.18, 0.5)),
        "operator": random.choice(_OPERATORS),
        "key_file": str(folder / "key"),
    }
    (folder / "key").write_text(_KEY)
    (folder / "key").chmod(0o600)
    denied = [subject.name] if random.random() < 0.3 else []
    if random.random() < 0.3:
        denied += random.sample(_FORMAT_WORDS, 3)
    policy["deny"] = [{"exact": name, "type": "PERSON"} for name in denied]
    path = folder / "policy.yaml"
    path.write_text(json.dumps(policy))
    if family != "columns":
        rules = folder / "fields.yaml"
        rules.write_text(POLICIES[family])
        return ["--policy", str(path), "--target", subject.name, "--fields", str(rules)]
    return [
        *("--policy", str(path), "--target", subject.name),
        *("--column", "text", "--keep-columns", "*"),
    ]


def _judged(
    seed: int, subject: Person, documents: list[Planted], made: Path, code: int, said: str
) -> Outcome:
    outcome = Outcome(tried=len(documents))
    contents = (
        {path: path.read_bytes() for path in made.rglob("*") if path.is_file()}
        if made.is_dir()
        else {}
    )
    contents = {path: data for path, data in contents.items() if not path.name.startswith(".")}
    unclaimed = dict(contents)
    if code not in (0, 1) or "Traceback" in said:
        outcome.faults.append(f"seed {seed}: exit code {code}: {said[-300:]!r}")
    # One that was damaged has no marker, and would claim the file of any other that got a neutral name.
    for document in sorted(documents, key=lambda each: not each.marker):
        outcome.formats[document.name.rpartition(".")[2]] += 1
        outcome.kinds.update(document.places)
        path = _written_as(made / document.name, document, unclaimed)
        if path is None:
            outcome.refused += 1
            if document.name not in said or code == 0:
                outcome.faults.append(f"seed {seed}: {document.name} was lost in silence")
            continue
        data = contents[path]
        unclaimed.pop(path)
        outcome.written += 1
        try:
            holds = _holds(document.marker, data, document.name)
            lost = lost_phrases(document, data)
            kind = survives(subject, data, document.name)
        except Exception as error:  # Whatever it is, the file can't be opened.
            outcome.faults.append(f"seed {seed}: {document.name} is broken: {error!r}")
            continue
        if not holds:
            outcome.faults.append(f"seed {seed}: {document.name} is not what came in")
        if lost:
            places = " ".join(document.places)
            outcome.faults.append(f"seed {seed}: {document.name} lost {lost} phrases; {places}")
        # What was damaged may be another name by now, or none: it must be there to the letter.
        if kind and ("damaged" not in document.places or _written(subject, data)):
            outcome.survivors.append(
                f"seed {seed} {document.name}: {kind} of {subject.name}; {' '.join(document.places)}"
            )
    outcome.faults += [f"seed {seed}: {path.name} came from nowhere" for path in unclaimed]
    return outcome


def _written_as(path: Path, document: Planted, contents: dict[Path, bytes]) -> Path | None:
    """The file that a document was written to: a name that told somebody became a neutral one."""
    if path in contents:
        return path
    for other, data in contents.items():
        neutral = other.name.startswith("document-") and other.suffix == path.suffix
        if neutral and _holds(document.marker, data, path.name):
            return other
    return None


def _holds(marker: str, content: bytes, name: str) -> bool:
    from .reading import strings

    words = "".join(marker.split())
    return any(words in "".join(text.split()) for text in strings(content, name))


def lost_phrases(document: Planted, content: bytes) -> int:
    """How many phrases that name nobody are not in what was written.

    A .docx must also be one to a library that had no part in writing it.
    """
    from .reading import strings

    if document.name.endswith(".docx") and document.marker:
        import docx

        docx.Document(io.BytesIO(content))
    said = "".join("".join(text.split()) for text in strings(content, document.name))
    return sum("".join(phrase.split()) not in said for phrase in document.kept)


def _written(subject: Person, content: bytes) -> bool:
    text = content.decode("utf-8", "replace").casefold()
    return any(name.casefold() in text for name in (subject.name, subject.surname) if len(name) > 4)


def run_apart(seeds: range, workers: int) -> Iterator[Outcome]:
    """Yield the outcomes of batches that run in processes of their own, so that one may die."""
    shares = [seeds[start::workers] for start in range(workers)]
    processes = [
        subprocess.Popen(
            [sys.executable, "-m", "tests.fuzz.campaign", *map(str, (s.start, s.stop, s.step))],
            stdout=subprocess.PIPE,
            text=True,
        )
        for s in shares
        if s
    ]
    # All are read at once: one whose pipe is full would wait.
    outcomes: SimpleQueue[Outcome | None] = SimpleQueue()
    threads = [Thread(target=_followed, args=(process, outcomes)) for process in processes]
    for thread in threads:
        thread.start()
    running = len(threads)
    while running:
        outcome = outcomes.get()
        if outcome is None:
            running -= 1
        else:
            yield outcome


def _followed(process: subprocess.Popen[str], outcomes: SimpleQueue[Outcome | None]) -> None:
    """Hand on what a process prints, then None."""
    seed = "none"
    with process:
        assert process.stdout is not None
        for line in process.stdout:
            if line.startswith("{"):
                said = json.loads(line)
                said["formats"], said["kinds"] = Counter(said["formats"]), Counter(said["kinds"])
                outcomes.put(Outcome(**said))
            else:
                seed = line.strip()
    if process.returncode:
        outcomes.put(Outcome(faults=[f"seed {seed}: the process ended by {process.returncode}"]))
    outcomes.put(None)


def _worker(start: int, stop: int, step: int) -> None:
    for seed in range(start, stop, step):
        print(seed, flush=True)
        outcome = run_batch(seed)
        print(
            json.dumps({each.name: getattr(outcome, each.name) for each in fields(outcome)}),
            flush=True,
        )


if __name__ == "__main__":
    _worker(*map(int, sys.argv[1:4]))
