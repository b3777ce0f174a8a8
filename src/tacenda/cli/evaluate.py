"""``tacenda evaluate masks`` and ``tacenda evaluate report``: the benchmark's figures for systems, as tables and as a page."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NamedTuple

import typer

from .. import plugins
from .options import (
    AsJson,
    Bootstrap,
    Gold,
    IgnoredTokensFile,
    Picture,
    Split,
    Weights,
    WeightsBefore,
    argument,
    cli_option,
    grouped,
    option,
)
from .printing import print_notes, write_output

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from ..evaluate.evaluation import (
        Comparison,
        EvaluationSettings,
        ExtraMeasure,
        PairedTest,
        Report,
    )
    from ..evaluate.systems import SystemFile
    from ..evaluate.utility import Utility

# ``tacenda evaluate masks``: the benchmark's figures for a system's masks.


_Originals = Annotated[str, argument("evaluate.originals", metavar="GOLD")]
_Masks = Annotated[
    list[str] | None, argument("evaluate.masks", metavar="MASKS...", show_default=False)
]


@dataclass(frozen=True, slots=True)
class MeasureOptions:
    """Options for the measures, which ``evaluate masks`` and ``evaluate report`` share."""

    split: Split = None
    weights: Weights = None
    weights_before: WeightsBefore = None
    ignored_tokens: IgnoredTokensFile = None

    def evaluation(self, bootstrap: int) -> EvaluationSettings:
        """Return the settings for ``evaluate``, ``compare`` and ``measure``.

        Raises:
            typer.BadParameter: if ``--weights-before`` is given alone.
        """
        from ..evaluate.evaluation import EvaluationSettings
        from ..evaluate.matching import IgnoredTokenLists
        from ..evaluate.weights import weighting

        if self.weights is None and self.weights_before is not None:
            raise typer.BadParameter("needs --weights bert:NAME", param_hint="--weights-before")
        tokens, weights = self.ignored_tokens, self.weights
        return EvaluationSettings(
            split=self.split,
            ignored_tokens=IgnoredTokenLists.load(tokens) if tokens else None,
            weights=weighting(weights, self.weights_before) if weights is not None else None,
            bootstrap=bootstrap,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class EvaluateSettings:
    """Options of ``tacenda evaluate masks``."""

    by_type: bool = option(False, "--by-type")
    utility: bool = option(False, "--utility")
    similarity: str | None = option(None, show_default=False)
    clusters: int | None = option(None, min=2, show_default=False)
    errors: int = option(0, min=0)
    html: Path | None = option(None)


@grouped
def evaluate_masks(
    gold: _Originals,
    masks: _Masks = None,
    bootstrap: Bootstrap = 0,
    plot: Picture = None,
    as_json: AsJson = False,
    *,
    measures: MeasureOptions,
    settings: EvaluateSettings,
) -> None:
    """Compare masks with gold annotations by the TAB metrics.

    Only documents that both have are counted; the others are named on stderr. A recall of
    nothing (no entity to mask) is null, not 0; the precision of a system that masks nothing is
    0, and both are named on stderr. --plot draws the errors by kind and what leaks by type.

    Examples:
      tacenda evaluate masks gold.json masks.json --by-type --errors 5
      tacenda evaluate masks gold.json ours.json theirs.json --bootstrap 1000
      tacenda evaluate masks notes.jsonl clean.jsonl --utility
    """
    names = masks or []
    if settings.utility and "-" in (gold, *names):
        raise typer.BadParameter("--utility reads files, not stdin")
    utilities = _utilities(gold, names, bootstrap) if settings.utility else {}
    if utilities and not _is_benchmark(gold, names):
        _print_utilities(utilities, as_json=as_json)
        return
    _check_usage(gold, names, settings)
    result = _measure(gold, names, measures, bootstrap, settings, needs_errors=plot is not None)
    if plot:
        plugins.load(plugins.EXTRAS, "evaluation_plot", "--plot")(result.reports, plot)
    print_notes(result.notes)
    if as_json:
        print(json.dumps(_with_utilities(result.view, utilities), indent=1))
        return
    _print(result.reports, result.tests, types=settings.by_type, errors=bool(settings.errors))
    if utilities:
        _print_utilities(utilities, as_json=False)


def _check_usage(gold: str, masks: Sequence[str], settings: EvaluateSettings) -> None:
    """Refuse arguments and options that contradict each other.

    Raises:
        typer.BadParameter: naming one.
    """
    if not masks:
        raise typer.BadParameter("is missing", param_hint="MASKS...")
    if [gold, *masks].count("-") > 1:
        raise typer.BadParameter("only one of GOLD and MASKS can be stdin")
    if settings.clusters and not settings.similarity:
        raise typer.BadParameter("--clusters needs --similarity")
    if settings.html and len(masks) > 1:
        raise typer.BadParameter("--html is for one system")


class _Result(NamedTuple):
    """The systems' reports by name, tests of their differences, and both as JSON."""

    reports: Mapping[str, Report]
    tests: Sequence[PairedTest]
    notes: Sequence[str]
    view: dict[str, object]


