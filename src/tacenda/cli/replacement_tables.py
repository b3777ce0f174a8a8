"""The figures of ``tacenda evaluate-replacements`` on the terminal."""

from __future__ import annotations

from typing import Final

from rich.console import Console
from rich.table import Table
from rich.text import Text

from ..evaluate.replacement_gold import AnnotatorAgreement
from ..evaluate.replacements.checks import OptionFaults
from ..evaluate.replacements.choices import ChoiceAgreement
from ..evaluate.replacements.coverage import NOT_OFFERED, SUPPRESSED, Coverage
from ..evaluate.tables import coefficient, count_table, share

_HEAT: Final = 160
"""Blue of the cell of two annotators who agree fully, of 255; below chance it has none."""


def show(
    coverage: Coverage,
    choices: ChoiceAgreement,
    annotators: AnnotatorAgreement,
    faults: OptionFaults,
    fitted_to: int,
) -> None:
    """Print all of it.

    Args:
        coverage: of what people chose.
        choices: ours against theirs.
        annotators: against one another.
        faults: of the options; each is listed by its place.
        fitted_to: how many of the documents the ranker was fitted to.
    """
    console = Console()
    console.print(_spans(coverage))
    console.print(_levels(coverage))
    console.print(_choices(choices))
    if fitted_to:
        _say(
            console,
            f"The ranker was fitted to {fitted_to} of these documents; what it is worth on others, "
            "`tacenda train ranker` says.",
        )
    if annotators.kappa:
        console.print(_heat_map(annotators))
    _say(
        console,
        f"Light's κ: {coefficient(annotators.light_kappa)}, over {annotators.spans:,} spans that "
        "several annotators chose for",
    )
    _say(
        console,
        f"{faults.options:,} options: {faults.naming:,} name their entity; {faults.linked:,} are "
        f"classes of linked entities, {faults.untrue:,} of them not above what is linked",
    )
    for place in faults.places:
        _say(console, f"  {place}")


def _spans(coverage: Coverage) -> Table:
    header = ["type", "spans", "with an option", "chosen is offered"]
    rows = [
        (
            type,
            part.spans,
            share(part.with_option, part.spans),
            f"{share(part.chosen_offered, part.decided)} of {part.decided:,}",
        )
        for type, part in [*coverage.by_type.items(), ("all", coverage.total)]
    ]
    return count_table("Spans", header, rows)


def _levels(coverage: Coverage) -> Table:
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
            share(part.any, part.spans),
            share(part.most, part.spans),
            part.suppressed,
            part.people_suppressed,
            "–" if part.mean_difference is None else f"{part.mean_difference:+.2f}",
        )
        for type, part in [*choices.by_type.items(), ("all", choices.total)]
    ]
    return count_table("Our choice against people's; level: ours less theirs", header, rows)


def _heat_map(found: AnnotatorAgreement) -> Table:
    table = Table(title="Figure 2: Cohen's κ of each two annotators", title_justify="left")
    table.add_column("")
    for name in found.annotators[:-1]:
        table.add_column(_short(name, found.annotators), justify="right")
    for row, other in enumerate(found.annotators[1:], start=1):
        cells = []
        for one in found.annotators[:row]:
            kappa = found.kappa.get((one, other))
            blue = round(_HEAT * max(kappa or 0.0, 0.0))
            style = "dim" if kappa is None else f"white on rgb(0,{blue // 2},{blue})"
            cells.append(Text("–" if kappa is None else f"{kappa:.2f}", style=style))
        table.add_row(_short(other, found.annotators), *cells)
    return table


def _short(name: str, names: tuple[str, ...]) -> str:
    """Return what tells an annotator from the others, where all names begin the same."""
    shared = 0
    while len({each[: shared + 1] for each in names}) == 1 and shared < len(name) - 1:
        shared += 1
    return name[shared:]


def _say(console: Console, text: str) -> None:
    console.print(text, highlight=False, soft_wrap=True)
