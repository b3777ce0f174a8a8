"""Recognition by semantic type: explicit-measures, Table 2, and indicators, section 4.

Recognizers run alone, without patterns. Generic named entities come from a spaCy pipeline; *+
gazetteer* is the labeller of the silver corpus: names, patterns, terms and quantities.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Final

from tacenda.detect.gazetteer import GROUPS
from tacenda.detect.neural import NeuralDetector
from tacenda.document import Document, Mention, MentionSource, SemanticType
from tacenda.evaluate.gold import GoldDocument
from tacenda.models.checkpoint import PREFIX
from tacenda.models.session import cores
from tacenda.models.store import DEFAULT, locate
from tacenda.models.tables import load_terms
from tacenda.models.token_classifier import open_recognizer, semantic_type

from ..baselines.tools import SpacyPipeline
from ..evaluation.typed_tokens import TokenTally, Typed, measure
from ..train.extra import training_extra
from ..train.silver_labels import Labeller, NameDetector
from .tables import Cell, NotHere, ReproducedTable, published_rows
from .workbench import Workbench, fitted

TYPES: Final = ("CODE", "ORG", "PERSON", "DATETIME", "LOC", "QUANTITY", "DEM", "MISC")
"""Semantic types in the order of Table 2."""
RECOGNIZERS: Final[dict[str, str]] = published_rows("explicit-measures", "Table 2")
"""Table 2 of explicit-measures: precision, recall and F1 of each type, on the test split."""


# Systems: each gives the typed mentions of texts.


Ask = Callable[[Sequence[str]], list[list[Typed]]]


class SpacyNames:
    """A detector that maps a spaCy pipeline's named entities to semantic types.

    Args:
        model: the pipeline's name or folder.
    """

    def __init__(self, model: str) -> None:
        self._pipeline = SpacyPipeline(model)

    def detect(self, documents: Sequence[Document]) -> list[tuple[Mention, ...]]:
        """Return each document's entities in text order."""
        return [
            tuple(
                Mention(
                    span, SemanticType(semantic_type(label)), 1.0, 0.0, MentionSource.PLUGIN, label
                )
                for span, label in self._pipeline.entities(document)
            )
            for document in documents
        ]


def recognizer(source: str = DEFAULT) -> NeuralDetector:
    """Open a recognizer of mentions: a shipped one, a folder, or a name in the local cache with ``hf:`` or an organization.

    Raises:
        ModelError: there is none.
    """
    is_cached = "/" in source and not source.startswith(PREFIX) and not Path(source).is_dir()
    model = locate(PREFIX + source if is_cached else source)
    return NeuralDetector(open_recognizer(model), threads=cores())


def open_names(source: str) -> NameDetector:
    """Open a detector of names: a recognizer (see ``recognizer``) or else a spaCy pipeline.

    Raises:
        MissingExtraError: spaCy is not installed.
        ModelError: there is none.
    """
    folder = Path(source)
    is_spacy = (folder / "meta.json").exists() if folder.is_dir() else "/" not in source
    return recognizer(source) if source.startswith(PREFIX) or not is_spacy else SpacyNames(source)


def recognized(names: NameDetector) -> Ask:
    """Return a system that uses a recognizer alone."""

    def ask(texts: Sequence[str]) -> list[list[Typed]]:
        detections = names.detect([Document(str(n), text) for n, text in enumerate(texts)])
        return [
            [(each.span.start, each.span.end, each.type.value) for each in mentions]
            for mentions in detections
        ]

    return ask


def labelled(names: NameDetector) -> Ask:
    """Return the labeller of the silver corpus with this detector of names."""
    labeller = Labeller(names)

    def ask(texts: Sequence[str]) -> list[list[Typed]]:
        return [
            [(span.start, span.end, type.value) for span, type in mentions]
            for mentions in labeller.label(texts)
        ]

    return ask


def mentions_of(
    workbench: Workbench, split: str, source: str = DEFAULT
) -> list[tuple[Mention, ...]]:
    """Return a recognizer's mentions in the documents of a split, computed once."""

    def ask(workbench: Workbench) -> list[tuple[Mention, ...]]:
        return recognizer(source).detect(workbench.documents(split))

    return workbench.once(f"mentions of {split} by {source}", ask)


# explicit-measures, Table 2; indicators, section 4.3.


