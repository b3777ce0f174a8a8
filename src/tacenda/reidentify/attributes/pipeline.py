"""Attributes in a run: words that reveal them are masked, and each result reports what is still revealed."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import Final

from ...document import (
    Document,
    Entity,
    Evidence,
    IdentifierType,
    Mention,
    MentionSource,
    SemanticType,
    Span,
)
from ...errors import InputError
from ...models.tables import load_terms
from ...policy import Policy
from ...result import Result
from ...risk.indicators import Finding
from ...text.normal_form import fold_text
from ...text.tokens import word_list
from ..criteria.closure import Guess, infer_all, value_span
from ..criteria.values import Attribute
from .people import references
from .protection import ReleasePair, measure_protection
from .reading import read_profiles

_TYPES: Final = {
    Attribute.AGE: SemanticType.DATETIME,
    Attribute.BIRTH: SemanticType.DATETIME,
    Attribute.PLACE: SemanticType.LOC,
    Attribute.COUNTRY: SemanticType.LOC,
}
NEUTRAL: Final = {Attribute.SEX: "sex", Attribute.RELATIONSHIP: "relationship"}
"""Attributes that running text tells, and what the policy's ``neutral`` calls them."""
_GROUPS: Final = {
    Attribute.OCCUPATION: ("occupation", "position", "military_rank", "sport_position"),
    Attribute.HEALTH: ("health", "treatment", "cause_of_death"),
    Attribute.EDUCATION: ("degree", "field"),
    Attribute.COUNTRY: ("nationality", "ethnic_group"),
    Attribute.RELATIONSHIP: ("kinship", "social_status"),
}
_UNCLEAR: Final = frozenset((Attribute.OCCUPATION, Attribute.HEALTH, Attribute.EDUCATION))
"""Possible kinds of the recognizer's details where no term tells which."""
_LIKELY: Final = 0.4
"""Masking probability from which such a detail is masked."""
_LEAST: Final = 0.5
"""Probability of a guess whose words are masked: below that of an attacker, to be on the safe side."""
_ROUNDS: Final = 20


def parse_attributes(names: str) -> frozenset[Attribute]:
    """Return the attributes in a comma-separated list.

    Raises:
        InputError: if an attribute is unknown or none is given; the message lists the names.
    """
    parts = [name.strip().lower() for name in names.split(",") if name.strip()]
    unknown = [name for name in parts if name not in set(Attribute)]
    if unknown or not parts:
        fault = f"{unknown[0]!r} is not an attribute" if unknown else "no attribute is named"
        raise InputError(f"{fault}; choose from: {', '.join(Attribute)}")
    return frozenset(map(Attribute, parts))