def _measure(
    gold: str,
    masks: list[str],
    measures: MeasureOptions,
    bootstrap: int,
    settings: EvaluateSettings,
    *,
    needs_errors: bool,
) -> _Result:
    """Evaluate one system, or compare several; write the page for one."""
    from ..evaluate.evaluation import compare, evaluate
    from ..evaluate.gold import load_gold
    from ..evaluate.systems import SystemFile, load_systems

    documents = load_gold(gold)
    systems = load_systems(
        [SystemFile(name, None, path) for name, path in _systems_by_name(masks).items()]
    )
    shared = measures.evaluation(bootstrap)
    extras: tuple[ExtraMeasure, ...] = ()
    if settings.similarity:
        measure = plugins.load(plugins.EXTRAS, "similarity", "--similarity")
        extras = (measure(settings.similarity, settings.clusters),)
    # A picture also needs the errors.
    options = replace(shared, errors=settings.errors or int(needs_errors), extras=extras)
    result: Report | Comparison
    if len(systems) == 1:
        (system,) = systems
        result = report = evaluate(documents, system.masks, options)
        reports: Mapping[str, Report] = {system.name: report}
        tests: Sequence[PairedTest] = ()
        if settings.html:
            from ..evaluate.curves import run_of
            from ..pages.evaluation import page

            run = run_of(documents, [system], [report], shared, notes=report.notes)
            write_output(page(run).encode(), settings.html)
    else:
        result = compare(documents, {system.name: system.masks for system in systems}, options)
        reports, tests = result.reports, result.tests
    # The JSON contains texts only if errors were requested.
    view = (result if settings.errors else result.without_errors()).as_json()
    return _Result(reports, tests, result.notes, view)


# Utility, for texts with annotations and for any others.


def _utilities(originals: str, sanitized: list[str], resamples: int) -> dict[str, Utility]:
    from ..evaluate.releases import read_pairs, read_releases
    from ..evaluate.utility import RESAMPLES, measure_utility

    systems = (
        {name: read_releases(originals, path) for name, path in _systems_by_name(sanitized).items()}
        if sanitized
        else {Path(originals).stem: read_pairs(originals)}
    )
    return {
        name: measure_utility(releases, resamples or RESAMPLES)
        for name, releases in systems.items()
    }


def _is_benchmark(gold: str, systems: list[str]) -> bool:
    """Return whether there are annotations and masks, so that the benchmark's figures can also be computed."""
    from ..annotations.checked_json import read_json
    from ..evaluate.releases import holds_texts

    if not systems or Path(gold).suffix.lower() != ".json" or any(map(holds_texts, systems)):
        return False
    raw = read_json(gold)
    return isinstance(raw, list) and all(
        isinstance(item, dict) and item.get("annotations") for item in raw
    )


def _print_utilities(utilities: Mapping[str, Utility], *, as_json: bool) -> None:
    from rich.console import Console
    from rich.text import Text

    from ..evaluate.tables import utility_table

    for name, utility in utilities.items():
        print_notes(f"{name}: {note}" for note in utility.notes)
    if as_json:
        views = {name: utility.as_json() for name, utility in utilities.items()}
        only = next(iter(views.values()))
        print(json.dumps({"utility": only} if len(views) == 1 else {"systems": views}, indent=1))
        return
    console = Console()
    console.print(utility_table(utilities))
    for utility in utilities.values():
        console.print(Text(utility.signature, style="dim"), soft_wrap=True)


