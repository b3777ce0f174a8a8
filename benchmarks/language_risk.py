"""Measure the indicators that ask the embedded language model against annotators' masking.

    python -m benchmarks language_risk DATA        # DATA holds tab/dev_real.json

Entities are those of each annotator, so that detection plays no part; an entity is to be masked if any
of its mentions is QUASI or DIRECT; the target is the applicant. What is taken for risky: of *type alone*
and of the indicators what they call QUASI, of the combinations, *any*, what is in one, and *cover*, the
fewest entities that break all of them. *Pairs in order*: of a masked entity and one that is not, how often
the masked one is the more surprising (the area under the ROC curve of the summed log-probability). Nothing was fitted to these documents. Times are of one process
on one thread, the language model's answers forgotten before each indicator.
"""

from __future__ import annotations

import argparse
import time
from collections import defaultdict
from collections.abc import Callable, Sequence
from pathlib import Path

from benchmarks.tables import print_header
from tacenda.document import IdentifierType
from tacenda.models.networks import LanguageModel
from tacenda.risk.indicators import Finding
from tacenda_lab.indicators.combinations import LanguageCombinations
from tacenda_lab.indicators.language import (
    REDUCTIONS,
    LanguageRisk,
    LanguageThreshold,
    chance,
    features,
    load_language_risk,
)
from tacenda_lab.indicators.perturbation import Perturbation
from tacenda_lab.reproduce.strategies import cheapest_cover
from tacenda_lab.train.corpus import AnnotatorView, read_annotated

Indices = set[int]


def main(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("data", type=Path, help="folder of tab/")
    documents = list(read_annotated(parser.parse_args().data / "tab/dev_real.json"))
    model = LanguageModel.load()
    weights = load_language_risk()
    perturbation = Perturbation(model, weights.alone, weights.among)
    methods: dict[str, Callable[[AnnotatorView], Indices]] = {
        "everything": lambda item: set(range(len(item.entities))),
        "type alone": lambda item: of_types(item, weights.types),
        "language_threshold": lambda item: quasi(
            LanguageThreshold(model, weights.surprise).judge(item.document, item.entities)
        ),
        "language": lambda item: quasi(
            LanguageRisk(model, weights.weights).judge(item.document, item.entities)
        ),
        "perturbation": lambda item: quasi(perturbation.judge(item.document, item.entities)),
        "language_together, any": lambda item: members(together(model, item)),
        "language_together, cover": lambda item: cover(item, together(model, item)),
    }
    entities = sum(len(item.entities) for item in documents)
    masked = sum(sum(item.masked) for item in documents)
    print(
        f"{len(documents)} documents, {entities} entities, {masked} of them masked; {model.name}\n"
    )
    print_header("| | P | R | F1 | seconds a document |")
    for name, method in methods.items():
        measure(name, method, documents)
    print_header("\n| type | entities | masked | pairs in order |")
    by_type(model, documents)


def by_type(model: LanguageModel, documents: Sequence[AnnotatorView]) -> None:
    found: dict[str, list[tuple[float, bool]]] = defaultdict(list)
    for item in documents:
        sums = features(item.document, item.entities, model)[:, REDUCTIONS.index("sum")]
        for entity, sum_, masked in zip(item.entities, sums, item.masked, strict=True):
            found[entity.type].append((float(sum_), masked))
            found["all"].append((float(sum_), masked))
    for name, pairs in sorted(found.items()):
        masked = [sum_ for sum_, mask in pairs if mask]
        others = [sum_ for sum_, mask in pairs if not mask]
        order = [(a < b) + (a == b) / 2 for a in masked for b in others]
        share = f"{sum(order) / len(order):.3f}" if order else "–"
        print(f"| {name} | {len(pairs)} | {len(masked)} | {share} |")


def measure(
    name: str, method: Callable[[AnnotatorView], Indices], documents: Sequence[AnnotatorView]
) -> None:
    hits = taken = masked = 0
    begun = time.process_time()
    for item in documents:
        found = method(item)
        truth = {index for index, mask in enumerate(item.masked) if mask}
        hits += len(found & truth)
        taken += len(found)
        masked += len(truth)
    seconds = (time.process_time() - begun) / len(documents)
    precision, recall = hits / max(1, taken), hits / max(1, masked)
    f1 = 2 * hits / max(1, taken + masked)
    print(f"| {name} | {precision:.3f} | {recall:.3f} | {f1:.3f} | {seconds:.2f} |")


def quasi(findings: Sequence[Finding | None]) -> Indices:
    return {
        index
        for index, finding in enumerate(findings)
        if finding is not None and finding.identifier is not IdentifierType.NO_MASK
    }


def of_types(item: AnnotatorView, weights: dict[str, float]) -> Indices:
    return {
        index
        for index, entity in enumerate(item.entities)
        if chance(weights, {f"type {entity.type}": 1.0}) >= 0.5
    }


def together(model: LanguageModel, item: AnnotatorView) -> list[tuple[int, ...]]:
    place = {entity.id: index for index, entity in enumerate(item.entities)}
    indicator = LanguageCombinations(model, load_language_risk().together)
    found = indicator.combinations(item.document, item.entities)
    return [tuple(place[id] for id in combination.entity_ids) for combination in found]


def members(combinations: Sequence[tuple[int, ...]]) -> Indices:
    return {index for combination in combinations for index in combination}


def cover(item: AnnotatorView, combinations: Sequence[tuple[int, ...]]) -> Indices:
    """Return a smallest set of entities of which every combination holds one."""
    masked = cheapest_cover(item.entities, combinations, [1.0] * len(item.entities))
    return {index for index, is_masked in enumerate(masked) if is_masked}
