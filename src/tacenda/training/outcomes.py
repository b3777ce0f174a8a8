"""What a recognizer said of mentions, beside what annotators decided: the data of calibration."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

from ..detect.neural import NeuralDetector
from ..document import Document
from ..models.recognizer import RecognizerModel
from .examples import Example

# Confidence of the model, and share of annotators that it was right with.
Pair = tuple[float, float]


def outcomes(
    model: RecognizerModel, unseen: Sequence[Example]
) -> tuple[dict[str, list[Pair]], list[Pair]]:
    """Return pairs for masking, by semantic type, and pairs for direct identifiers.

    Args:
        model: without calibration, or with one to be checked.
        unseen: documents that it was not fitted to.
    """
    masking: dict[str, list[Pair]] = defaultdict(list)
    direct: list[Pair] = []
    detector = NeuralDetector(model, threads=2)
    found = detector.detect([Document(example.doc_id, example.text) for example in unseen])
    for example, mentions in zip(unseen, found, strict=True):
        starts, ends = example.encoding.starts, example.encoding.ends
        for mention in mentions:
            inside = (starts < mention.span.end) & (ends > mention.span.start)
            share = example.masks[inside].mean(axis=0)
            masking[str(mention.type)].append((mention.masking, float(share[1] + share[2])))
            direct.append((mention.direct, float(share[2])))
    return dict(masking), direct
