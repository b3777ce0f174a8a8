"""The options of every generalized entity, and which one is written.

No option contains the name of another masked entity ("1994" isn't offered for a day in 1994 if the
year is masked elsewhere). Of the options whose residual risk is at most the policy's
``residual_risk``, the one a person would probably choose is written (``choose``), or the most
specific one with ``prefer: detail``.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import cache, cached_property
from typing import Protocol

from ...document import Decision, Document, Entity, IdentifierType, Option, SemanticType
from ...models.tables import load_weights
from ...policy import Policy
from ...shipped import shipped_patterns
from .candidates import SUPPRESSION, Candidate, Ontology, build_options, strings, words
from .classes import Classes, Code
from .consistency import consistent
from .date_options import Dates
from .kept import Keeper, attributes_of
from .quantities import Quantity
from .ranker import Ranker, most_specific_below

# PERSON: ``PERSON 1``, the same for all mentions of one person (Olstad et al., section 3.1).


PERSON_SOURCE = "rule:person"
_PEOPLE = 8e9
"""Anybody alive; the number tells only which mentions are of one person."""


class PersonRule:
    """The rule for people: a running number within the document."""

    def options(self, document: Document, entity: Entity) -> tuple[Option, ...]:
        """Return ``PERSON N`` and ``***``."""
        candidate = Candidate(f"PERSON {entity.number}", PERSON_SOURCE, _PEOPLE, _PEOPLE)
        return build_options(document, entity, [candidate])


_PATTERNS = shipped_patterns("english_contexts", "offices")
_NEAR = 12
"""Characters before and after a title that tell it from a name."""


def is_nameless(document: Document, entity: Entity, ontology: Ontology) -> bool:
    """Return whether an entity taken for a person never has a name: "the **Mayor**", "**Mayor** Wick".

    A single capitalized word may be a surname, unless a determiner before it or a name after it
    shows otherwise in one of its places.
    """
    places = [mention.span for mention in entity.mentions]
    bare = [_PATTERNS["article"].sub("", span.of(document.text)) for span in places]
    if not all(map(ontology.describes, set(bare))):
        return False
    return any(
        " " in string
        or string.islower()
        or len(string) < len(span)
        or _PATTERNS["determined"].search(document.text[max(0, span.start - _NEAR) : span.start])
        or _PATTERNS["office_of"].match(document.text, span.end, span.end + _NEAR)
        for span, string in zip(places, bare, strict=True)
    )


# The protocol of a rule, and the rule for each type.


class OptionRule(Protocol):
    """A rule that gives the options of an entity."""

    def options(self, document: Document, entity: Entity) -> tuple[Option, ...]:
        """Return true options, from the most to the least specific; the last is ``***``."""
        ...


def rules(ontology: Ontology | None = None) -> Mapping[SemanticType, OptionRule]:
    """Return the rule for each semantic type."""
    classes = Classes(ontology)
    return {
        SemanticType.PERSON: PersonRule(),
        SemanticType.CODE: Code(),
        SemanticType.DATETIME: Dates(),
        SemanticType.QUANTITY: Quantity(),
        SemanticType.LOC: classes,
        SemanticType.ORG: classes,
        SemanticType.DEM: classes,
        SemanticType.MISC: classes,
    }


_SHORTEST = 3
"""Letters and digits of a name that no option may have; shorter ones are in everything."""
_Names = Mapping[str, Collection[tuple[str, ...]]]
"""Words of masked names, by the first of them."""


class OptionProposer:
    """Proposes options and choices for the generalized entities of one document under one policy.

    Options and choices are computed once, however often the decisions about other entities change.

    Args:
        document: the document.
        policy: sets the bound on the residual risk and the preference below it.
        open_ontology: returns the ontology of names, or None to use only the words of the text;
            called when options are first needed.
        ranker: predicts people's choices; None for the shipped one.
    """

    def __init__(
        self,
        document: Document,
        policy: Policy,
        open_ontology: Callable[[], Ontology | None],
        ranker: Ranker | None = None,
    ) -> None:
        self._document, self._policy, self._ranker = document, policy, ranker
        self._open_ontology = open_ontology
        self._offers: dict[
            tuple[Entity, IdentifierType], tuple[SemanticType, tuple[Option, ...]]
        ] = {}
        self._choices: dict[tuple[SemanticType, tuple[str, ...], tuple[Option, ...]], Option] = {}

    @cached_property
    def _ontology(self) -> Ontology | None:
        return self._open_ontology()

    @cached_property
    def _rules(self) -> Mapping[SemanticType, OptionRule]:
        return rules(self._ontology)

    def propose(self, decisions: Sequence[Decision]) -> tuple[Decision, ...]:
        """Return the decisions, with options and choices for the generalized ones.

        Where the choice is ``***`` the operator becomes *suppress*, so neighbors are joined.

        Args:
            decisions: one per entity.

        Raises:
            ModelError: if the shipped ranker is needed and is missing or damaged.
        """
        if not self._policy.keep and not any(item.operator == "generalize" for item in decisions):
            return tuple(decisions)
        keeper = self._keeper(decisions)
        names = self._masked_names(decisions, keeper)
        return consistent(
            self._document, [self._proposed(item, keeper, names) for item in decisions]
        )

    def _keeper(self, decisions: Sequence[Decision]) -> Keeper | None:
        policy, ontology = self._policy, self._ontology
        if not policy.keep or ontology is None:
            return None
        return Keeper(
            self._document,
            decisions,
            attributes_of(policy.keep, ontology),
            ontology,
            policy.residual_risk,
            lambda decision: self._offer(decision)[1],
        )

    def _masked_names(self, decisions: Sequence[Decision], keeper: Keeper | None) -> _Names:
        names: dict[str, set[tuple[str, ...]]] = defaultdict(set)
        for decision in decisions:
            if not decision.masked or (keeper and keeper.stands(decision)):
                continue
            for string in strings(self._document, decision.entity):
                if sum(map(len, form := words(string))) >= _SHORTEST:
                    names[form[0]].add(form)
        return names

    def _proposed(self, decision: Decision, keeper: Keeper | None, names: _Names) -> Decision:
        if keeper and (kept := keeper.kept(decision, lambda options: _unnamed(options, names))):
            return kept
        if decision.operator != "generalize":
            return decision
        type, options = self._offer(decision)
        options = self._offered(type, _unnamed(options, names))
        choice = self._choice(type, strings(self._document, decision.entity), options)
        operator = "suppress" if choice.source == SUPPRESSION else decision.operator
        return replace(decision, options=options, choice=choice, operator=operator)

    def _offer(self, decision: Decision) -> tuple[SemanticType, tuple[Option, ...]]:
        """Return an entity's options, and the type whose rule gave them."""
        key = decision.entity, decision.identifier
        if key not in self._offers:
            type = _read_as(self._document, decision, self._ontology)
            entity = replace(decision.entity, type=type)
            self._offers[key] = type, self._rules[type].options(self._document, entity)
        return self._offers[key]

    def _offered(self, type: SemanticType, options: tuple[Option, ...]) -> tuple[Option, ...]:
        """Return the options without periods above the bound, if the policy writes the first one below it."""
        if type is not SemanticType.DATETIME or self._policy.prefer != "detail":
            return options
        return _leveled(option for option in options if option.risk <= self._policy.residual_risk)

    def _choice(
        self, type: SemanticType, originals: tuple[str, ...], options: tuple[Option, ...]
    ) -> Option:
        bound = self._policy.residual_risk
        if self._policy.prefer == "detail":
            return most_specific_below(options, bound)
        question = type, originals, options
        if question not in self._choices:
            ranker = self._ranker or shipped_ranker()
            self._choices[question] = ranker.choose(*question, bound)
        return self._choices[question]


