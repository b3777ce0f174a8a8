"""The zero-shot recognizer: no annotation of the benchmark's, neither types nor masking decisions.

``explicit_risk_measures``, section 3.1: a generic recognizer of names and a gazetteer label
unannotated texts, and another recognizer learns from the labels.

quantities   shares, measures and counts, not covered by the product's patterns
labels       labels of a text by names, patterns and terms, without overlaps
sentences    sentences of a column file, as texts with spans
names        corpora of named entities under three types, to fit the generic recognizer to
package      a recognizer of types only: every mention is a risk
recipe       all of it in steps
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import torch

from tacenda.detect.gazetteer import Gazetteer
from tacenda.detect.neural import NeuralDetector
from tacenda.detect.patterns.amounts import NUMBER_WORDS, SCALES
from tacenda.detect.patterns.detector import PatternDetector
from tacenda.document import Document, Mention, SemanticType, Span
from tacenda.errors import InputError
from tacenda.models.calibration import NO_MASK, SEMANTIC_TYPES, Calibration, Curve
from tacenda.models.encoding import TextEncoder
from tacenda.models.recognizer import RecognizerModel

from .corpus import document_ids
from .examples import Example, MarkedSpan, example
from .networks import Encoder, Recognizer
from .onnx import write_package
from .recognizer_batches import Schedule, train
from .silver import read_articles, read_judgments

# Shares, measures and counts in a text: what generic recognizers call a quantity, without learning.
#
# The patterns of the product find money alone, since little else of the kind is ever masked; the
# silver corpus is about types (``explicit_risk_measures``, Table 1: money values, percentages,
# "two").


_NUMBER = (
    rf"(?:[0-9]{{1,3}}(?:[,\u00a0 ][0-9]{{3}})+|[0-9]+(?:[.,][0-9]+)?"
    rf"|(?:{NUMBER_WORDS})(?:-(?:{NUMBER_WORDS}))?)(?:\s(?:{SCALES}))?"
)
_UNIT = (
    r"(?:square\s|cubic\s)?(?:per\scent|percent|%|kilomet(?:re|er)s?|met(?:re|er)s?|centimet(?:re|er)s?"
    r"|km|cm|mm|m²|sq\.?\sm|hectares?|acres?|miles?|feet|kilogram(?:me)?s?|grams?|kg|mg|tonnes?|tons?|lit(?:re|er)s?)"
)
_MEASURE = re.compile(rf"(?<![\w.,/§-]){_NUMBER}[\s-]?{_UNIT}(?!\w)")
# A count says of how many: a word in small letters follows, and is none that goes on otherwise.
_GOES_ON = "|".join(
    "of or and to in on at by for from with below above the this that these his her its their "
    "could was were had has notice who which when where until after before during under between".split()
)
_COUNT = re.compile(rf"(?<![\w.,/§-]){_NUMBER}(?=\s(?!(?:{_GOES_ON})\b)[a-z]{{3}})")
_REFERENCE = re.compile(
    r"(?:Articles?|Rules?|[Ss]ections?|[Pp]aragraphs?|[Cc]hapters?|[Pp]arts?|[Pp]oints?|[Ll]aw|[Aa]ct|Protocol|[Nn]os?\.?"
    r"|[Nn]umber|§§?|[Pp]ages?|[Aa]nnex|[Ll]ine|[Bb]lock|[Uu]nit|[Cc]ell|and|or|to|–|-|,)\s*\Z"
)


def find_quantities(text: str) -> Iterator[Span]:
    """Yield numbers with their unit, and numbers of things; spans do not overlap.

    The number of a provision (``Article 6``) or of a list of numbers is no count.
    """
    end = 0
    matches = [*_MEASURE.finditer(text), *_COUNT.finditer(text)]
    for match in sorted(matches, key=lambda match: (match.start(), -match.end())):
        if match.start() < end:
            continue
        if match.re is _COUNT and _REFERENCE.search(
            text[max(0, match.start() - 16) : match.start()]
        ):
            continue
        yield Span(match.start(), match.end())
        end = match.end()


# Silver labels: patterns, a generic recognizer and the gazetteer, merged.
#
# | they overlap | stays |
# |---|---|
# | a pattern (date, number, code …) and anything else | the pattern: its form leaves no doubt |
# | a name and a term | the longer one ("Parkinson's disease", "Turkish Football Federation"); if they are of one length, the term: "Turkish" is no place |
# | a quantity and anything of the above | the other: money and durations are patterns, "Two Oaks" is a name |
#
# A span overlapping a kept one is left out as a whole; so is one without letter or digit. Parts of
# a name side by side ("Kingdom of", "Belgium"), which recognizers leave, become one. A name takes
# its title along ("Mr Smith"), as the benchmark's examples of PERSON do (TAB, section 4.1), and a
# nationality what it is said of: "British" alone is an error of the paper's recognizer
# (``explicit_risk_measures``, section 4.1).


NAMES = frozenset({SemanticType.PERSON, SemanticType.ORG, SemanticType.LOC})
TERMS = frozenset({SemanticType.DEM, SemanticType.MISC})

_TITLE = re.compile(r"(?:Mr|Mrs|Ms|Miss|Dr|Prof|Sir|Lady|Lord)\.?\s\Z")
_NATIONS = frozenset({"nationality", "ethnic_group"})
_HOLDER = re.compile(r"\s(?:nationals?|citizens?)\b")

TypedSpan = tuple[Span, SemanticType]


class Labeller:
    """Labeller of unannotated texts.

    Args:
        generic: a recognizer of names; of its other types are ignored.
        gazetteer: the terms; the shipped ones if None. Its probabilities of masking are not used,
            for they come from annotations.
    """

    def __init__(self, generic: RecognizerModel, gazetteer: Gazetteer | None = None) -> None:
        self._generic = NeuralDetector(generic, threads=1)
        self._patterns = PatternDetector()
        self._gazetteer = Gazetteer.load() if gazetteer is None else gazetteer

    def label(self, texts: Sequence[str]) -> list[list[TypedSpan]]:
        """Return the mentions of each text, in order, none overlapping another."""
        names = self._generic.detect([Document("silver", text) for text in texts])
        return [
            merge_names(
                text,
                resolve_overlaps(
                    _typed_spans(self._patterns.detect(text)),
                    [
                        with_title(text, *mention)
                        for mention in _typed_spans(mentions)
                        if mention[1] in NAMES
                    ],
                    [
                        (
                            with_holder(text, tag.span) if tag.group in _NATIONS else tag.span,
                            tag.type,
                        )
                        for tag in self._gazetteer.tag(text)
                    ],
                    [(span, SemanticType.QUANTITY) for span in find_quantities(text)],
                ),
            )
            for text, mentions in zip(texts, names, strict=True)
        ]


def resolve_overlaps(
    patterns: Iterable[TypedSpan],
    names: Iterable[TypedSpan],
    terms: Iterable[TypedSpan],
    quantities: Iterable[TypedSpan],
) -> list[TypedSpan]:
    """Return mentions without overlaps, by the table's precedence, in order of the text."""
    ranked = [
        *((0, 0, 0, mention) for mention in patterns),
        *((1, -len(mention[0]), 1, mention) for mention in names),
        *((1, -len(mention[0]), 0, mention) for mention in terms),
        *((2, 0, 0, mention) for mention in quantities),
    ]
    cover: set[int] = set()
    staying = []
    for *_, mention in sorted(ranked):
        places = range(mention[0].start, mention[0].end)
        if cover.isdisjoint(places):
            cover.update(places)
            staying.append(mention)
    return sorted(staying)


