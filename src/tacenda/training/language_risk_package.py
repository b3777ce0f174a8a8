"""The folder with what was fitted to a language model's answers, and its card."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Mapping
from pathlib import Path

from ..models.language_risk import LANGUAGE_RISK_FILE, LanguageRiskWeights
from ..models.store import digest
from ..risk.language.subwords import LanguageModel
from .annotated import first_annotations
from .language_risk_observed import observe
from .language_risk_recipe import FOLDS, Score, cross_validated, fit


def train_language_risk(gold: Path, model: LanguageModel, folder: Path) -> dict[str, Score]:
    """Fit the indicators to a gold file, write the folder that is shipped, and return its worth.

    Args:
        gold: documents in TAB's standoff form; of each, the first annotator's view is taken.
        model: the language model to ask.
        folder: made if it is not there.

    Returns:
        The score of each method by cross-validation over documents.

    Raises:
        InputError: the file is no gold.
    """
    observed = []
    began = time.perf_counter()
    documents = first_annotations(gold)
    for number, annotated in enumerate(documents, 1):
        observed.append(observe(annotated, model))
        if number % 20 == 0 or number == len(documents):
            seconds = time.perf_counter() - began
            print(f"{number}/{len(documents)} {seconds:.0f}s", file=sys.stderr, flush=True)
    found = cross_validated(observed, model.name)
    weights = fit(observed, model.name)
    entities = sum(len(each.masked) for each in observed)
    write_language_risk(weights, found, (len(documents), entities, digest(gold)), folder)
    return found


def write_language_risk(
    weights: LanguageRiskWeights,
    found: Mapping[str, Score],
    gold: tuple[int, int, str],
    folder: Path,
) -> None:
    """Write the weights, ``CARD.md`` and ``digests.json``.

    Args:
        weights: what is shipped.
        found: scores for the card.
        gold: documents, entities and digest of what it was fitted to.
        folder: made if it is not there.
    """
    folder.mkdir(parents=True, exist_ok=True)
    (folder / LANGUAGE_RISK_FILE).write_text(weights.as_json(), encoding="utf-8")
    rows = "\n".join(
        f"| {name} | {score.precision:.3f} | {score.recall:.3f} | {score.f1:.3f} |"
        for name, score in found.items()
    )
    documents, entities, sha = gold
    card = _CARD.format(
        name=folder.name,
        model=weights.model,
        documents=documents,
        entities=entities,
        sha=sha[:16],
        folds=FOLDS,
        rows=rows,
    )
    (folder / "CARD.md").write_text(card, encoding="utf-8")
    digests = {name: digest(folder / name) for name in ("CARD.md", LANGUAGE_RISK_FILE)}
    (folder / "digests.json").write_text(json.dumps(digests, indent=1) + "\n", encoding="utf-8")


_CARD = """\
# {name}

What the indicators `language`, `language_threshold`, `language_together` and `perturbation` were fitted to: the
weights of a logistic regression and four thresholds, in `language-risk.json`, for the answers of `{model}` and no
other model. `tacenda.risk.language` reads it.

**Fitted to** the masking of {entities} entities in {documents} judgments of the Text Anonymization Benchmark, as
the first annotator of each marked them (SHA-256 of the file {sha}…). The threshold of an
entity alone is where the harmonic mean of precision and recall is highest; the others, where that would be to mask
everything, are where recall is furthest above the share of others that are taken. The regression has a ridge.

**Measured** by cross-validation in {folds} folds of whole documents, on the entities that annotators marked:
precision and recall of what each takes for risky, against what was masked. *everything* masks all, *type alone* is
the regression without the language model.

| | P | R | F1 |
|---|---|---|---|
{rows}

**Limits.** English court judgments; the perturbation has nothing to say where a document names no target. The
combinations are those of two.

**Licence.** Apache-2.0; no text of the annotated documents is in it.

**Rebuild.** `tacenda train language-risk GOLD --out FOLDER`. SHA-256 of each file: `digests.json`, compared whenever
it is loaded.
"""
