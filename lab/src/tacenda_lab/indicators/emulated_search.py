"""The emulation of a search: predictions of Algorithm 1 without an index.

``explicit_risk_measures``, section 3.2.2: a network trained on the answers of a search predicts
whether a search for some entities would lead to the person.

    facts       an entity -> measures of the rarity of its words, and its vector
    network     combinations of entities -> the network's confidence
    indicator   ``PredictedSearch``: the findings and combinations of a document

The shipped network was trained on searches of a local index (``tacenda index build``) by
``train/emulation.py``. An emulation that you train on your own answers with an encoder is in
``encoded_search.py``.
"""

from __future__ import annotations

import io
import json
import math
import re
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass
from functools import cache
from itertools import combinations
from pathlib import Path
from typing import Any, Generic, Literal, Protocol, TypeVar
from zipfile import BadZipFile

import numpy as np
from numpy.typing import NDArray

from tacenda.background.documents import Part
from tacenda.document import Combination, Document, Entity, Evidence, IdentifierType, SemanticType
from tacenda.errors import MissingExtraError, ModelError
from tacenda.models.calibration import Curve
from tacenda.models.checkpoint import is_checkpoint
from tacenda.models.networks import AttackerModel
from tacenda.models.store import locate
from tacenda.risk.indicators import Finding
from tacenda.risk.search.algorithm import people_of, phrases_of, phrases_of_names
from tacenda.text.information import UnigramSurprisal
from tacenda.text.tokens import word_list

# Features of an entity for the emulation, from the phrases of its search.
#
# Facts are named numbers, most of them measures of how rare words are. The vector comes from an
# encoder that reads the fullest phrase; the names of the people to protect also have a vector.


FACTS: tuple[str, ...] = (
    *(f"type {type}" for type in SemanticType),
    "words",
    "log words",
    "characters",
    "phrases",
    "log mentions",
    "information",
    "largest information",
    "least information",
    "mean information",
    "unknown words",
    "place",
    "log entities of its type",
    "digits",
    "has digits",
    "is a number",
    "has a year",
    "begins with a capital",
    "capitals only",
    "share of capitalised words",
    "words shared with the names",
)
"""The facts of an entity, in order; information is by unigrams, in units of 10 nats."""
INFORMATION = FACTS.index("information")
TYPES = len(SemanticType)
"""The first facts are the types, one-hot."""

_NATS = 10.0
_YEAR = re.compile(r"\b(?:1[5-9]|20)\d\d\b")
# Number of words that are read of a phrase, and of all names together.
_READ = 64
# Number of entities that are read in one call, padded to the longest.
_ENTITIES_PER_BATCH = 64

Vectors = NDArray[np.float32]


class PhraseEncoder(Protocol):
    """Encoder of texts as vectors, such as ``models.networks.AttackerModel``.

    Attributes:
        name: name of the encoder, with its digests.
        width: length of a vector.
    """

    name: str
    width: int

    def pieces(self, words: Sequence[str]) -> NDArray[np.int64]:
        """Return the word pieces of some words, [words, most pieces]."""
        ...

    def vectors(
        self, side: Literal["profile"], pieces: NDArray[np.int64], places: NDArray[np.int64]
    ) -> NDArray[np.float32]:
        """Return vectors of length 1, [texts, width], for [texts, longest] places of words."""
        ...


@dataclass(frozen=True, slots=True, eq=False)
class EntityFeatures:
    """Features of the n entities of a document for the emulation.

    Attributes:
        facts: float32 [n, facts].
        vectors: float32 [n, width], of the fullest phrases.
        person: float32 [width], of the names of the people to protect.
        worded: whether each entity has a word to search for, bool [n].
    """

    facts: Vectors
    vectors: Vectors
    person: Vectors
    worded: NDArray[np.bool_]