def merge_names(text: str, mentions: Iterable[TypedSpan]) -> list[TypedSpan]:
    """Return mentions with a letter or digit; adjacent names of one type are joined."""
    result: list[TypedSpan] = []
    for span, type in mentions:
        if not any(map(str.isalnum, span.of(text))):
            continue
        if result and type in NAMES and result[-1][1] is type:
            before = result[-1][0]
            if text[before.end : span.start] in ("", " "):
                result[-1] = (Span(before.start, span.end), type)
                continue
        result.append((span, type))
    return result


def without_boilerplate(
    texts: Sequence[str], labels: Sequence[Sequence[TypedSpan]], share: float = 0.2
) -> list[list[TypedSpan]]:
    """Return the labels without terms of more than ``share`` of the texts.

    A term of every text ("Human Rights" in judgments) identifies nobody.
    """
    terms = [
        {span.of(text).casefold() for span, type in mentions if type in TERMS}
        for text, mentions in zip(texts, labels, strict=True)
    ]
    counts = Counter(term for of_text in terms for term in of_text)
    frequent = {term for term, n in counts.items() if n > max(1.0, share * len(texts))}
    return [
        [
            (span, type)
            for span, type in mentions
            if type not in TERMS or span.of(text).casefold() not in frequent
        ]
        for text, mentions in zip(texts, labels, strict=True)
    ]