def by_type(workbench: Workbench) -> ReproducedTable:
    """Return precision, recall and F1 of each semantic type, token by token.

    Raises:
        NotHere: neither split of judgments is there.
    """
    systems, notes = _systems(workbench)
    ours: dict[str, Sequence[Cell]] = {}
    for split in workbench.judged():
        gold = workbench.gold(split)
        texts = [document.text for document in gold]
        for name, ask in systems.items():
            ours[f"{name}, {split}"] = _figures(measure(gold, ask(texts)))
    paper = {name: tuple(map(float, line.split())) for name, line in RECOGNIZERS.items()}
    columns = tuple(f"{type} {figure}" for type in TYPES for figure in ("P", "R", "F1"))
    return ReproducedTable(columns, ours, paper, (*notes, *workbench.about_splits()))


def _systems(workbench: Workbench) -> tuple[dict[str, Ask], list[str]]:
    systems: dict[str, Ask] = {}
    means = workbench.means
    notes = [
        "The shipped recognizer has learned from types and masking decisions of annotators; the paper's has not."
    ]
    if means.spacy_model:
        names = SpacyNames(means.spacy_model)
        systems |= {
            "generic NER": recognized(names),
            "generic NER + gazetteer": labelled(names),
        }
    else:
        notes.append(
            "Generic NER, alone and with the gazetteer: --spacy-model names a pipeline (the paper's is RoBERTa on OntoNotes)."
        )
    try:
        model = require_zero_shot(workbench)
        systems["privacy-enhanced recognizer"] = recognized(recognizer(model))
    except NotHere as error:
        notes.append(f"The recognizer that learned from silver labels: {error}.")
    systems["recognizer as shipped"] = recognized(recognizer())
    return systems, notes


def _figures(tally: TokenTally) -> tuple[float, ...]:
    return tuple(figure for type in TYPES for figure in tally.figures(type))


# indicators, section 4.4 and appendix C: the types that the recognizer gives to the annotators'
# spans.


def label_agreement(workbench: Workbench) -> ReproducedTable:
    """Return how often recognizer and annotators give the same type to a span both mark, and which types they give otherwise.

    Raises:
        NotHere: neither split of judgments is there.
    """
    split = workbench.judged()[-1]
    counts: dict[str, Counter[str]] = {type: Counter() for type in TYPES}
    for document, mentions in zip(
        workbench.gold(split), mentions_of(workbench, split), strict=True
    ):
        found = {mention.span: mention.type.value for mention in mentions}
        for entity in document.entities:
            for mention in entity.mentions:
                if mention.type in counts:
                    counts[mention.type][found.get(mention.span, "no such span")] += 1
    rows: dict[str, Sequence[Cell]] = {}
    for type, types in counts.items():
        both = types.total() - types["no such span"]
        rows[type] = (
            *(types[other] for other in TYPES),
            types["no such span"],
            types[type] / both if both else None,
        )
    return ReproducedTable(
        (*TYPES, "no such span", "same type, of spans that both mark"),
        rows,
        notes=(
            f"Split: {split}. A row is the annotators' type, each annotator counted; a column that of the shipped recognizer. The paper's "
            "figures are not in the text at hand.",
        ),
    )


# indicators, section 4.1 and appendix A: properties of people, and the gazetteer's terms.


def properties(_: Workbench) -> ReproducedTable:
    """Return the number of properties of people behind the gazetteer, and its number of terms."""
    rows = {
        type: [
            sum(cells)
            for cells in zip(*(row for kind, row in _groups() if kind == type), strict=True)
        ]
        for type in ("DEM", "MISC")
    }
    return ReproducedTable(
        ("properties", "groups", "terms as shipped"),
        rows,
        published_rows("explicit-measures", "Section 3.1"),
        (
            "The paper's 240 were picked by hand out of 3,646; our groups leave out what identifies no one. The shipped terms are "
            "from a slice of Wikidata; `tacenda lab build gazetteer` takes a dump.",
        ),
    )


def properties_by_group(_: Workbench) -> ReproducedTable:
    """Return the gazetteer's properties and terms by group."""
    from ..train.gazetteer_sources import PROPERTIES

    terms = load_terms()
    rows: dict[str, Sequence[Cell]] = {}
    for group, type in GROUPS.items():
        ids = ", ".join(each.id for each in PROPERTIES if each.group == group)
        rows[group] = (type.value, ids or None, len(terms.get(group, ())))
    return ReproducedTable(("type", "properties", "terms as shipped"), rows)


