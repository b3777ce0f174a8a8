"""Who is still found in sanitized biographies by somebody who has read the rest of the article?

    python -m benchmarks reidentification_biographies DATA [--python PYTHON --model FOLDER] [--only dev]

Documents are the first paragraphs of Wikipedia articles; what is known of the 548 people is the rest of theirs.
The recognizer was trained on 448 of the documents, on the other 50 it was not, so these are told apart. PYTHON
is an interpreter with tacenda and its extras spacy and presidio, FOLDER a spaCy model (or its name); without them
those two baselines are left out.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import tacenda
from benchmarks.sets import boxed
from benchmarks.tables import print_header
from tacenda.background.people import People
from tacenda.background.people_builder import PeopleBuilder
from tacenda.background.reading import PeopleReader
from tacenda.document import Document, Span
from tacenda.evaluate.metrics import redacted
from tacenda.link.linking import link
from tacenda.pipeline import Sanitizer
from tacenda.policy import Policy
from tacenda.reidentify.anonymize.anonymize import anonymize
from tacenda.reidentify.anonymize.units import entity_units
from tacenda.reidentify.attackers import ENSEMBLE, open_attackers
from tacenda.reidentify.attackers.base import Attacker
from tacenda.reidentify.pipeline import AttackIndicator
from tacenda.reidentify.report import rates_of
from tacenda.reidentify.tokens import read_words
from tacenda.risk.assess import assess
from tacenda_lab.baselines import create

BODIES = "background/wiki553_article_bodies.json.gz"
TRAIN, DEV = "wiki/biographies_train.json", "wiki/wikireplace_dev.json"
GUIDE, K = "bm25", 8
"""Who guides the search, and its setting; it is the other attackers that judge it."""


@dataclass(frozen=True, slots=True)
class Biography:
    """A document whose person is known by the document's id, and what people marked in it."""

    document: Document
    marked: tuple[Span, ...]


@dataclass(frozen=True, slots=True)
class MaskedBiography:
    """What a system made of a document: the text, and which spans of the original it replaced."""

    text: str
    replaced: Sequence[Span]


Masking = Callable[[Biography], MaskedBiography]


