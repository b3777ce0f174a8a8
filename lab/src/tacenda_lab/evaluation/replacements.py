"""Measures of replacements, on gold in the format of WikiReplace.

Olstad, Papadopoulou and Lison, "Generation of Replacement Options in Text Sanitization", section 4.

    coverage    share of spans with an option, and with people's choice among its options (Table 2)
    choices     automatic choices against people's choices
    checks      options naming their entity, or not above its linked thing

The spans with the options shown and chosen, and the agreement of annotators (Figure 2), are in
``tacenda.evaluate.replacement_gold``.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import asdict, astuple, dataclass
from typing import Any, Generic, Protocol, TypeVar

from tacenda.document import Document, Entity, Option
from tacenda.evaluate.replacement_gold import ReplacedSpan, normal
from tacenda.models.tables import ontology_file
from tacenda.rewrite.generalize.classes import class_query
from tacenda.rewrite.ontology import KnowledgeBase
from tacenda.rewrite.ontology.linking import Linker
from tacenda.rewrite.ontology.store import OntologyStore, ancestors
from tacenda.text.normal_form import fold_text

# Coverage: spans with an option, and with people's choice offered (after Table 2).
#
# | figure | over | counted |
# |---|---|---|
# | with option | all marked spans | something other than ``***`` is offered |
# | chosen offered | spans where a person chose another option than ``***`` | the one most of them chose is offered; of several, any |
# | levels | all choices of all annotators | level of ours that was chosen, from 1 |
#
# Options are compared without case and brackets.


SUPPRESSED = "***"
NOT_OFFERED = "not offered"

Offer = Callable[[Document, Entity], tuple[Option, ...]]
"""Returns the options of an entity, with ``***`` last."""


@dataclass(frozen=True, slots=True)
class TypeCoverage:
    """Counts of one semantic type, or of all.

    Attributes:
        spans: marked spans.
        with_option: of those, with an option other than ``***``.
        decided: spans with a choice other than ``***``.
        chosen_offered: of those, spans with the choice among our options.
        levels: choices by the level of the same option of ours (``1``, ``2``, …), ``***`` or
            ``not offered``.
    """

    spans: int
    with_option: int
    decided: int
    chosen_offered: int
    levels: Counter[str]

    def as_json(self) -> dict[str, Any]:
        """Return counts and shares; a share is None over nothing."""
        return {
            "spans": self.spans,
            "with_option": self.with_option,
            "share_with_option": self.with_option / self.spans if self.spans else None,
            "decided": self.decided,
            "chosen_offered": self.chosen_offered,
            "share_chosen_offered": self.chosen_offered / self.decided if self.decided else None,
            "levels": dict(sorted(self.levels.items())),
        }


class ReplacementCounts(Protocol):
    """Counts that can be written as JSON."""

    def as_json(self) -> dict[str, Any]:
        """Return counts and shares."""
        ...


PartT = TypeVar("PartT", bound=ReplacementCounts)


@dataclass(frozen=True)
class ByType(Generic[PartT]):
    """Counts of all spans, and by semantic type in alphabetical order."""

    total: PartT
    by_type: dict[str, PartT]

    def as_json(self) -> dict[str, Any]:
        """Return the JSON of ``tacenda evaluate replacements --json``; a stable form."""
        return self.total.as_json() | {
            "by_type": {type: part.as_json() for type, part in self.by_type.items()}
        }


OptionCoverage = ByType[TypeCoverage]


def measure_coverage(spans: Sequence[ReplacedSpan], offer: Offer) -> OptionCoverage:
    """Compute the coverage of people's choices by the options of ``offer``.

    Args:
        spans: the gold.
        offer: returns the options of an entity.
    """
    types = sorted({str(span.entity.type) for span in spans})
    return OptionCoverage(
        _measure(spans, offer),
        {
            type: _measure([span for span in spans if span.entity.type == type], offer)
            for type in types
        },
    )


def _measure(spans: Sequence[ReplacedSpan], offer: Offer) -> TypeCoverage:
    with_option = decisions = chosen_offered = 0
    levels: Counter[str] = Counter()
    for span in spans:
        options = offer(span.document, span.entity)
        option_levels = {normal(option.text): option.level + 1 for option in options[:-1]}
        with_option += bool(option_levels)
        votes: Counter[str] = Counter()
        for text, annotators in span.chosen.items():
            choice = normal(text)
            level = str(option_levels.get(choice, NOT_OFFERED))
            levels[SUPPRESSED if choice == SUPPRESSED else level] += len(annotators)
            if choice != SUPPRESSED:
                votes[choice] += len(annotators)
        if votes:
            decisions += 1
            plurality = max(votes.values())
            chosen_offered += any(
                votes[text] == plurality for text in votes.keys() & option_levels.keys()
            )
    return TypeCoverage(len(spans), with_option, decisions, chosen_offered, levels)


# Agreement of automatic choices with people's choices.
#
# | figure | over | counted |
# |---|---|---|
# | chosen by any | all marked spans | at least one annotator chose the same |
# | chosen by most | all marked spans | no other option was chosen by more of them |
# | share of annotators | all choices of all annotators | they are the same |
# | level difference | choices that we offer too | our level less theirs, mean; ``***`` has the last level |
#
# Options are compared without case and brackets. A positive difference is more general than people.


Choose = Callable[[Document, Entity, tuple[Option, ...]], Option]
"""Returns the option of an entity that is written."""


@dataclass(frozen=True, slots=True)
class ChoiceCounts:
    """Counts of one semantic type, or of all.

    Attributes:
        spans: marked spans.
        any: of those, with our choice equal to one annotator's.
        most: of those, with our choice equal to the most frequent one, or one of several such.
        suppressed: spans with ``***`` as our choice.
        people_suppressed: spans with ``***`` as the annotators' most frequent choice.
        choices: choices of annotators.
        same: of those, the same as ours.
        compared: of those, offered by us.
        difference: sum over these of our level less theirs.
    """

    spans: int
    any: int
    most: int
    suppressed: int
    people_suppressed: int
    choices: int
    same: int
    compared: int
    difference: int

    @property
    def mean_difference(self) -> float | None:
        """Mean of our level less theirs; None where nothing can be compared."""
        return self.difference / self.compared if self.compared else None

    def as_json(self) -> dict[str, Any]:
        """Return counts and shares; a share is None over nothing."""
        return {
            "spans": self.spans,
            "chosen_by_any": self.any,
            "share_chosen_by_any": _share(self.any, self.spans),
            "chosen_by_most": self.most,
            "share_chosen_by_most": _share(self.most, self.spans),
            "suppressed": self.suppressed,
            "people_suppressed": self.people_suppressed,
            "choices": self.choices,
            "share_of_annotators": _share(self.same, self.choices),
            "compared_levels": self.compared,
            "mean_level_difference": self.mean_difference,
        }


ChoiceAgreement = ByType[ChoiceCounts]


def measure_choices(spans: Sequence[ReplacedSpan], offer: Offer, choose: Choose) -> ChoiceAgreement:
    """Compute the agreement of ``choose``, among the options of ``offer``, with people's choices.

    Args:
        spans: the gold.
        offer: returns the options of an entity.
        choose: returns one of them.
    """
    results = [(str(span.entity.type), _one(span, offer, choose)) for span in spans]
    types = sorted({type for type, _ in results})
    return ChoiceAgreement(
        _sum([counts for _, counts in results]),
        {type: _sum([counts for kind, counts in results if kind == type]) for type in types},
    )


def _one(span: ReplacedSpan, offer: Offer, choose: Choose) -> ChoiceCounts:
    options = offer(span.document, span.entity)
    selection = choose(span.document, span.entity, options)
    levels = {normal(option.text): option.level for option in options}
    votes = span.votes()
    plurality = max(votes.values(), default=0)
    text = normal(selection.text)
    compared = {choice: n for choice, n in votes.items() if choice in levels}
    return ChoiceCounts(
        spans=1,
        any=int(text in votes),
        most=int(0 < votes[text] == plurality),
        suppressed=int(text == SUPPRESSED),
        people_suppressed=int(0 < votes[SUPPRESSED] == plurality),
        choices=votes.total(),
        same=votes[text],
        compared=sum(compared.values()),
        difference=sum((selection.level - levels[choice]) * n for choice, n in compared.items()),
    )


def _sum(items: Sequence[ChoiceCounts]) -> ChoiceCounts:
    columns = zip(*map(astuple, items), strict=True)
    return ChoiceCounts(*map(sum, columns)) if items else ChoiceCounts(*[0] * 9)


def _share(n: int, total: int) -> float | None:
    return n / total if total else None


# Checks of options: each is true, and none is the thing itself.
#
# | figure | over | counted as a fault |
# |---|---|---|
# | naming | all options but ``***`` | it is a mention of its entity, or has one in it, as words |
# | untrue | options of the ontology, where the entity is linked | its class is not above what is linked |
#
# The second is a check of the ontology with itself: that the link is right, only people can tell.


Above = Callable[[Document, Entity], frozenset[str] | None]
"""Returns the sources of all classes above what an entity is linked to; None if it isn't linked."""

