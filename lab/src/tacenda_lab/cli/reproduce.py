"""``tacenda lab reproduce``: the tables and figures of the five papers, ours beside theirs."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final, Literal

import typer

from .training_options import folder_option, training_extra

if TYPE_CHECKING:
    from ..reproduce.workbench import Means

_TAB, _MEASURES, _DEIDENTIFICATION = "tab", "explicit-measures", "deidentification"
_REPLACEMENT, _INDICATORS = "replacement", "indicators"
PAPERS: Final = {
    _TAB: "benchmark",
    _MEASURES: "risk_measures",
    _DEIDENTIFICATION: "deidentification",
    _REPLACEMENT: "replacements",
    _INDICATORS: "indicators",
}
"""Modules of ``tacenda_lab.reproduce``, by the name of the paper; a paper's number is its place, in three digits."""
_OF_RISK: Final = (_MEASURES, _INDICATORS)
_TOY_EPOCHS: Final = 2
"""At most, of an attacker's encoders: in each of them one learns."""
_TOY_DOCUMENTS: Final = 4
"""Of the toy pairs, so many are attacked."""


def reproduce(
    paper: Annotated[
        str,
        typer.Argument(
            metavar="PAPER",
            help="tab (or 000): the Text Anonymization Benchmark; explicit-measures (001): explicit measures of privacy risk; "
            "deidentification (002): unsupervised deidentification; replacement (003): replacement options; "
            "indicators (004): privacy risk indicators.",
        ),
    ],
    data: Annotated[
        Path | None,
        typer.Option(
            help="Folder of the files as their authors release them: echr_train.json, echr_dev.json, "
            "echr_test.json, annotated_wikipedia.json, wikireplace.json, wikibio's train.box and test.box with what belongs to them "
            "(or pairs_train.jsonl and pairs_test.jsonl).",
            exists=True,
            file_okay=False,
        ),
    ] = None,
    out: Annotated[
        Path | None,
        folder_option(
            "Folder for tables and figures; reproduced-PAPER by default. A stopped run goes on."
        ),
    ] = None,
    toy: Annotated[
        bool,
        typer.Option(
            "--toy",
            help="Small made-up files and tiny random models instead: the same path in minutes.",
        ),
    ] = False,
    only: Annotated[
        list[str] | None,
        typer.Option(help='Only this table or figure, as "Table 6"; may be repeated.'),
    ] = None,
    encoder: Annotated[
        str | None,
        typer.Option(
            help="tab: the encoder to fine-tune, a folder or hf:NAME in the local cache (the paper's: hf:allenai/longformer-base-4096)."
        ),
    ] = None,
    seeds: Annotated[int, typer.Option(min=1, help="tab: runs of each fine-tuning.")] = 1,
    device: Annotated[
        str | None, typer.Option(help="Where to fine-tune, such as cpu or cuda:1.")
    ] = None,
    language_model: Annotated[
        str | None,
        typer.Option(
            help="Folder or cached name of the BERT of weighted precision (the benchmark's: bert-base-uncased)."
        ),
    ] = None,
    lm: Annotated[
        str | None,
        typer.Option(
            help="explicit-measures, indicators: language model of the risk indicators, which are fitted to train with it: hf: and folder or cached name, or "
            "a folder of `tacenda lab train language-model` (the papers': hf:FacebookAI/roberta-base, hf:google-bert/bert-large-cased). "
            "Default: the shipped one."
        ),
    ] = None,
    context: Annotated[
        Literal["short", "entire"] | None,
        typer.Option(
            help="explicit-measures, indicators: what the language model reads: entire, as in the papers, a window of its own length around each mention, "
            "fitted to train and biographies; short, 62 subwords. Default: short, as shipped."
        ),
    ] = None,
    indicator: Annotated[
        list[str] | None,
        typer.Option(
            help="explicit-measures, indicators: an indicator of yours in the place of the shipped one, as span:FOLDER, language:FOLDER, language_automl:FOLDER …; "
            "may be repeated."
        ),
    ] = None,
    zero_shot: Annotated[
        str | None,
        typer.Option(
            help="explicit-measures, indicators: recognizer that has seen no annotation, a folder of `tacenda lab train zero-shot` or hf:NAME."
        ),
    ] = None,
    index: Annotated[
        Path | None,
        typer.Option(
            help="explicit-measures: index of `tacenda index build` that is searched in the place of the web.",
            exists=True,
            dir_okay=False,
        ),
    ] = None,
    documents: Annotated[
        int,
        typer.Option(
            min=1, help="deidentification: how many texts of the test pairs are attacked."
        ),
    ] = 1000,
    spacy_model: Annotated[
        str | None, typer.Option(help="spaCy pipeline of the baselines, its name or folder.")
    ] = None,
    pairs: Annotated[
        Path | None,
        typer.Option(
            help="deidentification: any texts and profiles to attack, .jsonl, .csv or wikibio's .box; --data isn't needed then.",
            exists=True,
            dir_okay=False,
        ),
    ] = None,
    train_pairs: Annotated[
        Path | None,
        typer.Option(
            help="deidentification: pairs of other people, who are candidates too; the attacker translation learns from them.",
            exists=True,
            dir_okay=False,
        ),
    ] = None,
    attacker: Annotated[
        list[str] | None,
        typer.Option(
            help="deidentification: an attacker as tacenda attack names it (encoder:FOLDER, bm25 …), or translation; at least two. "
            "Default: bm25 beside the encoders, else bm25, bayes, and translation with pairs to learn from."
        ),
    ] = None,
    text_encoder: Annotated[
        list[str] | None,
        typer.Option(
            help="deidentification: an encoder of texts to train with each --profile-encoder, a folder or hf:NAME (the paper's: "
            "hf:FacebookAI/roberta-base, and PMLM); may be repeated."
        ),
    ] = None,
    profile_encoder: Annotated[
        list[str] | None,
        typer.Option(
            help="deidentification: an encoder of profiles, likewise (the paper's: hf:FacebookAI/roberta-base, hf:google/tapas-base)."
        ),
    ] = None,
    epochs: Annotated[
        int, typer.Option(min=1, help="deidentification: of each two encoders together, at most.")
    ] = 60,
    guide: Annotated[
        str | None,
        typer.Option(
            help="deidentification: the attacker that guides the search; the last one by default."
        ),
    ] = None,
) -> None:
    """Make the tables and figures of a paper anew: ours beside the published ones.

    What is missing is said in its place, and what would bring it; so is what nothing brings, and why. Writes report.md, a JSON file for
    each table, and figures as PDF and SVG. It ends with 1 if something is missing, and with 0 otherwise.

    Examples:
      tacenda lab reproduce tab --toy --out toy

      tacenda lab reproduce tab --data TAB --language-model bert-base-uncased --spacy-model en_core_web_md

      tacenda lab reproduce deidentification --pairs test.box --attacker bm25 --attacker encoder:rr --attacker encoder:rt --documents 100
    """
    paper = _numbered().get(paper, paper)
    if paper not in PAPERS:
        raise typer.BadParameter(f"is none of {', '.join(PAPERS)}", param_hint="PAPER")
    for value, option, papers in (
        (encoder, "--encoder", (_TAB,)),
        (index, "--index", (_MEASURES,)),
        (lm, "--lm", _OF_RISK),
        (context, "--context", _OF_RISK),
        (indicator, "--indicator", _OF_RISK),
        (zero_shot, "--zero-shot", _OF_RISK),
        (pairs, "--pairs", (_DEIDENTIFICATION,)),
        (train_pairs, "--train-pairs", (_DEIDENTIFICATION,)),
        (attacker, "--attacker", (_DEIDENTIFICATION,)),
        (guide, "--guide", (_DEIDENTIFICATION,)),
        (text_encoder, "--text-encoder", (_DEIDENTIFICATION,)),
        (profile_encoder, "--profile-encoder", (_DEIDENTIFICATION,)),
    ):
        if value is not None and paper not in papers:
            raise typer.BadParameter(f"goes with {' and '.join(papers)} alone", param_hint=option)
    for name in indicator or ():
        _check_indicator(name)
    if toy == (data is not None or pairs is not None):
        raise typer.BadParameter("give either --data or --toy", param_hint="--data")
    if bool(text_encoder) != bool(profile_encoder):
        raise typer.BadParameter("goes with --profile-encoder", param_hint="--text-encoder")
    from tacenda.atomic import write_atomically

    from ..indicators.language import Context
    from ..reproduce.tables import report, run
    from ..reproduce.workbench import Means, Workbench

    module = import_module(f"tacenda_lab.reproduce.{PAPERS[paper]}")
    experiments = [each for each in module.EXPERIMENTS if not only or each.name in only]
    if not experiments:
        known = ", ".join(each.name for each in module.EXPERIMENTS)
        raise typer.BadParameter(
            f"none of these is in the paper; it has {known}", param_hint="--only"
        )
    folder = out or Path(f"reproduced-{paper}")
    means = Means(
        encoder=encoder,
        language_model=language_model,
        lm=lm,
        context=Context(context or Context.SHORT),
        indicators=tuple(indicator or ()),
        zero_shot=zero_shot,
        index=index,
        spacy_model=spacy_model,
        documents=min(documents, _TOY_DOCUMENTS) if toy else documents,
        seeds=seeds,
        device=device,
        pairs_train=train_pairs,
        pairs_test=pairs,
        attackers=tuple(attacker or ()),
        guide=guide,
        text_encoders=tuple(text_encoder or ()),
        profile_encoders=tuple(profile_encoder or ()),
        epochs=min(epochs, _TOY_EPOCHS) if toy else epochs,
    )
    outcomes = []
    # With pairs of the user's and no data there is nothing else to look for.
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


