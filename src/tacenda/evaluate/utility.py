"""Utility: what a reader can still do with sanitized texts, as one figure and its parts.

    facts           share of the information of the original's statements that can be read off the
                    sanitized text (``facts.py``)
    topics          similarity of the content words, weighted by count and information
    classification  probability that classifiers trained on other texts still say of it what they
                    say of the original (``models/topics.py``)
    utility         their mean

All are in [0, 1]: 1 for the original, 0 for a text of which nothing is left. Masking more never
raises any of them. They are means over documents with 95 % intervals (bootstrap over documents). A
document's figures don't depend on other documents.

Classification is by evidence: the share left of what speaks for the predicted label, turned into a
probability that the label stays. How often it stays in fact is *agreement*, beside it for each
classifier, and *accuracy* is measured against true labels where there are some; masks can by chance
raise both. A classifier that does not apply to a text is not asked: one whose label for the original has
a probability below one half, and *occupation* for texts other than biographies.

The similarity is √(Σ min(u, v)² / Σ max(u, v)²) of two texts with the weights u, v of their words,
(1 + ln n) · −log p(word) for a word that occurs n times (Salton and Buckley, 1988). If words are
only kept or left out, this is the cosine; unlike the cosine, it falls with every word left out. If
something true but less specific was written for a word, the word counts with the share of it that
is kept, as in ``facts.py``: a drummer who became a musician is still about music. Below one
occurrence, the weight is n · −log p(word). True replacements add nothing; anything else that is
written counts as a word from another topic.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import log, sqrt
from typing import Any, Final

from .._version import __version__
from ..errors import InputError
from ..models.topics import Classifier, load_classifiers
from .facts import ReadRelease, facts_kept, read_release
from .metrics import DocumentStatistics, Interval, Share, Tally, intervals, total
from .releases import Release

UTILITY: Final = "utility"
PARTS: Final = ("facts", "topics", "classification")
RESAMPLES: Final = 1000
_SURE: Final = 0.5
"""Probability from which a label counts as the class of a text."""
_AGREEMENT: Final = "agreement_"
_BEFORE: Final = "accuracy_original"
_AFTER: Final = "accuracy_sanitized"


@dataclass(frozen=True, slots=True)
class Estimate:
    """A mean over documents and its 95 % interval.

    Attributes:
        value: in [0, 1]; None if there is no document to measure it on.
        interval: None if the value is None.
        documents: number of documents averaged.
    """

    value: float | None
    interval: Interval | None
    documents: int


@dataclass(frozen=True, slots=True)
class Utility:
    """The utility of a release, and its parts.

    Attributes:
        figures: ``utility``, its parts, ``agreement_NAME`` for each classifier and, with labels,
            ``accuracy_original`` and ``accuracy_sanitized``.
        by_document: the utility of each document; None if its original has no content words.
        notes: what the reader must know, in sentences.
        resamples: number of bootstrap resamples.
        seed: random seed of the bootstrap.
    """

    figures: Mapping[str, Estimate]
    by_document: Mapping[str, float | None]
    notes: tuple[str, ...]
    resamples: int
    seed: int

    @property
    def value(self) -> float | None:
        """The utility, in [0, 1]; None if no document has content words."""
        return self.figures[UTILITY].value

    @property
    def signature(self) -> str:
        """A signature of how the figures were computed."""
        classifiers = "+".join(classifier.name for classifier in load_classifiers())
        return (
            f"utility:{'+'.join(PARTS)}|docs:{len(self.by_document)}|classifiers:{classifiers}"
            f"|bootstrap:{self.resamples}|seed:{self.seed}|v:{__version__}"
        )

    def as_json(self) -> dict[str, Any]:
        """Return a form for JSON; stable."""
        return {
            "figures": {
                name: {
                    "value": estimate.value,
                    "interval": estimate.interval and list(estimate.interval),
                    "documents": estimate.documents,
                }
                for name, estimate in self.figures.items()
            },
            "documents": dict(self.by_document),
            "notes": list(self.notes),
            "signature": self.signature,
        }


def measure_utility(
    releases: Sequence[Release], resamples: int = RESAMPLES, seed: int = 0
) -> Utility:
    """Measure what a reader can still do with released texts.

    Args:
        releases: at least one, with distinct ids.
        resamples: number of bootstrap resamples, at least 1.
        seed: random seed of the bootstrap.

    Raises:
        InputError: if there is no document, or an id is used twice.
        ModelError: if the shipped classifiers or the ontology are missing or damaged.
    """
    if not releases:
        raise InputError("no documents to measure utility on")
    ids = Counter(release.id for release in releases)
    if repeated := [id for id, n in ids.items() if n > 1]:
        raise InputError("occurs twice; document ids must be unique", repeated[0])
    classifiers = load_classifiers()
    statistics = tuple(_statistics(release, classifiers) for release in releases)
    names = (
        UTILITY,
        *PARTS,
        *(_AGREEMENT + classifier.name for classifier in classifiers),
        *((_BEFORE, _AFTER) if any(release.label for release in releases) else ()),
    )
    metrics = [Share(name, (name,)) for name in names]
    sums, bounds = total(statistics), intervals(statistics, metrics, resamples, seed)
    figures = {
        metric.name: Estimate(metric.score(sums), bounds.get(metric.name), int(metric.total(sums)))
        for metric in metrics
    }
    by_document = {
        each.document: each.tallies[UTILITY].hits if UTILITY in each.tallies else None
        for each in statistics
    }
    notes = tuple(_notes(releases, by_document, classifiers))
    return Utility(figures, by_document, notes, resamples, seed)


def _statistics(release: Release, classifiers: Sequence[Classifier]) -> DocumentStatistics:
    reading = read_release(release)
    figures: dict[str, float | None] = {
        "facts": facts_kept(reading),
        "topics": topic_similarity(reading),
    }
    if figures["facts"] is not None:
        figures |= _classification(release.label, reading, classifiers)
    parts = [value for name in PARTS if (value := figures.get(name)) is not None]
    if parts:
        figures[UTILITY] = sum(parts) / len(parts)
    return DocumentStatistics(
        release.id,
        {name: Tally(value, 1) for name, value in figures.items() if value is not None},
    )


def topic_similarity(read: ReadRelease) -> float | None:
    """Return the similarity of two texts' words, in [0, 1], or None if the original has none."""
    information = dict(read.written) | {word.key: word.information for word in read.content}
    before = Counter(word.key for word in read.content)
    after: dict[str, float] = defaultdict(float)
    for word in read.content:
        after[word.key] += word.kept
    for key, weight in read.written:
        after[key] += weight > 0

    def square(word: str, n: float) -> float:
        return ((1 + log(n) if n > 1 else n) * information[word]) ** 2

    lower = sum(square(word, min(n, after[word])) for word, n in before.items())
    upper = sum(square(word, max(before[word], after[word])) for word in information)
    return sqrt(lower / upper) if before else None


