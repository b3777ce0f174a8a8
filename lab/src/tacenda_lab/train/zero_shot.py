"""The zero-shot recognizer: no annotation of the benchmark's, neither types nor masking decisions.

``explicit_risk_measures``, section 3.1: a generic recognizer of names and a gazetteer label
unannotated texts, and another recognizer learns from the labels.

silver_labels   labels of a text by names, quantities, patterns and terms, without overlaps
name_corpora    corpora of named entities under three types, to fit the generic recognizer to
here            a recognizer of types only: every mention is a risk; all of it in steps
"""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

import torch

from tacenda.atomic import write_atomically
from tacenda.detect.gazetteer import Gazetteer
from tacenda.detect.neural import NeuralDetector
from tacenda.documents.reading import read
from tacenda.documents.record import SourceDocument
from tacenda.errors import InputError
from tacenda.evaluate.gold import GoldDocument, parse_gold
from tacenda.models.calibration import NO_MASK, SEMANTIC_TYPES, Calibration, Curve
from tacenda.models.encoding import TextEncoder
from tacenda.models.networks import RecognizerModel
from tacenda.models.store import digest

from .corpus import document_ids, is_held_out, read_gold, standoff
from .encoders import Corpus, EncoderTraining
from .examples import Example, MarkedSpan
from .name_corpora import NameCorpora, types_only_example
from .networks import Encoder, Recognizer
from .onnx import write_package
from .recipes import EncoderRecipe
from .recognizer_batches import Schedule, train
from .silver import beginnings, facts_of_judgments
from .silver_labels import Labeller, NameDetector, silver_annotation, without_boilerplate

# A recognizer of types only, in the format of complete ones.
#
# The masking head says "no mask" everywhere, so that no word outside a mention is ever taken for a
# risk; the calibration curves then say 1 for every mention, of any type: whatever is recognised is
# a risk. Nothing is a direct identifier. Both are exact, and no figure in them was learned.


ALWAYS = Curve((0.0, 1.0), (1.0, 1.0))

# Far below the least probability at which `detect/decoding.py` looks at a word for its own sake.
_SURE = 20.0


def write_types_only(model: Recognizer, tokenizer: Path, folder: Path, card: str) -> None:
    """Write ``model`` as a package with masking probability 1 for every mention.

    Args:
        model: a fitted network; its masking head is replaced.
        tokenizer: of its encoder.
        folder: to write.
        card: the text of ``CARD.md``.
    """
    with torch.no_grad():
        model.mask_head.weight.zero_()
        model.mask_head.bias.zero_()
        model.mask_head.bias[NO_MASK] = _SURE
    everything = Calibration(dict.fromkeys(SEMANTIC_TYPES, ALWAYS))
    write_package(model, tokenizer, everything, 0.5, folder)
    (folder / "CARD.md").write_text(card, encoding="utf-8")


# How the zero-shot recognizer is made (``explicit_risk_measures``, section 3.1).
#
# 1. *generic*: MiniLM-L6 fitted to corpora of named entities and synthetic sentences.
# 2. *silver*: the generic recognizer, the patterns and the gazetteer label judgments and articles
#    that no one annotated, without those of development splits.
# 3. *zero-shot*: another MiniLM-L6 fitted to the silver texts, to types only; or any encoder of transformers, by the
#    settings of the paper's RoBERTa (Table 4): three epochs at 2e-5 with early stopping, to types, all of them masked.
#
# Each step leaves its result in the working folder and is skipped if it is there already; a step
# that was stopped goes on from its last epoch. Other texts, names or terms need another folder.


T = TypeVar("T")
GENERIC = Schedule(epochs=2, encoder_rate=3e-4, seed=11)
# Silver labels are many and noisy: small batches learn more from reading them once.
SILVER = Schedule(epochs=1, batch_size=6, encoder_rate=3e-4, seed=12)
CHARACTERS = 4000
"""Number of characters read of each judgment: procedure and first facts, which introduce people."""
NAME = "recognizer-en-zero-shot"
GENERIC_NAME = "recognizer-en-generic"


@dataclass(frozen=True, slots=True)
class SilverSources:
    """Where the silver corpus comes from.

    Attributes:
        data: the data folder, with ``ner/``, ``pii/``, ``background/``, and the names of the
            documents of ``tab/dev.json``, ``wiki/biographies_train.json`` and
            ``wiki/wikireplace_dev.json``; None if texts and names are the user's.
        texts: files of the user's texts, in the place of ``background/``.
        names: detector of names, in the place of the generic recognizer.
        gazetteer: the terms; the shipped ones if None.
        labels: how names and terms were named, and the files that they are from.
    """

    data: Path | None
    texts: Sequence[Path] = ()
    names: NameDetector | None = None
    gazetteer: Gazetteer | None = None
    labels: Sequence[str | Path] = ()

    def key(self, encoder_folder: Path | None) -> str:
        """Return a digest of all that the silver corpus depends on, in hexadecimal.

        Args:
            encoder_folder: what learns names first; it counts if no names are given.
        """
        learned = [encoder_folder] if encoder_folder and self.names is None else []
        content: list[object] = [str(self.data)]
        for source in (*self.texts, *self.labels, *learned):
            if isinstance(source, Path):
                files = [source, *sorted(source.rglob("*"))]
                content.append([digest(file) for file in files if file.is_file()])
            else:
                content.append(source)
        return hashlib.sha256(json.dumps(content).encode()).hexdigest()