def _with_utilities(view: dict[str, object], utilities: Mapping[str, Utility]) -> dict[str, object]:
    systems = view.get("systems")
    if isinstance(systems, dict):
        added = {
            name: report | {"utility": utilities[name].as_json()} if name in utilities else report
            for name, report in systems.items()
        }
        return view | {"systems": added}
    for utility in utilities.values():
        return view | {"utility": utility.as_json()}
    return view


def _print(
    reports: Mapping[str, Report], tests: Sequence[PairedTest], *, types: bool, errors: bool
) -> None:
    from rich.console import Console

    from ..evaluate.tables import print_errors, print_reports, print_tests

    console = Console()
    print_reports(console, reports, types=types)
    print_tests(console, tests)
    for name, report in reports.items():
        if errors and report.errors is not None:
            print_errors(console, name, report.errors)


def _systems_by_name(paths: list[str]) -> dict[str, str]:
    """Return the paths by their shortest distinct names.

    Raises:
        typer.BadParameter: if a path is given twice.
    """
    if len(set(paths)) < len(paths):
        raise typer.BadParameter("a MASKS file is given twice")
    stems = ["stdin" if path == "-" else Path(path).stem for path in paths]
    return dict(zip(stems if len(set(stems)) == len(stems) else paths, paths, strict=True))


# ``tacenda evaluate report``: a run as one page with figures, curves, errors, and texts side by
# side.


_LabelledMasks = Annotated[list[str], argument("evaluate.labelled_masks", metavar="MASKS...")]
_Page = Annotated[Path | None, cli_option("evaluate.page", "-o", "--output")]
_Title = Annotated[str, cli_option("evaluate.title", show_default=False)]


@grouped
def report(
    gold: Gold,
    masks: _LabelledMasks,
    bootstrap: Bootstrap = 1000,
    output: _Page = None,
    title: _Title = "",
    *,
    measures: MeasureOptions,
) -> None:
    """Write an HTML report on how well systems mask.

    The page loads nothing from the network. It contains the texts of the documents, so store it
    with them.

    Examples:
      tacenda sanitize gold.json --to json -o ours.jsonl
      tacenda evaluate report gold.json ours.jsonl -o report.html
      tacenda evaluate report gold.json ours.jsonl theirs@0.5=a.json theirs@0.9=b.json -o report.html
    """
    from ..evaluate.curves import measure
    from ..evaluate.gold import load_gold
    from ..evaluate.systems import load_systems
    from ..pages.evaluation import page

    if [gold, *masks].count("-") > 1:
        raise typer.BadParameter("only one of GOLD and MASKS can be stdin")
    run = measure(
        load_gold(gold),
        load_systems(_labelled_sources(masks)),
        measures.evaluation(bootstrap),
        title=title,
    )
    print_notes(run.notes)
    write_output(page(run).encode(), output)


_LABEL = re.compile(r"(?P<name>[^=]+?)(?:@(?P<threshold>[^=@]*))?=(?P<path>.+)", re.DOTALL)


def _labelled_sources(arguments: list[str]) -> list[SystemFile]:
    """Return the files by their system's name: the label, or the shortest distinct name.

    The path of an existing file is a path, even with a ``=`` in it.

    Raises:
        typer.BadParameter: if a file is given twice, or a threshold isn't in [0, 1].
    """
    from ..evaluate.systems import SystemFile

    if len(set(arguments)) < len(arguments):
        raise typer.BadParameter("a MASKS file is given twice")
    labels = {
        argument: match
        for argument in arguments
        if (match := _LABEL.fullmatch(argument)) and not Path(argument).exists()
    }
    paths = [argument for argument in arguments if argument not in labels]
    stems = ["stdin" if path == "-" else Path(path).stem for path in paths]
    label_names = {match["name"] for match in labels.values()}
    are_clear = len(set(stems)) == len(stems) and label_names.isdisjoint(stems)
    names = dict(zip(paths, stems if are_clear else paths, strict=True))
    return [
        SystemFile(labels[argument]["name"], _threshold(argument, labels[argument]), path)
        if argument in labels and (path := labels[argument]["path"])
        else SystemFile(names[argument], None, argument)
        for argument in arguments
    ]


def _threshold(argument: str, label: re.Match[str]) -> float | None:
    stated = label["threshold"]
    if stated is None:
        return None
    try:
        value = float(stated)
    except ValueError:
        value = -1.0
    if not 0 <= value <= 1:
        raise typer.BadParameter(f"{argument!r}: threshold {stated!r} is not a number from 0 to 1")
    return value
