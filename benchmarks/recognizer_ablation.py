"""What each part of the recognizer's training adds: trained again without it.

    python benchmarks/recognizer_ablation.py DATA WORK MPNET [PART ...]

A teacher and a silver student are trained once, like those of `tacenda train recognizer` but that the first
fold of the judgments is kept from both, that the teacher sees variations (other people in a judgment,
generated posts and letters), and that it reads more of every unlabelled judgment; then the variants, all
without that fold. A variant's threshold is the largest one with an ER_qi of .95 on the fold, so that what
differs there is the precision; on `tab/dev_real.json`, of which nothing was chosen, both figures do.
Intervals are of 95 %, over documents. Finished networks in WORK are not trained again: an hour and a half
of two cores with bfloat16 in all.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path

import torch

from tacenda.document import Document, Span
from tacenda.evaluate.evaluation import evaluate_prepared, prepare_predicted
from tacenda.evaluate.gold import load_gold
from tacenda.evaluate.matching import PreparedDocument
from tacenda.models.calibration import Calibration
from tacenda.models.encoding import TextEncoder
from tacenda.models.networks import RecognizerModel
from tacenda.pipeline import Analysis, Sanitizer, complete, load
from tacenda.policy import Policy
from tacenda_lab.train.augmentation import Variations
from tacenda_lab.train.examples import Example
from tacenda_lab.train.networks import Encoder, Recognizer
from tacenda_lab.train.onnx import set_calibration, write_package
from tacenda_lab.train.recognizer import (
    FINE_TUNING,
    SILVER,
    TEACHER,
    THRESHOLD,
    Corpora,
    folds,
    student_encoder,
)
from tacenda_lab.train.recognizer_batches import Schedule, train
from tacenda_lab.train.silver import distill, read_articles, read_judgments

GOAL = 0.95
GRID = [number / 100 for number in range(60, 1, -1)]


@dataclass(frozen=True)
class Gold:
    texts: dict[str, str]
    prepared: tuple[PreparedDocument, ...]

    @classmethod
    def read(cls, path: Path, names: Collection[str] = ()) -> Gold:
        loaded = json.loads(path.read_text(encoding="utf-8"))
        texts = {item["doc_id"]: item["text"] for item in loaded}
        texts = {id: text for id, text in texts.items() if not names or id in names}
        return cls(texts, prepare_predicted(load_gold(path), {id: [] for id in texts}))

    def analysed(self, sanitizer: Sanitizer) -> dict[str, Analysis]:
        return {id: sanitizer.analyze(Document(id, text)) for id, text in self.texts.items()}


@dataclass(frozen=True)
class Course:
    """What all variants share."""

    data: Path
    work: Path
    mpnet: Path
    encoder: TextEncoder
    corpora: Corpora
    variations: Variations

    def kept(self, name: str, trained: Callable[[], Recognizer]) -> Recognizer:
        """Return the network of that name, trained if it is not there."""
        if not Recognizer.is_saved(self.work / name):
            torch.manual_seed(TEACHER.seed)
            trained().save(self.work / name)
        return Recognizer.load(self.work / name)

    def seen(self, corpora: Corpora) -> list[Example]:
        return next(folds(corpora.judgments))[0]

    def teacher(self) -> Recognizer:
        def of_epoch(epoch: int) -> list[Example]:
            return [
                *self.variations.judgments(self.seen(self.corpora), epoch),
                *self.corpora.biographies,
                *(self.corpora.mentions_only if epoch % 2 == 0 else ()),
                *self.corpora.personal[epoch % 2 :: 2],
                *self.variations.new(epoch),
            ]

        network = Recognizer(Encoder.from_mpnet(self.mpnet))
        schedule = replace(TEACHER, batch_tokens=12 * TEACHER.window, seed=3)
        train(network, of_epoch, self.encoder, schedule, self.work / "teacher.state")
        return network

    def silver(self) -> Recognizer:
        teacher = self.kept("teacher", self.teacher)
        development = json.loads((self.data / "tab/dev.json").read_text(encoding="utf-8"))
        background = self.data / "background"
        left_out = {item["doc_id"] for item in development}
        known = {example.doc_id for example in self.corpora.biographies}
        texts = [
            *read_judgments(
                background / "echr_judgments.json.gz", self.encoder, left_out, characters=16_000
            ),
            *read_articles(
                background / "wiki553_article_bodies.json.gz", self.encoder, known, characters=6_000
            ),
        ]
        taught = distill(teacher, texts, self.encoder)
        taught += distill(teacher, self.corpora.mentions_only, self.encoder, share=0.0)
        network = bare()
        train(network, taught + self.corpora.personal, self.encoder, SILVER)
        return network

    def tuned(
        self,
        start: Recognizer,
        corpora: Corpora,
        varied: bool = True,
        schedule: Schedule = FINE_TUNING,
    ) -> Recognizer:
        seen = self.seen(corpora)

        def of_epoch(epoch: int) -> list[Example]:
            return [
                *(self.variations.judgments(seen, epoch) if varied else seen),
                *corpora.biographies,
                *corpora.personal[epoch % 2 :: 2],
                *(self.variations.new(TEACHER.epochs + epoch) if varied else ()),
            ]

        train(start, of_epoch, self.encoder, schedule)
        return start

    @cached_property
    def taught(self) -> Corpora:
        teacher = self.kept("teacher", self.teacher)
        half = (
            distill(teacher, examples, self.encoder, share=0.5)
            for examples in (
                self.corpora.judgments,
                self.corpora.biographies,
                self.corpora.personal,
            )
        )
        judgments, biographies, personal = half
        return Corpora(judgments, self.corpora.mentions_only, biographies, personal)


def bare() -> Recognizer:
    return Recognizer(Encoder.from_bert(student_encoder()))


def parts(course: Course) -> dict[str, Callable[[], Recognizer]]:
    def silver() -> Recognizer:
        return course.kept("silver", course.silver)

    untaught = replace(FINE_TUNING, encoder_rate=4e-4)
    no_weight = replace(FINE_TUNING, masked_weight=1.0)
    return {
        "all": lambda: course.tuned(silver(), course.taught),
        "teacher": course.teacher,
        "no-variations": lambda: course.tuned(silver(), course.taught, varied=False),
        "annotators-only": lambda: course.tuned(silver(), course.corpora, varied=False),
        "no-weight": lambda: course.tuned(
            silver(), course.taught, varied=False, schedule=no_weight
        ),
        "no-teacher": lambda: course.tuned(bare(), course.corpora, varied=False, schedule=untaught),
    }


def main() -> None:
    data, work, mpnet = map(Path, sys.argv[1:4])
    tokenizer = student_encoder() / "tokenizer.json"
    encoder = TextEncoder.from_file(tokenizer)
    corpora = Corpora.read(data, encoder)
    varied = Variations(data / "tab/train.json", encoder, data)
    course = Course(data, work, mpnet, encoder, corpora, varied)
    _, unseen = next(folds(corpora.judgments))
    kept = Gold.read(data / "tab/train.json", {example.doc_id for example in unseen})
    real = Gold.read(data / "tab/dev_real.json")
    print("| part | threshold | P, fold | R | ER_qi | P, dev_real |\n|---|---|---|---|---|---|")
    known = parts(course)
    for part in sys.argv[4:] or known:
        folder = work / "ablation" / part
        if not (folder / "digests.json").exists():
            window = TEACHER.window if part == "teacher" else FINE_TUNING.window
            network = course.kept(part, known[part])
            write_package(network, tokenizer, Calibration(), THRESHOLD, folder, window)
            # Curves of the shipped one, from all folds: those of one fold have steps too coarse to rank by.
            set_calibration(folder, RecognizerModel.load().calibration)
        sanitizer = load(model=folder, threads=1)
        read = kept.analysed(sanitizer)
        threshold = next(
            t for t in GRID if scored(sanitizer, read, kept, t)["entity_recall_quasi"][0] >= GOAL
        )
        fold = scored(sanitizer, read, kept, threshold, resamples=1000)
        dev = scored(sanitizer, real.analysed(sanitizer), real, threshold, resamples=1000)
        cells = [
            fold["token_precision"],
            *(dev[key] for key in ("token_recall", "entity_recall_quasi", "token_precision")),
        ]
        shown = " | ".join(f"{value:.3f} [{low:.3f}, {high:.3f}]" for value, low, high in cells)
        print(f"| {part} | {threshold} | {shown} |", flush=True)


def scored(
    sanitizer: Sanitizer,
    read: Mapping[str, Analysis],
    gold: Gold,
    threshold: float,
    resamples: int = 0,
) -> dict[str, tuple[float, float, float]]:
    masks: dict[str, list[Span]] = {}
    for id, analysis in read.items():
        found = complete(
            analysis, Policy(threshold=threshold, operator="suppress"), sanitizer.threshold
        ).sanitized
        masks[id] = [item.original for item in found.replacements]
    report = evaluate_prepared(gold.prepared, masks, bootstrap=resamples)
    return {
        key: (value, *report.intervals.get(key, (value, value)))
        for key, value in report.scores.items()
    }


if __name__ == "__main__":
    main()
