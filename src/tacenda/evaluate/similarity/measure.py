"""How close masked documents stay to their originals, one by one and as a corpus.

    cosine    mean cosine of a document with its masked version; a document of which masking
              leaves nothing to embed has cosine 0
    NMI, ARI  agreement of the clusters of masked documents with those of the originals
              (``survival``)

The number of clusters is √(n/2) rounded, at least 2 (Mardia, Kent and Bibby, Multivariate
Analysis, 1979), unless the user gives one. Documents in whose original there is nothing to embed,
such as empty ones, are not counted.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from math import sqrt

from ...errors import InputError
from .embedding import Embedding
from .figures import Similarity
from .lsa import LatentSemanticAnalysis
from .survival import survival


@dataclass(frozen=True, slots=True)
class SimilarityMeasure:
    """What is to be measured.

    Attributes:
        embedding: what makes vectors of texts.
        clusters: number of clusters, 2 or more; None for √(n/2).
    """

    embedding: Embedding = field(default_factory=LatentSemanticAnalysis)
    clusters: int | None = None

    def __post_init__(self) -> None:
        if self.clusters is not None and self.clusters < 2:
            raise InputError(f"{self.clusters} clusters divide nothing; give 2 or more")

    @property
    def name(self) -> str:
        """Its name in a report."""
        return "similarity"

    def measure(self, originals: Sequence[str], masked: Sequence[str]) -> Similarity:
        """Compare documents with their masked versions.

        Args:
            originals: the texts before masking.
            masked: the texts after it, in the same order.

        Raises:
            InputError: as many clusters are asked for as there are documents, or more.
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
            chosen = max(2, round(sqrt(n / 2)))
            return chosen if chosen < n else None
        if self.clusters >= n:
            raise InputError(
                f"{self.clusters} clusters are too many for {n} documents with something to "
                "embed; ask for fewer clusters than documents"
            )
        return self.clusters
