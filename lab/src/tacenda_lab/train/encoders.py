"""The recipe of a recognizer from any transformers encoder and standoff files alone (TAB, section 7.2).

Documents are read in overlapping windows; each subword is learned in the window that it will be
read from. A document with several annotators counts as several documents, as in the paper, or as
one with shares for labels. Each seed is a separate run, judged on the ``--dev`` documents after
each epoch. Its best epoch is written as a folder that transformers can read, with this project's
settings under ``tacenda`` in ``config.json``. The recipe of the shipped recognizer shares targets,
batches, loss and trainer with this one.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import torch
import transformers
from torch import Tensor, nn

from tacenda.detect.neural import NeuralDetector
from tacenda.document import Document, Span
from tacenda.errors import InputError, ModelError
from tacenda.evaluate.evaluation import evaluate
from tacenda.evaluate.gold import GoldDocument, GoldMention
from tacenda.models.calibration import SEMANTIC_TYPES, bio_id
from tacenda.models.checkpoint import (
    OWN_KEY,
    PREFIX,
    cached_folder,
    load_pretrained,
    position_limit,
    torch_device,
)
from tacenda.models.encoding import SpecialPieces, SubwordEncoder
from tacenda.models.store import digest, locate
from tacenda.models.token_classifier import (
    IOB_LABELS,
    JOINT_LABELS,
    ONNX_FILE,
    TokenClassifier,
    TorchNetwork,
    classifier_inputs,
    tokenizer_of,
)

from .classifier_export import export_onnx
from .corpus import by_annotator, check_apart, read_gold, strange_type
from .examples import MASKS, Example, MarkedSpan, example
from .packages import (
    CONFIG_FILE,
    TRAINING_FILE,
    check_place,
    finished_training,
    state_of,
    write_description,
    write_json,
)
from .recipes import Annotators, EncoderRecipe, Labels
from .recognizer import THRESHOLD, recalibrated
from .recognizer_batches import Schedule, TrainingWindow, collate, kept, soft_cross_entropy, train

LABELS: dict[Labels, tuple[str, ...]] = {"iob": IOB_LABELS, "soft": JOINT_LABELS}
_SPECIAL = 2
_LEAST_WINDOW = 16
"""Shorter ones show a word without its sentence, and a text has thousands of them."""
_IN_SPAN = (0, bio_id("B", "MISC"), bio_id("I", "MISC"))
"""Columns of the semantic types that stand for O, B-MASK and I-MASK in examples of the labels *iob*."""


# The encoder with new heads, its inputs and its loss.


class EncoderNetwork(nn.Module):
    """A token classifier of transformers, as the trainer sees it.

    Args:
        model: the transformers model.
        labels: the scheme of its labels.
    """

    def __init__(self, model: Any, labels: Labels) -> None:
        super().__init__()
        self.model = model
        self._heads = [17, 3] if labels == "soft" else [len(IOB_LABELS)]

    def forward(self, ids: Tensor, shapes: Tensor, mask: Tensor) -> tuple[Tensor, ...]:
        """Return the logits of each head, [batch, length, labels]; word shapes are ignored."""
        logits = self.model(**classifier_inputs(self.model, ids, mask.long())).logits
        return tuple(logits.split(self._heads, dim=-1))

    def head_parameters(self) -> Iterator[nn.Parameter]:
        """Yield the weights outside the encoder."""
        encoder = {id(parameter) for parameter in self.model.base_model.parameters()}
        return (item for item in self.model.parameters() if id(item) not in encoder)


def mask_loss(
    model: EncoderNetwork,
    batch: Sequence[TrainingWindow],
    encoder: SpecialPieces,
    masked_weight: float,
) -> Tensor:
    """Return the cross entropy to O, B-MASK and I-MASK, weighting the mask labels by ``masked_weight``."""
    device = next(model.parameters()).device
    ids, shapes, mask = (part.to(device) for part in collate(batch, encoder))
    targets = np.zeros((*ids.shape, len(IOB_LABELS)), dtype=np.float32)
    weights = np.zeros(ids.shape, dtype=np.float32)
    for row, item in enumerate(batch):
        part, inner = kept(item.window)
        targets[row, inner] = item.example.types[part][:, _IN_SPAN]
        share = 1.0 - targets[row, inner, 0]
        weights[row, inner] = item.example.weight[part] * (1.0 + (masked_weight - 1.0) * share)
    (logits,) = model(ids, shapes, mask)
    return soft_cross_entropy(logits, targets, weights)


def open_encoder(recipe: EncoderRecipe, seed: int, device: torch.device) -> EncoderNetwork:
    """Return the encoder with heads drawn from ``seed``.

    On a CPU the encoder has no dropout, which would rule out the fused kernels; on a GPU it has the
    dropout in its configuration.

    Raises:
        ModelError: there is no such encoder.
    """
    folder = str(cached_folder(recipe.encoder.removeprefix(PREFIX)))
    try:
        labels = dict(enumerate(LABELS[recipe.labels]))
        config = transformers.AutoConfig.from_pretrained(
            folder,
            local_files_only=True,
            id2label=labels,
            label2id={label: number for number, label in labels.items()},
        )
    except (OSError, ValueError, KeyError) as error:
        raise ModelError(f"{folder}: contains no encoder of transformers.") from error
    if device.type == "cpu":
        for name, value in config.to_dict().items():
            if "dropout" in name and isinstance(value, float):
                setattr(config, name, 0.0)
    torch.manual_seed(seed)
    model = load_pretrained(folder, "AutoModelForTokenClassification", config=config, new_head=True)
    return EncoderNetwork(model, recipe.labels)


def open_tokenizer(recipe: EncoderRecipe) -> Any:
    """Return the encoder's tokenizer, from the ``tokenizers`` library.

    Raises:
        ModelError: the encoder has no tokenizer with offsets.
    """
    return tokenizer_of(cached_folder(recipe.encoder.removeprefix(PREFIX)))


def reading(recipe: EncoderRecipe, limit: int) -> tuple[int, int]:
    """Return the window and overlap in subwords, not counting special ones.

    Args:
        recipe: the settings.
        limit: the encoder's longest input, counting special subwords.

    Raises:
        InputError: the window is too long for the encoder, or windows wouldn't advance.
    """
    size = recipe.window or min(limit, 512)
    if not _LEAST_WINDOW <= size <= limit:
        raise InputError(
            f"--window {size}: this encoder reads windows of {_LEAST_WINDOW} to {limit} subwords"
        )
    window = size - _SPECIAL
    overlap = window // 4 if recipe.stride < 0 else recipe.stride
    if overlap > window * 3 // 4:
        raise InputError(
            f"--stride {overlap} leaves less than a quarter of a window of {window} subwords new; give less"
        )
    return window, overlap


# Standoff files as examples.


def examples_of(
    documents: Sequence[GoldDocument],
    encoder: SubwordEncoder,
    labels: Labels,
    annotators: Annotators,
) -> list[Example]:
    """Return the targets for each subword in documents.

    Raises:
        InputError: a mention has an unknown semantic type.
    """
    examples = []
    for document in documents:
        views = [
            [_marked(document.id, mention, labels) for mention in mentions]
            for mentions in by_annotator(document)
        ]
        if labels == "iob":
            views = [[span for span in view if span.mask] for view in views]
        groups = [views] if annotators == "soft" else [[view] for view in views]
        examples += [example(document.id, document.text, group, encoder, "own") for group in groups]
    return examples


def _marked(name: str, mention: GoldMention, labels: Labels) -> MarkedSpan:
    if labels == "soft" and mention.type not in SEMANTIC_TYPES:
        raise strange_type(name, mention, ", or train with --labels iob")
    type = mention.type if labels == "soft" else "MISC"
    return MarkedSpan(mention.span.start, mention.span.end, type, MASKS[mention.identifier])


# One run per seed, and the folder that it writes.


@dataclass(frozen=True, slots=True, eq=False)
class Corpus:
    """The documents of a training run.

    Attributes:
        train: the documents to learn from.
        dev: the documents to judge each epoch on; may be empty.
        calibration: the documents to calibrate probabilities on; may be empty.
        digests: the SHA-256 of each file, by role and name.
    """

    train: Sequence[GoldDocument]
    dev: Sequence[GoldDocument]
    calibration: Sequence[GoldDocument]
    digests: dict[str, str]

    @classmethod
    def read(cls, gold: Sequence[Path], dev: Path | None, calibration: Path | None) -> Corpus:
        """Read the files.

        Raises:
            InputError: a file isn't gold annotations, or two parts share a document.
        """
        groups: dict[str, Sequence[Path]] = {
            "train": gold,
            "dev": [dev] if dev else [],
            "calibrate": [calibration] if calibration else [],
        }
        files = {role: paths for role, paths in groups.items() if paths}
        parts = {role: read_gold(*paths) for role, paths in files.items()}
        check_apart(parts, {role: str(paths[0]) for role, paths in files.items()})
        digests = {
            f"{role} {path.name}": digest(path) for role, paths in files.items() for path in paths
        }
        return cls(parts["train"], parts.get("dev", []), parts.get("calibrate", []), digests)


def dev_scores(model: TokenClassifier, documents: Sequence[GoldDocument]) -> dict[str, float]:
    """Return the benchmark's figures for what a network masks on its own, at its threshold."""
    detector = NeuralDetector(model, threads=1)
    detections = detector.detect([Document(item.id, item.text) for item in documents])
    masks: dict[str, list[Span]] = {
        document.id: [item.span for item in mentions if item.p_mask >= model.threshold]
        for document, mentions in zip(documents, detections, strict=True)
    }
    scores = evaluate(documents, masks).scores
    return {name: value for name, value in scores.items() if value is not None}