def train_zero_shot(
    sources: SilverSources, work: Path, encoder_folder: Path | None, student: str = ""
) -> Path:
    """Run the recipe and return the folder with the finished model.

    Args:
        sources: of texts and labels.
        work: folder of the results of all steps.
        encoder_folder: BERT checkpoint to start from; None if neither recognizer needs one: names are given, and ``student``.
        student: another encoder for the second one: a folder, or ``hf:`` and a name in the local cache.

    Raises:
        InputError: if no name or no unlabelled text is there, or the folder has texts labelled from other sources.
    """
    silver, key_file = work / "silver.json", work / "silver.sha256"
    key = sources.key(encoder_folder)
    if not silver.exists():
        _write_silver(sources, work, encoder_folder, silver)
        write_atomically(key_file, key.encode())
    elif not key_file.exists() or key_file.read_text(encoding="utf-8") != key:
        raise InputError(
            "contains texts labelled from other texts, names or terms; choose another folder",
            str(work),
        )
    folder = work / NAME
    if student:
        fine_tune(silver, student, folder)
    elif not (folder / "digests.json").exists():
        bert = _required(encoder_folder)
        encoder = TextEncoder.from_file(bert / "tokenizer.json")
        examples = _read_silver(silver, encoder)
        model = Recognizer.begun(partial(Encoder.from_bert, bert), SILVER.seed)
        train(model, examples, encoder, SILVER, work / "zero-shot.state")
        names = GENERIC_NAME if sources.names is None else "a recognizer of the user's"
        write_types_only(model, bert / "tokenizer.json", folder, _card(examples, names))
    return folder


def _generic(data: Path, work: Path, encoder_folder: Path) -> NameDetector:
    """The recognizer of names that is fitted first."""
    tokenizer = encoder_folder / "tokenizer.json"
    encoder = TextEncoder.from_file(tokenizer)
    generic = work / GENERIC_NAME
    if not (generic / "digests.json").exists():
        names = NameCorpora.read(data, encoder)
        if not names.edited:
            raise InputError("no corpus of named entities under ner/ and pii/", str(data))
        model = Recognizer.begun(partial(Encoder.from_bert, encoder_folder), GENERIC.seed)
        train(model, names.of_epoch, encoder, GENERIC, work / "generic.state")
        write_types_only(model, tokenizer, generic, _GENERIC_CARD)
    return NeuralDetector(RecognizerModel.load(generic), threads=1)


def _required(value: T | None) -> T:
    if value is None:
        raise InputError("needs a data folder and a BERT, or texts, names and an encoder", "silver")
    return value


def fine_tune(silver: Path, student: str, folder: Path) -> None:
    """Fit any encoder to the silver texts, a tenth of them kept back to stop by.

    Args:
        student: a folder, or a name in the local cache.
        silver: texts with the types of their mentions.
        folder: of the recognizer.

    Raises:
        InputError: the texts can't be read.
        ModelError: there is no such encoder.
    """
    documents = parse_gold([_standoff(record) for record in _load(silver)], str(silver))
    origin = "texts with silver labels, of no annotation, by `tacenda lab train zero-shot`"
    _learn_types(student, documents, {"silver": digest(silver)}, origin, folder)


def fine_tune_further(gold: Path, student: str, folder: Path) -> None:
    """Fit a recognizer, or any encoder, to the semantic types of annotators, as for the fine-tuned rows of Table 3.

    A recognizer of ``fine_tune`` keeps its heads. A tenth of the documents is kept back to stop by.

    Args:
        student: a folder, or a name in the local cache.
        gold: standoff annotations.
        folder: of the recognizer.

    Raises:
        InputError: the file can't be read, or has a semantic type that there isn't.
        ModelError: there is no such encoder.
    """
    origin = "annotated documents by `tacenda lab reproduce explicit-measures`"
    _learn_types(student, read_gold(gold), {gold.name: digest(gold)}, origin, folder)


def _learn_types(
    student: str,
    documents: Sequence[GoldDocument],
    digests: dict[str, str],
    origin: str,
    folder: Path,
) -> None:
    """Fit an encoder by the settings of the paper's Table 4."""
    kept = [document for document in documents if is_held_out(document.id)]
    learned = [document for document in documents if not is_held_out(document.id)]
    recipe = EncoderRecipe(student, epochs=3, patience=1, rate=2e-5)
    corpus = Corpus(learned, kept, (), digests)
    EncoderTraining(recipe, corpus, origin=origin).run(SILVER.seed, folder)