def _words_left(read: ReadRelease) -> Iterable[str]:
    yield from (word.key for word in read.content if word.kept == 1)
    yield from (word for word, _ in read.written)


def _classification(
    label: str, read: ReadRelease, classifiers: Sequence[Classifier]
) -> dict[str, float | None]:
    before = {word.key for word in read.content}
    after = set(_words_left(read))
    figures: dict[str, float | None] = {}
    stays = []
    kind = ""
    for classifier in classifiers:
        prediction, now = classifier.predict(before), classifier.predict(after)
        if label in classifier.labels:
            figures[_BEFORE] = float(prediction is not None and prediction.label == label)
            figures[_AFTER] = float(now is not None and now.label == label)
        if (
            prediction is None
            or prediction.probability < _SURE
            or classifier.within not in ("", kind)
        ):
            continue
        kind = kind or prediction.label
        evidence = classifier.evidence_left(prediction.label, before, after)
        if evidence is not None:
            stays.append(classifier.agreement(evidence))
            is_same = now is not None and now.label == prediction.label
            figures[_AGREEMENT + classifier.name] = float(is_same)
    if stays:
        figures["classification"] = sum(stays) / len(stays)
    return figures


def _notes(
    releases: Sequence[Release],
    by_document: Mapping[str, float | None],
    classifiers: Sequence[Classifier],
) -> Iterable[str]:
    empty = sum(value is None for value in by_document.values())
    if empty:
        yield f"{empty} document{'s' * (empty > 1)} without content left out"
    labels = {label for classifier in classifiers for label in classifier.labels}
    unknown = sum(bool(release.label) and release.label not in labels for release in releases)
    if unknown:
        yield (
            f"{unknown} document{'s' * (unknown > 1)} with an unknown label; choose one of "
            f"{', '.join(sorted(labels))}"
        )