def entity_features(
    document: Document, entities: Sequence[Entity], names: Sequence[str], encoder: PhraseEncoder
) -> EntityFeatures | None:
    """Return the features for the emulation, or None if there is nobody to protect.

    Args:
        document: the document, with its target if it has one.
        entities: of the document.
        names: additional names to protect. If there are neither names nor a target, everyone is
            protected.
        encoder: of phrases.
    """
    people = phrases_of_names((*document.target, *names)) or people_of(document, entities)
    if not people:
        return None
    called = [word for part in people for string in part for word in word_list(string)]
    parts = [phrases_of(document, entity) for entity in entities]
    of_type = Counter(entity.type for entity in entities)
    rows = [
        _facts(document, entity, part, of_type[entity.type], frozenset(called))
        for entity, part in zip(entities, parts, strict=True)
    ]
    texts = [called, *(word_list(part[0]) if part else [] for part in parts)]
    vectors = text_vectors(texts, encoder)
    return EntityFeatures(
        np.array(rows, dtype=np.float32).reshape(len(rows), len(FACTS)),
        vectors[1:],
        vectors[0],
        np.array([bool(part) for part in parts], dtype=bool),
    )


def text_vectors(texts: Sequence[Sequence[str]], encoder: PhraseEncoder) -> Vectors:
    """Return the vectors of texts given as words, [texts, width]. A vector doesn't depend on the other texts."""
    # Padding could change a vector, so only texts of the same length are read together.
    by_length: dict[int, list[int]] = {}
    for index, text in enumerate(texts):
        by_length.setdefault(min(len(text), _READ), []).append(index)
    vectors = np.zeros((len(texts), encoder.width), dtype=np.float32)
    for length, indices in sorted(by_length.items()):
        if not length:
            continue
        for begin in range(0, len(indices), _ENTITIES_PER_BATCH):
            batch = indices[begin : begin + _ENTITIES_PER_BATCH]
            # The first two words stand for padding and a mask.
            numbers: dict[str, int] = {"": 0, "***": 1}
            places = [
                [numbers.setdefault(word, len(numbers)) for word in texts[index][:length]]
                for index in batch
            ]
            pieces = encoder.pieces(list(numbers))
            vectors[batch] = encoder.vectors("profile", pieces, np.array(places, dtype=np.int64))
    return vectors


def _facts(
    document: Document, entity: Entity, part: Part, of_its_type: int, called: frozenset[str]
) -> list[float]:
    phrase = part[0] if part else ""
    words, unigram = word_list(phrase), UnigramSurprisal.shipped()
    information = [unigram.surprisal(word) / _NATS for word in words] or [0.0]
    digits = sum(character.isdigit() for character in phrase)
    capitalised = [word[:1].isupper() for word in phrase.split()] or [False]
    shared = called & {word for string in part for word in word_list(string)}
    return [
        *(float(entity.type is type) for type in SemanticType),
        float(len(words)),
        math.log(len(words) + 1),
        float(len(phrase)),
        float(len(part)),
        math.log(len(entity.mentions)),
        sum(information),
        max(information),
        min(information),
        sum(information) / len(information),
        float(sum(unigram.counts.get(word, 0) == 0 for word in words)),
        entity.mentions[0].span.start / len(document.text),
        math.log(of_its_type),
        float(digits),
        float(digits > 0),
        float(phrase.isdigit()),
        float(_YEAR.search(phrase) is not None),
        float(phrase[:1].isupper()),
        float(phrase.isupper()),
        sum(capitalised) / len(capitalised),
        float(len(shared)),
    ]


# The network of the emulation: vectors of entities, pooled over the combination, with the person's.
#
#     h(e)  = relu(W [facts(e) normalised, P vector(e)] + b)
#     z(C)  = [max h(e), sum h(e), Q vector(person), max cos(e, person), size of C one-hot]
#     p(C)  = sigmoid(o · relu(V z + c) + d)
#
# The paper (``explicit_risk_measures``, appendix) has an LSTM over the subwords of BERT; here a phrase has
# one vector already, and what is pooled over a combination knows no order. As torch:
# ``train/emulation_network.py``.


Weights = Mapping[str, NDArray[np.float32]]

_ROWS_PER_BATCH = 8_192