def _standoff(record: dict[str, Any]) -> dict[str, Any]:
    """A silver text in the form of annotated documents; each mention is an entity of its own, and quasi."""
    mentions = (
        (start, end, type, "QUASI", f"e{number}")
        for number, (start, end, type) in enumerate(record["mentions"])
    )
    return standoff(record["doc_id"], record["text"], "silver", mentions, "train")


@dataclass(frozen=True, slots=True)
class UnlabelledText:
    """A text to label, and the corpus that it is counted under."""

    doc_id: str
    text: str
    corpus: str


def unlabelled(data: Path) -> list[UnlabelledText]:
    """Return judgments and articles without those of development splits.

    Of the annotated corpora only the names of their documents are read.
    """
    background = data / "background"
    development = document_ids(data / "tab/dev.json", data / "wiki/wikireplace_dev.json")
    people = document_ids(data / "wiki/biographies_train.json") - development
    judgments = facts_of_judgments(background / "echr_judgments.json.gz", development, CHARACTERS)
    articles = beginnings(background / "wiki553_article_bodies.json.gz", people)
    return [
        *(UnlabelledText(id, text, "judgment") for id, text in judgments),
        *(UnlabelledText(id, text, "biography") for id, text in articles),
    ]


def own_texts(files: Iterable[Path]) -> Iterator[UnlabelledText]:
    """Yield the texts of files of any format that can be read.

    Raises:
        InputError: if a file or a document in it can't be read; the message has its name.
    """
    for file in files:
        for item in read(str(file)):
            if not isinstance(item, SourceDocument):
                raise item.error
            if item.document.text.strip():
                yield UnlabelledText(item.document.id, item.document.text, "own text")


def _write_silver(
    sources: SilverSources, work: Path, encoder_folder: Path | None, path: Path
) -> None:
    """Label the texts, and write them with their mentions."""
    texts = list(own_texts(sources.texts)) if sources.texts else unlabelled(_required(sources.data))
    if not texts:
        place = ", ".join(map(str, sources.texts)) or f"{sources.data}: background/"
        raise InputError("no unlabelled text", place)
    names = sources.names or _generic(_required(sources.data), work, _required(encoder_folder))
    strings = [text.text for text in texts]
    labels = without_boilerplate(strings, Labeller(names, sources.gazetteer).label(strings))
    records = [
        {
            "doc_id": text.doc_id,
            "corpus": text.corpus,
            "text": text.text,
            "mentions": [
                [mention.start, mention.end, mention.type]
                for mention in silver_annotation(mentions)
            ],
        }
        for text, mentions in zip(texts, labels, strict=True)
    ]
    work.mkdir(parents=True, exist_ok=True)
    write_atomically(path, json.dumps(records, ensure_ascii=False).encode())


def _read_silver(path: Path, encoder: TextEncoder) -> list[Example]:
    return [
        types_only_example(
            record["doc_id"],
            record["text"],
            [MarkedSpan(start, end, type, None) for start, end, type in record["mentions"]],
            encoder,
            record["corpus"],
        )
        for record in _load(path)
    ]


def _load(path: Path) -> list[dict[str, Any]]:
    loaded: list[dict[str, Any]] = json.loads(path.read_text(encoding="utf-8"))
    return loaded


def _card(examples: Collection[Example], names: str) -> str:
    corpora = Counter(example.corpus for example in examples)
    counts = ", ".join(f"{n} of {corpus}" for corpus, n in sorted(corpora.items()))
    return _ZERO_SHOT_CARD.format(n=len(examples), counts=counts, names=names)


_WHATEVER = """
**Masking.** It was told of no masking decision: every mention has the probability 1, whatever the threshold,
and none is a direct identifier. Mask what it finds by type, or let indicators decide (`indicators:` of a policy).
"""

_GENERIC_CARD = f"""# {GENERIC_NAME}

Finds names in English text: PERSON, ORG, LOC, and MISC for names of other things. all-MiniLM-L6-v2 fitted to
CrossNER, Wikigold, WNUT-17, the Broad Twitter Corpus and synthetic sentences of presidio-research.
Made by `tacenda lab train zero-shot`, as the first of two steps; not shipped.
{_WHATEVER}"""

_ZERO_SHOT_CARD = f"""# {NAME}

Finds what could identify a person in English text, by semantic type. all-MiniLM-L6-v2 fitted to {{n}} texts that nobody
annotated ({{counts}}), labelled by {{names}}, the patterns and the gazetteer (`explicit_risk_measures`,
section 3.1). No annotation of the Text Anonymization Benchmark was trained on, neither types nor masking decisions;
stop words of the gazetteer and forms of the patterns were drawn up by people who had read its training texts.
Made by `tacenda lab train zero-shot`; not shipped.
{_WHATEVER}"""
