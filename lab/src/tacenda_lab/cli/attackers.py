"""``tacenda lab train attacker``: the encoders of an attacker that learned, from any pairs of text and profile."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Final, Literal, cast

import typer

from tacenda.errors import InputError

from .training_options import StudentEncoder, Threads, WorkFolder, refuse_given, training_extra

_WITH_TEXT: Final = (
    "profile dev pooling width window epochs profile_epochs patience batch_size rate smoothing prior hard_negatives seed "
    "device"
).split()


def attacker(
    context: typer.Context,
    out: WorkFolder,
    pairs: Annotated[
        Path | None,
        typer.Argument(
            help="Texts and profiles: .jsonl or .csv with id, name and text, all else the profile; "
            "or a split of wikibio by its .box.",
            exists=True,
            dir_okay=False,
        ),
    ] = None,
    *,
    text: Annotated[
        str | None,
        typer.Option(
            help="Encoder of texts: the folder of any of transformers, or hf:NAME in the local cache; without it both "
            "encoders are this project's own.",
            show_default=False,
        ),
    ] = None,
    profile: Annotated[
        str | None,
        typer.Option(
            help="Encoder of profiles, likewise; table: TAPAS (hf:google/tapas-base). Default: the one of --text.",
            show_default=False,
        ),
    ] = None,
    dev: Annotated[
        Path | None,
        typer.Option(
            help="Pairs on which each epoch is judged; their profiles are candidates, too. Default: a twentieth of PAIRS.",
            exists=True,
            dir_okay=False,
            show_default=False,
        ),
    ] = None,
    pooling: Annotated[
        Literal["mean", "cls"],
        typer.Option(help="What stands for a text: the mean of its subwords, or the first one."),
    ] = "mean",
    width: Annotated[int, typer.Option(min=1, help="Numbers a vector.")] = 3072,
    window: Annotated[
        int,
        typer.Option(
            min=8,
            help="Subwords read at a time: a text has as many windows as it needs, a profile one.",
        ),
    ] = 128,
    epochs: Annotated[int, typer.Option(min=1, help="Of both encoders together, at most.")] = 60,
    profile_epochs: Annotated[
        int, typer.Option(min=0, help="Epochs of them in which the encoder of profiles learns.")
    ] = 5,
    patience: Annotated[
        int, typer.Option(min=0, help="Epochs without a better score that end a run; 0: none.")
    ] = 5,
    batch_size: Annotated[int, typer.Option(min=1, help="Texts of a step.")] = 64,
    rate: Annotated[float, typer.Option(min=1e-9, max=1.0, help="Highest learning rate.")] = 5e-5,
    smoothing: Annotated[
        float, typer.Option(min=0, max=0.99, help="Share of the target spread over everybody.")
    ] = 0.1,
    prior: Annotated[
        Literal["uniform", "idf", "none"],
        typer.Option(
            help="Masked words of a text: uniform, from none to all; idf, as many, rare words sooner; none, none."
        ),
    ] = "uniform",
    hard_negatives: Annotated[
        int,
        typer.Option(
            min=0, help="Nearest people of each text that stand for all in the softmax; 0: all."
        ),
    ] = 0,
    seed: Annotated[int, typer.Option(min=0, help="Of heads, masks and batches.")] = 1,
    device: Annotated[
        str | None,
        typer.Option(help="Where to train, such as cpu or cuda:1.", show_default=False),
    ] = None,
    data: Annotated[
        Path | None,
        typer.Option(
            help="Folder with reid/, in the place of pairs.", exists=True, file_okay=False
        ),
    ] = None,
    encoder: StudentEncoder = None,
    threads: Threads = 2,
) -> None:
    """Train the encoders of texts and of profiles, and write the folder that `--attacker encoder:FOLDER` names.

    With --text any encoders of transformers, one in turn with the other fixed, words masked at random, the softmax over all
    profiles; pairs stay on disk. The options from --dev to --device are for these.

    Examples:
      tacenda lab train attacker train.box --out work

      tacenda lab train attacker train.box --text hf:FacebookAI/roberta-base --profile table --dev valid.box --out work
    """
    if (pairs is None) == (data is None):
        raise InputError("give either a file of pairs or --data with a folder, not both or none")
    if text is None:
        refuse_given(context, _WITH_TEXT, "needs --text")
    elif pairs is None or encoder is not None:
        raise typer.BadParameter(
            "goes with PAIRS, without --data or --encoder", param_hint="--text"
        )
    with training_extra():
        import torch

        from ..train.attacker import AttackerSchedule, train_attacker
        from ..train.attacker_data import FILE, paired_members, read_members
        from ..train.attacker_encoders import AttackerRecipe, train_pair
        from ..train.recognizer import student_encoder
    torch.set_num_threads(threads)
    if text is not None:
        recipe = AttackerRecipe(
            text=text,
            profile=profile or text,
            pooling=pooling,
            width=width,
            window=window,
            epochs=epochs,
            profile_epochs=profile_epochs,
            patience=patience,
            batch_size=batch_size,
            rate=rate,
            smoothing=smoothing,
            prior=prior,
            hard_negatives=hard_negatives,
            seed=seed,
            device=device,
        )
        typer.echo(str(train_pair(recipe, cast(Path, pairs), dev, out)))
        return
    members = read_members(data / FILE) if data else paired_members(cast(Path, pairs))
    typer.echo(str(train_attacker(members, out, student_encoder(encoder), AttackerSchedule())))
