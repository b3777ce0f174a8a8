"""A document under a mask as an encoder of transformers reads it."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from tacenda.document import Document, Span
from tacenda.reidentify.attackers.encoder import masked_text
from tacenda.reidentify.tokens import read_words


def masked(text: str, *words: str) -> str:
    """The text with words masked."""
    document = read_words(Document("d", text))
    mask = np.array([span.of(text) in words for span in document.spans])
    return masked_text(document, mask, "[MASK]")


def test_neighbours_are_one_mask() -> None:
    """As in a release; a sentence's end parts them."""
    assert masked("Anna Berg, of Oslo. Oslo!", "Anna", "Berg") == "[MASK], of Oslo. Oslo!"
    assert masked("in Oslo! Oslo rains", "Oslo") == "in [MASK]! [MASK] rains"
    assert masked("Anna", "Anna") == "[MASK]"
    assert masked("Anna Berg") == "Anna Berg"


def test_masks_of_a_release_are_masks() -> None:
    """A mask and a label read as what the search saw when it chose them."""
    assert masked("*** of [PERSON 1] \\1 left") == "[MASK] of [MASK] \\1 left"
    assert masked("Anna Berg left Oslo", "Anna", "Berg") == masked("*** left Oslo")


def test_what_is_offered_is_there_unless_it_is_masked() -> None:
    """Words at the end that are not of the text: read if they are written, and leave no mask if not."""
    text = "Anna left Oslo\nNorway Europe"
    document = replace(read_words(Document("d", text)), n_offered=2)
    assert document.spans[3] == Span(15, 21)
    mask = np.array([False, False, True, True, False])
    assert masked_text(document, mask, "[MASK]") == "Anna left [MASK]\n Europe"
