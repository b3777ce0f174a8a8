"""``tacenda lab train attacker``: train the encoders of an attacker on pairs of text and profile."""

from __future__ import annotations

from dataclasses import fields, replace
from pathlib import Path
from typing import Annotated, cast

import typer

from tacenda.errors import InputError

from ..train.extra import training_extra
from ..train.recipes import AttackerRecipe, existing_file
from .training_options import (
    StudentEncoder,
    Threads,
    WorkFolder,
    document_argument,
    existing_folder,
    refuse_given,
    settings_options,
)


@settings_options("recipe", AttackerRecipe)
def attacker(
    context: typer.Context,
    out: WorkFolder,
    recipe: AttackerRecipe,
    pairs: Annotated[
        Path | None,
        document_argument(
            "Texts and profiles: .jsonl or .csv with id, name, text and fields of the profile, or the "
            ".box file of a split of wikibio."
        ),
    ] = None,
    dev: Annotated[
        Path | None,
        existing_file(
            "Pairs to judge each epoch on; their profiles are also candidates. Default: a twentieth of "
            "PAIRS."
        ),
    ] = None,
    data: Annotated[Path | None, existing_folder("Folder with reid/, in place of pairs.")] = None,
    encoder: StudentEncoder = None,
    threads: Threads = 2,
) -> None:
    """Train the encoders of texts and of profiles, and write the folder that `--attacker encoder:FOLDER` names.

    With --text, any encoders of transformers are trained in turn, one while the other is fixed, on
    texts with random words masked, with a softmax over all profiles; the pairs stay on disk. The
    options from --dev to --device are for these encoders.

    Examples:
      tacenda lab train attacker train.box --out work

      tacenda lab train attacker train.box --text hf:FacebookAI/roberta-base --profile table --dev valid.box --out work
    """
    if (pairs is None) == (data is None):
        raise InputError("give either a file of pairs or --data with a folder")
    if not recipe.text:
        refuse_given(context, ["dev", *(field.name for field in fields(recipe))], "needs --text")
    elif pairs is None or encoder is not None:
        raise typer.BadParameter("needs PAIRS, without --data or --encoder", param_hint="--text")
    with training_extra():
        import torch

        from ..train.attacker import AttackerSchedule, train_attacker
        from ..train.attacker_data import FILE, read_members
        from ..train.attacker_encoders import train_pair
        from ..train.recognizer import student_encoder
    torch.set_num_threads(threads)
    if recipe.text:
        recipe = replace(recipe, profile=recipe.profile or recipe.text)
        typer.echo(str(train_pair(recipe, cast(Path, pairs), dev, out)))
        return
    members = read_members(data / FILE) if data else read_members(cast(Path, pairs), without=())
    typer.echo(str(train_attacker(members, out, student_encoder(encoder), AttackerSchedule())))
