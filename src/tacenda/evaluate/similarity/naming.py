"""The embeddings that users can name.

lsa       latent semantic analysis of the original documents
hf:NAME   a sentence encoder of the user's, a folder or a cached name
"""

from __future__ import annotations

from ...errors import InputError
from .embedding import Embedding
from .lsa import LatentSemanticAnalysis
from .measure import SimilarityMeasure
from .sentence_encoder import SentenceEncoder


def embedding(name: str) -> Embedding:
    """Return the embedding of this name, as in the module's docstring.

    Raises:
        InputError: there is none of this name.
        ModelError: the model is not on this machine.
        MissingExtraError: its extra is not installed.
    """
    kind, _, argument = name.partition(":")
    if name == "lsa":
        return LatentSemanticAnalysis()
    if kind == "hf" and argument:
        return SentenceEncoder(argument)
    raise InputError(f"embedding {name!r} is not known; choose lsa or hf:NAME")


def similarity_measure(name: str, clusters: int | None) -> SimilarityMeasure:
    """Return the measure by the embedding of this name; errors as ``embedding``."""
    return SimilarityMeasure(embedding(name), clusters)