def with_title(text: str, span: Span, type: SemanticType) -> TypedSpan:
    """Return a mention, and the title before it if it is a PERSON."""
    title = _TITLE.search(text, max(0, span.start - 8), span.start)
    if type is not SemanticType.PERSON or title is None:
        return span, type
    return Span(title.start(), span.end), type


def with_holder(text: str, span: Span) -> Span:
    """Return the span of a nationality, extended by a following "national" or "citizen"."""
    holder = _HOLDER.match(text, span.end)
    return span if holder is None else Span(span.start, holder.end())


def silver_annotation(mentions: Iterable[TypedSpan]) -> list[MarkedSpan]:
    """Return silver labels as the annotation of an example, without masking decisions."""
    return [MarkedSpan(span.start, span.end, type.value, None) for span, type in mentions]


def _typed_spans(mentions: Iterable[Mention]) -> list[TypedSpan]:
    return [(mention.span, mention.type) for mention in mentions]


# Sentences of a column file as texts: a word and its label a line, an empty line after a sentence.
#
# Labels are ``O``, ``B-type`` and ``I-type``; ``I`` also begins a mention (IO and IOB1), where it
# follows no word of its type.


Sentence = Sequence[tuple[str, str]]
"""Words, each with its label."""

# Many corpora give sentences in no order: a text of some, as long as a window or so.
_CHARACTERS = 800


def read_sentences(path: Path) -> Iterator[list[tuple[str, str]]]:
    """Yield the sentences of a file.

    Raises:
        InputError: at a line without a label.
    """
    sentence: list[tuple[str, str]] = []
    # Not splitlines: tweets have words that it takes for the end of a line.
    for number, line in enumerate(path.read_text(encoding="utf-8").split("\n"), start=1):
        if not line.strip() or line.startswith("-DOCSTART-"):
            if sentence:
                yield sentence
            sentence = []
            continue
        separator = "\t" if "\t" in line else " "
        word, middle, label = line.strip("\r ").rpartition(separator)
        if not middle:
            raise InputError(f"line {number} has no label beside its word", str(path))
        # A word of invisible characters only is none.
        if word.strip():
            sentence.append((word.split()[0], label))
    if sentence:
        yield sentence


def texts_of(
    sentences: Iterable[Sentence], types: Mapping[str, str]
) -> Iterator[tuple[str, list[MarkedSpan]]]:
    """Yield texts of some sentences each, with their mentions.

    Args:
        sentences: in order.
        types: from the corpus's labels, without prefix, to semantic types; labels not in it become
            no mention.
    """
    text, marked = "", list[MarkedSpan]()
    for sentence in sentences:
        if len(text) > _CHARACTERS:
            yield text, marked
            text, marked = "", []
        previous = "O"
        for word, label in sentence:
            text += " " if text else ""
            start, end = len(text), len(text) + len(word)
            text += word
            prefix, _, name = label.partition("-")
            type = types.get(name)
            if type is not None:
                if prefix == "I" and name == previous:
                    marked[-1] = MarkedSpan(marked[-1].start, end, type, None)
                else:
                    marked.append(MarkedSpan(start, end, type, None))
            previous = name if prefix != "O" else "O"
    if text:
        yield text, marked


# Corpora of named entities, brought to PERSON, ORG, LOC and, for all other names, MISC.
#
# None of them is the benchmark's, and none has a masking decision.


OTHER = "MISC"
"""A name of something else: it teaches what is no PERSON, ORG or LOC, and is not used."""

