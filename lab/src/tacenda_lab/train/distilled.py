"""A recognizer of fewer layers, fitted to the answers and the hidden states of a shipped one.

The student begins as layers of its teacher, evenly chosen (DistilBERT: Sanh et al. 2019). On text without labels it is
fitted to both heads' probabilities, and, layer by layer, to the hidden states that the layer of the teacher gave that it
began as (TinyBERT: Jiao et al. 2020, section 3). Each of two experts has a student. Embeddings, lowest layer and router
stay those of the teacher of formal prose, so both students have them in common and they are written once.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import torch
from torch import Tensor
from torch.nn import functional

from tacenda.errors import InputError
from tacenda.models.encoding import SpecialPieces, TextEncoder
from tacenda.models.networks import RecognizerModel, read_router
from tacenda.models.store import ShippedModel

from .corpus import is_held_out
from .everyday import Mixture, require_everyday_text
from .examples import Example
from .experts import share_embeddings, write_experts
from .networks import Encoder, Recognizer
from .onnx import EVERYDAY, FORMAL, WINDOW, dequantize, write_package
from .packages import state_of
from .recognizer import Corpora, unlabelled_text
from .recognizer_batches import Loss, Schedule, TrainingWindow, collate, train
from .trainer import default_device

SCHEDULE = Schedule(
    epochs=6, batch_tokens=1024, encoder_rate=4e-4, head_rate=4e-4, warmup=0.05, seed=4
)
SHARE = 0.4
"""Share of the documents in an epoch."""
_PLACES = WINDOW + 2  # [CLS], a window, [SEP].
_POSITIONS = "encoder.position_embedding.weight"
_LAYERS = "encoder.layers."


def layer_numbers(teacher: int, student: int) -> list[int]:
    """Return which of a teacher's layers a student begins with: the lowest, the highest and those evenly between.

    Args:
        teacher: number of its layers.
        student: number of its layers, at least 2, and fewer.

    Raises:
        InputError: if these are not fewer, or less than 2.
    """
    if not 1 < student < teacher:
        raise InputError(
            f"--layers {student}: the recognizer to distil has {teacher} layers; give less, and at least 2"
        )
    return [round(number) for number in np.linspace(0, teacher - 1, student)]


def begun_student(
    teacher: Recognizer, layers: Sequence[int], formal: Recognizer | None = None
) -> Recognizer:
    """Return a recognizer with some of the teacher's layers, and its other weights.

    Of the embeddings of places it has those of a window. Its embeddings and its lowest layer are not trained.

    Args:
        teacher: what it is to be fitted to.
        layers: numbers of the layers, beginning with 0.
        formal: another expert, whose lowest layer it gets.
    """
    architecture = teacher.encoder.architecture
    places = min(architecture.max_position_embeddings, _PLACES)
    sizes = replace(architecture, num_hidden_layers=len(layers), max_position_embeddings=places)
    student = Recognizer(Encoder(sizes))
    weights = {
        name: value[:places] if name == _POSITIONS else value
        for name, value in teacher.state_dict().items()
        if not name.startswith(_LAYERS)
    }
    for place, number in enumerate(layers):
        for name, value in teacher.encoder.layers[number].state_dict().items():
            weights[f"{_LAYERS}{place}.{name}"] = value
    student.load_state_dict(weights)
    lowest = student.encoder.layers[0]
    if formal is not None:
        lowest.load_state_dict(formal.encoder.layers[0].state_dict())
    share_embeddings(student)
    lowest.requires_grad_(False)
    return student


def distillation_loss(teacher: Recognizer, layers: Sequence[int]) -> Loss:
    """Return the loss of a student against its teacher, averaged over subwords.

    It is the Kullback-Leibler divergence of both heads' probabilities in nats, and the mean squared difference of the
    hidden states, averaged over the student's layers.

    Args:
        teacher: on the device of the student.
        layers: of the teacher, each that which the student's layer of this place began as.
    """

    def loss(
        student: Any, batch: Sequence[TrainingWindow], encoder: SpecialPieces, _: float
    ) -> Tensor:
        device = next(student.parameters()).device
        inputs = [part.to(device) for part in collate(batch, encoder)]
        with torch.no_grad():
            states = list(teacher.encoder.states(*inputs))
            answers = [head(states[-1]) for head in (teacher.type_head, teacher.mask_head)]
        own = list(student.encoder.states(*inputs))
        mask = inputs[2]
        total = torch.stack(
            [
                functional.mse_loss(state.float()[mask], states[number].float()[mask])
                for number, state in zip(layers, own, strict=True)
            ]
        ).mean()
        for head, answer in zip((student.type_head, student.mask_head), answers, strict=True):
            total = total + functional.kl_div(
                functional.log_softmax(head(own[-1]).float()[mask], dim=-1),
                functional.log_softmax(answer.float()[mask], dim=-1),
                reduction="batchmean",
                log_target=True,
            )
        return total

    return loss


Text = Callable[[int], Sequence[Example]]
"""Of the number of an epoch, its documents; what they are labelled with is not used."""


def formal_text(data: Path, encoder: TextEncoder) -> Text:
    """Return judgments and biographies, but none that is kept for calibration; each epoch has them all.

    Args:
        data: the data folder.
        encoder: makes the subwords.
    """
    corpora = Corpora.read(data, encoder)
    documents = [
        *corpora.judgments,
        *corpora.mentions_only,
        *corpora.biographies,
        *unlabelled_text(data, corpora, encoder),
    ]
    seen = [item for item in documents if not is_held_out(item.doc_id)]
    return lambda _: seen


def everyday_text(data: Path, encoder: TextEncoder) -> Text:
    """Return the mixture that the expert of everyday text is fitted to.

    Args:
        data: the data folder, with ``everyday/`` in it.
        encoder: makes the subwords.
    """
    return Mixture.read(data, encoder, None).epoch


def sampled_text(text: Text, share: float) -> Text:
    """Return this share of the documents of each epoch, in (0, 1], drawn anew for each."""

    def epoch(number: int) -> list[Example]:
        documents = text(number)
        return Random(number).sample(documents, max(1, round(share * len(documents))))

    return epoch


def train_distilled(
    data: Path,
    work: Path,
    source: ShippedModel,
    layers: int,
    schedule: Schedule = SCHEDULE,
    share: float = SHARE,
) -> Path:
    """Distil the experts of a recognizer into fewer layers, and return the folder of the finished model.

    Router and calibration are the source's.

    Args:
        data: the data folder, with ``everyday/`` in it where the source has two experts.
        work: folder of the result; a stopped run goes on from its last epoch.
        source: an int8 recognizer.
        layers: number of the result's, fewer than the source's.
        schedule: of each of the runs.
        share: of the documents in an epoch, in (0, 1].

    Raises:
        InputError: if the layers are not fewer, or there is no everyday text.
        ModelError: if the source is no int8 recognizer, or is damaged.
    """
    model = RecognizerModel(source)
    if model.everyday_calibration is not None:
        require_everyday_text(data)
    runs = Distillation(source, layers, data, model.encoder, schedule, share, work)
    formal = runs.student(FORMAL)
    folder = work / f"{source.name}-{layers}"
    if model.everyday_calibration is not None:
        return write_experts(
            source,
            runs.student(EVERYDAY),
            model.everyday_calibration,
            read_router(source),
            folder,
            formal,
        )
    write_package(
        formal,
        source.path("tokenizer.json"),
        model.calibration,
        model.threshold,
        folder,
        languages=model.languages,
    )
    return folder


@dataclass(frozen=True, slots=True, eq=False)
class Distillation:
    """The runs of the students of one recognizer.

    Attributes:
        source: an int8 recognizer.
        layers: number of a student's.
        data: the data folder.
        encoder: makes the subwords.
        schedule: of each run.
        share: of the documents in an epoch, in (0, 1].
        work: folder of the students.
    """

    source: ShippedModel
    layers: int
    data: Path
    encoder: TextEncoder
    schedule: Schedule
    share: float
    work: Path

    def student(self, expert: str) -> Recognizer:
        """Return the student of an expert, from the folder if it is done.

        Raises:
            InputError: if the layers are not fewer than the expert's.
            ModelError: if the source is no int8 recognizer.
        """
        path = self.source.folder / "model.onnx"
        teacher = dequantize(path, expert)
        layers = layer_numbers(len(teacher.encoder.layers), self.layers)
        folder = self.work / f"{expert}-{self.layers}"
        if not Recognizer.is_saved(folder):
            read = formal_text if expert == FORMAL else everyday_text
            student = begun_student(teacher, layers, dequantize(path))
            device = default_device()
            train(
                student,
                sampled_text(read(self.data, self.encoder), self.share),
                self.encoder,
                self.schedule,
                state_of(folder),
                distillation_loss(teacher.to(device), layers),
                device=device,
                data=f" {expert} {self.source.digests['model.onnx']}",
            )
            student.save(folder)
        return Recognizer.load(folder)
