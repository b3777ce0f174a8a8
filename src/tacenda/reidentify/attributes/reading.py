"""Attributes that a text reveals about each of its people, according to the rules in ``criteria.closure``."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from ...document import Span
from ...text.normal_form import fold_text
from ..criteria.closure import FEMALE, MALE, Guess, infer_all, is_by_subject
from ..criteria.values import STATUSES, Attribute
from ..tokens import LABEL
from .people import AUTHOR, Reference, stretches

_MASK: Final = re.compile(rf"{LABEL.pattern}|\*{{3,}}")
_PARTNER: Final = re.compile(r"\b(?:girlfriend|boyfriend)\b", re.IGNORECASE)

Attributes = Mapping[Attribute, tuple[Guess, ...]]


@dataclass(frozen=True, slots=True)
class AttributeProfile:
    """Attributes that a text reveals about a person.

    Attributes:
        person: id of an entity, ``author``, or ``relative-1`` for a person without a name.
        attributes: each attribute's values, likeliest first.
        words: the words about the person; all others are replaced with spaces.
    """

    person: str
    attributes: Attributes
    words: str


def read_profiles(text: str, told: Sequence[Reference]) -> dict[str, AttributeProfile]:
    """Return the attributes that a text reveals about each person it refers to."""
    readable = _without_masks(text, told)
    profiles = {}
    for person, spans in stretches(text, told).items():
        words = "".join(
            char if inside else " "
            for char, inside in zip(readable, _inside(spans, len(text)), strict=True)
        )
        guesses = {
            key: list(items) for key, items in infer_all(words, by_subject=person == AUTHOR).items()
        }
        for item in told:
            for attribute, guess in _of_reference(text, item, person):
                guesses.setdefault(attribute, []).append(guess)
        attributes = {
            attribute: tuple(sorted(items, key=lambda guess: -guess.probability))
            for attribute, items in guesses.items()
        }
        profiles[person] = AttributeProfile(person, attributes, words)
    return profiles


def subject_of(text: str, told: Sequence[Reference]) -> str:
    """Return the person that a text is about: its author if it is in the first person, otherwise the person it names most."""
    counts: dict[str, int] = {}
    for item in told:
        for person in item.people[:1]:
            counts[person] = counts.get(person, 0) + 1
    if is_by_subject(text) or not counts:
        return AUTHOR
    return max(counts, key=lambda person: counts[person])


def _without_masks(text: str, told: Sequence[Reference]) -> str:
    """Return a text of the same length in which masks of names are capitalized words, and other masks are spaces."""
    names = [item.span for item in told]

    def written(match: re.Match[str]) -> str:
        span = Span(*match.span())
        is_name = any(span.overlaps(name) for name in names)
        return "X" + "x" * (len(span) - 1) if is_name else " " * len(span)

    return _MASK.sub(written, text)


def _inside(spans: Sequence[Span], length: int) -> list[bool]:
    inside = [False] * length
    for span in spans:
        inside[span.start : span.end] = [True] * len(span)
    return inside


def _of_reference(text: str, item: Reference, person: str) -> list[tuple[Attribute, Guess]]:
    """Return the attributes that the words for a person imply: *wife* implies a sex, and that both are married."""
    guesses = []
    if person in item.people[:1] and item.sex and not _MASK.search(item.span.of(text)):
        value = FEMALE if item.sex == "f" else MALE
        guesses.append((Attribute.SEX, Guess(value, 0.9, "name or kin", item.span)))
    if item.relatives and (person in item.relatives or person in item.people[:1]):
        folded = fold_text(item.span.of(text))
        status = next((name for stem, name in STATUSES if re.search(rf"\b(?:{stem})", folded)), "")
        if folded.count("ex-") or folded.count("former"):
            status = status and "divorced"
        if folded.count("late ") and status == "married":
            status = "widowed" if person in item.relatives else ""
        if not status and _PARTNER.search(folded):
            status = "in a relationship"
        if status:
            guesses.append((Attribute.RELATIONSHIP, Guess(status, 0.86, "kin", item.span)))
    return guesses