_WORD = re.compile(r"\w+")


@dataclass(frozen=True, slots=True)
class OptionFaults:
    """Faults among the options of all spans, each entity once.

    Attributes:
        options: options but ``***``.
        naming: of those, the ones naming their entity.
        linked: options with classes, of linked entities.
        untrue: of those, the ones with a class not above the linked thing.
        places: of the faults: document, offsets of the first mention, number of the option.
    """

    options: int
    naming: int
    linked: int
    untrue: int
    places: tuple[str, ...]

    def as_json(self) -> dict[str, Any]:
        """Return the part ``faults`` of ``tacenda evaluate replacements --json``."""
        return asdict(self) | {"places": list(self.places)}


def find_faults(
    spans: Sequence[ReplacedSpan], offer: Offer, above: Above | None = None
) -> OptionFaults:
    """Check every option of every entity.

    Args:
        spans: the gold.
        offer: returns the options of an entity.
        above: classes of an entity by the ontology; without it nothing is linked.
    """
    options = naming = linked = untrue = 0
    places: list[str] = []
    entities = {(span.document.id, span.entity.id, span.entity.type): span for span in spans}
    for span in entities.values():
        first = span.entity.mentions[0].span
        ancestors = above(span.document, span.entity) if above else None
        for option in offer(span.document, span.entity)[:-1]:
            options += 1
            disclosure = _names_entity(option, span.document, span.entity)
            # A head noun that is not a class ("ontology:head") has nothing above it.
            rule = option.source.startswith("rule:") or option.source == "ontology:head"
            classed = ancestors is not None and not rule
            false = classed and option.source not in (ancestors or ())
            naming += disclosure
            linked += classed
            untrue += false
            if disclosure or false:
                places.append(f"{span.document.id} {first.start}-{first.end} {option.level + 1}")
    return OptionFaults(options, naming, linked, untrue, tuple(places))