def confidence(
    weights: Weights, features: EntityFeatures, groups: NDArray[np.int64]
) -> NDArray[np.float64]:
    """Return the network's confidence of finding the person by each combination, float64 [k].

    Args:
        weights: arrays, by the names in ``ARRAYS``.
        features: the entities.
        groups: indices of entities, int64 [k, size], size at least 1.
    """
    states = _entities(weights, features)
    near = features.vectors @ features.person
    person = features.person @ weights["person"] + weights["person_bias"]
    size = np.zeros(weights["hidden"].shape[0] - 2 * states.shape[1] - len(person) - 1)
    size[min(groups.shape[1], len(size)) - 1] = 1.0
    same = np.concatenate([size, person])
    confidences = np.empty(len(groups))
    for begin in range(0, len(groups), _ROWS_PER_BATCH):
        batch = groups[begin : begin + _ROWS_PER_BATCH]
        members = states[batch]
        z = np.concatenate(
            [
                members.max(axis=1),
                members.sum(axis=1),
                near[batch].max(axis=1, keepdims=True),
                np.broadcast_to(same, (len(batch), len(same))),
            ],
            axis=1,
        )
        inner = np.maximum(z @ weights["hidden"] + weights["hidden_bias"], 0.0)
        odds = inner @ weights["output"] + weights["output_bias"][0]
        confidences[begin : begin + _ROWS_PER_BATCH] = 1 / (1 + np.exp(-np.clip(odds, -50, 50)))
    return confidences


def _entities(weights: Weights, features: EntityFeatures) -> NDArray[np.float32]:
    normal = (features.facts - weights["mean"]) / weights["deviation"]
    inputs = np.concatenate([normal, features.vectors @ weights["phrase"]], axis=1)
    states: NDArray[np.float32] = np.maximum(
        inputs @ weights["entity"] + weights["entity_bias"], 0.0
    )
    return states


# Loading of the fitted emulation, after a check of its digest.


DEFAULT_EMULATION = "emulation-en"
EMULATION_FILE = "emulation.json"
ARRAYS_FILE = "emulation.npz"
ARRAYS = {
    "mean": 1,
    "deviation": 1,
    "phrase": 2,
    "entity": 2,
    "entity_bias": 1,
    "person": 2,
    "person_bias": 1,
    "hidden": 2,
    "hidden_bias": 1,
    "output": 1,
    "output_bias": 1,
}
"""The arrays of the network by name, with their dimensions; see ``train/emulation_network.py``."""

Array = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Size:
    """Threshold and curve for combinations of one size.

    Attributes:
        threshold: smallest probability of a risky combination.
        curve: from the network's confidence to a probability.
    """

    threshold: float
    curve: Curve


def sizes_of(objects: Sequence[Mapping[str, Any]]) -> tuple[Size, ...]:
    """Return the thresholds and curves in JSON objects.

    Raises:
        KeyError, TypeError, ValueError: if they are missing or have other types.
    """
    return tuple(Size(float(size["threshold"]), Curve.of(size)) for size in objects)


def sizes_object(sizes: Sequence[Size]) -> list[dict[str, Any]]:
    """Return thresholds and curves as JSON objects for ``sizes_of``."""
    return [{"threshold": size.threshold, "x": size.curve.x, "y": size.curve.y} for size in sizes]


@dataclass(frozen=True, slots=True, eq=False)
class Emulation:
    """The weights of the emulation network.

    Attributes:
        encoder: name of the encoder of its training vectors, up to its digests.
        facts: names of the facts of an entity, in order.
        sizes: thresholds and curves for combinations of one entity, of two, and so on; at least
            one.
        arrays: float32, by the names of ``ARRAYS``.
    """

    encoder: str
    facts: tuple[str, ...]
    sizes: tuple[Size, ...]
    arrays: Mapping[str, Array]