def propose_options(
    document: Document,
    decisions: Sequence[Decision],
    policy: Policy,
    ontology: Ontology | None = None,
    ranker: Ranker | None = None,
) -> tuple[Decision, ...]:
    """Return the decisions with options and choices from a new ``OptionProposer``."""
    return OptionProposer(document, policy, lambda: ontology, ranker).propose(decisions)


def _read_as(document: Document, decision: Decision, ontology: Ontology | None) -> SemanticType:
    """Return the type whose rules apply.

    A direct identifier that isn't a name is a code, whatever type the recognizer gave it: read as
    an amount, "between QQ 10 and QQ 50" would reveal digits of an insurance number. A person who is
    never named ("the Foreign Secretary") is treated as what the words say.
    """
    type = decision.entity.type
    if type is SemanticType.PERSON and ontology is not None:
        return SemanticType.DEM if is_nameless(document, decision.entity, ontology) else type
    is_name = type in (SemanticType.PERSON, SemanticType.ORG, SemanticType.LOC)
    direct = decision.identifier is IdentifierType.DIRECT
    return SemanticType.CODE if direct and not is_name else type


@cache
def shipped_ranker() -> Ranker:
    """Return the shipped ranker, read once.

    Raises:
        ModelError: if it is missing or damaged.
    """
    return Ranker(load_weights().weights)


def _unnamed(options: tuple[Option, ...], names: _Names) -> tuple[Option, ...]:
    """Return the options that contain none of the names, with their new levels."""
    rest = [option for option in options[:-1] if not _has_name(words(option.text), names)]
    if len(rest) == len(options) - 1:
        return options
    return _leveled([*rest, options[-1]])


def _leveled(options: Iterable[Option]) -> tuple[Option, ...]:
    return tuple(replace(option, level=level) for level, option in enumerate(options))


def _has_name(text: tuple[str, ...], names: _Names) -> bool:
    """Return whether one of the names, which are grouped by first word, occurs in a text."""
    return any(
        text[start : start + len(name)] == name
        for start, word in enumerate(text)
        for name in names.get(word, ())
    )