CROSSNER = {
    **dict.fromkeys(
        ("person", "politician", "writer", "musicalartist", "scientist", "researcher"), "PERSON"
    ),
    **dict.fromkeys(("organisation", "politicalparty", "band", "university"), "ORG"),
    **dict.fromkeys(("location", "country"), "LOC"),
    **dict.fromkeys(
        (
            *("misc", "award", "election", "event", "conference", "book", "poem", "magazine"),
            *("academicjournal", "album", "song", "product", "astronomicalobject"),
        ),
        OTHER,
    ),
}
"""Its common nouns (fields, tasks, genres, chemicals …) are no names and become nothing."""
WIKIGOLD = {"PER": "PERSON", "ORG": "ORG", "LOC": "LOC", "MISC": OTHER}
TWEETS = {"PER": "PERSON", "ORG": "ORG", "LOC": "LOC"}
WNUT = {
    "person": "PERSON",
    "location": "LOC",
    "corporation": "ORG",
    "group": "ORG",
    "product": OTHER,
    "creative-work": OTHER,
}
PERSONAL_DATA = {
    "PERSON": "PERSON",
    "ORGANIZATION": "ORG",
    **dict.fromkeys(
        ("GPE", "LOCATION", "ADDRESS", "STREET_ADDRESS", "ZIP_CODE"),
        "LOC",
    ),
    "NRP": OTHER,
}


@dataclass(frozen=True, slots=True)
class NameCorpora:
    """Corpora of the generic recognizer.

    Attributes:
        edited: encyclopaedia and synthetic sentences.
        tweets: in parts, for a few of them an epoch: they are many, and far from judgments.
    """

    edited: list[Example]
    tweets: tuple[list[Example], list[Example]]

    @classmethod
    def read(cls, data: Path, encoder: TextEncoder) -> NameCorpora:
        """Read the corpora under ``data/ner`` and ``data/pii``."""
        ner = data / "ner"
        edited = [
            *_columns(sorted((ner / "crossner/ner_data").glob("*/*.txt")), CROSSNER, encoder),
            *_columns(sorted((ner / "wikigold").glob("*.conll.txt")), WIKIGOLD, encoder),
            *_personal_data(sorted((data / "pii").glob("presidio_*.json")), encoder),
        ]
        tweets = [
            *_columns(sorted((ner / "BTC").glob("*.conll")), TWEETS, encoder),
            *_columns(sorted((ner / "WNUT17").glob("*.conll")), WNUT, encoder),
            *_columns(sorted((ner / "WNUT17").glob("*.annotated")), WNUT, encoder),
        ]
        return cls(edited, (tweets[::2], tweets[1::2]))

    def of_epoch(self, epoch: int) -> list[Example]:
        """Return the examples of an epoch: everything edited and every second text of tweets."""
        return [*self.edited, *self.tweets[epoch % 2]]


def _columns(paths: list[Path], types: dict[str, str], encoder: TextEncoder) -> Iterator[Example]:
    for path in paths:
        name = f"{path.parent.name}/{path.name}"
        for number, (text, marked) in enumerate(texts_of(read_sentences(path), types)):
            yield types_only_example(f"{name}-{number}", text, marked, encoder, "names")


def _personal_data(paths: list[Path], encoder: TextEncoder) -> Iterator[Example]:
    for path in paths:
        for number, document in enumerate(json.loads(path.read_text(encoding="utf-8"))):
            marked = [
                MarkedSpan(span["start_position"], span["end_position"], type, None)
                for span in document["spans"]
                if (type := PERSONAL_DATA.get(span["entity_type"])) is not None
            ]
            yield types_only_example(
                f"{path.stem}-{number}", document["full_text"], marked, encoder, "personal"
            )


def types_only_example(
    doc_id: str, text: str, marked: list[MarkedSpan], encoder: TextEncoder, corpus: str
) -> Example:
    """Return an example of types alone, without masking decisions."""
    result = example(doc_id, text, [marked], encoder, corpus)
    return replace(result, mask_known=np.zeros_like(result.mask_known))


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
#    that nobody annotated, without those of development splits.
# 3. *zero-shot*: another MiniLM-L6 fitted to the silver texts, to types only.
#
# Each step leaves its result in the working folder and is skipped if it is there already; a step
# that was stopped goes on from its last epoch.