@cache
def load_emulation(source: str | Path = DEFAULT_EMULATION) -> Emulation:
    """Return a fitted emulation, read once in a process.

    Args:
        source: name of a shipped model, or a folder with one.

    Raises:
        ModelError: if it is missing, damaged or has other content.
    """
    model = locate(source)
    model.verify()
    if not {EMULATION_FILE, ARRAYS_FILE} <= set(model.digests):
        raise ModelError(
            f"{model.name} emulates no search: it has no {EMULATION_FILE} and {ARRAYS_FILE}; see "
            "`tacenda models list`."
        )
    try:
        data = json.loads((model.folder / EMULATION_FILE).read_text(encoding="utf-8"))
        sizes = sizes_of(data["sizes"])
        encoder, facts = str(data["encoder"]), tuple(map(str, data["facts"]))
        with np.load(io.BytesIO((model.folder / ARRAYS_FILE).read_bytes())) as stored:
            arrays = {name: stored[name].astype(np.float32) for name in ARRAYS}
    except (ValueError, TypeError, KeyError, AttributeError, EOFError, BadZipFile) as error:
        raise ModelError(f"{model.name}: its files contain no network; rebuild it.") from error
    if not sizes or any(arrays[name].ndim != count for name, count in ARRAYS.items()):
        raise ModelError(f"{model.name}: its arrays have other dimensions; rebuild it.")
    return Emulation(encoder, facts, sizes, arrays)


# The emulated search as an indicator: of single entities and of combinations.


SEARCH_EMULATED = "search_emulated"

Indices = tuple[int, ...]


class ReadEntities(Protocol):
    """Features of the n entities of a document, as a network reads them."""

    @property
    def worded(self) -> NDArray[np.bool_]:
        """Return whether each entity has a word to search for, bool [n]."""
        ...


ReadEntitiesT = TypeVar("ReadEntitiesT", bound=ReadEntities)


class SearchPrediction(ABC, Generic[ReadEntitiesT]):
    """Indicator of entities and combinations by the predicted results of a search for the person.

    The people to protect are the document's target and ``names``. If there are none, everyone in
    the document is protected, as in ``SearchRisk``. It uses neither an index nor a web search.

    Args:
        sizes: thresholds and curves for combinations of one entity, of two, and so on.
        names: further names to protect, from the policy.
        arity: largest number of entities in a combination.
        limit: largest number of listed combinations, the riskiest first.

    Raises:
        ValueError: if ``arity`` or ``limit`` is below 1, or larger than the fitted sizes.
    """

    def __init__(self, sizes: Sequence[Size], names: Sequence[str], arity: int, limit: int) -> None:
        for name, value in (("arity", arity), ("limit", limit)):
            if value < 1:
                raise ValueError(f"{name} is {value!r}; at least 1 is needed.")
        if arity > len(sizes):
            raise ValueError(
                f"arity is {arity!r}; the network was fitted to combinations of up to "
                f"{len(sizes)} entities."
            )
        self._sizes = tuple(sizes)
        self._names = tuple(names)
        self._arity = arity
        self._limit = limit

    @abstractmethod
    def _read(self, document: Document, entities: Sequence[Entity]) -> ReadEntitiesT | None:
        """Return the features, or None if there is nobody to protect."""

    @abstractmethod
    def _confidence(
        self, features: ReadEntitiesT, groups: NDArray[np.int64]
    ) -> NDArray[np.float64]:
        """Return the network's confidence in combinations of one size, [k]."""

    def judge(self, document: Document, entities: Sequence[Entity]) -> list[Finding | None]:
        """Return a finding for each entity that has a word to search for."""
        findings: list[Finding | None] = [None] * len(entities)
        features = self._read(document, entities)
        if features is not None:
            singles = open_combinations(np.flatnonzero(features.worded), 1)
            for index, chance in zip(singles[:, 0], self._chances(features, singles), strict=True):
                risky = chance >= self._sizes[0].threshold
                findings[index] = Finding(
                    _evidence(1, chance), IdentifierType.QUASI if risky else IdentifierType.NO_MASK
                )
        return findings

    def combinations(
        self, document: Document, entities: Sequence[Entity]
    ) -> tuple[Combination, ...]:
        """Return the risky combinations, no one a superset of another; the riskiest first."""
        features = self._read(document, entities)
        if features is None:
            return ()
        ranking: list[tuple[float, Indices]] = []
        risky: set[Indices] = set()
        open_parts = np.flatnonzero(features.worded)
        for size in range(1, self._arity + 1):
            groups = open_combinations(open_parts, size, risky)
            chances = self._chances(features, groups)
            above = chances >= self._sizes[size - 1].threshold
            for indices, chance in zip(groups[above].tolist(), chances[above], strict=True):
                risky.add(tuple(indices))
                ranking.append((float(chance), tuple(indices)))
            if size == 1:
                open_parts = groups[~above, 0]
        ranking.sort(key=lambda item: (-item[0], len(item[1]), item[1]))
        return tuple(
            Combination(
                tuple(entities[index].id for index in indices),
                chance,
                (_evidence(len(indices), chance),),
            )
            for chance, indices in ranking[: self._limit]
        )

    def _chances(self, features: ReadEntitiesT, groups: NDArray[np.int64]) -> NDArray[np.float64]:
        """Return the calibrated probability of each combination, all of one size."""
        curve = self._sizes[groups.shape[1] - 1].curve
        chances: NDArray[np.float64] = np.interp(
            self._confidence(features, groups), curve.x, curve.y
        )
        return chances


