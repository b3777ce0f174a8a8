"""Combinations of entities of training judgments, with their answers by Algorithm 1 in an index."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from tacenda.background.documents import IndexBuilder, LocalIndex
from tacenda.document import Document, Entity, IdentifierType
from tacenda.evaluate.gold import GoldDocument, load_gold
from tacenda.link.linking import link
from tacenda.pipeline import Sanitizer
from tacenda.risk.search.indicator import BOUND, SearchRisk

from ..indicators.emulated_search import (
    EntityFeatures,
    PhraseEncoder,
    entity_features,
    open_combinations,
)
from .corpus import applicants, by_annotator, texts_by_name

# The adversary's background knowledge: public judgments, none of a development split.


JUDGMENTS = "background/echr_judgments.json.gz"
OPENINGS = "reid/tab_public_background.json.gz"
TRAIN = "tab/train.json"


class IndexScope(StrEnum):
    """Public part of the judgments about the people to protect."""

    WHOLE = "whole"
    OPENING = "opening"


def build_index(data: Path, path: Path, knows: IndexScope) -> None:
    """Write the index of an adversary.

    It holds the background judgments, the first tenths of the public versions of the training judgments
    and, unless the adversary knows no more, the training judgments whole.

    Args:
        data: the data folder.
        path: the file to write.
        knows: how much.

    Raises:
        InputError: if a document can't be read.
    """
    trained = {document.id: document.text for document in load_gold(data / TRAIN)}
    judgments, openings = texts_by_name(data / JUDGMENTS), texts_by_name(data / OPENINGS)
    # Public versions are there of judgments to train on and of those to develop on.
    left_out = openings.keys() - trained.keys()
    sources = {JUDGMENTS: judgments, OPENINGS: openings}
    if knows is IndexScope.WHOLE:
        sources[TRAIN] = trained
    with IndexBuilder(path) as builder:
        for source, texts in sources.items():
            builder.begin(source)
            for name, text in texts.items():
                if name not in left_out:
                    builder.add(f"{source}#{name}", text)
            builder.finish()


ARITY = 3
_BUDGET = 100_000

Indices = tuple[int, ...]


@dataclass(frozen=True, slots=True, eq=False)
class SizeAnswers:
    """Answers of the index on the k combinations of one size in a document.

    Attributes:
        chosen: indices of the entities, int64 [k, size].
        risky: answers of the search, bool [k].
    """

    chosen: NDArray[np.int64]
    risky: NDArray[np.bool_]


@dataclass(frozen=True, slots=True, eq=False)
class SearchObservation:
    """A document with the answers of an index on its entities.

    Attributes:
        document: with the names of its applicant.
        entities: as detected by the product.
        asked: their features for the emulation.
        answers: for combinations of one, of two, and so on. Those with a smaller risky one inside
            are left out, as in Algorithm 1.
    """

    document: Document
    entities: tuple[Entity, ...]
    features: EntityFeatures
    answers: tuple[SizeAnswers, ...]


def read_documents(path: Path) -> list[Document]:
    """Return the documents of a gold file with a named applicant, the name as target.

    The name is from ``meta`` or, without one, the people marked DIRECT by the first annotator; the
    surname in the name of the case is added.

    Raises:
        InputError: the file is not gold annotations in TAB's standoff form.
    """
    documents, gold = [], load_gold(path)
    applicant = applicants(path)
    for document in gold:
        names = applicant[document.id] or _direct(document)
        if names:
            target = (*names, f"{names[0].split()[-1]} v.")
            documents.append(Document(document.id, document.text, target))
    return documents


def _direct(document: GoldDocument) -> tuple[str, ...]:
    """Return the people marked DIRECT by the first annotator, in order of the text."""
    first = next(iter(by_annotator(document)), [])
    names = (
        mention.span.of(document.text).strip()
        for mention in sorted(first, key=lambda mention: mention.span)
        if mention.identifier is IdentifierType.DIRECT and mention.type == "PERSON"
    )
    return tuple(dict.fromkeys(filter(None, names)))


def observe(
    documents: Sequence[Document],
    sanitizer: Sanitizer,
    index: LocalIndex,
    encoder: PhraseEncoder,
    arity: int = ARITY,
) -> Iterator[SearchObservation]:
    """Yield each document with the answers of the index.

    Args:
        documents: with targets.
        sanitizer: detects the entities.
        index: the adversary's background knowledge.
        encoder: of phrases.
        arity: largest number of entities in a combination.
    """
    search = SearchRisk(index, arity=arity, bound=BOUND, budget=_BUDGET)
    bare = [Document(document.id, document.text) for document in documents]
    for document, analysis in zip(documents, sanitizer.analyze_all(bare), strict=True):
        entities = link(document, analysis.mentions)
        report = search.search(document, entities)
        features = entity_features(document, entities, (), encoder)
        if features is None or report.unknown or report.unasked:
            continue
        place = {entity.id: number for number, entity in enumerate(entities)}
        risky = {
            tuple(place[id] for id in combination.entity_ids) for combination in report.combinations
        }
        numbers = [number for number, finding in enumerate(report.findings) if finding is not None]
        yield SearchObservation(
            document, tuple(entities), features, answers_of(numbers, risky, arity)
        )


def answers_of(numbers: Sequence[int], risky: set[Indices], arity: int) -> tuple[SizeAnswers, ...]:
    """Return the answers by size.

    Args:
        numbers: the entities of the search.
        risky: the minimal risky combinations.
        arity: largest number of entities in a combination.
    """
    answers = []
    rest = np.array(numbers, dtype=np.int64)
    for size in range(1, arity + 1):
        groups = open_combinations(rest, size, risky)
        flags = [tuple(indices) in risky for indices in groups.tolist()]
        answers.append(SizeAnswers(groups, np.array(flags, dtype=bool)))
        if size == 1:
            rest = groups[~answers[-1].risky, 0]
    return tuple(answers)
