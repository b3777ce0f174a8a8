"""The composition of the stages: text in, sanitized text with its record out."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import Protocol

from .alignment import to_original
from .decide import decide, policy_mentions
from .detect.merge import merge
from .detect.patterns import PatternDetector
from .document import Decision, Document, Leak, Mention, Replacement, Sanitized
from .errors import PolicyError
from .link import link, propagate
from .policy import Policy
from .rewrite import offer, rewrite
from .risk import assess, risk_summary
from .verify import find_leaks

# A leak that is masked can show another one, by joining what stood beside it; rarely twice.
_ROUNDS = 4


class Detector(Protocol):
    """Text to mentions; many documents at once so that a model can fill its batches."""

    def detect(self, documents: Sequence[Document]) -> list[tuple[Mention, ...]]:
        """Return the mentions of each document."""
        ...


class Sanitizer:
    """Sanitizes documents under one policy.

    Args:
        policy: what the user wants.
        recognizer: finds mentions and their risk; None where the policy does without it.
        threshold: the recognizer's default masking threshold, used where the policy has none.
    """

    def __init__(self, policy: Policy, recognizer: Detector | None, threshold: float) -> None:
        self.policy = policy
        self._recognizer = recognizer
        self._threshold = threshold
        self._patterns = PatternDetector() if policy.patterns else None

    def sanitize(self, text: str, target: str | Sequence[str] = (), id: str = "text") -> Sanitized:
        """Return the sanitized text and what was done to it.

        Args:
            text: the original.
            target: names of the person to protect; those names are direct identifiers.
            id: name of the document in the record.
        """
        names = (target,) if isinstance(target, str) else tuple(target)
        return self._all([Document(id, text, names)])[0]

    def pipe(self, texts: Iterable[str | Document], batch_size: int = 32) -> Iterator[Sanitized]:
        """Yield a result for each text, in order, reading ``batch_size`` of them at a time.

        Raises:
            ValueError: if ``batch_size`` is below 1.
        """
        if batch_size < 1:
            raise ValueError(f"batch_size is {batch_size!r}; at least 1 is needed.")
        documents = (
            text if isinstance(text, Document) else Document(f"text-{number}", text)
            for number, text in enumerate(texts, start=1)
        )
        while batch := list(islice(documents, batch_size)):
            yield from self._all(batch)

    def _all(self, documents: Sequence[Document]) -> list[Sanitized]:
        if self._recognizer is None:
            recognized: list[tuple[Mention, ...]] = [() for _ in documents]
        else:
            recognized = self._recognizer.detect(documents)
        return [
            self._one(document, mentions)
            for document, mentions in zip(documents, recognized, strict=True)
        ]

    def _one(self, document: Document, recognized: tuple[Mention, ...]) -> Sanitized:
        found = [*recognized, *policy_mentions(document, self.policy)]
        if self._patterns is not None:
            found += self._patterns.detect(document.text)
        mentions = merge(document.text, found)
        if self.policy.propagate:
            mentions = merge(document.text, [*mentions, *propagate(document, mentions)])
        for _ in range(_ROUNDS):
            entities = link(document, mentions)
            assessments = assess(document, entities, self.policy)
            decided = decide(document, assessments, self.policy, self._threshold)
            decisions = offer(document, decided, self.policy)
            text, replacements = rewrite(document, decisions, self.policy)
            leaks = find_leaks(document, decisions, text, replacements)
            if not leaks:
                break
            mentions = merge(document.text, [*mentions, *_leaked(decisions, leaks, replacements)])
        return Sanitized(
            document=document,
            text=text,
            entities=entities,
            decisions=decisions,
            replacements=replacements,
            leaks=leaks,
            risk=risk_summary(decisions, leaks),
        )


def _leaked(
    decisions: Sequence[Decision], leaks: Sequence[Leak], replacements: Sequence[Replacement]
) -> Iterator[Mention]:
    """Yield a mention for each leak, as risky as the entity that leaked."""
    by_id = {decision.entity.id: decision for decision in decisions}
    for leak in leaks:
        decision = by_id[leak.entity_id]
        certain = max(decision.entity.mentions, key=lambda mention: mention.masking)
        yield Mention(
            span=to_original(leak.output_start, leak.output_end, replacements),
            type=decision.entity.type,
            masking=max(certain.masking, decision.risk),
            direct=certain.direct,
            source="propagation",
            kind="leak",
        )


def load(
    policy: Policy | str | Path = "default",
    *,
    model: str | Path | None = None,
    threads: int | None = None,
) -> Sanitizer:
    """Return a sanitizer with the embedded English recognizer; no network, no torch.

    Args:
        policy: a ``Policy``, the name of a shipped one, or the path of a YAML file.
        model: name of a shipped recognizer, or a folder with one; the default one if None.
        threads: how many cores to use; all that this process may use if None.

    Raises:
        PolicyError: if the policy can't be used.
        ModelError: if the weights are missing or damaged.
    """
    chosen = policy if isinstance(policy, Policy) else Policy.load(policy)
    if not chosen.recognizer:
        if chosen.threshold is None:
            raise PolicyError("recognizer: false leaves no default threshold; set `threshold:`.")
        return Sanitizer(chosen, None, chosen.threshold)
    from .detect.neural import NeuralDetector
    from .models.recognizer import RecognizerModel
    from .models.store import DEFAULT

    loaded = RecognizerModel.load(DEFAULT if model is None else model)
    return Sanitizer(
        chosen, NeuralDetector(loaded, _cores() if threads is None else threads), loaded.threshold
    )


def _cores() -> int:
    """Return how many cores this process may use; not every system tells."""
    affinity = getattr(os, "sched_getaffinity", None)
    return len(affinity(0)) if affinity else os.cpu_count() or 1
