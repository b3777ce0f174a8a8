"""Everyday text as training examples: innocent documents, partly and wholly labelled ones, and mixtures.

A source is believed in what it annotates only. Innocent text says that nothing is masked and
nothing of types; a source of names says nothing of dates or jobs, and its subwords that the
recognizer takes for something else are left out of the loss.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random
from typing import Any, TypeVar

import numpy as np
import torch
from torch import Tensor

from tacenda.errors import InputError
from tacenda.models.calibration import SEMANTIC_TYPES, Calibration, Curve
from tacenda.models.encoding import TextEncoder
from tacenda.models.networks import RecognizerModel
from tacenda.models.store import ShippedModel

from .augmentation import labelled_examples
from .corpus import is_held_out, records
from .examples import MASKS, Example, MarkedSpan, Mention, example
from .experts import share_embeddings, write_experts
from .generated import ABROAD, Sample, generate
from .networks import Recognizer
from .onnx import dequantize, write_package
from .recognizer import THRESHOLD, Corpora, recalibrated
from .recognizer_batches import Schedule, train
from .router import fit_router
from .silver import distill

Item = TypeVar("Item")

_NAMES = frozenset({"PERSON", "LOC", "ORG"})
_NAMES_AND_DATES = _NAMES | {"DATETIME", "MISC"}
_ALL = frozenset(SEMANTIC_TYPES)


@dataclass(frozen=True, slots=True)
class Source:
    """Files of the everyday folder that are read alike.

    Attributes:
        pattern: of their paths in the folder.
        covers: types of which every mention is marked; those of other types are left out of the
            loss. Empty for innocent text.
        share: share of the documents in [0, 1] of an epoch.
    """

    pattern: str
    covers: frozenset[str]
    share: float


SOURCES = (
    Source("innocent/*.jsonl.gz", frozenset(), 0.15),
    Source("innocent/*/*.jsonl.gz", frozenset(), 0.12),
    Source("labelled/gum_*.jsonl.gz", _NAMES_AND_DATES, 0.4),
    Source("labelled/web_email_*.jsonl.gz", _NAMES | {"CODE"}, 1.0),
    Source("labelled/finance_*.jsonl.gz", _NAMES, 0.3),
    Source("labelled/defence_*.jsonl.gz", _ALL - {"CODE", "MISC"}, 1.0),
    Source("labelled/bookings_*.jsonl.gz", frozenset({"PERSON", "DATETIME", "QUANTITY"}), 0.5),
    Source("labelled/chat_*.jsonl.gz", _ALL, 0.25),
    Source("labelled/synthetic_*.jsonl.gz", _ALL, 0.5),
    Source("descriptions/synthetic_people_*.jsonl.gz", _ALL, 0.75),
    # Names in other languages are names; the English recognizer must see them, too.
    Source("labelled/es/*.jsonl.gz", _ALL, 0.15),
    Source("labelled/de/news_*.jsonl.gz", _NAMES, 0.34),
    Source("labelled/de/court_*.jsonl.gz", _NAMES, 0.12),
    Source("labelled/pt/court_*.jsonl.gz", _NAMES, 0.06),
    Source("labelled/pt/news_*.jsonl.gz", _NAMES, 0.2),
    Source("labelled/sv/*.jsonl.gz", _NAMES, 0.3),
)


@dataclass(frozen=True, slots=True, eq=False)
class EverydayText:
    """Examples by source, in the order of ``SOURCES``, with the recognizer's own answers filled in."""

    sources: tuple[tuple[Example, ...], ...]

    @classmethod
    def read(
        cls, folder: Path, encoder: TextEncoder, recognizer: Recognizer | None, share: float = 1.0
    ) -> EverydayText:
        """Read the sources under ``folder``.

        Args:
            folder: laid out as ``everyday/`` of the data folder is.
            encoder: makes the subwords.
            recognizer: what the recognizer says where a source says nothing; None where only the text is of use.
            share: of the documents of each source, in (0, 1].
        """
        groups = []
        for source in SOURCES:
            documents = [
                record for path in sorted(folder.glob(source.pattern)) for record in records(path)
            ]
            examples = [
                read_record(record, encoder, is_innocent=not source.covers)
                for record in sampled(documents, share)
            ]
            if recognizer is not None:
                examples = _believed(examples, source, encoder, recognizer)
            groups.append(tuple(examples))
        return cls(tuple(groups))

    def seen(self) -> EverydayText:
        """The documents to train on."""
        return self._where(held_out=False)

    def held_out(self) -> EverydayText:
        """The documents kept for calibration."""
        return self._where(held_out=True)

    def _where(self, *, held_out: bool) -> EverydayText:
        return EverydayText(
            tuple(
                tuple(item for item in group if is_held_out(item.doc_id) == held_out)
                for group in self.sources
            )
        )

    def epoch(self, number: int) -> list[Example]:
        """Return the documents of an epoch: each source's share, others every time until all were drawn."""
        drawn: list[Example] = []
        for source, group in zip(SOURCES, self.sources, strict=True):
            order = list(group)
            Random(source.pattern).shuffle(order)
            drawn += turn(order, number, round(len(order) * source.share))
        return drawn