JUDGED = "token_f1"
"""The figure by which epochs and seeds are chosen."""


@dataclass(frozen=True, slots=True, eq=False)
class EncoderTraining:
    """The training runs of one recipe on one corpus.

    Attributes:
        recipe: the settings.
        corpus: the documents.
        export: whether to write ``model.onnx``, where possible.
        origin: what the documents are and the command, for the card.
    """

    recipe: EncoderRecipe
    corpus: Corpus
    export: bool = True
    origin: str = "annotated documents by `tacenda lab train recognizer`"

    def run(self, seed: int, folder: Path) -> dict[str, Any]:
        """Train with a seed, write the recognizer to ``folder``, and return the contents of ``training.json``.

        An interrupted run continues after its last epoch; a finished run isn't repeated.

        Raises:
            InputError: the folder has the result of another recipe or corpus.
            ModelError: the encoder can't be used.
        """
        signature = self.signature(seed)
        if finished := finished_training(folder, signature):
            return finished
        device = torch_device(self.recipe.device)
        network = open_encoder(self.recipe, seed, device)
        tokenizer = open_tokenizer(self.recipe)
        try:
            encoder = SubwordEncoder(tokenizer, int(network.model.config.pad_token_id or 0))
        except ValueError as error:
            raise ModelError(f"{self.recipe.encoder}: {error}.") from error
        window, overlap = reading(self.recipe, position_limit(network.model.config, 10**6))
        schedule = Schedule(
            epochs=self.recipe.epochs,
            batch_size=self.recipe.batch_size,
            window=window,
            overlap=overlap,
            encoder_rate=self.recipe.rate,
            head_rate=self.recipe.rate,
            masked_weight=self.recipe.mask_weight,
            case_noise=0.0,
            seed=seed,
            patience=self.recipe.patience,
        )
        read = partial(examples_of, encoder=encoder, labels=self.recipe.labels)
        classifier = partial(self._classifier, network, encoder, window, overlap)
        dev = self.corpus.dev
        progress = train(
            network,
            read(self.corpus.train, annotators=self.recipe.annotators),
            encoder,
            schedule,
            resume=state_of(folder),
            loss=mask_loss if self.recipe.labels == "iob" else None,
            judge=(lambda: dev_scores(classifier(device), dev)[JUDGED]) if dev else None,
            device=device,
            data=signature,
            keeps_state=True,
        )
        settings: dict[str, Any] = {
            "window": window,
            "overlap": overlap,
            "threshold": 0.5,
            "languages": sorted(self.recipe.languages),
        }
        if self.corpus.calibration:
            unseen = read(self.corpus.calibration, annotators="soft")
            settings["calibration"] = asdict(recalibrated(classifier(device), unseen))
            settings["threshold"] = THRESHOLD
        training = {
            "signature": signature,
            "seed": seed,
            "losses": progress.losses,
            "scores": progress.scores,
            "best_epoch": progress.best_epoch + 1,
            "dev": dev_scores(classifier(device), dev) if dev else {},
        }
        self._write(folder, network.cpu(), tokenizer, settings, training)
        state_of(folder).unlink(missing_ok=True)
        return training

    def signature(self, seed: int) -> str:
        """Everything that determines a run, in one line."""
        name = self.recipe.encoder.removeprefix(PREFIX)
        parts = (asdict(self.recipe), seed, self.corpus.digests, locate(PREFIX + name).digests)
        return json.dumps(parts, sort_keys=True)

    def _classifier(
        self,
        network: EncoderNetwork,
        encoder: SubwordEncoder,
        window: int,
        overlap: int,
        device: torch.device,
    ) -> TokenClassifier:
        weights = TorchNetwork(network.model, device)
        labels = LABELS[self.recipe.labels]
        return TokenClassifier(
            "training", weights, encoder, labels, window, overlap, weights.batch_tokens
        )

    def _write(
        self,
        folder: Path,
        network: EncoderNetwork,
        tokenizer: Any,
        settings: dict[str, Any],
        training: dict[str, Any],
    ) -> None:
        network.model.save_pretrained(folder)
        tokenizer.no_truncation()
        tokenizer.no_padding()
        tokenizer.save(str(folder / "tokenizer.json"))
        reason = "" if self.export else "it was not asked for"
        if self.export:
            reason = export_onnx(network.model, folder / ONNX_FILE)
        training["onnx"] = reason or "exported"
        write_json(folder / TRAINING_FILE, training)
        config = json.loads((folder / CONFIG_FILE).read_text(encoding="utf-8"))
        config[OWN_KEY] = settings | {"onnx": not reason}
        write_json(folder / CONFIG_FILE, config)
        write_description(folder, self._card(training))

    def _card(self, training: dict[str, Any]) -> str:
        figures = "".join(f"| {key} | {value:.3f} |\n" for key, value in training["dev"].items())
        judged = f"On {len(self.corpus.dev)} documents kept back:\n\n| | |\n|---|---|\n{figures}\n"
        settings = "\n".join(f"- {key}: {value}" for key, value in asdict(self.recipe).items())
        return (
            f"A recognizer made from {len(self.corpus.train)} {self.origin}, with seed "
            f"{training['seed']}:\n\n{settings}\n\n"
            f"{judged if figures else ''}Exported for onnxruntime: {training['onnx']}.\n"
        )


