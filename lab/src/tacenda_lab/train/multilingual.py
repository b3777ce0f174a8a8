"""Recipe of the multilingual recognizer: what is read, how it is weighed, and the runs.

1. *training*: the first layers of the encoder of ``multilingual_encoder.py``, fitted to everything that is marked.
2. *finish*: once more at a smaller rate, half of it a few lines of documents in which something is marked.
3. *continued*: once more, with names that have little around them, and documents that are new since; the mean of the
   weights before and after it. From a recognizer that is there (``start``) the recipe begins here.
4. *calibration*: on the development part of the corpus, which the run hasn't seen.

A source is believed in what it decides. Where names alone are marked, the types of what is marked are learned and all
else is left out of the loss: "not marked" there doesn't say "not to be masked".
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from copy import deepcopy
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from random import Random
from typing import Any, TypeAlias

import numpy as np

from tacenda.models.calibration import Calibration
from tacenda.models.encoding import TextEncoder
from tacenda.models.networks import RecognizerModel

from .. import corpus
from . import examples as read
from .corpus import records
from .examples import MASKS, Example, MarkedSpan, example
from .multilingual_encoder import LANGUAGES
from .name_lists import names_alone
from .networks import Encoder, Recognizer
from .onnx import dequantize, write_package
from .packages import TOKENIZER_FILE, state_of
from .recognizer import THRESHOLD, recalibrated
from .recognizer_batches import Schedule, train
from .variation import Variation

_CASES = 0.06
"""Share of the documents of an epoch in capitals, and of those in small letters."""
_RENAMED = 0.7
"""Share of the documents of an epoch with other names, places and numbers."""
_SNIPPETS = 0.4
"""Share of the documents of which a few lines stand alone, too."""
_DROPOUT = 0.07
"""Share of the features of a layer that are left out of a text in training."""


_MARKED = frozenset({"english", "languages", "tab", "biographies", "judgments"})
"""Sources in which everything is marked that is to be masked."""
Draw: TypeAlias = Callable[[int], list[Example]]
"""From the number of an epoch to its examples."""


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
        item = _read_record(record, encoder, is_innocent=is_innocent)
        if not is_complete:
            marked = (item.types[:, 0] == 0).astype(np.float32)
            item = replace(item, type_known=marked, mask_known=item.mask_known * marked)
        result.append(item)
    return result


def _read_record(record: dict[str, Any], encoder: TextEncoder, *, is_innocent: bool) -> Example:
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


_NAMES = ("gum_*", "web_*", "de/*", "pt/*", "sv/*")
_INNOCENT = ("", "de/", "es/", "fr/", "it/", "nl/", "pl/", "pt/", "sv/")
"""Folders of texts in which nothing is to be masked."""


def read_sources(data: Path, encoder: TextEncoder, folder: Path = corpus.FOLDER) -> list[Source]:
    """Read everything that is learned from.

    Args:
        data: the data folder.
        encoder: makes the subwords.
        folder: of the corpus of our own.
    """
    everyday = data / "everyday"
    own = read_corpus(encoder, folder)

    def files(*patterns: str, innocent: bool = False, complete: bool = True) -> list[Example]:
        paths = [path for pattern in patterns for path in everyday.glob(pattern)]
        return read_everyday(paths, encoder, is_complete=complete, is_innocent=innocent)

    mentions = read.read_mentions_only(data / "tab/train_mentions_only.json", encoder)
    biographies = read.read_biographies(data / "wiki/biographies_train.json", encoder)
    names = files(*(f"labelled/{name}" for name in _NAMES), complete=False)
    innocent = files(*(f"innocent/{place}*.gz" for place in _INNOCENT), innocent=True)
    judgments = [item for item in own if item.corpus == "judgment"]
    others = [item for item in own if item.corpus not in ("en", "judgment")]
    return [
        Source("tab", tuple(read.read_tab(data / "tab/train.json", encoder)), share=1.5),
        Source("judgments", tuple(judgments), share=0.7),
        Source("mentions", tuple(mentions), share=0.5),
        Source("biographies", tuple(biographies), share=2.0),
        Source("english", tuple(item for item in own if item.corpus == "en")),
        Source("languages", tuple(others), share=1.5),
        Source("chats", tuple(files("labelled/chat_*")), share=0.05),
        Source("clinical", tuple(files("labelled/es/clinical_*")), share=0.05, weight=0.5),
        Source("names", tuple(names), share=0.08, weight=0.5),
        Source("innocent", tuple(innocent), share=0.06, weight=0.3),
    ]


def epoch(sources: Sequence[Source], number: int, variation: Variation) -> list[Example]:
    """Return the examples of an epoch, by number from 0.

    Of each source its share, others every time until all were drawn. Most have other names, places and numbers each
    time, some are in capitals or small letters, and of some a few lines stand alone, too: much that people type is short.
    """
    drawn: list[Example] = []
    random = Random(number)
    for source in sources:
        order = list(source.examples)
        Random(source.name).shuffle(order)
        count = round(len(order) * source.share)
        for item in _turn(order, number, count):
            varied = _varied(item, variation, random)
            weighed = replace(varied, weight=varied.weight * np.float32(source.weight))
            drawn.append(weighed)
            if random.random() < _SNIPPETS:
                drawn.append(variation.snippet(weighed, random))
    return drawn


def _turn(examples: Sequence[Example], number: int, count: int) -> list[Example]:
    """Return the ``count`` examples of an epoch, one after the other over the epochs and again from the first."""
    return [examples[(number * count + index) % len(examples)] for index in range(count)]


def _varied(item: Example, variation: Variation, random: Random) -> Example:
    renamed = variation.renamed(item, random) if random.random() < _RENAMED else item
    draw = random.random()
    if draw >= 2 * _CASES:
        return renamed
    return variation.recased(renamed, str.upper if draw < _CASES else str.lower)


def begin(encoder: Path, layers: int = 0, seed: int = 1) -> Recognizer:
    """Return a recognizer with new heads on the first layers of an encoder.

    The last layers of an encoder that was taught to compare texts know little of words. After 440,000 pieces the loss on
    unseen documents in ten languages is 1.00 with all twelve, 1.30 with every second one, .69 with the first six; and
    with variations .79, .67 and .59 with the first four, six and eight.

    Args:
        encoder: folder of ``multilingual_encoder.write_cut``.
        layers: how many stay; all with 0.
        seed: of the heads.
    """
    network = Recognizer.begun(partial(Encoder.from_bert, encoder), seed)
    body = network.encoder
    if layers:
        body.layers = body.layers[:layers]
        body.architecture = replace(body.architecture, num_hidden_layers=layers)
    return _in_training(network)


def _in_training(network: Recognizer) -> Recognizer:
    """Return a recognizer whose word embeddings stay, and that doesn't learn texts by heart."""
    network.encoder.word_embedding.weight.requires_grad_(False)
    for layer in network.encoder.layers:
        layer.dropout.share = _DROPOUT
    return network


