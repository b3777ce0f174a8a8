"""Ways to mask a document, and what attackers make of the result (Morris et al. 2022, section 6).

Baselines: *lexical* (words in the profile), *named entities*, *IDF* (the rarest words, down to a
threshold), *IDF with the profile first*. Each returns a mask per word, [words].
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

import numpy as np
from numpy.typing import NDArray

from tacenda.background.profiles import Person, terms
from tacenda.document import Document, Mention, Span
from tacenda.evaluate.matching import CLOSED_CLASS
from tacenda.evaluate.metrics import compressed_size, redacted
from tacenda.reidentify.anonymize.units import masked_spans
from tacenda.reidentify.attackers.base import Attacker, rank_of
from tacenda.reidentify.tokens import STOP_WORDS, TokenizedDocument, read_words

from ..baselines.tools import SpacyPipeline
from ..train.frequencies import Frequencies
from ..train.pairs import read_pairs

if TYPE_CHECKING:
    from matplotlib.figure import Figure

THRESHOLDS: Final = (7, 6, 5, 4.5, 4, 3.5, 3, 2.5, 2, 1.5, 1, 0.5, 0)
"""Thresholds of the sweep: words with a higher IDF are masked, in nats."""
_MONTHS: Final = frozenset(
    "january february march april may june july august september october november december".split()
)
_NUMBERS: Final = frozenset(
    """one two three four five six seven eight nine ten eleven twelve hundred twenty thirty forty fifty
    sixty seventy eighty ninety""".split()
)
_ORDINAL_ENDS: Final = (
    "first",
    "second",
    "third",
    "fourth",
    "fifth",
    "sixth",
    "seventh",
    "eighth",
    "ninth",
)
CLASSES: Final = ("names", "numbers", "months", "other words", "function words")

Mask = NDArray[np.bool_]


def lexical(document: TokenizedDocument, person: Person) -> Mask:
    """Return the words that also occur in the profile, except stop words."""
    profile = terms(person)
    shared = [key in profile and key not in STOP_WORDS for key in document.keys]
    return np.array(shared, dtype=bool)


def baselines(
    document: TokenizedDocument,
    person: Person,
    frequencies: Frequencies,
    mentions: Sequence[Mention],
) -> dict[tuple[str, float], Mask]:
    """Return the masks of all baselines by method and threshold (0 for methods without one).

    Args:
        document: the document to mask.
        person: the person it is about.
        frequencies: document frequencies of the words.
        mentions: the document's named entities.
    """
    shared = lexical(document, person)
    found = {
        ("no redaction", 0.0): document.unmasked(),
        ("lexical", 0.0): shared,
        ("named entities", 0.0): document.masked([mention.span for mention in mentions]),
    }
    idf = frequencies.idf(document)
    for threshold in THRESHOLDS:
        found["IDF", threshold] = idf > threshold
        found["IDF, profile first", threshold] = shared | (idf > threshold)
    return found


# The same masks one document at a time, for any file of pairs.


THRESHOLD: Final = 4.0
"""Words with a higher IDF are masked, in nats, if no other is given."""


def texts_of(pairs: Path) -> Iterator[Document]:
    """Yield the texts in a file of pairs.

    Raises:
        InputError: the file can't be read.
    """
    for pair in read_pairs(pairs):
        if pair.text is not None:
            yield Document(pair.person.id, pair.text)


def profile_masks(
    name: str, pairs: Path, threshold: float = THRESHOLD
) -> Iterator[tuple[Document, tuple[Span, ...]]]:
    """Yield each text in a file of pairs with its masks. The file is read twice, one pair at a time.

    Args:
        name: *lexical*, *idf* or *idf+profile*.
        pairs: the file of pairs.
        threshold: mask words with a higher IDF than this, in nats.

    Raises:
        InputError: the file can't be read.
    """
    frequencies = Frequencies((), ()) if name == "lexical" else Frequencies.of_pairs(pairs)
    for pair in read_pairs(pairs):
        if pair.text is None:
            continue
        document = read_words(Document(pair.person.id, pair.text))
        mask = document.unmasked()
        if name != "idf":
            mask |= lexical(document, pair.person)
        if name != "lexical":
            mask |= frequencies.idf(document) > threshold
        yield document.document, masked_spans(document, mask)


def information_loss(document: TokenizedDocument, mask: Mask) -> float:
    """Return the share of information that the mask removes, measured by a compressor (section 6)."""
    text = document.document.text
    return 1 - compressed_size(redacted(text, masked_spans(document, mask))) / compressed_size(text)


def word_classes(document: TokenizedDocument) -> list[str]:
    """Return the class of each word, from lists and spelling without a tagger."""
    text = document.document.text
    return [
        _class_of(key, span.of(text))
        for key, span in zip(document.keys, document.spans, strict=True)
    ]


def parts_of_speech(documents: Iterable[TokenizedDocument], model: str) -> list[list[str]] | None:
    """Return the Universal Dependencies part of speech of each word per document, or None if the pipeline doesn't tag them.

    Args:
        documents: the texts.
        model: name of an installed spaCy pipeline, or its folder.

    Raises:
        MissingExtraError: spaCy is not installed.
        ModelError: there is no such pipeline.
        InputError: a text is longer than its limit.
    """
    pipeline = SpacyPipeline(model)
    tags = []
    for document in documents:
        pipeline.check(document.document)
        parsed = pipeline.nlp(document.document.text)
        if not parsed.has_annotation("POS"):
            return None
        tags.append(
            [
                parsed.char_span(span.start, span.end, alignment_mode="expand").root.pos_
                for span in document.spans
            ]
        )
    return tags


def _class_of(key: str, string: str) -> str:
    if key in CLOSED_CLASS or key in STOP_WORDS:
        return "function words"
    if key in _MONTHS and string[:1].isupper():
        return "months"
    if any(map(str.isdigit, key)) or key in _NUMBERS or key.endswith(_ORDINAL_ENDS):
        return "numbers"
    if key.endswith(("teenth", "tieth")):
        return "numbers"
    return "names" if string[:1].isupper() else "other words"


# Summaries: points on a curve, and the settings that reach a level.


LEVELS: Final = (0.25, 0.05, 0.01)
"""Re-identification rates below which Table 2 looks for the setting that masks least."""
_K: Final = 8.0
"""K of the search in Figure 4."""


@dataclass(frozen=True, slots=True)
class RedactionRow:
    """A masked document: ranks by attacker, share of words masked, information lost, and (masked, all) by word class."""

    ranks: Mapping[str, int]
    masked: float
    loss: float
    classes: Mapping[str, tuple[int, int]]


@dataclass(frozen=True, slots=True)
class RedactionPoint:
    """A method with one setting, over all documents."""

    setting: float
    found: float
    masked: float
    loss: float


Found = Mapping[tuple[str, float], Sequence[RedactionRow]]
"""Outcome of each document, by method and setting."""


def row_of(
    document: TokenizedDocument,
    mask: Mask,
    ranks: Mapping[str, int],
    classes: Sequence[str] | None = None,
) -> RedactionRow:
    """Return what happens to a document under a mask.

    Args:
        document: the document before masking.
        mask: whether each word is masked.
        ranks: the rank of its person, by attacker.
        classes: the class of each word; from lists and spelling if None.
    """
    names = np.array(word_classes(document) if classes is None else classes)
    counts = {
        str(name): (int(mask[names == name].sum()), int((names == name).sum()))
        for name in np.unique(names)
    }
    return RedactionRow(ranks, float(mask.mean()), information_loss(document, mask), counts)


def all_ranks(
    attackers: Sequence[Attacker], document: TokenizedDocument, masks: Sequence[Mask], person: int
) -> list[dict[str, int]]:
    """Return the person's rank with each attacker, for each mask of a document."""
    ranks: list[dict[str, int]] = [{} for _ in masks]
    for attacker in attackers:
        for place, scores in enumerate(attacker.scores(document, np.array(masks))):
            ranks[place][attacker.name] = rank_of(scores, person)
    return ranks


