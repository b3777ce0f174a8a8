"""``tacenda evaluate replacements``: compare our replacements with the ones people chose."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from functools import cache, partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer
from rich.console import Console
from rich.table import Table
from rich.text import Text

from tacenda.cli.options import AsJson, Gold, Picture
from tacenda.evaluate.replacement_gold import AnnotatorAgreement
from tacenda.evaluate.tables import count_table, format_coefficient, format_share

if TYPE_CHECKING:
    from tacenda.document import Document, Entity, Option
    from tacenda.evaluate.replacement_gold import ReplacedSpan
    from tacenda.evaluate.utility import Estimate

    from ..evaluation.replacements import (
        Above,
        ChoiceAgreement,
        Choose,
        Offer,
        OptionCoverage,
        OptionFaults,
    )
    from ..evaluation.writing import Writing


# ``tacenda evaluate replacements``: measure our replacements against people's choices.


def evaluate_replacements(
    gold: Gold,
    residual_risk: Annotated[
        float | None,
        typer.Option(
            min=0, max=1, help="Highest residual risk; by default that of the default policy."
        ),
    ] = None,
    plot: Picture = None,
    page: Annotated[
        Path | None,
        typer.Option(
            "--page",
            metavar="FILE",
            help="Also write a page (.html) of all places before and after; it contains the originals.",
        ),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Measure replacements against gold data in the format of WikiReplace.

    Shows whether people's choices are among our options (Olstad et al., Table 2), whether we choose
    the same, how far people agree with one another (--plot draws Figure 2), and whether an option
    names its entity or isn't a class of what the entity is linked to. For the resulting texts, it
    shows how much is ***, and how much is kept, true and grammatical. Intervals are 95 %, by
    bootstrap over documents.
    """
    from tacenda.evaluate.replacement_gold import load_replacements, measure_annotators
    from tacenda.policy import Policy

    from ..evaluation.replacements import find_faults, measure_choices, measure_coverage

    bound = Policy().residual_risk if residual_risk is None else residual_risk
    offer, choose, above = _system(bound)
    spans = load_replacements(gold)
    coverage = measure_coverage(spans, offer)
    choices = measure_choices(spans, offer, choose)
    annotators = measure_annotators(spans)
    faults = find_faults(spans, offer, above)
    writing = _measure_writing(spans, offer, choose, above, bound)
    overlap = training_overlap({span.document.text for span in spans})
    if plot:
        from ..evaluation.plots import kappa_map, save

        save(kappa_map(annotators), plot)
    if page:
        write_page(writing, page)
    if as_json:
        figures: dict[str, Any] = coverage.as_json() | {
            "choice": choices.as_json() | {"residual_risk": bound, "documents_fitted_to": overlap},
            "annotators": annotators.as_json(),
            "faults": faults.as_json(),
            "writing": writing.as_json(),
        }
        print(json.dumps(figures, indent=1))
        return

    show(coverage, choices, annotators, faults, overlap)
    show_writing(writing)


def _system(bound: float) -> tuple[Offer, Choose, Above]:
    """Return functions for the options of an entity, the option we choose, and the classes above it."""
    from tacenda.rewrite.generalize.candidates import strings
    from tacenda.rewrite.generalize.options import rules, shipped_ranker

    from ..evaluation.replacements import LinkedClasses

    classes = LinkedClasses.load()
    of_type, ranker = rules(classes.knowledge), shipped_ranker()

    @cache
    def offer(document: Document, entity: Entity) -> tuple[Option, ...]:
        return of_type[entity.type].options(document, entity)

    def choose(document: Document, entity: Entity, options: tuple[Option, ...]) -> Option:
        return ranker.choose(entity.type, strings(document, entity), options, bound)

    return offer, choose, classes.above


def _measure_writing(
    spans: Sequence[ReplacedSpan], offer: Offer, choose: Choose, above: Above, bound: float
) -> Writing:
    from tacenda.models.networks import LanguageModel

    from ..evaluation.writing import measure_writing
    from ..indicators.language import surprisal

    surprisal_by = partial(surprisal, model=LanguageModel.load())
    return measure_writing(spans, offer, choose, above, surprisal_by, bound)


def training_overlap(texts: Iterable[str]) -> int:
    """Return the number of documents among the shipped ranker's training data."""
    from tacenda.models.tables import load_weights, text_digest

    digests = load_weights().fitted_to
    return sum(text_digest(text) in digests for text in texts)


# The figures of ``tacenda evaluate replacements`` on the terminal.


_HEAT: Final = 160
"""Blue of the cell of two annotators who agree fully, of 255; below chance it has none."""


def show(
    coverage: OptionCoverage,
    choices: ChoiceAgreement,
    annotators: AnnotatorAgreement,
    faults: OptionFaults,
    fitted_to: int,
) -> None:
    """Print all figures of replacements.

    Args:
        coverage: of people's choices.
        choices: ours against theirs.
        annotators: against one another.
        faults: of the options; each is listed by its place.
        fitted_to: number of documents among the ranker's training data.
    """
    console = Console()
    console.print(_spans(coverage))
    console.print(_levels(coverage))
    console.print(_choices(choices))
    if fitted_to:
        _say(
            console,
            f"The ranker was fitted to {fitted_to} of these documents; `tacenda lab train "
            "ranker` shows its quality on others.",
        )
    if annotators.kappa:
        console.print(_heat_map(annotators))
    _say(
        console,
        f"Light's κ: {format_coefficient(annotators.light_kappa)}, over {annotators.spans:,} spans that "
        "several annotators chose for",
    )
    _say(
        console,
        f"{faults.options:,} options: {faults.naming:,} name their entity; {faults.linked:,} are "
        f"classes of linked entities, {faults.untrue:,} of them not above what is linked",
    )
    for place in faults.places:
        _say(console, f"  {place}")