# The run. It writes its state after each part of an epoch, and goes on from there when it was stopped, on any machine.


PARTS = 2
"""Parts of a pass, in which each document of a source with the share 1 is seen once; the state is written after each."""
SCHEDULE = Schedule(
    epochs=7,
    batch_tokens=4096,
    encoder_rate=2e-4,
    head_rate=1e-3,
    warmup=0.05,
    case_noise=0.0,
)
FINISH = replace(SCHEDULE, epochs=1, encoder_rate=8e-5, head_rate=2e-4, warmup=0.08)
_FINISH_SHARE, _FINISH_DOCUMENTS, _FINISH_SNIPPETS = 1 / 6, 2600, 3
_FINISH_RENAMED = 0.8
CONTINUED = replace(SCHEDULE, epochs=1, encoder_rate=8e-5, head_rate=2e-4, warmup=0.06)
_CONTINUED_SHARE, _CONTINUED_DOCUMENTS, _CONTINUED_SNIPPETS, _CONTINUED_NEWER = 0.3, 1500, 2, 3
_NAMES_ALONE = 3000
"""Lists and sentences of ``name_lists`` in the part *continued*."""
LAYERS = 8
RECOGNIZER = "recognizer-small"


def train_multilingual(
    data: Path,
    work: Path,
    encoder_folder: Path,
    schedule: Schedule = SCHEDULE,
    folder: Path = corpus.FOLDER,
    layers: int = LAYERS,
    start: Path | None = None,
    newer: str = "",
) -> Path:
    """Run the recipe and return the folder of the recognizer.

    Args:
        data: the data folder.
        work: folder of the results of all steps.
        encoder_folder: what ``multilingual_encoder.build`` wrote.
        schedule: of the run.
        folder: of the corpus of our own.
        layers: how many of the encoder's layers stay.
        start: folder of a recognizer to continue from, instead of the first two parts.
        newer: pattern of the ids of documents that it hasn't seen, to be read more often.
    """
    tokenizer = (start or encoder_folder) / TOKENIZER_FILE
    encoder = TextEncoder.from_file(tokenizer)
    trained, finished, continued = work / "trained", work / "finished", work / "continued"
    if not Recognizer.is_saved(continued):
        work.mkdir(parents=True, exist_ok=True)
        sources = read_sources(data, encoder, folder)
        variation = Variation(encoder, [item for source in sources for item in source.examples])

        def fit(network: Recognizer, drawn: Draw, schedule: Schedule, target: Path) -> None:
            train(network, drawn, encoder, schedule, state_of(target))
            network.save(target)

        if start is None and not Recognizer.is_saved(finished):
            if not Recognizer.is_saved(trained):
                parts = [replace(source, share=source.share / PARTS) for source in sources]
                network = begin(encoder_folder, layers)
                fit(network, lambda number: epoch(parts, number, variation), schedule, trained)
            network = _in_training(Recognizer.load(trained))
            fit(network, lambda number: finishing(sources, number, variation), FINISH, finished)
        before = Recognizer.load(finished) if start is None else dequantize(start / "model.onnx")
        network = _in_training(deepcopy(before))

        def drawn(number: int) -> list[Example]:
            return continuing(sources, number, variation, encoder, newer)

        fit(network, drawn, CONTINUED, work / "further")
        averaged(before, network).save(continued)
    return package(Recognizer.load(continued), tokenizer, work, folder)


