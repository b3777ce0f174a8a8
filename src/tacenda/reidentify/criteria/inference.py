"""Inference: guess people's attributes from a release, and compare with what is known about them.

This is the third test of WP216 (Article 29 Working Party, Opinion 05/2014, section 2.2.3), measured
as anonymeter does for tables (Giomi et al., 2023). The attack is compared with a *baseline*, the
most common value among other people, and a *control*, the same guesses made from another person's
text. What the attack gains over the control is due to the person's text; ``risk`` is that gain as a
share of the possible gain.

    attackers   rules     what a text says, and what follows from it (``closure``)
                refitted  a classifier that learned from the texts of other people of the release
                any       the rules where they are confident, else the classifier where it is
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from ...document import Document
from ..rates import Rate, rate
from ..tokens import read_words
from .classifier import held_out
from .closure import CERTAIN, CONFIDENT, Guess, infer
from .values import Attribute, Values, agree, coarse

ATTACKERS: Final = ("rules", "refitted", "any")


@dataclass(frozen=True, slots=True)
class ReleaseCase:
    """A document of a release, with what is known about it.

    Attributes:
        document: the released document.
        person: id of the person it is about; empty if unknown.
        values: the person's true attributes, from labels or the original; may be empty.
        original: the text before masking, if known.
    """

    document: Document
    person: str = ""
    values: Values = field(default_factory=dict)
    original: str | None = field(default=None, repr=False)


def true_values(labels: Values, original: str | None) -> dict[Attribute, frozenset[str]]:
    """Return the attributes that count as true of a person: labels first, then certain guesses from the original."""
    values: dict[Attribute, frozenset[str]] = {}
    if original is not None:
        values = {
            attribute: frozenset((guess.value,))
            for attribute, guess in infer(original).items()
            if guess.probability >= CERTAIN
        }
    return values | dict(labels)


def risk(attack: Rate, control: Rate) -> Rate:
    """Return an attack's success beyond its control, as a share of the possible gain, in [0, 1].

    (attack − control) / (1 − control) after Giomi et al. (2023), section 3.2. The interval
    propagates the widths of both Wilson intervals to first order.
    """
    remainder = 1.0 - control.value
    if remainder <= 0.0:
        return Rate(0.0, 0.0, 1.0)
    value = (attack.value - control.value) / remainder
    by_control = (1.0 - attack.value) / remainder**2
    low = math.hypot(
        (attack.value - attack.low) / remainder, (control.high - control.value) * by_control
    )
    high = math.hypot(
        (attack.high - attack.value) / remainder, (control.value - control.low) * by_control
    )
    return Rate(*(min(1.0, max(0.0, bound)) for bound in (value, value - low, value + high)))


@dataclass(frozen=True, slots=True)
class AttributeInference:
    """The inference of one attribute from a release.

    Attributes:
        attribute: the attribute.
        rates: share of documents with a right and confident guess, by attacker.
        confident: share with any attacker's confident guess, right or wrong.
        baseline: share of right guesses if everyone is assumed to have the most common value of the
            others.
        control: share of any attacker's right and confident guesses from another person's text.
        original: like ``rates`` of any attacker, from the originals; None unless all are known.
    """

    attribute: Attribute
    rates: Mapping[str, Rate]
    confident: Rate
    baseline: Rate
    control: Rate
    original: Rate | None

    @property
    def risk(self) -> Rate:
        """The risk of the attribute by any attacker."""
        return risk(self.rates["any"], self.control)


@dataclass(frozen=True, slots=True)
class CaseInference:
    """The guesses about one document: any attacker's confident guesses, and which of them are right."""

    case: ReleaseCase
    guesses: Mapping[Attribute, Guess]
    right: frozenset[Attribute]


@dataclass(frozen=True, slots=True)
class InferenceReport:
    """The inference test of a release.

    Attributes:
        attributes: the attributes with known values in at least two documents.
        cases: one per document.
    """

    attributes: tuple[AttributeInference, ...]
    cases: tuple[CaseInference, ...]


def strangers(people: Sequence[str]) -> list[int]:
    """Return for each document the next one about another person, or itself if there is none."""
    n = len(people)
    places = []
    for place in range(n):
        steps = ((place + step) % n for step in range(1, n))
        places.append(
            next(
                (other for other in steps if not people[other] or people[other] != people[place]),
                place,
            )
        )
    return places


