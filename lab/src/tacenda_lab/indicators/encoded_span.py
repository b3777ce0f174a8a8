"""Span classification by a fine-tuned encoder (``privacy_risk_indicators``, section 5.2).

The encoder reads an entity as two texts: its semantic type with its string, and the words around a
mention. The entity's probability is the mean over its first mentions. `tacenda lab train span` fits
it; the light classifier of the same name is in ``span.py``.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from tacenda.document import Document, Entity, Evidence, IdentifierType, Mention
from tacenda.errors import MissingExtraError, ModelError
from tacenda.models.checkpoint import load_pretrained, position_limit, torch_device
from tacenda.models.store import read_model
from tacenda.risk.indicators import Finding

from .span import SPAN

MENTIONS: Final = 3
"""Mentions of an entity that are read: the first ones."""
_AROUND: Final = 400
"""Code points on each side of a mention; what the encoder has no room for is cut from the end."""
_BATCH: Final = 32


def span_texts(document: Document, entity: Entity) -> Iterator[tuple[str, str]]:
    """Yield the two texts of each mention that is read: type with string, and context."""
    for mention in entity.mentions[:MENTIONS]:
        yield f"{entity.type}: {mention.span.of(document.text)}", _context(document, mention)


def _context(document: Document, mention: Mention) -> str:
    text, span = document.text, mention.span
    return text[max(0, span.start - _AROUND) : span.end + _AROUND]


def span_inputs(tokenizer: Any, texts: Sequence[tuple[str, str]], limit: int) -> Any:
    """Return the encoder's inputs for pairs of texts, padded to the longest pair."""
    clean = [
        tuple(part.encode("utf-8", "replace").decode("utf-8") for part in pair) for pair in texts
    ]
    names, contexts = (list(column) for column in zip(*clean, strict=True))
    return tokenizer(
        names, contexts, truncation=True, max_length=limit, padding=True, return_tensors="pt"
    )


class EncodedSpanClassifier:
    """Indicator of entities by an encoder that reads them in context.

    Args:
        folder: folder of `tacenda lab train span`.

    Raises:
        MissingExtraError: transformers or torch is not installed.
        ModelError: if it is damaged or isn't a classifier with two classes.
    """

    def __init__(self, folder: Path) -> None:
        read_model(folder).verify()
        try:
            import torch
            import transformers
        except ImportError as error:
            raise MissingExtraError(f"{SPAN}:{folder}", "hf") from error
        model = load_pretrained(str(folder), "AutoModelForSequenceClassification")
        if model.config.num_labels != 2:
            raise ModelError(f"{folder} has {model.config.num_labels} classes; two are needed.")
        self._torch = torch
        self._device = torch_device()
        self._model = model.to(self._device)
        self._tokenizer = transformers.AutoTokenizer.from_pretrained(
            str(folder), local_files_only=True
        )
        self._limit = position_limit(model.config, self._tokenizer.model_max_length)

    def judge(self, document: Document, entities: Sequence[Entity]) -> list[Finding | None]:
        """Return a finding for each entity."""
        texts = [list(span_texts(document, entity)) for entity in entities]
        values = iter(self.chances([pair for group in texts for pair in group]).tolist())
        means = [sum(next(values) for _ in group) / len(group) for group in texts]
        return [_finding(round(value, 4)) for value in means]

    def chances(self, texts: Sequence[tuple[str, str]]) -> NDArray[np.float64]:
        """Return the probability that the entity of each pair of texts must be masked."""
        torch, parts = self._torch, []
        for begin in range(0, len(texts), _BATCH):
            batch = texts[begin : begin + _BATCH]
            inputs = span_inputs(self._tokenizer, batch, self._limit).to(self._device)
            with torch.inference_mode():
                logits = self._model(**inputs).logits
            parts.append(torch.softmax(logits.float(), dim=-1)[:, 1].cpu().numpy())
        return np.concatenate(parts).astype(np.float64) if parts else np.zeros(0)


def _finding(value: float) -> Finding:
    statement = (
        f"Its type, its words and their context give {value:.2f} that this must be masked (span classifier, by "
        "an encoder)."
    )
    identifier = IdentifierType.QUASI if value >= 0.5 else IdentifierType.NO_MASK
    return Finding(Evidence(SPAN, value, statement), identifier)