def _names_entity(option: Option, document: Document, entity: Entity) -> bool:
    phrase = f" {_plain(option.text)} "
    forms = {_plain(mention.span.of(document.text)) for mention in entity.mentions}
    return any(f" {form} " in phrase for form in forms if form)


def _plain(text: str) -> str:
    return " ".join(_WORD.findall(fold_text(text)))


# Classes of entities in the shipped ontology, to check options against.


class LinkedClasses:
    """Follows the classes of a linked entity upwards, on its own.

    Args:
        store: the ontology.
    """

    def __init__(self, store: OntologyStore) -> None:
        self._store = store
        self._linker = Linker(store)
        self.knowledge = KnowledgeBase(store)

    @classmethod
    def load(cls) -> LinkedClasses:
        """Return those of the shipped ontology.

        Raises:
            ModelError: if it is missing, damaged or of another version.
        """
        return cls(OntologyStore(ontology_file()))

    def above(self, document: Document, entity: Entity) -> frozenset[str] | None:
        """Return the sources of all true classes of an entity; None if it isn't linked."""
        link = self.knowledge.link(*class_query(document, entity))
        if link is None:
            return None
        # The noun that a name is built around may be a class of its own.
        head = self._linker.class_named(link.head) if link.head else None
        below = link.classes if head is None else link.classes | {head}
        sources = (self._store.classes[id].source for id in ancestors(self._store, below))
        # Options of WordNet and registers are called with and without the prefix.
        return frozenset(name for source in sources for name in (source, f"ontology:{source}"))
