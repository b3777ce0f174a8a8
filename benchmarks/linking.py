"""How well mentions of one person are made one entity.

    python -m benchmarks linking DATA                 # the annotators' mentions
    python -m benchmarks linking DATA --recognizer    # the tags of the default policy

| part | who is who |
|---|---|
| own | ``tests/data/linking/people.jsonl``: 30 everyday texts to tune on, and 30 written before any tuning |
| generated | documents of ``tacenda_lab.train.generated``; half of the kinds is held out |
| TAB | the first annotator's entities of type PERSON in ``DATA/tab/{train,dev}.json`` |

Pairs of mentions of type PERSON within a document: *precision* is the share of linked pairs that are of one person,
*recall* the share of one person's pairs that are linked. *One tag* is the share of people with two mentions or more
who have a single entity. Generated user names without a part of their bearer's name, and mentions of several people
or of nobody known, count nowhere. Intervals: 95 %, bootstrap over documents.
"""

from __future__ import annotations

import argparse
import json
import time
import zlib
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from benchmarks.tables import print_header
from tacenda import load
from tacenda.document import Document, Mention, MentionSource, SemanticType, Span
from tacenda.link.linking import link
from tacenda.text.normal_form import fold_text
from tacenda_lab.train.generated import GeneratedText, generate

OWN = Path(__file__).resolve().parent.parent / "tests" / "data" / "linking" / "people.jsonl"
DRAWS = 1000
GENERATED = 2000
SEED = 15


@dataclass(frozen=True)
class LinkedText:
    """A text with its mentions and, for each, the person; empty where it counts nowhere."""

    text: str
    mentions: tuple[Mention, ...]
    people: tuple[str, ...]


def linked_text(text: str, rows: Iterable[tuple[int, int, str, str]]) -> LinkedText:
    """Return a text of rows ``start, end, type, person``; of overlapping ones the first counts."""
    mentions: list[Mention] = []
    people: list[str] = []
    for start, end, type, person in sorted(rows):
        if mentions and start < mentions[-1].span.end:
            continue
        mentions.append(Mention(Span(start, end), SemanticType(type), 1.0, 0.0, MentionSource.GOLD))
        people.append(person if type == "PERSON" else "")
    return LinkedText(text, tuple(mentions), tuple(people))


def own(part: str) -> Iterator[LinkedText]:
    for line in OWN.read_text("utf-8").splitlines():
        document = json.loads(line)
        if document["part"] == part:
            yield linked_text(document["text"], document["mentions"])


def judgments(path: Path) -> Iterator[LinkedText]:
    for document in json.loads(path.read_text("utf-8")):
        annotation = next(iter(document["annotations"].values()))
        yield linked_text(
            document["text"],
            (
                (row["start_offset"], row["end_offset"], row["entity_type"], row["entity_id"])
                for row in annotation["entity_mentions"]
            ),
        )


def generated(*, held_out: bool) -> Iterator[LinkedText]:
    for sample in generate(SEED, GENERATED):
        if zlib.crc32(sample.kind.encode()) % 2 == held_out:
            rows = zip(sample.mentions, _bearers(sample), strict=True)
            yield linked_text(
                sample.text, ((start, end, type, name) for (start, end, type, _), name in rows)
            )


def _bearers(sample: GeneratedText) -> list[str]:
    """Return the person of each mention; none for user names that say nothing of them."""
    words: dict[str, set[str]] = defaultdict(set)
    surfaces = [fold_text(sample.text[start:end]) for start, end, *_ in sample.mentions]
    for surface, person, (_, _, type, _) in zip(
        surfaces, sample.people, sample.mentions, strict=True
    ):
        if type == "PERSON" and not _is_user_name(surface):
            words[person].update(word for word in surface.split() if len(word) > 2)
    return [
        ""
        if _is_user_name(surface) and not any(word in surface for word in words[person])
        else person
        for surface, person in zip(surfaces, sample.people, strict=True)
    ]


def _is_user_name(surface: str) -> bool:
    return " " not in surface and any(char in "@/_0123456789" for char in surface)


# Counts of a document: linked pairs of one person, linked pairs, pairs of one person, people with
# one entity, people.
Counts = NDArray[np.float64]


