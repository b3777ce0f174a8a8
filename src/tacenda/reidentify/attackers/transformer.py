"""An attacker with two encoders of transformers (Morris et al. 2022, sections 5 and 6); ``models/encoder_pair.py`` has them.

A masked word is the mask token of the text's encoder, as when it was trained; neighbours are one mask, as they are in a
release, and so are ``***`` and labels such as ``[PERSON 1]``.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from ...background.people import People
from ...background.profiles import Person, table_of
from ...models.encoder_pair import EncoderPair
from ..tokens import LABEL, TokenizedDocument, adjoins
from .encoder import BiEncoder, EncodeVariants

_MASKS: Final = re.compile(rf"\*{{3}}|{LABEL.pattern}")


def masked_text(document: TokenizedDocument, mask: NDArray[np.bool_], token: str) -> str:
    """Return a text with a token for each run of masked words; what is only offered is there if it isn't masked.

    Args:
        document: the text and its words.
        mask: whether each word is masked, [words].
        token: of the encoder.
    """
    text = document.document.text
    own = len(document) - document.n_offered
    end = document.spans[own].start if document.n_offered else len(text)
    parts: list[str] = []
    last = 0
    for place in range(own):
        if not mask[place]:
            continue
        span = document.spans[place]
        if not (place and mask[place - 1] and adjoins(document, place)):
            parts += [_marked(text[last : span.start], token), token]
        last = span.end
    parts.append(_marked(text[last:end], token))
    offered = range(own, len(document))
    parts += [f" {document.spans[place].of(text)}" for place in offered if not mask[place]]
    return "".join(parts)


def _marked(text: str, token: str) -> str:
    return _MASKS.sub(lambda _: token, text)


class TransformerAttacker(BiEncoder):
    """Ranks people by the product of their profile's vector and the document's.

    Args:
        people: the background knowledge.
        model: the encoders.
        name: for the user.

    Raises:
        InputError: if the people's vectors are not there yet, and can't be written beside the store.
    """

    def __init__(self, people: People, model: EncoderPair, name: str) -> None:
        self.name = name

        def encode(profiles: Sequence[Person]) -> NDArray[np.float32]:
            return model.profile_vectors([table_of(person) for person in profiles])

        def variants(document: TokenizedDocument) -> EncodeVariants:
            return lambda masks: model.text_vectors(
                [masked_text(document, mask, model.mask) for mask in masks]
            )

        self._open(people, model, encode, variants)