def read_record(record: dict[str, Any], encoder: TextEncoder, *, is_innocent: bool) -> Example:
    """Return one document; of innocent text no types are known, and what its source doubts has no weight."""
    marked = [
        MarkedSpan(start, end, type, None if mask is None else MASKS[mask])
        for start, end, type, mask in record.get("spans", ())
    ]
    read = example(record["id"], record["text"], [marked], encoder, record["domain"])
    if not is_innocent:
        return read
    weight = read.weight.copy()
    for start, end, *_ in record.get("ignore", ()):
        weight[(read.encoding.starts < end) & (read.encoding.ends > start)] = 0.0
    return replace(read, weight=weight, type_known=np.zeros_like(weight))


def _believed(
    examples: Sequence[Example], source: Source, encoder: TextEncoder, recognizer: Recognizer
) -> list[Example]:
    """Return the examples with the recognizer's answer where the source has none."""
    if source.covers in (_ALL, frozenset()):
        return list(examples)
    # The source's types stay; its masking decisions, too, where it made any.
    unknown = [replace(item, mask_known=np.zeros_like(item.mask_known)) for item in examples]
    own = distill(recognizer, unknown, encoder, share=1.0)
    covered = np.array([True] + [type in source.covers for type in SEMANTIC_TYPES])
    result = []
    for before, answer in zip(examples, own, strict=True):
        label = answer.types.argmax(axis=-1)
        unmarked = before.types[:, 0] > 0
        doubtful = unmarked & ~covered[(label + 1) // 2]
        # What the masking head alone sees is of no type that a source of names could cover.
        doubtful |= unmarked & (label == 0) & (answer.masks[:, 0] < 0.8)
        is_known = before.mask_known[:, None] > 0
        result.append(
            replace(
                before,
                masks=np.where(is_known, before.masks, answer.masks),
                mask_known=np.ones_like(before.mask_known),
                weight=np.where(doubtful, 0.0, before.weight).astype(np.float32),
            )
        )
    return result


# Documents made anew for each epoch: frames filled with other people, and personal sentences in
# the midst of innocent text, so that a domain alone says nothing about what is personal in it.


GENERATED = 1300
SPLICED = 500
_ABROAD = 0.14
_PARAGRAPH = re.compile(r"\n\s*\n|\n")
_SENTENCE = re.compile(r"(?<=[.!?])\s+(?=[A-Z])")
_PIECE = 600


def generated(
    epoch: int, encoder: TextEncoder, data: Path | None, count: int = GENERATED
) -> list[Example]:
    """Return ``count`` documents from frames, some of them disturbed, and those in other languages."""
    samples = generate(5000 + epoch, count, data)
    abroad = generate(7000 + epoch, round(_ABROAD * count), data, only=(ABROAD,))
    return [
        *labelled_examples(samples, encoder, f"generated-{epoch}"),
        *labelled_examples(abroad, encoder, f"abroad-{epoch}"),
    ]


def spliced(
    epoch: int,
    innocents: Sequence[Example],
    encoder: TextEncoder,
    data: Path | None,
    count: int = SPLICED,
) -> list[Example]:
    """Return ``count`` innocent passages with a generated document among them.

    Args:
        epoch: seeds the choice.
        innocents: with the recognizer's types as targets and nothing masked.
        encoder: makes the subwords.
        data: a folder with longer lists of words (see ``load_words``).
        count: how many.
    """
    result = []
    for index, sample in enumerate(generate(9000 + epoch, count, data)):
        random = Random(f"splice:{epoch}:{index}")
        host = random.choice(innocents)
        before, after = _halves(host.text, random)
        start, mentions, text = _piece(sample, random)
        offset = len(before) + 1
        marked = [
            MarkedSpan(s - start + offset, e - start + offset, type, MASKS[mask])
            for s, e, type, mask in mentions
        ]
        passage = example(
            f"spliced-{epoch}-{index}", f"{before}\n{text}\n{after}", [marked], encoder, "spliced"
        )
        starts, ends = passage.encoding.starts, passage.encoding.ends
        inside = (starts >= offset) & (ends <= offset + len(text))
        # Of the passages around nothing is known but that they are not personal.
        result.append(replace(passage, type_known=inside.astype(np.float32)))
    return result


def _halves(text: str, random: Random) -> tuple[str, str]:
    borders = [match.end() for match in _SENTENCE.finditer(text)] or [len(text)]
    border = random.choice(borders)
    half = _PIECE // 2
    before = text[max(0, border - half) : border].strip()
    after = text[border : border + half].strip()
    return (before.partition(" ")[2] if border > half else before), after


def _piece(sample: Sample, random: Random) -> tuple[int, list[Mention], str]:
    """Return a stretch of a sample, cut at paragraphs where no mention is, and its offset."""
    text, mentions = sample.text, sample.mentions
    if len(text) <= _PIECE:
        return 0, list(mentions), text
    borders = [0, *(match.end() for match in _PARAGRAPH.finditer(text)), len(text)]
    starts = [border for border in borders if border + _PIECE // 2 < len(text)]
    start = random.choice(starts or [0])
    ends = [border for border in borders if start < border <= start + _PIECE]
    end = max(ends, default=min(len(text), start + _PIECE))
    while any(s < end < e for s, e, *_ in mentions):
        end += 1
    return start, [m for m in mentions if m[0] >= start and m[1] <= end], text[start:end]


# The recipe: a second expert beside that of formal prose, on the same embeddings, calibrated on
# documents of every source that it was not fitted to.


# Twice, each with a rate that falls to nothing; the second begins where the first ended.
SCHEDULE = Schedule(epochs=2, encoder_rate=1e-4, head_rate=2e-4, seed=9)
# Share of the weights after the first run in the finished ones.
_FIRST_SHARE = 0.35
# Share of the recognizer's own answer in the targets of judgments and biographies.
_OWN_SHARE = 0.5
# Judgments and biographies in other forms come here, too; share of those of an epoch.
_JUDGMENTS = 0.5
# Sentences of presidio-research an epoch; all are cut from few templates.
_PERSONAL = 300
# Texts of users differ from the sources more than the documents kept back do.
_TEMPERATURE = 2.0
_LEAST_SHARE = 0.01


@dataclass(frozen=True, slots=True, eq=False)
class Mixture:
    """What the expert of everyday text is fitted to, drawn anew for each epoch.

    Attributes:
        judgments: half of each target the recognizer's own answer.
        biographies: the same.
        personal: sentences of presidio-research.
        text: everyday text to train on, by source.
        held_out: documents of all kinds to calibrate on.
        generated: number of documents from frames an epoch.
        spliced: number of innocent passages with such a document in them an epoch.
        encoder: makes the subwords.
        words: a folder with longer lists of words, or None.
    """

    judgments: tuple[Example, ...]
    biographies: tuple[Example, ...]
    personal: tuple[Example, ...]
    text: EverydayText
    held_out: tuple[Example, ...]
    generated: int
    spliced: int
    encoder: TextEncoder
    words: Path | None

    @classmethod
    def read(
        cls, data: Path, encoder: TextEncoder, recognizer: Recognizer | None, share: float = 1.0
    ) -> Mixture:
        """Read the data folder.

        Args:
            data: the data folder, with ``everyday/`` in it.
            encoder: makes the subwords.
            recognizer: what it says itself; None where only the text is of use.
            share: of the documents of everything in (0, 1], for a shorter run.
        """
        corpora = Corpora.read(data, encoder)
        text = EverydayText.read(data / "everyday", encoder, recognizer, share)
        formal = [*corpora.judgments, *corpora.biographies]
        held_out = [item for item in formal if is_held_out(item.doc_id)]
        for part, group in zip(SOURCES, text.held_out().sources, strict=True):
            # A source that is silent about some types says nothing of how often they are masked.
            if part.covers in (frozenset(), _ALL):
                held_out += group

        def own(examples: Sequence[Example]) -> tuple[Example, ...]:
            seen = sampled(_seen(examples), share)
            return tuple(
                seen if recognizer is None else distill(recognizer, seen, encoder, _OWN_SHARE)
            )

        return cls(
            own(corpora.judgments),
            own(corpora.biographies),
            tuple(_seen(corpora.personal)),
            text.seen(),
            tuple(held_out),
            round(share * GENERATED),
            round(share * SPLICED),
            encoder,
            data if (data / "lists").is_dir() else None,
        )

    def epoch(self, number: int) -> list[Example]:
        """Return the documents of an epoch."""
        random = Random(number)
        innocents = [*self.text.sources[0], *self.text.sources[1]]
        return [
            *random.sample(self.judgments, round(_JUDGMENTS * len(self.judgments))),
            *self.biographies,
            *random.sample(self.personal, min(_PERSONAL, len(self.personal))),
            *self.text.epoch(number),
            *generated(number, self.encoder, self.words, self.generated),
            *spliced(number, innocents, self.encoder, self.words, self.spliced),
        ]


def sampled(examples: Sequence[Item], share: float) -> list[Item]:
    """Return about this share of the examples, in (0, 1], evenly spread and always the same ones."""
    return [examples[int(place / share)] for place in range(round(share * len(examples)))]


def train_everyday(data: Path, work: Path, source: ShippedModel) -> Path:
    """Give a recognizer an expert of everyday text, and return the folder of the finished model.

    Args:
        data: the data folder, with ``everyday/`` in it.
        work: folder of the result; a stopped run goes on from its last epoch.
        source: an int8 recognizer; of its experts that of formal prose stays as it is.

    Raises:
        InputError: if there is no everyday text.
        ModelError: if the source is no int8 recognizer, or is damaged.
    """
    require_everyday_text(data)
    encoder = RecognizerModel(source).encoder
    network = dequantize(source.folder / "model.onnx")
    mixture = Mixture.read(data, encoder, network)

    first, fitted = work / "everyday-first", work / "everyday"
    if not Recognizer.is_saved(first):
        share_embeddings(network)
        train(network, mixture.epoch, encoder, SCHEDULE, work / "everyday-first.state")
        network.save(first)
    if not Recognizer.is_saved(fitted):
        network = Recognizer.load(first)
        share_embeddings(network)
        train(
            network,
            lambda number: mixture.epoch(SCHEDULE.epochs + number),
            encoder,
            SCHEDULE,
            work / "everyday.state",
        )
        _average(network, Recognizer.load(first).state_dict(), _FIRST_SHARE)
        network.save(fitted)
    network = Recognizer.load(fitted)
    tokenizer = source.path("tokenizer.json")
    alone = work / "alone"
    write_package(network, tokenizer, Calibration(), THRESHOLD, alone)
    calibration = softened(recalibrated(RecognizerModel.load(alone), mixture.held_out))
    router = fit_router(data)
    return write_experts(source, network, calibration, router, work / source.name)


def require_everyday_text(data: Path) -> None:
    """Check that a data folder has everyday text.

    Raises:
        InputError: if it has none.
    """
    if not any((data / "everyday").glob(SOURCES[0].pattern)):
        raise InputError("has no everyday/innocent; see the README of the data.", str(data))


def _average(network: Recognizer, weights: Mapping[str, Tensor], share: float) -> None:
    """Move the network's weights towards others, ``share`` in [0, 1] of the way.

    Weights of one origin can be averaged (Wortsman et al. 2022, "Robust fine-tuning of zero-shot
    models"): what one run forgot comes back, and little of what the other learned goes.
    """
    network.load_state_dict(
        {
            name: torch.lerp(value, weights[name], share) if value.is_floating_point() else value
            for name, value in network.state_dict().items()
        }
    )


def softened(calibration: Calibration, temperature: float = _TEMPERATURE) -> Calibration:
    """Return the curves of masking with all probabilities nearer to one half.

    Args:
        calibration: of documents like those trained on.
        temperature: divisor of the log-odds (Guo et al. 2017, "On calibration of modern neural
            networks"), above 1.
    """

    def soft(share: float) -> float:
        bounded = min(max(share, _LEAST_SHARE), 1 - _LEAST_SHARE)
        odds = math.log(bounded / (1 - bounded)) / temperature
        return round(1 / (1 + math.exp(-odds)), 4)

    curves = {
        type: Curve(curve.x, (0.0, *map(soft, curve.y[1:])))
        for type, curve in calibration.masking.items()
    }
    return replace(calibration, masking=curves)


def _seen(examples: Sequence[Example]) -> list[Example]:
    """Return the examples to train on."""
    return [item for item in examples if not is_held_out(item.doc_id)]


def turn(examples: Sequence[Example], number: int, count: int) -> list[Example]:
    """Return the ``count`` examples of an epoch, one after the other over the epochs and again from the first."""
    return [examples[(number * count + index) % len(examples)] for index in range(count)]
