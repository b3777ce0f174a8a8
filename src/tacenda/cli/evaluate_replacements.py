"""``tacenda evaluate-replacements``: is what we would write instead what people chose?"""

from __future__ import annotations

import json
from collections.abc import Iterable
from functools import cache
from typing import TYPE_CHECKING, Annotated, Any

import typer

from .options import AsJson, Gold, Picture

if TYPE_CHECKING:
    from ..document import Document, Entity, Option


def evaluate_replacements(
    gold: Gold,
    residual_risk: Annotated[
        float | None,
        typer.Option(min=0, max=1, help="Highest residual risk; that of the default policy."),
    ] = None,
    plot: Picture = None,
    as_json: AsJson = False,
) -> None:
    """Measure what is written instead, on gold in the format of WikiReplace.

    Whether people's choices are offered (Olstad et al., Table 2), whether ours is theirs, how far
    they agree with one another (--plot draws it, Figure 2), and whether an option names its entity
    or is not above what that is linked to.
    """
    from ..evaluate.replacement_gold import load_replacements, measure_annotators
    from ..evaluate.replacements.checks import find_faults
    from ..evaluate.replacements.choices import measure_choices
    from ..evaluate.replacements.coverage import measure_coverage
    from ..policy import Policy
    from ..rewrite.generalize.candidates import strings
    from ..rewrite.generalize.options import rules, shipped_ranker
    from .linked_classes import LinkedClasses

    bound = Policy().residual_risk if residual_risk is None else residual_risk
    known = LinkedClasses.load()
    of_type, ranker = rules(known.knowledge), shipped_ranker()

    @cache
    def offer(document: Document, entity: Entity) -> tuple[Option, ...]:
        return of_type[entity.type].options(document, entity)

    def choose(document: Document, entity: Entity, options: tuple[Option, ...]) -> Option:
        return ranker.choose(entity.type, strings(document, entity), options, bound)

    spans = load_replacements(gold)
    coverage = measure_coverage(spans, offer)
    choices = measure_choices(spans, offer, choose)
    annotators = measure_annotators(spans)
    faults = find_faults(spans, offer, known.above)
    seen = fitted_to({span.document.text for span in spans})
    if plot:
        from ..evaluate.plots.kappa_map import kappa_map
        from ..evaluate.plots.saving import save

        save(kappa_map(annotators), plot)
    if as_json:
        found: dict[str, Any] = coverage.as_json() | {
            "choice": choices.as_json() | {"residual_risk": bound, "documents_fitted_to": seen},
            "annotators": annotators.as_json(),
            "faults": faults.as_json(),
        }
        print(json.dumps(found, indent=1))
        return
    from .replacement_tables import show

    show(coverage, choices, annotators, faults, seen)


def fitted_to(texts: Iterable[str]) -> int:
    """Return how many of some documents the shipped ranker was fitted to."""
    from ..models.tables import load_weights, text_digest

    known = load_weights().fitted_to
    return sum(text_digest(text) in known for text in texts)
