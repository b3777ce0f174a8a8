"""Unlabelled text of the domain, labelled by the teacher.

The larger model reads unannotated judgments and articles; the small one learns from its
probabilities, not only from its labels (distillation; the silver corpus of
``explicit_risk_measures``, section 3.1, made with a model instead of a gazetteer).
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray
from torch.nn import functional

from tacenda.detect.windows import windows
from tacenda.models.encoding import TextEncoder

from .corpus import texts_by_name
from .examples import Example
from .networks import Recognizer
from .recognizer_batches import TrainingWindow, collate
from .trainer import default_device, mixed_precision

_PARAGRAPH_NUMBER = re.compile(r"^\s*(?:\d{1,3}|[IVX]{1,5}|[A-Z])\.\s+", re.MULTILINE)
_FACTS = re.compile(r"^\s*PROCEDURE\s*$", re.MULTILINE)
_LAW = re.compile(r"^.{0,6}(?:THE LAW|RELEVANT DOMESTIC LAW)", re.MULTILINE)


def facts_of_judgments(
    path: Path, exclude: Collection[str], characters: int = 6000
) -> Iterator[tuple[str, str]]:
    """Yield id and text of procedure and facts of full judgments, laid out as TAB's documents are.

    Args:
        path: gzip JSON, ``{doc_id: text}``.
        exclude: documents to leave out, such as those of a development split.
        characters: how much of each judgment is used.
    """
    for doc_id, text in texts_by_name(path).items():
        begin, end = _FACTS.search(text), _LAW.search(text)
        if doc_id in exclude or not begin or not end or end.start() <= begin.start():
            continue
        facts = _PARAGRAPH_NUMBER.sub("", text[begin.start() : end.start()])
        facts = "\n\n".join(line.strip() for line in facts.splitlines() if line.strip())
        yield doc_id, facts[:characters]


def beginnings(
    path: Path, include: Collection[str], characters: int = 2500
) -> Iterator[tuple[str, str]]:
    """Yield id and text of the beginnings of the article bodies named in ``include``."""
    for doc_id, text in texts_by_name(path).items():
        if doc_id in include:
            yield doc_id, text.strip()[:characters]


def distill(
    teacher: Recognizer,
    examples: Sequence[Example],
    encoder: TextEncoder,
    share: float = 1.0,
    window: int = 382,
    overlap: int = 96,
    batch_size: int = 8,
) -> list[Example]:
    """Return the examples with ``share`` of their targets from the teacher, the rest as they were.

    Where a corpus says nothing about masking, or about types, only the teacher counts.
    """
    device = default_device()
    teacher.to(device).eval()
    answers = [(np.zeros_like(example.types), np.zeros_like(example.masks)) for example in examples]
    items = [
        (index, TrainingWindow(example, part, example.encoding.shapes[part.start : part.end]))
        for index, example in enumerate(examples)
        for part in windows(len(example.encoding), window, overlap)
    ]
    items.sort(key=lambda item: len(item[1]))
    for begin in range(0, len(items), batch_size):
        batch = items[begin : begin + batch_size]
        inputs = [part.to(device) for part in collate([item for _, item in batch], encoder)]
        with torch.inference_mode(), mixed_precision(device):
            logits = teacher(*inputs)
        types, masks = (functional.softmax(part.float(), dim=-1).cpu().numpy() for part in logits)
        for row, (index, item) in enumerate(batch):
            part = item.window
            inner = slice(1 + part.keep_start - part.start, 1 + part.keep_end - part.start)
            answers[index][0][part.keep_start : part.keep_end] = types[row, inner]
            answers[index][1][part.keep_start : part.keep_end] = masks[row, inner]
    teacher.cpu()

    def mixed(
        own: NDArray[np.float32], answer: NDArray[np.float32], known: NDArray[np.float32]
    ) -> NDArray[np.float32]:
        part = np.where(known > 0, share, 1.0)[:, None]
        return (part * answer + (1 - part) * own).astype(np.float32)

    return [
        replace(
            example,
            types=mixed(example.types, types, example.type_known),
            masks=mixed(example.masks, masks, example.mask_known),
            mask_known=np.ones_like(example.mask_known),
            type_known=np.ones_like(example.type_known),
        )
        for example, (types, masks) in zip(examples, answers, strict=True)
    ]