def _groups() -> Iterable[tuple[str, tuple[int, int, int]]]:
    from ..train.gazetteer_sources import PROPERTIES

    terms = load_terms()
    for group, type in GROUPS.items():
        n = sum(each.group == group for each in PROPERTIES)
        yield type.value, (n, 1, len(terms.get(group, ())))


# explicit-measures, Table 4; indicators, appendix B.


def training_parameters(workbench: Workbench) -> ReproducedTable:
    """Return the settings for training the recognizer on silver labels.

    Raises:
        MissingExtraError: torch is not installed.
    """
    with training_extra():
        from ..train.zero_shot import SILVER
    ours = {
        "optimizer": "AdamW",
        "learning rate": f"{SILVER.encoder_rate:g}, of the layer on top {SILVER.head_rate:g}",
        "loss": "cross-entropy",
        "layer on top": "linear",
        "epochs": str(SILVER.epochs),
        "full fine-tuning": "yes",
        "GPU": "no",
        "early stopping": "no",
    }
    if workbench.means.encoder is not None:
        ours |= {"learning rate": "2e-5", "epochs": "3", "early stopping": "yes, on a tenth"}
        ours["GPU"] = "yes, if there is one"
    return ReproducedTable(
        ("setting",),
        {name: (value,) for name, value in ours.items()},
        published_rows("explicit-measures", "Table 4"),
        (
            "Ours: `tacenda lab train zero-shot`, of all-MiniLM-L6-v2; with --encoder, that encoder by the paper's settings.",
        ),
    )


# indicators, section 5: what annotators mask.


def identifier_shares(workbench: Workbench) -> ReproducedTable:
    """Return the shares of entities that annotators mask as direct and as quasi identifiers, and leave.

    Raises:
        NotHere: no split is there.
    """
    counts: Counter[str] = Counter()
    for split in workbench.splits():
        for document in workbench.gold(split):
            counts.update(_kinds(document))
    total = counts.total() or 1
    paper = published_rows("indicators", "Section 5")
    return ReproducedTable(
        ("share of entities",),
        {name: (counts[name] / total,) for name in paper},
        paper,
        (
            f"{counts.total():,} entities of {', '.join(workbench.splits())}, those of each annotator.",
        ),
    )


def _kinds(document: GoldDocument) -> Iterable[str]:
    for entity in document.entities:
        if not entity.needs_masking:
            yield "left"
        else:
            yield "direct" if entity.is_direct else "quasi"


def require_zero_shot(workbench: Workbench) -> str:
    """Return the recognizer trained without annotations: the user's, or the user's encoder fitted to silver labels.

    Raises:
        NotHere: the user named none, and there are no silver labels.
        MissingExtraError: what fitting needs is not installed.
        ModelError: there is no such encoder.
    """
    if workbench.means.zero_shot is not None:
        return workbench.means.zero_shot
    if workbench.means.encoder is None or not workbench.has("silver"):
        raise NotHere(
            "--zero-shot names a recognizer that has seen no annotation; `tacenda lab train zero-shot` makes one, and so does "
            "--encoder with silver.json in --data"
        )
    return str(workbench.once("zero-shot recognizer", fitted_zero_shot))


def fine_tuned(workbench: Workbench) -> str | None:
    """Fit the user's encoder to any silver labels, then to the types in the training split; None without an encoder.

    Raises:
        NotHere: there is no training split.
        MissingExtraError: what fitting needs is not installed.
        ModelError: there is no such encoder.
    """
    if workbench.means.encoder is None:
        return None
    return str(workbench.once("fine-tuned recognizer", _fitted_to_types))


def _fitted_to_types(workbench: Workbench) -> Path:
    with training_extra():
        from ..train.zero_shot import fine_tune_further
    start = None
    if workbench.has("silver"):
        start = str(workbench.once("zero-shot recognizer", fitted_zero_shot))

    return fitted(workbench, "fine-tuned", "train", fine_tune_further, start)


def fitted_zero_shot(workbench: Workbench) -> Path:
    """Fit the user's encoder to the types in the silver corpus, once, and return its folder.

    Raises:
        NotHere: there is no silver corpus.
        MissingExtraError: what fitting needs is not installed.
        ModelError: there is no such encoder.
    """
    with training_extra():
        from ..train.zero_shot import fine_tune
    return fitted(workbench, "zero-shot", "silver", fine_tune)