def show_writing(writing: Writing) -> None:
    """Print the figures of the resulting texts."""
    from ..evaluation.writing import FIGURES

    console = Console()
    rows = [
        (name, f"{writing.figures[name].documents:,}", _estimate(writing.figures[name]))
        for name in FIGURES
    ]
    console.print(count_table("Replacements, with 95 % intervals", ["", "of", "share"], rows))
    by_figure = [
        [name, *(format_coefficient(figures[name].value) for figures in writing.by_type.values())]
        for name in FIGURES
    ]
    console.print(count_table("By type", ["", *writing.by_type], by_figure))
    kinds = ", ".join(f"{kind} {n:,}" for kind, n in writing.errors.most_common()) or "none"
    _say(console, f"Grammar errors: {kinds}. kept_nats and told_nats are of nats.")


def _estimate(estimate: Estimate) -> str:
    if estimate.value is None or estimate.interval is None:
        return "–"
    low, high = estimate.interval
    return f"{estimate.value:.3f} [{low:.3f}, {high:.3f}]"


def write_page(writing: Writing, path: Path) -> None:
    """Write a page of all places before and after, with people's choices and the faults found."""
    from tacenda.atomic import write_atomically
    from tacenda.pages.replacements import Pair, Place
    from tacenda.pages.replacements import page as page_of

    documents = []
    for one in writing.documents:
        pairs = []
        for piece in one.pieces:
            notes = [f"people: {' · '.join(piece.chosen)}"] if piece.chosen else []
            notes += [] if piece.kept is None else [f"keeps {piece.kept:.0%}"]
            notes += [f"grammar: {kind}" for kind in piece.errors]
            before, after = (
                Place.of(one.document.text, piece.span),
                Place.of(one.text, piece.output),
            )
            pairs.append(Pair(str(piece.type), before, after, notes))
        documents.append((one.document.id, pairs))
    write_atomically(path, page_of(documents).encode("utf-8"))


def _spans(coverage: OptionCoverage) -> Table:
    header = ["type", "spans", "with an option", "chosen is offered"]
    rows = [
        (
            type,
            part.spans,
            format_share(part.with_option, part.spans),
            f"{format_share(part.chosen_offered, part.decided)} of {part.decided:,}",
        )
        for type, part in [*coverage.by_type.items(), ("all", coverage.total)]
    ]
    return count_table("Spans", header, rows)


def _levels(coverage: OptionCoverage) -> Table:
    from ..evaluation.replacements import NOT_OFFERED, SUPPRESSED

    numbers = {level for level in coverage.total.levels if level.isdigit()}
    levels = [*sorted(numbers, key=int), NOT_OFFERED, SUPPRESSED]
    header = ["type", *(f"level {level}" if level.isdigit() else level for level in levels)]
    rows: list[list[str | int]] = [
        [type, *(part.levels.get(level, 0) for level in levels)]
        for type, part in [*coverage.by_type.items(), ("all", coverage.total)]
    ]
    return count_table("Choices by level of ours", header, rows)


def _choices(choices: ChoiceAgreement) -> Table:
    header = ["type", "spans", "any's choice", "most's choice", "ours ***", "theirs ***", "level"]
    rows = [
        (
            type,
            part.spans,
            format_share(part.any, part.spans),
            format_share(part.most, part.spans),
            part.suppressed,
            part.people_suppressed,
            "–" if part.mean_difference is None else f"{part.mean_difference:+.2f}",
        )
        for type, part in [*choices.by_type.items(), ("all", choices.total)]
    ]
    return count_table("Our choice against people's; level: ours less theirs", header, rows)


def _heat_map(agreement: AnnotatorAgreement) -> Table:
    table = Table(title="Figure 2: Cohen's κ of each two annotators", title_justify="left")
    table.add_column("")
    for name in agreement.annotators[:-1]:
        table.add_column(_short(name, agreement.annotators), justify="right")
    for row, annotator in enumerate(agreement.annotators[1:], start=1):
        cells = []
        for one in agreement.annotators[:row]:
            kappa = agreement.kappa.get((one, annotator))
            blue = round(_HEAT * max(kappa or 0.0, 0.0))
            style = "dim" if kappa is None else f"white on rgb(0,{blue // 2},{blue})"
            cells.append(Text("–" if kappa is None else f"{kappa:.2f}", style=style))
        table.add_row(_short(annotator, agreement.annotators), *cells)
    return table


def _short(name: str, names: tuple[str, ...]) -> str:
    """Return an annotator's name without the common prefix of all names."""
    shared = 0
    while len({candidate[: shared + 1] for candidate in names}) == 1 and shared < len(name) - 1:
        shared += 1
    return name[shared:]


def _say(console: Console, text: str) -> None:
    console.print(text, highlight=False, soft_wrap=True)