class PredictedSearch(SearchPrediction[EntityFeatures]):
    """The indicator by the small network; see ``SearchPrediction``.

    Args:
        emulation: the network.
        encoder: the encoder of its training.
        names: further names to protect, from the policy.
        arity: largest number of entities in a combination.
        limit: largest number of listed combinations, the riskiest first.

    Raises:
        ModelError: if the network was fitted to another encoder or to other facts.
        ValueError: if ``arity`` or ``limit`` is below 1, or larger than the fitted sizes.
    """

    def __init__(
        self,
        emulation: Emulation,
        encoder: PhraseEncoder,
        names: Sequence[str] = (),
        *,
        arity: int = 2,
        limit: int = 2_000,
    ) -> None:
        super().__init__(emulation.sizes, names, arity, limit)
        if emulation.encoder != encoder.name or emulation.facts != FACTS:
            subject = f"the vectors of {emulation.encoder}, not {encoder.name}"
            if emulation.encoder == encoder.name:
                subject = "other facts of an entity than this version has"
            raise ModelError(
                f"The emulated search was fitted to {subject}; fit it with `tacenda lab train emulation`."
            )
        self._emulation = emulation
        self._encoder = encoder

    @classmethod
    def shipped(cls, folder: str = "") -> SearchPrediction[Any]:
        """Return the shipped indicator, or that of a folder of `tacenda lab train emulation`.

        Raises:
            MissingExtraError: if the folder has an encoder of transformers, which isn't installed.
            ModelError: if its weights or its encoder's are missing or damaged, or don't fit together.
        """
        if folder and is_checkpoint(Path(folder)):
            try:
                from .encoded_search import EncodedSearch
            except ImportError as error:
                raise MissingExtraError(f"{SEARCH_EMULATED}:{folder}", "hf") from error
            return EncodedSearch.load(Path(folder))
        emulation = load_emulation(Path(folder)) if folder else load_emulation()
        return cls(emulation, AttackerModel.load())

    def _read(self, document: Document, entities: Sequence[Entity]) -> EntityFeatures | None:
        return entity_features(document, entities, self._names, self._encoder)

    def _confidence(
        self, features: EntityFeatures, groups: NDArray[np.int64]
    ) -> NDArray[np.float64]:
        return confidence(self._emulation.arrays, features, groups)


def open_combinations(
    parts: NDArray[np.int64], size: int, risky: Set[Indices] = frozenset()
) -> NDArray[np.int64]:
    """Return the combinations of the parts that contain no risky combination, [k, size]."""
    groups = [
        indices
        for indices in combinations(parts.tolist(), size)
        if size < 3
        or not any(
            smaller in risky for part in range(2, size) for smaller in combinations(indices, part)
        )
    ]
    return np.array(groups, dtype=np.int64).reshape(-1, size)


def _evidence(size: int, chance: float) -> Evidence:
    subject = "it" if size == 1 else f"these {size} together"
    return Evidence(
        SEARCH_EMULATED,
        float(chance),
        f"A search for {subject} would lead to a person to protect with a probability of {chance:.2f} "
        "(emulated: nothing was searched).",
    )
