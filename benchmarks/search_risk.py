"""Measure risk by search against annotators' masking, for three adversaries who know more and more.

    python -m benchmarks search_risk DATA        # DATA holds tab/, reid/ and background/
    python -m benchmarks search_risk DATA --index opening.db   # writes what the adversary *opening* knows, for tacenda lab reproduce explicit-measures

Entities are those of each annotator of ``tab/dev_real.json``, so that detection plays no part; an
entity is to be masked if any of its mentions is QUASI or DIRECT; the target is the applicant, who is
known by name and as the surname in "<surname> v.", the name of the case.
Adversaries, by what their index holds:

    others    judgments about other people (a control: nothing should be risky)
    opening   those, and the first tenth of the public version of each judgment
    judgment  those, and the judgments themselves, whole

Precision and recall take three things as masking: *alone*, what is risky alone; *any*, what is in any
risky combination; *cover*, the fewest entities that break all of them.
"""

from __future__ import annotations

import argparse
import gzip
import json
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import Any

from tacenda.background.documents import IndexBuilder, LocalIndex, Query
from tacenda.document import Document, Entity, Mention, MentionSource, SemanticType, Span
from tacenda.risk.search.algorithm import phrases_of_names
from tacenda.risk.search.indicator import SearchRisk
from tacenda_lab.reproduce.strategies import cheapest_cover

ADVERSARIES = ("others", "opening", "judgment")
SETTINGS = ((2, 0.0), (2, 0.05), (2, 0.2), (2, 0.5), (3, 0.05))
"""Arity and bound."""
TITLES = (
    "adversary, arity, bound",
    "risky alone",
    "pairs",
    "triples",
    *(f"P, R {name}" for name in ("alone", "any", "cover")),
    "queries a document: median, largest",
    "seconds",
)


@dataclass(frozen=True, slots=True)
class AnnotatedJudgment:
    """A judgment as one annotator saw it; ``masked`` by entity."""

    document: Document
    entities: tuple[Entity, ...]
    masked: tuple[bool, ...]


