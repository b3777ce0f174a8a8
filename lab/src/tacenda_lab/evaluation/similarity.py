"""How similar masked documents are to their originals, by embeddings.

- ``embedding``: by name: ``lsa``, latent semantic analysis (``embedding.py``), offline; or
  ``SentenceEncoder``, one of the user's
- ``survival``: agreement of clusters before and after masking (NMI, ARI)
- ``SimilarityMeasure``: both, as a measure of a system's masks
"""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from math import sqrt
from statistics import fmean
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray
from rich.table import Table

from tacenda.errors import InputError, ModelError, UnknownNameError
from tacenda.evaluate.tables import format_coefficient
from tacenda.evaluate.weights import windows
from tacenda.models.checkpoint import Checkpoint

from .embedding import Embedding, Encoder, LatentSemanticAnalysis, Matrix, normalize_rows

# How well a corpus's clusters survive masking.
#
# k-means depends on its start, so that two runs on the very same texts may differ a lot. To see
# what masking changes and nothing else, originals and masked documents are clustered from the same
# start: the same documents are the first centres. A system that masks nothing gets 1, one that
# masks everything 0. As a scale beside it, the originals are clustered again from another start.
# All agreements are means over seeds.


SEEDS: Final = 20


@dataclass(frozen=True, slots=True)
class ClusterAgreement:
    """How far two sets of clusterings agree, as means over seeds."""

    normalized_mutual_information: float
    adjusted_rand_index: float


@dataclass(frozen=True, slots=True)
class Survival:
    """How far clusterings agree with those of the originals.

    Attributes:
        masked: clusterings of the masked documents, from the same starts.
        restarted: clusterings of the originals themselves, from other starts.
    """

    masked: ClusterAgreement
    restarted: ClusterAgreement


def survival(before: Matrix, after: Matrix, k: int) -> Survival | None:
    """Return how well clusters survive, or None if the originals are all alike and form one cluster.

    Args:
        before: vectors of the originals, shape (n, dimensions).
        after: vectors of the masked documents, in the same order.
        k: number of clusters, 2 or more and below n.
    """
    from sklearn.cluster import kmeans_plusplus

    starts, restarts = (
        [
            kmeans_plusplus(before, k, random_state=2 * seed + run, n_local_trials=1)[1]
            for seed in range(SEEDS)
        ]
        for run in (0, 1)
    )
    originals = _clusterings(before, starts)
    if any(len(np.unique(labels)) < 2 for labels in originals):
        return None
    return Survival(
        masked=_agreement(originals, _clusterings(after, starts)),
        restarted=_agreement(originals, _clusterings(before, restarts)),
    )


def _clusterings(points: Matrix, starts: Sequence[NDArray[np.intp]]) -> list[NDArray[np.intp]]:
    """Return the cluster of each point, by Lloyd's algorithm from each start."""
    from sklearn.cluster import KMeans
    from sklearn.exceptions import ConvergenceWarning

    with warnings.catch_warnings():
        # Equal points form one cluster, whatever number is requested.
        warnings.simplefilter("ignore", ConvergenceWarning)
        return [
            KMeans(len(start), init=points[start], n_init=1).fit(points).labels_ for start in starts
        ]


def _agreement(
    one: Sequence[NDArray[np.intp]], reference: Sequence[NDArray[np.intp]]
) -> ClusterAgreement:
    from sklearn.metrics import adjusted_rand_score, normalized_mutual_info_score

    pairs = list(zip(one, reference, strict=True))
    return ClusterAgreement(
        fmean(float(normalized_mutual_info_score(*pair)) for pair in pairs),
        fmean(float(adjusted_rand_score(*pair)) for pair in pairs),
    )


# The result of comparing masked documents with their originals.