@dataclass(frozen=True, slots=True)
class AttributeGuard:
    """Detector, indicator and check for one promise: that the rules can't infer certain attributes of anybody.

    It finds the words that reveal them, masks no more than necessary, and each result says whether
    any are still revealed. Running text reveals sex and relationship, so ``policy`` makes it
    neutral.

    Attributes:
        attributes: the attributes to hide.
    """

    attributes: frozenset[Attribute]

    def policy(self, policy: Policy) -> Policy:
        """Return a policy under which running text doesn't reveal the attributes either."""
        neutral = [NEUTRAL[attribute] for attribute in sorted(self.attributes & NEUTRAL.keys())]
        if not neutral:
            return policy
        return policy.with_changes(neutral=tuple(dict.fromkeys((*policy.neutral, *neutral))))

    @property
    def _masked(self) -> frozenset[Attribute]:
        return self.attributes - NEUTRAL.keys()

    def detect(self, documents: Sequence[Document]) -> list[tuple[Mention, ...]]:
        """Return words that may reveal an attribute; ``judge`` decides whether to mask them."""
        return [tuple(self._candidates(document.text)) for document in documents]

    def _candidates(self, text: str) -> Iterable[Mention]:
        spans = {
            span: attribute
            for by_subject in (True, False)
            for attribute, span in _telling(
                text, infer_all(text, by_subject=by_subject), self._masked
            )
        }
        for span, attribute in spans.items():
            kind = _TYPES.get(attribute, SemanticType.DEM)
            yield Mention(span, kind, 0.0, 0.0, MentionSource.PLUGIN, str(attribute))

    def judge(self, document: Document, entities: Sequence[Entity]) -> list[Finding | None]:
        """Return a finding for each entity to mask."""
        attributes: dict[Span, Attribute] = {}
        names = names_of(entities)
        text = document.text
        people = references(text, names)
        for _ in range(_ROUNDS):
            spans = {
                span: attribute
                for profile in read_profiles(text, people).values()
                for attribute, span in _telling(text, profile.attributes, self._masked)
            }
            if not spans:
                break
            attributes |= spans
            text = _blanked(text, spans)
        return [self._finding(document.text, entity, attributes) for entity in entities]

    def _finding(self, text: str, entity: Entity, told: Mapping[Span, Attribute]) -> Finding | None:
        attribute = next(
            (
                attribute
                for span, attribute in told.items()
                if any(mention.span.overlaps(span) for mention in entity.mentions)
            ),
            None,
        )
        if attribute is None and entity.type is SemanticType.DEM:
            attribute = self._detail(text, entity)
        if attribute is None:
            return None
        statement = f"It reveals a person's {attribute}."
        return Finding(Evidence(f"attribute:{attribute}", 1.0, statement), IdentifierType.QUASI)

    def _detail(self, text: str, entity: Entity) -> Attribute | None:
        """Return the attribute to hide that a detail found by the recognizer reveals, judging by its terms or by default."""
        words = [
            word
            for mention in entity.mentions
            for word in word_list(fold_text(mention.span.of(text)))
        ]
        kinds = {kind for kind in _GROUPS if _has_term(words, _terms()[kind])}
        if kinds:
            return min(kinds & self._masked, default=None)
        is_likely = any(mention.p_mask >= _LIKELY for mention in entity.mentions)
        return min(_UNCLEAR & self._masked, default=None) if is_likely else None

    def __call__(self, result: Result) -> Result:
        """Return the result with a line about the attributes that are still revealed."""
        document = ReleasePair(
            result.document.id, result.document.text, result.text, names_of(result.entities)
        )
        report = measure_protection([document], self.attributes)
        remaining = [
            f"{item.attribute} of {person.person}"
            for person in report.people
            for item in person.known
            if item.left is not None
        ]
        names = ", ".join(sorted(self.attributes))
        line = f"By the rules, no one's {names} can be inferred from the remaining text."
        if remaining:
            line = f"The remaining text still reveals: {', '.join(remaining)}."
        return replace(result, warnings=(*result.warnings, line))


def names_of(entities: Iterable[Entity]) -> dict[str, tuple[Span, ...]]:
    """Return the spans of people's names, by entity id."""
    return {
        entity.id: tuple(mention.span for mention in entity.mentions)
        for entity in entities
        if entity.type is SemanticType.PERSON
    }


def _telling(
    text: str, guesses: Mapping[Attribute, Sequence[Guess]], attributes: frozenset[Attribute]
) -> Iterable[tuple[Attribute, Span]]:
    """Yield the words that reveal attributes, without those around them that don't."""
    for attribute in attributes:
        for guess in guesses.get(attribute, ()):
            span = value_span(text, guess)
            if span is None or guess.probability < _LEAST:
                continue
            if attribute is Attribute.AGE and (number := _AGE.search(span.of(text))):
                span = Span(span.start + number.start(), span.start + number.end())
            yield attribute, span


_AGE: Final = re.compile(r"\d+|\b(?!years?\b|old\b)[a-z]+(?:[- ][a-z]+)?\Z")


def _blanked(text: str, spans: Iterable[Span]) -> str:
    chars = list(text)
    for span in spans:
        chars[span.start : span.end] = " " * len(span)
    return "".join(chars)


@cache
def _terms() -> Mapping[Attribute, frozenset[str]]:
    groups = load_terms()
    return {
        attribute: frozenset(term for name in names for term in groups[name])
        for attribute, names in _GROUPS.items()
    }


def _has_term(words: Sequence[str], terms: frozenset[str]) -> bool:
    return any(
        " ".join(words[start:end]) in terms
        for start in range(len(words))
        for end in range(start + 1, min(len(words), start + 4) + 1)
    )