def pareto(found: Found, guide: str) -> dict[str, list[RedactionPoint]]:
    """Return the points of each method, judged by all attackers except the search's guide."""
    curves: dict[str, list[RedactionPoint]] = {}
    for (method, setting), rows in found.items():
        if method.startswith("search") and method != f"search, {guide}":
            continue
        hits = sum(_judged(row, guide) for row in rows)
        n = len(rows)
        point = RedactionPoint(
            setting, hits / n, sum(r.masked for r in rows) / n, sum(r.loss for r in rows) / n
        )
        curves.setdefault(method, []).append(point)
    return curves


def _judged(row: RedactionRow, guide: str) -> bool:
    return any(rank == 1 for name, rank in row.ranks.items() if name != guide)


def by_level(curves: Mapping[str, Sequence[RedactionPoint]]) -> list[tuple[str, ...]]:
    """Return Table 2: the fixed methods, then for each level the setting that masks least below it."""
    rows: list[tuple[str, ...]] = [
        ("method", "setting", "ensemble ReID", "% masked", "info. loss %")
    ]
    rows += [_cells(name, curves[name][0]) for name in curves if len(curves[name]) == 1]
    for level in LEVELS:
        rows.append((f"**< {level:.0%}**", "", "", "", ""))
        for name, points in curves.items():
            below = [point for point in points if point.found < level]
            if len(points) > 1 and below:
                rows.append(_cells(name, min(below, key=lambda point: point.masked)))
            elif len(points) > 1:
                rows.append((name, "none", "", "", ""))
    return rows


def _cells(name: str, point: RedactionPoint) -> tuple[str, ...]:
    figures = (point.found, point.masked, point.loss)
    setting = f"{point.setting:g}" if point.setting else ""
    return (name, setting, *(f"{100 * figure:.1f}" for figure in figures))


