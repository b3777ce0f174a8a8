"""What a comparison of masked documents with their originals found."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from .survival import SEEDS, Survival

if TYPE_CHECKING:
    from rich.table import Table


@dataclass(frozen=True, slots=True)
class Similarity:
    """How alike masked documents are to their originals.

    Attributes:
        embedding: name of what made vectors of texts.
        documents: number of documents counted.
        left_out: number of those in whose original there is nothing to embed.
        clusters: number of clusters asked for; None if there are too few documents.
        cosine: mean cosine of an original with its masked version, in [−1, 1]; None without
            documents.
        survival: how well clusters of masked documents agree with those of the originals; None
            if the originals don't fall into clusters.
    """

    embedding: str
    documents: int
    left_out: int
    clusters: int | None
    cosine: float | None
    survival: Survival | None

    @property
    def signature(self) -> str:
        """How the figures were made."""
        clusters = f"+kmeans{self.clusters}x{SEEDS}" if self.clusters else ""
        return f"similarity:{self.embedding}{clusters}"

    @property
    def notes(self) -> tuple[str, ...]:
        """What the reader must know, in sentences."""
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
        """Return the figures of systems, by name, side by side."""
        from .terminal import similarity_table

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
