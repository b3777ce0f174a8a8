"""What the model says of each subword, read as mentions.

A word is one: its subwords take the label of the first and the highest masking probability of
any ("partial match" in ``explicit_risk_measures``, section 3.2: when unsure, mask). Words that
the type head leaves out but the masking head would mask become mentions of their own. A mention
ends with its passage; in a line that is only wrapped it may go on.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..document import Mention, SemanticType, Span
from ..models.calibration import Calibration
from ..models.encoding import Encoding
from ..models.labels import SEMANTIC_TYPES
from ..text.passages import Passages

# Below this masking probability a word outside every typed mention is ordinary text.
_MASKED_ALONE = 0.05


@dataclass(frozen=True, slots=True, eq=False)
class Reading:
    """The model's answer for the n subwords of a document.

    Attributes:
        labels: int8 [n], the most probable BIO label.
        types: int8 [n], the most probable semantic type if the subword is in a mention.
        masking: float32 [n], probability of QUASI or DIRECT.
        direct: float32 [n], probability of DIRECT.
    """

    labels: NDArray[np.int8]
    types: NDArray[np.int8]
    masking: NDArray[np.float32]
    direct: NDArray[np.float32]

    @classmethod
    def empty(cls, n: int) -> Reading:
        """Return a reading to be filled window by window."""
        return cls(
            np.zeros(n, np.int8),
            np.zeros(n, np.int8),
            np.zeros(n, np.float32),
            np.zeros(n, np.float32),
        )

    def fill(self, part: slice, types: NDArray[np.float32], masking: NDArray[np.float32]) -> None:
        """Store the model's outputs, [m, 17] and [m, 3], for the m subwords of ``part``."""
        self.labels[part] = types.argmax(axis=-1)
        self.types[part] = (types[:, 1::2] + types[:, 2::2]).argmax(axis=-1)
        self.masking[part] = masking[:, 1] + masking[:, 2]
        self.direct[part] = masking[:, 2]


def mentions_of(
    text: str, encoding: Encoding, reading: Reading, calibration: Calibration
) -> tuple[Mention, ...]:
    """Return the mentions of ``text`` in order; they do not overlap."""
    if not len(encoding):
        return ()
    firsts = np.flatnonzero(np.diff(encoding.words, prepend=-1))
    lasts = np.append(firsts[1:], len(encoding)) - 1
    labels = reading.labels[firsts]
    types = np.where(labels > 0, (labels - 1) // 2, reading.types[firsts])
    masking = np.maximum.reduceat(reading.masking, firsts)
    direct = np.maximum.reduceat(reading.direct, firsts)
    starts = encoding.starts[firsts]
    ends = encoding.ends[lasts]
    typed = labels > 0
    marked = typed | (masking >= _MASKED_ALONE)
    begins = typed & (labels % 2 == 1)
    passages = Passages.of(text)

    mentions = []
    run: list[int] = []
    for index in np.flatnonzero(marked).tolist():
        continues = (
            run
            and run[-1] == index - 1
            and (
                _hyphenated(text, int(ends[index - 1]), int(starts[index]))
                or (
                    not begins[index]
                    and typed[index] == typed[index - 1]
                    and types[index] == types[index - 1]
                )
            )
            and not passages.parted(int(starts[index - 1]), int(ends[index]))
        )
        if not continues and run:
            mentions.append(_mention(run, starts, ends, types, masking, direct, calibration))
            run = []
        run.append(index)
    if run:
        mentions.append(_mention(run, starts, ends, types, masking, direct, calibration))
    return tuple(mentions)


def _hyphenated(text: str, end: int, start: int) -> bool:
    """Tell whether one of two words that touch is a hyphen: then they are one name."""
    return end == start and "-" in (text[end - 1], text[start])


def _mention(
    run: list[int],
    starts: NDArray[np.int64],
    ends: NDArray[np.int64],
    types: NDArray[np.int8],
    masking: NDArray[np.float32],
    direct: NDArray[np.float32],
    calibration: Calibration,
) -> Mention:
    first, last = run[0], run[-1]
    type = SEMANTIC_TYPES[int(types[first])]
    of_words = masking[first : last + 1]
    masked = calibration.masking_of(type, float(of_words.max()))
    return Mention(
        span=Span(int(starts[first]), int(ends[last])),
        type=SemanticType(type),
        masking=masked,
        direct=min(masked, calibration.direct(float(direct[first : last + 1].max()))),
        source="neural",
        every_word=calibration.masking_of(type, float(of_words.min())),
    )