@dataclass(frozen=True, slots=True)
class Similarity:
    """Similarity of masked documents to their originals.

    Attributes:
        embedding: name of the embedding of texts.
        documents: the number of documents compared.
        left_out: the number of documents whose original has nothing to embed.
        clusters: the number of clusters requested, or None if there are too few documents.
        cosine: mean cosine of an original with its masked version, in [−1, 1]; None without
            documents.
        survival: agreement of clusters of masked documents with those of the originals; None
            without clusters of the originals.
    """

    embedding: str
    documents: int
    left_out: int
    clusters: int | None
    cosine: float | None
    survival: Survival | None

    @property
    def signature(self) -> str:
        """A signature of how the figures were computed."""
        clusters = f"+kmeans{self.clusters}x{SEEDS}" if self.clusters else ""
        return f"similarity:{self.embedding}{clusters}"

    @property
    def notes(self) -> tuple[str, ...]:
        """Notes for the reader, in sentences."""
        notes = []
        if self.left_out:
            notes.append(
                f"similarity leaves out {self.left_out} document{'s' * (self.left_out > 1)} with "
                "nothing to embed in the original"
            )
        if self.clusters is None:
            notes.append(
                f"NMI and ARI are left undefined: {self.documents} "
                f"document{'s' * (self.documents != 1)} can't be divided into clusters"
            )
        elif self.survival is None:
            notes.append("NMI and ARI are left undefined: the originals are all alike")
        return tuple(notes)

    @classmethod
    def table(cls, systems: Mapping[str, Similarity]) -> Table:
        """Return the figures of systems side by side, by name."""
        return similarity_table(systems)

    def as_json(self) -> dict[str, Any]:
        """Return a form for JSON; stable. Agreements are None where ``survival`` is."""
        survival = self.survival and asdict(self.survival)
        return {
            "embedding": self.embedding,
            "documents": self.documents,
            "left_out": self.left_out,
            "clusters": self.clusters,
            "seeds": SEEDS,
            "cosine": self.cosine,
            "masked": survival and survival["masked"],
            "restarted": survival and survival["restarted"],
        }


# How close masked documents stay to their originals, one by one and as a corpus.
#
#     cosine    mean cosine of a document with its masked version; a document of which masking
#               leaves nothing to embed has cosine 0
#     NMI, ARI  agreement of the clusters of masked documents with those of the originals
#               (``survival``)
#
# The number of clusters is √(n/2) rounded, at least 2 (Mardia, Kent and Bibby, Multivariate
# Analysis, 1979), unless the user gives one. Documents in whose original there is nothing to embed,
# such as empty ones, are not counted.


@dataclass(frozen=True, slots=True)
class SimilarityMeasure:
    """The similarity measure, with its settings.

    Attributes:
        embedding: the embedding of texts.
        clusters: number of clusters, 2 or more; None for √(n/2).
    """

    embedding: Embedding = field(default_factory=LatentSemanticAnalysis)
    clusters: int | None = None

    def __post_init__(self) -> None:
        if self.clusters is not None and self.clusters < 2:
            raise InputError(f"{self.clusters} clusters are too few; give 2 or more")

    @property
    def name(self) -> str:
        """The measure's name in a report."""
        return "similarity"

    def measure(self, originals: Sequence[str], masked: Sequence[str]) -> Similarity:
        """Compare documents with their masked versions.

        Args:
            originals: the texts before masking.
            masked: the texts after it, in the same order.

        Raises:
            InputError: the user requested at least as many clusters as there are documents.
        """
        encode = self.embedding.encoder(originals)
        before, after = encode(originals), encode(masked)
        counted = before.any(axis=1)
        before, after = before[counted], after[counted]
        k = self._clusters(len(before))
        return Similarity(
            embedding=self.embedding.name,
            documents=len(before),
            left_out=len(originals) - len(before),
            clusters=k,
            cosine=float((before * after).sum(axis=1).mean()) if len(before) else None,
            survival=survival(before, after, k) if k else None,
        )

    def _clusters(self, n: int) -> int | None:
        if self.clusters is None:
            count = max(2, round(sqrt(n / 2)))
            return count if count < n else None
        if self.clusters >= n:
            raise InputError(
                f"{self.clusters} clusters are too many for {n} documents with something to "
                "embed; ask for fewer clusters than documents"
            )
        return self.clusters


# The user's own sentence encoder: mean pooling over the pieces of the whole text.
#
# Reimers and Gurevych, "Sentence-BERT" (2019), whose default pooling this is: the mean of the last
# hidden states. A text longer than the model's window is read in windows that overlap; each piece
# counts once, in the window in which it is furthest from an edge. Special pieces count as in
# Sentence-BERT, those at the two ends of the text, so that a text of one window has exactly the
# vector that its pooling gives.


