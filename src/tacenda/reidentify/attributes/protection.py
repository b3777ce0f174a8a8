"""Inference protection: what share of each person's attributes in the original the release hides.

A person's attribute is *known* if, by the rules, the original states it with certainty. It is
*left* if an offline attacker can still infer it from the release:

    rules       read the words about the person again, and are assumed to know who each mask is
    classifier  learned from the words about people in the release's other documents (needs 20
    people whose attribute is known); counts if its guess is right, confident, and not what it would
    guess without any words
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from ...document import Document, Span
from ..criteria.classifier import held_out
from ..criteria.closure import CERTAIN, CONFIDENT, Guess
from ..criteria.values import Attribute, agree, coarse
from ..rates import Rate, rate
from ..tokens import read_words
from .people import moved, references
from .reading import AttributeProfile, read_profiles, subject_of

LEAST: Final = 20
"""People with a known attribute from which the classifier is fitted."""


@dataclass(frozen=True, slots=True)
class ReleasePair:
    """A document before and after.

    Attributes:
        id: the document's id.
        original: the text before sanitizing.
        released: the text after sanitizing.
        named: the spans of names in the original, by person.
    """

    id: str
    original: str = field(repr=False)
    released: str = field(repr=False)
    named: Mapping[str, Sequence[Span]] = field(repr=False)


@dataclass(frozen=True, slots=True)
class KnownAttribute:
    """An attribute that an original reveals about a person, and what is left of it.

    Attributes:
        attribute: the attribute.
        value: the likeliest value in the original.
        left: the right and confident guess from the release; None if the attribute is protected.
    """

    attribute: Attribute
    value: str = field(repr=False)
    left: Guess | None


@dataclass(frozen=True, slots=True)
class PersonProtection:
    """The known attributes of a person.

    Attributes:
        document: the document's id.
        person: id of an entity, ``author``, or ``relative-1`` for a person without a name.
        is_subject: whether the document is about the person.
        known: at least one.
    """

    document: str
    person: str
    is_subject: bool
    known: tuple[KnownAttribute, ...]

    @property
    def share(self) -> float:
        """The person's inference protection, in [0, 1]."""
        return sum(item.left is None for item in self.known) / len(self.known)


@dataclass(frozen=True, slots=True)
class ProtectionReport:
    """The inference protection of a release.

    Attributes:
        people: the people about whom anything is known, in order.
        classified: the attributes that the classifier was fitted to.
    """

    people: tuple[PersonProtection, ...]
    classified: frozenset[Attribute]

    def protection(
        self, *, subjects: bool | None = None, attribute: Attribute | None = None
    ) -> Rate | None:
        """Return the protected share of known attributes; None if nothing is known.

        Args:
            subjects: only subjects, or only everyone else; None for both.
            attribute: only this attribute; None for all.
        """
        known = [
            item
            for person in self.people
            if subjects in (None, person.is_subject)
            for item in person.known
            if attribute in (None, item.attribute)
        ]
        return rate(sum(item.left is None for item in known), len(known)) if known else None


def measure_protection(
    documents: Sequence[ReleasePair], attributes: frozenset[Attribute] = frozenset(Attribute)
) -> ProtectionReport:
    """Measure the inference protection of the people in a release.

    Args:
        documents: the documents, with distinct ids.
        attributes: the attributes to measure.
    """
    people: list[_KnownPerson] = []
    for document in documents:
        told = references(document.original, document.named)
        subject = subject_of(document.original, told)
        after = read_profiles(document.released, moved(told, document.original, document.released))
        for person, profile in read_profiles(document.original, told).items():
            known = {
                attribute: certain
                for attribute, guesses in profile.attributes.items()
                if attribute in attributes and (certain := _values(attribute, guesses, CERTAIN))
            }
            if known:
                now = after.get(person) or AttributeProfile(person, {}, "")
                people.append(_KnownPerson(document.id, person, person == subject, known, now))
    learned = {attribute: _classified(people, attribute) for attribute in attributes}
    reports = []
    for place, item in enumerate(people):
        outcomes = []
        for attribute in Attribute:
            if attribute not in item.known:
                continue
            left = _left(attribute, item) or learned[attribute].get(place)
            outcomes.append(KnownAttribute(attribute, item.known[attribute][0], left))
        reports.append(
            PersonProtection(item.document, item.person, item.is_subject, tuple(outcomes))
        )
    counts = {
        attribute: sum(attribute in item.known for item in people) for attribute in attributes
    }
    classified = frozenset(attribute for attribute, n in counts.items() if n >= LEAST)
    return ProtectionReport(tuple(reports), classified)


@dataclass(frozen=True, slots=True)
class _KnownPerson:
    document: str
    person: str
    is_subject: bool
    known: Mapping[Attribute, tuple[str, ...]]
    after: AttributeProfile


def _values(attribute: Attribute, guesses: Sequence[Guess], least: float) -> tuple[str, ...]:
    likely = (coarse(attribute, item.value) for item in guesses if item.probability >= least)
    return tuple(dict.fromkeys(likely))


def _left(attribute: Attribute, item: _KnownPerson) -> Guess | None:
    """Return the rules' right guess from the release, if any."""
    for guess in item.after.attributes.get(attribute, ()):
        value = coarse(attribute, guess.value)
        if guess.probability >= CONFIDENT and any(
            agree(attribute, value, true) for true in item.known[attribute]
        ):
            return guess
    return None


def _classified(people: Sequence[_KnownPerson], attribute: Attribute) -> dict[int, Guess]:
    """Return the right and confident guesses, by index, of a classifier that saw nobody from the same document."""
    places = [place for place, item in enumerate(people) if attribute in item.known]
    if len(places) < LEAST:
        return {}
    texts = [read_words(Document("", people[place].after.words)).keys for place in places]
    values = [people[place].known[attribute][0] for place in places]
    documents = [people[place].document for place in places]
    guesses = {}
    for number, classifier in held_out(texts, values, documents):
        place = places[number]
        commonest, _ = classifier.guess(())
        value, probability = classifier.guess(texts[number])
        if (
            value != commonest
            and probability >= CONFIDENT
            and any(agree(attribute, value, true) for true in people[place].known[attribute])
        ):
            guesses[place] = Guess(value, probability, "classifier")
    return guesses