GENERIC = Schedule(epochs=2, encoder_rate=3e-4, seed=11)
# Silver labels are many and noisy: small batches learn more from reading them once.
SILVER = Schedule(epochs=1, batch_size=6, encoder_rate=3e-4, seed=12)
CHARACTERS = 4000
"""Of each judgment: procedure and the first facts, where people are introduced."""
NAME = "recognizer-en-zero-shot"
GENERIC_NAME = "recognizer-en-generic"


def train_zero_shot(data: Path, work: Path, encoder_folder: Path) -> Path:
    """Run the recipe and return the folder with the finished model.

    Args:
        data: the data folder, with ``ner/``, ``pii/``, ``background/``, and the names of the
            documents of ``tab/dev.json``, ``wiki/biographies_train.json`` and
            ``wiki/wikireplace_dev.json``.
        work: folder of the results of all steps.
        encoder_folder: BERT checkpoint to start both recognizers from.

    Raises:
        InputError: if no name or no unlabelled text is found under ``data``.
    """
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
    silver = work / "silver.json"
    if not silver.exists():
        texts = unlabelled(data, encoder)
        if not texts:
            raise InputError("no unlabelled text under background/", str(data))
        _write_silver(texts, RecognizerModel.load(generic), silver)
    folder = work / NAME
    if not (folder / "digests.json").exists():
        examples = _read_silver(silver, encoder)
        model = Recognizer.begun(partial(Encoder.from_bert, encoder_folder), SILVER.seed)
        train(model, examples, encoder, SILVER, work / "zero-shot.state")
        write_types_only(model, tokenizer, folder, _card(examples))
    return folder


def unlabelled(data: Path, encoder: TextEncoder) -> list[Example]:
    """Return judgments and articles without those of development splits.

    Of the annotated corpora only the names of their documents are read.
    """
    background = data / "background"
    development = document_ids(data / "tab/dev.json", data / "wiki/wikireplace_dev.json")
    people = document_ids(data / "wiki/biographies_train.json") - development
    return [
        *read_judgments(background / "echr_judgments.json.gz", encoder, development, CHARACTERS),
        *read_articles(background / "wiki553_article_bodies.json.gz", encoder, people),
    ]


def _write_silver(texts: Collection[Example], generic: RecognizerModel, path: Path) -> None:
    strings = [text.text for text in texts]
    labels = without_boilerplate(strings, Labeller(generic).label(strings))
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
    unfinished = path.with_suffix(".part")
    unfinished.write_text(json.dumps(records, ensure_ascii=False), encoding="utf-8")
    unfinished.replace(path)


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


def _card(examples: Collection[Example]) -> str:
    corpora = Counter(example.corpus for example in examples)
    counts = ", ".join(f"{n} of {corpus}" for corpus, n in sorted(corpora.items()))
    return _ZERO_SHOT_CARD.format(n=len(examples), counts=counts)


_WHATEVER = """
**Masking.** It was told of no masking decision: every mention has the probability 1, whatever the threshold,
and none is a direct identifier. Mask what it finds by type, or let indicators decide (`indicators:` of a policy).
"""

_GENERIC_CARD = f"""# {GENERIC_NAME}

Finds names in English text: PERSON, ORG, LOC, and MISC for names of other things. all-MiniLM-L6-v2 fitted to
CrossNER, Wikigold, WNUT-17, the Broad Twitter Corpus and synthetic sentences of presidio-research.
Made by `tacenda train zero-shot`, as the first of two steps; not shipped.
{_WHATEVER}"""

_ZERO_SHOT_CARD = f"""# {NAME}

Finds what could identify a person in English text, by semantic type. all-MiniLM-L6-v2 fitted to {{n}} texts that nobody
annotated ({{counts}}), labelled by {GENERIC_NAME}, the patterns and the gazetteer (`explicit_risk_measures`,
section 3.1). No annotation of the Text Anonymization Benchmark was trained on, neither types nor masking decisions;
stop words of the gazetteer and forms of the patterns were drawn up by people who had read its training texts.
Made by `tacenda train zero-shot`; not shipped.
{_WHATEVER}"""
