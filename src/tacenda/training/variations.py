"""Documents that differ from epoch to epoch: other people, other texts.

What is seen again and again teaches a network that document; what is the same but for the people,
or newly made, teaches it the rule.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable, Sequence
from pathlib import Path
from random import Random

from ..models.encoding import TextEncoder
from .examples import MASKS, Example, Marked, example
from .swap import swap
from .variety.generate import generate
from .variety.sample import Sample

SWAPPED = 0.3
GENERATED = 400


class Variations:
    """What differs from epoch to epoch.

    Args:
        judgments: TAB standoff JSON that the judgments to be varied are in.
        encoder: makes the subwords.
        data: a folder with longer lists of words (see ``load_words``).
    """

    def __init__(self, judgments: Path, encoder: TextEncoder, data: Path | None = None) -> None:
        self._data = data
        self._encoder = encoder
        loaded = json.loads(judgments.read_text(encoding="utf-8"))
        self._judgments = {item["doc_id"]: item for item in loaded}

    def judgments(self, examples: Sequence[Example], epoch: int) -> list[Example]:
        """Return the judgments, a share of them with other people, drawn anew each epoch."""
        return [
            self._swapped(each.doc_id, draw) if draw.random() < SWAPPED else each
            for each in examples
            for draw in (Random(f"{epoch}:{each.doc_id}"),)
        ]

    def _swapped(self, doc_id: str, random: Random) -> Example:
        """Return a judgment with other people, the same ones for all of its annotators."""
        source = self._judgments[doc_id]
        mentions = [
            (m["start_offset"], m["end_offset"], m["entity_type"], f"{m['identifier_type']}:{who}")
            for who, annotation in enumerate(source["annotations"].values())
            for m in annotation["entity_mentions"]
        ]
        text, moved = swap(source["text"], mentions, random, self._data)
        by_annotator: dict[str, list[Marked]] = defaultdict(list)
        for start, end, type, mark in moved:
            identifier, _, who = mark.partition(":")
            by_annotator[who].append(Marked(start, end, type, MASKS[identifier]))
        annotations = [by_annotator[str(who)] for who in range(len(source["annotations"]))]
        return example(doc_id, text, annotations, self._encoder, "judgment")

    def new(self, epoch: int, number: int = GENERATED) -> list[Example]:
        """Return ``number`` generated documents of many kinds."""
        samples = generate(100 + epoch, number, self._data)
        return labelled(samples, self._encoder, f"generated-{epoch}")


def labelled(samples: Iterable[Sample], encoder: TextEncoder, name: str) -> list[Example]:
    """Return generated documents as examples, called ``name`` and a number."""
    return [
        example(
            f"{name}-{index}",
            sample.text,
            [[Marked(s, e, type, MASKS[mask]) for s, e, type, mask in sample.mentions]],
            encoder,
            "variety",
        )
        for index, sample in enumerate(samples)
    ]