def main(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("data", type=Path, help="folder of tab/, reid/ and background/")
    parser.add_argument("--index", type=Path, help="write the index of the adversary opening here")
    arguments = parser.parse_args()
    data = arguments.data
    if arguments.index:
        built(data, "opening", arguments.index).close()
        return
    annotated = list(read_annotated(data / "tab/dev_real.json"))
    targets = {item.document.id: item.document.target for item in annotated}
    print(f"{len(targets)} documents, {len(annotated)} annotations, ", end="")
    print(f"{sum(len(item.entities) for item in annotated)} entities, ", end="")
    print(f"{sum(sum(item.masked) for item in annotated)} of them masked")
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        for adversary in ADVERSARIES:
            index = built(data, adversary, Path(folder) / f"{adversary}.db")
            known = sum(is_known(index, names) for names in targets.values())
            print(f"{adversary}: {known} of {len(targets)} targets are named in it", flush=True)
            rows += [
                f"| {adversary}, {arity}, {bound} | {measure(annotated, index, arity, bound)} |"
                for arity, bound in SETTINGS
            ]
            index.close()
    print(f"\n| {' | '.join(TITLES)} |\n|{'---|' * len(TITLES)}", *rows, sep="\n")


def measure(annotated: list[AnnotatedJudgment], index: LocalIndex, arity: int, bound: float) -> str:
    """Return the cells of a row but the first."""
    sizes: Counter[int] = Counter()
    hits: Counter[str] = Counter()
    taken: Counter[str] = Counter()
    queries, seconds, to_mask = [], [], 0
    for item in annotated:
        # A new one each time, so that no document profits from the answers to another.
        risk = SearchRisk(index, arity=arity, bound=bound, budget=100_000)
        begun = time.perf_counter()
        report = risk.search(item.document, item.entities)
        seconds.append(time.perf_counter() - begun)
        queries.append(report.queries)
        if report.unasked or report.unknown:
            raise SystemExit(f"{item.document.id}: not everything was asked")
        combinations = [combination.entity_ids for combination in report.combinations]
        sizes.update(map(len, combinations))
        masked = {e.id for e, m in zip(item.entities, item.masked, strict=True) if m}
        to_mask += len(masked)
        for name, members in (
            ("alone", {ids[0] for ids in combinations if len(ids) == 1}),
            ("any", {id for ids in combinations for id in ids}),
            ("cover", cover(item.entities, combinations)),
        ):
            hits[name] += len(members & masked)
            taken[name] += len(members)
    cells = [sizes[1], sizes[2], sizes[3] if arity > 2 else "–"]
    cells += [
        f"{share(hits[name], taken[name])}, {share(hits[name], to_mask)}"
        for name in ("alone", "any", "cover")
    ]
    cells.append(f"{median(queries):.0f}, {max(queries)}")
    cells.append(f"{median(seconds):.3f}, {max(seconds):.3f}")
    return " | ".join(map(str, cells))


def cover(entities: tuple[Entity, ...], combinations: list[tuple[str, ...]]) -> set[str]:
    """Return a smallest set of entities of which every combination holds one."""
    place = {entity.id: index for index, entity in enumerate(entities)}
    risky = [[place[id] for id in ids] for ids in combinations]
    masked = cheapest_cover(entities, risky, [1.0] * len(entities))
    return {entity.id for entity, is_masked in zip(entities, masked, strict=True) if is_masked}


def share(part: int, whole: int) -> str:
    return f"{part / whole:.3f}" if whole else "–"


def is_known(index: LocalIndex, names: tuple[str, ...]) -> bool:
    return any(index.search(Query.of(part), 1) for part in phrases_of_names(names))


def built(data: Path, adversary: str, path: Path) -> LocalIndex:
    tested = {document["doc_id"]: document for document in read(data / "tab/dev.json")}
    with IndexBuilder(path) as builder:
        begun, characters = time.perf_counter(), 0
        for source in ("background/echr_judgments.json.gz", "reid/tab_public_background.json.gz"):
            openings = source.startswith("reid/") and adversary != "others"
            builder.begin(source)
            for name, text in read(data / source).items():
                if openings or name not in tested:
                    builder.add(f"{source}#{name}", text)
                    characters += len(text)
            builder.finish()
        if adversary == "judgment":
            builder.begin("tab/dev.json")
            for name, document in tested.items():
                builder.add(f"tab/dev.json#{name}", document["text"])
                characters += len(document["text"])
            builder.finish()
        seconds = time.perf_counter() - begun
        print(
            f"indexed {builder.written} documents, {characters / 1e6:.1f} million characters, ",
            end="",
        )
    print(f"in {seconds:.1f} s; {path.stat().st_size / 1e6:.1f} MB")
    return LocalIndex(path)


def read(path: Path) -> Any:
    content = path.read_bytes()
    return json.loads(gzip.decompress(content) if path.suffix == ".gz" else content)


def read_annotated(path: Path) -> Iterator[AnnotatedJudgment]:
    for document in read(path):
        applicant = document["meta"]["applicant"]
        names = (applicant, f"{applicant.split()[-1]} v.")
        text = Document(document["doc_id"], document["text"], names)
        for annotator in document["annotations"].values():
            by_entity: dict[str, list[dict[str, Any]]] = {}
            for mention in annotator["entity_mentions"]:
                by_entity.setdefault(mention["entity_id"], []).append(mention)
            entities = tuple(
                Entity(f"e{number}", mentions[0].type, number, mentions)
                for number, mentions in enumerate(map(as_mentions, by_entity.values()), 1)
            )
            masked = tuple(
                any(mention["identifier_type"] != "NO_MASK" for mention in mentions)
                for mentions in by_entity.values()
            )
            yield AnnotatedJudgment(text, entities, masked)


def as_mentions(mentions: list[dict[str, Any]]) -> tuple[Mention, ...]:
    return tuple(
        Mention(
            Span(mention["start_offset"], mention["end_offset"]),
            SemanticType(mention["entity_type"]),
            0.0,
            0.0,
            MentionSource.GOLD,
        )
        for mention in sorted(mentions, key=lambda mention: mention["start_offset"])
    )