_OVERLAP: Final = 0.25


class SentenceEncoder:
    """An encoder from a folder or the local cache; nothing is downloaded.

    Args:
        name: a folder, or the name of a model in the local cache.
        option: the option that names it, for messages.

    Raises:
        MissingExtraError: transformers or torch is not installed.
        ModelError: there is no such model here, or its tokenizer has no offsets.
    """

    def __init__(self, name: str, option: str = "--similarity") -> None:
        self._checkpoint = Checkpoint(name, "AutoModel", option)
        self.name = f"hf:{name}"

    def encoder(self, originals: Sequence[str]) -> Encoder:
        """Return the encoder, which learns nothing from the originals."""
        del originals
        return self._encode

    def _encode(self, texts: Sequence[str]) -> Matrix:
        return normalize_rows(np.array([self._pooled(text) for text in texts]))

    def _pooled(self, text: str) -> Matrix:
        """Return the mean hidden state, shape (dimensions,), or 0 for a text without pieces.

        Raises:
            ModelError: the model gives no finite numbers.
        """
        ids = [piece.id for piece in self._checkpoint.pieces(text)]
        states = [
            self._states(ids[start:end], first - start, last - start, first == 0, last == len(ids))
            for start, end, first, last in windows(len(ids), self._checkpoint.window, _OVERLAP)
        ]
        if not states:
            return np.zeros(self._checkpoint.dimensions)
        mean: Matrix = np.concatenate(states).mean(axis=0)
        if not np.isfinite(mean).all():
            raise ModelError(f"{self.name} returned non-finite numbers; its weights are damaged")
        return mean

    def _states(
        self, ids: Sequence[int], first: int, last: int, opens: bool, closes: bool
    ) -> Matrix:
        """Return the states of pieces ``[first, last)``, and of the special pieces at either end of the text."""
        states: Matrix = self._checkpoint.run(ids).last_hidden_state[0].double().cpu().numpy()
        offset = len(self._checkpoint.before)
        low = 0 if opens else offset + first
        high = len(states) if closes else offset + last
        return states[low:high]


# The embeddings by name.
#
# lsa       latent semantic analysis of the original documents
# hf:NAME   a sentence encoder of the user's, a folder or a cached name


def embedding(name: str) -> Embedding:
    """Return the embedding with this name (see the module's docstring).

    Raises:
        UnknownNameError: no embedding has this name.
        ModelError: the model is not on this machine.
        MissingExtraError: its extra is not installed.
    """
    kind, _, argument = name.partition(":")
    if name == "lsa":
        return LatentSemanticAnalysis()
    if kind == "hf" and argument:
        return SentenceEncoder(argument)
    raise UnknownNameError(f"unknown embedding {name!r}; choose lsa or hf:NAME")


def similarity_measure(name: str, clusters: int | None) -> SimilarityMeasure:
    """Return the measure that uses the embedding with this name; raises what ``embedding`` raises."""
    return SimilarityMeasure(embedding(name), clusters)


# Similarity as a table for the terminal.


def similarity_table(similarities: Mapping[str, Similarity]) -> Table:
    """Return the figures of systems side by side.

    Args:
        similarities: at least one, by system name.
    """
    table = Table(title="masked documents against their originals", title_justify="left")
    table.add_column("figure")
    for name in similarities:
        table.add_column(name, justify="right")
    table.add_row(
        "cosine", *(format_coefficient(similarity.cosine) for similarity in similarities.values())
    )
    for clustering, title in _CLUSTERINGS.items():
        for name, short in _COEFFICIENTS.items():
            values = (
                (similarity.as_json()[clustering] or {}).get(name)
                for similarity in similarities.values()
            )
            table.add_row(f"{title}, {short}", *map(format_coefficient, values))
    return table


_CLUSTERINGS: Final = {
    "masked": "clusters that survive",
    "restarted": "the originals from another start",
}
_COEFFICIENTS: Final = {"normalized_mutual_information": "NMI", "adjusted_rand_index": "ARI"}
