"""Settings of what is made from any encoder of transformers; each field is an option of its command, with its help.

Nothing of torch is imported here, so the commands can show their options without it.
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
        help="Where to compute, such as cpu or cuda:1; the first GPU, if there is one.",
        show_default=False,
    ),
]


def existing_file(help: str) -> Any:
    """The option of a file to read, or none."""
    return Option(help=help, exists=True, dir_okay=False, show_default=False)


@dataclass(frozen=True, slots=True)
class EncoderRecipe:
    """Settings of a recognizer made from an encoder."""

    encoder: Annotated[
        str,
        Option(
            help="What it starts from: with GOLD, the folder of any encoder of transformers, or hf:NAME in the "
            "local cache. With --data: what `tacenda lab train encoder` wrote.",
            show_default=False,
        ),
    ]
    window: Annotated[
        int,
        Option(min=0, help="Subwords read at a time; 0: what the encoder reads, 512 at most."),
    ] = 0
    stride: Annotated[
        int,
        Option(min=-1, help="Subwords that two windows have in common; -1: a quarter of a window."),
    ] = -1
    labels: Annotated[
        Labels,
        Option(
            help="What is learned: iob, masked or not; soft, semantic types and how it is masked."
        ),
    ] = "soft"
    annotators: Annotated[
        Annotators,
        Option(help="Several annotators: a document for each, or the share of them as the target."),
    ] = "soft"
    mask_weight: Annotated[
        float, Option(min=0.01, help="Weight in the loss of what is masked; the rest has 1.")
    ] = 1.0
    epochs: Annotated[int, Option(min=1, help="How often each document is seen, at most.")] = 4
    patience: Annotated[
        int,
        Option(min=0, help="With --dev: epochs without a better score that end a run; 0: none."),
    ] = 2
    batch_size: Annotated[int, Option(min=1, help="Windows of a step.")] = 8
    rate: Rate = 5e-5
    languages: Annotated[
        tuple[str, ...],
        Option(
            "--lang",
            help="Language of the documents, an ISO 639-1 code; may be repeated. English by default.",
            show_default=False,
        ),
    ] = ("en",)
    device: Device = None


@dataclass(frozen=True, slots=True)
class AttackerRecipe:
    """Settings of an attacker made from two encoders."""

    text: Annotated[
        str,
        Option(
            help="Encoder of texts: the folder of any of transformers, or hf:NAME in the local cache; without it both "
            "encoders are this project's own.",
            show_default=False,
        ),
    ] = ""
    profile: Annotated[
        str,
        Option(
            help="Encoder of profiles, likewise; table: TAPAS (hf:google/tapas-base). Default: the one of --text.",
            show_default=False,
        ),
    ] = ""
    pooling: Annotated[
        Literal["mean", "cls"],
        Option(help="What stands for a text: the mean of its subwords, or the first one."),
    ] = "mean"
    width: Annotated[int, Option(min=1, help="Numbers a vector.")] = 3072
    window: Annotated[
        int,
        Option(
            min=8,
            help="Subwords read at a time: a text has as many windows as it needs, a profile one.",
        ),
    ] = 128
    epochs: Annotated[int, Option(min=1, help="Of both encoders together, at most.")] = 60
    profile_epochs: Annotated[
        int, Option(min=0, help="Epochs of them in which the encoder of profiles learns.")
    ] = 5
    patience: Annotated[
        int, Option(min=0, help="Epochs without a better score that end a run; 0: none.")
    ] = 5
    batch_size: Annotated[int, Option(min=1, help="Texts of a step.")] = 64
    rate: Rate = 5e-5
    smoothing: Annotated[
        float, Option(min=0, max=0.99, help="Share of the target spread over everyone.")
    ] = 0.1
    prior: Annotated[
        MaskPrior,
        Option(
            help="Masked words of a text: uniform, from none to all; idf, as many, rare words sooner; none, none."
        ),
    ] = "uniform"
    hard_negatives: Annotated[
        int,
        Option(
            min=0, help="Nearest people of each text that stand for all in the softmax; 0: all."
        ),
    ] = 0
    seed: Annotated[int, Option(min=0, help="Of heads, masks and batches.")] = 1
    device: Device = field(default=None, repr=False)

    def side(self, epoch: int) -> Literal["text", "profile"]:
        """Return which encoder learns in an epoch."""
        return "profile" if epoch % 2 and epoch < 2 * self.profile_epochs else "text"


@dataclass(frozen=True, slots=True)
class SpanSchedule:
    """Settings of an encoder fitted to what annotators masked."""

    dev: Annotated[
        Path | None, existing_file("Annotated documents to judge on; the best epoch is kept.")
    ] = field(default=None, repr=False)
    epochs: Annotated[int, Option(min=1, help="How often each mention is seen.")] = 3
    batch_size: Annotated[int, Option(min=1, help="Mentions of a step.")] = 16
    rate: Rate = 2e-5
    seed: Annotated[int, Option(min=0, help="Of all that is drawn.")] = 1
    device: Device = field(default=None, repr=False)
