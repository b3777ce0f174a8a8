"""Recipe of the multilingual recognizer: what is read, how it is weighed, and the runs.

1. *teacher*: the encoder of ``multilingual_encoder.py``, all of its layers, fitted to everything that is marked.
2. *student*: every second of its layers, fitted to the teacher's answers and hidden states, on marked and unmarked text.
3. *calibration*: on the development part of the corpus and on judgments that no run has seen.

A source is believed in what it decides. Where names alone are marked, the types of what is marked are learned and all
else is left out of the loss: "not marked" there doesn't say "not to be masked".
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
from torch import Tensor, nn

from tacenda.models.calibration import Calibration
from tacenda.models.encoding import SpecialPieces, TextEncoder
from tacenda.models.networks import RecognizerModel

from .. import corpus
from . import examples as read
from .corpus import records
from .distilled import begun_student, distillation_loss
from .everyday import read_record, turn
from .examples import MASKS, Example, MarkedSpan, example
from .multilingual_encoder import LANGUAGES
from .networks import Encoder, Recognizer
from .onnx import write_package
from .packages import TOKENIZER_FILE, state_of
from .recognizer import THRESHOLD, recalibrated
from .recognizer_batches import Loss, Schedule, TrainingWindow, batch_loss, train
from .trainer import default_device

_CASES = 0.06
"""Share of the documents of an epoch in capitals, and of those in small letters."""


@dataclass(frozen=True, slots=True)
class Source:
    """Examples that are drawn alike.

    Attributes:
        name: for the card.
        examples: its documents.
        share: how many of them an epoch has; above 1, each so often.
        weight: in the loss.
    """

    name: str
    examples: tuple[Example, ...]
    share: float = 1.0
    weight: float = 1.0


def read_corpus(
    encoder: TextEncoder, folder: Path = corpus.FOLDER, split: str = "train", group: str = "*"
) -> list[Example]:
    """Read documents of the corpus of our own; what is a trap is known to stay.

    Args:
        encoder: makes the subwords.
        folder: of the corpus.
        split: part of it.
        group: ``written`` or ``existing``, or all.
    """
    result = []
    for document in corpus.load(folder, split, group=group):
        marked = [
            MarkedSpan(mark.span.start, mark.span.end, mark.type, MASKS[mark.identifier])
            for mark in document.marks
            if mark.type is not None
        ]
        origin = "judgment" if document.genre == "judgment" else document.language
        result.append(example(document.id, document.text, [marked], encoder, origin))
    return result


def read_everyday(
    paths: Iterable[Path], encoder: TextEncoder, *, is_complete: bool, is_innocent: bool = False
) -> list[Example]:
    """Read records of the everyday folder.

    Args:
        paths: of the files.
        encoder: makes the subwords.
        is_complete: whether what isn't marked is known to stay; otherwise only what is marked is learned.
        is_innocent: whether nothing is to be masked, and nothing is known of types.
    """
    result = []
    for record in (record for path in sorted(paths) for record in records(path)):
        item = read_record(record, encoder, is_innocent=is_innocent)
        if not is_complete:
            marked = (item.types[:, 0] == 0).astype(np.float32)
            item = replace(item, type_known=marked, mask_known=item.mask_known * marked)
        result.append(item)
    return result


def read_sources(data: Path, encoder: TextEncoder, folder: Path = corpus.FOLDER) -> list[Source]:
    """Read everything that is learned from.

    Args:
        data: the data folder.
        encoder: makes the subwords.
        folder: of the corpus of our own.
    """
    everyday = data / "everyday"
    own = read_corpus(encoder, folder)

    def files(*patterns: str) -> list[Path]:
        return [path for pattern in patterns for path in everyday.glob(pattern)]

    return [
        Source("tab", tuple(read.read_tab(data / "tab/train.json", encoder))),
        Source("judgments", tuple(item for item in own if item.corpus == "judgment")),
        Source(
            "mentions",
            tuple(read.read_mentions_only(data / "tab/train_mentions_only.json", encoder)),
            share=0.5,
        ),
        Source(
            "biographies",
            tuple(read.read_biographies(data / "wiki/biographies_train.json", encoder)),
        ),
        Source("written", tuple(item for item in own if item.corpus != "judgment"), share=2.0),
        Source(
            "chats",
            tuple(read_everyday(files("labelled/chat_*"), encoder, is_complete=True)),
            share=0.1,
        ),
        Source(
            "clinical",
            tuple(read_everyday(files("labelled/es/clinical_*"), encoder, is_complete=True)),
            share=0.1,
            weight=0.5,
        ),
        Source(
            "names",
            tuple(
                read_everyday(
                    files(
                        "labelled/gum_*",
                        "labelled/web_*",
                        "labelled/de/*",
                        "labelled/pt/*",
                        "labelled/sv/*",
                    ),
                    encoder,
                    is_complete=False,
                )
            ),
            share=0.15,
            weight=0.5,
        ),
        Source(
            "innocent",
            tuple(
                read_everyday(
                    files(
                        "innocent/*.gz",
                        *(
                            f"innocent/{code}/*.gz"
                            for code in ("de", "es", "fr", "it", "nl", "pl", "pt", "sv")
                        ),
                    ),
                    encoder,
                    is_complete=True,
                    is_innocent=True,
                )
            ),
            share=0.12,
            weight=0.3,
        ),
    ]


def epoch(sources: Sequence[Source], number: int, encoder: TextEncoder) -> list[Example]:
    """Return the documents of an epoch, by number from 0: of each source its share, others every time until all were drawn."""
    drawn: list[Example] = []
    random = Random(number)
    for source in sources:
        order = list(source.examples)
        Random(source.name).shuffle(order)
        count = round(len(order) * source.share)
        for item in turn(order, number, count):
            varied = _recased(item, encoder, random) or item
            drawn.append(replace(varied, weight=varied.weight * np.float32(source.weight)))
    return drawn


def _recased(item: Example, encoder: TextEncoder, random: Random) -> Example | None:
    """Return a document in capitals or small letters, now and then; labels go by places."""
    draw = random.random()
    if draw >= 2 * _CASES:
        return None
    change = str.upper if draw < _CASES else str.lower
    text = "".join(
        changed if len(changed := change(character)) == 1 else character for character in item.text
    )
    encoding = encoder.encode(text)
    # Of each new subword the old one in which it begins.
    old = np.searchsorted(item.encoding.starts, encoding.starts, side="right") - 1
    old = np.clip(old, 0, len(item.encoding) - 1)
    types = item.types[old].copy()
    repeated = np.append(False, old[1:] == old[:-1])
    begins = types[:, 1::2] * repeated[:, None]
    types[:, 1::2] -= begins
    types[:, 2::2] += begins
    return replace(
        item,
        text=text,
        encoding=encoding,
        types=types,
        masks=item.masks[old],
        mask_known=item.mask_known[old],
        type_known=item.type_known[old],
        weight=item.weight[old],
    )


def begin(encoder: Path, layers: int = 0, seed: int = 1) -> Recognizer:
    """Return a recognizer with new heads on an encoder, of which every second layer may be left out.

    Args:
        encoder: folder of ``multilingual_encoder.write_cut``.
        layers: how many stay, evenly chosen, the last one among them; all with 0.
        seed: of the heads.
    """
    network = Recognizer.begun(partial(Encoder.from_checkpoint, encoder), seed)
    body = network.encoder
    body.word_embedding.weight.requires_grad_(False)
    if layers:
        step = len(body.layers) // layers
        body.layers = nn.ModuleList(list(body.layers)[step - 1 :: step])
        body.architecture = replace(body.architecture, num_hidden_layers=layers)
    return network


# The runs. What is done is not done again, and a run that was stopped goes on from its last epoch, on any machine.


PARTS = 2
"""Epochs in which each document of a source with the share 1 is seen once: the state is written after each."""
TEACHER = Schedule(
    epochs=4 * PARTS,
    batch_tokens=4096,
    encoder_rate=3e-4,
    head_rate=1e-3,
    warmup=0.05,
    case_noise=0.0,
)
STUDENT = replace(TEACHER, encoder_rate=4e-4, head_rate=4e-4)
_TAUGHT = 0.7
"""Share of the teacher's answers and hidden states in the loss of the student."""
BASE, SMALL = "recognizer-base", "recognizer-small"