def infer_attributes(cases: Sequence[ReleaseCase]) -> InferenceReport:
    """Attack the attributes of the people in a release.

    Args:
        cases: at least one.
    """
    texts = [case.document.text for case in cases]
    by_rules = [infer(text) for text in texts]
    of_originals = None
    if all(case.original is not None for case in cases):
        of_originals = [infer(case.original or "") for case in cases]
    words = [read_words(Document("", text)).keys for text in texts]
    others = strangers([case.person for case in cases])
    reports: list[AttributeInference] = []
    shown: list[dict[Attribute, Guess]] = [{} for _ in cases]
    right: list[set[Attribute]] = [set() for _ in cases]
    for attribute in Attribute:
        places = [place for place, case in enumerate(cases) if case.values.get(attribute)]
        refitted = _refitted(cases, words, attribute, places)
        guesses = {
            place: _joined(by_rules[place].get(attribute), refitted.get(place))
            for place in range(len(cases))
        }
        for place, guess in guesses.items():
            if guess["any"] is not None:
                shown[place][attribute] = guess["any"]
                if place in places and _is_right(attribute, guess["any"], cases[place]):
                    right[place].add(attribute)
        if len(places) > 1:
            reports.append(_rated(attribute, cases, places, guesses, others, of_originals))
    return InferenceReport(
        tuple(reports),
        tuple(map(CaseInference, cases, shown, map(frozenset, right))),
    )


def _rated(
    attribute: Attribute,
    cases: Sequence[ReleaseCase],
    places: Sequence[int],
    guesses: Mapping[int, Mapping[str, Guess | None]],
    others: Sequence[int],
    of_originals: Sequence[Mapping[Attribute, Guess]] | None,
) -> AttributeInference:
    n = len(places)

    def share(hits: Sequence[bool]) -> Rate:
        return rate(sum(hits), n)

    def of(attacker: str) -> list[bool]:
        return [_is_right(attribute, guesses[place][attacker], cases[place]) for place in places]

    controls = [
        _is_right(attribute, guesses[others[place]]["any"], cases[place]) for place in places
    ]
    original = None
    if of_originals is not None:
        before = [_confident(of_originals[place].get(attribute)) for place in places]
        original = share(
            [_is_right(attribute, g, cases[p]) for g, p in zip(before, places, strict=True)]
        )
    return AttributeInference(
        attribute,
        {name: share(of(name)) for name in ATTACKERS},
        share([guesses[place]["any"] is not None for place in places]),
        share(_commonest(attribute, cases, places)),
        share(controls),
        original,
    )


def _confident(guess: Guess | None) -> Guess | None:
    return guess if guess is not None and guess.probability >= CONFIDENT else None


def _joined(by_rules: Guess | None, refitted: Guess | None) -> dict[str, Guess | None]:
    rules, learned = _confident(by_rules), _confident(refitted)
    return {"rules": rules, "refitted": learned, "any": rules if rules is not None else learned}


def _is_right(attribute: Attribute, guess: Guess | None, case: ReleaseCase) -> bool:
    if guess is None:
        return False
    value = coarse(attribute, guess.value)
    return any(agree(attribute, value, coarse(attribute, true)) for true in case.values[attribute])


def _value(attribute: Attribute, case: ReleaseCase) -> str:
    """Return a person's value to learn from: alphabetically the first if there are several."""
    return coarse(attribute, min(case.values[attribute]))


def _commonest(
    attribute: Attribute, cases: Sequence[ReleaseCase], places: Sequence[int]
) -> list[bool]:
    """Return where the most common value among other people is right."""
    counts = Counter(_value(attribute, cases[place]) for place in places)
    by_person: dict[str, Counter[str]] = {}
    for place in places:
        if cases[place].person:
            own = by_person.setdefault(cases[place].person, Counter())
            own[_value(attribute, cases[place])] += 1
    hits = []
    for place in places:
        case = cases[place]
        own = by_person.get(case.person) or Counter((_value(attribute, case),))
        rest = counts - own
        best = max(sorted(rest), key=lambda value: rest[value], default="")
        hits.append(
            any(agree(attribute, best, coarse(attribute, v)) for v in case.values[attribute])
        )
    return hits


def _refitted(
    cases: Sequence[ReleaseCase],
    words: Sequence[Sequence[str]],
    attribute: Attribute,
    places: Sequence[int],
) -> dict[int, Guess]:
    """Return the guess for each document from a classifier that saw no text about its person."""
    guesses = {}
    texts = [words[place] for place in places]
    values = [_value(attribute, cases[place]) for place in places]
    people = [cases[place].person or f"\0{place}" for place in places]
    for number, classifier in held_out(texts, values, people):
        value, probability = classifier.guess(texts[number])
        if value:
            guesses[places[number]] = Guess(value, probability, "classifier")
    return guesses
