"""Settings of the models made from any transformers encoder; each field is an option of its command, with its help.

Nothing here imports torch, so the commands can show their options without it.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any, Literal

from typer import Option

Labels = Literal["iob", "soft"]
Annotators = Literal["duplicate", "soft"]
MaskPrior = Literal["uniform", "idf", "none"]
Rate = Annotated[float, Option(min=1e-9, max=1.0, help="Highest learning rate.")]
Device = Annotated[
    str | None,
    Option(
        help="Device to compute on, such as cpu or cuda:1; by default the first GPU, or else the CPU.",
        show_default=False,
    ),
]


def existing_file(help: str) -> Any:
    """Return an option for a file to read, or none."""
    return Option(help=help, exists=True, dir_okay=False, show_default=False)


@dataclass(frozen=True, slots=True)
class EncoderRecipe:
    """The settings of a recognizer made from an encoder."""

    encoder: Annotated[
        str,
        Option(
            help="What to start from. With GOLD: the folder of any encoder of transformers, or hf:NAME in the "
            "local cache. With --data: a folder of `tacenda lab train encoder`.",
            show_default=False,
        ),
    ]
    window: Annotated[
        int,
        Option(
            min=0, help="Number of subwords read at a time; 0 for the encoder's limit, up to 512."
        ),
    ] = 0
    stride: Annotated[
        int,
        Option(
            min=-1, help="Number of subwords that two windows share; -1 for a quarter of a window."
        ),
    ] = -1
    labels: Annotated[
        Labels,
        Option(
            help="What to learn: iob, whether something is masked; soft, semantic types and identifier types."
        ),
    ] = "soft"
    annotators: Annotated[
        Annotators,
        Option(
            help="If there are several annotators: duplicate the document for each, or use their share as a soft "
            "target."
        ),
    ] = "soft"
    mask_weight: Annotated[
        float, Option(min=0.01, help="Weight of masked subwords in the loss; the others have 1.")
    ] = 1.0
    epochs: Annotated[int, Option(min=1, help="Number of passes over the documents, at most.")] = 4
    patience: Annotated[
        int,
        Option(
            min=0,
            help="With --dev: stop after this many epochs without a better score; 0 to never stop early.",
        ),
    ] = 2
    batch_size: Annotated[int, Option(min=1, help="Number of windows per step.")] = 8
    rate: Rate = 5e-5
    languages: Annotated[
        tuple[str, ...],
        Option(
            "--lang",
            help="Language of the documents, an ISO 639-1 code; may be repeated. Default: English.",
            show_default=False,
        ),
    ] = ("en",)
    device: Device = None


@dataclass(frozen=True, slots=True)
class AttackerRecipe:
    """The settings of an attacker made from two encoders."""

    text: Annotated[
        str,
        Option(
            help="Encoder of texts: the folder of any encoder of transformers, or hf:NAME in the local cache. "
            "Without it, both encoders are this project's own.",
            show_default=False,
        ),
    ] = ""
    profile: Annotated[
        str,
        Option(
            help="Encoder of profiles, named in the same way; for tables, TAPAS (hf:google/tapas-base). "
            "Default: the one in --text.",
            show_default=False,
        ),
    ] = ""
    pooling: Annotated[
        Literal["mean", "cls"],
        Option(help="How a text becomes a vector: the mean of its subwords, or the first one."),
    ] = "mean"
    width: Annotated[int, Option(min=1, help="Length of a vector.")] = 3072
    window: Annotated[
        int,
        Option(
            min=8,
            help="Number of subwords read at a time. A text has as many windows as it needs, a profile only "
            "one.",
        ),
    ] = 128
    epochs: Annotated[
        int, Option(min=1, help="Number of epochs of both encoders together, at most.")
    ] = 60
    profile_epochs: Annotated[
        int, Option(min=0, help="Number of those epochs in which the encoder of profiles learns.")
    ] = 5
    patience: Annotated[
        int,
        Option(
            min=0, help="Stop after this many epochs without a better score; 0 to never stop early."
        ),
    ] = 5
    batch_size: Annotated[int, Option(min=1, help="Number of texts per step.")] = 64
    rate: Rate = 5e-5
    smoothing: Annotated[
        float, Option(min=0, max=0.99, help="Share of the target that is spread over everyone.")
    ] = 0.1
    prior: Annotated[
        MaskPrior,
        Option(
            help="Words to mask in a text: uniform, any number of random words; idf, as many, but rare words "
            "first; none, no words."
        ),
    ] = "uniform"
    hard_negatives: Annotated[
        int,
        Option(
            min=0,
            help="Number of nearest people per text to use in the softmax in place of everyone; 0 for "
            "everyone.",
        ),
    ] = 0
    seed: Annotated[int, Option(min=0, help="Seed of heads, masks and batches.")] = 1
    device: Device = field(default=None, repr=False)

    def side(self, epoch: int) -> Literal["text", "profile"]:
        """Return the encoder that learns in an epoch."""
        return "profile" if epoch % 2 and epoch < 2 * self.profile_epochs else "text"


@dataclass(frozen=True, slots=True)
class SpanSchedule:
    """The settings of an encoder fitted to what annotators masked."""

    dev: Annotated[
        Path | None, existing_file("Annotated documents to judge on; the best epoch is kept.")
    ] = field(default=None, repr=False)
    epochs: Annotated[int, Option(min=1, help="Number of passes over the mentions.")] = 3
    batch_size: Annotated[int, Option(min=1, help="Number of mentions per step.")] = 16
    rate: Rate = 2e-5
    seed: Annotated[int, Option(min=0, help="Seed of everything that is drawn.")] = 1
    device: Device = field(default=None, repr=False)
