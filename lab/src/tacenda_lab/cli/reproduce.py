"""``tacenda lab reproduce``: the tables and figures of five papers, with ours next to theirs."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from importlib import import_module
from pathlib import Path
from typing import Annotated, Final

import typer

from ..reproduce.means import (
    DEIDENTIFICATION,
    INDICATORS,
    MEASURES,
    ONLY_FOR,
    REPLACEMENT,
    TAB,
    Means,
)
from ..train.extra import training_extra
from .training_options import folder_option, refuse_given, settings_options

PAPERS: Final = {
    TAB: "benchmark",
    MEASURES: "risk_measures",
    DEIDENTIFICATION: "deidentification",
    REPLACEMENT: "replacements",
    INDICATORS: "indicators",
}
"""Modules of ``tacenda_lab.reproduce``, by the name of the paper; a paper's number is its place, in three digits."""
_TOY_EPOCHS: Final = 2
"""At most, of an attacker's encoders: in each of them one learns."""
_TOY_DOCUMENTS: Final = 4
"""Number of toy pairs to attack."""


_Paper = Annotated[
    str,
    typer.Argument(
        metavar="PAPER",
        help="tab (or 000): the Text Anonymization Benchmark; explicit-measures (001): explicit measures of privacy risk; "
        "deidentification (002): unsupervised deidentification; replacement (003): replacement options; "
        "indicators (004): privacy risk indicators.",
    ),
]
_ReleasedFiles = Annotated[
    Path | None,
    typer.Option(
        help="Folder of the files as their authors release them: echr_train.json, echr_dev.json, "
        "echr_test.json, annotated_wikipedia.json, wiki_replace.json, wikibio's train.box and test.box with what belongs to them "
        "(or pairs_train.jsonl and pairs_test.jsonl).",
        exists=True,
        file_okay=False,
    ),
]


@settings_options("means", Means)
def reproduce(
    call: typer.Context,
    means: Means,
    paper: _Paper,
    data: _ReleasedFiles = None,
    out: Annotated[
        Path | None,
        folder_option(
            "Folder for tables and figures; reproduced-PAPER by default. A stopped run can be resumed."
        ),
    ] = None,
    toy: Annotated[
        bool,
        typer.Option(
            "--toy",
            help="Use small made-up files and tiny random models instead, to run every step in minutes.",
        ),
    ] = False,
    only: Annotated[
        list[str] | None,
        typer.Option(help='Only this table or figure, such as "Table 6"; may be repeated.'),
    ] = None,
) -> None:
    """Reproduce the tables and figures of a paper, next to the published ones.

    Missing results are listed with what they need, and results that nothing can provide with the
    reason. Writes report.md, a JSON file per table, and figures as PDF and SVG. The exit code is 1
    if something is missing and 0 otherwise.

    Examples:
      tacenda lab reproduce tab --toy --out toy

      tacenda lab reproduce tab --data TAB --encoder longformer-base-4096 --language-model bert-base-uncased

      tacenda lab reproduce explicit-measures --data TAB --encoder roberta-base --lm roberta-base --context entire

      tacenda lab reproduce deidentification --pairs test.box --attacker bm25 --attacker encoder:rr --attacker encoder:rt --documents 100
    """
    paper = _numbered().get(paper, paper)
    _check(call, paper, means)
    if toy == (data is not None or means.pairs_test is not None):
        raise typer.BadParameter("give either --data or --toy", param_hint="--data")
    from tacenda.atomic import write_atomically

    from ..reproduce.tables import report, run
    from ..reproduce.workbench import Workbench

    module = import_module(f"tacenda_lab.reproduce.{PAPERS[paper]}")
    experiments = [each for each in module.EXPERIMENTS if not only or each.name in only]
    if not experiments:
        known = ", ".join(each.name for each in module.EXPERIMENTS)
        raise typer.BadParameter(
            f"none of these is in the paper; choose from {known}", param_hint="--only"
        )
    folder = out or Path(f"reproduced-{paper}")
    outcomes = []
    # With the user's own pairs and no data folder, there is nothing else to look for.
    with _source(paper, data or (None if toy else folder), means) as (source, given):
        workbench = Workbench(source, folder / "work", given)
        for outcome in run(experiments, workbench, folder):
            outcomes.append(outcome)
            experiment = outcome.experiment
            typer.echo(f"{experiment.name}, {experiment.title}: {outcome.state}", err=True)
    title = f"{module.TITLE} ({paper})" + (", on toy data: the figures mean nothing" if toy else "")
    write_atomically(folder / "report.md", report(title, outcomes).encode())
    typer.echo(str(folder / "report.md"))
    if any(outcome.missing for outcome in outcomes):
        raise typer.Exit(1)


def _check(call: typer.Context, paper: str, means: Means) -> None:
    """Refuse an unknown paper, and options that the paper would ignore."""
    if paper not in PAPERS:
        raise typer.BadParameter(f"must be one of {', '.join(PAPERS)}", param_hint="PAPER")
    for name, papers in ONLY_FOR.items():
        if paper not in papers:
            refuse_given(call, [name], f"is only for {' and '.join(papers)}")
    for name in means.indicators:
        _check_indicator(name)
    if bool(means.text_encoders) != bool(means.profile_encoders):
        raise typer.BadParameter("goes with --profile-encoder", param_hint="--text-encoder")


def _numbered() -> dict[str, str]:
    """Return the names of the papers by their numbers, 000 to 004."""
    return {f"{number:03}": name for number, name in enumerate(PAPERS)}


def _check_indicator(name: str) -> None:
    """Refuse a name that would leave the shipped indicator in place."""
    from tacenda import plugins

    kinds = sorted(plugins.LAB[plugins.INDICATORS])
    kind, _, folder = name.partition(":")
    if kind not in kinds or not folder:
        raise typer.BadParameter(
            f"{name!r} must be KIND:FOLDER with a kind of {', '.join(kinds)}",
            param_hint="--indicator",
        )


@contextmanager
def _source(paper: str, data: Path | None, means: Means) -> Iterator[tuple[Path, Means]]:
    """Provide the data folder, or toy data and toy models that exist until the block ends."""
    if data is not None:
        yield data, means
        return
    from tacenda.models.store import DEFAULT

    from ..reproduce import toy

    with tempfile.TemporaryDirectory() as temporary, training_extra():
        folder = Path(temporary)
        corpus = folder / "data"
        toy.write(corpus)
        bert = str(toy.masked_language_model(corpus, folder / "bert"))
        means = replace(
            means,
            documents=min(means.documents, _TOY_DOCUMENTS),
            epochs=min(means.epochs, _TOY_EPOCHS),
            language_model=means.language_model or bert,
            spacy_model=means.spacy_model or str(toy.spacy_pipeline(folder / "spacy")),
        )
        if paper == TAB:
            longformer = means.encoder or str(toy.long_encoder(corpus, folder / "longformer"))
            means = replace(means, encoder=longformer)
        if paper in (MEASURES, INDICATORS):
            means = replace(means, zero_shot=means.zero_shot or DEFAULT)
        if paper == MEASURES:
            index = means.index or toy.search_index(corpus, folder / "index.db")
            means = replace(means, index=index, lm=means.lm or f"hf:{bert}")
        if paper == DEIDENTIFICATION and not (means.attackers or means.text_encoders):
            roberta = str(toy.byte_encoder(corpus, folder / "roberta"))
            tapas = str(toy.table_encoder(corpus, folder / "tapas"))
            means = replace(means, text_encoders=(roberta, bert), profile_encoders=(roberta, tapas))
        yield corpus, means
