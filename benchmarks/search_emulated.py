"""Compare the emulated search with the search it stands for, on documents that it was not fitted to.

    python -m benchmarks search_emulated DATA        # DATA holds tab/, reid/ and background/

Entities are those of the annotators of ``tab/dev_real.json``, so that detection plays no part. The index is that
of an adversary who has the judgments whole, the bound that of the product; see search_risk.py. First, how far
both agree: entities that are risky alone, and those in any risky combination. Then what each takes for masking,
against the annotators: alone; any; cover, the fewest entities that break all combinations.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from collections import Counter
from pathlib import Path
from statistics import median

from benchmarks.search_risk import AnnotatedJudgment, built, cover, read_annotated
from benchmarks.tables import print_header
from tacenda.risk.indicators import CombinationIndicator
from tacenda.risk.search.indicator import BOUND, SearchRisk
from tacenda_lab.indicators.emulated_search import PredictedSearch

WAYS = ("alone", "any", "cover")


def main(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("data", type=Path, help="folder of tab/, reid/ and background/")
    data = parser.parse_args().data
    annotated = list(read_annotated(data / "tab/dev_real.json"))
    with tempfile.TemporaryDirectory() as folder:
        index = built(data, "judgment", Path(folder) / "index.db")
        emulated = PredictedSearch.shipped()
        agreement: dict[str, Counter[str]] = {way: Counter() for way in WAYS[:2]}
        masking: dict[tuple[str, str], Counter[str]] = {}
        seconds: dict[str, list[float]] = {"index": [], "emulated": []}
        for item in annotated:
            # A new one each time, so that no document profits from the answers to another.
            systems = {
                "index": SearchRisk(index, bound=BOUND, budget=100_000),
                "emulated": emulated,
            }
            found = {}
            for name, system in systems.items():
                begun = time.process_time()
                found[name] = taken(system, item)
                seconds[name].append(time.process_time() - begun)
            masked = {e.id for e, m in zip(item.entities, item.masked, strict=True) if m}
            for way, counts in agreement.items():
                count(counts, found["emulated"][way], found["index"][way])
            for name, sets in found.items():
                for way in WAYS:
                    count(masking.setdefault((name, way), Counter()), sets[way], masked)
        index.close()
    print_header("| emulated, against the index | P | R | F1 |")
    for way, counts in agreement.items():
        print(f"| {way} | {figures(counts)} |")
    print_header("\n| taken for masking | P | R | F1 |")
    for (name, way), counts in masking.items():
        print(f"| {name}, {way} | {figures(counts)} |")
    for name, spent in seconds.items():
        print(
            f"{name}: {median(spent):.3f} s of one core a document (median), {max(spent):.3f} at most"
        )


def taken(system: CombinationIndicator, item: AnnotatedJudgment) -> dict[str, set[str]]:
    combinations = [each.entity_ids for each in system.combinations(item.document, item.entities)]
    return {
        "alone": {ids[0] for ids in combinations if len(ids) == 1},
        "any": {id for ids in combinations for id in ids},
        "cover": cover(item.entities, combinations),
    }


def count(counts: Counter[str], found: set[str], true: set[str]) -> None:
    counts["hits"] += len(found & true)
    counts["found"] += len(found)
    counts["true"] += len(true)


def figures(counts: Counter[str]) -> str:
    precision = counts["hits"] / max(1, counts["found"])
    recall = counts["hits"] / max(1, counts["true"])
    f1 = 2 * counts["hits"] / max(1, counts["found"] + counts["true"])
    return f"{precision:.3f} | {recall:.3f} | {f1:.3f}"