def count(people: Sequence[str], entities: Sequence[str]) -> Counts:
    """Count the pairs of one document; an empty entity is linked to nothing."""
    cells, persons, groups = Counter[tuple[str, str]](), Counter[str](), Counter[str]()
    tags: dict[str, set[str]] = defaultdict(set)
    for place, (person, entity) in enumerate(zip(people, entities, strict=True)):
        if not person:
            continue
        persons[person] += 1
        tags[person].add(entity or f"none-{place}")
        if entity:
            cells[person, entity] += 1
            groups[entity] += 1
    several = [person for person, size in persons.items() if size > 1]
    counts = (_pairs(cells), _pairs(groups), _pairs(persons))
    return np.array([*counts, sum(len(tags[person]) == 1 for person in several), len(several)])


def _pairs(sizes: Counter[tuple[str, str]] | Counter[str]) -> int:
    return sum(size * (size - 1) // 2 for size in sizes.values())


def entities_by_link(text: LinkedText) -> list[str]:
    """Return the entity of each mention, as linked from the annotators' mentions."""
    by_span = {
        mention.span: entity.id
        for entity in link(Document("d", text.text), text.mentions)
        for mention in entity.mentions
    }
    return [by_span[mention.span] for mention in text.mentions]


def entities_by_policy(texts: Sequence[LinkedText]) -> Iterator[list[str]]:
    """Yield the entity that covers most of each mention in the results of the default policy."""
    sanitizer = load()
    for text, result in zip(texts, sanitizer.pipe(text.text for text in texts), strict=True):
        places: dict[int, str] = {}
        for decision in result.decisions:
            for mention in decision.entity.mentions if decision.masked else ():
                for place in range(mention.span.start, mention.span.end):
                    places[place] = decision.entity.id
        yield [_majority(places, mention.span) for mention in text.mentions]


def _majority(places: dict[int, str], span: Span) -> str:
    votes = Counter(places[place] for place in range(span.start, span.end) if place in places)
    return votes.most_common(1)[0][0] if votes else ""


def row(name: str, counts: Counts, seconds: float) -> str:
    random = np.random.default_rng(1)
    draws = counts[random.integers(0, len(counts), (DRAWS, len(counts)))].sum(axis=1)
    cells = []
    for hits, cases in ((0, 1), (0, 2), (3, 4)):
        share = counts[:, hits].sum() / max(1, counts[:, cases].sum())
        low, high = np.percentile(draws[:, hits] / np.maximum(draws[:, cases], 1), (2.5, 97.5))
        cells.append(f"{share:.3f} ({low:.3f}–{high:.3f})")
    people = int(counts[:, 4].sum())
    return f"| {name} | {len(counts)} | {people} | {' | '.join(cells)} | {seconds:.2f} |"


def errors(text: LinkedText, entities: Sequence[str]) -> Iterator[str]:
    """Yield the wrong pairs and the missed ones, each pair of strings once."""
    strings = [mention.span.of(text.text) for mention in text.mentions]
    seen = set()
    for one, peer in combinations(range(len(strings)), 2):
        if text.people[one] and text.people[peer]:
            same = text.people[one] == text.people[peer]
            linked = bool(entities[one]) and entities[one] == entities[peer]
            kind = "wrong" if linked else "missed"
            pair = (kind, *sorted((strings[one], strings[peer])))
            if same != linked and pair not in seen:
                seen.add(pair)
                yield "  {}: {!r} {!r}".format(*pair)


def main(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("data", type=Path)
    parser.add_argument("--recognizer", action="store_true")
    parser.add_argument("--errors", action="store_true", help="of the texts to tune on")
    arguments = parser.parse_args()
    parts = {
        "own, to tune": list(own("tune")),
        "own, held out": list(own("held out")),
        "generated, kinds to tune": list(generated(held_out=False)),
        "generated, kinds held out": list(generated(held_out=True)),
    }
    if not arguments.recognizer:
        for name in ("train", "dev"):
            parts[f"TAB {name}"] = list(judgments(arguments.data / "tab" / f"{name}.json"))
    print_header("| part | documents | people | precision | recall | one tag | s |")
    for name, texts in parts.items():
        if arguments.recognizer:
            texts = texts[:300]
        start = time.perf_counter()
        if arguments.recognizer:
            entities = list(entities_by_policy(texts))
        else:
            entities = [entities_by_link(text) for text in texts]
        seconds = time.perf_counter() - start
        counts = [count(text.people, ids) for text, ids in zip(texts, entities, strict=True)]
        label = f"{name}, with the recognizer" if arguments.recognizer else name
        print(row(label, np.array(counts, dtype=float), seconds), flush=True)
        if arguments.errors and name in ("own, to tune", "generated, kinds to tune", "TAB train"):
            for text, ids in zip(texts, entities, strict=True):
                print(*errors(text, ids), sep="\n")