def main(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("data", type=Path)
    parser.add_argument("--python", help="interpreter with the extras spacy and presidio")
    parser.add_argument("--model", help="a spaCy model for it")
    parser.add_argument("--only", choices=("train", "dev"))
    parser.add_argument("--attackers", default="bm25,bayes", help="names, with commas between")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        people = stored(arguments.data / BODIES, Path(folder) / "people.db")
        names = arguments.attackers.split(",")
        attackers = [each for name in names for each in open_attackers(name, people)]
        print(f"{len(people)} people; at rank 1 (95 % interval), and among the first 10")
        for name, path in (("train", TRAIN), ("dev", DEV)):
            if arguments.only in (None, name):
                found = [
                    one for one in biographies(arguments.data / path) if known(people, one.document)
                ]
                systems = systems_of(found, people, name, Path(folder), arguments)
                table(found, systems, people, attackers, path)


def stored(bodies: Path, path: Path) -> People:
    """Return the people as ``tacenda index people`` stores them."""
    with PeopleBuilder(path) as builder:
        for person in PeopleReader().read(bodies):
            if isinstance(person, Exception):
                raise person
            builder.add(person)
    return People(path)


def known(people: People, document: Document) -> bool:
    """Tell whether there is a body of the article; five are missing."""
    try:
        people.find(document.subject)
    except ValueError:
        return False
    return True


def biographies(path: Path) -> Iterator[Biography]:
    for item in json.loads(path.read_text("utf-8")):
        document = Document(item["doc_id"], item["text"], subject=item["doc_id"])
        yield Biography(document, tuple(sorted(set(_marked(item)))))


def _marked(item: Mapping[str, Any]) -> Iterator[Span]:
    """Yield what an annotator masks: of several the first one."""
    if "spans" in item:
        yield from (Span(s["start"], s["end"]) for s in item["spans"] if s["label"] == "MASK")
        return
    mentions = next(iter(item["annotations"].values()))["entity_mentions"]
    for mention in mentions:
        if mention["identifier_type"] in ("DIRECT", "QUASI"):
            yield Span(mention["start_offset"], mention["end_offset"])


def systems_of(
    found: Sequence[Biography],
    people: People,
    name: str,
    folder: Path,
    arguments: argparse.Namespace,
) -> dict[str, Masking]:
    """Return the systems by name; the searches, which take seconds a document, on the 50 only."""
    default = tacenda.load(boxed(), threads=1)
    guide = open_attackers(GUIDE, people)
    general = default.with_policy(default.policy.with_changes(operator="generalize"))
    systems: dict[str, Masking] = {
        "no masking": lambda one: masked(one, ()),
        "an annotator": lambda one: masked(one, one.marked),
        "default policy": sanitized(default),
        "default policy, generalize": sanitized(general),
    }
    systems["capitals"] = by_spans(lambda document: create("capitals").mask(document))
    if arguments.python:
        for baseline in ("ner", "presidio", "presidio+org"):
            spans = elsewhere(baseline, found, folder, arguments)
            systems[baseline] = lambda one, spans=spans: masked(one, spans[one.document.id])
    if name == "dev":
        systems[f"default policy, --attack ({GUIDE}, K = {K})"] = sanitized(
            tacenda.load(boxed(), threads=1, indicators=[AttackIndicator(people, guide, K)])
        )
        systems[f"anonymize words ({GUIDE}, K = {K})"] = by_words(people, guide)
        systems[f"anonymize entities ({GUIDE}, K = {K})"] = by_entities(people, guide, default)
    return systems


def masked(one: Biography, spans: Iterable[Span]) -> MaskedBiography:
    replaced = tuple(spans)
    return MaskedBiography(redacted(one.document.text, replaced), replaced)


def by_spans(mask: Callable[[Document], Iterable[Span]]) -> Masking:
    return lambda one: masked(one, mask(one.document))


def sanitized(sanitizer: Sanitizer) -> Masking:
    def release(one: Biography) -> MaskedBiography:
        (result,) = sanitizer.pipe([one.document])
        return MaskedBiography(result.text, [edit.original for edit in result.replacements])

    return release


def by_words(people: People, attackers: Sequence[Attacker]) -> Masking:
    def release(one: Biography) -> MaskedBiography:
        person = people.find(one.document.subject)
        return masked(
            one, anonymize(read_words(one.document), person, attackers, K, hold_out=False).spans
        )

    return release


def by_entities(people: People, attackers: Sequence[Attacker], sanitizer: Sanitizer) -> Masking:
    def release(one: Biography) -> MaskedBiography:
        document, policy = one.document, Policy()
        entities = link(document, sanitizer.analyze(document).mentions)
        judged = assess(document, entities, policy)
        person = people.find(document.subject)
        words = read_words(document)
        result = anonymize(
            words,
            person,
            attackers,
            K,
            units=entity_units(words, entities),
            assessments=judged,
            policy=policy,
            hold_out=False,
        )
        return MaskedBiography(result.text, [each.original for each in result.replacements])

    return release


def elsewhere(
    baseline: str, found: Sequence[Biography], folder: Path, arguments: argparse.Namespace
) -> dict[str, list[Span]]:
    """Return the masks of a baseline that needs another interpreter, by document."""
    corpus, masks = folder / "corpus.json", folder / "masks.json"
    items = [{"doc_id": each.document.id, "text": each.document.text} for each in found]
    corpus.write_text(json.dumps(items), "utf-8")
    command = [arguments.python, "-m", "tacenda", "lab", "baseline", baseline, str(corpus)]
    command += ["-o", str(masks)]
    if arguments.model:
        command += ["--model", arguments.model]
    subprocess.run(command, check=True)
    spans = json.loads(masks.read_text("utf-8"))
    return {id: [Span(start, end) for start, end in found] for id, found in spans.items()}


def table(
    found: Sequence[Biography],
    systems: Mapping[str, Masking],
    people: People,
    attackers: Sequence[Attacker],
    path: str,
) -> None:
    names = [attacker.name for attacker in attackers]
    heads = ["system", "% of words", *names, ENSEMBLE, "first 10"]
    print_header(f"\n{path}, {len(found)} documents\n\n| {' | '.join(heads)} |")
    for name, system in systems.items():
        replaced = total = 0
        ranks = []
        for one in found:
            release = system(one)
            words = read_words(one.document)
            replaced += int(words.masked(release.replaced).sum())
            total += len(words)
            read = read_words(replace(one.document, text=release.text))
            person = people.find(one.document.subject)
            ranks.append({each.name: each.rank(read).rank(person) for each in attackers})
        rates = rates_of(ranks, 10)
        cells = [name, f"{100 * replaced / total:.1f}"]
        for each in (*names, ENSEMBLE):
            value, low, high = rates[each].first
            cells.append(f"{value:.2f} [{low:.2f}, {high:.2f}]")
        cells.append(f"{rates[ENSEMBLE].among_k.value:.2f}")
        print(f"| {' | '.join(cells)} |", flush=True)