def train_multilingual(
    data: Path,
    work: Path,
    encoder_folder: Path,
    teacher: Schedule = TEACHER,
    student: Schedule = STUDENT,
    folder: Path = corpus.FOLDER,
) -> Path:
    """Run the recipe and return the folder of the student, beside that of its teacher.

    Args:
        data: the data folder.
        work: folder of the results of all steps.
        encoder_folder: what ``multilingual_encoder.build`` wrote.
        teacher: schedule of its run.
        student: schedule of its run.
        folder: of the corpus of our own.
    """
    tokenizer = encoder_folder / TOKENIZER_FILE
    encoder = TextEncoder.from_file(tokenizer)
    sources = [
        replace(source, share=source.share / PARTS)
        for source in read_sources(data, encoder, folder)
    ]

    def documents(number: int) -> list[Example]:
        return epoch(sources, number, encoder)

    base = _run(begin(encoder_folder), documents, encoder, teacher, work / "teacher")
    layers = range(len(base.encoder.layers))[1::2]
    small = begun_student(base, layers)
    for parameter in small.encoder.layers.parameters():
        parameter.requires_grad_(requires_grad=True)
    device = default_device()
    loss = _taught(distillation_loss(base.to(device), layers))
    small = _run(small, documents, encoder, student, work / "student", loss)
    held_out = read_corpus(encoder, folder, split="dev")
    for network, name in ((base.cpu(), BASE), (small, SMALL)):
        bare = work / f"{name}.bare"
        write_package(network, tokenizer, Calibration(), THRESHOLD, bare, languages=LANGUAGES)
        calibration = recalibrated(RecognizerModel.load(bare), held_out)
        write_package(network, tokenizer, calibration, THRESHOLD, work / name, languages=LANGUAGES)
    return work / SMALL


def _run(
    network: Recognizer,
    documents: Callable[[int], Sequence[Example]],
    encoder: TextEncoder,
    schedule: Schedule,
    folder: Path,
    loss: Loss | None = None,
) -> Recognizer:
    if not Recognizer.is_saved(folder):
        folder.parent.mkdir(parents=True, exist_ok=True)
        train(network, documents, encoder, schedule, state_of(folder), loss)
        network.save(folder)
    return Recognizer.load(folder)


def _taught(distillation: Loss) -> Loss:
    """Return the loss of a student: its teacher's answers, and the labels."""

    def loss(
        student: Any, batch: Sequence[TrainingWindow], encoder: SpecialPieces, masked_weight: float
    ) -> Tensor:
        of_teacher = distillation(student, batch, encoder, masked_weight)
        of_labels = batch_loss(student, batch, encoder, masked_weight)
        return _TAUGHT * of_teacher + (1 - _TAUGHT) * of_labels

    return loss