def _numbered() -> dict[str, str]:
    """Names of the papers by their numbers, 000 to 004."""
    return {f"{number:03}": name for number, name in enumerate(PAPERS)}


def _check_indicator(name: str) -> None:
    """Refuse what would leave the shipped indicator in its place."""
    from tacenda import plugins

    kinds = sorted(plugins.LAB[plugins.INDICATORS])
    kind, _, folder = name.partition(":")
    if kind not in kinds or not folder:
        raise typer.BadParameter(
            f"{name!r} is no KIND:FOLDER with a kind of {', '.join(kinds)}",
            param_hint="--indicator",
        )


@contextmanager
def _source(paper: str, data: Path | None, means: Means) -> Iterator[tuple[Path, Means]]:
    """The folder of the data, or toy data with a toy language model for as long as they are used."""
    if data is not None:
        yield data, means
        return
    from dataclasses import replace

    from tacenda.models.store import DEFAULT

    from ..reproduce import toy

    with tempfile.TemporaryDirectory() as temporary, training_extra():
        folder = Path(temporary)
        corpus = folder / "data"
        toy.write(corpus)
        bert = str(toy.masked_language_model(corpus, folder / "bert"))
        means = replace(
            means,
            encoder=means.encoder or str(toy.long_encoder(corpus, folder / "longformer")),
            language_model=means.language_model or bert,
            spacy_model=means.spacy_model or str(toy.spacy_pipeline(folder / "spacy")),
        )
        if paper in _OF_RISK:
            means = replace(means, zero_shot=means.zero_shot or DEFAULT)
        if paper == _MEASURES:
            index = means.index or toy.search_index(corpus, folder / "index.db")
            means = replace(means, index=index, lm=means.lm or f"hf:{bert}")
        if paper == _DEIDENTIFICATION and not (means.attackers or means.text_encoders):
            roberta = str(toy.byte_encoder(corpus, folder / "roberta"))
            tapas = str(toy.table_encoder(corpus, folder / "tapas"))
            means = replace(means, text_encoders=(roberta, bert), profile_encoders=(roberta, tapas))
        yield corpus, means