# Several seeds: what they share is due to the recipe, what differs is due to chance.


def train_encoders(
    training: EncoderTraining, seeds: int, out: Path
) -> tuple[Path, dict[str, dict[str, float]]]:
    """Run a recipe with seeds 1, 2, … and write ``report.json``.

    Args:
        training: the recipe and its corpus.
        seeds: the number of seeds; each has its own folder ``seed-N``, but a single one writes to
            ``out`` itself.
        out: the folder for the results.

    Returns:
        The folder of the recognizer that is best on the documents kept back (the first one without any), and of
        each figure on them mean and 95 % interval.

    Raises:
        InputError: if a folder has files that are no run's.
    """
    folders = [out] if seeds == 1 else [out / f"seed-{seed}" for seed in range(1, seeds + 1)]
    for folder in folders:
        check_place(folder)
    out.parent.mkdir(parents=True, exist_ok=True)
    if seeds > 1:
        out.mkdir(exist_ok=True)
    runs = [training.run(seed, folder) for seed, folder in enumerate(folders, 1)]
    best = max(range(seeds), key=lambda index: runs[index]["dev"].get(JUDGED, 0.0))
    summary = intervals([run["dev"] for run in runs])
    report = {
        "recipe": asdict(training.recipe),
        "files": training.corpus.digests,
        "versions": {"torch": torch.__version__, "transformers": transformers.__version__},
        "best": folders[best].name,
        "dev": summary,
        "seeds": [{key: value for key, value in run.items() if key != "signature"} for run in runs],
    }
    write_json(out / "report.json", report)
    return folders[best], summary


def intervals(runs: Sequence[dict[str, float]]) -> dict[str, dict[str, float]]:
    """Return mean and 95 % interval (Student's t over the runs) of each figure; one run has no interval."""
    from scipy.stats import t

    summary = {}
    for name in runs[0]:
        values = np.array([run[name] for run in runs if name in run])
        summary[name] = {"mean": float(values.mean())}
        if len(values) > 1:
            half = t.ppf(0.975, len(values) - 1) * values.std(ddof=1) / np.sqrt(len(values))
            summary[name] |= {
                "low": float(values.mean() - half),
                "high": float(values.mean() + half),
            }
    return summary