def by_class(
    curves: Mapping[str, Sequence[RedactionPoint]],
    found: Found,
    search: str,
    classes: Sequence[str] = CLASSES,
) -> list[tuple[str, list[float]]]:
    """Return Figure 4: the percentage of each word class that a search and IDF mask, at one level.

    IDF uses the threshold that masks about as much as the search named here, as in the curves.
    """
    goal = next(point.masked for point in curves[search] if point.setting == _K)
    level = min(curves["IDF"], key=lambda point: abs(point.masked - goal)).setting
    named = {f"{search}, K = {_K:g}": (search, _K), f"IDF > {level:g}": ("IDF", level)}
    return [
        (name, [_share(found[method], each) for each in classes]) for name, method in named.items()
    ]


def _share(rows: Sequence[RedactionRow], name: str) -> float:
    counts = [row.classes.get(name, (0, 0)) for row in rows]
    return 100 * sum(masked for masked, _ in counts) / max(sum(n for _, n in counts), 1)


# Figures 2 to 4: curves, ranks, and masked words by class.


_SEARCH_COLOUR: Final = "#b4552d"
COLOURS: Final = {
    "Algorithm 1": _SEARCH_COLOUR,
    "our search": "#7a4f9a",
    "search": _SEARCH_COLOUR,
    "IDF": "#2f6f8f",
    "IDF, profile first": "#d9a441",
}


def curves_figure(curves: Mapping[str, Sequence[RedactionPoint]]) -> Figure:
    """Draw Figure 2 for a search guided by one attacker and judged by the others."""
    from ..evaluation.plots import FONT_SIZE, INK, blank

    figure, (axes,) = blank(3.5, 3.0)
    for name, points in curves.items():
        places = [(100 * point.masked, 100 * point.found) for point in points]
        colour = COLOURS.get(name) or COLOURS.get(name.partition(",")[0], INK)
        if len(points) == 1:
            axes.plot(*places[0], "o", color=colour, markersize=4)
            axes.annotate(
                name, places[0], (4, 4), textcoords="offset points", fontsize=6, color=INK
            )
        else:
            places.sort()
            axes.plot(*zip(*places, strict=True), "-o", color=colour, markersize=2.5, label=name)
    axes.set_xlabel("% of words masked", fontsize=FONT_SIZE, color=INK)
    axes.set_ylabel("% re-identified", fontsize=FONT_SIZE, color=INK)
    axes.grid(color="#e4e7ea", linewidth=0.6)
    axes.legend(fontsize=6, frameon=False, labelcolor=INK)
    return figure


def classes_figure(rows: Mapping[str, Sequence[float]], classes: Sequence[str] = CLASSES) -> Figure:
    """Draw Figure 4: the percentage of each word class that each method masks."""
    from ..evaluation.plots import FONT_SIZE, INK, blank

    figure, (axes,) = blank(3.5, 3.0)
    for number, (method, shares) in enumerate(rows.items()):
        heights = [place - 0.2 + 0.4 * number for place in range(len(classes))]
        colour = COLOURS["IDF"] if method.startswith("IDF") else _SEARCH_COLOUR
        axes.barh(heights, shares, height=0.36, color=colour, label=method)
    axes.set_yticks(range(len(classes)), classes)
    axes.invert_yaxis()
    axes.set_xlabel("% of the words of a class that are masked", fontsize=FONT_SIZE, color=INK)
    axes.legend(fontsize=6, frameon=False, labelcolor=INK, loc="best")
    return figure


def ranks_figure(rows: Sequence[RedactionRow], guide: str, others: Sequence[str]) -> Figure:
    """Draw Figure 3: the right person's rank with each other attacker against the rank with the guide."""
    from matplotlib.ticker import FuncFormatter, NullFormatter, NullLocator

    from ..evaluation.plots import FONT_SIZE, INK, blank

    figure, axes = blank(2.6 * len(others) + 0.2, 2.8, columns=len(others))
    most = max(rank for row in rows for rank in row.ranks.values())
    for one, name in zip(axes, others, strict=True):
        one.scatter(
            [row.ranks[guide] for row in rows],
            [row.ranks[name] for row in rows],
            s=8,
            color=INK,
            alpha=0.5,
        )
        one.set_xscale("log")
        one.set_yscale("log")
        for axis in (one.xaxis, one.yaxis):
            axis.set_major_formatter(FuncFormatter(lambda rank, _: f"{rank:,.0f}"))
            axis.set_minor_formatter(NullFormatter())
            axis.set_minor_locator(NullLocator())
        # Leave a margin on both sides so that the last decade's label isn't cut off.
        one.set_xlim(0.7, 1.5 * most)
        one.set_ylim(0.7, 1.5 * most)
        one.set_ylabel(f"rank by {name}", fontsize=FONT_SIZE - 1, color=INK, wrap=True)
        one.grid(color="#e4e7ea", linewidth=0.6)
    figure.supxlabel(f"rank by {guide}, which guided the search", fontsize=FONT_SIZE, color=INK)
    return figure