def averaged(first: Recognizer, second: Recognizer) -> Recognizer:
    """Return the second network with the mean of both networks' weights."""
    weights = first.state_dict()
    second.load_state_dict(
        {
            name: (weights[name] + value) / 2 if value.is_floating_point() else value
            for name, value in second.state_dict().items()
        }
    )
    second.eval()
    return second


def finishing(sources: Sequence[Source], number: int, variation: Variation) -> list[Example]:
    """Return the examples of the finish: a part of each source, and snippets where something is marked."""
    random = Random(1000 + number)
    shares = [replace(source, share=source.share * _FINISH_SHARE) for source in sources]
    drawn = epoch(shares, 100 + number, variation)
    return drawn + _snippets(
        _marked(sources), _FINISH_DOCUMENTS, _FINISH_SNIPPETS, variation, random
    )


def continuing(
    sources: Sequence[Source],
    number: int,
    variation: Variation,
    encoder: TextEncoder,
    newer: str = "",
) -> list[Example]:
    """Return the examples of the part *continued*: a part of each source, newer documents, snippets, names alone.

    Args:
        sources: what is learned from.
        number: of the epoch.
        variation: of the examples.
        encoder: makes the subwords.
        newer: pattern of the ids of documents to be read ``_CONTINUED_NEWER`` times more; none if empty.
    """
    random = Random(2000 + number)
    shares = [replace(source, share=source.share * _CONTINUED_SHARE) for source in sources]
    pool = _marked(sources)
    new = [item for item in pool if newer and re.search(newer, item.doc_id)]
    drawn = epoch(shares, 200 + number, variation)
    for _ in range(_CONTINUED_NEWER):
        for item in new:
            varied = _renamed(item, variation, random)
            drawn += [varied, variation.snippet(varied, random)]
    drawn += _snippets(pool, _CONTINUED_DOCUMENTS, _CONTINUED_SNIPPETS, variation, random)
    return drawn + [names_alone(index, encoder, random) for index in range(_NAMES_ALONE)]


def _marked(sources: Sequence[Source]) -> list[Example]:
    """Return the documents with something marked of the sources in which everything is."""
    return [
        item
        for source in sources
        if source.name in _MARKED
        for item in source.examples
        if (item.types[:, 0] < 1).any()
    ]


def _snippets(
    pool: Sequence[Example], documents: int, each: int, variation: Variation, random: Random
) -> list[Example]:
    drawn = []
    for item in random.sample(pool, min(len(pool), documents)):
        varied = _renamed(item, variation, random)
        drawn += [variation.snippet(varied, random) for _ in range(each)]
    return drawn


def _renamed(item: Example, variation: Variation, random: Random) -> Example:
    return variation.renamed(item, random) if random.random() < _FINISH_RENAMED else item


def package(network: Recognizer, tokenizer: Path, work: Path, folder: Path) -> Path:
    """Calibrate a recognizer on the development part of the corpus, and write it as a package.

    Args:
        network: the recognizer.
        tokenizer: the file with its pieces.
        work: folder of the result.
        folder: of the corpus of our own.
    """
    bare = work / f"{RECOGNIZER}.bare"
    write_package(network, tokenizer, Calibration(), THRESHOLD, bare, languages=LANGUAGES)
    model = RecognizerModel.load(bare)
    held_out = read_corpus(model.encoder, folder, split="dev")
    calibration = recalibrated(model, held_out)
    result = work / RECOGNIZER
    write_package(network, tokenizer, calibration, THRESHOLD, result, languages=LANGUAGES)
    return result
